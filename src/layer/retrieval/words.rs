//! What the findings of the retrieval layer say.

use super::cover::{Cover, Under, Unit};
use super::gold::Gold;
use super::union::Pieces;
use super::{Matrix, RetrievalDetail, longer};
use crate::layer::{Code, Exam, Finding};
use crate::suite::Evidence;
use crate::suite::corpus::Corpus;
use crate::target::response::Context;
use crate::text::norm::{self, visible};

/// The line of the corpus where evidence stands, as `file:line`.
fn line(corpus: &Corpus, e: &Evidence) -> Option<String> {
    corpus.locate(e).map(|(doc, line)| format!("{doc}:{}", line.max(1)))
}

/// The first passage that holds a piece of evidence under another heading path, by index, with that evidence. One whose
/// path may be the same section goes before one of another section.
pub(super) fn other_heading<'g, 'q>(
    gold: &'g Gold<'q>,
    contexts: &[Context<'_>],
) -> Option<(usize, &'g Unit<'q>, Under)> {
    let all = || {
        let places = gold.places.iter().filter(|u| !u.evidence.section.is_empty());
        places.flat_map(|u| contexts.iter().enumerate().filter_map(move |(i, c)| Some((i, u, u.elsewhere(c)?))))
    };
    all().find(|(_, _, under)| *under == Under::Unsure).or_else(|| all().next())
}

/// What is said of such a passage, without the name of the evidence.
fn under_other(unit: &Unit<'_>, index: usize, contexts: &[Context<'_>], how: Under, corpus: bool) -> String {
    let path = |headings: Vec<&str>| visible(&headings.join(" › "));
    let own = contexts.get(index).map(|c| path(c.section.iter().map(AsRef::as_ref).collect())).unwrap_or_default();
    let wanted = path(unit.evidence.section.iter().map(String::as_str).collect());
    let holds = if unit.span.is_some() { "holds these words" } else { "is of this document" };
    let told = format!("passage {} {holds} under the heading path “{own}”, the evidence wants “{wanted}”", index + 1);
    match how {
        Under::Unsure if corpus => format!("{told}; the corpus does not tell whether the two are one section"),
        Under::Unsure => format!("{told}; with a `corpus` the two are one section where no other heading path ends so"),
        Under::Other | Under::Same | Under::Above => told,
    }
}

/// Why retrieval failed.
pub(super) fn fault(
    exam: &Exam<'_>,
    gold: &Gold<'_>,
    matrix: &Matrix,
    detail: &RetrievalDetail,
    counted: &[usize],
    contexts: &[Context<'_>],
) -> Finding {
    // The first place that is missing among the passages that count.
    let missing = |i: usize| {
        !counted.iter().any(|p| matrix.covers.get(*p).and_then(|r| r.get(i)).is_some_and(|c| *c == Cover::Complete))
    };
    let Some((index, unit)) = gold.places.iter().enumerate().find(|(i, _)| missing(*i)) else {
        return Finding::fault(Code::EvidenceNotRetrieved, "The evidence is not among the passages that count.");
    };
    let what = unit.evidence.to_string();
    let cover = |p: usize| matrix.covers.get(p).and_then(|r| r.get(index)).copied().unwrap_or(Cover::None);
    let whole = (0..contexts.len()).find(|p| cover(*p) == Cover::Complete);
    let cut_from_prompt = |p: usize| contexts.get(p).is_some_and(|c| !c.in_prompt());
    let rank = |p: usize| p + 1;
    // That of which most is left; of equals the first.
    let left = |p: &usize| contexts.get(*p).and_then(|c| share_left(unit, c)).unwrap_or(0.0);
    let placed = counted.iter().copied().filter(|p| cover(*p) >= Cover::Place);
    if let Some(p) = placed.map(|p| (p, left(&p))).reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(p, _)| p) {
        let elsewhere = match whole {
            Some(w) if cut_from_prompt(w) => format!("; they stand at rank {}, which was not in the prompt", rank(w)),
            Some(w) => format!("; they stand at rank {}, beyond the passages that count", rank(w)),
            None => cut(unit, contexts.get(p)),
        };
        return Finding::fault(
            Code::EvidenceSpanCut,
            format!("Passage {} is of the right place, but the words {what} are not in it{elsewhere}.", rank(p)),
        );
    }
    let near = whole.or_else(|| (0..contexts.len()).find(|p| cover(*p) >= Cover::Place));
    if let Some(p) = near.filter(|p| cut_from_prompt(*p)) {
        return Finding::fault(
            Code::EvidenceNotInPrompt,
            format!("{what} was found at rank {}, but that passage was not in the prompt.", rank(p)),
        );
    }
    let renamed = other_heading(gold, contexts).filter(|(_, u, _)| std::ptr::eq(*u, unit));
    let list = match contexts.len() {
        0 => "nothing was retrieved".to_owned(),
        _ => match (near, renamed) {
            (Some(p), _) => format!("it stands at rank {}, and {} passages count", rank(p), counted.len()),
            (None, Some((p, unit, how))) => under_other(unit, p, contexts, how, exam.corpus.is_some()),
            (None, None) => format!("it is in none of the {} passages", contexts.len()),
        },
    };
    let corpus = match (detail.in_corpus, exam.corpus) {
        (Some(true), Some(corpus)) => {
            line(corpus, unit.evidence).map(|at| format!("; the corpus holds it at {at}")).unwrap_or_default()
        }
        _ => String::new(),
    };
    let longer = if near.is_none() { longer::name(unit.evidence, contexts).unwrap_or_default() } else { String::new() };
    Finding::fault(Code::EvidenceNotRetrieved, format!("{what} was not retrieved: {list}{corpus}{longer}."))
}

/// The share of the words, or of the characters of the document, that a cut left in a passage.
fn share_left(unit: &Unit<'_>, context: &Context<'_>) -> Option<f64> {
    unit.overlap(context).or_else(|| {
        let mut pieces = Pieces::new(unit.span.as_ref()?);
        pieces.add(&norm::matching(context.text.as_deref()?));
        Some(pieces.share())
    })
}

/// The same as words.
fn cut(unit: &Unit<'_>, context: Option<&Context<'_>>) -> String {
    match context.and_then(|c| share_left(unit, c)) {
        Some(share) if share > 0.0 => format!("; {:.0} % of them are", (share * 100.0).floor()),
        Some(_) | None => String::new(),
    }
}

/// The passages did not carry what the evidence names.
pub(super) fn not_carried(text: bool) -> Finding {
    if text {
        Finding::fault(Code::ContextTextMissing, "Passages of the right place came without their text.")
    } else {
        Finding::fault(
            Code::ContextPlaceMissing,
            "The passages do not name the document, section or id by which the evidence is known.",
        )
    }
}

/// A note about passages that repeat earlier ones.
pub(super) fn repeats(repeats: &[usize]) -> Option<Finding> {
    let first = repeats.first()?;
    let more = if repeats.len() > 1 { format!(" and {} more", repeats.len() - 1) } else { String::new() };
    Some(Finding::note(
        Code::DuplicatePassage,
        format!("Passage {}{more} repeats an earlier one; it keeps its rank and counts as a miss.", first + 1),
    ))
}

//! What became of the evidence of a suite, for people.

use super::{clean, cut};
use crate::evidence::update::Updated;
use crate::evidence::wanted::Missing;
use crate::evidence::{Checked, OfSuite, State, missing};
use crate::suite::corpus::Spot;
use std::fmt::Write as _;

/// So much of the old and the new words is shown, in code points.
const SHOWN: usize = 200;

/// So many places of one span are named.
const SPOTS: usize = 4;

/// What a check found, a suite at a time.
pub fn text(checked: &OfSuite<'_>) -> String {
    let known = checked.places.iter().filter(|p| p.state != State::Unknown).count();
    let mut out = format!(
        "{}: {} places looked up, {} stale, {} ambiguous",
        clean::terminal(&checked.suite.shown),
        known,
        checked.stale(),
        checked.ambiguous()
    );
    if !checked.unsaid.is_empty() {
        let _ = write!(out, ", {} not said by its document", plural(checked.unsaid.len(), "fact"));
    }
    let unknown = checked.places.len() - known;
    if unknown > 0 {
        let _ = write!(out, "; {unknown} more name a passage or an address alone, of which a corpus knows nothing");
    }
    out.push('\n');
    let without = checked.without_words();
    if without > 0 {
        let _ = writeln!(
            out,
            "  {without} of them name a document or a section and no `span`: numbers and dates of their facts are looked up there, \
             other changes cannot be told"
        );
    }
    for place in &checked.places {
        match &place.state {
            State::Found | State::Unknown => {}
            State::Ambiguous(spots) => ambiguous(&mut out, place, spots),
            State::Stale(..) => stale(&mut out, place),
        }
    }
    checked.unsaid.iter().for_each(|m| unsaid(&mut out, m));
    for r in &checked.reworded {
        let _ = writeln!(out, "\n  look  {}  {}", r.question.id, r.fact.place);
        let fact = clean::terminal(&r.fact.form.to_string()).into_owned();
        let why = if r.opposite {
            "the words that the evidence names say the opposite"
        } else {
            "its document does not say it in these words"
        };
        let _ = writeln!(out, "    fact     {fact}: {why}");
    }
    for a in &checked.answerable {
        let _ = writeln!(out, "\n  answerable  {}  {}", a.question.id, a.question.place);
        let _ = writeln!(out, "    question  {}", clean::terminal(&a.question.text));
        let _ = writeln!(out, "    says      {}, which an answer must not say", clean::terminal(&a.fact.to_string()));
        let _ = writeln!(out, "    at        {}", spot(&a.spot));
        out.push_str("    The corpus answers it by now: let it expect an answer, or mend what it must not say.\n");
    }
    for spoken in &checked.spoken {
        let _ = writeln!(out, "\n  look  {}  {}", spoken.question.id, spoken.question.place);
        let _ = writeln!(out, "    question  {}", clean::terminal(&spoken.question.text));
        let _ = writeln!(out, "    at        {}", spot(&spoken.spot));
        out.push_str("    Most words of the question stand there: does it answer the question by now?\n");
    }
    let sure = |m: &Missing<'_>| m.unsaid.instead.as_ref().is_some_and(|i| i.sure);
    let proposed =
        checked.places.iter().any(|p| matches!(&p.state, State::Stale(_, Some(_)))) || checked.unsaid.iter().any(sure);
    if proposed {
        let _ = writeln!(out, "\nnext: ragline evidence update {}", checked.suite.name);
    }
    out
}

fn stale(out: &mut String, place: &Checked<'_>) {
    let State::Stale(standing, nearest) = &place.state else { return };
    let _ = writeln!(out, "\n  stale  {}  {}", place.question.id, place.evidence.place);
    let doc = place.evidence.doc.as_deref().unwrap_or("the corpus");
    let gone = match missing(standing) {
        "document" => format!("there is no document {doc}"),
        "section" => format!("{doc} has no section {}", place.evidence.section.join(" › ")),
        _ => format!("its words are gone from {doc}"),
    };
    let _ = writeln!(out, "    {}", clean::terminal(&gone));
    if let Some(span) = &place.evidence.span {
        let _ = writeln!(out, "    was      “{}”", clean::terminal(&cut::chars(span, SHOWN)));
    }
    let Some(nearest) = nearest else {
        out.push_str("    nothing like it stands in the corpus\n");
        return;
    };
    let _ = writeln!(out, "    now      “{}”", clean::terminal(&cut::chars(&nearest.text, SHOWN)));
    let _ = writeln!(out, "    at       {}", spot(&nearest.spot));
    if !nearest.numbers.is_empty() {
        let side = |text: &str| if text.is_empty() { "nothing".to_owned() } else { clean::terminal(text).into_owned() };
        let pairs: Vec<String> =
            nearest.numbers.iter().map(|(was, now)| format!("{} → {}", side(was), side(now))).collect();
        let _ = writeln!(out, "    numbers  {}", pairs.join(", "));
    }
    for fact in &place.lost {
        let _ = writeln!(out, "    fact     {} is not stated there: mend it too", clean::terminal(&fact.to_string()));
    }
}

fn unsaid(out: &mut String, missing: &Missing<'_>) {
    let Missing { question, fact, unsaid } = missing;
    let _ = writeln!(out, "\n  fact  {}  {}", question.id, fact.place);
    let wanted = clean::terminal(&fact.form.to_string()).into_owned();
    let docs = clean::terminal(&unsaid.docs.join(", ")).into_owned();
    let gone = if unsaid.only_elsewhere {
        format!("{wanted}, which the words that the evidence names do not say")
    } else {
        format!("{wanted}, which stands nowhere in {docs}")
    };
    let _ = writeln!(out, "    wanted   {gone}");
    match &unsaid.instead {
        Some(instead) => {
            let place = format!("{}:{}", instead.doc, instead.line);
            let sentence = clean::terminal(&cut::chars(&instead.sentence, SHOWN)).into_owned();
            let label = if instead.sure { "now" } else { "nearest" };
            let _ = writeln!(out, "    {}“{sentence}”", cut::pad(label, 9));
            let _ = writeln!(out, "    at       {}", clean::terminal(&place));
        }
        None => out.push_str("    nothing of its kind stands there\n"),
    }
}

fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn ambiguous(out: &mut String, place: &Checked<'_>, spots: &[Spot]) {
    let _ = writeln!(out, "\n  ambiguous  {}  {}", place.question.id, place.evidence.place);
    let span = place.evidence.span.as_deref().unwrap_or_default();
    let _ = writeln!(
        out,
        "    “{}” stands in {} sections, and a passage of any of them counts: name the section, or more words",
        clean::terminal(&cut::chars(span, SHOWN)),
        spots.len()
    );
    for s in spots.iter().take(SPOTS) {
        let _ = writeln!(out, "    at       {}", spot(s));
    }
    if spots.len() > SPOTS {
        let _ = writeln!(out, "    and {} more", spots.len() - SPOTS);
    }
}

fn spot(spot: &Spot) -> String {
    let section = if spot.section.is_empty() { String::new() } else { format!(" ({})", spot.section.join(" › ")) };
    clean::terminal(&format!("{}:{}{section}", spot.doc, spot.line)).into_owned()
}

/// A suite and what it would become, as a unified diff.
pub fn diff(updated: &Updated, shown: &str, written: bool) -> String {
    let mut out = String::new();
    if updated.ids.is_empty() {
        let _ = writeln!(out, "{}: nothing stale has words or values near to it", clean::terminal(shown));
        for line in &updated.by_hand {
            let _ = writeln!(out, "by hand: {}", clean::terminal(line));
        }
        return out;
    }
    let diff = similar::TextDiff::from_lines(&updated.was, &updated.now);
    for line in diff.unified_diff().context_radius(2).header(shown, shown).to_string().lines() {
        let _ = writeln!(out, "{}", clean::terminal(line));
    }
    for line in &updated.by_hand {
        let _ = writeln!(out, "by hand: {}", clean::terminal(line));
    }
    let _ = writeln!(
        out,
        "{} {}: {}",
        if written { "wrote" } else { "would change" },
        clean::terminal(shown),
        updated.ids.join(", ")
    );
    if !written {
        out.push_str("next: look at each, then add --write\n");
    } else if updated.facts > 0 {
        out.push_str("the facts that changed bear the mark `# suggested`: look at them, and take it off\n");
    }
    out
}

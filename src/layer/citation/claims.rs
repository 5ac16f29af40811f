//! The sentences of an answer that claim something, each with the citations that belong to it.
//!
//! A marker belongs to the sentence in which it stands, or behind which; at the begin of a line, to the sentence that it
//! opens. A block of markers at the end of a paragraph or list belongs to each of its sentences that has none of its own, and
//! so do the markers of a line that introduces a list (`… [1]:`). A list of sources belongs to no sentence.

use super::resolve::Lead;
use crate::layer::Exam;
use crate::layer::Reading;
use crate::layer::refusal::{Label, is_courtesy};
use crate::text::norm::chars::{digit, is_blank, is_unspaced, is_word};
use crate::text::norm::plain;
use crate::text::pack::Pack;
use crate::text::segment::sentences_in;
use std::ops::Range;

/// So many markers of a block are given to other sentences at most: a list of sources is no citation of each sentence.
const MOST_OF_A_BLOCK: usize = 64;

/// A bullet, or the number of an item, with what stands around it, in bytes.
const LONGEST_BULLET: usize = 16;

/// A sentence that claims something.
#[derive(Debug)]
pub(super) struct Claim {
    /// Its bytes in the answer without markers.
    pub(super) place: Range<usize>,
    /// The passages that it cites, by index, each once, in rising order.
    pub(super) cited: Vec<usize>,
    /// Its citations that lead nowhere, as written, each once.
    pub(super) dangling: Vec<String>,
    /// Those of the passages that other sentences cite with it, by a block of markers or by that of the line that introduces
    /// them: they are there for all of these together.
    pub(super) shared: Vec<usize>,
}

/// One line of a text.
#[derive(Debug, Clone, Copy)]
struct Line {
    start: usize,
    /// Lines of one paragraph, and of one item of a list, have the same number.
    paragraph: usize,
    /// It is an item of a list, or a row of a table.
    item: bool,
    /// It is a heading of what follows.
    heading: bool,
}

/// A sentence with its markers, as indices.
#[derive(Debug)]
struct Sentence {
    place: Range<usize>,
    line: Line,
    markers: Vec<usize>,
    /// It has markers of its own, which stand in front of those that it shares.
    own: bool,
    shared: Vec<usize>,
}

/// The claims of an answer, in order; `leads` says where each of its markers leads.
pub(super) fn claims(exam: &Exam<'_>, reading: &Reading<'_>, leads: &[Lead]) -> Vec<Claim> {
    let text = reading.cited.plain.as_ref();
    let places = reading.cited.places();
    let listed = |i: usize| reading.cited.markers.get(i).is_none_or(|m| m.listed);
    let lines = lines(text);
    let mut sentences: Vec<Sentence> = Vec::new();
    for place in cut_at_markers(text, joined(text, sentences_in(text, exam.pack)), &places) {
        let line = line_at(&lines, place.start);
        sentences.push(Sentence { place, line, markers: Vec::new(), own: false, shared: Vec::new() });
    }
    let mut blocks: Vec<(usize, Vec<usize>)> = Vec::new();
    for (i, at) in places.iter().copied().enumerate().filter(|(i, _)| !listed(*i)) {
        let next = sentences.partition_point(|s| s.place.start <= at);
        let line = line_at(&lines, at);
        // Nothing but a bullet or a number stands in front of it, and words follow on its line.
        let front = text.get(line.start..at).unwrap_or_default();
        let opens = front.len() <= LONGEST_BULLET && !front.contains(char::is_alphabetic);
        let opened = opens && sentences.get(next).is_some_and(|s| s.line.start == line.start);
        let owner =
            if opened { Some(next) } else { next.checked_sub(1).or(if sentences.is_empty() { None } else { Some(0) }) };
        let Some(owner) = owner else { continue };
        let last = sentences
            .get(next)
            .is_none_or(|n| sentences.get(owner).is_some_and(|s| s.line.paragraph != n.line.paragraph));
        let Some(s) = sentences.get_mut(owner) else { continue };
        s.markers.push(i);
        s.own = true;
        if !opened && at >= s.place.end && last && ends(text, &s.place) {
            match blocks.last_mut() {
                Some((of, markers)) if *of == owner => markers.push(i),
                _ => blocks.push((owner, vec![i])),
            }
        }
    }
    for (owner, mut markers) in blocks {
        markers.truncate(MOST_OF_A_BLOCK);
        spread(&mut sentences, owner, &markers);
    }
    introduce(text, &mut sentences);
    let refuses = |s: &str| reading.refusal.label == Label::Partial && refuses(s, exam.pack);
    let mut out = Vec::with_capacity(sentences.len());
    for s in sentences {
        let words = text.get(s.place.clone()).unwrap_or_default();
        let claims = !s.line.heading && !asks(words) && !leads_in(words);
        if claims && (s.own || !(refuses(words) || is_idle(words, exam.pack))) {
            out.push(claim(s, leads));
        }
    }
    out
}

fn claim(s: Sentence, leads: &[Lead]) -> Claim {
    let mut claim = Claim { place: s.place, cited: Vec::new(), dangling: Vec::new(), shared: Vec::new() };
    for lead in s.shared.iter().filter_map(|m| leads.get(*m)) {
        if let Lead::To(passages) = lead {
            claim.shared.extend(passages);
        }
    }
    for lead in s.markers.iter().filter_map(|m| leads.get(*m)) {
        match lead {
            Lead::To(passages) => claim.cited.extend(passages),
            Lead::Dangling(shown) => claim.dangling.push(shown.clone()),
            Lead::Content => {}
        }
    }
    claim.cited.sort_unstable();
    claim.cited.dedup();
    claim.dangling.sort_unstable();
    claim.dangling.dedup();
    claim
}

/// Gives the markers of the end of a paragraph to the sentences of it that have none: of a list, to those of all its items.
fn spread(sentences: &mut [Sentence], owner: usize, markers: &[usize]) {
    let Some(last) = sentences.get(owner).map(|s| s.line) else { return };
    let mut paragraph = last.paragraph;
    let mut given = false;
    for s in sentences.iter_mut().take(owner).rev() {
        let same = s.line.paragraph == paragraph;
        let item_before = last.item && s.line.item && s.line.paragraph + 1 == paragraph && !s.own;
        if !same && !item_before {
            break;
        }
        paragraph = s.line.paragraph;
        if !s.own {
            s.markers.extend(markers);
            s.shared.extend(markers);
            given = true;
        }
    }
    if let Some(s) = sentences.get_mut(owner).filter(|_| given) {
        s.shared.extend(markers);
    }
}

/// Gives the markers of a line that introduces a list to its items that have none.
fn introduce(text: &str, sentences: &mut [Sentence]) {
    let mut given: Vec<usize> = Vec::new();
    for s in sentences {
        if leads_in(text.get(s.place.clone()).unwrap_or_default()) {
            given.clone_from(&s.markers);
            given.truncate(MOST_OF_A_BLOCK);
        } else if !s.line.item {
            given.clear();
        } else if s.markers.is_empty() {
            s.markers.clone_from(&given);
            s.shared.clone_from(&given);
        }
    }
}

/// The lines of a text.
fn lines(text: &str) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    let (mut start, mut paragraph, mut apart) = (0, 0, false);
    for line in text.split('\n') {
        let body = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let digits = body.chars().take_while(|c| digit(*c).is_some()).take(4).count();
        let numbered =
            (1..=3).contains(&digits) && matches!(body.chars().nth(digits), Some('.' | ')' | '、' | '．' | '）'));
        let row = body.starts_with('|');
        let item = row || numbered || ["- ", "* ", "• ", "+ ", "– "].iter().any(|b| body.starts_with(b));
        let bold = body.len() > 4 && body.starts_with("**") && body.trim_end_matches([':', '：']).ends_with("**");
        let heading = body.starts_with('#') || (bold && body.matches("**").count() == 2);
        // A row of dashes makes the row before it the head of a table.
        if row
            && body.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
            && let Some(head) = out.last_mut()
        {
            head.heading = true;
        }
        if apart || item || heading || body.is_empty() {
            paragraph += 1;
        }
        apart = heading || body.is_empty();
        out.push(Line { start, paragraph, item, heading });
        start += line.len() + 1;
    }
    out
}

fn line_at(lines: &[Line], at: usize) -> Line {
    let i = lines.partition_point(|l| l.start <= at).saturating_sub(1);
    lines.get(i).copied().unwrap_or(Line { start: 0, paragraph: 0, item: false, heading: false })
}

/// Sentences of one line, where a quotation that one opens is closed in the next: what is left out of it (`…`) ends nothing.
fn joined(text: &str, sentences: Vec<Range<usize>>) -> Vec<Range<usize>> {
    const PAIRS: [(char, char); 4] = [('“', '”'), ('«', '»'), ('「', '」'), ('『', '』')];
    let left_open = |words: &str| {
        let opened = |(open, close): &&(char, char)| {
            let open = words.rfind(*open);
            open.is_some() && words.rfind(*close) < open
        };
        PAIRS.iter().find(opened).map(|(_, close)| *close)
    };
    let mut out: Vec<Range<usize>> = Vec::with_capacity(sentences.len());
    let mut open: Option<char> = None;
    for s in sentences {
        let words = text.get(s.clone()).unwrap_or_default();
        match (open, out.last_mut()) {
            (Some(close), Some(last))
                if words.contains(close) && text.get(last.end..s.start).is_some_and(|t| !t.contains('\n')) =>
            {
                last.end = s.end;
            }
            _ => out.push(s.clone()),
        }
        open = left_open(words);
    }
    out
}

/// Thai and Chinese may part claims by nothing but a blank behind the marker: a sentence ends there too, where letters of
/// such a script stand on both sides.
fn cut_at_markers(text: &str, sentences: Vec<Range<usize>>, places: &[usize]) -> Vec<Range<usize>> {
    let parts = |at: usize| {
        let before = text.get(..at).and_then(|t| t.trim_end_matches(is_blank).chars().next_back());
        let mut after = text.get(at..).unwrap_or_default().chars();
        before.is_some_and(is_unspaced)
            && after.next().is_some_and(is_blank)
            && after.find(|c| !is_blank(*c)).is_some_and(is_unspaced)
    };
    let mut out = Vec::with_capacity(sentences.len());
    let mut next = 0;
    for s in sentences {
        let mut start = s.start;
        while let Some(at) = places.get(next).copied().filter(|at| *at < s.end) {
            next += 1;
            if at > start && text.get(start..at).is_some_and(|t| t.contains(is_word)) && parts(at) {
                out.push(start..at);
                start = at + text.get(at..s.end).map_or(0, |t| t.len() - t.trim_start_matches(is_blank).len());
            }
        }
        out.push(start..s.end);
    }
    out
}

/// Whether a sentence ends with a mark that ends one.
fn ends(text: &str, place: &Range<usize>) -> bool {
    let words = text.get(place.clone()).unwrap_or_default();
    let words = words.trim_end_matches(['"', '\'', ')', '”', '’', '」', '』', '）', '*', '_']);
    words.ends_with(['.', '!', '?', ';', '。', '！', '？', '；', '…', '।'])
}

fn asks(words: &str) -> bool {
    words.trim_end_matches(['"', '\'', ')', '”', '」', '*', '_']).ends_with(['?', '？', '؟'])
}

/// A line that only says what follows.
fn leads_in(words: &str) -> bool {
    words.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}

/// Whether a sentence is polite, offers help or sends the reader elsewhere. English is tried for every language.
fn is_idle(words: &str, pack: Option<&Pack>) -> bool {
    if is_courtesy(words, pack) {
        return true;
    }
    let text = plain(words).to_lowercase();
    pack.into_iter()
        .chain(Pack::by_code("en"))
        .map(|p| &p.refusal)
        .any(|data| [&data.redirect, &data.offer].into_iter().flatten().any(|e| e.is_match(&text)))
}

/// Whether a sentence of an answer that refuses in part is of that part.
fn refuses(words: &str, pack: Option<&Pack>) -> bool {
    let text = plain(words).to_lowercase();
    pack.into_iter()
        .chain(Pack::by_code("en"))
        .map(|p| &p.refusal)
        .any(|data| data.may_refuse(&text) && data.pattern.iter().any(|p| p.re.is_match(&text)))
}

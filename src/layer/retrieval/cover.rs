//! Does a passage hold a piece of evidence, and at which level?

use crate::suite::Evidence;
use crate::target::response::Context;
use crate::text::norm::{self, find_whole_numbers};
use std::cell::OnceCell;
use unicode_normalization::UnicodeNormalization;

/// How far a passage and a piece of evidence agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cover {
    /// Another document or section.
    None,
    /// It cannot be told: the passage does not carry what the evidence names.
    Unknown,
    /// The right document and section, but the words are missing.
    Place,
    /// The right document and section, but the passage came without its text.
    PlaceWithoutText,
    /// The passage names the right document, but no section.
    DocumentOnly,
    /// All that the evidence names.
    Complete,
}

/// A passage with its normal form, which is made when a span is first looked for.
pub(super) struct Passage<'a> {
    pub(super) context: &'a Context<'a>,
    normal: OnceCell<String>,
}

impl<'a> Passage<'a> {
    pub(super) fn new(context: &'a Context<'a>) -> Self {
        Passage { context, normal: OnceCell::new() }
    }

    /// The matching form of the text, if it came with text.
    pub(super) fn normal(&self) -> Option<&str> {
        let text = self.context.text.as_deref()?;
        Some(self.normal.get_or_init(|| norm::matching(text)))
    }
}

/// Evidence with the normal forms of its span and headings.
pub(super) struct Unit<'a> {
    pub(super) evidence: &'a Evidence,
    section: Vec<String>,
    pub(super) span: Option<String>,
}

/// Equal names: exactly, or in composed form.
fn same_name(a: &str, b: &str) -> bool {
    a == b || (!(a.is_ascii() && b.is_ascii()) && a.nfc().eq(b.nfc()))
}

impl<'a> Unit<'a> {
    pub(super) fn new(evidence: &'a Evidence) -> Self {
        let form = |s: &String| norm::matching(s).trim().to_owned();
        Unit {
            evidence,
            section: evidence.section.iter().map(form).collect(),
            span: evidence.span.as_ref().map(form).filter(|s| !s.is_empty()),
        }
    }

    /// Compares with a passage; its text is normalised only if the rest does not already rule it out.
    pub(super) fn cover(&self, passage: &Passage<'_>) -> Cover {
        let (e, c) = (self.evidence, passage.context);
        // Names that both carry must agree; at least one of them must be there, or the span decides alone.
        let mut named = false;
        let mut carried = false;
        let pairs = [
            (e.chunk.as_deref(), c.chunk.as_deref()),
            (e.url.as_deref(), c.url.as_deref()),
            (e.doc.as_deref(), c.doc.as_deref()),
        ];
        for (i, (want, have)) in pairs.into_iter().enumerate() {
            let Some(want) = want else { continue };
            named = true;
            let Some(have) = have else { continue };
            carried = true;
            let same = if i == 2 { same_name(want, have) } else { want == have };
            if !same {
                return Cover::None;
            }
        }
        let sectioned = self.section.is_empty() || !c.section.is_empty();
        if !self.section.is_empty() && !c.section.is_empty() {
            let mut path = c.section.iter();
            let prefix =
                self.section.iter().all(|want| path.next().is_some_and(|have| norm::matching(have).trim() == want));
            if !prefix {
                return Cover::None;
            }
        }
        let Some(span) = &self.span else {
            return match (carried, sectioned) {
                (true, true) => Cover::Complete,
                (true, false) => Cover::DocumentOnly,
                (false, _) if named => Cover::Unknown,
                (false, _) => Cover::None,
            };
        };
        // Copied word for word, which is the usual case, needs no normal form.
        let (raw, text) = (e.span.as_deref().unwrap_or_default(), c.text.as_deref().unwrap_or_default());
        if find_whole_numbers(text, raw.trim()).is_some() {
            return Cover::Complete;
        }
        match passage.normal() {
            Some(text) if find_whole_numbers(text, span).is_some() => Cover::Complete,
            Some(_) if carried => Cover::Place,
            Some(_) => Cover::None,
            None if carried || !named => Cover::PlaceWithoutText,
            None => Cover::Unknown,
        }
    }
}

/// The share of a span's characters that a text holds as the longest beginning and the longest end of it, each of at
/// least `min` characters: what a cut leaves. 1 for the whole span.
pub(super) fn span_coverage(span: &str, text: &str, min: usize) -> f64 {
    let chars: Vec<usize> = span.char_indices().map(|(i, _)| i).chain([span.len()]).collect();
    let total = chars.len() - 1;
    if total == 0 || memchr::memmem::find(text.as_bytes(), span.as_bytes()).is_some() {
        return 1.0;
    }
    let holds = |from: usize, to: usize| {
        let piece = chars.get(from).zip(chars.get(to)).and_then(|(a, b)| span.get(*a..*b)).unwrap_or_default();
        memchr::memmem::find(text.as_bytes(), piece.as_bytes()).is_some()
    };
    // If a beginning is there, so is every shorter one.
    let longest = |fits: &dyn Fn(usize) -> bool| {
        let (mut low, mut high) = (0, total);
        while low < high {
            let mid = (low + high).div_ceil(2);
            if fits(mid) { low = mid } else { high = mid - 1 }
        }
        if low >= min.min(total) { low } else { 0 }
    };
    let head = longest(&|n| holds(0, n));
    let tail = longest(&|n| holds(total - n, total)).min(total - head);
    (head + tail) as f64 / total as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first 85 of 100 characters.
    #[test]
    fn a_cut_span_is_covered_in_part() {
        let span: String =
            ('a'..='z').cycle().enumerate().map(|(i, c)| if i % 7 == 0 { 'X' } else { c }).take(100).collect();
        let text = format!("before {} after", span.split_at(85).0);
        assert!((span_coverage(&span, &text, 20) - 0.85).abs() < 1e-9);
        assert!((span_coverage(&span, &span, 20) - 1.0).abs() < 1e-9);
        assert!(span_coverage(&span, "nothing", 20) < 1e-9);
    }
}

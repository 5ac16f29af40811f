//! Does a passage hold a piece of evidence, and at which level?

use super::union::WHOLE;
use crate::layer::address::{fragment, same_url, slug};
use crate::suite::Evidence;
use crate::suite::corpus::{Corpus, Heading};
use crate::target::response::Context;
use crate::text::norm::{self, find_whole_numbers};
use std::borrow::Cow;
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
    /// The section of the corpus that is meant, where there is just one.
    meant: Option<Heading<'a>>,
    corpus: Option<&'a Corpus>,
    pub(super) span: Option<String>,
}

/// How the heading path of a passage stands to that of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Under {
    /// The same section, or one below it; or one of the two names none.
    Same,
    /// The passage stands under a heading above the wanted section: it may hold a piece of it beside others, and its words tell.
    Above,
    /// One path is a part of the other, and nothing proves that they are the same section.
    Unsure,
    /// Another section.
    Other,
}

/// Equal names: exactly, or in composed form.
fn same_name(a: &str, b: &str) -> bool {
    a == b || (!(a.is_ascii() && b.is_ascii()) && a.nfc().eq(b.nfc()))
}

impl<'a> Unit<'a> {
    pub(super) fn new(evidence: &'a Evidence, corpus: Option<&'a Corpus>) -> Self {
        let form = |s: &String| norm::matching(s).trim().to_owned();
        let section: Vec<String> = evidence.section.iter().map(form).collect();
        Unit {
            evidence,
            meant: corpus.and_then(|c| c.section_meant(evidence.doc.as_deref(), &section)),
            corpus,
            section,
            span: evidence.span.as_ref().map(form).filter(|s| !s.is_empty()),
        }
    }

    /// Compares with a passage; its text is normalised only if the rest does not already rule it out.
    pub(super) fn cover(&self, passage: &Passage<'_>) -> Cover {
        let c = passage.context;
        let Some((named, carried)) = self.names(c) else { return Cover::None };
        let sectioned = (self.section.is_empty() || !c.section.is_empty()) && self.part(c) != Under::Unsure;
        let under = self.under(c);
        if !matches!(under, Under::Same | Under::Above) || self.part(c) == Under::Other {
            return Cover::None;
        }
        if under == Under::Above {
            let spoken = self.span.as_ref().is_some_and(|span| self.spoken(passage, span));
            let placed = self.overlap(c).is_none_or(|share| share >= WHOLE);
            return if spoken && placed { Cover::Complete } else { Cover::None };
        }
        // Where both say at which characters of the document they stand, that decides: the same words may stand in it twice.
        if let Some(share) = self.overlap(c).filter(|_| carried) {
            return if share >= WHOLE { Cover::Complete } else { Cover::Place };
        }
        if self.span.is_none() && self.evidence.at.is_some() {
            return if named { Cover::Unknown } else { Cover::None };
        }
        let Some(span) = &self.span else {
            return match (carried, sectioned) {
                (true, true) => Cover::Complete,
                (true, false) => Cover::DocumentOnly,
                (false, _) if named => Cover::Unknown,
                (false, _) => Cover::None,
            };
        };
        if self.spoken(passage, span) {
            return Cover::Complete;
        }
        match passage.normal() {
            Some(_) if carried => Cover::Place,
            Some(_) => Cover::None,
            None if carried || !named => Cover::PlaceWithoutText,
            None => Cover::Unknown,
        }
    }

    /// Whether any name is wanted, and whether a passage carries one; nothing where a name that both carry differs.
    fn names(&self, c: &Context<'_>) -> Option<(bool, bool)> {
        let e = self.evidence;
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
            let same = match i {
                0 => want == have,
                1 => same_url(want, have),
                _ => same_name(want, have),
            };
            if !same {
                return None;
            }
        }
        Some((named, carried))
    }

    /// Compares the piece of the evidence's address behind `#`, which names a heading, with that of the passage's address or
    /// with its headings.
    fn part(&self, c: &Context<'_>) -> Under {
        let Some(wanted) = self.evidence.url.as_deref().and_then(fragment) else { return Under::Same };
        let Some(url) = c.url.as_deref() else { return Under::Same };
        let same = |heading: &str| slug(heading) == slug(wanted);
        match fragment(url) {
            Some(own) if same(own) => Under::Same,
            _ if c.section.iter().any(|h| same(h)) => Under::Same,
            None if c.section.is_empty() => Under::Unsure,
            Some(_) | None => Under::Other,
        }
    }

    /// The share of the evidence's characters that lie in a passage, by their places in the document; nothing where one of
    /// the two does not give them.
    pub(super) fn overlap(&self, c: &Context<'_>) -> Option<f64> {
        let ((from, to), start, end) = (self.evidence.at?, c.start?, c.end?);
        let inside = end.min(to).saturating_sub(start.max(from));
        Some(inside as f64 / to.saturating_sub(from).max(1) as f64)
    }

    /// Whether a part of the span may stand in a passage: it is of the same place, as far as both name one.
    pub(super) fn may_hold_part(&self, c: &Context<'_>) -> bool {
        let placed = self.names(c).is_some_and(|(named, carried)| carried || !named);
        placed && matches!(self.under(c), Under::Same | Under::Above) && self.part(c) != Under::Other
    }

    /// Compares the heading paths. The beginning of a path names a section; where a part of one is all that is given, the
    /// corpus must prove which section it is.
    fn under(&self, c: &Context<'_>) -> Under {
        let mut path = c.section.iter();
        let begins =
            |have: Option<&Cow<'_, str>>, want: &String| have.is_some_and(|h| norm::matching(h).trim() == want);
        if c.section.is_empty() || self.section.iter().all(|want| begins(path.next(), want)) {
            return Under::Same;
        }
        let own: Vec<String> = c.section.iter().map(|h| norm::matching(h).trim().to_owned()).collect();
        let named = [self.evidence.doc.as_deref(), c.doc.as_deref()];
        let known = |doc: &&str| self.corpus.is_some_and(|c| c.has(doc));
        let doc = named.into_iter().flatten().find(known);
        let found = self.corpus.and_then(|corpus| corpus.section_ending(doc, &own));
        match (&self.meant, &found) {
            (Some(wanted), Some(found)) if wanted.holds(found) => Under::Same,
            (Some(wanted), Some(found)) if found.holds(wanted) => Under::Above,
            (Some(_), Some(_)) => Under::Other,
            (Some(_), None) | (None, Some(_)) | (None, None) => {
                if is_part(&own, &self.section) || is_part(&self.section, &own) { Under::Unsure } else { Under::Other }
            }
        }
    }

    /// Whether a passage holds the words of a span.
    fn spoken(&self, passage: &Passage<'_>, span: &str) -> bool {
        // Copied word for word, which is the usual case, needs no normal form.
        let raw = self.evidence.span.as_deref().unwrap_or_default();
        let text = passage.context.text.as_deref().unwrap_or_default();
        find_whole_numbers(text, raw.trim()).is_some()
            || passage.normal().is_some_and(|text| find_whole_numbers(text, span).is_some())
    }

    /// For a passage that holds the words of the evidence, or is of its document where it names no words, under another
    /// heading path: how the two paths stand to each other. Nothing for any other passage.
    pub(super) fn elsewhere(&self, context: &Context<'_>) -> Option<Under> {
        let (_, carried) = self.names(context)?;
        let under = self.under(context);
        let passage = Passage::new(context);
        let here = match &self.span {
            Some(span) => self.spoken(&passage, span),
            None => carried && under == Under::Unsure,
        };
        (under != Under::Same && here).then_some(under)
    }
}

/// Whether headings stand one after the other in a path.
fn is_part(part: &[String], path: &[String]) -> bool {
    !part.is_empty() && path.windows(part.len()).any(|w| w == part)
}

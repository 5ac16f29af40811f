//! Citation: do the citations resolve, and to the evidence?
//!
//! * [`read`] finds the markers of an answer and folds them out of its text, so that no other layer takes `[2]` for a
//!   number;
//! * [`check`] resolves what is cited, by a field of the response or by markers, to the passages that were in the prompt.
//!   A citation that leads nowhere is *dangling*, and a fault.

mod check;
mod list;
mod read;
mod resolve;

pub use check::check;
pub use read::read;

use std::borrow::Cow;

/// The markers of an answer, and the answer without them.
#[derive(Debug)]
pub struct Cited<'a> {
    /// The answer with the markers folded out.
    pub plain: Cow<'a, str>,
    /// The markers, in order.
    pub markers: Vec<Marker>,
    /// For a folded answer: pairs (code point in `plain`, code point in the answer), one for each piece that was kept.
    pub offsets: Vec<(usize, usize)>,
}

impl Cited<'_> {
    /// The place in the answer as returned of a code point of `plain`.
    pub fn original(&self, at: usize) -> usize {
        let i = self.offsets.partition_point(|(p, _)| *p <= at);
        match i.checked_sub(1).and_then(|i| self.offsets.get(i)) {
            Some((p, o)) => o + (at - p),
            None => at,
        }
    }
}

/// One citation marker of the text. A marker that names several passages is one `Marker` for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// What it points at.
    pub to: MarkerTarget,
    /// Place in the answer as returned, in code points.
    pub start: usize,
    /// End in the answer as returned, in code points.
    pub end: usize,
}

/// What a marker points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkerTarget {
    /// A passage by its number as written; most systems count from 1.
    Number(usize),
    /// A passage by its index from 0 (`【4:0†source】`).
    Index(usize),
    /// A document, with its heading where given (`(Nguồn: doi-tra.md#thoi-han)`).
    Doc {
        /// The document.
        doc: String,
        /// The heading.
        heading: Option<String>,
    },
    /// An address.
    Url(String),
}

/// Each citation and where it leads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CitationDetail {
    /// Distinct passages cited, as indices from 0.
    pub cited: Vec<usize>,
    /// Citations that lead nowhere, as written.
    pub dangling: Vec<String>,
    /// Whether one of the cited passages holds evidence; none when that could not be asked.
    pub evidence: Option<bool>,
}

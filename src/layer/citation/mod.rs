//! Citation: do the citations resolve, and to the evidence?
//!
//! * [`read`] finds the markers of an answer and folds them out of its text, so that no other layer takes `[2]` for a
//!   number;
//! * [`check`] resolves what is cited, by a field of the response or by markers, to the passages that were in the prompt.
//!   A citation that leads nowhere is *dangling*, and a fault;
//! * `claims` cuts the answer into the sentences that claim something, each with what it cites;
//! * `support` says whether what a sentence cites bears it out, and which citations add nothing.

mod check;
mod claims;
mod list;
mod read;
mod resolve;
mod support;

pub use check::{Judged, check, judge};
pub use read::read;
pub use support::{ClaimVerdict, Lack};

use super::retrieval::MetricName;
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

    /// The byte of `plain` at which each marker stands, or stood before it was folded out.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut points = Points::new(&self.plain);
        let mut out = Vec::with_capacity(self.markers.len());
        for m in &self.markers {
            let i = self.offsets.partition_point(|(_, o)| *o <= m.start);
            let next = self.offsets.get(i).map_or(usize::MAX, |(p, _)| *p);
            let at = match i.checked_sub(1).and_then(|i| self.offsets.get(i)) {
                Some((p, o)) => (p + (m.start - o)).min(next),
                None if self.offsets.is_empty() => m.start,
                None => 0,
            };
            out.push(points.byte(at));
        }
        out
    }
}

/// Code points and bytes of one text, asked for in an order that mostly rises: each count goes on from the one before.
#[derive(Debug)]
struct Points<'t> {
    text: &'t str,
    byte: usize,
    point: usize,
}

impl<'t> Points<'t> {
    fn new(text: &'t str) -> Self {
        Points { text, byte: 0, point: 0 }
    }

    /// The byte of a code point; the end of the text for one behind it.
    fn byte(&mut self, point: usize) -> usize {
        if point < self.point {
            (self.byte, self.point) = (0, 0);
        }
        let tail = self.text.get(self.byte..).unwrap_or_default();
        let step = tail.char_indices().nth(point - self.point).map_or(tail.len(), |(i, _)| i);
        (self.byte, self.point) = (self.byte + step, point);
        self.byte
    }

    /// The code point of a byte.
    fn point(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            (self.byte, self.point) = (0, 0);
        }
        self.point += self.text.get(self.byte..byte).map_or(0, |t| t.chars().count());
        self.byte = byte;
        self.point
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
    /// It stands in a list of sources, apart from what it is a source of.
    pub listed: bool,
}

/// What a marker points at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CitationDetail {
    /// Distinct passages cited, as indices from 0.
    pub cited: Vec<usize>,
    /// Citations that lead nowhere, as written.
    pub dangling: Vec<String>,
    /// Whether one of the cited passages holds evidence; none when that could not be asked.
    pub evidence: Option<bool>,
    /// What could be measured of `precision` and `recall` (of the claims, 0 to 1) and `gold_precision` and `gold_recall` (of
    /// the evidence), in that order.
    pub metrics: Vec<(MetricName, f64)>,
}

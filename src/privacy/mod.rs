//! Personal data: finding it in texts, and taking it out of answers before anything is written.
//!
//! `[privacy] mask` of `ragline.toml` names kinds. An answer is checked as it came, and only then masked: what stands in
//! journals, saved and accepted answers, findings and reports is readable, with `‹phone›` where a number stood. Kinds with
//! a check digit are taken by it; the others by forms that are hard to mistake. See `docs/privacy.md` for what is and is
//! not found.

pub mod allow;
mod detect;
pub mod keys;
mod kind;
mod mask;
mod parts;
mod reply;
pub mod settings;
pub mod survey;

pub use kind::Kind;
pub use mask::{Masked, Masker, placeholder_at};

use std::collections::BTreeMap;
use std::ops::Range;

/// A piece of a text that is personal data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub kind: Kind,
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
}

/// All personal data of a text, in order. Where two kinds claim the same characters, the longer piece is right, and of
/// equally long ones that with a check digit: a card is not a phone.
pub fn find(text: &str) -> Vec<Found> {
    let mut found = detect::all(text);
    found.sort_by_key(|f| (std::cmp::Reverse(f.range.len()), f.kind, f.range.start));
    let mut taken = Taken::default();
    found.retain(|f| taken.take(&f.range));
    found.sort_by_key(|f| f.range.start);
    found
}

/// Ranges that do not overlap: their starts with their ends.
#[derive(Debug, Default)]
struct Taken(BTreeMap<usize, usize>);

impl Taken {
    /// Takes a range, unless some of it was taken before.
    fn take(&mut self, range: &Range<usize>) -> bool {
        let free = self.0.range(..range.end).next_back().is_none_or(|(_, end)| *end <= range.start);
        if free {
            self.0.insert(range.start, range.end);
        }
        free
    }
}

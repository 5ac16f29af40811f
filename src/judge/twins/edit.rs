//! One edit of a text.

use crate::text::norm::chars::{is_unspaced, is_word};
use crate::text::segment::words_of;
use std::collections::BTreeSet;
use std::ops::Range;

/// Words in the place of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are taken out; an empty range where something is put in.
    pub at: Range<usize>,
    /// What stands there instead.
    pub with: String,
}

impl Edit {
    /// The text with the edit; nothing where the range does not fit the text.
    pub fn apply(&self, text: &str) -> Option<String> {
        Some(format!("{}{}{}", text.get(..self.at.start)?, self.with, text.get(self.at.end..)?))
    }
}

/// Where words stand in a text, at word borders. Of scripts without blanks the borders are those of the dictionary.
pub(super) struct Borders<'t> {
    text: &'t str,
    cut: Option<BTreeSet<usize>>,
}

impl<'t> Borders<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let unspaced = text.chars().any(is_unspaced);
        let cut = unspaced.then(|| words_of(text).into_iter().flat_map(|r| [r.start, r.end]).collect());
        Borders { text, cut }
    }

    /// Every place of some words, case as written, from left to right.
    pub(super) fn places(&self, words: &str) -> Vec<Range<usize>> {
        if words.is_empty() {
            return Vec::new();
        }
        let all = self.text.match_indices(words).map(|(at, found)| at..at + found.len());
        all.filter(|r| self.stands_alone(r)).collect()
    }

    /// Every place of some words, whatever stands around them.
    pub(super) fn text_places(&self, words: &str) -> Vec<Range<usize>> {
        self.text.match_indices(words).map(|(at, found)| at..at + found.len()).collect()
    }

    /// The same where words are apart; every place where they are not, since a dictionary joins words in its own way.
    pub(super) fn loose_places(&self, words: &str) -> Vec<Range<usize>> {
        let unspaced = words.chars().any(is_unspaced);
        if unspaced { self.text_places(words) } else { self.places(words) }
    }

    /// Every place that ends at a word border, and begins at one where words are apart: a number may touch its unit.
    pub(super) fn ending_places(&self, words: &str) -> Vec<Range<usize>> {
        let unspaced = words.chars().any(is_unspaced);
        let all = if unspaced { self.text_places(words) } else { self.places(words) };
        all.into_iter().filter(|r| self.is_border(r.end)).collect()
    }

    /// Whether words stand there, case as written.
    pub(super) fn has(&self, words: &str) -> bool {
        !self.places(words).is_empty()
    }

    fn stands_alone(&self, r: &Range<usize>) -> bool {
        self.is_border(r.start) && self.is_border(r.end)
    }

    /// Whether no word goes on across this byte.
    fn is_border(&self, at: usize) -> bool {
        let (front, behind) = (self.text.get(..at), self.text.get(at..));
        let before = front.and_then(|t| t.chars().next_back());
        let after = behind.and_then(|t| t.chars().next());
        match (before, after) {
            (Some(b), Some(a)) if is_word(b) && is_word(a) => {
                (is_unspaced(b) || is_unspaced(a)) && self.cut.as_ref().is_some_and(|c| c.contains(&at))
            }
            _ => true,
        }
    }
}

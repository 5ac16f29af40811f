//! The main verb negated, or its negation taken away.

use super::edit::Borders;
use super::words::{Negation, Table};
use super::{Edit, Planted, Source};
use crate::text::norm::chars::{is_unspaced, is_word};
use crate::text::segment::sentences;
use std::ops::Range;

/// Flips the verb of the first sentence in which that makes a contradiction.
///
/// A sentence with `some` or `often` is left alone, since its negation may hold beside it; and so is a verb behind `which`,
/// since it is not what the sentence says.
pub fn flipped(source: &Source, table: &Table) -> Option<Planted> {
    let text = source.answer.as_str();
    let borders = Borders::of(text);
    let clauses = sentences(text, &source.lang).into_iter().flat_map(|r| clauses(text, r, table));
    clauses
        .into_iter()
        .find_map(|range| Sentence { text, borders: &borders, range, data: &table.negation }.flipped())
        .map(|edit| Planted::of(source, edit))
}

/// A clause has at least so many characters.
const CLAUSE: usize = 20;

/// The sentence itself; of a language without marks what stands between its blanks.
fn clauses(text: &str, sentence: Range<usize>, table: &Table) -> Vec<Range<usize>> {
    if table.marked {
        return vec![sentence];
    }
    let mut out = Vec::new();
    let mut start = sentence.start;
    for part in text.get(sentence).unwrap_or_default().split(' ') {
        if part.chars().count() >= CLAUSE {
            out.push(start..start + part.len());
        }
        start += part.len() + 1;
    }
    out
}

/// A sentence with what its language says of negation.
struct Sentence<'a> {
    text: &'a str,
    borders: &'a Borders<'a>,
    range: Range<usize>,
    data: &'a Negation,
}

impl Sentence<'_> {
    fn flipped(&self) -> Option<Edit> {
        let data = self.data;
        if data.stop.iter().any(|w| self.holds(w)) {
            return None;
        }
        let negators = self.negators();
        match negators.as_slice() {
            [] => {
                let hits = data.insert.iter().filter_map(|(from, to)| Some((self.verb(from)?, to)));
                let (at, with) = if data.by_place {
                    // Of two that begin at one place the longer.
                    hits.min_by_key(|(r, _)| (r.start, std::cmp::Reverse(r.end)))?
                } else {
                    hits.into_iter().next()?
                };
                Some(Edit { at, with: with.clone() })
            }
            [one] => {
                let hit = data.remove.iter().find_map(|(from, to)| {
                    let at = self.loose(from).into_iter().find(|r| r.start <= one.start && one.end <= r.end)?;
                    Some((at, to))
                });
                let (at, with) = hit?;
                self.is_free(&at).then(|| Edit { at, with: with.clone() })
            }
            _ => None,
        }
    }

    /// The first place of a verb that says what the sentence says.
    fn verb(&self, words: &str) -> Option<Range<usize>> {
        let described = |r: &Range<usize>| {
            self.data.before_relative.iter().any(|w| w == words) && {
                let clause = self.text.get(r.end..self.range.end).unwrap_or_default();
                let clause = clause.split(['，', ',', '。', '；']).next().unwrap_or_default();
                self.data.then.iter().any(|w| clause.contains(w.as_str()))
            }
        };
        self.within(words).into_iter().find(|r| self.is_free(r) && !described(r))
    }

    /// Whether a verb is the sentence's own, and not one word with its neighbours.
    fn is_free(&self, r: &Range<usize>) -> bool {
        let data = self.data;
        let front = self.text.get(self.range.start..r.start).unwrap_or_default();
        let behind = self.text.get(r.end..self.range.end).unwrap_or_default().trim_start();
        let relative = data.relative.iter().any(|w| {
            let places = self.loose(w).into_iter().chain(self.loose(&capital(w)));
            places.into_iter().any(|o| data.closed || o.end <= r.start)
        });
        // `[citation needed]` is no verb of the sentence.
        let noted = front.rfind('[').is_some_and(|i| !front.get(i..).is_some_and(|t| t.contains(']')));
        !relative
            && !noted
            && !data.not_behind.iter().any(|w| ends_with_word(front.trim_end(), w))
            && !data.not_before.iter().any(|w| behind.starts_with(w.as_str()))
    }

    /// Every negation of the sentence, those that touch as one.
    fn negators(&self) -> Vec<Range<usize>> {
        let all = self.data.negators.iter();
        let mut found: Vec<_> = all.flat_map(|w| [self.loose(w), self.loose(&capital(w))].concat()).collect();
        found.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
        found.dedup_by(|b, a| b.start < a.end);
        found
    }

    fn holds(&self, words: &str) -> bool {
        !self.loose(words).is_empty() || !self.loose(&capital(words)).is_empty()
    }

    fn within(&self, words: &str) -> Vec<Range<usize>> {
        self.borders.places(words).into_iter().filter(|r| self.has(r)).collect()
    }

    /// At word borders where words are apart, else anywhere: the dictionary may join a negation with its verb.
    fn loose(&self, words: &str) -> Vec<Range<usize>> {
        self.borders.loose_places(words).into_iter().filter(|r| self.has(r)).collect()
    }

    fn has(&self, r: &Range<usize>) -> bool {
        self.range.start <= r.start && r.end <= self.range.end
    }
}

/// With a large first letter, as at the beginning of a sentence.
fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Whether a text ends with a word, not with the end of a longer one where words are apart.
fn ends_with_word(text: &str, word: &str) -> bool {
    let rest = text.strip_suffix(word);
    rest.is_some_and(|r| r.chars().next_back().is_none_or(|c| !is_word(c) || is_unspaced(c)))
}

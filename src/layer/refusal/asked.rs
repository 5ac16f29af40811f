//! What is needed of the question, made when it is needed.

use super::units::{lowered, quoted};
use crate::suite::Question;
use crate::text::norm::{chars, matching, unmarked};
use crate::text::pack::Pack;
use crate::text::segment::words_of;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A question, as far as reading its answer asks for it.
pub(super) struct Asked<'q> {
    question: &'q Question,
    text: Option<String>,
    quotes: Option<Vec<String>>,
    numbers: Option<BTreeSet<String>>,
    words: Option<BTreeSet<String>>,
    contact: Option<bool>,
}

impl<'q> Asked<'q> {
    pub(super) fn new(question: &'q Question) -> Self {
        Asked { question, text: None, quotes: None, numbers: None, words: None, contact: None }
    }

    /// The question in the form in which patterns are tried.
    pub(super) fn text(&mut self) -> &str {
        self.text.get_or_insert_with(|| lowered(&self.question.text))
    }

    /// Its quoted pieces.
    pub(super) fn quotes(&mut self) -> &[String] {
        if self.quotes.is_none() {
            let text = self.text();
            let found = quoted(text).into_iter().filter_map(|r| text.get(r).map(str::to_owned)).collect();
            self.quotes = Some(found);
        }
        self.quotes.as_deref().unwrap_or_default()
    }

    /// Its numbers, as written in matching form.
    pub(super) fn has_number(&mut self, number: &str) -> bool {
        self.numbers.get_or_insert_with(|| numbers(&self.question.text).into_iter().collect()).contains(number)
    }

    /// Whether it asks how somebody can be reached.
    pub(super) fn wants_contact(&mut self, packs: &[&Pack]) -> bool {
        if self.contact.is_none() {
            let text = self.text();
            let asks = packs.iter().any(|p| p.refusal.asks_contact.as_ref().is_some_and(|e| e.is_match(text)));
            self.contact = Some(asks);
        }
        self.contact == Some(true)
    }

    /// Whether it holds a word. Marks of letters count, unless the answer was typed without any (`bare`).
    pub(super) fn has_word(&mut self, word: &str, bare: bool) -> bool {
        if self.words.is_none() {
            let text = self.text();
            let words = words_of(text).into_iter().filter_map(|r| text.get(r));
            let words = words.map(|w| if bare { unmarked(w) } else { w.to_owned() }).collect();
            self.words = Some(words);
        }
        self.words.as_ref().is_some_and(|w| w.contains(word))
    }
}

/// The numbers of a text as written in matching form.
pub(super) fn numbers(text: &str) -> Vec<String> {
    if !text.chars().any(|c| chars::digit(c).is_some()) {
        return Vec::new();
    }
    let text: Cow<'_, str> = matching(text).into();
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '/' | '-' | '%')))
        .filter(|t| t.contains(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

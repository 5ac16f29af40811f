//! Sentences and words (rules.md Z8).

use super::pack::Lang;
use std::ops::Range;

/// The sentences of a text, as byte ranges in order.
pub fn sentences(text: &str, _lang: &Lang) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|(_, c)| *c);
        let ends = match c {
            '.' | '!' | '?' | ';' => next.is_none_or(char::is_whitespace),
            '。' | '！' | '？' | '；' | '\n' => true,
            _ => false,
        };
        if ends || next.is_none() {
            found.push(start..at + c.len_utf8());
            start = at + c.len_utf8();
        }
    }
    found
}

/// The words of a text, as byte ranges in order, without blanks and punctuation. Thai and Chinese are cut by dictionary.
pub fn words(text: &str, _lang: &Lang) -> Vec<Range<usize>> {
    use icu_segmenter::{WordSegmenter, options::WordBreakInvariantOptions};
    let segmenter = WordSegmenter::new_auto(WordBreakInvariantOptions::default());
    let mut start = 0;
    let mut words = Vec::new();
    for (end, kind) in segmenter.segment_str(text).iter_with_word_type() {
        if kind.is_word_like() && end > start {
            words.push(start..end);
        }
        start = end;
    }
    words
}

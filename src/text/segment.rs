//! Sentences and words (rules.md Z8).

use super::pack::Lang;
use std::ops::Range;

/// The sentences of a text, as byte ranges in order.
pub fn sentences(text: &str, _lang: &Lang) -> Vec<Range<usize>> {
    vec![0..text.len()]
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

//! Sentences and words (rules.md Z8).

use super::pack::Lang;
use std::ops::Range;

/// The sentences of a text, as byte ranges in order.
pub fn sentences(text: &str, _lang: &Lang) -> Vec<Range<usize>> {
    vec![0..text.len()]
}

//! The sentence of an answer that comes nearest to a fact, for the message.

use crate::text::norm::{matching, visible};
use crate::text::pack::Lang;
use crate::text::segment::{sentences, words};
use std::collections::BTreeSet;

/// The sentence that shares most words with the wanted text; the first one when none shares any. None for an answer of one
/// sentence: every report shows the answer.
pub(super) fn sentence<'t>(text: &'t str, wanted: &str, lang: &Lang) -> Option<&'t str> {
    let tokens = |s: &str| -> BTreeSet<String> {
        let form = matching(s);
        words(&form, lang).into_iter().filter_map(|r| form.get(r).map(str::to_owned)).collect()
    };
    let wanted = tokens(wanted);
    let mut best: Option<(usize, &str)> = None;
    let all = sentences(text, lang);
    // What cannot be seen is shown in words here alone.
    if all.len() < 2 && visible(text) == text {
        return None;
    }
    for range in all {
        let Some(sentence) = text.get(range) else { continue };
        let shared = tokens(sentence).intersection(&wanted).count();
        if best.is_none_or(|(most, _)| shared > most) {
            best = Some((shared, sentence));
        }
    }
    best.map(|(_, sentence)| sentence)
}

/// A text of at most `most` code points; the end of a longer one is `…`.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text).trim_end()),
    }
}

//! The words that decide: an answer, with as many words around it as it takes to stand once in its paragraph.

use crate::text::pack::Lang;
use crate::text::{norm, segment};
use std::ops::Range;

/// The words of one piece of evidence.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The words; nothing when the answer does not stand in its paragraph.
    pub(super) text: Option<String>,
    /// Words around the answer were added.
    pub(super) widened: bool,
    /// The answer does not stand at its offset.
    pub(super) misplaced: bool,
}

/// The answer at an offset (in code points), widened until it stands once in the paragraph and `stands` agrees.
pub(super) fn deciding(
    context: &str,
    answer: &str,
    offset: Option<i64>,
    lang: &Lang,
    stands: impl Fn(&str) -> bool,
) -> Span {
    let given = offset.and_then(|at| usize::try_from(at).ok()).and_then(|at| byte_of(context, at));
    let at_offset = given.filter(|at| context.get(*at..).is_some_and(|rest| rest.starts_with(answer)));
    let nearest = || {
        let near = given.unwrap_or(0);
        context.match_indices(answer).map(|(at, _)| at).min_by_key(|at| at.abs_diff(near))
    };
    // -1 stands for an unknown offset.
    let misplaced = at_offset.is_none() && offset.is_some_and(|at| at >= 0);
    let Some(start) = at_offset.or_else(nearest) else {
        return Span { text: None, widened: false, misplaced: false };
    };
    let normal = norm::matching(context);
    let decides = |range: &Range<usize>| {
        context.get(range.clone()).is_some_and(|text| {
            let words = norm::matching(text);
            let words = words.trim();
            let once = !words.is_empty() && normal.find(words) == normal.rfind(words);
            once && stands(text)
        })
    };
    let mut range = start..start + answer.len();
    if decides(&range) {
        return Span { text: Some(answer.to_owned()), widened: false, misplaced };
    }
    let words = segment::words(context, lang);
    // First to the borders of the words that it cuts, then a word more on each side in turn.
    if let Some(word) = words.iter().find(|w| w.start < range.start && range.start < w.end) {
        range.start = word.start;
    }
    if let Some(word) = words.iter().find(|w| w.start < range.end && range.end < w.end) {
        range.end = word.end;
    }
    let mut left = true;
    while !decides(&range) {
        let before = words.iter().rev().find(|w| w.start < range.start);
        let after = words.iter().find(|w| w.end > range.end);
        match (before, after) {
            (Some(word), after) if left || after.is_none() => range.start = word.start,
            (_, Some(word)) => range.end = word.end,
            (_, None) => {
                // The whole paragraph, when nothing less decides.
                let text = context.trim();
                return Span { text: stands(text).then(|| text.to_owned()), widened: true, misplaced };
            }
        }
        left = !left;
    }
    Span { text: context.get(range).map(str::to_owned), widened: true, misplaced }
}

/// The byte of a code point.
fn byte_of(text: &str, point: usize) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(context: &str, answer: &str, offset: i64) -> Span {
        deciding(context, answer, Some(offset), &Lang::new("en").unwrap(), |s| context.contains(s))
    }

    fn found(text: &str, widened: bool, misplaced: bool) -> Span {
        Span { text: Some(text.to_owned()), widened, misplaced }
    }

    #[test]
    fn an_answer_is_widened_until_it_stands_once() {
        assert_eq!(span("Đi 7 ngày.", "7 ngày", 3), found("7 ngày", false, false));
        assert_eq!(span("They won 7 of 17 games.", "7", 9), found("won 7", true, false));
        assert_eq!(span("a b a c a", "a", 4), found("b a", true, false));
        assert_eq!(span("x a y x a z", "a", 8), found("x a z", true, false));
        assert_eq!(span("a a a", "a", 2), found("a a a", true, false));
    }

    #[test]
    fn wrong_offsets_are_mended() {
        assert_eq!(span("one two two-fold", "two", 5), found("one two", true, true));
        assert_eq!(span("one two", "two", 99), found("two", false, true));
        assert_eq!(span("one two", "two", -1), found("two", false, false));
        assert_eq!(span("one two", "three", 0), Span { text: None, widened: false, misplaced: false });
    }
}

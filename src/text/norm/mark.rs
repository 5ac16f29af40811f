//! Letters without their marks.

use unicode_normalization::UnicodeNormalization;

/// The marks of Latin, Greek and Cyrillic letters. The vowels and tones of Thai are no such marks: without them nothing of
/// a word is left.
fn is_letter_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}

/// A text in matching form without the marks of its letters: `röntgen` as `rontgen`, `đường` as `duong`.
///
/// ```
/// use ragline::text::norm::{matching, unmarked};
/// assert_eq!(unmarked(&matching("Đường Röntgen")), "duong rontgen");
/// assert_eq!(unmarked("ที่"), "ที่");
/// ```
pub fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    unmark(text, |_, c| out.push(c));
    out
}

/// The same; each character is given with the byte of the text that it stands for.
pub(super) fn unmark(text: &str, mut push: impl FnMut(usize, char)) {
    for (at, c) in text.char_indices() {
        match c {
            'đ' => push(at, 'd'),
            'ø' => push(at, 'o'),
            'ł' => push(at, 'l'),
            c if c.is_ascii() => push(at, c),
            c => {
                // Where nothing is left out the letter stays composed, so that only marks make a difference.
                let whole: Vec<char> = std::iter::once(c).nfd().collect();
                let mut kept = whole.iter().copied().filter(|c| !is_letter_mark(*c)).peekable();
                if kept.peek().is_none() || whole.iter().all(|c| !is_letter_mark(*c)) {
                    if !is_letter_mark(c) {
                        push(at, c);
                    }
                } else {
                    kept.for_each(|c| push(at, c));
                }
            }
        }
    }
}

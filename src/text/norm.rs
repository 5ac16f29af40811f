//! Normal forms.
//!
//! [`plain`] is for reading: composed characters, one kind of blank, quote and dash, nothing invisible; case and
//! punctuation stay. [`matching`] is for comparing: on top of that compatibility forms, full case folding, digits of all
//! scripts as `0-9`, and punctuation as blanks, save what carries the value of a number. [`find_phrase`] looks for one
//! matching form inside another, at word borders only, and never for a number inside a longer number.

pub mod chars;
mod fold;
mod mark;
mod phrase;
pub mod tone;

pub use chars::visible;
pub use mark::unmarked;
pub use phrase::{find_phrase, find_phrases, find_whole_numbers};
pub(crate) use phrase::{is_following_vowel, is_leading_vowel};

use crate::text::pack::{Contractions, Pack, Tone};
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The matching form of a text: composed and compatibility forms, full case folding, Thai and Lao vowels in one spelling,
/// blanks and punctuation to one space. Kept are `. , : / -` between digits, a sign before a digit, and `%` behind one.
/// A raised digit behind a digit stays as it is: `10²` is not `102`.
///
/// ```
/// use ragline::text::norm::matching;
/// assert_eq!(matching("  Order-4711\u{a0}is “PAID”: 1.500,5 kg, 5 %! "), "order 4711 is paid 1.500,5 kg 5%");
/// ```
pub fn matching(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    fold::run(text, &mut out, &mut ());
    out
}

/// The matching form as a language wants it: with its tone marks in one place, or its short forms written out, where its
/// pack says so.
pub fn matching_in(text: &str, pack: Option<&Pack>) -> String {
    let base = matching(text);
    let Some(pack) = pack else { return base };
    match pack.tone {
        Some(Tone::Vi) => match tone::fold(&base) {
            Cow::Borrowed(_) => base,
            Cow::Owned(folded) => folded,
        },
        None if pack.claims.contractions.is_empty() => base,
        None => {
            let mut out = String::with_capacity(base.len());
            written_out(&base, &pack.claims.contractions, |_, piece| out.push_str(piece));
            out
        }
    }
}

/// Whether [`matching_in`] may differ from [`matching`] in a language.
pub fn has_form_of_its_own(pack: &Pack) -> bool {
    pack.tone.is_some() || !pack.claims.contractions.is_empty()
}

/// Gives the pieces of a text with its short forms written out, each with the bytes that it stands for.
fn written_out(base: &str, contractions: &Contractions, mut push: impl FnMut(Range<usize>, &str)) {
    let mut from = 0;
    for (place, long) in contractions.places(base) {
        push(from..place.start, base.get(from..place.start).unwrap_or_default());
        push(place.clone(), long);
        from = place.end;
    }
    push(from..base.len(), base.get(from..).unwrap_or_default());
}

/// A matching form that knows where each of its pieces stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// The matching form.
    pub text: String,
    /// For each byte of `text`: the code points `start..end` of the original that it stands for.
    pub offsets: Vec<(u32, u32)>,
}

impl Mapped {
    /// The code points of the original for a byte range of the matching form.
    pub fn original(&self, range: Range<usize>) -> Range<usize> {
        let start = self.offsets.get(range.start).or(self.offsets.last()).map_or(0, |o| o.0);
        let end = range.end.checked_sub(1).and_then(|e| self.offsets.get(e)).map_or(start, |o| o.1);
        start as usize..end.max(start) as usize
    }
}

/// A mapped form without the marks of its letters.
pub fn unmarked_mapped(base: &Mapped) -> Mapped {
    let mut out = Mapped { text: String::with_capacity(base.text.len()), offsets: Vec::new() };
    mark::unmark(&base.text, |at, c| {
        out.text.push(c);
        let origin = base.offsets.get(at).copied().unwrap_or_default();
        out.offsets.extend(std::iter::repeat_n(origin, c.len_utf8()));
    });
    out
}

/// [`matching`] with a map back to the code points of the original.
pub fn matching_mapped(text: &str) -> Mapped {
    let mut out = String::with_capacity(text.len());
    let mut offsets = Vec::with_capacity(text.len());
    fold::run(text, &mut out, &mut offsets);
    Mapped { text: out, offsets }
}

/// [`matching_in`] with a map back to the code points of the original.
pub fn matching_mapped_in(text: &str, pack: Option<&Pack>) -> Mapped {
    let base = matching_mapped(text);
    let Some(pack) = pack else { return base };
    let origin = |at: usize| base.offsets.get(at).copied().unwrap_or_default();
    match pack.tone {
        Some(Tone::Vi) => {
            let mut out = Mapped { text: String::with_capacity(base.text.len()), offsets: Vec::new() };
            tone::fold_with(&base.text, |at, c| {
                out.text.push(c);
                out.offsets.extend(std::iter::repeat_n(origin(at), c.len_utf8()));
            });
            out
        }
        None if pack.claims.contractions.is_empty() => base,
        None => {
            let mut out = Mapped { text: String::with_capacity(base.text.len()), offsets: Vec::new() };
            written_out(&base.text, &pack.claims.contractions, |place, piece| {
                out.text.push_str(piece);
                if piece.len() == place.len() && base.text.get(place.clone()) == Some(piece) {
                    out.offsets.extend(base.offsets.get(place).unwrap_or_default());
                } else {
                    let (start, end) = (origin(place.start).0, origin(place.end.saturating_sub(1)).1);
                    out.offsets.extend(std::iter::repeat_n((start, end), piece.len()));
                }
            });
            out
        }
    }
}

/// A text without some ranges of it, in order and apart.
pub fn without(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for range in ranges {
        out.push_str(text.get(from..range.start).unwrap_or_default());
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// What stands in parentheses, with them: the outermost ones, in bytes. One that is left open ends with the text.
pub fn parenthesised(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '（' => {
                if depth == 0 {
                    start = i;
                }
                depth += 1;
            }
            ')' | '）' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    out.push(start..i + c.len_utf8());
                }
            }
            _ => {}
        }
    }
    if depth > 0 {
        out.push(start..text.len());
    }
    out
}

/// Text in composed form, without a copy where it is composed already.
pub fn composed(text: &str) -> Cow<'_, str> {
    // Latin without combining marks, Vietnamese letters and the common Chinese characters are composed as they stand.
    let plain = |c: char| matches!(c, '\0'..='\u{02ff}' | '\u{1e00}'..='\u{1eff}' | '\u{4e00}'..='\u{9fff}');
    if text.is_ascii() || text.chars().all(plain) || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// The reading form of a text: composed characters, nothing invisible, straight quotes, `-` for every dash, and one space
/// for each run of blanks, or one line feed where the run holds a line end. Case and punctuation stay.
///
/// ```
/// use ragline::text::norm::plain;
/// assert_eq!(plain("I can\u{2019}t\u{a0}say \u{2013} so\u{200b}rry"), "I can't say - sorry");
/// ```
pub fn plain(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let neat_ascii = text.is_ascii()
        && bytes.iter().zip(bytes.iter().skip(1).chain(b"x")).all(|(a, b)| {
            let two_blanks = matches!(a, b' ' | b'\n') && matches!(b, b' ' | b'\n');
            !two_blanks && (*a >= b' ' || *a == b'\n')
        });
    if neat_ascii {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut blank: Option<char> = None;
    let mut push = |c: char| {
        if c.is_ascii_graphic() || chars::is_composed_letter(c) {
            out.extend(blank.take());
            out.push(c);
            return;
        }
        if chars::is_blank(c) {
            let line = matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}') || blank == Some('\n');
            blank = Some(if line { '\n' } else { ' ' });
            return;
        }
        if chars::is_invisible(c) {
            return;
        }
        out.extend(blank.take());
        out.push(if chars::is_dash(c) { '-' } else { chars::straight_quote(c).unwrap_or(c) });
    };
    // Invisible characters go first: one between a letter and its mark keeps them from being composed.
    if chars::is_surely_composed(text) {
        text.chars().for_each(&mut push);
    } else {
        text.chars().filter(|c| !chars::is_invisible(*c)).nfc().for_each(&mut push);
    }
    out.extend(blank);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_keeps_lines_and_case() {
        assert_eq!(plain("A\u{a0} b\r\n\r\n  c\t"), "A b\nc ");
        assert_eq!(plain("ngu\u{31b}\u{301}i"), "ngứi");
        assert!(matches!(plain("As it is.\nYes"), Cow::Borrowed(_)));
        assert_eq!(plain("two  blanks"), "two blanks");
    }
}

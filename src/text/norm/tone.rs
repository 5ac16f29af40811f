//! The place of the tone mark in a Vietnamese syllable.
//!
//! `hoà` and `hòa` are two accepted spellings of one word, and no Unicode form makes them equal. So the mark is taken out
//! of its vowel and set behind the syllable: both become `hoa` + grave. `hoa`, without a mark, stays another word.

use super::chars::is_word;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Composed vowel → (vowel without the tone, tone), by code point from `à` on.
fn table() -> &'static [Option<(char, char)>] {
    static TABLE: OnceLock<Vec<Option<(char, char)>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let tones = ['\u{300}', '\u{301}', '\u{303}', '\u{309}', '\u{323}'];
        let mut table = vec![None; LAST + 1 - FIRST];
        for vowel in "aăâeêioôơuưy".chars() {
            for tone in tones {
                let made = unicode_normalization::char::compose(vowel, tone).map(|c| c as usize);
                if let Some(row) = made.and_then(|c| table.get_mut(c.checked_sub(FIRST)?)) {
                    *row = Some((vowel, tone));
                }
            }
        }
        table
    })
}

const FIRST: usize = 'à' as usize;
const LAST: usize = 'ỹ' as usize;

/// Sets the tone mark of every syllable behind it. The text is in composed form and lower case.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    fold_with(text, |_, c| out.push(c));
    Cow::Owned(out)
}

/// The same, telling for each character the byte of `text` that it comes from.
pub fn fold_with(text: &str, mut push: impl FnMut(usize, char)) {
    let table = table();
    // The tone that waits for the end of its syllable, and the place of its vowel.
    let mut tone = None;
    for (i, c) in text.char_indices() {
        if let Some((at, t)) = tone
            && !is_word(c)
        {
            push(at, t);
            tone = None;
        }
        let toned = (c as usize).checked_sub(FIRST).and_then(|i| table.get(i).copied().flatten());
        match toned {
            Some((vowel, t)) if tone.is_none() => {
                push(i, vowel);
                tone = Some((i, t));
            }
            _ => push(i, c),
        }
    }
    if let Some((at, t)) = tone {
        push(at, t);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_placements_are_one_word() {
        for (old, new) in [
            ("hòa", "hoà"),
            ("thủy", "thuỷ"),
            ("khỏe", "khoẻ"),
            ("qúy", "quý"),
            ("hóa", "hoá"),
            ("lụy", "luỵ"),
            ("tòe", "toè"),
        ] {
            assert_eq!(fold(old), fold(new));
        }
        assert_ne!(fold("hòa"), fold("hoa"));
        assert_ne!(fold("hòa"), fold("hóa"));
        assert_ne!(fold("báo"), fold("bao"));
        assert_eq!(fold("hòa bình"), "hoa\u{300} binh\u{300}");
    }
}

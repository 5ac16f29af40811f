//! The pieces of texts by which a question and a passage are compared: words, syllables, characters in a row.

use crate::text::number::digit;
use crate::text::pack::Lang;
use unicode_normalization::char::decompose_canonical;

/// How a text is cut into pieces without a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::layer) enum Cut {
    /// Words, cut to five letters.
    Words,
    /// Syllables and pairs of them.
    Pairs,
    /// This many characters in a row.
    Characters(usize),
}

impl Cut {
    /// The cut of a script without marks between sentences.
    pub(in crate::layer) const UNMARKED: Cut = Cut::Characters(3);

    /// The cut of a language.
    pub(in crate::layer) fn of(lang: &Lang) -> Self {
        match lang.as_str() {
            "vi" => Cut::Pairs,
            "th" => Cut::UNMARKED,
            "zh" | "ja" => Cut::Characters(2),
            _ => Cut::Words,
        }
    }
}

fn mix(hash: u64, c: char) -> u64 {
    (hash ^ u64::from(u32::from(c))).wrapping_mul(0x100_0000_01b3)
}

/// A hash of half the length: a passage has hundreds of pieces, a question some dozens, and they are kept.
fn short(hash: u64) -> u32 {
    let [_, _, _, _, low @ ..] = (hash ^ hash >> 32).to_be_bytes();
    u32::from_be_bytes(low)
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

/// The pieces of a text, as hashes. Digits are no words.
pub(in crate::layer) fn pieces(text: &str, cut: Cut, mut each: impl FnMut(u32)) {
    match cut {
        Cut::Words | Cut::Pairs => {
            let most = if cut == Cut::Words { 5 } else { usize::MAX };
            let mut last: Option<u64> = None;
            let (mut hash, mut len, mut number) = (SEED, 0usize, false);
            let mut close = |hash: u64, len: usize, number: bool| {
                if len == 0 {
                    return;
                }
                if number {
                    last = None;
                    return;
                }
                each(short(hash));
                if cut == Cut::Pairs
                    && let Some(before) = last
                {
                    each(short(before.rotate_left(17) ^ hash));
                }
                last = Some(hash);
            };
            for c in text.chars() {
                let word =
                    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() || is_combining(c) };
                if !word {
                    close(hash, len, number);
                    (hash, len, number) = (SEED, 0, false);
                    continue;
                }
                if len == 0 {
                    number = c.is_numeric();
                }
                // A letter and its marks are one, composed or not.
                let apart = is_combining(c);
                if len < most || (apart && len == most) {
                    if c.is_ascii() {
                        hash = mix(hash, c.to_ascii_lowercase());
                    } else {
                        c.to_lowercase().for_each(|c| decompose_canonical(c, |c| hash = mix(hash, c)));
                    }
                }
                len += usize::from(!apart);
            }
            close(hash, len, number);
        }
        Cut::Characters(n) => {
            let mut run: Vec<char> = Vec::with_capacity(n);
            for c in text.chars().filter(|c| !is_combining(*c)) {
                if c.is_whitespace() || digit(c).is_some() || !(c.is_alphanumeric() || c > '\u{e30}') || is_mark(c) {
                    run.clear();
                    continue;
                }
                if run.len() == n {
                    run.remove(0);
                }
                run.push(if c.is_ascii() { c.to_ascii_lowercase() } else { base(c).to_ascii_lowercase() });
                if run.len() == n {
                    each(short(run.iter().copied().fold(SEED, mix)));
                }
            }
        }
    }
}

/// A mark or letter that may be composed with the one before it: accents, voiced kana, vowels and ends of Hangul.
pub(in crate::layer) fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}' | '\u{1161}'..='\u{11ff}')
}

/// A letter without what may be composed with it.
fn base(c: char) -> char {
    let mut first = None;
    decompose_canonical(c, |d| first = first.or(Some(d)));
    first.unwrap_or(c)
}

/// Punctuation of the scripts that are written without blanks.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{3004}' | '\u{3008}'..='\u{301f}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}')
}

//! How words begin: asked for nearly every word of a text before it is looked up.

use super::NumberPack;
use unicode_normalization::char::decompose_canonical;

/// What stands for all bytes that are no ASCII letter.
const OTHER: u16 = 26;

/// An ASCII letter from 0, in either case.
fn code(byte: u8) -> u16 {
    match byte.to_ascii_lowercase().wrapping_sub(b'a') {
        letter @ 0..26 => u16::from(letter),
        _ => OTHER,
    }
}

impl NumberPack {
    /// Marks the first three letters of a word. A letter with a mark is met composed, as no ASCII letter, or decomposed.
    fn begin(&mut self, word: &str) {
        let mut codes: Vec<Vec<u16>> = Vec::new();
        for c in word.chars().take(3) {
            let mut base = c;
            let mut first = true;
            decompose_canonical(c, |d| {
                if std::mem::take(&mut first) {
                    base = d;
                }
            });
            let low = u8::try_from(base).ok().map_or(OTHER, code);
            codes.push(if c.is_ascii() { vec![low] } else { vec![OTHER, low] });
            // What follows a letter with a mark depends on how it is written.
            if !c.is_ascii() {
                codes.resize(3, (0..=OTHER).collect());
                break;
            }
        }
        codes.resize(3, vec![OTHER]);
        // Behind a word of one letter anything may stand.
        if word.chars().count() == 1
            && let Some(third) = codes.get_mut(2)
        {
            *third = (0..=OTHER).collect();
        }
        let [first, second, third] = codes.as_slice() else { return };
        for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
            for c in third {
                let place = usize::from(a << 10 | b << 5 | c);
                if let Some(word) = self.beginnings.get_mut(place / 64) {
                    *word |= 1 << (place % 64);
                }
            }
        }
    }

    /// Whether a word may begin with these bytes.
    pub(crate) fn may_begin(&self, a: u8, b: u8, c: u8) -> bool {
        let place = usize::from(code(a) << 10 | code(b) << 5 | code(c));
        self.beginnings.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Marks the first byte of a word, composed and decomposed, lower and upper case.
    pub(super) fn first_byte(&mut self, word: &str) {
        let Some(first) = word.chars().next() else { return };
        self.begin(word);
        let mut forms: Vec<char> = first.to_lowercase().chain(first.to_uppercase()).collect();
        for c in forms.clone() {
            let mut head = None;
            decompose_canonical(c, |d| head = head.or(Some(d)));
            forms.extend(head);
        }
        for c in forms {
            let mut bytes = [0u8; 4];
            let lead = c.encode_utf8(&mut bytes).as_bytes().first().copied();
            if let Some(mark) = lead.and_then(|b| self.lead_bytes.get_mut(usize::from(b))) {
                *mark = true;
            }
        }
    }
}

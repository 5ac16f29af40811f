//! How the words begin that begin a number: asked at nearly every letter of a text, before any word is looked up.

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

/// The last seven bits of the character that begins at a byte.
fn low(bytes: &[u8], at: usize) -> u16 {
    let byte = |i: usize| bytes.get(at + i).copied().unwrap_or(b' ');
    let two = |a: u8, b: u8| u16::from(a & 1) << 6 | u16::from(b & 63);
    match byte(0) {
        one @ 0..0x80 => u16::from(one),
        0x80..0xE0 => two(byte(0), byte(1)),
        0xE0..0xF0 => two(byte(1), byte(2)),
        0xF0.. => two(byte(2), byte(3)),
    }
}

/// Whether a character of a script without case and composed letters begins with these bytes: Thai, Han.
fn is_plain(a: u8, b: u8) -> bool {
    (a == 0xE0 && b >> 2 == 0xB8 >> 2) || matches!(a, 0xE4..=0xE9)
}

/// How a set of words begins.
#[derive(Debug)]
pub(crate) struct Beginnings {
    /// The first bytes, in either case.
    first: Box<[bool; 256]>,
    /// A bit for each three letters, of words that begin with an ASCII letter, see [`code`].
    letters: Box<[u64; 512]>,
    /// A bit for the last seven bits of the first and of the second character, of words in Thai or Han characters.
    plain: Box<[u64; 256]>,
}

impl Default for Beginnings {
    fn default() -> Self {
        Beginnings { first: Box::new([false; 256]), letters: Box::new([0; 512]), plain: Box::new([0; 256]) }
    }
}

impl Beginnings {
    pub(super) fn add(&mut self, word: &str) {
        let Some(first) = word.chars().next() else { return };
        self.add_letters(word);
        self.add_plain(word);
        let mut forms: Vec<char> = first.to_lowercase().chain(first.to_uppercase()).collect();
        for c in forms.clone() {
            let mut head = None;
            decompose_canonical(c, |d| head = head.or(Some(d)));
            forms.extend(head);
        }
        for c in forms {
            let mut bytes = [0u8; 4];
            let lead = c.encode_utf8(&mut bytes).as_bytes().first().copied();
            if let Some(mark) = lead.and_then(|b| self.first.get_mut(usize::from(b))) {
                *mark = true;
            }
        }
    }

    /// Marks the first three letters of a word. A letter with a mark is met composed, as no ASCII letter, or decomposed.
    fn add_letters(&mut self, word: &str) {
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
                if let Some(word) = self.letters.get_mut(place / 64) {
                    *word |= 1 << (place % 64);
                }
            }
        }
    }

    /// Marks the first two characters of a word in a plain script.
    fn add_plain(&mut self, word: &str) {
        let bytes = word.as_bytes();
        let [a, b, _, ..] = bytes else { return };
        if !is_plain(*a, *b) {
            return;
        }
        let second = if bytes.len() > 3 { vec![low(bytes, 3)] } else { (0..128).collect() };
        for second in second {
            let place = usize::from(low(bytes, 0) << 7 | second);
            if let Some(word) = self.plain.get_mut(place / 64) {
                *word |= 1 << (place % 64);
            }
        }
    }

    /// Whether a word may begin with a byte.
    #[inline]
    pub(crate) fn first(&self, byte: u8) -> bool {
        self.first.get(usize::from(byte)).copied().unwrap_or(false)
    }

    /// Whether a word may begin at a byte of a text with which one may begin.
    #[inline]
    pub(crate) fn may(&self, bytes: &[u8], at: usize) -> bool {
        let byte = |i: usize| bytes.get(at + i).copied().unwrap_or(b' ');
        let (a, b) = (byte(0), byte(1));
        let (set, place): (&[u64], u16) = if a.is_ascii_alphabetic() {
            (self.letters.as_slice(), code(a) << 10 | code(b) << 5 | code(byte(2)))
        } else if is_plain(a, b) {
            (self.plain.as_slice(), low(bytes, at) << 7 | low(bytes, at + 3))
        } else {
            return true;
        };
        set.get(usize::from(place / 64)).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_may_begin_where_it_stands_and_most_others_may_not() {
        let words = ["สาม", "ยี่สิบ", "半", "hai", "bốn", "nửa", "öt"];
        let mut set = Beginnings::default();
        words.iter().for_each(|w| set.add(w));
        for text in ["สามวัน", "ยี่สิบ", "半天", "Hai", "bo\u{302}\u{301}n", "nửa", "Öt"] {
            assert!(set.first(text.as_bytes()[0]) && set.may(text.as_bytes(), 0), "{text}");
        }
        for text in ["สินค้า", "ยอด", "没", "hoa", "no", "7"] {
            assert!(!(set.first(text.as_bytes()[0]) && set.may(text.as_bytes(), 0)), "{text}");
        }
    }
}

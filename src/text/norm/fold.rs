//! The one pass that makes the matching form.
//!
//! Most text is ASCII, and most of the rest is letters that are already in composed and compatibility form. Both are
//! copied; only what is neither goes through the Unicode tables.

use super::chars::{
    digit, is_blank, is_composed_letter, is_dash, is_invisible, is_mark, is_punctuation, is_raised_digit, lower,
};
use unicode_normalization::UnicodeNormalization;

/// Where the offsets go, if anybody wants them.
pub(super) trait Offsets {
    /// Whether code points are counted at all.
    const WANTED: bool;
    /// `bytes` more bytes of output stand for the code points `start..end`.
    fn add(&mut self, bytes: usize, start: usize, end: usize);
    /// The output was cut back to this length; where the cut piece began.
    fn cut(&mut self, len: usize) -> usize;
}

impl Offsets for () {
    const WANTED: bool = false;
    fn add(&mut self, _: usize, _: usize, _: usize) {}
    fn cut(&mut self, _: usize) -> usize {
        0
    }
}

impl Offsets for Vec<(u32, u32)> {
    const WANTED: bool = true;
    fn add(&mut self, bytes: usize, start: usize, end: usize) {
        let fit = |n| u32::try_from(n).unwrap_or(u32::MAX);
        self.extend(std::iter::repeat_n((fit(start), fit(end)), bytes));
    }
    fn cut(&mut self, len: usize) -> usize {
        let start = self.get(len).map_or(0, |o| o.0 as usize);
        self.truncate(len);
        start
    }
}

/// What an ASCII character does.
#[derive(Clone, Copy, PartialEq)]
enum Ascii {
    Word,
    Digit,
    Blank,
    /// `. , : /`: kept between digits.
    Inner,
    Dash,
    Percent,
    Kept,
}

const KIND: [Ascii; 128] = {
    let mut kind = [Ascii::Blank; 128];
    let mut b = 0;
    while b < 128 {
        kind[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Ascii::Word,
            b'0'..=b'9' => Ascii::Digit,
            b'.' | b',' | b':' | b'/' => Ascii::Inner,
            b'-' => Ascii::Dash,
            b'%' => Ascii::Percent,
            b'$' | b'+' | b'<' | b'=' | b'>' => Ascii::Kept,
            _ => Ascii::Blank,
        };
        b += 1;
    }
    kind
};

struct State<'a, O> {
    out: &'a mut String,
    offsets: &'a mut O,
    /// A blank is due before the next character.
    blank: bool,
    /// The last character of the output, if nothing was left out behind it.
    last: Option<char>,
    /// A character between digits, kept if a digit follows at once.
    inner: Option<(char, usize)>,
    /// A sign, kept if a digit follows at once.
    sign: Option<usize>,
}

impl<O: Offsets> State<'_, O> {
    fn put(&mut self, c: char, start: usize, end: usize) {
        self.out.push(c);
        if O::WANTED {
            self.offsets.add(c.len_utf8(), start, end);
        }
    }

    /// Ends whatever waits for a digit, and writes the blank that is due.
    fn settle(&mut self, digit_follows: bool, at: usize) {
        if let Some((c, from)) = self.inner.take() {
            if digit_follows {
                self.put(c, from, from + 1);
            } else {
                self.blank = true;
            }
        }
        let sign = self.sign.take();
        if self.blank {
            self.blank = false;
            if !self.out.is_empty() && !self.out.ends_with(' ') {
                let at = sign.unwrap_or(at);
                self.put(' ', at.saturating_sub(1), at);
            }
        }
        if let Some(from) = sign
            && digit_follows
        {
            self.put('-', from, from + 1);
        }
    }

    fn word(&mut self, c: char, start: usize, end: usize) {
        self.settle(false, start);
        self.put(c, start, end);
        self.last = Some(c);
    }

    fn number(&mut self, c: char, start: usize, end: usize) {
        self.settle(true, start);
        self.put(c, start, end);
        self.last = Some(c);
    }

    fn gap(&mut self) {
        self.inner = None;
        self.sign = None;
        self.blank = true;
        self.last = None;
    }

    fn after_digit(&self) -> bool {
        self.last.is_some_and(|c| c.is_ascii_digit())
    }

    fn inner(&mut self, c: char, at: usize) {
        if self.after_digit() && self.inner.is_none() {
            self.inner = Some((c, at));
        } else {
            self.gap();
        }
    }

    fn dash(&mut self, at: usize) {
        let after_gap = self.last.is_none();
        self.inner('-', at);
        if after_gap {
            self.sign = Some(at);
        }
    }

    fn percent(&mut self, at: usize) {
        let number = self.inner.is_none() && self.sign.is_none() && self.out.ends_with(|c: char| c.is_ascii_digit());
        if number {
            self.blank = false;
            self.put('%', at, at + 1);
            self.last = Some('%');
        } else {
            self.gap();
        }
    }
}

/// Appends the matching form of `text` to `out`.
pub(super) fn run<O: Offsets>(text: &str, out: &mut String, offsets: &mut O) {
    let mut s = State { out, offsets, blank: false, last: None, inner: None, sign: None };
    let mut rest = text;
    // Code points read so far; only counted when offsets are wanted.
    let mut at = 0;
    while let Some(&b) = rest.as_bytes().first() {
        let kind = KIND.get(b as usize).copied();
        match kind {
            Some(Ascii::Word) => {
                let run = phrase(rest.as_bytes());
                let Some((letters, tail)) = rest.split_at_checked(run) else { break };
                s.settle(false, at);
                let from = s.out.len();
                s.out.push_str(letters);
                if let Some(new) = s.out.get_mut(from..) {
                    new.make_ascii_lowercase();
                }
                if O::WANTED {
                    for i in at..at + run {
                        s.offsets.add(1, i, i + 1);
                    }
                    at += run;
                }
                s.last = s.out.as_bytes().last().map(|b| *b as char);
                rest = tail;
                continue;
            }
            Some(Ascii::Digit) => s.number(b as char, at, at + 1),
            Some(Ascii::Blank) => s.gap(),
            Some(Ascii::Inner) => s.inner(b as char, at),
            Some(Ascii::Dash) => s.dash(at),
            Some(Ascii::Percent) => s.percent(at),
            Some(Ascii::Kept) => s.word(b as char, at, at + 1),
            None => {
                let (bytes, points) = other(&mut s, rest, at);
                rest = rest.get(bytes..).unwrap_or_default();
                at += points;
                continue;
            }
        }
        rest = rest.get(1..).unwrap_or_default();
        at += 1;
    }
}

/// The length of the words in front that single spaces part: the same in matching form, but for case.
fn phrase(bytes: &[u8]) -> usize {
    let letter = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_alphabetic);
    let mut i = 0;
    loop {
        while letter(i) {
            i += 1;
        }
        if bytes.get(i) != Some(&b' ') || !letter(i + 1) {
            return i;
        }
        i += 1;
    }
}

/// Takes what begins with a character that is not ASCII; how many bytes and code points it was.
fn other<O: Offsets>(s: &mut State<'_, O>, rest: &str, at: usize) -> (usize, usize) {
    let mut chars = rest.chars();
    let Some(c) = chars.next() else { return (rest.len(), 0) };
    let one = (c.len_utf8(), 1);
    // A mark that follows may be composed with this one.
    let alone = |c: Option<char>| c.is_none_or(|n| (n as u32) < 0x300 || is_composed_letter(n) || is_punctuation(n));
    match c as u32 {
        0xE01..=0xECD if !is_punctuation(c) => return thai(s, c, chars.as_str(), at),
        _ if is_composed_letter(c) && alone(chars.as_str().chars().next()) => {
            letter(s, c, at, at + 1);
            return one;
        }
        _ => {}
    }
    if is_invisible(c) {
        return one;
    }
    if let Some(d) = digit(c) {
        s.number((b'0' + d) as char, at, at + 1);
        return one;
    }
    if is_blank(c) {
        s.gap();
        return one;
    }
    if is_dash(c) {
        s.dash(at);
        return one;
    }
    if is_raised_digit(c) && s.after_digit() {
        s.word(c, at, at + 1);
        return one;
    }
    match c {
        '\u{FF05}' | '\u{66A}' | '\u{FE6A}' => s.percent(at),
        '\u{FF0C}' => s.inner(',', at),
        '\u{66C}' => s.inner(',', at),
        '\u{FF0E}' | '\u{66B}' => s.inner('.', at),
        '\u{FF1A}' => s.inner(':', at),
        '\u{FF0F}' | '\u{2044}' => s.inner('/', at),
        _ if is_punctuation(c) => s.gap(),
        _ => return composed(s, rest, at),
    }
    one
}

/// A letter in lower case; full folding where that differs.
fn letter<O: Offsets>(s: &mut State<'_, O>, c: char, start: usize, end: usize) {
    match c {
        'ß' | 'ẞ' => {
            s.word('s', start, end);
            s.word('s', start, end);
        }
        'ς' => s.word('σ', start, end),
        _ => match lower(c) {
            Some(l) => s.word(l, start, end),
            None => c.to_lowercase().for_each(|l| s.word(l, start, end)),
        },
    }
}

/// Thai and Lao. Sara am is one character whichever way it was typed, a tone stands behind a vowel above or below, and two
/// SARA E are one SARA AE. Lao has the same letters 0x80 further on.
fn thai<O: Offsets>(s: &mut State<'_, O>, c: char, tail: &str, at: usize) -> (usize, usize) {
    let block = if c as u32 >= 0xE80 { 0x80 } else { 0 };
    let here = |c: char| (c as u32).wrapping_sub(block);
    let made = |code: u32| char::from_u32(code + block).unwrap_or(c);
    let is_tone = |c: char| matches!(here(c), 0xE48..=0xE4B);
    let is_vowel_mark = |c: char| matches!(here(c), 0xE31 | 0xE34..=0xE39 | 0xE47);
    if let Some(d) = digit(c) {
        s.number((b'0' + d) as char, at, at + 1);
        return (c.len_utf8(), 1);
    }
    // Consonants join nothing; nor does a mark or SARA E in front of one.
    let sara_e = here(c) == 0xE40;
    let consonant_follows =
        || tail.chars().next().is_some_and(|n| is_composed_letter(n) && !matches!(here(n), 0xE32 | 0xE40));
    if (is_composed_letter(c) && !sara_e) || consonant_follows() {
        s.word(c, at, at + 1);
        return (c.len_utf8(), 1);
    }
    let mut seen = tail.chars().enumerate().filter(|(_, c)| !is_invisible(*c));
    let (second, third) = (seen.next(), seen.next());
    // How much of the text the first `n` characters behind `c` take, invisible ones between them included.
    let size = |upto: Option<(usize, char)>| {
        let points = upto.map_or(0, |(i, _)| i + 1);
        (c.len_utf8() + tail.chars().take(points).map(char::len_utf8).sum::<usize>(), 1 + points)
    };
    let (chars, upto) = match (here(c), second, third) {
        (0xE40, Some((_, e)), _) if here(e) == 0xE40 => ([Some(made(0xE41)), None], second),
        (0xE4D, Some((_, a)), _) if here(a) == 0xE32 => ([Some(made(0xE33)), None], second),
        (0xE4D, Some((_, t)), Some((_, a))) if is_tone(t) && here(a) == 0xE32 => ([Some(t), Some(made(0xE33))], third),
        (_, Some((_, n)), Some((_, a))) if is_tone(c) && here(n) == 0xE4D && here(a) == 0xE32 => {
            ([Some(c), Some(made(0xE33))], third)
        }
        (_, Some((_, v)), _) if is_tone(c) && is_vowel_mark(v) => ([Some(v), Some(c)], second),
        _ => ([Some(c), None], None),
    };
    let (bytes, points) = size(upto);
    for c in chars.into_iter().flatten() {
        s.word(c, at, at + points);
    }
    (bytes, points)
}

/// Anything else: the character with the marks behind it, through the Unicode tables. A mark that stands first is
/// composed with what was written last.
fn composed<O: Offsets>(s: &mut State<'_, O>, rest: &str, at: usize) -> (usize, usize) {
    let mut cluster = String::new();
    let mut start = at;
    let mut took_last = false;
    let mut bytes = 0;
    let mut points = 0;
    for c in rest.chars() {
        let joins =
            points == 0 || is_mark(c) || is_invisible(c) || matches!(c as u32, 0x1160..=0x11FF | 0x3099..=0x309A);
        // Longer than any word's marks: cut, so that a wall of marks costs no more than its length.
        if !joins || points >= 64 {
            break;
        }
        if points == 0
            && is_mark(c)
            && s.inner.is_none()
            && s.sign.is_none()
            && let Some(last) = s.last.filter(|l| s.out.ends_with(*l))
        {
            let len = s.out.len() - last.len_utf8();
            s.out.truncate(len);
            if O::WANTED {
                start = s.offsets.cut(len);
            }
            cluster.push(last);
            took_last = true;
        }
        if !is_invisible(c) {
            cluster.push(c);
        }
        bytes += c.len_utf8();
        points += 1;
    }
    let end = at + points;
    // `1½` is one and a half, not eleven halves.
    if !took_last && s.after_digit() && cluster.nfkc().next().is_some_and(|c| c.is_ascii_digit()) {
        s.gap();
    }
    for c in cluster.nfkc() {
        // Compatibility forms bring their own blanks, digits and punctuation (`½`, `①`, `㎏`, `…`).
        if is_blank(c) {
            s.gap();
        } else if let Some(d) = digit(c) {
            s.number((b'0' + d) as char, start, end);
        } else if c == '\u{2044}' {
            s.inner('/', start);
        } else if is_punctuation(c) {
            s.gap();
        } else {
            letter(s, c, start, end);
        }
    }
    (bytes.max(1), points.max(1))
}

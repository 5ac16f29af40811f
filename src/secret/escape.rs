//! Taking escapes off a text, with the way back to where each byte came from.

use std::ops::Range;

/// A kind of escape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    /// `%41` (RFC 3986, 2.1).
    Percent,
    /// The same with `+` for a blank, as forms are sent.
    Form,
    /// `\u0041`, `\/`, `\"`, `\n` (RFC 8259, 7), and `\x41` as several languages print bytes.
    Json,
    /// `&#65;`, `&#x41;` and the five names that every HTML escaper writes.
    Html,
}

impl Escape {
    pub(super) const ALL: [Escape; 4] = [Escape::Percent, Escape::Form, Escape::Json, Escape::Html];

    /// Whether a text can hold such escapes at all.
    fn may_stand_in(self, bytes: &[u8]) -> bool {
        match self {
            Escape::Percent => memchr::memchr(b'%', bytes).is_some(),
            Escape::Form => memchr::memchr(b'+', bytes).is_some(),
            Escape::Json => memchr::memchr(b'\\', bytes).is_some(),
            Escape::Html => memchr::memchr(b'&', bytes).is_some(),
        }
    }

    /// The escape at the start of these bytes: how long it is, and what it stands for.
    fn read(self, bytes: &[u8]) -> Option<(usize, Unescaped)> {
        match self {
            Escape::Percent => percent(bytes),
            Escape::Form if bytes.first() == Some(&b'+') => Some((1, Unescaped::Byte(b' '))),
            Escape::Form => percent(bytes),
            Escape::Json => json(bytes),
            Escape::Html => html(bytes),
        }
    }
}

/// What an escape stands for.
enum Unescaped {
    Byte(u8),
    Char(char),
}

/// A way of reading a text: where each byte of it stands in the text as it came.
pub(super) struct View {
    /// One place for each byte, and one for the end; none where the bytes are those of the text itself.
    places: Option<Vec<usize>>,
    len: usize,
}

impl View {
    /// The text as it came.
    pub(super) fn plain(bytes: &[u8]) -> View {
        View { places: None, len: bytes.len() }
    }

    fn place(&self, at: usize) -> usize {
        match &self.places {
            None => at,
            Some(places) => places.get(at).copied().unwrap_or_else(|| places.last().copied().unwrap_or(self.len)),
        }
    }

    /// The range of the text as it came.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        let start = self.place(range.start);
        // A character of several bytes may come from one escape, whose bytes share their place.
        let mut end = self.place(range.end);
        let mut next = range.end;
        while end <= start && next < self.len {
            next += 1;
            end = self.place(next);
        }
        start..end.max(start)
    }

    /// The text with one more kind of escape taken off; nothing when there is none.
    pub(super) fn without(&self, escape: Escape, bytes: &[u8]) -> Option<(View, Vec<u8>)> {
        if !escape.may_stand_in(bytes) {
            return None;
        }
        let mut plain = Vec::with_capacity(bytes.len());
        let mut places = Vec::with_capacity(bytes.len() + 1);
        let mut at = 0;
        let mut any = false;
        while let Some(rest) = bytes.get(at..).filter(|r| !r.is_empty()) {
            match escape.read(rest) {
                None => {
                    plain.extend(rest.first());
                    places.push(self.place(at));
                    at += 1;
                }
                Some((len, stands_for)) => {
                    any = true;
                    let mut buffer = [0; 4];
                    let new: &[u8] = match stands_for {
                        Unescaped::Byte(b) => {
                            buffer[0] = b;
                            &buffer[..1]
                        }
                        Unescaped::Char(c) => c.encode_utf8(&mut buffer).as_bytes(),
                    };
                    plain.extend_from_slice(new);
                    places.extend(new.iter().map(|_| self.place(at)));
                    at += len;
                }
            }
        }
        places.push(self.place(bytes.len()));
        any.then_some((View { len: plain.len(), places: Some(places) }, plain))
    }
}

fn hex(digits: &[u8], len: usize) -> Option<u32> {
    let digits = digits.get(..len)?;
    digits.iter().try_fold(0_u32, |n, d| Some(n * 16 + char::from(*d).to_digit(16)?))
}

fn percent(bytes: &[u8]) -> Option<(usize, Unescaped)> {
    let digits = bytes.strip_prefix(b"%")?;
    Some((3, Unescaped::Byte(u8::try_from(hex(digits, 2)?).ok()?)))
}

fn json(bytes: &[u8]) -> Option<(usize, Unescaped)> {
    let rest = bytes.strip_prefix(b"\\")?;
    let (kind, digits) = rest.split_first()?;
    let byte = |b| Some((2, Unescaped::Byte(b)));
    match kind {
        b'"' | b'\\' | b'/' | b'\'' => byte(*kind),
        b'n' => byte(b'\n'),
        b't' => byte(b'\t'),
        b'r' => byte(b'\r'),
        b'b' => byte(8),
        b'f' => byte(12),
        b'x' => Some((4, Unescaped::Byte(u8::try_from(hex(digits, 2)?).ok()?))),
        b'u' => {
            let first = hex(digits, 4)?;
            if let Some(c) = char::from_u32(first) {
                return Some((6, Unescaped::Char(c)));
            }
            // Beyond the first plane a character is two halves.
            let second = hex(digits.get(4..)?.strip_prefix(b"\\u")?, 4)?;
            let (high, low) = (first.checked_sub(0xd800)?, second.checked_sub(0xdc00)?);
            if high >= 0x400 || low >= 0x400 {
                return None;
            }
            Some((12, Unescaped::Char(char::from_u32(0x1_0000 + (high << 10) + low)?)))
        }
        _ => None,
    }
}

fn html(bytes: &[u8]) -> Option<(usize, Unescaped)> {
    const NAMES: [(&[u8], u8); 5] =
        [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];
    if let Some((name, b)) = NAMES.iter().find(|(name, _)| bytes.starts_with(name)) {
        return Some((name.len(), Unescaped::Byte(*b)));
    }
    let rest = bytes.strip_prefix(b"&#")?;
    let (radix, digits, before) = match rest.split_first()? {
        (b'x' | b'X', digits) => (16, digits, 3),
        _ => (10, rest, 2),
    };
    let end = digits.iter().take(9).position(|b| *b == b';')?;
    let number = digits.get(..end).filter(|d| !d.is_empty())?;
    let code =
        number.iter().try_fold(0_u32, |n, d| n.checked_mul(radix)?.checked_add(char::from(*d).to_digit(radix)?))?;
    Some((before + end + 1, Unescaped::Char(char::from_u32(code)?)))
}

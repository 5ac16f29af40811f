//! Reads JSON into a [`Node`] tree: every value with its place, numbers with the characters they were written with.
//!
//! A suite of JSON lines can be large, so this reader borrows from the text and makes one pass. It is strict (RFC 8259)
//! and refuses unpaired surrogates.

use super::reader::Reader;
use super::{Entry, MAX_DEPTH, Node, Span, Style, Value};
use std::borrow::Cow;

/// The values of a file of JSON lines, in file order. Blank lines are skipped; a line that is not JSON is recorded, and
/// reading goes on with the next.
pub fn lines<'a>(reader: &Reader<'a>) -> Vec<Node<'a>> {
    let text = reader.text();
    let mut nodes = Vec::new();
    let (mut start, mut line) = (0, 1);
    while start < text.len() {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).map_or(text.len(), |i| start + i);
        let piece = text.get(start..end).unwrap_or_default();
        if !piece.trim().is_empty() {
            let mut json = Json { text: piece, at: 0, base: start, line, depth: 0 };
            match json.document() {
                Ok(node) => nodes.push(node),
                Err(fault) => {
                    let at = Span::new(line, fault.at, fault.at + 1);
                    reader.push(reader.error("json-syntax", at, fault.title));
                }
            }
        }
        start = end + 1;
        line += 1;
    }
    nodes
}

struct Fault {
    at: usize,
    title: String,
}

struct Json<'a> {
    text: &'a str,
    at: usize,
    base: usize,
    line: usize,
    depth: usize,
}

impl<'a> Json<'a> {
    fn document(&mut self) -> Result<Node<'a>, Fault> {
        let node = self.value()?;
        self.blanks();
        match self.peek() {
            None => Ok(node),
            Some(_) => self.fail("expected the end of the line: one JSON value a line"),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, expected: &str) -> Result<T, Fault> {
        let found = match self.text.get(self.at..).and_then(|t| t.chars().next()) {
            Some(c) => format!("found `{}`", c.escape_debug()),
            None => "the line ends".to_owned(),
        };
        Err(Fault { at: self.base + self.at, title: format!("this line is not JSON: {found}, {expected}") })
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.line, self.base + start, self.base + end)
    }

    fn value(&mut self) -> Result<Node<'a>, Fault> {
        self.blanks();
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                let text = self.string()?;
                Ok(Node { span: self.span(start, self.at), value: Value::Scalar(text, Style::Quoted) })
            }
            Some(b'{') => self.nested(start, Json::map),
            Some(b'[') => self.nested(start, Json::list),
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                Ok(self.plain(start))
            }
            Some(_) => {
                for word in ["true", "false", "null"] {
                    if self.text.get(start..).is_some_and(|t| t.starts_with(word)) {
                        self.at += word.len();
                        return Ok(self.plain(start));
                    }
                }
                self.fail("expected a value: a text in double quotes, a number, `{` or `[`")
            }
            None => self.fail("expected a value"),
        }
    }

    fn plain(&self, start: usize) -> Node<'a> {
        let text = self.text.get(start..self.at).unwrap_or_default();
        Node { span: self.span(start, self.at), value: Value::Scalar(Cow::Borrowed(text), Style::Plain) }
    }

    fn nested(
        &mut self,
        start: usize,
        read: impl FnOnce(&mut Self) -> Result<Value<'a>, Fault>,
    ) -> Result<Node<'a>, Fault> {
        if self.depth == MAX_DEPTH {
            return self.fail(&format!("expected at most {MAX_DEPTH} levels"));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(Node { span: self.span(start, start + 1), value })
    }

    fn map(&mut self) -> Result<Value<'a>, Fault> {
        let mut entries = Vec::new();
        self.blanks();
        if self.take(b'}') {
            return Ok(Value::Map(entries));
        }
        loop {
            self.blanks();
            let start = self.at;
            if self.peek() != Some(b'"') {
                return self.fail("expected a key in double quotes");
            }
            let key = self.string()?;
            let key_span = self.span(start, self.at);
            self.blanks();
            if !self.take(b':') {
                return self.fail("expected `:`");
            }
            let value = self.value()?;
            entries.push(Entry { key, key_span, value });
            self.blanks();
            if self.take(b'}') {
                return Ok(Value::Map(entries));
            }
            if !self.take(b',') {
                return self.fail("expected `,` or `}`");
            }
        }
    }

    fn list(&mut self) -> Result<Value<'a>, Fault> {
        let mut items = Vec::new();
        self.blanks();
        if self.take(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value()?);
            self.blanks();
            if self.take(b']') {
                return Ok(Value::List(items));
            }
            if !self.take(b',') {
                return self.fail("expected `,` or `]`");
            }
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn number(&mut self) -> Result<(), Fault> {
        self.take(b'-');
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            Some(_) | None => return self.fail("expected a digit"),
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.fail("expected a number without leading zeros (quote it when it is an id)");
        }
        if self.take(b'.') {
            if !matches!(self.peek(), Some(b'0'..=b'9')) {
                return self.fail("expected a digit");
            }
            self.digits();
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            if !matches!(self.peek(), Some(b'0'..=b'9')) {
                return self.fail("expected a digit");
            }
            self.digits();
        }
        Ok(())
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    /// A text in double quotes; borrowed when it has no escapes.
    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        self.at += 1;
        let mut owned: Option<String> = None;
        loop {
            let start = self.at;
            let rest = self.text.as_bytes().get(start..).unwrap_or_default();
            let stop = rest.iter().position(|b| matches!(b, b'"' | b'\\' | 0..=0x1f)).unwrap_or(rest.len());
            self.at = start + stop;
            let piece = self.text.get(start..self.at).unwrap_or_default();
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match owned {
                        None => Cow::Borrowed(piece),
                        Some(mut text) => {
                            text.push_str(piece);
                            Cow::Owned(text)
                        }
                    });
                }
                Some(b'\\') => {
                    let text = owned.get_or_insert_default();
                    text.push_str(piece);
                    self.at += 1;
                    let c = self.escape()?;
                    owned.get_or_insert_default().push(c);
                }
                Some(_) => return self.fail("expected control characters in a text as escapes such as `\\t`"),
                None => return self.fail("expected the closing `\"`"),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let high = self.hex()?;
                if !(0xd800..0xe000).contains(&high) {
                    return match char::from_u32(high) {
                        Some(c) => Ok(c),
                        None => self.fail("expected a Unicode character"),
                    };
                }
                let pair = self.text.get(self.at..).is_some_and(|t| t.starts_with("\\u"));
                if high >= 0xdc00 || !pair {
                    return self.fail("expected both halves of a surrogate pair");
                }
                self.at += 2;
                let low = self.hex()?;
                if !(0xdc00..0xe000).contains(&low) {
                    return self.fail("expected both halves of a surrogate pair");
                }
                return match char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)) {
                    Some(c) => Ok(c),
                    None => self.fail("expected a Unicode character"),
                };
            }
            Some(_) | None => {
                return self.fail("expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
            }
        };
        self.at += 1;
        Ok(c)
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        let digits = self.text.get(self.at..self.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|d| u32::from_str_radix(d, 16).ok()) {
            Some(n) => {
                self.at += 4;
                Ok(n)
            }
            None => self.fail("expected four hexadecimal digits"),
        }
    }
}

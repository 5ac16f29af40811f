//! JSON in which no digit of a number is lost.

use serde_json::Value;
use std::borrow::Cow;

/// Reads one JSON value; numbers that Rust's numbers do not print back as they were written become texts.
///
/// # Errors
/// What is wrong, in one line, without the text itself.
pub fn read(bytes: &[u8]) -> Result<Value, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err("the body is empty".to_owned());
    }
    let text =
        std::str::from_utf8(bytes).map_err(|e| format!("the body is not UTF-8 from byte {}", e.valid_up_to()))?;
    serde_json::from_str(&lossless(text)).map_err(|e| {
        let column = if e.is_eof() { ": it ends in the middle" } else { "" };
        format!("the body is no JSON ({}{column})", crate::target::response::plain_message(&e))
    })
}

/// The text with quotes around the numbers that would lose digits. What is no JSON stays as it is, for the parser to say
/// so.
fn lossless(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut at, mut copied) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let length = bytes.iter().skip(at).take_while(|b| is_of_number(**b)).count();
                let end = at + length;
                let token = text.get(at..end).unwrap_or_default();
                if is_number(token) && !is_kept(token) {
                    out.push_str(text.get(copied..at).unwrap_or_default());
                    out.push('"');
                    out.push_str(token);
                    out.push('"');
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// The place behind the string that begins here.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += next;
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(_) | None => return at + 1,
        }
    }
    bytes.len()
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || b"+-.eE".contains(&byte)
}

/// A number as RFC 8259, section 6, writes it: no leading zero, digits on both sides of the point.
fn is_number(token: &str) -> bool {
    let rest = token.strip_prefix('-').unwrap_or(token);
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((m, e)) => (m, Some(e)),
        None => (rest, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((w, f)) => (w, Some(f)),
        None => (mantissa, None),
    };
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

/// Whether the parser's number is printed as it was written.
fn is_kept(token: &str) -> bool {
    serde_json::from_str::<serde_json::Number>(token).is_ok_and(|n| n.to_string() == token)
}

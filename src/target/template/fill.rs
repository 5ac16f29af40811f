//! Puts the variables of the environment into a text that has been rendered.

use super::{Escape, Variable};
use std::fmt::Write as _;

/// What stands for a variable while the text is rendered. Letters and digits alone: every escape leaves them as they are.
pub(super) fn marked(mark: &str, index: usize) -> String {
    format!("x{mark}x{index}x")
}

/// A text between two marks, and the variable that follows it.
struct Piece<'t, 'v> {
    text: &'t str,
    variable: Option<&'v Variable>,
    /// All that follows the variable.
    rest: &'t str,
}

/// A text cut at its marks.
fn pieces<'t, 'v>(text: &'t str, mark: &str, variables: &'v [Variable]) -> Vec<Piece<'t, 'v>> {
    let opening = format!("x{mark}x");
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(&opening) {
        let Some((index, tail)) = after.split_once('x') else { break };
        let variable = index.parse::<usize>().ok().and_then(|i| variables.get(i));
        pieces.push(Piece { text: before, variable, rest: tail });
        rest = tail;
    }
    pieces.push(Piece { text: rest, variable: None, rest: "" });
    pieces
}

/// The text with `${NAME}` in place of the marks.
pub(super) fn named(text: &str, mark: &str, variables: &[Variable]) -> String {
    let mut out = String::new();
    for piece in pieces(text, mark, variables) {
        out.push_str(piece.text);
        if let Some(v) = piece.variable {
            let _ = write!(out, "${{{}}}", v.name);
        }
    }
    out
}

/// The text with the values in place of the marks, each as its place wants it.
pub(super) fn filled(text: &str, mark: &str, variables: &[Variable], escape: Escape) -> String {
    let mut out = String::new();
    let mut within = Within::default();
    for piece in pieces(text, mark, variables) {
        out.push_str(piece.text);
        within.read(piece.text);
        let Some(value) = piece.variable.map(|v| v.value.expose()) else { continue };
        match escape {
            Escape::None => out.push_str(value),
            Escape::Json => out.push_str(&in_json(value, within.string)),
            Escape::Url if is_base(&out, piece.rest) => out.push_str(value),
            Escape::Url => out.push_str(&percent_encoded(value)),
        }
    }
    out
}

/// Whether a place of a JSON text lies within a string.
#[derive(Default)]
struct Within {
    string: bool,
    escaped: bool,
}

impl Within {
    fn read(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.string => self.escaped = true,
                b'"' => self.string = !self.string,
                _ => {}
            }
        }
    }
}

/// A value as JSON: within a string without quotes of its own; outside a number, `true`, `false` or `null` as it is, and
/// anything else as a string.
fn in_json(value: &str, within_string: bool) -> String {
    let quoted = serde_json::Value::from(value).to_string();
    if within_string {
        let inner = quoted.strip_prefix('"').and_then(|q| q.strip_suffix('"'));
        return inner.unwrap_or_default().to_owned();
    }
    match serde_json::from_str(value.trim()) {
        Ok(serde_json::Value::Number(_) | serde_json::Value::Bool(_) | serde_json::Value::Null) => {
            value.trim().to_owned()
        }
        Ok(_) | Err(_) => quoted,
    }
}

/// Whether a variable stands where an address has its scheme and host: `${BASE}/ask`, `http://${HOST}/ask`. Its slashes
/// and colons are the address's own there; a name or a password in front of `@` is not such a place.
fn is_base(before: &str, after: &str) -> bool {
    const END: [char; 3] = ['/', '?', '#'];
    let authority = before.split_once("://").map_or(before, |(_, rest)| rest);
    let rest = after.split_once(END).map_or(after, |(rest, _)| rest);
    !authority.contains(END) && !rest.contains('@')
}

/// Percent-encoded but for letters, digits and `-._~` (RFC 3986, section 2.3): right in every part of an address.
pub fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut out, b| {
        if b.is_ascii_alphanumeric() || b"-._~".contains(&b) {
            out.push(char::from(b));
        } else {
            let _ = write!(out, "%{b:02X}");
        }
        out
    })
}

//! The lines of a recording, as far as they are read before their question is asked.

use crate::problem::{Place, Problem, decode};
use crate::target::response::plain_message;
use memchr::memmem;
use serde::Deserialize;
use std::borrow::Cow;

/// The first line of a recording.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) version: u32,
    pub(crate) kind: String,
    pub(crate) suite: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) target: Option<String>,
}

/// What the index needs of a line.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Option<&'a serde_json::value::RawValue>,
    #[serde(default)]
    repeat: u32,
    #[serde(borrow, default)]
    suite: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    key: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    subject: Option<Cow<'a, str>>,
}

/// Which keys the lines of a recording hold.
pub(super) struct Keys {
    finders: [memmem::Finder<'static>; 3],
    pub(super) seen: [bool; 3],
}

impl Keys {
    pub(super) fn new() -> Self {
        let finders = ["\"answer\"", "\"contexts\"", "\"citations\""].map(|k| memmem::Finder::new(k.as_bytes()));
        Keys { finders, seen: [false; 3] }
    }

    pub(super) fn look(&mut self, line: &[u8]) {
        for (finder, seen) in self.finders.iter().zip(&mut self.seen) {
            if !*seen {
                // A key: not inside a string (its quote would be escaped there) and followed by a colon.
                *seen = finder.find_iter(line).any(|at| {
                    let end = at + finder.needle().len();
                    let colon = line.get(end..).and_then(|r| r.iter().find(|b| !b.is_ascii_whitespace()));
                    colon == Some(&b':') && at.checked_sub(1).and_then(|i| line.get(i)) != Some(&b'\\')
                });
            }
        }
    }
}

/// The line without byte-order mark, blanks and line end, and how many bytes were cut in front.
pub(crate) fn trim(line: &[u8], first: bool) -> (usize, &[u8]) {
    let cut = if first && line.starts_with(&[0xef, 0xbb, 0xbf]) { 3 } else { 0 };
    let rest = line.get(cut..).unwrap_or_default();
    let body = rest.trim_ascii_start();
    (cut + rest.len() - body.len(), body.trim_ascii_end())
}

/// What is wrong with a line that is no response; true when it says that the whole file is of another form.
pub(super) fn no_response(line: &[u8], column: usize, what: String, place: Place) -> (Problem, bool) {
    if let Err((_, what)) = decode(line) {
        let place = Place { column: 0, ..place };
        return (Problem::error("file-not-utf8", place, what).help("save the file as UTF-8"), true);
    }
    if is_header(line) {
        let what = "a header stands on the first line only";
        return (Problem::error("recording-line", place, what).in_line(line, 1), false);
    }
    let problem = Problem::error("recording-line", place, what).in_line(line, column);
    if line.starts_with(b"{") && line.len() > 1 {
        return (problem, false);
    }
    let title = "this line is not a whole JSON object".to_owned();
    let help = r#"write one response a line: {"id":"q1","answer":"…","contexts":[…]}"#;
    (Problem { title, ..problem }.help(help), true)
}

pub(crate) fn is_header(line: &[u8]) -> bool {
    memmem::find(line, b"\"version\"").is_some() && memmem::find(line, b"\"id\"").is_none()
}

/// What tells a line from the others.
pub(super) struct LineHead<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) repeat: u32,
    pub(super) suite: Option<Cow<'a, str>>,
    pub(super) key: Option<Cow<'a, str>>,
    pub(super) subject: Option<Cow<'a, str>>,
}

/// The keys, besides the id, by which a line is found.
const PLACED: [&[u8]; 4] = [b"\"repeat\"", b"\"suite\"", b"\"key\"", b"\"subject\""];

/// Id, repeat, suite, key and subject of a line. Most lines begin with a plain id and hold none of the others: those are read
/// without parsing the line, which happens when its question is asked.
pub(super) fn head(line: &[u8]) -> Result<LineHead<'_>, (usize, String)> {
    let plain = line.strip_prefix(b"{\"id\":\"").and_then(|rest| {
        let end = memchr::memchr2(b'"', b'\\', rest)?;
        let id = rest.get(..end)?;
        (rest.get(end) == Some(&b'"') && end > 0 && line.ends_with(b"}")).then_some(id)
    });
    if let Some(id) = plain
        && PLACED.iter().all(|key| memmem::find(line, key).is_none())
        && let Ok(id) = std::str::from_utf8(id)
    {
        return Ok(LineHead { id: Cow::Borrowed(id), repeat: 0, suite: None, key: None, subject: None });
    }
    if !line.starts_with(b"{") {
        return Err((1, "a response is a JSON object".to_owned()));
    }
    let head: Head<'_> = serde_json::from_slice(line).map_err(|e| (e.column().max(1), plain_message(&e)))?;
    let raw = head.id.ok_or((1, "a response needs an `id`".to_owned()))?.get();
    let id = if raw.starts_with('"') {
        serde_json::from_str::<String>(raw).map(Cow::Owned).map_err(|e| (1, plain_message(&e)))?
    } else if raw.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        Cow::Borrowed(raw)
    } else {
        return Err((1, "the `id` of a response is a text".to_owned()));
    };
    if id.is_empty() {
        return Err((1, "the `id` of a response is empty".to_owned()));
    }
    Ok(LineHead { id, repeat: head.repeat, suite: head.suite, key: head.key, subject: head.subject })
}

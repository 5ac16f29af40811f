//! Recorded responses: a JSONL file that stands for a system.
//!
//! The file is read twice and held never: once to learn where each response lies, and then a line at a time when its
//! question is asked. So memory grows with the number of responses, not with their text.

use super::response::{self, plain_message};
use super::{Failure, FailureKind, Pending, Reply, Request, Target};
use crate::digest::Hasher;
use crate::layer::Provides;
use crate::problem::near::did_you_mean;
use crate::problem::{Place, Problem, Problems, decode};
use memchr::memmem;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A file of recorded responses.
#[derive(Debug)]
pub struct Recorded {
    name: String,
    shown: Arc<str>,
    file: Mutex<File>,
    header: Header,
    provides: Provides,
    /// By suite (none when neither the header nor the line names it) and id.
    index: HashMap<Key, Vec<Entry>>,
    /// By suite: the ids of which it is known that no question bears them.
    unasked: Mutex<HashMap<String, Vec<String>>>,
    digest: String,
}

type Key = (Option<Arc<str>>, Box<str>);

#[derive(Debug, Clone, Copy)]
struct Entry {
    repeat: u32,
    offset: u64,
    length: usize,
    line: u32,
}

/// The first line of a recording.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    version: u32,
    kind: String,
    suite: Option<String>,
    subject: Option<String>,
    target: Option<String>,
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
}

/// Which keys the lines of a recording hold.
struct Keys {
    finders: [memmem::Finder<'static>; 3],
    seen: [bool; 3],
}

impl Keys {
    fn new() -> Self {
        let finders = ["\"answer\"", "\"contexts\"", "\"citations\""].map(|k| memmem::Finder::new(k.as_bytes()));
        Keys { finders, seen: [false; 3] }
    }

    fn look(&mut self, line: &[u8]) {
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

/// The identity of the answers: the lines, whatever their order, their ends and the blank ones between them.
fn digest(mut lines: Vec<u128>) -> String {
    lines.sort_unstable();
    let mut hasher = Hasher::default();
    lines.iter().for_each(|l| hasher.update(&l.to_le_bytes()));
    hasher.short()
}

impl Recorded {
    /// Opens a recording and learns where each response lies.
    ///
    /// `provides` is what the target's settings say; when they say nothing it is what the file's lines hold: a key that
    /// stands in any line is said to be returned.
    ///
    /// # Errors
    /// Problems with their lines: the file cannot be read, its version is unknown, a line is not JSON or has no id, two
    /// lines give the same question (and repeat) twice.
    pub fn open(name: &str, path: &Path, shown: &str, provides: Option<Provides>) -> Result<Recorded, Problems> {
        let shown: Arc<str> = shown.into();
        let place = |line: u32, column: usize| Place {
            file: Arc::clone(&shown),
            line,
            column: u32::try_from(column).unwrap_or(0),
        };
        let unreadable =
            |e: std::io::Error| Problem::error("file-unreadable", place(0, 0), format!("cannot read this file: {e}"));
        let file = File::open(path).map_err(|e| {
            if e.kind() == std::io::ErrorKind::NotFound {
                Problem::error("recording-missing", place(0, 0), format!("there is no recording {shown}"))
            } else {
                unreadable(e)
            }
        })?;
        let mut problems = Problems::default();
        let mut header = Header::default();
        let mut index: HashMap<Key, Vec<Entry>> = HashMap::new();
        let mut suites: Vec<Arc<str>> = Vec::new();
        let mut keys = Keys::new();
        let mut lines: Vec<u128> = Vec::new();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let (mut offset, mut line_no, mut buffer) = (0u64, 0u32, Vec::new());
        let mut first = true;
        loop {
            buffer.clear();
            let read = reader.read_until(b'\n', &mut buffer).map_err(unreadable)?;
            if read == 0 {
                break;
            }
            line_no = line_no.saturating_add(1);
            let begin = offset;
            offset += read as u64;
            let (skip, line) = trim(&buffer, line_no == 1);
            if line.is_empty() {
                continue;
            }
            lines.push(Hasher::of(line));
            if std::mem::take(&mut first) && is_header(line) {
                header = serde_json::from_slice(line).map_err(|e| {
                    Problem::error("recording-header", place(line_no, 0), plain_message(&e))
                        .in_line(line, e.column())
                        .help(r#"the first line is {"version":1,"kind":"responses","suite":"NAME"}"#)
                })?;
                if header.version != 1 || header.kind != "responses" {
                    let what = format!("version {} of kind `{}` is not known here", header.version, header.kind);
                    return Err(Problem::error("recording-header", place(line_no, 0), what)
                        .in_line(line, 1)
                        .help("expected version 1 of kind `responses`")
                        .into());
                }
                continue;
            }
            keys.look(line);
            let head = match head(line) {
                Ok(h) => h,
                Err((column, what)) => {
                    let (problem, whole_file) = no_response(line, column, what, place(line_no, 0));
                    problems.0.push(problem);
                    // What is wrong with the form of the file is not said of each of its lines.
                    if whole_file || problems.0.len() >= 20 {
                        break;
                    }
                    continue;
                }
            };
            let named = head.suite.as_deref().or(header.suite.as_deref());
            let suite = named.map(|n| match suites.iter().find(|s| &***s == n) {
                Some(s) => Arc::clone(s),
                None => {
                    suites.push(n.into());
                    Arc::from(n)
                }
            });
            let entry = Entry { repeat: head.repeat, offset: begin + skip as u64, length: line.len(), line: line_no };
            let entries = index.entry((suite, head.id.as_ref().into())).or_default();
            if let Some(other) = entries.iter().find(|e| e.repeat == entry.repeat) {
                problems.0.push(twice(&head.id, other.line, place(line_no, 0)).in_line(line, 1));
            }
            entries.push(entry);
        }
        problems.0.extend(named_and_not(&index, &place));
        if !problems.0.is_empty() {
            return Err(problems);
        }
        let [answer, contexts, citations] = keys.seen;
        let file = reader.into_inner();
        Ok(Recorded {
            name: name.to_owned(),
            shown,
            file: Mutex::new(file),
            header,
            provides: provides.unwrap_or(Provides { answer, contexts, citations }),
            index,
            unasked: Mutex::default(),
            digest: digest(lines),
        })
    }

    /// The system that the responses came from, where the first line names it.
    pub fn target(&self) -> Option<&str> {
        self.header.target.as_deref()
    }

    /// The file as messages show it.
    pub fn shown(&self) -> &Arc<str> {
        &self.shown
    }

    /// The suites that the file names, sorted; empty when it names none.
    pub fn suites(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self.index.keys().filter_map(|(s, _)| s.clone()).collect();
        names.extend(self.header.suite.as_deref().map(Arc::from));
        names.sort_unstable();
        names.dedup();
        names
    }

    /// A problem with the name of a suite, at the first line that names it.
    pub fn problem_of_suite(&self, code: &'static str, suite: &str, what: String) -> Problem {
        let of_suite = self.index.iter().filter(|((s, _), _)| s.as_deref() == Some(suite));
        let line = match self.header.suite.as_deref() {
            Some(s) if s == suite => Some(1),
            Some(_) | None => of_suite.flat_map(|(_, entries)| entries).map(|e| e.line).min(),
        };
        Problem::error(code, Place { file: Arc::clone(&self.shown), line: line.unwrap_or(0), column: 0 }, what)
    }

    /// Says which ids will be asked for: the others are no near misses of a question that has no response. Gives those
    /// others, sorted: recordings that nothing asks for.
    ///
    /// # Errors
    /// What is wrong with the lines of the others: nobody else will read them.
    pub fn expect(&self, suite: &str, known: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Problems> {
        let unused = self.unused(suite, known);
        let mut problems = Problems::default();
        for entry in unused.iter().filter_map(|id| self.entries(suite, id)).flatten() {
            let mut bytes = vec![0; entry.length];
            if self.read_at(&mut bytes, entry.offset).is_ok()
                && let Err((column, what)) = response::parse(&bytes)
            {
                let place = Place { file: Arc::clone(&self.shown), line: entry.line, column: 0 };
                problems.0.push(Problem::error("response-line", place, what).in_line(&bytes, column));
            }
        }
        if problems.any_error() {
            problems.0.sort_by_key(|p| p.place.line);
            problems.0.truncate(20);
            return Err(problems);
        }
        self.unasked.lock().unwrap_or_else(PoisonError::into_inner).insert(suite.to_owned(), unused.clone());
        Ok(unused)
    }

    /// Ids of a suite's responses that are not among `known`, sorted.
    fn unused(&self, suite: &str, known: &dyn Fn(&str) -> bool) -> Vec<String> {
        let mut ids: Vec<String> = self
            .index
            .keys()
            .filter(|(s, id)| s.as_deref().is_none_or(|s| s == suite) && !known(id))
            .map(|(_, id)| id.to_string())
            .collect();
        ids.sort_unstable();
        ids
    }

    fn entries(&self, suite: &str, id: &str) -> Option<&[Entry]> {
        // Two look-ups instead of a search: a line that names the suite, then one that names none.
        let named = self.index.get(&(Some(Arc::from(suite)), id.into()));
        named.or_else(|| self.index.get(&(None, id.into()))).map(Vec::as_slice)
    }

    #[cfg(unix)]
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
        use std::os::unix::fs::FileExt;
        self.file.lock().unwrap_or_else(PoisonError::into_inner).read_exact_at(bytes, offset)
    }

    #[cfg(not(unix))]
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(bytes))
    }

    /// The id that was most likely meant: the same but for letter case, separators and leading zeros, else the nearest.
    /// An id that another question asks for was not meant.
    fn nearest(&self, request: Request<'_>) -> Option<String> {
        let here = |s: &Option<Arc<str>>| s.as_deref().is_none_or(|s| s == request.suite);
        let unasked = self.unasked.lock().unwrap_or_else(PoisonError::into_inner);
        let mut ids: Vec<&str> = match unasked.get(request.suite) {
            Some(ids) => ids.iter().map(String::as_str).collect(),
            None => self.index.keys().filter(|(s, _)| here(s)).map(|(_, id)| id.as_ref()).collect(),
        };
        ids.sort_unstable();
        let wanted = loose(request.id);
        let same = ids.iter().copied().find(|id| loose(id) == wanted);
        same.or_else(|| did_you_mean(request.id, ids)).map(str::to_owned)
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let Some(entries) = self.entries(request.suite, request.id) else {
            let near = self.nearest(request);
            let near = near.map_or_else(String::new, |n| format!("; nearest: {n}"));
            return Reply::Missing(format!("no recording in {}{near}", self.shown));
        };
        let Some(entry) = entries.iter().find(|e| e.repeat == request.repeat) else {
            let n = entries.len();
            return Reply::Missing(format!("only {n} recording{} in {}", if n == 1 { "" } else { "s" }, self.shown));
        };
        let mut bytes = vec![0; entry.length];
        match self.read_at(&mut bytes, entry.offset) {
            Ok(()) => Reply::Line { bytes, line: entry.line },
            Err(e) => {
                let why = format!("cannot read {}:{}: {e}", self.shown, entry.line);
                Reply::Failed(Failure::new(FailureKind::Other, why))
            }
        }
    }
}

impl Target for Recorded {
    fn name(&self) -> &str {
        &self.name
    }

    fn provides(&self) -> Provides {
        self.provides
    }

    fn is_replay(&self) -> bool {
        true
    }

    fn subject(&self) -> Option<String> {
        Some(self.header.subject.clone().unwrap_or_else(|| self.digest.clone()))
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        let reply = self.reply(request);
        Box::pin(std::future::ready(reply))
    }
}

/// An id without what is easily mistyped: `Q-03` is `q3`.
fn loose(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    let mut chars = id.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).peekable();
    while let Some(c) = chars.next() {
        let in_number = out.ends_with(|p: char| p.is_ascii_digit());
        let leading = c == '0' && !in_number && chars.peek().is_some_and(char::is_ascii_digit);
        if !leading {
            out.push(c);
        }
    }
    out
}

/// The line without byte-order mark, blanks and line end, and how many bytes were cut in front.
fn trim(line: &[u8], first: bool) -> (usize, &[u8]) {
    let cut = if first && line.starts_with(&[0xef, 0xbb, 0xbf]) { 3 } else { 0 };
    let rest = line.get(cut..).unwrap_or_default();
    let body = rest.trim_ascii_start();
    (cut + rest.len() - body.len(), body.trim_ascii_end())
}

/// What is wrong with a line that is no response; true when it says that the whole file is of another form.
fn no_response(line: &[u8], column: usize, what: String, place: Place) -> (Problem, bool) {
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

fn twice(id: &str, first: u32, place: Place) -> Problem {
    Problem::error("recording-twice", place, format!("a second response to `{id}` (the first is on line {first})"))
        .help("keep one of them, or number them with `repeat`")
}

/// Responses of which one names its suite and another, to the same id, names none: nobody can tell which one is meant.
fn named_and_not(index: &HashMap<Key, Vec<Entry>>, place: &dyn Fn(u32, usize) -> Place) -> Vec<Problem> {
    if index.keys().all(|(suite, _)| suite.is_some()) || index.keys().all(|(suite, _)| suite.is_none()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ((suite, id), named) in index {
        if suite.is_none() {
            continue;
        }
        for entry in index.get(&(None, id.clone())).into_iter().flatten() {
            if let Some(other) = named.iter().find(|e| e.repeat == entry.repeat) {
                let (first, second) = (entry.line.min(other.line), entry.line.max(other.line));
                found.push(twice(id, first, place(second, 0)));
            }
        }
    }
    found.sort_by_key(|p| p.place.line);
    found.truncate(20);
    found
}

fn is_header(line: &[u8]) -> bool {
    memmem::find(line, b"\"version\"").is_some() && memmem::find(line, b"\"id\"").is_none()
}

struct LineHead<'a> {
    id: Cow<'a, str>,
    repeat: u32,
    suite: Option<Cow<'a, str>>,
}

/// Id, repeat and suite of a line. Most lines begin with a plain id and hold neither of the other two: those are read
/// without parsing the line, which happens when its question is asked.
fn head(line: &[u8]) -> Result<LineHead<'_>, (usize, String)> {
    let plain = line.strip_prefix(b"{\"id\":\"").and_then(|rest| {
        let end = memchr::memchr2(b'"', b'\\', rest)?;
        let id = rest.get(..end)?;
        (rest.get(end) == Some(&b'"') && end > 0 && line.ends_with(b"}")).then_some(id)
    });
    if let Some(id) = plain
        && memmem::find(line, b"\"repeat\"").is_none()
        && memmem::find(line, b"\"suite\"").is_none()
        && let Ok(id) = std::str::from_utf8(id)
    {
        return Ok(LineHead { id: Cow::Borrowed(id), repeat: 0, suite: None });
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
    Ok(LineHead { id, repeat: head.repeat, suite: head.suite })
}

//! Recorded responses: a JSONL file that stands for a system.
//!
//! The file is read twice and held never: once to learn where each response lies, and then a line at a time when its
//! question is asked. So memory grows with the number of responses, not with their text.

pub(crate) mod line;

use super::response::{self, plain_message};
use super::{Failure, FailureKind, Pending, Reply, Request, Target};
use crate::digest::Hasher;
use crate::layer::Provides;
use crate::problem::near::did_you_mean;
use crate::problem::{Place, Problem, Problems};
use line::{Header, Keys, head, is_header, no_response, trim};
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

#[derive(Debug, Clone)]
struct Entry {
    repeat: u32,
    /// The digest of the request, where answers are told apart by it.
    key: Option<Box<str>>,
    /// The subject that the line itself names.
    subject: Option<Arc<str>>,
    offset: u64,
    length: usize,
    line: u32,
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
        Recorded::read(name, path, shown, provides, false)
    }

    /// The same for a file that stands for a target: answers to the same question under several requests are told apart
    /// by their `key`.
    ///
    /// # Errors
    /// As [`Recorded::open`]; two lines of one question and repeat are an error where their keys are equal or absent.
    pub fn open_by_request(
        name: &str,
        path: &Path,
        shown: &str,
        provides: Option<Provides>,
    ) -> Result<Recorded, Problems> {
        Recorded::read(name, path, shown, provides, true)
    }

    fn read(
        name: &str,
        path: &Path,
        shown: &str,
        provides: Option<Provides>,
        by_request: bool,
    ) -> Result<Recorded, Problems> {
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
        let (mut suites, mut subjects): (Vec<Arc<str>>, Vec<Arc<str>>) = Default::default();
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
            let suite = named.map(|n| shared(&mut suites, n));
            let entry = Entry {
                repeat: head.repeat,
                key: head.key.as_deref().filter(|_| by_request).map(Box::from),
                subject: head.subject.as_deref().map(|n| shared(&mut subjects, n)),
                offset: begin + skip as u64,
                length: line.len(),
                line: line_no,
            };
            let entries = index.entry((suite, head.id.as_ref().into())).or_default();
            if let Some(other) = entries.iter().find(|e| e.repeat == entry.repeat && e.key == entry.key) {
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

    /// The subject that gave the answer to a question, where the file says so.
    pub fn subject_of(&self, suite: &str, id: &str) -> Option<&str> {
        let entry = self.entries(suite, id)?.first()?;
        entry.subject.as_deref().or(self.header.subject.as_deref())
    }

    /// The answer to a request: to this very one, where the target that the file stands for tells its requests apart.
    /// `subject` is what is tested now; answers of another one, or of one that the file does not name, are stale.
    pub fn answer(&self, request: Request<'_>, key: Option<&str>, subject: Option<&str>) -> Reply {
        let Some(entries) = self.entries(request.suite, request.id) else { return self.none(request) };
        let of_request: Vec<&Entry> = entries.iter().filter(|e| e.key.as_deref() == key).collect();
        if of_request.is_empty() {
            let why = if entries.iter().all(|e| e.key.is_none()) {
                "recorded without its request, so nobody can tell whether it was this one"
            } else {
                "recorded for another request (the question, the template or the model changed)"
            };
            return Reply::Missing(format!("{why}: {}:{}", self.shown, entries.first().map_or(0, |e| e.line)));
        }
        let Some(entry) = of_request.iter().find(|e| e.repeat == request.repeat) else {
            return self.only(of_request.len());
        };
        let recorded = entry.subject.as_deref().or(self.header.subject.as_deref());
        match (recorded, subject) {
            (Some(was), Some(is)) if was != is => {
                let (was, is) = (brief(was), brief(is));
                let why = format!("recorded from subject {was}, the target is now {is}: {}:{}", self.shown, entry.line);
                Reply::Failed(Failure::new(FailureKind::Stale, why))
            }
            (None, Some(is)) => {
                let is = brief(is);
                let why = format!(
                    "recorded from a subject that nobody noted, the target is {is}: {}:{}",
                    self.shown, entry.line
                );
                Reply::Failed(Failure::new(FailureKind::Stale, why))
            }
            (Some(_) | None, _) => self.line(entry),
        }
    }

    /// There is nothing under the id.
    fn none(&self, request: Request<'_>) -> Reply {
        let near = self.nearest(request);
        let near = near.map_or_else(String::new, |n| format!("; nearest: {n}"));
        Reply::Missing(format!("no recording in {}{near}", self.shown))
    }

    /// There are fewer than are asked for.
    fn only(&self, n: usize) -> Reply {
        Reply::Missing(format!("only {n} recording{} in {}", if n == 1 { "" } else { "s" }, self.shown))
    }

    fn line(&self, entry: &Entry) -> Reply {
        let mut bytes = vec![0; entry.length];
        match self.read_at(&mut bytes, entry.offset) {
            Ok(()) => Reply::Line { bytes, line: entry.line },
            Err(e) => {
                let why = format!("cannot read {}:{}: {e}", self.shown, entry.line);
                Reply::Failed(Failure::new(FailureKind::Other, why))
            }
        }
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let Some(entries) = self.entries(request.suite, request.id) else { return self.none(request) };
        match entries.iter().find(|e| e.repeat == request.repeat) {
            Some(entry) => self.line(entry),
            None => self.only(entries.len()),
        }
    }
}

/// A name that is kept once, however often it is read.
fn shared(known: &mut Vec<Arc<str>>, name: &str) -> Arc<str> {
    match known.iter().find(|s| &***s == name) {
        Some(s) => Arc::clone(s),
        None => {
            known.push(name.into());
            Arc::from(name)
        }
    }
}

/// A subject as messages show it: the first digits of a digest, a free text as it is.
pub fn brief(subject: &str) -> String {
    let digest = subject.len() > 7 && subject.bytes().all(|b| b.is_ascii_hexdigit());
    let (short, rest) = subject.split_at_checked(7).filter(|_| digest).unwrap_or((subject, ""));
    if rest.is_empty() { short.to_owned() } else { format!("{short}…") }
}

impl Target for Recorded {
    fn name(&self) -> &str {
        &self.name
    }

    fn file(&self) -> &str {
        &self.shown
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

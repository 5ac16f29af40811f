//! What a run that was ended has learnt: its journal, read back. Each reply is found by its question and read when it is
//! wanted; none is held. A run that is resumed has one journal, one that is put together from shards has several.

use super::fingerprint::Fingerprint;
use super::journal::{Header, Journal, is_ours};
use super::shard::wire::Wire;
use crate::problem::{Place, Problem};
use crate::target::response;
use crate::target::{Failure, FailureKind, Reply, Request};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The replies of journals.
#[derive(Debug)]
pub struct Known {
    books: Vec<Book>,
    index: HashMap<Key, Entry>,
    /// What stands there is what was examined, but for what was taken out of it and is told beside it; nothing is asked
    /// again.
    as_written: bool,
}

#[derive(Debug)]
struct Book {
    file: Mutex<File>,
    shown: Arc<str>,
}

/// A reply that is known.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) reply: Reply,
    /// What was made of it, where examining it again would not give the same.
    pub(super) examined: Option<Box<Wire>>,
}

/// Suite, id, repeat, and whether the control arm was asked.
pub(super) type Key = (Box<str>, Box<str>, u32, bool);

/// Where a line stands: in which journal, and where in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) book: usize,
    offset: u64,
    length: usize,
    line: u32,
    /// The reply is the reason why nobody was asked.
    passed_over: bool,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    suite: Cow<'a, str>,
    #[serde(borrow)]
    id: Cow<'a, str>,
    repeat: u32,
    #[serde(default)]
    beside: bool,
    #[serde(default)]
    passed_over: bool,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    response: Option<&'a RawValue>,
    missing: Option<String>,
    failed: Option<String>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
    examined: Option<Box<Wire>>,
}

/// Opens the journal of a run that did not come to its end, to go on with it. A last line that is not whole is cut off:
/// its question is asked again.
///
/// # Errors
/// When it cannot be read or written, when another process is writing it, when it is damaged before its last line, or
/// when that run asked something else than this one does.
pub fn go_on(path: &Path, shown: &str, asks: &Fingerprint) -> Result<(Journal, Known), Problem> {
    let shown: Arc<str> = shown.into();
    let place = |line: u32| Place { file: Arc::clone(&shown), line, column: 0 };
    let unreadable = |e: io::Error| Problem::error("journal", place(0), format!("cannot go on with this journal: {e}"));
    let file = OpenOptions::new().read(true).append(true).open(path).map_err(unreadable)?;
    if !is_ours(&file) {
        let what = "this run is still going on in another process";
        return Err(Problem::error("run-going-on", place(0), what).help("wait for its end, or end it"));
    }
    let mut index = HashMap::new();
    let scanned = scan(&file, &shown, &mut |found| {
        match found {
            Scanned::Header(header) => {
                if let Some(what) = header.asks.differs(asks) {
                    let what = format!("that run asked something else: {what}");
                    let help =
                        "give the words of that run and leave its files as they were, or run anew: `ragline run`";
                    return Err(Problem::error("run-differs", place(1), what).help(help));
                }
            }
            // What was passed over may be asked now.
            Scanned::Reply { at: Entry { passed_over: true, .. }, .. } => {}
            Scanned::Reply { key, at } => {
                index.insert(key, at);
            }
        }
        Ok(())
    })?;
    if scanned.lines == 0 {
        let what = "the journal ends before its first line does, so it is not known what was asked";
        return Err(Problem::error("journal", place(0), what).help("run anew: `ragline run`"));
    }
    file.set_len(scanned.whole).map_err(unreadable)?;
    let again = File::open(path).map_err(unreadable)?;
    let books = vec![Book { file: Mutex::new(again), shown }];
    Ok((Journal::go_on(file), Known { books, index, as_written: false }))
}

impl Entry {
    /// The same place in the journal of this number.
    pub(super) fn of_book(self, book: usize) -> Entry {
        Entry { book, ..self }
    }
}

/// A line of a journal.
pub(super) enum Scanned {
    /// What the run asks.
    Header(Header),
    /// Where the reply to a question stands.
    Reply {
        /// The question.
        key: Key,
        /// Its place.
        at: Entry,
    },
}

/// How far a journal was read.
pub(super) struct Length {
    /// The bytes of its whole lines.
    pub(super) whole: u64,
    /// How many there are.
    pub(super) lines: u32,
    /// Whether the last line is whole.
    pub(super) ended: bool,
}

/// Hands each whole line of a journal to `take`.
///
/// # Errors
/// When it cannot be read, or is damaged before its last line; or what `take` says.
pub(super) fn scan(
    file: &File,
    shown: &Arc<str>,
    take: &mut dyn FnMut(Scanned) -> Result<(), Problem>,
) -> Result<Length, Problem> {
    let place = |line: u32| Place { file: Arc::clone(shown), line, column: 0 };
    let unreadable = |e: io::Error| Problem::error("journal", place(0), format!("cannot read this journal: {e}"));
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut offset, mut line, mut bytes) = (0u64, 0u32, Vec::new());
    loop {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes).map_err(unreadable)?;
        if length == 0 || bytes.last() != Some(&b'\n') {
            return Ok(Length { whole: offset, lines: line, ended: length == 0 });
        }
        line += 1;
        let damaged = |e: serde_json::Error| {
            Problem::error("journal", place(line), format!("this line of the journal is damaged: {e}"))
                .help("this run cannot be used any more; run it anew: `ragline run`")
        };
        take(if line == 1 {
            Scanned::Header(serde_json::from_slice(&bytes).map_err(damaged)?)
        } else {
            let Head { suite, id, repeat, beside, passed_over } = serde_json::from_slice(&bytes).map_err(damaged)?;
            let at = Entry { book: 0, offset, length, line, passed_over };
            Scanned::Reply { key: (suite.into(), id.into(), repeat, beside), at }
        })?;
        offset += length as u64;
    }
}

/// Whether personal data was taken out of a response before it was written.
fn is_masked(raw: &RawValue) -> bool {
    response::parse(raw.get().as_bytes()).is_ok_and(|r| r.masked)
}

impl Known {
    /// The replies of several journals, none of which is written any more.
    pub(super) fn of(books: Vec<(File, Arc<str>)>, index: HashMap<Key, Entry>) -> Known {
        let books = books.into_iter().map(|(file, shown)| Book { file: Mutex::new(file), shown }).collect();
        Known { books, index, as_written: true }
    }

    /// Hands the lines of replies that are known to `take`, journal by journal, each in its order.
    ///
    /// # Errors
    /// When a journal cannot be read; or what `take` says.
    pub(super) fn copy(&self, take: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<(), Problem> {
        let mut all: Vec<Entry> = self.index.values().copied().filter(|at| !at.passed_over).collect();
        all.sort_unstable_by_key(|at| (at.book, at.offset));
        for at in all {
            if let Some(book) = self.books.get(at.book) {
                let line = book.line(at)?;
                take(&line).map_err(|e| Problem::error("journal", Place::default(), format!("cannot copy it: {e}")))?;
            }
        }
        Ok(())
    }

    /// How many replies are known.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// True when none is.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The reply to a question, where it is known.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(super) fn reply(&self, request: Request<'_>, beside: bool) -> Result<Option<Told>, Problem> {
        let key: Key = (request.suite.into(), request.id.into(), request.repeat, beside);
        let Some(at) = self.index.get(&key).copied() else { return Ok(None) };
        let Some(book) = self.books.get(at.book) else { return Ok(None) };
        let bytes = book.line(at)?;
        let read: Line<'_> = serde_json::from_slice(&bytes).map_err(|e| book.damaged(at.line, &e))?;
        let told = |reply| Ok(Some(Told { reply, examined: None }));
        let lines = |raw: &RawValue| Reply::Line { bytes: raw.get().as_bytes().to_vec(), line: at.line };
        match read {
            Line { response: Some(raw), examined: Some(examined), .. } => {
                Ok(Some(Told { reply: lines(raw), examined: Some(examined) }))
            }
            // What was taken out may be what a check looks for: it is asked again.
            Line { response: Some(raw), .. } if !self.as_written && is_masked(raw) => Ok(None),
            Line { response: Some(raw), .. } => told(lines(raw)),
            Line { missing: Some(why), .. } => told(Reply::Missing(why)),
            Line { failed: Some(why), kind, .. } => {
                let kind = kind.and_then(|k| FailureKind::parse(&k)).unwrap_or(FailureKind::Other);
                told(Reply::Failed(Failure::new(kind, why)))
            }
            Line { .. } => Err(book.damaged(at.line, &"it holds no reply")),
        }
    }
}

impl Book {
    /// A line, with its end.
    fn line(&self, Entry { offset, length, line, .. }: Entry) -> Result<Vec<u8>, Problem> {
        let mut bytes = vec![0; length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|e| self.damaged(line, &e))?;
        Ok(bytes)
    }

    fn damaged(&self, line: u32, e: &dyn std::fmt::Display) -> Problem {
        let place = Place { file: Arc::clone(&self.shown), line, column: 0 };
        Problem::error("journal", place, format!("this line of the journal is damaged: {e}"))
    }
}

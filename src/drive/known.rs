//! What a run that was ended has learnt: its journal, read back. Each reply is found by its question and read when it is
//! wanted; none is held.

use super::fingerprint::Fingerprint;
use super::journal::{Header, Journal, is_ours};
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

/// The replies of a journal.
#[derive(Debug)]
pub struct Known {
    file: Mutex<File>,
    shown: Arc<str>,
    index: HashMap<Key, Entry>,
}

type Key = (Box<str>, Box<str>, u32);

#[derive(Debug, Clone, Copy)]
struct Entry {
    offset: u64,
    length: usize,
    line: u32,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    suite: Cow<'a, str>,
    #[serde(borrow)]
    id: Cow<'a, str>,
    repeat: u32,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    response: Option<&'a RawValue>,
    missing: Option<String>,
    failed: Option<String>,
    #[serde(borrow)]
    kind: Option<Cow<'a, str>>,
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
    let mut reader = BufReader::with_capacity(1 << 16, &file);
    let (mut offset, mut line, mut bytes) = (0u64, 0u32, Vec::new());
    loop {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes).map_err(unreadable)?;
        if length == 0 || bytes.last() != Some(&b'\n') {
            break;
        }
        line += 1;
        let damaged = |e: serde_json::Error| {
            Problem::error("journal", place(line), format!("this line of the journal is damaged: {e}"))
                .help("this run cannot be resumed; run it anew: `ragline run`")
        };
        if line == 1 {
            let header: Header = serde_json::from_slice(&bytes).map_err(damaged)?;
            if let Some(what) = header.asks.differs(asks) {
                let what = format!("that run asked something else: {what}");
                return Err(Problem::error("run-differs", place(1), what)
                    .help("give the words of that run and leave its files as they were, or run anew: `ragline run`"));
            }
        } else {
            let Head { suite, id, repeat } = serde_json::from_slice(&bytes).map_err(damaged)?;
            index.insert((suite.into(), id.into(), repeat), Entry { offset, length, line });
        }
        offset += length as u64;
    }
    if line == 0 {
        let what = "the journal ends before its first line does, so it is not known what was asked";
        return Err(Problem::error("journal", place(0), what).help("run anew: `ragline run`"));
    }
    file.set_len(offset).map_err(unreadable)?;
    let again = File::open(path).map_err(unreadable)?;
    Ok((Journal::go_on(file), Known { file: Mutex::new(again), shown, index }))
}

/// Whether personal data was taken out of a response before it was written.
fn is_masked(raw: &RawValue) -> bool {
    response::parse(raw.get().as_bytes()).is_ok_and(|r| r.masked)
}

impl Known {
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
    pub(super) fn reply(&self, request: Request<'_>) -> Result<Option<Reply>, Problem> {
        let key: Key = (request.suite.into(), request.id.into(), request.repeat);
        let Some(Entry { offset, length, line }) = self.index.get(&key).copied() else { return Ok(None) };
        let mut bytes = vec![0; length];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(offset))
                .and_then(|_| file.read_exact(&mut bytes))
                .map_err(|e| self.damaged(line, &e))?;
        }
        let read: Line<'_> = serde_json::from_slice(&bytes).map_err(|e| self.damaged(line, &e))?;
        let reply = match read {
            // What was taken out may be what a check looks for: it is asked again.
            Line { response: Some(raw), .. } if is_masked(raw) => return Ok(None),
            Line { response: Some(raw), .. } => Reply::Line { bytes: raw.get().as_bytes().to_vec(), line },
            Line { missing: Some(why), .. } => Reply::Missing(why),
            Line { failed: Some(why), kind, .. } => {
                let kind = kind.and_then(|k| FailureKind::parse(&k)).unwrap_or(FailureKind::Other);
                Reply::Failed(Failure::new(kind, why))
            }
            Line { .. } => return Err(self.damaged(line, &"it holds no reply")),
        };
        Ok(Some(reply))
    }

    fn damaged(&self, line: u32, e: &dyn std::fmt::Display) -> Problem {
        let place = Place { file: Arc::clone(&self.shown), line, column: 0 };
        Problem::error("journal", place, format!("this line of the journal is damaged: {e}"))
    }
}

//! The journal of a run: every answer as it arrived. Answers that cost a call are written one by one, so that a crash
//! costs what was in flight; replayed ones are written together.

use super::Attempt;
use super::fingerprint::Fingerprint;
use super::shard::wire::Wire;
use crate::target::{Reply, Request};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// A journal that is written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// Lines that are not on disk yet.
    buffer: Vec<u8>,
    /// A write failed, perhaps in the middle of a line: nothing may follow it.
    failed: bool,
}

/// Lines of replayed answers go to disk together once they are so many bytes.
const TOGETHER: usize = 1 << 18;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub struct Header {
    /// 1.
    pub version: u32,
    /// `journal`.
    pub kind: String,
    /// What the run asks.
    #[serde(flatten)]
    pub asks: Fingerprint,
}

/// The head of a line; its body follows as `response`, `missing` or `failed`.
#[derive(Serialize)]
struct Head<'a> {
    suite: &'a str,
    id: &'a str,
    repeat: u32,
    /// The control arm was asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    beside: bool,
    ms: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    passed_over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<Vec<Sent<'a>>>,
}

/// One attempt that was sent.
#[derive(Serialize)]
struct Sent<'a> {
    ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
}

/// What is taken down of a question.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// What came of it.
    pub reply: &'a Reply,
    /// The control arm was asked.
    pub beside: bool,
    /// How long it took, waits included.
    pub took: Duration,
    /// Every attempt that was sent, where the target has manners.
    pub attempts: Option<&'a [Attempt]>,
    /// The answer stands in a file: its line may wait for others.
    pub replay: bool,
    /// The question was not asked, and the failure says why; a shard alone writes it down, so that its merge knows.
    pub passed_over: bool,
    /// What was made of a reply that stands here without its personal data; a shard alone writes it down.
    pub(in crate::drive) examined: Option<&'a Wire>,
}

fn ms(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

impl Journal {
    /// Starts a journal with its header line.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path, asks: &Fingerprint) -> io::Result<Journal> {
        let file = OpenOptions::new().create_new(true).append(true).open(path)?;
        // Where it cannot be locked nobody else could tell anyway.
        let _ = is_ours(&file);
        let mut journal = Journal { file, buffer: Vec::new(), failed: false };
        let header = Header { version: 1, kind: "journal".into(), asks: asks.clone() };
        serde_json::to_writer(&mut journal.buffer, &header)?;
        journal.buffer.push(b'\n');
        journal.flush()?;
        Ok(journal)
    }

    /// Goes on with a journal whose last line is whole. The file is open for appending.
    pub(super) fn go_on(file: File) -> Journal {
        Journal { file, buffer: Vec::new(), failed: false }
    }

    /// Appends what came of a question. What cost a call is on disk when this returns, in one write, so that its line is
    /// whole or the last one; a replay may wait for others. The bytes of a recorded line are copied as they are; the caller
    /// has read them as JSON.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn record(&mut self, request: Request<'_>, line: &Line<'_>) -> io::Result<()> {
        let Request { suite, id, question: _, language: _, repeat, within: _, fresh: _ } = request;
        let attempts = line.attempts.map(|all| {
            let sent = all.iter().map(|a| Sent {
                ms: ms(a.took),
                failed: a.failed.as_ref().map(|(_, why)| why.as_str()),
                kind: a.failed.as_ref().map(|(kind, _)| kind.name()),
            });
            sent.collect()
        });
        let out = &mut self.buffer;
        serde_json::to_writer(
            &mut *out,
            &Head {
                suite,
                id,
                repeat,
                beside: line.beside,
                ms: ms(line.took),
                passed_over: line.passed_over,
                attempts,
            },
        )?;
        out.pop();
        let mut body = |key: &str| {
            out.extend_from_slice(b",\"");
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(b"\":");
        };
        match line.reply {
            Reply::Line { bytes, .. } => {
                body("response");
                out.extend_from_slice(bytes);
            }
            Reply::Response(r) => {
                body("response");
                serde_json::to_writer(&mut *out, r)?;
            }
            Reply::Missing(why) => {
                body("missing");
                serde_json::to_writer(&mut *out, why)?;
            }
            Reply::Failed(f) => {
                body("failed");
                serde_json::to_writer(&mut *out, &f.why)?;
                out.extend_from_slice(b",\"kind\":\"");
                out.extend_from_slice(f.kind.name().as_bytes());
                out.push(b'"');
            }
        }
        if let Some(examined) = line.examined {
            out.extend_from_slice(b",\"examined\":");
            serde_json::to_writer(&mut *out, examined)?;
        }
        out.extend_from_slice(b"}\n");
        if line.replay && out.len() < TOGETHER { Ok(()) } else { self.flush() }
    }

    /// Brings every line to disk.
    ///
    /// # Errors
    /// When the file cannot be written, now or before.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier write failed"));
        }
        let written = self.file.write_all(&self.buffer);
        self.buffer.clear();
        self.failed = written.is_err();
        written
    }
}

/// Marks a journal as being written by this process, until the file is closed. False when another process writes it.
#[cfg(unix)]
pub(super) fn is_ours(file: &File) -> bool {
    // Some file systems know no locks: then nothing is known, and nothing is refused.
    !matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock))
}

/// Elsewhere a lock would keep others from reading, too: whoever looks at a journal that grows must not be refused.
#[cfg(not(unix))]
pub(super) fn is_ours(_file: &File) -> bool {
    true
}

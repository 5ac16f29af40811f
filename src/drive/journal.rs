//! The journal of a run: every answer as it arrived. Answers that cost a call are written one by one, so that a crash
//! costs what was in flight; replayed ones are written together.

use crate::target::{Reply, Request};
use serde::Serialize;
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
}

/// Lines of replayed answers go to disk together once they are so many bytes.
const TOGETHER: usize = 1 << 18;

/// The head of a line; its body follows as `response`, `missing` or `failed`.
#[derive(Serialize)]
struct Head<'a> {
    suite: &'a str,
    id: &'a str,
    repeat: u32,
    ms: u64,
}

impl Journal {
    /// Starts a journal with its header line.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn create(path: &Path) -> io::Result<Journal> {
        let mut file = OpenOptions::new().create_new(true).append(true).open(path)?;
        file.write_all(b"{\"version\":1,\"kind\":\"journal\"}\n")?;
        Ok(Journal { file, buffer: Vec::new() })
    }

    /// Appends one answer. An answer that cost a call is on disk when this returns, in one write, so that its line is whole
    /// or absent; a `replay` may wait for others. The bytes of a recorded line are copied as they are; the caller has read
    /// them as JSON.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn record(&mut self, request: Request<'_>, reply: &Reply, took: Duration, replay: bool) -> io::Result<()> {
        let Request { suite, id, question: _, repeat, within: _ } = request;
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let out = &mut self.buffer;
        serde_json::to_writer(&mut *out, &Head { suite, id, repeat, ms })?;
        out.pop();
        let mut body = |key: &str| {
            out.extend_from_slice(b",\"");
            out.extend_from_slice(key.as_bytes());
            out.extend_from_slice(b"\":");
        };
        match reply {
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
            }
        }
        out.extend_from_slice(b"}\n");
        if replay && out.len() < TOGETHER { Ok(()) } else { self.flush() }
    }

    /// Brings every line to disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.buffer);
        self.buffer.clear();
        written
    }
}

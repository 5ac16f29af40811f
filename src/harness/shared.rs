//! Answers shared by the processes of one nextest run: each question is asked once, by whoever comes first.
//!
//! A question has a lock file of its own, whose lock the operating system gives back when its holder ends, however it
//! ends; its answer is written beside it and then renamed, so that the answer file is whole or absent and is itself the
//! mark that the question is done. A process that finds the lock taken waits for the answer without holding a thread, so
//! two processes cannot wait for each other.

use crate::digest::Hasher;
use crate::layer::Provides;
use crate::target::response::{self, OwnedResponse};
use crate::target::{Again, Failure, FailureKind, Pending, Reply, Request, Target};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a process waits before it looks again whether another has answered.
const PAUSE: Duration = Duration::from_millis(5);

/// A target whose answers are shared through a folder.
pub struct Shared {
    inner: Arc<dyn Target>,
    folder: PathBuf,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Makes the folder; `.ragline/` ignores itself in git.
///
/// # Errors
/// When it cannot be made.
pub fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    if let Some(top) = folder.parent().and_then(Path::parent) {
        let ignore = top.join(".gitignore");
        if !ignore.exists() {
            fs::write(ignore, "*\n")?;
        }
    }
    Ok(())
}

/// An answer as the file holds it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Stored {
    Response(String),
    Missing(String),
    Stale(String),
    Failed(String),
}

impl Shared {
    /// Shares the answers of a target through a folder.
    pub fn new(inner: Arc<dyn Target>, folder: PathBuf) -> Self {
        Shared { inner, folder }
    }

    async fn ask_once(&self, request: Request<'_>) -> Reply {
        let mut h = Hasher::default();
        for field in [self.inner.name(), request.suite, request.id, &request.repeat.to_string(), request.question] {
            h.field(field);
        }
        let stem = self.folder.join(h.short());
        let answer = stem.with_extension("json");
        let failed = |e: &dyn std::fmt::Display| {
            Reply::Failed(Failure::new(
                FailureKind::Other,
                format!("cannot share answers in {}: {e}", self.folder.display()),
            ))
        };
        let lock = match File::options().create(true).truncate(false).write(true).open(stem.with_extension("lock")) {
            Ok(f) => f,
            Err(e) => return failed(&e),
        };
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(e)) => return failed(&e),
            }
            tokio::time::sleep(PAUSE).await;
        }
        // The lock is given back when `lock` is dropped, or by the operating system when this process ends.
        if let Ok(bytes) = fs::read(&answer) {
            return match serde_json::from_slice::<Stored>(&bytes) {
                Ok(stored) => stored.into(),
                Err(e) => failed(&e),
            };
        }
        let reply = self.inner.ask(request).await;
        // What passes by itself is nobody's answer: another attempt may do better.
        if matches!(&reply, Reply::Failed(f) if f.again != Again::Never) {
            return reply;
        }
        let Some(stored) = Stored::of(&reply) else { return reply };
        let partial = stem.with_extension("partial");
        let written = serde_json::to_vec(&stored)
            .map_err(io::Error::from)
            .and_then(|bytes| fs::write(&partial, bytes))
            .and_then(|()| fs::rename(&partial, &answer));
        match written {
            Ok(()) => reply,
            Err(e) => failed(&e),
        }
    }
}

impl Stored {
    /// What is stored of a reply; nothing for a line that is not text, which is reported where it is read.
    fn of(reply: &Reply) -> Option<Stored> {
        Some(match reply {
            Reply::Line { bytes, .. } => Stored::Response(String::from_utf8(bytes.clone()).ok()?),
            Reply::Response(r) => Stored::Response(serde_json::to_string(r).ok()?),
            Reply::Missing(why) => Stored::Missing(why.clone()),
            Reply::Failed(f) if f.kind == FailureKind::Stale => Stored::Stale(f.why.clone()),
            Reply::Failed(f) => Stored::Failed(f.why.clone()),
        })
    }
}

impl From<Stored> for Reply {
    fn from(stored: Stored) -> Reply {
        match stored {
            Stored::Response(text) => match response::parse(text.as_bytes()).map(response::Response::into_owned) {
                Ok(r) => Reply::Response(r as OwnedResponse),
                // The same line, so that its fault is reported where it is read.
                Err(_) => Reply::Line { bytes: text.into_bytes(), line: 0 },
            },
            Stored::Missing(why) => Reply::Missing(why),
            Stored::Stale(why) => Reply::Failed(Failure::new(FailureKind::Stale, why)),
            Stored::Failed(why) => Reply::Failed(Failure::new(FailureKind::Other, why)),
        }
    }
}

impl Target for Shared {
    fn inner(&self) -> Option<&dyn Target> {
        Some(self.inner.as_ref())
    }

    fn name(&self) -> &str {
        self.inner.name()
    }

    fn provides(&self) -> Provides {
        self.inner.provides()
    }

    fn subject(&self) -> Option<String> {
        self.inner.subject()
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        Box::pin(self.ask_once(request))
    }
}

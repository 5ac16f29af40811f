//! Recorded answers that stand for a target: `replay` asks nobody, `fill` asks for what is missing.
//!
//! A [`Standing`] is put before every target that is asked anew, whether or not it has a recording: what comes back is
//! stamped with what a recording needs (the request's key, the repeat, the time it took), so that any run can be saved.

use super::recorded::Recorded;
use super::{Closing, Failure, Manners, Opening, Pending, Reply, Request, Target};
use crate::layer::Provides;
use crate::secret::Secrets;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::sync::OnceCell;

/// What a target may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// Everything: no recording stands for it.
    Everything,
    /// What its recording does not hold.
    Missing,
    /// Nothing: nobody is called, whatever is missing.
    Nothing,
}

/// A target with the recording that stands for it.
pub struct Standing {
    inner: Arc<dyn Target>,
    recording: Option<Arc<Recorded>>,
    asks: Asks,
    /// The recording as messages show it, also where there is none.
    shown: String,
    /// Whether something will be asked: else nothing is started.
    needed: AtomicBool,
    /// Suites share a target, and it is started once.
    opened: OnceCell<Result<(), Failure>>,
    closed: AtomicBool,
}

impl std::fmt::Debug for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Standing").field("asks", &self.asks).field("shown", &self.shown).finish_non_exhaustive()
    }
}

impl Standing {
    /// A target, what it may be asked, and the recording that stands for it (`shown` in messages).
    pub fn new(inner: Arc<dyn Target>, asks: Asks, recording: Option<Arc<Recorded>>, shown: &str) -> Standing {
        Standing {
            inner,
            recording,
            asks,
            shown: shown.to_owned(),
            needed: AtomicBool::new(asks == Asks::Everything),
            opened: OnceCell::new(),
            closed: AtomicBool::new(false),
        }
    }

    /// What the target may be asked.
    pub fn asks(&self) -> Asks {
        self.asks
    }

    /// The recording, where there is one.
    pub fn recording(&self) -> Option<&Arc<Recorded>> {
        self.recording.as_ref()
    }

    /// The recorded answer to a request; none where the target itself would be asked, whatever is on file.
    fn recorded(&self, request: Request<'_>) -> Option<Reply> {
        if self.asks == Asks::Everything {
            return None;
        }
        let key = self.inner.key(request);
        let subject = self.inner.subject();
        Some(match &self.recording {
            Some(r) => r.answer(request, key.as_deref(), subject.as_deref()),
            None => Reply::Missing(format!("no recording: there is no file {}", self.shown)),
        })
    }

    /// Whether a recorded answer fits a request, so that nobody is called for it.
    pub fn on_file(&self, request: Request<'_>) -> bool {
        matches!(self.recorded(request), Some(Reply::Line { .. }))
    }

    /// Says that something will be asked that is not on file. Before this, a target whose answers may all be on file is
    /// not started.
    pub fn will_ask(&self) {
        self.needed.store(true, Ordering::Relaxed);
    }

    fn is_called(&self) -> bool {
        self.asks != Asks::Nothing && self.needed.load(Ordering::Relaxed)
    }

    async fn answer(&self, request: Request<'_>) -> Reply {
        match self.recorded(request) {
            Some(reply @ Reply::Line { .. }) => return reply,
            Some(reply) if self.asks == Asks::Nothing => return reply,
            Some(_) | None => {}
        }
        let began = Instant::now();
        let reply = self.inner.ask(request).await;
        let Reply::Response(mut r) = reply else { return reply };
        r.id = request.id.to_owned().into();
        r.repeat = request.repeat;
        r.key = self.inner.key(request).map(Into::into);
        r.latency_ms = r.latency_ms.or_else(|| u64::try_from(began.elapsed().as_millis()).ok());
        Reply::Response(r)
    }
}

impl Target for Standing {
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

    fn file(&self) -> &str {
        &self.shown
    }

    fn is_replay(&self) -> bool {
        !self.is_called() || self.inner.is_replay()
    }

    fn manners(&self) -> Option<Manners> {
        if self.is_called() { self.inner.manners() } else { None }
    }

    fn at_hand(&self, request: Request<'_>) -> Option<Reply> {
        if self.asks != Asks::Missing {
            return None;
        }
        self.recorded(request).filter(|reply| matches!(reply, Reply::Line { .. }))
    }

    fn secrets(&self) -> Option<Arc<Secrets>> {
        // A recording holds none, and what stands in for a missing key must not be looked for in its answers.
        if self.asks == Asks::Nothing { None } else { self.inner.secrets() }
    }

    fn open(&self) -> Opening<'_> {
        Box::pin(async {
            if !self.is_called() {
                return Ok(());
            }
            self.opened.get_or_init(|| self.inner.open()).await.clone()
        })
    }

    fn close(&self) -> Closing<'_> {
        Box::pin(async {
            if self.is_called() && !self.closed.swap(true, Ordering::Relaxed) {
                self.inner.close().await;
            }
        })
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        Box::pin(self.answer(request))
    }
}

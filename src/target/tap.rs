//! A target whose replies are looked at on their way, such as by `ragline ask`, which shows a reply that no run keeps.

use super::{Manners, Opening, Pending, Reply, Request, Target};
use crate::layer::Provides;
use crate::secret::Secrets;
use crate::target::response::OwnedResponse;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

/// The last response that passed; a clone looks at the same place.
#[derive(Debug, Clone, Default)]
pub struct Seen(Arc<Mutex<Option<OwnedResponse>>>);

impl Seen {
    /// Takes what was seen.
    pub fn take(&self) -> Option<OwnedResponse> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A target with a tap.
pub struct Tap {
    inner: Arc<dyn Target>,
    seen: Seen,
}

impl Tap {
    /// Puts a tap on a target.
    pub fn new(inner: Arc<dyn Target>, seen: Seen) -> Tap {
        Tap { inner, seen }
    }
}

impl Target for Tap {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn provides(&self) -> Provides {
        self.inner.provides()
    }

    fn subject(&self) -> Option<String> {
        self.inner.subject()
    }

    fn passages(&self) -> Option<usize> {
        self.inner.passages()
    }

    fn concurrency(&self) -> usize {
        self.inner.concurrency()
    }

    fn is_replay(&self) -> bool {
        self.inner.is_replay()
    }

    fn manners(&self) -> Option<Manners> {
        self.inner.manners()
    }

    fn key(&self, request: Request<'_>) -> Option<String> {
        self.inner.key(request)
    }

    fn file(&self) -> &str {
        self.inner.file()
    }

    fn secrets(&self) -> Option<Arc<Secrets>> {
        self.inner.secrets()
    }

    fn open(&self) -> Opening<'_> {
        self.inner.open()
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.inner.close()
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        Box::pin(async move {
            let reply = self.inner.ask(request).await;
            let response = match &reply {
                Reply::Response(r) => Some(r.clone()),
                Reply::Line { bytes, .. } => {
                    super::response::parse(bytes).ok().map(super::response::Response::into_owned)
                }
                Reply::Missing(_) | Reply::Failed(_) => None,
            };
            if let Some(response) = response {
                *self.seen.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(response);
            }
            reply
        })
    }
}

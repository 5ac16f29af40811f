//! A target whose replies are looked at on their way, such as by `ragline ask`, which shows a reply that no run keeps.

use super::{Pending, Reply, Request, Target};
use crate::layer::Provides;
use crate::target::response::OwnedResponse;
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

//! Calls that follow from each other: what is asked next hangs on what came. The same attempts, budgets and manners as for
//! questions of a suite.

use super::attempt::{Asked, Asking};
use super::host::Host;
use super::later;
use crate::target::{Manners, Reply, Request, Target};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// One target for such calls.
pub(in crate::drive) struct Calls {
    target: Arc<dyn Target>,
    manners: Manners,
    host: Arc<Host>,
    /// As many at once as the target takes. Those that wait here do not crowd the host.
    room: Semaphore,
    run_ends: Instant,
}

impl Calls {
    /// Calls of a target with manners, whose run begins now; nothing for one without.
    pub(in crate::drive) fn new(target: Arc<dyn Target>) -> Option<Calls> {
        let manners = target.manners()?;
        let host = Host::new(&manners.host);
        let at_once = target.concurrency().clamp(1, Semaphore::MAX_PERMITS);
        host.take_up(at_once, manners.rate);
        let run_ends = later(Instant::now(), manners.timeouts.run);
        Some(Calls { target, manners, host: Arc::new(host), room: Semaphore::new(at_once), run_ends })
    }

    /// Makes one call, with as many attempts as the settings allow.
    pub(in crate::drive) async fn ask(&self, request: Request<'_>) -> Reply {
        // A closed semaphore would only mean that nobody limits any more.
        let _room = self.room.acquire().await.ok();
        let pass = match self.host.enter(false).await {
            Ok(pass) => pass,
            Err(given_up) => return Reply::Failed(given_up),
        };
        let asking = Asking {
            target: self.target.as_ref(),
            manners: &self.manners,
            host: &self.host,
            run_ends: self.run_ends,
            progress: None,
        };
        let Asked { reply, attempts: _ } = asking.question(request, pass).await;
        reply
    }
}

//! Processes that are on their way out: nobody waits for their grace, but for the end of the run.

use crate::target::process::{GRACE, Running};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::task::JoinHandle;

/// The processes that are being ended.
#[derive(Debug, Default)]
pub(super) struct Endings(Mutex<Vec<JoinHandle<()>>>);

impl Endings {
    /// Ends a process with its group. Dropped with the runtime, it is killed.
    pub(super) fn end(&self, running: Running) {
        self.add(async move {
            running.end(GRACE).await;
        });
    }

    /// Does what it takes to end a process.
    pub(super) fn add(&self, ending: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.lock();
        tasks.retain(|t| !t.is_finished());
        tasks.push(tokio::spawn(ending));
    }

    /// Waits until all of them are gone.
    pub(super) async fn all(&self) {
        loop {
            let tasks = std::mem::take(&mut *self.lock());
            if tasks.is_empty() {
                return;
            }
            for task in tasks {
                // One that broke has dropped its process, which is as good.
                let _ = task.await;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

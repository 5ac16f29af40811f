//! Ending a run from outside: what is in flight is dropped, what is left is told as interrupted.

use std::io;
use std::sync::Arc;
use tokio::sync::watch;

/// How the process ends at the second signal: 128 and the number of SIGINT, as shells tell it.
const AT_ONCE: i32 = 130;

/// A switch that ends runs. Its clones are one switch; once thrown it stays so.
#[derive(Debug, Clone)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Default for Stop {
    fn default() -> Self {
        Stop(Arc::new(watch::Sender::new(false)))
    }
}

impl Stop {
    /// A switch that nobody has thrown.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Throws it.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Whether it was thrown.
    pub fn is_stopped(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is thrown.
    pub(super) async fn stopped(&self) {
        // The sender lives as long as this switch, so the wait ends only by being thrown.
        let _ = self.0.subscribe().wait_for(|thrown| *thrown).await;
    }

    /// A switch that the first SIGINT or SIGTERM (elsewhere than on Unix: Ctrl-C) throws, for the rest of the process's
    /// life. The second ends the process at once with 130. For a command only: a library has no business with the
    /// signals of its host.
    ///
    /// # Errors
    /// When the operating system lets us neither listen nor start a thread.
    pub fn on_signals() -> io::Result<Stop> {
        let stop = Stop::new();
        // A runtime of its own: signals must be heard before the driver's begins and after it has ended.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let mut signals = {
            let _inside = runtime.enter();
            Signals::listen()?
        };
        let thrown = stop.clone();
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            runtime.block_on(async move {
                signals.next().await;
                thrown.stop();
                signals.next().await;
                // Nothing is dropped from here on.
                crate::target::kill_all();
                super::worktree::remove_all();
                std::process::exit(AT_ONCE);
            });
        })?;
        Ok(stop)
    }
}

#[cfg(unix)]
struct Signals {
    int: tokio::signal::unix::Signal,
    term: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn listen() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals { int: signal(SignalKind::interrupt())?, term: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.int.recv() => {}
            _ = self.term.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> io::Result<Signals> {
        Ok(Signals)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stop;

    #[test]
    fn a_clone_is_the_same_switch_and_who_comes_late_still_sees_it() {
        let stop = Stop::new();
        let other = stop.clone();
        assert!(!stop.is_stopped());
        other.stop();
        assert!(stop.is_stopped());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(stop.stopped());
    }
}

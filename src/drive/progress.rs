//! What a run tells of itself while it goes on, for somebody who waits. None of it decides anything.

use crate::privacy::Masker;
use std::sync::Arc;
use std::time::Duration;

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// The run begins.
    Begun {
        /// Questions that are to be asked, or are answered by the journal of a run that is resumed.
        questions: usize,
    },
    /// Questions came out otherwise than accepted, and are asked anew.
    Anew {
        /// How many times a target will be asked for that.
        questions: usize,
    },
    /// A question is being asked; `Back` follows.
    Asking,
    /// A question is no longer being asked, whether it has its reply or was given up.
    Back,
    /// An attempt failed, and another follows.
    Again {
        /// Why it failed.
        why: &'a str,
    },
    /// A question is settled: it has its reply, from its target or from a journal, or will have none.
    Settled {
        /// Whether it is a response.
        answered: bool,
    },
    /// Nothing is asked for a while.
    Waiting {
        /// Of whom it is not asked: a host, or a target.
        whom: &'a str,
        /// Why.
        why: &'a str,
        /// How long, where that is known.
        how_long: Option<Duration>,
    },
    /// The run is being ended from outside.
    Stopping,
}

/// Somebody who watches a run. Called from many threads, also while questions are in flight: it must not block for long.
pub trait Progress: Send + Sync {
    /// Takes one step.
    fn step(&self, step: Step<'_>);
}

/// Tells another watcher the same, with reasons from which personal data was taken out.
pub(super) struct Masking {
    pub(super) inner: Arc<dyn Progress>,
    pub(super) mask: Masker,
}

impl Progress for Masking {
    fn step(&self, step: Step<'_>) {
        match step {
            Step::Again { why } => self.inner.step(Step::Again { why: &self.mask.text(why) }),
            Step::Waiting { whom, why, how_long } => {
                self.inner.step(Step::Waiting { whom, why: &self.mask.text(why), how_long });
            }
            Step::Begun { .. }
            | Step::Anew { .. }
            | Step::Asking
            | Step::Back
            | Step::Settled { .. }
            | Step::Stopping => {
                self.inner.step(step);
            }
        }
    }
}

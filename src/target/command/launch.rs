//! What is run for a question, within which limits, and how its failures are worded.

use super::spawn;
use crate::secret::Secrets;
use crate::target::process::{self, LINGER, Running};
use crate::target::{Again, Failure, FailureKind, words};
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

/// The program and its arguments.
pub(super) struct Launch<'a> {
    pub(super) words: &'a [&'a str],
    /// What messages call it.
    pub(super) shown: &'a str,
    pub(super) folder: &'a Path,
    pub(super) secrets: &'a Secrets,
}

/// The limits of one answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes.
    pub(super) bytes: usize,
    /// Time.
    pub(super) within: Duration,
}

/// `EX_TEMPFAIL` of sysexits(3): the program says itself that it may do better another time.
const PASSING: i32 = 75;

impl Launch<'_> {
    /// Starts a process.
    ///
    /// # Errors
    /// [`FailureKind::Process`] where it cannot be run.
    pub(super) fn start(&self) -> Result<Running, Failure> {
        let (program, arguments) = self.words.split_first().unwrap_or((&"", &[]));
        spawn(program, arguments, self.folder, true, &[])
            .map_err(|why| Failure::new(FailureKind::Process, format!("`{}` {why}", self.shown)))
    }

    /// It ended with a status that is no success, or too early.
    pub(super) async fn ended(&self, running: &mut Running, status: Option<ExitStatus>, when: &str) -> Failure {
        running.errors.settle(LINGER).await;
        let what = format!("`{}` {}{when}", self.shown, process::ended(status));
        let again = if status.and_then(|s| s.code()) == Some(PASSING) { Again::Soon } else { Again::Never };
        Failure::new(FailureKind::Process, words::because(&what, &self.said(running))).again(again)
    }

    /// Its time is over.
    pub(super) fn late(&self, running: &Running, limits: Limits) -> Failure {
        let what = format!("no answer within {}", words::time(limits.within));
        Failure::new(FailureKind::Total, words::because(&what, &self.said(running)))
    }

    /// It printed too much.
    pub(super) fn too_large(&self, limits: Limits) -> Failure {
        let what =
            format!("`{}` printed more than {}: output over `max_output`", self.shown, words::size(limits.bytes));
        Failure::new(FailureKind::TooLarge, what)
    }

    fn said(&self, running: &Running) -> String {
        words::last_line(&running.errors.tail(), self.secrets)
    }
}

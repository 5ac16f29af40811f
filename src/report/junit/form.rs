//! What a user may ask of the file: how known failures show, which elements it may hold, whether times stand in it.

use std::collections::HashMap;
use std::time::Duration;

/// How a failure shows that the baseline knows of: a known failure, a flaky question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Known {
    /// As a passed case; its property says what it is.
    Pass,
    /// As a skipped case with the reason.
    #[default]
    Skipped,
    /// As a failure, although the gate lets it through.
    Failure,
}

/// Which elements and attributes the file may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// What most readers take: `file` and `line`, properties of a case, counts of skipped cases on every level.
    #[default]
    Usual,
    /// What the schema of Jenkins' xUnit plugin allows (`junit-10.xsd`) and nothing else: no `file`, `line` or properties of a
    /// case, which go into `system-out`, and no `skipped` at the top.
    Strict,
}

/// How long each question took, and how often it was sent, by suite and id.
#[derive(Debug, Clone, Default)]
pub struct Times {
    ms: HashMap<(String, String), u64>,
    /// Only those that were sent more than once.
    attempts: HashMap<(String, String), usize>,
}

impl Times {
    /// Adds the time of an answer, in milliseconds; those of several answers to a question add up.
    pub fn add(&mut self, suite: &str, id: &str, ms: u64) {
        let sum = self.ms.entry((suite.to_owned(), id.to_owned())).or_default();
        *sum = sum.saturating_add(ms);
    }

    pub(super) fn of(&self, suite: &str, id: &str) -> Option<Duration> {
        self.ms.get(&(suite.to_owned(), id.to_owned())).map(|ms| Duration::from_millis(*ms))
    }

    /// Says how many attempts an answer took; one is not told, and of several answers to a question the most.
    pub fn sent(&mut self, suite: &str, id: &str, attempts: usize) {
        if attempts > 1 {
            let most = self.attempts.entry((suite.to_owned(), id.to_owned())).or_default();
            *most = attempts.max(*most);
        }
    }

    pub(super) fn attempts(&self, suite: &str, id: &str) -> Option<usize> {
        self.attempts.get(&(suite.to_owned(), id.to_owned())).copied()
    }
}

/// What is asked of the file.
#[derive(Debug, Clone, Default)]
pub struct Form {
    /// How known failures show.
    pub known: Known,
    /// What the file may hold.
    pub dialect: Dialect,
    /// Times to state; without them the file has none, and two runs with the same outcomes give the same bytes.
    pub times: Option<Times>,
}

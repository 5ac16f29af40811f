//! The gate: thresholds, the decision, the exit codes.

mod chance;
pub mod decide;
pub mod exit;
pub mod expected;
pub mod modes;
pub mod primary;
pub mod refusals;
pub mod rules;
pub mod summary;
pub mod thresholds;

pub use exit::Exit;

use crate::core::Change;
use crate::layer::LayerId;
use crate::problem::Place;
use std::sync::Arc;

/// How what would have blocked and only advises is told, in front of what became of the question.
pub const ADVISED: &str = "advisory: would have blocked";

/// The decision of a run: the same in every report and in the exit code.
#[derive(Debug, Clone)]
pub struct Decision {
    /// The exit code. Rules that only advise do not count.
    pub exit: Exit,
    /// What the exit would have been had every rule counted; the same as `exit` where none only advises.
    pub exit_if_blocking: Exit,
    /// True where the whole policy only advises.
    pub advisory: bool,
    /// Every rule that was looked at, in the order of their weight.
    pub rules: Vec<RuleOutcome>,
    /// Questions by change, in the order of [`Change::ALL`]; changes with no question are left out.
    pub tally: Vec<(Change, usize)>,
    /// Sums per suite.
    pub suites: Vec<SuiteSummary>,
    /// What a reader does next, each one line (`ragline accept …`), without the program's output around it.
    pub next: Vec<String>,
    /// What a reader should know of the run beside the decision, a line each: it blocks nothing.
    pub notices: Vec<String>,
    /// How often it blocks a build in which nothing changed, in a sentence; none where no answer varies.
    pub by_chance: Option<String>,
}

/// One rule of the gate.
#[derive(Debug, Clone)]
pub struct RuleOutcome {
    /// Stable name, the test's name in `rag.gate` and after `gate::`: `max_regressed`, `critical`, `stale`,
    /// `shop-vi.retrieval.hit@3`.
    pub name: String,
    /// Where the rule stands; none for a default that no file states.
    pub place: Option<Place>,
    /// What came of it.
    pub verdict: RuleVerdict,
    /// One line: `2 regressed, at most 0`.
    pub message: String,
}

/// What came of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleVerdict {
    /// It holds.
    Holds,
    /// It does not; this exit code follows.
    Broken(Exit),
    /// It does not, in parts that only advise; this exit code would follow.
    Advised(Exit),
    /// It was not looked at: the run is partial, or there is no baseline yet.
    NotEvaluated,
}

/// Sums of one suite.
#[derive(Debug, Clone)]
pub struct SuiteSummary {
    /// The suite.
    pub suite: Arc<str>,
    /// Per layer, in report order.
    pub layers: Vec<LayerSummary>,
    /// `checked 5 of 5 layers`: how many layers had anything to measure for at least one question.
    pub checked_layers: usize,
    /// Refusals in both directions; none where there is nothing to tell.
    pub refusals: Option<refusals::Refusals>,
    /// One sentence on what the suite cannot see, where it can be said.
    pub blind: Option<String>,
    /// What was not looked at, of questions that pass; a sentence each.
    pub unchecked: Vec<String>,
}

/// Sums of one layer of one suite.
#[derive(Debug, Clone)]
pub struct LayerSummary {
    /// The layer.
    pub layer: LayerId,
    /// Questions that passed.
    pub pass: usize,
    /// Questions that failed.
    pub fail: usize,
    /// Questions that should have been measured and were not.
    pub unmeasured: usize,
    /// Skipped: nothing to check.
    pub not_applicable: usize,
    /// Skipped: switched off.
    pub off: usize,
    /// Skipped: the target does not return what the layer needs.
    pub not_observed: usize,
    /// Questions among pass and fail whose accepted outcome is known and was a pass.
    pub was_pass: Option<usize>,
    /// Wilson's 95 % interval of the share of passes; none when nothing was measured.
    pub interval: Option<(f64, f64)>,
    /// The share of passes that a random ranking would have; retrieval only, and none when the number of passages is
    /// not known.
    pub random: Option<f64>,
    /// Means over the questions that were measured.
    pub means: Vec<Mean>,
}

/// A mean with all that must stand beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mean {
    /// `hit@3`, `rr`, `ndcg@10`, …
    pub name: String,
    /// The mean.
    pub value: f64,
    /// Over how many questions.
    pub n: usize,
    /// 95 % interval; none when it cannot be stated.
    pub interval: Option<(f64, f64)>,
    /// The same mean for a random ranking; none when the number of passages is not known.
    pub random: Option<f64>,
}

//! What happened in a run, as a stream of events: every report is a reader of them, and none decides anything.

use super::plan::Shard;
use super::state::{Change, Verdict};
use crate::diagnose::{Diagnosis, EvidenceFacts};
use crate::gate::Decision;
use crate::layer::{LayerMap, LayerResult, Outcome};
use crate::loosened::MeasureChange;
use crate::problem::Place;
use crate::stats::Rate;
use crate::suite::{Expect, QuestionId, Severity};
use jiff::civil::Date;
use std::sync::Arc;

/// One event. They come in this order: `Started`, a `Question` for each question in suite order (removed ones last
/// within their suite), `Decided`.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The run begins.
    Started(&'a RunHeader),
    /// A question is finished.
    Question(&'a QuestionReport),
    /// The decision.
    Decided(&'a Decision),
}

/// A reader of the events of a run.
pub trait Reporter {
    /// Takes one event.
    ///
    /// # Errors
    /// When the report could not be written.
    fn event(&mut self, event: Event<'_>) -> std::io::Result<()>;
}

/// What a run is about.
#[derive(Debug, Clone, Default)]
pub struct RunHeader {
    /// The run's id: the name of its folder.
    pub id: String,
    /// The suites, in order.
    pub suites: Vec<SuiteHeader>,
    /// The profile, where one was named.
    pub profile: Option<String>,
    /// Selected and all questions, when the run is partial.
    pub partial: Option<(usize, usize)>,
    /// The share of the questions that this run asked, where others asked the rest.
    pub shard: Option<Shard>,
    /// What kept the gate from being evaluated in full: `gate not evaluated in full: 12 questions not asked for want of
    /// SHOP_TOKEN`.
    pub not_in_full: Option<String>,
    /// The commit whose policy and baselines decide, where it is another one than that under test: `origin/main (a41c9e0d)`.
    pub policy_from: Option<String>,
    /// What the branch changes of what decides, what it loosens first.
    pub measure_changes: Vec<MeasureChange>,
    /// How the failing questions of this run can be repeated: the words after `ragline run` that are not selectors,
    /// such as `--answers FILE`; may be empty.
    pub repeat_args: String,
}

/// One suite of a run.
#[derive(Debug, Clone)]
pub struct SuiteHeader {
    /// Its name.
    pub name: Arc<str>,
    /// Its file as messages show it.
    pub shown: Arc<str>,
    /// Questions of the file.
    pub questions: usize,
    /// Questions of this run.
    pub selected: usize,
    /// The target, or the recording that stands for it.
    pub target: String,
    /// The identity of what is tested, where known.
    pub subject: Option<String>,
    /// The baseline.
    pub baseline: BaselineState,
}

/// Whether there is a baseline to compare with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaselineState {
    /// There is; its file as messages show it.
    Present(String),
    /// There should be one at this path.
    Missing(String),
    /// The policy says to judge each question by its own assertions.
    NotUsed,
}

/// A finished question.
#[derive(Debug, Clone)]
pub struct QuestionReport {
    /// Its suite.
    pub suite: Arc<str>,
    /// Its id.
    pub id: QuestionId,
    /// Where it stands; for a removed question, its block in the baseline.
    pub place: Place,
    /// What was asked.
    pub question: String,
    /// What was expected.
    pub expect: Expect,
    /// The digest of all that is expected; for a removed question, of what was.
    pub expects: String,
    /// How much it matters.
    pub severity: Severity,
    /// Tags.
    pub tags: Vec<String>,
    /// The questions with which it shares evidence: one cluster in statistics.
    pub group: Option<String>,
    /// Who is asked when it breaks: the baseline's owner of a known failure, else the question's.
    pub owner: Option<String>,
    /// The worst of its layers: fail, unmeasured, pass; skipped when nothing could be checked (a draft, a removed one).
    pub outcome: Outcome,
    /// What changed.
    pub change: Change,
    /// What it counts as.
    pub verdict: Verdict,
    /// A second line on the change, such as `expects was edited` or `renamed?`; may be absent.
    pub change_note: Option<String>,
    /// Each layer.
    pub layers: LayerMap<LayerReport>,
    /// Evidence for the diagnosis.
    pub evidence: EvidenceFacts,
    /// The first layer at fault, when something is wrong.
    pub diagnosis: Option<Diagnosis>,
    /// The answer; kept only when something is wrong or changed.
    pub answer: Option<String>,
    /// The accepted answer, when there is one and something changed.
    pub was_answer: Option<String>,
    /// Whether the passages are the same as those of the accepted answer; none when that is not known.
    pub same_contexts: Option<bool>,
    /// The reason of an accepted failure, as the baseline states it.
    pub known_reason: Option<String>,
    /// The last day of its quarantine, where it is quarantined on the day of the run.
    pub quarantined: Option<Date>,
    /// How its runs came out, where there were several.
    pub repeats: Option<Repeats>,
    /// Which of its runs is the one that is reported: 0 for the first.
    pub shown_repeat: u32,
}

/// The runs of a question that was asked several times: those that passed, of those that were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeats {
    /// The first runs: as many as every question has.
    pub first: Rate,
    /// Those that were asked anew, because the first ones came out otherwise than accepted; none where none was.
    pub fresh: Option<Rate>,
    /// The same asked of the control arm.
    pub base: Option<Rate>,
    /// What is known of a flaky question.
    pub floor: Option<Rate>,
    /// So many of the last fresh runs were right, one after the other.
    pub right_running: u64,
    /// The same of each layer, which may vary where the question does not: one that fails in every run may fail in another
    /// layer each time.
    pub layers: LayerMap<LayerRuns>,
}

/// The runs of one layer: those in which it passed, of those in which it passed or failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayerRuns {
    /// The first runs.
    pub first: Rate,
    /// Those that were asked anew.
    pub fresh: Rate,
}

/// One layer of a finished question.
#[derive(Debug, Clone)]
pub struct LayerReport {
    /// What the layer found.
    pub result: LayerResult,
    /// What was accepted for it, if anything.
    pub was: Option<Outcome>,
    /// What changed.
    pub change: Change,
    /// A fail is shown and tolerated (`layers: { … : warn }`).
    pub warn: bool,
}

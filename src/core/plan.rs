//! What a run is to do: everything that the core needs to know before the first question is asked.

use crate::baseline::{Baseline, Entry};
use crate::confirm::Spend;
use crate::gate::expected::Expected;
use crate::gate::thresholds::Thresholds;
use crate::history::known::Known;
use crate::labels::Label;
use crate::layer::Provides;
use crate::layer::address::page;
use crate::layer::refusal::Own;
use crate::layer::retrieval::random::Holdings;
use crate::loosened::MeasureChange;
use crate::privacy::Masker;
use crate::stats::Rate;
use crate::suite::corpus::Corpus;
use crate::suite::{Evidence, Question, QuestionId, Suite};
use crate::text::norm::composed;
use jiff::civil::Date;
use std::collections::HashSet;
use std::sync::Arc;

/// The plan of a run.
#[derive(Debug)]
pub struct Plan {
    /// The run's id.
    pub id: String,
    /// The suites, in order of their names.
    pub suites: Vec<SuitePlan>,
    /// The policy.
    pub thresholds: Thresholds,
    /// The day of the run: decides whether a failure's `until` has passed.
    pub today: Date,
    /// The profile, where one was named.
    pub profile: Option<String>,
    /// The commit whose policy and baselines decide, where it is another one than that under test: `origin/main (a41c9e0d)`.
    pub policy_from: Option<String>,
    /// What the branch changes of what decides, where it is known with what it is to be compared.
    pub measure_changes: Vec<MeasureChange>,
    /// False where the run is known to be one of a pull request or of another branch than the main one.
    pub on_main: bool,
    /// The target that the command named, where it named one and no recording stands for it.
    pub other_target: Option<String>,
    /// The words that repeat this run on other questions; see [`crate::core::RunHeader::repeat_args`].
    pub repeat_args: String,
    /// The wordings of refusals and failures that the project adds.
    pub own: Own,
    /// What is taken out of answers, once they have been checked, before anything of them is written or reported.
    pub mask: Masker,
    /// The fixes that are expected of the change.
    pub expected: Option<Expected>,
    /// How often every question is asked; at least 1.
    pub repeat: u32,
    /// Whether a question that comes out otherwise than accepted is asked anew, where its target can be.
    pub confirm: bool,
    /// How much is spent on that.
    pub spend: Spend,
    /// The share of the questions that this run asks, where others ask the rest: it decides nothing then.
    pub shard: Option<Shard>,
}

/// A run that asks one share of the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which share, from 1.
    pub index: u32,
    /// How many shares there are, at least `index`.
    pub of: u32,
    /// How many questions are in it.
    pub questions: usize,
    /// How many are in all shares together.
    pub all: usize,
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "shard {} of {}", self.index, self.of)
    }
}

/// One suite of a run.
#[derive(Debug)]
pub struct SuitePlan {
    /// The suite.
    pub suite: Suite,
    /// Which questions are selected, in file order.
    pub selected: Vec<bool>,
    /// The digest of what each question expects.
    pub expects: Vec<String>,
    /// Every document, passage id and address that any evidence of the suite names, in composed form.
    pub names: HashSet<String>,
    /// The rules and packs of this run.
    pub measure: String,
    /// The corpus, where the suite names one.
    pub corpus: Option<Arc<Corpus>>,
    /// What is asked.
    pub target: TargetFacts,
    /// The name of the target that is asked beside it as a control arm, where there is one.
    pub beside: Option<String>,
    /// What is compared with.
    pub baseline: BaselinePlan,
    /// The selected questions that cannot be asked, where there are any.
    pub unasked: Option<Unasked>,
    /// What the history knows of how its questions come out, beyond the baseline.
    pub history: Known,
    /// What people say of answers. It changes no outcome, only where the diagnosis looks.
    pub labels: Vec<Label>,
}

/// Questions that cannot be asked for want of a key, and that nothing on file answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unasked {
    /// The variables of the environment that are not there.
    pub variables: Vec<String>,
    /// Which questions of the suite, in file order; drafts are never among them.
    pub questions: Vec<bool>,
}

impl Unasked {
    /// `not asked: SHOP_TOKEN is not set`.
    pub fn why(&self) -> String {
        let verb = if self.variables.len() == 1 { "is" } else { "are" };
        format!("not asked: {} {verb} not set", self.variables.join(", "))
    }
}

/// Every name in the evidence of some questions; an address in the one way in which its page is written too.
pub fn names_of(questions: &[Question]) -> HashSet<String> {
    let names = questions.iter().flat_map(Question::places).flat_map(Evidence::names);
    names.flat_map(|n| page(n).into_iter().chain([composed(n).into_owned()])).collect()
}

/// What the core needs to know of a target.
#[derive(Debug, Clone)]
pub struct TargetFacts {
    /// Its name.
    pub name: String,
    /// What it is said to return.
    pub provides: Provides,
    /// The identity of what is tested.
    pub subject: Option<String>,
    /// How many passages its index holds.
    pub passages: Option<usize>,
    /// Which passages those are.
    pub holdings: Option<Arc<Holdings>>,
    /// Whether it can be asked anew, and need not answer the same then.
    pub asked_anew: bool,
}

/// What a suite is compared with.
#[derive(Debug)]
pub enum BaselinePlan {
    /// A baseline.
    Present {
        /// Its content.
        baseline: Baseline,
        /// Its file as messages show it.
        shown: String,
        /// Whether there is a file of accepted answers.
        answers: bool,
    },
    /// There is none yet; it would stand at this path.
    Missing(String),
    /// The policy is to judge each question by its own assertions.
    NotUsed,
}

/// A question of a plan, by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Index of the suite.
    pub suite: usize,
    /// Index of the question in its suite.
    pub question: usize,
}

impl SuitePlan {
    /// True when questions of this suite were left out, by selectors or for want of a key: what is said of the whole suite
    /// is then not evaluated.
    pub fn is_partial(&self) -> bool {
        self.selected.contains(&false) || self.unasked.is_some()
    }

    /// What is known of a question, in runs that came out as accepted: from its history, else from its baseline; nothing of a
    /// flaky one without either.
    pub fn known(&self, id: &QuestionId, entry: &Entry) -> Option<Rate> {
        let stated = if entry.flaky { entry.floor } else { Some(entry.seen()) };
        self.history.get(id).copied().or(stated.map(|f| Rate::new(f.passes.into(), f.runs.into())))
    }

    /// True for a question that is selected and can be asked.
    pub fn is_asked(&self, question: usize) -> bool {
        let unasked = self.unasked.as_ref().and_then(|u| u.questions.get(question)).copied().unwrap_or(false);
        self.selected.get(question).copied().unwrap_or(false) && !unasked
    }
}

impl Plan {
    /// The suite of a slot.
    ///
    /// # Panics
    /// When the slot is not of this plan.
    pub fn suite(&self, slot: Slot) -> &SuitePlan {
        &self.suites[slot.suite]
    }

    /// The question of a slot.
    ///
    /// # Panics
    /// When the slot is not of this plan.
    pub fn question(&self, slot: Slot) -> &Question {
        &self.suites[slot.suite].suite.questions[slot.question]
    }
}

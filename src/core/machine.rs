//! The state machine of a run: what is asked next, and what is made of each reply.
//!
//! It holds outcomes, never passages. The driver takes an [`Ask`], gets a reply, lets [`examine`](super::examine) look
//! at it on whatever thread it likes, and gives the result back; sometimes another ask follows for the same question.
//! When nothing is left, [`Machine::finish`] turns what is known into reports and the decision.

use super::again::{self, Arm, Runs, Settled, Terms, Turn, outcome_of};
use super::blank::{blank, header, known, removed};
use super::event::{LayerReport, QuestionReport, RunHeader};
use super::examine::Examined;
use super::plan::{BaselinePlan, Plan, Slot, SuitePlan};
use super::state::Change;
use crate::baseline::compare::{Standing, layer_change, worst};
use crate::baseline::{Baseline, Entry, LayerBase};
use crate::confirm::Level;
use crate::diagnose::Diagnosis;
use crate::gate::{self, Decision};
use crate::layer::{Code, Finding, LayerId, LayerMap, LayerResult, Outcome, Skip};
use crate::suite::LayerSetting;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the core wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// A target's response to a question.
    Target(Turn),
    /// The accepted answer of a question, for a run of it: to be scored again where the question or the rules changed, and
    /// to be shown beside the new one.
    Accepted(Turn),
}

/// From so many questions on, a suite of which no name occurs at all is taken for mislabelled.
const FEWEST_LABELS: usize = 3;

/// What is known of the accepted answer.
#[derive(Debug)]
struct Was {
    examined: Option<Examined>,
    /// An answer that can be shown and not be scored.
    masked: Option<String>,
    same_contexts: Option<bool>,
}

/// The state of a run.
#[derive(Debug)]
pub struct Machine {
    plan: Arc<Plan>,
    /// How much is asked of the evidence on one question.
    level: Level,
    /// Fresh runs that may still be asked, where there is a limit to them.
    left: Option<u32>,
    /// Some were not asked for it.
    spent: bool,
    next: Slot,
    /// Of the next question, the run that comes next.
    next_repeat: u32,
    /// Suites whose questions were handed out all at once.
    taken: Vec<bool>,
    /// The run was ended from outside before every question was answered.
    interrupted: bool,
    now: Vec<Vec<Option<Shown>>>,
    was: BTreeMap<Turn, Was>,
    /// The runs of each question that has several, or came out otherwise than accepted.
    runs: BTreeMap<Slot, Runs>,
    /// What became of the control arm's runs, by suite.
    base: BTreeMap<usize, BaseRuns>,
    /// Of such a question, the first run that came out as accepted.
    as_accepted: BTreeMap<Slot, Shown>,
}

/// The runs of a control arm that came to nothing.
#[derive(Debug, Default)]
struct BaseRuns {
    asked: usize,
    failed: usize,
    /// What was said of the first of them.
    why: Option<String>,
}

impl BaseRuns {
    fn take(&mut self, examined: &Examined) {
        self.asked += 1;
        let unmeasured = examined.layers.iter().find(|(_, l)| l.outcome == Outcome::Unmeasured);
        let Some(fault) = unmeasured.and_then(|(_, l)| l.findings.first()) else { return };
        self.failed += 1;
        self.why.get_or_insert_with(|| fault.message.clone());
    }

    /// A reader must know that there was no control.
    fn told(&self, suite: &SuitePlan) -> Option<String> {
        let (name, why) = (suite.beside.as_ref()?, self.why.as_ref()?);
        Some(format!(
            "{} of {} answers of the control arm {name} could not be had, and count for nothing: {why}",
            self.failed, self.asked
        ))
    }
}

/// A run that is reported, or may be.
#[derive(Debug)]
struct Shown {
    repeat: u32,
    /// How far it is from what was accepted: a position in [`Change::ALL`].
    rank: usize,
    examined: Examined,
}

/// What a run came to.
#[derive(Debug)]
pub struct Finished {
    /// What the run was about.
    pub header: RunHeader,
    /// Every question, in suite order.
    pub reports: Vec<QuestionReport>,
    /// The decision.
    pub decision: Decision,
    /// The run was ended from outside before every question was answered. It can be resumed, and not be accepted.
    pub interrupted: bool,
}

impl Machine {
    /// A run that has asked nothing yet.
    pub fn new(plan: Arc<Plan>) -> Self {
        let now = plan.suites.iter().map(|s| s.suite.questions.iter().map(|_| None).collect()).collect();
        let taken = vec![false; plan.suites.len()];
        let next = Slot { suite: 0, question: 0 };
        Machine {
            level: Level::of(tests(&plan)).up_to(plan.spend.most),
            left: plan.spend.budget,
            spent: false,
            plan,
            next,
            next_repeat: 0,
            taken,
            interrupted: false,
            now,
            was: BTreeMap::new(),
            runs: BTreeMap::new(),
            base: BTreeMap::new(),
            as_accepted: BTreeMap::new(),
        }
    }

    /// How many times a run asks its targets, before anything is asked anew.
    pub fn asks(&self) -> usize {
        let of = |s: &SuitePlan| (0..s.selected.len()).filter(|q| asked(s, *q)).count();
        self.plan.suites.iter().map(of).sum::<usize>() * self.plan.repeat.max(1) as usize
    }

    /// The first runs of a suite's questions, for a driver that asks its target apart from the others:
    /// [`Machine::next_ask`] passes over them.
    pub fn take(&mut self, suite: usize) -> Vec<Turn> {
        let Some(plan) = self.plan.suites.get(suite) else { return Vec::new() };
        if let Some(taken) = self.taken.get_mut(suite) {
            *taken = true;
        }
        let repeats = 0..self.plan.repeat.max(1);
        let questions = (0..plan.selected.len()).filter(|q| asked(plan, *q));
        questions
            .flat_map(|question| {
                let slot = Slot { suite, question };
                repeats.clone().map(move |repeat| Turn { repeat, ..Turn::first(slot) })
            })
            .collect()
    }

    /// Takes note that the run was ended from outside: whatever is tolerated, it is not complete.
    pub fn interrupt(&mut self) {
        self.interrupted = true;
    }

    /// What is asked anew, once all that was handed out has been given back; nothing when nothing is left to ask.
    pub fn again(&mut self) -> Vec<Turn> {
        if self.interrupted {
            return Vec::new();
        }
        let plan = Arc::clone(&self.plan);
        let mut turns = Vec::new();
        for (slot, runs) in &mut self.runs {
            let asked = runs.asked();
            let more = match terms(&plan, self.level, *slot) {
                Some(terms) => runs.next(*slot, terms),
                None if is_new(&plan, *slot) => runs.next_of_new(*slot, plan.question(*slot), plan.repeat.max(1)),
                None => Vec::new(),
            };
            let calls = u32::try_from(more.len()).unwrap_or(u32::MAX);
            match self.left {
                Some(left) if calls > left => {
                    // From here on nothing is asked, so that it does not hang on which question is cheap.
                    (self.left, self.spent) = (Some(0), true);
                    runs.stop_at(asked);
                }
                left => {
                    self.left = left.map(|left| left - calls);
                    turns.extend(more);
                }
            }
        }
        turns
    }

    /// The next ask; none when every question has been handed out.
    pub fn next_ask(&mut self) -> Option<Ask> {
        loop {
            let slot = self.next;
            let suite = self.plan.suites.get(slot.suite)?;
            if slot.question >= suite.selected.len() || self.taken.get(slot.suite) == Some(&true) {
                self.next = Slot { suite: slot.suite + 1, question: 0 };
                continue;
            }
            let turn = Turn { repeat: self.next_repeat, ..Turn::first(slot) };
            let is_asked = asked(suite, slot.question);
            self.next_repeat += 1;
            if self.next_repeat >= self.plan.repeat.max(1) || !is_asked {
                self.next.question += 1;
                self.next_repeat = 0;
            }
            if is_asked {
                return Some(Ask::Target(turn));
            }
        }
    }

    /// Takes what was made of a target's reply. Returns what must be asked to finish this run of the question.
    pub fn give(&mut self, turn: Turn, mut examined: Examined) -> Option<Ask> {
        let plan = Arc::clone(&self.plan);
        let slot = turn.slot;
        let suite = plan.suite(slot);
        let came = LayerMap::from_fn(|l| examined.layers[l].outcome);
        if turn.arm == Arm::Base {
            self.base.entry(slot.suite).or_default().take(&examined);
        }
        let is_first = turn.arm == Arm::Tested && turn.repeat < plan.repeat.max(1);
        let terms = terms(&plan, self.level, slot);
        let is_fail = || outcome_of(&came, |l| plan.question(slot).setting(l)) == Outcome::Fail;
        let as_accepted = terms.map_or_else(|| !(is_new(&plan, slot) && is_fail()), |t| t.is_as_accepted(&came));
        if !is_first || plan.repeat > 1 || !as_accepted {
            self.runs.entry(slot).or_default().take(turn, came);
        }
        let (change, stale) = match entry_of(suite, slot) {
            Some((baseline, entry)) => {
                let stale = is_edited(suite, slot, entry) || baseline.measure.as_ref() != Some(&suite.measure);
                (self.change_against(Some(entry), &examined), stale)
            }
            None => (self.change_against(None, &examined), false),
        };
        if !is_first {
            if turn.arm == Arm::Tested && as_accepted {
                examined.answer = None;
                keep(self.as_accepted.entry(slot), Shown { repeat: turn.repeat, rank: 0, examined });
            }
            return None;
        }
        let answers = matches!(&suite.baseline, BaselinePlan::Present { answers: true, .. });
        let quiet = matches!(change, Change::Unchanged | Change::NewPass | Change::StillFailing | Change::Observed);
        let wants_was = answers && entry_of(suite, slot).is_some() && (stale || !quiet);
        if quiet && !wants_was {
            examined.answer = None;
        }
        let rank = Change::ALL.iter().position(|c| *c == change).unwrap_or_default();
        if plan.repeat > 1 && as_accepted {
            let spare = Examined { answer: None, ..examined.clone() };
            keep(self.as_accepted.entry(slot), Shown { repeat: turn.repeat, rank: 0, examined: spare });
        }
        let shown = Shown { repeat: turn.repeat, rank, examined };
        let now = &mut self.now[slot.suite][slot.question];
        if now.as_ref().is_none_or(|n| (shown.rank, shown.repeat) < (n.rank, n.repeat)) {
            *now = Some(shown);
        }
        wants_was.then_some(Ask::Accepted(turn))
    }

    /// Takes what was made of an accepted answer; nothing when there is none for this question.
    pub fn give_accepted(&mut self, turn: Turn, examined: Option<Examined>, same_contexts: Option<bool>) {
        self.was.insert(turn, Was { examined, masked: None, same_contexts });
    }

    /// Takes an accepted answer from which personal data was taken out. What was taken out may be what a check looks for,
    /// so it is shown and not scored again: where the question or the rules changed, it is as if there were none.
    pub fn give_masked(&mut self, turn: Turn, answer: Option<String>, same_contexts: Option<bool>) {
        self.was.insert(turn, Was { examined: None, masked: answer, same_contexts });
    }

    /// The change of a question as far as it can be told without its accepted answer.
    fn change_against(&self, entry: Option<&Entry>, examined: &Examined) -> Change {
        let standing = entry.map_or(Standing::Plain, |e| Standing::of(e, self.plan.today));
        let base = |l| entry.and_then(|e| e.layers[l]);
        worst(examined.layers.iter().map(|(l, r)| layer_change(l, base(l), standing, r.outcome)))
    }

    /// Decides. Questions that were handed out and never given back are unmeasured.
    pub fn finish(mut self) -> Finished {
        let plan = Arc::clone(&self.plan);
        self.labels_that_fit_nothing();
        let mut reports = Vec::new();
        for (s, suite) in plan.suites.iter().enumerate() {
            for q in 0..suite.selected.len() {
                let slot = Slot { suite: s, question: q };
                // A draft that was accepted once is gone from the gate: it is told with the removed ones.
                let accepted = suite.suite.questions[q].draft && entry_of(suite, slot).is_some();
                let told_below = accepted && !suite.is_partial();
                if suite.selected[q] && !told_below {
                    reports.push(self.report(suite, slot));
                }
            }
            reports.extend(removed(suite));
        }
        let header = header(&plan);
        let mut decision = gate::decide::decide(&plan, &mut reports, self.interrupted, self.spent);
        decision.notices.extend(self.base.iter().filter_map(|(s, runs)| runs.told(plan.suites.get(*s)?)));
        Finished { header, reports, decision, interrupted: self.interrupted }
    }

    /// When not one passage of a whole suite bears a name that any of its evidence names, the labels do not fit this
    /// corpus (it was cut anew, or the ids have another form): one fault of the run, not as many regressions as there are
    /// questions. Poor retrieval alone cannot look like that: it returns documents that other questions name.
    fn labels_that_fit_nothing(&mut self) {
        for (suite, now) in self.plan.suites.iter().zip(&mut self.now) {
            let mut strangers: Vec<String> = Vec::new();
            let mut asked = Vec::new();
            let mut fits = false;
            for (q, examined) in now.iter().enumerate() {
                let Some(Shown { examined, .. }) = examined else { continue };
                fits |= examined.named == Some(true);
                strangers.extend(examined.stranger.clone().filter(|_| strangers.len() < 3));
                let outcome = examined.layers[LayerId::Retrieval].outcome;
                if examined.named == Some(false) && matches!(outcome, Outcome::Pass | Outcome::Fail) {
                    asked.push(q);
                }
            }
            if fits || suite.names.is_empty() || asked.len() < FEWEST_LABELS {
                continue;
            }
            // Without the second way in which addresses are kept.
            let mut wanted: Vec<&str> =
                suite.names.iter().map(String::as_str).filter(|n| !n.starts_with("//")).collect();
            wanted.sort_unstable();
            wanted.truncate(3);
            let message = format!(
                "no passage of the run bears a name that the evidence of `{}` names: it names {}, the target returns {}",
                suite.suite.name,
                wanted.join(", "),
                strangers.join(", ")
            );
            for q in asked {
                if let Some(Some(Shown { examined, .. })) = now.get_mut(q) {
                    let r = &mut examined.layers[LayerId::Retrieval];
                    r.outcome = Outcome::Unmeasured;
                    r.findings.insert(0, Finding::fault(Code::LabelsDoNotFit, message.clone()));
                }
            }
        }
    }

    fn report(&mut self, suite: &SuitePlan, slot: Slot) -> QuestionReport {
        let question = &suite.suite.questions[slot.question];
        if question.draft {
            let mut r = blank(suite, slot);
            r.change = Change::Draft;
            return r;
        }
        if let Some(unasked) = suite.unasked.as_ref().filter(|_| !suite.is_asked(slot.question)) {
            let mut r = blank(suite, slot);
            r.change = Change::NotAsked;
            r.change_note = Some(unasked.why());
            return r;
        }
        let base = entry_of(suite, slot);
        let runs = self.runs.remove(&slot);
        let settled = runs.as_ref().and_then(|runs| terms(&self.plan, self.level, slot)?.settle(runs));
        let shown = self.now[slot.suite][slot.question].take();
        let first_shown = shown.as_ref().map(|s| s.repeat);
        // Where it came out otherwise by chance, a run that came out as accepted speaks for it.
        let shown = match self.as_accepted.remove(&slot).filter(|_| settled.is_some_and(Settled::is_same)) {
            Some(as_accepted) => Some(as_accepted),
            None => shown,
        };
        let repeat = shown.as_ref().map_or(0, |s| s.repeat);
        let examined = shown.map(|s| s.examined).unwrap_or_else(|| {
            super::examine::broken(&self.plan, slot, Code::Interrupted, "the question was not asked".into())
        });
        let was = first_shown.and_then(|repeat| self.was.remove(&Turn { repeat, ..Turn::first(slot) }));
        let mut report = blank(suite, slot);
        report.shown_repeat = repeat;
        report.outcome = outcome_of(&LayerMap::from_fn(|l| examined.layers[l].outcome), |l| question.setting(l));
        report.evidence = examined.evidence;
        report.diagnosis = examined.diagnosis;
        report.answer = examined.answer;
        let layers = examined.layers;
        let changes = match base {
            Some((baseline, entry)) => {
                report.known_reason = known(entry);
                let standing = Standing::of(entry, self.plan.today);
                report.quarantined = entry.until.filter(|_| standing == Standing::Quarantined);
                report.owner = entry.owner.clone().or(report.owner);
                let mut changes = self.changes(suite, slot, baseline, entry, &layers, was.as_ref(), &mut report);
                if let Some(settled) = settled {
                    let standing = Standing::of(entry, self.plan.today);
                    changes = LayerMap::from_fn(|l| settled.apply(changes[l], layers[l].outcome, standing));
                    report.change = worst(changes.0.into_iter());
                }
                changes
            }
            None => {
                let varies = runs.as_ref().is_some_and(|runs| runs.ever_passed(question));
                let change = |l| {
                    let change = layer_change(l, None, Standing::Plain, layers[l].outcome);
                    // It passes at times: what it is to be is for somebody to say.
                    if change == Change::NewFail && varies { Change::Undecided } else { change }
                };
                let changes = LayerMap::from_fn(change);
                report.change = worst(changes.0.into_iter());
                changes
            }
        };
        if !question.asserts() && report.outcome != Outcome::Unmeasured {
            report.change = Change::Observed;
        } else if layers.0.iter().all(|l| matches!(l.outcome, Outcome::Skipped(_))) {
            report.change = Change::Unmeasured;
            report.outcome = Outcome::Unmeasured;
        } else {
            report.change = stale_evidence(report.change, &layers);
        }
        let entry = base.map(|(_, e)| e);
        let mut results = layers.0.into_iter();
        report.layers = LayerMap::from_fn(|l| LayerReport {
            result: results.next().unwrap_or_else(|| LayerResult::skipped(Skip::NotApplicable)),
            was: entry.and_then(|e| e.layers[l]).map(outcome_of_base),
            change: changes[l],
            warn: question.setting(l) == LayerSetting::Warn,
        });
        let first = self.plan.repeat.max(1);
        report.repeats = runs.and_then(|runs| runs.told(question, first, entry));
        if let (Some(settled), Some(told)) = (settled, report.repeats) {
            report.change_note = Some(settled.told(told, anew(&self.plan, suite)));
        }
        if base.is_none()
            && report.change == Change::Undecided
            && let Some(told) = report.repeats
        {
            report.change_note = Some(again::told_of_new(told));
        }
        if let Some(was) = was {
            report.same_contexts = was.same_contexts.filter(|_| Some(repeat) == first_shown);
            report.was_answer = was.masked.or_else(|| was.examined.and_then(|e| e.answer));
        }
        if report.change == Change::Edited && report.answer.is_some() && report.answer == report.was_answer {
            // What failed before the edit does not fail for it.
            let by_the_edit = report.layers.0.iter().any(|l| {
                matches!(l.result.outcome, Outcome::Fail | Outcome::Unmeasured) && l.was != Some(Outcome::Fail)
            });
            if by_the_edit {
                report.diagnosis = report.diagnosis.map(Diagnosis::after_an_edit);
            } else if report.outcome == Outcome::Fail {
                let note =
                    "what it expects was edited since it was accepted; what fails now failed before the edit too";
                report.change_note = Some(note.to_owned());
            }
        }
        report
    }

    /// The change of each layer of a question with a baseline, and of the question itself.
    #[allow(clippy::too_many_arguments)]
    fn changes(
        &self,
        suite: &SuitePlan,
        slot: Slot,
        baseline: &Baseline,
        entry: &Entry,
        now: &LayerMap<LayerResult>,
        was: Option<&Was>,
        report: &mut QuestionReport,
    ) -> LayerMap<Change> {
        let standing = Standing::of(entry, self.plan.today);
        let again = was.and_then(|w| w.examined.as_ref()).map(|e| &e.layers);
        if is_edited(suite, slot, entry) {
            let changes = LayerMap::from_fn(|l| {
                // The accepted answer under the new expectations is the new "was"; without one the question is judged
                // alone.
                layer_change(l, again.and_then(|a| base_of_outcome(a[l].outcome)), Standing::Plain, now[l].outcome)
            });
            let change = worst(changes.0.into_iter());
            let kept = matches!(change, Change::Regressed | Change::Unmeasured);
            report.change = if kept { change } else { Change::Edited };
            report.change_note = Some("what it expects was edited since it was accepted".into());
            return changes;
        }
        if baseline.measure.as_ref() != Some(&suite.measure) {
            let changes = LayerMap::from_fn(|l| {
                let base = entry.layers[l];
                match (base, again) {
                    (None, _) => layer_change(l, None, standing, now[l].outcome),
                    (Some(_), None) => Change::Incomparable,
                    (Some(b), Some(a)) if base_of_outcome(a[l].outcome) == Some(b) => {
                        layer_change(l, base, standing, now[l].outcome)
                    }
                    (Some(_), Some(_)) => Change::RuleChanged,
                }
            });
            // A layer whose rules changed is out; what the other layers say still counts.
            let others = changes.0.into_iter().filter(|c| !matches!(c, Change::Incomparable | Change::RuleChanged));
            let others = worst(others);
            let blocks = matches!(others, Change::Regressed | Change::Expired | Change::NewFail | Change::Unmeasured);
            let out = [Change::RuleChanged, Change::Incomparable].into_iter().find(|c| changes.0.contains(c));
            report.change = out.filter(|_| !blocks).unwrap_or(others);
            return changes;
        }
        let changes = LayerMap::from_fn(|l| layer_change(l, entry.layers[l], standing, now[l].outcome));
        report.change = worst(changes.0.into_iter());
        changes
    }
}

fn asked(suite: &SuitePlan, question: usize) -> bool {
    suite.is_asked(question) && !suite.suite.questions[question].draft
}

fn entry_of(suite: &SuitePlan, slot: Slot) -> Option<(&Baseline, &Entry)> {
    match &suite.baseline {
        BaselinePlan::Present { baseline, .. } => {
            baseline.entries.get(&suite.suite.questions[slot.question].id).map(|e| (baseline, e))
        }
        BaselinePlan::Missing(_) | BaselinePlan::NotUsed => None,
    }
}

fn is_edited(suite: &SuitePlan, slot: Slot, entry: &Entry) -> bool {
    entry.expects != suite.expects[slot.question]
}

pub(super) fn outcome_of_base(base: LayerBase) -> Outcome {
    match base {
        // What passes at times is looked for as passing.
        LayerBase::Pass | LayerBase::Mixed(_) => Outcome::Pass,
        LayerBase::Fail => Outcome::Fail,
        LayerBase::Skipped => Outcome::Skipped(Skip::NotApplicable),
    }
}

/// What would be accepted for an outcome; nothing for what was not measured.
pub fn base_of_outcome(outcome: Outcome) -> Option<LayerBase> {
    match outcome {
        Outcome::Pass => Some(LayerBase::Pass),
        Outcome::Fail => Some(LayerBase::Fail),
        Outcome::Skipped(_) => Some(LayerBase::Skipped),
        Outcome::Unmeasured => None,
    }
}

/// What the runs of a question are held against; nothing where there is nothing that was accepted under the same
/// expectations and rules.
fn terms(plan: &Plan, level: Level, slot: Slot) -> Option<Terms<'_>> {
    let suite = plan.suite(slot);
    let (baseline, entry) = entry_of(suite, slot)?;
    let comparable = !is_edited(suite, slot, entry) && baseline.measure.as_ref() == Some(&suite.measure);
    comparable.then(|| Terms {
        question: plan.question(slot),
        entry,
        known: suite.known(&plan.question(slot).id, entry),
        first: plan.repeat.max(1),
        level,
        anew: anew(plan, suite),
        beside: suite.beside.is_some(),
    })
}

/// How many tests the questions of a run may be put to, at most: of what is accepted of each of its suites, whatever part of
/// them is asked, so that every shard of a run has the same.
pub(crate) fn tests(plan: &Plan) -> usize {
    let of = |s: &SuitePlan| match &s.baseline {
        BaselinePlan::Present { baseline, .. } => baseline.entries.values().map(again::tests).sum(),
        BaselinePlan::Missing(_) | BaselinePlan::NotUsed => 0,
    };
    plan.suites.iter().map(of).sum()
}

/// Whether a question that can be asked anew is in a suite with a baseline and not in the baseline.
fn is_new(plan: &Plan, slot: Slot) -> bool {
    let suite = plan.suite(slot);
    let compared = matches!(suite.baseline, BaselinePlan::Present { .. });
    compared && entry_of(suite, slot).is_none() && anew(plan, suite) && plan.question(slot).asserts()
}

/// Whether the questions of a suite can be asked anew.
fn anew(plan: &Plan, suite: &SuitePlan) -> bool {
    plan.confirm && suite.target.asked_anew
}

/// Keeps the earlier of two runs, whichever came first.
fn keep(entry: std::collections::btree_map::Entry<'_, Slot, Shown>, shown: Shown) {
    let kept = entry.or_insert_with(|| Shown { repeat: u32::MAX, rank: 0, examined: shown.examined.clone() });
    if shown.repeat < kept.repeat {
        *kept = shown;
    }
}

/// Evidence that does not stand in the corpus takes retrieval out; the other layers are judged all the same.
fn stale_evidence(change: Change, layers: &LayerMap<LayerResult>) -> Change {
    let stale = layers[LayerId::Retrieval].findings.iter().any(|f| f.code == Code::EvidenceStale);
    let others_block = matches!(change, Change::Regressed | Change::Expired | Change::NewFail | Change::Edited);
    if stale && !others_block { Change::EvidenceStale } else { change }
}

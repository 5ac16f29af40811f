//! The state machine of a run: what is asked next, and what is made of each reply.
//!
//! It holds outcomes, never passages. The driver takes an [`Ask`], gets a reply, lets [`examine`](super::examine) look
//! at it on whatever thread it likes, and gives the result back; sometimes another ask follows for the same question.
//! When nothing is left, [`Machine::finish`] turns what is known into reports and the decision.

use super::event::{BaselineState, LayerReport, QuestionReport, RunHeader, SuiteHeader};
use super::examine::Examined;
use super::plan::{BaselinePlan, Plan, Slot, SuitePlan};
use super::state::{Change, Verdict};
use crate::baseline::compare::{Standing, layer_change, worst};
use crate::baseline::{Baseline, Entry, LayerBase};
use crate::diagnose::{Diagnosis, EvidenceFacts};
use crate::gate::{self, Decision};
use crate::layer::{Code, Finding, LayerId, LayerMap, LayerResult, Outcome, Skip};
use crate::suite::{Expect, LayerSetting, QuestionId, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the core wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// The target's response to a question.
    Target(Slot),
    /// The accepted answer of a question: to be scored again where the question or the rules changed, and to be shown
    /// beside the new one.
    Accepted(Slot),
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
    next: Slot,
    /// Suites whose questions were handed out all at once.
    taken: Vec<bool>,
    /// The run was ended from outside before every question was answered.
    interrupted: bool,
    now: Vec<Vec<Option<Examined>>>,
    was: BTreeMap<Slot, Was>,
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
        Machine { plan, next, taken, interrupted: false, now, was: BTreeMap::new() }
    }

    /// How many questions a run asks its targets.
    pub fn asks(&self) -> usize {
        let of = |s: &SuitePlan| (0..s.selected.len()).filter(|q| asked(s, *q)).count();
        self.plan.suites.iter().map(of).sum()
    }

    /// The questions of a suite, for a driver that asks its target apart from the others: [`Machine::next_ask`] passes
    /// over them.
    pub fn take(&mut self, suite: usize) -> Vec<Slot> {
        let Some(plan) = self.plan.suites.get(suite) else { return Vec::new() };
        if let Some(taken) = self.taken.get_mut(suite) {
            *taken = true;
        }
        (0..plan.selected.len()).filter(|q| asked(plan, *q)).map(|question| Slot { suite, question }).collect()
    }

    /// Takes note that the run was ended from outside: whatever is tolerated, it is not complete.
    pub fn interrupt(&mut self) {
        self.interrupted = true;
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
            self.next.question += 1;
            if asked(suite, slot.question) {
                return Some(Ask::Target(slot));
            }
        }
    }

    /// Takes what was made of a target's reply. Returns what must be asked to finish this question.
    pub fn give(&mut self, slot: Slot, mut examined: Examined) -> Option<Ask> {
        let plan = Arc::clone(&self.plan);
        let suite = plan.suite(slot);
        let (change, stale) = match entry_of(suite, slot) {
            Some((baseline, entry)) => {
                let stale = is_edited(suite, slot, entry) || baseline.measure.as_ref() != Some(&suite.measure);
                (self.change_against(Some(entry), &examined), stale)
            }
            None => (self.change_against(None, &examined), false),
        };
        let answers = matches!(&suite.baseline, BaselinePlan::Present { answers: true, .. });
        let quiet = matches!(change, Change::Unchanged | Change::NewPass | Change::StillFailing | Change::Observed);
        let wants_was = answers && entry_of(suite, slot).is_some() && (stale || !quiet);
        if quiet && !wants_was {
            examined.answer = None;
        }
        self.now[slot.suite][slot.question] = Some(examined);
        wants_was.then_some(Ask::Accepted(slot))
    }

    /// Takes what was made of an accepted answer; nothing when there is none for this question.
    pub fn give_accepted(&mut self, slot: Slot, examined: Option<Examined>, same_contexts: Option<bool>) {
        self.was.insert(slot, Was { examined, masked: None, same_contexts });
    }

    /// Takes an accepted answer from which personal data was taken out. What was taken out may be what a check looks for,
    /// so it is shown and not scored again: where the question or the rules changed, it is as if there were none.
    pub fn give_masked(&mut self, slot: Slot, answer: Option<String>, same_contexts: Option<bool>) {
        self.was.insert(slot, Was { examined: None, masked: answer, same_contexts });
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
        let decision = gate::decide::decide(&plan, &mut reports, self.interrupted);
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
                let Some(examined) = examined else { continue };
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
                if let Some(Some(examined)) = now.get_mut(q) {
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
        let examined = self.now[slot.suite][slot.question].take();
        let examined = examined.unwrap_or_else(|| {
            super::examine::broken(&self.plan, slot, Code::Interrupted, "the question was not asked".into())
        });
        let was = self.was.remove(&slot);
        let base = entry_of(suite, slot);
        let mut report = blank(suite, slot);
        report.outcome = outcome_of(&examined.layers, |l| question.setting(l));
        report.evidence = examined.evidence;
        report.diagnosis = examined.diagnosis;
        report.answer = examined.answer;
        let layers = examined.layers;
        let changes = match base {
            Some((baseline, entry)) => {
                report.known_reason = known(entry);
                report.owner = entry.owner.clone().or(report.owner);
                self.changes(suite, slot, baseline, entry, &layers, was.as_ref(), &mut report)
            }
            None => {
                let changes = LayerMap::from_fn(|l| layer_change(l, None, Standing::Plain, layers[l].outcome));
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
        if let Some(was) = was {
            report.same_contexts = was.same_contexts;
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

/// Questions of the baseline that the suite no longer holds. A partial run cannot tell.
fn removed(suite: &SuitePlan) -> Vec<QuestionReport> {
    let BaselinePlan::Present { baseline, shown, .. } = &suite.baseline else { return Vec::new() };
    if suite.is_partial() {
        return Vec::new();
    }
    let here: BTreeMap<&QuestionId, bool> = suite.suite.questions.iter().map(|q| (&q.id, q.draft)).collect();
    let mut out = Vec::new();
    for (id, entry) in &baseline.entries {
        let draft = here.get(id);
        if draft == Some(&false) {
            continue;
        }
        let renamed = suite
            .suite
            .questions
            .iter()
            .zip(&suite.expects)
            .find(|(q, digest)| **digest == entry.expects && !baseline.entries.contains_key(&q.id));
        let note = match renamed {
            _ if draft.is_some() => format!("it is a draft in {} now, and drafts are not asked", suite.suite.shown),
            Some((q, _)) => format!("renamed to `{}`? the same question stands under that id", q.id),
            None => format!("it stands in {shown} and not in {}", suite.suite.shown),
        };
        out.push(QuestionReport {
            suite: suite.suite.name.clone(),
            id: id.clone(),
            place: entry.place.clone(),
            question: entry.question.clone(),
            expect: Expect::Answer,
            expects: entry.expects.clone(),
            severity: Severity::Normal,
            tags: Vec::new(),
            group: None,
            owner: entry.owner.clone(),
            outcome: Outcome::Skipped(Skip::NotApplicable),
            change: Change::Removed,
            verdict: Verdict::Passed,
            change_note: Some(note),
            layers: LayerMap::from_fn(|l| LayerReport {
                result: LayerResult::skipped(Skip::NotApplicable),
                was: entry.layers[l].map(outcome_of_base),
                change: Change::Removed,
                warn: false,
            }),
            evidence: EvidenceFacts::default(),
            diagnosis: None,
            answer: None,
            was_answer: None,
            same_contexts: None,
            known_reason: known(entry),
        });
    }
    out
}

/// Why a failure is accepted, with what stands beside it: `index rebuild (until 2027-01-31, #412)`.
fn known(entry: &Entry) -> Option<String> {
    let reason = entry.reason.as_ref()?;
    let until = entry.until.map(|d| format!("until {d}"));
    let beside: Vec<String> = until.into_iter().chain(entry.issue.clone()).collect();
    Some(if beside.is_empty() { reason.clone() } else { format!("{reason} ({})", beside.join(", ")) })
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

fn outcome_of_base(base: LayerBase) -> Outcome {
    match base {
        LayerBase::Pass => Outcome::Pass,
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

/// The outcome of a question: fail before unmeasured before pass; skipped when no layer says anything. A layer that only
/// warns does not make it fail.
fn outcome_of(layers: &LayerMap<LayerResult>, setting: impl Fn(LayerId) -> LayerSetting) -> Outcome {
    let has = |o: Outcome| {
        layers.iter().any(|(l, r)| r.outcome == o && (o != Outcome::Fail || setting(l) == LayerSetting::On))
    };
    if has(Outcome::Fail) {
        Outcome::Fail
    } else if has(Outcome::Unmeasured) {
        Outcome::Unmeasured
    } else if layers.0.iter().all(|l| matches!(l.outcome, Outcome::Skipped(_))) {
        Outcome::Skipped(Skip::NotApplicable)
    } else {
        Outcome::Pass
    }
}

/// Evidence that does not stand in the corpus takes retrieval out; the other layers are judged all the same.
fn stale_evidence(change: Change, layers: &LayerMap<LayerResult>) -> Change {
    let stale = layers[LayerId::Retrieval].findings.iter().any(|f| f.code == Code::EvidenceStale);
    let others_block = matches!(change, Change::Regressed | Change::Expired | Change::NewFail | Change::Edited);
    if stale && !others_block { Change::EvidenceStale } else { change }
}

/// A report with nothing in it yet.
fn blank(suite: &SuitePlan, slot: Slot) -> QuestionReport {
    let q = &suite.suite.questions[slot.question];
    QuestionReport {
        suite: suite.suite.name.clone(),
        id: q.id.clone(),
        place: q.place.clone(),
        question: q.text.clone(),
        expect: q.expect,
        expects: suite.expects.get(slot.question).cloned().unwrap_or_default(),
        severity: q.severity,
        tags: q.tags.clone(),
        group: q.group.clone(),
        owner: q.owner.clone(),
        outcome: Outcome::Skipped(Skip::NotApplicable),
        change: Change::Unmeasured,
        verdict: Verdict::Passed,
        change_note: None,
        layers: LayerMap::from_fn(|_| LayerReport {
            result: LayerResult::skipped(Skip::NotApplicable),
            was: None,
            change: Change::Observed,
            warn: false,
        }),
        evidence: EvidenceFacts::default(),
        diagnosis: None,
        answer: None,
        was_answer: None,
        same_contexts: None,
        known_reason: None,
    }
}

/// `gate not evaluated in full: 12 questions not asked for want of SHOP_TOKEN`.
fn not_in_full(plan: &Plan) -> Option<String> {
    let unasked = || plan.suites.iter().filter_map(|s| s.unasked.as_ref());
    let count: usize = unasked().map(|u| u.questions.iter().filter(|x| **x).count()).sum();
    let names: BTreeSet<&str> = unasked().flat_map(|u| &u.variables).map(String::as_str).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let questions = if count == 1 { "question" } else { "questions" };
    (count > 0)
        .then(|| format!("gate not evaluated in full: {count} {questions} not asked for want of {}", names.join(", ")))
}

/// What the run is about.
fn header(plan: &Plan) -> RunHeader {
    let all: usize = plan.suites.iter().map(|s| s.selected.len()).sum();
    let selected: usize = plan.suites.iter().map(|s| s.selected.iter().filter(|x| **x).count()).sum();
    RunHeader {
        id: plan.id.clone(),
        suites: plan
            .suites
            .iter()
            .map(|s| SuiteHeader {
                name: s.suite.name.clone(),
                shown: s.suite.shown.clone(),
                questions: s.selected.len(),
                selected: s.selected.iter().filter(|x| **x).count(),
                target: s.target.name.clone(),
                subject: s.target.subject.clone(),
                baseline: match &s.baseline {
                    BaselinePlan::Present { shown, .. } => BaselineState::Present(shown.clone()),
                    BaselinePlan::Missing(path) => BaselineState::Missing(path.clone()),
                    BaselinePlan::NotUsed => BaselineState::NotUsed,
                },
            })
            .collect(),
        profile: plan.profile.clone(),
        partial: (selected < all).then_some((selected, all)),
        shard: plan.shard,
        not_in_full: not_in_full(plan),
        policy_from: plan.policy_from.clone(),
        measure_changes: plan.measure_changes.clone(),
        repeat_args: plan.repeat_args.clone(),
    }
}

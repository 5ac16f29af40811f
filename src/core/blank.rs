//! The parts of a run's reports that need no answer: its header, questions that were not looked at, and those that are gone.

use super::event::{BaselineState, LayerReport, QuestionReport, RunHeader, SuiteHeader};
use super::machine::outcome_of_base;
use super::plan::{BaselinePlan, Plan, Slot, SuitePlan};
use super::state::{Change, Verdict};
use crate::baseline::Entry;
use crate::diagnose::EvidenceFacts;
use crate::layer::{LayerMap, LayerResult, Outcome, Skip};
use crate::suite::{Expect, QuestionId, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// Questions of the baseline that the suite no longer holds. A partial run cannot tell.
pub(super) fn removed(suite: &SuitePlan) -> Vec<QuestionReport> {
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
            quarantined: None,
            repeats: None,
            shown_repeat: 0,
        });
    }
    out
}

/// Why a failure is accepted, with what stands beside it: `index rebuild (until 2027-01-31, #412)`.
pub(super) fn known(entry: &Entry) -> Option<String> {
    let reason = entry.reason.as_ref()?;
    let until = entry.until.map(|d| format!("until {d}"));
    let beside: Vec<String> = until.into_iter().chain(entry.issue.clone()).collect();
    Some(if beside.is_empty() { reason.clone() } else { format!("{reason} ({})", beside.join(", ")) })
}

/// A report with nothing in it yet.
pub(super) fn blank(suite: &SuitePlan, slot: Slot) -> QuestionReport {
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
        quarantined: None,
        repeats: None,
        shown_repeat: 0,
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
pub(super) fn header(plan: &Plan) -> RunHeader {
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

//! What is said of a share of the questions: nothing that could be taken for a decision on all of them.
//!
//! How many questions may regress, how large a mean must be, which questions were removed: each is a statement about the
//! whole run, and a share that judged itself would be right about some of them by luck. It says what it measured, and the
//! merged run decides.

use super::{interrupted_rule, quiet_verdict, summary, tally, weigh};
use crate::core::plan::{Plan, Shard};
use crate::core::{QuestionReport, Verdict};
use crate::gate::decide::Weighs;
use crate::gate::{Decision, Exit, RuleOutcome, RuleVerdict};

/// The name of the one rule that a share has.
const RULE: &str = "shard";

/// The verdicts and the decision of a share. Only a run that was ended from outside is incomplete: it has to go on before
/// it can be merged.
pub(super) fn undecided(plan: &Plan, shard: Shard, reports: &mut [QuestionReport], interrupted: bool) -> Decision {
    for report in reports.iter_mut() {
        report.verdict = match weigh(plan, report) {
            Weighs::Free | Weighs::Advised => quiet_verdict(report),
            Weighs::Broken
            | Weighs::Critical
            | Weighs::Tolerated(_)
            | Weighs::Unmeasured
            | Weighs::EvidenceStale
            | Weighs::Removed
            | Weighs::FirstRun => Verdict::Skipped(format!("{shard}: {}; the merge decides", report.change.words())),
        };
    }
    let mut rules = vec![RuleOutcome {
        name: RULE.into(),
        place: None,
        verdict: RuleVerdict::NotEvaluated,
        message: format!("{shard}: {} of {} questions; the merge decides", shard.questions, shard.all),
    }];
    rules.extend(interrupted.then(interrupted_rule));
    let exit = if interrupted { Exit::Incomplete } else { Exit::Open };
    Decision {
        exit,
        exit_if_blocking: exit,
        advisory: false,
        rules,
        tally: tally(reports),
        suites: plan.suites.iter().map(|s| summary::summarize(s, reports)).collect(),
        next: Vec::new(),
        notices: Vec::new(),
        by_chance: None,
    }
}

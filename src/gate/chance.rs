//! What the gate says of its own error: how often it blocks a build in which nothing changed.

use crate::confirm::{self, EVERY, GOAL, Level};
use crate::core::QuestionReport;
use crate::core::plan::{BaselinePlan, Plan};
use crate::report::cut;

/// One sentence, where answers may vary from run to run; none where nothing is compared or all answers are on file.
pub(super) fn stated(plan: &Plan) -> Option<String> {
    let varies = |s: &&crate::core::plan::SuitePlan| {
        s.target.asked_anew && matches!(s.baseline, BaselinePlan::Present { .. }) && s.selected.contains(&true)
    };
    let suites: Vec<_> = plan.suites.iter().filter(varies).collect();
    if suites.is_empty() {
        return None;
    }
    if !plan.confirm {
        return Some("One run decides, so what comes out otherwise by chance is taken for a change.".to_owned());
    }
    let questions = plan.suites.iter().map(|s| s.suite.questions.len()).sum();
    let level = Level::of_suite(questions);
    // Beside a control arm every question is tested; else what is known of it must be enough.
    let alone = suites.iter().filter(|s| s.beside.is_none());
    let untested = alone.flat_map(|s| match &s.baseline {
        BaselinePlan::Present { baseline, .. } => {
            baseline.entries.iter().filter_map(|(id, e)| Some((e, s.known(id, e)?))).collect::<Vec<_>>()
        }
        BaselinePlan::Missing(_) | BaselinePlan::NotUsed => Vec::new(),
    });
    let untested = untested
        .filter(|(e, known)| !e.flaky && known.hits == known.n && !confirm::can_be_tested(*known, level))
        .count();
    let builds = (1.0 / GOAL).round() as usize;
    let bound = format!("If nothing changed, at most 1 build in {builds} is blocked by chance");
    Some(if untested == 0 {
        format!("{bound}.")
    } else {
        format!(
            "{bound}, by the questions whose accepted runs are enough for a test; {} were run too seldom, and one of these blocks \
             where all of {EVERY} runs asked anew come out otherwise.",
            cut::count(untested)
        )
    })
}

/// What was asked anew and what came of it; none where nothing was.
pub(super) fn asked_anew(reports: &[QuestionReport]) -> Option<String> {
    let runs = |r: &QuestionReport| {
        r.repeats.and_then(|r| r.fresh).map(|f| (f, r.repeats.and_then(|r| r.base).unwrap_or_default()))
    };
    let all: Vec<_> = reports.iter().filter_map(|r| Some((r, runs(r)?))).collect();
    let calls: u64 = all.iter().map(|(_, (fresh, base))| fresh.n + base.n).sum();
    let quiet = all.iter().filter(|(r, _)| !r.change.is_open(true) && r.change != crate::core::Change::Fixed).count();
    let one = |n: usize| if n == 1 { "question" } else { "questions" };
    (!all.is_empty()).then(|| {
        format!(
            "Asked anew: {} {}, {} runs; {} came out otherwise by chance.",
            cut::count(all.len()),
            one(all.len()),
            cut::count(usize::try_from(calls).unwrap_or(usize::MAX)),
            cut::count(quiet)
        )
    })
}

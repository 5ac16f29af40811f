//! The decision: one place for every report, the exit code and the harness.

mod share;

use super::rules::{advises, count_rules, metric_rules, named, rule, softer};
use super::thresholds::{BaselineUse, Expired, Mode, Thresholds};
use super::{ADVISED, Decision, Exit, RuleOutcome, RuleVerdict};
use super::{chance, expected, primary, summary};
use crate::baseline::known;
use crate::confirm::RUNNING;
use crate::core::plan::{BaselinePlan, Plan};
use crate::core::{Change, LayerReport, QuestionReport, Verdict};
use crate::diagnose::STALE_VALUE;
use crate::layer::{Code, LayerId, Outcome};
use crate::suite::Severity;

/// How a question weighs on the gate, before the counts are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weighs {
    /// Broken: counts against `max_regressed`.
    Broken,
    /// Broken, and critical.
    Critical,
    /// Broken, and shown only: minor, or only in layers that warn.
    Tolerated(&'static str),
    /// Not measured: counts against `max_unmeasured`.
    Unmeasured,
    /// Its evidence does not stand in the corpus.
    EvidenceStale,
    /// In the baseline, not in the suite.
    Removed,
    /// Fails in a suite that has no baseline yet.
    FirstRun,
    /// Nothing to count.
    Free,
    /// It would weigh, and all that it breaks only advises.
    Advised,
}

/// Sets the verdict of each question and decides. A run that was `interrupted` is incomplete whatever is tolerated, and
/// also where the policy only advises: nobody has seen the rest.
pub fn decide(plan: &Plan, reports: &mut [QuestionReport], interrupted: bool, spent: bool) -> Decision {
    if let Some(shard) = plan.shard {
        return share::undecided(plan, shard, reports, interrupted);
    }
    // What each question weighs were there no advice, and what it weighs.
    let full: Vec<Weighs> = reports.iter().map(|r| quarantined(r, weigh(plan, r))).collect();
    let weights: Vec<Weighs> = reports.iter().zip(&full).map(|(r, full)| advised(plan, r, *full)).collect();
    let (all, counted) = (Counts::of(plan, &full), Counts::of(plan, &weights));
    for ((report, full), weight) in reports.iter_mut().zip(&full).zip(&weights) {
        report.verdict = if *weight == Weighs::Advised {
            match all.verdict(*full, report) {
                Verdict::Failed | Verdict::Incomplete => {
                    Verdict::Skipped(format!("{ADVISED} ({})", report.change.words()))
                }
                other @ (Verdict::Passed | Verdict::Skipped(_)) => other,
            }
        } else {
            counted.verdict(*weight, report)
        };
    }
    let suites: Vec<_> = plan.suites.iter().map(|s| summary::summarize(s, reports)).collect();
    let blocks = |r: &QuestionReport| plan.thresholds.modes.of_question(&r.suite, &r.tags) == Mode::Block;
    let strict = count_rules(plan, reports, &full, &|_| true);
    let lenient = count_rules(plan, reports, &weights, &blocks);
    let mut rules: Vec<RuleOutcome> = strict.into_iter().zip(lenient).map(|(s, l)| softer(s, l)).collect();
    let mode = plan.thresholds.modes.all.value;
    let layers = primary::outcome(plan, reports);
    rules.push(if mode == Mode::Advisory { advises(layers) } else { layers });
    rules.extend(metric_rules(plan, reports));
    rules.extend(expected::outcome(plan, reports).map(|r| if mode == Mode::Advisory { advises(r) } else { r }));
    if interrupted {
        rules.push(interrupted_rule());
    }
    rules.extend(plan.spend.budget.filter(|_| spent).map(budget_rule));
    let exit = rules.iter().fold(Exit::Open, |exit, r| match r.verdict {
        RuleVerdict::Broken(e) => exit.and(e),
        RuleVerdict::Holds | RuleVerdict::Advised(_) | RuleVerdict::NotEvaluated => exit,
    });
    let exit_if_blocking = rules.iter().fold(Exit::Open, |exit, r| match r.verdict {
        RuleVerdict::Broken(e) | RuleVerdict::Advised(e) => exit.and(e),
        RuleVerdict::Holds | RuleVerdict::NotEvaluated => exit,
    });
    let advisory = plan.thresholds.modes.all.value == Mode::Advisory;
    let mut notices = known::notices(&plan.suites, reports, plan.today);
    notices.extend(chance::asked_anew(reports));
    notices.extend(expected::unplanned(plan, reports));
    notices.extend(mended(plan, reports));
    let by_chance = chance::stated(plan);
    let (tally, next) = (tally(reports), next_steps(plan, reports));
    Decision { exit, exit_if_blocking, advisory, rules, tally, suites, next, notices, by_chance }
}

/// Known failures that were right often enough running to be taken for mended, and not often enough in all to be sure.
fn mended(plan: &Plan, reports: &[QuestionReport]) -> Vec<String> {
    let right = |r: &QuestionReport| {
        let told = r.repeats.filter(|told| told.right_running >= RUNNING as u64)?;
        let fresh = told.fresh.filter(|_| r.change == Change::StillFailing)?;
        let (name, running) = (named(plan, r), told.right_running);
        let share = format!("{}/{}", fresh.hits, fresh.n);
        Some(format!(
            "{name} is a known failure and was right {running} times running ({share} in all): if it is mended, `ragline accept \
             {name}`; if it varies, `ragline accept {name} --flaky --floor {share} --reason \"…\"`."
        ))
    };
    reports.iter().filter_map(right).collect()
}

/// Questions by change; changes with no question are left out.
fn tally(reports: &[QuestionReport]) -> Vec<(Change, usize)> {
    let count = |c| reports.iter().filter(|r| r.change == c).count();
    Change::ALL.into_iter().map(|c| (c, count(c))).filter(|(_, n)| *n > 0).collect()
}

/// What is tolerated, and how much of it there is.
struct Counts {
    broken: u64,
    max_regressed: u64,
    unmeasured: u64,
    max_unmeasured: u64,
}

impl Counts {
    fn of(plan: &Plan, weights: &[Weighs]) -> Counts {
        let count = |w: Weighs| weights.iter().filter(|x| **x == w).count() as u64;
        Counts {
            broken: count(Weighs::Broken) + count(Weighs::Critical),
            max_regressed: plan.thresholds.max_regressed.value,
            unmeasured: count(Weighs::Unmeasured),
            max_unmeasured: plan.thresholds.max_unmeasured.value,
        }
    }

    fn verdict(&self, weight: Weighs, report: &QuestionReport) -> Verdict {
        match weight {
            Weighs::Critical | Weighs::Removed => Verdict::Failed,
            Weighs::Broken if self.broken <= self.max_regressed => {
                Verdict::Skipped(format!("tolerated: {} of at most {} regressed", self.broken, self.max_regressed))
            }
            Weighs::Broken => Verdict::Failed,
            Weighs::Tolerated(why) => Verdict::Skipped(format!("tolerated: {why}")),
            Weighs::Unmeasured if self.unmeasured <= self.max_unmeasured => Verdict::Skipped(format!(
                "tolerated: {} of at most {} unmeasured",
                self.unmeasured, self.max_unmeasured
            )),
            Weighs::Unmeasured | Weighs::EvidenceStale => Verdict::Incomplete,
            Weighs::FirstRun => Verdict::Skipped("no baseline yet; it fails".into()),
            Weighs::Free | Weighs::Advised => quiet_verdict(report),
        }
    }
}

/// The layers that are at fault for the change of a question.
fn at_fault(report: &QuestionReport) -> impl Iterator<Item = (LayerId, &LayerReport)> {
    report.layers.iter().filter(|(_, l)| match report.change {
        Change::Edited => l.result.outcome == Outcome::Fail,
        Change::Unmeasured => l.change == Change::Unmeasured,
        Change::Undecided => l.change == Change::Undecided,
        Change::NotSelected
        | Change::NotAsked
        | Change::Draft
        | Change::Removed
        | Change::RuleChanged
        | Change::Incomparable
        | Change::EvidenceStale
        | Change::Regressed
        | Change::Expired
        | Change::NewFail
        | Change::Drifted
        | Change::Flaky
        | Change::StillFailing
        | Change::Fixed
        | Change::NewPass
        | Change::Unchanged
        | Change::Observed => matches!(l.change, Change::Regressed | Change::Expired | Change::NewFail),
    })
}

/// True where a question has layers at fault, and none of them counts.
fn none_counts(report: &QuestionReport, counts: impl Fn(LayerId, &LayerReport) -> bool) -> bool {
    let mut layers = at_fault(report).peekable();
    layers.peek().is_some() && !layers.any(|(id, l)| counts(id, l))
}

/// What a question weighs once advice is heard: the same, or nothing because all that it breaks only advises.
fn advised(plan: &Plan, r: &QuestionReport, full: Weighs) -> Weighs {
    let modes = &plan.thresholds.modes;
    let question = modes.of_question(&r.suite, &r.tags) == Mode::Advisory;
    let layers = at_fault(r).next().is_some();
    let of_layer = |id: LayerId, l: &LayerReport| !l.warn && modes.of_layer(&r.suite, &r.tags, id) == Mode::Block;
    let advises = match full {
        Weighs::Broken | Weighs::Critical | Weighs::Unmeasured if layers => none_counts(r, of_layer),
        Weighs::Broken | Weighs::Critical | Weighs::Unmeasured | Weighs::EvidenceStale | Weighs::Removed => question,
        Weighs::Tolerated(_) | Weighs::FirstRun | Weighs::Free | Weighs::Advised => false,
    };
    if advises { Weighs::Advised } else { full }
}

/// What a question weighs that may be quarantined: then nothing of it blocks, not even that it could not be measured.
fn quarantined(r: &QuestionReport, weight: Weighs) -> Weighs {
    match weight {
        Weighs::Broken | Weighs::Critical | Weighs::Unmeasured | Weighs::EvidenceStale if r.quarantined.is_some() => {
            Weighs::Tolerated("the question is quarantined")
        }
        other @ (Weighs::Broken
        | Weighs::Critical
        | Weighs::Tolerated(_)
        | Weighs::Unmeasured
        | Weighs::EvidenceStale
        | Weighs::Removed
        | Weighs::FirstRun
        | Weighs::Free
        | Weighs::Advised) => other,
    }
}

fn weigh(plan: &Plan, r: &QuestionReport) -> Weighs {
    let first_run =
        plan.suites.iter().any(|s| s.suite.name == r.suite && matches!(s.baseline, BaselinePlan::Missing(_)));
    let broken = || {
        if none_counts(r, |_, l| !l.warn) {
            return Weighs::Tolerated("the layer only warns");
        }
        match r.severity {
            Severity::Minor => Weighs::Tolerated("the question is minor"),
            _ if first_run => Weighs::FirstRun,
            _ if expires_quietly(plan, r) => Weighs::Tolerated("its last day has passed; it blocks on the main branch"),
            Severity::Critical => Weighs::Critical,
            Severity::Normal => Weighs::Broken,
        }
    };
    match r.change {
        Change::Regressed | Change::Expired | Change::NewFail => broken(),
        Change::Edited if r.outcome == Outcome::Fail => broken(),
        Change::Undecided if r.severity == Severity::Critical => Weighs::Critical,
        Change::Unmeasured => Weighs::Unmeasured,
        Change::EvidenceStale => Weighs::EvidenceStale,
        Change::Removed => Weighs::Removed,
        Change::NotSelected
        | Change::NotAsked
        | Change::Draft
        | Change::Edited
        | Change::RuleChanged
        | Change::Incomparable
        | Change::Undecided
        | Change::Drifted
        | Change::Flaky
        | Change::StillFailing
        | Change::Fixed
        | Change::NewPass
        | Change::Unchanged
        | Change::Observed => Weighs::Free,
    }
}

/// An accepted failure whose last day has passed, where that does not block.
fn expires_quietly(plan: &Plan, r: &QuestionReport) -> bool {
    let lenient = match plan.thresholds.expired.value {
        Expired::Main => !plan.on_main,
        Expired::Block => false,
        Expired::Warn => true,
    };
    lenient && r.change == Change::Expired
}

fn noted(r: &QuestionReport, change: &str, otherwise: &str) -> Verdict {
    Verdict::Skipped(format!("{change}: {}", r.change_note.as_deref().unwrap_or(otherwise)))
}

/// The verdict of a question that does not count against anything.
fn quiet_verdict(r: &QuestionReport) -> Verdict {
    let because = |what: &str| {
        let reason = r.known_reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
        Verdict::Skipped(format!("{what}{reason}"))
    };
    match r.change {
        Change::Edited | Change::Fixed | Change::NewPass | Change::Unchanged => Verdict::Passed,
        Change::Flaky if r.quarantined.is_some() => because("quarantined"),
        Change::Flaky => because("flaky"),
        Change::StillFailing => because("known failure"),
        Change::NotAsked => Verdict::Skipped(r.change_note.clone().unwrap_or_else(|| "not asked".into())),
        Change::Draft => Verdict::Skipped("draft: not asked".into()),
        Change::Observed => Verdict::Skipped("observed: it asserts nothing".into()),
        Change::RuleChanged => Verdict::Skipped("rule changed: the accepted answer comes out differently too".into()),
        Change::Incomparable => {
            Verdict::Skipped("incomparable: accepted under other rules, and no accepted answer to score again".into())
        }
        Change::Undecided => noted(r, "undecided", "too little was seen to tell"),
        Change::Drifted => noted(r, "drifted", "it comes out so on the base too, so this branch did not do it"),
        Change::NotSelected
        | Change::Removed
        | Change::EvidenceStale
        | Change::Regressed
        | Change::Expired
        | Change::NewFail
        | Change::Unmeasured => Verdict::Passed,
    }
}

/// Whatever is tolerated: nobody has seen the rest.
fn interrupted_rule() -> RuleOutcome {
    let message = "the run was ended from outside before every question was answered".to_owned();
    rule("interrupted", None, Some(Exit::Incomplete), message)
}

/// What is left undecided because no more could be asked is no pass.
fn budget_rule(budget: u32) -> RuleOutcome {
    let message = format!(
        "the budget of {budget} runs asked anew was spent before every question was settled; raise `budget` in `confirm`, or mend \
         what broke"
    );
    rule("budget", None, Some(Exit::Incomplete), message)
}

/// What a reader does next.
fn next_steps(plan: &Plan, reports: &[QuestionReport]) -> Vec<String> {
    let mut next = Vec::new();
    let missing = plan.suites.iter().any(|s| matches!(s.baseline, BaselinePlan::Missing(_)));
    if missing {
        // Where nothing was measured there is nothing to accept: first the target must answer.
        if !reports.iter().any(|r| matches!(r.outcome, Outcome::Pass | Outcome::Fail)) {
            return next;
        }
        // Nor while some questions could not be judged: a baseline of the others would freeze a broken setup.
        let layers = || reports.iter().filter(|r| r.change != Change::Observed).flat_map(|r| &r.layers.0);
        let stale = |l: &LayerReport| l.result.findings.iter().any(|f| f.code == Code::EvidenceStale);
        if layers().any(stale) {
            next.push("ragline lint".to_owned());
        }
        if layers().any(|l| stale(l) || l.result.outcome == Outcome::Unmeasured) {
            return next;
        }
        // What the documents do not say is mended in the suite before anything is accepted.
        let stale_value = |r: &&QuestionReport| r.diagnosis.as_ref().is_some_and(|d| d.row == STALE_VALUE);
        if reports.iter().any(|r| stale_value(&r)) {
            next.push("ragline evidence update".to_owned());
        }
        let fails = reports.iter().any(|r| r.outcome == Outcome::Fail && r.change != Change::Observed);
        let reason = if fails { " --reason \"why the failing ones are accepted\"" } else { "" };
        next.push(format!("ragline accept --first{reason}"));
        return next;
    }
    if !plan.thresholds.wants_baseline() {
        return next;
    }
    let fixed: Vec<String> = reports.iter().filter(|r| r.change == Change::Fixed).map(|r| named(plan, r)).collect();
    match fixed.as_slice() {
        [] => {}
        few if few.len() <= 5 => next.push(format!("ragline accept {}", few.join(" "))),
        _ => next.push("ragline accept --only fixed".into()),
    }
    if reports.iter().any(|r| r.change == Change::Edited && r.outcome == Outcome::Pass) {
        next.push("ragline accept --only edited".into());
    }
    if reports.iter().any(|r| r.change == Change::NewPass) {
        next.push("ragline accept --only new_pass".into());
    }
    if reports.iter().any(|r| r.change == Change::Removed) {
        next.push("ragline accept --removed".into());
    }
    next
}

impl Thresholds {
    /// True when a suite is compared with a baseline.
    pub fn wants_baseline(&self) -> bool {
        self.baseline.value == BaselineUse::Required
    }
}

//! The decision: one place for every report, the exit code and the harness.

use super::summary;
use super::thresholds::{BaselineUse, Bound, Incomparable, Mode, Stale, Thresholds};
use super::{Decision, Exit, RuleOutcome, RuleVerdict};
use crate::core::plan::{BaselinePlan, Plan, SuitePlan};
use crate::core::{Change, LayerReport, QuestionReport, Verdict};
use crate::diagnose::STALE_VALUE;
use crate::layer::{Code, Outcome};
use crate::problem::Place;
use crate::suite::Severity;

/// How a question weighs on the gate, before the counts are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weighs {
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
}

/// Sets the verdict of each question and decides. A run that was `interrupted` is incomplete whatever is tolerated, and
/// also where the policy only advises: nobody has seen the rest.
pub fn decide(plan: &Plan, reports: &mut [QuestionReport], interrupted: bool) -> Decision {
    let policy = &plan.thresholds;
    let weights: Vec<Weighs> = reports.iter().map(|r| weigh(plan, r)).collect();
    let count = |w: Weighs| weights.iter().filter(|x| **x == w).count();
    let broken = (count(Weighs::Broken) + count(Weighs::Critical)) as u64;
    let unmeasured = count(Weighs::Unmeasured) as u64;
    let within = broken <= policy.max_regressed.value;
    let measured_enough = unmeasured <= policy.max_unmeasured.value;
    for (report, weight) in reports.iter_mut().zip(&weights) {
        report.verdict = match weight {
            Weighs::Critical | Weighs::Removed => Verdict::Failed,
            Weighs::Broken if within => {
                Verdict::Skipped(format!("tolerated: {broken} of at most {} regressed", policy.max_regressed.value))
            }
            Weighs::Broken => Verdict::Failed,
            Weighs::Tolerated(why) => Verdict::Skipped(format!("tolerated: {why}")),
            Weighs::Unmeasured if measured_enough => Verdict::Skipped(format!(
                "tolerated: {unmeasured} of at most {} unmeasured",
                policy.max_unmeasured.value
            )),
            Weighs::Unmeasured | Weighs::EvidenceStale => Verdict::Incomplete,
            Weighs::FirstRun => Verdict::Skipped("no baseline yet; it fails".into()),
            Weighs::Free => quiet_verdict(report),
        };
    }
    let suites: Vec<_> = plan.suites.iter().map(|s| summary::summarize(s, reports)).collect();
    let mut rules = count_rules(plan, reports, &weights);
    rules.extend(metric_rules(plan, reports));
    if interrupted {
        let message = "the run was ended from outside before every question was answered".to_owned();
        rules.push(rule("interrupted", None, Some(Exit::Incomplete), message));
    }
    let blocking = rules.iter().fold(Exit::Open, |exit, r| match r.verdict {
        RuleVerdict::Broken(e) => exit.and(e),
        RuleVerdict::Holds | RuleVerdict::NotEvaluated => exit,
    });
    let advisory = policy.mode.value == Mode::Advisory;
    let exit = if advisory && matches!(blocking, Exit::Closed | Exit::Incomplete) {
        if interrupted { Exit::Incomplete } else { Exit::Open }
    } else {
        blocking
    };
    if advisory {
        for report in reports.iter_mut() {
            if matches!(report.verdict, Verdict::Failed | Verdict::Incomplete) {
                report.verdict = Verdict::Skipped(format!("advisory: would have blocked ({})", report.change.words()));
            }
        }
    }
    let tally = Change::ALL
        .into_iter()
        .map(|c| (c, reports.iter().filter(|r| r.change == c).count()))
        .filter(|(_, n)| *n > 0)
        .collect();
    Decision { exit, exit_if_blocking: blocking, advisory, rules, tally, suites, next: next_steps(plan, reports) }
}

/// Whether the layers that are at fault for the change of a question all only warn.
fn only_warns(report: &QuestionReport) -> bool {
    let at_fault = |l: &&LayerReport| {
        if report.change == Change::Edited {
            l.result.outcome == Outcome::Fail
        } else {
            matches!(l.change, Change::Regressed | Change::Expired | Change::NewFail)
        }
    };
    let mut layers = report.layers.0.iter().filter(at_fault).peekable();
    layers.peek().is_some() && layers.all(|l| l.warn)
}

fn weigh(plan: &Plan, r: &QuestionReport) -> Weighs {
    let first_run =
        plan.suites.iter().any(|s| s.suite.name == r.suite && matches!(s.baseline, BaselinePlan::Missing(_)));
    let broken = || {
        if only_warns(r) {
            return Weighs::Tolerated("the layer only warns");
        }
        match r.severity {
            Severity::Minor => Weighs::Tolerated("the question is minor"),
            _ if first_run => Weighs::FirstRun,
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
        | Change::Flaky
        | Change::StillFailing
        | Change::Fixed
        | Change::NewPass
        | Change::Unchanged
        | Change::Observed => Weighs::Free,
    }
}

/// The verdict of a question that does not count against anything.
fn quiet_verdict(r: &QuestionReport) -> Verdict {
    let because = |what: &str| {
        let reason = r.known_reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
        Verdict::Skipped(format!("{what}{reason}"))
    };
    match r.change {
        Change::Edited | Change::Fixed | Change::NewPass | Change::Unchanged => Verdict::Passed,
        Change::Flaky => because("flaky"),
        Change::StillFailing => because("known failure"),
        Change::NotAsked => Verdict::Skipped(r.change_note.clone().unwrap_or_else(|| "not asked".into())),
        Change::Draft => Verdict::Skipped("draft: not asked".into()),
        Change::Observed => Verdict::Skipped("observed: it asserts nothing".into()),
        Change::RuleChanged => Verdict::Skipped("rule changed: the accepted answer comes out differently too".into()),
        Change::Incomparable => {
            Verdict::Skipped("incomparable: accepted under other rules, and no accepted answer to score again".into())
        }
        Change::Undecided => Verdict::Skipped("undecided: too little was seen to tell".into()),
        Change::NotSelected
        | Change::Removed
        | Change::EvidenceStale
        | Change::Regressed
        | Change::Expired
        | Change::NewFail
        | Change::Unmeasured => Verdict::Passed,
    }
}

fn rule(name: &str, place: Option<Place>, broken: Option<Exit>, message: String) -> RuleOutcome {
    let verdict = broken.map_or(RuleVerdict::Holds, RuleVerdict::Broken);
    RuleOutcome { name: name.to_owned(), place, verdict, message }
}

/// `q14, q22, q31 and 4 more`; with the suite in front when the run has several.
fn listed(plan: &Plan, chosen: &[&QuestionReport]) -> String {
    let shown: Vec<String> = chosen.iter().take(5).map(|r| named(plan, r)).collect();
    match chosen.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A question as a selector of this run names it.
fn named(plan: &Plan, r: &QuestionReport) -> String {
    if plan.suites.len() > 1 { format!("{}::{}", r.suite, r.id) } else { r.id.to_string() }
}

/// `2 regressed, 1 new failure`: the broken questions by what became of them.
fn kinds(reports: &[QuestionReport], weights: &[Weighs]) -> String {
    let broken = || reports.iter().zip(weights).filter(|(_, w)| matches!(w, Weighs::Broken | Weighs::Critical));
    let count = |c: Change| broken().filter(|(r, _)| r.change == c).count();
    let said: Vec<String> = [
        (Change::Regressed, "regressed", "regressed"),
        (Change::NewFail, "new failure", "new failures"),
        (Change::Expired, "expired", "expired"),
        (Change::Edited, "edited and failing", "edited and failing"),
        (Change::Undecided, "undecided", "undecided"),
    ]
    .into_iter()
    .filter_map(|(c, one, many)| match count(c) {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    })
    .collect();
    if said.is_empty() { "0 regressed".to_owned() } else { said.join(", ") }
}

/// The names of the rules that count questions, in their order; the thresholds on means follow.
pub const COUNT_RULES: [&str; 9] = [
    "baseline",
    "critical",
    "max_regressed",
    "removed",
    "stale",
    "max_unmeasured",
    "evidence",
    "comparable",
    "asserted",
];

/// The name of a threshold on a mean.
pub fn rule_name(rule: &super::thresholds::Rule) -> String {
    let tag = rule.tag.as_ref().map_or_else(String::new, |tag| format!("{tag}."));
    format!("{}.{tag}{}", rule.suite, rule.metric)
}

/// The rules that count questions.
fn count_rules(plan: &Plan, reports: &[QuestionReport], weights: &[Weighs]) -> Vec<RuleOutcome> {
    let policy = &plan.thresholds;
    let ids = |pick: &dyn Fn(&QuestionReport, Weighs) -> bool| {
        let chosen: Vec<&QuestionReport> =
            reports.iter().zip(weights).filter(|(r, w)| pick(r, **w)).map(|(r, _)| r).collect();
        (chosen.len(), listed(plan, &chosen))
    };
    let mut rules = Vec::new();
    let missing: Vec<&str> = plan
        .suites
        .iter()
        .filter_map(|s| match &s.baseline {
            BaselinePlan::Missing(path) => Some(path.as_str()),
            BaselinePlan::Present { .. } | BaselinePlan::NotUsed => None,
        })
        .collect();
    {
        let message = if !policy.wants_baseline() {
            "none is wanted: each question is judged by its own assertions".to_owned()
        } else if missing.is_empty() {
            "every suite has a baseline".to_owned()
        } else {
            format!("no baseline yet: {}", missing.join(", "))
        };
        let place = policy.baseline.place.clone();
        rules.push(rule("baseline", place, (!missing.is_empty()).then_some(Exit::Usage), message));
    }
    let (n, which) = ids(&|_, w| w == Weighs::Critical);
    let message =
        if n == 0 { "no critical question broke".into() } else { format!("critical question broke: {which}") };
    rules.push(rule("critical", None, (n > 0).then_some(Exit::Closed), message));

    let (n, which) = ids(&|_, w| matches!(w, Weighs::Broken | Weighs::Critical));
    let limit = &policy.max_regressed;
    let tail = if n > 0 { format!(": {which}") } else { String::new() };
    let message = format!("{}, at most {}{tail}", kinds(reports, weights), limit.value);
    rules.push(rule("max_regressed", limit.place.clone(), (n as u64 > limit.value).then_some(Exit::Closed), message));

    if plan.suites.iter().all(SuitePlan::is_partial) {
        rules.push(RuleOutcome {
            name: "removed".into(),
            place: None,
            verdict: RuleVerdict::NotEvaluated,
            message: "a partial run cannot tell which questions were removed".into(),
        });
    } else {
        let (n, which) = ids(&|_, w| w == Weighs::Removed);
        let message = if n == 0 {
            "no question of the baseline was removed".into()
        } else {
            format!("{n} in the baseline and not in the suite: {which}; ragline accept --removed")
        };
        rules.push(rule("removed", None, (n > 0).then_some(Exit::Closed), message));
    }

    let (n, which) = ids(&|r, _| r.change == Change::Fixed);
    let blocks = n > 0 && policy.stale.value == Stale::Block;
    let message = if n == 0 {
        "no accepted failure is out of date".into()
    } else {
        format!("{n} fixed and still accepted as failing: {which}; accept them, or their next break would hide")
    };
    rules.push(rule("stale", policy.stale.place.clone(), blocks.then_some(Exit::Closed), message));

    let (n, which) = ids(&|_, w| w == Weighs::Unmeasured);
    let limit = &policy.max_unmeasured;
    let tail = if n > 0 { format!(": {which}") } else { String::new() };
    let message = format!("{n} unmeasured, at most {}{tail}", limit.value);
    rules.push(rule(
        "max_unmeasured",
        limit.place.clone(),
        (n as u64 > limit.value).then_some(Exit::Incomplete),
        message,
    ));

    let (n, which) = ids(&|_, w| w == Weighs::EvidenceStale);
    let message = if n == 0 {
        "no evidence is missing from the corpus".into()
    } else {
        format!("{n} with evidence that does not stand in the corpus: {which}")
    };
    rules.push(rule("evidence", None, (n > 0).then_some(Exit::Incomplete), message));

    let out = |r: &QuestionReport| matches!(r.change, Change::RuleChanged | Change::Incomparable);
    let layer_out =
        |r: &QuestionReport| r.layers.0.iter().any(|l| matches!(l.change, Change::RuleChanged | Change::Incomparable));
    let (n, which) = ids(&|r, _| out(r) || layer_out(r));
    let exit = (n > 0 && policy.incomparable.value == Incomparable::Block).then_some(Exit::Incomplete);
    let message = if n == 0 {
        "everything was accepted under these rules".into()
    } else {
        format!("{n} accepted under other rules, so not compared in every layer: {which}")
    };
    rules.push(rule("comparable", policy.incomparable.place.clone(), exit, message));

    let says_nothing =
        |r: &QuestionReport| matches!(r.change, Change::Draft | Change::Observed | Change::Removed | Change::NotAsked);
    let asserted = reports.iter().any(|r| !says_nothing(r));
    let message = if asserted {
        "questions assert something"
    } else if reports.iter().any(|r| r.change == Change::NotAsked) {
        "nothing at all was measured: not one question could be asked"
    } else {
        "not one question asserts anything"
    };
    rules.push(rule("asserted", None, (!asserted).then_some(Exit::Incomplete), message.to_owned()));
    rules
}

/// The thresholds on means.
fn metric_rules(plan: &Plan, reports: &[QuestionReport]) -> Vec<RuleOutcome> {
    let mut rules = Vec::new();
    for t in &plan.thresholds.rules {
        let Some(suite) = plan.suites.iter().find(|s| *s.suite.name == *t.suite) else { continue };
        let name = rule_name(t);
        let place = Some(t.place.clone());
        if suite.is_partial() {
            let message = "a partial run does not speak for the suite".into();
            rules.push(RuleOutcome { name, place, verdict: RuleVerdict::NotEvaluated, message });
            continue;
        }
        let chosen: Vec<&QuestionReport> = reports
            .iter()
            .filter(|r| r.suite == suite.suite.name && t.tag.as_ref().is_none_or(|tag| r.tags.contains(tag)))
            .collect();
        let Some(mean) = summary::mean_of(&t.metric.to_string(), &chosen) else {
            let message = format!("{} was not measured for one question", t.metric);
            rules.push(rule(&name, place, Some(Exit::Incomplete), message));
            continue;
        };
        let (value, what) = match t.bound {
            Bound::Value => (Some(mean.value), "value"),
            Bound::Lower if t.min.is_none() => (mean.interval.map(|i| i.1), "upper bound"),
            Bound::Lower => (mean.interval.map(|i| i.0), "lower bound"),
        };
        let Some(value) = value else {
            let message = format!("{}: no interval can be stated for {} questions", t.metric, mean.n);
            rules.push(rule(&name, place, Some(Exit::Incomplete), message));
            continue;
        };
        let low = t.min.is_some_and(|m| value < m);
        let high = t.max.is_some_and(|m| value > m);
        let limits = [t.min.map(|m| format!("at least {m}")), t.max.map(|m| format!("at most {m}"))];
        let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let message = format!("{} {what} {value:.3} over {}, {limits}", t.metric, mean.n);
        rules.push(rule(&name, place, (low || high).then_some(Exit::Closed), message));
    }
    rules
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

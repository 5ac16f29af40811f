//! The rules of the gate: those that count questions, and the thresholds on means.

use super::decide::Weighs;
use super::modes::Modes;
use super::thresholds::{Bound, Incomparable, Mode, Rule, Stale};
use super::{Exit, RuleOutcome, RuleVerdict, summary};
use crate::core::plan::{BaselinePlan, Plan, SuitePlan};
use crate::core::{Change, QuestionReport};
use crate::layer::Outcome;
use crate::problem::Place;

/// A rule that holds, or is broken with an exit code.
pub(super) fn rule(name: &str, place: Option<Place>, broken: Option<Exit>, message: String) -> RuleOutcome {
    let verdict = broken.map_or(RuleVerdict::Holds, RuleVerdict::Broken);
    RuleOutcome { name: name.to_owned(), place, verdict, message }
}

/// A rule that advises, and does not count.
pub(super) fn advises(outcome: RuleOutcome) -> RuleOutcome {
    match outcome.verdict {
        RuleVerdict::Broken(exit) => RuleOutcome { verdict: RuleVerdict::Advised(exit), ..outcome },
        RuleVerdict::Advised(_) | RuleVerdict::Holds | RuleVerdict::NotEvaluated => outcome,
    }
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
pub(super) fn named(plan: &Plan, r: &QuestionReport) -> String {
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

/// The names of the rules that every run has, in their order; the thresholds on means follow.
pub const COUNT_RULES: [&str; 10] = [
    "baseline",
    "critical",
    "max_regressed",
    "removed",
    "stale",
    "max_unmeasured",
    "evidence",
    "comparable",
    "asserted",
    super::primary::RULE,
];

/// The name of a threshold on a mean.
pub fn rule_name(rule: &Rule) -> String {
    let tag = rule.tag.as_ref().map_or_else(String::new, |tag| format!("{tag}."));
    format!("{}.{tag}{}", rule.suite, rule.metric)
}

/// The rules that count questions: by their weights, and where a change alone counts, those that `blocks` names.
pub(super) fn count_rules(
    plan: &Plan,
    reports: &[QuestionReport],
    weights: &[Weighs],
    blocks: &dyn Fn(&QuestionReport) -> bool,
) -> Vec<RuleOutcome> {
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
            let nothing = !reports.is_empty() && reports.iter().all(|r| r.outcome == Outcome::Unmeasured);
            let tail = if nothing { "; nothing was measured, so there is nothing to accept" } else { "" };
            format!("no baseline yet: {}{tail}", missing.join(", "))
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

    let (n, which) = ids(&|r, _| r.change == Change::Fixed && blocks(r));
    let broken = n > 0 && policy.stale.value == Stale::Block;
    let message = if n == 0 {
        "no accepted failure is out of date".into()
    } else {
        format!("{n} fixed and still accepted as failing: {which}; accept them, or their next break would hide")
    };
    rules.push(rule("stale", policy.stale.place.clone(), broken.then_some(Exit::Closed), message));

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
    let (n, which) = ids(&|r, _| (out(r) || layer_out(r)) && blocks(r) && r.quarantined.is_none());
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
    let counts = reports.is_empty() || reports.iter().any(blocks);
    rules.push(rule("asserted", None, (!asserted && counts).then_some(Exit::Incomplete), message.to_owned()));
    rules
}

/// The thresholds on means.
pub(super) fn metric_rules(plan: &Plan, reports: &[QuestionReport]) -> Vec<RuleOutcome> {
    let modes: &Modes = &plan.thresholds.modes;
    let of_suite = |t: &Rule| plan.suites.iter().find(|s| *s.suite.name == *t.suite);
    let rules = plan.thresholds.rules.iter().filter_map(|t| Some((t, of_suite(t)?)));
    let outcomes = rules.map(|(t, suite)| {
        let outcome = metric_rule(t, suite, reports);
        let mode = modes.of_layer(&t.suite, t.tag.as_slice(), t.metric.layer());
        if mode == Mode::Advisory { advises(outcome) } else { outcome }
    });
    outcomes.collect()
}

/// One threshold on a mean.
fn metric_rule(t: &Rule, suite: &SuitePlan, reports: &[QuestionReport]) -> RuleOutcome {
    let name = rule_name(t);
    let place = Some(t.place.clone());
    if suite.is_partial() {
        let message = "a partial run does not speak for the suite".into();
        return RuleOutcome { name, place, verdict: RuleVerdict::NotEvaluated, message };
    }
    let chosen: Vec<&QuestionReport> = reports
        .iter()
        // What is quarantined blocks nothing, and so no mean either.
        .filter(|r| {
            r.quarantined.is_none()
                && r.suite == suite.suite.name
                && t.tag.as_ref().is_none_or(|tag| r.tags.contains(tag))
        })
        .collect();
    let Some(mean) = summary::mean_of(&t.metric.to_string(), &chosen) else {
        let message = format!("{} was not measured for one question", t.metric);
        return rule(&name, place, Some(Exit::Incomplete), message);
    };
    let (value, what) = match t.bound {
        Bound::Value => (Some(mean.value), "value"),
        Bound::Lower if t.min.is_none() => (mean.interval.map(|i| i.1), "upper bound"),
        Bound::Lower => (mean.interval.map(|i| i.0), "lower bound"),
    };
    let Some(value) = value else {
        let message = format!("{}: no interval can be stated for {} questions", t.metric, mean.n);
        return rule(&name, place, Some(Exit::Incomplete), message);
    };
    let low = t.min.is_some_and(|m| value < m);
    let high = t.max.is_some_and(|m| value > m);
    let limits = [t.min.map(|m| format!("at least {m}")), t.max.map(|m| format!("at most {m}"))];
    let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let message = format!("{} {what} {value:.3} over {}, {limits}", t.metric, mean.n);
    rule(&name, place, (low || high).then_some(Exit::Closed), message)
}

/// A rule over everything, and the same over what blocks: where only the first is broken, it advises.
pub(super) fn softer(strict: RuleOutcome, lenient: RuleOutcome) -> RuleOutcome {
    match (strict.verdict, lenient.verdict) {
        (RuleVerdict::Broken(exit), RuleVerdict::Holds) => {
            RuleOutcome { verdict: RuleVerdict::Advised(exit), ..strict }
        }
        (RuleVerdict::Broken(_) | RuleVerdict::Holds | RuleVerdict::Advised(_) | RuleVerdict::NotEvaluated, _) => {
            lenient
        }
    }
}

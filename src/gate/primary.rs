//! Whether a layer fell as a whole, however little can be said of any one question: a paired test of each primary layer
//! against the baseline, over all questions, with Holm's correction.
//!
//! What decides question by question cannot see thirty questions that each fail a little more often than they did. Their sum
//! can. Every question counts with its first runs, which nobody picked, against the runs behind its baseline.

use super::rules::rule;
use super::thresholds::Mode;
use super::{Exit, RuleOutcome, RuleVerdict};
use crate::baseline::{Entry, LayerBase};
use crate::core::plan::{BaselinePlan, Plan, SuitePlan};
use crate::core::{Change, QuestionReport};
use crate::layer::{LayerId, Outcome};
use crate::stats::{Rate, holm, stratified};
use crate::suite::Severity;

/// The name of the rule.
pub const RULE: &str = "primary";

/// The share of builds without any change that the rule may block.
pub const LEVEL: f64 = 0.005;

/// One layer, compared.
struct Compared {
    layer: LayerId,
    questions: usize,
    /// Questions that passed less often than they did, and more often.
    worse: usize,
    better: usize,
    p: f64,
}

/// The rule.
pub(super) fn outcome(plan: &Plan, reports: &[QuestionReport]) -> RuleOutcome {
    let policy = &plan.thresholds.primary;
    let place = policy.place.clone();
    if plan.suites.iter().all(SuitePlan::is_partial) {
        let message = "a partial run does not speak for its layers".to_owned();
        return RuleOutcome { name: RULE.into(), place, verdict: RuleVerdict::NotEvaluated, message };
    }
    let compared: Vec<Compared> = policy.value.iter().filter_map(|l| compare(plan, reports, *l)).collect();
    let adjusted = holm(&compared.iter().map(|c| c.p).collect::<Vec<_>>());
    let fell: Vec<(&Compared, f64)> =
        compared.iter().zip(adjusted.iter().copied()).filter(|(_, p)| *p <= LEVEL).collect();
    let message = if fell.is_empty() {
        let least = adjusted.iter().copied().fold(f64::INFINITY, f64::min);
        match compared.len() {
            0 => "no primary layer has anything to compare".to_owned(),
            n => format!("no primary layer fell; the smallest p of {n} is {} (Holm), at most {LEVEL}", p_value(least)),
        }
    } else {
        let said: Vec<String> = fell.iter().map(|(c, p)| told(c, *p, compared.len())).collect();
        format!("{}; a fall is shown at {LEVEL}", said.join(", "))
    };
    rule(RULE, place, (!fell.is_empty()).then_some(Exit::Closed), message)
}

/// `facts fell: 14 questions of 198 worse, 2 better, p .0003, by Holm over 4 layers .0012`
fn told(c: &Compared, adjusted: f64, layers: usize) -> String {
    let Compared { layer, questions, worse, better, p } = c;
    format!(
        "{layer} fell: of {questions} questions {worse} worse and {better} better, p {}, by Holm over {layers} {} {}",
        p_value(*p),
        if layers == 1 { "layer" } else { "layers" },
        p_value(adjusted)
    )
}

fn p_value(p: f64) -> String {
    if p < 0.0001 { "below .0001".to_owned() } else { format!("{p:.4}").trim_start_matches('0').to_owned() }
}

/// One layer; none where not one question can be compared in it.
fn compare(plan: &Plan, reports: &[QuestionReport], layer: LayerId) -> Option<Compared> {
    let of = |r: &QuestionReport| {
        let suite = plan.suites.iter().find(|s| s.suite.name == r.suite && !s.is_partial())?;
        let BaselinePlan::Present { baseline, .. } = &suite.baseline else { return None };
        counts(plan, r, layer).then_some(())?;
        Some((before(baseline.entries.get(&r.id)?, layer)?, now(r, layer)?))
    };
    let pairs: Vec<(Rate, Rate)> = reports.iter().filter_map(of).collect();
    let than = |less: fn(&f64, &f64) -> bool| {
        let both = |(a, b): &&(Rate, Rate)| a.value().zip(b.value()).is_some_and(|(a, b)| less(&b, &a));
        pairs.iter().filter(both).count()
    };
    let (worse, better) = (than(f64::lt), than(f64::gt));
    (!pairs.is_empty()).then(|| Compared { layer, questions: pairs.len(), worse, better, p: stratified(&pairs) })
}

/// Whether a question counts for a layer: it is the same question under the same rules, nothing of it is tolerated whatever it
/// does, and it is not known to come out so on the base as well.
fn counts(plan: &Plan, r: &QuestionReport, layer: LayerId) -> bool {
    let l = &r.layers[layer];
    let other = [Change::Edited, Change::RuleChanged, Change::Incomparable, Change::Drifted];
    let modes = &plan.thresholds.modes;
    let blocks = modes.all.value == Mode::Advisory || modes.of_layer(&r.suite, &r.tags, layer) == Mode::Block;
    let same = !other.contains(&r.change) && !other.contains(&l.change);
    same && blocks && !l.warn && r.quarantined.is_none() && r.severity != Severity::Minor
}

/// What is known of a layer: how often it passed in the runs behind the baseline. None of one that is said to vary, and not how
/// often it passes.
fn before(entry: &Entry, layer: LayerId) -> Option<Rate> {
    let seen = u64::from(entry.seen().runs);
    match entry.layers[layer]? {
        LayerBase::Mixed(share) => Some(Rate::new(share.passes.into(), share.runs.into())),
        LayerBase::Pass | LayerBase::Fail if entry.varies(layer) => None,
        LayerBase::Pass => Some(Rate::new(seen, seen)),
        LayerBase::Fail => Some(Rate::new(0, seen)),
        LayerBase::Skipped => None,
    }
}

/// What its first runs say now; not those that were asked anew, for which it was picked.
fn now(r: &QuestionReport, layer: LayerId) -> Option<Rate> {
    if let Some(told) = r.repeats {
        return Some(told.layers[layer].first).filter(|first| first.n > 0);
    }
    match r.layers[layer].result.outcome {
        Outcome::Pass => Some(Rate::new(1, 1)),
        Outcome::Fail => Some(Rate::new(0, 1)),
        Outcome::Unmeasured | Outcome::Skipped(_) => None,
    }
}

//! Sums per suite and layer: each share and mean with its count, its interval and the random line, or not at all.

use super::refusals::Refusals;
use super::{LayerSummary, Mean, SuiteSummary};
use crate::core::plan::SuitePlan;
use crate::core::{Change, QuestionReport};
use crate::layer::refusal::Label;
use crate::layer::retrieval::{MetricName, RetrievalDetail};
use crate::layer::{Detail, LayerId, Outcome, Skip};
use crate::stats::{Level, Rate, mean as mean_of_values};
use crate::suite::Expect;

/// Sums the questions of one suite.
pub fn summarize(suite: &SuitePlan, reports: &[QuestionReport]) -> SuiteSummary {
    let mine: Vec<&QuestionReport> = reports
        .iter()
        .filter(|r| {
            // What nobody expects anything of is shown, and counts neither for nor against a layer.
            let apart = [Change::Removed, Change::Draft, Change::NotAsked, Change::Observed];
            r.suite == suite.suite.name && !apart.contains(&r.change)
        })
        .collect();
    let layers: Vec<LayerSummary> = LayerId::ALL.into_iter().map(|l| layer(l, &mine)).collect();
    let checked_layers = layers.iter().filter(|l| l.pass + l.fail > 0).count();
    let smallest = layers.iter().map(|l| l.pass + l.fail).filter(|n| *n > 0).min();
    let refusals = Some(Refusals::count(&mine)).filter(Refusals::is_telling);
    let blind = smallest.and_then(crate::power::sentence);
    SuiteSummary {
        suite: suite.suite.name.clone(),
        layers,
        checked_layers,
        refusals,
        blind,
        unchecked: unchecked(&mine),
    }
}

/// What a pass does not say: that nobody looked at the answer, and that any passage of the document was enough.
fn unchecked(mine: &[&QuestionReport]) -> Vec<String> {
    const NAMED: usize = 10;
    let mut out = Vec::new();
    let skipped = |r: &QuestionReport| r.layers[LayerId::Facts].result.outcome == Outcome::Skipped(Skip::NotApplicable);
    let unread = |r: &&&QuestionReport| r.outcome == Outcome::Pass && r.expect == Expect::Answer && skipped(r);
    let ids: Vec<&str> = mine.iter().filter(unread).map(|r| r.id.as_str()).collect();
    if !ids.is_empty() {
        let more = ids.len().saturating_sub(NAMED);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = ids.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        out.push(format!("Answer not checked, since no fact says what it must state: {named}{rest}."));
    }
    let of = |r: &&&QuestionReport| r.layers[LayerId::Retrieval].result.outcome == Outcome::Pass;
    let (passed, coarse) =
        (mine.iter().filter(of).count(), mine.iter().filter(of).filter(|r| r.evidence.coarse).count());
    if coarse > 0 {
        out.push(format!(
            "Retrieval: {coarse} of {passed} pass by any passage of the document or section, since their evidence names no \
             words (`span`)."
        ));
    }
    out
}

fn layer(layer: LayerId, mine: &[&QuestionReport]) -> LayerSummary {
    let count = |o: &dyn Fn(Outcome) -> bool| mine.iter().filter(|r| o(r.layers[layer].result.outcome)).count();
    let pass = count(&|o| o == Outcome::Pass);
    let fail = count(&|o| o == Outcome::Fail);
    let measured = || mine.iter().filter(|r| matches!(r.layers[layer].result.outcome, Outcome::Pass | Outcome::Fail));
    let known = measured().any(|r| r.layers[layer].was.is_some());
    LayerSummary {
        layer,
        pass,
        fail,
        unmeasured: count(&|o| o == Outcome::Unmeasured),
        not_applicable: count(&|o| o == Outcome::Skipped(Skip::NotApplicable)),
        off: count(&|o| o == Outcome::Skipped(Skip::Off)),
        not_observed: count(&|o| o == Outcome::Skipped(Skip::NotObserved)),
        was_pass: known.then(|| measured().filter(|r| r.layers[layer].was == Some(Outcome::Pass)).count()),
        interval: wilson(pass, pass + fail),
        random: if layer == LayerId::Retrieval { chance(mine) } else { None },
        means: if layer == LayerId::Retrieval { retrieval_means(mine) } else { Vec::new() },
    }
}

/// The share of passes of a random ranking, over the questions that were measured; none when one of them has none.
fn chance(mine: &[&QuestionReport]) -> Option<f64> {
    let shares: Option<Vec<f64>> = measured_retrieval(mine).map(|d| d.chance).collect();
    mean_of_values(shares?).map(|m| m.value)
}

fn measured_retrieval<'a>(mine: &'a [&QuestionReport]) -> impl Iterator<Item = &'a RetrievalDetail> + Clone {
    mine.iter().filter_map(|r| {
        let result = &r.layers[LayerId::Retrieval].result;
        match (&result.detail, result.outcome) {
            (Detail::Retrieval(d), Outcome::Pass | Outcome::Fail) => Some(&**d),
            _ => None,
        }
    })
}

/// Means of the retrieval metrics, over the questions that were measured.
fn retrieval_means(mine: &[&QuestionReport]) -> Vec<Mean> {
    // Questions with the same cut-offs list the same names in the same order, so the place is nearly always known.
    let mut sums: Vec<(MetricName, Vec<f64>, Vec<f64>)> = Vec::new();
    for d in measured_retrieval(mine) {
        for (i, (name, value)) in d.metrics.iter().enumerate() {
            let random =
                d.random.get(i).filter(|(n, _)| n == name).or_else(|| d.random.iter().find(|(n, _)| n == name));
            let at = match sums.get(i) {
                Some((n, ..)) if n == name => Some(i),
                _ => sums.iter().position(|(n, ..)| n == name),
            };
            match at.and_then(|at| sums.get_mut(at)) {
                Some((_, values, chances)) => {
                    values.push(*value);
                    chances.extend(random.map(|(_, v)| *v));
                }
                None => sums.push((*name, vec![*value], random.map(|(_, v)| *v).into_iter().collect())),
            }
        }
    }
    sums.into_iter()
        .map(|(name, values, chances)| {
            // A random line over other questions than the mean's would compare two things.
            let same = chances.len() == values.len();
            let random = if same { mean_of_values(chances).map(|m| m.value) } else { None };
            mean(name.to_string(), &values, random)
        })
        .collect()
}

/// Wilson's 95 % interval.
fn wilson(hits: usize, n: usize) -> Option<(f64, f64)> {
    Rate::new(hits as u64, n as u64).wilson(Level::P95).map(|i| (i.low, i.high))
}

/// A mean; its interval is Wilson's where every value is 0 or 1, and is not stated otherwise.
fn mean(name: String, values: &[f64], random: Option<f64>) -> Mean {
    let n = values.len();
    let binary = values.iter().all(|v| *v == 0.0 || *v == 1.0);
    let hits = values.iter().filter(|v| **v == 1.0).count();
    let value = mean_of_values(values.iter().copied()).map_or(0.0, |m| m.value);
    Mean { name, value, n, interval: if binary { wilson(hits, n) } else { None }, random }
}

/// The mean that a threshold names, over some questions; nothing when not one of them was measured.
pub fn mean_of(metric: &str, reports: &[&QuestionReport]) -> Option<Mean> {
    let (layer, name) = metric.split_once('.')?;
    let layer = LayerId::parse(layer)?;
    let outcomes = || reports.iter().map(|r| (r, &r.layers[layer].result));
    let values: Vec<f64> = match (layer, name) {
        (_, "rate") => outcomes()
            .filter_map(|(_, l)| match l.outcome {
                Outcome::Pass => Some(1.0),
                Outcome::Fail => Some(0.0),
                Outcome::Unmeasured | Outcome::Skipped(_) => None,
            })
            .collect(),
        (LayerId::Refusal, "recall") => refused(outcomes().filter(|(r, _)| r.expect == Expect::Refuse)),
        (LayerId::Refusal, "false_rate") => refused(outcomes().filter(|(r, _)| r.expect == Expect::Answer)),
        (LayerId::Retrieval, name) => outcomes()
            .filter_map(|(_, l)| match (&l.detail, l.outcome) {
                (Detail::Retrieval(d), Outcome::Pass | Outcome::Fail) => {
                    d.metrics.iter().find(|(n, _)| n.is(name)).map(|(_, v)| *v)
                }
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    (!values.is_empty()).then(|| mean(name.to_owned(), &values, None))
}

/// 1 for each measured answer that is a refusal, 0 for each that is not. The outcome knows the response's own flag, which
/// the label by the text does not: where an answer is expected only a refusal fails, where a refusal is expected only a
/// refusal or one in part passes.
pub(super) fn refused<'a, 'b: 'a>(
    of: impl Iterator<Item = (&'a &'b QuestionReport, &'a crate::layer::LayerResult)>,
) -> Vec<f64> {
    of.filter_map(|(r, l)| {
        let Detail::Refusal(detail) = &l.detail else { return None };
        let refused = match (l.outcome, r.expect) {
            (Outcome::Pass, Expect::Refuse) => detail.label != Label::Partial,
            (Outcome::Fail, Expect::Answer) => true,
            (Outcome::Pass, Expect::Answer) | (Outcome::Fail, Expect::Refuse) => false,
            (Outcome::Pass | Outcome::Fail, Expect::Either | Expect::Clarify)
            | (Outcome::Unmeasured | Outcome::Skipped(_), _) => {
                return None;
            }
        };
        Some(f64::from(u8::from(refused)))
    })
    .collect()
}

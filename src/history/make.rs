//! A line of a history, from a run that is on file.

use super::known::failing;
use super::{Kind, Line, Mean, Seen, Share, VERSION};
use crate::baseline::accept::Accepted;
use crate::digest::Hasher;
use crate::drive::record::{Run, SuiteRecord};
use crate::problem::{Place, Problem};
use crate::report::results::ResultLine;
use crate::stats::Rate;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};

/// The line of a run that was made.
///
/// # Errors
/// When the run's results cannot be read.
pub fn measured(run: &Run, of_suite: &SuiteRecord) -> Result<Line, Problem> {
    let mut set = Hasher::default();
    for (id, expects) in &of_suite.expects {
        set.field(id);
        set.field(expects);
    }
    let mut layers: BTreeMap<String, Share> = BTreeMap::new();
    let mut changes: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines(run, of_suite) {
        *changes.entry(line.change.name().to_owned()).or_default() += 1;
        for (layer, outcome) in &line.layers {
            let pass = match outcome.as_str() {
                "pass" => 1,
                "fail" => 0,
                _ => continue,
            };
            let share = layers.entry(layer.name().to_owned()).or_insert(Share { pass: 0, n: 0 });
            *share = Share { pass: share.pass + pass, n: share.n + 1 };
        }
    }
    let metrics = means(run, &of_suite.suite).map_err(|e| {
        Problem::error("run-unreadable", Place::default(), format!("cannot read the results of the run: {e}"))
    })?;
    Ok(Line {
        version: VERSION,
        kind: Kind::Run,
        run: run.record.id.clone(),
        suite: of_suite.suite.clone(),
        target: of_suite.target.clone(),
        subject: of_suite.subject.clone(),
        measure: of_suite.measure.clone(),
        set: set.short(),
        partial: of_suite.partial || of_suite.not_asked.is_some(),
        layers,
        metrics,
        changes,
        who: None,
        why: None,
        questions: BTreeMap::new(),
    })
}

/// The line of a run of which something was accepted. Only of the accepted questions the runs are told: what failed in a run and
/// was not accepted is nothing to be held against later.
///
/// # Errors
/// When the run's results cannot be read.
pub fn accepted(
    run: &Run,
    of_suite: &SuiteRecord,
    accepted: &Accepted,
    who: Option<&str>,
    why: Option<&str>,
) -> Result<Line, Problem> {
    let mut questions = BTreeMap::new();
    for line in lines(run, of_suite).filter(|l| accepted.accepted.contains(l.id.as_str())) {
        let Some(entry) = accepted.baseline.entries.get(line.id.as_str()) else { continue };
        let Rate { hits: k, n } = runs(line);
        questions.insert(line.id.clone(), Seen { e: entry.expects.clone(), k, n, f: failing(entry) });
    }
    let (who, why) = (who.map(str::to_owned), why.map(str::to_owned));
    Ok(Line { kind: Kind::Accept, who, why, questions, ..measured(run, of_suite)? })
}

/// The runs of a question: the first ones and those that were asked anew.
fn runs(line: &ResultLine) -> Rate {
    let once = Rate::of([line.outcome == "pass"]);
    let first = line.first.unwrap_or(once);
    let fresh = line.fresh.unwrap_or_default();
    Rate::new(first.hits + fresh.hits, first.n + fresh.n)
}

fn lines<'r>(run: &'r Run, of_suite: &'r SuiteRecord) -> impl Iterator<Item = &'r ResultLine> {
    run.results.iter().filter(|l| *l.suite == *of_suite.suite)
}

#[derive(Deserialize)]
struct OfQuestion {
    suite: String,
    layers: BTreeMap<String, OfLayer>,
}

#[derive(Deserialize)]
struct OfLayer {
    outcome: String,
    #[serde(default)]
    metrics: BTreeMap<String, f64>,
}

/// The means of retrieval, over the questions in which it was measured.
fn means(run: &Run, suite: &str) -> io::Result<BTreeMap<String, Mean>> {
    let mut sums: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    for line in BufReader::new(File::open(run.folder.join("results.jsonl"))?).lines().skip(1) {
        let line: OfQuestion = serde_json::from_str(&line?)?;
        let measured = |l: &OfLayer| matches!(l.outcome.as_str(), "pass" | "fail");
        for (name, value) in
            line.layers.into_values().filter(|l| line.suite == suite && measured(l)).flat_map(|l| l.metrics)
        {
            let sum = sums.entry(name).or_default();
            *sum = (sum.0 + value, sum.1 + 1);
        }
    }
    let mean = |(name, (sum, n)): (String, (f64, u64))| (name, Mean { mean: (sum / n as f64 * 1e6).round() / 1e6, n });
    Ok(sums.into_iter().map(mean).collect())
}

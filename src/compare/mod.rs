//! Several configurations over the same questions, side by side: what each reaches, how sure that is, and which differ.
//!
//! Each configuration is the results of a run. Questions are paired by suite and id, and only where every run asked them with
//! the same expectations; the others are counted and left out. Rates have Wilson's interval, other means the bootstrap's
//! (BCa); beside retrieval stands what a random ranking of the same passages would reach. Two configurations differ where
//! the exact test of McNemar (mid-p) or the sign-flip permutation says so after Holm's correction over all pairs: within
//! noise there is no winner. Questions of one `group` share evidence and count as one: their signs flip together.
//!
//! * `read` reads results;
//! * [`compare`] makes the table, `pairs` the differences.

mod pairs;
mod read;

pub use pairs::{ALPHA, Pair, Values, between, family, numbered};
pub use read::{Asked, Found, Layer, Run};

use crate::layer::LayerId;
use crate::stats::{Interval, Level, Rate, SEED, bca, mean};
use std::collections::{BTreeMap, BTreeSet};

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// The share of questions that pass.
    Passed,
    /// The share of questions whose layer passes.
    Layer(LayerId),
    /// The share of questions with whole evidence in the prompt.
    Complete,
    /// A metric of retrieval, by its name.
    Metric(&'static str),
}

/// The measures of a table, in order.
pub const MEASURES: [Measure; 11] = [
    Measure::Passed,
    Measure::Layer(LayerId::Retrieval),
    Measure::Metric("hit@1"),
    Measure::Metric("hit@3"),
    Measure::Metric("hit@5"),
    Measure::Metric("rr"),
    Measure::Metric("ndcg@5"),
    Measure::Complete,
    Measure::Layer(LayerId::Facts),
    Measure::Layer(LayerId::Refusal),
    Measure::Layer(LayerId::Numbers),
];

impl Measure {
    /// As tables head it.
    pub fn name(self) -> String {
        match self {
            Measure::Passed => "passed".to_owned(),
            Measure::Layer(layer) => layer.name().to_owned(),
            Measure::Complete => "evidence whole".to_owned(),
            Measure::Metric(name) => name.to_owned(),
        }
    }

    /// The value of one question, from 0 to 1; nothing where it was not measured or does not apply.
    pub fn of(self, asked: &Asked) -> Option<f64> {
        let verdict = |word: &str| match word {
            "pass" => Some(1.0),
            "fail" => Some(0.0),
            _ => None,
        };
        match self {
            Measure::Passed => verdict(&asked.outcome),
            Measure::Layer(layer) => asked.layers.get(layer.name()).and_then(|l| verdict(&l.outcome)),
            Measure::Complete => asked.complete.map(|whole| f64::from(u8::from(whole))),
            Measure::Metric(name) => asked.metrics.get(name).copied(),
        }
    }

    /// What a random ranking reaches on one question.
    fn random(self, asked: &Asked) -> Option<f64> {
        match self {
            Measure::Metric(name) => asked.random.get(name).copied(),
            Measure::Passed | Measure::Layer(_) | Measure::Complete => None,
        }
    }

    /// Whether every value is 0 or 1.
    fn is_rate(self) -> bool {
        !matches!(self, Measure::Metric(name) if !name.starts_with("hit@"))
    }
}

/// A value with what is known of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The mean over the questions that were measured.
    pub value: f64,
    /// How many those are.
    pub n: usize,
    /// The 95 % interval; nothing where there are too few values, or only equal ones.
    pub interval: Option<Interval>,
    /// The smallest and the largest value.
    pub range: (f64, f64),
}

/// One measure across the configurations.
#[derive(Debug, Clone)]
pub struct Row {
    /// What is measured.
    pub measure: Measure,
    /// One cell for each configuration; nothing where it measured no question.
    pub cells: Vec<Option<Cell>>,
    /// What a random ranking reaches in each configuration, on its questions that have a value: a cut into more passages has
    /// another one.
    pub random: Vec<Option<f64>>,
}

/// The whole comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The names of the configurations.
    pub names: Vec<String>,
    /// How many questions are compared.
    pub questions: usize,
    /// Those that some run lacks, in order.
    pub lacking: Vec<String>,
    /// How many have evidence that names a document or section and no words, by which no cut can be judged.
    pub coarse: usize,
    /// How many are left out because their expectations differ between the runs.
    pub changed: usize,
    /// The rows that any configuration has a value of.
    pub rows: Vec<Row>,
    /// How often each row of the diagnosis came, by configuration; the words of the row first.
    pub diagnosis: Vec<(String, Vec<usize>)>,
    /// How often a span stood in no passage whole although its document was there, of the questions with evidence.
    pub cut: Vec<Rate>,
    /// Every pair of configurations.
    pub pairs: Vec<Pair>,
}

/// Compares runs over the questions that all of them asked.
pub fn compare(runs: &[Run]) -> Comparison {
    let all: BTreeSet<&String> = runs.iter().flat_map(|r| r.questions.keys()).collect();
    let everywhere: Vec<&String> =
        all.iter().copied().filter(|id| runs.iter().all(|r| r.questions.contains_key(*id))).collect();
    let same = |id: &&&String| {
        let mut expects = runs.iter().filter_map(|r| r.questions.get(**id)).map(|q| &q.expects);
        let first = expects.next();
        expects.all(|e| Some(e) == first)
    };
    let ids: Vec<&String> = everywhere.iter().filter(same).copied().collect();
    let asked: Vec<Vec<&Asked>> =
        runs.iter().map(|r| ids.iter().filter_map(|id| r.questions.get(*id)).collect()).collect();
    Comparison {
        names: runs.iter().map(|r| r.name.clone()).collect(),
        questions: ids.len(),
        lacking: all.iter().filter(|id| !everywhere.contains(id)).map(|id| (*id).clone()).collect(),
        coarse: (0..ids.len()).filter(|i| asked.iter().any(|a| a.get(*i).is_some_and(|q| q.coarse))).count(),
        changed: everywhere.len() - ids.len(),
        rows: MEASURES.iter().map(|m| row(*m, &asked)).filter(|r| r.cells.iter().any(Option::is_some)).collect(),
        diagnosis: diagnosis(&asked),
        cut: asked.iter().map(|a| cut(a)).collect(),
        pairs: pairs::all(&ids, &asked),
    }
}

fn row(measure: Measure, asked: &[Vec<&Asked>]) -> Row {
    let cell = |questions: &Vec<&Asked>| {
        let values: Vec<f64> = questions.iter().filter_map(|q| measure.of(q)).collect();
        let of = mean(values.iter().copied())?;
        let groups = numbered(questions.iter().filter(|q| measure.of(q).is_some()).map(|q| q.group.as_deref()));
        let interval = if measure.is_rate() {
            Rate::of(values.iter().map(|v| *v > 0.5)).wilson(Level::P95)
        } else {
            bca(&values, Some(&groups), Level::P95, SEED)
        };
        Some(Cell { value: of.value, n: of.n, interval, range: (of.min, of.max) })
    };
    let random = |q: &Vec<&Asked>| mean(q.iter().filter_map(|q| measure.random(q))).map(|m| m.value);
    let random = asked.iter().map(random).collect();
    Row { measure, cells: asked.iter().map(cell).collect(), random }
}

/// The rows of the diagnosis that came, most frequent first.
fn diagnosis(asked: &[Vec<&Asked>]) -> Vec<(String, Vec<usize>)> {
    let mut counts: BTreeMap<&String, Vec<usize>> = BTreeMap::new();
    for (at, questions) in asked.iter().enumerate() {
        for words in questions.iter().filter_map(|q| q.diagnosis.as_ref()) {
            let row = counts.entry(words).or_insert_with(|| vec![0; asked.len()]);
            if let Some(n) = row.get_mut(at) {
                *n += 1;
            }
        }
    }
    let mut rows: Vec<(String, Vec<usize>)> = counts.into_iter().map(|(w, n)| (w.clone(), n)).collect();
    rows.sort_by_key(|(words, n)| (std::cmp::Reverse(n.iter().sum::<usize>()), words.clone()));
    rows
}

/// Of the questions whose document was sent, those whose evidence was not whole. Where any passage of the document is enough nothing
/// can be cut.
fn cut(asked: &[&Asked]) -> Rate {
    let sent = asked.iter().filter(|q| q.in_prompt == Some(true) && !q.coarse);
    Rate::of(sent.filter_map(|q| q.complete).map(|whole| !whole))
}

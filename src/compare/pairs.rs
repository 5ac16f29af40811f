//! Which configurations differ.

use super::{Asked, MEASURES, Measure};
use crate::stats::{Interval, Level, Paired, SEED, bca, holm, mcnemar, mean, sign_flip};

/// Two configurations on one measure.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The positions of the two.
    pub of: (usize, usize),
    /// What is measured.
    pub measure: Measure,
    /// Questions that both measured.
    pub n: usize,
    /// The mean difference, second less first.
    pub difference: f64,
    /// Its 95 % interval (BCa); nothing where too few questions differ.
    pub interval: Option<Interval>,
    /// Questions that only the first has right, and only the second; of rates.
    pub changed: Option<(u64, u64)>,
    /// The questions on which the two differ, in order.
    pub ids: Vec<String>,
    /// The p-value: mid-p of McNemar for rates, else by permutation of signs.
    pub p: f64,
    /// The p-value after Holm's correction over all pairs and measures of the table.
    pub adjusted: f64,
}

impl Pair {
    /// Whether the two differ by more than noise, at the 5 % level.
    pub fn differs(&self) -> bool {
        self.adjusted < 0.05
    }
}

/// Measures by which configurations are told apart: the others are shown, and tested by nobody, lest tests of the same
/// thing weaken each other.
const PRIMARY: [Measure; 4] = [Measure::Passed, Measure::Metric("hit@3"), Measure::Complete, Measure::Metric("rr")];

/// All pairs on the measures that tell configurations apart.
pub(super) fn all(ids: &[&String], asked: &[Vec<&Asked>]) -> Vec<Pair> {
    let mut out = Vec::new();
    for measure in MEASURES.iter().filter(|m| PRIMARY.contains(m)) {
        for (a, first) in asked.iter().enumerate() {
            for (b, second) in asked.iter().enumerate().skip(a + 1) {
                out.extend(pair(*measure, ids, (a, first), (b, second)));
            }
        }
    }
    let adjusted = holm(&out.iter().map(|p| p.p).collect::<Vec<_>>());
    for (pair, adjusted) in out.iter_mut().zip(adjusted) {
        pair.adjusted = adjusted;
    }
    out
}

fn pair(
    measure: Measure,
    ids: &[&String],
    (a, first): (usize, &[&Asked]),
    (b, second): (usize, &[&Asked]),
) -> Option<Pair> {
    let both: Vec<(f64, f64)> =
        first.iter().zip(second).filter_map(|(x, y)| measure.of(x).zip(measure.of(y))).collect();
    let differences: Vec<f64> = both.iter().map(|(x, y)| y - x).collect();
    let difference = mean(differences.iter().copied())?.value;
    let rate = measure.is_rate();
    let differ = |(x, y): (&&Asked, &&Asked)| measure.of(x).zip(measure.of(y)).is_some_and(|(x, y)| x != y);
    let ids = ids.iter().zip(first.iter().zip(second)).filter(|(_, pair)| differ(*pair)).map(|(id, _)| (*id).clone());
    let count = |f: fn(&&(f64, f64)) -> bool| both.iter().filter(f).count() as u64;
    let (lost, won) = (count(|(x, y)| x > y), count(|(x, y)| y > x));
    let p = if rate {
        let Paired { mid, .. } = mcnemar(lost, won);
        mid
    } else {
        sign_flip(&differences, SEED)
    };
    Some(Pair {
        of: (a, b),
        measure,
        n: both.len(),
        difference,
        interval: bca(&differences, None, Level::P95, SEED),
        changed: rate.then_some((lost, won)),
        ids: ids.collect(),
        p,
        adjusted: 1.0,
    })
}

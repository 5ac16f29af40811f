//! Which configurations differ.

use super::{Asked, MEASURES, Measure};
use crate::stats::{Contrast, contrast, holm};
use std::collections::BTreeMap;

/// The level at which a difference is named.
pub const ALPHA: f64 = 0.05;

/// Two configurations on one measure.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The positions of the two.
    pub of: (usize, usize),
    /// What is measured.
    pub measure: Measure,
    /// The difference, second less first, how sure it is, and by which test.
    pub contrast: Contrast,
    /// The questions on which the two differ, in order.
    pub ids: Vec<String>,
    /// The p-value after Holm's correction over all pairs and measures of the table.
    pub adjusted: f64,
    /// The smallest difference that would have been seen four times of five, at the level that Holm's correction leaves.
    pub unseen: Option<f64>,
}

impl Pair {
    /// Whether the two differ by more than noise, at the 5 % level.
    pub fn differs(&self) -> bool {
        self.adjusted < ALPHA
    }
}

/// Measures by which configurations are told apart: the others are shown, and tested by nobody, lest tests of the same
/// thing weaken each other.
const PRIMARY: [Measure; 4] = [Measure::Passed, Measure::Metric("hit@3"), Measure::Complete, Measure::Metric("rr")];

/// All pairs on the measures that tell configurations apart.
pub(super) fn all(ids: &[&String], asked: &[Vec<&Asked>]) -> Vec<Pair> {
    let (mut out, mut tests) = (Vec::new(), Vec::new());
    for measure in MEASURES.iter().filter(|m| PRIMARY.contains(m)) {
        for (a, first) in asked.iter().enumerate() {
            for (b, second) in asked.iter().enumerate().skip(a + 1) {
                let Some((values, contrast)) = between(*measure, first, second) else { continue };
                let changed = ids.iter().zip(&values).filter(|(_, v)| v.is_some_and(|(x, y)| x != y));
                let ids = changed.map(|(id, _)| (*id).clone()).collect();
                out.push(Pair { of: (a, b), measure: *measure, contrast, ids, adjusted: 1.0, unseen: None });
                tests.push((((a, b), values), contrast));
            }
        }
    }
    let corrected = family(&tests);
    for (pair, (adjusted, unseen)) in out.iter_mut().zip(corrected) {
        (pair.adjusted, pair.unseen) = (adjusted, unseen);
    }
    out
}

/// The values of both sides, question by question; nothing where one of them was not measured.
pub type Values = Vec<Option<(f64, f64)>>;

/// The p-value of each test of a family after Holm's correction, and the smallest difference that it would have seen: at the
/// level that is left once those that differ are named. Beside each test stands what it is of: what is tested twice under two
/// names counts once.
pub fn family<K: PartialEq>(tests: &[(K, Contrast)]) -> Vec<(f64, Option<f64>)> {
    let mut different: Vec<&(K, Contrast)> = Vec::new();
    let mut place = Vec::with_capacity(tests.len());
    for test in tests {
        place.push(different.iter().position(|known| known.0 == test.0).unwrap_or(different.len()));
        if place.last() == Some(&different.len()) {
            different.push(test);
        }
    }
    let adjusted = holm(&different.iter().map(|(_, c)| c.p).collect::<Vec<_>>());
    let left = adjusted.iter().filter(|p| **p >= ALPHA).count().max(1);
    let of = |(at, (_, contrast)): (usize, &(K, Contrast))| {
        (adjusted.get(at).copied().unwrap_or(1.0), contrast.unseen(ALPHA / left as f64))
    };
    place.into_iter().zip(tests).map(of).collect()
}

/// Two sides of the same questions on one measure, and the values; nothing where not one was measured on both.
pub fn between(measure: Measure, first: &[&Asked], second: &[&Asked]) -> Option<(Values, Contrast)> {
    let values: Values = first.iter().zip(second).map(|(x, y)| measure.of(x).zip(measure.of(y))).collect();
    let measured: Vec<(f64, f64)> = values.iter().flatten().copied().collect();
    let asked = values.iter().zip(second).filter(|(v, _)| v.is_some());
    let groups = numbered(asked.map(|(_, q)| q.group.as_deref()));
    let contrast = contrast(&measured, Some(&groups), measure.is_rate())?;
    Some((values, contrast))
}

/// A number for each group in order of its first question; a question without one is a group of its own.
pub fn numbered<'a>(groups: impl Iterator<Item = Option<&'a str>>) -> Vec<usize> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let number = |(at, group): (usize, Option<&'a str>)| group.map_or(at, |g| *known.entry(g).or_insert(at));
    groups.enumerate().map(number).collect()
}

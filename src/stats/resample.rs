//! Means of few values: their bootstrap interval, and the permutation test of paired differences.
//!
//! Both are seeded, so that two runs over the same values print the same digits.

use super::interval::{Interval, Level};
use super::normal::{cdf, quantile};

/// Resamples of the bootstrap and draws of the permutation test.
pub const DRAWS: usize = 10_000;

/// The seed of every resampling; printed with what rests on it.
pub const SEED: u64 = 20_240_917;

/// Fewer values than this have no interval: only their smallest and largest say something.
pub const FEWEST: usize = 8;

/// Up to so many differences every assignment of signs is tried.
const EXACT: u32 = 20;

/// The bias-corrected and accelerated bootstrap interval of a mean (Efron 1987), with [`DRAWS`] resamples. Where values belong
/// together (`groups` names the group of each, by number), whole groups are drawn.
///
/// Nothing for fewer than [`FEWEST`] groups, for values that are all equal, or for groups that do not go with the values: an
/// interval of no width would claim what nobody knows.
pub fn bca(values: &[f64], groups: Option<&[usize]>, level: Level, seed: u64) -> Option<Interval> {
    let sums = sums(values, groups)?;
    let first = *values.first()?;
    if sums.len() < FEWEST || values.iter().any(|v| !v.is_finite()) || values.iter().all(|v| *v == first) {
        return None;
    }
    let mean_of = |sum: f64, n: f64| sum / n;
    let (all, n) = sums.iter().fold((0.0, 0.0), |(s, m), (sum, n)| (s + sum, m + n));
    let point = mean_of(all, n);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut draws: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let (mut s, mut m) = (0.0, 0.0);
            for _ in 0..sums.len() {
                if let Some((sum, n)) = sums.get(rng.usize(..sums.len())) {
                    s += sum;
                    m += n;
                }
            }
            mean_of(s, m)
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    // Draws that are the mean itself but for rounding are neither below nor above it.
    let close = 1e-12 * point.abs().max(1.0);
    let below = draws.iter().filter(|d| **d < point - close).count() as f64;
    let equal = draws.iter().filter(|d| (**d - point).abs() <= close).count() as f64;
    let bias = quantile(((below + equal / 2.0) / DRAWS as f64).clamp(1e-9, 1.0 - 1e-9));
    let left_out: Vec<f64> = sums.iter().map(|(sum, k)| mean_of(all - sum, n - k)).collect();
    let middle = left_out.iter().sum::<f64>() / left_out.len() as f64;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in &left_out {
        let d = middle - value;
        squares += d * d;
        cubes += d * d * d;
    }
    let acceleration = if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 };
    let end = |z: f64| {
        let shifted = bias + z;
        let p = cdf(bias + shifted / (1.0 - acceleration * shifted));
        quantile_of(&draws, p)
    };
    Some(Interval { low: end(-level.z()), high: end(level.z()) })
}

/// The sum and the number of values of each group; each value by itself without groups. Nothing where groups and values do
/// not go together.
pub(super) fn sums(values: &[f64], groups: Option<&[usize]>) -> Option<Vec<(f64, f64)>> {
    let Some(groups) = groups else { return Some(values.iter().map(|v| (*v, 1.0)).collect()) };
    if groups.len() != values.len() {
        return None;
    }
    let mut sums: std::collections::BTreeMap<usize, (f64, f64)> = std::collections::BTreeMap::new();
    for (value, group) in values.iter().zip(groups) {
        let sum = sums.entry(*group).or_default();
        sum.0 += value;
        sum.1 += 1.0;
    }
    Some(sums.into_values().collect())
}

/// The p-quantile of sorted values, between two of them in proportion.
pub(super) fn quantile_of(sorted: &[f64], p: f64) -> f64 {
    let place = p.clamp(0.0, 1.0) * (sorted.len().saturating_sub(1)) as f64;
    let (low, share) = (place.floor(), place - place.floor());
    let value = |i: f64| sorted.get(i as usize).or(sorted.last()).copied().unwrap_or(f64::NAN);
    value(low) * (1.0 - share) + value(low + 1.0) * share
}

/// The two-sided p-value of paired differences under exchange of the two sides (Fisher's sign-flip permutation). Differences
/// of zero say nothing and are left out. Up to 20 all assignments of signs are tried; of more, [`DRAWS`] are drawn and the
/// one that was observed is counted among them. 1 without a difference.
pub fn sign_flip(differences: &[f64], seed: u64) -> f64 {
    let moved: Vec<f64> = differences.iter().copied().filter(|d| d.is_finite() && *d != 0.0).collect();
    let Ok(n) = u32::try_from(moved.len()) else { return f64::NAN };
    if n == 0 {
        return 1.0;
    }
    let observed = moved.iter().sum::<f64>().abs() * (1.0 - 1e-12);
    if n <= EXACT {
        let all = 1_u32 << n;
        let sum = |signs: u32| -> f64 {
            moved.iter().enumerate().map(|(i, d)| if signs >> i & 1 == 1 { -d } else { *d }).sum::<f64>()
        };
        let hits = (0..all).filter(|signs| sum(*signs).abs() >= observed).count();
        return hits as f64 / f64::from(all);
    }
    let mut rng = fastrand::Rng::with_seed(seed);
    let hits = (0..DRAWS)
        .filter(|_| moved.iter().map(|d| if rng.bool() { -d } else { *d }).sum::<f64>().abs() >= observed)
        .count();
    (1 + hits) as f64 / (1 + DRAWS) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_or_equal_values_have_no_interval() {
        assert_eq!(bca(&[1.0; 27], None, Level::P95, SEED), None);
        assert_eq!(bca(&[1.0, 0.0, 0.5, 0.2, 0.1, 0.3, 0.9], None, Level::P95, SEED), None);
        assert_eq!(bca(&[], None, Level::P95, SEED), None);
        let two_groups = [0, 0, 0, 0, 1, 1, 1, 1];
        assert_eq!(bca(&[1.0, 0.0, 0.5, 0.2, 0.1, 0.3, 0.9, 0.4], Some(&two_groups), Level::P95, SEED), None);
    }

    /// 24 of 27: the exact BCa interval is [.7037, .9630], the percentile one would be [.7778, 1].
    #[test]
    fn the_interval_is_corrected_for_bias_and_skew() {
        let values: Vec<f64> = (0..27).map(|i| f64::from(u8::from(i < 24))).collect();
        let i = bca(&values, None, Level::P95, SEED).unwrap();
        assert!((i.low - 0.7037).abs() < 0.0012 && (i.high - 0.963).abs() < 0.0012, "{i:?}");
    }

    #[test]
    fn groups_widen_the_interval() {
        let values: Vec<f64> = (0..40).map(|i| f64::from(u8::from(i / 4 % 3 != 0))).collect();
        let groups: Vec<usize> = (0..40).map(|i| i / 4).collect();
        let width = |i: Interval| i.high - i.low;
        let alone = bca(&values, None, Level::P95, SEED).unwrap();
        let grouped = bca(&values, Some(&groups), Level::P95, SEED).unwrap();
        assert!(width(grouped) > 1.5 * width(alone), "{alone:?} {grouped:?}");
    }

    #[test]
    fn differences_are_tested_by_their_signs() {
        assert!((sign_flip(&[-0.2, -0.3, -0.1, -0.4, -0.25], SEED) - 0.0625).abs() < 1e-12);
        assert!((sign_flip(&[-0.5, 0.5, -0.5, -0.5, -1.0, -1.0, -0.5, -0.5], SEED) - 0.054_687_5).abs() < 1e-12);
        assert!((sign_flip(&[0.0; 12], SEED) - 1.0).abs() < 1e-12);
        assert!(sign_flip(&[0.1; 30], SEED) <= 1.0 / 10_001.0 + 1e-12);
    }
}

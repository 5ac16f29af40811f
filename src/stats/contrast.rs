//! One measure of the same questions on two sides: the difference, how sure it is, and what would have stayed unseen.

use super::power::{self, Plan};
use super::resample::{SEED, bca, sign_flip, sums};
use super::{Interval, Level, Paired, mcnemar, mean, tango};

/// Which test the p-value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// McNemar's, mid-p: shares, questions that are independent.
    MidP,
    /// Permutation of the signs of the differences.
    SignFlip,
    /// The same with one sign for all questions of a group.
    GroupSignFlip,
}

impl Test {
    /// As tables name it.
    pub fn name(self) -> &'static str {
        match self {
            Test::MidP => "McNemar mid-p",
            Test::SignFlip => "sign flips",
            Test::GroupSignFlip => "sign flips of groups",
        }
    }
}

/// Two sides on one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// Questions that both sides measured.
    pub n: usize,
    /// The groups that they form; as many as questions where none share one.
    pub groups: usize,
    /// The mean of the first side.
    pub first: f64,
    /// The mean of the second.
    pub second: f64,
    /// Second less first.
    pub difference: f64,
    /// The 95 % interval of the difference: Tango's of shares, else the bootstrap's (BCa), which draws whole groups where there
    /// are any. Nothing where too few values differ to say.
    pub interval: Option<Interval>,
    /// McNemar's figures, of shares: questions that only the first has right count as broken.
    pub changed: Option<Paired>,
    /// The p-value, two-sided.
    pub p: f64,
    /// Of this test.
    pub test: Test,
    /// The standard error of the difference; with groups Miller's clustered one (2024).
    error: f64,
}

/// Compares the values of two sides; nothing without a pair. `groups` numbers the group of each pair; without it, and where each
/// has a group of its own, the pairs are independent. `share` says that every value is 0 or 1.
pub fn contrast(pairs: &[(f64, f64)], groups: Option<&[usize]>, share: bool) -> Option<Contrast> {
    let differences: Vec<f64> = pairs.iter().map(|(a, b)| b - a).collect();
    let difference = mean(differences.iter().copied())?.value;
    let (first, second) = (mean(pairs.iter().map(|p| p.0))?.value, mean(pairs.iter().map(|p| p.1))?.value);
    let clusters = sums(&differences, groups)?;
    let groups = groups.filter(|_| clusters.len() < pairs.len());
    let count = |f: fn(&&(f64, f64)) -> bool| pairs.iter().filter(f).count() as u64;
    let changed = share.then(|| mcnemar(count(|(a, b)| a > b), count(|(a, b)| b > a)));
    let bootstrap = || bca(&differences, groups, Level::P95, SEED);
    let (test, p, interval) = match (&changed, groups) {
        (_, Some(_)) => {
            let of_groups: Vec<f64> = clusters.iter().map(|(sum, _)| *sum).collect();
            (Test::GroupSignFlip, sign_flip(&of_groups, SEED), bootstrap())
        }
        (Some(m), None) => (Test::MidP, m.mid, tango(m.broken, m.fixed, pairs.len() as u64, Level::P95)),
        (None, None) => (Test::SignFlip, sign_flip(&differences, SEED), bootstrap()),
    };
    let n = pairs.len();
    // The sum over clusters of the squared sum of their deviations (Miller 2024); of single questions with n - 1.
    let squares: f64 = clusters.iter().map(|(sum, k)| (sum - k * difference).powi(2)).sum();
    let of = if groups.is_some() { n as f64 } else { (n as f64 * (n as f64 - 1.0)).max(1.0).sqrt() };
    let error = squares.sqrt() / of;
    Some(Contrast { n, groups: clusters.len(), first, second, difference, interval, changed, p, test, error })
}

impl Contrast {
    /// The smallest change that a test of this level would have seen four times of five, in the unit of the measure; nothing
    /// where none would. Of shares with the background that was seen, the rarer of the two directions, and a group counted as
    /// one question; of means from the spread of the differences.
    pub fn unseen(&self, alpha: f64) -> Option<f64> {
        const POWER: f64 = 0.8;
        match &self.changed {
            Some(m) => {
                let gains = m.broken.min(m.fixed) as f64 / self.n as f64;
                Plan { n: self.groups, gains, one_sided: false, alpha, power: POWER }.smallest_fall()
            }
            None => (self.error > 0.0).then(|| power::of_mean(self.error, alpha, POWER)),
        }
    }
}

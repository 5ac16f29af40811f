//! Statistics for gating: rates with their intervals, the exact test of two paired runs, and what a comparison can see.
//!
//! Golden sets are small and rates are near 1, where the textbook interval (Wald) and the bootstrap cover 95 % in name
//! only (Brown, Cai & DasGupta 2001). Wilson's is the default, Clopper–Pearson's the conservative choice.

mod agreement;
mod contrast;
mod correction;
mod fisher;
mod interval;
mod many;
mod normal;
mod paired;
pub mod power;
mod ppi;
mod resample;
mod sequential;
mod strata;
mod weighted;

pub use agreement::Agreement;
pub use contrast::{Contrast, Test, contrast};
pub use correction::{Corrected, Labelled};
pub use fisher::{binomial_below, fisher};
pub use interval::{Interval, Level};
pub use many::holm;
pub use paired::{Paired, mcnemar, tango};
pub use ppi::Scores;
pub use resample::{DRAWS, FEWEST, SEED, bca, sign_flip};
pub use sequential::{Says, Sprt};
pub use strata::stratified;
pub use weighted::{Weighted, Weights, weighted_kappa};

/// A count of successes among trials. What was not measured is in neither number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rate {
    /// Successes.
    pub hits: u64,
    /// Trials that were measured.
    pub n: u64,
}

impl Rate {
    /// A rate; hits above n are cut to n.
    pub fn new(hits: u64, n: u64) -> Self {
        Rate { hits: hits.min(n), n }
    }

    /// Counts outcomes.
    pub fn of(outcomes: impl IntoIterator<Item = bool>) -> Self {
        outcomes.into_iter().fold(Rate::default(), |r, hit| Rate { hits: r.hits + u64::from(hit), n: r.n + 1 })
    }

    /// hits / n; nothing without trials.
    pub fn value(self) -> Option<f64> {
        (self.n > 0).then(|| self.hits as f64 / self.n as f64)
    }

    /// Wilson's score interval.
    pub fn wilson(self, level: Level) -> Option<Interval> {
        interval::wilson(self.hits, self.n, level)
    }

    /// Clopper and Pearson's exact interval.
    pub fn clopper_pearson(self, level: Level) -> Option<Interval> {
        interval::clopper_pearson(self.hits, self.n, level)
    }

    /// What a percentile bootstrap would say, exactly; see there why it is not used.
    pub fn percentile(self, level: Level) -> Option<Interval> {
        interval::percentile(self.hits, self.n, level)
    }
}

/// A mean with the number of values behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The arithmetic mean.
    pub value: f64,
    /// How many values entered it.
    pub n: usize,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
}

/// The mean of finite values; nothing when there is none. The sum is compensated (Neumaier), so that the order of the
/// questions does not change the printed digits.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<Mean> {
    let (mut sum, mut lost, mut n) = (0.0f64, 0.0f64, 0usize);
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for v in values.into_iter().filter(|v| v.is_finite()) {
        let next = sum + v;
        lost += if sum.abs() >= v.abs() { (sum - next) + v } else { (v - next) + sum };
        sum = next;
        (n, min, max) = (n + 1, min.min(v), max.max(v));
    }
    (n > 0).then(|| Mean { value: (sum + lost) / n as f64, n, min, max })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_leave_out_what_is_no_number() {
        let m = mean([1.0, f64::NAN, 0.0, 1.0]).unwrap();
        assert_eq!((m.n, m.min, m.max), (3, 0.0, 1.0));
        assert!((m.value - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(mean([]), None);
        assert_eq!(mean([0.1; 10]).map(|m| m.value), Some(0.1));
    }

    #[test]
    fn rates_without_trials_have_no_value() {
        assert_eq!(Rate::default().value(), None);
        assert_eq!(Rate::default().wilson(Level::P95), None);
        assert_eq!(Rate::of([true, false, true]), Rate { hits: 2, n: 3 });
    }
}

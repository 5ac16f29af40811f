//! What a paired comparison of so many questions can see.
//!
//! Two runs over the same n questions differ by the questions that changed: losses (right before, wrong now) and gains. Of a
//! system that nobody touched some change all the same, as many in one direction as in the other: the background. A fall is
//! losses beyond that background. It is seen where McNemar's test (mid-p) says so.

use super::normal::quantile;
use super::paired::mcnemar;

/// Up to so many questions the power of the test is counted out; beyond that it is Connor's approximation.
const EXACT: usize = 200;

/// A comparison that is planned, or was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Questions that both sides measured; with groups, groups.
    pub n: usize,
    /// The share of questions that turn from wrong to right for no reason, and as many the other way; 0 to .5.
    pub gains: f64,
    /// True when only a fall is looked for, false when a rise would be named too.
    pub one_sided: bool,
    /// The level of the test, such as .05.
    pub alpha: f64,
    /// How often the fall must be seen, such as .8.
    pub power: f64,
}

impl Plan {
    /// A one-sided test at .05 that must see the fall four times of five, without any background.
    pub fn of(n: usize) -> Plan {
        Plan { n, gains: 0.0, one_sided: true, alpha: 0.05, power: 0.8 }
    }

    /// The smallest fall that is seen, as a share of the questions from 0 to 1; nothing where not even the loss of all is.
    pub fn smallest_fall(&self) -> Option<f64> {
        let most = 1.0 - 2.0 * self.gains;
        if self.n == 0 || most <= 0.0 {
            return None;
        }
        if self.n > EXACT && self.gains > 0.0 {
            return smallest(most, |fall| needed(fall, self) <= self.n as f64);
        }
        let seen = self.seen();
        smallest(most, |fall| self.power_with(&seen, fall) >= self.power)
    }

    /// How often a fall of this share is seen, counted out over all outcomes. With many questions and a background that takes
    /// long: the square of n.
    pub fn power_of(&self, fall: f64) -> f64 {
        self.power_with(&self.seen(), fall)
    }

    /// For each number of changed questions the fewest losses among them that are seen as a fall.
    fn seen(&self) -> Vec<u64> {
        let n = self.n as u64;
        // Without a background every changed question is a loss, and the fewest that suffice are all that counts.
        if self.gains == 0.0 {
            return vec![(0..=n).find(|k| self.sees(*k, 0)).unwrap_or(n + 1)];
        }
        // One more change needs no fewer losses, so the search goes on where it stood.
        let mut losses = 0;
        (0..=n)
            .map(|changed| {
                while losses <= changed && !self.sees(losses, changed - losses) {
                    losses += 1;
                }
                losses
            })
            .collect()
    }

    fn sees(&self, losses: u64, gains: u64) -> bool {
        let p = mcnemar(losses, gains);
        losses > gains && if self.one_sided { p.worse } else { p.mid } <= self.alpha
    }

    fn power_with(&self, seen: &[u64], fall: f64) -> f64 {
        let n = self.n as u64;
        if let (true, Some(fewest)) = (self.gains == 0.0, seen.first()) {
            return at_least(n, *fewest, fall);
        }
        let changed = (fall + 2.0 * self.gains).min(1.0);
        let losses = (fall + self.gains) / changed;
        let of = |(k, fewest): (u64, &u64)| binomial(n, k, changed) * at_least(k, *fewest, losses);
        (0..).zip(seen).map(of).sum()
    }
}

/// The smallest share up to `most` of which something holds, by bisection; it holds of all larger ones.
fn smallest(most: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if !holds(most) {
        return None;
    }
    let (mut low, mut high) = (0.0, most);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// Connor's number of pairs.
fn needed(fall: f64, plan: &Plan) -> f64 {
    let changed = fall + 2.0 * plan.gains;
    let (a, b) = factors(plan.one_sided, plan.alpha, plan.power);
    (a * changed.sqrt() + b * (changed - fall * fall).max(0.0).sqrt()).powi(2) / (fall * fall)
}

/// The normal quantiles of the level and of the power.
fn factors(one_sided: bool, alpha: f64, power: f64) -> (f64, f64) {
    (quantile(1.0 - if one_sided { alpha } else { alpha / 2.0 }), quantile(power))
}

/// The smallest fall of a share that two runs over different questions, n each, can show: two-sided, by the normal
/// approximation with the variance of the higher share.
pub fn unpaired(n: usize, rate: f64, alpha: f64, power: f64) -> Option<f64> {
    let (a, b) = factors(false, alpha, power);
    (n > 0 && (0.0..=1.0).contains(&rate)).then(|| (a + b) * (2.0 * rate * (1.0 - rate) / n as f64).sqrt())
}

/// The smallest change of a mean that shows, two-sided, from the standard error of the differences: at .05 and 80 % 2.8 times.
pub fn of_mean(error: f64, alpha: f64, power: f64) -> f64 {
    let (a, b) = factors(false, alpha, power);
    (a + b) * error
}

/// The chance of k of n at a share p.
pub(super) fn binomial(n: u64, k: u64, p: f64) -> f64 {
    if k > n {
        return 0.0;
    }
    if p <= 0.0 || p >= 1.0 {
        return f64::from(u8::from(k == if p <= 0.0 { 0 } else { n }));
    }
    (super::fisher::ln_choose(n, k) + k as f64 * p.ln() + (n - k) as f64 * (1.0 - p).ln()).exp()
}

/// The chance of k of n or more.
fn at_least(n: u64, k: u64, p: f64) -> f64 {
    // The shorter tail, which is the more exact one.
    if k > n / 2 {
        (k..=n).map(|i| binomial(n, i, p)).sum()
    } else {
        1.0 - (0..k).map(|i| binomial(n, i, p)).sum::<f64>()
    }
}

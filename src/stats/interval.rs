//! Intervals of a binomial rate.

/// The confidence level, two-sided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    /// 90 %.
    P90,
    /// 95 %.
    #[default]
    P95,
    /// 99 %.
    P99,
}

impl Level {
    /// The normal quantile at `1 - alpha/2`.
    pub(super) fn z(self) -> f64 {
        match self {
            Level::P90 => 1.644_853_626_951_472_7,
            Level::P95 => 1.959_963_984_540_054,
            Level::P99 => 2.575_829_303_548_900_4,
        }
    }

    /// The share that is left out, both sides together.
    pub fn alpha(self) -> f64 {
        match self {
            Level::P90 => 0.10,
            Level::P95 => 0.05,
            Level::P99 => 0.01,
        }
    }
}

/// An interval of a rate, both ends within 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Wilson 1927: `(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)`.
pub(super) fn wilson(hits: u64, n: u64, level: Level) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let (z, n_) = (level.z(), n as f64);
    let p = hits as f64 / n_;
    let z2 = z * z;
    let centre = p + z2 / (2.0 * n_);
    let half = z * (p * (1.0 - p) / n_ + z2 / (4.0 * n_ * n_)).sqrt();
    let scale = 1.0 + z2 / n_;
    let low = if hits == 0 { 0.0 } else { ((centre - half) / scale).max(0.0) };
    let high = if hits == n { 1.0 } else { ((centre + half) / scale).min(1.0) };
    Some(Interval { low, high })
}

/// Clopper & Pearson 1934: the quantiles of `Beta(x, n-x+1)` and `Beta(x+1, n-x)`.
pub(super) fn clopper_pearson(hits: u64, n: u64, level: Level) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let (x, n_, tail) = (hits as f64, n as f64, level.alpha() / 2.0);
    let low = if hits == 0 { 0.0 } else { beta_quantile(tail, x, n_ - x + 1.0) };
    let high = if hits == n { 1.0 } else { beta_quantile(1.0 - tail, x + 1.0, n_ - x) };
    Some(Interval { low, high })
}

/// What a percentile bootstrap of a rate comes to, without any draw: the quantiles of `Binomial(n, hits/n) / n`. It covers far
/// less than it says where n is small, and is here to be compared with.
pub(super) fn percentile(hits: u64, n: u64, level: Level) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let p = hits as f64 / n as f64;
    let quantile = |share: f64| {
        let mut below = 0.0;
        for k in 0..=n {
            below += super::power::binomial(n, k, p);
            if below >= share {
                return k as f64 / n as f64;
            }
        }
        1.0
    };
    Some(Interval { low: quantile(level.alpha() / 2.0), high: quantile(1.0 - level.alpha() / 2.0) })
}

/// The p-quantile of a beta distribution, by bisection: 60 halvings reach the last digit of a double.
fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let mid = (low + high) / 2.0;
        if beta_cdf(mid, a, b) < p {
            low = mid;
        } else {
            high = mid;
        }
    }
    (low + high) / 2.0
}

/// The regularised incomplete beta function, by the continued fraction of Lentz (Numerical Recipes 6.4).
fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(1.0 - x, b, a) / b
    }
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    let tiny = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / tiny(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    // About √max(a, b) steps are needed.
    for m in 1..10_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / tiny(1.0 + even * d);
        c = tiny(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / tiny(1.0 + odd * d);
        c = tiny(1.0 + odd / c);
        let step = d * c;
        h *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    h
}

/// ln Γ for positive arguments (Lanczos, g = 7, nine terms).
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let t = x + 7.5;
    let sum = TERMS.iter().zip(1..).fold(0.999_999_999_999_809_9, |sum, (term, i)| sum + term / (x + f64::from(i)));
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(got: Option<Interval>, low: f64, high: f64) {
        let i = got.unwrap();
        assert!((i.low - low).abs() < 0.000_051 && (i.high - high).abs() < 0.000_051, "{i:?}");
    }

    /// Wilson and Clopper-Pearson for 23 of 27, 5 of 5, 1 of 27, 20 of 20.
    #[test]
    fn intervals_have_their_values() {
        near(wilson(23, 27, Level::P95), 0.6752, 0.9408);
        near(clopper_pearson(23, 27, Level::P95), 0.6627, 0.9581);
        near(wilson(5, 5, Level::P95), 0.5655, 1.0);
        near(wilson(1, 27, Level::P95), 0.0066, 0.1828);
        near(wilson(20, 20, Level::P95), 0.8389, 1.0);
        // Closed form at the ends: 1 - (alpha/2)^(1/n).
        let n20 = clopper_pearson(0, 20, Level::P95).unwrap();
        assert!((n20.high - (1.0 - 0.025f64.powf(1.0 / 20.0))).abs() < 1e-12, "{n20:?}");
        let big = clopper_pearson(9_000, 10_000, Level::P95).unwrap();
        assert!((big.low - 0.89395).abs() < 0.0001 && (big.high - 0.90581).abs() < 0.0001, "{big:?}");
    }

    #[test]
    fn intervals_hold_their_rate() {
        for n in 1..40 {
            for x in 0..=n {
                for level in [Level::P90, Level::P95, Level::P99] {
                    let p = x as f64 / n as f64;
                    let (w, c) = (wilson(x, n, level).unwrap(), clopper_pearson(x, n, level).unwrap());
                    for i in [w, c] {
                        assert!(0.0 <= i.low && i.low <= p + 1e-12 && p <= i.high + 1e-12 && i.high <= 1.0);
                    }
                }
            }
        }
    }
}

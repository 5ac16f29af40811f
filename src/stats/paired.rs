//! Two runs over the same questions: the exact test of McNemar on the questions that changed.

use super::interval::{Interval, Level};

/// The p-values of a paired comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// Questions that were right and are wrong.
    pub broken: u64,
    /// Questions that were wrong and are right.
    pub fixed: u64,
    /// The exact p-value, two-sided.
    pub exact: f64,
    /// The mid-p value, two-sided (Fagerland, Lydersen & Laake 2013), less conservative.
    pub mid: f64,
    /// The one-sided mid-p value that more broke than were fixed: `P(X >= broken) - P(X = broken) / 2`.
    pub worse: f64,
}

/// McNemar's test of `broken` against `fixed`: under no change each is a toss of a coin. Without any changed question
/// all values are 1.
pub fn mcnemar(broken: u64, fixed: u64) -> Paired {
    let (n, low) = (broken + fixed, broken.min(fixed));
    if n == 0 {
        return Paired { broken, fixed, exact: 1.0, mid: 1.0, worse: 1.0 };
    }
    // Binomial(n, 1/2) in logarithms, so that many changes do not underflow.
    let half = n as f64 * std::f64::consts::LN_2;
    let (mut ln_choose, mut tail, mut at) = (0.0f64, 0.0, 0.0);
    for i in 0..=low {
        if i > 0 {
            ln_choose += ((n - i + 1) as f64).ln() - (i as f64).ln();
        }
        at = (ln_choose - half).exp();
        tail += at;
    }
    let exact = (2.0 * tail).min(1.0);
    // Where both are equal the two tails share their point: the mid-p value is 1.
    let mid = if broken == fixed { 1.0 } else { (2.0 * tail - at).min(1.0) };
    // The tail of the smaller count, halved at its point; the other side has the rest of the distribution.
    let lower = tail - at / 2.0;
    let worse = if broken >= fixed { lower } else { 1.0 - lower };
    Paired { broken, fixed, exact, mid, worse }
}

/// The interval of a paired difference of shares, `(fixed - broken) / n`, by inversion of the score test (Tango 1998): the
/// differences that a score test of the two counts does not reject. It keeps its width where nothing changed. Nothing
/// without questions, or where the counts are more than there are questions.
pub fn tango(broken: u64, fixed: u64, n: u64, level: Level) -> Option<Interval> {
    if n == 0 || broken + fixed > n {
        return None;
    }
    let (b, c, n) = (broken as f64, fixed as f64, n as f64);
    // Falls from one end of the differences to the other. The variance under a difference d rests on the likeliest share of
    // broken questions under it, the greater root of `A q² + B q + C`.
    let score = |d: f64| {
        let (first, second, third) = (2.0 * n, (2.0 * n - c + b) * d - c - b, -b * d * (1.0 - d));
        let q = ((second * second - 4.0 * first * third).max(0.0).sqrt() - second) / (2.0 * first);
        let variance = n * (2.0 * q + d * (1.0 - d));
        if variance > 0.0 { (c - b - n * d) / variance.sqrt() } else { 0.0 }
    };
    let point = (c - b) / n;
    let end = |mut near: f64, mut far: f64| {
        for _ in 0..100 {
            let middle = (near + far) / 2.0;
            if score(middle).abs() < level.z() { near = middle } else { far = middle }
        }
        near
    };
    Some(Interval { low: end(point, -1.0), high: end(point, 1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact and mid-p values of small tables.
    #[test]
    fn p_values_have_their_values() {
        for (b, c, exact, mid, worse) in [
            (5, 0, 0.0625, 0.03125, 0.015_625),
            (6, 0, 0.03125, 0.015_625, 0.007_812_5),
            (7, 1, 0.070_312_5, 0.039_062_5, 0.019_531_25),
            (1, 7, 0.070_312_5, 0.039_062_5, 0.980_468_75),
            (3, 3, 1.0, 1.0, 0.5),
            (0, 0, 1.0, 1.0, 1.0),
        ] {
            let p = mcnemar(b, c);
            let right = [p.exact - exact, p.mid - mid, p.worse - worse];
            assert!(right.iter().all(|d| d.abs() < 1e-9), "{p:?}");
        }
        assert!(mcnemar(4_000, 2_000).exact < 1e-100);
    }

    /// Airway hyper-responsiveness of 21 children before and after a transplant (Bentur and others 2009), the example of
    /// Fagerland, Lydersen & Laake 2014: one against seven.
    #[test]
    fn the_interval_of_a_difference_has_its_values() {
        let near = |i: Option<Interval>, low: f64, high: f64| {
            assert!(i.is_some_and(|i| (i.low - low).abs() < 5e-4 && (i.high - high).abs() < 5e-4), "{i:?}");
        };
        near(tango(7, 1, 21, Level::P95), -0.517, -0.026);
        near(tango(1, 7, 21, Level::P95), 0.026, 0.517);
        // Nothing changed: closed form, z² / (n + z²).
        let z2 = 1.959_963_984_540_054_f64.powi(2);
        near(tango(0, 0, 30, Level::P95), -z2 / (30.0 + z2), z2 / (30.0 + z2));
        // Everything changed.
        assert!(tango(10, 0, 10, Level::P95).is_some_and(|i| i.low >= -1.0 && i.high < -0.4));
        assert_eq!((tango(0, 0, 0, Level::P95), tango(3, 3, 5, Level::P95)), (None, None));
    }
}

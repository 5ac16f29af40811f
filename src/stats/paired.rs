//! Two runs over the same questions: the exact test of McNemar on the questions that changed.

/// Two-sided p-values of a paired comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// Questions that were right and are wrong.
    pub broken: u64,
    /// Questions that were wrong and are right.
    pub fixed: u64,
    /// The exact p-value.
    pub exact: f64,
    /// The mid-p value (Fagerland, Lydersen & Laake 2013), less conservative.
    pub mid: f64,
}

/// McNemar's test of `broken` against `fixed`: under no change each is a toss of a coin. Without any changed question
/// both values are 1.
pub fn mcnemar(broken: u64, fixed: u64) -> Paired {
    let (n, low) = (broken + fixed, broken.min(fixed));
    if n == 0 {
        return Paired { broken, fixed, exact: 1.0, mid: 1.0 };
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
    Paired { broken, fixed, exact, mid }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact and mid-p values of small tables.
    #[test]
    fn p_values_have_their_values() {
        for (b, c, exact, mid) in [
            (5, 0, 0.0625, 0.03125),
            (6, 0, 0.03125, 0.015_625),
            (7, 1, 0.070_312_5, 0.039_062_5),
            (3, 3, 1.0, 1.0),
            (0, 0, 1.0, 1.0),
        ] {
            let p = mcnemar(b, c);
            assert!((p.exact - exact).abs() < 1e-9 && (p.mid - mid).abs() < 1e-9, "{p:?}");
        }
        assert!(mcnemar(4_000, 2_000).exact < 1e-100);
    }
}

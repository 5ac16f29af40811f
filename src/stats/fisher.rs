//! Two independent counts of passes: Fisher's exact test.

use super::Rate;

/// The one-sided p-value that the second rate is lower than the first (Fisher 1935): given the totals, the chance of so few
/// passes in the second or fewer, which is hypergeometric. 1 where either has no trials.
///
/// `fisher(5 of 5, 1 of 5)` is .0238: six passes and four fails in all, of which a second group of five gets at most one pass
/// in `C(6,1) C(4,4)` of `C(10,5)` ways.
pub fn fisher(first: Rate, second: Rate) -> f64 {
    if first.n == 0 || second.n == 0 {
        return 1.0;
    }
    let (passes, total) = (first.hits + second.hits, first.n + second.n);
    let fewest = passes.saturating_sub(first.n);
    let all = ln_choose(total, second.n);
    let at = |k: u64| (ln_choose(passes, k) + ln_choose(total - passes, second.n - k) - all).exp();
    (fewest..=second.hits).map(at).sum::<f64>().min(1.0)
}

/// The logarithm of the number of ways to choose k of n; k is at most n.
pub(super) fn ln_choose(n: u64, k: u64) -> f64 {
    let k = k.min(n - k.min(n));
    (1..=k).map(|i| ((n - k + i) as f64).ln() - (i as f64).ln()).sum()
}

/// The one-sided p-value of so few passes under a share of passes: the lower tail of the binomial. 1 without trials.
pub fn binomial_below(seen: Rate, share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    if share >= 1.0 {
        return if seen.hits < seen.n { 0.0 } else { 1.0 };
    }
    if share <= 0.0 || seen.n == 0 {
        return 1.0;
    }
    let (p, q) = (share.ln(), (1.0 - share).ln());
    let at = |k: u64| (ln_choose(seen.n, k) + k as f64 * p + (seen.n - k) as f64 * q).exp();
    (0..=seen.hits).map(at).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(first: (u64, u64), second: (u64, u64)) -> f64 {
        fisher(Rate::new(first.0, first.1), Rate::new(second.0, second.1))
    }

    /// Counted by hand, and as scipy 1.14 gives them (`fisher_exact`, `alternative="greater"`).
    #[test]
    fn p_values_have_their_values() {
        for (first, second, right) in [
            ((3, 3), (0, 3), 0.05),
            ((5, 5), (1, 5), 0.023_809_523_8),
            ((5, 5), (2, 5), 0.083_333_333_3),
            ((10, 10), (0, 10), 5.412_544_1e-6),
            ((18, 20), (4, 20), 8.321_907_0e-6),
            ((0, 5), (5, 5), 1.0),
            ((0, 0), (0, 5), 1.0),
        ] {
            let got = p(first, second);
            assert!((got - right).abs() <= right * 1e-6, "{first:?} {second:?}: {got}");
        }
    }

    #[test]
    fn tails_of_the_binomial_have_their_values() {
        for (hits, n, share, right) in
            [(0, 2, 0.95, 0.0025), (2, 10, 0.7, 0.001_590_386_4), (3, 3, 0.5, 1.0), (0, 4, 1.0, 0.0), (4, 4, 1.0, 1.0)]
        {
            let got = binomial_below(Rate::new(hits, n), share);
            assert!((got - right).abs() < 1e-9, "{hits} of {n} at {share}: {got}");
        }
    }
}

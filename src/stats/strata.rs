//! Two runs over the same questions, each asked any number of times in either: the exact test within strata.

use super::Rate;
use super::fisher::ln_choose;

/// The one-sided mid-p value that the second counts are lower than the first: of each question how often it passed of how many
/// runs, before and now.
///
/// Given how often each question passed in all, its passes now are hypergeometric if nothing changed, whatever its rate is; the
/// test is on their sum over the questions (the exact conditional test of a common odds ratio in 2×2 tables, Mehta, Patel & Gray
/// 1985; with one run on either side it is McNemar's). The mid-p value is the chance of fewer passes, and half that of as many.
/// 1 where no question came out in more than one way.
pub fn stratified(questions: &[(Rate, Rate)]) -> f64 {
    let (mut chances, mut seen) = (vec![1.0], 0_usize);
    for (before, now) in questions {
        let (passes, total) = (before.hits + now.hits, before.n + now.n);
        if passes == 0 || passes == total || before.n == 0 || now.n == 0 {
            continue;
        }
        let fewest = passes.saturating_sub(before.n);
        let all = ln_choose(total, now.n);
        let at = |k: u64| (ln_choose(passes, k) + ln_choose(total - passes, now.n - k) - all).exp();
        let of_question: Vec<f64> = (fewest..=passes.min(now.n)).map(at).collect();
        chances = convolved(&chances, &of_question);
        seen += usize::try_from(now.hits - fewest).unwrap_or_default();
    }
    if chances.len() == 1 {
        return 1.0;
    }
    let fewer: f64 = chances.iter().take(seen).sum();
    (fewer + chances.get(seen).copied().unwrap_or_default() / 2.0).min(1.0)
}

/// The chances of the sums of two independent counts.
fn convolved(first: &[f64], second: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; first.len() + second.len() - 1];
    for (i, a) in first.iter().enumerate() {
        for (cell, b) in out.iter_mut().skip(i).zip(second) {
            *cell += a * b;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::mcnemar;

    fn once(broken: usize, fixed: usize, same: usize) -> Vec<(Rate, Rate)> {
        let (pass, fail) = (Rate::new(1, 1), Rate::new(0, 1));
        let mut all = vec![(pass, fail); broken];
        all.extend(vec![(fail, pass); fixed]);
        all.extend(vec![(pass, pass); same]);
        all
    }

    /// The one-sided mid-p values of small tables, by hand: for 7 against 1, (1 + 8/2) / 2^8.
    #[test]
    fn with_one_run_on_either_side_it_is_mcnemars() {
        for (broken, fixed, right) in [(5, 0, 0.015_625), (6, 0, 0.007_812_5), (7, 1, 0.019_531_25), (3, 3, 0.5)] {
            let p = stratified(&once(broken, fixed, 40));
            assert!((p - right).abs() < 1e-12, "{broken} {fixed}: {p}");
        }
        assert!((stratified(&once(60, 30, 0)) / mcnemar(60, 30).worse - 1.0).abs() < 1e-9);
        assert!((stratified(&once(0, 0, 9)) - 1.0).abs() < 1e-15);
    }

    /// Counted by Python in whole fractions, over every way to choose which of a question's runs are those of now.
    #[test]
    fn several_runs_have_their_values() {
        let rate = |(hits, n): (u64, u64)| Rate::new(hits, n);
        for (questions, right) in COUNTED {
            let pairs: Vec<_> = questions.iter().map(|(a, b)| (rate(*a), rate(*b))).collect();
            let p = stratified(&pairs);
            assert!((p - right).abs() < 1e-9, "{questions:?}: {p}");
        }
    }

    type Cases = &'static [(&'static [((u64, u64), (u64, u64))], f64)];

    const COUNTED: Cases = &[
        (&[((5, 5), (0, 1)), ((5, 5), (0, 1)), ((3, 5), (0, 1)), ((0, 5), (1, 1))], 0.0763888888888889),
        (&[((4, 5), (2, 5)), ((5, 5), (3, 5)), ((1, 5), (2, 5))], 0.13833774250440917),
        (
            &[((3, 5), (1, 1)), ((2, 5), (0, 1)), ((5, 5), (1, 1)), ((0, 5), (0, 1)), ((4, 5), (0, 1))],
            0.24074074074074073,
        ),
        (
            &[
                ((1, 1), (0, 1)),
                ((1, 1), (0, 1)),
                ((1, 1), (0, 1)),
                ((1, 1), (0, 1)),
                ((1, 1), (0, 1)),
                ((1, 1), (0, 1)),
                ((1, 1), (0, 1)),
                ((1, 1), (0, 1)),
                ((0, 1), (1, 1)),
            ],
            0.0107421875,
        ),
        (&[((10, 10), (7, 10)), ((9, 10), (6, 10))], 0.01204782467003422),
    ];
}

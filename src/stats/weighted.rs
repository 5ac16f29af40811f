//! Agreement over several ordered verdicts, where a near miss is less than a far one.

use super::{Interval, Level};

/// How much two verdicts differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// By the steps between them.
    Linear,
    /// By the square of the steps.
    Quadratic,
}

impl Weights {
    /// How far two of `k` verdicts agree, from 0 to 1: `1 - (|i - j| / (k - 1))^power`.
    fn agreement(self, i: usize, j: usize, k: usize) -> f64 {
        let apart = i.abs_diff(j) as f64 / k.saturating_sub(1).max(1) as f64;
        match self {
            Weights::Linear => 1.0 - apart,
            Weights::Quadratic => 1.0 - apart * apart,
        }
    }
}

/// Weighted kappa with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighted {
    /// From -1 to 1: 0 is chance.
    pub value: f64,
    /// The large-sample standard error.
    pub error: f64,
}

impl Weighted {
    /// The interval within -1 and 1.
    pub fn interval(self, level: Level) -> Interval {
        let half = level.z() * self.error;
        Interval { low: (self.value - half).max(-1.0), high: (self.value + half).min(1.0) }
    }
}

/// Cohen's weighted kappa (1968) of a square table, the first judge's verdicts row by row, with the standard error of Fleiss,
/// Cohen & Everitt 1969. Nothing for a table that is not square, without items, or where chance alone would agree.
pub fn weighted_kappa(table: &[Vec<u64>], weights: Weights) -> Option<Weighted> {
    let k = table.len();
    let n: u64 = table.iter().flatten().sum();
    if k < 2 || n == 0 || table.iter().any(|row| row.len() != k) {
        return None;
    }
    let n = n as f64;
    let cells = || table.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, c)| (i, j, *c)));
    let (mut rows, mut columns) = (vec![0.0; k], vec![0.0; k]);
    for (i, j, count) in cells() {
        let share = count as f64 / n;
        rows.iter_mut().skip(i).take(1).for_each(|r| *r += share);
        columns.iter_mut().skip(j).take(1).for_each(|c| *c += share);
    }
    let w = |i: usize, j: usize| weights.agreement(i, j, k);
    let of_row = |i: usize| columns.iter().enumerate().map(|(j, c)| c * w(i, j)).sum::<f64>();
    let of_column = |j: usize| rows.iter().enumerate().map(|(i, r)| r * w(i, j)).sum::<f64>();
    let observed: f64 = cells().map(|(i, j, c)| w(i, j) * c as f64 / n).sum();
    let chance: f64 = rows.iter().enumerate().map(|(i, r)| r * of_row(i)).sum();
    if 1.0 - chance <= f64::EPSILON {
        return None;
    }
    let value = (observed - chance) / (1.0 - chance);
    let off = 1.0 - value;
    let squares: f64 =
        cells().map(|(i, j, c)| c as f64 / n * (w(i, j) - (of_row(i) + of_column(j)) * off).powi(2)).sum();
    let variance = (squares - (value - chance * off).powi(2)) / (n * (1.0 - chance).powi(2));
    Some(Weighted { value, error: variance.max(0.0).sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two verdicts every weighting is plain kappa.
    #[test]
    fn of_two_verdicts_it_is_kappa() {
        for weights in [Weights::Linear, Weights::Quadratic] {
            let found = weighted_kappa(&[vec![14, 5], vec![0, 20]], weights).unwrap();
            assert!((found.value - 0.7417).abs() < 5e-5 && (found.error - 0.1042).abs() < 5e-5, "{found:?}");
        }
        assert_eq!(weighted_kappa(&[vec![30, 0], vec![0, 0]], Weights::Linear), None);
        assert_eq!(weighted_kappa(&[vec![1, 2]], Weights::Linear), None);
    }
}

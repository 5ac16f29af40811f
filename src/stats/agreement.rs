//! Agreement of two judges over the same items, each with one of two verdicts.

use super::resample::{DRAWS, quantile_of};
use super::{Interval, Level, Rate};

/// Shares by the verdicts of both, the first one's row by row.
type Square = [[f64; 2]; 2];

/// Shares of the two verdicts of one.
type Pair = [f64; 2];

/// The table of two judges: how often both, the first alone, the second alone and neither said yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Both.
    pub both: u64,
    /// The first alone.
    pub first: u64,
    /// The second alone.
    pub second: u64,
    /// Neither.
    pub neither: u64,
}

impl Agreement {
    /// Counts one item.
    pub fn add(&mut self, first: bool, second: bool) {
        match (first, second) {
            (true, true) => self.both += 1,
            (true, false) => self.first += 1,
            (false, true) => self.second += 1,
            (false, false) => self.neither += 1,
        }
    }

    /// The number of items.
    pub fn n(&self) -> u64 {
        self.both + self.first + self.second + self.neither
    }

    /// How often they agree.
    pub fn agreed(&self) -> Rate {
        Rate::new(self.both + self.neither, self.n())
    }

    /// Of the items to which the first says yes, those to which the second does: the first one's precision, where the second
    /// is right.
    pub fn precision(&self) -> Rate {
        Rate::new(self.both, self.both + self.first)
    }

    /// Of the items to which the second says yes, those to which the first does: the first one's recall.
    pub fn recall(&self) -> Rate {
        Rate::new(self.both, self.both + self.second)
    }

    /// Cohen's kappa, (po - pe) / (1 - pe); nothing without items, and nothing where both always say the same one word: then
    /// chance alone would agree.
    pub fn kappa(&self) -> Option<f64> {
        let (p, rows, columns) = self.shares()?;
        let observed = p[0][0] + p[1][1];
        let chance = rows[0] * columns[0] + rows[1] * columns[1];
        (1.0 - chance > f64::EPSILON).then(|| (observed - chance) / (1.0 - chance))
    }

    /// Its interval by the large-sample standard error of Fleiss, Cohen & Everitt 1969, within -1 and 1.
    pub fn kappa_interval(&self, level: Level) -> Option<Interval> {
        let (kappa, error) = (self.kappa()?, self.kappa_error()?);
        let half = level.z() * error;
        Some(Interval { low: (kappa - half).max(-1.0), high: (kappa + half).min(1.0) })
    }

    /// The standard error of kappa.
    pub fn kappa_error(&self) -> Option<f64> {
        let kappa = self.kappa()?;
        let (p, rows, columns) = self.shares()?;
        let chance = rows[0] * columns[0] + rows[1] * columns[1];
        let off = 1.0 - kappa;
        let same: f64 = [0, 1].map(|i| p[i][i] * (1.0 - (rows[i] + columns[i]) * off).powi(2)).iter().sum();
        let other = p[0][1] * (columns[0] + rows[1]).powi(2) + p[1][0] * (columns[1] + rows[0]).powi(2);
        let rest = (kappa - chance * off).powi(2);
        let variance = (same + off * off * other - rest) / (self.n() as f64 * (1.0 - chance).powi(2));
        Some(variance.max(0.0).sqrt())
    }

    /// The table seen from the other judge: first and second are exchanged.
    pub fn turned(self) -> Agreement {
        Agreement { first: self.second, second: self.first, ..self }
    }

    /// Of the items to which the second says no, those to which the first does: the recall of the other verdict.
    pub fn recall_of_no(&self) -> Rate {
        Rate::new(self.neither, self.neither + self.first)
    }

    /// How much more often yes is right than no: `(both - neither) / n`. Far from 0, kappa is low however often they agree.
    pub fn prevalence(&self) -> Option<f64> {
        (self.n() > 0).then(|| (self.both as f64 - self.neither as f64) / self.n() as f64)
    }

    /// The prevalence-adjusted bias-adjusted kappa, `2 po - 1` (Byrt, Bishop & Carlin 1993).
    pub fn pabak(&self) -> Option<f64> {
        self.agreed().value().map(|po| 2.0 * po - 1.0)
    }

    /// Gwet's AC1, `(po - pe) / (1 - pe)` with `pe = 2 pi (1 - pi)`, pi the mean share of yes of the two (Gwet 2008). Unlike
    /// kappa it does not fall apart where one verdict is rare.
    pub fn ac1(&self) -> Option<f64> {
        let (p, rows, columns) = self.shares()?;
        let yes = (rows[0] + columns[0]) / 2.0;
        let chance = 2.0 * yes * (1.0 - yes);
        Some((p[0][0] + p[1][1] - chance) / (1.0 - chance))
    }

    /// The interval of AC1 by the percentile bootstrap over the items, with [`DRAWS`] seeded resamples.
    pub fn ac1_interval(&self, level: Level, seed: u64) -> Option<Interval> {
        if self.n() == 0 {
            return None;
        }
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut draws: Vec<f64> = (0..DRAWS)
            .filter_map(|_| {
                let mut table = Agreement::default();
                for _ in 0..self.n() {
                    let at = rng.u64(..self.n());
                    let first = at < self.both + self.first;
                    let agree = at < self.both || at >= self.both + self.first + self.second;
                    table.add(first, if agree { first } else { !first });
                }
                table.ac1()
            })
            .collect();
        draws.sort_by(f64::total_cmp);
        let tail = level.alpha() / 2.0;
        Some(Interval { low: quantile_of(&draws, tail), high: quantile_of(&draws, 1.0 - tail) })
    }

    /// The table as shares, with the shares of each word of the first and of the second.
    fn shares(&self) -> Option<(Square, Pair, Pair)> {
        let n = self.n();
        if n == 0 {
            return None;
        }
        let share = |count: u64| count as f64 / n as f64;
        let p = [[share(self.both), share(self.first)], [share(self.second), share(self.neither)]];
        Some((p, [p[0][0] + p[0][1], p[1][0] + p[1][1]], [p[0][0] + p[1][0], p[0][1] + p[1][1]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(both: u64, first: u64, second: u64, neither: u64) -> Agreement {
        Agreement { both, first, second, neither }
    }

    fn near(a: Option<f64>, b: f64) {
        assert!(a.is_some_and(|a| (a - b).abs() < 6e-5), "{a:?} is not {b}");
    }

    /// Figures worked out by hand from the definitions.
    #[test]
    fn kappa_of_known_tables() {
        near(table(85, 5, 10, 0).kappa(), -0.0714);
        let judge = table(14, 5, 0, 20);
        near(judge.kappa(), 0.7417);
        near(judge.kappa_error(), 0.1042);
        let interval = judge.kappa_interval(Level::P95);
        near(interval.map(|i| i.low), 0.5375);
        near(interval.map(|i| i.high), 0.9459);
        near(table(20, 5, 10, 15).kappa(), 0.4);
        assert!((table(20, 5, 10, 15).kappa_error().unwrap() - 0.127).abs() < 6e-4);
        near(table(10, 0, 0, 10).kappa(), 1.0);
        near(table(10, 0, 0, 10).kappa_error(), 0.0);
    }

    #[test]
    fn one_word_alone_has_no_kappa() {
        assert_eq!(table(30, 0, 0, 0).kappa(), None);
        assert_eq!(table(0, 0, 0, 0).kappa(), None);
        assert_eq!(table(0, 0, 0, 0).precision().value(), None);
    }

    #[test]
    fn precision_and_recall() {
        let t = table(6, 2, 3, 9);
        assert_eq!((t.precision(), t.recall(), t.agreed()), (Rate::new(6, 8), Rate::new(6, 9), Rate::new(15, 20)));
    }
}

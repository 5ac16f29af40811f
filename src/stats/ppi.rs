//! Prediction-powered inference: the mean that people would give, from few labels and many scores of an imperfect judge.

use super::{Corrected, mean};

/// Fewer labels than this correct nothing.
pub(super) const LABELS: u64 = 30;

/// What the estimate rests on. Variances and the covariance divide by `n - 1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    /// Labelled items.
    pub(super) n: f64,
    /// Items that the judge alone scored.
    pub(super) unlabelled: f64,
    /// The judge's mean over the labelled, and its variance.
    pub(super) said: (f64, f64),
    /// The people's, and its variance.
    pub(super) yes: (f64, f64),
    /// The covariance of the two.
    pub(super) covariance: f64,
    /// The judge's mean over the unlabelled, and its variance.
    pub(super) share: (f64, f64),
}

impl Moments {
    /// `mean(Y) + w (mean f(unlabelled) - mean f(labelled))` with `SE² = w² var f / N + var(Y - w f) / n` (Angelopoulos and
    /// others 2023; ARES).
    pub(super) fn powered(&self, w: f64) -> Corrected {
        let value = (self.yes.0 + w * (self.share.0 - self.said.0)).clamp(0.0, 1.0);
        let rest = (self.yes.1 - 2.0 * w * self.covariance + w * w * self.said.1).max(0.0);
        Corrected { value, error: (w * w * self.share.1 / self.unlabelled + rest / self.n).sqrt() }
    }

    /// The weight at which the error is smallest, from 0 to 1: `cov(Y, f) / ((1 + n/N) var f)` (PPI++, Angelopoulos, Duchi &
    /// Zrnic 2023).
    pub(super) fn weight(&self) -> f64 {
        let spread = (1.0 + self.n / self.unlabelled) * self.share.1;
        if spread > 0.0 { (self.covariance / spread).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Scores from 0 to 1 of a judge, some of them with what a person says of the same item.
#[derive(Debug, Clone, Copy)]
pub struct Scores<'a> {
    /// The judge's score and the person's.
    pub labelled: &'a [(f64, f64)],
    /// The judge's scores of all other items.
    pub unlabelled: &'a [f64],
}

impl Scores<'_> {
    /// Whether there are enough labels: at least 30, not all alike.
    pub fn enough(&self) -> bool {
        let first = self.labelled.first().map(|l| l.1);
        self.labelled.len() as u64 >= LABELS && self.labelled.iter().any(|l| Some(l.1) != first)
    }

    /// The judge's mean corrected by its mean error on the labelled. Nothing with fewer than two items of a kind, or scores
    /// that are not from 0 to 1.
    pub fn ppi(&self) -> Option<Corrected> {
        Some(self.moments()?.powered(1.0))
    }

    /// The same with the weight of the judge at which the error is smallest; also that weight.
    pub fn tuned(&self) -> Option<(Corrected, f64)> {
        let moments = self.moments()?;
        let weight = moments.weight();
        Some((moments.powered(weight), weight))
    }

    /// What the labels alone say.
    pub fn labels_alone(&self) -> Option<Corrected> {
        Some(self.moments()?.powered(0.0))
    }

    fn moments(&self) -> Option<Moments> {
        let inside = |v: &f64| (0.0..=1.0).contains(v);
        let sound = self.labelled.iter().all(|(f, y)| inside(f) && inside(y)) && self.unlabelled.iter().all(inside);
        if !sound || self.labelled.len() < 2 || self.unlabelled.len() < 2 {
            return None;
        }
        let n = self.labelled.len() as f64;
        let of = |values: &mut dyn Iterator<Item = f64>| mean(values).map(|m| m.value);
        let said = of(&mut self.labelled.iter().map(|l| l.0))?;
        let yes = of(&mut self.labelled.iter().map(|l| l.1))?;
        let share = of(&mut self.unlabelled.iter().copied())?;
        let about = |a: fn(&(f64, f64)) -> f64, b: fn(&(f64, f64)) -> f64, ma: f64, mb: f64| -> f64 {
            self.labelled.iter().map(|l| (a(l) - ma) * (b(l) - mb)).sum::<f64>() / (n - 1.0)
        };
        let others = self.unlabelled.len() as f64;
        let spread = self.unlabelled.iter().map(|f| (f - share).powi(2)).sum::<f64>() / (others - 1.0);
        Some(Moments {
            n,
            unlabelled: others,
            said: (said, about(|l| l.0, |l| l.0, said, said)),
            yes: (yes, about(|l| l.1, |l| l.1, yes, yes)),
            covariance: about(|l| l.0, |l| l.1, said, yes),
            share: (share, spread),
        })
    }
}

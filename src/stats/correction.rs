//! The share that people would find, from few labels and many verdicts of an imperfect judge.

use super::ppi::{LABELS, Moments};
use super::{Agreement, Interval, Level};

/// A corrected share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corrected {
    /// The share, within 0 and 1.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Corrected {
    /// The interval, cut to 0 and 1.
    pub fn interval(self, level: Level) -> Interval {
        let half = level.z() * self.error;
        Interval { low: (self.value - half).max(0.0), high: (self.value + half).min(1.0) }
    }
}

/// Items that a person labelled and the judge judged, beside many that the judge judged alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Labelled {
    /// The judge against the person, who is right.
    pub table: Agreement,
    /// Items without a label.
    pub unlabelled: u64,
    /// The judge's share of yes among them.
    pub share: f64,
}

impl Labelled {
    /// Whether there are enough labels to correct anything: at least 30, of both verdicts.
    pub fn enough(&self) -> bool {
        let t = &self.table;
        t.n() >= LABELS && t.both + t.second > 0 && t.first + t.neither > 0
    }

    /// What the labels alone say; the standard error with n - 1. Nothing with fewer than two labels.
    pub fn labels_alone(&self) -> Option<Corrected> {
        let yes = (self.table.both + self.table.second) as f64;
        let n = self.count()?;
        Some(Corrected { value: yes / n, error: (variance(yes / n, n) / n).sqrt() })
    }

    /// Prediction-powered inference (Angelopoulos and others 2023; ARES): the judge's share of the unlabelled, corrected by its
    /// mean error on the labelled.
    pub fn ppi(&self) -> Option<Corrected> {
        Some(self.moments()?.powered(1.0))
    }

    /// The same with the weight of the judge at which the error is smallest, from 0 to 1 (PPI++, Angelopoulos, Duchi & Zrnic
    /// 2023): `cov(Y, f) / ((1 + n/N) var f)`. Also that weight.
    pub fn tuned(&self) -> Option<(Corrected, f64)> {
        let moments = self.moments()?;
        let weight = moments.weight();
        Some((moments.powered(weight), weight))
    }

    /// The correction of Rogan & Gladen 1978 by the judge's sensitivity and specificity, where the labels come from another
    /// population; the error by the delta method (Lang & Reiczigel 2014). Nothing where the two together are 1.2 or less: such
    /// a judge says too little to be corrected.
    pub fn rogan_gladen(&self) -> Option<Corrected> {
        let (sensitive, specific) = (self.table.recall(), self.table.recall_of_no());
        let (se, sp) = (sensitive.value()?, specific.value()?);
        let unlabelled = self.unlabelled_count()?;
        let informed = se + sp - 1.0;
        if informed <= 0.2 {
            return None;
        }
        let value = ((self.share + sp - 1.0) / informed).clamp(0.0, 1.0);
        let part = |p: f64, n: f64| p * (1.0 - p) / n;
        let sum = part(self.share, unlabelled)
            + part(se, sensitive.n as f64) * value.powi(2)
            + part(sp, specific.n as f64) * (1.0 - value).powi(2);
        Some(Corrected { value, error: sum.sqrt() / informed })
    }

    fn moments(&self) -> Option<Moments> {
        let (n, unlabelled) = (self.count()?, self.unlabelled_count()?);
        let t = &self.table;
        let (said, yes) = ((t.both + t.first) as f64 / n, (t.both + t.second) as f64 / n);
        Some(Moments {
            n,
            unlabelled,
            said: (said, variance(said, n)),
            yes: (yes, variance(yes, n)),
            covariance: (t.both as f64 / n - said * yes) * n / (n - 1.0),
            share: (self.share, variance(self.share, unlabelled)),
        })
    }

    fn count(&self) -> Option<f64> {
        (self.table.n() > 1).then(|| self.table.n() as f64)
    }

    fn unlabelled_count(&self) -> Option<f64> {
        (self.unlabelled > 1 && (0.0..=1.0).contains(&self.share)).then_some(self.unlabelled as f64)
    }
}

/// The variance of values of 0 and 1 with this mean, with n - 1.
fn variance(mean: f64, n: f64) -> f64 {
    mean * (1.0 - mean) * n / (n - 1.0)
}

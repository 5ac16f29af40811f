//! The reference line: what a random ranking of the same pool would score, in closed form. A metric
//! without it cannot be told from chance.
//!
//! N passages in uniform random order, M of them relevant; unit u lies in c_u passages. A passage covers one unit, so
//! that M is the sum of the c_u.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What an index holds, where that is known: the heading path of each passage, by document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holdings(pub BTreeMap<String, Vec<Vec<String>>>);

/// A pool with the evidence in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Random {
    /// Passages in the pool, N.
    pub pool: usize,
    /// For each unit of evidence its grade and the number of passages that hold it, at least 1.
    pub units: Vec<(f64, usize)>,
}

/// `C(N-a, k) / C(N, k)`: none of a marked passages among the first k.
fn none_of(n: usize, a: usize, k: usize) -> f64 {
    if a + k > n {
        return 0.0;
    }
    // The smaller of the two products: C(N-a,k)/C(N,k) is symmetric in a and k.
    let (short, long) = if a < k { (a, k) } else { (k, a) };
    (0..short).map(|j| (n - long - j) as f64 / (n - j) as f64).product()
}

/// `C(N-r, c-1) / C(N, c)` for r = 1…k: the first of c marked passages stands at rank r.
fn first_at(n: usize, c: usize, k: usize) -> impl Iterator<Item = f64> {
    let mut p = c as f64 / n as f64;
    (1..=k).map(move |r| {
        let now = p;
        let left = n.saturating_sub(r);
        p *= if left == 0 { 0.0 } else { (left + 1).saturating_sub(c) as f64 / left as f64 };
        now
    })
}

impl Random {
    /// A pool in which each of R units of grade 1 lies in one passage.
    pub fn plain(pool: usize, units: usize) -> Self {
        Random { pool, units: vec![(1.0, 1); units] }
    }

    /// The relevant passages, M.
    fn relevant(&self) -> usize {
        self.units.iter().map(|(_, c)| (*c).max(1)).sum::<usize>()
    }

    /// Whether the pool can hold the evidence at all; without it no value is stated.
    fn sound(&self) -> bool {
        !self.units.is_empty() && self.relevant() <= self.pool
    }

    /// Expected hit@k: `1 - C(N-M,k)/C(N,k)`.
    pub fn hit(&self, k: usize) -> Option<f64> {
        self.sound().then(|| 1.0 - none_of(self.pool, self.relevant(), k.min(self.pool)))
    }

    /// The probability that all R units are among the first k: `C(N-R,k-R)/C(N,k)` where each lies in one passage; where some
    /// lie in several, by inclusion and exclusion over the units that are missing. Of more than 12 such units each is taken to
    /// lie in one passage, which is less than it is.
    pub fn all(&self, k: usize) -> Option<f64> {
        const MOST: usize = 12;
        let (n, r, k) = (self.pool, self.units.len(), k.min(self.pool));
        if !self.sound() {
            return None;
        }
        if r == self.relevant() || r > MOST {
            return Some(if k < r { 0.0 } else { (0..r).map(|j| (k - j) as f64 / (n - j) as f64).product() });
        }
        let missing = |set: usize| {
            let those = self.units.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            let sign = if set.count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
            sign * none_of(n, those.map(|(_, (_, c))| (*c).max(1)).sum(), k)
        };
        Some((0..1usize << r).map(missing).sum::<f64>().max(0.0))
    }

    /// Expected P@k: `M/N` (of the pool when k is larger).
    pub fn precision(&self, k: usize) -> Option<f64> {
        let found = |k: usize| self.relevant() as f64 / self.pool as f64 * k.min(self.pool) as f64 / k as f64;
        (self.sound() && k > 0).then(|| found(k))
    }

    /// Expected R@k: the mean over units of `1 - C(N-c,k)/C(N,k)`.
    pub fn recall(&self, k: usize) -> Option<f64> {
        let k = k.min(self.pool);
        let sum: f64 = self.units.iter().map(|(_, c)| 1.0 - none_of(self.pool, (*c).max(1), k)).sum();
        self.sound().then(|| sum / self.units.len() as f64)
    }

    /// Expected F1@k: `2 E[TP] / (k + R)`.
    pub fn f1(&self, k: usize) -> Option<f64> {
        let r = self.units.len() as f64;
        self.recall(k).map(|recall| 2.0 * recall * r / (k as f64 + r))
    }

    /// Expected reciprocal rank, cut at k when a cut-off is given: `Σ P(first at r)/r`.
    pub fn reciprocal_rank(&self, k: Option<usize>) -> Option<f64> {
        let k = k.unwrap_or(self.pool).min(self.pool);
        let sum = || first_at(self.pool, self.relevant(), k).enumerate().map(|(i, p)| p / (i + 1) as f64).sum();
        self.sound().then(sum)
    }

    /// Expected AP, AP@k with a cut-off: `(1/N) Σ (1/i)(1 + (i-1)(M-1)/(N-1))`.
    pub fn average_precision(&self, k: Option<usize>) -> Option<f64> {
        let (n, m) = (self.pool as f64, self.relevant() as f64);
        let pairs = if self.pool > 1 { (m - 1.0) / (n - 1.0) } else { 0.0 };
        let term = |i: usize| (1.0 + (i - 1) as f64 * pairs) / i as f64;
        self.sound().then(|| (1..=k.unwrap_or(self.pool).min(self.pool)).map(term).sum::<f64>() / n)
    }

    /// Expected context precision as a share, of the first n: `M/N`.
    pub fn context_precision_ratio(&self, n: usize) -> Option<f64> {
        self.precision(n.min(self.pool))
    }

    /// Expected context precision as average precision over the relevant passages among the first n, 0 where none is:
    /// `(1/n) (H_n P + (n - H_n)/(n - 1) (E - P))` with E the relevant passages to expect among the n and P the chance of
    /// one at least. It is the expectation of AP over the orders of m relevant passages of n, taken over m.
    pub fn context_precision_ap(&self, n: usize) -> Option<f64> {
        let n = n.min(self.pool);
        let harmonic: f64 = (1..=n).map(|i| 1.0 / i as f64).sum();
        let any = self.hit(n)?;
        let expected = n as f64 * self.relevant() as f64 / self.pool as f64;
        let more = if n > 1 { (n as f64 - harmonic) / (n as f64 - 1.0) * (expected - any) } else { 0.0 };
        (n > 0).then(|| (harmonic * any + more) / n as f64)
    }

    /// Expected nDCG@k: each unit's gain where it is first found, over the ideal list of one passage per unit.
    pub fn ndcg(&self, k: Option<usize>) -> Option<f64> {
        let k = k.unwrap_or(self.pool).min(self.pool);
        let discount = |i: usize| ((i + 2) as f64).log2();
        let found = |c: usize| first_at(self.pool, c.max(1), k).enumerate().map(|(i, p)| p / discount(i)).sum::<f64>();
        let dcg: f64 = self.units.iter().map(|(grade, c)| grade * found(*c)).sum();
        let mut gains: Vec<f64> = self.units.iter().map(|(g, _)| *g).collect();
        gains.sort_by(|a, b| b.total_cmp(a));
        let ideal: f64 = gains.iter().take(k).enumerate().map(|(i, g)| g / discount(i)).sum();
        (self.sound() && ideal > 0.0).then(|| dcg / ideal)
    }
}

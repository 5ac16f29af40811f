//! Lists in which passages of equal score stand in no order: the expectation of each metric over all orders in which they
//! could stand (McSherry & Najork 2008), in closed form. Breaking ties by name would measure the names.

use super::metrics::Gain;

/// A ranked list in which each relevant passage covers one unit of its own, with its ties.
#[derive(Debug, Clone, PartialEq)]
pub struct Tied {
    /// The grades of passages whose order is not known, group by group in rank order; 0 for one that is not relevant.
    groups: Vec<Vec<f64>>,
    /// The grades of the units that no passage covers.
    missing: Vec<f64>,
}

/// One group: how many ranks stand in front of it, how many relevant passages do, and its own size and relevant passages.
#[derive(Debug, Clone, Copy)]
struct Group {
    before: usize,
    found: usize,
    size: usize,
    relevant: usize,
}

impl Group {
    /// The chance that its first relevant passage stands at place i (from 1) of the group: `C(n-i, r-1) / C(n, r)`.
    fn first_at(self) -> impl Iterator<Item = (usize, f64)> {
        let (n, r) = (self.size, self.relevant);
        let mut none_before = 1.0;
        (1..=n).map(move |i| {
            let left = n - i + 1;
            let here = none_before * r as f64 / left as f64;
            none_before *= left.saturating_sub(r) as f64 / left as f64;
            (i, here.min(1.0))
        })
    }

    /// At place i (from 1): the expected share of relevant passages down to it, where it is relevant itself.
    fn precision_at(self, i: usize) -> f64 {
        let (n, r) = (self.size as f64, self.relevant as f64);
        let others = if self.size > 1 { (i - 1) as f64 * (r - 1.0) / (n - 1.0) } else { 0.0 };
        r / n * (self.found as f64 + 1.0 + others) / (self.before + i) as f64
    }
}

impl Tied {
    /// The grades in the order of the list; neighbours with equal scores are tied. The order that is given stays, whatever
    /// the scores. Nothing when there are not as many scores as grades.
    pub fn new(grades: &[f64], scores: &[f64], missing: &[f64]) -> Option<Self> {
        if grades.len() != scores.len() {
            return None;
        }
        let mut groups: Vec<Vec<f64>> = Vec::new();
        let mut last = None;
        for (grade, score) in grades.iter().zip(scores) {
            match groups.last_mut() {
                Some(group) if last == Some(score) => group.push(*grade),
                _ => groups.push(vec![*grade]),
            }
            last = Some(score);
        }
        Some(Tied { groups, missing: missing.to_vec() })
    }

    /// Whether any passages are tied.
    pub fn any(&self) -> bool {
        self.groups.iter().any(|g| g.len() > 1)
    }

    fn groups(&self) -> impl Iterator<Item = Group> {
        let (mut before, mut found) = (0, 0);
        self.groups.iter().map(move |g| {
            let relevant = g.iter().filter(|g| **g > 0.0).count();
            let group = Group { before, found, size: g.len(), relevant };
            before += g.len();
            found += relevant;
            group
        })
    }

    fn units(&self) -> usize {
        self.groups().map(|g| g.relevant).sum::<usize>() + self.missing.len()
    }

    fn of<T>(&self, value: impl FnOnce() -> T) -> Option<T> {
        (self.units() > 0).then(value)
    }

    /// The expected number of relevant passages among the first k.
    fn found_in(&self, k: usize) -> f64 {
        self.groups().map(|g| g.relevant as f64 * k.saturating_sub(g.before).min(g.size) as f64 / g.size as f64).sum()
    }

    /// The chance of a relevant passage among the first k.
    pub fn hit(&self, k: usize) -> Option<f64> {
        self.of(|| {
            let in_group = |g: Group| g.first_at().take_while(|(i, _)| g.before + i <= k).map(|(_, p)| p).sum::<f64>();
            self.groups().find(|g| g.relevant > 0).map_or(0.0, in_group)
        })
    }

    /// Expected P@k.
    pub fn precision(&self, k: usize) -> Option<f64> {
        if k == 0 { None } else { self.of(|| self.found_in(k) / k as f64) }
    }

    /// Expected R@k.
    pub fn recall(&self, k: usize) -> Option<f64> {
        self.of(|| self.found_in(k) / self.units() as f64)
    }

    /// Expected F1@k.
    pub fn f1(&self, k: usize) -> Option<f64> {
        self.of(|| 2.0 * self.found_in(k) / (k + self.units()) as f64)
    }

    /// Expected reciprocal rank; 0 beyond the cut-off where one is given.
    pub fn reciprocal_rank(&self, k: Option<usize>) -> Option<f64> {
        let k = k.unwrap_or(usize::MAX);
        let in_group = |g: Group| {
            g.first_at().take_while(|(i, _)| g.before + i <= k).map(|(i, p)| p / (g.before + i) as f64).sum::<f64>()
        };
        self.of(|| self.groups().find(|g| g.relevant > 0).map_or(0.0, in_group))
    }

    fn precisions(&self, k: usize) -> f64 {
        let tied = self.groups().filter(|g| g.relevant > 0);
        tied.flat_map(|g| (1..=g.size).filter(move |i| g.before + i <= k).map(move |i| g.precision_at(i))).sum()
    }

    /// Expected average precision, AP@k with a cut-off.
    pub fn average_precision(&self, k: Option<usize>) -> Option<f64> {
        self.of(|| self.precisions(k.unwrap_or(usize::MAX)) / self.units() as f64)
    }

    /// Expected nDCG@k.
    pub fn ndcg(&self, k: Option<usize>, gain: Gain) -> Option<f64> {
        let k = k.unwrap_or(usize::MAX);
        let discount = |rank: usize| ((rank + 1) as f64).log2();
        let mut dcg = 0.0;
        let mut rank = 0;
        for group in &self.groups {
            let mean = group.iter().map(|g| gain.of(*g)).sum::<f64>() / group.len() as f64;
            for _ in group {
                rank += 1;
                if rank <= k {
                    dcg += mean / discount(rank);
                }
            }
        }
        let mut gains: Vec<f64> = self.groups.iter().flatten().chain(&self.missing).map(|g| gain.of(*g)).collect();
        gains.sort_by(|a, b| b.total_cmp(a));
        let ideal: f64 = gains.iter().take(k).enumerate().map(|(i, g)| g / discount(i + 1)).sum();
        (ideal > 0.0).then(|| dcg / ideal)
    }

    /// Context precision as a share, which no order changes.
    pub fn context_precision_ratio(&self) -> Option<f64> {
        let n: usize = self.groups.iter().map(Vec::len).sum();
        self.of(|| if n == 0 { 0.0 } else { self.found_in(n) / n as f64 })
    }

    /// Expected context precision as average precision over the relevant passages returned.
    pub fn context_precision_ap(&self) -> Option<f64> {
        let relevant: usize = self.groups().map(|g| g.relevant).sum();
        self.of(|| if relevant == 0 { 0.0 } else { self.precisions(usize::MAX) / relevant as f64 })
    }

    /// The expected rank of the first relevant passage; nothing when none is.
    pub fn first_rank(&self) -> Option<f64> {
        let group = self.groups().find(|g| g.relevant > 0)?;
        Some(group.before as f64 + (group.size + 1) as f64 / (group.relevant + 1) as f64)
    }
}

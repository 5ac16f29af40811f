//! Ranking metrics of one question as pure functions. Formulas as trec_eval computes them (Voorhees &
//! Harman; nDCG after Järvelin & Kekäläinen 2002 with the discount log2(rank + 1)).
//!
//! Two relevance vectors keep one piece of evidence from counting twice: `relevant[i]` says that the passage covers some
//! unit of evidence (precision), `newly[i]` which units it is the first to cover (recall, AP, nDCG).

/// A ranked list against its evidence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    /// Whether passage i covers some unit.
    pub relevant: Vec<bool>,
    /// The units that passage i is the first to cover, as indices into `grades`.
    pub newly: Vec<Vec<usize>>,
    /// The grade of every unit of evidence, found or not.
    pub grades: Vec<f64>,
}

/// What a grade is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gain {
    /// The grade itself (trec_eval, scikit-learn).
    #[default]
    Linear,
    /// `2^grade - 1`.
    Exponential,
}

impl Gain {
    /// The worth of a grade.
    pub fn of(self, grade: f64) -> f64 {
        match self {
            Gain::Linear => grade,
            Gain::Exponential => grade.exp2() - 1.0,
        }
    }
}

/// A share of two counts; nothing when the second is 0.
fn share(hits: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| hits as f64 / of as f64)
}

/// The discount of a rank (from 1).
fn discount(rank: usize) -> f64 {
    ((rank + 1) as f64).log2()
}

impl Ranking {
    /// A list in which each relevant passage covers one unit of its own; `grades[i]` is 0 for a passage that covers
    /// none, and `missing` holds the grades of the units that no passage covers.
    pub fn simple(grades: &[f64], missing: &[f64]) -> Self {
        let mut ranking = Ranking::default();
        for g in grades {
            ranking.relevant.push(*g > 0.0);
            ranking.newly.push(if *g > 0.0 { vec![ranking.grades.len()] } else { vec![] });
            if *g > 0.0 {
                ranking.grades.push(*g);
            }
        }
        ranking.grades.extend_from_slice(missing);
        ranking
    }

    /// The number of units of evidence, R.
    pub fn units(&self) -> usize {
        self.grades.len()
    }

    fn relevant_in(&self, k: usize) -> usize {
        self.relevant.iter().take(k).filter(|r| **r).count()
    }

    fn units_in(&self, k: usize) -> usize {
        self.newly.iter().take(k).map(Vec::len).sum()
    }

    /// The first rank (from 1) at which a unit is covered.
    pub fn first_rank(&self) -> Option<usize> {
        self.newly.iter().position(|n| !n.is_empty()).map(|i| i + 1)
    }

    /// hit@k (success@k): 1 when one of the first k passages is relevant. Nothing without evidence, as all of them.
    pub fn hit(&self, k: usize) -> Option<f64> {
        (self.units() > 0).then(|| if self.relevant_in(k) > 0 { 1.0 } else { 0.0 })
    }

    /// P@k: relevant passages among the first k, over k; a short list is padded with misses.
    pub fn precision(&self, k: usize) -> Option<f64> {
        if self.units() == 0 { None } else { share(self.relevant_in(k), k) }
    }

    /// R@k: units found among the first k, over R.
    pub fn recall(&self, k: usize) -> Option<f64> {
        share(self.units_in(k), self.units())
    }

    /// F1@k: `2 TP / (k + R)`, TP the units found.
    pub fn f1(&self, k: usize) -> Option<f64> {
        if self.units() == 0 { None } else { share(2 * self.units_in(k), k + self.units()) }
    }

    /// Reciprocal rank of the first passage that covers a unit; 0 when none does in the full list, or within the cut-off
    /// where one is given.
    pub fn reciprocal_rank(&self, k: Option<usize>) -> Option<f64> {
        let first = self.first_rank().filter(|r| k.is_none_or(|k| *r <= k));
        (self.units() > 0).then(|| first.map_or(0.0, |r| 1.0 / r as f64))
    }

    /// Average precision, AP@k with a cut-off: `(1/G) Σ (such ranks so far)/rank` over the ranks that cover a unit for the
    /// first time; G is the number of ideal groups, whatever the cut-off.
    pub fn average_precision(&self, k: Option<usize>) -> Option<f64> {
        let groups = self.groups(Gain::Linear).len();
        let (mut so_far, mut sum) = (0usize, 0.0);
        for (i, newly) in self.newly.iter().take(k.unwrap_or(usize::MAX)).enumerate() {
            if !newly.is_empty() {
                so_far += 1;
                sum += so_far as f64 / (i + 1) as f64;
            }
        }
        (groups > 0).then(|| sum / groups as f64)
    }

    /// nDCG@k (nDCG without a cut-off).
    pub fn ndcg(&self, k: Option<usize>, gain: Gain) -> Option<f64> {
        let k = k.unwrap_or(usize::MAX);
        let worth =
            |units: &[usize]| units.iter().filter_map(|u| self.grades.get(*u)).map(|g| gain.of(*g)).sum::<f64>();
        let dcg: f64 = self.newly.iter().take(k).enumerate().map(|(i, n)| worth(n) / discount(i + 1)).sum();
        let ideal: f64 = self.groups(gain).iter().take(k).enumerate().map(|(i, g)| g / discount(i + 1)).sum();
        (ideal > 0.0).then(|| dcg / ideal)
    }

    /// The gains of the ideal list, highest first: units first covered by one passage form one group, uncovered units
    /// are groups of their own. So one passage that holds everything is ideal, and nDCG never exceeds 1.
    fn groups(&self, gain: Gain) -> Vec<f64> {
        let mut found = vec![false; self.grades.len()];
        let mut groups = Vec::new();
        for newly in self.newly.iter().filter(|n| !n.is_empty()) {
            let mut sum = 0.0;
            for u in newly {
                if let (Some(g), Some(f)) = (self.grades.get(*u), found.get_mut(*u)) {
                    sum += gain.of(*g);
                    *f = true;
                }
            }
            groups.push(sum);
        }
        groups.extend(self.grades.iter().zip(&found).filter(|(_, f)| !**f).map(|(g, _)| gain.of(*g)));
        groups.sort_by(|a, b| b.total_cmp(a));
        groups
    }

    /// Context precision as a share: relevant passages over the passages returned; 0 for an empty list.
    pub fn context_precision_ratio(&self) -> Option<f64> {
        (self.units() > 0).then(|| share(self.relevant_in(usize::MAX), self.relevant.len()).unwrap_or(0.0))
    }

    /// Context precision as average precision over the relevant passages returned (Ragas, DeepEval); 0 when none is.
    pub fn context_precision_ap(&self) -> Option<f64> {
        let (mut so_far, mut sum) = (0usize, 0.0);
        for (i, r) in self.relevant.iter().enumerate() {
            if *r {
                so_far += 1;
                sum += so_far as f64 / (i + 1) as f64;
            }
        }
        (self.units() > 0).then(|| if so_far == 0 { 0.0 } else { sum / so_far as f64 })
    }
}

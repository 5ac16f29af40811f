//! BM25 as Robertson and Zaragoza give it ("The Probabilistic Relevance Framework: BM25 and Beyond", 2009):
//! `sum over terms of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))` with
//! `idf = ln(1 + (N - df + 0.5) / (df + 0.5))`, which is never negative.

use std::collections::{BTreeMap, HashMap};

/// An inverted index over passages.
#[derive(Debug)]
pub(super) struct Index {
    k1: f64,
    b: f64,
    terms: HashMap<String, usize>,
    /// By term: the passages that hold it, in order, and how often.
    postings: Vec<Vec<(usize, f64)>>,
    lengths: Vec<f64>,
    average: f64,
}

/// A question as an index sees it: its distinct terms.
#[derive(Debug, Clone)]
pub(super) struct Query {
    /// Term number (none: the index does not know it) and idf.
    terms: Vec<(Option<usize>, f64)>,
}

impl Query {
    /// The terms that the index knows, with their idf.
    pub(super) fn known(&self) -> impl Iterator<Item = (usize, f64)> {
        self.terms.iter().filter_map(|(id, idf)| Some(((*id)?, *idf)))
    }
}

impl Index {
    /// An index over passages, given as their terms.
    pub(super) fn new(passages: impl IntoIterator<Item = Vec<String>>, k1: f64, b: f64) -> Index {
        let mut index = Index { k1, b, terms: HashMap::new(), postings: Vec::new(), lengths: Vec::new(), average: 0.0 };
        for (number, passage) in passages.into_iter().enumerate() {
            index.lengths.push(passage.len() as f64);
            let mut counts: BTreeMap<usize, f64> = BTreeMap::new();
            for term in passage {
                let next = index.postings.len();
                let id = *index.terms.entry(term).or_insert(next);
                if id == next {
                    index.postings.push(Vec::new());
                }
                *counts.entry(id).or_default() += 1.0;
            }
            for (id, count) in counts {
                if let Some(list) = index.postings.get_mut(id) {
                    list.push((number, count));
                }
            }
        }
        index.average = index.lengths.iter().sum::<f64>() / (index.lengths.len().max(1) as f64);
        index
    }

    /// Reads a question. A term counts once, however often it is asked.
    pub(super) fn query(&self, terms: Vec<String>) -> Query {
        let mut seen = std::collections::BTreeSet::new();
        let known = terms.into_iter().filter(|t| seen.insert(t.clone()));
        Query {
            terms: known
                .map(|term| {
                    let id = self.terms.get(&term).copied();
                    (id, self.idf(id.and_then(|i| self.postings.get(i)).map_or(0, Vec::len)))
                })
                .collect(),
        }
    }

    /// The number of a term that the index knows.
    pub(super) fn term(&self, term: &str) -> Option<usize> {
        self.terms.get(term).copied()
    }

    fn idf(&self, df: usize) -> f64 {
        let (n, df) = (self.lengths.len() as f64, df as f64);
        (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
    }

    /// The score of every passage.
    pub(super) fn scores(&self, query: &Query) -> Vec<f64> {
        let mut scores = vec![0.0; self.lengths.len()];
        for (list, idf) in query.terms.iter().filter_map(|(id, idf)| Some((self.postings.get((*id)?)?, idf))) {
            for (passage, tf) in list {
                if let (Some(score), Some(length)) = (scores.get_mut(*passage), self.lengths.get(*passage)) {
                    let norm = 1.0 - self.b + self.b * length / self.average;
                    *score += idf * tf * (self.k1 + 1.0) / (tf + self.k1 * norm);
                }
            }
        }
        scores
    }

    /// How much of the question's idf the terms of some passages cover, from 0 to 1; a term that the corpus does not
    /// know weighs most.
    pub(super) fn coverage(&self, query: &Query, passages: &[usize]) -> f64 {
        let all: f64 = query.terms.iter().map(|(_, idf)| idf).sum();
        let holds = |id: usize| {
            let list = self.postings.get(id);
            list.is_some_and(|l| passages.iter().any(|p| l.binary_search_by_key(p, |(passage, _)| *passage).is_ok()))
        };
        let covered: f64 = query.terms.iter().filter(|(id, _)| id.is_some_and(holds)).map(|(_, idf)| idf).sum();
        if all > 0.0 { covered / all } else { 0.0 }
    }
}

/// The best passages with a score above 0, best first; equal scores in the order of the passages.
pub(super) fn best(scores: &[f64], most: usize) -> Vec<(usize, f64)> {
    let mut ranked: Vec<(usize, f64)> = scores.iter().copied().enumerate().filter(|(_, s)| *s > 0.0).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked.truncate(most);
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn scores_are_bm25() {
        let index = Index::new(["a b", "a a c d", "c"].map(words), 1.2, 0.75);
        // N = 3, average length 7/3. For `a`: df 2, idf = ln(1 + 1.5/2.5) = 0.470004. Passage 0: tf 1, norm = 0.25 +
        // 0.75 * 2 / (7/3) = 0.892857, score = idf * 2.2 / (1 + 1.2 * 0.892857) = 0.499177. Passage 1: tf 2, norm =
        // 1.535714, score = idf * 4.4 / (2 + 1.842857) = 0.538145.
        let scores = index.scores(&index.query(words("a a")));
        for (score, right) in scores.iter().zip([0.499_177, 0.538_145, 0.0]) {
            assert!((score - right).abs() < 1e-6, "{scores:?}");
        }
        // `b`: df 1, idf = ln(1 + 2.5/1.5) = 0.980829; unknown `z`: ln(1 + 3.5/0.5) = 2.079442.
        let query = index.query(words("b z"));
        assert!((index.coverage(&query, &[0]) - 0.980_829 / 3.060_271).abs() < 1e-6);
        assert_eq!(index.coverage(&query, &[]), 0.0);
        assert_eq!(index.coverage(&index.query(Vec::new()), &[0]), 0.0);
    }

    #[test]
    fn ties_stay_in_order() {
        assert_eq!(best(&[1.0, 2.0, 1.0, 0.0, 2.0], 3), [(1, 2.0), (4, 2.0), (0, 1.0)]);
        assert!(best(&[], 3).is_empty());
    }
}

//! Retrieval: is the evidence among the passages that count? (rules.md 5)

use super::{Exam, LayerResult};

/// Ranks and metrics of one question.
#[derive(Debug, Clone, Default)]
pub struct RetrievalDetail {
    /// Metric name with its cut-off (`hit@3`, `p@3`, `r@3`, `rr`, `ap`, `ndcg@3`) and value, in a fixed order.
    pub metrics: Vec<(String, f64)>,
    /// The same metrics for a random ranking, where the number of passages of the corpus is known.
    pub random: Vec<(String, f64)>,
    /// Rank (from 1) of the first passage that holds evidence, among all that were returned.
    pub rank: Option<usize>,
    /// A passage of the right document or section is among those that count.
    pub in_top_k: bool,
    /// Such a passage was in the prompt.
    pub in_prompt: bool,
    /// The evidence is complete, at the finest level that it names.
    pub complete: bool,
    /// Whether the evidence stands in the corpus; none when there is no corpus.
    pub in_corpus: Option<bool>,
    /// Indices (from 0) of the passages that hold evidence at the finest level.
    pub holders: Vec<usize>,
}

/// Checks retrieval.
pub fn check(_exam: &Exam<'_>) -> LayerResult {
    LayerResult::skipped(super::Skip::NotApplicable)
}

/// Indices (from 0) of the passages that hold evidence at the finest level that it names.
pub fn holders(_exam: &Exam<'_>) -> Vec<usize> {
    Vec::new()
}

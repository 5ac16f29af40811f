//! Diagnosis: the first layer at fault and what to change next (rules.md 8).

/// What the diagnosis reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvidenceFacts {
    /// The target answered.
    pub run_ok: bool,
    /// The evidence stands in the corpus; none when that is not known.
    pub in_corpus: Option<bool>,
    /// A passage of the evidence's document or section is among those that count; none without evidence or passages.
    pub in_top_k: Option<bool>,
    /// It was in the prompt.
    pub in_prompt: Option<bool>,
    /// The evidence is complete in the prompt.
    pub complete: Option<bool>,
    /// The first passage with evidence stands at rank 3 or better.
    pub rank_ok: Option<bool>,
    /// The answer is right, by its facts; none when facts were not measured.
    pub answer: Option<bool>,
    /// Something in the answer is unsupported: an ungrounded number, a forbidden claim.
    pub unsupported: bool,
}

/// The first layer at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnosis {
    /// The row of the table, from 0.
    pub row: u8,
    /// `retrieval`, `chunking`, `generation`, …
    pub layer: &'static str,
    /// The next change to try, one line.
    pub next: &'static str,
}

/// stub
pub fn from_layers(
    _e: &crate::layer::Exam<'_>,
    _l: &crate::layer::LayerMap<crate::layer::LayerResult>,
) -> (EvidenceFacts, Option<Diagnosis>) {
    (EvidenceFacts::default(), None)
}
/// stub
pub fn not_answered(_q: &crate::suite::Question) -> (EvidenceFacts, Diagnosis) {
    (EvidenceFacts::default(), Diagnosis { row: 0, layer: "pipeline", next: "" })
}

//! Noise sensitivity: wrong claims of an answer, by the passages that led to them. Lower is better.

use super::{Absent, Lost, Measured, enough};
use crate::judge::Verdict;
use crate::stats::Rate;

/// The verdicts that noise sensitivity is made of.
#[derive(Debug, Clone, Copy)]
pub struct Supports<'a> {
    /// For each statement of the answer: does the reference support it?
    pub by_reference: &'a [Verdict],
    /// For each passage, for each statement of the answer: does the passage support it?
    pub by_passage: &'a [Vec<Verdict>],
    /// For each passage, for each statement of the reference: does the passage support it? A passage that supports one is
    /// relevant.
    pub relevance: &'a [Vec<Verdict>],
}

/// Noise sensitivity: shares of the answer's statements that the reference does not support.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// Those that a relevant passage supports.
    pub relevant: Rate,
    /// Those that only irrelevant passages support.
    pub irrelevant: Rate,
    /// Those that no passage supports (hallucination in RAGChecker).
    pub unsupported: Rate,
}

/// What a statement of the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Right,
    Relevant,
    Irrelevant,
    Nowhere,
}

/// Noise sensitivity (Ragas; RAGChecker, section 3.3), with what no passage supports apart.
pub fn noise_sensitivity(supports: &Supports<'_>) -> Measured<Noise> {
    let asked = supports.by_reference.len();
    if asked == 0 {
        return Measured::NotApplicable(Absent::NothingStated);
    }
    if supports.relevance.first().is_some_and(Vec::is_empty) {
        return Measured::NotApplicable(Absent::NoReference);
    }
    let origins: Vec<Origin> = (0..asked).filter_map(|s| origin(supports, s)).collect();
    if !enough(origins.len(), asked) {
        return Measured::Unmeasured(Lost::TooFewKnown { known: origins.len(), asked });
    }
    let rate = |o: Origin| Rate::of(origins.iter().map(|x| *x == o));
    Measured::Value(Noise {
        relevant: rate(Origin::Relevant),
        irrelevant: rate(Origin::Irrelevant),
        unsupported: rate(Origin::Nowhere),
    })
}

/// What a statement is, where the verdicts that decide it are known.
fn origin(supports: &Supports<'_>, statement: usize) -> Option<Origin> {
    if supports.by_reference.get(statement)?.known()? {
        return Some(Origin::Right);
    }
    let mut unsure = false;
    let mut irrelevant = false;
    for (passage, verdicts) in supports.by_passage.iter().enumerate() {
        let supported = verdicts.get(statement).copied().unwrap_or(Verdict::Unknown).known();
        let relevant = supports.relevance.get(passage).map_or(Some(false), |r| relevant(r));
        match (supported, relevant) {
            (Some(true), Some(true)) => return Some(Origin::Relevant),
            (Some(true), Some(false)) => irrelevant = true,
            (Some(false), _) => {}
            (Some(true), None) | (None, _) => unsure = true,
        }
    }
    match (unsure, irrelevant) {
        (true, _) => None,
        (false, true) => Some(Origin::Irrelevant),
        (false, false) => Some(Origin::Nowhere),
    }
}

/// Whether a passage supports any statement of the reference; nothing where that hangs on a verdict that is not known.
fn relevant(of_reference: &[Verdict]) -> Option<bool> {
    if of_reference.contains(&Verdict::Yes) {
        return Some(true);
    }
    of_reference.iter().all(|v| v.known().is_some()).then_some(false)
}

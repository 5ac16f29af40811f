//! Facts: does the answer state what it must, and nothing that it must not? (rules.md 2)

use super::{Exam, LayerResult, Reading};

/// The verdict on one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactVerdict {
    /// The fact as a person would read it.
    pub fact: String,
    /// True for an item of `must_not`.
    pub forbidden: bool,
    /// Right: a required fact that is stated, or a forbidden one that is not.
    pub ok: bool,
    /// `matched(text)`, `missing`, `wrong_value(…)`, …
    pub reason: String,
}

/// Checks the facts.
pub fn check(_exam: &Exam<'_>, _reading: &Reading<'_>) -> LayerResult {
    LayerResult::skipped(super::Skip::NotApplicable)
}

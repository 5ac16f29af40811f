//! Numbers: is each number of the answer grounded in the passages or the question? (rules.md 1)

use super::{Exam, LayerResult, Reading};

/// What a number of the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It stands in a passage that was in the prompt.
    Grounded,
    /// It stands there under another reading.
    GroundedMinor,
    /// It stands only in the question.
    QuestionOnly,
    /// The value stands in a passage, but every time with another unit.
    UnitMismatch,
    /// It stands nowhere.
    Ungrounded,
}

impl Status {
    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Grounded => "grounded",
            Status::GroundedMinor => "grounded_minor",
            Status::QuestionOnly => "question_only",
            Status::UnitMismatch => "unit_mismatch",
            Status::Ungrounded => "ungrounded",
        }
    }
}

/// One number of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberVerdict {
    /// The text, with its unit.
    pub text: String,
    /// `number`, `percent`, `quantity`, `money`.
    pub kind: &'static str,
    /// The exact value of its first reading, as a decimal.
    pub value: String,
    /// The unit in its normal form (`day`, `VND`, `percent`), if any.
    pub unit: Option<String>,
    /// Grounded or not.
    pub status: Status,
    /// Place in the answer as returned, in code points.
    pub start: usize,
    /// End in the answer as returned, in code points.
    pub end: usize,
}

/// Checks the numbers.
pub fn check(_exam: &Exam<'_>, _reading: &Reading<'_>) -> LayerResult {
    LayerResult::skipped(super::Skip::NotApplicable)
}

//! Metrics that are a share of supported statements.

use super::{Absent, Measured, known, share};
use crate::judge::Verdict;
use crate::stats::Rate;

/// Faithfulness: the share of the answer's statements that the passages support. Where the system returned no passage,
/// nothing supports them: 0. An answer without a statement has none to be unfaithful with.
///
/// Ragas divides by the verdicts that came back; here verdicts that did not come are not left out in silence, they make the
/// metric unmeasured once they are more than a fifth.
pub fn faithfulness(statements: &[Verdict], passages: usize) -> Measured<Rate> {
    if statements.is_empty() {
        Measured::NotApplicable(Absent::NothingStated)
    } else if passages == 0 {
        Measured::Value(Rate::new(0, statements.len() as u64))
    } else {
        share(known(statements))
    }
}

/// Context recall: the share of the reference's statements that the passages support.
pub fn context_recall(reference: &[Verdict], passages: usize) -> Measured<Rate> {
    if reference.is_empty() { Measured::NotApplicable(Absent::NoReference) } else { faithfulness(reference, passages) }
}

/// Rubric: whether the answer meets the grading notes.
pub fn rubric(verdict: Option<Verdict>) -> Measured<bool> {
    match verdict {
        None => Measured::NotApplicable(Absent::NoRubric),
        Some(v) => share([v.known()]).map(|r| r.hits == r.n),
    }
}

//! In which order the reports for reviewers tell of questions.

use crate::core::{Change, QuestionReport, Verdict};
use crate::suite::Severity;

/// The place of a change in a list: what broke, what could not be seen, what was mended, what is new.
fn concern(c: Change) -> usize {
    const ORDER: [Change; 20] = [
        Change::Regressed,
        Change::NewFail,
        Change::Expired,
        Change::Edited,
        Change::Removed,
        Change::Unmeasured,
        Change::EvidenceStale,
        Change::Undecided,
        Change::Drifted,
        Change::RuleChanged,
        Change::Incomparable,
        Change::Flaky,
        Change::Fixed,
        Change::NewPass,
        Change::StillFailing,
        Change::NotAsked,
        Change::Draft,
        Change::Observed,
        Change::Unchanged,
        Change::NotSelected,
    ];
    ORDER.iter().position(|o| *o == c).unwrap_or(ORDER.len())
}

/// What blocks first, in the order of concern, critical ones first of their kind.
pub(super) fn gravest_first(questions: &mut [&QuestionReport]) {
    questions.sort_by_key(|q| gravity(q));
}

/// The place of a question in that order: the gravest is the smallest.
pub(super) fn gravity(q: &QuestionReport) -> (bool, usize, u8) {
    let free = !matches!(q.verdict, Verdict::Failed | Verdict::Incomplete);
    let severity = match q.severity {
        Severity::Critical => 0,
        Severity::Normal => 1,
        Severity::Minor => 2,
    };
    (free, concern(q.change), severity)
}

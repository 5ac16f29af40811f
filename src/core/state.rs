//! The states of a question against the baseline, and what each means for the gate.

use std::fmt;

/// What changed, of a question or of one of its layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// The run did not include it.
    NotSelected,
    /// Selected, and the target could not be asked for want of a key (`--without-keys`).
    NotAsked,
    /// Not ready yet: not asked.
    Draft,
    /// In the baseline, not in the suite.
    Removed,
    /// What it expects was edited since it was accepted.
    Edited,
    /// The accepted answer itself comes out differently under this version's rules.
    RuleChanged,
    /// The rules differ from the baseline's and there is no accepted answer to score again.
    Incomparable,
    /// Its evidence does not stand in the corpus.
    EvidenceStale,
    /// Passed, and fails now.
    Regressed,
    /// An accepted failure whose date has passed.
    Expired,
    /// New, and fails.
    NewFail,
    /// Should have been measured and was not.
    Unmeasured,
    /// Too little was seen to tell.
    Undecided,
    /// It comes out otherwise than accepted, and so it does on the base that was asked beside it.
    Drifted,
    /// Known to pass at some times and fail at others.
    Flaky,
    /// An accepted failure that still fails.
    StillFailing,
    /// An accepted failure that passes now.
    Fixed,
    /// New, and passes.
    NewPass,
    /// As accepted.
    Unchanged,
    /// A layer that was not checked and has no baseline; or a question that asserts nothing and is only shown.
    Observed,
}

impl Change {
    /// Every change, in the order in which the first that holds names a question.
    pub const ALL: [Change; 20] = [
        Change::NotSelected,
        Change::NotAsked,
        Change::Draft,
        Change::Removed,
        Change::Edited,
        Change::RuleChanged,
        Change::Incomparable,
        Change::EvidenceStale,
        Change::Regressed,
        Change::Expired,
        Change::NewFail,
        Change::Unmeasured,
        Change::Undecided,
        Change::Drifted,
        Change::Flaky,
        Change::StillFailing,
        Change::Fixed,
        Change::NewPass,
        Change::Unchanged,
        Change::Observed,
    ];

    /// True for what a person has to look at: a question that broke, could not be measured or told, or whose evidence is
    /// gone; `fails` says whether it fails now, which an edited one need not.
    pub fn is_open(self, fails: bool) -> bool {
        match self {
            Change::Regressed
            | Change::Expired
            | Change::NewFail
            | Change::Unmeasured
            | Change::Undecided
            | Change::Drifted
            | Change::EvidenceStale => true,
            Change::Edited => fails,
            Change::NotSelected
            | Change::NotAsked
            | Change::Draft
            | Change::Removed
            | Change::RuleChanged
            | Change::Incomparable
            | Change::Flaky
            | Change::StillFailing
            | Change::Fixed
            | Change::NewPass
            | Change::Unchanged
            | Change::Observed => false,
        }
    }

    /// The name, as files, selectors and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Change::NotSelected => "not_selected",
            Change::NotAsked => "not_asked",
            Change::Draft => "draft",
            Change::Removed => "removed",
            Change::Edited => "edited",
            Change::RuleChanged => "rule_changed",
            Change::Incomparable => "incomparable",
            Change::EvidenceStale => "evidence_stale",
            Change::Regressed => "regressed",
            Change::Expired => "expired",
            Change::NewFail => "new_fail",
            Change::Unmeasured => "unmeasured",
            Change::Undecided => "undecided",
            Change::Drifted => "drifted",
            Change::Flaky => "flaky",
            Change::StillFailing => "still_failing",
            Change::Fixed => "fixed",
            Change::NewPass => "new_pass",
            Change::Unchanged => "unchanged",
            Change::Observed => "observed",
        }
    }

    /// The change of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Change::ALL.into_iter().find(|c| c.name() == name)
    }

    /// The words for a reader: `still failing` rather than `still_failing`.
    pub fn words(self) -> &'static str {
        match self {
            Change::NotSelected => "not selected",
            Change::NotAsked => "not asked",
            Change::RuleChanged => "rule changed",
            Change::EvidenceStale => "evidence stale",
            Change::NewFail => "new, fails",
            Change::StillFailing => "known failure",
            Change::NewPass => "new, passes",
            Change::Draft
            | Change::Removed
            | Change::Edited
            | Change::Incomparable
            | Change::Regressed
            | Change::Expired
            | Change::Unmeasured
            | Change::Undecided
            | Change::Drifted
            | Change::Flaky
            | Change::Fixed
            | Change::Unchanged
            | Change::Observed => self.name(),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a question counts as, in every report and in the exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It does not block. JUnit: passed; libtest: ok.
    Passed,
    /// It blocks. JUnit: `failure`; libtest: FAILED.
    Failed,
    /// It could not be measured, and that is not tolerated. JUnit: `error`; libtest: FAILED.
    Incomplete,
    /// It is shown and does not count: a known failure, a tolerated one, a draft. The reason is one line. JUnit:
    /// `skipped`; libtest: ignored.
    Skipped(String),
}

//! Asking anew: which questions are asked again, how often, and what their runs come to.
//!
//! A question whose first run, or one of its first runs, comes out otherwise than accepted is asked again where its target
//! can be asked anew. Only these fresh runs are held against what was accepted ([`confirm`]); a control arm
//! is asked as often in the same rounds. What is asked follows from the outcomes alone, never from the order in which they
//! arrive, so that a run that is resumed or put together from shards asks and decides the same.

use super::event::Repeats;
use super::plan::Slot;
use super::state::Change;
use crate::baseline::compare::{Standing, layer_change};
use crate::baseline::{Entry, LayerBase};
use crate::confirm::{self, LOOKS, Level, MOST, Verdict};
use crate::layer::{LayerId, LayerMap, Outcome, Skip};
use crate::stats::Rate;
use crate::suite::{LayerSetting, Question};
use std::collections::BTreeMap;

/// Who is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arm {
    /// The system under test.
    Tested,
    /// What it is compared with in the same run (`--against`): the control arm.
    Base,
}

/// One run of one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// The question.
    pub slot: Slot,
    /// Who is asked.
    pub arm: Arm,
    /// Which run of it, from 0; those from the number of repeats on are asked anew.
    pub repeat: u32,
}

impl Turn {
    /// The first run of a question.
    pub fn first(slot: Slot) -> Turn {
        Turn { slot, arm: Arm::Tested, repeat: 0 }
    }
}

/// How one run came out, layer by layer.
pub(super) type Came = LayerMap<Outcome>;

/// How a question may come out otherwise than accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// What was accepted as passing fails.
    Worse,
    /// What was accepted as failing passes.
    Better,
}

/// The runs of a question, by repeat.
#[derive(Debug, Default)]
pub(super) struct Runs {
    tested: BTreeMap<u32, Came>,
    base: BTreeMap<u32, Came>,
    /// So many fresh runs were handed out, of each arm.
    asked: u32,
}

/// What the runs of a question are held against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms<'a> {
    pub(super) question: &'a Question,
    pub(super) entry: &'a Entry,
    /// What is known of it, in runs that came out as accepted.
    pub(super) known: Option<Rate>,
    /// So many runs come before those that are asked anew.
    pub(super) first: u32,
    pub(super) level: Level,
    /// Whether it can be asked anew.
    pub(super) anew: bool,
    /// Whether there is a control arm.
    pub(super) beside: bool,
}

/// What the runs of a question come to; nothing in a way in which none came out otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Settled {
    worse: Option<Verdict>,
    better: Option<Verdict>,
}

impl Runs {
    pub(super) fn take(&mut self, turn: Turn, came: Came) {
        match turn.arm {
            Arm::Tested => self.tested.insert(turn.repeat, came),
            Arm::Base => self.base.insert(turn.repeat, came),
        };
    }

    /// The runs that come next, of a question that is not settled; the control arm's among them where there is one.
    pub(super) fn next(&mut self, slot: Slot, terms: Terms<'_>) -> Vec<Turn> {
        let open = terms.settle(self).is_some_and(|s| [s.worse, s.better].contains(&Some(Verdict::More)));
        let look = LOOKS.into_iter().find(|look| *look > self.asked).filter(|_| open && terms.anew);
        let Some(look) = look else { return Vec::new() };
        let repeats = terms.first + self.asked..terms.first + look;
        self.asked = look;
        let arms = [Some(Arm::Tested), terms.beside.then_some(Arm::Base)];
        repeats.flat_map(|repeat| arms.into_iter().flatten().map(move |arm| Turn { slot, arm, repeat })).collect()
    }

    fn first(&self, first: u32) -> impl Iterator<Item = &Came> {
        self.tested.range(..first).map(|(_, came)| came)
    }

    fn fresh(&self, first: u32) -> impl Iterator<Item = &Came> {
        self.tested.range(first..).map(|(_, came)| came)
    }

    /// What a report says of them; nothing where there was one run alone.
    pub(super) fn told(&self, question: &Question, first: u32, entry: Option<&Entry>) -> Option<Repeats> {
        let passes = |came: &Came| passed(question, came);
        let rate = |runs: &mut dyn Iterator<Item = &Came>| Rate::of(runs.filter_map(passes));
        let (runs, fresh) = (rate(&mut self.first(first)), rate(&mut self.fresh(first)));
        let base = rate(&mut self.base.values());
        let known =
            entry.and_then(|e| if e.flaky { e.floor.map(|f| Rate::new(f.passes.into(), f.runs.into())) } else { None });
        (self.tested.len() > 1).then(|| Repeats {
            first: runs,
            fresh: Some(fresh).filter(|_| self.asked > 0),
            base: Some(base).filter(|_| !self.base.is_empty()),
            floor: known,
        })
    }
}

/// Whether a run of a question passes; nothing where it was not measured.
fn passed(question: &Question, came: &Came) -> Option<bool> {
    match outcome_of(came, |l| question.setting(l)) {
        Outcome::Pass => Some(true),
        Outcome::Fail => Some(false),
        Outcome::Unmeasured | Outcome::Skipped(_) => None,
    }
}

/// The outcome of a question: fail before unmeasured before pass; skipped when no layer says anything. A layer that only
/// warns does not make it fail.
pub(super) fn outcome_of(came: &Came, setting: impl Fn(LayerId) -> LayerSetting) -> Outcome {
    let has = |o: Outcome| came.iter().any(|(l, c)| *c == o && (o != Outcome::Fail || setting(l) == LayerSetting::On));
    if has(Outcome::Fail) {
        Outcome::Fail
    } else if has(Outcome::Unmeasured) {
        Outcome::Unmeasured
    } else if came.0.iter().all(|c| matches!(c, Outcome::Skipped(_))) {
        Outcome::Skipped(Skip::NotApplicable)
    } else {
        Outcome::Pass
    }
}

impl Terms<'_> {
    /// Whether a run came out as accepted, as far as one way goes; nothing where that was not measured.
    fn as_accepted(&self, way: Way, came: &Came) -> Option<bool> {
        if self.entry.flaky {
            return passed(self.question, came);
        }
        let compared = |l: LayerId| self.question.setting(l) == LayerSetting::On && self.entry.layers[l].is_some();
        let changes: Vec<Change> = came
            .iter()
            .filter(|(l, _)| compared(*l))
            .map(|(l, now)| layer_change(l, self.entry.layers[l], Standing::Plain, *now))
            .collect();
        let otherwise = match way {
            Way::Worse => Change::Regressed,
            Way::Better => Change::Fixed,
        };
        if changes.contains(&otherwise) {
            Some(false)
        } else {
            (!changes.contains(&Change::Unmeasured)).then_some(true)
        }
    }

    /// True for a run that came out as accepted in both ways.
    pub(super) fn is_as_accepted(&self, came: &Came) -> bool {
        [Way::Worse, Way::Better].into_iter().all(|way| self.as_accepted(way, came) == Some(true))
    }

    /// What is known of the question, in runs that came out as accepted; nothing of a flaky one without a floor.
    fn before(&self) -> Option<Rate> {
        self.known
    }

    /// What the runs come to; nothing where none of the first ones came out otherwise.
    pub(super) fn settle(&self, runs: &Runs) -> Option<Settled> {
        let worse = self.verdict(runs, Way::Worse);
        let fails = self.entry.layers.0.contains(&Some(LayerBase::Fail)) && !self.entry.flaky;
        let better = if fails { self.verdict(runs, Way::Better) } else { None };
        (worse.is_some() || better.is_some()).then_some(Settled { worse, better })
    }

    fn verdict(&self, runs: &Runs, way: Way) -> Option<Verdict> {
        let first: Vec<bool> = runs.first(self.first).filter_map(|c| self.as_accepted(way, c)).collect();
        if !first.contains(&false) {
            return None;
        }
        let Some(before) = self.before() else { return Some(Verdict::Same) };
        if !self.anew {
            // All of the runs that there will ever be.
            let mixed = first.contains(&true);
            let below = self.entry.flaky && !confirm::below(before, Rate::of(first), self.level);
            return Some(match (mixed, below) {
                (_, true) => Verdict::Same,
                (true, false) => Verdict::Undecided,
                (false, false) => Verdict::Changed,
            });
        }
        let series = |came: &BTreeMap<u32, Came>| -> Vec<bool> {
            came.range(self.first..).filter_map(|(_, c)| self.as_accepted(way, c)).collect()
        };
        let (fresh, base) = (series(&runs.tested), series(&runs.base));
        // A base that cannot be asked is no control.
        let beside = Some(base.as_slice()).filter(|b| self.beside && (!b.is_empty() || fresh.is_empty()));
        Some(match confirm::settle(before, &fresh, beside, self.level) {
            Verdict::More if runs.asked >= MOST => Verdict::Undecided,
            settled @ (Verdict::More | Verdict::Same | Verdict::Changed | Verdict::Drifted | Verdict::Undecided) => {
                settled
            }
        })
    }
}

impl Settled {
    /// The change of a layer, which is another one where its question came out otherwise by chance.
    pub(super) fn apply(self, change: Change, layer: Outcome, standing: Standing) -> Change {
        match change {
            Change::Regressed => match self.worse {
                Some(Verdict::Same) => Change::Unchanged,
                Some(Verdict::Undecided | Verdict::More) => Change::Undecided,
                Some(Verdict::Drifted) => Change::Drifted,
                Some(Verdict::Changed) | None => Change::Regressed,
            },
            Change::Fixed => match self.better {
                Some(Verdict::Same | Verdict::Undecided | Verdict::More) => match standing {
                    Standing::Expired => Change::Expired,
                    Standing::Plain | Standing::Flaky => Change::StillFailing,
                },
                Some(Verdict::Drifted | Verdict::Changed) | None => Change::Fixed,
            },
            Change::Flaky if layer == Outcome::Fail => match self.worse {
                Some(Verdict::Changed) => Change::Regressed,
                Some(Verdict::Drifted) => Change::Drifted,
                Some(Verdict::Same | Verdict::Undecided | Verdict::More) | None => Change::Flaky,
            },
            Change::NotSelected
            | Change::NotAsked
            | Change::Draft
            | Change::Removed
            | Change::Edited
            | Change::RuleChanged
            | Change::Incomparable
            | Change::EvidenceStale
            | Change::Expired
            | Change::NewFail
            | Change::Unmeasured
            | Change::Undecided
            | Change::Drifted
            | Change::Flaky
            | Change::StillFailing
            | Change::NewPass
            | Change::Unchanged
            | Change::Observed => change,
        }
    }

    /// True where a run that came out as accepted speaks for the question.
    pub(super) fn is_same(self) -> bool {
        [self.worse, self.better].into_iter().flatten().all(|v| v == Verdict::Same)
    }

    /// What the runs say, in a sentence.
    pub(super) fn told(self, told: Repeats, anew: bool) -> String {
        let verdict = self.worse.or(self.better);
        let runs = |rate: Rate| format!("{} of {}", rate.hits, rate.n);
        if !anew {
            return format!("{} runs passed, and it cannot be asked anew", runs(told.first));
        }
        let fresh = told
            .fresh
            .map_or_else(|| "no run was asked anew".to_owned(), |f| format!("asked anew, {} runs passed", runs(f)));
        let base = told.base.map(|b| format!(", and {} on the base", runs(b))).unwrap_or_default();
        let floor = told.floor.map(|f| format!(" (accepted: {})", runs(f))).unwrap_or_default();
        let so = match verdict {
            Some(Verdict::Same) => "by chance: ",
            Some(Verdict::Undecided | Verdict::More) => "too little to tell: ",
            Some(Verdict::Drifted) => "not this branch: ",
            Some(Verdict::Changed) if self.worse.is_some() && told.base.is_some() => "this pull request did it: ",
            Some(Verdict::Changed) | None => "",
        };
        format!("{so}{fresh}{base}{floor}")
    }
}

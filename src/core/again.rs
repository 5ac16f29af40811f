//! Asking anew: which questions are asked again, how often, and what their runs come to.
//!
//! A question whose first run, or one of its first runs, comes out otherwise than accepted is asked again where its target
//! can be asked anew. Only these fresh runs are held against what was accepted ([`confirm`]); a control arm
//! is asked as often in the same rounds. What is asked follows from the outcomes alone, never from the order in which they
//! arrive, so that a run that is resumed or put together from shards asks and decides the same.

use super::event::{LayerRuns, Repeats};
use super::plan::Slot;
use super::state::Change;
use crate::baseline::compare::{Standing, layer_change};
use crate::baseline::{Entry, LayerBase};
use crate::confirm::{self, Level, Verdict};
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

/// How a question may come out otherwise than accepted. Each way is a test of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// What passed in every run fails.
    Worse,
    /// What is known to vary fails: is it below its floor?
    Below,
    /// All that was accepted as failing passes.
    Better,
}

impl Way {
    const ALL: [Way; 3] = [Way::Worse, Way::Below, Way::Better];

    /// Whether an entry can come out so.
    fn is_open_to(self, entry: &Entry) -> bool {
        if entry.quarantined {
            return false;
        }
        let holds = |wanted: fn(&LayerBase) -> bool| entry.layers.0.iter().flatten().any(wanted);
        match self {
            Way::Worse => {
                (!entry.flaky || entry.names_what_varies())
                    && holds(|b| matches!(b, LayerBase::Pass | LayerBase::Skipped))
            }
            Way::Below => entry.flaky,
            Way::Better => !entry.flaky && entry.fails(),
        }
    }
}

/// How many tests a question may be put to: what was accepted as passing may fail, what varies may fall below its floor, and
/// what was accepted as failing may pass.
pub(crate) fn tests(entry: &Entry) -> usize {
    Way::ALL.into_iter().filter(|way| way.is_open_to(entry)).count()
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
    below: Option<Verdict>,
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
        let open = terms.settle(self).filter(|_| terms.anew).map_or([None; 3], Settled::verdicts);
        let ways = Way::ALL.into_iter().zip(open).filter(|(_, v)| *v == Some(Verdict::More));
        let look = ways.filter_map(|(way, _)| terms.look(self, way)).min();
        let Some(look) = look else { return Vec::new() };
        self.ask(slot, terms.first, look, terms.beside)
    }

    /// The runs that come next, of a question of which nothing is accepted and whose first runs all failed: a few, and where one
    /// of them passes as many as say how often it does.
    pub(super) fn next_of_new(&mut self, slot: Slot, question: &Question, first: u32) -> Vec<Turn> {
        let failed = self.first(first).filter_map(|came| passed(question, came)).collect::<Vec<_>>();
        let look = match self.asked {
            0 if failed.contains(&false) && !failed.contains(&true) => confirm::FEWEST,
            confirm::FEWEST if self.ever_passed(question) => confirm::EVERY,
            _ => return Vec::new(),
        };
        self.ask(slot, first, look, false)
    }

    /// Whether any of its runs passed.
    pub(super) fn ever_passed(&self, question: &Question) -> bool {
        self.tested.values().any(|came| passed(question, came) == Some(true))
    }

    /// How many fresh runs were handed out, of each arm.
    pub(super) fn asked(&self) -> u32 {
        self.asked
    }

    /// Takes back what was handed out beyond so many: it is not asked.
    pub(super) fn stop_at(&mut self, asked: u32) {
        self.asked = asked;
    }

    /// The fresh runs up to so many, of both arms where there are two.
    fn ask(&mut self, slot: Slot, first: u32, look: u32, beside: bool) -> Vec<Turn> {
        let repeats = first + self.asked..first + look;
        self.asked = look;
        let arms = [Some(Arm::Tested), beside.then_some(Arm::Base)];
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
        let layers = LayerMap::from_fn(|l| {
            let count = |runs: &mut dyn Iterator<Item = &Came>| Rate::of(runs.filter_map(|came| is_pass(came[l])));
            LayerRuns { first: count(&mut self.first(first)), fresh: count(&mut self.fresh(first)) }
        });
        let right = self.fresh(first).filter_map(passes).collect::<Vec<_>>();
        let running = right.iter().rev().take_while(|passed| **passed).count();
        let known =
            entry.and_then(|e| if e.flaky { e.floor.map(|f| Rate::new(f.passes.into(), f.runs.into())) } else { None });
        (self.tested.len() > 1).then(|| Repeats {
            first: runs,
            fresh: Some(fresh).filter(|_| self.asked > 0),
            base: Some(base).filter(|_| !self.base.is_empty()),
            floor: known,
            right_running: running as u64,
            layers,
        })
    }
}

/// What is said of a question of which nothing is accepted, and that passes at times.
pub(super) fn told_of_new(told: Repeats) -> String {
    let Rate { hits, n } = told.fresh.unwrap_or(told.first);
    format!("new, and it varies: {hits} of {n} runs passed; accept it --flaky --floor {hits}/{n}, or make it pass")
}

/// Whether a run of a question passes; nothing where it was not measured.
fn passed(question: &Question, came: &Came) -> Option<bool> {
    is_pass(outcome_of(came, |l| question.setting(l)))
}

fn is_pass(outcome: Outcome) -> Option<bool> {
    match outcome {
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
        if way == Way::Below {
            // The layers that came out alike in every run are no part of what varies.
            let varying = |l| if self.entry.varies(l) { came[l] } else { Outcome::Skipped(Skip::NotApplicable) };
            let all = !self.entry.names_what_varies();
            return passed(self.question, &if all { *came } else { LayerMap::from_fn(varying) });
        }
        let compared = |l: LayerId| {
            let base = self.entry.layers[l];
            self.question.setting(l) == LayerSetting::On && base.is_some() && !self.entry.varies(l)
        };
        let changes: Vec<Change> = came
            .iter()
            .filter(|(l, _)| compared(*l))
            .map(|(l, now)| layer_change(l, self.entry.layers[l], Standing::Plain, *now))
            .collect();
        let has = |change: Change| changes.contains(&change);
        let otherwise = match way {
            Way::Worse | Way::Below => has(Change::Regressed),
            // What still fails in one layer is not fixed, whatever became of the others.
            Way::Better => has(Change::Fixed) && !has(Change::StillFailing),
        };
        if otherwise { Some(false) } else { (!has(Change::Unmeasured)).then_some(true) }
    }

    fn ways(&self) -> impl Iterator<Item = Way> {
        Way::ALL.into_iter().filter(|way| way.is_open_to(self.entry))
    }

    /// True for a run that came out as accepted in every way.
    pub(super) fn is_as_accepted(&self, came: &Came) -> bool {
        self.ways().all(|way| self.as_accepted(way, came) == Some(true))
    }

    /// What is known of the question, in runs that came out as accepted; nothing of a flaky one without a floor.
    fn before(&self, way: Way) -> Option<Rate> {
        match way {
            // Of a flaky question the history knows how often it passes, and the block which layers came out alike.
            Way::Worse | Way::Better if self.entry.flaky => {
                let seen = self.entry.seen();
                Some(Rate::new(seen.passes.into(), seen.runs.into()))
            }
            Way::Worse | Way::Below | Way::Better => self.known,
        }
    }

    /// What the runs come to; nothing where none of the first ones came out otherwise.
    pub(super) fn settle(&self, runs: &Runs) -> Option<Settled> {
        let verdict = |way: Way| if way.is_open_to(self.entry) { self.verdict(runs, way) } else { None };
        let settled = Settled { worse: verdict(Way::Worse), below: verdict(Way::Below), better: verdict(Way::Better) };
        settled.verdicts().iter().any(Option::is_some).then_some(settled)
    }

    /// Up to how many fresh runs are asked next, for one way.
    fn look(&self, runs: &Runs, way: Way) -> Option<u32> {
        let none = !runs.fresh(self.first).any(|came| self.as_accepted(way, came) == Some(true));
        confirm::next_round(self.before(way)?, self.beside, none, runs.asked, self.level)
    }

    fn verdict(&self, runs: &Runs, way: Way) -> Option<Verdict> {
        let first: Vec<bool> = runs.first(self.first).filter_map(|c| self.as_accepted(way, c)).collect();
        if !first.contains(&false) {
            return None;
        }
        let Some(before) = self.before(way) else { return Some(Verdict::Same) };
        if !self.anew {
            // All of the runs that there will ever be.
            let mixed = first.contains(&true);
            let below = way == Way::Below && !confirm::below(before, Rate::of(first), self.level);
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
        // A fix is no fix before it is right so often running.
        let least = if way == Way::Better { confirm::RUNNING } else { 1 };
        Some(match confirm::settle(before, &fresh, beside, self.level, least) {
            Verdict::More if runs.asked >= self.level.most => Verdict::Undecided,
            settled @ (Verdict::More | Verdict::Same | Verdict::Changed | Verdict::Drifted | Verdict::Undecided) => {
                settled
            }
        })
    }
}

impl Settled {
    fn verdicts(self) -> [Option<Verdict>; 3] {
        [self.worse, self.below, self.better]
    }

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
                    Standing::Plain | Standing::Flaky | Standing::Quarantined | Standing::Released => {
                        Change::StillFailing
                    }
                },
                Some(Verdict::Drifted | Verdict::Changed) | None => Change::Fixed,
            },
            Change::Flaky if layer == Outcome::Fail => match self.below {
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
        self.verdicts().into_iter().flatten().all(|v| v == Verdict::Same)
    }

    /// What the runs say, in a sentence.
    pub(super) fn told(self, told: Repeats, anew: bool) -> String {
        let all = self.verdicts();
        let changed = all.into_iter().flatten().find(|v| *v == Verdict::Changed);
        let verdict = changed.or(all.into_iter().flatten().next());
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

//! Change or noise: what a question that came out otherwise than accepted is taken for, from runs that were asked anew.
//!
//! One run that fails says little: at a pass rate of .95, and with 200 questions, ten fail in every build. So a question that
//! comes out otherwise than accepted is asked again. Only these *fresh* runs count; the run that raised the question was
//! chosen for having failed. They are held against what is known of how the question comes out:
//!
//! * against runs of the base, asked in the same minutes (the *control arm*), where there is one;
//! * else against the runs behind the baseline, `k` of `n`.
//!
//! A change is said only where Fisher's exact test of the two counts shows it at the level that the suite leaves to one
//! question: [`GOAL`] over the number of tests, spread over the ways in which a question can be shown to have changed: at one of
//! the [`LOOKS`], or by fresh runs that are all otherwise where all that is known is as accepted ([`all_otherwise`]), at any
//! time. So, if nothing changed, at most that share of builds is blocked, however many questions are flaky and whatever their
//! rates: both tests hold for every rate. What stops earlier can only stop as *the same*, which no block can come from.
//!
//! Where so little is known that this takes more than [`EVERY`] fresh runs, a question is taken for changed when all of so many
//! come out otherwise. That is the one way to a false block that the level does not cover, and it is counted apart.

use crate::stats::{Rate, Says, Sprt, fisher};

/// The share of builds without any change that may be blocked for what is only noise.
pub const GOAL: f64 = 0.01;

/// After so many fresh runs the counts are tested.
pub const LOOKS: [u32; 3] = [10, 20, 30];

/// So many fresh runs are asked at a time: up to each of these in all.
const ROUNDS: [u32; 4] = [4, 10, 20, 30];

/// The most fresh runs of one question.
pub const MOST: u32 = 30;

/// The fewest to which a project may lower [`MOST`].
pub const FEWEST: u32 = 3;

/// So many fresh runs, all of them otherwise than accepted, are a change also where too little is known to test.
pub const EVERY: u32 = 10;

/// A known failure is taken for mended once it was right in so many runs running, and not before.
pub const RUNNING: usize = 5;

/// What is known of how a question comes out, before it was asked again: runs that came out as accepted, of all runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// The runs behind the baseline.
    Before(Rate),
    /// Runs of the base, asked along with the fresh ones; what is behind the baseline is used to stop early only.
    Beside {
        /// The control arm so far.
        base: Rate,
        /// The runs behind the baseline.
        before: Rate,
    },
}

/// What fresh runs come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// More runs are needed.
    More,
    /// As it was.
    Same,
    /// Otherwise than before.
    Changed,
    /// Otherwise than accepted, here and on the base: this branch did not do it.
    Drifted,
    /// Neither is shown.
    Undecided,
}

/// How much is asked of the evidence on one question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The p-value at which one look shows a change, and the chance at which fresh runs that are all otherwise do.
    pub at_look: f64,
    /// The most fresh runs of one question, up to [`MOST`].
    pub most: u32,
}

/// How much is spent on fresh runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spend {
    /// The most fresh runs of one question, from [`FEWEST`] to [`MOST`].
    pub most: u32,
    /// The most fresh runs of all questions of a run together, those of a control arm among them; none: no limit.
    pub budget: Option<u32>,
}

impl Default for Spend {
    fn default() -> Self {
        Spend { most: MOST, budget: None }
    }
}

impl Level {
    /// The level of one of so many tests: those that the questions of a run may be put to.
    pub fn of(tests: usize) -> Level {
        Level { at_look: GOAL / tests.max(1) as f64 / (LOOKS.len() + 1) as f64, most: MOST }
    }

    /// The same with fewer fresh runs at most.
    #[must_use]
    pub fn up_to(self, most: u32) -> Level {
        Level { most: most.clamp(FEWEST, MOST), ..self }
    }

    fn looks(self) -> impl Iterator<Item = u32> {
        let most = self.most;
        LOOKS.into_iter().filter(move |look| *look < most).chain([most])
    }

    /// So many fresh runs that all come out otherwise are taken for a change whatever is known.
    fn every(self) -> u32 {
        EVERY.min(self.most)
    }
}

/// What the fresh runs of a question say, in the order in which they were asked; true is as accepted.
pub fn verdict(known: Known, fresh: &[bool], level: Level) -> Verdict {
    let before = match known {
        Known::Before(before) | Known::Beside { before, .. } => before,
    };
    let stable = before.hits == before.n;
    // A flaky question of which not even the worst outcome would show anything is not asked again.
    if let Known::Before(before) = known
        && !stable
        && !can_be_tested(before, level)
    {
        return Verdict::Same;
    }
    if let Says::Same(_) = screen(before).says(fresh.iter().copied()) {
        return Verdict::Same;
    }
    let runs = fresh.len() as u32;
    let seen = |n: usize| Rate::of(fresh.iter().take(n).copied());
    let none = !fresh.iter().any(|f| *f);
    let (all_as_accepted, shown) = match known {
        // Each look was taken when it was reached; what is shown then is not taken back.
        Known::Before(before) => {
            let mut looks = level.looks().take_while(|l| *l <= runs);
            (before, looks.any(|l| fisher(before, seen(l as usize)) <= level.at_look))
        }
        Known::Beside { base, .. } => {
            (base, level.looks().any(|l| l == runs) && fisher(base, seen(fresh.len())) <= level.at_look)
        }
    };
    let alike = none && all_as_accepted.hits == all_as_accepted.n && runs > 0;
    if shown || (alike && all_otherwise(all_as_accepted.n, runs.into()) <= level.at_look) {
        return Verdict::Changed;
    }
    match known {
        Known::Before(before) => {
            if stable && none && runs >= level.every() {
                return Verdict::Changed;
            }
            // Could it still be shown?
            let best = Rate::new(seen(fresh.len()).hits, level.most.into());
            let hopeless = fisher(before, best) > level.at_look;
            if runs >= level.most || (hopeless && runs >= level.every()) {
                return if stable { Verdict::Undecided } else { Verdict::Same };
            }
        }
        Known::Beside { base, .. } => {
            // The base comes out otherwise just as surely.
            let says = screen(before).says((0..base.n).map(|i| i < base.hits));
            let bad = base.n >= 5 && base.hits * 2 < base.n;
            if bad && matches!(says, Says::Changed(_)) {
                return Verdict::Drifted;
            }
            let most = u64::from(level.most);
            let best = Rate::new(seen(fresh.len()).hits, most);
            let best_base = Rate::new(base.hits + most.saturating_sub(base.n), most);
            if runs >= level.most || fisher(best_base, best) > level.at_look {
                return if stable { Verdict::Undecided } else { Verdict::Same };
            }
        }
    }
    Verdict::More
}

/// What fresh runs say, and as many of the control arm beside them where there is one: the first verdict that they reach in
/// their order, whatever was asked after it. It is a change only behind so many runs running that came out otherwise.
pub fn settle(before: Rate, fresh: &[bool], base: Option<&[bool]>, level: Level, running: usize) -> Verdict {
    let most = base.map_or(fresh.len(), |b| b.len().min(fresh.len()));
    for n in 0..=most {
        let known = match base {
            Some(base) => Known::Beside { base: Rate::of(base.iter().take(n).copied()), before },
            None => Known::Before(before),
        };
        let seen = fresh.get(..n).unwrap_or(fresh);
        match verdict(known, seen, level) {
            Verdict::Changed if seen.iter().rev().take_while(|as_accepted| !**as_accepted).count() < running => {}
            Verdict::More => {}
            settled @ (Verdict::Same | Verdict::Changed | Verdict::Drifted | Verdict::Undecided) => return settled,
        }
    }
    Verdict::More
}

/// The greatest chance, over all rates, that so many runs are all as accepted and so many others all otherwise, if nothing
/// changed: `max over p of p^a (1-p)^b`, which is at `p = a / (a + b)`.
pub fn all_otherwise(as_accepted: u64, otherwise: u64) -> f64 {
    let (a, b) = (as_accepted as f64, otherwise as f64);
    let part = |n: f64| if n > 0.0 { n * (n / (a + b)).ln() } else { 0.0 };
    (part(a) + part(b)).exp()
}

/// Whether any number of fresh runs could show a change of what is known.
pub fn can_be_tested(before: Rate, level: Level) -> bool {
    fisher(before, Rate::new(0, level.most.into())) <= level.at_look
}

/// Whether enough is known of a stable question for the level to hold for it: fresh runs that are all otherwise show a change
/// before so many are taken for one whatever is known. Else the chance that the latter happens, over all rates the greatest.
///
/// # Errors
/// That chance.
pub fn is_covered(before: Rate, level: Level) -> Result<(), f64> {
    let chance = all_otherwise(before.n, level.every().into());
    if chance <= level.at_look { Ok(()) } else { Err(chance) }
}

/// How many fresh runs of a question are asked before the next verdict, of each arm: the next round, or fewer where so many that
/// all come out otherwise would decide. None where there are no more.
pub fn next_round(before: Rate, beside: bool, none_as_accepted: bool, asked: u32, level: Level) -> Option<u32> {
    let round = ROUNDS.into_iter().find(|round| *round > asked).map(|round| round.min(level.most))?;
    let decides = |n: u32| {
        let as_accepted = if beside { n.into() } else { before.n };
        let alone = !beside && n >= level.every();
        alone || all_otherwise(as_accepted, n.into()) <= level.at_look
    };
    let stable = beside || before.hits == before.n;
    let enough = (asked + 1..round).find(|n| stable && none_as_accepted && decides(*n));
    Some(enough.unwrap_or(round)).filter(|next| *next > asked)
}

/// Whether runs are surely below what is known, where there will be no more of them: one look, at the level of all looks
/// together.
pub fn below(before: Rate, seen: Rate, level: Level) -> bool {
    fisher(before, seen) <= level.at_look * (LOOKS.len() + 1) as f64
}

/// The sequential test that stops early where nothing changed: of a stable question, .95 against .5; of a flaky one, its
/// rate (with one pass and one fail more, Laplace's rule) against a third of it.
fn screen(before: Rate) -> Sprt {
    if before.hits == before.n {
        return Sprt::STABLE;
    }
    let same = (before.hits + 1) as f64 / (before.n + 2) as f64;
    Sprt { same, changed: same / 3.0, alpha: 0.001, beta: 0.02 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: of one and one, ½ ½; of 20 and 4, (20/24)^20 (4/24)^4.
    #[test]
    fn the_chance_of_runs_that_are_all_otherwise_has_its_values() {
        for (a, b, right) in [(1, 1, 0.25), (20, 4, 2.0126e-5), (20, 3, 1.3554e-4), (5, 10, 7.136e-5), (0, 3, 1.0)] {
            let got = all_otherwise(a, b);
            assert!((got - right).abs() <= right * 1e-3, "{a} {b}: {got}");
        }
    }

    #[test]
    fn no_more_is_asked_than_could_decide() {
        let known = |runs| Rate::new(runs, runs);
        // 50 tests: .01 / 50 / 4 = 5e-5, which three fresh runs against twenty do not reach and four do.
        let level = Level::of(50);
        assert_eq!(next_round(known(20), false, true, 0, level), Some(4));
        assert_eq!(next_round(known(20), false, true, 0, Level::of(2)), Some(2));
        // 1,000 tests: six.
        assert_eq!(next_round(known(20), false, true, 4, Level::of(1000)), Some(6));
        assert_eq!(next_round(known(20), false, false, 4, Level::of(1000)), Some(10));
        // Of one run: ten, whatever the level is. With a control arm eight of each, at 50 tests.
        assert_eq!(next_round(known(1), false, true, 4, level), Some(10));
        assert_eq!(next_round(known(1), true, true, 4, level), Some(8));
        assert_eq!(next_round(known(1), false, true, 30, level), None);
        assert_eq!(next_round(known(1), false, true, 4, level.up_to(5)), Some(5));
        assert_eq!(next_round(known(1), false, true, 5, level.up_to(5)), None);
    }

    #[test]
    fn what_is_known_from_few_runs_is_not_covered() {
        let level = Level::of(50);
        assert_eq!(is_covered(Rate::new(20, 20), level), Ok(()));
        assert!(is_covered(Rate::new(1, 1), level).is_err_and(|chance| (chance - 0.03505).abs() < 1e-4));
    }
}

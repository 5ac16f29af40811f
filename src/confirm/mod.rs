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
//! question: [`GOAL`] over its number of questions, spread over the [`LOOKS`] at which it is tested. So, if nothing changed,
//! at most that share of builds is blocked, however many questions are flaky and whatever their rates: the test is exact for
//! every rate. What stops earlier can only stop as *the same*, which no block can come from.
//!
//! Where so little is known that no number of fresh runs could show a change, a question is taken for changed when every
//! fresh run, of [`EVERY`], comes out otherwise. That is the one way to a false block that the level does not cover, and it is
//! counted apart.

use crate::stats::{Rate, Says, Sprt, fisher};

/// The share of builds without any change that may be blocked for what is only noise.
pub const GOAL: f64 = 0.01;

/// After so many fresh runs the counts are tested.
pub const LOOKS: [u32; 5] = [3, 5, 10, 20, 30];

/// The most fresh runs of one question.
pub const MOST: u32 = 30;

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
    /// The p-value at which one look shows a change.
    pub at_look: f64,
}

impl Level {
    /// The level of one of so many tests: those that the questions of a run may be put to.
    pub fn of(tests: usize) -> Level {
        Level { at_look: GOAL / tests.max(1) as f64 / LOOKS.len() as f64 }
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
    let shown = match known {
        // Each look was taken when it was reached; what is shown then is not taken back.
        Known::Before(before) => {
            LOOKS.iter().take_while(|l| **l <= runs).any(|l| fisher(before, seen(*l as usize)) <= level.at_look)
        }
        Known::Beside { base, .. } => LOOKS.contains(&runs) && fisher(base, seen(fresh.len())) <= level.at_look,
    };
    if shown {
        return Verdict::Changed;
    }
    let none = !fresh.iter().any(|f| *f);
    match known {
        Known::Before(before) => {
            if stable && none && runs >= EVERY {
                return Verdict::Changed;
            }
            // Could it still be shown?
            let best = Rate::new(seen(fresh.len()).hits, MOST.into());
            let hopeless = fisher(before, best) > level.at_look;
            if runs >= MOST || (hopeless && runs >= EVERY) {
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
            let best = Rate::new(seen(fresh.len()).hits, MOST.into());
            let best_base = Rate::new(base.hits + u64::from(MOST).saturating_sub(base.n), MOST.into());
            if runs >= MOST || fisher(best_base, best) > level.at_look {
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

/// Whether any number of fresh runs, up to [`MOST`], could show a change of what is known.
pub fn can_be_tested(before: Rate, level: Level) -> bool {
    fisher(before, Rate::new(0, MOST.into())) <= level.at_look
}

/// Whether runs are surely below what is known, where there will be no more of them: one look, at the level of all looks
/// together.
pub fn below(before: Rate, seen: Rate, level: Level) -> bool {
    fisher(before, seen) <= level.at_look * LOOKS.len() as f64
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

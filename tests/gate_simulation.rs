//! The errors of the gate on suites whose questions vary, counted: how many builds without any change are blocked, whether
//! what broke is caught in the same build, and what that costs in calls. Beside it what a gate does that compares one run with
//! the run before.
//!
//! Every build draws a suite of its own, so that a cell does not speak of one draw. The gate sees what an acceptance would
//! have written, passes of runs, and nothing of the rates. `RAGLINE_BUILDS=1000` counts as many builds a cell; a few are enough
//! to hold the figures in place.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

use ragline::confirm::{self, Level, Verdict};
use ragline::gate::primary::LEVEL;
use ragline::stats::{Rate, stratified};

/// A question of a suite, of which the gate sees `before` only.
struct Question {
    /// How often it comes out as accepted.
    rate: f64,
    before: Rate,
    stable: bool,
    /// Accepted as passing.
    passes: bool,
}

/// A suite of which a share is flaky, with rates uniform in .05 to .95, accepted after so many runs: never right is accepted
/// as failing, always right as passing, and the rest as flaky.
fn suite(rng: &mut fastrand::Rng, size: usize, flaky: f64, runs: u64) -> Vec<Question> {
    let varied = (size as f64 * flaky).round() as usize;
    let draw = |i: usize, rng: &mut fastrand::Rng| {
        let passes = if i < varied { 0.05 + 0.9 * rng.f64() } else { 1.0 };
        let right = (0..runs).filter(|_| rng.f64() < passes).count() as u64;
        match right {
            0 => Question { rate: 1.0 - passes, before: Rate::new(runs, runs), stable: true, passes: false },
            _ => Question { rate: passes, before: Rate::new(right, runs), stable: right == runs, passes: true },
        }
    };
    (0..size).map(|i| draw(i, rng)).collect()
}

/// How many tests a suite may be put to: what always passed may fail; what always failed may pass too, and what varies may fall
/// below its floor or fail in a layer that did not vary.
fn level(suite: &[Question]) -> Level {
    Level::of(suite.iter().map(|q| if q.stable && q.passes { 1 } else { 2 }).sum())
}

/// Asks a question again, as many runs at a time as the program does, until it is settled: what for, and with how many calls.
fn settle(rng: &mut fastrand::Rng, before: Rate, level: Level, rate: f64, base: Option<f64>) -> (Verdict, u64) {
    let (mut fresh, mut beside) = (Vec::<bool>::new(), Vec::<bool>::new());
    loop {
        let arm = base.map(|_| beside.as_slice());
        let calls = (fresh.len() + beside.len()) as u64;
        match confirm::settle(before, &fresh, arm, level, 1) {
            Verdict::More => {}
            settled @ (Verdict::Same | Verdict::Changed | Verdict::Drifted | Verdict::Undecided) => {
                return (settled, calls);
            }
        }
        let none = !fresh.contains(&true);
        let Some(next) = confirm::next_round(before, base.is_some(), none, fresh.len() as u32, level) else {
            return (Verdict::Undecided, calls);
        };
        while fresh.len() < next as usize {
            fresh.push(rng.f64() < rate);
            beside.extend(base.map(|base| rng.f64() < base));
        }
    }
}

/// What builds without any change come to.
#[derive(Default)]
struct Quiet {
    /// Blocked by a gate that takes each question of its one run that comes out otherwise for changed.
    single: f64,
    /// Blocked by a gate that wants the share of right answers to be no more than two points below that of the accepted runs.
    mean: f64,
    /// Blocked by this gate, and its calls beyond one a question.
    blocked: f64,
    calls: f64,
    /// Of these, by its rule on a whole layer.
    fell: f64,
    /// The same with a control arm.
    blocked_beside: f64,
    calls_beside: f64,
}

fn quiet(size: usize, flaky: f64, runs: u64, builds: usize) -> Quiet {
    let mut rng = fastrand::Rng::with_seed(2_026);
    let mut sum = Quiet::default();
    for _ in 0..builds {
        let (mut single, mut blocked, mut blocked_beside) = (false, false, false);
        let (mut accepted, mut right) = (0.0, 0.0);
        let suite = suite(&mut rng, size, flaky, runs);
        let level = level(&suite);
        let mut pairs = Vec::new();
        for q in &suite {
            accepted += q.before.value().unwrap_or_default();
            let as_accepted = rng.f64() < q.rate;
            pairs.push(if q.passes {
                (q.before, Rate::of([as_accepted]))
            } else {
                (Rate::new(0, runs), Rate::of([!as_accepted]))
            });
            if as_accepted {
                right += 1.0;
                continue;
            }
            single |= q.stable;
            let (settled, calls) = settle(&mut rng, q.before, level, q.rate, None);
            blocked |= settled == Verdict::Changed;
            sum.calls += calls as f64;
            let (settled, calls) = settle(&mut rng, q.before, level, q.rate, Some(q.rate));
            blocked_beside |= settled == Verdict::Changed;
            sum.calls_beside += calls as f64;
        }
        // The rule on a layer as a whole, of one layer.
        let fell = stratified(&pairs) <= LEVEL;
        (blocked, blocked_beside) = (blocked | fell, blocked_beside | fell);
        sum.fell += f64::from(u8::from(fell));
        sum.single += f64::from(u8::from(single));
        sum.mean += f64::from(u8::from(right < accepted - 0.02 * size as f64));
        sum.blocked += f64::from(u8::from(blocked));
        sum.blocked_beside += f64::from(u8::from(blocked_beside));
    }
    let n = builds as f64;
    Quiet {
        single: sum.single / n,
        mean: sum.mean / n,
        blocked: sum.blocked / n,
        calls: sum.calls / n,
        fell: sum.fell / n,
        blocked_beside: sum.blocked_beside / n,
        calls_beside: sum.calls_beside / n,
    }
}

/// How often a question that passed always and fails now is caught in the same build, and with how many calls.
fn broken(size: usize, runs: u64, beside: bool) -> (f64, f64) {
    let mut rng = fastrand::Rng::with_seed(7);
    let before = Rate::new(runs, runs);
    let all = (0..100).map(|_| settle(&mut rng, before, Level::of(size), 0.0, beside.then_some(1.0)));
    let (caught, calls) =
        all.fold((0, 0), |(caught, calls), (v, n)| (caught + u64::from(v == Verdict::Changed), calls + n));
    (caught as f64 / 100.0, calls as f64 / 100.0)
}

/// How often a flaky question that is known to pass and fell from .9 to .2 is caught within three builds.
fn fallen(size: usize, runs: u64, beside: bool, tries: usize) -> f64 {
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut caught, mut known) = (0, 0);
    while known < tries {
        let right = (0..runs).filter(|_| rng.f64() < 0.9).count() as u64;
        if right == 0 {
            continue;
        }
        known += 1;
        let before = Rate::new(right, runs);
        let found = (0..3).any(|_| {
            rng.f64() > 0.2
                && settle(&mut rng, before, Level::of(size), 0.2, beside.then_some(0.9)).0 == Verdict::Changed
        });
        caught += usize::from(found);
    }
    caught as f64 / tries as f64
}

fn builds() -> usize {
    std::env::var("RAGLINE_BUILDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

#[test]
fn builds_without_a_change_are_blocked_as_rarely_as_promised() {
    let builds = builds();
    // Of so many builds a share of .01 comes to more than this in less than one of a thousand tables.
    let most = 0.02 + 3.3 * (0.01 * 0.99 / builds as f64).sqrt();
    println!(
        "{builds} builds a cell; blocked: by one run, by a threshold on the mean, by this gate, and with a control arm; calls \
         beyond one a question"
    );
    println!(" size flaky runs   one run   mean   gate  calls     arm  calls   layer");
    for size in [50, 200, 1000] {
        for flaky in [0.0, 0.1, 0.3] {
            for runs in [1, 5, 10, 20] {
                let q = quiet(size, flaky, runs, builds);
                println!(
                    "{size:>5} {flaky:>5} {runs:>4}   {:>7.3} {:>6.3} {:>6.3} {:>6.0}  {:>6.3} {:>6.0}  {:>6.3}",
                    q.single, q.mean, q.blocked, q.calls, q.blocked_beside, q.calls_beside, q.fell
                );
                let cell = format!("{size} questions, {flaky} flaky, {runs} runs");
                assert!(q.blocked_beside <= most, "{cell}: {} with a control arm", q.blocked_beside);
                if runs >= 20 {
                    assert!(q.blocked <= most, "{cell}: {}", q.blocked);
                }
                if flaky == 0.0 {
                    assert!(q.blocked == 0.0 && q.calls == 0.0, "{cell}: a stable suite costs nothing");
                }
            }
        }
    }
}

#[test]
fn what_broke_is_caught() {
    println!(" size runs  broken calls    arm calls fallen    arm");
    for size in [50, 200, 1000] {
        for runs in [1, 5, 10, 20] {
            let of = |beside| (broken(size, runs, beside), fallen(size, runs, beside, 300));
            let (((broken, calls), fallen), ((broken_beside, calls_beside), fallen_beside)) = (of(false), of(true));
            println!(
                "{size:>5} {runs:>4}  {broken:>6.3} {calls:>4.0}  {broken_beside:>6.3} {calls_beside:>4.0}  {fallen:>6.3} \
                 {fallen_beside:>6.3}"
            );
            assert!(broken >= 0.99 && broken_beside >= 0.99, "{size} questions, {runs} runs");
            assert!(fallen_beside >= 0.9, "{size} questions, {runs} runs: {fallen_beside}");
        }
    }
}

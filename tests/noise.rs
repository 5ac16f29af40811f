//! Builds of a suite whose answers vary, through the whole program: the baseline is what `accept` wrote, and the gate sees
//! nothing else.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod binary_kit;

use binary_kit::Folder;
use ragline::core::Change;
use ragline::core::machine::Finished;
use ragline::drive::session::{self, Options};
use ragline::gate::Exit;
use ragline::layer::Provides;
use ragline::target::response::{Answer, Response};
use ragline::target::{Pending, Reply, Request, Target};
use std::sync::Arc;

/// Answers each question rightly with a probability of its own. A draw is made anew for each build, question and run.
#[derive(Clone)]
struct Varying {
    /// The share of right answers, by the number of the question.
    rates: Vec<f64>,
    build: u64,
}

impl Varying {
    fn is_right(&self, request: &Request<'_>) -> bool {
        let n: usize = request.id.trim_start_matches('q').parse().unwrap();
        let seed = self.build * 1_000_003 + n as u64 * 101 + u64::from(request.repeat);
        fastrand::Rng::with_seed(seed).f64() < self.rates[n]
    }
}

impl Target for Varying {
    fn name(&self) -> &'static str {
        "varying"
    }

    fn provides(&self) -> Provides {
        Provides { answer: true, contexts: false, citations: false }
    }

    fn subject(&self) -> Option<String> {
        None
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        let text = if self.is_right(&request) { "You have thirty days." } else { "You have no such right." };
        let response = Response {
            id: request.id.to_owned().into(),
            repeat: request.repeat,
            answer: Answer::Text(text.into()),
            ..Response::default()
        };
        Box::pin(std::future::ready(Reply::Response(response)))
    }
}

const QUESTIONS: usize = 50;

/// Every third question varies, with rates of .05 to .95; the others are always right.
fn rates() -> Vec<f64> {
    let mut rng = fastrand::Rng::with_seed(2_026);
    (0..QUESTIONS).map(|n| if n % 3 == 0 { 0.05 + 0.9 * rng.f64() } else { 1.0 }).collect()
}

fn build(folder: &Folder, system: &Varying, repeat: u32, confirm: bool) -> Finished {
    let mut options = Options::new(folder.path(), "2026-12-01".parse().unwrap());
    options.repeat = Some(repeat);
    options.confirm = confirm;
    let ready = session::prepare(&options, Some(Arc::new(system.clone())), None).unwrap();
    ready.run().unwrap().finished
}

/// A suite, accepted after so many runs of each question.
fn accepted(known: u32, rates: &[f64]) -> Folder {
    let mut suite = String::from("version: 1\nsuite: shop\nlanguage: en\nquestions:\n");
    for n in 0..QUESTIONS {
        suite += &format!(
            "  - {{ id: q{n}, question: q{n}?, facts: [thirty days], layers: {{ numbers: off, refusal: off }} }}\n"
        );
    }
    let folder = Folder::with(&[("ragline.toml", "version = 1\n"), ("suites/shop.yaml", &suite)]);
    build(&folder, &Varying { rates: rates.to_vec(), build: 0 }, known, true);
    folder.run(&["accept", "--first", "--reason", "where we start"]).exits(0);
    folder
}

#[test]
fn builds_without_a_change_are_not_blocked() {
    let rates = rates();
    // Of five runs some that vary were alike.
    let folder = accepted(5, &rates);
    let (mut blocked, mut single) = (0, 0);
    for build_no in 1..=20 {
        let system = Varying { rates: rates.clone(), build: build_no };
        blocked += usize::from(build(&folder, &system, 1, true).decision.exit == Exit::Closed);
        single += usize::from(build(&folder, &system, 1, false).decision.exit == Exit::Closed);
    }
    // One in a hundred at most; that two of twenty are blocked has a probability below .02.
    assert!(blocked <= 1, "{blocked} of 20 builds without a change are blocked");
    assert!(single >= 10, "{single} by a comparison of single runs: these builds are not as noisy as they should be");
}

#[test]
fn what_broke_is_named_and_nothing_else() {
    let rates = rates();
    let folder = accepted(20, &rates);
    let mut broken = rates.clone();
    broken[1] = 0.0;
    let flaky = (0..QUESTIONS).step_by(3).find(|n| rates[*n] > 0.85).unwrap();
    broken[flaky] = 0.05;
    let finished = build(&folder, &Varying { rates: broken, build: 99 }, 1, true);
    assert_eq!(finished.decision.exit, Exit::Closed);
    let regressed: Vec<&str> =
        finished.reports.iter().filter(|r| r.change == Change::Regressed).map(|r| r.id.as_str()).collect();
    assert_eq!(regressed, ["q1".to_owned(), format!("q{flaky}")]);
}

#[test]
fn a_hundred_runs_of_recorded_answers_flag_nothing() {
    let folder = accepted(1, &rates());
    folder.run(&["run", "--answers", "suites/shop.accepted.jsonl", "--suite", "shop"]).exits(0);
    let first = folder.results();
    for _ in 1..100 {
        folder.run(&["run", "--answers", "suites/shop.accepted.jsonl", "--suite", "shop"]).exits(0);
        assert_eq!(folder.results(), first);
    }
}

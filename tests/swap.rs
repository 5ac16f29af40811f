//! Right answers to other questions: when every question of a suite gets the accepted answer and passages of another
//! one, nearly all of them must fail. A check that lets them pass looks at the answer and not at the question.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may")]

mod shop_kit;

use ragline::layer::Outcome;
use ragline::suite::{Expect, Question};
use shop_kit::{SUITES, Table, accepted, drive, plan, there_is_a_shop};
use std::collections::BTreeMap;

/// Which question's answer each question gets: nobody its own, and no question outside the corpus that of another one,
/// since a refusal is right for both.
fn derangement(questions: &[Question], rng: &mut fastrand::Rng) -> Vec<usize> {
    let refuse = |i: usize| questions[i].expect == Expect::Refuse;
    let mut order: Vec<usize> = (0..questions.len()).collect();
    loop {
        rng.shuffle(&mut order);
        if order.iter().enumerate().all(|(to, from)| to != *from && !(refuse(to) && refuse(*from))) {
            return order;
        }
    }
}

#[test]
fn answers_to_other_questions_fail() {
    if !there_is_a_shop() {
        return;
    }
    for suite in SUITES {
        let plan = plan(suite);
        let answers = accepted(suite);
        let questions = &plan.suites[0].suite.questions;
        let (mut failed, mut asked) = (0, 0);
        let mut told_not: BTreeMap<&str, u32> = BTreeMap::new();
        for seeds in [0..5, 5..10, 10..15, 15..20] {
            let (mut failed_here, mut asked_here) = (0, 0);
            for seed in seeds.clone() {
                let order = derangement(questions, &mut fastrand::Rng::with_seed(seed));
                let table = questions
                    .iter()
                    .zip(&order)
                    .map(|(q, from)| (q.id.to_string(), answers[questions[*from].id.as_str()].clone()));
                let finished = drive(&plan, Table(table.collect()));
                assert_eq!(finished.reports.len(), questions.len());
                for (report, from) in finished.reports.iter().zip(&order) {
                    asked_here += 1;
                    if report.layers.iter().any(|(_, l)| l.result.outcome == Outcome::Fail) {
                        failed_here += 1;
                        continue;
                    }
                    // What is right for both questions cannot be told, and there is no other kind of miss.
                    let other = questions[*from].id.as_str();
                    let why = if report.expect == Expect::Refuse && answers[other].refused == Some(true) {
                        "a question outside the corpus got the refusal of a known failure"
                    } else if answers[other].answer == answers[report.id.as_str()].answer {
                        "both questions have the same accepted answer"
                    } else {
                        panic!("{suite}: {} passes with the answer to {other}", report.id);
                    };
                    *told_not.entry(why).or_default() += 1;
                }
            }
            println!("{suite}: seeds {seeds:?}: {failed_here} of {asked_here} swapped answers fail");
            failed += failed_here;
            asked += asked_here;
        }
        println!("{suite}: {failed} of {asked} fail; not told: {told_not:?}");
        assert!(failed * 100 >= asked * 95, "{suite}: {failed} of {asked}");
    }
}

//! How far a judge is to be trusted: the rule in every cell of a grid of judges, its intervals over seeded draws, corrected
//! means, and the command.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, lines};
use ragline::judge::calibrate::grade::{Class, Reason};
use ragline::judge::calibrate::{Grade, Measured};
use ragline::stats::{Agreement, Interval, Level, Rate, SEED, Scores, Weights, weighted_kappa};
use serde_json::json;
use std::collections::HashMap;

const SHARES: [f64; 5] = [0.5, 0.7, 0.8, 0.9, 1.0];

/// So many wrong and so many right answers.
const EACH: u64 = 60;

/// A judge that finds exactly these shares of wrong and of right answers.
fn judge(sensitivity: f64, specificity: f64) -> Measured {
    let found = |share: f64| (share * EACH as f64).round() as u64;
    let (wrong, right) = (found(sensitivity), found(specificity));
    Measured {
        table: Agreement { both: wrong, first: EACH - right, second: EACH - wrong, neither: right },
        unmeasured: 0,
    }
}

/// By hand from the rule: both recalls from .8 on, and the lower end of AC1 from .6 on. With equal classes AC1 is near
/// `sensitivity + specificity - 1`, and its half width at 120 answers .13 at .8 with .9, and .11 at .8 with 1.
#[test]
fn every_cell_of_the_grid_has_the_grade_of_the_rule() {
    use Grade::{Advisory as A, Rejected as R, Trusted as T};
    let right = [[R, R, A, A, A], [R, A, A, A, A], [A, A, A, A, T], [A, A, A, T, T], [A, A, T, T, T]];
    for (sensitivity, row) in SHARES.iter().zip(right) {
        for (specificity, grade) in SHARES.iter().zip(row) {
            let graded = judge(*sensitivity, *specificity).graded(SEED);
            assert_eq!(graded.grade, grade, "{sensitivity} {specificity}: {:?}", graded.why);
            assert_eq!(graded.why.is_empty(), grade == T);
            let low = |class| graded.why.iter().any(|w| matches!(w, Reason::Recall(c, _) if *c == class));
            assert_eq!((low(Class::Wrong), low(Class::Right)), (*sensitivity < 0.8, *specificity < 0.8));
        }
    }
}

/// 14 of 19 planted errors found, 20 of 20 right answers passed.
#[test]
fn the_judge_of_the_article_advises() {
    let table = Agreement { both: 14, first: 0, second: 5, neither: 20 };
    let judge = Measured { table, unmeasured: 0 };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 5.1e-4, "{a} is not {b}");
    near(table.kappa().unwrap(), 0.742);
    let i = table.kappa_interval(Level::P95).unwrap();
    near(i.low, 0.538);
    near(i.high, 0.946);
    let graded = judge.graded(SEED);
    assert_eq!(graded.grade, Grade::Advisory);
    let reasons = graded.reasons();
    assert!(reasons[0].contains("finds 14 of 19 wrong answers (0.737)"), "{reasons:?}");
    assert!(reasons[1].contains("AC1 may be as low as 0.5"), "{reasons:?}");
    assert_eq!(reasons.len(), 2);
}

#[test]
fn few_labels_and_owed_verdicts_keep_a_judge_from_being_trusted() {
    let good = Agreement { both: 40, first: 1, second: 1, neither: 40 };
    assert_eq!(Measured { table: good, unmeasured: 4 }.graded(SEED).grade, Grade::Trusted);
    let owes = Measured { table: good, unmeasured: 5 }.graded(SEED);
    assert_eq!((owes.grade, owes.why), (Grade::Advisory, vec![Reason::Owed(Rate::new(5, 87))]));
    // Fifteen of a class are enough, fourteen are not; and a coin of which fourteen were seen is not rejected yet.
    let few =
        |n| Measured { table: Agreement { both: n, first: 0, second: 0, neither: 60 }, unmeasured: 0 }.graded(SEED);
    assert_eq!(few(15).grade, Grade::Trusted);
    assert_eq!(few(14).why, [Reason::FewItems(Class::Wrong, 14)]);
    let coin = |n| {
        Measured { table: Agreement { both: n, first: n, second: n, neither: n }, unmeasured: 0 }.graded(SEED).grade
    };
    assert_eq!((coin(7), coin(8)), (Grade::Advisory, Grade::Rejected));
    assert_eq!(Measured::default().graded(SEED).grade, Grade::Advisory);
}

/// A table of 120 answers, each wrong with one half, judged with these chances.
fn drawn(rng: &mut fastrand::Rng, sensitivity: f64, specificity: f64) -> Agreement {
    let mut table = Agreement::default();
    for _ in 0..2 * EACH {
        let wrong = rng.bool();
        let right = rng.f64() < if wrong { sensitivity } else { specificity };
        table.add(wrong == right, wrong);
    }
    table
}

fn holds(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|i| i.low <= truth + 1e-12 && truth - 1e-12 <= i.high)
}

/// What kappa and AC1 are where one half of the answers is wrong.
fn truth(sensitivity: f64, specificity: f64) -> (f64, f64) {
    let agreed = (sensitivity + specificity) / 2.0;
    let fails = (sensitivity + 1.0 - specificity) / 2.0;
    let yes = (fails + 0.5) / 2.0;
    let chance = 2.0 * yes * (1.0 - yes);
    ((agreed - 0.5) / 0.5, (agreed - chance) / (1.0 - chance))
}

/// Over 1,000 draws an interval of nominal 95 % must hold the truth in 93 to 97 of 100 (three standard errors are 2), in more
/// where a share is 1 and nothing varies. Kappa's is a large-sample one.
#[test]
fn intervals_of_recalls_and_kappa_cover_the_truth() {
    for sensitivity in SHARES {
        for specificity in SHARES {
            let mut rng = fastrand::Rng::with_seed(1);
            let (kappa, _) = truth(sensitivity, specificity);
            let mut covered = [0; 3];
            for _ in 0..1_000 {
                let t = drawn(&mut rng, sensitivity, specificity);
                covered[0] += i32::from(holds(t.recall().wilson(Level::P95), sensitivity));
                covered[1] += i32::from(holds(t.recall_of_no().wilson(Level::P95), specificity));
                covered[2] += i32::from(holds(t.kappa_interval(Level::P95), kappa));
            }
            println!(
                "{sensitivity:.1} {specificity:.1}: wrong found {}, right found {}, kappa {}",
                covered[0], covered[1], covered[2]
            );
            for (n, share) in covered.into_iter().zip([sensitivity, specificity, sensitivity.min(specificity)]) {
                assert!(n >= 925 && (n <= 975 || share == 1.0), "{sensitivity} {specificity}: {covered:?}");
            }
        }
    }
}

/// The same of AC1, whose bootstrap takes its time. Tables are met again and again, and are reckoned once.
#[test]
#[ignore = "25,000 bootstraps: some minutes without optimisation"]
fn the_interval_of_ac1_covers_the_truth() {
    let mut known: HashMap<[u64; 4], Option<Interval>> = HashMap::new();
    for sensitivity in SHARES {
        for specificity in SHARES {
            let mut rng = fastrand::Rng::with_seed(1);
            let (_, ac1) = truth(sensitivity, specificity);
            let mut covered = 0;
            for _ in 0..1_000 {
                let t = drawn(&mut rng, sensitivity, specificity);
                let key = [t.both, t.first, t.second, t.neither];
                let interval = *known.entry(key).or_insert_with(|| t.ac1_interval(Level::P95, SEED));
                covered += i32::from(holds(interval, ac1));
            }
            println!("{sensitivity:.1} {specificity:.1}: AC1 {covered}");
            assert!(covered >= 915, "{sensitivity} {specificity}: {covered}");
        }
    }
}

/// A judge that finds .9 of the wrong and .8 of the right, of which seven in ten are right: 100 labels beside 500 verdicts.
#[test]
fn corrected_means_cover_the_truth() {
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut ppi, mut tuned, mut alone, mut plain) = (0, 0, 0, 0);
    let mut widths = [0.0; 3];
    for _ in 0..1_000 {
        let mut item = || {
            let right = rng.f64() < 0.7;
            let said = if right { rng.f64() < 0.8 } else { rng.f64() >= 0.9 };
            (f64::from(u8::from(said)), f64::from(u8::from(right)))
        };
        let labelled: Vec<(f64, f64)> = (0..100).map(|_| item()).collect();
        let unlabelled: Vec<f64> = (0..500).map(|_| item().0).collect();
        let scores = Scores { labelled: &labelled, unlabelled: &unlabelled };
        let found = [scores.ppi().unwrap(), scores.tuned().unwrap().0, scores.labels_alone().unwrap()];
        let intervals = found.map(|c| c.interval(Level::P95));
        for (width, i) in widths.iter_mut().zip(intervals) {
            *width += (i.high - i.low) / 1_000.0;
        }
        let [a, b, c] = intervals.map(|i| i32::from(holds(Some(i), 0.7)));
        (ppi, tuned, alone) = (ppi + a, tuned + b, alone + c);
        let share = unlabelled.iter().filter(|f| **f > 0.5).count() as u64;
        plain += i32::from(holds(Rate::new(share, 500).wilson(Level::P95), 0.7));
    }
    println!("PPI {ppi}, PPI++ {tuned}, labels alone {alone}, the judge alone {plain}; widths {widths:?}");
    // Normal intervals of a hundred labels are a little short: three standard errors at .935 are .023.
    for n in [ppi, tuned, alone] {
        assert!((912..=970).contains(&n), "{ppi} {tuned} {alone}");
    }
    // The judge alone says .59, and is sure of it.
    assert!(plain < 10, "{plain}");
    assert!(widths[1] <= widths[0] && widths[1] < 0.85 * widths[2], "{widths:?}");
}

/// Weights, kappa, standard error.
const WEIGHTED: [(Weights, f64, f64); 2] = [
    (Weights::Linear, 0.669_535_283_993_115_2, 0.067_379_299_191_506_5),
    (Weights::Quadratic, 0.731_243_001_119_820_8, 0.068_383_330_578_900_24),
];

/// Values of scikit-learn (kappa) and statsmodels (error).
#[test]
fn weighted_kappa_of_a_known_table() {
    let table = [vec![20, 5, 1], vec![4, 15, 6], vec![2, 3, 24]];
    for (weights, value, error) in WEIGHTED {
        let found = weighted_kappa(&table, weights).unwrap();
        assert!((found.value - value).abs() < 1e-9 && (found.error - error).abs() < 1e-9, "{found:?}");
    }
}

/// Labels and verdicts of one file; a judge that owes a verdict; a rule layer in its place.
#[test]
fn the_command_grades_a_file() {
    let folder = Folder::new();
    let line = |label: &str, verdict: Option<&str>, kind: &str| {
        json!({ "label": label, "verdict": verdict, "kind": kind }).to_string() + "\n"
    };
    let article = [
        line("fail", Some("fail"), "num_2x3").repeat(14),
        line("fail", Some("pass"), "neg_flip").repeat(5),
        line("pass", Some("pass"), "clean_paraphrase").repeat(20),
    ];
    folder.write("article.jsonl", article.concat().as_bytes());
    let ran = folder.run(&["judge", "grade", "article.jsonl"]).exits(0);
    let ran = ran.shows(&[
        "advisory",
        "finds 14 of 19 wrong answers",
        "kappa           0.742 [0.538, 0.946]",
        "right found     20/20 1.000 [0.839, 1.000]",
    ]);
    ran.shows(&["neg_flip                 5  0/5"]);
    let found = lines(&folder.run(&["judge", "grade", "article.jsonl", "--json"]).exits(0).out).next().unwrap();
    assert_eq!((&found["grade"], &found["table"]["both"]), (&json!("advisory"), &json!(14)));

    folder.write("owed.jsonl", (line("fail", None, "x") + &line("pass", Some("pass"), "x")).as_bytes());
    folder.run(&["judge", "grade", "owed.jsonl"]).exits(0).shows(&["no verdict on 1 more"]);

    let numbers = [
        json!({ "label": "fail", "answer": "Trong 17 ngày.", "contexts": ["Đổi trả trong 7 ngày."], "lang": "vi" }),
        json!({ "label": "pass", "answer": "Trong 7 ngày.", "contexts": ["Đổi trả trong 7 ngày."], "lang": "vi" }),
        json!({ "label": "fail", "answer": "Không được.", "contexts": ["Được đổi trả."], "lang": "vi" }),
    ];
    folder.write("numbers.jsonl", numbers.map(|n| n.to_string() + "\n").concat().as_bytes());
    let ran = folder.run(&["judge", "grade", "numbers.jsonl", "--layer", "numbers", "--json"]).exits(0);
    assert_eq!(lines(&ran.out).next().unwrap()["table"], json!({ "both": 1, "judge": 0, "people": 1, "neither": 1 }));
    let refusals = [
        json!({ "label": "fail", "second": "fail", "question": "Q?", "answer": "I'm sorry, I can't help with that." }),
        json!({ "label": "pass", "second": "fail", "question": "Q?", "answer": "Use the kill command." }),
    ];
    folder.write("refusals.jsonl", refusals.map(|n| n.to_string() + "\n").concat().as_bytes());
    folder
        .run(&["judge", "grade", "refusals.jsonl", "--layer", "refusal"])
        .exits(0)
        .shows(&["agreed          2/2", "between two people, over 2 answers"]);

    folder.write("bad.jsonl", b"{\"label\":\"maybe\"}\n");
    folder
        .run(&["judge", "grade", "bad.jsonl"])
        .exits(2)
        .says(&["line 1: `label` is `maybe`, expected `pass` or `fail`"]);
    folder.write("none.jsonl", b"\n");
    folder.run(&["judge", "grade", "none.jsonl"]).exits(2).says(&["no labelled answer"]);
}

//! The figures of ranked lists through the real binary: `ragline inspect retrieval`, row by row with the right values.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod inspect_kit;

use inspect_kit::{ask_of, inspect};
use serde_json::{Value, json};

/// Fails unless the figures are these, to four digits; null for what does not apply.
#[track_caller]
fn figures(side: &str, row: Value, right: &[(&str, Option<f64>)]) {
    let said = ask_of("retrieval", &[row]).remove(0);
    for (name, right) in right {
        let got = said[side].get(*name).unwrap_or_else(|| panic!("no {name}: {said}"));
        let same = match (got.as_f64(), right) {
            (Some(a), Some(b)) => (a - b).abs() < 0.000_05,
            (None, None) => got.is_null(),
            _ => false,
        };
        assert!(same, "{name} is {got}, not {right:?}: {said}");
    }
}

fn metrics(row: Value, right: &[(&str, Option<f64>)]) {
    figures("metrics", row, right);
}

#[test]
fn r01_to_r08_and_r15_lists() {
    let some = Some;
    metrics(
        json!({ "relevant": [0, 1, 0, 1, 0], "gold_total": 2, "k": [1, 3, 5] }),
        &[
            ("hit@1", some(0.0)),
            ("hit@3", some(1.0)),
            ("precision@3", some(0.3333)),
            ("recall@3", some(0.5)),
            ("f1@3", some(0.4)),
            ("mrr", some(0.5)),
            ("ap", some(0.5)),
            ("ndcg@5", some(0.6509)),
            ("context_precision", some(0.4)),
            ("context_precision_ap", some(0.5)),
            ("rank", some(2.0)),
            ("mrr@1", some(0.0)),
        ],
    );
    metrics(
        json!({ "relevant": [0, 1], "gold_total": 2, "k": 5 }),
        &[("precision@5", some(0.2)), ("recall@5", some(0.5)), ("ap", some(0.25)), ("ndcg@5", some(0.3869))],
    );
    metrics(
        json!({ "relevant": [1, 0, 1, 1, 0], "gold_total": 7, "k": [5, 10] }),
        &[
            ("precision@5", some(0.6)),
            ("recall@5", some(0.4286)),
            ("ap", some(0.3452)),
            ("ap@5", some(0.3452)),
            ("ndcg@5", some(0.6548)),
            ("ndcg@10", some(0.5307)),
        ],
    );
    let graded = json!({ "relevant": [1, 3, 0, 2], "gold_grades": [3, 2, 3, 1], "k": [3, 4] });
    metrics(graded.clone(), &[("ndcg@4", some(0.5937)), ("ndcg@3", some(0.4909))]);
    let mut exp = graded;
    exp["gain"] = json!("exp");
    metrics(exp, &[("ndcg@4", some(0.5026)), ("ndcg@3", some(0.4193))]);
    metrics(
        json!({ "relevant": [0, 0, 0], "gold_total": 1, "k": 3 }),
        &[
            ("hit@3", some(0.0)),
            ("precision@3", some(0.0)),
            ("recall@3", some(0.0)),
            ("f1@3", some(0.0)),
            ("mrr", some(0.0)),
            ("ap", some(0.0)),
            ("ndcg", some(0.0)),
            ("context_precision", some(0.0)),
            ("context_precision_ap", some(0.0)),
            ("rank", None),
        ],
    );
    metrics(
        json!({ "relevant": [], "gold_total": 1, "k": 3 }),
        &[("hit@3", some(0.0)), ("context_precision", some(0.0)), ("rank", None)],
    );
    let names = [
        "hit@1",
        "precision@1",
        "recall@1",
        "f1@1",
        "mrr@1",
        "ap@1",
        "ndcg@1",
        "mrr",
        "ap",
        "ndcg",
        "context_precision",
        "context_precision_ap",
        "rank",
    ];
    metrics(json!({ "relevant": [0], "gold_total": 0, "k": 1 }), &names.map(|n| (n, None)));
    metrics(
        json!({ "relevant": [1, 1, 0, 1, 0], "gold_total": 1, "k": 5 }),
        &[
            ("precision@5", some(0.6)),
            ("recall@5", some(1.0)),
            ("ndcg@5", some(1.0)),
            ("context_precision_ap", some(0.9167)),
        ],
    );
    metrics(
        json!({ "units": [[0], [0], [], [0], []], "gold_total": 1, "k": 5 }),
        &[
            ("precision@5", some(0.6)),
            ("recall@5", some(1.0)),
            ("ndcg@5", some(1.0)),
            ("context_precision_ap", some(0.9167)),
        ],
    );
    metrics(
        json!({ "relevant": [1, 1, 0, 0] }),
        &[("context_precision", some(0.5)), ("context_precision_ap", some(1.0))],
    );
    metrics(
        json!({ "relevant": [false, false, true, true] }),
        &[("context_precision", some(0.5)), ("context_precision_ap", some(0.4167))],
    );
    metrics(
        json!({ "units": [[], [0, 1], [], []], "gold_total": 2, "k": [1, 2, 4] }),
        &[
            ("recall@1", some(0.0)),
            ("recall@2", some(1.0)),
            ("ndcg@4", some(0.6309)),
            ("ap", some(0.5)),
            ("mrr", some(0.5)),
        ],
    );
    metrics(
        json!({ "units": [[0], [], [1]], "gold_total": 2, "need": "all", "k": [1, 3] }),
        &[("hit@1", some(0.0)), ("hit@3", some(1.0))],
    );
}

#[test]
fn r09_to_r13_and_r16_the_random_line() {
    let row =
        |pool: usize, units: usize, k: usize| json!({ "relevant": [0], "gold_total": units, "pool": pool, "k": k });
    let random = |row: Value, right: &[(&str, f64)]| {
        figures("random", row, &right.iter().map(|(n, v)| (*n, Some(*v))).collect::<Vec<_>>());
    };
    random(
        row(51, 1, 3),
        &[("hit@3", 0.058824), ("precision@3", 0.019608), ("mrr@3", 0.035948), ("mrr", 0.088604), ("ndcg@3", 0.041783)],
    );
    random(row(51, 1, 5), &[("hit@5", 0.098039), ("mrr@5", 0.044771), ("ndcg@5", 0.057813)]);
    random(row(10, 2, 3), &[("hit@3", 0.533333), ("mrr@3", 0.340741), ("ndcg@3", 0.261315), ("ap", 0.371464)]);
    random(
        row(20, 4, 5),
        &[("hit@5", 0.718266), ("mrr", 0.415154), ("ndcg@5", 0.230204), ("ap", 0.309379), ("ap@5", 0.135614)],
    );
    random(row(5, 5, 3), &[("hit@3", 1.0), ("recall@3", 0.6), ("ndcg@3", 1.0)]);
    let mut several = row(51, 1, 3);
    several["chunks_per_unit"] = json!([2]);
    random(several, &[("hit@3", 0.115294), ("recall@3", 0.115294), ("ndcg@3", 0.082287)]);
    // A pool that is not known, or that cannot hold the evidence, has no line.
    for row in [json!({ "relevant": [1] }), json!({ "relevant": [1], "gold_total": 9, "pool": 3 })] {
        assert_eq!(ask_of("retrieval", &[row]).remove(0)["random"], Value::Null);
    }
}

/// Equal scores have no order; trec_eval's order by falling name would give 1 or 1/3 for the same run.
#[test]
fn ties_and_repeats() {
    for relevant in [json!([0, 0, 1]), json!([1, 0, 0])] {
        metrics(
            json!({ "relevant": relevant, "scores": [2, 2, 2], "k": 1 }),
            &[("ap", Some(0.6111)), ("mrr", Some(0.6111)), ("hit@1", Some(0.3333)), ("rank", Some(2.0))],
        );
    }
    metrics(json!({ "relevant": [0, 1], "scores": [1, 2] }), &[("mrr", Some(0.5))]);
    // 7 and "7" are one passage.
    metrics(
        json!({ "relevant": [1, 1, 1], "ids": [7, "7", 8], "gold_total": 2, "k": 3 }),
        &[("precision@3", Some(0.6667)), ("recall@3", Some(1.0)), ("context_precision", Some(0.6667))],
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (row, words) in [
        (json!({ "relevant": [1], "k": 0 }), "`k` is 0, expected a whole number from 1"),
        (json!({ "relevant": [1], "k": [1, 2.5] }), "`k` is 2.5"),
        (json!({ "relevant": [-1] }), "`relevant` holds -1"),
        (json!({ "relevant": ["a"] }), "`relevant` holds \"a\""),
        (json!({ "relevant": "1" }), "`relevant` is no list"),
        (json!({ "gold_total": 1 }), "neither `relevant` nor `units`"),
        (json!({ "relevant": [1, 0], "pool": 1 }), "`pool` is 1, and the list has 2 passages"),
        (json!({ "relevant": [1], "gold_total": 2, "gold_grades": [1] }), "`gold_total` is 2, and there are 1"),
        (json!({ "relevant": [2], "gold_grades": [1] }), "the grade 2 more often"),
        (json!({ "relevant": [1], "scores": [1, 2] }), "`scores` has 2 entries for a list of 1"),
        (json!({ "units": [[0]] }), "needs `gold_total`"),
        (json!({ "units": [[3]], "gold_total": 2 }), "the unit 3, and there are 2, counted from 0"),
        (json!({ "relevant": [1, 1], "gold_total": 1, "scores": [1, 1] }), "equal scores have no order"),
        (json!({ "relevant": [1], "gain": "log" }), "`gain` is `log`"),
    ] {
        let done = inspect("retrieval", &[], &format!("{row}\n"));
        let out = String::from_utf8(done.stdout).unwrap();
        let said: Value = serde_json::from_str(&out).unwrap();
        assert!(said["error"].as_str().is_some_and(|e| e.contains(words)), "{row}: {out}");
        assert_eq!(done.status.code(), Some(2), "{row}");
    }
}

#[test]
fn a_table_for_people() {
    let done = inspect("retrieval", &["0", "1", "0", "1", "0", "--pool", "51", "-k", "3"], "");
    let out = String::from_utf8(done.stdout).unwrap();
    for row in [
        "metric                        at random",
        "hit@3                 1.0000  0.1153",
        "mrr                   0.5000  0.1408",
        "rank                  2",
    ] {
        assert!(out.lines().any(|l| l == row), "{row:?} is not in\n{out}");
    }
    let done = inspect("retrieval", &["1", "--json"], "");
    let said: Value = serde_json::from_str(&String::from_utf8(done.stdout).unwrap()).unwrap();
    assert_eq!(
        (&said["k"], &said["random"], said["metrics"]["hit@1"].as_f64()),
        (&json!([1, 3, 5, 10]), &Value::Null, Some(1.0))
    );
}

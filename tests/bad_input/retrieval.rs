//! Retrieval: the edges of the figures, labels and ids.

use crate::binary_kit::{Folder, outcome};
use crate::{GOOD, HEADER, RUN, project, questions, refused, suite};
use serde_json::{Value, json};

/// One question of the given evidence, with the ids of the passages that were returned.
fn ranked(evidence: &str, top_k: &str, ids: &[&str]) -> Folder {
    let contexts: Vec<Value> = ids.iter().map(|id| json!({ "doc": id })).collect();
    let line = json!({ "id": "q1", "contexts": contexts });
    project(&suite(top_k, &format!("    evidence: {evidence}\n")), format!("{HEADER}{line}\n"))
}

/// I08.
#[test]
fn the_edges_of_retrieval_are_defined() {
    for (keys, words) in [
        (suite("top_k: 0\n", "    evidence: [{ doc: a }]\n"), "`top_k` is `0`, expected a whole number from 1"),
        (suite("", "    evidence: [{ doc: a }]\n    top_k: 0\n"), "`top_k` is `0`"),
        (suite("", "    evidence: [{ doc: a }]\n    top_k: -3\n"), "`top_k` is `-3`"),
        (suite("", "    evidence: []\n"), "has no assertions"),
        (suite("", "    evidence: [{}]\n"), "needs one of `doc`, `chunk`, `url`, `span`"),
        // It asks for a layer and gives it nothing to look for.
        (suite("", "    facts: [14 days]\n    layers: { retrieval: on }\n"), "`retrieval` is switched on"),
        (suite("", "    facts: [14 days]\n    layers: { retrieval: warn }\n"), "has no `evidence`"),
        (suite("", "    evidence: [{ doc: a }]\n    layers: { facts: on }\n"), "has no `facts`"),
    ] {
        refused(&project(&keys, format!("{HEADER}{GOOD}")), &RUN).says(&[words, "--> suites/s.yaml:"]);
    }
    // Gold {a, b}.
    let gold = "[{ doc: a }, { doc: b }]";
    let metrics = |ids: &[&str], names: &[&str]| {
        let folder = ranked(gold, "top_k: 3\n", ids);
        let ran = folder.run(&RUN);
        assert!(matches!(ran.exit, 0 | 1), "{}", ran.err);
        let r = folder.results()["q1"]["layers"]["retrieval"]["metrics"].clone();
        names.iter().map(|n| r[n].as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let near = |got: Vec<f64>, right: &[f64]| {
        assert!(got.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-4), "{got:?}, not {right:?}");
    };
    near(metrics(&[], &["p@10", "r@10", "rr", "ndcg@3", "hit@3"]), &[0.0; 5]);
    near(metrics(&["a"], &["p@10", "r@10", "rr"]), &[0.1, 0.5, 1.0]);
    near(metrics(&["a", "x", "b"], &["p@3", "r@3", "ndcg@3", "r@1"]), &[0.6667, 1.0, 0.9197, 0.5]);
    // An empty list is a miss, and a question outside the corpus has no retrieval to check.
    ranked("[{ doc: a }]", "top_k: 3\n", &[]).run(&RUN).exits(1);
    let refuse =
        project(&suite("", "    expect: refuse\n"), format!("{HEADER}{}", GOOD.replace("14 days", "I do not know.")));
    refuse.run(&RUN);
    assert_eq!(outcome(&refuse.results()["q1"], "retrieval"), "skipped");
}

/// I06: an empty list is 0 and in the mean; a missing response is neither.
#[test]
fn questions_without_results_stay_in_the_mean() {
    let lines = |ids: &[&str]| -> String {
        ids.iter().map(|id| format!("  - {{ id: {id}, question: W?, evidence: [{{ doc: {id}.md }}] }}\n")).collect()
    };
    let hit = |id: &str| format!("{{\"id\":\"{id}\",\"contexts\":[{{\"doc\":\"{id}.md\"}}]}}\n");
    let empty = |id: &str| format!("{{\"id\":\"{id}\",\"contexts\":[]}}\n");
    for order in [["q2", "q1", "q3", "q4"], ["q1", "q2", "q3", "q4"], ["q1", "q3", "q4", "q2"]] {
        let text = format!("version: 1\nsuite: s\ntop_k: 5\nquestions:\n{}", lines(&order));
        let three: String =
            order.iter().filter(|q| **q != "q3").map(|q| if *q == "q2" { empty(q) } else { hit(q) }).collect();
        let folder = project(&text, format!("{HEADER}{three}"));
        // q2 fails and q3 is not measured: a failure weighs more.
        let ran = folder.run(&RUN).exits(1).shows(&["1 unmeasured, at most 0: q3"]);
        let row = ran.out.lines().find(|l| l.starts_with("retrieval ")).unwrap();
        assert!(row.contains("2/3") && row.contains("1 not measured"), "{row}");
        let results = folder.results();
        let outcomes = ["q1", "q2", "q3", "q4"].map(|q| outcome(&results[q], "retrieval").to_owned());
        assert_eq!(outcomes, ["pass", "fail", "unmeasured", "pass"]);
        let all = format!("{HEADER}{three}{}", empty("q3"));
        let ran = project(&text, all).run(&RUN).exits(1);
        assert!(ran.out.lines().any(|l| l.starts_with("retrieval ") && l.contains("2/4")), "{}", ran.out);
    }
}

/// I05: labels of another form are one fault of the run, not as many regressions as there are questions.
#[test]
fn labels_that_fit_no_passage_are_one_fault() {
    let text = "version: 1\nsuite: s\nquestions:\n".to_owned()
        + &(0..10)
            .map(|i| format!("  - {{ id: q{i}, question: W?, evidence: [{{ doc: guide.md }}] }}\n"))
            .collect::<String>();
    let run = |name: &dyn Fn(usize) -> String| {
        let lines: String =
            (0..10).map(|i| format!("{{\"id\":\"q{i}\",\"contexts\":[{{\"doc\":\"{}\"}}]}}\n", name(i))).collect();
        let folder = project(&text, format!("{HEADER}{lines}"));
        let ran = folder.run(&RUN);
        (folder, ran)
    };
    for name in ["guide.md::chunk-3", "sha1:77ab01"] {
        let (folder, ran) = run(&|_| name.to_owned());
        let ran = ran.exits(3).shows(&["guide.md", name]);
        assert!(!ran.out.contains("regressed,"), "{}", ran.out);
        assert!(folder.results().values().all(|r| outcome(r, "retrieval") == "unmeasured"));
    }
    let (folder, ran) = run(&|i| if i == 4 { "guide.md::chunk-3".into() } else { "guide.md".into() });
    ran.exits(1);
    let results = folder.results();
    assert_eq!(outcome(&results["q4"], "retrieval"), "fail");
    assert_eq!(results.values().filter(|r| outcome(r, "retrieval") == "pass").count(), 9);
}

/// I02.
#[test]
fn ids_that_are_numbers_keep_their_digits() {
    for (gold, returned, hit) in [
        ("9007199254740993", "9007199254740992", false),
        ("9007199254740993", "9007199254740993", true),
        ("9007199254740993", "\"9007199254740993\"", true),
        ("\"007\"", "7", false),
        ("\"007\"", "\"007\"", true),
        ("007", "\"007\"", true),
        ("0", "0", true),
        ("0", "\"0\"", true),
        ("0", "-0", false),
        ("1000", "1e3", false),
        ("18446744073709551616", "18446744073709551616", true),
        ("7", "7.0", false),
    ] {
        let text = suite("", &format!("    evidence: [{{ chunk: {gold} }}]\n"));
        let folder = project(&text, format!("{HEADER}{{\"id\":\"q1\",\"contexts\":[{{\"chunk\":{returned}}}]}}\n"));
        let ran = folder.run(&RUN).exits(i32::from(!hit));
        let digits = gold.trim_matches('"');
        assert!(hit || ran.out.contains(digits), "{digits} is not in\n{}", ran.out);
    }
    // The ids of questions too: 7 and 007 are two questions.
    let folder = project(
        &questions(&["007", "7"]),
        format!("{HEADER}{}{}", GOOD.replace("\"q1\"", "7"), GOOD.replace("q1", "007")),
    );
    folder.run(&RUN).exits(0).shows(&["2/2"]);
}

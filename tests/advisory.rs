//! `ragline advisory`: what became of what would have blocked.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod project_kit;

use project_kit::{Ended, Project};
use serde_json::Value;

const IDS: [&str; 6] = ["accepted", "edited", "labelled", "noise", "open", "right"];

fn suite(project: &Project, fact_of_edited: &str) {
    let line = |id: &str| {
        let fact = if id == "edited" { fact_of_edited } else { "red" };
        format!("  - {{ id: {id}, question: Which colour is {id}?, facts: [{fact}] }}\n")
    };
    let questions: String = IDS.map(line).concat();
    project.write("suites/shop.yaml", &format!("version: 1\nlanguage: en\ntarget: answers\nquestions:\n{questions}"));
}

/// A run with these questions wrong.
#[track_caller]
fn run(project: &Project, wrong: &[&str]) -> Ended {
    let line = |id: &str| {
        let colour = if wrong.contains(&id) { "blue" } else { "red" };
        format!("{{\"id\":\"{id}\",\"answer\":\"It is {colour}.\",\"contexts\":[]}}\n")
    };
    project.write("answers.jsonl", &IDS.map(line).concat());
    project.run(&["run"])
}

#[track_caller]
fn ok(project: &Project, args: &[&str]) -> Ended {
    let ended = project.run(args);
    assert_eq!(ended.code, 0, "{args:?}: {}", ended.both());
    ended
}

#[test]
fn each_would_be_block_ends_in_one_of_five_ways() {
    let project = Project::new();
    project.write("thresholds.toml", "version = 1\nmode = \"advisory\"\n");
    suite(&project, "red");
    assert_eq!(run(&project, &[]).code, 2);
    ok(&project, &["accept", "--first"]);
    assert_eq!(run(&project, &["accepted", "edited", "labelled", "noise", "open"]).code, 0);
    ok(&project, &["labels", "add", "labelled", "--layer", "facts", "--verdict", "pass", "--because", "blue is right"]);
    // The same block a second time; one is right in between and blocks anew.
    run(&project, &["accepted", "edited", "labelled", "open"]);
    ok(&project, &["accept", "accepted", "--reason", "new paint"]);
    run(&project, &["accepted", "edited", "labelled", "noise", "open"]);
    suite(&project, "blue");
    run(&project, &["accepted", "edited", "labelled", "open"]);

    let ended = ok(&project, &["advisory", "--json"]);
    let value: Value = serde_json::from_str(&ended.out).expect("JSON");
    // The first run had no baseline: it advised too, and nothing of it would have blocked.
    assert_eq!((value["runs"].as_u64(), value["blocking"].as_u64()), (Some(5), Some(4)), "{}", ended.both());
    let blocks: Vec<(String, u64, String)> = value["blocks"]
        .as_array()
        .expect("blocks")
        .iter()
        .map(|b| {
            let text = |key: &str| b[key].as_str().expect("text").trim_start_matches("shop::").to_owned();
            (text("question"), b["runs"].as_u64().expect("a count"), text("ended"))
        })
        .collect();
    let right = [
        ("accepted", 2, "accepted"),
        ("edited", 3, "edited"),
        ("labelled", 4, "labelled"),
        ("noise", 1, "right_again"),
        ("open", 4, "open"),
        ("noise", 1, "right_again"),
    ];
    assert_eq!(blocks, right.map(|(id, n, ended)| (id.to_owned(), n, ended.to_owned())), "{}", ended.both());

    let text = ok(&project, &["advisory"]).out;
    for line in [
        "5 advisory runs: 4 would have blocked, over 6 questions in all",
        "1 accepted as they were",
        "1 checks that a label calls wrong",
        "2 right again without any of that",
        "people let 3 of 5 pass (0.60, 95 % from 0.23 to 0.88)",
        "that is little to go by: look again after 20 runs",
    ] {
        assert!(text.contains(line), "`{line}`: {text}");
    }
}

#[test]
fn runs_that_blocked_are_no_advice_and_twenty_runs_are_enough() {
    let project = Project::new();
    suite(&project, "red");
    run(&project, &[]);
    ok(&project, &["accept", "--first"]);
    assert_eq!(run(&project, &["open"]).code, 1);
    assert!(ok(&project, &["advisory"]).out.contains("no run advised"));
    project.write("thresholds.toml", "version = 1\n[suite.shop]\nmode = \"advisory\"\n");
    assert!(ok(&project, &["advisory"]).out.contains("no run advised"));
    run(&project, &["open"]);
    assert!(ok(&project, &["advisory"]).out.contains("1 advisory run: 1 would have blocked"));
    project.write("thresholds.toml", "version = 1\nmode = \"advisory\"\n");
    let mut last = run(&project, &["open"]);
    for _ in 0..18 {
        assert!(!last.err.contains("ragline advisory"), "{}", last.both());
        last = run(&project, &["open"]);
        if last.err.contains("ragline advisory") {
            break;
        }
    }
    assert!(last.err.contains("`ragline advisory`"), "{}", last.both());
}

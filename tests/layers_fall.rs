//! The rule on a whole layer, by the real binary: many questions that each got a little worse, and none that surely did.
#![allow(clippy::unwrap_used, reason = "tests")]

mod binary_kit;

use binary_kit::{Folder, Ran};
use serde_json::json;

const QUESTIONS: usize = 40;

/// A suite of which every question is answered wrongly where `wrong` says so.
fn answers(wrong: impl Fn(usize) -> bool) -> String {
    let line = |n: usize| {
        let said = if wrong(n) { "You have no such right." } else { "You have thirty days." };
        format!("{}\n", json!({ "id": format!("q{n:02}"), "answer": said }))
    };
    (0..QUESTIONS).map(line).collect()
}

/// A project that was accepted with the first five questions failing.
fn project(policy: &str) -> Folder {
    let mut suite = String::from("version: 1\nsuite: shop\nlanguage: en\nquestions:\n");
    for n in 0..QUESTIONS {
        suite += &format!(
            "  - {{ id: q{n:02}, question: q{n}?, facts: [thirty days], layers: {{ numbers: off, refusal: off }} }}\n"
        );
    }
    let folder = Folder::with(&[("ragline.toml", "version = 1\n"), ("suites/shop.yaml", &suite)]);
    folder.write("thresholds.toml", format!("version = 1\nstale = \"warn\"\nmax_regressed = 100\n{policy}").as_bytes());
    run(&folder, |n| n < 5).exits(2);
    folder.run(&["accept", "--first", "--reason", "known"]).exits(0);
    folder
}

fn run(folder: &Folder, wrong: impl Fn(usize) -> bool) -> Ran {
    folder.write("now.jsonl", answers(wrong).as_bytes());
    folder.run(&["run", "--answers", "now.jsonl", "--junit", "report.xml"])
}

#[test]
fn a_layer_that_fell_closes_the_gate_with_its_numbers() {
    let folder = project("");
    // Nine worse and one better. By hand: P(10 of 10) + P(9 of 10) / 2 = (1 + 10 / 2) / 1024 = .0059, not at .005.
    run(&folder, |n| (1..14).contains(&n)).exits(0);
    // Ten worse and one better: (1 + 11 / 2) / 2048 = .0032. One layer is measured, so Holm changes nothing.
    run(&folder, |n| (1..15).contains(&n))
        .exits(1)
        .shows(&["facts fell: of 40 questions 10 worse and 1 better, p .0032, by Holm over 1 layer .0032"]);
    let xml = folder.read("report.xml");
    assert!(xml.contains("<testcase name=\"primary\" classname=\"rag.gate\"") && xml.contains("facts fell"), "{xml}");
    // As many got better: nothing fell.
    run(&folder, |n| (5..10).contains(&n)).exits(0);
}

#[test]
fn the_policy_names_the_layers_and_what_it_leaves_out_blocks_nothing() {
    for (policy, exit) in [
        ("primary = [\"retrieval\"]\n", 0),
        ("primary = []\n", 0),
        ("[layer.facts]\nmode = \"advisory\"\n", 0),
        ("primary = [\"facts\", \"citation\"]\n", 1),
    ] {
        let folder = project(policy);
        run(&folder, |n| n < 20).exits(exit);
    }
    let folder = project("primary = [\"facts\"]\n");
    run(&folder, |n| n < 20).exits(1).shows(&["thresholds.toml:4"]);
    // A part of the suite says nothing of a layer.
    folder.run(&["run", "--answers", "now.jsonl", "q0*", "q1*"]).exits(0).shows(&["not evaluated: removed, primary"]);
}

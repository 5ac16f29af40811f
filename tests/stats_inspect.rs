//! `ragline inspect stats` and `ragline power`: figures that anybody can hold against another program.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, Ran, lines};
use serde_json::{Value, json};

fn stats(folder: &Folder, rows: &[Value]) -> Ran {
    let text: String = rows.iter().map(|r| format!("{r}\n")).collect();
    folder.write("in.jsonl", text.as_bytes());
    folder.run(&["inspect", "stats", "--file", "in.jsonl"])
}

#[track_caller]
fn near(v: &Value, right: f64) {
    assert!(v.as_f64().is_some_and(|x| (x - right).abs() < 5.1e-5), "{v} is not {right}");
}

#[test]
fn each_statistic_is_answered_line_by_line() {
    let folder = Folder::new();
    let rows = [
        json!({ "id": 7, "wilson": [23, 27] }),
        json!({ "clopper_pearson": [23, 27] }),
        json!({ "percentile": [23, 27] }),
        json!({ "wilson": [0, 0] }),
        json!({ "mcnemar": [7, 1] }),
        json!({ "tango": [7, 1, 21] }),
        json!({ "fisher": [5, 5, 1, 5] }),
        json!({ "binomial": [0, 2, 0.95] }),
        json!({ "holm": [0.01, 0.04, 0.03, 0.005] }),
        json!({ "bca": vec![1.0; 27] }),
        json!({ "sign_flip": [-0.5, 0.5, -0.5, -0.5, -1, -1, -0.5, -0.5] }),
        json!({ "sign_flip": [1, 1, 1, 1, 1, 1], "groups": ["a", "a", "a", "b", "b", "b"] }),
        json!({ "agreement": [85, 5, 10, 0] }),
        json!({ "labels": [32, 6, 2, 10, 500, 0.8] }),
        json!({ "power": [60, 0] }),
        json!({ "sprt": "PPPP" }),
    ];
    let ran = stats(&folder, &rows).exits(0);
    let out: Vec<Value> = lines(&ran.out).collect();
    assert_eq!(out[0]["id"], 7);
    near(&out[0]["low"], 0.6752);
    near(&out[0]["high"], 0.9408);
    near(&out[1]["low"], 0.6627);
    near(&out[2]["high"], 0.9630);
    assert_eq!((&out[3]["value"], &out[3]["low"]), (&Value::Null, &Value::Null));
    near(&out[4]["mid"], 0.03906);
    assert!((out[5]["low"].as_f64().unwrap() + 0.517).abs() < 5e-4);
    near(&out[6]["worse"], 0.02381);
    near(&out[7]["worse"], 0.0025);
    near(&out[8]["adjusted"][3], 0.02);
    assert_eq!((&out[9]["low"], &out[9]["why"]), (&Value::Null, &json!("too few distinct values")));
    near(&out[10]["p"], 0.05469);
    // Two groups are two tosses.
    near(&out[11]["p"], 0.5);
    near(&out[12]["ac1"], 0.8258);
    assert_eq!(out[12]["trust"], "advisory");
    near(&out[13]["ppi"][1], 0.05878);
    near(&out[14]["smallest_fall"], 0.09);
    assert_eq!(out[15], json!({ "says": "same", "after": 4 }));
}

#[test]
fn words_are_answered_with_a_table() {
    let folder = Folder::new();
    folder.run(&["inspect", "stats", "wilson", "23", "27"]).exits(0).shows(&["low    0.6752", "high   0.9408"]);
    folder.run(&["inspect", "stats", "sprt", "FF"]).exits(0).shows(&["says   changed"]);
    folder.run(&["inspect", "stats", "sign_flip", "-0.2", "-0.3", "-0.1", "-0.4", "-0.25"]).exits(0).shows(&["0.0625"]);
    let ran = folder.run(&["inspect", "stats", "wilson", "23", "27", "--json"]).exits(0);
    near(&lines(&ran.out).next().unwrap()["low"], 0.6752);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    for (row, why) in [
        (json!({}), "no statistic is named"),
        (json!({ "wilson": [1, 2], "holm": [0.1] }), "one at a time"),
        (json!({ "wilson": [3, 2] }), "3 of 2 is more than all"),
        (json!({ "wilson": [1.5, 2] }), "1.5 is no whole number"),
        (json!({ "wilson": [1] }), "`wilson` has 1 numbers, expected 2; `wilson` takes [hits, n]"),
        (json!({ "wilson": ["1", 2] }), "holds something that is no number"),
        (json!({ "wilson": [1, 2], "level": 0.5 }), "expected 0.9, 0.95 or 0.99"),
        (json!({ "bca": [1, 2], "groups": ["a"] }), "`groups` has 1 entries for 2 values"),
        (json!({ "holm": [1.5] }), "1.5 is not from 0 to 1"),
        (json!({ "power": [60, 0.7] }), "no share of gains"),
        (json!({ "sprt": "PX" }), "holds `X`"),
        (json!({ "agreement": [900_000, 1, 1, 1] }), "expected 10000 at most"),
    ] {
        let ran = stats(&folder, &[row]).exits(2);
        let said = lines(&ran.out).next().unwrap()["error"].as_str().unwrap().to_owned();
        assert!(said.contains(why), "{said}");
    }
    folder.run(&["inspect", "stats", "wilson", "many"]).exits(2).says(&["`many` is no number"]);
}

#[test]
fn power_for_a_number_of_questions() {
    let folder = Folder::new();
    folder.run(&["power", "--questions", "60", "--questions", "27", "--rate", "85%", "--fall", "9"]).exits(0).shows(&[
        "60 questions cannot show that a layer fell by less than about 9 points.",
        "27 questions cannot show that a layer fell by less than about 20 points.",
        "A fall of 9 points is shown by 60 questions if nothing else changes",
    ]);
    let ran = folder.run(&["power", "-n", "27", "--rate", "0.85", "--json"]).exits(0);
    let object = lines(&ran.out).next().unwrap();
    let sample = &object["samples"][0];
    for (name, right) in [("fall", 0.195), ("change", 0.236), ("varied", 0.327), ("unpaired", 0.272)] {
        assert!((sample[name].as_f64().unwrap() - right).abs() < 6e-4, "{name}: {sample}");
    }
    folder.run(&["power", "-n", "3"]).exits(0).shows(&["Shares of 3 questions are too few to compare", "none"]);
    folder.run(&["power", "-n", "0"]).exits(2);
    folder.run(&["power", "-n", "9", "--discordant", "1.5"]).exits(2).says(&["expected a share"]);
    // 100 columns hold it, and a narrow terminal has blocks.
    for width in ["100", "30"] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ragline"));
        let out =
            command.current_dir(folder.path()).args(["power", "-n", "60"]).env("COLUMNS", width).output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        let most: usize = width.parse().unwrap();
        assert!(text.lines().all(|l| l.chars().count() <= most), "{text}");
    }
}

#[test]
fn power_for_the_suites_of_a_project() {
    let question = |i: usize| {
        let evidence = if i < 30 { ", evidence: [{ doc: d.md }]" } else { "" };
        format!("  - {{ id: q{i}, question: Mã số {i}?, facts: [MA-{i}-X], group: g{}{evidence} }}\n", i / 2)
    };
    let questions: String = (0..60).map(question).collect();
    let suite =
        format!("version: 1\nlanguage: vi\nquestions:\n{questions}  - {{ id: seen, question: Gì?, reference: x }}\n");
    let folder = Folder::with(&[("suites/s.yaml", &suite), ("ragline.toml", "version = 1\n")]);
    let ran = folder.run(&["power"]).exits(0).shows(&[
        "s: 60 questions cannot show that a layer fell by less than about 9 points.",
        "s retrieval",
        "by groups",
    ]);
    assert!(!ran.out.contains("61"), "{}", ran.out);
    let ran = folder.run(&["power", "--json"]).exits(0);
    let object = lines(&ran.out).next().unwrap();
    let all = object["samples"].as_array().unwrap();
    let counts = |i: usize| (all[i]["layer"].clone(), all[i]["questions"].clone(), all[i]["groups"].clone());
    assert_eq!(counts(0), (Value::Null, json!(60), json!(30)));
    assert_eq!(counts(1), (json!("retrieval"), json!(30), json!(15)));
    assert_eq!(counts(2), (json!("facts"), json!(60), json!(30)));
    assert!(all[0]["grouped"].as_f64().unwrap() > all[0]["varied"].as_f64().unwrap());
}

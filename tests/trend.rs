//! `run --summary` and `ragline trend` through the real binary: a line a run, and figures that agree wherever they are shown.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod binary_kit;

use binary_kit::{Folder, lines};
use serde_json::Value;

const N: usize = 27;

const SETTINGS: &str = "version = 1\n[targets.answers]\nkind = \"recorded\"\nfile = \"answers.jsonl\"\nprovides = [\"answer\", \"contexts\"]\n";

/// A suite of 27 questions of which so many are answered right.
fn answer(folder: &Folder, right: usize) {
    let line = |i: usize| {
        let days = if i < right { "thirty" } else { "no" };
        format!(
            "{{\"id\":\"q{i}\",\"answer\":\"You have {days} days.\",\"contexts\":[{{\"doc\":\"a.md\",\"text\":\"thirty days\"}}]}}\n"
        )
    };
    folder.write("answers.jsonl", (0..N).map(line).collect::<String>().as_bytes());
}

fn project(thresholds: &str) -> Folder {
    let question = |i: usize| format!("  - {{ id: q{i}, question: How long is it {i}?, facts: [thirty days] }}\n");
    let suite = format!(
        "version: 1\nsuite: shop\nlanguage: en\ntarget: answers\nquestions:\n{}",
        (0..N).map(question).collect::<String>()
    );
    Folder::with(&[("ragline.toml", SETTINGS), ("suites/shop.yaml", &suite), ("thresholds.toml", thresholds)])
}

/// A project with a summary of runs that had so many right answers each.
fn summary(right: &[usize]) -> Folder {
    let folder = project("version = 1\nmode = \"advisory\"\n");
    for right in right {
        answer(&folder, *right);
        let ran = folder.run(&["run", "--summary", "out/trend.jsonl"]);
        assert!([0, 2].contains(&ran.exit), "{}{}", ran.out, ran.err);
    }
    folder
}

fn trend(folder: &Folder) -> (String, Value) {
    let text = folder.run(&["trend", "out/trend.jsonl"]).exits(0).out;
    let json = folder.run(&["trend", "out/trend.jsonl", "--json"]).exits(0).out;
    (text, serde_json::from_str(&json).unwrap())
}

#[test]
fn a_line_is_added_for_each_run() {
    let folder = summary(&[27, 23]);
    let text = folder.read("out/trend.jsonl");
    let told: Vec<Value> = lines(&text).collect();
    assert_eq!(told.len(), 2);
    assert_eq!(told[1]["layers"]["facts"], serde_json::json!({ "pass": 23, "n": 27 }));
    assert_eq!(told[1]["kind"], "run");
    assert!(told[0]["set"] == told[1]["set"] && told[0]["run"] != told[1]["run"]);
    // A part of the suite is told as such, and is no point of the trend.
    folder.run(&["run", "q1", "--summary", "out/trend.jsonl"]);
    assert!(folder.read("out/trend.jsonl").starts_with(&text));
    let (shown, json) = trend(&folder);
    assert_eq!(json["series"][0]["points"].as_array().unwrap().len(), 2);
    assert!(shown.contains("1 left out that asked a part of the suite"), "{shown}");
}

#[test]
fn a_summary_that_cannot_be_written_is_exit_5() {
    let folder = project("version = 1\n");
    answer(&folder, 27);
    folder.write("a file", b"");
    let ran = folder.run(&["run", "--summary", "a file/trend.jsonl"]);
    assert!(ran.err.contains("cannot add to the summary"), "{}{}", ran.out, ran.err);
    assert!([2, 5].contains(&ran.exit), "{}", ran.exit);
}

#[test]
fn what_is_within_noise_is_never_called_a_fall() {
    // The article's runs: 23 of 27, then 20 of 27; Wilson's interval of the first is [.675, .941].
    let (text, json) = trend(&summary(&[23, 20]));
    assert!(text.contains("23/27 .852 [.675, .941]"), "{text}");
    assert!(text.contains("facts: 23/27 -> 20/27 since ") && text.contains("no change shown"), "{text}");
    assert!(!text.contains("fell") && !text.contains("rose"), "{text}");
    let steps = json["series"][0]["steps"].as_array().unwrap();
    assert!(!steps.is_empty() && steps.iter().all(|s| s["verdict"] == "noise"), "{steps:?}");
    let (text, json) = trend(&summary(&[27, 9]));
    assert!(text.contains("facts fell: 27/27 -> 9/27 since "), "{text}");
    let of_facts = json["series"][0]["steps"].as_array().unwrap().iter().find(|s| s["layer"] == "facts").unwrap();
    assert_eq!(of_facts["verdict"], "fell");
}

#[test]
fn the_table_the_page_and_json_have_the_same_figures() {
    let folder = summary(&[27, 25, 23]);
    let words = ["trend", "out/trend.jsonl", "--csv", "t.csv", "--html", "t.html"];
    let text = folder.run(&words).exits(0).out;
    let (csv, html) = (folder.read("t.csv"), folder.read("t.html"));
    let (_, json) = trend(&folder);
    let points = json["series"][0]["points"].as_array().unwrap();
    for (point, right) in points.iter().zip([27, 25, 23]) {
        let facts = &point["layers"]["facts"];
        assert_eq!(facts["pass"], right);
        let run = point["run"].as_str().unwrap();
        assert!(csv.lines().any(|l| l.contains(run) && l.contains(&format!(",facts,{right},27,"))), "{csv}");
        let figure = format!("{right}/27");
        for (what, shown) in [("text", &text), ("html", &html)] {
            assert!(shown.contains(run) && shown.contains(&figure), "{what}: {figure}");
        }
        // Every point stands in the chart with its interval, and in the table.
        assert!(html.contains(&format!("<title>{run}: {figure} ")), "{html}");
        assert!(html.contains(&format!("<th scope=\"row\">{run}</th>")), "{html}");
    }
    assert!(!html.contains("<script") && !html.contains("http:") && !html.contains("https:"), "nothing from elsewhere");
    assert!(html.contains("prefers-color-scheme:dark"));
    // It is a tree: what is opened is closed.
    for name in ["svg", "table", "main", "ul", "tr", "h2", "div"] {
        assert_eq!(html.matches(&format!("<{name}")).count(), html.matches(&format!("</{name}>")).count(), "{name}");
    }
}

#[test]
fn hostile_names_stay_text() {
    let folder = summary(&[27]);
    let hostile = folder
        .read("out/trend.jsonl")
        .replace("\"suite\":\"shop\"", "\"suite\":\"=<script>alert(1)</script>\\u001b[31m\"");
    folder.write("out/trend.jsonl", hostile.as_bytes());
    let shown = folder.run(&["trend", "out/trend.jsonl", "--html", "t.html", "--csv", "t.csv"]).exits(0);
    assert!(!shown.out.contains('\u{1b}'));
    assert!(folder.read("t.html").contains("&lt;script&gt;alert(1)") && !folder.read("t.html").contains("<script"));
    assert!(folder.read("t.csv").lines().nth(1).unwrap().starts_with("'=<script>"), "{}", folder.read("t.csv"));
}

#[test]
fn histories_of_the_project_are_shown_and_what_is_not_there_is_an_error() {
    let folder = project("version = 1\n");
    answer(&folder, 27);
    folder.run(&["trend"]).exits(2).says(&["no-history"]);
    folder.run(&["trend", "nowhere.jsonl"]).exits(2).says(&["no-history", "nowhere.jsonl"]);
    folder.write("ragline.toml", SETTINGS.replace("version = 1\n", "version = 1\nhistory = \"suites\"\n").as_bytes());
    folder.run(&["run"]).exits(2);
    folder.run(&["accept", "--first", "--reason", "where we start"]).exits(0);
    let shown = folder.run(&["trend"]).exits(0).out;
    assert!(shown.contains("accept: where we start") && shown.contains("27/27 1.000 [.875, 1.000]"), "{shown}");
    folder.write("suites/shop.history.jsonl", b"{\"version\":1}\n");
    folder.run(&["trend"]).exits(2).says(&["history-line", "suites/shop.history.jsonl:1"]);
}

#[test]
fn the_brief_says_what_the_run_decided() {
    let folder = project("version = 1\n");
    answer(&folder, 27);
    folder.run(&["run"]).exits(2);
    let first = folder.run(&["report", "--brief"]).exits(0).out;
    assert!(first.contains("Nothing is decided") && !first.contains("The gate is"), "{first}");
    folder.run(&["accept", "--first"]).exits(0);
    folder.run(&["run"]).exits(0);
    let open = folder.run(&["report", "--brief"]).exits(0).out;
    assert!(open.contains("The gate is open") && open.contains("27 questions are as they were"), "{open}");
    answer(&folder, 25);
    folder.run(&["run"]).exits(1).shows(&["2 regressed, at most 0"]);
    let text = folder.run(&["report", "--brief"]).exits(0).out;
    for words in [
        "The gate is closed",
        "2 regressed, at most 0",
        "2 questions were right and are wrong now: shop::q25, shop::q26",
        "shop, facts: 25 of 27 right; were there many more such questions, between .766 and .979",
        "look at one: ragline show shop::q25",
    ] {
        assert!(text.contains(words), "{words:?} is not in:\n{text}");
    }
    let markdown = folder.run(&["report", "--brief=markdown"]).exits(0).out;
    assert!(markdown.starts_with("# Run ") && markdown.contains("\n## Decision\n\n- The gate is closed"), "{markdown}");
}

//! `ragline compare` and `ragline report`: configurations side by side, and why questions went wrong.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, lines};
use serde_json::{Value, json};

const TARGETS: &str = "version = 1\n\
    [targets.old]\nkind = \"recorded\"\nfile = \"old.jsonl\"\nprovides = [\"answer\"]\n\
    [targets.new]\nkind = \"recorded\"\nfile = \"new.jsonl\"\nprovides = [\"answer\"]\n\
    [targets.near]\nkind = \"recorded\"\nfile = \"near.jsonl\"\nprovides = [\"answer\"]\n";

/// A project of twenty questions; each target answers rightly from a number on.
fn project(rights: &[(&str, usize)]) -> Folder {
    let questions: String =
        (0..20).map(|i| format!("  - {{ id: q{i}, question: Mã số {i} là gì?, facts: [MA-{i}-X] }}\n")).collect();
    let suite = format!("version: 1\nlanguage: vi\ntarget: old\nquestions:\n{questions}");
    let folder = Folder::with(&[("ragline.toml", TARGETS), ("suites/s.yaml", &suite)]);
    for (name, from) in rights {
        let answer =
            |i: usize| if i >= *from { format!("Đó là MA-{i}-X.") } else { "Đó là mã khác.".to_owned() };
        let text: String =
            (0..20).map(|i| format!("{}\n", json!({ "id": format!("q{i}"), "answer": answer(i) }))).collect();
        folder.write(&format!("{name}.jsonl"), text.as_bytes());
    }
    folder
}

#[test]
fn a_difference_is_named_and_noise_is_not() {
    let folder = project(&[("old", 0), ("new", 7), ("near", 4)]);
    folder.run(&["compare", "--target", "old,new,near"]).exits(0).shows(&[
        "20 questions, asked by all 3 configurations",
        "1.000 [.839, 1.000] n 20",
        ".650 [.433, .819] n 20",
        "passed: old is better than new by .350",
        "7 questions against 0, p .023 after Holm",
        "the other 2 differences between pairs are within noise: there is no winner among them",
        "passed: a difference below 36.7 points would not have been seen among these pairs",
    ]);
    let ran = folder.run(&["compare", "--target", "old,new,near", "--json"]).exits(0);
    let object = lines(&ran.out).next().unwrap();
    let pair = |a: &str, b: &str| -> Value {
        let all = object["pairs"].as_array().unwrap();
        all.iter().find(|p| p["of"] == json!([a, b]) && p["measure"] == "passed").unwrap().clone()
    };
    // Seven to none: mid-p is 2 · 0.5^7 - 0.5^7; of three pairs Holm takes the smallest threefold.
    let seven = pair("old", "new");
    assert!((seven["p"].as_f64().unwrap() - 0.5_f64.powi(7)).abs() < 1e-12, "{seven}");
    assert!((seven["adjusted"].as_f64().unwrap() - 3.0 * 0.5_f64.powi(7)).abs() < 1e-12, "{seven}");
    // Four to none: .0625, within noise.
    let four = pair("old", "near");
    assert!((four["p"].as_f64().unwrap() - 0.0625).abs() < 1e-12 && four["differs"] == false, "{four}");
    assert_eq!(four["changed"], json!([4, 0]));
    assert!(four["unseen_below"].as_f64().unwrap() > 0.3, "{four}");
    // Tango's interval: four of twenty lost.
    let ends = |p: &Value| [p["interval"][0].as_f64().unwrap(), p["interval"][1].as_f64().unwrap()];
    assert!((ends(&four)[0] + 0.416).abs() < 1e-3 && ends(&four)[1] < 0.0, "{four}");
}

#[test]
fn runs_are_compared_where_they_ask_the_same() {
    let folder = project(&[("old", 0), ("new", 7)]);
    for name in ["old", "new"] {
        folder.run(&["run", "--target", name, "--results", &format!("{name}-results.jsonl")]);
    }
    let suite = folder.read("suites/s.yaml");
    // One question is edited and one is gone when the second configuration is asked.
    folder.write(
        "suites/s.yaml",
        suite
            .replace("MA-3-X", "MA-3-Y")
            .replace("  - { id: q5, question: Mã số 5 là gì?, facts: [MA-5-X] }\n", "")
            .as_bytes(),
    );
    folder.run(&["run", "--target", "new", "--results", "later.jsonl"]);
    folder
        .run(&["compare", "a=old-results.jsonl", "b=new-results.jsonl"])
        .exits(0)
        .shows(&["passed   1.000", "a is better than b"]);
    folder.run(&["compare", "old-results.jsonl", "later.jsonl"]).exits(0).shows(&[
        "18 questions, asked by all 2 configurations; 1 left out that some of them lack (s::q5); 1 left out\nwhose expectations differ",
    ]);
    folder.run(&["compare", "old-results.jsonl"]).exits(2).says(&["name two configurations or more"]);
    folder.run(&["compare", "old-results.jsonl", "suites/s.yaml"]).exits(2).says(&["error[results-unreadable]"]);
}

#[test]
fn chunking_is_compared_in_one_command() {
    let long = "Cửa hàng nhận đổi hàng trong giờ mở cửa. ".repeat(6);
    let document = format!(
        "# Đổi trả\n\n{long}Khách được đổi hàng trong 7 ngày kể từ ngày nhận hàng. {long}\n\n# Phí\n\nPhí giao hàng nội thành là 25.000 đồng mỗi đơn.\n"
    );
    let suite = "version: 1\nlanguage: vi\ncorpus: ../docs\nquestions:\n  - id: a\n    question: Khách được đổi hàng trong bao lâu kể từ ngày nhận hàng?\n    evidence: [{ doc: d.md, span: trong 7 ngày kể từ ngày nhận hàng }]\n    facts: [7 ngày]\n  - id: b\n    question: Phí giao hàng nội thành là bao nhiêu?\n    evidence: [{ doc: d.md, span: 25.000 đồng mỗi đơn }]\n    facts: [25.000 đồng]\n";
    let targets = "version = 1\n[targets.whole]\nkind = \"builtin\"\nchunk = { by = \"section\" }\n[targets.cut]\nkind = \"builtin\"\nchunk = { by = \"fixed\", size = 25, overlap = 0 }\n";
    let folder = Folder::with(&[("ragline.toml", targets), ("suites/s.yaml", suite), ("docs/d.md", &document)]);
    let ran = folder.run(&["compare", "--target", "whole,cut", "--json"]).exits(0);
    let object = lines(&ran.out).next().unwrap();
    let row =
        |name: &str| object["measures"].as_array().unwrap().iter().find(|m| m["measure"] == name).unwrap().clone();
    assert_eq!(
        (&row("evidence whole")["cells"][0]["value"], &row("evidence whole")["cells"][1]["value"]),
        (&json!(1.0), &json!(0.0))
    );
    assert!(row("hit@3")["random"].as_f64().unwrap() > 0.9, "two passages, three places");
    assert_eq!(object["span_cut"][0], json!({ "cut": 0, "of": 2 }));
    assert_eq!(object["span_cut"][1]["cut"], object["span_cut"][1]["of"]);
    folder.run(&["compare", "--target", "whole,cut"]).exits(0).shows(&["span cut", "evidence whole", "chunking"]);
}

#[test]
fn evidence_against_answer_in_six_ways() {
    let question = |id: &str| {
        format!(
            "  - {{ id: {id}, question: Đổi hàng trong bao lâu?, evidence: [{{ doc: d.md, span: trong 7 ngày }}], facts: [7 ngày] }}\n"
        )
    };
    let ways = ["wr", "ww", "wx", "nr", "nw", "nx"];
    let suite = format!(
        "version: 1\nlanguage: vi\ntarget: t\ncorpus: ../docs\nquestions:\n{}  - {{ id: out, question: Giá iPhone?, expect: refuse }}\n",
        ways.iter().map(|id| question(id)).collect::<String>()
    );
    let targets =
        "version = 1\n[targets.t]\nkind = \"recorded\"\nfile = \"a.jsonl\"\nprovides = [\"answer\", \"contexts\"]\n";
    let folder = Folder::with(&[
        ("ragline.toml", targets),
        ("suites/s.yaml", &suite),
        ("docs/d.md", "Được đổi trong 7 ngày.\n"),
    ]);
    let shown = |way: &str| {
        let context = if way.starts_with('w') { "Được đổi trong 7 ngày." } else { "Mở cửa lúc 8 giờ." };
        let answer = match way.chars().nth(1) {
            Some('r') => "Trong 7 ngày.",
            Some('w') => "=HYPERLINK(\"x\") Trong 9 ngày.",
            _ => "Tài liệu không có thông tin về việc này.",
        };
        json!({ "id": way, "answer": answer, "contexts": [{ "doc": "d.md", "text": context }] })
    };
    let mut text: String = ways.iter().map(|w| format!("{}\n", shown(w))).collect();
    text.push_str(&format!("{}\n", json!({ "id": "out", "answer": "Tôi không có thông tin này.", "contexts": [] })));
    folder.write("a.jsonl", text.as_bytes());
    folder.run(&["run"]);
    let ran = folder.run(&["report", "--csv", "out.csv"]).exits(0).shows(&["1 of 1 that must be refused are refused"]);
    for (at, line) in ran.out.lines().skip(1).take(6).enumerate() {
        assert!(line.split_whitespace().any(|w| w == "1"), "way {at}: {line}");
    }
    let file = folder.read("out.csv");
    assert!(file.starts_with('\u{feff}'));
    let mut reader = csv::Reader::from_reader(file.trim_start_matches('\u{feff}').as_bytes());
    let heads = reader.headers().unwrap().clone();
    let column = |name: &str| heads.iter().position(|h| h == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let of = |id: &str, name: &str| rows.iter().find(|r| &r[1] == id).unwrap()[column(name)].to_owned();
    assert_eq!(
        (of("wr", "complete"), of("wr", "answer_right"), of("wr", "row")),
        ("1".into(), "1".into(), "15".into())
    );
    assert_eq!((of("nx", "complete"), of("nx", "label")), ("0".into(), "refusal".into()));
    assert_eq!(of("ww", "answer"), "'=HYPERLINK(\"x\") Trong 9 ngày.");
    assert_eq!(of("out", "expect"), "refuse");
}

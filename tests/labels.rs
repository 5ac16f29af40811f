//! `ragline labels`: what people say of answers is shown beside the rules' verdicts, measures them, and changes none.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, Ran, lines};
use serde_json::Value;

const SUITE: &str = "version: 1
suite: shop
language: vi
questions:
  - { id: a, question: Máy vào nước có được bảo hành không?, facts: [từ chối bảo hành] }
  - { id: b, question: Đổi trả trong bao lâu?, facts: [7 ngày] }
  - { id: c, question: Phí giao hàng?, facts: [25.000 đồng] }
  - { id: d, question: Mở cửa mấy giờ?, facts: [8 giờ] }
";

fn answers(last: &str) -> String {
    [("a", "Máy đó không thuộc diện bảo hành."), ("b", "Trong 17 ngày."), ("c", "Là 25.000 đồng."), ("d", last)]
        .map(|(id, answer)| serde_json::json!({ "id": id, "answer": answer }).to_string() + "\n")
        .concat()
}

/// A project with a run: a and b fail, c and d pass.
fn project() -> Folder {
    let folder = Folder::with(&[("suites/shop.yaml", SUITE), ("answers.jsonl", &answers("Từ 8 giờ."))]);
    run(&folder);
    folder
}

fn run(folder: &Folder) -> Ran {
    folder.run(&["run", "--answers", "answers.jsonl"]).exits(2)
}

fn label(folder: &Folder, id: &str, verdict: &str, because: &str) -> Ran {
    let args = ["labels", "add", id, "--layer", "facts", "--verdict", verdict, "--because", because];
    folder.run(&[args.as_slice(), &["--by", "Lan", "--today", "2026-11-30"]].concat())
}

const FILE: &str = "suites/shop.labels.jsonl";

#[test]
fn labels_measure_the_rules_and_change_nothing() {
    let folder = project();
    let before = folder.results();
    label(&folder, "a", "pass", "“không thuộc diện” là từ chối")
        .exits(0)
        .shows(&["wrote suites/shop.labels.jsonl", "shop::a facts: the rule says fail, Lan says pass (2026-11-30)"]);
    label(&folder, "shop::b", "fail", "17 là hạng Vàng").exits(0);
    label(&folder, "c", "pass", "đúng").exits(0);
    label(&folder, "d", "pass", "đúng").exits(0);
    let shown = folder.run(&["labels"]).exits(0).shows(&[
        "shop::a  facts: the rule says fail, Lan says pass (2026-11-30)",
        "question  Máy vào nước có được bảo hành không?",
        "because   “không thuộc diện” là từ chối",
    ]);
    // By hand: one fault of two is one; of one fault one is found; po 3/4, pe 1/2.
    let line = shown.out.lines().find(|l| l.starts_with("facts")).unwrap();
    let figures: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(figures[..5], ["facts", "4", "3", "1", "0"]);
    // Of four labels an interval would span nearly everything.
    assert!(line.ends_with("none: fewer than 5 labels"), "{line}");
    let json = folder.run(&["labels", "--json"]).exits(0);
    let facts = lines(&json.out).next().unwrap()["layers"]["facts"].clone();
    assert_eq!(facts["kappa"]["value"], 0.5);
    assert_eq!(
        facts["table"],
        serde_json::json!({ "both_fail": 1, "rule_alone": 1, "label_alone": 0, "both_pass": 2 })
    );
    assert_eq!(facts["disagreements"][0]["label"]["by"], "Lan");
    // A second run says the same as the first, but for where the diagnosis looks.
    run(&folder);
    let outcomes = |mut results: std::collections::BTreeMap<String, serde_json::Value>| {
        results.values_mut().filter_map(serde_json::Value::as_object_mut).for_each(|r| drop(r.remove("diagnosis")));
        results
    };
    assert_eq!(folder.results()["a"]["diagnosis"]["row"], 20);
    assert_eq!(outcomes(folder.results()), outcomes(before));
}

#[test]
fn a_label_is_shown_beside_the_rule() {
    let folder = project();
    label(&folder, "a", "pass", "đúng ý").exits(0);
    folder.run(&["show", "a"]).exits(0).shows(&["facts     ✗", "Lan says pass (2026-11-30): đúng ý"]);
    let json = folder.run(&["show", "a", "--json"]).exits(0);
    let shown: Value = lines(&json.out).next().unwrap();
    assert_eq!(shown["labels"][0]["verdict"], "pass");
    assert_eq!(shown["labels"][0]["stale"], false);
    assert_eq!(shown["result"]["layers"]["facts"]["outcome"], "fail");
    folder.run(&["lint"]).exits(0);
}

#[test]
fn a_label_of_another_answer_is_stale() {
    let folder = project();
    label(&folder, "d", "pass", "đúng").exits(0);
    folder.write("answers.jsonl", answers("Lúc 9 giờ.").as_bytes());
    run(&folder);
    folder
        .run(&["labels"])
        .exits(0)
        .shows(&["no label is about an answer of this run", "stale, the answer is another one now: shop::d facts"]);
    folder.run(&["show", "d"]).exits(0).shows(&["Lan says pass (2026-11-30) of another answer: đúng"]);
    // The label of the new answer counts; the old one stays in the file.
    label(&folder, "d", "fail", "9 giờ là sai").exits(0);
    folder.run(&["labels"]).exits(0).shows(&["stale, the answer is another one now: shop::d facts", "facts        1"]);
    assert_eq!(folder.read(FILE).lines().count(), 3);
}

#[test]
fn a_file_written_by_hand_may_hold_the_answer() {
    let folder = project();
    let by_hand = r#"{"id":"c","layer":"facts","verdict":"pass","because":"ok","answer":"Là 25.000 đồng."}"#;
    folder.write(FILE, by_hand.as_bytes());
    folder.run(&["labels"]).exits(0).shows(&["facts        1"]);
    label(&folder, "b", "fail", "sai").exits(0);
    let text = folder.read(FILE);
    assert!(text.starts_with(&format!("{by_hand}\n{{\"id\":\"b\"")), "{text}");
    folder.run(&["labels"]).exits(0).shows(&["facts        2"]);
}

#[test]
fn what_is_no_label_is_told_with_its_line() {
    for (line, words) in [
        ("{}", "no label"),
        (r#"{"id":"a","layer":"fakts","verdict":"pass","because":"x","digest":"0"}"#, "did you mean `facts`?"),
        (r#"{"id":"a","layer":"facts","verdict":"ok","because":"x","digest":"0"}"#, "`pass` or `fail`"),
        (r#"{"id":"a","layer":"facts","verdict":"pass","because":" ","digest":"0"}"#, "`because` is empty"),
        (r#"{"id":"a","layer":"facts","verdict":"pass","because":"x"}"#, "`digest`"),
        (r#"{"id":"a","layer":"facts","verdict":"pass","because":"x","digest":"0","sure":1}"#, "unknown field"),
    ] {
        let folder = project();
        folder.write(FILE, format!("{{\"version\":1,\"kind\":\"labels\"}}\n{line}\n").as_bytes());
        for args in [["labels"].as_slice(), &["show", "a"]] {
            folder.run(args).exits(2).says(&["label-line", "shop.labels.jsonl:2", words]);
        }
        label(&folder, "a", "pass", "x").exits(2).says(&["label-line"]);
    }
    let folder = project();
    folder.write(FILE, b"{\"version\":2,\"kind\":\"labels\"}\n");
    folder.run(&["labels"]).exits(2).says(&["expected version 1"]);
    label(&project(), "z", "pass", "x").exits(2).says(&["no question `z` in this run"]);
    let folder = Folder::with(&[("suites/shop.yaml", SUITE)]);
    folder.run(&["labels"]).exits(2).says(&["no-run"]);
}

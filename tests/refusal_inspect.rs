//! `ragline inspect refusal` and `[refusal]` in `ragline.toml`, through the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, ragline};
use serde_json::{Value, json};

fn asked(folder: &Folder, rows: &[Value], exit: i32) -> Vec<Value> {
    let text: String = rows.iter().map(|r| format!("{r}\n")).collect();
    folder.write("rows.jsonl", text.as_bytes());
    let ran = ragline(folder.path(), &["inspect", "refusal", "--file", "rows.jsonl"]).exits(exit);
    ran.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn lines_in_and_lines_out() {
    let rows = [
        json!({ "id": 7, "lang": "vi", "answer": "Tài liệu không đề cập phí giao hàng [1]." }),
        json!({ "lang": "en", "question": "Is it free?", "answer": "If there is no information about your order, call us." }),
        json!({ "lang": "zh", "answer": "文档没有提到费用，但退货期限为7天。" }),
        json!({ "lang": "th", "answer": "เกิดข้อผิดพลาด กรุณาลองใหม่" }),
        json!({ "lang": "en", "answer": "Which model do you mean?" }),
        json!({ "lang": "en", "answer": " " }),
        json!({ "lang": "ru", "answer": "Не знаю." }),
        json!({ "lang": "en" }),
    ];
    let right = [
        json!({ "label": "refusal", "pattern": "vi.doc_silent", "id": 7 }),
        json!({ "label": "none", "veto": "en.info_absent: a condition" }),
        json!({ "label": "partial", "pattern": "zh.doc_silent" }),
        json!({ "label": "error", "pattern": "th.went_wrong" }),
        json!({ "label": "none", "asks_back": true }),
        json!({ "label": "empty" }),
        json!({ "label": "unknown" }),
        json!({ "error": "no `answer`" }),
    ];
    assert_eq!(asked(&Folder::new(), &rows, 2), right);
}

#[test]
fn a_table_for_people() {
    let folder = Folder::new();
    let answer = "Sorry! The documents do not mention a fee. Returns are accepted within 14 days. Please contact us.";
    let ran = ragline(folder.path(), &["inspect", "refusal", answer]).exits(0);
    assert_eq!(
        ran.out,
        "partial by en.doc_silent\n\
         ignored: polite           sorry!\n\
         refuses                   the documents do not mention a fee.   en.doc_silent\n\
         claims                    returns are accepted within 14 days.\n\
         ignored: sends elsewhere  please contact us.\n"
    );
    ragline(folder.path(), &["inspect", "refusal", "--json", "I don't know."]).exits(0).shows(&["\"refusal\""]);
}

const OWN: &str = "version = 1\n[refusal]\nphrases = [\"Mời anh chị ra quầy\"]\nnot = [\"secret sauce\"]\n";

#[test]
fn the_wordings_of_a_project_count_in_it() {
    let rows = [
        json!({ "lang": "vi", "answer": "Mời anh chị ra quầy." }),
        json!({ "lang": "en", "answer": "The documents do not mention the secret sauce." }),
    ];
    let labels = |folder: &Folder| -> Vec<String> {
        asked(folder, &rows, 0).iter().map(|r| r["label"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(labels(&Folder::with(&[("ragline.toml", OWN)])), ["refusal", "none"]);
    assert_eq!(labels(&Folder::new()), ["none", "refusal"]);
}

#[test]
fn a_bad_wording_is_told_with_its_place() {
    let toml = "version = 1\n[refusal]\nphrases = [\"ok\", \"...\"]\npatterns = [\"fine\", \"ask (sales\"]\n";
    let ran = ragline(Folder::with(&[("ragline.toml", toml)]).path(), &["inspect", "refusal", "x"]);
    ran.exits(2).says(&[
        "ragline.toml:3",
        "no letter and no digit",
        "ragline.toml:4",
        "unclosed group, at character 5",
    ]);
}

const SUITE: &str = "version: 1\nsuite: shop\nlanguage: en\nquestions:\n  - { id: a, question: What is the fee?, facts: [30 dollars] }\n  - { id: b, question: Do you sell tickets?, expect: refuse }\n  - { id: c, question: Which one is open?, expect: clarify }\n  - { id: d, question: How long do I have?, facts: [14 days] }\n  - { id: e, question: Do you sell boats?, expect: refuse }\n";

const ANSWERS: &str = r#"{"version":1,"kind":"responses"}
{"id":"a","answer":"I do not know."}
{"id":"b","answer":"The documents do not mention tickets."}
{"id":"c","answer":"Which shop do you mean?"}
{"id":"d","answer":"You have 14 days, but the documents do not mention exchanges."}
{"id":"e","answer":"Sorry, something went wrong. Please try again."}
"#;

/// Both directions stand beside each other in every report, and a text of a failure counts in neither.
#[test]
fn both_directions_in_each_report() {
    let folder = Folder::with(&[("suites/shop.yaml", SUITE), ("answers.jsonl", ANSWERS)]);
    let ran = ragline(folder.path(), &["run", "--answers", "answers.jsonl", "--markdown", "out.md"]);
    let told = ["refused as expected 1/1 1.0", "refused wrongly 1/2 .50", "refused in part 1/3 .33"];
    for words in told {
        assert!(ran.out.contains(words), "{words} is not in:\n{}\n{}", ran.out, ran.err);
    }
    let markdown = std::fs::read_to_string(folder.path().join("out.md")).unwrap();
    for words in ["refused as expected 1/1: 1.00", "refused wrongly 1/2: 0.50", "refused in part 1/3: 0.33"] {
        assert!(markdown.contains(words), "{words} is not in:\n{markdown}");
    }
    let latest = std::fs::read_to_string(folder.path().join(".ragline/runs/latest")).unwrap();
    let record = folder.path().join(".ragline/runs").join(latest.trim()).join("run.json");
    let record: Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
    let refusals = &record["suites"][0]["refusals"];
    for (name, hits, of) in [("recall", 1, 1), ("false_rate", 1, 2), ("partial", 1, 3)] {
        assert_eq!((&refusals[name]["hits"], &refusals[name]["of"]), (&json!(hits), &json!(of)), "{name}");
    }
}

/// Another list is another measure: accepted outcomes are not compared under it in silence.
#[test]
fn the_wordings_are_part_of_the_measure() {
    let folder = Folder::with(&[("suites/shop.yaml", SUITE), ("answers.jsonl", ANSWERS)]);
    let measure = || {
        ragline(folder.path(), &["run", "--answers", "answers.jsonl"]);
        let latest = std::fs::read_to_string(folder.path().join(".ragline/runs/latest")).unwrap();
        let record = folder.path().join(".ragline/runs").join(latest.trim()).join("run.json");
        let record: Value = serde_json::from_slice(&std::fs::read(record).unwrap()).unwrap();
        record["suites"][0]["measure"].as_str().unwrap().to_owned()
    };
    let before = measure();
    folder.write("ragline.toml", b"version = 1\n");
    assert_eq!(measure(), before);
    folder.write("ragline.toml", OWN.as_bytes());
    let with = measure();
    assert_ne!(with, before);
    folder.write("ragline.toml", OWN.replace("secret sauce", "secret sauces").as_bytes());
    assert_ne!(measure(), with);
}

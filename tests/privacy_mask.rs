//! `[privacy] mask`: answers are checked as they came, and nothing that is written or reported holds what is masked.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;

use binary_kit::{Folder, lines, outcome};
use proptest::prelude::*;
use ragline::privacy::{Kind, Masker};
use serde_json::json;
use std::path::Path;

const RAGLINE: &str = r#"version = 1
[targets.bot]
kind = "recorded"
file = "answers.jsonl"
[privacy]
mask = ["email", "phone", "regex:KH-[0-9]{4}"]
"#;

const SUITE: &str = r#"version: 1
suite: help
language: en
target: bot
questions:
  - id: courier
    question: Whom do I call about my parcel?
    facts: ["0912 345 678", "KH-2077"]
    evidence: [{ doc: people.md }]
  - id: wrong
    question: Whom do I call at night?
    facts: ["at night"]
    evidence: [{ doc: people.md }]
  - id: broken
    question: Who are you?
    facts: ["Lan"]
"#;

/// What must never be seen, whole or in parts.
const PERSONAL: [&str; 8] =
    ["0912", "345 678", "0987", "654 321", "987654321", "lan@example", "example.com", "KH-2077"];

fn project() -> Folder {
    let passage = json!({"doc": "people.md", "text": "Lan (KH-2077) answers at 0912 345 678 and lan@example.com."});
    let answers = [
        json!({"id": "courier", "answer": "Call Lan (KH-2077) at 0912 345 678, or write to lan@example.com, within 7 days.",
               "contexts": [passage, {"doc": "days.md", "text": "Write within 7 days.", "url": "https://x.example/?to=lan@example.com"}],
               "citations": [{"quote": "Lan (KH-2077) answers at 0912 345 678"}]}),
        json!({"id": "wrong", "answer": "At night call 0987 654 321, or 13 others.", "contexts": [passage]}),
        json!({"id": "broken", "error": "user lan@example.com (0912 345 678) is locked"}),
    ];
    let text: Vec<String> = answers.iter().map(ToString::to_string).collect();
    Folder::with(&[
        ("ragline.toml", RAGLINE),
        ("suites/help.yaml", SUITE),
        ("answers.jsonl", &(text.join("\n") + "\n")),
    ])
}

/// The same without an error, so that all of it can be accepted.
fn measured() -> Folder {
    let folder = project();
    let text = folder.read("answers.jsonl");
    let broken = text.lines().find(|l| l.contains("is locked")).unwrap();
    let whole = json!({"id": "broken", "answer": "I am Lan.", "contexts": [{"text": "Lan"}]}).to_string();
    folder.write("answers.jsonl", text.replace(broken, &whole).as_bytes());
    folder
}

/// Every file of a folder, but for what the test itself wrote.
fn written(folder: &Folder) -> Vec<(String, String)> {
    let own = |path: &Path| ["answers.jsonl", "help.yaml", "ragline.toml"].iter().any(|name| path.ends_with(name));
    let files = folder.all_files().into_iter().filter(|(path, _)| !own(path));
    files.map(|(path, b)| (path.to_string_lossy().into_owned(), String::from_utf8_lossy(&b).into_owned())).collect()
}

#[track_caller]
fn is_clean(name: &str, text: &str) {
    for p in PERSONAL {
        assert!(!text.contains(p), "{p} in {name}:\n{text}");
    }
}

const REPORTS: [&str; 7] =
    ["run", "--junit", "out/junit.xml", "--markdown", "out/report.md", "--results", "out/results.jsonl"];

#[test]
fn nothing_personal_is_written_and_every_check_saw_it() {
    let folder = project();
    let ran = folder.run(&REPORTS);
    is_clean("stdout", &ran.out);
    is_clean("stderr", &ran.err);
    let results = folder.results();
    for layer in ["retrieval", "facts", "numbers"] {
        assert_eq!(outcome(&results["courier"], layer), "pass", "{}", results["courier"]);
    }
    assert_eq!(outcome(&results["wrong"], "numbers"), "fail");
    let files = written(&folder);
    assert!(files.len() >= 6, "{files:?}");
    for (name, text) in &files {
        is_clean(name, text);
    }
    let journal = std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap();
    let courier = lines(&journal).find(|l| l["id"] == "courier").unwrap();
    assert_eq!(courier["response"]["answer"], "Call Lan (‹masked›) at ‹phone›, or write to ‹email›, within 7 days.");
    assert_eq!(courier["response"]["citations"][0]["quote"], "Lan (‹masked›) answers at ‹phone›");
    assert_eq!(courier["response"]["contexts"][0]["doc"], "people.md");
    assert_eq!(courier["response"]["contexts"][1]["url"], "https://x.example/?to=‹email›");
    assert_eq!(courier["response"]["masked"], true);
    let broken = lines(&journal).find(|l| l["id"] == "broken").unwrap();
    assert_eq!(broken["response"]["error"], "user ‹email› (‹phone›) is locked");
    // The finding still says what it is about, and points at it.
    let wrong = &results["wrong"];
    let numbers = &wrong["layers"]["numbers"];
    let shown = numbers.to_string();
    assert!(shown.contains("‹phone›"), "{shown}");
    let answer: Vec<char> = "At night call ‹phone›, or 13 others.".chars().collect();
    for n in numbers["numbers"].as_array().unwrap() {
        let at = |key: &str| usize::try_from(n[key].as_u64().unwrap()).unwrap();
        let piece: String = answer[at("start")..at("end")].iter().collect();
        assert_eq!(n["text"], json!(piece), "{numbers}");
    }
}

#[test]
fn accepted_answers_are_masked_and_the_next_run_is_unchanged() {
    let folder = measured();
    folder.run(&["run"]).exits(2);
    folder.run(&["accept", "--first", "--reason", "first look"]).exits(0);
    for (name, text) in written(&folder) {
        is_clean(&name, &text);
    }
    let accepted = folder.read("suites/help.accepted.jsonl");
    assert!(accepted.contains("‹phone›") && accepted.contains("\"masked\":true"), "{accepted}");
    folder.run(&["run"]);
    let results = folder.results();
    assert_eq!(results["courier"]["change"], "unchanged", "{}", results["courier"]);
    // Its passages are those of then, though one side was masked long ago and the other just now.
    folder.write(
        "answers.jsonl",
        folder.read("answers.jsonl").replace("example.com, within 7", "example.com, within 9").as_bytes(),
    );
    let ran = folder.run(&["run"]).exits(1);
    is_clean("stdout", &ran.out);
    let results = folder.results();
    assert_eq!(results["courier"]["change"], "regressed", "{}", results["courier"]);
    assert_eq!(results["courier"]["same_contexts"], true, "{}", results["courier"]);
    assert!(ran.out.contains("7 days"), "the accepted answer is shown:\n{}", ran.out);
}

#[test]
fn a_masked_accepted_answer_is_not_scored_again() {
    let folder = measured();
    folder.run(&["run"]).exits(2);
    folder.run(&["accept", "--first", "--reason", "first look"]).exits(0);
    let baseline = folder.read("suites/help.baseline.toml");
    let measure = baseline.lines().find(|l| l.starts_with("measure = ")).unwrap();
    folder.write("suites/help.baseline.toml", baseline.replace(measure, "measure = \"0000000000000000\"").as_bytes());
    folder.run(&["run"]);
    // From its masked text the facts would fail, and that would look like a rule that changed.
    assert_eq!(folder.results()["courier"]["change"], "incomparable", "{}", folder.results()["courier"]);
}

#[test]
fn a_masked_line_of_a_journal_is_asked_again() {
    let folder = project();
    folder.run(&["run"]);
    let first = folder.results();
    let run = folder.last_run();
    std::fs::remove_file(run.join("run.json")).unwrap();
    std::fs::remove_file(run.join("results.jsonl")).unwrap();
    std::fs::remove_file(run.parent().unwrap().join("latest")).unwrap();
    let ran = folder.run(&["run", &format!("--resume={}", run.file_name().unwrap().to_string_lossy())]);
    assert!(ran.out.contains("NO BASELINE YET"), "{}{}", ran.out, ran.err);
    assert_eq!(folder.last_run(), run);
    assert_eq!(folder.results(), first);
    for (name, text) in written(&folder) {
        is_clean(&name, &text);
    }
}

/// The numbers layer may read `4111 1111 1111 1111` as four numbers, and quote each.
#[test]
fn parts_of_a_number_are_taken_out_too() {
    let folder = project();
    let mask = r#"["card", "zh-id", "th-id", "vn-cccd"]"#;
    folder.write("ragline.toml", RAGLINE.replace(r#"["email", "phone", "regex:KH-[0-9]{4}"]"#, mask).as_bytes());
    let numbers =
        ["4111 1111 1111 1111", "11010519491231002X", "1-2345-45678-78-1", "001 099 012 345", "๑-๒๓๔๕-๔๕๖๗๘-๗๘-๑"];
    let passage = json!({"doc": "people.md", "text": "Paid with 4242 4242 4242 4242 by 110101199003070011."});
    for id in ["courier", "wrong"] {
        for n in numbers {
            let answer = json!({"id": id, "answer": format!("At night: {n} or 13."), "contexts": [passage]});
            folder.write("answers.jsonl", format!("{answer}\n").as_bytes());
            let ran = folder.run(&REPORTS);
            let mut all = written(&folder);
            all.push(("stdout".into(), ran.out));
            for (name, text) in all {
                for part in n.split([' ', '-']).filter(|p| p.chars().count() >= 4).chain(["4242"]) {
                    assert!(!text.contains(part), "{part} of {n} in {name}:\n{text}");
                }
            }
        }
    }
}

#[test]
fn without_mask_nothing_changes() {
    let folder = project();
    folder.write("ragline.toml", RAGLINE.split("[privacy]").next().unwrap().as_bytes());
    folder.run(&["run"]);
    let journal = std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap();
    assert!(journal.contains("0912 345 678") && !journal.contains("masked"), "{journal}");
}

#[test]
fn a_wrong_item_is_shown_at_its_place() {
    let folder = project();
    folder.write("ragline.toml", RAGLINE.replace("\"phone\"", "\"phones\"").as_bytes());
    folder.run(&["run"]).exits(2).says(&["`phones` is no kind of personal data", "th-id", "ragline.toml:6"]);
    folder.write("ragline.toml", RAGLINE.replace("KH-[0-9]{4}", "KH-(").as_bytes());
    folder.run(&["lint"]).exits(2).says(&["this is no regular expression", "ragline.toml:6"]);
}

fn all() -> Masker {
    let mut items: Vec<String> = Kind::ALL.iter().map(|k| k.name().to_owned()).collect();
    items.push("regex:[A-Z]{2}-[0-9]+".to_owned());
    Masker::new(&items).unwrap()
}

/// Texts in which numbers, addresses and their pieces stand close together.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("0912 345 678".to_owned()),
        Just("4111111111111111".to_owned()),
        Just("lan@example.com".to_owned()),
        Just("๐๘๑-๒๓๔-๕๖๗๘".to_owned()),
        Just("001099012345".to_owned()),
        Just("11010519491231002X".to_owned()),
        Just("AB-12".to_owned()),
        Just("‹phone›".to_owned()),
        "[ .,()/@+-]{1,2}",
        "[0-9]{1,12}",
        "[a-z]{1,6}",
        "[ก-ฮ一-龥đơư‹›]{1,3}",
    ];
    proptest::collection::vec(piece, 0..10).prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn masking_again_changes_nothing(text in text()) {
        let masker = all();
        let once = masker.text(&text).into_owned();
        prop_assert_eq!(masker.text(&once).into_owned(), once.clone());
    }

    #[test]
    fn spans_stay_within_the_text(text in text(), a in 0_usize..60, b in 0_usize..60) {
        let n = text.chars().count();
        let (start, end) = (a.min(b).min(n), a.max(b).min(n));
        if let Some(masked) = all().mask(&text) {
            let ((s, e), _) = masked.span(start, end);
            prop_assert!(s <= e && e <= masked.text.chars().count(), "{start}..{end} is {s}..{e} of {}", masked.text);
            prop_assert_eq!(masked.span(0, n).0, (0, masked.text.chars().count()));
        }
    }

    #[test]
    fn no_text_breaks_it(text in ".{0,120}") {
        let _ = all().text(&text);
    }
}

/// A number that layers take apart, normalise, and quote with other separators: no form of it is left anywhere.
#[test]
fn no_form_of_a_masked_number_is_left() {
    let ragline = "version = 1\n[targets.bot]\nkind = \"recorded\"\nfile = \"answers.jsonl\"\n\
                   [privacy]\nmask = [\"regex:0255 018 44[0-9]\"]\n";
    let suite = r#"version: 1
suite: help
language: en
target: bot
questions:
  - id: claims
    question: What is the number of the doctor at home?
    expect: refuse
  - id: apart
    question: Which number do I call?
    facts: [The line of the doctor]
  - id: value
    question: How many do you have?
    facts: [{ number: { value: 12 } }]
"#;
    let call = "The line is 0255 018 440.";
    let answers = [
        json!({"id": "claims", "answer": "I have no information about the doctor. But 0255 018 440 costs 35 dollars a minute.", "refused": true,
               "contexts": [{"doc": "a.md", "text": "Nothing."}]}),
        json!({"id": "apart", "answer": format!("There is one. {call} It is open."), "contexts": [{"doc": "a.md", "text": "0255 018 440 or 0255.018.440"}]}),
        json!({"id": "value", "answer": call, "contexts": [{"doc": "a.md", "text": "Call 0255 018 441."}]}),
    ];
    let text: Vec<String> = answers.iter().map(ToString::to_string).collect();
    let folder = Folder::with(&[
        ("ragline.toml", ragline),
        ("thresholds.toml", "version = 1\nbaseline = \"none\"\n"),
        ("suites/help.yaml", suite),
        ("answers.jsonl", &(text.join("\n") + "\n")),
    ]);
    let ran = folder.run(&REPORTS).exits(1);
    let results = folder.results();
    let claims = results["claims"]["layers"]["refusal"].to_string();
    assert!(claims.contains("claims ‹masked›, 35"), "{claims}");
    let apart = results["apart"]["layers"]["facts"].to_string();
    assert!(apart.contains("Nearest: “The line is ‹masked›.”"), "{apart}");
    let mut all = written(&folder);
    all.push(("stdout".to_owned(), ran.out));
    all.push(("stderr".to_owned(), ran.err));
    for (id, _) in results {
        all.push((format!("show {id}"), folder.run(&["show", &id]).exits(0).out));
    }
    for (name, text) in &all {
        // The passage has another form of it, which the pattern does not name; all that is ours is clean of any.
        let ours = text.replace("0255.018.440", "");
        for p in ["0255", "018", "440", "44 ", "255018", "‹‹", "››"] {
            let digest_or_time = name.contains("runs/") || name.contains("results.jsonl");
            if p.starts_with(char::is_numeric) && p.len() <= 3 && digest_or_time {
                continue;
            }
            assert!(!ours.contains(p), "{p} in {name}:\n{text}");
        }
    }
}

//! The examples of the pages are tried out: what is called wrong gives the code that it stands under, and what is called right
//! gives no error.

use crate::SUITE;
use crate::binary_kit::{Folder, Ran};
use ragline::problem::manual;

/// The two halves of an example: a block holds `# wrong`, then `# right`.
struct Example {
    code: &'static str,
    language: String,
    wrong: String,
    right: String,
}

fn examples() -> Vec<Example> {
    let mut found = Vec::new();
    for s in manual::sections() {
        for block in s.text.split("\n```").skip(1).step_by(2) {
            let (language, body) = block.split_once('\n').unwrap();
            let mark = if language == "jsonc" { "//" } else { "#" };
            let body = format!("{body}\n");
            let halves =
                body.strip_prefix(&format!("{mark} wrong\n")).and_then(|b| b.split_once(&format!("{mark} right\n")));
            let (wrong, right) = halves.unwrap_or_else(|| panic!("{}: an example without its halves", s.code));
            let language = language.to_owned();
            found.push(Example { code: s.code, language, wrong: wrong.to_owned(), right: right.to_owned() });
        }
    }
    found
}

/// Whether a line begins so.
fn has(text: &str, begin: &str) -> bool {
    text.lines().any(|l| l.starts_with(begin))
}

/// A whole suite, or the keys of one question.
fn suite(text: &str) -> String {
    if has(text, "version:") || has(text, "questions:") {
        return text.to_owned();
    }
    let question = if has(text, "question:") { "" } else { "    question: When do you open?\n" };
    let keys: String = text.lines().map(|l| format!("    {l}\n")).collect();
    format!("version: 1\nsuite: shop\nquestions:\n  - id: a\n{question}{keys}")
}

/// Whole settings, or some keys of a target that is asked over HTTP.
fn settings(text: &str) -> String {
    if has(text, "[") {
        return format!("version = 1\n{text}");
    }
    let mut out = "version = 1\n[targets.bot]\n".to_owned();
    if !has(text, "kind") {
        out += "kind = \"http\"\n";
        for (key, value) in [
            ("url", "\"http://127.0.0.1:8000/chat\""),
            ("body", "'{\"q\": {{ question }}}'"),
            ("response", "{ answer = \"$.a\" }"),
        ] {
            let said = has(text, key) || (key == "body" && has(text, "query"));
            if !said {
                out += &format!("{key} = {value}\n");
            }
        }
    }
    out + text
}

/// Puts one half of an example where it belongs and has it looked at.
fn look(code: &str, language: &str, text: &str) -> Vec<Ran> {
    let plan = ["run", "--plan", "--target", "bot"];
    if language == "yaml" {
        return vec![Folder::with(&[("suites/shop.yaml", &suite(text))]).run(&["lint"])];
    }
    if language == "jsonc" && code == "header-missing" {
        return vec![Folder::with(&[("suites/shop.jsonl", text)]).run(&["lint"])];
    }
    if language == "jsonc" {
        let folder = Folder::with(&[("suites/shop.yaml", SUITE), ("answers.jsonl", text)]);
        return vec![folder.run(&["run", "--answers", "answers.jsonl"])];
    }
    assert_eq!(language, "toml", "{code}");
    if code.starts_with("baseline-") {
        let with_corpus = SUITE.replace("suite: shop\n", "suite: shop\ncorpus: ../docs\n");
        let files =
            [("suites/shop.yaml", &*with_corpus), ("docs/a.md", "# A\n\nb\n"), ("suites/shop.baseline.toml", text)];
        return vec![Folder::with(&files).run(&["run", "--plan"])];
    }
    if code.starts_with("threshold-") || code == "duplicate-layer" {
        let text = format!("version = 1\n{text}");
        return vec![Folder::with(&[("suites/shop.yaml", SUITE), ("thresholds.toml", &text)]).run(&["lint"])];
    }
    let text = settings(text);
    let folder = Folder::with(&[("suites/shop.yaml", SUITE), ("ragline.toml", &text)]);
    let mut ran = vec![folder.run(&["lint"])];
    if text.contains("[targets.bot]") {
        ran.push(folder.run(&plan));
    }
    ran
}

#[test]
fn every_example_gives_its_code_and_what_mends_it_does_not() {
    let all = examples();
    let mut faults = String::new();
    for e in &all {
        let said = |ran: &[Ran]| ran.iter().map(|r| r.err.as_str()).collect::<String>();
        let wrong = said(&look(e.code, &e.language, &e.wrong));
        let shown = [format!("error[{}]", e.code), format!("warning[{}]", e.code)];
        if !shown.iter().any(|s| wrong.contains(s)) {
            faults += &format!(
                "{}: called wrong, and gives
{wrong}
{}
",
                e.code, e.wrong
            );
        }
        let right = said(&look(e.code, &e.language, &e.right));
        if right.contains("error[") || shown.iter().any(|s| right.contains(s)) {
            faults += &format!(
                "{}: called right, and gives
{right}
{}
",
                e.code, e.right
            );
        }
    }
    assert!(faults.is_empty(), "{faults}");
    for language in ["yaml", "toml", "jsonc"] {
        assert!(all.iter().filter(|e| e.language == language).count() >= 4, "{language}");
    }
}

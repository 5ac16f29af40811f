//! Failures of one kind are told together, whatever the server put into each; while something was not measured,
//! nothing is proposed to be accepted.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod binary_kit;
mod server_kit;

use binary_kit::{Folder, Ran};
use serde_json::json;
use server_kit::{Script, Server};

/// Forty questions, and the answer to each where the server has one.
fn project(url: &str) -> Folder {
    let toml = format!(
        "version = 1\n[targets.rag]\nkind = \"http\"\nurl = \"{url}\"\nretries = 0\n\
         body = '{{\"q\": {{{{ question }}}}}}'\nresponse = {{ answer = \"$.answer\" }}\n"
    );
    let mut suite = "version: 1\nsuite: s\nlanguage: en\ntarget: rag\nquestions:\n".to_owned();
    for n in 0..40 {
        suite += &format!("  - {{ id: q{n}, question: \"What costs number {n}?\", facts: [dollars] }}\n");
    }
    Folder::with(&[("ragline.toml", &toml), ("suites/s.yaml", &suite)])
}

/// An error as a gateway words it: its ids and the time first, the question echoed, what is wrong at the end.
fn failing(number: usize, question: &str) -> Script {
    let body = format!(
        r#"{{"trace":"{number:08x}-77ab","at":"2026-11-30T10:{:02}:00Z","asked":"{question}","fault":{{"code":"IDX_4","message":"index kb-fees is missing"}}}}"#,
        number % 60
    );
    Script::json(500, &body)
}

fn question(seen: &server_kit::Seen) -> String {
    seen.json()["q"].as_str().unwrap().to_owned()
}

#[track_caller]
fn is_told_once(ran: &Ran, n: usize) {
    let out = &ran.out;
    assert_eq!(out.matches("HTTP 500").count(), 1, "{out}");
    for words in [&format!("? {n} questions"), &format!("and {} alike", n - 1), "index kb-fees is missing"] {
        assert!(out.contains(words), "{words:?} is not in:\n{out}");
    }
}

#[test]
fn a_first_run_of_a_broken_system_tells_one_story_and_proposes_no_baseline() {
    let server = Server::start(|seen| failing(seen.number, &question(seen)));
    let folder = project(&server.url("/ask"));
    let ran = folder.run(&["run", "--markdown", "report.md"]).exits(2);
    is_told_once(&ran, 40);
    for text in [&ran.out, &folder.read("report.md")] {
        assert!(!text.contains("accept --first"), "{text}");
    }
}

#[test]
fn what_was_measured_can_be_accepted_and_the_rest_is_told_together() {
    let server = Server::start(|seen| {
        let question = question(seen);
        let n: usize = question.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap();
        let answer = if n == 3 { "Nobody knows." } else { "Two dollars." };
        if n < 10 {
            Script::json(200, &json!({ "answer": answer }).to_string())
        } else {
            failing(seen.number, &question)
        }
    });
    let folder = project(&server.url("/ask"));
    let ran = folder.run(&["run"]).exits(2).shows(&["ragline show s::q3"]);
    is_told_once(&ran, 30);
    assert!(!ran.out.contains("accept --first"), "a baseline of a quarter is not the first step: {}", ran.out);
    // With a baseline too.
    let good = Server::start(|_| Script::json(200, r#"{"answer":"Two dollars."}"#));
    let toml = folder.read("ragline.toml");
    folder.write("ragline.toml", toml.replace(&server.url("/ask"), &good.url("/ask")).as_bytes());
    folder.run(&["run"]).exits(2);
    folder.run(&["accept", "--first", "--reason", "first"]).exits(0);
    folder.write("ragline.toml", toml.as_bytes());
    let ran = folder.run(&["run"]);
    is_told_once(&ran, 30);
}

#[test]
fn failures_of_two_kinds_are_two_stories() {
    let server = Server::start(|seen| match seen.number % 2 {
        0 => failing(seen.number, &question(seen)),
        _ => Script::json(403, &json!({"message": format!("no access, request {}", seen.number)}).to_string()),
    });
    let ran = project(&server.url("/ask")).run(&["run"]).exits(2);
    assert_eq!(ran.out.matches("? 20 questions").count(), 2, "{}", ran.out);
    assert!(ran.out.contains("HTTP 500") && ran.out.contains("HTTP 403"), "{}", ran.out);
    assert_eq!(ran.out.matches("and 19 alike").count(), 2, "{}", ran.out);
}

#[test]
fn a_line_keeps_what_a_json_error_says() {
    // Three are told one by one.
    let server = Server::start(|seen| match seen.number {
        0..3 => failing(seen.number, &question(seen)),
        _ => Script::json(200, r#"{"answer":"Two dollars."}"#),
    });
    let ran = project(&server.url("/ask")).run(&["run"]).exits(2);
    let lines: Vec<&str> = ran.out.lines().filter(|l| l.contains("HTTP 500")).collect();
    assert_eq!(lines.len(), 3, "{}", ran.out);
    for line in lines {
        assert!(line.contains("index kb-fees") && !line.contains("trace"), "{line}");
    }
}

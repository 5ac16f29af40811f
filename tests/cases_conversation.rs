//! Settings that check less than they seem to, and questions that must not know of each other.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod binary_kit;
mod case_kit;
mod server_kit;

use case_kit::{http, project, run_with, told};
use server_kit::{Script, Server};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// A system with a memory: who comes with a cookie or a session that it knows is told so.
fn forgetful() -> Server {
    let known: Mutex<BTreeSet<String>> = Mutex::default();
    Server::start(move |seen| {
        let body = seen.json();
        let fresh = known.lock().unwrap().insert(body["session"].as_str().unwrap().to_owned());
        if seen.header("cookie").is_some() || !fresh {
            return Script::json(200, r#"{"answer": "As said before."}"#);
        }
        // Each question is turned away once: an attempt is no other question.
        if seen.number % 2 == 0 && seen.number < 4 {
            return Script::reply(500, &["set-cookie: sid=failed; Path=/"], "worker died");
        }
        let headers = ["content-type: application/json", "set-cookie: sid=1; Path=/", "set-cookie: other=2"];
        Script::reply(200, &headers, r#"{"answer": "09:00"}"#)
    })
}

/// C01 beyond its row (`http_run.rs`): attempts, the same question in two suites, and the command.
#[test]
fn no_attempt_of_any_suite_comes_from_a_conversation() {
    for concurrency in [1, 8] {
        let server = forgetful();
        let more = format!("concurrency = {concurrency}\nretries = 2");
        let folder = project(&http(&server.url("/ask"), &more), &["a", "b", "c"]);
        let again = folder.read("suites/s.yaml").replace("suite: s", "suite: t");
        folder.write("suites/t.yaml", again.as_bytes());
        run_with(&folder, &[], &["run"]).0.exits(0);
        let log = server.log();
        let sessions: BTreeSet<String> = log.iter().map(|s| s.json()["session"].to_string()).collect();
        assert_eq!((log.len(), sessions.len()), (8, 8), "six questions, two attempts more");
        assert!(log.iter().all(|s| s.header("cookie").is_none()));
    }
}

#[test]
fn a_command_gets_a_session_of_its_own_for_each_question() {
    for persistent in [false, true] {
        let bot = format!(
            "kind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\npersistent = {persistent}\nconcurrency = 1\n\
             provides = [\"answer\"]"
        );
        let folder = project(&bot, &["a", "b", "c"]);
        let script = "while read -r line; do echo \"$line\" >> asked; echo '{\"answer\":\"09:00\"}'; done";
        folder.write("bot.sh", script.as_bytes());
        run_with(&folder, &[], &["run"]).0.exits(0);
        let sessions: BTreeSet<String> =
            binary_kit::lines(&folder.read("asked")).map(|l| l["session"].to_string()).collect();
        assert_eq!(sessions.len(), 3);
    }
}

/// C02, C03 and C04 for the settings of targets: nothing that is written there is without effect and without a word.
#[test]
fn a_setting_that_has_no_effect_is_an_error_with_its_line() {
    let good = http("http://127.0.0.1:1/ask", "retries = 1");
    let rows: BTreeMap<&str, (&str, &str, &[&str])> = BTreeMap::from([
        // Given twice, also by other spellings.
        ("twice", ("retries = 1", "retries = 1\nretries = 2", &["retries", "ragline.toml"] as &[&str])),
        ("twice-quoted", ("retries = 1", "retries = 1\n\"retries\" = 2", &["retries"])),
        ("header-twice", ("retries = 1", "headers = { X-Team = \"a\", X-Team = \"b\" }", &["X-Team"])),
        ("header-case", ("retries = 1", "headers = { X-Team = \"a\", x-team = \"b\" }", &["x-team", "X-Team"])),
        (
            "section-twice",
            (
                "[targets.bot.response]",
                "[targets.bot.response]\ncontexts = \"$.c\"\n[targets.bot.response]",
                &["response"],
            ),
        ),
        ("dotted", ("retries = 1", "timeout = { run = \"1h\" }\ntimeout.run = \"2h\"", &["timeout"])),
        // Names that nothing reads.
        ("timeouts", ("retries = 1", "timeouts = { attempt = \"1s\" }", &["timeouts", "timeout"])),
        ("retry", ("retries = 1", "retry = 1", &["retry", "retries"])),
        ("attempts", ("retries = 1", "timeout = { atempt = \"1s\" }", &["atempt", "attempt"])),
        ("header", ("retries = 1", "header = { A = \"b\" }", &["header", "headers"])),
        ("answers", ("answer = \"$.answer\"", "answers = \"$.answer\"", &["answers", "answer"])),
        (
            "context",
            (
                "answer = \"$.answer\"",
                "answer = \"$.answer\"\ncontexts = \"$.c[*]\"\ncontext = { document = \"$.d\" }",
                &["document", "doc"],
            ),
        ),
        ("strip", ("answer = \"$.answer\"", "answer = { path = \"$.a\", strip = \"x\" }", &["strip"])),
        // A section one level too deep, or one too high.
        ("deep", ("answer = \"$.answer\"", "answer = \"$.answer\"\nretries = 2", &["retries"])),
        ("in-vars", ("retries = 1", "vars = { retries = 2, timeout = { attempt = \"1s\" } }", &["timeout"])),
        ("high", ("kind = \"http\"", "kind = \"http\"\nanswer = \"$.answer\"", &["answer"])),
        ("of-command", ("retries = 1", "persistent = true", &["persistent"])),
        ("of-recorded", ("retries = 1", "file = \"a.jsonl\"", &["file"])),
        // Parts without a whole.
        (
            "context-alone",
            ("answer = \"$.answer\"", "answer = \"$.answer\"\ncontext = { doc = \"$.d\" }", &["context"]),
        ),
        (
            "citation-alone",
            ("answer = \"$.answer\"", "answer = \"$.answer\"\ncitation = { doc = \"$.d\" }", &["citation"]),
        ),
        ("delta-json", ("answer = \"$.answer\"", "delta = \"$.d\"", &["delta", "stream"])),
        // Values that cannot be meant.
        ("no-unit", ("retries = 1", "timeout = { attempt = 30 }", &["30s"])),
        ("negative", ("retries = 1", "retries = -1", &["retries"])),
        ("nan", ("retries = 1", "price = { input = nan, output = 1.0 }", &["input"])),
        ("rate", ("retries = 1", "rate = \"0/s\"", &["rate"])),
        ("inner", ("retries = 1", "timeout = { attempt = \"2m\", question = \"1m\" }", &["attempt", "question"])),
        ("no-path", ("\"$.answer\"", "\"answer\"", &["$"])),
        ("two-names", ("{{ question }}", "{{ queston }}", &["queston", "question"])),
        ("no-vars", ("{{ question }}", "{{ question }}, \"m\": {{ model }}", &["model"])),
        ("env-alone", ("{{ question }}", "{{ question }}, \"m\": \"$MODEL\"", &[])),
    ]);
    let mut wrong = String::new();
    for (name, (from, to, words)) in rows {
        assert!(good.contains(from), "{name}");
        let folder = project(&good.replace(from, to), &["a"]);
        let (ran, _) = run_with(&folder, &[], &["run"]);
        // `$NAME` is a text like any other: it is sent as it stands.
        let right = if name == "env-alone" { 3 } else { 2 };
        if ran.exit != right
            || !words.iter().all(|w| ran.err.contains(w))
            || (right == 2 && !ran.err.contains("ragline.toml:"))
        {
            wrong += &format!("--- {name}: exit {}\n{}{}\n", ran.exit, ran.out.lines().next().unwrap_or(""), ran.err);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// C03: what thresholds ask of a target that cannot give it.
#[test]
fn a_threshold_of_what_the_target_does_not_return_is_no_pass() {
    let server = Server::start(|_| Script::json(200, r#"{"answer": "09:00"}"#));
    let folder = project(&http(&server.url("/"), ""), &["a"]);
    let with = |rule: &str| {
        let text = format!("version = 1\nbaseline = \"none\"\n[suite.s]\n{rule} = {{ min = 0.5 }}\n");
        folder.write("thresholds.toml", text.as_bytes());
        run_with(&folder, &[], &["run"]).0
    };
    with("\"facts.rate\"").exits(0);
    with("\"facts.rat\"").exits(2).says(&["facts.rate", "thresholds.toml:4"]);
    with("\"retrieval.hit@3\"").exits(3).shows(&["retrieval.hit@3"]);
    assert_eq!(told(&folder)["a"].facts, "pass");
}

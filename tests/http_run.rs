//! Systems over HTTP, through the binary: what a run says, decides and leaves behind.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod binary_kit;
mod server_kit;

use binary_kit::{Folder, Ran, outcome};
use serde_json::{Value, json};
use server_kit::{Script, Server, dead_port};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

const ALONE: &str = "version = 1\nbaseline = \"none\"\n";

/// A project whose suite `s` asks a target at this address; `more` are lines of the target, `mapping` of its `response`.
fn project(url: &str, more: &str, mapping: &str, questions: &str) -> Folder {
    let toml = format!(
        "version = 1\n[targets.rag]\nkind = \"http\"\nurl = \"{url}\"\nretries = 0\n\
         body = '{{\"id\": {{{{ id }}}}, \"session\": {{{{ session }}}}, \"q\": {{{{ question }}}}}}'\n{more}\n\
         [targets.rag.response]\n{mapping}\n"
    );
    let suite = format!("version: 1\nsuite: s\ntarget: rag\nquestions:\n{questions}");
    Folder::with(&[("ragline.toml", &toml), ("thresholds.toml", ALONE), ("suites/s.yaml", &suite)])
}

const ANSWER: &str = "answer = \"$.answer\"";
const HOURS: &str = "  - { id: q1, question: \"When does it open?\", facts: [\"09:00\"] }\n";

/// A run of the question about the hours at a path of a server.
fn hours(url: &str, more: &str) -> (Folder, Ran) {
    let folder = project(url, more, ANSWER, HOURS);
    let ran = folder.run(&["run"]);
    (folder, ran)
}

#[test]
fn an_answer_is_checked() {
    let server = Server::start(|_| Script::json(200, r#"{"answer": "It opens at 09:00."}"#));
    let (folder, ran) = hours(&server.url("/ask"), "");
    ran.exits(0);
    assert_eq!(outcome(&folder.results()["q1"], "facts"), "pass");
    assert_eq!(server.log()[0].json()["q"], "When does it open?");
}

/// A run that only came to its end by asking again says so: the next one may not.
#[test]
fn what_was_asked_again_is_told() {
    let first = Mutex::new(0);
    let server = Server::start(move |_| {
        let mut n = first.lock().unwrap();
        *n += 1;
        if *n < 3 { Script::json(503, r#"{"error": "loading"}"#) } else { Script::json(200, r#"{"answer": "09:00"}"#) }
    });
    let folder = project(&server.url("/ask"), "", ANSWER, HOURS);
    let settings = folder.read("ragline.toml").replace("retries = 0", "retries = 3");
    folder.write("ragline.toml", settings.as_bytes());
    folder.run(&["run"]).exits(0).says(&["asked again 2 times: HTTP 503 Service Unavailable (2)"]);
}

#[test]
fn no_failure_of_the_call_is_a_verdict() {
    let page = "<title>Sign in</title> opening hours 09:00 {\"answer\": \"09:00\"}";
    let server = Server::start(move |seen| match seen.path() {
        "/0" => Script::redirect(302, "/login"),
        "/1" => Script::redirect(301, "/1/"),
        "/2" => Script::redirect(307, "http://127.0.0.1:1/"),
        "/3" => Script::html(200, "{\"answer\": \"09:00\"}"),
        "/4" => Script::json(200, r#"{"error": {"code": 429, "message": "slow down until 09:00"}}"#),
        "/5" => Script::json(200, r#"{"choices": null, "error": "closed, 09:00"}"#),
        "/6" => Script::json(200, r#"{"choices": [], "note": "09:00"}"#),
        "/7" => Script::json(200, r#"{"detail": "index not loaded at 09:00"}"#),
        "/8" => Script::json(200, ""),
        "/9" => Script::json(200, "null"),
        "/10" => Script::json(200, "[]"),
        "/11" => Script::reply(503, &["retry-after: 86400"], "09:00"),
        _ => Script::html(200, page),
    });
    let words = [
        "redirected to",
        "redirected to",
        "redirected to",
        "web page",
        "rate limited",
        "closed, 09:00",
        "`note`",
        "index not loaded",
        "the body is empty",
        "null",
        "[]",
        "HTTP 503",
        "Sign in",
    ];
    for (n, word) in words.into_iter().enumerate() {
        let (folder, ran) = hours(&server.url(&format!("/{n}")), "");
        // 3: not all could be measured.
        let ran = ran.exits(3);
        let results = folder.results();
        assert_eq!(outcome(&results["q1"], "facts"), "unmeasured", "/{n}");
        let whole = format!("{}{}{}", ran.out, ran.err, results["q1"]);
        assert!(whole.contains(word), "{word:?} of /{n} is not in:\n{whole}");
    }
    let (_, ran) = hours(&format!("http://127.0.0.1:{}/", dead_port()), "");
    let ran = ran.exits(3);
    assert!(format!("{}{}", ran.out, ran.err).contains("refused"), "{}{}", ran.out, ran.err);
}

#[test]
fn settings_that_cannot_work_are_refused_with_their_line() {
    let folder = project("http://127.0.0.1:1/", "", ANSWER, HOURS);
    let toml = folder.read("ragline.toml");
    let with = |from: &str, to: &str| {
        folder.write("ragline.toml", toml.replace(from, to).as_bytes());
        folder.run(&["run"]).exits(2)
    };
    with("{{ question }}", "\"{{ question }}\"").says(&["write {{ question }} without quotes", "ragline.toml:6"]);
    with("{{ question }}", "\"What?\"").says(&["the question is nowhere in the request", "ragline.toml:6"]);
    with("{{ question }}", "{{ question }}, \"k\": \"${NO_SUCH_KEY}\"").says(&["NO_SUCH_KEY", "is not set"]);
    with(ANSWER, "").says(&["ragline target check"]);
    assert!(folder.runs().is_empty(), "nothing was run");
}

#[test]
fn order_and_concurrency_change_nothing() {
    let known = Mutex::new(BTreeSet::new());
    let server = Server::start(move |seen| {
        let fresh = known.lock().unwrap().insert(seen.json()["session"].to_string());
        let text = if seen.header("cookie").is_some() || !fresh {
            "as said before".to_owned()
        } else {
            format!("The code is {}.", seen.json()["id"].as_str().unwrap())
        };
        let wait = Duration::from_millis(10 + 10 * (seen.number as u64 % 5));
        Script::reply(200, &["set-cookie: sid=1"], json!({"answer": text}).to_string()).after(wait)
    });
    let line = |n: u32| format!("  - {{ id: q{n}, question: \"Code {n}?\", facts: [\"q{n}\"] }}\n");
    let forward: String = (1..=12).map(line).collect();
    let backward: String = (1..=12).rev().map(line).collect();
    for (questions, concurrency) in [(&forward, 1), (&backward, 1), (&forward, 8)] {
        let folder = project(&server.url("/"), &format!("concurrency = {concurrency}"), ANSWER, questions);
        folder.run(&["run"]).exits(0);
        let results = folder.results();
        assert_eq!(results.len(), 12);
        assert!(results.values().all(|r| outcome(r, "facts") == "pass"), "{results:?}");
    }
    let log = server.log();
    let sessions: BTreeSet<String> = log.iter().map(|s| s.json()["session"].to_string()).collect();
    assert_eq!((log.len(), sessions.len()), (36, 36));
    assert!(log.iter().all(|s| s.header("cookie").is_none()));
    assert!((2..=8).contains(&server.most_at_once()), "{}", server.most_at_once());
}

/// I02.
#[test]
fn ids_are_compared_digit_by_digit() {
    let server = Server::start(|seen| {
        let id = match seen.json()["id"].as_str().unwrap() {
            "a" => "9007199254740992",
            "b" => "9007199254740993",
            "c" => "\"9007199254740993\"",
            "d" => "7",
            "e" => "\"007\"",
            "f" => "0",
            "g" => "\"0\"",
            "h" => "18446744073709551616",
            "i" => "1e3",
            _ => "-0",
        };
        Script::json(200, &format!("{{\"hits\": [{{\"id\": {id}, \"body\": \"t\"}}]}}"))
    });
    let gold = [
        ("a", "9007199254740993", false),
        ("b", "9007199254740993", true),
        ("c", "9007199254740993", true),
        ("d", "\"007\"", false),
        ("e", "\"007\"", true),
        ("f", "0", true),
        ("g", "0", true),
        ("h", "18446744073709551616", true),
        ("i", "1000", false),
        ("j", "0", false),
    ];
    let questions: String = gold
        .iter()
        .map(|(id, doc, _)| format!("  - {{ id: {id}, question: Which?, evidence: [{{ doc: {doc} }}] }}\n"))
        .collect();
    let mapping = "contexts = \"$.hits[*]\"\ncontext = { doc = \"$.id\", text = \"$.body\" }";
    let folder = project(&server.url("/"), "", mapping, &questions);
    folder.run(&["run"]).exits(1);
    let results = folder.results();
    for (id, _, hit) in gold {
        let right = if hit { "pass" } else { "fail" };
        assert_eq!(outcome(&results[id], "retrieval"), right, "{id}: {}", results[id]);
    }
    let journal = std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap();
    for digits in ["18446744073709551616", "9007199254740993", "1e3", "-0"] {
        assert!(journal.contains(digits), "{digits} is not in the journal");
    }
}

/// E09.
#[test]
fn nothing_that_a_run_leaves_holds_a_secret() {
    let server = Server::start(|seen| match seen.json()["id"].as_str().unwrap() {
        "q1" => Script::reply(401, &[], "bad token tok_9f3c77aa12 for zz998877"),
        _ => Script::json(
            200,
            r#"{"answer": "09:00 tok_9f3c77aa12, \u007az998877, dXNlcjpwdzEyMzQ1Ng==", "contexts": ["pw123456 opens at 09:00"]}"#,
        ),
    });
    let url = server.url("/ask?api_key=zz998877").replace("http://", "http://user:pw123456@");
    let questions = format!("{HOURS}{}", HOURS.replace("q1", "q2"));
    let mapping = format!("{ANSWER}\ncontexts = \"$.contexts\"");
    let folder = project(&url, "headers = { X-Api-Key = \"Bearer ${RAG_TOKEN}\" }", &mapping, &questions);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ragline"));
    command.current_dir(folder.path()).args([
        "run",
        "--markdown",
        "out.md",
        "--junit",
        "out.xml",
        "--results",
        "out.jsonl",
    ]);
    let done = command.env("RAG_TOKEN", "tok_9f3c77aa12").env_remove("CI").output().unwrap();
    let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    assert_eq!(done.status.code(), Some(3), "{out}{err}");
    assert!(out.contains("HTTP 401") || err.contains("HTTP 401"), "{out}{err}");
    let mut texts = vec![("stdout".to_owned(), out), ("stderr".to_owned(), err)];
    let files = folder.all_files().into_iter().filter(|(path, _)| !path.ends_with("ragline.toml"));
    texts.extend(files.map(|(path, b)| (path.display().to_string(), String::from_utf8_lossy(&b).into_owned())));
    assert!(texts.iter().any(|(name, t)| name.ends_with("out.xml") && t.contains("bad token *** for ***")));
    for (name, text) in &texts {
        for secret in ["tok_9f3c77aa12", "pw123456", "zz998877", "dXNlcjpwdzEyMzQ1Ng"] {
            assert!(!text.contains(secret), "{secret} is in {name}");
        }
    }
    let line: Value = folder.results()["q2"].clone();
    assert_eq!(outcome(&line, "facts"), "pass", "the rest of the answer is judged");
}

#[test]
fn an_order_can_be_drawn_and_drawn_again() {
    let server = Server::start(|_| Script::json(200, r#"{"answer": "It opens at 09:00."}"#));
    let questions: String =
        (1..=12).map(|i| format!("  - {{ id: q{i:02}, question: \"When?\", facts: [\"09:00\"] }}\n")).collect();
    let folder = project(&server.url("/"), "concurrency = 1", ANSWER, &questions);
    let order = |args: &[&str]| {
        let from = server.count();
        let ran = folder.run(args).exits(0);
        let ids: Vec<String> =
            server.log()[from..].iter().map(|s| s.json()["id"].as_str().unwrap().to_owned()).collect();
        (ids, ran.err, folder.read("r.jsonl"))
    };
    let (plain, _, results) = order(&["run", "--results", "r.jsonl"]);
    assert!(plain.is_sorted());
    let (drawn, said, same) = order(&["run", "--results", "r.jsonl", "--shuffle"]);
    assert_eq!(same, results, "results stand in the order of the suite");
    let word = said.split_whitespace().find(|w| w.starts_with("--shuffle=")).unwrap();
    let (again, _, _) = order(&["run", "--results", "r.jsonl", word]);
    assert_eq!(again, drawn, "the seed that was printed draws the same");
    assert!(drawn != plain || order(&["run", "--results", "r.jsonl", "--shuffle=7"]).0 != plain);
}

/// A project with so many questions, one at a time, and a rate that leaves its connection idle between them.
fn one_by_one(url: &str, rate: &str, n: usize) -> Folder {
    let questions: String =
        (1..=n).map(|i| format!("  - {{ id: q{i}, question: \"When? {i}\", facts: [\"09:00\"] }}\n")).collect();
    project(url, &format!("concurrency = 1\n{rate}"), ANSWER, &questions)
}

fn journal(folder: &Folder) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap();
    binary_kit::lines(&text).skip(1).collect()
}

#[test]
fn a_server_that_ends_idle_connections_fails_no_question_even_without_retries() {
    let answer = r#"{"answer": "At 09:00."}"#;
    let server = Server::impatient(Duration::from_millis(500), move |_| Script::json(200, answer));
    let folder = one_by_one(&server.url("/"), "rate = \"1/s\"", 3);
    folder.run(&["run"]).exits(0);
    assert_eq!(server.count(), 3);
    assert!(server.connections() >= 3, "{} connections: none was ended between questions", server.connections());
}

#[test]
fn a_dead_connection_costs_an_attempt_that_is_told_and_not_counted() {
    // Each connection is good for one request; the next on it is cut off, in either way, before a byte comes back.
    let server = Server::start(|seen| match (seen.on_connection, seen.number % 2) {
        (0, _) => Script::json(200, r#"{"answer": "At 09:00."}"#),
        (_, 0) => Script::close_at_once(),
        (_, _) => Script::default().reset(),
    });
    let folder = one_by_one(&server.url("/"), "", 4);
    folder.run(&["run"]).exits(0);
    let told: Vec<_> = journal(&folder).iter().flat_map(|l| l["attempts"].as_array().unwrap().clone()).collect();
    assert_eq!(told.len(), server.count(), "an attempt is a request: {told:?}");
    assert!(told.iter().filter(|a| a["kind"] == "cut").count() >= 2, "{told:?}");
    // Where the new connection dies too, that is the server's doing: without retries the question is not asked again.
    let server = Server::start(|seen| match seen.number {
        0 => Script::json(200, r#"{"answer": "At 09:00."}"#),
        _ => Script::close_at_once(),
    });
    let folder = one_by_one(&server.url("/"), "", 2);
    folder.run(&["run"]).exits(3);
    assert_eq!(server.count(), 3);
    let lines = journal(&folder);
    assert_eq!(lines[1]["attempts"].as_array().unwrap().len(), 2, "{}", lines[1]);
}

#[test]
fn target_check_asks_once_more_where_a_redirect_left_a_dead_connection() {
    let server = Server::start(|seen| match (seen.path(), seen.on_connection) {
        (_, 1..) => Script::close_at_once(),
        ("/", _) => Script::redirect(307, "/there"),
        _ => Script::json(200, r#"{"answer": "At 09:00."}"#),
    });
    let folder = project(&server.url("/"), "", ANSWER, HOURS);
    folder.run(&["target", "check", "rag"]).exits(0).shows(&["At 09:00."]);
    let paths: Vec<String> = server.log().iter().map(|s| s.path().to_owned()).collect();
    assert_eq!(paths, ["/", "/there", "/", "/there"]);
}

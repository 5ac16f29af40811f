//! Keys that come back from everywhere, and keys that are not there: what every command prints and writes.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "tests fail by a panic")]

mod answers_kit;
mod binary_kit;
mod case_kit;
mod server_kit;

use answers_kit::run_with as plain_run;
use binary_kit::{Folder, Ran};
use case_kit::{http, project, run_with, told};
use server_kit::{Script, Seen, Server};

const TOKEN: &str = "tok_9f3c77aa12";
const QUERY: &str = "zz998877";
/// What no output may hold: the token, the password of the address, the key of its query, and `user:pw123456` in base64.
const SECRETS: [&str; 4] = [TOKEN, "pw123456", QUERY, "dXNlcjpwdzEyMzQ1Ng"];
const VARIABLES: [(&str, &str); 2] = [("RAG_TOKEN", TOKEN), ("RAG_KEY", QUERY)];

#[track_caller]
fn clean(what: &str, text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} is in {what}:\n{text}");
    }
}

/// Fails when a secret is in what was printed, or in any file but the settings.
#[track_caller]
fn all_clean(folder: &Folder, ran: &Ran) {
    clean("stdout", &ran.out);
    clean("stderr", &ran.err);
    for (path, bytes) in folder.all_files() {
        if !path.ends_with("ragline.toml") && !path.ends_with("bot.sh") {
            clean(&path.display().to_string(), &String::from_utf8_lossy(&bytes));
        }
    }
}

/// Says all that it knows, in the way that the question names.
fn echo(seen: &Seen) -> Script {
    let body = String::from_utf8_lossy(&seen.body).into_owned();
    let all = format!("bad token {TOKEN} for {QUERY}, pw123456, {}", seen.header("authorization").unwrap_or("?"));
    let text = serde_json::json!({"answer": format!("09:00 {all}"), "error": null}).to_string();
    let way = |name: &str| body.contains(&format!("\"{name}\""));
    if way("s401") {
        Script::reply(401, &[], &all)
    } else if way("s404") {
        Script::html(404, &format!("<title>{all}</title>"))
    } else if way("s422") {
        let error = serde_json::json!({"detail": [{"loc": ["header", TOKEN], "msg": all}]}).to_string();
        Script::json(422, &error)
    } else if way("to") {
        Script::redirect(302, &format!("/login?api_key={QUERY}&t={TOKEN}"))
    } else if way("page") {
        Script::html(200, &format!("<title>{all}</title>"))
    } else if way("cut") {
        Script::json(200, &text[..text.len() - 3])
    } else if way("keys") {
        Script::json(200, &serde_json::json!({TOKEN: QUERY}).to_string())
    } else {
        Script::json(200, &text)
    }
}

/// E09: every command, every report.
#[test]
fn no_command_prints_or_writes_a_secret() {
    let server = Server::start(echo);
    let url = server.url("/ask?api_key=${RAG_KEY}").replace("http://", "http://user:pw123456@");
    let ids = ["fine", "s401", "s404", "s422", "to", "page", "cut", "keys"];
    let folder = project(&http(&url, "retries = 0\nheaders = { X-Auth = \"Bearer ${RAG_TOKEN}\" }"), &ids);
    let reports = ["--junit", "o.xml", "--markdown", "o.md", "--results", "o.jsonl", "--save-answers", "saved.jsonl"];
    let runs: [&[&str]; 12] = [
        &["run"],
        &["run", "--plan"],
        &["run", "--answers", "fill"],
        &["run", "--answers", "replay"],
        &["run", "--answers", "replay", "--without-keys"],
        &["run", "--resume"],
        &["show", "s::fine"],
        &["show", "s::s401"],
        &["target", "check"],
        &["target", "check", "bot", "--raw"],
        &["accept", "--first", "--reason", "canary"],
        &["ask", "--target", "bot", "fine"],
    ];
    for words in runs {
        let mut args = words.to_vec();
        if words.first() == Some(&"run") && !words.contains(&"--plan") && !words.contains(&"--resume") {
            args.extend(reports);
        }
        let (ran, _) = run_with(&folder, &VARIABLES, &args);
        assert!(!ran.err.contains("unexpected argument"), "{args:?}: {}", ran.err);
        all_clean(&folder, &ran);
        if words == ["run"] {
            let told = told(&folder);
            assert_eq!(told["fine"].facts, "pass");
            told["s401"].is_unmeasured("s401", "status", &["HTTP 401", "bad token *** for ***"]);
            told["s404"].is_unmeasured("s404", "status", &["HTTP 404", "bad token ***", "/ask?api_key="]);
            told["s422"].is_unmeasured("s422", "status", &["header.***: bad token ***"]);
            told["to"].is_unmeasured("to", "redirected", &["/login?api_key=***"]);
            assert!(folder.read("o.xml").contains("HTTP 401"));
        }
    }
    assert!(
        server.log().iter().any(|s| s.header("x-auth") == Some("Bearer tok_9f3c77aa12")),
        "there was nothing to leak"
    );
    assert!(server.log().iter().any(|s| s.target.contains(QUERY)));
}

/// A secret that a stream cuts is one all the same.
#[test]
fn a_secret_in_pieces_is_a_secret() {
    let server = Server::start(|seen| {
        let pieces = ["It opens at 09:00, tok_9f3", "c77a", "a12", " or zz99", "8877", "."];
        let line = |p: &str| serde_json::json!({"delta": p}).to_string();
        if seen.path() == "/sse" {
            let events: String = pieces.iter().map(|p| format!("data: {}\n\n", line(p))).collect();
            Script::reply(200, &["content-type: text/event-stream"], events + "data: [DONE]\n\n")
        } else {
            let lines: String = pieces.iter().map(|p| format!("{}\n", line(p))).collect();
            Script::reply(200, &["content-type: application/x-ndjson"], lines + "{\"delta\": \"\", \"done\": true}\n")
        }
    });
    for stream in ["sse", "ndjson"] {
        let more = format!(
            "retries = 0\nstream = \"{stream}\"\nheaders = {{ A-Key = \"${{RAG_TOKEN}}\", B = \"${{RAG_KEY}}\" }}"
        );
        let bot =
            http(&server.url(&format!("/{stream}")), &more).replace("answer = \"$.answer\"", "delta = \"$.delta\"");
        let folder = project(&bot, &["a"]);
        for args in [
            &["run", "--answers", "fill"] as &[&str],
            &["show", "s::a"],
            &["target", "check"],
            &["ask", "--target", "bot", "x"],
        ] {
            let (ran, _) = run_with(&folder, &VARIABLES, args);
            all_clean(&folder, &ran);
        }
        assert_eq!(told(&folder)["a"].facts, "pass");
    }
}

/// The same where one response says it in parts that are joined.
#[test]
fn a_secret_in_parts_of_one_response_is_a_secret() {
    let server = Server::start(|_| Script::json(200, r#"{"parts": [{"t": "09:00 tok_9f3"}, {"t": "c77aa12"}]}"#));
    let bot = http(&server.url("/"), "headers = { A-Key = \"${RAG_TOKEN}\" }").replace("$.answer", "$.parts[*].t");
    let folder = project(&bot, &["a"]);
    let (ran, _) = run_with(&folder, &VARIABLES, &["run", "--results", "o.jsonl", "--answers", "fill"]);
    all_clean(&folder, &ran);
    assert_eq!(told(&folder)["a"].facts, "pass");
}

/// A program, and a server that is started, say what they were given.
#[test]
fn programs_and_servers_give_no_secret_away() {
    let bot = "kind = \"command\"\ncommand = [\"sh\", \"bot.sh\", \"${RAG_TOKEN}\"]\nretries = 0\nprovides = [\"answer\"]\n\
               stdin = '{\"id\": {{ id }}, \"k\": \"${RAG_KEY}\"}'";
    let folder = project(bot, &["a", "b", "c"]);
    let script = "read -r line\ncase \"$line\" in\n\
                  *'\"a\"'*) printf '{\"answer\":\"09:00 %s zz998877\"}' \"$1\";;\n\
                  *'\"b\"'*) echo \"no index for $1 $line\" >&2; exit 1;;\n\
                  *) echo \"not json $1 $line\";;\nesac";
    folder.write("bot.sh", script.as_bytes());
    for args in [&["run", "--junit", "o.xml", "--answers", "fill"] as &[&str], &["show", "s::b"], &["target", "check"]]
    {
        let (ran, _) = run_with(&folder, &VARIABLES, args);
        all_clean(&folder, &ran);
    }
    let of = told(&folder);
    assert_eq!(of["a"].facts, "pass");
    of["b"].is_unmeasured("b", "process", &["no index for ***"]);
    of["c"].is_unmeasured("c", "not-json", &["not json ***"]);

    let start = "start = [\"sh\", \"-c\", \"echo cannot log in with $0 >&2; exit 3\", \"${RAG_TOKEN}\"]\n\
                 ready = \"http://127.0.0.1:1/?k=${RAG_KEY}\"";
    let with_name = start.replace("http://127", "http://user:pw123456@127");
    let literal = with_name.replace("?k=${RAG_KEY}", "");
    for (start, exit, says) in [(start, 3, "cannot log in with ***"), (&with_name, 3, "***@"), (&literal, 2, "`ready`")]
    {
        let folder = project(&http("http://127.0.0.1:1/", start), &["a"]);
        let (ran, _) = run_with(&folder, &VARIABLES, &["run", "--junit", "o.xml"]);
        all_clean(&folder, &ran);
        assert!(format!("{}{}", ran.out, ran.err).contains(says), "{}{}", ran.out, ran.err);
        ran.exits(exit);
    }
}

/// F01 where a server is asked: what is missing is told before the first call, in one message, and an empty key is none.
#[test]
fn an_empty_key_is_no_key() {
    let server = Server::start(|_| Script::json(200, r#"{"answer": "09:00"}"#));
    let more = "headers = { Authorization = \"Bearer ${RAG_TOKEN}\", X-Key = \"${RAG_KEY}\" }";
    let folder = project(&http(&server.url("/"), more), &["a", "b"]);
    for variables in [&[] as &[(&str, &str)], &[("RAG_TOKEN", "")], &[("RAG_TOKEN", "  "), ("RAG_KEY", "\n")]] {
        let (ran, _) = run_with(&folder, variables, &["run"]);
        let ran = ran.exits(2).says(&["RAG_TOKEN", "RAG_KEY", "target `bot`"]);
        assert_eq!(ran.err.matches("error").count(), 1, "{}", ran.err);
        let (ran, _) = run_with(&folder, variables, &["target", "check"]);
        // It has no such option itself.
        ran.exits(2).says(&["set RAG_TOKEN", "`ragline run` has"]);
    }
    assert_eq!(server.count(), 0, "somebody was asked with an empty key");
    // What is there is sent as it is meant: the line break of a file is no part of a key.
    let key = [("RAG_TOKEN", "tok_9f3c77aa12\n"), ("RAG_KEY", "zz998877\r\n")];
    let ran = plain_run(&folder, &key, &["run"]).exits(0);
    all_clean(&folder, &ran);
    let log = server.log();
    assert_eq!(log[0].header("authorization"), Some("Bearer tok_9f3c77aa12"));
    assert_eq!(log[0].header("x-key"), Some(QUERY));
}

/// A message that shows a line of the settings shows no key that stands there.
#[test]
fn a_line_that_is_shown_shows_no_key() {
    let rows = [
        "headers = { Authorization = \"Bearer tok_9f3c77aa12\", \"X Y\" = \"a\" }",
        "headers = { X-Api-Key = \"zz998877\", x-api-key = \"tok_9f3c77aa12\" }",
        "query = { api_key = \"zz998877\", api_key = \"b\" }",
        "proxy = \"http://user:pw123456@127.0.0.1:x/\"",
        "ready = \"http://user:pw123456@127.0.0.1:1/?key=zz998877\"\nready = 1",
        "headers = { Cookie = \"sid=tok_9f3c77aa12\" } retries = 1",
        "vars = { api_key = \"tok_9f3c77aa12\", \"9\" = \"x\" }",
    ];
    for row in rows {
        let folder = project(&http("http://user:pw123456@127.0.0.1:1/?api_key=zz998877", row), &["a"]);
        let (ran, _) = run_with(&folder, &VARIABLES, &["run"]);
        all_clean(&folder, &ran);
        ran.exits(2).says(&["ragline.toml:"]);
    }
}

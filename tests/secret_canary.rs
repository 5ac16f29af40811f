//! Secrets reach nothing that is printed or written, whatever a server makes of them: a server that says everything back,
//! in every form, and a search over every file and stream.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "a test fails by a panic")]

mod server_kit;

use server_kit::{Script, Seen, Server};
use std::path::Path;
use std::process::Command;

/// Invented: in the environment, in a header, in the address, in its query, in the body.
const TOKEN: &str = "tok_9f3c77aa12/Q+z";
const HEADER_KEY: &str = "hk-5d1e88bb34";
const PASSWORD: &str = "pw1234:56&x";
const QUERY_KEY: &str = "zz998877\u{e9}w";
const BODY_KEY: &str = "body\"sec\\ret 77";

const SECRETS: [&str; 5] = [TOKEN, HEADER_KEY, PASSWORD, QUERY_KEY, BODY_KEY];

fn percent(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

fn escapes_in_lower_case(text: &str) -> String {
    let (first, rest) = text.split_once('%').unwrap_or((text, ""));
    let rest = rest.split('%').filter(|r| !r.is_empty()).map(|r| format!("%{}{}", r[..2].to_lowercase(), &r[2..]));
    first.to_owned() + &rest.collect::<String>()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<u8> = bytes.iter().flat_map(|b| (0..8).rev().map(move |i| b >> i & 1)).collect();
    let six = |c: &[u8]| (0..6).fold(0, |n, i| n * 2 + usize::from(*c.get(i).unwrap_or(&0)));
    let mut text: String = bits.chunks(6).map(|c| char::from(LETTERS[six(c)])).collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

fn json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The forms that are looked for: each must be absent from everything.
fn forms(secret: &str) -> Vec<String> {
    let mut forms = said(secret);
    // What is sure of base64 in the middle of a longer text, at its three beginnings, as it is and as it was sent.
    for sent in [secret.to_owned(), json(secret), percent(secret)] {
        let middle = (0..3).map(|n| {
            let whole = base64(format!("{}{sent}", "x".repeat(n)).as_bytes());
            whole[4..whole.len() - 4].to_owned()
        });
        forms.extend(middle.filter(|m| m.len() >= 8));
    }
    forms
}

/// The forms in which the server says a secret.
fn said(secret: &str) -> Vec<String> {
    let html = secret.replace('&', "&amp;").replace('"', "&quot;");
    let alone = base64(secret.as_bytes());
    let hex: String = secret.bytes().map(|b| format!("{b:02x}")).collect();
    vec![
        secret.to_owned(),
        percent(secret),
        escapes_in_lower_case(&percent(secret)),
        percent(secret).replace("%20", "+"),
        json(secret),
        json(&json(secret)),
        json(secret).replace('/', "\\/"),
        html,
        alone.trim_end_matches('=').to_owned(),
        alone.replace('+', "-").replace('/', "_"),
        hex.to_uppercase(),
        hex,
    ]
}

/// Everything that a request held, in many forms.
fn everything(seen: &Seen) -> String {
    let mut all = format!("{} {}\n", seen.method, seen.target);
    for (name, value) in &seen.headers {
        all += &format!("{name}: {value}\n");
    }
    all += &String::from_utf8_lossy(&seen.body);
    all = format!("{all} {} {}", base64(all.as_bytes()), percent(&all));
    for s in SECRETS {
        all += &said(s).join(" | ");
    }
    all
}

/// Answers by the question: as a success, or as one of several failures, and always with all that it knows.
fn echo(seen: &Seen) -> Script {
    let all = everything(seen);
    let body = String::from_utf8_lossy(&seen.body).into_owned();
    let answer = serde_json::json!({
        "answer": format!("Yes, within 7 days. {all}"),
        "passages": [{"doc": "a.md", "text": format!("Within 7 days. {all}"), "url": format!("https://x.example/?k={}", percent(TOKEN))}],
        TOKEN: {QUERY_KEY: 1},
    });
    let words = format!("bad token {TOKEN} for {QUERY_KEY}, {PASSWORD}; the index stays shut. {all}");
    let reply = |status, body: &str| {
        let echo = format!("x-echo: {TOKEN} {}", seen.target);
        Script::reply(status, &["content-type: application/json", &echo], body)
    };
    if body.contains("refused") {
        reply(401, &serde_json::json!({"error": words, "hint": "ask the keeper"}).to_string())
    } else if body.contains("plain") {
        reply(401, &format!("bad token {TOKEN} for {QUERY_KEY}; the index stays shut"))
    } else if body.contains("within") {
        reply(200, &serde_json::json!({"error": {"message": words}}).to_string())
    } else if body.contains("unmapped") {
        reply(200, &serde_json::json!({"other": words, TOKEN: QUERY_KEY}).to_string())
    } else if body.contains("broken") {
        reply(200, &format!("{{\"answer\": \"{all}"))
    } else {
        reply(200, &answer.to_string())
    }
}

const SUITE: &str = r#"version: 1
suite: help
language: en
target: shop
questions:
  - { id: fine, question: "Is it fine?", facts: ["7 days"], evidence: [{ doc: a.md }] }
  - { id: wrong, question: "Is it wrong?", facts: ["9 days"], evidence: [{ doc: b.md }] }
  - { id: refused, question: "Is it refused?", facts: ["7 days"] }
  - { id: plain, question: "Is it plain?", facts: ["7 days"] }
  - { id: within, question: "Is it within?", facts: ["7 days"] }
  - { id: unmapped, question: "Is it unmapped?", facts: ["7 days"] }
  - { id: broken, question: "Is it broken?", facts: ["7 days"] }
"#;

fn settings(server: &Server) -> String {
    let address = server.url("/ask").replace("http://", &format!("http://user:{}@", percent(PASSWORD)));
    format!(
        r#"version = 1
[targets.shop]
kind = "http"
url = "{address}?api_key=${{QUERY_KEY}}"
headers = {{ Authorization = "Bearer ${{RAG_TOKEN}}", "x-api-key" = "{HEADER_KEY}" }}
body = '{{"question": {{{{ question }}}}, "pass": "${{BODY_KEY}}"}}'
retries = 1
[targets.shop.response]
answer = "$.answer"
contexts = "$.passages[*]"
context = {{ text = "$.text", doc = "$.doc", url = "$.url" }}
"#
    )
}

fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text == "CI"
            || text.starts_with("RAGLINE_")
            || text.starts_with("GITHUB_")
            || text.to_ascii_lowercase().ends_with("_proxy")
        {
            command.env_remove(&name);
        }
    }
    command.env("RAG_TOKEN", TOKEN).env("QUERY_KEY", QUERY_KEY).env("BODY_KEY", BODY_KEY).env("COLUMNS", "2000");
    let done = command.current_dir(folder).args(args).output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (done.status.code().unwrap_or(-1), text(&done.stdout), text(&done.stderr))
}

/// Every file but those that the test wrote.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(at) = open.pop() {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path != folder.join("ragline.toml") && path != folder.join("suites/help.yaml") {
                found.push((path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap()));
            }
        }
    }
    found
}

#[track_caller]
fn is_clean(name: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for secret in SECRETS {
        for form in forms(secret) {
            let around = text.find(&form).map(|at| {
                let from = text[..at].char_indices().rev().nth(300).map_or(0, |(i, _)| i);
                text[from..].chars().take(700).collect::<String>()
            });
            assert!(around.is_none(), "a form of {secret} ({form}) in {name}:\n{}", around.unwrap_or_default());
        }
    }
}

#[test]
fn no_form_of_a_secret_is_printed_or_written() {
    let server = Server::start(echo);
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    std::fs::create_dir(folder.join("suites")).unwrap();
    std::fs::write(folder.join("suites/help.yaml"), SUITE).unwrap();
    std::fs::write(folder.join("ragline.toml"), settings(&server)).unwrap();
    let help = run(folder, &["run", "--help"]).1;
    let mut args = vec!["run", "--junit", "junit.xml", "--markdown", "report.md", "--results", "results.jsonl"];
    if help.contains("--save-answers") {
        args.extend(["--save-answers", "saved.jsonl"]);
    }
    let (_, out, err) = run(folder, &args);

    // The secrets were sent: else there was nothing to leak.
    let log = server.log();
    assert!(log.len() >= 7, "{out}{err}");
    let first = &log[0];
    let whole = format!("{} {:?} {}", first.target, first.headers, String::from_utf8_lossy(&first.body));
    for sent in [TOKEN, HEADER_KEY, &percent(QUERY_KEY), &json(BODY_KEY)] {
        assert!(whole.contains(sent) || whole.contains(&json(sent)), "{sent} was not sent: {whole}");
    }
    assert_eq!(first.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));

    is_clean("stdout", out.as_bytes());
    is_clean("stderr", err.as_bytes());
    let files = files(folder);
    for wanted in ["junit.xml", "report.md", "results.jsonl", "journal.jsonl"] {
        assert!(files.iter().any(|(name, _)| name.ends_with(wanted)), "{wanted}: {files:?}");
    }
    for (name, bytes) in &files {
        is_clean(name, bytes);
    }
    // What is no secret is still told.
    let read = |name: &str| {
        let (_, bytes) = files.iter().find(|(n, _)| n.ends_with(name)).unwrap();
        String::from_utf8_lossy(bytes).into_owned()
    };
    for name in ["journal.jsonl", "results.jsonl", "junit.xml"] {
        let text = read(name);
        assert!(text.contains("401") && text.contains("the index stays shut"), "{name}:\n{text}");
        assert!(text.contains("bad token *** for ***"), "{name}:\n{text}");
    }
    assert!(read("journal.jsonl").contains("Yes, within 7 days."));

    // Accepting writes answers that are committed.
    let (_, out, err) = run(folder, &["accept", "--first", "--reason", "canary"]);
    is_clean("stdout", out.as_bytes());
    is_clean("stderr", err.as_bytes());
    for (name, bytes) in &self::files(folder) {
        is_clean(name, bytes);
    }
}

#[test]
fn a_target_that_cannot_be_reached_shows_no_secret() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    std::fs::create_dir(folder.join("suites")).unwrap();
    std::fs::write(folder.join("suites/help.yaml"), SUITE).unwrap();
    let server = Server::start(echo);
    let text = settings(&server).replace("retries = 1", "retries = 0");
    drop(server);
    std::fs::write(folder.join("ragline.toml"), text).unwrap();
    let (exit, out, err) = run(folder, &["run", "--junit", "junit.xml", "--results", "results.jsonl"]);
    assert_ne!(exit, 0);
    is_clean("stdout", out.as_bytes());
    is_clean("stderr", err.as_bytes());
    for (name, bytes) in &files(folder) {
        is_clean(name, bytes);
    }
}

//! `ragline init --target` where the first attempt does not get through: what is told, what is written, and how it goes on.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod server_kit;

use binary_kit::Folder;
use serde_json::json;
use server_kit::{Script, Seen, Server};
use std::sync::atomic::{AtomicUsize, Ordering};

const BODY: &str = r#"{"inquiry": {"content": {"utterance": {{ question }}, "locale": "EN_GB"}}}"#;

fn fault(status: u16, reason: &str, message: &str) -> Script {
    Script::json(status, &json!({ "fault": { "reason": reason, "message": message } }).to_string())
}

/// A help desk that wants a token, a tenant, and the question two levels down; it streams.
fn desk(seen: &Seen) -> Script {
    if seen.path() != "/v2/inquiries" {
        return fault(404, "NOT_FOUND", "There is nothing here.");
    }
    match seen.header("x-tenant") {
        Some("hq") => {}
        Some(_) => return fault(403, "TENANT_UNKNOWN", "This tenant is not known."),
        None => return fault(400, "TENANT_MISSING", "Send the header X-Tenant."),
    }
    if seen.method != "POST" {
        return fault(405, "METHOD", "POST only.");
    }
    let body = seen.json();
    if !body["inquiry"].is_object() {
        return fault(422, "FIELD_INVALID", "An object is expected at inquiry.");
    }
    let content = &body["inquiry"]["content"];
    if content["locale"] != "EN_GB" || !content["utterance"].is_string() {
        return fault(422, "FIELD_INVALID", "inquiry.content.locale is EN_GB or VI_VN.");
    }
    let events = "event: passage\ndata: {\"doc\": \"kb/leave.md\", \"excerpt\": \"Staff have 18 days of leave each year.\", \"score\": 0.9, \"used\": true}\n\n\
        event: passage\ndata: {\"doc\": \"kb/sick.md\", \"excerpt\": \"A certificate is due on the third day.\", \"score\": 0.4, \"used\": false}\n\n\
        event: token\ndata: {\"t\": \"You have\"}\n\nevent: token\ndata: {\"t\": \" 18 days.\"}\n\n";
    Script::reply(200, &["content-type: text/event-stream"], events)
}

#[test]
fn a_body_of_ones_own_connects_at_once() {
    let server = Server::start(desk);
    let folder = Folder::new();
    let url = server.url("/v2/inquiries");
    let init = ["init", "--target", &url, "--header", "X-Tenant: hq", "--body", BODY, "--question", "How much leave?"];
    folder.run(&init).exits(0).shows(&["You have 18 days.", "passages 2", "wrote    suites/first.yaml"]);
    assert_eq!(server.count(), 2, "once as JSON, once as a stream");
    let toml = folder.read("ragline.toml");
    for line in [
        "stream = \"sse\"",
        "delta = \"$.t\"",
        "contexts = { path = \"$\", event = \"passage\" }",
        "in_prompt = \"$.used\"",
    ] {
        assert!(toml.contains(line), "{line} is not in\n{toml}");
    }
    folder.run(&["target", "check", "app"]).exits(0).shows(&["passages  2 from 2 events", "18 days."]);
    // What was connected is somebody's work now.
    folder.run(&init).exits(2).says(&["has a section [targets.app] already", "--name"]);
    assert_eq!(folder.read("ragline.toml"), toml);
}

#[test]
fn a_first_attempt_that_failed_is_gone_on_with() {
    let server = Server::start(desk);
    let folder = Folder::new();
    let url = server.url("/v2/inquiries");
    let init = ["init", "--target", &url, "--header", "X-Tenant: hq", "--question", "How much leave?"];
    let first = folder.run(&init).exits(2);
    let first = first.says(&["An object is expected at inquiry.", "--body", "ragline target check app --write"]);
    first.shows(&["not yet how the question is put", "wrote    suites/first.yaml"]);
    let toml = folder.read("ragline.toml");
    assert!(!toml.lines().any(|l| l.starts_with("body")), "{toml}");
    // Something of the user's beside it stays.
    folder.write("ragline.toml", format!("{toml}\n[privacy]\nmask = [\"phone\"]\n").as_bytes());
    folder
        .run(&[&init[..], &["--body", BODY]].concat())
        .exits(0)
        .shows(&["replaced [targets.app]", "wrote    suites/first.yaml"]);
    let toml = folder.read("ragline.toml");
    assert_eq!(toml.matches("[targets.app]").count(), 1, "{toml}");
    assert!(toml.contains("mask = [\"phone\"]") && toml.contains("utterance"), "{toml}");
    assert!(folder.read("suites/first.yaml").contains("You have 18 days."), "the answer to make facts of");
    folder.run(&["run"]).exits(2).shows(&["next", "ragline accept --first"]);
}

#[test]
fn what_is_wrong_is_said_for_what_it_is() {
    let server = Server::start(desk);
    let folder = Folder::new();
    let url = server.url("/v2/inquiries");
    let wrong = server.url("/v1/chat");
    for (args, says) in [
        // A wrong path is no wrong body.
        (
            vec!["--target", &wrong, "--header", "X-Tenant: hq"],
            vec!["error[wrong-path]", "404", "There is nothing here."],
        ),
        (vec!["--target", &url], vec!["error[header-missing]", "--header 'X-Tenant: …'", "TENANT_MISSING"]),
        (
            vec!["--target", &url, "--header", "X-Tenant: ${CARGO_PKG_NAME}"],
            vec!["403", "CARGO_PKG_NAME holds the right one"],
        ),
        (
            vec![
                "--target",
                &url,
                "--header",
                "X-Tenant: hq",
                "--body",
                "{\"inquiry\": {\"content\": {{ question }}}}",
            ],
            vec!["error[body-refused]", "inquiry.content.locale is EN_GB or VI_VN.", "mend --body"],
        ),
        (vec!["--target", &url, "--body", "{\"q\": 1}"], vec!["error[question-missing]", "write {{ question }}"]),
        (
            vec!["--target", &url, "--header", "X-Key: ${RAGLINE_TEST_NOT_SET}"],
            vec!["error[env-missing]", "export NAME"],
        ),
    ] {
        let all = [vec!["init"], args.clone()].concat();
        folder.run(&all).exits(2).says(&says);
        assert!(folder.files().is_empty(), "{args:?}: nothing is written, and the same command can be given again");
    }
}

#[test]
fn a_key_is_never_written() {
    let server = Server::start(desk);
    let folder = Folder::new();
    let url = server.url("/v2/inquiries");
    let secret = "slg-7Yw2-loose-key";
    let with_key = format!("{url}?api_key={secret}");
    let header = format!("Authorization: Bearer {secret}");
    let tenant_key = format!("X-Tenant-Key: {secret}");
    let cookie = format!("Cookie: session={secret}");
    let body = format!("{{\"q\": {{{{ question }}}}, \"access_token\": \"{secret}\"}}");
    let formless = format!("Bearer {secret}");
    for args in [
        ["--target", &url, "--header", &header],
        ["--target", &url, "--header", &tenant_key],
        ["--target", &url, "--header", &cookie],
        ["--target", &url, "--body", &body],
        ["--target", &with_key, "--question", "Why?"],
        ["--target", &url, "--header", &formless],
    ] {
        let mut ran = folder.run(&[&["init"][..], &args].concat()).exits(2);
        if args[3] != formless {
            ran = ran.says(&["error[key-in-settings]", "'${NAME}'", "export NAME"]);
        }
        assert!(!ran.out.contains(secret) && !ran.err.contains(secret), "{}{}", ran.out, ran.err);
        assert!(folder.files().is_empty(), "{args:?}");
    }
    assert_eq!(server.count(), 0, "and nobody was asked");
}

#[test]
fn a_busy_api_is_asked_again() {
    let count = AtomicUsize::new(0);
    let server = Server::start(move |_| match count.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => fault(503, "REFRESH", "The library is being refreshed, please ask again."),
        _ => Script::json(200, r#"{"answer": "You have 18 days of leave.", "outcome": "ANSWERED"}"#),
    });
    let folder = Folder::new();
    folder.run(&["init", "--target", &server.url("/"), "--body", BODY]).exits(0).shows(&["18 days"]);
    let away = Server::start(|_| fault(503, "REFRESH", "Please ask again."));
    let folder = Folder::new();
    folder.run(&["init", "--target", &away.url("/"), "--body", BODY]).exits(2).says(&["503", "busy or away"]);
    assert!(folder.files().is_empty());
}

//! `ragline lint --recordings`: keys and personal data in files that are committed are errors, and are never shown whole.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "a test fails by a panic")]

mod binary_kit;

use binary_kit::{Folder, ragline};
use ragline::privacy::allow::Allowed;
use ragline::privacy::{keys, survey};
use std::path::Path;

/// Invented values in the forms that issuers use; put together here, so that no scanner takes this file for a leak.
fn key_samples() -> Vec<String> {
    let body = "Zk3v9Qp1Xw7Ls5Td2Rb8Nc4Mf6Hj0Gy";
    vec![
        format!("sk-{}", &body[..24]),
        format!("sk-proj-{body}"),
        format!("sk-ant-api03-{body}"),
        format!("sk_live_{}", &body[..24]),
        format!("AKIA{}", &body[..16].to_uppercase()),
        format!("ghp_{body}12345"),
        format!("github_pat_{body}_{body}"),
        format!("xoxb-123456789012-{body}"),
        format!("AIza{body}-_ab"),
        format!("hf_{body}"),
        format!("glpat-{}", &body[..20]),
        format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJsYW4ifQ.{body}"),
        format!("-----BEGIN {}PRIVATE KEY-----", "RSA "),
        format!("Bearer {body}"),
        format!("https://user:{}@host.example/x", &body[..8]),
        format!("api_key = \"{}\"", &body[..20]),
        format!("\"client_secret\": \"{}\"", &body[..20]),
        format!("PASSWORD={}", &body[..12]),
    ]
}

#[test]
fn keys_are_known_by_their_forms() {
    for sample in key_samples() {
        let text = format!("thì {sample} nhé");
        assert_eq!(keys::find(&text).len(), 1, "{text}: {:?}", keys::find(&text));
    }
    for text in [
        "Authorization: Bearer ${SHOP_TOKEN}",
        "Bearer authentication is required here",
        "password: must-have-at-least-ten-letters",
        "token: ***",
        "the key = {{ vars.key }}",
        "api_key = \"aaaaaaaaaaaaaaaa1111\"",
        "https://host.example/a:b@c",
        "https://user@host.example/",
        "ask-the-keeper-about-this-thing",
        "task-1234567890 and risk-free",
        "key: 12345678901234567890",
        "eyJ is how JSON begins in base64",
        "subject = \"a41c9e0b6f2d47e1\"",
        "chunk: bao-hanh.md#3, token usage: 911",
        "-----BEGIN PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
    ] {
        assert_eq!(keys::find(text), [], "{text}");
    }
}

#[test]
fn what_stands_in_json_is_read_as_json() {
    let line = r#"{"id":"a","answer":"call 0912 345 678 or lan@example.com","contexts":[{"text":"x","score":19.4111111111111111,"start":4111111111111111}],"api_key":"Zk3v9Qp1Xw7Ls5Td"}"#;
    let hits: Vec<(u32, &str, String)> = survey::survey(&format!("{{}}\n{line}\n"), &Allowed::default())
        .into_iter()
        .map(|h| (h.line, h.what, h.shown))
        .collect();
    let key = "a value that is named a key, token, secret or password";
    let wanted = [(2, "phone", "09…".to_owned()), (2, "email", "la…".to_owned()), (2, key, "Zk…".to_owned())];
    for w in &wanted {
        assert!(hits.contains(w), "{w:?}: {hits:?}");
    }
    assert_eq!(hits.len(), wanted.len(), "{hits:?}");
}

/// What this program itself writes down of a request and of a subject looks like chance and is no key.
#[test]
fn our_own_fingerprints_are_no_keys() {
    let suite = "version: 1\nsuite: shop\ntarget: shop\nlanguage: en\nquestions:\n  - { id: a, question: How long?, facts: [seven days] }\n";
    let folder = Folder::with(&[
        (
            "ragline.toml",
            "version = 1\n[targets.shop]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\nresponse = { answer = \"$.answer\" }\n",
        ),
        ("suites/shop.yaml", suite),
        ("bot.sh", "cat > /dev/null; printf '{\"answer\":\"seven days\"}'\n"),
    ]);
    folder.run(&["run", "--answers", "fill", "--save-answers", "recordings/saved.jsonl"]).exits(2);
    folder.run(&["accept", "--first", "--reason", "first look"]).exits(0);
    let recording = folder.read("recordings/shop.jsonl");
    let line: serde_json::Value = serde_json::from_str(recording.lines().nth(1).unwrap()).unwrap();
    let key = line["key"].as_str().unwrap();
    assert!(recording.contains("\"subject\"") && key.len() == 32, "{recording}");
    folder.run(&["lint", "--recordings"]).exits(0).shows(&["4 files, 0 errors"]);

    let what = "a value that is named a key, token, secret or password";
    let found = |line: &str| -> Vec<&'static str> {
        survey::survey(line, &Allowed::default()).into_iter().map(|h| h.what).collect()
    };
    assert_eq!(found(&format!(r#"{{"id":"a","key":"{key}","subject":"{key}","answer":"x"}}"#)), [""; 0]);
    // Anywhere else, under any other name, in any other form, it is one.
    for line in [
        format!(r#"{{"key":"{key}"}}"#),
        format!(r#"{{"id":"a","answer":"x","contexts":[{{"text":"t","key":"{key}"}}]}}"#),
        format!(r#"{{"id":"a","answer":"x","api_key":"{key}"}}"#),
        format!(r#"{{"id":"a","answer":"x","key":"{}"}}"#, key.to_uppercase().replace('A', "G") + "G"),
        format!(r#"{{"id":"a","answer":"the key: {key}"}}"#),
    ] {
        assert_eq!(found(&line), [what], "{line}");
    }
    assert_eq!(found(&format!(r#"{{"id":"a","answer":"x","key":"sk-{key}"}}"#)).len(), 1, "a key by its form");
}

const SUITE: &str = "version: 1\nsuite: help\nlanguage: en\nquestions:\n  - id: a\n    question: Who is lan@example.com?\n    facts: [Lan]\n";

fn response(answer: &str) -> String {
    format!("{{\"version\":1,\"kind\":\"responses\",\"suite\":\"help\"}}\n{{\"id\":\"a\",\"answer\":\"{answer}\"}}\n")
}

#[test]
fn a_project_is_surveyed_whole_and_nothing_is_shown_whole() {
    let key = key_samples().remove(0);
    let folder = Folder::with(&[
        ("suites/help.yaml", SUITE),
        ("suites/help.accepted.jsonl", &response("Call 0912 345 678.")),
        ("recordings/deep/bot.jsonl", &response(&format!("The key is {key}."))),
        ("fixtures/bot.jsonl", &response("มือถือ ๐๘๑-๒๓๔-๕๖๗๘")),
        ("fixtures/other.jsonl", "{\"name\":\"lan@example.com\"}\n"),
        ("notes.md", "lan@example.com"),
    ]);
    let ran = folder.run(&["lint", "--recordings"]).exits(2);
    let ran = ran.says(&[
        "personal data (email): la…",
        "suites/help.yaml:6",
        "personal data (phone): 09…",
        "suites/help.accepted.jsonl:2",
        "this looks like a key of OpenAI",
        "recordings/deep/bot.jsonl:2",
        "personal data (phone): ๐๘…",
        "fixtures/bot.jsonl:2",
    ]);
    for secret in ["lan@example", "345 678", &key[4..], "๒๓๔", "fixtures/other", "notes.md"] {
        assert!(!ran.err.contains(secret) && !ran.out.contains(secret), "{secret} in:\n{}{}", ran.out, ran.err);
    }
    ran.shows(&["4 files, 4 errors"]);
    // A named file or folder is looked at instead.
    folder.run(&["lint", "--recordings", "fixtures/bot.jsonl"]).exits(2).shows(&["1 files, 1 errors"]);
    folder.run(&["lint", "--recordings", "notes.md"]).exits(2).says(&["notes.md:1"]);
    folder.run(&["lint", "--recordings", "nothing.jsonl"]).exits(2).says(&["there is no nothing.jsonl"]);
    // The usual lint does not look there.
    folder.run(&["lint"]).exits(0);
}

#[test]
fn a_hotline_is_clean_and_no_file_at_all_is_not() {
    let folder =
        Folder::with(&[("suites/help.yaml", &SUITE.replace("lan@example.com", "at 1900 1234, or 1800-123-456"))]);
    folder.run(&["lint", "--recordings"]).exits(0).shows(&["1 files, 0 errors"]);
    Folder::new().run(&["lint", "--recordings"]).exits(4).shows(&["0 files"]);
}

#[test]
fn the_files_of_this_repository_are_clean() {
    let ran = ragline(Path::new(env!("CARGO_MANIFEST_DIR")), &["lint", "--recordings"]).exits(0);
    assert!(!ran.out.contains("0 files"), "{}", ran.out);
    ragline(Path::new(env!("CARGO_MANIFEST_DIR")), &["lint", "--recordings", "fixtures", "suites"]).exits(0);
}

const SETTINGS: &str = r#"version = 1
[targets.clinic]
kind = "http"
url = "http://127.0.0.1:1/ask?api_key=lotus-url-key"
headers = { X-Clinic-Key = "lotus-dev-key", Accept = "application/json", Idempotency-Key = "always-the-same" }
query = { token = "lotus-query-token", lang = "en" }
body = '{"q": {{ question }}, "password": "lotus-body-word"}'
[targets.local]
kind = "http"
url = "http://user:lotus-password@127.0.0.1:1/ask"
headers = { Authorization = "Bearer EMPTY", X-Api-Key = "${LOCAL_KEY}" }
query = { key = "none" }
[targets.bot]
kind = "command"
command = ["sh", "bot.sh", "--api-key", "lotus-argument"]
"#;

/// The name of a setting says that its value is a key, whatever it looks like.
#[test]
fn keys_that_stand_in_the_settings_are_named_and_not_shown() {
    let folder = Folder::with(&[
        ("ragline.toml", SETTINGS),
        (
            "suites/help.yaml",
            &SUITE.replace("lan@example.com", "the boss").replace("language: en", "language: en\ntarget: bot"),
        ),
    ]);
    for (args, exit) in [(&["lint"][..], 0), (&["lint", "--recordings"], 0), (&["lint", "--strict"], 2)] {
        let ran = folder.run(args).exits(exit).says(&[
            "ragline.toml:4",
            "query parameter `api_key`",
            "ragline.toml:5",
            "header `X-Clinic-Key`",
            "write `${CLINIC_KEY}`",
            "ragline.toml:6",
            "write `${CLINIC_TOKEN}`",
            "ragline.toml:7",
            "`body`, member `password`",
            "ragline.toml:10",
            "the password of `url`",
            "write `${LOCAL_PASSWORD}`",
            "ragline.toml:15",
            "`command`, argument `api-key`",
        ]);
        assert_eq!(ran.err.matches("key-in-settings").count(), 6, "{}", ran.err);
        assert!(!ran.err.contains("lotus") && !ran.out.contains("lotus"), "{}{}", ran.out, ran.err);
        ran.shows(&["6 warnings"]);
    }
    folder.run(&["lint", "--recordings", "--strict"]).exits(2).shows(&["1 files, 0 errors, 6 warnings"]);
    // Files that are named are looked at, and nothing else.
    folder.run(&["lint", "--recordings", "suites"]).exits(0).shows(&["1 files, 0 errors\n"]);
}

/// The hotlines and offices of a company stand in its policies, its answers and its facts.
#[test]
fn what_is_public_can_be_allowed_and_nothing_else() {
    let suite = |allow: &str| {
        format!(
            "version: 1\nsuite: s\ntarget: bot\nlanguage: en\n{allow}questions:\n  - {{ id: a, question: Whom do I call?, \
             facts: [\"0236 555 0190\"] }}\n"
        )
    };
    let answer = |text: &str| format!("{{\"id\":\"a\",\"answer\":\"{text}\"}}\n");
    let public = "Call 0236 555 0190 (+84 236 555 0190) or write to Help@example.com.";
    let toml = |allow: &str| {
        format!("version = 1\n{allow}[targets.bot]\nkind = \"recorded\"\nfile = \"recordings/a.jsonl\"\n")
    };
    let folder = Folder::with(&[
        ("ragline.toml", &toml("")),
        ("suites/s.yaml", &suite("")),
        ("recordings/a.jsonl", &answer(public)),
    ]);
    let lint = |exit: i32| ragline(folder.path(), &["lint", "--recordings"]).exits(exit);
    lint(2).says(&["personal data (phone): 02…", "personal data (email): He…", "`allow` under [privacy]"]);

    let allow = "[privacy]\nallow = [\"0236 555 0190\", \"help@example.com\"]\n";
    folder.write("ragline.toml", toml(allow).as_bytes());
    lint(0);
    // A person's number beside it is still found.
    folder.write("recordings/a.jsonl", answer(&format!("{public} Or Lan: 0912 345 678.")).as_bytes());
    let told = lint(2).says(&["personal data (phone): 09…"]);
    assert_eq!(told.err.matches("personal data").count(), 1, "{}", told.err);

    // What a suite allows as a number of its own is public too; an address it cannot name.
    folder.write("ragline.toml", toml("").as_bytes());
    folder.write("suites/s.yaml", suite("numbers: { allow: [\"0236 555 0190\"] }\n").as_bytes());
    folder.write("recordings/a.jsonl", answer(public).as_bytes());
    let told = lint(2).says(&["personal data (email): He…"]);
    assert_eq!(told.err.matches("personal data").count(), 1, "{}", told.err);

    // What is public is not masked either, and what allows nothing is an error.
    folder.write("ragline.toml", toml(&allow.replace("allow", "mask = [\"phone\"]\nallow")).as_bytes());
    folder.write("recordings/a.jsonl", answer(&format!("{public} Or Lan: 0912 345 678.")).as_bytes());
    ragline(folder.path(), &["run"]).exits(2);
    ragline(folder.path(), &["show", "a"]).exits(0).shows(&["Call 0236 555 0190", "Or Lan: ‹phone›"]);
    folder.write("ragline.toml", toml("[privacy]\nallow = [\"help\"]\n").as_bytes());
    ragline(folder.path(), &["lint"]).exits(2).says(&["allow-item", "neither an e-mail address nor a phone number"]);
}

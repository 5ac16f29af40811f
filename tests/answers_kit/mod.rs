//! A project whose system is a shell script that counts how often it is run.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

use crate::binary_kit::{Folder, Ran};
use serde_json::Value;
use std::process::Command;

/// The settings of the target `shop`; more lines may follow.
pub(crate) const SHOP: &str = r#"version = 1
[targets.shop]
kind = "command"
command = ["sh", "bot.sh"]
response = { answer = "$.answer", input_tokens = "$.in", output_tokens = "$.out" }
retries = 2
timeout = { attempt = "10s" }
"#;

/// Answers by what it is asked, and writes a line for each call. A question that says `fails` ends it with 3.
pub(crate) const BOT: &str = r#"question=$(cat)
echo call >> calls
case "$question" in
  *fails*) exit 3 ;;
  *wrong*) printf '{"answer":"Nobody knows.","in":100,"out":10}\n' ;;
  *) printf '{"answer":"It takes seven days.","in":100,"out":10}\n' ;;
esac
"#;

/// A suite `shop` with these questions, each of which wants "seven days".
pub(crate) fn suite(questions: &[(&str, &str)]) -> String {
    let mut text = "version: 1\nsuite: shop\nlanguage: en\ntarget: shop\nquestions:\n".to_owned();
    for (id, question) in questions {
        text += &format!("  - id: {id}\n    question: {question}\n    facts: [seven days]\n");
    }
    text
}

/// Four questions, all answered rightly.
pub(crate) const FOUR: [(&str, &str); 4] =
    [("q1", "How long is one?"), ("q2", "How long is two?"), ("q3", "How long is three?"), ("q4", "How long is four?")];

/// A project that judges each question by itself.
pub(crate) fn shop(settings: &str, questions: &[(&str, &str)]) -> Folder {
    Folder::with(&[
        ("ragline.toml", settings),
        ("thresholds.toml", "version = 1\nbaseline = \"none\"\n"),
        ("suites/shop.yaml", &suite(questions)),
        ("bot.sh", BOT),
    ])
}

/// How often the system was called since this was asked last.
pub(crate) fn calls(folder: &Folder) -> usize {
    let path = folder.path().join("calls");
    let n = std::fs::read_to_string(&path).unwrap_or_default().lines().count();
    let _ = std::fs::remove_file(path);
    n
}

/// The lines of a recording after its first.
pub(crate) fn recorded(folder: &Folder, file: &str) -> Vec<Value> {
    crate::binary_kit::lines(&folder.read(file)).skip(1).collect()
}

/// Runs the binary with variables of the environment; an empty value is handed over as such.
pub(crate) fn run_with(folder: &Folder, variables: &[(&str, &str)], args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("RAGLINE_") || name.starts_with("GITHUB_") || name == "CI" || name == "COLUMNS" {
            command.env_remove(name);
        }
    }
    let done = command.current_dir(folder.path()).args(args).envs(variables.iter().copied()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let ran = Ran { exit: done.status.code().unwrap_or(-1), out: text(&done.stdout), err: text(&done.stderr) };
    assert!(!ran.err.contains("panicked"), "ragline {args:?} panicked:\n{}", ran.err);
    ran
}

//! Projects for cases: a suite whose questions are told apart by their ids, asked over HTTP or by a command, and what came
//! of each.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

use crate::binary_kit::{Folder, Ran, lines, outcome};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

/// A suite `s` of questions that want to hear of 09:00.
pub(crate) fn suite(ids: &[&str]) -> String {
    suite_of(ids, "facts: [\"09:00\"]")
}

/// A suite `s` of questions that expect this; only the facts are looked at.
pub(crate) fn suite_of(ids: &[&str], expects: &str) -> String {
    let mut text = "version: 1\nsuite: s\nlanguage: en\ntarget: bot\nquestions:\n".to_owned();
    for id in ids {
        text += &format!(
            "  - id: {id}\n    question: When does it open, {id}?\n    {expects}\n    \
             layers: {{ numbers: off, refusal: off, citation: off }}\n"
        );
    }
    text
}

/// A project whose target `bot` has these settings.
pub(crate) fn project(bot: &str, ids: &[&str]) -> Folder {
    Folder::with(&[
        ("ragline.toml", &format!("version = 1\n[targets.bot]\n{bot}\n")),
        ("thresholds.toml", "version = 1\nbaseline = \"none\"\n"),
        ("suites/s.yaml", &suite(ids)),
    ])
}

/// The settings of a target that sends the question's id to an address and reads `answer`.
pub(crate) fn http(url: &str, more: &str) -> String {
    format!(
        "kind = \"http\"\nurl = \"{url}\"\nbody = '{{\"id\": {{{{ id }}}}, \"q\": {{{{ question }}}}, \
         \"session\": {{{{ session }}}}}}'\n{more}\n[targets.bot.response]\nanswer = \"$.answer\""
    )
}

/// What is known of a question after a run.
#[derive(Debug)]
pub(crate) struct Told {
    /// The outcome of the facts.
    pub(crate) facts: String,
    /// The code and the words of the first finding about them; empty where there is none.
    pub(crate) code: String,
    pub(crate) message: String,
    /// The kind of the failure, as the journal names it; empty where there is none.
    pub(crate) kind: String,
    /// How many attempts were made, as the journal says.
    pub(crate) attempts: usize,
}

/// What is known of each question of the last run.
pub(crate) fn told(folder: &Folder) -> BTreeMap<String, Told> {
    let journal: BTreeMap<String, Value> =
        lines(&std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap())
            .skip(1)
            .map(|l| (l["id"].as_str().unwrap().to_owned(), l))
            .collect();
    let told = |(id, line): (String, Value)| {
        let finding = &line["layers"]["facts"]["findings"][0];
        // A question that nobody was asked is not in the journal.
        let asked = journal.get(&id).unwrap_or(&Value::Null);
        let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
        let told = Told {
            facts: outcome(&line, "facts").to_owned(),
            code: text(&finding["code"]),
            message: text(&finding["message"]),
            kind: text(&asked["kind"]),
            attempts: asked["attempts"].as_array().map_or(0, Vec::len),
        };
        (id, told)
    };
    folder.results().into_iter().map(told).collect()
}

impl Told {
    /// Fails unless the question could not be measured, for this reason.
    #[track_caller]
    pub(crate) fn is_unmeasured(&self, id: &str, kind: &str, words: &[&str]) {
        assert_eq!((self.facts.as_str(), self.kind.as_str()), ("unmeasured", kind), "{id}: {self:?}");
        for word in words {
            assert!(self.message.contains(word), "{word:?} is not in what is said of {id}: {self:?}");
        }
    }
}

/// Runs the binary with these variables and takes the time.
pub(crate) fn run_with(folder: &Folder, variables: &[(&str, &str)], args: &[&str]) -> (Ran, Duration) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("RAGLINE_")
            || name.starts_with("GITHUB_")
            || name == "CI"
            || name == "COLUMNS"
            || name.to_lowercase().ends_with("_proxy")
        {
            command.env_remove(name);
        }
    }
    let began = Instant::now();
    let done = command.current_dir(folder.path()).args(args).envs(variables.iter().copied()).output().unwrap();
    let took = began.elapsed();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let ran = Ran { exit: done.status.code().unwrap_or(-1), out: text(&done.stdout), err: text(&done.stderr) };
    assert!(!ran.err.contains("panicked"), "ragline {args:?} panicked:\n{}", ran.err);
    (ran, took)
}

//! Bad files, through the binary: a clear error with a place and exit 2, nothing half written, never a panic; and answers
//! that are missing or broken are unmeasured, never a pass.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

#[path = "../binary_kit/mod.rs"]
mod binary_kit;

mod exits;
mod recordings;
mod retrieval;
mod settings;
mod suites;
mod text;

use binary_kit::{Folder, Ran};

/// Each question stands for itself.
const ALONE: &str = "version = 1\nbaseline = \"none\"\n";
const HEADER: &str = "{\"version\":1,\"kind\":\"responses\",\"suite\":\"s\"}\n";
const GOOD: &str = "{\"id\":\"q1\",\"answer\":\"14 days\",\"contexts\":[{\"doc\":\"a.md\",\"text\":\"14 days\"}]}\n";
const ONE: &str = "version: 1\nsuite: s\nquestions:\n  - { id: q1, question: When?, facts: [\"14 days\"] }\n";
const RUN: [&str; 3] = ["run", "--answers", "r.jsonl"];

/// A project with a suite `s` and a recording `r.jsonl`.
fn project(suite: &str, recording: impl AsRef<[u8]>) -> Folder {
    let name = if suite.starts_with('{') { "suites/s.jsonl" } else { "suites/s.yaml" };
    let folder = Folder::with(&[("ragline.toml", "version = 1\n"), ("thresholds.toml", ALONE), (name, suite)]);
    folder.write("r.jsonl", recording.as_ref());
    folder
}

/// A suite in YAML with further keys of the suite and of its only question.
fn suite(of_suite: &str, of_question: &str) -> String {
    format!("version: 1\nsuite: s\n{of_suite}questions:\n  - id: q1\n    question: When?\n{of_question}")
}

/// Several questions with the fact `14 days`.
fn questions(ids: &[&str]) -> String {
    let lines = ids.iter().map(|id| format!("  - {{ id: {id}, question: When?, facts: [\"14 days\"] }}\n"));
    format!("version: 1\nsuite: s\nquestions:\n{}", lines.collect::<String>())
}

/// A command that must be refused: exit 2, and not a file has changed; there is no run, not even half of one.
#[track_caller]
fn refused(folder: &Folder, args: &[&str]) -> Ran {
    let before = folder.files();
    let ran = folder.run(args).exits(2);
    assert!(ran.err.contains("error[") || ran.err.contains("error:"), "{}", ran.err);
    assert!(before == folder.files(), "files have changed");
    assert_eq!(folder.runs(), Vec::<std::path::PathBuf>::new(), "half a run is left");
    assert!(!folder.path().join(".ragline/runs/latest").exists());
    ran
}

//! What a reader is told: whole runs through the binary, and what stands in their reports.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice, reason = "a test may")]

#[path = "../binary_kit/mod.rs"]
mod binary_kit;
mod facts;
mod next;
mod refusal;
mod sections;

use binary_kit::{Folder, Ran};
use serde_json::Value;

/// A project `s` without a baseline, in English: the questions of the suite, as YAML below `questions:`, and the recorded
/// responses, a JSON value a line.
fn project(head: &str, questions: &str, answers: &str) -> Folder {
    Folder::with(&[
        ("ragline.toml", "version = 1\n[targets.bot]\nkind = \"recorded\"\nfile = \"answers.jsonl\"\n"),
        ("suites/s.yaml", &format!("version: 1\nsuite: s\nlanguage: en\ntarget: bot\n{head}questions:\n{questions}")),
        ("answers.jsonl", answers),
    ])
}

/// Runs a project that is judged without a baseline, with both reports: the run, Markdown and JUnit.
fn judged(folder: &Folder) -> (Ran, String, String) {
    folder.write("thresholds.toml", b"version = 1\nbaseline = \"none\"\n");
    reports(folder)
}

/// Runs a project with both reports.
fn reports(folder: &Folder) -> (Ran, String, String) {
    let ran = folder.run(&["run", "--markdown", "out.md", "--junit", "out.xml"]);
    (ran, folder.read("out.md"), folder.read("out.xml"))
}

/// The first finding of a layer in the last run.
fn finding(folder: &Folder, id: &str, layer: &str) -> Value {
    folder.results()[id]["layers"][layer]["findings"][0].clone()
}

//! The cases as their files give them.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One case. Its suite is called `shop` and stands in `suites/shop.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// What is right, and why.
    pub(crate) about: String,
    pub(crate) suite: String,
    /// The lines of `answers.jsonl`; no such file when absent.
    pub(crate) responses: Option<String>,
    pub(crate) baseline: Option<String>,
    pub(crate) accepted: Option<String>,
    pub(crate) thresholds: Option<String>,
    /// `ragline.toml`, where it is not the usual one: a recorded target `answers` that returns answers and contexts.
    pub(crate) ragline: Option<String>,
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// Words after `ragline run`; they have no twin in the harness, so such a case says what the harness does in `env`.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) expect: Expect,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) exit: i32,
    /// The exit code of `cargo test`; by default 101 when a test fails and 0 when none does.
    pub(crate) cargo_test: Option<i32>,
    /// Words that the program prints.
    #[serde(default)]
    pub(crate) says: Vec<String>,
    /// The run stops before a question is asked: there are no reports.
    #[serde(default)]
    pub(crate) no_run: bool,
    #[serde(default)]
    pub(crate) questions: BTreeMap<String, Question>,
    /// Rules of the gate that are not `passed`.
    #[serde(default)]
    pub(crate) gate: BTreeMap<String, Word>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    pub(crate) change: String,
    pub(crate) shows: Word,
    /// The `type` of the failure or error.
    #[serde(rename = "type")]
    pub(crate) kind: Option<String>,
    /// How the message of the failure, error or skip begins.
    pub(crate) message: Option<String>,
    /// Changes of single layers.
    #[serde(default)]
    pub(crate) layers: BTreeMap<String, String>,
    /// A part of the note on the change.
    pub(crate) note: Option<String>,
}

/// One verdict, in the words of JUnit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Word {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl Word {
    /// The same verdict in the words of `cargo test`.
    pub(crate) fn cargo_test(self) -> &'static str {
        match self {
            Word::Passed => "ok",
            Word::Failure | Word::Error => "FAILED",
            Word::Skipped => "ignored",
        }
    }

    /// The same verdict in the words of `results.jsonl`.
    pub(crate) fn results(self) -> &'static str {
        match self {
            Word::Passed => "passed",
            Word::Failure => "failed",
            Word::Error => "incomplete",
            Word::Skipped => "skipped",
        }
    }
}

/// A case that has been read.
pub(crate) struct Cell {
    pub(crate) name: String,
    pub(crate) case: Case,
}

pub(crate) fn cells() -> Vec<Cell> {
    let only = std::env::var("RAGLINE_CELLS").unwrap_or_default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cells");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .map(|p| {
            let name = p.file_stem().unwrap().to_string_lossy().into_owned();
            let case = toml::from_str(&fs::read_to_string(&p).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
            Cell { name, case }
        })
        .filter(|c| c.name.contains(&only))
        .collect()
}

//! Suites written to throw-away folders.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses a part, and fails by a panic")]

use ragline::problem::Problems;
use ragline::suite::{Suite, load};

pub(crate) fn load_bytes(name: &str, bytes: &[u8]) -> Result<(Suite, Problems), Problems> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    load::load(&path, name)
}

pub(crate) fn load_yaml(text: &str) -> Result<(Suite, Problems), Problems> {
    load_bytes("s.yaml", text.as_bytes())
}

pub(crate) fn load_jsonl(text: &str) -> Result<(Suite, Problems), Problems> {
    load_bytes("s.jsonl", text.as_bytes())
}

/// A suite of one question; its further keys begin at line 6.
pub(crate) fn one_question(keys: &str) -> String {
    format!("version: 1\nsuite: s\nquestions:\n  - id: a\n    question: x?\n{keys}")
}

pub(crate) fn codes(p: &Problems) -> Vec<&'static str> {
    p.0.iter().map(|p| p.code).collect()
}

pub(crate) fn lines_of(p: &Problems) -> Vec<(u32, &'static str)> {
    p.0.iter().map(|p| (p.place.line, p.code)).collect()
}

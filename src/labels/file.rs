//! `NAME.labels.jsonl`: a header line, then a label a line.

use super::{Label, Seen};
use crate::layer::LayerId;
use crate::problem::{Place, Problem, Problems, read_source};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What the file's name ends with.
pub const ENDING: &str = ".labels.jsonl";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    version: u64,
    kind: String,
    #[serde(default)]
    suite: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    layer: String,
    verdict: String,
    because: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
}

/// The file beside a suite: `shop.yaml` has `shop.labels.jsonl`.
pub fn path_of(suite: &Path) -> PathBuf {
    let stem = suite.file_stem().unwrap_or_default().to_string_lossy();
    suite.with_file_name(format!("{stem}{ENDING}"))
}

/// The labels of a suite, in file order; none when there is no file.
///
/// # Errors
/// Every line that is no label, with its number.
pub fn read(path: &Path, shown: &str, suite: &str) -> Result<Vec<Label>, Problems> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let source = read_source(path, shown)?;
    let mut labels = Vec::new();
    let mut problems = Vec::new();
    for (text, number) in source.text.lines().zip(1_u32..).filter(|(text, _)| !text.trim().is_empty()) {
        let place = Place { file: shown.into(), line: number, column: 0 };
        let read = if number == 1 && text.contains("\"kind\"") {
            header(text, suite).map(|()| None)
        } else {
            label(text, number).map(Some)
        };
        match read {
            Ok(label) => labels.extend(label),
            Err(title) => problems.push(
                Problem::error("label-line", place, title)
                    .help("`ragline labels add ID --layer LAYER --verdict pass|fail --because \"…\"` writes a line"),
            ),
        }
    }
    if problems.is_empty() { Ok(labels) } else { Err(Problems(problems)) }
}

fn header(text: &str, suite: &str) -> Result<(), String> {
    let header: Header = serde_json::from_str(text).map_err(|e| format!("no header of labels: {e}"))?;
    if header.version != 1 || header.kind != "labels" {
        return Err(format!(
            "version {} of kind `{}`, expected version 1 of kind `labels`",
            header.version, header.kind
        ));
    }
    match header.suite.filter(|s| s != suite) {
        Some(other) => Err(format!("these are the labels of suite `{other}`, expected `{suite}`")),
        None => Ok(()),
    }
}

fn label(text: &str, line: u32) -> Result<Label, String> {
    let l: Line = serde_json::from_str(text).map_err(|e| format!("no label: {e}"))?;
    let layer = LayerId::parse(&l.layer).ok_or_else(|| {
        let known = LayerId::ALL.map(LayerId::name);
        let near = crate::problem::near::or_near(&l.layer, known);
        format!("`layer` is `{}`, expected one of {}{near}", l.layer, known.join(", "))
    })?;
    let pass = match l.verdict.as_str() {
        "pass" => true,
        "fail" => false,
        other => return Err(format!("`verdict` is `{other}`, expected `pass` or `fail`")),
    };
    if l.because.trim().is_empty() {
        return Err("`because` is empty, expected the reason of the verdict".to_owned());
    }
    let answer = match (l.digest, l.answer) {
        (Some(digest), None) => Seen::Digest(digest),
        (None, Some(text)) => Seen::Text(text),
        (Some(_), Some(_)) => return Err("a label has `digest` and `answer`, expected one of them".to_owned()),
        (None, None) => {
            return Err("a label needs `answer`, the text that was looked at, or its `digest`".to_owned());
        }
    };
    Ok(Label { id: l.id, layer, pass, because: l.because, by: l.by, at: l.at, answer, line })
}

/// Adds a label at the end of the file, which is made with its header where there is none.
///
/// # Errors
/// When the file cannot be read or written.
pub fn add(path: &Path, suite: &str, label: &Label) -> std::io::Result<()> {
    let mut text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            serde_json::json!({ "version": 1, "kind": "labels", "suite": suite }).to_string()
        }
        Err(e) => return Err(e),
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let (digest, answer) = match &label.answer {
        Seen::Digest(digest) => (Some(digest.clone()), None),
        Seen::Text(text) => (None, Some(text.clone())),
    };
    let line = Line {
        id: label.id.clone(),
        layer: label.layer.name().to_owned(),
        verdict: label.verdict().to_owned(),
        because: label.because.clone(),
        by: label.by.clone(),
        at: label.at.clone(),
        digest,
        answer,
    };
    text.push_str(&serde_json::to_string(&line).map_err(std::io::Error::other)?);
    text.push('\n');
    crate::report::file::write(path, text.as_bytes())
}

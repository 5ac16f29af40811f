//! Looking for keys and personal data in files that are committed.

use super::allow::Allowed;
use super::{find, keys, settings};
use crate::problem::{Place, Problem, Problems, read_source, shown_path};
use crate::suite::config::{self, TargetKind};
use crate::target::response;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Something that should not stand in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its line, from 1.
    pub line: u32,
    /// What it is: `email`, `phone`, …; for a key, what it looks like.
    pub what: &'static str,
    /// True for a key, false for personal data.
    pub is_key: bool,
    /// The first two characters and `…`; never the whole.
    pub shown: String,
}

/// Everything in a file that should not be committed, whatever `mask` names, by line, but for what is public. A line that is JSON is looked at
/// text by text, so that scores and offsets are not taken for cards and phones, and escapes hide nothing.
pub fn survey(text: &str, allowed: &Allowed) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut here = Here { line: u32::try_from(i + 1).unwrap_or(u32::MAX), allowed, hits: &mut hits };
        match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(mut members)) => {
                let own = fingerprints(&members);
                own.iter().for_each(|name| drop(members.remove(*name)));
                here.value(&Value::Object(members));
            }
            Ok(value @ Value::Array(_)) => here.value(&value),
            Ok(_) | Err(_) => here.text(line),
        }
    }
    hits
}

/// The members of a line of ours that hold digests: what the answer is told apart by (`key`), and what gave it (`subject`).
/// They look as much like chance as a key does. Only at the top of a line that names its question, or of the first line of a
/// recording, and only where a digest stands: a key of anybody else's is none of ours.
fn fingerprints(line: &Map<String, Value>) -> Vec<&'static str> {
    let is_ours = line.contains_key("id") || line.get("kind").is_some_and(|k| k == "responses");
    let digest = |name: &&str| line.get(*name).and_then(Value::as_str).is_some_and(is_digest);
    ["key", "subject"].into_iter().filter(|_| is_ours).filter(digest).collect()
}

/// 16, 32 or 64 hexadecimal digits in lower case, as this program writes digests.
fn is_digest(text: &str) -> bool {
    matches!(text.len(), 16 | 32 | 64) && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Surveys these files and folders, or, when none is named, what a project commits: its suites and accepted answers, what
/// lies in `recordings/`, the files of its targets, and the response files of `fixtures/`; with warnings of keys in its
/// settings. With how many files were read. No line of a file is shown: it holds what it should not.
///
/// # Errors
/// A file that cannot be read, or a broken `ragline.toml`.
pub fn project(folder: &Path, paths: &[PathBuf], own: &[String]) -> Result<(Problems, usize), Problems> {
    let (project, _) = config::load(folder)?;
    let root = &project.root;
    // An item that is neither was told when the settings were read, and most numbers of a suite are none.
    let mut allowed = Allowed::default();
    for item in project.privacy.allow.iter().chain(own) {
        allowed.add(item);
    }
    let mut files = BTreeSet::new();
    for path in paths {
        if !path.exists() {
            let what = format!("there is no {}", path.display());
            return Err(Problem::error("file-missing", Place::default(), what).into());
        }
        walk(path, &mut files, &|p| p == path || ends(p, DATA))?;
    }
    if paths.is_empty() {
        walk(&root.join("suites"), &mut files, &|p| ends(p, &["yaml", "yml", "jsonl"]))?;
        walk(&root.join("recordings"), &mut files, &|p| ends(p, &["jsonl"]))?;
        walk(&root.join("fixtures"), &mut files, &|p| ends(p, &["jsonl"]) && holds_responses(p))?;
        for target in project.targets.values() {
            let own = match &target.kind {
                TargetKind::Recorded { file } => Some(file),
                TargetKind::Builtin(_) | TargetKind::Http(_) | TargetKind::Command(_) => None,
            };
            files.extend(own.or(target.live().map(|l| &l.recording)).filter(|f| f.is_file()).cloned());
        }
    }
    // The settings are read rather than searched: there the name of a value tells more than its look.
    let own = root.join(config::FILE);
    let is_own = |p: &PathBuf| std::path::absolute(p).ok() == std::path::absolute(&own).ok();
    let mut problems =
        if paths.is_empty() || paths.iter().any(is_own) { settings::keys_in_settings(&project) } else { Vec::new() };
    for path in &files {
        let shown = shown_path(path, root);
        for hit in survey(&read_source(path, &shown)?.text, &allowed) {
            let place = Place { file: shown.as_str().into(), line: hit.line, column: 0 };
            problems.push(if hit.is_key {
                Problem::error("key-committed", place, format!("this looks like {}: {}", hit.what, hit.shown))
                    .help("take it out here and in the history of the project, and have a new one issued")
            } else {
                let public = match hit.what {
                    "phone" | "email" => "; one that is public is named in `allow` under [privacy]",
                    _ => "",
                };
                let help = format!(
                    "record again with `mask = [\"{}\"]` under [privacy], or invent another value{public}",
                    hit.what
                );
                Problem::error("personal-data", place, format!("personal data ({}): {}", hit.what, hit.shown))
                    .help(help)
            });
        }
    }
    Ok((Problems(problems), files.len()))
}

/// The endings of files that may hold data, in a folder that is named.
const DATA: &[&str] = &["jsonl", "json", "yaml", "yml", "toml", "md", "txt", "csv", "tsv", "xml", "html"];

fn ends(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|e| endings.iter().any(|w| e.eq_ignore_ascii_case(w)))
}

/// Adds a file, or the wanted files of a folder. What a link leads to is looked at where it lies.
fn walk(path: &Path, files: &mut BTreeSet<PathBuf>, wanted: &dyn Fn(&Path) -> bool) -> Result<(), Problem> {
    if path.is_file() {
        if wanted(path) {
            files.insert(path.to_owned());
        }
        return Ok(());
    }
    if !path.is_dir() {
        return Ok(());
    }
    let unreadable = |e: std::io::Error| {
        let what = format!("cannot list {}: {e}", path.display());
        Problem::error("folder-unreadable", Place::default(), what)
    };
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        if !kind.is_symlink() {
            walk(&entry.path(), files, wanted)?;
        }
    }
    Ok(())
}

/// Whether a file of JSON lines holds responses: its first line that is not blank says so, or is one.
fn holds_responses(path: &Path) -> bool {
    let Ok(text) = std::fs::read_to_string(path) else { return true };
    let Some(first) = text.lines().find(|l| !l.trim().is_empty()) else { return false };
    let header = serde_json::from_str::<Value>(first).is_ok_and(|v| v.get("kind").is_some_and(|k| k == "responses"));
    header || response::parse(first.as_bytes()).is_ok()
}

struct Here<'h> {
    line: u32,
    allowed: &'h Allowed,
    hits: &'h mut Vec<Hit>,
}

impl Here<'_> {
    fn value(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter().for_each(|v| self.value(v)),
            Value::Object(members) => {
                for (name, value) in members {
                    self.text(name);
                    let named = keys::is_named_key(name, value);
                    match value.as_str().filter(|text| named && keys::find(text).is_empty()) {
                        Some(text) => self.hit("a value that is named a key, token, secret or password", true, text),
                        None => self.value(value),
                    }
                }
            }
        }
    }

    fn text(&mut self, text: &str) {
        let found = keys::find(text);
        for key in &found {
            self.hit(key.what, true, text.get(key.range.clone()).unwrap_or_default());
        }
        for f in find(text).into_iter().filter(|f| !self.allowed.holds(f, text)) {
            // The password of an address is one thing, not an e-mail address too.
            if !found.iter().any(|k| k.range.start < f.range.end && f.range.start < k.range.end) {
                self.hit(f.kind.name(), false, text.get(f.range).unwrap_or_default());
            }
        }
    }

    fn hit(&mut self, what: &'static str, is_key: bool, piece: &str) {
        let first: String = piece.chars().take(2).collect();
        let hit = Hit { line: self.line, what, is_key, shown: format!("{first}…") };
        if !self.hits.contains(&hit) {
            self.hits.push(hit);
        }
    }
}

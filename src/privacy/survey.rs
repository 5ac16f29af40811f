//! Looking for keys and personal data in files that are committed.

use super::{find, keys};
use serde_json::Value;

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

/// Everything in a file that should not be committed, whatever `mask` names, by line. A line that is JSON is looked at
/// text by text, so that scores and offsets are not taken for cards and phones, and escapes hide nothing.
pub fn survey(text: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut here = Here { line: u32::try_from(i + 1).unwrap_or(u32::MAX), hits: &mut hits };
        match serde_json::from_str::<Value>(line) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => here.value(&value),
            Ok(_) | Err(_) => here.text(line),
        }
    }
    hits
}

struct Here<'h> {
    line: u32,
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
                    match value {
                        Value::String(text) if keys::is_named_key(name, value) && keys::find(text).is_empty() => {
                            self.hit("a value that is named a key, token, secret or password", true, text);
                        }
                        other => self.value(other),
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
        for f in find(text) {
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

//! Other tools' files, turned into a project that `ragline run` can check at once.
//!
//! * [`squad`]: questions with their paragraphs (SQuAD 1.1 and 2.0, XQuAD, MLQA, CMRC in SQuAD form) become a suite and a
//!   corpus, with the builtin target;
//! * [`trec`]: relevance judgements and a ranking (qrels and run files) become a suite and recorded responses;
//! * [`sheet`]: a spreadsheet of questions and model answers becomes a suite.
//!
//! An importer reads everything before it writes anything, and writes into a folder beside the target before it renames:
//! a fault leaves the project as it was.

mod output;
pub mod sheet;
pub mod squad;
pub mod trec;

use crate::problem::{Place, Problem, Problems, Source};
use crate::suite::{QuestionId, Suite, load};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// What an import did, for a person to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The files and folders written, relative to the output folder.
    pub written: Vec<String>,
    /// Counts, and everything that was left out, changed or assumed; a line each.
    pub notes: Vec<String>,
    /// The command to run next.
    pub next: String,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.written {
            writeln!(f, "wrote {file}")?;
        }
        for note in &self.notes {
            writeln!(f, "{note}")?;
        }
        write!(f, "next: {}", self.next)
    }
}

/// Turns other tools' ids into question ids: valid ones stay, others are made valid and unique.
#[derive(Debug)]
struct Ids {
    taken: HashSet<String>,
    /// How many ids are not what they were.
    changed: usize,
}

impl Ids {
    /// `all` are the ids as they came: those that are valid are kept for their first owner.
    fn new<'i>(all: impl IntoIterator<Item = &'i str>) -> Ids {
        let valid = all.into_iter().filter(|id| QuestionId::new(id).is_some());
        Ids { taken: valid.map(str::to_owned).collect(), changed: 0 }
    }

    /// The id for one question; `first` says whether it is the first one that came with this id.
    fn make(&mut self, id: &str, first: bool) -> String {
        if first && QuestionId::new(id).is_some() {
            return id.to_owned();
        }
        self.changed += 1;
        let base = plain_name(id, 90);
        let base = if base.is_empty() { "q".to_owned() } else { base };
        let numbered = (2_u64..).map(|n| format!("{base}-{n}"));
        let free = [base.clone()].into_iter().chain(numbered).find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(base);
        self.taken.insert(name.clone());
        name
    }
}

/// Gives every item its id, and says how many were changed.
fn ids(all: &[&str]) -> (Vec<String>, usize) {
    let mut ids = Ids::new(all.iter().copied());
    let mut seen = HashSet::new();
    let made = all.iter().map(|id| ids.make(id, seen.insert(*id))).collect();
    (made, ids.changed)
}

/// A name of ASCII letters, digits, `.`, `_` and `-` that begins with a letter or digit; other characters become `-`.
/// Empty when nothing is left.
fn plain_name(text: &str, most: usize) -> String {
    let mut name = String::new();
    for c in text.chars() {
        let keep = c.is_ascii_alphanumeric() || (matches!(c, '.' | '_' | '-') && !name.is_empty());
        if keep {
            name.push(c);
        } else if !(name.is_empty() || name.ends_with('-')) {
            name.push('-');
        }
        if name.len() >= most {
            break;
        }
    }
    name.trim_end_matches(['-', '.']).to_owned()
}

/// The suite's name, checked.
fn suite_name(name: &str) -> Result<&str, Problems> {
    if QuestionId::new(name).is_some() {
        return Ok(name);
    }
    let title = format!("`{name}` cannot name a suite");
    Err(Problem::error("suite-name", Place::default(), title)
        .help("use letters, digits, `.`, `_` and `-`, beginning with a letter or digit, at most 100")
        .into())
}

/// One JSON line.
fn json(value: &impl Serialize) -> Result<String, Problems> {
    let line = serde_json::to_string(value);
    line.map(|l| l + "\n").map_err(|e| Problem::error("import-malformed", Place::default(), e.to_string()).into())
}

/// Reads a suite before it is written: what cannot be read must not replace anything.
pub(crate) fn read_back(path: &Path, text: &str) -> Result<Suite, Problems> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let source = Arc::new(Source { path: path.to_string_lossy().into_owned(), text });
    load::load_source(path, &source).map(|(suite, _)| suite)
}

/// `1 question`, `2 questions`.
fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

/// The first names of a list, for a note.
fn some_of(names: &[&str]) -> String {
    let shown: Vec<&str> = names.iter().take(5).copied().collect();
    let more = names.len().saturating_sub(shown.len());
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

/// `thresholds.toml` of a new project.
fn thresholds(primary: &[&str]) -> String {
    let primary: Vec<String> = primary.iter().map(|layer| format!("\"{layer}\"")).collect();
    format!(
        "# What blocks. This file is policy only, so that those who own quality can own it.\n\
         version = 1\n\
         mode = \"block\"                   # or \"advisory\": says what would have been blocked, and lets it pass\n\
         max_regressed = 0\n\
         max_unmeasured = 0\n\
         primary = [{}]\n",
        primary.join(", ")
    )
}

/// Counts how often each text comes.
fn repeats<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    counts.values().filter(|n| **n > 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_or_become_valid_and_unique() {
        let (made, changed) = ids(&["a-1", "câu hỏi 1", "a-1", "", "c-u-h-i-1", "..x", "a-1-2"]);
        assert_eq!(made, ["a-1", "c-u-h-i-1-2", "a-1-3", "q", "c-u-h-i-1", "x", "a-1-2"]);
        assert_eq!(changed, 4);
        let long = "x".repeat(300);
        assert!(ids(&[&long, &long]).0.iter().all(|id| QuestionId::new(id).is_some()));
    }
}

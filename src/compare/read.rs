//! The results of a run, as a comparison needs them.

use crate::core::Change;
use crate::problem::{Place, Problem, Problems, read_source};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// The results of one configuration.
#[derive(Debug, Default)]
pub struct Run {
    /// Its name.
    pub name: String,
    /// Each question, by `suite::id`.
    pub questions: BTreeMap<String, Asked>,
    /// The rules by which each suite was judged; of a folder of a run alone.
    pub rules: BTreeMap<String, String>,
}

/// One question of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Asked {
    /// `pass`, `fail`, `unmeasured`, `skipped`.
    pub outcome: String,
    /// The suite.
    pub suite: String,
    /// The digest of what is expected; empty where the results do not say it.
    pub expects: String,
    /// Tags.
    pub tags: Vec<String>,
    /// The questions with which it shares evidence, as `suite::group`.
    pub group: Option<String>,
    /// By the name of the layer.
    pub layers: HashMap<String, Layer>,
    /// Metrics of retrieval.
    pub metrics: HashMap<String, f64>,
    /// The same for a random ranking.
    pub random: HashMap<String, f64>,
    /// Evidence was in the prompt.
    pub in_prompt: Option<bool>,
    /// The evidence was whole in the prompt.
    pub complete: Option<bool>,
    /// It was so by any passage of a document or section.
    pub coarse: bool,
    /// The diagnosis in words: `chunking (row 8)`.
    pub diagnosis: Option<String>,
    /// What to change next.
    pub next: Option<String>,
}

/// One layer of a question.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Layer {
    /// `pass`, `fail`, `unmeasured`, `skipped`.
    pub outcome: String,
    #[serde(default)]
    metrics: HashMap<String, f64>,
    #[serde(default)]
    random: HashMap<String, f64>,
    #[serde(default)]
    findings: Vec<Found>,
}

/// A finding of a layer.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Found {
    /// Its code.
    pub code: String,
    /// What it says.
    pub message: String,
    #[serde(default)]
    note: bool,
}

impl Layer {
    /// What it found first; a note only where there is nothing else.
    pub fn finding(&self) -> Option<&Found> {
        self.findings.iter().find(|f| !f.note).or(self.findings.first())
    }
}

#[derive(Deserialize)]
struct Line {
    suite: String,
    id: String,
    outcome: String,
    #[serde(default)]
    change: String,
    #[serde(default)]
    expects: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    group: Option<String>,
    layers: HashMap<String, Layer>,
    #[serde(default)]
    evidence: Option<Evidence>,
    #[serde(default)]
    diagnosis: Option<Diagnosis>,
}

#[derive(Deserialize)]
struct Evidence {
    #[serde(default)]
    in_prompt: Option<bool>,
    #[serde(default)]
    complete: Option<bool>,
    #[serde(default)]
    coarse: bool,
}

#[derive(Deserialize)]
struct Diagnosis {
    row: u8,
    layer: String,
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
struct Header {
    version: u64,
    kind: String,
}

impl Run {
    /// Reads a file of results.
    ///
    /// # Errors
    /// A file that cannot be read, or is no file of results of this version.
    pub fn load(name: &str, path: &Path, shown: &str) -> Result<Run, Problems> {
        let source = read_source(path, shown)?;
        Run::parse(name, &source.text).map_err(|(line, why)| {
            let place = Place { line, ..Place::file(shown) };
            let help =
                "compare the `results.jsonl` of runs of this version: `ragline run` writes it into its run folder";
            Problem::error("results-unreadable", place, why).help(help).into()
        })
    }

    /// Reads the record of a run that lies beside its results: the rules by which each suite was judged. A record that cannot
    /// be read says nothing.
    #[must_use]
    pub fn with_record(mut self, record: &Path) -> Run {
        #[derive(Deserialize)]
        struct Record {
            suites: Vec<Judged>,
        }
        #[derive(Deserialize)]
        struct Judged {
            suite: String,
            measure: String,
        }
        let read = std::fs::read(record).ok().and_then(|bytes| serde_json::from_slice::<Record>(&bytes).ok());
        self.rules = read.map(|r| r.suites.into_iter().map(|s| (s.suite, s.measure)).collect()).unwrap_or_default();
        self
    }

    /// Reads the text of results.
    ///
    /// # Errors
    /// The line (from 1) and what is wrong with it.
    pub fn parse(name: &str, text: &str) -> Result<Run, (u32, String)> {
        let mut lines = text.lines().zip(1_u32..).filter(|(l, _)| !l.trim().is_empty());
        let (first, _) = lines.next().ok_or((0, "this file is empty, expected the results of a run".to_owned()))?;
        match serde_json::from_str::<Header>(first) {
            Ok(h) if h.kind == "results" && h.version == crate::report::results::VERSION => {}
            Ok(h) if h.kind == "results" => return Err((1, format!("results of version {}", h.version))),
            Ok(_) | Err(_) => {
                return Err((1, "not a file of results: expected a first line of kind \"results\"".to_owned()));
            }
        }
        let mut run = Run { name: name.to_owned(), ..Run::default() };
        for (line, n) in lines {
            let read: Line = serde_json::from_str(line).map_err(|e| (n, format!("not a result: {e}")))?;
            let key = format!("{}::{}", read.suite, read.id);
            // What asserts nothing tells no configuration from another.
            if read.change != Change::Observed.name() {
                run.questions.insert(key, Asked::from(read));
            }
        }
        Ok(run)
    }
}

impl From<Line> for Asked {
    fn from(line: Line) -> Self {
        let retrieval = line.layers.get("retrieval").cloned().unwrap_or_default();
        let (in_prompt, complete, coarse) =
            line.evidence.map_or((None, None, false), |e| (e.in_prompt, e.complete, e.coarse));
        let diagnosis = line.diagnosis.filter(|d| d.layer != "none");
        Asked {
            group: line.group.map(|g| format!("{}::{g}", line.suite)),
            suite: line.suite,
            outcome: line.outcome,
            expects: line.expects,
            tags: line.tags,
            layers: line.layers,
            metrics: retrieval.metrics,
            random: retrieval.random,
            in_prompt,
            complete,
            coarse,
            diagnosis: diagnosis.as_ref().map(|d| format!("{} (row {})", d.layer, d.row)),
            next: diagnosis.map(|d| d.next).filter(|n| !n.is_empty()),
        }
    }
}

//! What a run says of each question, as people read it: what was asked and answered, what each layer says and why.

use super::record::{Run, replies};
use crate::layer::LayerId;
use crate::problem::{Place, Problem, Problems};
use crate::suite::Suite;
use crate::target::response::{self, Answer};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};

/// One question of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// The suite.
    pub suite: String,
    /// The question's id.
    pub id: String,
    /// What was asked; empty when the suite no longer has the question.
    pub question: String,
    /// The model answer.
    pub reference: Option<String>,
    /// What was answered, where there is an answer.
    pub answer: Option<String>,
    /// Why there is none.
    pub failed: Option<String>,
    /// `pass`, `fail`, `unmeasured`, `skipped`.
    pub outcome: String,
    /// What changed, as files write it.
    pub change: String,
    /// Each layer with its outcome, in report order.
    pub layers: Vec<LayerTold>,
    /// The layer at fault and what to change next.
    pub diagnosis: Option<(String, String)>,
    /// The row of the table of the diagnosis, also where nothing is at fault.
    pub row: Option<u8>,
    /// `answer`, `refuse`, `either`, `clarify`; empty when the suite no longer has the question.
    pub expect: String,
    /// The label of the answer: `refusal`, `partial`, `none`; empty where it was not read.
    pub label: String,
    /// What the diagnosis rests on.
    pub evidence: Grounds,
}

/// What the diagnosis of a question rests on; nothing where it is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct Grounds {
    /// The evidence stands in the corpus.
    #[serde(default)]
    pub in_corpus: Option<bool>,
    /// Evidence is among the passages that count.
    #[serde(default)]
    pub in_top_k: Option<bool>,
    /// Evidence was in the prompt.
    #[serde(default)]
    pub in_prompt: Option<bool>,
    /// The evidence was whole in the prompt.
    #[serde(default)]
    pub complete: Option<bool>,
    /// The answer states the facts.
    #[serde(default)]
    pub answer: Option<bool>,
    /// The answer claims what nothing supports.
    #[serde(default)]
    pub unsupported: Option<bool>,
}

/// One layer of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayerTold {
    /// The layer's name.
    pub layer: String,
    /// `pass`, `fail`, `unmeasured`, `skipped`.
    pub outcome: String,
    /// What it found first, notes last: code and message.
    pub finding: Option<(String, String)>,
}

impl Told {
    /// What a layer says.
    pub fn layer(&self, layer: LayerId) -> Option<&LayerTold> {
        self.layers.iter().find(|l| l.layer == layer.name())
    }

    /// The first finding of a layer that did not pass, in report order.
    pub fn first_finding(&self) -> Option<&(String, String)> {
        self.layers.iter().filter(|l| l.outcome == "fail" || l.outcome == "unmeasured").find_map(|l| l.finding.as_ref())
    }
}

#[derive(Deserialize)]
struct Line {
    suite: String,
    id: String,
    outcome: String,
    change: String,
    layers: BTreeMap<String, Layer>,
    #[serde(default)]
    diagnosis: Option<Diagnosis>,
    #[serde(default)]
    evidence: Grounds,
}

#[derive(Deserialize)]
struct Layer {
    outcome: String,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    findings: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    code: String,
    message: String,
    #[serde(default)]
    note: bool,
}

#[derive(Deserialize)]
struct Diagnosis {
    row: u8,
    layer: String,
    next: String,
}

/// The questions of a run, in the order of its results. Texts are those of `suites` as they are now.
///
/// # Errors
/// When the results or the answers of the run cannot be read.
pub fn questions(run: &Run, suites: &[Suite]) -> Result<Vec<Told>, Problems> {
    let fault = |name: &str, why: String| -> Problems {
        let place = Place::file(&run.folder.join(name).to_string_lossy());
        Problem::error("run-unreadable", place, why).help("run again: `ragline run` writes its record anew").into()
    };
    let text = std::fs::read_to_string(run.folder.join("results.jsonl"))
        .map_err(|e| fault("results.jsonl", format!("cannot read this file: {e}")))?;
    let mut all = Vec::new();
    for line in text.lines().skip(1).filter(|l| !l.trim().is_empty()) {
        let line: Line =
            serde_json::from_str(line).map_err(|e| fault("results.jsonl", format!("a line is no result: {e}")))?;
        all.push(told(line, suites));
    }
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for (at, told) in all.iter().enumerate() {
        places.insert((told.suite.clone(), told.id.clone()), at);
    }
    replies(&run.folder, |suite, id, reply, failed| {
        let Some(told) = places.get(&(suite.to_owned(), id.to_owned())).and_then(|at| all.get_mut(*at)) else { return };
        told.answer = reply.and_then(answer);
        told.failed = failed.map(str::to_owned);
    })
    .map_err(|e| fault("journal.jsonl", format!("cannot read this file: {e}")))?;
    Ok(all)
}

fn answer(reply: &str) -> Option<String> {
    match response::parse(reply.as_bytes()).ok()?.answer {
        Answer::Text(text) => Some(text.into_owned()),
        Answer::Null | Answer::Absent => None,
    }
}

fn told(line: Line, suites: &[Suite]) -> Told {
    let suite = suites.iter().find(|s| s.name.as_ref() == line.suite);
    let question = suite.and_then(|s| s.questions.iter().find(|q| q.id.as_str() == line.id));
    let layer = |id: LayerId| {
        let layer = line.layers.get(id.name())?;
        let first = layer.findings.iter().find(|f| !f.note).or(layer.findings.first());
        Some(LayerTold {
            layer: id.name().to_owned(),
            outcome: layer.outcome.clone(),
            finding: first.map(|f| (f.code.clone(), f.message.clone())),
        })
    };
    Told {
        question: question.map(|q| q.text.clone()).unwrap_or_default(),
        reference: question.and_then(|q| q.reference.clone()),
        layers: LayerId::ALL.into_iter().filter_map(layer).collect(),
        expect: question.map(|q| q.expect.name().to_owned()).unwrap_or_default(),
        label: line.layers.get(LayerId::Refusal.name()).and_then(|l| l.label.clone()).unwrap_or_default(),
        row: line.diagnosis.as_ref().map(|d| d.row),
        evidence: line.evidence,
        diagnosis: line.diagnosis.filter(|d| d.layer != "none").map(|d| (d.layer, d.next)),
        suite: line.suite,
        id: line.id,
        outcome: line.outcome,
        change: line.change,
        ..Told::default()
    }
}

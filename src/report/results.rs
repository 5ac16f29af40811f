//! `results.jsonl`: one run's outcomes in suite order, without times, byte-stable.
//!
//! A header line, then a line per question. Numbers are rounded to six decimals, keys come in a fixed order, and
//! nothing in it depends on when, where or how fast the run was: two runs with the same outcomes give the same bytes.

use super::file;
use crate::core::{
    Change, Event, LayerReport, QuestionReport, RunHeader, Verdict, event::BaselineState, event::LayerRuns,
    event::Repeats, event::Reporter,
};
use crate::layer::retrieval::MetricName;
use crate::layer::{Detail, Finding, LayerId, LayerMap, Outcome, Weight};
use crate::problem::{Place, Problem, Problems};
use crate::stats::Rate;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io;
use std::path::Path;

/// The version of the format.
pub const VERSION: u64 = 1;

/// Collects the lines of a run; [`Results::write_to`] writes them once the run is decided.
#[derive(Debug, Default)]
pub struct Results {
    text: String,
}

impl Results {
    /// An empty report.
    pub fn new() -> Self {
        Results::default()
    }

    /// The file's text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; the message names the path.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        file::write(path, self.text.as_bytes())
    }

    fn push(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.text.push_str(&serde_json::to_string(value).map_err(io::Error::other)?);
        self.text.push('\n');
        Ok(())
    }
}

impl Reporter for Results {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Started(header) => self.push(&HeaderLine::new(header)),
            Event::Question(q) => self.push(&Line::new(q)),
            Event::Decided(_) => Ok(()),
        }
    }
}

/// The line of one question, without its end.
///
/// # Errors
/// When it cannot be written as JSON, which nothing in a report should cause.
pub fn line_of(question: &QuestionReport) -> io::Result<String> {
    serde_json::to_string(&Line::new(question)).map_err(io::Error::other)
}

#[derive(Serialize)]
struct HeaderLine<'a> {
    version: u64,
    kind: &'static str,
    ragline: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Value>,
    /// `2/7`: the share of a run that others share, and that decides nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_in_full: Option<&'a str>,
    suites: Vec<SuiteLine<'a>>,
}

#[derive(Serialize)]
struct SuiteLine<'a> {
    suite: &'a str,
    file: &'a str,
    questions: usize,
    selected: usize,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'a str>,
}

impl<'a> HeaderLine<'a> {
    fn new(h: &'a RunHeader) -> Self {
        HeaderLine {
            version: VERSION,
            kind: "results",
            ragline: crate::VERSION,
            profile: h.profile.as_deref(),
            partial: h.partial.map(|(selected, of)| json!({ "selected": selected, "of": of })),
            shard: h.shard.map(|s| format!("{}/{}", s.index, s.of)),
            not_in_full: h.not_in_full.as_deref(),
            suites: h
                .suites
                .iter()
                .map(|s| SuiteLine {
                    suite: &s.name,
                    file: &s.shown,
                    questions: s.questions,
                    selected: s.selected,
                    target: &s.target,
                    subject: s.subject.as_deref(),
                    baseline: match &s.baseline {
                        BaselineState::Present(path) => Some(path),
                        BaselineState::Missing(_) | BaselineState::NotUsed => None,
                    },
                })
                .collect(),
        }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    suite: &'a str,
    id: &'a str,
    outcome: &'static str,
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    verdict: &'static str,
    /// Why it does not count, where the verdict is `skipped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a str>,
    expects: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<&'a str>,
    layers: Layers<'a>,
    evidence: EvidenceLine,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<DiagnosisLine>,
    /// The runs of a question that was asked several times.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<RepeatsLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    same_contexts: Option<bool>,
}

#[derive(Serialize)]
struct Layers<'a> {
    retrieval: LayerLine<'a>,
    facts: LayerLine<'a>,
    refusal: LayerLine<'a>,
    numbers: LayerLine<'a>,
    citation: LayerLine<'a>,
}

#[derive(Serialize)]
struct EvidenceLine {
    in_corpus: Option<bool>,
    in_top_k: Option<bool>,
    in_prompt: Option<bool>,
    complete: Option<bool>,
    answer: Option<bool>,
    unsupported: Option<bool>,
    /// Complete by any passage of a document or section; left out where it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    coarse: bool,
}

#[derive(Serialize)]
struct DiagnosisLine {
    row: u8,
    layer: &'static str,
    next: &'static str,
}

impl<'a> Line<'a> {
    fn new(q: &'a QuestionReport) -> Self {
        let layer = |id: LayerId| LayerLine::new(&q.layers[id], q.repeats.map(|r| r.layers[id]));
        let (verdict, why) = match &q.verdict {
            Verdict::Passed => ("passed", None),
            Verdict::Failed => ("failed", None),
            Verdict::Incomplete => ("incomplete", None),
            Verdict::Skipped(why) => ("skipped", Some(why.as_str())),
        };
        let e = &q.evidence;
        Line {
            suite: &q.suite,
            id: q.id.as_str(),
            outcome: q.outcome.name(),
            change: q.change.name(),
            note: q.change_note.as_deref(),
            verdict,
            why,
            owner: q.owner.as_deref(),
            expects: &q.expects,
            tags: &q.tags,
            group: q.group.as_deref(),
            layers: Layers {
                retrieval: layer(LayerId::Retrieval),
                facts: layer(LayerId::Facts),
                refusal: layer(LayerId::Refusal),
                numbers: layer(LayerId::Numbers),
                citation: layer(LayerId::Citation),
            },
            evidence: EvidenceLine {
                in_corpus: e.in_corpus,
                in_top_k: e.in_top_k,
                in_prompt: e.in_prompt,
                complete: e.complete,
                answer: e.answer,
                unsupported: e.unsupported,
                coarse: e.coarse,
            },
            diagnosis: q.diagnosis.as_ref().map(|d| DiagnosisLine { row: d.row, layer: d.layer, next: d.next }),
            same_contexts: q.same_contexts,
            repeats: q.repeats.map(|r| RepeatsLine::new(r, q.shown_repeat)),
        }
    }
}

/// The runs of a question: those that passed, of those that were measured (`"3/5"`).
#[derive(Serialize, Deserialize)]
struct RepeatsLine {
    first: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fresh: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    /// Which run is the one that is told of, from 0.
    shown: u32,
}

impl RepeatsLine {
    fn new(Repeats { first, fresh, base, floor: _, right_running: _, layers: _ }: Repeats, shown: u32) -> Self {
        RepeatsLine { first: said(first), fresh: fresh.map(said), base: base.map(said), shown }
    }
}

/// `3/5`
fn said(rate: Rate) -> String {
    format!("{}/{}", rate.hits, rate.n)
}

/// Reads `3/5`.
fn rate(text: &str) -> Option<Rate> {
    let (hits, n) = text.split_once('/')?;
    Some(Rate::new(hits.parse().ok()?, n.parse().ok()?))
}

#[derive(Serialize)]
struct LayerLine<'a> {
    outcome: &'static str,
    /// Why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    /// The accepted outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<&'static str>,
    change: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    warn: bool,
    /// Of a question that was asked several times: the first runs in which the layer passed, of those in which it passed or
    /// failed (`"3/5"`).
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    /// The same of those that were asked anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    fresh: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<FindingLine<'a>>,
    #[serde(skip_serializing_if = "Metrics::is_empty")]
    metrics: Metrics<'a>,
    #[serde(skip_serializing_if = "Metrics::is_empty")]
    random: Metrics<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Vec<FactLine<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<Vec<Number<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cited: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dangling: Vec<&'a str>,
}

#[derive(Serialize)]
struct Number<'a> {
    text: &'a str,
    kind: &'static str,
    value: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    status: &'static str,
    start: usize,
    end: usize,
}

impl<'a> LayerLine<'a> {
    fn new(l: &'a LayerReport, runs: Option<LayerRuns>) -> Self {
        let counted = |rate: Rate| (rate.n > 0).then(|| said(rate));
        let mut line = LayerLine {
            outcome: l.result.outcome.name(),
            why: match l.result.outcome {
                Outcome::Skipped(why) => Some(why.name()),
                Outcome::Pass | Outcome::Fail | Outcome::Unmeasured => None,
            },
            was: l.was.map(Outcome::name),
            change: l.change.name(),
            warn: l.warn,
            first: runs.and_then(|r| counted(r.first)),
            fresh: runs.and_then(|r| counted(r.fresh)),
            findings: l.result.findings.iter().map(finding).collect(),
            metrics: Metrics(&[]),
            random: Metrics(&[]),
            rank: None,
            facts: None,
            label: None,
            pattern: None,
            numbers: None,
            cited: None,
            dangling: Vec::new(),
        };
        match &l.result.detail {
            Detail::None => {}
            Detail::Retrieval(d) => {
                line.metrics = Metrics(&d.metrics);
                line.random = Metrics(&d.random);
                line.rank = d.rank;
            }
            Detail::Facts(facts) => line.facts = Some(facts.iter().map(fact).collect()),
            Detail::Refusal(d) => {
                line.label = Some(d.label.name());
                line.pattern = d.pattern.as_deref();
            }
            Detail::Numbers(numbers) => {
                let number = |n: &'a crate::layer::numbers::NumberVerdict| Number {
                    text: &n.text,
                    kind: n.kind,
                    value: &n.value,
                    unit: n.unit.as_deref(),
                    status: n.status.name(),
                    start: n.start,
                    end: n.end,
                };
                line.numbers = Some(numbers.iter().map(number).collect());
            }
            Detail::Citation(d) => {
                line.metrics = Metrics(&d.metrics);
                line.cited = Some(d.cited.clone());
                line.dangling = d.dangling.iter().map(String::as_str).collect();
            }
        }
        line
    }
}

#[derive(Serialize)]
struct FindingLine<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    note: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<usize>,
}

fn finding(f: &Finding) -> FindingLine<'_> {
    FindingLine {
        code: f.code.as_str(),
        message: &f.message,
        note: f.weight == Weight::Note,
        start: f.span.map(|s| s.0),
        end: f.span.map(|s| s.1),
    }
}

#[derive(Serialize)]
struct FactLine<'a> {
    fact: &'a str,
    forbidden: bool,
    ok: bool,
    reason: &'a str,
}

fn fact(f: &crate::layer::facts::FactVerdict) -> FactLine<'_> {
    FactLine { fact: &f.fact, forbidden: f.forbidden, ok: f.ok, reason: &f.reason }
}

/// Metrics by name, in their own order.
struct Metrics<'a>(&'a [(MetricName, f64)]);

impl Metrics<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Metrics<'_> {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(Some(self.0.len()))?;
        let mut key = String::new();
        for (name, value) in self.0 {
            key.clear();
            name.push_to(&mut key);
            map.serialize_entry(&key, &rounded(*value))?;
        }
        map.end()
    }
}

/// Six decimals; what is not a number is `null`, never a number.
fn rounded(value: f64) -> Value {
    let value = (value * 1e6).round() / 1e6;
    // Negative zero would be another text for the same value.
    serde_json::Number::from_f64(value + 0.0).map_or(Value::Null, Value::Number)
}

/// What `accept` and the selectors read back of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultLine {
    /// The suite.
    pub suite: String,
    /// The question's id.
    pub id: String,
    /// `pass`, `fail`, `unmeasured`, `skipped`.
    pub outcome: String,
    /// What changed.
    pub change: Change,
    /// Layers in report order, each with the name of its outcome.
    pub layers: Vec<(LayerId, String)>,
    /// The layers whose state changed.
    pub changed_layers: Vec<LayerId>,
    /// The first runs that passed, of those that were measured, and which run the line tells of; none where there was one run.
    pub first: Option<Rate>,
    /// The same of the runs that were asked anew.
    pub fresh: Option<Rate>,
    /// Both of each layer.
    pub runs: LayerMap<LayerRuns>,
    /// Which run the line tells of.
    pub shown: u32,
}

#[derive(Deserialize)]
struct ReadLine {
    suite: String,
    id: String,
    outcome: String,
    change: String,
    layers: std::collections::BTreeMap<String, ReadLayer>,
    #[serde(default)]
    repeats: Option<RepeatsLine>,
}

#[derive(Deserialize)]
struct ReadLayer {
    outcome: String,
    change: String,
    #[serde(default)]
    first: Option<String>,
    #[serde(default)]
    fresh: Option<String>,
}

#[derive(Deserialize)]
struct ReadHeader {
    version: u64,
    kind: String,
}

/// Reads a results file; `shown` is the path that messages use.
///
/// # Errors
/// When it cannot be read, is not a results file, is of another version, or holds a line that is not a result.
pub fn read(path: &Path, shown: &str) -> Result<Vec<ResultLine>, Problems> {
    let source = crate::problem::read_source(path, shown)?;
    let mut lines = source.text.lines().zip(1_u32..);
    let fault = |line: u32, title: String| -> Problems {
        Problem::error("results-unreadable", Place { file: shown.into(), line, column: 0 }, title)
            .help("run again: `ragline run` writes this file anew")
            .into()
    };
    let (first, _) =
        lines.next().ok_or_else(|| fault(0, "this file is empty, expected the results of a run".into()))?;
    match serde_json::from_str::<ReadHeader>(first) {
        Ok(h) if h.kind == "results" && h.version == VERSION => {}
        Ok(h) if h.kind == "results" => {
            return Err(fault(1, format!("results of version {}, this program reads version {VERSION}", h.version)));
        }
        Ok(_) | Err(_) => return Err(fault(1, "not a results file: expected a first line of kind \"results\"".into())),
    }
    lines.filter(|(text, _)| !text.trim().is_empty()).map(|(text, n)| line(text).map_err(|e| fault(n, e))).collect()
}

fn line(text: &str) -> Result<ResultLine, String> {
    let read: ReadLine = serde_json::from_str(text).map_err(|e| format!("not a result: {e}"))?;
    let change = Change::parse(&read.change).ok_or_else(|| format!("`{}` is no change that I know", read.change))?;
    let mut layers = Vec::with_capacity(read.layers.len());
    let mut changed_layers = Vec::new();
    let mut runs = LayerMap::<LayerRuns>::default();
    for (name, layer) in read.layers {
        let id = LayerId::parse(&name).ok_or_else(|| format!("`{name}` is no layer that I know"))?;
        let quiet = [Change::Unchanged, Change::StillFailing, Change::Flaky, Change::Observed];
        if !quiet.iter().any(|c| c.name() == layer.change) {
            changed_layers.push(id);
        }
        let counted = |said: Option<&str>| said.and_then(rate).unwrap_or_default();
        runs[id] = LayerRuns { first: counted(layer.first.as_deref()), fresh: counted(layer.fresh.as_deref()) };
        layers.push((id, layer.outcome));
    }
    layers.sort_by_key(|(id, _)| *id);
    changed_layers.sort_unstable();
    let told = read.repeats.as_ref();
    Ok(ResultLine {
        suite: read.suite,
        id: read.id,
        outcome: read.outcome,
        change,
        layers,
        changed_layers,
        first: told.and_then(|r| rate(&r.first)),
        fresh: told.and_then(|r| rate(r.fresh.as_deref()?)),
        runs,
        shown: told.map_or(0, |r| r.shown),
    })
}

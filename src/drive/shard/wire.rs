//! What was made of an answer, in a form that can be kept.
//!
//! A merge examines the answers of all shards again, with the same code as a single run. Where personal data was taken out
//! of an answer before it was written that would give another outcome: what was taken out may be what a check looks for.
//! So what a shard made of such an answer stands in the journal beside it, without personal data as well.
//!
//! Everything comes back as it was, or not at all: a name that this version does not know is no outcome.

use crate::core::examine::Examined;
use crate::diagnose::{self, EvidenceFacts};
use crate::layer::citation::CitationDetail;
use crate::layer::facts::FactVerdict;
use crate::layer::numbers::{NumberVerdict, Status};
use crate::layer::refusal::RefusalDetail;
use crate::layer::retrieval::{MetricName, RetrievalDetail};
use crate::layer::{Code, Detail, Finding, LayerId, LayerMap, LayerResult, Outcome, Skip, Weight};
use crate::suite::Expect;
use serde::{Deserialize, Serialize};

/// What was made of one answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::drive) struct Wire {
    layers: Vec<Layer>,
    evidence: EvidenceFacts,
    answer: Option<String>,
    named: Option<bool>,
    stranger: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Layer {
    outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Found>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<Kind>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Found {
    code: String,
    note: bool,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<(usize, usize)>,
}

/// A figure by name. Its value is a text: the shortest decimal that gives exactly the same number back.
type Figure = (String, String);

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Retrieval(Box<Retrieval>),
    Facts(Vec<FactVerdict>),
    Refusal(RefusalDetail),
    Numbers(Vec<Number>),
    Citation(Citation),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Retrieval {
    metrics: Vec<Figure>,
    random: Vec<Figure>,
    chance: Option<String>,
    rank: Option<usize>,
    in_top_k: bool,
    in_prompt: bool,
    heading_unsure: bool,
    complete: bool,
    in_corpus: Option<bool>,
    holders: Vec<usize>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Number {
    text: String,
    kind: String,
    value: String,
    unit: Option<String>,
    status: Status,
    start: usize,
    end: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Citation {
    cited: Vec<usize>,
    dangling: Vec<String>,
    evidence: Option<bool>,
    metrics: Vec<Figure>,
}

/// The kinds of numbers, as [`NumberVerdict::kind`] names them.
const KINDS: [&str; 10] =
    ["number", "percent", "quantity", "money", "date", "time", "ratio", "phone", "version", "code"];

const SKIPS: [Skip; 3] = [Skip::NotApplicable, Skip::Off, Skip::NotObserved];

impl Wire {
    pub(in crate::drive) fn of(examined: &Examined) -> Wire {
        Wire {
            layers: examined.layers.0.iter().map(Layer::of).collect(),
            evidence: examined.evidence,
            answer: examined.answer.clone(),
            named: examined.named,
            stranger: examined.stranger.clone(),
        }
    }

    /// The same back, for a question that expects this. The diagnosis is a function of what is kept.
    pub(in crate::drive) fn examined(self, expect: Expect) -> Option<Examined> {
        if self.layers.len() != LayerId::ALL.len() {
            return None;
        }
        let mut layers = Vec::new();
        for layer in self.layers {
            layers.push(layer.result()?);
        }
        let mut layers = layers.into_iter();
        let mut next = || layers.next().unwrap_or_else(|| LayerResult::skipped(Skip::NotApplicable));
        Some(Examined {
            layers: LayerMap::from_fn(|_| next()),
            evidence: self.evidence,
            diagnosis: Some(diagnose::diagnose(expect, &self.evidence)),
            answer: self.answer,
            named: self.named,
            stranger: self.stranger,
        })
    }
}

impl Layer {
    fn of(result: &LayerResult) -> Layer {
        let why = match result.outcome {
            Outcome::Skipped(why) => Some(why.name().to_owned()),
            Outcome::Pass | Outcome::Fail | Outcome::Unmeasured => None,
        };
        let found = |f: &Finding| Found {
            code: f.code.as_str().to_owned(),
            note: f.weight == Weight::Note,
            message: f.message.clone(),
            span: f.span,
        };
        Layer {
            outcome: result.outcome.name().to_owned(),
            why,
            findings: result.findings.iter().map(found).collect(),
            detail: Kind::of(&result.detail),
        }
    }

    fn result(self) -> Option<LayerResult> {
        let outcome = match (self.outcome.as_str(), self.why.as_deref()) {
            ("pass", None) => Outcome::Pass,
            ("fail", None) => Outcome::Fail,
            ("unmeasured", None) => Outcome::Unmeasured,
            ("skipped", Some(why)) => Outcome::Skipped(SKIPS.into_iter().find(|s| s.name() == why)?),
            _ => return None,
        };
        let mut findings = Vec::new();
        for f in self.findings {
            let weight = if f.note { Weight::Note } else { Weight::Fault };
            findings.push(Finding { code: Code::parse(&f.code)?, weight, message: f.message, span: f.span });
        }
        let detail = match self.detail {
            Some(kind) => kind.detail()?,
            None => Detail::None,
        };
        Some(LayerResult { outcome, findings, detail })
    }
}

impl Kind {
    fn of(detail: &Detail) -> Option<Kind> {
        Some(match detail {
            Detail::None => return None,
            Detail::Retrieval(d) => Kind::Retrieval(Box::new(Retrieval {
                metrics: figures(&d.metrics),
                random: figures(&d.random),
                chance: d.chance.map(text),
                rank: d.rank,
                in_top_k: d.in_top_k,
                in_prompt: d.in_prompt,
                heading_unsure: d.heading_unsure,
                complete: d.complete,
                in_corpus: d.in_corpus,
                holders: d.holders.clone(),
            })),
            Detail::Facts(facts) => Kind::Facts(facts.clone()),
            Detail::Refusal(d) => Kind::Refusal(d.clone()),
            Detail::Numbers(numbers) => Kind::Numbers(numbers.iter().map(Number::of).collect()),
            Detail::Citation(d) => Kind::Citation(Citation {
                cited: d.cited.clone(),
                dangling: d.dangling.clone(),
                evidence: d.evidence,
                metrics: figures(&d.metrics),
            }),
        })
    }

    fn detail(self) -> Option<Detail> {
        Some(match self {
            Kind::Retrieval(d) => Detail::Retrieval(Box::new(RetrievalDetail {
                metrics: metrics(&d.metrics)?,
                random: metrics(&d.random)?,
                chance: match d.chance {
                    Some(chance) => Some(chance.parse().ok()?),
                    None => None,
                },
                rank: d.rank,
                in_top_k: d.in_top_k,
                in_prompt: d.in_prompt,
                heading_unsure: d.heading_unsure,
                complete: d.complete,
                in_corpus: d.in_corpus,
                holders: d.holders,
            })),
            Kind::Facts(facts) => Detail::Facts(facts),
            Kind::Refusal(d) => Detail::Refusal(d),
            Kind::Numbers(numbers) => Detail::Numbers(numbers.into_iter().map(Number::verdict).collect::<Option<_>>()?),
            Kind::Citation(d) => Detail::Citation(CitationDetail {
                cited: d.cited,
                dangling: d.dangling,
                evidence: d.evidence,
                metrics: metrics(&d.metrics)?,
            }),
        })
    }
}

impl Number {
    fn of(n: &NumberVerdict) -> Number {
        let NumberVerdict { text, kind, value, unit, status, start, end } = n;
        Number {
            text: text.clone(),
            kind: (*kind).to_owned(),
            value: value.clone(),
            unit: unit.clone(),
            status: *status,
            start: *start,
            end: *end,
        }
    }

    fn verdict(self) -> Option<NumberVerdict> {
        let Number { text, kind, value, unit, status, start, end } = self;
        let kind = KINDS.into_iter().find(|k| *k == kind)?;
        Some(NumberVerdict { text, kind, value, unit, status, start, end })
    }
}

/// Rust prints the shortest decimal that reads back as the same number.
fn text(value: f64) -> String {
    format!("{value:?}")
}

fn figures(metrics: &[(MetricName, f64)]) -> Vec<Figure> {
    metrics.iter().map(|(name, value)| (name.to_string(), text(*value))).collect()
}

fn metrics(figures: &[Figure]) -> Option<Vec<(MetricName, f64)>> {
    figures.iter().map(|(name, value)| Some((MetricName::parse(name)?, value.parse().ok()?))).collect()
}

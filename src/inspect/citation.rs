//! What the sentences of an answer cite, and whether it bears them out. For logs as well: passages are texts, or objects in
//! the names that logs use.

use super::table::{clean_cell, table};
use super::{Input, exam, first_problem, question};
use crate::layer::citation::{self, CitationDetail, ClaimVerdict, Judged, Lack};
use crate::layer::{Detail, Outcome, Reading, Weight};
use crate::suite::load::evidence_of_json;
use crate::suite::{CitationPolicy, EvidenceItem, Question, Support};
use crate::target::response::{Answer, Citation, Context, Response};
use crate::text::pack::Lang;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt::Write as _;

/// An answer whose citations are looked at.
#[derive(Debug, Default)]
pub struct Citing<'a> {
    /// The question; may be empty.
    pub question: &'a str,
    /// The answer, with its markers.
    pub answer: &'a str,
    /// The passages of the prompt, in order.
    pub contexts: Vec<Context<'a>>,
    /// What the system cites beside its text, where it does.
    pub citations: Option<Vec<Citation<'a>>>,
    /// Where the answer stands, where that is known.
    pub evidence: Vec<EvidenceItem>,
    /// How citations are read.
    pub policy: CitationPolicy,
}

fn judged(citing: Citing<'_>, lang: &Lang) -> Option<Judged> {
    let question = Question { evidence: citing.evidence, citation: citing.policy, ..question(citing.question)? };
    let response = Response {
        answer: Answer::Text(citing.answer.into()),
        contexts: Some(citing.contexts),
        citations: citing.citations,
        ..Response::default()
    };
    let exam = exam(&question, &response, lang);
    Some(citation::judge(&exam, &Reading::new(&exam)))
}

fn detail(judged: &Judged) -> Option<&CitationDetail> {
    match &judged.result.detail {
        Detail::Citation(detail) => Some(detail),
        Detail::None | Detail::Retrieval(_) | Detail::Facts(_) | Detail::Numbers(_) | Detail::Refusal(_) => None,
    }
}

fn metric(judged: &Judged, name: &str) -> Option<f64> {
    detail(judged)?.metrics.iter().find(|(n, _)| n.is(name)).map(|(_, v)| *v)
}

/// Passages as people count them, from 1.
fn counted(passages: &[usize]) -> Vec<usize> {
    passages.iter().map(|i| i + 1).collect()
}

fn lack(lack: &Lack) -> Value {
    match lack {
        Lack::Number(text) => json!({ "number": text }),
        Lack::Quote(text) => json!({ "quote": text }),
        Lack::Words { covered, best_covered, .. } => {
            let round = |share: f64| (share * 1e4).round() / 1e4;
            json!({ "covered": round(*covered), "best_covered": round(*best_covered) })
        }
    }
}

fn claim(c: &ClaimVerdict) -> Value {
    json!({
        "text": c.text,
        "start": c.start,
        "end": c.end,
        "cited": counted(&c.cited),
        "dangling": c.dangling,
        "supported": c.supported,
        "best": c.best.map(|(passage, _)| passage + 1),
        "lacks": c.lack.as_ref().map(lack),
        "superfluous": counted(&c.superfluous),
    })
}

/// An answer checked: `{"outcome","claims":[{"text","start","end","cited","dangling","supported","best","lacks","superfluous"}],
/// "cited","dangling","precision","recall","gold_precision","gold_recall","findings"}`. Passages count from 1; what does not
/// apply is null.
pub fn judge(citing: Citing<'_>, lang: &Lang) -> Value {
    let Some(judged) = judged(citing, lang) else { return Value::Null };
    let findings: Vec<Value> = judged
        .result
        .findings
        .iter()
        .map(|f| json!({ "code": f.code.as_str(), "message": f.message, "note": f.weight == Weight::Note }))
        .collect();
    json!({
        "outcome": judged.result.outcome.name(),
        "claims": judged.claims.iter().map(claim).collect::<Vec<_>>(),
        "cited": detail(&judged).map(|d| counted(&d.cited)).unwrap_or_default(),
        "dangling": detail(&judged).map(|d| d.dangling.clone()).unwrap_or_default(),
        "precision": metric(&judged, "precision"),
        "recall": metric(&judged, "recall"),
        "gold_precision": metric(&judged, "gold_precision"),
        "gold_recall": metric(&judged, "gold_recall"),
        "findings": findings,
    })
}

/// A checked answer for people.
pub fn judge_table(citing: Citing<'_>, lang: &Lang) -> String {
    let Some(judged) = judged(citing, lang) else { return String::new() };
    let mut out = match judged.result.outcome {
        Outcome::Skipped(_) => "no citation to check\n".to_owned(),
        Outcome::Pass | Outcome::Fail | Outcome::Unmeasured => format!("{}\n", judged.result.outcome.name()),
    };
    let mut rows = Vec::new();
    for c in &judged.claims {
        let supported = match c.supported {
            Some(true) => "supported",
            Some(false) => "not supported",
            None if c.cited.is_empty() && c.dangling.is_empty() => "cites nothing",
            None if c.cited.is_empty() => "dangling",
            None => "not comparable",
        };
        let numbers = c.cited.iter().map(|i| (i + 1).to_string());
        let cited: Vec<String> = numbers.chain(c.dangling.iter().map(|d| format!("{d} (nowhere)"))).collect();
        rows.push(vec![supported.to_owned(), clean_cell(&cited.join(", ")), clean_cell(&c.text)]);
    }
    out.push_str(&table(&rows));
    for f in &judged.result.findings {
        let weight = if f.weight == Weight::Note { "note, " } else { "" };
        let _ = writeln!(out, "{weight}{}: {}", f.code, clean_cell(&f.message));
    }
    let named = [
        ("precision", "precision"),
        ("recall", "recall"),
        ("gold_precision", "gold precision"),
        ("gold_recall", "gold recall"),
    ];
    let figures: Vec<String> =
        named.iter().filter_map(|(key, name)| Some(format!("{name} {:.4}", metric(&judged, key)?))).collect();
    if !figures.is_empty() {
        let _ = writeln!(out, "{}", figures.join(", "));
    }
    out
}

/// The first of several names that an object gives, as a text; a number keeps its digits.
fn named<'v>(value: &'v Value, names: &[&str]) -> Result<Option<Cow<'v, str>>, String> {
    for name in names {
        match value.get(*name) {
            None | Some(Value::Null) => {}
            Some(Value::String(s)) => return Ok(Some(s.as_str().into())),
            Some(Value::Number(n)) => return Ok(Some(n.to_string().into())),
            Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => return Err(format!("`{name}` is no text")),
        }
    }
    Ok(None)
}

/// The headings of a passage or citation: a text, or a list of them.
fn headings<'v>(value: &'v Value) -> Result<Vec<Cow<'v, str>>, String> {
    for name in ["section", "heading", "headings"] {
        match value.get(name) {
            None | Some(Value::Null) => {}
            Some(Value::String(s)) => return Ok(vec![s.as_str().into()]),
            Some(Value::Array(list)) => {
                let text = |v: &'v Value| v.as_str().map(Cow::from);
                return list
                    .iter()
                    .map(text)
                    .collect::<Option<_>>()
                    .ok_or(format!("`{name}` holds something that is no text"));
            }
            Some(_) => return Err(format!("`{name}` is no text and no list")),
        }
    }
    Ok(Vec::new())
}

fn context(value: &Value) -> Result<Context<'_>, String> {
    if let Some(text) = value.as_str() {
        return Ok(Context { text: Some(text.into()), ..Context::default() });
    }
    if !value.is_object() {
        return Err("a passage of `contexts` is no text and no object".to_owned());
    }
    let source = named(value, &["doc", "source", "document", "file"])?;
    let address = source.as_ref().is_some_and(|s| s.starts_with("http://") || s.starts_with("https://"));
    let (doc, url) = if address { (None, source) } else { (source, None) };
    let context = Context {
        doc,
        section: headings(value)?,
        chunk: named(value, &["chunk", "id", "chunk_id"])?,
        url: named(value, &["url"])?.or(url),
        text: named(value, &["text", "content", "page_content"])?,
        in_prompt: value.get("in_prompt").and_then(Value::as_bool),
        ..Context::default()
    };
    if context.doc.is_none() && context.chunk.is_none() && context.url.is_none() && context.text.is_none() {
        return Err("a passage of `contexts` has none of `text`, `id`, `source`, `url`".to_owned());
    }
    Ok(context)
}

/// A citation beside the text: the number of a passage (from 1), the name of a document or passage, an address, or an object.
fn citation<'v>(value: &'v Value, contexts: &[Context<'_>]) -> Result<Citation<'v>, String> {
    match value {
        Value::Number(n) => {
            let context = n.as_i64().ok_or_else(|| format!("the citation {n} is no whole number"))?;
            Ok(Citation { context: Some(context), ..Citation::default() })
        }
        Value::String(s) => {
            let name = Some(Cow::from(s.as_str()));
            let chunk = contexts.iter().any(|c| c.chunk.as_deref() == Some(s));
            Ok(if s.starts_with("http://") || s.starts_with("https://") {
                Citation { url: name, ..Citation::default() }
            } else if chunk {
                Citation { chunk: name, ..Citation::default() }
            } else {
                Citation { doc: name, ..Citation::default() }
            })
        }
        Value::Object(_) => Ok(Citation {
            context: value.get("context").and_then(Value::as_i64),
            doc: named(value, &["doc", "source", "document", "file"])?,
            section: headings(value)?,
            chunk: named(value, &["chunk", "id", "chunk_id"])?,
            url: named(value, &["url"])?,
            quote: named(value, &["quote"])?,
        }),
        Value::Null | Value::Bool(_) | Value::Array(_) => {
            Err("a citation is the number of a passage, a name, an address or an object".to_owned())
        }
    }
}

/// One line of input answered.
///
/// # Errors
///
/// A sentence on what is wrong with the line.
pub fn line(input: &Input<'_>, lang: &Lang) -> Result<Value, String> {
    let answer = input.text("answer")?.ok_or("no `answer`")?;
    let contexts: Vec<Context<'_>> = input.list("contexts")?.iter().map(context).collect::<Result<_, _>>()?;
    let citations = match input.get("citations") {
        None => None,
        Some(_) => {
            let list = input.list("citations")?.iter().map(|c| citation(c, &contexts));
            Some(list.collect::<Result<Vec<_>, _>>()?)
        }
    };
    let evidence = match input.list("evidence")? {
        [] => Vec::new(),
        list => evidence_of_json(&Value::Array(list.to_vec()).to_string())
            .map_err(|p| format!("`evidence`: {}", first_problem(&p)))?,
    };
    let support = match input.text("support")? {
        None => None,
        Some("fail") => Some(Support::Fail),
        Some("note") => Some(Support::Note),
        Some("off") => Some(Support::Off),
        Some(other) => return Err(format!("`support` is `{other}`, expected `fail`, `note` or `off`")),
    };
    let from_zero = match input.get("count_from").map(Value::as_u64) {
        None => None,
        Some(Some(n @ (0 | 1))) => Some(n == 0),
        Some(_) => return Err("`count_from` is neither 0 nor 1".to_owned()),
    };
    let question = input.text("question")?.unwrap_or_default();
    let policy = CitationPolicy { support, from_zero };
    Ok(judge(Citing { question, answer, contexts, citations, evidence, policy }, lang))
}

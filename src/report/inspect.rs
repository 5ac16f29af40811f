//! `ragline inspect numbers`: what is read from a text, as JSON and as a table.

use super::clean::terminal;
use crate::layer::numbers::{self, NumberVerdict};
use crate::layer::{Detail, Exam, LayerMap, LayerResult, Outcome, Provides, Reading};
use crate::problem::Place;
use crate::suite::{Expect, Need, Question, QuestionId, Severity};
use crate::target::response::{Answer, Context, Response};
use crate::text::number;
use crate::text::pack::{Lang, Pack};
use serde_json::{Value, json};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// An answer to check against texts.
#[derive(Debug)]
pub struct Judged<'a> {
    /// The question; may be empty.
    pub question: &'a str,
    /// The answer.
    pub answer: &'a str,
    /// The passages.
    pub contexts: &'a [String],
}

/// Code points in front of bytes of one text that are asked for in rising order.
struct Points<'t> {
    text: &'t str,
    last: (usize, usize),
}

impl Points<'_> {
    fn at(&mut self, byte: usize) -> usize {
        let (from, points) = if self.last.0 <= byte { self.last } else { (0, 0) };
        let points = points + self.text.get(from..byte).unwrap_or_default().chars().count();
        self.last = (byte, points);
        points
    }
}

/// The mentions of a text: `{"mentions":[{"text","kind","value","unit","start","end","readings","claim"}]}`.
pub fn mentions(text: &str, lang: &Lang) -> Value {
    let mut points = Points { text, last: (0, 0) };
    let list: Vec<Value> = number::mentions(text, lang)
        .iter()
        .map(|m| {
            json!({
                "text": text.get(m.start..m.end).unwrap_or_default(),
                "kind": m.shown_kind(),
                "value": m.shown_value(),
                "unit": m.shown_unit(),
                "start": points.at(m.start),
                "end": points.at(m.end),
                "readings": m.shown_readings(),
                "claim": m.claim,
            })
        })
        .collect();
    json!({ "mentions": list })
}

fn check(judged: &Judged<'_>, lang: &Lang) -> LayerResult {
    let Some(id) = QuestionId::new("inspected") else { return LayerResult::plain(Outcome::Unmeasured) };
    let question = Question {
        id,
        text: judged.question.to_owned(),
        expect: Expect::Answer,
        evidence: Vec::new(),
        evidence_match: Need::Any,
        facts: Vec::new(),
        must_not: Vec::new(),
        reference: None,
        rubric: None,
        tags: Vec::new(),
        severity: Severity::Normal,
        owner: None,
        group: None,
        layers: LayerMap::default(),
        top_k: None,
        numbers: Default::default(),
        draft: false,
        place: Place::default(),
    };
    let contexts = judged.contexts.iter().map(|t| Context { text: Some(t.as_str().into()), ..Context::default() });
    let response = Response {
        answer: Answer::Text(judged.answer.into()),
        contexts: Some(contexts.collect()),
        ..Response::default()
    };
    let exam = Exam {
        question: &question,
        response: &response,
        provides: Provides::ALL,
        lang,
        pack: Pack::of(lang),
        corpus: None,
        top_k: None,
        pool: None,
    };
    numbers::check(&exam, &Reading::new(&exam))
}

fn verdicts(result: &LayerResult) -> &[NumberVerdict] {
    match &result.detail {
        Detail::Numbers(list) => list,
        Detail::None | Detail::Retrieval(_) | Detail::Facts(_) | Detail::Refusal(_) | Detail::Citation(_) => &[],
    }
}

/// An answer checked: `{"outcome","numbers":[{"text","kind","value","unit","status","start","end"}],"findings"}`. Without a
/// number in the answer the outcome is `skipped`.
pub fn judge(judged: &Judged<'_>, lang: &Lang) -> Value {
    let result = check(judged, lang);
    let numbers: Vec<Value> = verdicts(&result)
        .iter()
        .map(|v| {
            json!({
                "text": v.text, "kind": v.kind, "value": v.value, "unit": v.unit,
                "status": v.status.name(), "start": v.start, "end": v.end,
            })
        })
        .collect();
    let findings: Vec<Value> =
        result.findings.iter().map(|f| json!({ "code": f.code.as_str(), "message": f.message })).collect();
    json!({ "outcome": result.outcome.name(), "numbers": numbers, "findings": findings })
}

/// One line of input answered; `id` is repeated.
///
/// # Errors
///
/// A sentence on what is wrong with the line.
pub fn line(text: &str, lang: &Lang) -> Result<Value, String> {
    let input: Value = serde_json::from_str(text).map_err(|e| format!("no JSON object: {e}"))?;
    let field = |name: &str| match input.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(s)) => Ok(Some(s.as_str())),
        Some(_) => Err(format!("`{name}` is no text")),
    };
    let own = field("lang")?.map(|tag| Lang::new(tag).ok_or_else(|| format!("`{tag}` is no language tag")));
    let own = own.transpose()?;
    let lang = own.as_ref().unwrap_or(lang);
    let mut out = match (field("text")?, field("answer")?) {
        (Some(text), None) => mentions(text, lang),
        (None, Some(answer)) => {
            let contexts: Vec<String> = match input.get("contexts") {
                None | Some(Value::Null) => Vec::new(),
                Some(Value::Array(list)) => {
                    let text = |v: &Value| v.as_str().map(str::to_owned);
                    list.iter().map(text).collect::<Option<_>>().ok_or("`contexts` holds something that is no text")?
                }
                Some(_) => return Err("`contexts` is no list".to_owned()),
            };
            judge(&Judged { question: field("question")?.unwrap_or_default(), answer, contexts: &contexts }, lang)
        }
        (Some(_), Some(_)) => return Err("both `text` and `answer`".to_owned()),
        (None, None) => return Err("neither `text` nor `answer`".to_owned()),
    };
    if let (Some(id), Some(map)) = (input.get("id"), out.as_object_mut()) {
        map.insert("id".to_owned(), id.clone());
    }
    Ok(out)
}

/// Text of others, without what a terminal obeys, on one line.
fn clean_cell(text: &str) -> String {
    terminal(text).replace(['\n', '\t'], " ")
}

/// Rows of cells, padded to the width of their column on a terminal.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell}{}", " ".repeat(width.saturating_sub(cell.width()) + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The mentions of a text for people.
pub fn mentions_table(text: &str, lang: &Lang) -> String {
    let found = number::mentions(text, lang);
    if found.is_empty() {
        return "no number\n".to_owned();
    }
    let mut rows = vec![["text", "kind", "value", "unit", "", ""].map(str::to_owned).to_vec()];
    for m in &found {
        let readings = m.shown_readings();
        let other = match readings.split_first() {
            Some((_, rest)) if !rest.is_empty() => format!("or {}", rest.join(", ")),
            _ => String::new(),
        };
        rows.push(vec![
            clean_cell(text.get(m.start..m.end).unwrap_or_default()),
            m.shown_kind().to_owned(),
            clean_cell(&m.shown_value()),
            m.shown_unit().unwrap_or_default().to_owned(),
            other,
            if m.claim { "" } else { "evidence only" }.to_owned(),
        ]);
    }
    table(&rows)
}

/// A checked answer for people.
pub fn judge_table(judged: &Judged<'_>, lang: &Lang) -> String {
    let result = check(judged, lang);
    let mut rows: Vec<Vec<String>> = Vec::new();
    for v in verdicts(&result) {
        let unit = v.unit.clone().unwrap_or_default();
        rows.push(vec![clean_cell(&v.text), clean_cell(&v.value), unit, v.status.name().to_owned()]);
    }
    let mut out = match result.outcome {
        Outcome::Skipped(_) => "no number to check\n".to_owned(),
        Outcome::Pass | Outcome::Fail | Outcome::Unmeasured => format!("{}\n", result.outcome.name()),
    };
    out.push_str(&table(&rows));
    for f in &result.findings {
        let _ = writeln!(out, "{}: {}", f.code, clean_cell(&f.message));
    }
    out
}

//! The numbers of a text, and which of an answer's stand in its passages.

use super::table::{clean_cell, table};
use super::{Input, examine, question};
use crate::layer::numbers::{self, NumberVerdict};
use crate::layer::{Detail, LayerResult, Outcome};
use crate::target::response::{Answer, Context, Response};
use crate::text::number;
use crate::text::pack::Lang;
use serde_json::{Value, json};
use std::fmt::Write as _;

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
    let Some(question) = question(judged.question) else { return LayerResult::plain(Outcome::Unmeasured) };
    let contexts = judged.contexts.iter().map(|t| Context { text: Some(t.as_str().into()), ..Context::default() });
    let response = Response {
        answer: Answer::Text(judged.answer.into()),
        contexts: Some(contexts.collect()),
        ..Response::default()
    };
    examine(&question, &response, lang, numbers::check)
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

/// One line of input answered.
///
/// # Errors
///
/// A sentence on what is wrong with the line.
pub fn line(input: &Input<'_>, lang: &Lang) -> Result<Value, String> {
    match (input.text("text")?, input.text("answer")?) {
        (Some(text), None) => Ok(mentions(text, lang)),
        (None, Some(answer)) => {
            let contexts = input.texts("contexts")?;
            let question = input.text("question")?.unwrap_or_default();
            Ok(judge(&Judged { question, answer, contexts: &contexts }, lang))
        }
        (Some(_), Some(_)) => Err("both `text` and `answer`".to_owned()),
        (None, None) => Err("neither `text` nor `answer`".to_owned()),
    }
}

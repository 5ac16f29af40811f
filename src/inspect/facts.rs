//! Which facts an answer states, and which prohibitions it breaks.

use super::table::{clean_cell, table};
use super::{Input, examine, first_problem, question};
use crate::layer::facts::{self, FactVerdict};
use crate::layer::{Detail, LayerResult, Outcome, Weight};
use crate::suite::load::facts_of_json;
use crate::suite::{Fact, Question};
use crate::target::response::{Answer, Response};
use crate::text::pack::Lang;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// An answer to check for facts.
#[derive(Debug)]
pub struct Stated<'a> {
    /// The question; may be empty.
    pub question: &'a str,
    /// The answer.
    pub answer: &'a str,
    /// What it must state.
    pub facts: Vec<Fact>,
    /// What it must not.
    pub must_not: Vec<Fact>,
}

fn check(stated: Stated<'_>, lang: &Lang) -> LayerResult {
    let Some(blank) = question(stated.question) else { return LayerResult::plain(Outcome::Unmeasured) };
    let question = Question { facts: stated.facts, must_not: stated.must_not, ..blank };
    let response = Response { answer: Answer::Text(stated.answer.into()), ..Response::default() };
    examine(&question, &response, lang, facts::check)
}

fn verdicts(result: &LayerResult) -> &[FactVerdict] {
    match &result.detail {
        Detail::Facts(list) => list,
        Detail::None | Detail::Retrieval(_) | Detail::Numbers(_) | Detail::Refusal(_) | Detail::Citation(_) => &[],
    }
}

/// An answer checked: `{"outcome","facts":[{"fact","outcome","reason"}],"must_not":[…],"findings":[{"code","message"}]}`, the
/// facts and the prohibitions in the order in which they were given. Without any the outcome is `skipped`.
pub fn judge(stated: Stated<'_>, lang: &Lang) -> Value {
    let result = check(stated, lang);
    let of = |forbidden: bool| -> Vec<Value> {
        let all = verdicts(&result).iter().filter(|v| v.forbidden == forbidden);
        all.map(|v| {
            let outcome = if v.ok { Outcome::Pass } else { Outcome::Fail };
            json!({ "fact": v.fact, "outcome": outcome.name(), "reason": v.reason })
        })
        .collect()
    };
    let findings: Vec<Value> =
        result.findings.iter().map(|f| json!({ "code": f.code.as_str(), "message": f.message })).collect();
    json!({ "outcome": result.outcome.name(), "facts": of(false), "must_not": of(true), "findings": findings })
}

/// A checked answer for people.
pub fn judge_table(stated: Stated<'_>, lang: &Lang) -> String {
    let result = check(stated, lang);
    let rows: Vec<Vec<String>> = verdicts(&result)
        .iter()
        .map(|v| {
            let side = if v.forbidden { "must not" } else { "must" };
            let outcome = if v.ok { Outcome::Pass } else { Outcome::Fail };
            vec![outcome.name().to_owned(), side.to_owned(), clean_cell(&v.fact), clean_cell(&v.reason)]
        })
        .collect();
    let mut out = match result.outcome {
        Outcome::Skipped(_) => "no fact to check\n".to_owned(),
        Outcome::Pass | Outcome::Fail | Outcome::Unmeasured => format!("{}\n", result.outcome.name()),
    };
    out.push_str(&table(&rows));
    for f in &result.findings {
        let weight = if f.weight == Weight::Note { "note, " } else { "" };
        let _ = writeln!(out, "{weight}{}: {}", f.code, clean_cell(&f.message));
    }
    out
}

/// One line of input answered.
///
/// # Errors
///
/// A sentence on what is wrong with the line.
pub fn line(input: &Input<'_>, lang: &Lang) -> Result<Value, String> {
    let answer = input.text("answer")?.ok_or("no `answer`")?;
    let list = |name: &str| -> Result<Vec<Fact>, String> {
        let list = input.list(name)?;
        if list.is_empty() {
            return Ok(Vec::new());
        }
        facts_of_json(&Value::Array(list.to_vec()).to_string()).map_err(|p| format!("`{name}`: {}", first_problem(&p)))
    };
    let question = input.text("question")?.unwrap_or_default();
    let stated = Stated { question, answer, facts: list("facts")?, must_not: list("must_not")? };
    Ok(judge(stated, lang))
}

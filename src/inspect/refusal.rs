//! Whether an answer refuses, and what each part of it is.

use super::table::{clean_cell, table};
use super::{Input, question};
use crate::layer::citation;
use crate::layer::refusal::{self, Label, Own, Part, RefusalDetail, Role, asks_back};
use crate::layer::says_nothing;
use crate::suite::Question;
use crate::text::pack::{Lang, Pack};
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// An answer read, as the layer reads it: its citation markers are no part of what it says.
struct Read {
    question: Question,
    plain: String,
    detail: RefusalDetail,
}

fn read(asked: &str, answer: &str, lang: &Lang, own: &Own) -> Option<Read> {
    let question = question(asked)?;
    // How many passages there are is not known, and only decides which markers lead somewhere.
    let plain = citation::read(answer, 0).plain.into_owned();
    let said = Some(plain.as_str()).filter(|_| !says_nothing(answer));
    let detail = refusal::read_with(said, &question, Pack::of(lang), own);
    Some(Read { question, plain, detail })
}

/// An answer read: `{"label","pattern"?,"veto"?,"asks_back"?}`. `label` is `refusal`, `partial`, `none`, `error`, `empty` or
/// `unknown` (no pack can tell); `pattern` the pattern that hit first, of an error that of the failure; `veto` the first hit
/// that did not count and why; `asks_back` is true where the answer asks the user and claims nothing.
pub fn judge(asked: &str, answer: &str, lang: &Lang, own: &Own) -> Value {
    let mut out = Map::new();
    let Some(read) = read(asked, answer, lang, own) else { return Value::Object(out) };
    out.insert("label".to_owned(), read.detail.label.name().into());
    if let Some(pattern) = read.detail.pattern {
        out.insert("pattern".to_owned(), pattern.into());
    }
    let mut veto: Option<String> = None;
    refusal::parts_of(&read.plain, &read.question, Pack::of(lang), own, &mut |part| {
        if veto.is_none() {
            veto.clone_from(&part.veto);
        }
    });
    if let Some(veto) = veto {
        out.insert("veto".to_owned(), veto.into());
    }
    if asks_back(&read.plain, &read.question, Pack::of(lang), own) {
        out.insert("asks_back".to_owned(), true.into());
    }
    Value::Object(out)
}

/// The same for people: the label, and a row for each part of the answer.
pub fn judge_table(asked: &str, answer: &str, lang: &Lang, own: &Own) -> String {
    let Some(read) = read(asked, answer, lang, own) else { return String::new() };
    let mut out = said(&read.detail);
    let mut rows: Vec<Vec<String>> = Vec::new();
    refusal::parts_of(&read.plain, &read.question, Pack::of(lang), own, &mut |part| rows.push(row(part)));
    out.push_str(&table(&rows));
    if asks_back(&read.plain, &read.question, Pack::of(lang), own) {
        out.push_str("it asks the user back and claims nothing\n");
    }
    out
}

fn said(detail: &RefusalDetail) -> String {
    let mut out = detail.label.name().to_owned();
    let _ = match (detail.label, &detail.pattern) {
        (Label::Unknown, _) => write!(out, ": no language pack can tell"),
        (_, Some(pattern)) => write!(out, " by {pattern}"),
        (_, None) => Ok(()),
    };
    out.push('\n');
    out
}

/// What a part is, its words, and why.
fn row(part: &Part<'_>) -> Vec<String> {
    let ignored = match part.role {
        Role::Refuses | Role::Failed | Role::Claims => "",
        Role::Asks | Role::Polite | Role::Redirects | Role::Offers | Role::AboutSource | Role::Little => "ignored: ",
    };
    let role = match part.claims_too {
        true => "refuses, and claims".to_owned(),
        false => format!("{ignored}{}", part.role.name()),
    };
    let mut why = part.pattern.clone().unwrap_or_default();
    if let Some(veto) = &part.veto {
        let gap = if why.is_empty() { "" } else { "; " };
        let _ = write!(why, "{gap}not by {veto}");
    }
    vec![role, clean_cell(part.text), clean_cell(&why)]
}

/// One line of input answered.
///
/// # Errors
///
/// A sentence on what is wrong with the line.
pub fn line(input: &Input<'_>, lang: &Lang, own: &Own) -> Result<Value, String> {
    let answer = input.text("answer")?.ok_or("no `answer`")?;
    Ok(judge(input.text("question")?.unwrap_or_default(), answer, lang, own))
}

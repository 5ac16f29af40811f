//! Why the questions of a run went wrong: evidence against answer, the rows of the diagnosis, and a table of every question.
//!
//! An answer is looked at beside what the model was shown. Crossing the two tells repairs apart: an answer that is wrong with
//! its evidence in the prompt is the model's fault, one that is right without it rests on luck or on what the model learned.

use super::clean;
use crate::core::Change;
use crate::drive::told::Told;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the answer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Does {
    /// It states what it must.
    Right,
    /// It answers, and does not.
    Wrong,
    /// It refuses.
    Refuses,
}

impl Does {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Does::Right => "right",
            Does::Wrong => "wrong",
            Does::Refuses => "refuses",
        }
    }
}

/// How much of the evidence was in the prompt.
pub fn whole_or_not(whole: bool) -> &'static str {
    if whole { "whole" } else { "not whole" }
}

/// The six ways of answerable questions: whether the evidence was whole in the prompt, and what the answer does.
pub const WAYS: [(bool, Does, &str); 6] = [
    (true, Does::Right, "as it should be"),
    (true, Does::Wrong, "generation: the evidence was there"),
    (true, Does::Refuses, "generation: over-refusal"),
    (false, Does::Right, "luck, or what the model had learned"),
    (false, Does::Wrong, "retrieval, and an answer without evidence"),
    (false, Does::Refuses, "retrieval: the refusal is right"),
];

/// How many questions went each of the six ways.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Crossed {
    /// By the order of [`WAYS`].
    pub counts: [usize; 6],
    /// Questions that expect an answer and of which one of the two is not known.
    pub unknown: usize,
    /// Questions that must be refused, and of those the refused ones.
    pub refuse: (usize, usize),
}

/// Which of the two is so, where both are known.
pub fn way(told: &Told) -> Option<(bool, Does)> {
    let whole = told.evidence.complete.or(told.evidence.in_prompt)?;
    let does = match (told.label.as_str(), told.evidence.answer) {
        ("refusal", _) => Does::Refuses,
        (_, Some(true)) => Does::Right,
        (_, Some(false)) => Does::Wrong,
        (_, None) => return None,
    };
    Some((whole, does))
}

/// Whether anything is expected of a question.
fn asserts(told: &Told) -> bool {
    told.change != Change::Observed.name()
}

/// Counts the questions of a run.
pub fn crossed(questions: &[Told]) -> Crossed {
    let mut out = Crossed::default();
    for told in questions.iter().filter(|t| t.outcome != "skipped" && asserts(t)) {
        match (told.expect.as_str(), way(told)) {
            ("refuse", _) => {
                out.refuse.0 += 1;
                out.refuse.1 += usize::from(told.label == "refusal");
            }
            ("answer", Some(found)) => {
                let at = WAYS.iter().position(|(whole, does, _)| (*whole, *does) == found);
                if let Some(n) = at.and_then(|at| out.counts.get_mut(at)) {
                    *n += 1;
                }
            }
            ("answer", None) => out.unknown += 1,
            _ => {}
        }
    }
    out
}

/// The tables, for people.
pub fn text(questions: &[Told]) -> String {
    let c = crossed(questions);
    let mut out = String::from("evidence in the prompt   answer    questions\n");
    for ((whole, does, words), n) in WAYS.iter().zip(c.counts) {
        let whole = whole_or_not(*whole);
        let does = does.name();
        let _ = writeln!(out, "  {whole:<21}  {does:<8}  {n:>9}   {words}");
    }
    for said in besides(&c) {
        let _ = writeln!(out, "  {said}");
    }
    let rows = rows(questions);
    if rows.is_empty() {
        out.push_str("\nno question has a layer at fault\n");
        return out;
    }
    out.push_str("\nrow  questions  layer at fault\n");
    for ((row, layer), told) in &rows {
        let _ = writeln!(out, "{row:>3}  {:>9}  {layer}", told.len());
        if let Some((_, next)) = told.first().and_then(|t| t.diagnosis.as_ref()) {
            let _ = writeln!(out, "                {next}");
        }
        let ids: Vec<String> = told.iter().take(SHOWN).map(|t| format!("{}::{}", t.suite, t.id)).collect();
        let more = if told.len() > SHOWN { format!(" and {} more", told.len() - SHOWN) } else { String::new() };
        let _ = writeln!(out, "                {}{more}", clean::terminal(&ids.join(" ")));
    }
    out
}

/// What is said below the table of the six ways.
pub(super) fn besides(c: &Crossed) -> Vec<String> {
    let unknown = (c.unknown > 0).then(|| {
        format!("{} more that expect an answer name no evidence or no facts, or could not be measured", c.unknown)
    });
    let refused =
        (c.refuse.0 > 0).then(|| format!("{} of {} that must be refused are refused", c.refuse.1, c.refuse.0));
    unknown.into_iter().chain(refused).collect()
}

/// The questions by the row of their diagnosis and the layer at fault, of what asserts anything.
pub(super) fn rows(questions: &[Told]) -> BTreeMap<(u8, &str), Vec<&Told>> {
    let mut rows: BTreeMap<(u8, &str), Vec<&Told>> = BTreeMap::new();
    for told in questions.iter().filter(|t| asserts(t)) {
        if let (Some(row), Some((layer, _))) = (told.row, &told.diagnosis) {
            rows.entry((row, layer)).or_default().push(told);
        }
    }
    rows
}

/// So many questions of a row are named.
const SHOWN: usize = 6;

/// The columns of the table of every question.
const COLUMNS: [&str; 22] = [
    "suite",
    "id",
    "question",
    "expect",
    "outcome",
    "change",
    "retrieval",
    "facts",
    "refusal",
    "numbers",
    "citation",
    "label",
    "in_corpus",
    "in_top_k",
    "in_prompt",
    "complete",
    "answer_right",
    "unsupported",
    "row",
    "layer_at_fault",
    "next",
    "answer",
];

/// A table of every question as CSV, for a spreadsheet; the bytes begin with a byte-order mark, without which spreadsheets
/// take UTF-8 for something else. A text that a spreadsheet would work out (`=…`) gets an apostrophe in front.
///
/// # Errors
/// What the writer reports; writing into memory does not fail.
pub fn csv(questions: &[Told]) -> csv::Result<Vec<u8>> {
    let mut writer = ::csv::WriterBuilder::new().from_writer(vec![0xEF, 0xBB, 0xBF]);
    writer.write_record(COLUMNS)?;
    let bit = |b: Option<bool>| match b {
        Some(true) => "1",
        Some(false) => "0",
        None => "",
    };
    for told in questions {
        let layer =
            |name: &str| told.layers.iter().find(|l| l.layer == name).map(|l| l.outcome.clone()).unwrap_or_default();
        let (fault, next) = told.diagnosis.clone().unwrap_or_default();
        let e = &told.evidence;
        let mut record: Vec<String> =
            vec![told.suite.clone(), told.id.clone(), inert(&told.question), told.expect.clone()];
        record.extend([told.outcome.clone(), told.change.clone()]);
        record.extend(["retrieval", "facts", "refusal", "numbers", "citation"].map(layer));
        record.push(told.label.clone());
        record.extend(
            [e.in_corpus, e.in_top_k, e.in_prompt, e.complete, e.answer, e.unsupported].map(|b| bit(b).to_owned()),
        );
        record.push(told.row.map(|r| r.to_string()).unwrap_or_default());
        record.extend([fault, next, inert(told.answer.as_deref().unwrap_or_default())]);
        writer.write_record(&record)?;
    }
    writer.into_inner().map_err(|e| e.into_error().into())
}

/// A text that no spreadsheet works out.
pub(super) fn inert(text: &str) -> String {
    let text = clean::xml(text);
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.into_owned() }
}

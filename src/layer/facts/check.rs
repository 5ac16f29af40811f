//! The verdict on each fact.

use super::look::{Match, look};
use super::sheet::Sheet;
use super::{FactVerdict, nearest};
use crate::layer::refusal::{Label, effective};
use crate::layer::{Code, Detail, Exam, Finding, LayerResult, Outcome, Reading, Skip};
use crate::suite::{Expect, Fact, FactForm};
use crate::text::norm::{find_phrase, matching, tone, visible};
use std::fmt::Write as _;
use std::ops::Range;

/// Checks the facts.
pub fn check(exam: &Exam<'_>, reading: &Reading<'_>) -> LayerResult {
    let question = exam.question;
    if question.facts.is_empty() && question.must_not.is_empty() {
        return LayerResult::skipped(Skip::NotApplicable);
    }
    if let Some(result) = reading.without_answer(exam) {
        return result;
    }
    let refuses = effective(exam, reading) == Label::Refusal;
    // Where a refusal is right, it has nothing to state.
    let asked = !(refuses && question.expect != Expect::Answer);
    if !asked && question.must_not.is_empty() {
        return LayerResult::skipped(Skip::NotApplicable);
    }
    let sheet = Sheet::new(exam, reading, refuses);
    // The end goes with the last code point: a marker may stand right behind it.
    let original = |r: Range<usize>| {
        let start = reading.cited.original(r.start);
        (start, r.end.checked_sub(1).map_or(start, |last| reading.cited.original(last) + 1).max(start))
    };
    let mut verdicts = Vec::new();
    let mut findings = Vec::new();
    let required = question.facts.iter().filter(|_| asked);
    for fact in required {
        // A refusal may name the very words that it does not answer with.
        let result = match &fact.form {
            FactForm::YesNo(_) if refuses => Match::Unknown,
            _ if refuses => Match::Missing,
            _ => look(&sheet, fact),
        };
        if let Some(finding) = told(&sheet, fact, &result) {
            findings.push(match place_of(&result) {
                Some(place) => {
                    let (start, end) = original(place);
                    finding.span(start, end)
                }
                None => finding,
            });
        }
        verdicts.push(verdict(fact, false, &result));
    }
    let sheet = if question.must_not.is_empty() { sheet } else { sheet.forbidding() };
    let whole = reading.answer.filter(|answer| *answer != sheet.text).map(|answer| sheet.of(answer));
    for fact in &question.must_not {
        let mut result = look(&sheet, fact);
        let mut there = place(&sheet, &fact.form).map(original);
        // A marker or a footnote may hide what must not be said.
        if let (Some(whole), false) = (&whole, result.is_found()) {
            result = look(whole, fact);
            there = place(whole, &fact.form).map(|r| (r.start, r.end));
        }
        if let Match::Found { how, .. } = &result {
            // How it was found is worth a word only where the very words do not stand there.
            let how = match *how {
                "value" | "number" | "date" => " (by value)",
                "recall" => " (its words stand near each other)",
                _ => "",
            };
            let message = format!("It says “{}”, which it must not{how}.", visible(&fact.to_string()));
            let finding = Finding::fault(Code::ForbiddenClaim, message);
            findings.push(match there {
                Some((start, end)) => finding.span(start, end),
                None => finding,
            });
        }
        verdicts.push(verdict(fact, true, &result));
    }
    let outcome = if verdicts.iter().all(|v| v.ok) { Outcome::Pass } else { Outcome::Fail };
    LayerResult { outcome, findings, detail: Detail::Facts(verdicts) }
}

/// Whether a text states every required fact; no message is written. Nothing when the question requires none.
pub fn states_all(exam: &Exam<'_>, reading: &Reading<'_>) -> Option<bool> {
    let facts = &exam.question.facts;
    let sheet = Sheet::new(exam, reading, false);
    let holds = |f: &Fact| look(&sheet, f).is_found();
    (!facts.is_empty()).then(|| facts.iter().all(holds))
}

fn verdict(fact: &Fact, forbidden: bool, result: &Match) -> FactVerdict {
    FactVerdict { fact: fact.to_string(), forbidden, ok: result.is_found() != forbidden, reason: result.reason() }
}

/// The place of the answer that a result is about.
fn place_of(result: &Match) -> Option<Range<usize>> {
    match result {
        Match::Wrong { place, .. } => place.clone(),
        Match::Found { note, .. } => note.clone(),
        Match::Bound { place, .. } | Match::Negated { place, .. } => Some(place.clone()).filter(|p| !p.is_empty()),
        Match::Missing
        | Match::Unconditional { .. }
        | Match::Disordered { .. }
        | Match::NoPart { .. }
        | Match::Unknown => None,
    }
}

/// The place of a forbidden claim, for the finding.
fn place(sheet: &Sheet<'_>, form: &FactForm) -> Option<Range<usize>> {
    match form {
        FactForm::Text(text) => sheet.place(text),
        FactForm::AnyOf(facts) | FactForm::AllOf(facts) | FactForm::Order(facts) => {
            facts.iter().find_map(|f| place(sheet, &f.form))
        }
        FactForm::Regex(regex) => regex.find(sheet.text).map(|m| sheet.points(m.range())),
        FactForm::Number { .. } | FactForm::Date(_) | FactForm::YesNo(_) => None,
    }
}

/// The finding for a required fact that is not stated, or that is stated with a doubt.
fn told(sheet: &Sheet<'_>, fact: &Fact, result: &Match) -> Option<Finding> {
    let name = visible(&fact.to_string());
    if sheet.refuses {
        let what = match result {
            Match::Unknown => "cannot be told",
            Match::Found { .. } => return None,
            Match::Missing
            | Match::Wrong { .. }
            | Match::Bound { .. }
            | Match::Negated { .. }
            | Match::Unconditional { .. }
            | Match::Disordered { .. }
            | Match::NoPart { .. } => "is not stated",
        };
        return Some(Finding::fault(Code::FactMissing, format!("“{name}” {what}: the answer is a refusal.")));
    }
    let (code, mut message) = match result {
        Match::Found { note: None, .. } => return None,
        Match::Found { note: Some(place), .. } => {
            let said = said_at(sheet, place);
            let message = format!(
                "“{name}” is stated, and a negation stands in front of it: “{said}”. `negation: strict` would count that as \
                 a miss."
            );
            return Some(Finding::note(Code::FactNegated, message));
        }
        Match::Missing => (Code::FactMissing, format!("“{name}” is not stated.")),
        Match::Wrong { found, .. } => (Code::FactWrongValue, format!("“{name}” is wanted, “{found}” is stated.")),
        Match::Bound { found, place } => {
            let said = said_at(sheet, place);
            let found = if said.is_empty() { found.clone() } else { said };
            (Code::FactWrongValue, format!("“{name}” is wanted, and “{found}” states another bound."))
        }
        Match::Negated { found, place } => {
            let said = said_at(sheet, place);
            let said = if said.is_empty() { found.clone() } else { said };
            (Code::FactNegated, format!("“{name}” is wanted, and the answer denies it: “{said}”."))
        }
        Match::Unconditional { condition } => {
            let form = visible(&fact.form.to_string());
            let condition = visible(condition);
            (
                Code::FactConditionMissing,
                format!("“{form}” is stated without its condition or exception, “{condition}”."),
            )
        }
        Match::Disordered { first } => {
            let first = visible(first);
            (Code::FactOutOfOrder, format!("“{name}” is stated in another order: “{first}” comes too early."))
        }
        Match::NoPart { why } => (Code::FactMissing, format!("“{name}” cannot be looked for: {why}.")),
        Match::Unknown => (
            Code::FactMissing,
            format!(
                "“{name}” cannot be told: the answer neither begins with a yes or no nor says one of what is asked for. \
                 State what it must say as a `text` fact beside it."
            ),
        ),
    };
    let at = match result {
        Match::Wrong { place, .. } => place.as_ref(),
        Match::Missing | Match::Unknown | Match::Unconditional { .. } | Match::Disordered { .. } => None,
        Match::Found { .. } | Match::Bound { .. } | Match::Negated { .. } | Match::NoPart { .. } => {
            return Some(Finding::fault(code, message));
        }
    };
    if let Some(sentence) = nearest::sentence(sheet, &fact.form.to_string(), at) {
        let _ = write!(message, " Nearest: “{}”", visible(&nearest::shortened(sentence, 160)));
    }
    if let Some(hint) = tone_hint(sheet, &fact.form) {
        message.push_str(hint);
    }
    Some(Finding::fault(code, message))
}

/// The sentence around a place, shortened: the place and what stands in front of it.
fn said_at(sheet: &Sheet<'_>, place: &Range<usize>) -> String {
    const IN_FRONT: usize = 40;
    let bytes = sheet.bytes(place.clone());
    let sentence = sheet.sentences().iter().map(|s| &s.range).find(|r| r.start <= bytes.start && bytes.start < r.end);
    let from = sentence.map_or(bytes.start, |r| r.start);
    let head = sheet.text.get(from..bytes.start).unwrap_or_default();
    let skipped = head.chars().count().saturating_sub(IN_FRONT);
    let shown: String = head.chars().skip(skipped).chain(sheet.text.get(bytes).unwrap_or_default().chars()).collect();
    let dots = if skipped > 0 { "…" } else { "" };
    visible(&format!("{dots}{}", shown.trim_start()))
}

/// Whether only the place of a tone mark keeps the words apart, in a suite whose language does not fold it.
fn tone_hint(sheet: &Sheet<'_>, form: &FactForm) -> Option<&'static str> {
    let FactForm::Text(text) = form else { return None };
    if sheet.pack.is_some_and(|p| p.tone.is_some()) || text.is_ascii() {
        return None;
    }
    let found = find_phrase(&tone::fold(sheet.matching()), &tone::fold(&matching(text))).is_some();
    found.then_some(
        " The words differ in the place of a tone mark alone: set `language: vi`, or list both spellings in `any_of`.",
    )
}

//! The verdict on each fact.

use super::look::{Found, Match, Miss, look, reason};
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
    // Where a refusal is right, it has nothing to state; nor has a question back.
    let asked = question.expect != Expect::Clarify && !(refuses && question.expect != Expect::Answer);
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
        let result = if refuses { Err(in_a_refusal(fact)) } else { look(&sheet, fact) };
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
    let sheet = sheet.forbidding();
    let whole = reading.answer.filter(|answer| *answer != sheet.text).map(|answer| sheet.of(answer));
    for fact in &question.must_not {
        let mut result = look(&sheet, fact);
        let mut there = place(&sheet, &fact.form).map(original);
        // A marker or a footnote may hide what must not be said.
        if let (Some(whole), true) = (&whole, result.is_err()) {
            result = look(whole, fact);
            there = place(whole, &fact.form).map(|r| (r.start, r.end));
        }
        if let Ok(Found { how, .. }) = &result {
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
    let holds = |f: &Fact| look(&sheet, f).is_ok();
    (!facts.is_empty()).then(|| facts.iter().all(holds))
}

fn verdict(fact: &Fact, forbidden: bool, result: &Match) -> FactVerdict {
    FactVerdict { fact: fact.to_string(), forbidden, ok: result.is_ok() != forbidden, reason: reason(result) }
}

/// A refusal states nothing, and has neither a yes nor a no.
fn in_a_refusal(fact: &Fact) -> Miss {
    if matches!(fact.form, FactForm::YesNo(_)) { Miss::Unknown } else { Miss::Missing }
}

/// The place of the answer that a result is about.
fn place_of(result: &Match) -> Option<Range<usize>> {
    match result {
        Ok(found) => found.note.clone(),
        Err(Miss::Wrong { place, .. } | Miss::Bound { place, .. } | Miss::Negated { place, .. }) => place.clone(),
        Err(
            Miss::Missing | Miss::Unconditional { .. } | Miss::Disordered { .. } | Miss::NoPart { .. } | Miss::Unknown,
        ) => None,
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
    match result {
        Ok(Found { note: None, .. }) => None,
        Ok(Found { note: Some(place), .. }) => {
            let said = said_at(sheet, place);
            let message = format!(
                "“{name}” is stated, and a negation stands in front of it: “{said}”. `negation: strict` would count that as \
                 a miss."
            );
            Some(Finding::note(Code::FactNegated, message))
        }
        Err(miss) if sheet.refuses => {
            let what = if matches!(miss, Miss::Unknown) { "cannot be told" } else { "is not stated" };
            Some(Finding::fault(Code::FactMissing, format!("“{name}” {what}: the answer is a refusal.")))
        }
        Err(miss) => Some(missed(sheet, fact, &name, miss)),
    }
}

fn missed(sheet: &Sheet<'_>, fact: &Fact, name: &str, miss: &Miss) -> Finding {
    let said = |place: &Option<Range<usize>>, found: &String| {
        place.as_ref().map(|p| said_at(sheet, p)).filter(|s| !s.is_empty()).unwrap_or_else(|| found.clone())
    };
    let (code, mut message) = match miss {
        Miss::Missing => match missing_member(sheet, fact) {
            Some(member) => (Code::FactMissing, format!("“{member}” of “{name}” is not stated.")),
            None => (Code::FactMissing, format!("“{name}” is not stated.")),
        },
        Miss::Wrong { found, .. } => (Code::FactWrongValue, format!("“{name}” is wanted, “{found}” is stated.")),
        Miss::Bound { found, place } => {
            let said = place.as_ref().map_or_else(|| found.clone(), |p| around(sheet, p));
            (Code::FactWrongValue, format!("“{name}” is wanted, and “{said}” states another bound."))
        }
        Miss::Negated { found, place } => {
            let said = said(place, found);
            (Code::FactNegated, format!("“{name}” is wanted, and the answer denies it: “{said}”."))
        }
        Miss::Unconditional { condition } => {
            let form = visible(&fact.form.to_string());
            let condition = visible(condition);
            (
                Code::FactConditionMissing,
                format!("“{form}” is stated without its condition or exception, “{condition}”."),
            )
        }
        Miss::Disordered { first } => {
            let first = visible(first);
            (Code::FactOutOfOrder, format!("“{name}” is stated in another order: “{first}” comes too early."))
        }
        Miss::NoPart { why } => (Code::FactMissing, format!("“{name}” cannot be looked for: {why}.")),
        Miss::Unknown => (
            Code::FactMissing,
            format!(
                "“{name}” cannot be told: the answer neither begins with a yes or no nor says one of what is asked for. \
                 Where it is right, put what it must say (`text`, `any_of`) in the place of the `yes_no` fact."
            ),
        ),
    };
    let at = match miss {
        Miss::Wrong { place, .. } => place.as_ref(),
        Miss::Missing | Miss::Unknown | Miss::Unconditional { .. } | Miss::Disordered { .. } => None,
        // The message shows the place already.
        Miss::Bound { .. } | Miss::Negated { .. } | Miss::NoPart { .. } => return Finding::fault(code, message),
    };
    if let Some(sentence) = nearest::sentence(sheet, &fact.form.to_string(), at) {
        let _ = write!(message, " Nearest: “{}”", visible(&nearest::shortened(sentence, 160)));
    }
    if matches!(miss, Miss::Missing)
        && let Some(hint) = tone_hint(sheet, &fact.form)
    {
        message.push_str(hint);
    }
    Finding::fault(code, message)
}

/// A place with a few words on both sides, within its sentence.
fn around(sheet: &Sheet<'_>, place: &Range<usize>) -> String {
    const BEHIND: usize = 16;
    let front = said_at(sheet, place);
    let bytes = sheet.bytes(place.clone());
    let end = sentence_at(sheet, &bytes).end.max(bytes.end);
    let tail = sheet.text.get(bytes.end..end).unwrap_or_default();
    let dots = if tail.chars().count() > BEHIND { "…" } else { "" };
    format!("{front}{}{dots}", visible(&tail.chars().take(BEHIND).collect::<String>()))
}

/// The sentence in which a place begins, in bytes; the place itself where none is found.
fn sentence_at(sheet: &Sheet<'_>, place: &Range<usize>) -> Range<usize> {
    let holds = |r: &&Range<usize>| r.contains(&place.start);
    sheet.sentences().iter().map(|s| &s.range).find(holds).unwrap_or(place).clone()
}

/// Which of the facts that are all needed is not stated, where others are.
fn missing_member(sheet: &Sheet<'_>, fact: &Fact) -> Option<String> {
    let (FactForm::AllOf(members) | FactForm::Order(members)) = &fact.form else { return None };
    let first = members.iter().find(|m| look(sheet, m).is_err())?;
    (members.len() > 1).then(|| visible(&first.to_string()))
}

/// The sentence around a place, shortened: the place and what stands in front of it.
fn said_at(sheet: &Sheet<'_>, place: &Range<usize>) -> String {
    const IN_FRONT: usize = 40;
    let bytes = sheet.bytes(place.clone());
    let head = sheet.text.get(sentence_at(sheet, &bytes).start..bytes.start).unwrap_or_default();
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

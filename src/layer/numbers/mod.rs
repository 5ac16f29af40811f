//! Numbers: is each number of the answer grounded in the passages or the question?
//!
//! Each number of the answer is compared, by value and unit, with the numbers of the passages that were in the prompt,
//! and then with those of the question. A copied sentence with one digit changed fails here, whatever its overlap.

mod asked;
mod derived;
mod evidence;
mod pieces;
mod read;
mod subject;

use super::{Code, Detail, Exam, Finding, LayerResult, Outcome, Reading, Skip};
use crate::text::number::{self, Kind, Mention};
use evidence::{Claim, Found, Source};
pub(in crate::layer) use pieces::{Cut, pieces};
pub(in crate::layer) use read::read;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// What a number of the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It stands in a passage that was in the prompt.
    Grounded,
    /// It stands there under another reading, rounded, or nearly where the answer says *about*.
    GroundedMinor,
    /// It stands there, and another number of the passages answers the question better.
    SuspectSubject,
    /// It stands there with another qualifier: days and working days.
    UnitQualifier,
    /// It was computed from numbers that stand there, and can be computed again.
    Derived,
    /// It stands only in the question.
    QuestionOnly,
    /// It needs no passage: the suite allows it, `24/7`, or the number of items of the answer's own list.
    Allowed,
    /// The value stands in a passage, but every time with another unit.
    UnitMismatch,
    /// It stands nowhere.
    Ungrounded,
}

impl Status {
    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Grounded => "grounded",
            Status::GroundedMinor => "grounded_minor",
            Status::SuspectSubject => "suspect_subject",
            Status::UnitQualifier => "unit_qualifier",
            Status::Derived => "derived",
            Status::QuestionOnly => "question_only",
            Status::Allowed => "allowed",
            Status::UnitMismatch => "unit_mismatch",
            Status::Ungrounded => "ungrounded",
        }
    }

    /// True for the two that fail the layer.
    pub fn is_fault(self) -> bool {
        match self {
            Status::UnitMismatch | Status::Ungrounded => true,
            Status::Grounded
            | Status::GroundedMinor
            | Status::SuspectSubject
            | Status::UnitQualifier
            | Status::Derived
            | Status::QuestionOnly
            | Status::Allowed => false,
        }
    }
}

/// One number of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberVerdict {
    /// The text, with its unit.
    pub text: String,
    /// `number`, `percent`, `quantity`, `money`, `date`, `time`, `ratio`, `phone`, `version`, `code`.
    pub kind: &'static str,
    /// The exact value of its first reading, as a decimal: for a time, minutes after midnight. A date in ISO form; for the
    /// kinds compared as strings, the string.
    pub value: String,
    /// The unit in its normal form (`day`, `VND`, `percent`), if any.
    pub unit: Option<String>,
    /// Grounded or not.
    pub status: Status,
    /// Place in the answer as returned, in code points.
    pub start: usize,
    /// End in the answer as returned, in code points.
    pub end: usize,
}

/// Checks the numbers. Passages are read only when the answer claims a number, and only until all of them are grounded.
pub fn check(exam: &Exam<'_>, reading: &Reading<'_>) -> LayerResult {
    if let Some(result) = reading.without_answer(exam) {
        return result;
    }
    let plain = reading.cited.plain.as_ref();
    let mentions: Vec<Mention> = reading.mentions(exam.lang).iter().filter(|m| m.claim).cloned().collect();
    if mentions.is_empty() {
        return LayerResult::skipped(Skip::NotApplicable);
    }
    let Some(contexts) = exam.response.contexts.as_ref() else {
        return if exam.provides.contexts {
            LayerResult::unmeasured(Finding::fault(Code::ContextsMissing, "The response holds no passages."))
        } else {
            LayerResult::skipped(Skip::NotObserved)
        };
    };
    let sent: Vec<_> = contexts.iter().enumerate().filter(|(_, c)| c.in_prompt()).collect();
    let mut texts: Vec<Source<'_>> = Vec::with_capacity(sent.len());
    for (i, c) in &sent {
        if let Some(text) = c.text.as_deref() {
            texts.push(Source::new(i + 1, text, c.doc.as_deref()));
        }
    }

    let (claims, which) = settle(exam, plain, &mentions, &texts, true);

    let without_text = sent.len() - texts.len();
    if without_text > 0 && claims.iter().any(|c| c.status().is_fault()) {
        return LayerResult::unmeasured(Finding::fault(
            Code::ContextTextMissing,
            format!("{without_text} of the {} passages in the prompt came without text.", sent.len()),
        ));
    }
    let points = Points::new(plain, reading);
    let mut findings: Vec<Finding> = Vec::new();
    let mut verdicts = Vec::with_capacity(mentions.len());
    for (m, claim) in mentions.iter().zip(which.iter().filter_map(|i| claims.get(*i))) {
        let text = plain.get(m.start..m.end).unwrap_or_default();
        let (start, end) = points.span(m.start, m.end);
        if let Some(finding) = finding(claim, text, texts.len()) {
            findings.push(finding.span(start, end));
        }
        verdicts.push(NumberVerdict {
            text: text.to_owned(),
            kind: m.shown_kind(),
            value: m.shown_value(),
            unit: m.shown_unit().map(str::to_owned),
            status: claim.status(),
            start,
            end,
        });
    }
    findings.sort_by_key(|f| f.weight);
    let fails = verdicts.iter().any(|v| v.status.is_fault());
    LayerResult {
        outcome: if fails { Outcome::Fail } else { Outcome::Pass },
        findings,
        detail: Detail::Numbers(verdicts),
    }
}

/// The claims that some numbers of the answer make, each once and with what these passages, the suite and the question say of
/// it, and for each number the index of its claim. Whether another number is nearer to the question matters only where that
/// is told (`subjects`).
fn settle<'m>(
    exam: &Exam<'_>,
    plain: &str,
    mentions: &'m [Mention],
    texts: &[Source<'_>],
    subjects: bool,
) -> (Vec<Claim<'m>>, Vec<usize>) {
    let items = list_items(plain);
    let question = exam.question.text.as_str();
    let asked = [Source::new(0, question, None)];
    let (mut claims, which) = evidence::distinct(mentions, |m| allowed(m, &items));
    evidence::search(&mut claims, texts, exam.lang, evidence::From::Passages);
    let allowed: Vec<Source<'_>> = exam.question.numbers.allow.iter().map(|text| Source::new(0, text, None)).collect();
    evidence::search(&mut claims, &allowed, exam.lang, evidence::From::Allowed);
    evidence::search(&mut claims, &asked, exam.lang, evidence::From::Question);
    derived::shown(plain, mentions, &which, &mut claims);
    derived::from_question(&mut claims, question, texts, exam.lang);
    if exam.question.numbers.allow_sum {
        derived::sums(&mut claims, &asked, texts, exam.lang);
    }
    if subjects {
        let [asked] = &asked;
        subject::compare(&mut claims, asked, texts, exam.lang);
    }
    (claims, which)
}

/// For each number that some mentions of the answer claim: whether the layer would let it pass if this were the only passage
/// of the prompt. `rank` counts from 1.
pub(in crate::layer) fn borne_out(
    exam: &Exam<'_>,
    plain: &str,
    mentions: &[Mention],
    (rank, text, doc): (usize, &str, Option<&str>),
) -> Vec<bool> {
    let (claims, which) = settle(exam, plain, mentions, &[Source::new(rank, text, doc)], false);
    which.into_iter().map(|i| claims.get(i).is_some_and(|c| !c.status().is_fault())).collect()
}

/// The sentence about one number that is not simply grounded.
fn finding(claim: &Claim<'_>, text: &str, passages: usize) -> Option<Finding> {
    let place = |f: &Found| match f.passage {
        0 => format!("the question says “{}”", f.text),
        n => format!("passage {n} says “{}”", f.text),
    };
    let pool = match passages {
        0 => "there is no passage in the prompt".to_owned(),
        1 => "it is not in the only passage of the prompt".to_owned(),
        n => format!("it stands in none of the {n} passages in the prompt"),
    };
    Some(match claim.status() {
        Status::Grounded | Status::Allowed => return None,
        Status::GroundedMinor => {
            let found = claim.best.as_ref().map(place).unwrap_or_default();
            Finding::note(Code::NumberOtherReading, format!("“{text}” is grounded only loosely: {found}."))
        }
        Status::QuestionOnly => {
            Finding::note(Code::NumberFromQuestion, format!("“{text}” stands only in the question; {pool}."))
        }
        Status::SuspectSubject => {
            let other = claim.preferred.as_ref().map(place).unwrap_or_default();
            let message = format!("“{text}” may belong to something else: {other}, which is nearer to the question.");
            Finding::note(Code::NumberOtherSubject, message)
        }
        Status::UnitQualifier => {
            let found = claim.best.as_ref().map(place).unwrap_or_default();
            Finding::note(Code::NumberUnitQualifier, format!("“{text}” counts other days than the passages: {found}."))
        }
        Status::Derived => {
            let how = claim.derived.as_deref().unwrap_or_default();
            Finding::note(Code::NumberDerived, format!("“{text}” is computed: {how}."))
        }
        Status::UnitMismatch => {
            let found = claim.best.as_ref().map(place).unwrap_or_default();
            Finding::fault(Code::NumberUnitMismatch, format!("“{text}” has another unit in the passages: {found}."))
        }
        Status::Ungrounded => {
            let near = claim.nearest.as_ref().map(|f| format!("; {}", place(f))).unwrap_or_default();
            // Most hotlines of refusals stand in the instructions, which no response returns.
            let phone = claim.mention.kind == Kind::Phone;
            let own = if phone { "; `numbers: { allow: […] }` in the suite allows a number of yours" } else { "" };
            Finding::fault(Code::NumberUngrounded, format!("“{text}” is not grounded: {pool}{near}{own}."))
        }
    })
}

/// How many items each list of the answer has. A line of text that is not indented ends a list.
fn list_items(text: &str) -> Vec<usize> {
    let mut lists = Vec::new();
    let mut items = 0;
    for line in text.lines() {
        let body = line.trim_start();
        let bullet = ["- ", "* ", "• ", "+ ", "– "].iter().any(|b| body.starts_with(b));
        let digits = body.chars().take_while(|c| number::digit(*c).is_some()).take(4).count();
        let mark = body.chars().nth(digits);
        let numbered = (1..=3).contains(&digits) && matches!(mark, Some('.' | ')' | '、' | '．' | '）'));
        if bullet || numbered {
            items += 1;
        } else if !body.is_empty() && body.len() == line.len() {
            lists.push(std::mem::take(&mut items));
        }
    }
    lists.push(items);
    lists.retain(|n| *n > 1);
    lists
}

/// Numbers that need no passage.
fn allowed(m: &Mention, items: &[usize]) -> bool {
    let count = || m.value().is_some_and(|v| items.iter().any(|n| i64::try_from(*n).is_ok_and(|n| v == n.into())));
    match m.kind {
        Kind::Ratio => m.key == "24/7",
        Kind::Number => count(),
        Kind::Quantity => m.unit == Some(number::Unit::COUNT) && count(),
        Kind::Percent | Kind::Money | Kind::Date | Kind::Time | Kind::Phone | Kind::Code => false,
    }
}

/// Code points of the answer as returned, for bytes of the folded answer.
struct Points<'a, 'r> {
    plain: &'a str,
    reading: &'a Reading<'r>,
    ascii: bool,
    /// The byte asked for last and its code point: numbers come in order, so each count goes on from there.
    last: Cell<(usize, usize)>,
}

impl<'a, 'r> Points<'a, 'r> {
    fn new(plain: &'a str, reading: &'a Reading<'r>) -> Self {
        Points { plain, reading, ascii: plain.is_ascii(), last: Cell::new((0, 0)) }
    }

    fn at(&self, byte: usize) -> usize {
        if self.ascii {
            return byte;
        }
        let (from, points) = Some(self.last.get()).filter(|(from, _)| *from <= byte).unwrap_or((0, 0));
        let at = points + self.plain.get(from..byte).unwrap_or_default().chars().count();
        self.last.set((byte, at));
        at
    }

    /// The end is one behind the last code point, so that a marker folded out behind the number stays outside.
    fn span(&self, start: usize, end: usize) -> (usize, usize) {
        let (first, last) = (self.at(start), self.at(end).saturating_sub(1));
        let start = self.reading.cited.original(first);
        (start, self.reading.cited.original(last.max(first)) + 1)
    }
}

//! The label against what the question expects.

use super::{Label, RefusalDetail, asks_back, claimed_numbers};
use crate::layer::{Code, Detail, Exam, Finding, LayerResult, Outcome, Reading};
use crate::suite::Expect;
use crate::text::norm::matching;
use crate::text::number;

/// The label that counts: the system's own flag where there is one, else the label by the text.
pub fn effective(exam: &Exam<'_>, reading: &Reading<'_>) -> Label {
    match (exam.response.refused, reading.refusal.label) {
        (Some(true), Label::Partial) => Label::Partial,
        // A flag beside a failure says how the system handled it, not that it weighed the question.
        (Some(_), Label::Error) => Label::Error,
        (Some(true), Label::None | Label::Refusal | Label::Empty | Label::Unknown) => Label::Refusal,
        (Some(false), Label::Empty) => Label::Empty,
        (Some(false), Label::None | Label::Refusal | Label::Partial | Label::Unknown) => Label::None,
        (None, label) => label,
    }
}

/// Checks refusal.
pub fn check(exam: &Exam<'_>, reading: &Reading<'_>) -> LayerResult {
    // A system that says it refused has said something, whether or not it put that into words.
    let stated = exam.response.refused == Some(true) && exam.response.error.is_none();
    let failed = reading.refusal.label == Label::Error;
    if (!stated || failed)
        && let Some(result) = reading.without_answer(exam)
    {
        return LayerResult { detail: Detail::Refusal(reading.refusal.clone()), ..result };
    }
    let label = effective(exam, reading);
    let mut findings = Vec::new();
    let outcome = match (exam.question.expect, label) {
        (_, Label::Unknown) => {
            let language = exam.pack.map_or("this language", |p| p.language());
            findings.push(Finding::fault(
                Code::LanguageNotCovered,
                format!("Whether this answer refuses cannot be told: it is not written in a language that the packs cover (suite: {language})."),
            ));
            Outcome::Unmeasured
        }
        (_, Label::Error) => Outcome::Unmeasured,
        (Expect::Clarify, Label::None | Label::Refusal | Label::Partial | Label::Empty)
            if asked_back(exam, reading) =>
        {
            Outcome::Pass
        }
        (Expect::Clarify, Label::None | Label::Refusal | Label::Partial) => {
            findings.push(Finding::fault(Code::NotClarified, not_clarified(label)));
            Outcome::Fail
        }
        (_, Label::Empty) => {
            findings.push(Finding::fault(Code::AnswerEmpty, "The answer is blank."));
            Outcome::Unmeasured
        }
        (Expect::Answer, Label::Refusal) | (Expect::Refuse, Label::None) if against(exam, reading) => {
            findings.extend(disagreement(exam, reading).map(|message| {
                let wanted = if exam.question.expect == Expect::Refuse { "a refusal" } else { "an answer" };
                Finding::fault(Code::RefusalFlagDisagrees, format!("{message}; {wanted} was expected."))
            }));
            return LayerResult { outcome: Outcome::Fail, findings, detail: Detail::Refusal(reading.refusal.clone()) };
        }
        (Expect::Answer, Label::Refusal) => {
            findings.push(Finding::fault(Code::FalseRefusal, false_refusal(exam, reading)));
            Outcome::Fail
        }
        (Expect::Refuse, Label::None) => {
            findings.push(Finding::fault(Code::NotRefused, "It answers, and says nowhere that it does not know."));
            Outcome::Fail
        }
        (Expect::Refuse, Label::Refusal) if !claimed_beside_flag(exam, reading).is_empty() => {
            let claims = claimed_beside_flag(exam, reading).join(", ");
            let message = format!("It is flagged as a refusal, and claims {claims}.");
            findings.push(Finding::fault(Code::NotRefused, message));
            Outcome::Fail
        }
        (Expect::Refuse, Label::Partial) => {
            let plain = reading.cited.plain.as_ref();
            let numbers = claimed_numbers(plain, exam.question, exam.pack, exam.own());
            if numbers.is_empty() {
                findings.push(partial(exam, reading));
                Outcome::Pass
            } else {
                let message = format!("It refuses one part, but claims {} in another.", numbers.join(", "));
                findings.push(Finding::fault(Code::NotRefused, message));
                Outcome::Fail
            }
        }
        (Expect::Answer | Expect::Either, Label::Partial) => {
            findings.push(partial(exam, reading));
            Outcome::Pass
        }
        (Expect::Answer, Label::None)
        | (Expect::Refuse, Label::Refusal)
        | (Expect::Either, Label::None | Label::Refusal) => Outcome::Pass,
    };
    if let (Some(pattern), Outcome::Pass | Outcome::Fail) = (&reading.refusal.failed, outcome) {
        let message = format!("One part says that the system failed (pattern {pattern}); the others are judged.");
        findings.push(Finding::note(Code::AnswerFailed, message));
    }
    let note = |message| Finding::note(Code::RefusalFlagDisagrees, format!("{message}."));
    findings.extend(disagreement(exam, reading).map(note));
    LayerResult { outcome, findings, detail: Detail::Refusal(reading.refusal.clone()) }
}

/// The numbers that a text claims which does not read like the refusal that the response's flag says it is.
fn claimed_beside_flag(exam: &Exam<'_>, reading: &Reading<'_>) -> Vec<String> {
    if reading.refusal.label != Label::None {
        return Vec::new();
    }
    let plain = reading.cited.plain.as_ref();
    let mut claims = claimed_numbers(plain, exam.question, exam.pack, exam.own());
    if !claims.is_empty() {
        // A telephone number sends the reader elsewhere.
        let mentions = number::mentions(plain, exam.lang);
        let stated = |claim: &str| {
            let written = mentions.iter().filter(|m| m.kind.has_value()).filter_map(|m| plain.get(m.start..m.end));
            written.into_iter().any(|w| matching(w).contains(claim))
        };
        claims.retain(|claim| stated(claim));
    }
    claims
}

/// Whether the answer asks the user back and claims nothing.
pub fn asked_back(exam: &Exam<'_>, reading: &Reading<'_>) -> bool {
    reading.answer.is_some() && asks_back(&reading.cited.plain, exam.question, exam.pack, exam.own())
}

fn not_clarified(label: Label) -> &'static str {
    match label {
        Label::Refusal => "It refuses and asks nothing; a question back to the user was expected.",
        Label::Partial => {
            "It refuses one part, answers another, and does not leave it to the user; a question back was expected."
        }
        Label::None | Label::Error | Label::Empty | Label::Unknown => {
            "It answers; a question back to the user about what is meant was expected."
        }
    }
}

fn by(exam: &Exam<'_>, reading: &Reading<'_>) -> String {
    match (&reading.refusal.pattern, exam.response.refused) {
        (_, Some(true)) => " by the system's own flag".into(),
        (Some(pattern), _) => format!(" (pattern {pattern})"),
        (None, _) => String::new(),
    }
}

fn false_refusal(exam: &Exam<'_>, reading: &Reading<'_>) -> String {
    let by = match (&reading.refusal.pattern, exam.response.refused) {
        (_, Some(true)) => ", as the system itself says,".to_owned(),
        (Some(pattern), _) => format!(" (pattern {pattern})"),
        (None, _) => String::new(),
    };
    format!("It refuses{by} and an answer was expected.")
}

fn partial(exam: &Exam<'_>, reading: &Reading<'_>) -> Finding {
    Finding::note(Code::PartialRefusal, format!("It refuses one part and answers another{}.", by(exam, reading)))
}

/// Whether the flag of the response says one thing and its text the other.
pub fn against(exam: &Exam<'_>, reading: &Reading<'_>) -> bool {
    disagreement(exam, reading).is_some()
}

/// What the flag says and what the text says, where they do not agree; without its end.
fn disagreement(exam: &Exam<'_>, reading: &Reading<'_>) -> Option<String> {
    let RefusalDetail { label, pattern, failed: _ } = &reading.refusal;
    match (exam.response.refused?, label) {
        (true, Label::None) => {
            Some("The response says refused = true, its text does not read like a refusal".to_owned())
        }
        (false, Label::Refusal | Label::Partial) => {
            let pattern = pattern.as_deref().unwrap_or("by its words");
            let part = if *label == Label::Partial { "a part of its text" } else { "its text" };
            Some(format!("The response says refused = false, {part} reads like a refusal ({pattern})"))
        }
        (true, Label::Refusal | Label::Partial | Label::Error | Label::Empty | Label::Unknown)
        | (false, Label::None | Label::Error | Label::Empty | Label::Unknown) => None,
    }
}

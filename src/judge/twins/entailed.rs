//! Is a twin still borne out by the passages?
//!
//! What a rule can see is asked of the rules: the numbers of the twin by the check of numbers, and its words by the passages.
//! What no rule sees (whether a negation contradicts) is in the making of the edit.

use super::{Kind, Passage, Source};
use crate::inspect::{exam, question};
use crate::layer::{Outcome, Reading, numbers};
use crate::suite::Question;
use crate::target::response::{Answer, Context, Response};
use crate::text::norm;
use crate::text::segment::sentences;

/// Whether an edited answer is what its kind says: wrong, or of a paraphrase still right.
pub fn is_twin(source: &Source, kind: Kind, was: &str, answer: &str, contexts: &[Passage]) -> bool {
    if norm::matching(was) == norm::matching(answer) {
        return false;
    }
    match kind {
        Kind::Num2x3 | Kind::NumDigit | Kind::NumPm1 | Kind::UnitSwap | Kind::DateOff1 => {
            outcome(source, was, contexts) != Some(Outcome::Fail)
                && outcome(source, answer, contexts) == Some(Outcome::Fail)
        }
        Kind::CleanParaphrase => outcome(source, answer, contexts) == outcome(source, was, contexts),
        Kind::NumSwap | Kind::NegFlip | Kind::EntitySwap => !stands(source, answer, contexts),
        // The words that are left stand in the passage, and yet say more than it does.
        Kind::DropException | Kind::AddUnsupported | Kind::CiteSwap => true,
    }
}

/// What the check of numbers says.
fn outcome(source: &Source, answer: &str, contexts: &[Passage]) -> Option<Outcome> {
    let blank = question(&source.question)?;
    let question = Question { numbers: source.numbers.clone(), ..blank };
    let response = Response {
        answer: Answer::Text(answer.into()),
        contexts: Some(contexts.iter().map(passage).collect()),
        ..Response::default()
    };
    let exam = exam(&question, &response, &source.lang);
    Some(numbers::check(&exam, &Reading::new(&exam)).outcome)
}

fn passage(p: &Passage) -> Context<'_> {
    Context { text: Some(p.text.as_str().into()), doc: p.doc.as_deref().map(Into::into), ..Context::default() }
}

/// Whether every sentence of an answer stands in a passage word for word.
fn stands(source: &Source, answer: &str, contexts: &[Passage]) -> bool {
    let passages: Vec<String> = contexts.iter().map(|c| norm::matching(&c.text)).collect();
    let held = |s: &str| {
        let s = norm::matching(s);
        passages.iter().any(|p| p.contains(s.trim_end_matches('.')))
    };
    sentences(answer, &source.lang).into_iter().filter_map(|r| answer.get(r)).all(held)
}

//! What a layer is given: one question, one response, and what the layers share about the answer.

use super::{Code, Finding, LayerResult, Skip, citation, refusal};
use crate::suite::Question;
use crate::suite::corpus::Corpus;
use crate::target::response::{Answer, Response};
use crate::text::norm::chars::{is_punctuation, is_visible};
use crate::text::norm::visible;
use crate::text::number::{self, Mention};
use crate::text::pack::{Lang, Pack};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::LazyLock;

/// What a target is said to return. Less means that a layer is skipped (`not_observed`); declared but absent means
/// unmeasured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provides {
    /// It answers. False for a bare retriever.
    pub answer: bool,
    /// It returns its passages.
    pub contexts: bool,
    /// It cites: in a field of the response, or by markers in each answer.
    pub citations: bool,
}

impl Provides {
    /// Everything.
    pub const ALL: Provides = Provides { answer: true, contexts: true, citations: true };
}

/// One question with one response: the argument of every check.
#[derive(Debug, Clone, Copy)]
pub struct Exam<'a> {
    /// The question.
    pub question: &'a Question,
    /// The response.
    pub response: &'a Response<'a>,
    /// What the target is said to return.
    pub provides: Provides,
    /// The suite's language.
    pub lang: &'a Lang,
    /// The language pack of the suite's language; none when there is no pack.
    pub pack: Option<&'a Pack>,
    /// The corpus, where the suite names one.
    pub corpus: Option<&'a Corpus>,
    /// How many passages count for retrieval; none: all that were in the prompt.
    pub top_k: Option<usize>,
    /// How many passages the index holds, where that is known: the pool of the random ranking.
    pub pool: Option<usize>,
    /// Which passages those are, where that is known.
    pub holdings: Option<&'a super::retrieval::random::Holdings>,
    /// The wordings of refusals and failures that the project adds; none where it adds none.
    pub own: Option<&'a refusal::Own>,
}

impl<'a> Exam<'a> {
    /// The wordings that the project adds, which may be none.
    pub fn own(&self) -> &'a refusal::Own {
        static NONE: LazyLock<refusal::Own> = LazyLock::new(refusal::Own::default);
        self.own.unwrap_or(&NONE)
    }
}

/// What the layers share about the answer: read once.
#[derive(Debug)]
pub struct Reading<'a> {
    /// The answer as returned; nothing when there is none or it is blank.
    pub answer: Option<&'a str>,
    /// The markers of the answer, and the answer with the markers folded out.
    pub cited: citation::Cited<'a>,
    /// Whether it is a refusal, by its text.
    pub refusal: refusal::RefusalDetail,
    /// The passages that hold evidence, once retrieval has found them.
    pub holders: Option<Vec<usize>>,
    /// The numbers of the answer without its markers, once a layer has asked for them.
    mentions: OnceCell<Vec<Mention>>,
}

/// A text in which a reader finds nothing said: no letter, digit or sign, only blanks, punctuation (`...`, an empty code
/// fence) and what is not seen.
pub fn says_nothing(text: &str) -> bool {
    text.chars().all(|c| !is_visible(c) || is_punctuation(c))
}

impl<'a> Reading<'a> {
    /// Reads the answer of a response.
    pub fn new(exam: &Exam<'a>) -> Self {
        let answer = match &exam.response.answer {
            Answer::Text(t) if !says_nothing(t) => Some(t.as_ref()),
            Answer::Text(_) | Answer::Null | Answer::Absent => None,
        };
        let contexts = exam.response.contexts.as_ref().map_or(0, Vec::len);
        let cited = citation::read(answer.unwrap_or_default(), contexts);
        // `[1]` alone says nothing either.
        let answer = answer.filter(|_| !says_nothing(&cited.plain));
        let refusal = refusal::read_with(answer.map(|_| cited.plain.as_ref()), exam.question, exam.pack, exam.own());
        Reading { answer, cited, refusal, holders: None, mentions: OnceCell::new() }
    }

    /// A text that is known to be no refusal and to hold no markers, read as if it were an answer.
    pub fn of_text(text: &'a str) -> Self {
        Reading {
            answer: Some(text),
            cited: citation::Cited { plain: Cow::Borrowed(text), markers: Vec::new(), offsets: Vec::new() },
            refusal: refusal::RefusalDetail::of(refusal::Label::None),
            holders: None,
            mentions: OnceCell::new(),
        }
    }

    /// The numbers of the answer without its markers.
    pub fn mentions(&self, lang: &Lang) -> &[Mention] {
        self.mentions.get_or_init(|| number::mentions(&self.cited.plain, lang))
    }

    /// The result of a layer that reads the answer when there is none to read: skipped for a target that does not answer,
    /// else unmeasured. A blank or missing answer satisfies no check, one that forbids something included; nor does a text
    /// in place of an answer that says that the system failed.
    pub fn without_answer(&self, exam: &Exam<'_>) -> Option<LayerResult> {
        if self.answer.is_some() && self.refusal.label == refusal::Label::Error && exam.response.error.is_none() {
            let pattern = self.refusal.pattern.as_deref().unwrap_or_default();
            let said =
                format!("The answer says that the system failed (pattern {pattern}); it neither answers nor refuses.");
            return Some(LayerResult::unmeasured(Finding::fault(Code::AnswerFailed, said)));
        }
        if self.answer.is_some() {
            return None;
        }
        let response = exam.response;
        let finding = match (&response.error, &response.answer) {
            (Some(error), _) => {
                Finding::fault(Code::ResponseError, format!("The target reported an error: {}", visible(error)))
            }
            (None, Answer::Absent) if !exam.provides.answer => return Some(LayerResult::skipped(Skip::NotObserved)),
            (None, Answer::Absent) => Finding::fault(Code::AnswerMissing, "The response holds no answer."),
            (None, Answer::Null) => Finding::fault(Code::AnswerMissing, "The answer of the response is null."),
            (None, Answer::Text(_)) => Finding::fault(Code::AnswerEmpty, "The answer is blank."),
        };
        Some(LayerResult::unmeasured(finding))
    }
}

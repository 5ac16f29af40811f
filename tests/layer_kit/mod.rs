//! What the tests of the layers begin with: a question, a piece of evidence, a response, an exam, each with nothing in it
//! but what is given. A test names what matters to it and takes the rest from here (`Question { tags, ..question(…) }`).
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses a part, and fails by a panic")]

use ragline::layer::{Exam, LayerMap, Provides};
use ragline::problem::Place;
use ragline::suite::{Evidence, EvidenceItem, Expect, Need, Question, QuestionId, Severity};
use ragline::target::response::{Answer, Response};
use ragline::text::pack::Lang;

/// A question with nothing but its text and what is expected.
pub(crate) fn question(text: &str, expect: Expect) -> Question {
    Question {
        id: QuestionId::new("q1").unwrap(),
        text: text.to_owned(),
        expect,
        evidence: Vec::new(),
        evidence_match: Need::Any,
        facts: Vec::new(),
        must_not: Vec::new(),
        reference: None,
        rubric: None,
        tags: Vec::new(),
        severity: Severity::Normal,
        owner: None,
        group: None,
        layers: LayerMap::default(),
        top_k: None,
        numbers: Default::default(),
        citation: Default::default(),
        draft: false,
        place: Place::default(),
    }
}

/// Evidence with nothing but its document.
pub(crate) fn evidence(doc: Option<&str>) -> Evidence {
    Evidence {
        doc: doc.map(Into::into),
        section: Vec::new(),
        span: None,
        chunk: None,
        url: None,
        grade: 1,
        at: None,
        union: false,
        place: Place::default(),
    }
}

/// A whole document as evidence.
pub(crate) fn doc(name: &str) -> EvidenceItem {
    EvidenceItem::One(evidence(Some(name)))
}

/// A response with nothing but its answer.
pub(crate) fn says(answer: &str) -> Response<'_> {
    Response { answer: Answer::Text(answer.into()), ..Response::default() }
}

/// An exam of a target that is said to return everything, without language pack and corpus.
pub(crate) fn exam<'a>(question: &'a Question, response: &'a Response<'_>, lang: &'a Lang) -> Exam<'a> {
    Exam {
        question,
        response,
        provides: Provides::ALL,
        lang,
        pack: None,
        corpus: None,
        top_k: None,
        pool: None,
        holdings: None,
        own: None,
    }
}

//! What the reports that tell the worst first keep of a run until it is decided.

use super::{cut, story, words};
use crate::core::{Event, LayerReport, QuestionReport, RunHeader};
use crate::layer::{Detail, Finding, LayerMap, LayerResult};

/// The header and the questions that are worth a place, in the order in which they came. Answers and messages are cut
/// to what a report can show, so that a run of long answers does not live in memory twice.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The header.
    pub header: RunHeader,
    /// The questions.
    pub questions: Vec<QuestionReport>,
}

impl Gathered {
    /// Takes one event; the decision is left to the caller.
    pub fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Started(header) => self.header = header.clone(),
            Event::Question(q) if story::notable(q) => self.questions.push(keep(q)),
            Event::Question(_) | Event::Decided(_) => {}
        }
    }
}

/// A question without what no report of this kind shows.
fn keep(q: &QuestionReport) -> QuestionReport {
    let short = |t: &Option<String>| t.as_deref().map(|t| cut::chars(t, words::COMPARED));
    let finding = |f: &Finding| Finding { message: cut::chars(&f.message, 1_000), ..f.clone() };
    let layers = LayerMap::from_fn(|id| {
        let LayerReport { result, was, change, warn } = &q.layers[id];
        let findings = result.findings.iter().map(finding).collect();
        let result = LayerResult { outcome: result.outcome, findings, detail: Detail::None };
        LayerReport { result, was: *was, change: *change, warn: *warn }
    });
    QuestionReport {
        suite: q.suite.clone(),
        id: q.id.clone(),
        place: q.place.clone(),
        question: cut::chars(&q.question, 2_000),
        expect: q.expect,
        expects: q.expects.clone(),
        severity: q.severity,
        tags: q.tags.clone(),
        group: q.group.clone(),
        owner: q.owner.clone(),
        outcome: q.outcome,
        change: q.change,
        verdict: q.verdict.clone(),
        change_note: q.change_note.clone(),
        layers,
        evidence: q.evidence,
        diagnosis: q.diagnosis.clone(),
        answer: short(&q.answer),
        was_answer: short(&q.was_answer),
        same_contexts: q.same_contexts,
        known_reason: q.known_reason.clone(),
        quarantined: q.quarantined,
        repeats: q.repeats,
        shown_repeat: q.shown_repeat,
    }
}

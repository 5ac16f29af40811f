//! From a response to what its layers say: a function of the plan and the response, run by any thread.

use super::plan::{Plan, Slot, SuitePlan};
use crate::diagnose::{self, Diagnosis, EvidenceFacts};
use crate::labels::Label;
use crate::layer::address::page;
use crate::layer::{self, Code, Exam, Finding, LayerMap, LayerResult, Outcome};
use crate::suite::Question;
use crate::target::response::{Answer, Context, Response};
use crate::text::norm::composed;
use crate::text::pack::Pack;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What was made of one response.
#[derive(Debug, Clone)]
pub struct Examined {
    /// Each layer.
    pub layers: LayerMap<LayerResult>,
    /// Evidence for the diagnosis.
    pub evidence: EvidenceFacts,
    /// The first layer at fault, when something is wrong.
    pub diagnosis: Option<Diagnosis>,
    /// The answer as returned.
    pub answer: Option<String>,
    /// Whether a passage bears a name that any evidence of the suite names; nothing when no passage bears a name.
    pub named: Option<bool>,
    /// The name of the first passage, where no passage bears a name of the suite's evidence.
    pub stranger: Option<String>,
}

/// Examines a response.
pub fn examine(plan: &Plan, slot: Slot, response: &Response<'_>) -> Examined {
    if let Some(error) = &response.error {
        return broken(plan, slot, Code::ResponseError, format!("the target reported an error: {error}"));
    }
    let suite = plan.suite(slot);
    let question = plan.question(slot);
    let exam = exam(plan, slot, response);
    let mut layers = layer::check_all(&exam);
    let skipped = layers.0.iter().all(|l| matches!(l.outcome, Outcome::Skipped(_)));
    if skipped && question.asserts() {
        // Nothing that the question asks for could be looked at: that is not a pass.
        let why = "not one layer could be checked: the target does not return what they need, or they are off";
        layers.0[0].findings.push(Finding::fault(Code::NothingAsserted, why));
    }
    let mut evidence = EvidenceFacts::gather(&exam, &layers);
    evidence.run_ok &= !(skipped && question.asserts());
    evidence.check_disputed = is_disputed(suite, question, &layers, response);
    let diagnosis = diagnose::diagnose(question.expect, &evidence);
    let named = named(&suite.names, response);
    Examined {
        evidence,
        diagnosis: Some(diagnosis),
        answer: match &response.answer {
            Answer::Text(t) => Some(t.to_string()),
            Answer::Null | Answer::Absent => None,
        },
        named,
        stranger: if named == Some(false) { first_name(response) } else { None },
        layers,
    }
}

/// Whether a person said of this very answer that a layer is wrong about it: the check is to be mended then, not the system.
fn is_disputed(
    suite: &SuitePlan,
    question: &Question,
    layers: &LayerMap<LayerResult>,
    response: &Response<'_>,
) -> bool {
    let Answer::Text(answer) = &response.answer else { return false };
    let wrong = |label: &&Label| match layers[label.layer].outcome {
        Outcome::Pass => !label.pass,
        Outcome::Fail => label.pass,
        Outcome::Unmeasured | Outcome::Skipped(_) => false,
    };
    let own = suite.labels.iter().filter(|l| l.id == question.id.as_str() && l.is_about(answer));
    own.into_iter().any(|l| wrong(&l))
}

fn exam<'a>(plan: &'a Plan, slot: Slot, response: &'a Response<'a>) -> Exam<'a> {
    let suite = plan.suite(slot);
    let question = plan.question(slot);
    Exam {
        question,
        response,
        provides: suite.target.provides,
        lang: &suite.suite.language,
        pack: Pack::of(&suite.suite.language),
        corpus: suite.corpus.as_deref(),
        top_k: question.top_k.or(suite.suite.top_k),
        pool: suite.target.passages,
        own: Some(&plan.own),
    }
}

fn names<'a>(context: &'a Context<'_>) -> impl Iterator<Item = &'a str> {
    [&context.doc, &context.chunk, &context.url].into_iter().flatten().map(AsRef::as_ref)
}

fn named(known: &HashSet<String>, response: &Response<'_>) -> Option<bool> {
    let mut names = response.contexts.iter().flatten().flat_map(names).peekable();
    names.peek()?;
    Some(names.any(|n| known.contains(composed(n).as_ref()) || page(n).is_some_and(|p| known.contains(&p))))
}

fn first_name(response: &Response<'_>) -> Option<String> {
    response.contexts.iter().flatten().flat_map(names).next().map(str::to_owned)
}

/// What is left of a question whose response is missing or broken: every layer that applies is unmeasured.
pub fn broken(plan: &Plan, slot: Slot, code: Code, why: String) -> Examined {
    let question = plan.question(slot);
    let finding = Finding::fault(code, why);
    // Which layers apply is for each to say: a question without evidence has no retrieval that could be missed.
    let nothing = Response { error: Some("".into()), ..Response::default() };
    let mut layers = layer::check_all(&exam(plan, slot, &nothing));
    for result in &mut layers.0 {
        let stale = result.findings.iter().any(|f| f.code == Code::EvidenceStale);
        if result.outcome == Outcome::Unmeasured && !stale {
            *result = LayerResult::unmeasured(finding.clone());
        }
    }
    let evidence = EvidenceFacts { run_ok: false, ..EvidenceFacts::default() };
    let diagnosis = Diagnosis::of_recording(code).unwrap_or_else(|| diagnose::diagnose(question.expect, &evidence));
    Examined { layers, evidence, diagnosis: Some(diagnosis), answer: None, named: None, stranger: None }
}

/// A hash of the passages of a response: equal when their names, texts and order are.
pub fn contexts_hash(response: &Response<'_>) -> Option<u64> {
    let contexts = response.contexts.as_ref()?;
    let mut h = DefaultHasher::new();
    for Context { doc, section, chunk, url, text, score: _, start: _, end: _, in_prompt } in contexts {
        (doc, section, chunk, url, text, in_prompt.unwrap_or(true)).hash(&mut h);
    }
    Some(h.finish())
}

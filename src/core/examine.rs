//! From a response to what its layers say: a function of the plan and the response, run by any thread.

use super::plan::{Plan, Slot, SuitePlan};
use crate::diagnose::{self, Diagnosis, EvidenceFacts};
use crate::layer::address::page;
use crate::layer::{self, Code, Exam, Finding, LayerId, LayerMap, LayerResult, Outcome};
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
    let stale = diagnose::stale_values(&exam, &layers);
    evidence.with_stale(&stale);
    for unsaid in &stale {
        // Where the answer says what is wanted, the numbers say that no passage does.
        let fails = layers[LayerId::Facts].outcome == Outcome::Fail;
        let layer = if fails { LayerId::Facts } else { LayerId::Numbers };
        layers[layer].findings.push(Finding::fault(Code::FactStale, unsaid.told()));
    }
    for (layer, rule_is_wrong) in disputed(suite, question, &layers, response) {
        if rule_is_wrong {
            evidence.check_disputed = true;
        } else {
            evidence.hear(layer, question.expect);
        }
    }
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

/// The layers of which a person said of this very answer that they are not what the rule says, and whether it is the rule
/// that is to be mended: a layer that fails by the rule and is right. One that passes and is wrong has a fault of the system
/// that the rule did not see. Of several labels on a layer the last one counts.
fn disputed(
    suite: &SuitePlan,
    question: &Question,
    layers: &LayerMap<LayerResult>,
    response: &Response<'_>,
) -> Vec<(LayerId, bool)> {
    let Answer::Text(answer) = &response.answer else { return Vec::new() };
    let mut said: LayerMap<Option<bool>> = LayerMap::default();
    let own = suite.labels.iter().filter(|l| l.id == question.id.as_str() && l.is_about(answer));
    own.for_each(|l| said[l.layer] = Some(l.pass));
    let differs = |(layer, pass): (LayerId, &Option<bool>)| match (layers[layer].outcome, *pass) {
        (Outcome::Pass, Some(false)) => Some((layer, false)),
        (Outcome::Fail, Some(true)) => Some((layer, true)),
        (Outcome::Pass | Outcome::Fail | Outcome::Unmeasured | Outcome::Skipped(_), _) => None,
    };
    said.iter().filter_map(differs).collect()
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
        holdings: suite.target.holdings.as_deref(),
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

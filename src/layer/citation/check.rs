//! The checks: something is cited, everything cited exists, and the evidence is among it.

use super::resolve::{Lead, Prompt};
use super::{CitationDetail, MarkerTarget};
use crate::layer::refusal::{Label, effective};
use crate::layer::{Code, Detail, Exam, Finding, LayerResult, Outcome, Reading, Skip, retrieval};
use crate::suite::Expect;
use crate::target::response::Citation;
use std::collections::BTreeSet;

/// Checks the citations.
pub fn check(exam: &Exam<'_>, reading: &Reading<'_>) -> LayerResult {
    if let Some(result) = reading.without_answer(exam) {
        return result;
    }
    let field = exam.response.citations.as_deref().filter(|c| !c.is_empty());
    let refuses = effective(exam, reading) == Label::Refusal;
    if field.is_none() && reading.cited.markers.is_empty() {
        return nothing_cited(exam, refuses);
    }
    let Some(contexts) = exam.response.contexts.as_deref() else {
        if !exam.provides.contexts {
            return LayerResult::skipped(Skip::NotObserved);
        }
        let message = "The answer cites, and the response holds no passages to resolve that to.";
        return LayerResult::unmeasured(Finding::fault(Code::ContextsMissing, message));
    };
    let prompt = Passages { sent: Prompt::new(contexts), left_out: Prompt::left_out(contexts) };
    let text = Leads::of_text(&prompt, reading);
    let mut findings = Vec::new();
    let leads = match field {
        None => text,
        Some(field) => {
            let leads = Leads::of_field(&prompt, field);
            if !text.cited.is_empty() && text.cited != leads.cited {
                findings.push(disagreement(&leads, &text));
            }
            leads
        }
    };
    if leads.cited.is_empty() && leads.dangling.is_empty() {
        // Only addresses that the passages themselves give.
        return nothing_cited(exam, refuses);
    }
    let mut detail = CitationDetail {
        cited: leads.cited.iter().copied().collect(),
        dangling: leads.dangling.iter().map(|d| d.shown.clone()).collect(),
        evidence: None,
    };
    let mut faults: Vec<Finding> = leads.dangling.iter().map(|d| dangling(reading, d, &prompt)).collect();
    // A refusal has nothing to prove, and what is not in the corpus has no evidence.
    if !refuses && exam.question.expect != Expect::Refuse && !exam.question.evidence.is_empty() {
        let holders = reading.holders.clone().unwrap_or_else(|| retrieval::holders(exam));
        let holds = |i: &usize| holders.contains(i);
        let sent = |i: &&usize| contexts.get(**i).is_some_and(crate::target::response::Context::in_prompt);
        if holders.iter().any(|i| sent(&i)) {
            let found = detail.cited.iter().any(holds);
            detail.evidence = Some(found);
            match faults.last_mut() {
                // That nothing is cited has been said.
                Some(dangling) if detail.cited.is_empty() => {
                    let at = counted(holders.iter().copied());
                    dangling.message =
                        format!("{}; the evidence stands in passage {at}.", dangling.message.trim_end_matches('.'));
                }
                _ if !found => faults.push(not_evidence(&detail.cited, &holders)),
                _ => {}
            }
        }
    }
    let outcome = if faults.is_empty() { Outcome::Pass } else { Outcome::Fail };
    faults.extend(findings);
    LayerResult { outcome, findings: faults, detail: Detail::Citation(detail) }
}

fn nothing_cited(exam: &Exam<'_>, refuses: bool) -> LayerResult {
    if !exam.provides.citations {
        return LayerResult::skipped(Skip::NotObserved);
    }
    if refuses || exam.question.expect != Expect::Answer {
        return LayerResult::skipped(Skip::NotApplicable);
    }
    LayerResult {
        outcome: Outcome::Fail,
        findings: vec![Finding::fault(Code::CitationMissing, "The answer cites nothing.")],
        detail: Detail::Citation(CitationDetail::default()),
    }
}

/// The passages of a response.
struct Passages<'c, 'r> {
    sent: Prompt<'c, 'r>,
    left_out: Prompt<'c, 'r>,
}

/// Where the citations of an answer lead.
struct Leads {
    cited: BTreeSet<usize>,
    dangling: Vec<Dangling>,
}

/// A citation that leads to no passage of the prompt.
struct Dangling {
    /// As written.
    shown: String,
    /// Its place in the answer, in code points.
    span: Option<(usize, usize)>,
    /// The passages (from 0) that it names and that were not in the prompt.
    left_out: Vec<usize>,
}

impl Leads {
    fn of_text(prompt: &Passages<'_, '_>, reading: &Reading<'_>) -> Leads {
        let markers = &reading.cited.markers;
        Leads::collect(markers.iter().map(|m| {
            // A number counts the passages of the prompt: it names none of the others.
            let left_out = match &m.to {
                MarkerTarget::Number(_) | MarkerTarget::Index(_) => Vec::new(),
                MarkerTarget::Doc { .. } | MarkerTarget::Url(_) => passages(prompt.left_out.marker(&m.to)),
            };
            (prompt.sent.marker(&m.to), Some((m.start, m.end)), left_out)
        }))
    }

    fn of_field(prompt: &Passages<'_, '_>, field: &[Citation<'_>]) -> Leads {
        Leads::collect(field.iter().map(|c| (prompt.sent.field(c), None, passages(prompt.left_out.field(c)))))
    }

    fn collect(leads: impl Iterator<Item = (Lead, Option<(usize, usize)>, Vec<usize>)>) -> Leads {
        let mut out = Leads { cited: BTreeSet::new(), dangling: Vec::new() };
        let mut seen = BTreeSet::new();
        for (lead, span, left_out) in leads {
            match lead {
                Lead::To(passages) => out.cited.extend(passages),
                Lead::Dangling(shown) => {
                    if seen.insert(shown.clone()) {
                        out.dangling.push(Dangling { shown, span, left_out });
                    }
                }
                Lead::Content => {}
            }
        }
        out
    }
}

fn passages(lead: Lead) -> Vec<usize> {
    match lead {
        Lead::To(passages) => passages,
        Lead::Dangling(_) | Lead::Content => Vec::new(),
    }
}

/// Passages as people count them, from 1.
fn counted(passages: impl IntoIterator<Item = usize>) -> String {
    passages.into_iter().map(|i| (i + 1).to_string()).collect::<Vec<_>>().join(", ")
}

fn dangling(reading: &Reading<'_>, citation: &Dangling, prompt: &Passages<'_, '_>) -> Finding {
    let Dangling { shown, span, left_out } = citation;
    // As it stands in the answer, where it stands there alone.
    let bracketed = format!("[{shown}]");
    let written: Option<String> =
        span.zip(reading.answer).map(|((start, end), a)| a.chars().skip(start).take(end - start).collect());
    let shown = if written.is_some_and(|w| w == bracketed) { &bracketed } else { shown };
    let count = |n: usize| if n == 1 { "1 passage".to_owned() } else { format!("{n} passages") };
    let message = match (prompt.sent.len(), prompt.left_out.len()) {
        _ if !left_out.is_empty() => {
            let which = counted(left_out.iter().copied());
            format!("Citation {shown} leads to passage {which}, which was not in the prompt.")
        }
        (sent, 0) => format!("Citation {shown} leads to none of the {}.", count(sent)),
        (0, out) => format!("Citation {shown} leads nowhere: none of the {} returned was in the prompt.", count(out)),
        (sent, out) => format!(
            "Citation {shown} leads to none of the {} in the prompt ({} were returned).",
            count(sent),
            sent + out
        ),
    };
    let finding = Finding::fault(Code::CitationDangling, message);
    match *span {
        Some((start, end)) => finding.span(start, end),
        None => finding,
    }
}

fn not_evidence(cited: &[usize], holders: &[usize]) -> Finding {
    let (cited, holders) = (counted(cited.iter().copied()), counted(holders.iter().copied()));
    let message = format!("Passage {cited} is cited; the evidence stands in passage {holders}.");
    Finding::fault(Code::CitationNotEvidence, message)
}

fn disagreement(field: &Leads, text: &Leads) -> Finding {
    let message = format!(
        "The citation field names passage {}, the text passage {}; the field counts.",
        counted(field.cited.iter().copied()),
        counted(text.cited.iter().copied())
    );
    Finding::note(Code::CitationFieldsDisagree, message)
}

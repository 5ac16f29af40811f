//! The checks: something is cited, everything cited exists, and the evidence is among it.

use super::claims::claims;
use super::resolve::{Lead, Prompt};
use super::support::{Lack, figures, weigh};
use super::{CitationDetail, ClaimVerdict, MarkerTarget, Points};
use crate::layer::refusal::{Label, effective};
use crate::layer::retrieval::{self, MetricName};
use crate::layer::{Code, Detail, Exam, Finding, LayerResult, Outcome, Reading, Skip, Weight};
use crate::suite::{Expect, Support};
use crate::target::response::Citation;
use std::collections::BTreeSet;

/// What the layer says of an answer, and of each of its claims.
#[derive(Debug)]
pub struct Judged {
    /// The result of the layer.
    pub result: LayerResult,
    /// The sentences that claim something; none where the layer had nothing to check or could not, and for a refusal.
    pub claims: Vec<ClaimVerdict>,
}

/// Checks the citations.
pub fn check(exam: &Exam<'_>, reading: &Reading<'_>) -> LayerResult {
    examine(exam, reading, false).result
}

/// Checks the citations, and keeps what was found of each claim.
pub fn judge(exam: &Exam<'_>, reading: &Reading<'_>) -> Judged {
    examine(exam, reading, true)
}

fn examine(exam: &Exam<'_>, reading: &Reading<'_>, full: bool) -> Judged {
    let without = |result| Judged { result, claims: Vec::new() };
    if let Some(result) = reading.without_answer(exam) {
        return without(result);
    }
    let field = exam.response.citations.as_deref().filter(|c| !c.is_empty());
    let refuses = effective(exam, reading) == Label::Refusal;
    if field.is_none() && reading.cited.markers.is_empty() {
        return nothing_cited(exam, reading, refuses);
    }
    let Some(contexts) = exam.response.contexts.as_deref() else {
        if !exam.provides.contexts {
            return without(LayerResult::skipped(Skip::NotObserved));
        }
        let message = "The answer cites, and the response holds no passages to resolve that to.";
        return without(LayerResult::unmeasured(Finding::fault(Code::ContextsMissing, message)));
    };
    let first = exam.question.citation.count_from();
    let prompt = Passages { sent: Prompt::new(contexts, first), left_out: Prompt::left_out(contexts) };
    let marked = prompt.sent.markers(&reading.cited.markers);
    let text = Leads::of_text(&prompt, reading, &marked);
    let mut notes = Vec::new();
    // Which sentence a citation belongs to is known of markers in the text alone.
    let mut apart = reading.cited.markers.iter().all(|m| m.listed);
    let leads = match field {
        None => text,
        Some(field) => {
            let leads = Leads::of_field(&prompt, field);
            let differ = text.cited != leads.cited;
            if differ && !text.cited.is_empty() {
                notes.push(disagreement(&leads, &text));
            }
            apart |= differ;
            leads
        }
    };
    if leads.cited.is_empty() && leads.dangling.is_empty() {
        // Only addresses that the passages themselves give.
        return nothing_cited(exam, reading, refuses);
    }
    let mut detail = CitationDetail {
        cited: leads.cited.iter().copied().collect(),
        dangling: leads.dangling.iter().map(|d| d.shown.clone()).collect(),
        evidence: None,
        metrics: Vec::new(),
    };
    let mut points = Points::new(reading.answer.unwrap_or_default());
    let mut faults: Vec<Finding> = leads.dangling.iter().map(|d| dangling(&mut points, d, &prompt)).collect();
    let mut gold = None;
    // A refusal has nothing to prove, and what is not in the corpus has no evidence.
    if !refuses && exam.question.expect != Expect::Refuse && !exam.question.evidence.is_empty() {
        let holders = reading.holders.clone().unwrap_or_else(|| retrieval::holders(exam));
        let sent = |i: &&usize| contexts.get(**i).is_some_and(crate::target::response::Context::in_prompt);
        if holders.iter().any(|i| sent(&i)) {
            let good = detail.cited.iter().filter(|i| holders.contains(i)).count();
            let found = good > 0;
            detail.evidence = Some(found);
            gold = Some((
                share(good, detail.cited.len() + detail.dangling.len()),
                retrieval::units_in(exam, &detail.cited),
            ));
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
    let policy = exam.question.citation.support(apart && !full);
    let claims = if refuses || policy == Support::Off {
        Vec::new()
    } else {
        let mut claims = claims(exam, reading, if apart { &[] } else { &marked });
        if apart {
            for claim in &mut claims {
                claim.cited.clone_from(&detail.cited);
                claim.dangling.clone_from(&detail.dangling);
            }
        }
        weigh(exam, reading, &prompt.sent, claims, full)
    };
    let (precision, recall) = figures(&claims, apart);
    let (gold_precision, gold_recall) = gold.unzip();
    let named = ["precision", "recall", "gold_precision", "gold_recall"].map(MetricName::whole);
    let values = [precision, recall, gold_precision, gold_recall];
    detail.metrics = named.into_iter().zip(values).filter_map(|(name, v)| Some((name, v?))).collect();
    for finding in claims.iter().flat_map(|c| of_claim(c, apart, policy)) {
        match finding.weight {
            Weight::Fault => faults.push(finding),
            Weight::Note => notes.push(finding),
        }
    }
    let outcome = if faults.is_empty() { Outcome::Pass } else { Outcome::Fail };
    faults.extend(notes);
    Judged { result: LayerResult { outcome, findings: faults, detail: Detail::Citation(detail) }, claims }
}

fn share(part: usize, all: usize) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

fn nothing_cited(exam: &Exam<'_>, reading: &Reading<'_>, refuses: bool) -> Judged {
    let skipped = |why| Judged { result: LayerResult::skipped(why), claims: Vec::new() };
    if !exam.provides.citations {
        return skipped(Skip::NotObserved);
    }
    if refuses || exam.question.expect != Expect::Answer {
        return skipped(Skip::NotApplicable);
    }
    // Nothing is read of the passages for claims that cite none.
    let prompt = Prompt::new(&[], 1);
    let claims = weigh(exam, reading, &prompt, claims(exam, reading, &[]), false);
    let metrics = figures(&claims, false).1.map(|recall| (MetricName::whole("recall"), recall));
    let detail = CitationDetail { metrics: metrics.into_iter().collect(), ..CitationDetail::default() };
    let result = LayerResult {
        outcome: Outcome::Fail,
        findings: vec![Finding::fault(Code::CitationMissing, "The answer cites nothing.")],
        detail: Detail::Citation(detail),
    };
    Judged { result, claims }
}

/// What is said of a claim: that what it cites does not bear it out, or that some of it adds nothing. Of the passages of a
/// list of sources the latter is not said: nobody says which sentence they are for.
fn of_claim(claim: &ClaimVerdict, apart: bool, policy: Support) -> Vec<Finding> {
    let said = short(&claim.text);
    let cited = counted(claim.cited.iter().copied());
    let mut out = Vec::new();
    if let Some(lack) = &claim.lack {
        let passages = if claim.cited.len() == 1 { format!("passage {cited}") } else { format!("passages {cited}") };
        let why = match lack {
            Lack::Number(number) => format!("“{}” is not grounded there", short(number)),
            Lack::Quote(quote) => format!("the words quoted, “{}”, do not stand there", short(quote)),
            Lack::Words { covered, best, best_covered } => {
                let percent = |share: f64| format!("{:.0} %", share * 100.0);
                let covers = if claim.cited.len() == 1 { "holds" } else { "hold" };
                let mut why = format!("which {covers} {} of its words by weight", percent(*covered));
                if !claim.cited.contains(best) && best_covered > covered {
                    why += &format!("; passage {} holds {}", best + 1, percent(*best_covered));
                }
                why
            }
        };
        let message = format!(
            "“{said}” cites {passages}, {}{why}.",
            match lack {
                Lack::Number(_) | Lack::Quote(_) => "and ",
                Lack::Words { .. } => "",
            }
        );
        let code = Code::CitationUnsupported;
        out.push(if policy == Support::Fail { Finding::fault(code, message) } else { Finding::note(code, message) });
    }
    if !claim.superfluous.is_empty() && !apart {
        let all = counted(claim.superfluous.iter().copied());
        let adds = if claim.superfluous.len() == 1 { "adds" } else { "add" };
        let message = format!("Passage {all} {adds} nothing to “{said}”: the others that it cites bear it out.");
        out.push(Finding::note(Code::CitationSuperfluous, message));
    }
    out.into_iter().map(|f| f.span(claim.start, claim.end)).collect()
}

/// The begin of a sentence, for a message.
fn short(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
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
    fn of_text(prompt: &Passages<'_, '_>, reading: &Reading<'_>, leads: &[Lead]) -> Leads {
        let markers = &reading.cited.markers;
        let mut seen = BTreeSet::new();
        Leads::collect(markers.iter().zip(leads).map(|(m, lead)| {
            // A number counts the passages of the prompt: it names none of the others. Of what is written again it has been
            // said.
            let left_out = match (&m.to, lead) {
                (MarkerTarget::Doc { .. } | MarkerTarget::Url(_), Lead::Dangling(shown))
                    if seen.insert(shown.clone()) =>
                {
                    passages(prompt.left_out.marker(&m.to))
                }
                (
                    MarkerTarget::Number(_) | MarkerTarget::Index(_) | MarkerTarget::Doc { .. } | MarkerTarget::Url(_),
                    Lead::To(_) | Lead::Dangling(_) | Lead::Content,
                ) => Vec::new(),
            };
            (lead.clone(), Some((m.start, m.end)), left_out)
        }))
    }

    fn of_field(prompt: &Passages<'_, '_>, field: &[Citation<'_>]) -> Leads {
        Leads::collect(field.iter().map(|c| {
            let lead = prompt.sent.field(c);
            // What leads to a passage of the prompt need not be looked for among the others.
            let left_out = match lead {
                Lead::Dangling(_) => passages(prompt.left_out.field(c)),
                Lead::To(_) | Lead::Content => Vec::new(),
            };
            (lead, None, left_out)
        }))
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

fn dangling(answer: &mut Points<'_>, citation: &Dangling, prompt: &Passages<'_, '_>) -> Finding {
    let Dangling { shown, span, left_out } = citation;
    // As it stands in the answer, where it stands there alone.
    let bracketed = format!("[{shown}]");
    let written = span.and_then(|(start, end)| {
        let (from, to) = (answer.byte(start), answer.byte(end));
        answer.text.get(from..to)
    });
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

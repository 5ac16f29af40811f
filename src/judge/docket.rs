//! One answer before the judge: which inquiries its metrics need, and what their verdicts come to.
//!
//! What a rule has decided is decided before anything is asked: statements that a rule found wrong are no statements to ask
//! about, and a refusal states nothing that could be faithful or relevant.

use super::Verdict;
use super::inquest::{Found, Inquiry, Statement};
use super::metrics::{
    Absent, ContextPrecision, Factual, Lost, Measured, Noise, Supports, context_precision, context_recall,
    factual_correctness, faithfulness, noise_sensitivity, rubric,
};
use super::prompts::{Kind, Prompts};
use super::statements::statements;
use crate::stats::Rate;
use crate::text::norm::chars::is_word;
use crate::text::pack::Lang;
use std::ops::Range;

/// The judged metrics that are made of verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// The share of the answer's statements that the passages support.
    Faithfulness,
    /// Which passages are useful for the reference; for the answer where there is no reference (context utilisation).
    ContextPrecision,
    /// The share of the reference's statements that the passages support.
    ContextRecall,
    /// Wrong statements by the passages that led to them.
    NoiseSensitivity,
    /// The answer's claims against the reference's.
    FactualCorrectness,
    /// Whether the answer meets the grading notes.
    Rubric,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Metric; 6] = [
        Metric::Faithfulness,
        Metric::ContextPrecision,
        Metric::ContextRecall,
        Metric::NoiseSensitivity,
        Metric::FactualCorrectness,
        Metric::Rubric,
    ];

    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Faithfulness => "faithfulness",
            Metric::ContextPrecision => "context_precision",
            Metric::ContextRecall => "context_recall",
            Metric::NoiseSensitivity => "noise_sensitivity",
            Metric::FactualCorrectness => "factual_correctness",
            Metric::Rubric => "rubric",
        }
    }
}

/// One answer with what it is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The question.
    pub question: &'a str,
    /// The answer, without its citation markers.
    pub answer: &'a str,
    /// It is a refusal, by its text.
    pub refused: bool,
    /// The passages that were in the prompt, in order.
    pub passages: &'a [&'a str],
    /// What the answer should say.
    pub reference: Option<&'a str>,
    /// The grading notes.
    pub rubric: Option<&'a str>,
    /// Byte ranges of the answer that a rule found wrong: an ungrounded number, a forbidden text.
    pub wrong: &'a [Range<usize>],
    /// The language.
    pub lang: &'a Lang,
}

/// What came of a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A share of statements.
    Share(Rate),
    /// Context precision.
    Precision(ContextPrecision),
    /// Noise sensitivity.
    Noise(Noise),
    /// Factual correctness.
    Factual(Factual),
    /// The rubric is met.
    Met(bool),
}

/// A metric of one answer, with the inquiries that it needs.
#[derive(Debug, Clone)]
pub struct Docket {
    metric: Metric,
    absent: Option<Absent>,
    inquiries: Vec<Inquiry>,
    passages: usize,
}

/// An answer with fewer letters states nothing alone (`Không.`): it is judged with its question in front.
const SHORT: usize = 12;

impl Docket {
    /// What a metric needs to ask about a case.
    pub fn new(metric: Metric, case: &Case<'_>) -> Docket {
        let absent = absent(metric, case);
        let inquiries = if absent.is_some() { Vec::new() } else { inquiries(metric, case) };
        Docket { metric, absent, inquiries, passages: case.passages.len() }
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The inquiries, whose findings [`Docket::measure`] takes in this order. None where nobody need be asked.
    pub fn inquiries(&self) -> &[Inquiry] {
        &self.inquiries
    }

    /// The value, of what the inquiries came to.
    pub fn measure(&self, found: &[Found]) -> Measured<Value> {
        if let Some(absent) = self.absent {
            return Measured::NotApplicable(absent);
        }
        let of = |i: usize| found.get(i).map(Found::verdicts).unwrap_or_default();
        let measured = match self.metric {
            Metric::Faithfulness => faithfulness(&of(0), self.passages).map(Value::Share),
            Metric::ContextRecall => context_recall(&of(0), self.passages).map(Value::Share),
            Metric::ContextPrecision => {
                let each: Vec<Verdict> =
                    found.iter().map(|f| f.voted.first().map_or(Verdict::Unknown, |v| v.verdict)).collect();
                context_precision(&each).map(Value::Precision)
            }
            Metric::NoiseSensitivity => {
                let (by_passage, relevance): (Vec<_>, Vec<_>) =
                    (0..self.passages).map(|p| (of(1 + 2 * p), of(2 + 2 * p))).unzip();
                let by_reference = of(0);
                let supports = Supports { by_reference: &by_reference, by_passage: &by_passage, relevance: &relevance };
                noise_sensitivity(&supports).map(Value::Noise)
            }
            Metric::FactualCorrectness => factual_correctness(&of(0), &of(1), 1.0).map(Value::Factual),
            Metric::Rubric => rubric(of(0).first().copied()).map(Value::Met),
        };
        // Why the judge gave no verdict says more than how many are missing.
        match (measured, found.iter().find_map(|f| f.lost.clone())) {
            (Measured::Unmeasured(_), Some(why)) => Measured::Unmeasured(Lost::Judge(why)),
            (measured, _) => measured,
        }
    }
}

/// Why a metric does not apply to a case.
fn absent(metric: Metric, case: &Case<'_>) -> Option<Absent> {
    let stated = || (!case.answer.chars().any(is_word)).then_some(Absent::NothingStated);
    let refused = || case.refused.then_some(Absent::Refusal);
    let reference = || case.reference.is_none_or(|r| r.trim().is_empty()).then_some(Absent::NoReference);
    let passages = || case.passages.is_empty().then_some(Absent::NoPassage);
    match metric {
        Metric::Faithfulness => refused().or_else(stated),
        Metric::ContextPrecision => {
            passages().or_else(|| if reference().is_some() { refused().or_else(stated) } else { None })
        }
        Metric::ContextRecall => reference(),
        Metric::NoiseSensitivity | Metric::FactualCorrectness => reference().or_else(refused).or_else(stated),
        Metric::Rubric => case.rubric.is_none_or(|r| r.trim().is_empty()).then_some(Absent::NoRubric).or_else(stated),
    }
}

fn inquiries(metric: Metric, case: &Case<'_>) -> Vec<Inquiry> {
    let inquiry = |kind, question: &str, sources: &[&str], statements: Vec<Statement>| Inquiry {
        kind,
        question: question.to_owned(),
        sources: sources.iter().map(|s| (*s).to_owned()).collect(),
        statements,
        lang: case.lang.clone(),
    };
    let support = |sources: &[&str], statements| inquiry(Kind::Support, "", sources, statements);
    let reference = case.reference.unwrap_or_default();
    match metric {
        Metric::Faithfulness => vec![support(case.passages, of_answer(case))],
        Metric::ContextRecall => vec![support(case.passages, of_text(case, reference))],
        Metric::ContextPrecision => {
            let expected = if reference.trim().is_empty() { case.answer } else { reference };
            let of = |p: &&str| inquiry(Kind::Useful, case.question, &[*p], vec![Statement::new(expected)]);
            case.passages.iter().map(of).collect()
        }
        Metric::NoiseSensitivity => {
            let mut all = vec![support(&[reference], unruled(case))];
            for passage in case.passages {
                all.push(support(&[*passage], unruled(case)));
                all.push(support(&[*passage], of_text(case, reference)));
            }
            all
        }
        Metric::FactualCorrectness => {
            vec![support(&[reference], unruled(case)), support(&[case.answer], of_text(case, reference))]
        }
        Metric::Rubric => {
            let notes = Statement::new(case.rubric.unwrap_or_default());
            vec![inquiry(Kind::Rubric, case.question, &[case.answer], vec![notes])]
        }
    }
}

/// The statements of the answer; those in which a rule found something wrong are ruled out.
fn of_answer(case: &Case<'_>) -> Vec<Statement> {
    let letters = case.answer.chars().filter(|c| is_word(*c)).count();
    let all = statements(case.answer, case.lang);
    let ruled_out = |range: &Range<usize>| case.wrong.iter().any(|w| w.start < range.end && range.start < w.end);
    if letters < SHORT {
        let text = Prompts::of(case.lang).with_question(case.question, case.answer.trim());
        return vec![Statement { text, ruled_out: all.iter().any(ruled_out) }];
    }
    let of = |r: &Range<usize>| {
        let text = case.answer.get(r.clone()).unwrap_or_default().to_owned();
        Statement { text, ruled_out: ruled_out(r) }
    };
    all.iter().map(of).collect()
}

/// The same with none ruled out: what a rule holds against the passages says nothing of the reference.
fn unruled(case: &Case<'_>) -> Vec<Statement> {
    of_answer(&Case { wrong: &[], ..*case })
}

/// The statements of another text.
fn of_text(case: &Case<'_>, text: &str) -> Vec<Statement> {
    statements(text, case.lang).into_iter().filter_map(|r| text.get(r)).map(Statement::new).collect()
}

//! From verdicts to values: the arithmetic of the judged metrics.
//!
//! A metric is a value, does not apply, or was not measured; the last two are no numbers and enter no mean. A value counts
//! the verdicts that are known, and is one only when at least four fifths of those that were asked for are.

mod context;
mod factual;
mod noise;
mod relevancy;
mod support;

pub use context::{ContextPrecision, context_precision};
pub use factual::{Factual, factual_correctness};
pub use noise::{Noise, Supports, noise_sensitivity};
pub use relevancy::{Generated, answer_relevancy, cosine, random_line, rescaled};
pub use support::{context_recall, faithfulness, rubric};

use super::Verdict;
use crate::stats::Rate;
use std::fmt;

/// What came of a metric on one question.
#[derive(Debug, Clone, PartialEq)]
pub enum Measured<T> {
    /// Its value.
    Value(T),
    /// There is nothing to measure.
    NotApplicable(Absent),
    /// It should have been measured and was not.
    Unmeasured(Lost),
}

/// Why a metric does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// The answer states nothing that could be judged.
    NothingStated,
    /// The answer is a refusal.
    Refusal,
    /// The question has no reference.
    NoReference,
    /// The question has no rubric.
    NoRubric,
    /// The system returned no passage.
    NoPassage,
}

/// Why a metric was not measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// Of so many statements too few verdicts are known.
    TooFewKnown {
        /// Verdicts that are yes or no.
        known: usize,
        /// Statements that were asked about.
        asked: usize,
    },
    /// The judge gave none that could be used, for this reason.
    Judge(String),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::TooFewKnown { known, asked } => {
                write!(f, "verdicts are known of {known} of {asked} statements, at least four fifths are needed")
            }
            Lost::Judge(why) => f.write_str(why),
        }
    }
}

impl<T> Measured<T> {
    /// The value, where there is one.
    pub fn value(self) -> Option<T> {
        match self {
            Measured::Value(v) => Some(v),
            Measured::NotApplicable(_) | Measured::Unmeasured(_) => None,
        }
    }

    /// The same with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Measured<U> {
        match self {
            Measured::Value(v) => Measured::Value(f(v)),
            Measured::NotApplicable(a) => Measured::NotApplicable(a),
            Measured::Unmeasured(l) => Measured::Unmeasured(l),
        }
    }
}

/// The share of yes among the known verdicts, where enough are known; `asked` is not 0.
fn share(verdicts: impl IntoIterator<Item = Option<bool>>) -> Measured<Rate> {
    let (mut hits, mut known, mut asked) = (0_u64, 0_u64, 0_u64);
    for v in verdicts {
        asked += 1;
        known += u64::from(v.is_some());
        hits += u64::from(v == Some(true));
    }
    if enough(known as usize, asked as usize) {
        Measured::Value(Rate::new(hits, known))
    } else {
        Measured::Unmeasured(Lost::TooFewKnown { known: known as usize, asked: asked as usize })
    }
}

/// Whether of so many verdicts enough are known: four fifths, and one at least.
pub fn enough(known: usize, asked: usize) -> bool {
    known > 0 && known * 5 >= asked * 4
}

fn known(verdicts: &[Verdict]) -> impl Iterator<Item = Option<bool>> {
    verdicts.iter().map(|v| v.known())
}

//! Refusals, in both directions: how many of the questions that must be refused were, and how many that must be answered. A
//! system that refuses everything is perfect in the one and useless in the other, so neither is told alone.

use super::summary::refused;
use crate::core::QuestionReport;
use crate::layer::refusal::Label;
use crate::layer::{Detail, LayerId, Outcome};
use crate::stats::{Level, Rate};
use crate::suite::Expect;
use serde::{Deserialize, Serialize};

/// A share of questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// Those that count.
    pub hits: usize,
    /// All that were measured.
    pub of: usize,
    /// Wilson's 95 % interval of the share; none where nothing was measured.
    pub interval: Option<(f64, f64)>,
}

impl Share {
    fn new(hits: usize, of: usize) -> Self {
        let interval = Rate::new(hits as u64, of as u64).wilson(Level::P95).map(|i| (i.low, i.high));
        Share { hits, of, interval }
    }

    /// The share itself; none where nothing was measured.
    pub fn value(&self) -> Option<f64> {
        (self.of > 0).then(|| self.hits as f64 / self.of as f64)
    }
}

/// The refusals of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Refusals {
    /// Refused among the questions that expect a refusal: the recall.
    pub recall: Share,
    /// Refused among the questions that expect an answer: the rate of false refusals.
    pub false_rate: Share,
    /// Refused in one part and answered in another, among both.
    pub partial: Share,
}

impl Refusals {
    /// Counts the measured questions of a suite.
    pub fn count(mine: &[&QuestionReport]) -> Self {
        let result = |r: &&&QuestionReport| matches!(r.expect, Expect::Refuse | Expect::Answer);
        let share = |expect: Expect| {
            let of = mine.iter().filter(|r| r.expect == expect).map(|r| (r, &r.layers[LayerId::Refusal].result));
            let values = refused(of);
            Share::new(values.iter().filter(|v| **v == 1.0).count(), values.len())
        };
        let partial = |r: &&&QuestionReport| {
            let l = &r.layers[LayerId::Refusal].result;
            let measured = matches!(l.outcome, Outcome::Pass | Outcome::Fail);
            measured && matches!(&l.detail, Detail::Refusal(d) if d.label == Label::Partial)
        };
        let (recall, false_rate) = (share(Expect::Refuse), share(Expect::Answer));
        let partial = mine.iter().filter(result).filter(partial).count();
        Refusals { recall, false_rate, partial: Share::new(partial, recall.of + false_rate.of) }
    }

    /// Whether there is anything to tell: a suite that expects no refusal and has none needs no line.
    pub fn is_telling(&self) -> bool {
        self.recall.of > 0 || self.false_rate.hits > 0 || self.partial.hits > 0
    }

    /// The three shares, each with what it is in words.
    pub fn told(&self) -> [(&'static str, Share); 3] {
        [("refused as expected", self.recall), ("refused wrongly", self.false_rate), ("refused in part", self.partial)]
    }
}

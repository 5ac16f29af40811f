//! Context precision: which of the passages are useful, and how far in front they stand.

use super::{Absent, Lost, Measured, enough};
use crate::judge::Verdict;
use crate::layer::retrieval::metrics::Ranking;

/// Context precision, by both definitions in use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContextPrecision {
    /// The useful passages over all passages.
    pub ratio: f64,
    /// The mean of precision@i over the ranks i of useful passages; 0 when none is (Ragas, DeepEval; without the 1e-10
    /// that Ragas adds, which keeps a perfect list below 1).
    pub ap: f64,
}

/// Context precision from a verdict per passage, in their order. A passage without a known verdict is left out where at
/// least four fifths are known, and those behind it move up.
pub fn context_precision(passages: &[Verdict]) -> Measured<ContextPrecision> {
    if passages.is_empty() {
        return Measured::NotApplicable(Absent::NoPassage);
    }
    let useful: Vec<bool> = passages.iter().filter_map(|v| v.known()).collect();
    if !enough(useful.len(), passages.len()) {
        return Measured::Unmeasured(Lost::TooFewKnown { known: useful.len(), asked: passages.len() });
    }
    let grades: Vec<f64> = useful.iter().map(|u| f64::from(u8::from(*u))).collect();
    // The evidence has a unit for each useful passage; one that is missing keeps the share defined when none is useful.
    let ranking = Ranking::simple(&grades, &[1.0]);
    let ratio = ranking.context_precision_ratio().unwrap_or_default();
    Measured::Value(ContextPrecision { ratio, ap: ranking.context_precision_ap().unwrap_or_default() })
}

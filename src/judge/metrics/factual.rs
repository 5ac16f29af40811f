//! Factual correctness: the answer's claims against the reference, and the reference's against the answer.

use super::{Absent, Measured, known, share};
use crate::judge::Verdict;
use crate::stats::Rate;

/// Factual correctness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factual {
    /// Claims of the answer that the reference supports, over the answer's claims.
    pub precision: Rate,
    /// Claims of the reference that the answer supports, over the reference's claims. Ragas takes the supported claims of
    /// the answer for the numerator, which mixes two units.
    pub recall: Rate,
    /// The weighted harmonic mean of the two; 0 where both are.
    pub f: f64,
}

/// Factual correctness with a weight `beta` of recall (1: both alike; above 1: recall counts more).
pub fn factual_correctness(answer: &[Verdict], reference: &[Verdict], beta: f64) -> Measured<Factual> {
    if reference.is_empty() {
        return Measured::NotApplicable(Absent::NoReference);
    }
    if answer.is_empty() {
        return Measured::NotApplicable(Absent::NothingStated);
    }
    let precision = match share(known(answer)) {
        Measured::Value(p) => p,
        Measured::NotApplicable(a) => return Measured::NotApplicable(a),
        Measured::Unmeasured(l) => return Measured::Unmeasured(l),
    };
    share(known(reference)).map(|recall| Factual { precision, recall, f: f_measure(precision, recall, beta) })
}

/// The F measure (van Rijsbergen): (1 + b²) P R / (b² P + R).
fn f_measure(precision: Rate, recall: Rate, beta: f64) -> f64 {
    let (p, r) = (precision.value().unwrap_or_default(), recall.value().unwrap_or_default());
    let square = beta * beta;
    let below = square * p + r;
    if below > 0.0 { (1.0 + square) * p * r / below } else { 0.0 }
}

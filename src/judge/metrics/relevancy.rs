//! Answer relevancy: how near the questions that an answer answers are to the one that was asked.

use super::{Lost, Measured, enough};
use crate::stats::mean;

/// A question that was made of an answer, with its vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// Its vector, of the dimension of the asked question's.
    pub vector: Vec<f64>,
    /// The answer commits itself to nothing, says the judge.
    pub noncommittal: bool,
}

/// The cosine of the angle between two vectors, in -1 ..= 1; nothing where it is not defined: other dimensions, a zero, a
/// number that is none.
pub fn cosine(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let length = (dot(a, a) * dot(b, b)).sqrt();
    let cosine = dot(a, b) / length;
    (length > 0.0 && cosine.is_finite()).then(|| cosine.clamp(-1.0, 1.0))
}

/// Answer relevancy: the mean cosine between the asked question and those made of the answer; 0 where the judge calls the
/// answer noncommittal each time. It can be negative. `generated` has an entry for each question that was asked for, and
/// none for one that did not come (Ragas, `strictness` 3).
pub fn answer_relevancy(question: &[f64], generated: &[Option<Generated>]) -> Measured<f64> {
    let came: Vec<&Generated> = generated.iter().flatten().collect();
    let cosines: Vec<f64> = came.iter().filter_map(|g| cosine(question, &g.vector)).collect();
    if !enough(cosines.len(), generated.len()) || cosines.len() < came.len() {
        return Measured::Unmeasured(Lost::TooFewKnown { known: cosines.len(), asked: generated.len() });
    }
    if came.iter().all(|g| g.noncommittal) {
        return Measured::Value(0.0);
    }
    Measured::Value(cosines.iter().sum::<f64>() / cosines.len() as f64)
}

/// The random line of a suite: the mean cosine between questions made of an answer and the *other* golden questions. What
/// an answer to another question would reach. `golden[i]` is the vector of question i, `generated[i]` those made of its
/// answer. Nothing where there is no pair.
pub fn random_line(golden: &[Vec<f64>], generated: &[Vec<Generated>]) -> Option<f64> {
    let pairs = generated.iter().enumerate().flat_map(|(i, made)| {
        let others = golden.iter().enumerate().filter(move |(j, _)| *j != i);
        others.flat_map(move |(_, q)| made.iter().filter_map(move |g| cosine(q, &g.vector)))
    });
    mean(pairs).map(|m| m.value)
}

/// A cosine as it is read against the random line `mu`: 0 at the line, 1 for the same question; nothing where the line is
/// at 1, since nothing can be told apart then.
pub fn rescaled(cosine: f64, mu: f64) -> Option<f64> {
    let scaled = (cosine - mu) / (1.0 - mu);
    (mu < 1.0 && scaled.is_finite()).then_some(scaled)
}

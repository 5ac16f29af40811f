//! What a question expects, in words.

use crate::suite::{Fact, Question};

/// A line each: what is expected, the facts, what must not be said, where the evidence stands, the model answer. As the suite
/// has them: every report cleans them for its own language.
pub fn lines(question: &Question) -> Vec<String> {
    let mut lines = vec![question.expect.name().to_owned()];
    let list = |facts: &[Fact]| facts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" · ");
    if !question.facts.is_empty() {
        lines.push(format!("facts: {}", list(&question.facts)));
    }
    if !question.must_not.is_empty() {
        lines.push(format!("not: {}", list(&question.must_not)));
    }
    lines.extend(question.evidence.iter().map(|e| format!("evidence: {e}")));
    lines.extend(question.reference.iter().map(|r| format!("reference: {r}")));
    lines
}

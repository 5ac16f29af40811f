//! The digest of what a question expects: when it changes, an accepted verdict no longer speaks for the question.
//!
//! It covers the question, what it expects, its evidence, facts, `must_not`, `reference`, `rubric`, `top_k` and layer
//! settings, all with their defaults filled in; not the id, tags, severity, owner, group, `extra`, layout or place.
//! Texts are taken in composed form, so that the way an accent is typed does not count as an edit.

use super::model::{
    Evidence, EvidenceItem, Expect, Fact, FactForm, LayerSetting, Looking, Need, Negation, NumberOp, Question,
};
use crate::digest::Hasher;
use crate::text::norm::composed;

/// The first 8 hexadecimal digits of SHA-256 over the canonical form of what a question expects.
///
/// `suite_top_k` is the suite's `top_k`, which counts where the question has none.
pub fn expects(question: &Question, suite_top_k: Option<usize>) -> String {
    let mut form = Form(Hasher::default());
    form.text("expects 1");
    form.text(&question.text);
    form.text(match question.expect {
        Expect::Answer => "answer",
        Expect::Refuse => "refuse",
        Expect::Either => "either",
        Expect::Clarify => "clarify",
    });
    form.evidence_list(&question.evidence);
    // One item is matched the same way by both.
    form.text(match question.evidence_match {
        Need::All if question.evidence.len() > 1 => "all",
        Need::All | Need::Any => "any",
    });
    form.facts(&question.facts);
    form.facts(&question.must_not);
    form.optional(question.reference.as_deref());
    form.optional(question.rubric.as_deref());
    form.optional(question.top_k.or(suite_top_k).map(|k| k.to_string()).as_deref());
    for (layer, setting) in question.layers.iter() {
        form.text(layer.name());
        form.text(match setting {
            LayerSetting::On => "on",
            LayerSetting::Warn => "warn",
            LayerSetting::Off => "off",
        });
    }
    // What is not granted leaves the digest as it is.
    if !question.numbers.allow.is_empty() {
        form.text("numbers.allow");
        form.count(question.numbers.allow.len());
        question.numbers.allow.iter().for_each(|a| form.text(a));
    }
    if question.numbers.allow_sum {
        form.text("numbers.allow_sum");
    }
    if let Some(support) = question.citation.support {
        form.text("citation.support");
        form.text(support.name());
    }
    if question.citation.count_from() == 0 {
        form.text("citation.count_from 0");
    }
    form.0.digits(8)
}

/// The same over one fact; equal for facts that ask for the same in the same way.
pub fn of_fact(fact: &Fact) -> String {
    let mut form = Form(Hasher::default());
    form.facts(std::slice::from_ref(fact));
    form.0.digits(16)
}

/// The same over one item of evidence.
pub fn of_evidence(item: &EvidenceItem) -> String {
    let mut form = Form(Hasher::default());
    form.evidence_list(std::slice::from_ref(item));
    form.0.digits(16)
}

/// A canonical form: every text with its length in front, every list with its count, so that nothing can run together.
struct Form(Hasher);

impl Form {
    fn count(&mut self, n: usize) {
        self.0.update(&(n as u64).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.0.field(&composed(text));
    }

    fn optional(&mut self, text: Option<&str>) {
        self.count(usize::from(text.is_some()));
        if let Some(text) = text {
            self.text(text);
        }
    }

    fn evidence_list(&mut self, items: &[EvidenceItem]) {
        self.count(items.len());
        for item in items {
            match item {
                EvidenceItem::One(e) => self.evidence(e),
                EvidenceItem::AnyOf(items) => {
                    self.text("any_of");
                    self.evidence_list(items);
                }
                EvidenceItem::AllOf(items) => {
                    self.text("all_of");
                    self.evidence_list(items);
                }
            }
        }
    }

    fn evidence(&mut self, e: &Evidence) {
        self.text("one");
        for part in [&e.doc, &e.span, &e.chunk, &e.url] {
            self.optional(part.as_deref());
        }
        self.count(e.section.len());
        for heading in &e.section {
            self.text(heading);
        }
        self.count(e.grade as usize);
        // Only what is given, so that evidence without it keeps its digest.
        if let Some((from, to)) = e.at {
            self.text("at");
            self.count(usize::try_from(from).unwrap_or(usize::MAX));
            self.count(usize::try_from(to).unwrap_or(usize::MAX));
        }
        if e.union {
            self.text("union");
        }
    }

    /// Only what a suite says beyond the usual, so that a suite that says nothing keeps its digest.
    fn looking(&mut self, looking: &Looking) {
        let Looking { fold, fuzzy, min_recall, negation, condition, path } = looking;
        if *fold {
            self.text("fold");
        }
        if *fuzzy {
            self.text("fuzzy");
        }
        if let Some(share) = min_recall {
            self.text("min_recall");
            self.text(&share.to_string());
        }
        if *negation != Negation::Auto {
            self.text(negation.name());
        }
        if let Some(condition) = condition {
            self.text("condition");
            self.facts(std::slice::from_ref(condition));
        }
        if let Some(path) = path {
            self.text("path");
            self.text(&path.to_string());
        }
    }

    fn facts(&mut self, facts: &[Fact]) {
        self.count(facts.len());
        for fact in facts {
            match &fact.form {
                FactForm::Text(text) => {
                    self.text("text");
                    self.text(text);
                }
                FactForm::AnyOf(facts) => {
                    self.text("any_of");
                    self.facts(facts);
                }
                FactForm::AllOf(facts) => {
                    self.text("all_of");
                    self.facts(facts);
                }
                FactForm::Regex(pattern) => {
                    self.text("regex");
                    self.text(pattern.as_str());
                }
                FactForm::Order(facts) => {
                    self.text("order");
                    self.facts(facts);
                }
                FactForm::Number { value, unit, op } => {
                    self.text("number");
                    self.text(&value.to_string());
                    self.optional(unit.as_deref());
                    if *op != NumberOp::Stated {
                        self.text(op.name());
                    }
                }
                FactForm::Date(date) => {
                    self.text("date");
                    self.text(&date.to_string());
                }
                FactForm::YesNo(yes) => self.text(if *yes { "yes" } else { "no" }),
            }
            self.looking(&fact.looking);
        }
    }
}

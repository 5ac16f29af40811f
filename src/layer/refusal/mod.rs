//! Refusal: does the answer refuse when it should, and only then? (rules.md 3)

use super::{Exam, LayerResult, Reading};
use crate::suite::Question;
use crate::text::pack::Pack;

/// What an answer is, read as a possible refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// No part of it refuses.
    None,
    /// It refuses and claims nothing else.
    Refusal,
    /// One part refuses, another claims.
    Partial,
    /// It is blank, or there is none.
    Empty,
    /// No language pack can tell.
    Unknown,
}

impl Label {
    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Label::None => "none",
            Label::Refusal => "refusal",
            Label::Partial => "partial",
            Label::Empty => "empty",
            Label::Unknown => "unknown",
        }
    }
}

/// The label and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusalDetail {
    /// The label by the text.
    pub label: Label,
    /// `en.doc_silent`: the language and name of the pattern that hit first.
    pub pattern: Option<String>,
}

/// Reads an answer (without citation markers) as a possible refusal. `None` stands for a missing or blank answer.
pub fn read(_answer: Option<&str>, _question: &Question, _pack: Option<&Pack>) -> RefusalDetail {
    RefusalDetail { label: Label::None, pattern: None }
}

/// Checks refusal.
pub fn check(_exam: &Exam<'_>, _reading: &Reading<'_>) -> LayerResult {
    LayerResult::skipped(super::Skip::NotApplicable)
}

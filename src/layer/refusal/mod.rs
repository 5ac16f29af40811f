//! Refusal: does the answer refuse when it should, and only then?
//!
//! A refusal speaks about the state of knowledge (there is no information, the documents do not say, I cannot tell); a
//! correct negative answer speaks about the domain (no fee, not covered, cannot be returned). "Sorry" and "please contact
//! us" alone prove nothing. So a pattern binds a negation to a word of knowing, and the patterns of each language are data
//! of its pack.
//!
//! * [`read`] cuts an answer into parts and labels it;
//! * [`check`] compares the label, or the system's own flag, with what the question expects.

mod check;
mod language;
mod read;
mod units;

pub use check::{against, check, effective};
pub use read::{claimed_numbers, is_courtesy, read};

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

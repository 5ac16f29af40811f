//! Refusal: does the answer refuse when it should, and only then?
//!
//! A refusal speaks about the state of knowledge (there is no information, the documents do not say, I cannot tell); a
//! correct negative answer speaks about the domain (no fee, not covered, cannot be returned). "Sorry" and "please contact
//! us" alone prove nothing. So a pattern binds a negation to a word of knowing, and the patterns of each language are data
//! of its pack; a project adds its own ([`Own`]).
//!
//! * [`read`] cuts an answer into parts and labels it, [`parts_of`] tells what each part is;
//! * [`check`] compares the label, or the system's own flag, with what the question expects.

mod asked;
mod check;
mod language;
mod own;
mod part;
mod read;
mod units;

pub use check::{against, asked_back, check, effective};
pub use own::Own;
pub use part::{Part, Role};
pub use read::{asks_back, claimed_numbers, is_courtesy, parts_of, read, read_with};
use serde::{Deserialize, Serialize};

/// What an answer is, read as a possible refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// No part of it refuses.
    None,
    /// It refuses and claims nothing else.
    Refusal,
    /// One part refuses, another claims.
    Partial,
    /// It says that the system failed, and claims nothing: no refusal, and no answer.
    Error,
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
            Label::Error => "error",
            Label::Empty => "empty",
            Label::Unknown => "unknown",
        }
    }
}

/// The label and how it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusalDetail {
    /// The label by the text.
    pub label: Label,
    /// `en.doc_silent`: the language and name of the pattern that hit first; of an error, that of the failure.
    pub pattern: Option<String>,
    /// The name of the pattern by which a part says that the system failed, whatever the others say.
    pub failed: Option<String>,
}

impl RefusalDetail {
    /// A label that no pattern gave.
    pub fn of(label: Label) -> Self {
        RefusalDetail { label, pattern: None, failed: None }
    }
}

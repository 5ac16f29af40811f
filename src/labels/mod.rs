//! Labels: what people say of an answer, beside what the rules say.
//!
//! A label is a person's verdict on one layer of one answer, with a reason. It changes no outcome: it is shown beside the
//! rule's, and all of them together measure how often the rules err. A label belongs to the answer that was looked at, so it
//! holds a digest of that answer's text, or the text itself; once the answer is another one, the label is stale and counts
//! nowhere.
//!
//! * [`mod@file`] reads `NAME.labels.jsonl` and adds to it;
//! * [`sheet`] reads labels of a sheet that people filled in;
//! * [`measure`] compares labels with the outcomes of a run.

pub mod file;
pub mod measure;
pub mod sheet;

use crate::digest::Hasher;
use crate::layer::LayerId;

/// What a person says of a layer of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The question.
    pub id: String,
    /// The layer.
    pub layer: LayerId,
    /// Whether the answer is right as far as the layer goes.
    pub pass: bool,
    /// Why.
    pub because: String,
    /// Who says so.
    pub by: Option<String>,
    /// When: a day, as written.
    pub at: Option<String>,
    /// The answer that was looked at.
    pub answer: Seen,
    /// The line of the file, from 1.
    pub line: u32,
}

/// How a label names its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// By its digest.
    Digest(String),
    /// By its text.
    Text(String),
}

impl Label {
    /// Whether the label is about this answer.
    pub fn is_about(&self, answer: &str) -> bool {
        match &self.answer {
            Seen::Digest(digest) => *digest == digest_of(answer),
            Seen::Text(text) => text == answer,
        }
    }

    /// The verdict as files write it.
    pub fn verdict(&self) -> &'static str {
        if self.pass { "pass" } else { "fail" }
    }
}

/// The digest by which a label names an answer: the first 16 hexadecimal digits of the sha256 of its text.
pub fn digest_of(answer: &str) -> String {
    let mut hasher = Hasher::default();
    hasher.update(answer.as_bytes());
    hasher.short()
}

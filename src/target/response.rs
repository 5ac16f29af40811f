//! The one shape of an answer (design 5), as it is read from a recording line, a target, or the accepted answers.

use serde::{Deserialize, Serialize};

use std::borrow::Cow;

/// What a system returned for one question. Borrows from the line that it was read from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Response<'a> {
    /// The question's id, as written.
    pub id: Cow<'a, str>,
    /// Which of several runs of the same question, from 0.
    pub repeat: u32,
    /// The suite, where the line names it.
    pub suite: Option<Cow<'a, str>>,
    /// The answer.
    pub answer: Answer<'a>,
    /// The passages in the order in which the system returned them; `None` when there is no such key, which is not the
    /// same as an empty list.
    pub contexts: Option<Vec<Context<'a>>>,
    /// The citations of a field of the response.
    pub citations: Option<Vec<Citation<'a>>>,
    /// The system's own statement that it refused.
    pub refused: Option<bool>,
    /// How long it took, in milliseconds.
    pub latency_ms: Option<u64>,
    /// What it cost.
    pub usage: Option<Usage>,
    /// The error that the system reported instead of an answer.
    pub error: Option<Cow<'a, str>>,
}

/// The answer of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Answer<'a> {
    /// There is no such key: a bare retriever.
    #[default]
    Absent,
    /// The key is there and null: something broke.
    Null,
    /// An answer; it may be blank.
    Text(Cow<'a, str>),
}

/// One passage. At least one field that names it or holds its text is there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Context<'a> {
    /// The document.
    pub doc: Option<Cow<'a, str>>,
    /// The heading path, outermost first.
    pub section: Vec<Cow<'a, str>>,
    /// The passage's id.
    pub chunk: Option<Cow<'a, str>>,
    /// The document's address.
    pub url: Option<Cow<'a, str>>,
    /// The text.
    pub text: Option<Cow<'a, str>>,
    /// The retriever's score.
    pub score: Option<f64>,
    /// Place in the document, in code points.
    pub start: Option<u64>,
    /// End in the document, in code points.
    pub end: Option<u64>,
    /// Whether it was in the prompt; it was when nothing is said.
    pub in_prompt: Option<bool>,
}

impl Context<'_> {
    /// True unless the response says that it was cut from the prompt.
    pub fn in_prompt(&self) -> bool {
        self.in_prompt.unwrap_or(true)
    }
}

/// One citation of a field of the response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Citation<'a> {
    /// A passage by its number, from 1.
    pub context: Option<i64>,
    /// A document.
    pub doc: Option<Cow<'a, str>>,
    /// The heading path within the document.
    pub section: Vec<Cow<'a, str>>,
    /// A passage's id.
    pub chunk: Option<Cow<'a, str>>,
    /// An address.
    pub url: Option<Cow<'a, str>>,
    /// Words copied from the passage.
    pub quote: Option<Cow<'a, str>>,
}

/// Tokens used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
}

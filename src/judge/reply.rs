//! What came of one call of a judge.

use super::parse::Expected;
use super::prompts::{Prompt, Words};
use super::tokens;

/// A reply, as the wire gave it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// What the judge said; empty when it said nothing. Its reasoning, where a server tells it apart, is no part of it.
    pub content: String,
    /// It ended because it had no more tokens.
    pub cut: bool,
    /// How many tokens the server says that the prompt had.
    pub prompt_tokens: Option<u64>,
    /// How many tokens the reply had, reasoning included.
    pub reply_tokens: Option<u64>,
}

/// What came of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A reply, which may be of use.
    Reply(Reply),
    /// None, for this reason, after all attempts that the settings allow.
    Failed(String),
}

/// How a prompt and its reply stand to each other by the server's count of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrived {
    /// The count is that of the whole prompt.
    Whole,
    /// There is no count.
    NotTold,
    /// The server read fewer tokens than the prompt can have.
    Cut(u64),
}

impl Reply {
    /// Whether the prompt arrived whole, by the server's count. Servers that keep the beginning of a prompt in a cache may
    /// count only what is new, so a count that is too small says nothing by itself where the check word is right.
    pub(super) fn arrived(&self, prompt: &Prompt) -> Arrived {
        match self.prompt_tokens {
            None | Some(0) => Arrived::NotTold,
            Some(n) if n < tokens::least(&prompt.text) as u64 => Arrived::Cut(n),
            Some(_) => Arrived::Whole,
        }
    }

    /// What a reply is held against.
    pub(super) fn expected<'a>(&self, prompt: &'a Prompt, ids: &'a [usize], words: &'a Words) -> Expected<'a> {
        Expected { ids, check: &prompt.check, whole: self.arrived(prompt) == Arrived::Whole, words }
    }

    /// Why a reply of which nothing could be read is of no use.
    pub(super) fn why(&self, prompt: &Prompt, unread: &str) -> String {
        if let Arrived::Cut(read) = self.arrived(prompt) {
            return cut(read, prompt);
        }
        let ended = if self.cut { "; it ended at the limit of tokens" } else { "" };
        let shown = crate::text::norm::visible(&crate::target::mapping::quote(self.content.trim()));
        if self.content.trim().is_empty() { format!("{unread}{ended}") } else { format!("{unread}{ended}: {shown}") }
    }
}

/// How it is told that a server read a part of a prompt.
pub(super) fn cut(read: u64, prompt: &Prompt) -> String {
    format!("the judge's prompt was cut ({read} of about {} tokens)", tokens::about(&prompt.text))
}

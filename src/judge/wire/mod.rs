//! The wire of a judge: chat completions and embeddings in OpenAI's form, as Ollama, llama.cpp, vLLM, LM Studio, Azure and
//! others speak it, each with its own idea of what may be left out or is refused.
//!
//! The forms: <https://platform.openai.com/docs/api-reference/chat> and `/embeddings`.

pub mod chat;
pub mod embeddings;
pub mod manner;

pub use manner::{Format, Manner};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One call of a judge, as the driver hands it over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    /// A prompt, of which the reply is wanted.
    Chat {
        /// The text of its one message.
        prompt: String,
        /// The JSON Schema of a reply.
        schema: Value,
        /// The seed.
        seed: u64,
    },
    /// Texts, of which the vectors are wanted.
    Embed {
        /// None of them is blank.
        texts: Vec<String>,
    },
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Said {
    /// A reply to a prompt.
    Chat(chat::Completion),
    /// A vector for each text, in their order; all of one dimension, finite and not zero.
    Embed(Vec<Vec<f64>>),
}

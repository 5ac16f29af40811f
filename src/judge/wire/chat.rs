//! Chat completions: the request, and what a reply says.

use super::Manner;
use crate::judge::reply::Reply;
use crate::target::{Failure, FailureKind, mapping};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A completion, as far as it counts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Completion {
    /// What was said, without reasoning that the server tells apart.
    pub content: String,
    /// It ended at the limit of tokens.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Tokens of the prompt, as the server counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// Tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_tokens: Option<u64>,
    /// The model that answered, by its own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What identifies the server's software and settings, where it tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
}

impl From<Completion> for Reply {
    fn from(c: Completion) -> Reply {
        Reply { content: c.content, cut: c.cut, prompt_tokens: c.prompt_tokens, reply_tokens: c.reply_tokens }
    }
}

/// The body of a request.
pub fn request(model: &str, prompt: &str, schema: &Value, seed: u64, most: usize, manner: Manner) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("messages".to_owned(), json!([{"role": "user", "content": prompt}]));
    body.insert("stream".to_owned(), json!(false));
    manner.add_to(&mut body, schema, seed, most);
    Value::Object(body)
}

/// Reads the body of a success.
///
/// # Errors
/// [`FailureKind::ErrorBody`] where it says that something failed (its code decides whether another attempt may do better),
/// [`FailureKind::Unmapped`] where no choice with a message is there.
pub fn read(body: &Value) -> Result<Completion, Failure> {
    let choice = body.pointer("/choices/0").and_then(Value::as_object);
    let Some(message) = choice.and_then(|c| c.get("message")).and_then(Value::as_object) else {
        return Err(match mapping::of_body(body) {
            Some(_) => mapping::error_event(body),
            None => {
                let start = mapping::quote(&body.to_string());
                Failure::new(FailureKind::Unmapped, format!("no choice with a message in the reply: {start}"))
            }
        });
    };
    let finish = choice.and_then(|c| c.get("finish_reason")).and_then(Value::as_str).unwrap_or_default();
    if finish == "content_filter" {
        return Err(Failure::new(FailureKind::ErrorBody, "the judge's content filter kept the reply back"));
    }
    if let Some(refused) = message.get("refusal").and_then(Value::as_str).filter(|r| !r.trim().is_empty()) {
        let why = format!("the judge refused: {}", mapping::quote(refused));
        return Err(Failure::new(FailureKind::ErrorBody, why));
    }
    let count = |key: &str| body.get("usage").and_then(|u| u.get(key)).and_then(Value::as_u64);
    let text = |key: &str| body.get(key).and_then(Value::as_str).filter(|t| !t.is_empty()).map(str::to_owned);
    Ok(Completion {
        content: message.get("content").map(content).unwrap_or_default(),
        cut: matches!(finish, "length" | "max_tokens"),
        prompt_tokens: count("prompt_tokens"),
        reply_tokens: count("completion_tokens"),
        model: text("model"),
        system: text("system_fingerprint"),
    })
}

/// The text of a message: a text, or the texts among its parts. Null is nothing said; reasoning has parts or a field of its
/// own and is not read.
fn content(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter(|p| p.get("type").and_then(Value::as_str).is_none_or(|t| matches!(t, "text" | "output_text")))
            .filter_map(|p| p.get("text").and_then(Value::as_str))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::target::Again;

    fn message(message: Value) -> Value {
        json!({"model": "m", "choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7}})
    }

    #[test]
    fn what_was_said_is_read_and_reasoning_is_not() {
        for (said, content) in [
            (json!({"content": "a"}), "a"),
            (json!({"content": null, "reasoning_content": "{\"id\":1}"}), ""),
            (json!({"content": "", "reasoning": "b"}), ""),
            (json!({"content": [{"type": "thinking", "text": "no"}, {"type": "text", "text": "a"}]}), "a"),
            (json!({}), ""),
        ] {
            let got = read(&message(said.clone())).unwrap();
            assert_eq!((got.content.as_str(), got.prompt_tokens), (content, Some(7)), "{said}");
        }
        let cut = json!({"choices": [{"message": {"content": "{"}, "finish_reason": "length"}]});
        assert!(read(&cut).unwrap().cut);
    }

    /// G01: an error inside a success is no reply.
    #[test]
    fn errors_inside_a_success_are_failures() {
        let limited = read(&json!({"error": {"code": 429, "message": "slow down"}})).unwrap_err();
        assert_eq!(limited.kind, FailureKind::RateLimited, "{limited:?}");
        assert_ne!(limited.again, Again::Never);
        for body in [
            json!({"choices": null, "error": "x"}),
            json!({"choices": []}),
            json!({"detail": "index not loaded"}),
            json!(null),
            json!([]),
            json!({"choices": [{"message": {"content": "x"}, "finish_reason": "content_filter"}]}),
            json!({"choices": [{"message": {"content": null, "refusal": "I cannot"}}]}),
        ] {
            let failure = read(&body).unwrap_err();
            assert_eq!(failure.again, Again::Never, "{body} {failure:?}");
        }
    }
}

//! What an endpoint wants to be asked with. It starts with everything; what is refused by name is renamed or left out, once
//! for the whole run. Never is a server trusted to have enforced what it took.

use serde_json::{Value, json};

/// How the form of a reply is asked for, the strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// By a JSON Schema.
    Schema,
    /// As any JSON object.
    Object,
    /// By the prompt alone.
    Plain,
}

/// Under which name the most tokens of a reply are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// `max_tokens`.
    Tokens,
    /// `max_completion_tokens`, as newer models of OpenAI want it.
    CompletionTokens,
    /// Not at all.
    Untold,
}

/// What an endpoint is asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// How the form of a reply is asked for.
    pub format: Format,
    /// Under which name the most tokens are told.
    pub limit: Limit,
    /// Whether a temperature of 0 is told.
    pub temperature: bool,
    /// Whether a seed is told.
    pub seed: bool,
}

impl Default for Manner {
    fn default() -> Self {
        Manner { format: Format::Schema, limit: Limit::Tokens, temperature: true, seed: true }
    }
}

/// The parameters that may be refused, each with the words by which a server names it.
const NAMES: [(&str, &[&str]); 4] = [
    ("limit", &["max_tokens", "max_completion_tokens"]),
    ("temperature", &["temperature"]),
    ("seed", &["seed"]),
    ("format", &["response_format", "json_schema", "json_object", "json schema", "json mode", "grammar", "guided"]),
];

/// Words by which a server error says that it is the request which is wrong.
const REFUSING: [&str; 8] =
    ["validation", "unsupported", "not support", "invalid", "should be", "must be", "unknown", "unrecognized"];

impl Manner {
    /// The manner after a refusal with this status and body: without the parameter that it names, or with it under another
    /// name. None where it is no such refusal, or names nothing that can be left out.
    pub fn after(self, status: u16, body: &Value) -> Option<Manner> {
        let message = message(body)?.to_lowercase();
        let refuses = match status {
            400 | 422 => true,
            // Some servers break over what they do not know (llama-cpp-python answers 500 to a JSON Schema).
            500 | 501 => REFUSING.iter().any(|w| message.contains(w)),
            _ => false,
        };
        if !refuses {
            return None;
        }
        let position = |words: &&[&str]| words.iter().filter_map(|w| message.find(w)).min();
        // Of several that are named the first is what is refused; the others are told to be used instead.
        let (_, named) =
            NAMES.iter().filter(|(n, _)| self.sends(n)).filter_map(|(n, words)| Some((position(words)?, *n))).min()?;
        let next = match named {
            "limit" => {
                let other = self.limit == Limit::Tokens && message.contains("max_completion_tokens");
                Manner { limit: if other { Limit::CompletionTokens } else { Limit::Untold }, ..self }
            }
            "temperature" => Manner { temperature: false, ..self },
            "seed" => Manner { seed: false, ..self },
            _ => Manner { format: if self.format == Format::Schema { Format::Object } else { Format::Plain }, ..self },
        };
        Some(next)
    }

    fn sends(self, name: &str) -> bool {
        match name {
            "limit" => self.limit != Limit::Untold,
            "temperature" => self.temperature,
            "seed" => self.seed,
            _ => self.format != Format::Plain,
        }
    }

    /// What differs from how an endpoint is asked by default, as a note for the report; empty when nothing does.
    pub fn note(self) -> String {
        let plain = Manner::default();
        let mut notes = Vec::new();
        match self.format {
            Format::Schema => {}
            Format::Object => notes.push("takes no JSON Schema"),
            Format::Plain => notes.push("takes no form of a reply"),
        }
        match self.limit {
            Limit::Tokens => {}
            Limit::CompletionTokens => notes.push("wants max_completion_tokens"),
            Limit::Untold => notes.push("takes no limit of tokens"),
        }
        if self.temperature != plain.temperature {
            notes.push("takes no temperature");
        }
        if self.seed != plain.seed {
            notes.push("takes no seed");
        }
        notes.join(", ")
    }

    /// The part of a request that is told in this manner.
    pub(super) fn add_to(self, body: &mut serde_json::Map<String, Value>, schema: &Value, seed: u64, most: usize) {
        if self.temperature {
            body.insert("temperature".to_owned(), json!(0));
        }
        if self.seed {
            body.insert("seed".to_owned(), json!(seed));
        }
        match self.limit {
            Limit::Tokens => body.insert("max_tokens".to_owned(), json!(most)),
            Limit::CompletionTokens => body.insert("max_completion_tokens".to_owned(), json!(most)),
            Limit::Untold => None,
        };
        let form = match self.format {
            Format::Schema => {
                json!({"type": "json_schema", "json_schema": {"name": "verdict", "strict": true, "schema": schema}})
            }
            Format::Object => json!({"type": "json_object"}),
            Format::Plain => return,
        };
        body.insert("response_format".to_owned(), form);
    }
}

/// What a refusal says: its message and the parameter that it names. The rest of the body may repeat the prompt.
fn message(body: &Value) -> Option<String> {
    let said = crate::target::mapping::of_body(body)?;
    let param = body.pointer("/error/param").and_then(Value::as_str).unwrap_or_default();
    Some(format!("{param} {}", said.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(manner: Manner, message: &str) -> Option<Manner> {
        manner.after(400, &json!({"error": {"message": message}}))
    }

    /// G02, stubs A to C and E.
    #[test]
    fn what_is_refused_by_name_is_renamed_or_left_out() {
        let plain = Manner::default();
        let completion = Manner { limit: Limit::CompletionTokens, ..plain };
        assert_eq!(
            after(plain, "Unsupported parameter: 'max_tokens' is not supported, use 'max_completion_tokens' instead."),
            Some(completion)
        );
        assert_eq!(after(completion, "max_completion_tokens: unknown field").map(|m| m.limit), Some(Limit::Untold));
        assert_eq!(
            after(plain, "'temperature' does not support 0, only the default (1) is supported"),
            Some(Manner { temperature: false, ..plain })
        );
        let object = Manner { format: Format::Object, ..plain };
        assert_eq!(after(plain, "response_format type json_schema is not supported"), Some(object));
        assert_eq!(
            after(object, "'response_format.type' must be 'json_schema' or 'text'").map(|m| m.format),
            Some(Format::Plain)
        );
        assert_eq!(after(plain, "seed is not permitted"), Some(Manner { seed: false, ..plain }));
        assert_eq!(after(plain, "model not found"), None);
        assert_eq!(after(Manner { seed: false, ..plain }, "seed is not permitted"), None, "it was not sent");
        let by_param = json!({"error": {"message": "Unsupported value", "param": "temperature"}});
        assert_eq!(plain.after(422, &by_param).map(|m| m.temperature), Some(false));
    }

    /// What a server that breaks over a JSON Schema says, and what one says that is only broken.
    #[test]
    fn a_server_error_teaches_only_where_it_names_what_it_does_not_take() {
        let plain = Manner::default();
        let schema = json!({"error": {"message": "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), \
            'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema'}]", "code": null}});
        assert_eq!(plain.after(500, &schema).map(|m| m.format), Some(Format::Object));
        let broken = json!({"error": {"message": "the temperature of the card is too high"}});
        assert_eq!(plain.after(500, &broken), None);
        assert_eq!(plain.after(503, &schema), None);
        assert_eq!(plain.after(401, &schema), None);
    }

    #[test]
    fn every_refusal_brings_it_nearer_to_nothing() {
        let mut manner = Manner::default();
        let all = "max_completion_tokens temperature seed response_format";
        let mut steps = 0;
        while let Some(next) = after(manner, all) {
            assert_ne!(next, manner);
            (manner, steps) = (next, steps + 1);
        }
        assert_eq!(steps, 6);
        assert_eq!(
            manner.note(),
            "takes no form of a reply, takes no limit of tokens, takes no temperature, takes no seed"
        );
        assert_eq!(Manner::default().note(), "");
    }
}

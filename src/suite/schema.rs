//! JSON Schemas of the files that people write, for editors and other tools: `ragline schema KIND`.
//!
//! They are assembled by hand, since defaults and advice belong into the descriptions; a test holds their keys against
//! those that the readers know.

mod files;
mod ragline;
mod suite;

use serde_json::{Value, json};

/// The kinds of file that have a schema.
pub const KINDS: [&str; 6] = ["suite", "responses", "ragline", "thresholds", "labels", "decisions"];

/// The schema of a kind of file, as indented JSON with a line break at its end; nothing for an unknown kind.
pub fn schema(kind: &str) -> Option<String> {
    let value = match kind {
        "suite" => suite::suite(),
        "responses" => files::responses(),
        "ragline" => ragline::ragline(),
        "thresholds" => files::thresholds(),
        "labels" => files::labels(),
        "decisions" => files::decisions(),
        _ => return None,
    };
    // Values that were built from literals have only text keys, the one thing that could fail.
    serde_json::to_string_pretty(&value).ok().map(|text| text + "\n")
}

/// The frame of every schema.
fn document(title: &str, description: &str, body: Value) -> Value {
    let mut document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": description,
    });
    if let (Value::Object(document), Value::Object(body)) = (&mut document, body) {
        document.extend(body);
    }
    document
}

/// A map with known keys and no others.
fn map(description: &str, required: &[&str], properties: Value) -> Value {
    let mut value = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if let Value::Object(map) = &mut value {
        if !description.is_empty() {
            map.insert("description".to_owned(), json!(description));
        }
        if !required.is_empty() {
            map.insert("required".to_owned(), json!(required));
        }
    }
    value
}

/// A text that is not blank.
fn text(description: &str) -> Value {
    json!({ "type": "string", "pattern": "\\S", "description": description })
}

/// A text that YAML may hold without quotes, where editors take it for a number or a boolean.
fn loose_text(description: &str) -> Value {
    json!({ "type": ["string", "number", "boolean"], "description": description })
}

/// One of some words.
fn word(words: &[&str], default: &str, description: &str) -> Value {
    json!({ "enum": words, "default": default, "description": description })
}

/// The version of the format.
fn version() -> Value {
    json!({ "const": 1, "description": "The version of the format." })
}

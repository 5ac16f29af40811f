//! Facts proposed for a line of JSON, for bulk.

use super::{Asked, propose, wants_refusal};
use crate::text::pack::Lang;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    lang: Option<String>,
    question: String,
    reference: String,
    #[serde(default)]
    evidence: Option<Evidence>,
}

struct Evidence(Vec<String>);

impl<'de> Deserialize<'de> for Evidence {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let wrong = || serde::de::Error::custom("`evidence` is neither a text nor a list of texts");
        match Value::deserialize(from)? {
            Value::Null => Ok(Evidence(Vec::new())),
            Value::String(text) => Ok(Evidence(vec![text])),
            Value::Array(items) => {
                let text = |v: Value| v.as_str().map(str::to_owned);
                items.into_iter().map(text).collect::<Option<_>>().map(Evidence).ok_or_else(wrong)
            }
            Value::Bool(_) | Value::Number(_) | Value::Object(_) => Err(wrong()),
        }
    }
}

/// Answers `{"lang","question","reference","evidence"?}` with `{"facts":[…]}` in the form of a suite, and with `"expect":"refuse"`
/// where the reference wants a refusal; an `id` is repeated, `lang` is `default` where it is left out.
///
/// # Errors
/// What is wrong with the line, in words.
pub fn answer(line: &str, default: &Lang) -> Result<Value, String> {
    let line: Line = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let lang = match &line.lang {
        Some(tag) => Lang::new(tag).ok_or_else(|| format!("`{tag}` is no language tag"))?,
        None => default.clone(),
    };
    let evidence: Vec<&str> = line.evidence.iter().flat_map(|e| &e.0).map(String::as_str).collect();
    let asked = Asked { lang: &lang, question: &line.question, reference: &line.reference, evidence: &evidence };
    let facts: Vec<Value> = propose(&asked).iter().map(super::Proposed::json).collect();
    let mut answer = serde_json::Map::new();
    answer.extend(line.id.map(|id| ("id".to_owned(), id)));
    answer.insert("facts".to_owned(), facts.into());
    if wants_refusal(&asked) {
        answer.insert("expect".to_owned(), "refuse".into());
    }
    Ok(Value::Object(answer))
}

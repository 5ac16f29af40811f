//! Errors inside a success: what a system says in place of an answer, and whether it passes.
//!
//! The documented places: `error` as an object or a text (OpenAI, <https://platform.openai.com/docs/guides/error-codes>;
//! Ollama, <https://github.com/ollama/ollama/blob/main/docs/api.md>), `errors` as a list (GraphQL,
//! <https://spec.graphql.org/October2021/#sec-Errors>), `detail` alone (FastAPI,
//! <https://fastapi.tiangolo.com/tutorial/handling-errors/>).

use super::field::{self, Found};
use super::{Event, quote};
use crate::suite::config::live::Mapping;
use crate::target::{Again, Failure, FailureKind};
use serde_json::{Map, Value};

/// Of a list of errors, so many are told.
const MOST_REASONS: usize = 3;

/// What a system says of its failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The reason, in one line.
    pub message: String,
    /// A number that reads as an HTTP status, 400 to 599.
    pub code: Option<u16>,
    /// It is asked too fast.
    pub limited: bool,
    /// It is busy or away, by the name of its error: that passes.
    pub away: bool,
    /// What was paid for is used up: no wait helps.
    pub spent: bool,
}

/// The failure that an event of a success tells of, if any. `answered`: the response has an answer, so that a key such as
/// `detail` is no more than a detail.
pub(super) fn find(mapping: &Mapping, event: &Event<'_>, answered: bool) -> Option<Failure> {
    let found = mapping.error.in_event(event);
    let event = event.value;
    if let Found::Nodes(nodes) = found
        && let Some(node) = nodes.into_iter().find(|n| !is_nothing(n))
    {
        return Some(Said::read(node, event).failure());
    }
    let object = event.as_object()?;
    let stands = |key: &str| object.get(key).filter(|v| !is_nothing(v));
    let mut found = None;
    if !mapping.error.is_mapped() {
        // A count of errors is no error.
        let errors = stands("errors").filter(|v| v.is_array() || v.is_object() || v.is_string());
        found = stands("error").or(errors);
    }
    if found.is_none() && !answered && object.len() == 1 {
        found = stands("detail");
    }
    found.map(|node| Said::read(node, event).failure())
}

/// The failure that an event tells of which is an error by its name.
pub fn error_event(event: &Value) -> Failure {
    of_body(event).unwrap_or_else(|| Said::read(event, event)).failure()
}

/// What the body of a response says that is no success: in the documented places, else as a `message`.
pub fn of_body(body: &Value) -> Option<Said> {
    let object = body.as_object()?;
    let keys = ["error", "errors", "detail", "message", "error_description", "title"];
    let node = keys.iter().find_map(|k| object.get(*k).filter(|v| !is_nothing(v)))?;
    Some(Said::read(node, body))
}

/// Whether a value says that there is no error.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) => false,
        Value::Number(n) => n.as_f64() == Some(0.0),
        Value::String(s) => s.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
    }
}

impl Said {
    /// Reads what stands in the place for errors; `around` is the whole event.
    fn read(node: &Value, around: &Value) -> Said {
        let (inner, several) = match node {
            Value::Array(items) => (items.first().unwrap_or(node), several(items)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => (node, None),
        };
        let objects: Vec<&Map<String, Value>> = [inner, around].into_iter().filter_map(Value::as_object).collect();
        let message = several.or_else(|| message(inner)).unwrap_or_else(|| {
            // `"error": true` says nothing itself.
            let beside = around.as_object().and_then(|o| o.get("message")).and_then(Value::as_str);
            beside.filter(|_| matches!(inner, Value::Bool(_))).map_or_else(|| quote(&inner.to_string()), quote)
        });
        let code = objects.iter().find_map(|o| {
            ["code", "status", "status_code", "statusCode", "http_status"].iter().find_map(|k| {
                let code = o.get(*k).and_then(field::whole)?;
                u16::try_from(code).ok().filter(|c| (400..600).contains(c))
            })
        });
        let mut words = String::new();
        for (object, key) in objects.iter().flat_map(|o| ["code", "type", "status", "reason"].map(|k| (o, k))) {
            words.push(' ');
            words.push_str(&letters(object.get(key).and_then(Value::as_str).unwrap_or_default()));
        }
        let named = |names: &[&str]| names.iter().any(|n| words.contains(n));
        // Servers that have no names for their errors say these two in so many words.
        let prose = letters(&message);
        Said {
            code,
            limited: code == Some(429)
                || named(&["ratelimit", "toomanyrequests", "throttl", "resourceexhausted"])
                || ["ratelimit", "toomanyrequests"].iter().any(|n| prose.contains(n)),
            away: named(&["overloaded", "unavailable", "servererror", "timeout", "timedout", "deadlineexceeded"]),
            spent: named(&["insufficientquota", "billinghardlimit"]),
            message,
        }
    }

    /// The failure of a success that says this: its code decides as if it were the status.
    fn failure(&self) -> Failure {
        let Said { message, code, limited, away, spent } = self;
        let code = code.map_or_else(String::new, |c| format!("{c}, "));
        if *spent {
            let why = format!("the quota is used up: {message}");
            return Failure::new(FailureKind::RateLimited, why).again(Again::Never);
        }
        if *limited {
            return Failure::new(FailureKind::RateLimited, format!("rate limited, within a success: {code}{message}"));
        }
        let again = match self.code {
            Some(408 | 425 | 500..) => Again::Soon,
            None if *away => Again::Soon,
            Some(_) | None => Again::Never,
        };
        Failure::new(FailureKind::ErrorBody, format!("the response is an error: {code}{message}")).again(again)
    }
}

/// The letters and digits of a name: `rate_limit`, `Rate limit` and `RateLimit` are one.
fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The reasons of a list of errors, each with the place in the request that it is about, where it says one as FastAPI does
/// (`"loc": ["body", "message"]`, <https://fastapi.tiangolo.com/tutorial/handling-errors/>).
fn several(items: &[Value]) -> Option<String> {
    let one = |item: &Value| {
        let reason = message(item)?;
        let steps = item.get("loc").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let steps: Vec<String> = steps.iter().filter_map(field::text).collect();
        Some(if steps.is_empty() { reason } else { format!("{}: {reason}", steps.join(".")) })
    };
    let mut reasons: Vec<String> = items.iter().take(MOST_REASONS).filter_map(one).collect();
    if reasons.is_empty() {
        return None;
    }
    if items.len() > MOST_REASONS {
        reasons.push("…".to_owned());
    }
    Some(quote(&reasons.join("; ")))
}

/// The reason in an error.
fn message(node: &Value) -> Option<String> {
    match node {
        Value::String(s) => Some(quote(s)),
        Value::Object(entries) => {
            let keys = ["message", "msg", "detail", "error", "error_description", "description", "reason", "title"];
            let found = keys.iter().find_map(|k| entries.get(*k).filter(|v| !is_nothing(v)))?;
            match found {
                Value::String(s) => Some(quote(s)),
                Value::Object(_) | Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) => None,
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }
}

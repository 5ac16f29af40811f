//! Which request an unknown API wants: candidates from its own description (OpenAPI), from what it says when it is asked
//! wrongly, and from the names that such APIs commonly use. Pure: who asks is elsewhere.

use serde_json::{Map, Value, json};

/// One way to put the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The template of the body; none: the question is a parameter of the address.
    pub body: Option<String>,
    /// The parameter of the address.
    pub query: Option<String>,
}

/// Names under which the question is commonly put, likeliest first.
const NAMES: &[&str] = &[
    "question",
    "query",
    "message",
    "input",
    "prompt",
    "text",
    "q",
    "user_input",
    "user_message",
    "content",
    "msg",
    "user_query",
    "search_query",
    "utterance",
];

/// The place of the question in a candidate while it is built.
const HERE: &str = "\u{1}question\u{1}";

impl Candidate {
    fn body(value: &Value) -> Candidate {
        let text = value.to_string().replace(&Value::from(HERE).to_string(), "{{ question }}");
        Candidate { body: Some(text), query: None }
    }

    /// The question under a name, alone in the body.
    fn named(name: &str) -> Candidate {
        Candidate::body(&json!({ (name): HERE }))
    }
}

/// What is tried when nothing is known: the common names, a chat, a parameter of the address.
pub fn common() -> Vec<Candidate> {
    let mut all: Vec<Candidate> = NAMES.iter().take(8).map(|n| Candidate::named(n)).collect();
    all.push(Candidate::body(&json!({ "messages": [{ "role": "user", "content": HERE }] })));
    let parameter = |name: &str| Candidate { body: None, query: Some(name.to_owned()) };
    all.extend(["question", "query", "q"].map(parameter));
    all
}

/// What a refused request says that is missing: FastAPI's `detail[].loc`, or a known or quoted name in any message.
pub fn from_refusal(status: u16, body: &Value) -> Vec<Candidate> {
    if !matches!(status, 400 | 415 | 422 | 500) {
        return Vec::new();
    }
    if let Some(details) = body.get("detail").and_then(Value::as_array) {
        let missing = |d: &Value| {
            let path: Vec<String> = d
                .get("loc")?
                .as_array()?
                .iter()
                .skip(1)
                .map(|p| match p {
                    Value::String(s) => s.clone(),
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                        p.to_string()
                    }
                })
                .collect();
            let in_query = d.get("loc")?.get(0)?.as_str() == Some("query");
            (!path.is_empty()).then_some((in_query, path))
        };
        let all: Vec<(bool, Vec<String>)> = details.iter().filter_map(missing).collect();
        if let Some((in_query, path)) = all.iter().max_by_key(|(_, path)| path.last().map_or(0, |n| likely(n))) {
            return vec![if *in_query {
                Candidate { body: None, query: path.last().cloned() }
            } else {
                Candidate::body(
                    &path.iter().rev().fold(Value::from(HERE), |inner, key| json!({ (key.as_str()): inner })),
                )
            }];
        }
    }
    let text = body.to_string().to_lowercase();
    let mentioned = |name: &&&str| {
        let quoted = ["'", "`", "\\\"", "\""].iter().any(|q| text.contains(&format!("{q}{name}{q}")));
        let spoken = [" is required", " required", " is missing", " must be", " field"];
        quoted || spoken.iter().any(|s| text.contains(&format!("{name}{s}")))
    };
    NAMES.iter().filter(mentioned).map(|n| Candidate::named(n)).collect()
}

/// The header that a refused request names (`X-Clinic-Key`), up to its value.
pub fn key_header(body: &str) -> Option<String> {
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
    let named = |w: &&str| {
        let lower = w.to_ascii_lowercase();
        lower.contains('-') && ["key", "token", "auth"].iter().any(|k| lower.contains(k))
    };
    body.split(word).find(named).map(|name| format!("{name}: "))
}

/// A header that a refused request is told to send (`Send the header X-Tenant.`) and that is not among those `given`.
pub fn wanted_header(body: &str, given: &[String]) -> Option<String> {
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
    let named = |w: &&str| {
        let lower = w.to_ascii_lowercase();
        let parts: Vec<&str> = lower.split('-').collect();
        let form = parts.len() > 1 && parts.iter().all(|p| !p.is_empty());
        // `X-Tenant` is a header's name by its form; others are where they are called so.
        let capitals = w.split('-').all(|p| p.starts_with(|c: char| c.is_ascii_uppercase()));
        form && (parts.first() == Some(&"x") || capitals)
    };
    let is_known = |w: &&str| given.iter().any(|g| g.eq_ignore_ascii_case(w)) || w.eq_ignore_ascii_case("content-type");
    let is_trace = |w: &&str| ["trace", "request-id", "correlation"].iter().any(|t| w.to_ascii_lowercase().contains(t));
    if !body.to_ascii_lowercase().contains("header") {
        return None;
    }
    body.split(word).filter(named).find(|w| !is_known(w) && !is_trace(w)).map(str::to_owned)
}

/// How likely a name is the question's.
fn likely(name: &str) -> usize {
    let name = name.to_ascii_lowercase();
    NAMES
        .iter()
        .position(|n| *n == name)
        .map_or(usize::from(NAMES.iter().any(|n| n.len() > 2 && name.contains(n))), |i| NAMES.len() - i + 1)
}

/// What an OpenAPI description says of a POST (or GET) to `path`: the required parts of its body, each with the least that
/// its type allows, and the question in the likeliest text.
pub fn from_openapi(doc: &Value, path: &str) -> Vec<Candidate> {
    let Some(operations) = doc.get("paths").and_then(|p| p.get(path).or_else(|| p.get(path.trim_end_matches('/'))))
    else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let schema = operations.pointer("/post/requestBody/content/application~1json/schema");
    if let Some(schema) = schema
        && let Value::Object(mut body) = example(doc, schema, 0)
        && place_question(&mut body)
    {
        all.push(Candidate::body(&Value::Object(body)));
    }
    let parameters = operations.pointer("/get/parameters").and_then(Value::as_array);
    let names = parameters.into_iter().flatten().filter(|p| p.get("in").and_then(Value::as_str) == Some("query"));
    let best = names.filter_map(|p| p.get("name").and_then(Value::as_str)).max_by_key(|n| likely(n));
    all.extend(best.map(|n| Candidate { body: None, query: Some(n.to_owned()) }));
    all
}

/// The least value of a schema: required keys only, and texts that could be the question.
fn example(doc: &Value, schema: &Value, depth: usize) -> Value {
    if depth > 6 {
        return Value::Null;
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix('#')) {
        return doc.pointer(target).map_or(Value::Null, |s| example(doc, s, depth + 1));
    }
    for key in ["allOf", "anyOf", "oneOf"] {
        if let Some(first) = schema.get(key).and_then(|l| l.get(0)) {
            return example(doc, first, depth + 1);
        }
    }
    if let Some(given) = ["const", "default", "example"].iter().find_map(|k| schema.get(k)).filter(|v| !v.is_null()) {
        return given.clone();
    }
    if let Some(first) = schema.get("enum").and_then(|l| l.get(0)) {
        return first.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => Value::from(""),
        Some("integer" | "number") => Value::from(1),
        Some("boolean") => Value::from(false),
        Some("array") => Value::Array(schema.get("items").map(|i| example(doc, i, depth + 1)).into_iter().collect()),
        Some("object") | None => {
            let required: Vec<&str> = schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let of = |(key, s): (&String, &Value)| {
                let wanted = required.contains(&key.as_str()) || (required.is_empty() && likely(key) > 0);
                wanted.then(|| (key.clone(), example(doc, s, depth + 1)))
            };
            let properties = schema.get("properties").and_then(Value::as_object);
            Value::Object(properties.into_iter().flatten().filter_map(of).collect())
        }
        Some(_) => Value::Null,
    }
}

/// Puts the question into the likeliest text of a body, wherever it stands; false where there is no text.
fn place_question(body: &mut Map<String, Value>) -> bool {
    fn texts(value: &Value, pointer: &str, key: &str, found: &mut Vec<(usize, String)>) {
        match value {
            // A text that the description fills has a meaning of its own.
            Value::String(s) => found.push((likely(key) * 2 + usize::from(s.is_empty()), pointer.to_owned())),
            Value::Object(map) => {
                for (k, v) in map {
                    let step = k.replace('~', "~0").replace('/', "~1");
                    texts(v, &format!("{pointer}/{step}"), k, found);
                }
            }
            Value::Array(items) => {
                for (i, v) in items.iter().enumerate() {
                    texts(v, &format!("{pointer}/{i}"), key, found);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut whole = Value::Object(std::mem::take(body));
    let mut found = Vec::new();
    texts(&whole, "", "", &mut found);
    let best = found.into_iter().max_by(|(a, p), (b, q)| a.cmp(b).then(q.len().cmp(&p.len())));
    let place = best.and_then(|(_, pointer)| whole.pointer_mut(&pointer));
    let placed = place.is_some();
    if let Some(place) = place {
        *place = Value::from(HERE);
    }
    if let Value::Object(map) = whole {
        *body = map;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::{Candidate, common, from_openapi, from_refusal};
    use serde_json::json;

    fn body(text: &str) -> Vec<Candidate> {
        vec![Candidate { body: Some(text.to_owned()), query: None }]
    }

    #[test]
    fn a_refusal_names_what_is_missing() {
        let fastapi = json!({"detail": [{"type": "missing", "loc": ["body", "user_query"], "msg": "Field required"}]});
        assert_eq!(from_refusal(422, &fastapi), body(r#"{"user_query":{{ question }}}"#));
        let nested =
            json!({"detail": [{"type": "missing", "loc": ["body", "input", "question"], "msg": "Field required"}]});
        assert_eq!(from_refusal(422, &nested), body(r#"{"input":{"question":{{ question }}}}"#));
        let words = json!({"error": "'prompt' is required"});
        assert_eq!(from_refusal(400, &words), body(r#"{"prompt":{{ question }}}"#));
        let express = json!({"message": "message field must be a non-empty string"});
        assert!(from_refusal(400, &express).contains(&body(r#"{"message":{{ question }}}"#)[0]));
        assert!(from_refusal(401, &words).is_empty());
    }

    #[test]
    fn a_description_gives_the_least_body() {
        let doc = json!({
            "paths": {"/v1/ask": {"post": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ask"}}}}}}},
            "components": {"schemas": {
                "Ask": {"type": "object", "required": ["tenant", "user", "limit"], "properties": {
                    "tenant": {"type": "string", "default": "shop"}, "limit": {"type": "integer"},
                    "user": {"type": "object", "required": ["query_text"], "properties": {"query_text": {"type": "string"}, "lang": {"type": "string"}}}}}
            }}
        });
        assert_eq!(
            from_openapi(&doc, "/v1/ask"),
            body(r#"{"limit":1,"tenant":"shop","user":{"query_text":{{ question }}}}"#)
        );
        assert!(from_openapi(&doc, "/other").is_empty());
    }

    #[test]
    fn a_refusal_names_its_header() {
        let tenant = r#"{"fault":{"code":"E-1","message":"Send the header X-Saola-Tenant."}}"#;
        assert_eq!(super::wanted_header(tenant, &[]).as_deref(), Some("X-Saola-Tenant"));
        assert_eq!(super::wanted_header(tenant, &["x-saola-tenant".to_owned()]), None);
        assert_eq!(super::wanted_header(r#"{"message": "an up-to-date field is required in the header"}"#, &[]), None);
        let header = super::key_header(r#"{"fault":{"code":"KEY_MISSING","message":"Send X-Clinic-Key."}}"#);
        assert_eq!(header.as_deref(), Some("X-Clinic-Key: "));
        assert_eq!(super::key_header(r#"{"error":"no token"}"#), None);
    }

    #[test]
    fn common_ways_are_few_and_differ() {
        let all = common();
        assert!(all.len() <= 12 && all.iter().enumerate().all(|(i, c)| !all[..i].contains(c)));
    }
}

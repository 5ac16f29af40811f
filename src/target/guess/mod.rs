//! Guesses a mapping from one response: where the answer, the passages and their parts seem to stand.
//!
//! It is a proposal for a person to read, printed as settings and written only on request; a run never guesses. Names of
//! keys count most, then what the values look like; where the corpus is known, a value that names one of its documents is
//! the document.

mod cited;
mod stream;
mod written;

pub use cited::{Citations, Refused};

use super::mapping::Event;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A proposed mapping: JSONPaths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guess {
    /// The answer.
    pub answer: Option<String>,
    /// The pieces of the answer in the events of a stream.
    pub delta: Option<String>,
    /// The passages.
    pub contexts: Option<Contexts>,
    /// The citations.
    pub citations: Option<Citations>,
    /// The refusal flag.
    pub refused: Option<Refused>,
    /// Tokens of the prompt.
    pub input_tokens: Option<String>,
    /// Tokens of the answer.
    pub output_tokens: Option<String>,
}

/// Proposed passages with their parts, each a path from the passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contexts {
    /// The list, or the passage where each comes in an event of its own.
    pub path: String,
    /// The name of the events that hold them, where it matters.
    pub event: Option<String>,
    /// The text.
    pub text: Option<String>,
    /// The document, and whether only the end of a path names it.
    pub doc: Option<(String, bool)>,
    /// The heading path.
    pub section: Option<String>,
    /// The passage's id.
    pub chunk: Option<String>,
    /// The address.
    pub url: Option<String>,
    /// The score.
    pub score: Option<String>,
    /// Whether it was in the prompt.
    pub in_prompt: Option<String>,
}

/// Keys that hold an answer, likeliest first.
const ANSWERS: &[&str] = &[
    "answer",
    "answer_text",
    "final_answer",
    "reply",
    "response",
    "output",
    "output_text",
    "result",
    "completion",
    "generated_text",
    "generation",
    "content",
    "text",
    "message",
    "summary",
    "data",
    "body",
];

/// Keys that hold passages, likeliest first.
const PASSAGES: &[&str] = &[
    "contexts",
    "context",
    "source_documents",
    "sourcedocuments",
    "retrieved_documents",
    "retrieved_contexts",
    "retrieved",
    "passages",
    "documents",
    "docs",
    "chunks",
    "sources",
    "source_nodes",
    "nodes",
    "references",
    "retriever_resources",
    "search_results",
    "results",
    "hits",
    "matches",
    "evidence",
    "citations",
];

/// Keys of a passage's text.
const TEXTS: &[&str] = &[
    "text",
    "content",
    "page_content",
    "pagecontent",
    "passage",
    "chunk_text",
    "chunk",
    "snippet",
    "body",
    "document",
    "excerpt",
];

/// Keys of a passage's document.
const DOCS: &[&str] = &[
    "source",
    "doc",
    "document",
    "doc_name",
    "document_name",
    "document_title",
    "file_name",
    "filename",
    "file",
    "file_path",
    "filepath",
    "path",
    "doc_id",
    "document_id",
    "source_id",
    "title",
    "name",
    "url",
    "uri",
    "link",
    "id",
];

const SECTIONS: &[&str] = &["section", "headings", "heading", "section_title", "breadcrumbs", "header"];
const CHUNKS: &[&str] = &["chunk_id", "chunkid", "passage_id", "node_id", "segment_id", "id", "_id"];
const URLS: &[&str] = &["url", "uri", "link", "href"];
const SCORES: &[&str] = &["score", "relevance_score", "similarity", "relevance", "_score", "rank_score"];
const IN_PROMPT: &[&str] =
    &["in_prompt", "used", "included", "in_context", "is_used", "used_in_prompt", "used_in_answer", "is_included"];
const INPUT_TOKENS: &[&str] = &["prompt_tokens", "input_tokens", "prompt_eval_count"];
const OUTPUT_TOKENS: &[&str] = &["completion_tokens", "output_tokens", "eval_count"];

/// From so many characters on, a text under an unknown name may be a passage.
const LONG: usize = 30;

/// How deep a response is searched.
const DEPTH: usize = 8;

/// Guesses the mapping of what came: of the one value, or of the events of a stream.
pub fn guess_events(events: &[Event<'_>], question: &str, documents: &BTreeSet<&str>) -> Guess {
    match events {
        [] => Guess::default(),
        [one] => guess(one.value, question, documents),
        several => stream::guess(several, question, documents),
    }
}

/// Guesses the mapping of a response to `question`. `documents` are the names of the corpus, where there is one.
pub fn guess(value: &Value, question: &str, documents: &BTreeSet<&str>) -> Guess {
    let mut all = Vec::new();
    walk(value, "$".to_owned(), 0, &mut all);
    let contexts = passages(&all, documents);
    let inside = contexts.as_ref().map(|c| c.path.trim_end_matches("[*]").to_owned());
    let outside = |path: &str| inside.as_ref().is_none_or(|c| !path.starts_with(c.as_str()));
    let answer = all
        .iter()
        .filter(|f| outside(&f.path))
        .filter_map(|f| Some((answer_score(f, question)?, f)))
        // The first of the best: shallow and early.
        .max_by(|(a, f), (b, g)| a.cmp(b).then(g.depth.cmp(&f.depth)))
        .map(|(_, f)| f.path.clone());
    let find = |keys: &[&str], fits: fn(&Value) -> bool| {
        let of = |key: &&str| all.iter().find(|f| fits(f.value) && normal(&f.key) == **key).map(|f| f.path.clone());
        keys.iter().find_map(of)
    };
    Guess {
        answer,
        delta: None,
        citations: cited::citations(&all, contexts.as_ref().map(|c| c.path.as_str())),
        contexts,
        refused: cited::refused(&all),
        input_tokens: find(INPUT_TOKENS, Value::is_number),
        output_tokens: find(OUTPUT_TOKENS, Value::is_number),
    }
}

/// A value with its place.
struct Found<'v> {
    path: String,
    key: String,
    depth: usize,
    value: &'v Value,
}

/// Every value of a response; of a list of values only the first, so that a path speaks for all of them.
fn walk<'v>(value: &'v Value, path: String, depth: usize, all: &mut Vec<Found<'v>>) {
    if depth > DEPTH {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, v) in map {
                let path = format!("{path}{}", step(key));
                all.push(Found { path: path.clone(), key: key.clone(), depth, value: v });
                walk(v, path, depth + 1, all);
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                let path = format!("{path}[0]");
                let key = all.last().map(|f| f.key.clone()).unwrap_or_default();
                all.push(Found { path: path.clone(), key, depth, value: first });
                walk(first, path, depth + 1, all);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// `.key`, or `["key"]` where the name needs quotes.
fn step(key: &str) -> String {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain { format!(".{key}") } else { format!("[{}]", Value::from(key)) }
}

/// A key without letter case and separators.
fn normal(key: &str) -> String {
    key.to_ascii_lowercase().replace('-', "_")
}

/// How early a key stands in a list, counted from its end; 0 when it is not there.
fn rank(keys: &[&str], key: &str) -> usize {
    let (key, joined) = (normal(key), normal(key).replace('_', ""));
    let at = keys.iter().position(|k| *k == key || k.replace('_', "") == joined);
    at.map_or(0, |i| keys.len() - i)
}

/// How much a value looks like the answer: by the name of its key, and by being a text that says something.
fn answer_score(f: &Found<'_>, question: &str) -> Option<usize> {
    let text = f.value.as_str()?.trim();
    if text.is_empty() || text == question.trim() {
        return None;
    }
    let spoken = text.chars().any(char::is_whitespace) || !text.is_ascii();
    let id_like = !spoken && (text.len() >= 20 || text.contains("://"));
    let named = rank(ANSWERS, &f.key);
    if id_like || (named == 0 && !spoken) {
        return None;
    }
    Some(named * 100 + usize::from(spoken) * 50 + text.chars().count().min(40))
}

fn passages(all: &[Found<'_>], documents: &BTreeSet<&str>) -> Option<Contexts> {
    let list = |f: &Found<'_>| -> Option<(usize, Contexts)> {
        let items = f.value.as_array().filter(|items| !items.is_empty())?;
        let named = rank(PASSAGES, &f.key);
        let path = format!("{}[*]", f.path);
        if items.iter().all(Value::is_string) {
            // Bare texts are passages only under a name that says so.
            return (named > 0).then(|| (named, Contexts { path, ..Contexts::default() }));
        }
        let first = items.iter().find_map(Value::as_object)?;
        let parts = parts(first, documents);
        let holds_text = parts.text.is_some();
        if named == 0 && !(holds_text && parts.doc.is_some()) {
            return None;
        }
        let names_document = parts.doc.is_some();
        Some((named + usize::from(holds_text) * 40 + usize::from(names_document) * 20, Contexts { path, ..parts }))
    };
    all.iter().filter_map(list).max_by_key(|(score, _)| *score).map(|(_, c)| c)
}

/// The parts of one passage.
fn parts(item: &Map<String, Value>, documents: &BTreeSet<&str>) -> Contexts {
    let mut fields = Vec::new();
    flat(item, "$", 0, &mut fields);
    let spoken = |v: &Value| v.as_str().is_some_and(|t| t.chars().any(char::is_whitespace) || !t.is_ascii());
    // Under a name that nobody knows, the passage is the longest text that somebody could have written.
    let longest = || {
        let texts = fields.iter().filter(|(_, _, v)| spoken(v));
        let long = texts.map(|(path, _, v)| (v.as_str().map_or(0, |t| t.chars().count()), path));
        long.max().filter(|(chars, _)| *chars >= LONG).map(|(_, path)| path.clone())
    };
    let text = best(&fields, TEXTS, spoken).or_else(longest);
    let known = |v: &Value| v.as_str().and_then(|t| named_document(t, documents));
    let doc = match fields.iter().find_map(|(path, _, v)| Some((path.clone(), known(v)?))) {
        Some(found) => Some(found),
        None => best(&fields, DOCS, |v| v.is_string() || v.is_number()).filter(|p| Some(p) != text.as_ref()).map(|p| {
            let slashes = fields.iter().any(|(q, _, v)| *q == p && v.as_str().is_some_and(is_path));
            (p, slashes)
        }),
    };
    let other = |path: &String| Some(path) != text.as_ref() && doc.as_ref().is_none_or(|(d, _)| d != path);
    Contexts {
        path: String::new(),
        section: best(&fields, SECTIONS, |v| v.is_string() || v.is_array()).filter(other),
        chunk: best(&fields, CHUNKS, |v| v.is_string() || v.is_number()).filter(other),
        url: best(&fields, URLS, |v| v.as_str().is_some_and(|t| t.contains("://"))).filter(other),
        score: best(&fields, SCORES, Value::is_number).filter(other),
        in_prompt: best(&fields, IN_PROMPT, Value::is_boolean),
        event: None,
        text,
        doc,
    }
}

/// A path of a file system, and no address.
fn is_path(text: &str) -> bool {
    text.contains(['/', '\\']) && !text.contains("://")
}

/// Whether a text names a document of the corpus: itself (false) or with its last part (true).
fn named_document(text: &str, documents: &BTreeSet<&str>) -> Option<bool> {
    if documents.contains(text) {
        return Some(false);
    }
    let last = text.rsplit(['/', '\\']).next().unwrap_or_default();
    documents.contains(last).then_some(true)
}

type Part<'v> = (String, String, &'v Value);

/// The fields of a passage, those of its inner maps (`metadata`) too.
fn flat<'v>(map: &'v Map<String, Value>, path: &str, depth: usize, out: &mut Vec<Part<'v>>) {
    for (key, v) in map {
        let path = format!("{path}{}", step(key));
        if let (Value::Object(inner), true) = (v, depth < 3) {
            flat(inner, &path, depth + 1, out);
        } else {
            out.push((path, key.clone(), v));
        }
    }
}

/// The field with the likeliest key among those that fit.
fn best(fields: &[Part<'_>], keys: &[&str], fits: impl Fn(&Value) -> bool) -> Option<String> {
    let scored = fields.iter().filter(|(_, _, v)| fits(v)).map(|(path, key, _)| (rank(keys, key), path));
    // The first of the best.
    let best = scored.filter(|(rank, _)| *rank > 0).max_by(|(a, p), (b, q)| a.cmp(b).then(q.len().cmp(&p.len())));
    best.map(|(_, path)| path.clone())
}

#[cfg(test)]
mod tests {
    use super::guess;
    use serde_json::json;
    use std::collections::BTreeSet;

    #[test]
    fn a_chain_with_source_documents() {
        let value = json!({
            "input": "Được đổi trong bao lâu?", "id": "6f1b0c9ad2e34f5f8a77",
            "result": "Quý khách được đổi trong 7 ngày.",
            "source_documents": [{"page_content": "Đổi trong 7 ngày kể từ ngày nhận.", "metadata": {"source": "/srv/kb/doi-tra.md", "page": 2}, "score": 0.71}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5}
        });
        let g = guess(&value, "Được đổi trong bao lâu?", &BTreeSet::from(["doi-tra.md"]));
        assert_eq!(g.answer.as_deref(), Some("$.result"));
        let c = g.contexts.clone().unwrap();
        assert_eq!(c.path, "$.source_documents[*]");
        assert_eq!(c.text.as_deref(), Some("$.page_content"));
        assert_eq!(c.doc, Some(("$.metadata.source".to_owned(), true)));
        assert_eq!(c.score.as_deref(), Some("$.score"));
        assert_eq!(g.input_tokens.as_deref(), Some("$.usage.prompt_tokens"));
        let toml = g.to_toml("shop");
        assert!(toml.contains("doc = { path = \"$.metadata.source\", basename = true }"), "{toml}");
    }

    #[test]
    fn a_chat_endpoint_and_lists_within_lists() {
        let chat = json!({"id": "chatcmpl-0123456789abcdef", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Closes at 18:00."}}]});
        let g = guess(&chat, "When?", &BTreeSet::new());
        assert_eq!(g.answer.as_deref(), Some("$.choices[0].message.content"));
        assert!(g.contexts.is_none());
        let nested = json!({"data": {"reply": "营业到十八点。", "hits": [{"doc": {"title": "hours.md", "body": "营业时间 9:00 到 18:00"}, "similarity": 0.9}]}});
        let g = guess(&nested, "几点关门？", &BTreeSet::from(["hours.md"]));
        assert_eq!(g.answer.as_deref(), Some("$.data.reply"));
        let c = g.contexts.unwrap();
        assert_eq!((c.path.as_str(), c.text.as_deref()), ("$.data.hits[*]", Some("$.doc.body")));
        assert_eq!(c.doc, Some(("$.doc.title".to_owned(), false)));
    }

    #[test]
    fn names_that_nobody_knows() {
        let value = json!({"payload": {"reply": "Trong 7 ngày.", "kb": [
            {"blob": "Quý khách được đổi trả hàng trong 7 ngày kể từ ngày nhận.", "meta": {"file": "kb/doi-tra.md"}, "similarity": 0.83}]}});
        let c = guess(&value, "?", &BTreeSet::new()).contexts.unwrap();
        assert_eq!((c.path.as_str(), c.text.as_deref()), ("$.payload.kb[*]", Some("$.blob")));
        assert_eq!(c.doc, Some(("$.meta.file".to_owned(), true)));
        assert_eq!(c.score.as_deref(), Some("$.similarity"));
    }

    #[test]
    fn nothing_to_recognise() {
        assert!(guess(&json!({"ok": true, "id": 7}), "?", &BTreeSet::new()).is_empty());
        assert!(guess(&json!([]), "?", &BTreeSet::new()).is_empty());
    }
}

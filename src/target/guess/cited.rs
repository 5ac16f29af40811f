//! Citations and the refusal flag.

use super::{DOCS, Found, Part, best, flat, is_path, normal, rank};
use serde_json::{Map, Value};

/// Proposed citations with their parts, each a path from the citation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Citations {
    /// The list, or the citation where each comes in an event of its own.
    pub path: String,
    /// The name of the events that hold them, where it matters.
    pub event: Option<String>,
    /// The number of the passage, from 1.
    pub context: Option<String>,
    /// The document, and whether only the end of a path names it.
    pub doc: Option<(String, bool)>,
    /// Words copied from the passage.
    pub quote: Option<String>,
}

/// A proposed refusal flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// True or false stands there.
    Flag(String),
    /// A word stands there.
    Word {
        /// Where.
        path: String,
        /// The word that came.
        word: String,
        /// It reads as a refusal.
        refuses: bool,
    },
}

const LISTS: &[&str] = &["citations", "citation", "cited", "cites", "references"];
const NUMBERS: &[&str] = &[
    "passage_rank",
    "passage_number",
    "passage_index",
    "context",
    "context_number",
    "passage",
    "source_number",
    "rank",
    "number",
    "mark",
    "index",
];
const QUOTES: &[&str] = &["quote", "quoted_text", "cited_text", "excerpt"];
const FLAGS: &[&str] = &["refused", "is_refusal", "refusal", "no_answer", "unanswerable", "declined", "is_declined"];
const WORDS: &[&str] = &["outcome", "answer_status", "result_type", "answer_type", "verdict"];

/// Words by which systems say that they do not know, without their separators.
const REFUSALS: &[&str] =
    &["nomatch", "noanswer", "notfound", "declined", "refused", "refusal", "unanswered", "unanswerable", "outofscope"];

/// The citations: a list under a name that says so and that is not the list of passages.
pub(super) fn citations(all: &[Found<'_>], passages: Option<&str>) -> Option<Citations> {
    let list = |f: &Found<'_>| -> Option<(usize, Citations)> {
        let items = f.value.as_array().filter(|items| !items.is_empty())?;
        let named = rank(LISTS, &f.key);
        let path = format!("{}[*]", f.path);
        // A reference within a passage is the passage's.
        let inside = passages.is_some_and(|p| path.starts_with(p.trim_end_matches("[*]")));
        if named == 0 || inside {
            return None;
        }
        let parts = match items.iter().find_map(Value::as_object) {
            Some(first) => of_object(first)?,
            None => Citations::default(),
        };
        Some((named, Citations { path, ..parts }))
    };
    all.iter().filter_map(list).max_by_key(|(score, _)| *score).map(|(_, c)| c)
}

/// The parts of one citation; none where nothing in it leads to a passage.
pub(super) fn of_object(item: &Map<String, Value>) -> Option<Citations> {
    let mut fields: Vec<Part<'_>> = Vec::new();
    flat(item, "$", 0, &mut fields);
    // Counted from 0 it would be the number of another.
    let context = best(&fields, NUMBERS, |v| v.as_u64().is_some_and(|n| n > 0));
    let text = |v: &Value| v.is_string();
    let doc = best(&fields, DOCS, text).map(|path| {
        let folder = fields.iter().any(|(q, _, v)| *q == path && v.as_str().is_some_and(is_path));
        (path, folder)
    });
    let quote = best(&fields, QUOTES, text).filter(|q| doc.as_ref().is_none_or(|(d, _)| d != q));
    // One way to a passage is enough, and its number is the surest.
    let doc = doc.filter(|_| context.is_none());
    (context.is_some() || doc.is_some()).then_some(Citations { path: String::new(), event: None, context, doc, quote })
}

/// Whether the name of an event says that it holds a citation.
pub(super) fn is_citation(name: &str) -> bool {
    let name = normal(name);
    name.contains("citation") || name.contains("cite") || name == "reference"
}

/// The refusal flag: true or false under a name that says so, or a word in a place for how it went.
pub(super) fn refused(all: &[Found<'_>]) -> Option<Refused> {
    let key = |f: &Found<'_>, keys: &[&str]| rank(keys, &f.key) > 0;
    if let Some(f) = all.iter().find(|f| f.value.is_boolean() && key(f, FLAGS)) {
        return Some(Refused::Flag(f.path.clone()));
    }
    let word = |f: &Found<'_>| {
        let word = f.value.as_str().filter(|w| !w.is_empty() && !w.chars().any(char::is_whitespace))?;
        let letters: String = word.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let refuses = REFUSALS.contains(&letters.as_str());
        (key(f, WORDS) || (refuses && f.depth < 3)).then(|| Refused::Word {
            path: f.path.clone(),
            word: word.to_owned(),
            refuses,
        })
    };
    all.iter().find_map(word)
}

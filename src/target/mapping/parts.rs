//! Passages and citations.

use super::{Event, Gathered, field, quote, rows, unmapped};
use crate::suite::config::live::{Field, Mapping, Parts};
use crate::target::Failure;
use crate::target::response::{Citation, Context};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The passages that events hold together.
pub(super) fn contexts(mapping: &Mapping, all: &Gathered<'_>) -> Result<Vec<Context<'static>>, Failure> {
    let parts = Reading::new(&mapping.context);
    let read = |(i, (event, node)): (usize, &(Event<'_>, &Value))| {
        let mut context = Context {
            doc: parts.text(&mapping.context.doc, "doc", node),
            section: parts.path(&mapping.context.section, node),
            chunk: parts.text(&mapping.context.chunk, "chunk", node),
            url: parts.text(&mapping.context.url, "url", node),
            text: parts.text(&mapping.context.text, "text", node),
            score: parts.node(&mapping.context.score, "score", node).and_then(field::number),
            start: parts.node(&mapping.context.start, "start", node).and_then(field::whole),
            end: parts.node(&mapping.context.end, "end", node).and_then(field::whole),
            in_prompt: parts.node(&mapping.context.in_prompt, "in_prompt", node).and_then(field::flag),
        };
        let named = context.doc.is_some() || context.chunk.is_some() || context.url.is_some();
        if !named && context.text.is_none() {
            match node {
                Value::String(text) => context.text = Some(mapping.contexts.shape(text.clone()).into()),
                Value::Number(id) if !parts.mapped => context.chunk = Some(id.to_string().into()),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                    let (what, lacks) = ("passage", "`doc`, `chunk`, `url` or `text`");
                    return Err(unread(what, lacks, i, "contexts", event, node));
                }
            }
        }
        Ok(context)
    };
    let mut found = Vec::new();
    for (i, (event, node)) in all.nodes.iter().enumerate() {
        match rows::rows(&mapping.context, node) {
            Some(passages) => found.extend(passages),
            None => found.push(read((i, &(*event, node)))?),
        }
    }
    Ok(found)
}

/// The citations that events hold together.
pub(super) fn citations(mapping: &Mapping, all: &Gathered<'_>) -> Result<Vec<Citation<'static>>, Failure> {
    let parts = Reading::new(&mapping.citation);
    let read = |(i, (event, node)): (usize, &(Event<'_>, &Value))| {
        let mut citation = Citation {
            context: parts.node(&mapping.citation.context, "context", node).and_then(ordinal),
            doc: parts.text(&mapping.citation.doc, "doc", node),
            section: parts.path(&mapping.citation.section, node),
            chunk: parts.text(&mapping.citation.chunk, "chunk", node),
            url: parts.text(&mapping.citation.url, "url", node),
            quote: parts.text(&mapping.citation.quote, "quote", node),
        };
        if citation == (Citation { section: citation.section.clone(), ..Citation::default() }) {
            match node {
                Value::String(text) => {
                    let name = mapping.citations.shape(text.clone());
                    if name.contains("://") {
                        citation.url = Some(name.into());
                    } else {
                        citation.doc = Some(name.into());
                    }
                }
                Value::Number(_) if ordinal(node).is_some() => citation.context = ordinal(node),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                    let (what, lacks) = ("citation", "`context`, `doc`, `chunk`, `url` or `quote`");
                    return Err(unread(what, lacks, i, "citations", event, node));
                }
            }
        }
        Ok(citation)
    };
    all.nodes.iter().enumerate().map(read).collect()
}

/// An item in which nothing stands where the mapping looks. Where it is a whole event, others of its stream may be meant.
fn unread(what: &str, lacks: &str, i: usize, key: &str, event: &Event<'_>, node: &Value) -> Failure {
    let what = format!("{what} {} has no {lacks} where the mapping looks", i + 1);
    // A whole event is quoted anyway.
    if !std::ptr::eq(event.value, node) {
        return unmapped(&format!("{what}: {}", quote(&node.to_string())), std::slice::from_ref(event));
    }
    let Failure { kind, why, again } = unmapped(&what, std::slice::from_ref(event));
    let help = event.shown_name().map_or_else(String::new, |name| {
        let name = quote(name);
        format!("; this is an event `{name}`: {key} = {{ path = \"$\", event = \"…\" }} reads those of one name alone")
    });
    Failure { kind, why: why + &help, again }
}

/// The number of a passage: 3, `"3"`, `"[3]"`.
fn ordinal(node: &Value) -> Option<i64> {
    let text = field::text(node)?;
    text.trim().trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// How the parts of a passage are found: where the settings say, or, where they say nothing at all, under our own names.
struct Reading {
    mapped: bool,
}

impl Reading {
    fn new(parts: &Parts) -> Reading {
        let Parts { doc, section, chunk, url, text, score, start, end, in_prompt, context, quote } = parts;
        let all = [doc, section, chunk, url, text, score, start, end, in_prompt, context, quote];
        Reading { mapped: all.into_iter().any(Field::is_mapped) }
    }

    fn node<'v>(&self, field: &Field, own: &str, node: &'v Value) -> Option<&'v Value> {
        if self.mapped {
            return field.first(node);
        }
        node.as_object().and_then(|o: &Map<String, Value>| o.get(own)).filter(|v| !v.is_null())
    }

    fn text(&self, field: &Field, own: &str, node: &Value) -> Option<Cow<'static, str>> {
        let found = self.node(field, own, node)?;
        field::text(found).map(|t| field.shape(t).into())
    }

    /// A heading path: a list of headings, several nodes, or one text.
    fn path(&self, field: &Field, node: &Value) -> Vec<Cow<'static, str>> {
        let nodes = if self.mapped {
            field.items(node).unwrap_or_default()
        } else {
            match self.node(field, "section", node) {
                Some(Value::Array(items)) => items.iter().collect(),
                Some(other) => vec![other],
                None => Vec::new(),
            }
        };
        nodes.into_iter().filter_map(field::text).map(|t| field.shape(t).into()).collect()
    }
}

//! Passages and citations.

use super::field;
use super::{quote, unmapped};
use crate::suite::config::live::{Field, Mapping, Parts};
use crate::target::Failure;
use crate::target::response::{Citation, Context};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The passages of an event; none where the list is not there.
pub(super) fn contexts(mapping: &Mapping, event: &Value) -> Result<Option<Vec<Context<'static>>>, Failure> {
    let Some(nodes) = mapping.contexts.items(event) else { return Ok(None) };
    let parts = Reading::new(&mapping.context);
    let read = |(i, node): (usize, &&Value)| {
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
                _ => {
                    let what = format!(
                        "passage {} has no `doc`, `chunk`, `url` or `text` where the mapping looks: {}",
                        i + 1,
                        quote(&node.to_string())
                    );
                    return Err(unmapped(&what, std::slice::from_ref(event)));
                }
            }
        }
        Ok(context)
    };
    nodes.iter().enumerate().map(read).collect::<Result<_, _>>().map(Some)
}

/// The citations of an event; none where the list is not there.
pub(super) fn citations(mapping: &Mapping, event: &Value) -> Result<Option<Vec<Citation<'static>>>, Failure> {
    let Some(nodes) = mapping.citations.items(event) else { return Ok(None) };
    let parts = Reading::new(&mapping.citation);
    let read = |(i, node): (usize, &&Value)| {
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
                _ => {
                    let what = format!(
                        "citation {} has no `context`, `doc`, `chunk`, `url` or `quote` where the mapping looks: {}",
                        i + 1,
                        quote(&node.to_string())
                    );
                    return Err(unmapped(&what, std::slice::from_ref(event)));
                }
            }
        }
        Ok(citation)
    };
    nodes.iter().enumerate().map(read).collect::<Result<_, _>>().map(Some)
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

//! From the JSON that a system returns to a response: where its parts stand, and how names are made to meet.
//!
//! What is not there is never made up: an answer that is not where the mapping looks is a failure of the call, which says
//! what stands there instead, and no text that checks would judge.

mod error;
mod field;
mod filled;
mod gather;
mod json;
mod parts;
mod rows;

pub use error::{Said, error_event, of_body};
pub use gather::{Event, Gathered, events_of, passages, unnamed};
pub use json::read;

use super::response::{Answer, OwnedResponse, Usage};
use super::{Failure, FailureKind};
use crate::suite::config::live::Mapping;
use crate::suite::corpus::Corpus;
use field::Found;
use serde_json::Value;

/// The most characters of a foreign text that a message quotes.
const LONGEST_QUOTE: usize = 300;

/// Reads JSON so that no digit of a number is lost: a number that Rust's numbers do not hold as it was written becomes the
/// text of its digits (`9007199254740993` stays a number, `18446744073709551616`, `1e3` and `1.50` become texts). A path
/// that compares such a number finds a text.
///
/// # Errors
/// [`FailureKind::NotJson`] with what stands there instead.
pub fn json(bytes: &[u8]) -> Result<Value, Failure> {
    read(bytes).map_err(|why| {
        let start = quote(&String::from_utf8_lossy(bytes));
        let stands = if start.is_empty() { String::new() } else { format!("; it begins: {start}") };
        Failure::new(FailureKind::NotJson, format!("{why}{stands}"))
    })
}

/// The response in one JSON value.
///
/// # Errors
/// [`FailureKind::ErrorBody`] where the system says that it failed, [`FailureKind::Unmapped`] where neither the answer nor
/// the passages stand where the mapping looks for them.
pub fn response(mapping: &Mapping, value: &Value, corpus: Option<&Corpus>) -> Result<OwnedResponse, Failure> {
    streamed(mapping, &[Event { name: "", value }], corpus)
}

/// The response in the events of a stream, in order of arrival. The answer is what its pieces give together, or stands in
/// the last event that has one. Passages and citations are gathered from all events: a list takes the place of what came
/// before it, a single one is added. Every other part stands in the last event that has it.
///
/// # Errors
/// As for [`response`].
pub fn streamed(mapping: &Mapping, events: &[Event<'_>], corpus: Option<&Corpus>) -> Result<OwnedResponse, Failure> {
    let answer = answer(mapping, events);
    let answered = matches!(answer, Ok(Answer::Text(_)));
    for event in events {
        if let Some(failure) = error::find(mapping, event, answered) {
            return Err(failure);
        }
    }
    let answer = answer?;
    let mut contexts = None;
    if mapping.contexts.is_mapped() {
        contexts = gather::gather(&mapping.contexts, events).map(|all| parts::contexts(mapping, &all)).transpose()?;
        if answer == Answer::Absent && contexts.is_none() {
            let what = format!("no passages stand where the mapping looks for them ({})", mapping.contexts.shown());
            return Err(unmapped(&what, events));
        }
    }
    if let (Some(passages), Some(corpus), true) = (&mut contexts, corpus, mapping.text_from_corpus) {
        for passage in passages {
            filled::fill(passage, corpus);
        }
    }
    let citations = if mapping.citations.is_mapped() {
        gather::gather(&mapping.citations, events).map(|all| parts::citations(mapping, &all)).transpose()?
    } else {
        None
    };
    let number = |f: &crate::suite::config::live::Field| last(events, |e| f.first_in(e).and_then(field::whole));
    let usage = Usage { input_tokens: number(&mapping.input_tokens), output_tokens: number(&mapping.output_tokens) };
    Ok(OwnedResponse {
        answer,
        contexts,
        citations,
        refused: refused(mapping, events)?,
        usage: (usage != Usage::default()).then_some(usage),
        ..OwnedResponse::default()
    })
}

/// The refusal flag. Where a word says it (`NO_MATCH`), the mapping's `regex` says which; a word that is neither true nor
/// false and has no such rule is a fault of the mapping: a flag that is silently ignored would look like a check.
fn refused(mapping: &Mapping, events: &[Event<'_>]) -> Result<Option<bool>, Failure> {
    let Some(node) = last(events, |e| mapping.refused.first_in(e)) else { return Ok(None) };
    if let Some(regex) = &mapping.refused.regex {
        return Ok(Some(field::text(node).is_some_and(|text| regex.is_match(&text))));
    }
    match field::flag(node) {
        Some(flag) => Ok(Some(flag)),
        None => {
            let what = format!(
                "where the mapping looks for the refusal flag ({}) stands {}, neither true nor false; name the word that \
                 means a refusal: refused = {{ path = \"…\", regex = '^WORD$' }}",
                mapping.refused.shown(),
                quote(&node.to_string())
            );
            Err(unmapped(&what, events))
        }
    }
}

/// What stands where the refusal flag is looked for, and how it is read, in one line; none where nothing does.
pub fn refused_from(mapping: &Mapping, events: &[Event<'_>]) -> Option<String> {
    let node = last(events, |e| mapping.refused.first_in(e))?;
    let stands = format!("{} = {}", mapping.refused.shown(), quote(&node.to_string()));
    Some(match &mapping.refused.regex {
        None => stands,
        Some(regex) => {
            let matches = field::text(node).is_some_and(|text| regex.is_match(&text));
            format!("{stands} {} {}", if matches { "matches" } else { "does not match" }, regex.as_str())
        }
    })
}

/// What the last event that has something gives.
fn last<'v, T>(events: &[Event<'v>], read: impl Fn(&Event<'v>) -> Option<T>) -> Option<T> {
    events.iter().rev().find_map(read)
}

/// The answer; absent where none is mapped.
fn answer(mapping: &Mapping, events: &[Event<'_>]) -> Result<Answer<'static>, Failure> {
    let mut pieces = None::<String>;
    for event in events {
        if let Found::Nodes(nodes) = mapping.delta.in_event(event) {
            for node in nodes {
                pieces.get_or_insert_default().push_str(&field::text(node).unwrap_or_default());
            }
        }
    }
    if let Some(text) = pieces {
        return Ok(Answer::Text(mapping.delta.shape(text).into()));
    }
    if !mapping.answer.is_mapped() && !mapping.delta.is_mapped() {
        return Ok(Answer::Absent);
    }
    let mut null = false;
    for event in events.iter().rev() {
        match mapping.answer.in_event(event) {
            Found::Nodes(nodes) => {
                let texts: Option<Vec<String>> = nodes.iter().map(|n| said(n)).collect();
                return match texts {
                    Some(texts) => Ok(Answer::Text(mapping.answer.shape(texts.concat()).into())),
                    None => {
                        let kind = nodes.first().map_or("nothing", |n| field::kind(n));
                        let what = format!(
                            "where the mapping looks for the answer ({}) stands {kind}, expected a text",
                            mapping.answer.shown()
                        );
                        Err(unmapped(&what, events))
                    }
                };
            }
            Found::Null => null = true,
            Found::Nothing => {}
        }
    }
    let wanted = if mapping.answer.is_mapped() { &mapping.answer } else { &mapping.delta };
    let what = if null {
        format!("the answer is null ({})", wanted.shown())
    } else {
        format!("nothing stands where the mapping looks for the answer ({})", wanted.shown())
    };
    Err(unmapped(&what, events))
}

/// What a node of an answer says. `true` and `false` are no words of a system but flags of its programs: taken for an
/// answer, `false` would say none of what must not be said.
fn said(node: &Value) -> Option<String> {
    field::text(node).filter(|_| !node.is_boolean())
}

/// What stands there instead: the keys, and the start of the body.
fn unmapped(what: &str, events: &[Event<'_>]) -> Failure {
    let Some(Event { value: event, .. }) = events.last() else {
        return Failure::new(FailureKind::Unmapped, format!("{what}; the stream holds no event"));
    };
    let keys = match event {
        Value::Object(entries) if entries.is_empty() => "; it is an empty object".to_owned(),
        Value::Object(entries) => {
            let mut names: Vec<String> = entries.keys().take(12).map(|k| format!("`{}`", quote(k))).collect();
            if entries.len() > names.len() {
                names.push("…".to_owned());
            }
            format!("; it has {}", names.join(", "))
        }
        Value::Array(_) | Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {
            format!("; it is {}", field::kind(event))
        }
    };
    Failure::new(FailureKind::Unmapped, format!("{what}{keys}: {}", quote(&event.to_string())))
}

/// The start of a foreign text in one line, with control characters shown.
pub fn quote(text: &str) -> String {
    let mut line = String::new();
    let mut count = 0;
    // A text of megabytes is not walked to its end for the sake of its start.
    for word in text.split_whitespace().take(LONGEST_QUOTE + 1) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(LONGEST_QUOTE + 1));
        count = line.chars().count();
        if count > LONGEST_QUOTE {
            break;
        }
    }
    if count > LONGEST_QUOTE {
        line = line.chars().take(LONGEST_QUOTE).collect();
        line.push('…');
    }
    crate::text::norm::visible(&line)
}

#[cfg(test)]
mod tests;

//! The mapping of a stream: pieces of an answer, lists within an event, and passages or citations that come one an event.

use super::{Contexts, Found, Guess, cited, parts, rank, walk};
use crate::target::mapping::Event;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Keys that hold a piece of an answer, likeliest first.
const PIECES: &[&str] = &["delta", "token", "content", "text", "t", "chunk", "piece", "answer", "response", "message"];

/// Names of events that hold a passage.
const PASSAGES: &[&str] = &["passage", "context", "source", "document", "doc", "chunk", "hit", "retrieved", "evidence"];

pub(super) fn guess(events: &[Event<'_>], question: &str, documents: &BTreeSet<&str>) -> Guess {
    // What stands whole in one event: lists, usage, an answer at the end.
    let wholes: Vec<Guess> = events.iter().map(|e| super::guess(e.value, question, documents)).collect();
    let mut kinds: BTreeMap<&str, Vec<&Event<'_>>> = BTreeMap::new();
    for event in events {
        kinds.entry(event.shown_name().unwrap_or_default()).or_default().push(event);
    }
    let passage = kinds.iter().find_map(|(name, of)| one_a_passage(name, of, documents));
    let citation = kinds.iter().filter(|(name, _)| cited::is_citation(name)).find_map(|(name, of)| {
        let found = cited::of_object(of.first()?.value.as_object()?)?;
        Some(cited::Citations { path: "$".to_owned(), event: Some((*name).to_owned()), ..found })
    });
    let taken = passage.as_ref().and_then(|c| c.event.clone());
    let delta = pieces(events.iter().filter(|e| taken.is_none() || taken.as_deref() != e.shown_name()), question);
    let last = |of: fn(&Guess) -> Option<String>| wholes.iter().rev().find_map(of);
    Guess {
        answer: if delta.is_some() { None } else { last(|g| g.answer.clone()) },
        delta,
        contexts: passage.or_else(|| wholes.iter().rev().find_map(|g| g.contexts.clone())),
        citations: citation.or_else(|| wholes.iter().rev().find_map(|g| g.citations.clone())),
        refused: wholes.iter().rev().find_map(|g| g.refused.clone()),
        input_tokens: last(|g| g.input_tokens.clone()),
        output_tokens: last(|g| g.output_tokens.clone()),
    }
}

/// A passage in each event of a kind: by the name of the kind, or by having a text and a document.
fn one_a_passage(name: &str, of: &[&Event<'_>], documents: &BTreeSet<&str>) -> Option<Contexts> {
    let first = of.first()?.value.as_object()?;
    let found = parts(first, documents);
    let whole = found.text.is_some() && found.doc.is_some();
    let alike = !name.is_empty() && !cited::is_citation(name) && whole;
    let by_name = rank(PASSAGES, name) > 0 || found.score.is_some();
    (alike && by_name).then(|| Contexts { path: "$".to_owned(), event: Some(name.to_owned()), ..found })
}

/// Where the pieces of the answer stand: the text that most events have, and that is not the same in all of them.
fn pieces<'e, 'v: 'e>(events: impl Iterator<Item = &'e Event<'v>>, question: &str) -> Option<String> {
    let mut places: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for event in events {
        let mut all: Vec<Found<'_>> = Vec::new();
        walk(event.value, "$".to_owned(), 0, &mut all);
        for f in all {
            if let Value::String(text) = f.value {
                places.entry(f.path).or_insert_with(|| (f.key.clone(), Vec::new())).1.push(text.clone());
            }
        }
    }
    let differ = |texts: &[String]| texts.iter().any(|t| Some(t) != texts.first());
    let fits = |(_, (key, texts)): &(String, (String, Vec<String>))| {
        let named = rank(PIECES, key) > 0;
        // Ids and times differ from event to event too.
        let spoken = texts.iter().any(|t| t.chars().any(char::is_whitespace) || !t.is_ascii());
        texts.len() > 1 && differ(texts) && (named || spoken) && !texts.iter().any(|t| t == question)
    };
    let score = |(_, (key, texts)): &(String, (String, Vec<String>))| (texts.len(), rank(PIECES, key));
    places.into_iter().filter(fits).max_by_key(score).map(|(path, _)| path)
}

#[cfg(test)]
mod tests {
    use super::super::{Citations, guess_events};
    use crate::target::mapping::{Event, unnamed};
    use serde_json::json;
    use std::collections::BTreeSet;

    #[test]
    fn an_event_for_each_thing() {
        let passage = |n: u32, text: &str| json!({"rank": n, "doc": format!("kb/{n}.v2.md"), "excerpt": text, "score": 0.5, "used": n == 1});
        let token = |n: u32, text: &str| json!({"seq": n, "t": text});
        let values = [
            ("started", json!({"ref": "INQ-1", "engine": "shelf 2.3"})),
            ("passage", passage(1, "Staff have 18 days of leave each year.")),
            ("passage", passage(2, "A certificate is required from the third day.")),
            ("token", token(1, "You have")),
            ("token", token(2, " 18 days.")),
            ("token", token(3, " [1]")),
            ("citation", json!({"mark": 1, "passageRank": 1, "doc": "kb/1.v2.md"})),
            ("finished", json!({"outcome": "NO_MATCH", "ref": "INQ-1"})),
        ];
        let events: Vec<Event<'_>> = values.iter().map(|(name, value)| Event { name, value }).collect();
        let found = guess_events(&events, "How much leave?", &BTreeSet::new());
        assert_eq!((found.delta.as_deref(), found.answer.as_deref()), (Some("$.t"), None));
        let toml = found.to_toml("desk");
        for line in [
            "contexts = { path = \"$\", event = \"passage\" }",
            "in_prompt = \"$.used\"",
            "citations = { path = \"$\", event = \"citation\" }",
            "citation = { context = \"$.passageRank\" }",
            "refused = { path = \"$.outcome\", regex = \"^NO_MATCH$\" }",
        ] {
            assert!(toml.contains(line), "{line} is not in\n{toml}");
        }
    }

    #[test]
    fn pieces_and_a_list_at_the_end() {
        let piece = |text: &str| json!({"id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": text}}]});
        let events = [
            piece("Trong"),
            piece(" 7 ngày."),
            json!({"sources": [{"file": "a.md", "text": "Trong 7 ngày kể từ ngày nhận."}], "outcome": "ANSWERED", "citations": [1]}),
        ];
        let found = guess_events(&unnamed(&events), "?", &BTreeSet::new());
        assert_eq!(found.delta.as_deref(), Some("$.choices[0].delta.content"));
        assert_eq!(found.contexts.as_ref().unwrap().path, "$.sources[*]");
        let cited = Citations { path: "$.citations[*]".into(), ..Citations::default() };
        assert_eq!(found.citations.as_ref(), Some(&cited));
        assert!(found.to_toml("x").contains("# refused = { path = \"$.outcome\""), "{}", found.to_toml("x"));
    }
}

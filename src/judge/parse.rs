//! From a judge's reply to verdicts, by a ladder: the reply is one JSON object; it is one fenced block; the object stands
//! somewhere in it; it is broken, and its keys can still be told.
//!
//! Nothing is guessed from prose: without a key for the id and a key for the verdict there is none. An object counts when
//! it bears the check word of its prompt, which no judged text can know. Without the word, only an object that is the whole
//! reply counts, and only where the server's own count of tokens shows that the prompt arrived whole.

use super::Verdict;
use super::prompts::Words;
use regex::Regex;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// What a reply is held against.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The ids of the statements that were asked about.
    pub ids: &'a [usize],
    /// The check word of the prompt.
    pub check: &'a str,
    /// Whether it is known without the check word that the prompt arrived whole.
    pub whole: bool,
    /// How verdicts may be said.
    pub words: &'a Words,
}

/// A verdict as the judge gave it, its quote unchecked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The statement.
    pub id: usize,
    /// The verdict; [`Verdict::Unknown`] where the judge says that it does not know.
    pub verdict: Verdict,
    /// The words that it copied; empty where there are none.
    pub quote: String,
}

/// The verdicts of a reply.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parsed {
    /// One for each id that was asked about and is answered exactly once, in order.
    pub given: Vec<Given>,
    /// How many verdicts came in all.
    pub came: usize,
    /// Verdicts of statements that nobody asked about, or of one twice: the reply is not about this prompt alone.
    pub strange: bool,
}

/// Why a reply cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// Nothing was said.
    #[error("the reply is empty")]
    Empty,
    /// No object that could be a verdict.
    #[error("no JSON verdict in the reply")]
    NoVerdict,
    /// The check word is not that of the prompt.
    #[error("the judge did not see the whole prompt: its check word is wrong")]
    WrongCheck,
    /// The check word is missing, and nothing else shows that the prompt arrived whole.
    #[error("the check word is missing, so the judge may not have seen the whole prompt")]
    NoCheck,
    /// Several objects say different things.
    #[error("the reply holds several verdicts that differ")]
    Several,
}

/// Reads the verdicts of a reply.
///
/// # Errors
/// Why there are none.
pub fn verdicts(reply: &str, expected: &Expected<'_>) -> Result<Parsed, Unread> {
    let read = |object: &Map<String, Value>| list(object, expected.words);
    match object(reply, expected, &read) {
        Ok(given) => Ok(sorted(given, expected)),
        // Where an object can be read and is no verdict, nothing is picked out of it.
        Err(Unread::NoVerdict)
            if without_reasoning(reply).contains(expected.check) && objects(without_reasoning(reply)).is_empty() =>
        {
            let given = broken(without_reasoning(reply), expected.words);
            if given.is_empty() { Err(Unread::NoVerdict) } else { Ok(sorted(given, expected)) }
        }
        Err(unread) => Err(unread),
    }
}

/// A question that a judge made of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub question: String,
    /// The answer commits itself to nothing.
    pub noncommittal: bool,
}

/// Reads a question that was made of an answer.
///
/// # Errors
/// Why there is none.
pub fn question(reply: &str, expected: &Expected<'_>) -> Result<Asked, Unread> {
    let read = |object: &Map<String, Value>| {
        let question = object.get("question")?.as_str()?.trim();
        let noncommittal = match object.get("noncommittal")? {
            Value::Bool(b) => Some(*b),
            Value::String(s) => expected.words.read(s).and_then(Verdict::known),
            Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
        }?;
        (!question.is_empty()).then(|| Asked { question: question.to_owned(), noncommittal })
    };
    object(reply, expected, &read)
}

/// The reply without what a model thought aloud in front of it.
pub fn without_reasoning(reply: &str) -> &str {
    let text = reply.trim();
    for tag in ["think", "thinking", "reasoning", "thought"] {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        if let Some(rest) = text.strip_prefix(open.as_str()) {
            // Reasoning that does not end is all there is.
            return rest.split_once(close.as_str()).map_or("", |(_, said)| said.trim());
        }
        // Templates that open the block themselves leave only its end.
        if let Some((thought, said)) = text.split_once(close.as_str())
            && !thought.trim_start().starts_with(['{', '`'])
        {
            return said.trim();
        }
    }
    text
}

/// Finds the one object that `read` can read, by the first rungs of the ladder.
fn object<T: PartialEq>(
    reply: &str,
    expected: &Expected<'_>,
    read: &dyn Fn(&Map<String, Value>) -> Option<T>,
) -> Result<T, Unread> {
    let text = without_reasoning(reply);
    if text.is_empty() {
        return Err(Unread::Empty);
    }
    if let Some(whole) = parsed(unfenced(text).unwrap_or(text)) {
        let value = read(&whole).ok_or(Unread::NoVerdict)?;
        return match checked(&whole, expected) {
            Some(true) => Ok(value),
            Some(false) => Err(Unread::WrongCheck),
            None if expected.whole => Ok(value),
            None => Err(Unread::NoCheck),
        };
    }
    let mut found: Option<T> = None;
    let mut worst = Unread::NoVerdict;
    for candidate in objects(text) {
        let Some(value) = read(&candidate) else { continue };
        match checked(&candidate, expected) {
            Some(true) if found.as_ref().is_some_and(|f| *f != value) => return Err(Unread::Several),
            Some(true) => found = Some(value),
            Some(false) => worst = Unread::WrongCheck,
            None if worst == Unread::NoVerdict => worst = Unread::NoCheck,
            None => {}
        }
    }
    found.ok_or(worst)
}

/// Whether an object bears the right check word; nothing where it bears none.
fn checked(object: &Map<String, Value>, expected: &Expected<'_>) -> Option<bool> {
    let word = object.get("check")?.as_str().unwrap_or_default();
    Some(word.trim() == expected.check)
}

fn parsed(text: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Some(object),
        // A list of verdicts without the object around it.
        Ok(Value::Array(items)) => Some(Map::from_iter([("verdicts".to_owned(), Value::Array(items))])),
        Ok(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | Err(_) => None,
    }
}

/// What stands in a fenced block that is the whole text.
fn unfenced(text: &str) -> Option<&str> {
    let inside = text.strip_prefix("```")?.strip_suffix("```")?;
    let inside = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    (!inside.contains("```")).then(|| inside.trim())
}

/// Every object of a text that is valid JSON, from the outside in: inside one that was read nothing more is looked for.
fn objects(text: &str) -> Vec<Map<String, Value>> {
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|t| t.find('{')).map(|i| from + i) {
        let rest = text.get(at..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object))) => {
                out.push(object);
                from = at + values.byte_offset().max(1);
            }
            Some(_) | None => from = at + 1,
        }
    }
    out
}

/// The verdicts of an object: a list under `verdicts`, or the object itself.
fn list(object: &Map<String, Value>, words: &Words) -> Option<Vec<Given>> {
    let Some(list) = object.get("verdicts") else { return one(object, words).map(|g| vec![g]) };
    let items = list.as_array()?;
    // One that cannot be read is missing; that they are counted is the caller's.
    Some(items.iter().filter_map(|v| one(v.as_object()?, words)).collect())
}

fn one(object: &Map<String, Value>, words: &Words) -> Option<Given> {
    let id = match object.get("id")? {
        Value::Number(n) => usize::try_from(n.as_u64()?).ok()?,
        Value::String(s) => s.trim().parse().ok()?,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let verdict = match object.get("verdict")? {
        Value::Bool(true) => Verdict::Yes,
        Value::Bool(false) => Verdict::No,
        Value::String(s) => words.read(s)?,
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let quote = object.get("quote").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(Given { id, verdict, quote })
}

/// The last rung: keys and values of JSON that is broken (cut off, a comma too many, a quote that is not escaped).
fn broken(text: &str, words: &Words) -> Vec<Given> {
    static PAIR: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(?s)"?\bid"?\s*:\s*"?(\d{1,6})"?\s*,(.{0,4000}?)"?\bverdict"?\s*:\s*(?:"([^"]{1,40})"|([^\s",}\]]{1,24})\s*(?:[,}\]]|$))"#).ok()
    });
    static QUOTE: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"(?s)"quote"\s*:\s*("(?:[^"\\]|\\.)*")\s*,"#).ok());
    let (Some(pair), Some(quote)) = (PAIR.as_ref(), QUOTE.as_ref()) else { return Vec::new() };
    pair.captures_iter(text)
        .filter_map(|found| {
            let between = found.get(2)?.as_str();
            let copied = quote.captures(between).and_then(|q| serde_json::from_str(q.get(1)?.as_str()).ok());
            Some(Given {
                id: found.get(1)?.as_str().parse().ok()?,
                verdict: words.read(found.get(3).or(found.get(4))?.as_str())?,
                quote: copied.unwrap_or_default(),
            })
        })
        .collect()
}

/// Keeps the verdicts of the ids that were asked about and answered once.
fn sorted(given: Vec<Given>, expected: &Expected<'_>) -> Parsed {
    let came = given.len();
    let count = |id: usize| given.iter().filter(|g| g.id == id).count();
    let strange = given.iter().any(|g| !expected.ids.contains(&g.id) || count(g.id) > 1);
    let kept = |id: &usize| given.iter().find(|g| g.id == *id).filter(|_| count(*id) == 1).cloned();
    Parsed { given: expected.ids.iter().filter_map(kept).collect(), came, strange }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::judge::prompts::Prompts;
    use crate::text::pack::Lang;

    const CHECK: &str = "abc123-def456";

    fn read(reply: &str, ids: &[usize], whole: bool) -> Result<Vec<(usize, Verdict)>, Unread> {
        let words = &Prompts::of(&Lang::new("vi").unwrap()).words;
        verdicts(reply, &Expected { ids, check: CHECK, whole, words })
            .map(|p| p.given.into_iter().map(|g| (g.id, g.verdict)).collect())
    }

    #[test]
    fn the_rungs_of_the_ladder() {
        let yes = Ok(vec![(1, Verdict::Yes)]);
        for reply in [
            r#"{"check":"abc123-def456","verdicts":[{"id":1,"quote":"7 ngày","verdict":"yes"}]}"#,
            r#"{"check":"abc123-def456","id":"1","quote":"7 ngày","verdict":true}"#,
            "```json\n{\"check\":\"abc123-def456\",\"id\":1,\"verdict\":\"Có\",\"quote\":\"x\"}\n```",
            "<think>id 1 is {no}</think>\n{\"check\":\"abc123-def456\",\"id\":1,\"verdict\":\"TRUE\"}",
            "so {yes}.</think>{\"check\":\"abc123-def456\",\"id\":1,\"verdict\":\"yes\"}",
            "Sure! {\"check\":\"abc123-def456\",\"id\":1,\"verdict\":\"yes\"} I hope this helps.",
            // Broken: a comma too many, cut off, quotes that are not escaped.
            "{\"check\":\"abc123-def456\",\"id\":1,\"quote\":\"x\",\"verdict\":\"yes\",}",
            "{\"check\":\"abc123-def456\",\"verdicts\":[{\"id\":1,\"quote\":\"x\",\"verdict\":\"yes\"",
            "{\"check\":\"abc123-def456\",\"id\":1,\"quote\":\"say \"x\" now\",\"verdict\":\"yes\"}",
        ] {
            assert_eq!(read(reply, &[1], false), yes, "{reply}");
        }
    }

    /// J08, without a check word: only as the whole reply, and only when the prompt is known to have arrived whole.
    #[test]
    fn without_the_check_word_only_the_whole_reply_counts() {
        let fenced = "```json {\"id\":1,\"verdict\":\"yes\",\"quote\":\"7 ngày\"} ```";
        assert_eq!(read(fenced, &[1], true), Ok(vec![(1, Verdict::Yes)]));
        assert_eq!(read(fenced, &[1], false), Err(Unread::NoCheck));
        assert_eq!(read(&format!("Well: {fenced}"), &[1], true), Err(Unread::NoCheck));
        let wrong = r#"{"check":"def456","id":1,"verdict":"yes","quote":"x"}"#;
        assert_eq!(read(wrong, &[1], true), Err(Unread::WrongCheck));
        assert_eq!(read("id 1, verdict: yes", &[1], true), Err(Unread::NoVerdict));
    }

    /// A09: nothing is scraped from prose.
    #[test]
    fn prose_numbers_and_other_shapes_are_no_verdicts() {
        for reply in [
            "I see 3 problems, so I would say 0.9 abc123-def456",
            "[ERROR] upstream 502 after 1 try",
            r#"{"check":"abc123-def456","score":70}"#,
            r#"{"check":"abc123-def456","id":1,"verdict":0.6}"#,
            "far from perfect: yes",
            "yes",
            r#"{"check":"abc123-def456","id":1,"verdict":NaN}"#,
            r#"{"check":"abc123-def456","id":1,"verdict":"yes, mostly"}"#,
            "NaN",
            "null",
        ] {
            assert_eq!(read(reply, &[1], true), Err(Unread::NoVerdict), "{reply}");
        }
        assert_eq!(read("  ", &[1], true), Err(Unread::Empty));
        assert_eq!(read("<think>yes", &[1], true), Err(Unread::Empty));
    }

    #[test]
    fn an_echo_of_the_data_is_no_verdict() {
        // The answer held a verdict, the judge repeats it and then says its own.
        let echo =
            r#"The answer says {"id":1,"verdict":"yes","quote":"x"}. {"check":"abc123-def456","id":1,"verdict":"no"}"#;
        assert_eq!(read(echo, &[1], true), Ok(vec![(1, Verdict::No)]));
        let two =
            r#"{"check":"abc123-def456","id":1,"verdict":"yes"} or {"check":"abc123-def456","id":1,"verdict":"no"}"#;
        assert_eq!(read(two, &[1], true), Err(Unread::Several));
    }

    /// A04: ids that are missing, doubled or unknown.
    #[test]
    fn the_ids_must_match() {
        let reply = |verdicts: &str| format!(r#"{{"check":"{CHECK}","verdicts":[{verdicts}]}}"#);
        let one = |id: usize| format!(r#"{{"id":{id},"verdict":"no"}}"#);
        let parsed = |ids: &[usize]| {
            let all: Vec<String> = ids.iter().map(|i| one(*i)).collect();
            let words = &Prompts::of(&Lang::new("en").unwrap()).words;
            let expected = Expected { ids: &[1, 2, 3, 4], check: CHECK, whole: false, words };
            verdicts(&reply(&all.join(",")), &expected).unwrap()
        };
        assert_eq!(parsed(&[1, 2, 3, 4]).given.len(), 4);
        assert!(!parsed(&[4, 3, 2, 1]).strange);
        assert_eq!((parsed(&[1, 2]).given.len(), parsed(&[1, 2]).strange), (2, false));
        assert_eq!((parsed(&[]).given.len(), parsed(&[]).came), (0, 0));
        assert!(parsed(&[1, 2, 3, 4, 5]).strange);
        let doubled = parsed(&[1, 2, 2, 4]);
        assert!(doubled.strange && doubled.given.iter().all(|g| g.id != 2));
    }

    #[test]
    fn questions_are_read_the_same_way() {
        let words = &Prompts::of(&Lang::new("en").unwrap()).words;
        let expected = Expected { ids: &[], check: CHECK, whole: false, words };
        let reply = r#"{"check":"abc123-def456","question":" How long? ","noncommittal":"false"}"#;
        let asked = question(reply, &expected).unwrap();
        assert_eq!(asked, Asked { question: "How long?".into(), noncommittal: false });
        for reply in [r#"{"check":"abc123-def456","question":"","noncommittal":false}"#, r#"{"question":"a"}"#] {
            assert_eq!(question(reply, &expected), Err(Unread::NoVerdict), "{reply}");
        }
    }
}

//! The one shape of an answer, as it is read from a recording line, a target, or the accepted answers.

use crate::text::norm::visible;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use std::borrow::Cow;
use std::fmt;

/// What a system returned for one question. Borrows from the line that it was read from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Response<'a> {
    /// The question's id, as written.
    pub id: Cow<'a, str>,
    /// Which of several runs of the same question, from 0.
    pub repeat: u32,
    /// The suite, where the line names it.
    pub suite: Option<Cow<'a, str>>,
    /// The digest of the whole request that it answers, without secrets; none where nobody noted it.
    pub key: Option<Cow<'a, str>>,
    /// What answered, where that is not what the first line of the file says.
    pub subject: Option<Cow<'a, str>>,
    /// Whether something was taken out of it before it was written.
    pub masked: bool,
    /// The answer.
    pub answer: Answer<'a>,
    /// The passages in the order in which the system returned them; `None` when there is no such key, which is not the
    /// same as an empty list.
    pub contexts: Option<Vec<Context<'a>>>,
    /// The citations of a field of the response.
    pub citations: Option<Vec<Citation<'a>>>,
    /// The system's own statement that it refused.
    pub refused: Option<bool>,
    /// How long it took, in milliseconds.
    pub latency_ms: Option<u64>,
    /// What it cost.
    pub usage: Option<Usage>,
    /// The error that the system reported instead of an answer.
    pub error: Option<Cow<'a, str>>,
}

/// The answer of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Answer<'a> {
    /// There is no such key: a bare retriever.
    #[default]
    Absent,
    /// The key is there and null: something broke.
    Null,
    /// An answer; it may be blank.
    Text(Cow<'a, str>),
}

/// One passage. At least one field that names it or holds its text is there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Context<'a> {
    /// The document.
    pub doc: Option<Cow<'a, str>>,
    /// The heading path, outermost first.
    pub section: Vec<Cow<'a, str>>,
    /// The passage's id.
    pub chunk: Option<Cow<'a, str>>,
    /// The document's address.
    pub url: Option<Cow<'a, str>>,
    /// The text.
    pub text: Option<Cow<'a, str>>,
    /// The retriever's score.
    pub score: Option<f64>,
    /// Place in the document, in code points.
    pub start: Option<u64>,
    /// End in the document, in code points.
    pub end: Option<u64>,
    /// Whether it was in the prompt; it was when nothing is said.
    pub in_prompt: Option<bool>,
}

impl Context<'_> {
    /// True unless the response says that it was cut from the prompt.
    pub fn in_prompt(&self) -> bool {
        self.in_prompt.unwrap_or(true)
    }
}

/// One citation of a field of the response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Citation<'a> {
    /// A passage by its number, from 1.
    pub context: Option<i64>,
    /// A document.
    pub doc: Option<Cow<'a, str>>,
    /// The heading path within the document.
    pub section: Vec<Cow<'a, str>>,
    /// A passage's id.
    pub chunk: Option<Cow<'a, str>>,
    /// An address.
    pub url: Option<Cow<'a, str>>,
    /// Words copied from the passage.
    pub quote: Option<Cow<'a, str>>,
}

/// Tokens used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
}

/// A text that borrows from the line where it can.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            fn visit_borrowed_str<E: de::Error>(self, v: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(v)))
            }
            fn visit_str<E: de::Error>(self, v: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(v.to_owned())))
            }
            fn visit_string<E: de::Error>(self, v: String) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(v)))
            }
        }
        d.deserialize_str(V)
    }
}

/// An id: a text, or a number with the digits that it was written with (no float on the way).
struct Id<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Id<'a> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(d)?.get();
        if raw.starts_with('"') {
            let t: Text<'de> = serde_json::from_str(raw).map_err(de::Error::custom)?;
            return Ok(Id(t.0));
        }
        if raw.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            return Ok(Id(Cow::Borrowed(raw)));
        }
        Err(de::Error::custom("an id is a text or a number"))
    }
}

/// A heading path: a list of headings, or one heading.
struct Path<'a>(Vec<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for Path<'a> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Path<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of headings, or one heading")
            }
            fn visit_borrowed_str<E: de::Error>(self, v: &'de str) -> Result<Path<'de>, E> {
                Ok(Path(vec![Cow::Borrowed(v)]))
            }
            fn visit_str<E: de::Error>(self, v: &str) -> Result<Path<'de>, E> {
                Ok(Path(vec![Cow::Owned(v.to_owned())]))
            }
            fn visit_unit<E: de::Error>(self) -> Result<Path<'de>, E> {
                Ok(Path(Vec::new()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Path<'de>, A::Error> {
                let mut path = Vec::new();
                while let Some(t) = seq.next_element::<Text<'de>>()? {
                    path.push(t.0);
                }
                Ok(Path(path))
            }
        }
        d.deserialize_any(V)
    }
}

/// Sets a field once; a second time is a duplicate key.
fn once<T, E: de::Error>(slot: &mut Option<T>, name: &'static str, value: T) -> Result<(), E> {
    if slot.replace(value).is_some() { Err(E::duplicate_field(name)) } else { Ok(()) }
}

const RESPONSE_KEYS: &[&str] = &[
    "id",
    "repeat",
    "suite",
    "key",
    "subject",
    "masked",
    "answer",
    "contexts",
    "citations",
    "refused",
    "latency_ms",
    "usage",
    "error",
];
const CONTEXT_KEYS: &[&str] = &["doc", "section", "chunk", "url", "text", "score", "start", "end", "in_prompt"];
const CITATION_KEYS: &[&str] = &["context", "doc", "section", "chunk", "url", "quote"];

/// A map whose keys are all known and given once.
macro_rules! keyed {
    ($type:ident, $what:literal, $keys:ident, |$map:ident| { $($key:literal => $slot:ident: $kind:ty,)* } => $build:expr) => {
        impl<'de: 'a, 'a> Deserialize<'de> for $type<'a> {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct V;
                impl<'de> Visitor<'de> for V {
                    type Value = $type<'de>;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut $map: A) -> Result<$type<'de>, A::Error> {
                        $(let mut $slot: Option<$kind> = None;)*
                        while let Some(key) = $map.next_key::<Text<'de>>()? {
                            match key.0.as_ref() {
                                $($key => once(&mut $slot, $key, $map.next_value::<$kind>()?)?,)*
                                other => {
                                    let e = <A::Error as de::Error>::unknown_field(other, $keys);
                                    $map.next_value::<IgnoredAny>()?;
                                    return Err(e);
                                }
                            }
                        }
                        $build
                    }
                }
                d.deserialize_map(V)
            }
        }
    };
}

keyed!(Response, "a response", RESPONSE_KEYS, |map| {
    "id" => id: Id<'de>,
    "repeat" => repeat: u32,
    "suite" => suite: Option<Text<'de>>,
    "key" => key: Option<Text<'de>>,
    "subject" => subject: Option<Text<'de>>,
    "masked" => masked: bool,
    "answer" => answer: Option<Text<'de>>,
    "contexts" => contexts: Option<Vec<Context<'de>>>,
    "citations" => citations: Option<Vec<Citation<'de>>>,
    "refused" => refused: Option<bool>,
    "latency_ms" => latency_ms: Option<f64>,
    "usage" => usage: Option<Usage>,
    "error" => error: Option<Text<'de>>,
} => {
    let id = id.ok_or_else(|| de::Error::missing_field("id"))?.0;
    let error = error.flatten().map(|t| t.0);
    if answer.is_none() && contexts.is_none() && error.is_none() {
        return Err(de::Error::custom("a response needs one of `answer`, `contexts`, `error`"));
    }
    Ok(Response {
        id,
        repeat: repeat.unwrap_or(0),
        suite: suite.flatten().map(|t| t.0),
        key: key.flatten().map(|t| t.0),
        subject: subject.flatten().map(|t| t.0),
        masked: masked.unwrap_or(false),
        answer: match answer {
            None => Answer::Absent,
            Some(None) => Answer::Null,
            Some(Some(t)) => Answer::Text(t.0),
        },
        contexts: contexts.flatten(),
        citations: citations.flatten(),
        refused: refused.flatten(),
        latency_ms: latency_ms.flatten().filter(|ms| ms.is_finite() && *ms >= 0.0).map(|ms| ms.round() as u64),
        usage: usage.flatten(),
        error,
    })
});

keyed!(Context, "a passage", CONTEXT_KEYS, |map| {
    "doc" => doc: Option<Id<'de>>,
    "section" => section: Path<'de>,
    "chunk" => chunk: Option<Id<'de>>,
    "url" => url: Option<Text<'de>>,
    "text" => text: Option<Text<'de>>,
    "score" => score: Option<f64>,
    "start" => start: Option<u64>,
    "end" => end: Option<u64>,
    "in_prompt" => in_prompt: Option<bool>,
} => {
    let context = Context {
        doc: doc.flatten().map(|t| t.0),
        section: section.map(|p| p.0).unwrap_or_default(),
        chunk: chunk.flatten().map(|t| t.0),
        url: url.flatten().map(|t| t.0),
        text: text.flatten().map(|t| t.0),
        score: score.flatten(),
        start: start.flatten(),
        end: end.flatten(),
        in_prompt: in_prompt.flatten(),
    };
    if context.doc.is_none() && context.chunk.is_none() && context.url.is_none() && context.text.is_none() {
        return Err(de::Error::custom("a passage needs one of `doc`, `chunk`, `url`, `text`"));
    }
    Ok(context)
});

keyed!(Citation, "a citation", CITATION_KEYS, |map| {
    "context" => context: Option<i64>,
    "doc" => doc: Option<Id<'de>>,
    "section" => section: Path<'de>,
    "chunk" => chunk: Option<Id<'de>>,
    "url" => url: Option<Text<'de>>,
    "quote" => quote: Option<Text<'de>>,
} => {
    let citation = Citation {
        context: context.flatten(),
        doc: doc.flatten().map(|t| t.0),
        section: section.map(|p| p.0).unwrap_or_default(),
        chunk: chunk.flatten().map(|t| t.0),
        url: url.flatten().map(|t| t.0),
        quote: quote.flatten().map(|t| t.0),
    };
    if citation == (Citation { section: citation.section.clone(), ..Citation::default() }) {
        return Err(de::Error::custom("a citation needs one of `context`, `doc`, `chunk`, `url`, `quote`"));
    }
    Ok(citation)
});

/// Reads one response from a line of JSON.
///
/// # Errors
/// The parser's message with its column, from 1, in bytes of the line: not JSON, an unknown key, a key given twice, a
/// value of another type, or none of `answer`, `contexts`, `error`.
pub fn parse(line: &[u8]) -> Result<Response<'_>, (usize, String)> {
    serde_json::from_slice(line).map_err(|e| match std::str::from_utf8(line) {
        Ok(_) => (e.column().max(1), plain_message(&e)),
        Err(utf8) => {
            (utf8.valid_up_to() + 1, "this line is not UTF-8; it looks like Latin-1 or Windows-1252".to_owned())
        }
    })
}

/// A JSON error in one line, without the position that the parser appends: the place stands beside it. It may quote what
/// the file holds, line ends and control characters included.
pub fn plain_message(e: &serde_json::Error) -> String {
    const LONGEST: usize = 300;
    let text = e.to_string();
    let text = visible(text.rfind(" at line ").and_then(|i| text.get(..i)).unwrap_or(&text));
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// A response that owns its text.
pub type OwnedResponse = Response<'static>;

impl Response<'_> {
    /// The same response with text of its own.
    pub fn into_owned(self) -> OwnedResponse {
        Response {
            id: own(self.id),
            repeat: self.repeat,
            suite: self.suite.map(own),
            key: self.key.map(own),
            subject: self.subject.map(own),
            masked: self.masked,
            answer: match self.answer {
                Answer::Absent => Answer::Absent,
                Answer::Null => Answer::Null,
                Answer::Text(t) => Answer::Text(own(t)),
            },
            contexts: self.contexts.map(|list| {
                list.into_iter()
                    .map(|c| Context {
                        doc: c.doc.map(own),
                        section: c.section.into_iter().map(own).collect(),
                        chunk: c.chunk.map(own),
                        url: c.url.map(own),
                        text: c.text.map(own),
                        score: c.score,
                        start: c.start,
                        end: c.end,
                        in_prompt: c.in_prompt,
                    })
                    .collect()
            }),
            citations: self.citations.map(|list| {
                list.into_iter()
                    .map(|c| Citation {
                        context: c.context,
                        doc: c.doc.map(own),
                        section: c.section.into_iter().map(own).collect(),
                        chunk: c.chunk.map(own),
                        url: c.url.map(own),
                        quote: c.quote.map(own),
                    })
                    .collect()
            }),
            refused: self.refused,
            latency_ms: self.latency_ms,
            usage: self.usage,
            error: self.error.map(own),
        }
    }
}

fn own(t: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(t.into_owned())
}

/// Writes a key when there is a value.
fn put<M: SerializeMap, T: Serialize + ?Sized>(
    m: &mut M,
    key: &'static str,
    value: Option<&T>,
) -> Result<(), M::Error> {
    match value {
        Some(v) => m.serialize_entry(key, v),
        None => Ok(()),
    }
}

impl Serialize for Response<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut m = s.serialize_map(None)?;
        m.serialize_entry("id", &self.id)?;
        put(&mut m, "repeat", (self.repeat > 0).then_some(&self.repeat))?;
        put(&mut m, "suite", self.suite.as_ref())?;
        put(&mut m, "key", self.key.as_ref())?;
        put(&mut m, "subject", self.subject.as_ref())?;
        put(&mut m, "masked", self.masked.then_some(&true))?;
        match &self.answer {
            Answer::Absent => {}
            Answer::Null => m.serialize_entry("answer", &())?,
            Answer::Text(t) => m.serialize_entry("answer", t)?,
        }
        put(&mut m, "contexts", self.contexts.as_ref())?;
        put(&mut m, "citations", self.citations.as_ref())?;
        put(&mut m, "refused", self.refused.as_ref())?;
        put(&mut m, "latency_ms", self.latency_ms.as_ref())?;
        put(&mut m, "usage", self.usage.as_ref())?;
        put(&mut m, "error", self.error.as_ref())?;
        m.end()
    }
}

impl Serialize for Context<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut m = s.serialize_map(None)?;
        put(&mut m, "doc", self.doc.as_ref())?;
        put(&mut m, "section", (!self.section.is_empty()).then_some(&self.section))?;
        put(&mut m, "chunk", self.chunk.as_ref())?;
        put(&mut m, "url", self.url.as_ref())?;
        put(&mut m, "text", self.text.as_ref())?;
        put(&mut m, "score", self.score.as_ref())?;
        put(&mut m, "start", self.start.as_ref())?;
        put(&mut m, "end", self.end.as_ref())?;
        put(&mut m, "in_prompt", self.in_prompt.as_ref())?;
        m.end()
    }
}

impl Serialize for Citation<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut m = s.serialize_map(None)?;
        put(&mut m, "context", self.context.as_ref())?;
        put(&mut m, "doc", self.doc.as_ref())?;
        put(&mut m, "section", (!self.section.is_empty()).then_some(&self.section))?;
        put(&mut m, "chunk", self.chunk.as_ref())?;
        put(&mut m, "url", self.url.as_ref())?;
        put(&mut m, "quote", self.quote.as_ref())?;
        m.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_the_digits_they_were_written_with() {
        for (json, id) in [
            ("9007199254740993", "9007199254740993"),
            ("\"9007199254740993\"", "9007199254740993"),
            ("18446744073709551616", "18446744073709551616"),
            ("\"007\"", "007"),
            ("0", "0"),
            ("1e3", "1e3"),
            ("-0", "-0"),
        ] {
            let line = format!(r#"{{"id":"q","contexts":[{{"doc":{json}}}]}}"#);
            let r = parse(line.as_bytes()).unwrap();
            assert_eq!(r.contexts.unwrap()[0].doc.as_deref(), Some(id));
        }
    }

    #[test]
    fn absent_null_and_blank_are_three_things() {
        let answer = |line: &str| parse(line.as_bytes()).map(|r| r.into_owned().answer);
        assert_eq!(answer(r#"{"id":"a","contexts":[]}"#), Ok(Answer::Absent));
        assert_eq!(answer(r#"{"id":"a","answer":null}"#), Ok(Answer::Null));
        assert_eq!(answer(r#"{"id":"a","answer":""}"#), Ok(Answer::Text("".into())));
        assert!(answer(r#"{"id":"a"}"#).is_err());
    }

    #[test]
    fn unknown_and_double_keys_are_errors_with_a_column() {
        let e = parse(br#"{"id":"a","answer":"x","contexts":[{"doc":"d","page":3}]}"#).unwrap_err();
        assert!(e.1.contains("unknown field `page`"), "{e:?}");
        let e = parse(br#"{"id":"a","answer":"x","answer":"y"}"#).unwrap_err();
        assert!(e.1.contains("duplicate field `answer`"), "{e:?}");
        assert!(e.0 > 20, "{e:?}");
    }

    #[test]
    fn writing_and_reading_again_gives_the_same() {
        let line = r#"{"id":"q06","answer":"Không","contexts":[{"doc":"b.md","section":["B","T"],"chunk":"b#3","text":"…","score":7.1,"start":310,"end":520,"in_prompt":true}],"citations":[{"context":1},{"url":"u","quote":"x"}],"latency_ms":812,"usage":{"input_tokens":911,"output_tokens":24}}"#;
        let r = parse(line.as_bytes()).unwrap();
        let again = serde_json::to_string(&r).unwrap();
        assert_eq!(again, line);
    }
}

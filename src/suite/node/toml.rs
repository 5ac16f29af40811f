//! Reads TOML into a [`Node`] tree. All faults of a file are recorded, not only the first.

use super::reader::{Reader, shown};
use super::{Entry, Node, Span, Style, Value};
use std::borrow::Cow;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The root table of a TOML file. When something was recorded, the tree holds what could still be read.
pub fn parse<'a>(reader: &Reader<'a>) -> Node<'a> {
    let text = reader.text();
    let lines = Lines::new(text);
    let (root, errors) = DeTable::parse_recoverable(text);
    let root = Node { span: lines.span(&(0..0)), value: table(root.into_inner(), &lines) };
    let is_duplicate = |e: &::toml::de::Error| e.message() == "duplicate key";
    let at = |e: &::toml::de::Error| lines.span(&e.span().unwrap_or(0..0));
    // A table that is given twice goes on in the first one, where each of its keys would be reported once more.
    let twice: Vec<u32> = errors.iter().filter(|e| is_duplicate(e)).map(|e| at(e).line).collect();
    let below_twice = |line: u32| {
        let header = (1..line).rev().find(|n| lines.line(*n).is_some_and(is_header));
        header.is_some_and(|h| twice.contains(&h))
    };
    let mut told: Vec<(Span, &str)> = Vec::new();
    for e in &errors {
        let span = at(e);
        // The parser can stumble over one place several times.
        if told.contains(&(span, e.message())) {
            continue;
        }
        told.push((span, e.message()));
        if !is_duplicate(e) {
            let message = shown(e.message().lines().next().unwrap_or_default());
            reader.push(reader.error("toml-syntax", span, format!("this file is not TOML: {message}")));
        } else if lines.line(span.line).is_some_and(is_header) || !below_twice(span.line) {
            reader.push(duplicate(reader, &root, &lines, e.span().unwrap_or(0..0)));
        }
    }
    if errors.is_empty() {
        // Those that are equal in composed form alone.
        reader.refuse_duplicates(&root);
    }
    root
}

/// The error for a key or table that is given twice, with the place of the first.
fn duplicate(reader: &Reader<'_>, root: &Node<'_>, lines: &Lines<'_>, range: Range<usize>) -> crate::problem::Problem {
    let span = lines.span(&range);
    let written = lines.text.get(range.clone()).unwrap_or_default();
    let key = written.trim_matches(['"', '\'']);
    let here = lines.line(span.line).unwrap_or_default();
    let first = if is_header(here) {
        (1..span.line).find(|n| lines.line(*n).is_some_and(|l| is_header(l) && header(l) == header(here)))
    } else {
        let mut before = Vec::new();
        places(root, key, &mut before);
        before.into_iter().filter(|s| s.start < span.start).max_by_key(|s| s.start).map(|s| s.line)
    };
    let what = if is_header(here) { header(here) } else { key.to_owned() };
    let title = match first {
        Some(line) => format!("key `{}` given at lines {line} and {}", shown(&what), span.line),
        None => format!("key `{}` is given twice", shown(&what)),
    };
    let p = reader
        .error("duplicate-key", span, title)
        .label("given again here", reader.width(span))
        .help("keep one of them; a table is written once, with all its keys");
    match first {
        Some(line) => {
            p.related(crate::problem::Place { file: reader.place(span).file, line, column: 1 }, "first given here")
        }
        None => p,
    }
}

fn is_header(line: &str) -> bool {
    line.trim_start().starts_with('[')
}

/// The name in a table header, without blanks and quotes.
fn header(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars().filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\'' | '[' | ']')).collect()
}

fn places(node: &Node<'_>, key: &str, found: &mut Vec<Span>) {
    match &node.value {
        Value::Scalar(..) => {}
        Value::List(items) => items.iter().for_each(|n| places(n, key, found)),
        Value::Map(entries) => {
            for e in entries {
                if e.key == key {
                    found.push(e.key_span);
                }
                places(&e.value, key, found);
            }
        }
    }
}

fn table<'a>(table: DeTable<'a>, lines: &Lines<'a>) -> Value<'a> {
    let mut entries: Vec<Entry<'a>> = table
        .into_iter()
        .map(|(key, value)| {
            let key_span = lines.span(&key.span());
            Entry { key: key.into_inner(), key_span, value: node(value.span(), value.into_inner(), lines) }
        })
        .collect();
    entries.sort_by_key(|e| e.key_span.start);
    Value::Map(entries)
}

fn node<'a>(range: Range<usize>, value: DeValue<'a>, lines: &Lines<'a>) -> Node<'a> {
    let mut span = lines.span(&range);
    let value = match value {
        DeValue::String(text) => Value::Scalar(text, Style::Quoted),
        DeValue::Integer(n) => {
            let text =
                i128::from_str_radix(n.as_str(), n.radix()).map_or_else(|_| n.as_str().to_owned(), |n| n.to_string());
            Value::Scalar(Cow::Owned(text), Style::Plain)
        }
        DeValue::Float(n) => Value::Scalar(Cow::Owned(n.as_str().to_owned()), Style::Plain),
        DeValue::Boolean(b) => Value::Scalar(Cow::Borrowed(if b { "true" } else { "false" }), Style::Plain),
        DeValue::Datetime(d) => Value::Scalar(Cow::Owned(d.to_string()), Style::Plain),
        DeValue::Array(items) => {
            span.end = span.start.saturating_add(1);
            Value::List(items.into_iter().map(|v| node(v.span(), v.into_inner(), lines)).collect())
        }
        DeValue::Table(t) => {
            span.end = span.start.saturating_add(1);
            table(t, lines)
        }
    };
    Node { span, value }
}

/// Where the lines of a text begin.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i + 1)).collect();
        Lines { text, starts }
    }

    fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.starts.partition_point(|s| *s <= range.start), range.start, range.end)
    }

    fn line(&self, number: u32) -> Option<&'a str> {
        let start = *self.starts.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        self.text.get(start..)?.split('\n').next()
    }
}

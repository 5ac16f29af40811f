//! The tree that suites and settings are read from, whatever their syntax.
//!
//! YAML, JSON and TOML each have their own reader; what the values mean is decided in one place, over this tree. It
//! keeps what a checker of hand-written files needs and a serde model drops: where everything stands, in which order,
//! whether a scalar was quoted, and the characters that an unquoted one was written with (`no`, `007`, `7.0`,
//! `9007199254740993`).

pub mod json;
pub mod reader;
pub mod toml;

pub use reader::{Fields, Reader, Shape};

use crate::text::norm::composed;
use std::borrow::Cow;
use std::collections::HashMap;

/// How deep lists and maps may nest, in any syntax. Real suites need about eight levels.
pub const MAX_DEPTH: usize = 64;

/// A piece of a file: its line, and where it begins and ends in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The line on which it begins, from 1.
    pub line: u32,
    /// Its first byte.
    pub start: u32,
    /// The byte after its last one. For lists and maps, only their first character is covered.
    pub end: u32,
}

impl Span {
    /// A piece of a file of less than 4 GiB.
    pub fn new(line: usize, start: usize, end: usize) -> Self {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { line: small(line), start: small(start), end: small(end.max(start)) }
    }
}

/// How a scalar was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes: a text in YAML; a number, a boolean or null in any syntax.
    Plain,
    /// In quotes: always text.
    Quoted,
    /// A YAML block (`|` or `>`): always text.
    Block,
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'a> {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub value: Value<'a>,
}

/// A scalar, a list or a map.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// A scalar: its characters (escapes resolved), and how it was written.
    Scalar(Cow<'a, str>, Style),
    /// A list.
    List(Vec<Node<'a>>),
    /// A map, in file order.
    Map(Vec<Entry<'a>>),
}

/// One entry of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// The key.
    pub key: Cow<'a, str>,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node<'a>,
}

impl<'a> Node<'a> {
    /// A null at a place, for what could not be read.
    pub fn null(span: Span) -> Self {
        Node { span, value: Value::Scalar(Cow::Borrowed(""), Style::Plain) }
    }

    /// True for `null`, `~` and nothing at all, unquoted.
    pub fn is_null(&self) -> bool {
        match &self.value {
            Value::Scalar(text, Style::Plain) => matches!(text.as_ref(), "" | "~" | "null" | "Null" | "NULL"),
            Value::Scalar(..) | Value::List(_) | Value::Map(_) => false,
        }
    }

    /// The value under a key, when it is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|e| e.key == key).map(|e| &e.value),
            Value::Scalar(..) | Value::List(_) => None,
        }
    }

    /// What it is, in words for a message.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar(..) if self.is_null() => "nothing",
            Value::Scalar(_, Style::Plain) => "a plain value",
            Value::Scalar(_, Style::Quoted) => "a quoted text",
            Value::Scalar(_, Style::Block) => "a block of text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}

/// Keys that are given more than once in one map, at any depth: each with all its places, in file order.
///
/// Keys are equal when their composed forms are, so quotes and the way an accent is typed do not hide a second one.
pub fn duplicates(root: &Node<'_>) -> Vec<(String, Vec<Span>)> {
    let mut found = Vec::new();
    walk(root, &mut found);
    found
}

fn walk(node: &Node<'_>, found: &mut Vec<(String, Vec<Span>)>) {
    match &node.value {
        Value::Scalar(..) => {}
        Value::List(items) => items.iter().for_each(|n| walk(n, found)),
        Value::Map(entries) => {
            // Small maps, which are nearly all, are compared pair by pair: no allocation.
            let twice = if entries.len() <= 16 && entries.iter().all(|e| e.key.is_ascii()) {
                entries.iter().enumerate().any(|(i, e)| entries.iter().take(i).any(|f| f.key == e.key))
            } else {
                true
            };
            if twice {
                let mut places: HashMap<Cow<'_, str>, Vec<Span>> = HashMap::new();
                for e in entries {
                    places.entry(composed(&e.key)).or_default().push(e.key_span);
                }
                let mut again: Vec<_> = places.into_iter().filter(|(_, p)| p.len() > 1).collect();
                again.sort_by_key(|(_, p)| p.first().map(|s| s.start));
                found.extend(again.into_iter().map(|(k, p)| (k.into_owned(), p)));
            }
            entries.iter().for_each(|e| walk(&e.value, found));
        }
    }
}

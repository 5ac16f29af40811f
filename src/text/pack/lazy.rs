//! Expressions that are compiled at first use, in two strengths.
//!
//! The fast search of the `regex` crate gives up at a Unicode word border (`\b`) beside a letter that is not ASCII, and
//! what it falls back to is some fifty times slower. So a text that is not ASCII is first tried with the borders left out:
//! that matches whatever the whole expression matches, and more. Only a text that passes is tried with the whole.

use regex::Regex;
use serde::{Deserialize, Deserializer};
use std::sync::OnceLock;

/// An expression of a language pack.
#[derive(Debug)]
pub struct Expression {
    source: String,
    /// Whether it has word borders.
    bordered: bool,
    loose: OnceLock<Option<Regex>>,
    exact: OnceLock<Option<Regex>>,
}

impl Expression {
    /// An expression; it is compiled at first use, and one that does not compile never matches.
    pub fn new(source: impl Into<String>) -> Self {
        let source = source.into();
        let bordered = source.contains(r"\b");
        Expression { source, bordered, loose: OnceLock::new(), exact: OnceLock::new() }
    }

    /// Puts groups of words where their names stand (`<INFO>`). To be called before the first use.
    pub(super) fn fill_in(&mut self, words: &std::collections::BTreeMap<String, String>) {
        for (name, group) in words {
            let name = format!("<{name}>");
            if self.source.contains(&name) {
                self.source = self.source.replace(&name, &format!("(?:{group})"));
                self.bordered = self.source.contains(r"\b");
            }
        }
    }

    /// The expression as written, with the groups of words that it names.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it can be compiled.
    pub fn compiles(&self) -> bool {
        self.loose().is_some() && self.exact().is_some()
    }

    fn loose(&self) -> Option<&Regex> {
        // A border that may be left out goes with its question mark, which would else be that of the piece in front of it.
        let without = || self.source.replace(r"\b?", "").replace(r"\b", "");
        self.loose.get_or_init(|| Regex::new(&without()).ok()).as_ref()
    }

    fn exact(&self) -> Option<&Regex> {
        if !self.bordered {
            return self.loose();
        }
        self.exact.get_or_init(|| Regex::new(&self.source).ok()).as_ref()
    }

    /// Whether the text may match: never false when it does.
    pub fn may_match(&self, text: &str) -> bool {
        self.loose().is_some_and(|r| r.is_match(text))
    }

    /// Whether it matches somewhere.
    pub fn is_match(&self, text: &str) -> bool {
        if text.is_ascii() || !self.bordered {
            return self.exact().is_some_and(|r| r.is_match(text));
        }
        self.may_match(text) && self.exact().is_some_and(|r| r.is_match(text))
    }

    /// What the first group that takes part in the first match holds.
    pub fn first_group<'t>(&self, text: &'t str) -> Option<&'t str> {
        let found = self.exact()?.captures(text)?;
        found.iter().skip(1).flatten().next().map(|group| group.as_str())
    }

    /// The matches, as byte ranges.
    pub fn find_iter<'t>(&self, text: &'t str) -> impl Iterator<Item = std::ops::Range<usize>> + use<'_, 't> {
        let regex = if text.is_ascii() || self.may_match(text) { self.exact() } else { None };
        regex.into_iter().flat_map(move |r| r.find_iter(text).map(|m| m.range()))
    }
}

impl<'de> Deserialize<'de> for Expression {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d).map(Expression::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_borders_it_lets_through_more_and_never_less() {
        let e = Expression::new(r"\bno (?:data|\w+ rõ)\b");
        assert!(e.is_match("there is no data.") && e.is_match("no thấy rõ"));
        assert!(!e.is_match("casino data") && e.may_match("casino data"));
        assert_eq!(e.find_iter("no data, no data").collect::<Vec<_>>(), [0..7, 9..16]);
        assert!(!Expression::new("(").is_match("("));
    }
}

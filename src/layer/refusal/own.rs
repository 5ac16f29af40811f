//! What a project adds to the patterns of the packs: its own wordings, and what must not count as one.

use crate::digest::Hasher;
use crate::text::norm::{find_phrase, matching};
use regex::{Regex, RegexBuilder};
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// The wordings of a project. Phrases are compared in matching form, at word borders; expressions are tried on the form in
/// which those of the packs are: composed, lower case, straight quotes, without marks of Markdown. Case never matters.
#[derive(Debug, Clone, Default)]
pub struct Own {
    phrases: Vec<String>,
    patterns: Vec<Regex>,
    not: Vec<Regex>,
    failures: Vec<String>,
}

/// At most so many bytes of a compiled expression: one that repeats counted repetitions is refused, not compiled for minutes.
const LARGEST: usize = 1 << 20;

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: &[Regex], b: &[Regex]| a.iter().map(Regex::as_str).eq(b.iter().map(Regex::as_str));
        self.phrases == other.phrases
            && self.failures == other.failures
            && same(&self.patterns, &other.patterns)
            && same(&self.not, &other.not)
    }
}

impl Own {
    /// An expression as a project writes it.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence with the column.
    pub fn expression(text: &str) -> Result<Regex, String> {
        if text.trim().is_empty() {
            return Err("an empty expression would match every answer".to_owned());
        }
        let composed: String = text.nfc().collect();
        let built = RegexBuilder::new(&composed).case_insensitive(true).size_limit(LARGEST).build();
        let regex = built.map_err(|e| why(&composed, &e))?;
        if regex.is_match("") {
            return Err(format!("`{text}` matches an empty text, so it would match every answer"));
        }
        Ok(regex)
    }

    /// A phrase as a project writes it, in matching form.
    ///
    /// # Errors
    /// It holds no letter and no digit.
    pub fn phrase(text: &str) -> Result<String, String> {
        let form = matching(text);
        if form.chars().any(char::is_alphanumeric) {
            Ok(form)
        } else {
            Err(format!("`{text}` holds no letter and no digit, so no answer could hold it"))
        }
    }

    /// Wordings that were read by [`Own::phrase`] and [`Own::expression`]: of refusals, of what is none although it reads
    /// like one, and of failures.
    pub fn new(phrases: Vec<String>, patterns: Vec<Regex>, not: Vec<Regex>, failures: Vec<String>) -> Self {
        Own { phrases, patterns, not, failures }
    }

    /// Whether nothing is added.
    pub fn is_empty(&self) -> bool {
        self.phrases.is_empty() && self.patterns.is_empty() && self.not.is_empty() && self.failures.is_empty()
    }

    /// Whether something is added by which an answer refuses or fails.
    pub(super) fn adds(&self) -> bool {
        !(self.phrases.is_empty() && self.patterns.is_empty() && self.failures.is_empty())
    }

    /// What decides, for the identity of the measure; nothing is added to it where the project adds nothing.
    pub fn add_to(&self, h: &mut Hasher) {
        if self.is_empty() {
            return;
        }
        let expressions = |list: &[Regex]| list.iter().map(|r| r.as_str().to_owned()).collect();
        for list in [self.phrases.clone(), expressions(&self.patterns), expressions(&self.not), self.failures.clone()] {
            h.field(&list.len().to_string());
            list.iter().for_each(|item| h.field(item));
        }
    }

    /// The wordings of refusals that a part holds: the name of each (`own.phrase.1`) and where it stands, where that is known.
    pub(super) fn refusals(&self, part: &str) -> Vec<(String, Range<usize>)> {
        let mut out = phrases_in(part, &self.phrases, "own.phrase");
        for (i, pattern) in self.patterns.iter().enumerate() {
            out.extend(pattern.find_iter(part).map(|m| (format!("own.pattern.{}", i + 1), m.range())));
        }
        out
    }

    /// The wordings of failures that a part holds.
    pub(super) fn failures(&self, part: &str) -> Vec<(String, Range<usize>)> {
        phrases_in(part, &self.failures, "own.failure")
    }

    /// The name of the expression by which a part refuses nothing.
    pub(super) fn veto(&self, part: &str) -> Option<String> {
        let at = self.not.iter().position(|n| n.is_match(part))?;
        Some(format!("own.not.{}", at + 1))
    }
}

fn phrases_in(part: &str, phrases: &[String], name: &str) -> Vec<(String, Range<usize>)> {
    if phrases.is_empty() {
        return Vec::new();
    }
    let form = matching(part);
    let held = phrases.iter().enumerate().filter(|(_, p)| find_phrase(&form, p).is_some());
    // Where it begins in the part: what stands in front of it may make it a condition, and quotes may stand around it.
    let place = |p: &str| part.find(p).map_or(0..part.len(), |at| at..at + p.len());
    held.map(|(i, p)| (format!("{name}.{}", i + 1), place(p))).collect()
}

/// The reason and column of an expression that cannot be compiled.
fn why(text: &str, error: &regex::Error) -> String {
    if matches!(error, regex::Error::CompiledTooBig(_)) {
        return format!("`{text}` is too large when compiled: repeat less, or use several expressions");
    }
    // The library draws the expression, indented, with a caret below the mistake, and says at last what it is.
    let drawn = error.to_string();
    let reason = drawn.lines().last().unwrap_or_default().trim_start_matches("error: ");
    let caret = drawn.lines().find(|l| !l.trim().is_empty() && l.trim().chars().all(|c| c == '^'));
    match caret.and_then(|l| l.find('^')) {
        Some(at) => format!("`{text}` is no regular expression: {reason}, at character {}", at.saturating_sub(4) + 1),
        None => format!("`{text}` is no regular expression: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_looked_at_when_they_are_read() {
        let wrong = |text: &str| Own::expression(text).unwrap_err();
        assert_eq!(wrong("ask (sales"), "`ask (sales` is no regular expression: unclosed group, at character 5");
        assert!(wrong("a*").contains("empty text") && wrong(" ").contains("every answer"));
        assert!(wrong("(?:[a-z]{1000}){1000}").contains("too large"));
        assert!(Own::phrase("...").is_err());
        assert_eq!(Own::phrase("Không, có!").as_deref(), Ok("không có"));
    }
}

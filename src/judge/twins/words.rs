//! What a language brings to the edits. A language is a file; one without a file has no twins.

use crate::text::pack::Lang;
use serde::Deserialize;
use std::sync::LazyLock;

/// The words of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Units with another of another kind or size: `[["days", "hours"]]`.
    pub units: Vec<(String, String)>,
    /// Words in front of or behind a year that make it a decade, which has no neighbour.
    pub decade: Vec<String>,
    /// Negation.
    pub negation: Negation,
    /// Words that begin an exception, and words that end one.
    pub exception: Exception,
    /// Words at the beginning of a sentence that point back at another.
    pub pointing: Vec<String>,
    /// The same anywhere in a sentence.
    #[serde(default)]
    pub pointing_within: Vec<String>,
    /// The question word stands in front.
    #[serde(default)]
    pub asks_in_front: bool,
    /// Whether sentences end with a mark and begin with a large letter, so that a text without is a part of one.
    #[serde(default)]
    pub marked: bool,
    /// Words that join two names.
    pub joining: Vec<String>,
    /// Names and words of which one may stand for another, by class.
    pub classes: Vec<Class>,
    /// What a question asks for, by the words that ask for it.
    pub asking: Vec<Asking>,
    /// The same in other words.
    pub paraphrase: Paraphrase,
}

/// How a language negates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Negation {
    /// What is negated: `[["can be", "cannot be"]]`.
    pub insert: Vec<(String, String)>,
    /// What is affirmed: `[["cannot be", "can be"]]`.
    pub remove: Vec<(String, String)>,
    /// Of several verbs the first of the sentence is negated; else the first of the list, where that is the surer sign of the
    /// main verb.
    #[serde(default)]
    pub by_place: bool,
    /// Negations. A sentence with one is not negated again, and of one with two none is taken away.
    pub negators: Vec<String>,
    /// Words with which a negated sentence is no contradiction: `some`, `often`.
    pub stop: Vec<String>,
    /// Words behind which a verb is not the main one: `which`.
    pub relative: Vec<String>,
    /// Words in front of a verb from which it may not be parted, or with which it is no verb.
    pub not_behind: Vec<String>,
    /// The same behind it.
    pub not_before: Vec<String>,
    /// Verbs that may stand in a clause that only describes a noun, where one of `then` follows in the clause.
    #[serde(default)]
    pub before_relative: Vec<String>,
    /// See there.
    #[serde(default)]
    pub then: Vec<String>,
    /// A sentence with a word of `relative` anywhere is left alone: the language has no mark where the clause ends.
    #[serde(default)]
    pub closed: bool,
}

/// How a language states an exception.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    /// Words in front: `unless`.
    pub front: Vec<String>,
    /// Words behind: `的除外`.
    #[serde(default)]
    pub behind: Vec<String>,
    /// Words behind the front ones with which it is no exception.
    #[serde(default)]
    pub not: Vec<String>,
    /// Words in front of them with which they are another word.
    #[serde(default)]
    pub not_behind: Vec<String>,
}

/// Words of one class.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its words.
    pub words: Vec<String>,
}

/// A class of answers by what asks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    /// Its name.
    pub name: String,
    /// Words of the question.
    pub words: Vec<String>,
}

/// Words of the same meaning.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paraphrase {
    /// What may stand in front of an answer.
    pub frames: Vec<String>,
    /// First words of a sentence that are written small behind a frame.
    #[serde(default)]
    pub small: Vec<String>,
    /// Words for words.
    pub same: Vec<(String, String)>,
}

static TABLES: LazyLock<Vec<(&'static str, Option<Table>)>> = LazyLock::new(|| {
    let read = |data: &str| toml::from_str(data).ok();
    vec![
        ("en", read(include_str!("words/en.toml"))),
        ("th", read(include_str!("words/th.toml"))),
        ("vi", read(include_str!("words/vi.toml"))),
        ("zh", read(include_str!("words/zh.toml"))),
    ]
});

impl Table {
    /// The languages that have twins.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        TABLES.iter().map(|(code, _)| *code)
    }

    /// The words of a language, by its first subtag.
    pub fn of(lang: &Lang) -> Option<&'static Table> {
        let code = lang.as_str().split(['-', '_']).next().unwrap_or_default();
        TABLES.iter().find(|(c, _)| c.eq_ignore_ascii_case(code)).and_then(|(_, t)| t.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_can_be_read() {
        for (code, data) in [
            ("en", include_str!("words/en.toml")),
            ("th", include_str!("words/th.toml")),
            ("vi", include_str!("words/vi.toml")),
            ("zh", include_str!("words/zh.toml")),
        ] {
            let table: Result<Table, _> = toml::from_str(data);
            assert!(table.is_ok(), "{code}: {table:?}");
            for (from, to) in table.iter().flat_map(|t| t.units.iter().chain(&t.negation.insert)) {
                assert!(!from.is_empty() && from != to, "{code}: {from}");
            }
        }
    }
}

//! How a language denies, bounds and asks: what facts need to know beyond the words themselves.

use super::Expression;
use crate::text::norm::chars::{is_mark, is_unspaced, is_word};
use crate::text::norm::{is_following_vowel, is_leading_vowel, plain};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use serde::{Deserialize, Deserializer};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// How a language denies, bounds and asks. Every list is in matching form, in which an apostrophe is
/// a blank (`don t`); a pack that says nothing
/// has no guard against negations and reads a yes or no from the first words alone.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Words that say nothing by themselves: an answer that leaves them out states a fact all the same.
    #[serde(default)]
    pub function_words: Vec<String>,
    /// Endings that change no word's meaning (`talk`, `talks`).
    #[serde(default)]
    pub endings: Vec<String>,
    /// Endings that take the place of another one (`y` and `ies`: `policy`, `policies`), as pairs.
    #[serde(default)]
    pub exchanged: Vec<(String, String)>,
    /// Letters that are written as one in some spellings (`ae` and `e`: `aether`, `ether`), as pairs.
    #[serde(default)]
    pub spellings: Vec<(String, String)>,
    /// Endings of words that are made from one another (`ist` and `istry`: `dentist`, `dentistry`), as pairs: one stands
    /// for the other where most of a fact's words are enough.
    #[serde(default)]
    pub derived: Vec<(String, String)>,
    /// Forms of one given name (`james`, `jim`, `jimmy`), each list a name: one stands for the other where most of a fact's
    /// words are enough.
    #[serde(default)]
    pub given_names: Vec<Vec<String>>,
    /// Titles in front of a name (`mr`, `ông`, `นาย`), longer ones first: the name says it without them.
    #[serde(default)]
    pub titles: Vec<String>,
    /// Titles behind a name (`先生`).
    #[serde(default)]
    pub titles_behind: Vec<String>,
    /// Words that deny what follows (`không`, `not`, `不`).
    #[serde(default)]
    pub negators: Words,
    /// Phrases with such a word in them that deny nothing (`không chỉ`, `no more than`, `不仅`).
    #[serde(default)]
    pub not_negators: Words,
    /// Words that deny what stands directly in front of them (`ไม่ได้`, `ません`).
    #[serde(default)]
    pub negators_behind: Words,
    /// How far a word reaches that denies: so many words, or characters in a script without blanks.
    #[serde(default)]
    pub reach: usize,
    /// Words that join two words that deny: then they deny side by side, and do not cancel (`không nên và không được`).
    #[serde(default)]
    pub joints: Words,
    /// Words that part two names of which either is enough (`or`, `hoặc`).
    #[serde(default)]
    pub alternatives: Words,
    /// Words by which a sentence says yes of a part only (`only`, `chỉ`): it tells neither a yes nor a no.
    #[serde(default)]
    pub narrowing: Words,
    /// Words of regret: behind a polite yes they announce a no.
    #[serde(default)]
    pub regrets: Words,
    /// What is written together and apart, as pairs of the short and the long form (`isn t`, `is not`).
    #[serde(default)]
    pub contractions: Contractions,
    /// Words of permission and duty: with a negation in front, a fact that holds one says the contrary.
    #[serde(default)]
    pub predicates: Words,
    /// Words that say no by themselves (`từ chối`, `void`).
    #[serde(default)]
    pub denials: Words,
    /// What is asked for and what says no to it (`fee`, `free`), as pairs.
    #[serde(default)]
    pub opposites: Vec<(String, String)>,
    /// Words at which a clause ends although no mark stands there.
    #[serde(default)]
    pub clause_words: Words,
    /// Pieces of a question that only ask, and deny nothing (`không` at its end, `是不是`, `หรือไม่`).
    #[serde(default)]
    pub asking: Option<Expression>,
    /// A question of yes or no; its first group is what is asked.
    #[serde(default)]
    pub yes_no_question: Option<Expression>,
    /// Words in front of the most that may be (`không quá`, `at most`).
    #[serde(default)]
    pub upper: Words,
    /// Words behind it (`trở xuống`, `or less`).
    #[serde(default)]
    pub upper_behind: Words,
    /// Words in front of the least that may be (`ít nhất`, `at least`).
    #[serde(default)]
    pub lower: Words,
    /// Words behind it (`trở lên`, `or more`).
    #[serde(default)]
    pub lower_behind: Words,
}

/// Up to so many words are searched for by the automaton that is the fastest and the largest.
const FEW: usize = 64;

impl Claims {
    /// What a question of yes or no asks for, in reading form and lower case; nothing for another question.
    pub fn asked(&self, question: &str) -> Option<String> {
        let question = plain(question).trim().to_lowercase();
        self.yes_no_question.as_ref()?.first_group(&question).map(str::to_owned)
    }
}

/// Words and phrases that are looked for together.
#[derive(Debug, Default)]
pub struct Words {
    list: Vec<String>,
    search: OnceLock<Option<AhoCorasick>>,
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Words { list: Vec::deserialize(from)?, search: OnceLock::new() })
    }
}

impl Words {
    /// Every place of a word in a text of matching form, at word borders, from left to right; of words that begin at one
    /// place the longest.
    pub fn places<'t>(&self, text: &'t str) -> impl Iterator<Item = Range<usize>> + use<'_, 't> {
        let mut all: Vec<Range<usize>> = self.all(text).collect();
        all.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
        let mut end = 0;
        all.retain(|r| {
            let kept = r.start >= end;
            if kept {
                end = r.end;
            }
            kept
        });
        all.into_iter()
    }

    /// Whether a text of matching form holds one of the words.
    pub fn stand_in(&self, text: &str) -> bool {
        self.all(text).next().is_some()
    }

    /// Every place of a word, also within and across others: the longest of them may stand at no border where a shorter one
    /// does.
    fn all<'t>(&self, text: &'t str) -> impl Iterator<Item = Range<usize>> + use<'_, 't> {
        // A few dozen words make a small automaton, and every answer is searched for them.
        let kind = if self.list.len() <= FEW { AhoCorasickKind::DFA } else { AhoCorasickKind::ContiguousNFA };
        let build = || AhoCorasick::builder().match_kind(MatchKind::Standard).kind(Some(kind)).build(&self.list).ok();
        let search = (!self.list.is_empty()).then(|| self.search.get_or_init(build).as_ref()).flatten();
        search
            .into_iter()
            .flat_map(move |s| s.find_overlapping_iter(text).map(|m| m.range()))
            .filter(move |r| is_bordered(text, r))
    }

    /// The words.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }
}

/// Short forms with their long ones.
#[derive(Debug, Default)]
pub struct Contractions {
    short: Words,
    long: HashMap<String, String>,
}

impl<'de> Deserialize<'de> for Contractions {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let pairs: Vec<(String, String)> = Vec::deserialize(from)?;
        let list = pairs.iter().map(|(short, _)| short.clone()).collect();
        Ok(Contractions { short: Words { list, search: OnceLock::new() }, long: pairs.into_iter().collect() })
    }
}

impl Contractions {
    /// Whether the language has any.
    pub fn is_empty(&self) -> bool {
        self.long.is_empty()
    }

    /// The places of short forms in a text of matching form, each with its long form, from left to right.
    pub fn places<'t>(&'t self, text: &'t str) -> impl Iterator<Item = (Range<usize>, &'t str)> {
        self.short.places(text).filter_map(move |r| {
            let long = self.long.get(text.get(r.clone())?)?;
            Some((r, long.as_str()))
        })
    }
}

/// Whether a piece begins and ends at a word border; scripts without blanks have none.
fn is_bordered(text: &str, range: &Range<usize>) -> bool {
    let joined = |a: Option<char>, b: Option<char>| {
        a.zip(b).is_some_and(|(a, b)| is_word(a) && is_word(b) && !is_unspaced(a) && !is_unspaced(b))
    };
    let inside = text.get(range.clone()).unwrap_or_default();
    let before = text.get(..range.start).unwrap_or_default().chars().next_back();
    let behind = text.get(range.end..).unwrap_or_default().chars().next();
    let within = before.is_some_and(is_leading_vowel) || behind.is_some_and(|c| is_following_vowel(c) || is_mark(c));
    !within && !joined(before, inside.chars().next()) && !joined(inside.chars().next_back(), behind)
}

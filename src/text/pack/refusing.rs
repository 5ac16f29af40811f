//! How a language words a refusal, a failure of the system, and what stands beside them.

use super::{Count, Expression};
use crate::text::norm::chars::{is_unspaced, is_word};
use aho_corasick::{AhoCorasick, AhoCorasickKind, Match, MatchKind};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::OnceLock;

/// How a refusal is worded.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusing {
    /// A part of an answer with at least this much that the question does not hold is a claim.
    pub min_new_tokens_for_claim: usize,
    /// What is counted for that.
    pub count: Count,
    /// A part is tried only if it holds one of these, or of `trigger_words`; no pattern matches without one.
    pub triggers: Vec<String>,
    /// Triggers that count as whole words only (`not`, and no `note`).
    #[serde(default)]
    pub trigger_words: Vec<String>,
    /// The same for the patterns of failures.
    #[serde(default)]
    pub failure_triggers: Vec<String>,
    /// Words at which a sentence is cut into parts.
    pub contrast: Vec<String>,
    /// Longer words that only begin as one of those does.
    #[serde(default)]
    pub not_contrast: Vec<String>,
    /// Groups of words that expressions name as `<NAME>`; a group may name those that come before it in the alphabet.
    #[serde(default)]
    pub words: BTreeMap<String, String>,
    /// Pairs of letters that are one to the patterns, the second of each as the patterns write it (`沒没無无`).
    #[serde(default)]
    pub same_letters: String,
    /// Pairs of a way in which people type words (`dont`) and the way in which the patterns write them. They are read in texts
    /// of this language only: French has a `dont` of its own.
    #[serde(default)]
    pub typed: Vec<(String, String)>,
    /// In front of a match: the part speaks of a case, not of what is known.
    #[serde(default)]
    pub conditional: Option<Expression>,
    /// In front of a match: only looks like `conditional`.
    #[serde(default)]
    pub conditional_not: Option<Expression>,
    /// Behind a match: it is a clause about a case (`没有发票的顾客`).
    #[serde(default)]
    pub conditional_behind: Option<Expression>,
    /// In front of a match, in the same part: somebody else is said to think or find so, or the text is about the world.
    #[serde(default)]
    pub reported: Option<Expression>,
    /// A part that sends the reader elsewhere.
    #[serde(default)]
    pub redirect: Option<Expression>,
    /// A part in which somebody offers help, without saying anything of the matter.
    #[serde(default)]
    pub offer: Option<Expression>,
    /// A part that says what a text of the sources is about, and nothing of the matter.
    #[serde(default)]
    pub about_source: Option<Expression>,
    /// A question that asks how somebody can be reached: a phone number in its answer is a claim.
    #[serde(default)]
    pub asks_contact: Option<Expression>,
    /// The beginning of a clause that names a source (`according to …`): what it says is no claim of the answer.
    #[serde(default)]
    pub source: Option<Expression>,
    /// A part that is only polite.
    #[serde(default)]
    pub courtesy_start: Option<Expression>,
    /// A part that asks the reader to say more, with or without a question mark.
    #[serde(default)]
    pub asks_back: Option<Expression>,
    /// A question that asks nothing of the matter: whether there is anything else, whether a hand is wanted.
    #[serde(default)]
    pub closing: Option<Expression>,
    /// That one may try again later, or that something holds for the moment.
    #[serde(default)]
    pub retry: Option<Expression>,
    /// The patterns.
    pub pattern: Vec<Pattern>,
    /// How a system says that it failed: no refusal, and no answer.
    #[serde(default)]
    pub failure: Vec<Pattern>,
    #[serde(skip)]
    letters: OnceLock<HashMap<char, char>>,
    #[serde(skip)]
    trigger_search: OnceLock<Option<AhoCorasick>>,
    #[serde(skip)]
    failure_search: OnceLock<Option<AhoCorasick>>,
    #[serde(skip)]
    contrast_search: OnceLock<Option<AhoCorasick>>,
    #[serde(skip)]
    typed_search: OnceLock<Option<AhoCorasick>>,
}

impl Refusing {
    /// Whether the text holds a trigger; case does not matter for ASCII letters.
    pub fn may_refuse(&self, text: &str) -> bool {
        let words = self.triggers.iter().chain(&self.trigger_words);
        let Some(found) = search(&self.trigger_search, words) else { return false };
        let letter = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphabetic);
        let bytes = text.as_bytes();
        found.find_iter(text).any(|m| {
            m.pattern().as_usize() < self.triggers.len()
                || !(letter(m.start().checked_sub(1).and_then(|i| bytes.get(i))) || letter(bytes.get(m.end())))
        })
    }

    /// Whether the text holds a trigger of failures.
    pub fn may_fail(&self, text: &str) -> bool {
        let found = search(&self.failure_search, self.failure_triggers.iter());
        !self.failure_triggers.is_empty() && found.is_some_and(|f| f.is_match(text))
    }

    /// The text with each letter in the form in which the patterns write it.
    pub fn one_form(&self, text: String) -> String {
        if self.same_letters.is_empty() {
            return text;
        }
        let letters = self.letters.get_or_init(|| {
            let mut pairs = self.same_letters.chars();
            std::iter::from_fn(|| pairs.next().zip(pairs.next())).collect()
        });
        if text.chars().any(|c| letters.contains_key(&c)) {
            text.chars().map(|c| letters.get(&c).copied().unwrap_or(c)).collect()
        } else {
            text
        }
    }

    /// The text with words as the patterns write them, where it has them as people type.
    pub fn written_out(&self, text: String) -> String {
        let Some(found) = search(&self.typed_search, self.typed.iter().map(|t| &t.0)) else { return text };
        let joins = |c: Option<char>| c.is_some_and(|c| is_word(c) && !is_unspaced(c));
        let mut out = String::new();
        let mut from = 0;
        for m in found.find_iter(&text) {
            let (Some(between), Some(before), Some(behind)) =
                (text.get(from..m.start()), text.get(..m.start()), text.get(m.end()..))
            else {
                continue;
            };
            if joins(before.chars().next_back()) || joins(behind.chars().next()) {
                continue;
            }
            let Some((_, written)) = self.typed.get(m.pattern().as_usize()) else { continue };
            out.push_str(between);
            out.push_str(written);
            from = m.end();
        }
        if from == 0 {
            return text;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        out
    }

    /// The places of contrast words, as byte ranges; longest first where several begin at one place.
    pub fn contrasts<'t>(&self, text: &'t str) -> impl Iterator<Item = Range<usize>> + use<'_, 't> {
        let found = search(&self.contrast_search, self.contrast.iter().chain(&self.not_contrast));
        let own = |m: &Match| m.pattern().as_usize() < self.contrast.len();
        found.into_iter().flat_map(move |a| a.find_iter(text).filter(own).map(|m| m.range()))
    }

    /// Every expression.
    pub fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let own = [
            &self.conditional,
            &self.conditional_not,
            &self.conditional_behind,
            &self.reported,
            &self.redirect,
            &self.offer,
            &self.about_source,
            &self.asks_contact,
            &self.source,
            &self.courtesy_start,
            &self.asks_back,
            &self.closing,
            &self.retry,
        ];
        let patterns = self.pattern.iter().chain(&self.failure);
        own.into_iter().flatten().chain(patterns.flat_map(Pattern::expressions))
    }

    /// Puts the groups of words into the expressions that name them, and what is typed for a trigger among these.
    pub(super) fn fill_in(&mut self) {
        // What is typed for a trigger is one.
        let is_trigger = |written: &str| {
            self.triggers.iter().any(|t| written.contains(t.as_str()))
                || written.split(' ').any(|w| self.trigger_words.iter().any(|t| t == w))
        };
        let typed: Vec<String> =
            self.typed.iter().filter(|(_, written)| is_trigger(written)).map(|(typed, _)| typed.clone()).collect();
        self.trigger_words.extend(typed);
        let mut words: BTreeMap<String, String> = BTreeMap::new();
        for (name, group) in std::mem::take(&mut self.words) {
            let group = words.iter().fold(group, |g, (n, w)| g.replace(&format!("<{n}>"), &format!("(?:{w})")));
            words.insert(name, group);
        }
        let own = [
            &mut self.conditional,
            &mut self.conditional_not,
            &mut self.conditional_behind,
            &mut self.reported,
            &mut self.redirect,
            &mut self.offer,
            &mut self.about_source,
            &mut self.asks_contact,
            &mut self.source,
            &mut self.courtesy_start,
            &mut self.asks_back,
            &mut self.closing,
            &mut self.retry,
        ];
        let patterns = self.pattern.iter_mut().chain(&mut self.failure);
        let of_patterns = patterns.flat_map(|p| {
            let vetoes = [&mut p.veto_pre, &mut p.veto_in, &mut p.veto_post];
            std::iter::once(&mut p.re).chain(vetoes.into_iter().flatten())
        });
        own.into_iter().flatten().chain(of_patterns).for_each(|e| e.fill_in(&words));
    }
}

/// A search for any of several words, made at first use.
fn search<'c, 'w>(
    cell: &'c OnceLock<Option<AhoCorasick>>,
    words: impl Iterator<Item = &'w String>,
) -> Option<&'c AhoCorasick> {
    cell.get_or_init(|| {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .kind(Some(AhoCorasickKind::DFA))
            .build(words)
            .ok()
    })
    .as_ref()
}

/// One way to say that something is not known, or that the system failed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Its name.
    pub name: String,
    /// What it matches.
    pub re: Expression,
    /// A match directly behind this does not count.
    #[serde(default)]
    pub veto_pre: Option<Expression>,
    /// A match that holds this does not count.
    #[serde(default)]
    pub veto_in: Option<Expression>,
    /// A match directly before this does not count.
    #[serde(default)]
    pub veto_post: Option<Expression>,
    /// It counts only in an answer that also says that one may try again later.
    #[serde(default)]
    pub retry: bool,
}

impl Pattern {
    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let vetoes = [self.veto_pre.as_ref(), self.veto_in.as_ref(), self.veto_post.as_ref()];
        std::iter::once(&self.re).chain(vetoes.into_iter().flatten())
    }
}

//! The words of the corpus that are nearest to words that are gone.
//!
//! Candidates are runs of words within one sentence, or within as many neighbouring ones as the old words had; they are
//! compared by Dice's coefficient over the words that they have in common in the same order (2·common / (a + b)), where
//! Thai and Chinese words are those of the ICU's dictionary and a number counts nearly as much as another number. The named document is preferred: only where it has nothing near are the others looked through.

use crate::suite::corpus::{Corpus, Spot};
use crate::text::norm::chars::is_mark;
use crate::text::norm::matching;
use crate::text::number::{self, Mention, same_value};
use crate::text::pack::Lang;
use crate::text::segment::{sentences, words};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

/// Less than this is not near: most words differ.
const NEAR: f64 = 0.5;

/// The run of words may be so much longer or shorter than the old words.
const SLACK: usize = 4;

/// A longer run is compared as it stands, without cutting it to the words that matter.
const LONGEST: usize = 120;

/// What is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Sought<'a> {
    /// The words.
    pub span: &'a str,
    /// The document where they stood, if it is known.
    pub doc: Option<&'a str>,
}

/// The nearest words.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// Where they stand.
    pub spot: Spot,
    /// The words as the document has them, on one line.
    pub text: String,
    /// How near they are: 2·common / (words of both), from .5 to 1.
    pub share: f64,
    /// Numbers that changed: as they were and as they are; empty where one came or went.
    pub numbers: Vec<(String, String)>,
}

/// The words of each question of a suite.
pub struct Questions(Vec<HashSet<String>>);

impl Questions {
    /// Reads the questions.
    pub fn new<'q>(texts: impl IntoIterator<Item = &'q str>, lang: &Lang) -> Self {
        let words = |text| words_in(text, lang).into_iter().map(|(_, w)| w).collect();
        Questions(texts.into_iter().map(words).collect())
    }

    fn with(&self, word: &str) -> usize {
        self.0.iter().filter(|q| q.contains(word)).count()
    }
}

/// A sentence with its words in matching form.
struct Sentence {
    doc: usize,
    section: usize,
    range: Range<usize>,
    words: Vec<(Range<usize>, String)>,
}

/// The sentences of a corpus.
pub struct Texts<'c> {
    corpus: &'c Corpus,
    lang: &'c Lang,
    docs: Vec<&'c str>,
    sentences: OnceCell<Vec<Sentence>>,
    /// The words of each section.
    sections: OnceCell<BTreeMap<(usize, usize), HashSet<String>>>,
}

impl<'c> Texts<'c> {
    /// Nothing is read before something is looked for.
    pub fn new(corpus: &'c Corpus, lang: &'c Lang) -> Self {
        let docs = corpus.documents.keys().map(String::as_str).collect();
        Texts { corpus, lang, docs, sentences: OnceCell::new(), sections: OnceCell::new() }
    }

    fn sentences(&self) -> &[Sentence] {
        self.sentences.get_or_init(|| {
            let mut out = Vec::new();
            for (doc, document) in self.corpus.documents.values().enumerate() {
                for (section, s) in document.sections.iter().enumerate() {
                    let body = document.body(s);
                    for range in sentences(body, self.lang) {
                        let words = words_in(body.get(range.clone()).unwrap_or_default(), self.lang);
                        let range = s.start + range.start..s.start + range.end;
                        out.push(Sentence { doc, section, range, words });
                    }
                }
            }
            out
        })
    }

    /// The section that holds most of the words of a question, with their share. Words count by how rare they are in the
    /// sections and in the other questions (inverse document frequency, the smaller one): `the` and `how much` say little.
    pub fn most_of(&self, question: &str, questions: &Questions) -> Option<(Spot, f64)> {
        let asked: BTreeSet<String> = words_in(question, self.lang).into_iter().map(|(_, w)| w).collect();
        let sections = self.sections.get_or_init(|| {
            let mut all: BTreeMap<(usize, usize), HashSet<String>> = BTreeMap::new();
            for s in self.sentences() {
                all.entry((s.doc, s.section)).or_default().extend(s.words.iter().map(|(_, w)| w.clone()));
            }
            all
        });
        let rare = |all: usize, with: usize| ((all as f64 + 1.0) / (with as f64 + 0.5)).ln().max(0.0);
        let weight = |word: &String| {
            let with = sections.values().filter(|words| words.contains(word)).count();
            rare(sections.len(), with).min(rare(questions.0.len(), questions.with(word)))
        };
        let weights: Vec<(&String, f64)> = asked.iter().map(|w| (w, weight(w))).collect();
        let total: f64 = weights.iter().map(|(_, w)| w).sum();
        let share = |words: &HashSet<String>| -> f64 {
            weights.iter().filter(|(w, _)| words.contains(*w)).map(|(_, n)| n).sum::<f64>() / total
        };
        let best = sections.iter().map(|(at, words)| (at, share(words))).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let ((doc, section), share) = best;
        let name = self.docs.get(*doc)?;
        let section = self.corpus.documents.get(*name)?.sections.get(*section)?;
        let spot = Spot { doc: (*name).to_owned(), section: section.path.clone(), line: section.line };
        (total > 0.0).then_some((spot, share))
    }

    /// The nearest words, in the document that is named or else anywhere.
    pub fn nearest(&self, sought: &Sought<'_>) -> Option<Nearest> {
        let old: Vec<String> = words_in(sought.span, self.lang).into_iter().map(|(_, w)| w).collect();
        if old.is_empty() {
            return None;
        }
        let reach = sentences(sought.span, self.lang).len().max(1);
        let stopped = sought.span.trim_end().ends_with(|c: char| !c.is_alphanumeric() && !is_mark(c));
        let like = (reach, stopped);
        let named = sought.doc.and_then(|d| self.docs.iter().position(|name| *name == d));
        let best = named.and_then(|doc| self.best(&old, like, Some(doc))).or_else(|| self.best(&old, like, None))?;
        let document = self.docs.get(best.doc).and_then(|d| self.corpus.documents.get(*d))?;
        let section = document.sections.get(best.section)?;
        let written = document.text.get(best.range.clone())?;
        let lines = document.text.get(..best.range.start)?.matches('\n').count();
        let text = written.split_whitespace().collect::<Vec<_>>().join(" ");
        let spot = Spot {
            doc: (*self.docs.get(best.doc)?).to_owned(),
            section: section.path.clone(),
            line: u32::try_from(lines + 1).unwrap_or(u32::MAX),
        };
        Some(Nearest { spot, numbers: changed(sought.span, &text, self.lang), text, share: best.share })
    }

    fn best(&self, old: &[String], (reach, stopped): (usize, bool), doc: Option<usize>) -> Option<Best> {
        let all = self.sentences();
        let mut best: Option<Best> = None;
        for (at, first) in all.iter().enumerate().filter(|(_, s)| doc.is_none_or(|d| s.doc == d)) {
            let same = |s: &&Sentence| s.doc == first.doc && s.section == first.section;
            let run: Vec<&Sentence> = all.iter().skip(at).take(reach).take_while(same).collect();
            let words: Vec<(Range<usize>, &str)> = run
                .iter()
                .flat_map(|s| {
                    let base = s.range.start;
                    s.words.iter().map(move |(r, w)| (base + r.start..base + r.end, w.as_str()))
                })
                .collect();
            let beaten = best.as_ref().map_or(NEAR, |b| b.share);
            let Some((range, share)) = part(old, &words, beaten) else { continue };
            if best.as_ref().is_none_or(|b| share > b.share) {
                let whole = words.first().zip(words.last()).is_some_and(|(a, b)| range == (a.0.start..b.0.end));
                let end = run.last().map_or(range.end, |s| s.range.end);
                let range = if whole && stopped { first.range.start..end } else { range };
                best = Some(Best { doc: first.doc, section: first.section, range, share });
            }
        }
        best
    }
}

struct Best {
    doc: usize,
    section: usize,
    range: Range<usize>,
    share: f64,
}

/// The words of a text in matching form.
fn words_in(text: &str, lang: &Lang) -> Vec<(Range<usize>, String)> {
    let word = |r: Range<usize>| {
        let form = matching(text.get(r.clone())?);
        let form = form.trim();
        form.chars().any(char::is_alphanumeric).then(|| (r, form.to_owned()))
    };
    words(text, lang).into_iter().filter_map(word).collect()
}

/// What a number in the place of another one is worth: what changes in a document is a number more often than a word.
const OTHER_NUMBER: f64 = 0.9;

/// How alike two words are.
fn alike(a: &str, b: &str) -> f64 {
    let number = |w: &str| w.chars().any(char::is_numeric);
    match (a == b, number(a) && number(b)) {
        (true, _) => 1.0,
        (false, true) => OTHER_NUMBER,
        (false, false) => 0.0,
    }
}

/// The most that two runs of words have in common in the same order (longest common subsequence, by likeness).
fn common(old: &[String], new: &[(Range<usize>, &str)]) -> f64 {
    let mut row = vec![0.0_f64; new.len() + 1];
    for a in old {
        let mut before = 0.0;
        for (at, (_, b)) in new.iter().enumerate() {
            let (left, above) = (row.get(at).copied().unwrap_or(0.0), row.get(at + 1).copied().unwrap_or(0.0));
            let both = before + alike(a, b);
            before = above;
            if let Some(cell) = row.get_mut(at + 1) {
                *cell = both.max(left).max(above);
            }
        }
    }
    row.last().copied().unwrap_or(0.0)
}

/// The part of some words that is nearest to the old ones, if it is nearer than what is known: its bytes and its share.
fn part(old: &[String], new: &[(Range<usize>, &str)], beaten: f64) -> Option<(Range<usize>, f64)> {
    let share = |common: f64, length: usize| 2.0 * common / (old.len() + length).max(1) as f64;
    // Even the best part holds no more of the old words than stand in the whole, in any order.
    let most: f64 = old.iter().map(|a| new.iter().map(|(_, b)| alike(a, b)).fold(0.0, f64::max)).sum();
    if share(most, most.floor() as usize) <= beaten {
        return None;
    }
    let mut best: Option<(Range<usize>, f64)> = None;
    let mut try_part = |part: &[(Range<usize>, &str)]| {
        let share = share(common(old, part), part.len());
        let place = part.first().zip(part.last()).map(|(a, b)| a.0.start..b.0.end);
        if let Some(place) = place.filter(|_| share > best.as_ref().map_or(beaten, |b| b.1)) {
            best = Some((place, share));
        }
    };
    try_part(new);
    if new.len() <= LONGEST {
        for length in old.len().saturating_sub(SLACK).max(1)..=old.len() + SLACK {
            new.windows(length).for_each(&mut try_part);
        }
    }
    best
}

/// The numbers that differ, paired in order.
fn changed(old: &str, new: &str, lang: &Lang) -> Vec<(String, String)> {
    let of = |text: &str| -> Vec<Mention> {
        number::mentions(text, lang).into_iter().filter(|m| m.claim || m.unit.is_some()).collect()
    };
    let (was, now) = (of(old), of(new));
    let only = |a: &[Mention], b: &[Mention], text: &str| -> Vec<String> {
        let new = a.iter().filter(|m| !b.iter().any(|o| same_value(m, o)));
        new.filter_map(|m| text.get(m.start..m.end)).map(|t| t.trim().to_owned()).collect()
    };
    let (gone, come) = (only(&was, &now, old), only(&now, &was, new));
    let n = gone.len().max(come.len());
    let at = |list: &[String], i: usize| list.get(i).cloned().unwrap_or_default();
    (0..n).map(|i| (at(&gone, i), at(&come, i))).collect()
}

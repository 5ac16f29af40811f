//! The right number of the wrong thing: a warning where another number of the passages stands nearer to the words of the
//! question than the one that the answer states.
//!
//! Words are weighed by how few sentences hold them. About half of such swaps are found, at a few false alarms in a hundred,
//! so nothing is decided by it.

use super::asked::Asked;
use super::evidence::{Claim, Found, Source};
use super::pieces::{Cut, is_combining, pieces};
use super::read::Sentence;
use crate::text::decimal::Decimal;
use crate::text::number::{Agreement, Dimension, Kind, Mention, NumberPack, Unit, agree, same_value};
use crate::text::pack::Lang;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::ops::Range;

/// How much more of the question, by weight, must stand beside the other number, of 1. One for all languages: the pieces of a
/// question weigh 1 together, however it is cut. As high as it may be so that of the wrong subjects of the even rows of
/// `scripts/numbers-real.py subject` more than half are told in each language, by more than the error of such a share (a
/// twentieth).
pub(super) const MARGIN: f64 = 0.38;

/// Vietnamese, Thai, Chinese and Japanese leave a subject out that the sentence before has named: what both sentences hold
/// together then counts for this much of the sentence's part.
const BEFORE: f64 = 0.5;

/// How many characters on each side of a number are its neighbourhood; half as many where a character is a word.
const WINDOW: usize = 60;

/// Where no mark ends a sentence, so many characters on each side stand for it.
const UNMARKED_WINDOW: usize = 100;

/// A question has no more different pieces than bits of a word; more are left out. The last bit marks what was not read.
const MOST: usize = 63;

/// What stands for a sentence without a number.
const UNREAD: u64 = 1 << 63;

/// The place of a hash in the filter: the word and its bit.
fn slot(piece: u32) -> (usize, u64) {
    ((piece >> 6 & 15) as usize, 1 << (piece & 63))
}

/// The pieces of the question, each with its bit, and what they weigh.
struct Question {
    bits: HashMap<u32, u32, RandomState>,
    /// One bit for each piece by the last bits of its hash: most pieces of a passage are told to be none of the question.
    filter: [u64; 16],
    weights: Vec<f64>,
    /// The sum of the weights.
    all: f64,
    cut: Cut,
}

impl Question {
    fn new(text: &str, cut: Cut) -> Self {
        let mut bits = HashMap::default();
        pieces(text, cut, |p| {
            let next = u32::try_from(bits.len()).unwrap_or(0);
            if bits.len() < MOST {
                bits.entry(p).or_insert(next);
            }
        });
        let weights = vec![0.0; bits.len()];
        let mut filter = [0; 16];
        for piece in bits.keys() {
            let (word, bit) = slot(*piece);
            if let Some(word) = filter.get_mut(word) {
                *word |= bit;
            }
        }
        Question { bits, filter, weights, all: 0.0, cut }
    }

    /// Its bit of a piece, if it is one.
    fn bit(&self, piece: u32) -> u64 {
        let (word, bit) = slot(piece);
        let maybe = self.filter.get(word).is_some_and(|w| w & bit != 0);
        if maybe { self.bits.get(&piece).map_or(0, |bit| 1 << bit) } else { 0 }
    }

    /// What a text holds of it.
    fn held(&self, text: &str) -> u64 {
        let mut held = 0;
        pieces(text, self.cut, |p| held |= self.bit(p));
        held
    }

    /// What a sentence of a text holds of it.
    fn held_by(&self, sentence: &Sentence, text: &str) -> u64 {
        sentence.pieces(text, self.cut).iter().fold(0, |held, p| held | self.bit(*p))
    }

    fn weigh(&mut self, sentences: &[u64]) {
        let n = sentences.len() as f64;
        for (bit, weight) in self.weights.iter_mut().enumerate() {
            let df = sentences.iter().filter(|s| *s >> bit & 1 == 1).count() as f64;
            // What no sentence holds tells none of them apart.
            *weight = if df > 0.0 { ((n + 1.0) / (df + 0.5)).ln() } else { 0.0 };
        }
        self.all = self.weights.iter().sum();
    }

    fn covered(&self, held: u64) -> f64 {
        let some: f64 = self.weights.iter().enumerate().filter(|(bit, _)| held >> bit & 1 == 1).map(|(_, w)| w).sum();
        if self.all > 0.0 { some / self.all } else { 0.0 }
    }
}

/// A passage with its numbers and sentences.
struct Passage<'t> {
    source: &'t Source<'t>,
    numbers: Vec<&'t Mention>,
    sentences: &'t [Sentence],
    /// What each sentence with a number holds of the question.
    held: Vec<u64>,
    /// The same with the sentence before it.
    both: Vec<u64>,
}

/// Notes a claim that a passage states where another number stands nearer to the question. All passages are looked at, also
/// those that the search for the claims did not need: the number that was asked about often stands in a lower one.
pub(super) fn compare(claims: &mut [Claim<'_>], asked: &Source<'_>, sources: &[Source<'_>], lang: &Lang) {
    let question = asked.text;
    if !claims.iter().any(|c| c.is_stated() && is_comparable(c.mention)) || question.is_empty() {
        return;
    }
    let pack = NumberPack::of(lang);
    let asked = asked.numbers(lang);
    let mut passages: Vec<Passage<'_>> = sources
        .iter()
        .map(|source| Passage {
            source,
            numbers: source.numbers(lang).iter().filter(|m| is_comparable(m)).collect(),
            sentences: &[],
            held: Vec::new(),
            both: Vec::new(),
        })
        .collect();
    let rivals: Vec<Vec<(usize, usize)>> = claims.iter().map(|c| rivals(c, claims, asked, &passages)).collect();
    if rivals.iter().all(Vec::is_empty) {
        return;
    }
    // A passage that holds neither the claim nor a rival has no part in it.
    let stated = |m: &Mention| claims.iter().any(|c| agree(c.mention, m) == Some(Agreement::Exact));
    let concerned: Vec<bool> = passages
        .iter()
        .enumerate()
        .map(|(p, passage)| {
            let rival = rivals.iter().flatten().any(|(of, _)| *of == p);
            rival || passage.numbers.iter().any(|m| stated(m))
        })
        .collect();
    let wanted = Asked::of(question, pack);
    let cut = Cut::of(lang);
    let mut words = Question::new(question, cut);
    for (p, _) in passages.iter_mut().zip(concerned).filter(|(_, concerned)| *concerned) {
        p.sentences = p.source.sentences(lang);
        let numbered = |s: &Range<usize>| {
            let next = p.numbers.partition_point(|m| m.start < s.start);
            p.numbers.get(next).is_some_and(|m| m.start < s.end)
        };
        let read = |s: &Sentence| cut == Cut::UNMARKED || numbered(&s.place);
        let held = |s: &Sentence| if read(s) { words.held_by(s, p.source.text) } else { UNREAD };
        p.held = p.sentences.iter().map(held).collect();
        let before = |i: usize| {
            let read = p.held.get(i).copied().filter(|h| *h != UNREAD);
            read.or_else(|| Some(words.held_by(p.sentences.get(i)?, p.source.text)))
        };
        let both = |(i, held): (usize, &u64)| match *held {
            UNREAD => UNREAD,
            held => held | i.checked_sub(1).and_then(before).unwrap_or(0),
        };
        p.both = if cut == Cut::Words { Vec::new() } else { p.held.iter().enumerate().map(both).collect() };
    }
    // Words are weighed over the sentences that hold numbers: between those is to be chosen.
    let all: Vec<u64> = passages.iter().flat_map(|p| p.held.iter().copied()).filter(|h| *h != UNREAD).collect();
    words.weigh(&all);
    let window = if matches!(cut, Cut::Characters(2)) { WINDOW / 2 } else { WINDOW };
    // Nothing where the score stays below `least` however near the words stand: the neighbourhood need not be read then.
    let score = |p: usize, m: usize, least: f64| {
        let passage = passages.get(p)?;
        let mention = passage.numbers.get(m)?;
        let at = passage.sentences.partition_point(|s| s.place.end <= mention.start);
        let sentence = &passage.sentences.get(at)?.place;
        let whole = 0..passage.source.text.len();
        let (within, held, both) = if cut == Cut::UNMARKED {
            let wide = words.held(around(passage.source.text, &whole, mention, UNMARKED_WINDOW));
            (&whole, wide, wide)
        } else {
            let held = |of: &[u64]| of.get(at).copied().unwrap_or(0);
            (sentence, held(&passage.held), held(&passage.both))
        };
        let before = if cut == Cut::Words { 0.0 } else { BEFORE };
        let told = 0.7 * ((1.0 - before) * words.covered(held) + before * words.covered(both));
        if told + 0.3 < least {
            return None;
        }
        Some(told + 0.3 * words.covered(words.held(around(passage.source.text, within, mention, window))))
    };
    for (claim, rivals) in claims.iter_mut().zip(rivals) {
        if rivals.is_empty() {
            continue;
        }
        let own = passages.iter().enumerate().flat_map(|(p, passage)| {
            let states = |m: &Mention| agree(claim.mention, m) == Some(Agreement::Exact);
            passage.numbers.iter().enumerate().filter(move |(_, m)| states(m)).map(move |(m, _)| (p, m))
        });
        let own: Vec<f64> = own.filter_map(|(p, m)| score(p, m, 0.0)).collect();
        let Some(own) = own.into_iter().reduce(f64::max) else { continue };
        let enough = own + MARGIN - f64::EPSILON.sqrt();
        let best = rivals.into_iter().filter_map(|(p, m)| {
            let other = passages.get(p)?.numbers.get(m)?;
            let preferred = wanted.prefers(other, claim.mention);
            Some((score(p, m, enough - preferred - 0.01)? + preferred, p, m))
        });
        let Some((best, p, m)) = best.reduce(|a, b| if b.0 > a.0 { b } else { a }) else { continue };
        if best >= enough
            && let Some(passage) = passages.get(p)
            && let Some(mention) = passage.numbers.get(m)
        {
            let text = passage.source.text.get(mention.start..mention.end).unwrap_or_default().to_owned();
            claim.preferred = Some(Found { passage: passage.source.rank, text });
        }
    }
}

/// A date, or a bare number that may be a year.
pub(super) fn is_dated(m: &Mention) -> bool {
    let year = |v: Decimal| v.is_whole() && (Decimal::from(1000)..Decimal::from(3000)).contains(&v);
    m.kind == Kind::Date || (m.unit.is_none() && !m.ambiguous && m.value().is_some_and(year))
}

/// Numbers and dates; no times, codes and phone numbers.
fn is_comparable(m: &Mention) -> bool {
    m.kind.has_value() || m.kind == Kind::Date
}

/// Numbers of the passages of the claim's dimension that stand neither in the question nor in the answer.
fn rivals(claim: &Claim<'_>, claims: &[Claim<'_>], asked: &[Mention], passages: &[Passage<'_>]) -> Vec<(usize, usize)> {
    if !claim.is_stated() || !is_comparable(claim.mention) {
        return Vec::new();
    }
    let dimension = |m: &Mention| m.unit.map(Unit::dimension);
    // A number without a unit may count anything.
    let alike = |a: Option<Dimension>, b: Option<Dimension>| a.is_none() || b.is_none() || a == b;
    let said = |m: &Mention| claims.iter().any(|c| same_value(c.mention, m)) || asked.iter().any(|q| same_value(q, m));
    let mut out = Vec::new();
    for (p, passage) in passages.iter().enumerate() {
        for (i, m) in passage.numbers.iter().enumerate() {
            if alike(dimension(m), dimension(claim.mention)) && !said(m) {
                out.push((p, i));
            }
        }
    }
    out
}

/// So many characters on each side of a number, within its sentence.
fn around<'t>(text: &'t str, sentence: &Range<usize>, m: &Mention, window: usize) -> &'t str {
    let before = text.get(sentence.start..m.start).unwrap_or_default();
    let start = before
        .char_indices()
        .rev()
        .filter(|(_, c)| !is_combining(*c))
        .nth(window - 1)
        .map_or(sentence.start, |(i, _)| sentence.start + i);
    let behind = text.get(m.end..sentence.end).unwrap_or_default();
    let end = behind
        .char_indices()
        .filter(|(_, c)| !is_combining(*c))
        .nth(window)
        .map_or(sentence.end.max(m.end), |(i, _)| m.end + i);
    text.get(start..end).unwrap_or_default()
}

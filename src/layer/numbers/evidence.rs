//! The search for evidence: each claim keeps the best that was found for it, and texts are read no further than needed.

use super::Status;
use super::read::{Read, Sentence, read};
use crate::text::decimal::{Decimal, SHORT};
use crate::text::number::{self, Agreement, Kind, Mention, NumberPack, agree, identity, stands};
use crate::text::pack::Lang;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Up to this many different open claims, each is compared with each number of a passage, by all rules. An answer with
/// more (a table, or an attack) is looked up by value: equal readings, converted units, equal keys; no rounding.
const ONE_BY_ONE: usize = 256;

/// Where evidence is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// The passages that were in the prompt.
    Passages,
    /// What the suite allows.
    Allowed,
    /// The question.
    Question,
}

/// A number of a passage.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Rank of the passage, from 1; 0 for the question.
    pub(super) passage: usize,
    /// The text of the number, with its unit.
    pub(super) text: String,
}

/// A number of the answer, and what was found for it.
#[derive(Debug)]
pub(super) struct Claim<'m> {
    pub(super) mention: &'m Mention,
    allowed: bool,
    in_passages: Option<Agreement>,
    in_question: bool,
    /// Computed from numbers that stand somewhere: how, for the message.
    pub(super) derived: Option<String>,
    /// Another number of the passages that answers the question better.
    pub(super) preferred: Option<Found>,
    /// What agrees best.
    pub(super) best: Option<Found>,
    /// Of the same unit, and what was most likely meant: another digit, or the nearest value. For the message.
    pub(super) nearest: Option<Found>,
    distance: Option<(bool, Decimal)>,
}

impl<'m> Claim<'m> {
    pub(super) fn new(mention: &'m Mention, allowed: bool) -> Self {
        Claim {
            mention,
            allowed,
            in_passages: None,
            in_question: false,
            derived: None,
            preferred: None,
            best: None,
            nearest: None,
            distance: None,
        }
    }

    /// Whether a passage of the prompt states it by its usual reading.
    pub(super) fn is_stated(&self) -> bool {
        matches!(self.in_passages, Some(Agreement::Exact | Agreement::Qualifier))
    }

    /// What is known by now.
    pub(super) fn status(&self) -> Status {
        match self.in_passages {
            Some(Agreement::Exact) if self.preferred.is_some() => Status::SuspectSubject,
            Some(Agreement::Exact) => Status::Grounded,
            Some(Agreement::Qualifier) => Status::UnitQualifier,
            Some(Agreement::OtherReading | Agreement::Rounded | Agreement::Approximate) => Status::GroundedMinor,
            _ if self.allowed => Status::Allowed,
            _ if self.in_question => Status::QuestionOnly,
            _ if self.derived.is_some() => Status::Derived,
            Some(Agreement::UnitConflict) => Status::UnitMismatch,
            None => Status::Ungrounded,
        }
    }

    /// Whether more text of that kind could change the status.
    fn open(&self, from: From) -> bool {
        match from {
            From::Passages => self.in_passages != Some(Agreement::Exact),
            From::Allowed | From::Question => self.status().is_fault(),
        }
    }

    fn take(&mut self, from: From, agreement: Agreement, found: impl FnOnce() -> Found) {
        match from {
            From::Passages => {
                if self.in_passages.is_none_or(|old| agreement < old) {
                    self.in_passages = Some(agreement);
                    self.best = Some(found());
                }
            }
            From::Allowed => self.allowed |= agreement != Agreement::UnitConflict,
            From::Question => self.in_question |= agreement != Agreement::UnitConflict,
        }
    }

    /// Remembers evidence of the same unit that a slip of one digit tells apart, else that of the nearest value.
    fn note(&mut self, evidence: &Mention, found: impl FnOnce() -> Found) {
        if self.mention.unit.is_none() || self.mention.unit != evidence.unit {
            return;
        }
        let (Some(a), Some(b)) = (self.mention.value(), evidence.value()) else { return };
        let Some(distance) = a.distance(b) else { return };
        // Behind a slip that is as near, it need not be known whether this is one.
        if matches!(self.distance, Some((false, least)) if distance >= least) {
            return;
        }
        let distance = (!is_one_slip(a, b), distance);
        if self.distance.is_none_or(|d| distance < d) {
            self.distance = Some(distance);
            self.nearest = Some(found());
        }
    }
}

/// Claims that state the same, once, and for each mention the index of its claim.
pub(super) fn distinct<'m>(
    mentions: &'m [Mention],
    allowed: impl Fn(&Mention) -> bool,
) -> (Vec<Claim<'m>>, Vec<usize>) {
    let mut claims: Vec<Claim<'m>> = Vec::new();
    let mut index = HashMap::new();
    let which = mentions
        .iter()
        .map(|m| {
            *index
                .entry((&m.readings, &m.dates, m.unit, m.kind, &m.key, (m.step, m.working, m.approximate)))
                .or_insert_with(|| {
                    claims.push(Claim::new(m, allowed(m)));
                    claims.len() - 1
                })
        })
        .collect();
    (claims, which)
}

/// Open claims by what evidence for them must equal.
struct Index {
    values: HashMap<Decimal, Vec<usize>>,
    keys: HashMap<String, Vec<usize>>,
}

impl Index {
    fn new(claims: &[Claim<'_>], open: &[usize]) -> Self {
        let mut index = Index { values: HashMap::new(), keys: HashMap::new() };
        for i in open {
            let Some(m) = claims.get(*i).map(|c| c.mention) else { continue };
            for value in values(m) {
                index.values.entry(value).or_default().push(*i);
            }
            if !m.key.is_empty() {
                index.keys.entry(identity(&m.key)).or_default().push(*i);
            }
        }
        index
    }

    fn candidates(&self, evidence: &Mention) -> Vec<usize> {
        let by_value = values(evidence).into_iter().filter_map(|v| self.values.get(&v)).flatten();
        let by_key = self.keys.get(&identity(&evidence.key)).into_iter().flatten();
        let mut all: Vec<usize> = by_value.chain(by_key).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The readings, as they are and in the base of their unit.
fn values(m: &Mention) -> Vec<Decimal> {
    let base = m.readings.iter().filter_map(|r| m.unit.and_then(|u| u.in_base(*r)));
    m.readings.iter().copied().chain(base).collect()
}

/// Whether one digit of a value was changed, added or left out. Nearly all have few digits, which are written without memory
/// of their own.
fn is_one_slip(a: Decimal, b: Decimal) -> bool {
    let (mut short_a, mut short_b) = ([0; SHORT], [0; SHORT]);
    match (a.short(&mut short_a), b.short(&mut short_b)) {
        (Some(a), Some(b)) => one_slip(a, b),
        _ => one_slip(a.to_string().as_bytes(), b.to_string().as_bytes()),
    }
}

/// Whether one byte was changed, added or left out.
fn one_slip(a: &[u8], b: &[u8]) -> bool {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    match b.len() - a.len() {
        0 => a.get(same + 1..) == b.get(same + 1..),
        1 => a.get(same..) == b.get(same + 1..),
        _ => false,
    }
}

/// A text with its rank and the document that it is of, and what was read of it.
#[derive(Debug)]
pub(super) struct Source<'t> {
    /// Rank of the passage, from 1; 0 for the question.
    pub(super) rank: usize,
    pub(super) text: &'t str,
    pub(super) doc: Option<&'t str>,
    read: OnceCell<Arc<Read>>,
}

impl<'t> Source<'t> {
    pub(super) fn new(rank: usize, text: &'t str, doc: Option<&'t str>) -> Self {
        Source { rank, text, doc, read: OnceCell::new() }
    }

    fn read(&self, lang: &Lang) -> &Read {
        self.read.get_or_init(|| read(self.text, lang))
    }

    /// The numbers of digits and characters.
    pub(super) fn numbers(&self, lang: &Lang) -> &[Mention] {
        self.read(lang).numbers(self.text, lang)
    }

    /// All numbers.
    pub(super) fn spelled(&self, lang: &Lang) -> &[Mention] {
        self.read(lang).spelled(self.text, lang)
    }

    /// The sentences.
    pub(super) fn sentences(&self, lang: &Lang) -> &[Sentence] {
        self.read(lang).sentences(self.text, lang)
    }
}

/// The decimal marks that documents prove, found out when first asked for: a passage is a piece of its document.
struct Conventions<'t> {
    sources: &'t [Source<'t>],
    lang: &'t Lang,
    known: HashMap<usize, Option<char>>,
}

impl Conventions<'_> {
    fn of(&mut self, source: &Source<'_>) -> Option<char> {
        if let Some(known) = self.known.get(&source.rank) {
            return *known;
        }
        let same = |s: &&Source<'_>| s.rank == source.rank || (s.doc.is_some() && s.doc == source.doc);
        let marks = self.sources.iter().filter(same).flat_map(|s| s.numbers(self.lang));
        let mark = number::one_convention(marks.filter_map(|m| m.convention));
        self.known.insert(source.rank, mark);
        mark
    }

    /// The mark that decides how an ambiguous number of a text is read first.
    fn of_ambiguous(&mut self, source: &Source<'_>, evidence: &Mention) -> Option<char> {
        if evidence.ambiguous { self.of(source) } else { None }
    }
}

/// Searches texts for what the claims state: numbers of digits and characters first, then, for what is still open, numbers
/// in words, which cost more to find. Of very many claims most are found by value; how the rest is compared is decided
/// between the passes, so that the order of the texts has no part in it.
pub(super) fn search(claims: &mut [Claim<'_>], sources: &[Source<'_>], lang: &Lang, from: From) {
    let mut conventions = Conventions { sources, lang, known: HashMap::new() };
    let mut open: Vec<usize> = (0..claims.len()).collect();
    let mut by_value = false;
    for (words, again) in [(false, false), (false, true), (true, false)] {
        open.retain(|i| claims.get(*i).is_some_and(|c| c.open(from)));
        let many = open.len() > ONE_BY_ONE;
        if again && (many || !by_value) {
            continue;
        }
        by_value = many;
        for source in sources {
            open.retain(|i| claims.get(*i).is_some_and(|c| c.open(from)));
            if open.is_empty() {
                return;
            }
            search_one(claims, &mut open, source, (lang, words, from, by_value), &mut conventions);
        }
    }
}

/// One text. What becomes certain is taken out of the open ones.
fn search_one(
    claims: &mut [Claim<'_>],
    open: &mut Vec<usize>,
    source: &Source<'_>,
    (lang, words, from, by_value): (&Lang, bool, From, bool),
    conventions: &mut Conventions<'_>,
) {
    let text = source.text;
    let found = |start: usize, end: usize| Found {
        passage: source.rank,
        text: text.get(start..end).unwrap_or_default().to_owned(),
    };
    let index = by_value.then(|| Index::new(claims, open));
    let mentions = if words { source.spelled(lang) } else { source.numbers(lang) };
    let mut years: Vec<i32> = Vec::new();
    let mut yearless: Vec<(usize, Found)> = Vec::new();
    for evidence in mentions {
        years.extend(evidence.dates.iter().filter_map(|d| d.year));
        years.extend(evidence.value().and_then(Decimal::to_i64).and_then(|v| i32::try_from(v).ok()));
        let here = || found(evidence.start, evidence.end);
        let some = index.as_ref().map(|index| index.candidates(evidence));
        let mut closed = false;
        for i in some.as_ref().unwrap_or(open) {
            let Some(claim) = claims.get_mut(*i).filter(|c| c.open(from)) else { continue };
            if let Some(agreement) = agree(claim.mention, evidence) {
                let agreement = match conventions.of_ambiguous(source, evidence) {
                    Some(mark) => {
                        let mut taken = evidence.clone();
                        number::take_convention(&mut taken, Some(mark), NumberPack::of(lang));
                        agree(claim.mention, &taken).unwrap_or(agreement)
                    }
                    None => agreement,
                };
                claim.take(from, agreement, here);
            } else if claim.mention.kind == Kind::Date && day_of(claim.mention, evidence) {
                yearless.push((*i, here()));
            }
            claim.note(evidence, here);
            closed |= !claim.open(from);
        }
        if closed && index.is_none() {
            open.retain(|i| claims.get(*i).is_some_and(|c| c.open(from)));
            if open.is_empty() {
                return;
            }
        }
    }
    // The day stands here without its year, and the year elsewhere in the text.
    for (i, place) in yearless {
        let Some(claim) = claims.get_mut(i) else { continue };
        if claim.mention.dates.iter().filter_map(|d| d.year).any(|y| years.contains(&y)) {
            claim.take(from, Agreement::OtherReading, || place);
        }
    }
    for i in open.iter().take(if words { 0 } else { ONE_BY_ONE }) {
        let Some(claim) = claims.get_mut(*i).filter(|c| c.open(from)) else { continue };
        if matches!(claim.mention.kind, Kind::Code | Kind::Phone)
            && let Some((start, end)) = stands(text, &claim.mention.key)
        {
            claim.take(from, Agreement::Exact, || found(start, end));
        }
    }
}

/// Whether evidence states the month and day of a date, and no year.
fn day_of(claim: &Mention, evidence: &Mention) -> bool {
    let day = claim.dates.iter().filter(|d| d.year.is_some() && d.month.is_some()).map(|d| d.without_year());
    let yearless: Vec<_> = evidence.dates.iter().filter(|d| d.year.is_none()).collect();
    day.into_iter().any(|d| yearless.iter().any(|e| d.stated_by(**e)))
}

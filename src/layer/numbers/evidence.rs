//! The search for evidence: each claim keeps the best that was found for it, and texts are read no further than needed.

use super::Status;
use crate::text::decimal::Decimal;
use crate::text::number::{Agreement, Kind, Mention, Mentions, NumberPack, agree, identity, stands};
use crate::text::pack::Lang;
use std::collections::{HashMap, VecDeque};

/// Up to this many different open claims, each is compared with each number of a passage, by all rules. An answer with
/// more (a table, or an attack) is looked up by value: equal readings, converted units, equal keys; no rounding.
const ONE_BY_ONE: usize = 256;

/// Where evidence is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    /// The passages that were in the prompt.
    Passages,
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
    /// What agrees best.
    pub(super) best: Option<Found>,
    /// Of the same unit, and what was most likely meant: another digit, or the nearest value. For the message.
    pub(super) nearest: Option<Found>,
    distance: Option<(bool, Decimal)>,
}

impl<'m> Claim<'m> {
    pub(super) fn new(mention: &'m Mention, allowed: bool) -> Self {
        Claim { mention, allowed, in_passages: None, in_question: false, best: None, nearest: None, distance: None }
    }

    /// What is known by now.
    pub(super) fn status(&self) -> Status {
        match self.in_passages {
            Some(Agreement::Exact) => Status::Grounded,
            Some(Agreement::OtherReading | Agreement::Rounded) => Status::GroundedMinor,
            _ if self.allowed => Status::Allowed,
            _ if self.in_question => Status::QuestionOnly,
            Some(Agreement::UnitConflict) => Status::UnitMismatch,
            None => Status::Ungrounded,
        }
    }

    /// Whether more text of that kind could change the status.
    fn open(&self, from: From) -> bool {
        match from {
            From::Passages => self.in_passages != Some(Agreement::Exact),
            From::Question => self.status().is_fault(),
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
        let distance = (!one_slip(&a.to_string(), &b.to_string()), distance);
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
            *index.entry((&m.readings, m.unit, m.kind, &m.key, m.step)).or_insert_with(|| {
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

/// Whether one digit was changed, added or left out.
fn one_slip(a: &str, b: &str) -> bool {
    let (a, b) = if a.len() <= b.len() { (a.as_bytes(), b.as_bytes()) } else { (b.as_bytes(), a.as_bytes()) };
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    match b.len() - a.len() {
        0 => a.get(same + 1..) == b.get(same + 1..),
        1 => a.get(same..) == b.get(same + 1..),
        _ => false,
    }
}

/// Searches texts, each with its rank, for what the claims state.
pub(super) fn search(claims: &mut [Claim<'_>], texts: &[(usize, &str)], lang: &Lang, from: From) {
    let pack = NumberPack::of(lang);
    let mut open: Vec<usize> = (0..claims.len()).collect();
    for (rank, text) in texts {
        open.retain(|i| claims.get(*i).is_some_and(|c| c.open(from)));
        if open.is_empty() {
            return;
        }
        let found = |start: usize, end: usize| Found {
            passage: *rank,
            text: text.get(start..end).unwrap_or_default().to_owned(),
        };
        let index = (open.len() > ONE_BY_ONE).then(|| Index::new(claims, &open));
        let mut last: VecDeque<Decimal> = VecDeque::with_capacity(4);
        for evidence in Mentions::new(text, pack) {
            if let Some(v) = evidence.value() {
                if last.len() == 3 {
                    last.pop_front();
                }
                last.push_back(v);
            }
            let here = || found(evidence.start, evidence.end);
            let some = index.as_ref().map(|index| index.candidates(&evidence));
            let mut closed = false;
            for i in some.as_ref().unwrap_or(&open) {
                let Some(claim) = claims.get_mut(*i).filter(|c| c.open(from)) else { continue };
                if let Some(agreement) = agree(claim.mention, &evidence) {
                    claim.take(from, agreement, here);
                } else if dated(claim.mention, &last) {
                    claim.take(from, Agreement::Exact, here);
                }
                claim.note(&evidence, here);
                closed |= !claim.open(from);
            }
            if closed && index.is_none() {
                open.retain(|i| claims.get(*i).is_some_and(|c| c.open(from)));
                if open.is_empty() {
                    return;
                }
            }
        }
        for i in open.iter().take(ONE_BY_ONE) {
            let Some(claim) = claims.get_mut(*i).filter(|c| c.open(from)) else { continue };
            let place = match claim.mention.kind {
                Kind::Code | Kind::Phone => stands(text, &claim.mention.key),
                Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money => pack.find_spelled(text, claim.mention),
                Kind::Date | Kind::Time | Kind::Ratio => None,
            };
            if let Some((start, end)) = place {
                claim.take(from, Agreement::Exact, || found(start, end));
            }
        }
    }
}

/// A date of digits against the same components written one after another (`30 tháng 11 năm 2026`).
fn dated(claim: &Mention, last: &VecDeque<Decimal>) -> bool {
    if claim.kind != Kind::Date || last.len() < claim.readings.len() {
        return false;
    }
    let forward = last.iter().eq(claim.readings.iter());
    forward || last.iter().rev().eq(claim.readings.iter())
}

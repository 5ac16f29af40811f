//! The search for evidence: each claim keeps the best that was found for it, and texts are read no further than needed.

use super::Status;
use crate::text::decimal::Decimal;
use crate::text::number::{Agreement, Kind, Mention, Mentions, NumberPack, agree, stands};
use crate::text::pack::Lang;
use std::collections::VecDeque;

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

    /// What is known by now (rules.md 1.2).
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
    let open = |claims: &[Claim<'_>]| claims.iter().any(|c| c.open(from));
    for (rank, text) in texts {
        if !open(claims) {
            return;
        }
        let found = |start: usize, end: usize| Found {
            passage: *rank,
            text: text.get(start..end).unwrap_or_default().to_owned(),
        };
        let mut last: VecDeque<Decimal> = VecDeque::with_capacity(4);
        for evidence in Mentions::new(text, pack) {
            if let Some(v) = evidence.value() {
                if last.len() == 3 {
                    last.pop_front();
                }
                last.push_back(v);
            }
            for claim in claims.iter_mut().filter(|c| c.open(from)) {
                if let Some(agreement) = agree(claim.mention, &evidence) {
                    claim.take(from, agreement, || found(evidence.start, evidence.end));
                } else if dated(claim.mention, &last) {
                    claim.take(from, Agreement::Exact, || found(evidence.start, evidence.end));
                }
                claim.note(&evidence, || found(evidence.start, evidence.end));
            }
            if !open(claims) {
                return;
            }
        }
        for claim in claims.iter_mut().filter(|c| c.open(from)) {
            let place = match claim.mention.kind {
                Kind::Code | Kind::Phone => stands(text, &claim.mention.key),
                Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money => word(text, claim.mention, pack),
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

/// The single word that spells a whole number, with a unit that does not conflict (`bảy ngày` for `7 ngày`).
fn word(text: &str, claim: &Mention, pack: &NumberPack) -> Option<(usize, usize)> {
    pack.find_spelled(text, claim)
}

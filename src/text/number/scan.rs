//! The scan: from one digit to the next, and what is made of each.

use super::candidates::next_candidate;
use super::digits::{self, Form, digit};
use super::mask::{self, char_at, char_before};
use super::pack::{NumberPack, is_spaced_letter};
use super::typed::{identifier_tail, joined, phone};
use super::{Dimension, Kind, Mention, Unit, han};
use crate::text::decimal::Decimal;
use std::collections::VecDeque;

/// The numbers of a text, found lazily.
#[derive(Debug)]
pub struct Mentions<'t> {
    pub(super) text: &'t str,
    pub(super) pack: &'static NumberPack,
    /// Nothing before this byte belongs to the next mention.
    pub(super) floor: usize,
    at: usize,
    ready: VecDeque<Mention>,
    /// The last one, which a unit behind its neighbour may still reach (`7–10 ngày`).
    held: Option<Mention>,
}

impl<'t> Mentions<'t> {
    /// Scans a text with the number words of a language.
    pub fn new(text: &'t str, pack: &'static NumberPack) -> Self {
        Mentions { text, pack, floor: 0, at: 0, ready: VecDeque::new(), held: None }
    }

    /// Goes on behind a piece that is done.
    fn pass(&mut self, end: usize) {
        self.at = end.max(self.at + 1);
        self.floor = end;
    }

    fn push(&mut self, mention: Mention) {
        let end = mention.end;
        self.ready.push_back(mention);
        self.pass(end);
    }

    /// Parses from the next digit on, until at least one mention is ready. False at the end of the text.
    fn advance(&mut self) -> bool {
        while let Some(at) = next_candidate(self.text.as_bytes(), self.at) {
            self.at = at;
            let Some(c) = char_at(self.text, at) else {
                self.at += 1;
                continue;
            };
            if digit(c).is_some() {
                self.number(at);
            } else if han::begins(c) {
                self.numeral(at, None);
            } else {
                self.at = at + c.len_utf8();
            }
            if !self.ready.is_empty() {
                return true;
            }
        }
        false
    }

    fn numeral(&mut self, at: usize, percent_from: Option<usize>) {
        let text = self.text;
        let rest = text.get(at..).unwrap_or_default();
        if percent_from.is_none()
            && let Some(tail) = rest.strip_prefix("百分之")
        {
            let inner = at + rest.len() - tail.len();
            match char_at(text, inner) {
                Some(c) if digit(c).is_some() => {
                    self.at = inner;
                    self.floor = inner;
                    self.number(inner);
                    if let Some(m) = self.ready.back_mut().filter(|m| m.kind == Kind::Number) {
                        (m.kind, m.unit, m.start) = (Kind::Percent, Some(Unit::PERCENT), at);
                    }
                }
                Some(c) if han::begins(c) => self.numeral(inner, Some(at)),
                _ => self.pass(inner),
            }
            return;
        }
        let Some(found) = han::numeral(text, at, self.pack.numerals) else {
            return self.pass(at + rest.chars().next().map_or(1, char::len_utf8));
        };
        let before = char_before(text, self.floor, at);
        if before.is_some_and(|c| self.pack.stop_after.contains(&c)) {
            return self.pass(found.end);
        }
        let mut m = Mention::bare(found.readings, at, found.end);
        m.spelled = true;
        if percent_from.is_some() {
            m.unit = Some(Unit::PERCENT);
            m.start = percent_from.unwrap_or(at);
        } else {
            self.attach_unit(&mut m);
        }
        if m.unit.is_none()
            && let Some((_, end)) = self.pack.stop.at(text, at)
        {
            return self.pass(end.max(found.end));
        }
        if m.readings.is_empty() {
            return self.pass(found.end);
        }
        let two = m.value().is_some_and(|v| v >= Decimal::from(2));
        let counted = m.unit.is_some_and(|u| u != Unit::COUNT);
        let ordinal = matches!(before, Some('第'));
        m.claim = !ordinal && (found.chars >= 2 || (two && counted));
        m.settle_kind();
        self.push(m);
    }

    fn number(&mut self, at: usize) {
        let (text, floor, pack) = (self.text, self.floor, self.pack);
        let masked = mask::address(text, floor, at)
            .or_else(|| mask::citation(text, floor, at))
            .or_else(|| mask::list_marker(text, at, pack))
            .or_else(|| mask::enumerator(text, floor, at, pack));
        if let Some(end) = masked {
            return self.pass(end);
        }
        if let Some(start) = mask::identifier_start(text, floor, at, pack) {
            return self.push(Mention::keyed(Kind::Code, text, start, mask::identifier_end(text, at)));
        }
        if let Some(m) = phone(text, floor, at) {
            return self.push(m);
        }
        let run = digits::run(text, at, pack);
        if let Some(m) = joined(text, at, &run) {
            return self.push(m);
        }
        let (readings, step, convention, ambiguous) = match digits::read(&run, pack) {
            Form::Number { readings, step, convention, ambiguous } => (readings, step, convention, ambiguous),
            Form::List => {
                let mut from = 0;
                for g in &run.groups {
                    let part = run.digits.get(from..from + g.len).unwrap_or_default();
                    from += g.len;
                    let mut m = Mention::bare(Decimal::parse(part).into_iter().collect(), g.start, g.end);
                    m.key = part.to_owned();
                    if !m.readings.is_empty() {
                        self.ready.push_back(m);
                    }
                }
                return self.pass(run.end);
            }
            Form::Identifier => {
                let m = Mention::keyed(Kind::Code, text, at, mask::identifier_end(text, run.end));
                return self.push(m);
            }
        };
        let mut m = Mention::bare(readings, at, run.end);
        m.key = if run.seps.is_empty() { run.digits.clone() } else { ascii_digits(text.get(at..run.end)) };
        (m.step, m.convention, m.ambiguous) = (step, convention, ambiguous);
        self.sign(&mut m);
        self.fraction(&mut m);
        let ahead = mask::prefix(text, floor, m.start, pack);
        self.attach_magnitude(&mut m, ahead.is_some());
        self.attach_unit(&mut m);
        if m.unit.is_none()
            && m.end == run.end
            && let Some(end) = identifier_tail(text, run.end)
        {
            return self.push(Mention::keyed(Kind::Code, text, at, end));
        }
        if let Some((unit, start)) = ahead {
            let symbol = !char_at(text, start).is_some_and(is_spaced_letter);
            if m.unit.is_none() || (symbol && unit.dimension() == Dimension::Money) {
                (m.unit, m.start) = (Some(unit), start);
            }
        }
        m.settle_kind();
        self.push(m);
    }

    /// Gives the unit and magnitude of a range's right end to its bare left end.
    fn range(&self, left: &mut Mention, right: &mut Mention) {
        if left.kind != Kind::Number || !right.kind.has_value() || left.spelled != right.spelled {
            return;
        }
        let Some(gap) = text_between(self.text, left.end, right.start) else { return };
        if gap.len() > 16 || gap.contains('\n') {
            return;
        }
        let dash = |s: &str| matches!(s, "-" | "–" | "—" | "~" | "〜" | "～" | "\u{2212}" | "\u{2011}");
        let trimmed = gap.trim();
        let signed =
            trimmed.is_empty() && self.text.get(right.start..).is_some_and(|t| t.starts_with(['-', '\u{2212}']));
        let word = || {
            let at = left.end + (gap.len() - gap.trim_start().len());
            self.pack.range.at(self.text, at).is_some_and(|(_, end)| end == left.end + gap.trim_end().len())
        };
        if !(signed || dash(trimmed) || word()) {
            return;
        }
        if signed {
            right.readings.drain(..right.readings.len() / 2);
        }
        left.unit = right.unit;
        // `3-5 triệu`: the magnitude too, where the left end stays below the right one.
        let shift = right.magnitude;
        if let (true, Some(l), Some(r)) = (shift > 0, left.value(), right.value())
            && l.shifted(shift) < r
        {
            let bare = left.readings.clone();
            left.readings = bare.iter().map(|v| v.shifted(shift)).chain(bare.iter().copied()).collect();
            (left.step, left.magnitude) = (left.step.saturating_add(shift), shift);
        }
        // `1038-40`: the years 1038 and 1040.
        if let (Some(l), Some(r)) = (left.value(), right.value()) {
            let year = left.key.len() == 4 && right.key.len() == 2 && left.unit.is_none();
            let century = l.shifted(-2).rounded_down().shifted(2);
            if let (true, Some(full)) = (year && r < l, century.checked_add(r)) {
                right.readings.insert(0, full);
            }
        }
        left.settle_kind();
    }
}

impl Iterator for Mentions<'_> {
    type Item = Mention;

    fn next(&mut self) -> Option<Mention> {
        loop {
            if self.ready.is_empty() && !self.advance() {
                return self.held.take();
            }
            let Some(mut next) = self.ready.pop_front() else { continue };
            let Some(mut held) = self.held.take() else {
                self.held = Some(next);
                continue;
            };
            self.range(&mut held, &mut next);
            self.held = Some(next);
            return Some(held);
        }
    }
}

/// A text with its digits as ASCII.
fn ascii_digits(text: Option<&str>) -> String {
    text.unwrap_or_default().chars().map(|c| digit(c).map_or(c, |d| char::from(b'0' + d))).collect()
}

fn text_between(text: &str, start: usize, end: usize) -> Option<&str> {
    if start <= end { text.get(start..end) } else { None }
}

impl Mention {
    /// A number with nothing but its readings and its place.
    pub(crate) fn bare(readings: Vec<Decimal>, start: usize, end: usize) -> Self {
        Mention {
            readings,
            unit: None,
            kind: Kind::Number,
            key: String::new(),
            step: 0,
            magnitude: 0,
            spelled: false,
            claim: true,
            convention: None,
            ambiguous: false,
            start,
            end,
        }
    }

    pub(super) fn keyed(kind: Kind, text: &str, start: usize, end: usize) -> Self {
        let key = text.get(start..end).unwrap_or_default().to_owned();
        Mention { kind, key, ..Mention::bare(Vec::new(), start, end) }
    }

    fn settle_kind(&mut self) {
        // `40,000đ` and `40.000đ` are the same price in every language: a currency without a smaller coin has no decimals.
        if self.ambiguous && self.unit.is_some_and(Unit::is_undivided) {
            self.readings.sort_by_key(|r| !r.is_whole());
            self.ambiguous = false;
        }
        self.kind = match self.unit {
            None => Kind::Number,
            Some(Unit::PERCENT) => Kind::Percent,
            Some(u) if u.dimension() == Dimension::Money => Kind::Money,
            Some(_) => Kind::Quantity,
        };
    }
}

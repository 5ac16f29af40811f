//! The scan: from one digit to the next, and the neighbourhood of each.

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
    text: &'t str,
    pack: &'static NumberPack,
    /// Nothing before this byte belongs to the next mention.
    floor: usize,
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

    /// A minus sign, or a decimal point without a digit in front (`.5`).
    fn sign(&self, m: &mut Mention) {
        let Some(c) = char_before(self.text, self.floor, m.start) else { return };
        let place = m.start - c.len_utf8();
        let free = place == 0
            || self
                .text
                .get(..place)
                .and_then(|t| t.chars().next_back())
                .is_some_and(|b| b.is_whitespace() || matches!(b, '(' | ':' | '"' | '（' | '：'));
        match c {
            '-' | '\u{2212}' | '－' if free => {
                // The dash may also be a bullet: the plain value is the second reading.
                let plain = m.readings.clone();
                m.readings = plain.iter().filter_map(|r| r.negated()).chain(plain.iter().copied()).collect();
                m.start = place;
            }
            '.' if free && m.key.bytes().all(|b| b.is_ascii_digit()) => {
                let places = i32::try_from(m.key.len()).unwrap_or(0);
                m.readings = m.readings.iter().map(|r| r.shifted(-places)).collect();
                (m.step, m.start) = (-places, place);
            }
            _ => {}
        }
    }

    /// A fraction behind a whole number: `7½`, `7 1/2 days`.
    fn fraction(&self, m: &mut Mention) {
        if m.step != 0 || m.ambiguous {
            return;
        }
        let at = self.blank(m.end);
        let found = match char_at(self.text, at) {
            Some(c) if c.is_ascii_digit() && at > m.end => {
                let written: String = self.text.get(at..).unwrap_or_default().chars().take(3).collect();
                let end = at + written.len();
                let parts = || written.split_once('/').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                let unit = || matches!(self.unit_from(end), Some((Some(_), _)));
                parts().filter(|_| unit()).map(|(over, under)| (over, under, end))
            }
            Some(c) => digits::vulgar(c).map(|(over, under)| (over, under, at + c.len_utf8())),
            None => None,
        };
        let Some((over, under, end)) = found else { return };
        let Some((part, places)) = digits::quotient(over, under).filter(|_| over < under) else { return };
        if let Some(sum) = add_to_all(&m.readings, part) {
            (m.readings, m.step, m.end) = (sum, -places, end);
            m.key.clear();
        }
    }

    /// One blank (never a line end), or none; what is not seen is passed over.
    fn blank(&self, at: usize) -> usize {
        let at = digits::seen(self.text, at);
        match char_at(self.text, at) {
            Some(c @ (' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')) => digits::seen(self.text, at + c.len_utf8()),
            _ => at,
        }
    }

    /// Magnitudes at a place, multiplied (`nghìn tỷ`, `百万`): the power of ten and the end.
    fn power(&self, at: usize) -> Option<(i32, usize)> {
        let (mut power, mut end) = (0, at);
        loop {
            let next = self.blank(end);
            let Some((p, e)) = self.pack.magnitudes.at(self.text, next) else { break };
            // Unit characters win: 25千克, 千米.
            if self.pack.units.at(self.text, next).is_some_and(|(_, unit_end)| unit_end > e) || power + p > 30 {
                break;
            }
            (power, end) = (power + p, e);
        }
        (end > at).then_some((power, end))
    }

    fn scale(m: &mut Mention, power: i32, end: usize) {
        m.readings = m.readings.iter().map(|r| r.shifted(power)).collect();
        m.step = m.step.saturating_add(power);
        m.magnitude = power;
        m.end = end;
        m.key.clear();
    }

    fn attach_magnitude(&self, m: &mut Mention, money: bool) {
        let text = self.text;
        let Some((mut last, end)) = self.power(m.end) else { return self.money_magnitude(m, money) };
        Self::scale(m, last, end);
        // `1.5 triệu` is 1500000; a millionth grouping is meant by nobody, so the ambiguous reading goes.
        loop {
            let at = self.blank(m.end);
            if char_at(text, at).is_none_or(|c| digit(c).is_none()) {
                break;
            }
            let run = digits::run(text, at, self.pack);
            let Form::Number { readings, step, .. } = digits::read(&run, self.pack) else { break };
            let Some(part) = readings.first().copied() else { break };
            // `3 triệu 500 nghìn`: falling magnitudes add.
            if let Some((power, end)) = self.power(run.end).filter(|(p, _)| *p < last) {
                let Some(sum) = add_to_all(&m.readings, part.shifted(power)) else { break };
                (m.readings, m.step, m.end, last) = (sum, step.saturating_add(power), end, power);
                continue;
            }
            let whole = run.seps.is_empty();
            let glued = at == m.end;
            let han = glued && text.get(..at).and_then(|t| t.chars().next_back()).is_some_and(|c| c > '\u{2e80}');
            if han && whole && part < Decimal::power_of_ten(last) && run.digits.len() > 1 {
                // 3万5000
                if let Some(sum) = add_to_all(&m.readings, part) {
                    (m.readings, m.step, m.end) = (sum, 0, run.end);
                }
            } else if self.pack.tail
                && whole
                && run.digits.len() <= 3
                && (glued || (run.digits.len() == 1 && self.closes(run.end)))
            {
                // `1tr5`, `2 tỷ 3`: decimals of the magnitude.
                let places = i32::try_from(run.digits.len()).unwrap_or(0);
                if let Some(sum) = add_to_all(&m.readings, part.shifted(last - places)) {
                    (m.readings, m.step, m.end) = (sum, last - places, run.end);
                }
            }
            break;
        }
        let at = self.blank(m.end);
        if let Some((_, end)) = self.pack.half.at(text, at)
            && let Some(sum) = add_to_all(&m.readings, Decimal::new(5, last - 1))
        {
            (m.readings, m.step, m.end) = (sum, last - 1, end);
        }
    }

    /// Nothing follows that the digit before `at` could belong to, but for a currency.
    fn closes(&self, at: usize) -> bool {
        let next = self.blank(at);
        match char_at(self.text, next) {
            None | Some('\n' | '\r' | ')' | ';' | '!' | '?') => true,
            Some('.' | ',') => char_at(self.text, next + 1).is_none_or(|c| digit(c).is_none()),
            Some(_) => self.pack.units.at(self.text, next).is_some_and(|(u, _)| u.dimension() == Dimension::Money),
        }
    }

    /// `£30m`, `$2B`; a bare `3M` may be three million.
    fn money_magnitude(&self, m: &mut Mention, money: bool) {
        let at = self.blank(m.end);
        let Some((power, end)) = self.pack.money_magnitudes.at(self.text, at) else { return };
        let after = self.pack.units.at(self.text, self.blank(end));
        if money || after.is_some_and(|(u, _)| u.dimension() == Dimension::Money) {
            return Self::scale(m, power, end);
        }
        if at == m.end && char_at(self.text, at).is_some_and(char::is_uppercase) {
            let plain = m.readings.clone();
            Self::scale(m, power, end);
            m.readings.extend(plain);
        }
    }

    /// The nearest unit behind the number.
    fn attach_unit(&self, m: &mut Mention) {
        let Some((unit, mut end)) = self.unit_from(m.end) else { return };
        if let Some((unit, end)) = self.pack.tenths.at(self.text, m.end).filter(|_| m.step == 0) {
            // 三成 = 30 %
            m.readings = m.readings.iter().map(|r| r.shifted(1)).collect();
            (m.unit, m.end) = (Some(unit), end);
            return;
        }
        let Some(unit) = unit else { return };
        // `4G` is no four grams; `5L` and `60W` are litres and watts.
        let glued = self.text.get(m.end..end).unwrap_or_default();
        let decade = glued == "s" && m.key.len() == 4 && m.key.ends_with('0');
        if decade || matches!(glued, "G" | "S" | "H" | "M" | "D") {
            return;
        }
        // `30 tháng 11`: the word belongs to the number behind it.
        if unit.dimension() == Dimension::Calendar {
            let next = self.blank(end);
            if next > end && char_at(self.text, next).is_some_and(|c| digit(c).is_some()) {
                let run = digits::run(self.text, next, self.pack);
                if self
                    .unit_from(run.end)
                    .is_none_or(|(u, _)| u.is_none_or(|u| u.dimension() == Dimension::Calendar && u.name() == "year"))
                {
                    return;
                }
            }
        }
        if let Some((_, half_end)) = self.pack.half.at(self.text, self.blank(end))
            && let Some(sum) = add_to_all(&m.readings, Decimal::new(5, -1))
        {
            (m.readings, m.step, end) = (sum, -1, half_end);
        }
        (m.unit, m.end) = (Some(unit), end);
    }

    /// The unit at a place behind emphasis marks, one blank, a hyphen, a parenthesis with words, or qualifiers such as
    /// "working". `Some(None)` when only a word for tenths stands there.
    fn unit_from(&self, at: usize) -> Option<(Option<Unit>, usize)> {
        let text = self.text;
        if self.pack.tenths.at(text, at).is_some() {
            return Some((None, at));
        }
        let mut place = at;
        for _ in 0..3 {
            match char_at(text, place) {
                Some('*' | '_' | '`') => place += 1,
                _ => break,
            }
        }
        if matches!(char_at(text, place), Some('-' | '\u{2011}'))
            && char_at(text, place + 1).is_some_and(is_spaced_letter)
        {
            place += 1;
        }
        place = self.blank(place);
        if char_at(text, place) == Some('(') {
            // `7 (bảy) ngày`
            let inside: usize = text
                .get(place..)
                .unwrap_or_default()
                .chars()
                .take(40)
                .take_while(|c| *c != ')')
                .map(char::len_utf8)
                .sum();
            let words = text.get(place..place + inside).unwrap_or_default();
            if char_at(text, place + inside) == Some(')') && !words.chars().any(|c| digit(c).is_some()) {
                place = self.blank(place + inside + 1);
            }
        }
        if place > at && char_at(text, at) == Some('.') {
            return None;
        }
        for _ in 0..3 {
            if let Some((unit, end)) = self.pack.units.at(text, place) {
                return Some((Some(unit), end));
            }
            let (_, end) = self.pack.skip.at(text, place)?;
            place = self.blank(end);
        }
        None
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

fn add_to_all(readings: &[Decimal], part: Decimal) -> Option<Vec<Decimal>> {
    readings.iter().map(|r| r.checked_add(part)).collect()
}

impl Mention {
    pub(super) fn bare(readings: Vec<Decimal>, start: usize, end: usize) -> Self {
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

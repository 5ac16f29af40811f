//! What stands beside a number and belongs to it: its sign, a fraction, a magnitude, a unit.

use super::digits::{self, Form, digit};
use super::mask::{char_at, char_before};
use super::pack::is_spaced_letter;
use super::scan::Mentions;
use super::{Dimension, Mention, Unit};
use crate::text::decimal::Decimal;

impl Mentions<'_> {
    /// A minus sign, or a decimal point without a digit in front (`.5`).
    pub(super) fn sign(&self, m: &mut Mention) {
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
    pub(super) fn fraction(&self, m: &mut Mention) {
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

    pub(super) fn attach_magnitude(&self, m: &mut Mention, money: bool) {
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
    pub(super) fn attach_unit(&self, m: &mut Mention) {
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
}

fn add_to_all(readings: &[Decimal], part: Decimal) -> Option<Vec<Decimal>> {
    readings.iter().map(|r| r.checked_add(part)).collect()
}

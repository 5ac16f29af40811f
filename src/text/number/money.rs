//! Amounts of money: hundredths behind their units, magnitudes that only a currency gives.

use super::attach::add_to_all;
use super::digits::{self, digit};
use super::mask::{self, char_at};
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Mention, Unit, han};
use crate::text::decimal::Decimal;

impl Mentions<'_> {
    /// The hundredths of a currency behind its units: `20 dollars 43 cents`, `$20 and 43c`, `hai đô 23`.
    pub(super) fn cents(&self, m: &mut Mention) {
        let whole = m.unit.is_some_and(|u| u.dimension() == Dimension::Money && u != Unit::CENT && !u.is_undivided());
        if !whole || m.step < 0 || m.magnitude != 0 {
            return;
        }
        let mut at = self.blank(m.end);
        let mut joined = false;
        // `rmb 10 usd 20`
        let money = |from: usize, to: usize| mask::prefix(self.text, from, to, self.pack).is_some();
        if money(self.floor, m.start) && money(m.start, at) {
            return;
        }
        if let Some((Word::And(_), end)) = self.pack.words.at(self.text, at) {
            at = self.blank(end);
            joined = true;
        }
        let han = |c: char| c > '\u{2e80}';
        if at == m.end && !self.text.get(..at).is_some_and(|t| t.ends_with(han)) {
            return;
        }
        let part = match char_at(self.text, at) {
            // 三块五, 三元五角, 三個一毫四
            Some(c) if at == m.end => return self.han_cents(m, c),
            Some(c) if digit(c).is_some() => {
                let run = digits::run(self.text, at, self.pack);
                run.digits.parse::<i64>().ok().filter(|_| run.seps.is_empty()).map(|v| (v, run.end, run.digits.len()))
            }
            _ => words::spelled(self.text, at, self.pack)
                .and_then(|f| Some((f.readings.first()?.to_i64()?, f.end, usize::from(f.words) + 1))),
        };
        let Some((part, end, digits)) = part.filter(|(p, ..)| (0..100).contains(p)) else { return };
        let cent = self.unit_from(end).filter(|(u, _)| *u == Some(Unit::CENT)).map(|(_, e)| e);
        let closed = (digits == 2 || joined) && self.closes(end) && self.unit_at(end).is_none();
        if let Some(end) = cent.or(closed.then_some(end))
            && let Some(sum) = add_to_all(&m.readings, Decimal::new(i128::from(part), -2))
        {
            (m.readings, m.step, m.end) = (sum, -2, end);
        }
    }

    /// Tenths and hundredths of a currency written in Chinese: `三元五角`, `三块五`.
    pub(super) fn han_cents(&self, m: &mut Mention, first: char) {
        let at = m.end;
        let (value, end) = if digit(first).is_some() {
            let run = digits::run(self.text, at, self.pack);
            let value = Decimal::parse(&run.digits).filter(|_| run.seps.is_empty() && run.digits.len() < 3);
            (value, run.end)
        } else if han::is_numeral(first) {
            let Some(found) = han::numeral(self.text, at, self.pack.numerals) else { return };
            (found.readings.first().copied(), found.end)
        } else {
            return;
        };
        let Some(value) = value.filter(|v| *v > Decimal::from(0) && *v < Decimal::from(100)) else { return };
        let mut part = Mention::bare(vec![value], at, end);
        match self.unit_from(end) {
            Some((Some(Unit::CENT), unit_end)) => self.tens_of_cents(&mut part, unit_end),
            _ if value < Decimal::from(10) && self.closes(end) => {
                part.readings = vec![value.shifted(1)];
            }
            _ => return,
        }
        if let Some(cents) = part.readings.first()
            && let Some(sum) = add_to_all(&m.readings, cents.shifted(-2))
        {
            (m.readings, m.step, m.end) = (sum, -2, part.end);
        }
    }

    /// A tenth of a unit of money, and the hundredths behind it: `2角`, `两毛五`, `5分`.
    pub(super) fn tens_of_cents(&self, m: &mut Mention, end: usize) {
        let word = self.text.get(m.end..end).unwrap_or_default();
        let tens = word.ends_with(['角', '毛', '毫']);
        (m.unit, m.end) = (Some(Unit::CENT), end);
        if !tens {
            return;
        }
        m.readings = m.readings.iter().map(|r| r.shifted(1)).collect();
        if let Some(found) = char_at(self.text, end)
            .filter(|c| han::is_numeral(*c))
            .and_then(|_| han::numeral(self.text, end, self.pack.numerals))
            && let Some(value) = found.readings.first().copied().filter(|v| *v < Decimal::from(10))
            && let Some(sum) = add_to_all(&m.readings, value)
        {
            let cent = self.unit_from(found.end).filter(|(u, _)| *u == Some(Unit::CENT)).map(|(_, e)| e);
            (m.readings, m.end) = (sum, cent.unwrap_or(found.end));
        }
    }

    /// `£30m`, `$2B`; a bare `3M` may be three million.
    pub(super) fn money_magnitude(&self, m: &mut Mention, money: bool) {
        let at = self.blank(m.end);
        // `.0012G`; a whole number before a `G` is a generation of telephones.
        let giga = self.text.get(at..).is_some_and(|t| {
            t.starts_with('G') && !t.get(1..).is_some_and(|t| t.starts_with(|c: char| c.is_alphanumeric()))
        });
        if giga && m.step < 0 {
            return Self::scale(m, 9, at + 1);
        }
        // 30 MUSD
        if let Some(('M', 6) | ('B', 9)) = char_at(self.text, at).map(|c| (c, if c == 'M' { 6 } else { 9 }))
            && char_at(self.text, at + 1).is_some_and(|c| c.is_ascii_uppercase())
            && let Some((unit, end)) = self.pack.units.at(self.text, at + 1)
            && unit.dimension() == Dimension::Money
            && self.pack.units.at(self.text, at).is_none_or(|(_, e)| e != end)
        {
            let power = if char_at(self.text, at) == Some('M') { 6 } else { 9 };
            Self::scale(m, power, end);
            m.unit = Some(unit);
            return;
        }
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

    /// Whether the unit taken is money and digits follow it: it may stand in front of them.
    pub(super) fn leads_to_another(&self, m: &Mention) -> bool {
        let money = m.unit.is_some_and(|u| u.dimension() == Dimension::Money);
        money && m.magnitude == 0 && char_at(self.text, self.blank(m.end)).is_some_and(|c| digit(c).is_some())
    }
}

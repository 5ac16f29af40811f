//! Amounts of money: hundredths behind their units, magnitudes that only a currency gives.

use super::attach::add_to_all;
use super::digits::{self, digit};
use super::mask::{self, char_at, char_before};
use super::pack::{goes_on, is_mark, is_spaced_letter};
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Mention, Unit, han};
use crate::text::decimal::Decimal;

impl Mentions<'_> {
    /// Pounds that are money and no weight: pence, or two digits more, stand behind them, or they are millions of nothing.
    pub(super) fn pounds(&self, m: &mut Mention) {
        let (text, pack) = (self.text, self.pack);
        if m.unit.map(Unit::name) != Some("lb") || m.step < 0 {
            return;
        }
        let place = self.blank(m.end);
        let millions = || {
            let large = m.value().is_some_and(|v| v >= Decimal::power_of_ten(6));
            large && pack.of.at(text, place).is_none()
        };
        let and = pack.words.at(text, place).filter(|(w, _)| matches!(w, Word::And(_))).map(|(_, end)| self.blank(end));
        let next = and.unwrap_or(place);
        let part = match char_at(text, next).filter(|_| place > m.end) {
            Some(c) if digit(c).is_some() => {
                let run = digits::run(text, next, pack);
                (run.seps.is_empty() && run.digits.len() <= 2).then_some((run.end, run.digits.len() == 2))
            }
            Some(_) => words::spelled(text, next, pack).and_then(|f| {
                let value = f.readings.first()?.to_i64().filter(|v| (1..100).contains(v))?;
                Some((f.end, value >= 10))
            }),
            None => None,
        };
        let coins = part.is_some_and(|(end, two)| {
            self.unit_at(end) == Some(Unit::CENT)
                || self.pence(end).is_some()
                || (two && and.is_none() && self.closes(end))
        });
        if coins || millions() {
            m.unit = Unit::named("GBP");
        }
    }

    /// The `p` of pence behind a number: only beside pounds, since it is also a page.
    fn pence(&self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?.strip_prefix('p')?;
        (!goes_on(rest)).then_some(at + 1)
    }

    /// `50p` alone: a letter right behind one or two digits makes pence of them.
    pub(super) fn coins(&self, m: &mut Mention) {
        if m.unit.is_none()
            && matches!(m.key.len(), 1 | 2)
            && !m.key.starts_with('0')
            && let Some((_, end)) = self.pack.coins.at(self.text, m.end)
            && !self.text.get(end..).is_some_and(goes_on)
        {
            (m.unit, m.end) = (Some(Unit::CENT), end);
        }
    }

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
        // Thai and Chinese set no blank there.
        let unspaced = |c: char| c > '\u{e00}' && !is_spaced_letter(c);
        if at == m.end && !self.text.get(..at).is_some_and(|t| t.ends_with(unspaced)) {
            return;
        }
        let part = match char_at(self.text, at) {
            // 三块五, 三元五角, 三個一毫四
            Some(c) if at == m.end && (han::is_numeral(c) || digit(c).is_some()) => return self.han_cents(m, c),
            Some(c) if digit(c).is_some() => {
                let run = digits::run(self.text, at, self.pack);
                run.digits.parse::<i64>().ok().filter(|_| run.seps.is_empty()).map(|v| (v, run.end, run.digits.len()))
            }
            _ => words::spelled(self.text, at, self.pack)
                .and_then(|f| Some((f.readings.first()?.to_i64()?, f.end)))
                .map(|(v, end)| (v, end, if v < 10 { 1 } else { 2 })),
        };
        let Some((part, end, digits)) = part.filter(|(p, ..)| (0..1000).contains(p)) else { return };
        let places = m.unit.map_or(2, |u| i32::from(u.decimals()));
        let add = |m: &mut Mention, value: Decimal, end: usize| {
            if let Some(sum) = add_to_all(&m.readings, value) {
                (m.readings, m.step, m.end) = (sum, -places, end);
            }
        };
        let pence = self.pence(end).filter(|_| m.unit.map(Unit::name) == Some("GBP")).map(|e| (Some(Unit::CENT), e));
        match pence.or_else(|| self.unit_from(end)) {
            Some((Some(Unit::CENT), unit_end)) if part < 100 => {
                // `five mao five`
                let mut cents = Mention::bare(vec![Decimal::from(part)], at, end);
                self.tens_of_cents(&mut cents, unit_end);
                if let Some(value) = cents.readings.first() {
                    add(m, value.shifted(-2), cents.end);
                }
            }
            Some((Some(unit), unit_end)) if unit.name() == "fils" => add(m, Decimal::new(part.into(), -3), unit_end),
            _ => {
                let closed = (digits == 2 || joined) && self.closes(end) && self.unit_at(end).is_none();
                if closed && places == 2 && part < 100 {
                    add(m, Decimal::new(part.into(), -2), end);
                }
            }
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
        let latin = word.trim_start().to_lowercase();
        let tens = word.ends_with(['角', '毛', '毫']) || matches!(latin.as_str(), "jiao" | "mao");
        (m.unit, m.end) = (Some(Unit::CENT), end);
        if !tens {
            return;
        }
        m.readings = m.readings.iter().map(|r| r.shifted(1)).collect();
        // `five mao five`
        if latin.is_ascii()
            && let Some(low) = words::spelled(self.text, self.blank(end), self.pack)
            && let Some(value) = low.readings.first().copied().filter(|v| *v < Decimal::from(10))
            && self.closes(low.end)
            && let Some(sum) = add_to_all(&m.readings, value)
        {
            (m.readings, m.end) = (sum, low.end);
            return;
        }
        // 5角5分
        let run =
            char_at(self.text, end).filter(|c| digit(*c).is_some()).map(|_| digits::run(self.text, end, self.pack));
        if let Some(run) = run.filter(|r| r.seps.is_empty() && r.digits.len() == 1)
            && let Some((Some(Unit::CENT), cent)) = self.unit_from(run.end)
            && let Some(sum) = Decimal::parse(&run.digits).and_then(|v| add_to_all(&m.readings, v))
        {
            (m.readings, m.end) = (sum, cent);
            return;
        }
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

    /// `30 MUSD`, `20 kEUR`, `twenty MSEK`, `20 EURm`: thousands or millions in the code of a currency. True when it was one.
    pub(super) fn code_of_many(&self, m: &mut Mention, at: usize) -> bool {
        if let Some(power) = char_at(self.text, at).and_then(thousands)
            && self.text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_uppercase)
            && let Some((unit, end)) = self.pack.units.at(self.text, at + 1)
            && unit.dimension() == Dimension::Money
            && self.pack.units.at(self.text, at).is_none_or(|(_, e)| e != end)
        {
            Self::scale(m, power, end);
            m.unit = Some(unit);
            return true;
        }
        let code = self.text.get(at..at + 3).filter(|c| c.bytes().all(|b| b.is_ascii_uppercase()));
        let Some(unit) = code.and_then(Unit::named).filter(|u| u.dimension() == Dimension::Money) else { return false };
        let letters = ["m", "mn", "bn", "k"]
            .into_iter()
            .find(|l| self.text.get(at + 3..).is_some_and(|t| t.strip_prefix(l).is_some_and(|t| !goes_on(t))));
        let power = match letters {
            Some("m" | "mn") => 6,
            Some("bn") => 9,
            Some("k") => 3,
            _ => return false,
        };
        Self::scale(m, power, at + 3 + letters.map_or(0, str::len));
        m.unit = Some(unit);
        true
    }

    /// `£30m`, `$2B`; a bare `3M` may be three million.
    pub(super) fn money_magnitude(&self, m: &mut Mention, money: bool) {
        let at = self.blank(m.end);
        // `.0012G`; a whole number before a `G` is a generation of telephones.
        let giga = self.text.get(at..).is_some_and(|t| t.strip_prefix('G').is_some_and(|t| !goes_on(t)));
        if giga && m.step < 0 {
            return Self::scale(m, 9, at + 1);
        }
        // `10G` is no generation: a memory, a line, a mass or so many thousand millions.
        if giga && m.value().is_some_and(|v| v >= Decimal::from(10)) && !self.text.get(at + 1..).is_some_and(names_on) {
            m.readings.extend(m.readings.clone().iter().map(|r| r.shifted(9)));
            if at == m.end {
                m.end = at + 1;
                m.key.clear();
            }
            return;
        }
        if self.code_of_many(m, at) {
            return;
        }
        let Some((power, end)) = self.pack.money_magnitudes.at(self.text, at) else { return };
        // 10w is 十万 beside a currency, and ten watts.
        let watts = char_at(self.text, at).is_some_and(|c| matches!(c, 'w' | 'W'));
        let after = self.pack.units.at(self.text, self.blank(end));
        if money || after.is_some_and(|(u, _)| u.dimension() == Dimension::Money) {
            return Self::scale(m, power, end);
        }
        // 1,674.5 T, 10T: tonnes, or trillions.
        if char_at(self.text, at) == Some('T') && self.pack.units.at(self.text, at).is_some_and(|(_, e)| e == at + 1) {
            m.readings.extend(m.readings.clone().iter().map(|r| r.shifted(12)));
            return;
        }
        // `1.2b`, and `4b` of a list
        let letter =
            char_at(self.text, at).filter(|_| !watts).filter(|c| c.is_uppercase() || (*c == 'b' && m.step < 0));
        // ` M` is no metre.
        if letter.is_some_and(|c| at == m.end || c == 'M' || (c == 'B' && m.step < 0)) {
            let plain = m.readings.clone();
            Self::scale(m, power, end);
            m.readings.extend(plain);
        }
    }

    /// `MAUD 60`, `kEUR 20`: a magnitude before the code of a currency in front of a number.
    pub(super) fn scaled_code(&self, m: &mut Mention) {
        let place = self.before_blank(m.start);
        let capital = char_before(self.text, self.floor, place).is_some_and(|c| c.is_ascii_uppercase());
        if !capital || m.unit.is_some() || m.magnitude != 0 {
            return;
        }
        let head = self.text.get(self.floor..place).unwrap_or_default();
        let Some((rest, code)) = head.len().checked_sub(3).and_then(|at| head.split_at_checked(at)) else { return };
        let Some(letter) = rest.chars().next_back() else { return };
        let free = rest.len() == 1 || rest.chars().rev().nth(1).is_some_and(|c| !(c.is_alphanumeric() || is_mark(c)));
        let unit = Unit::named(code).filter(|u| u.dimension() == Dimension::Money);
        if let (true, Some(unit), Some(power)) =
            (free && code.bytes().all(|b| b.is_ascii_uppercase()), unit, thousands(letter))
        {
            let end = m.end;
            Self::scale(m, power, end);
            (m.unit, m.start) = (Some(unit), self.floor + rest.len() - letter.len_utf8());
        }
    }

    /// Whether the unit taken is money and digits follow it: it may stand in front of them.
    pub(super) fn leads_to_another(&self, m: &Mention) -> bool {
        let money = m.unit.is_some_and(|u| u.dimension() == Dimension::Money);
        money && m.magnitude == 0 && char_at(self.text, self.blank(m.end)).is_some_and(|c| digit(c).is_some())
    }
}

/// Whether a dash and a letter or digit follow, as in the name of a thing (`10G-SR`).
fn names_on(rest: &str) -> bool {
    rest.strip_prefix('-').is_some_and(goes_on)
}

/// The power of ten of a letter in front of the code of a currency (`MUSD`).
fn thousands(letter: char) -> Option<i32> {
    match letter {
        'k' | 'K' => Some(3),
        'M' | 'm' => Some(6),
        'B' => Some(9),
        _ => None,
    }
}

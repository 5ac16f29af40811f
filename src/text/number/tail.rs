//! What goes on a number behind its magnitude: digits, numerals or words for lower places (`3 triệu 500 nghìn`, `3万五千`,
//! `2 tỷ tư`, `five thousand 678`).

use super::attach::add_to_all;
use super::digits::{self, digit};
use super::mask::char_at;
use super::pack::goes_on;
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Mention, han};
use crate::text::decimal::Decimal;

impl Mentions<'_> {
    /// Whether digits with a power below another stand at a place.
    pub(super) fn falls(&self, at: usize, last: i32) -> bool {
        if last < 3 || !self.pack.pairs || char_at(self.text, at).is_none_or(|c| digit(c).is_none()) {
            return false;
        }
        let end = digits::run(self.text, at, self.pack).end;
        self.power(end)
            .is_some_and(|(p, end)| p < last && self.unit_at(end).is_none_or(|u| u.dimension() == Dimension::Money))
    }

    /// `3万五千`: numerals behind digits and a magnitude. True when it was one.
    pub(super) fn han_tail(&self, m: &mut Mention, at: usize, last: i32) -> bool {
        if at != m.end || !char_at(self.text, at).is_some_and(han::begins) {
            return false;
        }
        let Some(found) = han::numeral(self.text, at, self.pack.numerals) else { return false };
        let Some(value) = found.readings.first().filter(|v| **v < Decimal::power_of_ten(last)) else { return false };
        let lone = found.chars == 1 && *value < Decimal::from(10);
        if lone && !self.ends_numeral(found.end) {
            return false;
        }
        let part = if lone { value.shifted(last - 1) } else { *value };
        if let Some(sum) = add_to_all(&m.readings, part) {
            (m.readings, m.step, m.end) = (sum, part.step(), found.end);
        }
        true
    }

    /// `3 triệu năm trăm nghìn`, `4 thousand three hundred`: words of falling size go on a number of digits.
    pub(super) fn spelled_tail(&self, m: &mut Mention, at: usize, last: i32) {
        let mut from = at;
        let mut joined = false;
        // `2 tỷ tư`
        if let Some((Word::Tail(v), end)) = self.pack.words.at(self.text, at).filter(|(_, e)| self.closes(*e))
            && let Some(sum) = add_to_all(&m.readings, Decimal::new(v.into(), last - 1)).filter(|_| self.pack.tail)
        {
            (m.readings, m.step, m.end) = (sum, last - 1, end);
            return;
        }
        if let Some((Word::And(_), end)) = self.pack.words.at(self.text, at) {
            from = self.blank(end);
            joined = last == 2 || last == 3;
        }
        let Some(found) = words::spelled(self.text, from, self.pack) else { return };
        let Some(value) = found.readings.first().copied() else { return };
        let half = matches!(self.pack.words.at(self.text, from), Some((Word::Half, _)));
        let half = half || matches!(self.pack.words.at(self.text, from), Some((Word::Minus, _)));
        // `4 thousand and a half`: of the thousand.
        if from > at && value < Decimal::from(1) {
            return;
        }
        // `2 tỷ tư`, `2 triệu hai`; `515 triệu năm` are years.
        let counts = self.pack.units.at(self.text, from).is_some_and(|(_, end)| end >= found.end);
        let small = (1..10).contains(&value.to_i64().unwrap_or(0));
        let tail = self.pack.tail || self.pack.tail_second && last >= 3;
        let lone = tail && found.words == 1 && small && !counts;
        if lone && !half && last >= 2 && self.closes(found.end) {
            if let Some(sum) = add_to_all(&m.readings, value.shifted(last - 1)) {
                (m.readings, m.step, m.end) = (sum, last - 1, found.end);
            }
            return;
        }
        let fits = !half && (found.words >= 2 || joined) && !found.ordinal && value < Decimal::power_of_ten(last);
        if fits && let Some(sum) = add_to_all(&m.readings, value) {
            (m.readings, m.step, m.end) = (sum, found.last, found.end);
        }
    }

    /// Digits for what is below the last power of a number, behind a blank: one or two behind `and` or hundreds (`five
    /// thousand and 12`, `one hundred 5`), three right behind thousands (`five thousand 678`); with their end.
    pub(super) fn low_digits(&self, at: usize, last: i32, joined: bool) -> Option<(Decimal, usize)> {
        char_at(self.text, at).filter(|c| digit(*c).is_some())?;
        let run = digits::run(self.text, at, self.pack);
        let fits = match (last, run.digits.len()) {
            (2, 1 | 2) => true,
            (3, 1 | 2) => joined,
            (3, 3) => !joined && !run.digits.starts_with('0'),
            _ => false,
        };
        let rest = self.text.get(run.end..).unwrap_or_default();
        let free = !(goes_on(rest) || rest.starts_with(['/', ':', '-']) || !joined && rest.starts_with('%'));
        let plain = fits && free && run.seps.is_empty() && self.power(run.end).is_none();
        // `4 thousand 3 hundred and 0` are two numbers.
        let value = Decimal::parse(&run.digits).filter(|v| plain && *v != Decimal::from(0));
        value.map(|value| (value, run.end))
    }

    /// Digits behind a number in words, of a lower power (`hai triệu 500 nghìn`, `two million 500 thousand`), or without one:
    /// see [`Self::low_digits`].
    pub(super) fn digits_behind(&self, m: &mut Mention, last: i32) {
        let (text, pack) = (self.text, self.pack);
        let place = self.blank(m.end);
        if last < 2 || place == m.end || m.readings.len() > 1 {
            return;
        }
        if last >= 3 && char_at(text, place).is_some_and(|c| digit(c).is_some()) {
            let run = digits::run(text, place, pack);
            let value = Decimal::parse(&run.digits).filter(|_| run.seps.is_empty() && run.digits.len() <= 3);
            let power = self.power(run.end).filter(|(p, _)| *p < last);
            if let (Some(value), Some((power, end))) = (value, power)
                && value < Decimal::power_of_ten(last - power)
                && let Some(sum) = add_to_all(&m.readings, value.shifted(power))
            {
                (m.readings, m.step, m.end) = (sum, power, end);
                m.words = m.words.saturating_add(1);
                return;
            }
        }
        if !pack.pairs {
            return;
        }
        let and = pack.words.at(text, place).filter(|(w, _)| matches!(w, Word::And(_)));
        let next = and.map_or(place, |(_, and)| self.blank(and));
        if let Some((part, end)) = self.low_digits(next, last, and.is_some())
            && let Some(sum) = add_to_all(&m.readings, part)
        {
            (m.readings, m.step, m.end) = (sum, 0, end);
            m.words = m.words.saturating_add(1);
        }
    }
}

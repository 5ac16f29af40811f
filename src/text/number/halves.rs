//! Halves and other parts that stand behind a magnitude or a unit, or behind a unit without a number: `4 million and a
//! half`, `an hour and a quarter`, `tháng rưỡi`, `1m65`.

use super::attach::add_to_all;
use super::digits::{self, digit};
use super::mask::char_at;
use super::pack::{Lead, goes_on, is_mark, is_spaced_letter};
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Mention, Unit, han};
use crate::text::decimal::Decimal;

/// The shortest word of money that an article makes one of: `a cent`; shorter ones have other meanings (`a C`, `a yen`).
const SHORTEST_MONEY: usize = 4;

/// A unit in front of a half is at most so many characters long.
const LONGEST_UNIT: usize = 12;

impl Mentions<'_> {
    /// `and a half`, `and three quarters` behind a place: the part and its end. `and a quarter of the fee` is another number.
    fn quarters(&self, at: usize) -> Option<(Decimal, usize)> {
        let (text, pack) = (self.text, self.pack);
        let place = self.blank(at);
        let (_, and) = pack.words.at(text, place).filter(|(w, _)| matches!(w, Word::And(_)))?;
        if !pack.pairs || place == at {
            return None;
        }
        let part = words::fraction_at(text, self.blank(and), pack).filter(words::Part::is_bare)?;
        let whole = part.value.checked_mul(Decimal::from(4)).is_some_and(Decimal::is_whole);
        let next = self.blank(part.end);
        let fits = whole && part.value < Decimal::from(1) && pack.of.at(text, next).is_none();
        fits.then_some((part.value, part.end))
    }

    /// `4 million and a half`: of the million; a second reading has it of one.
    pub(super) fn part_of_magnitude(&self, m: &mut Mention, power: i32) {
        let Some((part, end)) = self.quarters(m.end) else { return };
        let sums = (add_to_all(&m.readings, part.shifted(power)), add_to_all(&m.readings, part));
        if let (Some(of_it), Some(of_one)) = sums {
            m.readings = [of_it, of_one].concat();
            (m.step, m.end) = (m.value().map_or(0, Decimal::step), end);
        }
    }

    /// `2 hours and a half`: of the unit.
    pub(super) fn part_of_unit(&self, m: &mut Mention) {
        let Some((part, end)) = self.quarters(m.end).filter(|_| m.step >= 0) else { return };
        if self.unit_at(end).is_none()
            && let Some(sum) = add_to_all(&m.readings, part)
        {
            (m.readings, m.step, m.end) = (sum, part.step(), end);
            m.words = m.words.saturating_mul(2);
        }
    }

    /// What an article and a unit are: `a dollar fifty`, `an hour and a half`. `a dollar` alone is evidence only, and a unit of
    /// anything else alone is no number (`twice a day`).
    pub(super) fn article(&self, at: usize) -> Option<Mention> {
        let (Word::Article, end) = self.pack.words.at(self.text, at)? else { return None };
        if !self.counts(end) {
            return None;
        }
        let mut m = Mention::bare(vec![Decimal::from(1)], at, end);
        (m.spelled, m.words) = (true, 1);
        self.attach_unit(&mut m);
        m.unit?;
        m.claim = m.value() != Some(Decimal::from(1));
        m.settle_kind();
        Some(m)
    }

    /// Whether an article in front of a place is one of the unit behind it.
    pub(super) fn counts(&self, at: usize) -> bool {
        let place = self.blank(at);
        let Some((unit, end)) = self.pack.units.at(self.text, place).filter(|_| self.pack.pairs) else { return false };
        let word = self.text.get(place..end).unwrap_or_default();
        let letters = word.chars().all(|c| is_spaced_letter(c) || c == ' ');
        let money = unit.dimension() == Dimension::Money && word.len() >= SHORTEST_MONEY;
        letters && (money || self.quarters(end).is_some())
    }

    /// `a couple of days`: what is counted stands behind `of`.
    pub(super) fn of_unit(&self, m: &mut Mention) {
        let place = self.blank(m.end);
        if !self.pack.pairs || place == m.end || m.value().is_none_or(|v| v < Decimal::from(2)) {
            return;
        }
        let Some((_, end)) = self.pack.of.at(self.text, place) else { return };
        if self.pack.units.at(self.text, self.blank(end)).is_some() {
            m.end = end;
        } else if let Some((power, end)) = self.power(end) {
            // `a couple of thousand`
            Self::scale(m, power, end);
        }
    }

    /// `gấp 3`, `gấp rưỡi`: a word in front makes times of a number without a unit, and one and a half of a half alone.
    pub(super) fn times(&self, m: &mut Mention, lead: Option<(Lead, usize)>) {
        if let (None, Some((Lead::Times, _))) = (m.unit, lead) {
            if m.value() == Some(Decimal::new(5, -1)) && self.pack.half.at(self.text, m.start).is_some() {
                (m.readings, m.words) = (vec![Decimal::new(15, -1)], 2);
            }
            m.unit = Unit::named("times");
        }
    }

    /// `tháng rưỡi`, `ปีครึ่ง`, `块半`: a half behind a unit without a number is one and a half of it.
    pub(super) fn unit_in_front(&self, m: &mut Mention) {
        let half = m.value() == Some(Decimal::new(5, -1)) && m.unit.is_none();
        if !half || self.pack.half.at(self.text, m.start).is_none_or(|(_, end)| end != m.end) {
            return;
        }
        let place = self.before_blank(m.start);
        let head = self.text.get(self.floor..place).unwrap_or_default();
        let inner = |c: char| is_spaced_letter(c) || is_mark(c);
        let within = |i: usize| head.get(..i).and_then(|t| t.chars().next_back()).is_some_and(inner);
        let starts = head.char_indices().rev().take(LONGEST_UNIT).map(|(i, _)| i).filter(|i| !within(*i));
        let found = starts.filter_map(|i| {
            let (unit, end) = self.pack.units.at(self.text, self.floor + i)?;
            (end == place).then_some((unit, self.floor + i))
        });
        // 半 begins words of its own.
        let han = char_at(self.text, m.start).is_some_and(|c| c > '\u{2e80}');
        let plain = |u: &Unit| {
            let measured = matches!(
                u.dimension(),
                Dimension::Time | Dimension::Calendar | Dimension::Money | Dimension::Mass | Dimension::Length
            );
            *u == Unit::COUNT && han || measured && (!han || self.closes(m.end))
        };
        if let Some((unit, start)) = found.filter(|(u, _)| plain(u)).last() {
            (m.readings, m.start, m.words) = (vec![Decimal::new(15, -1)], start, 2);
            m.unit = Some(unit).filter(|u| *u != Unit::COUNT);
        }
    }

    /// `1m65`, `1 mét 65`, `một mét bảy`, `一米七五`: a digit or two behind a unit are its decimals.
    pub(super) fn decimals_of_unit(&self, m: &mut Mention) {
        let taken = m.unit.is_some_and(|u| self.pack.unit_tail.contains(&u));
        if !taken || m.step != 0 || m.magnitude != 0 || m.ambiguous {
            return;
        }
        let at = self.blank(m.end);
        let glued = at == m.end;
        let found = match char_at(self.text, at) {
            Some(c) if digit(c).is_some() => {
                let run = digits::run(self.text, at, self.pack);
                let plain = run.seps.is_empty() && run.digits.len() <= 2 && (glued || run.digits.len() == 2);
                let free = !self.text.get(run.end..).is_some_and(goes_on);
                run.digits.parse::<i64>().ok().filter(|_| plain && (glued && free || self.closes(run.end))).map(|v| {
                    let places = if run.digits.len() == 2 { 2 } else { 1 };
                    (v, places, run.end)
                })
            }
            Some(c) if glued && han::is_numeral(c) => han::numeral(self.text, at, self.pack.numerals)
                .filter(|f| f.chars <= 2)
                .and_then(|f| Some((f.readings.first()?.to_i64()?, i32::try_from(f.chars).ok()?, f.end))),
            Some(_) if !glued && self.pack.tail => words::spelled(self.text, at, self.pack)
                .filter(|f| self.closes(f.end))
                .and_then(|f| Some((f.readings.first()?.to_i64()?, f.end)))
                .map(|(v, end)| (v, if v < 10 { 1 } else { 2 }, end)),
            Some(_) | None => None,
        };
        let Some((part, places, end)) = found.filter(|(v, ..)| (1..100).contains(v)) else { return };
        // `5m 20`, `1米75厘米`, `38度2天`
        let goes_on = match char_at(self.text, end) {
            Some('-' | '~' | '/' | ':' | '%' | '％') => true,
            Some('.' | ',') => char_at(self.text, end + 1).is_some_and(|c| digit(c).is_some()),
            Some(c) => digit(c).is_some() || han::is_numeral(c),
            None => false,
        };
        if goes_on || self.unit_at(end).is_some() || self.power(end).is_some() {
            return;
        }
        if let Some(sum) = add_to_all(&m.readings, Decimal::new(part.into(), -places)) {
            (m.readings, m.step, m.end) = (sum, -places, end);
            m.words = m.words.saturating_add(1);
        }
    }

    /// `一个亿`, `3.5个亿`: a counter in front of a large power is no unit. `三千多万`, `สองร้อยกว่าล้าน`: more than so many of a
    /// power.
    pub(super) fn counted_power(&self, m: &mut Mention) {
        let more = self.pack.skip.at(self.text, m.end).map(|(_, end)| end);
        let unspaced = char_at(self.text, m.end).is_some_and(|c| c > '\u{e00}' && !is_spaced_letter(c));
        if let Some((power, end)) = more.filter(|_| unspaced).and_then(|at| self.power(at)).filter(|(p, _)| *p >= 4) {
            return Self::scale(m, power, end);
        }
        let Some(counter) = char_at(self.text, m.end).filter(|c| matches!(c, '个' | '個')) else { return };
        let at = m.end + counter.len_utf8();
        if let Some((power, end)) = self.power(at).filter(|(p, _)| *p >= 8) {
            Self::scale(m, power, end);
        }
    }
}

//! Fractions and what else changes the value of a number from outside: shares, dozens, exponents, inches of feet.

use super::attach::add_to_all;
use super::digits::{self, digit};
use super::mask::char_at;
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Mention, Unit, han};
use crate::text::decimal::Decimal;

impl Mentions<'_> {
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

    /// A fraction of one character without a whole number: `½ teaspoon`.
    pub(super) fn vulgar(&mut self, at: usize) {
        let Some(c) = char_at(self.text, at) else { return self.pass(at) };
        let value = digits::vulgar(c).and_then(|(over, under)| digits::quotient(over, under));
        let Some((value, places)) = value else { return self.pass(at + c.len_utf8()) };
        let mut m = Mention::bare(vec![value], at, at + c.len_utf8());
        m.step = -places;
        self.attach_unit(&mut m);
        m.settle_kind();
        self.push(m);
    }

    /// `1/2 cup`: a proper fraction in front of a unit is a quantity.
    pub(super) fn fraction_with_unit(&self, m: &mut Mention) {
        let [over, under] = m.readings.as_slice() else { return };
        if over >= under || !m.key.contains('/') {
            return;
        }
        let Some(value) = Decimal::ratio(*over, *under) else { return };
        let mut whole = Mention { step: value.step(), ..Mention::bare(vec![value], m.start, m.end) };
        self.attach_unit(&mut whole);
        if whole.unit.is_some_and(|u| !matches!(u.dimension(), Dimension::Count | Dimension::Ordinal)) {
            whole.settle_kind();
            *m = whole;
        }
    }

    /// `-4/5`.
    pub(super) fn signed_fraction(&self, m: &mut Mention) {
        let mut whole = Mention::bare(vec![Decimal::from(1)], m.start, m.end);
        self.sign(&mut whole);
        let [over, under] = m.readings.as_slice() else { return };
        if whole.start < m.start
            && over < under
            && m.key.contains('/')
            && let Some(value) = Decimal::ratio(*over, *under).and_then(Decimal::negated)
        {
            *m = Mention { step: value.step(), ..Mention::bare(vec![value], whole.start, m.end) };
        }
    }

    /// `1 over 3`.
    pub(super) fn divided(&self, m: &mut Mention) {
        if m.unit.is_some() || m.ambiguous {
            return;
        }
        if let Some((under, end)) = words::over(self.text, m.end, self.pack)
            && let Some(value) = m.value().and_then(|v| Decimal::ratio(v, under))
        {
            (m.readings, m.step, m.end) = (vec![value], value.step(), end);
            m.key.clear();
        }
    }

    /// `三分之一`, `一又二分之一`: a fraction in Chinese. True when it was one.
    pub(super) fn parts(&self, m: &mut Mention) -> bool {
        let Some(rest) = self.text.get(m.end..) else { return false };
        let numeral = |at: usize| match char_at(self.text, at) {
            Some(c) if digit(c).is_some() => {
                let run = digits::run(self.text, at, self.pack);
                Decimal::parse(&run.digits).filter(|_| run.seps.is_empty()).map(|d| (d, run.end))
            }
            Some(c) if han::begins(c) => han::numeral(self.text, at, self.pack.numerals)
                .and_then(|f| Some((f.readings.first().copied()?, f.end))),
            _ => None,
        };
        let Some(under) = m.value() else { return false };
        if rest.starts_with('又') {
            let behind = m.end + '又'.len_utf8();
            let part = numeral(behind).and_then(|(under, end)| {
                let tail = self.text.get(end..)?;
                let skip = ["分之", "份之", "分", "份"].iter().find(|s| tail.starts_with(**s))?.len();
                let (over, end) = numeral(end + skip)?;
                Some((Decimal::ratio(over, under)?, end))
            });
            if let Some((part, end)) = part
                && let Some(sum) = under.checked_add(part)
            {
                (m.readings, m.step, m.end, m.words) = (vec![sum], sum.step(), end, 3);
                return true;
            }
            return false;
        }
        let mark = ["分之", "份之", "份"].iter().find(|s| rest.starts_with(**s));
        let Some(skip) = mark.map(|s| s.len()) else { return false };
        let Some((over, end)) = numeral(m.end + skip) else { return false };
        if skip == "份".len() && (m.words == 0 || self.unit_at(end).is_some()) {
            return false;
        }
        let Some(value) = Decimal::ratio(over, under) else { return false };
        (m.readings, m.step, m.end, m.words) = (vec![value], value.step(), end, 3);
        true
    }

    /// `85折`, `九二折`, `8.5折`: what is paid, in percent. True when it was one.
    pub(super) fn discount(&self, m: &mut Mention) -> bool {
        let Some((unit, end)) = self.pack.tenths.at(self.text, m.end) else { return false };
        let Some(value) = m.readings.first().copied() else { return false };
        // `三成` and `九折` are tenths; two digits are hundredths.
        let percent = if value < Decimal::from(10) { value.shifted(1) } else { value };
        if value > Decimal::from(99) || m.magnitude != 0 {
            return false;
        }
        (m.readings, m.unit, m.end, m.ambiguous) = (vec![percent], Some(unit), end, false);
        (m.words, m.claim) = (m.words.max(2), true);
        m.settle_kind();
        true
    }

    /// 零點77: decimals of digits behind a numeral.
    pub(super) fn mixed_decimals(&self, m: &mut Mention) {
        let Some(c) = char_at(self.text, m.end).filter(|c| matches!(c, '点' | '點')) else { return };
        let at = m.end + c.len_utf8();
        if char_at(self.text, at).is_none_or(|c| digit(c).is_none()) {
            return;
        }
        let run = digits::run(self.text, at, self.pack);
        let places = i32::try_from(run.digits.len()).unwrap_or(0);
        let part = Decimal::parse(&run.digits).filter(|_| run.seps.is_empty()).map(|d| d.shifted(-places));
        if let Some(sum) = part.and_then(|p| add_to_all(&m.readings, p)) {
            (m.readings, m.step, m.end) = (sum, -places, run.end);
        }
    }

    /// `half an hour`, `a quarter of a mile`: the article stands between a fraction and its unit.
    pub(super) fn over_article(&self, m: &mut Mention) {
        if m.value().is_none_or(|v| v >= Decimal::from(1)) {
            return;
        }
        let mut place = self.blank(m.end);
        if let Some((_, end)) = self.pack.calendar.of.at(self.text, place) {
            place = self.blank(end);
        }
        if let Some((Word::Article, end)) = self.pack.words.at(self.text, place)
            && self.pack.units.at(self.text, self.blank(end)).is_some()
        {
            m.end = end;
        }
    }

    /// 五双, 八打: pairs and dozens.
    pub(super) fn pairs(&self, m: &mut Mention) {
        let Some((Word::Times(n), end)) = self.pack.words.at(self.text, m.end) else { return };
        // 一对一, 三打二
        if char_at(self.text, end).is_some_and(|c| digit(c).is_some() || han::is_numeral(c)) {
            return;
        }
        let by = Decimal::from(i64::from(n));
        if let Some(scaled) = m.readings.iter().map(|r| r.checked_mul(by)).collect() {
            (m.readings, m.end, m.words) = (scaled, end, m.words.saturating_add(1));
        }
    }

    /// `5 ft 2 in`, `5 feet and 2 inches`: feet.
    pub(super) fn inches(&self, m: &mut Mention) {
        let name = m.unit.map(Unit::name);
        if name != Some("foot") {
            return;
        }
        let mut at = self.blank(m.end);
        if let Some((Word::And(_), end)) = self.pack.words.at(self.text, at) {
            at = self.blank(end);
        }
        if char_at(self.text, at).is_none_or(|c| digit(c).is_none()) {
            return;
        }
        let run = digits::run(self.text, at, self.pack);
        let inch = match self.unit_from(run.end) {
            Some((Some(unit), end)) if unit.name() == "inch" => Some(end),
            _ => {
                let place = self.blank(run.end);
                let rest = self.text.get(place..).unwrap_or_default();
                let bare =
                    rest.starts_with("in") && !rest.get(2..).is_some_and(|t| t.starts_with(char::is_alphanumeric));
                bare.then_some(place + 2)
            }
        };
        let part = Decimal::parse(&run.digits).and_then(|d| Decimal::ratio(d, Decimal::from(12)));
        if let (Some(end), Some(part)) = (inch, part)
            && let Some(sum) = add_to_all(&m.readings, part)
        {
            (m.readings, m.step, m.end) = (sum, part.step(), end);
        }
    }

    /// `1.3e6`, `1.3x10^6`, `6×10⁻⁴` is left alone.
    pub(super) fn exponent(&self, m: &mut Mention) {
        let rest = self.text.get(m.end..).unwrap_or_default();
        let tail = ["x10^", "×10^", "*10^"].iter().find_map(|s| Some((s.len(), rest.strip_prefix(s)?)));
        let tail = tail.or_else(|| Some((1, rest.strip_prefix(['e', 'E'])?)));
        let Some((skip, tail)) = tail else { return };
        let signed = usize::from(tail.starts_with(['+', '-']));
        let digits = tail.get(signed..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
        let end = signed + digits;
        let glued = tail.get(end..).is_some_and(|t| t.starts_with(|c: char| c.is_alphanumeric()));
        let Some(power) = tail.get(..end).and_then(|t| t.trim_start_matches('+').parse::<i32>().ok()) else { return };
        if (1..=2).contains(&digits) && !glued && power.abs() <= 30 {
            m.readings = m.readings.iter().map(|r| r.shifted(power)).collect();
            (m.step, m.end) = (m.step + power, m.end + skip + end);
            m.key.clear();
        }
    }
}

//! What stands beside a number and belongs to it: its sign, a fraction, a magnitude, a unit.

use super::digits::{self, Form, digit};
use super::mask::{self, char_at, char_before};
use super::pack::{Lead, is_spaced_letter};
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Kind, Mention, Unit, han};
use crate::text::decimal::Decimal;

impl Mentions<'_> {
    /// A minus sign, or a decimal point without a digit in front (`.5`).
    pub(super) fn sign(&self, m: &mut Mention) {
        let Some(c) = char_before(self.text, self.floor, m.start) else { return };
        let place = m.start - c.len_utf8();
        let minus = self.text.get(..place).is_some_and(|t| t.ends_with(['-', '\u{2212}']))
            && self.text.get(..place.saturating_sub(1)).is_none_or(|t| t.is_empty() || t.ends_with(' '));
        let free = place == 0
            || (minus && matches!(c, '.' | ','))
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
            ',' if free && self.pack.decimal_comma && m.key.bytes().all(|b| b.is_ascii_digit()) => {
                self.point_in_front(m, place);
            }
            ' ' if place > 0 => self.minus_of_line(m, place),
            '.' if free && m.key.bytes().all(|b| b.is_ascii_digit()) => {
                self.point_in_front(m, place);
            }
            _ => {}
        }
    }

    fn point_in_front(&self, m: &mut Mention, place: usize) {
        let places = i32::try_from(m.key.len()).unwrap_or(0);
        m.readings = m.readings.iter().map(|r| r.shifted(-places)).collect();
        (m.step, m.start, m.ambiguous) = (-places, place, false);
        // `-.5`
        if let Some(c @ ('-' | '\u{2212}')) = char_before(self.text, self.floor, place) {
            m.readings = m.readings.iter().filter_map(|r| r.negated()).collect();
            m.start = place - c.len_utf8();
        }
    }

    /// `- 1,200`: a minus sign where nothing but the number is on the line, else a bullet.
    fn minus_of_line(&self, m: &mut Mention, blank: usize) {
        let head = self.text.get(self.floor..blank).unwrap_or_default();
        let line = head.rsplit('\n').next().unwrap_or_default();
        let rest = self.text.get(m.end..).unwrap_or_default().split('\n').next().unwrap_or_default();
        if line.trim() == "-" && !rest.contains(char::is_whitespace) && rest.chars().count() < 4 {
            let plain = m.readings.clone();
            m.readings = plain.iter().filter_map(|r| r.negated()).chain(plain.iter().copied()).collect();
            m.start = self.floor + head.rfind('-').unwrap_or(0);
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
    pub(super) fn blank(&self, at: usize) -> usize {
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
        let at = self.blank(m.end);
        if let Some((Word::Times(n), end)) = self.pack.words.at(text, at)
            && let Some(scaled) = m.readings.iter().map(|r| r.checked_mul(Decimal::from(i64::from(n)))).collect()
        {
            (m.readings, m.end) = (scaled, end);
            m.key.clear();
            return;
        }
        // `1 จุด 1`, `2 chấm 23 đô`
        if at > m.end
            && m.step == 0
            && let Some((Word::Point, end)) = self.pack.words.at(text, at)
            && char_at(text, self.blank(end)).is_some_and(|c| digit(c).is_some())
        {
            let run = digits::run(text, self.blank(end), self.pack);
            let places = i32::try_from(run.digits.len()).unwrap_or(0);
            let part = Decimal::parse(&run.digits).filter(|_| run.seps.is_empty()).map(|d| d.shifted(-places));
            if let Some(sum) = part.and_then(|p| add_to_all(&m.readings, p)) {
                (m.readings, m.step, m.end) = (sum, -places, run.end);
                m.key.clear();
            }
        }
        let Some((mut last, end)) = self.power(m.end) else { return self.money_magnitude(m, money) };
        Self::scale(m, last, end);
        // `1.5 triệu` is 1500000; a millionth grouping is meant by nobody, so the ambiguous reading goes.
        loop {
            let at = self.blank(m.end);
            // `3 hundred and 21`
            if last == 2
                && let Some((Word::And(_), end)) = self.pack.words.at(text, at)
            {
                let next = self.blank(end);
                let run = char_at(text, next).filter(|c| digit(*c).is_some()).map(|_| digits::run(text, next, self.pack));
                if let Some(run) = run.filter(|r| r.seps.is_empty() && r.digits.len() <= 2 && self.power(r.end).is_none())
                    && let Some(sum) = Decimal::parse(&run.digits).and_then(|d| add_to_all(&m.readings, d))
                {
                    (m.readings, m.step, m.end) = (sum, 0, run.end);
                    break;
                }
            }
            if char_at(text, at).is_none_or(|c| digit(c).is_none()) {
                self.spelled_tail(m, at, last);
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
            if han && whole && run.digits.len() == 1 && last >= 2 && self.ends_numeral(run.end) {
                // 3万5 is 35000.
                if let Some(sum) = add_to_all(&m.readings, part.shifted(last - 1)) {
                    (m.readings, m.step, m.end) = (sum, last - 1, run.end);
                }
            } else if han && whole && part < Decimal::power_of_ten(last) && run.digits.len() > 1 {
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

    /// The place in front of up to one blank that stands before `at`.
    pub(super) fn before_blank(&self, at: usize) -> usize {
        match char_before(self.text, self.floor, at) {
            Some(c @ (' ' | '\u{a0}' | '\u{202f}' | '\u{200b}')) => at - c.len_utf8(),
            _ => at,
        }
    }

    /// The unit right behind a place, or behind a blank and what may stand between.
    pub(super) fn unit_at(&self, at: usize) -> Option<Unit> {
        self.unit_from(at).and_then(|(u, _)| u)
    }

    /// A small whole number in words.
    pub(super) fn small_word(&self, at: usize) -> Option<(i32, usize, usize)> {
        let found = words::spelled(self.text, at, self.pack)?;
        let value = i32::try_from(found.readings.first()?.to_i64()?).ok().filter(|v| *v <= 31)?;
        Some((value, found.end, 2))
    }

    /// A minus sign in words in front of a number.
    pub(super) fn minus(&self, m: &mut Mention, lead: Option<(Lead, usize)>) {
        if let Some((Lead::Minus, start)) = lead {
            m.readings = m.readings.iter().filter_map(|r| r.negated()).collect();
            m.start = start;
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

    /// Whether the unit taken is money and digits follow it: it may stand in front of them.
    pub(super) fn leads_to_another(&self, m: &Mention) -> bool {
        let money = m.unit.is_some_and(|u| u.dimension() == Dimension::Money);
        money && m.magnitude == 0 && char_at(self.text, self.blank(m.end)).is_some_and(|c| digit(c).is_some())
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

    /// `-4/5`.
    pub(super) fn signed_fraction(&self, m: &mut Mention) {
        let mut whole = Mention::bare(vec![Decimal::from(1)], m.start, m.end);
        self.sign(&mut whole);
        let [over, under] = m.readings.as_slice() else { return };
        if whole.start < m.start && over < under && m.key.contains('/')
            && let Some(value) = Decimal::ratio(*over, *under).and_then(Decimal::negated)
        {
            *m = Mention { step: value.step(), ..Mention::bare(vec![value], whole.start, m.end) };
        }
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

    /// `7×24小时`, `24 x 7`: all day, every day.
    pub(super) fn around_the_clock(&self, at: usize, run: &digits::Run) -> Option<Mention> {
        let other = match run.digits.as_str() {
            "7" => "24",
            "24" => "7",
            _ => return None,
        };
        let place = self.blank(run.end);
        let mark = char_at(self.text, place).filter(|c| matches!(c, '×' | 'x' | 'X' | '*' | '/' | '-'))?;
        let next = self.blank(place + mark.len_utf8());
        let rest = self.text.get(next..)?.strip_prefix(other)?;
        if rest.starts_with(|c: char| digit(c).is_some()) || mark == '-' && other == "24" && rest.starts_with('-') {
            return None;
        }
        let mut end = next + other.len();
        if let Some((Some(unit), e)) = self.unit_from(end).filter(|(u, _)| u.is_some_and(|u| u.name() == "hour")) {
            end = if unit.name() == "hour" { e } else { end };
        }
        let readings = vec![Decimal::from(24), Decimal::from(7)];
        Some(Mention { kind: Kind::Ratio, key: "24/7".to_owned(), ..Mention::bare(readings, at, end) })
    }

    /// `三分之一`, `一又二分之一`: a fraction in Chinese. True when it was one.
    pub(super) fn parts(&self, m: &mut Mention) -> bool {
        let Some(rest) = self.text.get(m.end..) else { return false };
        let numeral = |at: usize| match char_at(self.text, at) {
            Some(c) if digit(c).is_some() => {
                let run = digits::run(self.text, at, self.pack);
                Decimal::parse(&run.digits).filter(|_| run.seps.is_empty()).map(|d| (d, run.end))
            }
            Some(c) if han::begins(c) => {
                han::numeral(self.text, at, self.pack.numerals).and_then(|f| Some((f.readings.first().copied()?, f.end)))
            }
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

    /// Powers and dozens behind a number in words (`two hundred dozens` is read already): `mười nghìn` needs none.
    pub(super) fn magnitude_words(&self, m: &mut Mention) {
        if let Some((power, end)) = self.power(m.end) {
            Self::scale(m, power, end);
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
    fn han_cents(&self, m: &mut Mention, first: char) {
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

    /// Nothing follows that the digit before `at` could belong to, but for a currency.
    fn closes(&self, at: usize) -> bool {
        let next = self.blank(at);
        match char_at(self.text, next) {
            None | Some('\n' | '\r' | ')' | ';' | '!' | '?' | '。' | '，' | '、' | '；' | '！' | '？' | '）') => true,
            Some('.' | ',') => char_at(self.text, next + 1).is_none_or(|c| digit(c).is_none()),
            Some(_) => self.pack.units.at(self.text, next).is_some_and(|(u, _)| u.dimension() == Dimension::Money),
        }
    }

    /// `3 triệu năm trăm nghìn`, `4 thousand three hundred`: words of falling size go on a number of digits.
    fn spelled_tail(&self, m: &mut Mention, at: usize, last: i32) {
        let mut from = at;
        let mut joined = false;
        if let Some((Word::And(_), end)) = self.pack.words.at(self.text, at) {
            from = self.blank(end);
            joined = last == 2;
        }
        let Some(found) = words::spelled(self.text, from, self.pack) else { return };
        let Some(value) = found.readings.first().copied() else { return };
        let half = matches!(self.pack.words.at(self.text, from), Some((Word::Half, _)));
        let half = half || matches!(self.pack.words.at(self.text, from), Some((Word::Minus, _)));
        let fits = !half && (found.words >= 2 || joined) && !found.ordinal && value < Decimal::power_of_ten(last);
        if fits && let Some(sum) = add_to_all(&m.readings, value) {
            (m.readings, m.step, m.end) = (sum, found.last, found.end);
        }
    }

    /// Whether no digit, numeral or counter that would make another number of the last digit follows.
    fn ends_numeral(&self, at: usize) -> bool {
        let money = |u: Unit| u.dimension() == Dimension::Money;
        match char_at(self.text, at) {
            Some('.' | ',' | '-' | '~' | '/' | ':' | '％' | '%') => false,
            Some(c) if digit(c).is_some() || han::is_numeral(c) => false,
            _ => self.unit_at(at).is_none_or(money),
        }
    }

    /// `£30m`, `$2B`; a bare `3M` may be three million.
    fn money_magnitude(&self, m: &mut Mention, money: bool) {
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
            && !self.pack.units.at(self.text, at).is_some_and(|(_, e)| e == end)
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

    /// The nearest unit behind the number.
    pub(super) fn attach_unit(&self, m: &mut Mention) {
        let Some((unit, mut end)) = self.unit_from(m.end) else { return };
        let Some(unit) = unit else { return };
        if unit == Unit::CENT {
            self.tens_of_cents(m, end);
            return;
        }
        // `4G` is no four grams; `5L` and `60W` are litres and watts.
        let glued = self.text.get(m.end..end).unwrap_or_default();
        let decade = glued == "s" && m.key.len() == 4 && m.key.ends_with('0');
        if decade || matches!(glued, "G" | "S" | "H" | "M" | "D") {
            return;
        }
        // `3 USD50 cards`
        let money = unit.dimension() == Dimension::Money;
        if money && glued.starts_with(' ') && char_at(self.text, end).is_some_and(|c| c.is_ascii_digit()) {
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
        if let Some((_, half_end)) = self.pack.half.at(self.text, self.blank(end)) {
            // `两个半小时`: the unit stands behind the half. `十天半个月`: the half is of the next one.
            match self.pack.units.at(self.text, half_end) {
                Some((next, next_end)) if unit == Unit::COUNT => {
                    if let Some(sum) = add_to_all(&m.readings, Decimal::new(5, -1)) {
                        (m.readings, m.step, m.unit, m.end) = (sum, -1, Some(next), next_end);
                        return;
                    }
                }
                Some(_) if char_at(self.text, end).is_some_and(|c| c > '\u{2e80}') => {
                    (m.unit, m.end) = (Some(unit), end);
                    return;
                }
                Some(_) | None => {}
            }
        }
        if let Some((_, half_end)) = self.pack.half.at(self.text, self.blank(end))
            && let Some(sum) = add_to_all(&m.readings, Decimal::new(5, -1))
        {
            (m.readings, m.step, end) = (sum, -1, half_end);
        }
        if unit.name() == "day" {
            let inside = self.text.get(m.end..end).unwrap_or_default();
            let held = inside.char_indices().any(|(i, _)| self.pack.working.at(inside, i).is_some());
            let behind = self.pack.working.at(self.text, self.blank(end)).map(|(_, e)| e);
            m.working = held || behind.is_some();
            end = behind.unwrap_or(end);
        }
        (m.unit, m.end) = (Some(unit), end);
        // `75 USD million`
        if unit.dimension() == Dimension::Money
            && m.magnitude == 0
            && let Some((power, power_end)) = self.power(end).filter(|(p, _)| *p >= 6)
        {
            Self::scale(m, power, power_end);
        }
        self.inches(m);
        self.cents(m);
    }

    /// `5 ft 2 in`, `5 feet and 2 inches`: feet.
    fn inches(&self, m: &mut Mention) {
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
                let bare = rest.starts_with("in") && !rest.get(2..).is_some_and(|t| t.starts_with(char::is_alphanumeric));
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

    /// A tenth of a unit of money, and the hundredths behind it: `2角`, `两毛五`, `5分`.
    fn tens_of_cents(&self, m: &mut Mention, end: usize) {
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

    /// The unit at a place behind emphasis marks, one blank, a hyphen, a parenthesis with words, or qualifiers such as
    /// "working".
    fn unit_from(&self, at: usize) -> Option<(Option<Unit>, usize)> {
        let text = self.text;
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
        // `20 [kg]`
        let close = match char_at(text, place) {
            Some('(') => ')',
            Some('[') => ']',
            Some('{') => '}',
            Some('<') => '>',
            _ => ' ',
        };
        if close != ' '
            && let Some((unit, end)) = self.pack.units.at(text, place + 1)
            && char_at(text, end) == Some(close)
        {
            return Some((Some(unit), end + 1));
        }
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

//! What stands beside a number and belongs to it: its sign, a fraction, a magnitude, a unit.

use super::digits::{self, Form, digit};
use super::mask::{char_at, char_before};
use super::pack::{Lead, is_spaced_letter};
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Kind, Mention, Unit, han};
use crate::text::decimal::Decimal;

impl Mentions<'_> {
    /// A minus sign, or a decimal point without a digit in front (`.5`).
    pub(super) fn sign(&self, m: &mut Mention) {
        let Some(c) = char_before(self.text, self.floor, m.start) else { return };
        if !matches!(c, '-' | '\u{2212}' | '－' | '.' | ',' | ' ') {
            return;
        }
        let place = m.start - c.len_utf8();
        if c == ' ' {
            if place > 0 && self.text.as_bytes().get(place - 1) == Some(&b'-') {
                self.minus_of_line(m, place);
            }
            return;
        }
        let minus = self.text.get(..place).is_some_and(|t| t.ends_with(['-', '\u{2212}']))
            && self
                .text
                .get(..place.saturating_sub(1))
                .is_none_or(|t| t.is_empty() || t.ends_with(char::is_whitespace));
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

    /// One blank (never a line end), or none; what is not seen is passed over.
    pub(super) fn blank(&self, at: usize) -> usize {
        let at = digits::seen(self.text, at);
        match char_at(self.text, at) {
            Some(c @ (' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')) => digits::seen(self.text, at + c.len_utf8()),
            _ => at,
        }
    }

    /// Magnitudes at a place, multiplied (`nghìn tỷ`, `百万`): the power of ten and the end.
    pub(super) fn power(&self, at: usize) -> Option<(i32, usize)> {
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

    pub(super) fn scale(m: &mut Mention, power: i32, end: usize) {
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
                let run =
                    char_at(text, next).filter(|c| digit(*c).is_some()).map(|_| digits::run(text, next, self.pack));
                if let Some(run) =
                    run.filter(|r| r.seps.is_empty() && r.digits.len() <= 2 && self.power(r.end).is_none())
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
        let mut end = digits::past(self.text, next);
        let (written, rest) = (self.text.get(next..end)?, self.text.get(end..)?);
        let same = written.chars().filter_map(digit).map(|d| char::from(b'0' + d)).eq(other.chars());
        if !same || mark == '-' && other == "24" && rest.starts_with('-') {
            return None;
        }
        if let Some((Some(unit), e)) = self.unit_from(end).filter(|(u, _)| u.is_some_and(|u| u.name() == "hour")) {
            end = if unit.name() == "hour" { e } else { end };
        }
        let readings = vec![Decimal::from(24), Decimal::from(7)];
        Some(Mention { kind: Kind::Ratio, key: "24/7".to_owned(), ..Mention::bare(readings, at, end) })
    }

    /// Powers and dozens behind a number in words (`two hundred dozens` is read already): `mười nghìn` needs none.
    pub(super) fn magnitude_words(&self, m: &mut Mention) {
        if let Some((power, end)) = self.power(m.end) {
            Self::scale(m, power, end);
        }
    }

    /// Nothing follows that the digit before `at` could belong to, but for a currency.
    pub(super) fn closes(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let next = self.text.len() - rest.trim_start_matches([' ', '\u{a0}']).len();
        match char_at(self.text, next) {
            None | Some('\n' | '\r' | ')' | ';' | '!' | '?' | '。' | '，' | '、' | '；' | '！' | '？' | '）') => {
                true
            }
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
        if money && glued.starts_with(' ') && char_at(self.text, end).is_some_and(|c| digit(c).is_some()) {
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

    /// The unit at a place behind emphasis marks, one blank, a hyphen, a parenthesis with words, or qualifiers such as
    /// "working".
    pub(super) fn unit_from(&self, at: usize) -> Option<(Option<Unit>, usize)> {
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

pub(super) fn add_to_all(readings: &[Decimal], part: Decimal) -> Option<Vec<Decimal>> {
    readings.iter().map(|r| r.checked_add(part)).collect()
}

//! What stands beside a number and belongs to it: a fraction, a magnitude, a unit.

use super::digits::{self, Form, digit};
use super::mask::{char_at, char_before};
use super::pack::{Lead, is_spaced_letter};
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Kind, Mention, Unit, han};
use crate::text::decimal::Decimal;
use crate::text::norm::chars::is_blank;

impl Mentions<'_> {
    /// One blank (never a line end), or none; what is not seen is passed over.
    pub(super) fn blank(&self, at: usize) -> usize {
        let at = digits::seen(self.text, at);
        match char_at(self.text, at) {
            Some(c @ (' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}')) => {
                digits::seen(self.text, at + c.len_utf8())
            }
            _ => at,
        }
    }

    /// The place behind a blank where words have blanks between them; a script without them sets one between phrases.
    pub(super) fn joint(&self, at: usize) -> usize {
        let last = self.text.get(..at).and_then(|t| t.chars().next_back());
        if last.is_some_and(|c| c > '\u{e00}' && !is_spaced_letter(c) && digit(c).is_none()) {
            at
        } else {
            self.blank(at)
        }
    }

    /// Magnitudes at a place, multiplied (`nghìn tỷ`, `百万`): the power of ten and the end.
    pub(super) fn power(&self, at: usize) -> Option<(i32, usize)> {
        let (mut power, mut end) = (0, at);
        // `5-million-dollar`
        if char_at(self.text, at) == Some('-')
            && char_at(self.text, at + 1).is_some_and(is_spaced_letter)
            && let Some((p, e)) = self.pack.magnitudes.at(self.text, at + 1).filter(|(_, e)| e - at > 4)
        {
            (power, end) = (p, e);
        }
        loop {
            // Two blanks happen between words; in a script without blanks they end a phrase.
            let once = self.joint(end);
            let twice = self.joint(once);
            let next = if char_at(self.text, twice).is_some_and(is_spaced_letter) { twice } else { once };
            let Some((p, e)) = self.pack.magnitudes.at(self.text, next) else { break };
            // Unit characters win: 25千克, 千米; ร้อยละ is percent.
            let longer = |words: &super::pack::Words<()>| words.at(self.text, next).is_some_and(|(_, end)| end > e);
            if self.pack.units.at(self.text, next).is_some_and(|(_, unit_end)| unit_end > e)
                || (e - next > 6 && longer(&self.pack.stop))
                || power + p > 30
            {
                break;
            }
            (power, end) = (power + p, e);
        }
        (end > at).then_some((power, end))
    }

    /// A magnitude of slang where no noun stands behind it: `5 grand`, and no `5 grand pianos`.
    fn slang(&self, at: usize) -> Option<(i32, usize)> {
        if self.pack.slang_magnitudes.is_empty() {
            return None;
        }
        let (power, end) = self.pack.slang_magnitudes.at(self.text, self.blank(at))?;
        (self.closes(end) || self.pack.no_noun.at(self.text, self.blank(end)).is_some()).then_some((power, end))
    }

    pub(super) fn scale(m: &mut Mention, power: i32, end: usize) {
        m.readings = m.readings.iter().map(|r| r.shifted(power)).collect();
        m.step = m.step.saturating_add(power);
        m.magnitude = power;
        m.end = end;
        m.key.clear();
    }

    /// `2 dozen`, `2 dozen and a half`: a number times a word at a place behind it. True when there is one.
    fn dozens(&self, m: &mut Mention, at: usize) -> bool {
        let Some((Word::Times(n), end)) = self.pack.words.at(self.text, at) else { return false };
        let times = Decimal::from(i64::from(n));
        let Some(scaled) = m.readings.iter().map(|r| r.checked_mul(times)).collect() else { return false };
        (m.readings, m.end) = (scaled, end);
        m.key.clear();
        if let Some((part, end)) = words::part_behind(self.text, end, self.pack)
            && let Some(more) = part.checked_mul(times)
            && let Some(sum) = add_to_all(&m.readings, more)
        {
            (m.readings, m.end) = (sum, end);
        }
        true
    }

    pub(super) fn attach_magnitude(&self, m: &mut Mention, money: bool) {
        let text = self.text;
        let at = self.blank(m.end);
        if self.dozens(m, at) {
            return;
        }
        // `1 จุด 1`, `2 chấm 23 đô`
        if at > m.end
            && m.step == 0
            && let Some((Word::Point, end)) = self.pack.words.at(text, at)
            && let next = self.blank(end)
            && (self.pack.pairs || char_at(text, next).is_some_and(|c| digit(c).is_some()))
            && let Some((part, places, end, _)) = words::decimals(text, next, self.pack)
            && let Some(sum) = add_to_all(&m.readings, part)
        {
            (m.readings, m.step, m.end) = (sum, -places, end);
            m.key.clear();
        }
        self.counted_power(m);
        let Some((mut last, end)) = self.power(m.end).or_else(|| self.slang(m.end)) else {
            return self.money_magnitude(m, money);
        };
        Self::scale(m, last, end);
        // `3 hundred dozen`
        if self.dozens(m, self.blank(m.end)) {
            return;
        }
        // `1.5 triệu` is 1500000; a millionth grouping is meant by nobody, so the ambiguous reading goes.
        loop {
            let at = self.blank(m.end);
            // `3 hundred and 21`, `3 hundred 21`, `3 thousand 210`
            let and = self.pack.words.at(text, at).filter(|(w, _)| matches!(w, Word::And(_))).map(|(_, end)| end);
            let follows = if and.is_some() { last == 2 || !money } else { at > m.end };
            if self.pack.pairs && follows {
                let next = and.map_or(at, |end| self.blank(end));
                if let Some((part, end)) = self.low_digits(next, last, and.is_some())
                    && let Some(sum) = add_to_all(&m.readings, part)
                {
                    (m.readings, m.step, m.end) = (sum, 0, end);
                    break;
                }
            }
            // `4 thousand and 3 hundred`, and no `between 4 thousand and 3 hundred`
            let at = and.map(|end| self.blank(end)).filter(|next| self.falls(*next, last)).unwrap_or(at);
            if char_at(text, at).is_none_or(|c| digit(c).is_none()) {
                if !self.han_tail(m, at, last) {
                    self.spelled_tail(m, at, last);
                }
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
            // `2 nghìn 500 tỷ`: a larger power behind both multiplies both.
            if last == 3
                && at > m.end
                && let Some((power, end)) = self.power(run.end).filter(|(p, _)| *p > last)
                && part < Decimal::power_of_ten(last)
                && let Some(sum) = add_to_all(&m.readings, part)
            {
                m.readings = sum;
                Self::scale(m, power, end);
                break;
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
                && (glued || ((run.digits.len() == 1 || (run.digits.len() == 3 && last >= 6)) && self.closes(run.end)))
            {
                // `1tr5`, `2 tỷ 3`, `1 triệu 250`: decimals of the magnitude.
                let places = i32::try_from(run.digits.len()).unwrap_or(0);
                if let Some(sum) = add_to_all(&m.readings, part.shifted(last - places)) {
                    (m.readings, m.step, m.end) = (sum, last - places, run.end);
                }
            } else if self.pack.tail_second
                && whole
                && run.digits.len() == 1
                && last >= 3
                && self.closes(run.end)
                && let Some(sum) = add_to_all(&m.readings, part.shifted(last - 1))
            {
                // `2 แสน 5`; `3 ร้อย 5` are 305 as well.
                (m.readings, m.step, m.end) = (sum, last - 1, run.end);
            }
            break;
        }
        let at = self.joint(m.end);
        if let Some((_, end)) = self.pack.half.at(text, at)
            && let Some(sum) = add_to_all(&m.readings, Decimal::new(5, last - 1))
        {
            (m.readings, m.step, m.end) = (sum, last - 1, end);
        } else {
            self.part_of_magnitude(m, last);
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

    /// `percent of 20`, with nothing before and nothing behind: elsewhere the number is what the share is of.
    pub(super) fn percent_of(&self, m: &mut Mention, lead: Option<(Lead, usize)>) {
        if let (None, Some((Lead::Percent, start))) = (m.unit, lead)
            && self.text.get(..start).is_some_and(|t| t.trim().is_empty())
            && self.closes(m.end)
        {
            (m.unit, m.start) = (Some(Unit::PERCENT), start);
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
        let at = self.blank(m.end);
        if at > m.end && self.code_of_many(m, at) {
            return;
        }
        if let Some((power, end)) = self.power(m.end).or_else(|| self.slang(m.end)) {
            Self::scale(m, power, end);
            m.words = m.words.saturating_add(1);
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
            Some(_) => {
                self.ends_sentence(at, next)
                    || self.pack.units.at(self.text, next).is_some_and(|(u, _)| u.dimension() == Dimension::Money)
            }
        }
    }

    /// Whether a sentence ends at a place, or in front of what stands behind the blanks there, by what the language has for
    /// full stops: what is read of a sentence is then read of a copy of it.
    fn ends_sentence(&self, at: usize, next: usize) -> bool {
        let blanks = || self.text.get(at..).unwrap_or_default().chars().take(2).filter(|c| is_blank(*c)).count();
        self.pack.sentence_ends.at(self.text, next).is_some() || self.pack.double_blank && blanks() == 2
    }

    /// Whether no digit, numeral or counter that would make another number of the last digit follows.
    pub(super) fn ends_numeral(&self, at: usize) -> bool {
        let money = |u: Unit| u.dimension() == Dimension::Money;
        match char_at(self.text, at) {
            Some('.' | ',' | '-' | '~' | '/' | ':' | '％' | '%') => false,
            Some(c) if digit(c).is_some() || han::is_numeral(c) => false,
            _ => self.unit_at(at).is_none_or(money),
        }
    }

    /// The nearest unit behind the number.
    pub(super) fn attach_unit(&self, m: &mut Mention) {
        let Some((unit, mut end)) = self.unit_from(m.end) else {
            m.unit = m.unit.or_else(|| self.unit_across(m.end));
            return;
        };
        let Some(unit) = unit else { return };
        // `4G` is no four grams; `5L` and `60W` are litres and watts.
        let glued = self.text.get(m.end..end).unwrap_or_default();
        let led = || {
            let head = self.text.get(self.floor..m.start).unwrap_or_default();
            let word = m.start - (head.len() - head.trim_end_matches([' ', '-', '\u{2010}', '\u{2011}']).len());
            head.ends_with(['\'', '’']) || self.pack.calendar.before_decade.at(self.text, self.floor, word).is_some()
        };
        let decade = glued == "s" && m.key.ends_with('0') && (m.key.len() == 4 || (m.key.len() == 2 && led()));
        if decade || matches!(glued, "G" | "S" | "H" | "M" | "D" | "C") {
            return;
        }
        if unit == Unit::CENT {
            self.tens_of_cents(m, end);
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
        if let Some((_, half_end)) = self.pack.half.at(self.text, self.joint(end)) {
            // `两个半小时`: the unit stands behind the half. `十天半个月`: the half is of the next one.
            match self.pack.units.at(self.text, half_end) {
                Some((next, next_end)) if unit == Unit::COUNT => {
                    if let Some(sum) = add_to_all(&m.readings, Decimal::new(5, -1)) {
                        (m.readings, m.step, m.unit, m.end) = (sum, -1, Some(next), next_end);
                        m.words = m.words.saturating_mul(2);
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
        if let Some((_, half_end)) = self.pack.half.at(self.text, self.joint(end))
            && let Some(sum) = add_to_all(&m.readings, Decimal::new(5, -1))
        {
            (m.readings, m.step, end) = (sum, -1, half_end);
            m.words = m.words.saturating_mul(2);
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
        self.decimals_of_unit(m);
        self.pounds(m);
        self.part_of_unit(m);
        self.cents(m);
    }

    /// The unit of all of `56 x 36 x 23 cm`, behind the first or second number.
    fn unit_across(&self, at: usize) -> Option<Unit> {
        let mut at = at;
        for _ in 0..2 {
            let place = self.blank(at);
            let mark = char_at(self.text, place).filter(|c| matches!(c, 'x' | 'X' | '×' | '*'))?;
            let next = self.blank(place + mark.len_utf8());
            char_at(self.text, next).filter(|c| digit(*c).is_some())?;
            at = digits::run(self.text, next, self.pack).end;
            if let Some((unit, _)) = self.unit_from(at) {
                return unit.filter(|u| u.dimension() == Dimension::Length);
            }
        }
        None
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
                // 单元, อันดับ, đồng thời
                let longer = self.pack.no_unit.at(text, place).is_some_and(|(_, e)| e > end);
                return (!longer).then_some((Some(unit), end));
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

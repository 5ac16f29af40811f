//! Numbers of Chinese characters, and of words: what is made of each.

use super::digits::{self, Form, digit};
use super::mask::{self, char_at, char_before};
use super::pack::Lead;
use super::scan::Mentions;
use super::{Dimension, Mention, Unit, clock, han, words};
use crate::text::decimal::Decimal;

impl Mentions<'_> {
    /// A numeral of Chinese characters: a date, a time, a share, or a number.
    pub(super) fn numeral(&mut self, at: usize) {
        let text = self.text;
        let rest = text.get(at..).unwrap_or_default();
        if let Some((power, end)) = self.pack.shares.at(text, at) {
            return self.share(at, power, end);
        }
        let Some(found) = han::numeral(text, at, self.pack.numerals) else {
            return self.pass(at + rest.chars().next().map_or(1, char::len_utf8));
        };
        let before = char_before(text, self.floor, at);
        // 上百人 is a hundred and more.
        let vague = before == Some('上') && rest.starts_with(['百', '千', '万', '萬', '亿', '億']);
        // 二十几岁: twenty and some.
        let some = matches!(char_at(text, found.end), Some('几' | '幾'));
        if vague || some || before.is_some_and(|c| self.pack.stop_after.contains(&c)) {
            return self.pass(found.end);
        }
        if found.readings.is_empty() && found.chars == 2 && self.one_or_the_other(at, found.end) {
            return;
        }
        let lead = self.lead(at);
        if let Some(m) = self.before_hour(at, lead) {
            return self.push(Mention { spelled: true, ..m });
        }
        let plain = found.readings.last().and_then(|r| r.to_i64());
        if let Some(value) = plain.and_then(|v| i32::try_from(v).ok()) {
            let digits =
                if value > 31 && found.chars != 4 { 3 } else { found.chars.min(if value <= 31 { 2 } else { 4 }) };
            if let Some(mut m) = self.date_from(at, (value, found.end, digits), lead) {
                m.spelled = true;
                return self.push(m);
            }
            let (led, start) = clock::led(lead, at);
            let spoken = !han::is_decimal(text, at, found.end);
            let timed = (spoken && value <= 24).then(|| self.time_of_hour(start, found.end, value.into(), led));
            // 这一点, 两点要求: a few points; an hour is told by its half of the day, its minutes or 钟.
            let bare = |m: &Mention| {
                led.is_none() && value < 7 && text.get(found.end..m.end).is_some_and(|t| t.chars().count() == 1)
            };
            if let Some(mut m) = timed.flatten().filter(|m| !bare(m)) {
                m.spelled = true;
                return self.push(m);
            }
        }
        let mut m = Mention::bare(found.readings, at, found.end);
        m.spelled = true;
        m.words = u8::try_from(found.chars).unwrap_or(u8::MAX);
        m.step = m.value().map_or(0, Decimal::step);
        self.minus(&mut m, lead);
        self.mixed_decimals(&mut m);
        self.counted_power(&mut m);
        self.pairs(&mut m);
        if self.parts(&mut m) || self.discount(&mut m) {
            return self.push(m);
        }
        let ordinal = matches!(lead, Some((Lead::AlwaysOrdinal | Lead::Ordinal, _)))
            || self.pack.ordinal_after.at(text, m.end).is_some();
        if ordinal {
            m.unit = Some(Unit::ORDINAL);
        } else if !m.readings.is_empty() {
            self.attach_unit(&mut m);
        }
        // 港幣三個一毫四
        if m.unit.is_none_or(|u| u == Unit::COUNT)
            && let Some((unit, start)) = mask::prefix(text, self.floor, m.start, self.pack)
            && unit.dimension() == Dimension::Money
        {
            (m.unit, m.start) = (Some(unit), start);
            self.cents(&mut m);
        }
        // 十分 is also "very"; 零下 leads up to a number.
        if m.unit.is_none_or(|u| u == Unit::COUNT || u == Unit::CENT)
            && m.end <= self.pack.stop.at(text, at).map_or(0, |(_, e)| e).max(found.end)
            && let Some((_, end)) = self.pack.stop.at(text, at)
        {
            return self.go_on(end.max(found.end));
        }
        // 一半, and 1半
        if m.unit.is_none()
            && m.value() == Some(Decimal::from(1))
            && let Some((_, end)) = self.pack.half.at(text, m.end)
        {
            (m.readings, m.step, m.end, m.words) = (vec![Decimal::new(5, -1)], -1, end, 2);
        }
        // 陆 is also land, 参 to take part.
        let formal = found.chars == 1 && m.unit.is_none() && han::is_formal(rest.chars().next().unwrap_or(' '));
        if m.readings.is_empty() || (formal && text.trim().len() != found.end - at) {
            return self.pass(found.end);
        }
        let two = m.value().is_some_and(|v| v >= Decimal::from(2));
        let counted = m.unit.is_some_and(|u| u != Unit::COUNT);
        // 五一 and 三五: two digits beside each other are seldom a number.
        let pair = found.chars == 2 && m.unit.is_none() && m.words == 2 && han::is_pair(rest);
        m.claim = !ordinal && !pair && (m.words >= 2 || (two && counted));
        m.settle_kind();
        self.push(m);
    }

    /// `两三天`: two digits beside each other and a unit are one number of it, or the other. True when they were.
    fn one_or_the_other(&mut self, at: usize, end: usize) -> bool {
        let Some((Some(unit), _)) = self.unit_from(end).filter(|(u, _)| u.is_some_and(|u| u != Unit::CENT)) else {
            return false;
        };
        let pair: Vec<_> = self.text.get(at..end).unwrap_or_default().char_indices().collect();
        let value = |c: char| han::han_digit(c).map(|d| vec![Decimal::from(i64::from(d))]);
        let [(_, first), (inner, second)] = pair.as_slice() else { return false };
        // 三五天 are a few days.
        let a_few = (*first, *second) == ('三', '五');
        let (Some(low), Some(high), false) = (value(*first), value(*second), a_few) else { return false };
        let mut left = Mention::bare(low, at, at + inner);
        (left.unit, left.spelled, left.words) = (Some(unit), true, 1);
        left.claim = unit != Unit::COUNT;
        let mut right = Mention { start: at + inner, end, readings: high, ..left.clone() };
        self.attach_unit(&mut right);
        left.settle_kind();
        right.settle_kind();
        self.ready.push_back(left);
        self.push(right);
        true
    }

    /// `百分之十五`, `千分之3`: what stands behind is the share.
    pub(super) fn share(&mut self, at: usize, power: i32, inner: usize) {
        let text = self.text;
        let inner = self.blank(inner);
        let (readings, end) = match char_at(text, inner) {
            Some(c) if digit(c).is_some() => {
                let run = digits::run(text, inner, self.pack);
                match digits::read(&run, self.pack) {
                    Form::Number { readings, .. } => (readings, run.end),
                    Form::List | Form::Identifier => return self.pass(inner),
                }
            }
            Some(c) if han::begins(c) => match han::numeral(text, inner, self.pack.numerals) {
                Some(found) => (found.readings, found.end),
                None => return self.pass(inner),
            },
            _ => return self.pass(inner),
        };
        if readings.is_empty() {
            return self.pass(end);
        }
        let (unit, shift) = match power {
            -3 => (Unit::PERMILLE, 0),
            p => (Unit::PERCENT, p + 2),
        };
        let mut m = Mention::bare(readings.iter().map(|r| r.shifted(shift)).collect(), at, end);
        (m.unit, m.spelled, m.words) = (Some(unit), true, 2);
        self.minus(&mut m, self.lead(at));
        m.step = m.value().map_or(0, Decimal::step);
        m.settle_kind();
        self.push(m);
    }

    /// A number in words, or the name of a month.
    pub(super) fn word(&mut self, at: usize) {
        let text = self.text;
        if char_at(text, at).is_some_and(|c| digits::vulgar(c).is_some()) {
            return self.vulgar(at);
        }
        if let Some(m) = self.roman(at) {
            return self.push(m);
        }
        let named = self.date_by_name(at).or_else(|| self.named_time(at)).or_else(|| self.past(at));
        if let Some(m) = named.or_else(|| self.article(at)) {
            return self.push(m);
        }
        let found = words::spelled(text, at, self.pack);
        let Some(found) = found else {
            let next = char_at(text, at).map_or(1, char::len_utf8);
            return self.go_on(at + next);
        };
        // `seven (7) days` states one number, that of its digits.
        let bracket = self.blank(found.end);
        if char_at(text, bracket) == Some('(') && char_at(text, bracket + 1).is_some_and(|c| digit(c).is_some()) {
            let run = digits::run(text, bracket + 1, self.pack);
            let same = Decimal::parse(&run.digits).is_some_and(|d| found.readings.contains(&d));
            if same && run.seps.is_empty() && char_at(text, run.end) == Some(')') {
                return self.go_on(found.end);
            }
        }
        let single = found.words < 2;
        // หนึ่งในสามของ: the word for one of many may begin a share.
        if single && !self.pack.pairs && !found.ordinal && self.pack.out_of.at(text, self.blank(found.end)).is_some() {
            let mut share = Mention::bare(found.readings.clone(), at, found.end);
            (share.spelled, share.words) = (true, found.words);
            if self.out_of(&mut share) {
                return self.push(share);
            }
        }
        let place = self.before_blank(at);
        let lead = self.lead(place);
        // `năm 2026`: the word leads up to a number of digits.
        let leads_on = || {
            let next = self.blank(found.end);
            if !matches!(self.lead(found.end), Some((Lead::Year, _))) {
                return false;
            }
            // `năm hai nghìn không trăm hai mươi lăm`, `6%/năm`, `đầu năm.`
            let year =
                |f: words::Spelled| f.words >= 3 && f.readings.first().is_some_and(|v| *v >= Decimal::from(1000));
            let before = char_before(text, self.floor, at);
            char_at(text, next).is_some_and(|c| digit(c).is_some())
                || words::spelled(text, next, self.pack).is_some_and(year)
                || before == Some('/')
                || (self.closes(found.end) && before == Some(' ') && !text.get(..at).is_some_and(|t| t.ends_with(", ")))
        };
        if single && (matches!(lead, Some((Lead::Step, _))) || leads_on()) {
            return self.go_on(found.end);
        }
        let vague = self.pack.vague.at(text, self.floor, place).is_some();
        let stop = self.pack.stop.at(text, at).map(|(_, end)| end);
        // `một phần trăm`: the unit reaches further than the word that is no number.
        let stop = stop.filter(|end| self.unit_from(found.end).is_none_or(|(_, unit_end)| unit_end <= *end));
        if vague || stop.is_some_and(|end| end >= found.end) {
            return self.go_on(found.end.max(stop.unwrap_or(0)));
        }
        let plain = found.readings.first().and_then(|r| r.to_i64()).and_then(|v| i32::try_from(v).ok());
        let bare = || self.unit_at(found.end).is_none();
        let dated = match lead {
            Some((Lead::Day, _)) => true,
            Some((Lead::Month, _)) => single || bare(),
            Some(_) | None => single,
        };
        if let Some(value) = plain.filter(|v| dated && *v <= 31)
            && let Some(mut m) = self.date_from(at, (value, found.end, 2), lead.filter(|(l, _)| *l != Lead::Year))
        {
            (m.spelled, m.claim) = (true, m.dates.iter().any(|d| d.parts().count() > 1));
            return self.push(m);
        }
        if let Some(m) = self.minutes_past(at, found.readings.first().copied(), found.end).filter(|_| !found.ordinal) {
            return self.push(Mention { spelled: true, words: 2, ..m });
        }
        let hour = !found.ordinal && (single || !self.pack.pairs);
        let value = found.readings.first().copied().filter(|_| hour);
        if let Some(mut m) = value.and_then(|v| self.time_in_words(at, (v, found.end), lead)) {
            (m.spelled, m.words) = (true, 2);
            return self.push(m);
        }
        let mut m = Mention::bare(found.readings, at, found.end);
        (m.spelled, m.words, m.step) = (true, found.words, found.last);
        let ordinal = match lead {
            Some((Lead::Weekday, _)) => {
                // thứ hai … thứ bảy are days of the week.
                if plain.is_some_and(|v| (2..=7).contains(&v)) {
                    return self.go_on(found.end);
                }
                true
            }
            Some((Lead::AlwaysOrdinal, _)) => true,
            Some((Lead::Year, _)) if plain == Some(5) || single => return self.go_on(found.end),
            _ => found.ordinal,
        };
        if ordinal {
            m.unit = Some(Unit::ORDINAL);
            // The second hand, a second: the ordinal is also a unit.
        } else {
            // `two 1/2 cups`
            if self.pack.pairs && m.readings.len() == 1 && m.value().is_some_and(Decimal::is_whole) {
                self.fraction(&mut m);
            }
            self.and_fraction(&mut m);
            self.digits_behind(&mut m, found.last);
            self.counted_power(&mut m);
            self.magnitude_words(&mut m);
            if self.out_of(&mut m) {
                return self.push(m);
            }
            self.over_article(&mut m);
            self.of_unit(&mut m);
            self.attach_unit(&mut m);
            self.divided(&mut m);
            // ร้อยละสิบห้า
            if m.unit.is_none()
                && let Some((unit, start)) =
                    mask::prefix(text, self.floor, at, self.pack).filter(|(u, _)| *u == Unit::PERCENT)
            {
                (m.unit, m.start) = (Some(unit), start);
            }
            if let (None, Some((Lead::Ordinal | Lead::Step, _))) = (m.unit, lead) {
                m.unit = Some(Unit::ORDINAL);
            }
            self.percent_of(&mut m, lead);
        }
        self.times(&mut m, lead);
        self.unit_in_front(&mut m);
        let zero = m.value() == Some(Decimal::from(0));
        let alone = text.trim().len() == m.end - m.start;
        // `không` is also `no`, and ศูนย์ a centre.
        if zero && single && !alone && m.unit.is_none() && !self.pack.pairs {
            return self.go_on(m.end);
        }
        let two = m.value().is_some_and(|v| v >= Decimal::from(2) || !v.is_whole());
        let counted = m.unit.is_some_and(|u| u != Unit::ORDINAL);
        m.claim = m.unit != Some(Unit::ORDINAL) && (m.words >= 2 || (two && counted));
        m.settle_kind();
        self.push(m);
    }
}

//! Times of day, as minutes after midnight: `8h30`, `8.30 น.`, `下午3点`, `3 pm`, `8 giờ 30 sáng`, `บ่ายสองโมง`.
//!
//! Thai speech counts four times six hours: ตี 1 to ตี 5 after midnight, โมงเช้า from seven (1 โมงเช้า; the hours from seven
//! to eleven are told by their modern count too), บ่าย 1 to บ่าย 5 after noon, 1 ทุ่ม to 5 ทุ่ม from seven in the evening;
//! เที่ยง, เที่ยงวัน and เที่ยงคืน are noon and midnight (Wikipedia, "Thai six-hour clock"; proclaimed in the Royal Gazette of
//! Siam, volume 17, 1900).

use super::digits::{Run, digit};
use super::mask::char_at;
use super::pack::{Half, Lead, goes_on, is_spaced_letter};
use super::scan::Mentions;
use super::{Kind, Mention, han, words};
use crate::text::decimal::Decimal;

/// So many hours are told by a clock; `20 to 6 pm` is no range.
const HOURS: i64 = 12;

/// The half of the day that leads up to an hour, and whether it makes an hour of the number alone (`ตี 3`).
pub(super) type Led = Option<(Half, bool)>;

/// What a word in front of a number says of the hour.
pub(super) fn led(lead: Option<(Lead, usize)>, at: usize) -> (Led, usize) {
    match lead {
        Some((Lead::Half(half), start)) => (Some((half, false)), start),
        Some((Lead::Hour(half), start)) => (Some((half, true)), start),
        _ => (None, at),
    }
}

/// The hour from 0 to 24 that an hour of a half of the day is.
fn hour_of(hour: i64, half: Option<Half>) -> Option<i64> {
    let (hour, fits) = match (half, hour) {
        (Some(Half::Pm), 0..12) | (Some(Half::Noon), 1..=3) | (Some(Half::Late), 5..12) => (hour + 12, true),
        (Some(Half::Am), 12) => (0, true),
        (Some(Half::Late), 12) => (24, true),
        (Some(Half::Noon), _) => (hour, (10..=15).contains(&hour)),
        (Some(Half::Evening), _) => (hour + 18, (1..=6).contains(&hour)),
        (Some(Half::Night), _) => (hour, (1..=6).contains(&hour)),
        (Some(Half::Morning), 1..=5) => (hour + 6, true),
        (Some(Half::Morning), _) => (hour, hour <= 12),
        (Some(Half::Am | Half::Pm | Half::Late) | None, _) => (hour, true),
    };
    (fits && (0..=24).contains(&hour)).then_some(hour)
}

impl Mentions<'_> {
    /// Two digits of minutes at a place: their value and end.
    fn minutes(&self, at: usize) -> Option<(i64, usize)> {
        let mut end = at;
        let mut value = 0;
        let mut len = 0;
        for c in self.text.get(at..)?.chars().take(3) {
            let Some(d) = digit(c) else { break };
            value = value * 10 + i64::from(d);
            end += c.len_utf8();
            len += 1;
        }
        (1..=2).contains(&len).then_some((value, end)).filter(|(v, _)| *v < 60)
    }

    /// Minutes behind an hour in digits, numerals or words, with the word for them: their value and end.
    fn told_minutes(&self, at: usize) -> Option<(i64, usize)> {
        let place = self.blank(at);
        let (value, end) = match char_at(self.text, place)? {
            c if digit(c).is_some() => self.minutes(place)?,
            c if han::begins(c) => {
                let found = han::numeral(self.text, place, self.pack.numerals)?;
                (found.readings.first()?.to_i64()?, found.end)
            }
            _ => {
                let found = words::spelled(self.text, place, self.pack)?;
                (found.readings.first()?.to_i64()?, found.end)
            }
        };
        // 三点一刻
        if let Some((_, end)) = self.pack.clock.quarter.at(self.text, end) {
            return (1..=3).contains(&value).then_some((value * 15, end));
        }
        let (_, end) = self.pack.clock.minute.at(self.text, self.blank(end))?;
        (0..60).contains(&value).then_some((value, end))
    }

    /// Minutes that are missing to the hour: `kém 15`, `差五分`.
    fn missing(&self, at: usize) -> Option<(i64, usize)> {
        let (_, end) = self.pack.clock.less.at(self.text, self.blank(at))?;
        let bare = || {
            let place = self.blank(end);
            self.minutes(place).filter(|(_, e)| self.closes(*e))
        };
        self.told_minutes(end).or_else(bare).map(|(minutes, end)| (-minutes, end)).filter(|(m, _)| *m < 0)
    }

    /// `差五分八点`: the minutes that are missing in front of the hour.
    pub(super) fn before_hour(&self, at: usize, lead: Option<(Lead, usize)>) -> Option<Mention> {
        let (Lead::Less, less) = lead? else { return None };
        let (minutes, place) = self.told_minutes(at)?;
        let (hour, hour_end) = match char_at(self.text, place)? {
            c if digit(c).is_some() => self.minutes(place)?,
            _ => {
                let found = han::numeral(self.text, place, self.pack.numerals)?;
                (found.readings.first()?.to_i64()?, found.end)
            }
        };
        let (_, end) = self.pack.clock.hour.at(self.text, hour_end)?;
        let (front, start) = led(self.lead(less), less);
        self.time(start, end, hour, -minutes, front.map(|(half, _)| half)).filter(|_| hour > 0)
    }

    /// `half past nine`, `quarter to 6`: an hour behind its minutes. What is counted or goes on behind it is no hour.
    pub(super) fn past(&self, at: usize) -> Option<Mention> {
        let (minutes, end) = self.pack.clock.past.at(self.text, at)?;
        let (m, _) = self.hour_behind(at, end, minutes.into())?;
        Some(Mention { spelled: true, words: 3, ..m })
    }

    /// `twenty past 7`, `ten minutes to six`, `twenty to 6 pm`: minutes in front of their hour. `five to six pm` is a range.
    pub(super) fn minutes_past(&self, at: usize, minutes: Option<Decimal>, end: usize) -> Option<Mention> {
        let place = self.blank(end);
        let ((sign, told), word_end) = self.pack.clock.from_hour.at(self.text, place).filter(|_| place > end)?;
        let minutes = minutes?.to_i64().filter(|m| (1..60).contains(m))?;
        let (m, halved) = self.hour_behind(at, word_end, minutes * i64::from(sign))?;
        (told || halved && minutes > HOURS).then_some(m)
    }

    /// A time whose hour stands behind its minutes, at a place; the flag: a half of the day stands behind it.
    fn hour_behind(&self, start: usize, at: usize, minutes: i64) -> Option<(Mention, bool)> {
        let place = self.blank(at);
        let (hour, end) = match char_at(self.text, place)? {
            c if digit(c).is_some() => self.minutes(place)?,
            _ => {
                let found = words::spelled(self.text, place, self.pack).filter(|f| f.words == 1 && !f.ordinal)?;
                (found.readings.first()?.to_i64()?, found.end)
            }
        };
        let goes_on = self.text.get(end..).is_some_and(|t| t.starts_with([':', '/', '%', '-']) || goes_on(t));
        let counted = self.unit_at(end).is_some() || self.power(end).is_some();
        if !(1..=HOURS).contains(&hour) || goes_on || counted {
            return None;
        }
        let half = self.half_behind(end);
        let end = half.map_or(end, |(_, e)| e);
        let m = self.time(start, end, hour, minutes, half.map(|(h, _)| h))?;
        Some((m, half.is_some()))
    }

    /// What goes on an hour behind its words: a half, or minutes.
    fn past_hour(&self, at: usize) -> Option<(i64, usize)> {
        let half = self.pack.half.at(self.text, self.joint(at)).map(|(_, end)| (30, end));
        half.or_else(|| self.told_minutes(at)).or_else(|| self.missing(at))
    }

    /// The half of the day that a word behind a time names.
    fn half_behind(&self, at: usize) -> Option<(Half, usize)> {
        let words = &self.pack.clock.half;
        words.at(self.text, self.blank(at)).or_else(|| words.at(self.text, at))
    }

    fn time(&self, start: usize, end: usize, hour: i64, minute: i64, half: Option<Half>) -> Option<Mention> {
        let hour = hour_of(hour, half)?;
        let value = Decimal::from((hour * 60 + minute).rem_euclid(24 * 60 + 1));
        let (hour, minute) = if minute < 0 { (hour - 1, minute + 60) } else { (hour, minute) };
        let key = format!("{hour}:{minute:02}");
        Some(Mention { kind: Kind::Time, key, ..Mention::bare(vec![value], start, end) })
    }

    /// A time whose hour is a run of digits.
    pub(super) fn time_from(&self, at: usize, run: &Run, lead: Option<(Lead, usize)>) -> Option<Mention> {
        let clock = &self.pack.clock;
        let hour: i64 = run.digits.get(..run.groups.first()?.len)?.parse().ok().filter(|h| *h <= 24)?;
        let (led, start) = led(lead, at);
        let front = led.map(|(h, _)| h);
        match run.seps.as_slice() {
            // 8.30 น., and the left end of 8.30-17.00 น.
            ['.'] if run.groups.get(1).is_some_and(|g| g.len == 2) => {
                let (minute, end) = self.minutes(run.groups.get(1)?.start)?;
                let marked = clock.mark.at(self.text, self.blank(end)).map(|(_, e)| e);
                let half = self.half_behind(end).filter(|_| !clock.half_behind_hour);
                if let Some(end) = marked.or(half.map(|(_, e)| e)) {
                    return self.time(start, end, hour, minute, front.or(half.map(|(h, _)| h)));
                }
                let dash = self.blank(end);
                let next = match char_at(self.text, dash)? {
                    c @ ('-' | '–' | '—') => self.blank(dash + c.len_utf8()),
                    _ => self.pack.range.at(self.text, dash).map(|(_, e)| self.blank(e))?,
                };
                let (_, hour_end) = self.minutes(next)?;
                let (_, far) = self.text.get(hour_end..)?.strip_prefix('.').and_then(|_| self.minutes(hour_end + 1))?;
                clock.mark.at(self.text, self.blank(far))?;
                self.time(start, end, hour, minute, front)
            }
            [] => self.time_of_hour(start, run.end, hour, led),
            _ => None,
        }
    }

    /// A time at an hour that ends at a place: a colon, `h`, a word for the hour, or a half of the day follow.
    pub(super) fn time_of_hour(&self, start: usize, hour_end: usize, hour: i64, led: Led) -> Option<Mention> {
        let clock = &self.pack.clock;
        let front = led.map(|(h, _)| h);
        let next = char_at(self.text, hour_end);
        let close = |end: usize, minute: i64| {
            let half = self.half_behind(end);
            let end = half.map_or(end, |(_, e)| e);
            // `8:30 น.`
            let end = clock.mark.at(self.text, self.blank(end)).map_or(end, |(_, e)| e);
            self.time(start, end, hour, minute, front.or(half.map(|(h, _)| h)))
        };
        let lettered = |c: char| matches!(c, ':' | '：' | 'h' | 'H') || clock.hour_letter.contains(&c);
        if let Some(mark) = next.filter(|c| lettered(*c)) {
            let from = hour_end + mark.len_utf8();
            if let Some((minute, end)) =
                self.minutes(from).filter(|(_, e)| self.text.get(from..*e).is_some_and(|t| t.chars().count() == 2))
            {
                // 8:30:15 and 16:9 are left to others; `8h30p` ends in a unit of its own.
                let more = char_at(self.text, end)
                    .is_some_and(|c| (c == ':' && self.minutes(end + 1).is_some()) || digit(c).is_some());
                return if more { None } else { close(end, minute) };
            }
            if mark.eq_ignore_ascii_case(&'h') {
                return self.time_of_word(start, hour_end, hour, led);
            }
            return None;
        }
        // 9点, 9点半, 9点30分
        if let Some((_, end)) = clock.hour.at(self.text, hour_end) {
            if let Some((minute, end)) = self.past_hour(end) {
                return close(end, minute);
            }
            if let Some((minute, end)) = self.minutes(end) {
                return close(end, minute);
            }
            // 三点五 is no hour.
            let numeral = char_at(self.text, end).is_some_and(|c| digit(c).is_some() || han::is_numeral(c));
            return if numeral { None } else { close(end, 0) };
        }
        // 3 ทุ่ม, 9 โมงเช้า, 3 pm
        if let Some((half, end)) = self.half_behind(hour_end).filter(|_| !clock.half_behind_hour) {
            let spaced = self.text.get(..end).and_then(|t| t.chars().next_back()).is_some_and(is_spaced_letter);
            let past = if spaced { None } else { self.past_hour(end) };
            let (minute, end) = past.unwrap_or((0, end));
            return self.time(start, end, hour, minute, front.or(Some(half)));
        }
        if let Some((_, end)) = clock.mark.at(self.text, self.blank(hour_end)) {
            let (minute, end) = self.told_minutes(end).unwrap_or((0, end));
            return close(end, minute);
        }
        self.time_of_word(start, hour_end, hour, led)
    }

    /// A time at an hour with a word for it: `8 giờ 30 phút`, `8 giờ sáng`; `8 giờ` alone is a number of hours.
    fn time_of_word(&self, start: usize, hour_end: usize, hour: i64, led: Led) -> Option<Mention> {
        let clock = &self.pack.clock;
        let front = led.map(|(h, _)| h);
        let Some((_, word_end)) = clock.hour_word.at(self.text, self.blank(hour_end)) else {
            // `8 rưỡi sáng`
            if let Some((_, past)) =
                self.pack.half.at(self.text, self.blank(hour_end)).filter(|_| clock.half_behind_hour)
                && let Some((half, end)) = self.half_behind(past)
            {
                return self.time(start, end, hour, 30, Some(half));
            }
            return self.time_of_lead(start, hour_end, hour, led);
        };
        let close = |end: usize, minute: i64| {
            let half = self.half_behind(end);
            self.time(start, half.map_or(end, |(_, e)| e), hour, minute, front.or(half.map(|(h, _)| h)))
        };
        let half = |at: usize| self.half_behind(at).is_some() || led.is_some();
        if clock.six_hours {
            let (minute, end) = self.past_hour(word_end).unwrap_or((0, word_end));
            return if half(end) { close(end, minute) } else { self.six_hours(start, end, hour, minute) };
        }
        if let Some((_, half_end)) = self.pack.half.at(self.text, self.blank(word_end)) {
            return if half(half_end) { close(half_end, 30) } else { None };
        }
        if let Some((minute, end)) = self.told_minutes(word_end).or_else(|| self.missing(word_end)) {
            return close(end, minute);
        }
        if let Some((minute, end)) = self.minutes(self.blank(word_end)).filter(|(_, e)| *e > word_end) {
            return if self.unit_at(end).is_some() { None } else { close(end, minute) };
        }
        // 9时至17时: the word is no unit of duration, but also means "when".
        let unit = self.unit_at(hour_end).is_some();
        let ranged = || !unit && self.pack.range.at(self.text, word_end).is_some();
        if half(word_end) || ranged() { close(word_end, 0) } else { None }
    }

    /// An hour that a word in front makes one: `ตี 3`, `บ่ายสอง`.
    fn time_of_lead(&self, start: usize, hour_end: usize, hour: i64, led: Led) -> Option<Mention> {
        let (half, _) = led.filter(|(_, alone)| *alone && (1..=6).contains(&hour))?;
        let (minute, end) = self.past_hour(hour_end).unwrap_or((0, hour_end));
        let goes_on = match char_at(self.text, end) {
            Some('.' | ',' | ':' | '/' | '%' | '×') => true,
            Some(_) | None => false,
        };
        if goes_on || (minute == 0 && (self.unit_at(end).is_some() || self.power(end).is_some())) {
            return None;
        }
        self.time(start, end, hour, minute, Some(half))
    }

    /// The hour of a Thai time without a half of the day: from seven to eleven those of the morning; smaller ones more often
    /// those behind noon; six at dawn or at dusk.
    fn six_hours(&self, start: usize, end: usize, hour: i64, minute: i64) -> Option<Mention> {
        let (usual, other) = match hour {
            7..=11 => (hour, None),
            6 => (6, Some(18)),
            1..=5 => (hour + 12, Some(hour + 6)),
            _ => return None,
        };
        let mut m = self.time(start, end, usual, minute, None)?;
        m.readings.extend(other.map(|h| Decimal::from(h * 60 + minute)));
        Some(m)
    }

    /// A time in words: `สองทุ่ม`, `tám giờ sáng`. The half of `ตีห้าครึ่ง` was read as one of the number.
    pub(super) fn time_in_words(
        &self,
        at: usize,
        (value, end): (Decimal, usize),
        lead: Option<(Lead, usize)>,
    ) -> Option<Mention> {
        let (led, start) = led(lead, at);
        if let Some(hour) = value.to_i64() {
            // `the two in the morning`: behind an English hour in words a mark or a half of the day is wanted.
            let bare = || {
                let next = self.blank(end);
                self.pack.clock.mark.at(self.text, next).is_none() && self.pack.clock.half.at(self.text, next).is_none()
            };
            if hour > 24 || self.pack.pairs && (hour > 12 || bare()) {
                return None;
            }
            return self.time_of_hour(start, end, hour, led);
        }
        let hour = value.rounded_down().to_i64()?;
        let (half, _) = led.filter(|(_, alone)| *alone && value.step() == -1)?;
        self.time(start, end, hour, 30, Some(half))
    }

    /// A time that has a name: `เที่ยงคืน`, `nửa đêm`.
    pub(super) fn named_time(&self, at: usize) -> Option<Mention> {
        let clock = &self.pack.clock;
        let (minutes, end) = clock.named.at(self.text, at).filter(|_| clock.any_named)?;
        if self.pack.stop.at(self.text, at).is_some_and(|(_, e)| e > end) {
            return None;
        }
        let (past, end) = self.past_hour(end).unwrap_or((0, end));
        let minutes = i64::from(minutes);
        let m = self.time(at, end, minutes / 60, minutes % 60 + past, None)?;
        Some(Mention { spelled: true, words: 2, ..m })
    }

    /// Clock times at both ends of a range: `8h đến 21h30`, `8 - 17:30`.
    pub(super) fn clock_range(&self, left: &mut Mention, right: &Mention) {
        let hours = left.unit.is_none_or(|u| u.name() == "hour");
        let Some(hour) = left.value().and_then(Decimal::to_i64).filter(|h| hours && (0..=24).contains(h)) else {
            return;
        };
        let Some(time) = right.readings.first().copied() else { return };
        let behind = self.text.get(right.start..right.end).unwrap_or_default();
        // `2-3 pm` is in one half of the day.
        let half = !behind.ends_with(|c: char| digit(c).is_some()) && left.unit.is_none();
        let later = Decimal::from((hour + 12) * 60);
        let hour = if half && later < time { hour + 12 } else { hour };
        (left.kind, left.unit, left.readings) = (Kind::Time, None, vec![Decimal::from(hour * 60)]);
        left.key = format!("{hour}:00");
    }
}

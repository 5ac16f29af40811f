//! Times of day, as minutes after midnight: `8h30`, `8.30 น.`, `下午3点`, `3 pm`, `8 giờ 30 sáng`.

use super::digits::{Run, digit};
use super::mask::char_at;
use super::pack::{Half, Lead};
use super::scan::Mentions;
use super::{Kind, Mention, han};
use crate::text::decimal::Decimal;

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

    /// The half of the day that a word behind a time names.
    fn half_behind(&self, at: usize) -> Option<(Half, usize)> {
        let words = &self.pack.clock.half;
        words.at(self.text, self.blank(at)).or_else(|| words.at(self.text, at))
    }

    fn time(&self, start: usize, end: usize, hour: i64, minute: i64, half: Option<Half>) -> Option<Mention> {
        let (hour, half_ok) = match half {
            Some(Half::Pm) if hour < 12 => (hour + 12, true),
            Some(Half::Am) if hour == 12 => (0, true),
            Some(Half::Am | Half::Pm) => (hour, hour <= 24),
            Some(Half::Evening) => (hour + 18, (1..=6).contains(&hour)),
            None => (hour, true),
        };
        (half_ok && (0..=24).contains(&hour)).then(|| {
            let value = Decimal::from(hour * 60 + minute);
            let key = format!("{hour}:{minute:02}");
            Mention { kind: Kind::Time, key, ..Mention::bare(vec![value], start, end) }
        })
    }

    /// A time whose hour is a run of digits.
    pub(super) fn time_from(&self, at: usize, run: &Run, lead: Option<(Lead, usize)>) -> Option<Mention> {
        let clock = &self.pack.clock;
        let hour: i64 = run.digits.get(..run.groups.first()?.len)?.parse().ok().filter(|h| *h <= 24)?;
        let (led, start) = match lead {
            Some((Lead::Half(half), start)) => (Some(half), start),
            _ => (None, at),
        };
        match run.seps.as_slice() {
            // 8.30 น., and the left end of 8.30-17.00 น.
            ['.'] if run.groups.get(1).is_some_and(|g| g.len == 2) => {
                let (minute, end) = self.minutes(run.groups.get(1)?.start)?;
                let marked = clock.mark.at(self.text, self.blank(end)).map(|(_, e)| e);
                let half = self.half_behind(end);
                if let Some(end) = marked.or(half.map(|(_, e)| e)) {
                    return self.time(start, end, hour, minute, led.or(half.map(|(h, _)| h)));
                }
                let dash = self.blank(end);
                let next = match char_at(self.text, dash)? {
                    c @ ('-' | '–' | '—') => self.blank(dash + c.len_utf8()),
                    _ => self.pack.range.at(self.text, dash).map(|(_, e)| self.blank(e))?,
                };
                let (_, hour_end) = self.minutes(next)?;
                let (_, far) = self.text.get(hour_end..)?.strip_prefix('.').and_then(|_| self.minutes(hour_end + 1))?;
                clock.mark.at(self.text, self.blank(far))?;
                self.time(start, end, hour, minute, led)
            }
            [] => self.time_of_hour(start, run.end, hour, led),
            _ => None,
        }
    }

    /// A time at an hour that ends at a place: a colon, `h`, a word for the hour, or a half of the day follow.
    pub(super) fn time_of_hour(&self, start: usize, hour_end: usize, hour: i64, led: Option<Half>) -> Option<Mention> {
        let clock = &self.pack.clock;
        let next = char_at(self.text, hour_end);
        let close = |end: usize, minute: i64| {
            let half = self.half_behind(end);
            let end = half.map_or(end, |(_, e)| e);
            // `8:30 น.`
            let end = clock.mark.at(self.text, self.blank(end)).map_or(end, |(_, e)| e);
            self.time(start, end, hour, minute, led.or(half.map(|(h, _)| h)))
        };
        if let Some(mark @ (':' | '：' | 'h' | 'H')) = next {
            let from = hour_end + mark.len_utf8();
            let (minute, end) =
                self.minutes(from).filter(|(_, e)| self.text.get(from..*e).is_some_and(|t| t.chars().count() == 2))?;
            // 8:30:15 and 16:9 are left to others; `8h30p` ends in a unit of its own.
            let more = char_at(self.text, end)
                .is_some_and(|c| (c == ':' && self.minutes(end + 1).is_some()) || digit(c).is_some());
            return if more { None } else { close(end, minute) };
        }
        // 9点, 9点半, 9点30分
        if let Some((_, end)) = clock.hour.at(self.text, hour_end) {
            if let Some((_, half_end)) = self.pack.half.at(self.text, end) {
                return close(half_end, 30);
            }
            let minute = self.minutes(end).filter(|(_, e)| *e > end);
            let numeral = |at: usize| char_at(self.text, at).is_some_and(|c| digit(c).is_some() || han::is_numeral(c));
            // 九点三十分 has its minutes in characters.
            let written = han::numeral(self.text, end, self.pack.numerals)
                .and_then(|n| Some((n.readings.first()?.to_i64()?, n.end)))
                .and_then(|(m, e)| Some((m, clock.minute.at(self.text, e)?.1)))
                .filter(|(m, _)| *m < 60);
            if let Some((m, e)) = written {
                return close(e, m);
            }
            return match minute {
                _ if minute.is_none() && numeral(end) => None,
                Some((m, e)) => close(clock.minute.at(self.text, e).map_or(e, |(_, e)| e), m),
                None => close(end, 0),
            };
        }
        // 3 ทุ่ม, 9 โมงเช้า, 3 pm
        if let Some((half, end)) = self.half_behind(hour_end) {
            return self.time(start, end, hour, 0, led.or(Some(half)));
        }
        if let Some((_, end)) = clock.mark.at(self.text, self.blank(hour_end)) {
            return close(end, 0);
        }
        // 8 giờ 30 phút, 8 giờ sáng; 8 giờ alone is a number of hours.
        let (_, word_end) = clock.hour_word.at(self.text, self.blank(hour_end))?;
        if let Some((_, half_end)) = self.pack.half.at(self.text, self.blank(word_end)) {
            return self.half_behind(half_end).or(led.map(|h| (h, half_end))).and_then(|_| close(half_end, 30));
        }
        if let Some((minute, end)) = self.minutes(self.blank(word_end)).filter(|(_, e)| *e > word_end) {
            let minute_word = clock.minute.at(self.text, self.blank(end));
            if minute_word.is_none() && self.unit_at(end).is_some() {
                return None;
            }
            return close(minute_word.map_or(end, |(_, e)| e), minute);
        }
        let half = self.half_behind(word_end);
        if half.is_some() || led.is_some() { close(word_end, 0) } else { None }
    }
}

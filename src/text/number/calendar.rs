//! Calendar dates: of digits, of words (`30 tháng 11 năm 2026`, `2026年11月30日`, `30 พ.ย. 2569`), with the years of
//! other eras turned into common ones.

use super::digits::{self, Run, digit};
use super::mask::char_at;
use super::pack::{Lead, NumberPack, is_mark, is_spaced_letter};
use super::scan::Mentions;
use super::{Kind, Mention, han};
use crate::text::decimal::Decimal;
use std::fmt;

/// The Buddhist year is ahead of the common one by so much.
pub(super) const BUDDHIST: i32 = 543;

/// A date, or the parts of one that a text states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Civil {
    /// The common year.
    pub year: Option<i32>,
    /// 1 to 12.
    pub month: Option<u8>,
    /// 1 to 31.
    pub day: Option<u8>,
}

impl Civil {
    /// A date as [`Display`](fmt::Display) writes it (`2026-11-30`, `2026-11`, `2026`, `--11-30`, `---30`); nothing for a
    /// text that is none, or that no calendar has.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |text: &str, digits: usize| {
            (text.len() == digits && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse::<u16>().ok())?
        };
        let two = |text: &str| u8::try_from(number(text, 2)?).ok();
        let (year, rest) = match text.strip_prefix("--") {
            Some(rest) => (None, rest),
            None => {
                let (year, rest) = text.split_once('-').map_or((text, None), |(y, rest)| (y, Some(rest)));
                let year = Some(i32::from(number(year, 4)?));
                match rest {
                    None => return Civil { year, month: None, day: None }.possible(),
                    Some(rest) => (year, rest),
                }
            }
        };
        let date = match (rest.strip_prefix('-'), rest.split_once('-')) {
            (Some(day), _) if year.is_none() => Civil { year, month: None, day: Some(two(day)?) },
            (_, Some((month, day))) => Civil { year, month: Some(two(month)?), day: Some(two(day)?) },
            (_, None) => Civil { year, month: Some(two(rest)?), day: None },
        };
        date.possible()
    }

    /// A year alone.
    pub(super) fn of_year(year: i32) -> Self {
        Civil { year: Some(year), month: None, day: None }
    }

    /// Whether each part that this date states is stated equal by the other one.
    pub fn stated_by(self, other: Civil) -> bool {
        let holds = |a: Option<i32>, b: Option<i32>| a.is_none() || a == b;
        holds(self.year, other.year)
            && holds(self.month.map(i32::from), other.month.map(i32::from))
            && holds(self.day.map(i32::from), other.day.map(i32::from))
    }

    /// The same without its year.
    #[must_use]
    pub fn without_year(self) -> Self {
        Civil { year: None, ..self }
    }

    /// Its parts as plain numbers.
    pub(super) fn parts(self) -> impl Iterator<Item = i64> {
        [self.year.map(i64::from), self.month.map(i64::from), self.day.map(i64::from)].into_iter().flatten()
    }

    fn possible(self) -> Option<Self> {
        let month = self.month.is_none_or(|m| (1..=12).contains(&m));
        let longest = match self.month {
            Some(2) => 29,
            Some(4 | 6 | 9 | 11) => 30,
            Some(_) | None => 31,
        };
        (month && self.day.is_none_or(|d| (1..=longest).contains(&d))).then_some(self)
    }
}

impl fmt::Display for Civil {
    /// ISO 8601: `2026-11-30`, `2026-11`, `2026`; a missing part in front is a dash (`--11-30`, `---30`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.year, self.month, self.day) {
            (Some(y), None, None) => write!(f, "{y:04}"),
            (Some(y), Some(m), None) => write!(f, "{y:04}-{m:02}"),
            (Some(y), m, Some(d)) => write!(f, "{y:04}-{:02}-{d:02}", m.unwrap_or(0)),
            (None, Some(m), None) => write!(f, "--{m:02}"),
            (None, Some(m), Some(d)) => write!(f, "--{m:02}-{d:02}"),
            (None, None, Some(d)) => write!(f, "---{d:02}"),
            (None, None, None) => Ok(()),
        }
    }
}

/// The readings of a date of digits with separators, by the order of the language; none when it is no date.
pub(super) fn of_parts(parts: &[String], pack: &NumberPack) -> Vec<Civil> {
    let number = |i: usize| parts.get(i).and_then(|p| p.parse::<i32>().ok()).unwrap_or(0);
    let small = |i: usize| u8::try_from(number(i)).unwrap_or(0);
    let date = |year: Option<i32>, month: u8, day: u8| Civil { year, month: Some(month), day: Some(day) }.possible();
    match parts {
        [y, _, _] if y.len() == 4 => {
            date(Some(common(number(0), false, pack)), small(1), small(2)).into_iter().collect()
        }
        [_, _, last] => {
            let short = match number(2) {
                y @ 43..=99 if pack.buddhist => y + 2500 - BUDDHIST,
                y @ ..70 => 2000 + y,
                y => 1900 + y,
            };
            let year = if last.len() == 4 { common(number(2), false, pack) } else { short };
            let (first, second) = (date(Some(year), small(1), small(0)), date(Some(year), small(0), small(1)));
            two(first, second, pack)
        }
        [_, last] if last.len() == 4 => {
            let whole = Civil { year: Some(common(number(1), false, pack)), month: Some(small(0)), day: None };
            whole.possible().into_iter().collect()
        }
        [_, _] => two(date(None, small(1), small(0)), date(None, small(0), small(1)), pack),
        _ => Vec::new(),
    }
}

/// Both readings, the usual one first; one of them where the other is impossible or the same.
fn two(day_first: Option<Civil>, month_first: Option<Civil>, pack: &NumberPack) -> Vec<Civil> {
    let both = if pack.month_first { [month_first, day_first] } else { [day_first, month_first] };
    let mut list: Vec<Civil> = both.into_iter().flatten().collect();
    list.dedup();
    list
}

/// A year in the common count: Buddhist years are told by a mark or, in Thai, by their size.
fn common(year: i32, buddhist: bool, pack: &NumberPack) -> i32 {
    if buddhist || (pack.buddhist && (2400..=2700).contains(&year)) { year - BUDDHIST } else { year }
}

/// A whole number at a place: digits, or numeral characters.
fn whole(text: &str, at: usize, pack: &NumberPack) -> Option<(i32, usize, usize)> {
    let c = char_at(text, at)?;
    if digit(c).is_some() {
        let run = digits::run(text, at, pack);
        if !run.seps.is_empty() {
            return None;
        }
        return Some((run.digits.parse().ok()?, run.end, run.digits.len()));
    }
    if !han::begins(c) {
        return None;
    }
    let found = han::numeral(text, at, pack.numerals)?;
    let value = i32::try_from(found.readings.last()?.to_i64()?).ok()?;
    Some((value, found.end, found.chars))
}

fn date(kind_end: usize, start: usize, dates: Vec<Civil>) -> Mention {
    Mention { dates, kind: Kind::Date, ..Mention::bare(Vec::new(), start, kind_end) }
}

impl Mentions<'_> {
    /// The end of a word of one of the pack's lists at a place, or behind one blank.
    fn mark(&self, at: usize, list: &super::pack::Words<()>) -> Option<usize> {
        list.at(self.text, at).or_else(|| list.at(self.text, self.blank(at))).map(|(_, end)| end)
    }

    /// A date at a whole number: `value` of `len` digits that ends at `end`, with what leads up to it.
    pub(super) fn date_from(
        &self,
        at: usize,
        (value, end, len): (i32, usize, usize),
        lead: Option<(Lead, usize)>,
    ) -> Option<Mention> {
        let start = lead.map_or(at, |(_, s)| s);
        let cal = &self.pack.calendar;
        let lead = lead.map(|(l, _)| l);
        let small = u8::try_from(value).ok();
        // 2026年11月30日, 令和8年11月30日, 11月30日
        if let Some(decade) = self.decade(at, value, end) {
            return Some(decade);
        }
        if let Some(year_end) = self.mark(end, &cal.year_mark) {
            let year = match lead {
                Some(Lead::Era(shift)) => Some(value + shift),
                Some(Lead::Buddhist) => Some(value - BUDDHIST),
                _ if len == 4 && (1000..3000).contains(&value) => Some(common(value, false, self.pack)),
                _ => None,
            };
            let month = self.month_and_day(year_end);
            return match (year, month) {
                (Some(y), Some((m, d, end))) => {
                    let whole = Civil { year: Some(y), month: Some(m), day: d }.possible()?;
                    Some(date(end, start, vec![whole]))
                }
                (None, Some((m, d, end))) if len == 2 => {
                    let whole = Civil { year: Some(2000 + value), month: Some(m), day: d }.possible()?;
                    Some(date(end, at, vec![whole]))
                }
                // 2026年度 is a year too; 30年代 is none.
                (Some(y), None) => Some(date(year_end, start, vec![Civil::of_year(y)])),
                (None, _) => None,
            };
        }
        if len <= 2
            && self.mark(end, &cal.month_mark).is_some()
            && let Some((m, d, end)) = self.month_and_day(at)
        {
            return Some(date(end, at, vec![Civil { year: None, month: Some(m), day: d }.possible()?]));
        }
        // ngày 30 tháng 11 năm 2026; 30 พ.ย. 2569; 30 November 2026
        if let Some(day) = small.filter(|d| len <= 2 && (1..=31).contains(d))
            && let Some((month, month_end)) = self.month_behind(end, lead == Some(Lead::Day))
        {
            let start = if lead == Some(Lead::Day) { start } else { at };
            let (year, end) = self.year_behind(month_end).map_or((None, month_end), |(y, e)| (Some(y), e));
            let whole = Civil { year, month: Some(month), day: Some(day) }.possible()?;
            return Some(date(end, start, vec![whole]));
        }
        match lead {
            Some(Lead::Month) if len <= 2 => {
                let month = small.filter(|m| (1..=12).contains(m))?;
                let slash = self.text.get(end..).is_some_and(|t| t.starts_with('/'));
                let behind = if slash { whole(self.text, end + 1, self.pack) } else { None };
                let (year, end) = match behind {
                    Some((y, e, 4)) => (Some(common(y, false, self.pack)), e),
                    _ => self.year_behind(end).map_or((None, end), |(y, e)| (Some(y), e)),
                };
                Some(date(end, start, vec![Civil { year, month: Some(month), day: None }]))
            }
            Some(Lead::Year) if len == 4 => {
                Some(date(end, start, vec![Civil::of_year(common(value, false, self.pack))]))
            }
            Some(Lead::Buddhist) if len == 4 => Some(date(end, start, vec![Civil::of_year(value - BUDDHIST)])),
            Some(Lead::Day) if len <= 2 && self.unit_at(end).is_none() && !self.goes_on(end) => {
                let day = small.filter(|d| (1..=31).contains(d))?;
                Some(date(end, start, vec![Civil { year: None, month: None, day: Some(day) }]))
            }
            _ => None,
        }
    }

    /// `70年代`, in its century where that stands in front (`20世纪70年代`), else in the last one or this one.
    fn decade(&self, at: usize, value: i32, end: usize) -> Option<Mention> {
        let cal = &self.pack.calendar;
        let (_, decade_end) = cal.decade.at(self.text, self.blank(end))?;
        let head = self.text.get(..at).unwrap_or_default().trim_end();
        let century = cal.century.ends(head).and_then(|start| {
            let digits = head.get(..start)?.trim_end();
            let len = digits.chars().rev().take_while(|c| digit(*c).is_some()).map(char::len_utf8).sum::<usize>();
            digits.get(digits.len() - len..)?.parse::<i32>().ok()
        });
        let year = match (century, value) {
            (Some(c), 0..=90) if c <= 30 => (c - 1) * 100 + value,
            (None, 30..=90) => 1900 + value,
            (None, 0..=20) => 2000 + value,
            _ => value,
        };
        (value % 10 == 0).then(|| date(decade_end, at, vec![Civil::of_year(year)]))
    }

    /// Whether more digits follow behind a mark.
    fn goes_on(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let mut chars = rest.chars();
        let mark = matches!(chars.next(), Some('/' | '-' | '.' | ':' | ','));
        mark && chars.next().is_some_and(|c| digit(c).is_some())
    }

    /// `11月30日`, `11月` at a place; `3个月` is none.
    fn month_and_day(&self, at: usize) -> Option<(u8, Option<u8>, usize)> {
        let cal = &self.pack.calendar;
        let at = self.blank(at);
        let (month, end, _) = whole(self.text, at, self.pack)?;
        let month = u8::try_from(month).ok().filter(|m| (1..=12).contains(m))?;
        let end = self.mark(end, &cal.month_mark)?;
        let day = whole(self.text, self.blank(end), self.pack)
            .and_then(|(d, e, _)| Some((u8::try_from(d).ok().filter(|d| (1..=31).contains(d))?, e)))
            .and_then(|(d, e)| Some((d, self.mark(e, &cal.day_mark)?)));
        Some(day.map_or((month, None, end), |(d, e)| (month, Some(d), e)))
    }

    /// A month behind a day: its name, or the word for month with its number.
    fn month_behind(&self, at: usize, certain: bool) -> Option<(u8, usize)> {
        let cal = &self.pack.calendar;
        let mut place = self.blank(at);
        if place == at {
            // `4th of May`, `30.November`
            place = self.text.get(at..).map_or(at, |rest| {
                let suffix = ["st", "nd", "rd", "th", "er", "º", "."].iter().find(|s| rest.starts_with(**s));
                suffix.map_or(at, |s| self.blank(at + s.len()))
            });
        }
        if let Some((_, end)) = cal.of.at(self.text, place) {
            place = self.blank(end);
        }
        if let Some((month, end)) = cal.months.at(self.text, place) {
            let small = certain || self.pack.small_months;
            let named = char_at(self.text, place).is_some_and(|c| c.is_uppercase() || !c.is_ascii() || small);
            // `1. May 4, 2026`: the day stands behind, and the full stop ends something else.
            let behind = self.pack.month_first && self.text.get(at..).is_some_and(|t| t.starts_with('.'));
            if behind && whole(self.text, self.blank(end), self.pack).is_some_and(|(_, _, len)| len <= 2) {
                return None;
            }
            return named.then_some((month, end));
        }
        let (_, end) = cal.month_word.at(self.text, place)?;
        let next = self.blank(end);
        let (month, end, len) = whole(self.text, next, self.pack).or_else(|| self.small_word(next))?;
        let month = u8::try_from(month).ok().filter(|m| len <= 2 && (1..=12).contains(m))?;
        // `3 tháng 5 ngày` is a time of three months and five days.
        let counted = !certain && self.unit_at(end).is_some_and(|u| !matches!(u.name(), "year" | "month"));
        (!counted).then_some((month, end))
    }

    /// A year behind a month: after a comma, the word for year, the mark of an era.
    fn year_behind(&self, at: usize) -> Option<(i32, usize)> {
        let cal = &self.pack.calendar;
        let mut place = at;
        if let Some(',' | '/' | '-') = char_at(self.text, place) {
            place += 1;
        }
        place = self.blank(place);
        let mut buddhist = false;
        if let Some((b, end)) = cal.year_word.at(self.text, place) {
            buddhist = b;
            place = self.blank(end);
        }
        let (year, end, len) = whole(self.text, place, self.pack)?;
        let glued = char_at(self.text, end).is_some_and(|c| is_spaced_letter(c) || is_mark(c) || c == ':');
        // 31 ธ.ค. 69: two digits are those of a Buddhist year, 2543 to 2599.
        let short = self.pack.buddhist && len == 2 && (43..=99).contains(&year) && self.unit_at(end).is_none();
        if short && !glued && self.power(end).is_none() && !self.goes_on(end) {
            return Some((year + 2500 - BUDDHIST, end));
        }
        (len == 4 && !glued).then(|| (common(year, buddhist, self.pack), end))
    }

    /// A month in front of its day: `November 30, 2026`, `May 2026`; the name alone counts as evidence.
    pub(super) fn date_by_name(&self, at: usize) -> Option<Mention> {
        let (month, end) = self.pack.calendar.months.at(self.text, at)?;
        let spaced = char_at(self.text, at).is_some_and(is_spaced_letter);
        let capital = !spaced || char_at(self.text, at).is_some_and(char::is_uppercase);
        if !capital && !self.pack.small_months {
            return None;
        }
        let name = self.text.get(at..end).unwrap_or_default();
        // `Nov. 30`: the stop of a short form belongs to it where a number follows.
        let behind = match self.text.get(end..).and_then(|t| t.strip_prefix(". ")) {
            Some(rest) if spaced && name.len() <= 4 && rest.starts_with(|c| digit(c).is_some()) => end + 1,
            Some(_) | None => end,
        };
        if let Some((year, end)) = self.year_behind(behind) {
            return Some(date(end, at, vec![Civil { year: Some(year), month: Some(month), day: None }]));
        }
        // `mars` is also a planet.
        if !capital {
            return None;
        }
        let day = whole(self.text, self.blank(behind), self.pack).filter(|(_, _, len)| *len <= 2);
        if let Some((day, mut day_end, _)) = day {
            let rest = self.text.get(day_end..).unwrap_or_default();
            if let Some(s) = ["st", "nd", "rd", "th"].iter().find(|s| rest.starts_with(**s)) {
                day_end += s.len();
            }
            let glued = char_at(self.text, day_end)
                .is_some_and(|c| is_spaced_letter(c) || is_mark(c) || matches!(c, ':' | '%'));
            let day = u8::try_from(day).ok().filter(|_| !glued);
            let (year, end) = self.year_behind(day_end).map_or((None, day_end), |(y, e)| (Some(y), e));
            let whole = Civil { year, month: Some(month), day }.possible();
            if let (Some(whole), Some(_)) = (whole, day) {
                return Some(date(end, at, vec![whole]));
            }
        }
        let mut m = date(end, at, vec![Civil { year: None, month: Some(month), day: None }]);
        m.claim = false;
        m.spelled = true;
        Some(m)
    }
}

/// The whole number of a run, with its end and its digits.
pub(super) fn of_run(run: &Run) -> Option<(i32, usize, usize)> {
    let plain = run.seps.is_empty() && run.digits.len() <= 4;
    plain.then(|| run.digits.parse().ok().map(|v| (v, run.end, run.digits.len()))).flatten()
}

/// Whether a number is a part of a date.
pub(super) fn is_part(dates: &[Civil], value: Decimal) -> bool {
    dates.iter().flat_map(|d| d.parts()).any(|p| value == p.into())
}

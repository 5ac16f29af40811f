//! Edits of numbers, units and dates. Only what is written in digits is edited, in the digits and with the marks in which it
//! is written, so that nothing but the value is wrong.

use super::edit::Borders;
use super::words::Table;
use super::{Edit, Planted, Source};
use crate::text::norm::chars::{digit, is_dash};
use crate::text::number::{self, Kind, Mention};
use std::ops::Range;

/// Numbers from these to these without a unit are years to a reader, whatever else they may be.
const YEARS: std::ops::RangeInclusive<i128> = 1000..=2700;

/// Two numbers with at most so many characters between them belong together: `30 to 50`, `0, 1`.
const GAP: usize = 5;

/// A run of digits of a text with its marks.
struct Run {
    at: Range<usize>,
    /// The digits as a whole number, marks left out.
    whole: i128,
    /// How many of the digits are decimals.
    decimals: usize,
}

/// The first number becomes twice itself and three.
pub fn doubled(source: &Source) -> Option<Planted> {
    let (run, _) = runs(source).into_iter().next()?;
    let three = 3 * 10_i128.checked_pow(u32::try_from(run.decimals).ok()?)?;
    let with =
        rewritten(source.answer.get(run.at.clone())?, run.whole.checked_mul(2)?.checked_add(three)?, run.decimals)?;
    Some(Planted::of(source, Edit { at: run.at, with }))
}

/// One digit of a number is another; a first digit does not become 0.
pub fn one_digit(source: &Source, rng: &mut fastrand::Rng) -> Option<Planted> {
    let (run, _) = runs(source).into_iter().next()?;
    let text = source.answer.get(run.at.clone())?;
    // The zeros at the end are seldom meant to the last one.
    let counted =
        if run.decimals == 0 { text.trim_end_matches(|c| digit(c) == Some(0) || digit(c).is_none()) } else { text };
    let places: Vec<(usize, char)> = counted.char_indices().filter(|(_, c)| digit(*c).is_some()).collect();
    let which = rng.usize(..places.len().max(1));
    let (at, c) = *places.get(which)?;
    let old = u32::from(digit(c)?);
    let first = u32::from(which == 0);
    let others: Vec<u32> = (first..10).filter(|d| *d != old && !(places.len() == 1 && *d < 2)).collect();
    let new = char::from_u32(u32::from(c) - old + others.get(rng.usize(..others.len().max(1)))?)?;
    let at = run.at.start + at..run.at.start + at + c.len_utf8();
    Some(Planted::of(source, Edit { at, with: new.to_string() }))
}

/// A small whole number is one more or one less.
pub fn off_by_one(source: &Source, rng: &mut fastrand::Rng) -> Option<Planted> {
    // Below 3 the grammar of the sentence would change with the number, and above 999 nobody would count.
    let (run, _) = runs(source).into_iter().find(|(r, _)| r.decimals == 0 && (3..=999).contains(&r.whole))?;
    let step = if rng.bool() { 1 } else { -1 };
    let with = rewritten(source.answer.get(run.at.clone())?, run.whole + step, 0)?;
    Some(Planted::of(source, Edit { at: run.at, with }))
}

/// A number is another of the passages, of the same kind and unit, that the answer does not state.
pub fn swapped(source: &Source, rng: &mut fastrand::Rng) -> Option<Planted> {
    let stated: Vec<Mention> = number::mentions(&source.answer, &source.lang);
    for (run, mention) in runs(source) {
        let mut others: Vec<String> = Vec::new();
        for passage in &source.contexts {
            for (m, at) in countable(&passage.text, &source.lang) {
                let alike = m.kind == mention.kind
                    && m.unit == mention.unit
                    && m.magnitude == mention.magnitude
                    && at.decimals == run.decimals;
                let same =
                    stated.iter().any(|s| s.value() == m.value() || s.readings.iter().any(|r| m.readings.contains(r)));
                if alike && !same {
                    others.extend(passage.text.get(at.at).map(str::to_owned));
                }
            }
        }
        others.sort();
        others.dedup();
        if let Some(with) = (!others.is_empty()).then(|| others.swap_remove(rng.usize(..others.len()))) {
            return Some(Planted::of(source, Edit { at: run.at, with }));
        }
    }
    None
}

/// The unit of a number is another.
pub fn other_unit(source: &Source, table: &Table, rng: &mut fastrand::Rng) -> Option<Planted> {
    let text = source.answer.as_str();
    let borders = Borders::of(text);
    let mut found = Vec::new();
    for (m, run) in countable(text, &source.lang) {
        let within =
            |r: &Range<usize>| m.start <= r.start && r.end <= m.end && (r.end <= run.at.start || run.at.end <= r.start);
        let hits =
            table.units.iter().flat_map(|(from, to)| borders.ending_places(from).into_iter().map(move |r| (r, to)));
        let hits: Vec<_> = hits.filter(|(r, _)| within(r)).collect();
        // Of units within each other the whole one.
        let longest = hits.iter().map(|(r, _)| r.len()).max();
        let whole = hits.into_iter().filter(|(r, _)| Some(r.len()) == longest);
        found.extend(whole.map(|(at, with)| Edit { at, with: with.clone() }));
        if !found.is_empty() {
            break;
        }
    }
    let which = rng.usize(..found.len().max(1));
    (which < found.len()).then(|| Planted::of(source, found.swap_remove(which)))
}

/// A year, or else the day, of a date is one more or one less.
pub fn other_date(source: &Source, table: &Table, rng: &mut fastrand::Rng) -> Option<Planted> {
    let text = source.answer.as_str();
    for m in number::mentions(text, &source.lang).iter().filter(|m| !m.spelled) {
        let year_alone = m.kind == Kind::Number && m.unit.is_none();
        if m.kind != Kind::Date && !year_alone {
            continue;
        }
        let all = digits_of(text, m.start..m.end);
        let whole = |r: &Range<usize>| value_of(text.get(r.clone()).unwrap_or_default());
        let is_year = |r: &&Range<usize>| {
            text.get((*r).clone()).is_some_and(|t| t.chars().count() == 4 && t.chars().all(|c| digit(c).is_some()))
                && whole(r).is_some_and(|w| YEARS.contains(&w))
        };
        let is_day = |r: &&Range<usize>| whole(r).is_some_and(|w| (2..=27).contains(&w)) && !year_alone;
        let Some(at) = all.iter().find(is_year).or_else(|| all.iter().find(is_day)) else { continue };
        if in_range(text, at) || is_decade(text, at, table) || (year_alone && !is_year(&at)) {
            continue;
        }
        let step = if rng.bool() { 1 } else { -1 };
        let with = rewritten(text.get(at.clone())?, whole(at)? + step, 0)?;
        return Some(Planted::of(source, Edit { at: at.clone(), with }));
    }
    None
}

/// The numbers of the answer that may be edited, each with the digits.
fn runs(source: &Source) -> Vec<(Run, Mention)> {
    countable(&source.answer, &source.lang).into_iter().map(|(m, r)| (r, m)).collect()
}

/// The numbers of a text that count or measure something: written in digits, no year, no part of a range, of a list of bare
/// numbers or of a formula, no place in an order; from 2, since the grammar of 1 is its own.
fn countable(text: &str, lang: &crate::text::pack::Lang) -> Vec<(Mention, Run)> {
    let mut out = Vec::new();
    let all = number::mentions(text, lang);
    let near = |a: usize, b: usize| {
        a <= b && text.get(a..b).is_some_and(|gap| gap.chars().count() <= GAP && !gap.contains(['(', '（']))
    };
    let beside = |m: &Mention| all.iter().any(|o| o != m && (near(o.end, m.start) || near(m.end, o.start)));
    for m in all.iter().filter(|m| !beside(m)).cloned() {
        if !matches!(m.kind, Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money)
            || m.spelled
            || number::is_ordinal(text, &m, lang)
        {
            continue;
        }
        let all = digits_of(text, m.start..m.end);
        let [at] = all.as_slice() else { continue };
        let Some(whole) = text.get(at.clone()).and_then(value_of) else { continue };
        let decimals = usize::try_from(m.magnitude - m.step).unwrap_or(0);
        let year = m.unit.is_none() && m.kind == Kind::Number && YEARS.contains(&whole) && decimals == 0;
        let named = Table::of(lang).is_some_and(|t| is_decade(text, at, t));
        let small = (decimals == 0 && whole < 2) || named;
        if year || small || m.ambiguous && decimals == 3 || in_range(text, at) {
            continue;
        }
        let run = Run { at: at.clone(), whole, decimals };
        out.push((m, run));
    }
    out
}

/// The runs of digits in a part of a text, with the marks within them.
fn digits_of(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (i, c) in text.get(part.clone()).unwrap_or_default().char_indices().filter(|(_, c)| digit(*c).is_some()) {
        let at = part.start + i;
        match out.last_mut() {
            Some(last) if is_mark(text.get(last.end..at).unwrap_or("-")) => last.end = at + c.len_utf8(),
            _ => out.push(at..at + c.len_utf8()),
        }
    }
    out
}

/// Nothing, or one mark within a number.
fn is_mark(between: &str) -> bool {
    matches!(between, "" | "." | "," | "\u{a0}" | "\u{202f}" | "'" | "’")
}

/// The digits of a text as one number.
fn value_of(text: &str) -> Option<i128> {
    let digits: Vec<u8> = text.chars().filter_map(digit).collect();
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    Some(digits.iter().fold(0, |sum, d| sum * 10 + i128::from(*d)))
}

/// Whether a number is an end of a range, or goes on behind a letter or a stroke.
fn in_range(text: &str, at: &Range<usize>) -> bool {
    let joins = |c: char| {
        is_dash(c)
            || matches!(c, '/' | '~' | '～' | ':' | '：' | '×' | '.' | ',' | '+' | '=' | '<' | '>' | '^' | '{' | '}')
    };
    let before = text.get(..at.start).unwrap_or_default();
    let behind = text.get(at.end..).unwrap_or_default();
    let counts = |chars: Box<dyn Iterator<Item = char> + '_>| {
        chars.into_iter().find(|c| *c != ' ').is_some_and(|c| digit(c).is_some())
    };
    let touches = |mut chars: Box<dyn Iterator<Item = char> + '_>| match chars.next() {
        Some(c) if is_dash(c) || matches!(c, '~' | '～') => counts(chars),
        Some('+' | '=' | '<' | '>' | '^' | '{' | '}') => true,
        Some(c) if joins(c) => chars.next().is_some_and(|c| digit(c).is_some()),
        Some(' ') => match chars.next() {
            Some('+' | '=' | '<' | '>' | '×') => true,
            Some(c) => is_dash(c) && counts(chars),
            None => false,
        },
        Some(c) => c.is_ascii_alphabetic() || (c.is_numeric() && digit(c).is_none()),
        None => false,
    };
    touches(Box::new(before.chars().rev())) || touches(Box::new(behind.chars()))
}

/// Whether a year stands for its decade.
fn is_decade(text: &str, at: &Range<usize>, table: &Table) -> bool {
    let before = text.get(..at.start).unwrap_or_default().trim_end();
    let behind = text.get(at.end..).unwrap_or_default().trim_start();
    table
        .decade
        .iter()
        .any(|w| before.to_lowercase().ends_with(w.as_str()) || behind.to_lowercase().starts_with(w.as_str()))
}

/// A whole number in the digits and with the marks of another: groups of three where the other had them.
fn rewritten(like: &str, whole: i128, decimals: usize) -> Option<String> {
    let zero = like.chars().find_map(|c| digit(c).map(|d| u32::from(c) - u32::from(d)))?;
    let marks: Vec<char> = like.chars().filter(|c| digit(*c).is_none()).collect();
    let (group, point) = match (marks.as_slice(), decimals) {
        ([], 0) => (None, None),
        (_, 0) => (marks.first().copied(), None),
        ([one], _) => (None, Some(*one)),
        (_, _) => (marks.first().copied(), marks.last().copied()),
    };
    let mut digits = whole.to_string();
    while digits.len() <= decimals {
        digits.insert(0, '0');
    }
    let front = digits.len() - decimals;
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i == front {
            out.extend(point);
        } else if i > 0 && i < front && (front - i).is_multiple_of(3) {
            out.extend(group);
        }
        out.push(char::from_u32(zero + c.to_digit(10)?)?);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_keeps_its_writing() {
        assert_eq!(rewritten("7,500", 15_003, 0).unwrap(), "15,003");
        assert_eq!(rewritten("1.500.000", 3_000_003, 0).unwrap(), "3.000.003");
        assert_eq!(rewritten("2,5", 80, 1).unwrap(), "8,0");
        assert_eq!(rewritten("๓๐", 63, 0).unwrap(), "๖๓");
        assert_eq!(rewritten("９", 21, 0).unwrap(), "２１");
        assert_eq!(rewritten("0.05", 310, 2).unwrap(), "3.10");
        assert_eq!(rewritten("1,234.5", 25_890, 1).unwrap(), "2,589.0");
    }

    #[test]
    fn ends_of_ranges_are_left_alone() {
        let range = |text: &str, part: &str| {
            let at = text.find(part).unwrap();
            in_range(text, &(at..at + part.len()))
        };
        assert!(range("7–10 days", "7") && range("7–10 days", "10") && range("7 - 10 days", "10"));
        assert!(range("16:9", "16") && range("MX204", "204") && range("19th", "19"));
        assert!(!range("7 days", "7") && !range("in 7.", "7") && !range("第7天", "7"));
    }
}

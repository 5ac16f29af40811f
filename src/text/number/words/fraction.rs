//! Fractions in words: `two thirds`, `a quarter million`, `one over three`.

use super::super::digits::{self, digit};
use super::super::mask::char_at;
use super::super::pack::{NumberPack, goes_on};
use super::{Reader, Word, gap, number, number_over};
use crate::text::decimal::Decimal;

/// At most so many words stand below a bar.
const MOST_BELOW: usize = 12;

/// A number of words is taken apart in other ways only up to so many words.
const MOST_APART: usize = 8;

/// What stands below the bar: a plural (`fifths`, `twenty-firsts`, `one hundred fifths`, `hundredths`), or a singular
/// behind one.
pub(super) fn below(text: &str, at: usize, pack: &'static NumberPack, one: bool) -> Option<(Decimal, usize)> {
    let mut r = Reader::new(text, pack);
    let mut place = at;
    for _ in 0..MOST_BELOW {
        let (word, end) = pack.words.at(text, place)?;
        let (taken, last) = match word {
            // `five twenty` is no number here.
            Word::Value(v) => (v > 0 && (r.pending.is_none() || v < 10) && r.take(v, false), false),
            Word::Power(p) => (p > 1 && r.power(i32::from(p)), false),
            Word::And(_) => (r.started, false),
            // Halves and quarters stand alone, and firsts behind a ten.
            Word::Under(4) => (!r.started, true),
            Word::Under(2) => (!r.started && !one, true),
            // A plural goes with more than one.
            Word::Under(v) => (!one && (v > 1 || r.started), true),
            Word::Ordinal(v) => (one && (v > 2 || r.started), true),
            Word::UnderPower(p) => (r.power(i32::from(p)), true),
            Word::OrdinalPower(p) => (one && r.power(i32::from(p)), true),
            _ => (false, false),
        };
        let unit = match word {
            Word::Under(v) | Word::Ordinal(v) => r.take(v, false),
            _ => true,
        };
        if !taken || !unit {
            return None;
        }
        if last {
            return Some((r.value()?, end));
        }
        r.started = true;
        place = gap(text, end);
    }
    None
}

/// The readings of a fraction in words that ends at a place: `one hundred thirty fifths` is 100/35, and 130/5 to others.
/// Where a hyphen holds two words together, or a power follows, they are one number.
pub(super) fn others(
    text: &str,
    (start, end): (usize, usize),
    pack: &'static NumberPack,
    first: Decimal,
) -> Vec<Decimal> {
    let mut readings = vec![first];
    let mut words = Vec::new();
    let mut place = start;
    while let Some((word, e)) = pack.words.at(text, place).filter(|(_, e)| *e <= end) {
        words.push((word, place, e));
        place = gap(text, e);
        if words.len() > MOST_APART {
            return readings;
        }
    }
    for pair in words.windows(2) {
        let [(left, _, left_end), (right, right_at, right_end)] = pair else { continue };
        let tied = text.get(*left_end..*right_at).is_some_and(|t| t.contains('-'));
        let joins = |w: &Word| matches!(w, Word::And(_));
        // `thirty five twenty fifths`: two values that make no number end what may stand above the bar.
        let apart = matches!((left, right), (Word::Value(a), Word::Value(b)) if a % 10 != 0 && *b >= 10);
        if tied || joins(left) || joins(right) {
            continue;
        }
        let Some(over) = text.get(..*left_end).and_then(|head| number(head, start, pack)) else { continue };
        let Some(value) = over.readings.first().copied().filter(|_| over.end == *left_end && !over.ordinal) else {
            continue;
        };
        // `twenty twenty fifths`: a year stands above no bar.
        let values = words.iter().filter(|(_, _, e)| e <= left_end).all(|(w, ..)| matches!(w, Word::Value(_)));
        if values && value >= Decimal::from(1000) {
            continue;
        }
        let one = value == Decimal::from(1);
        // `one hundred thousandths` may be a hundred-thousandth.
        let tenths =
            || matches!(pack.words.at(text, gap(text, *right_end)), Some((Word::UnderPower(_), e)) if e == end);
        if matches!(right, Word::Power(_)) && !(one && tenths()) {
            continue;
        }
        let under = below(text, *right_at, pack, one).filter(|(_, e)| *e == end);
        if let Some(other) = under.and_then(|(u, _)| Decimal::ratio(value, u)).filter(|v| !readings.contains(v)) {
            readings.push(other);
        }
        if apart {
            break;
        }
    }
    readings.truncate(3);
    readings
}

/// Whether `score` behind a number counts twenties: at the end of a text or sentence, with more behind `and`, or with
/// years.
pub(super) fn score_follows(text: &str, end: usize, pack: &'static NumberPack) -> bool {
    let next = gap(text, end);
    match pack.words.at(text, next) {
        Some((Word::And(_), e)) => matches!(pack.words.at(text, gap(text, e)), Some((Word::Value(_), _))),
        _ => closed(text, end) || pack.units.at(text, next).is_some_and(|(u, _)| u.name() == "year"),
    }
}

/// Whether no word follows.
fn closed(text: &str, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default().trim_start_matches(' ');
    rest.is_empty() || rest.starts_with(['.', ',', '?', ')', '!', ';', '\n'])
}

/// Below the bar of a number in digits: `2 thirds`, `5 thousandths`, and quarters where `of` follows (`3 quarters` alone
/// are of a year).
pub(in super::super) fn plural(text: &str, at: usize, pack: &'static NumberPack) -> Option<(Decimal, usize)> {
    let (under, end) = below(text, at, pack, false).filter(|(_, end)| ends_in_s(text, *end))?;
    let of = || pack.of.at(text, gap(text, end)).is_some();
    let fourths = || text.get(..end).is_some_and(|t| t.ends_with("fourths"));
    (under != Decimal::from(4) || fourths() || of()).then_some((under, end))
}

/// Below the bar of one in digits: `1 tenth of it`. `day 1 fifth row` holds none.
pub(in super::super) fn singular(text: &str, at: usize, pack: &'static NumberPack) -> Option<(Decimal, usize)> {
    let (under, end) = below(text, at, pack, true)?;
    let next = gap(text, end);
    (closed(text, end) || pack.of.at(text, next).is_some()).then_some((under, end))
}

/// `over three` or `/three` behind a bare number, with no unit on either side: what is divided by, and its end.
pub(in super::super) fn over(text: &str, at: usize, pack: &'static NumberPack) -> Option<(Decimal, usize)> {
    let place = gap(text, at);
    let word = pack.over.at(text, place).filter(|_| place > at).map(|(_, end)| gap(text, end));
    let next = word.or_else(|| behind_slash(text, at).filter(|_| pack.pairs))?;
    let is_digit = |c: Option<char>| c.is_some_and(|c| digit(c).is_some());
    // Digits on both sides of a slash are dates, ratios and codes too.
    if word.is_none() && is_digit(char_at(text, next)) && is_digit(text.get(..at)?.chars().next_back()) {
        return None;
    }
    let (value, end) = if is_digit(char_at(text, next)) {
        let run = digits::run(text, next, pack);
        (Decimal::parse(&run.digits).filter(|_| run.seps.is_empty())?, run.end)
    } else {
        let found = number_over(text, next, pack, false)?;
        (found.readings.first().copied()?, found.end)
    };
    // `2000 over 3 years` divides nothing.
    (closed(text, end) && value != Decimal::from(0)).then_some((value, end))
}

/// `fifty/sixty`, `twenty / three`: behind a slash with blanks on both sides or on none.
fn behind_slash(text: &str, at: usize) -> Option<usize> {
    let behind = text.get(at..)?;
    ["/", " / "].iter().find(|bar| behind.starts_with(**bar)).map(|bar| at + bar.len())
}

/// A fraction with digits above its bar and words below: `3 tenths`, `71 thousandths`, `1 third`.
pub(in super::super) fn counted(text: &str, at: usize, pack: &'static NumberPack) -> Option<Part> {
    char_at(text, at).filter(|c| digit(*c).is_some())?;
    let run = digits::run(text, at, pack);
    let over = Decimal::parse(&run.digits).filter(|_| run.seps.is_empty())?;
    let next = gap(text, run.end);
    let one = || singular(text, next, pack).filter(|_| over == Decimal::from(1));
    let quarters = || below(text, next, pack, false).filter(|(_, end)| ends_in_s(text, *end));
    let named = plural(text, next, pack).or_else(one);
    let (under, end) = named.or_else(quarters).filter(|_| next > run.end)?;
    let value = Decimal::ratio(over, under).filter(|v| *v < Decimal::from(1))?;
    let part = Part { value, end, power: 0, times: Decimal::from(1) }.scaled(text, pack);
    // `2 and 3 quarters` may be of years, `3 quarters million` are of a million.
    (named.is_some() || !part.is_bare()).then_some(part)
}

/// `phần ba` behind `hai`, `ส่วนสี่` behind `สาม`: what is divided by, above what stands over the bar, and its end. One word
/// of value or one or two digits, not a number of its own, which could hold such a fraction again and again; `phần trăm` is
/// percent.
pub(in super::super) fn parts(
    text: &str,
    at: usize,
    pack: &'static NumberPack,
    over: Decimal,
) -> Option<(Decimal, usize)> {
    let place = gap(text, at);
    let (_, end) = pack.parts.at(text, place)?;
    if pack.units.at(text, place).is_some_and(|(_, unit_end)| unit_end > end) {
        return None;
    }
    let next = gap(text, end);
    if char_at(text, next).is_some_and(|c| digit(c).is_some()) {
        let run = digits::run(text, next, pack);
        let goes_on = text.get(run.end..).is_some_and(|t| goes_on(t) || t.starts_with(['/', ':', '-', '%']));
        let plain = run.seps.is_empty() && run.digits.len() <= 2 && !run.digits.starts_with('0') && !goes_on;
        return Decimal::parse(&run.digits).filter(|under| plain && *under > over).map(|under| (under, run.end));
    }
    let (under, end) = match pack.words.at(text, next)? {
        (Word::Tail(v) | Word::Value(v), e) => (Decimal::from(i64::from(v)), e),
        (Word::Power(1), e) => (Decimal::from(10), e),
        _ => return None,
    };
    (under > over).then_some((under, end))
}

/// A fraction in words with what multiplies it.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Part {
    pub(in super::super) value: Decimal,
    pub(in super::super) end: usize,
    /// The power of ten behind it (`half a million`).
    pub(in super::super) power: i32,
    /// What else multiplies it (`half a dozen`).
    pub(in super::super) times: Decimal,
}

impl Part {
    /// With all that multiplies it.
    pub(in super::super) fn whole(&self) -> Option<Decimal> {
        self.value.shifted(self.power).checked_mul(self.times)
    }

    /// Whether nothing multiplies it.
    pub(in super::super) fn is_bare(&self) -> bool {
        self.power == 0 && self.times == Decimal::from(1)
    }

    /// Whether what multiplies it is less than a power of ten.
    pub(in super::super) fn is_below(&self, power: i32) -> bool {
        !self.is_bare() && self.times.shifted(self.power) < Decimal::power_of_ten(power)
    }

    /// With what stands behind it: `million`, `a million`, `of a dozen`.
    pub(in super::super) fn scaled(self, text: &str, pack: &'static NumberPack) -> Part {
        let mut next = gap(text, self.end);
        if let Some((_, e)) = pack.of.at(text, next) {
            next = gap(text, e);
        }
        if let Some((Word::Article, e)) = pack.words.at(text, next) {
            next = gap(text, e);
        }
        match pack.words.at(text, next) {
            Some((Word::Power(p), e)) if p >= 2 && next > self.end => Part { end: e, power: i32::from(p), ..self },
            Some((Word::Times(n), e)) => Part { end: e, times: Decimal::from(i64::from(n)), ..self },
            _ => self,
        }
    }
}

/// A fraction below one at a place: `a half`, `two thirds`, `twenty-one hundredths`; with what stands behind it
/// (`half a million`, `a third of a dozen`).
pub(in super::super) fn fraction_at(text: &str, at: usize, pack: &'static NumberPack) -> Option<Part> {
    let (word, end) = pack.words.at(text, at)?;
    let half = Decimal::new(5, -1);
    let over = |v: u8, from: usize| {
        let (under, e) = below(text, from, pack, v == 1)?;
        Some((Decimal::ratio(Decimal::from(i64::from(v)), under)?, e))
    };
    let (value, end) = match word {
        Word::Half if pack.half_first => (half, end),
        // a quarter million
        Word::Under(4) => (Decimal::new(25, -2), end),
        Word::Article => match pack.words.at(text, gap(text, end))? {
            (Word::Half, e) => (half, e),
            (Word::Under(4), e) => (Decimal::new(25, -2), e),
            // `a hundred trillionths` are many.
            _ => over(1, gap(text, end)).filter(|(_, e)| is_share(text, *e, pack) && !ends_in_s(text, *e))?,
        },
        Word::Value(v) if v > 0 => match pack.words.at(text, gap(text, end))? {
            (Word::Half, e) if v == 1 && pack.half_first => (half, e),
            (Word::Value(low), e) if v >= 20 && v % 10 == 0 && low < 10 => {
                over(v + low, gap(text, e)).or_else(|| over(v, gap(text, end)))?
            }
            (Word::Power(_), _) => hundreds(text, at, pack).or_else(|| over(v, gap(text, end)))?,
            _ => over(v, gap(text, end))?,
        },
        _ => return None,
    };
    let part = Part { value, end, power: 0, times: Decimal::from(1) }.scaled(text, pack);
    // `quarter of an hour`
    let of_unit = || {
        let (_, of) = pack.of.at(text, gap(text, end))?;
        let (_, article) = pack.words.at(text, gap(text, of)).filter(|(w, _)| *w == Word::Article)?;
        pack.units.at(text, gap(text, article))
    };
    (word != Word::Under(4) || part.end > end || of_unit().is_some()).then_some(part)
}

/// A fraction with hundreds above its bar (`two hundred eighty-two thousandths`), as it is read where nothing stands in front.
/// Of no more words than stand below a bar: what is looked at twice is bounded.
fn hundreds(text: &str, at: usize, pack: &'static NumberPack) -> Option<(Decimal, usize)> {
    let (mut place, mut end) = (at, at);
    for _ in 0..MOST_BELOW {
        let Some((_, e)) = pack.words.at(text, place) else { break };
        (place, end) = (gap(text, e), e);
    }
    let found = number_over(text.get(..end)?, at, pack, false)?;
    let value = found.readings.first().copied()?;
    (!found.ordinal && value < Decimal::from(1)).then_some((value, found.end))
}

fn ends_in_s(text: &str, end: usize) -> bool {
    text.get(..end).is_some_and(|t| t.ends_with(['s', 'S']))
}

/// Whether `a third` is a share by what follows: nothing, `of`, a unit, a power. `a third party` holds none.
fn is_share(text: &str, end: usize, pack: &'static NumberPack) -> bool {
    let next = gap(text, end);
    char_at(text, next).is_none_or(|c| !c.is_alphabetic())
        || pack.of.at(text, next).is_some()
        || pack.units.at(text, next).is_some()
        || pack.skip.at(text, next).is_some()
        || pack.words.at(text, next).is_some()
}

//! Fractions in words: `two thirds`, `a quarter million`, `one over three`.

use super::super::digits::{self, digit};
use super::super::mask::char_at;
use super::super::pack::NumberPack;
use super::{Word, gap, number_over};
use crate::text::decimal::Decimal;

/// What stands below the bar: a plural (`fifths`, `twenty-firsts`, `hundredths`), or a singular behind one.
pub(super) fn denominator(text: &str, at: usize, pack: &'static NumberPack, over: Decimal) -> Option<(Decimal, usize)> {
    let one = over == Decimal::from(1);
    let whole = |v: u8| Decimal::from(i64::from(v));
    match pack.words.at(text, at)? {
        (Word::Under(u), e) => Some((whole(u), e)),
        (Word::UnderPower(p), e) => Some((Decimal::power_of_ten(i32::from(p)), e)),
        (Word::Ordinal(u), e) if one && u > 2 => Some((whole(u), e)),
        (Word::Value(tens), e) if tens >= 20 && tens % 10 == 0 => match pack.words.at(text, gap(text, e))? {
            (Word::Under(u), e) if u < 10 => Some((whole(tens + u), e)),
            (Word::Ordinal(u), e) if one && u < 10 => Some((whole(tens + u), e)),
            _ => None,
        },
        _ => None,
    }
}

/// `over three` behind a bare number, with no unit on either side: what is divided by, and its end.
pub(in super::super) fn over(text: &str, at: usize, pack: &'static NumberPack) -> Option<(Decimal, usize)> {
    let place = gap(text, at);
    let (_, end) = pack.over.at(text, place).filter(|_| place > at)?;
    let next = gap(text, end);
    let (value, end) = if char_at(text, next).is_some_and(|c| digit(c).is_some()) {
        let run = digits::run(text, next, pack);
        (Decimal::parse(&run.digits).filter(|_| run.seps.is_empty())?, run.end)
    } else {
        let found = number_over(text, next, pack, false)?;
        (found.readings.first().copied()?, found.end)
    };
    let rest = text.get(end..)?.trim_start_matches(' ');
    // `2000 over 3 years` divides nothing.
    let closed = rest.is_empty() || rest.starts_with(['.', ',', '?', ')', '!', ';', '\n']);
    (closed && value != Decimal::from(0)).then_some((value, end))
}

/// `phần ba` behind `hai`, `ส่วนสี่` behind `สาม`: what is divided by, above what stands over the bar, and its end. One word
/// of value, not a number of its own, which could hold such a fraction again and again; `phần trăm` is percent.
pub(super) fn parts(text: &str, at: usize, pack: &'static NumberPack, over: Decimal) -> Option<(Decimal, usize)> {
    let place = gap(text, at);
    let (_, end) = pack.parts.at(text, place)?;
    if pack.units.at(text, place).is_some_and(|(_, unit_end)| unit_end > end) {
        return None;
    }
    let (under, end) = match pack.words.at(text, gap(text, end))? {
        (Word::Tail(v) | Word::Value(v), e) => (Decimal::from(i64::from(v)), e),
        (Word::Power(1), e) => (Decimal::from(10), e),
        _ => return None,
    };
    (under > over).then_some((under, end))
}

/// A fraction below one at a place: `a half`, `two thirds`, `three quarters`; with the power of ten behind it
/// (`half a million`): the fraction, its end and the power.
pub(super) fn fraction_at(text: &str, at: usize, pack: &'static NumberPack) -> Option<(Decimal, usize, i32)> {
    let (word, end) = pack.words.at(text, at)?;
    let article = |at: usize| match pack.words.at(text, at) {
        Some((Word::Article, e)) => gap(text, e),
        _ => at,
    };
    let one = Decimal::from(1);
    let (part, end) = match word {
        Word::Half if pack.half_first => (Decimal::new(5, -1), end),
        // a quarter million
        Word::Under(4) => (Decimal::new(25, -2), end),
        Word::Article => match pack.words.at(text, gap(text, end))? {
            (Word::Half, e) => (Decimal::new(5, -1), e),
            _ => {
                let (under, e) = denominator(text, gap(text, end), pack, one)?;
                (Decimal::ratio(one, under)?, e)
            }
        },
        Word::Value(v) if v > 0 => match pack.words.at(text, gap(text, end))? {
            (Word::Half, e) if v == 1 && pack.half_first => (Decimal::new(5, -1), e),
            _ => {
                let v = Decimal::from(i64::from(v));
                let (under, e) = denominator(text, gap(text, end), pack, v)?;
                (Decimal::ratio(v, under)?, e)
            }
        },
        _ => return None,
    };
    let bare = word == Word::Under(4);
    let next = article(gap(text, end));
    match pack.words.at(text, next) {
        Some((Word::Power(p), e)) if p >= 2 && next > end => Some((part, e, i32::from(p))),
        Some((Word::Times(n), e)) => Some((part.checked_mul(Decimal::from(i64::from(n)))?, e, 0)),
        _ if bare => None,
        _ => Some((part, end, 0)),
    }
}

//! Numbers in words: `bảy`, `hai mươi mốt nghìn`, `สามสิบเอ็ด`, `one hundred and two`, `two and a half million`.
//!
//! One grammar serves the languages: values below a hundred, small powers that multiply what stands right before them,
//! large powers that multiply a whole section. What differs is data of the pack.

// A word has one of a dozen tasks, and each place wants a few of them.
#![allow(clippy::wildcard_enum_match_arm, reason = "see above")]

mod decimals;
mod fraction;
mod reader;

pub(super) use fraction::{Part, fraction_at, over, plural};

use super::mask::char_at;
use super::pack::{NumberPack, is_mark, is_spaced_letter};
use crate::text::decimal::Decimal;
use decimals::decimals;
use fraction::{below, others, parts, score_follows};
use reader::Reader;

/// A number in words holds no more words than this; longer chains are cut.
const MOST_WORDS: usize = 40;

/// Twenty, as older texts count years.
const SCORE: u8 = 20;

/// What a word of a number does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// A value below a hundred.
    Value(u8),
    /// The value of a digit behind ten (`mốt`, `lăm`): it takes part in no other way.
    Tail(u8),
    /// A power of ten that multiplies.
    Power(u8),
    /// Times a number: a dozen.
    Times(u8),
    /// Joins (`and`, `linh`); the flag: what follows stands for ones (`linh`), so it takes no lower unit.
    And(bool),
    /// The decimal mark.
    Point,
    /// A minus sign.
    Minus,
    /// A half.
    Half,
    /// The article: one, only in front of a power or a fraction.
    Article,
    /// Ends the number as an ordinal.
    Ordinal(u8),
    /// Below the bar of a fraction.
    Under(u8),
    /// The same, a power of ten: hundredths.
    UnderPower(u8),
    /// A power of ten that ends the number as an ordinal, and stands below the bar of one: hundredth.
    OrdinalPower(u8),
}

/// A number in words.
#[derive(Debug, Clone)]
pub(super) struct Spelled {
    pub(super) readings: Vec<Decimal>,
    pub(super) end: usize,
    /// How many words of value it has.
    pub(super) words: u8,
    pub(super) ordinal: bool,
    /// The power of ten of its last word.
    pub(super) last: i32,
}

/// Blanks and hyphens between the words of a number.
fn gap(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let mut end = at;
    let mut dashes = 0;
    for c in rest.chars().take(5) {
        match c {
            ' ' | '\u{a0}' | '\u{200b}' => {}
            '-' | '\u{2011}' | '—' if dashes == 0 => dashes += 1,
            _ => break,
        }
        end += c.len_utf8();
    }
    end
}

/// The number in words at a place.
pub(super) fn spelled(text: &str, at: usize, pack: &'static NumberPack) -> Option<Spelled> {
    let first = pack.words.at(text, at)?;
    let mut place = at;
    let mut minus = false;
    if first.0 == Word::Minus {
        minus = true;
        place = gap(text, first.1);
        pack.words.at(text, place)?;
    }
    let mut found = number(text, place, pack)?;
    if minus {
        found.readings = found.readings.iter().filter_map(|r| r.negated()).collect();
        found.words = found.words.saturating_add(1);
    }
    Some(found)
}

fn number(text: &str, start: usize, pack: &'static NumberPack) -> Option<Spelled> {
    number_over(text, start, pack, true)
}

/// The same; what stands under the bar of a fraction is divided by nothing more (`one over one over one`).
fn number_over(text: &str, start: usize, pack: &'static NumberPack, divided: bool) -> Option<Spelled> {
    let mut r = Reader::new(text, pack);
    let mut end = start;
    let mut place = start;
    let mut ordinal = false;
    let mut article = false;
    let mut second = Vec::new();
    let mut ones = false;
    let mut joined = false;
    // Another reading of the whole, with its end.
    let mut apart = None;
    for _ in 0..MOST_WORDS {
        let Some((word, word_end)) = pack.words.at(r.text, place) else { break };
        if r.started && unspaced_break(text, (end, place), (word, word_end), pack) {
            break;
        }
        let taken = match word {
            Word::Value(v) => {
                // `năm` is five and a year: behind a number it is five only where a power follows.
                let unit = r.started && pack.units.at(text, place).is_some_and(|(_, e)| e == word_end);
                let goes_on = || matches!(pack.words.at(text, gap(text, word_end)), Some((Word::Power(_), _)));
                ones = r.joined_as_ones;
                // `one hundred thirty fifths`: the tens go with the ordinal, but for `one hundred and thirty fifths`.
                let whole = r.pending.is_none() && r.section != Decimal::from(0) && !joined;
                let short = || {
                    let next = pack.words.at(text, gap(text, word_end));
                    matches!(next, Some((Word::Under(u) | Word::Ordinal(u), _)) if v >= 20 && u < 10)
                };
                let under = v >= 10
                    && v % 10 == 0
                    && (r.pending.is_some() || (whole && short()))
                    && below(text, place, pack, r.value() == Some(Decimal::from(1))).is_some();
                (!unit || ones || goes_on()) && !under && r.take(v, false)
            }
            Word::Tail(v) => r.take(v, true),
            Word::Power(p) => {
                // `tỷ lệ`, `พันธุ์`, thousands of: a power alone is seldom a number.
                let plural = text.get(..word_end).is_some_and(|t| t.ends_with(['s', 'S']));
                let lone = !r.started && !article && (p > 1 && !pack.pairs || plural);
                if lone && text.trim().len() != word_end - start {
                    break;
                }
                // `three hundred-thousandths`
                let tied = r.started
                    && text.get(..place).is_some_and(|t| t.ends_with(' '))
                    && text.get(word_end..).is_some_and(|t| t.starts_with('-'))
                    && below(text, place, pack, r.value() == Some(Decimal::from(1))).is_some();
                if tied {
                    break;
                }
                article = false;
                r.power(i32::from(p))
            }
            Word::Times(n) => {
                if !r.started && !article && !pack.times_alone {
                    break;
                }
                let value = if r.started { r.value()? } else { Decimal::from(1) };
                let product = value.checked_mul(Decimal::from(i64::from(n)))?;
                if n == SCORE {
                    // `a score of 5`, `the two score higher`
                    if !r.started || !score_follows(text, word_end, pack) {
                        break;
                    }
                    (r.total, r.section, r.pending, r.last) = (product, Decimal::from(0), None, 1);
                    (r.floor, joined) = (99, false);
                    r.words = r.words.saturating_add(1);
                    end = word_end;
                    place = gap(text, end);
                    continue;
                }
                // `two dozen and a half`
                let half = pack.words.at(text, gap(text, word_end)).filter(|(w, _)| matches!(w, Word::And(_)));
                let half = half.and_then(|(_, e)| fraction_at(text, gap(text, e), pack)).filter(Part::is_bare);
                if let Some(part) = half.filter(|p| p.value < Decimal::from(1)) {
                    let more = part.value.checked_mul(Decimal::from(i64::from(n)))?;
                    let words = r.words.saturating_add(3);
                    return Some(done(vec![product.checked_add(more)?], part.end, words, false, 0));
                }
                return Some(done(vec![product], word_end, r.words.saturating_add(1), false, 0));
            }
            Word::And(as_ones) => {
                let next = gap(text, word_end);
                let follows = pack.words.at(text, next);
                if !r.started || next == word_end && is_word_end(text, word_end) {
                    break;
                }
                // `two and a half`, `one hundred and three quarters`, `two million and a half`
                // In `one hundred and twenty-three thousandths` it joins the hundred, or not.
                let tens =
                    matches!(follows, Some((Word::Value(v), _)) if v >= 10) && r.last >= 2 && r.pending.is_none();
                let part = fraction_at(text, next, pack).filter(|p| p.value < Decimal::from(1));
                if let Some(part) = part.filter(|_| tens) {
                    apart = r.value()?.checked_add(part.value).map(|v| (v, part.end));
                }
                if let Some(part) = part.filter(|_| !tens) {
                    let whole = r.value()?.checked_add(part.value)?.shifted(part.power).checked_mul(part.times)?;
                    let words = r.words.saturating_add(2);
                    // A half and a quarter behind a magnitude are of it; other fractions may be.
                    let quarters = part.value.checked_mul(Decimal::from(4)).is_some_and(Decimal::is_whole);
                    let magnitude = r.pending.is_none() && r.last >= pack.section && r.section == Decimal::from(0);
                    if magnitude && part.is_bare() {
                        let value = r.value()?.checked_add(part.value.shifted(r.last))?;
                        let (readings, last) =
                            if quarters { (vec![value, whole], r.last - 1) } else { (vec![whole, value], -1) };
                        return Some(done(readings, part.end, words, false, last));
                    }
                    return Some(done(vec![whole], part.end, words, false, part.power - 1));
                }
                let fits = match follows {
                    Some((Word::Value(v), _)) => r.pending.is_none() && r.floor > if v >= 10 { 1 } else { 0 },
                    Some((Word::Power(1), _)) => as_ones && r.pending.is_none() && r.floor > 1,
                    Some((Word::Ordinal(_), _)) => r.pending.is_none(),
                    _ => false,
                };
                if !fits || r.last == 0 {
                    break;
                }
                r.joined_as_ones = as_ones;
                joined = true;
                place = next;
                continue;
            }
            Word::Point => {
                let head = if r.started { r.value()? } else { Decimal::from(0) };
                let Some((part, places, part_end, n)) = decimals(text, gap(text, word_end), pack) else { break };
                let mut value = head.checked_add(part)?;
                let mut end = part_end;
                let mut power = 0;
                while let Some((Word::Power(p), e)) = pack.words.at(text, gap(text, end)) {
                    if i32::from(p) < 2 || power + i32::from(p) > 30 {
                        break;
                    }
                    power += i32::from(p);
                    end = e;
                }
                value = value.shifted(power);
                let words = r.words.saturating_add(n).saturating_add(1);
                return Some(done(vec![value], end, words, false, power - places));
            }
            Word::Half => {
                // `one half`, and no `two half`
                if pack.pairs && r.words == 1 && r.value() == Some(Decimal::from(1)) {
                    let part = fraction_at(text, start, pack)?;
                    return Some(done(vec![part.whole()?], part.end, 2, false, part.power - 1));
                }
                if !r.started || pack.pairs {
                    break;
                }
                // một nửa is a half; rưỡi stands behind: half of the last unit.
                let in_front = pack.half_first && !pack.pairs && pack.half.at(text, place).is_none();
                if in_front && r.value()? == Decimal::from(1) {
                    return Some(done(vec![Decimal::new(5, -1)], word_end, 2, false, -1));
                }
                if in_front {
                    break;
                }
                let half = Decimal::new(5, r.last - 1);
                let value = if r.pending.is_some() {
                    r.value()?.checked_add(Decimal::new(5, -1))?
                } else {
                    r.value()?.checked_add(half)?
                };
                return Some(done(vec![value], word_end, r.words.saturating_add(1), false, r.last - 1));
            }
            Word::Article => {
                if r.started || article {
                    break;
                }
                if let Some(part) = fraction_at(text, place, pack) {
                    let scaled = part.power > 0 || part.times != Decimal::from(1);
                    return Some(done(vec![part.whole()?], part.end, 1 + u8::from(scaled), false, part.power - 1));
                }
                let next = gap(text, word_end);
                if !matches!(pack.words.at(text, next), Some((Word::Power(_) | Word::Times(_), _))) {
                    break;
                }
                article = true;
                place = next;
                continue;
            }
            Word::Ordinal(v) => {
                let fits = r.take(v, false);
                if fits {
                    ordinal = true;
                    end = word_end;
                    r.started = true;
                    r.words = r.words.saturating_add(1);
                }
                break;
            }
            // `two hundredth`, `the millionth`; `one hundredth` and `a hundredth` are shares.
            Word::OrdinalPower(p) => {
                if (!r.started || r.value() != Some(Decimal::from(1))) && r.power(i32::from(p)) {
                    (ordinal, end, r.started) = (true, word_end, true);
                    r.words = r.words.saturating_add(1);
                }
                break;
            }
            Word::Under(_) | Word::UnderPower(_) | Word::Minus => break,
        };
        if !taken {
            break;
        }
        (r.started, joined) = (true, false);
        r.words = r.words.saturating_add(1);
        end = word_end;
        // A digit behind a power, with nothing behind it, stands for the next lower unit: một nghìn hai = 1200.
        place = gap(text, end);
        if let (Word::Power(p), Some(next)) = (word, comma(text, end, pack))
            && i32::from(p) >= pack.section
        {
            place = next;
        }
        if place == end && is_word_end(text, end) {
            break;
        }
    }
    if !r.started {
        let part = fraction_at(text, start, pack)?;
        return Some(done(vec![part.whole()?], part.end, 2, false, part.power - 1));
    }
    // `two thirds`, `twenty-three fifths`, `one twenty-fifth`
    if !ordinal && let Some((under, e)) = below(text, gap(text, end), pack, r.value()? == Decimal::from(1)) {
        let value = Decimal::ratio(r.value()?, under)?;
        let part = Part { value, end: e, power: 0, times: Decimal::from(1) }.scaled(text, pack);
        if part.end > e && value < part.times.max(Decimal::from(1)) {
            return Some(done(vec![part.whole()?], part.end, r.words.saturating_add(2), false, part.power - 1));
        }
        let mut readings = others(text, (start, e), pack, value);
        readings.extend(apart.filter(|(_, end)| *end == e).map(|(v, _)| v));
        return Some(done(readings, e, r.words.saturating_add(1), false, -2));
    }
    if let Some((under, e)) = Some(end)
        .filter(|_| divided)
        .and_then(|end| over(text, end, pack).or_else(|| parts(text, end, pack, r.value()?)))
    {
        let value = Decimal::ratio(r.value()?, under)?;
        return Some(done(vec![value], e, r.words.saturating_add(2), false, -2));
    }
    let value = r.value()?;
    let mut readings = vec![value];
    if pack.tail
        && !ones
        && r.last >= 2
        && r.words >= 2
        && !ordinal
        && let Some(d) = r.pending.filter(|d| (1..10).contains(d))
        && (r.section == Decimal::from(0) || r.floor == r.last)
    {
        // The digit stands right behind the power.
        let head = r.total.checked_add(r.section)?;
        let colloquial = head.checked_add(Decimal::new(i128::from(d), r.last - 1))?;
        second.append(&mut readings);
        readings = vec![colloquial];
        readings.append(&mut second);
    }
    Some(done(readings, end, r.words, ordinal, if r.pending.is_some() { 0 } else { r.last }))
}

/// Whether a word of a script without blanks is no part of the number in front of it: it begins a longer word
/// (`สิบห้า ร้อยละ 7`), or is a power behind the blank that parts phrases (`ห้า แสนสอง`).
fn unspaced_break(text: &str, (end, at): (usize, usize), (word, word_end): (Word, usize), pack: &NumberPack) -> bool {
    if char_at(text, at).is_none_or(|c| c < '\u{e00}' || is_spaced_letter(c)) {
        return false;
    }
    let longer = pack.stop.at(text, at).is_some_and(|(_, e)| e > word_end);
    longer || (at > end && matches!(word, Word::Power(_) | Word::Half))
}

/// `five thousand, six hundred and nine`: where the number goes on behind a comma, if more than one word of it follows.
fn comma(text: &str, at: usize, pack: &'static NumberPack) -> Option<usize> {
    let next = text.get(at..)?.strip_prefix(", ").map(|_| at + 2).filter(|_| pack.pairs)?;
    let (Word::Value(_), end) = pack.words.at(text, next)? else { return None };
    let second = pack.words.at(text, gap(text, end));
    matches!(second, Some((Word::Value(_) | Word::Power(_), _))).then_some(next)
}

fn done(readings: Vec<Decimal>, end: usize, words: u8, ordinal: bool, last: i32) -> Spelled {
    Spelled { readings, end, words, ordinal, last }
}

/// Whether a letter of a spaced script goes on at a place.
fn is_word_end(text: &str, at: usize) -> bool {
    char_at(text, at).is_some_and(|c| is_spaced_letter(c) || is_mark(c))
}

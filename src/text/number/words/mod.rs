//! Numbers in words: `bảy`, `hai mươi mốt nghìn`, `สามสิบเอ็ด`, `one hundred and two`, `two and a half million`.
//!
//! One grammar serves the languages: values below a hundred, small powers that multiply what stands right before them,
//! large powers that multiply a whole section. What differs is data of the pack.

// A word has one of a dozen tasks, and each place wants a few of them.
#![allow(clippy::wildcard_enum_match_arm, reason = "see above")]

mod decimals;
mod fraction;
mod reader;

pub(super) use decimals::decimals;
pub(super) use fraction::{Part, counted, fraction_at, over, parts, plural, singular};

use super::Unit;
use super::mask::char_at;
use super::pack::{NumberPack, is_mark, is_spaced_letter};
use crate::text::decimal::Decimal;
use fraction::{below, others, score_follows};
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
    /// Stands for the tens of a year (`nineteen oh five`).
    Oh,
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
    let mut ones = false;
    let mut joined = false;
    // Whether the last value stands right behind `and`, and whether a power without a value begins the number.
    let (mut behind_and, mut opened) = (false, false);
    // What stands in front of the last value, where it is a number of its own.
    let mut whole_before = None;
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
                // `twenty ten-dollar notes`
                let tied = || {
                    let behind = text.get(word_end..).is_some_and(|t| t.starts_with('-'));
                    v >= 10 && r.pending.is_some() && behind && pack.units.at(text, word_end + 1).is_some()
                };
                let apart = tied();
                behind_and = joined;
                let head = r.value()?;
                let before = (head != Decimal::from(0) && r.pending.is_none()).then_some((head, end, r.words, r.last));
                let taken = (!unit || ones || goes_on()) && !under && !apart && r.take(v, false);
                if taken {
                    whole_before = before;
                }
                taken
            }
            Word::Oh => {
                // `three-oh-four` is a score.
                if r.pending.is_some_and(|v| v < 10) && text.get(end..place).is_some_and(|t| t.contains('-')) {
                    break;
                }
                let low = pack.words.at(text, gap(text, word_end));
                let (Some(century @ 1..=20), Some((Word::Value(low @ 1..10), low_end)), 1) = (r.pending, low, r.words)
                else {
                    break;
                };
                let year = i64::from(century) * 100 + i64::from(low);
                return Some(done(vec![Decimal::from(year)], low_end, 3, false, 0));
            }
            Word::Tail(v) => r.take(v, true),
            Word::Power(p) => {
                // `tỷ lệ`, `พันธุ์`, thousands of: a power alone is seldom a number.
                let plural = text.get(..word_end).is_some_and(|t| t.ends_with(['s', 'S']));
                let lone = !r.started && !article && (p > 1 && !pack.pairs || plural);
                if lone && text.trim().len() != word_end - start && !stands_alone(text, (start, word_end), p, pack) {
                    break;
                }
                opened |= lone;
                // `three hundred-thousandths`
                let tied = r.started
                    && text.get(..place).is_some_and(|t| t.ends_with(' '))
                    && text.get(word_end..).is_some_and(|t| t.starts_with('-'))
                    && below(text, place, pack, r.value() == Some(Decimal::from(1))).is_some();
                if tied {
                    break;
                }
                article = false;
                let taken = r.power(i32::from(p));
                // `two hundred two hundred`: the last value begins the next number.
                if let Some((head, head_end, words, last)) = whole_before.filter(|_| !taken && r.pending.is_some()) {
                    return Some(done(vec![head], head_end, words, false, last));
                }
                taken
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
                if let Some((part, part_end)) = part_behind(text, word_end, pack) {
                    let more = part.checked_mul(Decimal::from(i64::from(n)))?;
                    let words = r.words.saturating_add(2);
                    return Some(done(vec![product.checked_add(more)?], part_end, words, false, 0));
                }
                // `three hundred and two dozens`: 302 dozens, or 300 and two dozens.
                let last = r.pending.filter(|_| behind_and).map(|v| i64::from(v) * i64::from(n));
                let other = last.and_then(|v| r.total.checked_add(r.section)?.checked_add(Decimal::from(v)));
                let readings = [product].into_iter().chain(other.filter(|v| *v != product)).collect();
                return Some(done(readings, word_end, r.words.saturating_add(1), false, 0));
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
                let part = fraction_at(text, next, pack).or_else(|| counted(text, next, pack));
                let part = part.filter(|p| p.value < Decimal::from(1));
                if let Some(part) = part.filter(|_| tens) {
                    apart = r.value()?.checked_add(part.value).map(|v| (v, part.end));
                }
                if let Some(part) = part.filter(|_| !tens) {
                    let words = r.words.saturating_add(2);
                    // `one billion and a half million`: the lower magnitude is of the fraction alone.
                    if r.pending.is_none() && part.is_below(r.last) {
                        let whole = r.value()?.checked_add(part.whole()?)?;
                        return Some(done(vec![whole], part.end, words, false, part.power - 1));
                    }
                    let whole = r.value()?.checked_add(part.value)?.shifted(part.power).checked_mul(part.times)?;
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
                // `a thousand and a hundred`
                if let Some((Word::Article, e)) = follows
                    && let Some((Word::Power(p), _)) = pack.words.at(text, gap(text, e))
                    && i32::from(p) < r.last
                    && r.pending.is_none()
                {
                    (r.pending, place) = (Some(1), gap(text, e));
                    continue;
                }
                // `twenty and three and three fifths`
                let more = |v: u8, e: usize| {
                    let tens = r.pending.is_some_and(|p| p >= 20 && p % 10 == 0) && v < 10;
                    let and = pack.words.at(text, gap(text, e)).filter(|(w, _)| tens && matches!(w, Word::And(_)));
                    and.is_some_and(|(_, e)| fraction_at(text, gap(text, e), pack).is_some())
                };
                let parted = matches!(follows, Some((Word::Value(v), e)) if more(v, e));
                let fits = match follows {
                    _ if parted => true,
                    Some((Word::Value(v), _)) => r.pending.is_none() && r.floor > if v >= 10 { 1 } else { 0 },
                    Some((Word::Power(1), _)) => as_ones && r.pending.is_none() && r.floor > 1,
                    Some((Word::Ordinal(_), _)) => r.pending.is_none(),
                    _ => false,
                };
                if !fits || (r.last == 0 && !parted) {
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
                // `a thirty second pause`: the ordinal is also a unit.
                let article = || text.get(..start).is_some_and(|t| t.ends_with(" a ") || t == "a " || t == "A ");
                let unit = pack.units.at(text, place).is_some_and(|(_, e)| e == word_end);
                if unit && r.started && article() {
                    break;
                }
                // `one tenth` is a share, and no hundred and tenth.
                let fits = (v < 10 || r.pending.is_none()) && r.take(v, false);
                if fits {
                    ordinal = true;
                    end = word_end;
                    r.started = true;
                    r.words = r.words.saturating_add(1);
                }
                break;
            }
            // `two hundredth`, `the millionth`, `the one hundredth guest`; `one hundredth` and `a hundredth` are shares.
            Word::OrdinalPower(p) => {
                let led = || text.get(..start).is_some_and(|t| t.ends_with("the ") || t.ends_with("The "));
                let whole = || pack.of.at(text, gap(text, word_end)).is_none();
                let one = r.started && r.value() == Some(Decimal::from(1));
                if (!one || (led() && whole())) && r.power(i32::from(p)) {
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
    let under = gap(text, end);
    // `a two-third majority`
    let tied = || {
        let dash = text.get(end..under).is_some_and(|t| t == "-");
        dash && r.words == 1 && r.pending.is_some_and(|v| (2..10).contains(&v))
    };
    let one = r.value()? == Decimal::from(1);
    let bar = || below(text, under, pack, one).or_else(|| below(text, under, pack, true).filter(|_| tied()));
    if !ordinal && let Some((under, e)) = bar() {
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
    let colloquial = pack.tail || (pack.tail_second && r.last >= 3);
    if colloquial
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
        // In Thai the number is spoken so in full too, but for one that a power begins: พันห้า.
        let place = if pack.tail || opened { 0 } else { readings.len() };
        readings.insert(place, colloquial);
    }
    Some(done(readings, end, r.words, ordinal, if r.pending.is_some() { 0 } else { r.last }))
}

/// Whether a power without a value in front is one of something by what stands behind it: a half (`trăm rưỡi`), a digit or
/// a number (`triệu hai`, `พันสองร้อย`), percent (`trăm phần trăm`).
fn stands_alone(text: &str, (start, end): (usize, usize), p: u8, pack: &NumberPack) -> bool {
    let head = text.get(..start).unwrap_or_default().trim_end_matches(' ').len();
    if p < 2 || pack.pairs || pack.no_lone.at(text, 0, head).is_some() {
        return false;
    }
    let next = gap(text, end);
    let unit = pack.units.at(text, next);
    match pack.words.at(text, next) {
        Some((Word::Half, _)) => pack.half.at(text, next).is_some(),
        // `trăm năm` are a hundred years.
        Some((Word::Value(v), e)) => v > 0 && (pack.tail || pack.tail_second) && unit.is_none_or(|(_, u)| u < e),
        Some((Word::Tail(_), _)) => pack.tail,
        Some((Word::Power(1), _)) => pack.tail_second,
        _ => p == 2 && unit.is_some_and(|(u, _)| u == Unit::PERCENT),
    }
}

/// What is added of one behind a word such as dozen: `and a half`, `半`, `ครึ่ง`; with its end.
pub(super) fn part_behind(text: &str, at: usize, pack: &'static NumberPack) -> Option<(Decimal, usize)> {
    let next = gap(text, at);
    if let Some((_, end)) = pack.half.at(text, next) {
        return Some((Decimal::new(5, -1), end));
    }
    let (_, and) = pack.words.at(text, next).filter(|(w, _)| matches!(w, Word::And(_)) && pack.pairs)?;
    let part = fraction_at(text, gap(text, and), pack)?;
    (part.is_bare() && part.value < Decimal::from(1)).then_some((part.value, part.end))
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

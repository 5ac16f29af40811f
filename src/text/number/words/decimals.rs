//! What stands behind a decimal word: `point zero five`, `phẩy 25`.

use super::super::digits::{self, digit};
use super::super::mask::char_at;
use super::super::pack::NumberPack;
use super::{Word, gap, is_word_end, number};
use crate::text::decimal::Decimal;

/// Digits behind a decimal word: in words one by one, or in figures. The value, its places, its end, its words.
pub(in super::super) fn decimals(
    text: &str,
    at: usize,
    pack: &'static NumberPack,
) -> Option<(Decimal, i32, usize, u8)> {
    let mut digits = String::new();
    let mut end = at;
    let mut place = at;
    let mut words = 0u8;
    if char_at(text, at).is_some_and(|c| digit(c).is_some()) {
        let run = digits::run(text, at, pack);
        if !run.seps.is_empty() {
            return None;
        }
        (digits, end, words) = (run.digits, run.end, 1);
    } else {
        for _ in 0..12 {
            let Some((word, e)) = pack.words.at(text, place) else { break };
            match word {
                Word::Value(v) if v < 10 || digits.is_empty() => {
                    digits.push_str(&v.to_string());
                    if v >= 20
                        && let Some((Word::Value(low), e)) = pack.words.at(text, gap(text, e))
                        && v % 10 == 0
                        && low < 10
                    {
                        digits.pop();
                        digits.push_str(&low.to_string());
                        (end, words) = (e, words + 2);
                        break;
                    }
                    // hai mươi ba behind the mark: 23
                    if v < 10
                        && digits.len() == 1
                        && let Some(two) = two_digits(text, place, pack)
                    {
                        digits = two.0.to_string();
                        (end, words) = (two.1, 2);
                        break;
                    }
                }
                // point oh five
                Word::Oh => digits.push('0'),
                // bảy lăm behind the mark: 75
                Word::Tail(v) if digits.len() == 1 => {
                    digits.push_str(&v.to_string());
                    (end, words) = (e, words + 1);
                    break;
                }
                // mười bốn behind the mark: 14
                Word::Power(1) if digits.is_empty() => {
                    let found = number(text, place, pack)?;
                    let value = found.readings.first()?.to_i64().filter(|v| (10..20).contains(v))?;
                    (digits, end, words) = (value.to_string(), found.end, found.words);
                    break;
                }
                _ => break,
            }
            end = e;
            words += 1;
            place = gap(text, e);
            if place == e && is_word_end(text, e) {
                break;
            }
        }
    }
    let places = i32::try_from(digits.len()).ok().filter(|n| (1..=20).contains(n))?;
    Some((Decimal::parse(&digits)?.shifted(-places), places, end, words))
}

/// A value of two digits with its own word for ten (`hai mươi ba`).
fn two_digits(text: &str, at: usize, pack: &'static NumberPack) -> Option<(i64, usize)> {
    let (_, end) = pack.words.at(text, at)?;
    let (Word::Power(1), _) = pack.words.at(text, gap(text, end))? else { return None };
    let found = number(text, at, pack)?;
    found.readings.first()?.to_i64().filter(|v| *v < 100).map(|v| (v, found.end))
}

//! Numbers as they are written in the answers of the demo shop, found and changed by plain search in text and not by the
//! parts of the crate under test: digits of three scripts with their separators, and numerals in Chinese characters.
#![allow(unreachable_pub, missing_docs, clippy::unwrap_used, clippy::string_slice, reason = "a test kit")]

use std::ops::Range;

/// The citation markers of an answer of the shop: `[1]`.
pub fn markers(text: &str) -> Vec<Range<usize>> {
    text.match_indices('[').filter_map(|(i, _)| Some(i..i + text[i..].find(']')? + 1)).collect()
}

/// The zeros of the digits in use: ASCII, Thai, full width.
const ZEROS: [char; 3] = ['0', '๐', '０'];

fn above(zero: char, c: char) -> Option<u32> {
    (c as u32).checked_sub(zero as u32).filter(|d| *d < 10)
}

fn digit(c: char) -> Option<u32> {
    ZEROS.iter().find_map(|zero| above(*zero, c))
}

const HAN_DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const HAN_UNITS: [(char, u64); 3] = [('千', 1000), ('百', 100), ('十', 10)];

/// The value of a numeral in Chinese characters, below ten thousand.
pub fn of_han(numeral: &str) -> u64 {
    let (mut sum, mut last) = (0, None);
    for c in numeral.chars().map(|c| if c == '两' { '二' } else { c }) {
        match HAN_UNITS.iter().find(|(unit, _)| *unit == c) {
            Some((_, times)) => sum += times * last.take().unwrap_or(1),
            None => last = HAN_DIGITS.iter().position(|d| *d == c).map(|d| d as u64),
        }
    }
    sum + last.unwrap_or(0)
}

/// A number below ten thousand in Chinese characters.
pub fn as_han(value: u64) -> String {
    let (mut out, mut rest, mut gap) = (String::new(), value, false);
    for (unit, times) in HAN_UNITS {
        let d = rest / times;
        rest %= times;
        gap |= d == 0 && !out.is_empty();
        if d > 0 {
            out.extend(std::mem::take(&mut gap).then_some('零'));
            // Ten is 十, a hundred and ten 一百一十.
            out.extend((d > 1 || unit != '十' || !out.is_empty()).then(|| HAN_DIGITS[d as usize]));
            out.push(unit);
        }
    }
    if rest > 0 || out.is_empty() {
        out.extend(gap.then_some('零'));
        out.push(HAN_DIGITS[rest as usize]);
    }
    out
}

/// The runs of digits with single separators between them and the numerals in Chinese characters, outside citation
/// markers and words such as `X9`.
pub fn numbers(text: &str) -> Vec<Range<usize>> {
    let at = |i: usize| text[i..].chars().next();
    let is_digit = |i: usize| at(i).is_some_and(|c| digit(c).is_some());
    let is_han = |i: usize| {
        at(i).is_some_and(|c| c == '两' || HAN_DIGITS.contains(&c) || HAN_UNITS.iter().any(|(unit, _)| *unit == c))
    };
    let markers = markers(text);
    let (mut out, mut i) = (Vec::new(), 0);
    while let Some(first) = at(i) {
        let start = i;
        if is_han(i) {
            while is_han(i) {
                i += '十'.len_utf8();
            }
            // 一样 (alike) is no number.
            let counts = at(i).is_some_and(|c| "天年月周个次件元小分成".contains(c));
            if counts || text[..start].ends_with("百分之") {
                out.push(start..i);
            }
            continue;
        }
        if !is_digit(i) {
            i += first.len_utf8();
            continue;
        }
        while is_digit(i) || (matches!(at(i), Some('.' | ',')) && is_digit(i + 1)) {
            i += at(i).map_or(1, char::len_utf8);
        }
        // Thai and Chinese write numbers right behind a word.
        let in_word = text[..start].chars().next_back().is_some_and(|c| c.is_alphabetic() && c < '\u{e00}');
        if !in_word && !markers.iter().any(|m| m.contains(&start)) {
            out.push(start..i);
        }
    }
    out
}

/// The digits of a number alone, as ASCII: the same for `1.500.000` and `1,500,000`, for `๓๐` and `三十`.
pub fn digits(number: &str) -> String {
    let digits: String = number.chars().filter_map(digit).filter_map(|d| char::from_digit(d, 10)).collect();
    if digits.is_empty() { of_han(number).to_string() } else { digits }
}

/// The value with the digits and separators of the original, these in groups of three from the end; a decimal keeps its
/// place.
pub fn written_as(value: &str, original: &str) -> String {
    let Some(zero) = ZEROS.iter().find(|zero| original.chars().any(|c| above(**zero, c).is_some())) else {
        return value.parse().map_or_else(|_| value.to_owned(), as_han);
    };
    let shown = |c: char| c.to_digit(10).and_then(|d| char::from_u32(*zero as u32 + d)).unwrap_or(c);
    separated(value, original).chars().map(shown).collect()
}

/// The value with the separators of the original.
fn separated(value: &str, original: &str) -> String {
    let Some(at) = original.find(['.', ',']) else { return value.to_owned() };
    let separator = &original[at..=at];
    let grouped = original.split(['.', ',']).skip(1).all(|g| g.chars().count() == 3);
    if grouped {
        let mut out = String::new();
        for (i, c) in value.chars().enumerate() {
            if i > 0 && (value.len() - i).is_multiple_of(3) {
                out.push_str(separator);
            }
            out.push(c);
        }
        return out;
    }
    let behind = original[at + 1..].chars().count();
    let value = format!("{value:0>width$}", width = behind + 1);
    let (whole, part) = value.split_at(value.len() - behind);
    format!("{whole}{separator}{part}")
}

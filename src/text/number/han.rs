//! Numerals in Chinese characters: positional, with units, with a decimal point.

use super::pack::Numerals;
use crate::text::decimal::Decimal;

/// The value of a numeral character.
pub(crate) fn han_digit(c: char) -> Option<u8> {
    Some(match c {
        '〇' | '零' | '○' => 0,
        '一' | '壹' | '壱' => 1,
        '二' | '贰' | '貳' | '弐' | '两' | '兩' => 2,
        '三' | '叁' | '參' | '参' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' | '陸' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        _ => return None,
    })
}

/// The power of ten of a unit character below ten thousand.
fn small_unit(c: char) -> Option<i32> {
    Some(match c {
        '十' | '拾' => 1,
        '百' | '佰' => 2,
        '千' | '仟' => 3,
        _ => return None,
    })
}

/// The power of ten of a unit character from ten thousand.
fn big_unit(c: char) -> Option<i32> {
    Some(match c {
        '万' | '萬' => 4,
        '亿' | '億' => 8,
        '兆' => 12,
        _ => return None,
    })
}

fn double(c: char) -> Option<u8> {
    match c {
        '廿' => Some(2),
        '卅' => Some(3),
        '卌' => Some(4),
        _ => None,
    }
}

/// Whether a numeral can begin with this character. The formal `参` and `两` begin one too.
pub(crate) fn begins(c: char) -> bool {
    matches!(c, '\u{3007}' | '\u{4e00}'..='\u{9fff}')
        && (han_digit(c).is_some()
            || small_unit(c).is_some()
            || double(c).is_some()
            || matches!(c, '万' | '萬' | '亿' | '億'))
}

/// Whether a character can be part of a numeral.
pub(crate) fn is_numeral(c: char) -> bool {
    c > '\u{3000}' && part_of(c)
}

fn part_of(c: char) -> bool {
    han_digit(c).is_some() || small_unit(c).is_some() || big_unit(c).is_some() || double(c).is_some()
}

/// A numeral of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Numeral {
    /// The readings; empty when the characters say something vague (`三四` is three or four).
    pub(crate) readings: Vec<Decimal>,
    pub(crate) end: usize,
    /// How many numeral characters.
    pub(crate) chars: usize,
}

/// The longest numeral at a place.
pub(crate) fn numeral(text: &str, start: usize, numerals: Numerals) -> Option<Numeral> {
    let rest = text.get(start..)?;
    let mut whole: Vec<char> = rest.chars().take_while(|c| part_of(*c)).collect();
    // 三斤二两: behind a number it is a weight; 一两天 are one or two days.
    if let [first, .., '两' | '兩'] = whole.as_slice()
        && !(whole.len() == 2 && *first == '一')
    {
        whole.pop();
    }
    let mut end = start + whole.iter().map(|c| c.len_utf8()).sum::<usize>();
    let mut chars = whole.len();
    let mut readings = read(&whole, numerals);
    if whole.is_empty() {
        return None;
    }
    // A decimal point with plain digits after it; `三点五十分` is a time.
    if let Some(tail) = text.get(end..).and_then(|t| t.strip_prefix(['点', '點'])) {
        let part: Vec<u8> = tail.chars().map_while(han_digit).collect();
        let bytes: usize = tail.chars().take(part.len()).map(char::len_utf8).sum();
        let next = tail.chars().nth(part.len());
        let time = next.is_some_and(|c| small_unit(c).is_some() || matches!(c, '分' | '刻'));
        if !part.is_empty() && !time {
            let digits: String = part.iter().map(|d| char::from(b'0' + d)).collect();
            let places = i32::try_from(part.len()).ok()?;
            let fraction = Decimal::parse(&digits).map(|d| d.shifted(-places));
            readings = readings.first().zip(fraction).and_then(|(w, f)| w.checked_add(f)).into_iter().collect();
            end += '点'.len_utf8() + bytes;
            chars += 1 + part.len();
            // `一点五万`, `三点五亿`
            let big: Vec<i32> = tail.chars().skip(part.len()).map_while(big_unit).collect();
            if !big.is_empty() {
                let power: i32 = big.iter().sum();
                readings = readings.iter().map(|r| r.shifted(power)).collect();
                end += tail.chars().skip(part.len()).take(big.len()).map(char::len_utf8).sum::<usize>();
                chars += big.len();
            }
        }
    }
    Some(Numeral { readings, end, chars })
}

/// Whether a character is a formal numeral, which has other meanings alone.
pub(crate) fn is_formal(c: char) -> bool {
    matches!(
        c,
        '叁' | '參'
            | '参'
            | '肆'
            | '伍'
            | '陆'
            | '陸'
            | '柒'
            | '捌'
            | '玖'
            | '拾'
            | '佰'
            | '仟'
            | '壹'
            | '贰'
            | '貳'
    )
}

/// Whether a text begins with two digits beside each other, without a unit character.
pub(crate) fn is_pair(text: &str) -> bool {
    let mut chars = text.chars();
    let digit = |c: Option<char>| c.is_some_and(|c| han_digit(c).is_some());
    digit(chars.next()) && digit(chars.next())
}

/// Whether a numeral holds a decimal point: `三点五` is no hour.
pub(crate) fn is_decimal(text: &str, start: usize, end: usize) -> bool {
    text.get(start..end).is_some_and(|t| t.contains(['点', '點']))
}

/// Two digits beside each other that say "one or the other".
fn few(a: u8, b: u8) -> bool {
    a > 0 && (a + 1 == b || (a, b) == (3, 5))
}

/// Reads numeral characters: positional, or by units.
fn read(chars: &[char], numerals: Numerals) -> Vec<Decimal> {
    if chars.iter().all(|c| han_digit(*c).is_some()) {
        let digits: Vec<u8> = chars.iter().filter_map(|c| han_digit(*c)).collect();
        // 三四 天 is "three or four days", 三五个 a few.
        if let [a, b] = digits.as_slice()
            && few(*a, *b)
        {
            return Vec::new();
        }
        let text: String = digits.iter().map(|d| char::from(b'0' + d)).collect();
        return Decimal::parse(&text).into_iter().collect();
    }
    // 七八十: seventy or eighty.
    let vague = |w: &[char]| match w {
        [a, b, unit] if small_unit(*unit).or_else(|| big_unit(*unit)).is_some() => {
            han_digit(*a).zip(han_digit(*b)).is_some_and(|(a, b)| few(a, b))
        }
        _ => false,
    };
    if chars.windows(3).any(vague) {
        return Vec::new();
    }
    let Some(value) = by_units(chars, numerals) else { return Vec::new() };
    let mut readings = vec![value];
    // A last digit without 零 takes the next lower unit in Chinese: 三百五 is 350, and 305 less often.
    if numerals == Numerals::Han
        && let [.., unit, last] = chars
    {
        let power = small_unit(*unit).filter(|p| *p >= 2).or_else(|| big_unit(*unit));
        if let (Some(power), Some(d)) = (power, han_digit(*last).filter(|d| *d > 0)) {
            let head = chars.split_last().and_then(|(_, head)| by_units(head, numerals));
            let tail = Decimal::new(i128::from(d), power - 1);
            if let Some(colloquial) = head.and_then(|h| h.checked_add(tail)) {
                readings.insert(0, colloquial);
            }
        }
    }
    readings
}

/// The sum of sections: below ten thousand, times 万, 亿, 兆.
fn by_units(chars: &[char], numerals: Numerals) -> Option<Decimal> {
    let zero = Decimal::from(0);
    let (mut total, mut section, mut digits) = (zero, zero, Option::<Decimal>::None);
    let mut before = ['\0', '\0'];
    for c in chars {
        // 百二万: the digit behind 百 or 千 stands for tens or hundreds here too.
        let skipped = small_unit(before[0]).filter(|p| *p >= 2 && numerals == Numerals::Han);
        let lifted = skipped.filter(|_| han_digit(before[1]).is_some_and(|d| d > 0)).map_or(0, |p| p - 1);
        before = [before[1], *c];
        if let Some(d) = han_digit(*c) {
            let d = Decimal::from(i64::from(d));
            digits = Some(match digits {
                Some(before) => before.shifted(1).checked_add(d)?,
                None => d,
            });
        } else if let Some(d) = double(*c) {
            section = section.checked_add(Decimal::from(i64::from(d) * 10))?;
        } else if let Some(p) = small_unit(*c) {
            let head = digits.take().filter(|d| *d != zero).unwrap_or(Decimal::from(1));
            section = section.checked_add(head.shifted(p))?;
        } else if let Some(p) = big_unit(*c) {
            section = section.checked_add(digits.take().unwrap_or(zero).shifted(lifted))?;
            if section == zero && total == zero {
                section = Decimal::from(1);
            }
            // A larger unit after a smaller one multiplies all that stands before it: 万亿.
            if total != zero && total < Decimal::power_of_ten(p) {
                total = total.checked_add(section)?.shifted(p);
            } else {
                total = total.checked_add(section.shifted(p))?;
            }
            section = zero;
        }
    }
    total.checked_add(section)?.checked_add(digits.unwrap_or(zero))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str, numerals: Numerals) -> Vec<String> {
        numeral(text, 0, numerals).map(|n| n.readings.iter().map(ToString::to_string).collect()).unwrap_or_default()
    }

    /// Numerals of Chinese and Japanese.
    #[test]
    fn numerals_have_their_values() {
        for (text, right) in [
            ("三百五十", vec!["350"]),
            ("三百五", vec!["350", "305"]),
            ("一万二", vec!["12000", "10002"]),
            ("二〇二六", vec!["2026"]),
            ("十二点五", vec!["12.5"]),
            ("一千零五", vec!["1005"]),
            ("两万三千", vec!["23000"]),
            ("一亿两千万", vec!["120000000"]),
            ("三万亿", vec!["3000000000000"]),
            ("廿三", vec!["23"]),
            ("壹佰贰拾", vec!["120"]),
            ("一点五万", vec!["15000"]),
            ("三四", vec![]),
        ] {
            assert_eq!(values(text, Numerals::Han), right, "{text}");
        }
        assert_eq!(values("百一", Numerals::HanFull), ["101"]);
        assert_eq!(values("一万三", Numerals::HanFull), ["10003"]);
        assert_eq!(values("一兆一", Numerals::HanFull), ["1000000000001"]);
    }
}

//! Numbers of identity cards: Thailand, Vietnam, mainland China.

use super::run::{Run, Shadow};
use jiff::civil::Date;

/// Nobody was born later. A constant, so that what is masked does not depend on the day.
const LAST_YEAR: u32 = 2035;

/// Nobody who was born earlier is alive.
const FIRST_YEAR: u32 = 1908;

/// 13 digits, plain or as the card prints them (`1-2345-67890-12-1`). The first is 1 to 8, the class of person (0 are
/// companies, 9 is not used); the last checks the others: (11 − Σ dᵢ·(14 − i) mod 11) mod 10. Source: "เลขประจำตัวประชาชนไทย",
/// Thai Wikipedia.
pub(super) fn is_thai(run: &Run) -> bool {
    let printed = matches!(run.lengths.as_slice(), [13] | [1, 4, 5, 2, 1]);
    if !printed || !run.is_simple() || !(1..=8).contains(&run.digit(0)) {
        return false;
    }
    let sum: u32 = run.digits.iter().take(12).zip((2..=13_u32).rev()).map(|(d, w)| u32::from(*d) * w).sum();
    (11 - sum % 11) % 10 == u32::from(run.digit(12))
}

/// The codes of the provinces where births are registered: annex 1 of circular 07/2016/TT-BCA, taken over by 59/2021/TT-BCA.
/// Numbers that were given keep them, though provinces have been joined since.
const PROVINCES: [u32; 63] = [
    1, 2, 4, 6, 8, 10, 11, 12, 14, 15, 17, 19, 20, 22, 24, 25, 26, 27, 30, 31, 33, 34, 35, 36, 37, 38, 40, 42, 44, 45,
    46, 48, 49, 51, 52, 54, 56, 58, 60, 62, 64, 66, 67, 68, 70, 72, 74, 75, 77, 79, 80, 82, 83, 84, 86, 87, 89, 91, 92,
    93, 94, 95, 96,
];

/// 12 digits: province of birth (3), century with sex (0 and 1: 20th, 2 and 3: 21st), year (2), six that mean nothing;
/// there is no check digit. Source: article 7 of circular 07/2016/TT-BCA. Numbers of citizens born abroad (a country's
/// code in place of the province's) and the former card of 9 digits are not covered: nothing tells them from any number.
pub(super) fn is_vietnamese(run: &Run) -> bool {
    let printed = matches!(run.lengths.as_slice(), [12] | [3, 3, 3, 3] | [4, 4, 4] | [3, 9] | [6, 6]);
    if !printed || !run.is_simple() || !PROVINCES.contains(&run.number(0, 3)) {
        return false;
    }
    let century = match run.digit(3) {
        0 | 1 => 1900,
        2 | 3 => 2000,
        _ => return false,
    };
    (FIRST_YEAR..=LAST_YEAR).contains(&(century + run.number(4, 6)))
}

/// The first two digits of the codes of provinces (GB/T 2260), and 81 to 83 of residence permits for people of Hong Kong,
/// Macao and Taiwan.
fn is_chinese_province(code: u32) -> bool {
    matches!(code, 11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81..=83 | 91)
}

/// 17 digits and a check character, 0 to 9 or X: district (6), day of birth (8), order (3). GB 11643-1999: the check
/// character is that of ISO 7064, MOD 11-2.
pub(super) fn is_chinese(run: &Run, shadow: &Shadow) -> bool {
    let printed = matches!(run.lengths.as_slice(), [18 | 17] | [6, 8, 4 | 3]);
    let letter = run.digits.len() == 17;
    if !printed || !run.is_simple() || !is_chinese_province(run.number(0, 2)) {
        return false;
    }
    let year = run.number(6, 10);
    let part = |from, to| i8::try_from(run.number(from, to)).ok();
    let date = match (i16::try_from(year).ok(), part(10, 12), part(12, 14)) {
        (Some(y), Some(m), Some(d)) => Date::new(y, m, d).is_ok(),
        _ => false,
    };
    if !date || !(FIRST_YEAR..=LAST_YEAR).contains(&year) {
        return false;
    }
    let sum = run.digits.iter().take(17).fold(0_u32, |p, d| (p + u32::from(*d)) * 2 % 11);
    let check = (12 - sum) % 11;
    match letter {
        true => check == 10 && matches!(shadow.at(run.end()), Some(b'X' | b'x')),
        false => check == u32::from(run.digit(17)),
    }
}

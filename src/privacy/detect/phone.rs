//! Telephone numbers of people: international forms, and the national forms of Vietnam, Thailand, mainland China and the
//! United States.
//!
//! Hotlines are no person's: 1900 and 1800 in Vietnam and Thailand, 400 and 800 in China, 800 and its kin in America.

use super::run::Run;

/// From so many zeros at its end on, a number is a form to be filled in (`02-000-0000`): no plan assigns it.
const BLANK_FORM: usize = 7;

/// Whether a run is the number of a person's telephone.
pub(super) fn is_phone(run: &Run) -> bool {
    if run.digits.iter().rev().take_while(|d| **d == 0).count() >= BLANK_FORM {
        return false;
    }
    if run.plus {
        return international(&run.digits, run);
    }
    // `0084 912 345 678`: the plus sign as it is dialled.
    let dialled = run.digits.strip_prefix(&[0, 0]).filter(|d| matches!(d, [8, 4, ..] | [6, 6, ..] | [8, 6, ..]));
    match dialled {
        Some(digits) => international(digits, run),
        None => [mobile, mainland_mobile, american, vietnamese_landline, thai_landline, mainland_landline]
            .iter()
            .any(|is_one| is_one(run)),
    }
}

/// The separators are all of one kind; behind a bracket there may be another, or none.
fn is_even(run: &Run) -> bool {
    let rest = match run.bracketed {
        None => run.separators.as_slice(),
        Some(0) => run.separators.get(1..).unwrap_or_default(),
        Some(_) => return false,
    };
    rest.first().is_none_or(|first| *first != 0 && rest.iter().all(|s| s == first))
}

/// Mobile numbers of Vietnam (0, then 3, 5, 7, 8 or 9, then 8 digits: plan of circular 22/2014/TT-BTTTT as changed in
/// 2018) and of Thailand (0, then 6, 8 or 9, then 8 digits: the regulator's plan, ITU-T bulletin for +66).
fn mobile(run: &Run) -> bool {
    let form = matches!(
        run.lengths.as_slice(),
        [10] | [4, 3, 3]
            | [3, 3, 4]
            | [3, 4, 3]
            | [4, 2, 2, 2]
            | [4, 2, 4]
            | [4, 6]
            | [3, 7]
            | [2, 4, 4]
            | [5, 5]
            | [3, 3, 2, 2]
            | [3, 2, 2, 3]
            | [1, 4, 5]
    );
    // `09.12.34.56.78`; with blanks it is a list of numbers.
    let pairs = run.lengths == [2, 2, 2, 2, 2] && run.all(b'.');
    (form || pairs) && is_even(run) && run.digit(0) == 0 && matches!(run.digit(1), 3 | 5..=9)
}

/// 1, then 3 to 9, then 9 digits: the mobile numbers of the mainland's plan (ITU-T bulletin for +86).
fn mainland_mobile(run: &Run) -> bool {
    let form = matches!(run.lengths.as_slice(), [11] | [3, 4, 4] | [3, 8] | [3, 3, 5] | [7, 4]);
    form && run.is_simple() && run.digit(0) == 1 && run.digit(1) >= 3
}

/// An area code and an exchange do not begin with 0 or 1 (North American Numbering Plan). Codes such as 200, 400, 800 and
/// 211 belong to services, 833 to 888 are toll-free, 900 costs.
fn american_number(digits: &[u8]) -> bool {
    let &[a, b, c, d, ..] = digits else { return false };
    let service = (b == 0 && c == 0) || (b == 1 && c == 1) || (a == 8 && b == c && b >= 3);
    digits.len() == 10 && a >= 2 && d >= 2 && !service
}

fn american(run: &Run) -> bool {
    let (at, rest) = match run.lengths.as_slice() {
        [3, 3, 4] => (0, 0),
        [1, 3, 3, 4] if run.digit(0) == 1 => (1, 1),
        _ => return false,
    };
    if !run.digits.get(at..).is_some_and(american_number) {
        return false;
    }
    match run.bracketed {
        Some(i) => i == rest && run.separators.last().is_some_and(|s| *s != 0),
        None => run.all(b'-') || run.all(b'.'),
    }
}

/// Area codes since 2017 (decision 2036/QĐ-BTTTT): 024 Hà Nội and 028 Thành phố Hồ Chí Minh with 8 digits, 02xx with 7.
fn vietnamese_landline(run: &Run) -> bool {
    let area = run.number(1, 4);
    let short = matches!(run.number(0, 3), 24 | 28);
    let long = matches!(
        area,
        203..=216 | 218..=222 | 225..=229 | 232..=239 | 251 | 252 | 254..=263 | 269..=277 | 290..=294 | 296 | 297 | 299
    );
    let form = match run.lengths.as_slice() {
        [11] => true,
        [first, rest @ ..] => {
            !rest.is_empty()
                && *first == if short { 3 } else { 4 }
                && rest.iter().all(|n| (1..=8).contains(n))
                && rest.len() <= 4
        }
        [] => false,
    };
    run.digits.len() == 11 && run.digit(0) == 0 && (short || long) && form && is_even(run)
}

/// 02 with 7 digits in and around Bangkok, 03x to 07x with 6 elsewhere; only as they are written with dashes or a bracket.
fn thai_landline(run: &Run) -> bool {
    let dashes = match run.bracketed {
        Some(0) => is_even(run),
        Some(_) => false,
        None => run.all(b'-'),
    };
    let form = match run.lengths.as_slice() {
        [2, 3, 4] | [2, 7] | [1, 4, 4] => run.digit(1) == 2,
        [3, 3, 3] | [3, 6] => (3..=7).contains(&run.digit(1)),
        _ => false,
    };
    dashes && form && run.digit(0) == 0
}

/// 010 and 02x with 8 digits, 03xx to 09xx with 7 or 8, behind a dash or a bracket.
fn mainland_landline(run: &Run) -> bool {
    let set_off = run.bracketed == Some(0) || (run.bracketed.is_none() && run.separators.first() == Some(&b'-'));
    let rest = run.digits.len().saturating_sub(run.lengths.first().copied().unwrap_or(0));
    let form = match run.lengths.as_slice() {
        [3, 8] | [3, 4, 4] => rest == 8 && (run.number(0, 3) == 10 || (run.number(0, 2) == 2 && run.digit(2) != 6)),
        [4, 7 | 8] | [4, 4, 4] | [4, 3, 4] => run.digit(1) >= 3 && !matches!(run.number(0, 3), 40 | 80),
        _ => false,
    };
    set_off && form && run.digit(0) == 0
}

/// Country codes of two digits, besides 1 and 7 (ITU-T E.164, list of assigned codes); all others have three.
const TWO: &[u32] = &[
    20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58, 60, 61, 62,
    63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98,
];

fn is_code_of_three(code: u32) -> bool {
    matches!(
        code,
        211..=213 | 216 | 218 | 220..=269 | 290 | 291 | 297..=299 | 350..=359 | 370..=389 | 420 | 421 | 423 | 500..=509
            | 590..=599 | 670 | 672..=692 | 850 | 852 | 853 | 855 | 856 | 880 | 886 | 960..=968 | 970..=977 | 992..=996 | 998
    )
}

/// A country's code and a number of that country; at most 15 digits (ITU-T E.164).
fn international(digits: &[u8], run: &Run) -> bool {
    let code = |n: usize| digits.get(..n).unwrap_or_default().iter().fold(0, |c, d| c * 10 + u32::from(*d));
    // `+84 (0)912 345 678`
    let national = |n: usize| -> Vec<u8> {
        let rest = digits.get(n..).unwrap_or_default();
        let zero = run.bracketed == Some(1) && run.lengths.get(1) == Some(&1) && rest.first() == Some(&0);
        rest.iter().skip(usize::from(zero)).copied().collect()
    };
    let thousands = !run.separators.is_empty() && run.all(b'.') && run.lengths.iter().skip(1).all(|n| *n == 3);
    match (code(1), code(2)) {
        (1, _) => american_number(&national(1)),
        (_, 84) => {
            let n = national(2);
            matches!((n.first(), n.len()), (Some(3 | 5 | 7 | 8 | 9), 9) | (Some(2), 10))
        }
        (_, 66) => {
            let n = national(2);
            matches!((n.first(), n.len()), (Some(6 | 8 | 9), 9) | (Some(2..=7), 8))
        }
        (_, 86) => {
            let n = national(2);
            matches!(
                (n.first(), n.get(1), n.len()),
                (Some(1), Some(3..=9), 11) | (Some(1), Some(0), 10) | (Some(2..=9), _, 9..=11)
            ) && !n.starts_with(&[4, 0, 0])
                && !n.starts_with(&[8, 0, 0])
        }
        (7, _) => digits.len() == 11,
        (_, two) if TWO.contains(&two) => !thousands && (9..=13).contains(&digits.len()),
        _ => is_code_of_three(code(3)) && !thousands && (10..=14).contains(&digits.len()),
    }
}

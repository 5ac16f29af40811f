//! Numbers of payment cards.

use super::run::Run;

/// Whether a run is the number of a payment card: a length and the first digits of a known issuer, and the check digit of
/// ISO/IEC 7812-1 (Luhn).
pub(super) fn is_card(run: &Run) -> bool {
    run.is_simple() && is_grouped(&run.lengths) && is_issued(run) && luhn(&run.digits)
}

/// In one piece, or as cards print it.
fn is_grouped(lengths: &[usize]) -> bool {
    match lengths {
        [_] | [4, 6, 4 | 5] | [6, 10 | 12 | 13] | [8, 8] => true,
        [fours @ .., last] => fours.len() >= 3 && fours.iter().all(|n| *n == 4) && (1..=4).contains(last),
        [] => false,
    }
}

/// The ranges that networks have been allotted, with the lengths that they use: the table of "Payment card number",
/// Wikipedia, from the networks' own publications. Numbers by chance pass Luhn one time in ten; these ranges are about a
/// third of all numbers.
fn is_issued(run: &Run) -> bool {
    let n = run.digits.len();
    let first = |k| run.number(0, k);
    let visa = first(1) == 4 && matches!(n, 13 | 16 | 19);
    let mastercard = n == 16 && ((51..=55).contains(&first(2)) || (2221..=2720).contains(&first(4)));
    let amex = n == 15 && matches!(first(2), 34 | 37);
    let diners = matches!(first(2), 36 | 38 | 39) && (14..=19).contains(&n)
        || (300..=305).contains(&first(3)) && (n == 14 || n >= 16);
    let discover = (16..=19).contains(&n) && (first(4) == 6011 || first(2) == 65 || (644..=649).contains(&first(3)));
    let jcb = (16..=19).contains(&n) && (3528..=3589).contains(&first(4));
    let unionpay = (16..=19).contains(&n) && first(2) == 62;
    let maestro =
        (13..=19).contains(&n) && matches!(first(4), 5018 | 5020 | 5038 | 5893 | 6304 | 6759 | 6761 | 6762 | 6763);
    // Domestic cards of Vietnam (NAPAS).
    let napas = matches!(n, 16 | 19) && first(4) == 9704;
    visa || mastercard || amex || diners || discover || jcb || unionpay || maestro || napas
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| {
            let d = u32::from(*d);
            match (i % 2, d * 2) {
                (0, _) => d,
                (_, twice) if twice > 9 => twice - 9,
                (_, twice) => twice,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

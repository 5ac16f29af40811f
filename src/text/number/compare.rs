//! Do two mentions state the same?

use super::calendar::is_part;
use super::mask::identity;
use super::{Dimension, Kind, Mention, Relation, Unit};
use crate::text::decimal::Decimal;

/// How a claim agrees with a piece of evidence, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// The usual readings are equal, after exact conversion of units where needed (P, C).
    Exact,
    /// The values are equal and only the qualifier differs: days and working days.
    Qualifier,
    /// Another reading of one of them is equal (M), or a percentage is stated as a share of one.
    OtherReading,
    /// The claim is the evidence rounded to the claim's own digits, at least two of them (R).
    Rounded,
    /// The claim says that it is approximate, and is within 2 % of the evidence (A).
    Approximate,
    /// The values are equal and the units are known and different.
    UnitConflict,
}

/// How a claim agrees with evidence; nothing when it does not.
pub fn agree(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    match (claim.kind, evidence.kind) {
        (Kind::Date, _) => dated(claim, evidence),
        (Kind::Time, _) => timed(claim, evidence),
        (Kind::Ratio | Kind::Phone | Kind::Code, _) => by_key(claim, evidence),
        (
            Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money,
            Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money,
        ) => by_value(claim, evidence),
        (Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money, _) => components_hold(claim, evidence),
    }
}

/// True when two mentions state the same value: equal readings with units that do not conflict, or equal identity.
pub fn same_value(a: &Mention, b: &Mention) -> bool {
    matches!(agree(a, b), Some(Agreement::Exact | Agreement::Qualifier | Agreement::OtherReading))
}

fn by_value(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    let relation = match (claim.unit, evidence.unit) {
        (Some(a), Some(b)) => a.relation(b),
        _ => Relation::Same,
    };
    // A single word without a unit (`một`, `one`, `năm`) is too often no number to bear out a quantity.
    let lone = |m: &Mention| m.spelled && m.words < 2 && m.unit.is_none();
    if (lone(evidence) && claim.unit.is_some()) || (lone(claim) && evidence.unit.is_some() && claim.words > 0) {
        return None;
    }
    let equal = |a: Decimal, b: Decimal| match (relation, claim.unit, evidence.unit) {
        (Relation::Convertible, Some(ua), Some(ub)) => ua.in_base(a).is_some_and(|a| ub.in_base(b) == Some(a)),
        _ => a == b,
    };
    for (i, a) in claim.readings.iter().enumerate() {
        for (j, b) in evidence.readings.iter().enumerate() {
            if equal(*a, *b) {
                return Some(match relation {
                    Relation::Conflict => Agreement::UnitConflict,
                    Relation::Same | Relation::Convertible if i == 0 && j == 0 => {
                        let days = |m: &Mention| m.unit.is_some_and(|u| u.dimension() == Dimension::Time);
                        if claim.working != evidence.working && days(claim) && days(evidence) {
                            Agreement::Qualifier
                        } else {
                            Agreement::Exact
                        }
                    }
                    Relation::Same | Relation::Convertible => Agreement::OtherReading,
                });
            }
        }
    }
    let (a, b) = (claim.value()?, evidence.value()?);
    // `7 giờ` against `7 ngày`.
    if relation == Relation::Convertible && a == b {
        return Some(Agreement::UnitConflict);
    }
    // `0.36` and `36 %`: only where the share is written as a fraction, or every `1` would be a 100 %.
    let share = |m: &Mention, v: Decimal, other: &Mention, w: Decimal| {
        m.unit == Some(Unit::PERCENT) && other.unit.is_none() && !w.is_whole() && v.shifted(-2) == w
    };
    if share(claim, a, evidence, b) || share(evidence, b, claim, a) {
        return Some(Agreement::OtherReading);
    }
    let rounded = relation == Relation::Same
        && !claim.spelled
        && evidence.step < claim.step
        && a.significant(claim.step) >= 2
        && b.rounded(claim.step) == a;
    if rounded {
        return Some(Agreement::Rounded);
    }
    // About 1550 is a time, of which 2 % is a generation.
    let year = claim.unit.is_none() && a.is_whole() && (Decimal::from(1000)..Decimal::from(3000)).contains(&a);
    (claim.approximate && !year && near(claim, evidence, relation, a, b)).then_some(Agreement::Approximate)
}

/// Whether two values are within 2 % of the second one, in one unit.
fn near(claim: &Mention, evidence: &Mention, relation: Relation, a: Decimal, b: Decimal) -> bool {
    let (a, b) = match (relation, claim.unit, evidence.unit) {
        (Relation::Conflict, ..) => return false,
        (Relation::Convertible, Some(ua), Some(ub)) => match (ua.in_base(a), ub.in_base(b)) {
            (Some(a), Some(b)) => (a, b),
            _ => return false,
        },
        _ => (a, b),
    };
    let zero = Decimal::from(0);
    let allowed = b.distance(zero).and_then(|size| size.checked_mul(Decimal::new(2, -2)));
    b != zero && a.distance(b).zip(allowed).is_some_and(|(d, most)| d <= most)
}

/// A plain number against a date, time or ratio that holds it as a component, or against a code that is the same
/// digits (`3.4` and `v3.4`).
fn components_hold(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    let value = claim.value()?;
    let bare = claim.unit.is_none_or(|u| u == Unit::ORDINAL);
    let exact = match evidence.kind {
        Kind::Code | Kind::Phone => {
            let key = identity(&evidence.key);
            !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit() || b == b'.') && key == identity(&claim.key)
        }
        // A year of another era is a second reading.
        Kind::Date => bare && claim.readings.iter().any(|v| is_part(&evidence.dates, *v)),
        Kind::Time => {
            let hours = claim.unit.is_some_and(|u| u.name() == "hour");
            let whole = evidence.key.strip_suffix(":00").and_then(Decimal::parse) == Some(value);
            (hours && whole) || (bare && evidence.key.split(':').any(|p| Decimal::parse(p) == Some(value)))
        }
        // `30/11` may be a day and a month; `1/2` is no evidence for `2 ngày`.
        Kind::Ratio => bare && evidence.readings.contains(&value),
        Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money => false,
    };
    if exact {
        return Some(Agreement::Exact);
    }
    // `half of` against `1/2`
    let part = || evidence.fraction() == Some(value) || evidence.fraction().map(|f| f.shifted(2)) == Some(value);
    let share = evidence.kind == Kind::Ratio && claim.unit.is_none_or(|u| u == Unit::PERCENT) && part();
    share.then_some(Agreement::OtherReading)
}

/// Each part of a date that the claim states must be stated equal by one date.
fn dated(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    if evidence.dates.is_empty() {
        // A year, a month or a day alone may stand as a plain number.
        let single = claim.dates.iter().any(|d| d.parts().count() == 1);
        let bare = match evidence.unit {
            None => !evidence.spelled || evidence.words > 1,
            Some(u) => u == Unit::ORDINAL,
        };
        let held =
            single && bare && evidence.kind.has_value() && evidence.readings.iter().any(|v| is_part(&claim.dates, *v));
        return held.then_some(Agreement::Exact);
    }
    for (i, a) in claim.dates.iter().enumerate() {
        for (j, b) in evidence.dates.iter().enumerate() {
            if a.stated_by(*b) {
                return Some(if i == 0 && j == 0 { Agreement::Exact } else { Agreement::OtherReading });
            }
        }
    }
    None
}

/// Equal minutes; eight hours may be eight o'clock.
fn timed(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    let minutes = claim.readings.first().copied()?;
    if evidence.kind == Kind::Time {
        // Midnight is the end of one day and the beginning of the next.
        let (day, zero) = (Decimal::from(24 * 60), Decimal::from(0));
        let same = |a: Decimal, b: Decimal| a == b || (a == day && b == zero) || (a == zero && b == day);
        let first = evidence.readings.first().is_some_and(|e| same(minutes, *e));
        let other = || claim.readings.iter().any(|a| evidence.readings.iter().any(|b| same(*a, *b)));
        return if first { Some(Agreement::Exact) } else { other().then_some(Agreement::OtherReading) };
    }
    let held = match evidence.kind {
        Kind::Quantity | Kind::Number => {
            let hours = evidence.unit.is_some_and(|u| u.name() == "hour");
            let sixty = evidence.value().and_then(|v| v.checked_mul(Decimal::from(60)));
            hours && sixty == Some(minutes)
        }
        Kind::Time | Kind::Percent | Kind::Money | Kind::Date | Kind::Ratio | Kind::Phone | Kind::Code => false,
    };
    held.then_some(Agreement::Exact)
}

fn by_key(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    let found = match claim.kind {
        Kind::Phone => {
            phones(&claim.key, &evidence.key) && matches!(evidence.kind, Kind::Phone | Kind::Number | Kind::Code)
        }
        Kind::Code => {
            let key = identity(&claim.key);
            !key.is_empty() && key == identity(&evidence.key)
        }
        Kind::Ratio => {
            let colon = |m: &Mention| m.key.contains(':');
            let same = evidence.kind == Kind::Ratio
                && colon(claim) == colon(evidence)
                && !claim.readings.is_empty()
                && evidence.readings == claim.readings;
            let day = claim.dates.iter().any(|a| evidence.dates.iter().any(|b| a.stated_by(*b)));
            let part = claim.fraction();
            let percent = evidence.unit == Some(Unit::PERCENT);
            let value = evidence.value().map(|v| if percent { v.shifted(-2) } else { v });
            same || day || (part.is_some() && value == part && (percent || evidence.unit.is_none()))
        }
        Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money | Kind::Date | Kind::Time => false,
    };
    found.then_some(Agreement::Exact)
}

/// A phone number without the code of its country or the 0 in front of it.
fn national(key: &str) -> &str {
    let codes = ["84", "66", "86", "82", "81", "49", "33", "34", "44", "1"];
    let code = codes.iter().find_map(|c| key.strip_prefix(c)).filter(|rest| rest.len() >= 8);
    code.unwrap_or(key).trim_start_matches('0')
}

/// Whether two phone numbers are one: equal without country code and 0, or one the tail of the other.
fn phones(a: &str, b: &str) -> bool {
    let digits = |t: &str| t.chars().filter(char::is_ascii_digit).collect::<String>();
    let (a, b) = (digits(a), digits(b));
    let (a, b) = (a.as_str(), b.as_str());
    if a == b {
        return !a.is_empty();
    }
    let (na, nb) = (national(a), national(b));
    let equal = na == nb || national(a) == b.trim_start_matches('0') || a.trim_start_matches('0') == nb;
    let tail = |long: &str, short: &str| short.len() >= 7 && long.ends_with(short) && long.len() <= short.len() + 3;
    (equal && na.len() >= 7) || tail(a, b) || tail(b, a)
}

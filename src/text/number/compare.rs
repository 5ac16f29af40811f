//! Do two mentions state the same?

use super::mask::identity;
use super::{Dimension, Kind, Mention, Relation, Unit};
use crate::text::decimal::Decimal;

/// How a claim agrees with a piece of evidence, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// The usual readings are equal, after exact conversion of units where needed (P, C).
    Exact,
    /// Another reading of one of them is equal (M), or a percentage is stated as a share of one.
    OtherReading,
    /// The claim is the evidence rounded to the claim's own digits, at least two of them (R).
    Rounded,
    /// The values are equal and the units are known and different.
    UnitConflict,
}

/// How a claim agrees with evidence; nothing when it does not.
pub fn agree(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    match (claim.kind.has_value(), evidence.kind.has_value()) {
        (true, true) => by_value(claim, evidence),
        (true, false) => components_hold(claim, evidence),
        (false, _) => by_key(claim, evidence),
    }
}

/// True when two mentions state the same value: equal readings with units that do not conflict, or equal identity.
pub fn same_value(a: &Mention, b: &Mention) -> bool {
    matches!(agree(a, b), Some(Agreement::Exact | Agreement::OtherReading))
}

fn by_value(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    let relation = match (claim.unit, evidence.unit) {
        (Some(a), Some(b)) => a.relation(b),
        _ => Relation::Same,
    };
    let equal = |a: Decimal, b: Decimal| match (relation, claim.unit, evidence.unit) {
        (Relation::Convertible, Some(ua), Some(ub)) => ua.in_base(a).is_some_and(|a| ub.in_base(b) == Some(a)),
        _ => a == b,
    };
    for (i, a) in claim.readings.iter().enumerate() {
        for (j, b) in evidence.readings.iter().enumerate() {
            if equal(*a, *b) {
                return Some(match relation {
                    Relation::Conflict => Agreement::UnitConflict,
                    Relation::Same | Relation::Convertible if i == 0 && j == 0 => Agreement::Exact,
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
    rounded.then_some(Agreement::Rounded)
}

/// A plain number against a date, time or ratio that holds it as a component, or against a code that is the same
/// digits (`3.4` and `v3.4`).
fn components_hold(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    let found = match evidence.kind {
        Kind::Code | Kind::Phone => {
            let key = identity(&evidence.key);
            !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit() || b == b'.') && key == identity(&claim.key)
        }
        Kind::Date => {
            let fits = claim.unit.is_none_or(|u| matches!(u.name(), "day" | "month" | "year"));
            fits && evidence.readings.iter().any(|r| Some(*r) == claim.value())
        }
        Kind::Time => {
            let fits = claim.unit.is_none_or(|u| u.dimension() == Dimension::Time);
            fits && evidence.readings.iter().any(|r| Some(*r) == claim.value())
        }
        // `30/11` may be a day and a month; `1/2` is no evidence for `2 ngày`.
        Kind::Ratio => claim.unit.is_none() && evidence.readings.iter().any(|r| Some(*r) == claim.value()),
        Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money => false,
    };
    found.then_some(Agreement::Exact)
}

fn by_key(claim: &Mention, evidence: &Mention) -> Option<Agreement> {
    let found = match claim.kind {
        Kind::Code | Kind::Phone => {
            let key = identity(&claim.key);
            !key.is_empty() && key == identity(&evidence.key)
        }
        // Every component that the claim states must be stated: `30/11` by `30/11/2026`.
        Kind::Date | Kind::Time | Kind::Ratio => {
            let dated = matches!(evidence.kind, Kind::Date | Kind::Time | Kind::Ratio);
            let joined = |k: Kind| if k == Kind::Time { ':' } else { '/' };
            let mark = |m: &Mention| if m.kind == Kind::Ratio { m.key.contains(':') } else { joined(m.kind) == ':' };
            dated
                && mark(claim) == mark(evidence)
                && !claim.readings.is_empty()
                && match (claim.kind, evidence.kind) {
                    (Kind::Ratio, Kind::Date) => {
                        evidence.readings.windows(claim.readings.len()).any(|w| w == claim.readings.as_slice())
                    }
                    _ => evidence.readings == claim.readings,
                }
        }
        Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money => false,
    };
    found.then_some(Agreement::Exact)
}

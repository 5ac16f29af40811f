//! Units: a closed table of normal forms, each with its dimension and its size within the dimension.

use std::fmt;

use crate::text::decimal::Decimal;

/// What a unit measures. Values of one dimension can be compared after exact conversion, except money and counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Seconds to weeks.
    Time,
    /// Months and years: a month is no fixed number of days.
    Calendar,
    /// One currency each; never converted.
    Money,
    /// Grams.
    Mass,
    /// Metres.
    Length,
    /// Litres.
    Volume,
    /// Square metres.
    Area,
    /// Degrees.
    Temperature,
    /// Bytes.
    Data,
    /// Shares: percent and permille.
    Share,
    /// Percentage points, which are no percent.
    Points,
    /// Counted things.
    Count,
    /// Units that are compared by name alone.
    Other,
}

/// A unit in its normal form.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unit(u8);

/// Name, dimension, size as `factor × 10^exponent` of the dimension's base.
const TABLE: &[(&str, Dimension, i64, i32)] = &[
    ("second", Dimension::Time, 1, 0),
    ("minute", Dimension::Time, 60, 0),
    ("hour", Dimension::Time, 3600, 0),
    ("day", Dimension::Time, 86_400, 0),
    ("week", Dimension::Time, 604_800, 0),
    ("month", Dimension::Calendar, 1, 0),
    ("year", Dimension::Calendar, 12, 0),
    ("VND", Dimension::Money, 1, 0),
    ("USD", Dimension::Money, 1, 0),
    ("EUR", Dimension::Money, 1, 0),
    ("GBP", Dimension::Money, 1, 0),
    ("THB", Dimension::Money, 1, 0),
    ("CNY", Dimension::Money, 1, 0),
    ("JPY", Dimension::Money, 1, 0),
    ("KRW", Dimension::Money, 1, 0),
    ("INR", Dimension::Money, 1, 0),
    ("percent", Dimension::Share, 1, -2),
    ("permille", Dimension::Share, 1, -3),
    ("percent_point", Dimension::Points, 1, 0),
    ("mg", Dimension::Mass, 1, -3),
    ("g", Dimension::Mass, 1, 0),
    ("kg", Dimension::Mass, 1, 3),
    ("tonne", Dimension::Mass, 1, 6),
    ("mm", Dimension::Length, 1, -3),
    ("cm", Dimension::Length, 1, -2),
    ("m", Dimension::Length, 1, 0),
    ("km", Dimension::Length, 1, 3),
    ("inch", Dimension::Length, 254, -4),
    ("ml", Dimension::Volume, 1, -3),
    ("l", Dimension::Volume, 1, 0),
    ("m3", Dimension::Volume, 1, 3),
    ("m2", Dimension::Area, 1, 0),
    ("celsius", Dimension::Temperature, 1, 0),
    ("KB", Dimension::Data, 1, 3),
    ("MB", Dimension::Data, 1, 6),
    ("GB", Dimension::Data, 1, 9),
    ("TB", Dimension::Data, 1, 12),
    ("count", Dimension::Count, 1, 0),
    ("person", Dimension::Count, 1, 0),
    ("part", Dimension::Count, 1, 0),
    ("times", Dimension::Count, 1, 0),
    ("page", Dimension::Count, 1, 0),
    ("kmh", Dimension::Other, 1, 0),
    ("W", Dimension::Other, 1, 0),
    ("kW", Dimension::Other, 1, 0),
    ("kWh", Dimension::Other, 1, 0),
    ("V", Dimension::Other, 1, 0),
    ("mAh", Dimension::Other, 1, 0),
    ("MYR", Dimension::Money, 1, 0),
    ("SGD", Dimension::Money, 1, 0),
    ("HKD", Dimension::Money, 1, 0),
    ("TWD", Dimension::Money, 1, 0),
    ("IDR", Dimension::Money, 1, 0),
    ("PHP", Dimension::Money, 1, 0),
    ("CAD", Dimension::Money, 1, 0),
    ("AUD", Dimension::Money, 1, 0),
    ("CHF", Dimension::Money, 1, 0),
];

/// How two units stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The same unit, or one that includes the other (a bare count and a kind of count).
    Same,
    /// The same dimension: values are compared after exact conversion.
    Convertible,
    /// Known and different.
    Conflict,
}

impl Unit {
    /// Percent.
    pub const PERCENT: Unit = Unit(16);
    /// A bare count.
    pub const COUNT: Unit = Unit(37);

    /// The unit of that normal form.
    pub fn named(name: &str) -> Option<Self> {
        let i = TABLE.iter().position(|row| row.0 == name)?;
        u8::try_from(i).ok().map(Unit)
    }

    fn row(self) -> (&'static str, Dimension, i64, i32) {
        TABLE.get(usize::from(self.0)).copied().unwrap_or(("count", Dimension::Count, 1, 0))
    }

    /// The normal form (`day`, `VND`, `percent`).
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// What it measures.
    pub fn dimension(self) -> Dimension {
        self.row().1
    }

    /// A currency whose amounts are whole: its smallest coin or note is the unit itself.
    pub fn is_undivided(self) -> bool {
        matches!(self.name(), "VND" | "JPY" | "KRW")
    }

    /// A value of this unit in the base of its dimension, exactly; nothing when it needs more than 38 digits.
    pub fn in_base(self, value: Decimal) -> Option<Decimal> {
        let (_, _, factor, exponent) = self.row();
        value.checked_mul(Decimal::new(i128::from(factor), exponent))
    }

    /// How this unit stands to another.
    pub fn relation(self, other: Unit) -> Relation {
        if self == other {
            return Relation::Same;
        }
        let dimension = self.dimension();
        if dimension != other.dimension() {
            return Relation::Conflict;
        }
        match dimension {
            Dimension::Time
            | Dimension::Calendar
            | Dimension::Mass
            | Dimension::Length
            | Dimension::Volume
            | Dimension::Area
            | Dimension::Data
            | Dimension::Share => Relation::Convertible,
            Dimension::Count if self == Unit::COUNT || other == Unit::COUNT => Relation::Same,
            Dimension::Count | Dimension::Money | Dimension::Temperature | Dimension::Points | Dimension::Other => {
                Relation::Conflict
            }
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_point_at_their_rows() {
        assert_eq!(Unit::PERCENT.name(), "percent");
        assert_eq!(Unit::COUNT.name(), "count");
    }

    #[test]
    fn weeks_convert_to_days_and_currencies_never_convert() {
        let u = |n| Unit::named(n).unwrap();
        assert_eq!(u("week").in_base(Decimal::from(1)), u("day").in_base(Decimal::from(7)));
        assert_eq!(u("week").relation(u("day")), Relation::Convertible);
        assert_eq!(u("month").relation(u("day")), Relation::Conflict);
        assert_eq!(u("VND").relation(u("USD")), Relation::Conflict);
        assert_eq!(u("count").relation(u("person")), Relation::Same);
    }
}

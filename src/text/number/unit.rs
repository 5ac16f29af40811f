//! Units: a closed table of normal forms, each with its dimension and its size within the dimension.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use super::currency;
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
    /// Bits, which telling speeds are counted in, and which are no bytes.
    Bits,
    /// Hertz.
    Frequency,
    /// Places in an order: the third day, section 7.
    Ordinal,
    /// Counted things.
    Count,
    /// Units that are compared by name alone.
    Other,
}

/// A unit in its normal form.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unit(u16);

/// Name, dimension, size as `factor × 10^exponent` of the dimension's base. The currencies that are not here are those of
/// [`currency::CODES`].
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
    ("ordinal", Dimension::Ordinal, 1, 0),
    ("cent", Dimension::Money, 1, 0),
    ("ton", Dimension::Mass, 90_718_474, -2),
    ("lb", Dimension::Mass, 45_359_237, -5),
    ("oz", Dimension::Mass, 28_349_523_125, -9),
    ("microgram", Dimension::Mass, 1, -6),
    ("jin", Dimension::Mass, 500, 0),
    ("liang", Dimension::Mass, 50, 0),
    ("dm", Dimension::Length, 1, -1),
    ("micrometre", Dimension::Length, 1, -6),
    ("nanometre", Dimension::Length, 1, -9),
    ("picometre", Dimension::Length, 1, -12),
    ("foot", Dimension::Length, 3048, -4),
    ("yard", Dimension::Length, 9144, -4),
    ("mile", Dimension::Length, 1_609_344, -3),
    ("nautical_mile", Dimension::Length, 1852, 0),
    ("cl", Dimension::Volume, 1, -2),
    ("dl", Dimension::Volume, 1, -1),
    ("cm3", Dimension::Volume, 1, -3),
    ("ft3", Dimension::Volume, 28_316_846_592, -9),
    ("gallon", Dimension::Volume, 3_785_411_784, -9),
    ("pint", Dimension::Volume, 473_176_473, -9),
    ("quart", Dimension::Volume, 946_352_946, -9),
    ("barrel", Dimension::Other, 1, 0),
    ("cup", Dimension::Other, 1, 0),
    ("tablespoon", Dimension::Other, 1, 0),
    ("teaspoon", Dimension::Other, 1, 0),
    ("dram", Dimension::Other, 1, 0),
    ("km2", Dimension::Area, 1, 6),
    ("cm2", Dimension::Area, 1, -4),
    ("hectare", Dimension::Area, 1, 4),
    ("acre", Dimension::Area, 40_468_564_224, -7),
    ("ft2", Dimension::Area, 9_290_304, -8),
    ("mi2", Dimension::Area, 2_589_988_110_336, -6),
    ("rai", Dimension::Area, 1600, 0),
    ("mu", Dimension::Other, 1, 0),
    ("fahrenheit", Dimension::Temperature, 1, 0),
    ("kelvin", Dimension::Temperature, 1, 0),
    ("degree", Dimension::Other, 1, 0),
    ("radian", Dimension::Other, 1, 0),
    ("turn", Dimension::Other, 1, 0),
    ("mph", Dimension::Other, 1, 0),
    ("mps", Dimension::Other, 1, 0),
    ("knot", Dimension::Other, 1, 0),
    ("byte", Dimension::Data, 1, 0),
    ("bit", Dimension::Bits, 1, 0),
    ("kbit", Dimension::Bits, 1, 3),
    ("Mbit", Dimension::Bits, 1, 6),
    ("Gbit", Dimension::Bits, 1, 9),
    ("PB", Dimension::Data, 1, 15),
    ("Hz", Dimension::Frequency, 1, 0),
    ("kHz", Dimension::Frequency, 1, 3),
    ("MHz", Dimension::Frequency, 1, 6),
    ("GHz", Dimension::Frequency, 1, 9),
    ("MW", Dimension::Other, 1, 0),
    ("GW", Dimension::Other, 1, 0),
    ("A", Dimension::Other, 1, 0),
    ("calorie", Dimension::Other, 1, 0),
    ("kcal", Dimension::Other, 1, 0),
    ("dB", Dimension::Other, 1, 0),
    ("millisecond", Dimension::Time, 1, -3),
    ("quarter", Dimension::Calendar, 3, 0),
    ("decade", Dimension::Calendar, 120, 0),
    ("century", Dimension::Calendar, 1200, 0),
    ("night", Dimension::Count, 1, 0),
    ("point", Dimension::Count, 1, 0),
    ("star", Dimension::Count, 1, 0),
    ("room", Dimension::Count, 1, 0),
    ("step", Dimension::Count, 1, 0),
    ("order", Dimension::Count, 1, 0),
    ("kind", Dimension::Count, 1, 0),
    ("pack", Dimension::Count, 1, 0),
    ("NZD", Dimension::Money, 1, 0),
    ("SEK", Dimension::Money, 1, 0),
    ("NOK", Dimension::Money, 1, 0),
    ("DKK", Dimension::Money, 1, 0),
    ("RUB", Dimension::Money, 1, 0),
    ("PLN", Dimension::Money, 1, 0),
    ("CZK", Dimension::Money, 1, 0),
    ("HUF", Dimension::Money, 1, 0),
    ("RON", Dimension::Money, 1, 0),
    ("BGN", Dimension::Money, 1, 0),
    ("TRY", Dimension::Money, 1, 0),
    ("ILS", Dimension::Money, 1, 0),
    ("AED", Dimension::Money, 1, 0),
    ("SAR", Dimension::Money, 1, 0),
    ("QAR", Dimension::Money, 1, 0),
    ("KWD", Dimension::Money, 1, 0),
    ("BHD", Dimension::Money, 1, 0),
    ("OMR", Dimension::Money, 1, 0),
    ("JOD", Dimension::Money, 1, 0),
    ("LBP", Dimension::Money, 1, 0),
    ("EGP", Dimension::Money, 1, 0),
    ("IQD", Dimension::Money, 1, 0),
    ("IRR", Dimension::Money, 1, 0),
    ("PKR", Dimension::Money, 1, 0),
    ("BDT", Dimension::Money, 1, 0),
    ("LKR", Dimension::Money, 1, 0),
    ("NPR", Dimension::Money, 1, 0),
    ("MMK", Dimension::Money, 1, 0),
    ("LAK", Dimension::Money, 1, 0),
    ("KHR", Dimension::Money, 1, 0),
    ("BND", Dimension::Money, 1, 0),
    ("MOP", Dimension::Money, 1, 0),
    ("MNT", Dimension::Money, 1, 0),
    ("KZT", Dimension::Money, 1, 0),
    ("UAH", Dimension::Money, 1, 0),
    ("GEL", Dimension::Money, 1, 0),
    ("BRL", Dimension::Money, 1, 0),
    ("MXN", Dimension::Money, 1, 0),
    ("ARS", Dimension::Money, 1, 0),
    ("CLP", Dimension::Money, 1, 0),
    ("COP", Dimension::Money, 1, 0),
    ("PEN", Dimension::Money, 1, 0),
    ("ZAR", Dimension::Money, 1, 0),
    ("NGN", Dimension::Money, 1, 0),
    ("KES", Dimension::Money, 1, 0),
    ("GHS", Dimension::Money, 1, 0),
    ("MAD", Dimension::Money, 1, 0),
    ("TND", Dimension::Money, 1, 0),
    ("BTC", Dimension::Money, 1, 0),
    ("ETH", Dimension::Money, 1, 0),
    ("LTC", Dimension::Money, 1, 0),
    ("DOGE", Dimension::Money, 1, 0),
    ("satoshi", Dimension::Money, 1, 0),
    ("markka", Dimension::Money, 1, 0),
    ("punt", Dimension::Money, 1, 0),
    ("drachma", Dimension::Money, 1, 0),
    ("manat", Dimension::Money, 1, 0),
    ("kwacha", Dimension::Money, 1, 0),
    ("som", Dimension::Money, 1, 0),
    ("toman", Dimension::Money, 1, 0),
    ("dinar", Dimension::Money, 1, 0),
    ("riyal", Dimension::Money, 1, 0),
    ("rial", Dimension::Money, 1, 0),
    ("peso", Dimension::Money, 1, 0),
    ("krone", Dimension::Money, 1, 0),
    ("krona", Dimension::Money, 1, 0),
    ("franc", Dimension::Money, 1, 0),
    ("crown", Dimension::Money, 1, 0),
    ("peseta", Dimension::Money, 1, 0),
    ("guilder", Dimension::Money, 1, 0),
    ("mark", Dimension::Money, 1, 0),
    ("lira", Dimension::Money, 1, 0),
    ("escudo", Dimension::Money, 1, 0),
    ("schilling", Dimension::Money, 1, 0),
    ("shilling", Dimension::Money, 1, 0),
    ("fils", Dimension::Money, 1, 0),
    ("tablet", Dimension::Count, 1, 0),
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
    /// Permille.
    pub const PERMILLE: Unit = Unit(17);
    /// A bare count.
    pub const COUNT: Unit = Unit(37);
    /// A place in an order.
    pub const ORDINAL: Unit = Unit(57);
    /// A hundredth of a currency that is not named.
    pub const CENT: Unit = Unit(58);

    /// The unit of that normal form.
    pub fn named(name: &str) -> Option<Self> {
        static NAMES: OnceLock<HashMap<&'static str, Unit>> = OnceLock::new();
        let names = NAMES.get_or_init(|| {
            let all = TABLE.iter().map(|row| row.0).chain(currency::CODES.iter().map(|(code, _)| *code));
            let mut names = HashMap::new();
            for (name, i) in all.zip(0u16..) {
                names.entry(name).or_insert(Unit(i));
            }
            names
        });
        names.get(name).copied()
    }

    fn row(self) -> (&'static str, Dimension, i64, i32) {
        let i = usize::from(self.0);
        let currency =
            || currency::CODES.get(i.checked_sub(TABLE.len())?).map(|(code, _)| (*code, Dimension::Money, 1, 0));
        TABLE.get(i).copied().or_else(currency).unwrap_or(("count", Dimension::Count, 1, 0))
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
        self.dimension() == Dimension::Money && currency::decimals(self.name()) == Some(0)
    }

    /// How many decimals amounts of this currency have: 2 where that is not known.
    pub fn decimals(self) -> u8 {
        currency::decimals(self.name()).unwrap_or(2)
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
            | Dimension::Bits
            | Dimension::Frequency
            | Dimension::Share => Relation::Convertible,
            Dimension::Count if self == Unit::COUNT || other == Unit::COUNT => Relation::Same,
            Dimension::Count
            | Dimension::Money
            | Dimension::Temperature
            | Dimension::Points
            | Dimension::Ordinal
            | Dimension::Other => Relation::Conflict,
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
        assert_eq!((Unit::ORDINAL.name(), Unit::CENT.name()), ("ordinal", "cent"));
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

//! Numbers in text: which numbers a text states, with their exact values and units.
//!
//! The trouble with numbers is that digits lie. `1.500` is fifteen hundred in Hanoi and one and a half in London;
//! `7` stands inside `17`, `7731-02` and `[7]`; `4 triệu`, `4.000.000` and `400万` are one value; `40 %` is not
//! `40 euro`. So a text is read into [`Mention`]s: value readings, a unit, a kind and a place. Text is scanned for the
//! first digit (or numeral character) and only its neighbourhood is parsed, since almost all text holds none.

mod attach;
mod candidates;
mod compare;
mod digits;
mod han;
mod mask;
mod pack;
mod scan;
mod typed;
mod unit;

pub use compare::{Agreement, agree, same_value};
pub use mask::{identity, stands};
pub use pack::{NumberPack, digest};
pub use scan::Mentions;
pub use unit::{Dimension, Relation, Unit};

pub(crate) use digits::digit;
pub(crate) use han::is_numeral;

use crate::text::decimal::Decimal;
use crate::text::pack::Lang;

/// A word of time that may stand in front of a number is at most so many characters long.
const LONGEST_TIME_WORD: usize = 12;

/// What a mention is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A bare number.
    Number,
    /// A share in percent.
    Percent,
    /// A number with a unit.
    Quantity,
    /// An amount of a currency.
    Money,
    /// A calendar date of digits (`30/11/2026`, `2026-11-30`).
    Date,
    /// A time of day (`8:30`, `8h30`).
    Time,
    /// Two numbers with `/` or `:` between them (`24/7`, `16:9`, `30/11`).
    Ratio,
    /// A phone number.
    Phone,
    /// A version, a form number, a model name: compared as a string.
    Code,
}

impl Kind {
    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Percent => "percent",
            Kind::Quantity => "quantity",
            Kind::Money => "money",
            Kind::Date => "date",
            Kind::Time => "time",
            Kind::Ratio => "ratio",
            Kind::Phone => "phone",
            Kind::Code => "code",
        }
    }

    /// True for the kinds that have a value.
    pub fn has_value(self) -> bool {
        match self {
            Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money => true,
            Kind::Date | Kind::Time | Kind::Ratio | Kind::Phone | Kind::Code => false,
        }
    }
}

/// One number of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The exact values that it may have, the usual one first. For a date, time or ratio: its components in order.
    /// Empty for phones and codes.
    pub readings: Vec<Decimal>,
    /// The unit next to it, if any.
    pub unit: Option<Unit>,
    /// What it is.
    pub kind: Kind,
    /// What identifies a mention without a value; for a bare run of digits, the digits as ASCII.
    pub key: String,
    /// The power of ten for which its last written digit stands (`66,7` has -1, `1,2 triệu` has 5).
    pub step: i32,
    /// The power of ten of its magnitude word, 0 without one (6 for `1,2 triệu`).
    pub magnitude: i32,
    /// Written in words or numeral characters.
    pub spelled: bool,
    /// Whether an answer that holds it claims a number: false for a single 一 and its like.
    pub claim: bool,
    /// The decimal mark that the writing proves (`1.234,5` proves a comma).
    pub convention: Option<char>,
    /// Whether the writing leaves two readings open (`1.500`).
    pub ambiguous: bool,
    /// First byte in the text, with a currency in front.
    pub start: usize,
    /// End in bytes, with the unit.
    pub end: usize,
}

impl Mention {
    /// The usual reading.
    pub fn value(&self) -> Option<Decimal> {
        self.readings.first().copied().filter(|_| self.kind.has_value())
    }
}

/// All numbers of a text, in order. Where the text proves one decimal mark, ambiguous numbers take that reading first.
///
/// ```
/// use ragline::text::{number, pack::Lang};
/// let vi = Lang::new("vi").unwrap();
/// let found = number::mentions("Đơn từ 4 triệu đồng, trong 7 ngày", &vi);
/// assert_eq!(found[0].readings[0].to_string(), "4000000");
/// assert_eq!(found[0].unit.unwrap().name(), "VND");
/// assert_eq!(found[1].unit.unwrap().name(), "day");
/// ```
pub fn mentions(text: &str, lang: &Lang) -> Vec<Mention> {
    let mut all: Vec<Mention> = Mentions::new(text, NumberPack::of(lang)).collect();
    by_convention(&mut all, NumberPack::of(lang).decimal_comma);
    all
}

/// Orders the readings of ambiguous numbers by the one decimal mark that the others of the same text prove.
fn by_convention(all: &mut [Mention], decimal_comma: bool) {
    let mut proved = all.iter().filter_map(|m| m.convention);
    let Some(mark) = proved.next() else { return };
    if proved.any(|m| m != mark) || (mark == ',') == decimal_comma {
        return;
    }
    for m in all.iter_mut().filter(|m| m.ambiguous) {
        if let [first, second, ..] = m.readings.as_mut_slice() {
            std::mem::swap(first, second);
            m.step = if m.step % 3 == 0 && m.step < 0 { m.step + 3 } else { m.step - 3 };
        }
    }
}

/// Whether a number counts a place in an order rather than things: `7th`, `第7`, or behind a word of time (`tháng 7`).
pub fn is_ordinal(text: &str, mention: &Mention, lang: &Lang) -> bool {
    let behind = text.get(mention.end..).and_then(|t| t.chars().next());
    if behind.is_some_and(|c| c.is_ascii_alphabetic()) {
        return true;
    }
    let before = text.get(..mention.start).unwrap_or_default().trim_end_matches(' ');
    if before.ends_with('第') {
        return true;
    }
    let units = &NumberPack::of(lang).units;
    let time = |u: Unit| matches!(u.dimension(), Dimension::Time | Dimension::Calendar);
    let within = |i: usize| before.get(..i).and_then(|t| t.chars().next_back()).is_some_and(pack::is_spaced_letter);
    let words = before.char_indices().rev().take(LONGEST_TIME_WORD).map(|(i, _)| i).filter(|i| !within(*i));
    words.filter_map(|i| units.at(before, i)).any(|(u, end)| end == before.len() && time(u))
}

/// The unit that a suite's author wrote (`VND`, `ngày`, `%`), in its normal form.
pub fn unit(text: &str, lang: &Lang) -> Option<Unit> {
    let text = text.trim();
    let whole = |found: Option<(Unit, usize)>| found.filter(|(_, end)| *end == text.len()).map(|(u, _)| u);
    Unit::named(text).or_else(|| whole(NumberPack::of(lang).units.at(text, 0)))
}

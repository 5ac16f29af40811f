//! Numbers in text: which numbers a text states, with their exact values and units.
//!
//! The trouble with numbers is that digits lie. `1.500` is fifteen hundred in Hanoi and one and a half in London;
//! `7` stands inside `17`, `7731-02` and `[7]`; `4 triệu`, `4.000.000` and `400万` are one value; `40 %` is not
//! `40 euro`. So a text is read into [`Mention`]s: value readings, a unit, a kind and a place. Text is scanned for the
//! first digit (or numeral character) and only its neighbourhood is parsed, since almost all text holds none.

mod attach;
mod calendar;
mod candidates;
mod clock;
mod compare;
mod currency;
mod digits;
mod fraction;
mod halves;
mod han;
mod mask;
mod money;
mod pack;
mod phone;
mod power;
mod range;
mod roman;
mod scan;
mod sign;
mod spoken;
mod tail;
mod typed;
mod unit;
mod words;

pub use calendar::Civil;
pub use compare::{Agreement, agree, same_value};
pub use mask::{identity, stands};
pub use pack::{NumberPack, digest};
pub use scan::Mentions;
pub use unit::{Dimension, Relation, Unit};

pub(crate) use digits::digit;
pub(crate) use han::is_numeral;
pub(crate) use roman::value as roman;

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
    /// A calendar date, or parts of one (`30/11/2026`, `2026年11月30日`, `tháng 11`).
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
    /// The exact values that it may have, the usual one first. For a time: minutes after midnight. For a ratio: its two
    /// numbers. Empty for dates, phones and codes.
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
    /// What it may state as a date, the usual reading first.
    pub dates: Vec<Civil>,
    /// Written in words or numeral characters.
    pub spelled: bool,
    /// How many words or numeral characters, 0 for digits.
    pub words: u8,
    /// Whether only working days count.
    pub working: bool,
    /// Whether the text says *about* (set for whole texts only).
    pub approximate: bool,
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

impl Mention {
    /// Its kind as files write it: a share such as `1/5` is a number, a code that begins with a `v` and a digit or has two
    /// full stops a version.
    pub fn shown_kind(&self) -> &'static str {
        let version = || {
            let key = self.key.strip_prefix(['v', 'V']).unwrap_or(&self.key);
            key.starts_with(|c: char| digit(c).is_some())
                && key.chars().all(|c| c.is_ascii_alphanumeric() || digit(c).is_some() || matches!(c, '.' | '-'))
                && (key.len() < self.key.len() || key.matches('.').count() > 1)
        };
        match self.kind {
            Kind::Ratio if self.fraction().is_some() => Kind::Number.name(),
            Kind::Code if version() => "version",
            Kind::Number
            | Kind::Percent
            | Kind::Quantity
            | Kind::Money
            | Kind::Date
            | Kind::Time
            | Kind::Ratio
            | Kind::Phone
            | Kind::Code => self.kind.name(),
        }
    }

    /// Its value as files write it: an exact decimal (minutes for a time), a date in ISO form, or the string itself.
    pub fn shown_value(&self) -> String {
        match self.kind {
            Kind::Date => self.dates.first().map(ToString::to_string).unwrap_or_default(),
            Kind::Ratio => self.fraction().map_or_else(|| self.key.clone(), |f| f.to_string()),
            Kind::Phone | Kind::Code => self.key.clone(),
            Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money | Kind::Time => {
                self.readings.first().map_or_else(|| self.key.clone(), ToString::to_string)
            }
        }
    }

    /// Its unit as files write it: minutes for a time, and the part that a date of one part states.
    pub fn shown_unit(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Time => Some("minute"),
            Kind::Date => match self.dates.first() {
                Some(Civil { year: Some(_), month: None, day: None }) => Some("year"),
                Some(_) | None => None,
            },
            Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money | Kind::Ratio | Kind::Phone | Kind::Code => {
                self.unit.map(Unit::name)
            }
        }
    }

    /// Its readings as files write them, the usual one first.
    pub fn shown_readings(&self) -> Vec<String> {
        match self.kind {
            Kind::Date => self.dates.iter().map(ToString::to_string).collect(),
            Kind::Ratio | Kind::Phone | Kind::Code => vec![self.shown_value()],
            Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money | Kind::Time => {
                self.readings.iter().map(ToString::to_string).collect()
            }
        }
    }

    /// What a ratio with a slash is as a fraction below one.
    pub fn fraction(&self) -> Option<Decimal> {
        match self.readings.as_slice() {
            [over, under] if self.kind == Kind::Ratio && self.key.contains('/') && over < under => {
                Decimal::ratio(*over, *under)
            }
            _ => None,
        }
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
    let pack = NumberPack::of(lang);
    let mut all: Vec<Mention> = Mentions::with_words(text, pack).collect();
    by_convention(&mut all, pack);
    for m in &mut all {
        let head = text.get(..m.start).unwrap_or_default().trim_end_matches([' ', '\u{a0}']).len();
        let behind = m.end + text.get(m.end..).unwrap_or_default().len()
            - text.get(m.end..).unwrap_or_default().trim_start_matches(' ').len();
        m.approximate =
            pack.approximate.at(text, 0, head).is_some() || pack.approximate_after.at(text, behind).is_some();
    }
    all
}

/// Orders the readings of ambiguous numbers by the one decimal mark that the others of the same text prove.
fn by_convention(all: &mut [Mention], pack: &NumberPack) {
    let mark = one_convention(all.iter().filter_map(|m| m.convention));
    all.iter_mut().for_each(|m| take_convention(m, mark, pack));
}

/// The decimal mark that some marks agree on.
pub fn one_convention(mut marks: impl Iterator<Item = char>) -> Option<char> {
    let first = marks.next()?;
    marks.all(|m| m == first).then_some(first)
}

/// Puts the reading of an ambiguous number first that a decimal mark gives it.
pub fn take_convention(m: &mut Mention, mark: Option<char>, pack: &NumberPack) {
    if !m.ambiguous || mark.is_none_or(|mark| (mark == ',') == pack.decimal_comma) {
        return;
    }
    if let [first, second, ..] = m.readings.as_mut_slice() {
        std::mem::swap(first, second);
        m.step = if m.step % 3 == 0 && m.step < 0 { m.step + 3 } else { m.step - 3 };
    }
}

/// Whether a number counts a place in an order rather than things: `7th`, `第7`, or behind a word of time (`tháng 7`).
pub fn is_ordinal(text: &str, mention: &Mention, lang: &Lang) -> bool {
    if mention.unit == Some(Unit::ORDINAL) {
        return true;
    }
    let behind = text.get(mention.end..).and_then(|t| t.chars().next());
    if behind.is_some_and(pack::is_spaced_letter) {
        return true;
    }
    let before = text.get(..mention.start).unwrap_or_default().trim_end_matches(' ');
    if before.ends_with('第') {
        return true;
    }
    let units = &NumberPack::of(lang).units;
    let time = |u: Unit| matches!(u.dimension(), Dimension::Time | Dimension::Calendar);
    let inner = |c: char| pack::is_spaced_letter(c) || pack::is_mark(c);
    let within = |i: usize| before.get(..i).and_then(|t| t.chars().next_back()).is_some_and(inner);
    let words = before.char_indices().rev().take(LONGEST_TIME_WORD).map(|(i, _)| i).filter(|i| !within(*i));
    words.filter_map(|i| units.at(before, i)).any(|(u, end)| end == before.len() && time(u))
}

/// The unit that a suite's author wrote (`VND`, `ngày`, `%`), in its normal form.
pub fn unit(text: &str, lang: &Lang) -> Option<Unit> {
    let text = text.trim();
    let whole = |found: Option<(Unit, usize)>| found.filter(|(_, end)| *end == text.len()).map(|(u, _)| u);
    Unit::named(text).or_else(|| whole(NumberPack::of(lang).units.at(text, 0)))
}

//! The form of the files of number words: each table as it is written.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub(super) struct File {
    pub(super) numbers: Table,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Table {
    pub(super) decimal: String,
    pub(super) blank_groups: bool,
    pub(super) tail: bool,
    /// The same as a second reading of numbers in words.
    pub(super) tail_second: bool,
    /// Units that take a digit or two behind them as decimals.
    pub(super) unit_tail: Vec<String>,
    /// What stands in front of the letters of a power that end another word.
    pub(super) no_lone: Vec<String>,
    pub(super) either: Vec<String>,
    pub(super) between: Vec<String>,
    pub(super) between_and: Vec<String>,
    pub(super) numerals: Option<String>,
    pub(super) half: Vec<String>,
    pub(super) range: Vec<String>,
    pub(super) skip: Vec<String>,
    pub(super) step: Vec<String>,
    pub(super) stop: Vec<String>,
    /// Words that begin like a unit.
    pub(super) no_unit: Vec<String>,
    pub(super) stop_after: Vec<String>,
    pub(super) ordinal_after: Vec<String>,
    pub(super) magnitudes: BTreeMap<String, i32>,
    pub(super) money_magnitudes: BTreeMap<String, i32>,
    /// Magnitudes where no noun stands behind them, and what may stand there.
    pub(super) slang_magnitudes: BTreeMap<String, i32>,
    pub(super) no_noun: Vec<String>,
    /// Letters right behind one or two digits: hundredths of a currency.
    pub(super) coins: Vec<String>,
    pub(super) units: BTreeMap<String, Vec<String>>,
    pub(super) before: BTreeMap<String, Vec<String>>,
    pub(super) tenths: BTreeMap<String, Vec<String>>,
    pub(super) spelled: BTreeMap<String, u8>,
    pub(super) words: WordTable,
    pub(super) calendar: CalendarTable,
    pub(super) clock: ClockTable,
    pub(super) lead: LeadTable,
    pub(super) approximate: Vec<String>,
    pub(super) approximate_after: Vec<String>,
    pub(super) working: Vec<String>,
    pub(super) vague: Vec<String>,
    pub(super) shares: BTreeMap<String, i32>,
    pub(super) asks: AskTable,
}

/// Number words beside the plain values of `spelled`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct WordTable {
    /// Powers below this multiply one value, those from it on a whole section.
    pub(super) section: i32,
    /// Two values of two digits make one number (`nineteen eighty-four`).
    pub(super) pairs: bool,
    /// A half may stand in front (`half an hour`, `半个月`).
    pub(super) half_first: bool,
    /// A dozen may stand alone.
    pub(super) times_alone: bool,
    pub(super) tails: BTreeMap<String, u8>,
    pub(super) powers: BTreeMap<String, u8>,
    pub(super) times: BTreeMap<String, u8>,
    pub(super) and: Vec<String>,
    pub(super) and_ones: Vec<String>,
    pub(super) point: Vec<String>,
    pub(super) minus: Vec<String>,
    pub(super) half: Vec<String>,
    pub(super) article: Vec<String>,
    pub(super) ordinals: BTreeMap<String, u8>,
    pub(super) under: BTreeMap<String, u8>,
    pub(super) under_powers: BTreeMap<String, u8>,
    pub(super) over: Vec<String>,
    /// Between a share and what it is of (`half of a million`).
    pub(super) of: Vec<String>,
    /// Between a count and the whole that it is out of (`3 out of 5`).
    pub(super) out_of: Vec<String>,
    /// The same, where the count is one or the whole is round (`1 in 5`).
    pub(super) among: Vec<String>,
    pub(super) ordinal_powers: BTreeMap<String, u8>,
    /// For the tens of a year: `nineteen oh five`.
    pub(super) oh: Vec<String>,
    pub(super) parts: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CalendarTable {
    pub(super) month_first: bool,
    pub(super) buddhist: bool,
    pub(super) months: BTreeMap<String, u8>,
    pub(super) month_word: Vec<String>,
    pub(super) year_word: Vec<String>,
    pub(super) buddhist_word: Vec<String>,
    pub(super) year_mark: Vec<String>,
    pub(super) month_mark: Vec<String>,
    pub(super) day_mark: Vec<String>,
    pub(super) decade: Vec<String>,
    /// In front of a decade or an age written with an `s` (`the 90s`, `his early 30s`): no seconds.
    pub(super) before_decade: Vec<String>,
    pub(super) century: Vec<String>,
    pub(super) of: Vec<String>,
    /// Month names are written with a small letter.
    pub(super) small_months: bool,
    /// A day stands with a full stop in front of its month (`30. November`).
    pub(super) day_dot: bool,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ClockTable {
    pub(super) mark: Vec<String>,
    pub(super) hour: Vec<String>,
    pub(super) hour_word: Vec<String>,
    pub(super) minute: Vec<String>,
    pub(super) am: Vec<String>,
    pub(super) pm: Vec<String>,
    pub(super) evening: Vec<String>,
    pub(super) morning: Vec<String>,
    pub(super) noon: Vec<String>,
    pub(super) late: Vec<String>,
    /// The day has four times six hours.
    pub(super) six_hours: bool,
    pub(super) quarter: Vec<String>,
    /// In front of the minutes that are missing to the hour.
    pub(super) less: Vec<String>,
    /// Letters between an hour and its minutes, beside `h`.
    pub(super) hour_letter: Vec<String>,
    /// Minutes that stand in front of their hour.
    pub(super) past: BTreeMap<String, i16>,
    /// Words between minutes and their hour, with the sign of the minutes.
    pub(super) from_hour: BTreeMap<String, i8>,
    /// Such words that are also those of a range: the minutes are missing to the hour.
    pub(super) to_hour: Vec<String>,
    /// A half of the day stands behind a word for the hour only (`3 chiều` is three dimensions).
    pub(super) half_behind_hour: bool,
    /// Times that have a name, in minutes after midnight.
    pub(super) named: BTreeMap<String, u16>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LeadTable {
    pub(super) ordinal: Vec<String>,
    pub(super) always_ordinal: Vec<String>,
    pub(super) weekday: Vec<String>,
    pub(super) day: Vec<String>,
    pub(super) month: Vec<String>,
    pub(super) year: Vec<String>,
    pub(super) buddhist: Vec<String>,
    pub(super) am: Vec<String>,
    pub(super) pm: Vec<String>,
    pub(super) noon: Vec<String>,
    pub(super) late: Vec<String>,
    pub(super) hour_pm: Vec<String>,
    pub(super) hour_night: Vec<String>,
    pub(super) phone: Vec<String>,
    pub(super) nothing: Vec<String>,
    pub(super) minus: Vec<String>,
    pub(super) percent: Vec<String>,
    pub(super) times: Vec<String>,
    pub(super) less: Vec<String>,
    pub(super) eras: BTreeMap<String, i32>,
}

/// What a question asks for.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AskTable {
    pub(super) date: Vec<String>,
    pub(super) number: Vec<String>,
}

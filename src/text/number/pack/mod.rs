//! What is known of the numbers of a language, as data: `packs/numbers/*.toml`, read once per language on first use.

mod add;
mod begin;
mod file;
mod lookup;
mod money;

pub(crate) use lookup::{Before, Endings, Words, goes_on, is_mark, is_spaced_letter};

use super::currency;
use super::unit::Unit;
use super::words::Word;
use crate::text::pack::{Lang, Pack};
use begin::Beginnings;
use file::{File, Table};
use std::collections::HashMap;
use std::sync::OnceLock;

/// The files, by language. English comes first: its tables serve every language.
const FILES: [(&str, &str); 9] = [
    ("en", include_str!("../../packs/numbers/en.toml")),
    ("vi", include_str!("../../packs/numbers/vi.toml")),
    ("th", include_str!("../../packs/numbers/th.toml")),
    ("zh", include_str!("../../packs/numbers/zh.toml")),
    ("ja", include_str!("../../packs/numbers/ja.toml")),
    ("ko", include_str!("../../packs/numbers/ko.toml")),
    ("de", include_str!("../../packs/numbers/de.toml")),
    ("fr", include_str!("../../packs/numbers/fr.toml")),
    ("es", include_str!("../../packs/numbers/es.toml")),
];

/// Languages without a file that write a decimal comma; those of the second list join groups of three
/// digits by a plain blank (N1 g).
const COMMA: &[&str] =
    &["it", "pt", "nl", "ru", "uk", "pl", "cs", "ro", "el", "tr", "id", "sv", "da", "nb", "no", "fi", "bg", "hu"];
const BLANK: &[&str] = &["ru", "uk", "pl", "cs", "sv", "nb", "no", "fi", "bg", "hu"];

/// A half of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    /// Before noon.
    Am,
    /// After noon: twelve hours are added below twelve.
    Pm,
    /// Counted from six in the evening.
    Evening,
    /// Counted from midnight: the hours of the night.
    Night,
    /// The first to the fifth hour are counted from six in the morning, later ones from midnight.
    Morning,
    /// Around noon: eleven, and one.
    Noon,
    /// In the evening and at night: eleven, and two.
    Late,
}

/// What a word in front of a number says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lead {
    /// It counts a place, unless a unit follows.
    Ordinal,
    /// It counts a step, which a list names.
    Step,
    /// It counts a place, whatever follows.
    AlwaysOrdinal,
    /// From 2 to 7 it names a day of the week, else it counts a place.
    Weekday,
    /// A day of a month.
    Day,
    /// A month.
    Month,
    /// A year.
    Year,
    /// A Buddhist year.
    Buddhist,
    /// A year of an era, with what leads to the common one.
    Era(i32),
    /// A half of the day.
    Half(Half),
    /// A half of the day that makes an hour of the number alone.
    Hour(Half),
    /// A phone number.
    Phone,
    /// Nothing: a longer word that ends like one of the others.
    Nothing,
    /// A minus sign in words.
    Minus,
    /// It is a share, where nothing else is said.
    Percent,
    /// It multiplies, where nothing else is said.
    Times,
    /// Minutes that are missing to the hour behind them.
    Less,
}

/// Words of dates.
#[derive(Debug, Default)]
pub(crate) struct Calendar {
    pub(crate) months: Words<u8>,
    pub(crate) month_word: Words<()>,
    /// The flag: the year behind it is Buddhist.
    pub(crate) year_word: Words<bool>,
    pub(crate) year_mark: Words<()>,
    pub(crate) month_mark: Words<()>,
    pub(crate) day_mark: Words<()>,
    pub(crate) decade: Words<()>,
    pub(crate) before_decade: Before<()>,
    pub(crate) century: Endings,
    pub(crate) of: Words<()>,
}

/// Words of times.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    pub(crate) mark: Words<()>,
    pub(crate) hour: Words<()>,
    pub(crate) hour_word: Words<()>,
    pub(crate) minute: Words<()>,
    pub(crate) quarter: Words<()>,
    /// In front of the minutes that are missing to the hour (`9 giờ kém 15`).
    pub(crate) less: Words<()>,
    /// Letters between an hour and its minutes, beside `h`.
    pub(crate) hour_letter: Vec<char>,
    /// Minutes that stand in front of their hour (`half past nine`).
    pub(crate) past: Words<i16>,
    /// Words between minutes and their hour, with the sign of the minutes (`ten past six`); the flag: they tell a time without
    /// another word of it, which `to` does not.
    pub(crate) from_hour: Words<(i8, bool)>,
    pub(crate) half: Words<Half>,
    /// Whether a half of the day stands behind a word for the hour only.
    pub(crate) half_behind_hour: bool,
    /// Whether hours are counted in fours of six.
    pub(crate) six_hours: bool,
    /// Times that have a name, in minutes after midnight.
    pub(crate) named: Words<u16>,
    /// Whether there are named times.
    pub(crate) any_named: bool,
    /// Whether some of them begin with no word of a number.
    pub(crate) named_alone: bool,
}

/// Which algorithm reads numeral characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numerals {
    /// Chinese: the last digit after 百 千 万 takes the next lower unit (`三百五` = 350).
    Han,
    /// Japanese: it does not (`百一` = 101).
    HanFull,
}

/// What is known of the numbers of one language, with the English tables, and the words of other scripts, which
/// cannot be mistaken.
#[derive(Debug)]
pub struct NumberPack {
    /// Whether a comma is the decimal mark.
    pub(crate) decimal_comma: bool,
    /// Whether a plain blank joins groups of three digits.
    pub(crate) blank_groups: bool,
    /// Whether digits after a magnitude are its decimals (`2 tỷ 3`).
    pub(crate) tail: bool,
    /// Whether they may be, where the number is in words (`สองแสนห้า`).
    pub(crate) tail_second: bool,
    /// Units behind which a digit or two are decimals (`1m65`, `一米七`).
    pub(crate) unit_tail: Vec<Unit>,
    /// What stands in front of the letters of a power that are the end of another word (`เรียบร้อย`).
    pub(crate) no_lone: Before<()>,
    /// Between two numbers either of which it may be (`3 or 4 days`).
    pub(crate) either: Words<()>,
    /// In front of two numbers with `and` between them that are the ends of a range.
    pub(crate) between: Before<()>,
    /// That `and`.
    pub(crate) between_and: Words<()>,
    pub(crate) numerals: Numerals,
    pub(crate) magnitudes: Words<i32>,
    pub(crate) money_magnitudes: Words<i32>,
    /// Magnitudes where no noun stands behind them (`5 grand`, and no `5 grand pianos`).
    pub(crate) slang_magnitudes: Words<i32>,
    /// What stands behind those, beside the end of a clause.
    pub(crate) no_noun: Words<()>,
    /// Letters right behind one or two digits that make hundredths of a currency of them (`50p`).
    pub(crate) coins: Words<()>,
    pub(crate) units: Words<Unit>,
    /// Words that begin like a unit.
    pub(crate) no_unit: Words<()>,
    pub(crate) tenths: Words<Unit>,
    pub(crate) half: Words<()>,
    pub(crate) range: Words<()>,
    pub(crate) skip: Words<()>,
    pub(crate) step: Vec<String>,
    pub(crate) stop: Words<()>,
    pub(crate) stop_after: Vec<char>,
    /// Words in front of a number, by their last character, lower case.
    pub(crate) before: HashMap<char, Vec<(String, Unit)>>,
    /// The ASCII characters among those: asked before the map, for every number.
    pub(crate) before_ascii: u128,
    /// The words of numbers in words.
    pub(crate) words: Words<Word>,
    /// Words that divide (`one over three`).
    pub(crate) over: Words<()>,
    /// Between a share and its whole (`half of a million`).
    pub(crate) of: Words<()>,
    /// Between a count and its whole; the flag: only for one and for round wholes.
    pub(crate) out_of: Words<bool>,
    /// Words between what stands over and under the bar of a fraction (`hai phần ba`).
    pub(crate) parts: Words<()>,
    /// How those words and the names of months and times begin.
    pub(crate) beginnings: Beginnings,
    /// The power of ten from which a word multiplies a whole section.
    pub(crate) section: i32,
    pub(crate) pairs: bool,
    pub(crate) half_first: bool,
    pub(crate) times_alone: bool,
    pub(crate) month_first: bool,
    pub(crate) buddhist: bool,
    /// Whether month names are written with a small letter.
    pub(crate) small_months: bool,
    /// Whether a day stands with a full stop in front of its month.
    pub(crate) day_dot: bool,
    /// What behind digits makes them count a place (`3º`, `3番目`).
    pub(crate) ordinal_after: Words<()>,
    pub(crate) calendar: Calendar,
    pub(crate) clock: Clock,
    /// Words in front of a number that say what it is.
    pub(crate) leads: Before<Lead>,
    /// Words in front of a number that make it approximate.
    pub(crate) approximate: Before<()>,
    /// Words behind a number that make it approximate.
    pub(crate) approximate_after: Words<()>,
    /// Words beside a unit of time that count working time only.
    pub(crate) working: Words<()>,
    /// Words that end a sentence or begin the next, in a language without full stops, and whether two blanks end one.
    pub(crate) sentence_ends: Words<()>,
    pub(crate) double_blank: bool,
    /// Words in front of which a number in words is vague.
    pub(crate) vague: Before<()>,
    /// Words with which a question asks for a date.
    pub(crate) asks_date: Words<()>,
    /// Words with which a question asks for a number.
    pub(crate) asks_number: Words<()>,
    /// `百分之`, `千分之`: shares that stand in front, with their power of ten.
    pub(crate) shares: Words<i32>,
}

fn tables() -> &'static Vec<(&'static str, Table)> {
    static TABLES: OnceLock<Vec<(&'static str, Table)>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let read = |text| toml::from_str::<File>(text).map(|f| f.numbers).unwrap_or_default();
        FILES.iter().map(|(lang, text)| (*lang, read(text))).collect()
    })
}

/// Everything that the packs hold, as one digest: 16 hexadecimal digits of sha256.
pub fn digest() -> String {
    let mut h = crate::digest::Hasher::default();
    for (lang, text) in FILES {
        h.field(lang);
        h.field(text);
    }
    h.field(currency::WORDS);
    h.short()
}

impl NumberPack {
    /// The pack of a language. A language without a file gets the English tables and its own decimal mark.
    pub fn of(lang: &Lang) -> &'static NumberPack {
        static OWN: [OnceLock<NumberPack>; 9] = [const { OnceLock::new() }; 9];
        static OTHER: [OnceLock<NumberPack>; 3] = [const { OnceLock::new() }; 3];
        let name = lang.as_str();
        let own = FILES.iter().position(|(l, _)| *l == name).and_then(|i| OWN.get(i));
        if let Some(cell) = own {
            return cell.get_or_init(|| NumberPack::build(name));
        }
        let comma = COMMA.contains(&name);
        let blank = BLANK.contains(&name);
        let [point, with_comma, with_blank] = &OTHER;
        let cell = if blank {
            with_blank
        } else if comma {
            with_comma
        } else {
            point
        };
        cell.get_or_init(|| NumberPack { decimal_comma: comma, blank_groups: blank, ..NumberPack::build("en") })
    }

    fn build(name: &str) -> NumberPack {
        let mut pack = NumberPack {
            decimal_comma: false,
            blank_groups: false,
            tail: false,
            tail_second: false,
            unit_tail: Vec::new(),
            no_lone: Before::default(),
            either: Words::default(),
            between: Before::default(),
            between_and: Words::default(),
            numerals: Numerals::Han,
            magnitudes: Words::default(),
            money_magnitudes: Words::default(),
            slang_magnitudes: Words::default(),
            no_noun: Words::default(),
            coins: Words::default(),
            units: Words::default(),
            no_unit: Words::default(),
            tenths: Words::default(),
            half: Words::default(),
            range: Words::default(),
            skip: Words::default(),
            step: Vec::new(),
            stop: Words::default(),
            stop_after: Vec::new(),
            before: HashMap::new(),
            before_ascii: 0,
            words: Words::default(),
            over: Words::default(),
            of: Words::default(),
            out_of: Words::default(),
            parts: Words::default(),
            beginnings: Beginnings::default(),
            section: 3,
            pairs: false,
            half_first: false,
            times_alone: false,
            month_first: false,
            buddhist: false,
            small_months: false,
            day_dot: false,
            ordinal_after: Words::default(),
            calendar: Calendar::default(),
            clock: Clock::default(),
            leads: Before::default(),
            approximate: Before::default(),
            approximate_after: Words::default(),
            working: Words::default(),
            sentence_ends: Words::default(),
            double_blank: false,
            vague: Before::default(),
            asks_date: Words::default(),
            asks_number: Words::default(),
            shares: Words::default(),
        };
        pack.add_currencies();
        if let Some(sentence) = Pack::by_code(name).map(|p| &p.sentence) {
            pack.double_blank = sentence.double_blank;
            let ends = sentence.cut_after.iter().chain(&sentence.cut_before);
            ends.for_each(|w| pack.sentence_ends.add(w.trim_start(), ()));
        }
        for (lang, table) in tables() {
            if *lang != name {
                pack.add(table, *lang == "en", false);
            }
        }
        for (lang, table) in tables() {
            if *lang == name {
                pack.add(table, true, true);
            }
        }
        pack
    }

    /// Whether a question asks for a date, and where the word ends with which it asks for a number.
    pub(crate) fn asked(&self, question: &str) -> (bool, Option<usize>) {
        let mut number = None;
        let mut inner = false;
        for (at, c) in question.char_indices() {
            if !inner {
                if self.asks_date.at(question, at).is_some() {
                    return (true, None);
                }
                number = number.or_else(|| self.asks_number.at(question, at).map(|(_, end)| end));
            }
            inner = is_spaced_letter(c) || is_mark(c);
        }
        (false, number)
    }

    /// The unit at a place.
    pub(crate) fn unit_at(&self, text: &str, at: usize) -> Option<Unit> {
        self.units.at(text, at).map(|(u, _)| u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_reads_and_names_known_units() {
        for (lang, text) in FILES {
            let table = toml::from_str::<File>(text).unwrap_or_else(|e| panic!("{lang}: {e}")).numbers;
            for name in table.units.keys().chain(table.before.keys()).chain(table.tenths.keys()) {
                assert!(Unit::named(name).is_some(), "{lang}: {name}");
            }
            assert!(table.decimal == "." || table.decimal == ",", "{lang}");
        }
    }

    #[test]
    fn words_are_found_in_any_case_and_form_and_only_whole() {
        let vi = NumberPack::of(&Lang::new("vi").unwrap());
        let day = Unit::named("day");
        for (text, end) in [("ngày", 5), ("Ngày mai", 5), ("nga\u{300}y", 6), ("NGÀY.", 5)] {
            assert_eq!(vi.units.at(text, 0).map(|(u, e)| (Some(u), e)), Some((day, end)), "{text}");
        }
        assert_eq!(vi.units.at("ngàym", 0), None);
        assert_eq!(vi.units.at("phần trăm", 0).map(|(u, _)| u), Some(Unit::PERCENT));
    }
}

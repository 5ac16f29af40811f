//! What is known of the numbers of a language, as data: `packs/numbers/*.toml`, read once per language on first use.

use super::unit::Unit;
use crate::text::decimal::Decimal;
use crate::text::pack::Lang;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;
use unicode_normalization::char::decompose_canonical;

/// The files, by language. English comes first: its tables serve every language.
const FILES: [(&str, &str); 9] = [
    ("en", include_str!("../packs/numbers/en.toml")),
    ("vi", include_str!("../packs/numbers/vi.toml")),
    ("th", include_str!("../packs/numbers/th.toml")),
    ("zh", include_str!("../packs/numbers/zh.toml")),
    ("ja", include_str!("../packs/numbers/ja.toml")),
    ("ko", include_str!("../packs/numbers/ko.toml")),
    ("de", include_str!("../packs/numbers/de.toml")),
    ("fr", include_str!("../packs/numbers/fr.toml")),
    ("es", include_str!("../packs/numbers/es.toml")),
];

/// Languages without a file that write a decimal comma; those of the second list join groups of three
/// digits by a plain blank (N1 g).
const COMMA: &[&str] =
    &["it", "pt", "nl", "ru", "uk", "pl", "cs", "ro", "el", "tr", "id", "sv", "da", "nb", "no", "fi", "bg", "hu"];
const BLANK: &[&str] = &["ru", "uk", "pl", "cs", "sv", "nb", "no", "fi", "bg", "hu"];

#[derive(Deserialize)]
struct File {
    numbers: Table,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Table {
    decimal: String,
    blank_groups: bool,
    tail: bool,
    numerals: Option<String>,
    half: Vec<String>,
    range: Vec<String>,
    skip: Vec<String>,
    step: Vec<String>,
    stop: Vec<String>,
    stop_after: Vec<String>,
    magnitudes: BTreeMap<String, i32>,
    money_magnitudes: BTreeMap<String, i32>,
    units: BTreeMap<String, Vec<String>>,
    before: BTreeMap<String, Vec<String>>,
    tenths: BTreeMap<String, Vec<String>>,
    spelled: BTreeMap<String, i64>,
}

/// Words with what they stand for, looked up at a place of a text: longest first, any case, composed or decomposed.
#[derive(Debug)]
pub(crate) struct Words<T> {
    /// Words by their first character, where that is ASCII: looked up once or more for every number of a text.
    ascii: Vec<Entries<T>>,
    /// The others.
    other: HashMap<char, Entries<T>>,
}

/// Words as decomposed lower-case characters, longest first.
type Entries<T> = Vec<(Vec<char>, T)>;

impl<T> Default for Words<T> {
    fn default() -> Self {
        Words { ascii: Vec::new(), other: HashMap::new() }
    }
}

/// A letter of a script that is written with blanks between words: Latin, Greek, Cyrillic.
pub(crate) fn is_spaced_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || (matches!(c, '\u{aa}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}') && c.is_alphabetic())
}

/// A combining mark of those scripts.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

impl<T: Copy> Words<T> {
    fn add(&mut self, word: &str, value: T) {
        let mut chars = Vec::new();
        for c in word.chars().flat_map(char::to_lowercase) {
            decompose_canonical(c, |d| chars.push(d));
        }
        let Some(first) = chars.first().copied() else { return };
        if first.is_ascii() && self.ascii.is_empty() {
            self.ascii.resize_with(128, Vec::new);
        }
        let list = match self.ascii.get_mut(first as usize) {
            Some(list) => list,
            None => self.other.entry(first).or_default(),
        };
        if let Some(old) = list.iter_mut().find(|(w, _)| *w == chars) {
            old.1 = value;
            return;
        }
        list.push((chars, value));
        list.sort_by_key(|(w, _)| std::cmp::Reverse(w.len()));
    }

    /// The longest word that stands at byte `at`, with what it stands for and its end. A word that ends in a letter of
    /// a spaced script must not be followed by another one.
    pub(crate) fn at(&self, text: &str, at: usize) -> Option<(T, usize)> {
        let rest = text.get(at..)?;
        let first = rest.chars().next()?;
        let list = if first.is_ascii() {
            self.ascii.get(first.to_ascii_lowercase() as usize)?
        } else {
            let mut key = None;
            let low = first.to_lowercase().next()?;
            decompose_canonical(low, |d| key = key.or(Some(d)));
            let key = key?;
            self.ascii.get(key as usize).or_else(|| self.other.get(&key))?
        };
        list.iter().find_map(|(word, value)| Some((*value, at + matches_at(rest, word)?)))
    }
}

/// The length in bytes of the text that equals a word, if it does and ends at a border.
fn matches_at(rest: &str, word: &[char]) -> Option<usize> {
    let mut left = word.iter().copied().peekable();
    let mut chars = rest.char_indices();
    while left.peek().is_some() {
        let (_, c) = chars.next()?;
        if c.is_ascii() {
            // A blank of the word may be any one blank of the text.
            if left.next()? != c.to_ascii_lowercase() {
                return None;
            }
            continue;
        }
        if c == '\u{a0}' {
            if left.next()? != ' ' {
                return None;
            }
            continue;
        }
        let mut same = true;
        for low in c.to_lowercase() {
            decompose_canonical(low, |d| same &= left.next() == Some(d));
        }
        if !same {
            return None;
        }
    }
    let end = chars.offset();
    let last = word.last().copied()?;
    let next = chars.next().map(|(_, c)| c);
    let border = !(is_spaced_letter(last) || is_mark(last)) || !next.is_some_and(|c| is_spaced_letter(c) || is_mark(c));
    border.then_some(end)
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
    pub(crate) numerals: Numerals,
    pub(crate) magnitudes: Words<i32>,
    pub(crate) money_magnitudes: Words<i32>,
    pub(crate) units: Words<Unit>,
    pub(crate) tenths: Words<Unit>,
    pub(crate) half: Words<()>,
    pub(crate) range: Words<()>,
    pub(crate) skip: Words<()>,
    pub(crate) step: Vec<String>,
    pub(crate) stop: Words<()>,
    pub(crate) stop_after: Vec<char>,
    /// Words in front of a number, by their last character, lower case.
    pub(crate) before: HashMap<char, Vec<(String, Unit)>>,
    /// Single words with their value.
    pub(crate) spelled: Vec<(String, Decimal)>,
}

/// The places of a word in any case, with borders where its script has blanks between words.
fn occurrences<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = (usize, usize)> + 't {
    let mut upper = [0u8; 4];
    let first = word.chars().next().unwrap_or(' ');
    let other = first.to_uppercase().next().unwrap_or(first).encode_utf8(&mut upper).as_bytes().first().copied();
    let lead = word.as_bytes().first().copied().unwrap_or(b' ');
    let chars: Vec<char> = {
        let mut list = Vec::new();
        word.chars().flat_map(char::to_lowercase).for_each(|c| decompose_canonical(c, |d| list.push(d)));
        list
    };
    memchr::memchr2_iter(lead, other.unwrap_or(lead), text.as_bytes()).filter_map(move |at| {
        let rest = text.get(at..)?;
        let end = at + matches_at(rest, &chars)?;
        let before = text.get(..at)?.chars().next_back();
        let free = !is_spaced_letter(first) || !before.is_some_and(|c| is_spaced_letter(c) || is_mark(c) || c == '-');
        free.then_some((at, end))
    })
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

    /// The place of a single word that spells the claim's whole number (`bảy ngày` for `7 ngày`), if the unit behind it
    /// does not conflict. Where the claim has a unit the word must have one too; without a unit only long words of plain
    /// letters count, since `năm` is also a year, `ba` a father and `one` a pronoun.
    pub(crate) fn find_spelled(&self, text: &str, claim: &super::Mention) -> Option<(usize, usize)> {
        let value = claim.value().filter(|v| v.is_whole() && *v <= Decimal::from(90))?;
        for (word, _) in self.spelled.iter().filter(|(_, v)| *v == value) {
            for (at, end) in occurrences(text, word) {
                let unit = self.unit_behind(text, end);
                let fits = match (claim.unit, unit) {
                    (Some(a), Some((b, _))) => a.relation(b) == super::Relation::Same,
                    (Some(_), None) => false,
                    (None, _) => word.len() >= 4 && word.is_ascii(),
                };
                if fits {
                    return Some((at, unit.map_or(end, |(_, e)| e)));
                }
            }
        }
        None
    }

    /// The unit behind a word: after one blank and qualifiers, or after its digits in brackets (`seven (7) days`).
    fn unit_behind(&self, text: &str, at: usize) -> Option<(Unit, usize)> {
        let skip_blank = |at: usize| at + usize::from(text.as_bytes().get(at) == Some(&b' '));
        let mut place = skip_blank(at);
        if text.as_bytes().get(at) == Some(&b'-') {
            place = at + 1;
        }
        for _ in 0..3 {
            if let Some(found) = self.units.at(text, place) {
                return Some(found);
            }
            place = skip_blank(self.skip.at(text, place)?.1);
        }
        None
    }

    fn build(name: &str) -> NumberPack {
        let mut pack = NumberPack {
            decimal_comma: false,
            blank_groups: false,
            tail: false,
            numerals: Numerals::Han,
            magnitudes: Words::default(),
            money_magnitudes: Words::default(),
            units: Words::default(),
            tenths: Words::default(),
            half: Words::default(),
            range: Words::default(),
            skip: Words::default(),
            step: Vec::new(),
            stop: Words::default(),
            stop_after: Vec::new(),
            before: HashMap::new(),
            spelled: Vec::new(),
        };
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

    /// Adds a table: all of it, or only the words whose script no spaced language uses.
    fn add(&mut self, table: &Table, all: bool, own: bool) {
        let fits = |w: &str| all || w.chars().all(|c| c > '\u{e00}' && !is_spaced_letter(c));
        if own {
            self.decimal_comma = table.decimal == ",";
            self.blank_groups = table.blank_groups;
            self.tail = table.tail;
            if table.numerals.as_deref() == Some("han_full") {
                self.numerals = Numerals::HanFull;
            }
        }
        for (w, p) in table.magnitudes.iter().filter(|(w, _)| fits(w)) {
            self.magnitudes.add(w, *p);
        }
        for (w, p) in table.money_magnitudes.iter().filter(|(w, _)| fits(w)) {
            self.money_magnitudes.add(w, *p);
        }
        for (map, words) in [(&table.units, &mut self.units), (&table.tenths, &mut self.tenths)] {
            for (name, list) in map {
                let Some(unit) = Unit::named(name) else { continue };
                list.iter().filter(|w| fits(w)).for_each(|w| words.add(w, unit));
            }
        }
        for (list, words) in [
            (&table.half, &mut self.half),
            (&table.range, &mut self.range),
            (&table.skip, &mut self.skip),
            (&table.stop, &mut self.stop),
        ] {
            list.iter().filter(|w| fits(w)).for_each(|w| words.add(w, ()));
        }
        self.step.extend(table.step.iter().filter(|w| fits(w)).cloned());
        self.stop_after.extend(table.stop_after.iter().filter_map(|w| w.chars().next()));
        for (name, list) in &table.before {
            let Some(unit) = Unit::named(name) else { continue };
            for word in list.iter().filter(|w| fits(w)) {
                let word = word.to_lowercase();
                let Some(last) = word.chars().next_back() else { continue };
                let entries = self.before.entry(last).or_default();
                entries.retain(|(w, _)| *w != word);
                entries.push((word, unit));
                entries.sort_by_key(|(w, _)| std::cmp::Reverse(w.len()));
            }
        }
        for (word, value) in table.spelled.iter().filter(|(w, _)| fits(w)) {
            self.spelled.push((word.clone(), Decimal::from(*value)));
        }
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

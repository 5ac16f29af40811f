//! Currencies among the units, and the words that stand in front of a number.

use super::super::currency;
use super::{NumberPack, Unit};

impl NumberPack {
    /// The currencies of the world: their codes in capitals, since some are words (`TRY`, `MAD`), their names and signs.
    pub(super) fn add_currencies(&mut self) {
        for (code, _) in currency::CODES.iter().filter(|(code, _)| !currency::WORDLIKE.contains(code)) {
            let Some(unit) = Unit::named(code) else { continue };
            self.units.add_capitals(code, unit);
            self.add_before((*code).to_owned(), unit);
        }
        for (word, name) in currency::words() {
            let Some(unit) = Unit::named(name) else { continue };
            self.units.add(word, unit);
            // Signs stand in front too.
            let sign = |c: char| !(c.is_alphabetic() || matches!(c, ' ' | '&' | '.' | '\'' | '-'));
            if word.chars().any(sign) || matches!(word.as_str(), "kr" | "kr." | "ksh" | "kshs" | "sfr" | "sfr.") {
                self.add_before(word.to_lowercase(), unit);
            }
        }
    }

    /// Adds a word that stands in front of a number. What it has in capitals is met in capitals only.
    pub(super) fn add_before(&mut self, word: String, unit: Unit) {
        let Some(last) = word.chars().next_back().map(|c| c.to_ascii_lowercase()) else { return };
        if last.is_ascii() {
            self.before_ascii |= 1 << u32::from(last);
        }
        let entries = self.before.entry(last).or_default();
        entries.retain(|(w, _)| *w != word);
        entries.push((word, unit));
        entries.sort_by_key(|(w, _)| std::cmp::Reverse(w.len()));
    }
}

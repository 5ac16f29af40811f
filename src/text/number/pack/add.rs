//! How the tables of a language become a pack.

use super::file::Table;
use super::{Half, Lead, NumberPack, Numerals, Unit, Word, is_spaced_letter};

impl NumberPack {
    /// Adds a table: all of it, or only the words whose script no spaced language uses.
    pub(super) fn add(&mut self, table: &Table, all: bool, own: bool) {
        let fits = |w: &str| all || w.chars().all(|c| c > '\u{e00}' && !is_spaced_letter(c));
        if own {
            self.decimal_comma = table.decimal == ",";
            self.blank_groups = table.blank_groups;
            self.tail = table.tail;
            self.tail_second = table.tail_second;
            self.unit_tail = table.unit_tail.iter().filter_map(|name| Unit::named(name)).collect();
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
            (&table.ordinal_after, &mut self.ordinal_after),
            (&table.no_unit, &mut self.no_unit),
            (&table.calendar.year_mark, &mut self.calendar.year_mark),
            (&table.calendar.month_mark, &mut self.calendar.month_mark),
            (&table.calendar.day_mark, &mut self.calendar.day_mark),
            (&table.calendar.decade, &mut self.calendar.decade),
        ] {
            list.iter().filter(|w| fits(w)).for_each(|w| words.add(w, ()));
        }
        self.step.extend(table.step.iter().filter(|w| fits(w)).cloned());
        self.stop_after.extend(table.stop_after.iter().filter_map(|w| w.chars().next()));
        for (name, list) in &table.before {
            let Some(unit) = Unit::named(name) else { continue };
            list.iter().filter(|w| fits(w)).for_each(|word| self.add_before(word.to_lowercase(), unit));
        }
        for (word, shift) in table.lead.eras.iter().filter(|(w, _)| fits(w)) {
            self.leads.add(word, Lead::Era(*shift));
        }
        for (word, power) in table.shares.iter().filter(|(w, _)| fits(w)) {
            self.shares.add(word, *power);
        }
        if own {
            self.add_words(table);
            self.add_dates(table);
        }
    }

    /// Number words, and what makes a number vague.
    fn add_words(&mut self, table: &Table) {
        let w = &table.words;
        (self.section, self.pairs) = (if w.section == 0 { 3 } else { w.section }, w.pairs);
        (self.half_first, self.times_alone) = (w.half_first, w.times_alone);
        for (word, v) in &table.spelled {
            self.word(word, Word::Value(*v));
            let tens = w.pairs && *v >= 20 && v % 10 == 0;
            for (unit, low) in table.spelled.iter().filter(|(_, low)| tens && (1..10).contains(*low)) {
                self.word(&format!("{word}{unit}"), Word::Value(v + low));
            }
            for (ordinal, low) in w.ordinals.iter().filter(|(_, low)| **low < 10 && *v >= 20 && v % 10 == 0) {
                // twentyfirst, twentyone
                self.word(&format!("{word}{ordinal}"), Word::Ordinal(v + low));
            }
        }
        for (map, make) in [
            (&w.tails, Word::Tail as fn(u8) -> Word),
            (&w.powers, Word::Power),
            (&w.times, Word::Times),
            (&w.ordinals, Word::Ordinal),
            (&w.under, Word::Under),
            (&w.under_powers, Word::UnderPower),
            (&w.ordinal_powers, Word::OrdinalPower),
        ] {
            for (word, v) in map {
                self.word(word, make(*v));
            }
        }
        for (list, what) in [
            (&w.and, Word::And(false)),
            (&w.and_ones, Word::And(true)),
            (&w.point, Word::Point),
            (&w.minus, Word::Minus),
            (&w.half, Word::Half),
            (&w.article, Word::Article),
        ] {
            for word in list {
                self.word(word, what);
            }
        }
        for (list, words) in [
            (&w.over, &mut self.over),
            (&w.of, &mut self.of),
            (&w.parts, &mut self.parts),
            (&table.approximate_after, &mut self.approximate_after),
            (&table.either, &mut self.either),
            (&table.between_and, &mut self.between_and),
            (&table.working, &mut self.working),
            (&table.no_noun, &mut self.no_noun),
            (&table.coins, &mut self.coins),
        ] {
            list.iter().for_each(|word| words.add(word, ()));
        }
        // These begin no number, so they are not looked for.
        w.oh.iter().for_each(|word| self.words.add(word, Word::Oh));
        w.out_of.iter().for_each(|word| self.out_of.add(word, false));
        w.among.iter().for_each(|word| self.out_of.add(word, true));
        table.slang_magnitudes.iter().for_each(|(w, p)| self.slang_magnitudes.add(w, *p));
        table.no_lone.iter().for_each(|w| self.no_lone.add(w, ()));
        table.between.iter().for_each(|w| self.between.add(w, ()));
        table.vague.iter().for_each(|w| self.vague.add(w, ()));
        table.approximate.iter().for_each(|w| self.approximate.add(w, ()));
        table.calendar.before_decade.iter().for_each(|w| self.calendar.before_decade.add(w, ()));
    }

    fn word(&mut self, word: &str, what: Word) {
        self.words.add(word, what);
        self.beginnings.add(word);
    }

    /// Words of dates and times.
    fn add_dates(&mut self, table: &Table) {
        let (cal, clock, lead) = (&table.calendar, &table.clock, &table.lead);
        (self.month_first, self.buddhist) = (cal.month_first, cal.buddhist);
        (self.small_months, self.day_dot) = (cal.small_months, cal.day_dot);
        self.calendar.century.0.extend(cal.century.iter().cloned());
        for (word, month) in &cal.months {
            self.calendar.months.add(word, *month);
            self.beginnings.add(word);
        }
        for (list, words) in [
            (&cal.month_word, &mut self.calendar.month_word),
            (&cal.of, &mut self.calendar.of),
            (&clock.mark, &mut self.clock.mark),
            (&clock.hour, &mut self.clock.hour),
            (&clock.hour_word, &mut self.clock.hour_word),
            (&clock.minute, &mut self.clock.minute),
            (&clock.quarter, &mut self.clock.quarter),
            (&clock.less, &mut self.clock.less),
            (&table.asks.date, &mut self.asks_date),
            (&table.asks.number, &mut self.asks_number),
        ] {
            list.iter().for_each(|word| words.add(word, ()));
        }
        cal.year_word.iter().for_each(|w| self.calendar.year_word.add(w, false));
        cal.buddhist_word.iter().for_each(|w| self.calendar.year_word.add(w, true));
        (self.clock.half_behind_hour, self.clock.six_hours) = (clock.half_behind_hour, clock.six_hours);
        self.clock.any_named = !clock.named.is_empty();
        self.clock.hour_letter = clock.hour_letter.iter().filter_map(|l| l.chars().next()).collect();
        for (word, minutes) in &clock.past {
            self.clock.past.add(word, *minutes);
            self.beginnings.add(word);
        }
        clock.from_hour.iter().for_each(|(w, sign)| self.clock.from_hour.add(w, (*sign, true)));
        clock.to_hour.iter().for_each(|w| self.clock.from_hour.add(w, (-1, false)));
        for (word, minutes) in &clock.named {
            self.clock.named.add(word, *minutes);
            self.clock.named_alone |= self.words.at(word, 0).is_none();
            self.beginnings.add(word);
        }
        for (list, half) in [
            (&clock.am, Half::Am),
            (&clock.pm, Half::Pm),
            (&clock.evening, Half::Evening),
            (&clock.morning, Half::Morning),
            (&clock.noon, Half::Noon),
            (&clock.late, Half::Late),
        ] {
            list.iter().for_each(|w| self.clock.half.add(w, half));
        }
        table.step.iter().for_each(|w| self.leads.add(w, Lead::Step));
        for (list, what) in [
            (&lead.ordinal, Lead::Ordinal),
            (&lead.always_ordinal, Lead::AlwaysOrdinal),
            (&lead.weekday, Lead::Weekday),
            (&lead.day, Lead::Day),
            (&lead.month, Lead::Month),
            (&lead.year, Lead::Year),
            (&lead.buddhist, Lead::Buddhist),
            (&lead.am, Lead::Half(Half::Am)),
            (&lead.pm, Lead::Half(Half::Pm)),
            (&lead.noon, Lead::Half(Half::Noon)),
            (&lead.late, Lead::Half(Half::Late)),
            (&lead.hour_pm, Lead::Hour(Half::Pm)),
            (&lead.hour_night, Lead::Hour(Half::Night)),
            (&lead.phone, Lead::Phone),
            (&lead.nothing, Lead::Nothing),
            (&lead.minus, Lead::Minus),
            (&lead.percent, Lead::Percent),
            (&lead.times, Lead::Times),
            (&lead.less, Lead::Less),
        ] {
            list.iter().for_each(|w| self.leads.add(w, what));
        }
    }
}

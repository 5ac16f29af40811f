//! The scan: from one digit to the next, and what is made of each.

use super::candidates::next_candidate;
use super::digits::{self, Form, digit};
use super::mask::{self, char_at};
use super::pack::{Lead, NumberPack, is_mark, is_spaced_letter};
use super::typed::{identifier_tail, joined, ordinal_suffix};
use super::words::Word;
use super::{Dimension, Kind, Mention, Unit, calendar, han};
use crate::text::decimal::Decimal;
use std::collections::VecDeque;

/// The numbers of a text, found lazily.
#[derive(Debug)]
pub struct Mentions<'t> {
    pub(super) text: &'t str,
    pub(super) pack: &'static NumberPack,
    /// Nothing before this byte belongs to the next mention.
    pub(super) floor: usize,
    at: usize,
    /// Whether numbers in words are read too.
    words: bool,
    /// The next number in words, once it was looked for.
    next_word: Option<usize>,
    /// The next digit or numeral, once it was looked for; the length of the text when there is none.
    next_digit: Option<usize>,
    pub(super) ready: VecDeque<Mention>,
    /// The last one, which a unit behind its neighbour may still reach (`7–10 ngày`).
    held: Option<Mention>,
}

impl<'t> Mentions<'t> {
    /// Scans a text with the number words of a language.
    pub fn new(text: &'t str, pack: &'static NumberPack) -> Self {
        Mentions {
            text,
            pack,
            floor: 0,
            at: 0,
            words: false,
            next_word: None,
            next_digit: None,
            ready: VecDeque::new(),
            held: None,
        }
    }

    /// Scans a text for numbers in words too.
    pub fn with_words(text: &'t str, pack: &'static NumberPack) -> Self {
        Mentions { words: true, ..Mentions::new(text, pack) }
    }

    /// Whether a number in words may stand anywhere in the text. Where none may, a scan for words finds what one without them
    /// finds. To be asked before the first number.
    pub fn may_be_spelled(&self) -> bool {
        let mut words = Mentions::with_words(self.text, self.pack);
        words.word_candidate(usize::MAX).is_some()
    }

    /// The place from `self.at` on where a number of digits or numerals may begin. It is kept: words in front of it may be
    /// many.
    fn digit_candidate(&mut self) -> Option<usize> {
        let known = self.next_digit.filter(|d| *d >= self.at);
        let next = known.or_else(|| next_candidate(self.text.as_bytes(), self.at)).unwrap_or(self.text.len());
        self.next_digit = Some(next);
        (next < self.text.len()).then_some(next)
    }

    /// The place from `self.at` on where a number in words may begin, and not behind `limit`.
    fn word_candidate(&mut self, limit: usize) -> Option<usize> {
        if let Some(known) = self.next_word.filter(|w| *w >= self.at) {
            return Some(known).filter(|w| *w < limit);
        }
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        // A letter of ASCII begins no word behind another one: most bytes are passed over by that alone.
        let inside = |at: usize| at.checked_sub(1).and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_alphabetic);
        while let Some(b) = bytes.get(at).filter(|_| at < limit) {
            if b.is_ascii_lowercase() && inside(at) {
                // So does none of the small letters behind it.
                let rest = bytes.get(at..).unwrap_or_default();
                at += rest.iter().position(|b| !b.is_ascii_lowercase()).unwrap_or(rest.len());
                continue;
            }
            // ⅓ and its like begin as dashes and quotes do.
            if *b == 0xE2 && char_at(self.text, at).is_some_and(|c| digits::vulgar(c).is_some()) {
                self.next_word = Some(at);
                return Some(at);
            }
            if matches!(b, b'I' | b'V' | b'X' | b'L' | b'C') && at > self.floor && self.roman(at).is_some() {
                self.next_word = Some(at);
                return Some(at);
            }
            let inner = || {
                let before = self.text.get(..at).and_then(|t| t.chars().next_back());
                let here = char_at(self.text, at);
                here.is_some_and(is_spaced_letter) && before.is_some_and(|c| is_spaced_letter(c) || is_mark(c))
            };
            if self.pack.beginnings.first(*b)
                && self.pack.beginnings.may(bytes, at)
                && self.text.is_char_boundary(at)
                && !inner()
            {
                let word = self.pack.words.at(self.text, at);
                // An article is a number in front of one only.
                let known = word.is_some_and(|(w, end)| {
                    w != Word::Article || self.pack.words.at(self.text, self.blank(end)).is_some() || self.counts(end)
                }) || self.pack.calendar.months.at(self.text, at).is_some()
                    || (self.pack.clock.named_alone && self.pack.clock.named.at(self.text, at).is_some());
                if known {
                    self.next_word = Some(at);
                    return Some(at);
                }
            }
            at += 1;
        }
        // Nothing up to the limit: the search goes on from there.
        self.next_word = Some(usize::MAX).filter(|_| limit == usize::MAX);
        None
    }

    /// Goes on behind a piece that is done.
    pub(super) fn pass(&mut self, end: usize) {
        self.at = end.max(self.at + 1);
        self.floor = end;
    }

    /// Goes on behind a word that is no number, and that may lead up to one.
    pub(super) fn go_on(&mut self, end: usize) {
        self.at = end.max(self.at + 1);
    }

    pub(super) fn push(&mut self, mention: Mention) {
        let end = mention.end;
        self.ready.push_back(mention);
        self.pass(end);
    }

    /// Parses from the next digit on, until at least one mention is ready. False at the end of the text.
    fn advance(&mut self) -> bool {
        loop {
            let digit_at = self.digit_candidate();
            if self.words
                && let Some(at) = self.word_candidate(digit_at.unwrap_or(usize::MAX))
            {
                self.at = at;
                self.word(at);
                if !self.ready.is_empty() {
                    return true;
                }
                continue;
            }
            let Some(at) = digit_at else { return false };
            self.at = at;
            let Some(c) = char_at(self.text, at) else {
                self.at += 1;
                continue;
            };
            if digit(c).is_some() {
                self.number(at);
            } else if han::begins(c) {
                self.numeral(at);
            } else if digits::vulgar(c).is_some() {
                self.vulgar(at);
            } else {
                self.at = at + c.len_utf8();
            }
            if !self.ready.is_empty() {
                return true;
            }
        }
    }

    fn number(&mut self, at: usize) {
        let (text, floor, pack) = (self.text, self.floor, self.pack);
        let masked = mask::address(text, floor, at)
            .or_else(|| mask::citation(text, floor, at))
            .or_else(|| mask::list_marker(text, at, pack))
            .or_else(|| mask::enumerator(text, floor, at, pack));
        if let Some(end) = masked {
            return self.pass(end);
        }
        let lead = self.lead(self.before_blank(at));
        // `4x4`: an x right behind a number; one at the front of a text is behind none.
        let dimension = floor > 0 && text.get(floor..at).is_some_and(|t| matches!(t, "x" | "X" | "×" | "*"));
        if lead.is_none()
            && !dimension
            && let Some(start) = mask::identifier_start(text, floor, at, pack)
        {
            return self.push(Mention::keyed(Kind::Code, text, start, mask::identifier_end(text, at)));
        }
        if let Some(m) = self.phone(at, lead) {
            return self.push(m);
        }
        let mut run = digits::run(text, at, pack);
        if let Some(part) = calendar::of_run(&run)
            && let Some(m) = self.date_from(at, part, lead)
        {
            return self.push(m);
        }
        if let Some(m) = self.time_from(at, &run, lead) {
            return self.push(m);
        }
        if let Some(m) = self.before_hour(at, lead) {
            return self.push(m);
        }
        // `quý 3/2026` is no third month.
        let numbered = |m: &Mention| {
            matches!(lead, Some((Lead::Ordinal, _))) && m.dates.iter().any(|d| d.month.is_some() && d.day.is_none())
        };
        let joined = self.around_the_clock(at, &run).or_else(|| joined(text, at, &run, pack));
        if let Some(mut m) = joined.filter(|m| !numbered(m)) {
            if m.kind == Kind::Ratio && !m.dates.is_empty() && matches!(lead, Some((Lead::Day, _))) {
                m.kind = Kind::Date;
            }
            if m.kind == Kind::Ratio {
                self.signed_fraction(&mut m, lead);
                self.fraction_with_unit(&mut m);
            }
            return self.push(m);
        }
        let (readings, step, convention, ambiguous) = match digits::read(&run, pack) {
            Form::Number { readings, step, convention, ambiguous } => (readings, step, convention, ambiguous),
            Form::List => {
                let mut from = 0;
                for g in &run.groups {
                    let part = run.digits.get(from..from + g.len).unwrap_or_default();
                    from += g.len;
                    let mut m = Mention::bare(Decimal::parse(part).into_iter().collect(), g.start, g.end);
                    m.key = part.to_owned();
                    if !m.readings.is_empty() {
                        self.ready.push_back(m);
                    }
                }
                return self.pass(run.end);
            }
            Form::Identifier => {
                let m = Mention::keyed(Kind::Code, text, at, mask::identifier_end(text, run.end));
                return self.push(m);
            }
        };
        let mut m = Mention::bare(readings, at, run.end);
        m.key = if run.seps.is_empty() { std::mem::take(&mut run.digits) } else { ascii_digits(text.get(at..run.end)) };
        (m.step, m.convention, m.ambiguous) = (step, convention, ambiguous);
        if let Some(time) = self.minutes_past(at, m.value(), run.end) {
            return self.push(time);
        }
        self.sign(&mut m);
        self.minus(&mut m, lead);
        self.exponent(&mut m);
        self.fraction(&mut m);
        self.and_fraction(&mut m);
        let ahead = mask::prefix(text, floor, m.start, pack);
        self.attach_magnitude(&mut m, ahead.is_some());
        if m.magnitude > 0 {
            self.and_fraction(&mut m);
        }
        if self.parts(&mut m) || self.discount(&mut m) || ahead.is_none() && self.out_of(&mut m) {
            return self.push(m);
        }
        let weekday = m.value().is_some_and(|v| (Decimal::from(2)..=Decimal::from(7)).contains(&v));
        let place = match lead {
            Some((Lead::AlwaysOrdinal | Lead::Weekday, _)) => true,
            _ => m.end == run.end && (ordinal_suffix(text, run.end) || pack.ordinal_after.at(text, run.end).is_some()),
        };
        if place {
            m.unit = Some(Unit::ORDINAL);
            m.claim = !(weekday && matches!(lead, Some((Lead::Weekday, _))));
            m.settle_kind();
            return self.push(m);
        }
        self.part_of_parts(&mut m);
        self.attach_unit(&mut m);
        self.divided(&mut m);
        self.scaled_code(&mut m);
        self.quote_marks(&mut m);
        self.coins(&mut m);
        if ahead.is_some_and(|(u, _)| u.dimension() == Dimension::Money) && self.leads_to_another(&m) {
            // `rmb 10 usd 20`: the second currency is that of the second number.
            (m.unit, m.end) = (None, run.end);
        }
        if m.unit.is_none()
            && m.end == run.end
            && let Some(end) = identifier_tail(text, run.end)
        {
            return self.push(Mention::keyed(Kind::Code, text, at, end));
        }
        if let Some((unit, start)) = ahead {
            let symbol = !char_at(text, start).is_some_and(is_spaced_letter);
            if m.unit.is_none() || (symbol && unit.dimension() == Dimension::Money) {
                (m.unit, m.start) = (Some(unit), start);
                self.cents(&mut m);
                if symbol {
                    self.sign_of_money(&mut m);
                }
            }
        }
        if let (None, Some((Lead::Ordinal | Lead::Step, _))) = (m.unit, lead) {
            m.unit = Some(Unit::ORDINAL);
        }
        self.percent_of(&mut m, lead);
        self.times(&mut m, lead);
        // 2569 without a word in front is a Buddhist year too.
        let year = m.value().filter(|v| (Decimal::from(2400)..=Decimal::from(2700)).contains(v));
        if pack.buddhist && m.unit.is_none() && m.end == run.end && m.key.len() == 4 {
            m.readings.extend(year.and_then(|y| y.checked_add(Decimal::from(-i64::from(calendar::BUDDHIST)))));
        }
        m.settle_kind();
        self.push(m);
    }

    /// What the word in front of a number says of it, where it ends at a place.
    pub(super) fn lead(&self, end: usize) -> Option<(Lead, usize)> {
        self.pack.leads.at(self.text, self.floor, end).filter(|(lead, _)| *lead != Lead::Nothing)
    }
}

impl Iterator for Mentions<'_> {
    type Item = Mention;

    fn next(&mut self) -> Option<Mention> {
        loop {
            if self.ready.is_empty() && !self.advance() {
                return self.held.take();
            }
            let Some(mut next) = self.ready.pop_front() else { continue };
            let Some(mut held) = self.held.take() else {
                self.held = Some(next);
                continue;
            };
            self.range(&mut held, &mut next);
            self.held = Some(next);
            return Some(held);
        }
    }
}

/// A text with its digits as ASCII.
fn ascii_digits(text: Option<&str>) -> String {
    text.unwrap_or_default().chars().map(|c| digit(c).map_or(c, |d| char::from(b'0' + d))).collect()
}

impl Mention {
    /// A number with nothing but its readings and its place.
    pub(crate) fn bare(readings: Vec<Decimal>, start: usize, end: usize) -> Self {
        Mention {
            readings,
            unit: None,
            kind: Kind::Number,
            key: String::new(),
            step: 0,
            magnitude: 0,
            dates: Vec::new(),
            spelled: false,
            words: 0,
            working: false,
            approximate: false,
            claim: true,
            convention: None,
            ambiguous: false,
            start,
            end,
        }
    }

    pub(super) fn keyed(kind: Kind, text: &str, start: usize, end: usize) -> Self {
        let key = text.get(start..end).unwrap_or_default().to_owned();
        Mention { kind, key, ..Mention::bare(Vec::new(), start, end) }
    }

    pub(super) fn settle_kind(&mut self) {
        // `40,000đ` and `40.000đ` are the same price in every language: a currency without a smaller coin has no decimals.
        if self.ambiguous && self.unit.is_some_and(Unit::is_undivided) {
            self.readings.sort_by_key(|r| std::cmp::Reverse(r.distance(Decimal::from(0))));
            (self.ambiguous, self.step) = (false, 0);
        }
        self.kind = match self.unit {
            None | Some(Unit::ORDINAL) => Kind::Number,
            Some(Unit::PERCENT) => Kind::Percent,
            Some(u) if u.dimension() == Dimension::Money => Kind::Money,
            Some(_) => Kind::Quantity,
        };
    }
}

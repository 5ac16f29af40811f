//! Fractions and what else changes the value of a number from outside: shares, dozens, inches of feet.

use super::attach::add_to_all;
use super::digits::{self, Form, digit};
use super::mask::{self, char_at};
use super::pack::{Lead, goes_on, is_spaced_letter};
use super::scan::Mentions;
use super::words::{self, Word};
use super::{Dimension, Kind, Mention, Unit, han};
use crate::text::decimal::Decimal;

/// So much of a line is searched for an open quotation, in bytes.
const MOST_LINE: usize = 400;

impl Mentions<'_> {
    /// A fraction behind a whole number: `7½`, `7 1/2 days`.
    pub(super) fn fraction(&self, m: &mut Mention) {
        if m.step != 0 || m.ambiguous {
            return;
        }
        let at = self.blank(self.blank(m.end));
        // `3-1/2 percent`
        if self.pack.pairs
            && char_at(self.text, m.end) == Some('-')
            && let Some((part, end)) = self.slashed(m.end + 1)
            && let Some(sum) = beyond(&m.readings, part)
        {
            (m.readings, m.step, m.end) = (sum, part.step(), end);
            m.key.clear();
            return;
        }
        let found = match char_at(self.text, at) {
            Some(c) if digit(c).is_some() && at > m.end => {
                let Some((part, end)) = self.slashed(at).filter(|(_, end)| self.mixed(m, *end)) else { return };
                if let Some(sum) = beyond(&m.readings, part) {
                    (m.readings, m.step, m.end) = (sum, part.step(), end);
                    m.key.clear();
                }
                return;
            }
            Some(c) => digits::vulgar(c).map(|(over, under)| (over, under, at + c.len_utf8())),
            None => None,
        };
        let Some((over, under, end)) = found else { return };
        let Some((part, places)) = digits::quotient(over, under).filter(|_| over < under) else { return };
        if let Some(sum) = beyond(&m.readings, part) {
            (m.readings, m.step, m.end) = (sum, -places, end);
            m.key.clear();
        }
    }

    /// Whether a fraction in digits behind a whole number is a part of it: a unit or a magnitude follows, or nothing else
    /// stands on the line, or, where fractions are no dates, no word in front counts places. `page 7 1/2` is a page and half
    /// of something.
    fn mixed(&self, m: &Mention, end: usize) -> bool {
        let head = self.text.get(self.floor..m.start).unwrap_or_default();
        let line = head.rsplit('\n').next().unwrap_or_default();
        let sign = |c: char| !c.is_alphanumeric() && !c.is_ascii_punctuation() || c == '$';
        let priced =
            head.trim_end().ends_with(sign) && mask::prefix(self.text, self.floor, m.start, self.pack).is_some();
        let counts = || {
            let before = self.before_blank(m.start);
            let word = head.trim_end().rsplit(|c: char| !is_spaced_letter(c)).next().unwrap_or_default();
            let at = before.saturating_sub(word.len());
            let before_closing = head.trim_end().trim_end_matches(['"', '”', '’', '\'', ')']);
            let begins = before_closing.is_empty() || before_closing.ends_with(['.', '!', '?', '…']);
            word.is_empty() && !begins && !priced
                || self.pack.units.at(self.text, at).is_some()
                || self.pack.leads.at(self.text, self.floor, before).is_some_and(|(l, _)| l != Lead::Minus)
                || word.starts_with(char::is_uppercase)
        };
        matches!(self.unit_from(end), Some((Some(_), _)))
            || (line.trim_matches([' ', '-', '\u{2212}']).is_empty() && self.closes(end))
            || (self.pack.pairs && !counts())
    }

    /// A fraction in words or digits behind a whole number and `and`: `5 and a half`, `2 and 3/4 cups`, and with a power
    /// behind it `2 and a half million`.
    pub(super) fn and_fraction(&self, m: &mut Mention) {
        let (text, pack) = (self.text, self.pack);
        let place = self.blank(m.end);
        let scaled = m.magnitude > 0;
        if !pack.pairs || place == m.end || (m.step != 0 && !scaled) || m.ambiguous {
            return;
        }
        let Some((Word::And(_), end)) = pack.words.at(text, place) else { return };
        let next = self.blank(end);
        let part = match char_at(text, next) {
            Some(c) if digit(c).is_some() => {
                let slashed = self.slashed(next);
                let part = slashed.map(|(value, end)| words::Part { value, end, power: 0, times: Decimal::from(1) });
                part.or_else(|| words::counted(text, next, pack))
            }
            _ => words::fraction_at(text, next, pack),
        };
        let Some(part) = part.filter(|p| p.value < Decimal::from(1)) else { return };
        // `1 billion and a half million`: the lower magnitude is of the fraction alone.
        if part.is_below(m.magnitude)
            && let Some(sum) = part.whole().and_then(|part| beyond(&m.readings, part))
        {
            (m.readings, m.end) = (sum, part.end);
            return m.key.clear();
        }
        if scaled {
            return;
        }
        let sum = beyond(&m.readings, part.value);
        let scaled = |v: &Decimal| v.shifted(part.power).checked_mul(part.times);
        if let Some(readings) = sum.and_then(|sum| sum.iter().map(scaled).collect()) {
            (m.readings, m.end) = (readings, part.end);
            m.step = m.value().map_or(0, Decimal::step);
            m.key.clear();
        }
    }

    /// A proper fraction in digits at a place, in its lowest terms and of a denominator that people write: `3/4`, `5/16`,
    /// with blanks on both sides of the bar or on none.
    pub(super) fn slashed(&self, at: usize) -> Option<(Decimal, usize)> {
        let number = |at: usize| {
            let figures = self.text.get(at..)?.chars().take(4).map_while(|c| Some((digit(c)?, c.len_utf8())));
            let (value, end) = figures.fold((0, at), |(v, end), (d, len)| (v * 10 + i64::from(d), end + len));
            (end > at).then_some((value, end))
        };
        let (over, bar) = number(at)?;
        let behind = self.text.get(bar..)?;
        let (under, end) = number(bar + ["/", " / "].iter().find(|b| behind.starts_with(**b))?.len())?;
        let usual = matches!(under, 2..=10 | 12 | 16 | 32 | 64 | 100) && over > 0 && over < under;
        let lowest = under == 100 || (2..under).all(|d| over % d != 0 || under % d != 0);
        let free = !self.text.get(end..).is_some_and(|t| t.trim_start_matches(' ').starts_with('/') || goes_on(t));
        (usual && lowest && free).then(|| Decimal::ratio(over.into(), under.into()).map(|v| (v, end))).flatten()
    }

    /// `1 in 5`, `nine out of ten`, `3 out of 5`: a count and the whole that it is of, as `3/5` is. True when it was one.
    pub(super) fn out_of(&self, m: &mut Mention) -> bool {
        let (text, pack) = (self.text, self.pack);
        let place = self.blank(m.end);
        let unspaced = char_at(text, place).is_some_and(|c| c > '\u{e00}' && !is_spaced_letter(c));
        if (place == m.end && !unspaced) || m.unit.is_some() || m.ambiguous || m.magnitude != 0 {
            return false;
        }
        let Some((narrow, end)) = pack.out_of.at(text, place) else { return false };
        let (next, Some(over)) = (self.blank(end), m.value()) else { return false };
        let whole = if char_at(text, next).is_some_and(|c| digit(c).is_some()) {
            let run = digits::run(text, next, pack);
            let year = run.seps.is_empty() && run.digits.len() == 4;
            match digits::read(&run, pack) {
                Form::Number { readings, ambiguous, .. } => {
                    let mut whole = Mention::bare(readings, next, run.end);
                    // `one in 10k`, `1 in 2 million`
                    self.attach_magnitude(&mut whole, false);
                    whole.value().map(|v| (v, whole.end)).filter(|_| !(ambiguous || narrow && year))
                }
                Form::List | Form::Identifier => None,
            }
        } else {
            words::spelled(text, next, pack).filter(|f| !f.ordinal).and_then(|f| {
                let value = f.readings.first().copied()?;
                // `five hundreds`
                let power = self.power(f.end).filter(|_| value.is_whole());
                Some(power.map_or((value, f.end), |(p, e)| (value.shifted(p), e)))
            })
        };
        let Some((under, end)) = whole else { return false };
        // `1 in 3 days`, `two out of 3 kg`, `1 in 5/6/2024`, `1 in 2.5`
        let counted = self.unit_at(end).is_none_or(|u| u.dimension() == Dimension::Count);
        let goes_on = match char_at(text, end) {
            Some('/' | ':' | '-' | '–' | '%') => true,
            Some('.' | ',') => char_at(text, end + 1).is_some_and(|c| digit(c).is_some()),
            Some(_) | None => false,
        };
        let round = || under <= Decimal::from(10) || [100, 1000].iter().any(|n| under == Decimal::from(*n));
        // `หนึ่งในสามของ`; หนึ่งในสามคน is one person of three.
        let whole = || self.closes(end) || pack.of.at(text, self.blank(end)).is_some();
        let narrow_fits = if unspaced { whole() } else { !narrow || over == Decimal::from(1) || round() };
        let (zero, one) = (Decimal::from(0), Decimal::from(1));
        if !counted || goes_on || !narrow_fits || over <= zero || over >= under || under <= one || !under.is_whole() {
            return false;
        }
        (m.kind, m.key) = (Kind::Ratio, format!("{over}/{under}"));
        (m.readings, m.end, m.step) = (vec![over, under], end, 0);
        m.words = m.words.saturating_add(2);
        m.claim = true;
        true
    }

    /// A fraction of one character without a whole number: `½ teaspoon`.
    pub(super) fn vulgar(&mut self, at: usize) {
        let Some(c) = char_at(self.text, at) else { return self.pass(at) };
        let value = digits::vulgar(c).and_then(|(over, under)| digits::quotient(over, under));
        let Some((value, places)) = value else { return self.pass(at + c.len_utf8()) };
        // `½ million`, `½ of a dozen`
        let part = words::Part { value, end: at + c.len_utf8(), power: 0, times: Decimal::from(1) };
        let part = part.scaled(self.text, self.pack);
        let Some(value) = part.whole() else { return self.pass(at + c.len_utf8()) };
        let mut m = Mention::bare(vec![value], at, part.end);
        m.step = part.power - places;
        self.sign(&mut m);
        self.minus(&mut m, self.lead(self.before_blank(at)));
        self.attach_unit(&mut m);
        m.settle_kind();
        self.push(m);
    }

    /// `1/2 cup`: a proper fraction in front of a unit is a quantity.
    pub(super) fn fraction_with_unit(&self, m: &mut Mention) {
        let [over, under] = m.readings.as_slice() else { return };
        if over >= under || !m.key.contains('/') {
            return;
        }
        let Some(value) = Decimal::ratio(*over, *under) else { return };
        // `3/4 million`, `1/2 of a million`
        let part = words::Part { value, end: m.end, power: 0, times: Decimal::from(1) }.scaled(self.text, self.pack);
        let scaled = part.end > m.end;
        let Some(value) = part.whole() else { return };
        let mut whole = Mention { step: value.step(), ..Mention::bare(vec![value], m.start, part.end) };
        // `3/4 of a cent`
        self.over_article(&mut whole);
        self.attach_unit(&mut whole);
        if scaled || whole.unit.is_some_and(|u| !matches!(u.dimension(), Dimension::Count | Dimension::Ordinal)) {
            whole.settle_kind();
            *m = whole;
        }
    }

    /// `-4/5`, `minus 4/5`.
    pub(super) fn signed_fraction(&self, m: &mut Mention, lead: Option<(Lead, usize)>) {
        let mut whole = Mention::bare(vec![Decimal::from(1)], m.start, m.end);
        self.sign(&mut whole);
        self.minus(&mut whole, lead);
        let [over, under] = m.readings.as_slice() else { return };
        if whole.start < m.start
            && over < under
            && m.key.contains('/')
            && let Some(value) = Decimal::ratio(*over, *under).and_then(Decimal::negated)
        {
            *m = Mention { step: value.step(), ..Mention::bare(vec![value], whole.start, m.end) };
        }
    }

    /// `1 over 3`, `2 thirds`.
    pub(super) fn divided(&self, m: &mut Mention) {
        let next = self.blank(m.end);
        let slash = self.text.get(m.end..).is_some_and(|t| t.starts_with('/'));
        if !self.pack.pairs || (next == m.end && !slash) || m.unit.is_some() || m.ambiguous {
            return;
        }
        let plural = || words::plural(self.text, next, self.pack).filter(|_| next > m.end && m.step >= 0);
        // `1 half cup`
        if m.key == "1"
            && let Some((Word::Half, end)) = self.pack.words.at(self.text, next)
        {
            (m.readings, m.step, m.end) = (vec![Decimal::new(5, -1)], -1, end);
            m.key.clear();
            return self.attach_unit(m);
        }
        let over = || self.over_digits(next).or_else(|| words::over(self.text, m.end, self.pack));
        let singular = || words::singular(self.text, next, self.pack).filter(|_| m.key == "1");
        if let Some((under, end)) = over().or_else(plural).or_else(singular)
            && let Some(value) = m.value().and_then(|v| Decimal::ratio(v, under))
        {
            (m.readings, m.step, m.end) = (vec![value], value.step(), end);
            // `5 hundred thousandths` are five of a hundred thousand to others.
            m.readings.extend(Some(value.shifted(m.magnitude.saturating_mul(-2))).filter(|v| *v != value));
            m.key.clear();
        }
    }

    /// `1 phần 4`, `3 ส่วน 4`: a fraction whose bar is a word. `1 phần 4 người` is a part for four.
    pub(super) fn part_of_parts(&self, m: &mut Mention) {
        if m.step != 0 || m.key.len() > 2 || m.key.is_empty() || self.pack.parts.is_empty() {
            return;
        }
        let Some(over) = m.value() else { return };
        if let Some((under, end)) = words::parts(self.text, m.end, self.pack, over)
            && self.unit_at(end).is_none()
            && let Some(value) = Decimal::ratio(over, under)
        {
            (m.readings, m.step, m.end) = (vec![value], value.step(), end);
            m.key.clear();
        }
    }

    /// `over 20`, `over 3 hundred and 21`, with nothing behind it.
    fn over_digits(&self, at: usize) -> Option<(Decimal, usize)> {
        let (_, end) = self.pack.over.at(self.text, at)?;
        let next = self.blank(end);
        char_at(self.text, next).filter(|c| digit(*c).is_some())?;
        let run = digits::run(self.text, next, self.pack);
        let Form::Number { readings, ambiguous: false, .. } = digits::read(&run, self.pack) else { return None };
        let mut under = Mention::bare(readings, next, run.end);
        self.attach_magnitude(&mut under, false);
        let value = under.readings.first().copied().filter(|v| *v != Decimal::from(0))?;
        self.closes(under.end).then_some((value, under.end))
    }

    /// `三分之一`, `一又二分之一`: a fraction in Chinese. True when it was one.
    pub(super) fn parts(&self, m: &mut Mention) -> bool {
        let Some(rest) = self.text.get(m.end..) else { return false };
        let numeral = |at: usize| match char_at(self.text, at) {
            Some(c) if digit(c).is_some() => {
                let run = digits::run(self.text, at, self.pack);
                Decimal::parse(&run.digits).filter(|_| run.seps.is_empty()).map(|d| (d, run.end))
            }
            Some(c) if han::begins(c) => han::numeral(self.text, at, self.pack.numerals)
                .and_then(|f| Some((f.readings.first().copied()?, f.end))),
            _ => None,
        };
        let Some(under) = m.value() else { return false };
        if rest.starts_with('又') {
            let behind = m.end + '又'.len_utf8();
            let part = numeral(behind).and_then(|(under, end)| {
                let tail = self.text.get(end..)?;
                let skip = ["分之", "份之", "分", "份"].iter().find(|s| tail.starts_with(**s))?.len();
                let (over, end) = numeral(end + skip)?;
                Some((Decimal::ratio(over, under)?, end))
            });
            if let Some((part, end)) = part
                && let Some(sum) = under.checked_add(part)
            {
                (m.readings, m.step, m.end, m.words) = (vec![sum], sum.step(), end, 3);
                return true;
            }
            return false;
        }
        let mark = ["分之", "份之", "份"].iter().find(|s| rest.starts_with(**s));
        let Some(skip) = mark.map(|s| s.len()) else { return false };
        let Some((over, end)) = numeral(m.end + skip) else { return false };
        if skip == "份".len() && (m.words == 0 || self.unit_at(end).is_some()) {
            return false;
        }
        let Some(value) = Decimal::ratio(over, under) else { return false };
        (m.readings, m.step, m.end, m.words) = (vec![value], value.step(), end, 3);
        true
    }

    /// `85折`, `九二折`, `8.5折`: what is paid, in percent. True when it was one.
    pub(super) fn discount(&self, m: &mut Mention) -> bool {
        let Some((unit, end)) = self.pack.tenths.at(self.text, m.end) else { return false };
        let Some(value) = m.readings.first().copied() else { return false };
        // `三成` and `九折` are tenths; two digits are hundredths.
        let percent = if value < Decimal::from(10) { value.shifted(1) } else { value };
        if value > Decimal::from(99) || m.magnitude != 0 {
            return false;
        }
        // 八成五, 七成半: a tenth and its half.
        let half = self.pack.half.at(self.text, end).map(|(_, e)| (Decimal::from(5), e));
        let tail = || {
            let found = han::numeral(self.text, end, self.pack.numerals).filter(|f| f.chars == 1)?;
            let value = found.readings.first().copied().filter(|v| *v < Decimal::from(10))?;
            self.ends_numeral(found.end).then_some((value, found.end))
        };
        let single = value < Decimal::from(10) && value.is_whole();
        let more = half.or_else(tail).filter(|_| single);
        let (more, end) = more.unwrap_or((Decimal::from(0), end));
        let Some(percent) = percent.checked_add(more) else { return false };
        (m.readings, m.unit, m.end, m.ambiguous) = (vec![percent], Some(unit), end, false);
        (m.words, m.claim) = (m.words.max(2), true);
        m.settle_kind();
        true
    }

    /// 零點77: decimals of digits behind a numeral.
    pub(super) fn mixed_decimals(&self, m: &mut Mention) {
        let Some(c) = char_at(self.text, m.end).filter(|c| matches!(c, '点' | '點')) else { return };
        let at = m.end + c.len_utf8();
        if char_at(self.text, at).is_none_or(|c| digit(c).is_none()) {
            return;
        }
        let run = digits::run(self.text, at, self.pack);
        let places = i32::try_from(run.digits.len()).unwrap_or(0);
        let part = Decimal::parse(&run.digits).filter(|_| run.seps.is_empty()).map(|d| d.shifted(-places));
        if let Some(sum) = part.and_then(|p| add_to_all(&m.readings, p)) {
            (m.readings, m.step, m.end) = (sum, -places, run.end);
        }
    }

    /// `half an hour`, `a quarter of a mile`: the article stands between a fraction and its unit.
    pub(super) fn over_article(&self, m: &mut Mention) {
        if m.value().is_none_or(|v| v >= Decimal::from(1)) {
            return;
        }
        let mut place = self.blank(m.end);
        if let Some((_, end)) = self.pack.calendar.of.at(self.text, place) {
            place = self.blank(end);
        }
        let Some((word, end)) = self.one_at(place).filter(|(_, end)| *end > m.end) else { return };
        let unit = self.pack.units.at(self.text, self.blank(end));
        // `half of one percent`, and no other count: `half of one box`
        if unit.is_some_and(|(u, _)| word == Word::Article || u == Unit::PERCENT) {
            m.end = end;
        }
    }

    /// The article, or one in words or digits, at a place.
    fn one_at(&self, at: usize) -> Option<(Word, usize)> {
        let found = self.pack.words.at(self.text, at);
        let one = Word::Value(1);
        let figure = || {
            let end = digits::past(self.text, at);
            let value: String =
                self.text.get(at..end)?.chars().filter_map(digit).map(|d| char::from(b'0' + d)).collect();
            (value == "1").then_some((one, end))
        };
        found.filter(|(w, _)| *w == Word::Article || *w == one).or_else(figure)
    }

    /// 五双, 八打: pairs and dozens.
    pub(super) fn pairs(&self, m: &mut Mention) {
        let Some((Word::Times(n), end)) = self.pack.words.at(self.text, m.end) else { return };
        // 一对一, 三打二
        if char_at(self.text, end).is_some_and(|c| digit(c).is_some() || han::is_numeral(c)) {
            return;
        }
        let by = Decimal::from(i64::from(n));
        if let Some(scaled) = m.readings.iter().map(|r| r.checked_mul(by)).collect() {
            (m.readings, m.end, m.words) = (scaled, end, m.words.saturating_add(1));
            // 一打半
            if let Some((part, end)) = words::part_behind(self.text, end, self.pack)
                && self.closes(end)
                && let Some(sum) = part.checked_mul(by).and_then(|more| add_to_all(&m.readings, more))
            {
                (m.readings, m.end) = (sum, end);
            }
        }
    }

    /// `5 ft 2 in`, `5 feet and 2 inches`: feet.
    pub(super) fn inches(&self, m: &mut Mention) {
        let name = m.unit.map(Unit::name);
        if name != Some("foot") {
            return;
        }
        let mut at = self.blank(m.end);
        if let Some((Word::And(_), end)) = self.pack.words.at(self.text, at) {
            at = self.blank(end);
        }
        // `five foot two`, `6-foot-2`
        let singular = self.text.get(..m.end).is_some_and(|t| t.ends_with("foot"));
        let dash = singular && self.text.get(m.end..).is_some_and(|t| t.starts_with('-'));
        let at = if dash { m.end + 1 } else { at };
        if char_at(self.text, at).is_none_or(|c| digit(c).is_none()) {
            if let Some(found) = words::spelled(self.text, at, self.pack).filter(|f| singular && self.closes(f.end))
                && let Some(value) = found.readings.first().filter(|v| **v < Decimal::from(12) && v.is_whole())
                && let Some(part) = Decimal::ratio(*value, Decimal::from(12))
                && let Some(sum) = add_to_all(&m.readings, part)
            {
                (m.readings, m.step, m.end) = (sum, part.step(), found.end);
            }
            return;
        }
        let run = digits::run(self.text, at, self.pack);
        let bare = singular && run.seps.is_empty() && run.digits.len() <= 2 && self.closes(run.end);
        let inch = match self.unit_from(run.end) {
            Some((Some(unit), end)) if unit.name() == "inch" => Some(end),
            _ => {
                let place = self.blank(run.end);
                let rest = self.text.get(place..).unwrap_or_default();
                let named = rest.strip_prefix("in").is_some_and(|t| !goes_on(t));
                named.then_some(place + 2).or_else(|| bare.then_some(run.end))
            }
        };
        let inches = Decimal::parse(&run.digits).filter(|v| *v < Decimal::from(12));
        let part = inches.and_then(|d| Decimal::ratio(d, Decimal::from(12)));
        if let (Some(end), Some(part)) = (inch, part)
            && let Some(sum) = add_to_all(&m.readings, part)
        {
            (m.readings, m.step, m.end) = (sum, part.step(), end);
        }
    }

    /// `5'10"`, `6′ 2″`, `a 24" screen`: feet and inches by their marks. A lone `'` may be a quotation's end, and so may
    /// `"` where one is open on the line; a sentence of its own does not show where it was opened. Behind a year the mark closes
    /// a quotation in every language: nobody measures a thousand inches or feet by a mark.
    pub(super) fn quote_marks(&self, m: &mut Mention) {
        let short = |v: Decimal| v < Decimal::from(1000);
        if m.unit.is_some() || m.ambiguous || !m.value().is_some_and(short) {
            return;
        }
        let rest = self.text.get(m.end..).unwrap_or_default();
        if let Some(tail) = rest.strip_prefix(['\'', '’', '′']) {
            let at = self.blank(m.end + rest.len() - tail.len());
            let digits = self.text.get(at..).unwrap_or_default().bytes().take(3).take_while(u8::is_ascii_digit).count();
            let inches = self.text.get(at..at + digits).and_then(Decimal::parse).filter(|v| *v < Decimal::from(12));
            let mark =
                self.text.get(at + digits..).and_then(|t| ["\"", "″", "”", "''"].iter().find(|q| t.starts_with(**q)));
            if let (Some(inches), Some(mark)) = (inches, mark)
                && let Some(part) = Decimal::ratio(inches, Decimal::from(12))
                && let Some(sum) = beyond(&m.readings, part)
            {
                (m.readings, m.step, m.end) = (sum, part.step(), at + digits + mark.len());
                m.unit = Unit::named("foot");
                m.key.clear();
            }
            return;
        }
        // `10 " long`
        let apart = rest.strip_prefix(' ').filter(|t| t.starts_with('"') && !t.get(1..).is_some_and(goes_on));
        let rest = apart.unwrap_or(rest);
        if rest.starts_with('"') {
            let mark = m.end + usize::from(apart.is_some());
            let head = self.text.get(..m.start).unwrap_or_default();
            let line = head.rsplit('\n').next().unwrap_or_default();
            let open = line.bytes().rev().take(MOST_LINE).filter(|b| *b == b'"').count() % 2 == 1;
            let more = rest.get(1..).is_some_and(goes_on);
            if !open && !more && !line.ends_with('"') {
                (m.unit, m.end) = (Unit::named("inch"), mark + 1);
            }
        }
    }
}

/// A part added to each reading away from zero: `-1 4/5` is -1.8.
fn beyond(readings: &[Decimal], part: Decimal) -> Option<Vec<Decimal>> {
    let zero = Decimal::from(0);
    let add = |r: &Decimal| if *r < zero { r.checked_add(part.negated()?) } else { r.checked_add(part) };
    readings.iter().map(add).collect()
}

//! Phone numbers: `0912 345 678`, `+84 28-3829-1234`, `(028) 3829 1234`, `1900 1234`, `400-123-4567`, `สายด่วน 1669`.

use super::digits::{digit, joint};
use super::mask::{char_at, char_before, glued};
use super::pack::Lead;
use super::scan::Mentions;
use super::{Kind, Mention};

/// A number behind a word such as "hotline" has at least so many digits.
const SHORTEST: usize = 3;

/// Digits in groups of a phone number.
struct Groups {
    lens: Vec<usize>,
    /// Single characters between them.
    seps: Vec<char>,
    end: usize,
}

impl Groups {
    /// Groups of digits of any script from a place on, with single blanks, dashes and full stops between them, up to 15 digits. Only
    /// the first may be a single digit, or the second behind a country code.
    fn at(text: &str, at: usize, abroad: bool) -> Self {
        let mut found = Groups { lens: Vec::new(), seps: Vec::new(), end: at };
        let (mut place, mut sep) = (at, None);
        loop {
            let rest = text.get(place..).unwrap_or_default();
            let group = rest.chars().take(16).take_while(|c| digit(*c).is_some());
            let (n, len) = group.fold((0, 0), |(n, len), c| (n + 1, len + c.len_utf8()));
            let least = if found.lens.len() <= usize::from(abroad) { 1 } else { 2 };
            if n < least || found.digits() + n > 15 {
                return found;
            }
            found.seps.extend(sep);
            found.lens.push(n);
            found.end = place + len;
            match joint(text, found.end) {
                Some((c @ (' ' | '.' | '-' | '\u{a0}' | '\u{2011}'), next)) => {
                    place = next;
                    sep = Some(c);
                }
                _ => return found,
            }
        }
    }

    fn digits(&self) -> usize {
        self.lens.iter().sum()
    }

    /// `09.00-17.30`: two times of day.
    fn is_from_time_to_time(&self, text: Option<&str>) -> bool {
        if self.lens != [2, 2, 2, 2] || self.seps != ['.', '-', '.'] {
            return false;
        }
        let digits: Vec<u8> = text.unwrap_or_default().chars().filter_map(digit).collect();
        digits.chunks(2).zip([24, 59, 24, 59]).all(|(pair, most)| pair.iter().fold(0, |v, d| v * 10 + d) <= most)
    }
}

/// Whether a text begins with these digits, in any script.
fn begins(text: &str, with: &[u8]) -> bool {
    let mut chars = text.chars();
    with.iter().all(|d| chars.next().and_then(digit) == Some(*d))
}

impl Mentions<'_> {
    /// A phone number that begins at a digit. A country code or an area code in parentheses begins one; so does 0; other
    /// numbers are told by what they begin with, and where no unit follows.
    pub(super) fn phone(&self, at: usize, lead: Option<(Lead, usize)>) -> Option<Mention> {
        let (text, floor) = (self.text, self.floor);
        let rest = text.get(at..)?;
        let before = char_before(text, floor, at);
        let called = matches!(lead, Some((Lead::Phone, _)));
        let first = rest.chars().next().and_then(digit)?;
        if !(called || matches!(first, 0 | 1 | 4 | 8) || matches!(before, Some('+' | '＋' | '('))) {
            return None;
        }
        let abroad = matches!(before, Some('+' | '＋'));
        let found = match before {
            Some('(') => return self.with_area(at),
            _ => Groups::at(text, at, abroad),
        };
        let digits = found.digits();
        let dated = (found.lens == [2, 2, 4] && found.seps.iter().all(|c| matches!(c, '-' | '.')))
            || found.is_from_time_to_time(text.get(at..found.end));
        let grouped = found.lens.len() > 1;
        // In Vietnam services are called at 1900 and 1800 with four to six more digits; in China at 400 and 800 with seven,
        // and mobile numbers are eleven digits from 13 to 19 (the national numbering plans of both, as the ITU lists them).
        let second = rest.chars().nth(1).and_then(digit);
        let shaped = match digits {
            8..=10 if begins(rest, &[1, 9, 0, 0]) || begins(rest, &[1, 8, 0, 0]) => true,
            10 => begins(rest, &[4, 0, 0]) || begins(rest, &[8, 0, 0]),
            11 => first == 1 && second.is_some_and(|d| (3..=9).contains(&d)),
            _ => false,
        };
        let decimal = found.seps.iter().all(|c| *c == '.') && found.lens.len() == 2;
        let local = first == 0 && digits >= 8 && !decimal;
        let free = || self.unit_at(found.end).is_none() && self.power(found.end).is_none();
        let fits = (abroad && digits >= 8)
            || local
            || (shaped && free())
            || (called && digits >= SHORTEST && !decimal && (grouped || digits >= 8 || free()));
        let more = |c: char| glued(c) || (matches!(c, ',' | ':') && self.digit_follows(found.end));
        let whole = !char_at(text, found.end).is_some_and(more);
        let start = if abroad { at - before.map_or(0, char::len_utf8) } else { at };
        (fits && whole && !dated).then(|| self.phone_between(start, found.end))
    }

    /// `(028) 3829 1234`, `(+84) 912 345 678`.
    fn with_area(&self, at: usize) -> Option<Mention> {
        let area = self.text.get(at..)?.bytes().take(5).take_while(u8::is_ascii_digit).count();
        let close = at + area;
        if !(2..=4).contains(&area) || !self.text.get(at..)?.starts_with('0') || char_at(self.text, close) != Some(')')
        {
            return None;
        }
        let next = self.blank(close + 1);
        let found = Groups::at(self.text, next, false);
        let whole = !char_at(self.text, found.end).is_some_and(glued);
        (whole && (6..=9).contains(&found.digits())).then(|| self.phone_between(at - 1, found.end))
    }

    fn digit_follows(&self, at: usize) -> bool {
        self.text.get(at..).and_then(|t| t.chars().nth(1)).is_some_and(|c| digit(c).is_some())
    }

    fn phone_between(&self, start: usize, end: usize) -> Mention {
        let mut m = Mention::keyed(Kind::Phone, self.text, start, end);
        m.key = m.key.chars().filter_map(digit).map(|d| char::from(b'0' + d)).collect();
        m
    }
}

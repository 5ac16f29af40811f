//! The sign in front of a number, and a decimal point without a digit in front.

use super::Mention;
use super::mask::char_before;
use super::pack::Lead;
use super::scan::Mentions;

/// A dash in front may be a minus sign or a bullet: the plain value is the second reading.
fn or_negative(m: &mut Mention) {
    let negative: Vec<_> = m.readings.iter().filter_map(|r| r.negated()).collect();
    m.readings.splice(0..0, negative);
}

impl Mentions<'_> {
    /// A minus sign, or a decimal point without a digit in front (`.5`).
    pub(super) fn sign(&self, m: &mut Mention) {
        let Some(c) = char_before(self.text, self.floor, m.start) else { return };
        if !matches!(c, '-' | '\u{2212}' | '－' | '.' | ',' | ' ') {
            return;
        }
        let place = m.start - c.len_utf8();
        if c == ' ' {
            if place > 0 && self.text.as_bytes().get(place - 1) == Some(&b'-') {
                self.minus_of_line(m, place);
            }
            return;
        }
        let minus = self.text.get(..place).is_some_and(|t| t.ends_with(['-', '\u{2212}']))
            && self
                .text
                .get(..place.saturating_sub(1))
                .is_none_or(|t| t.is_empty() || t.ends_with(char::is_whitespace));
        // `+.5`, and no `5+.5`
        let plus = || {
            let head = self.text.get(..place).and_then(|t| t.strip_suffix('+'));
            head.is_some_and(|t| t.is_empty() || t.ends_with(char::is_whitespace))
        };
        let free = place == 0
            || (matches!(c, '.' | ',') && (minus || plus()))
            || self.text.get(..place).and_then(|t| t.chars().next_back()).is_some_and(|b| {
                let range = || self.pack.range.at(self.text, place - b.len_utf8()).is_some();
                b.is_whitespace()
                    || matches!(b, '(' | ':' | '"' | '（' | '：' | '$' | '€' | '£' | '¥' | '<' | '>' | '=' | '≤' | '≥')
                    || matches!(b, '，' | '。' | '、' | '；')
                    || (b > '\u{2e80}' && range())
            });
        match c {
            '-' | '\u{2212}' | '－' if free => {
                or_negative(m);
                m.start = place;
            }
            ',' if free && self.pack.decimal_comma && m.key.bytes().all(|b| b.is_ascii_digit()) => {
                self.point_in_front(m, place);
            }
            '.' if free && m.key.bytes().all(|b| b.is_ascii_digit()) => {
                self.point_in_front(m, place);
            }
            _ => {}
        }
    }

    /// `-$20`: the minus sign in front of a currency, which may also be a dash.
    pub(super) fn sign_of_money(&self, m: &mut Mention) {
        let Some(c @ ('-' | '\u{2212}')) = char_before(self.text, self.floor, m.start) else { return };
        let place = m.start - c.len_utf8();
        let before = self.text.get(..place).and_then(|t| t.chars().next_back());
        if before.is_none_or(|b| b.is_whitespace() || matches!(b, '(' | ':' | '"')) {
            or_negative(m);
            m.start = place;
        }
    }

    fn point_in_front(&self, m: &mut Mention, place: usize) {
        let places = i32::try_from(m.key.len()).unwrap_or(0);
        m.readings = m.readings.iter().map(|r| r.shifted(-places)).collect();
        (m.step, m.start, m.ambiguous) = (-places, place, false);
        // `-.5`
        if let Some(c @ ('-' | '\u{2212}')) = char_before(self.text, self.floor, place) {
            m.readings = m.readings.iter().filter_map(|r| r.negated()).collect();
            m.start = place - c.len_utf8();
        }
    }

    /// `- 1,200`: a minus sign where nothing but the number is on the line, else a bullet.
    fn minus_of_line(&self, m: &mut Mention, blank: usize) {
        let head = self.text.get(self.floor..blank).unwrap_or_default();
        let line = head.rsplit('\n').next().unwrap_or_default();
        let power = || self.power(m.end).map(|(_, end)| end);
        let behind = self.slashed(self.blank(m.end)).map(|(_, end)| end).or_else(power).unwrap_or(m.end);
        let rest = self.text.get(behind..).unwrap_or_default().split('\n').next().unwrap_or_default();
        if line.trim() == "-" && !rest.contains(char::is_whitespace) && rest.chars().count() < 4 {
            or_negative(m);
            m.start = self.floor + head.rfind('-').unwrap_or(0);
        }
    }

    /// A minus sign in words in front of a number.
    pub(super) fn minus(&self, m: &mut Mention, lead: Option<(Lead, usize)>) {
        if let Some((Lead::Minus, start)) = lead {
            m.readings = m.readings.iter().filter_map(|r| r.negated()).collect();
            m.start = start;
        }
    }
}

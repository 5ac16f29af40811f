//! Roman numerals behind a word for a place in an order: `thế kỷ XIX`, `Chương IV`, `Article II`. They are evidence only.

use super::pack::{Lead, goes_on};
use super::scan::Mentions;
use super::{Mention, Unit};
use crate::text::decimal::Decimal;

/// The numerals by falling value.
const NUMERALS: [(&str, i64); 9] =
    [("C", 100), ("XC", 90), ("L", 50), ("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)];

/// A longer one is no century and no chapter (`LXXXVIII`).
const LONGEST: usize = 8;

/// The value of a Roman numeral in its usual form.
pub(crate) fn value(text: &str) -> Option<i64> {
    let (mut rest, mut sum) = (text, 0);
    for (numeral, value) in NUMERALS {
        while let Some(tail) = rest.strip_prefix(numeral) {
            (rest, sum) = (tail, sum + value);
        }
    }
    (rest.is_empty() && sum > 0 && written(sum) == text).then_some(sum)
}

/// The usual form of a value.
fn written(mut value: i64) -> String {
    let mut out = String::new();
    for (numeral, size) in NUMERALS {
        while value >= size {
            value -= size;
            out.push_str(numeral);
        }
    }
    out
}

impl Mentions<'_> {
    /// A Roman numeral at a place behind a blank and a word that an ordinal follows.
    pub(super) fn roman(&self, at: usize) -> Option<Mention> {
        let bytes = self.text.as_bytes();
        let first = bytes.get(at).filter(|b| matches!(b, b'I' | b'V' | b'X' | b'L' | b'C'))?;
        let blank = at.checked_sub(1).filter(|i| bytes.get(*i) == Some(&b' '))?;
        let len = bytes
            .get(at..)?
            .iter()
            .take(LONGEST + 1)
            .take_while(|b| matches!(b, b'I' | b'V' | b'X' | b'L' | b'C'))
            .count();
        // `Điểm C` and `Appendix L` are letters.
        let letter = len == 1 && matches!(first, b'L' | b'C');
        let end = at + len;
        if len > LONGEST || letter || self.text.get(end..).is_some_and(|t| goes_on(t) || t.starts_with('.') && len == 1)
        {
            return None;
        }
        let (Lead::Ordinal, _) = self.lead(blank)? else { return None };
        let value = value(self.text.get(at..end)?)?;
        let mut m = Mention::bare(vec![Decimal::from(value)], at, end);
        (m.unit, m.spelled, m.words, m.claim) = (Some(Unit::ORDINAL), true, 2, false);
        Some(m)
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn numerals_in_their_usual_form_have_a_value() {
        for (text, right) in
            [("I", 1), ("IV", 4), ("IX", 9), ("XIV", 14), ("XIX", 19), ("XXI", 21), ("XLIX", 49), ("XCIX", 99)]
        {
            assert_eq!(value(text), Some(right), "{text}");
        }
        for text in ["", "IIII", "VX", "IXI", "IIX", "VV"] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}

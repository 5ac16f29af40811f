//! Two numbers that belong together: the ends of a range, and what they share.

use super::digits::digit;
use super::scan::Mentions;
use super::{Kind, Mention};
use crate::text::decimal::Decimal;

fn text_between(text: &str, start: usize, end: usize) -> Option<&str> {
    if start <= end { text.get(start..end) } else { None }
}

/// Where the word between two numbers stands, without the blanks and hyphens around it (`two- to three-week`).
fn within(start: usize, gap: &str) -> (usize, usize) {
    let edge = |c: char| c.is_whitespace() || c == '-';
    (start + gap.len() - gap.trim_start_matches(edge).len(), start + gap.trim_end_matches(edge).len())
}

impl Mentions<'_> {
    /// The power of ten that ends a number in words: 6 for `three million`, 4 for `十万`.
    fn spelled_power(&self, m: &Mention) -> i32 {
        let text = self.text.get(m.start..m.end).unwrap_or_default();
        let han = text.chars().rev().find_map(|c| match c {
            '百' => Some(2),
            '千' => Some(3),
            '万' | '萬' => Some(4),
            '亿' | '億' => Some(8),
            _ => None,
        });
        han.unwrap_or(if m.words >= 2 && m.step >= 2 { m.step } else { 0 })
    }

    /// `3 or 4 days`, `between 5 and 10 dollars`, `hai ba ngày`: what stands behind the second number is said of both.
    fn either(&self, left: &Mention, right: &Mention, gap: &str) -> bool {
        let pack = self.pack;
        let (at, to) = within(left.end, gap);
        let fills = |found: Option<((), usize)>| found.is_some_and(|(_, end)| end == to);
        if right.kind.has_value() && left.value() >= right.value() && right.magnitude == 0 {
            return false;
        }
        if gap.trim().is_empty() {
            // Two digits in words, the second one more than the first.
            let next = left.value().and_then(|v| v.checked_add(Decimal::from(1)));
            return !pack.pairs && left.words == 1 && right.words == 1 && left.spelled && next == right.value();
        }
        let head = self.text.get(..left.start).unwrap_or_default().trim_end().len();
        fills(pack.either.at(self.text, at))
            || (fills(pack.between_and.at(self.text, at)) && pack.between.at(self.text, 0, head).is_some())
    }

    /// Gives the unit and magnitude of a range's right end to its bare left end.
    pub(super) fn range(&self, left: &mut Mention, right: &mut Mention) {
        // `$15-20`: the currency in front goes with both.
        let led = left.kind == Kind::Money
            && self.text.get(left.start..).is_some_and(|t| !t.starts_with(|c: char| digit(c).is_some()));
        let gap = text_between(self.text, left.end, right.start).unwrap_or(" ");
        // `$3 to $5 million`: the magnitude too.
        let word = || self.pack.range.at(self.text, left.end + 1).is_some_and(|(_, end)| end + 1 == right.start);
        if led
            && (right.unit == left.unit || right.unit.is_none())
            && left.magnitude == 0
            && right.magnitude >= 6
            && (matches!(gap, "-" | "–") || (gap.starts_with(' ') && gap.ends_with(' ') && word()))
            && let (Some(l), Some(r)) = (left.value(), right.value())
            && l.shifted(right.magnitude) < r
        {
            let bare = left.readings.clone();
            left.readings = bare.iter().map(|v| v.shifted(right.magnitude)).chain(bare.iter().copied()).collect();
            (left.step, left.magnitude) = (left.step.saturating_add(right.magnitude), right.magnitude);
            right.unit = left.unit;
            return right.settle_kind();
        }
        if led
            && right.kind == Kind::Number
            && right.unit.is_none()
            && matches!(gap, "-" | "–")
            && left.value() < right.value()
        {
            right.unit = left.unit;
            return right.settle_kind();
        }
        // `ร้อยละ 5 ถึง 10`, `百分之五到十`: the word for the share goes with both.
        let spaced = gap.len() - gap.trim_start().len();
        let ranged = || {
            matches!(gap.trim(), "-" | "–" | "~" | "～")
                || self
                    .pack
                    .range
                    .at(self.text, left.end + spaced)
                    .is_some_and(|(_, end)| end == left.end + gap.trim_end().len())
        };
        let begins = self.text.get(left.start..).unwrap_or_default();
        let in_front = || {
            self.pack.shares.at(self.text, left.start).is_some()
                || (!left.spelled && !begins.starts_with(|c: char| digit(c).is_some() || c == '-'))
                || (left.spelled && self.pack.stop.at(self.text, left.start).is_some())
        };
        if left.kind == Kind::Percent
            && right.kind == Kind::Number
            && right.unit.is_none()
            && ranged()
            && left.value() < right.value()
            && in_front()
        {
            right.unit = left.unit;
            return right.settle_kind();
        }
        let hours = right.kind == Kind::Time && matches!(left.kind, Kind::Number | Kind::Quantity);
        let bare = left.kind == Kind::Number && left.unit.is_none() && right.kind.has_value();
        if !(hours || bare) || left.spelled != right.spelled {
            return;
        }
        let Some(gap) = text_between(self.text, left.end, right.start) else { return };
        if gap.len() > 16 || gap.contains('\n') {
            return;
        }
        let dash = |s: &str| matches!(s, "-" | "–" | "—" | "~" | "〜" | "～" | "\u{2212}" | "\u{2011}");
        let trimmed = gap.trim();
        let signed =
            trimmed.is_empty() && self.text.get(right.start..).is_some_and(|t| t.starts_with(['-', '\u{2212}']));
        let word = || {
            let (at, to) = within(left.end, gap);
            self.pack.range.at(self.text, at).is_some_and(|(_, end)| end == to)
        };
        if !(signed || dash(trimmed) || word() || self.either(left, right, gap)) {
            return;
        }
        if hours {
            return self.clock_range(left, right);
        }
        if signed {
            right.readings.drain(..right.readings.len() / 2);
        }
        // `2001-02年`: the unit says that both are years.
        let years = left.key.len() == 4 && right.key.len() == 2 && right.unit.is_some_and(|u| u.name() == "year");
        if years {
            right.unit = None;
            right.settle_kind();
        }
        left.unit = right.unit;
        left.working = right.working;
        // `3-5 triệu`: the magnitude too, where the left end stays below the right one.
        let shift = if right.spelled && right.magnitude == 0 { self.spelled_power(right) } else { right.magnitude };
        if let (true, Some(l), Some(r)) = (shift > 0, left.value(), right.value())
            && l.shifted(shift) < r
        {
            let bare = left.readings.clone();
            let shifted = bare.iter().map(|v| v.shifted(shift));
            // `one to five hundred` may begin at one.
            if right.spelled && shift == 2 {
                left.readings.extend(shifted);
            } else {
                left.readings = shifted.chain(bare.iter().copied()).collect();
                (left.step, left.magnitude) = (left.step.saturating_add(shift), shift);
            }
        }
        // `1038-40`: the years 1038 and 1040.
        if let (Some(l), Some(r)) = (left.value(), right.value()) {
            let year = left.key.len() == 4 && right.key.len() == 2 && left.unit.is_none();
            let century = l.shifted(-2).rounded_down().shifted(2);
            if let (true, Some(full)) = (year && r < l, century.checked_add(r)) {
                right.readings.insert(0, full);
            }
        }
        left.settle_kind();
    }
}

//! The value of a number in words, word by word.

use super::super::pack::NumberPack;
use crate::text::decimal::Decimal;

/// What the words so far amount to.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) pack: &'static NumberPack,
    pub(super) total: Decimal,
    pub(super) section: Decimal,
    pub(super) pending: Option<u8>,
    /// Section powers must fall below this, and totals below that.
    pub(super) floor: i32,
    pub(super) ceiling: i32,
    /// The power that the last word gave; a digit behind it may stand for the next lower unit.
    pub(super) last: i32,
    pub(super) joined_as_ones: bool,
    pub(super) words: u8,
    pub(super) started: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, pack: &'static NumberPack) -> Self {
        let zero = Decimal::from(0);
        Reader {
            text,
            pack,
            total: zero,
            section: zero,
            pending: None,
            floor: 99,
            ceiling: 99,
            last: 0,
            joined_as_ones: false,
            words: 0,
            started: false,
        }
    }

    pub(super) fn value(&self) -> Option<Decimal> {
        let pending = Decimal::from(i64::from(self.pending.unwrap_or(0)));
        self.total.checked_add(self.section)?.checked_add(pending)
    }

    /// Takes a value; false when it belongs to another number.
    pub(super) fn take(&mut self, v: u8, tail: bool) -> bool {
        match self.pending {
            None if tail && !self.started => false,
            None => {
                if self.floor <= 1 && v >= 10 || self.floor == 0 {
                    return false;
                }
                self.pending = Some(v);
                true
            }
            Some(p) if p >= 20 && p % 10 == 0 && (1..10).contains(&v) => {
                self.pending = Some(p + v);
                true
            }
            // hai mốt, năm lăm
            Some(p) if tail && (2..10).contains(&p) && v < 10 => {
                self.pending = Some(p * 10 + v);
                true
            }
            // one twenty two, nineteen eighty-four, twenty twenty-five
            Some(p)
                if self.pack.pairs
                    && (1..=99).contains(&p)
                    && (p % 10 != 0 || p == 20)
                    && v >= 10
                    && self.words <= 2 =>
            {
                self.section = Decimal::from(i64::from(p) * 100);
                (self.pending, self.floor) = (Some(v), 2);
                true
            }
            Some(_) => false,
        }
    }

    pub(super) fn power(&mut self, p: i32) -> bool {
        let zero = Decimal::from(0);
        let one = Decimal::from(1);
        if p < self.pack.section {
            // A small power multiplies what stands right before it.
            if p >= self.floor || (self.pending.is_none() && self.section != zero && p > 1) {
                return false;
            }
            let head = match self.pending.take() {
                Some(0) => zero,
                Some(v) => Decimal::from(i64::from(v)),
                None => one,
            };
            let Some(sum) = self.section.checked_add(head.shifted(p)) else { return false };
            self.section = sum;
            self.floor = p;
        } else {
            // `two thousand two thousand` are two numbers.
            let held = self.pending.is_some() || self.section != zero;
            if self.total != zero && p == self.ceiling && held {
                return false;
            }
            let pending = self.pending.take().map_or(zero, |v| Decimal::from(i64::from(v)));
            let Some(section) = self.section.checked_add(pending) else { return false };
            let bare = section == zero && self.total == zero;
            let section = if bare { one } else { section };
            // A larger power behind a smaller one multiplies all that stands before it: nghìn tỷ, พันล้าน.
            if self.total != zero && p >= self.ceiling {
                let Some(sum) = self.total.checked_add(section) else { return false };
                self.total = sum.shifted(p);
            } else {
                let Some(sum) = self.total.checked_add(section.shifted(p)) else { return false };
                self.total = sum;
            }
            (self.section, self.floor, self.ceiling) = (zero, 99, p);
        }
        self.last = p;
        self.joined_as_ones = false;
        true
    }
}

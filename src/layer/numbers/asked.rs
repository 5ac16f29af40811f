//! What a question asks for: a date, or so many of something. A number of that sort answers it better than another.

use super::subject::{MARGIN, is_dated};
use crate::text::number::{Dimension, Mention, NumberPack, Unit};

/// Where nothing is known of what is asked for, so much more is asked for where one of the two is a date and the other a
/// number of things.
const APART: f64 = 0.10;

/// What a question asks for, as far as its words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// A date or a year.
    Date,
    /// A number, of a unit where the question names one (`how many days`).
    Number(Option<Dimension>),
    /// Nothing that is known.
    Unknown,
}

impl Asked {
    /// Reads a question. The words for dates are looked for first: `năm bao nhiêu` is a year.
    pub(super) fn of(question: &str, pack: &NumberPack) -> Self {
        let (date, number) = pack.asked(question);
        match (date, number) {
            (true, _) => Asked::Date,
            (false, Some(end)) => {
                let rest = question.get(end..).unwrap_or_default();
                let blank = rest.len() - rest.trim_start_matches(' ').len();
                Asked::Number(pack.unit_at(question, end + blank).map(Unit::dimension))
            }
            (false, None) => Asked::Unknown,
        }
    }

    /// Whether a number is of the sort that is asked for. One without a unit may count anything.
    fn fits(self, m: &Mention) -> bool {
        match self {
            Asked::Unknown => true,
            Asked::Date => is_dated(m),
            Asked::Number(None) => !is_dated(m),
            Asked::Number(Some(dimension)) => !is_dated(m) && m.unit.is_none_or(|u| u.dimension() == dimension),
        }
    }

    /// How much the sort of number that is asked for speaks for another number than the one stated. A whole margin: where
    /// only one of two is of that sort, it needs no more of the question's words beside it than the other.
    pub(super) fn prefers(self, other: &Mention, stated: &Mention) -> f64 {
        if self == Asked::Unknown {
            return if is_dated(other) == is_dated(stated) { 0.0 } else { -APART };
        }
        match (self.fits(other), self.fits(stated)) {
            (true, false) => MARGIN,
            (false, true) => -MARGIN,
            (true, true) | (false, false) => 0.0,
        }
    }
}

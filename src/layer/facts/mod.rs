//! Facts: does the answer state what it must, and nothing that it must not?
//!
//! A fact is a few words, a number, a pattern, a yes or no, or facts combined. Words are found as whole words in matching
//! form, so neither case nor invisible characters decide; a number is found by its value, so `5 triệu` is `5.000.000` and
//! `15` does not hold `5`. A whole answer is never compared with a whole reference: that marks right answers wrong.
//!
//! * [`check`] gives each fact its verdict, and tells what is wrong;
//! * `look` looks for a fact of each form, `path` in a part of an answer that is JSON;
//! * `sheet` is the answer in the forms in which facts look at it, each made once;
//! * `words` finds words, `nearby` most of them near each other (`same`: what counts as the same word), `value` numbers and
//!   dates;
//! * `negation` tells whether what was found is denied;
//! * `polarity` reads a yes or no from the first words, `predicate` from what is said of the thing asked for;
//! * `nearest` finds the sentence to show for a fact that is missing.
//! * [`source`] tells which values the documents do not state that evidence names.

mod check;
mod look;
mod nearby;
mod nearest;
mod negation;
mod path;
mod polarity;
mod predicate;
mod same;
mod sheet;
pub mod source;
mod value;
mod words;

pub use check::{check, states_all};
use serde::{Deserialize, Serialize};

/// The verdict on one fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactVerdict {
    /// The fact as a person would read it.
    pub fact: String,
    /// True for an item of `must_not`.
    pub forbidden: bool,
    /// Right: a required fact that is stated, or a forbidden one that is not.
    pub ok: bool,
    /// `matched(HOW)`, `missing`, `negated`, `wrong_value(FOUND)`, `wrong_bound(FOUND)`, `condition_missing`, `wrong_order`,
    /// `path_missing` or `polarity_unknown`.
    pub reason: String,
}

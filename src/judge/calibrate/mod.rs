//! How far a judge is to be trusted.
//!
//! A judge is held against people's labels of the same answers. What comes out is a table of four counts ([`Measured`]), a
//! grade with its reasons ([`mod@grade`]), and a report. Whatever gives verdicts is a [`Judge`]: a rule layer, a file of
//! verdicts that some endpoint gave.
//!
//! * [`mod@grade`]: `trusted`, `advisory`, `rejected`;
//! * [`items`]: labelled answers, and what judges them;
//! * [`sample`]: which verdicts people should look at;
//! * [`probe`]: pairs of which a judge must say the same, or the opposite.

pub mod grade;
pub mod items;
pub mod probe;
pub mod report;
pub mod sample;

pub use grade::{Grade, Graded, Measured, Reason};
pub use items::{Item, Judge, Recorded, Rule};

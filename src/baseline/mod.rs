//! The baseline: what was accepted, question by question and layer by layer, and the answers that earned it.

pub mod accept;
pub mod answers;
pub mod check;
pub mod compare;
pub mod conflict;
pub mod file;
pub mod follow;
pub mod known;
pub mod merge;
pub(crate) mod stability;

pub use file::{Baseline, Entry, LayerBase};

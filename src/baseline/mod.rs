//! The baseline: what was accepted, question by question and layer by layer, and the answers that earned it.

pub mod accept;
pub mod compare;
pub mod file;
pub mod known;

pub use file::{Baseline, Entry, LayerBase};

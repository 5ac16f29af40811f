//! stats
pub mod interval;

//! Judges: how far one is to be trusted, and what it is measured with.

pub mod calibrate;
pub mod twins;

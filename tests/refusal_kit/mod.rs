//! Sentences for the refusal tests.

pub mod five;
pub mod four;

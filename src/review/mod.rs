//! What a reviewer decides of changed questions.

pub mod decisions;

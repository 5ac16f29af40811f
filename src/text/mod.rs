//! Text: normal forms with offset maps, sentences, words, exact decimals, and a data pack per language.

pub mod common;
pub mod decimal;
pub mod norm;
pub mod number;
pub mod pack;
pub mod segment;

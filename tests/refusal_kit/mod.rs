//! Sentences for the refusal tests.

pub(crate) mod five;
pub(crate) mod four;
pub(crate) mod more;

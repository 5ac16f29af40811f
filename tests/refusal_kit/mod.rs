//! Sentences for the refusal tests.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod five;
pub(crate) mod four;
pub(crate) mod more;
pub(crate) mod trial;
pub(crate) mod trial_last;
pub(crate) mod trial_more;

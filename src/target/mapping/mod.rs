//! From the JSON that a system returns to a response: where its parts stand, and how names are made to meet.

use super::response::OwnedResponse;
use super::{Failure, FailureKind};
use crate::suite::config::live::Mapping;
use crate::suite::corpus::Corpus;
use serde_json::Value;

/// Reads JSON so that no digit of a number is lost: a number that Rust's numbers do not hold as it was written becomes the
/// text of its digits.
///
/// # Errors
/// [`FailureKind::NotJson`] with what stands there instead.
pub fn json(_bytes: &[u8]) -> Result<Value, Failure> {
    Err(Failure::new(FailureKind::NotJson, "not yet supported"))
}

/// The response in one JSON value.
///
/// # Errors
/// [`FailureKind::ErrorBody`] where the system says that it failed, [`FailureKind::Unmapped`] where neither the answer nor
/// the passages stand where the mapping looks for them.
pub fn response(mapping: &Mapping, value: &Value, corpus: Option<&Corpus>) -> Result<OwnedResponse, Failure> {
    streamed(mapping, std::slice::from_ref(value), corpus)
}

/// The response in the events of a stream, in order of arrival.
///
/// # Errors
/// As for [`response`].
pub fn streamed(_mapping: &Mapping, _events: &[Value], _corpus: Option<&Corpus>) -> Result<OwnedResponse, Failure> {
    Err(Failure::new(FailureKind::Unmapped, "not yet supported"))
}

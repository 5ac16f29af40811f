//! Reads suites: YAML and JSONL, one model.

use super::Suite;
use crate::problem::Problems;
use std::path::Path;

/// Reads one suite file.
///
/// # Errors
/// Everything that is wrong with the file, each with its place.
pub fn load(_path: &Path, _shown: &str) -> Result<(Suite, Problems), Problems> {
    Err(Problems::default())
}

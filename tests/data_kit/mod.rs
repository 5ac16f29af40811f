//! Public data sets that are not part of this project: `RAGLINE_DATA` names the folder that holds them.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses a part, and fails by a panic")]

use std::io::Write;
use std::path::PathBuf;

/// The folder of one data set, or nothing, which is said loudly.
pub(crate) fn folder(part: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("RAGLINE_DATA") else {
        // Not captured by the test harness, so that it is seen in a log.
        let why = "RAGLINE_DATA is not set";
        let _ = writeln!(std::io::stderr(), "SKIPPED, nothing was tried on real data ({part}): {why}");
        return None;
    };
    let folder = PathBuf::from(folder).join(part);
    assert!(folder.is_dir(), "RAGLINE_DATA is set, and there is no {}", folder.display());
    Some(folder)
}

/// A file of a data set, as `FOLDER/NAME`.
pub(crate) fn text(path: &str) -> Option<String> {
    let (part, name) = path.rsplit_once('/').unwrap();
    Some(std::fs::read_to_string(folder(part)?.join(name)).unwrap())
}

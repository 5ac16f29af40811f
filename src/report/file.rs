//! Report files: the old one is gone before the run begins, the new one is there whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Removes the report of an earlier run, so that a run that breaks off does not leave it to be read as its own.
///
/// # Errors
/// When it is there and cannot be removed; the message names the path.
pub fn remove_old(path: &Path) -> io::Result<()> {
    if is_stream(path) {
        return Ok(());
    }
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(named(&e, "remove the old", path)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A device or a pipe (`/dev/null`, `/dev/stdout`, `>(…)`): it is written to, and never replaced.
fn is_stream(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Writes a file: its folder is made, the content goes to a file beside it, which then takes its name. What is no file
/// (a device, a pipe) is written to as it is.
///
/// # Errors
/// When it cannot be written; the message names the path, and nothing is left behind.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if is_stream(path) {
        let mut stream = std::fs::OpenOptions::new().write(true).open(path).map_err(|e| named(&e, "open", path))?;
        return stream.write_all(content).map_err(|e| named(&e, "write", path));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(|e| named(&e, "make the folder of", path))?;
    }
    let part = beside(path);
    let written = std::fs::write(&part, content).and_then(|()| std::fs::rename(&part, path));
    written.map_err(|e| {
        // The unfinished file says nothing to anybody; that it could not be removed either is not the news.
        let _ = std::fs::remove_file(&part);
        named(&e, "write", path)
    })
}

/// `junit.xml` → `.junit.xml.1234.part`; the process's id keeps two runs apart.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

fn named(e: &io::Error, what: &str, path: &Path) -> io::Error {
    io::Error::new(e.kind(), format!("cannot {what} report {}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_whole_or_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/junit.xml");
        remove_old(&path).unwrap();
        write(&path, b"<x/>").unwrap();
        write(&path, b"<y/>").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"<y/>");
        assert_eq!(std::fs::read_dir(dir.path().join("a/b")).unwrap().count(), 1);
        remove_old(&path).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn an_error_names_the_path() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        let path = dir.path().join("file/junit.xml");
        assert!(write(&path, b"").unwrap_err().to_string().contains("junit.xml"));
        // A folder stands where the report should go.
        let folder = dir.path().join("folder");
        std::fs::create_dir(&folder).unwrap();
        assert!(write(&folder, b"").unwrap_err().to_string().contains("folder"));
        assert!(remove_old(&folder).is_err());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}

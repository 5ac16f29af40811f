//! The versions of a file in a merge that git could not end: from its index, from the commits that are merged, or from the
//! marks in the file itself.

use crate::problem::{Place, Problem, Source, decode};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The versions of a file in a merge. One that is absent did not have the file, or is not known.
#[derive(Debug, Default)]
pub struct Versions {
    /// What both sides come from (stage 1).
    pub base: Option<Arc<Source>>,
    /// Ours (stage 2).
    pub ours: Option<Arc<Source>>,
    /// Theirs (stage 3).
    pub theirs: Option<Arc<Source>>,
}

/// Runs git in a folder; its output, where it is there and ends well.
fn git(folder: &Path, args: &[&OsStr]) -> Option<Vec<u8>> {
    let done = Command::new("git").arg("-C").arg(folder).args(args).stdin(Stdio::null()).stderr(Stdio::null()).output();
    done.ok().filter(|d| d.status.success()).map(|d| d.stdout)
}

fn folder_and_name(path: &Path) -> Option<(&Path, &OsStr)> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder, path.file_name()?))
}

/// A text of the history, as messages name it: `suites/shop.baseline.toml (ours)`.
fn source(bytes: &[u8], shown: &str, whose: &str) -> Result<Arc<Source>, Problem> {
    let path = format!("{shown} ({whose})");
    match decode(bytes) {
        Ok(text) => Ok(Arc::new(Source { path, text })),
        Err((line, what)) => {
            Err(Problem::error("file-not-utf8", Place { file: path.as_str().into(), line, column: 0 }, what))
        }
    }
}

/// The versions of a file that is in conflict in the index; none where it is not, or where there is no git.
///
/// # Errors
/// When a version is no text.
pub fn staged(path: &Path, shown: &str) -> Result<Option<Versions>, Problem> {
    let Some((folder, name)) = folder_and_name(path) else { return Ok(None) };
    let literal = OsStr::new("--literal-pathspecs");
    let args = [literal, "ls-files".as_ref(), "-u".as_ref(), "-z".as_ref(), "--".as_ref(), name];
    let Some(listed) = git(folder, &args) else { return Ok(None) };
    let mut versions = Versions::default();
    let mut any = false;
    for entry in String::from_utf8_lossy(&listed).split('\0') {
        // `MODE ID STAGE\tPATH`
        let mut words = entry.split('\t').next().unwrap_or_default().split(' ').skip(1);
        let (Some(id), Some(stage)) = (words.next(), words.next()) else { continue };
        let Some(bytes) = git(folder, &["cat-file".as_ref(), "blob".as_ref(), id.as_ref()]) else { continue };
        any = true;
        match stage {
            "1" => versions.base = Some(source(&bytes, shown, "base")?),
            "2" => versions.ours = Some(source(&bytes, shown, "ours")?),
            _ => versions.theirs = Some(source(&bytes, shown, "theirs")?),
        }
    }
    Ok(any.then_some(versions))
}

/// The commits that a file is merged from where git merged it without a conflict: ours and theirs.
///
/// # Errors
/// When a version is no text.
pub fn of_commits(path: &Path, shown: &str) -> Result<Option<Versions>, Problem> {
    let Some((folder, name)) = folder_and_name(path) else { return Ok(None) };
    let at = |commit: &str| {
        let mut what = std::ffi::OsString::from(format!("{commit}:./"));
        what.push(name);
        git(folder, &["cat-file".as_ref(), "blob".as_ref(), &what])
    };
    let Some(ours) = at("HEAD") else { return Ok(None) };
    let others = ["MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
    let Some(theirs) = others.into_iter().find_map(at) else { return Ok(None) };
    let (ours, theirs) = (source(&ours, shown, "ours")?, source(&theirs, shown, "theirs")?);
    Ok(Some(Versions { base: None, ours: Some(ours), theirs: Some(theirs) }))
}

/// The files below a folder that are in conflict in the index.
pub fn in_conflict(folder: &Path) -> Vec<PathBuf> {
    let args = ["ls-files", "-u", "-z"].map(OsStr::new);
    let listed = git(folder, &args).unwrap_or_default();
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let mut found: Vec<PathBuf> =
        listed.split('\0').filter_map(|e| e.split_once('\t')).map(|(_, path)| folder.join(path)).collect();
    found.dedup();
    found
}

/// Writes git's conflict marks into the file at `ours`, as git does where nobody merges for it.
pub fn mark(base: &Path, ours: &Path, theirs: &Path) {
    let labels = ["-L", "ours", "-L", "base", "-L", "theirs"].map(OsStr::new);
    let mut args: Vec<&OsStr> = vec!["merge-file".as_ref(), "--diff3".as_ref()];
    args.extend(labels);
    args.extend([ours.as_os_str(), base.as_os_str(), theirs.as_os_str()]);
    // It ends with the number of conflicts; where it cannot run, the file stays ours and git knows that it is in conflict.
    let _ = git(Path::new("."), &args);
}

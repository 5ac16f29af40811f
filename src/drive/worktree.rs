//! A working tree of another commit, for as long as somebody uses it: `git worktree` in the folder for temporary files, so
//! that the checkout itself is never touched.
//!
//! It is removed when nobody uses it any more, also where the run is interrupted. What a killed process left behind is removed
//! by the next one that makes a tree of the same repository.

use super::base::git;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How the name of the folder begins; the id of the process follows.
const NAME: &str = "ragline-base-";

/// The trees of this process, with their repositories, for the one end that drops nothing.
static TREES: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A tree that is made when it is first used.
#[derive(Debug)]
pub struct Worktree {
    root: PathBuf,
    commit: String,
    path: PathBuf,
    users: Mutex<usize>,
}

impl Worktree {
    /// The tree of a commit of the repository around `root`. Nothing is made yet.
    pub fn new(root: &Path, commit: &str) -> Worktree {
        let name = format!("{NAME}{}-{:08x}", std::process::id(), fastrand::u32(..));
        let path = std::env::temp_dir().join(name);
        Worktree { root: root.to_owned(), commit: commit.to_owned(), path, users: Mutex::new(0) }
    }

    /// Its folder, which is there while somebody holds it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it, where nobody has yet. It waits for git.
    ///
    /// # Errors
    /// What git said.
    pub fn hold(&self) -> Result<(), String> {
        let mut users = lock(&self.users);
        if *users == 0 {
            remove_left_behind(&self.root);
            lock(&TREES).insert(self.path.clone(), self.root.clone());
            let path = self.path.to_string_lossy();
            // The hooks of the repository are for people who check out.
            let add = ["-c", "core.hooksPath=/dev/null", "worktree", "add", "--detach", "--quiet", &path, &self.commit];
            if let Err(why) = git(&self.root, &add) {
                self.remove();
                return Err(format!("git cannot check out {} in {path}: {why}", self.commit));
            }
        }
        *users += 1;
        Ok(())
    }

    /// Gives it back; the last one removes it. More than were held is no harm.
    pub fn release(&self) {
        let mut users = lock(&self.users);
        if *users == 1 {
            self.remove();
        }
        *users = users.saturating_sub(1);
    }

    fn remove(&self) {
        remove(&self.root, &self.path);
        lock(&TREES).remove(&self.path);
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        if *lock(&self.users) > 0 {
            self.remove();
        }
    }
}

/// Removes every tree of this process. To be called right before it ends without dropping what it holds.
pub(crate) fn remove_all() {
    for (path, root) in lock(&TREES).iter() {
        remove(root, path);
    }
}

fn remove(root: &Path, path: &Path) {
    let shown = path.to_string_lossy();
    let removed = git(root, &["worktree", "remove", "--force", "--force", &shown]);
    if removed.is_err() || path.exists() {
        // What is not there any more is no harm; what cannot be removed lies among the temporary files.
        let _ = fs::remove_dir_all(path);
        let _ = git(root, &["worktree", "prune"]);
    }
}

/// Removes the trees of processes that are gone.
fn remove_left_behind(root: &Path) {
    let Ok(listed) = git(root, &["worktree", "list", "--porcelain"]) else { return };
    for line in String::from_utf8_lossy(&listed).lines() {
        let Some(path) = line.strip_prefix("worktree ").map(Path::new) else { continue };
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let process = name.strip_prefix(NAME).and_then(|rest| rest.split('-').next()?.parse().ok());
        if process.is_some_and(is_gone) {
            remove(root, path);
        }
    }
}

/// Whether no process has this id any more.
#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    let pid = rustix::process::Pid::from_raw(process);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_gone(_process: i32) -> bool {
    false
}

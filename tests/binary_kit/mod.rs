//! Throw-away projects on which the real binary is run.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that is removed at the end.
pub(crate) struct Folder {
    dir: tempfile::TempDir,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Fails the test, with all that was printed, unless the command ended so.
    #[track_caller]
    pub(crate) fn exits(self, exit: i32) -> Ran {
        assert_eq!(self.exit, exit, "\n--- stdout\n{}\n--- stderr\n{}", self.out, self.err);
        self
    }

    /// The same unless standard error holds each of these.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Ran {
        for w in words {
            assert!(self.err.contains(w), "{w:?} is not in:\n{}", self.err);
        }
        self
    }

    /// The same unless standard output holds each of these.
    #[track_caller]
    pub(crate) fn shows(self, words: &[&str]) -> Ran {
        for w in words {
            assert!(self.out.contains(w), "{w:?} is not in:\n{}", self.out);
        }
        self
    }
}

/// Runs the binary in a folder, away from the environment of the test run.
pub(crate) fn ragline(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("RAGLINE_") || name.starts_with("GITHUB_") || name == "CI" || name == "COLUMNS" {
            command.env_remove(name);
        }
    }
    let done = command.current_dir(folder).args(args).env("RUST_BACKTRACE", "0").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let ran = Ran { exit: done.status.code().unwrap_or(-1), out: text(&done.stdout), err: text(&done.stderr) };
    assert!(!ran.err.contains("panicked"), "ragline {args:?} panicked:\n{}", ran.err);
    ran
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder { dir: tempfile::tempdir().unwrap() }
    }

    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        ragline(self.path(), args)
    }

    /// The folder of the last run.
    pub(crate) fn last_run(&self) -> PathBuf {
        let runs = self.path().join(".ragline/runs");
        let name = std::fs::read_to_string(runs.join("latest")).unwrap();
        runs.join(name.trim())
    }

    /// The outcomes of the last run by id, of one suite or of all that it ran.
    pub(crate) fn results(&self) -> BTreeMap<String, Value> {
        lines(&std::fs::read_to_string(self.last_run().join("results.jsonl")).unwrap())
            .skip(1)
            .map(|v| (v["id"].as_str().unwrap().to_owned(), v))
            .collect()
    }

    /// Every file with its content, but for what lies in `.ragline`.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let kept = |path: &Path| path.components().any(|c| c.as_os_str() == ".ragline");
        self.all_files().into_iter().filter(|(path, _)| !kept(path)).collect()
    }

    /// Every file with its content, what runs leave in `.ragline` too.
    pub(crate) fn all_files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.path().to_owned()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let bytes = std::fs::read(&path).unwrap();
                    files.insert(path, bytes);
                }
            }
        }
        files
    }

    /// The folders of runs, whole or not.
    pub(crate) fn runs(&self) -> Vec<PathBuf> {
        let Ok(list) = std::fs::read_dir(self.path().join(".ragline/runs")) else { return Vec::new() };
        list.map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect()
    }
}

/// JSON, line by line.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines().map(|l| serde_json::from_str(l).unwrap())
}

/// The outcome of a layer in a line of results.
pub(crate) fn outcome<'a>(line: &'a Value, layer: &str) -> &'a str {
    line["layers"][layer]["outcome"].as_str().unwrap()
}

//! Shards as CI runs them: each in a checkout of its own, and a merge in another one that gets their run folders.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

pub(crate) mod project;

use crate::binary_kit::{Folder, Ran};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names of variables by which CI engines number jobs: those around the test run must not be seen.
const ENGINES: [&str; 14] = [
    "CI_NODE_INDEX",
    "CI_NODE_TOTAL",
    "GITLAB_CI",
    "BUILDKITE",
    "BUILDKITE_PARALLEL_JOB",
    "BUILDKITE_PARALLEL_JOB_COUNT",
    "CIRCLECI",
    "CIRCLE_NODE_INDEX",
    "CIRCLE_NODE_TOTAL",
    "TF_BUILD",
    "SYSTEM_JOBPOSITIONINPHASE",
    "SYSTEM_TOTALJOBSINPHASE",
    "JOB_COMPLETION_INDEX",
    "GITHUB_ACTIONS",
];

/// The binary in a folder, away from the environment of the test run.
pub(crate) fn command(folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("RAGLINE_") || text.starts_with("SLURM_") || text == "CI" || ENGINES.contains(&&*text) {
            command.env_remove(&name);
        }
    }
    command.current_dir(folder).args(args).env("COLUMNS", "100").envs(variables.iter().copied());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn run(folder: &Folder, args: &[&str], variables: &[(&str, &str)]) -> Ran {
    let done = command(folder.path(), args, variables).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ran { exit: done.status.code().unwrap_or(-1), out: text(&done.stdout), err: text(&done.stderr) }
}

/// A copy of a folder with all that lies in it.
pub(crate) fn copy_into(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_into(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Another checkout of the same commit: the files without what runs left.
pub(crate) fn checkout(of: &Folder) -> Folder {
    let copy = Folder::new();
    for (path, bytes) in of.files() {
        let name = path.strip_prefix(of.path()).unwrap().to_str().unwrap().to_owned();
        copy.write(&name, &bytes);
    }
    copy
}

/// The reports of one run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) exit: i32,
    pub(crate) results: String,
    pub(crate) junit: String,
    pub(crate) markdown: String,
    pub(crate) terminal: String,
}

pub(crate) const REPORTS: [&str; 6] = ["--results", "r.jsonl", "--junit", "j.xml", "--markdown", "m.md"];

/// What one command says and writes.
pub(crate) fn said(folder: &Folder, args: &[&str]) -> Said {
    let all: Vec<&str> = args.iter().copied().chain(REPORTS).collect();
    let ran = run(folder, &all, &[]);
    assert!(folder.path().join("r.jsonl").is_file(), "{}\n{}", ran.out, ran.err);
    Said {
        exit: ran.exit,
        results: folder.read("r.jsonl"),
        junit: folder.read("j.xml"),
        markdown: folder.read("m.md"),
        terminal: ran.out,
    }
}

/// Shards that have been run, each in a checkout of its own, with the checkout in which they are merged.
pub(crate) struct Shards {
    pub(crate) merging: Folder,
    /// Their run folders in `artefacts/N`.
    pub(crate) folders: Vec<PathBuf>,
}

impl Shards {
    /// Runs so many shards at once; words may differ by shard.
    pub(crate) fn run(project: &Folder, of: usize, words: &dyn Fn(usize) -> Vec<String>) -> Shards {
        let checkouts: Vec<Folder> = (0..of).map(|_| checkout(project)).collect();
        Shards::in_checkouts(project, &checkouts, words)
    }

    /// The same in checkouts that may differ.
    pub(crate) fn in_checkouts(project: &Folder, checkouts: &[Folder], words: &dyn Fn(usize) -> Vec<String>) -> Shards {
        let mut running = Vec::new();
        for (i, folder) in checkouts.iter().enumerate() {
            let shard = format!("{}/{}", i + 1, checkouts.len());
            let mut args = vec!["run".to_owned(), "--shard".into(), shard];
            args.extend(words(i + 1));
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            running.push(command(folder.path(), &args, &[]).spawn().unwrap());
        }
        for child in running {
            let out = child.wait_with_output().unwrap();
            let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
            assert_eq!(out.status.code(), Some(0), "{}\n{}", text(&out.stdout), text(&out.stderr));
        }
        Shards::collect(project, checkouts)
    }

    /// The run folders of checkouts in which a shard came to its end, in a checkout of the project.
    pub(crate) fn collect(project: &Folder, checkouts: &[Folder]) -> Shards {
        let merging = checkout(project);
        let mut folders = Vec::new();
        for (i, folder) in checkouts.iter().enumerate() {
            let name = format!("artefacts/{}", i + 1);
            copy_into(&folder.last_run(), &merging.path().join(&name));
            folders.push(PathBuf::from(name));
        }
        Shards { merging, folders }
    }

    pub(crate) fn plain(project: &Folder, of: usize) -> Shards {
        Shards::run(project, of, &|_| vec!["--today".into(), "2026-12-01".into()])
    }

    pub(crate) fn merge(&self) -> Ran {
        run(&self.merging, &["merge", "artefacts"], &[])
    }

    /// The merge is refused with this code and these words, and leaves no run and no report.
    #[track_caller]
    pub(crate) fn refused(&self, code: &str, words: &[&str]) {
        let all: Vec<&str> = ["merge", "artefacts"].into_iter().chain(REPORTS).collect();
        let ran = run(&self.merging, &all, &[]);
        assert!(ran.err.contains(&format!("error[{code}]")), "{code}:\n{}", ran.err);
        ran.exits(2).says(words);
        assert_eq!(self.merging.runs(), Vec::<PathBuf>::new(), "{code}");
        assert!(!self.merging.path().join("r.jsonl").exists(), "{code}: results of no run");
        // A build server that reads only the reports must see that there is no run.
        for report in ["j.xml", "m.md"] {
            assert!(self.merging.read(report).contains(code), "{code}: {report}");
        }
    }

    pub(crate) fn path(&self, shard: usize, file: &str) -> PathBuf {
        self.merging.path().join(&self.folders[shard - 1]).join(file)
    }

    pub(crate) fn edit(&self, shard: usize, file: &str, edit: impl Fn(&str) -> String) {
        let path = self.path(shard, file);
        let text = std::fs::read_to_string(&path).unwrap();
        let edited = edit(&text);
        assert_ne!(text, edited, "the edit changes nothing");
        std::fs::write(path, edited).unwrap();
    }
}

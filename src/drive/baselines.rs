//! The baselines of a project: which files there are, and whose they are.

use super::record::usual_target;
use super::session::{Opened, stem_for, with_ending};
use crate::problem::shown_path;
use crate::suite::Suite;
use std::path::{Path, PathBuf};

/// How the file of a baseline ends.
pub const BASELINE: &str = ".baseline.toml";

/// How the file of its accepted answers ends.
pub const ANSWERS: &str = ".accepted.jsonl";

/// The two files of a baseline, by path and as messages name them. Neither need be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The baseline.
    pub baseline: (PathBuf, String),
    /// The accepted answers.
    pub answers: (PathBuf, String),
}

impl Pair {
    /// The pair that stands at a path without its ending.
    pub fn at(stem: &Path, root: &Path) -> Pair {
        let file = |ending| {
            let path = with_ending(stem, ending);
            let shown = shown_path(&path, root);
            (path, shown)
        };
        Pair { baseline: file(BASELINE), answers: file(ANSWERS) }
    }

    /// The pair of which a path is one file; none where it is neither.
    pub fn of(path: &Path, root: &Path) -> Option<Pair> {
        let name = path.file_name()?.to_str()?;
        let stem = name.strip_suffix(BASELINE).or_else(|| name.strip_suffix(ANSWERS)).filter(|s| !s.is_empty())?;
        Some(Pair::at(&path.with_file_name(stem), root))
    }
}

/// A baseline with its suite.
#[derive(Debug)]
pub struct Of<'o> {
    /// The suite.
    pub suite: &'o Suite,
    /// The target whose baseline it is, where it is not the suite's usual one.
    pub target: Option<&'o str>,
    /// Its files.
    pub pair: Pair,
}

impl Of<'_> {
    /// The target that gave its answers, as far as the suite tells.
    pub fn target_name(&self) -> &str {
        self.target.unwrap_or_else(|| usual_target(self.suite))
    }
}

/// Every baseline that a suite of the project can have: one, and one for each other target.
pub fn of_project(opened: &Opened) -> Vec<Of<'_>> {
    let root = &opened.project.root;
    let of = |suite, target| {
        let folder = suite_folder(suite, root);
        Of { suite, target, pair: Pair::at(&stem_for(folder, suite, target), root) }
    };
    let each = |suite: &'_ Suite| usual_target(suite).to_owned();
    let mut all = Vec::new();
    for suite in &opened.suites {
        let usual = each(suite);
        all.push(of(suite, None));
        all.extend(opened.project.targets.keys().filter(|t| **t != usual).map(|t| of(suite, Some(t.as_str()))));
    }
    all
}

fn suite_folder<'a>(suite: &'a Suite, root: &'a Path) -> &'a Path {
    suite.path.parent().unwrap_or(root)
}

/// The files of baselines in the folders of the suites that no suite of the project can have.
pub fn of_nobody(opened: &Opened) -> Vec<Pair> {
    let root = opened.project.root.as_path();
    let known: Vec<PathBuf> = of_project(opened).into_iter().map(|of| of.pair.baseline.0).collect();
    let mut folders: Vec<&Path> = opened.suites.iter().map(|s| suite_folder(s, root)).collect();
    folders.sort_unstable();
    folders.dedup();
    let mut found = Vec::new();
    for folder in folders {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
        found.extend(entries.filter_map(|path| Pair::of(&path, root)).filter(|p| !known.contains(&p.baseline.0)));
    }
    found.sort_by(|a, b| a.baseline.1.cmp(&b.baseline.1));
    found.dedup();
    found
}

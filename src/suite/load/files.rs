//! The suite files of a project.

use super::load;
use crate::problem::{Place, Problem, Problems, shown_path};
use crate::suite::model::Suite;
use std::path::{Path, PathBuf};

/// The suites of a project: `suites/*.yaml`, `*.yml` and `*.jsonl` that are no recordings, in the order of their names.
/// None when there is no such folder.
///
/// # Errors
/// A problem when the folder cannot be listed.
pub fn discover(root: &Path) -> Result<Vec<PathBuf>, Problems> {
    let folder = root.join("suites");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let unreadable = |e: std::io::Error| {
        let shown = shown_path(&folder, root);
        Problems::from(Problem::error(
            "folder-unreadable",
            Place::file(&shown),
            format!("cannot list this folder: {e}"),
        ))
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() && is_suite(&path) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn is_suite(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let ending = [".yaml", ".yml", ".jsonl"].iter().any(|e| name.ends_with(e));
    let beside =
        [".accepted.jsonl", ".history.jsonl", ".labels.jsonl", ".responses.jsonl"].iter().any(|e| name.ends_with(e));
    ending && !beside && !name.starts_with('.')
}

/// Reads several suites. Two suites of one name are an error: their verdicts could not be told apart.
///
/// # Errors
/// Everything that is wrong with any of the files, and the warnings.
pub fn load_all(paths: &[PathBuf], root: &Path) -> Result<(Vec<Suite>, Problems), Problems> {
    let mut suites: Vec<Suite> = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        match load(path, &shown_path(path, root)) {
            Ok((suite, warnings)) => {
                problems.extend(warnings.0);
                if let Some(other) = suites.iter().find(|s| s.name.eq_ignore_ascii_case(&suite.name)) {
                    problems.push(
                        Problem::error(
                            "duplicate-suite",
                            Place::file(&suite.shown),
                            format!("suite `{}` is given in {} and in {}", suite.name, other.shown, suite.shown),
                        )
                        .related(Place::file(&other.shown), "the other one")
                        .help("give one of them another name with `suite:`"),
                    );
                }
                suites.push(suite);
            }
            Err(p) => problems.extend(p.0),
        }
    }
    let problems = Problems(problems);
    if problems.any_error() { Err(problems) } else { Ok((suites, problems)) }
}

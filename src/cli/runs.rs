//! Runs as the commands that compare them are given them.

use ragline::compare::Run;
use ragline::drive::artefact;
use ragline::problem::{Problems, shown_path};
use ragline::suite::config;
use std::path::{Path, PathBuf};

/// Reads the results of a run: a folder of a run or one that holds it, the archive in which CI keeps it, a file of results, the
/// id of a run of the project, or `latest`. `NAME=RUN` gives it a name.
pub(super) fn read(folder: &Path, given: &str) -> Result<Run, Problems> {
    // A path may hold `=`: it is a name only where no such path is there.
    let named = given.split_once('=').filter(|_| !folder.join(given).exists());
    let (name, run) = named.map_or((None, given), |(name, run)| (Some(name), run));
    let root = config::root_of(folder).unwrap_or_else(|| folder.to_owned());
    let path = place(folder, &root, run);
    let own = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.unwrap_or(&own);
    let load = |file: &Path| Run::load(name, file, &shown_path(file, folder));
    let zip = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zip"));
    if path.is_dir() && path.join("results.jsonl").is_file() {
        return Ok(load(&path.join("results.jsonl"))?.with_record(&path.join("run.json")));
    }
    if path.is_dir() || (path.is_file() && zip) {
        // Kept until it is read: the folder of an archive lasts as long as this.
        let held = artefact::open(&root, &path)?;
        let run = load(&held.folder().join("results.jsonl"))?;
        return Ok(run.with_record(&held.folder().join("run.json")));
    }
    load(&path)
}

/// Where a run lies: at the path, or, where there is nothing, among the runs of the project.
fn place(folder: &Path, root: &Path, run: &str) -> PathBuf {
    let path = folder.join(run);
    if path.exists() {
        return path;
    }
    let runs = root.join(".ragline").join("runs");
    let last = || std::fs::read_to_string(runs.join("latest")).ok().map(|name| runs.join(name.trim()));
    let known = if run == "latest" { last() } else { Some(runs.join(run)) };
    known.filter(|p| p.is_dir()).unwrap_or(path)
}

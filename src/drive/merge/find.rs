//! Finding the folders of shards, and reading what they are.

use crate::drive::record::{self, Record};
use crate::drive::shard::record::ShardRecord;
use crate::problem::{Place, Problem, Problems, shown_path};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One shard that came to its end.
#[derive(Debug)]
pub(super) struct Piece {
    /// Its folder.
    pub(super) folder: PathBuf,
    /// The same as messages show it.
    pub(super) shown: String,
    /// Its journal as messages show it.
    pub(super) journal: Arc<str>,
    /// What it says of the whole.
    pub(super) shard: ShardRecord,
}

impl Piece {
    /// `shard 2 of 7 (.ragline/runs/20261130-061502-04f2a-2of7)`.
    pub(super) fn name(&self) -> String {
        format!("shard {} of {} ({})", self.shard.index, self.shard.of, self.shown)
    }
}

/// Artefacts are unpacked into folders of folders; nobody packs a run deeper.
const DEPTH: usize = 8;

/// The first line of a journal is short.
const LINE: u64 = 1 << 20;

/// All shards that are named: folders of runs, and the shards in folders of them. What else lies in such a folder is left
/// alone.
///
/// # Errors
/// A folder that is not there, that is a run and no shard, or in which there is no shard; a shard that did not come to its
/// end, or whose record cannot be read.
pub(super) fn all(named: &[PathBuf], root: &Path) -> Result<Vec<Piece>, Problems> {
    let mut problems = Problems::default();
    let mut folders = Vec::new();
    for path in named {
        match of(path, root) {
            Ok(found) => folders.extend(found),
            Err(p) => problems.0.push(p),
        }
    }
    // Named twice, by two words for one folder, is named once.
    let mut seen = BTreeSet::new();
    folders.retain(|f| seen.insert(fs::canonicalize(f).unwrap_or_else(|_| f.clone())));
    let mut pieces = Vec::new();
    for folder in folders {
        match read(&folder, root) {
            Ok(piece) => pieces.push(piece),
            Err(more) => problems.0.extend(more.0),
        }
    }
    if problems.any_error() {
        return Err(problems);
    }
    pieces.sort_by(|a, b| (a.shard.index, &a.shown).cmp(&(b.shard.index, &b.shown)));
    Ok(pieces)
}

fn of(path: &Path, root: &Path) -> Result<Vec<PathBuf>, Problem> {
    let shown = shown_path(path, root);
    if !path.is_dir() {
        let what = if path.exists() { "it is no folder" } else { "there is no such folder" };
        return Err(Problem::error("no-run", Place::file(&shown), what)
            .help("name the run folders of the shards, or a folder in which they lie"));
    }
    if is_run(path) {
        if what(path) == What::Whole {
            return Err(Problem::error("not-a-shard", Place::file(&shown), "this run is no shard, and needs no merge")
                .help("a shard is a run with --shard i/n; look at this one with `ragline report`"));
        }
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    look(path, DEPTH, &mut found);
    if found.is_empty() {
        return Err(Problem::error("no-shards", Place::file(&shown), "there is no shard in this folder").help(
            "a shard is the folder of a run with --shard i/n; keep `.ragline/` of each job, hidden files with it",
        ));
    }
    found.sort();
    Ok(found)
}

fn is_run(folder: &Path) -> bool {
    folder.join("run.json").is_file() || folder.join("journal.jsonl").is_file()
}

fn look(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if is_run(folder) {
        if what(folder) != What::Whole {
            found.push(folder.to_owned());
        }
        return;
    }
    let Some(depth) = depth.checked_sub(1) else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        // Links are not followed: there is no way round in a circle.
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            look(&entry.path(), depth, found);
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A run that asked everything.
    Whole,
    /// A shard, with its name where the journal tells it.
    Shard(Option<String>),
}

#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    shard: Option<String>,
}

/// What the folder of a run holds. What cannot be told is taken for a shard: reading it says what is wrong.
fn what(folder: &Path) -> What {
    let mut line = String::new();
    let read =
        File::open(folder.join("journal.jsonl")).and_then(|file| BufReader::new(file.take(LINE)).read_line(&mut line));
    match (read, serde_json::from_str::<Head>(&line)) {
        (Ok(_), Ok(Head { shard: Some(name) })) => What::Shard(Some(name)),
        (Ok(_), Ok(Head { shard: None })) => What::Whole,
        (Ok(_), Err(_)) | (Err(_), _) => What::Shard(None),
    }
}

fn read(folder: &Path, root: &Path) -> Result<Piece, Problems> {
    let shown = shown_path(folder, root);
    let name = match what(folder) {
        What::Shard(Some(name)) => format!("shard {name}"),
        What::Shard(None) | What::Whole => "this shard".to_owned(),
    };
    if record::is_unfinished(folder) {
        let what = format!("{name} did not come to its end");
        let help = match what_words(folder) {
            Some(words) => format!("go on with it: `ragline run --resume={shown} {words}`, or run it anew"),
            None => "run it anew".to_owned(),
        };
        return Err(Problem::error("shard-unfinished", Place::file(&shown), what).help(help).into());
    }
    let run = record::read(root, Some(folder))?;
    let Record { shard, .. } = run.record;
    let Some(shard) = shard else {
        let what = "the journal is that of a shard, and the record is not";
        return Err(Problem::error("shard-damaged", Place::file(&shown), what).help("run that shard anew").into());
    };
    let journal = shown_path(&folder.join("journal.jsonl"), root).into();
    Ok(Piece { folder: folder.to_owned(), shown, journal, shard })
}

/// `--shard 2/7`, where the journal tells it.
fn what_words(folder: &Path) -> Option<String> {
    match what(folder) {
        What::Shard(name) => name.map(|n| format!("--shard {n}")),
        What::Whole => None,
    }
}

//! A run as CI hands it over: a folder that holds exactly one run somewhere below, or the archive of it. It may come from a
//! fork, so nothing of it is believed: sizes and numbers are bounded, only the three files of a run that accepting reads are
//! looked at, no link and no path is followed, and nothing is executed.

use crate::problem::{Place, Problem, Problems};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// The files of a run that are read, each with the most bytes that it may have. A run of 10,000 questions with ten passages
/// each has a journal of some 200 MB.
const FILES: [(&str, u64); 3] = [("run.json", 128 << 20), ("results.jsonl", 512 << 20), ("journal.jsonl", 2 << 30)];

/// An archive is at most so many bytes long; 1 GiB.
const LARGEST_ARCHIVE: u64 = 1 << 30;

/// A folder or an archive holds at most so many entries that are looked at.
const ENTRIES: usize = 20_000;

/// A folder is looked into so deep.
const DEPTH: usize = 12;

/// A file of more than [`SMALL`] bytes may be so many times as long as it is in the archive. JSON packs 5 to 30 times; the
/// format itself ends at 1,032.
const RATIO: u64 = 200;

/// Files up to this size, in bytes, are not held against [`RATIO`]: little text may repeat itself a great deal.
const SMALL: u64 = 16 << 20;

/// How many runs are listed where there is more than one.
const LISTED: usize = 10;

/// Folders that no run is looked for in.
const PASSED_OVER: [&str; 3] = [".git", "target", "node_modules"];

/// The folder of a run. One that was unpacked for this command goes with it.
#[derive(Debug)]
pub struct Held {
    folder: PathBuf,
    unpacked: bool,
}

impl Held {
    /// The folder, with all files of a run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.unpacked {
            // It lies in `.ragline/`, which git ignores; one that cannot be removed harms nobody.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

fn no_artefact(code: &'static str, path: &Path, what: impl Into<String>) -> Problem {
    Problem::error(code, Place::file(&path.to_string_lossy()), what)
}

/// Finds the one run that a folder or an archive holds. An archive is unpacked into `.ragline/` of the project at `root`.
///
/// # Errors
/// When there is nothing at the path, when it holds no run or several, or when it is more, larger or of another kind than a
/// run is.
pub fn open(root: &Path, path: &Path) -> Result<Held, Problems> {
    let kind = fs::metadata(path).map_err(|e| {
        no_artefact("no-run", path, format!("cannot look there for a run: {e}"))
            .help("name the folder that holds run.json, a folder above it, or the archive that CI keeps")
    })?;
    if kind.is_dir() {
        let folder = find(path)?;
        regular(&folder)?;
        return Ok(Held { folder, unpacked: false });
    }
    if !kind.is_file() {
        return Err(no_artefact("artefact-kind", path, "this is neither a folder nor a file").into());
    }
    if kind.len() > LARGEST_ARCHIVE {
        let what = format!("the archive has {} bytes, more than {LARGEST_ARCHIVE}", kind.len());
        return Err(too_large(path, what).into());
    }
    unpack(root, path)
}

fn too_large(path: &Path, what: String) -> Problem {
    no_artefact("artefact-too-large", path, what)
        .help("keep only `.ragline/runs/ID` in the artefact, or unpack it yourself and name the folder")
}

/// The one run at or below a folder. No link is followed.
fn find(path: &Path) -> Result<PathBuf, Problem> {
    if path.join("run.json").exists() {
        return Ok(path.to_owned());
    }
    let mut runs = Vec::new();
    let mut seen = 0_usize;
    let mut level = vec![path.to_owned()];
    for _ in 0..DEPTH {
        let mut below = Vec::new();
        for folder in level {
            let entries = fs::read_dir(&folder)
                .map_err(|e| no_artefact("no-run", &folder, format!("cannot look there for a run: {e}")))?;
            for entry in entries.flatten() {
                seen += 1;
                if seen > ENTRIES {
                    let what = format!("this folder holds more than {ENTRIES} files");
                    return Err(no_artefact("artefact-too-large", path, what).help("name the folder of the run itself"));
                }
                let of_kind = entry.file_type().is_ok_and(|t| t.is_dir());
                if of_kind && !PASSED_OVER.iter().any(|n| entry.file_name() == *n) {
                    below.push(entry.path());
                }
            }
        }
        let is_run = |f: &PathBuf| f.join("run.json").is_file() && f.join("results.jsonl").is_file();
        let (here, further) = below.into_iter().partition(is_run);
        runs.extend::<Vec<PathBuf>>(here);
        level = further;
    }
    runs.sort();
    let name = |run: &PathBuf| run.file_name().is_some_and(|n| is_shard(&n.to_string_lossy()));
    if runs.iter().any(|run| !name(run)) {
        runs.retain(|run| !name(run));
    }
    let shown = |run: &PathBuf| {
        let last = run.parent().and_then(|p| fs::read_to_string(p.join("latest")).ok());
        let is_last = last.is_some_and(|l| run.file_name().is_some_and(|n| *n == *l.trim()));
        format!("{}{}", run.to_string_lossy(), if is_last { " (the last one)" } else { "" })
    };
    match runs.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(none(path, "folder")),
        several => Err(many(path, "folder", several.iter().rev().map(shown).collect(), "name one of them with --run")),
    }
}

/// Whether a folder is called as that of a shard is: `ID-2of7`. A job that puts shards together may keep them beside the merged run,
/// which alone can be meant; who reads a run looks at what it says of itself.
fn is_shard(name: &str) -> bool {
    let numbers = name.rsplit_once('-').and_then(|(_, last)| last.split_once("of"));
    numbers.is_some_and(|(n, of)| [n, of].iter().all(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit())))
}

fn none(path: &Path, kind: &str) -> Problem {
    let names = FILES.map(|(name, _)| name).join(", ");
    no_artefact("no-run", path, format!("this {kind} holds no whole run: no folder with {names}"))
        .help("keep `.ragline/` of the job as its artefact, hidden files included, and take that of a run that came to its end")
}

fn many(path: &Path, kind: &str, runs: Vec<String>, help: &str) -> Problem {
    let more = runs.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let listed = runs.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    no_artefact("several-runs", path, format!("this {kind} holds {} runs: {listed}{more}", runs.len())).help(help)
}

/// The files of the run are files, and no larger than a run's.
fn regular(folder: &Path) -> Result<(), Problem> {
    for (name, largest) in FILES {
        let path = folder.join(name);
        // One that is not there is told by who reads it.
        let Ok(kind) = fs::symlink_metadata(&path) else { continue };
        if !kind.is_file() {
            let what = "a file of a run is a plain file, and this is a link or something else";
            return Err(no_artefact("artefact-unsafe", &path, what)
                .help("make the artefact anew in CI; do not accept this one"));
        }
        if kind.len() > largest {
            return Err(too_large(&path, format!("this file has {} bytes, more than {largest}", kind.len())));
        }
    }
    Ok(())
}

/// What is known of an entry of an archive before anything of it is unpacked.
struct Packed {
    at: usize,
    link: bool,
}

fn unpack(root: &Path, path: &Path) -> Result<Held, Problems> {
    let unreadable =
        |what: String| no_artefact("artefact-kind", path, what).help("expected a folder, or a .zip as CI keeps it");
    let file = || File::open(path).map_err(|e| unreadable(format!("cannot read this file: {e}")));
    let broken = |e: zip::result::ZipError| unreadable(format!("this is no archive that can be read: {e}"));
    let entries = headers(file()?).map_err(|e| unreadable(format!("cannot read this file: {e}")))?;
    if entries > ENTRIES {
        return Err(too_large(path, format!("the archive holds some {entries} files, more than {ENTRIES}")).into());
    }
    let mut archive = ZipArchive::new(BufReader::new(file()?)).map_err(broken)?;
    // Two files of one name, or two that share their bytes: what is looked at elsewhere may not be what is read here.
    if archive.has_duplicate_names() || archive.has_overlapping_files().map_err(broken)? {
        return Err(unsafe_entry(
            path,
            "the archive holds two files of one name, or two that share their bytes".into(),
        )
        .into());
    }
    let mut folders: BTreeMap<String, BTreeMap<&'static str, Packed>> = BTreeMap::new();
    for at in 0..archive.len() {
        let entry = archive.by_index_raw(at).map_err(broken)?;
        let name = match entry.name() {
            Ok(name) if is_plain(&name) => name.into_owned(),
            Ok(name) => {
                return Err(unsafe_entry(
                    path,
                    format!("the archive holds a file `{name}`, whose path leads out of it"),
                )
                .into());
            }
            Err(_) => return Err(unsafe_entry(path, "the archive holds a file whose name is no text".into()).into()),
        };
        let (folder, last) = name.rsplit_once('/').unwrap_or(("", &name));
        if let Some((known, _)) = FILES.iter().find(|(n, _)| *n == last) {
            let packed = Packed { at, link: entry.is_symlink() };
            folders.entry(folder.to_owned()).or_default().insert(known, packed);
        }
    }
    folders.retain(|_, files| files.len() == FILES.len());
    let shard = |folder: &str| is_shard(folder.rsplit_once('/').map_or(folder, |(_, last)| last));
    if folders.keys().any(|folder| !shard(folder)) {
        folders.retain(|folder, _| !shard(folder));
    }
    if folders.len() > 1 {
        let named = folders.keys().rev().cloned().collect();
        return Err(many(path, "archive", named, "unpack it, and name the folder of one of them with --run").into());
    }
    let Some((_, files)) = folders.pop_first() else { return Err(none(path, "archive").into()) };
    let held = fresh(root)?;
    for (name, largest) in FILES {
        let Some(packed) = files.get(name) else { continue };
        if packed.link {
            return Err(unsafe_entry(path, format!("`{name}` of the run is a link")).into());
        }
        write_out(&mut archive, packed.at, &held.folder.join(name), largest).map_err(|why| match why {
            Why::TooLarge(what) => too_large(path, format!("`{name}` of the run {what}")),
            Why::Broken(what) => unreadable(format!("`{name}` of the run cannot be unpacked: {what}")),
        })?;
    }
    Ok(held)
}

/// How many headers of entries an archive holds, at most: each begins with these four bytes, and the reader of archives makes
/// room for all of them before anybody can ask how many there are.
fn headers(mut file: File) -> io::Result<usize> {
    const SIGN: &[u8] = b"PK\x01\x02";
    let mut bytes = vec![0; 1 << 20];
    let (mut found, mut kept) = (0, 0);
    loop {
        let read = file.read(bytes.get_mut(kept..).unwrap_or_default())?;
        if read == 0 {
            return Ok(found);
        }
        let filled = kept + read;
        found += memchr::memmem::find_iter(bytes.get(..filled).unwrap_or_default(), SIGN).count();
        // A sign may stand across the end of what has been read; three bytes alone hold none.
        kept = filled.min(SIGN.len() - 1);
        bytes.copy_within(filled - kept..filled, 0);
    }
}

fn unsafe_entry(path: &Path, what: String) -> Problem {
    no_artefact("artefact-unsafe", path, what).help("no job of CI makes such an archive: do not accept it")
}

/// A path inside an archive that stays inside: relative, with `/` between parts of which none is `..` or empty.
fn is_plain(name: &str) -> bool {
    let inner = name.strip_suffix('/').unwrap_or(name);
    let drive = inner.as_bytes().get(1) == Some(&b':');
    !drive
        && !inner.contains(|c: char| c == '\\' || c.is_control())
        && inner.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// A folder of its own below `.ragline/`.
fn fresh(root: &Path) -> Result<Held, Problem> {
    let top = root.join(".ragline");
    let folder = top.join(format!("unpacked-{}", std::process::id()));
    let make = || -> io::Result<()> {
        fs::create_dir_all(&top)?;
        let ignore = top.join(".gitignore");
        if !ignore.exists() {
            fs::write(ignore, "*\n")?;
        }
        // What a killed process of the same number left behind is nobody's.
        match fs::remove_dir_all(&folder) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            Ok(()) | Err(_) => {}
        }
        fs::create_dir(&folder)
    };
    make().map_err(|e| no_artefact("run-folder", &folder, format!("cannot make this folder: {e}")))?;
    Ok(Held { folder, unpacked: true })
}

enum Why {
    TooLarge(String),
    Broken(String),
}

/// Unpacks one file. What the archive says of sizes is not believed: the bytes are counted.
fn write_out<R: Read + Seek>(archive: &mut ZipArchive<R>, at: usize, to: &Path, largest: u64) -> Result<(), Why> {
    let broken = |e: String| Why::Broken(e);
    let entry = archive.by_index(at).map_err(|e| broken(e.to_string()))?;
    let dense = entry.compressed_size().saturating_mul(RATIO).max(SMALL);
    let most = largest.min(dense);
    let mut out = File::create_new(to).map_err(|e| broken(e.to_string()))?;
    let written = io::copy(&mut entry.take(most.saturating_add(1)), &mut out).map_err(|e| broken(e.to_string()))?;
    out.flush().map_err(|e| broken(e.to_string()))?;
    if written <= most {
        return Ok(());
    }
    Err(Why::TooLarge(if most < largest {
        format!("is more than {RATIO} times as long as it is packed")
    } else {
        format!("has more than {largest} bytes")
    }))
}

#[cfg(test)]
mod tests {
    use super::{is_plain, is_shard};

    #[test]
    fn shards_are_known_by_their_names() {
        assert!(is_shard("20261130-061500-0abcd-2of7") && is_shard("20261130-061500-0abcd-12of120"));
        for name in ["20261130-061500-0abcd", "2of7", "x-of", "x-2of", "x-of7", "x-2ofx", "profof"] {
            assert!(!is_shard(name), "{name}");
        }
    }

    #[test]
    fn a_path_stays_inside_its_archive() {
        for name in ["run.json", ".ragline/runs/20261130-061500-0abcd/run.json", "a/", "a/..b/c", "ä/ö.json"] {
            assert!(is_plain(name), "{name}");
        }
        for name in [
            "../run.json",
            "a/../../run.json",
            "/etc/run.json",
            "C:/run.json",
            "a\\..\\run.json",
            "a//run.json",
            "./run.json",
            "a\0b",
            "",
            "\\\\host\\share\\run.json",
        ] {
            assert!(!is_plain(name), "{name}");
        }
    }
}

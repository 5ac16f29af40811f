//! The files that decide, as another commit of the repository has them: `git` is asked, nothing is fetched.
//!
//! They are written into `.ragline/base/COMMIT/` of the project, so that they are read by the same code as those of the
//! branch, and the next run finds them.

use super::session::with_ending;
use crate::baseline::Baseline;
use crate::digest::Hasher;
use crate::gate::thresholds::Thresholds;
use crate::loosened::{Deciding, MeasureChange, compare};
use crate::problem::{Place, Problem, Problems, read_source, shown_path};
use crate::suite::Suite;
use crate::suite::config::{self, Project};
use crate::suite::load;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What decides, as a commit has it.
#[derive(Debug)]
pub struct Base {
    /// The commit, shortened, with the words that named it: `origin/main (a41c9e0d)`.
    pub named: String,
    /// The policy.
    pub thresholds: Thresholds,
    project: Project,
    suites: Vec<Suite>,
}

/// The endings of the files in `suites/` that decide.
const ENDINGS: [&str; 4] = [".yaml", ".yml", ".jsonl", ".toml"];

/// Reads what decided where the branch left `reference`; as `reference` itself has it where no common commit is known, as
/// in a shallow clone.
///
/// # Errors
/// When git does not know the commit, or its files cannot be read.
pub fn open(project: &Project, reference: &str) -> Result<Base, Problems> {
    let Commit { id, prefix, named, .. } = commit(&project.root, reference).map_err(|why| {
        Problem::error("base-unknown", Place::default(), format!("git knows no commit `{reference}`: {why}"))
            .help(FETCH)
    })?;
    let folder = project.root.join(".ragline").join("base").join(&id);
    if !folder.is_dir() {
        extract(project, &prefix, &id, &folder).map_err(|why| {
            Problem::error(
                "base-unreadable",
                Place::default(),
                format!("cannot read the files of `{reference}`: {why}"),
            )
        })?;
    }
    read(&folder, named)
}

/// What to do about a commit that is not there.
pub(super) const FETCH: &str = "fetch it first: `git fetch origin BRANCH`; with actions/checkout, `fetch-depth: 0`";

/// A commit that a branch is held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its whole id: of the commit at which the branch left what was named; where that is not known, as in a shallow clone,
    /// of what was named itself.
    pub id: String,
    /// The words that named it with its id, shortened: `origin/main (a41c9e0d)`.
    pub named: String,
    /// The folder of the project in its repository, with a `/` at its end; empty where they are the same.
    pub prefix: String,
    /// Whether it is known where the branch left it.
    pub is_fork: bool,
}

/// Finds the commit at which what is checked out left `reference`.
///
/// # Errors
/// Why git does not know it.
pub fn commit(root: &Path, reference: &str) -> Result<Commit, String> {
    if reference.starts_with('-') {
        return Err("it begins with a `-`".to_owned());
    }
    let tip = line(&git(root, &["rev-parse", "--verify", "--quiet", &format!("{reference}^{{commit}}")])?);
    let prefix = line(&git(root, &["rev-parse", "--show-prefix"])?);
    let fork = git(root, &["merge-base", "HEAD", &tip]).ok().map(|out| line(&out));
    let is_fork = fork.is_some();
    let id = fork.unwrap_or(tip);
    let short: String = id.chars().take(8).collect();
    Ok(Commit { named: format!("{reference} ({short})"), id, prefix, is_fork })
}

impl Commit {
    /// Whether what is checked out is this very commit, without a change that is not committed.
    pub fn is_checked_out(&self, root: &Path) -> bool {
        let head = git(root, &["rev-parse", "--verify", "--quiet", "HEAD"]);
        head.is_ok_and(|out| line(&out) == self.id)
            && git(root, &["status", "--porcelain"]).is_ok_and(|out| out.is_empty())
    }

    /// The text of a file of the project as this commit has it; none where it has no such file.
    pub fn text(&self, root: &Path, file: &str) -> Option<String> {
        let out = git(root, &["cat-file", "blob", &format!("{}:{}{file}", self.id, self.prefix)]).ok()?;
        String::from_utf8(out).ok()
    }
}

fn read(folder: &Path, named: String) -> Result<Base, Problems> {
    let file = folder.join(config::FILE);
    let project =
        if file.is_file() { config::load_file(&file, config::FILE)?.0 } else { Project::plain(folder.to_owned()) };
    let thresholds = Thresholds::load(&folder.join("thresholds.toml"), "thresholds.toml")?;
    let (suites, _) = load::load_all(&load::discover(folder)?, folder)?;
    Ok(Base { named, thresholds, project, suites })
}

/// Runs git and gives what it wrote.
pub(super) fn git(root: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(root).args(args).stdin(Stdio::null());
    let out = command.output().map_err(|e| format!("git cannot be run: {e}"))?;
    if out.status.success() {
        return Ok(out.stdout);
    }
    let said = String::from_utf8_lossy(&out.stderr);
    let said = said.lines().next().unwrap_or_default().trim();
    Err(if said.is_empty() {
        format!("git {} failed", args.first().copied().unwrap_or_default())
    } else {
        said.to_owned()
    })
}

fn line(out: &[u8]) -> String {
    String::from_utf8_lossy(out).trim_end_matches(['\r', '\n']).to_owned()
}

/// Writes the files of a commit into a folder, whole or not at all.
fn extract(project: &Project, prefix: &str, commit: &str, folder: &Path) -> Result<(), String> {
    let root = &project.root;
    let recordings: Vec<String> = recordings(project).into_iter().map(|path| shown_path(&path, root)).collect();
    let mut list = vec!["ls-tree", "-r", "-z", "--full-tree", commit];
    // The project may be a folder of a larger repository.
    if !prefix.is_empty() {
        list.extend(["--", prefix]);
    }
    let listed = git(root, &list)?;
    let unfinished = folder.with_extension(format!("unfinished-{}", std::process::id()));
    let written = (|| {
        fs::create_dir_all(&unfinished).map_err(|e| e.to_string())?;
        for entry in listed.split(|b| *b == 0) {
            // `100644 blob OBJECT<tab>PATH`: neither links nor submodules.
            let entry = String::from_utf8_lossy(entry);
            let Some((head, path)) = entry.split_once('\t') else { continue };
            let (Some(name), true) = (path.strip_prefix(prefix), head.starts_with("100")) else { continue };
            let of_suites = name.starts_with("suites/") && ENDINGS.iter().any(|e| name.ends_with(e));
            if !(of_suites || [config::FILE, "thresholds.toml"].contains(&name) || recordings.iter().any(|r| r == name))
            {
                continue;
            }
            let Some(object) = head.split(' ').nth(2) else { continue };
            let content = git(root, &["cat-file", "blob", object])?;
            let path = unfinished.join(name);
            let make = || -> io::Result<()> {
                if let Some(parent) = path.parent() {
                    fs::create_dir_all(parent)?;
                }
                fs::write(&path, content)
            };
            make().map_err(|e| format!("{}: {e}", path.display()))?;
        }
        ignore(&root.join(".ragline")).map_err(|e| e.to_string())?;
        match fs::rename(&unfinished, folder) {
            // Another process was faster with the same files.
            Err(_) if folder.is_dir() => Ok(()),
            other => other.map_err(|e| e.to_string()),
        }
    })();
    // Nothing is left of what was not finished; what cannot be removed harms nobody.
    let _ = fs::remove_dir_all(&unfinished);
    written
}

/// `.ragline/` ignores itself in git.
fn ignore(top: &Path) -> io::Result<()> {
    let file = top.join(".gitignore");
    if file.exists() { Ok(()) } else { fs::write(file, "*\n") }
}

/// The recordings that stand for targets.
fn recordings(project: &Project) -> Vec<PathBuf> {
    project.targets.values().filter_map(|t| t.recording()).map(Path::to_owned).collect()
}

impl Base {
    /// The baseline file and the accepted answers that stand for those of the branch; none where the commit has none.
    pub fn stem(&self, root: &Path, stem: &Path) -> Option<PathBuf> {
        let relative = stem.strip_prefix(root).ok()?;
        let there = self.project.root.join(relative);
        with_ending(&there, ".baseline.toml").is_file().then_some(there)
    }

    /// The project as the commit has it, as far as its files decide.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The profiles that a profile's policy comes from, nearest first.
    pub fn line<'a>(&'a self, profile: &'a str) -> Vec<&'a str> {
        self.project.line(profile)
    }

    /// What the branch changes of what decides.
    ///
    /// # Errors
    /// When a baseline of either cannot be read.
    pub fn changes(
        &self,
        project: &Project,
        thresholds: &Thresholds,
        suites: &[Suite],
    ) -> Result<Vec<MeasureChange>, Problems> {
        let (was, now) = (Files::of(&self.project, &self.suites)?, Files::of(project, suites)?);
        let was = was.deciding(&self.thresholds, &self.project, &self.suites);
        Ok(compare(&was, &now.deciding(thresholds, project, suites)))
    }
}

/// The files beside suites and settings.
struct Files {
    baselines: BTreeMap<String, Baseline>,
    recordings: BTreeMap<String, BTreeMap<String, String>>,
}

impl Files {
    fn of(project: &Project, suites: &[Suite]) -> Result<Files, Problems> {
        let mut baselines = BTreeMap::new();
        for suite in suites {
            let Some(folder) = suite.path.parent() else { continue };
            // One per suite, and one more for each other target.
            let mut paths: Vec<PathBuf> =
                fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())).collect();
            paths.sort();
            for path in paths {
                let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                let Some(stem) = name.strip_suffix(".baseline.toml") else { continue };
                if *stem == *suite.name || stem.strip_prefix(&*suite.name).is_some_and(|rest| rest.starts_with('.')) {
                    let shown = shown_path(&path, &project.root);
                    let baseline = Baseline::parse(&read_source(&path, &shown)?)?;
                    baselines.insert(shown, baseline);
                }
            }
        }
        let each = recordings(project).into_iter().filter(|path| path.is_file());
        let recordings = each.map(|path| (shown_path(&path, &project.root), digests(&path))).collect();
        Ok(Files { baselines, recordings })
    }

    fn deciding<'a>(&'a self, thresholds: &'a Thresholds, project: &'a Project, suites: &'a [Suite]) -> Deciding<'a> {
        Deciding { thresholds, project, suites, baselines: &self.baselines, recordings: &self.recordings }
    }
}

/// A digest of what each line of a recording answers, by what it answers. How long it took is no part of it.
fn digests(path: &Path) -> BTreeMap<String, String> {
    let text = fs::read(path).unwrap_or_default();
    let mut digests = BTreeMap::new();
    for line in text.split(|b| *b == b'\n') {
        let Ok(serde_json::Value::Object(mut line)) = serde_json::from_slice::<serde_json::Value>(line) else {
            continue;
        };
        if line.contains_key("kind") {
            continue;
        }
        let key: Vec<String> = ["suite", "id", "repeat", "key"]
            .iter()
            .map(|k| line.remove(*k).map(|v| v.to_string()).unwrap_or_default())
            .collect();
        line.retain(|k, _| !["latency_ms", "usage", "subject"].contains(&k.as_str()));
        let mut hasher = Hasher::default();
        hasher.field(&serde_json::Value::Object(line).to_string());
        digests.insert(key.join(" "), hasher.digits(16));
    }
    digests
}

//! Running what was prepared, and keeping the run's folder.

use super::{Ready, Stop, usage};
use crate::core::machine::{Finished, Machine};
use crate::drive::fingerprint::Fingerprint;
use crate::drive::journal::Journal;
use crate::drive::known::{self, Known};
use crate::drive::live::lane::is_same;
use crate::drive::progress::Progress;
use crate::drive::{BROKEN_LINE, Driver, record, save, stop};
use crate::problem::{Problem, shown_path};
use crate::target::Target;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A run that is over.
#[derive(Debug)]
pub struct Done {
    /// What came of it.
    pub finished: Finished,
    /// Its folder, where one is kept.
    pub folder: Option<PathBuf>,
    /// Recordings that were to be written and could not be, a sentence each.
    pub unwritten: Vec<String>,
    /// How many answers an earlier run had, and of how many, where this one went on with it.
    pub resumed: Option<(usize, usize)>,
}

/// Where a run is kept, and what is known of it already.
#[derive(Default)]
struct Kept {
    folder: Option<PathBuf>,
    journal: Option<Journal>,
    known: Option<Known>,
}

/// How a run is conducted, beside what it asks.
#[derive(Default)]
pub struct Conduct {
    /// What ends it before its time.
    pub stop: stop::Stop,
    /// Who watches. Nobody is told of a run that only reads files.
    pub progress: Option<Arc<dyn Progress>>,
    /// An earlier run that it goes on with.
    pub resume: Option<Resume>,
    /// Asks in an order drawn with this seed.
    pub shuffle: Option<u64>,
}

/// Which run is gone on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resume {
    /// The newest one that did not come to its end.
    Newest,
    /// This folder, or the run of this id.
    Run(PathBuf),
}

impl Ready {
    /// Lets another target stand before each, such as one that shares answers between processes. What suites share they
    /// share behind it, too: else each would open and close it.
    #[must_use]
    pub fn wrap(mut self, wrap: impl Fn(Arc<dyn Target>) -> Arc<dyn Target>) -> Self {
        let mut wrapped: Vec<(Arc<dyn Target>, Arc<dyn Target>)> = Vec::new();
        for target in &mut self.targets {
            let known = wrapped.iter().find(|(inner, _)| is_same(inner, target)).map(|(_, outer)| Arc::clone(outer));
            let outer = known.unwrap_or_else(|| wrap(Arc::clone(target)));
            wrapped.push((std::mem::replace(target, Arc::clone(&outer)), outer));
        }
        self
    }

    /// The targets for which a server will be started, by name.
    pub fn starts(&self) -> BTreeSet<&str> {
        let started = |name: &str| self.project.targets.get(name)?.live()?.start.as_ref();
        let asked = self.plan.suites.iter().zip(&self.standing).zip(&self.targets);
        asked
            .filter(|((_, standing), target)| standing.is_some() && !target.is_replay())
            .map(|((suite, _), _)| suite.target.name.as_str())
            .filter(|name| started(name).is_some())
            .collect()
    }

    /// Drives the run and keeps its folder.
    ///
    /// # Errors
    /// A broken recording, or a run folder that cannot be written.
    pub fn run(self) -> Result<Done, Stop> {
        self.conduct(Conduct::default())
    }

    /// The same, watched, to be ended from outside, or in the folder of an earlier run.
    ///
    /// # Errors
    /// The same; or that the earlier run cannot be gone on with.
    pub fn conduct(mut self, conduct: Conduct) -> Result<Done, Stop> {
        let resumed = conduct.resume.is_some();
        let Kept { folder, journal, known } = match &conduct.resume {
            Some(which) => self.go_on(which)?,
            None if self.keep => {
                let folder = self.start_folder()?;
                let journal = Journal::create(&folder.join("journal.jsonl"), &Fingerprint::of(&self.plan))
                    .map_err(|e| cannot_keep(&folder, &e))?;
                Kept { folder: Some(folder), journal: Some(journal), known: None }
            }
            None => Kept::default(),
        };
        let resumed_from = known.as_ref().map(|k| (k.len(), Machine::new(Arc::clone(&self.plan)).asks()));
        let only_reads = self.targets.iter().all(|t| t.is_replay());
        let driver = Driver {
            plan: Arc::clone(&self.plan),
            targets: self.targets,
            beside: self.beside,
            accepted: self.accepted,
            journal,
            threads: self.threads,
            known: known.map(Arc::new),
            stop: conduct.stop,
            progress: conduct.progress.filter(|_| !only_reads),
            shuffle: conduct.shuffle,
        };
        let ended = driver.run();
        let mut unwritten = Vec::new();
        // Whatever came of the run, what was answered was paid for.
        if let Some(f) = &folder {
            let recording = |name: &str| self.project.targets.get(name)?.live().map(|l| l.recording.clone());
            if self.fills {
                unwritten = save::fill(&self.project.root, f, &self.plan, &self.standing, &recording);
            }
            if let Some(path) = &self.save {
                let saved = save::all(path, f, &self.plan);
                unwritten.extend(saved.err().map(|e| format!("cannot save the answers in {}: {e}", path.display())));
            }
        }
        let finished = match ended {
            Ok(finished) => finished,
            Err(problems) => {
                // A recording that cannot be read costs nobody anything: no half of a run is left to be taken for one.
                let nothing_lost = !resumed && problems.0.iter().all(|p| p.code == BROKEN_LINE);
                if let Some(f) = folder.filter(|_| nothing_lost) {
                    let _ = fs::remove_dir_all(f);
                }
                return Err(problems.into());
            }
        };
        if let Some(f) = &folder {
            record::write(f, &self.project, &self.plan, &finished, self.share.as_ref())
                .map_err(|e| cannot_keep(f, &e))?;
        }
        Ok(Done { finished, folder, unwritten, resumed: resumed_from })
    }

    /// Finds the run that is gone on with, and makes this one it.
    fn go_on(&mut self, which: &Resume) -> Result<Kept, Problem> {
        let runs = self.project.root.join(".ragline").join("runs");
        let folder = match which {
            Resume::Newest => record::newest_unfinished(&runs).ok_or_else(|| {
                usage("nothing-to-resume", "every run that is kept came to its end")
                    .help("name one with --resume=RUN, or start anew: `ragline run`")
            })?,
            Resume::Run(named) => {
                let of_id = runs.join(named);
                let folder = if named.is_dir() { named.clone() } else { of_id };
                if !folder.is_dir() {
                    return Err(usage("no-run", format!("there is no run {}", named.display())));
                }
                if !record::is_unfinished(&folder) {
                    let what = format!("the run {} came to its end", shown_path(&folder, &self.project.root));
                    return Err(usage("nothing-to-resume", what).help("start anew: `ragline run`"));
                }
                folder
            }
        };
        let path = folder.join("journal.jsonl");
        let shown = shown_path(&path, &self.project.root);
        let (journal, known) = known::go_on(&path, &shown, &Fingerprint::of(&self.plan))?;
        let id = folder.file_name().map(|n| n.to_string_lossy().into_owned());
        if let (Some(plan), Some(id)) = (Arc::get_mut(&mut self.plan), id) {
            plan.id = id;
        }
        Ok(Kept { folder: Some(folder), journal: Some(journal), known: Some(known) })
    }

    /// Makes the folder of the run; `.ragline/` ignores itself in git.
    pub(in crate::drive) fn start_folder(&self) -> Result<PathBuf, Problem> {
        let top = self.project.root.join(".ragline");
        let folder = top.join("runs").join(&self.plan.id);
        let make = || -> io::Result<()> {
            fs::create_dir_all(&folder)?;
            let ignore = top.join(".gitignore");
            if !ignore.exists() {
                fs::write(ignore, "*\n")?;
            }
            Ok(())
        };
        make().map_err(|e| cannot_keep(&folder, &e))?;
        record::forget_old(&top.join("runs"));
        Ok(folder)
    }
}

fn cannot_keep(folder: &Path, e: &io::Error) -> Problem {
    usage("run-folder", format!("cannot write the run folder {}: {e}", folder.display()))
}

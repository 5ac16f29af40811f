//! Running what was prepared, and keeping the run's folder.

use super::{Ready, Stop, usage};
use crate::core::machine::Finished;
use crate::drive::journal::Journal;
use crate::drive::{BROKEN_LINE, Driver, record, save};
use crate::problem::Problem;
use crate::target::Target;
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
}

impl Ready {
    /// Lets another target stand before each suite's own, such as one that shares answers between processes.
    #[must_use]
    pub fn wrap(mut self, wrap: impl Fn(Arc<dyn Target>) -> Arc<dyn Target>) -> Self {
        self.targets = self.targets.into_iter().map(wrap).collect();
        self
    }

    /// Drives the run and keeps its folder.
    ///
    /// # Errors
    /// A broken recording, or a run folder that cannot be written.
    pub fn run(self) -> Result<Done, Stop> {
        let folder = if self.keep { Some(self.start_folder()?) } else { None };
        let journal = match &folder {
            Some(f) => Some(Journal::create(&f.join("journal.jsonl")).map_err(|e| cannot_keep(f, &e))?),
            None => None,
        };
        let driver = Driver {
            plan: Arc::clone(&self.plan),
            targets: self.targets,
            accepted: self.accepted,
            journal,
            threads: self.threads,
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
                if let Some(f) = folder.filter(|_| problems.0.iter().all(|p| p.code == BROKEN_LINE)) {
                    let _ = fs::remove_dir_all(f);
                }
                return Err(problems.into());
            }
        };
        if let Some(f) = &folder {
            record::write(f, &self.project, &self.plan, &finished).map_err(|e| cannot_keep(f, &e))?;
        }
        Ok(Done { finished, folder, unwritten })
    }

    /// Makes the folder of the run; `.ragline/` ignores itself in git.
    fn start_folder(&self) -> Result<PathBuf, Problem> {
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

//! Writes an import: staged in a folder beside the target, then renamed, the suite last.

use super::Summary;
use crate::problem::{Place, Problem, Problems};
use std::path::{Path, PathBuf};

/// The files of an import.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// Path below the folder and content; an import's own files, which `--force` replaces. The suite is the last one.
    pub(super) own: Vec<(String, String)>,
    /// A folder that belongs to the import as a whole: `--force` replaces all that is in it. Its files by name.
    pub(super) folder: Option<(String, Vec<(String, String)>)>,
    /// Files of the project, written only where there are none.
    pub(super) project: Vec<(String, String)>,
}

/// What was written, and which files of the project were there and stay.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Paths below the folder.
    pub(super) written: Vec<String>,
    /// Files of the project that were there with another content.
    pub(super) kept: Vec<String>,
}

impl Written {
    /// What the import did; `target` is the one that its suite is run against.
    pub(super) fn summary(self, mut notes: Vec<String>, suite: &str, target: &str, out: &Path) -> Summary {
        if !self.kept.is_empty() {
            let kept = self.kept.join(", ");
            notes.push(format!("kept as they are: {kept}; the suite needs the target `{target}`"));
        }
        Summary { written: self.written, notes, next: format!("ragline -C {} run {suite}", out.display()) }
    }
}

/// A folder that is removed when the work ends, however it ends.
struct Stage(PathBuf);

impl Drop for Stage {
    fn drop(&mut self) {
        // Nothing more can be done about a folder that cannot be removed.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Output {
    /// Writes everything, or nothing.
    pub(super) fn write(&self, dir: &Path, force: bool) -> Result<Written, Problems> {
        if !force {
            self.refuse_to_overwrite(dir)?;
        }
        let fault = |path: &Path, e: &std::io::Error| -> Problems {
            let place = Place::file(&path.to_string_lossy());
            Problem::error("import-unwritable", place, format!("cannot write here: {e}")).into()
        };
        let result = self.try_write(dir);
        result.map_err(|(path, e)| fault(&path, &e))
    }

    fn refuse_to_overwrite(&self, dir: &Path) -> Result<(), Problems> {
        let folder = self.folder.iter().map(|(name, _)| name);
        let there = self.own.iter().map(|(name, _)| name).chain(folder).map(|name| dir.join(name)).find(|p| p.exists());
        there.map_or(Ok(()), |path| {
            let place = Place::file(&path.to_string_lossy());
            Err(Problem::error("import-exists", place, "this is already there")
                .help("choose another --suite or --out, or replace it with --force")
                .into())
        })
    }

    fn try_write(&self, dir: &Path) -> Result<Written, (PathBuf, std::io::Error)> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |e| (path, e)
        };
        std::fs::create_dir_all(dir).map_err(at(dir))?;
        let stage = Stage(dir.join(format!(".import-{}", std::process::id())));
        let in_stage = |name: &str, content: &str| {
            let path = stage.0.join(name);
            let parent = path.parent().unwrap_or(&stage.0);
            std::fs::create_dir_all(parent).map_err(at(parent))?;
            std::fs::write(&path, content).map_err(at(&path))
        };
        let project: Vec<&(String, String)> = self.project.iter().filter(|(n, _)| !dir.join(n).exists()).collect();
        let single: Vec<&(String, String)> = project.iter().copied().chain(&self.own).collect();
        let mut written = Written::default();
        for (name, content) in single.iter().copied() {
            in_stage(name, content)?;
        }
        if let Some((folder, files)) = &self.folder {
            for (name, content) in files {
                in_stage(&format!("{folder}/{name}"), content)?;
            }
            let (from, to) = (stage.0.join(folder), dir.join(folder));
            let parent = to.parent().unwrap_or(dir);
            std::fs::create_dir_all(parent).map_err(at(parent))?;
            if to.exists() {
                std::fs::rename(&to, stage.0.join(".replaced")).map_err(at(&to))?;
            }
            std::fs::rename(&from, &to).map_err(at(&to))?;
            written.written.push(format!("{folder}/ ({})", super::count(files.len(), "document")));
        }
        for (name, _) in single {
            let to = dir.join(name);
            let parent = to.parent().unwrap_or(dir);
            std::fs::create_dir_all(parent).map_err(at(parent))?;
            std::fs::rename(stage.0.join(name), &to).map_err(at(&to))?;
            written.written.push(name.clone());
        }
        let differs = |(name, content): &&(String, String)| {
            !written.written.contains(name) && std::fs::read_to_string(dir.join(name)).ok().as_ref() != Some(content)
        };
        written.kept = self.project.iter().filter(differs).map(|(name, _)| name.clone()).collect();
        Ok(written)
    }
}

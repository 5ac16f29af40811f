//! `ragline lint`.

use super::{say, say_problems};
use anyhow::Result;
use clap::Args;
use ragline::drive::session;
use ragline::gate::Exit;
use ragline::gate::thresholds::Thresholds;
use ragline::privacy::{settings, survey};
use ragline::problem::{Gravity, Problems, shown_path};
use ragline::suite::corpus::Corpus;
use ragline::suite::lint;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    /// Warnings count as errors.
    #[arg(long)]
    strict: bool,

    /// Look for keys and personal data in these files and folders instead; without PATH in the suites, the recordings, the
    /// accepted answers and the fixtures of the project.
    #[arg(long, value_name = "PATH", num_args = 0..)]
    recordings: Option<Vec<PathBuf>>,
}

pub(crate) fn lint(folder: &Path, args: &LintArgs) -> Result<Exit> {
    if let Some(paths) = &args.recordings {
        return look_at_recordings(folder, paths, args.strict);
    }
    let problems = match problems(folder) {
        Ok(p) | Err(p) => p,
    };
    say_problems(&problems);
    let count = |g: Gravity| problems.0.iter().filter(|p| p.gravity == g).count();
    let (errors, warnings) = (count(Gravity::Error), count(Gravity::Warning));
    say(&format!("{errors} errors, {warnings} warnings\n"))?;
    Ok(if errors > 0 || (args.strict && warnings > 0) { Exit::Usage } else { Exit::Open })
}

fn problems(folder: &Path) -> Result<Problems, Problems> {
    let opened = session::open(folder).map_err(|s| s.problems)?;
    let root = &opened.project.root;
    let unknown: Vec<_> = session::unknown_targets(&opened).collect();
    let mut all = opened.warnings;
    all.0.extend(unknown);
    all.0.extend(settings::keys_in_settings(&opened.project));
    for suite in &opened.suites {
        let corpus = match &suite.corpus {
            Some(path) => Some(Corpus::load(path, &shown_path(path, root))?),
            None => None,
        };
        all.0.extend(lint::lint(suite, corpus.as_ref()).0);
    }
    let path = root.join("thresholds.toml");
    match Thresholds::load(&path, &shown_path(&path, root)) {
        Ok(t) => all.0.extend(t.bind(&opened.suites, opened.project.profiles.keys().map(String::as_str)).0),
        Err(p) => all.0.extend(p.0),
    }
    Ok(all)
}

/// Looks for what must not be committed.
fn look_at_recordings(folder: &Path, paths: &[PathBuf], strict: bool) -> Result<Exit> {
    // Numbers that a suite allows are its own hotlines and offices. A suite that cannot be read allows nothing; `lint` alone
    // says what is wrong with it.
    let suites = session::open(folder).map(|opened| opened.suites).unwrap_or_default();
    let own: Vec<String> =
        suites.iter().flat_map(|s| &s.questions).flat_map(|q| q.numbers.allow.iter().cloned()).collect();
    let (problems, files) = match survey::project(folder, paths, &own) {
        Ok(found) => found,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    say_problems(&problems);
    let errors = problems.0.iter().filter(|p| p.gravity == Gravity::Error).count();
    let warnings = problems.0.len() - errors;
    let warned = if warnings > 0 { format!(", {warnings} warnings") } else { String::new() };
    say(&format!("{files} files, {errors} errors{warned}\n"))?;
    let closes = errors > 0 || (strict && warnings > 0);
    Ok(match (files, closes) {
        (0, false) => Exit::NothingSelected,
        (_, false) => Exit::Open,
        (_, true) => Exit::Usage,
    })
}

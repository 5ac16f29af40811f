//! `ragline lint`.

use super::{say, say_problems};
use anyhow::Result;
use clap::Args;
use ragline::drive::session;
use ragline::gate::Exit;
use ragline::gate::thresholds::Thresholds;
use ragline::problem::{Gravity, Problems, shown_path};
use ragline::suite::corpus::Corpus;
use ragline::suite::lint;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    /// Warnings count as errors.
    #[arg(long)]
    strict: bool,
}

pub(crate) fn lint(folder: &Path, args: &LintArgs) -> Result<Exit> {
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
    let mut all = opened.warnings;
    for suite in &opened.suites {
        let corpus = match &suite.corpus {
            Some(path) => Some(Corpus::load(path, &shown_path(path, root))?),
            None => None,
        };
        all.0.extend(lint::lint(suite, corpus.as_ref()).0);
    }
    let path = root.join("thresholds.toml");
    match Thresholds::load(&path, &shown_path(&path, root)) {
        Ok(t) => all.0.extend(t.bind(&opened.suites).0),
        Err(p) => all.0.extend(p.0),
    }
    Ok(all)
}

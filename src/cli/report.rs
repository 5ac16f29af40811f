//! `ragline report`: a run once more.

use super::{say, say_error, told_of};
use anyhow::{Context as _, Result};
use clap::Args;
use ragline::gate::Exit;
use ragline::report::{causes, file};
use std::path::{Path, PathBuf};

/// Evidence against answer in six ways, the rows of the diagnosis with their questions, and on request a table of every
/// question. Asks nobody and decides nothing.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The run; without it the last one.
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,

    /// Write every question with its layers, the evidence of its diagnosis and what to change next.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

pub(crate) fn report(folder: &Path, args: &ReportArgs) -> Result<Exit> {
    let questions = match told_of(folder, args.run.as_deref()) {
        Ok(questions) => questions,
        Err(exit) => return Ok(exit),
    };
    say(&causes::text(&questions))?;
    if let Some(path) = &args.csv {
        let bytes = causes::csv(&questions).context("cannot make the table")?;
        if let Err(e) = file::write(path, &bytes) {
            say_error(&format!("error: {e}"));
            return Ok(Exit::ReportNotWritten);
        }
        say_error(&format!("wrote {}: {} questions", path.display(), questions.len()));
    }
    Ok(Exit::Open)
}

//! `ragline report`: a run once more.

use super::{say, say_error, say_problems, told_of};
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use ragline::drive::record;
use ragline::drive::told::Told;
use ragline::gate::Exit;
use ragline::problem::Problems;
use ragline::report::brief::{self, Form};
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

    /// One page for whoever decides: the decision, what changed, how sure that is, what to do next.
    #[arg(long, value_enum, value_name = "text|markdown", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    brief: Option<Written>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Written {
    Text,
    Markdown,
}

/// The run on one page.
fn page(folder: &Path, run: Option<&Path>, questions: &[Told], form: Form) -> Result<Exit> {
    let root = ragline::suite::config::root_of(folder).unwrap_or_else(|| folder.to_owned());
    let run = match record::read(&root, run).and_then(|run| run.is_whole().map(|()| run).map_err(Problems::from)) {
        Ok(run) => run,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    say(&brief::brief(&run, questions, form))?;
    Ok(Exit::Open)
}

pub(crate) fn report(folder: &Path, args: &ReportArgs) -> Result<Exit> {
    let questions = match told_of(folder, args.run.as_deref()) {
        Ok(questions) => questions,
        Err(exit) => return Ok(exit),
    };
    let shown = match args.brief {
        Some(Written::Text) => page(folder, args.run.as_deref(), &questions, Form::Text)?,
        Some(Written::Markdown) => page(folder, args.run.as_deref(), &questions, Form::Markdown)?,
        None => {
            say(&causes::text(&questions))?;
            Exit::Open
        }
    };
    if let Some(path) = &args.csv {
        let bytes = causes::csv(&questions).context("cannot make the table")?;
        if let Err(e) = file::write(path, &bytes) {
            say_error(&format!("error: {e}"));
            return Ok(Exit::ReportNotWritten);
        }
        say_error(&format!("wrote {}: {} questions", path.display(), questions.len()));
    }
    Ok(shown)
}

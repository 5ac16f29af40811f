//! `ragline export`: a run in the form of others.

use super::{say, told_of};
use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use ragline::gate::Exit;
use ragline::report::{file, xlsx};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    /// A workbook with a row for each question: what was asked and answered, and what each layer says.
    Xlsx(XlsxArgs),
}

#[derive(Debug, Args)]
struct XlsxArgs {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The run; without it the last one.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
}

pub(crate) fn export(folder: &Path, args: &ExportArgs) -> Result<Exit> {
    let Format::Xlsx(args) = &args.format;
    let questions = match told_of(folder, args.run.as_deref()) {
        Ok(questions) => questions,
        Err(exit) => return Ok(exit),
    };
    let bytes = xlsx::workbook(&questions).context("cannot make the workbook")?;
    if let Err(e) = file::write(&args.out, &bytes) {
        super::say_error(&format!("error: {e}"));
        return Ok(Exit::ReportNotWritten);
    }
    let noun = if questions.len() == 1 { "question" } else { "questions" };
    say(&format!("wrote {}: {} {noun}\n", args.out.display(), questions.len()))?;
    Ok(Exit::Open)
}

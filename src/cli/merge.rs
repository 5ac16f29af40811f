//! `ragline merge`: shards into one run.

use super::run::{self, RunArgs, Unwritten};
use super::{say_error, say_problems};
use anyhow::Result;
use clap::Args;
use ragline::drive::merge::{Merged, Order, merge as put_together};
use ragline::gate::Exit;
use ragline::problem::shown_path;
use std::path::{Path, PathBuf};

/// All shards of a run (`ragline run --shard i/n`) become the run that asked everything, and it decides: the same results,
/// reports and exit code as those of one process. Shards that are missing, there twice, not at their end or of another run
/// are refused.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The run folders of the shards, or folders in which they lie (such as unpacked artefacts).
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// The folder of the merged run; without it, one beside the other runs of the project.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write all answers of the run as a recording; failures are left out.
    #[arg(long, value_name = "FILE", env = "RAGLINE_SAVE_ANSWERS")]
    save_answers: Option<PathBuf>,

    /// Write the outcomes as JSON lines (suite order, no timings).
    #[arg(long, value_name = "FILE", env = "RAGLINE_RESULTS")]
    results: Option<PathBuf>,

    /// Write JUnit XML; without it the file goes into the run folder.
    #[arg(long, value_name = "FILE", env = "RAGLINE_JUNIT")]
    junit: Option<PathBuf>,

    /// Write a Markdown summary.
    #[arg(long, value_name = "FILE", env = "RAGLINE_MARKDOWN")]
    markdown: Option<PathBuf>,
}

pub(crate) fn merge(folder: &Path, args: MergeArgs) -> Result<Exit> {
    let order = Order { folder: folder.to_owned(), runs: args.runs, out: args.out, save: args.save_answers };
    let reports = RunArgs::of_reports(args.results, args.junit, args.markdown);
    let mut unwritten = Unwritten::default();
    unwritten.remove_old(&reports);
    let Merged { done, shards, root, warnings } = match put_together(&order) {
        Ok(merged) => merged,
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    say_problems(&warnings);
    let asked: usize = done.finished.header.suites.iter().map(|s| s.selected).sum();
    say_error(&format!("merged   {shards} shards, {} questions", ragline::report::cut::count(asked)));
    unwritten.take(&done);
    run::report(&reports, &done, &mut unwritten)?;
    if let Some(kept) = &done.folder {
        say_error(&format!("kept     {}", shown_path(kept, &root)));
    }
    Ok(unwritten.exit(done.finished.decision.exit))
}

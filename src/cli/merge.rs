//! `ragline merge`: shards into one run.

use super::reports::{ReportFlags, Reports};
use super::run;
use super::{say_error, say_problems};
use anyhow::Result;
use clap::Args;
use ragline::drive::checkout::Checkout;
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

    #[command(flatten)]
    reports: ReportFlags,
}

pub(crate) fn merge(folder: &Path, args: MergeArgs) -> Result<Exit> {
    let order = Order {
        folder: folder.to_owned(),
        runs: args.runs,
        out: args.out,
        save: args.save_answers,
        checkout: Checkout::of_process(),
    };
    let mut reports = Reports::begin(folder, args.reports)?;
    let Merged { done, shards, root, warnings } = match put_together(&order) {
        Ok(merged) => merged,
        Err(stop) => return run::without(&mut reports, &stop),
    };
    say_problems(&warnings);
    let asked: usize = done.finished.header.suites.iter().map(|s| s.selected).sum();
    say_error(&format!("merged   {shards} shards, {} questions", ragline::report::cut::count(asked)));
    reports.unwritten.extend(done.unwritten.iter().cloned());
    reports.write(&done.finished, done.folder.as_deref(), &root)?;
    run::show(&done, &reports)?;
    reports.annotate()?;
    if let Some(kept) = &done.folder {
        say_error(&format!("kept     {}", shown_path(kept, &root)));
    }
    Ok(reports.end(done.finished.decision.exit))
}

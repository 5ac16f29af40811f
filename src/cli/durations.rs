//! `ragline durations`: how long the questions of a run took, for shards that take equally long.

use super::{say, say_error, say_problems};
use anyhow::{Context as _, Result};
use clap::Args;
use ragline::drive::record;
use ragline::drive::shard::durations::Durations;
use ragline::gate::Exit;
use ragline::report::file;
use std::path::{Path, PathBuf};

/// Commit the file and give it to every shard: `ragline run --shard 2/7 --durations FILE`. Asks nobody.
#[derive(Debug, Args)]
pub(crate) struct DurationsArgs {
    /// The run, or the merged one; without it the last one.
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,

    /// Write the file; without it the text goes to standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn durations(folder: &Path, args: &DurationsArgs) -> Result<Exit> {
    let read =
        ragline::suite::config::load(folder).and_then(|(project, _)| record::read(&project.root, args.run.as_deref()));
    let run = match read.and_then(|run| run.is_whole().map(|()| run).map_err(Into::into)) {
        Ok(run) => run,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    let mut durations = Durations::default();
    record::times(&run.folder, |suite, id, ms| durations.add(suite, id, ms))
        .context("cannot read the run's journal")?;
    let durations = durations.rounded();
    let Some(path) = &args.out else {
        say(&durations.to_toml())?;
        return Ok(Exit::Open);
    };
    if let Err(e) = file::write(path, durations.to_toml().as_bytes()) {
        say_error(&format!("error: {e}"));
        return Ok(Exit::ReportNotWritten);
    }
    say_error(&format!("wrote {}: {} questions", path.display(), durations.len()));
    Ok(Exit::Open)
}

//! `ragline diff`: two runs, question by question.

use super::{look, runs, say, say_problems};
use anyhow::{Result, bail};
use clap::Args;
use ragline::diff;
use ragline::gate::Exit;
use ragline::gate::thresholds::Thresholds;
use ragline::layer::LayerId;
use ragline::problem::{Problems, shown_path};
use ragline::report::diff as report;
use ragline::suite::config;
use std::path::Path;

/// Which questions changed from one run to the other, layer by layer, with their diagnosis; and whether the one is better than the
/// other, or only varies, and how small a difference would have gone unseen. Nothing is compared with a baseline, and nothing
/// is decided: the exit is 0.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The run before: its folder, its id or `latest`, the archive in which CI keeps it, or a file of results; NAME=RUN gives it
    /// a name.
    #[arg(value_name = "A")]
    first: String,

    /// The run after.
    #[arg(value_name = "B")]
    second: String,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn diff(folder: &Path, args: &DiffArgs) -> Result<Exit> {
    let read = || -> Result<_, Problems> {
        Ok((runs::read(folder, &args.first)?, runs::read(folder, &args.second)?, primary(folder)?))
    };
    let (mut first, mut second, primary) = match read() {
        Ok(read) => read,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    if first.name == second.name {
        (first.name, second.name) = ("A".to_owned(), "B".to_owned());
    }
    let found = diff::diff(&first, &second, &primary);
    if found.questions == 0 {
        bail!("no question was asked by both runs with the same expectations");
    }
    say(&if args.json { format!("{}\n", report::json(&found)) } else { report::text(&found, look()) })?;
    Ok(Exit::Open)
}

/// The layers that the policy names, where there is one.
fn primary(folder: &Path) -> Result<Vec<LayerId>, Problems> {
    let path = config::root_of(folder).unwrap_or_else(|| folder.to_owned()).join("thresholds.toml");
    let policy =
        if path.exists() { Thresholds::load(&path, &shown_path(&path, folder))? } else { Thresholds::default() };
    Ok(policy.primary.value)
}

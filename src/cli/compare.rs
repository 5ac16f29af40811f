//! `ragline compare`: several configurations over the same questions.

use super::{runs, say, say_error, say_problems, width};
use anyhow::{Result, bail};
use clap::Args;
use ragline::compare::{self, Run};
use ragline::drive::record;
use ragline::drive::session::{self, Answers, Conduct, Options};
use ragline::gate::Exit;
use ragline::problem::Problems;
use ragline::report::compare as report;
use ragline::report::results::Results;
use std::path::Path;

/// A table with what each configuration reaches, 95 % intervals, what a random ranking reaches, how often a span was cut, what
/// the diagnosis says, and which configurations differ by more than noise. Nothing is compared with a baseline, and nothing
/// is decided: the exit is 0.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Runs: their folders, their ids or `latest`, archives in which CI keeps them, or files of results; NAME=RUN gives one a
    /// name.
    #[arg(value_name = "RUN", required_unless_present = "targets", conflicts_with = "targets")]
    runs: Vec<String>,

    /// Ask these targets now instead, one after the other.
    #[arg(long = "target", value_name = "NAME,…", value_delimiter = ',')]
    targets: Vec<String>,

    /// Only these questions, as for `ragline run`.
    #[arg(long = "select", value_name = "SELECTOR", requires = "targets")]
    selectors: Vec<String>,

    /// Where the answers of the targets come from, as for `ragline run`.
    #[arg(long, value_name = "live|replay|fill", requires = "targets", value_parser = ["live", "replay", "fill"])]
    answers: Option<String>,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn compare(folder: &Path, args: &CompareArgs) -> Result<Exit> {
    let runs = if args.targets.is_empty() { read(folder, args) } else { ask(folder, args)? };
    let runs = match runs {
        Ok(runs) => runs,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    if runs.len() < 2 {
        bail!("name two configurations or more: there is nothing to compare with");
    }
    let compared = compare::compare(&runs);
    if compared.questions == 0 {
        bail!("no question was asked by all of the {} configurations with the same expectations", runs.len());
    }
    say(&if args.json { format!("{}\n", report::json(&compared)) } else { report::text(&compared, width()) })?;
    Ok(Exit::Open)
}

/// Reads the results of runs.
fn read(folder: &Path, args: &CompareArgs) -> Result<Vec<Run>, Problems> {
    args.runs.iter().map(|given| runs::read(folder, given)).collect()
}

/// Asks targets, one after the other.
fn ask(folder: &Path, args: &CompareArgs) -> Result<Result<Vec<Run>, Problems>> {
    let mut runs = Vec::new();
    for target in &args.targets {
        let mut options = Options::new(folder, super::today(None));
        options.selectors.clone_from(&args.selectors);
        options.target = Some(target.clone());
        options.answers = Answers::parse(args.answers.as_deref());
        // Nothing to accept comes of it.
        options.keep = false;
        let ready = match session::prepare(&options, None, None) {
            Ok(ready) => ready,
            Err(stop) => return Ok(Err(stop.problems)),
        };
        say_error(&format!("asking   {target}"));
        let done = match ready.conduct(Conduct::default()) {
            Ok(done) => done,
            Err(stop) => return Ok(Err(stop.problems)),
        };
        let mut results = Results::new();
        record::emit(&done.finished, &mut results)?;
        match Run::parse(target, results.text()) {
            Ok(run) => runs.push(run),
            Err((_, why)) => bail!("the results of {target}: {why}"),
        }
    }
    Ok(Ok(runs))
}

//! `ragline power`: what suites of so many questions can see.

use super::{say, say_problems, width};
use anyhow::{Result, bail};
use clap::Args;
use ragline::drive::session;
use ragline::gate::Exit;
use ragline::power::{Assumed, Sample};
use ragline::report::power as report;
use std::path::Path;

/// How far a share must fall until two runs over the same questions show it four times of five: for the suites of the project, or
/// for a number of questions. Asks nobody; the exit is 0.
#[derive(Debug, Args)]
pub(crate) struct PowerArgs {
    /// So many questions, instead of the suites of the project; may be repeated.
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    questions: Vec<u32>,

    /// The share of questions that come out differently in two runs of an untouched system.
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = share)]
    discordant: f64,

    /// The share that is right: also what two runs over different questions can show.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    rate: Option<f64>,

    /// Also how many questions it takes to show a fall of so many points of a hundred.
    #[arg(long, value_name = "POINTS", value_parser = points)]
    fall: Option<f64>,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// `0.85` or `85%`, from 0 to below 1.
fn share(text: &str) -> Result<f64, String> {
    let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 100.0));
    let share = digits.trim().parse::<f64>().ok().map(|x| x / unit);
    share.filter(|x| (0.0..1.0).contains(x)).ok_or_else(|| "expected a share such as 0.1 or 10%, below 1".to_owned())
}

fn points(text: &str) -> Result<f64, String> {
    let points = text.parse::<f64>().ok().filter(|x| *x > 0.0 && *x <= 100.0);
    points.map(|x| x / 100.0).ok_or_else(|| "expected points of a hundred such as 5".to_owned())
}

pub(crate) fn power(folder: &Path, args: &PowerArgs) -> Result<Exit> {
    let samples: Vec<Sample> = if args.questions.is_empty() {
        match session::open(folder) {
            Ok(opened) => opened.suites.iter().flat_map(Sample::of_suite).collect(),
            Err(stop) => {
                say_problems(&stop.problems);
                return Ok(stop.exit);
            }
        }
    } else {
        args.questions.iter().map(|n| Sample::of(usize::try_from(*n).unwrap_or(usize::MAX))).collect()
    };
    if samples.is_empty() {
        bail!("no question of the suites is judged: name a number with --questions");
    }
    let assumed = Assumed { discordant: args.discordant, rate: args.rate, fall: args.fall };
    let sights: Vec<_> = samples.into_iter().map(|s| s.sight(assumed)).collect();
    if args.json {
        say(&format!("{}\n", report::json(&sights, assumed)))?;
    } else {
        say(&report::text(&sights, assumed, width()))?;
    }
    Ok(Exit::Open)
}

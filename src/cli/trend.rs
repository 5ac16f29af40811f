//! `ragline trend`.

use super::{say, say_error, say_problems};
use anyhow::{Context as _, Result};
use clap::Args;
use ragline::gate::Exit;
use ragline::history::{self, ENDING, Line, trend};
use ragline::problem::{Place, Problem, Problems, shown_path};
use ragline::report::{file, trend as report};
use ragline::suite::config;
use std::path::{Path, PathBuf};

/// Is it better than in March? The shares of layers from run to run, with their intervals. Asks nobody and decides nothing.
#[derive(Debug, Args)]
pub(crate) struct TrendArgs {
    /// Files of `ragline run --summary`, or histories; without any the histories of the project.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// As JSON.
    #[arg(long)]
    json: bool,

    /// Write a table with a row for each layer of each run.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write a page with a chart and a table for each suite.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn trend(folder: &Path, args: &TrendArgs) -> Result<Exit> {
    let lines = match lines(folder, args) {
        Ok(lines) => lines,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    let series = trend::series(&lines);
    if args.json {
        let text = serde_json::to_string(&report::json(&series)).context("cannot write JSON")?;
        say(&format!("{text}\n"))?;
    } else {
        say(&report::text(&series, super::width()))?;
    }
    let csv = args.csv.as_deref().map(|path| Ok((path, report::csv(&series)?))).transpose();
    let csv = csv.map_err(|e: csv::Error| anyhow::Error::new(e).context("cannot make the table"))?;
    let html = args.html.as_deref().map(|path| (path, report::html(&series).into_bytes()));
    for (path, bytes) in csv.into_iter().chain(html) {
        if let Err(e) = file::write(path, &bytes) {
            say_error(&format!("error: {e}"));
            return Ok(Exit::ReportNotWritten);
        }
    }
    Ok(Exit::Open)
}

fn lines(folder: &Path, args: &TrendArgs) -> Result<Vec<Line>, Problems> {
    let mut files: Vec<(PathBuf, String)> =
        args.files.iter().map(|f| (f.clone(), f.to_string_lossy().into_owned())).collect();
    if files.is_empty() {
        let (project, _) = config::load(folder)?;
        let kept = project.history.iter().flat_map(std::fs::read_dir).flatten().flatten().map(|e| e.path());
        files = kept
            .filter(|p| p.to_string_lossy().ends_with(ENDING))
            .map(|p| {
                let shown = shown_path(&p, &project.root);
                (p, shown)
            })
            .collect();
        files.sort();
    }
    if files.is_empty() {
        let help = "write history = \"suites\" at the top of ragline.toml and accept, or name files of `ragline run --summary FILE`";
        let what = "no history is kept here, and no file is named";
        return Err(Problem::error("no-history", Place::default(), what).help(help).into());
    }
    let mut problems = Problems::default();
    let mut lines = Vec::new();
    for (path, shown) in &files {
        if !path.exists() {
            problems.0.push(Problem::error("no-history", Place::default(), format!("there is no file {shown}")));
            continue;
        }
        match history::known::read(path, shown) {
            Ok(of_file) => lines.extend(of_file),
            Err(more) => problems.0.extend(more.0),
        }
    }
    if problems.any_error() {
        return Err(problems);
    }
    lines.sort_by(|a, b| (&a.run, a.kind).cmp(&(&b.run, b.kind)));
    Ok(lines)
}

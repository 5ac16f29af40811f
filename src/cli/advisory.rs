//! `ragline advisory`.

use super::{say, say_problems};
use anyhow::{Context as _, Result};
use clap::Args;
use ragline::advisory::{self, Now};
use ragline::baseline::Baseline;
use ragline::drive::record::{self, Run};
use ragline::drive::session::{self, Opened, stem_for, with_ending};
use ragline::gate::Exit;
use ragline::problem::{Problems, read_source, shown_path};
use ragline::suite::digest::expects;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What became of what would have blocked while the gate only advised. Asks nobody and decides nothing.
#[derive(Debug, Args)]
pub(crate) struct AdvisoryArgs {
    /// The folders of runs, such as those that CI kept; without any the runs that are on file here.
    #[arg(value_name = "RUN")]
    runs: Vec<PathBuf>,

    /// As JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn advisory(folder: &Path, args: &AdvisoryArgs) -> Result<Exit> {
    let looked = match look(folder, args) {
        Ok(looked) => looked,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    if args.json {
        let blocks: Vec<serde_json::Value> = looked
            .blocks
            .iter()
            .map(|b| serde_json::json!({ "question": b.question, "runs": b.runs, "ended": b.ended.name() }))
            .collect();
        let value = serde_json::json!({ "runs": looked.runs, "blocking": looked.blocking, "blocks": blocks });
        say(&format!("{}\n", serde_json::to_string(&value).context("cannot write JSON")?))?;
    } else {
        say(&looked.text())?;
    }
    Ok(Exit::Open)
}

fn look(folder: &Path, args: &AdvisoryArgs) -> Result<advisory::Looked, Problems> {
    let Opened { project, suites, .. } = session::open(folder).map_err(|stop| stop.problems)?;
    let mut runs = Vec::new();
    if args.runs.is_empty() {
        for on_file in record::finished(&project.root) {
            // One that another version wrote is left out: there are others.
            runs.extend(record::read(&project.root, Some(&on_file)));
        }
    } else {
        for run in &args.runs {
            runs.push(record::read(&project.root, Some(run))?);
        }
        // Ids begin with the time.
        runs.sort_by(|a: &Run, b: &Run| a.record.id.cmp(&b.record.id));
    }
    let mut now = BTreeMap::new();
    for suite in &suites {
        // The target of the newest run, which has a baseline of its own where it is not the usual one.
        let target = runs.iter().rev().find_map(|r| r.of(&suite.name)).and_then(|s| s.other_target.as_deref());
        let stem = stem_for(suite.path.parent().unwrap_or(&project.root), suite, target);
        let path = with_ending(&stem, ".baseline.toml");
        let shown = shown_path(&path, &project.root);
        let baseline = if path.exists() { Some(Baseline::parse(&read_source(&path, &shown)?)?) } else { None };
        let labels_path = ragline::labels::file::path_of(&suite.path);
        let labels = ragline::labels::file::read(&labels_path, &shown_path(&labels_path, &project.root), &suite.name)?;
        let digests = suite.questions.iter().map(|q| (q.id.to_string(), expects(q, suite.top_k))).collect();
        now.insert(suite.name.to_string(), Now { baseline, labels, expects: digests });
    }
    Ok(advisory::look(&runs, &now))
}

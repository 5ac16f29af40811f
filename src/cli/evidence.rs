//! `ragline evidence`: does what the suites name still stand in the corpus?

use super::{say, say_problems};
use anyhow::Result;
use clap::{Args, Subcommand};
use ragline::drive::session;
use ragline::evidence::{self, OfSuite, update};
use ragline::gate::Exit;
use ragline::problem::{Place, Problem, Problems, shown_path};
use ragline::report::evidence as report;
use ragline::suggest::suite::unknown;
use ragline::suite::Suite;
use ragline::suite::corpus::Corpus;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct EvidenceArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Look up every place that evidence names; asks nobody. Exit 1 when something must be mended.
    Check(CheckArgs),
    /// Show the suites with the nearest words in the place of those that are gone, as a diff.
    Update(UpdateArgs),
}

#[derive(Debug, Args)]
struct Among {
    /// The suites by name; all when none is given.
    #[arg(value_name = "SUITE")]
    suites: Vec<String>,

    /// Another corpus than the suites' own: a folder, or a file of JSON lines {"doc","text","section"?}.
    #[arg(long, value_name = "DIR|FILE")]
    corpus: Option<PathBuf>,
}

/// Stale evidence is shown with the nearest words of the corpus, the numbers that changed and the facts that they no longer
/// state; words that stand in several sections are told; and so are questions that must be refused although the corpus says
/// what an answer must not say.
#[derive(Debug, Args)]
struct CheckArgs {
    #[command(flatten)]
    among: Among,

    /// Print one JSON object a suite.
    #[arg(long)]
    json: bool,
}

/// Comments and everything else in the file stay as they are. Facts are not changed: look at those that the check names.
#[derive(Debug, Args)]
struct UpdateArgs {
    #[command(flatten)]
    among: Among,

    /// Write the suites.
    #[arg(long)]
    write: bool,
}

pub(crate) fn evidence(folder: &Path, args: &EvidenceArgs) -> Result<Exit> {
    let done = match &args.what {
        What::Check(a) => check(folder, a),
        What::Update(a) => updated(folder, a),
    };
    match done {
        Ok((text, exit)) => {
            say(&text)?;
            Ok(exit)
        }
        Err(problems) => {
            say_problems(&problems);
            Ok(Exit::Usage)
        }
    }
}

fn check(folder: &Path, args: &CheckArgs) -> Result<(String, Exit), Problems> {
    let mut sound = true;
    let mut out = String::new();
    each(folder, &args.among, |checked, _| {
        sound &= checked.is_sound();
        if args.json {
            out.push_str(&checked.json().to_string());
            out.push('\n');
        } else {
            out.push_str(&report::text(checked));
        }
        Ok(())
    })?;
    Ok((out, if sound { Exit::Open } else { Exit::Closed }))
}

fn updated(folder: &Path, args: &UpdateArgs) -> Result<(String, Exit), Problems> {
    let mut out = String::new();
    each(folder, &args.among, |checked, root| {
        let updated = update::update(checked, root)?;
        let shown = shown_path(&checked.suite.path, root);
        out.push_str(&report::diff(&updated, &shown, args.write));
        if args.write && !updated.ids.is_empty() {
            update::write(&updated, &checked.suite.path, root)?;
        }
        Ok(())
    })?;
    Ok((out, Exit::Open))
}

/// Checks each suite that is meant.
fn each(
    folder: &Path,
    among: &Among,
    mut with: impl FnMut(&OfSuite<'_>, &Path) -> Result<(), Problems>,
) -> Result<(), Problems> {
    let opened = session::open(folder).map_err(|stop| stop.problems)?;
    let root = &opened.project.root;
    let names: Vec<&str> = opened.suites.iter().map(|s| s.name.as_ref()).collect();
    if let Some(other) = among.suites.iter().find(|n| !names.contains(&n.as_str())) {
        return Err(unknown(other, &names));
    }
    let meant = |s: &&Suite| among.suites.is_empty() || among.suites.iter().any(|n| *n == *s.name);
    let given = among.corpus.as_ref().map(|path| load(&folder.join(path), root)).transpose()?;
    let suites: Vec<&Suite> = opened.suites.iter().filter(meant).collect();
    if given.is_none() && suites.iter().all(|s| s.corpus.is_none()) {
        let title = "no suite names a corpus, so nothing can be looked up";
        let help = "write `corpus: DIR` into the suite, or name one: `ragline evidence check --corpus DIR`";
        return Err(Problem::error("no-corpus-named", Place::default(), title).help(help).into());
    }
    for suite in suites {
        let own = match (&given, &suite.corpus) {
            (None, Some(path)) => Some(load(path, root)?),
            (Some(_), _) | (None, None) => None,
        };
        let Some(corpus) = given.as_ref().or(own.as_ref()) else { continue };
        with(&evidence::check(suite, corpus), root)?;
    }
    Ok(())
}

/// A folder of documents, or a file of JSON lines.
fn load(path: &Path, root: &Path) -> Result<Corpus, Problems> {
    let shown = shown_path(path, root);
    if path.is_file() { Corpus::load_lines(path, &shown) } else { Ok(Corpus::load(path, &shown)?) }
}

//! `ragline judge twins`: right answers of the suites with one planted error each.

use super::{say, say_error, say_problems};
use anyhow::{Result, bail};
use clap::Args;
use ragline::baseline::answers::Answers;
use ragline::drive::baselines::ANSWERS;
use ragline::drive::session::{self, stem_for, with_ending};
use ragline::gate::Exit;
use ragline::judge::twins::{self, Kind, Twin, source};
use ragline::problem::{Problems, read_source, shown_path};
use ragline::report::file;
use ragline::stats::SEED;
use ragline::suggest::suite::unknown;
use ragline::suite::Suite;
use ragline::suite::corpus::Corpus;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Right answers are the accepted ones that every layer passes, and for other questions the sentence of the corpus in which
/// the evidence stands. From each, one twin of each kind is made where it has a place for it; a twin that is still borne out
/// by its passages is left out. Asks nobody.
#[derive(Debug, Args)]
pub(crate) struct TwinsArgs {
    /// The suites by name; all when none is given.
    #[arg(value_name = "SUITE")]
    suites: Vec<String>,

    /// The file to write: a JSON object a line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Only twins of this kind; may be repeated.
    #[arg(long, value_name = "KIND", value_parser = parse_kind)]
    kind: Vec<Kind>,

    /// Take each sentence of the corpus for a right answer too, to no question: for kinds that find a place in few answers.
    #[arg(long)]
    sentences: bool,

    /// At most so many of a kind, drawn at random.
    #[arg(long, value_name = "N")]
    most: Option<usize>,

    /// What is drawn from: the same seed gives the same file.
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
}

fn parse_kind(text: &str) -> std::result::Result<Kind, String> {
    Kind::parse(text).ok_or_else(|| format!("expected one of {}", Kind::ALL.map(Kind::name).join(", ")))
}

pub(crate) fn twins(folder: &Path, args: &TwinsArgs) -> Result<Exit> {
    let made = match made(folder, args) {
        Ok(made) => made,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    let mut text = String::new();
    for twin in &made {
        writeln!(text, "{}", serde_json::to_string(twin)?)?;
    }
    if made.is_empty() {
        bail!(
            "no twin: no right answer has a place for one (an accepted answer, or evidence with a span and a corpus)"
        );
    }
    if let Err(e) = file::write(&args.out, text.as_bytes()) {
        say_error(&format!("error: {e}"));
        return Ok(Exit::ReportNotWritten);
    }
    let mut said = format!("wrote {}: {} twins\n", args.out.display(), made.len());
    for kind in Kind::ALL {
        let n = made.iter().filter(|t| t.kind == kind.name()).count();
        if n > 0 {
            writeln!(said, "  {:<17} {n:>5}", kind.name())?;
        }
    }
    say(&said)?;
    Ok(Exit::Open)
}

fn made(folder: &Path, args: &TwinsArgs) -> std::result::Result<Vec<Twin>, Problems> {
    let opened = session::open(folder).map_err(|stop| stop.problems)?;
    let root = &opened.project.root;
    let names: Vec<&str> = opened.suites.iter().map(|s| s.name.as_ref()).collect();
    if let Some(other) = args.suites.iter().find(|n| !names.contains(&n.as_str())) {
        return Err(unknown(other, &names));
    }
    let mut all = Vec::new();
    for suite in opened.suites.iter().filter(|s| args.suites.is_empty() || args.suites.iter().any(|n| *n == *s.name)) {
        all.extend(of_suite(suite, root, args)?);
    }
    Ok(all)
}

fn of_suite(suite: &Suite, root: &Path, args: &TwinsArgs) -> std::result::Result<Vec<Twin>, Problems> {
    let corpus = match &suite.corpus {
        Some(path) => Some(Corpus::load(path, &shown_path(path, root))?),
        None => None,
    };
    let path = with_ending(&stem_for(suite.path.parent().unwrap_or(root), suite, None), ANSWERS);
    let accepted =
        if path.is_file() { Some(Answers::read(&*read_source(&path, &shown_path(&path, root))?)?) } else { None };
    let (sources, pool) = source::read(suite, corpus.as_ref(), accepted.as_ref(), args.sentences);
    Ok(twins::drawn(&sources, &pool, &args.kind, args.most, args.seed))
}

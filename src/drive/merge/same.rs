//! Whether shards are all shares of one run, and this is the place where it can be put together. Each way to lose, double
//! or mix up a share has its own message.

use super::find::Piece;
use crate::drive::fingerprint::Fingerprint;
use crate::drive::shard::record::{ShardRecord, digest};
use crate::problem::{Place, Problem, Problems};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// So many are listed.
const LISTED: usize = 10;

/// The record that all shards share, when they are all there, each once.
///
/// # Errors
/// What is missing, there twice, or of another run.
pub(super) fn one_run(pieces: &[Piece]) -> Result<&ShardRecord, Problems> {
    let Some(first) = most(pieces) else {
        let what = "there is no shard to merge";
        return Err(Problem::error("no-shards", Place::default(), what)
            .help("name the run folders of all shards: `ragline merge RUN…`")
            .into());
    };
    let mut problems = Problems::default();
    problems.0.extend(pieces.iter().filter_map(|p| foreign(p, first)));
    // Among strangers nothing can be missing.
    if problems.0.is_empty() {
        problems.0.extend(doubled(pieces));
        problems.0.extend(missing(pieces, &first.shard));
    }
    if problems.0.is_empty() { Ok(&first.shard) } else { Err(problems) }
}

/// A shard of the run that most of them belong to; of as many, the one with the lowest number.
fn most(pieces: &[Piece]) -> Option<&Piece> {
    let run = |p: &Piece| {
        let ShardRecord { index: _, of, ragline, durations, whole, words, inputs, targets, questions: _, unasked: _ } =
            &p.shard;
        let parts = serde_json::json!([of, ragline, durations, whole, words, inputs, targets]);
        digest(&parts.to_string())
    };
    let runs: Vec<String> = pieces.iter().map(run).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    runs.iter().for_each(|r| *count.entry(r).or_default() += 1);
    let times = |i: usize| runs.get(i).and_then(|r| count.get(r.as_str())).copied().unwrap_or(0);
    let best = (0..pieces.len()).max_by_key(|i| (times(*i), std::cmp::Reverse(*i)))?;
    pieces.get(best)
}

/// In what a shard is of another run than the others.
fn foreign(piece: &Piece, first: &Piece) -> Option<Problem> {
    let (a, b) = (&piece.shard, &first.shard);
    let error = |code: &'static str, what: String, help: &str| {
        Some(Problem::error(code, Place::file(&piece.shown), what).help(help.to_owned()))
    };
    if a.of != b.of {
        let what = format!("{} and {} are of runs that were divided otherwise", piece.name(), first.name());
        return error("shard-count", what, "run all shards with the same number of them: --shard 1/n to n/n");
    }
    if a.ragline != b.ragline {
        let what = format!("{} was run by ragline {}, {} by {}", piece.name(), a.ragline, first.name(), b.ragline);
        return error("shard-foreign", what, "run all shards, and the merge, with one version");
    }
    if a.durations != b.durations {
        let word = |d: &Option<String>| d.as_ref().map_or("by no file".to_owned(), |d| format!("by file {d}"));
        let what = format!(
            "{} was balanced {}, {} {}: one file would divide the questions otherwise than the other",
            piece.name(),
            word(&a.durations),
            first.name(),
            word(&b.durations)
        );
        return error("shard-durations", what, "give all shards the same committed file: --durations FILE");
    }
    if let Some(what) = b.whole.differs(&a.whole) {
        let what = format!("{} is of another run than {}: {what}", piece.name(), first.name());
        return error("shard-foreign", what, "run all shards on the same commit, with the same words and --today");
    }
    let others = differing(&a.inputs, &b.inputs);
    if !others.is_empty() {
        let what = format!("{} was run with other files than {}: {}", piece.name(), first.name(), others.join(", "));
        return error("shard-foreign", what, "run all shards on the same commit");
    }
    if a.targets != b.targets {
        let suites: Vec<&str> =
            a.targets.iter().filter(|(suite, t)| b.targets.get(*suite) != Some(t)).map(|(s, _)| s.as_str()).collect();
        let what = format!(
            "{} asked another system than {}, for {}: what it is said to return, or how many passages it holds, differs",
            piece.name(),
            first.name(),
            suites.join(", ")
        );
        return error("shard-foreign", what, "run all shards against the same targets");
    }
    if a.words != b.words {
        let what =
            format!("{} was run with other words than {}: profile, target or answers", piece.name(), first.name());
        return error("shard-foreign", what, "give all shards the same words but for --shard");
    }
    None
}

/// The files of which two runs have different versions.
fn differing(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    names.into_iter().filter(|n| a.get(*n) != b.get(*n)).cloned().collect()
}

/// Shards, and questions, that are there twice.
fn doubled(pieces: &[Piece]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for pair in pieces.windows(2) {
        if let [a, b] = pair
            && a.shard.index == b.shard.index
        {
            let what = format!("shard {} of {} is there twice: {} and {}", a.shard.index, a.shard.of, a.shown, b.shown);
            let help = "name one of them, the one that counts: a merge takes no pick";
            problems.push(Problem::error("shard-doubled", Place::file(&b.shown), what).help(help));
        }
    }
    if !problems.is_empty() {
        return problems;
    }
    let mut owner: HashMap<(&str, &str), &Piece> = HashMap::new();
    for piece in pieces {
        for (suite, ids) in &piece.shard.questions {
            for id in ids {
                if let Some(other) = owner.insert((suite, id), piece) {
                    let what = format!("{suite}::{id} is a question of both {} and {}", other.name(), piece.name());
                    let help = "run both shards anew, with one version of ragline";
                    problems.push(Problem::error("shard-doubled", Place::file(&piece.shown), what).help(help));
                    return problems;
                }
            }
        }
    }
    problems
}

fn missing(pieces: &[Piece], first: &ShardRecord) -> Option<Problem> {
    let there: BTreeSet<u32> = pieces.iter().map(|p| p.shard.index).collect();
    let missing: Vec<u32> = (1..=first.of).filter(|i| !there.contains(i)).collect();
    if missing.is_empty() {
        return None;
    }
    let shown: Vec<String> = missing.iter().take(LISTED).map(ToString::to_string).collect();
    let more = missing.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (s, are) = if missing.len() == 1 { ("", "is") } else { ("s", "are") };
    let what = format!("shard{s} {}{more} of {} {are} missing", shown.join(", "), first.of);
    Some(Problem::error("shard-missing", Place::default(), what).help(
        "a job that failed before it began leaves no run; run it, keep `.ragline/` of every job, and merge all of them",
    ))
}

/// Nothing that the shards asked is in the project.
pub(super) fn nothing_here(first: &ShardRecord) -> Problem {
    let suites: Vec<&str> = first.targets.keys().map(String::as_str).collect();
    let what = format!("not one question of the shards is here; they asked {}", suites.join(", "));
    elsewhere(what)
}

/// Whether the files of this place are those of the shards.
///
/// # Errors
/// That they are not, with their names.
pub(super) fn here(first: &ShardRecord, inputs: &BTreeMap<String, String>) -> Result<(), Problem> {
    if first.ragline != crate::VERSION {
        let what = format!("the shards were run by ragline {}, this is {}", first.ragline, crate::VERSION);
        return Err(elsewhere(what));
    }
    let others = differing(&first.inputs, inputs);
    if others.is_empty() {
        return Ok(());
    }
    Err(elsewhere(format!("the shards were run with other files than those here: {}", others.join(", "))))
}

/// Whether all shards together ask what each says that they do.
///
/// # Errors
/// What is other.
pub(super) fn whole(pieces: &[Piece], first: &ShardRecord, now: &Fingerprint) -> Result<(), Problem> {
    for was in &first.whole.suites {
        let held: usize = pieces.iter().filter_map(|p| p.shard.questions.get(&was.suite)).map(Vec::len).sum();
        if held != was.questions {
            let what = format!(
                "the shards together hold {held} of the {} questions of `{}` that the run asks",
                was.questions, was.suite
            );
            return Err(Problem::error("shard-damaged", Place::default(), what).help("run all shards anew"));
        }
    }
    match first.whole.differs(now) {
        None => Ok(()),
        Some(what) => Err(elsewhere(format!("the merged run is not what the shards ran: {what}"))),
    }
}

fn elsewhere(what: String) -> Problem {
    Problem::error("merge-differs", Place::default(), what)
        .help("merge on the commit that the shards ran on, with the same version of ragline")
}

//! Putting shards together: from the run folders of all shares to the run that asked everything.
//!
//! Nothing is added up. The answers of all shards are examined once more, by the code and with the files that a single run
//! would use, and the core decides over all of them; so the merged run is the single run, byte for byte, or there is none.
//! What could make it another one is refused: a share that is missing, there twice, not at its end, or of another run.
//!
//! * `find` looks for the folders of shards, and reads them;
//! * `same` says whether they are all shares of one run;
//! * here they are put together.

mod find;
mod same;

use super::fingerprint::Fingerprint;
use super::journal::Journal;
use super::known::{self, Entry, Key, Known, Scanned};
use super::record;
use super::session::{Answers, Options, Ready, Stop, prepare};
use super::shard::record::ShardRecord;
use super::{Driver, save};
use crate::confirm::Spend;
use crate::core::plan::{Plan, TargetFacts, Unasked};
use crate::drive::checkout::Checkout;
use crate::drive::session::Done;
use crate::gate::Exit;
use crate::gate::expected::By;
use crate::layer::Provides;
use crate::problem::{Place, Problem, Problems, shown_path};
use crate::target::{Failure, FailureKind, Pending, Reply, Request, Target};
use find::Piece;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the shards say of the targets that they asked.
#[derive(Debug)]
pub struct Measured(BTreeMap<String, TargetFacts>);

impl Measured {
    /// Whether a suite was asked.
    pub(in crate::drive) fn has(&self, suite: &str) -> bool {
        self.0.contains_key(suite)
    }

    /// What stands for the target of a suite.
    pub(in crate::drive) fn target(&self, suite: &str) -> Option<Arc<dyn Target>> {
        self.0.get(suite).map(|facts| Arc::new(Elsewhere(facts.clone())) as Arc<dyn Target>)
    }
}

/// A target that was asked elsewhere.
struct Elsewhere(TargetFacts);

impl Target for Elsewhere {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn provides(&self) -> Provides {
        self.0.provides
    }

    fn subject(&self) -> Option<String> {
        self.0.subject.clone()
    }

    fn passages(&self) -> Option<usize> {
        self.0.passages
    }

    fn is_replay(&self) -> bool {
        true
    }

    fn ask<'a>(&'a self, _request: Request<'a>) -> Pending<'a> {
        // Every answer is looked for before anything is examined. Should one be wanted all the same, the run is not whole.
        let why = "no shard holds an answer, and a merge asks nobody";
        Box::pin(std::future::ready(Reply::Failed(Failure::new(FailureKind::Interrupted, why))))
    }
}

/// What is put together, and where it goes.
#[derive(Debug, Clone)]
pub struct Order {
    /// Where the project is looked for, upwards.
    pub folder: PathBuf,
    /// Folders of shards, or folders in which they are looked for.
    pub runs: Vec<PathBuf>,
    /// The folder of the merged run; none: one of the project's own.
    pub out: Option<PathBuf>,
    /// A file that takes all answers as a recording.
    pub save: Option<PathBuf>,
    /// Where the files that are here come from.
    pub checkout: Checkout,
}

/// A run that was put together.
#[derive(Debug)]
pub struct Merged {
    /// What came of it.
    pub done: Done,
    /// Of how many shards.
    pub shards: u32,
    /// The folder of the project.
    pub root: PathBuf,
    /// What a person should look at.
    pub warnings: Problems,
}

/// Puts shards together, and lets the core decide.
///
/// # Errors
/// Everything that keeps the merged run from being the single one.
pub fn merge(order: &Order) -> Result<Merged, Stop> {
    let (project, _) = crate::suite::config::load(&order.folder)?;
    let pieces = find::all(&order.runs, &project.root)?;
    let first = same::one_run(&pieces)?;
    let mut ready = prepared(order, &pieces, first)?;
    let known = Arc::new(answers(&pieces, &ready.plan)?);
    let folder = folder(order, &ready)?;
    let warnings = std::mem::take(&mut ready.warnings);
    let mut driver = Driver::new(Arc::clone(&ready.plan), ready.targets, ready.accepted);
    driver.threads = ready.threads;
    driver.known = Some(Arc::clone(&known));
    let finished =
        copy(&known, &folder, &Fingerprint::of(&ready.plan)).map_err(Problems::from).and_then(|()| driver.run());
    let finished = finished.inspect_err(|_| {
        // Half a run must not be taken for one that can be gone on with; the shards are all still there.
        let _ = fs::remove_dir_all(&folder);
    })?;
    let written = match &order.out {
        Some(_) => record::write_to(&folder, &ready.plan, &finished, None),
        None => record::write(&folder, &ready.project, &ready.plan, &finished, None),
    };
    written.map_err(|e| {
        let what = format!("cannot write the run folder {}: {e}", folder.display());
        Problem::error("run-folder", Place::default(), what)
    })?;
    let saved = order.save.as_ref().map(|path| (path, save::all(path, &folder, &ready.plan)));
    let unwritten = saved
        .into_iter()
        .filter_map(|(path, saved)| Some(format!("cannot save the answers in {}: {}", path.display(), saved.err()?)));
    let done = Done { finished, folder: Some(folder), unwritten: unwritten.collect(), resumed: None };
    Ok(Merged { done, shards: first.of, root: ready.project.root, warnings })
}

/// The plan of the single run: what the shards say of their targets, and everything else from the files that are here.
fn prepared(order: &Order, pieces: &[Piece], first: &ShardRecord) -> Result<Ready, Stop> {
    let shards = || pieces.iter().map(|p| &p.shard);
    let today = first.whole.today.parse().map_err(|_| {
        Problem::error("run-unreadable", Place::default(), format!("`{}` is no day", first.whole.today))
    })?;
    let mut options = Options::new(&order.folder, today);
    options.answers = Some(Answers::Live);
    options.profile.clone_from(&first.words.profile);
    options.target.clone_from(&first.words.target);
    options.policy_from.clone_from(&first.words.policy_from);
    options.base.clone_from(&first.words.base);
    options.expect_fixed.clone_from(&first.words.expect_fixed);
    options.expect_by = first.words.expect_by.as_deref().and_then(By::parse);
    options.checkout = order.checkout.clone();
    let ids = shards().flat_map(|s| &s.questions);
    options.only = Some(ids.flat_map(|(suite, ids)| ids.iter().map(move |id| format!("{suite}::{id}"))).collect());
    let targets = first.targets.iter().map(|(suite, line)| (suite.clone(), line.facts()));
    options.measured = Some(Arc::new(Measured(targets.collect())));
    let mut ready = prepare(&options, None, None).map_err(|stop| match stop.exit {
        // What the shards asked is not here at all.
        Exit::NothingSelected => Stop { exit: Exit::Usage, ..same::nothing_here(first).into() },
        Exit::Open | Exit::Closed | Exit::Usage | Exit::Incomplete | Exit::ReportNotWritten => stop,
    })?;
    same::here(first, &ready.inputs)?;
    if let Some(plan) = Arc::get_mut(&mut ready.plan) {
        plan.repeat_args.clone_from(&first.words.repeat);
        plan.repeat = first.words.runs.max(1);
        plan.confirm = first.words.confirm;
        plan.spend = Spend { most: first.words.most, budget: first.words.budget };
        for suite in &mut plan.suites {
            if let Some(line) = first.targets.get(&*suite.suite.name) {
                suite.target.asked_anew = line.asked_anew;
                suite.beside.clone_from(&line.beside);
            }
            let lines: Vec<_> = shards().filter_map(|s| s.unasked.get(&*suite.suite.name)).collect();
            let Some(line) = lines.first() else { continue };
            let ids: HashSet<&str> = lines.iter().flat_map(|l| &l.ids).map(String::as_str).collect();
            let questions = suite.suite.questions.iter().map(|q| ids.contains(q.id.as_str())).collect();
            suite.unasked = Some(Unasked { variables: line.variables.clone(), questions });
        }
    }
    same::whole(pieces, first, &Fingerprint::of(&ready.plan))?;
    Ok(ready)
}

/// The answers of all shards: of each question that a shard was to ask, what came of it.
fn answers(pieces: &[Piece], plan: &Plan) -> Result<Known, Problems> {
    let mut problems = Problems::default();
    let mut index: HashMap<Key, Entry> = HashMap::new();
    let mut books = Vec::new();
    for (book, piece) in pieces.iter().enumerate() {
        match journal(piece, book) {
            Ok((file, replies)) => {
                problems.0.extend(lacking(piece, plan, &replies));
                index.extend(replies);
                books.push((file, Arc::clone(&piece.journal)));
            }
            Err(p) => problems.0.push(p),
        }
    }
    if problems.any_error() { Err(problems) } else { Ok(Known::of(books, index)) }
}

/// The journal of a shard, with what stands in it.
fn journal(piece: &Piece, book: usize) -> Result<(File, HashMap<Key, Entry>), Problem> {
    let path = piece.folder.join("journal.jsonl");
    let broken = |what: String| {
        let place = Place::file(&piece.journal);
        Problem::error("shard-damaged", place, what).help(format!("run {} anew", piece.name()))
    };
    let file = File::open(&path).map_err(|e| broken(format!("cannot read the journal of {}: {e}", piece.name())))?;
    let mut found = HashMap::new();
    let mut named = None;
    let length = known::scan(&file, &piece.journal, &mut |line| {
        match line {
            Scanned::Header(header) => named = header.asks.shard,
            Scanned::Reply { key, at } => {
                let (suite, id, ..) = &key;
                if !piece.shard.questions.get(&**suite).is_some_and(|ids| ids.iter().any(|i| **i == **id)) {
                    let what = format!(
                        "the journal of {} holds an answer to {suite}::{id}, which it did not ask",
                        piece.name()
                    );
                    return Err(broken(what));
                }
                found.insert(key, at.of_book(book));
            }
        }
        Ok(())
    })
    .map_err(|p| if p.code == "journal" { broken(format!("{}: {}", piece.name(), p.title)) } else { p })?;
    if length.lines > 0 && named.as_deref() != Some(&*piece.shard.name()) {
        let is = named.map_or("of no shard".to_owned(), |n| format!("that of shard {n}"));
        return Err(broken(format!("the journal beside the record of {} is {is}", piece.name())));
    }
    if !length.ended || length.lines == 0 {
        return Err(broken(format!("the journal of {} is cut off: its last line is not whole", piece.name())));
    }
    Ok((file, found))
}

/// The questions of a shard whose answers are not in its journal.
fn lacking(piece: &Piece, plan: &Plan, replies: &HashMap<Key, Entry>) -> Option<Problem> {
    let mut lacking = Vec::new();
    let mut asked = 0;
    for suite in &plan.suites {
        let Some(ids) = piece.shard.questions.get(&*suite.suite.name) else { continue };
        let ids: HashSet<&str> = ids.iter().map(String::as_str).collect();
        for (i, q) in suite.suite.questions.iter().enumerate() {
            if ids.contains(q.id.as_str()) && suite.is_asked(i) && !q.draft {
                asked += 1;
                if !replies.contains_key(&(suite.suite.name.as_ref().into(), q.id.as_str().into(), 0, false)) {
                    lacking.push(format!("{}::{}", suite.suite.name, q.id));
                }
            }
        }
    }
    let shown: Vec<&str> = lacking.iter().take(5).map(String::as_str).collect();
    let more = lacking.len().saturating_sub(shown.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!lacking.is_empty()).then(|| {
        let what = format!(
            "the journal of {} lacks the answers to {} of its {asked} questions: {}{more}",
            piece.name(),
            lacking.len(),
            shown.join(", ")
        );
        Problem::error("shard-damaged", Place::file(&piece.journal), what).help(format!("run {} anew", piece.name()))
    })
}

/// Makes the folder of the merged run.
fn folder(order: &Order, ready: &Ready) -> Result<PathBuf, Stop> {
    let Some(out) = &order.out else { return Ok(ready.start_folder()?) };
    let taken = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
    if taken {
        let what = format!("--out {} is there, and not empty", shown_path(out, &ready.project.root));
        return Err(Problem::error("merge-out", Place::default(), what)
            .help("name a folder that is not there yet: a merge overwrites nothing")
            .into());
    }
    let made = fs::create_dir_all(out).map(|()| out.clone());
    made.map_err(|e| {
        Problem::error("run-folder", Place::default(), format!("cannot make {}: {e}", out.display())).into()
    })
}

/// The journal of the merged run: the answers of all shards, shard by shard. What was not asked has no line in that of a
/// single run.
fn copy(known: &Known, folder: &Path, asks: &Fingerprint) -> Result<(), Problem> {
    let path = folder.join("journal.jsonl");
    let unwritten = |e: std::io::Error| {
        Problem::error("journal", Place::default(), format!("cannot write the journal of the run: {e}"))
    };
    drop(Journal::create(&path, asks).map_err(unwritten)?);
    let file = fs::OpenOptions::new().append(true).open(&path).map_err(unwritten)?;
    let mut out = std::io::BufWriter::new(file);
    known.copy(&mut |line| out.write_all(line))?;
    out.flush().map_err(unwritten)
}

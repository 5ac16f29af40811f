//! `ragline accept`.

use super::{say, say_problems, today};
use anyhow::{Context, Result, bail};
use clap::Args;
use jiff::civil::Date;
use ragline::baseline::accept::{self, Accepted, How, SuiteRun};
use ragline::baseline::file::{Baseline, Floor};
use ragline::baseline::known::stand_in;
use ragline::core::{Change, measure};
use ragline::drive::accepted;
use ragline::drive::artefact::{self, Held};
use ragline::drive::env;
use ragline::drive::record::{self, Run, SuiteRecord};
use ragline::drive::session::{self, Opened, history_path, stem_for, with_ending};
use ragline::gate::Exit;
use ragline::history;
use ragline::layer::says_nothing;
use ragline::problem::{Place, Problem, Problems, read_source, shown_path};
use ragline::report::file;
use ragline::report::results::ResultLine;
use ragline::suite::config::Project;
use ragline::suite::digest::expects;
use ragline::suite::select::{RunFacts, Selection, Selector};
use ragline::suite::{Question, QuestionId, Suite};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// Which questions: SUITE, SUITE::ID, an id, globs, or tag: layer: change: severity: owner: doc:; `all` for all.
    #[arg(value_name = "SELECTOR")]
    selectors: Vec<String>,

    /// Another run than the last one: its folder, a folder that holds it, or the archive in which CI keeps it.
    #[arg(long, value_name = "DIR|ZIP")]
    run: Option<PathBuf>,

    /// The first baseline: accepts everything that was measured.
    #[arg(long)]
    first: bool,

    /// Only questions with this change; may be given several times.
    #[arg(long, value_name = "fixed|new_pass|edited|…", value_parser = parse_change)]
    only: Vec<Change>,

    /// Take questions out of the baseline that the suite no longer holds: all of them, or those that are selected.
    #[arg(long)]
    removed: bool,

    /// Why a failure is accepted.
    #[arg(long, value_name = "TEXT", value_parser = says_something)]
    reason: Option<String>,

    /// The last day on which the failure is accepted, or the quarantine holds.
    #[arg(long, value_name = "YYYY-MM-DD")]
    until: Option<Date>,

    /// The day that `--until` must not lie before; the machine's by default.
    #[arg(long, value_name = "YYYY-MM-DD", env = "RAGLINE_TODAY")]
    today: Option<Date>,

    /// Who looks after it.
    #[arg(long, value_name = "WHO", value_parser = says_something)]
    owner: Option<String>,

    /// Where it is tracked.
    #[arg(long, value_name = "WHERE", value_parser = says_something)]
    issue: Option<String>,

    /// The question is known to pass at some times and fail at others.
    #[arg(long)]
    flaky: bool,

    /// The least share of passes of a flaky question, such as 7/10: surely below it, it blocks.
    #[arg(long, value_name = "PASSES/RUNS", requires = "flaky", value_parser = parse_floor)]
    floor: Option<Floor>,

    /// Accept although this is a CI job.
    #[arg(long)]
    in_ci: bool,

    /// The question is asked and shown, and blocks nothing until the day of `--until`; from the day after every failure blocks.
    #[arg(long, requires = "until", conflicts_with = "flaky")]
    quarantine: bool,
}

fn parse_change(text: &str) -> Result<Change, String> {
    Change::parse(text).ok_or_else(|| {
        let known: Vec<&str> = Change::ALL.iter().map(|c| c.name()).collect();
        format!("expected one of {}", known.join(", "))
    })
}

fn says_something(text: &str) -> Result<String, String> {
    if says_nothing(text) { Err("it is blank, and somebody will read it".to_owned()) } else { Ok(text.to_owned()) }
}

fn parse_floor(text: &str) -> Result<Floor, String> {
    Floor::parse(text).ok_or_else(|| "expected a share of runs such as 7/10".to_owned())
}

/// What the last run said of each question.
pub(crate) struct LastRun(HashMap<(String, String), RunFacts>);

impl LastRun {
    fn new(results: &[ResultLine]) -> Self {
        let facts = results.iter().map(|l| {
            let facts = RunFacts { change: Some(l.change.name().to_owned()), layers_changed: l.changed_layers.clone() };
            ((l.suite.clone(), l.id.clone()), facts)
        });
        LastRun(facts.collect())
    }

    /// The facts of one question; none of them when the run did not ask it.
    pub(crate) fn of(&self, suite: &str, id: &str) -> RunFacts {
        self.0.get(&(suite.to_owned(), id.to_owned())).cloned().unwrap_or_default()
    }
}

/// The last run of a project, where a selector asks for it and there is one.
pub(crate) fn last_run_facts(folder: &Path, selectors: &[String]) -> Option<LastRun> {
    if !selectors.iter().any(|s| s.starts_with("change:") || s.starts_with("layer:")) {
        return None;
    }
    let (project, _) = ragline::suite::config::load(folder).ok()?;
    record::read(&project.root, None).ok().map(|run| LastRun::new(&run.results))
}

pub(crate) fn accept(folder: &Path, args: AcceptArgs) -> Result<Exit> {
    if env::switch("CI").map_err(anyhow::Error::msg)? && !args.in_ci {
        bail!(
            "this is a CI job (CI is set), and a gate that rewrites its own baseline gates nothing\n  \
             help: accept on your machine, from this run's folder: ragline accept --run DIR …; or say --in-ci"
        );
    }
    let names_something = args.first || args.removed || !args.only.is_empty() || !args.selectors.is_empty();
    if !names_something {
        bail!("name what to accept: an id, a suite, --only fixed, --first, --removed, or all");
    }
    match accept_all(folder, &args) {
        Ok(text) => {
            say(&text)?;
            Ok(Exit::Open)
        }
        Err(Failure::Problems(p)) => {
            say_problems(&p);
            Ok(Exit::Usage)
        }
        Err(Failure::Other(e)) => Err(e),
    }
}

enum Failure {
    Problems(Problems),
    Other(anyhow::Error),
}

impl From<Problems> for Failure {
    fn from(p: Problems) -> Self {
        Failure::Problems(p)
    }
}

impl From<Problem> for Failure {
    fn from(p: Problem) -> Self {
        Failure::Problems(p.into())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(e: anyhow::Error) -> Self {
        Failure::Other(e)
    }
}

/// A suite's files to be written, once nothing can go wrong any more.
struct Pending {
    baseline: (PathBuf, String),
    /// Where a line of them changes.
    answers: Option<(PathBuf, String)>,
    /// Where one is kept: with a line more.
    history: Option<(PathBuf, String)>,
}

fn accept_all(folder: &Path, args: &AcceptArgs) -> Result<String, Failure> {
    let Opened { project, suites, .. } = session::open(folder).map_err(|s| s.problems)?;
    // Kept to the end: the folder of an archive lasts as long as this.
    let held = args.run.as_deref().map(|path| artefact::open(&project.root, path)).transpose()?;
    let run = record::read(&project.root, held.as_ref().map(Held::folder))?;
    if run.record.interrupted {
        let what = format!("the run {} was ended before every question was answered", run.record.id);
        return Err(Problem::error("run-interrupted", Place::default(), what)
            .help("go on with it first: `ragline run --resume`")
            .into());
    }
    run.is_whole()?;
    let last = LastRun::new(&run.results);
    let wanted = selection(args, &project.root, &suites, &run, &last)?;
    let how = How {
        only: args.only.clone(),
        removed: BTreeSet::new(),
        reason: args.reason.clone(),
        until: args.until,
        owner: args.owner.clone(),
        issue: args.issue.clone(),
        flaky: args.flaky.then_some(args.floor),
        quarantine: args.quarantine,
    };
    if args.until.is_some_and(|d| d < today(args.today)) {
        return Err(Problem::error("until-passed", Place::default(), "--until lies in the past").into());
    }
    let mut pending = Vec::new();
    let mut text = String::new();
    let mut problems = Problems::default();
    let mut standing = None;
    for (suite, wanted) in suites.iter().zip(wanted) {
        let Some(of_suite) = run.of(&suite.name) else {
            if suite.questions.iter().any(|q| is_named(args, suite, q)) {
                let what = format!("the last run did not ask `{}`", suite.name);
                let help = "run it, or name its run with --run DIR";
                problems.0.push(Problem::error("not-asked", Place::default(), what).help(help));
            }
            continue;
        };
        if let Some(why) = &of_suite.not_asked {
            let what = format!("the last run did not ask all of `{}` ({why})", suite.name);
            let help =
                "run it again where the key is set; what a run without keys leaves out cannot be accepted unseen";
            problems.0.push(Problem::error("run-without-keys", Place::default(), what).help(help));
            continue;
        }
        let of_baseline = read_baseline(&project.root, suite, of_suite)?;
        if args.first && of_baseline.old.is_some() {
            // A first baseline is for the suites that have none: a new suite beside old ones.
            standing = Some(of_baseline.shown);
            continue;
        }
        problems.0.extend(not_asked(args, suite, of_suite));
        let how = How { removed: wanted.removed, ..how.clone() };
        match one_suite(args, &how, &project, suite, &wanted.selected, &run, of_suite, of_baseline, &mut text) {
            Ok(Some(p)) => pending.push(p),
            Ok(None) => {}
            Err(Failure::Problems(p)) => problems.0.extend(p.0),
            Err(other) => return Err(other),
        }
    }
    if !problems.0.is_empty() {
        return Err(problems.into());
    }
    if args.first
        && pending.is_empty()
        && let Some(shown) = &standing
    {
        return Err(Problem::error("baseline-exists", Place::file(shown), "there is a baseline already")
            .help("accept what changed: `ragline accept ID --reason \"…\"`, or --only fixed")
            .into());
    }
    for p in &pending {
        write(&p.baseline.0, &p.baseline.1)?;
        if let Some((path, content)) = &p.answers {
            write(path, content)?;
        }
        if let Some((path, content)) = &p.history {
            write(path, content)?;
        }
        warn_if_ignored(&project.root, &p.baseline.0, &mut text);
    }
    if text.is_empty() {
        let changes: Vec<&str> = args.only.iter().map(|c| c.name()).collect();
        if changes.is_empty() {
            text.push_str("nothing to accept: the baseline says this already\n");
        } else {
            let _ =
                writeln!(text, "nothing to accept: no selected question of the last run is {}", changes.join(" or "));
        }
    }
    Ok(text)
}

fn write(path: &Path, content: &str) -> Result<()> {
    file::write(path, content.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Whether a selector names the question itself: a suite, a glob or `all` means what the run asked of it.
fn is_named(args: &AcceptArgs, suite: &Suite, question: &Question) -> bool {
    let full = format!("{}::{}", suite.name, question.id);
    args.selectors.iter().any(|word| *word == full || word == question.id.as_str())
}

/// Questions that were named and that the run did not ask: there is nothing to accept of them, and saying so of the
/// baseline would be false.
fn not_asked(args: &AcceptArgs, suite: &Suite, of_suite: &SuiteRecord) -> Option<Problem> {
    let named = suite.questions.iter().filter(|q| is_named(args, suite, q) && !q.draft);
    let missing: Vec<&str> = named.map(|q| q.id.as_str()).filter(|id| !of_suite.expects.contains_key(*id)).collect();
    let shown: Vec<&str> = missing.iter().take(5).copied().collect();
    let more = if missing.len() > 5 { format!(" and {} more", missing.len() - 5) } else { String::new() };
    let asked = of_suite.expects.len();
    (!missing.is_empty()).then(|| {
        let what = format!(
            "the last run did not ask {}{more} of `{}`: it asked {asked} of {} questions",
            shown.join(", "),
            suite.name,
            suite.questions.len()
        );
        Problem::error("not-asked", Place::default(), what).help("run them again, or name the run with --run DIR")
    })
}

/// What is selected of one suite.
struct Wanted {
    /// By question of the suite.
    selected: Vec<bool>,
    /// Questions of the baseline that the suite no longer holds.
    removed: BTreeSet<QuestionId>,
}

fn selection(
    args: &AcceptArgs,
    root: &Path,
    suites: &[Suite],
    run: &Run,
    last: &LastRun,
) -> Result<Vec<Wanted>, Problems> {
    let mut selectors = Vec::new();
    let mut problems = Problems::default();
    for word in &args.selectors {
        match Selector::parse(word) {
            Ok(s) => selectors.push(s),
            Err(why) => problems.0.push(Problem::error("selector", Place::default(), why)),
        }
    }
    if !problems.0.is_empty() {
        return Err(problems);
    }
    // Removed questions are selected like any other: as if they still stood at the end of their suite.
    let mut with_removed = suites.to_vec();
    if args.removed {
        for suite in &mut with_removed {
            let Some(of_suite) = run.of(&suite.name) else { continue };
            let entries = read_baseline(root, suite, of_suite)?.old.map(|b| b.entries).unwrap_or_default();
            stand_in(suite, &entries);
        }
    }
    // `--removed` alone takes questions out and accepts nothing else.
    let nothing_else = selectors.is_empty() && args.removed && !args.first && args.only.is_empty();
    let lookup = |suite: &str, id: &str| last.of(suite, id);
    let selection = Selection::new(&selectors, &with_removed, Some(&lookup)).map_err(|none| {
        Problems(none.why.into_iter().map(|w| Problem::error("selector", Place::default(), w)).collect())
    })?;
    let each = suites.iter().zip(with_removed).zip(selection.suites);
    Ok(each
        .map(|((suite, whole), mut selected)| {
            let chosen: BTreeSet<QuestionId> =
                whole.questions.into_iter().zip(&selected).filter(|(_, s)| **s).map(|(q, _)| q.id).collect();
            let stands: BTreeSet<&QuestionId> = suite.questions.iter().filter(|q| !q.draft).map(|q| &q.id).collect();
            let removed = chosen.iter().filter(|id| !stands.contains(id)).cloned().collect();
            selected = suite.questions.iter().map(|q| !nothing_else && chosen.contains(&q.id)).collect();
            Wanted { selected, removed }
        })
        .collect())
}

/// The baseline of a suite for the target of the run.
struct OfSuite {
    stem: PathBuf,
    path: PathBuf,
    shown: String,
    /// None when there is no such file.
    old: Option<Baseline>,
}

fn read_baseline(root: &Path, suite: &Suite, of_suite: &SuiteRecord) -> Result<OfSuite, Problems> {
    let folder = suite.path.parent().unwrap_or(root);
    let stem = stem_for(folder, suite, of_suite.other_target.as_deref());
    let path = with_ending(&stem, ".baseline.toml");
    let shown = shown_path(&path, root);
    let old = if path.exists() { Some(Baseline::parse(&read_source(&path, &shown)?)?) } else { None };
    Ok(OfSuite { stem, path, shown, old })
}

#[allow(clippy::too_many_arguments)]
fn one_suite(
    args: &AcceptArgs,
    how: &How,
    project: &Project,
    suite: &Suite,
    selected: &[bool],
    run: &Run,
    of_suite: &SuiteRecord,
    of_baseline: OfSuite,
    text: &mut String,
) -> Result<Option<Pending>, Failure> {
    let root = project.root.as_path();
    let OfSuite { stem, path, shown, old } = of_baseline;
    if !args.first && old.is_none() {
        return Err(Problem::error("no-baseline", Place::file(&shown), "there is no baseline yet")
            .help("accept the first one whole: `ragline accept --first --reason \"…\"`")
            .into());
    }
    if args.first && of_suite.partial {
        return Err(Problem::error("run-partial", Place::file(&shown), "the last run did not ask the whole suite")
            .help("run all of it: `ragline run`")
            .into());
    }
    let chosen: HashMap<&str, bool> =
        suite.questions.iter().map(|q| q.id.as_str()).zip(selected.iter().copied()).collect();
    let results: Vec<&ResultLine> = run.results.iter().filter(|l| *l.suite == *suite.name).collect();
    let digest = |q: &Question| expects(q, suite.top_k);
    let accepted = accept::accept(
        old.as_ref(),
        suite,
        &digest,
        &measure::of(&suite.language, &project.refusal),
        SuiteRun { measure: &of_suite.measure, expects: &of_suite.expects, results: &results },
        &|id| chosen.get(id).copied().unwrap_or(false),
        how,
    )?;
    let text_now = accepted.baseline.to_toml();
    let same = old.as_ref().is_some_and(|o| o.to_toml() == text_now);
    let answers = with_ending(&stem, ".accepted.jsonl");
    let answers_shown = shown_path(&answers, root);
    let merged = accepted::merge(&answers, &answers_shown, suite, of_suite, run, &accepted)?;
    let history = noted(args, project, &stem, run, of_suite, &accepted)?;
    if same && merged.is_none() {
        let Some((path, _)) = &history else { return Ok(None) };
        let _ = writeln!(text, "{}: one more run noted; no outcome changes", shown_path(path, root));
    } else if same {
        let n = merged.as_ref().map_or(0, |(_, n)| *n);
        let _ = writeln!(text, "{answers_shown}: {n} taken up, with the outcomes that stand in the baseline already");
    } else {
        describe(&shown, &accepted, text);
    }
    let answers = merged.map(|(content, _)| (answers, content));
    Ok(Some(Pending { baseline: (path, text_now), answers, history }))
}

/// The history with a line for what is accepted, where one is kept and does not have it yet.
fn noted(
    args: &AcceptArgs,
    project: &Project,
    stem: &Path,
    run: &Run,
    of_suite: &SuiteRecord,
    accepted: &Accepted,
) -> Result<Option<(PathBuf, String)>, Failure> {
    let Some(path) = history_path(project, stem).filter(|_| !accepted.accepted.is_empty()) else { return Ok(None) };
    let shown = shown_path(&path, &project.root);
    let lines = history::known::read(&path, &shown)?;
    let line =
        history::make::accepted(run, of_suite, accepted, user(&project.root).as_deref(), args.reason.as_deref())?;
    let is_told = lines.iter().any(|l| {
        l.kind == line.kind
            && l.run == line.run
            && line.questions.iter().all(|(id, seen)| l.questions.get(id) == Some(seen))
    });
    if is_told {
        return Ok(None);
    }
    // What stands there stays as it is, so that a diff shows one new line.
    let mut content = if path.exists() { read_source(&path, &shown)?.text.clone() } else { String::new() };
    if !content.is_empty() && !content.ends_with('\n') {
        content.push('\n');
    }
    content.push_str(&line.to_text().context("cannot write the history")?);
    Ok(Some((path, content)))
}

/// Whom git takes for the author here.
fn user(root: &Path) -> Option<String> {
    let asked = std::process::Command::new("git").arg("-C").arg(root).args(["config", "user.name"]).output().ok()?;
    let name = String::from_utf8(asked.stdout).ok()?.trim().to_owned();
    (!name.is_empty()).then_some(name)
}

fn describe(shown: &str, accepted: &Accepted, text: &mut String) {
    let out = match accepted.removed.len() {
        0 => String::new(),
        n => format!(", {n} taken out"),
    };
    if accepted.written.is_empty() && accepted.removed.is_empty() {
        let _ = writeln!(text, "{shown}: taken up under the present rules; no outcome changes");
        return;
    }
    let _ = writeln!(text, "{shown}: {} accepted{out}", accepted.written.len());
    // Passes that are new are many and dull: a count says enough.
    let plain = |what: &str| what == "new: pass";
    let notable: Vec<_> = accepted.written.iter().filter(|(_, what)| !plain(what)).collect();
    for (id, what) in notable.iter().take(40) {
        let _ = writeln!(text, "  {id}  {what}");
    }
    if notable.len() > 40 {
        let _ = writeln!(text, "  and {} more", notable.len() - 40);
    }
    match accepted.written.len() - notable.len() {
        0 => {}
        n => {
            let _ = writeln!(text, "  {n} new: pass");
        }
    }
    for id in &accepted.removed {
        let _ = writeln!(text, "  {id}  taken out");
    }
}

/// A baseline that the version control ignores never reaches CI.
fn warn_if_ignored(root: &Path, path: &Path, text: &mut String) {
    let asked = std::process::Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["check-ignore", "-q", "--"])
        .arg(path)
        .stdin(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status();
    if asked.is_ok_and(|s| s.success()) {
        let _ = writeln!(text, "warning: git ignores {}, so it will not reach CI", path.display());
    }
}

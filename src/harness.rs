//! `cargo test --test rag_suite`: every golden question is a test `suite::id`, every rule of the gate a test
//! `gate::RULE`. The harness shows what the core decided; it decides nothing.
//!
//! ```no_run
//! // tests/rag_suite.rs, with `harness = false` in Cargo.toml
//! fn main() -> std::process::ExitCode {
//!     ragline::harness::main()
//! }
//! ```
//!
//! * `cargo test` asks in one process, and only the questions that the filter leaves.
//! * Under nextest each test is a process: it asks its own question and leaves the answer in a folder that all processes
//!   of the run share (see [`shared`]); a rule of the gate collects the rest.
//! * `RAGLINE_RUN=DIR` shows a run that is over, such as one that a CI job handed over, and asks nobody.
//! * `RAGLINE_DIRECTORY`, `RAGLINE_TARGET`, `RAGLINE_ANSWERS`, `RAGLINE_PROFILE`, `RAGLINE_TODAY`, `RAGLINE_JUNIT`,
//!   `RAGLINE_RESULTS`, `RAGLINE_WITHOUT_KEYS` are the twins of the flags of `ragline run`; an empty one is none.
//! * `RAGLINE_STARTED=1` says that the servers which targets `start` run already. Under nextest they must: no process of it
//!   could stop one for all.
//!
//! A question that is shown and does not count (a known failure, a tolerated one) is `ignored` in `cargo test`. nextest
//! asks for the ignored tests before anything was asked, when nobody knows them: it shows such a question as passed, and
//! as skipped where a finished run is handed over. What fails, fails in all three.

pub mod shared;
pub mod shown;

use crate::core::{Change, Verdict};
use crate::drive::record;
use crate::drive::session::{self, Done, Listing, Options, Ready, Stop};
use crate::gate::rules::{COUNT_RULES, rule_name};
use crate::gate::{Exit, expected};
use crate::problem::{Place, Problem, Problems, render};
use crate::report::file;
use crate::report::junit::Junit;
use crate::report::results::Results;
use crate::suite::config::REPEATS;
use crate::target::Target;
use libtest_mimic::{Arguments, Failed, Trial};
use shown::{Shown, ShownAs};
use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the suites of this package as tests, with the targets of its `ragline.toml`.
pub fn main() -> ExitCode {
    Harness::new(".").main()
}

/// The harness with settings.
pub struct Harness {
    folder: PathBuf,
    target: Option<Arc<dyn Target>>,
}

impl std::fmt::Debug for Harness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Harness").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// The environment of a harness.
struct Env {
    run: Option<PathBuf>,
    nextest_run: Option<String>,
    required: bool,
    options: Options,
    junit: Option<PathBuf>,
    results: Option<PathBuf>,
}

impl Harness {
    /// The suites of a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Harness { folder: folder.into(), target: None }
    }

    /// Asks a system of this process instead of the suites' own targets.
    #[must_use]
    pub fn target(mut self, target: impl Target + 'static) -> Self {
        self.target = Some(Arc::new(target));
        self
    }

    /// Runs the tests that the arguments of the process ask for. Failing tests end with 101, as Rust's own harness does;
    /// a setting that is wrong with 2, a filter that matches nothing with 4.
    pub fn main(self) -> ExitCode {
        let args = Arguments::from_args();
        match self.tests(&args) {
            Ok(code) => code,
            Err(stop) => {
                for p in &stop.problems.0 {
                    complain(&render(p, false));
                }
                ExitCode::from(stop.exit.code())
            }
        }
    }

    fn tests(&self, args: &Arguments) -> Result<ExitCode, Stop> {
        if args.test_threads == Some(0) {
            return Err(wrong("test-threads", "--test-threads is at least 1").into());
        }
        let env = Env::read(&self.folder)?;
        if let Some(run) = &env.run {
            return self.conclude(args, record::read_shown(&env.options.folder, run)?);
        }
        // Under nextest another process may have written the report of this very run.
        let mut unwritten = if args.list || env.nextest_run.is_some() { Vec::new() } else { env.remove_old_reports() };
        let listing = session::list(&env.options)?;
        let names = names(&listing);
        if args.list {
            // nextest lists the ignored ones in a second call: before the run nobody knows which they are.
            // But where nothing can be asked, all of them are, and no runner may take them for passed.
            let ignored = listing.cannot_ask && !env.required;
            let trials = names.into_iter().map(|n| listed(n).with_ignored_flag(ignored)).collect();
            return Ok(libtest_mimic::run(args, trials).exit_code());
        }
        let by_name = Arguments { ignored: false, ..args.clone() };
        let wanted: HashSet<String> =
            names.iter().filter(|n| !by_name.is_filtered_out(&listed((*n).clone()))).cloned().collect();
        if wanted.is_empty() {
            return Err(matches_nothing(args));
        }
        // A rule of the gate speaks for all questions, and only the whole run knows what was removed.
        let questions: HashSet<&String> = listing.questions.iter().collect();
        let whole = wanted.len() == names.len() || wanted.iter().any(|n| !questions.contains(n));
        // Each rule has a process under nextest, and all of them see the same run: one of them keeps it.
        let keep = whole && (env.nextest_run.is_none() || wanted.contains(&format!("gate::{}", COUNT_RULES[0])));
        let shown = match self.run(&env, if whole { None } else { Some(wanted) }, keep) {
            Ok(done) => {
                // Under nextest the whole run is told by the processes that saw it.
                if whole || env.nextest_run.is_none() {
                    unwritten.extend(env.write_reports(&done));
                }
                shown::of(&done.finished)
            }
            Err(stop) if !env.required && stop.problems.0.iter().all(|p| CANNOT_ASK.contains(&p.code)) => {
                // Fork without the recording or the key: nothing can be asked here. In CI that is a failure.
                for p in &stop.problems.0 {
                    complain(&format!(
                        "ragline: NOTHING IS CHECKED: {}; every test is ignored (set RAGLINE_REQUIRE=1 to fail instead)",
                        p.title
                    ));
                }
                names.into_iter().map(|name| Shown { name, as_: ShownAs::Ignored, text: String::new() }).collect()
            }
            Err(stop) => return Err(stop),
        };
        let concluded = self.conclude(args, shown)?;
        for line in &unwritten {
            complain(&format!("error: {line}"));
        }
        // Failing tests are the graver news.
        let green = concluded == ExitCode::SUCCESS;
        Ok(if green && !unwritten.is_empty() { ExitCode::from(Exit::ReportNotWritten.code()) } else { concluded })
    }

    fn run(&self, env: &Env, only: Option<HashSet<String>>, keep: bool) -> Result<Done, Stop> {
        let whole = only.is_none();
        let ready = self.ready(env, only, keep)?;
        if env.nextest_run.is_none() {
            ready.warnings.0.iter().for_each(|p| complain(&render(p, false)));
        }
        let done = ready.run()?;
        if whole || env.nextest_run.is_none() || !hangs_on_others(&done) {
            return Ok(done);
        }
        self.ready(env, None, false)?.run()
    }

    fn ready(&self, env: &Env, only: Option<HashSet<String>>, keep: bool) -> Result<Ready, Stop> {
        let options = Options { only, keep, ..env.options.clone() };
        let ready = session::prepare(&options, self.target.clone(), None)?;
        let Some(run) = &env.nextest_run else { return Ok(ready) };
        if let Some(target) = ready.starts().into_iter().next().filter(|_| !env.options.started) {
            return Err(starts_under_nextest(&ready, target).into());
        }
        let folder = ready.project.root.join(".ragline").join("nextest").join(run);
        shared::make(&folder)
            .map_err(|e| wrong("shared-answers", format!("cannot write {}: {e}", folder.display())))?;
        Ok(ready.wrap(|inner| Arc::new(shared::Shared::new(inner, folder.clone()))))
    }

    /// Shows what is known.
    fn conclude(&self, args: &Arguments, all: Vec<Shown>) -> Result<ExitCode, Stop> {
        let kept: Vec<&Shown> = all.iter().filter(|s| !args.is_filtered_out(&trial((*s).clone()))).collect();
        if kept.is_empty() && !args.list && !args.ignored {
            return Err(matches_nothing(args));
        }
        if !args.list && !args.quiet {
            for s in kept.iter().filter(|s| s.as_ == ShownAs::Ignored && !s.text.is_empty()).take(50) {
                complain(&format!("ignored {}: {}", s.name, s.text.lines().next().unwrap_or_default()));
            }
        }
        Ok(libtest_mimic::run(args, all.into_iter().map(trial).collect()).exit_code())
    }
}

impl Env {
    fn read(folder: &Path) -> Result<Env, Stop> {
        let path = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let text = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
        let today = match text("RAGLINE_TODAY") {
            None => jiff::ZonedDateTime::now().date(),
            Some(t) => {
                t.parse().map_err(|_| wrong("environment", format!("RAGLINE_TODAY is `{t}`, expected YYYY-MM-DD")))?
            }
        };
        let folder = path("RAGLINE_DIRECTORY").unwrap_or_else(|| folder.to_owned());
        let mut options = Options::new(&folder, today);
        options.target = text("RAGLINE_TARGET");
        options.profile = text("RAGLINE_PROFILE");
        options.answers = session::Answers::parse(text("RAGLINE_ANSWERS").as_deref());
        let switch = |name: &str| crate::drive::env::switch(name).map_err(|why| Stop::from(wrong("environment", why)));
        options.without_keys = switch("RAGLINE_WITHOUT_KEYS")?;
        options.policy_from = text("RAGLINE_POLICY_FROM");
        options.base = text("RAGLINE_BASE");
        options.against = text("RAGLINE_AGAINST");
        options.confirm = !switch("RAGLINE_NO_CONFIRM")?;
        options.repeat = match text("RAGLINE_REPEAT") {
            None => None,
            Some(t) => match t.parse() {
                Ok(n) if (1..=REPEATS).contains(&n) => Some(n),
                Ok(_) | Err(_) => {
                    let what = format!("RAGLINE_REPEAT is `{t}`, expected a whole number from 1 to {REPEATS}");
                    return Err(wrong("environment", what).into());
                }
            },
        };
        options.started = switch("RAGLINE_STARTED")?;
        options.checkout = crate::drive::checkout::Checkout::of_process();
        let required = switch("CI")? || switch("RAGLINE_REQUIRE")?;
        // Set by nextest for each process of one run.
        let nextest_run = text("NEXTEST")
            .and(text("NEXTEST_RUN_ID"))
            .filter(|id| id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
        Ok(Env {
            run: path("RAGLINE_RUN"),
            nextest_run,
            required,
            options,
            junit: path("RAGLINE_JUNIT"),
            results: path("RAGLINE_RESULTS"),
        })
    }

    /// Removes the reports of an earlier run, so that none is taken for this one's. Returns what went wrong.
    fn remove_old_reports(&self) -> Vec<String> {
        let paths = [&self.junit, &self.results].into_iter().flatten();
        paths.filter_map(|p| unwritten(p, file::remove_old(p))).collect()
    }

    /// Writes the reports that the environment asks for. Returns what went wrong.
    fn write_reports(&self, done: &Done) -> Vec<String> {
        let mut wrong = Vec::new();
        if let Some(path) = &self.junit {
            let mut junit = Junit::new();
            let written = record::emit(&done.finished, &mut junit).and_then(|()| junit.write_to(path));
            wrong.extend(unwritten(path, written));
        }
        if let Some(path) = &self.results {
            let mut results = Results::new();
            let written = record::emit(&done.finished, &mut results).and_then(|()| results.write_to(path));
            wrong.extend(unwritten(path, written));
        }
        wrong
    }
}

fn unwritten(path: &Path, written: io::Result<()>) -> Option<String> {
    written.err().map(|e| format!("cannot write the report {}: {e}", path.display()))
}

/// The codes of problems that keep a run from asking and are no fault of the project.
const CANNOT_ASK: [&str; 2] = ["recording-missing", "env-missing"];

/// The names of all tests: known without asking anybody.
fn names(listing: &Listing) -> Vec<String> {
    let mut names: Vec<String> = listing.questions.iter().chain(&listing.removed).cloned().collect();
    names.extend(COUNT_RULES.iter().map(|r| format!("gate::{r}")));
    names.extend(listing.expects_fixes.then(|| format!("gate::{}", expected::RULE)));
    names.extend(listing.thresholds.rules.iter().map(|r| format!("gate::{}", rule_name(r))));
    names
}

/// A question that breaks may be within what is tolerated, and that takes the other questions to tell.
fn hangs_on_others(done: &Done) -> bool {
    done.finished.reports.iter().any(|r| {
        matches!(r.verdict, Verdict::Skipped(_))
            && matches!(
                r.change,
                Change::Regressed | Change::NewFail | Change::Expired | Change::Unmeasured | Change::Edited
            )
    })
}

fn wrong(code: &'static str, title: impl Into<String>) -> Problem {
    Problem::error(code, Place::default(), title)
}

/// Each process of nextest would start a server of its own, on the same port; one that is shared would have nobody to end
/// it, since no process knows that it is the last.
fn starts_under_nextest(ready: &Ready, target: &str) -> Problem {
    let place = ready.project.targets.get(target).map(|t| t.place.clone()).unwrap_or_default();
    let what = format!(
        "target `{target}` has `start`, and under nextest each test is a process: none could stop the server for all"
    );
    Problem::error("start-under-nextest", place, what).help(
        "start it before `cargo nextest run`, stop it after, and set RAGLINE_STARTED=1: then `ready` is waited for and \
         nothing is started; or let one process ask: `cargo test --test rag_suite`, or `ragline run` and RAGLINE_RUN=DIR",
    )
}

/// Rust's own harness is content with a filter that matches nothing, and so a typing error in CI would be green.
fn matches_nothing(args: &Arguments) -> Stop {
    let filter = args.filter.as_deref().unwrap_or_default();
    let problems: Problems =
        wrong("nothing-selected", format!("no golden question or rule of the gate matches `{filter}`"))
            .help("to run other tests by name, say which: `cargo test --lib NAME`, `cargo test --test FILE NAME`")
            .into();
    Stop { problems, exit: Exit::NothingSelected }
}

fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A test of which only the name is known.
fn listed(name: String) -> Trial {
    Trial::test(name, || Ok(()))
}

fn trial(shown: Shown) -> Trial {
    let Shown { name, as_, text } = shown;
    let ignored = as_ == ShownAs::Ignored;
    Trial::test(name, move || match as_ {
        ShownAs::Ok => Ok(()),
        ShownAs::Failed | ShownAs::Ignored => Err(Failed::from(text)),
    })
    .with_ignored_flag(ignored)
}

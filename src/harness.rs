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
//! * `RAGLINE_TARGET`, `RAGLINE_ANSWERS`, `RAGLINE_PROFILE`, `RAGLINE_TODAY`, `RAGLINE_JUNIT`, `RAGLINE_RESULTS` are the
//!   twins of the flags of `ragline run`.

pub mod shared;
pub mod shown;

use crate::core::{Change, Verdict};
use crate::drive::record;
use crate::drive::session::{self, Done, Options, Ready, Stop};
use crate::gate::Exit;
use crate::gate::decide::{COUNT_RULES, rule_name};
use crate::problem::{Place, Problem, Problems, render};
use crate::report::junit::Junit;
use crate::report::results::Results;
use crate::target::Target;
use libtest_mimic::{Arguments, Failed, Trial};
use shown::{Shown, ShownAs};
use std::collections::HashSet;
use std::io::Write as _;
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
        let names = match &env.run {
            Some(folder) => {
                let all = record::read_shown(&self.folder, folder)?;
                return self.conclude(args, all);
            }
            None => self.names(&env.options)?,
        };
        let wanted: Vec<&String> = names.iter().filter(|n| !args.is_filtered_out(&listed((*n).clone()))).collect();
        if args.list {
            // nextest lists the ignored ones in a second call: before the run nobody knows which they are.
            let none = args.ignored;
            let trials = if none { Vec::new() } else { names.iter().cloned().map(listed).collect() };
            return Ok(libtest_mimic::run(args, trials).exit_code());
        }
        if wanted.is_empty() && !args.ignored {
            return Err(matches_nothing(args));
        }
        let gate = wanted.iter().any(|n| n.starts_with("gate::"));
        let only: Option<HashSet<String>> =
            if gate || wanted.len() == names.len() { None } else { Some(wanted.into_iter().cloned().collect()) };
        let shown = match self.run(&env, only) {
            Ok(done) => {
                env.write_reports(&done)?;
                shown::of(&done.finished)
            }
            Err(stop) if !env.required && stop.problems.0.iter().all(|p| p.code == "recording-missing") => {
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
        self.conclude(args, shown)
    }

    /// The names of all tests: known without asking anybody.
    fn names(&self, options: &Options) -> Result<Vec<String>, Stop> {
        let listing = session::list(options)?;
        let mut names: Vec<String> = listing.questions;
        names.extend(COUNT_RULES.iter().map(|r| format!("gate::{r}")));
        names.extend(listing.thresholds.rules.iter().map(|r| format!("gate::{}", rule_name(r))));
        Ok(names)
    }

    fn run(&self, env: &Env, only: Option<HashSet<String>>) -> Result<Done, Stop> {
        let alone = only.is_some();
        let done = self.ready(env, only)?.run()?;
        // A question that breaks may be within what is tolerated, and that takes the other questions to tell.
        let tolerance = done.finished.reports.iter().any(|r| matches!(r.verdict, Verdict::Skipped(_)))
            && done.finished.reports.iter().any(|r| {
                matches!(
                    r.change,
                    Change::Regressed | Change::NewFail | Change::Expired | Change::Unmeasured | Change::Edited
                )
            });
        if alone && env.nextest_run.is_some() && tolerance {
            return self.ready(env, None)?.run();
        }
        Ok(done)
    }

    fn ready(&self, env: &Env, only: Option<HashSet<String>>) -> Result<Ready, Stop> {
        let mut options = env.options.clone();
        options.keep = only.is_none();
        options.only = only;
        let ready = session::prepare(&options, self.target.clone(), None)?;
        let Some(run) = &env.nextest_run else { return Ok(ready) };
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
                t.parse().map_err(|_| wrong("RAGLINE_TODAY", format!("RAGLINE_TODAY is `{t}`, expected YYYY-MM-DD")))?
            }
        };
        let mut options = Options::new(folder, today);
        options.target = text("RAGLINE_TARGET");
        options.profile = text("RAGLINE_PROFILE");
        options.answers = path("RAGLINE_ANSWERS").filter(|p| p.as_os_str() != "live");
        let switch = |name: &str| crate::drive::env::switch(name).map_err(|why| Stop::from(wrong("environment", why)));
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

    fn write_reports(&self, done: &Done) -> Result<(), Stop> {
        let failed = |path: &Path, e: std::io::Error| Stop {
            problems: wrong("report", format!("cannot write the report {}: {e}", path.display())).into(),
            exit: Exit::ReportNotWritten,
        };
        if let Some(path) = &self.junit {
            let mut junit = Junit::new();
            record::emit(&done.finished, &mut junit)
                .and_then(|()| junit.write_to(path))
                .map_err(|e| failed(path, e))?;
        }
        if let Some(path) = &self.results {
            let mut results = Results::new();
            record::emit(&done.finished, &mut results)
                .and_then(|()| results.write_to(path))
                .map_err(|e| failed(path, e))?;
        }
        Ok(())
    }
}

fn wrong(code: &'static str, title: impl Into<String>) -> Problem {
    Problem::error(code, Place::default(), title)
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

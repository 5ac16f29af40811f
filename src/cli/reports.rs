//! The report files of a run, and what GitHub's runner is told.

use super::{say, say_error};
use anyhow::Result;
use clap::{Args, ValueEnum};
use ragline::core::event::Reporter;
use ragline::core::machine::Finished;
use ragline::core::plan::Shard;
use ragline::drive::{env, record, session};
use ragline::gate::Exit;
use ragline::problem::Problems;
use ragline::report::github::Github;
use ragline::report::html::{self, Besides, Html};
use ragline::report::junit::{self, Form, Junit, Times};
use ragline::report::markdown::{Markdown, Passage, Passages, Room};
use ragline::report::results::Results;
use ragline::report::sarif::Sarif;
use ragline::report::{cut, file, stopped};
use ragline::target::response;
use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reports")]
pub(super) struct ReportFlags {
    /// Write the outcomes as JSON lines (suite order, no timings).
    #[arg(long, value_name = "FILE", env = "RAGLINE_RESULTS")]
    results: Option<PathBuf>,

    /// Write JUnit XML; without it the file goes into the run folder.
    #[arg(long, value_name = "FILE", env = "RAGLINE_JUNIT")]
    junit: Option<PathBuf>,

    /// How JUnit shows known failures and flaky questions.
    #[arg(long, value_enum, default_value_t, env = "RAGLINE_JUNIT_KNOWN")]
    junit_known: KnownAs,

    /// What JUnit may hold: `strict` is for readers that check a schema (Jenkins' xUnit plugin).
    #[arg(long, value_enum, default_value_t, env = "RAGLINE_JUNIT_DIALECT")]
    junit_dialect: DialectOf,

    /// State in JUnit how long each question took; then two runs never give the same bytes (RAGLINE_JUNIT_TIMES=1).
    #[arg(long)]
    junit_times: bool,

    /// Write a Markdown report, for a comment on a pull request.
    #[arg(long, value_name = "FILE", env = "RAGLINE_MARKDOWN")]
    markdown: Option<PathBuf>,

    /// Write an HTML report: one file, for a reviewer with a browser.
    #[arg(long, value_name = "FILE", env = "RAGLINE_HTML")]
    html: Option<PathBuf>,

    /// What the reports are called: two jobs on one pull request need two titles, to keep two comments.
    #[arg(long, value_name = "TEXT", env = "RAGLINE_TITLE")]
    title: Option<String>,

    /// Write SARIF 2.1.0, for code scanning.
    #[arg(long, value_name = "FILE", env = "RAGLINE_SARIF")]
    sarif: Option<PathBuf>,

    /// Annotations, step summary and outputs on GitHub; `auto`: where GITHUB_ACTIONS is `true`.
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "on", default_value_t,
        env = "RAGLINE_GITHUB")]
    github: OnGithub,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum KnownAs {
    Pass,
    #[default]
    Skipped,
    Failure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum DialectOf {
    #[default]
    Default,
    Strict,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum OnGithub {
    On,
    Off,
    #[default]
    Auto,
}

/// The files that GitHub's runner names, where it runs us.
struct Runner {
    summary: Option<PathBuf>,
    output: Option<PathBuf>,
    workspace: Option<PathBuf>,
}

/// The reports of one command, from before its run to after it.
pub(super) struct Reports {
    flags: ReportFlags,
    times: bool,
    runner: Option<Runner>,
    /// Where the search for the project begins.
    folder: PathBuf,
    annotations: String,
    /// Reports that could not be written, a sentence each.
    pub(super) unwritten: Vec<String>,
}

impl Reports {
    /// Removes the files of an earlier run: none must be taken for this one's.
    pub(super) fn begin(folder: &Path, flags: ReportFlags) -> Result<Reports> {
        let times = flags.junit_times || env::switch("RAGLINE_JUNIT_TIMES").map_err(anyhow::Error::msg)?;
        let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let wanted = match flags.github {
            OnGithub::On => true,
            OnGithub::Off => false,
            OnGithub::Auto => std::env::var_os("GITHUB_ACTIONS").is_some_and(|v| v == "true"),
        };
        let runner = wanted.then(|| Runner {
            summary: named("GITHUB_STEP_SUMMARY"),
            output: named("GITHUB_OUTPUT"),
            workspace: named("GITHUB_WORKSPACE"),
        });
        let mut reports = Reports {
            flags,
            times,
            runner,
            folder: folder.to_owned(),
            annotations: String::new(),
            unwritten: Vec::new(),
        };
        let flags = &reports.flags;
        let files: Vec<PathBuf> = [&flags.results, &flags.junit, &flags.markdown, &flags.sarif, &flags.html]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        for path in files {
            reports.note(&path, file::remove_old(&path));
        }
        Ok(reports)
    }

    fn note(&mut self, path: &Path, written: io::Result<()>) {
        if let Err(e) = written {
            self.unwritten.push(format!("cannot write the report {}: {e}", path.display()));
        }
    }

    /// Writes all that was asked for of a finished run that is kept in `kept`, in a project with this root.
    pub(super) fn write(&mut self, finished: &Finished, kept: Option<&Path>, root: &Path) -> Result<()> {
        let in_folder = kept.map(|f| f.join("junit.xml"));
        if let Some(shard) = finished.header.shard {
            return self.write_shard(finished, shard, in_folder);
        }
        let wants_passages = self.flags.markdown.is_some() || self.runner.is_some();
        let passages = if wants_passages { passages(finished, kept) } else { Passages::default() };
        let times = kept.filter(|_| self.times).map(times);
        let junit = self.flags.junit.clone().or(in_folder);
        self.all(&|r| record::emit(finished, r), junit, times, passages, root)?;
        if self.flags.html.is_some() {
            // The suites were read for the run; what has become unreadable since is left out.
            let suites = session::open(&self.folder).map(|o| o.suites).unwrap_or_default();
            self.html(&|r| record::emit(finished, r), Besides::gather(finished, &suites, kept))?;
        }
        if let Some(path) = &self.flags.results {
            let mut results = Results::new();
            record::emit(finished, &mut results)?;
            let (path, written) = (path.clone(), results.write_to(path));
            self.note(&path, written);
        }
        Ok(())
    }

    /// A shard decides nothing, so that no report of it may look as if it did: outcomes and cases are written, Markdown says
    /// what the shard is, and GitHub hears of the merged run only.
    fn write_shard(&mut self, finished: &Finished, shard: Shard, in_folder: Option<PathBuf>) -> Result<()> {
        if let Some(path) = self.flags.junit.clone().or(in_folder) {
            let mut junit = Junit::with(self.form(None));
            record::emit(finished, &mut junit)?;
            self.note(&path, junit.write_to(&path));
        }
        if let Some(path) = self.flags.results.clone() {
            let mut results = Results::new();
            record::emit(finished, &mut results)?;
            self.note(&path, results.write_to(&path));
        }
        if let Some(path) = self.flags.markdown.clone() {
            self.note(&path, file::write(&path, format!("### ragline {}\n", of_shard(shard)).as_bytes()));
        }
        if let Some(path) = self.flags.html.clone() {
            self.note(&path, file::write(&path, html::undecided(&format!("ragline {}", of_shard(shard))).as_bytes()));
        }
        Ok(())
    }

    /// Writes the reports that can tell of a run that never began.
    pub(super) fn stopped(&mut self, problems: &Problems, exit: Exit) -> Result<()> {
        let junit = self.flags.junit.clone();
        let root = self.folder.clone();
        self.html(&|r| stopped::emit(problems, exit, r), Besides::default())?;
        self.all(&|r| stopped::emit(problems, exit, r), junit, None, Passages::default(), &root)
    }

    fn html(&mut self, emit: &dyn Fn(&mut dyn Reporter) -> io::Result<()>, besides: Besides) -> Result<()> {
        let Some(path) = self.flags.html.clone() else { return Ok(()) };
        let mut html = Html::new().title(self.flags.title.clone()).besides(besides);
        emit(&mut html)?;
        self.note(&path, html.write_to(&path));
        Ok(())
    }

    fn all(
        &mut self,
        emit: &dyn Fn(&mut dyn Reporter) -> io::Result<()>,
        junit: Option<PathBuf>,
        times: Option<Times>,
        passages: Passages,
        root: &Path,
    ) -> Result<()> {
        let title = self.flags.title.clone();
        if let Some(path) = junit {
            let mut junit = Junit::with(self.form(times));
            emit(&mut junit)?;
            self.note(&path, junit.write_to(&path));
        }
        let prefix = self.runner.as_ref().and_then(|r| below(r.workspace.as_deref()?, root)).unwrap_or_default();
        if let Some(path) = self.flags.sarif.clone() {
            let mut sarif = Sarif::new(&prefix, title.clone());
            emit(&mut sarif)?;
            self.note(&path, sarif.write_to(&path));
        }
        if self.flags.markdown.is_none() && self.runner.is_none() {
            return Ok(());
        }
        let mut markdown = Markdown::new().title(title).passages(passages);
        emit(&mut markdown)?;
        if let Some(path) = self.flags.markdown.clone() {
            self.note(&path, markdown.write_to(&path));
        }
        let Some(runner) = &self.runner else { return Ok(()) };
        let (summary, output) = (runner.summary.clone(), runner.output.clone());
        if let Some(path) = summary {
            // What earlier commands of the step wrote counts too.
            let used = std::fs::metadata(&path).map_or(0, |m| usize::try_from(m.len()).unwrap_or(usize::MAX));
            let bytes = Room::SUMMARY.bytes.saturating_sub(used);
            self.note(&path, append(&path, &markdown.within(Room { bytes, ..Room::SUMMARY })));
        }
        let mut github = Github::new(&prefix);
        emit(&mut github)?;
        if let Some(path) = output {
            self.note(&path, append(&path, &github.outputs()));
        }
        self.annotations = github.annotations();
        Ok(())
    }

    /// Prints the annotations, behind everything that a person reads.
    pub(super) fn annotate(&self) -> Result<()> {
        match say(&self.annotations) {
            // `ragline run | head`: the decision stands whoever reads it.
            Err(e) if super::is_closed_pipe(&e) => Ok(()),
            said => said,
        }
    }

    /// What keeps GitHub's runner from reading commands in the lines of the terminal's report, and what ends that: answers are
    /// in it. Nothing where GitHub does not read.
    pub(super) fn fence(&self) -> Option<(String, String)> {
        self.runner.as_ref().map(|_| {
            let token = format!("ragline-{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
            (format!("::stop-commands::{token}\n"), format!("::{token}::\n"))
        })
    }

    fn form(&self, times: Option<Times>) -> Form {
        Form {
            known: match self.flags.junit_known {
                KnownAs::Pass => junit::Known::Pass,
                KnownAs::Skipped => junit::Known::Skipped,
                KnownAs::Failure => junit::Known::Failure,
            },
            dialect: match self.flags.junit_dialect {
                DialectOf::Default => junit::Dialect::Usual,
                DialectOf::Strict => junit::Dialect::Strict,
            },
            times,
        }
    }

    /// Says what could not be written; the exit that follows.
    pub(super) fn end(&self, exit: Exit) -> Exit {
        if self.unwritten.is_empty() {
            return exit;
        }
        for line in &self.unwritten {
            say_error(&format!("error: {line}"));
        }
        let exit = exit.and(Exit::ReportNotWritten);
        if exit == Exit::ReportNotWritten {
            say_error("a report that was asked for is missing: exit 5");
        }
        exit
    }
}

/// `shard 2 of 7: 143 of 1,000 questions; merge decides`.
pub(super) fn of_shard(shard: Shard) -> String {
    format!("{shard}: {} of {} questions; merge decides", cut::count(shard.questions), cut::count(shard.all))
}

/// `rag/` where the project lies in the folder `rag` of the workspace; empty at its top; none elsewhere.
fn below(workspace: &Path, root: &Path) -> Option<String> {
    let (workspace, root) = (workspace.canonicalize().ok()?, root.canonicalize().ok()?);
    let parts: Vec<String> =
        root.strip_prefix(&workspace).ok()?.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    Some(if parts.is_empty() { String::new() } else { format!("{}/", parts.join("/")) })
}

fn append(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes())
}

/// What was in the prompts of the questions that fail, from the run's journal.
fn passages(finished: &Finished, kept: Option<&Path>) -> Passages {
    let mut out = Passages::default();
    let told: HashSet<(&str, &str)> =
        finished.reports.iter().filter(|q| q.diagnosis.is_some()).map(|q| (&*q.suite, q.id.as_str())).collect();
    let Some(kept) = kept.filter(|_| !told.is_empty()) else { return out };
    // Without them the report is shorter, and right all the same.
    let _ = record::responses(kept, |suite, id, line| {
        if !told.contains(&(suite, id)) {
            return;
        }
        let Ok(response) = response::parse(line.as_bytes()) else { return };
        let Some(contexts) = &response.contexts else { return };
        let passage = |c: &response::Context<'_>| {
            let mut place: Vec<&str> =
                c.doc.as_deref().or(c.url.as_deref()).or(c.chunk.as_deref()).into_iter().collect();
            place.extend(c.section.iter().map(|s| &**s));
            // No more than is ever shown.
            let text = c.text.as_deref().unwrap_or("(no text)").chars().take(400).collect();
            Passage { place: place.join(" › "), text }
        };
        out.add(suite, id, contexts.iter().filter(|c| c.in_prompt()).map(passage).collect());
    });
    out
}

/// How long each question took and how often it was sent, from the run's journal.
fn times(kept: &Path) -> Times {
    let mut times = Times::default();
    // A question without a time has none to state: 0.
    let _ = record::times(kept, |suite, id, ms| times.add(suite, id, ms));
    let _ = record::attempts(kept, |suite, id, n| times.sent(suite, id, n));
    times
}

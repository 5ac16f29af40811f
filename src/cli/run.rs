//! `ragline run`.

use super::progress::Shown;
use super::{say_error, say_problems, today};
use anyhow::Result;
use clap::Args;
use jiff::civil::Date;
use ragline::core::event::Reporter;
use ragline::core::machine::Finished;
use ragline::core::plan::Shard;
use ragline::drive::progress::Progress;
use ragline::drive::session::{self, Answers, Conduct, Done, Options, Ready, Resume, Stop as NoRun};
use ragline::drive::stop::Stop;
use ragline::drive::{env, estimate, record};
use ragline::gate::Exit;
use ragline::problem::shown_path;
use ragline::report::junit::Junit;
use ragline::report::markdown::Markdown;
use ragline::report::results::Results;
use ragline::report::terminal::{self, Look, Terminal};
use ragline::report::{cut, file};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Default, Args)]
pub(crate) struct RunArgs {
    /// Which questions: SUITE, SUITE::ID, an id, globs of these, or tag: layer: change: severity: owner: doc:.
    #[arg(value_name = "SELECTOR")]
    selectors: Vec<String>,

    /// Ask this target of ragline.toml instead of the suites' own.
    #[arg(long, env = "RAGLINE_TARGET")]
    target: Option<String>,

    /// Use this profile of ragline.toml.
    #[arg(long, env = "RAGLINE_PROFILE")]
    profile: Option<String>,

    /// `live` asks the targets; `replay` takes their recordings and calls nobody; `fill` calls for what is not recorded, and
    /// records it; a FILE of responses is itself what is tested.
    #[arg(long, value_name = "live|replay|fill|FILE", env = "RAGLINE_ANSWERS")]
    answers: Option<String>,

    /// Write all answers of the run as a recording; failures are left out.
    #[arg(long, value_name = "FILE", env = "RAGLINE_SAVE_ANSWERS")]
    save_answers: Option<PathBuf>,

    /// Say how many calls, how much time and money the run would take, and ask nothing.
    #[arg(long)]
    plan: bool,

    /// Where a key is missing, replay what is recorded and leave the rest out, instead of stopping (RAGLINE_WITHOUT_KEYS=1).
    #[arg(long)]
    without_keys: bool,

    /// The suite of a file of responses that names none.
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,

    /// Ask one share of the questions: `2/7`, or `auto` where the CI engine says which job this is (`auto/7` where it does
    /// not say of how many; `slurm` in a job array). A shard decides nothing: `ragline merge` does.
    #[arg(long, value_name = "I/N|auto", env = "RAGLINE_SHARD")]
    shard: Option<String>,

    /// Let shards take equally long, by a file of `ragline durations`; the same for all of them.
    #[arg(long, value_name = "FILE", env = "RAGLINE_DURATIONS", requires = "shard")]
    durations: Option<PathBuf>,

    /// Write the outcomes as JSON lines (suite order, no timings).
    #[arg(long, value_name = "FILE", env = "RAGLINE_RESULTS")]
    results: Option<PathBuf>,

    /// Write JUnit XML; without it the file goes into the run folder.
    #[arg(long, value_name = "FILE", env = "RAGLINE_JUNIT")]
    junit: Option<PathBuf>,

    /// Write a Markdown summary.
    #[arg(long, value_name = "FILE", env = "RAGLINE_MARKDOWN")]
    markdown: Option<PathBuf>,

    /// The day of the run, for accepted failures with a date.
    #[arg(long, value_name = "YYYY-MM-DD", env = "RAGLINE_TODAY")]
    today: Option<Date>,

    /// How many threads examine answers; as many as there are cores, one for a small file of responses.
    #[arg(long, value_name = "N", env = "RAGLINE_THREADS", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Go on with a run that was killed or interrupted: the newest one, or `--resume=RUN` (its id or folder). Give the
    /// words of that run again.
    #[arg(long, value_name = "RUN", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    resume: Option<String>,

    /// Ask in another order than that of the suites, to see whether answers depend on it: one that is drawn now and printed,
    /// or that of `--shuffle=SEED`.
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    shuffle: Option<u64>,
}

impl RunArgs {
    /// The words of a run that only writes these reports.
    pub(super) fn of_reports(results: Option<PathBuf>, junit: Option<PathBuf>, markdown: Option<PathBuf>) -> RunArgs {
        RunArgs { results, junit, markdown, ..RunArgs::default() }
    }
}

/// A project that was found above the folder is named: nobody should run another project's suites unawares.
fn say_where(folder: &Path, ready: &Ready) {
    let same = std::path::absolute(folder).ok() == std::path::absolute(&ready.project.root).ok();
    if !same {
        say_error(&format!("project  {}", ready.project.root.display()));
    }
}

/// The reports that could not be written, a sentence each.
#[derive(Default)]
pub(super) struct Unwritten(Vec<String>);

/// What the run would take: nothing is asked, and no report is touched.
fn plan(folder: &Path, args: &RunArgs) -> Result<Exit> {
    let ready = match prepare(folder, args)? {
        Ok(ready) => ready,
        Err(stop) => return Ok(stopped(&stop)),
    };
    say_problems(&ready.warnings);
    say_where(folder, &ready);
    ready.notes.iter().for_each(|n| say_error(n));
    super::say(&estimate::table(&ready.estimate()))?;
    Ok(Exit::Open)
}

/// The seed that was given, or a fresh one for 0.
fn seed(given: u64) -> u64 {
    if given == 0 { u64::from(fastrand::u32(1..)) } else { given }
}

pub(crate) fn run(folder: &Path, args: RunArgs) -> Result<Exit> {
    if args.plan {
        return plan(folder, &args);
    }
    let mut unwritten = Unwritten::default();
    unwritten.remove_old(&args);
    let mut ready = match prepare(folder, &args)? {
        Ok(ready) => ready,
        Err(stop) => return Ok(stopped(&stop)),
    };
    ready.save.clone_from(&args.save_answers);
    say_problems(&ready.warnings);
    say_where(folder, &ready);
    ready.notes.iter().for_each(|n| say_error(n));
    let root = ready.project.root.clone();
    let shown = Shown::new();
    let conduct = Conduct {
        stop: Stop::on_signals().unwrap_or_default(),
        progress: Some(Arc::clone(&shown) as Arc<dyn Progress>),
        resume: args.resume.as_deref().map(|run| match run {
            "" => Resume::Newest,
            named => Resume::Run(named.into()),
        }),
        shuffle: args.shuffle.map(seed),
    };
    if let Some(seed) = conduct.shuffle {
        say_error(&format!("order    --shuffle={seed}"));
    }
    let done = ready.conduct(conduct);
    // Before anything else is written.
    shown.end();
    let done = match done {
        Ok(done) => done,
        Err(stop) => return Ok(stopped(&stop)),
    };
    unwritten.take(&done);
    report(&args, &done, &mut unwritten)?;
    if let Some((known, of)) = done.resumed {
        say_error(&format!("resumed  {known} of {of} answers were there already"));
    }
    if let Some(kept) = &done.folder {
        say_error(&format!("kept     {}", shown_path(kept, &root)));
    }
    if done.finished.interrupted {
        say_error("the run was interrupted; go on with it: `ragline run --resume`, with the same words");
    }
    Ok(unwritten.exit(done.finished.decision.exit))
}

impl Unwritten {
    /// A report of an earlier run must not be taken for this one's.
    pub(super) fn remove_old(&mut self, args: &RunArgs) {
        for path in [&args.results, &args.junit, &args.markdown].into_iter().flatten() {
            self.note(path, ragline::report::file::remove_old(path));
        }
    }

    /// Takes up what the run itself could not write.
    pub(super) fn take(&mut self, done: &Done) {
        self.0.extend(done.unwritten.iter().cloned());
    }

    /// Says what is missing, and how the command ends for it.
    pub(super) fn exit(&self, exit: Exit) -> Exit {
        if self.0.is_empty() {
            return exit;
        }
        for line in &self.0 {
            say_error(&format!("error: {line}"));
        }
        let exit = exit.and(Exit::ReportNotWritten);
        if exit == Exit::ReportNotWritten {
            say_error("a report that was asked for is missing: exit 5");
        }
        exit
    }

    fn note(&mut self, path: &Path, written: io::Result<()>) {
        if let Err(e) = written {
            self.0.push(format!("cannot write the report {}: {e}", path.display()));
        }
    }
}

fn prepare(folder: &Path, args: &RunArgs) -> Result<Result<Ready, NoRun>> {
    let mut options = Options::new(folder, today(args.today));
    options.selectors.clone_from(&args.selectors);
    options.target.clone_from(&args.target);
    options.profile.clone_from(&args.profile);
    options.suite.clone_from(&args.suite);
    options.answers = Answers::parse(args.answers.as_deref());
    options.without_keys = args.without_keys || env::switch("RAGLINE_WITHOUT_KEYS").map_err(anyhow::Error::msg)?;
    options.plan = args.plan;
    if let Some(n) = args.threads {
        options.threads = Some(n.into());
    }
    if let Some(word) = &args.shard {
        match super::shard::share(word, args.durations.as_deref(), folder) {
            Ok(share) => options.share = Some(share),
            Err(problems) => return Ok(Err(problems.into())),
        }
    }
    let last = super::accept::last_run_facts(folder, &args.selectors);
    Ok(match &last {
        Some(facts) => session::prepare(&options, None, Some(&|suite: &str, id: &str| facts.of(suite, id))),
        None => session::prepare(&options, None, None),
    })
}

fn stopped(stop: &NoRun) -> Exit {
    say_problems(&stop.problems);
    stop.exit
}

pub(super) fn report(args: &RunArgs, done: &Done, unwritten: &mut Unwritten) -> Result<()> {
    let finished = &done.finished;
    let in_folder = done.folder.as_ref().map(|f| f.join("junit.xml"));
    if let Some(path) = args.junit.as_ref().or(in_folder.as_ref()) {
        let mut junit = Junit::new();
        record::emit(finished, &mut junit)?;
        unwritten.note(path, junit.write_to(path));
    }
    if let Some(path) = &args.results {
        let mut results = Results::new();
        record::emit(finished, &mut results)?;
        unwritten.note(path, results.write_to(path));
    }
    if let Some(shard) = finished.header.shard {
        return of_shard(args, finished, shard, unwritten);
    }
    if let Some(path) = &args.markdown {
        let mut markdown = Markdown::new();
        record::emit(finished, &mut markdown)?;
        unwritten.note(path, markdown.write_to(path));
    }
    let colour = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    let mut terminal = Terminal::new(io::BufWriter::new(io::stdout().lock()), Look { width: super::width(), colour });
    let shown: io::Result<()> = record::emit(finished, &mut terminal as &mut dyn Reporter);
    match shown {
        // `ragline run | head`: the decision stands whoever reads it.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// A shard says what it measured, and nothing that could be taken for a decision.
fn of_shard(args: &RunArgs, finished: &Finished, shard: Shard, unwritten: &mut Unwritten) -> Result<()> {
    let (questions, all) = (cut::count(shard.questions), cut::count(shard.all));
    let said = format!("{shard}: {questions} of {all} questions; merge decides");
    if let Some(path) = &args.markdown {
        unwritten.note(path, file::write(path, format!("### ragline {said}\n").as_bytes()));
    }
    let counts: Vec<String> = finished.decision.tally.iter().map(|(c, n)| terminal::counted(*c, *n)).collect();
    let counts = if counts.is_empty() { "nothing falls into this share".to_owned() } else { counts.join(" · ") };
    let shown = super::say(&format!(
        "{said}\n  {counts}\n  then     ragline merge RUN…          (the folders of all {} shards)\n",
        shard.of
    ));
    match shown {
        Err(e) if super::is_closed_pipe(&e) => Ok(()),
        other => other,
    }
}

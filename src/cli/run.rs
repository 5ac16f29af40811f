//! `ragline run`.

use super::progress::Shown;
use super::reports::{ReportFlags, Reports};
use super::{say_error, say_problems, today};
use anyhow::Result;
use clap::Args;
use jiff::civil::Date;
use ragline::core::event::Reporter;
use ragline::core::machine::Finished;
use ragline::core::plan::Shard;
use ragline::drive::checkout::Checkout;
use ragline::drive::progress::Progress;
use ragline::drive::session::{self, Answers, Conduct, Done, Options, Ready, Resume, Stop as NoRun};
use ragline::drive::stop::Stop;
use ragline::drive::{env, estimate, record};
use ragline::gate::Exit;
use ragline::gate::expected::By;
use ragline::history::make;
use ragline::problem::{Problems, shown_path};
use ragline::report::terminal::{self, Look, Terminal};
use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Args)]
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

    /// Decide by the policy and the baselines of this commit (`origin/main`), whatever the branch makes of them.
    #[arg(long, value_name = "COMMIT", env = "RAGLINE_POLICY_FROM")]
    policy_from: Option<String>,

    /// Say what the branch changes of policy, baselines, suites and recordings since it left this commit; in the CI servers
    /// that are known, the branch that a pull request is to be merged into.
    #[arg(long, value_name = "COMMIT", env = "RAGLINE_BASE")]
    base: Option<String>,

    /// `live` asks the targets; `replay` takes their recordings and calls nobody; `fill` calls for what is not recorded, and
    /// records it; a FILE of responses is itself what is tested.
    #[arg(long, value_name = "live|replay|fill|FILE", env = "RAGLINE_ANSWERS")]
    answers: Option<String>,

    /// Write all answers of the run as a recording; failures are left out.
    #[arg(long, value_name = "FILE", env = "RAGLINE_SAVE_ANSWERS")]
    save_answers: Option<PathBuf>,

    /// Ask every question so often; one that passes at some times is accepted as flaky then.
    #[arg(long, value_name = "N", env = "RAGLINE_REPEAT", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: Option<u32>,

    /// Where questions are asked anew, ask this target of ragline.toml beside the one that is tested, or the system as this
    /// commit has it (`origin/main`): what comes out badly on both is no fault of the branch.
    #[arg(long, value_name = "TARGET|COMMIT", env = "RAGLINE_AGAINST")]
    against: Option<String>,

    /// The change is to mend these questions: the gate closes while one of them fails. May be given several times; without it,
    /// `fixed` of expected.toml.
    #[arg(long, value_name = "SELECTOR")]
    expect_fixed: Vec<String>,

    /// What the change is to, so that a fix can be put down to it: `retrieval` must have the evidence whole in the prompt,
    /// `generation` the same passages as before.
    #[arg(long, value_name = "retrieval|generation", requires = "expect_fixed", value_parser = parse_by)]
    expect_by: Option<By>,

    /// Ask no question anew that comes out otherwise than accepted: its one run decides (RAGLINE_NO_CONFIRM=1).
    #[arg(long)]
    no_confirm: bool,

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

    #[command(flatten)]
    reports: ReportFlags,

    /// Add a line for each suite to this file: its layers, means and changes, for `ragline trend`.
    #[arg(long, value_name = "FILE", env = "RAGLINE_SUMMARY")]
    summary: Option<PathBuf>,

    /// Only the questions that blocked in the last run, or were to be measured and were not; all when there were none.
    #[arg(long)]
    last_failed: bool,

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

/// A project that was found above the folder is named: nobody should run another project's suites unawares.
fn say_where(folder: &Path, ready: &Ready) {
    let same = std::path::absolute(folder).ok() == std::path::absolute(&ready.project.root).ok();
    if !same {
        say_error(&format!("project  {}", ready.project.root.display()));
    }
}

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
    if let Some(more) = ready.asked_anew() {
        super::say(&more)?;
    }
    Ok(Exit::Open)
}

fn parse_by(word: &str) -> Result<By, String> {
    By::parse(word).ok_or_else(|| "expected `retrieval` or `generation`".to_owned())
}

/// The seed that was given, or a fresh one for 0.
fn seed(given: u64) -> u64 {
    if given == 0 { u64::from(fastrand::u32(1..)) } else { given }
}

pub(crate) fn run(folder: &Path, args: RunArgs) -> Result<Exit> {
    if args.plan {
        return plan(folder, &args);
    }
    let mut reports = Reports::begin(folder, args.reports.clone())?;
    let mut ready = match prepare(folder, &args)? {
        Ok(ready) => ready,
        Err(stop) => return without(&mut reports, &stop),
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
        Err(stop) => return without(&mut reports, &stop),
    };
    reports.unwritten.extend(done.unwritten.iter().cloned());
    reports.write(&done.finished, done.folder.as_deref(), &root)?;
    if let Some(path) = &args.summary {
        reports.unwritten.extend(summarised(path, &done, &root).err());
    }
    show(&done, &reports)?;
    reports.annotate()?;
    if let Some((known, of)) = done.resumed {
        say_error(&format!("resumed  {known} of {of} answers were there already"));
    }
    if let Some(kept) = &done.folder {
        say_error(&format!("kept     {}", shown_path(kept, &root)));
    }
    if done.finished.interrupted {
        say_error("the run was interrupted; go on with it: `ragline run --resume`, with the same words");
    }
    if done.finished.decision.advisory && record::finished(&root).len() >= ragline::advisory::ENOUGH {
        say_error("advice   what became of what would have blocked: `ragline advisory`");
    }
    Ok(reports.end(done.finished.decision.exit))
}

/// Adds the lines of a run to a summary. One that is a share of a run, or was interrupted, is no point of a trend.
fn summarised(path: &Path, done: &Done, root: &Path) -> Result<(), String> {
    let Some(folder) = &done.folder else { return Ok(()) };
    if done.finished.header.shard.is_some() || done.finished.interrupted {
        return Ok(());
    }
    let no = |why: String| format!("cannot add to the summary {}: {why}", path.display());
    let said = |problems: Problems| no(problems.0.into_iter().map(|p| p.title).collect::<Vec<_>>().join("; "));
    let run = record::read(root, Some(folder)).map_err(said)?;
    let mut text = String::new();
    for of_suite in &run.record.suites {
        let line = make::measured(&run, of_suite).map_err(|p| said(p.into()))?;
        text.push_str(&line.to_text().map_err(|e| no(e.to_string()))?);
    }
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    let made = parent.map_or(Ok(()), std::fs::create_dir_all);
    let file = made.and_then(|()| std::fs::OpenOptions::new().create(true).append(true).open(path));
    // In one piece, so that two runs at a time do not mix their lines.
    file.and_then(|mut f| f.write_all(text.as_bytes())).map_err(|e| no(e.to_string()))
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
    options.repeat = args.repeat;
    options.against.clone_from(&args.against);
    options.expect_fixed.clone_from(&args.expect_fixed);
    options.expect_by = args.expect_by;
    options.confirm = !(args.no_confirm || env::switch("RAGLINE_NO_CONFIRM").map_err(anyhow::Error::msg)?);
    options.policy_from.clone_from(&args.policy_from);
    options.base.clone_from(&args.base);
    options.checkout = Checkout::of_process();
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
    if args.last_failed {
        match last_failed(folder) {
            Ok(failed) if failed.is_empty() => say_error("nothing was wrong in the last run: all are asked"),
            Ok(failed) => options.only = Some(failed),
            Err(problems) => return Ok(Err(problems.into())),
        }
    }
    Ok(match &last {
        Some(facts) => session::prepare(&options, None, Some(&|suite: &str, id: &str| facts.of(suite, id))),
        None => session::prepare(&options, None, None),
    })
}

/// The questions of the last run that a person has to look at, as `suite::id`.
fn last_failed(folder: &Path) -> Result<HashSet<String>, Problems> {
    let (project, _) = ragline::suite::config::load(folder)?;
    let run = record::read(&project.root, None)?;
    // What a shard did not ask was not right.
    run.is_whole()?;
    let wrong = run.results.iter().filter(|l| l.change.is_open(l.outcome == "fail"));
    Ok(wrong.map(|l| format!("{}::{}", l.suite, l.id)).collect())
}

fn stopped(stop: &NoRun) -> Exit {
    say_problems(&stop.problems);
    stop.exit
}

/// There is no run: what is wrong is said, and stands in the reports that were asked for.
pub(super) fn without(reports: &mut Reports, stop: &NoRun) -> Result<Exit> {
    let exit = stopped(stop);
    reports.stopped(&stop.problems, exit)?;
    reports.annotate()?;
    Ok(reports.end(exit))
}

/// The report on the terminal.
pub(super) fn show(done: &Done, reports: &Reports) -> Result<()> {
    if let Some(shard) = done.finished.header.shard {
        return of_shard(&done.finished, shard);
    }
    let colour = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    let fence = reports.fence();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let shown = (|| -> io::Result<()> {
        if let Some((begin, _)) = &fence {
            out.write_all(begin.as_bytes())?;
        }
        let mut terminal = Terminal::new(&mut out, Look { width: super::width(), colour });
        record::emit(&done.finished, &mut terminal as &mut dyn Reporter)?;
        if let Some((_, end)) = &fence {
            out.write_all(end.as_bytes())?;
        }
        out.flush()
    })();
    match shown {
        // `ragline run | head`: the decision stands whoever reads it.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// A shard says what it measured, and nothing that could be taken for a decision.
fn of_shard(finished: &Finished, shard: Shard) -> Result<()> {
    let counts: Vec<String> = finished.decision.tally.iter().map(|(c, n)| terminal::counted(*c, *n)).collect();
    let counts = if counts.is_empty() { "nothing falls into this share".to_owned() } else { counts.join(" · ") };
    let shown = super::say(&format!(
        "{}\n  {counts}\n  then     ragline merge RUN…          (the folders of all {} shards)\n",
        super::reports::of_shard(shard),
        shard.of
    ));
    match shown {
        Err(e) if super::is_closed_pipe(&e) => Ok(()),
        other => other,
    }
}

//! The commands: one file each, wiring only.

mod accept;
mod advisory;
mod ask;
mod baseline;
mod compare;
mod diff;
mod durations;
mod evidence;
mod explain;
mod export;
mod facts;
mod grade;
mod import;
mod init;
mod inspect;
mod jsonl;
mod judge;
mod known;
mod labels;
mod lint;
mod merge;
mod power;
mod progress;
mod report;
mod reports;
mod run;
mod runs;
mod sample;
mod schema;
mod shard;
mod show;
mod target;
mod trend;
mod twins;

use anyhow::Result;
use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use ragline::drive::told::{self, Told};
use ragline::drive::{record, session};
use ragline::gate::Exit;
use ragline::problem::{Gravity, Problems, render};
use ragline::report::clean;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Stop the pull request that makes your RAG worse, and say which question broke and why.
///
/// Exit codes: 0 the gate is open, 1 closed, 2 usage, configuration, suite or missing baseline, 3 not all could be
/// measured, 4 nothing selected, 5 a report could not be written.
#[derive(Debug, Parser)]
#[command(name = "ragline", version, max_term_width = 100, propagate_version = true)]
struct Args {
    /// The folder of the project; `ragline.toml` is searched from here upwards.
    #[arg(long, short = 'C', global = true, default_value = ".", value_name = "DIR", env = "RAGLINE_DIRECTORY")]
    directory: PathBuf,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A start: a suite of three questions that runs at once.
    Init(init::InitArgs),
    /// Ask, check, compare, report, decide.
    Run(run::RunArgs),
    /// Put the shards of a run together, and decide.
    Merge(merge::MergeArgs),
    /// How long the questions of a run took, for shards that take equally long.
    Durations(durations::DurationsArgs),
    /// Write named outcomes of the last run into the baseline.
    Accept(accept::AcceptArgs),
    /// The failures that the baselines accept, and until when.
    Known(known::KnownArgs),
    /// The files of the baselines: are they in order, and what becomes of them in a merge.
    Baseline(baseline::BaselineArgs),
    /// One question without a suite: answer, passages, what each layer sees.
    Ask(ask::AskArgs),
    /// A question of the last run in full: answer, passages, what each layer says.
    Show(show::ShowArgs),
    /// Look at a target: what comes back, and what is made of it.
    Target(target::TargetArgs),
    /// Is the suite sound? Asks nobody.
    Lint(lint::LintArgs),
    /// What became of what would have blocked while the gate only advised.
    Advisory(advisory::AdvisoryArgs),
    /// A run once more: why questions went wrong, and a table of every question.
    Report(report::ReportArgs),
    /// The shares of layers from run to run, and whether they moved by more than noise.
    Trend(trend::TrendArgs),
    /// The JSON Schema of a file format.
    Schema(schema::SchemaArgs),
    /// Turn another tool's files into a suite.
    Import(import::ImportArgs),
    /// Several configurations over the same questions, side by side.
    Compare(compare::CompareArgs),
    /// Two runs, question by question: what changed, and whether it is more than noise.
    Diff(diff::DiffArgs),
    /// What suites of so many questions can see. Asks nobody.
    Power(power::PowerArgs),
    /// Does the evidence of the suites still stand in the corpus? Asks nobody.
    Evidence(evidence::EvidenceArgs),
    /// Facts from model answers, for a person to accept.
    Facts(facts::FactsArgs),
    /// What people say of answers, and how often the rules err by it.
    Labels(labels::LabelsArgs),
    /// A sheet of answers of a run for people to judge.
    Sample(sample::SampleArgs),
    /// What a judge is measured with, and how far it is to be trusted.
    Judge(judge::JudgeArgs),
    /// A run in the form of others.
    Export(export::ExportArgs),
    /// What the checks make of a text.
    Inspect(inspect::InspectArgs),
    /// What the manual says of a code: a finding, or what is wrong with a file or a command.
    Explain(explain::ExplainArgs),
}

/// What the process does.
pub(crate) fn main() -> ExitCode {
    let read = empty_is_absent(Args::command()).try_get_matches().and_then(|m| Args::from_arg_matches(&m));
    let args = match read {
        Ok(args) => args,
        Err(e) => {
            let shown = e.print();
            // Help and version are answers; everything else is a usage error.
            return match (e.use_stderr(), shown) {
                (false, Ok(())) => ExitCode::SUCCESS,
                _ => ExitCode::from(Exit::Usage.code()),
            };
        }
    };
    let ended = match args.command {
        Command::Init(a) => init::init(&args.directory, &a),
        Command::Run(a) => run::run(&args.directory, a),
        Command::Merge(a) => merge::merge(&args.directory, a),
        Command::Durations(a) => durations::durations(&args.directory, &a),
        Command::Accept(a) => accept::accept(&args.directory, a),
        Command::Known(a) => known::known(&args.directory, &a),
        Command::Baseline(a) => baseline::baseline(&args.directory, &a),
        Command::Ask(a) => ask::ask(&args.directory, &a),
        Command::Show(a) => show::show(&args.directory, &a),
        Command::Target(a) => target::target(&args.directory, &a),
        Command::Lint(a) => lint::lint(&args.directory, &a),
        Command::Advisory(a) => advisory::advisory(&args.directory, &a),
        Command::Report(a) => report::report(&args.directory, &a),
        Command::Trend(a) => trend::trend(&args.directory, &a),
        Command::Schema(a) => schema::schema(&a),
        Command::Import(a) => import::import(&args.directory, &a),
        Command::Compare(a) => compare::compare(&args.directory, &a),
        Command::Diff(a) => diff::diff(&args.directory, &a),
        Command::Power(a) => power::power(&args.directory, &a),
        Command::Evidence(a) => evidence::evidence(&args.directory, &a),
        Command::Facts(a) => facts::facts(&args.directory, &a),
        Command::Labels(a) => labels::labels(&args.directory, &a),
        Command::Sample(a) => sample::sample(&args.directory, &a),
        Command::Judge(a) => judge::judge(&args.directory, &a),
        Command::Export(a) => export::export(&args.directory, &a),
        Command::Inspect(a) => inspect::inspect(&args.directory, &a),
        Command::Explain(a) => explain::explain(&a),
    };
    match ended {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(e) => {
            // Nobody is left to read it when the reader closed the pipe.
            if !is_closed_pipe(&e) {
                say_error(&format!("error: {e:#}"));
            }
            ExitCode::from(Exit::Usage.code())
        }
    }
}

/// An empty variable is an absent one: that is how CI systems hand over what they have no value for.
fn empty_is_absent(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| {
        let empty = arg.get_env().and_then(std::env::var_os).is_some_and(|v| v.is_empty());
        if empty { arg.env(Resettable::Reset) } else { arg }
    });
    command.mut_subcommands(empty_is_absent)
}

/// The reader of our output went away (`ragline run | head`).
fn is_closed_pipe(e: &anyhow::Error) -> bool {
    e.chain().any(|c| c.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe))
}

/// Writes a line to standard error.
fn say_error(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", clean::log(text));
}

/// Prints problems to standard error, each with its line and a caret; behind them, where the first error is explained.
fn say_problems(problems: &Problems) {
    let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let mut err = anstream::stderr().lock();
    for p in &problems.0 {
        // A line of a file that is quoted may look like a command to the CI engine that reads the log.
        let _ = writeln!(err, "{}", clean::log(&render(p, colour)));
    }
    let mut errors = problems.0.iter().filter(|p| p.gravity == Gravity::Error);
    let Some(first) = errors.next() else { return };
    let more = errors.count();
    if more > 0 {
        let _ = writeln!(err, "{} errors", more + 1);
    }
    let _ = writeln!(err, "explain  ragline explain {}", first.code);
}

/// Writes text to standard output.
fn say(text: &str) -> Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The day: given, or today by the clock of this machine.
fn today(given: Option<jiff::civil::Date>) -> jiff::civil::Date {
    given.unwrap_or_else(|| jiff::ZonedDateTime::now().date())
}

/// What a run says of each question, the last one where none is named. Else what was wrong has been said, and the exit is given.
fn told_of(folder: &Path, run: Option<&Path>) -> std::result::Result<Vec<Told>, Exit> {
    let opened = session::open(folder).map_err(|stop| {
        say_problems(&stop.problems);
        stop.exit
    })?;
    let questions = record::read(&opened.project.root, run).and_then(|run| told::questions(&run, &opened.suites));
    questions.map_err(|problems| {
        say_problems(&problems);
        Exit::Usage
    })
}

/// The width that the environment states, else that of the terminal, else 100 columns.
fn width() -> usize {
    let stated = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).filter(|c| *c >= 20);
    let of_terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    stated.or_else(of_terminal).unwrap_or(100)
}

/// How reports are drawn on standard output.
fn look() -> ragline::report::terminal::Look {
    let colour = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    ragline::report::terminal::Look { width: width(), colour }
}

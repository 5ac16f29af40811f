//! `ragline labels`: people's verdicts on answers, and how often the rules err by them.

use super::{say, say_problems};
use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use ragline::drive::record;
use ragline::drive::session::{self, Opened};
use ragline::drive::told::{self, Told};
use ragline::gate::Exit;
use ragline::labels::{Label, Seen, digest_of, file, measure, sheet};
use ragline::layer::LayerId;
use ragline::problem::{Problems, shown_path};
use ragline::report::labels as report;
use ragline::suite::Suite;
use std::path::{Path, PathBuf};

/// Without a command: each layer's precision, recall and kappa by the labels on the answers of a run, and where they differ.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct LabelsArgs {
    #[command(subcommand)]
    what: Option<What>,

    /// The run; without it the last one.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Say of an answer of a run that a layer passes or fails, and why.
    Add(AddArgs),
    /// Take labels from a sheet that people filled in, such as `ragline sample` writes.
    Import(ImportArgs),
}

/// Rows without a verdict are left out; a label that stands there already is not written twice.
#[derive(Debug, Args)]
struct ImportArgs {
    /// The sheet: a workbook where it ends with `.xlsx`, else CSV.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Who says so, where the sheet does not tell.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,

    /// The day that is written down; today when not given.
    #[arg(long, value_name = "DATE")]
    today: Option<jiff::civil::Date>,
}

#[derive(Debug, Args)]
struct AddArgs {
    /// The question: an id, or SUITE::ID.
    id: String,

    /// The layer that is judged.
    #[arg(long, value_parser = parse_layer)]
    layer: LayerId,

    /// Whether the answer is right as far as the layer goes.
    #[arg(long)]
    verdict: Verdict,

    /// Why.
    #[arg(long, value_name = "TEXT")]
    because: String,

    /// Who says so.
    #[arg(long, value_name = "NAME")]
    by: Option<String>,

    /// The day that is written down; today when not given.
    #[arg(long, value_name = "DATE")]
    today: Option<jiff::civil::Date>,

    /// The run whose answer is judged; without it the last one.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Verdict {
    Pass,
    Fail,
}

fn parse_layer(text: &str) -> Result<LayerId, String> {
    let known = LayerId::ALL.map(LayerId::name).join(", ");
    LayerId::parse(text).ok_or_else(|| format!("expected one of {known}"))
}

pub(crate) fn labels(folder: &Path, args: &LabelsArgs) -> Result<Exit> {
    let opened = match session::open(folder) {
        Ok(opened) => opened,
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    let done = match &args.what {
        Some(What::Add(a)) => return add(&opened, a),
        Some(What::Import(a)) => return import(&opened, a),
        None => compare(&opened, args),
    };
    match done {
        Ok(report) => {
            say(&if args.json { format!("{}\n", report::json(&report)) } else { report::text(&report) })?;
            Ok(Exit::Open)
        }
        Err(problems) => {
            say_problems(&problems);
            Ok(Exit::Usage)
        }
    }
}

/// The questions of a run.
fn questions(opened: &Opened, run: Option<&Path>) -> Result<Vec<Told>, Problems> {
    let run = record::read(&opened.project.root, run)?;
    told::questions(&run, &opened.suites)
}

/// The labels of one suite.
pub(super) fn of_suite(suite: &Suite, root: &Path) -> Result<Vec<Label>, Problems> {
    let path = file::path_of(&suite.path);
    file::read(&path, &shown_path(&path, root), &suite.name)
}

fn compare(opened: &Opened, args: &LabelsArgs) -> Result<measure::Report, Problems> {
    let questions = questions(opened, args.run.as_deref())?;
    let mut labels = Vec::new();
    // Suites that the run does not hold are not spoken of.
    for suite in opened.suites.iter().filter(|s| questions.iter().any(|q| q.suite == s.name.as_ref())) {
        labels.push((suite.name.to_string(), of_suite(suite, &opened.project.root)?));
    }
    Ok(measure::measure(&labels, &questions))
}

fn import(opened: &Opened, args: &ImportArgs) -> Result<Exit> {
    let day = super::today(args.today).to_string();
    let root = &opened.project.root;
    let read = sheet::read(&args.file, &shown_path(&args.file, root), args.by.as_deref(), Some(&day));
    let placed = read.and_then(|(labels, blank)| {
        let mut placed = Vec::new();
        for (name, label) in labels {
            let suite = opened.suites.iter().find(|s| *s.name == *name).ok_or_else(|| {
                let names: Vec<&str> = opened.suites.iter().map(|s| s.name.as_ref()).collect();
                ragline::suggest::suite::unknown(&name, &names)
            })?;
            placed.push((suite, label));
        }
        let mut known = Vec::new();
        for suite in &opened.suites {
            known.extend(of_suite(suite, root)?.into_iter().map(|l| (suite.name.clone(), l)));
        }
        Ok((placed, known, blank))
    });
    let (placed, known, blank) = match placed {
        Ok(placed) => placed,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    // The day on which a label was written down does not make it another one.
    let same =
        |a: &Label, b: &Label| Label { at: None, line: 0, ..a.clone() } == Label { at: None, line: 0, ..b.clone() };
    let (mut written, mut there) = (0, 0);
    for (suite, label) in placed {
        if known.iter().any(|(name, old)| *name == suite.name && same(old, &label)) {
            there += 1;
            continue;
        }
        let path = file::path_of(&suite.path);
        file::add(&path, &suite.name, &label).with_context(|| format!("cannot write {}", shown_path(&path, root)))?;
        written += 1;
    }
    say(&format!("{written} labels written, {there} were there already, {blank} rows without a verdict\n"))?;
    Ok(Exit::Open)
}

fn add(opened: &Opened, args: &AddArgs) -> Result<Exit> {
    let all = match questions(opened, args.run.as_deref()) {
        Ok(all) => all,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    let fits = |q: &&Told| args.id == q.id || args.id == format!("{}::{}", q.suite, q.id);
    let found: Vec<&Told> = all.iter().filter(fits).collect();
    let question = match found.as_slice() {
        [one] => *one,
        [] => bail!("no question `{}` in this run", args.id),
        several => {
            let names: Vec<String> = several.iter().map(|q| format!("{}::{}", q.suite, q.id)).collect();
            bail!("several questions are `{}`: name one of {}", args.id, names.join(", "));
        }
    };
    let Some(answer) = &question.answer else {
        bail!("{}::{} has no answer in this run, so there is nothing to judge", question.suite, question.id);
    };
    if args.because.trim().is_empty() {
        bail!("--because is empty: say why, so that others can follow");
    }
    let suite = opened.suites.iter().find(|s| s.name.as_ref() == question.suite);
    let suite = suite.with_context(|| format!("suite `{}` of the run is no longer there", question.suite))?;
    if let Err(problems) = of_suite(suite, &opened.project.root) {
        say_problems(&problems);
        return Ok(Exit::Usage);
    }
    let label = Label {
        id: question.id.clone(),
        layer: args.layer,
        pass: matches!(args.verdict, Verdict::Pass),
        because: args.because.clone(),
        by: args.by.clone(),
        at: Some(super::today(args.today).to_string()),
        answer: Seen::Digest(digest_of(answer)),
        line: 0,
    };
    let path = file::path_of(&suite.path);
    let shown = shown_path(&path, &opened.project.root);
    file::add(&path, &suite.name, &label).with_context(|| format!("cannot write {shown}"))?;
    let rule = question.layer(args.layer).map_or("nothing", |l| l.outcome.as_str());
    say(&format!(
        "wrote {shown}\n{}::{} {}: the rule says {rule}, {}\n",
        question.suite,
        question.id,
        args.layer,
        report::said(&label)
    ))?;
    Ok(Exit::Open)
}

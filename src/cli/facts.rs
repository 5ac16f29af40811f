//! `ragline facts`: facts from model answers.

use super::{jsonl, say, say_problems};
use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use ragline::drive::session;
use ragline::gate::Exit;
use ragline::problem::Problems;
use ragline::report::clean;
use ragline::suggest::line;
use ragline::suggest::suite::{ForQuestion, ForSuite, suggest, write};
use ragline::text::pack::Lang;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct FactsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Propose facts for the questions that have a model answer and none.
    Suggest(SuggestArgs),
}

/// Facts are proposed by rule: a yes or no, numbers and dates, names that the evidence has, or a short answer as it is. Each
/// holds for the model answer itself, and none stands in the question.
#[derive(Debug, Args)]
struct SuggestArgs {
    /// The suite: its name, or its file.
    #[arg(value_name = "SUITE", required_unless_present = "jsonl")]
    suite: Option<String>,

    /// Write them into the suite, each marked `# suggested`; everything else in the file stays as it is. Suggested facts that
    /// the model answer does not state any more are replaced where all of a question's still bear the mark.
    #[arg(long, conflicts_with = "jsonl")]
    write: bool,

    /// Read {"lang","question","reference","evidence"?} from standard input, a JSON object a line, and answer each with
    /// {"facts":[…]}. An "id" is repeated.
    #[arg(long, conflicts_with = "suite")]
    jsonl: bool,

    /// JSON lines to read instead.
    #[arg(long, short, value_name = "FILE", requires = "jsonl")]
    file: Option<PathBuf>,

    /// The language of JSON lines that name none.
    #[arg(long, short, value_name = "TAG", default_value = "en")]
    lang: String,
}

pub(crate) fn facts(folder: &Path, args: &FactsArgs) -> Result<Exit> {
    match &args.what {
        What::Suggest(a) if a.jsonl => lines(a),
        What::Suggest(a) => of_suite(folder, a),
    }
}

fn of_suite(folder: &Path, args: &SuggestArgs) -> Result<Exit> {
    let named = args.suite.as_deref().unwrap_or_default();
    let done = find(folder, named).and_then(|(path, root)| {
        let proposed = suggest(&path, &root)?;
        let written = if args.write { Some(write(&path, &root, &proposed)?) } else { None };
        Ok((proposed, written))
    });
    match done {
        Ok((proposed, written)) => {
            say_problems(&proposed.warnings);
            say(&text(&proposed, written, named))?;
            Ok(Exit::Open)
        }
        Err(problems) => {
            say_problems(&problems);
            Ok(Exit::Usage)
        }
    }
}

/// The file of a suite that is named by its path or its name, and the folder that messages start from.
fn find(folder: &Path, named: &str) -> Result<(PathBuf, PathBuf), Problems> {
    for path in [PathBuf::from(named), folder.join(named)] {
        if path.is_file() {
            return Ok((path, folder.to_owned()));
        }
    }
    let opened = session::open(folder).map_err(|stop| stop.problems)?;
    match opened.suites.iter().find(|s| s.name.as_ref() == named) {
        Some(suite) => Ok((suite.path.clone(), opened.project.root)),
        None => {
            let names: Vec<&str> = opened.suites.iter().map(|s| s.name.as_ref()).collect();
            Err(ragline::suggest::suite::unknown(named, &names))
        }
    }
}

fn text(proposed: &ForSuite, written: Option<usize>, named: &str) -> String {
    let with: Vec<_> = proposed.questions.iter().filter(|q| !q.facts.is_empty()).collect();
    let ids = |which: &dyn Fn(&ForQuestion) -> bool| -> Vec<&str> {
        proposed.questions.iter().filter(|q| which(q)).map(|q| q.id.as_str()).collect()
    };
    let without = ids(&|q| q.facts.is_empty() && !q.refuse);
    let refuse = ids(&|q| q.refuse);
    let anew = ids(&|q| q.anew);
    let mut out = format!(
        "{}: facts are proposed for {} of the {} questions that have a model answer and no facts\n",
        proposed.suite.shown,
        with.iter().filter(|q| !q.anew).count(),
        proposed.questions.len() - anew.len()
    );
    if !anew.is_empty() {
        let _ = writeln!(
            out,
            "anew, since the model answer does not state the facts that were suggested before: {}",
            anew.join(", ")
        );
    }
    for question in &with {
        let _ = write!(out, "\n  {}  {}\n", question.id, clean::terminal(&question.question));
        let _ = writeln!(out, "    {}", clean::terminal(&question.reference));
        for fact in &question.facts {
            let _ = writeln!(out, "  + {}", clean::terminal(&fact.yaml()));
        }
    }
    if !refuse.is_empty() {
        let _ = write!(
            out,
            "\nthe model answer wants a refusal, write `expect: refuse` by hand where that is meant: {}\n",
            refuse.join(", ")
        );
    }
    if !without.is_empty() {
        let _ = write!(out, "\nno rule finds a fact, write them by hand: {}\n", without.join(", "));
    }
    out.push('\n');
    match written {
        Some(n) => {
            let _ = writeln!(
                out,
                "wrote the facts of {n} questions, each marked `# suggested`: look at them, and take the mark off"
            );
            let _ = writeln!(out, "next: ragline run {}", proposed.suite.name);
        }
        None if !with.is_empty() => {
            let _ = writeln!(out, "next: ragline facts suggest {named} --write");
        }
        None => {}
    }
    out
}

/// Answers each line with one line.
fn lines(args: &SuggestArgs) -> Result<Exit> {
    let lang = Lang::new(&args.lang).with_context(|| format!("`{}` is no language tag", args.lang))?;
    jsonl::answer(args.file.as_deref(), "give a --file, or JSON lines on standard input", |text| {
        line::answer(text, &lang)
    })
}

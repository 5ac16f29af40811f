//! `ragline import`.

use super::{say, say_problems};
use anyhow::Result;
use clap::{Args, Subcommand};
use ragline::gate::Exit;
use ragline::import::Summary;
use ragline::import::sheet::{self, Named, Role, Sheet};
use ragline::import::squad::{self, Squad};
use ragline::import::trec::{self, Trec};
use ragline::problem::Problems;
use ragline::suite::config;
use ragline::text::pack::Lang;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    /// A sheet of questions and model answers as CSV: shows its columns, then writes a suite.
    Csv(SheetArgs),
    /// The same from a workbook (.xlsx).
    Xlsx(SheetArgs),
    /// A data set in SQuAD's form: suite, corpus, evidence, reference answers as facts.
    Squad {
        /// The JSON file.
        file: PathBuf,
        /// The folder to write.
        #[arg(long)]
        out: PathBuf,
        /// The suite's name.
        #[arg(long)]
        suite: String,
        /// Its language.
        #[arg(long, value_parser = parse_lang)]
        language: Lang,
        /// How many passages count for retrieval; all 10 that are retrieved when not given.
        #[arg(long, value_parser = parse_k)]
        top_k: Option<usize>,
        /// Write over an earlier import.
        #[arg(long)]
        force: bool,
    },
    /// Judgements and a ranking in TREC's form: a bare retriever's responses, evidence by id and grade.
    Trec {
        /// The judgements.
        #[arg(long)]
        qrels: PathBuf,
        /// The ranking.
        #[arg(long)]
        run: PathBuf,
        /// The folder to write.
        #[arg(long)]
        out: PathBuf,
        /// The suite's name.
        #[arg(long, default_value = "trec")]
        suite: String,
        /// The suite's language; the files do not tell.
        #[arg(long, default_value = "en", value_parser = parse_lang)]
        language: Lang,
        /// How many passages count for retrieval; all of them when not given.
        #[arg(long, value_parser = parse_k)]
        top_k: Option<usize>,
        /// Write over an earlier import.
        #[arg(long)]
        force: bool,
    },
}

/// Without column options the columns are shown, with a guess of what they hold and the command that imports them; nothing is
/// written. COLUMN is a letter or what stands above the column.
#[derive(Debug, Args)]
struct SheetArgs {
    /// The file.
    file: PathBuf,

    /// The suite to write, such as suites/shop.yaml.
    #[arg(long, value_name = "FILE", conflicts_with = "update")]
    out: Option<PathBuf>,

    /// The suite to merge the sheet into: questions and model answers follow the sheet, all else stays.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["force", "language", "target", "corpus"])]
    update: Option<PathBuf>,

    /// The column of the questions.
    #[arg(long, value_name = "COLUMN")]
    question: Option<String>,

    /// The column of the model answers.
    #[arg(long, value_name = "COLUMN")]
    answer: Option<String>,

    /// The column of the ids; without it ids are made.
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,

    /// The column of what an answer must say, several in a cell.
    #[arg(long, value_name = "COLUMN")]
    facts: Option<String>,

    /// The column of what an answer must not say, several in a cell.
    #[arg(long, value_name = "COLUMN")]
    must_not: Option<String>,

    /// The column of categories, several in a cell.
    #[arg(long, value_name = "COLUMN")]
    tags: Option<String>,

    /// The column of the documents with the answers.
    #[arg(long, value_name = "COLUMN")]
    doc: Option<String>,

    /// The column of the words in the document that decide.
    #[arg(long, value_name = "COLUMN")]
    span: Option<String>,

    /// Propose facts from the model answers too, and write them, each marked `# suggested` for a person to look at.
    #[arg(long)]
    suggest: bool,

    /// Take the columns as they are guessed; without `--out` into suites/, under the file's name.
    #[arg(long)]
    yes: bool,

    /// The row with the names of the columns; 0 where there is none.
    #[arg(long, value_name = "ROW")]
    header: Option<usize>,

    /// The sheet of a workbook; the first that holds something when not given.
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,

    /// The letters of a CSV file that is not UTF-8, such as windows-1258, windows-874, gb18030.
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,

    /// The suite's language; by the letters of the questions when not given.
    #[arg(long, value_name = "TAG", value_parser = parse_lang)]
    language: Option<Lang>,

    /// The suite's target.
    #[arg(long, value_name = "NAME")]
    target: Option<String>,

    /// The folder of the documents, from the project's folder; written into the suite as it counts from the suite's file.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,

    /// With --update: a row with the id of an old question and hardly a word of it takes its place all the same.
    #[arg(long, requires = "update")]
    replace: bool,

    /// Write over a suite that is there.
    #[arg(long)]
    force: bool,
}

impl SheetArgs {
    fn columns(&self) -> Named {
        let given = |role: Role| match role {
            Role::Id => &self.id,
            Role::Question => &self.question,
            Role::Answer => &self.answer,
            Role::Facts => &self.facts,
            Role::MustNot => &self.must_not,
            Role::Tags => &self.tags,
            Role::Doc => &self.doc,
            Role::Span => &self.span,
        };
        Role::ALL.into_iter().filter_map(|role| Some((role, given(role).clone()?))).collect()
    }
}

fn parse_lang(text: &str) -> Result<Lang, String> {
    Lang::new(text).ok_or_else(|| "expected a language such as vi, th, zh or en".to_owned())
}

fn parse_k(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|k| *k > 0).ok_or_else(|| "expected a number of passages, at least 1".to_owned())
}

pub(crate) fn import(folder: &Path, args: &ImportArgs) -> Result<Exit> {
    let done = match &args.format {
        Format::Csv(sheet) => of_sheet(folder, sheet::Format::Csv, sheet),
        Format::Xlsx(sheet) => of_sheet(folder, sheet::Format::Xlsx, sheet),
        Format::Squad { file, out, suite, language, top_k, force } => {
            told(squad::import(&Squad { file, out, suite, language, top_k: *top_k, force: *force }))
        }
        Format::Trec { qrels, run, out, suite, language, top_k, force } => {
            told(trec::import(&Trec { qrels, run, out, suite, language, top_k: *top_k, force: *force }))
        }
    };
    match done {
        Ok(text) => {
            // What stands in a file of others is shown, and does nothing else to the terminal.
            let lines: Vec<String> =
                text.lines().map(|l| ragline::report::clean::terminal(l).into_owned() + "\n").collect();
            say(&lines.concat())?;
            Ok(Exit::Open)
        }
        Err(problems) => {
            say_problems(&problems);
            Ok(Exit::Usage)
        }
    }
}

fn told(done: Result<Summary, Problems>) -> Result<String, Problems> {
    done.map(|summary| format!("{summary}\n"))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn of_sheet(folder: &Path, format: sheet::Format, args: &SheetArgs) -> Result<String, Problems> {
    // The suite lies in the project, which may be above; the file lies wherever it was downloaded.
    let root = config::root_of(folder).unwrap_or_else(|| folder.to_owned());
    let in_folder = |path: &PathBuf| if folder == Path::new(".") { path.clone() } else { folder.join(path) };
    let in_project = |path: PathBuf| if root == Path::new(".") { path } else { root.join(path) };
    let out = args.out.as_ref().map(in_folder);
    // A folder is named from where one stands, or from the project.
    let named = |c: &PathBuf| if in_folder(c).is_dir() && root != folder { absolute(&in_folder(c)) } else { c.clone() };
    let corpus = args.corpus.as_ref().map(named);
    let what = Sheet {
        format,
        file: &args.file,
        columns: args.columns(),
        sheet: args.sheet.as_deref(),
        header: args.header,
        encoding: args.encoding.as_deref(),
        language: args.language.as_ref(),
        target: args.target.as_deref(),
        corpus: corpus.as_deref(),
        out: out.as_deref(),
        root: &root,
        yes: args.yes,
        suggest: args.suggest,
        replace: args.replace,
    };
    if let Some(path) = &args.update {
        return told(sheet::update(&what, &in_folder(path)));
    }
    // A guess that is taken goes where the proposal would put it.
    let proposed = || in_project(PathBuf::from("suites").join(format!("{}.yaml", sheet::suggested(&what))));
    let text = match &out.clone().or_else(|| args.yes.then(proposed)) {
        Some(out) if args.yes || !what.columns.is_empty() => told(sheet::import(&what, out, args.force)),
        Some(_) | None => sheet::look(&what),
    }?;
    if root == folder {
        return Ok(text);
    }
    // `ragline run` runs that project, and a suite elsewhere would never be asked.
    Ok(format!("project {} (its {} lies above this folder)\n{text}", root.display(), config::FILE))
}

//! Imports a spreadsheet of questions and model answers: CSV, or a workbook.
//!
//! Real sheets are messy: titles above the header, merged categories, blank rows, numbers as text, the same question
//! twice. So a sheet is shown first, with a guess of what its columns hold; nothing is written before somebody agreed to
//! the columns. Every row is then counted once, and each that is no question of the suite is told with its number.
//!
//! * `csv` and `xlsx` read the file into a `table`, `hidden` finds hidden rows;
//! * `columns` finds the header and the columns, `headers.toml` holds the names that people give them;
//! * `rows` makes questions of rows, `suite` writes them, `update` merges them into a suite that is there;
//! * `show` is what is seen before anything is written.

mod columns;
mod csv;
mod hidden;
mod rows;
mod show;
mod suite;
mod table;
mod update;
mod xlsx;

pub use columns::{Named, Role};
pub use show::suggested;
pub use update::update;

use super::{Summary, count, read_back, suite_name};
use crate::problem::{Place, Problem, Problems};
use crate::suite::corpus::{Holding, corpus_line, holding};
use crate::suite::{Expect, Question, Suite, load};
use crate::text::pack::Lang;
use columns::Mapping;
use rows::Questions;
use std::path::Path;
use suite::Kept;
use table::Table;

/// The form of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Values separated by commas, semicolons, tabs or bars.
    Csv,
    /// A workbook (`.xlsx`).
    Xlsx,
}

/// What to import, and how.
#[derive(Debug, Clone)]
pub struct Sheet<'a> {
    /// The form of the file.
    pub format: Format,
    /// The file.
    pub file: &'a Path,
    /// The columns; empty: guessed.
    pub columns: Named,
    /// The sheet of a workbook; none: the first that can be seen and holds something.
    pub sheet: Option<&'a str>,
    /// The row with the columns' names, as the spreadsheet counts; 0: there is none; nothing: looked for.
    pub header: Option<usize>,
    /// The letters of a CSV file, by a label such as `windows-1258`; none: UTF-8, or UTF-16 with its mark.
    pub encoding: Option<&'a str>,
    /// The language of the suite; none: by the letters of the questions.
    pub language: Option<&'a Lang>,
    /// The target of the suite.
    pub target: Option<&'a str>,
    /// The folder of the documents, as it was named: it counts from the project's folder.
    pub corpus: Option<&'a Path>,
    /// The suite to write.
    pub out: Option<&'a Path>,
    /// The project's folder, in which documents are looked for.
    pub root: &'a Path,
    /// What is guessed is taken, the folder of the documents too.
    pub yes: bool,
    /// Facts are proposed for the questions that have a model answer and none, and written, each with the mark.
    pub suggest: bool,
    /// An update puts another question in the place of the one of its id.
    pub replace: bool,
}

fn file_place(path: &Path) -> Place {
    Place::file(&path.to_string_lossy())
}

impl Sheet<'_> {
    fn table(&self) -> Result<Table, Problems> {
        let table = match self.format {
            Format::Csv => csv::read(self.file, self.encoding)?,
            Format::Xlsx => xlsx::read(self.file, self.sheet)?,
        };
        if table.rows.is_empty() {
            let of = table.sheet.as_ref().map(|s| format!("sheet “{s}” of ")).unwrap_or_default();
            return Err(Problem::error("import-empty", file_place(self.file), format!("{of}this file is blank")).into());
        }
        Ok(table)
    }

    fn mapping(&self, table: &Table) -> Result<Mapping, Problems> {
        let place = file_place(self.file);
        if self.columns.is_empty() {
            return columns::guessed(table, self.header, &place);
        }
        let mapping = columns::told(table, &self.columns, self.header, &place)?;
        if mapping.column(Role::Question).is_none() {
            let title = "the column of the questions is not named";
            let help = "add --question COLUMN: a letter, or what stands above the column";
            return Err(Problem::error("import-column", place, title).help(help).into());
        }
        Ok(mapping)
    }

    fn kept(&self, table: &Table, mapping: &Mapping) -> Kept {
        Kept {
            sheet: table.sheet.clone().filter(|_| table.sheets.len() > 1),
            header: self.header,
            encoding: self.encoding.map(str::to_owned),
            columns: mapping.named(table),
        }
    }
}

/// The rows of a sheet as texts, each with its number: of a workbook where the file's name ends with `.xlsx`, else of CSV.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn plain_rows(file: &Path) -> Result<Vec<(usize, Vec<String>)>, Problems> {
    let workbook = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("xlsx"));
    let table = if workbook { xlsx::read(file, None)? } else { csv::read(file, None)? };
    let texts = |row: table::Row| (row.number, row.cells.into_iter().map(|c| c.text).collect());
    Ok(table.rows.into_iter().map(texts).collect())
}

/// The sheet's columns, a guess of what they hold, what an import would bring, and the command for it. Writes nothing.
///
/// # Errors
/// A file that cannot be read, a sheet or header that is not there.
pub fn look(what: &Sheet<'_>) -> Result<String, Problems> {
    let table = what.table()?;
    let mapping = what.mapping(&table)?;
    let questions = mapping.column(Role::Question).map(|_| rows::read(&table, &mapping));
    Ok(show::show(what, &table, &mapping, questions.as_ref()))
}

/// Writes the suite of a sheet. `force` replaces one that is there.
///
/// # Errors
/// Everything that is wrong with the file or the columns; a suite that is there; a sheet without one question.
pub fn import(what: &Sheet<'_>, out: &Path, force: bool) -> Result<Summary, Problems> {
    let stem = out.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = suite_name(&stem)?;
    refuse_other_endings(out)?;
    if out.exists() && !force {
        let problem = Problem::error("import-exists", file_place(out), "this suite is there already");
        let help = "merge the sheet into it with `--update` instead of `--out`, or replace it with --force";
        return Err(problem.help(help).into());
    }
    if let Some(folder) = what.corpus.filter(|c| !what.root.join(c).is_dir()) {
        let problem = Problem::error("corpus-unreadable", file_place(folder), "there is no such folder");
        return Err(problem.help("--corpus names the folder of the documents, from the project's folder").into());
    }
    let table = what.table()?;
    let mapping = what.mapping(&table)?;
    if mapping.column(Role::Question).is_none() {
        let title = "no column is named or filled like one of questions";
        let problem = Problem::error("import-column", file_place(what.file), title);
        return Err(problem.help("say which it is: --question COLUMN, a letter or what stands above it").into());
    }
    let mut questions = rows::read(&table, &mapping);
    if questions.items.is_empty() {
        return Err(nothing(what, &questions));
    }
    let made = rows::number(&mut questions.items);
    let texts = questions.items.iter().map(|i| i.question.as_str());
    let language = what.language.cloned().unwrap_or_else(|| load::detect(texts));
    let file = what.file.file_name().unwrap_or_default().to_string_lossy();
    let found = documents(what, &questions.items);
    let guessed = found.as_ref().filter(|_| what.yes).map(|h| h.folder.clone());
    let corpus = what.corpus.map(|c| what.root.join(c)).or(guessed).map(|folder| corpus_line(out, &folder));
    let kept = what.kept(&table, &mapping);
    let mut text = suite::head(&file, &kept, &language, what.target, corpus.as_deref());
    for item in &questions.items {
        text.push_str(&suite::question(item, 2));
    }
    let written = read_back(out, &text)?;
    write(out, &text)?;

    let mut notes = vec![questions.sum()];
    if what.language.is_none() {
        notes.push(format!("language: {language}, by the letters of the questions"));
    }
    if made > 0 {
        notes.push(format!("{} made: `--update` finds them again by their questions", count(made, "id")));
    }
    if let (None, Some(found)) = (what.corpus, &found) {
        let line = corpus_line(out, &found.folder);
        notes.push(match &corpus {
            Some(_) => found_in(what, found) + &format!(": written as `{line}`, which counts from the suite's file"),
            None => found_in(what, found) + &format!(": write `{line}` into the suite where it is asked about them"),
        });
    }
    notes.extend(questions.told());
    let observed = questions.items.iter().filter(|i| only_reference(i)).count();
    notes.extend((observed > 0).then(|| observed_note(observed)));
    let (note, next) = goes_on(&written, out, what, name)?;
    notes.extend(note);
    Ok(Summary { written: vec![out.to_string_lossy().into_owned()], notes, next })
}

fn only_reference(item: &rows::Item) -> bool {
    item.facts.is_empty() && item.must_not.is_empty() && item.docs.is_empty() && item.span.is_none()
}

fn observed_note(n: usize) -> String {
    let (have, they) = if n == 1 { ("has", "it is") } else { ("have", "they are") };
    format!(
        "{} {have} only a model answer: {they} asked and shown, and never green before facts are added",
        count(n, "question")
    )
}

/// What to do after an import or an update: facts come first, since a run without them checks little.
fn goes_on(suite: &Suite, path: &Path, what: &Sheet<'_>, name: &str) -> Result<(Vec<String>, String), Problems> {
    let unchecked = |q: &&Question| {
        q.reference.is_some() && q.facts.is_empty() && matches!(q.expect, Expect::Answer | Expect::Either)
    };
    let n = suite.questions.iter().filter(unchecked).count();
    let run = format!("ragline run {name}");
    if n == 0 {
        return Ok((Vec::new(), run));
    }
    if what.suggest {
        return Ok((suggested_facts(path, what.root)?, run));
    }
    let of = count(suite.questions.len(), "question");
    let (have, them) = if n == 1 { ("has", "it is") } else { ("have", "they are") };
    let note = format!("{n} of {of} {have} a model answer and no facts: {them} not checked by facts yet");
    let shown = show::quoted(&path.to_string_lossy());
    Ok((vec![note], format!("ragline facts suggest {shown} --write\nthen: {run}")))
}

/// Writes proposed facts into the suite, and says how many, and which questions got none.
fn suggested_facts(path: &Path, root: &Path) -> Result<Vec<String>, Problems> {
    let proposed = crate::suggest::suite::suggest(path, root)?;
    let n = crate::suggest::suite::write(path, root, &proposed)?;
    let mut notes = vec![format!(
        "facts: proposed for {n} of the {} that have a model answer, each marked `# suggested`: look at them, and take the \
         mark off",
        count(proposed.questions.len(), "question")
    )];
    let ids = |refuse: bool| -> Vec<&str> {
        let of = proposed.questions.iter().filter(|q| q.facts.is_empty() && q.refuse == refuse);
        of.map(|q| q.id.as_str()).collect()
    };
    let (refuse, none) = (ids(true), ids(false));
    if !refuse.is_empty() {
        let ids = super::some_of(&refuse);
        notes.push(format!("the model answer wants a refusal, write `expect: refuse` where that is meant: {ids}"));
    }
    if !none.is_empty() {
        notes.push(format!("no rule finds a fact, write them by hand: {}", super::some_of(&none)));
    }
    Ok(notes)
}

/// The folder of the project that holds the documents which the rows name.
fn documents(what: &Sheet<'_>, items: &[rows::Item]) -> Option<Holding> {
    holding(what.root, items.iter().flat_map(|i| &i.docs).map(String::as_str))
}

/// What is said of that folder.
fn found_in(what: &Sheet<'_>, found: &Holding) -> String {
    let folder = found.folder.strip_prefix(what.root).unwrap_or(&found.folder).to_string_lossy();
    let folder = if folder.is_empty() { ".".into() } else { folder };
    let held = found.names - found.missing.len();
    let missing: Vec<&str> = found.missing.iter().map(String::as_str).collect();
    let all = count(found.names, "document");
    if missing.is_empty() {
        return format!("{folder} holds the {all} that the rows name");
    }
    format!("{folder} holds {held} of the {all} that the rows name (not {})", super::some_of(&missing))
}

fn nothing(what: &Sheet<'_>, questions: &Questions) -> Problems {
    let why = questions.left_out.first().map(|(row, why)| format!("; row {row}: {why}")).unwrap_or_default();
    let title = format!("no row could be imported ({}{why})", questions.sum());
    let help = "look at the columns first: the same command without column options shows them";
    Problem::error("import-empty", file_place(what.file), title).help(help).into()
}

fn refuse_other_endings(path: &Path) -> Result<(), Problems> {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    if ending == "yaml" || ending == "yml" {
        return Ok(());
    }
    let title = "a sheet becomes a suite in YAML, which people go on writing in";
    let help = "name a file such as suites/shop.yaml";
    Err(Problem::error("import-column", file_place(path), title).help(help).into())
}

fn write(path: &Path, text: &str) -> Result<(), Problems> {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    let made = parent.map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| crate::report::file::write(path, text.as_bytes()))
        .map_err(|e| Problem::error("import-unwritable", file_place(path), format!("cannot write here: {e}")).into())
}

//! Which row is the header, and which column holds what: as told, or guessed from what people write above columns.

use super::table::{Row, Table, column, letters};
use crate::problem::near::did_you_mean;
use crate::problem::{Place, Problem, Problems};
use crate::suite::QuestionId;
use crate::text::norm::{find_phrase, matching};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The question's id.
    Id,
    /// The question.
    Question,
    /// A model answer: the question's `reference`.
    Answer,
    /// What an answer must say, several in a cell.
    Facts,
    /// What an answer must not say, several in a cell.
    MustNot,
    /// Categories, several in a cell.
    Tags,
    /// The document with the answer: its `evidence`.
    Doc,
    /// The words of that document that decide.
    Span,
}

impl Role {
    /// Every role, in the order of the options.
    pub const ALL: [Role; 8] =
        [Role::Id, Role::Question, Role::Answer, Role::Facts, Role::MustNot, Role::Tags, Role::Doc, Role::Span];

    /// The option's name on the command line, without its dashes.
    pub fn option(self) -> &'static str {
        match self {
            Role::Id => "id",
            Role::Question => "question",
            Role::Answer => "answer",
            Role::Facts => "facts",
            Role::MustNot => "must-not",
            Role::Tags => "tags",
            Role::Doc => "doc",
            Role::Span => "span",
        }
    }
}

/// Where a column is: by its letters or by what stands above it.
pub type Named = BTreeMap<Role, String>;

/// The header and the columns of a sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mapping {
    /// The header's place in the rows; none when the sheet has none.
    pub(super) header: Option<usize>,
    /// The columns, from 0.
    pub(super) columns: BTreeMap<Role, usize>,
}

/// The header is looked for in so many rows.
const TITLE_ROWS: usize = 50;

/// A longer text is no name of a column.
const LONGEST_NAME: usize = 60;

impl Mapping {
    /// The column of a role.
    pub(super) fn column(&self, role: Role) -> Option<usize> {
        self.columns.get(&role).copied()
    }

    /// The rows below the header.
    pub(super) fn below<'t>(&self, table: &'t Table) -> &'t [Row] {
        table.rows.get(self.header.map_or(0, |at| at + 1)..).unwrap_or_default()
    }

    /// What stands above a column, on one line; empty without a header.
    pub(super) fn title(&self, table: &Table, column: usize) -> String {
        let cell = self.header.and_then(|at| table.rows.get(at)).and_then(|r| r.cell(column));
        cell.map(|c| c.text.split_whitespace().collect::<Vec<_>>().join(" ")).unwrap_or_default()
    }

    /// How a column is named on the command line so that it is found again: by its header where it is the only one of that
    /// name and is no letter, else by its letters.
    pub(super) fn name(&self, table: &Table, column: usize) -> String {
        let title = self.title(table, column);
        let form = matching(&title);
        let one = (0..table.width()).filter(|c| matching(&self.title(table, *c)) == form).count() == 1;
        let plain = !form.trim().is_empty() && !is_letters(&title);
        if one && plain { title } else { letters(column) }
    }

    /// The columns by their names.
    pub(super) fn named(&self, table: &Table) -> Named {
        self.columns.iter().map(|(role, column)| (*role, self.name(table, *column))).collect()
    }
}

/// Whether a name is rather the letters of a column: `STT` is a name, although there is a column of these letters.
fn is_letters(name: &str) -> bool {
    name.len() < 3 && column(name).is_some()
}

/// Finds columns that were named. `header` is the row that was told, 0 for none.
pub(super) fn told(table: &Table, named: &Named, header: Option<usize>, place: &Place) -> Result<Mapping, Problems> {
    let at = match header {
        Some(0) => None,
        Some(number) => Some(row_of(table, number, place)?),
        None => find_named(table, named).or_else(|| find_header(table)),
    };
    let mut mapping = Mapping { header: at, columns: BTreeMap::new() };
    for (role, name) in named {
        let column = find_column(table, &mapping, *role, name, place)?;
        if let Some((other, _)) = mapping.columns.iter().find(|(_, c)| **c == column) {
            let title =
                format!("--{} and --{} name the same column {}", other.option(), role.option(), letters(column));
            let problem = Problem::error("import-column", place.clone(), title);
            return Err(problem.help("a column is taken for one thing").into());
        }
        mapping.columns.insert(*role, column);
    }
    Ok(mapping)
}

fn row_of(table: &Table, number: usize, place: &Place) -> Result<usize, Problems> {
    table.rows.iter().position(|r| r.number == number).ok_or_else(|| {
        let title = format!("row {number} holds nothing, so it is no header");
        let help = "--header is the number of the row that names the columns, as the spreadsheet shows it; 0 for none";
        Problem::error("import-column", place.clone(), title).help(help).into()
    })
}

/// The first row that has one of the names.
fn find_named(table: &Table, named: &Named) -> Option<usize> {
    let names: Vec<String> = named.values().filter(|n| !is_letters(n)).map(|n| matching(n)).collect();
    let count = |row: &Row| names.iter().filter(|n| row.cells.iter().any(|c| matching(&c.text) == **n)).count();
    let counts: Vec<usize> = table.rows.iter().take(TITLE_ROWS).map(count).collect();
    let best = counts.iter().copied().max().filter(|n| *n > 0)?;
    counts.iter().position(|n| *n == best)
}

fn find_column(table: &Table, mapping: &Mapping, role: Role, name: &str, place: &Place) -> Result<usize, Problems> {
    let form = matching(name);
    let titles: Vec<String> = (0..table.width()).map(|c| mapping.title(table, c)).collect();
    let same: Vec<usize> =
        titles.iter().enumerate().filter(|(_, t)| !t.is_empty() && matching(t) == form).map(|(c, _)| c).collect();
    let fault = |title: String, help: String| Problem::error("import-column", place.clone(), title).help(help).into();
    match same.as_slice() {
        [one] => return Ok(*one),
        [] => {}
        [first, second, ..] => {
            let title = format!("two columns are named “{name}”: {} and {}", letters(*first), letters(*second));
            return Err(fault(title, format!("name it by its letter: --{} {}", role.option(), letters(*first))));
        }
    }
    if let Some(column) = column(name) {
        if column < table.width() {
            return Ok(column);
        }
        let last = table.width().checked_sub(1).map_or_else(|| "none".to_owned(), letters);
        return Err(fault(format!("there is no column {name}"), format!("the last column is {last}")));
    }
    let near = did_you_mean(name, titles.iter().map(String::as_str));
    let known = titles.iter().filter(|t| !t.is_empty()).map(|t| format!("“{t}”")).collect::<Vec<_>>().join(", ");
    let header = mapping.header.and_then(|at| table.rows.get(at)).map(|r| r.number);
    let help = match (near, header) {
        (Some(near), _) => format!("did you mean “{near}”?"),
        (None, Some(row)) => format!("the columns of row {row} are {known}; another row is named with --header"),
        (None, None) => "name the column by its letter, or the row with the names by --header".to_owned(),
    };
    Err(fault(format!("no column is named “{name}”"), help))
}

/// The header and the columns as their names suggest; without a question where nothing does.
pub(super) fn guessed(table: &Table, header: Option<usize>, place: &Place) -> Result<Mapping, Problems> {
    let at = match header {
        Some(0) => None,
        Some(number) => Some(row_of(table, number, place)?),
        None => find_header(table),
    };
    let mut mapping = Mapping { header: at, columns: BTreeMap::new() };
    if let Some(row) = at.and_then(|at| table.rows.get(at)) {
        mapping.columns = of_export(row).unwrap_or_else(|| {
            // `facts` above a column of verdicts names a layer, and nothing that an answer must say.
            let judged = (0..table.width()).filter(|c| is_judgement(&mapping, table, *c)).collect();
            roles_of(row, judged)
        });
    }
    if mapping.column(Role::Question).is_none() {
        by_content(table, &mut mapping);
    }
    drop_weak_id(table, &mut mapping);
    Ok(mapping)
}

/// What tools write into a column that judges: `ragline export xlsx` and those that people compare it with.
const JUDGEMENTS: [&str; 9] =
    ["pass", "fail", "skipped", "unmeasured", "observed", "passed", "failed", "skip", "not applicable"];

/// Whether nothing but verdicts stands in a column.
fn is_judgement(mapping: &Mapping, table: &Table, column: usize) -> bool {
    let mut cells = mapping.below(table).iter().filter_map(|r| r.cell(column)).peekable();
    cells.peek().is_some() && cells.all(|c| JUDGEMENTS.contains(&name_form(&c.text).as_str()))
}

/// The names that stand together above no sheet but one that `ragline export xlsx` wrote.
const OF_EXPORT: [&str; 6] = ["id", "question", "reference", "answer", "verdict", "changed"];

/// The columns of a sheet that was exported after a run; its `answer` is the system's, and no model answer.
fn of_export(row: &Row) -> Option<BTreeMap<Role, usize>> {
    let place = |name: &str| row.cells.iter().position(|c| c.text == name);
    OF_EXPORT.iter().all(|name| place(name).is_some()).then(|| {
        let columns = [(Role::Id, "id"), (Role::Question, "question"), (Role::Answer, "reference")];
        columns.into_iter().filter_map(|(role, name)| Some((role, place(name)?))).collect()
    })
}

/// The row of the first ones that names most columns.
fn find_header(table: &Table) -> Option<usize> {
    let scores: Vec<usize> =
        table.rows.iter().take(TITLE_ROWS).map(|row| roles_of(row, HashSet::new()).len()).collect();
    let best = scores.iter().copied().max().unwrap_or(0);
    let asks =
        |at: usize| table.rows.get(at).is_some_and(|r| roles_of(r, HashSet::new()).contains_key(&Role::Question));
    let found = scores.iter().enumerate().find(|(at, n)| **n == best && (best >= 2 || asks(*at))).map(|(at, _)| at);
    if best > 0 && found.is_some() {
        return found;
    }
    // Else the first row of several short texts, none of them a question.
    let is_header = |row: &Row| {
        let cells: Vec<_> = row.cells.iter().filter(|c| !c.is_blank()).collect();
        let name = |t: &str| {
            t.chars().count() <= LONGEST_NAME && !asks_something(t) && !t.starts_with(|c: char| c.is_ascii_digit())
        };
        cells.len() >= 2 && cells.iter().all(|c| name(&c.text))
    };
    let first = table.rows.iter().take(TITLE_ROWS).position(|r| r.filled() >= 2)?;
    table.rows.get(first).is_some_and(is_header).then_some(first)
}

/// The roles that the cells of a row name, but for columns that are taken: first where the whole name is known, then where a
/// part of it is.
fn roles_of(row: &Row, mut taken: HashSet<usize>) -> BTreeMap<Role, usize> {
    let names: Vec<(usize, String)> = row
        .cells
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.is_blank() && c.text.chars().count() <= LONGEST_NAME)
        .map(|(at, c)| (at, name_form(&c.text)))
        .collect();
    let mut roles = BTreeMap::new();
    for whole in [true, false] {
        for role in Role::ALL {
            if roles.contains_key(&role) {
                continue;
            }
            // A part of a name is too little to take a column for an id.
            let fits = |name: &str| {
                words(role).iter().any(|w| {
                    if whole {
                        name == w
                    } else {
                        role != Role::Id && w.chars().count() > 1 && find_phrase(name, w).is_some()
                    }
                })
            };
            if let Some((column, _)) = names.iter().find(|(c, n)| !taken.contains(c) && fits(n)) {
                taken.insert(*column);
                roles.insert(role, *column);
            }
        }
    }
    roles
}

/// A name as it is compared; `#` alone stays.
fn name_form(text: &str) -> String {
    let form = matching(text).trim().replace('_', " ");
    if form.is_empty() { text.trim().to_owned() } else { form }
}

fn words(role: Role) -> &'static [String] {
    static WORDS: OnceLock<BTreeMap<Role, Vec<String>>> = OnceLock::new();
    let all = WORDS.get_or_init(|| {
        let all: BTreeMap<Role, Vec<String>> = toml::from_str(include_str!("headers.toml")).unwrap_or_default();
        all.into_iter().map(|(role, words)| (role, words.iter().map(|w| name_form(w)).collect())).collect()
    });
    all.get(&role).map(Vec::as_slice).unwrap_or_default()
}

fn asks_something(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？'])
}

/// Where no name tells: the column with most questions in it, and the longest texts of another one.
fn by_content(table: &Table, mapping: &mut Mapping) {
    let rows = mapping.below(table);
    let taken: HashSet<usize> = mapping.columns.values().copied().collect();
    let texts = |column: usize| rows.iter().filter_map(move |r| r.cell(column)).filter(|c| c.merged.is_none());
    let free = || (0..table.width()).filter(|c| !taken.contains(c));
    let asking = |c: usize| texts(c).filter(|c| asks_something(&c.text)).count();
    let question = free().rev().max_by_key(|c| asking(*c)).filter(|c| asking(*c) * 2 >= texts(*c).count().max(1));
    let Some(question) = question else { return };
    mapping.columns.insert(Role::Question, question);
    if mapping.column(Role::Answer).is_none() {
        let length = |c: usize| texts(c).map(|c| c.text.chars().count()).sum::<usize>();
        let answer = free().filter(|c| *c != question).rev().max_by_key(|c| length(*c)).filter(|c| length(*c) > 0);
        if let Some(answer) = answer {
            mapping.columns.insert(Role::Answer, answer);
        }
    }
}

/// A column of numbers that begin anew in each part of the sheet is no column of ids.
fn drop_weak_id(table: &Table, mapping: &mut Mapping) {
    let (Some(id), Some(question)) = (mapping.column(Role::Id), mapping.column(Role::Question)) else { return };
    let mut seen = HashSet::new();
    let rows = mapping.below(table).iter().filter(|r| r.cell(question).is_some());
    let ids: Vec<&str> = rows.filter_map(|r| r.cell(id)).map(|c| c.text.as_str()).collect();
    let twice = ids.iter().filter(|i| !seen.insert(**i)).count();
    let valid = ids.iter().filter(|i| QuestionId::new(i).is_some()).count();
    if (twice > 1 && twice * 10 > ids.len()) || valid * 2 < ids.len() {
        mapping.columns.remove(&Role::Id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::sheet::table::Cell;

    fn table(rows: &[&[&str]]) -> Table {
        let row = |(at, cells): (usize, &&[&str])| Row {
            number: at + 1,
            hidden: false,
            cells: cells.iter().map(|t| Cell::new(t)).collect(),
        };
        Table { rows: rows.iter().enumerate().map(row).collect(), ..Table::default() }
    }

    fn guess(rows: &[&[&str]]) -> (Option<usize>, String) {
        let mapping = guessed(&table(rows), None, &Place::default()).unwrap();
        let columns: Vec<String> =
            mapping.columns.iter().map(|(r, c)| format!("{}={}", r.option(), letters(*c))).collect();
        (mapping.header, columns.join(" "))
    }

    #[test]
    fn every_role_has_words() {
        for role in Role::ALL {
            assert!(words(role).len() >= 10, "{role:?}");
        }
        let mut seen = BTreeMap::new();
        for role in Role::ALL {
            for word in words(role) {
                assert_eq!(seen.insert(word, role).filter(|r| *r != role), None, "{word}");
            }
        }
    }

    #[test]
    fn names_in_four_languages() {
        for (names, want) in [
            (["STT", "Câu hỏi", "Câu trả lời mẫu", "Nhóm"], "id=A question=B answer=C tags=D"),
            (["ลำดับ", "คำถาม", "คำตอบที่ถูกต้อง", "หมวดหมู่"], "id=A question=B answer=C tags=D"),
            (["编号", "问题", "標準答案", "类别"], "id=A question=B answer=C tags=D"),
            (["id", "question", "ground_truth", "Source document"], "id=A question=B answer=C doc=D"),
            (["Mã câu hỏi", "NỘI DUNG CÂU HỎI:", "Đáp án", "Tài liệu"], "id=A question=B answer=C doc=D"),
            (["#", "User input", "Expected output", "Must not include"], "id=A question=B answer=C must-not=D"),
        ] {
            assert_eq!(guess(&[&names, &["1", "x", "y", "z"], &["2", "x", "y", "z"]]), (Some(0), want.to_owned()));
        }
    }

    #[test]
    fn titles_stand_above_the_header() {
        let rows: [&[&str]; 5] = [
            &["DANH SÁCH CÂU HỎI THƯỜNG GẶP"],
            &["Cập nhật: 30/11/2026", "", "Người lập: Lan"],
            &["STT", "Câu hỏi", "Trả lời"],
            &["1", "Phí giao hàng là bao nhiêu?", "35.000 đồng"],
            &["2", "Có bảo hành không?", "Có"],
        ];
        assert_eq!(guess(&rows), (Some(2), "id=A question=B answer=C".to_owned()));
    }

    #[test]
    fn without_names_the_content_tells() {
        let rows: [&[&str]; 2] = [&["1", "Giá bao nhiêu?", "Năm đồng"], &["2", "Ở đâu?", "Ở Huế"]];
        assert_eq!(guess(&rows), (None, "question=B answer=C".to_owned()));
    }

    #[test]
    fn numbers_that_begin_anew_are_no_ids() {
        let rows: [&[&str]; 5] = [
            &["STT", "Câu hỏi", "Trả lời"],
            &["1", "a?", "x"],
            &["2", "b?", "x"],
            &["1", "c?", "x"],
            &["2", "d?", "x"],
        ];
        assert_eq!(guess(&rows).1, "question=B answer=C");
    }

    #[test]
    fn verdicts_are_no_facts() {
        let names = ["id", "question", "expected", "facts", "evidence"];
        let judged: [&[&str]; 3] = [&names, &["a", "x?", "y", "pass", "Skipped"], &["b", "x?", "y", "fail", ""]];
        assert_eq!(guess(&judged).1, "id=A question=B answer=C");
        let said: [&[&str]; 3] = [&names, &["a", "x?", "y", "pass", "words"], &["b", "x?", "y", "7 days", ""]];
        assert_eq!(guess(&said).1, "id=A question=B answer=C facts=D span=E");
    }

    #[test]
    fn columns_are_found_by_name_or_letter() {
        let t = table(&[&["Mã", "Hỏi gì", "Hỏi gì", "Đáp"], &["1", "a", "b", "c"]]);
        let find = |name: &str| {
            let named = Named::from([(Role::Question, name.to_owned())]);
            told(&t, &named, Some(1), &Place::default()).map(|m| m.column(Role::Question)).map_err(|p| p.to_string())
        };
        assert_eq!(find("ĐÁP:").unwrap(), Some(3));
        assert_eq!(find("b").unwrap(), Some(1));
        assert!(find("hỏi gì").unwrap_err().contains("B and C"));
        assert!(find("Z").unwrap_err().contains("the last column is D"));
        assert!(find("đap an").unwrap_err().contains("no column"));
    }
}

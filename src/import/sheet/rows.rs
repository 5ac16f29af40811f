//! From rows to questions: what each row says, and of every row that says none, why.

use super::columns::{Mapping, Role};
use super::table::{Cell, Row, Table, numbers};
use crate::suite::QuestionId;
use crate::text::norm::{matching, unmarked};
use std::collections::{HashMap, HashSet};

/// A question as its row has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// The row.
    pub(super) row: usize,
    /// The id that the sheet gives it, made valid.
    pub(super) id: Option<String>,
    /// The question.
    pub(super) question: String,
    /// The model answer.
    pub(super) reference: Option<String>,
    /// What an answer must say.
    pub(super) facts: Vec<String>,
    /// What it must not say.
    pub(super) must_not: Vec<String>,
    /// Categories.
    pub(super) tags: Vec<String>,
    /// Documents with the answer.
    pub(super) docs: Vec<String>,
    /// The words of the document that decide.
    pub(super) span: Option<String>,
}

/// What the rows below the header hold.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// The questions, in order.
    pub(super) items: Vec<Item>,
    /// Rows that are no question of the suite, each with why.
    pub(super) left_out: Vec<(usize, String)>,
    /// The questions of those, in matching form.
    pub(super) left_texts: HashSet<String>,
    /// Rows without anything in them.
    pub(super) blank: usize,
    /// How many rows stand below the header.
    pub(super) rows: usize,
    /// What else a person should know, each with the first row that it is about, or 0.
    pub(super) notes: Vec<(usize, String)>,
}

impl Questions {
    /// The sum, in which every row is counted once.
    pub(super) fn sum(&self) -> String {
        let left = match self.left_out.len() {
            0 => String::new(),
            n => format!(", {n} left out"),
        };
        let blank = match self.blank {
            0 => String::new(),
            n => format!(", {n} blank"),
        };
        let questions = super::super::count(self.items.len(), "question");
        format!("{} below the header: {questions}{left}{blank}", super::super::count(self.rows, "row"))
    }

    /// All that is told of single rows, and of those that are left out why, in the order of the rows.
    pub(super) fn told(&self) -> Vec<String> {
        let left = self.left_out.iter().map(|(row, why)| (*row, format!("left out: row {row}: {why}")));
        let mut all: Vec<(usize, String)> = self.notes.iter().cloned().chain(left).collect();
        all.sort_by_key(|(row, _)| *row);
        all.into_iter().map(|(_, note)| note).collect()
    }
}

/// Kinds of remarks on rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Remark {
    Hidden,
    SeveralAnswers,
    MergedAnswer,
    MergedCategory,
    NotFilled,
    Apostrophe,
    ErrorAnswer,
    ErrorElsewhere,
    IdChanged,
    SpanAlone,
}

impl Remark {
    fn told(self) -> &'static str {
        match self {
            Remark::Hidden => "hidden rows are imported like the others",
            Remark::SeveralAnswers => "several lines or parts in one answer, taken as one reference as written",
            Remark::MergedAnswer => "an answer in a merged cell is taken for each of its questions",
            Remark::MergedCategory => "a category in a merged cell is taken for each of its rows",
            Remark::NotFilled => {
                "no category, though rows above have one; a merged cell keeps its value for its first row alone in CSV, \
                 `import xlsx` knows better"
            }
            Remark::Apostrophe => "an apostrophe in front, which only says that a cell is text, is left out",
            Remark::ErrorAnswer => "the answer shows an error and is not taken, so the question has no model answer",
            Remark::ErrorElsewhere => "a cell shows an error and is not taken",
            Remark::IdChanged => "the id was changed into letters, digits, `.`, `_` and `-`",
            Remark::SpanAlone => "a quotation beside several documents is not taken: it stands in one of them",
        }
    }
}

#[derive(Default)]
struct Remarks(std::collections::BTreeMap<Remark, Vec<usize>>);

impl Remarks {
    fn add(&mut self, remark: Remark, row: usize) {
        let rows = self.0.entry(remark).or_default();
        if rows.last() != Some(&row) {
            rows.push(row);
        }
    }
}

/// Reads the rows below the header.
pub(super) fn read(table: &Table, mapping: &Mapping) -> Questions {
    let mut questions = Questions::default();
    let mut remarks = Remarks::default();
    let rows = mapping.below(table);
    questions.rows = rows.len();
    if let Some(at) = mapping.header {
        let above: Vec<usize> = table.rows.iter().take(at).filter(|r| !r.is_blank()).map(|r| r.number).collect();
        if !above.is_empty() {
            questions.notes.push((0, format!("above the header, not read: {}", rows_named(&above))));
        }
    }
    let header = mapping.header.and_then(|at| table.rows.get(at));
    let from_csv = table.sheet.is_none();
    let mut seen = Seen::default();
    let mut tagged = false;
    for row in rows {
        if row.is_blank() {
            questions.blank += 1;
            continue;
        }
        match item(row, mapping, header, &mut remarks).and_then(|item| seen.take(item)) {
            Ok(item) => {
                if row.hidden {
                    remarks.add(Remark::Hidden, row.number);
                }
                if from_csv && tagged && item.tags.is_empty() {
                    remarks.add(Remark::NotFilled, row.number);
                }
                tagged |= !item.tags.is_empty();
                questions.items.push(item);
            }
            Err(why) => {
                let text = mapping.column(Role::Question).and_then(|c| row.cell(c)).map(|c| matching(&c.text));
                questions.left_texts.extend(text);
                questions.left_out.push((row.number, why));
            }
        }
    }
    let told = remarks.0.into_iter().map(|(remark, rows)| {
        (rows.first().copied().unwrap_or(0), format!("{}: {}", rows_named(&rows), remark.told()))
    });
    questions.notes.extend(told);
    own_ids(&mut questions);
    questions
}

/// `row 3`, `rows 3, 5–7`.
fn rows_named(rows: &[usize]) -> String {
    format!("{} {}", if rows.len() == 1 { "row" } else { "rows" }, numbers(rows))
}

/// Gives a row whose id is that of a row above it an id of its own: `12-2` behind `12`. It depends on the sheet alone, so an
/// update finds it again.
fn own_ids(questions: &mut Questions) {
    let lower = |item: &Item| item.id.as_deref().map(str::to_ascii_lowercase);
    let mut all: HashSet<String> = questions.items.iter().filter_map(lower).collect();
    let mut first: HashMap<String, usize> = HashMap::new();
    for item in &mut questions.items {
        let Some((id, form)) = item.id.clone().zip(lower(item)) else { continue };
        let Some(row) = first.get(&form) else {
            first.insert(form, item.row);
            continue;
        };
        let free = (2..).map(|n| format!("{id}-{n}")).find(|own| all.insert(own.to_ascii_lowercase()));
        let Some(own) = free.filter(|own| QuestionId::new(own).is_some()) else {
            item.id = None;
            continue;
        };
        let told = format!("row {}: the id `{id}` is that of row {row}; it is taken as `{own}`", item.row);
        questions.notes.push((item.row, told));
        item.id = Some(own);
    }
}

/// The questions of the rows before, in matching form: row and answer.
#[derive(Default)]
struct Seen(HashMap<String, (usize, Option<String>)>);

impl Seen {
    /// A question that was not there before.
    fn take(&mut self, item: Item) -> Result<Item, String> {
        let form = matching(&item.question);
        let answer = item.reference.as_deref().map(matching);
        if let Some((row, before)) = self.0.get(&form) {
            let same = before.as_deref().map(matching) == answer;
            let (was, now) = (before.clone().unwrap_or_default(), item.reference.clone().unwrap_or_default());
            let other = if same { String::new() } else { format!(", with another answer: {}", against(&was, &now)) };
            return Err(format!("the same question as in row {row}: “{}”{other}", short(&item.question)));
        }
        self.0.insert(form, (item.row, item.reference.clone()));
        Ok(item)
    }
}

/// Two answers, each from where they begin to differ.
fn against(was: &str, now: &str) -> String {
    const IN_FRONT: usize = 12;
    let same = was.chars().zip(now.chars()).take_while(|(a, b)| a == b).count();
    let from = same.saturating_sub(IN_FRONT);
    let part = |text: &str| {
        let dots = if from > 0 { "…" } else { "" };
        if text.is_empty() {
            "none".to_owned()
        } else {
            format!("“{dots}{}”", short(&text.chars().skip(from).collect::<String>()))
        }
    };
    format!("{} there, {} here", part(was), part(now))
}

/// The question of a row, or why it has none.
fn item(row: &Row, mapping: &Mapping, header: Option<&Row>, remarks: &mut Remarks) -> Result<Item, String> {
    let cell = |role: Role| mapping.column(role).and_then(|c| row.cell(c));
    let question = match cell(Role::Question) {
        None => return Err(format!("no question; it holds “{}”", short(&first_text(row)))),
        Some(c) if c.error => return Err(format!("the question is an error, {}", c.text)),
        Some(c) => c,
    };
    if let Some(above) = question.merged {
        let answer = cell(Role::Answer).filter(|a| a.merged.is_none()).map(|a| a.text.as_str());
        let lost = answer.map(|a| format!("; its answer is not read: “{}”", short(a))).unwrap_or_default();
        return Err(format!("its question is merged with that of row {above}{lost}"));
    }
    if let (Some(header), Some(column)) = (header, mapping.column(Role::Question))
        && header.cell(column).is_some_and(|c| c.text == question.text)
    {
        return Err("the header again".to_owned());
    }
    let mut of = |role: Role| {
        let cell = mapping.column(role).and_then(|c| row.cell(c))?;
        if cell.error {
            // Of an answer it is told below, where the row stays a question without it.
            if role != Role::Answer {
                remarks.add(Remark::ErrorElsewhere, row.number);
            }
            return None;
        }
        if cell.apostrophe {
            remarks.add(Remark::Apostrophe, row.number);
        }
        match role {
            Role::Tags | Role::Doc if cell.merged.is_some() => remarks.add(Remark::MergedCategory, row.number),
            Role::Answer if cell.merged.is_some() => remarks.add(Remark::MergedAnswer, row.number),
            // One id is that of one row; facts and quotations are about one question.
            Role::Id | Role::Facts | Role::MustNot | Role::Span if cell.merged.is_some() => return None,
            Role::Answer if parts(&cell.text, PARTS).count() > 1 => remarks.add(Remark::SeveralAnswers, row.number),
            Role::Id
            | Role::Question
            | Role::Answer
            | Role::Facts
            | Role::MustNot
            | Role::Tags
            | Role::Doc
            | Role::Span => {}
        }
        Some(cell.text.clone())
    };
    let reference = of(Role::Answer);
    let list = |text: Option<String>, marks: &[char]| -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for part in parts(text.as_deref().unwrap_or_default(), marks) {
            if !all.iter().any(|p| p == part) {
                all.push(part.to_owned());
            }
        }
        all
    };
    let facts = list(of(Role::Facts), PARTS);
    let must_not = list(of(Role::MustNot), PARTS);
    let tags = list(of(Role::Tags), TAG_PARTS);
    let docs = list(of(Role::Doc), PARTS);
    let mut span = of(Role::Span).map(|s| s.split_whitespace().collect::<Vec<_>>().join(" "));
    let written = of(Role::Id);
    if question.apostrophe {
        remarks.add(Remark::Apostrophe, row.number);
    }
    if docs.len() > 1 && span.take().is_some() {
        remarks.add(Remark::SpanAlone, row.number);
    }
    let id = written.as_deref().and_then(made_valid);
    if id != written {
        remarks.add(Remark::IdChanged, row.number);
    }
    if reference.is_none() && facts.is_empty() && must_not.is_empty() && docs.is_empty() && span.is_none() {
        let why = match cell(Role::Answer) {
            Some(Cell { error: true, text, .. }) => format!("its answer is an error, {text}"),
            Some(_) | None => "it has no answer, so nothing could be checked".to_owned(),
        };
        return Err(format!("{why}: “{}”", short(&question.text)));
    }
    if cell(Role::Answer).is_some_and(|c| c.error) {
        remarks.add(Remark::ErrorAnswer, row.number);
    }
    let question = question.text.clone();
    Ok(Item { row: row.number, id, question, reference, facts, must_not, tags, docs, span })
}

/// Where a cell may be parted that holds several texts.
const PARTS: &[char] = &['\n', ';', '；', '|'];

/// The same for categories.
const TAG_PARTS: &[char] = &['\n', ';', '；', '|', ',', '，', '、'];

/// The parts of a text, without the signs of a list in front.
fn parts<'t>(text: &'t str, marks: &'t [char]) -> impl Iterator<Item = &'t str> {
    text.split(marks).map(without_bullet).filter(|p| !p.is_empty())
}

fn without_bullet(text: &str) -> &str {
    let text = text.trim();
    let rest = text.trim_start_matches(['-', '–', '•', '*', '+', '·']);
    // `-5 °C` is no item of a list.
    if rest.len() < text.len() && (rest.starts_with(char::is_whitespace) || text.starts_with(['•', '·'])) {
        return rest.trim();
    }
    text
}

/// An id of the form that a question's id has; nothing when nothing of it is left.
fn made_valid(written: &str) -> Option<String> {
    let written = written.strip_suffix(".0").filter(|w| w.bytes().all(|b| b.is_ascii_digit())).unwrap_or(written);
    if QuestionId::new(written).is_some() {
        return Some(written.to_owned());
    }
    let name = super::super::plain_name(&unmarked(&written.to_lowercase()), 90);
    QuestionId::new(&name).map(|id| id.to_string())
}

fn first_text(row: &Row) -> String {
    row.cells.iter().find(|c| !c.is_blank() && c.merged.is_none()).map(|c| c.text.clone()).unwrap_or_default()
}

/// The beginning of a text, on one line.
pub(super) fn short(text: &str) -> String {
    const LONGEST: usize = 50;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// Ids for questions that have none: `q001`, … by their place among the questions, past those that are taken.
pub(super) fn number(items: &mut [Item]) -> usize {
    let mut taken: HashSet<String> =
        items.iter().filter_map(|i| i.id.as_deref()).map(str::to_ascii_lowercase).collect();
    let mut made = 0;
    for (at, item) in items.iter_mut().enumerate() {
        if item.id.is_some() {
            continue;
        }
        let free = (at + 1..).map(|n| format!("q{n:03}")).find(|id| !taken.contains(id));
        if let Some(id) = free {
            taken.insert(id.clone());
            item.id = Some(id);
            made += 1;
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_valid() {
        assert_eq!(made_valid("7.0").unwrap(), "7");
        assert_eq!(made_valid("Câu 12").unwrap(), "cau-12");
        assert_eq!(made_valid("CH-07").unwrap(), "CH-07");
        assert_eq!(made_valid("v1.0").unwrap(), "v1.0");
        assert_eq!(made_valid("问题"), None);
    }

    #[test]
    fn a_cell_holds_several_texts() {
        let all = |t, m| parts(t, m).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(all("- 7 ngày\n• còn hộp;  hoá đơn|", PARTS), ["7 ngày", "còn hộp", "hoá đơn"]);
        assert_eq!(all("-5 °C", PARTS), ["-5 °C"]);
        assert_eq!(all("đổi trả, phí、giao hàng", TAG_PARTS), ["đổi trả", "phí", "giao hàng"]);
        assert_eq!(all("1.500,5 đồng", PARTS), ["1.500,5 đồng"]);
    }
}

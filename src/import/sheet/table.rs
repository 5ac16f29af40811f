//! A sheet as both readers hand it over: rows of cells as text, with what the text alone would hide.

use crate::text::norm::composed;

/// A sheet.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The sheet's name, and those of all sheets of the file; none in a CSV file.
    pub(super) sheet: Option<String>,
    /// The names of all sheets of the file, in order.
    pub(super) sheets: Vec<String>,
    /// How the file was read, where that was guessed (`separated by ;`).
    pub(super) how: Option<String>,
    /// The rows, blank ones too, in order.
    pub(super) rows: Vec<Row>,
}

/// A row.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    /// Its number as a spreadsheet shows it, from 1.
    pub(super) number: usize,
    /// It is hidden or filtered out.
    pub(super) hidden: bool,
    /// Its cells, from column A on.
    pub(super) cells: Vec<Cell>,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// What it shows, without blanks at its ends; lines end with LF.
    pub(super) text: String,
    /// It shows an error such as `#N/A`.
    pub(super) error: bool,
    /// An apostrophe in front of the text was taken off.
    pub(super) apostrophe: bool,
    /// It belongs to a merged cell that begins in this row, above.
    pub(super) merged: Option<usize>,
}

/// What spreadsheets show for a value that they could not work out.
const ERRORS: [&str; 9] =
    ["#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#GETTING_DATA"];

impl Cell {
    /// A cell of a text.
    pub(super) fn new(text: &str) -> Cell {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'));
        let text: String = composed(text).chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
        let apostrophe = has_apostrophe(&text);
        let text = if apostrophe { text.chars().skip(1).collect() } else { text };
        let error = ERRORS.contains(&text.as_str());
        Cell { text, error, apostrophe, merged: None }
    }

    /// A cell that shows an error.
    pub(super) fn faulty(text: String) -> Cell {
        Cell { text, error: true, ..Cell::default() }
    }

    /// Whether nothing stands in it.
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// Whether an apostrophe stands in front that only tells a spreadsheet to take the rest as text: no other one closes it.
fn has_apostrophe(text: &str) -> bool {
    text.strip_prefix('\'').is_some_and(|rest| !rest.is_empty() && !rest.contains(['\'', '’']))
}

impl Row {
    /// The cell of a column, from 0; nothing where it is blank.
    pub(super) fn cell(&self, column: usize) -> Option<&Cell> {
        self.cells.get(column).filter(|c| !c.is_blank())
    }

    /// Whether nothing of its own stands in it. What a merged cell of another row hands down is not its own.
    pub(super) fn is_blank(&self) -> bool {
        self.cells.iter().all(|c| c.is_blank() || c.merged.is_some())
    }

    /// How many cells of its own hold something.
    pub(super) fn filled(&self) -> usize {
        self.cells.iter().filter(|c| !c.is_blank() && c.merged.is_none()).count()
    }
}

impl Table {
    /// How many columns the widest row has.
    pub(super) fn width(&self) -> usize {
        let last = |row: &Row| row.cells.iter().rposition(|c| !c.is_blank()).map_or(0, |at| at + 1);
        self.rows.iter().map(last).max().unwrap_or(0)
    }

    /// Rows at the end in which nothing stands do not count.
    pub(super) fn trim(&mut self) {
        while self.rows.last().is_some_and(Row::is_blank) {
            self.rows.pop();
        }
    }
}

/// The letters of a column: 0 is A, 26 is AA.
pub(super) fn letters(column: usize) -> String {
    let mut rest = column + 1;
    let mut letters = Vec::new();
    while rest > 0 {
        let digit = u8::try_from((rest - 1) % 26).unwrap_or_default();
        letters.push(char::from(b'A' + digit));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// The column of some letters, from 0; nothing for what is no column of a spreadsheet.
pub(super) fn column(letters: &str) -> Option<usize> {
    if letters.is_empty() || letters.len() > 3 || !letters.bytes().all(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let value = |sum: usize, b: u8| sum * 26 + usize::from(b.to_ascii_uppercase() - b'A') + 1;
    Some(letters.bytes().fold(0, value) - 1)
}

/// Some row numbers, neighbours joined: `3, 5–7`.
pub(super) fn numbers(rows: &[usize]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    let close = |(from, to): (usize, usize)| if from == to { from.to_string() } else { format!("{from}–{to}") };
    for row in rows.iter().copied() {
        open = match open {
            Some((from, to)) if row == to + 1 => Some((from, row)),
            Some(run) => {
                parts.push(close(run));
                Some((row, row))
            }
            None => Some((row, row)),
        };
    }
    parts.extend(open.map(close));
    let more = parts.len().saturating_sub(12);
    parts.truncate(12);
    let parts = parts.join(", ");
    if more == 0 { parts } else { format!("{parts} and {more} more") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_the_letters_of_spreadsheets() {
        for (number, name) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(letters(number), name);
            assert_eq!(column(name), Some(number));
            assert_eq!(column(&name.to_lowercase()), Some(number));
        }
        assert_eq!(column("A1"), None);
        assert_eq!(column("Mã"), None);
    }

    #[test]
    fn a_cell_is_what_it_shows() {
        assert_eq!(Cell::new(" a\u{a0}\r\nb\r").text, "a\u{a0}\nb");
        assert_eq!(Cell::new("Hoa\u{300}").text, "Hoà");
        let typed = Cell::new("'0912");
        assert!(typed.apostrophe && typed.text == "0912");
        assert_eq!(Cell::new("'Bảo hành' là gì?").text, "'Bảo hành' là gì?");
        assert_eq!(Cell::new("'").text, "'");
        assert!(Cell::new("#N/A").error && !Cell::new("#1").error);
    }

    #[test]
    fn neighbours_are_joined() {
        assert_eq!(numbers(&[3, 5, 6, 7, 9]), "3, 5–7, 9");
        assert_eq!(numbers(&[]), "");
    }
}

//! The sheet given back: what was asked and answered, and what each layer says, a row a question. The only place that knows
//! the crate for writing workbooks.
//!
//! Answers are hostile text: every cell of text is written as text, so a `=HYPERLINK(…)` is shown and never worked out; what
//! no workbook can hold (control characters) is left out, and a text that is longer than a cell is cut with a mark.

use super::cut;
use crate::core::Change;
use crate::drive::told::Told;
use crate::layer::LayerId;
use rust_xlsxwriter::{Color, DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, XlsxError};

/// A cell of a workbook holds at most so many UTF-16 units.
const LONGEST: usize = 32_767;

/// The columns with their widths in characters.
const FRONT: [(&str, f64); 7] = [
    ("suite", 14.0),
    ("id", 14.0),
    ("question", 44.0),
    ("reference", 44.0),
    ("answer", 60.0),
    ("verdict", 12.0),
    ("changed", 16.0),
];

/// The columns behind those of the layers.
const BEHIND: [(&str, f64); 2] = [("first finding", 60.0), ("diagnosis", 50.0)];

/// Rows and columns beyond this are not those of a workbook.
const LAST_ROW: usize = 1_048_575;

/// How cells look.
struct Look {
    head: Format,
    text: Format,
    good: Format,
    bad: Format,
    doubt: Format,
}

/// The workbook of a run, as the bytes of an `.xlsx` file.
///
/// # Errors
/// More questions than a sheet has rows, or what the crate reports.
pub fn workbook(questions: &[Told]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // Without a moment of its own the file of one run has the same bytes each time.
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&made));
    let wrapped = || Format::new().set_text_wrap().set_align(FormatAlign::Top);
    let look = Look {
        head: wrapped().set_bold().set_background_color(Color::RGB(0x00E7_E6E6)),
        text: wrapped(),
        good: wrapped().set_font_color(Color::RGB(0x0000_6100)),
        bad: wrapped().set_bold().set_font_color(Color::RGB(0x009C_0006)),
        doubt: wrapped().set_font_color(Color::RGB(0x009C_5700)),
    };
    let sheet = book.add_worksheet();
    sheet.set_name("ragline")?;
    let layers = LayerId::ALL.map(|l| (l.name(), 12.0));
    let columns: Vec<(&str, f64)> = FRONT.into_iter().chain(layers).chain(BEHIND).collect();
    for (column, (name, width)) in (0_u16..).zip(&columns) {
        sheet.write_string_with_format(0, column, *name, &look.head)?;
        sheet.set_column_width(column, *width)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    for (row, told) in (1_u32..).zip(questions.iter().take(LAST_ROW)) {
        let verdict = verdict(told);
        let change = Change::parse(&told.change).map_or_else(|| told.change.clone(), |c| c.words().to_owned());
        let mut cells: Vec<(String, &Format)> = vec![
            (told.suite.clone(), &look.text),
            (told.id.clone(), &look.text),
            (told.question.clone(), &look.text),
            (told.reference.clone().unwrap_or_default(), &look.text),
            (answer(told), &look.text),
            (verdict.to_owned(), colour(verdict, &look)),
            (change, &look.text),
        ];
        cells.extend(LayerId::ALL.map(|layer| {
            let outcome = told.layer(layer).map_or("", |l| l.outcome.as_str());
            (outcome.to_owned(), colour(outcome, &look))
        }));
        let finding = told.first_finding().map(|(code, message)| format!("{message} ({code})"));
        let diagnosis = told.diagnosis.as_ref().map(|(layer, next)| format!("{layer}: {next}"));
        cells.push((finding.unwrap_or_default(), &look.text));
        cells.push((diagnosis.unwrap_or_default(), &look.text));
        for (column, (text, format)) in (0_u16..).zip(&cells).filter(|(_, (text, _))| !text.is_empty()) {
            sheet.write_string_with_format(row, column, clean(text), format)?;
        }
    }
    let last = u32::try_from(questions.len().min(LAST_ROW)).unwrap_or(0);
    sheet.autofilter(0, 0, last, u16::try_from(columns.len()).unwrap_or(1).saturating_sub(1))?;
    book.save_to_buffer()
}

/// A workbook of one sheet: what stands above the columns, their widths, and rows of texts.
///
/// # Errors
/// More rows than a sheet has, or what the crate reports.
pub(super) fn plain(name: &str, columns: &[(&str, f64)], rows: &[Vec<String>]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&made));
    let text = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    let head = text.clone().set_bold().set_background_color(Color::RGB(0x00E7_E6E6));
    let sheet = book.add_worksheet();
    sheet.set_name(name)?;
    for (column, (name, width)) in (0_u16..).zip(columns) {
        sheet.write_string_with_format(0, column, *name, &head)?;
        sheet.set_column_width(column, *width)?;
    }
    sheet.set_freeze_panes(1, 0)?;
    for (row, cells) in (1_u32..).zip(rows) {
        for (column, cell) in (0_u16..).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            sheet.write_string_with_format(row, column, clean(cell), &text)?;
        }
    }
    book.save_to_buffer()
}

/// The answer, or why there is none.
fn answer(told: &Told) -> String {
    match (&told.answer, &told.failed) {
        (Some(answer), _) => answer.clone(),
        (None, Some(why)) => format!("(no answer: {why})"),
        (None, None) => String::new(),
    }
}

/// The outcome of the question; one that asserts nothing is observed, and never green.
fn verdict(told: &Told) -> &str {
    if told.change == Change::Observed.name() { "observed" } else { &told.outcome }
}

fn colour<'l>(outcome: &str, look: &'l Look) -> &'l Format {
    match outcome {
        "pass" => &look.good,
        "fail" => &look.bad,
        "unmeasured" => &look.doubt,
        _ => &look.text,
    }
}

/// A text as a cell can hold it.
fn clean(text: &str) -> String {
    let kept: String = text
        .replace("\r\n", "\n")
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !(c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')))
        .collect();
    // No text has more UTF-16 units than bytes.
    if kept.len() <= LONGEST || kept.encode_utf16().count() <= LONGEST {
        return kept;
    }
    // A code point has at most two units.
    cut::chars(&kept, LONGEST / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_what_it_can() {
        assert_eq!(clean("a\u{1}\r\nb\u{7f}\tc\u{fffe}"), "a\nb\tc");
        let long = clean(&"𠀀".repeat(40_000));
        assert!(long.encode_utf16().count() <= LONGEST && long.ends_with('…'));
        assert_eq!(clean(&"ạ".repeat(LONGEST)).chars().count(), LONGEST);
    }
}

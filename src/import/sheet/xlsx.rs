//! Reads a worksheet. The only place that knows the crate for workbooks.

use super::hidden;
use super::table::{Cell, Row, Table};
use crate::problem::near::did_you_mean;
use crate::problem::{Place, Problem, Problems};
use calamine::{DataRef, Reader, Xlsx, XlsxError};
use std::io::Cursor;
use std::path::Path;

/// A row or column beyond these holds nothing that people typed.
const LAST_ROW: u32 = 200_000;
const LAST_COLUMN: u32 = 500;

/// A workbook is at most so many bytes long when it is unpacked.
const LARGEST: u128 = 512 * 1024 * 1024;

/// Reads the sheet of a name, or the first one that can be seen and holds something.
pub(super) fn read(path: &Path, sheet: Option<&str>) -> Result<Table, Problems> {
    let place = Place::file(&path.to_string_lossy());
    let bytes = std::fs::read(path)
        .map_err(|e| Problem::error("file-unreadable", place.clone(), format!("cannot read this file: {e}")))?;
    refuse_others(&bytes, &place)?;
    let fault = |e: XlsxError| {
        let (title, help) = if matches!(e, XlsxError::Password) {
            ("this workbook asks for a password".to_owned(), "save it without a password")
        } else {
            let help = "open it in a spreadsheet program and save it anew as .xlsx, or as CSV in UTF-8";
            (format!("this workbook cannot be read: {e}"), help)
        };
        Problems::from(Problem::error("import-malformed", place.clone(), title).help(help))
    };
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes.as_slice())).map_err(fault)?;
    let sheets: Vec<String> = book.sheet_names();
    let seen: Vec<usize> = (0..sheets.len()).filter(|i| is_seen(&book, *i)).collect();
    let chosen: Vec<usize> = match sheet {
        Some(name) => match sheets.iter().position(|s| s.trim() == name.trim()) {
            Some(at) => vec![at],
            None => return Err(no_sheet(name, &sheets, &place)),
        },
        None => seen,
    };
    let mut first = None;
    for at in chosen {
        let Some(name) = sheets.get(at) else { continue };
        let mut table = table(&mut book, name).map_err(fault)?;
        table.trim();
        let hidden = hidden::rows(Cursor::new(bytes.as_slice()), at);
        table.rows.iter_mut().for_each(|r| r.hidden = hidden.contains(&r.number));
        table.sheet = Some(name.clone());
        table.sheets.clone_from(&sheets);
        if !table.rows.is_empty() {
            return Ok(table);
        }
        first = first.or(Some(table));
    }
    first.ok_or_else(|| Problem::error("import-empty", place, "this workbook has no sheet that can be seen").into())
}

/// What is no workbook of the new form is told before a reader stumbles over it.
fn refuse_others(bytes: &[u8], place: &Place) -> Result<(), Problems> {
    let fault =
        |title: &str, help: &str| Err(Problem::error("import-malformed", place.clone(), title).help(help).into());
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        let help = "save it as .xlsx without a password, or as CSV in UTF-8";
        return fault(
            "this is a workbook of the old form (.xls), or one that asks for a password, expected .xlsx",
            help,
        );
    }
    if !bytes.starts_with(b"PK") {
        return fault("this is no workbook, expected .xlsx", "use `ragline import csv` for a text file");
    }
    let Ok(archive) = zip::ZipArchive::new(Cursor::new(bytes)) else { return Ok(()) };
    match archive.decompressed_size() {
        Some(size) if size > LARGEST => {
            fault("this workbook is larger than 512 MB when it is unpacked", "save the sheet alone, or as CSV in UTF-8")
        }
        Some(_) | None => Ok(()),
    }
}

fn is_seen(book: &Xlsx<Cursor<&[u8]>>, at: usize) -> bool {
    book.sheets_metadata().get(at).is_none_or(|s| matches!(s.visible, calamine::SheetVisible::Visible))
}

fn no_sheet(name: &str, sheets: &[String], place: &Place) -> Problems {
    let near = did_you_mean(name, sheets.iter().map(String::as_str));
    let names = sheets.iter().map(|s| format!("“{s}”")).collect::<Vec<_>>().join(", ");
    let help = near
        .map_or_else(|| format!("the sheets are {names}"), |n| format!("did you mean “{n}”? The sheets are {names}"));
    Problem::error("import-column", place.clone(), format!("no sheet is named “{name}”")).help(help).into()
}

fn table(book: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<Table, XlsxError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut cells = book.worksheet_cells_reader(name)?;
    while let Some((cell, style)) = cells.next_cell_with_style_id()? {
        let (row, column) = cell.get_position();
        if row >= LAST_ROW || column >= LAST_COLUMN {
            continue;
        }
        let format = cells.styles().get(style).and_then(|s| s.number_format.as_ref()).map(|f| f.format_code.as_str());
        let Some(value) = shown(cell.get_value(), format) else { continue };
        put(&mut rows, row, column, value);
    }
    drop(cells);
    let merges = book.merge_cells_by_sheet_name(name).unwrap_or_default();
    for merge in merges {
        let ((top, column), (bottom, _)) = (merge.start, merge.end);
        // A merge over more rows than are filled, such as a whole column, ends with the last one.
        let bottom = (bottom as usize).min(rows.len().saturating_sub(1));
        let Some(value) = rows.get(top as usize).and_then(|r| r.cell(column as usize)).cloned() else { continue };
        for row in (top as usize + 1)..=bottom {
            let value = Cell { merged: Some(top as usize + 1), ..value.clone() };
            put(&mut rows, u32::try_from(row).unwrap_or(LAST_ROW), column, value);
        }
    }
    Ok(Table { rows, ..Table::default() })
}

fn put(rows: &mut Vec<Row>, row: u32, column: u32, cell: Cell) {
    let (row, column) = (row as usize, column as usize);
    while rows.len() <= row {
        rows.push(Row { number: rows.len() + 1, ..Row::default() });
    }
    if let Some(row) = rows.get_mut(row) {
        if row.cells.len() <= column {
            row.cells.resize(column + 1, Cell::default());
        }
        if let Some(place) = row.cells.get_mut(column) {
            *place = cell;
        }
    }
}

/// What a cell shows; nothing for one that is empty.
fn shown(value: &DataRef<'_>, format: Option<&str>) -> Option<Cell> {
    let text = match value {
        DataRef::Empty => return None,
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Int(n) => n.to_string(),
        DataRef::Float(n) => number(*n, format),
        DataRef::Bool(b) => if *b { "TRUE" } else { "FALSE" }.to_owned(),
        DataRef::DateTime(date) => moment(date),
        // `2026-11-30T00:00:00` is a day.
        DataRef::DateTimeIso(text) => text.trim_end_matches("T00:00:00").replace('T', " "),
        DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(e) => return Some(Cell::faulty(e.to_string())),
    };
    let cell = Cell::new(&text);
    (!cell.is_blank()).then_some(cell)
}

/// A number as people read it: `7` for 7.0, at most 15 digits as spreadsheets keep them, percent where it is shown so.
fn number(n: f64, format: Option<&str>) -> String {
    let digits = |n: f64| {
        // Through 15 digits and back: 0.1 + 0.2 is 0.3 in a sheet.
        let rounded: f64 = format!("{n:.14e}").parse().unwrap_or(n);
        format!("{rounded}")
    };
    // A percent sign between quotes is only text.
    let percent = format.is_some_and(|f| f.split('"').step_by(2).any(|part| part.contains('%')));
    if percent { format!("{} %", digits(n * 100.0)) } else { digits(n) }
}

/// A date in ISO form, with its time where it has one; a time of day alone as `08:30`.
fn moment(date: &calamine::ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = date.to_ymd_hms_milli();
    let whole = date.as_f64();
    let seconds = if second == 0 { String::new() } else { format!(":{second:02}") };
    if date.is_duration() {
        let minutes = (whole * 24.0 * 60.0).round();
        return format!("{}:{:02}", (minutes / 60.0).floor(), minutes % 60.0);
    }
    let time = format!("{hour:02}:{minute:02}{seconds}");
    if (0.0..1.0).contains(&whole) {
        return time;
    }
    let day = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) == (0, 0, 0) { day } else { format!("{day} {time}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::{ExcelDateTime, ExcelDateTimeType};

    #[test]
    fn numbers_are_shown_as_in_the_sheet() {
        for (n, format, text) in [
            (7.0, None, "7"),
            (0.1 + 0.2, None, "0.3"),
            (1_500_000.0, Some("#,##0"), "1500000"),
            (0.2, Some("0%"), "20 %"),
            (0.075, Some("0.0%"), "7.5 %"),
            (5.0, Some("0\"%\""), "5"),
            (-1.5, None, "-1.5"),
        ] {
            assert_eq!(number(n, format), text);
        }
    }

    #[test]
    fn dates_are_iso() {
        let date = |n| ExcelDateTime::new(n, ExcelDateTimeType::DateTime, false);
        assert_eq!(moment(&date(46_356.0)), "2026-11-30");
        assert_eq!(moment(&date(46_356.354_166_666_664)), "2026-11-30 08:30");
        assert_eq!(moment(&date(0.354_166_666_666_666_7)), "08:30");
        assert_eq!(moment(&ExcelDateTime::new(1.5, ExcelDateTimeType::TimeDelta, false)), "36:00");
    }
}

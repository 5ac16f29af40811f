//! A messy sheet of Vietnamese questions: as CSV (`tests/sheets/cau-hoi.csv`), and as the workbook that such a CSV is saved
//! from, with what CSV cannot hold: numbers, dates, errors, merged cells and hidden rows.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};
use std::path::{Path, PathBuf};

/// A file of `tests/sheets`.
pub(crate) fn sheet(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets").join(name)
}

/// The rows of the CSV file, from row 1 on.
pub(crate) fn rows() -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(sheet("cau-hoi.csv")).unwrap();
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(b';')
        .has_headers(false)
        .flexible(true)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    reader.records().map(|r| r.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The workbook of the same questions, as bytes.
pub(crate) fn workbook() -> Vec<u8> {
    let rows = rows();
    let mut book = Workbook::new();
    let made = ExcelDateTime::from_ymd(2026, 11, 30).unwrap();
    book.set_properties(&rust_xlsxwriter::DocProperties::new().set_creation_datetime(&made));
    let notes = book.add_worksheet().set_name("Ghi chú").unwrap();
    notes.set_hidden(true);
    notes.write(0, 0, "Bản nháp").unwrap();
    let sheet = book.add_worksheet().set_name("Câu hỏi").unwrap();
    sheet.set_active(true);
    let day = Format::new().set_num_format("dd/mm/yyyy");
    let percent = Format::new().set_num_format("0%");
    let plain = Format::new();
    for (row, cells) in rows.iter().enumerate() {
        for (column, text) in cells.iter().enumerate().filter(|(_, t)| !t.is_empty()) {
            let (r, c) = (u32::try_from(row).unwrap(), u16::try_from(column).unwrap());
            let number = text.parse::<f64>().ok().filter(|_| column == 0 || text == "500000");
            let date: Vec<u16> = text.split('/').filter_map(|p| p.parse().ok()).collect();
            match (text.as_str(), number, date.as_slice()) {
                ("#N/A", ..) => sheet.write_formula(r, c, Formula::new("=NA()").set_result("#N/A")).unwrap(),
                ("0,3", ..) => sheet.write_number_with_format(r, c, 0.3, &percent).unwrap(),
                (_, Some(n), _) => sheet.write_number(r, c, n).unwrap(),
                (_, None, [d, m, y]) if row > 3 => {
                    let date =
                        ExcelDateTime::from_ymd(*y, u8::try_from(*m).unwrap(), u8::try_from(*d).unwrap()).unwrap();
                    sheet.write_datetime_with_format(r, c, &date, &day).unwrap()
                }
                // The apostrophe is no part of a cell's text in a workbook.
                (text, None, _) => sheet.write_string(r, c, text.trim_start_matches('\'')).unwrap(),
            };
        }
    }
    sheet.merge_range(0, 0, 0, 6, &rows[0][0], &plain).unwrap();
    // Each category is one merged cell over its rows, blank ones included, down to the next category or heading.
    let of = |row: usize| rows.get(row).map(|r| (r[1].as_str(), r[0].as_str(), r[2].as_str()));
    let mut top = None;
    for row in 4..=rows.len() {
        let begins = of(row).is_none_or(|(group, first, _)| !group.is_empty() || first.contains('.'));
        if begins {
            if let Some(top) = top.take().filter(|top| row - top > 1) {
                let (from, to) = (u32::try_from(top).unwrap(), u32::try_from(row - 1).unwrap());
                sheet.merge_range(from, 1, to, 1, &rows[top][1], &plain).unwrap();
            }
            top = of(row).filter(|(group, first, _)| !group.is_empty() && *first != "STT").map(|_| row);
        }
    }
    // A filter hides two rows.
    for row in [26, 27] {
        sheet.set_row_hidden(row - 1).unwrap();
    }
    book.save_to_buffer().unwrap()
}

//! Reads a CSV file: its letters, its separator, its rows.

use super::table::{Cell, Row, Table};
use crate::problem::{Place, Problem, Problems};
use std::path::Path;

/// Where the values of a line may be separated.
const SEPARATORS: [(u8, &str); 4] = [(b',', ","), (b';', ";"), (b'\t', "tab"), (b'|', "|")];

/// So many rows are looked at for the separator.
const SAMPLE: usize = 200;

/// How to make a file that can be read.
const SAVE: &str = "save it as UTF-8 (Excel: “CSV UTF-8 (Comma delimited)”; LibreOffice: tick “Edit filter settings”, \
                    choose Unicode (UTF-8))";

/// Reads the file. `encoding` is the label of the one it is in; without it UTF-8, or UTF-16 that says so in its first bytes.
pub(super) fn read(path: &Path, encoding: Option<&str>) -> Result<Table, Problems> {
    let place = Place::file(&path.to_string_lossy());
    let bytes = std::fs::read(path)
        .map_err(|e| Problem::error("file-unreadable", place.clone(), format!("cannot read this file: {e}")))?;
    if bytes.starts_with(b"PK\x03\x04") {
        let title = "this file is a workbook, expected CSV";
        return Err(Problem::error("import-malformed", place, title).help("use `ragline import xlsx`").into());
    }
    let text = decode(&bytes, encoding, &place)?;
    let (named, text) = separator_line(&text);
    let separator = named.unwrap_or_else(|| guess(text));
    let mut table = rows(text, separator, usize::from(named.is_some()), &place)?;
    let name = SEPARATORS.iter().find(|(b, _)| *b == separator).map_or("?", |(_, name)| name);
    table.how = Some(format!("separated by {name}"));
    table.trim();
    Ok(table)
}

/// The text of the bytes.
fn decode(bytes: &[u8], encoding: Option<&str>, place: &Place) -> Result<String, Problems> {
    let fault = |title: String, help: String| {
        Problems::from(Problem::error("import-encoding", place.clone(), title).help(help))
    };
    let encoding = match encoding {
        Some(label) => Some(encoding_rs::Encoding::for_label(label.as_bytes()).ok_or_else(|| {
            let help = "such labels are known: utf-8, windows-1258, windows-874 (tis-620), gb18030, big5, windows-1252";
            fault(format!("`{label}` is no encoding that is known"), help.to_owned())
        })?),
        // A byte-order mark leaves no doubt.
        None if bytes.starts_with(&[0xff, 0xfe]) => Some(encoding_rs::UTF_16LE),
        None if bytes.starts_with(&[0xfe, 0xff]) => Some(encoding_rs::UTF_16BE),
        None => None,
    };
    if let Some(encoding) = encoding {
        let (text, used, wrong) = encoding.decode(bytes);
        if wrong {
            let title = format!("this file is not {}: some of its bytes stand for nothing there", used.name());
            return Err(fault(title, SAVE.to_owned()));
        }
        return Ok(text.into_owned());
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text.to_owned()),
        Ok(_) => {
            let title = "this file holds NUL characters: it looks like UTF-16 without its mark, expected UTF-8";
            Err(fault(title.to_owned(), format!("{SAVE}; or say `--encoding utf-16le`")))
        }
        Err(e) => {
            let line = bytes.iter().take(e.valid_up_to()).filter(|b| **b == b'\n').count() + 1;
            let (label, language) = likely(bytes);
            let title = format!("line {line} is not UTF-8; it looks like {label} ({language})");
            Err(fault(title, format!("{SAVE}; or, if that is right, say `--encoding {label}`")))
        }
    }
}

/// What bytes that are no UTF-8 may be: only a hint, since many bytes are text in each of them.
fn likely(bytes: &[u8]) -> (&'static str, &'static str) {
    let share = |encoding: &'static encoding_rs::Encoding, wanted: fn(char) -> bool| {
        let (text, _, wrong) = encoding.decode(bytes);
        let chars: Vec<char> = text.chars().collect();
        // Inside a Latin word stands an accented letter, whatever the bytes would be elsewhere.
        let is_letter = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_alphabetic);
        let (mut right, mut all) = (0usize, 0usize);
        for (at, c) in chars.iter().enumerate().filter(|(_, c)| !c.is_ascii()) {
            all += 1;
            right += usize::from(wanted(*c) && !is_letter(at.checked_sub(1)) && !is_letter(Some(at + 1)));
        }
        !wrong && right * 10 >= all * 9
    };
    let is_thai = |c: char| matches!(c, '\u{e01}'..='\u{e5b}' | '“' | '”' | '–');
    let is_han =
        |c: char| matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff5e}' | '“' | '”');
    if share(encoding_rs::WINDOWS_874, is_thai) {
        ("windows-874", "Thai")
    } else if share(encoding_rs::GB18030, is_han) {
        ("gb18030", "Chinese")
    } else {
        ("windows-1258", "Vietnamese")
    }
}

/// `sep=;` in the first line names the separator for Excel, and is no row.
fn separator_line(text: &str) -> (Option<u8>, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let named = first.trim_end_matches('\r').strip_prefix("sep=").and_then(|s| s.bytes().next());
    match named.filter(|b| b.is_ascii() && !matches!(b, b'"' | b'\n' | b'\r')) {
        Some(b) => (Some(b), rest),
        None => (None, text),
    }
}

fn reader(text: &str, separator: u8) -> ::csv::Reader<&[u8]> {
    ::csv::ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(text.as_bytes())
}

/// The separator that gives most rows the same number of values, and of those the one that gives most values.
fn guess(text: &str) -> u8 {
    let score = |separator: u8| {
        let mut counts = std::collections::BTreeMap::new();
        for record in reader(text, separator).byte_records().take(SAMPLE).flatten() {
            // Blank values at the end of a line, as under a short row, are values too.
            *counts.entry(record.len()).or_insert(0usize) += 1;
        }
        let all: usize = counts.values().sum();
        let most = counts.into_iter().filter(|(values, _)| *values > 1).max_by_key(|(values, rows)| (*rows, *values));
        most.map_or((0, 0), |(values, rows)| (rows * 100 / all.max(1), values))
    };
    // The first of equals stands: a comma.
    let best = SEPARATORS.iter().rev().max_by_key(|(b, _)| score(*b));
    best.map_or(b',', |(b, _)| *b)
}

/// The rows, numbered as a spreadsheet does: blank lines count. `above` lines stand above the text.
fn rows(text: &str, separator: u8, above: usize, place: &Place) -> Result<Table, Problems> {
    let mut table = Table::default();
    let mut reader = reader(text, separator);
    let mut record = ::csv::StringRecord::new();
    let mut number = above;
    loop {
        let from = position(&reader);
        let more = reader.read_record(&mut record).map_err(|e| {
            Problems::from(Problem::error("import-malformed", place.clone(), format!("this is no CSV: {e}")))
        })?;
        let raw = text.get(from..position(&reader)).unwrap_or_default();
        // Of CRLF the reader leaves the LF to the next row.
        let halved = text.get(..from).is_some_and(|t| t.ends_with('\r'));
        let raw = if halved { raw.strip_prefix('\n').unwrap_or(raw) } else { raw };
        // The reader passes over blank lines.
        let written = raw.trim_start_matches(['\n', '\r']);
        let blank = raw.get(..raw.len() - written.len()).unwrap_or_default();
        for _ in 0..line_ends(blank) {
            number += 1;
            table.rows.push(Row { number, ..Row::default() });
        }
        if !more {
            return Ok(table);
        }
        number += 1;
        // A quote that never closes takes the rest of the file into one value.
        let last = position(&reader) >= text.len();
        if last && written.trim_end().contains('\n') && written.matches('"').count() % 2 == 1 {
            let title =
                format!("a quote opens in row {number} and never closes: it takes the rest of the file with it");
            let help = "write a quote inside a quoted value twice (\"\"), or close it";
            return Err(Problem::error("import-malformed", place.clone(), title).help(help).into());
        }
        table.rows.push(Row { number, hidden: false, cells: record.iter().map(Cell::new).collect() });
    }
}

fn position(reader: &::csv::Reader<&[u8]>) -> usize {
    usize::try_from(reader.position().byte()).unwrap_or(usize::MAX)
}

/// How many line ends a run of them is.
fn line_ends(text: &str) -> usize {
    let lines = text.matches('\n').count();
    if lines == 0 { text.matches('\r').count() } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        let separator = guess(text);
        rows(text, separator, 0, &Place::default()).unwrap()
    }

    fn texts(table: &Table) -> Vec<(usize, Vec<&str>)> {
        table.rows.iter().map(|r| (r.number, r.cells.iter().map(|c| c.text.as_str()).collect())).collect()
    }

    #[test]
    fn the_separator_is_the_one_that_fits_most_rows() {
        assert_eq!(guess("a;b\n1,5;2\n3,5;4\n"), b';');
        assert_eq!(guess("a\tb\n1,5\tx; y\n"), b'\t');
        assert_eq!(guess("a,b\n\"x; y\",\"2; 3\"\n"), b',');
        assert_eq!(guess("a|b\nx, y|z\nu|v, w\n"), b'|');
        assert_eq!(guess("one column\n"), b',');
        assert_eq!(guess(""), b',');
    }

    #[test]
    fn rows_have_the_numbers_of_a_spreadsheet() {
        let found = table("q,a\r\n\r\n\"two\r\nlines\",x\r\n\n,\nlast,\"says \"\"no\"\"\"");
        let want: Vec<(usize, Vec<&str>)> = vec![
            (1, vec!["q", "a"]),
            (2, vec![]),
            (3, vec!["two\nlines", "x"]),
            (4, vec![]),
            (5, vec!["", ""]),
            (6, vec!["last", "says \"no\""]),
        ];
        assert_eq!(texts(&found), want);
    }

    #[test]
    fn a_quote_that_never_closes_is_told() {
        let fault = rows("q,a\n\"one,x\ntwo,y\n", b',', 0, &Place::default()).unwrap_err();
        assert!(fault.0[0].title.contains("row 2"), "{fault}");
        // Inches are no quotes.
        assert_eq!(table("q,a\ntivi 55\" giá?,x").rows.len(), 2);
    }

    #[test]
    fn letters_are_those_of_the_file() {
        let read = |bytes: &[u8], label| decode(bytes, label, &Place::default());
        assert_eq!(read(b"\xef\xbb\xbfa", None).unwrap(), "a");
        assert_eq!(read(b"\xff\xfea\0\xc0\x1e", None).unwrap(), "aỀ");
        assert_eq!(read(b"\xa1\xa2", Some("tis-620")).unwrap(), "กข");
        let told = |bytes: &[u8]| read(bytes, None).unwrap_err().0.remove(0).title;
        assert!(told(&encoding_rs::WINDOWS_874.encode("คำถาม,คำตอบ").0).contains("windows-874 (Thai)"));
        assert!(told(&encoding_rs::GB18030.encode("问题,答案\n退货期限是多久？,七天").0).contains("gb18030 (Chinese)"));
        assert!(told(&encoding_rs::WINDOWS_1258.encode("Câu,đáp").0).contains("windows-1258"));
        assert!(told(b"a\0b\0").contains("NUL"));
        assert!(read(b"a", Some("latin-99")).unwrap_err().0[0].title.contains("latin-99"));
    }
}

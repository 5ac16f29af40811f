//! Shows a sheet before anything is written: its columns, what each seems to hold, and the command that would import it.

use super::columns::{Mapping, Role};
use super::rows::{Questions, short};
use super::table::{Table, letters};
use super::{Format, Sheet};
use crate::report::cut::pad;
use std::path::Path;

/// Values that are shown of each column.
const SAMPLES: usize = 3;

/// Reasons that are shown of rows that would be left out.
const REASONS: usize = 8;

/// The sheet as text for a terminal.
pub(super) fn show(what: &Sheet<'_>, table: &Table, mapping: &Mapping, questions: Option<&Questions>) -> String {
    let mut out = file_line(what, table, mapping);
    let rows = mapping.below(table);
    let filled = rows.iter().filter(|r| !r.is_blank()).count();
    out.push_str("\n     column                    filled   values\n");
    for column in 0..table.width() {
        let title = mapping.title(table, column);
        let own = rows.iter().filter_map(|r| r.cell(column)).filter(|c| c.merged.is_none());
        // A header that is repeated on each page is no value.
        let cells: Vec<_> = own.filter(|c| c.text != title).collect();
        if cells.is_empty() && title.is_empty() {
            continue;
        }
        let mut samples: Vec<String> = Vec::new();
        for cell in &cells {
            let text = short(&cell.text);
            if samples.len() < SAMPLES && !samples.contains(&text) {
                samples.push(text);
            }
        }
        let count = format!("{}/{filled}", cells.len());
        let line = format!(
            "{}  {}  {}  {}",
            pad(&format!("{:>4}", letters(column)), 4),
            pad(&short(&title), 24),
            pad(&count, 7),
            samples.join(" · ")
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out.push('\n');
    let Some(questions) = questions else {
        out.push_str("guess    none: no column is named or filled like one of questions\n");
        out.push_str(
            "next     say which it is: --question COLUMN --answer COLUMN (a letter, or what stands above it)\n",
        );
        return out;
    };
    for (role, column) in &mapping.columns {
        let title = mapping.title(table, *column);
        let name = if title.is_empty() { letters(*column) } else { format!("{}, {title}", letters(*column)) };
        let head = if *role == first(mapping) { "guess" } else { "" };
        out.push_str(&format!("{}  {} is {name}\n", pad(head, 7), pad(role.option(), 8)));
    }
    out.push_str(&format!("would    import {}\n", questions.sum()));
    for (row, why) in questions.left_out.iter().take(REASONS) {
        out.push_str(&format!("         row {row}: {why}\n"));
    }
    let more = questions.left_out.len().saturating_sub(REASONS);
    if more > 0 {
        out.push_str(&format!("         and {more} more\n"));
    }
    // As it is typed: from the folder in which the project lies.
    let found = super::documents(what, &questions.items);
    let folder = found.as_ref().map(|h| h.folder.strip_prefix(what.root).unwrap_or(&h.folder));
    if let (None, Some(found)) = (what.corpus, &found) {
        out.push_str(&format!("corpus   {}\n", super::found_in(what, found)));
    }
    out.push_str(&format!("next     {}\n", command(what, table, mapping, what.corpus.or(folder))));
    out
}

fn first(mapping: &Mapping) -> Role {
    mapping.columns.keys().next().copied().unwrap_or(Role::Question)
}

fn file_line(what: &Sheet<'_>, table: &Table, mapping: &Mapping) -> String {
    let mut parts = vec![what.file.file_name().unwrap_or_default().to_string_lossy().into_owned()];
    if let Some(sheet) = &table.sheet {
        let others: Vec<&str> = table.sheets.iter().filter(|s| *s != sheet).map(String::as_str).collect();
        let others = if others.is_empty() { String::new() } else { format!(" (others: {})", others.join(", ")) };
        parts.push(format!("sheet “{sheet}”{others}"));
    }
    parts.extend(table.how.clone());
    parts.push(match mapping.header.and_then(|at| table.rows.get(at)) {
        Some(row) => format!("header in row {}", row.number),
        None => "no header".to_owned(),
    });
    parts.push(format!("{} below it", super::super::count(mapping.below(table).len(), "row")));
    format!("{}\n", parts.join(" · "))
}

/// The command that imports the sheet with these columns.
pub(super) fn command(what: &Sheet<'_>, table: &Table, mapping: &Mapping, corpus: Option<&Path>) -> String {
    let format = match what.format {
        Format::Csv => "csv",
        Format::Xlsx => "xlsx",
    };
    let out = what.out.map_or_else(|| format!("suites/{}.yaml", suggested(what)), |o| o.to_string_lossy().into_owned());
    let mut words = vec![
        format!("ragline import {format} {}", quoted(&what.file.to_string_lossy())),
        format!("--out {}", quoted(&out)),
    ];
    words.extend(what.sheet.map(|s| format!("--sheet {}", quoted(s))));
    words.extend(what.header.map(|h| format!("--header {h}")));
    words.extend(what.encoding.map(|e| format!("--encoding {e}")));
    words.extend(what.language.map(|l| format!("--language {l}")));
    words.extend(what.target.map(|t| format!("--target {}", quoted(t))));
    words.extend(corpus.map(|c| format!("--corpus {}", quoted(&c.to_string_lossy()))));
    let columns = mapping.columns.iter();
    words.extend(columns.map(|(role, c)| format!("--{} {}", role.option(), quoted(&mapping.name(table, *c)))));
    words.join(" ")
}

/// A name for the suite, from that of the file.
pub fn suggested(what: &Sheet<'_>) -> String {
    let stem = what.file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = super::super::plain_name(&crate::text::norm::unmarked(&stem), 60);
    if name.is_empty() { "questions".to_owned() } else { name }
}

/// A word as shells read it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | ':' | ',');
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

//! Rows of cells for a terminal.

use crate::report::clean::terminal;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// Text of others, without what a terminal obeys, on one line.
pub(super) fn clean_cell(text: &str) -> String {
    terminal(text).replace(['\n', '\t'], " ")
}

/// Rows of cells, padded to the width of their column on a terminal.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell}{}", " ".repeat(width.saturating_sub(cell.width()) + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

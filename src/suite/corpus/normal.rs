//! The normal form of a document: line by line, so that a place in it leads back to a line of the text.

use super::Section;
use crate::text::norm::{self, find_whole_numbers};
use std::ops::Range;

/// A document in matching form. Lines that are blank in that form are left out, the others are joined
/// by one space; since N1 turns a line end into a space, words that run over a line end are found too.
#[derive(Debug)]
pub(super) struct Normal {
    text: String,
    /// Where each line of the document begins in `text`.
    lines: Vec<usize>,
    /// The heading paths of the sections in matching form.
    pub(super) headings: Vec<Vec<String>>,
}

impl Normal {
    /// The normal form of a text with its sections.
    pub(super) fn new(text: &str, sections: &[Section]) -> Normal {
        let mut normal = String::with_capacity(text.len());
        let mut lines = Vec::new();
        for line in text.lines() {
            let line = norm::matching(line);
            let line = line.trim();
            if !(line.is_empty() || normal.is_empty()) {
                normal.push(' ');
            }
            lines.push(normal.len());
            normal.push_str(line);
        }
        let heading = |h: &String| norm::matching(h).trim().to_owned();
        let headings = sections.iter().map(|s| s.path.iter().map(heading).collect()).collect();
        Normal { text: normal, lines, headings }
    }

    /// The line (from 0) where words in normal form begin, within some lines. Nothing for empty words.
    pub(super) fn find(&self, words: &str, within: &Range<usize>) -> Option<usize> {
        if words.is_empty() {
            return None;
        }
        let at_line = |line: usize| self.lines.get(line).copied().unwrap_or(self.text.len());
        let (start, end) = (at_line(within.start), at_line(within.end));
        let found = find_whole_numbers(self.text.get(start..end)?, words)? + start;
        // The last line that begins at or before the place; lines that are blank begin where the next one does.
        Some(self.lines.partition_point(|begin| *begin <= found).saturating_sub(1))
    }
}

/// The line (from 0) where words stand as they are written, within some lines. Nothing for empty words.
pub(super) fn find_as_written(text: &str, words: &str, within: &Range<usize>) -> Option<usize> {
    if words.is_empty() {
        return None;
    }
    let starts = |line: usize| match line {
        0 => Some(0),
        _ => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 1).map(|at| at + 1),
    };
    let start = starts(within.start)?;
    let end = if within.end == usize::MAX { text.len() } else { starts(within.end).unwrap_or(text.len()) };
    let found = find_whole_numbers(text.get(start..end)?, words)? + start;
    Some(memchr::memchr_iter(b'\n', text.as_bytes().get(..found)?).count())
}

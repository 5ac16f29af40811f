//! Cuts documents into passages.

use crate::suite::config::Chunking;
use crate::suite::corpus::{Corpus, Document, Section};
use crate::text::pack::Lang;
use crate::text::segment;
use std::ops::Range;

/// One passage of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The document's id.
    pub(super) doc: String,
    /// The heading path that all of it stands under: of a passage across sections what their paths have in common.
    pub(super) section: Vec<String>,
    /// Its number within the document, from 0.
    pub(super) number: usize,
    /// Its place in the document, in bytes.
    pub(super) bytes: Range<usize>,
    /// Its place in the document, in code points.
    pub(super) points: Range<u64>,
}

/// All passages of a corpus, in the order of documents and of text. Blank passages are left out.
pub(super) fn chunks(corpus: &Corpus, how: Chunking, lang: &Lang) -> Vec<Chunk> {
    let mut all = Vec::new();
    for (id, document) in &corpus.documents {
        let ranges = match how {
            Chunking::Section => document.sections.iter().map(|s| s.start..s.end).collect(),
            Chunking::SectionMax(most) => {
                document.sections.iter().flat_map(|s| at_sentence_ends(document, s.start..s.end, most, lang)).collect()
            }
            Chunking::Fixed { size, overlap } => fixed(&document.text, size, overlap),
        };
        let whole =
            |range: Range<usize>| if matches!(how, Chunking::Fixed { .. }) { range } else { trimmed(document, range) };
        let mut points = Points::new(&document.text);
        for (number, bytes) in ranges.into_iter().map(whole).filter(|r| !is_blank(document, r)).enumerate() {
            let section = heading(document, &bytes);
            let points = points.at(bytes.start)..points.at(bytes.end);
            all.push(Chunk { doc: id.clone(), section, number, bytes, points });
        }
    }
    all
}

/// What the heading paths of the sections that a passage touches have in common.
fn heading(document: &Document, bytes: &Range<usize>) -> Vec<String> {
    let holds = |s: &&Section| !is_blank(document, &(s.start.max(bytes.start)..s.end.min(bytes.end)));
    let touched = document.sections.iter().filter(holds);
    let mut paths = touched.map(|s| s.path.as_slice());
    let first = paths.next().unwrap_or_default();
    let shared = |kept: &[String], other: &[String]| kept.iter().zip(other).take_while(|(a, b)| a == b).count();
    let kept = paths.fold(first, |kept, other| kept.get(..shared(kept, other)).unwrap_or_default());
    kept.to_vec()
}

fn is_blank(document: &Document, range: &Range<usize>) -> bool {
    document.text.get(range.clone()).is_none_or(|t| t.trim().is_empty())
}

/// A range without the blanks at its ends.
fn trimmed(document: &Document, range: Range<usize>) -> Range<usize> {
    let Some(text) = document.text.get(range.clone()) else { return range.start..range.start };
    let start = range.start + (text.len() - text.trim_start().len());
    start..start.max(range.start + text.trim_end().len())
}

/// Cuts a range where sentences end, so that no piece has more than `most` characters; a sentence that is longer itself
/// is cut at a blank, or where the piece is full.
fn at_sentence_ends(document: &Document, range: Range<usize>, most: usize, lang: &Lang) -> Vec<Range<usize>> {
    let most = most.max(1);
    let Some(text) = document.text.get(range.clone()) else { return Vec::new() };
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut length = 0;
    let mut from = 0;
    let ends = segment::sentences(text, lang).into_iter().map(|s| s.end).chain([text.len()]);
    for end in ends {
        let Some(sentence) = text.get(from..end).filter(|t| !t.is_empty()) else { continue };
        let characters = sentence.chars().count();
        match pieces.last_mut().filter(|_| length + characters <= most) {
            Some(piece) => {
                piece.end = end;
                length += characters;
            }
            None => {
                for part in by_length(sentence, most) {
                    length = sentence.get(part.clone()).map_or(0, |t| t.chars().count());
                    pieces.push(from + part.start..from + part.end);
                }
            }
        }
        from = end;
    }
    pieces.into_iter().map(|p| range.start + p.start..range.start + p.end).collect()
}

/// Cuts a text into pieces of at most `most` characters, at blanks where there are any.
pub(super) fn by_length(text: &str, most: usize) -> Vec<Range<usize>> {
    let most = most.max(1);
    let mut pieces = Vec::new();
    let mut start = 0;
    while let Some(rest) = text.get(start..).filter(|r| !r.is_empty()) {
        let full = rest.char_indices().nth(most).map_or(rest.len(), |(at, _)| at);
        let blank =
            rest.get(..full).and_then(|t| t.rfind(char::is_whitespace)).filter(|at| *at > 0 && full < rest.len());
        let end = blank.map_or(full, |at| at + rest.get(at..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8));
        pieces.push(start..start + end);
        start += end;
    }
    pieces
}

/// Windows of `size` characters, each sharing `overlap` with the one before; the last one may be shorter.
fn fixed(text: &str, size: usize, overlap: usize) -> Vec<Range<usize>> {
    let size = size.max(1);
    let step = size.saturating_sub(overlap).max(1);
    let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut windows = Vec::new();
    let mut first = 0;
    while let Some(start) = borders.get(first).filter(|start| **start < text.len()) {
        let end = borders.get(first + size).copied().unwrap_or(text.len());
        windows.push(*start..end);
        if end == text.len() {
            break;
        }
        first += step;
    }
    windows
}

/// Turns byte places into code points without counting from the beginning each time.
struct Points<'t> {
    text: &'t str,
    byte: usize,
    point: u64,
}

impl<'t> Points<'t> {
    fn new(text: &'t str) -> Self {
        Points { text, byte: 0, point: 0 }
    }

    fn at(&mut self, byte: usize) -> u64 {
        let count = |range: Range<usize>| self.text.get(range).map_or(0, |t| t.chars().count() as u64);
        self.point =
            if byte >= self.byte { self.point + count(self.byte..byte) } else { self.point - count(byte..self.byte) };
        self.byte = byte;
        self.point
    }
}

//! The text of passages that come without it, from the suite's corpus.

use crate::suite::corpus::{Corpus, Document};
use crate::target::response::Context;
use crate::text::norm;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// Gives a passage its text where it has none: that between its offsets, else that of its section with its subsections,
/// else the whole document. A passage that names no document may have one as its chunk. Where the corpus has no such place
/// the passage stays without text.
pub(super) fn fill(passage: &mut Context<'_>, corpus: &Corpus) {
    if passage.text.as_ref().is_some_and(|t| !t.trim().is_empty()) {
        return;
    }
    let Some((document, section)) = document(passage, corpus) else { return };
    let text = match (passage.start, passage.end) {
        (Some(start), Some(end)) => between(&document.text, start..end),
        (Some(_) | None, _) if !section.is_empty() => section_text(document, &section),
        (Some(_) | None, _) => Some(document.text.as_str()),
    };
    passage.text = text.map(|t| t.trim().to_owned().into());
}

/// The document of a passage, and the section within it. A chunk id may be the document's, alone or in front of `#` and a
/// heading.
fn document<'c>(passage: &Context<'_>, corpus: &'c Corpus) -> Option<(&'c Document, Vec<String>)> {
    let get = |id: &str| corpus.documents.get(id).or_else(|| corpus.documents.get(&id.nfc().collect::<String>()));
    let section: Vec<String> = passage.section.iter().map(ToString::to_string).collect();
    if let Some(doc) = &passage.doc {
        return get(doc).map(|d| (d, section));
    }
    let chunk = passage.chunk.as_deref()?;
    if let Some(d) = get(chunk) {
        return Some((d, section));
    }
    let (doc, heading) = chunk.split_once('#')?;
    get(doc).map(|d| (d, if section.is_empty() { vec![heading.to_owned()] } else { section }))
}

/// What lies between two places, in code points.
fn between(text: &str, range: Range<u64>) -> Option<&str> {
    let (start, end) = (usize::try_from(range.start).ok()?, usize::try_from(range.end).ok()?);
    let mut places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let from = places.nth(start)?;
    let to = if end > start { places.nth(end - start - 1)? } else { return None };
    text.get(from..to)
}

/// The body of the section with this heading path, or, where none has it, with this path at its end (a single heading
/// names a section wherever it stands), with its subsections.
fn section_text<'d>(document: &'d Document, path: &[String]) -> Option<&'d str> {
    let normal = |h: &String| norm::matching(h).trim().to_owned();
    let wanted: Vec<String> = path.iter().map(normal).collect();
    let paths: Vec<Vec<String>> = document.sections.iter().map(|s| s.path.iter().map(normal).collect()).collect();
    let exact = paths.iter().position(|p| *p == wanted);
    let index = exact.or_else(|| {
        let mut ending = paths.iter().enumerate().filter(|(_, p)| p.ends_with(&wanted));
        let found = ending.next().map(|(i, _)| i);
        // Two sections of one name are neither.
        found.filter(|_| ending.next().is_none())
    })?;
    let own = document.sections.get(index)?;
    let deeper = |s: &&crate::suite::corpus::Section| s.path.len() > own.path.len();
    let end = document.sections.iter().skip(index + 1).take_while(deeper).last().map_or(own.end, |s| s.end);
    document.text.get(own.start..end)
}

//! A corpus: a folder of Markdown or text files, cut into sections by heading path.
//!
//! The corpus answers one question of the checks: *does the evidence stand in it at all?* Evidence that does not is a
//! stale test set, not a retrieval miss. A suite of thousands of questions asks that of the same few
//! documents, so the normal form of a document is made once, when it is first needed, and kept.

mod heading;
mod holding;
mod lines;
mod markdown;
mod normal;

use super::Evidence;
use crate::digest::Hasher;
use crate::problem::{Place, Problem, read_source};
use crate::text::norm;
pub use heading::Heading;
pub use holding::{Holding, corpus_line, holding};
use normal::Normal;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization;

/// The documents of a folder, by id.
#[derive(Debug, Default)]
pub struct Corpus {
    /// By id: the path below the folder, with `/`, in composed form (NFC).
    pub documents: BTreeMap<String, Document>,
}

/// One document.
#[derive(Debug)]
pub struct Document {
    /// The text, line ends LF.
    pub text: String,
    /// Its sections in order; the text in front of the first heading has an empty path. Never empty.
    pub sections: Vec<Section>,
    /// The normal form, made when it is first needed.
    normal: OnceLock<Normal>,
}

/// One section: a heading and the text up to the next heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The headings from the outermost to its own.
    pub path: Vec<String>,
    /// Where its body begins, in bytes of the document.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The line of its heading, from 1.
    pub line: u32,
}

/// Whether evidence stands in the corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Found,
    /// There is no such document.
    NoDocument,
    /// The document has no such section.
    NoSection,
    /// The words do not stand where they should.
    NoSpan,
    /// The evidence names nothing that a corpus knows (a chunk id or an address alone).
    Unknown,
}

/// A text that evidence names: a document, or a section with its subsections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<'c> {
    /// The document.
    pub doc: &'c str,
    /// The line of the document at which the text begins, from 1.
    pub line: u32,
    /// The text, headings included.
    pub text: &'c str,
}

/// A place of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The document.
    pub doc: String,
    /// The headings of the section; empty in front of the first one.
    pub section: Vec<String>,
    /// The line, from 1.
    pub line: u32,
}

/// The file endings of documents, and whether they are Markdown.
const ENDINGS: [(&str, bool); 3] = [("md", true), ("markdown", true), ("txt", false)];

impl Corpus {
    /// Reads every `.md`, `.markdown` and `.txt` file below a folder, except those whose name, or whose folder's name,
    /// begins with a dot. A symbolic link is followed once.
    ///
    /// # Errors
    /// A [`Problem`] when the folder or a file cannot be read, or there is no such file.
    #[allow(clippy::result_large_err, reason = "a problem is made once, on the way out")]
    pub fn load(folder: &Path, shown: &str) -> Result<Corpus, Problem> {
        let mut files = BTreeMap::new();
        walk(folder, "", shown, &mut BTreeSet::new(), &mut files)?;
        let mut documents = BTreeMap::new();
        for (id, (path, markdown)) in files {
            let source = read_source(&path, &format!("{}/{id}", shown.trim_end_matches('/')))?;
            documents.insert(id, Document::new(source.text.clone(), markdown));
        }
        if documents.is_empty() {
            return Err(Problem::error(
                "corpus-empty",
                Place::file(shown),
                "no .md, .markdown or .txt file in this folder",
            )
            .help("let `corpus` name the folder of the documents that the target answers from"));
        }
        Ok(Corpus { documents })
    }

    /// A corpus of texts given by id; the ending of the id says whether a text is Markdown.
    pub fn from_texts(texts: impl IntoIterator<Item = (String, String)>) -> Corpus {
        let documents = texts.into_iter().map(|(id, text)| {
            let markdown = document_kind(&id).unwrap_or(false);
            (id, Document::new(text, markdown))
        });
        Corpus { documents: documents.collect() }
    }

    /// Every section that holds text of its own, in matching form.
    pub fn normal_sections(&self) -> Vec<String> {
        let of = |d: &Document| -> Vec<String> {
            let bodies = d.sections.iter().filter_map(|s| d.text.get(s.start..s.end));
            bodies.map(norm::matching).filter(|b| !b.trim().is_empty()).collect()
        };
        self.documents.values().flat_map(of).collect()
    }

    /// Looks for one place, by document, section and normalised words. Words are searched in the named section with its
    /// subsections, in the whole document when no section is named, and in all documents when none is named.
    pub fn standing(&self, evidence: &Evidence) -> Standing {
        if evidence.doc.is_none() && evidence.section.is_empty() && evidence.span.is_none() {
            return Standing::Unknown;
        }
        let wanted = Wanted::new(evidence);
        let mut worst = Standing::NoDocument;
        for (_, document) in self.named(evidence.doc.as_deref()) {
            match wanted.standing(document) {
                (Standing::Found, _) => return Standing::Found,
                (Standing::NoSpan, _) => worst = Standing::NoSpan,
                (Standing::NoSection, _) if worst == Standing::NoDocument => worst = Standing::NoSection,
                (Standing::NoSection | Standing::NoDocument | Standing::Unknown, _) => {}
            }
        }
        worst
    }

    /// The document and the line (from 1) where one place begins, for messages: the line of the words, else of the
    /// section's heading, else 1. Nothing when the evidence does not stand in the corpus.
    pub fn locate(&self, evidence: &Evidence) -> Option<(&str, u32)> {
        if evidence.doc.is_none() && evidence.section.is_empty() && evidence.span.is_none() {
            return None;
        }
        let wanted = Wanted::new(evidence);
        self.named(evidence.doc.as_deref()).find_map(|(id, document)| match wanted.standing(document) {
            (Standing::Found, line) => Some((id, line)),
            (Standing::NoDocument | Standing::NoSection | Standing::NoSpan | Standing::Unknown, _) => None,
        })
    }

    /// Every section, without its subsections, in which the words of evidence stand where they may; empty for evidence
    /// without words. More than one, and a passage of each of them counts as the evidence.
    pub fn spots(&self, evidence: &Evidence) -> Vec<Spot> {
        let wanted = Wanted::new(evidence);
        let Some(span) = &wanted.span else { return Vec::new() };
        let mut out = Vec::new();
        for (id, document) in self.named(evidence.doc.as_deref()) {
            let meant = wanted.lines(document);
            for (index, section) in document.sections.iter().enumerate() {
                let first = (section.line as usize).saturating_sub(1);
                let next = document.sections.get(index + 1).map_or(usize::MAX, |s| (s.line as usize).saturating_sub(1));
                if !meant.iter().any(|lines| lines.contains(&first)) {
                    continue;
                }
                if let (Standing::Found, line) = found_in(document, first..next, span) {
                    out.push(Spot { doc: id.to_owned(), section: section.path.clone(), line });
                }
            }
        }
        out
    }

    /// What evidence names, without regard to its words: the sections with their subsections, or whole documents where no section
    /// is named. Empty where the corpus has none of it, and for evidence that names neither a document nor a section.
    pub fn named_texts(&self, evidence: &Evidence) -> Vec<Named<'_>> {
        if evidence.doc.is_none() && evidence.section.is_empty() {
            return Vec::new();
        }
        let wanted = Wanted::new(evidence);
        let mut out = Vec::new();
        for (doc, document) in self.named(evidence.doc.as_deref()) {
            for lines in wanted.lines(document) {
                let (line, bytes) = document.bytes_of(&lines);
                out.extend(document.text.get(bytes).map(|text| Named { doc, line, text }));
            }
        }
        out
    }

    /// A digest of the documents' ids and texts: part of the subject's identity. It does not depend on where the
    /// folder is, on byte-order marks or on CRLF.
    pub fn digest(&self) -> String {
        let mut hash = Hasher::default();
        for (id, document) in &self.documents {
            hash.field(id);
            hash.field(&document.text);
        }
        hash.short()
    }

    /// Whether there is a document of that id.
    pub fn has(&self, doc: &str) -> bool {
        self.named(Some(doc)).next().is_some()
    }

    /// The documents where evidence may stand: the named one, or all.
    fn named<'c>(&'c self, doc: Option<&str>) -> Box<dyn Iterator<Item = (&'c str, &'c Document)> + 'c> {
        match doc {
            None => Box::new(self.documents.iter().map(|(id, d)| (id.as_str(), d))),
            Some(doc) => {
                let exact = self.documents.get_key_value(doc);
                let found = exact.or_else(|| self.documents.get_key_value(doc.nfc().collect::<String>().as_str()));
                Box::new(found.map(|(id, d)| (id.as_str(), d)).into_iter())
            }
        }
    }
}

impl Document {
    /// Cuts a text into sections. Only Markdown has headings.
    pub fn new(text: String, markdown: bool) -> Document {
        let end = text.len();
        let sections = if markdown {
            markdown::sections(&text)
        } else {
            vec![Section { path: Vec::new(), start: 0, end, line: 1 }]
        };
        Document { text, sections, normal: OnceLock::new() }
    }

    /// The text of a section, without its heading and without its subsections.
    pub fn body(&self, section: &Section) -> &str {
        self.text.get(section.start..section.end).unwrap_or_default()
    }

    /// The normal form, made once.
    fn normal(&self) -> &Normal {
        self.normal.get_or_init(|| Normal::new(&self.text, &self.sections))
    }

    /// The bytes of some lines (from 0), and the number of the first one (from 1).
    fn bytes_of(&self, lines: &Range<usize>) -> (u32, Range<usize>) {
        let begins = |n: usize| match n {
            0 => 0,
            _ => self.text.match_indices('\n').nth(n - 1).map_or(self.text.len(), |(at, _)| at + 1),
        };
        let end = if lines.end == usize::MAX { self.text.len() } else { begins(lines.end) };
        (u32::try_from(lines.start + 1).unwrap_or(u32::MAX), begins(lines.start)..end)
    }

    /// The lines (from 0) of a section with its subsections, heading included.
    fn lines_with_subsections(&self, index: usize) -> Range<usize> {
        let line = |s: &Section| (s.line as usize).saturating_sub(1);
        let Some(own) = self.sections.get(index) else { return 0..0 };
        let after = self.sections.iter().skip(index + 1).find(|s| s.path.len() <= own.path.len());
        line(own)..after.map_or(usize::MAX, line)
    }
}

/// What is searched for: evidence with its normal forms.
struct Wanted<'e> {
    section: Vec<String>,
    span: Option<(&'e str, String)>,
}

impl<'e> Wanted<'e> {
    fn new(evidence: &'e Evidence) -> Self {
        Wanted {
            section: evidence.section.iter().map(|h| norm::matching(h).trim().to_owned()).collect(),
            span: evidence.span.as_deref().map(|s| (s, norm::matching(s).trim().to_owned())),
        }
    }

    /// The sections that are meant, by their index.
    fn sections(&self, document: &Document) -> Vec<usize> {
        // Every prefix of a heading path is the path of a section itself, so the section with the very path, taken with
        // its subsections, holds all that the prefix matches. A path that only one section ends with means that one.
        let headings = &document.normal().headings;
        let ends: BTreeSet<&Vec<String>> = headings.iter().filter(|path| path.ends_with(&self.section)).collect();
        let meant = ends.get(&self.section).or_else(|| ends.first().filter(|_| ends.len() == 1));
        let same = headings.iter().enumerate().filter(|(_, path)| meant.is_some_and(|m| m == path));
        same.map(|(index, _)| index).collect()
    }

    /// The lines (from 0) of the sections that are meant, with their subsections; the whole document where none is named.
    fn lines(&self, document: &Document) -> Vec<Range<usize>> {
        if self.section.is_empty() {
            return std::iter::once(0..usize::MAX).collect();
        }
        self.sections(document).into_iter().map(|index| document.lines_with_subsections(index)).collect()
    }

    /// Whether it stands in one document, and in which line (from 1).
    fn standing(&self, document: &Document) -> (Standing, u32) {
        if self.section.is_empty() {
            return match &self.span {
                None => (Standing::Found, 1),
                Some(span) => found_in(document, 0..usize::MAX, span),
            };
        }
        let mut worst = (Standing::NoSection, 0);
        for index in self.sections(document) {
            let here = match &self.span {
                None => (Standing::Found, document.sections.get(index).map_or(1, |s| s.line)),
                Some(span) => found_in(document, document.lines_with_subsections(index), span),
            };
            if here.0 == Standing::Found {
                return here;
            }
            worst = here;
        }
        worst
    }
}

/// Searches words in some lines of a document: in normal form, and, where that is empty (`%`) or fails, as written.
fn found_in(document: &Document, lines: Range<usize>, (span, normal_span): &(&str, String)) -> (Standing, u32) {
    let line = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
    let normal = document.normal();
    if let Some(at) = normal.find(normal_span, &lines) {
        return (Standing::Found, line(at));
    }
    match normal::find_as_written(&document.text, span, &lines) {
        Some(at) => (Standing::Found, line(at)),
        None => (Standing::NoSpan, 0),
    }
}

/// Collects the documents below a folder: id to file and whether it is Markdown.
#[allow(clippy::result_large_err, reason = "a problem is made once, on the way out")]
fn walk(
    folder: &Path,
    prefix: &str,
    shown: &str,
    seen: &mut BTreeSet<PathBuf>,
    files: &mut BTreeMap<String, (PathBuf, bool)>,
) -> Result<(), Problem> {
    let unreadable = |e: std::io::Error| {
        let place = format!("{shown}{}{prefix}", if prefix.is_empty() { "" } else { "/" });
        Problem::error(
            "corpus-unreadable",
            Place::file(place.trim_end_matches('/')),
            format!("cannot read this folder: {e}"),
        )
        .help("let `corpus` name the folder of the documents, relative to the suite's file")
    };
    if !seen.insert(folder.canonicalize().map_err(unreadable)?) {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name: String = path.file_name().unwrap_or_default().to_string_lossy().nfc().collect();
        if name.starts_with('.') {
            continue;
        }
        let id = format!("{prefix}{name}");
        if path.is_dir() {
            walk(&path, &format!("{id}/"), shown, seen, files)?;
        } else if let Some(markdown) = document_kind(&name).filter(|_| path.is_file()) {
            files.insert(id, (path, markdown));
        }
    }
    Ok(())
}

/// Whether a file of that name is Markdown; nothing when it is no document.
fn document_kind(name: &str) -> Option<bool> {
    let (stem, ending) = name.rsplit_once('.')?;
    let kind = ENDINGS.iter().find(|(e, _)| e.eq_ignore_ascii_case(ending));
    kind.filter(|_| !stem.is_empty()).map(|(_, markdown)| *markdown)
}

#[cfg(test)]
mod tests;

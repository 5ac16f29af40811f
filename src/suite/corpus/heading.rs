//! A section by a part of its heading path: some services name only the last heading of a passage, or the path without the
//! title, and suites are written in either way. Where just one heading path ends with that part, both are one section.

use super::{Corpus, Evidence};
use crate::text::norm;
use std::collections::BTreeSet;

/// A section of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Heading<'c> {
    /// The document's id.
    pub doc: &'c str,
    /// The whole heading path, outermost first, in matching form.
    pub path: &'c [String],
}

impl Heading<'_> {
    /// Whether another section is this one or stands below it.
    pub fn holds(&self, other: &Heading<'_>) -> bool {
        self.doc == other.doc && other.path.starts_with(self.path)
    }
}

impl Corpus {
    /// The one section whose heading path ends with `part` (outermost first, in matching form): of a document, or of the
    /// whole corpus where none is named. Nothing where no path ends so, or more than one.
    pub fn section_ending(&self, doc: Option<&str>, part: &[String]) -> Option<Heading<'_>> {
        let mut found = self.ending(doc, part).into_iter();
        found.next().filter(|_| found.next().is_none())
    }

    /// The section that evidence means: the one with the very path, since a path is written from the outermost heading on,
    /// else the only one that ends with it.
    pub fn section_meant(&self, doc: Option<&str>, path: &[String]) -> Option<Heading<'_>> {
        let found = self.ending(doc, path);
        let exact = found.iter().find(|h| h.path == path && (doc.is_some() || found.len() == 1));
        exact.or_else(|| found.first().filter(|_| found.len() == 1)).copied()
    }

    /// The heading paths (`A › B`, as written, sorted) of every section that ends with the path that evidence names.
    pub fn sections_ending(&self, evidence: &Evidence) -> Vec<String> {
        let part: Vec<String> = evidence.section.iter().map(|h| norm::matching(h).trim().to_owned()).collect();
        let mut out = BTreeSet::new();
        for (_, document) in self.named(evidence.doc.as_deref()).filter(|_| !part.is_empty()) {
            let paths = document.sections.iter().zip(&document.normal().headings);
            out.extend(paths.filter(|(_, path)| path.ends_with(&part)).map(|(s, _)| s.path.join(" › ")));
        }
        out.into_iter().collect()
    }

    /// Every section whose heading path ends with `part`; those of the same path are one.
    fn ending(&self, doc: Option<&str>, part: &[String]) -> BTreeSet<Heading<'_>> {
        if part.is_empty() {
            return BTreeSet::new();
        }
        self.named(doc)
            .flat_map(|(doc, document)| document.normal().headings.iter().map(move |path| Heading { doc, path }))
            .filter(|h| h.path.ends_with(part))
            .collect()
    }
}

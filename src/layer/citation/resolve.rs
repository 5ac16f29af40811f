//! From what is cited to the passages that were in the prompt.

use super::{Marker, MarkerTarget};
use crate::layer::address::{fragment, same_url, slug};
use crate::target::response::{Citation, Context};
use crate::text::norm::{composed, find_phrase, matching};
use aho_corasick::AhoCorasick;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Where a citation leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lead {
    /// To these passages, by index.
    To(Vec<usize>),
    /// Nowhere.
    Dangling(String),
    /// It is an address that a passage itself gives, so it cites nothing.
    Content,
}

/// The passages in the prompt, by index.
pub(super) struct Prompt<'c, 'r> {
    contexts: &'c [Context<'r>],
    sent: Vec<usize>,
    /// The number that stands for the first of them.
    first: usize,
    /// The texts in matching form, each made when a quotation is first looked for in it.
    normal: Vec<OnceCell<String>>,
}

impl<'c, 'r> Prompt<'c, 'r> {
    /// `first` is the number by which markers name the first passage: 1, or 0 where the suite says so.
    pub(super) fn new(contexts: &'c [Context<'r>], first: usize) -> Self {
        Prompt::of(contexts, first, true)
    }

    fn of(contexts: &'c [Context<'r>], first: usize, in_prompt: bool) -> Self {
        let those = contexts.iter().enumerate().filter(|(_, c)| c.in_prompt() == in_prompt);
        let normal = contexts.iter().map(|_| OnceCell::new()).collect();
        Prompt { contexts, sent: those.map(|(i, _)| i).collect(), first, normal }
    }

    /// The passages, by index.
    pub(super) fn indices(&self) -> &[usize] {
        &self.sent
    }

    /// The text of a passage in matching form, if it came with text.
    pub(super) fn normal(&self, index: usize) -> Option<&str> {
        let text = self.contexts.get(index)?.text.as_deref()?;
        self.normal.get(index).map(|cell| cell.get_or_init(|| matching(text)).as_str())
    }

    /// Where each marker of an answer leads, in order. One that is written again leads to the same place.
    pub(super) fn markers(&self, markers: &[Marker]) -> Vec<Lead> {
        let mut known: HashMap<&MarkerTarget, Lead> = HashMap::new();
        for m in markers {
            if !known.contains_key(&m.to) {
                known.insert(&m.to, self.marker(&m.to));
            }
        }
        self.content(&mut known);
        markers.iter().map(|m| known.get(&m.to).cloned().unwrap_or_else(|| self.marker(&m.to))).collect()
    }

    /// Addresses that lead nowhere and that a passage itself gives are content. All are looked for at once: a long answer may
    /// hold as many as its passages have words.
    fn content(&self, known: &mut HashMap<&MarkerTarget, Lead>) {
        let open: Vec<&MarkerTarget> = known
            .iter()
            .filter(|(to, lead)| matches!(to, MarkerTarget::Url(_)) && matches!(lead, Lead::Dangling(_)))
            .map(|(to, _)| *to)
            .collect();
        if open.is_empty() {
            return;
        }
        let urls = open.iter().map(|to| match to {
            MarkerTarget::Url(url) => url.as_str(),
            MarkerTarget::Number(_) | MarkerTarget::Index(_) | MarkerTarget::Doc { .. } => "",
        });
        let Ok(search) = AhoCorasick::new(urls) else { return };
        for text in self.sent.iter().filter_map(|i| self.contexts.get(*i)).filter_map(|c| c.text.as_deref()) {
            for found in search.find_overlapping_iter(text) {
                if let Some(to) = open.get(found.pattern().as_usize()) {
                    known.insert(to, Lead::Content);
                }
            }
        }
    }

    /// The passages that were returned and not put into the prompt, in the same way: where a citation would have led.
    pub(super) fn left_out(contexts: &'c [Context<'r>]) -> Self {
        Prompt::of(contexts, 1, false)
    }

    /// How many passages there are.
    pub(super) fn len(&self) -> usize {
        self.sent.len()
    }

    fn those(&self, mut wanted: impl FnMut(&Context<'r>) -> bool) -> Vec<usize> {
        self.sent.iter().copied().filter(|i| self.contexts.get(*i).is_some_and(&mut wanted)).collect()
    }

    /// Where a marker of the text leads. A number counts the passages as the model saw them: those in the prompt.
    pub(super) fn marker(&self, target: &MarkerTarget) -> Lead {
        let number = |i: Option<usize>, shown: String| match i.and_then(|i| self.sent.get(i)) {
            Some(index) => Lead::To(vec![*index]),
            None => Lead::Dangling(shown),
        };
        match target {
            MarkerTarget::Number(n) => number(n.checked_sub(self.first), n.to_string()),
            MarkerTarget::Index(i) => number(Some(*i), format!("{i} (from 0)")),
            MarkerTarget::Doc { doc, heading } => {
                let path: Vec<&str> = heading.iter().map(String::as_str).collect();
                let shown = heading.as_ref().map_or(doc.clone(), |h| format!("{doc}#{h}"));
                lead(self.document(doc, &path), shown)
            }
            MarkerTarget::Url(url) => {
                let found = self.those(|c| {
                    c.url.as_deref().is_some_and(|u| same_url(u, url))
                        || c.doc.as_deref().is_some_and(|d| same_url(d, url))
                });
                // `https://shop.example/faq#fees`: of several passages of the page, those of that heading.
                let heading = fragment(url);
                let below: Vec<usize> = match heading {
                    Some(part) => found
                        .iter()
                        .copied()
                        .filter(|i| self.contexts.get(*i).is_some_and(|c| bears(c, part)))
                        .collect(),
                    None => Vec::new(),
                };
                lead(if below.is_empty() { found } else { below }, url.clone())
            }
        }
    }

    /// Where a citation of the response's field leads. Its number counts the passages of the response.
    pub(super) fn field(&self, c: &Citation<'_>) -> Lead {
        let shown = shown(c);
        let mut found = match c.context {
            Some(n) => {
                let index = usize::try_from(n).ok().and_then(|n| n.checked_sub(1));
                index.filter(|i| self.sent.contains(i)).into_iter().collect()
            }
            None => self.sent.clone(),
        };
        let mut keep = |those: Vec<usize>| found.retain(|i| those.contains(i));
        if let Some(chunk) = &c.chunk {
            keep(self.those(|p| p.chunk.as_ref() == Some(chunk)));
        }
        if let Some(doc) = &c.doc {
            let path: Vec<&str> = c.section.iter().map(AsRef::as_ref).collect();
            keep(self.document(doc, &path));
        }
        if let Some(url) = &c.url {
            keep(self.those(|p| p.url.as_deref().is_some_and(|u| same_url(u, url))));
        }
        if let Some(quote) = &c.quote {
            let quote = matching(quote);
            // A quote is told apart only where the passages came with their text.
            found.retain(|i| self.normal(*i).is_none_or(|t| find_phrase(t, &quote).is_some()));
        }
        let names_nothing =
            c.context.is_none() && c.chunk.is_none() && c.doc.is_none() && c.url.is_none() && c.quote.is_none();
        lead(if names_nothing { Vec::new() } else { found }, shown)
    }

    /// The passages of a document, below a heading where one is given. Passages that do not say where they stand in the
    /// document are taken as they are.
    fn document(&self, doc: &str, path: &[&str]) -> Vec<usize> {
        let of_doc = self.those(|c| {
            c.doc.as_deref().is_some_and(|d| same_document(d, doc))
                || c.doc.is_none() && c.url.as_deref().is_some_and(|u| same_document(u, doc))
        });
        if path.is_empty() && !of_doc.is_empty() {
            return of_doc;
        }
        // `(Nguồn: Chính sách đổi trả)` names a heading rather than a file.
        if of_doc.is_empty() {
            return if path.is_empty() { self.those(|c| under(c, &[doc])) } else { Vec::new() };
        }
        if of_doc.iter().filter_map(|i| self.contexts.get(*i)).all(|c| c.section.is_empty()) {
            return of_doc;
        }
        of_doc.into_iter().filter(|i| self.contexts.get(*i).is_some_and(|c| under(c, path))).collect()
    }
}

fn lead(found: Vec<usize>, shown: String) -> Lead {
    if found.is_empty() { Lead::Dangling(shown) } else { Lead::To(found) }
}

/// A citation of the field as a person would write it.
fn shown(c: &Citation<'_>) -> String {
    let mut parts = Vec::new();
    if let Some(n) = c.context {
        parts.push(n.to_string());
    }
    if let Some(doc) = &c.doc {
        let path: Vec<&str> = c.section.iter().map(AsRef::as_ref).collect();
        parts.push(if path.is_empty() { doc.to_string() } else { format!("{doc}#{}", path.join("/")) });
    }
    parts.extend([&c.chunk, &c.url].into_iter().flatten().map(ToString::to_string));
    if let Some(quote) = &c.quote {
        parts.push(format!("“{quote}”"));
    }
    if parts.is_empty() { "a citation that names nothing".to_owned() } else { parts.join(", ") }
}

/// Whether a passage stands under a heading path: its own path begins with it, or one heading of it is meant.
fn under(c: &Context<'_>, path: &[&str]) -> bool {
    let own: Vec<String> = c.section.iter().map(|s| matching(s)).collect();
    let wanted: Vec<String> = path.iter().map(|s| matching(s)).collect();
    let prefix = own.len() >= wanted.len() && own.iter().zip(&wanted).all(|(a, b)| a == b);
    let single = match wanted.as_slice() {
        [one] => own.iter().any(|h| h == one || slug(h) == slug(one)) || own.join(" ") == *one,
        _ => false,
    };
    !wanted.is_empty() && (prefix || single)
}

/// Whether two names are of one document: equal, or one is the end of the other's path, with or without the ending.
fn same_document(a: &str, b: &str) -> bool {
    // A name of small letters and digits alone has no other form.
    let plain = |s: &str| s.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'));
    if plain(a) && plain(b) {
        return a == b && !a.is_empty();
    }
    // File systems give names in either form.
    let clean = |s: &str| composed(s).trim().trim_start_matches("./").replace('\\', "/").to_lowercase();
    let (a, b) = (clean(a), clean(b));
    let tail = |long: &str, short: &str| {
        !short.is_empty() && long.strip_suffix(short).is_some_and(|head| head.is_empty() || head.ends_with('/'))
    };
    let stem = |s: &str| match s.rsplit_once('.') {
        Some((stem, ending)) if ending.len() <= 8 && !ending.contains('/') && !stem.is_empty() => stem.to_owned(),
        _ => s.to_owned(),
    };
    tail(&a, &b) || tail(&b, &a) || tail(&stem(&a), &b) || tail(&stem(&b), &a)
}

/// Whether the piece of an address behind `#` is that of a passage: of its own address, or of a heading that it stands under.
fn bears(c: &Context<'_>, part: &str) -> bool {
    let own = c.url.as_deref().and_then(fragment).is_some_and(|own| slug(own) == slug(part));
    own || c.section.iter().any(|h| slug(h) == slug(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_documents() {
        for (a, b) in [
            ("a.md", "a.md"),
            ("a-1", "a-1"),
            ("guide/a.md", "a.md"),
            ("a.md", "a"),
            ("./docs/a.md", "A.MD"),
            ("x\\a.md", "a"),
        ] {
            assert!(same_document(a, b), "{a} {b}");
        }
        for (a, b) in [("ba.md", "a.md"), ("a-1", "a-2"), ("", ""), ("a.md", "b.md"), ("a.md", ""), ("a.md", "md")] {
            assert!(!same_document(a, b), "{a} {b}");
        }
    }
}

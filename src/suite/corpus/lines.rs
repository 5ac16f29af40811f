//! A corpus in JSON lines: a document or a piece of one a line, as many stores export it.

use super::Corpus;
use crate::problem::{Place, Problem, Problems, read_source};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Keys that name the document, the text and the headings, the first that is there counts.
const DOC: [&str; 6] = ["doc", "document", "source", "file", "id", "url"];
const TEXT: [&str; 4] = ["text", "content", "page_content", "body"];
const SECTION: [&str; 3] = ["section", "headings", "heading"];

impl Corpus {
    /// Reads a corpus in JSON lines: `{"doc","text","section"?}`. Pieces of one document follow each other in the order of the
    /// lines; `section` is a heading or a list of headings, outermost first. Blank lines are passed over.
    ///
    /// # Errors
    /// Each line that is no such object; a file that cannot be read or holds none.
    pub fn load_lines(file: &Path, shown: &str) -> Result<Corpus, Problems> {
        let source = read_source(file, shown)?;
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        let mut problems = Problems::default();
        for (at, line) in source.text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            match piece(line) {
                Ok((doc, piece)) => {
                    let text = texts.entry(doc).or_default();
                    if !text.is_empty() {
                        text.push_str("\n\n");
                    }
                    text.push_str(&piece);
                }
                Err(why) => {
                    let place = Place { line: u32::try_from(at + 1).unwrap_or(u32::MAX), ..Place::file(shown) };
                    problems.0.push(
                        Problem::error("corpus-line", place, why).help(
                            "write {\"doc\": \"fees.md\", \"text\": \"…\", \"section\": [\"Fees\"]} on each line",
                        ),
                    );
                }
            }
        }
        if problems.any_error() {
            return Err(problems);
        }
        if texts.is_empty() {
            let title = "no document in this file";
            return Err(Problem::error("corpus-empty", Place::file(shown), title).into());
        }
        Ok(Corpus::from_pieces(texts))
    }

    /// Texts whose headings are those of Markdown, whatever their names end with.
    fn from_pieces(texts: BTreeMap<String, String>) -> Corpus {
        let documents = texts.into_iter().map(|(id, text)| (id, super::Document::new(text, true)));
        Corpus { documents: documents.collect() }
    }
}

/// The document of a line and its text, with its headings in front.
fn piece(line: &str) -> Result<(String, String), String> {
    let object: Value = serde_json::from_str(line).map_err(|e| format!("no JSON object: {e}"))?;
    let first = |keys: &[&str]| keys.iter().find_map(|k| object.get(*k).filter(|v| !v.is_null()));
    let text = |keys: &[&str]| match first(keys) {
        Some(Value::String(s)) => Ok(s.clone()),
        Some(Value::Number(n)) => Ok(n.to_string()),
        Some(_) => Err(format!("`{}` is no text", keys.join("` or `"))),
        None => Err(format!("has none of `{}`", keys.join("`, `"))),
    };
    let (doc, body) = (text(&DOC)?, text(&TEXT)?);
    let headings: Vec<String> = match first(&SECTION) {
        None => Vec::new(),
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(list)) => list
            .iter()
            .map(|h| h.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or("`section` holds something that is no text")?,
        Some(_) => return Err("`section` is neither a text nor a list of texts".to_owned()),
    };
    let mut out = String::new();
    for (depth, heading) in headings.iter().take(6).enumerate() {
        let heading = heading.split_whitespace().collect::<Vec<_>>().join(" ");
        out.push_str(&format!("{} {heading}\n\n", "#".repeat(depth + 1)));
    }
    out.push_str(&body);
    Ok((doc, out))
}

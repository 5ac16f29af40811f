//! The suite of a sheet as a person would write it, with the line that lets `--update` read the same columns again.

use super::columns::Named;
use super::rows::Item;
use crate::suite::write::{inline, scalar};
use crate::text::pack::Lang;
use serde::{Deserialize, Serialize};

/// What stands in front of the columns in the line of the suite that keeps them.
const MARK: &str = "# ragline-import: ";

/// How a sheet was read, as the suite keeps it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    /// The sheet's name, where the file has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sheet: Option<String>,
    /// The header's row, where it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) header: Option<usize>,
    /// The letters of a CSV file, where they were told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) encoding: Option<String>,
    /// The columns.
    pub(super) columns: Named,
}

impl Kept {
    /// What a suite keeps; nothing when it was not imported from a sheet. An error says what is wrong with the line.
    pub(super) fn read(suite: &str) -> Result<Option<Kept>, (usize, String)> {
        let found = suite.lines().enumerate().find_map(|(at, line)| Some((at + 1, line.strip_prefix(MARK)?)));
        let Some((line, json)) = found else { return Ok(None) };
        serde_json::from_str(json).map(Some).map_err(|e| (line, e.to_string()))
    }

    /// Where the line stands in a suite, without its end.
    pub(super) fn place(suite: &str) -> Option<std::ops::Range<usize>> {
        let start = if suite.starts_with(MARK) { 0 } else { suite.find(&format!("\n{MARK}"))? + 1 };
        let length = suite.get(start..)?.find('\n').unwrap_or(suite.len() - start);
        Some(start..start + length)
    }

    /// The line.
    pub(super) fn line(&self) -> String {
        format!("{MARK}{}\n", serde_json::to_string(self).unwrap_or_default())
    }
}

/// The head of a suite, down to `questions:`; `corpus` is the whole line.
pub(super) fn head(file: &str, kept: &Kept, language: &Lang, target: Option<&str>, corpus: Option<&str>) -> String {
    let mut text = format!(
        "# Imported from {} by `ragline import`. `--update` reads the columns in the next line again.\n{}version: 1\nlanguage: {}\n",
        one_line(file),
        kept.line(),
        language.as_str()
    );
    if let Some(target) = target {
        text.push_str(&format!("target: {}\n", inline(target)));
    }
    if let Some(corpus) = corpus {
        text.push_str(&format!("{corpus}\n"));
    }
    text.push_str("questions:\n");
    text
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A question, as an item of the list that stands `indent` columns in.
pub(super) fn question(item: &Item, indent: usize) -> String {
    let pad = " ".repeat(indent);
    let inner = indent + 2;
    let id = item.id.as_deref().unwrap_or_default();
    // An id of digits is one without quotes too.
    let id = if id.bytes().all(|b| b.is_ascii_digit()) { id.to_owned() } else { inline(id) };
    let mut text = format!("{pad}- id: {id}\n");
    let mut put = |key: &str, value: &str| text.push_str(&format!("{pad}  {key}: {value}\n"));
    put("question", &scalar(&item.question, inner + 2));
    let lists = [("facts", &item.facts), ("must_not", &item.must_not)];
    for (key, values) in lists.into_iter().filter(|(_, values)| !values.is_empty()) {
        put(key, &list(values, inner));
    }
    if !item.docs.is_empty() || item.span.is_some() {
        put("evidence", &evidence(item, inner));
    }
    if let Some(reference) = &item.reference {
        put("reference", &scalar(reference, inner + 2));
    }
    if !item.tags.is_empty() {
        let tags: Vec<String> = item.tags.iter().map(|t| inline(t)).collect();
        put("tags", &format!("[{}]", tags.join(", ")));
    }
    text.replace(": \n", ":\n")
}

/// A list whose items stand on lines of their own.
fn list(values: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent + 2);
    values.iter().map(|v| format!("\n{pad}- {}", scalar(v, indent + 6))).collect()
}

fn evidence(item: &Item, indent: usize) -> String {
    let pad = " ".repeat(indent + 2);
    let span = item.span.as_deref().map(|s| scalar(s, indent + 8));
    if item.docs.is_empty() {
        return span.map(|s| format!("\n{pad}- span: {s}")).unwrap_or_default();
    }
    let doc = |doc: &String| {
        let more = span.as_deref().map(|s| format!("\n{pad}  span: {s}")).unwrap_or_default();
        format!("\n{pad}- doc: {}{more}", scalar(doc, indent + 8))
    };
    item.docs.iter().map(doc).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::sheet::columns::Role;

    #[test]
    fn the_kept_line_reads_back() {
        let kept = Kept {
            sheet: Some("Câu hỏi".into()),
            columns: Named::from([(Role::Question, "Hỏi \"gì\"".into()), (Role::MustNot, "C".into())]),
            ..Kept::default()
        };
        let text = head("a.xlsx", &kept, &Lang::new("vi").unwrap(), Some("shop"), Some("corpus: ../docs"));
        assert_eq!(Kept::read(&text), Ok(Some(kept)));
        assert_eq!(Kept::read("version: 1\n"), Ok(None));
        assert_eq!(Kept::read("# x\n# ragline-import: {}\n").unwrap_err().0, 2);
    }
}

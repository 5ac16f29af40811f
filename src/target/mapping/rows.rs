//! Passages that come side by side: lists of texts, of documents and of scores that belong together by their place, as Open
//! WebUI (`document`, `metadata`, `distances` of a source) and LightRAG (`content` of a reference) return them.

use super::field::{self, is_single};
use crate::suite::config::live::{Field, Parts};
use crate::target::response::Context;
use serde_json::Value;
use serde_json_path::JsonPath;
use std::borrow::Cow;

/// The passages in one node, where the path of the text selects several texts: each is one. A part that selects as many
/// goes along by its place, nulls counted; one of which there is only one stands for all; any other is left out, since
/// nothing says which is whose.
pub(super) fn rows(parts: &Parts, node: &Value) -> Option<Vec<Context<'static>>> {
    let texts = column(&parts.text, node, None)?;
    let count = texts.len();
    if count < 2 {
        return None;
    }
    let cells = |f: &Field| column(f, node, Some(count)).unwrap_or_default();
    let (docs, chunks, urls) = (cells(&parts.doc), cells(&parts.chunk), cells(&parts.url));
    let (scores, starts, ends, prompts) =
        (cells(&parts.score), cells(&parts.start), cells(&parts.end), cells(&parts.in_prompt));
    let section = parts.section.items(node).unwrap_or_default();
    let section: Vec<Cow<'static, str>> =
        section.into_iter().filter_map(field::text).map(|t| parts.section.shape(t).into()).collect();
    let row = |(i, text): (usize, &&Value)| {
        // A list of one stands for all.
        let at = |cells: &[&'_ Value]| cells.get(if cells.len() == 1 { 0 } else { i }).map(|v| Value::clone(v));
        let name = |f: &Field, cells: &[&Value]| at(cells).as_ref().and_then(field::text).map(|t| f.shape(t).into());
        Context {
            doc: name(&parts.doc, &docs),
            section: section.clone(),
            chunk: name(&parts.chunk, &chunks),
            url: name(&parts.url, &urls),
            text: field::text(text).map(|t| parts.text.shape(t).into()),
            score: at(&scores).as_ref().and_then(field::number),
            start: at(&starts).as_ref().and_then(field::whole),
            end: at(&ends).as_ref().and_then(field::whole),
            in_prompt: at(&prompts).as_ref().and_then(field::flag),
        }
    };
    // A place without a text is no passage.
    Some(texts.iter().enumerate().filter(|(_, text)| field::text(text).is_some()).map(row).collect())
}

/// The nodes of the first path that selects anything but null; with a number of rows, of the first that selects so many, or
/// that can only select one.
fn column<'v>(field: &Field, node: &'v Value, rows: Option<usize>) -> Option<Vec<&'v Value>> {
    let fits = |path: &JsonPath, n: usize| rows.is_none_or(|rows| n == rows || (n == 1 && is_single(path)));
    field.paths.iter().find_map(|path| {
        let nodes = path.query(node).all();
        (nodes.iter().any(|n| !n.is_null()) && fits(path, nodes.len())).then_some(nodes)
    })
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::suite::config::live::{Field, Parts};
    use serde_json::{Value, json};
    use serde_json_path::JsonPath;

    fn field(paths: &[&str]) -> Field {
        Field { paths: paths.iter().map(|p| JsonPath::parse(p).unwrap()).collect(), ..Field::default() }
    }

    fn parts() -> Parts {
        Parts {
            doc: field(&["$.meta[*].name", "$.meta[*].source", "$.file"]),
            text: field(&["$.texts[*]"]),
            score: field(&["$.scores[*]"]),
            ..Parts::default()
        }
    }

    type Row = (Option<String>, Option<String>, Option<f64>);

    fn read(node: &Value) -> Option<Vec<Row>> {
        let own = |t: Option<std::borrow::Cow<'static, str>>| t.map(std::borrow::Cow::into_owned);
        rows(&parts(), node).map(|all| all.into_iter().map(|c| (own(c.doc), own(c.text), c.score)).collect())
    }

    #[test]
    fn parts_go_along_by_their_place() {
        let some = |t: &str| Some(t.to_owned());
        let node =
            json!({ "texts": ["a", "b"], "meta": [{ "name": "1.md" }, { "name": "2.md" }], "scores": [0.5, 0.25] });
        assert_eq!(read(&node).unwrap(), [(some("1.md"), some("a"), Some(0.5)), (some("2.md"), some("b"), Some(0.25))]);
        // One file for all texts; a null in the middle keeps its place.
        let node = json!({ "texts": ["a", null, "c"], "file": "x.md", "scores": [0.5, 0.25, null] });
        assert_eq!(read(&node).unwrap(), [(some("x.md"), some("a"), Some(0.5)), (some("x.md"), some("c"), None)]);
        // One name of two texts is nobody's: the next path that fits.
        let node = json!({ "texts": ["a", "b"], "meta": [{ "name": "1.md", "source": "s1" }, { "source": "s2" }] });
        assert_eq!(read(&node).unwrap(), [(some("s1"), some("a"), None), (some("s2"), some("b"), None)]);
        // Three scores of two texts are nobody's either.
        let node = json!({ "texts": ["a", "b"], "scores": [1, 2, 3] });
        assert_eq!(read(&node).unwrap(), [(None, some("a"), None), (None, some("b"), None)]);
    }

    #[test]
    fn one_text_or_none_is_no_list() {
        assert_eq!(read(&json!({ "texts": ["a"], "file": "x.md" })), None);
        assert_eq!(read(&json!({ "texts": [], "file": "x.md" })), None);
        assert_eq!(read(&json!({ "file": "x.md" })), None);
    }
}

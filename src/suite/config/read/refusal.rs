//! Reads `[refusal]`: the wordings of refusals and failures that a project adds.

use crate::layer::refusal::Own;
use crate::suite::node::{Node, Reader, Shape, Value};

/// The keys of `refusal`.
pub(crate) const REFUSAL: Shape =
    Shape { what: "`refusal`", keys: &["phrases", "patterns", "not", "failures"], reserved: &[] };

/// The wordings; what is wrong with one is told with its place.
pub(super) fn own(reader: &Reader<'_>, node: &Node<'_>) -> Own {
    let Some(fields) = reader.fields(node, &REFUSAL) else { return Own::default() };
    let phrases = |key: &str| fields.get(key).map(|n| items(reader, n, key, Own::phrase)).unwrap_or_default();
    let expressions = |key: &str| fields.get(key).map(|n| items(reader, n, key, Own::expression)).unwrap_or_default();
    Own::new(phrases("phrases"), expressions("patterns"), expressions("not"), phrases("failures"))
}

/// The items of a list, each read and told by itself.
fn items<T>(reader: &Reader<'_>, node: &Node<'_>, key: &str, read: fn(&str) -> Result<T, String>) -> Vec<T> {
    let texts = reader.strings(node, &format!("`{key}`"), &format!("an item of `{key}`"));
    let spans: Vec<_> = match &node.value {
        Value::List(nodes) => nodes.iter().map(|n| n.span).collect(),
        Value::Scalar(..) | Value::Map(_) => Vec::new(),
    };
    let mut out = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        match read(text) {
            Ok(item) => out.push(item),
            Err(why) => {
                let span = spans.get(i).copied().unwrap_or(node.span);
                let help = "write `phrases` as an answer has them, `patterns` and `not` in the syntax of the Rust crate `regex`: no look-around, no back-references";
                reader.push(reader.error("refusal-item", span, why).help(help));
            }
        }
    }
    out
}

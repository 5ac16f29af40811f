//! How a fact is looked for: the keys beside its form.

use super::fact::fact;
use crate::suite::model::{Looking, Negation};
use crate::suite::node::reader::shown;
use crate::suite::node::{Fields, Node, Reader};
use serde_json_path::JsonPath;

/// The keys.
pub(super) const LOOKING: [&str; 6] = ["fold", "fuzzy", "min_recall", "negation", "condition", "path"];

/// What a negation does.
pub(crate) const NEGATION: [(&str, Negation); 4] =
    [("auto", Negation::Auto), ("strict", Negation::Strict), ("warn", Negation::Warn), ("off", Negation::Off)];

/// What a combined fact hands on to a member that says nothing itself.
pub(super) fn handed_on(around: &Looking) -> Looking {
    Looking { condition: None, path: None, ..around.clone() }
}

/// The keys of one fact, over those of the fact around it.
pub(super) fn read(reader: &Reader<'_>, fields: &Fields<'_, '_>, around: &Looking) -> Looking {
    let mut looking = handed_on(around);
    if let Some(node) = fields.get("fold") {
        looking.fold = reader.boolean(node, "`fold`").unwrap_or_default();
    }
    if let Some(node) = fields.get("fuzzy") {
        looking.fuzzy = reader.boolean(node, "`fuzzy`").unwrap_or_default();
    }
    if let Some(node) = fields.get("min_recall") {
        looking.min_recall = share(reader, node);
    }
    if let Some(node) = fields.get("negation") {
        looking.negation = reader.word(node, "`negation`", &NEGATION, &[]).unwrap_or_default();
    }
    looking.condition = fields.get("condition").and_then(|n| fact(reader, n, &handed_on(&looking))).map(Box::new);
    looking.path = fields.get("path").and_then(|n| path(reader, n));
    looking
}

fn share(reader: &Reader<'_>, node: &Node<'_>) -> Option<f64> {
    let number = reader.number(node, "`min_recall`")?;
    if number > 0.0 && number <= 1.0 {
        return Some(number);
    }
    let title = format!("`min_recall` is {number}, expected a share above 0 and at most 1");
    reader.push(reader.error("expected-number", node.span, title).help("0.6 lets a text stand with 6 of its 10 words"));
    None
}

fn path(reader: &Reader<'_>, node: &Node<'_>) -> Option<JsonPath> {
    let text = reader.string(node, "`path`")?;
    match JsonPath::parse(&text) {
        Ok(path) => Some(path),
        Err(e) => {
            let title = format!("`path` is `{}`, which is no JSONPath: {}", shown(&text), e.message());
            reader.push(reader.error("json-path", node.span, title).help("a path begins with `$`: \"$.total.amount\""));
            None
        }
    }
}

/// Records keys that would do nothing for this form: whoever wrote them expects something of them.
pub(super) fn refuse_idle(reader: &Reader<'_>, fields: &Fields<'_, '_>, form: &str) {
    let idle: &[&str] = match form {
        "text" | "any_of" | "all_of" | "order" => &[],
        "number" | "date" => &["fold", "fuzzy", "min_recall"],
        _ => &["fold", "fuzzy", "min_recall", "negation"],
    };
    for entry in fields.entries.iter().filter(|e| idle.contains(&e.key.as_ref())) {
        let title = format!("`{}` does nothing beside `{form}`", entry.key);
        reader.push(reader.error("fact-form", entry.key_span, title).help("remove it"));
    }
}

//! `evidence`: where the answer stands.

use crate::suite::model::{Evidence, EvidenceItem};
use crate::suite::node::{Fields, Node, Reader, Shape, Value};

/// The keys of one place.
pub(crate) const EVIDENCE: Shape = Shape {
    what: "an evidence item",
    keys: &["doc", "section", "span", "start", "end", "union", "chunk", "url", "grade", "any_of", "all_of"],
    reserved: &["row", "column"],
};

/// The items of a list of evidence.
pub(super) fn list(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Vec<EvidenceItem> {
    reader.list(node, what).unwrap_or_default().iter().filter_map(|n| item(reader, n)).collect()
}

fn item(reader: &Reader<'_>, node: &Node<'_>) -> Option<EvidenceItem> {
    if let Value::Scalar(..) = node.value {
        reader.push(
            reader
                .error("expected-map", node.span, "an evidence item is a text, expected a map")
                .help("write `{ doc: … }`, `{ chunk: … }` or `{ url: … }`"),
        );
        return None;
    }
    let fields = reader.fields(node, &EVIDENCE)?;
    for (key, all) in [("any_of", false), ("all_of", true)] {
        let Some(list_node) = fields.get(key) else { continue };
        if let Some(other) = fields.entries.iter().find(|e| e.key != key) {
            let title = format!("`{}` stands beside `{key}`, expected it alone", other.key);
            reader.push(reader.error("evidence-form", other.key_span, title).help("move it into the items"));
            return None;
        }
        let items = list(reader, list_node, if all { "`all_of`" } else { "`any_of`" });
        if items.is_empty() {
            if matches!(&list_node.value, Value::List(l) if l.is_empty()) {
                reader.push(reader.error("evidence-form", list_node.span, format!("`{key}` is empty")));
            }
            return None;
        }
        return Some(if all { EvidenceItem::AllOf(items) } else { EvidenceItem::AnyOf(items) });
    }
    let text = |key, what| fields.get(key).and_then(|n| reader.string(n, what));
    let section = match fields.get("section") {
        None => Vec::new(),
        Some(n) => match &n.value {
            Value::List(items) if items.is_empty() => {
                reader.push(
                    reader.error("evidence-form", n.span, "`section` is empty").help("name a heading, or leave it out"),
                );
                Vec::new()
            }
            Value::List(_) => reader.strings(n, "`section`", "a heading of `section`"),
            Value::Scalar(..) | Value::Map(_) => reader.string(n, "`section`").into_iter().collect(),
        },
    };
    let at = at(reader, &fields);
    let union = fields.get("union").and_then(|n| reader.boolean(n, "`union`")).unwrap_or(false);
    let grade = fields.get("grade").and_then(|n| reader.integer(n, "`grade`", 1, 100)).unwrap_or(1);
    let evidence = Evidence {
        doc: text("doc", "`doc`"),
        section,
        span: text("span", "`span`"),
        chunk: text("chunk", "`chunk`"),
        url: text("url", "`url`"),
        at,
        union,
        grade: u32::try_from(grade).unwrap_or(1),
        place: reader.place(node.span),
    };
    if !["doc", "chunk", "url", "span"].iter().any(|k| fields.get(k).is_some()) {
        let title = "an evidence item needs one of `doc`, `chunk`, `url`, `span`";
        reader.push(reader.error("evidence-form", node.span, title));
        return None;
    }
    let decides = evidence.span.is_some() || evidence.at.is_some();
    if let Some(e) = fields.entry("union").filter(|_| union && !decides) {
        let title = "`union` stands without `span`, `start` and `end`: passages have nothing to cover together";
        reader.push(reader.error("evidence-form", e.key_span, title).help("add the `span`, or remove `union`"));
    }
    if let Some(e) =
        fields.entry("start").filter(|_| evidence.at.is_some() && evidence.doc.is_none() && evidence.url.is_none())
    {
        let title = "`start` and `end` are characters of a document, and none is named";
        reader.push(reader.error("evidence-form", e.key_span, title).help("add `doc` or `url`"));
    }
    Some(EvidenceItem::One(evidence))
}

/// The characters of the document that decide.
fn at(reader: &Reader<'_>, fields: &Fields<'_, '_>) -> Option<(u64, u64)> {
    let number = |key: &str, what| fields.get(key).and_then(|n| reader.integer(n, what, 0, 1 << 40));
    let (start, end) = (number("start", "`start`"), number("end", "`end`"));
    let given = ["start", "end"].map(|key| fields.entry(key));
    match (given, start, end) {
        ([Some(_), Some(_)], Some(start), Some(end)) if start < end => Some((start, end)),
        ([Some(e), Some(_)], Some(start), Some(end)) => {
            let title = format!("`end` is {end}, expected more than `start`, {start}");
            reader.push(reader.error("evidence-form", e.key_span, title));
            None
        }
        ([Some(e), None], ..) => {
            reader.push(reader.error("evidence-form", e.key_span, "`start` needs `end`").help("name both, or neither"));
            None
        }
        ([None, Some(e)], ..) => {
            reader.push(reader.error("evidence-form", e.key_span, "`end` needs `start`").help("name both, or neither"));
            None
        }
        ([None, None], ..) | ([Some(_), Some(_)], ..) => None,
    }
}

//! Reads `response`: where the parts of a foreign response stand.

use super::quoted;
use crate::suite::config::live::{Field, Mapping, Parts};
use crate::suite::node::{Entry, Node, Reader, Shape, Style, Value};
use serde_json_path::JsonPath;

/// The keys of `response`.
pub(crate) const RESPONSE: Shape = Shape {
    what: "`response`",
    keys: &[
        "answer",
        "delta",
        "contexts",
        "context",
        "citations",
        "citation",
        "refused",
        "error",
        "input_tokens",
        "output_tokens",
        "text_from",
    ],
    reserved: &[],
};

/// The keys of `context`.
pub(crate) const CONTEXT: Shape = Shape {
    what: "`context`",
    keys: &["doc", "section", "chunk", "url", "text", "score", "start", "end", "in_prompt"],
    reserved: &[],
};

/// The keys of `citation`.
pub(crate) const CITATION: Shape =
    Shape { what: "`citation`", keys: &["context", "doc", "section", "chunk", "url", "quote"], reserved: &[] };

/// The keys of one part that is more than a path.
pub(crate) const FIELD: Shape = Shape {
    what: "a part of the response",
    keys: &["path", "strip_prefix", "basename", "regex", "replace", "lowercase", "event"],
    reserved: &[],
};

/// The mapping of a target, built on that of its preset: a key that stands here replaces the preset's. `stream`: responses
/// come in pieces.
pub(super) fn mapping(reader: &Reader<'_>, node: &Node<'_>, mut base: Mapping, stream: bool) -> Option<Mapping> {
    let fields = reader.fields(node, &RESPONSE)?;
    if let (false, Some(e)) = (stream, fields.entry("delta")) {
        let title = "`delta` is a piece of a stream, and `stream` is not set";
        let help = "write stream = \"sse\" or \"ndjson\", or map `answer`";
        reader.push(reader.error("delta-stream", e.key_span, title).help(help));
    }
    let put = |key: &str, slot: &mut Field| {
        if let Some(n) = fields.get(key) {
            *slot = field(reader, n, &format!("`{key}`"));
            if let (false, Some(e)) = (stream, entry(n, "event")) {
                let title = format!("`event` in `{key}` names an event of a stream, and `stream` is not set");
                let help = "write stream = \"sse\" or \"ndjson\", or leave `event` out";
                reader.push(reader.error("event-stream", e.key_span, title).help(help));
            }
        }
    };
    put("answer", &mut base.answer);
    put("delta", &mut base.delta);
    put("contexts", &mut base.contexts);
    put("citations", &mut base.citations);
    put("refused", &mut base.refused);
    put("error", &mut base.error);
    put("input_tokens", &mut base.input_tokens);
    put("output_tokens", &mut base.output_tokens);
    if let Some(n) = fields.get("context") {
        parts(reader, n, &CONTEXT, &mut base.context);
    }
    if let Some(n) = fields.get("citation") {
        parts(reader, n, &CITATION, &mut base.citation);
    }
    if let Some(n) = fields.get("text_from") {
        base.text_from_corpus = reader.word(n, "`text_from`", &[("response", false), ("corpus", true)], &[])?;
    }
    for (key, list, field) in [("context", "contexts", &base.contexts), ("citation", "citations", &base.citations)] {
        if let (Some(e), false) = (fields.entry(key), field.is_mapped() || fields.get(list).is_some()) {
            let title = format!("`{key}` says what each of the `{list}` holds, and `{list}` is missing");
            reader.push(reader.error("key-missing", e.key_span, title).help(format!("write {list} = \"$.{list}[*]\"")));
        }
    }
    if !base.answer.is_mapped() && !base.delta.is_mapped() && !base.contexts.is_mapped() && !reader.failed() {
        let title = "`response` says neither where the answer stands nor where the passages do";
        reader.push(reader.error("key-missing", node.span, title).help(
            "write answer = \"$.answer\"; or take the section out, and `ragline target check NAME` proposes one",
        ));
    }
    Some(base)
}

fn parts(reader: &Reader<'_>, node: &Node<'_>, shape: &Shape, parts: &mut Parts) {
    let Some(fields) = reader.fields(node, shape) else { return };
    for e in fields.entries {
        let slot = match e.key.as_ref() {
            "doc" => &mut parts.doc,
            "section" => &mut parts.section,
            "chunk" => &mut parts.chunk,
            "url" => &mut parts.url,
            "text" => &mut parts.text,
            "score" => &mut parts.score,
            "start" => &mut parts.start,
            "end" => &mut parts.end,
            "in_prompt" => &mut parts.in_prompt,
            "context" => &mut parts.context,
            "quote" => &mut parts.quote,
            // Recorded as unknown already.
            _ => continue,
        };
        *slot = field(reader, &e.value, &format!("`{}`", e.key));
        if let Some(event) = entry(&e.value, "event") {
            let title =
                format!("`event` in `{}` has no effect: a part is looked for in its own passage or citation", e.key);
            let help = "write `event` in `contexts` or `citations`";
            reader.push(reader.error("event-part", event.key_span, title).help(help));
        }
    }
}

/// An entry of a section, by its key.
fn entry<'n, 's>(node: &'n Node<'s>, key: &str) -> Option<&'n Entry<'s>> {
    match &node.value {
        Value::Map(entries) => entries.iter().find(|e| e.key == key),
        Value::Scalar(..) | Value::List(_) => None,
    }
}

/// One part: a path, a list of paths of which the first that selects something wins, or a section with `path` and how the
/// text is made to meet.
fn field(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Field {
    let Value::Map(_) = &node.value else {
        return Field { paths: paths(reader, node, what), ..Field::default() };
    };
    let Some(fields) = reader.fields(node, &FIELD) else { return Field::default() };
    let Some(path) = fields.get("path") else {
        let title = format!("`path` is missing in {what}");
        reader.push(reader.error("key-missing", node.span, title).help("write path = \"$.a.b\""));
        return Field::default();
    };
    Field {
        paths: paths(reader, path, "`path`"),
        strip_prefix: fields.get("strip_prefix").and_then(|n| quoted(reader, n, "`strip_prefix`")),
        basename: fields.get("basename").and_then(|n| reader.boolean(n, "`basename`")).unwrap_or(false),
        regex: fields.get("regex").and_then(|n| expression(reader, n, "`regex`")),
        replace: fields.get("replace").map(|n| replacements(reader, n)).unwrap_or_default(),
        lowercase: fields.get("lowercase").and_then(|n| reader.boolean(n, "`lowercase`")).unwrap_or(false),
        event: fields.get("event").and_then(|n| quoted(reader, n, "`event`")),
    }
}

fn expression(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<regex::Regex> {
    let text = quoted(reader, node, what)?;
    match regex::RegexBuilder::new(&text).size_limit(1 << 20).build() {
        Ok(r) => Some(r),
        Err(e) => {
            let why = e.to_string();
            let last = why.lines().last().unwrap_or_default();
            reader.push(reader.error("regex", node.span, format!("{what} is no regular expression: {last}")));
            None
        }
    }
}

/// Pairs of an expression and the text that takes the place of what it matches.
fn replacements(reader: &Reader<'_>, node: &Node<'_>) -> Vec<(regex::Regex, String)> {
    let form = |node: &Node<'_>, what: &str| {
        let title = format!("{what} is {}, expected pairs of an expression and a text", node.kind());
        reader.push(reader.error("replace-form", node.span, title).help("write replace = [['\\.v\\d+', \"\"]]"));
    };
    let Value::List(pairs) = &node.value else {
        form(node, "`replace`");
        return Vec::new();
    };
    let one = |pair: &Node<'_>| match &pair.value {
        Value::List(both) => match both.as_slice() {
            [from, to] => {
                let regex = expression(reader, from, "an expression of `replace`")?;
                // Nothing may take the place of what is taken out.
                let text = match &to.value {
                    Value::Scalar(text, Style::Quoted) => text.clone().into_owned(),
                    Value::Scalar(..) | Value::List(_) | Value::Map(_) => quoted(reader, to, "a text of `replace`")?,
                };
                Some((regex, text))
            }
            _ => {
                form(pair, "an item of `replace`");
                None
            }
        },
        Value::Scalar(..) | Value::Map(_) => {
            form(pair, "an item of `replace`");
            None
        }
    };
    pairs.iter().filter_map(one).collect()
}

fn paths(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Vec<JsonPath> {
    let one = |n: &Node<'_>| {
        let text = quoted(reader, n, what)?;
        match JsonPath::parse(&text) {
            Ok(path) => Some(path),
            Err(e) => {
                let title = format!("{what}: `{text}` is no JSONPath: {}", e.message());
                reader
                    .push(reader.error("json-path", n.span, title).help("a path begins with `$`: \"$.data[*].text\""));
                None
            }
        }
    };
    match &node.value {
        Value::List(items) if items.is_empty() => {
            reader.push(reader.error("path-empty", node.span, format!("{what} is an empty list, expected a path")));
            Vec::new()
        }
        Value::List(items) => items.iter().filter_map(one).collect(),
        Value::Scalar(..) | Value::Map(_) => one(node).into_iter().collect(),
    }
}

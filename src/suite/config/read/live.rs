//! Reads targets that are asked anew: `http` and `command`.

use super::limits::{price, timeouts};
use super::units::{duration, env_text, rate, size};
use super::{address, mapping, quoted};
use crate::suite::config::live::{CommandConfig, EnvText, HttpConfig, Live, Mapping, Output, Proxy, Start, Stream};
use crate::suite::config::preset;
use crate::suite::node::reader::shown;
use crate::suite::node::{Fields, Node, Reader, Shape, Value};
use crate::target::template::GIVEN;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The keys of a target that is asked over HTTP.
pub(crate) const HTTP_TARGET: Shape = Shape {
    what: "an http target",
    keys: &[
        "kind",
        "provides",
        "concurrency",
        "watch",
        "env",
        "preset",
        "url",
        "method",
        "query",
        "headers",
        "body",
        "vars",
        "response",
        "stream",
        "ca",
        "proxy",
        "max_body",
        "start",
        "ready",
        "ready_within",
        "timeout",
        "retries",
        "rate",
        "recording",
        "price",
    ],
    reserved: &[],
};

/// The keys of a target that is a program.
pub(crate) const COMMAND_TARGET: Shape = Shape {
    what: "a command target",
    keys: &[
        "kind",
        "provides",
        "concurrency",
        "watch",
        "env",
        "command",
        "persistent",
        "stdin",
        "output",
        "vars",
        "folder",
        "response",
        "max_output",
        "start",
        "ready",
        "ready_within",
        "timeout",
        "retries",
        "rate",
        "recording",
        "price",
    ],
    reserved: &[],
};

const MAX_BODY: usize = 8 << 20;

/// The settings of an `http` target.
pub(super) fn http(reader: &Reader<'_>, name: &str, fields: &Fields<'_, '_>, root: &Path) -> Option<HttpConfig> {
    let preset = match fields.get("preset") {
        None => None,
        Some(n) => {
            let word = quoted(reader, n, "`preset`")?;
            let Some(found) = preset::find(&word) else {
                let near = crate::problem::near::or_near(&word, preset::NAMES);
                let title = format!("there is no preset `{}`{near}", shown(&word));
                let help = format!("the presets are {}", preset::NAMES.join(", "));
                reader.push(reader.error("unknown-preset", n.span, title).help(help));
                return None;
            };
            Some(found)
        }
    };
    let base = preset.as_ref();
    let Some(node) = fields.get("url") else {
        let title = format!("`url` is missing in target `{name}`");
        reader.push(reader.error("key-missing", fields.span, title).help("write url = \"http://127.0.0.1:8000/chat\""));
        return None;
    };
    let mut url = address::address(reader, node, "`url`")?;
    if let Some(p) = base {
        url.raw = p.address(&url.raw);
    }
    let mut headers = base.map(|p| p.headers.clone()).unwrap_or_default();
    merge(&mut headers, address::headers(reader, fields.get("headers"), base.is_some()), true);
    headers.retain(|(_, value)| !value.raw.is_empty());
    let mut query = base.map(|p| p.query.clone()).unwrap_or_default();
    merge(&mut query, pairs(reader, fields.get("query"), "`query`", env_text), false);
    let own_body = fields.get("body").and_then(|n| env_text(reader, n, "`body`"));
    let body = own_body.or_else(|| base.and_then(|p| p.body.clone()));
    let method = method(reader, fields, body.is_some());
    let mut all = base.map(|p| p.vars.clone()).unwrap_or_default();
    all.extend(vars(reader, fields));
    if let Some(p) = base {
        // What a body of one's own no longer mentions need not be given.
        let texts = || [&url].into_iter().chain(&body).chain(headers.iter().chain(&query).map(|(_, t)| t));
        for (needed, what) in p.needs.iter().filter(|(n, _)| !all.contains_key(*n)) {
            if texts().any(|t| names_in_braces(&t.raw, needed)) {
                let title = format!("the preset `{}` needs `{needed}` in `vars`: {what}", p.name);
                let at = fields.entry("preset").map_or(fields.span, |e| e.value.span);
                let help = format!("write vars = {{ {needed} = \"…\" }}");
                reader.push(reader.error("key-missing", at, title).help(help));
            }
        }
    }
    let stream = fields.get("stream").and_then(|n| reader.word(n, "`stream`", STREAMS, &[]));
    let stream = stream.or(base.map(|p| p.stream)).unwrap_or_default();
    Some(HttpConfig {
        url,
        method: method.to_owned(),
        query,
        headers,
        body,
        vars: all,
        mapping: mapped(reader, fields, base.map(|p| p.mapping.clone()), stream != Stream::Json)?,
        stream,
        ca: fields.get("ca").and_then(|n| quoted(reader, n, "`ca`")).map(|f| root.join(f)),
        proxy: match fields.get("proxy") {
            None => Proxy::Environment,
            Some(n) if matches!(&n.value, Value::Scalar(t, _) if t == "none") => Proxy::Direct,
            Some(n) => Proxy::Through(address::address(reader, n, "`proxy`")?),
        },
        max_body: fields.get("max_body").and_then(|n| size(reader, n, "`max_body`")).unwrap_or(MAX_BODY),
        live: live(reader, name, fields, root),
        preset: base.map(|p| p.name.to_owned()),
    })
}

/// Whether a template names a variable: `{{ name }}`, with or without a filter.
fn names_in_braces(text: &str, name: &str) -> bool {
    text.split("{{").skip(1).any(|rest| {
        let rest = rest.trim_start_matches(['-', '+', ' ', '\t', '\n']);
        rest.strip_prefix(name).is_some_and(|r| !r.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// POST where there is a body, else GET. A body with GET would not arrive everywhere.
fn method(reader: &Reader<'_>, fields: &Fields<'_, '_>, body: bool) -> &'static str {
    let methods = [("GET", "GET"), ("POST", "POST"), ("PUT", "PUT"), ("PATCH", "PATCH"), ("QUERY", "QUERY")];
    let Some(node) = fields.get("method") else { return if body { "POST" } else { "GET" } };
    let method = reader.word(node, "`method`", &methods, &[]).unwrap_or("POST");
    if method == "GET" && body {
        let title = "`method` is GET, and there is a `body`: many servers do not read it";
        reader
            .push(reader.error("method-body", node.span, title).help("write method = \"POST\", or leave `method` out"));
    }
    method
}

/// Further names for the templates: texts as they are.
fn vars(reader: &Reader<'_>, fields: &Fields<'_, '_>) -> BTreeMap<String, String> {
    let Some(node) = fields.get("vars") else { return BTreeMap::new() };
    if let Value::Map(entries) = &node.value {
        for e in entries {
            let first = e.key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if GIVEN.contains(&e.key.as_ref()) {
                let title = format!("`{}` is a name of every template and cannot stand in `vars`", e.key);
                reader.push(reader.error("vars-name", e.key_span, title).help("give it another name"));
            } else if !first || !e.key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                let title =
                    format!("`{}` is no name for a template, expected letters a-z A-Z, digits and _", shown(&e.key));
                reader.push(reader.error("vars-name", e.key_span, title));
            }
            if let Value::Scalar(text, _) = &e.value.value
                && text.contains("${")
            {
                let title =
                    format!("`{}`: a text of `vars` is sent as it stands, `${{…}}` is not looked up in it", e.key);
                let help = "write ${NAME} in `url`, `query`, `headers`, `body`, `command` or `stdin` itself";
                reader.push(reader.error("env-form", e.value.span, title).help(help));
            }
        }
    }
    pairs(reader, Some(node), "`vars`", quoted).into_iter().collect()
}

/// The settings of a `command` target.
pub(super) fn command(reader: &Reader<'_>, name: &str, fields: &Fields<'_, '_>, root: &Path) -> Option<CommandConfig> {
    let Some(node) = fields.get("command") else {
        let title = format!("`command` is missing in target `{name}`");
        reader.push(reader.error("key-missing", fields.span, title).help("write command = [\"python\", \"bot.py\"]"));
        return None;
    };
    let outputs = [("json", Output::Json), ("text", Output::Text)];
    let flag = |key: &str| fields.get(key).and_then(|n| reader.boolean(n, &format!("`{key}`")));
    let output = fields.get("output").and_then(|n| reader.word(n, "`output`", &outputs, &[])).unwrap_or_default();
    if let (Output::Text, Some(e)) = (output, fields.entry("response")) {
        let title = "`response` has no effect where `output` is text: all that is printed is the answer";
        reader.push(reader.error("response-text", e.key_span, title).help("leave out one of them"));
    }
    let folder = fields.get("folder").and_then(|n| quoted(reader, n, "`folder`")).unwrap_or_default();
    Some(CommandConfig {
        command: words(reader, node, "`command`")?,
        persistent: flag("persistent").unwrap_or(false),
        stdin: fields.get("stdin").and_then(|n| env_text(reader, n, "`stdin`")),
        output,
        mapping: mapped(reader, fields, None, false)?,
        max_output: fields.get("max_output").and_then(|n| size(reader, n, "`max_output`")).unwrap_or(MAX_BODY),
        folder: root.join(&folder),
        folder_shown: folder,
        vars: vars(reader, fields),
        live: live(reader, name, fields, root),
    })
}

/// The keys of a preset.
const PRESET: Shape = Shape {
    what: "a preset",
    keys: &[
        "title", "docs", "checked", "note", "path", "needs", "vars", "headers", "query", "body", "stream", "response",
    ],
    reserved: &[],
};

/// A preset.
pub(crate) fn preset(reader: &Reader<'_>, tree: &Node<'_>, name: &'static str) -> Option<preset::Preset> {
    let fields = reader.fields(tree, &PRESET)?;
    let text = |key: &str| fields.get(key).and_then(|n| quoted(reader, n, &format!("`{key}`")));
    let free = |key: &str| pairs(reader, fields.get(key), &format!("`{key}`"), quoted).into_iter().collect();
    Some(preset::Preset {
        name,
        title: text("title")?,
        docs: text("docs")?,
        checked: text("checked")?,
        note: text("note"),
        path: text("path").unwrap_or_default(),
        needs: free("needs"),
        vars: free("vars"),
        headers: pairs(reader, fields.get("headers"), "`headers`", env_text),
        query: pairs(reader, fields.get("query"), "`query`", env_text),
        body: fields.get("body").and_then(|n| env_text(reader, n, "`body`")),
        stream: fields.get("stream").and_then(|n| reader.word(n, "`stream`", STREAMS, &[])).unwrap_or_default(),
        mapping: mapping::mapping(reader, fields.get("response")?, Mapping::default(), true)?,
    })
}

const STREAMS: &[(&str, Stream)] = &[("json", Stream::Json), ("sse", Stream::Sse), ("ndjson", Stream::Ndjson)];

/// The mapping of a target: its own on top of its preset's. It is empty where neither says anything.
fn mapped(reader: &Reader<'_>, fields: &Fields<'_, '_>, base: Option<Mapping>, stream: bool) -> Option<Mapping> {
    let base = base.unwrap_or_default();
    match fields.get("response") {
        Some(n) => mapping::mapping(reader, n, base, stream),
        None => Some(base),
    }
}

fn live(reader: &Reader<'_>, name: &str, fields: &Fields<'_, '_>, root: &Path) -> Live {
    let start = fields
        .get("start")
        .and_then(|n| Some(Start { command: words(reader, n, "`start`")?, folder: root.to_owned() }));
    let recording = fields.get("recording").and_then(|n| quoted(reader, n, "`recording`"));
    let ready = fields.get("ready").and_then(|n| address::address(reader, n, "`ready`"));
    let told = fields.get("ready_within").and_then(|n| duration(reader, n, "`ready_within`"));
    let ready_within = told.unwrap_or(Duration::from_secs(60));
    Live {
        warm_up: (start.is_some() || ready.is_some() || told.is_some()).then_some(ready_within),
        start,
        ready,
        ready_within,
        timeouts: fields.get("timeout").map(|n| timeouts(reader, n)).unwrap_or_default(),
        retries: fields
            .get("retries")
            .and_then(|n| reader.integer(n, "`retries`", 0, 100))
            .and_then(|n| u32::try_from(n).ok())
            .unwrap_or(2),
        rate: fields.get("rate").and_then(|n| rate(reader, n)),
        recording: root.join(recording.unwrap_or_else(|| format!("recordings/{name}.jsonl"))),
        price: fields.get("price").and_then(|n| price(reader, n)),
    }
}

/// A program with its arguments: a list, or one text that is split at blanks outside quotes.
fn words(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<Vec<EnvText>> {
    let words = match &node.value {
        Value::List(items) => items.iter().filter_map(|n| env_text(reader, n, &format!("an item of {what}"))).collect(),
        Value::Scalar(..) | Value::Map(_) => {
            let whole = env_text(reader, node, what)?;
            let Some(parts) = split_words(&whole.raw) else {
                reader.push(reader.error("quote-open", node.span, format!("a quote in {what} is not closed")));
                return None;
            };
            parts.into_iter().map(|raw| EnvText { raw, place: whole.place.clone() }).collect::<Vec<_>>()
        }
    };
    if words.is_empty() {
        reader.push(reader.error("command-empty", node.span, format!("{what} names no program")));
        return None;
    }
    Some(words)
}

/// Words at blanks; `'…'` and `"…"` keep theirs, and so does `{{ … }}`. None where a quote stays open.
fn split_words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let (mut before, mut braces) = (' ', false);
    for c in text.chars() {
        match (before, c) {
            ('{', '{') => braces = true,
            ('}', '}') => braces = false,
            _ => {}
        }
        before = c;
        match (c, quote) {
            (c, _) if braces => word.get_or_insert_default().push(c),
            (c, Some(q)) if c == q => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, Some(_) | None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The entries of a section whose keys are free.
pub(super) fn pairs<T>(
    reader: &Reader<'_>,
    node: Option<&Node<'_>>,
    what: &str,
    read: impl Fn(&Reader<'_>, &Node<'_>, &str) -> Option<T>,
) -> Vec<(String, T)> {
    let Some(node) = node else { return Vec::new() };
    let Value::Map(entries) = &node.value else {
        let title = format!("{what} is {}, expected a section such as {{ name = \"value\" }}", node.kind());
        reader.push(reader.error("expected-map", node.span, title));
        return Vec::new();
    };
    let one = |e: &crate::suite::node::Entry<'_>| {
        Some((e.key.clone().into_owned(), read(reader, &e.value, &format!("`{}`", e.key))?))
    };
    entries.iter().filter_map(one).collect()
}

/// What the user says replaces what the preset says; names of headers have no letter case.
fn merge(base: &mut Vec<(String, EnvText)>, own: Vec<(String, EnvText)>, fold: bool) {
    let same = |a: &str, b: &str| if fold { a.eq_ignore_ascii_case(b) } else { a == b };
    base.retain(|(name, _)| !own.iter().any(|(o, _)| same(o, name)));
    base.extend(own);
}

#[cfg(test)]
mod tests {
    use super::{names_in_braces, split_words};

    #[test]
    fn words_of_a_command() {
        assert_eq!(split_words("uvicorn  app:app --port 8000").unwrap(), ["uvicorn", "app:app", "--port", "8000"]);
        assert_eq!(split_words(r#"sh -c 'a "b" c' "" x" y"z"#).unwrap(), ["sh", "-c", r#"a "b" c"#, "", "x yz"]);
        assert!(split_words("a 'b").is_none());
        assert_eq!(split_words("bot --q={{ question }} x").unwrap(), ["bot", "--q={{ question }}", "x"]);
        assert_eq!(split_words("a {{ x|default('b c') }}").unwrap(), ["a", "{{ x|default('b c') }}"]);
    }

    #[test]
    fn names_of_a_template() {
        assert!(names_in_braces(r#"{"a": {{ model }}, "b": {{id|tojson}}}"#, "model"));
        assert!(names_in_braces(r#"{"a": {{ model }}, "b": {{id|tojson}}}"#, "id"));
        assert!(names_in_braces("/x/{{-chat -}}", "chat"));
        assert!(!names_in_braces("{{ models }} model { model }", "model"));
    }
}

//! Reads targets that are asked anew: `http` and `command`.

use super::units::{duration, env_text, rate, size};
use super::{mapping, quoted};
use crate::suite::config::live::{
    CommandConfig, EnvText, HttpConfig, Live, Mapping, Output, Price, Proxy, Start, Stream, Timeouts,
};
use crate::suite::config::preset;
use crate::suite::node::{Fields, Node, Reader, Shape, Value};
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

/// The keys of `timeout`.
pub(crate) const TIMEOUT: Shape =
    Shape { what: "`timeout`", keys: &["connect", "idle", "attempt", "question", "run"], reserved: &[] };

/// The keys of `price`.
pub(crate) const PRICE: Shape =
    Shape { what: "`price`", keys: &["input", "output", "call", "currency"], reserved: &[] };

const MAX_BODY: usize = 8 << 20;

/// The settings of an `http` target.
pub(super) fn http(reader: &Reader<'_>, name: &str, fields: &Fields<'_, '_>, root: &Path) -> Option<HttpConfig> {
    let text = |key: &str| fields.get(key).and_then(|n| env_text(reader, n, &format!("`{key}`")));
    let preset = match fields.get("preset") {
        None => None,
        Some(n) => {
            let word = quoted(reader, n, "`preset`")?;
            let Some(found) = preset::find(&word) else {
                let near = crate::problem::near::or_near(&word, preset::NAMES);
                let title = format!("there is no preset `{word}`{near}");
                let help = format!("the presets are {}", preset::NAMES.join(", "));
                reader.push(reader.error("unknown-preset", n.span, title).help(help));
                return None;
            };
            Some((word, found))
        }
    };
    let url = text("url");
    let Some(mut url) = url else {
        if fields.get("url").is_none() {
            let title = format!("`url` is missing in target `{name}`");
            reader.push(
                reader.error("key-missing", fields.span, title).help("write url = \"http://127.0.0.1:8000/chat\""),
            );
        }
        return None;
    };
    let base = preset.as_ref().map(|(_, p)| p);
    if let Some(p) = base {
        url.raw = p.address(&url.raw);
    }
    let vars = pairs(reader, fields.get("vars"), "`vars`", quoted);
    let mut all: BTreeMap<String, String> = base.map(|p| p.vars.clone()).unwrap_or_default();
    all.extend(vars);
    if let Some(p) = base {
        for (needed, what) in p.needs.iter().filter(|(n, _)| !all.contains_key(*n)) {
            let title = format!("the preset `{}` needs `{needed}` in `vars`: {what}", p.name);
            reader.push(
                reader.error("key-missing", fields.span, title).help(format!("write vars = {{ {needed} = \"…\" }}")),
            );
        }
    }
    let mut headers = base.map(|p| p.headers.clone()).unwrap_or_default();
    merge(&mut headers, pairs(reader, fields.get("headers"), "`headers`", env_text), true);
    let mut query = base.map(|p| p.query.clone()).unwrap_or_default();
    merge(&mut query, pairs(reader, fields.get("query"), "`query`", env_text), false);
    let body = text("body").or_else(|| base.and_then(|p| p.body.clone()));
    let default_method = if body.is_some() { "POST" } else { "GET" };
    let methods = [("GET", "GET"), ("POST", "POST"), ("PUT", "PUT"), ("PATCH", "PATCH"), ("QUERY", "QUERY")];
    let method = fields.get("method").and_then(|n| reader.word(n, "`method`", &methods, &[])).unwrap_or(default_method);
    let stream = fields.get("stream").and_then(|n| reader.word(n, "`stream`", STREAMS, &[]));
    Some(HttpConfig {
        url,
        method: method.to_owned(),
        query,
        headers,
        body,
        vars: all,
        mapping: mapped(reader, fields, base.map(|p| p.mapping.clone()).unwrap_or_default())?,
        stream: stream.or(base.map(|p| p.stream)).unwrap_or_default(),
        ca: fields.get("ca").and_then(|n| quoted(reader, n, "`ca`")).map(|f| root.join(f)),
        proxy: match text("proxy") {
            None => Proxy::Environment,
            Some(t) if t.raw == "none" => Proxy::Direct,
            Some(t) => Proxy::Through(t),
        },
        max_body: fields.get("max_body").and_then(|n| size(reader, n, "`max_body`")).unwrap_or(MAX_BODY),
        live: live(reader, name, fields, root),
        preset: preset.map(|(word, _)| word),
    })
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
    let folder = fields.get("folder").and_then(|n| quoted(reader, n, "`folder`")).unwrap_or_default();
    Some(CommandConfig {
        command: words(reader, node, "`command`")?,
        persistent: flag("persistent").unwrap_or(false),
        stdin: fields.get("stdin").and_then(|n| env_text(reader, n, "`stdin`")),
        output,
        mapping: mapped(reader, fields, Mapping::default())?,
        max_output: fields.get("max_output").and_then(|n| size(reader, n, "`max_output`")).unwrap_or(MAX_BODY),
        folder: root.join(&folder),
        folder_shown: folder,
        vars: pairs(reader, fields.get("vars"), "`vars`", quoted).into_iter().collect(),
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
        mapping: mapped(reader, &fields, Mapping::default())?,
    })
}

const STREAMS: &[(&str, Stream)] = &[("json", Stream::Json), ("sse", Stream::Sse), ("ndjson", Stream::Ndjson)];

fn mapped(reader: &Reader<'_>, fields: &Fields<'_, '_>, base: Mapping) -> Option<Mapping> {
    match fields.get("response") {
        Some(n) => mapping::mapping(reader, n, base),
        None => Some(base),
    }
}

fn live(reader: &Reader<'_>, name: &str, fields: &Fields<'_, '_>, root: &Path) -> Live {
    let start = fields
        .get("start")
        .and_then(|n| Some(Start { command: words(reader, n, "`start`")?, folder: root.to_owned() }));
    let recording = fields.get("recording").and_then(|n| quoted(reader, n, "`recording`"));
    Live {
        start,
        ready: fields.get("ready").and_then(|n| env_text(reader, n, "`ready`")),
        ready_within: fields
            .get("ready_within")
            .and_then(|n| duration(reader, n, "`ready_within`"))
            .unwrap_or(Duration::from_secs(60)),
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

fn timeouts(reader: &Reader<'_>, node: &Node<'_>) -> Timeouts {
    let default = Timeouts::default();
    let Some(fields) = reader.fields(node, &TIMEOUT) else { return default };
    let get = |key: &str| fields.get(key).and_then(|n| duration(reader, n, &format!("`{key}`")));
    let (attempt, question, run) = (get("attempt"), get("question"), get("run"));
    // What is not said gives way to what is said.
    let question_or = question.unwrap_or_else(|| default.question.max(attempt.unwrap_or_default()));
    let attempt_or = attempt.unwrap_or(default.attempt.min(question_or));
    let run_or = run.unwrap_or_else(|| default.run.max(question_or));
    for (inner, outer, inner_name, outer_name) in
        [(attempt_or, question_or, "attempt", "question"), (question_or, run_or, "question", "run")]
    {
        if inner > outer {
            let title = format!("`{inner_name}` is longer than `{outer_name}`, which holds it with all its waits");
            reader.push(reader.error("timeout-order", node.span, title).help("attempt ≤ question ≤ run"));
        }
    }
    Timeouts {
        connect: get("connect").unwrap_or(default.connect.min(attempt_or)),
        idle: get("idle").unwrap_or(default.idle.min(attempt_or)),
        attempt: attempt_or,
        question: question_or,
        run: run_or,
    }
}

fn price(reader: &Reader<'_>, node: &Node<'_>) -> Option<Price> {
    let fields = reader.fields(node, &PRICE)?;
    let amount = |key: &str| {
        let Some(n) = fields.get(key) else { return 0.0 };
        let amount = reader.number(n, &format!("`{key}`")).unwrap_or(0.0);
        if amount < 0.0 {
            reader.push(reader.error("number-range", n.span, format!("`{key}` is {amount}, expected 0 or more")));
        }
        amount
    };
    Some(Price {
        input: amount("input"),
        output: amount("output"),
        call: amount("call"),
        currency: fields
            .get("currency")
            .and_then(|n| quoted(reader, n, "`currency`"))
            .unwrap_or_else(|| "$".to_owned()),
    })
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

/// Words at blanks; `'…'` and `"…"` keep theirs. None where a quote stays open.
fn split_words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (c, quote) {
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
fn pairs<T>(
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
    use super::split_words;

    #[test]
    fn words_of_a_command() {
        assert_eq!(split_words("uvicorn  app:app --port 8000").unwrap(), ["uvicorn", "app:app", "--port", "8000"]);
        assert_eq!(split_words(r#"sh -c 'a "b" c' "" x" y"z"#).unwrap(), ["sh", "-c", r#"a "b" c"#, "", "x yz"]);
        assert!(split_words("a 'b").is_none());
    }
}

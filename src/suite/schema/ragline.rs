//! The schema of `ragline.toml`.

use super::{document, map, text, version, word};
use crate::confirm::{FEWEST, MOST};
use crate::suite::config::{REPEATS, preset};
use serde_json::{Value, json};

pub(super) fn ragline() -> Value {
    let common: fn(Value) -> Value = |more| {
        let mut keys = json!({
            "provides": { "type": "array", "minItems": 1, "items": { "enum": ["answer", "contexts", "citations"] }, "description": "What it returns (default: that of its kind). Less means not observed; declared but absent means unmeasured." },
            "concurrency": { "type": "integer", "minimum": 1, "maximum": 1024, "default": 8, "description": "How many questions are asked at once (default: 8)." },
            "watch": { "type": "array", "items": { "type": "string" }, "default": [], "description": "Globs of files that are part of the subject's identity (default: none)." },
            "env": { "type": "array", "items": { "type": "string" }, "default": [], "description": "Environment variables that are part of the subject's identity (default: none)." },
        });
        if let (Value::Object(keys), Value::Object(more)) = (&mut keys, more) {
            keys.extend(more);
        }
        keys
    };
    let builtin = map(
        "BM25 with an extractive answer over the suite's corpus.",
        &[],
        common(json!({
            "kind": { "const": "builtin" },
            "k1": { "type": "number", "minimum": 0, "maximum": 100, "default": 1.2, "description": "BM25's k1 (default: 1.2)." },
            "b": { "type": "number", "minimum": 0, "maximum": 1, "default": 0.75, "description": "BM25's b (default: 0.75)." },
            "chunk": { "$ref": "#/$defs/chunk" },
            "top_k": { "type": "integer", "minimum": 1, "default": 3, "description": "How many passages are retrieved (default: 3)." },
            "refuse_below": { "type": "number", "minimum": 0, "maximum": 1, "default": 0.3, "description": "The answer is refused below this share of the best possible score (default: 0.3)." },
        })),
    );
    let recorded = map(
        "A file of responses.",
        &["kind", "file"],
        common(json!({
            "kind": { "const": "recorded" },
            "file": text("The file, from this file's folder."),
        })),
    );
    let chunk = map(
        "How the corpus is cut into passages (default: by section).",
        &["by"],
        json!({
            "by": { "enum": ["section", "fixed"] },
            "max_chars": { "type": "integer", "minimum": 1, "description": "By section: longer sections are cut at sentence ends (default: they are not)." },
            "size": { "type": "integer", "minimum": 1, "description": "Fixed: characters of a passage." },
            "overlap": { "type": "integer", "minimum": 0, "default": 0, "description": "Fixed: characters shared with the passage before, less than `size` (default: 0)." },
        }),
    );
    let confirm = map(
        "What is spent on asking anew.",
        &[],
        json!({
            "most": { "type": "integer", "minimum": FEWEST, "maximum": MOST, "default": MOST, "description": "The most fresh runs of one question (default: 30)." },
            "budget": { "type": "integer", "minimum": FEWEST, "description": "The most fresh runs of all questions together, at least `most` (default: no limit)." },
        }),
    );
    let profile = map(
        "A named set of run settings.",
        &[],
        json!({
            "inherits": text("The profile whose settings hold where this one states none (default: none)."),
            "select": { "type": ["string", "array"], "items": { "type": "string" }, "default": "all", "description": "Selectors (default: all)." },
            "target": text("The target that stands for the suites' own (default: none)."),
            "answers": text("live, replay, fill or a file, as `--answers` (default: live)."),
            "without_keys": { "type": "boolean", "default": false, "description": "As `--without-keys` (default: false)." },
            "policy_from": text("The commit whose policy and baselines decide, such as origin/main (default: none)."),
            "against": text("The target or the commit that is asked beside what is tested, where questions are asked anew (default: none)."),
            "repeat": { "type": "integer", "minimum": 1, "maximum": REPEATS, "default": 1, "description": "How often each question is asked (default: 1)." },
            "confirm": confirm,
        }),
    );
    let privacy = map(
        "What is taken out of answers before anything is written.",
        &[],
        json!({
            "mask": { "type": "array", "items": text("email, phone, card, th-id, vn-cccd, zh-id, or regex:… with an expression."), "default": [], "description": "The kinds (default: none)." },
            "allow": { "type": "array", "items": text("A phone number or an e-mail address."), "default": [], "description": "What is public: neither taken out nor told by `ragline lint --recordings` (default: none)." },
        }),
    );
    let refusal = map(
        "Wordings of this project, beside those of the language packs: part of the measure, so a change makes accepted outcomes incomparable.",
        &[],
        json!({
            "phrases": { "type": "array", "items": text("A phrase by which an answer refuses; case, marks and blanks do not matter."), "default": [], "description": "Refusals (default: none)." },
            "patterns": { "type": "array", "items": text("A regular expression over a sentence in lower case: the syntax of the Rust crate `regex`."), "default": [], "description": "Refusals, as expressions (default: none)." },
            "not": { "type": "array", "items": text("A regular expression; a sentence that it matches refuses nothing."), "default": [], "description": "What only reads like a refusal (default: none)." },
            "failures": { "type": "array", "items": text("A phrase by which the system says that it failed."), "default": [], "description": "Failures: no refusal and no answer (default: none)." },
        }),
    );
    let http = http(common);
    let command = command(common);
    let kinds = ["http", "command", "recorded", "builtin"].map(reference);
    let top = map(
        "",
        &["version"],
        json!({
            "version": version(),
            "targets": { "type": "object", "additionalProperties": { "anyOf": kinds }, "description": "The targets by name; `builtin` is always there." },
            "profile": { "type": "object", "additionalProperties": { "$ref": "#/$defs/profile" }, "description": "The profiles by name." },
            "privacy": reference("privacy"),
            "refusal": reference("refusal"),
            "history": text("The folder of the project in which `ragline accept` keeps NAME.history.jsonl, such as suites (default: none is kept)."),
        }),
    );
    let mut value = document("ragline.toml", "The settings of a project: what is asked, and how.", top);
    if let Value::Object(map) = &mut value {
        map.insert(
            "$defs".to_owned(),
            json!({
                "builtin": builtin,
                "recorded": recorded,
                "http": http,
                "command": command,
                "timeout": timeout(),
                "price": price(),
                "response": response(),
                "context": context(),
                "citation": citation(),
                "field": field(),
                "chunk": chunk,
                "profile": profile,
                "privacy": privacy,
                "refusal": refusal,
            }),
        );
    }
    value
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// A section whose keys are free and whose values are texts.
fn texts(description: &str) -> Value {
    json!({ "type": "object", "additionalProperties": { "type": "string" }, "default": {}, "description": description })
}

fn time(default: &str, what: &str) -> Value {
    json!({ "type": "string", "pattern": "^[0-9.]+ *(ms|s|m|min|h)$", "default": default, "description": format!("{what} (default: {default}).") })
}

fn size(what: &str) -> Value {
    json!({ "type": ["string", "integer"], "pattern": "^[0-9.]+ *([KMG]i?B|kB|[kmg]ib|B)?$", "minimum": 1, "default": "8MiB", "description": format!("{what} (default: 8MiB).") })
}

fn words(what: &str) -> Value {
    json!({ "type": ["string", "array"], "minItems": 1, "pattern": "\\S", "items": text("A word."), "description": what })
}

/// What every target that is asked anew has, with the keys of its kind.
fn live(common: fn(Value) -> Value, more: Value) -> Value {
    let mut keys = common(json!({
        "vars": texts("Further names for the templates (default: none)."),
        "response": reference("response"),
        "start": words("A server that is started for the run and stopped after it, without a shell (default: none)."),
        "ready": text("An address that answers 2xx when the target can be asked (default: none)."),
        "ready_within": time("60s", "How long starting and the first answer may take together"),
        "timeout": reference("timeout"),
        "retries": { "type": "integer", "minimum": 0, "maximum": 100, "default": 2, "description": "How often an attempt that failed for a passing reason is made again (default: 2)." },
        "rate": { "type": "string", "pattern": "^ *[1-9][0-9]* */ *(s|m|min|h) *$", "description": "At most so many attempts in a time, such as 10/s (default: without a limit)." },
        "recording": text("The file of recorded answers, from this file's folder (default: recordings/NAME.jsonl)."),
        "price": reference("price"),
    }));
    if let (Value::Object(keys), Value::Object(more)) = (&mut keys, more) {
        keys.extend(more);
    }
    keys
}

fn http(common: fn(Value) -> Value) -> Value {
    map(
        "A system that is asked over HTTP. In `url`, `query`, `headers` and `body`, {{ question }} is a template and ${NAME} a variable of the environment.",
        &["kind", "url"],
        live(
            common,
            json!({
                "kind": { "const": "http" },
                "preset": { "enum": preset::NAMES, "description": "The API of a known server; what stands here goes on top (default: none)." },
                "url": text("The address; with a preset, the server's, without the path that the preset knows."),
                "method": { "enum": ["GET", "POST", "PUT", "PATCH", "QUERY"], "description": "The method (default: POST with a body, else GET)." },
                "query": texts("Parameters of the address (default: none)."),
                "headers": texts("Headers (default: none). With a preset, an empty text takes one of its headers away."),
                "body": text("A template of JSON: {{ question }} stands for a JSON text with its quotes (default: none)."),
                "stream": word(&["json", "sse", "ndjson"], "json", "How a response comes: one JSON value, server-sent events, a JSON value a line (default: json)."),
                "ca": text("A file of certificates (PEM) to trust beside the system's (default: none)."),
                "proxy": text("none, or the address of a proxy (default: that of the environment)."),
                "max_body": size("The most bytes of a response"),
            }),
        ),
    )
}

fn command(common: fn(Value) -> Value) -> Value {
    map(
        "A program that answers.",
        &["kind", "command"],
        live(
            common,
            json!({
                "kind": { "const": "command" },
                "command": words("The program and its arguments, without a shell: a list, or one text that is split at blanks outside quotes. Arguments are templates."),
                "persistent": { "type": "boolean", "default": false, "description": "true: one process answers all questions, a line of JSON in, a line out; false: a process a question (default: false)." },
                "stdin": text("What it is given on its standard input: a template (default: the request as JSON)."),
                "output": word(&["json", "text"], "json", "What it prints: a JSON value, or the answer as it is (default: json)."),
                "folder": text("Where it runs (default: the folder of this file)."),
                "max_output": size("The most bytes that are taken from one answer"),
            }),
        ),
    )
}

fn timeout() -> Value {
    map(
        "Nested time-outs: what is not said gives way to what is said.",
        &[],
        json!({
            "connect": time("5s", "Until the connection stands"),
            "idle": time("30s", "Between two pieces of a response"),
            "attempt": time("30s", "One attempt"),
            "question": time("90s", "One question with all its attempts and waits"),
            "run": time("30m", "All questions"),
        }),
    )
}

fn price() -> Value {
    let amount = |what: &str| json!({ "type": "number", "minimum": 0, "default": 0, "description": format!("{what} (default: 0).") });
    map(
        "Your prices, for the sum at the end of a run (default: none).",
        &[],
        json!({
            "input": amount("For a million tokens of the prompt"),
            "output": amount("For a million tokens of the answer"),
            "call": amount("For a call"),
            "currency": { "type": "string", "pattern": "\\S", "default": "$", "description": "The currency, as it is printed (default: $)." },
        }),
    )
}

/// The schema of one part of a response, with what it is.
fn part(what: &str) -> Value {
    json!({ "$ref": "#/$defs/field", "description": what })
}

fn response() -> Value {
    map(
        "Where the parts of a response stand, as JSONPath (default: those of the preset; an http target needs one of both, a command without it prints lines of a recording).",
        &[],
        json!({
            "answer": part("The answer."),
            "delta": part("The pieces of a streamed answer, in each event; they are joined."),
            "contexts": part("The passages: every node that the path selects is one. In a stream a list takes the place of what came before, a single passage is added."),
            "context": reference("context"),
            "citations": part("The citations: every node is one. In a stream a list takes the place of what came before, a single citation is added."),
            "citation": reference("citation"),
            "refused": part("The system's own refusal flag."),
            "error": part("Where the system says that it failed; what stands there makes the response an error."),
            "input_tokens": part("Tokens of the prompt."),
            "output_tokens": part("Tokens of the answer."),
            "text_from": word(&["response", "corpus"], "response", "corpus: passages come without their text, which stands in the suite's corpus (default: response)."),
        }),
    )
}

fn context() -> Value {
    map(
        "The parts of a passage, from the passage.",
        &[],
        json!({
            "doc": part("The document."),
            "section": part("The heading path: a list, or one text."),
            "chunk": part("The passage's id."),
            "url": part("The address."),
            "text": part("The text."),
            "score": part("The retriever's score."),
            "start": part("Where it begins in the document, in code points."),
            "end": part("Where it ends."),
            "in_prompt": part("Whether it was in the prompt."),
        }),
    )
}

fn citation() -> Value {
    map(
        "The parts of a citation, from the citation.",
        &[],
        json!({
            "context": part("A passage by its number, from 1."),
            "doc": part("The document."),
            "section": part("The heading path within the document."),
            "chunk": part("A passage's id."),
            "url": part("An address."),
            "quote": part("The words that it cites."),
        }),
    )
}

fn field() -> Value {
    let path = || json!({ "type": "string", "pattern": "^\\$", "description": "A JSONPath (RFC 9535)." });
    let paths =
        |description: &str| json!({ "type": "array", "minItems": 1, "items": path(), "description": description });
    let first = "Paths: the first that selects anything but null wins.";
    json!({
        "anyOf": [
            path(),
            paths(first),
            map(
                "A path, and how its text is made to meet yours.",
                &["path"],
                json!({
                    "path": { "anyOf": [path(), paths(first)] },
                    "strip_prefix": text("What is taken off the front (default: nothing)."),
                    "basename": { "type": "boolean", "default": false, "description": "Only what follows the last / or \\ (default: false)." },
                    "regex": text("Only what the first group matches, or the whole match; a text that does not match stays as it is (default: none)."),
                    "replace": {
                        "type": "array",
                        "items": { "type": "array", "minItems": 2, "maxItems": 2, "items": { "type": "string" } },
                        "description": "Pairs of a regular expression and the text that takes the place of all that it matches, in order; $1 is the first group (default: none).",
                    },
                    "lowercase": { "type": "boolean", "default": false, "description": "All letters small (default: false)." },
                    "event": text("In a stream: only in events of this name, by their `event:` line, or by `event` or `type` at the top of their data (default: in all). Not in the parts of a passage or citation."),
                }),
            ),
        ],
    })
}

//! The schemas of the files around a suite.

use super::{document, map, text, version, word};
use crate::gate::thresholds::Metric;
use crate::layer::LayerId;
use serde_json::{Value, json};

pub(super) fn responses() -> Value {
    let context = map(
        "A passage that was retrieved, best first.",
        &[],
        json!({
            "doc": { "type": ["string", "number", "null"], "description": "The document." },
            "section": { "type": ["array", "null"], "items": { "type": "string" }, "description": "The heading path, outermost first." },
            "chunk": { "type": ["string", "number", "null"], "description": "The passage's id." },
            "url": { "type": ["string", "null"], "description": "The document's address." },
            "text": { "type": ["string", "null"], "description": "The passage's text." },
            "score": { "type": ["number", "null"], "description": "The retriever's score." },
            "start": { "type": ["integer", "null"], "minimum": 0, "description": "Where it begins in the document, in code points." },
            "end": { "type": ["integer", "null"], "minimum": 0, "description": "Where it ends." },
            "in_prompt": { "type": "boolean", "default": true, "description": "Whether it was put into the prompt (default: true)." },
        }),
    );
    let citation = map(
        "A citation: by the number of a passage, from 1, or by document or address.",
        &[],
        json!({
            "context": { "type": ["integer", "null"], "description": "A passage by its number, from 1." },
            "doc": { "type": ["string", "number", "null"], "description": "A document." },
            "section": { "type": ["array", "null"], "items": { "type": "string" }, "description": "The heading path within the document." },
            "chunk": { "type": ["string", "number", "null"], "description": "A passage's id." },
            "url": { "type": ["string", "null"], "description": "An address." },
            "quote": { "type": ["string", "null"], "description": "The words that it cites." },
        }),
    );
    let header = map(
        "The first line (optional).",
        &["version", "kind"],
        json!({
            "version": version(),
            "kind": { "const": "responses" },
            "suite": text("The suite (default: that of the command line, or of each line)."),
            "subject": text("The identity of what answered."),
            "target": text("The target that answered; accepted answers name it."),
        }),
    );
    let mut response = map(
        "One response.",
        &["id"],
        json!({
            "suite": text("The suite (default: that of the header)."),
            "id": { "type": ["string", "number"], "description": "The question." },
            "repeat": { "type": "integer", "minimum": 0, "default": 0, "description": "Which repetition (default: 0)." },
            "key": text("The digest of the whole request that it answers (default: nobody noted it)."),
            "subject": text("What answered (default: what the header says)."),
            "masked": { "type": "boolean", "default": false, "description": "Whether something was taken out before it was written (default: false)." },
            "answer": { "type": ["string", "null"], "description": "The answer; absent for a bare retriever." },
            "contexts": { "type": "array", "items": context, "description": "The passages. Absent is not the same as an empty list." },
            "citations": { "type": "array", "items": citation, "description": "What is cited." },
            "refused": { "type": ["boolean", "null"], "description": "The target's own refusal flag." },
            "latency_ms": { "type": ["integer", "null"], "minimum": 0, "description": "How long it took." },
            "usage": map("What it cost.", &[], json!({
                "input_tokens": { "type": "integer", "minimum": 0, "description": "Tokens of the prompt." },
                "output_tokens": { "type": "integer", "minimum": 0, "description": "Tokens of the answer." },
            })),
            "error": { "type": ["string", "null"], "description": "Why there is no answer." },
        }),
    );
    if let Value::Object(map) = &mut response {
        let one = |key: &str| json!({ "required": [key] });
        map.insert("anyOf".to_owned(), ["answer", "contexts", "error"].map(one).into());
    }
    document(
        "ragline responses",
        "One line of a recording: JSON lines, a header, then a response a line.",
        json!({ "anyOf": [header, response] }),
    )
}

pub(super) fn ragline() -> Value {
    let common = |more: Value| {
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
    let profile = map(
        "A named set of run settings.",
        &[],
        json!({
            "select": { "type": ["string", "array"], "items": { "type": "string" }, "default": "all", "description": "Selectors (default: all)." },
            "repeat": { "const": 1, "default": 1, "description": "How often each question is asked (default: 1)." },
        }),
    );
    let top = map(
        "",
        &["version"],
        json!({
            "version": version(),
            "targets": { "type": "object", "additionalProperties": { "anyOf": [{ "$ref": "#/$defs/builtin" }, { "$ref": "#/$defs/recorded" }] }, "description": "The targets by name; `builtin` is always there." },
            "profile": { "type": "object", "additionalProperties": { "$ref": "#/$defs/profile" }, "description": "The profiles by name." },
        }),
    );
    let mut value = document("ragline.toml", "The settings of a project: what is asked, and how.", top);
    if let Value::Object(map) = &mut value {
        map.insert(
            "$defs".to_owned(),
            json!({ "builtin": builtin, "recorded": recorded, "chunk": chunk, "profile": profile }),
        );
    }
    value
}

pub(super) fn thresholds() -> Value {
    let count = |what: &str| json!({ "type": "integer", "minimum": 0, "default": 0, "description": format!("How many questions may {what} (default: 0).") });
    let limit = |what: &str| json!({ "type": "number", "minimum": 0, "maximum": 1, "description": what });
    let rule = map(
        "",
        &[],
        json!({
            "min": limit("The least mean that holds (default: none)."),
            "max": limit("The greatest mean that holds (default: none)."),
            "bound": word(&["value", "lower"], "value", "value: the mean itself; lower: the worse end of its interval (default: value)."),
        }),
    );
    // `retrieval.hit@K` stands for any cut-off.
    let names: Vec<String> =
        Metric::NAMES.iter().map(|n| n.replace('.', "\\.").replace("@K", "@[1-9][0-9]*")).collect();
    let pattern = format!("^({})$", names.join("|"));
    let rules = json!({ (pattern.as_str()): { "$ref": "#/$defs/threshold" } });
    let tag = json!({ "type": "object", "patternProperties": rules, "additionalProperties": false });
    let suite = json!({
        "type": "object",
        "properties": { "tag": { "type": "object", "additionalProperties": tag, "description": "Limits on the questions of a tag." } },
        "patternProperties": rules,
        "additionalProperties": false,
    });
    let top = map(
        "",
        &["version"],
        json!({
            "version": version(),
            "mode": word(&["block", "advisory"], "block", "block: a closed gate stops the build; advisory: it says so and exits 0 (default: block)."),
            "max_regressed": count("regress"),
            "max_unmeasured": count("stay unmeasured"),
            "stale": word(&["block", "warn"], "block", "What a confirmed fix does that nobody accepted (default: block)."),
            "primary": { "type": "array", "items": { "enum": LayerId::ALL.map(LayerId::name) }, "default": ["retrieval", "facts", "refusal", "numbers"], "description": "The layers that reports lead with (default: retrieval, facts, refusal, numbers)." },
            "baseline": word(&["required", "none"], "required", "none: each question is judged by its own assertions (default: required)."),
            "incomparable": word(&["block", "allow"], "block", "What a baseline does that was made by other rules (default: block)."),
            "suite": { "type": "object", "additionalProperties": suite, "description": "Limits on means, by suite." },
        }),
    );
    let mut value = document("thresholds.toml", "The policy of the gate. Without a file, the defaults hold.", top);
    if let Value::Object(map) = &mut value {
        let short = limit("The limit on the bad side: `min`, for refusal.false_rate `max`.");
        map.insert("$defs".to_owned(), json!({ "threshold": { "anyOf": [short, rule] } }));
    }
    value
}

#[cfg(test)]
mod tests {
    use crate::gate::thresholds::{RULE, THRESHOLDS};
    use crate::suite::config::{BUILTIN_TARGET, CHUNK, PROFILE, RAGLINE, RECORDED_TARGET};
    use crate::suite::load::{EVIDENCE, FACT, NUMBER, QUESTION, SUITE};
    use serde_json::Value;
    use std::collections::BTreeSet;

    fn keys(schema: &Value, pointer: &str) -> BTreeSet<String> {
        schema.pointer(pointer).unwrap_or_else(|| panic!("{pointer}")).as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn the_schemas_have_the_keys_that_the_readers_know() {
        let parse = |kind| serde_json::from_str::<Value>(&crate::suite::schema::schema(kind).unwrap()).unwrap();
        let (suite, ragline, thresholds) = (parse("suite"), parse("ragline"), parse("thresholds"));
        for (schema, pointer, shape) in [
            (&suite, "/properties", SUITE),
            (&suite, "/$defs/question/properties", QUESTION),
            (&suite, "/$defs/evidence/properties", EVIDENCE),
            (&suite, "/$defs/fact/anyOf/1/properties", FACT),
            (&suite, "/$defs/number/properties", NUMBER),
            (&ragline, "/properties", RAGLINE),
            (&ragline, "/$defs/builtin/properties", BUILTIN_TARGET),
            (&ragline, "/$defs/recorded/properties", RECORDED_TARGET),
            (&ragline, "/$defs/chunk/properties", CHUNK),
            (&ragline, "/$defs/profile/properties", PROFILE),
            (&thresholds, "/properties", THRESHOLDS),
            (&thresholds, "/$defs/threshold/anyOf/1/properties", RULE),
        ] {
            assert_eq!(keys(schema, pointer), shape.keys.iter().map(ToString::to_string).collect(), "{pointer}");
        }
    }
}

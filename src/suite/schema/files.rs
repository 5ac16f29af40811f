//! The schemas of the files around a suite.

use super::{document, map, text, version, word};
use crate::gate::thresholds::Metric;
use crate::layer::LayerId;
use crate::review::decisions;
use serde_json::{Value, json};

pub(super) fn labels() -> Value {
    let header = map(
        "The first line (optional).",
        &["version", "kind"],
        json!({ "version": version(), "kind": { "const": "labels" }, "suite": text("The suite (default: the one that the file stands beside).") }),
    );
    let layers: Vec<&str> = LayerId::ALL.iter().map(|l| l.name()).collect();
    let mut label = map(
        "What a person says of one layer of one answer.",
        &["id", "layer", "verdict", "because"],
        json!({
            "id": text("The question."),
            "layer": { "enum": layers, "description": "The layer." },
            "verdict": { "enum": ["pass", "fail"], "description": "Whether the answer is right as far as the layer goes." },
            "because": text("Why."),
            "by": text("Who says so (default: nobody is named)."),
            "at": text("The day (default: none)."),
            "digest": text("The answer that was looked at, by the first 16 hexadecimal digits of the sha256 of its text."),
            "answer": text("The same by its text, in place of `digest`."),
        }),
    );
    if let Value::Object(map) = &mut label {
        let one = |key: &str| json!({ "required": [key] });
        map.insert("oneOf".to_owned(), ["digest", "answer"].map(one).into());
    }
    document(
        "ragline labels",
        "JSON lines: a header, then what people say of answers, a label a line. A line of the file matches this schema. Labels change no outcome.",
        json!({ "anyOf": [header, label] }),
    )
}

pub(super) fn decisions() -> Value {
    let layers: Vec<&str> = LayerId::ALL.iter().map(|l| l.name()).collect();
    let mut entry = map(
        "What was decided of one question.",
        &["suite", "id", "decision"],
        json!({
            "suite": text("The suite."),
            "id": text("The question."),
            "decision": { "enum": decisions::NAMES, "description": "`accept`: the new answer is right; `keep`: what was accepted stays right; `check_wrong`: a layer judges the answer wrongly." },
            "layer": { "enum": layers, "description": "The layer whose check is wrong; with `check_wrong` alone, and always there." },
            "reason": { "type": "string", "description": "Why (default: no reason is given); always with `check_wrong`." },
            "who": { "type": "string", "description": "Who decided (default: nobody is named)." },
            "expects": { "type": "string", "description": "The digest of what the question expected, as results write it (default: not checked)." },
            "answer": { "type": "string", "description": "The answer that was looked at, by the first 16 hexadecimal digits of the sha256 of its text (default: not checked)." },
        }),
    );
    if let Value::Object(map) = &mut entry {
        map.insert("if".to_owned(), json!({ "properties": { "decision": { "const": "check_wrong" } } }));
        map.insert("then".to_owned(), json!({ "required": ["layer", "reason"] }));
        map.insert("else".to_owned(), json!({ "properties": { "layer": false } }));
    }
    document(
        "ragline decisions",
        "What a reviewer decided of the questions of a run, as the HTML report saves it.",
        map(
            "",
            &["version", "kind", "decisions"],
            json!({
                "version": version(),
                "kind": { "const": decisions::KIND },
                "run": { "type": "string", "description": "The id of the run that was looked at (default: not known)." },
                "decisions": { "type": "array", "items": entry, "description": "The decisions, one for a question at most." },
            }),
        ),
    )
}

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
    let mode = || {
        word(
            &["block", "advisory"],
            "block",
            "block: what breaks here stops the build; advisory: it is only said (default: as outside).",
        )
    };
    let part = || map("", &["mode"], json!({ "mode": mode() }));
    let tag = json!({ "type": "object", "properties": { "mode": mode() }, "patternProperties": rules, "additionalProperties": false });
    let stale =
        || word(&["block", "warn"], "block", "What a confirmed fix does that nobody accepted (default: block).");
    let expired = || {
        word(
            &["main", "block", "warn"],
            "main",
            "What an accepted failure does after its last day: block on the main branch only, block everywhere, or warn (default: main).",
        )
    };
    let for_profile = map(
        "What holds instead when this profile of ragline.toml is named.",
        &[],
        json!({
            "mode": mode(),
            "max_regressed": count("regress"),
            "max_unmeasured": count("stay unmeasured"),
            "stale": stale(),
            "expired": expired(),
        }),
    );
    let layers = json!({
        "type": "object",
        "properties": LayerId::ALL.iter().map(|l| (l.name().to_owned(), part())).collect::<serde_json::Map<_, _>>(),
        "additionalProperties": false,
        "description": "Modes by layer (default: none).",
    });
    let suite = json!({
        "type": "object",
        "properties": { "mode": mode(), "tag": { "type": "object", "additionalProperties": tag, "description": "Limits on the questions of a tag." } },
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
            "stale": stale(),
            "expired": expired(),
            "main": { "type": "array", "items": { "type": "string" }, "default": ["main", "master"], "description": "The names of the main branch (default: main, master)." },
            "layer": layers,
            "tag": { "type": "object", "additionalProperties": part(), "description": "Modes by tag, in every suite (default: none)." },
            "profile": { "type": "object", "additionalProperties": { "$ref": "#/$defs/for_profile" }, "description": "What holds instead when a profile is named (default: nothing)." },
            "primary": { "type": "array", "items": { "enum": LayerId::ALL.map(LayerId::name) }, "default": ["retrieval", "facts", "refusal", "numbers"], "description": "The layers that reports lead with and that are tested as a whole (default: retrieval, facts, refusal, numbers)." },
            "baseline": word(&["required", "none"], "required", "none: each question is judged by its own assertions (default: required)."),
            "incomparable": word(&["block", "allow"], "block", "What a baseline does that was made by other rules (default: block)."),
            "suite": { "type": "object", "additionalProperties": suite, "description": "Limits on means, by suite." },
        }),
    );
    let mut value = document("thresholds.toml", "The policy of the gate. Without a file, the defaults hold.", top);
    if let Value::Object(map) = &mut value {
        let short = limit("The limit on the bad side: `min`, for refusal.false_rate `max`.");
        map.insert("$defs".to_owned(), json!({ "threshold": { "anyOf": [short, rule] }, "for_profile": for_profile }));
    }
    value
}

#[cfg(test)]
mod tests {
    use crate::gate::thresholds::{FOR_PROFILE, RULE, THRESHOLDS};
    use crate::suite::config::{
        BUILTIN_TARGET, CHUNK, CITATION, COMMAND_TARGET, CONFIRM, CONTEXT, FIELD, HTTP_TARGET, PRICE, PRIVACY, PROFILE,
        RAGLINE, RECORDED_TARGET, REFUSAL, RESPONSE, TIMEOUT,
    };
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
            (&ragline, "/$defs/privacy/properties", PRIVACY),
            (&ragline, "/$defs/refusal/properties", REFUSAL),
            (&ragline, "/$defs/http/properties", HTTP_TARGET),
            (&ragline, "/$defs/command/properties", COMMAND_TARGET),
            (&ragline, "/$defs/timeout/properties", TIMEOUT),
            (&ragline, "/$defs/profile/properties/confirm/properties", CONFIRM),
            (&ragline, "/$defs/price/properties", PRICE),
            (&ragline, "/$defs/response/properties", RESPONSE),
            (&ragline, "/$defs/context/properties", CONTEXT),
            (&ragline, "/$defs/citation/properties", CITATION),
            (&ragline, "/$defs/field/anyOf/2/properties", FIELD),
            (&thresholds, "/properties", THRESHOLDS),
            (&thresholds, "/$defs/threshold/anyOf/1/properties", RULE),
            (&thresholds, "/$defs/for_profile/properties", FOR_PROFILE),
        ] {
            assert_eq!(keys(schema, pointer), shape.keys.iter().map(ToString::to_string).collect(), "{pointer}");
        }
    }
}

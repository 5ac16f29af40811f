//! The schema of a suite.

use super::{document, loose_text, map, text, version, word};
use serde_json::{Value, json};

const ID: &str = "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$";

pub(super) fn suite() -> Value {
    let top = map(
        "",
        &["version", "questions"],
        json!({
            "version": version(),
            "suite": { "type": ["string", "number"], "pattern": ID, "description": "The suite's name: letters, digits and . _ - (default: the file's name without its ending)." },
            "edition": loose_text("The suite's own edition, free text (default: none)."),
            "language": { "type": "string", "pattern": "^[A-Za-z]{2,3}([-_].*)?$", "description": "The language of questions and answers, such as vi, th, zh, en (default: detected by the letters of the questions)." },
            "corpus": text("The folder of the corpus, from this file's folder (default: none). With it, evidence is looked up before the target is blamed."),
            "target": text("The target that is asked (default: given on the command line, else `builtin`)."),
            "top_k": top_k("all that were in the prompt"),
            "numbers": map("What the numbers layer grants every question.", &[], json!({ "allow": allow() })),
            "citation": citation("How the citations of every answer are read.", "note", "1"),
            "questions": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/question" }, "description": "The questions. In JSON lines they follow the header line, one a line." },
        }),
    );
    let mut suite = document(
        "ragline suite",
        "A golden set: questions, and what their answers must be like. In YAML, or in JSON lines: the header without `questions`, then a question a line.",
        top,
    );
    if let Value::Object(suite) = &mut suite {
        suite.insert(
            "$defs".to_owned(),
            json!({ "question": question(), "evidence": evidence(), "fact": fact(), "number": number(), "setting": setting() }),
        );
    }
    suite
}

fn top_k(default: &str) -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": 10000, "description": format!("How many passages count for retrieval (default: {default}).") })
}

fn question() -> Value {
    map(
        "One golden question. It needs an id, a text and one thing to check: `facts`, `evidence`, `must_not` or `expect: refuse` or `clarify`. With only `reference` or `rubric` it is observed: asked and shown, never green.",
        &["id", "question"],
        json!({
            "id": { "type": ["string", "number", "boolean"], "pattern": ID, "description": "Its id, unique in the suite: letters, digits and . _ -." },
            "question": loose_text("What is asked."),
            "expect": word(&["answer", "refuse", "either", "clarify"], "answer", "What is expected: an answer, a refusal because the corpus does not hold one, either, or a question back about what is meant (default: answer)."),
            "evidence": { "type": "array", "items": { "$ref": "#/$defs/evidence" }, "default": [], "description": "Where the answer stands (default: none, retrieval is not checked)." },
            "evidence_match": word(&["any", "all"], "any", "Whether one item of the evidence suffices (default: any)."),
            "facts": { "type": "array", "items": { "$ref": "#/$defs/fact" }, "default": [], "description": "What the answer must say, all of it (default: none)." },
            "must_not": { "type": "array", "items": { "$ref": "#/$defs/fact" }, "default": [], "description": "What the answer must not say (default: none)." },
            "reference": loose_text("A model answer (default: none)."),
            "rubric": loose_text("Instructions for a judge (default: none)."),
            "top_k": top_k("that of the suite"),
            "tags": { "type": "array", "items": loose_text("A tag."), "default": [], "description": "Tags, for selectors and thresholds (default: none)." },
            "severity": word(&["critical", "normal", "minor"], "normal", "How much it matters: a broken critical one always blocks, a minor one never (default: normal)."),
            "owner": loose_text("Who is asked when it breaks (default: nobody)."),
            "group": loose_text("Questions of one group share evidence and count as one cluster in statistics (default: each its own)."),
            "layers": map("The setting of each layer (default: on).", &[], json!({
                "retrieval": { "$ref": "#/$defs/setting" },
                "facts": { "$ref": "#/$defs/setting" },
                "refusal": { "$ref": "#/$defs/setting" },
                "numbers": { "$ref": "#/$defs/setting" },
                "citation": { "$ref": "#/$defs/setting" },
            })),
            "numbers": map("What the numbers layer grants this question.", &[], json!({
                "allow": allow(),
                "allow_sum": { "type": "boolean", "default": false, "description": "Whether the sum or difference of two grounded numbers is grounded too (default: false)." },
            })),
            "citation": citation("How the citations of this answer are read.", "that of the suite", "that of the suite"),
            "draft": { "type": "boolean", "default": false, "description": "Not ready yet: not asked, counted apart (default: false)." },
            "extra": { "description": "Anything; never read." },
        }),
    )
}

fn citation(description: &str, support: &str, count_from: &str) -> Value {
    map(
        description,
        &[],
        json!({
            "support": { "enum": ["fail", "note", "off"], "description": format!("What is made of a citation that does not bear out the sentence that cites it: fail: it fails the layer; note: it is told; off: nobody looks (default: {support}).") },
            "count_from": { "enum": [0, 1], "description": format!("The number by which the markers of the text name the first passage (default: {count_from}).") },
        }),
    )
}

fn allow() -> Value {
    json!({ "type": "array", "items": loose_text("A number with its unit, as answers write it."), "default": [], "description": "Numbers that need no passage, such as a hotline that stands in the system's instructions (default: none)." })
}

fn setting() -> Value {
    word(
        &["on", "warn", "off"],
        "on",
        "on: checked, a fail counts; warn: checked and shown, a fail is tolerated; off: not checked (default: on).",
    )
}

fn evidence() -> Value {
    let nested = |what: &str| json!({ "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/evidence" }, "description": what });
    let mut value = map(
        "A place where the answer stands: at least one of `doc`, `chunk`, `url`, `span`; or places combined.",
        &[],
        json!({
            "doc": loose_text("The document, as the target names it."),
            "section": {
                "description": "The heading path, outermost first; the begin of a path matches, and with a corpus a part that only one heading path ends with (default: anywhere in the document).",
                "anyOf": [loose_text("One heading."), { "type": "array", "minItems": 1, "items": loose_text("A heading.") }],
            },
            "span": loose_text("The words that decide (default: the document or section suffices)."),
            "start": { "type": "integer", "minimum": 0, "description": "With `end`: the characters of the document that decide, counted in code points from 0; for passages that say where they stand (default: by the words)." },
            "end": { "type": "integer", "minimum": 1, "description": "The character behind the last." },
            "union": { "type": "boolean", "default": false, "description": "Passages of the document that are in the prompt together may cover the span between them (default: one holds it whole)." },
            "chunk": loose_text("The passage's id. Numbers keep the digits they are written with."),
            "url": loose_text("The document's address. The scheme, the case of the host and a slash at the end do not matter; the piece behind # is a heading."),
            "grade": { "type": "integer", "minimum": 1, "maximum": 100, "default": 1, "description": "Graded relevance (default: 1)." },
            "any_of": nested("One of them suffices."),
            "all_of": nested("Each of them is needed."),
        }),
    );
    if let Value::Object(map) = &mut value {
        let one = |key: &str| json!({ "required": [key] });
        map.insert("anyOf".to_owned(), ["doc", "chunk", "url", "span", "any_of", "all_of"].map(one).into());
    }
    value
}

fn fact() -> Value {
    let nested = |least: u8, what: &str| json!({ "type": "array", "minItems": least, "items": { "$ref": "#/$defs/fact" }, "description": what });
    let mut forms = map(
        "A fact in one of its forms, and how it is looked for.",
        &[],
        json!({
            "text": loose_text("Words, found with word borders."),
            "any_of": nested(1, "One of them suffices."),
            "all_of": nested(1, "Each of them is needed."),
            "order": nested(2, "Each of them is needed, and each is first stated behind the one before it."),
            "regex": text("A regular expression over the answer: the syntax of the Rust crate `regex`, case as written."),
            "number": { "$ref": "#/$defs/number" },
            "date": { "type": ["string", "number"], "description": "A date by its parts: 2026-11-30, 2026-11, 2026, --11-30 (a day of any year)." },
            "yes_no": { "enum": ["yes", "no", true, false], "description": "The answer says yes or no." },
            "fold": { "type": "boolean", "default": false, "description": "Letters without their marks are the same: Röntgen, Rontgen (default: false)." },
            "fuzzy": { "type": "boolean", "default": false, "description": "In scripts without blanks, four fifths of the pairs of characters suffice (default: false)." },
            "min_recall": { "type": "number", "exclusiveMinimum": 0, "maximum": 1, "description": "The share of the words that must stand near each other (default: 1)." },
            "negation": word(&["auto", "strict", "warn", "off"], "auto", "What a negation in front of it does: auto: a miss where the fact holds a word such as may or must, else a note; strict: a miss; warn: a note; off: nothing (default: auto)."),
            "condition": { "$ref": "#/$defs/fact" },
            "path": text("A JSONPath: the part of an answer in JSON that is looked at (default: the whole answer)."),
        }),
    );
    if let Value::Object(map) = &mut forms {
        let form = |key: &str| json!({ "required": [key] });
        let all = ["text", "any_of", "all_of", "order", "regex", "number", "date", "yes_no"].map(form);
        map.insert("oneOf".to_owned(), json!(all));
    }
    json!({ "anyOf": [loose_text("A text fact, as written."), forms] })
}

fn number() -> Value {
    map(
        "A number by value.",
        &["value"],
        json!({
            "value": { "type": ["number", "string"], "description": "The value: digits, with `.` as the decimal mark and nothing between thousands." },
            "unit": text("The unit, such as VND, day or % (default: any)."),
            "op": word(&["stated", "eq", "le", "ge"], "stated", "stated: the answer states the value, as any bound; eq: the value itself; le: as the most that may be, or bare; ge: as the least (default: stated)."),
        }),
    )
}

//! Bad files, through the binary: a clear error with a place and exit 2, nothing half written, never a panic; and answers
//! that are missing or broken are unmeasured, never a pass.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, Ran, outcome};
use serde_json::{Value, json};

/// Each question stands for itself.
const ALONE: &str = "version = 1\nbaseline = \"none\"\n";
const HEADER: &str = "{\"version\":1,\"kind\":\"responses\",\"suite\":\"s\"}\n";
const GOOD: &str = "{\"id\":\"q1\",\"answer\":\"14 days\",\"contexts\":[{\"doc\":\"a.md\",\"text\":\"14 days\"}]}\n";
const ONE: &str = "version: 1\nsuite: s\nquestions:\n  - { id: q1, question: When?, facts: [\"14 days\"] }\n";
const RUN: [&str; 3] = ["run", "--answers", "r.jsonl"];

/// A project with a suite `s` and a recording `r.jsonl`.
fn project(suite: &str, recording: impl AsRef<[u8]>) -> Folder {
    let name = if suite.starts_with('{') { "suites/s.jsonl" } else { "suites/s.yaml" };
    let folder = Folder::with(&[("ragline.toml", "version = 1\n"), ("thresholds.toml", ALONE), (name, suite)]);
    folder.write("r.jsonl", recording.as_ref());
    folder
}

/// A suite in YAML with further keys of the suite and of its only question.
fn suite(of_suite: &str, of_question: &str) -> String {
    format!("version: 1\nsuite: s\n{of_suite}questions:\n  - id: q1\n    question: When?\n{of_question}")
}

/// A command that must be refused: exit 2, and not a file has changed; there is no run, not even half of one.
#[track_caller]
fn refused(folder: &Folder, args: &[&str]) -> Ran {
    let before = folder.files();
    let ran = folder.run(args).exits(2);
    assert!(ran.err.contains("error[") || ran.err.contains("error:"), "{}", ran.err);
    assert!(before == folder.files(), "files have changed");
    assert_eq!(folder.runs(), Vec::<std::path::PathBuf>::new(), "half a run is left");
    assert!(!folder.path().join(".ragline/runs/latest").exists());
    ran
}

/// A recording that must be refused, with these words.
#[track_caller]
fn bad_recording(recording: impl AsRef<[u8]>, words: &[&str]) {
    refused(&project(ONE, recording), &RUN).says(words);
}

// Recordings.

#[test]
fn a_broken_line_is_shown_with_a_caret() {
    bad_recording(
        format!("{HEADER}{GOOD}{{\"id\":\"q2\",\"answer\":\"x\"\n"),
        &[
            "r.jsonl:3:23",
            "3 | {\"id\":\"q2\",\"answer\":\"x\"\n  |                       ^",
            "EOF while parsing an object",
        ],
    );
    // Its head can be read, so that it is found when its question is asked.
    bad_recording(
        format!("{HEADER}{{\"id\":\"q1\",\"answer\":\"x\" \"y\"}}\n"),
        &["r.jsonl:2:25", "expected `,` or `}`", "  |                         ^"],
    );
    // A line that no question asks for is read too.
    bad_recording(format!("{HEADER}{GOOD}{{\"id\":\"zz\",\"answer\":\"x\" \"y\"}}\n"), &["r.jsonl:3:25"]);
    // The end of the file is missing.
    bad_recording(format!("{HEADER}{GOOD}{{\"id\":\"q2\",\"answer\":\"14 da"), &["r.jsonl:3:26", "EOF"]);
    let start: String = format!("{HEADER}{GOOD}").chars().take(HEADER.len() + 40).collect();
    bad_recording(start, &["r.jsonl:2:", "EOF"]);
}

#[test]
fn keys_and_types_of_a_recording_are_checked() {
    for (line, words) in [
        (r#"{"id":"q1","anser":"x"}"#, "unknown field `anser`"),
        (r#"{"id":"zz","answer":"x","note":1}"#, "unknown field `note`"),
        (r#"{"id":"q1","answer":"x","contexts":[{"doc":"d","page":1}]}"#, "unknown field `page`"),
        (r#"{"id":"q1","answer":"x","answer":"y"}"#, "duplicate field `answer`"),
        (r#"{"id":"q1","answer":"14 days","id":"q9"}"#, "duplicate field `id`"),
        (r#"{"id":"q1","answer":5}"#, "expected a text"),
        (r#"{"id":"q1","repeat":-1,"answer":"x"}"#, "`-1`"),
        (r#"{"id":"q1"}"#, "needs one of `answer`, `contexts`, `error`"),
        (r#"{"id":"q1","contexts":[{"score":1}]}"#, "a passage needs one of"),
        (r#"{"id":"q1","answer":"\ud800"}"#, "hex escape"),
        (r#"{"id":"q1","answer":"x","latency_ms":NaN}"#, "expected value"),
        (r#"{"id":"q1","answer":"x","latency_ms":1e400}"#, "number out of range"),
        (r#"{"answer":"x"}"#, "needs an `id`"),
        (r#"{"id":null,"answer":"x"}"#, "needs an `id`"),
        (r#"{"id":["q1"],"answer":"x"}"#, "the `id` of a response is a text"),
        (r#"{"id":"","answer":"x"}"#, "the `id` of a response is empty"),
    ] {
        bad_recording(format!("{HEADER}{line}\n"), &["--> r.jsonl:2:", words, "2 | {"]);
    }
    let deep = format!("{HEADER}{{\"id\":\"q1\",\"answer\":{}{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    bad_recording(deep, &["r.jsonl:2:"]);
    let deep = format!("{HEADER}{{\"id\":\"q1\",\"nothing\":{}{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    bad_recording(deep, &["r.jsonl:2:"]);
}

#[test]
fn the_header_of_a_recording_is_checked() {
    for (header, words) in [
        (r#"{"version":2,"kind":"responses","suite":"s"}"#, "version 2 of kind `responses`"),
        (r#"{"version":1,"kind":"journal"}"#, "version 1 of kind `journal`"),
        (r#"{"version":1,"kind":"responses","suit":"s"}"#, "unknown field `suit`"),
        (r#"{"version":1,"kind":"responses","suite":"s","suite":"t"}"#, "duplicate field `suite`"),
        (r#"{"version":1.5,"kind":"responses"}"#, "1.5"),
        (r#"{"version":1}"#, "missing field `kind`"),
    ] {
        bad_recording(format!("{header}\n{GOOD}"), &["--> r.jsonl:1:", words, "1 | {"]);
    }
    bad_recording(format!("{GOOD}{HEADER}"), &["r.jsonl:2:1", "a header stands on the first line only"]);
    bad_recording(format!("{HEADER}{HEADER}{GOOD}"), &["r.jsonl:2:1", "a header stands on the first line only"]);
    let other = HEADER.replace("\"s\"", "\"ss\"");
    bad_recording(format!("{other}{GOOD}"), &["there is no suite `ss`; did you mean `s`?", "r.jsonl:1"]);
    let of_line = GOOD.replace("\"q1\"", "\"q2\",\"suite\":\"sss\"");
    bad_recording(format!("{GOOD}{of_line}"), &["there is no suite `sss`", "r.jsonl:2"]);
}

#[test]
fn a_file_of_another_form_is_named_once() {
    bad_recording((0..=255).cycle().take(2000).collect::<Vec<u8>>(), &["holds a NUL character", "r.jsonl:1"]);
    let utf16: Vec<u8> = "\u{feff}".chars().chain(HEADER.chars()).flat_map(|c| (c as u16).to_le_bytes()).collect();
    bad_recording(utf16, &["this file is UTF-16, expected UTF-8"]);
    let mut latin = HEADER.as_bytes().to_vec();
    latin.extend(b"{\"id\":\"q1\",\"answer\":\"14 d\xe9ys\"}\n");
    bad_recording(latin, &["this line is not UTF-8; it looks like Latin-1", "r.jsonl:2:"]);
    bad_recording(format!("{HEADER}{GOOD}\0\0\0\n"), &["holds a NUL character", "r.jsonl:3"]);
    for text in [
        format!("[{}]", GOOD.trim()),
        "{\n \"id\": \"q1\",\n \"answer\": \"14 days\"\n}\n".into(),
        "42\n".into(),
        "<html>".into(),
    ] {
        let ran = refused(&project(ONE, &text), &RUN).says(&[
            "r.jsonl:1:1",
            "not a whole JSON object",
            "one response a line",
        ]);
        assert_eq!(ran.err.matches("error[").count(), 1, "{}", ran.err);
    }
    // A folder, and nothing at all.
    let folder = project(ONE, "");
    folder.write("d.jsonl/x", b"");
    refused(&folder, &["run", "--answers", "d.jsonl"]).says(&["d.jsonl", "cannot read this file"]);
    refused(&folder, &["run", "--answers", "no/r.jsonl"]).says(&["there is no file ", "no/r.jsonl"]);
}

#[test]
fn a_byte_order_mark_and_carriage_returns_are_accepted() {
    let windows = format!("\u{feff}{HEADER}{GOOD}").replace('\n', "\r\n");
    project(ONE, windows).run(&RUN).exits(0);
    let suite = format!("\u{feff}{ONE}").replace('\n', "\r\n");
    project(&suite, format!("{HEADER}{GOOD}")).run(&RUN).exits(0);
}

/// Nothing answered is never green.
#[test]
fn an_empty_recording_measures_nothing() {
    for text in ["", "\n\n  \n", HEADER] {
        let folder = project(ONE, text);
        folder.run(&RUN).exits(3).shows(&["no recording in r.jsonl", "blame     pipeline"]);
        assert_eq!(folder.results()["q1"]["outcome"], "unmeasured");
    }
}

/// H03: two answers to one question are a fault, with both lines.
#[test]
fn one_question_answered_twice_is_refused() {
    let second = "{\"id\":\"q1\",\"answer\":\"y\"}\n";
    bad_recording(
        format!("{HEADER}{GOOD}{second}"),
        &["a second response to `q1` (the first is on line 2)", "r.jsonl:3:1"],
    );
    // Also where they name the suite or not, and where the id is a number or a text.
    let named = "{\"id\":\"q1\",\"suite\":\"s\",\"answer\":\"y\"}\n";
    bad_recording(format!("{GOOD}{named}"), &["a second response to `q1` (the first is on line 1)", "r.jsonl:2"]);
    let sevens = "{\"id\":7,\"answer\":\"y\"}\n{\"id\":\"7\",\"answer\":\"y\"}\n";
    bad_recording(
        format!("{HEADER}{GOOD}{sevens}"),
        &["a second response to `7` (the first is on line 3)", "r.jsonl:4"],
    );
}

/// Several questions with the fact `14 days`.
fn questions(ids: &[&str]) -> String {
    let lines = ids.iter().map(|id| format!("  - {{ id: {id}, question: When?, facts: [\"14 days\"] }}\n"));
    format!("version: 1\nsuite: s\nquestions:\n{}", lines.collect::<String>())
}

/// H01: a question without a recording is unmeasured, with the nearest recording that nothing asks for.
#[test]
fn a_missing_recording_is_told_with_the_nearest_unused_one() {
    let answered = |id: &str| GOOD.replace("q1", id);
    let recording = [HEADER, GOOD, &answered("q2"), &answered("q03"), "{\"id\":\"q4\",\"answer\":null}\n"].concat();
    let folder = project(&questions(&["q1", "q2", "q3", "q4"]), recording);
    let ran = folder.run(&RUN).exits(3);
    ran.shows(&["no recording in r.jsonl; nearest: q03", "The answer of the response is null.", "2 unmeasured", "2/2"])
        .says(&["recordings that no question of `s` asks for: q03"]);
    let results = folder.results();
    let outcomes = ["q1", "q2", "q3", "q4"].map(|q| outcome(&results[q], "facts").to_owned());
    assert_eq!(outcomes, ["pass", "pass", "unmeasured", "unmeasured"]);
    // Another question's recording is not near, however near its id is.
    let folder = project(&questions(&["q1", "q2"]), format!("{HEADER}{GOOD}"));
    let ran = folder.run(&RUN).exits(3);
    assert!(!ran.out.contains("nearest"), "{}", ran.out);
}

/// B05: what forbids something is not satisfied by silence.
#[test]
fn nothing_passes_without_an_answer() {
    let suite = "version: 1\nsuite: s\nquestions:\n  - { id: q1, question: When?, must_not: [password] }\n  \
                 - { id: q2, question: When?, expect: refuse }\n";
    for said in [
        r#""answer":"""#,
        r#""answer":"   ""#,
        r#""answer":"\u200b\ufeff\u00a0""#,
        r#""answer":null"#,
        r#""error":"HTTP 500: no index""#,
        r#""contexts":[]"#,
    ] {
        let recording = format!("{HEADER}{{\"id\":\"q1\",{said}}}\n{{\"id\":\"q2\",{said}}}\n");
        let folder = project(suite, recording);
        let ran = folder.run(&RUN).exits(3);
        assert_eq!(ran.out.matches("blame     pipeline").count(), 2, "{said}\n{}", ran.out);
        assert_eq!(ran.out.matches("why       ").count(), 2, "{said}\n{}", ran.out);
        for (id, r) in folder.results() {
            assert_eq!((r["outcome"].as_str(), r["change"].as_str()), (Some("unmeasured"), Some("unmeasured")), "{id}");
            let passed = r["layers"].as_object().unwrap().values().any(|l| l["outcome"] == "pass");
            assert!(!passed, "{said}: a layer of {id} passed without an answer");
        }
    }
}

// Suites.

/// C02.
#[test]
fn a_key_given_twice_is_refused_in_every_format() {
    let twice = "    facts: [\"14 days\"]\n    facts: [\"receipt\"]\n    \"facts\": [\"no cash\"]\n";
    refused(&project(&suite("", twice), GOOD), &RUN).says(&[
        "key `facts` given at lines 6, 7 and 8",
        "use a list under `facts`",
        "suites/s.yaml:8:5",
    ]);
    let lines =
        "{\"version\":1,\"suite\":\"s\"}\n{\"id\":\"q1\",\"question\":\"W?\",\"facts\":[\"a\"],\"facts\":[\"b\"]}\n";
    refused(&project(lines, GOOD), &RUN).says(&["key `facts` given 2 times at line 2", "suites/s.jsonl:2:42"]);
    let folder = project(ONE, GOOD);
    folder.write("thresholds.toml", b"version = 1\n[suite.s]\n\"facts.rate\" = 0.5\n[suite.s]\n\"facts.rate\" = 0.9\n");
    refused(&folder, &RUN).says(&["key `suite.s` given at lines 2 and 4", "thresholds.toml:4:8"]);
    let folder = project(ONE, GOOD);
    folder.write("ragline.toml", b"version = 1\n[targets.a]\nkind = \"builtin\"\nkind = \"builtin\"\n");
    refused(&folder, &RUN).says(&["key `kind` given at lines 3 and 4", "ragline.toml:4:1"]);
}

/// C04.
#[test]
fn assertions_in_the_wrong_place_are_found() {
    let under = "    extra:\n      team: front\n      expect: { facts: [\"09:00\"] }\n";
    refused(&project(&suite("", under), GOOD), &RUN).says(&[
        "question `q1` has no assertions",
        "`expect` found under `extra`",
        "suites/s.yaml:4:5",
    ]);
    refused(&project(&suite("", "    metadata:\n      facts: [\"09:00\"]\n"), GOOD), &RUN)
        .says(&["`facts` found under `metadata`", "unknown key `metadata`"]);
}

/// C03: a threshold that binds to nothing would always hold; also in a run over recorded answers.
#[test]
fn a_threshold_that_fits_nothing_is_refused() {
    let sections = [
        ("[suite.s]\n\"retrieval.hitt@3\" = 0.8\n", "did you mean `retrieval.hit@3`?", 3),
        ("[suite.s]\n\"faithfulness\" = 0.7\n", "cannot be measured in this run", 3),
        ("[suite.s]\n\"retrieval.hit@0\" = 0.7\n", "nothing computes a metric `retrieval.hit@0`", 3),
        ("[suite.s]\n\"retrieval.hit@7\" = 0.7\n", "nothing computes `retrieval.hit@7`", 3),
        ("[suite.ss]\n\"facts.rate\" = 0.9\n", "there is no suite `ss`", 2),
        ("[suite.s.tag.x]\n\"facts.rate\" = 0.9\n", "no question of suite `s` has the tag `x`", 2),
    ];
    for (section, words, line) in sections {
        for args in [&RUN[..], &RUN[..1]] {
            let folder = project(ONE, format!("{HEADER}{GOOD}"));
            folder.write("thresholds.toml", format!("version = 1\n{section}").as_bytes());
            refused(&folder, args).says(&[words, &format!("thresholds.toml:{line}:")]);
        }
    }
    // A section of another suite of the project is no fault of a recording of this one.
    let folder = project(ONE, format!("{HEADER}{GOOD}"));
    folder.write("suites/t.yaml", ONE.replace("suite: s", "suite: t").as_bytes());
    folder.write("thresholds.toml", format!("{ALONE}[suite.t]\n\"facts.rate\" = 0.9\n").as_bytes());
    folder.run(&RUN).exits(0);
    // What can be computed and was not, is not measured.
    let folder = project(ONE, format!("{HEADER}{GOOD}"));
    folder.write("thresholds.toml", format!("{ALONE}[suite.s]\n\"retrieval.hit@3\" = 0.8\n").as_bytes());
    folder.run(&RUN).exits(3).shows(&["retrieval.hit@3 was not measured", "thresholds.toml:4"]);
}

/// K01.
#[test]
fn thresholds_are_numbers_in_their_range() {
    let with = |min: &str| {
        let folder = project(ONE, format!("{HEADER}{GOOD}"));
        folder.write("thresholds.toml", format!("{ALONE}[suite.s]\n\"facts.rate\" = {{ min = {min} }}\n").as_bytes());
        folder
    };
    with("1").run(&RUN).exits(0);
    for min in
        ["nan", "-nan", "inf", "-inf", "1e400", "1e-400", "\"0.8\"", "0,8", "1_0.5", "true", "1.5", "-0.1", "[1]", ""]
    {
        let ran = refused(&with(min), &RUN).says(&["--> thresholds.toml:4:", "4 | \"facts.rate\""]);
        let first: Vec<&str> = ran.err.lines().filter(|l| l.starts_with("error[")).collect();
        let mut once = first.clone();
        once.dedup();
        assert_eq!(first, once, "one fault is told once");
    }
}

/// K03.
#[test]
fn a_text_that_a_comment_cuts_is_told() {
    let cut = "version: 1\nsuite: s\nquestions:\n  - id: q1\n    question: What changed in ticket #482 for refunds?\n    \
               facts:\n      - approved in PR #77 by legal\n      - C# developers\n      - \"#1 choice\"\n    \
               evidence:\n      - url: http://h/x#frag   # a comment\n";
    let ran = project(cut, GOOD).run(&["lint"]).exits(0).says(&[
        "it ends at “What changed in ticket”",
        "it ends at “approved in PR”",
        "suites/s.yaml:5:15",
        "suites/s.yaml:7:9",
    ]);
    assert_eq!(ran.err.matches("warning[").count(), 2, "{}", ran.err);
}

/// K05.
#[test]
fn other_encodings_and_tabs_are_named() {
    let utf16: Vec<u8> = ONE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut marked = vec![0xff, 0xfe];
    marked.extend(&utf16);
    let latin = ONE.replace("When", "Qu\u{e9}").chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    for (bytes, words) in [
        (marked, "UTF-16, expected UTF-8"),
        (utf16, "looks like UTF-16"),
        (latin, "looks like Latin-1 or Windows-1252"),
        (ONE.replace("When", "Wh\0n").into_bytes(), "holds a NUL character"),
        (ONE.replace("  - {", "\t- {").into_bytes(), "a tab in the indentation"),
        (format!("---\n\u{feff}{ONE}").into_bytes(), "a byte-order mark stands inside the document"),
        (ONE.replace('\n', "\r").into_bytes(), "suites/s.yaml"),
    ] {
        let folder = project(ONE, GOOD);
        folder.write("suites/s.yaml", &bytes);
        refused(&folder, &RUN).says(&["suites/s.yaml", words]);
    }
}

/// K08.
#[test]
fn words_that_yaml_takes_for_values_stay_words() {
    let lines: String = ["no", "NO", "yes", "On", "off", "y", "n", "True"]
        .iter()
        .map(|w| format!("  - {{ id: {w}, question: When?, facts: [{w}, so be it] }}\n"))
        .collect();
    let text = format!("version: 1\nsuite: s\nquestions:\n{lines}");
    let answers: String = ["no", "NO", "yes", "On", "off", "y", "n", "True"]
        .iter()
        .map(|w| format!("{{\"id\":\"{w}\",\"answer\":\"{w}, so be it\"}}\n"))
        .collect();
    project(&text, format!("{HEADER}{answers}")).run(&RUN).exits(0).shows(&["8/8"]);
    for (keys, words) in [
        ("    facts: [no, null]\n", "a fact is null"),
        ("    facts: [~]\n", "a fact is null"),
        ("    facts:\n      -\n", "a fact is null"),
        ("    facts: [a b]\n    owner: ~\n    no: 1\n", "unknown key `no`"),
    ] {
        refused(&project(&suite("", keys), GOOD), &RUN).says(&[words, "--> suites/s.yaml:"]);
    }
}

#[test]
fn hostile_suites_are_refused_fast() {
    let nest = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let bomb: String = ('a'..'j')
        .zip('b'..='j')
        .map(|(from, to)| format!("{to}: &{to} [{}]\n", vec![format!("*{from}"); 9].join(",")))
        .collect();
    let huge = "a ".repeat(5_000_000);
    let began = std::time::Instant::now();
    for (text, words) in [
        (suite("", &format!("    facts: {}\n", nest(5000))), "nest more than 64 levels"),
        (
            suite("", &format!("    facts: [a b]\n    extra: {}1{}\n", "{a: ".repeat(200), "}".repeat(200))),
            "nest more than 64",
        ),
        (format!("version: 1\na: &a [x]\n{bomb}questions: []\n"), "an anchor (`&name`) is not allowed"),
        (suite("", "    <<: *x\n    facts: [a b]\n"), "a merge key (`<<`) is not allowed"),
        (suite("", "    facts: [!!python/object:os.system a b]\n"), "a tag (`!name`) is not allowed"),
        (suite("", "    facts: [{ regex: \"(((a{1000}){1000}){1000})\" }]\n"), "too large when compiled"),
        (format!("{ONE}---\n{ONE}"), "a second document begins here"),
        ("version: 1\nquestions: []\n".into(), "at least one question"),
        (String::new(), "this file is empty"),
        (format!("{{\"version\":1}}\n{{\"id\":\"q1\",\"facts\":{}}}\n", nest(100_000)), "at most 64 levels"),
        (format!("version: {huge}"), "suites/s.yaml:1:"),
    ] {
        refused(&project(&text, GOOD), &RUN).says(&[words, "suites/s."]);
    }
    for file in ["ragline.toml", "thresholds.toml"] {
        let folder = project(ONE, GOOD);
        folder.write(file, format!("version = 1\na = {}\n", nest(50_000)).as_bytes());
        refused(&folder, &RUN).says(&[file]);
    }
    // A scalar of 10 MB is a text like any other.
    project(&suite("", &format!("    facts: [\"{huge}\"]\n")), format!("{HEADER}{GOOD}")).run(&RUN).exits(1);
    assert!(began.elapsed() < std::time::Duration::from_secs(60), "{:?}", began.elapsed());
}

// Retrieval.

/// One question of the given evidence, with the ids of the passages that were returned.
fn ranked(evidence: &str, top_k: &str, ids: &[&str]) -> Folder {
    let contexts: Vec<Value> = ids.iter().map(|id| json!({ "doc": id })).collect();
    let line = json!({ "id": "q1", "contexts": contexts });
    project(&suite(top_k, &format!("    evidence: {evidence}\n")), format!("{HEADER}{line}\n"))
}

/// I08.
#[test]
fn the_edges_of_retrieval_are_defined() {
    for (keys, words) in [
        (suite("top_k: 0\n", "    evidence: [{ doc: a }]\n"), "`top_k` is `0`, expected a whole number from 1"),
        (suite("", "    evidence: [{ doc: a }]\n    top_k: 0\n"), "`top_k` is `0`"),
        (suite("", "    evidence: [{ doc: a }]\n    top_k: -3\n"), "`top_k` is `-3`"),
        (suite("", "    evidence: []\n"), "has no assertions"),
        (suite("", "    evidence: [{}]\n"), "needs one of `doc`, `chunk`, `url`, `span`"),
        // It asks for a layer and gives it nothing to look for.
        (suite("", "    facts: [14 days]\n    layers: { retrieval: on }\n"), "`retrieval` is switched on"),
        (suite("", "    facts: [14 days]\n    layers: { retrieval: warn }\n"), "has no `evidence`"),
        (suite("", "    evidence: [{ doc: a }]\n    layers: { facts: on }\n"), "has no `facts`"),
    ] {
        refused(&project(&keys, format!("{HEADER}{GOOD}")), &RUN).says(&[words, "--> suites/s.yaml:"]);
    }
    // Gold {a, b}.
    let gold = "[{ doc: a }, { doc: b }]";
    let metrics = |ids: &[&str], names: &[&str]| {
        let folder = ranked(gold, "top_k: 3\n", ids);
        let ran = folder.run(&RUN);
        assert!(matches!(ran.exit, 0 | 1), "{}", ran.err);
        let r = folder.results()["q1"]["layers"]["retrieval"]["metrics"].clone();
        names.iter().map(|n| r[n].as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let near = |got: Vec<f64>, right: &[f64]| {
        assert!(got.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-4), "{got:?}, not {right:?}");
    };
    near(metrics(&[], &["p@10", "r@10", "rr", "ndcg@3", "hit@3"]), &[0.0; 5]);
    near(metrics(&["a"], &["p@10", "r@10", "rr"]), &[0.1, 0.5, 1.0]);
    near(metrics(&["a", "x", "b"], &["p@3", "r@3", "ndcg@3", "r@1"]), &[0.6667, 1.0, 0.9197, 0.5]);
    // An empty list is a miss, and a question outside the corpus has no retrieval to check.
    ranked("[{ doc: a }]", "top_k: 3\n", &[]).run(&RUN).exits(1);
    let refuse =
        project(&suite("", "    expect: refuse\n"), format!("{HEADER}{}", GOOD.replace("14 days", "I do not know.")));
    refuse.run(&RUN);
    assert_eq!(outcome(&refuse.results()["q1"], "retrieval"), "skipped");
}

/// I06: an empty list is 0 and in the mean; a missing response is neither.
#[test]
fn questions_without_results_stay_in_the_mean() {
    let lines = |ids: &[&str]| -> String {
        ids.iter().map(|id| format!("  - {{ id: {id}, question: W?, evidence: [{{ doc: {id}.md }}] }}\n")).collect()
    };
    let hit = |id: &str| format!("{{\"id\":\"{id}\",\"contexts\":[{{\"doc\":\"{id}.md\"}}]}}\n");
    let empty = |id: &str| format!("{{\"id\":\"{id}\",\"contexts\":[]}}\n");
    for order in [["q2", "q1", "q3", "q4"], ["q1", "q2", "q3", "q4"], ["q1", "q3", "q4", "q2"]] {
        let text = format!("version: 1\nsuite: s\ntop_k: 5\nquestions:\n{}", lines(&order));
        let three: String =
            order.iter().filter(|q| **q != "q3").map(|q| if *q == "q2" { empty(q) } else { hit(q) }).collect();
        let folder = project(&text, format!("{HEADER}{three}"));
        // q2 fails and q3 is not measured: a failure weighs more.
        let ran = folder.run(&RUN).exits(1).shows(&["1 unmeasured, at most 0: q3"]);
        let row = ran.out.lines().find(|l| l.starts_with("retrieval ")).unwrap();
        assert!(row.contains("2/3") && row.contains("1 not measured"), "{row}");
        let results = folder.results();
        let outcomes = ["q1", "q2", "q3", "q4"].map(|q| outcome(&results[q], "retrieval").to_owned());
        assert_eq!(outcomes, ["pass", "fail", "unmeasured", "pass"]);
        let all = format!("{HEADER}{three}{}", empty("q3"));
        let ran = project(&text, all).run(&RUN).exits(1);
        assert!(ran.out.lines().any(|l| l.starts_with("retrieval ") && l.contains("2/4")), "{}", ran.out);
    }
}

/// I05: labels of another form are one fault of the run, not as many regressions as there are questions.
#[test]
fn labels_that_fit_no_passage_are_one_fault() {
    let text = "version: 1\nsuite: s\nquestions:\n".to_owned()
        + &(0..10)
            .map(|i| format!("  - {{ id: q{i}, question: W?, evidence: [{{ doc: guide.md }}] }}\n"))
            .collect::<String>();
    let run = |name: &dyn Fn(usize) -> String| {
        let lines: String =
            (0..10).map(|i| format!("{{\"id\":\"q{i}\",\"contexts\":[{{\"doc\":\"{}\"}}]}}\n", name(i))).collect();
        let folder = project(&text, format!("{HEADER}{lines}"));
        let ran = folder.run(&RUN);
        (folder, ran)
    };
    for name in ["guide.md::chunk-3", "sha1:77ab01"] {
        let (folder, ran) = run(&|_| name.to_owned());
        let ran = ran.exits(3).shows(&["guide.md", name]);
        assert!(!ran.out.contains("regressed,"), "{}", ran.out);
        assert!(folder.results().values().all(|r| outcome(r, "retrieval") == "unmeasured"));
    }
    let (folder, ran) = run(&|i| if i == 4 { "guide.md::chunk-3".into() } else { "guide.md".into() });
    ran.exits(1);
    let results = folder.results();
    assert_eq!(outcome(&results["q4"], "retrieval"), "fail");
    assert_eq!(results.values().filter(|r| outcome(r, "retrieval") == "pass").count(), 9);
}

/// I02.
#[test]
fn ids_that_are_numbers_keep_their_digits() {
    for (gold, returned, hit) in [
        ("9007199254740993", "9007199254740992", false),
        ("9007199254740993", "9007199254740993", true),
        ("9007199254740993", "\"9007199254740993\"", true),
        ("\"007\"", "7", false),
        ("\"007\"", "\"007\"", true),
        ("007", "\"007\"", true),
        ("0", "0", true),
        ("0", "\"0\"", true),
        ("0", "-0", false),
        ("1000", "1e3", false),
        ("18446744073709551616", "18446744073709551616", true),
        ("7", "7.0", false),
    ] {
        let text = suite("", &format!("    evidence: [{{ chunk: {gold} }}]\n"));
        let folder = project(&text, format!("{HEADER}{{\"id\":\"q1\",\"contexts\":[{{\"chunk\":{returned}}}]}}\n"));
        let ran = folder.run(&RUN).exits(i32::from(!hit));
        let digits = gold.trim_matches('"');
        assert!(hit || ran.out.contains(digits), "{digits} is not in\n{}", ran.out);
    }
    // The ids of questions too: 7 and 007 are two questions.
    let folder = project(
        &questions(&["007", "7"]),
        format!("{HEADER}{}{}", GOOD.replace("\"q1\"", "7"), GOOD.replace("q1", "007")),
    );
    folder.run(&RUN).exits(0).shows(&["2/2"]);
}

// Text.

/// The outcomes of facts against answers in one language.
fn facts(language: Option<&str>, pairs: &[(&str, &str)]) -> Vec<bool> {
    let mut header = json!({ "version": 1, "suite": "s" });
    if let Some(l) = language {
        header["language"] = l.into();
    }
    let id = |i: usize| format!("q{i:02}");
    let (mut text, mut recording) = (format!("{header}\n"), HEADER.to_owned());
    for (i, (fact, answer)) in pairs.iter().enumerate() {
        text += &format!("{}\n", json!({ "id": id(i), "question": "?", "facts": [fact] }));
        recording +=
            &format!("{}\n", json!({ "id": id(i), "answer": answer, "contexts": [{ "doc": "a", "text": answer }] }));
    }
    let folder = project(&text, recording);
    folder.run(&RUN);
    let results = folder.results();
    (0..pairs.len()).map(|i| outcome(&results[&id(i)], "facts") == "pass").collect()
}

/// J01, J02, J07.
#[test]
fn spellings_of_one_word_are_one_word() {
    let thai = [
        ("\u{e19}\u{e49}\u{e33}", "\u{e19}\u{e49}\u{e33}"),
        ("\u{e19}\u{e49}\u{e33}", "\u{e19}\u{e49}\u{e4d}\u{e32}"),
        ("\u{e19}\u{e49}\u{e33}", "\u{e19}\u{e4d}\u{e49}\u{e32}"),
        ("แมว", "\u{e40}\u{e40}มว"),
        ("นำ", "\u{e19}\u{e49}\u{e33}"),
        ("มา", "ม"),
    ];
    assert_eq!(facts(Some("th"), &thai), [true, true, true, true, false, false]);
    let vietnamese = [("Hòa Bình", "Hoà Bình"), ("thủy", "thuỷ"), ("Hòa Bình", "Hoa Bình")];
    assert_eq!(facts(Some("vi"), &vietnamese), [true, true, false]);
    assert_eq!(facts(None, &vietnamese), [false, false, false]);
    let invisible = [
        ("order-4711 is paid", "order-\u{200b}4711 is\u{a0}paid"),
        ("order-4711 is paid", "or\u{ad}der-4711 is paid"),
        ("order-4711 is paid", "\u{feff}order-4711\u{202f} is\n\tpaid"),
        ("order-4711 is paid", "\u{202a}order-4711\u{202c} is paid"),
        ("میخواهم", "می\u{200c}خواهم"),
    ];
    assert_eq!(facts(None, &invisible), [true, true, true, true, false]);
}

/// J04.
#[test]
fn digits_of_other_scripts_are_digits() {
    let passage = "ค่าปรับ ๕๐๐ บาท; السعر ١٬٢٠٠٫٥; ５０％; 10² m";
    for (answer, grounded) in [("500 baht", true), ("1200.5", true), ("50 %", true), ("102", false), ("100", false)] {
        let line = json!({ "id": "q1", "answer": answer, "contexts": [{ "doc": "a", "text": passage }] });
        let folder =
            project(&suite("language: th\n", &format!("    facts: [\"{answer}\"]\n")), format!("{HEADER}{line}\n"));
        folder.run(&RUN);
        let is = outcome(&folder.results()["q1"], "numbers") == "pass";
        assert_eq!(is, grounded, "{answer}");
    }
}

// Exits and baselines.

/// F09: a code, never a count; and a report that was asked for and is missing is not success.
#[test]
fn the_exit_is_a_code() {
    for n in [1, 255, 256, 257, 512] {
        let ids: Vec<String> = (0..n).map(|i| format!("q{i}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let answers: String = ids.iter().map(|id| format!("{{\"id\":\"{id}\",\"answer\":\"never\"}}\n")).collect();
        project(&questions(&ids), format!("{HEADER}{answers}")).run(&RUN).exits(1);
    }
    let folder = project(ONE, format!("{HEADER}{GOOD}"));
    folder.write("file", b"x");
    for (option, path) in [("--junit", "file/j.xml"), ("--results", "file/r.jsonl"), ("--markdown", "suites")] {
        folder.run(&[&RUN[..], &[option, path]].concat()).exits(5).says(&[path, "exit 5"]);
    }
    assert_eq!(folder.read("file"), "x");
}

/// A device is written to, never replaced by a file.
#[cfg(target_os = "linux")]
#[test]
fn a_device_stays_a_device() {
    let folder = project(ONE, format!("{HEADER}{GOOD}"));
    folder.run(&[&RUN[..], &["--junit", "/dev/null"]].concat()).exits(0);
    folder.run(&[&RUN[..], &["--results", "/dev/full"]].concat()).exits(5).says(&["/dev/full", "No space left"]);
    folder.run(&[&RUN[..], &["--results", "/dev/stdout"]].concat()).exits(0).shows(&["\"kind\":\"results\""]);
    for device in ["/dev/null", "/dev/full"] {
        assert!(!std::fs::metadata(device).unwrap().is_file(), "{device} was replaced by a file");
    }
}

/// D05.
#[test]
fn a_baseline_is_there_or_not_or_broken() {
    let with = |baseline: Option<&str>| {
        let folder = project(ONE, format!("{HEADER}{GOOD}"));
        folder.write("thresholds.toml", b"version = 1\n");
        if let Some(text) = baseline {
            folder.write("suites/s.baseline.toml", text.as_bytes());
        }
        folder
    };
    // Not there: exit 2, says how to make one, and makes none.
    let folder = with(None);
    let before = folder.files();
    folder.run(&RUN).exits(2).shows(&["no baseline yet: suites/s.baseline.toml", "ragline accept --first --reason"]);
    assert!(before == folder.files());
    for (text, words) in [
        ("", "this is not a baseline"),
        ("[baseline]\nversion = 2\n", "this version of the format is not known here"),
        ("[baseline]\nversion = 1\nextra = 1\n", "extra"),
        ("[baseline]\nversion = 1\n[question.\"q1\"]\nfacts = \"maybe\"\n", "suites/s.baseline.toml:4:"),
        ("<<<<<<< ours\n[baseline]\nversion = 1\n", "suites/s.baseline.toml:1:"),
        ("{\"version\":1}", "suites/s.baseline.toml:1:"),
    ] {
        refused(&with(Some(text)), &RUN).says(&[words, "suites/s.baseline.toml"]);
    }
    // There, without a question that passes: new. Without one that fails: closed.
    let none = "[baseline]\nversion = 1\nmeasure = \"0\"\n";
    with(Some(none)).run(&RUN).exits(0).shows(&["1 new pass"]);
    let folder = with(Some(none));
    folder.write("r.jsonl", format!("{HEADER}{}", GOOD.replace("14 days", "never")).as_bytes());
    folder.run(&RUN).exits(1).shows(&["new, fails"]);
}

/// D07: outcomes under other rules are not compared, and not taken for equal.
#[test]
fn a_baseline_of_other_rules_is_scored_again_or_not_compared() {
    let folder = project(ONE, format!("{HEADER}{GOOD}"));
    folder.write("thresholds.toml", b"version = 1\n");
    folder.run(&RUN).exits(2);
    folder.run(&["accept", "--first", "--reason", "as it is"]).exits(0);
    let baseline = folder.read("suites/s.baseline.toml");
    let measure = baseline.lines().find(|l| l.starts_with("measure")).unwrap();
    for other in ["measure = \"0000000000000000\"", ""] {
        folder.write("suites/s.baseline.toml", baseline.replace(measure, other).as_bytes());
        // The accepted answer says the same under the rules of today.
        folder.run(&RUN).exits(0).shows(&["1 unchanged"]);
        let answers = folder.read("suites/s.accepted.jsonl");
        std::fs::remove_file(folder.path().join("suites/s.accepted.jsonl")).unwrap();
        let before = folder.files();
        folder.run(&RUN).exits(3).shows(&["1 incomparable", "no accepted answer"]);
        assert!(before == folder.files(), "a run wrote to the project");
        folder.write("suites/s.accepted.jsonl", answers.as_bytes());
    }
}

/// Files of the last run that are broken are not accepted, and the baseline stays as it is.
#[test]
fn accept_refuses_a_run_that_is_not_whole() {
    for (file, content) in [
        ("run.json", "{"),
        ("run.json", "{\"version\":9}"),
        ("results.jsonl", "{\"suite\":\"s\""),
        ("results.jsonl", ""),
        ("journal.jsonl", "{\"suite\":\"s\",\"id\":\"q1\",\"response\":{\"nothing\":1}}\n"),
    ] {
        let folder = project(ONE, format!("{HEADER}{GOOD}"));
        folder.write("thresholds.toml", b"version = 1\n");
        folder.run(&RUN).exits(2);
        let before = folder.files();
        std::fs::write(folder.last_run().join(file), content).unwrap();
        let ran = folder.run(&["accept", "--first", "--reason", "x"]).exits(2);
        assert!(ran.err.contains("error"), "{file} {content}: {}", ran.err);
        assert!(before == folder.files(), "{file} {content}: the project changed");
    }
    // No run at all.
    let folder = project(ONE, GOOD);
    folder.run(&["accept", "--first", "--reason", "x"]).exits(2).says(&["there is no run yet"]);
}

/// G01: what a gateway said in place of an answer, as a recorder keeps it.
#[test]
fn recorded_nulls_are_not_answers() {
    for said in [
        r#""error":"429 slow down""#,
        r#""answer":null,"error":"x""#,
        r#""answer":null,"contexts":null"#,
        r#""answer":null,"contexts":[]"#,
        r#""contexts":null,"answer":"""#,
        r#""answer":"14 days","error":"index not loaded""#,
    ] {
        let folder = project(ONE, format!("{HEADER}{{\"id\":\"q1\",{said}}}\n"));
        folder.run(&RUN).exits(3);
        let results = folder.results();
        assert_eq!(results["q1"]["outcome"], "unmeasured", "{said}");
        assert!(!matches!(outcome(&results["q1"], "facts"), "pass" | "fail"), "{said}");
    }
}

//! Recordings: broken, of another form, for the wrong questions, or without an answer.

use crate::binary_kit::outcome;
use crate::{GOOD, HEADER, ONE, RUN, project, questions, refused};

/// A recording that must be refused, with these words.
#[track_caller]
fn bad_recording(recording: impl AsRef<[u8]>, words: &[&str]) {
    refused(&project(ONE, recording), &RUN).says(words);
}

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
        folder
            .run(&RUN)
            .exits(3)
            .shows(&["no recording in r.jsonl", "blame     recording: No recording answers this request"]);
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

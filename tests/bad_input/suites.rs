//! Suites and thresholds.

use crate::{ALONE, GOOD, HEADER, ONE, RUN, project, refused, suite};

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

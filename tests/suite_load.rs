//! Suites are read exactly as they were written, or refused with the place and the reason.

#![allow(clippy::unwrap_used, clippy::panic, clippy::wildcard_enum_match_arm, reason = "a test fails by them")]

mod suite_support;

use ragline::suite::{Expect, FactForm, LayerSetting, Need, Severity};
use suite_support::{codes, lines_of, load_bytes, load_jsonl, load_yaml, one_question};

fn fact_texts(suite: &ragline::suite::Suite) -> Vec<String> {
    let text = |f: &'_ ragline::suite::Fact| match &f.form {
        FactForm::Text(t) => t.clone(),
        other => panic!("{other:?}"),
    };
    suite.questions[0].facts.iter().map(text).collect()
}

#[test]
fn the_suite_of_the_manual_is_read_whole() {
    let (suite, warnings) = load_yaml(
        r#"version: 1
suite: shop-vi
edition: "2026.11"
language: vi
corpus: ../fixtures/shop/vi
target: shop
top_k: 3
questions:
  - id: q06
    question: Máy bị vào nước ở động cơ thì có được bảo hành không?
    expect: answer
    evidence:
      - { doc: bao-hanh.md, section: [Bảo hành, Trường hợp từ chối], span: vào nước ở phần động cơ }
    evidence_match: any
    facts:
      - any_of: [{ text: từ chối bảo hành }, { yes_no: "no" }]
    must_not: []
    reference: Không. Máy bị vào nước ở phần động cơ bị từ chối bảo hành.
    rubric: Phải nói rõ là không được bảo hành.
    tags: [warranty, exception]
    severity: critical
    owner: cskh
    group: warranty
    layers: { citation: off }
    extra: {}
"#,
    )
    .unwrap();
    assert!(warnings.0.is_empty(), "{warnings}");
    assert_eq!((&*suite.name, suite.edition.as_deref(), suite.top_k), ("shop-vi", Some("2026.11"), Some(3)));
    assert!(suite.corpus.as_ref().unwrap().ends_with("../fixtures/shop/vi"));
    let q = &suite.questions[0];
    assert_eq!(
        (q.id.as_str(), q.expect, q.severity, q.evidence_match),
        ("q06", Expect::Answer, Severity::Critical, Need::Any)
    );
    assert_eq!((q.place.line, q.place.column), (9, 5));
    assert_eq!(q.layers.0.map(|l| l == LayerSetting::Off), [false, false, false, false, true]);
    assert_eq!(q.tags, ["warranty", "exception"]);
    let FactForm::AnyOf(any) = &q.facts[0].form else { panic!("{:?}", q.facts) };
    assert!(matches!(&any[0].form, FactForm::Text(t) if t == "từ chối bảo hành"));
    assert!(matches!(&any[1].form, FactForm::YesNo(false)));
    assert_eq!((any[1].place.line, any[1].place.column), (16, 46));
}

#[test]
fn c02_a_key_given_twice_is_an_error_with_all_lines() {
    let p = load_yaml(&one_question(
        "    facts: [\"14 days\"]\n    \"facts\": [\"receipt\"]\n    'facts': [\"no cash\"]\n",
    ))
    .unwrap_err();
    let dup = p.0.iter().find(|p| p.code == "duplicate-key").unwrap();
    assert_eq!(dup.title, "key `facts` given at lines 6, 7 and 8");
    assert_eq!(dup.related.len(), 2);
    // Composed and decomposed, in a map that is never read.
    let p =
        load_yaml(&one_question("    facts: [x y]\n    extra: { a: { h\u{f2}a: 1, ho\u{300}a: 2 } }\n")).unwrap_err();
    assert_eq!(codes(&p), ["duplicate-key"]);
    let p =
        load_jsonl("{\"version\":1}\n{\"id\":\"a\",\"question\":\"x?\",\"facts\":[\"1\"],\"f\\u0061cts\":[\"2\"]}\n")
            .unwrap_err();
    assert_eq!(codes(&p), ["duplicate-key"]);
    assert_eq!((p.0[0].place.line, p.0[0].place.column), (2, 41));
    assert_eq!(p.0[0].title, "key `facts` given 2 times at line 2");
}

#[test]
fn c04_a_question_without_assertions_is_an_error_with_a_hint() {
    let p = load_yaml(
        "version: 1\nquestions:\n- id: q1\n  question: When does the desk open?\n  metadata:\n    team: front\n    expect:\n      facts: [\"09:00\"]\n",
    )
    .unwrap_err();
    assert_eq!(codes(&p), ["nothing-asserted", "unknown-key"]);
    assert!(p.0[0].title.contains("`q1`"), "{p}");
    assert_eq!(p.0[0].place.line, 3);
    assert!(p.0[0].help.as_ref().unwrap().contains("`expect` found under `metadata`"), "{p}");

    let p = load_yaml(&one_question("    extra: { facts: [\"09:00\"] }\n")).unwrap_err();
    assert_eq!(codes(&p), ["nothing-asserted", "assertion-not-read"]);
    // With an assertion of its own the misplaced one is only a warning.
    let (_, w) = load_yaml(&one_question("    facts: [\"09:00\"]\n    extra: { facts: [\"09:00\"] }\n")).unwrap();
    assert_eq!(codes(&w), ["assertion-not-read"]);
    let p = load_yaml(&one_question("    expect: { facts: [\"09:00\"] }\n")).unwrap_err();
    assert_eq!(codes(&p), ["expected-word"]);
    assert!(p.0[0].help.as_ref().unwrap().contains("at the level of `question`"), "{p}");
    // Observed, refusing and draft questions are fine; assertions whose layer is off are not.
    for fine in ["    reference: At nine.\n", "    rubric: Be polite.\n", "    expect: refuse\n", "    draft: true\n"] {
        load_yaml(&one_question(fine)).unwrap();
    }
    let p = load_yaml(&one_question("    facts: [\"09:00\"]\n    layers: { facts: off }\n")).unwrap_err();
    assert_eq!(codes(&p), ["nothing-asserted"]);
}

#[test]
fn k03_a_text_cut_by_a_comment_is_a_warning_with_the_cut_text() {
    let (suite, w) = load_yaml(
        "version: 1\nquestions:\n  - id: a\n    question: What changed in ticket #482 for refunds?\n    facts:\n      - approved in PR #77 by legal\n      - C# developers\n      - \"#1 choice\"\n    evidence:\n      - url: http://h/x#frag   # real comment\n    owner: x #\n",
    )
    .unwrap();
    assert_eq!(codes(&w), ["text-cut-by-comment", "text-cut-by-comment"]);
    assert_eq!(w.0.iter().map(|p| p.place.line).collect::<Vec<_>>(), [4, 6]);
    assert!(w.0[0].title.contains("“What changed in ticket”"), "{w}");
    assert!(w.0[0].label.contains("#482 for refunds?"), "{w}");
    assert_eq!(fact_texts(&suite), ["approved in PR", "C# developers", "#1 choice"]);

    let p = load_yaml(&one_question("    facts:\n      - first line\n        # not part of it\n        second line\n"))
        .unwrap_err();
    assert_eq!(codes(&p), ["yaml-comment-in-text"]);
}

#[test]
fn k08_words_that_look_like_other_types_stay_text() {
    let yaml = "version: 1\nquestions:\n  - id: no\n    question: yes\n    facts: [no, NO, yes, On, off, y, n, True, 7, 007, 7.0, 1e3, 0x1F, 1_000]\n    extra: { no: Norway, 1: one }\n";
    let (suite, _) = load_yaml(yaml).unwrap();
    let q = &suite.questions[0];
    assert_eq!((q.id.as_str(), q.text.as_str()), ("no", "yes"));
    assert_eq!(
        fact_texts(&suite),
        ["no", "NO", "yes", "On", "off", "y", "n", "True", "7", "007", "7.0", "1e3", "0x1F", "1_000"]
    );
    for null in ["null", "~", "Null", ""] {
        let p = load_yaml(&one_question(&format!("    facts:\n      - ok\n      - {null}\n"))).unwrap_err();
        assert_eq!((codes(&p), p.0[0].place.line), (vec!["null-text"], 8), "{null}");
        assert!(p.0[0].help.as_ref().unwrap().contains("quote"), "{p}");
    }
}

#[test]
fn k05_windows_files_load_the_same_and_other_encodings_are_named() {
    let plain =
        "version: 1\nquestions:\n  - id: a\n    question: |\n      Line one\n      line two?\n    facts: [x y]\n";
    let (lf, _) = load_bytes("s.yaml", plain.as_bytes()).unwrap();
    for variant in
        [format!("\u{feff}{plain}"), plain.replace('\n', "\r\n"), format!("\u{feff}{}", plain.replace('\n', "\r\n"))]
    {
        let (other, _) = load_bytes("s.yaml", variant.as_bytes()).unwrap();
        assert_eq!(other.questions[0].text, "Line one\nline two?");
        let digest = |s: &ragline::suite::Suite| ragline::suite::digest::expects(&s.questions[0], s.top_k);
        assert_eq!(digest(&other), digest(&lf));
    }
    let tab = load_yaml("version: 1\nquestions:\n\t- id: a\n").unwrap_err();
    assert_eq!((codes(&tab), tab.0[0].place.line), (vec!["yaml-tab"], 3));
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("version: 1\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert!(load_bytes("s.yaml", &wide).unwrap_err().0[0].title.contains("UTF-16"));
    assert!(load_bytes("s.yaml", b"version: 1\nsuite: caf\xe9\n").unwrap_err().0[0].title.contains("Latin-1"));
    let nul = load_bytes("s.yaml", b"version: 1\nsuite: a\0b\n").unwrap_err();
    assert_eq!(nul.0[0].place.line, 2);
    let mac = load_bytes("s.yaml", b"version: 1\r\nsuite: a\rb: 1\n").unwrap_err();
    assert_eq!((codes(&mac), mac.0[0].place.line), (vec!["carriage-return"], 2));
    // A byte-order mark behind the document mark: clear error or loads, never half read.
    let marked = format!("---\n\u{feff}{plain}");
    if let Err(p) = load_bytes("s.yaml", marked.as_bytes()) {
        assert_eq!(codes(&p), ["yaml-syntax"]);
    }
}

#[test]
fn i02_ids_in_evidence_keep_the_characters_they_were_written_with() {
    let yaml = one_question(
        "    evidence:\n      - any_of: [{ chunk: 9007199254740993 }, { chunk: \"007\" }, { chunk: 007 }, { chunk: 0 }, { doc: 1e3 }, { doc: -0 }]\n",
    );
    let jsonl = "{\"version\":1}\n{\"id\":\"a\",\"question\":\"x?\",\"evidence\":[{\"any_of\":[{\"chunk\":9007199254740993},{\"chunk\":\"007\"},{\"chunk\":\"007\"},{\"chunk\":0},{\"doc\":1e3},{\"doc\":-0}]}]}";
    for (suite, _) in [load_yaml(&yaml).unwrap(), load_jsonl(jsonl).unwrap()] {
        let ragline::suite::EvidenceItem::AnyOf(items) = &suite.questions[0].evidence[0] else { panic!() };
        let mut ids = Vec::new();
        for i in items {
            let ragline::suite::EvidenceItem::One(e) = i else { panic!() };
            ids.push(e.chunk.clone().or(e.doc.clone()).unwrap());
        }
        assert_eq!(ids, ["9007199254740993", "007", "007", "0", "1e3", "-0"]);
    }
}

#[test]
fn every_fault_of_a_file_is_reported_at_once_with_its_place() {
    let p = load_yaml(
        r#"version: 2
suit: shop
top_k: 0
questions:
  - id: a b
    question: ""
    fatcs: [x]
    facts: 7 ngày
  - id: ok
    question: q?
    expect: clarify
    severity: hoch
    evidence: [{ section: A }, { doc: d, row: 3 }, d.md, { any_of: [] }]
    facts:
      - { date: 30/11/2026 }
      - { number: { value: 5, op: less } }
      - { number: { value: 5.000.000 } }
      - { regex: "(a" }
      - { regex: "a*" }
      - { text: a, regex: b }
      - Fee: 7 days
      - [a]
    layers: { faithfulness: on, numbers: of }
    turns: []
  - question: q?
    facts: [a]
  - id: OK
    question: q?
    facts: [same, "  "]
    must_not: [Same]
  - id: ok
    question: q?
    expect: refuse
    evidence: [{ doc: d }]
"#,
    )
    .unwrap_err();
    let got: Vec<String> = p.0.iter().map(|p| format!("{} {}", p.place.line, p.code)).collect();
    let right = [
        "1 version-unknown",
        "2 unknown-key",
        "3 expected-number",
        "5 id-form",
        "6 empty-text",
        "7 unknown-key",
        "8 expected-list",
        "12 unknown-value",
        "13 evidence-form",
        "13 not-yet-supported",
        "13 expected-map",
        "13 evidence-form",
        "15 expected-date",
        "16 unknown-value",
        "17 expected-number",
        "18 regex-syntax",
        "19 regex-always-matches",
        "20 fact-form",
        "21 unknown-key",
        "22 expected-fact",
        "23 not-yet-supported",
        "23 unknown-value",
        "24 not-yet-supported",
        "25 key-missing",
        "27 id-differs-by-case",
        "29 empty-text",
        "30 fact-contradicts",
        "31 duplicate-id",
        "34 evidence-contradicts",
    ];
    assert_eq!(got, right);
    assert!(p.0[1].help.as_ref().unwrap().contains("did you mean `suite`"), "{p}");
    assert!(p.0[5].help.as_ref().unwrap().contains("did you mean `facts`"), "{p}");
}

#[test]
fn yaml_beyond_the_subset_is_refused_with_its_place() {
    for (what, line, yaml) in [
        ("yaml-anchor", 6, one_question("    facts: &f [x y]\n")),
        ("yaml-tag", 6, one_question("    facts: [!!str 7]\n")),
        ("yaml-tag", 6, one_question("    facts: [!wow]\n")),
        ("yaml-alias", 6, one_question("    facts: [*none]\n")),
        ("yaml-documents", 7, one_question("    facts: [a b]\n---\na: 1\n")),
        ("yaml-key", 7, one_question("    facts: [a b]\n    extra: { [a]: 1 }\n")),
        ("yaml-merge", 7, one_question("    facts: [a b]\n    extra: { <<: { a: 1 } }\n")),
        (
            "too-deep",
            7,
            one_question(&format!("    facts: [a b]\n    extra: {}1{}\n", "[".repeat(5000), "]".repeat(5000))),
        ),
        ("yaml-syntax", 6, one_question("    facts: [a, b\n")),
        ("yaml-syntax", 6, one_question("    facts: [@a]\n")),
        ("yaml-syntax", 6, one_question("    owner: a: b\n")),
    ] {
        let p = load_yaml(&yaml).unwrap_err();
        let found = p.0.iter().find(|p| p.code == what).unwrap_or_else(|| panic!("{what}: {p}"));
        assert!(found.place.line == line || what == "yaml-syntax", "{what}: {p}");
    }
    assert_eq!(codes(&load_yaml("").unwrap_err()), ["file-empty"]);
    assert_eq!(codes(&load_yaml("# nothing\n").unwrap_err()), ["file-empty"]);
    let deep = format!("version: 1\n{}", (0..5000).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>());
    assert_eq!(codes(&load_yaml(&deep).unwrap_err()), ["too-deep"]);
}

#[test]
fn json_lines_say_the_same_as_yaml() {
    let yaml = one_question("    facts: [\"7 ngày\", { number: { value: 7, unit: day } }]\n    tags: [a]\n");
    let jsonl = "{\"version\":1,\"suite\":\"s\"}\n\n{\"id\":\"a\",\"question\":\"x?\",\"facts\":[\"7 ng\\u00e0y\",{\"number\":{\"value\":7.0,\"unit\":\"day\"}}],\"owner\":\"o\"}\n";
    let (y, _) = load_yaml(&yaml).unwrap();
    let (j, _) = load_jsonl(jsonl).unwrap();
    let digest = |s: &ragline::suite::Suite| ragline::suite::digest::expects(&s.questions[0], s.top_k);
    assert_eq!(digest(&y), digest(&j));
    assert_eq!(j.questions[0].place.line, 3);

    let p = load_jsonl(
        "{\"version\":1}\n{\"id\":\"é\" \"question\":1}\n{\"id\":\"b\",\"question\":\"x?\",\"facts\":[1,]}\n",
    )
    .unwrap_err();
    assert_eq!(lines_of(&p), [(1, "no-questions"), (2, "json-syntax"), (3, "json-syntax")]);
    assert_eq!(p.0[1].place.column, 11);
    assert_eq!(codes(&load_jsonl("").unwrap_err()), ["file-empty"]);
    assert!(
        load_jsonl("{\"version\":1,\"questions\":[]}\n{\"id\":\"a\",\"question\":\"q\",\"facts\":[\"b\"]}").is_err()
    );
}

#[test]
fn the_language_is_detected_by_letters() {
    use ragline::suite::load::detect;
    for (tag, texts) in [
        ("vi", vec!["Bao lâu thì nhận được hàng?", "Shop ở đâu?"]),
        ("vi", vec!["Shop o dau?", "Bao nhiêu?", "Có ship không ạ?"]),
        ("vi", vec!["Co\u{301} đổi đươ\u{323}c không?"]),
        ("th", vec!["คืนสินค้าได้ไหม"]),
        ("zh", vec!["进水可以保修吗？"]),
        ("ja", vec!["保証期間はどのくらいですか"]),
        ("ko", vec!["환불 되나요?"]),
        ("en", vec!["Where is the café?", "What is naïve Bayes?"]),
        ("en", vec![]),
        ("en", vec!["one", "two", "three", "four", "What is phở?"]),
    ] {
        assert_eq!(detect(texts.iter().copied()).as_str(), tag, "{texts:?}");
    }
}

#[test]
fn regular_expressions_and_numbers_are_exact() {
    let (suite, _) = load_yaml(&one_question(
        "    facts: [{ regex: 'ho\u{300}a (\\d+)' }, { number: { value: 0.10 } }, { number: { value: 9007199254740993, unit: '%', op: stated } }]\n",
    ))
    .unwrap();
    let facts = &suite.questions[0].facts;
    // A pattern typed in decomposed form finds an answer in composed form, and `^` is the begin of the answer alone.
    assert!(
        matches!(&facts[0].form, FactForm::Regex(r) if r.is_match("h\u{f2}a 12") && r.as_str() == "h\u{f2}a (\\d+)")
    );
    let numbers: Vec<_> = facts
        .iter()
        .filter_map(|f| match &f.form {
            FactForm::Number { value, unit, .. } => Some((value.to_string(), unit.as_deref())),
            _ => None,
        })
        .collect();
    assert_eq!(numbers, [("0.1".to_owned(), None), ("9007199254740993".to_owned(), Some("%"))]);
    let p = load_yaml(&one_question(
        "    facts: [{ regex: '(?:a{1000}){1000}' }, { number: 7 }, { number: { value: null } }, { yes_no: maybe }]\n",
    ))
    .unwrap_err();
    assert_eq!(codes(&p), ["regex-syntax", "expected-map", "null-text", "unknown-value"]);
}

#[test]
fn the_suites_of_a_project_are_found_and_told_apart() {
    use ragline::suite::load::{discover, load_all};
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    assert!(discover(root).unwrap().is_empty());
    let suites = root.join("suites");
    std::fs::create_dir_all(suites.join("nested.yaml")).unwrap();
    let text = "version: 1\nquestions: [{ id: a, question: x, facts: [a b] }]\n";
    for name in
        ["b.yaml", "a.yml", "b.baseline.toml", "b.accepted.jsonl", "b.labels.jsonl", ".hidden.yaml", "notes.txt"]
    {
        std::fs::write(suites.join(name), text).unwrap();
    }
    std::fs::write(suites.join("c.jsonl"), "{\"version\":1}\n{\"id\":\"a\",\"question\":\"x\",\"facts\":[\"a b\"]}\n")
        .unwrap();
    let paths = discover(root).unwrap();
    let names: Vec<_> = paths.iter().map(|p| p.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["a.yml", "b.yaml", "c.jsonl"]);
    let (all, _) = load_all(&paths, root).unwrap();
    assert_eq!(
        all.iter().map(|s| (&*s.name, &*s.shown)).collect::<Vec<_>>(),
        [("a", "suites/a.yml"), ("b", "suites/b.yaml"), ("c", "suites/c.jsonl")]
    );

    std::fs::write(suites.join("a.yaml"), text).unwrap();
    std::fs::write(suites.join("d.yaml"), "version: 1\nquestions: []\n").unwrap();
    let p = load_all(&discover(root).unwrap(), root).unwrap_err();
    assert_eq!(codes(&p), ["duplicate-suite", "no-questions"]);
    assert!(p.0[0].title.contains("suites/a.yaml") && p.0[0].title.contains("suites/a.yml"), "{p}");
}

#[test]
fn a_file_without_header_or_with_a_name_that_cannot_be_one_is_refused() {
    let p = load_jsonl("{\"id\":\"a\",\"question\":\"x\",\"facts\":[\"a b\"]}\n").unwrap_err();
    assert_eq!(codes(&p), ["header-missing"]);
    let p = load_yaml("version: 1\nquestions: 3\ntop_k: x\n").unwrap_err();
    assert_eq!(lines_of(&p), [(2, "expected-list"), (3, "expected-number")]);
    let p = load_bytes("câu hỏi.yaml", b"version: 1\nquestions: [{ id: a, question: x, facts: [a b] }]\n").unwrap_err();
    assert_eq!(codes(&p), ["suite-name"]);
}

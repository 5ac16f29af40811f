//! No input makes a reader panic, and large suites are read fast.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

mod suite_support;

use proptest::prelude::*;
use ragline::gate::thresholds::Thresholds;
use ragline::problem::{Problems, Source, render};
use ragline::suite::config;
use ragline::suite::load::load_source;
use ragline::suite::select::Selector;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const YAML: &str = "version: 1
suite: s
language: vi
top_k: 3
questions:
  - id: q06
    question: Máy vào nước #1 thì sao?
    expect: answer
    evidence:
      - { doc: a.md, section: [A, 'B''s'], span: \"vào \\u1ea1 nước\" }
      - any_of: [{ chunk: 007 }, { url: http://x/#y }]
    facts:
      - any_of: [{ text: từ chối }, { yes_no: \"no\" }]
      - { number: { value: 7.50, unit: day } }
      - { regex: '(a|b)+[0-9]' }
      - |
        two
        lines
      - >-
        folded
        text
    must_not: []
    tags: [x, y]
    layers: { citation: off }
    extra: { a: [1, { b: ~ }] }
";

const TOML: &str = "version = 1
mode = \"block\"
max_regressed = 0
primary = [\"facts\"]
[suite.s]
\"retrieval.hit@3\" = { min = 0.8, bound = \"lower\" }
\"facts.rate\" = 1e-1
[suite.s.tag.x]
\"refusal.false_rate\" = 0x1
[targets.a]
kind = \"builtin\"
chunk = { by = \"fixed\", size = 1_000, overlap = 5 }
[profile.p]
select = ['''all''']
";

const JSON: &str = "{\"version\":1,\"suite\":\"s\"}
{\"id\":\"a\",\"question\":\"x\\ud83d\\ude80?\",\"facts\":[\"a\\\\\",7.0,-0,1e3,{\"number\":{\"value\":7,\"unit\":\"d\"}}],\"evidence\":[{\"chunk\":9007199254740993}]}
";

fn show(problems: &Problems) {
    for p in &problems.0 {
        assert!(!p.title.contains('\n') && p.width > 0);
        let _ = render(p, false);
    }
}

fn read_all(text: &str) {
    let source = Arc::new(Source { path: "f".into(), text: text.into() });
    for name in ["s.yaml", "s.jsonl"] {
        match load_source(Path::new(name), &source) {
            Ok((suite, warnings)) => {
                show(&warnings);
                show(&ragline::suite::lint::lint(&suite, None));
                for q in &suite.questions {
                    let _ = ragline::suite::digest::expects(q, suite.top_k);
                }
            }
            Err(p) => {
                assert!(p.any_error(), "refused without an error: {text:?}");
                show(&p);
            }
        }
    }
    if let Err(p) = Thresholds::parse(&source) {
        assert!(p.any_error());
        show(&p);
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("ragline.toml"), text).unwrap();
    if let Err(p) = config::load(dir.path()) {
        assert!(p.any_error());
        show(&p);
    }
    let _ = Selector::parse(text);
}

/// A text with some of its pieces replaced, dropped or doubled.
fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(String::new()),
        prop::sample::select(vec![
            "\t",
            "\n",
            " #",
            ": ",
            "- ",
            "[",
            "]",
            "{",
            "}",
            "'",
            "\"",
            "&a ",
            "*a",
            "!t ",
            "|",
            ">",
            "---\n",
            "? ",
            "<<: ",
            "%",
            "\u{feff}",
            "\u{0}",
            "\r",
            "é\u{301}",
            "น้ำ",
            "\u{202e}",
            "1e999",
            "=",
            "[[",
            "]]",
            "\\u",
            "\\ud800",
            "'''",
            "\"\"\"",
            ",",
            "inf",
            "0x",
            "null",
            "~",
        ])
        .prop_map(str::to_owned),
        ".{0,4}",
    ];
    prop::collection::vec((0..text.len(), 0usize..12, piece), 1..6).prop_map(move |edits| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, drop, piece) in edits {
            let at = at.min(chars.len());
            let end = (at + drop).min(chars.len());
            chars.splice(at..end, piece.chars());
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = suite_support::load_bytes("s.yaml", &bytes);
        read_all(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_text_never_panics(text in "(?s).{0,120}") {
        read_all(&text);
    }

    #[test]
    fn mutated_files_never_panic(text in prop_oneof![mutated(YAML), mutated(TOML), mutated(JSON)]) {
        read_all(&text);
    }
}

#[test]
fn the_files_that_are_mutated_are_right_to_begin_with() {
    let source = |text: &str| Arc::new(Source { path: "f".into(), text: text.into() });
    load_source(Path::new("s.yaml"), &source(YAML)).unwrap();
    load_source(Path::new("s.jsonl"), &source(JSON)).unwrap();
}

fn json_lines(n: usize) -> String {
    let mut text = String::from("{\"version\":1,\"suite\":\"big\"}\n");
    for i in 0..n {
        text.push_str(&format!("{{\"id\":\"q{i}\",\"question\":\"Câu hỏi thứ {i} về bảo hành và đổi trả của cửa hàng là gì?\",\"evidence\":[{{\"doc\":\"bao-hanh.md\",\"section\":[\"Bảo hành\"],\"span\":\"đoạn {i}\"}}],\"facts\":[\"fact {i} a\",{{\"number\":{{\"value\":{i},\"unit\":\"VND\"}}}}],\"tags\":[\"a\",\"b\"]}}\n"));
    }
    text
}

#[test]
fn large_suites_are_read_in_linear_time() {
    // Generous limits, since test builds are slow and machines are shared: they catch what grows with the square.
    let time = |f: &dyn Fn()| {
        let start = Instant::now();
        f();
        start.elapsed()
    };
    let source = Arc::new(Source { path: "s.jsonl".into(), text: json_lines(10_000) });
    let took = time(&|| assert_eq!(load_source(Path::new("s.jsonl"), &source).unwrap().0.questions.len(), 10_000));
    println!("10,000 questions, {} bytes of JSON lines: {took:?}", source.text.len());
    assert!(took < Duration::from_secs(5), "{took:?}");

    let (suite, _) = load_source(Path::new("s.jsonl"), &source).unwrap();
    let took = time(&|| assert!(suite.questions.iter().all(|q| ragline::suite::digest::expects(q, None).len() == 8)));
    println!("10,000 digests: {took:?}");
    assert!(took < Duration::from_secs(5), "{took:?}");

    let mut yaml = String::from("version: 1\nquestions:\n");
    for i in 0..20_000 {
        yaml.push_str(&format!("  - id: q{i}\n    question: Câu hỏi {i}?\n    facts: [fact {i}]\n    evidence:\n      - {{ doc: d{i}.md }}\n"));
    }
    let source = Arc::new(Source { path: "s.yaml".into(), text: yaml });
    let took = time(&|| assert_eq!(load_source(Path::new("s.yaml"), &source).unwrap().0.questions.len(), 20_000));
    println!("20,000 questions of YAML: {took:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");

    // One long line, and many comments in a row.
    let flow = format!(
        "version: 1\nquestions: [{}]\n",
        (0..10_000).map(|i| format!("{{ id: q{i}, question: x, facts: [ab] }}")).collect::<Vec<_>>().join(", ")
    );
    let source = Arc::new(Source { path: "s.yaml".into(), text: flow });
    let took = time(&|| assert_eq!(load_source(Path::new("s.yaml"), &source).unwrap().0.questions.len(), 10_000));
    println!("10,000 questions on one line of YAML: {took:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
    let text = format!("{}{}", "# comment\n".repeat(1000), suite_support::one_question("    facts: [a b]\n"));
    suite_support::load_yaml(&text).unwrap();
}

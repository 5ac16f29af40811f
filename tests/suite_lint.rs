//! The linter sees what can be read and still checks nothing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

mod suite_support;

use ragline::suite::lint::lint;
use suite_support::{codes, lines_of, load_yaml};

#[test]
fn unsound_questions_are_named_with_their_place() {
    let (suite, warnings) = load_yaml(
        "version: 1
language: vi
questions:
  - id: a
    question: Bảo hành bao lâu?
    facts:
      - 24 tháng
      - bảo hành
      - x
      - any_of: [không, 12 tháng]
  - id: b
    question: bảo hành  bao lâu?
    facts: [hành tinh]
  - id: c
    question: Giá vàng?
    expect: refuse
    facts: [tài liệu không nói]
  - id: d
    question: What is in the annual plan?
    facts: [ann]
",
    )
    .unwrap();
    assert!(warnings.0.is_empty(), "{warnings}");
    let p = lint(&suite, None);
    assert!(!p.any_error());
    let lines = lines_of(&p);
    for right in [(8, "fact-in-question"), (9, "fact-too-short"), (10, "fact-too-common"), (17, "refuse-with-facts")] {
        assert!(lines.contains(&right), "{right:?} {p}");
    }
    // Neither the number, nor a word that is only the begin of another one.
    assert!(!lines.iter().any(|(l, _)| [7, 13, 20].contains(l)), "{p}");
    assert!(p.0.iter().all(|p| p.help.is_some() && p.source.is_some() && p.place.column > 0));
}

#[test]
fn questions_that_ask_the_same_are_named() {
    let (suite, _) =
        load_yaml("version: 1\nquestions:\n- { id: a, question: What is it?, facts: [x y] }\n- { id: b, question: what is it?, facts: [x z] }\n").unwrap();
    let p = lint(&suite, None);
    assert_eq!(codes(&p), ["duplicate-question"]);
    assert_eq!((p.0[0].place.line, p.0[0].related[0].0.line), (4, 3));
}

#[test]
fn names_with_invisible_characters_are_named() {
    let (suite, _) =
        load_yaml(&suite_support::one_question("    evidence: [{ doc: \"a\u{200b}.md\" }, { chunk: a.md }]\n"))
            .unwrap();
    let p = lint(&suite, None);
    assert_eq!(lines_of(&p), [(6, "invisible-character")]);
    assert!(p.0[0].title.contains("U+200B"), "{p}");
}

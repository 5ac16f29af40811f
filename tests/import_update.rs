//! `ragline import … --update`: the sheet goes on, the suite's own work stays.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::Folder;
use similar::{ChangeTag, TextDiff};

/// The lines that went and came.
fn diff(was: &str, now: &str) -> Vec<String> {
    TextDiff::from_lines(was, now)
        .iter_all_changes()
        .filter_map(|c| match c.tag() {
            ChangeTag::Equal => None,
            ChangeTag::Delete => Some(format!("-{}", c.value().trim_end_matches('\n'))),
            ChangeTag::Insert => Some(format!("+{}", c.value().trim_end_matches('\n'))),
        })
        .collect()
}

const SHEET: &str = "Mã,Câu hỏi,Câu trả lời,Nhóm\n\
                     a1,Đổi trả trong bao lâu?,7 ngày,đổi trả\n\
                     a2,Phí giao hàng là bao nhiêu?,25.000 đồng,phí\n\
                     a3,Bảo hành bao lâu?,12 tháng,bảo hành\n";

/// A suite of the sheet in which a person went on writing.
fn with_work(sheet: &str, more: &[&str]) -> (Folder, String) {
    let folder = Folder::with(&[("q.csv", sheet)]);
    let args = [&["import", "csv", "q.csv", "--out", "suites/q.yaml"], more].concat();
    folder.run(&args).exits(0);
    let text = folder.read("suites/q.yaml");
    let work = text
        .replace("    reference: 7 ngày\n", "    facts: [7 ngày]   # checked by Lan\n    reference: '7 ngày'\n")
        .replace("tags: [phí]", "tags: [phí, giao-hang]")
        + "    severity: critical\n# the end\n";
    folder.write("suites/q.yaml", work.as_bytes());
    (folder, work)
}

const COLUMNS: [&str; 8] = ["--id", "Mã", "--question", "B", "--answer", "Câu trả lời", "--tags", "D"];

#[test]
fn only_what_the_sheet_changed_is_changed() {
    let (folder, was) = with_work(SHEET, &COLUMNS);
    let sheet = SHEET
        .replace("a2,Phí giao hàng là bao nhiêu?,25.000 đồng", "a2,Phí giao hàng nội thành là bao nhiêu?,30.000 đồng")
        .replace("a3,Bảo hành bao lâu?,12 tháng,bảo hành\n", "a4,\"Giờ mở cửa: mấy giờ?\",\"8 giờ\n22 giờ\",giờ\n");
    folder.write("q.csv", sheet.as_bytes());
    folder.run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"]).exits(0).shows(&[
        "1 question changed, 1 added, 1 as before",
        "changed: a2 question\n    - Phí giao hàng là bao nhiêu?\n    + Phí giao hàng nội thành là bao nhiêu?",
        "changed: a2 reference\n    - 25.000 đồng\n    + 30.000 đồng",
        "added: a4  Giờ mở cửa: mấy giờ?",
        "not in the sheet any more, and left as they are in the suite: a3",
        "these columns are not taken: tags",
    ]);
    let now = folder.read("suites/q.yaml");
    assert_eq!(
        diff(&was, &now),
        [
            "-    question: Phí giao hàng là bao nhiêu?",
            "-    reference: 25.000 đồng",
            "+    question: Phí giao hàng nội thành là bao nhiêu?",
            "+    reference: 30.000 đồng",
            "+  - id: a4",
            "+    question: \"Giờ mở cửa: mấy giờ?\"",
            "+    reference: |-",
            "+      8 giờ",
            "+      22 giờ",
            "+    tags: [giờ]",
        ]
    );
    // Once more: nothing is left to do, and nothing is written.
    let before = folder.all_files();
    folder
        .run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"])
        .exits(0)
        .shows(&["0 questions changed, 0 added"]);
    assert_eq!(folder.all_files(), before);
}

#[test]
fn a_file_of_windows_keeps_its_line_ends() {
    let (folder, was) = with_work(SHEET, &COLUMNS);
    let windows = format!("\u{feff}{}", was.replace('\n', "\r\n"));
    folder.write("suites/q.yaml", windows.as_bytes());
    folder.write("q.csv", SHEET.replace("7 ngày", "10 ngày").as_bytes());
    folder.run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"]).exits(0);
    assert_eq!(folder.read("suites/q.yaml"), windows.replace("'7 ngày'", "10 ngày"));
}

#[test]
fn made_ids_are_never_given_anew() {
    let sheet = "Câu hỏi,Câu trả lời\nĐổi trả trong bao lâu?,7 ngày\nPhí giao hàng là bao nhiêu?,5 đồng\nCó bảo hành không?,Có\n";
    let (folder, was) = with_work(sheet, &["--question", "A", "--answer", "B"]);
    // A row in front, one gone, one with other words, another order.
    let sheet = "Câu hỏi,Câu trả lời\nMở cửa mấy giờ?,8 giờ\nCó bảo hành không?,Có\nPhí giao hàng nội thành là bao nhiêu?,5 đồng\n";
    folder.write("q.csv", sheet.as_bytes());
    folder.run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"]).exits(0).shows(&[
        "changed: q002 question",
        "added: q004  Mở cửa mấy giờ?",
        "not in the sheet any more, and left as they are in the suite: q001",
    ]);
    let now = folder.read("suites/q.yaml");
    let changes = diff(&was, &now);
    assert_eq!(changes.iter().filter(|l| l.starts_with('-')).count(), 1, "{changes:?}");
    assert!(now.contains("- id: q004\n    question: Mở cửa mấy giờ?\n"), "{now}");
}

#[test]
fn ids_that_moved_do_not_mix_questions_up() {
    // Somebody put a row in front and numbered the sheet anew.
    let sheet = "STT,Câu hỏi,Câu trả lời\n1,Đổi trả trong bao lâu?,7 ngày\n2,Phí giao hàng?,5 đồng\n";
    let (folder, was) = with_work(sheet, &["--id", "STT", "--question", "B", "--answer", "C"]);
    let sheet =
        "STT,Câu hỏi,Câu trả lời\n1,Mở cửa mấy giờ?,8 giờ\n2,Đổi trả trong bao lâu?,7 ngày\n3,Phí giao hàng?,5 đồng\n";
    folder.write("q.csv", sheet.as_bytes());
    folder.run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"]).exits(0).shows(&[
        "0 questions changed, 1 added, 2 as before",
        "1: row 3 has the id `2`; the suite keeps its own",
        "row 2 has the id `1`, which is another question's",
    ]);
    assert!(diff(&was, &folder.read("suites/q.yaml")).iter().all(|l| l.starts_with('+')));
}

#[test]
fn a_suite_that_keeps_no_columns_asks_for_them() {
    let suite = "version: 1\nquestions:\n- id: a\n  question: Giá bao nhiêu?\n  facts: [5 đồng]\n";
    let folder = Folder::with(&[("q.csv", "Hỏi,Đáp\nGiá bao nhiêu?,5 đồng\nỞ đâu?,Huế\n"), ("suites/q.yaml", suite)]);
    let args = ["import", "csv", "q.csv", "--update", "suites/q.yaml"];
    folder.run(&args).exits(2).says(&["import-column", "--yes"]);
    assert_eq!(folder.read("suites/q.yaml"), suite);
    folder.run(&[args.as_slice(), &["--question", "Hỏi", "--answer", "Đáp"]].concat()).exits(0);
    let now = folder.read("suites/q.yaml");
    assert_eq!(
        now,
        "# ragline-import: {\"columns\":{\"question\":\"Hỏi\",\"answer\":\"Đáp\"}}\nversion: 1\nquestions:\n- id: a\n  \
         question: Giá bao nhiêu?\n  reference: 5 đồng\n  facts: [5 đồng]\n- id: q002\n  question: Ở đâu?\n  reference: Huế\n"
    );
}

#[test]
fn a_suite_that_cannot_be_read_stays() {
    for suite in ["version: 1\nquestions: [{id: a, question: b, facts: [c]}]\n", "version: [\n", "version: 1\n"] {
        let folder = Folder::with(&[("q.csv", SHEET), ("suites/q.yaml", suite)]);
        let args = [["import", "csv", "q.csv", "--update", "suites/q.yaml"].as_slice(), &COLUMNS].concat();
        folder.run(&args).exits(2);
        assert_eq!(folder.read("suites/q.yaml"), suite);
    }
}

/// An id that was given to another question does not put it in the place of the old one.
#[test]
fn another_question_under_an_old_id_is_told_and_not_applied() {
    let (folder, was) = with_work(SHEET, &COLUMNS);
    let sheet = SHEET
        .replace("a1,Đổi trả trong bao lâu?,7 ngày", "a1,Cửa hàng có những chi nhánh nào?,Huế và Vinh")
        .replace("a2,Phí giao hàng là bao nhiêu?", "a2,Phí giao hàng nội thành cho đơn dưới 15 kg là bao nhiêu?");
    folder.write("q.csv", sheet.as_bytes());
    let args = ["import", "csv", "q.csv", "--update", "suites/q.yaml"];
    folder.run(&args).exits(0).shows(&[
        "1 question changed, 0 added, 1 as before, 1 not applied",
        "not applied: row 2 has the id `a1` and asks something else\n    suite  Đổi trả trong bao lâu?\n    sheet  Cửa hàng có những chi nhánh nào?",
        "--replace",
    ]);
    assert_eq!(
        diff(&was, &folder.read("suites/q.yaml")),
        [
            "-    question: Phí giao hàng là bao nhiêu?",
            "+    question: Phí giao hàng nội thành cho đơn dưới 15 kg là bao nhiêu?"
        ]
    );
    folder.run(&[args.as_slice(), &["--replace"]].concat()).exits(0).shows(&[
        "1 question changed, 0 added, 2 as before",
        "changed: a1 question",
        "a1: their facts do not hold for the model answer any more",
    ]);
    assert!(folder.read("suites/q.yaml").contains("question: Cửa hàng có những chi nhánh nào?"));
}

/// What is another question is told by words, in each language.
#[test]
fn edits_and_other_questions_are_told_apart() {
    for (old, edit, other) in [
        (
            "How long do I have to return an item?",
            "How many days do I have to return an item I bought?",
            "Where is the shop?",
        ),
        ("退货期限是多久？", "网上订单的退货期限是多久？", "门店在哪里？"),
        ("คืนสินค้าได้ภายในกี่วัน", "คืนสินค้าที่ซื้อออนไลน์ได้ภายในกี่วัน", "ร้านเปิดกี่โมง"),
        ("Bảo hành bao lâu?", "Máy giặt được bảo hành bao lâu?", "Cửa hàng ở đâu?"),
        // What only asks is no word in common, and what was typed without marks is the same word.
        ("Bảo hành bao lâu?", "Bao hanh bao lau vay?", "Đổi trả trong bao lâu nữa ạ?"),
        ("How long?", "How long may I return it?", "Where are the shops?"),
        ("How long is the warranty?", "And the warranty?", "How long is the queue?"),
    ] {
        let sheet = |question: &str| format!("id,question,answer\nx1,\"{question}\",5\n");
        let (folder, _) = with_work(&sheet(old), &["--id", "id", "--question", "question", "--answer", "answer"]);
        let update = |question: &str| {
            folder.write("q.csv", sheet(question).as_bytes());
            folder.run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"]).exits(0)
        };
        update(other).shows(&["0 questions changed, 0 added, 0 as before, 1 not applied", old, other]);
        update(edit).shows(&["1 question changed, 0 added, 0 as before\n"]);
    }
}

/// A model answer that changed leaves facts behind: they are named, and renewed where nobody has looked at them yet.
#[test]
fn facts_that_the_new_model_answer_does_not_state_are_named() {
    let (folder, _) = with_work(SHEET, &COLUMNS);
    folder.run(&["facts", "suggest", "q", "--write"]).exits(0);
    folder.write("q.csv", SHEET.replace("7 ngày", "10 ngày").replace("12 tháng", "24 tháng").as_bytes());
    folder.run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"]).exits(0).shows(&[
        "2 questions changed, 0 added, 1 as before",
        "a1, a3: their facts do not hold for the model answer any more",
    ]);
    folder.run(&["lint"]).exits(0).says(&["fact-against-reference", "question `a1`", "question `a3`"]);
    folder.run(&["facts", "suggest", "q", "--write"]).exits(0).shows(&["suggested before: a3", "wrote the facts of 1"]);
    let now = folder.read("suites/q.yaml");
    // What a person wrote stays, also where it is wrong by now.
    assert!(now.contains("facts: [7 ngày]   # checked by Lan\n"), "{now}");
    assert!(now.contains("value: 24, unit: month } }  # suggested: 24 tháng\n") && !now.contains("value: 12"), "{now}");
    let err = folder.run(&["lint"]).exits(0).err;
    assert_eq!(err.matches("warning[fact-against-reference]").count(), 1, "{err}");
}

//! `ragline import csv` and `import xlsx`: a messy sheet becomes a suite, and every row is accounted for.

#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "a test may")]

mod binary_kit;
mod sheet_kit;

use binary_kit::Folder;
use ragline::suite::{Question, Suite, load};
use rust_xlsxwriter::{Format, Workbook};
use sheet_kit::{sheet, workbook};
use std::io::{Read, Write};

/// Writes the workbook of `tests/sheets` anew, after a change of the CSV file.
/// A guess that is taken needs no name for the suite.
#[test]
fn the_guess_is_written_under_the_name_of_the_file() {
    let folder = Folder::new();
    folder.write("Câu hỏi.csv", "Câu hỏi,Câu trả lời\nĐổi trả trong bao lâu?,Trong 7 ngày.\n".as_bytes());
    folder.run(&["import", "csv", "Câu hỏi.csv", "--yes"]).exits(0);
    assert!(folder.read("suites/cau-hoi.yaml").contains("Đổi trả trong bao lâu?"));
}

#[test]
#[ignore = "writes a file of the repository"]
fn make_the_workbook() {
    std::fs::write(sheet("cau-hoi.xlsx"), workbook()).unwrap();
}

fn suite(folder: &Folder, name: &str) -> Suite {
    let (suite, warnings) = load::load(&folder.path().join(name), name).unwrap();
    assert!(warnings.0.is_empty(), "{warnings}");
    suite
}

fn question<'s>(suite: &'s Suite, id: &str) -> &'s Question {
    suite.questions.iter().find(|q| q.id.as_str() == id).unwrap()
}

fn reference<'s>(suite: &'s Suite, id: &str) -> &'s str {
    question(suite, id).reference.as_deref().unwrap()
}

/// The file of `tests/sheets` in a folder of its own.
fn with_sheets() -> Folder {
    let folder = Folder::new();
    for name in ["cau-hoi.csv", "cau-hoi.xlsx"] {
        folder.write(name, &std::fs::read(sheet(name)).unwrap());
    }
    folder
}

#[test]
fn the_columns_are_shown_and_nothing_is_written() {
    let folder = with_sheets();
    let before = folder.all_files();
    let shown = folder.run(&["import", "xlsx", "cau-hoi.xlsx"]).exits(0).shows(&[
        "sheet “Câu hỏi” (others: Ghi chú) · header in row 4 · 60 rows below it",
        "A  STT",
        "id       is A, STT",
        "question is C, Câu hỏi của khách",
        "answer   is D, Câu trả lời mẫu",
        "tags     is B, Nhóm",
        "doc      is E, Tài liệu",
        "60 rows below the header: 50 questions, 6 left out, 4 blank",
    ]);
    assert_eq!(folder.all_files(), before);
    // The command that it names does what it says.
    let command = shown.out.lines().find_map(|l| l.strip_prefix("next     ragline ")).unwrap();
    let words: Vec<&str> = command
        .split('\'')
        .enumerate()
        .flat_map(|(at, piece)| if at % 2 == 1 { vec![piece] } else { piece.split_whitespace().collect() })
        .collect();
    folder.run(&words).exits(0).shows(&["wrote suites/cau-hoi.yaml", "50 questions, 6 left out, 4 blank"]);
    assert_eq!(suite(&folder, "suites/cau-hoi.yaml").questions.len(), 50);
}

#[test]
fn every_row_is_told() {
    let folder = with_sheets();
    folder.run(&["import", "xlsx", "cau-hoi.xlsx", "--yes", "--out", "suites/shop.yaml"]).exits(0).shows(&[
        "above the header, not read: rows 1–2",
        "rows 26–27: hidden rows",
        "rows 14, 23, 53: several lines or parts in one answer",
        "a category in a merged cell is taken for each of its rows",
        "row 41: the answer shows an error and is not taken, so the question has no model answer",
        "row 40: the id was changed",
        "row 5: no question; it holds “I. ĐỔI TRẢ”",
        "row 28: the same question as in row 17: “",
        "row 29: it has no answer",
        "row 31: the header again",
        "row 62: the id `12` is that of row 19; it is taken as `12-2`",
        "49 of 50 questions have a model answer and no facts: they are not checked by facts yet",
        "next: ragline facts suggest suites/shop.yaml --write\nthen: ragline run shop\n",
    ]);
    let suite = suite(&folder, "suites/shop.yaml");
    assert_eq!(suite.language.as_str(), "vi");
    assert_eq!(question(&suite, "2").tags, ["Đổi trả"]);
    assert_eq!(question(&suite, "42").tags, ["Thành viên", "tích điểm"]);
    assert_eq!(question(&suite, "1").places().next().unwrap().doc.as_deref(), Some("doi-tra.md"));
    // Two documents, one of which suffices.
    assert_eq!(question(&suite, "52").places().count(), 2);
    assert_eq!(reference(&suite, "11"), "500000");
    assert_eq!(reference(&suite, "12"), "45.000 đồng");
    assert_eq!(reference(&suite, "16"), "Hàng có sẵn: 5 ngày\nHàng cồng kềnh: 9 ngày");
    assert_eq!(reference(&suite, "39"), "30 %");
    assert_eq!(reference(&suite, "cau-30"), "Không ạ");
    assert_eq!(question(&suite, "32").reference, None);
}

#[test]
fn csv_says_the_same_but_for_what_it_cannot_hold() {
    let folder = with_sheets();
    folder
        .run(&["import", "csv", "cau-hoi.csv", "--yes", "--out", "suites/shop.yaml", "--target", "bot"])
        .exits(0)
        .shows(&["50 questions, 6 left out, 4 blank", "row 19: an apostrophe in front", "`import xlsx` knows better"]);
    let suite = suite(&folder, "suites/shop.yaml");
    assert_eq!(suite.target.as_deref(), Some("bot"));
    assert_eq!(reference(&suite, "12"), "45.000 đồng");
    assert!(question(&suite, "2").tags.is_empty());
}

#[test]
fn the_committed_workbook_is_the_one_of_the_test_code() {
    let folder = with_sheets();
    folder.write("made.xlsx", &workbook());
    for (file, out) in [("cau-hoi.xlsx", "suites/a.yaml"), ("made.xlsx", "suites/b.yaml")] {
        folder.run(&["import", "xlsx", file, "--yes", "--out", out]).exits(0);
    }
    let below = |name: &str| folder.read(name).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(below("suites/a.yaml"), below("suites/b.yaml"));
}

#[test]
fn a_suite_that_is_there_stays() {
    let folder = with_sheets();
    let args = ["import", "csv", "cau-hoi.csv", "--yes", "--out", "suites/shop.yaml"];
    folder.run(&args).exits(0);
    folder.write("suites/shop.yaml", b"mine");
    folder.run(&args).exits(2).says(&["import-exists", "--update", "--force"]);
    assert_eq!(folder.read("suites/shop.yaml"), "mine");
    folder.run(&[args.as_slice(), &["--force"]].concat()).exits(0);
    assert_eq!(suite(&folder, "suites/shop.yaml").questions.len(), 50);
}

#[test]
fn facts_and_forbidden_words_come_with_their_cells() {
    let csv = "question,answer,must include,must not include,type\n\
               How long may I return goods?,Within 7 days.,7 days; receipt,17 days,returns\n\
               Is repair free?,,free of charge,,\"repair, cost\"\n";
    let folder = Folder::with(&[("q.csv", csv)]);
    folder
        .run(&[
            "import",
            "csv",
            "q.csv",
            "--out",
            "suites/q.yaml",
            "--question",
            "question",
            "--answer",
            "B",
            "--facts",
        ])
        .exits(2);
    folder
        .run(&[
            "import",
            "csv",
            "q.csv",
            "--out",
            "suites/q.yaml",
            "--question",
            "question",
            "--answer",
            "B",
            "--facts",
            "must include",
            "--must-not",
            "D",
            "--tags",
            "type",
        ])
        .exits(0)
        .shows(&["2 ids made", "next: ragline run q"]);
    let suite = suite(&folder, "suites/q.yaml");
    let shown = |facts: &[ragline::suite::Fact]| facts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let first = question(&suite, "q001");
    assert_eq!(shown(&first.facts), ["7 days", "receipt"]);
    assert_eq!(shown(&first.must_not), ["17 days"]);
    assert_eq!(question(&suite, "q002").tags, ["repair", "cost"]);
    assert_eq!(suite.language.as_str(), "en");
}

#[test]
fn wrong_columns_are_told_with_those_there_are() {
    let folder = Folder::with(&[("q.csv", "Câu hỏi,Trả lời\nGiá?,5 đồng\n")]);
    let run = |more: &[&str]| folder.run(&[&["import", "csv", "q.csv", "--out", "suites/q.yaml"], more].concat());
    run(&["--question", "Câu hoi"]).exits(2).says(&["import-column", "did you mean “Câu hỏi”?"]);
    run(&["--question", "Fragen"]).exits(2).says(&["“Câu hỏi”, “Trả lời”"]);
    run(&["--question", "F"]).exits(2).says(&["there is no column F", "the last column is B"]);
    run(&["--answer", "B"]).exits(2).says(&["the column of the questions is not named"]);
    run(&["--question", "A", "--answer", "Câu hỏi"]).exits(2).says(&["name the same column A"]);
    run(&["--question", "A", "--answer", "B", "--header", "9"]).exits(2).says(&["row 9 holds nothing"]);
    assert!(!folder.path().join("suites").exists());
}

#[test]
fn other_letters_are_refused_with_what_to_do_or_read_as_told() {
    let folder = Folder::new();
    let tis = encoding_rs::WINDOWS_874.encode("คำถาม,คำตอบ\nเปิดกี่โมง,8 โมง\n").0.into_owned();
    folder.write("th.csv", &tis);
    let args = ["import", "csv", "th.csv", "--yes", "--out", "suites/th.yaml"];
    folder.run(&args).exits(2).says(&["import-encoding", "windows-874 (Thai)", "CSV UTF-8"]);
    folder.run(&[args.as_slice(), &["--encoding", "tis-620"]].concat()).exits(0);
    assert_eq!(suite(&folder, "suites/th.yaml").questions[0].text, "เปิดกี่โมง");
    // Excel's “Unicode text”: UTF-16 with its mark, and tabs.
    let wide: Vec<u8> = [0xfeff]
        .into_iter()
        .chain("问题\t答案\r\n几点开门？\t八点\r\n".encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    folder.write("zh.csv", &wide);
    folder.run(&["import", "csv", "zh.csv", "--yes", "--out", "suites/zh.yaml"]).exits(0);
    assert_eq!(suite(&folder, "suites/zh.yaml").questions[0].text, "几点开门？");
}

#[test]
fn what_is_no_sheet_is_told() {
    let folder =
        Folder::with(&[("blank.csv", "\n\n"), ("a.txt", "question,answer\n"), ("b.csv", "question,answer\nx?,\n")]);
    folder.write("old.xls", &[0xd0, 0xcf, 0x11, 0xe0, 0, 0]);
    folder.write("cut.xlsx", &workbook()[..2000]);
    folder.write("book.xlsx", &workbook());
    let fails = |args: &[&str], words: &[&str]| folder.run(args).exits(2).says(words);
    fails(&["import", "csv", "blank.csv"], &["import-empty"]);
    fails(&["import", "csv", "none.csv"], &["file-unreadable"]);
    fails(&["import", "xlsx", "old.xls"], &["import-malformed", ".xls"]);
    fails(&["import", "xlsx", "cut.xlsx"], &["import-malformed", "save it anew"]);
    fails(&["import", "xlsx", "a.txt"], &["this is no workbook"]);
    fails(&["import", "csv", "book.xlsx"], &["import xlsx"]);
    fails(&["import", "xlsx", "book.xlsx", "--sheet", "Cau hoi"], &["did you mean “Câu hỏi”?"]);
    fails(&["import", "csv", "b.csv", "--yes", "--out", "suites/b.yaml"], &["import-empty", "it has no answer"]);
    fails(&["import", "csv", "a.txt", "--yes", "--out", "b.jsonl"], &["YAML"]);
}

#[test]
fn a_question_in_a_merged_cell_is_one_question() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let plain = Format::new();
    for (row, cells) in
        [["Câu hỏi", "Câu trả lời"], ["Phí?", "5 đồng"], ["", "6 đồng"], ["Ở đâu?", "Huế"], ["Xa không?", ""]]
            .iter()
            .enumerate()
    {
        for (column, text) in cells.iter().enumerate().filter(|(_, t)| !t.is_empty()) {
            sheet.write(u32::try_from(row).unwrap(), u16::try_from(column).unwrap(), *text).unwrap();
        }
    }
    sheet.merge_range(1, 0, 2, 0, "Phí?", &plain).unwrap();
    sheet.merge_range(3, 1, 4, 1, "Huế", &plain).unwrap();
    let folder = Folder::new();
    folder.write("q.xlsx", &book.save_to_buffer().unwrap());
    folder.run(&["import", "xlsx", "q.xlsx", "--yes", "--out", "suites/q.yaml"]).exits(0).shows(&[
        "4 rows below the header: 3 questions, 1 left out",
        "row 3: its question is merged with that of row 2; its answer is not read: “6 đồng”",
        "row 5: an answer in a merged cell is taken for each of its questions",
    ]);
    let suite = suite(&folder, "suites/q.yaml");
    assert_eq!((reference(&suite, "q002"), reference(&suite, "q003")), ("Huế", "Huế"));
}

#[test]
fn hostile_cells_are_text() {
    let folder = Folder::with(&[(
        "q.csv",
        "question,answer\n\"a: b # c?\",\"- x\n  y: *z\n\"\n'=1+1?,!!tag &a\n\"\u{1b}[31mred?\",\"null\"\n{x},\"no\"\n",
    )]);
    let ran = folder.run(&["import", "csv", "q.csv", "--yes", "--out", "suites/q.yaml"]).exits(0);
    assert!(!ran.out.contains('\u{1b}'));
    let suite = suite(&folder, "suites/q.yaml");
    let found: Vec<(&str, &str)> =
        suite.questions.iter().map(|q| (q.text.as_str(), q.reference.as_deref().unwrap())).collect();
    assert_eq!(found, [("a: b # c?", "- x\n  y: *z"), ("=1+1?", "!!tag &a"), ("[31mred?", "null"), ("{x}", "no")]);
}

/// A file that was damaged on its way is told, or read as far as it goes; it never ends the program.
#[test]
fn damaged_workbooks_and_texts_are_no_panic() {
    let book = workbook();
    let csv = std::fs::read(sheet("cau-hoi.csv")).unwrap();
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(7);
    for round in 0..60 {
        for (format, whole) in [("xlsx", &book), ("csv", &csv)] {
            let mut bytes = whole.clone();
            for _ in 0..random.usize(1..20) {
                let at = random.usize(0..bytes.len());
                match random.u8(0..3) {
                    0 => bytes[at] = random.u8(..),
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, random.u8(..)),
                }
            }
            let name = format!("{round}.{format}");
            folder.write(&name, &bytes);
            let ran = folder.run(&["import", format, &name, "--yes", "--out", &format!("suites/{format}{round}.yaml")]);
            assert!(ran.exit == 0 || ran.exit == 2, "{ran:?}");
        }
    }
}

/// The same for what stands inside the workbook: values, references and counts that no program would write.
#[test]
fn workbooks_with_wrong_parts_are_no_panic() {
    let book = workbook();
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(11);
    let wrong = [
        "-1",
        "99999999999999999999",
        "A0",
        "XFE1",
        "ZZZZ9",
        "A1:XFD1048576",
        "NaN",
        "1e999",
        "<",
        "\u{0}",
        "&#0;",
        "",
        "t=\"s\"",
    ];
    for round in 0..120 {
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&book)).unwrap();
        let mut out = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for at in 0..archive.len() {
            let mut part = archive.by_index(at).unwrap();
            let mut text = String::new();
            part.read_to_string(&mut text).unwrap();
            let name = part.name().unwrap().into_owned();
            if random.u8(0..3) == 0 || name.contains("sheet2") {
                // A number, a reference or a value of some tag becomes something else.
                let places: Vec<(usize, &str)> = text.match_indices(|c: char| c.is_ascii_alphanumeric()).collect();
                let (place, _) = places[random.usize(0..places.len())];
                let length = text[place..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(1);
                text.replace_range(place..place + length, wrong[random.usize(0..wrong.len())]);
            }
            let options: zip::write::SimpleFileOptions = Default::default();
            out.start_file(name, options.compression_method(zip::CompressionMethod::Stored)).unwrap();
            out.write_all(text.as_bytes()).unwrap();
        }
        let name = format!("{round}.xlsx");
        folder.write(&name, &out.finish().unwrap().into_inner());
        let ran = folder.run(&["import", "xlsx", &name, "--yes", "--out", &format!("suites/x{round}.yaml")]);
        assert!(ran.exit == 0 || ran.exit == 2, "{ran:?}");
    }
}

const WITH_DOCS: &str = "Mã,Câu hỏi,Câu trả lời,Tài liệu\n\
                         a1,Đổi trả trong bao lâu?,Trong 7 ngày.,doi-tra.md\n\
                         a2,Phí giao hàng là bao nhiêu?,25.000 đồng,giao-hang.md\n\
                         a3,Có bảo hành không?,Có.,mat-roi.md\n";

fn with_documents() -> Folder {
    Folder::with(&[
        ("q.csv", WITH_DOCS),
        ("tai-lieu/doi-tra.md", "# Đổi trả\n\nTrong 7 ngày.\n"),
        ("tai-lieu/giao-hang.md", "# Giao hàng\n\n25.000 đồng.\n"),
        ("old/doi-tra.md", "# Cũ\n"),
    ])
}

/// The folder with the documents is proposed in the command, taken with `--yes`, and counts from the suite's file.
#[test]
fn the_folder_of_the_documents_is_found() {
    let folder = with_documents();
    let shown = folder
        .run(&["import", "csv", "q.csv"])
        .exits(0)
        .shows(&["tai-lieu holds 2 of the 3 documents that the rows name (not mat-roi.md)", "--corpus tai-lieu"]);
    assert_eq!(shown.out.matches("--corpus").count(), 1, "{}", shown.out);
    folder
        .run(&["import", "csv", "q.csv", "--yes", "--out", "suites/x.yaml"])
        .exits(0)
        .shows(&["written as `corpus: ../tai-lieu`, which counts from the suite's file"]);
    let text = folder.read("suites/x.yaml");
    assert!(text.contains("\ncorpus: ../tai-lieu\n"), "{text}");
    folder.run(&["lint"]).exits(0).says(&["the corpus has no document `mat-roi.md`"]);

    let named = ["import", "csv", "q.csv", "--question", "B", "--answer", "C", "--doc", "D", "--out", "suites/y.yaml"];
    folder.run(&named).exits(0).shows(&["write `corpus: ../tai-lieu` into the suite"]);
    assert!(!folder.read("suites/y.yaml").contains("corpus:"));
    // What is missing is told with the line to paste, and the line is right.
    folder.run(&["run", "y"]).exits(2).says(&[
        "error[no-corpus]",
        "write `corpus: ../tai-lieu` at the top of suites/y.yaml, from which the path counts",
        "files of tai-lieu",
    ]);
    let with = folder.read("suites/y.yaml").replace("version: 1\n", "version: 1\ncorpus: ../tai-lieu\n");
    folder.write("suites/y.yaml", with.as_bytes());
    assert!(!folder.run(&["run", "y"]).err.contains("no-corpus"));
}

#[test]
fn the_folder_of_the_documents_is_named() {
    let folder = with_documents();
    let named =
        ["import", "csv", "q.csv", "--question", "B", "--answer", "C", "--doc", "D", "--out", "suites/a/y.yaml"];
    folder.run(&[named.as_slice(), &["--corpus", "gone"]].concat()).exits(2).says(&["corpus-unreadable", "gone"]);
    folder.run(&[named.as_slice(), &["--corpus", "old"]].concat()).exits(0);
    assert!(folder.read("suites/a/y.yaml").contains("\ncorpus: ../../old\n"));
}

/// Where two folders hold the documents, neither is guessed.
#[test]
fn a_folder_in_doubt_is_not_guessed() {
    let folder = Folder::with(&[("q.csv", WITH_DOCS), ("a/doi-tra.md", "x"), ("b/doi-tra.md", "x")]);
    let shown = folder.run(&["import", "csv", "q.csv", "--yes"]).exits(0);
    assert!(!shown.out.contains("corpus"), "{}", shown.out);
    assert!(!folder.read("suites/q.yaml").contains("corpus"));
}

/// All that is told of rows stands in their order, and a row with the id of another one keeps its question.
#[test]
fn rows_are_told_in_their_order() {
    let csv = "Mã,Câu hỏi,Câu trả lời,Tài liệu\n\
               12,Đổi trả trong bao lâu?,Trong 7 ngày.,\n\
               13,Mở cửa mấy giờ?,,\n\
               12,Phí giao hàng là bao nhiêu?,25.000 đồng,\n\
               12-2,Có bảo hành không?,Có.,\n\
               15,Ai trả lời thư?,#N/A,thu.md\n\
               16,Gửi ở đâu?,#REF!,\n";
    let folder = Folder::with(&[("q.csv", csv)]);
    let columns = ["--id", "Mã", "--question", "B", "--answer", "C", "--doc", "D"];
    let args = [["import", "csv", "q.csv", "--out", "suites/q.yaml"].as_slice(), &columns].concat();
    let ran = folder.run(&args).exits(0).shows(&["6 rows below the header: 4 questions, 2 left out"]);
    let told: Vec<&str> = ran.out.lines().filter(|l| l.contains("row ")).collect();
    assert_eq!(
        told,
        [
            "left out: row 3: it has no answer, so nothing could be checked: “Mở cửa mấy giờ?”",
            "row 4: the id `12` is that of row 2; it is taken as `12-3`",
            "row 6: the answer shows an error and is not taken, so the question has no model answer",
            "left out: row 7: its answer is an error, #REF!: “Gửi ở đâu?”",
        ]
    );
    let ids: Vec<String> = suite(&folder, "suites/q.yaml").questions.iter().map(|q| q.id.as_str().to_owned()).collect();
    assert_eq!(ids, ["12", "12-3", "12-2", "15"]);
    // An update finds the same questions again.
    let before = folder.read("suites/q.yaml");
    folder
        .run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"])
        .exits(0)
        .shows(&["0 questions changed, 0 added, 4"]);
    assert_eq!(folder.read("suites/q.yaml"), before);
}

/// The workbook of a run names layers above its columns, and its answers are those of the system.
#[test]
fn an_exported_workbook_goes_back_in() {
    let yaml = "version: 1\nlanguage: vi\nquestions:\n  \
                - { id: han-doi, question: Đổi trả trong bao lâu?, facts: [7 ngày], reference: Trong 7 ngày. }\n  \
                - { id: phi, question: Phí giao hàng?, facts: [25.000 đồng], reference: 25.000 đồng. }\n";
    let answers =
        "{\"id\":\"han-doi\",\"answer\":\"Trong 17 ngày.\"}\n{\"id\":\"phi\",\"answer\":\"Là 25.000 đồng.\"}\n";
    let folder = Folder::with(&[("suites/shop.yaml", yaml), ("answers.jsonl", answers)]);
    folder.run(&["run", "--answers", "answers.jsonl"]);
    folder.run(&["export", "xlsx", "--out", "out.xlsx"]).exits(0);
    let shown = folder.run(&["import", "xlsx", "out.xlsx"]).exits(0).shows(&[
        "id       is B, id",
        "question is C, question",
        "answer   is D, reference",
    ]);
    assert_eq!(
        shown.out.lines().filter(|l| l.contains(" is ") && !l.contains("is wanted")).count(),
        3,
        "{}",
        shown.out
    );
    folder.run(&["import", "xlsx", "out.xlsx", "--yes", "--out", "suites/back.yaml"]).exits(0);
    let back = suite(&folder, "suites/back.yaml");
    assert_eq!(reference(&back, "han-doi"), "Trong 7 ngày.");
    assert!(back.questions.iter().all(|q| q.facts.is_empty() && q.places().count() == 0));
}

/// A sheet beside its documents, in one line to a suite whose facts can be checked; below a project, into that project.
#[test]
fn one_line_from_a_sheet_to_facts() {
    let csv = "Câu hỏi,Câu trả lời,Tài liệu\n\
               Đổi trả trong bao lâu?,Trong 7 ngày.,doi-tra.md\n\
               Phí đổi hàng?,25000 với kiện dưới 15 kg,doi-tra.md\n\
               Đặt trước mấy giờ?,Trước 16 giờ,doi-tra.md\n\
               Có cần giữ hộp không?,Không cần ạ,doi-tra.md\n\
               Đổi trả trong bao lâu?,Trong 10 ngày.,doi-tra.md\n\
               Có tư vấn thuốc không?,Bot phải từ chối,doi-tra.md\n";
    let document = "# Đổi trả\n\nĐổi trong 7 ngày. Phí là 25.000 đồng. Đặt trước 16 giờ. Không cần giữ hộp.\n";
    let files = [("q.csv", csv), ("docs/doi-tra.md", document)];
    let folder = Folder::with(&files);
    folder.run(&["import", "csv", "q.csv", "--yes", "--suggest"]).exits(0).shows(&[
        "wrote suites/q.yaml",
        "facts: proposed for 4 of the 5 questions that have a model answer, each marked `# suggested`",
        "write `expect: refuse` where that is meant: q005",
        "with another answer: “Trong 7 ngày.” there, “Trong 10 ngày.” here",
        "next: ragline run q",
    ]);
    let text = folder.read("suites/q.yaml");
    let facts: Vec<&str> = text.lines().filter(|l| l.contains("# suggested")).map(str::trim).collect();
    assert_eq!(
        facts,
        [
            "- { number: { value: 7, unit: day } }  # suggested: 7 ngày",
            "- { number: { value: 25000, unit: VND } }  # suggested: 25000",
            "- 16 giờ  # suggested",
            "- { yes_no: \"no\" }  # suggested: Không cần ạ",
        ]
    );
    // The run has something to check at once.
    folder.run(&["run"]).exits(2).shows(&["5 questions"]);

    let below: Vec<(String, &str)> = files.iter().map(|(name, text)| (format!("mine/{name}"), *text)).collect();
    let mut project: Vec<(&str, &str)> = below.iter().map(|(n, t)| (n.as_str(), *t)).collect();
    project.push(("ragline.toml", "version = 1\n"));
    let folder = Folder::with(&project);
    let mine = folder.path().join("mine");
    let args = ["import", "csv", "q.csv", "--yes", "--corpus", "docs"];
    binary_kit::ragline(&mine, &args).exits(0).shows(&["its ragline.toml lies above this folder"]);
    assert!(folder.read("suites/q.yaml").contains("\ncorpus: ../mine/docs\n"));
    assert!(!mine.join("suites").exists());
    binary_kit::ragline(&mine, &["run", "q"]).exits(2).shows(&["5 questions"]).says(&["project  "]);
}

/// What the sheet has otherwise and is not taken is told, and so is what still has no facts.
#[test]
fn an_update_tells_what_it_does_not_take() {
    let csv = "Mã,Câu hỏi,Câu trả lời,Nhóm,Tài liệu\n1,Đổi trả trong bao lâu?,Trong 7 ngày.,Đổi trả,a.md\n2,Mở cửa mấy giờ?,8 giờ,Giờ,b.md\n";
    let folder = Folder::with(&[("q.csv", csv)]);
    folder.run(&["import", "csv", "q.csv", "--yes"]).exits(0);
    let csv = csv.replace("Giờ,b.md", "Khác,c.md").replace("1,Đổi trả trong bao lâu?,Trong 7 ngày.,Đổi trả,a.md\n", "");
    folder.write("q.csv", csv.as_bytes());
    folder.run(&["import", "csv", "q.csv", "--update", "suites/q.yaml"]).exits(0).shows(&[
        "2: tags in the suite: Giờ; in row 2: Khác",
        "2: doc in the suite: b.md; in row 2: c.md",
        "left as they are in the suite: 1; take them out by hand, then `ragline accept --removed",
        "without facts: 1, 2",
    ]);
}

//! `ragline evidence`: what became of the places that evidence names, without asking anybody.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, lines};

/// A project of one suite and one document.
fn project(suite: &str, name: &str, document: &str) -> Folder {
    Folder::with(&[("suites/s.yaml", suite), (&format!("docs/{name}"), document)])
}

fn suite(lang: &str, questions: &str) -> String {
    format!("# ours\nversion: 1\nlanguage: {lang}\ncorpus: ../docs\nquestions:\n{questions}")
}

/// Language, document, question, words as they were, words as they are, numbers as they were and are, a fact.
type Row =
    (&'static str, &'static str, &'static str, &'static str, &'static str, (&'static str, &'static str), &'static str);

const ROWS: [Row; 4] = [
    (
        "vi",
        "# Đổi trả\n\nKhách được đổi hàng trong 10 ngày kể từ ngày nhận. Giữ lại hộp.\n\n# Khác\n\nMở cửa lúc 8 giờ.\n",
        "Đổi hàng trong bao lâu?",
        "đổi hàng trong 7 ngày kể từ ngày nhận",
        "đổi hàng trong 10 ngày kể từ ngày nhận",
        ("7 ngày", "10 ngày"),
        "7 ngày",
    ),
    (
        "th",
        "# การคืน\n\nลูกค้าคืนสินค้าได้ภายใน 10 วันนับจากวันที่ได้รับสินค้า โปรดเก็บกล่อง\n",
        "คืนได้กี่วัน",
        "คืนสินค้าได้ภายใน 7 วันนับจากวันที่ได้รับสินค้า",
        "คืนสินค้าได้ภายใน 10 วันนับจากวันที่ได้รับสินค้า",
        ("7 วัน", "10 วัน"),
        "7 วัน",
    ),
    (
        "zh",
        "# 退货\n\n自签收之日起10天内可以退货。请保留包装。\n",
        "几天内可以退货？",
        "自签收之日起7天内可以退货",
        "自签收之日起10天内可以退货",
        ("7天", "10天"),
        "7天",
    ),
    (
        "en",
        "# Returns\n\nGoods may be returned within 10 days of receipt. Keep the box.\n",
        "How long may I return goods?",
        "returned within 7 days of receipt",
        "returned within 10 days of receipt",
        ("7 days", "10 days"),
        "7 days",
    ),
];

#[test]
fn a_number_that_changed_is_shown_with_the_words_that_took_the_place() {
    for (lang, document, question, was, now, (gone, come), fact) in ROWS {
        let questions = format!(
            "  - id: a   # asked often\n    question: {question}\n    evidence:\n      - {{ doc: d.md, span: {was} }}   # by Lan\n    facts: [{fact}]\n"
        );
        let folder = project(&suite(lang, &questions), "d.md", document);
        let before = folder.all_files();
        folder.run(&["evidence", "check"]).exits(1).shows(&[
            "1 places looked up, 1 stale, 0 ambiguous",
            "stale  a  suites/s.yaml:9",
            "its words are gone from d.md",
            &format!("was      “{was}”"),
            &format!("now      “{now}”"),
            "at       d.md:3",
            &format!("numbers  {gone} → {come}"),
            &format!("fact     {fact} is not stated there"),
        ]);
        let ran = folder.run(&["evidence", "check", "--json"]).exits(1);
        let object = lines(&ran.out).next().unwrap();
        assert_eq!(object["places"][0]["nearest"]["text"], now, "{lang}");
        assert_eq!(object["places"][0]["missing"], "span");
        folder
            .run(&["evidence", "update"])
            .exits(0)
            .shows(&[&format!("+      - {{ doc: d.md, span: {now} }}   # by Lan")]);
        assert_eq!(folder.all_files(), before, "nothing is written without --write");
        folder.run(&["evidence", "update", "--write"]).exits(0).shows(&["wrote suites/s.yaml: a"]);
        // The fact follows, and bears the mark of what somebody must look at.
        let renewed = format!("    facts: [{come}]  # suggested: was {fact}\n");
        let right = suite(lang, &questions).replace(was, now).replace(&format!("    facts: [{fact}]\n"), &renewed);
        assert_eq!(folder.read("suites/s.yaml"), right, "{lang}");
        folder.run(&["evidence", "check"]).exits(0).shows(&["1 places looked up, 0 stale, 0 ambiguous"]);
    }
}

/// A sheet names documents and no words of them: the values of the facts are looked up all the same.
#[test]
fn a_value_that_no_document_says_is_told_and_renewed() {
    for (lang, document, question, _, now, (gone, come), fact) in ROWS {
        for evidence in ["{ doc: d.md }".to_owned(), format!("{{ doc: d.md, span: {now} }}")] {
            let questions = format!(
                "  - id: a\n    question: {question}\n    evidence: [{evidence}]\n    facts:\n      - {fact}  # suggested\n    reference: \"{gone}.\"\n"
            );
            let folder = project(&suite(lang, &questions), "d.md", document);
            let before = folder.all_files();
            folder.run(&["evidence", "check"]).exits(1).shows(&[
                "1 places looked up, 0 stale, 0 ambiguous, 1 fact not said by its document",
                "fact  a  suites/s.yaml:10",
                &format!("wanted   {fact}, which stands nowhere in d.md"),
                now,
                "at       d.md:3",
                "next: ragline evidence update s",
            ]);
            let ran = folder.run(&["evidence", "check", "--json"]).exits(1);
            let object = lines(&ran.out).next().unwrap();
            assert_eq!(object["facts"][0]["instead"]["value"], come, "{lang}");
            folder.run(&["evidence", "update"]).exits(0).shows(&["would change suites/s.yaml: a"]);
            assert_eq!(folder.all_files(), before, "nothing is written without --write");
            folder.run(&["evidence", "update", "--write"]).exits(0).shows(&["wrote suites/s.yaml: a"]);
            let right = suite(lang, &questions)
                .replace(&format!("- {fact}  # suggested"), &format!("- {come}  # suggested: was {fact}"))
                .replace(&format!("\"{gone}.\""), &format!("{come}."));
            assert_eq!(folder.read("suites/s.yaml"), right, "{lang}");
            folder.run(&["evidence", "check"]).exits(0);
        }
    }
}

/// Values in each form of a fact, and what is left to a person.
#[test]
fn values_of_every_form_are_looked_up() {
    let document = "# Fees\n\nThe fee for an exchange is 30 dollars for parcels below 15 kg.\n\nThe offer ends on 31 December 2026.\n\n## Refunds\n\nWe refund within 10 days. Stores refund within 2 days.\n";
    let ask = |question: &str, facts: &str| {
        let questions =
            format!("  - id: a\n    question: {question}\n    evidence: [{{ doc: d.md }}]\n    facts: [{facts}]\n");
        project(&suite("en", &questions), "d.md", document)
    };
    for (question, was, now) in [
        (
            "What is the fee for an exchange?",
            "{ number: { value: 25, unit: USD } }",
            "{ number: { value: 30, unit: USD } }",
        ),
        ("When does the offer end?", "{ date: 2026-11-30 }", "{ date: \"2026-12-31\" }"),
        ("What is the fee for an exchange?", "{ all_of: [25 dollars, 15 kg] }", "{ all_of: [30 dollars, 15 kg] }"),
        (
            "What is the fee for an exchange?",
            "{ text: 25 dollars, negation: off }",
            "{ text: 30 dollars, negation: off }",
        ),
    ] {
        let folder = ask(question, was);
        folder.run(&["evidence", "check"]).exits(1);
        folder.run(&["evidence", "update", "--write"]).exits(0);
        let text = folder.read("suites/s.yaml");
        assert!(text.contains(&format!("facts: [{now}]")), "{was}\n{text}");
        folder.run(&["evidence", "check"]).exits(0);
    }
    for (question, sound) in [
        // By value, in words, by conversion, and computed from the question.
        ("What is the fee for an exchange?", "{ number: { value: 30, unit: USD } }"),
        ("Within how long do you refund?", "ten days"),
        ("How heavy may a parcel be?", "15000 g"),
        ("What is the fee for 3 exchanges?", "90 dollars"),
        ("When does the offer end?", "{ any_of: [2027-01-01, 2026-12-31] }"),
        ("What is the fee for an exchange?", "{ regex: \"[0-9]+ euro\" }"),
    ] {
        let ran = ask(question, sound).run(&["evidence", "check"]).exits(0);
        assert!(!ran.out.contains("wanted"), "{sound}\n{}", ran.out);
    }
    // Two values stand where one did, or none of its kind: a person decides.
    for (question, fact, told) in [
        ("How much per hour?", "8 hours", "nothing of its kind stands there"),
        ("Is there a fee?", "{ any_of: [25 dollars, 26 dollars] }", "d.md:3"),
    ] {
        let folder = ask(question, fact);
        folder.run(&["evidence", "check"]).exits(1).shows(&[told]);
        folder.run(&["evidence", "update", "--write"]).exits(0).shows(&["by hand: a:"]);
        folder.run(&["evidence", "check"]).exits(1);
    }
    // Words may be said in another way: looked at, and no gate.
    ask("Who pays?", "the buyer")
        .run(&["evidence", "check"])
        .exits(0)
        .shows(&["look  a", "fact     the buyer: its document does not say it in these words"]);
}

/// The old value stands elsewhere in the document, and the words that the evidence names say another: the check stays red.
#[test]
fn words_that_contradict_their_fact_are_told() {
    let document = "# Đổi trả\n\nĐổi hàng trong 10 ngày. Hoàn tiền trong 7 ngày.\n";
    let questions = "  - id: a\n    question: Đổi hàng trong bao lâu?\n    evidence: [{ doc: d.md, span: Đổi hàng trong 10 ngày }]\n    facts: [7 ngày]\n  - id: b\n    question: Đổi hàng và hoàn tiền trong bao lâu?\n    evidence: [{ doc: d.md, span: Đổi hàng trong 10 ngày }]\n    facts: [10 ngày, 7 ngày]\n";
    let folder = project(&suite("vi", questions), "d.md", document);
    let ran = folder.run(&["evidence", "check"]).exits(1).shows(&[
        "1 fact not said by its document",
        "wanted   7 ngày, which the words that the evidence names do not say",
    ]);
    assert!(!ran.out.contains("fact  b"), "{}", ran.out);
    folder.run(&["evidence", "update", "--write"]).exits(0);
    folder.run(&["evidence", "check"]).exits(0);
    assert!(folder.read("suites/s.yaml").contains("facts: [10 ngày]  # suggested: was 7 ngày"));
}

#[test]
fn a_document_or_a_section_that_moved_is_found_again() {
    let questions = "  - id: a\n    question: Đổi hàng trong bao lâu?\n    evidence:\n      - doc: old.md\n        section:\n          - Đổi trả\n          - Thời hạn\n        span: trong 7 ngày kể từ ngày nhận\n  - id: b\n    question: Phí?\n    evidence: [{ doc: new.md, section: Phí giao hàng, span: phí 25.000 đồng }]\n";
    let document =
        "# Đổi trả hàng\n\nKhách đổi trong 7 ngày kể từ ngày nhận.\n\n# Giao hàng\n\nMỗi đơn phí 25.000 đồng.\n";
    let folder = project(&suite("vi", questions), "new.md", document);
    folder.run(&["evidence", "check"]).exits(1).shows(&[
        "there is no document old.md",
        "at       new.md:3 (Đổi trả hàng)",
        "new.md has no section Phí giao hàng",
        "at       new.md:7 (Giao hàng)",
    ]);
    folder.run(&["evidence", "update", "--write"]).exits(0).shows(&["by hand: a: section Đổi trả hàng"]);
    let text = folder.read("suites/s.yaml");
    assert!(text.contains("      - doc: new.md\n        section:\n          - Đổi trả\n"), "{text}");
    assert!(text.contains("{ doc: new.md, section: [Giao hàng], span: phí 25.000 đồng }"), "{text}");
}

#[test]
fn words_in_several_sections_are_told() {
    let questions = "  - id: a\n    question: Khi nào?\n    evidence: [{ doc: d.md, span: 7 ngày }]\n  - id: b\n    question: Khi nào hoàn?\n    evidence: [{ doc: d.md, section: Hoàn tiền, span: 7 ngày }]\n";
    let document = "# Đổi trả\n\nTrong 7 ngày.\n\n# Hoàn tiền\n\nMất 7 ngày. Sau 17 ngày thì gọi.\n";
    let folder = project(&suite("vi", questions), "d.md", document);
    let ran = folder.run(&["evidence", "check"]).exits(0).shows(&[
        "2 places looked up, 0 stale, 1 ambiguous",
        "ambiguous  a",
        "“7 ngày” stands in 2 sections",
        "at       d.md:3 (Đổi trả)",
        "at       d.md:7 (Hoàn tiền)",
    ]);
    assert!(!ran.out.contains("ambiguous  b"), "{}", ran.out);
}

#[test]
fn refusals_that_the_corpus_answers_by_now_are_told() {
    let questions = "  - id: a\n    question: Robot X9 giá bao nhiêu?\n    expect: refuse\n    must_not: [7.990.000 đồng]\n  - id: b\n    question: Cửa hàng có bán vé máy bay đi Huế không?\n    expect: refuse\n  - id: c\n    question: Mũ bảo hiểm giá bao nhiêu?\n    expect: refuse\n";
    let document = "# Robot\n\nRobot X9 giá 7,99 triệu đồng.\n\n# Vé\n\nCửa hàng có bán vé máy bay đi Huế.\n";
    let folder = project(&suite("vi", questions), "d.md", document);
    let ran = folder.run(&["evidence", "check"]).exits(1).shows(&[
        "answerable  a",
        "says      7.990.000 đồng, which an answer must not say",
        "at        d.md:1 (Robot)",
        "look  b",
        "at        d.md:5 (Vé)",
    ]);
    assert!(!ran.out.contains("look  c"), "{}", ran.out);
}

#[test]
fn nothing_like_it_is_said_so() {
    let questions = "  - id: a\n    question: Hỏi gì?\n    evidence: [{ doc: d.md, span: tặng một chiếc ô cho khách mới }]\n  - id: b\n    question: Hỏi?\n    evidence: [{ chunk: c-12 }]\n";
    let folder = project(&suite("vi", questions), "d.md", "# Phí\n\nMiễn phí giao hàng.\n");
    folder
        .run(&["evidence", "check"])
        .exits(1)
        .shows(&["nothing like it stands in the corpus", "1 more name a passage or an address alone"]);
    folder.run(&["evidence", "update", "--write"]).exits(0).shows(&["nothing stale has words or values near to it"]);
}

#[test]
fn a_corpus_of_json_lines_stands_for_the_folder() {
    let questions = "  - id: a\n    question: Phí?\n    evidence: [{ doc: phi.md, section: [Giao hàng, Phí], span: phí 25.000 đồng }]\n";
    let suite = format!("version: 1\nlanguage: vi\nquestions:\n{questions}");
    let folder = Folder::with(&[("suites/s.yaml", &suite)]);
    folder.run(&["evidence", "check"]).exits(2).says(&["error[no-corpus-named]"]);
    folder.write(
        "c.jsonl",
        "{\"doc\": \"phi.md\", \"section\": [\"Giao hàng\", \"Phí\"], \"text\": \"Mỗi đơn phí 25.000 đồng.\"}\n\n{\"source\": \"b\", \"page_content\": \"Khác.\"}\n".as_bytes(),
    );
    folder.run(&["evidence", "check", "--corpus", "c.jsonl"]).exits(0).shows(&["1 places looked up, 0 stale"]);
    folder.write("bad.jsonl", b"{\"doc\": \"a\"}\nnot json\n");
    folder.run(&["evidence", "check", "--corpus", "bad.jsonl"]).exits(2).says(&[
        "error[corpus-line]",
        "bad.jsonl:1",
        "bad.jsonl:2",
    ]);
    folder.run(&["evidence", "check", "other"]).exits(2).says(&["error[unknown-suite]"]);
}

#[test]
fn windows_line_ends_stay() {
    let text =
        suite("en", "  - id: a\n    question: When?\n    evidence: [{ doc: d.md, span: within 7 days of receipt }]\n")
            .replace('\n', "\r\n");
    let folder = project(&text, "d.md", "Returned within 9 days of receipt.\n");
    folder.run(&["evidence", "update", "--write"]).exits(0);
    assert_eq!(folder.read("suites/s.yaml"), text.replace("within 7", "within 9"));
}

/// Twenty times the sentences take about twenty times as long.
#[test]
fn a_large_corpus_takes_linear_time() {
    let run = |sections: usize| {
        let mut document = String::new();
        for i in 0..sections {
            document.push_str(&format!(
                "# Mục {i}\n\nKhách hàng số {i} được đổi hàng trong {i} giờ kể từ lúc nhận máy.\n\n"
            ));
        }
        let questions = "  - id: a\n    question: Khi nào?\n    evidence: [{ doc: d.md, span: đổi hàng trong nửa ngày kể từ lúc nhận máy và hộp }]\n";
        let folder = project(&suite("vi", questions), "d.md", &document);
        let start = std::time::Instant::now();
        folder.run(&["evidence", "check"]).exits(1);
        start.elapsed().as_secs_f64()
    };
    // A busy machine is given more than one try.
    let ratio = (0..3).map(|_| (run(200), run(4_000))).map(|(small, large)| large / small.max(0.02));
    let least = ratio.fold(f64::MAX, f64::min);
    assert!(least < 60.0, "{least} times for twenty times as much");
}

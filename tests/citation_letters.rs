//! Letters composed or apart from their marks: citations are read alike, and lead to the same passages, in every language.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

mod layer_kit;

use layer_kit::{evidence, exam, question};
use ragline::layer::citation::{self, MarkerTarget, read};
use ragline::layer::{Code, Detail, Exam, Outcome, Reading};
use ragline::suite::{EvidenceItem, Expect, Question};
use ragline::target::response::{Answer, Context, Response};
use ragline::text::pack::{Lang, Pack};
use unicode_normalization::UnicodeNormalization;

/// What is said of an answer about one passage of a document below a heading.
fn check(lang: &str, answer: &str, [doc, section]: [&str; 2], text: &str) -> (Outcome, Vec<Code>, Vec<usize>) {
    let place = EvidenceItem::One(evidence(Some(doc)));
    let question = Question { evidence: vec![place], ..question("?", Expect::Answer) };
    let passage = Context {
        doc: Some(doc.into()),
        section: vec![section.to_owned().into()],
        text: Some(text.into()),
        ..Context::default()
    };
    let response =
        Response { answer: Answer::Text(answer.into()), contexts: Some(vec![passage]), ..Response::default() };
    let lang = Lang::new(lang).unwrap();
    let exam = Exam { pack: Pack::of(&lang), ..exam(&question, &response, &lang) };
    let result = citation::check(&exam, &Reading::new(&exam));
    let cited = if let Detail::Citation(d) = &result.detail { d.cited.clone() } else { Vec::new() };
    (result.outcome, result.findings.iter().map(|f| f.code).collect(), cited)
}

fn apart(text: &str) -> String {
    text.nfd().collect()
}

#[test]
fn a_name_leads_to_its_passage_however_its_letters_are_spelled() {
    for (lang, answer, [doc, section], text) in [
        ("vi", "Đổi trong 7 ngày (Nguồn: đổi-trả.md#thời-hạn).", ["đổi-trả.md", "Thời hạn"], "Đổi trong 7 ngày."),
        ("vi", "Đổi trong 7 ngày [nguồn 1].", ["đổi-trả.md", "Thời hạn"], "Đổi trong 7 ngày."),
        ("vi", "Đổi trong 7 ngày [Đổi trả](chính-sách/đổi-trả.md).", ["đổi-trả.md", "Thời hạn"], "Đổi trong 7 ngày."),
        (
            "vi",
            "Đổi trong 7 ngày.\n\nTài liệu tham khảo\n\nNguồn:\n- Đổi-trả.md",
            ["đổi-trả.md", ""],
            "Đổi trong 7 ngày.",
        ),
        ("th", "เปลี่ยนได้ภายใน 7 วัน (ที่มา: น้ำใจ.md#กำหนดเวลา)", ["น้ำใจ.md", "กำหนดเวลา"], "เปลี่ยนได้ภายใน 7 วัน"),
        ("zh", "可以在7天内退货（来源：退货-café.md#期限）。", ["退货-café.md", "期限"], "可以在7天内退货。"),
        (
            "en",
            "Exchanges take 7 days (source: café-règles.md#délai).",
            ["café-règles.md", "Délai"],
            "Exchanges take 7 days.",
        ),
        (
            "en",
            "Exchanges take 7 days (see https://shop.example/café).",
            ["https://shop.example/café", ""],
            "Exchanges take 7 days.",
        ),
        ("ko", "교환은 7일 이내입니다 (출처: 교환규정.md#기한).", ["교환규정.md", "기한"], "교환은 7일 이내입니다."),
        ("ja", "交換は７日以内です（出典：ガイド.md#期限）。", ["ガイド.md", "期限"], "交換は７日以内です。"),
    ] {
        let wanted = check(lang, answer, [doc, section], text);
        assert_eq!((wanted.0, &wanted.2), (Outcome::Pass, &vec![0]), "{lang}: {answer}: {wanted:?}");
        let all = check(lang, &apart(answer), [&apart(doc), &apart(section)], &apart(text));
        assert_eq!(all, wanted, "{lang}: all apart: {answer}");
        // The names of a file system of its own kind, beside texts from a keyboard.
        assert_eq!(check(lang, answer, [&apart(doc), section], text), wanted, "{lang}: the document apart: {answer}");
        assert_eq!(check(lang, &apart(answer), [doc, section], text), wanted, "{lang}: the answer apart: {answer}");
    }
}

/// Another document stays another one.
#[test]
fn another_name_leads_nowhere() {
    let answer = "Đổi trong 7 ngày (Nguồn: đổi-trả.md#thời-hạn).";
    for (answer, doc) in [
        (answer.to_owned(), "đổiA-trả.md".to_owned()),
        (apart(answer), apart("đổiA-trả.md")),
        (apart(answer), "đôi-tra.md".to_owned()),
    ] {
        let (outcome, codes, cited) = check("vi", &answer, [&doc, "Thời hạn"], "Đổi trong 7 ngày.");
        assert_eq!((outcome, cited), (Outcome::Fail, vec![]), "{doc}");
        assert!(codes.contains(&Code::CitationDangling), "{codes:?}");
    }
}

/// The limits of a marker and of a word count composed letters.
#[test]
fn long_names_and_single_letters() {
    let long = "thời-hạn-đổi-trả-".repeat(14);
    let long = format!("Có (Nguồn: {long}.md).");
    let targets = |text: &str| read(text, 1).markers.into_iter().map(|m| m.to).collect::<Vec<MarkerTarget>>();
    assert_eq!(targets(&long).len(), 1);
    assert_eq!(targets(&apart(&long)), targets(&long));
    for text in [
        "교환은 일곱일 이내에 가능합니다[1].",
        "Hàng đổi được nghiêng[1].",
        "집²",
        "Có².",
        "Nguyễn¹ nói",
        "sổhttps://a.example/x",
    ] {
        assert_eq!(targets(&apart(text)), targets(text), "{text}");
    }
    assert_eq!(targets("집²"), []);
    assert_eq!(targets("교환은 일곱일 이내에 가능합니다[1].").len(), 1);
}

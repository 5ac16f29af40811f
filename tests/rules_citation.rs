//! Citations: every form of marker, what is none, and whether what is cited exists and is the evidence.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm
)]

mod layer_kit;

use proptest::prelude::*;
use ragline::layer::citation::{self, MarkerTarget, read};
use ragline::layer::{Code, Detail, Exam, LayerResult, Outcome, Provides, Reading, Skip};
use ragline::suite::{CitationPolicy, Expect, Question, Support};
use ragline::target::response::{Citation, Context, Response};
use ragline::text::pack::{Lang, Pack};

fn numbers(answer: &str, contexts: usize) -> Vec<usize> {
    let number = |t: &MarkerTarget| match t {
        MarkerTarget::Number(n) => *n,
        other => panic!("{other:?}"),
    };
    read(answer, contexts).markers.iter().map(|m| number(&m.to)).collect()
}

#[test]
fn markers_and_the_text_without_them() {
    for (answer, numbers_, plain) in [
        ("Đổi trong 7 ngày [1].", vec![1], "Đổi trong 7 ngày."),
        ("A [1,2] b", vec![1, 2], "A b"),
        ("A [1][2].", vec![1, 2], "A."),
        ("A [1–2].", vec![1, 2], "A."),
        ("A [1-3].", vec![1, 2, 3], "A."),
        ("A [1], b [2].", vec![1, 2], "A, b."),
        ("A[^1].\n\n[^1]: the first page", vec![1], "A.\n\n"),
        ("A [^1].\n\n[^1]: the first page", vec![1], "A.\n\n"),
        ("Phí.¹ Giao hàng²", vec![1, 2], "Phí. Giao hàng"),
        ("有7天【1】。", vec![1], "有7天。"),
        ("a [doc1] [cite: 2] [src:3] [Source 1]", vec![1, 2, 3, 1], "a"),
        ("a (Source: 1, 2)", vec![1, 2], "a"),
        ("Yes [2][2][2].", vec![2, 2, 2], "Yes."),
        ("Yes [87] and [2].", vec![87, 2], "Yes and."),
        ("[[1]] a", vec![1], " a"),
        ("It takes 7 days[1]. Then[2]", vec![1], "It takes 7 days. Then[2]"),
    ] {
        let cited = read(answer, 3);
        assert_eq!(cited.plain, plain, "{answer}");
        assert_eq!(numbers(answer, 3), numbers_, "{answer}");
    }
    // A range of at most twenty.
    assert_eq!(numbers("a [1-20]", 30).len(), 20);
    assert_eq!(numbers("a [1-21]", 30), [] as [usize; 0]);
}

#[test]
fn what_only_looks_like_a_marker() {
    for answer in [
        "Xem mục [x]",
        "arr[1]",
        "năm [2026]",
        "See list[0] for details.",
        "It is in list[1].",
        "[ ] todo",
        "[sic]",
        "in code `f([1])` and ```\n[2]\n```",
        "10² m², 5 km³",
        "(see below)",
        "(Source of joy)",
        "a [b](c) d",
        "![figure](https://a.example/1.png)",
        "[1-40]",
    ] {
        let cited = read(answer, 3);
        assert_eq!(cited.markers, [], "{answer}");
        assert_eq!(cited.plain, answer);
    }
}

#[test]
fn documents_and_addresses() {
    let doc = |d: &str, h: Option<&str>| MarkerTarget::Doc { doc: d.into(), heading: h.map(Into::into) };
    for (answer, targets, plain) in [
        ("Có (Nguồn: doi-tra.md#thoi-han).", vec![doc("doi-tra.md", Some("thoi-han"))], "Có."),
        ("Yes (Source: a.md, b.md)", vec![doc("a.md", None), doc("b.md", None)], "Yes"),
        ("可以（来源：手册.pdf）。", vec![doc("手册.pdf", None)], "可以。"),
        ("はい（出典：規約）。", vec![doc("規約", None)], "はい。"),
        ("ได้ (ที่มา: คู่มือ.md)", vec![doc("คู่มือ.md", None)], "ได้"),
        ("【4:0†source】 a", vec![MarkerTarget::Index(0)], " a"),
        (
            "See [the rules](https://a.example/r) now",
            vec![MarkerTarget::Url("https://a.example/r".into())],
            "See the rules now",
        ),
        ("See [7 days](doi-tra.md#han).", vec![doc("doi-tra.md", Some("han"))], "See 7 days."),
        (
            "See https://a.example/r_(x), ok (https://b.example/).",
            vec![MarkerTarget::Url("https://a.example/r_(x)".into()), MarkerTarget::Url("https://b.example/".into())],
            "See https://a.example/r_(x), ok (https://b.example/).",
        ),
        ("A.\n\n**Sources:** a.md; b.md\n", vec![doc("a.md", None), doc("b.md", None)], "A.\n\n\n"),
        ("A [^1].\n[^1]: a.md#x", vec![doc("a.md", Some("x"))], "A.\n"),
    ] {
        let cited = read(answer, 3);
        assert_eq!(cited.markers.into_iter().map(|m| m.to).collect::<Vec<_>>(), targets, "{answer}");
        assert_eq!(cited.plain, plain, "{answer}");
    }
}

#[test]
fn places_lead_back_to_the_answer() {
    let answer = "Đổi [1] trong 7 ngày [2], phí [3] 0 đồng.";
    let cited = read(answer, 3);
    let original: Vec<char> = answer.chars().collect();
    for (i, c) in cited.plain.chars().enumerate() {
        assert_eq!(original[cited.original(i)], c, "{i}");
    }
    let second = &cited.markers[1];
    assert_eq!(original[second.start..second.end].iter().collect::<String>(), "[2]");
}

fn question(expect: Expect, evidence: Option<&str>) -> Question {
    let evidence = evidence.map(layer_kit::doc).into_iter().collect();
    // Whether passages bear a claim out is another matter: tests/citation_claims.rs.
    let citation = CitationPolicy { support: Some(Support::Off), ..CitationPolicy::default() };
    Question { evidence, citation, ..layer_kit::question("Đổi trả trong bao lâu?", expect) }
}

fn context(doc: &'static str, section: &'static str, text: &'static str) -> Context<'static> {
    Context {
        doc: Some(doc.into()),
        section: if section.is_empty() { Vec::new() } else { vec![section.into()] },
        text: Some(text.into()),
        ..Context::default()
    }
}

fn response(answer: &'static str, docs: &[&'static str]) -> Response<'static> {
    let contexts = docs.iter().map(|d| context(d, "", "text")).collect();
    Response { contexts: Some(contexts), ..layer_kit::says(answer) }
}

fn check_with(question: &Question, response: &Response<'_>, provides: Provides) -> LayerResult {
    let lang = Lang::new("vi").unwrap();
    let exam = Exam { provides, pack: Pack::of(&lang), ..layer_kit::exam(question, response, &lang) };
    citation::check(&exam, &Reading::new(&exam))
}

fn check(question: &Question, response: &Response<'_>) -> (Outcome, Vec<Code>, Vec<usize>, Vec<String>) {
    let result = check_with(question, response, Provides::ALL);
    let codes = result.findings.iter().map(|f| f.code).collect();
    match result.detail {
        Detail::Citation(d) => (result.outcome, codes, d.cited, d.dangling),
        _ => (result.outcome, codes, vec![], vec![]),
    }
}

#[test]
fn a_citation_that_leads_nowhere_says_where_the_evidence_stands() {
    let said = |answer| {
        let response = response(answer, &["a.md", "b.md"]);
        let result = check_with(&question(Expect::Answer, Some("b.md")), &response, Provides::ALL);
        result.findings.into_iter().map(|f| f.message).collect::<Vec<_>>()
    };
    assert_eq!(said("Yes [3]."), ["Citation [3] leads to none of the 2 passages; the evidence stands in passage 2."]);
    assert_eq!(
        said("Yes [3][1]."),
        ["Citation [3] leads to none of the 2 passages.", "Passage 1 is cited; the evidence stands in passage 2."]
    );
    assert_eq!(said("Yes [3][2]."), ["Citation [3] leads to none of the 2 passages."]);
    assert_eq!(said("Yes [2,3]."), ["Citation 3 leads to none of the 2 passages."]);
}

/// The places are counted from 1; a passage that came and was not in the prompt is told as such, and not as none.
#[test]
fn a_citation_of_what_was_not_in_the_prompt_says_so() {
    let said = |answer, field: Option<Vec<Citation<'static>>>, sent: [bool; 2]| {
        let mut response = response(answer, &["a.md", "b.md"]);
        for (c, sent) in response.contexts.iter_mut().flatten().zip(sent) {
            c.in_prompt = Some(sent);
        }
        response.citations = field;
        let result = check_with(&question(Expect::Answer, None), &response, Provides::ALL);
        result.findings.into_iter().map(|f| f.message).collect::<Vec<_>>()
    };
    let second = || Some(vec![Citation { context: Some(2), ..Citation::default() }]);
    let left_out = ["Citation 2 leads to passage 2, which was not in the prompt."];
    assert_eq!(said("Yes.", second(), [true, false]), left_out);
    assert_eq!(said("Yes.", second(), [false, false]), left_out);
    assert_eq!(said("Yes (Nguồn: b.md).", None, [true, true]), Vec::<String>::new());
    assert_eq!(
        said("Yes (Nguồn: b.md).", None, [true, false]),
        ["Citation b.md leads to passage 2, which was not in the prompt."]
    );
    // A marker counts the passages of the prompt.
    assert_eq!(
        said("Yes [2].", None, [true, false]),
        ["Citation [2] leads to none of the 1 passage in the prompt (2 were returned)."]
    );
    assert_eq!(
        said("Yes [1].", None, [false, false]),
        ["Citation [1] leads nowhere: none of the 2 passages returned was in the prompt."]
    );
}

/// A citation is resolved; out of range is a fault however high; duplicates count once; `list[0]` is none.
#[test]
fn six_answers() {
    let question = question(Expect::Answer, Some("b.md"));
    let of = |answer| check(&question, &response(answer, &["a.md", "b.md"]));
    assert_eq!(of("Yes [1]."), (Outcome::Fail, vec![Code::CitationNotEvidence], vec![0], vec![]));
    let three = of("Yes [3].");
    assert_eq!((three.0, three.1[0], three.3), (Outcome::Fail, Code::CitationDangling, vec!["3".to_string()]));
    assert_eq!(of("Yes [2][2][2]."), (Outcome::Pass, vec![], vec![1], vec![]));
    let many = of("Yes [87] and [2].");
    assert_eq!(many, (Outcome::Fail, vec![Code::CitationDangling], vec![1], vec!["87".to_string()]));
    let none = of("See list[0] for details.");
    assert_eq!((none.0, none.1), (Outcome::Fail, vec![Code::CitationMissing]));
    let zero = of("Yes [0].");
    assert_eq!((zero.0, zero.1[0], zero.3), (Outcome::Fail, Code::CitationDangling, vec!["0".to_string()]));
}

#[test]
fn documents_resolve_by_name_and_heading() {
    let question = question(Expect::Answer, None);
    let with = |answer| {
        let contexts = vec![
            context("shop/doi-tra.md", "Phí", "phí"),
            context("shop/doi-tra.md", "Thời hạn", "7 ngày, xem https://shop.example/tra"),
            context("bao-hanh.md", "", "x"),
        ];
        check(&question, &Response { contexts: Some(contexts), ..response(answer, &[]) })
    };
    assert_eq!(with("7 ngày (Nguồn: doi-tra.md#thoi-han).").2, [1]);
    assert_eq!(with("7 ngày (Nguồn: doi-tra.md).").2, [0, 1]);
    assert_eq!(with("7 ngày (Nguồn: Thời hạn).").2, [1]);
    assert_eq!(with("7 ngày (Nguồn: doi-tra.md#gia).").3, ["doi-tra.md#gia"]);
    assert_eq!(with("7 ngày (Nguồn: bao-hanh.md#x).").2, [2]);
    assert_eq!(with("7 ngày【4:2†source】").2, [2]);
    assert_eq!(with("7 ngày (Nguồn: khong-co.md).").0, Outcome::Fail);
    // An address that a passage gives is content.
    assert_eq!(with("7 ngày [2]. Xem https://shop.example/tra").0, Outcome::Pass);
    assert_eq!(with("7 ngày [2]. Xem https://other.example/").3, ["https://other.example/"]);
}

#[test]
fn the_field_counts_and_a_difference_is_noted() {
    let question = question(Expect::Answer, Some("b.md"));
    let with = |answer, citations: Vec<Citation<'static>>| {
        check(&question, &Response { citations: Some(citations), ..response(answer, &["a.md", "b.md"]) })
    };
    let n = |n| Citation { context: Some(n), ..Citation::default() };
    let doc = |d: &'static str| Citation { doc: Some(d.into()), ..Citation::default() };
    assert_eq!(with("Yes.", vec![n(2)]), (Outcome::Pass, vec![], vec![1], vec![]));
    assert_eq!(with("Yes.", vec![doc("b.md")]).2, [1]);
    assert_eq!(with("Yes [1].", vec![n(2)]), (Outcome::Pass, vec![Code::CitationFieldsDisagree], vec![1], vec![]));
    assert_eq!(with("Yes [2].", vec![n(2)]).1, []);
    assert_eq!(with("Yes.", vec![n(2), n(3)]).3, ["3"]);
    assert_eq!(with("Yes.", vec![n(0), n(-4)]).3, ["0", "-4"]);
    assert_eq!(with("Yes.", vec![doc("c.md")]).0, Outcome::Fail);
    assert_eq!(with("Yes.", vec![Citation::default()]).0, Outcome::Fail);
    assert_eq!(with("Yes.", vec![]).1, [Code::CitationMissing]);
    let quote = Citation { doc: Some("b.md".into()), quote: Some("TEXT".into()), ..Citation::default() };
    assert_eq!(with("Yes.", vec![quote.clone()]).0, Outcome::Pass);
    assert_eq!(with("Yes.", vec![Citation { quote: Some("other words".into()), ..quote }]).0, Outcome::Fail);
}

#[test]
fn a_passage_that_was_cut_from_the_prompt_cannot_be_cited() {
    let question = question(Expect::Answer, None);
    let mut r = response("Yes [2].", &["a.md", "b.md", "c.md"]);
    r.contexts.as_mut().unwrap()[1].in_prompt = Some(false);
    // Numbers in the text count what the model saw; numbers in the field what was returned.
    assert_eq!(check(&question, &r).2, [2]);
    r.citations = Some(vec![Citation { context: Some(2), ..Citation::default() }]);
    assert_eq!(check(&question, &r).3, ["2"]);
}

#[test]
fn when_nothing_needs_to_be_cited() {
    let refusal = "Tài liệu không đề cập đến việc này.";
    let skipped = Outcome::Skipped(Skip::NotApplicable);
    assert_eq!(check(&question(Expect::Answer, None), &response(refusal, &["a.md"])).0, skipped);
    assert_eq!(check(&question(Expect::Refuse, None), &response("Có.", &["a.md"])).0, skipped);
    assert_eq!(check(&question(Expect::Either, None), &response("Có.", &["a.md"])).0, skipped);
    let cited_refusal = response("Tài liệu không đề cập đến việc này [1].", &["a.md", "b.md"]);
    assert_eq!(check(&question(Expect::Refuse, None), &cited_refusal).0, Outcome::Pass);
    assert_eq!(check(&question(Expect::Answer, Some("b.md")), &cited_refusal).0, Outcome::Pass);

    let q = question(Expect::Answer, None);
    let no_citations = Provides { citations: false, ..Provides::ALL };
    let outcome = |r: &Response<'_>, p| check_with(&q, r, p).outcome;
    assert_eq!(outcome(&response("Có.", &["a.md"]), no_citations), Outcome::Skipped(Skip::NotObserved));
    // What is cited all the same is checked.
    assert_eq!(outcome(&response("Có [9].", &["a.md"]), no_citations), Outcome::Fail);

    let blind = Response { contexts: None, ..response("Có [1].", &[]) };
    assert_eq!(outcome(&blind, Provides::ALL), Outcome::Unmeasured);
    assert_eq!(outcome(&blind, Provides { contexts: false, ..Provides::ALL }), Outcome::Skipped(Skip::NotObserved));
    assert_eq!(outcome(&response("Có [1].", &[]), Provides::ALL), Outcome::Fail);
    for blank in ["", "  "] {
        assert_eq!(outcome(&response(blank, &["a.md"]), Provides::ALL), Outcome::Unmeasured);
    }
}

/// The evidence is asked for only where a passage in the prompt holds it.
#[test]
fn evidence_that_was_not_retrieved_is_not_the_citation_s_fault() {
    let q = question(Expect::Answer, Some("c.md"));
    assert_eq!(check(&q, &response("Yes [1].", &["a.md", "b.md"])), (Outcome::Pass, vec![], vec![0], vec![]));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn any_answer_is_read(
        pieces in proptest::collection::vec(prop_oneof![
            any::<char>().prop_map(String::from),
            "(\\[|\\]|\\(|\\)|【|】|（|）|`|``|¹|²|\n| |[a-z]|[0-9]|,|-|–|\\^|:|#|\\.|†|https://|Source:|Nguồn: |\\.md){0,8}",
        ], 0..12),
        contexts in 0usize..5,
    ) {
        let answer = pieces.concat();
        let cited = read(&answer, contexts);
        let original: Vec<char> = answer.chars().collect();
        for (i, c) in cited.plain.chars().enumerate() {
            prop_assert_eq!(original.get(cited.original(i)), Some(&c));
        }
        for m in &cited.markers {
            prop_assert!(m.start < m.end && m.end <= original.len());
        }
    }
}

//! Diagnosis: the row of every case.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm,
    reason = "a test may"
)]

mod layer_kit;

use ragline::diagnose::{Diagnosis, EvidenceFacts, ROWS, diagnose};
use ragline::layer::refusal::{Label, RefusalDetail};
use ragline::layer::retrieval::{self, RetrievalDetail};
use ragline::layer::{Code, Detail, Finding, LayerId, LayerMap, LayerResult, Outcome, Reading, Skip, numbers};
use ragline::suite::{Evidence, EvidenceItem, Expect, Question};
use ragline::target::response::{Context, Response};
use ragline::text::pack::Lang;

/// All known and all well.
fn fine() -> EvidenceFacts {
    EvidenceFacts {
        run_ok: true,
        in_corpus: Some(true),
        in_top_k: Some(true),
        in_prompt: Some(true),
        heading_unsure: false,
        complete: Some(true),
        rank_ok: Some(true),
        refusal: Label::None,
        asks_back: false,
        flag_against: false,
        answer: Some(true),
        unsupported: Some(false),
        citation: Some(true),
        answer_in_contexts: None,
        values_stand: None,
        coarse: false,
        missing_in_contexts: None,
        untold: false,
        check_disputed: false,
    }
}

fn row(e: EvidenceFacts) -> u8 {
    diagnose(Expect::Answer, &e).row
}

#[test]
fn answerable_rows() {
    let f = fine();
    let lost =
        EvidenceFacts { in_top_k: Some(false), in_prompt: Some(false), complete: Some(false), rank_ok: None, ..f };
    let wrong = EvidenceFacts { answer: Some(false), ..f };
    let refused = Label::Refusal;
    for (right, e) in [
        (0, EvidenceFacts { run_ok: false, check_disputed: true, ..f }),
        (20, EvidenceFacts { check_disputed: true, ..wrong }),
        (1, EvidenceFacts { in_corpus: Some(false), ..lost }), // D07
        (22, EvidenceFacts { heading_unsure: true, ..lost }),
        (2, EvidenceFacts { answer_in_contexts: Some(true), ..lost }),
        (3, EvidenceFacts { answer_in_contexts: Some(false), ..lost }), // D06
        (4, EvidenceFacts { answer: Some(false), refusal: refused, ..lost }), // D01
        (5, EvidenceFacts { answer: Some(false), ..lost }),
        (6, EvidenceFacts { in_prompt: Some(false), complete: Some(false), answer: Some(false), ..f }),
        (7, EvidenceFacts { complete: Some(false), ..f }),
        (8, EvidenceFacts { complete: Some(false), answer: Some(false), ..f }), // D05
        (23, EvidenceFacts { refusal: refused, flag_against: true, ..wrong }),
        (26, EvidenceFacts { asks_back: true, ..wrong }),
        (9, EvidenceFacts { refusal: refused, ..wrong }),      // D09
        (10, EvidenceFacts { rank_ok: Some(false), ..wrong }), // D08
        (11, EvidenceFacts { unsupported: Some(true), ..wrong }),
        (12, wrong), // D02
        (13, EvidenceFacts { unsupported: Some(true), ..f }),
        (14, EvidenceFacts { citation: Some(false), ..f }), // D04
        (15, EvidenceFacts { rank_ok: Some(false), ..f }),
        (15, f),
        (30, EvidenceFacts { values_stand: Some(false), ..wrong }),
        (1, EvidenceFacts { values_stand: Some(false), in_corpus: Some(false), ..lost }),
        (30, EvidenceFacts { values_stand: Some(false), answer: Some(false), ..lost }),
        (31, EvidenceFacts { coarse: true, missing_in_contexts: Some(false), refusal: refused, ..wrong }),
        (31, EvidenceFacts { coarse: true, missing_in_contexts: Some(false), ..wrong }),
        (9, EvidenceFacts { coarse: true, missing_in_contexts: Some(true), refusal: refused, ..wrong }),
        (32, EvidenceFacts { coarse: true, refusal: refused, answer: None, ..f }),
        (12, EvidenceFacts { coarse: true, missing_in_contexts: Some(true), ..wrong }),
        (33, EvidenceFacts { untold: true, ..wrong }),
        (11, EvidenceFacts { untold: true, unsupported: Some(true), ..wrong }),
        // D03: a reviewer says that `Không` was right.
        (20, EvidenceFacts { check_disputed: true, ..wrong }),
    ] {
        assert_eq!(row(e), right, "{e:?}");
    }
}

#[test]
fn rows_outside_the_corpus() {
    let f = EvidenceFacts { in_corpus: None, in_top_k: None, ..fine() };
    let out = |e: EvidenceFacts| diagnose(Expect::Refuse, &e).row;
    assert_eq!(out(EvidenceFacts { in_corpus: Some(true), ..f }), 16);
    assert_eq!(out(EvidenceFacts { refusal: Label::Refusal, flag_against: true, unsupported: Some(true), ..f }), 24);
    assert_eq!(out(EvidenceFacts { refusal: Label::Refusal, ..f }), 17);
    assert_eq!(out(EvidenceFacts { refusal: Label::Partial, ..f }), 17);
    assert_eq!(out(EvidenceFacts { refusal: Label::Partial, unsupported: Some(true), ..f }), 18);
    assert_eq!(out(EvidenceFacts { unsupported: Some(true), ..f }), 18); // D10
    assert_eq!(out(f), 19);
    // Either is fine: a refusal is no fault.
    assert_eq!(diagnose(Expect::Either, &EvidenceFacts { refusal: Label::Refusal, ..f }).row, 17);
    assert_eq!(diagnose(Expect::Either, &f).row, 15);
}

#[test]
fn every_row_is_there_once() {
    let mut rows: Vec<u8> = ROWS.iter().map(|r| r.row).collect();
    rows.sort_unstable();
    // 21 is about two runs (an edited question) and stands in no table.
    // 25 is about a recording; 26 to 29 are about questions back, 30 to 33 about what is known of a document alone.
    assert_eq!(rows, (0..=20).chain([22, 23, 24]).chain(26..=33).collect::<Vec<_>>());
}

#[test]
fn what_is_unknown_is_said() {
    let d = diagnose(Expect::Answer, &EvidenceFacts { answer: Some(true), ..EvidenceFacts::default() });
    assert_eq!((d.row, d.layer), (15, "none"));
    let note = d.note.unwrap();
    assert!(note.contains("retrieval was not measured") && note.contains("numbers"), "{note}");
    assert_eq!(diagnose(Expect::Answer, &fine()).note, None);
}

// From the outcomes of the layers.

fn question(expect: Expect) -> Question {
    let evidence = Evidence { span: Some("trong vòng 7 ngày".into()), ..layer_kit::evidence(Some("doi-tra.md")) };
    Question {
        evidence: vec![EvidenceItem::One(evidence)], ..layer_kit::question("Đổi trả trong bao lâu?", expect)
    }
}

/// Runs retrieval and numbers as they are; facts, refusal and citation are given.
fn story(
    expect: Expect,
    answer: &str,
    contexts: &[(&str, &str)],
    facts: Outcome,
    label: Label,
    cit: Outcome,
) -> Diagnosis {
    let q = question(expect);
    let context = |(doc, text): &(&str, &str)| Context {
        doc: Some(doc.to_string().into()),
        text: Some(text.to_string().into()),
        ..Context::default()
    };
    let response = Response { contexts: Some(contexts.iter().map(context).collect()), ..layer_kit::says(answer) };
    let lang = Lang::new("vi").unwrap();
    let exam = layer_kit::exam(&q, &response, &lang);
    let reading = Reading::new(&exam);
    let layers = LayerMap::from_fn(|layer| match layer {
        LayerId::Retrieval => retrieval::check(&exam),
        LayerId::Numbers => numbers::check(&exam, &reading),
        LayerId::Facts => LayerResult::plain(facts),
        LayerId::Citation => LayerResult::plain(cit),
        LayerId::Refusal => {
            LayerResult { detail: Detail::Refusal(RefusalDetail::of(label)), ..LayerResult::plain(Outcome::Pass) }
        }
    });
    diagnose(expect, &EvidenceFacts::gather(&exam, &layers))
}

#[test]
fn stories_from_the_layers() {
    use Outcome::{Fail, Pass};
    let whole = ("doi-tra.md", "Đổi trả trong vòng 7 ngày.");
    let cut = ("doi-tra.md", "Đổi trả trong vòng");
    let other = ("phi.md", "Phí giao hàng 30.000 đồng.");
    let skip = Outcome::Skipped(Skip::NotApplicable);
    let none = Label::None;
    for (right, answer, contexts, facts, label, cit) in [
        (4, "Không có thông tin.", vec![other], Fail, Label::Refusal, skip), // D01
        (12, "Trong 7 ngày làm việc.", vec![whole], Fail, none, skip),       // D02
        (14, "Trong 7 ngày [2].", vec![whole, other], Pass, none, Fail),     // D04
        (8, "Có thể đổi.", vec![cut], Fail, none, skip),                     // D05
        (3, "Bảy ngày.", vec![], Pass, none, skip),                          // D06
        (10, "Không rõ lắm.", vec![other, other, other, other, whole], Fail, none, skip), // D08
        (9, "Tài liệu không đề cập.", vec![whole], Fail, Label::Refusal, skip), // D09
        (11, "Trong 17 ngày.", vec![whole], Fail, none, skip),
        (13, "Trong 7 ngày, phí 50.000 đồng.", vec![whole], Pass, none, skip),
        (15, "Trong 7 ngày.", vec![whole], Pass, none, Pass),
    ] {
        let d = story(Expect::Answer, answer, &contexts, facts, label, cit);
        assert_eq!(d.row, right, "{answer}: {d:?}");
    }
    // D10: outside the corpus, with a price that no passage states.
    assert_eq!(story(Expect::Refuse, "Giá 99.000 đồng.", &[other], skip, none, skip).row, 18);
    assert_eq!(story(Expect::Refuse, "Tôi không rõ.", &[other], skip, Label::Refusal, skip).row, 17);
    assert_eq!(story(Expect::Answer, " ", &[whole], Fail, Label::Empty, skip).row, 0);
}

/// D07: evidence that the corpus does not hold is unmeasured, and the test set is at fault.
#[test]
fn stale_evidence_is_row_1() {
    let q = question(Expect::Answer);
    let response = Response { contexts: Some(vec![]), ..layer_kit::says("7 ngày") };
    let lang = Lang::new("vi").unwrap();
    let exam = layer_kit::exam(&q, &response, &lang);
    let stale = LayerResult {
        detail: Detail::Retrieval(Box::new(RetrievalDetail { in_corpus: Some(false), ..RetrievalDetail::default() })),
        ..LayerResult::unmeasured(Finding::fault(Code::EvidenceStale, "stale"))
    };
    let mut layers = LayerMap::from_fn(|_| LayerResult::skipped(Skip::NotApplicable));
    layers[LayerId::Retrieval] = stale;
    let facts = EvidenceFacts::gather(&exam, &layers);
    assert_eq!((facts.in_corpus, facts.in_top_k), (Some(false), None));
    assert_eq!(diagnose(Expect::Answer, &facts).row, 1);
}

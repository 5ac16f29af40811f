//! Answers tried on the patterns before anything was mended for them, the forty of each language written without a look at
//! these: recall and false hits of each language, and the same verdict whether the
//! letters are composed or stand apart from their marks.

#![allow(clippy::print_stderr, reason = "a test reports each sentence that it misses")]

mod layer_kit;
mod refusal_kit;

use layer_kit::question;
use ragline::layer::refusal::{Label, RefusalDetail, read};
use ragline::suite::Expect;
use ragline::text::pack::Pack;
use refusal_kit::four::Sentences;
use refusal_kit::{five, trial, trial_last, trial_more};
use unicode_normalization::UnicodeNormalization;

fn of(lang: &str, answer: &str) -> RefusalDetail {
    read(Some(answer), &question("?", Expect::Answer), Pack::by_code(lang))
}

/// How many refusals are called one, and how many of the others are called one or one in part.
fn counted((lang, refusals, others): Sentences) -> (usize, usize) {
    let label = |text: &&&str| of(lang, text).label;
    let missed: Vec<_> = refusals.iter().filter(|t| label(t) != Label::Refusal).collect();
    let taken = |t: &&&str| matches!(label(t), Label::Refusal | Label::Partial);
    let hit: Vec<_> = others.iter().filter(taken).collect();
    eprintln!("{lang}: missed {missed:#?}, false {hit:#?}");
    (refusals.len() - missed.len(), hit.len())
}

#[test]
fn forty_of_each() {
    for set in [trial::VI, trial::EN, trial::ZH, trial::TH] {
        let (lang, refusals, others) = set;
        assert_eq!((refusals.len(), others.len()), (40, 40), "{lang}");
        let (seen, hit) = counted(set);
        assert!(seen * 100 >= refusals.len() * 97, "{lang}: {seen} of 40");
        assert!(hit <= 2, "{lang}: {hit} false");
    }
}

#[test]
fn twenty_more_of_each() {
    for set in [trial_more::VI, trial_more::EN, trial_more::ZH, trial_more::TH] {
        let (lang, refusals, others) = set;
        assert_eq!((refusals.len(), others.len()), (20, 20), "{lang}");
        let (seen, hit) = counted(set);
        assert!(seen >= 19, "{lang}: {seen} of 20");
        assert!(hit <= 1, "{lang}: {hit} false");
    }
}

#[test]
fn ten_more_of_each() {
    for set in [trial_last::VI, trial_last::EN, trial_last::ZH, trial_last::TH] {
        let (lang, refusals, others) = set;
        assert_eq!((refusals.len(), others.len()), (10, 10), "{lang}");
        let (seen, hit) = counted(set);
        assert!(seen == 10 && hit == 0, "{lang}: {seen} of 10, {hit} false");
    }
}

/// A keyboard or a file may give each mark apart from its letter; the suite may be in another language than the answer.
#[test]
fn letters_apart_from_their_marks() {
    let sets = [trial::VI, trial::EN, trial::ZH, trial::TH, five::DE, five::FR, five::ES, five::JA, five::KO];
    let mut differ = 0;
    for (lang, refusals, others) in sets {
        for text in refusals.iter().chain(others) {
            let apart: String = text.nfd().collect();
            let composed: String = text.nfc().collect();
            differ += usize::from(apart != composed);
            for suite in [lang, "en", "de", "vi"] {
                assert_eq!(of(suite, &apart), of(suite, &composed), "{suite}: {text}");
            }
        }
    }
    assert!(differ > 100, "{differ}");
}

/// Words typed without their apostrophe are read as with it, in the language of the suite only: French has a `dont`.
#[test]
fn words_as_people_type_them() {
    assert_eq!(of("en", "i dont know").label, Label::Refusal);
    assert_eq!(of("en", "The docs dont mention it").label, Label::Refusal);
    assert_eq!(of("en", "The tour is in Montcant.").label, Label::None);
    assert_eq!(of("fr", "Le document dont je parle mentionne un prix.").label, Label::None);
    assert_eq!(of("vi", "Em chưa nắm đc thông tin này ạ").label, Label::Refusal);
    assert_eq!(of("th", "ไม่มีข้อมุลค่ะ").label, Label::Refusal);
}

/// A relative clause behind the words is about people or a case.
#[test]
fn clauses_about_a_case() {
    for text in
        ["答不出附加题的考生扣2分。", "不清楚尺码的顾客可以参考尺码表。", "文件未写明生效日期的，自公布之日起生效。"]
    {
        assert_eq!(of("zh", text).label, Label::None, "{text}");
    }
    assert_eq!(of("zh", "文件未写明生效日期。").label, Label::Refusal);
    assert_eq!(of("vi", "Thí sinh không trả lời được câu hỏi phụ sẽ bị trừ 2 điểm.").label, Label::None);
}

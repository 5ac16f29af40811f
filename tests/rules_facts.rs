//! Facts: what counts as stated, in which languages, and what a miss says.

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
use ragline::layer::facts;
use ragline::layer::{Code, Detail, Exam, LayerResult, Outcome, Reading, Skip};
use ragline::suite::{Expect, Fact, FactForm, Question};
use ragline::target::response::{Answer, Response};
use ragline::text::decimal::Decimal;
use ragline::text::pack::{Lang, Pack};
use std::borrow::Cow;

fn fact(form: FactForm) -> Fact {
    Fact { form, looking: Default::default(), place: Default::default() }
}

fn text(t: &str) -> Fact {
    fact(FactForm::Text(t.into()))
}

fn number(value: &str, unit: Option<&str>) -> Fact {
    fact(FactForm::Number { value: Decimal::parse(value).unwrap(), unit: unit.map(Into::into), op: Default::default() })
}

fn yes_no(yes: bool) -> Fact {
    fact(FactForm::YesNo(yes))
}

fn any_of(facts: Vec<Fact>) -> Fact {
    fact(FactForm::AnyOf(facts))
}

fn all_of(facts: Vec<Fact>) -> Fact {
    fact(FactForm::AllOf(facts))
}

fn question(expect: Expect, facts: Vec<Fact>, must_not: Vec<Fact>) -> Question {
    Question { facts, must_not, ..layer_kit::question("?", expect) }
}

fn check_as(lang: &str, question: &Question, answer: Answer<'_>) -> LayerResult {
    let response = Response { answer, ..Response::default() };
    let lang = Lang::new(lang).unwrap();
    let exam = Exam { pack: Pack::of(&lang), ..layer_kit::exam(question, &response, &lang) };
    facts::check(&exam, &Reading::new(&exam))
}

fn check(lang: &str, question: &Question, answer: &str) -> LayerResult {
    check_as(lang, question, Answer::Text(Cow::Borrowed(answer)))
}

/// The reason for one required fact.
fn reason(lang: &str, fact: Fact, answer: &str) -> String {
    match check(lang, &question(Expect::Answer, vec![fact], vec![]), answer).detail {
        Detail::Facts(v) => v[0].reason.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn words_are_whole_words() {
    for (lang, wanted, answer, expected) in [
        ("vi", "từ chối bảo hành", "Máy sẽ bị TỪ CHỐI bảo hành [1].", "matched(text)"),
        ("vi", "hoà", "Hòa Phát", "matched(tone)"),
        ("vi", "Hòa Bình", "tỉnh Hoà Bình", "matched(tone)"),
        ("vi", "Hòa Bình", "Hoa Bình", "missing"),
        ("vi", "thủy", "thuỷ", "matched(tone)"),
        ("en", "Hòa Bình", "Hoà Bình", "missing"),
        ("vi", "báo", "bảo hành", "missing"),
        ("de", "Röntgen", "Wilhelm Rontgen", "missing"),
        ("de", "Röntgen", "Wilhelm Ro\u{308}ntgen", "matched(text)"),
        ("th", "น้ำ", "น\u{E4D}\u{E49}\u{E32}", "matched(text)"),
        ("th", "น้ำ", "น\u{E49}\u{E4D}\u{E32}", "matched(text)"),
        ("th", "แมว", "เเมว", "matched(text)"),
        ("th", "นำ", "น้ำ", "missing"),
        ("th", "มา", "ม", "missing"),
        ("zh", "保修范围", "进水不在保修范围内。", "matched(text)"),
        ("en", "order-4711 is paid", "order-\u{200b}4711 is\u{a0}paid", "matched(text)"),
        ("en", "order-4711 is paid", "or\u{ad}der-4711 is paid", "matched(text)"),
        ("en", "order-4711 is paid", "\u{feff}order-4711\u{202f} is\n\tpaid", "matched(text)"),
        ("en", "order-4711 is paid", "\u{202a}order-4711\u{202c} is paid", "matched(text)"),
        ("fa", "میخواهم", "می\u{200c}خواهم", "missing"),
        ("en", "cat", "category", "missing"),
        // A marker is no part of the answer.
        ("en", "2", "It is closed [2].", "missing"),
    ] {
        assert_eq!(reason(lang, text(wanted), answer), expected, "{wanted} in {answer}");
    }
}

#[test]
fn numbers_are_found_by_value() {
    for (lang, wanted, answer, expected) in [
        ("vi", number("5000000", Some("VND")), "tối đa 5 triệu đồng", "matched(number)"),
        ("vi", number("5000000", Some("VND")), "từ 3.000.000 đồng", "wrong_value(3.000.000 đồng)"),
        ("vi", number("7", Some("day")), "trong 7 ngày", "matched(number)"),
        ("vi", number("7", Some("ngày")), "trong 1 tuần", "matched(number)"),
        ("vi", number("7", Some("ngày")), "trong 17 ngày", "wrong_value(17 ngày)"),
        ("vi", number("7", Some("ngày")), "trong 7 giờ", "wrong_value(7 giờ)"),
        ("vi", number("7", Some("ngày")), "có phí", "missing"),
        ("en", number("5", None), "5 %", "missing"),
        ("en", number("5", Some("%")), "5 %", "matched(number)"),
        ("en", number("40", None), "40 million", "wrong_value(40 million)"),
        ("en", number("3", Some("blorps")), "It has 3 blorps.", "matched(number)"),
        ("en", number("3", Some("blorps")), "It has 3 fleems and blorps.", "missing"),
        ("vi", text("5"), "15 ngày", "missing"),
        ("vi", text("7 ngày"), "trong vòng 7 ngày", "matched(text)"),
        ("vi", text("5.000.000 đồng"), "tối đa 5 triệu đồng", "matched(value)"),
        ("vi", text("5 đồng"), "5 triệu đồng", "wrong_value(5 triệu đồng)"),
        ("en", text("14 days"), "within 14 days.", "matched(text)"),
        ("en", text("14 days"), "within two weeks or 14\u{a0}days", "matched(text)"),
        ("en", text("EUR 5,123"), "It costs EUR 5,123 a year.", "matched(text)"),
        ("en", text("EUR 5,123"), "It costs EUR 5,124 a year.", "wrong_value(EUR 5,124)"),
        ("en", text("1.5"), "1.50", "matched(value)"),
        ("en", text("15"), "1.5", "wrong_value(1.5)"),
        ("zh", text("15天"), "十五天", "matched(value)"),
    ] {
        let shown = format!("{wanted:?} in {answer}");
        assert_eq!(reason(lang, wanted, answer), expected, "{shown}");
    }
}

/// A number without a unit may stand for a fact that has one, but not where it counts something else.
#[test]
fn a_bare_number_beside_the_wrong_one_states_nothing() {
    for (lang, wanted, answer, expected) in [
        ("en", "7 days", "According to section 7, the period is 30 days.", "wrong_value(30 days)"),
        ("en", "7 days", "On 7 March you have 30 days.", "wrong_value(30 days)"),
        ("en", "7 days", "It is the 7th.", "missing"),
        ("vi", "7 ngày", "Theo Điều 7, thời hạn là 30 ngày.", "wrong_value(30 ngày)"),
        ("vi", "12 tháng", "đến tháng 12", "missing"),
        ("vi", "5 năm", "năm 5", "missing"),
        ("th", "7 วัน", "ตามมาตรา 7 คืนสินค้าได้ภายใน 30 วัน", "wrong_value(30 วัน)"),
        ("zh", "7天", "根据第7条，期限为30天。", "wrong_value(30天)"),
        ("zh", "7天", "第7条。", "missing"),
        ("en", "7 days", "It is 7.", "matched(value)"),
        ("en", "7 days", "It is 7 (seven) days.", "matched(value)"),
        ("en", "7 days", "It is 7, 14 or 30 days.", "matched(value)"),
        ("th", "7 วัน", "7 หรือ 14 วัน", "matched(value)"),
        ("zh", "7天", "7或14天", "matched(value)"),
        ("vi", "500.000 đồng", "Phí là 500k.", "matched(value)"),
    ] {
        assert_eq!(reason(lang, text(wanted), answer), expected, "{wanted} in {answer}");
    }
}

/// The digits of a list's own markers, and pieces of a ratio, state no number.
#[test]
fn a_piece_of_something_else_states_no_number() {
    for (wanted, answer, expected) in [
        ("2", "There are 3 ways:\n1. one\n2. two\n3. three", "wrong_value(3)"),
        ("7 days", "1. Fees\n7. Days off", "missing"),
        ("7 days", "1/7 days", "wrong_value(1/7 days)"),
        ("7", "7.", "matched(text)"),
        ("2026", "30/11/2026", "matched(text)"),
    ] {
        assert_eq!(reason("en", text(wanted), answer), expected, "{wanted} in {answer}");
    }
}

/// A reader sees 17 days and 7.5 days.
#[test]
fn what_is_not_seen_parts_no_number() {
    for (wanted, answer, expected) in [
        ("7 days", "1\u{200b}7 days", "wrong_value(1\\u{200b}7 days)"),
        ("1 day", "1\u{ad}7 days", "wrong_value(1\\u{ad}7 days)"),
        ("17 days", "1\u{2060}7 days", "matched(text)"),
        ("7 days", "1\u{200d}7 days", "wrong_value(1\\u{200d}7 days)"),
        ("7 days", "1\u{34f}7 days", "wrong_value(1\\u{34f}7 days)"),
        ("password", "pass\u{34f}wo\u{2064}rd", "matched(text)"),
        ("1,500 m", "1\u{200b},\u{200b}500 m", "matched(text)"),
        ("7 days", "7½ days", "wrong_value(7½ days)"),
        ("7 days", "7 1/2 days", "wrong_value(7 1/2 days)"),
        ("7.5 days", "7 ½ days", "matched(value)"),
    ] {
        assert_eq!(reason("en", text(wanted), answer), expected, "{wanted} in {answer}");
    }
}

/// A phrase that ends in a number, or begins with one, is not found inside a larger number.
#[test]
fn a_phrase_cuts_no_number_short() {
    for (lang, wanted, answer, expected) in [
        ("en", "a fee of 5", "There is a fee of 5 million dollars.", "missing"),
        ("en", "a fee of 5", "There is a fee of 5 dollars.", "matched(text)"),
        ("en", "a fee of 5", "5 million pay a fee of 5.", "matched(text)"),
        ("vi", "phí là 5", "Phí là 5 triệu đồng.", "missing"),
        ("vi", "phí là 5 triệu", "Phí là 5 triệu đồng.", "matched(text)"),
        ("vi", "500 nghìn đồng mỗi tháng", "3 triệu 500 nghìn đồng mỗi tháng", "missing"),
        ("vi", "500 nghìn đồng mỗi tháng", "500 nghìn đồng mỗi tháng", "matched(text)"),
        ("zh", "七天内可退货", "十七天内可退货", "missing"),
        ("zh", "费用5", "费用5万元", "missing"),
        ("zh", "七天内可退货", "第七天内可退货", "matched(text)"),
    ] {
        assert_eq!(reason(lang, text(wanted), answer), expected, "{wanted} in {answer}");
    }
}

/// What must not be said must not stand in a footnote or a source either.
#[test]
fn a_marker_hides_nothing() {
    let forbids = question(Expect::Answer, vec![], vec![text("password"), text("2")]);
    for answer in ["Yes [^1].\n[^1]: the password is 4711", "Yes (Source: my password)."] {
        let result = check("en", &forbids, answer);
        assert_eq!(result.outcome, Outcome::Fail, "{answer}");
        let (start, end) = result.findings[0].span.unwrap();
        let said: String = answer.chars().take(end).skip(start).collect();
        assert_eq!(said, "password");
    }
    assert_eq!(check("en", &forbids, "Yes [2].").outcome, Outcome::Pass);
}

/// A blank answer satisfies nothing, `must_not` included. Neither does one that only looks as if it held something.
#[test]
fn an_answer_that_says_nothing_is_blank() {
    let forbids = question(Expect::Answer, vec![], vec![text("password")]);
    for answer in [
        "",
        " \n\u{a0}\u{3000}",
        "\u{200b}\u{feff}",
        "\u{200c}\u{200d}",
        "\u{fe0f}",
        "\0",
        "\u{115f}\u{3164}",
        "\u{301}",
        "\u{e0041}",
        "**",
        "```\n```",
        "---",
        "...",
        "[1]",
        "【1】。",
    ] {
        assert_eq!(check("en", &forbids, answer).outcome, Outcome::Unmeasured, "{answer:?}");
    }
    for answer in ["a", "5", "👍", "不", "€", "No [1]"] {
        assert_eq!(check("en", &forbids, answer).outcome, Outcome::Pass, "{answer:?}");
    }
}

#[test]
fn yes_or_no_from_the_first_words() {
    let wanted = || any_of(vec![text("từ chối"), text("không được bảo hành"), yes_no(false)]);
    assert_eq!(reason("vi", wanted(), "Không"), "matched(polarity)");
    assert_eq!(reason("vi", wanted(), "Có, vẫn được."), "wrong_value(yes)");
    assert_eq!(reason("th", yes_no(true), "ได้ค่ะ ภายใน 7 วัน"), "matched(polarity)");
    assert_eq!(reason("th", yes_no(true), "ไม่ได้ค่ะ"), "wrong_value(no)");
    assert_eq!(reason("zh", yes_no(false), "没有发票也可以保修。"), "polarity_unknown");
    // A refusal has no yes and no no.
    let refusal = "Không. Tài liệu không đề cập.";
    assert_eq!(check("vi", &question(Expect::Answer, vec![yes_no(false)], vec![]), refusal).outcome, Outcome::Fail);
}

#[test]
fn combined_facts() {
    let of = |fact| reason("en", fact, "Returns take 7 days and cost 5 euro.");
    assert_eq!(of(any_of(vec![text("free"), text("7 days")])), "matched(text)");
    assert_eq!(of(all_of(vec![text("Returns"), text("7 days")])), "matched(all)");
    assert_eq!(of(all_of(vec![text("Returns"), text("free")])), "missing");
    assert_eq!(of(any_of(vec![text("free"), number("9", Some("EUR"))])), "wrong_value(5 euro)");
    assert_eq!(of(fact(FactForm::Regex(regex::Regex::new("cost [0-9] euro").unwrap()))), "matched(regex)");
    assert_eq!(of(fact(FactForm::Regex(regex::Regex::new("COST").unwrap()))), "missing");
    // An expression sees composed characters, however the answer was typed.
    let dashed = fact(FactForm::Regex(regex::Regex::new("^phí").unwrap()));
    assert_eq!(reason("vi", dashed, "phi\u{301} 0 đồng"), "matched(regex)");
}

#[test]
fn what_must_not_be_said() {
    let of = |answer| check("vi", &question(Expect::Answer, vec![], vec![text("phí bằng nhau")]), answer);
    let bad = of("Hai gói có phí bằng nhau.");
    assert_eq!((bad.outcome, bad.findings[0].code), (Outcome::Fail, Code::ForbiddenClaim));
    assert_eq!(bad.findings[0].span, Some((11, 24)));
    assert_eq!(bad.findings[0].message, "It says “phí bằng nhau”, which it must not.");
    let week = check("vi", &question(Expect::Answer, vec![], vec![text("7 ngày")]), "Trong 1 tuần.");
    assert_eq!(week.findings[0].message, "It says “7 ngày”, which it must not (by value).");
    assert_eq!(of("Phí khác nhau.").outcome, Outcome::Pass);
    // A blank or missing answer satisfies nothing, a prohibition neither.
    let q = question(Expect::Answer, vec![], vec![text("password")]);
    for (answer, code) in [
        (Answer::Text("".into()), Code::AnswerEmpty),
        (Answer::Text(" \u{200b}\n".into()), Code::AnswerEmpty),
        (Answer::Null, Code::AnswerMissing),
        (Answer::Absent, Code::AnswerMissing),
    ] {
        let result = check_as("en", &q, answer);
        assert_eq!((result.outcome, result.findings[0].code), (Outcome::Unmeasured, code));
    }
}

#[test]
fn refusals_and_facts() {
    let refusal = "Tài liệu không đề cập đến thời hạn 7 ngày.";
    let with = |expect, must_not| check("vi", &question(expect, vec![text("7 ngày")], must_not), refusal);
    let result = with(Expect::Answer, vec![]);
    assert_eq!((result.outcome, result.findings[0].code), (Outcome::Fail, Code::FactMissing));
    assert_eq!(with(Expect::Either, vec![]).outcome, Outcome::Skipped(Skip::NotApplicable));
    assert_eq!(with(Expect::Refuse, vec![text("8 ngày")]).outcome, Outcome::Pass);
    assert_eq!(with(Expect::Refuse, vec![text("thời hạn 7 ngày")]).outcome, Outcome::Fail);
    let none = check("vi", &question(Expect::Answer, vec![], vec![]), "Có.");
    assert_eq!(none.outcome, Outcome::Skipped(Skip::NotApplicable));
}

#[test]
fn a_miss_shows_the_nearest_sentence_and_what_cannot_be_seen() {
    let message = |lang, wanted, answer| {
        check(lang, &question(Expect::Answer, vec![wanted], vec![]), answer).findings[0].message.clone()
    };
    let shown = message("en", text("refund within 14 days"), "Hello there. A refund takes 30 days. Bye.");
    assert_eq!(shown, "“refund within 14 days” is not stated. Nearest: “A refund takes 30 days.”");
    // The answer is shown beside the message: one sentence is not said twice.
    assert_eq!(message("en", text("14 days"), "A refund takes 30 days."), "“14 days” is wanted, “30 days” is stated.");
    let shown = message("fa", text("میخواهم"), "می\u{200c}خواهم");
    assert!(shown.contains("می\\u{200c}خواهم"), "{shown}");
    let shown = message("en", text("Hòa Bình"), "Hoà Bình");
    assert!(shown.contains("language: vi") && shown.contains("any_of"), "{shown}");
    let result = check("vi", &question(Expect::Answer, vec![text("7 ngày")], vec![]), "Đổi [1] trong 17 ngày [2].");
    assert_eq!(result.findings[0].code, Code::FactWrongValue);
    assert_eq!(result.findings[0].span, Some((14, 21)));
}

#[test]
fn a_number_that_another_fact_asks_for_is_not_stated_instead() {
    let found = |facts: Vec<_>, answer| {
        let result = check("en", &question(Expect::Answer, facts, vec![]), answer);
        result.findings.into_iter().map(|f| (f.code, f.message)).collect::<Vec<_>>()
    };
    let answer = "Business class is allowed on flights of 8 hours or more. Ask your manager first.";
    let nearest = "Nearest: “Business class is allowed on flights of 8 hours or more.”";
    let missing = [(Code::FactMissing, format!("“5 hours” is not stated. {nearest}"))];
    // As a fact of its own, as a number, in a phrase that stands there, in a list of which each is needed.
    let eight = || text("8 hours");
    assert_eq!(found(vec![eight(), text("5 hours")], answer), missing);
    assert_eq!(found(vec![number("8", Some("hours")), text("5 hours")], answer), missing);
    assert_eq!(found(vec![text("flights of 8 hours"), text("5 hours")], answer), missing);
    assert_eq!(found(vec![text("480 minutes"), text("5 hours")], answer), missing);
    // A phrase that does not stand there keeps no number to itself, nor does a number that nobody asks for.
    let wrong = |other| found(vec![other, text("5 hours")], answer).into_iter().map(|f| f.0).collect::<Vec<_>>();
    assert_eq!(wrong(text("trains of 8 hours")), [Code::FactMissing, Code::FactWrongValue]);
    assert_eq!(wrong(text("manager")), [Code::FactWrongValue]);
}

#[test]
fn a_value_that_stands_twice_is_told_once() {
    let message = |answer| {
        let result = check("vi", &question(Expect::Answer, vec![text("45 ngày")], vec![]), answer);
        result.findings[0].message.clone()
    };
    assert_eq!(
        message("30 ngày, tức là 30 ngày làm việc."),
        "“45 ngày” is wanted, “30 ngày, 30 ngày làm việc” is stated."
    );
    assert_eq!(
        message("Là 30 ngày, tối đa 30 ngày, không phải 60 ngày."),
        "“45 ngày” is wanted, “30 ngày, 60 ngày” is stated."
    );
}

#[test]
fn the_nearest_sentence_shares_something_and_is_no_greeting() {
    let message = |lang, wanted, answer| {
        check(lang, &question(Expect::Answer, vec![wanted], vec![]), answer).findings[0].message.clone()
    };
    for (lang, wanted, answer, nearest) in [
        ("en", text("0236 555 0190"), "Book at least 14 days ahead. Happy to help.", None),
        ("en", text("the emergency line"), "Happy to help. Book 14 days ahead in the portal.", None),
        ("vi", text("một nửa"), "Xin chào anh/chị. Mức này là 350.000 đồng.", None),
        (
            "vi",
            text("mức công tác phí"),
            "Cảm ơn anh/chị đã hỏi về công tác phí. Phí là 350.000 đồng.",
            Some("Phí là 350.000 đồng."),
        ),
        // The unit, and the rarer word: `fee` stands in both sentences.
        ("en", text("late fee of 9 USD"), "The fee is low. It is 5 USD. Bye.", Some("It is 5 USD.")),
        (
            "en",
            text("late fees apply"),
            "The fee is low. A fee is due for being late.",
            Some("A fee is due for being late."),
        ),
        // What is stated instead is shown where it stands.
        ("en", text("150%"), "Overtime is paid. On holidays it is 200%. Thank you.", Some("On holidays it is 200%.")),
    ] {
        let told = message(lang, wanted, answer);
        let found = told.split_once("Nearest: “").map(|(_, rest)| rest.trim_end_matches('”'));
        assert_eq!(found, nearest, "{told}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_answer_and_any_fact(answer in any::<String>(), wanted in any::<String>(), near in "[a-z0-9][0-9.,%a-zđ\u{E01}-\u{E4e} ]{0,20}") {
        for lang in ["vi", "th", "nl"] {
            let facts = vec![text(&wanted), text(&near), number("7", Some(&wanted)), yes_no(true)];
            let q = question(Expect::Answer, facts, vec![text(&near)]);
            check(lang, &q, &answer);
            check(lang, &q, &near);
            // What is stated word for word is found.
            if near.chars().any(|c| c.is_ascii_alphabetic()) && !near.contains(|c: char| c.is_ascii_digit()) {
                let reason = reason(lang, text(&near), &format!("x {near} y"));
                prop_assert!(reason.starts_with("matched"), "{}: {}", near, reason);
            }
        }
    }
}

//! Numbers: extraction and grounding, with the right value of every case.

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

use layer_kit::says;
use ragline::layer::numbers::{NumberVerdict, Status};
use ragline::layer::{Code, Detail, Exam, LayerResult, Outcome, Provides, Reading, Skip, Weight, numbers};
use ragline::suite::{Expect, NumbersGrant};
use ragline::target::response::{Context, Response};
use ragline::text::number::{self, Kind, Mention};
use ragline::text::pack::Lang;

fn found(lang: &str, text: &str) -> Vec<Mention> {
    number::mentions(text, &Lang::new(lang).unwrap())
}

/// Readings and units, as `1500|1.5 VND`.
fn shown(lang: &str, text: &str) -> Vec<String> {
    let one = |m: &Mention| {
        if !m.kind.has_value() {
            return format!("{}:{}", m.kind.name(), m.shown_value());
        }
        let readings: Vec<String> = m.readings.iter().map(ToString::to_string).collect();
        let unit = m.unit.map(|u| format!(" {u}")).unwrap_or_default();
        readings.join("|") + &unit
    };
    found(lang, text).iter().map(one).collect()
}

fn each(cases: &[(&str, &str, &[&str])]) {
    for (lang, text, right) in cases {
        assert_eq!(shown(lang, text), *right, "{lang}: {text}");
    }
}

#[test]
fn nx01_to_nx05_separators() {
    each(&[
        ("vi", "1.000.000 đồng", &["1000000 VND"]),
        ("vi", "1.500 đồng", &["1500|1.5 VND"]),
        ("en", "1.500 kg", &["1.5|1500 kg"]),
        ("en", "1,234,567.89", &["1234567.89"]),
        ("de", "1.234.567,89", &["1234567.89"]),
        ("fr", "1\u{a0}234,5 €", &["1234.5 EUR"]),
        ("fr", "1 234 567 euros", &["1234567 EUR"]),
        ("vi", "1 234", &["1", "234"]),
        ("vi", "1\u{a0}234", &["1234"]),
        ("de", "1'250.50", &["1250.5"]),
        ("en", "12,34,567", &["1234567"]),
        ("en", "1,00,000", &["100000"]),
        ("vi", "0.500", &["0.5"]),
        ("vi", "1,8 phần", &["1.8 part"]),
        ("en", "1234.567", &["1234.567"]),
        ("en", "rows 1,2,3", &["1", "2", "3"]),
        ("en", "7, 10", &["7", "10"]),
        ("en", "1.2.3", &["code:1.2.3"]),
    ]);
}

#[test]
fn nx06_magnitudes() {
    each(&[
        ("vi", "4 triệu", &["4000000"]),
        ("vi", "1tr5", &["1500000"]),
        ("vi", "2 tỷ 3", &["2300000000"]),
        ("vi", "2 tỷ 3 tháng", &["2000000000", "3 month"]),
        ("vi", "3 triệu 500 nghìn", &["3500000"]),
        ("vi", "1 triệu rưỡi", &["1500000"]),
        ("vi", "3 năm rưỡi", &["3.5 year"]),
        ("vi", "500k", &["500000"]),
        ("vi", "1,5 triệu đồng", &["1500000 VND"]),
        ("vi", "2 nghìn tỷ đồng", &["2000000000000 VND"]),
        ("vi", "3-5 triệu", &["3000000|3", "5000000"]),
        ("vi", "7–10 ngày", &["7 day", "10 day"]),
        ("vi", "từ 7 đến 10 ngày", &["7 day", "10 day"]),
        ("en", "30 to 50 thousand", &["30000|30", "50000"]),
        ("en", "£30m", &["30000000 GBP"]),
        ("en", "3M", &["3000000|3"]),
        ("en", "1.5 million", &["1500000"]),
        ("en", "2 lakh 50 thousand", &["250000"]),
        ("de", "3 Mio. Euro", &["3000000"]),
        ("ko", "3만원", &["30000 KRW"]),
    ]);
}

#[test]
fn nx07_nx08_scripts() {
    each(&[
        ("th", "๓๐ วัน", &["30 day"]),
        ("th", "3 แสน 5 หมื่นบาท", &["350000 THB"]),
        ("th", "ร้อยละ 7", &["7 percent"]),
        ("th", "2 พันล้านบาท", &["2000000000 THB"]),
        ("th", "7 ถึง 10 วัน", &["7 day", "10 day"]),
        ("th", "ลดเหลือ 500.- จาก 1,290.-", &["500 THB", "1290|1.29 THB"]),
        ("th", "3 พันธุ์ 3 พันบาท", &["3 count", "3000 THB"]),
        ("zh", "三百五十", &["350"]),
        ("zh", "三百五", &["350|305"]),
        ("zh", "二〇二六年", &["date:2026"]),
        ("zh", "十二点五", &["12.5"]),
        ("zh", "3亿5000万", &["350000000"]),
        ("zh", "1.2万", &["12000"]),
        ("zh", "百分之十五", &["15 percent"]),
        ("zh", "百分之15", &["15 percent"]),
        ("zh", "三成", &["30 percent"]),
        ("zh", "25千克", &["25 kg"]),
        ("zh", "7至10天", &["7 day", "10 day"]),
        ("zh", "3个月", &["3 month"]),
        ("zh", "千万不要", &[]),
        ("zh", "万一", &[]),
        ("zh", "礼品卡不参加分期，仅供参考", &[]),
        ("zh", "订单七天内送达，每单三件", &["7 day", "3 count"]),
        ("zh", "同一天，数十天", &[]),
        ("zh", "十分钟", &["10 minute"]),
        ("ja", "百一", &["101"]),
        ("ja", "一兆一", &["1000000000001"]),
        ("en", "١٬٢٠٠٫٥", &["1200.5"]),
        ("en", "５０％", &["50 percent"]),
        ("en", "१२", &["12"]),
        ("en", "10² m", &["10"]),
        ("en", "25 m²", &["25 m2"]),
    ]);
}

#[test]
fn nx14_identifiers_marks_and_addresses_are_no_numbers() {
    each(&[
        ("en", "v1.2.3", &["code:v1.2.3"]),
        ("en", "MX-204", &["code:MX-204"]),
        ("en", "ISO-9001 and IP67", &["code:ISO-9001", "code:IP67"]),
        ("en", "form 7731-02 [2].", &["code:7731-02"]),
        ("vi", "1. Bước một", &[]),
        ("vi", "Bước 2: gửi", &[]),
        ("zh", "1、安装\n2、重启", &[]),
        ("en", "【4:0†source】 see [1], [2, 3] and [^4]", &[]),
        ("en", "24/7", &["ratio:24/7"]),
        ("en", "https://a.vn/30?x=5 or a30@b.com, see bao-hanh.md#3", &[]),
        ("vi", "15/2018/NĐ-CP", &["code:15/2018/NĐ-CP"]),
        ("en", "30.", &["30"]),
        ("en", "4G, 5L, 2X4 and 3D", &["code:4G", "5 l", "code:2X4", "code:3D"]),
        ("en", "the 10th of the 1990s at 3pm", &["10 ordinal", "1990", "time:900"]),
        ("en", "a 30-day, pre-2020 top-10", &["30 day", "2020", "10"]),
        ("en", "$40, USD 40, USD40, 40 USD", &["40 USD", "40 USD", "40 USD", "40 USD"]),
        ("vi", "30/11/2026", &["date:2026-11-30"]),
        ("en", "2026-11-30", &["date:2026-11-30"]),
        ("vi", "8h30, 8:30, 8h", &["time:510", "time:510", "8 hour"]),
        ("vi", "gọi 1900 1234 hoặc 0912 345 678", &["phone:19001234", "phone:0912345678"]),
        ("en", "1038-40", &["1038", "1040|40"]),
        ("en", "(1) call, (2) write, seven (7) days", &["7"]),
        ("en", "**17** days, 5 business days, 7 (seven) days", &["17 day", "5 day", "7 day"]),
        ("vi", "30 tháng 11 năm 2026", &["date:2026-11-30"]),
        ("en", "-5 °C and .5 mm", &["-5|5 celsius", "0.5 mm"]),
    ]);
}

/// Chinese sets words in the brackets of a citation; lists run on within a line.
#[test]
fn brackets_and_lists_within_a_line() {
    each(&[
        ("zh", "费用为【500元】。", &["500 CNY"]),
        ("zh", "【30天】内", &["30 day"]),
        ("zh", "有【1】【2、3】【4:0†source】", &[]),
        ("en", "1) open it 2) close it, in 9 days", &["9 day"]),
        ("en", "do (1) this; (2) that", &[]),
        ("en", "(at most 2) items", &["2"]),
        ("en", "pay 2) euro", &["2"]),
    ]);
}

#[test]
fn fractions_and_what_is_not_seen() {
    each(&[
        ("en", "7½ days", &["7.5 day"]),
        ("en", "7 1/2 days", &["7.5 day"]),
        ("en", "2 ¼ kg", &["2.25 kg"]),
        ("en", "5⅓ l", &["5.333333333333 l"]),
        ("en", "page 7 1/2", &["7", "ratio:0.5"]),
        ("en", "10² m", &["10"]),
        ("en", "1\u{200b}7 days", &["17 day"]),
        ("vi", "1\u{2060}.\u{200b}500.000 đồng", &["1500000 VND"]),
        ("vi", "7\u{200b} ngày", &["7 day"]),
        ("vi", "7 \u{feff}ngày", &["7 day"]),
    ]);
}

#[test]
fn convention_of_the_document_goes_first() {
    let m = found("vi", "1,234,567.5 và 1.500");
    assert_eq!(m[1].readings[0].to_string(), "1.5");
    let m = found("en", "1.234.567,5 and 1.500");
    assert_eq!(m[1].readings[0].to_string(), "1500");
}

#[test]
fn offsets_hold_the_mention() {
    for (lang, text, right) in [
        ("vi", "Phí là 1.500.000đ nhé", "1.500.000đ"),
        ("en", "costs US$ 40 today", "US$ 40"),
        ("zh", "需要十五天。", "十五天"),
    ] {
        let m = &found(lang, text)[0];
        assert_eq!(&text[m.start..m.end], right);
    }
    assert!(!found("zh", "一个人")[0].claim);
    assert!(found("zh", "十五天")[0].claim);
    assert_eq!(found("en", "40 %")[0].kind, Kind::Percent);
}

// Grounding.

fn run(lang: &str, response: &Response<'_>, q: &str, provides: Provides) -> LayerResult {
    let (question, lang) = (layer_kit::question(q, Expect::Answer), Lang::new(lang).unwrap());
    let exam = Exam { provides, ..layer_kit::exam(&question, response, &lang) };
    numbers::check(&exam, &Reading::new(&exam))
}

fn response<'a>(answer: &'a str, contexts: &[&'a str]) -> Response<'a> {
    let context = |t: &&'a str| Context { text: Some((*t).into()), ..Context::default() };
    Response { contexts: Some(contexts.iter().map(context).collect()), ..says(answer) }
}

fn ground(lang: &str, q: &str, answer: &str, contexts: &[&str]) -> LayerResult {
    run(lang, &response(answer, contexts), q, Provides::ALL)
}

fn verdicts(r: &LayerResult) -> &[NumberVerdict] {
    match &r.detail {
        Detail::Numbers(v) => v,
        other => panic!("{other:?}"),
    }
}

fn statuses(r: &LayerResult) -> Vec<Status> {
    verdicts(r).iter().map(|v| v.status).collect()
}

/// Language, question, answer, passage, statuses.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static [Status]);

#[test]
fn grounding_by_value_and_unit() {
    use Status::*;
    let rows: &[Row] = &[
        (
            "vi",
            "Đơn COD 4 triệu thì sao?",
            "Đơn COD 4 triệu đồng cần xác nhận",
            "từ 3.000.000 đồng trở lên cần xác nhận",
            &[QuestionOnly],
        ), // NG01
        ("vi", "", "17 ngày", "7 ngày", &[Ungrounded]), // NG02
        ("vi", "", "5 phần gạo và 1,8 phần nước", "1 phần gạo và 1,8 phần nước, nấu 5 phút", &[UnitMismatch, Grounded]), // NG03
        ("vi", "", "1 tuần", "7 ngày", &[Grounded]),             // NG05
        ("vi", "", "7 giờ", "7 ngày", &[UnitMismatch]),          // NG05
        ("vi", "", "1,5 triệu đồng", "1.500.000đ", &[Grounded]), // NG06
        ("zh", "", "十五天", "15天", &[Grounded]),               // NG07
        ("vi", "", "8 ngày", "7–10 ngày", &[Ungrounded]),        // NG09
        ("en", "", "66.7%", "66.67 %", &[GroundedMinor]),        // NG11
        ("en", "", "70%", "66.67 %", &[Ungrounded]),             // NG11
        ("vi", "Bảo hành 12 tháng hay 24 tháng?", "24 tháng", "12 tháng", &[QuestionOnly]), // NG12
        ("vi", "", "Có 3 cách:\n- a\n- b\n- c", "không", &[Allowed]), // NG13
        ("vi", "", "gọi 1900 1234", "19001234", &[Grounded]),    // NG14
        ("vi", "", "mã MX-205", "MX-204", &[Ungrounded]),        // NG14
        ("vi", "", "1.500 đồng", "1,5 đồng", &[GroundedMinor]),  // NG15
        ("vi", "", "mở 24/7", "mở cả ngày", &[Allowed]),
        ("en", "", "It is an IP 67 case, MX204.", "rated IP67; model MX-204", &[Ungrounded, Grounded]),
        ("en", "", "It is an IP67 case.", "rated IP 67 by us", &[Grounded]),
        ("en", "", "It is an IP67 case.", "rated IP 670", &[Ungrounded]),
        ("en", "", "Install v3.4", "version 3.4 or later", &[Grounded]),
        ("en", "", "version 3.4", "install v3.4.", &[Grounded]),
        ("vi", "", "ngày 30/11/2026", "ngày 30 tháng 11 năm 2026", &[Grounded]),
        ("vi", "", "ngày 30 tháng 11 năm 2026", "30/11/2026", &[Grounded]),
        ("vi", "", "ngày 31/11/2026", "ngày 30/11/2026", &[Ungrounded]),
        ("vi", "", "từ 8h30", "8:30 – 17:00", &[Grounded]),
        ("vi", "", "từ 9h30", "8:30 – 17:00", &[Ungrounded]),
        ("vi", "", "trong 7 ngày", "trong vòng bảy ngày", &[Grounded]),
        ("vi", "", "trong 5 ngày", "trong năm 2026", &[Ungrounded]),
        ("en", "", "within 14 days", "fourteen (14) days", &[Grounded]),
        ("en", "", "within 10 days", "ten business days", &[UnitQualifier]),
        ("th", "", "7 วัน", "ภายในเจ็ดวัน", &[Grounded]),
        ("zh", "", "7天", "七天内", &[Grounded]),
        ("en", "", "costs 40 million", "Budget 40", &[Ungrounded]),
        ("vi", "", "5 triệu", "4.980.000 đồng", &[Ungrounded]), // NG10
    ];
    for (lang, q, a, c, right) in rows {
        let r = ground(lang, q, a, &[c]);
        assert_eq!(statuses(&r), *right, "{a} / {c}");
        let fails = right.iter().any(|s| s.is_fault());
        assert_eq!(r.outcome, if fails { Outcome::Fail } else { Outcome::Pass }, "{a}");
        let faults = r.findings.iter().filter(|f| f.weight == Weight::Fault).count();
        assert_eq!(faults, right.iter().filter(|s| s.is_fault()).count());
    }
}

#[test]
fn what_the_suite_allows_needs_no_passage() {
    use Status::{Allowed, Derived, Ungrounded};
    let judge = |allow: &[&str], allow_sum: bool, answer: &str, context: &str| {
        let mut q = layer_kit::question("Phí hai kiện là bao nhiêu?", Expect::Answer);
        q.numbers = NumbersGrant { allow: allow.iter().map(|a| (*a).to_owned()).collect(), allow_sum };
        let lang = Lang::new("vi").unwrap();
        let response = response(answer, &[context]);
        let exam = layer_kit::exam(&q, &response, &lang);
        let result = numbers::check(&exam, &Reading::new(&exam));
        verdicts(&result).iter().map(|v| v.status).collect::<Vec<_>>()
    };
    let fee = "Kiện nhỏ 30.000 đồng, kiện lớn 45.000 đồng.";
    // As a passage would: by value and unit, however it is written.
    assert_eq!(judge(&["1900 1234"], false, "Gọi 19001234 nhé.", fee), [Allowed]);
    assert_eq!(judge(&["1900 1234"], false, "Gọi 1900 1235 nhé.", fee), [Ungrounded]);
    assert_eq!(judge(&["7 ngày"], false, "Trong bảy ngày hoặc 7 giờ.", fee), [Allowed, Ungrounded]);
    assert_eq!(judge(&[], false, "Gọi 1900 1234 nhé.", fee), [Ungrounded]);
    // Sums and differences of numbers of one unit, only where the question grants them.
    assert_eq!(judge(&[], true, "Tổng cộng 75.000 đồng, chênh 15.000 đồng.", fee), [Derived, Derived]);
    assert_eq!(judge(&[], true, "Tổng cộng 76.000 đồng.", fee), [Ungrounded]);
    assert_eq!(judge(&[], true, "Tổng cộng 75.000 km.", fee), [Ungrounded]);
    assert_eq!(judge(&[], false, "Tổng cộng 75.000 đồng.", fee), [Ungrounded]);
}

#[test]
fn ng02_message_names_the_near_number() {
    let r = ground("vi", "", "Đổi trong 17 ngày nhé", &["a 1", "đổi trong 7 ngày", "trong 30 ngày"]);
    let f = &r.findings[0];
    assert_eq!(f.code, Code::NumberUngrounded);
    assert_eq!(
        f.message,
        "“17 ngày” is not grounded: it stands in none of the 3 passages in the prompt; passage 2 says “7 ngày”."
    );
    assert_eq!(f.span, Some((10, 17)));
}

/// What was meant is more likely one digit away than near in value.
#[test]
fn the_near_number_is_that_of_a_slip() {
    for (answer, near) in [
        ("Đổi trong 17 ngày", "7 ngày"),
        ("Đổi trong 4 ngày", "7 ngày"),
        ("Đổi trong 29 ngày", "20 ngày"),
        ("Đổi trong 19 ngày", "20 ngày"),
        ("Đơn tối đa 55.000.000 đồng", "5.500.000 đồng"),
        ("Đơn tối đa 50.000.000 đồng", "20.000.000 đồng"),
    ] {
        let context = "đổi trong 7 ngày, máy lỗi 20 ngày; đơn 5.500.000 đồng, giao dịch 20.000.000 đồng";
        let message = &ground("vi", "", answer, &[context]).findings[0].message;
        assert!(message.ends_with(&format!("passage 1 says “{near}”.")), "{message}");
    }
}

#[test]
fn b01_marks_and_identifiers() {
    let context = "Use release v3.4 of the client. Form 7731-02 applies. Fee 30 euro.";
    let r = ground("en", "", "1. Install v3.4 [1].\n2. Send form 7731-02 [2].\n3. Pay 30 euro.", &[context]);
    assert_eq!((r.outcome, r.findings.len()), (Outcome::Pass, 0), "{:?}", r.findings);
    let r = ground("en", "", "Founded in 1987, it needs v3.5.", &[context]);
    let bad: Vec<&str> =
        verdicts(&r).iter().filter(|v| v.status == Status::Ungrounded).map(|v| v.text.as_str()).collect();
    assert_eq!((r.outcome, bad), (Outcome::Fail, vec!["1987", "v3.5"]));
    assert_eq!(r.findings.len(), 2);
}

#[test]
fn b04_one_digit_changed() {
    let context = "Satisfaction rose to 92 % (ratio 0.36 to 0.92 over 2 years).";
    let r = ground("en", "", "Satisfaction rose to 91 % over 2 years.", &[context]);
    assert_eq!(statuses(&r), [Status::Ungrounded, Status::Grounded]);
    let answer = "It rose from 36 % to 92 %.";
    assert_eq!(ground("en", "", answer, &[context]).outcome, Outcome::Pass);
    assert_eq!(ground("en", "", "It rose by 56 points.", &[context]).outcome, Outcome::Fail);
    let r = ground("en", "", answer, &[]);
    assert_eq!(statuses(&r), [Status::Ungrounded, Status::Ungrounded]);
    assert_eq!(r.findings.len(), 2);
}

#[test]
fn b07_digits_inside_other_numbers() {
    let context = "Budget 1400 euro, 240 seats, 40 % discount for members.";
    for (answer, right) in [
        ("It costs 40 euro.", Outcome::Fail),
        ("The discount is 40 %.", Outcome::Pass),
        ("There are 40 million seats.", Outcome::Fail),
        ("There are 240 seats.", Outcome::Pass),
    ] {
        assert_eq!(ground("en", "", answer, &[context]).outcome, right, "{answer}");
    }
}

#[test]
fn j04_digits_of_other_scripts() {
    let context = "ค่าปรับ ๕๐๐ บาท; السعر ١٬٢٠٠٫٥; ５０％; 10² m";
    for (answer, right) in [
        ("500 baht", Outcome::Pass),
        ("1200.5", Outcome::Pass),
        ("50 %", Outcome::Pass),
        ("102", Outcome::Fail),
        ("100", Outcome::Fail),
    ] {
        assert_eq!(ground("en", "", answer, &[context]).outcome, right, "{answer}");
    }
}

#[test]
fn what_was_not_returned_is_never_a_pass() {
    let silent = Provides { contexts: false, ..Provides::ALL };
    let retriever = Provides { answer: false, ..Provides::ALL };
    let none = says("7 days");
    assert_eq!(run("en", &none, "", silent).outcome, Outcome::Skipped(Skip::NotObserved));
    let r = run("en", &none, "", Provides::ALL);
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Unmeasured, Code::ContextsMissing));
    // No number: nothing to check, whatever is missing.
    let plain = says("Yes.");
    assert_eq!(run("en", &plain, "", Provides::ALL).outcome, Outcome::Skipped(Skip::NotApplicable));
    // Passages without text.
    let mut bare = response("7 days", &["x"]);
    bare.contexts.as_mut().unwrap()[0].text = None;
    let r = run("en", &bare, "", Provides::ALL);
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Unmeasured, Code::ContextTextMissing));
    // Cut from the prompt (NG16).
    let mut cut = response("7 days", &["x", "7 days"]);
    cut.contexts.as_mut().unwrap()[1].in_prompt = Some(false);
    assert_eq!(run("en", &cut, "", Provides::ALL).outcome, Outcome::Fail);
    // No answer.
    let absent = Response { contexts: Some(vec![]), ..Response::default() };
    assert_eq!(run("en", &absent, "", retriever).outcome, Outcome::Skipped(Skip::NotObserved));
    assert_eq!(run("en", &absent, "", Provides::ALL).outcome, Outcome::Unmeasured);
    let blank = run("en", &response(" \n", &["7"]), "", Provides::ALL);
    assert_eq!((blank.outcome, blank.findings[0].code), (Outcome::Unmeasured, Code::AnswerEmpty));
}

/// An answer with very many numbers is compared by value and stays quick; a number repeated is one claim.
#[test]
fn a_table_of_numbers_is_checked_in_time() {
    let row = |from: u32| (0..20_000).map(|i| format!("{} kg", from + i)).collect::<Vec<_>>().join("\n");
    let start = std::time::Instant::now();
    assert_eq!(ground("en", "", &row(100), &[&row(100)]).outcome, Outcome::Pass);
    let r = ground("en", "", &row(101), &[&row(100)]);
    assert_eq!(statuses(&r).iter().filter(|s| s.is_fault()).count(), 1);
    let same = "7 kg ".repeat(20_000);
    let other = "7 days ".repeat(20_000);
    assert_eq!(ground("en", "", &same, &[&other]).outcome, Outcome::Fail);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "([0-9]{1,3}|[.,:/'\\- \u{a0}hkv\\[\\]()]|triệu|百分之|[一三十百千万点半折月日分又对第]|ngày|tháng |năm |giờ |mười |trăm |lẻ |rưỡi|hai |twenty |hundred |and |a half |over |thirds|May |pm|สิบ|ล้าน|จุด|พ\\.ศ\\. |น\\.|ทุ่ม|年|๓|٣|½|\\$|=|×|\\PC){0,24}") {
        for lang in ["vi", "en", "zh", "th", "ja", "fr", "xx"] {
            for m in found(lang, &text) {
                assert!(m.start < m.end && text.is_char_boundary(m.start) && text.is_char_boundary(m.end));
            }
            // A copy of a passage is grounded in it; with markers folded out of the answer it is no copy any more.
            let copy = ground(lang, "", &text, &[&text]);
            let marked = !ragline::layer::citation::read(&text, 1).markers.is_empty();
            assert!(marked || copy.outcome != Outcome::Fail, "{:?}", copy.findings);
        }
    }

    /// An answer that copies a passage with plain numbers is grounded.
    #[test]
    fn a_copy_is_grounded(numbers in proptest::collection::vec(0u32..5_000_000, 1..6)) {
        let text = numbers.iter().map(|n| format!("phí {n} đồng")).collect::<Vec<_>>().join(", ");
        assert_eq!(ground("vi", "", &text, &[&text]).outcome, Outcome::Pass);
    }
}

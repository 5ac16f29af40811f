//! Facts, the table F01–F17 and the same ideas in Vietnamese, Thai, Chinese and English, read from a suite as people write
//! it and checked through the layer.

#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, clippy::wildcard_enum_match_arm)]

mod layer_kit;

use proptest::prelude::*;
use ragline::inspect::facts::{Stated, judge};
use ragline::layer::{Detail, Exam, LayerResult, Outcome, Reading, facts};
use ragline::suite::{Expect, Question};
use ragline::target::response::{Answer, Response};
use ragline::text::pack::{Lang, Pack};

/// Checks an answer against facts and prohibitions in the writing of a suite.
fn check(lang: &str, asked: &str, wanted: &str, forbidden: &str, answer: &str) -> LayerResult {
    let facts = ragline::suite::load::facts(wanted).unwrap_or_else(|p| panic!("{p:?}"));
    let must_not = ragline::suite::load::facts(forbidden).unwrap_or_else(|p| panic!("{p:?}"));
    let question = Question { facts, must_not, ..layer_kit::question(asked, Expect::Answer) };
    let response = Response { answer: Answer::Text(answer.into()), ..Response::default() };
    let lang = Lang::new(lang).unwrap();
    let exam = Exam { pack: Pack::of(&lang), ..layer_kit::exam(&question, &response, &lang) };
    facts::check(&exam, &Reading::new(&exam))
}

/// The reason for one required fact, with a `!` where the layer fails.
fn reason(lang: &str, asked: &str, wanted: &str, answer: &str) -> String {
    let result = check(lang, asked, &format!("[{wanted}]"), "[]", answer);
    let reason = match &result.detail {
        Detail::Facts(v) => v[0].reason.clone(),
        other => panic!("{other:?}"),
    };
    if result.outcome == Outcome::Pass { reason } else { format!("{reason}!") }
}

/// Rows of language, question, fact, answer and reason.
fn all(rows: &[(&str, &str, &str, &str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(lang, asked, wanted, answer, expected)| {
            let found = reason(lang, asked, wanted, answer);
            (found != *expected).then(|| format!("{lang} {wanted} in “{answer}” ({asked}): {found}, not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table() {
    let f01 = "{ any_of: [từ chối, không được bảo hành, { yes_no: \"no\" }] }";
    all(&[
        ("vi", "Máy vào nước có được bảo hành không?", f01, "Không", "matched(polarity)"),
        ("vi", "?", "từ chối", "Cửa hàng không từ chối bảo hành", "negated!"),
        ("vi", "?", "{ number: { value: 5000000, unit: VND } }", "tối đa 5 triệu đồng", "matched(number)"),
        ("vi", "?", "{ number: { value: 5000000, unit: VND } }", "từ 3.000.000 đồng", "wrong_value(3.000.000 đồng)!"),
        ("vi", "?", "hoà", "Hòa Phát", "matched(tone)"),
        ("vi", "?", "báo", "bảo hành", "missing!"),
        ("de", "?", "{ text: Röntgen, fold: true }", "Wilhelm Rontgen", "matched(fold)"),
        ("de", "?", "Röntgen", "Wilhelm Rontgen", "missing!"),
        ("vi", "?", "7 ngày", "trong vòng bảy ngày", "matched(value)"),
        ("vi", "?", "{ number: { value: 7, unit: day, op: stated } }", "không quá 7 ngày", "matched(number)"),
        ("vi", "?", "{ number: { value: 7, unit: day, op: le } }", "không quá 7 ngày", "matched(number)"),
        ("vi", "?", "{ number: { value: 7, unit: day, op: eq } }", "không quá 7 ngày", "wrong_bound(7 ngày)!"),
        ("vi", "?", "{ number: { value: 7, unit: day, op: ge } }", "không quá 7 ngày", "wrong_bound(7 ngày)!"),
        ("vi", "?", "\"5\"", "15 ngày", "missing!"),
        ("zh", "进水可以保修吗？", "{ yes_no: \"no\" }", "进水不在保修范围内", "matched(polarity)"),
        ("th", "คืนสินค้าได้ไหม", "{ yes_no: \"yes\" }", "ได้ค่ะ ภายใน 7 วัน", "matched(polarity)"),
        ("th", "คืนสินค้าได้ไหม", "{ yes_no: \"yes\" }", "ไม่ได้ค่ะ", "wrong_value(no)!"),
        ("vi", "Có được đổi không?", "{ yes_no: \"no\" }", "Tài liệu không đề cập.", "polarity_unknown!"),
        ("vi", "?", "{ text: online, negation: strict }", "nộp tại chi nhánh, không nhận online", "negated!"),
        ("vi", "?", "online", "nộp tại chi nhánh, không nhận online", "matched(text)"),
        ("en", "Which title did he never win?", "French Open", "He never won the French Open", "matched(text)"),
        ("vi", "?", "{ text: 24 tháng, condition: động cơ }", "Bảo hành 24 tháng", "condition_missing!"),
        ("vi", "?", "{ text: 24 tháng, condition: động cơ }", "Động cơ: bảo hành 24 tháng", "matched(text)"),
        ("vi", "Ngày 30/11/2026 có gì?", "{ date: 2026-11-30 }", "ngày 30/11", "matched(date)"),
        ("vi", "Ngày nào?", "{ date: 2026-11-30 }", "ngày 30/11/2025", "wrong_value(30/11/2025)!"),
    ]);
    let said = |forbidden: &str, answer: &str| check("vi", "?", "[]", &format!("[{forbidden}]"), answer).outcome;
    assert_eq!(said("được hoàn tiền", "Hàng thanh lý không được hoàn tiền"), Outcome::Pass);
    assert_eq!(said("phí bằng nhau", "Hai gói có phí bằng nhau"), Outcome::Fail);
}

/// A negation that governs the words makes them say the contrary; two cancel; what only looks like one does nothing.
#[test]
fn negations() {
    all(&[
        ("en", "?", "accepted", "Cash is not accepted.", "negated!"),
        ("en", "?", "accepted", "Cash is accepted, cards are not.", "matched(text)"),
        ("en", "?", "accepted", "Cards are not, but cash is accepted.", "matched(text)"),
        ("en", "?", "covered by the warranty", "Water damage isn\u{2019}t covered by the warranty.", "negated!"),
        ("en", "?", "available on weekends", "It is not unavailable, it is available on weekends.", "matched(text)"),
        ("en", "?", "accepted", "Cash is not only accepted but preferred.", "matched(text)"),
        ("en", "?", "refunds are allowed", "There is no rule that refunds are allowed.", "negated!"),
        ("en", "?", "must pay", "You must not, without a permit, enter. You must pay.", "matched(text)"),
        ("en", "?", "7 days", "The period is not 7 days but 30 days.", "negated!"),
        ("en", "?", "7 days", "The period is 7 days, not 30 days.", "matched(text)"),
        ("en", "?", "{ text: accepted, negation: \"off\" }", "Cash is not accepted.", "matched(text)"),
        ("en", "?", "{ text: Rome, negation: strict }", "It was never Rome.", "negated!"),
        ("en", "Why is cash not accepted?", "accepted", "Cash is not accepted because of theft.", "matched(text)"),
        ("en", "?", "not accepted", "Cash is not accepted.", "matched(text)"),
        ("en", "?", "not covered", "Water damage isn't covered.", "matched(text)"),
        ("en", "?", "can't be returned", "Sale items cannot be returned.", "matched(text)"),
        ("en", "?", "dogs are allowed", "Neither cats nor dogs are allowed.", "negated!"),
        ("vi", "?", "được uống nước", "Tuyệt đối không nên và không được uống nước.", "negated!"),
        ("vi", "?", "được dùng điện thoại", "Không ai được dùng điện thoại.", "negated!"),
        ("th", "Mở cửa?", "เปิดวันอาทิตย์", "ห้องสมุดปิดวันอาทิตย์", "missing!"),
        ("th", "?", "ปิดวันอาทิตย์", "ห้องสมุดเปิดวันอาทิตย์", "missing!"),
        ("en", "Is the library open on Sunday?", "open on Sunday", "It is not open on Sunday.", "negated!"),
        ("zh", "?", "{ text: 特价商品可以退货, fuzzy: true }", "特价商品不可以退货。", "negated!"),
        ("en", "?", "{ text: paid, path: \"$.s\" }", "{\"s\":\"not paid\"}", "negated!"),
        ("en", "?", "no late fee", "There is a late fee; no reminder is sent.", "missing!"),
        ("en", "?", "free", "The notice \u{201c}no entry\u{201d} is free.", "matched(text)"),
        ("vi", "?", "được đổi trả", "Hàng khuyến mãi không được đổi trả.", "negated!"),
        ("vi", "?", "được đổi trả", "Hàng không phải là không được đổi trả.", "matched(text)"),
        ("vi", "?", "được đổi trả", "Hàng không chỉ được đổi trả mà còn hoàn tiền.", "matched(text)"),
        ("vi", "Hàng này có được đổi trả không?", "được đổi trả", "Không được đổi trả.", "negated!"),
        ("vi", "?", "miễn phí", "Giao hàng chưa miễn phí.", "negated!"),
        ("vi", "?", "7 ngày", "Thời hạn không phải 7 ngày mà là 30 ngày.", "negated!"),
        ("vi", "?", "7 ngày", "Thời hạn không quá 7 ngày.", "matched(text)"),
        ("vi", "?", "KHÔNG ĐƯỢC ĐỔI", "Hàng này không được đổi.", "matched(text)"),
        ("th", "?", "คืนสินค้าได้", "ไม่สามารถคืนสินค้าได้", "negated!"),
        ("th", "?", "รับบัตรเครดิต", "ร้านไม่รับบัตรเครดิต", "negated!"),
        ("th", "?", "รับบัตรเครดิต", "ร้านรับบัตรเครดิต ไม่รับเงินสด", "matched(text)"),
        ("th", "?", "รับประกัน 2 ปี", "ไม่เพียงรับประกัน 2 ปี", "matched(text)"),
        ("th", "?", "7 วัน", "ภายในไม่เกิน 7 วัน", "matched(text)"),
        ("th", "?", "7 วัน", "ไม่ใช่ 7 วัน แต่เป็น 30 วัน", "negated!"),
        ("zh", "?", "支持信用卡", "本店不支持信用卡。", "negated!"),
        ("zh", "?", "支持信用卡", "本店支持信用卡，不支持现金。", "matched(text)"),
        ("zh", "?", "可以退货", "不是不可以退货。", "matched(text)"),
        ("zh", "?", "免费", "不仅免费，而且很快。", "matched(text)"),
        ("zh", "?", "7天", "期限不是7天，是30天。", "negated!"),
        ("zh", "?", "7天", "期限不超过7天。", "matched(text)"),
        ("zh", "是不是可以退货？", "可以退货", "不可以退货。", "negated!"),
        ("de", "?", "möglich", "Eine Rückgabe ist nicht möglich.", "negated!"),
        ("fr", "?", "possible", "Un retour n\u{2019}est pas possible.", "negated!"),
        ("es", "?", "posible", "La devolución no es posible.", "negated!"),
        ("ja", "?", "返品できます", "返品できます。交換はできません。", "matched(text)"),
    ]);
    let said = |lang: &str, forbidden: &str, answer: &str| {
        check(lang, "?", "[]", &format!("[{forbidden}]"), answer).outcome == Outcome::Fail
    };
    assert!(!said("en", "is refundable", "The fee is not, in any case, lost. The deposit isn't refundable."));
    assert!(said("en", "refundable", "The fee is not refundable. The deposit is refundable."));
    assert!(!said("zh", "可以退货", "特价商品不可以退货。"));
    assert!(said("th", "คืนสินค้าได้", "คืนสินค้าได้ภายใน 7 วัน"));
    assert!(!said("th", "คืนสินค้าได้", "ไม่สามารถคืนสินค้าได้"));
}

/// What a note says: it counts, and a person may look.
#[test]
fn a_negation_that_may_mean_nothing_is_a_note() {
    let result = check("vi", "?", "[online]", "[]", "nộp tại chi nhánh, không nhận online");
    assert_eq!(result.outcome, Outcome::Pass);
    assert_eq!(result.findings.len(), 1);
    assert_eq!(result.findings[0].code, ragline::layer::Code::FactNegated);
    assert_eq!(result.findings[0].weight, ragline::layer::Weight::Note);
}

#[test]
fn yes_and_no_from_what_is_said_of_the_thing() {
    let yes = "{ yes_no: \"yes\" }";
    let no = "{ yes_no: \"no\" }";
    all(&[
        ("en", "Is water damage covered?", no, "Water damage is not covered by the warranty.", "matched(polarity)"),
        (
            "en",
            "Is water damage covered by the warranty?",
            no,
            "The warranty does not cover water damage.",
            "matched(polarity)",
        ),
        ("en", "Is water damage covered?", no, "Water damage voids the warranty.", "matched(polarity)"),
        ("en", "Can I pay by card?", yes, "You can pay by card, but not at the kiosk.", "matched(polarity)"),
        ("en", "Can I pay by card?", yes, "Cash only.", "polarity_unknown!"),
        ("en", "Do you ship to Japan?", no, "We do not ship to Japan.", "matched(polarity)"),
        ("en", "Do you ship to Japan?", yes, "We do not ship to Japan.", "wrong_value(no)!"),
        ("vi", "Máy vào nước có được bảo hành không?", no, "Máy vào nước bị từ chối bảo hành.", "matched(polarity)"),
        (
            "vi",
            "Máy vào nước có được bảo hành không?",
            no,
            "Máy vào nước thì không được bảo hành.",
            "matched(polarity)",
        ),
        ("vi", "Tôi có thể trả hàng sau 10 ngày không?", yes, "Quý khách trả hàng trong 14 ngày.", "matched(polarity)"),
        ("vi", "Shop có hỗ trợ trả góp không ạ?", yes, "Shop hỗ trợ trả góp 0%.", "matched(polarity)"),
        ("th", "เครื่องโดนน้ำเคลมประกันได้ไหม", no, "เครื่องที่โดนน้ำไม่สามารถเคลมประกันได้", "matched(polarity)"),
        ("th", "คืนสินค้าได้ไหมคะ", yes, "ลูกค้าคืนสินค้าได้ภายใน 7 วัน", "matched(polarity)"),
        ("zh", "可以退货吗？", no, "特价商品不能退货。", "matched(polarity)"),
        ("zh", "需要身份证吗？", no, "不需要。", "matched(polarity)"),
        ("zh", "支持花呗吗？", yes, "支持的呢亲", "matched(polarity)"),
        ("zh", "周六营业吗？", yes, "周六、周日休息。", "wrong_value(no)!"),
        ("en", "Is the pool open in winter?", yes, "The pool is closed in winter.", "wrong_value(no)!"),
        ("en", "Can I park here?", yes, "It is illegal to park here.", "wrong_value(no)!"),
        ("en", "Are dogs allowed?", yes, "Only assistance dogs are allowed.", "polarity_unknown!"),
        (
            "en",
            "Can I return this item?",
            no,
            "Yes, I understand. Unfortunately, you cannot return this item.",
            "matched(polarity)",
        ),
        ("en", "Can I return this item?", yes, "Of course, within 14 days.", "matched(polarity)"),
        ("th", "สาขาเปิดวันเสาร์ไหม", yes, "สาขาปิดวันเสาร์และวันอาทิตย์", "wrong_value(no)!"),
        ("th", "สาขาเปิดวันเสาร์ไหม", no, "สาขาไม่เปิดวันเสาร์ค่ะ", "matched(polarity)"),
        ("vi", "Mình đổi hàng được không?", yes, "Được bạn nhé, trong 7 ngày.", "matched(polarity)"),
        ("zh", "会议室能带饮料吗？", yes, "会议室允许带饮料。", "matched(polarity)"),
        ("zh", "进水能不能保修？", no, "进水属于拒绝保修的情形。", "matched(polarity)"),
    ]);
}

#[test]
fn bounds() {
    let of = |op: &str| format!("{{ number: {{ value: 7, unit: day, op: {op} }} }}");
    for (lang, answer, upper, lower) in [
        ("vi", "tối đa 7 ngày", true, false),
        ("vi", "ít nhất 7 ngày", false, true),
        ("vi", "từ 7 ngày trở lên", false, true),
        ("vi", "7 ngày", true, true),
        ("th", "ไม่เกิน 7 วัน", true, false),
        ("th", "อย่างน้อย 7 วัน", false, true),
        ("th", "7 วันขึ้นไป", false, true),
        ("zh", "不超过7天", true, false),
        ("zh", "7天以内", true, false),
        ("zh", "至少7天", false, true),
        ("zh", "7天以上", false, true),
        ("en", "at most 7 days", true, false),
        ("en", "no later than 7 days", true, false),
        ("en", "within 7 days", true, false),
        ("en", "at least 7 days", false, true),
        ("en", "7 days or more", false, true),
        ("en", "It takes 7 days.", true, true),
        ("de", "höchstens 7 Tage", true, false),
        ("ja", "7日以内", true, false),
        ("ko", "최소 7일", false, true),
    ] {
        let fits = |op: &str| reason(lang, "?", &of(op), answer) == "matched(number)";
        assert!(fits("stated"), "{answer}");
        assert_eq!((fits("le"), fits("ge"), fits("eq")), (upper, lower, upper && lower), "{answer}");
    }
}

/// The words near each other, in any order, with a slip of the pen; numbers by value and words that deny always there.
#[test]
fn words_near_each_other() {
    all(&[
        ("en", "?", "refund within 14 days", "You get your refund. It arrives within two weeks.", "matched(recall)"),
        ("en", "?", "refund within 14 days", "You get your refund within 15 days.", "missing!"),
        ("en", "?", "refund within 14 days", "A refund is fast. Ask us. It comes within 14 days.", "missing!"),
        ("en", "?", "Christopher Columbus", "It was Cristopher Columbus.", "matched(recall)"),
        ("en", "?", "Rome Italy", "In Italy, near Rama.", "missing!"),
        ("en", "?", "no refund", "We give a refund.", "missing!"),
        (
            "en",
            "?",
            "{ text: the Royal Opera House of London, min_recall: 0.7 }",
            "the Royal Opera House",
            "matched(recall)",
        ),
        ("en", "?", "the Royal Opera House of London", "the Royal Opera House", "missing!"),
        ("en", "?", "order 4711", "Your order is 4712.", "missing!"),
        ("vi", "?", "phí bằng nhau", "Hai gói có phí khác nhau. Thanh toán bằng thẻ.", "missing!"),
        ("vi", "?", "bảo hành 24 tháng", "24 tháng bảo hành", "matched(recall)"),
        ("vi", "?", "dương tính", "Kết quả âm tính, ngày dương lịch 3/5.", "missing!"),
        ("vi", "?", "Quận 1", "Quận 10, tầng 1", "missing!"),
        ("vi", "?", "Nguyễn Văn An", "Trần Văn An và Nguyễn Thị Hoa", "missing!"),
        ("vi", "?", "Nguyễn Văn An", "Nguyễn Văn Anh", "missing!"),
        ("vi", "?", "tuyến 42", "Bạn đi xe buýt tuyến số 42.", "matched(recall)"),
        ("en", "?", "children pay 10 dollars", "Adults pay 10 dollars, children pay 5 dollars.", "missing!"),
        (
            "en",
            "?",
            "children pay 5 dollars",
            "Adults pay 10 dollars; children only 5 dollars to pay.",
            "matched(recall)",
        ),
        ("vi", "?", "trẻ em 10.000đ", "Người lớn 10.000đ, trẻ em 5.000đ.", "missing!"),
        ("zh", "?", "{ text: 儿童10元, fuzzy: true }", "成人10元，儿童5元。", "missing!"),
        ("th", "?", "{ text: เด็ก 10 บาท, fuzzy: true }", "ผู้ใหญ่ 10 บาท เด็ก 5 บาท", "missing!"),
        ("zh", "?", "退货期限七天", "七天是退货的期限", "missing!"),
        ("zh", "?", "{ text: 会员免费退货, fuzzy: true }", "会员可免费退货", "matched(recall)"),
        ("th", "?", "{ text: คืนสินค้าภายในเจ็ดวัน, fuzzy: true }", "คืนสินค้าได้ภายในเจ็ดวัน", "matched(recall)"),
    ]);
}

#[test]
fn order_conditions_and_parts() {
    all(&[
        ("en", "?", "{ order: [switch off, unplug, open] }", "Switch off, unplug, then open it.", "matched(order)"),
        ("en", "?", "{ order: [switch off, unplug, open] }", "Unplug, then switch off and open it.", "wrong_order!"),
        ("en", "?", "{ order: [switch off, unplug] }", "Switch off.", "missing!"),
        ("vi", "?", "{ order: [tắt máy, rút điện] }", "Rút điện rồi tắt máy.", "wrong_order!"),
        ("en", "?", "{ text: refund, condition: unless opened }", "You get a refund.", "condition_missing!"),
        (
            "en",
            "?",
            "{ text: refund, condition: unless opened }",
            "You get a refund, unless it was opened.",
            "matched(text)",
        ),
        (
            "en",
            "?",
            "{ text: 24 months, condition: engine }",
            "24 months for the body, 12 months for the engine.",
            "condition_missing!",
        ),
        (
            "vi",
            "?",
            "{ text: 24 tháng, condition: động cơ }",
            "Vỏ máy bảo hành 24 tháng. Động cơ bảo hành 12 tháng.",
            "condition_missing!",
        ),
        ("zh", "?", "{ text: 24个月, condition: 发动机 }", "外壳12个月，发动机保修24个月。", "matched(text)"),
        ("zh", "?", "{ text: 可以退货, condition: 除非已拆封 }", "可以退货。", "condition_missing!"),
        ("th", "?", "{ text: คืนสินค้าได้, condition: ยกเว้นสินค้าลดราคา }", "คืนสินค้าได้ ยกเว้นสินค้าลดราคา", "matched(text)"),
        ("en", "?", "{ text: paid, path: \"$.state\" }", "{\"state\": \"paid\", \"note\": \"open\"}", "matched(text)"),
        ("en", "?", "{ text: open, path: \"$.state\" }", "{\"state\": \"paid\", \"note\": \"open\"}", "missing!"),
        ("vi", "?", "{ number: { value: 1.125 }, path: \"$.n\" }", "```json\n{\"n\": 1.125}\n```", "matched(number)"),
        ("en", "?", "{ yes_no: \"no\", path: \"$.ok\" }", "{\"ok\": false}", "matched(polarity)"),
        ("en", "?", "{ text: paid, path: \"$.state\" }", "It is paid.", "path_missing!"),
        ("en", "?", "{ text: paid, path: \"$.status\" }", "{\"state\": \"paid\"}", "path_missing!"),
    ]);
}

#[test]
fn dates_and_times_in_any_writing() {
    all(&[
        ("en", "?", "31 March", "It ends on March 31.", "matched(value)"),
        ("en", "?", "{ date: 2026-03-31 }", "31 March 2026", "matched(date)"),
        ("vi", "?", "31/3/2026", "ngày 31 tháng 3 năm 2026", "matched(value)"),
        ("th", "?", "{ date: 2026-11-30 }", "30 พฤศจิกายน 2569", "matched(date)"),
        ("zh", "?", "{ date: 2026-11 }", "2026年11月", "matched(date)"),
        ("zh", "?", "{ date: 2026-11 }", "2026年12月", "wrong_value(2026年12月)!"),
        ("en", "?", "{ date: \"2026\" }", "It was in 2026.", "matched(date)"),
        ("en", "?", "8:30", "It opens at 8.30 am.", "matched(value)"),
        ("en", "?", "{ date: 2026-11-30 }", "By Nov. 30, 2026 please.", "matched(date)"),
        ("en", "In 2026?", "{ date: 2026-09-05 }", "On Sept. 5.", "matched(date)"),
        ("vi", "Khi nào trong năm 2026?", "{ date: 2026-11-30 }", "Nộp trước 30/11 nhé.", "matched(date)"),
        ("en", "?", "90 minutes", "It takes 1 hour 30 minutes.", "matched(value)"),
        ("vi", "?", "{ number: { value: 90, unit: minute } }", "mất 1 tiếng 30 phút", "matched(number)"),
        ("zh", "?", "90分钟", "需要1小时30分钟。", "matched(value)"),
        ("en", "?", "90 minutes", "It takes 1 hour; 30 minutes more on Sundays.", "wrong_value(1 hour, 30 minutes)!"),
    ]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    /// Whatever is asked and answered: a verdict. And words that are added as a sentence of their own are found.
    #[test]
    fn any_way_of_looking_gives_a_verdict(
        answer in any::<String>(),
        near in "[a-zđ0-9 .,(){}\\[\\]\"“”不没ไม่\u{E01}-\u{E4e}\n]{0,60}",
        wanted in "[a-zđơ不ไ]{1,8}( [a-z]{1,9}){0,3}",
        share in 1..=10_u8,
    ) {
        let facts = serde_json::json!([
            { "text": wanted, "fold": true, "fuzzy": true, "min_recall": f64::from(share) / 10.0 },
            { "text": near.clone() + "x", "negation": "strict", "condition": wanted },
            { "order": [wanted, near.clone() + "x"] },
            { "number": { "value": 7, "unit": "day", "op": "le" }, "path": "$..a" },
            { "date": "2026-11-30" },
            { "yes_no": "no" },
        ]);
        let facts = || ragline::suite::load::facts_of_json(&facts.to_string()).unwrap();
        let plain = || ragline::suite::load::facts_of_json(&serde_json::json!([{ "text": wanted, "negation": "off" }]).to_string()).unwrap();
        for lang in ["vi", "th", "zh", "en", "ja", "ko", "nl"] {
            let lang = Lang::new(lang).unwrap();
            let of = |answer: &str, facts, must_not| {
                judge(Stated { question: "Is it covered?", answer, facts, must_not }, &lang)
            };
            for answer in [&answer, &near] {
                let judged = of(answer, facts(), facts());
                prop_assert!(["pass", "fail", "unmeasured"].contains(&judged["outcome"].as_str().unwrap()));
                // A refusal and a list that hides its number are other matters.
                let more = of(&format!("{answer}\n\n{wanted}."), plain(), Vec::new());
                let reason = more["facts"][0]["reason"].as_str().unwrap_or_default();
                let refuses = more["findings"][0]["message"].as_str().is_some_and(|m| m.contains("refusal"));
                prop_assert!(reason.starts_with("matched") || refuses, "{wanted} in {answer:?}: {more}");
            }
        }
    }
}

#[test]
fn names_without_titles_first_names_and_the_numbers_of_notes() {
    all(&[
        ("en", "Who is it?", "Joseph Turner", "It was painted by J. M. W. Turner.", "matched(recall)"),
        ("en", "Who is it?", "Joseph Turner", "It was painted by A. B. Turner.", "missing!"),
        ("en", "Who is it?", "Joseph Turner", "It was painted by Turner.", "missing!"),
        ("en", "Which opera?", "Il Trovatore", "The opera is Il trovatore1. It is well known.", "matched(recall)"),
        ("en", "Which model?", "Model X", "The model is X12.", "missing!"),
        ("en", "Who is it?", "Sir Ambrose Fleming", "The rule of Ambrose Fleming.", "matched(recall)"),
        ("en", "Who is it?", "Mr Bean", "It was Bean.", "missing!"),
        ("vi", "Ai ký?", "Ông Nguyễn Văn An", "Nguyễn Văn An ký.", "matched(recall)"),
        ("vi", "Ai ký?", "Ông Nguyễn Văn An", "Trần Văn An ký.", "missing!"),
        ("th", "ใครลงนาม", "นายสมชาย ใจดี", "ลงนามโดยสมชาย ใจดี", "matched(recall)"),
        ("th", "ใครลงนาม", "นายสมชาย ใจดี", "ลงนามโดยสมหญิง ใจดี", "missing!"),
        ("zh", "谁签字？", "王小明先生", "由王小明签字。", "matched(recall)"),
        ("zh", "谁签字？", "王小明先生", "由王小红签字。", "missing!"),
        ("en", "What is kept?", "two policies", "They keep policy number two: a second policy.", "matched(recall)"),
    ]);
}

#[test]
fn who_repeats_the_question_has_not_answered_it() {
    all(&[
        (
            "en",
            "Who was Bernard Schwarz?",
            "{ text: Bernard Tony Schwarz, min_recall: 0.6 }",
            "Bernard Schwarz is unknown.",
            "missing!",
        ),
        (
            "en",
            "Who was it?",
            "{ text: Bernard Tony Schwarz, min_recall: 0.6 }",
            "It was Bernard Schwarz.",
            "matched(recall)",
        ),
        (
            "en",
            "Who is like Monet by one letter?",
            "Manet",
            "The painter who is like Monet is Camille Pissarro.",
            "missing!",
        ),
        ("en", "Who painted it?", "Manett", "It was painted by Manet.", "matched(recall)"),
        (
            "vi",
            "Gói Vàng gồm gì?",
            "{ text: Gói Vàng Cao Cấp Đặc Biệt, min_recall: 0.3 }",
            "Gói Vàng là một gói.",
            "missing!",
        ),
    ]);
}

/// Where most of the words are enough, what the question says need not be repeated, and words that are made from one
/// another and forms of a given name stand for each other; elsewhere they do not. Spellings of one word are one word.
#[test]
fn words_of_the_question_derivations_names_and_spellings() {
    let asks = |wanted: &'static str, answer: &'static str, reason: &'static str| {
        ("en", "What does she sell by the sea shore?", wanted, answer, reason)
    };
    all(&[
        asks("{ text: sea shells, min_recall: 0.6 }", "She sells shells.", "matched(recall)"),
        asks("sea shells", "She sells shells.", "missing!"),
        asks("{ text: sea shells and pearls, min_recall: 0.6 }", "She sells shells.", "missing!"),
        // What the question says alone is nothing.
        asks("{ text: sea shells, min_recall: 0.3 }", "By the sea.", "missing!"),
        ("en", "What is it?", "{ text: a dentist, min_recall: 0.6 }", "It is dentistry.", "matched(recall)"),
        ("en", "What is it?", "a dentist", "It is dentistry.", "missing!"),
        ("en", "What is it?", "{ text: architect, min_recall: 0.6 }", "Archery.", "missing!"),
        ("en", "Who wrote it?", "{ text: James Webb, min_recall: 0.6 }", "It was Jimmy Webb.", "matched(recall)"),
        ("en", "Who wrote it?", "James Webb", "It was Jimmy Webb.", "missing!"),
        ("en", "Who wrote it?", "{ text: James Webb, min_recall: 0.6 }", "It was Robert Webb.", "missing!"),
        ("en", "What is it called?", "the aether", "They call it ether.", "matched(recall)"),
        ("en", "Which colour?", "the colour of fibre", "It is the color of fiber.", "matched(recall)"),
        ("en", "What does it do?", "organise a centre", "It organizes a center.", "matched(recall)"),
        ("en", "Which?", "shoe", "She went.", "missing!"),
    ]);
}

#[test]
fn a_number_word_alone_answers_in_the_unit_of_the_fact() {
    all(&[
        ("en", "How many days?", "9 days", "Nine.", "matched(value)"),
        ("en", "How many days?", "9 days", "Ten.", "missing!"),
        ("en", "How many days?", "1 day", "One of our staff will call you.", "missing!"),
        ("vi", "Được đổi trong bao nhiêu ngày?", "7 ngày", "Bảy.", "matched(value)"),
        ("th", "คืนได้กี่วัน", "7 วัน", "เจ็ด", "matched(value)"),
        ("zh", "几天内可以退？", "7天", "七。", "matched(value)"),
        ("en", "When?", "In 1912", "It was the 1912 event.", "matched(recall)"),
        ("en", "When?", "In 1912", "It was the 1913 event.", "missing!"),
    ]);
}

#[test]
fn opposites_and_what_is_denied_of_the_narrower_thing() {
    let (yes, no) = ("{ yes_no: \"yes\" }", "{ yes_no: \"no\" }");
    all(&[
        ("vi", "Đổi hàng lần đầu có mất phí không?", no, "Lần đổi hàng đầu tiên được miễn phí.", "matched(polarity)"),
        (
            "vi",
            "Đổi hàng lần đầu có được miễn phí không?",
            yes,
            "Lần đổi hàng đầu tiên được miễn phí.",
            "matched(polarity)",
        ),
        ("vi", "Giao hàng có mất phí không?", no, "Giao hàng không miễn phí.", "wrong_value(yes)!"),
        ("en", "Is there a fee for the first exchange?", no, "The first exchange is free.", "matched(polarity)"),
        ("en", "Is the first exchange free?", yes, "The first exchange is free.", "matched(polarity)"),
        ("en", "Is the shop open on Sunday?", no, "The shop is closed on Sunday.", "matched(polarity)"),
        ("th", "เปลี่ยนครั้งแรกมีค่าใช้จ่ายไหม", no, "เปลี่ยนครั้งแรกฟรี", "matched(polarity)"),
        ("zh", "第一次换货要收费吗？", no, "第一次换货免费。", "matched(polarity)"),
        (
            "vi",
            "Tem niêm phong rách có được bảo hành không?",
            no,
            "Tem niêm phong rách làm mất quyền bảo hành.",
            "matched(polarity)",
        ),
        (
            "vi",
            "Có bảo hành mở rộng cho hàng thanh lý không?",
            yes,
            "Gói bảo hành mở rộng thêm 18 tháng. Gói không bán cho hàng thanh lý.",
            "polarity_unknown!",
        ),
        (
            "en",
            "Is there an extended warranty for clearance goods?",
            yes,
            "The extended warranty adds 18 months. It is not sold for clearance goods.",
            "wrong_value(no)!",
        ),
    ]);
}

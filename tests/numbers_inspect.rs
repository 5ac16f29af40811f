//! `ragline inspect numbers`: every row of the tables of right values, through the real binary.
//!
//! Extraction rows say what a text states: `value unit kind`, readings joined by `|`, `~` for what counts as evidence only.
//! Grounding rows say what becomes of the numbers of an answer.

#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "a test may")]

mod inspect_kit;

use inspect_kit::{ask, binary, shown};
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

/// Language, text, right value.
const EXTRACTION: &[(&str, &str, &str)] = &[
    // NX01 to NX05: separators.
    ("vi", "1.000.000 đồng", "1000000 VND"),
    ("vi", "1.500 đồng", "1500|1.5 VND"),
    ("en", "1.500 kg", "1.5|1500 kg"),
    ("en", "1,234,567.89", "1234567.89"),
    ("de", "1.234.567,89", "1234567.89"),
    ("fr", "1\u{a0}234,5 €", "1234.5 EUR"),
    ("de", "1'250.50", "1250.5"),
    ("en", "12,34,567", "1234567"),
    ("vi", "0.500", "0.5"),
    ("vi", "1,8 phần", "1.8 part"),
    ("en", "1234.567", "1234.567"),
    // NX06: magnitudes.
    ("vi", "4 triệu", "4000000"),
    ("vi", "1tr5", "1500000"),
    ("vi", "2 tỷ 3", "2300000000"),
    ("vi", "3 triệu 500 nghìn", "3500000"),
    ("vi", "một triệu rưỡi", "1500000"),
    ("vi", "500k", "500000"),
    ("vi", "3 triệu năm trăm nghìn", "3500000"),
    ("vi", "2 triệu tám", "2800000"),
    ("vi", "515 triệu năm", "515000000 year"),
    // NX07: Thai.
    ("th", "๓๐ วัน", "30 day"),
    ("th", "3 แสน 5 หมื่นบาท", "350000 THB"),
    ("th", "สิบห้าวัน", "15 day"),
    ("th", "ร้อยละ 7", "7 percent"),
    ("th", "เจ็ดวัน", "7 day"),
    ("th", "สองพันล้านบาท", "2000000000 THB"),
    // NX08, NX09: numerals of Chinese characters.
    ("zh", "三百五十", "350"),
    ("zh", "三百五", "350|305"),
    ("zh", "二〇二六年", "2026 year date"),
    ("zh", "十二点五", "12.5"),
    ("zh", "3亿5000万", "350000000"),
    ("zh", "百分之十五", "15 percent"),
    ("zh", "三成", "30 percent"),
    ("zh", "25千克", "25 kg"),
    ("ja", "百一", "101"),
    ("ja", "一兆一", "1000000000001"),
    // NX10: ranges.
    ("vi", "7–10 ngày", "7 day, 10 day"),
    ("vi", "3-5 triệu", "3000000|3, 5000000"),
    ("en", "30 to 50 thousand", "30000|30, 50000"),
    // NX11, NX12: dates.
    ("vi", "30/11/2026", "2026-11-30 date"),
    ("th", "วันที่ 30 พ.ย. 2569", "2026-11-30 date"),
    ("zh", "2026年11月30日", "2026-11-30 date"),
    ("zh", "2026 年 11 月 30 日", "2026-11-30 date"),
    ("ja", "令和8年11月30日", "2026-11-30 date"),
    ("zh", "民國115年11月30日", "2026-11-30 date"),
    ("en", "November 30, 2026", "2026-11-30 date"),
    ("en", "4 May 2026", "2026-05-04 date"),
    ("vi", "ngày 30 tháng 11 năm 2026", "2026-11-30 date"),
    ("vi", "tháng 11/2026", "2026-11 date"),
    ("zh", "12月31日", "--12-31 date"),
    ("vi", "03/04/2026", "2026-04-03|2026-03-04 date"),
    ("en", "03/04/2026", "2026-03-04|2026-04-03 date"),
    ("vi", "31/04/2026", "31/04/2026 code"),
    ("vi", "3 tháng 5 ngày", "3 month, 5 day"),
    ("zh", "3个月", "3 month"),
    ("zh", "20世纪70年代", "20 century, 1970 year date"),
    // NX13: times.
    ("vi", "8h30", "510 minute time"),
    ("th", "8.30 น.", "510 minute time"),
    ("th", "เปิด 8.30-17.00 น.", "510 minute time, 1020 minute time"),
    ("zh", "上午8点30分", "510 minute time"),
    ("zh", "下午3点", "900 minute time"),
    ("en", "3 pm", "900 minute time"),
    ("zh", "10点", "600 minute time"),
    ("zh", "9点半", "570 minute time"),
    ("vi", "8 giờ sáng", "480 minute time"),
    ("vi", "8 giờ 30", "510 minute time"),
    ("vi", "8 giờ", "8 hour"),
    ("th", "3 ทุ่ม", "1260 minute time"),
    ("th", "บ่าย 3 โมง", "900 minute time"),
    // NX14: no number claims.
    ("en", "v1.2.3", "v1.2.3 version"),
    ("en", "MX-204", "MX-204 code"),
    ("en", "[2]", ""),
    ("vi", "1. Bước một", ""),
    ("en", "24/7", "24/7 ratio"),
    ("zh", "7×24小时", "24/7 ratio"),
    ("en", "【4:0†source】", ""),
    ("vi", "+84 912 345 678", "84912345678 phone"),
    // NX15: what only looks like a number.
    ("zh", "千万不要", ""),
    ("zh", "万一", ""),
    ("zh", "零件", ""),
    ("zh", "周六日", ""),
    ("th", "สามารถ", ""),
    ("th", "ห้าม", ""),
    ("vi", "năm 2026", "2026 year date"),
    ("vi", "năm ngày", "5 day"),
    ("vi", "5 năm", "5 year"),
    ("vi", "năm năm", "5 year"),
    ("vi", "thứ ba", ""),
    ("vi", "thứ 2", "2 ordinal ~"),
    ("vi", "tỷ lệ hàng trăm đơn", ""),
    // NX16: words.
    ("vi", "hai mươi mốt nghìn không trăm mười một", "21011"),
    ("vi", "một trăm linh hai", "102"),
    ("vi", "tám trăm rưỡi", "850"),
    ("vi", "mười hai phẩy năm", "12.5"),
    ("vi", "một nghìn hai", "1200|1002"),
    ("vi", "năm mươi lăm", "55"),
    ("vi", "một nghìn hai trăm tỷ", "1200000000000"),
    ("en", "twenty-one", "21"),
    ("en", "nineteen eighty-four", "1984"),
    ("en", "two and a half million", "2500000"),
    ("en", "half an hour", "0.5 hour"),
    ("en", "one hundred and three quarters", "100.75"),
    // Discounts, halves, places, shares.
    ("zh", "92折", "92 percent"),
    ("zh", "九二折", "92 percent"),
    ("zh", "九折", "90 percent"),
    ("zh", "8.5折", "85 percent"),
    ("zh", "两个半小时", "2.5 hour"),
    ("zh", "十天半个月", "10 day, 0.5 month"),
    ("zh", "第二件半价", "2 ordinal ~"),
    ("zh", "第3天", "3 ordinal"),
    ("zh", "3万5", "35000"),
    ("zh", "三元五角", "3.5 CNY"),
    ("zh", "千分之三", "3 permille"),
    ("zh", "万分之五", "0.05 percent"),
    ("vi", "Điều 7", "7 ordinal"),
    ("en", "½ cup", "0.5 cup"),
    ("en", "20 dollars 43 cents", "20.43 USD"),
    ("en", "5 lb, 3 oz, 2 miles, 7 nights", "5 lb, 3 oz, 2 mile, 7 night"),
];

#[test]
fn extraction_rows_have_their_values() {
    let rows: Vec<Value> = EXTRACTION.iter().map(|(lang, text, _)| json!({ "lang": lang, "text": text })).collect();
    let found: Vec<String> = ask(&rows).iter().map(shown).collect();
    let wrong: Vec<String> = EXTRACTION
        .iter()
        .zip(&found)
        .filter(|((.., right), found)| right != found)
        .map(|((lang, text, right), found)| format!("{lang} {text:?}: {found}, not {right}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Language, question, answer, passage, `status …` of each number.
const GROUNDING: &[(&str, &str, &str, &str, &str)] = &[
    (
        "vi",
        "Đơn COD 4 triệu thì sao?",
        "Đơn COD 4 triệu đồng cần xác nhận",
        "từ 3.000.000 đồng trở lên cần xác nhận",
        "question_only",
    ),
    ("vi", "", "17 ngày", "7 ngày", "ungrounded"),
    ("vi", "", "5 phần gạo và 1,8 phần nước", "1 phần gạo và 1,8 phần nước, nấu 5 phút", "unit_mismatch grounded"),
    (
        "vi",
        "Đơn COD tối đa là bao nhiêu tiền?",
        "Đơn COD từ 3.000.000 đồng trở lên cần xác nhận",
        "Đơn COD từ 3.000.000 đồng trở lên cần xác nhận. Giá trị đơn COD tối đa là 5.000.000 đồng.",
        "suspect_subject",
    ),
    ("vi", "", "1 tuần", "7 ngày", "grounded"),
    ("vi", "", "7 giờ", "7 ngày", "unit_mismatch"),
    ("vi", "", "7 ngày", "7 ngày làm việc", "unit_qualifier"),
    ("vi", "", "1,5 triệu đồng", "1.500.000đ", "grounded"),
    ("th", "", "30 พฤศจิกายน 2026", "30 พ.ย. 2569", "grounded"),
    ("zh", "", "十五天", "15天", "grounded"),
    ("vi", "Mua 3 cái?", "3 × 150.000 = 450.000 đồng", "150.000 đồng/cái", "question_only grounded derived"),
    ("vi", "Mua 3 cái hết bao nhiêu?", "Tổng 450.000 đồng", "150.000 đồng/cái", "derived"),
    ("vi", "Mua 3 cái hết bao nhiêu?", "Tổng 460.000 đồng", "150.000 đồng/cái", "ungrounded"),
    ("vi", "", "8 ngày", "7–10 ngày", "ungrounded"),
    ("vi", "", "khoảng 5 triệu", "4.980.000 đồng", "grounded_minor"),
    ("vi", "", "5 triệu", "4.980.000 đồng", "ungrounded"),
    ("en", "", "66.7%", "66.67 %", "grounded_minor"),
    ("en", "", "70%", "66.67 %", "ungrounded"),
    ("vi", "Bảo hành 12 tháng hay 24 tháng?", "24 tháng", "12 tháng", "question_only"),
    ("vi", "", "Có 3 cách:\n- a\n- b\n- c", "không", "allowed"),
    ("vi", "", "gọi 1900 1234", "19001234", "grounded"),
    ("vi", "", "mã MX-205", "MX-204", "ungrounded"),
    ("vi", "", "1.5 GB", "1.500 GB", "grounded_minor"),
    // A number from the question, the number of another thing, another unit: in the other languages.
    ("th", "สั่ง 4 ล้านบาทได้ไหม", "คำสั่งซื้อ 4 ล้านบาทต้องยืนยัน", "ตั้งแต่ 3,000,000 บาทต้องยืนยัน", "question_only"),
    ("zh", "400万元的订单呢？", "400万元的订单需要确认", "300万元以上需要确认", "question_only"),
    (
        "en",
        "What about an order of $4 million?",
        "An order of $4 million needs a call",
        "from $3,000,000 on a call is needed",
        "question_only",
    ),
    ("th", "", "ข้าว 5 ส่วน น้ำ 1.8 ส่วน", "ข้าว 1 ส่วน น้ำ 1.8 ส่วน หุง 5 นาที", "unit_mismatch grounded"),
    ("zh", "", "5份米和1.8份水", "1份米和1.8份水，煮5分钟", "unit_mismatch grounded"),
    (
        "en",
        "",
        "5 parts of rice and 1.8 parts of water",
        "1 part of rice and 1.8 parts of water, cooked for 5 minutes",
        "unit_mismatch grounded",
    ),
    ("th", "", "ใช้เวลา 5 ชั่วโมง", "ใช้เวลา 5 นาที", "unit_mismatch"),
    ("zh", "", "煮5小时", "煮5分钟", "unit_mismatch"),
    ("en", "", "Cook for 5 hours", "Cook for 5 minutes", "unit_mismatch"),
    (
        "zh",
        "货到付款最高金额是多少？",
        "货到付款3000元以上需要确认",
        "3000元以上的订单需要电话确认。货到付款的最高金额为5000元。",
        "suspect_subject",
    ),
    (
        "en",
        "What is the maximum amount for cash on delivery?",
        "It is $300.",
        "Orders from $300 need a call. The maximum amount for cash on delivery is $500.",
        "suspect_subject",
    ),
    (
        "th",
        "ยอดเก็บเงินปลายทางสูงสุดเท่าไร",
        "3,000 บาท",
        "คำสั่งซื้อตั้งแต่ 3,000 บาทขึ้นไปทางร้านจะโทรหาลูกค้าเพื่อตรวจสอบที่อยู่ให้ถูกต้องก่อนส่งของทุกครั้ง โดยใช้เวลาไม่นาน และไม่มีค่าใช้จ่ายใด ๆ เพิ่มเติมสำหรับลูกค้า ยอดเก็บเงินปลายทางสูงสุด 5,000 บาท",
        "suspect_subject",
    ),
    // Words, in both directions; conversion; what a bare number bears out.
    ("vi", "", "trong 7 ngày", "trong vòng bảy ngày", "grounded"),
    ("vi", "", "trong bảy ngày", "trong vòng 7 ngày", "grounded"),
    ("th", "", "ภายใน 7 วัน", "ภายในเจ็ดวัน", "grounded"),
    ("en", "", "within 14 days", "within two weeks", "grounded"),
    ("en", "", "1.5 kg", "1500 g", "grounded"),
    ("vi", "", "trong 5 ngày", "trong năm 2026", "ungrounded"),
    ("vi", "", "7 ngày", "Điều 7. Chính sách", "unit_mismatch"),
    ("vi", "", "Hạn 1 tháng", "30 ngày", "ungrounded"),
    ("vi", "", "từ 8 giờ", "mở cửa 8:00", "grounded"),
    ("vi", "", "ngày 30/11/2026", "Năm 2026: ngày 30 tháng 11", "grounded_minor"),
    ("vi", "", "gọi +84 912 345 678", "0912 345 678", "grounded"),
    ("vi", "", "gọi +84 912 345 679", "0912 345 678", "ungrounded"),
    // The document's own marks decide: 1.234,5 proves the comma.
    ("en", "", "1500 units", "1.234,5 and 1.500 units", "grounded"),
    ("en", "", "1500 units", "1.500 units", "grounded_minor"),
];

#[test]
fn grounding_rows_have_their_verdicts() {
    let row = |(lang, question, answer, context, _): &(&str, &str, &str, &str, &str)| json!({ "lang": lang, "question": question, "answer": answer, "contexts": [context] });
    let rows: Vec<Value> = GROUNDING.iter().map(row).collect();
    let mut wrong = Vec::new();
    for ((lang, _, answer, context, right), out) in GROUNDING.iter().zip(ask(&rows)) {
        let numbers = out["numbers"].as_array().unwrap();
        let found: Vec<&str> = numbers.iter().map(|n| n["status"].as_str().unwrap()).collect();
        let found = found.join(" ");
        let fails = right.split(' ').any(|s| matches!(s, "ungrounded" | "unit_mismatch"));
        if found != *right || out["outcome"] != json!(if fails { "fail" } else { "pass" }) {
            wrong.push(format!("{lang} {answer:?} / {context:?}: {found} ({}), not {right}", out["outcome"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Letters composed or decomposed: the same values, units and verdicts.
#[test]
fn composed_and_decomposed_texts_are_read_alike() {
    let decomposed = |t: &str| t.nfd().collect::<String>();
    let composed: Vec<Value> = EXTRACTION.iter().map(|(l, t, _)| json!({ "lang": l, "text": t })).collect();
    let other: Vec<Value> = EXTRACTION.iter().map(|(l, t, _)| json!({ "lang": l, "text": decomposed(t) })).collect();
    for ((a, b), (_, text, _)) in ask(&composed).iter().zip(ask(&other)).zip(EXTRACTION) {
        assert_eq!(shown(a), shown(&b), "{text}");
    }
    let judge = |f: &dyn Fn(&str) -> String| {
        let row = |(l, q, a, c, _): &(&str, &str, &str, &str, &str)| json!({ "lang": l, "question": f(q), "answer": f(a), "contexts": [f(c)] });
        ask(&GROUNDING.iter().map(row).collect::<Vec<_>>())
    };
    for (a, b) in judge(&|t| t.nfc().collect()).iter().zip(judge(&decomposed)) {
        let statuses =
            |v: &Value| v["numbers"].as_array().unwrap().iter().map(|n| n["status"].clone()).collect::<Vec<_>>();
        assert_eq!((statuses(a), &a["outcome"]), (statuses(&b), &b["outcome"]), "{b}");
    }
}

/// Offsets are code points of the text as it was given.
#[test]
fn offsets_hold_the_text() {
    let rows: Vec<Value> =
        EXTRACTION.iter().map(|(l, t, _)| json!({ "lang": l, "text": format!("Đây: {t} ở đó") })).collect();
    for (row, out) in rows.iter().zip(ask(&rows)) {
        let text: Vec<char> = row["text"].as_str().unwrap().chars().collect();
        for m in out["mentions"].as_array().unwrap() {
            let place = |name: &str| usize::try_from(m[name].as_u64().unwrap()).unwrap();
            let held: String = text[place("start")..place("end")].iter().collect();
            assert_eq!(held, m["text"].as_str().unwrap());
        }
    }
}

#[test]
fn lines_are_answered_one_by_one_and_ids_repeated() {
    let input = "{\"id\":7,\"text\":\"7 days\"}\nnonsense\n\n{\"id\":\"b\",\"lang\":\"vi\",\"answer\":\"7 ngày\",\"contexts\":[\"bảy ngày\"]}\n{\"text\":1}\n{\"lang\":\"vi\",\"answer\":\"không\",\"contexts\":[]}\n";
    let done = binary(&[], input);
    let out: Vec<Value> =
        String::from_utf8(done.stdout).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(out.len(), 5);
    assert_eq!((&out[0]["id"], &out[0]["mentions"][0]["unit"]), (&json!(7), &json!("day")));
    assert!(out[1]["error"].is_string() && out[3]["error"].is_string());
    assert_eq!((&out[2]["id"], &out[2]["outcome"]), (&json!("b"), &json!("pass")));
    assert_eq!(out[4]["outcome"], "skipped");
}

#[test]
fn one_text_is_a_table_for_people() {
    let done = binary(&["--lang", "vi", "Phí 1.500 đồng trong bảy ngày"], "");
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(
        done.status.success() && text.contains("1.500 đồng") && text.contains("or 1.5") && text.contains("day"),
        "{text}"
    );
    let done = binary(&["--lang", "vi", "17 ngày", "--context", "7 ngày"], "");
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(text.starts_with("fail\n") && text.contains("number-ungrounded"), "{text}");
    assert_eq!(binary(&["--lang", "?", "7"], "").status.code(), Some(2));
    let hostile = String::from_utf8(binary(&["7 \u{1b}[31mdays"], "").stdout).unwrap();
    assert!(!hostile.contains('\u{1b}'), "{hostile}");
}

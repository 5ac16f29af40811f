//! Numbers: extraction and grounding, with the right value of every case.

#![allow(missing_docs, clippy::string_slice)]

use ragline::text::number::{self, Kind, Mention};
use ragline::text::pack::Lang;

fn found(lang: &str, text: &str) -> Vec<Mention> {
    number::mentions(text, &Lang::new(lang).unwrap())
}

/// Readings and units, as `1500|1.5 VND`.
fn shown(lang: &str, text: &str) -> Vec<String> {
    let one = |m: &Mention| {
        if !m.kind.has_value() {
            return format!("{}:{}", m.kind.name(), m.key);
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
        ("zh", "三百五十", &["350"]),
        ("zh", "三百五", &["350|305"]),
        ("zh", "二〇二六年", &["2026 year"]),
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
        ("en", "the 10th of the 1990s at 3pm", &["10", "1990", "3"]),
        ("en", "a 30-day, pre-2020 top-10", &["30 day", "2020", "10"]),
        ("en", "$40, USD 40, USD40, 40 USD", &["40 USD", "40 USD", "40 USD", "40 USD"]),
        ("vi", "30/11/2026", &["date:30/11/2026"]),
        ("en", "2026-11-30", &["date:30/11/2026"]),
        ("vi", "8h30, 8:30, 8h", &["time:8:30", "time:8:30", "8 hour"]),
        ("vi", "gọi 1900 1234 hoặc 0912 345 678", &["phone:19001234", "phone:0912345678"]),
        ("en", "1038-40", &["1038", "1040|40"]),
        ("en", "(1) call, (2) write, seven (7) days", &["7"]),
        ("en", "**17** days, 5 business days, 7 (seven) days", &["17 day", "5 day", "7 day"]),
        ("vi", "30 tháng 11 năm 2026", &["30", "11", "2026"]),
        ("en", "-5 °C and .5 mm", &["-5|5 celsius", "0.5 mm"]),
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

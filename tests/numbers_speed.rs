//! How fast passages are scanned for evidence. Run with
//! `cargo test --release --test numbers_speed -- --ignored --nocapture`.

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

use ragline::text::number::{self, Mentions, NumberPack};
use ragline::text::pack::Lang;
use std::time::Instant;

/// Text like that of a handbook: a number in about one of fifty words.
fn passage(words: &[&str], number: &[&str], seed: u64) -> String {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut out = String::new();
    for i in 0..120 {
        out.push_str(words[rng.usize(..words.len())]);
        out.push(' ');
        if i % 50 == 7 {
            out.push_str(number[rng.usize(..number.len())]);
            out.push(' ');
        }
        if i % 14 == 13 {
            out.push_str("\u{2019}s. ");
        }
    }
    out
}

#[test]
#[ignore = "a measurement"]
fn scan() {
    let en =
        ["customers", "return", "the", "device", "within", "of", "purchase", "a", "warranty", "and", "is", "service"];
    let vi =
        ["khách", "hàng", "được", "đổi", "trả", "trong", "vòng", "kể", "từ", "ngày", "nhận", "bảo", "hành", "miễn"];
    let th = ["ลูกค้าสามารถคืนสินค้าได้ภายใน", "การรับประกันไม่ครอบคลุม", "ค่าธรรมเนียมเพิ่มเติม"];
    let zh = ["客户可以在收到商品后", "退货", "保修范围不包括人为损坏", "额外费用"];
    let numbers = ["30 days", "1,500 kg", "40 %", "$25.50", "v3.4", "2026-11-30"];
    let only = std::env::var("ONLY").ok();
    for (lang, words) in [("en", &en[..]), ("vi", &vi[..]), ("th", &th[..]), ("zh", &zh[..])] {
        if only.as_deref().is_some_and(|o| o != lang) {
            continue;
        }
        let texts: Vec<String> = (0..20_000).map(|i| passage(words, &numbers, i)).collect();
        let bytes: usize = texts.iter().map(String::len).sum();
        let pack = NumberPack::of(&Lang::new(lang).unwrap());
        let mut best = f64::INFINITY;
        let mut found: usize = 0;
        for _ in 0..9 {
            let start = Instant::now();
            found = texts.iter().map(|t| Mentions::new(t, pack).count()).sum();
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{lang}: {found} numbers, {:.0} MB/s", bytes as f64 / best / 1e6);
    }
}

/// Hostile texts cost in proportion to their length: ten times the text, about ten times the time.
#[test]
fn hostile_texts_take_linear_time() {
    for unit in [
        "1",
        "1,",
        "1.",
        "1 ",
        "1-",
        "1/",
        "1:",
        "a1",
        "1a",
        "-1",
        "[1]",
        "【1",
        "(1",
        "1(",
        "1tr",
        "v1.",
        "1 triệu ",
        "1百",
        "一",
        "百分之",
        "三点",
        "1%",
        "$1",
        "1 (",
        "0912 ",
        "1.000.",
        "1,000,",
        "1–",
        "1_",
        "@1",
        "://1",
        "1\n",
        "1đ ",
        "٣",
        "๓",
        "hai ",
        "mười ",
        "một trăm lẻ ",
        "rưỡi ",
        "năm ",
        "tháng 1 ",
        "ngày 1 tháng ",
        "one hundred and ",
        "twenty-",
        "a ",
        "half a ",
        "thousand, two hundred ",
        "May ",
        "1 over ",
        "one over ",
        "สิบ",
        "ล้าน",
        "พ.ศ. 2",
        "8.30-",
        "1月",
        "2026年",
        "半",
        "三分之",
        "三块",
        "三折",
        "五对",
        "第",
        "1 USD ",
        "1 × ",
        "1x",
        "1 x ",
        "(0",
        "สองทุ่ม",
        "ตี 3 ",
        "เที่ยง",
        "三点一刻",
        "3万五千",
        "hai phần ",
        "Điều XIX ",
        "โทร 1 ",
        "8h ",
        "một mét ",
        "triệu rưỡi ",
        "5 và ",
        "a dollar and ",
        "an hour and a ",
        "half past ",
        "2 or ",
        "two hundred ",
        "a couple of ",
        "1 thousand and ",
        "two-",
        "一个亿",
        "两三",
        "หนึ่งใน",
    ] {
        for lang in ["vi", "th", "zh", "en"] {
            takes_linear_time(unit, lang);
        }
    }
}

fn takes_linear_time(unit: &str, lang: &str) {
    let lang = Lang::new(lang).unwrap();
    let time = |n: usize| {
        let text = unit.repeat(n);
        let mut best = f64::INFINITY;
        for _ in 0..2 {
            let start = Instant::now();
            let _ = number::mentions(&text, &lang);
            best = best.min(start.elapsed().as_secs_f64());
        }
        best
    };
    let (short, long) = (time(150).max(20e-6), time(1_500));
    assert!(long < short * 10.0 * 6.0, "{unit:?}: {short} {long}");
}

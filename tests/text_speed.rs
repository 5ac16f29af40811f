//! How fast the text rooms are. Run with `cargo test --release --test text_speed -- --ignored --nocapture`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm
)]

mod layer_kit;

use ragline::layer::citation;
use ragline::layer::refusal::{Label, read};
use ragline::suite::Expect;
use ragline::text::norm::{matching, matching_in, matching_mapped, plain};
use ragline::text::pack::{Lang, Pack};
use ragline::text::segment::{sentences, words};
use std::time::Instant;

const ENGLISH: &str = "According to handbook section, the refund period is 14 days. Each carrier covers the annual balance \
    ledger and any transfer notice that the office manager records. Every voucher requires a stock approval.\n";
const VIETNAMESE: &str = "Theo chính sách bảo hành, thời hạn đổi trả là 7 ngày kể từ ngày nhận hàng. Khách hàng không phải trả phí \
    vận chuyển cho đơn trên 500.000 đồng tại khu vực nội thành.\n";
const THAI: &str = "คืนสินค้าได้ภายใน 7 วันนับจากวันที่ได้รับสินค้า โดยไม่มีค่าธรรมเนียมสำหรับสมาชิก\n";
const CHINESE: &str = "自收到商品之日起7天内可以退货，会员无需支付运费。超过30天不能退货。\n";

fn rate(name: &str, text: &str, mut f: impl FnMut(&str) -> usize) {
    let mut best = f64::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        std::hint::black_box(f(std::hint::black_box(text)));
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:<28} {:>7.0} MB/s", text.len() as f64 / best / 1e6);
}

#[test]
#[ignore = "a measurement"]
fn throughput() {
    for (name, line, lang) in
        [("en", ENGLISH, "en"), ("vi", VIETNAMESE, "vi"), ("th", THAI, "th"), ("zh", CHINESE, "zh")]
    {
        let text = line.repeat(40_000_000 / line.len());
        let lang = Lang::new(lang).unwrap();
        let pack = Pack::of(&lang);
        rate(&format!("{name} matching"), &text, |t| matching(t).len());
        rate(&format!("{name} matching_in"), &text, |t| matching_in(t, pack).len());
        rate(&format!("{name} plain"), &text, |t| plain(t).len());
        rate(&format!("{name} sentences"), &text, |t| sentences(t, &lang).len());
        let some: String = line.repeat(4_000_000 / line.len());
        rate(&format!("{name} matching_mapped"), &some, |t| matching_mapped(t).text.len());
        rate(&format!("{name} words"), &some, |t| words(t, &lang).len());
    }
}

#[test]
#[ignore = "a measurement"]
fn refusals() {
    let question = layer_kit::question("What is the refund period?", Expect::Answer);
    let sets: [(&str, &str, &[&str]); 2] = [
        (
            "en",
            ENGLISH,
            &[
                "I could not find an answer to that in the provided documents. Please contact the responsible team, who can check whether another source covers the topic you are asking about.",
                "The documents I can see do not contain this information, so I would rather not guess. You may want to ask the author of the handbook directly.",
                "I don't have enough information in the retrieved sections to answer this reliably.",
                "This topic is not covered by the knowledge base that I was given.",
            ],
        ),
        (
            "vi",
            VIETNAMESE,
            &[
                "Xin lỗi, tôi không tìm thấy thông tin này trong các tài liệu được cung cấp.",
                "Tài liệu không đề cập đến việc giao hàng sang Lào. Vui lòng liên hệ tổng đài để được hỗ trợ.",
            ],
        ),
    ];
    for (code, line, refusals) in sets {
        let pack = Pack::by_code(code);
        let answers: Vec<String> = (0..10_000)
            .map(|i| match i % 6 {
                0 => refusals[(i / 6) % refusals.len()].to_owned(),
                _ => format!("{line}{line}").trim().to_owned(),
            })
            .collect();
        for round in ["first", "warm"] {
            let start = Instant::now();
            let seen = answers.iter().filter(|a| read(Some(a), &question, pack).label == Label::Refusal).count();
            println!(
                "{code} refusal.read {round}: {:?} for {} answers, {seen} refusals",
                start.elapsed(),
                answers.len()
            );
            assert_eq!(seen, answers.len().div_ceil(6));
        }
        let start = Instant::now();
        let markers: usize = answers.iter().map(|a| citation::read(a, 5).markers.len()).sum();
        println!("{code} citation.read: {:?}, {markers} markers", start.elapsed());
    }
}

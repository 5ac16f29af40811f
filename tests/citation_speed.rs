//! Citations and evidence take time in proportion to the answer, to the passages and to the span, in whatever text.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may")]

use ragline::inspect::citation::{Citing, judge};
use ragline::suite::load;
use ragline::target::response::Context;
use ragline::text::pack::Lang;
use std::time::{Duration, Instant};

const PASSAGES: [&str; 3] = [
    "You can return an item within 7 days of delivery, see https://shop.example/returns. It must be unused.",
    "Phí giao hàng nội thành là 30.000 đồng, miễn phí từ 500.000 đồng. คืนสินค้าได้ภายใน 7 วันนับจากวันที่ได้รับ",
    "自收到商品之日起7天内可以退货，运费为30元。",
];

/// The shortest of three times for an answer and passages of about so many bytes.
fn time(answer: &str, passages: &[String], lang: &str, evidence: &str) -> Duration {
    let lang = Lang::new(lang).unwrap();
    let once = || {
        let citing = Citing {
            question: "How long do I have to return an item?",
            answer,
            contexts: passages
                .iter()
                .map(|t| Context { text: Some(t.as_str().into()), ..Context::default() })
                .collect(),
            evidence: if evidence.is_empty() { Vec::new() } else { load::evidence(evidence).unwrap() },
            ..Citing::default()
        };
        let began = Instant::now();
        assert!(judge(citing, &lang)["outcome"].is_string());
        began.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap()
}

fn long(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len() + 1)
}

/// Whether ten times as much takes about ten times as long. A busy machine is given more than one try.
#[track_caller]
fn in_proportion(name: &str, of: &dyn Fn(usize) -> Duration, small: usize) {
    const TRIES: usize = 4;
    let mut least = f64::MAX;
    for _ in 0..TRIES {
        let (short, long) = (of(small), of(10 * small));
        least = least.min(long.as_secs_f64() / short.as_secs_f64().max(1e-4));
        println!("{name}: {short:?}, {least:.1} times for ten times as much");
        // A square would be 100 times; what is set up once makes it less than 10.
        if least < 30.0 {
            return;
        }
    }
    panic!("{name}: {least:.1}");
}

/// So much text in a build for debugging; ten times as much, up to 1 MB, where the build is fast.
fn small() -> usize {
    if cfg!(debug_assertions) { 10_000 } else { 100_000 }
}

#[test]
fn time_grows_with_the_answer() {
    let passages: Vec<String> = PASSAGES.map(str::to_owned).to_vec();
    for (name, lang, piece) in [
        ("sentences", "en", "You can return an item within 7 days [1]. "),
        ("one sentence", "en", "you can return an item within 7 days [1] and "),
        ("markers alone", "en", "[1][2][3]"),
        ("a block", "en", "It is so. [1][2]"),
        ("numbers and markers", "en", "7 [1] 30 [2] "),
        ("touching markers", "en", "a[1]23[2]7"),
        ("raised digits", "en", "¹²³"),
        ("open brackets", "en", "[[[[【("),
        ("addresses", "en", "https://shop.example/a/b?c=1 "),
        ("quotations", "en", "“return an item within seven days of it” [1] "),
        ("lists of sources", "en", "Sources:\n[1] a.md\n- b.md\n\n"),
        ("empty lists of sources", "en", "Sources:\n\n\n"),
        ("footnotes", "en", "so[^1]\n[^1]: a.md\n"),
        ("items", "en", "It is so [1]:\n- 7 days\n- 30 days\n"),
        ("code", "en", "`[1]` ``` [2] "),
        ("vietnamese", "vi", "Phí giao hàng là 30.000 đồng [2]. "),
        ("thai", "th", "คืนสินค้าได้ภายใน 7 วัน [2] "),
        ("chinese", "zh", "7天内可以退货[3]，运费为30元[3]。"),
        ("no mark", "zh", "退货[3]"),
    ] {
        let of = |bytes: usize| time(&long(piece, bytes), &passages, lang, "");
        in_proportion(name, &of, small());
    }
    // Each address is another one, and each passage gives some.
    let addresses =
        |bytes: usize| -> String { (0..bytes / 30).map(|i| format!("https://shop.example/{i:06} ")).collect() };
    let of = |bytes: usize| time(&addresses(bytes), &passages, "en", "");
    in_proportion("different addresses", &of, small());
}

#[test]
fn time_grows_with_the_passages() {
    let answer = "You can return an item within 7 days [1]. Phí giao hàng là 30.000 đồng [2]. “Return an item within 7 days of delivery” [1].";
    for (name, lang, evidence) in [
        ("words", "en", ""),
        ("vietnamese", "vi", ""),
        ("thai", "th", ""),
        ("chinese", "zh", ""),
        ("a span", "en", "[{ span: an item within 8 days of delivery, union: true }]"),
    ] {
        let of = |bytes: usize| time(answer, &PASSAGES.map(|p| long(p, bytes)), lang, evidence);
        in_proportion(name, &of, small());
    }
    // Ten times as many of them.
    let of = |n: usize| {
        time(
            answer,
            &(0..n).map(|i| format!("{} {i}", PASSAGES[i % 3])).collect::<Vec<_>>(),
            "en",
            "[{ span: 7 days of delivery }]",
        )
    };
    in_proportion("many passages", &of, small() / 100);
}

#[test]
fn time_grows_with_the_spans() {
    let passages: Vec<String> = PASSAGES.map(|p| long(p, small())).to_vec();
    let answer = "Within 7 days [1].";
    let of = |bytes: usize| {
        time(
            answer,
            &passages,
            "en",
            &format!("[{{ span: \"{} x\", union: true }}]", long("an item within 7 days of delivery ", bytes)),
        )
    };
    in_proportion("one long span", &of, small());
    let many =
        |n: usize| -> String { (0..n).map(|i| format!("- {{ span: within {i} days of delivery }}\n")).collect() };
    let of = |n: usize| time(answer, &passages, "en", &many(n));
    in_proportion("many spans", &of, 20);
}

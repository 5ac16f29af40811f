//! Sentences and words in the languages that are first-class here.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm
)]

use proptest::prelude::*;
use ragline::text::pack::Lang;
use ragline::text::segment::{sentences, words};

fn cut(lang: &str, text: &str) -> Vec<String> {
    sentences(text, &Lang::new(lang).unwrap()).into_iter().map(|r| text[r].to_string()).collect()
}

#[test]
fn sentences_end_at_marks() {
    for (lang, text, parts) in [
        ("en", "It is 1.5 kg. Really? Yes; \"no.\" Ok", vec!["It is 1.5 kg.", "Really?", "Yes;", "\"no.\"", "Ok"]),
        ("en", "See J. Smith. Visit www.example.org now", vec!["See J. Smith.", "Visit www.example.org now"]),
        ("vi", "Phí là 30.000 đồng. Xem mục 2. Hết", vec!["Phí là 30.000 đồng.", "Xem mục 2.", "Hết"]),
        ("vi", "1. Bước một\n2. Bước hai", vec!["1. Bước một", "2. Bước hai"]),
        ("zh", "不可以。请联系客服！好吗？好", vec!["不可以。", "请联系客服！", "好吗？", "好"]),
        ("th", "ขอโทษครับ ผมไม่แน่ใจ", vec!["ขอโทษครับ", "ผมไม่แน่ใจ"]),
        ("th", "คืนได้ แต่ต้องมีใบเสร็จ", vec!["คืนได้", "แต่ต้องมีใบเสร็จ"]),
        ("th", "ส่งฟรีตั้งแต่ 700 บาท เว้นแต่ของชิ้นใหญ่ แต่ไม่รวมเกาะ", vec!["ส่งฟรีตั้งแต่ 700 บาท เว้นแต่ของชิ้นใหญ่", "แต่ไม่รวมเกาะ"]),
        ("th", "หนึ่ง  สอง", vec!["หนึ่ง", "สอง"]),
        ("en", " \n\n ... ", vec![]),
        ("en", "Wait... what?!", vec!["Wait...", "what?!"]),
    ] {
        assert_eq!(cut(lang, text), parts, "{text}");
    }
}

#[test]
fn words_of_four_languages() {
    let of = |lang: &str, text: &str| -> Vec<String> {
        words(text, &Lang::new(lang).unwrap()).into_iter().map(|r| text[r].to_string()).collect()
    };
    assert_eq!(of("en", "Don't pay 1,500.50 euro!"), ["Don't", "pay", "1,500.50", "euro"]);
    assert_eq!(of("vi", "Bảo hành 24 tháng."), ["Bảo", "hành", "24", "tháng"]);
    assert_eq!(of("th", "ทุกสองสัปดาห์"), ["ทุก", "สอง", "สัปดาห์"]);
    let zh = of("zh", "文档信息不足，因此无法回答。");
    assert!(zh.contains(&"文档".to_string()) || zh.contains(&"信息".to_string()), "{zh:?}");
    assert!(!zh.iter().any(|w| w.contains('，')), "{zh:?}");
    // A language without a pack, and a text in another script than its language's.
    assert_eq!(of("nl", "een twee"), ["een", "twee"]);
    assert_eq!(of("en", "ทุกสองสัปดาห์").len(), 3);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranges_are_in_order_and_on_borders(text in any::<String>(), mixed in "[a-z. !?;。！\n\u{E01}-\u{E4E} ครับแต่1]{0,60}") {
        for t in [&text, &mixed] {
            for lang in ["en", "th", "zh"] {
                let lang = Lang::new(lang).unwrap();
                for ranges in [sentences(t, &lang), words(t, &lang)] {
                    let mut before = 0;
                    for r in ranges {
                        prop_assert!(before <= r.start && r.start < r.end && t.get(r.clone()).is_some());
                        before = r.end;
                    }
                }
            }
        }
    }
}

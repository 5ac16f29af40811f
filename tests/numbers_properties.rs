//! What holds for every text: random mixtures of what real pages hold, in four languages, and texts that are long and made
//! to be slow. What holds is written down in `numbers_kit`, which the fuzz target shares.

#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, clippy::print_stdout, reason = "a test may")]

mod numbers_kit;

use numbers_kit::pieces::{SHARED, own};
use numbers_kit::{Asked, LANGS, lang};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use ragline::text::number;
use std::time::Instant;

/// A text of a language, mostly of its own pieces.
fn text(tag: &'static str, most: usize) -> impl Strategy<Value = String> {
    let blank = select(&["", " ", " ", " "][..]);
    let piece = prop_oneof![
        4 => select(own(tag)).prop_map(str::to_owned),
        4 => select(SHARED).prop_map(str::to_owned),
        1 => (0u32..2_000_000).prop_map(|n| n.to_string()),
        1 => "\\PC",
    ];
    vec((piece, blank), 0..most).prop_map(|list| list.into_iter().map(|(piece, blank)| piece + blank).collect())
}

fn tag() -> impl Strategy<Value = &'static str> {
    select(&LANGS[..])
}

fn tagged(most: usize) -> impl Strategy<Value = (&'static str, String)> {
    tag().prop_flat_map(move |tag| (Just(tag), text(tag, most)))
}

/// An answer of which some pieces stand in its passages.
fn asked() -> impl Strategy<Value = Asked> {
    tag().prop_flat_map(|tag| {
        (text(tag, 6), text(tag, 9), vec(text(tag, 12), 0..4), 0usize..5).prop_map(
            move |(question, answer, mut passages, shared)| {
                // The beginning of the answer is copied into one of the passages, so that not everything is ungrounded.
                if let Some(passage) = passages.first_mut() {
                    let end = answer.char_indices().map(|(i, _)| i).nth(shared * 8).unwrap_or(answer.len());
                    passage.push_str(&answer[..end]);
                }
                Asked { lang: tag, question, answer, passages }
            },
        )
    })
}

proptest! {
    // The same mixtures everywhere, so that a commit shows what it shows; the fuzzer looks for what is new.
    #![proptest_config(ProptestConfig {
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_261_130),
        ..ProptestConfig::with_cases(1_000)
    })]

    #[test]
    fn places_are_sound((tag, text) in tagged(24)) {
        numbers_kit::places_are_sound(tag, &text);
    }

    #[test]
    fn verdicts_hold_their_text(asked in asked()) {
        numbers_kit::verdicts_hold_their_text(&asked);
    }

    #[test]
    fn normal_forms_agree(asked in asked()) {
        numbers_kit::normal_forms_agree(&asked);
    }

    #[test]
    fn order_does_not_matter(asked in asked()) {
        numbers_kit::order_does_not_matter(&asked);
    }

    #[test]
    fn a_copy_is_grounded((tag, passage) in tagged(16)) {
        numbers_kit::a_copy_is_grounded(tag, &passage);
    }

    #[test]
    fn full_width_digits_are_digits((tag, text) in tagged(12)) {
        numbers_kit::digits_of_a_script_agree(tag, &text, '０');
    }

    #[test]
    fn thai_digits_are_digits((tag, text) in tagged(12)) {
        numbers_kit::digits_of_a_script_agree(tag, &text, '๐');
    }
}

/// Digits of other scripts make dates, times, phone numbers, ratios and codes as ASCII digits do, with marks of full width
/// between those of full width.
#[test]
fn digits_of_other_scripts_make_what_ascii_digits_make() {
    for (tag, text, kind, value) in [
        ("th", "๓๐/๑๑/๒๕๖๙", "date", "2026-11-30"),
        ("th", "๓๐-๑๑-๒๕๖๙", "date", "2026-11-30"),
        ("th", "๓๐ พ.ย. ๒๕๖๙", "date", "2026-11-30"),
        ("th", "๘:๓๐ น.", "time", "510"),
        ("th", "๘.๓๐ น.", "time", "510"),
        ("th", "๐๘๑-๒๓๔-๕๖๗๘", "phone", "0812345678"),
        ("th", "+๖๖ ๘๑ ๒๓๔ ๕๖๗๘", "phone", "66812345678"),
        ("th", "๒๔/๗", "ratio", "24/7"),
        ("zh", "２０２６/１１/３０", "date", "2026-11-30"),
        ("zh", "２０２６／１１／３０", "date", "2026-11-30"),
        ("zh", "２０２６－１１－３０", "date", "2026-11-30"),
        ("zh", "８：３０", "time", "510"),
        ("zh", "０１０－１２３４５６７８", "phone", "01012345678"),
        ("zh", "１６：９", "ratio", "16:9"),
        ("zh", "３００－５００号", "number", "300"),
        ("vi", "v１.２.３", "version", "v１.２.３"),
    ] {
        let found = number::mentions(text, &lang(tag));
        let first = found.first().map(|m| (m.shown_kind(), m.shown_value()));
        assert_eq!(first, Some((kind, value.to_owned())), "{tag} {text}");
    }
    // A citation is one in every script, and a letter with its mark apart begins a code as the composed one does.
    for (tag, text) in [("th", "ฟรี [๑]"), ("zh", "免费[１]")] {
        assert_eq!(number::mentions(text, &lang(tag)), [], "{text}");
    }
    for text in ["Đ5", "Ế5", "E\u{302}\u{301}5"] {
        assert_eq!(number::mentions(text, &lang("vi"))[0].shown_kind(), "code", "{text}");
    }
}

/// What the fuzzer found: words that end in a digit, list markers without a blank, a minus at the start of a line, and a
/// footnote behind a word with its marks apart.
#[test]
fn what_the_fuzzer_found_stays_found() {
    let shown = |tag: &str, text: &str| -> Vec<String> {
        let found = number::mentions(text, &lang(tag));
        found.iter().map(|m| format!("{} {}", m.shown_value(), m.shown_unit().unwrap_or("-"))).collect()
    };
    assert_eq!(shown("vi", "cao 1m25"), ["1.25 m"]);
    assert_eq!(shown("vi", "25m2"), ["25 m2"]);
    assert_eq!(shown("vi", &numbers_kit::decomposed("ăm rưỡi")), shown("vi", "ăm rưỡi"));
    assert_eq!(shown("en", "they left, 1. May 4, 2026")[1], "2026-05-04 -");
    numbers_kit::a_copy_is_grounded("th", "30 พ.ย. 2569 เปิด 8.30-17.00 น.");
    assert_eq!(shown("vi", "x2"), shown("vi", " x2"));
    // The sentence that begins at the year does not show where the quotation was opened.
    for passage in ["เขาบอกว่า \"เปิด 30 พ.ย. 2569\" แล้ว", "เริ่ม พ.ย. 2569\" ครับ"]
    {
        numbers_kit::a_copy_is_grounded("th", passage);
    }
    for passage in ["3 แสน5  หมg่นบาท", "ราคา 2 แสน 5 ครับลดได้", "ราคา 2 แสน 5 แต่ลดได้"]
    {
        numbers_kit::a_copy_is_grounded("th", passage);
    }
    numbers_kit::digits_of_a_script_agree("vi", "khoảng 12 345 678", '０');
    // No address: its scheme has no letter, and the second is shorter than one, in whatever digits.
    numbers_kit::digits_of_a_script_agree("vi", "5://", '０');
    numbers_kit::digits_of_a_script_agree("en", "5 / 99 ", '๐');
    numbers_kit::digits_of_a_script_agree("en", "c:\\1", '๐');
    assert_eq!(shown("vi", "1.Mở hộp\n2.Ấn nút\n3.Chờ 5 phút"), ["5 minute"]);
    assert_eq!(shown("en", "1.Open it\n2.Wait 5 minutes"), ["5 minute"]);
    assert_eq!(shown("vi", "150.ồng"), shown("vi", &numbers_kit::decomposed("150.ồng")));
    assert_eq!(shown("en", "Lowest:\n-.5 mm"), ["-0.5 mm"]);
    assert_eq!(shown("en", "1st\u{323} 2"), shown("en", &numbers_kit::composed("1st\u{323} 2")));
    let markers = |text: &str| ragline::layer::citation::read(text, 3).markers.len();
    let glued = "Phí là bao nhiêu[1].";
    assert_eq!((markers(glued), markers(&numbers_kit::decomposed(glued))), (1, 1));
    assert_eq!(shown("en", "3)go; 4)stop"), [""; 0]);
    assert_eq!(shown("vi", "2 tỷ 3  "), ["2300000000 -"]);
    assert_eq!((markers("nước²"), markers(&numbers_kit::decomposed("nước²")), markers("m²")), (1, 1, 0));
}

/// A letter with a mark is another letter: no word ends in front of one, composed or not.
#[test]
fn no_word_ends_in_front_of_a_mark() {
    let shown = |tag: &str, text: &str| -> Vec<String> {
        let found = number::mentions(text, &lang(tag));
        found.iter().map(|m| format!("{} {}", m.shown_value(), m.shown_unit().unwrap_or("-"))).collect()
    };
    for (tag, text, right) in [
        ("th", "50.000 G\u{302}", "50 -"),
        ("en", "50.5 G\u{302}", "50.5 -"),
        ("en", "$5 m\u{302}", "5 USD"),
        ("en", "12 million\u{301}", "12 -"),
        ("vi", "5 km\u{302}", "5 -"),
        ("vi", "200 k\u{323}", "200 -"),
        ("zh", "5 kg\u{327}", "5 -"),
        ("en", "6 ft 2 in\u{301}", "6 foot"),
        ("en", "5 dollars\u{301}", "5 -"),
        ("en", "12 am\u{301}", "12 -"),
    ] {
        for text in [numbers_kit::composed(text), numbers_kit::decomposed(text)] {
            assert_eq!(shown(tag, &text)[0], right, "{tag} {text}");
        }
    }
    // No chapter of five, and no phone number with a letter glued to it.
    for (tag, text) in [("vi", "Chương V\u{302}"), ("vi", "gọi 0912345678e\u{301}")] {
        let both = [numbers_kit::composed(text), numbers_kit::decomposed(text)].map(|t| shown(tag, &t));
        assert_eq!(both[0], both[1], "{text}");
        assert!(!both[0].iter().any(|n| n.starts_with("5 ") || n == "0912345678 -"), "{text}: {both:?}");
    }
}

/// Two times of day with a dash between them are no phone number, though the first begins with a zero.
#[test]
fn opening_hours_are_no_phone_number() {
    for text in ["เปิด 09.00-17.30 น.", "เปิด ๐๙.๐๐-๑๗.๓๐ น."] {
        let found = number::mentions(text, &lang("th"));
        let shown: Vec<_> = found.iter().map(|m| (m.shown_kind(), m.shown_value())).collect();
        assert_eq!(shown, [("time", "540".to_owned()), ("time", "1050".to_owned())], "{text}");
    }
    let kind = |text: &str| number::mentions(text, &lang("vi"))[0].shown_kind();
    assert_ne!(kind("08.30-17.00"), "phone");
    assert_eq!(kind("09.12-34.56.78"), "phone");
}

/// Of a long table, too, what is only nearly stated is found whichever passage comes first.
#[test]
fn a_long_table_is_read_alike_in_every_order() {
    let rows: String = (0..400).map(|i| format!("{} kg\n", 1_000 + 7 * i)).collect();
    let mut asked = Asked {
        lang: "en",
        question: String::new(),
        answer: format!("{rows}66.7%"),
        passages: vec![rows, "It is 66.67 % of them.".to_owned()],
    };
    for _ in 0..2 {
        let judged = asked.judged();
        let last = judged["numbers"].as_array().unwrap().last().unwrap();
        assert_eq!((&judged["outcome"], &last["status"]), (&"pass".into(), &"grounded_minor".into()));
        asked.passages.reverse();
    }
}

/// From 10 kB to 1 MB a byte may cost at most so many times as much.
const MOST: f64 = 3.0;

/// A debug build reads some thirty times as slowly, and less.
const LONGEST: usize = if cfg!(debug_assertions) { 200_000 } else { 1_000_000 };

/// A prefix of so many bytes, to the next border.
fn prefix(text: &str, bytes: usize) -> &str {
    let end = (bytes..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap();
    &text[..end]
}

/// Seconds a byte, by the quickest of some readings that take as long for each size.
fn cost(text: &str, tag: &str, bytes: usize) -> f64 {
    let (text, lang) = (prefix(text, bytes), lang(tag));
    let passes = (100_000 / bytes).max(1);
    let one = |_| {
        let start = Instant::now();
        for _ in 0..passes {
            std::hint::black_box(number::mentions(std::hint::black_box(text), &lang));
        }
        start.elapsed().as_secs_f64()
    };
    (0..2).map(one).fold(f64::INFINITY, f64::min) / (passes * text.len()) as f64
}

fn takes_linear_time(what: &str, text: &str, tag: &str) {
    // A loaded machine may hit one size; it does not hit the same one each time.
    let mut ratios = Vec::new();
    for _ in 0..4 {
        let ratio = cost(text, tag, LONGEST) / cost(text, tag, 10_000);
        if ratio < MOST {
            println!("{tag} {what:?}: {ratio:.2} times as much a byte");
            return;
        }
        ratios.push(ratio);
    }
    panic!("{tag} {what:?}: a byte costs {ratios:.2?} times as much in a longer text");
}

#[test]
fn long_texts_take_linear_time() {
    for tag in LANGS {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut text = String::new();
        while text.len() < LONGEST + 100 {
            let from = if rng.bool() { own(tag) } else { SHARED };
            text.push_str(from[rng.usize(..from.len())]);
            text.push(' ');
        }
        takes_linear_time("a mixture", &text, tag);
    }
}

/// Each in a language that it means something in; `numbers_speed` reads shorter ones in all of them.
#[test]
fn texts_made_to_be_slow_take_linear_time() {
    for (tag, unit) in [
        ("vi", "7"),
        ("vi", "1,"),
        ("en", "1,"),
        ("vi", "1.1."),
        ("vi", "1 "),
        ("vi", "$"),
        ("vi", "1/"),
        ("en", "[1"),
        ("vi", "năm "),
        ("vi", "Ấ"),
        ("th", "สอง"),
        ("th", "๗"),
        ("zh", "百"),
        ("zh", "一"),
        ("en", "one "),
        ("en", "half "),
        ("en", "(((("),
        ("en", "a-"),
    ] {
        takes_linear_time(unit, &unit.repeat(LONGEST / unit.len() + 1), tag);
    }
}

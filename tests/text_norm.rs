//! Normal forms: what must be equal is equal, what must differ differs, and every offset leads back to its place.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::wildcard_enum_match_arm
)]

use proptest::prelude::*;
use ragline::text::norm::{find_phrase, matching, matching_in, matching_mapped, plain, visible};
use ragline::text::pack::Pack;
use unicode_normalization::UnicodeNormalization;

fn same(a: &str, b: &str) -> bool {
    matching(a) == matching(b)
}

/// Thai and Lao: sara am in two characters, tone in front of it or behind, two SARA E typed for one SARA AE.
#[test]
fn thai_spellings_are_one() {
    let fact = "\u{E19}\u{E49}\u{E33}";
    assert!(same(fact, "\u{E19}\u{E49}\u{E4D}\u{E32}"));
    assert!(same(fact, "\u{E19}\u{E4D}\u{E49}\u{E32}"));
    assert!(same("แมว", "\u{E40}\u{E40}มว"));
    assert!(same("\u{E17}\u{E35}\u{E48}", "\u{E17}\u{E48}\u{E35}"));
    assert!(same("\u{E99}\u{EC9}\u{EB3}", "\u{E99}\u{ECD}\u{EC9}\u{EB2}"));
    assert!(!same("นำ", fact));
    assert_eq!(find_phrase(&matching("ม"), &matching("มา")), None);
    assert!(same("๗ วัน", "7 วัน"));
}

/// Vietnamese tone placement is folded where the pack says so, and only there.
#[test]
fn vietnamese_tone_placement() {
    let vi = Pack::by_code("vi");
    let found =
        |text: &str, fact: &str, pack| find_phrase(&matching_in(text, pack), &matching_in(fact, pack)).is_some();
    for (fact, answer) in
        [("Hòa Bình", "tỉnh Hoà Bình."), ("thủy", "thuỷ"), ("khoẻ", "khỏe"), ("quý", "qúy"), ("hoà", "Hòa Phát")]
    {
        assert!(found(answer, fact, vi), "{fact} in {answer}");
        assert!(!found(answer, fact, None), "without a language: {fact} in {answer}");
    }
    assert!(!found("Hoa Bình", "Hòa Bình", vi));
    assert!(!found("bảo hành", "báo", vi));
}

/// Invisible characters, blanks of every kind.
#[test]
fn what_cannot_be_seen_does_not_count() {
    let fact = "order-4711 is paid";
    for answer in [
        "order-\u{200b}4711 is\u{a0}paid",
        "or\u{ad}der-4711 is paid",
        "\u{feff}order-4711\u{202f} is\n\tpaid",
        "\u{202a}order-4711\u{202c} is paid",
        "ORDER\u{2011}4711 is \u{3000} paid",
    ] {
        assert!(same(fact, answer), "{answer:?}");
    }
    assert!(!same("می\u{200c}خواهم", "میخواهم"));
    assert_eq!(visible("می\u{200c}خواهم"), "می\\u{200c}خواهم");
}

#[test]
fn compatibility_forms_without_damage_to_numbers() {
    for (text, form) in [
        ("ＡＢＣ １２３", "abc 123"),
        ("Straße ΣΊΣΥΦΟΣ", "strasse σίσυφοσ"),
        ("ﬁn", "fin"),
        ("5 m²", "5 m2"),
        ("10²", "10²"),
        ("1½ giờ", "1 1/2 giờ"),
        ("½", "1/2"),
        ("30–40", "30-40"),
        ("５０％", "50%"),
        ("1.000.000đ", "1.000.000đ"),
        ("e\u{301}te\u{301}", "été"),
        ("don’t", "don t"),
        ("“a”—b…c", "a b c"),
        ("《保修》政策：7天。", "保修 政策 7天"),
        ("١٬٢٠٠٫٥", "1,200.5"),
        ("12,", "12"),
        ("a - 5", "a 5"),
        ("v1.2.3-rc", "v1.2.3 rc"),
    ] {
        assert_eq!(matching(text), form, "{text}");
    }
}

#[test]
fn offsets_lead_back() {
    let text = "Gói e\u{301}\u{200b}te\u{301}  GIÁ: 1.500đ, น\u{E4D}\u{E49}\u{E32} ok";
    let mapped = matching_mapped(text);
    let original = |needle: &str| {
        let range = find_phrase(&mapped.text, needle).unwrap();
        let o = mapped.original(range);
        text.chars().skip(o.start).take(o.len()).collect::<String>()
    };
    assert_eq!(original("été"), "e\u{301}\u{200b}te\u{301}");
    assert_eq!(original("giá"), "GIÁ");
    assert_eq!(original("1.500đ"), "1.500đ");
    assert_eq!(original("น้ำ"), "น\u{E4D}\u{E49}\u{E32}");
    assert_eq!(original("ok"), "ok");
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        "[a-zA-Z0-9.,%:/ -]{0,6}",
        "[\u{300}-\u{36f}\u{E01}-\u{E5b}\u{200b}-\u{200f}\u{1E9E}-\u{1EF9}²½①]{0,4}",
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_matching_form_is_its_own(text in hostile()) {
        let once = matching(&text);
        prop_assert!(!once.starts_with(' ') && !once.ends_with(' ') && !once.contains("  "), "{once:?}");
        let mapped = matching_mapped(&text);
        prop_assert_eq!(&mapped.text, &once);
        prop_assert_eq!(mapped.offsets.len(), once.len());
        let points = text.chars().count();
        let mut before = 0;
        for (start, end) in &mapped.offsets {
            prop_assert!(start <= end && *end as usize <= points && *start >= before);
            before = *start;
        }
    }

    #[test]
    fn canonically_equal_texts_are_equal(text in "[a-zA-Zà-ỹÀ-ỸăđơưĂĐƠƯ0-9 .,]{0,30}") {
        prop_assert_eq!(matching(&text.nfd().collect::<String>()), matching(&text));
        let apart: String = text.nfd().collect();
        let (apart, text) = (plain(&apart), plain(&text));
        prop_assert_eq!(apart, text);
    }

    #[test]
    fn plain_is_its_own(text in hostile()) {
        let once = plain(&text).into_owned();
        let twice = plain(&once).into_owned();
        prop_assert_eq!(&twice, &once);
        prop_assert!(!once.contains("  "));
    }

    #[test]
    fn phrases_never_cut_a_character(text in hostile(), phrase in hostile()) {
        let (text, phrase) = (matching(&text), matching(&phrase));
        if let Some(range) = find_phrase(&text, &phrase) {
            prop_assert_eq!(text.get(range), Some(phrase.as_str()));
        }
    }
}

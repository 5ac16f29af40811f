//! Twins with planted errors: what each edit does, in each language, and what is discarded.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, lines, ragline};
use ragline::judge::twins::{Kind, Passage, Pool, Source, twin};
use ragline::suite::NumbersGrant;
use ragline::text::pack::Lang;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A right answer that its one passage holds, with one more number there.
fn source(lang: &str, answer: &str, more: &str) -> Source {
    Source {
        suite: "shop".into(),
        id: "q".into(),
        lang: Lang::new(lang).unwrap(),
        question: String::new(),
        answer: answer.into(),
        contexts: vec![Passage { doc: Some("a.md".into()), text: format!("{answer} {more}") }],
        term: None,
        numbers: NumbersGrant::default(),
    }
}

/// The answer with the error, where one can be planted.
fn planted(lang: &str, answer: &str, more: &str, kind: Kind) -> Option<String> {
    twin(&source(lang, answer, more), &Pool::default(), kind, 1).map(|t| t.answer)
}

#[track_caller]
fn becomes(lang: &str, answer: &str, kind: Kind, twins: &[&str]) {
    let found = planted(lang, answer, "", kind);
    assert!(found.as_deref().is_some_and(|f| twins.contains(&f)), "{} of “{answer}” is {found:?}", kind.name());
}

#[test]
fn numbers_keep_their_writing() {
    becomes("vi", "Phí giao hàng là 25.000 đồng.", Kind::Num2x3, &["Phí giao hàng là 50.003 đồng."]);
    becomes("th", "คืนสินค้าได้ภายใน ๓๐ วัน", Kind::Num2x3, &["คืนสินค้าได้ภายใน ๖๓ วัน"]);
    becomes("zh", "保修期为24个月。", Kind::Num2x3, &["保修期为51个月。"]);
    becomes("en", "Delivery costs 7.5 euros.", Kind::Num2x3, &["Delivery costs 18.0 euros."]);
    becomes("en", "Returns within 14 days.", Kind::NumPm1, &["Returns within 13 days.", "Returns within 15 days."]);
    // The zeros at the end stay, and a first digit does not become 0.
    let digit = planted("vi", "Đơn từ 3.000.000 đồng được xác nhận.", "", Kind::NumDigit).unwrap();
    assert!(
        digit.contains(".000.000 đồng") && !digit.contains("3.000.000") && !digit.contains("0.000.000.000"),
        "{digit}"
    );
    let swapped = planted("en", "Returns within 14 days.", "Repairs take 30 days, and 9 hours of work.", Kind::NumSwap);
    assert_eq!(swapped.as_deref(), Some("Returns within 30 days."));
}

#[test]
fn years_ranges_and_orders_are_no_counts() {
    for answer in ["It opened in 1998.", "It takes 7–10 days.", "From 30 to 50 people came.", "It was the 19th time."]
    {
        assert_eq!(planted("en", answer, "", Kind::Num2x3), None, "{answer}");
    }
    becomes("en", "It opened in 1998.", Kind::DateOff1, &["It opened in 1997.", "It opened in 1999."]);
    becomes("zh", "学校成立于1998年。", Kind::DateOff1, &["学校成立于1997年。", "学校成立于1999年。"]);
    assert_eq!(planted("vi", "Vào thập niên 1960 có nhiều thay đổi.", "", Kind::DateOff1), None);
}

#[test]
fn units_are_exchanged() {
    becomes("vi", "Hoàn tiền trong 7 ngày.", Kind::UnitSwap, &["Hoàn tiền trong 7 giờ."]);
    becomes("th", "รับประกัน 24 เดือน", Kind::UnitSwap, &["รับประกัน 24 ปี"]);
    becomes("zh", "最高金额为1600元。", Kind::UnitSwap, &["最高金额为1600美元。"]);
    becomes("en", "The fee is $50.", Kind::UnitSwap, &["The fee is €50."]);
    becomes("zh", "成员须年满18周岁。", Kind::UnitSwap, &["成员须年满18个月。"]);
}

#[test]
fn verbs_are_negated_where_that_contradicts() {
    becomes("en", "The bridge was built by hand.", Kind::NegFlip, &["The bridge was not built by hand."]);
    becomes("en", "Used goods cannot be returned.", Kind::NegFlip, &["Used goods can be returned."]);
    becomes("vi", "Hàng thanh lý không được đổi trả.", Kind::NegFlip, &["Hàng thanh lý được đổi trả."]);
    becomes("vi", "Hà Nội là thủ đô của Việt Nam.", Kind::NegFlip, &["Hà Nội không phải là thủ đô của Việt Nam."]);
    becomes("zh", "礼品卡不能兑换现金。", Kind::NegFlip, &["礼品卡能兑换现金。"]);
    becomes("zh", "北京是中国的首都。", Kind::NegFlip, &["北京不是中国的首都。"]);
    becomes("th", "กรุงเทพคือเมืองหลวงของประเทศไทย", Kind::NegFlip, &["กรุงเทพไม่ใช่เมืองหลวงของประเทศไทย"]);
    // Some are and some are not; the verb of a clause is not the sentence's; 联合会 is no 会.
    for (lang, answer) in
        [("en", "Some goods are returned."), ("en", "The man who was late left."), ("zh", "他在联合会工作了三年。")]
    {
        assert_eq!(planted(lang, answer, "", Kind::NegFlip), None, "{answer}");
    }
}

#[test]
fn exceptions_are_left_out() {
    let cases = [
        (
            "vi",
            "Hàng thanh lý không được đổi trả, trừ khi lỗi kỹ thuật được báo trong 48 giờ.",
            "Hàng thanh lý không được đổi trả.",
        ),
        ("zh", "清仓商品不予退换，在48小时内反馈技术故障的除外。", "清仓商品不予退换。"),
        ("th", "ออเดอร์ครบ 2,000 บาทส่งฟรี ยกเว้นสินค้าชิ้นใหญ่", "ออเดอร์ครบ 2,000 บาทส่งฟรี"),
        ("en", "All orders ship free, except for bulky goods, within a week.", "All orders ship free within a week."),
    ];
    for (lang, answer, without) in cases {
        becomes(lang, answer, Kind::DropException, &[without]);
    }
    assert_eq!(planted("vi", "Tính duy nhất yêu cầu loại trừ số 1 ra khỏi tập.", "", Kind::DropException), None);
}

#[test]
fn names_are_exchanged_for_others_of_their_class() {
    let made = planted("en", "The parcel came from France.", "", Kind::EntitySwap).unwrap();
    assert!(made.starts_with("The parcel came from ") && !made.contains("France"), "{made}");
    // What the passage names too may be right.
    let both = planted("zh", "首届比赛在法国举行。", "德国没有参加。", Kind::EntitySwap).unwrap();
    assert!(!both.contains("法国") && !both.contains("德国"), "{both}");
    // Two of a class stand to each other in a way that one more leaves open.
    assert_eq!(planted("en", "France lies between Spain and Germany.", "", Kind::EntitySwap), None);
}

#[test]
fn what_is_still_borne_out_is_no_twin() {
    // Both figures stand in the passage, so that the rule of numbers lets the twin pass.
    for kind in [Kind::Num2x3, Kind::NumPm1] {
        let right = source("en", "Returns within 14 days.", "Gold members have 31 days, others 13 or 15 days.");
        assert_eq!(twin(&right, &Pool::default(), kind, 1), None, "{}", kind.name());
    }
    let right = source("en", "Gift cards can be sent.", "Gift cards cannot be sent.");
    assert_eq!(twin(&right, &Pool::default(), Kind::NegFlip, 1), None);
    assert_eq!(twin(&source("fr", "Le prix est de 7 euros.", ""), &Pool::default(), Kind::Num2x3, 1), None);
}

/// The twins of the example shops: the same twice, other ones of another seed; each line is whole and its edit is its difference.
#[test]
fn the_shops_have_twins_of_every_language() {
    let folder = Folder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let written = |seed: &str, name: &str| {
        let out = folder.path().join(name);
        ragline(root, &["judge", "twins", "--out", out.to_str().unwrap(), "--seed", seed]).exits(0).shows(&["num_2x3"]);
        folder.read(name)
    };
    let (first, again, other) = (written("1", "a.jsonl"), written("1", "b.jsonl"), written("2", "c.jsonl"));
    assert!(first == again && first != other);
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for t in lines(&first) {
        let text = |key: &str| t[key].as_str().unwrap().to_owned();
        let (was, answer) = (text("was"), text("answer"));
        assert_ne!(was, answer);
        let edited = t["edit"]["from"].as_str().unwrap().is_empty()
            || was.replacen(t["edit"]["from"].as_str().unwrap(), t["edit"]["to"].as_str().unwrap(), 9) != was;
        assert!(edited, "{t}");
        assert!(t["contexts"].as_array().is_some_and(|c| !c.is_empty()), "{t}");
        let clean = text("kind") == "clean_paraphrase";
        assert_eq!(text("label"), if clean { "pass" } else { "fail" });
        *counts.entry((text("lang"), text("kind"))).or_default() += 1;
    }
    for lang in ["en", "th", "vi", "zh"] {
        for kind in [
            "num_2x3",
            "num_digit",
            "num_swap",
            "unit_swap",
            "neg_flip",
            "add_unsupported",
            "cite_swap",
            "clean_paraphrase",
        ] {
            let n = counts.get(&(lang.to_owned(), kind.to_owned())).copied().unwrap_or(0);
            assert!(n >= 3, "{lang} {kind}: {n}");
        }
    }
    // The rule of numbers finds every number that was planted, and lets every paraphrase pass as it did the answer.
    let graded = folder.run(&["judge", "grade", "a.jsonl", "--layer", "numbers", "--json"]).exits(0);
    let graded = lines(&graded.out).next().unwrap();
    for kind in ["num_2x3", "num_digit", "num_pm1", "unit_swap"] {
        assert_eq!(graded["kinds"][kind]["hits"], graded["kinds"][kind]["n"], "{kind}");
    }
    assert_eq!(graded["kinds"]["clean_paraphrase"]["hits"], graded["kinds"]["clean_paraphrase"]["n"]);
    assert_eq!(graded["kinds"]["neg_flip"]["hits"], 0);
}

/// At most so many of a kind, of the kinds that are named.
#[test]
fn kinds_and_numbers_are_chosen() {
    let folder = Folder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = folder.path().join("few.jsonl");
    let args =
        ["judge", "twins", "shop-vi", "--kind", "num_2x3", "--kind", "neg_flip", "--most", "5", "--sentences", "--out"];
    ragline(root, &[args.as_slice(), &[out.to_str().unwrap()]].concat()).exits(0);
    let text = folder.read("few.jsonl");
    let kinds: Vec<Value> = lines(&text).map(|t| t["kind"].clone()).collect();
    assert_eq!(kinds.len(), 10);
    assert!(kinds.iter().take(5).all(|k| k == "num_2x3") && kinds.iter().skip(5).all(|k| k == "neg_flip"), "{kinds:?}");
    ragline(root, &["judge", "twins", "--kind", "typo", "--out", "x"]).exits(2).says(&["expected one of num_2x3"]);
    ragline(root, &["judge", "twins", "no-such-suite", "--out", "x"]).exits(2);
}

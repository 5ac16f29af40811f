//! Facts take time in proportion to the answer, in whatever text.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may")]

use ragline::inspect::facts::{Stated, judge};
use ragline::suite::load::facts;
use ragline::text::pack::Lang;
use std::time::{Duration, Instant};

const FACTS: &str = r#"[
    accepted by nobody here, 77 days, the seventh river of Rome 2031, { number: { value: 7, unit: day, op: le } }, { date: 2031-01-02 },
    { yes_no: "yes" }, { order: [water, voucher] }, { text: Röntgen tube, fold: true }, { text: a b c d e f, min_recall: 0.5 },
    { text: 会员可以免费退货吗, fuzzy: true }, { text: refund, condition: unless opened }
]"#;
const FORBIDDEN: &str = r#"[is covered, 7 ngày, ส่งฟรี, { any_of: [不能退货, may be returned] }]"#;

/// The shortest of three times for a text of about so many bytes.
fn time(piece: &str, bytes: usize, lang: &str) -> Duration {
    let answer = piece.repeat(bytes / piece.len() + 1);
    let lang = Lang::new(lang).unwrap();
    let once = || {
        let stated = Stated {
            question: "Is water damage covered by the warranty?",
            answer: &answer,
            facts: facts(FACTS).unwrap(),
            must_not: facts(FORBIDDEN).unwrap(),
        };
        let began = Instant::now();
        assert_eq!(judge(stated, &lang)["outcome"], "fail");
        began.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap()
}

#[test]
fn time_grows_with_the_length() {
    // So much text in a build for debugging; ten times as much where the build is fast.
    let small = if cfg!(debug_assertions) { 3_000 } else { 100_000 };
    for (name, lang, piece) in [
        ("sentences", "en", "Water damage is not covered, and 7 days are no 77 days for Röntgen tubes. "),
        ("one sentence", "en", "water damage is not covered and a b c d e "),
        ("negations", "en", "not no never without "),
        ("numbers", "en", "7 days 2031 VII 01.02 "),
        ("a list", "en", "1. water\n2. voucher\n- Rome\n"),
        ("quotes", "en", "\"not\" “no” covered "),
        ("near words", "en", "seventy riven romes accented nobody "),
        ("vietnamese", "vi", "Hàng thanh lý không được đổi trả trong 7 ngày, trừ khi chưa bóc tem. "),
        ("thai", "th", "สินค้าลดราคาไม่สามารถคืนได้ภายใน 7 วัน แต่ส่งฟรี "),
        ("chinese", "zh", "特价商品不能退货，会员可以在7天内免费退货。"),
        ("no mark", "zh", "会员不免费退货"),
    ] {
        let (short, long) = (time(piece, small, lang), time(piece, 10 * small, lang));
        let ratio = long.as_secs_f64() / short.as_secs_f64().max(1e-6);
        println!("{name}: {short:?} for {small} bytes, {ratio:.1} times for ten times as many");
        // A square would be 100 times; what is set up once makes it less than 10.
        assert!(ratio < 30.0, "{name}: {ratio:.1}");
    }
}

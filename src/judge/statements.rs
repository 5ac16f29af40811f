//! A text as statements: what is judged one by one.
//!
//! A statement is a sentence ([`sentences`]); a long one is cut further where a script has no full stops. Blank Thai and
//! Chinese are no obstacle: what separates clauses there (a blank between Thai letters, `，` and `；`) ends a statement once
//! it is long enough to say something by itself. No model is asked, so the same text has the same statements, whoever
//! judges them.

use crate::text::norm::chars::{is_blank, is_unspaced, is_word};
use crate::text::pack::Lang;
use crate::text::segment::sentences;
use std::ops::Range;

/// A piece of fewer letters than this is no statement of its own: it goes with its neighbour.
const SHORTEST: usize = 12;

/// A sentence of a script without full stops is cut when it has more letters than this.
const LONG: usize = 60;

/// The statements of a text, as byte ranges in order. A text with anything said in it has at least one.
pub fn statements(text: &str, lang: &Lang) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for sentence in sentences(text, lang) {
        for piece in clauses(text, sentence) {
            let letters = letters(text.get(piece.clone()).unwrap_or_default());
            match out.last_mut() {
                // `1.`, `Dạ.`, `好的。`: what is too short to be judged alone.
                Some(last) if letters < 2 => last.end = piece.end,
                _ => out.push(piece),
            }
        }
    }
    out
}

/// How many letters and digits a text has.
fn letters(text: &str) -> usize {
    text.chars().filter(|c| is_word(*c)).count()
}

/// A sentence, cut where a script without full stops lets a clause end.
fn clauses(text: &str, sentence: Range<usize>) -> Vec<Range<usize>> {
    let Some(whole) = text.get(sentence.clone()) else { return Vec::new() };
    let unspaced = whole.chars().filter(|c| is_unspaced(*c)).count();
    if letters(whole) <= LONG || unspaced * 2 < letters(whole) {
        return vec![sentence];
    }
    let mut out = Vec::new();
    let mut start = 0;
    let mut count = 0;
    let mut before: Option<char> = None;
    for (at, c) in whole.char_indices() {
        let rest = whole.get(at + c.len_utf8()..).unwrap_or_default();
        let comma = matches!(c, '，' | '；');
        // In Thai a blank stands between clauses; one beside a digit or a Latin word is no more than a blank.
        let gap = is_blank(c) && before.is_some_and(is_unspaced) && rest.chars().next().is_some_and(is_unspaced);
        if (comma || gap) && count >= SHORTEST && letters(rest) >= SHORTEST {
            let end = if comma { at + c.len_utf8() } else { at };
            out.push(sentence.start + start..sentence.start + end);
            start = at + c.len_utf8();
            count = 0;
        }
        count += usize::from(is_word(c));
        before = Some(c);
    }
    out.push(sentence.start + start..sentence.end);
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of<'t>(text: &'t str, lang: &str) -> Vec<&'t str> {
        statements(text, &Lang::new(lang).unwrap()).into_iter().map(|r| text.get(r).unwrap()).collect()
    }

    #[test]
    fn sentences_are_statements() {
        let en = "Returns are free. You have 30 days, or 1.5 months. See art. 5 for more!";
        assert_eq!(of(en, "en"), ["Returns are free.", "You have 30 days, or 1.5 months.", "See art. 5 for more!"]);
        let vi = "Được đổi trong 7 ngày. Phí là 35.000 đồng; miễn phí từ 1tr5.";
        assert_eq!(of(vi, "vi"), ["Được đổi trong 7 ngày.", "Phí là 35.000 đồng;", "miễn phí từ 1tr5."]);
    }

    #[test]
    fn thai_and_chinese_answers_are_never_split_into_nothing() {
        assert_eq!(of("คืนได้ภายใน 30 วัน", "th"), ["คืนได้ภายใน 30 วัน"]);
        assert_eq!(of("七天内可以退货", "zh"), ["七天内可以退货"]);
        assert_eq!(of("ไม่", "th"), ["ไม่"]);
        assert_eq!(of("", "zh"), Vec::<&str>::new());
        assert_eq!(of("。…", "zh"), Vec::<&str>::new());
    }

    #[test]
    fn a_long_thai_text_without_stops_is_cut_at_the_blanks_between_its_clauses() {
        let text = "ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวันนับจากวันที่ได้รับสินค้า \
                    โดยสินค้าต้องอยู่ในสภาพเดิมพร้อมกล่องและอุปกรณ์ครบถ้วน บริษัทจะคืนเงินให้ภายในเจ็ดวันทำการหลังตรวจสอบ";
        let got = of(text, "th");
        assert_eq!(got.len(), 3, "{got:?}");
        assert!(got[1].starts_with("โดยสินค้าต้อง") && got[2].starts_with("บริษัทจะคืนเงิน"), "{got:?}");
    }

    #[test]
    fn a_long_chinese_sentence_is_cut_at_its_commas_and_a_short_one_is_not() {
        assert_eq!(of("七天内，可以退货，运费由卖家承担。", "zh").len(), 1);
        let long = "自收到商品之日起七日内顾客可以无理由申请退货并获得全额退款，商品必须保持原有包装和全部配件完好无损方可受理退货申请，\
                    退款将在仓库验收合格之后的五个工作日之内原路退回到付款账户。";
        let got = of(long, "zh");
        assert_eq!(got.len(), 3, "{got:?}");
    }

    #[test]
    fn the_statements_hold_every_letter_of_the_text() {
        for (lang, text) in [("en", "1. Yes. 2. No."), ("th", "ได้ค่ะ  คืนได้ครับ แต่ต้องมีใบเสร็จ"), ("zh", "好。可以退货！")]
        {
            let got: usize = of(text, lang).iter().map(|s| letters(s)).sum();
            assert_eq!(got, letters(text), "{text}");
        }
    }
}

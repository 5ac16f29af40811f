//! Whether the words that a judge says it copied stand in the source.
//!
//! A judge that nods cannot copy words that are not there. Compared are matching forms; the words count as found when nine
//! tenths of their characters stand in one source in blocks long enough to be no accident, and every number among them
//! does: `17 days` is not found where `7 days` stands.

use crate::text::norm::chars::is_unspaced;
use crate::text::norm::{find_whole_numbers, matching_in};
use crate::text::number;
use crate::text::pack::{Lang, Pack};

/// The share of a quote's characters that must stand in the source.
pub const COVERAGE: f64 = 0.9;

/// A shared block is at least so many characters long, or the whole quote.
const BLOCK: usize = 20;
/// The same in scripts without blanks between words.
const BLOCK_UNSPACED: usize = 8;

/// Whether a quote stands in one of the sources.
pub fn stands(quote: &str, sources: &[&str], lang: &Lang) -> bool {
    let pack = Pack::of(lang);
    // What a judge leaves out of a long quote it writes as an ellipsis: each part must stand in the same source.
    let parts: Vec<String> = quote
        .split(['…'])
        .flat_map(|p| p.split("..."))
        .map(|p| matching_in(p, pack).trim().to_owned())
        .filter(|p| !p.is_empty())
        .collect();
    if parts.is_empty() {
        return false;
    }
    sources.iter().any(|source| {
        let source = matching_in(source, pack);
        let covered = parts.iter().all(|p| coverage(p, &source) >= COVERAGE);
        covered && parts.iter().all(|p| numbers_stand(p, &source, lang))
    })
}

/// The share of the characters of `quote` that stand in `source`, both in matching form.
fn coverage(quote: &str, source: &str) -> f64 {
    if find_whole_numbers(source, quote).is_some() {
        return 1.0;
    }
    let chars: Vec<(usize, char)> = quote.char_indices().collect();
    let unspaced = chars.iter().filter(|(_, c)| is_unspaced(*c)).count() * 2 > chars.len();
    let shortest = if unspaced { BLOCK_UNSPACED } else { BLOCK };
    let byte = |i: usize| chars.get(i).map_or(quote.len(), |(at, _)| *at);
    let mut covered = 0;
    let mut at = 0;
    while at + shortest <= chars.len() {
        let block = |end: usize| quote.get(byte(at)..byte(end)).unwrap_or_default();
        if !source.contains(block(at + shortest)) {
            at += 1;
            continue;
        }
        let mut end = at + shortest;
        while end < chars.len() && source.contains(block(end + 1)) {
            end += 1;
        }
        covered += end - at;
        at = end;
    }
    if chars.is_empty() { 0.0 } else { covered as f64 / chars.len() as f64 }
}

/// Whether every number of a quote is a number of the source, not a part of one.
fn numbers_stand(quote: &str, source: &str, lang: &Lang) -> bool {
    let written =
        |m: &number::Mention| quote.get(m.start..m.end).is_none_or(|n| find_whole_numbers(source, n).is_some());
    number::mentions(quote, lang).iter().all(written)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn stand(quote: &str, source: &str, lang: &str) -> bool {
        stands(quote, &[source], &Lang::new(lang).unwrap())
    }

    #[test]
    fn copied_words_stand_whatever_their_case_blanks_and_quotes() {
        assert!(stand("7 ngày", "Đổi trả trong 7 ngày kể từ ngày nhận hàng.", "vi"));
        assert!(stand("“Hoà”  BÌNH", "thành phố hòa bình", "vi"));
        assert!(stand("ภายใน 30 วัน", "คืนสินค้าได้ภายใน\u{a0}30 วัน", "th"));
        assert!(stand("七天内可以退货", "本店商品七天内可以退货。", "zh"));
        assert!(stand("within 30 days", "You may return it within\n30 days.", "en"));
    }

    /// J09: a quote whose number is another one does not stand.
    #[test]
    fn a_number_is_not_found_inside_another() {
        assert!(!stand("17 ngày", "Đổi trả trong 7 ngày.", "vi"));
        assert!(!stand("7 ngày", "Đổi trả trong 17 ngày.", "vi"));
        assert!(!stand("顾客在十七天内可以凭发票退货", "顾客在七天内可以凭发票退货", "zh"));
        let source = "The fee for returning goods bought in one of our shops is 15 euro for each parcel that is sent.";
        assert!(!stand(&source.replace("15", "25"), source, "en"));
    }

    #[test]
    fn nine_tenths_are_enough_and_less_is_not() {
        let source = "Opened boxes are taken back within thirty days of delivery unless the seal is broken";
        assert!(stand("opened boxes are taken back within thirty days of delivery unless a", source, "en"));
        assert!(!stand("opened boxes are taken back gladly whenever somebody should ask for it", source, "en"));
        assert!(stand("Opened boxes are taken back … unless the seal is broken", source, "en"));
        assert!(!stand("Opened boxes are taken back … by anyone at all", source, "en"));
    }

    #[test]
    fn nothing_is_no_quote() {
        for quote in ["", "  ", "…", "\"\"", "..."] {
            assert!(!stand(quote, "anything", "en"), "{quote:?}");
        }
        assert!(!stands("word", &[], &Lang::new("en").unwrap()));
    }
}

//! Pieces of a text that stand for something: what a finding speaks of, what is cited, the words of the evidence.

use super::page::Page;
use crate::report::words::Piece;
use crate::text::norm::{find_whole_numbers, matching_in, matching_mapped_in};
use crate::text::pack::Pack;

/// What a piece stands for; what is named first is shown where two overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// A finding speaks of it.
    Fault,
    /// Words of the evidence.
    Evidence,
    /// A citation.
    Citation,
}

impl Mark {
    fn class(self) -> &'static str {
        match self {
            Mark::Fault => "fault",
            Mark::Evidence => "evidence",
            Mark::Citation => "citation",
        }
    }

    /// Puts a piece that is marked so.
    pub(super) fn put(self, p: &mut Page, piece: &str) {
        p.leaf("mark", &[("class", self.class()), ("title", self.words())], piece);
    }

    /// What it is called where the page explains it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Mark::Fault => "a finding speaks of it",
            Mark::Evidence => "words of the evidence",
            Mark::Citation => "a citation",
        }
    }
}

/// A marked piece, in code points.
pub(super) type Span = (usize, usize, Mark);

/// Puts a text with its marked pieces. Spans may overlap and may reach beyond the text.
pub(super) fn put(p: &mut Page, text: &str, spans: &[Span]) {
    let mut borders: Vec<usize> = spans.iter().flat_map(|(start, end, _)| [*start, *end]).collect();
    borders.sort_unstable();
    borders.dedup();
    let mut rest = text;
    let mut at = 0;
    for border in borders.into_iter().chain([usize::MAX]) {
        let bytes = rest.char_indices().nth(border - at).map_or(rest.len(), |(byte, _)| byte);
        let Some((piece, more)) = rest.split_at_checked(bytes) else { break };
        let over = spans.iter().filter(|(start, end, _)| *start <= at && at < *end).map(|(_, _, mark)| *mark).min();
        match over {
            _ if piece.is_empty() => {}
            Some(mark) => mark.put(p, piece),
            None => p.text(piece),
        }
        (rest, at) = (more, border);
        if rest.is_empty() {
            break;
        }
    }
}

/// Puts the pieces of a compared answer, the marked ones in an element: `ins` or `del`.
pub(super) fn pieces(p: &mut Page, pieces: &[Piece], element: &'static str) {
    for piece in pieces {
        if piece.marked { p.leaf(element, &[], &piece.text) } else { p.text(&piece.text) }
    }
}

/// Where the words of the evidence stand in a passage: as the check of retrieval finds them, in their matching form.
pub(super) fn evidence(text: &str, wanted: &[String], pack: Option<&'static Pack>) -> Vec<Span> {
    if wanted.is_empty() || text.is_empty() {
        return Vec::new();
    }
    let mapped = matching_mapped_in(text, pack);
    let found = |words: &String| {
        let words = matching_in(words, pack);
        let at = Some(&words).filter(|w| !w.is_empty()).and_then(|w| find_whole_numbers(&mapped.text, w))?;
        // A tone mark that stands in another place in the matching form must not cut the word that it is from.
        let letters = mapped.offsets.get(at..at + words.len())?;
        let (start, end) = (letters.iter().map(|o| o.0).min()?, letters.iter().map(|o| o.1).max()?);
        Some((start as usize, end as usize, Mark::Evidence))
    };
    wanted.iter().filter_map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::pack::Lang;

    fn shown(text: &str, spans: &[Span]) -> String {
        let mut p = Page::default();
        put(&mut p, text, spans);
        let text = p.into_text();
        [Mark::Fault, Mark::Evidence, Mark::Citation].iter().fold(text, |t, m| {
            t.replace(&format!("<mark class=\"{}\" title=\"{}\">", m.class(), m.words()), &format!("[{}:", m.class()))
        })
    }

    #[test]
    fn spans_are_code_points_and_may_overlap() {
        let text = "trong 17 ngày <b> [1]";
        let spans = [(6, 13, Mark::Fault), (18, 21, Mark::Citation), (9, 13, Mark::Evidence), (40, 90, Mark::Fault)];
        assert_eq!(shown(text, &spans), "trong [fault:17 </mark>[fault:ngày</mark> &lt;b&gt; [citation:[1]</mark>");
        assert_eq!(shown("น้ำ", &[(0, 99, Mark::Fault)]), "[fault:น้ำ</mark>");
        assert_eq!(shown("", &[(0, 2, Mark::Fault)]), "");
        assert_eq!(shown("ab", &[(1, 1, Mark::Fault), (2, 2, Mark::Fault)]), "ab");
    }

    #[test]
    fn evidence_is_found_as_retrieval_finds_it() {
        let find = |text: &str, words: &str, lang: &str| {
            let pack = Lang::new(lang).and_then(|l| Pack::of(&l));
            let text: Vec<char> = text.chars().collect();
            let spans = evidence(&text.iter().collect::<String>(), &[words.to_owned()], pack);
            spans.iter().map(|(s, e, _)| text[*s..*e].iter().collect::<String>()).collect::<Vec<_>>()
        };
        assert_eq!(find("Trong  7 NGÀY kể từ; 17 ngày.", "7 ngày", "vi"), ["7 NGÀY"]);
        let whole = "trong 7 ngày kể từ ngày nhận hàng";
        assert_eq!(find(&format!("Được đổi {whole}, dù mua ở đâu."), whole, "vi"), [whole]);
        assert_eq!(find("Siêu thị Hoà Bình", "hòa bình", "vi"), ["Hoà Bình"]);
        assert_eq!(find("คืนสินค้าได้ภายใน ๗ วัน", "7 วัน", "th"), ["๗ วัน"]);
        assert_eq!(find("商品自签收之日起七天内可以退货。", "七天内", "zh"), ["七天内"]);
        assert!(find("abc", "", "en").is_empty());
    }
}

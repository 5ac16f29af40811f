//! Cutting and measuring text: at the border of what a reader sees as one character, never at a byte, and with a mark.

use icu_segmenter::options::LineBreakOptions;
use icu_segmenter::{GraphemeClusterSegmenter, LineSegmenter};
use unicode_width::UnicodeWidthStr;

/// The mark of a cut.
pub const MARK: char = '…';

/// The columns that a text takes on a terminal: a Thai vowel sign or tone mark none, a Han character two.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The characters of a text as a reader counts them (grapheme clusters), one after the other.
pub fn clusters(text: &str) -> impl Iterator<Item = &str> {
    let borders = GraphemeClusterSegmenter::new().segment_str(text);
    let mut start = 0;
    borders.skip(1).filter_map(move |end| {
        let piece = text.get(start..end);
        start = end;
        piece
    })
}

/// The longest beginning of a text for which `size` (given the pieces one by one) stays within `budget`. Where
/// something is left out the mark stands at the end, and its size is counted.
fn begin(text: &str, budget: usize, mark: usize, size: impl Fn(&str) -> usize) -> String {
    // Where the mark would have to go, should the next piece not fit.
    let (mut used, mut end, mut with_mark) = (0_usize, 0_usize, 0_usize);
    for piece in clusters(text) {
        used = used.saturating_add(size(piece));
        if used > budget {
            let mut out = text.get(..with_mark).unwrap_or_default().to_owned();
            if budget >= mark {
                out.push(MARK);
            }
            return out;
        }
        end += piece.len();
        if used + mark <= budget {
            with_mark = end;
        }
    }
    text.to_owned()
}

/// A text of at most `max` code points, the mark of a cut included.
pub fn chars(text: &str, max: usize) -> String {
    // No text has more code points than bytes.
    if text.len() <= max {
        return text.to_owned();
    }
    begin(text, max, 1, |piece| piece.chars().count())
}

/// A text of at most `max` bytes, the mark of a cut included.
pub fn bytes(text: &str, max: usize) -> String {
    if text.len() <= max { text.to_owned() } else { begin(text, max, MARK.len_utf8(), str::len) }
}

/// A text of at most `max` columns, the mark of a cut included.
pub fn width(text: &str, max: usize) -> String {
    if text.len() <= max && text.is_ascii() {
        return text.to_owned();
    }
    begin(text, max, 1, columns)
}

/// A text with blanks behind it up to `width` columns.
pub fn pad(text: &str, width: usize) -> String {
    let mut out = text.to_owned();
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(columns(text))));
    out
}

/// A text (one line, cleaned) as at most `lines` lines of at most `width` columns, broken where the language allows it
/// (also in Thai and Chinese, which have no blanks), the last one cut with the mark where more is left.
pub fn wrap(text: &str, width: usize, lines: usize) -> Vec<String> {
    let width = width.max(2);
    let mut out: Vec<String> = Vec::new();
    let (mut line, mut used) = (String::new(), 0);
    let mut start = 0;
    for end in LineSegmenter::new_auto(LineBreakOptions::default()).segment_str(text).skip(1) {
        let Some(piece) = text.get(start..end) else { continue };
        // A name such as `return-window` stays whole, so that it can be copied.
        if in_word(text, end) {
            continue;
        }
        start = end;
        if used + columns(piece.trim_end()) <= width {
            line.push_str(piece);
            used += columns(piece);
            continue;
        }
        if !line.trim().is_empty() {
            out.push(std::mem::take(&mut line));
        }
        line.clear();
        used = 0;
        for cluster in clusters(piece) {
            if used + columns(cluster) > width && !cluster.trim().is_empty() {
                out.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push_str(cluster);
            used += columns(cluster);
        }
        if out.len() > lines {
            break;
        }
    }
    if !line.trim().is_empty() {
        out.push(line);
    }
    let more = out.len() > lines;
    out.truncate(lines);
    for l in &mut out {
        l.truncate(l.trim_end().len());
    }
    if let Some(last) = out.last_mut().filter(|_| more) {
        *last = format!("{}{MARK}", self::keep(last, width - 1));
    }
    out
}

/// Whether a place is right behind a hyphen between two words.
fn in_word(text: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
    let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    before.strip_suffix('-').is_some_and(|b| word(b.chars().next_back())) && word(after.chars().next())
}

/// The longest beginning of at most `max` columns, without a mark.
fn keep(text: &str, max: usize) -> &str {
    let (mut used, mut end) = (0, 0);
    for piece in clusters(text) {
        used += columns(piece);
        if used > max {
            break;
        }
        end += piece.len();
    }
    text.get(..end).unwrap_or(text)
}

/// A count as a reader likes it: `1,200`.
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cut_never_splits_what_a_reader_sees_as_one_character() {
        for tail in ["€", "🙏🏽", "e\u{323}\u{302}", "น้ำ", "👩‍👩‍👧‍👦"] {
            for n in 1..300 {
                let text = format!("{}{tail}", "a".repeat(n - 1));
                for max in [1, 20, 40, 80] {
                    let cut = width(&text, max);
                    assert!(columns(&cut) <= max, "{cut}");
                    assert!(columns(&text) <= max || cut.ends_with(MARK));
                    let kept = cut.strip_suffix(MARK).unwrap_or(&cut);
                    let whole: String = clusters(&text).take(clusters(kept).count()).collect();
                    assert_eq!(kept, whole);
                }
            }
        }
    }

    #[test]
    fn columns_follow_the_script() {
        assert_eq!(columns("น้ำ"), 2, "a consonant and a following vowel; the tone mark takes none");
        assert_eq!(columns("七天"), 4);
        assert_eq!(columns("Đổi trả"), 7);
        assert_eq!(width("七天内可退换货", 7), "七天内…");
        assert_eq!(chars("七天内可退换货", 4), "七天内…");
        assert_eq!(bytes("七天内可退换货", 9), "七天…");
        assert_eq!(width("abc", 3), "abc");
        assert_eq!(width("abcd", 0), "");
    }

    #[test]
    fn lines_break_where_the_language_allows() {
        assert_eq!(wrap("một hai ba bốn", 8, 9), ["một hai", "ba bốn"]);
        assert_eq!(wrap("một hai ba bốn", 8, 1), ["một hai…"]);
        let thai = wrap("ลูกค้าสามารถคืนสินค้าได้ภายในเจ็ดวัน", 12, 9);
        assert!(thai.len() > 2 && thai.iter().all(|l| columns(l) <= 12), "{thai:?}");
        assert!(thai.iter().any(|l| l.starts_with("สินค้า") || l.ends_with("สินค้า")), "{thai:?}");
        assert_eq!(wrap("", 8, 2), Vec::<String>::new());
        // A name with a hyphen stays whole where it fits on a line of its own.
        assert_eq!(wrap("broke: return-window, q1", 16, 9), ["broke:", "return-window,", "q1"]);
        assert_eq!(wrap("7 - 10 days - or more", 12, 9), ["7 - 10 days", "- or more"]);
    }

    #[test]
    fn counts_are_grouped() {
        assert_eq!([count(7), count(120), count(1200), count(1_000_000)], ["7", "120", "1,200", "1,000,000"]);
    }

    proptest! {
        #[test]
        fn any_text_fits(text in any::<String>(), max in 0_usize..50, lines in 0_usize..4) {
            prop_assert!(columns(&width(&text, max)) <= max);
            prop_assert!(bytes(&text, max).len() <= max);
            prop_assert!(chars(&text, max).chars().count() <= max);
            let text = crate::report::clean::terminal(&text).into_owned();
            let wrapped = wrap(&text, max, lines);
            prop_assert!(wrapped.len() <= lines);
            for line in wrapped {
                prop_assert!(columns(&line) <= max.max(2), "{line:?}");
            }
        }
    }
}

//! A phrase inside a text: whole words only.

use super::chars::{is_mark, is_unspaced, is_word};
use std::ops::Range;

/// The first place of a phrase in a text, both in matching form, with a word border on both ends. Scripts that set no
/// blanks between words have no borders to test, save that a character keeps its marks. A number is never found inside a
/// longer number, nor without its sign or percent mark.
///
/// ```
/// use ragline::text::norm::{find_phrase, matching};
/// let find = |text: &str, phrase: &str| find_phrase(&matching(text), &matching(phrase));
/// assert_eq!(find("trong 15 ngày", "5 ngày"), None);
/// assert_eq!(find("trong 5 ngày.", "5 ngày"), Some(6..13));
/// assert_eq!(find("1.5 and 5 %", "5"), None);
/// ```
pub fn find_phrase(haystack: &str, needle: &str) -> Option<Range<usize>> {
    find_phrases(haystack, needle).next()
}

/// Every such place, from left to right; places may overlap.
pub fn find_phrases<'t>(haystack: &'t str, needle: &'t str) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let needle = needle.trim();
    let finder = memchr::memmem::Finder::new(needle.as_bytes()).into_owned();
    let mut from = if needle.is_empty() { haystack.len() + 1 } else { 0 };
    std::iter::from_fn(move || {
        loop {
            let at = from + finder.find(haystack.as_bytes().get(from..)?)?;
            from = at + needle.chars().next().map_or(1, char::len_utf8);
            let range = at..at + needle.len();
            if bordered(haystack, &range) {
                return Some(range);
            }
        }
    })
}

/// Whether the piece of a text in matching form begins and ends at a border.
fn bordered(text: &str, range: &Range<usize>) -> bool {
    let (Some(before), Some(inside), Some(after)) =
        (text.get(..range.start), text.get(range.clone()), text.get(range.end..))
    else {
        return false;
    };
    let mut before = before.chars().rev();
    let (Some(first), Some(last)) = (inside.chars().next(), inside.chars().next_back()) else { return false };
    let (previous, following) = (before.next(), after.chars().next());
    let left = match previous {
        None => true,
        // In matching form these stand between digits, and the minus also in front of a number.
        Some('.' | ',') if first.is_ascii_digit() => false,
        Some('-') if first.is_ascii_digit() => before.next().is_some_and(|c| c.is_ascii_digit()),
        Some(p) => !joined(p, first) && !is_mark(first),
    };
    let right = match following {
        None => true,
        Some('.' | ',' | '%') if last.is_ascii_digit() => false,
        Some(f) => !joined(last, f) && !is_mark(f),
    };
    left && right
}

/// Whether two neighbouring characters are of one word.
fn joined(a: char, b: char) -> bool {
    is_word(a) && is_word(b) && !is_unspaced(a) && !is_unspaced(b)
}

#[cfg(test)]
mod tests {
    use super::super::matching;
    use super::*;

    #[test]
    fn whole_words_and_whole_numbers() {
        let found = |text: &str, phrase: &str| find_phrase(&matching(text), &matching(phrase)).is_some();
        for (text, phrase) in [
            ("Order-4711 is paid", "order-4711"),
            ("máy bị từ chối bảo hành", "Từ chối bảo hành"),
            ("iPhone的价格是5元", "价格"),
            ("价格是5元", "5"),
            ("คืนสินค้าได้ภายใน 7 วัน", "7 วัน"),
            ("7-10 ngày", "10 ngày"),
            ("at 10:30.", "10:30"),
            ("−5 °C", "-5 °C"),
            ("it is $5.", "$5"),
            ("5 %", "5%"),
            ("15, then 5", "5"),
            ("ở mục 3. Phí 5 đồng", "3"),
        ] {
            assert!(found(text, phrase), "{phrase} in {text}");
        }
        for (text, phrase) in [
            ("15 ngày", "5"),
            ("1.5 kg", "5"),
            ("1,500", "500"),
            ("1,500", "1"),
            ("5%", "5"),
            ("-5", "5"),
            ("bảo hành", "báo"),
            ("category", "cat"),
            ("ที่", "ที"),
            ("10² m", "102"),
            ("anything", ""),
            ("anything", " ! "),
        ] {
            assert!(!found(text, phrase), "{phrase} in {text}");
        }
    }

    #[test]
    fn all_places() {
        assert_eq!(find_phrases("a a a aa", "a a").collect::<Vec<_>>(), [0..3, 2..5]);
    }
}

//! A phrase inside a text: whole words only.

use super::chars::{digit, is_mark, is_unspaced, is_word};
use crate::text::number::is_numeral;
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
    let finder = memchr::memmem::Finder::new(needle);
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

/// Where words stand in a text, as they are written, without cutting a number in two: `7 days` does not stand in
/// `17 days` or `3.7 days`, `cost 1` not in `cost 1,500`, nor `七天` in `十七天`.
pub fn find_whole_numbers(text: &str, words: &str) -> Option<usize> {
    let (first, last) = (words.chars().next()?, words.chars().next_back()?);
    let figure = |c: Option<char>| c.is_some_and(|c| digit(c).is_some());
    let joint = |c: Option<char>| matches!(c, Some('.' | ','));
    memchr::memmem::find_iter(text.as_bytes(), words).find(|at| {
        let mut before = text.get(..*at).unwrap_or_default().chars().rev();
        let mut after = text.get(at + words.len()..).unwrap_or_default().chars();
        let (before, after) = ([before.next(), before.next()], [after.next(), after.next()]);
        let parts = |near: [Option<char>; 2]| figure(near[0]) || (joint(near[0]) && figure(near[1]));
        let cut_in_front = figure(Some(first)) && parts(before) || before[0].is_some_and(|c| one_numeral(c, first));
        let cut_behind = figure(Some(last)) && parts(after) || after[0].is_some_and(|c| one_numeral(last, c));
        !(cut_in_front || cut_behind)
    })
}

/// Whether two neighbouring characters belong to one numeral of Chinese characters (`十七`, `5万`).
fn one_numeral(a: char, b: char) -> bool {
    is_numeral(b) && (is_numeral(a) || digit(a).is_some())
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
        Some(p) => !joined(p, first) && !is_mark(first) && !is_leading_vowel(p),
    };
    let right = match following {
        None => true,
        Some('.' | ',' | '%') if last.is_ascii_digit() => false,
        Some(f) => !joined(last, f) && !is_mark(f) && !is_following_vowel(f),
    };
    left && right
}

/// A Thai or Lao vowel that is written in front of its consonant, so that no word begins behind it: `ปิด` (close) does not
/// stand in `เปิด` (open).
pub(crate) fn is_leading_vowel(c: char) -> bool {
    matches!(c, '\u{e40}'..='\u{e44}' | '\u{ec0}'..='\u{ec4}')
}

/// One that is written behind its consonant, so that no word ends in front of it.
pub(crate) fn is_following_vowel(c: char) -> bool {
    matches!(c, '\u{e30}' | '\u{e32}' | '\u{e33}' | '\u{e45}' | '\u{eb0}' | '\u{eb2}' | '\u{eb3}')
}

/// Whether two neighbouring characters are of one word.
fn joined(a: char, b: char) -> bool {
    one_numeral(a, b) || (is_word(a) && is_word(b) && !is_unspaced(a) && !is_unspaced(b))
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
            ("第七天内可退", "七天内可退"),
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
            ("เปิดวันเสาร์", "ปิด"),
            ("ราคา", "ราค"),
            ("10² m", "102"),
            ("十七天内可退", "七天内可退"),
            ("费用5万元", "费用5"),
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

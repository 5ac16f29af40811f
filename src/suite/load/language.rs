//! The language of a suite that does not name one, by the letters of its questions.

use crate::suite::node::{Node, Reader, Value};
use crate::text::norm::composed;
use crate::text::pack::{Lang, Pack};
use std::ops::RangeInclusive;

/// Letters that give a language away. The first row that has a letter of the text decides: Japanese and Korean also
/// write Chinese characters, so they stand in front of Chinese.
const LETTERS: &[(&str, &[RangeInclusive<char>])] = &[
    ("th", &['\u{0e01}'..='\u{0e5b}']),
    ("ja", &['\u{3041}'..='\u{3096}', '\u{30a1}'..='\u{30fa}', '\u{31f0}'..='\u{31ff}', '\u{ff66}'..='\u{ff9d}']),
    ("ko", &['\u{1100}'..='\u{11ff}', '\u{3130}'..='\u{318f}', '\u{ac00}'..='\u{d7a3}']),
    ("zh", &['\u{3400}'..='\u{4dbf}', '\u{4e00}'..='\u{9fff}', '\u{f900}'..='\u{faff}', '\u{20000}'..='\u{3134f}']),
    (
        "vi",
        &[
            '\u{0102}'..='\u{0103}',
            '\u{0110}'..='\u{0111}',
            '\u{01a0}'..='\u{01a1}',
            '\u{01af}'..='\u{01b0}',
            '\u{1ea0}'..='\u{1ef9}',
        ],
    ),
];

/// The language of some texts, by script: Thai, Japanese, Korean, Chinese, Vietnamese, else English.
///
/// The language that most texts show is taken, when at least a quarter of all show it: a Vietnamese question may have
/// no letter that only Vietnamese has, and an English one may quote a foreign name.
pub fn detect<'a>(texts: impl IntoIterator<Item = &'a str>) -> Lang {
    let mut counts = vec![0usize; LETTERS.len()];
    let mut all = 0usize;
    for text in texts {
        all += 1;
        if text.is_ascii() {
            continue;
        }
        let text = composed(text);
        // The first letter of the first row: nothing below `Ă` gives a language away.
        let row = text.chars().filter(|c| *c >= '\u{0102}').filter_map(row).min();
        if let Some(count) = row.and_then(|r| counts.get_mut(r)) {
            *count += 1;
        }
    }
    // Of equal counts the first row wins, since `max_by_key` takes the last of equals in this reversed order.
    let best = LETTERS.iter().zip(&counts).rev().max_by_key(|(_, n)| **n).filter(|(_, n)| **n > 0 && **n * 4 >= all);
    let tag = best.map_or("en", |((tag, _), _)| tag);
    Lang::new(tag).unwrap_or_else(english)
}

/// Warns of questions that are plainly in another language than the suite is read in: its numbers are read by the usage of
/// that language (`15.000 đồng` is fifteen in English), and so are refusals. `given`: the suite states its language.
pub(super) fn warn_of_others(reader: &Reader<'_>, nodes: &[Node<'_>], language: &Lang, given: bool) {
    let text_of = |node: &Node<'_>| match &node.value {
        Value::Scalar(text, _) => Some(text.to_string()),
        Value::List(_) | Value::Map(_) => None,
    };
    for node in nodes {
        let Some(asked) = node.get("question") else { continue };
        let (Some(text), Some(id)) = (text_of(asked), node.get("id").and_then(text_of)) else { continue };
        let Some(tag) = other(&text, language, given) else { continue };
        let id = crate::suite::node::reader::shown(&id);
        let title = format!(
            "question `{id}` looks {}, and this suite reads numbers and refusals as {}",
            named(tag),
            named(language.as_str())
        );
        let or = if given { "" } else { ", or state the `language` of this one" };
        let help = format!("put it into a suite of its own with `language: {tag}`{or}");
        reader.push(reader.warning("question-language", asked.span, title).help(help));
    }
}

/// The language that a text is plainly in, where that is not the suite's. Names and quoted words do not count: a question
/// may speak of a foreign dish.
fn other(text: &str, language: &Lang, given: bool) -> Option<&'static str> {
    let own = language.as_str();
    // Plain letters tell of no other language, but of English in a suite that was only taken for Vietnamese.
    if text.is_ascii() && (given || own != "vi") {
        return None;
    }
    let text = composed(text);
    let text = unquoted(&text);
    let found = by_script(&text, own).or_else(|| is_vietnamese(&text, own).then_some("vi")).or_else(|| {
        // Where nobody said that the suite is Vietnamese, a quarter of its questions made it so.
        (!given && own == "vi" && is_english(&text)).then_some("en")
    });
    found.filter(|tag| *tag != own)
}

/// The text without what stands between quotation marks.
fn unquoted(text: &str) -> String {
    const MARKS: [(char, char); 6] = [('“', '”'), ('"', '"'), ('«', '»'), ('‘', '’'), ('「', '」'), ('`', '`')];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let behind = rest.get(c.len_utf8()..).unwrap_or_default();
        let close = MARKS.iter().find(|(open, _)| *open == c).map(|(_, close)| *close);
        match close.and_then(|close| behind.split_once(close)) {
            Some((_, after)) => {
                out.push(' ');
                rest = after;
            }
            None => {
                out.push(c);
                rest = behind;
            }
        }
    }
    out
}

/// The language of a script in which most of the letters are written.
fn by_script(text: &str, own: &str) -> Option<&'static str> {
    /// Fewer letters than this are a name.
    const FEWEST: usize = 4;
    /// A sentence of Japanese has so many kana; a Chinese one may have one or two in a name.
    const KANA: usize = 3;
    let mut counts = vec![0usize; LETTERS.len()];
    for r in text.chars().filter_map(row) {
        if let Some(n) = counts.get_mut(r) {
            *n += 1;
        }
    }
    let count = |tag: &str| LETTERS.iter().zip(&counts).find(|((t, _), _)| *t == tag).map_or(0, |(_, n)| *n);
    let all = text.chars().filter(|c| c.is_alphabetic()).count();
    // Han is written by all three, and decides only where none of the letters is another's.
    let most = |n: usize| n >= FEWEST && n * 2 > all;
    if count("ja") >= KANA && most(count("ja") + count("zh")) {
        return Some("ja");
    }
    if most(count("zh")) && count("ja") == 0 {
        return (!matches!(own, "ja" | "ko")).then_some("zh");
    }
    ["th", "ko"].into_iter().find(|tag| most(count(tag)))
}

/// Words of a text, without names: a word with a capital that is not the first.
fn words(text: &str) -> Vec<String> {
    let all = text.split(|c: char| !c.is_alphanumeric()).filter(|w| w.chars().any(char::is_alphabetic));
    let is_name = |i: usize, w: &str| i > 0 && w.starts_with(char::is_uppercase);
    all.enumerate().filter(|(i, w)| !is_name(*i, w)).map(|(_, w)| w.to_lowercase()).collect()
}

/// Whether several words of a text have letters that only Vietnamese has, a third of them are beyond plain Latin letters,
/// and not as many are common words of the suite's own language: `What does phở đặc biệt cost in the evening?` is English.
fn is_vietnamese(text: &str, own: &str) -> bool {
    const FEWEST: usize = 2;
    let words = words(text);
    let marked: Vec<&String> = words.iter().filter(|w| w.chars().any(is_vietnamese_letter)).collect();
    let beyond = words.iter().filter(|w| !w.is_ascii()).count();
    let different = marked.iter().collect::<std::collections::BTreeSet<_>>().len();
    different >= FEWEST && beyond * 3 >= words.len() && common(&words, own) < marked.len()
}

fn is_vietnamese_letter(c: char) -> bool {
    LETTERS.iter().any(|(tag, ranges)| *tag == "vi" && ranges.iter().any(|r| r.contains(&c)))
}

/// Whether a text in plain letters is English: a word that Vietnamese without its marks does not have, and beside it
/// another of these or a common one, together a third of all.
fn is_english(text: &str) -> bool {
    const FEWEST: usize = 2;
    const PLAIN: &[&str] = &[
        "what", "when", "where", "which", "how", "why", "who", "does", "did", "should", "are", "is", "there", "much",
        "many", "goes", "get",
    ];
    let words = words(text);
    let plain = words.iter().filter(|w| PLAIN.contains(&w.as_str())).count();
    let others = words.iter().filter(|w| !PLAIN.contains(&w.as_str())).cloned().collect::<Vec<_>>();
    let all = plain + common(&others, "en");
    text.is_ascii() && plain > 0 && all >= FEWEST && all * 3 >= words.len()
}

/// How many words are among the common ones of a language.
fn common(words: &[String], tag: &str) -> usize {
    Pack::by_code(tag).map_or(0, |pack| words.iter().filter(|w| pack.common.contains(w)).count())
}

/// A language in words, or its tag.
fn named(tag: &str) -> &str {
    const NAMES: &[(&str, &str)] = &[
        ("de", "German"),
        ("en", "English"),
        ("es", "Spanish"),
        ("fr", "French"),
        ("ja", "Japanese"),
        ("ko", "Korean"),
        ("th", "Thai"),
        ("vi", "Vietnamese"),
        ("zh", "Chinese"),
    ];
    NAMES.iter().find(|(t, _)| *t == tag).map_or(tag, |(_, name)| name)
}

/// The row of a letter.
fn row(c: char) -> Option<usize> {
    LETTERS.iter().position(|(_, ranges)| ranges.iter().any(|r| r.contains(&c)))
}

/// English. Every tag of the table is well formed, so this is the one way out that the types ask for.
fn english() -> Lang {
    match Lang::new("en") {
        Some(lang) => lang,
        None => unreachable!("`en` is a language tag"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Lang, other};

    fn seen(text: &str, own: &str, given: bool) -> Option<&'static str> {
        other(text, &Lang::new(own).unwrap(), given)
    }

    #[test]
    fn plain_cases_are_seen() {
        for (text, own, right) in [
            ("Gửi xe máy ở bãi giá bao nhiêu một tháng?", "en", "vi"),
            ("Phí gửi xe một ngày là bao nhiêu?", "en", "vi"),
            ("Vé vào cổng buổi tối bao nhiêu tiền?", "fr", "vi"),
            ("ค่าจอดรถวันละเท่าไร", "en", "th"),
            ("停车一天多少钱？", "en", "zh"),
            ("停车一天多少钱？", "vi", "zh"),
            ("駐車場はいくらですか", "zh", "ja"),
            ("주차 요금은 얼마입니까?", "ja", "ko"),
        ] {
            assert_eq!(seen(text, own, true), Some(right), "{text} in {own}");
            assert_eq!(seen(text, own, false), Some(right), "{text} in {own}");
        }
        assert_eq!(seen("What is the price of a ticket for the evening?", "vi", false), Some("en"));
        assert_eq!(seen("What is the price of a ticket for the evening?", "vi", true), None, "it was said");
    }

    #[test]
    fn names_and_borrowed_words_are_none() {
        for (text, own) in [
            ("Is Nguyễn Văn Trỗi street near Đặng Thùy Trâm?", "en"),
            ("What does bún bò and phở đặc biệt cost in the evening?", "en"),
            ("What does \"một phần phở đặc biệt không hành\" cost?", "en"),
            ("Do you sell 人参?", "en"),
            ("What is the meaning of “恭喜发财” here?", "en"),
            ("Où se trouve le café près de la gare à côté de l’hôtel?", "en"),
            ("東京駅周辺駐車料金", "ja"),
            ("优の良品店在哪里？", "zh"),
            ("iPhone 16 Pro Max 256GB 多少钱", "zh"),
            ("iPhone 16 ราคาเท่าไร", "th"),
            ("Bao nhieu tien mot thang?", "vi"),
            ("Giá vé bao nhiêu?", "vi"),
            ("", "en"),
        ] {
            assert_eq!(seen(text, own, true), None, "{text} in {own}");
            assert_eq!(seen(text, own, false), None, "{text} in {own}");
        }
    }
}

//! The language of a suite that does not name one, by the letters of its questions.

use crate::suite::node::composed;
use crate::text::pack::Lang;
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

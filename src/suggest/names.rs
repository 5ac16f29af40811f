//! Names and terms of a text: words in capitals where a small letter would be usual, and what stands in quotation marks.

use crate::text::common::is_common;
use crate::text::norm::matching;
use crate::text::pack::Lang;
use crate::text::segment::{sentences, words};

/// A longer piece in quotation marks is a quotation, no term.
const LONGEST_TERM: usize = 60;

/// Small words inside names (`Bank of America`, `Vasco da Gama`).
const INNER: [&str; 14] = ["of", "the", "and", "de", "da", "di", "du", "la", "le", "van", "von", "der", "den", "&"];

/// Pairs of quotation marks.
const MARKS: [(char, char); 7] =
    [('“', '”'), ('"', '"'), ('«', '»'), ('「', '」'), ('『', '』'), ('《', '》'), ('‘', '’')];

/// The names and terms, quoted ones first, each once.
pub(super) fn of(text: &str, lang: &Lang) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in quoted(text).into_iter().chain(capitals(text, lang)) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

fn quoted(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for (open, close) in MARKS {
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once(open) {
            let Some((term, after)) = behind.split_once(close) else { break };
            let term = term.trim();
            let size = term.chars().count();
            if (2..=LONGEST_TERM).contains(&size) && !term.contains('\n') {
                terms.push(term.to_owned());
            }
            rest = after;
        }
    }
    terms
}

/// Runs of words with a capital in front, with small words between them.
fn capitals(text: &str, lang: &Lang) -> Vec<String> {
    let mut names = Vec::new();
    for sentence in sentences(text, lang) {
        let Some(sentence) = text.get(sentence) else { continue };
        let words = words(sentence, lang);
        let word = |at: usize| words.get(at).and_then(|r| sentence.get(r.clone())).unwrap_or_default();
        let mut at = 0;
        while at < words.len() {
            if !is_capital(word(at)) {
                at += 1;
                continue;
            }
            let mut end = at;
            let mut next = at + 1;
            while next < words.len() && joined(sentence, &words, next) {
                if is_capital(word(next)) {
                    end = next;
                } else if !INNER.contains(&word(next)) {
                    break;
                }
                next += 1;
            }
            // The first word of a sentence has its capital from there; with another one behind it, it may be part of a
            // name, unless it is a word that begins many sentences.
            let first = if at == 0 && (end == 0 || is_small_word(word(0), lang)) { 1 } else { at };
            let range = words.get(first).zip(words.get(end)).map(|(a, b)| a.start..b.end);
            if let Some(name) = range.filter(|_| first <= end).and_then(|r| sentence.get(r))
                && !(first == end && is_small_word(name, lang))
                && is_capital(word(first))
            {
                names.push(name.to_owned());
            }
            at = end + 1;
        }
    }
    names
}

/// Whether nothing but a blank, a hyphen or the full stop of an initial stands between a word and the one before.
fn joined(sentence: &str, words: &[std::ops::Range<usize>], at: usize) -> bool {
    let (Some(before), Some(word)) = (at.checked_sub(1).and_then(|b| words.get(b)), words.get(at)) else {
        return false;
    };
    let gap = sentence.get(before.end..word.start).unwrap_or("?");
    let initial = before.len() <= 2;
    matches!(gap, " " | "-" | "’" | "'" | "\u{a0}" | " & ") || (initial && gap == ". ")
}

fn is_capital(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && (word.chars().count() > 1 || word != "I")
}

fn is_small_word(word: &str, lang: &Lang) -> bool {
    is_common(matching(word).trim(), lang.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lang: &str, text: &str) -> Vec<String> {
        of(text, &Lang::new(lang).unwrap())
    }

    #[test]
    fn names_begin_with_capitals() {
        assert_eq!(found("en", "It was Nikola Bašić of the Bank of America."), ["Nikola Bašić of the Bank of America"]);
        assert_eq!(found("en", "The answer is Zadar, then J. R. Smith."), ["Zadar", "J. R. Smith"]);
        assert_eq!(found("vi", "Khách hàng của Thềm Nắng ở Huế."), ["Thềm Nắng", "Huế"]);
        assert_eq!(found("vi", "Quý khách gọi tổng đài."), Vec::<String>::new());
        assert_eq!(found("en", "Paris is large."), Vec::<String>::new());
    }

    #[test]
    fn terms_stand_in_quotation_marks() {
        assert_eq!(found("zh", "请看《退货政策》和「会员」。"), ["会员", "退货政策"]);
        assert_eq!(found("en", "say \"stop it\" or “go”, not “x”"), ["go", "stop it"]);
        assert_eq!(found("en", "an \"open one"), Vec::<String>::new());
    }
}

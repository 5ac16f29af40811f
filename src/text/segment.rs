//! Sentences and words.
//!
//! A sentence ends at `. ! ? ;` before a blank, at `。！？；…` and at a line end; not inside a number, not behind a short word
//! for one (`no. 45`), not behind a single letter (`N. Văn A`) and not behind the number of a list item. Where a script has
//! no such marks, the language pack says at which words one ends. Words follow Unicode Standard Annex #29; Thai, Chinese and other scripts without blanks
//! are cut by the dictionary of the ICU.

use super::norm::chars::{is_blank, is_unspaced, is_word};
use super::norm::composed;
use super::pack::{Lang, Pack, SentenceData};
use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// The sentences of a text, as byte ranges in order, without the blanks around them.
pub fn sentences(text: &str, lang: &Lang) -> Vec<Range<usize>> {
    sentences_in(text, Pack::of(lang))
}

/// The sentences of a text whose language pack is at hand.
pub fn sentences_in(text: &str, pack: Option<&Pack>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let extra =
        pack.map(|p| &p.sentence).filter(|s| s.double_blank || !s.cut_after.is_empty() || !s.cut_before.is_empty());
    let mut push = |range: Range<usize>| match extra {
        None => push_trimmed(&mut out, text, range),
        Some(data) => cut_further(&mut out, text, range, data),
    };
    let bytes = text.as_bytes();
    let mut start = 0;
    // The first byte of the sentence that is not a blank.
    let mut first = 0;
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        // Most bytes end nothing: letters and digits, and blanks within a sentence.
        if ends_nothing(b) || (b == b' ' && first < at) {
            let rest = bytes.get(at + 1..).unwrap_or_default();
            let more = rest.iter().position(|b| !ends_nothing(*b) && *b != b' ').unwrap_or(rest.len());
            at += 1 + more;
            continue;
        }
        let (end, stops) = match b {
            b'\n' => (at + 1, true),
            b' ' if first == at => {
                first += 1;
                (at + 1, false)
            }
            b'.' if is_inner_stop(text, first, at) => (at + 1, false),
            b'.' | b'!' | b'?' | b';' => mark(text, at + 1),
            // The first bytes of `。 ！ ？ ； … ؟ । ॥`, and of much else.
            0xE2 | 0xE3 | 0xEF | 0xD8 | 0xE0 => wide_stop(text, at).map_or((at + 1, false), |end| (end, true)),
            _ => (at + 1, false),
        };
        if stops {
            push(start..end);
            start = end;
            first = end;
        }
        at = end;
    }
    push(start..text.len());
    out
}

/// Whether a byte is an ASCII letter or digit, by a table: nearly every byte of a text is asked about.
fn ends_nothing(b: u8) -> bool {
    const TABLE: [bool; 256] = {
        let mut table = [false; 256];
        let mut i = 0;
        while i < 128 {
            table[i] = (i as u8).is_ascii_alphanumeric();
            i += 1;
        }
        table
    };
    TABLE.get(usize::from(b)).is_some_and(|plain| *plain)
}

/// The end of the marks and closing quotes from `at` on, and whether a blank follows them, which ends the sentence.
fn mark(text: &str, at: usize) -> (usize, bool) {
    let tail = text.get(at..).unwrap_or_default();
    let closing = tail
        .find(|c: char| {
            !matches!(c, '.' | '!' | '?' | ';' | '"' | '\'' | ')' | ']' | '\u{201D}' | '\u{2019}' | '»' | '*' | '_')
        })
        .unwrap_or(tail.len());
    let next = tail.get(closing..).and_then(|t| t.chars().next());
    (at + closing, next.is_none_or(is_blank))
}

/// Whether the full stop at `at` belongs to the token in front of it: a single letter, or the number of a list item, which
/// opens a sentence (`first`).
fn is_inner_stop(text: &str, first: usize, at: usize) -> bool {
    let Some(before) = text.get(first..at) else { return false };
    // A letter and its marks are one letter, as typed or composed.
    const NEAR: usize = 8;
    let near = before.char_indices().rev().nth(NEAR).and_then(|(i, _)| before.get(i..)).unwrap_or(before);
    let near = if near.is_ascii() { Cow::Borrowed(near) } else { composed(near) };
    let mut back = near.chars().rev();
    let Some(last) = back.next() else { return false };
    // พ.ศ. 2569, 15 กก.: Thai writes full stops behind abbreviations only, which are short.
    if matches!(last, '\u{e01}'..='\u{e4e}') {
        const LONGEST_ABBREVIATION: usize = 6;
        let letters = before.chars().rev().take_while(|c| !is_blank(*c)).take(LONGEST_ABBREVIATION + 1).count();
        return letters <= LONGEST_ABBREVIATION;
    }
    if last.is_alphabetic() && !is_unspaced(last) {
        if counts(before, text.get(at + 1..).unwrap_or_default()) {
            return true;
        }
        return back.next().is_none_or(|c| !is_word(c));
    }
    before.len() < 4 && before.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a full stop stands between a short word for a number and that number (`contract no. 45`). The word does not open
/// its sentence: `No. 5 days are needed.` is two.
fn counts(before: &str, after: &str) -> bool {
    const WORDS: [&str; 12] = ["no", "nos", "nr", "art", "sec", "fig", "approx", "ca", "para", "vol", "ext", "tr"];
    let number = after.strip_prefix(' ').and_then(|t| t.chars().next()).is_some_and(|c| c.is_ascii_digit());
    let split = || before.trim_end_matches('.').rsplit_once([' ', '(']);
    number
        && split().is_some_and(|(front, word)| {
            // A comma or colon in front of it makes a `no` an answer: `Is it? Well, no. 5 are.`
            !front.ends_with([',', ';', ':']) && WORDS.iter().any(|w| word.eq_ignore_ascii_case(w))
        })
}

/// Where a sentence ends at a mark that needs no blank behind it.
fn wide_stop(text: &str, at: usize) -> Option<usize> {
    let tail = text.get(at..)?;
    let is_stop = |c: char| matches!(c, '。' | '！' | '？' | '；' | '…' | '؟' | '।' | '॥' | '．' | '｡');
    if !tail.chars().next().is_some_and(is_stop) {
        return None;
    }
    let more = |c: char| is_stop(c) || matches!(c, '”' | '’' | '」' | '』' | '）' | '》' | '"' | '.' | '!' | '?');
    Some(at + tail.find(|c| !more(c)).unwrap_or(tail.len()))
}

/// Cuts at the words and blanks at which the language ends a sentence.
fn cut_further(out: &mut Vec<Range<usize>>, text: &str, range: Range<usize>, data: &SentenceData) {
    let Some(piece) = text.get(range.clone()) else { return };
    let mut start = 0;
    let mut at = 0;
    while let Some(tail) = piece.get(at..) {
        let Some(c) = tail.chars().next() else { break };
        let after = data.cut_after.iter().find(|w| tail.starts_with(w.as_str()));
        if let Some(word) = after {
            // Stops and particles behind the word go with it.
            at += word.len();
            let cut = piece.get(at..).and_then(|t| t.chars().next()).is_none_or(|n| !is_word(n) || is_unspaced(n));
            if cut {
                push_trimmed(out, text, range.start + start..range.start + at);
                start = at;
            }
            continue;
        }
        let before = at > start && data.cut_before.iter().any(|w| tail.starts_with(w.as_str()));
        let blanks = data.double_blank && is_blank(c) && tail.chars().nth(1).is_some_and(is_blank);
        if before || blanks {
            push_trimmed(out, text, range.start + start..range.start + at);
            start = at;
        }
        at += c.len_utf8();
    }
    push_trimmed(out, text, range.start + start..range.end);
}

fn push_trimmed(out: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let Some(piece) = text.get(range.clone()) else { return };
    let front = piece.len() - piece.trim_start_matches(is_blank).len();
    let len = piece.trim_matches(is_blank).len();
    if piece.chars().any(is_word) {
        out.push(range.start + front..range.start + front + len);
    }
}

/// The words of a text, as byte ranges in order: runs of letters and digits, without blanks and punctuation. Case is left
/// as it is. Cheap to call from many threads.
pub fn words(text: &str, _lang: &Lang) -> Vec<Range<usize>> {
    words_of(text)
}

/// The same; what the language adds is in the text's own letters.
pub fn words_of(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::with_capacity(text.len() / 6);
    let mut from = 0;
    let bytes = text.as_bytes();
    // A line is cut at a time: the rules never join across a line end, and ASCII lines need no tables.
    while from < text.len() {
        let end = memchr::memchr(b'\n', bytes.get(from..).unwrap_or_default()).map_or(text.len(), |i| from + i + 1);
        let Some(line) = text.get(from..end) else { break };
        if line.is_ascii() {
            ascii_words(line, from, &mut out);
        } else {
            let segmenter = if line.chars().any(is_unspaced) { with_dictionary() } else { plain_rules() };
            let mut start = 0;
            for (end, kind) in segmenter.segment_str(line).iter_with_word_type() {
                if kind.is_word_like() && line.get(start..end).is_some_and(|w| w.contains(char::is_alphanumeric)) {
                    out.push(from + start..from + end);
                }
                start = end;
            }
        }
        from = end;
    }
    out
}

fn with_dictionary() -> WordSegmenterBorrowed<'static> {
    static SEGMENTER: OnceLock<WordSegmenterBorrowed<'static>> = OnceLock::new();
    *SEGMENTER.get_or_init(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()))
}

fn plain_rules() -> WordSegmenterBorrowed<'static> {
    static SEGMENTER: OnceLock<WordSegmenterBorrowed<'static>> = OnceLock::new();
    *SEGMENTER.get_or_init(|| WordSegmenter::new_for_non_complex_scripts(WordBreakInvariantOptions::default()))
}

/// The rules of Unicode Standard Annex #29 for ASCII: letters, digits and `_` join; `' . :` join letters, `' . , ;` digits.
fn ascii_words(line: &str, base: usize, out: &mut Vec<Range<usize>>) {
    let bytes = line.as_bytes();
    let kind = |i: usize| bytes.get(i).copied().unwrap_or(b' ');
    let mut at = 0;
    while at < bytes.len() {
        let joins = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        if !joins(kind(at)) {
            at += 1;
            continue;
        }
        let start = at;
        let mut word_like = false;
        loop {
            let b = kind(at);
            if joins(b) {
                word_like |= b != b'_';
                at += 1;
                continue;
            }
            let (before, after) = (kind(at - 1), kind(at + 1));
            let letters =
                before.is_ascii_alphabetic() && after.is_ascii_alphabetic() && matches!(b, b'\'' | b'.' | b':');
            let digits = before.is_ascii_digit() && after.is_ascii_digit() && matches!(b, b'\'' | b'.' | b',' | b';');
            if !letters && !digits {
                break;
            }
            at += 1;
        }
        if word_like {
            out.push(base + start..base + at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `no.` in front of a number is a short word, as an answer it is a sentence.
    #[test]
    fn a_short_word_for_a_number_ends_nothing() {
        let en = Lang::new("en").unwrap();
        for (text, count) in [
            ("See contract no. 45 of May.", 1),
            ("It stands in Art. 5 (sec. 3).", 1),
            ("No. 5 days are needed.", 2),
            ("Well, no. 5 days are needed.", 2),
            ("The answer is no. Ask us.", 2),
            ("Take a piano. 5 of us will carry it.", 2),
        ] {
            assert_eq!(sentences(text, &en).len(), count, "{text}");
        }
    }

    /// A letter and its mark are one letter, composed or not.
    #[test]
    fn a_single_letter_ends_nothing_however_it_is_spelled() {
        let vi = Lang::new("vi").unwrap();
        for text in ["Hỏi Ô. Nam nhé.", "Hỏi O\u{302}. Nam nhé."] {
            assert_eq!(sentences(text, &vi).len(), 1, "{text}");
        }
    }

    fn by_tables(text: &str) -> Vec<Range<usize>> {
        let mut out = Vec::new();
        let mut start = 0;
        for (end, kind) in plain_rules().segment_str(text).iter_with_word_type() {
            // A lone `_` is a word of the standard, and of no use here.
            let word = text.get(start..end).unwrap_or_default();
            if kind.is_word_like() && word.contains(char::is_alphanumeric) {
                out.push(start..end);
            }
            start = end;
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1000, ..ProptestConfig::default() })]

        #[test]
        fn the_short_way_for_ascii_is_the_standard(text in "[ -~]{0,40}", dense in "[a1_'.,:; ]{0,30}") {
            for t in [text, dense] {
                let mut short = Vec::new();
                ascii_words(&t, 0, &mut short);
                prop_assert_eq!(short, by_tables(&t), "{}", t);
            }
        }
    }
}

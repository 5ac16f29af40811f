//! The parts of an answer: sentences, cut again at words of contrast.

use crate::text::norm::chars::{is_unspaced, is_word, lower};
use crate::text::norm::plain;
use crate::text::pack::Pack;
use crate::text::segment::sentences_in;
use std::borrow::Cow;
use std::ops::Range;

/// The form in which patterns are tried: reading form, lower case, without the marks of Markdown.
pub(super) fn lowered(text: &str) -> String {
    let text = plain(text);
    let text = if text.bytes().any(is_markdown) { Cow::Owned(without_markdown(&text)) } else { text };
    if text.is_ascii() {
        let mut text = text.into_owned();
        text.make_ascii_lowercase();
        return text;
    }
    // One character for one: offsets of a match stay on the borders of characters either way, and no letter of the
    // languages with packs has a longer lower case.
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match lower(narrow(c)) {
            Some(l) => out.push(l),
            None => out.extend(narrow(c).to_lowercase()),
        }
    }
    if out.contains(['\u{e4d}', '\u{e40}']) { thai(&out) } else { out }
}

/// Full-width letters, digits and apostrophes as ASCII; full-width punctuation stays, since it ends sentences.
fn narrow(c: char) -> char {
    match c {
        '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' | '\u{ff07}' => {
            char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c)
        }
        c => c,
    }
}

/// One spelling for what Thai keyboards write in several: two SARA E for one AE, NIKHAHIT and AA for AM, also around a tone.
fn thai(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let is_tone = |c: &char| matches!(c, '\u{e48}'..='\u{e4b}');
    while let Some(c) = chars.next() {
        match c {
            '\u{e40}' if chars.next_if_eq(&'\u{e40}').is_some() => out.push('\u{e41}'),
            '\u{e4d}' => {
                let tone = chars.next_if(is_tone);
                out.extend(tone);
                out.push(if chars.next_if_eq(&'\u{e32}').is_some() { '\u{e33}' } else { c });
            }
            c if is_tone(&c) && chars.peek() == Some(&'\u{e4d}') => {
                out.push(c);
                chars.next();
                out.push(if chars.next_if_eq(&'\u{e32}').is_some() { '\u{e33}' } else { '\u{e4d}' });
            }
            c => out.push(c),
        }
    }
    out
}

/// The answer as it was typed in the form of the lowered text; nothing where their bytes do not lie alike, as where a letter
/// has a longer lower case.
pub(super) fn typed<'a>(answer: &'a str, lowered: &str) -> Option<Cow<'a, str>> {
    let text = plain(answer);
    let text = if text.bytes().any(is_markdown) { Cow::Owned(without_markdown(&text)) } else { text };
    (text.len() == lowered.len()).then_some(text)
}

fn is_markdown(b: u8) -> bool {
    matches!(b, b'*' | b'`' | b'#' | b'_' | b'>')
}

fn without_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = '\n';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let in_word = |c: &char| c.is_alphanumeric();
        let mark = match c {
            '*' | '`' => true,
            '_' => !(in_word(&before) && chars.peek().is_some_and(in_word)),
            '#' | '>' => before == '\n',
            _ => false,
        };
        // After a mark at the start of a line the line still starts.
        if mark {
            continue;
        }
        if c == ' ' && before == '\n' {
            continue;
        }
        out.push(c);
        before = c;
    }
    out
}

/// The parts of a lowered text, as pieces of it, blanks and opening punctuation trimmed.
pub(super) fn parts<'t>(text: &'t str, packs: &[&Pack]) -> Vec<&'t str> {
    let mut out = Vec::new();
    for range in sentences_in(text, packs.first().copied()) {
        let Some(sentence) = text.get(range) else { continue };
        let mut cuts: Vec<_> = packs
            .iter()
            .flat_map(|p| p.refusal.contrasts(sentence))
            .filter(|cut| {
                let before = sentence.get(..cut.start).and_then(|t| t.chars().next_back());
                let after = sentence.get(cut.end..).and_then(|t| t.chars().next());
                let open = |c: Option<char>| c.is_none_or(|c| !is_word(c) || is_unspaced(c));
                open(before) && open(after)
            })
            .collect();
        cuts.sort_by_key(|c| c.start);
        let mut start = 0;
        for cut in cuts {
            if cut.start >= start {
                push(&mut out, sentence.get(start..cut.start));
                start = cut.end;
            }
        }
        push(&mut out, sentence.get(start..));
    }
    out
}

fn push<'t>(out: &mut Vec<&'t str>, piece: Option<&'t str>) {
    let trimmed = piece
        .unwrap_or_default()
        .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '，' | '、' | '：'))
        .trim_end();
    if trimmed.chars().any(is_word) {
        out.push(trimmed);
    }
}

/// The clauses of a part, cut at commas that are not inside a number.
pub(super) fn clauses(part: &str) -> Vec<Range<usize>> {
    let bytes = part.as_bytes();
    let digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    let mut out = Vec::new();
    let mut start = 0;
    for (i, c) in part.char_indices().filter(|(_, c)| matches!(c, ',' | '，' | '、')) {
        if c == ',' && digit(i.checked_sub(1)) && digit(Some(i + 1)) {
            continue;
        }
        out.push(start..i);
        start = i + c.len_utf8();
    }
    out.push(start..part.len());
    out
}

/// Whether words are written as those of a title are: at least three of them, each long one with a capital. A text in
/// capitals throughout has no titles.
pub(super) fn is_title(words: &str, whole: &str) -> bool {
    /// Words up to this length are often small in titles.
    const SHORT: usize = 3;
    let mut capitals = 0;
    for word in words.split_whitespace() {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        if !capital && word.chars().count() > SHORT {
            return false;
        }
        capitals += usize::from(capital);
    }
    capitals >= 3 && whole.chars().any(char::is_lowercase)
}

/// The quoted pieces of a part, as byte ranges without the marks.
pub(super) fn quoted(part: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut open: Option<(char, usize)> = None;
    for (i, c) in part.char_indices() {
        match (open, c) {
            (Some((close, start)), _) if c == close => {
                out.push(start..i);
                open = None;
            }
            (Some(_), _) => {}
            (None, '"') => open = Some(('"', i + 1)),
            (None, '«') => open = Some(('»', i + c.len_utf8())),
            (None, '「') => open = Some(('」', i + c.len_utf8())),
            (None, '『') => open = Some(('』', i + c.len_utf8())),
            (None, '《') => open = Some(('》', i + c.len_utf8())),
            (None, _) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_answers() {
        let packs: Vec<&Pack> = ["vi", "en"].iter().filter_map(|c| Pack::by_code(c)).collect();
        let text =
            lowered("**Thời hạn** là 7 ngày, nhưng tài liệu không nêu phí. However, _ask_ us!\n# Button is not but");
        assert_eq!(
            parts(&text, &packs),
            ["thời hạn là 7 ngày,", "tài liệu không nêu phí.", "ask us!", "button is not"]
        );
        let zh: Vec<&Pack> = Pack::by_code("zh").into_iter().collect();
        assert_eq!(parts("文档没有提到费用，但退货期限为7天。", &zh), ["文档没有提到费用，", "退货期限为7天。"]);
    }

    #[test]
    fn one_spelling() {
        assert_eq!(lowered("Ｉ ＤＯＮ＇Ｔ"), "i don't");
        assert_eq!(lowered("เเละ น\u{e4d}\u{e49}\u{e32} น\u{e49}\u{e4d}\u{e32} ท\u{e4d}\u{e32}"), "และ น้ำ น้ำ ทำ");
    }

    #[test]
    fn titles() {
        let song = "I Can't Tell You Why was released in 1980.";
        assert!(is_title("I Can't Tell You", song) && !is_title("I can't tell you", song));
        assert!(!is_title("I CAN'T TELL YOU", "I CAN'T TELL YOU WHY."));
    }

    #[test]
    fn quotes() {
        assert_eq!(quoted("a \"bc\" «d» \"e"), [3..5, 9..10]);
    }
}

//! The parts of an answer: sentences, cut again at words of contrast.

use crate::text::norm::chars::{is_unspaced, is_word, lower};
use crate::text::norm::plain;
use crate::text::pack::Pack;
use crate::text::segment::sentences_in;
use std::borrow::Cow;

/// The form in which patterns are tried: reading form, lower case, without the marks of Markdown.
pub(super) fn lowered(text: &str) -> String {
    let text = plain(text);
    let text = if text.bytes().any(|b| matches!(b, b'*' | b'`' | b'#' | b'_' | b'>')) {
        Cow::Owned(without_markdown(&text))
    } else {
        text
    };
    if text.is_ascii() {
        let mut text = text.into_owned();
        text.make_ascii_lowercase();
        return text;
    }
    // One character for one: offsets of a match stay on the borders of characters either way, and no letter of the
    // languages with packs has a longer lower case.
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match lower(c) {
            Some(l) => out.push(l),
            None => out.extend(c.to_lowercase()),
        }
    }
    out
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

/// The quoted pieces of a part, as byte ranges without the marks.
pub(super) fn quoted(part: &str) -> Vec<std::ops::Range<usize>> {
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
    fn quotes() {
        assert_eq!(quoted("a \"bc\" «d» \"e"), [3..5, 9..10]);
    }
}

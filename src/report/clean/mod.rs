//! Cleaners: one per output language, because an answer is hostile text.
//!
//! An answer can hold terminal escapes, controls that turn the reading direction, pipes, HTML, `]]>`, mentions. Each
//! report passes every text that it did not write itself through the cleaner of its language, and through no other.
//! What was there stays visible: a control character is shown as its picture (`␛`) or as an escape (`\u{202e}`), never
//! dropped in silence. A text that needs no cleaning is returned as it is.

mod engine;
mod html;

pub use engine::{log, sarif, workflow, workflow_property};
pub use html::{html, json_in_html};

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;

/// How a line break inside a text is shown where the output has one line for it.
pub const BREAK: char = '↵';

/// The picture of a control character: `␀` … `␟`, `␡`.
fn picture(c: char) -> Option<char> {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)),
        '\x7f' => Some('\u{2421}'),
        _ => None,
    }
}

/// True for characters that no output may hold as they are: they hide text, turn it around, or are not characters.
fn treacherous(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}'                                  // C1 controls: one of them starts terminal sequences
        | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}'
        | '\u{61c}' | '\u{180e}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'  // direction, invisible operators
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{e0000}'..='\u{e007f}')                         // tags: a whole text can hide in them
        || (u32::from(c) & 0xfffe) == 0xfffe
}

/// True for characters that a reader does not see, and that therefore are shown as escapes where words are compared.
pub fn invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}') || treacherous(c)
}

/// True for line ends.
fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Pushes a character that is not a line end in a form that every output can hold.
fn push_safe(out: &mut String, c: char) {
    if c == '\t' {
        out.push(' ');
    } else if let Some(p) = picture(c) {
        out.push(p);
    } else if treacherous(c) {
        push_escape(out, c);
    } else {
        out.push(c);
    }
}

/// Pushes `\u{202e}`.
fn push_escape(out: &mut String, c: char) {
    let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
}

/// Runs of marks without width longer than this are cut: a thousand marks on one letter fill a screen.
const MARKS: usize = 8;

/// What happens to a line break.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breaks {
    /// It stays, as `\n`.
    Keep,
    /// It becomes ` ↵ `.
    Show,
}

/// The part that all cleaners share; `special` takes the characters that mean something in one output language and
/// returns true when it has written them.
fn clean(text: &str, breaks: Breaks, mut special: impl FnMut(&mut String, char) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    let mut marks = 0_usize;
    while let Some(c) = chars.next() {
        if ends_line(c) {
            if c == '\r' && chars.peek() == Some(&'\n') {
                continue;
            }
            match breaks {
                Breaks::Keep => out.push('\n'),
                Breaks::Show => {
                    if !out.is_empty() && !out.ends_with(' ') {
                        out.push(' ');
                    }
                    out.push(BREAK);
                    out.push(' ');
                }
            }
            marks = 0;
            continue;
        }
        let mark = !c.is_ascii() && unicode_width::UnicodeWidthChar::width(c) == Some(0) && !treacherous(c);
        marks = if mark { marks + 1 } else { 0 };
        if marks > MARKS {
            if marks == MARKS + 1 {
                out.push('…');
            }
            continue;
        }
        if !special(&mut out, c) {
            push_safe(&mut out, c);
        }
    }
    out
}

/// True when a text holds nothing but characters that are harmless in every output.
fn harmless(text: &str, breaks: Breaks, meaning: &[char]) -> bool {
    text.chars().all(|c| {
        c == ' '
            || c.is_ascii_alphanumeric()
            || (breaks == Breaks::Keep && c == '\n')
            || !(c.is_control()
                || ends_line(c)
                || treacherous(c)
                || meaning.contains(&c)
                || (!c.is_ascii() && unicode_width::UnicodeWidthChar::width(c) == Some(0)))
    })
}

/// A text for one line of a terminal: no escape sequence, no control, no change of direction, nothing that the engine
/// which reads the log takes for a command; a line break shows as `↵`.
pub fn terminal(text: &str) -> Cow<'_, str> {
    engine::inert(one_line(text))
}

fn one_line(text: &str) -> Cow<'_, str> {
    if harmless(text, Breaks::Show, &[]) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(clean(text, Breaks::Show, |_, _| false))
}

/// As [`terminal`], with every character that a reader cannot see as an escape (`\u{200b}`): for words that differ.
pub fn compared(text: &str) -> Cow<'_, str> {
    if harmless(text, Breaks::Show, &['\u{200b}', '\u{200c}', '\u{200d}']) {
        return engine::inert(Cow::Borrowed(text));
    }
    engine::inert(Cow::Owned(clean(text, Breaks::Show, |out, c| {
        let hidden = invisible(c);
        if hidden {
            push_escape(out, c);
        }
        hidden
    })))
}

/// A text for XML, in an attribute or between tags, with its line breaks. Angle brackets and quotes are left to the
/// writer of the XML, which escapes them; what no escape can hold in XML 1.0 (controls, U+FFFE, U+FFFF) is made visible
/// here.
pub fn xml(text: &str) -> Cow<'_, str> {
    if harmless(text, Breaks::Keep, &[]) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(clean(text, Breaks::Keep, |_, _| false))
}

/// As [`xml`], on one line: for attributes.
pub fn xml_line(text: &str) -> Cow<'_, str> {
    one_line(text)
}

/// The characters that Markdown reads, or that the web page around it reads.
const MARKDOWN: [char; 14] = ['&', '<', '>', '`', '*', '_', '~', '[', ']', '\\', '|', '#', '@', '$'];

/// A text inside a line of Markdown: shown as it is, whatever it holds. Punctuation is written as entities, which no
/// Markdown parser reads as structure; mentions, issue links and addresses, which are looked for *after* the entities,
/// are broken by a character without width.
pub fn markdown(text: &str) -> Cow<'_, str> {
    let plain = harmless(text, Breaks::Show, &MARKDOWN)
        && !text.to_ascii_lowercase().contains("www.")
        && !text.contains("://")
        && !text.to_ascii_lowercase().contains("gh-")
        && !text.starts_with([' ', '-', '+', '=', '#', '>'])
        && !text.starts_with(|c: char| c.is_ascii_digit());
    if plain {
        return Cow::Borrowed(text);
    }
    let text = text.trim_start();
    let markers = markers(text);
    let mut brackets = 0;
    let mut before = ['\0'; 3];
    let mut at_start = true;
    let cleaned = clean(text, Breaks::Show, |out, c| {
        let bracket = brackets;
        brackets += usize::from(matches!(c, '[' | ']'));
        let word_before = before;
        before = [before[1], before[2], c];
        let starts = at_start;
        at_start = starts && c.is_ascii_digit();
        match c {
            '@' | '#' => {
                let _ = write!(out, "&#{};&#8203;", u32::from(c));
            }
            '/' if matches!(word_before, [_, _, ':']) => out.push_str("&#8203;/"),
            '.' if word_before.iter().all(|w| matches!(w, 'w' | 'W')) => out.push_str("&#8203;."),
            '-' if matches!(word_before, [_, 'G' | 'g', 'H' | 'h']) => out.push_str("&#45;&#8203;"),
            '-' | '+' | '=' | '.' if starts => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            _ if treacherous(c) => {
                let _ = write!(out, "&#92;u{{{:x}}}", u32::from(c));
            }
            '[' | ']' if markers.contains(&bracket) => return false,
            _ if MARKDOWN.contains(&c) => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            _ => return false,
        }
        true
    });
    Cow::Owned(cleaned)
}

/// Which brackets of a text, counted from 0, are those of a citation marker (`[1]`). No link can be made of such a one: nothing in
/// our output defines a reference, and one that an address or a definition could follow is no marker.
fn markers(text: &str) -> HashSet<usize> {
    let mut out = HashSet::new();
    for (n, (open, bracket)) in text.match_indices(['[', ']']).enumerate() {
        if bracket == "]" {
            continue;
        }
        let Some((digits, behind)) = text.get(open + 1..).and_then(|t| t.split_once(']')) else { break };
        let number = (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        let front = text.get(..open).and_then(|t| t.chars().next_back());
        let bound = behind.starts_with(['(', ':', '{']) || matches!(front, Some('!' | '^' | '\\' | '['));
        if number && !bound {
            out.extend([n, n + 1]);
        }
    }
    out
}

/// A text for one cell of a Markdown table: as [`markdown`], never empty, so that a row keeps its columns.
pub fn markdown_cell(text: &str) -> Cow<'_, str> {
    let cleaned = markdown(text);
    if cleaned.trim().is_empty() { Cow::Borrowed("&nbsp;") } else { cleaned }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Text as an attacker would write it: pieces that mean something somewhere, and any character.
    pub(super) fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("\u{1b}[31m".to_owned()),
            Just("\u{9b}2J".to_owned()),
            Just("\u{202e}".to_owned()),
            Just("]]>".to_owned()),
            Just("::error file=a,line=1::x%0Ay".to_owned()),
            Just("##[group]".to_owned()),
            Just("<script>alert(1)</script>".to_owned()),
            Just("```\n~~~".to_owned()),
            Just("\0".to_owned()),
            Just("\u{fffe}\u{ffff}".to_owned()),
            Just("| a | `b` |\r\n".to_owned()),
            Just("<details>&lt;".to_owned()),
            Just("@ops-team closes #12 www.a.b https://x".to_owned()),
            Just("\\|".to_owned()),
            Just("[1]".to_owned()),
            Just("(x)".to_owned()),
            Just(":".to_owned()),
            Just("น้ำ".to_owned()),
            Just("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}".to_owned()),
            any::<char>().prop_map(String::from),
            any::<String>(),
        ];
        proptest::collection::vec(piece, 0..12).prop_map(|p| p.concat())
    }

    proptest! {
        #[test]
        fn nothing_that_steers_a_terminal_is_left(text in hostile()) {
            for cleaned in [terminal(&text), compared(&text), xml_line(&text)] {
                prop_assert!(!cleaned.chars().any(|c| c.is_control() || treacherous(c) || ends_line(c)), "{cleaned:?}");
            }
        }

        #[test]
        fn nothing_that_xml_cannot_hold_is_left(text in hostile()) {
            let cleaned = xml(&text);
            prop_assert!(!cleaned.chars().any(|c| (c.is_control() && c != '\n') || treacherous(c)));
        }

        #[test]
        fn nothing_that_markdown_reads_is_left(text in hostile()) {
            let cleaned = markdown_cell(&text);
            prop_assert!(!cleaned.is_empty());
            // `&`, `#` and `;` stand only in our own entities.
            let mut rest = cleaned.replace("&nbsp;", "");
            // A citation marker stays readable, and nothing can follow it that makes a link.
            for n in 0..=999 {
                for marker in [format!("[{n}]"), format!("[{n:02}]"), format!("[{n:03}]")] {
                    let link = [format!("{marker}("), format!("{marker}:")].iter().any(|l| rest.contains(l.as_str()));
                    prop_assert!(!link, "{}", cleaned);
                    rest = rest.replace(&marker, "");
                }
            }
            let mut outside = String::new();
            let mut parts = rest.split("&#");
            outside.push_str(parts.next().unwrap_or_default());
            for part in parts {
                let (number, after) = part.split_once(';').expect("an entity ends");
                prop_assert!(number.bytes().all(|b| b.is_ascii_digit()));
                outside.push_str(after);
            }
            prop_assert!(!outside.contains(MARKDOWN), "{cleaned:?}");
            prop_assert!(!cleaned.to_lowercase().contains("www.") && !cleaned.contains("://"));
        }

        #[test]
        fn cleaning_is_done_once(text in hostile()) {
            let once = terminal(&text).into_owned();
            prop_assert_eq!(terminal(&once).into_owned(), once.clone());
            let once = xml(&text).into_owned();
            prop_assert_eq!(xml(&once).into_owned(), once.clone());
        }
    }

    #[test]
    fn what_was_there_stays_visible() {
        assert_eq!(terminal("\u{1b}[31mred\u{1b}[0m"), "␛[31mred␛[0m");
        assert_eq!(terminal("abc\u{202e}cba"), "abc\\u{202e}cba");
        assert_eq!(terminal("một\r\nhai\nba"), "một ↵ hai ↵ ba");
        assert_eq!(compared("7\u{200b} ngày"), "7\\u{200b} ngày");
        assert_eq!(terminal("คืนได้\u{200b}ภายใน"), "คืนได้\u{200b}ภายใน");
        assert_eq!(xml("a\tb\u{b}c\u{ffff}"), "a b␋c\\u{ffff}");
        assert_eq!(terminal("👩‍👩‍👧 được"), "👩‍👩‍👧 được");
    }

    #[test]
    fn a_citation_marker_stays_readable_and_a_link_does_not() {
        assert_eq!(markdown("Within 7 days [1][12]."), "Within 7 days [1][12].");
        assert_eq!(markdown("*[2]*"), "&#42;[2]&#42;");
        for link in ["[1](http)", "[1]: x", "![1]", "[^1]", "[x]", "[1", "[1234]", "[[1]]"] {
            let cleaned = markdown(link);
            assert!(!cleaned.contains('['), "{cleaned}");
        }
    }

    #[test]
    fn text_of_four_languages_is_left_alone() {
        for text in ["Quý khách được đổi trả trong 7 ngày.", "คืนสินค้าได้ภายใน ๓๐ วัน", "七天内可退换货", "within 7 days"]
        {
            assert_eq!(terminal(text), text);
            assert_eq!(xml(text), text);
            assert_eq!(markdown(text), text);
        }
    }
}

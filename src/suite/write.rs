//! Writes values as YAML that reads back as the same text, as a person would write it where that is safe.

use std::fmt::Write as _;

/// One text as a YAML value behind a key or a dash; `indent` is where a block of several lines stands. Without quotes where
/// nothing in it could be read otherwise; several lines as a block; else in double quotes.
///
/// ```
/// use ragline::suite::write::scalar;
/// assert_eq!(scalar("7 ngày", 4), "7 ngày");
/// assert_eq!(scalar("Phí: 5 đồng", 4), "\"Phí: 5 đồng\"");
/// assert_eq!(scalar("một\nhai", 4), "|-\n    một\n    hai");
/// ```
pub fn scalar(text: &str, indent: usize) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    if is_block(text) {
        let mut out = "|-".to_owned();
        for line in text.split('\n') {
            out.push('\n');
            if !line.is_empty() {
                out.push_str(&" ".repeat(indent));
                out.push_str(line);
            }
        }
        return out;
    }
    quoted(text)
}

/// One text on one line, also inside `[…]` and `{…}`.
///
/// ```
/// use ragline::suite::write::inline;
/// assert_eq!(inline("đổi trả"), "đổi trả");
/// assert_eq!(inline("a, b"), "\"a, b\"");
/// ```
pub fn inline(text: &str) -> String {
    if is_plain(text) && !text.contains([',', '[', ']', '{', '}']) { text.to_owned() } else { quoted(text) }
}

/// Words that mean something without quotes, in one reading of YAML or another.
const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

/// Whether nothing could read the text as anything else, nor a part of it as a comment or a key.
fn is_plain(text: &str) -> bool {
    let first = text.chars().next();
    let digit = first.is_some_and(|c| c.is_ascii_digit());
    // A number is a text for this tool; for others it is not.
    let number =
        digit && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '_' | 'e' | 'E' | 'x' | 'o' | ':' | '-'));
    first.is_some_and(char::is_alphanumeric)
        && !number
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with([':', ' '])
        && !text.chars().any(is_odd)
        && !WORDS.iter().any(|w| text.eq_ignore_ascii_case(w))
}

/// Whether the lines can stand as a block.
fn is_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && text.split('\n').all(|l| !l.ends_with([' ', '\t']) && !l.chars().any(is_odd))
        && !text.ends_with('\n')
}

/// What is not seen or ends a line: written as an escape.
fn is_odd(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_odd(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Source;
    use crate::suite::node::{Reader, Value};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn read(yaml: &str) -> Vec<String> {
        let source = Arc::new(Source { path: "t".into(), text: yaml.to_owned() });
        let reader = Reader::new(&source);
        let root = crate::suite::yaml::parse(&reader).unwrap();
        let found = |node: &crate::suite::node::Node<'_>| reader.string(node, "a").unwrap_or_default();
        let list = match &root.get("list").unwrap().value {
            Value::List(items) => items.iter().map(found).collect::<Vec<_>>(),
            Value::Scalar(..) | Value::Map(_) => Vec::new(),
        };
        let one = found(root.get("one").unwrap());
        assert!(!reader.failed(), "{yaml}");
        [vec![one], list].concat()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_reads_back(
            text in "[ -~\n\tạệ价ก“”‘’#:\\-\u{a0}\u{2028}\u{7f}\u{85}]{0,30}",
            words in "(no|yes|null|~|-|\\?|a|7|1e3|: |# |'|\"|\\[|,|\n| ){1,5}",
        ) {
            for text in [text, words].iter().filter(|t| !t.trim().is_empty()) {
                let yaml = format!("one: {}\nlist:\n  - {}\nend: [{}]\n", scalar(text, 2), scalar(text, 4), inline(text));
                let found = read(&yaml);
                prop_assert_eq!(&found, &[text.clone(), text.clone()], "{}", yaml);
            }
        }
    }
}

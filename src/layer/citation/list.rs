//! What stands inside a marker: numbers, ranges, documents, addresses. All is read in composed letters, and names are given
//! so: a word for sources and the name of a file are the same however a keyboard or a file system spells them.

use super::MarkerTarget;
use crate::text::norm::composed;
use crate::text::number::digit;

/// Words in front of the numbers of a marker in brackets (`[doc1]`, `[cite: 1]`).
const BRACKET_WORDS: [&str; 20] = [
    "document",
    "passage",
    "context",
    "source",
    "sources",
    "chunk",
    "cite",
    "citation",
    "docs",
    "doc",
    "src",
    "ref",
    "nguồn",
    "tài liệu",
    "来源",
    "來源",
    "文档",
    "ที่มา",
    "出典",
    "출처",
];

/// Words in front of the documents of a marker in parentheses (`(Nguồn: a.md)`), or of a line of sources.
const SOURCE_WORDS: [&str; 24] = [
    "sources",
    "source",
    "references",
    "reference",
    "citations",
    "citation",
    "ref",
    "nguồn tham khảo",
    "nguồn",
    "tham khảo",
    "来源",
    "來源",
    "出处",
    "出處",
    "资料来源",
    "แหล่งที่มา",
    "แหล่งข้อมูล",
    "ที่มา",
    "อ้างอิง",
    "出典",
    "출처",
    "quelle",
    "quellen",
    "fuente",
];

/// The most passages that one range may name.
const LONGEST_RANGE: usize = 20;

/// Strips one of the words, whatever its case.
fn strip_word<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words
        .iter()
        .filter_map(|w| {
            let head = text.get(..w.len())?;
            (head == *w
                || head.eq_ignore_ascii_case(w)
                || (!w.is_ascii() && !head.is_ascii() && head.to_lowercase() == *w))
                .then(|| text.get(w.len()..))
                .flatten()
                .map(|rest| (w.len(), rest))
        })
        .max_by_key(|(len, _)| *len)
        .map(|(_, rest)| rest)
}

/// Numbers and ranges of a marker in brackets: `1`, `1,2`, `1-3`, `^1`, `doc1`, `cite: 1`, `4:0†source`. Nothing when it is
/// no marker: `x`, a year when there are not as many passages, a word.
pub(super) fn bracketed(inside: &str, contexts: usize) -> Option<Vec<MarkerTarget>> {
    let inside = composed(inside.trim());
    let inside = inside.as_ref();
    if let Some(target) = dagger(inside) {
        return Some(vec![target]);
    }
    let worded = strip_word(inside, &BRACKET_WORDS).map(|r| r.trim_start_matches([':', '：', '#', '_', '-', ' ', '.']));
    let list = worded.or(inside.strip_prefix('^')).unwrap_or(inside);
    let mut out = Vec::new();
    for item in list.split([',', ';', '，', '、', '；', '&']) {
        let mut item = item.trim().trim_start_matches(['^', '#']);
        // `[doc1, doc2]`
        if let Some(rest) = strip_word(item, &BRACKET_WORDS) {
            item = rest.trim_start_matches([':', '：', '#', '_', '-', ' ', '.']);
        }
        let (from, to) = match item.split_once(['-', '–', '—', '‑', '−', '~']) {
            Some((a, b)) => (number(a.trim())?, number(b.trim().trim_start_matches('^'))?),
            None => {
                let n = number(item)?;
                (n, n)
            }
        };
        if to < from || to - from >= LONGEST_RANGE || out.len() >= 4 * LONGEST_RANGE {
            return None;
        }
        out.extend((from..=to).map(MarkerTarget::Number));
    }
    let lone_year = worded.is_none()
        && matches!(out.as_slice(), [MarkerTarget::Number(n)] if *n > contexts && (1000..3000).contains(n));
    (!lone_year && !out.is_empty()).then_some(out)
}

/// `4:0†source` is passage 0 of message 4; `1†source` is passage 1.
fn dagger(inside: &str) -> Option<MarkerTarget> {
    let (head, _) = inside.split_once('†')?;
    match head.split_once(':') {
        Some((message, index)) => {
            number(message.trim())?;
            Some(MarkerTarget::Index(number(index.trim())?))
        }
        None => Some(MarkerTarget::Number(number(head.trim())?)),
    }
}

/// A number of at most six digits, of any script.
fn number(text: &str) -> Option<usize> {
    const MOST_DIGITS: usize = 6;
    let digits: Option<Vec<u8>> = text.chars().map(digit).collect();
    let digits = digits.filter(|d| !d.is_empty() && d.len() <= MOST_DIGITS)?;
    Some(digits.into_iter().fold(0, |n, d| n * 10 + usize::from(d)))
}

/// The content of a parenthesis or line that opens with a word for source and a colon: what it names. Nothing when it
/// opens otherwise. With `strict` every item must look like a document, an address or a number.
pub(super) fn sources(inside: &str, contexts: usize, strict: bool) -> Option<Vec<MarkerTarget>> {
    let inside = composed(inside.trim_start());
    let rest = strip_word(&inside, &SOURCE_WORDS)?.trim_start();
    let list = rest.strip_prefix([':', '：'])?.trim();
    let mut out = Vec::new();
    for item in list.split([',', ';', '，', '；', '、', '|']) {
        let item = item.trim().trim_matches(['`', '*', '"', '\'', '“', '”', '.', '。', '[', ']', ' ']);
        if item.is_empty() {
            continue;
        }
        match bracketed(item, contexts.max(1)) {
            Some(targets) => out.extend(targets),
            None if strict && !looks_like_document(item) => return None,
            None => out.push(document(item)),
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Whether a line is nothing but a word for sources, as in `Sources:` or `## References`.
pub(super) fn heads_sources(line: &str) -> bool {
    strip_word(&composed(line.trim()), &SOURCE_WORDS).is_some_and(|rest| matches!(rest.trim(), "" | ":" | "："))
}

/// One line of a list of sources: `- a.md`, `1. https://…`, `[1] a.md`, `[2]: [Fees](fees.md#part)`, `[3] The fees`. Its
/// number, where it has one, and what it names: the passage of that number where it names no document. Nothing where a line
/// is no such entry.
pub(super) fn entry(line: &str, contexts: usize) -> Option<(Option<usize>, MarkerTarget)> {
    let line = composed(line);
    let line = line.trim_start_matches([' ', '\t', '>']);
    let line = line.strip_prefix(['-', '*', '•', '+']).unwrap_or(line).trim();
    let (bracketed_number, rest) = match line.strip_prefix(['[', '【']).and_then(|t| t.split_once([']', '】'])) {
        Some((inside, rest)) => match bracketed(inside, contexts).as_deref() {
            Some([MarkerTarget::Number(n)]) if !rest.starts_with('(') => (Some(*n), rest),
            Some(_) | None => (None, line),
        },
        None => (None, line),
    };
    let digits: usize = rest.chars().take_while(|c| digit(*c).is_some()).map(char::len_utf8).sum();
    let (number, rest) = match rest.split_at_checked(digits) {
        Some((n, tail))
            if bracketed_number.is_none() && digits > 0 && tail.starts_with(['.', ')', ':', '、', '．']) =>
        {
            (number(n), tail.trim_start_matches(['.', ')', ':', '、', '．']))
        }
        Some(_) | None => (bracketed_number, rest),
    };
    let rest = rest.trim_matches([' ', ':', '：', '`', '*', '<', '>', '"', '“', '”', '\t']);
    // `[Fees](fees.md)`, `Fees (https://…)`, `Fees: https://…`
    let linked = rest.strip_suffix(')').and_then(|t| t.rsplit_once('(')).map(|(_, address)| address.trim());
    let last = rest.rsplit(char::is_whitespace).next().map(|t| t.trim_matches(['<', '>', '(', ')']));
    let named = [Some(rest), linked, last].into_iter().flatten().find(|t| looks_like_document(t));
    match (named, bracketed_number) {
        (Some(name), _) => Some((number, document(name))),
        (None, Some(n)) => Some((None, MarkerTarget::Number(n))),
        (None, None) => None,
    }
}

/// `a.md`, `guide/a.md#part`, `https://…`.
pub(super) fn looks_like_document(text: &str) -> bool {
    if is_url(text) {
        return true;
    }
    let text = composed(text);
    let name = text.split('#').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(stem, e)| (stem.chars().next_back(), e));
    let blank = text.contains(char::is_whitespace);
    let known = |e: &str| {
        [
            "md", "markdown", "txt", "pdf", "html", "htm", "docx", "doc", "json", "csv", "xlsx", "pptx", "rst", "yaml",
            "xml",
        ]
        .iter()
        .any(|k| k.eq_ignore_ascii_case(e))
    };
    matches!(ending, Some((Some(c), e)) if c.is_alphanumeric() && known(e))
        || (!blank && text.contains('#') && !text.starts_with('#'))
}

pub(super) fn is_url(text: &str) -> bool {
    let has = |scheme: &str| text.get(..scheme.len()).is_some_and(|h| h.eq_ignore_ascii_case(scheme));
    has("http://") || has("https://")
}

/// A document or an address, with the heading behind `#`.
pub(super) fn document(text: &str) -> MarkerTarget {
    if is_url(text) {
        return MarkerTarget::Url(text.to_owned());
    }
    let text = composed(text);
    match text.split_once('#') {
        Some((doc, heading)) => MarkerTarget::Doc {
            doc: doc.trim().to_owned(),
            heading: Some(heading.trim().to_owned()).filter(|h| !h.is_empty()),
        },
        None => MarkerTarget::Doc { doc: text.into_owned(), heading: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_markers() {
        let of = |text: &str| {
            bracketed(text, 3).map(|v| {
                v.into_iter().map(|t| if let MarkerTarget::Number(n) = t { n } else { usize::MAX }).collect::<Vec<_>>()
            })
        };
        for (text, numbers) in [
            ("1", vec![1]),
            ("1,2", vec![1, 2]),
            ("1, 3", vec![1, 3]),
            ("1-3", vec![1, 2, 3]),
            ("1–2", vec![1, 2]),
            ("^1", vec![1]),
            ("doc1", vec![1]),
            ("cite: 1", vec![1]),
            ("src:1", vec![1]),
            ("Source 2", vec![2]),
            ("Nguồn 2", vec![2]),
            ("doc1, doc2", vec![1, 2]),
            ("87", vec![87]),
            ("２", vec![2]),
            ("๑, ๒", vec![1, 2]),
            ("0", vec![0]),
            ("1†source", vec![1]),
        ] {
            assert_eq!(of(text), Some(numbers), "{text}");
        }
        for text in ["x", " ", "", "2026", "sic", "1-40", "3-1", "1a", "1234567", "a, 1", "1,,2"] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(bracketed("4:0†source", 3), Some(vec![MarkerTarget::Index(0)]));
        assert!(bracketed("2026", 3000).is_some());
    }

    #[test]
    fn documents() {
        for yes in ["a.md", "x/y.PDF#p2", "https://a.example/b", "faq#fees"] {
            assert!(looks_like_document(yes), "{yes}");
        }
        for no in ["1.5", "Chính sách", "e.g.", "a . md", "#1"] {
            assert!(!looks_like_document(no), "{no}");
        }
        for (line, number, doc) in [
            ("- a.md", None, Some("a.md")),
            ("1. a.md", Some(1), Some("a.md")),
            ("[2] a.md", Some(2), Some("a.md")),
            ("* [2]: [Fees](a.md)", Some(2), Some("a.md")),
            ("๓) Chính sách phí (a.md)", Some(3), Some("a.md")),
            ("[3] The fees", None, None),
            ("[3]", None, None),
        ] {
            let found = entry(line, 3);
            let target = doc.map_or(MarkerTarget::Number(3), |d| MarkerTarget::Doc { doc: d.into(), heading: None });
            assert_eq!(found, Some((number, target)), "{line}");
        }
        assert_eq!((entry("- The fees", 3), entry("7 days", 3), entry("", 3)), (None, None, None));
        assert!(heads_sources("Nguồn:") && heads_sources("References ") && !heads_sources("Sources of water:"));
        assert_eq!(sources("Source of joy", 3, false), None);
        assert_eq!(sources("Nguồn: a.md, tôi nghĩ vậy", 3, true), None);
    }
}

//! Changes a suite in YAML that people write in: what is not changed stays as it is, byte for byte, comments and all.
//!
//! Changes are made to the text, at the places that the suite's own reader gives. Spans of lists and maps cover their first
//! character alone, so a key is added behind the value of `question`, which is a text.

use super::node::{Entry, Node, Reader, Style, Value};
use super::write::{inline, scalar};
use super::yaml;
use crate::problem::{Problem, Problems, Source};
use std::ops::Range;
use std::sync::Arc;

/// Changes of one text, to be made together.
#[derive(Debug, Default)]
pub struct Edits(Vec<(Range<usize>, String)>);

/// A question of a suite, as its text has it.
#[derive(Debug, Clone)]
pub struct Written<'a> {
    /// Its id.
    pub id: String,
    /// Its text.
    pub question: String,
    /// Its model answer.
    pub reference: Option<String>,
    /// The map.
    pub node: Node<'a>,
}

/// The questions of a suite and where its text goes on.
#[derive(Debug)]
pub struct Layout<'a> {
    /// The questions, in file order.
    pub questions: Vec<Written<'a>>,
    /// The byte at which another question can be put.
    pub end: usize,
    /// The column of the dashes, from 0.
    pub indent: usize,
}

/// Reads where the questions of a suite in YAML stand. The text has LF line ends and no byte-order mark.
///
/// # Errors
/// What is wrong with the YAML; questions in a form that cannot be added to.
pub fn layout(source: &Arc<Source>) -> Result<Layout<'_>, Problems> {
    let reader = Reader::new(source);
    let Some(root) = yaml::parse(&reader) else { return Err(reader.finish()) };
    let text = reader.text();
    let (Value::Map(entries), Some(list)) = (&root.value, root.get("questions")) else {
        let title = "this suite has no list of `questions`";
        reader.push(reader.error("no-questions", root.span, title));
        return Err(reader.finish());
    };
    let Value::List(items) = &list.value else {
        reader.push(reader.error("expected-list", list.span, "`questions` is no list"));
        return Err(reader.finish());
    };
    let dash = items.first().and_then(|first| dash_of(text, first.span.start as usize));
    let (Some(indent), false) = (dash, starts_with(text, list, '[')) else {
        let title = "the questions stand in brackets, expected a list with dashes";
        let help = "write each question behind `- `: others can be added to such a list";
        reader.push(reader.error("expected-list", list.span, title).help(help));
        return Err(reader.finish());
    };
    let next = entries.iter().map(|e| e.key_span.start as usize).find(|at| *at > list.span.start as usize);
    let string = |node: Option<&Node<'_>>| match node.map(|n| &n.value) {
        Some(Value::Scalar(text, _)) => text.trim_end_matches('\n').to_owned(),
        Some(Value::List(_) | Value::Map(_)) | None => String::new(),
    };
    let questions = items.iter().map(|node| Written {
        id: string(node.get("id")),
        question: string(node.get("question")),
        reference: Some(string(node.get("reference"))).filter(|r| !r.is_empty()),
        node: node.clone(),
    });
    Ok(Layout { questions: questions.collect(), end: end_of(text, next), indent })
}

/// Where a list ends that the next key follows, or the end of the text: in front of blank lines and comments of that key.
fn end_of(text: &str, next: Option<usize>) -> usize {
    let Some(next) = next else { return text.len() };
    let mut end = line_start(text, next);
    while let Some(before) = end.checked_sub(1).map(|e| line_start(text, e)) {
        let line = text.get(before..end).unwrap_or_default();
        if !(line.trim().is_empty() || line.starts_with('#')) || before == end {
            break;
        }
        end = before;
    }
    end
}

/// The column of the dash in front of an item, where nothing but blanks and the dash stands there.
fn dash_of(text: &str, item: usize) -> Option<usize> {
    let before = text.get(..item)?.trim_end_matches([' ', '\n']);
    let dash = before.strip_suffix('-')?.len();
    let start = line_start(text, dash);
    text.get(start..dash)?.chars().all(|c| c == ' ').then_some(dash - start)
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|t| t.find('\n')).map_or(text.len(), |i| at + i)
}

fn starts_with(text: &str, node: &Node<'_>, bracket: char) -> bool {
    text.get(node.span.start as usize..).is_some_and(|t| t.starts_with(bracket))
}

/// What is written behind a key.
#[derive(Debug, Clone, Copy)]
pub enum Content<'c> {
    /// One text.
    Text(&'c str),
    /// A list, each item as YAML on one line; a comment may follow it where it stands on a line of its own.
    Lines(&'c [(String, &'c str)]),
}

impl Edits {
    /// Puts a text into the place of another.
    pub fn replace(&mut self, range: Range<usize>, text: String) {
        self.0.push((range, text));
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Gives a key of a question a text: in the place of the one it has, else behind `question`.
    pub fn set(&mut self, text: &str, question: &Node<'_>, key: &str, value: &str) {
        let Some(entry) = entry(question, key) else {
            self.add(text, question, key, Content::Text(value));
            return;
        };
        let Value::Scalar(_, style) = entry.value.value else { return };
        let (mut start, end) = (entry.value.span.start as usize, entry.value.span.end as usize);
        // The span of a block is that of its lines; its mark stands behind the key.
        if style == Style::Block {
            let behind = entry.key_span.end as usize;
            start = text.get(behind..).and_then(|t| t.find(['|', '>'])).map_or(start, |at| behind + at);
        }
        let written = if starts_with(text, question, '{') {
            inline(value)
        } else {
            // A block stands further in than its key.
            scalar(value, column(text, question.span.start as usize) + 2)
        };
        self.replace(start..end, written);
    }

    /// Puts a scalar, written as YAML, into the place of one that stands on one line; says whether it could.
    pub fn put(&mut self, text: &str, node: &Node<'_>, value: String) -> bool {
        let (start, end) = (node.span.start as usize, node.span.end as usize);
        let on_a_line = text.get(start..end).is_some_and(|t| !t.contains('\n'));
        if !on_a_line || matches!(node.value, Value::Scalar(_, Style::Block) | Value::List(_) | Value::Map(_)) {
            return false;
        }
        self.replace(start..end, value);
        true
    }

    /// Puts a comment that begins with a mark at the end of the line on which a node begins, in the place of one with that mark.
    /// Where another comment stands there, or one was put there, nothing is done.
    pub fn remark(&mut self, text: &str, node: &Node<'_>, mark: &str, comment: &str) {
        let start = node.span.start as usize;
        let end = line_end(text, start);
        let line = text.get(start..end).unwrap_or_default();
        let old = line.rfind(&format!("  # {mark}")).map(|at| start + at);
        let from = match old {
            Some(at) => at,
            None if line.contains('#') => return,
            None => end,
        };
        if !self.0.iter().any(|(range, _)| range.end == end && range.start == from) {
            let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
            self.replace(from..end, format!("  # {mark}: {comment}"));
        }
    }

    /// Gives a key of a map a list of texts, where it has a text or a list in brackets; says whether it could.
    pub fn set_list(&mut self, text: &str, map: &Node<'_>, key: &str, values: &[String]) -> bool {
        let Some(entry) = entry(map, key) else { return false };
        let written = values.iter().map(|v| inline(v)).collect::<Vec<_>>().join(", ");
        let (start, end) = (entry.value.span.start as usize, entry.value.span.end as usize);
        match &entry.value.value {
            Value::Scalar(_, Style::Block) | Value::Map(_) => false,
            Value::Scalar(..) => {
                self.replace(start..end, format!("[{written}]"));
                true
            }
            Value::List(items) => {
                let inside = items.first().zip(items.last()).filter(|_| starts_with(text, &entry.value, '['));
                let Some((first, last)) = inside else { return false };
                self.replace(first.span.start as usize..last.span.end as usize, written);
                true
            }
        }
    }

    /// Writes a list anew whose items stand on lines of their own and all bear a comment that begins with a mark; says whether it
    /// could. A comment that somebody else wrote, or an item without the mark, leaves the list as it is.
    pub fn renew(&mut self, text: &str, question: &Node<'_>, key: &str, mark: &str, items: &[(String, &str)]) -> bool {
        let Some(range) = marked(text, question, key, mark) else { return false };
        let pad = " ".repeat(column(text, question.span.start as usize));
        self.replace(range, format!("{pad}{key}:{}", lines(&pad, items)));
        true
    }

    /// Adds a key behind `question`.
    pub fn add(&mut self, text: &str, question: &Node<'_>, key: &str, content: Content<'_>) {
        let Some(entry) = entry(question, "question") else { return };
        let end = entry.value.span.end as usize;
        if starts_with(text, question, '{') {
            let value = match content {
                Content::Text(value) => inline(value),
                Content::Lines(items) => {
                    format!("[{}]", items.iter().map(|(i, _)| i.as_str()).collect::<Vec<_>>().join(", "))
                }
            };
            self.replace(end..end, format!(", {key}: {value}"));
            return;
        }
        let indent = column(text, question.span.start as usize);
        let pad = " ".repeat(indent);
        let value = match content {
            Content::Text(value) => format!(" {}", scalar(value, indent + 2)),
            Content::Lines(items) => lines(&pad, items),
        };
        let at = line_end(text, end);
        self.replace(at..at, format!("\n{pad}{key}:{value}"));
    }

    /// The file with the changes: `raw` is what was read, with its byte-order mark and its line ends, and `text` the same
    /// without the mark and with LF.
    pub fn apply(mut self, raw: &str, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let body = raw.strip_prefix('\u{feff}').unwrap_or(raw);
        let crlf = body.find('\n').is_some_and(|at| at > 0 && body.as_bytes().get(at - 1) == Some(&b'\r'));
        let mut out = raw.get(..raw.len() - body.len()).unwrap_or_default().to_owned();
        // `text` lacks the CR of each CRLF: places are found again by walking through both.
        let (mut at_text, mut at_raw) = (0, 0);
        let mut rest = |to: usize| {
            let from = at_raw;
            while at_text < to {
                let crlf = body.get(at_raw..).is_some_and(|b| b.starts_with("\r\n"));
                at_raw += 1 + usize::from(crlf);
                at_text += 1;
            }
            body.get(from..at_raw).unwrap_or_default()
        };
        for (range, new) in &self.0 {
            out.push_str(rest(range.start));
            let _ = rest(range.end);
            out.push_str(&if crlf { new.replace('\n', "\r\n") } else { new.clone() });
        }
        out.push_str(rest(text.len()));
        out
    }
}

/// The items of a list, each on a line with its comment.
fn lines(pad: &str, items: &[(String, &str)]) -> String {
    let line = |(item, comment): &(String, &str)| {
        let comment = if comment.is_empty() { String::new() } else { format!("  # {comment}") };
        format!("\n{pad}  - {item}{comment}")
    };
    items.iter().map(line).collect()
}

/// Where a list stands, from the line of its key to that of its last item, if each of its items has a line of its own with a
/// comment that begins with the mark, and nothing else stands between.
pub fn marked(text: &str, question: &Node<'_>, key: &str, mark: &str) -> Option<Range<usize>> {
    let entry = entry(question, key)?;
    let Value::List(items) = &entry.value.value else { return None };
    let start = line_start(text, entry.key_span.start as usize);
    let end = line_end(text, items.last()?.span.start as usize);
    let mut all = text.get(start..end)?.lines();
    let alone = all.next()?.trim() == format!("{key}:");
    let bears = |line: &str| {
        let comment = line.rsplit_once(" # ").map(|(_, comment)| comment.trim_start());
        line.trim_start().starts_with("- ") && comment.is_some_and(|c| c.starts_with(mark))
    };
    let all: Vec<&str> = all.collect();
    (alone && all.len() == items.len() && all.iter().all(|l| bears(l))).then_some(start..end)
}

fn entry<'n, 'a>(map: &'n Node<'a>, key: &str) -> Option<&'n Entry<'a>> {
    match &map.value {
        Value::Map(entries) => entries.iter().find(|e| e.key == key),
        Value::Scalar(..) | Value::List(_) => None,
    }
}

/// The column of a byte, counted in characters, from 0.
fn column(text: &str, at: usize) -> usize {
    text.get(line_start(text, at)..at).map_or(0, |t| t.chars().count())
}

/// A suite file as it was read: its text as the readers want it, and as it is.
#[derive(Debug)]
pub struct File {
    /// Without byte-order mark, with LF line ends.
    pub source: Arc<Source>,
    /// As it is.
    pub raw: String,
}

/// Reads a suite file to change it.
///
/// # Errors
/// What keeps it from being read.
pub fn read(path: &std::path::Path, shown: &str) -> Result<File, Problem> {
    let source = crate::problem::read_source(path, shown)?;
    let raw = std::fs::read(path).map(|b| String::from_utf8_lossy(&b).into_owned());
    raw.map(|raw| File { source, raw }).map_err(|e| {
        let place = crate::problem::Place::file(shown);
        Problem::error("file-unreadable", place, format!("cannot read this file: {e}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUITE: &str = "# head\nversion: 1\nquestions:\n  # first\n  - id: a   # why\n    question: \"Một\"  # said\n    reference: |-\n      dòng một\n\n      dòng hai\n    facts: [x]\n\n  - { id: b, question: Hai, facts: [y] }\n  -\n    id: c\n    question: >\n      Ba\n      bốn\n    tags: [t]\n\n# the corpus\ncorpus: docs\n";

    fn source(text: &str) -> Arc<Source> {
        Arc::new(Source { path: "s.yaml".into(), text: text.to_owned() })
    }

    fn edited(raw: &str, change: impl Fn(&mut Edits, &str, &Layout<'_>)) -> String {
        let source = source(&raw.replace("\r\n", "\n").replace('\u{feff}', ""));
        let layout = layout(&source).unwrap();
        let mut edits = Edits::default();
        change(&mut edits, &source.text, &layout);
        edits.apply(raw, &source.text)
    }

    #[test]
    fn nothing_else_changes() {
        let change = |edits: &mut Edits, text: &str, layout: &Layout<'_>| {
            let q = |at: usize| &layout.questions[at].node;
            edits.set(text, q(0), "question", "Một: 1?");
            edits.set(text, q(0), "reference", "ba");
            edits.set(text, q(1), "question", "Hai, hai");
            edits.set(text, q(1), "reference", "nhiều\ndòng");
            edits.set(text, q(2), "reference", "nhiều\ndòng");
            edits.add(text, q(2), "facts", Content::Lines(&[("7 ngày".into(), "suggested"), ("x".into(), "")]));
            edits.replace(layout.end..layout.end, "  - id: d\n    question: D\n".into());
        };
        let want = "# head\nversion: 1\nquestions:\n  # first\n  - id: a   # why\n    question: \"Một: 1?\"  # said\n    reference: ba\n    facts: [x]\n\n  - { id: b, question: \"Hai, hai\", reference: \"nhiều\\ndòng\", facts: [y] }\n  -\n    id: c\n    question: >\n      Ba\n      bốn\n    reference: |-\n      nhiều\n      dòng\n    facts:\n      - 7 ngày  # suggested\n      - x\n    tags: [t]\n  - id: d\n    question: D\n\n# the corpus\ncorpus: docs\n";
        assert_eq!(edited(SUITE, change), want);
        let windows = format!("\u{feff}{}", SUITE.replace('\n', "\r\n"));
        assert_eq!(edited(&windows, change), format!("\u{feff}{}", want.replace('\n', "\r\n")));
    }

    #[test]
    fn only_lists_that_nobody_touched_are_renewed() {
        let suite = |facts: &str| {
            format!("version: 1\nquestions:\n  - id: a\n    question: A\n    facts:{facts}\n    tags: [t]\n")
        };
        let renewed = |facts: &str| {
            let text = edited(&suite(facts), |edits, text, layout| {
                edits.renew(text, &layout.questions[0].node, "facts", "suggested", &[("8 ngày".into(), "suggested")]);
            });
            Some(text).filter(|t| *t != suite(facts))
        };
        let want = suite("\n      - 8 ngày  # suggested");
        assert_eq!(renewed("\n      - 7 ngày  # suggested"), Some(want.clone()));
        assert_eq!(renewed("\n      - a  # suggested\n      - { number: { value: 7 } }  # suggested: 7"), Some(want));
        for facts in [
            "\n      - a  # suggested\n      - b",
            "\n      - a  # suggested\n      # mine\n      - b  # suggested",
            "  # mine\n      - a  # suggested",
            " [a]",
            "\n      - a  # checked",
        ] {
            assert_eq!(renewed(facts), None, "{facts}");
        }
    }

    #[test]
    fn without_changes_nothing_changes() {
        for raw in [SUITE.to_owned(), SUITE.replace('\n', "\r\n"), SUITE.replacen('\n', "\r\n", 3)] {
            assert_eq!(edited(&raw, |_, _, _| {}), raw);
        }
    }

    #[test]
    fn the_questions_are_found() {
        let source = source(SUITE);
        let layout = layout(&source).unwrap();
        let found: Vec<_> = layout.questions.iter().map(|q| (q.id.as_str(), q.question.as_str())).collect();
        assert_eq!(found, [("a", "Một"), ("b", "Hai"), ("c", "Ba bốn")]);
        assert_eq!(layout.questions[0].reference.as_deref(), Some("dòng một\n\ndòng hai"));
        assert_eq!(layout.indent, 2);
        assert!(super::layout(&self::source("version: 1\nquestions: [{ id: a, question: b }]\n")).is_err());
    }
}

//! Reading typed values from a [`Node`] tree: every fault is collected with its place, and reading goes on.

use super::{Entry, Node, Span, Style, Value, duplicates};
use crate::problem::near::did_you_mean;
use crate::problem::{Place, Problem, Problems, Source};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The keys of one kind of map.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// What the map is, for messages (`a question`).
    pub what: &'static str,
    /// The keys that it may have.
    pub keys: &'static [&'static str],
    /// Keys that the format reserves and nothing supports yet.
    pub reserved: &'static [&'static str],
}

/// Reads one file and collects what is wrong with it.
#[derive(Debug)]
pub struct Reader<'a> {
    source: &'a Arc<Source>,
    file: Arc<str>,
    problems: RefCell<Vec<Problem>>,
    /// The last place that was asked for: begin of its line, its byte, its column. Places come nearly in file order.
    cursor: Cell<(u32, u32, u32)>,
    /// In YAML, ` #` cuts an unquoted text.
    hash_cuts: Cell<bool>,
}

impl<'a> Reader<'a> {
    /// A reader of one file.
    pub fn new(source: &'a Arc<Source>) -> Self {
        Reader {
            source,
            file: source.path.as_str().into(),
            problems: RefCell::default(),
            cursor: Cell::new((0, 0, 1)),
            hash_cuts: Cell::new(false),
        }
    }

    /// The file's text.
    pub fn text(&self) -> &'a str {
        &self.source.text
    }

    /// The file.
    pub fn source(&self) -> &'a Arc<Source> {
        self.source
    }

    /// From now on, a comment directly behind an unquoted text is looked for.
    pub(crate) fn watch_comments(&self) {
        self.hash_cuts.set(true);
    }

    /// The place where a piece begins.
    pub fn place(&self, span: Span) -> Place {
        let (line_start, at, column) = self.cursor.get();
        let text = self.text();
        let count = |from: u32, to: u32| {
            let piece = text.get(from as usize..to as usize).unwrap_or_default();
            u32::try_from(piece.chars().count()).unwrap_or(u32::MAX)
        };
        // On the line of the last place, the column is counted from there: a file may be one long line.
        let (low, high) = (at.min(span.start), at.max(span.start));
        let between = text.as_bytes().get(low as usize..high as usize);
        let same_line = between.is_some_and(|b| memchr::memchr(b'\n', b).is_none());
        let (line_start, column) = if same_line {
            let distance = count(low, high);
            let column =
                if span.start >= at { column.saturating_add(distance) } else { column.saturating_sub(distance) };
            (line_start, column)
        } else {
            let before = text.as_bytes().get(..span.start as usize).unwrap_or_default();
            let start = memchr::memrchr(b'\n', before).map_or(0, |i| i + 1);
            let start = u32::try_from(start).unwrap_or(u32::MAX);
            (start, 1 + count(start, span.start))
        };
        self.cursor.set((line_start, span.start, column));
        Place { file: Arc::clone(&self.file), line: span.line, column }
    }

    /// How many code points a piece has on its first line; at least 1.
    pub fn width(&self, span: Span) -> usize {
        let piece = self.text().get(span.start as usize..span.end as usize).unwrap_or_default();
        piece.lines().next().map_or(1, |l| l.chars().count()).max(1)
    }

    /// An error at a piece of the file, not yet recorded.
    pub fn error(&self, code: &'static str, span: Span, title: impl Into<String>) -> Problem {
        Problem::error(code, self.place(span), title).label("", self.width(span)).source(self.source)
    }

    /// A warning at a piece of the file, not yet recorded.
    pub fn warning(&self, code: &'static str, span: Span, title: impl Into<String>) -> Problem {
        Problem::warning(code, self.place(span), title).label("", self.width(span)).source(self.source)
    }

    /// Records a problem.
    pub fn push(&self, problem: Problem) {
        self.problems.borrow_mut().push(problem);
    }

    /// True when an error was recorded.
    pub fn failed(&self) -> bool {
        self.problems.borrow().iter().any(|p| p.gravity == crate::problem::Gravity::Error)
    }

    /// Everything that was recorded, in file order.
    pub fn finish(self) -> Problems {
        let mut all = self.problems.into_inner();
        all.sort_by_key(|p| (p.place.line, p.place.column));
        Problems(all)
    }

    /// Records every key that is given twice.
    pub fn refuse_duplicates(&self, root: &Node<'_>) {
        for (key, places) in duplicates(root) {
            let mut lines: Vec<String> = places.iter().map(|s| s.line.to_string()).collect();
            lines.dedup();
            let lines = match lines.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("at lines {} and {last}", rest.join(", ")),
                Some(_) | None => format!("{} times at line {}", places.len(), lines.join(", ")),
            };
            let Some((last, before)) = places.split_last() else { continue };
            let list = match key.as_str() {
                "fact" | "facts" => "use a list under `facts`",
                _ => "keep one of them; several values are written as a list",
            };
            let mut p = self
                .error("duplicate-key", *last, format!("key `{}` given {lines}", shown(&key)))
                .label("given again here", self.width(*last))
                .help(list);
            for s in before {
                p = p.related(self.place(*s), "also given here");
            }
            self.push(p);
        }
    }

    /// A text. An unquoted scalar is the text as it was written; null and blank text are errors.
    pub fn string(&self, node: &Node<'_>, what: &str) -> Option<String> {
        let text = match &node.value {
            Value::Scalar(..) if node.is_null() => {
                self.push(
                    self.error("null-text", node.span, format!("{what} is null, expected a text"))
                        .help("quote it when the word itself is meant, for instance \"null\""),
                );
                return None;
            }
            Value::Scalar(text, Style::Plain) => {
                self.warn_of_cut(node.span, text, what);
                text.as_ref()
            }
            Value::Scalar(text, Style::Quoted) => text.as_ref(),
            // The line break behind the last line belongs to the layout of a block, not to its text.
            Value::Scalar(text, Style::Block) => text.trim_end_matches('\n'),
            Value::List(_) | Value::Map(_) => {
                let mut p =
                    self.error("expected-text", node.span, format!("{what} is {}, expected a text", node.kind()));
                if matches!(node.value, Value::Map(_)) {
                    p = p.help("quote a text that holds `: `");
                }
                self.push(p);
                return None;
            }
        };
        if text.trim().is_empty() {
            self.push(self.error("empty-text", node.span, format!("{what} is empty, expected a text")));
            return None;
        }
        Some(text.to_owned())
    }

    /// Warns when an unquoted text is followed by a comment that looks like the rest of the text.
    fn warn_of_cut(&self, span: Span, text: &str, what: &str) {
        if !self.hash_cuts.get() {
            return;
        }
        let rest = self.text().get(span.end as usize..).unwrap_or_default().trim_start_matches([' ', '\t']);
        if !rest.starts_with('#') {
            return;
        }
        let comment = rest.split('\n').next().unwrap_or_default();
        if !comment.starts_with("# ") && comment.trim_end() != "#" {
            self.push(
                self.warning("text-cut-by-comment", span, format!("` #` cuts {what}: it ends at “{text}”"))
                    .label(format!("“{}” is a comment", comment.trim_end()), self.width(span))
                    .help("quote the whole text; begin a comment that is meant with `# `"),
            );
        }
    }

    /// A whole number within limits, unquoted.
    pub fn integer(&self, node: &Node<'_>, what: &str, min: u64, max: u64) -> Option<u64> {
        let number = match &node.value {
            Value::Scalar(text, Style::Plain) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
                text.parse::<u64>().ok().filter(|n| (min..=max).contains(n))
            }
            Value::Scalar(..) | Value::List(_) | Value::Map(_) => None,
        };
        if number.is_none() {
            let to = if max == u64::MAX { String::new() } else { format!(" to {max}") };
            let title = format!("{what} is {}, expected a whole number from {min}{to}", written(node));
            self.push(self.error("expected-number", node.span, title));
        }
        number
    }

    /// A number of any kind, unquoted and finite.
    pub fn number(&self, node: &Node<'_>, what: &str) -> Option<f64> {
        let number = match &node.value {
            Value::Scalar(text, Style::Plain) => {
                let starts = text.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit());
                let n = if starts { text.parse::<f64>().ok().filter(|n| n.is_finite()) } else { None };
                // A number that is not zero and reads as zero is too small to be meant.
                let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
                n.filter(|n| *n != 0.0 || !mantissa.contains(|c: char| ('1'..='9').contains(&c)))
            }
            Value::Scalar(..) | Value::List(_) | Value::Map(_) => None,
        };
        if number.is_none() {
            let title = format!("{what} is {}, expected a number", written(node));
            let p = self.error("expected-number", node.span, title);
            self.push(match &node.value {
                Value::Scalar(_, Style::Quoted) => p.help("write it without quotes"),
                Value::Scalar(..) | Value::List(_) | Value::Map(_) => p,
            });
        }
        number
    }

    /// `true` or `false`, unquoted.
    pub fn boolean(&self, node: &Node<'_>, what: &str) -> Option<bool> {
        let value = match &node.value {
            Value::Scalar(text, Style::Plain) => match text.as_ref() {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            },
            Value::Scalar(..) | Value::List(_) | Value::Map(_) => None,
        };
        if value.is_none() {
            self.push(self.error("expected-boolean", node.span, format!("{what} must be `true` or `false`")));
        }
        value
    }

    /// One of a closed list of words. `reserved` words are refused as not yet supported.
    pub fn word<T: Copy>(
        &self,
        node: &Node<'_>,
        what: &str,
        words: &[(&'static str, T)],
        reserved: &[&'static str],
    ) -> Option<T> {
        let list = || words.iter().map(|(w, _)| format!("`{w}`")).collect::<Vec<_>>().join(", ");
        let text = match &node.value {
            Value::Scalar(text, _) => text.as_ref(),
            Value::List(_) | Value::Map(_) => {
                self.push(self.error(
                    "expected-word",
                    node.span,
                    format!("{what} is {}, expected one of {}", node.kind(), list()),
                ));
                return None;
            }
        };
        if let Some((_, value)) = words.iter().find(|(w, _)| *w == text) {
            return Some(*value);
        }
        if let Some(word) = reserved.iter().find(|w| **w == text) {
            self.push(self.not_yet(node.span, &format!("{what} `{word}`")));
            return None;
        }
        let mut p =
            self.error("unknown-value", node.span, format!("{what} is `{}`, expected one of {}", shown(text), list()));
        if let Some(near) = did_you_mean(text, words.iter().map(|(w, _)| *w)) {
            p = p.help(format!("did you mean `{near}`?"));
        }
        self.push(p);
        None
    }

    /// The items of a list.
    pub fn list<'n>(&self, node: &'n Node<'a>, what: &str) -> Option<&'n [Node<'a>]> {
        match &node.value {
            Value::List(items) => Some(items),
            Value::Scalar(..) | Value::Map(_) => {
                let got = node.kind();
                self.push(
                    self.error("expected-list", node.span, format!("{what} is {got}, expected a list"))
                        .help("write a list: each item on its own line behind `- `, or `[ … ]`"),
                );
                None
            }
        }
    }

    /// A list of texts.
    pub fn strings(&self, node: &Node<'a>, what: &str, item: &str) -> Vec<String> {
        self.list(node, what).unwrap_or_default().iter().filter_map(|n| self.string(n, item)).collect()
    }

    /// The error for something that the format reserves.
    pub fn not_yet(&self, span: Span, what: &str) -> Problem {
        self.error("not-yet-supported", span, format!("{what} is not yet supported"))
    }

    /// The entries of a map; keys that its shape does not know are recorded.
    pub fn fields<'n>(&self, node: &'n Node<'a>, shape: &Shape) -> Option<Fields<'n, 'a>> {
        let Value::Map(entries) = &node.value else {
            self.push(self.error(
                "expected-map",
                node.span,
                format!("{} is {}, expected a map with keys", shape.what, node.kind()),
            ));
            return None;
        };
        for e in entries {
            if shape.keys.contains(&e.key.as_ref()) {
                continue;
            }
            if shape.reserved.contains(&e.key.as_ref()) {
                self.push(self.not_yet(e.key_span, &format!("`{}`", e.key)));
                continue;
            }
            self.push(self.unknown_key(e, shape));
        }
        Some(Fields { span: node.span, entries })
    }

    fn unknown_key(&self, entry: &Entry<'_>, shape: &Shape) -> Problem {
        let p = self
            .error("unknown-key", entry.key_span, format!("unknown key `{}` in {}", shown(&entry.key), shape.what))
            .label("not a key here", self.width(entry.key_span));
        match did_you_mean(&entry.key, shape.keys.iter().copied()) {
            Some(near) => p.help(format!("did you mean `{near}`?")),
            None => p.help(format!("the keys are {}", shape.keys.join(", "))),
        }
    }
}

/// The entries of a map whose keys were checked.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'n, 'a> {
    /// Where the map begins.
    pub span: Span,
    /// The entries, in file order.
    pub entries: &'n [Entry<'a>],
}

impl<'n, 'a> Fields<'n, 'a> {
    /// The value of a key. Of a key given twice, the first; that is an error elsewhere.
    pub fn get(&self, key: &str) -> Option<&'n Node<'a>> {
        self.entries.iter().find(|e| e.key == key).map(|e| &e.value)
    }

    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<&'n Entry<'a>> {
        self.entries.iter().find(|e| e.key == key)
    }
}

/// A value as it was written, for a message.
fn written(node: &Node<'_>) -> String {
    match &node.value {
        Value::Scalar(..) if node.is_null() => node.kind().to_owned(),
        Value::Scalar(text, Style::Plain) => format!("`{}`", shown(text)),
        Value::Scalar(text, Style::Quoted | Style::Block) => format!("the text \"{}\"", shown(text)),
        Value::List(_) | Value::Map(_) => node.kind().to_owned(),
    }
}

/// A piece of a user's text for a message: on one line and not too long.
pub(crate) fn shown(text: &str) -> String {
    let mut out: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(60).is_some() {
        out.push('…');
    }
    out
}

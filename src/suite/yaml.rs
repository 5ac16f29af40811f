//! Reads YAML into a [`Node`] tree. The only place that knows the YAML crate.
//!
//! The tree is built from the parser's events and not through serde, because a golden set needs what serde's model
//! drops: places, quotes, the characters of an unquoted scalar, and every one of several equal keys. The subset is that
//! of files that people review: one document, no anchors, aliases, merge keys or tags.

use super::node::{Entry, MAX_DEPTH, Node, Reader, Span, Style, Value};
use serde_yaml::granit_parser::{self as granit, ErrorKind, Event, Parser, ScalarStyle, ScanError};
use std::borrow::Cow;

/// The one document of a YAML file; nothing when it is not YAML or is empty, which is recorded. Anchors, tags and
/// further documents are recorded too, and reading goes on.
pub fn parse<'a>(reader: &Reader<'a>) -> Option<Node<'a>> {
    reader.watch_comments();
    let text = reader.text();
    // YAML would count it as a line end; editors and the lines of messages do not.
    if let Some(at) = memchr::memchr(b'\r', text.as_bytes()) {
        let line = text.as_bytes().iter().take(at).filter(|b| **b == b'\n').count() + 1;
        let title = "a carriage return stands alone here, expected LF or CRLF line ends";
        reader.push(
            reader.error("carriage-return", Span::new(line, at, at + 1), title).help("save the file with LF line ends"),
        );
        return None;
    }
    let options = granit::options! {
        emit_comments: false,
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut tree = Tree { reader, open: Vec::new(), root: None, documents: 0, plain_end: None };
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => {
                if !tree.event(event, &span) {
                    return None;
                }
            }
            Err(e) => {
                reader.push(syntax(reader, &e, tree.plain_end));
                return None;
            }
        }
    }
    if tree.root.is_none() && !reader.failed() {
        let start = Span::new(1, 0, 0);
        reader.push(reader.error(
            "file-empty",
            start,
            "this file is empty, expected a map that begins with `version: 1`",
        ));
    }
    tree.root
}

/// A list or map whose end was not reached yet.
enum Open<'a> {
    List(Span, Vec<Node<'a>>),
    Map(Span, Vec<Entry<'a>>, Option<(Cow<'a, str>, Span)>),
}

struct Tree<'a, 'r> {
    reader: &'r Reader<'a>,
    open: Vec<Open<'a>>,
    root: Option<Node<'a>>,
    documents: usize,
    /// Where the last scalar ended, when it was unquoted.
    plain_end: Option<usize>,
}

impl<'a> Tree<'a, '_> {
    /// Takes one event; false when reading must stop.
    fn event(&mut self, event: Event<'a>, span: &granit::Span) -> bool {
        let at = self.span(span);
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.refuse(
                        "yaml-documents",
                        at,
                        "a second document begins here, expected one",
                        "remove the `---`",
                    );
                    return false;
                }
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                let help = "write the value out; quote a text that begins with `*`";
                self.refuse("yaml-alias", at, "an alias (`*name`) is not allowed in this file", help);
                self.close(Node::null(at));
            }
            Event::Scalar(text, style, anchor, tag) => {
                self.properties(anchor, tag.is_some(), span);
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
                    ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
                };
                self.plain_end = (style == Style::Plain).then_some(at.end as usize);
                // A value that was left out arrives as `~` over no characters.
                let text = if style == Style::Plain && at.start == at.end { Cow::Borrowed("") } else { text };
                self.close(Node { span: at, value: Value::Scalar(text, style) });
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.properties(anchor, tag.is_some(), span);
                return self.begin(Open::List(at, Vec::new()), at);
            }
            Event::MappingStart(_, anchor, tag) => {
                self.properties(anchor, tag.is_some(), span);
                return self.begin(Open::Map(at, Vec::new(), None), at);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let node = match self.open.pop() {
                    Some(Open::List(span, items)) => Node { span, value: Value::List(items) },
                    Some(Open::Map(span, entries, _)) => Node { span, value: Value::Map(entries) },
                    None => return true,
                };
                self.close(node);
            }
            Event::Comment(..) | Event::Anchor(..) => {}
            // The enum is open: what a later version of the parser adds is refused, never dropped in silence.
            _ => self.refuse("yaml-syntax", at, "this kind of YAML is not allowed in this file", "write it plainly"),
        }
        true
    }

    fn span(&self, span: &granit::Span) -> Span {
        let range = span.byte_range().unwrap_or(0..0);
        // The parser says where a scalar's token ends, which may include blanks in front of a comment.
        let piece = self.reader.text().get(range.clone()).unwrap_or_default();
        Span::new(span.start.line(), range.start, range.start + piece.trim_end().len())
    }

    fn begin(&mut self, open: Open<'a>, at: Span) -> bool {
        if self.open.len() >= MAX_DEPTH {
            let title = format!("lists and maps nest more than {MAX_DEPTH} levels deep here");
            self.reader.push(self.reader.error("too-deep", at, title));
            return false;
        }
        self.open.push(open);
        true
    }

    /// A value is complete: it becomes a key, a value, an item or the root.
    fn close(&mut self, node: Node<'a>) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map(_, entries, key)) => match key.take() {
                Some((key, key_span)) => entries.push(Entry { key, key_span, value: node }),
                None => match node.value {
                    Value::Scalar(text, style) => {
                        if style == Style::Plain && text == "<<" {
                            let title = "a merge key (`<<`) is not allowed in this file";
                            self.reader
                                .push(self.reader.error("yaml-merge", node.span, title).help("write the values out"));
                        }
                        *key = Some((text, node.span));
                    }
                    Value::List(_) | Value::Map(_) => {
                        let title = "a key must be a text, not a list or a map";
                        let help = "quote a text that begins with `[` or `{`";
                        self.reader.push(self.reader.error("yaml-key", node.span, title).help(help));
                        *key = Some((Cow::Borrowed(""), node.span));
                    }
                },
            },
        }
    }

    /// Refuses anchors and tags.
    fn properties(&self, anchor: usize, tagged: bool, span: &granit::Span) {
        if anchor != 0 {
            let help = "write the value out; quote a text that begins with `&`";
            self.refuse("yaml-anchor", self.span(span), "an anchor (`&name`) is not allowed in this file", help);
        }
        if tagged {
            let at = span.tag_span().map_or_else(|| self.span(span), |s| self.span(&s));
            let help = "leave it out; quote a text that begins with `!`";
            self.refuse("yaml-tag", at, "a tag (`!name`) is not allowed in this file", help);
        }
    }

    fn refuse(&self, code: &'static str, at: Span, title: &str, help: &str) {
        self.reader.push(self.reader.error(code, at, title).help(help));
    }
}

/// True when only blanks and at least one comment stand between two places on different lines.
fn only_comments(text: &str, from: usize, to: usize) -> bool {
    let between = text.get(from..to).unwrap_or_default();
    let mut comments = between.lines().map(str::trim).filter(|l| !l.is_empty()).peekable();
    between.contains('\n') && comments.peek().is_some() && comments.all(|l| l.starts_with('#'))
}

/// A syntax error in the words of this tool, with what to do.
fn syntax(reader: &Reader<'_>, e: &ScanError, plain_end: Option<usize>) -> crate::problem::Problem {
    let mark = e.marker();
    let text = reader.text();
    let byte = mark.byte_offset().unwrap_or(0).min(text.len());
    // At the very end there is no character to point at.
    let at = Span::new(mark.line().max(1), byte, byte + 1);
    let line = text.lines().nth(mark.line().saturating_sub(1)).unwrap_or_default();
    let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
    if indent.contains('\t') {
        let start = text.get(..byte).and_then(|t| t.rfind('\n')).map_or(0, |i| i + 1);
        let tab = start + indent.find('\t').unwrap_or(0);
        return reader
            .error("yaml-tab", Span::new(mark.line(), tab, tab + 1), "a tab in the indentation, expected spaces")
            .label("a tab", 1)
            .help("indent with spaces; most editors convert tabs on request");
    }
    if *e.kind() == ErrorKind::CommentInterceptedScalar || plain_end.is_some_and(|end| only_comments(text, end, byte)) {
        return reader
            .error(
                "yaml-comment-in-text",
                at,
                "a comment stands between the lines of an unquoted text, which ends there",
            )
            .help("quote the text, use a block (`|`), or move the comment");
    }
    let said = e.kind().to_string();
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "an open enum of another crate; its own words serve for the rest"
    )]
    let (code, title, help) = match e.kind() {
        ErrorKind::ExpectedBlockMappingKey | ErrorKind::ExpectedBlockSequenceEntry | ErrorKind::InvalidIndentation => (
            "yaml-syntax",
            "not YAML: this line fits neither the list nor the map above it, expected `- ` or `key:`".to_owned(),
            "check its indentation",
        ),
        ErrorKind::RecursionLimitExceeded => {
            ("too-deep", format!("lists and maps nest more than {MAX_DEPTH} levels deep here"), "")
        }
        ErrorKind::MappingValueNotAllowed
        | ErrorKind::InvalidColonPlacement
        | ErrorKind::InvalidMappingValueWhitespace => {
            ("yaml-syntax", format!("not YAML: {said}"), "quote a text that holds `: `")
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => (
            "yaml-syntax",
            format!("not YAML: {said}"),
            "expected `key: value`; lines of one text are indented deeper than its key",
        ),
        ErrorKind::UnclosedQuotedScalar | ErrorKind::InvalidQuotedScalarIndent => {
            ("yaml-syntax", format!("not YAML: {said}"), "close the quotes; inside '…' write a quote as ''")
        }
        ErrorKind::UnexpectedCharacter { .. } => (
            "yaml-syntax",
            format!("not YAML: {said}"),
            "quote a text that begins with a special character such as @ ` %",
        ),
        ErrorKind::UnknownQuotedScalarEscape => {
            ("yaml-syntax", format!("not YAML: {said}"), "inside \"…\" write a backslash as \\\\, or use '…'")
        }
        ErrorKind::BomInsideDocument => (
            "yaml-syntax",
            "a byte-order mark stands inside the document".to_owned(),
            "remove it: only the first bytes of a file may hold it",
        ),
        _ => ("yaml-syntax", format!("not YAML: {said}"), ""),
    };
    let p = reader.error(code, at, title);
    if help.is_empty() { p } else { p.help(help) }
}

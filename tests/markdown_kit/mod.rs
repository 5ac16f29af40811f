//! Markdown as GitHub renders it: another maker's CommonMark with GitHub's tables, and what is left of the HTML in it.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used, reason = "each test file uses a part of it")]

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use regex::Regex;
use std::collections::BTreeSet;

/// A report as it is read.
#[derive(Debug, Default)]
pub struct Page {
    /// Each table: the cells of its rows as text.
    pub tables: Vec<Vec<Vec<String>>>,
    /// The text of code blocks.
    pub code: Vec<String>,
    /// The text that a reader sees, of folds too.
    pub text: String,
    /// The names of the elements of raw HTML.
    pub elements: BTreeSet<String>,
    /// The summaries of folds.
    pub folds: Vec<String>,
    /// Links and pictures that were made of the text.
    pub links: usize,
    /// The raw HTML.
    pub raw: String,
    /// Comments.
    pub comments: Vec<String>,
}

/// The elements that a report may hold, none with an attribute: GitHub's sanitizer keeps them all.
const OURS: [&str; 9] = ["br", "details", "summary", "p", "b", "code", "del", "ins", "strong"];

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.math_dollars = true;
    options.render.r#unsafe = true;
    options
}

/// Reads a report; fails where it holds HTML that is not ours, or where folds are not closed.
#[track_caller]
#[allow(clippy::wildcard_enum_match_arm, reason = "another maker's type, of which few kinds matter")]
pub fn page(markdown: &str) -> Page {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &options());
    let mut page = Page::default();
    for node in root.descendants() {
        match &node.data.borrow().value {
            NodeValue::Table(_) => page.tables.push(Vec::new()),
            NodeValue::TableRow(_) => page.tables.last_mut().unwrap().push(Vec::new()),
            NodeValue::TableCell => page.tables.last_mut().unwrap().last_mut().unwrap().push(String::new()),
            NodeValue::Link(_) | NodeValue::Image(_) | NodeValue::FootnoteReference(_) | NodeValue::Math(_) => {
                page.links += 1;
            }
            NodeValue::CodeBlock(c) => page.code.push(c.literal.clone()),
            NodeValue::Text(t) => page.say(t, node),
            NodeValue::Code(c) => page.say(&c.literal, node),
            NodeValue::HtmlInline(html) => page.html(html, node),
            NodeValue::HtmlBlock(block) => page.html(&block.literal, node),
            _ => {}
        }
    }
    // A fold that is left open would swallow what follows it.
    for tag in ["details", "summary", "p", "b", "code", "del", "ins", "strong"] {
        let count = |t: String| page.raw.matches(t.as_str()).count();
        assert_eq!(count(format!("<{tag}>")), count(format!("</{tag}>")), "<{tag}> is not closed:\n{markdown}");
    }
    page
}

impl Page {
    fn say(&mut self, text: &str, node: comrak::Node<'_>) {
        self.text.push_str(text);
        if node.ancestors().any(|n| matches!(n.data.borrow().value, NodeValue::TableCell)) {
            self.tables.last_mut().unwrap().last_mut().unwrap().last_mut().unwrap().push_str(text);
        }
    }

    #[track_caller]
    fn html(&mut self, html: &str, node: comrak::Node<'_>) {
        self.raw.push_str(html);
        let mut rest = html.to_owned();
        while let Some((before, after)) = rest.clone().split_once("<!--") {
            let (comment, after) = after.split_once("-->").unwrap();
            self.comments.push(comment.trim().to_owned());
            rest = format!("{before}{after}");
        }
        let element = Regex::new("<[^>]*>").unwrap();
        for summary in Regex::new("<summary>(.*)</summary>").unwrap().captures_iter(&rest) {
            let plain = element.replace_all(&summary[1], "").into_owned();
            self.folds.push(decoded(&plain));
        }
        for tag in Regex::new("<[^>]*>?").unwrap().find_iter(&rest) {
            let name = tag.as_str().trim_matches(['<', '>', '/']).to_owned();
            assert!(OURS.contains(&name.as_str()), "{:?} is not ours in:\n{html}", tag.as_str());
            self.elements.insert(name);
        }
        let text = decoded(&Regex::new("<[^>]*>").unwrap().replace_all(&rest, " "));
        self.say(&text, node);
    }
}

/// The entities of a text as a browser shows them.
fn decoded(text: &str) -> String {
    let number = Regex::new("&#([0-9]+);").unwrap();
    let shown =
        number.replace_all(text, |c: &regex::Captures<'_>| char::from_u32(c[1].parse().unwrap()).unwrap().to_string());
    shown.replace("&nbsp;", "\u{a0}")
}

/// What GitHub would make of what is shown: mentions, issue links, addresses.
pub fn is_live(text: &str) -> bool {
    Regex::new(r"(?i)@[a-z0-9]|(?:^|[^&\w])#[0-9]|\bGH-[0-9]|www\.|https?://").unwrap().is_match(text)
}

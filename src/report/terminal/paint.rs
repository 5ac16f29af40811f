//! Lines with ink, measured in columns.

use super::Look;
use crate::report::{clean, cut};
use anstyle::{AnsiColor, Style};
use std::borrow::Cow;

/// How a piece of a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Plain,
    Strong,
    Dim,
    Good,
    Bad,
    Warn,
}

impl Ink {
    fn style(self) -> Style {
        match self {
            Ink::Plain => Style::new(),
            Ink::Strong => Style::new().bold(),
            Ink::Dim => Style::new().dimmed(),
            Ink::Good => AnsiColor::Green.on_default(),
            Ink::Bad => AnsiColor::Red.on_default().bold(),
            Ink::Warn => AnsiColor::Yellow.on_default(),
        }
    }
}

/// One line, in pieces. Texts of others are cleaned before they come here.
#[derive(Debug, Default)]
pub(super) struct Line(Vec<(String, Ink)>);

impl Line {
    pub(super) fn new() -> Self {
        Line::default()
    }

    pub(super) fn ink(mut self, text: &str, ink: Ink) -> Self {
        self.0.push((text.to_owned(), ink));
        self
    }

    pub(super) fn plain(self, text: &str) -> Self {
        self.ink(text, Ink::Plain)
    }

    fn columns(&self) -> usize {
        self.0.iter().map(|(t, _)| cut::columns(t)).sum()
    }
}

/// The text as it grows.
#[derive(Debug)]
pub(super) struct Paper {
    look: Look,
    text: String,
}

impl Paper {
    pub(super) fn new(look: Look) -> Self {
        Paper { look, text: String::new() }
    }

    /// All of it. What was clean piece by piece may be a command of the log's reader as a whole, or once a line is wrapped.
    pub(super) fn text(&self) -> Cow<'_, str> {
        clean::log(&self.text)
    }

    pub(super) fn width(&self) -> usize {
        self.look.width
    }

    /// True where a text does not fit beside a label of that many columns, and stands below it.
    fn narrow(&self, indent: usize) -> bool {
        indent + 12 > self.look.width
    }

    /// The columns of a text beside (or below) a label.
    pub(super) fn room(&self, indent: usize) -> usize {
        self.look.width.saturating_sub(if self.narrow(indent) { 2 } else { indent })
    }

    /// An empty line, unless there is one.
    pub(super) fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A line. Names and places are never cut: a line that holds one may be longer than the terminal is wide.
    pub(super) fn line(&mut self, mut line: Line) {
        while line.0.last().is_some_and(|(t, _)| t.trim().is_empty()) {
            line.0.pop();
        }
        let last = line.0.len().saturating_sub(1);
        for (i, (text, ink)) in line.0.into_iter().enumerate() {
            let text = if i == last { text.trim_end() } else { &text };
            let style = ink.style();
            if text.is_empty() {
                continue;
            }
            if self.look.colour && ink != Ink::Plain {
                self.text.push_str(&format!("{style}{text}{style:#}"));
            } else {
                self.text.push_str(text);
            }
        }
        self.text.push('\n');
    }

    /// A line with something at its right end; where both do not fit, it goes to a line of its own.
    pub(super) fn ends(&mut self, left: Line, right: &str, ink: Ink) {
        let (l, r) = (left.columns(), cut::columns(right));
        if right.is_empty() {
            self.line(left);
        } else if l + 2 + r <= self.look.width {
            let gap = self.look.width - l - r;
            self.line(left.plain(&" ".repeat(gap)).ink(right, ink));
        } else {
            self.line(left);
            self.right(right, ink);
        }
    }

    /// A line with something at its right end only.
    pub(super) fn right(&mut self, right: &str, ink: Ink) {
        let gap = self.look.width.saturating_sub(cut::columns(right));
        self.line(Line::new().plain(&" ".repeat(gap)).ink(right, ink));
    }

    /// A label and a text that is wrapped beside it, on at most `lines` lines.
    pub(super) fn hanging(&mut self, label: &str, label_ink: Ink, text: &str, ink: Ink, lines: usize) {
        self.hanging_ends(label, label_ink, text, ink, lines, "");
    }

    /// As [`Paper::hanging`], with something at the right end of the last line.
    pub(super) fn hanging_ends(
        &mut self,
        label: &str,
        label_ink: Ink,
        text: &str,
        ink: Ink,
        lines: usize,
        right: &str,
    ) {
        let indent = cut::columns(label);
        // On a very narrow terminal the text goes below its label.
        let narrow = self.narrow(indent);
        let room = self.room(indent);
        let mut wrapped = cut::wrap(text, room, lines);
        if wrapped.is_empty() {
            wrapped.push(String::new());
        }
        if narrow && !label.trim().is_empty() {
            self.line(Line::new().ink(label.trim_end(), label_ink));
        }
        let last = wrapped.len() - 1;
        for (i, piece) in wrapped.iter().enumerate() {
            let line = match (narrow, i) {
                (true, _) => Line::new().plain("  "),
                (false, 0) => Line::new().ink(label, label_ink),
                (false, _) => Line::new().plain(&" ".repeat(indent)),
            };
            let line = line.ink(piece, ink);
            if i == last { self.ends(line, right, Ink::Dim) } else { self.line(line) }
        }
    }

    /// Parts with `·` between them, wrapped between the parts where each fits on a line.
    pub(super) fn parts(&mut self, label: &str, parts: &[String]) {
        const BETWEEN: &str = " · ";
        let indent = cut::columns(label);
        let room = self.room(indent);
        if self.narrow(indent) || parts.iter().any(|p| cut::columns(p) + cut::columns(BETWEEN) > room) {
            return self.hanging(label, Ink::Strong, &parts.join(BETWEEN), Ink::Plain, 3);
        }
        let mut lines: Vec<String> = Vec::new();
        for part in parts {
            match lines.last_mut() {
                Some(l) if cut::columns(l) + cut::columns(BETWEEN) + cut::columns(part) <= room => {
                    l.push_str(BETWEEN);
                    l.push_str(part);
                }
                _ => lines.push(part.clone()),
            }
        }
        for (i, text) in lines.iter().enumerate() {
            let line =
                if i == 0 { Line::new().ink(label, Ink::Strong) } else { Line::new().plain(&" ".repeat(indent)) };
            self.line(line.plain(text));
        }
    }

    /// Pieces beside each other, three blanks between them, wrapped between the pieces.
    pub(super) fn row(&mut self, label: &str, pieces: &[(String, Ink)]) {
        let indent = cut::columns(label);
        let mut line = Line::new().plain(label);
        let mut fresh = true;
        for (text, ink) in pieces {
            let gap = if fresh { 0 } else { 3 };
            if !fresh && line.columns() + gap + cut::columns(text) > self.look.width {
                self.line(std::mem::take(&mut line));
                line = Line::new().plain(&" ".repeat(indent.min(self.look.width / 2))).ink(text, *ink);
            } else {
                line = line.plain(&" ".repeat(gap)).ink(text, *ink);
            }
            fresh = false;
        }
        self.line(line);
    }
}

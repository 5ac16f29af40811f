//! Shows a problem: the place, the line with a caret, what was expected, what to do.
//!
//! The line comes from a user's file and may hold anything. Control characters and those that turn the writing direction
//! are made visible as `�`, and of a long line only the part around the caret is shown.

use super::veil::veil;
use super::{Gravity, Place, Problem};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// How many columns of a line are shown.
const COLUMNS: usize = 100;

/// A problem as text of several lines, without a line break at its end; with colours when the reader is a terminal
/// that has them.
pub fn render(problem: &Problem, colour: bool) -> String {
    let level = match problem.gravity {
        Gravity::Error => Level::ERROR,
        Gravity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(clean(&problem.title)).id(problem.code));
    let mut notes = Vec::new();
    let mut replaced = None;
    match Excerpt::new(problem) {
        Some(excerpt) => {
            let path = clean(&problem.place.file);
            // The renderer counts columns from where the shown part of the line begins.
            let counted = format!("{path}:{}:{}", problem.place.line, excerpt.counted_column);
            replaced = Some((counted, format!("{path}:{}:{}", problem.place.line, problem.place.column)));
            let line = usize::try_from(excerpt.first_line).unwrap_or(1);
            let mut snippet = Snippet::source(excerpt.text).line_start(line).path(path);
            for (range, label, kind) in excerpt.carets {
                let label = (!label.is_empty()).then(|| clean(label));
                snippet = snippet.annotation(kind.span(range).label(label));
            }
            group = group.element(snippet);
            notes.extend(excerpt.outside.into_iter().map(|(place, label)| format!("{label}: {place}")));
        }
        None => {
            // A fault of the command itself has no place.
            if !problem.place.file.is_empty() {
                group = group.element(origin(&problem.place));
            }
            if !problem.label.is_empty() {
                notes.push(problem.label.clone());
            }
            notes.extend(problem.related.iter().map(|(place, label)| format!("{label}: {place}")));
        }
    }
    group = group.elements(notes.iter().map(|n| Level::NOTE.message(clean(n))));
    if let Some(help) = &problem.help {
        group = group.element(Level::HELP.message(clean(help)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let text = renderer.decor_style(DecorStyle::Ascii).term_width(COLUMNS + 60).render(&[group]);
    let text = match (text.split_once("--> "), replaced.filter(|(counted, right)| counted != right)) {
        (Some((before, after)), Some((counted, right))) => {
            format!("{before}--> {}", after.replacen(&counted, &right, 1))
        }
        (Some(_) | None, Some(_) | None) => text,
    };
    if colour {
        return text;
    }
    // A caret behind the last character needs a blank to stand on; nobody else does.
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn origin(place: &Place) -> Origin<'static> {
    let origin = Origin::path(clean(&place.file));
    if place.line == 0 {
        return origin;
    }
    let origin = origin.line(usize::try_from(place.line).unwrap_or(1));
    if place.column == 0 { origin } else { origin.char_column(usize::try_from(place.column).unwrap_or(1)) }
}

/// The lines that a problem is about, and what lies between them.
struct Excerpt<'a> {
    text: String,
    first_line: u32,
    carets: Vec<(Range<usize>, &'a str, AnnotationKind)>,
    /// The column of the problem as counted in the shown part of its line.
    counted_column: usize,
    /// Places that are not shown.
    outside: Vec<(&'a Place, &'a str)>,
}

impl<'a> Excerpt<'a> {
    fn new(problem: &'a Problem) -> Option<Self> {
        let source = problem.source.as_ref().filter(|s| *s.path == *problem.place.file)?;
        let here = &problem.place;
        let mut windows: BTreeMap<u32, Window> = BTreeMap::new();
        // Addresses and headers stand in the settings alone.
        let may_hold_secrets = here.file.ends_with("ragline.toml");
        let lines: Vec<Cow<'_, str>> =
            source.text.split('\n').map(|l| if may_hold_secrets { veil(l) } else { l.into() }).collect();
        let line = |n: u32| lines.get(usize::try_from(n).ok()?.checked_sub(1)?).map(AsRef::as_ref);
        windows.insert(here.line, Window::new(line(here.line)?, here.column));
        let (related, mut outside): (Vec<_>, Vec<_>) =
            problem.related.iter().map(|(p, l)| (p, l.as_str())).partition(|(p, _)| p.file == here.file && p.line > 0);
        for (place, _) in &related {
            if let Some(text) = line(place.line) {
                windows.entry(place.line).or_insert_with(|| Window::new(text, place.column));
            }
        }
        let (first, last) = (*windows.first_key_value()?.0, *windows.last_key_value()?.0);
        // Lines in between are folded away, unless they are few; of the far ones nothing is needed.
        let mut text = String::new();
        let mut starts = BTreeMap::new();
        for n in first..=last {
            if n > first {
                text.push('\n');
            }
            if let Some(window) = windows.get(&n) {
                starts.insert(n, text.len());
                text.push_str(&window.text);
            } else if (n.saturating_sub(3)..=n.saturating_add(3)).any(|m| windows.contains_key(&m)) {
                text.push_str(&Window::new(line(n).unwrap_or_default(), 1).text);
            }
        }
        let caret = |place: &Place, width: u32| {
            let range = windows.get(&place.line)?.caret(place.column, width)?;
            let start = starts.get(&place.line)?;
            Some(start + range.start..start + range.end)
        };
        let mut carets = vec![(caret(here, problem.width)?, problem.label.as_str(), AnnotationKind::Primary)];
        for (place, label) in related {
            match caret(place, 1) {
                Some(range) => carets.push((range, label, AnnotationKind::Context)),
                None => outside.push((place, label)),
            }
        }
        let counted_column = windows.get(&here.line)?.counted(here.column);
        Some(Excerpt { text, first_line: first, carets, counted_column, outside })
    }
}

/// The part of a line around a column.
struct Window {
    text: String,
    /// How many characters are cut off in front.
    cut: usize,
    /// Where each shown character begins in the text, and where the last one ends.
    bytes: Vec<usize>,
}

impl Window {
    fn new(line: &str, column: u32) -> Self {
        let line: Vec<char> = line.chars().map(visible).collect();
        let caret = usize::try_from(column).unwrap_or(1).saturating_sub(1).min(line.len());
        let columns = |c: &char| c.width().unwrap_or(0);
        // Shown from the begin when the caret is near it; else with a third of the room in front of the caret.
        let mut start = caret;
        let mut room = if line.iter().take(caret).map(columns).sum::<usize>() < COLUMNS * 3 / 4 {
            COLUMNS * 3 / 4
        } else {
            COLUMNS / 3
        };
        while let Some(c) = start.checked_sub(1).and_then(|i| line.get(i)) {
            // A pile of marks without width is cut too.
            let Some(left) = room.checked_sub(columns(c)).filter(|_| caret - start < 4 * COLUMNS) else { break };
            room = left;
            start -= 1;
        }
        let mut text = String::new();
        if start > 0 {
            text.push('…');
        }
        let mut bytes = Vec::new();
        let mut room = COLUMNS;
        let mut end = start;
        while let Some(c) = line.get(end) {
            let Some(left) = room.checked_sub(columns(c)).filter(|_| end - start < 8 * COLUMNS) else { break };
            room = left;
            bytes.push(text.len());
            text.push(*c);
            end += 1;
        }
        bytes.push(text.len());
        text.push(if end < line.len() { '…' } else { ' ' });
        bytes.push(text.len());
        Window { text, cut: start, bytes }
    }

    /// The bytes under a caret; the last one stands behind the last character.
    fn caret(&self, column: u32, width: u32) -> Option<Range<usize>> {
        let from = usize::try_from(column).ok()?.max(1).checked_sub(1 + self.cut)?;
        let last = self.bytes.len() - 1;
        let to = from.saturating_add(usize::try_from(width).ok()?.max(1)).min(last.saturating_sub(1)).max(from + 1);
        Some(*self.bytes.get(from)?..*self.bytes.get(to)?)
    }

    /// The column as counted in the shown part.
    fn counted(&self, column: u32) -> usize {
        let column = usize::try_from(column).unwrap_or(1).max(1);
        if self.cut == 0 { column } else { (column + 1).saturating_sub(self.cut) }
    }
}

/// Text on one line whose characters show themselves.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { ' ' } else { visible(c) }).collect()
}

/// A character, or a sign in its place when it would act on the terminal instead of being shown.
fn visible(c: char) -> char {
    match c {
        '\t' => ' ',
        // Marks of writing direction and invisible separators.
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
            '\u{fffd}'
        }
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Source;
    use std::sync::Arc;

    fn place(line: u32, column: u32) -> Place {
        Place { file: "s.yaml".into(), line, column }
    }

    fn problem(text: &str, line: u32, column: u32, width: usize) -> Problem {
        let source = Arc::new(Source { path: "s.yaml".into(), text: text.into() });
        Problem::error("some-code", place(line, column), "wrong").label("here", width).source(&source)
    }

    #[test]
    fn the_line_is_shown_with_a_caret_under_the_place() {
        let p = problem("a: 1\nb: 2\nc: 3\nd: 4\nfatcs: [x]\n", 5, 1, 5)
            .help("did you mean `facts`?")
            .related(place(1, 4), "first");
        let right = "\
error[some-code]: wrong
 --> s.yaml:5:1
  |
1 | a: 1
  |    - first
...
5 | fatcs: [x]
  | ^^^^^ here
  |
  = help: did you mean `facts`?";
        assert_eq!(render(&p, false), right);
        assert!(render(&p, true).contains("\u{1b}["));
    }

    #[test]
    fn hostile_text_is_shown_and_never_acts() {
        let p = problem("a: \u{1b}[31m\u{202e}x\r\u{7}\t!", 1, 4, 3).related(place(1, 999), "o\u{1b}");
        let out = render(&p, false);
        assert!(out.chars().all(|c| c == '\n' || !c.is_control()), "{out:?}");
        assert!(!out.contains('\u{202e}') && out.contains("s.yaml:1:4"), "{out}");
    }

    #[test]
    fn a_long_line_is_cut_around_the_caret_and_keeps_its_column() {
        let line = format!("{}FAULT{}", "từ ".repeat(3000), " chối".repeat(3000));
        let out = render(&problem(&line, 1, 9001, 5), false);
        assert!(out.contains("s.yaml:1:9001") && out.contains("FAULT") && out.contains("^^^^^ here"), "{out}");
        assert!(out.lines().all(|l| l.chars().count() < 130), "{out}");
        // Wide characters: the caret stands below its character, two columns for each in front.
        let out = render(&problem("进水: 可以", 1, 5, 2), false);
        let caret = out.lines().find(|l| l.contains('^')).unwrap();
        assert!(caret.starts_with("  |       ^^^^ here"), "{out}");
    }

    #[test]
    fn places_without_text_are_named() {
        let p =
            Problem::error("c", Place::file("a.yaml"), "t").related(Place::file("b.yaml"), "the other one").help("h");
        let out = render(&p, false);
        assert!(out.contains("a.yaml") && out.contains("the other one: b.yaml") && out.contains("help: h"), "{out}");
        // A caret behind the last character, and places that are not in the file.
        assert!(render(&problem("ab", 1, 3, 1), false).contains('^'));
        for (line, column) in [(9, 1), (1, 99), (0, 0), (1, 0), (u32::MAX, u32::MAX)] {
            assert!(render(&problem("ab\n", line, column, 9), false).contains("wrong"));
        }
    }
}

//! The cases and the text of the file.

use super::{Case, Dialect, Status, line};
use crate::problem::Place;
use crate::report::clean;
use junit_report::{Property, TestCase, TestCaseStatus, TestSuite, XmlString};
use std::cell::RefCell;

pub(super) fn property(name: &'static str, value: &str) -> Property {
    Property::new(fixed(name), line(value))
}

/// What stands in the report for a story, in its element. No attribute holds a `>`, and no text that is told this character.
const PLACE: &str = ">\u{fdd0}<";

/// The stories in the order of the report, which are put into its text at the end: they are clean already, and the JUnit
/// crate looks for terminal escapes in every text, letter by letter, which for megabytes is most of the time that the file
/// takes.
#[derive(Default)]
pub(super) struct Stories<'a>(Vec<&'a str>);

impl<'a> Stories<'a> {
    /// Takes a story: what stands for it.
    fn put(&mut self, story: &'a str) -> XmlString {
        self.0.push(story);
        fixed("\u{fdd0}")
    }

    /// The text of a report with the stories in their places.
    pub(super) fn fill(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + self.0.iter().map(|s| s.len() * 9 / 8).sum::<usize>() + 1);
        let mut pieces = text.split(PLACE);
        out.push_str(pieces.next().unwrap_or_default());
        for (piece, story) in pieces.zip(&self.0) {
            out.push('>');
            escape(&mut out, story);
            out.push('<');
            out.push_str(piece);
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out
    }
}

/// A file whose outermost element has no `skipped`, which the JUnit crate always writes.
pub(super) fn without_top_skipped(text: String) -> String {
    let Some((front, rest)) = text.split_once("<testsuites") else { return text };
    let Some((tag, behind)) = rest.split_once('>') else { return text };
    let Some((before, value)) = tag.split_once(" skipped=\"") else { return text };
    let after = value.split_once('"').map_or("", |(_, after)| after);
    format!("{front}<testsuites{before}{after}>{behind}")
}

/// Writes the cases of one suite.
pub(super) struct Cases {
    class: XmlString,
    dialect: Dialect,
    /// Passed cases have no property.
    slim: bool,
    files: Files,
    /// So many cases lost their property.
    pub(super) dropped: usize,
}

impl Cases {
    pub(super) fn new(class: XmlString, dialect: Dialect, slim: bool) -> Self {
        Cases { class, dialect, slim, files: Files::default(), dropped: 0 }
    }

    /// The suite that they belong to, empty.
    pub(super) fn suite(&self) -> TestSuite {
        TestSuite::new(self.class.clone())
    }

    pub(super) fn case<'a>(&mut self, case: &'a Case, stories: &mut Stories<'a>) -> TestCase {
        let status = match &case.status {
            Status::Passed => TestCaseStatus::success(),
            Status::Skipped { message, story } => skipped(message, story.as_deref(), stories),
            Status::Broken { message, story, advisory: true, .. } => {
                skipped(&format!("would have blocked: {message}"), story.as_deref(), stories)
            }
            Status::Broken { kind, ty, message, story, .. } => {
                let mut status = TestCaseStatus::non_success(*kind);
                status.set_type(ty.as_str()).set_message(message.as_str());
                if let Some(story) = story {
                    status.set_description(stories.put(story));
                }
                status
            }
        };
        let mut out = TestCase::new(case.name.as_str(), status);
        out.set_classname(self.class.clone());
        if let Some(time) = case.time {
            out.set_time(time);
        }
        let plain = matches!(case.status, Status::Passed) && case.properties.len() == 1;
        match self.dialect {
            Dialect::Usual => {
                if !(self.slim && plain) {
                    out.add_properties(case.properties.iter().cloned());
                } else {
                    self.dropped += 1;
                }
                if let Some(place) = &case.place {
                    out.extra.insert(fixed("file"), self.files.of(place));
                    if place.line > 0 {
                        out.extra.insert(fixed("line"), place.line.to_string().into());
                    }
                }
            }
            // What the schema has no place for; nothing where nothing happened.
            Dialect::Strict if !plain => {
                let mut text: String =
                    case.properties.iter().map(|p| format!("{}: {}\n", p.name.as_str(), p.value.as_str())).collect();
                if let Some(place) = &case.place {
                    text.push_str(&format!("place: {}\n", clean::xml_line(&place.to_string())));
                }
                out.set_system_out(text);
            }
            Dialect::Strict => {}
        }
        out
    }
}

/// The file of the cases, which is the same for nearly all of a suite.
#[derive(Default)]
struct Files(Option<(std::sync::Arc<str>, XmlString)>);

impl Files {
    fn of(&mut self, place: &Place) -> XmlString {
        match &self.0 {
            Some((file, xml)) if *file == place.file => xml.clone(),
            _ => {
                let xml = XmlString::new(clean::xml_line(&place.file));
                self.0 = Some((place.file.clone(), xml.clone()));
                xml
            }
        }
    }
}

/// A word of this program as the JUnit crate wants it. Its constructor looks for terminal escapes in every text, which
/// for the same dozen words on thousands of cases is most of the time that the file takes.
pub(super) fn fixed(text: &'static str) -> XmlString {
    thread_local!(static SEEN: RefCell<Vec<(&'static str, XmlString)>> = const { RefCell::new(Vec::new()) });
    SEEN.with_borrow_mut(|seen| match seen.iter().find(|(t, _)| *t == text) {
        Some((_, xml)) => xml.clone(),
        None => {
            let xml = XmlString::new(text);
            seen.push((text, xml.clone()));
            xml
        }
    })
}

fn skipped<'a>(why: &str, story: Option<&'a str>, stories: &mut Stories<'a>) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(line(why));
    if let Some(story) = story {
        status.set_description(stories.put(story));
    }
    status
}

/// What XML writes for a character that means something in it.
fn entity(byte: u8) -> Option<&'static str> {
    Some(match byte {
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'&' => "&amp;",
        b'"' => "&quot;",
        b'\'' => "&apos;",
        _ => return None,
    })
}

/// Pushes a text with its XML escapes.
fn escape(out: &mut String, text: &str) {
    let mut from = 0;
    for (at, entity) in text.bytes().enumerate().filter_map(|(at, b)| Some((at, entity(b)?))) {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str(entity);
        from = at + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
}

/// The bytes of a text with its XML escapes.
pub(super) fn escaped(text: &str) -> usize {
    text.bytes().map(|b| entity(b).map_or(1, str::len)).sum()
}

//! JUnit: the decision, as CI servers read it.
//!
//! One `testcase` per question (`classname="rag.<suite>" name="<id>"`), and one per rule of the gate in `rag.gate`, so
//! that a closed gate shows even where no single question is to blame. A case holds at most one `failure` or `error`,
//! whatever the number of layers. Nothing in the file depends on time or place: two runs with the same outcomes give
//! the same bytes. The only module that knows the JUnit crate.

use super::{clean, cut, file, story};
use crate::core::event::Reporter;
use crate::core::{Change, Event, QuestionReport, SuiteHeader, Verdict};
use crate::gate::{Decision, Exit, RuleOutcome, RuleVerdict};
use crate::layer::Outcome;
use crate::problem::Place;
use crate::suite::Severity;
use junit_report::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite, XmlString};
use std::cell::RefCell;
use std::io;
use std::path::Path;

/// The bytes of one story.
pub const STORY: usize = 4 << 10;

/// The bytes of all stories of a file, as written with their escapes. Importers refuse files over about 10 MB.
pub const STORIES: usize = 5 << 20;

/// The code points of a message.
pub const MESSAGE: usize = 199;

/// Collects a run; [`Junit::write_to`] writes the file.
#[derive(Debug, Default)]
pub struct Junit {
    suites: Vec<(String, Vec<Property>, Vec<Case>)>,
    gate: Vec<Case>,
    stories: usize,
    left_out: usize,
}

/// A case before it is known whether the gate only advises.
#[derive(Debug)]
struct Case {
    name: String,
    place: Option<Place>,
    properties: Vec<Property>,
    status: Status,
}

#[derive(Debug)]
enum Status {
    Passed,
    Skipped {
        message: String,
        /// What would be told of a failure, where the question fails and does not count.
        story: Option<String>,
    },
    /// A failure (exit 1) or an error (exit 2, 3).
    Broken {
        kind: NonSuccessKind,
        ty: String,
        message: String,
        story: Option<String>,
    },
}

impl Junit {
    /// An empty report.
    pub fn new() -> Self {
        Junit::default()
    }

    /// The text of the file.
    ///
    /// # Errors
    /// When the XML writer refuses; no input is known for which it does.
    pub fn text(&self) -> io::Result<String> {
        let mut stories = Stories::default();
        let text = self.report(&mut stories).to_string().map_err(io::Error::other)?;
        let mut out = String::with_capacity(text.len() + stories.0.iter().map(|s| s.len() * 9 / 8).sum::<usize>() + 1);
        let mut pieces = text.split(PLACE);
        out.push_str(pieces.next().unwrap_or_default());
        for (piece, story) in pieces.zip(stories.0) {
            out.push('>');
            escape(&mut out, story);
            out.push('<');
            out.push_str(piece);
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        Ok(out)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; the message names the path.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        file::write(path, self.text()?.as_bytes())
    }

    fn report<'a>(&'a self, stories: &mut Stories<'a>) -> Report {
        let mut report = Report::new("ragline");
        for (name, properties, cases) in &self.suites {
            let class = XmlString::new(class(name));
            let mut files = Files::default();
            let mut suite = TestSuite::new(class.clone());
            suite.add_properties(properties.iter().cloned());
            for case in cases {
                suite.add_test_case(of_case(&class, &mut files, case, stories));
            }
            report.add_test_suite(suite);
        }
        if !self.gate.is_empty() {
            let class = XmlString::new(GATE);
            let mut suite = TestSuite::new(class.clone());
            if self.left_out > 0 {
                let said = format!("{} of the last failures: the file would be too large", cut::count(self.left_out));
                suite.add_property(property("stories_left_out", &said));
            }
            for case in &self.gate {
                suite.add_test_case(of_case(&class, &mut Files::default(), case, stories));
            }
            report.add_test_suite(suite);
        }
        report
    }

    fn question(&mut self, q: &QuestionReport) {
        if q.change == Change::NotSelected {
            return;
        }
        let status = match &q.verdict {
            Verdict::Passed => Status::Passed,
            Verdict::Skipped(why) if tells(q) => {
                let story = Some(self.story(q));
                Status::Skipped { message: line(&format!("{why}: {}", story::headline(q))), story }
            }
            Verdict::Skipped(why) => Status::Skipped { message: line(why), story: None },
            Verdict::Failed => self.broken(NonSuccessKind::Failure, q),
            Verdict::Incomplete => self.broken(NonSuccessKind::Error, q),
        };
        let case = Case { name: q.id.to_string(), place: Some(q.place.clone()), properties: properties(q), status };
        match self.suites.iter_mut().find(|(name, ..)| **name == *q.suite) {
            Some((_, _, cases)) => cases.push(case),
            None => self.suites.push((q.suite.to_string(), Vec::new(), vec![case])),
        }
    }

    fn broken(&mut self, kind: NonSuccessKind, q: &QuestionReport) -> Status {
        let story = Some(self.story(q));
        Status::Broken { kind, ty: story::kind(q), message: line(&story::headline(q)), story }
    }

    /// The story of a question, while there is room.
    fn story(&mut self, q: &QuestionReport) -> String {
        // Once the budget is used up no later story is told, so that what is left out is always the end.
        let told = (self.left_out == 0).then(|| story::text(q, STORY)).filter(|s| self.stories + escaped(s) <= STORIES);
        self.stories += told.as_deref().map_or(0, escaped);
        told.unwrap_or_else(|| {
            self.left_out += 1;
            "(story left out: this file would be too large; the results file of the run has the reasons)\n".into()
        })
    }

    fn decided(&mut self, d: &Decision) {
        self.gate = d.rules.iter().map(rule).collect();
    }
}

impl Reporter for Junit {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Started(header) => {
                self.suites = header.suites.iter().map(|s| (s.name.to_string(), about(s), Vec::new())).collect();
            }
            Event::Question(q) => self.question(q),
            Event::Decided(d) => self.decided(d),
        }
        Ok(())
    }
}

/// The suite that holds the rules of the gate.
const GATE: &str = "rag.gate";

/// The class of a suite. A suite that is itself called `gate` must not mix with the rules; no suite's name holds a
/// colon, so this class is free.
fn class(suite: &str) -> String {
    if suite == "gate" { "rag.gate:suite".into() } else { format!("rag.{}", clean::xml_line(suite)) }
}

/// Advice makes 1 and 3 of an exit code 0; what is wrong with the settings stays an error.
fn rule(r: &RuleOutcome) -> Case {
    let message = line(&r.message);
    let status = match r.verdict {
        RuleVerdict::Holds => Status::Passed,
        RuleVerdict::NotEvaluated => {
            Status::Skipped { message: line(&format!("not evaluated: {}", r.message)), story: None }
        }
        RuleVerdict::Advised(_) => {
            Status::Skipped { message: line(&format!("would have blocked: {}", r.message)), story: None }
        }
        RuleVerdict::Broken(exit) => Status::Broken {
            kind: match exit {
                Exit::Usage | Exit::Incomplete | Exit::NothingSelected | Exit::ReportNotWritten => {
                    NonSuccessKind::Error
                }
                Exit::Open | Exit::Closed => NonSuccessKind::Failure,
            },
            ty: format!("gate.{}", clean::xml_line(&r.name)),
            message,
            story: None,
        },
    };
    let properties = if r.verdict == RuleVerdict::Holds { vec![property("rule", &r.message)] } else { Vec::new() };
    Case { name: clean::xml_line(&r.name).into_owned(), place: r.place.clone(), properties, status }
}

fn about(s: &SuiteHeader) -> Vec<Property> {
    let mut out = vec![property("target", &s.target)];
    if let Some(subject) = &s.subject {
        out.push(property("subject", subject));
    }
    out
}

fn properties(q: &QuestionReport) -> Vec<Property> {
    let change = Property::new(fixed("change"), fixed(q.change.name()));
    if q.verdict == Verdict::Passed && matches!(q.change, Change::Unchanged | Change::NewPass) {
        // Nothing happened: a file of thousands of questions says so in one property each.
        return vec![change];
    }
    let severity = match q.severity {
        Severity::Critical => "critical",
        Severity::Normal => "normal",
        Severity::Minor => "minor",
    };
    let mut out = vec![change, Property::new(fixed("severity"), fixed(severity))];
    let layers: Vec<String> = q.layers.iter().map(|(id, l)| format!("{id}={}", l.result.outcome.name())).collect();
    out.push(property("layers", &layers.join(" ")));
    if !q.tags.is_empty() {
        out.push(property("tags", &q.tags.join(", ")));
    }
    if let Some(owner) = &q.owner {
        out.push(property("owner", owner));
    }
    out
}

fn property(name: &'static str, value: &str) -> Property {
    Property::new(fixed(name), line(value))
}

/// What stands in the report for a story, in its element. No attribute holds a `>`, and no text that is told this character.
const PLACE: &str = ">\u{fdd0}<";

/// The stories in the order of the report, which are put into its text at the end: they are clean already, and the JUnit
/// crate looks for terminal escapes in every text, letter by letter, which for megabytes is most of the time that the file
/// takes.
#[derive(Default)]
struct Stories<'a>(Vec<&'a str>);

impl<'a> Stories<'a> {
    /// Takes a story: what stands for it.
    fn put(&mut self, story: &'a str) -> XmlString {
        self.0.push(story);
        fixed("\u{fdd0}")
    }
}

fn of_case<'a>(class: &XmlString, files: &mut Files, case: &'a Case, stories: &mut Stories<'a>) -> TestCase {
    let status = match &case.status {
        Status::Passed => TestCaseStatus::success(),
        Status::Skipped { message, story } => skipped(message, story.as_deref(), stories),
        Status::Broken { kind, ty, message, story } => {
            let mut status = TestCaseStatus::non_success(*kind);
            status.set_type(ty.as_str()).set_message(message.as_str());
            if let Some(story) = story {
                status.set_description(stories.put(story));
            }
            status
        }
    };
    let mut out = TestCase::new(case.name.as_str(), status);
    out.set_classname(class.clone());
    out.add_properties(case.properties.iter().cloned());
    if let Some(place) = &case.place {
        out.extra.insert(fixed("file"), files.of(place));
        if place.line > 0 {
            out.extra.insert(fixed("line"), place.line.to_string().into());
        }
    }
    out
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
fn fixed(text: &'static str) -> XmlString {
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

/// Whether a question that does not count fails in a way that a reader has not heard of: on a first run, under a policy that
/// only advises, within what is tolerated.
fn tells(q: &QuestionReport) -> bool {
    let known = matches!(q.change, Change::StillFailing | Change::Draft | Change::NotAsked | Change::Observed);
    !known && matches!(q.outcome, Outcome::Fail | Outcome::Unmeasured)
}

fn skipped<'a>(why: &str, story: Option<&'a str>, stories: &mut Stories<'a>) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(line(why));
    if let Some(story) = story {
        status.set_description(stories.put(story));
    }
    status
}

/// One clean line, cut visibly.
fn line(text: &str) -> String {
    cut::chars(&clean::xml_line(&cut::chars(text, MESSAGE * 2)), MESSAGE)
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
fn escaped(text: &str) -> usize {
    text.bytes().map(|b| entity(b).map_or(1, str::len)).sum()
}

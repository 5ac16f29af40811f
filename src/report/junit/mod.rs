//! JUnit: the decision, as CI servers read it.
//!
//! One `testcase` per question (`classname="rag.<suite>" name="<id>"`), and one per rule of the gate in `rag.gate`, so
//! that a closed gate shows even where no single question is to blame. A case holds at most one `failure` or `error`,
//! whatever the number of layers. Unless times are asked for nothing in the file depends on time or place: two runs with the
//! same outcomes give the same bytes. The only module that knows the JUnit crate.

mod form;
mod xml;

pub use form::{Dialect, Form, Known, Times};

use super::{clean, cut, file, story};
use crate::core::event::Reporter;
use crate::core::{Change, Event, QuestionReport, SuiteHeader, Verdict};
use crate::gate::{Decision, Exit, RuleOutcome, RuleVerdict};
use crate::layer::Outcome;
use crate::problem::Place;
use crate::suite::Severity;
use junit_report::{NonSuccessKind, Property, Report, TestSuite, XmlString};
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::time::Duration;
use xml::{Cases, Stories, escaped, fixed, property};

/// The bytes of one story.
pub const STORY: usize = 4 << 10;

/// The bytes of all stories of a file, as written with their escapes. Importers refuse files over about 10 MB.
pub const STORIES: usize = 5 << 20;

/// The bytes of a file over which passed cases lose their property; below the 10 MB at which importers begin to refuse.
pub const FILE: usize = 9 << 20;

/// The code points of a message.
pub const MESSAGE: usize = 199;

/// Collects a run; [`Junit::write_to`] writes the file.
#[derive(Debug, Default)]
pub struct Junit {
    form: Form,
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
    time: Option<Duration>,
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
        /// It would have blocked.
        advisory: bool,
    },
}

impl Junit {
    /// An empty report.
    pub fn new() -> Self {
        Junit::default()
    }

    /// A report in another form than the usual one.
    pub fn with(form: Form) -> Self {
        Junit { form, ..Junit::default() }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// When the XML writer refuses; no input is known for which it does.
    pub fn text(&self) -> io::Result<String> {
        let whole = self.written(false)?;
        // Thousands of passed cases: that nothing happened to them is what a case without a property says too.
        if whole.len() > FILE { self.written(true) } else { Ok(whole) }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; the message names the path.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        file::write(path, self.text()?.as_bytes())
    }

    fn written(&self, slim: bool) -> io::Result<String> {
        let mut stories = Stories::default();
        let report = self.report(&mut stories, slim);
        let text = stories.fill(&report.to_string().map_err(io::Error::other)?);
        Ok(match self.form.dialect {
            Dialect::Usual => text,
            Dialect::Strict => xml::without_top_skipped(text),
        })
    }

    fn report<'a>(&'a self, stories: &mut Stories<'a>, slim: bool) -> Report {
        let mut report = Report::new("ragline");
        let timed = self.form.times.is_some();
        let (mut all, mut dropped) = (Duration::ZERO, 0);
        for (name, properties, cases) in &self.suites {
            let mut writer = Cases::new(XmlString::new(class(name)), self.form.dialect, slim);
            let mut suite = writer.suite();
            suite.add_properties(properties.iter().cloned());
            let mut time = Duration::ZERO;
            for case in cases {
                time = time.saturating_add(case.time.unwrap_or_default());
                suite.add_test_case(writer.case(case, stories));
            }
            if timed {
                suite.set_time(time);
            }
            all = all.saturating_add(time);
            dropped += writer.dropped;
            report.add_test_suite(suite);
        }
        if !self.gate.is_empty() {
            let mut writer = Cases::new(XmlString::new(GATE), self.form.dialect, slim);
            let mut suite = writer.suite();
            self.said_of_cuts(&mut suite, dropped);
            for case in &self.gate {
                suite.add_test_case(writer.case(case, stories));
            }
            if timed {
                suite.set_time(Duration::ZERO);
            }
            report.add_test_suite(suite);
        }
        if timed {
            report.set_time(all);
        }
        report
    }

    /// What the file leaves out of what it would say.
    fn said_of_cuts(&self, suite: &mut TestSuite, dropped: usize) {
        if self.left_out > 0 {
            let said = format!("{} of the last failures: the file would be too large", cut::count(self.left_out));
            suite.add_property(property("stories_left_out", &said));
        }
        if dropped > 0 {
            let said = format!("those of {} passed cases: the file would be too large", cut::count(dropped));
            suite.add_property(property("properties_left_out", &said));
        }
    }

    fn question(&mut self, q: &QuestionReport) {
        if q.change == Change::NotSelected {
            return;
        }
        let known = matches!(q.change, Change::StillFailing | Change::Flaky);
        let status = match &q.verdict {
            Verdict::Passed => Status::Passed,
            Verdict::Skipped(_) if known && self.form.known == Known::Pass => Status::Passed,
            Verdict::Skipped(_) if known && self.form.known == Known::Failure => {
                self.broken(NonSuccessKind::Failure, q)
            }
            Verdict::Skipped(why) if tells(q) => {
                let story = Some(self.story(q));
                Status::Skipped { message: line(&format!("{why}: {}", story::headline(q))), story }
            }
            Verdict::Skipped(why) => Status::Skipped { message: line(why), story: None },
            Verdict::Failed => self.broken(NonSuccessKind::Failure, q),
            Verdict::Incomplete => self.broken(NonSuccessKind::Error, q),
        };
        let name = q.id.to_string();
        let time = self.form.times.as_ref().map(|t| t.of(&q.suite, &name).unwrap_or_default());
        let mut properties = properties(q);
        let attempts = self.form.times.as_ref().and_then(|t| t.attempts(&q.suite, &name));
        properties.extend(attempts.map(|n| property("attempts", &n.to_string())));
        let case = Case { name, place: Some(q.place.clone()), properties, status, time };
        match self.suites.iter_mut().find(|(name, ..)| **name == *q.suite) {
            Some((_, _, cases)) => cases.push(case),
            None => self.suites.push((q.suite.to_string(), Vec::new(), vec![case])),
        }
    }

    fn broken(&mut self, kind: NonSuccessKind, q: &QuestionReport) -> Status {
        let story = Some(self.story(q));
        Status::Broken { kind, ty: story::kind(q), message: line(&story::headline(q)), story, advisory: false }
    }

    /// The story of a question, while there is room.
    fn story(&mut self, q: &QuestionReport) -> String {
        // Once the budget is used up no later story is told, so that what is left out is always the end.
        let told = (self.left_out == 0).then(|| whole_or_cut(q)).filter(|s| self.stories + escaped(s) <= STORIES);
        self.stories += told.as_deref().map_or(0, escaped);
        told.unwrap_or_else(|| {
            self.left_out += 1;
            "(story left out: this file would be too large; the results file of the run has the reasons)\n".into()
        })
    }

    fn decided(&mut self, d: &Decision) {
        let zero = self.form.times.is_some().then_some(Duration::ZERO);
        let mut names = HashSet::new();
        for r in &d.rules {
            let mut case = Case { time: zero, ..rule(r) };
            // A reader that finds a name twice keeps one of the cases, or takes the second for a try of the first.
            let mut n = 1;
            while !names.insert(case.name.clone()) {
                n += 1;
                case.name = format!("{} ({n})", clean::xml_line(&r.name));
            }
            self.gate.push(case);
        }
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
        RuleVerdict::Broken(exit) | RuleVerdict::Advised(exit) => Status::Broken {
            kind: match exit {
                Exit::Usage | Exit::Incomplete | Exit::NothingSelected | Exit::ReportNotWritten => {
                    NonSuccessKind::Error
                }
                Exit::Open | Exit::Closed => NonSuccessKind::Failure,
            },
            ty: format!("gate.{}", clean::xml_line(&r.name)),
            message,
            // GitLab shows the text of an element and not its `message` (lib/gitlab/ci/parsers/test/junit.rb).
            story: Some(told(r)),
            advisory: matches!(r.verdict, RuleVerdict::Advised(_)),
        },
    };
    let properties = if r.verdict == RuleVerdict::Holds { vec![property("rule", &r.message)] } else { Vec::new() };
    Case { name: clean::xml_line(&r.name).into_owned(), place: r.place.clone(), properties, status, time: None }
}

/// A broken rule in full, with its place.
fn told(r: &RuleOutcome) -> String {
    let place =
        r.place.as_ref().map(|p| format!("\nplace     {}", clean::xml_line(&p.to_string()))).unwrap_or_default();
    format!("{}{place}\n", cut::bytes(&clean::xml_line(&cut::chars(&r.message, STORY)), STORY))
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

/// The story of a question in its budget; where it is cut, how much there is and where the rest stands.
fn whole_or_cut(q: &QuestionReport) -> String {
    let whole = story::text(q, usize::MAX);
    if whole.len() <= STORY {
        return whole;
    }
    let said = format!("\n(cut: {} bytes are the whole; the results file has it)\n", cut::count(whole.len()));
    cut::bytes(&whole, STORY.saturating_sub(said.len())) + &said
}

/// Whether a question that does not count fails in a way that a reader has not heard of: on a first run, under a policy that
/// only advises, within what is tolerated.
fn tells(q: &QuestionReport) -> bool {
    let known = matches!(q.change, Change::StillFailing | Change::Draft | Change::NotAsked | Change::Observed);
    !known && matches!(q.outcome, Outcome::Fail | Outcome::Unmeasured)
}

/// One clean line, cut visibly.
fn line(text: &str) -> String {
    cut::chars(&clean::xml_line(&cut::chars(text, MESSAGE * 2)), MESSAGE)
}

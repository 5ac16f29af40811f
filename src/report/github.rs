//! GitHub Actions: annotations at the suite's lines, the outputs of the step.
//!
//! The lines are printed by the command, which also knows the files that the runner names; this module reads no environment.
//! GitHub shows at most ten annotations of a level for a step, so there are never more: the gravest, and one that counts the
//! rest.

use super::gather::Gathered;
use super::order::gravest_first;
use super::{clean, cut, story};
use crate::core::event::Reporter;
use crate::core::{Change, Event, QuestionReport, Verdict};
use crate::gate::{Decision, Exit, RuleVerdict};
use crate::layer::Outcome;
use crate::problem::Place;
use std::io;

/// So many annotations are written, the one that counts the rest among them.
pub const ANNOTATIONS: usize = 10;

/// Code points of a message.
const MESSAGE: usize = 2_000;

/// Collects a run; then there are its [`Github::annotations`] and [`Github::outputs`].
#[derive(Debug, Default)]
pub struct Github {
    /// What stands between the repository's folder and the project's: empty, or `rag/`.
    prefix: String,
    run: Gathered,
    decision: Option<Decision>,
}

impl Github {
    /// A report on a project that lies in the folder `prefix` of its repository (`rag/`; empty: at its top).
    pub fn new(prefix: &str) -> Self {
        Github { prefix: prefix.to_owned(), ..Github::default() }
    }

    /// The workflow commands, a line each; empty until the run is decided.
    pub fn annotations(&self) -> String {
        let Some(d) = &self.decision else { return String::new() };
        let mut all = self.questions();
        if !all.iter().any(|a| a.level == "error") {
            // Nothing but a rule is to blame.
            all.splice(0..0, self.rules(d));
        }
        let more = all.len().saturating_sub(ANNOTATIONS);
        if more > 0 {
            // The last one counts the rest.
            all.truncate(ANNOTATIONS - 1);
            all.push(Annotation {
                level: all.last().map_or("warning", |a| a.level),
                place: None,
                title: "ragline".into(),
                message: format!("and {} more: see the summary of this step", cut::count(more + 1)),
            });
        }
        all.iter().map(|a| a.line(&self.prefix)).collect()
    }

    /// The outputs of the step, `name=value` a line each: the decision in a word, the exit codes, and how many questions there
    /// are of each change. Empty until the run is decided.
    pub fn outputs(&self) -> String {
        let Some(d) = &self.decision else { return String::new() };
        let mut out = format!(
            "decision={}\nexit={}\nexit_if_blocking={}\nadvisory={}\n",
            decision(d.exit),
            d.exit.code(),
            d.exit_if_blocking.code(),
            d.advisory
        );
        for change in Change::ALL {
            let n = d.tally.iter().find(|(c, _)| *c == change).map_or(0, |(_, n)| *n);
            out.push_str(&format!("{change}={n}\n"));
        }
        out
    }

    fn questions(&self) -> Vec<Annotation> {
        let mut told: Vec<&QuestionReport> = self.run.questions.iter().filter(|q| tells(q)).collect();
        gravest_first(&mut told);
        told.iter()
            .map(|q| {
                let blocks = matches!(q.verdict, Verdict::Failed | Verdict::Incomplete);
                let why = match &q.verdict {
                    Verdict::Skipped(why) => format!("{why}\n"),
                    Verdict::Passed | Verdict::Failed | Verdict::Incomplete => String::new(),
                };
                Annotation {
                    level: if blocks { "error" } else { "warning" },
                    place: Some(q.place.clone()),
                    title: format!("{}: {}::{}", q.change.words(), q.suite, q.id),
                    message: format!("{why}{}", story::brief(q, MESSAGE)),
                }
            })
            .collect()
    }

    fn rules(&self, d: &Decision) -> Vec<Annotation> {
        let level = if d.exit == Exit::Open { "warning" } else { "error" };
        let broken = d.rules.iter().filter(|r| matches!(r.verdict, RuleVerdict::Broken(_)));
        broken
            .map(|r| Annotation {
                level,
                place: r.place.clone(),
                title: format!("gate: {}", r.name),
                message: r.message.clone(),
            })
            .collect()
    }
}

impl Reporter for Github {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.run.take(event);
        if let Event::Decided(d) = event {
            self.decision = Some(d.clone());
        }
        Ok(())
    }
}

/// Whether a question is worth an annotation: it blocks, or it fails newly and does not count.
fn tells(q: &QuestionReport) -> bool {
    let known = matches!(q.change, Change::StillFailing | Change::Flaky);
    let bad = matches!(q.outcome, Outcome::Fail | Outcome::Unmeasured);
    matches!(q.verdict, Verdict::Failed | Verdict::Incomplete)
        || (matches!(q.verdict, Verdict::Skipped(_)) && bad && !known)
}

/// The decision in a word that scripts can compare.
fn decision(exit: Exit) -> &'static str {
    match exit {
        Exit::Open => "open",
        Exit::Closed => "closed",
        Exit::Usage => "usage",
        Exit::Incomplete => "incomplete",
        Exit::NothingSelected => "nothing-selected",
        Exit::ReportNotWritten => "report-not-written",
    }
}

struct Annotation {
    level: &'static str,
    place: Option<Place>,
    title: String,
    message: String,
}

impl Annotation {
    fn line(&self, prefix: &str) -> String {
        let mut properties = Vec::new();
        if let Some(place) = self.place.as_ref().filter(|p| !p.file.is_empty()) {
            properties.push(format!("file={}", clean::workflow_property(&format!("{prefix}{}", place.file))));
            if place.line > 0 {
                properties.push(format!("line={}", place.line));
            }
        }
        properties.push(format!("title={}", clean::workflow_property(&cut::chars(&self.title, 200))));
        let message = cut::chars(self.message.trim_end(), MESSAGE);
        format!("::{} {}::{}\n", self.level, properties.join(","), clean::workflow(&message))
    }
}

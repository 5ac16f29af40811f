//! SARIF 2.1.0 (OASIS standard of 27 March 2020): for code scanning, and for the viewers of editors.
//!
//! A result for each reason of a question that fails, is not measured or is a known failure, at the question's line in its
//! suite; the rules are the finding codes with their pages of the manual. `baselineState` says what changed. Nothing in the
//! file depends on time or machine.

use super::gather::Gathered;
use super::order::gravest_first;
use super::{clean, cut, explain, file, story};
use crate::core::event::Reporter;
use crate::core::{Change, Event, QuestionReport, Verdict};
use crate::digest::Hasher;
use crate::gate::{Decision, Exit, RuleVerdict};
use crate::layer::{Code, Outcome};
use crate::problem::Place;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// So many results a file has; GitHub keeps no more of a run (5,000 of at most 25,000, its page on SARIF support).
pub const RESULTS: usize = 5_000;

/// So many reasons of one question are results.
const REASONS: usize = 6;

/// Code points of a message.
const MESSAGE: usize = 1_000;

/// Where the schema is: the address that the standard gives.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The rule of what has no finding of its own: a question that was mended, removed, or a rule of the gate.
const QUESTION: &str = "question-changed";

/// Collects a run; [`Sarif::write_to`] writes the file.
#[derive(Debug, Default)]
pub struct Sarif {
    prefix: String,
    title: Option<String>,
    run: Gathered,
    decision: Option<Decision>,
}

impl Sarif {
    /// A report on a project that lies in the folder `prefix` of its repository (`rag/`; empty: at its top). A `title` tells it
    /// from other reports on the same commit.
    pub fn new(prefix: &str, title: Option<String>) -> Self {
        Sarif { prefix: prefix.to_owned(), title, ..Sarif::default() }
    }

    /// The file's text; empty until the run is decided.
    ///
    /// # Errors
    /// When it cannot be written as JSON, which nothing in a report should cause.
    pub fn text(&self) -> io::Result<String> {
        let Some(d) = &self.decision else { return Ok(String::new()) };
        let mut text = serde_json::to_string_pretty(&self.log(d)).map_err(io::Error::other)?;
        text.push('\n');
        Ok(text)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; the message names the path.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        file::write(path, self.text()?.as_bytes())
    }

    fn log(&self, d: &Decision) -> Value {
        let mut questions: Vec<&QuestionReport> = self.run.questions.iter().filter(|q| tells(q)).collect();
        gravest_first(&mut questions);
        let mut results = Results { rules: Vec::new(), index: HashMap::new(), results: Vec::new(), left_out: 0 };
        for q in questions {
            self.results_of(q, &mut results);
        }
        let mut driver = Map::new();
        driver.insert("name".into(), "ragline".into());
        driver.insert("version".into(), crate::VERSION.into());
        driver.insert("semanticVersion".into(), crate::VERSION.into());
        driver.insert("rules".into(), results.rules.into());
        let mut run = json!({
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "%SRCROOT%": { "description": { "text": "The top folder of the repository." } } },
            "invocations": [self.invocation(d, results.left_out)],
            "results": results.results,
        });
        let id = self.title.clone().unwrap_or_else(|| {
            let names: Vec<&str> = self.run.header.suites.iter().map(|s| &*s.name).collect();
            names.join(",")
        });
        // A category of its own: the last part, which stays empty, would be the run's.
        let id = clean::terminal(&cut::chars(&id, 100)).replace('/', "-");
        if let Some(run) = run.as_object_mut().filter(|_| !id.is_empty()) {
            run.insert("automationDetails".into(), json!({ "id": format!("ragline/{id}/") }));
        }
        json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
    }

    /// How the run ended, and the rules that are not of one question.
    fn invocation(&self, d: &Decision, left_out: usize) -> Value {
        let mut said: Vec<Value> = d
            .rules
            .iter()
            .filter_map(|r| match r.verdict {
                RuleVerdict::Broken(_) => Some((r, "error")),
                RuleVerdict::Advised(_) => Some((r, "warning")),
                RuleVerdict::Holds | RuleVerdict::NotEvaluated => None,
            })
            .map(|(r, level)| {
                let text = format!("{}: {}", r.name, cut::chars(&r.message, MESSAGE));
                let mut out = json!({ "level": level, "message": { "text": clean::sarif(&text) } });
                if let (Some(place), Some(out)) = (&r.place, out.as_object_mut()) {
                    out.insert("locations".into(), json!([self.location(place)]));
                }
                out
            })
            .collect();
        if left_out > 0 {
            let text = format!("{} results were left out: a file holds at most {RESULTS}.", cut::count(left_out));
            said.push(json!({ "level": "warning", "message": { "text": text } }));
        }
        json!({
            // The tool ran to its end, whatever it found; a run that was not decided did not.
            "executionSuccessful": matches!(d.exit_if_blocking, Exit::Open | Exit::Closed),
            "exitCode": d.exit.code(),
            "toolExecutionNotifications": said,
        })
    }

    fn results_of(&self, q: &QuestionReport, out: &mut Results) {
        let reasons = story::reasons(q);
        if reasons.is_empty() {
            return self.result(q, None, &q.change_note.clone().unwrap_or_default(), 0, out);
        }
        for (i, r) in reasons.iter().take(REASONS).enumerate() {
            let same = reasons.iter().take(i).filter(|x| x.code == r.code).count();
            self.result(q, Some(r.code), r.message, same, out);
        }
    }

    fn result(&self, q: &QuestionReport, code: Option<Code>, message: &str, nth: usize, out: &mut Results) {
        let Some(state) = state(q.change) else { return };
        if out.results.len() >= RESULTS {
            out.left_out += 1;
            return;
        }
        let level = match q.verdict {
            Verdict::Failed | Verdict::Incomplete => "error",
            Verdict::Skipped(_) if !matches!(q.change, Change::StillFailing | Change::Flaky) => "warning",
            Verdict::Skipped(_) | Verdict::Passed => "note",
        };
        let rule = out.rule(code);
        let mut hasher = Hasher::default();
        let id = q.id.to_string();
        [&*q.suite, id.as_str(), code.map_or(QUESTION, Code::as_str), nth.to_string().as_str()]
            .iter()
            .for_each(|f| hasher.field(f));
        let name = format!("{}::{}", q.suite, q.id);
        let said = if message.is_empty() { String::new() } else { format!(": {}", cut::chars(message, MESSAGE)) };
        let mut result = json!({
            "ruleId": code.map_or(QUESTION, Code::as_str),
            "ruleIndex": rule,
            "level": level,
            "message": { "text": clean::sarif(&format!("{name} {}{said}", q.change.words())) },
            "locations": [self.location(&q.place)],
            "partialFingerprints": { "raglineQuestion/v1": hasher.short() },
            "baselineState": state,
        });
        if let (Change::StillFailing, Some(result)) = (q.change, result.as_object_mut()) {
            let why = q.known_reason.as_deref().unwrap_or("accepted in the baseline");
            let why = clean::sarif(&cut::chars(why, MESSAGE));
            result.insert(
                "suppressions".into(),
                json!([{ "kind": "external", "status": "accepted", "justification": why }]),
            );
        }
        out.results.push(result);
    }

    fn location(&self, place: &Place) -> Value {
        let mut physical = json!({ "artifactLocation": { "uri": uri(&format!("{}{}", self.prefix, place.file)), "uriBaseId": "%SRCROOT%" } });
        if let (true, Some(physical)) = (place.line > 0, physical.as_object_mut()) {
            physical.insert("region".into(), json!({ "startLine": place.line }));
        }
        json!({ "physicalLocation": physical })
    }
}

impl Reporter for Sarif {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.run.take(event);
        if let Event::Decided(d) = event {
            self.decision = Some(d.clone());
        }
        Ok(())
    }
}

struct Results {
    rules: Vec<Value>,
    index: HashMap<Option<Code>, usize>,
    results: Vec<Value>,
    left_out: usize,
}

impl Results {
    /// The place of a rule in the list, where it is put when it is first needed.
    fn rule(&mut self, code: Option<Code>) -> usize {
        if let Some(at) = self.index.get(&code) {
            return *at;
        }
        let at = self.rules.len();
        self.index.insert(code, at);
        let (id, summary) = match code {
            Some(code) => (code.as_str(), code.summary()),
            None => (QUESTION, "A question was mended, edited, removed or could not be compared."),
        };
        let page = explain::page(id).unwrap_or(summary);
        self.rules.push(json!({
            "id": id,
            "shortDescription": { "text": clean::sarif(summary) },
            "help": { "text": clean::sarif(page), "markdown": page },
        }));
        at
    }
}

/// Whether a question has results: not one that was edited and passes.
fn tells(q: &QuestionReport) -> bool {
    state(q.change).is_some() && (q.change != Change::Edited || q.outcome != Outcome::Pass)
}

/// `baselineState` of a change; none for a question that has no place in the file.
fn state(c: Change) -> Option<&'static str> {
    match c {
        Change::Regressed
        | Change::NewFail
        | Change::Expired
        | Change::Removed
        | Change::Unmeasured
        | Change::EvidenceStale
        | Change::Undecided
        | Change::Drifted => Some("new"),
        Change::Edited => Some("updated"),
        Change::StillFailing | Change::Flaky => Some("unchanged"),
        Change::Fixed => Some("absent"),
        Change::NotSelected
        | Change::NotAsked
        | Change::Draft
        | Change::RuleChanged
        | Change::Incomparable
        | Change::NewPass
        | Change::Unchanged
        | Change::Observed => None,
    }
}

/// A path as a relative reference (RFC 3986): everything but unreserved letters and `/` is percent-encoded, so no first part
/// of it is read as a scheme.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for b in path.bytes() {
        match b {
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(b)),
            _ if b.is_ascii_alphanumeric() => out.push(char::from(b)),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_relative_reference() {
        assert_eq!(uri("suites/a.yaml"), "suites/a.yaml");
        assert_eq!(uri("bộ/a b:c%.yaml"), "b%E1%BB%99/a%20b%3Ac%25.yaml");
    }

    #[test]
    fn every_change_of_the_gate_has_a_state() {
        assert_eq!([Change::Regressed, Change::NewFail].map(state), [Some("new"); 2]);
        assert_eq!([Change::StillFailing, Change::Fixed].map(state), [Some("unchanged"), Some("absent")]);
        assert_eq!(state(Change::Unchanged), None);
    }
}

//! `suites/NAME.accepted.jsonl`: the answers behind a baseline, so that "was" has a source. The file is a recording of
//! responses like any other, sorted by id and without timings.

use super::record::{Run, SuiteRecord, responses};
use crate::baseline::accept::Accepted;
use crate::problem::{Place, Problem, read_source};
use crate::suite::{QuestionId, Suite};
use crate::target::response;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The first line of the file.
#[derive(Serialize)]
struct Header<'a> {
    version: u32,
    kind: &'static str,
    suite: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a str>,
    target: &'a str,
}

/// What is needed of the first line of the old file.
#[derive(serde::Deserialize)]
struct OldHeader {
    #[serde(default)]
    subject: Option<String>,
}

/// A line that says what gave it; a subject that nobody noted is no subject of today.
fn with_subject(line: &str, subject: Option<&str>) -> String {
    let named = response::parse(line.as_bytes()).ok().and_then(|mut r| {
        r.subject = Some(subject.unwrap_or(super::save::UNKNOWN).into());
        serde_json::to_string(&r).ok()
    });
    named.unwrap_or_else(|| line.to_owned())
}

/// The new content of the file: answers of the questions that were accepted from the run, others as they were, none for
/// questions that the baseline does not hold. With the number of answers that are new; nothing when no line changes.
///
/// # Errors
/// When the run's journal or the old file cannot be read.
pub fn merge(
    path: &Path,
    shown: &str,
    suite: &Suite,
    of_suite: &SuiteRecord,
    run: &Run,
    accepted: &Accepted,
) -> Result<Option<(String, usize)>, Problem> {
    let mut lines: BTreeMap<String, String> = BTreeMap::new();
    // What gave each answer: a part of them may come from another subject than the rest.
    let mut subjects: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut of_file = None;
    if path.exists() {
        let source = read_source(path, shown)?;
        let header = source.text.lines().next().and_then(|l| serde_json::from_str::<OldHeader>(l).ok());
        of_file = header.and_then(|h| h.subject);
        for (text, n) in source.text.lines().zip(1u32..).skip(1) {
            if text.trim().is_empty() {
                continue;
            }
            let place = || Place { file: shown.into(), line: n, column: 0 };
            let mut r =
                response::parse(text.as_bytes()).map_err(|(_, what)| Problem::error("response-line", place(), what))?;
            let own = r.subject.take().map(String::from);
            let line = if own.is_some() { serde_json::to_string(&r).unwrap_or_default() } else { text.to_owned() };
            subjects.insert(r.id.to_string(), own.or_else(|| of_file.clone()));
            lines.insert(r.id.to_string(), line);
        }
    }
    let old = lines.clone();
    let wanted: BTreeSet<&str> = accepted.accepted.iter().map(QuestionId::as_str).collect();
    let mut fault = None;
    responses(&run.folder, |s, id, raw| {
        if *s != *suite.name || !wanted.contains(id) {
            return;
        }
        match response::parse(raw.as_bytes()) {
            Ok(mut r) => {
                r.latency_ms = None;
                r.usage = None;
                r.suite = None;
                r.repeat = 0;
                r.key = None;
                r.subject = None;
                if let Ok(text) = serde_json::to_string(&r) {
                    lines.insert(id.to_owned(), text);
                    subjects.insert(id.to_owned(), of_suite.subject.clone());
                }
            }
            Err((_, what)) => fault = Some(what),
        }
    })
    .map_err(|e| Problem::error("run-unreadable", Place::default(), format!("cannot read the run's journal: {e}")))?;
    if let Some(what) = fault {
        return Err(Problem::error("run-unreadable", Place::default(), format!("the run's journal holds {what}")));
    }
    lines.retain(|id, _| accepted.baseline.entries.contains_key(id.as_str()));
    if lines == old {
        return Ok(None);
    }
    let new = lines.iter().filter(|(id, line)| old.get(*id) != Some(line)).count();
    subjects.retain(|id, _| lines.contains_key(id));
    let mut all: BTreeSet<Option<&str>> = subjects.values().map(|s| s.as_deref()).collect();
    // One subject gave them all, and the first line says it for all; else each line of another one says so itself.
    let subject = if all.len() == 1 { all.pop_first().flatten() } else { of_file.as_deref() };
    let header = Header { version: 1, kind: "responses", suite: &suite.name, subject, target: &of_suite.target };
    let header = serde_json::to_string(&header).map_err(|e| {
        Problem::error("accepted-answers", Place::default(), format!("cannot write the first line: {e}"))
    })?;
    let mut out = format!("{header}\n");
    for (id, line) in &lines {
        match subjects.get(id).map(|s| s.as_deref()) {
            Some(of_line) if of_line != subject => out.push_str(&with_subject(line, of_line)),
            Some(_) | None => out.push_str(line),
        }
        out.push('\n');
    }
    Ok(Some((out, new)))
}

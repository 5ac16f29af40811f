//! Writing recordings: what the targets of a run returned, in an order of its own (suite, id, repeat), so that the same
//! answers give the same bytes whatever the order in which they came.
//!
//! Failures are never recorded: a replay of one would look like an answer of the system. Everything comes from the journal
//! of the run, which holds neither secrets nor what is masked.

use super::record::runs;
use crate::core::plan::Plan;
use crate::problem::{Place, Problem, shown_path};
use crate::report::file;
use crate::target::recorded::line::{Header, is_header, trim};
use crate::target::replay::{Asks, Standing};
use crate::target::response::{self, Answer, OwnedResponse, Response};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The subject of kept answers of which nobody noted what gave them: no digest is ever equal to it.
pub const UNKNOWN: &str = "unknown";

#[derive(Serialize)]
struct HeaderLine<'a> {
    version: u32,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a str>,
}

/// Where an answer stands in a recording.
type At = (Option<String>, String, u32, Option<String>);

fn at(r: &OwnedResponse) -> At {
    let text = |t: &Option<std::borrow::Cow<'static, str>>| t.as_deref().map(str::to_owned);
    (text(&r.suite), r.id.to_string(), r.repeat, text(&r.key))
}

/// Whether it is an answer, and not the news that there is none.
fn is_answer(r: &Response<'_>) -> bool {
    r.error.is_none() && r.answer != Answer::Null
}

/// The answers in a run's journal, with their suites named; nothing of suites that `wanted` does not want.
fn journal(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<OwnedResponse>, String> {
    let mut found = Vec::new();
    let mut fault = None;
    let read = runs(folder, |suite, _, _, raw| {
        if !wanted(suite) {
            return;
        }
        match response::parse(raw.as_bytes()) {
            Ok(r) if is_answer(&r) => {
                let mut r = r.into_owned();
                r.suite = Some(suite.to_owned().into());
                found.push(r);
            }
            Ok(_) => {}
            Err((_, what)) => fault = Some(what),
        }
    });
    match (read, fault) {
        (Err(e), _) => Err(format!("cannot read the run's journal: {e}")),
        (Ok(()), Some(what)) => Err(format!("the run's journal holds {what}")),
        (Ok(()), None) => Ok(found),
    }
}

/// The bytes of a recording. A line names its subject where it is not that of the header.
fn text(target: Option<&str>, subject: Option<&str>, answers: BTreeMap<At, OwnedResponse>) -> Result<String, String> {
    let line = |e: serde_json::Error| format!("cannot write a line: {e}");
    let header = HeaderLine { version: 1, kind: "responses", target, subject };
    let mut out = serde_json::to_string(&header).map_err(line)?;
    out.push('\n');
    for mut r in answers.into_values() {
        if r.subject.as_deref() == subject {
            r.subject = None;
        }
        out.push_str(&serde_json::to_string(&r).map_err(line)?);
        out.push('\n');
    }
    Ok(out)
}

/// Writes all answers of a run as a recording (`--save-answers`).
///
/// # Errors
/// One sentence, when the journal cannot be read or the file not be written.
pub fn all(path: &Path, folder: &Path, plan: &Plan) -> Result<(), String> {
    let facts: BTreeMap<&str, (&str, Option<&str>)> =
        plan.suites.iter().map(|s| (&*s.suite.name, (s.target.name.as_str(), s.target.subject.as_deref()))).collect();
    let one = |all: BTreeSet<&'_ str>| if all.len() == 1 { all.into_iter().next().map(str::to_owned) } else { None };
    let target = one(facts.values().map(|(t, _)| *t).collect());
    let subject = one(facts.values().map(|(_, s)| s.unwrap_or(UNKNOWN)).collect()).filter(|s| s != UNKNOWN);
    let mut answers = BTreeMap::new();
    for mut r in journal(folder, &|_| true)? {
        let of_suite = r.suite.as_deref().and_then(|s| facts.get(s)).and_then(|(_, s)| *s);
        if r.subject.is_none() {
            r.subject = of_suite.map(|s| s.to_owned().into());
        }
        answers.insert(at(&r), r);
    }
    let text = text(target.as_deref(), subject.as_deref(), answers)?;
    file::write(path, text.as_bytes()).map_err(|e| e.to_string())
}

/// Completes the recordings of the targets of a run (`--answers fill`): what was asked takes the place of what was
/// recorded of the same question, everything else stays. A recording to which nothing is added is not touched.
///
/// # Errors
/// A sentence for each recording that could not be written.
pub fn fill(
    root: &Path,
    folder: &Path,
    plan: &Plan,
    standing: &[Option<Arc<Standing>>],
    path: &dyn Fn(&str) -> Option<std::path::PathBuf>,
) -> Vec<String> {
    let mut by_target: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (s, _) in
        plan.suites.iter().zip(standing).filter(|(_, t)| t.as_ref().is_some_and(|t| t.asks() == Asks::Missing))
    {
        by_target.entry(&s.target.name).or_default().insert(&s.suite.name);
    }
    let mut wrong = Vec::new();
    for (target, suites) in by_target {
        let Some(path) = path(target) else { continue };
        let subject = plan.suites.iter().find(|s| s.target.name == target).and_then(|s| s.target.subject.as_deref());
        let done = journal(folder, &|s| suites.contains(s)).and_then(|new| one(&path, root, target, subject, new));
        wrong.extend(done.err().map(|e| format!("cannot complete {}: {e}", shown_path(&path, root))));
    }
    wrong
}

fn one(path: &Path, root: &Path, target: &str, subject: Option<&str>, new: Vec<OwnedResponse>) -> Result<(), String> {
    let old = read(path, &shown_path(path, root)).map_err(|p| format!("{}: {}", p.place, p.title))?;
    let mut answers: BTreeMap<At, OwnedResponse> = old.into_iter().map(|r| (at(&r), r)).collect();
    let mut changed = false;
    for mut r in new {
        r.subject = subject.map(|s| s.to_owned().into());
        let here = at(&r);
        // What was on file came through the journal as it stands there.
        if answers.get(&here).is_some_and(|o| o.subject == r.subject) {
            continue;
        }
        changed = true;
        answers.retain(|(suite, id, repeat, _), o| {
            let same = *id == here.1 && (suite.is_none() || *suite == here.0);
            !same || (*repeat != here.2 && o.subject == r.subject)
        });
        answers.insert(here, r);
    }
    if !changed {
        return Ok(());
    }
    let text = text(Some(target), subject, answers)?;
    file::write(path, text.as_bytes()).map_err(|e| e.to_string())
}

/// The answers of a recording, each with its suite and its subject where the file says them; none where there is no file.
///
/// # Errors
/// A file that cannot be read, or a line that is no response.
pub fn read(path: &Path, shown: &str) -> Result<Vec<OwnedResponse>, Problem> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => {
            return Err(Problem::error("file-unreadable", Place::file(shown), format!("cannot read this file: {e}")));
        }
    };
    let mut header = Header::default();
    let mut found = Vec::new();
    for (line, n) in bytes.split(|b| *b == b'\n').zip(1u32..) {
        let (_, line) = trim(line, n == 1);
        if line.is_empty() {
            continue;
        }
        let wrong =
            |what: String| Problem::error("response-line", Place { file: shown.into(), line: n, column: 0 }, what);
        if found.is_empty() && is_header(line) {
            header = serde_json::from_slice(line).map_err(|e| wrong(response::plain_message(&e)))?;
            continue;
        }
        let mut r = response::parse(line).map_err(|(_, what)| wrong(what))?.into_owned();
        r.suite = r.suite.or_else(|| header.suite.clone().map(Into::into));
        let subject = r.subject.or_else(|| header.subject.clone().map(Into::into));
        r.subject = Some(subject.unwrap_or_else(|| UNKNOWN.into()));
        found.push(r);
    }
    Ok(found)
}

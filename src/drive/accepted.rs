//! `suites/NAME.accepted.jsonl`: the answers behind a baseline, so that "was" has a source. The file is a recording of
//! responses like any other, sorted by id and without timings.

use super::record::{Run, SuiteRecord, runs};
use crate::baseline::accept::Accepted;
use crate::baseline::answers::{Answers, Line};
use crate::problem::{Place, Problem, Problems, read_source};
use crate::suite::{QuestionId, Suite};
use crate::target::response;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
) -> Result<Option<(String, usize)>, Problems> {
    let mut answers = if path.exists() { Answers::read(&*read_source(path, shown)?)? } else { Answers::default() };
    let old: BTreeMap<String, String> = answers.lines.iter().map(|(id, l)| (id.clone(), l.text.clone())).collect();
    let wanted: BTreeSet<&str> = accepted.accepted.iter().map(QuestionId::as_str).collect();
    let mut fault = None;
    let lines = run.results.iter().filter(|l| *l.suite == *suite.name);
    let shown: BTreeMap<&str, u32> = lines.map(|l| (l.id.as_str(), l.shown)).collect();
    runs(&run.folder, |s, id, repeat, raw| {
        let is_shown = shown.get(id).copied().unwrap_or(0) == repeat;
        if *s != *suite.name || !wanted.contains(id) || !is_shown {
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
                    let line = Line { text, subject: of_suite.subject.clone(), number: 0 };
                    answers.lines.insert(id.to_owned(), line);
                }
            }
            Err((_, what)) => fault = Some(what),
        }
    })
    .map_err(|e| Problem::error("run-unreadable", Place::default(), format!("cannot read the run's journal: {e}")))?;
    if let Some(what) = fault {
        return Err(
            Problem::error("run-unreadable", Place::default(), format!("the run's journal holds {what}")).into()
        );
    }
    answers.lines.retain(|id, _| accepted.baseline.entries.contains_key(id.as_str()));
    let changed = |id: &String, line: &Line| old.get(id) != Some(&line.text);
    let new = answers.lines.iter().filter(|(id, line)| changed(id, line)).count();
    if new == 0 && answers.lines.len() == old.len() {
        return Ok(None);
    }
    Ok(Some((answers.to_jsonl(&suite.name, &of_suite.target)?, new)))
}

//! `suites/NAME.accepted.jsonl`: the answers behind a baseline, a recording of responses sorted by id and without timings.
//! Read and written here; who takes which answer is decided elsewhere.

use crate::drive::save::UNKNOWN;
use crate::problem::{Place, Problem, Problems, Source};
use crate::target::response;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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

/// What is needed of the first line of a file that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct OldHeader {
    /// The suite of its lines.
    #[serde(default)]
    pub suite: Option<String>,
    /// What gave the answers of the lines that name no subject.
    #[serde(default)]
    pub subject: Option<String>,
    /// The target that answered.
    #[serde(default)]
    pub target: Option<String>,
}

/// One accepted answer.
#[derive(Debug, Clone)]
pub struct Line {
    /// The response as it stands in the file, without its subject.
    pub text: String,
    /// What gave it.
    pub subject: Option<String>,
    /// Where it stands, from 1; 0 for one that stands in no file.
    pub number: u32,
}

impl Line {
    /// True when the other is the same answer of the same subject.
    pub fn says_what(&self, other: &Line) -> bool {
        self.text == other.text && self.subject == other.subject
    }
}

/// The accepted answers of a suite.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// What the first line said.
    pub header: OldHeader,
    /// By question.
    pub lines: BTreeMap<String, Line>,
    /// Ids that stand there a second time, with the lines of both, from 1.
    pub doubled: Vec<(String, u32, u32)>,
    /// The first line, from 1, whose id comes before that of the line above it.
    pub unsorted: Option<u32>,
}

impl Answers {
    /// Reads the file.
    ///
    /// # Errors
    /// Every line that is no response, with its place.
    pub fn read(source: &Source) -> Result<Answers, Problems> {
        let first = source.text.lines().next();
        let header = first.and_then(|l| serde_json::from_str::<OldHeader>(l).ok()).unwrap_or_default();
        let mut answers = Answers { header, ..Answers::default() };
        let mut problems = Problems::default();
        let mut last = String::new();
        for (text, number) in source.text.lines().zip(1_u32..).skip(1) {
            if text.trim().is_empty() {
                continue;
            }
            let mut r = match response::parse(text.as_bytes()) {
                Ok(r) => r,
                Err((column, what)) => {
                    let place = Place { file: source.path.as_str().into(), line: number, column: 0 };
                    problems.0.push(Problem::error("response-line", place, what).in_line(text.as_bytes(), column));
                    continue;
                }
            };
            let id = r.id.to_string();
            let own = r.subject.take().map(String::from);
            // A line that names no subject is kept as it stands, to the byte.
            let text = if own.is_some() { serde_json::to_string(&r).unwrap_or_default() } else { text.to_owned() };
            if id < last && answers.unsorted.is_none() {
                answers.unsorted = Some(number);
            }
            last.clone_from(&id);
            let subject = own.or_else(|| answers.header.subject.clone());
            if let Some(before) = answers.lines.insert(id.clone(), Line { text, subject, number }) {
                answers.doubled.push((id, before.number, number));
            }
        }
        if problems.0.is_empty() { Ok(answers) } else { Err(problems) }
    }

    /// The file: sorted by id; one subject that gave all answers stands in the first line, else each line of another than
    /// the former first line's names its own.
    ///
    /// # Errors
    /// When the first line cannot be written as JSON, which does not happen.
    pub fn to_jsonl(&self, suite: &str, target: &str) -> Result<String, Problem> {
        let mut all: BTreeSet<Option<&str>> = self.lines.values().map(|l| l.subject.as_deref()).collect();
        let subject = if all.len() == 1 { all.pop_first().flatten() } else { self.header.subject.as_deref() };
        let header = Header { version: 1, kind: "responses", suite, subject, target };
        let header = serde_json::to_string(&header).map_err(|e| {
            Problem::error("accepted-answers", Place::default(), format!("cannot write the first line: {e}"))
        })?;
        let mut out = format!("{header}\n");
        for line in self.lines.values() {
            let own = line.subject.as_deref();
            if own == subject {
                out.push_str(&line.text);
            } else {
                out.push_str(&with_subject(&line.text, own));
            }
            out.push('\n');
        }
        Ok(out)
    }
}

/// A line that says what gave it; a subject that nobody noted is no subject of today.
fn with_subject(line: &str, subject: Option<&str>) -> String {
    let named = response::parse(line.as_bytes()).ok().and_then(|mut r| {
        r.subject = Some(subject.unwrap_or(UNKNOWN).into());
        serde_json::to_string(&r).ok()
    });
    named.unwrap_or_else(|| line.to_owned())
}

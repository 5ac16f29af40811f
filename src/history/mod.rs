//! What came of earlier runs, a line each: `NAME.history.jsonl`, which `ragline accept` writes and which is committed beside the
//! baseline, and files of the same form that `ragline run --summary` appends to.
//!
//! A line is never changed. So two branches that both accepted something are merged by keeping the lines of both, in any order
//! (`merge=union` in `.gitattributes`); the order that counts is that of the runs' ids. No clock is read: an id is a name.

pub mod known;
pub mod make;
pub mod trend;

use crate::problem::{Place, Problem, Problems, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of a line.
pub const VERSION: u64 = 1;

/// How the file of a suite's history ends.
pub const ENDING: &str = ".history.jsonl";

/// Why there is a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Outcomes of the run were accepted.
    Accept,
    /// The run was made.
    Run,
}

impl Kind {
    /// The word for it, as the file writes it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Accept => "accept",
            Kind::Run => "run",
        }
    }
}

/// What one run came to in one suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// 1.
    pub version: u64,
    /// Why there is a line.
    pub kind: Kind,
    /// The run's id. Ids begin with the time of their run, so they sort as the runs were made.
    pub run: String,
    /// The suite.
    pub suite: String,
    /// What was asked.
    pub target: String,
    /// The identity of what was tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The rules under which it was measured.
    pub measure: String,
    /// A digest of which questions were asked, and what they expect: counts of other questions are no trend.
    pub set: String,
    /// True when questions of the suite were left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// The layers that were measured.
    pub layers: BTreeMap<String, Share>,
    /// Means of retrieval: `hit@3`, `rr`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Mean>,
    /// How many questions changed in which way.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub changes: BTreeMap<String, usize>,
    /// Who accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The questions whose outcome was accepted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub questions: BTreeMap<String, Seen>,
}

/// Questions that passed a layer, of those that were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// So many passed.
    pub pass: u64,
    /// Of so many.
    pub n: u64,
}

/// A mean over questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mean {
    /// The mean, to six digits behind the point.
    pub mean: f64,
    /// Over so many questions.
    pub n: u64,
}

/// How the runs of one question came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// The digest of what it expects.
    pub e: String,
    /// So many of its runs passed.
    pub k: u64,
    /// Of so many.
    pub n: u64,
    /// The layers that were accepted as failing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub f: Vec<String>,
}

impl Line {
    /// The line as the file writes it, with its end.
    ///
    /// # Errors
    /// When a number is none that JSON knows.
    pub fn to_text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

#[derive(Deserialize)]
struct Version {
    version: u64,
}

/// Reads lines, in the order of their runs; a line that stands there twice counts once.
///
/// # Errors
/// `history-line`: every line that is damaged, or of another version.
pub fn parse(source: &Source) -> Result<Vec<Line>, Problems> {
    let mut lines: Vec<(&str, Line)> = Vec::new();
    let mut problems = Problems::default();
    for (text, number) in source.text.lines().zip(1_u32..).filter(|(text, _)| !text.trim().is_empty()) {
        match line(text) {
            Ok(line) => lines.push((text, line)),
            Err(why) => {
                let place = Place { file: source.path.as_str().into(), line: number, column: 0 };
                problems.0.push(
                    Problem::error("history-line", place, why)
                        .help("take the file as git has it, or remove the line: what it told is not known then"),
                );
            }
        }
    }
    if problems.any_error() {
        return Err(problems);
    }
    lines.sort_by(|(a, x), (b, y)| (&x.run, x.kind, a).cmp(&(&y.run, y.kind, b)));
    lines.dedup_by(|(a, _), (b, _)| a == b);
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

fn line(text: &str) -> Result<Line, String> {
    let no = |e: serde_json::Error| format!("this is no line of a history: {e}");
    match serde_json::from_str::<Version>(text).map_err(no)?.version {
        VERSION => {}
        other => return Err(format!("version {other} of a history is not known here, expected {VERSION}")),
    }
    let line: Line = serde_json::from_str(text).map_err(no)?;
    let over = line.layers.values().any(|s| s.pass > s.n) || line.questions.values().any(|s| s.k > s.n);
    if over { Err("this is no line of a history: more passed than there were".to_owned()) } else { Ok(line) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The line of an accepted run with one question.
    pub(crate) fn accepted(run: &str, k: u64, n: u64) -> Line {
        let seen = Seen { e: "e1".into(), k, n, f: Vec::new() };
        Line {
            version: VERSION,
            kind: Kind::Accept,
            run: run.into(),
            suite: "shop".into(),
            target: "bot".into(),
            subject: None,
            measure: "m".into(),
            set: "s".into(),
            partial: false,
            layers: BTreeMap::from([("facts".to_owned(), Share { pass: k, n })]),
            metrics: BTreeMap::from([("hit@3".to_owned(), Mean { mean: 0.5, n: 4 })]),
            changes: BTreeMap::new(),
            who: Some("An".into()),
            why: None,
            questions: BTreeMap::from([("q1".to_owned(), seen)]),
        }
    }

    fn source(text: &str) -> Source {
        Source { path: "suites/shop.history.jsonl".into(), text: text.into() }
    }

    #[test]
    fn lines_in_any_order_and_twice_are_the_same_history() {
        let lines: Vec<Line> = ["1", "2", "3"].iter().map(|run| accepted(run, 5, 5)).collect();
        let text: Vec<String> = lines.iter().map(|l| l.to_text().unwrap()).collect();
        let forth = parse(&source(&text.concat())).unwrap();
        let back = [&text[2], "\n", &text[0], &text[1], &text[2]].map(|t| t as &str).concat();
        assert_eq!(forth, lines);
        assert_eq!(parse(&source(&back)).unwrap(), lines);
    }

    #[test]
    fn every_damaged_line_is_named() {
        let good = accepted("1", 5, 5).to_text().unwrap();
        let damaged = [
            "<<<<<<< HEAD\n".to_owned(),
            good.replace("\"version\":1", "\"version\":2"),
            good.replace("\"k\":5", "\"k\":6"),
            good.replace("\"kind\"", "\"what\":1,\"kind\""),
            good.get(..40).unwrap_or_default().to_owned() + "\n",
        ];
        let problems = parse(&source(&(good + &damaged.concat()))).unwrap_err();
        let places: Vec<(&str, u32)> = problems.0.iter().map(|p| (p.code, p.place.line)).collect();
        assert_eq!(places, [2, 3, 4, 5, 6].map(|line| ("history-line", line)));
    }
}

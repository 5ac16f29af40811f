//! The accepted answers of a merged baseline: each follows the side of its block.

use super::answers::{Answers, Line};
use super::merge::From;
use crate::suite::QuestionId;
use std::collections::{BTreeMap, BTreeSet};

/// The three versions of the file.
#[derive(Debug, Clone, Copy)]
pub struct Versions<'a> {
    /// What both sides come from, where it is known.
    pub base: Option<&'a Answers>,
    /// Ours.
    pub ours: &'a Answers,
    /// Theirs.
    pub theirs: &'a Answers,
}

/// The answers of the questions of a merged baseline, of each of which it is known whose block it has. With what was done
/// where both sides had an answer of their own.
pub fn follow(of: Versions<'_>, from: &BTreeMap<QuestionId, From>) -> (Answers, Vec<(QuestionId, String)>) {
    let mut told = Vec::new();
    let mut lines = BTreeMap::new();
    for (id, from) in from {
        let [base, ours, theirs] = of.lines(id.as_str());
        let line = match from {
            From::Ours => ours,
            From::Theirs => theirs,
            From::Both | From::Mixed if same(ours, theirs) => ours,
            From::Both => match three_way(base, ours, theirs) {
                Some(line) => line,
                None => {
                    told.push((id.clone(), "both took up another answer with the same outcome: ours kept".to_owned()));
                    ours
                }
            },
            From::Mixed => {
                told.push((id.clone(), "no answer earned what is taken from both: none kept".to_owned()));
                None
            }
        };
        lines.extend(line.map(|l| (id.to_string(), Line { number: 0, ..l.clone() })));
    }
    (Answers { header: of.header(), lines, ..Answers::default() }, told)
}

/// Merges the file alone, where nothing is known of the baseline beside it.
///
/// # Errors
/// The ids that both sides changed in different ways: whose answer stays depends on their blocks.
pub fn alone(of: Versions<'_>) -> Result<Answers, Vec<String>> {
    let all = |a: &Answers| a.lines.keys().cloned().collect::<BTreeSet<String>>();
    let mut lines = BTreeMap::new();
    let mut both = Vec::new();
    for id in all(of.ours).union(&all(of.theirs)) {
        let [base, ours, theirs] = of.lines(id);
        match three_way(base, ours, theirs).filter(|_| of.base.is_some() || same(ours, theirs)) {
            Some(line) => lines.extend(line.map(|l| (id.clone(), Line { number: 0, ..l.clone() }))),
            None => both.push(id.clone()),
        }
    }
    if both.is_empty() { Ok(Answers { header: of.header(), lines, ..Answers::default() }) } else { Err(both) }
}

impl<'a> Versions<'a> {
    fn lines(&self, id: &str) -> [Option<&'a Line>; 3] {
        [self.base.and_then(|b| b.lines.get(id)), self.ours.lines.get(id), self.theirs.lines.get(id)]
    }

    fn header(&self) -> super::answers::OldHeader {
        let (o, t) = (&self.ours.header, &self.theirs.header);
        super::answers::OldHeader {
            suite: o.suite.clone().or_else(|| t.suite.clone()),
            subject: o.subject.clone().or_else(|| t.subject.clone()),
            target: o.target.clone().or_else(|| t.target.clone()),
        }
    }
}

fn same(a: Option<&Line>, b: Option<&Line>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.says_what(b),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The side that changed; none where both did.
fn three_way<'a>(base: Option<&'a Line>, ours: Option<&'a Line>, theirs: Option<&'a Line>) -> Option<Option<&'a Line>> {
    if same(ours, theirs) || same(base, theirs) {
        Some(ours)
    } else if same(base, ours) {
        Some(theirs)
    } else {
        None
    }
}

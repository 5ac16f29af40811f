//! What a baseline tolerates: accepted failures and flaky questions, who looks after them and for how long.

use super::file::{Entry, Floor};
use super::{Baseline, LayerBase};
use crate::core::plan::{BaselinePlan, SuitePlan};
use crate::core::{Change, QuestionReport};
use crate::layer::LayerId;
use crate::problem::Place;
use crate::suite::{Question, QuestionId, Severity, Suite};
use jiff::civil::Date;
use std::collections::BTreeSet;

/// So many days before its last day an accepted failure is announced.
pub const WARNED: i64 = 14;

/// How many questions a notice names.
const NAMED: usize = 5;

/// Days from one day to another; negative when the other lies before it.
pub fn days_until(today: Date, until: Date) -> i64 {
    today.duration_until(until).as_hours() / 24
}

/// An accepted failure whose last day is near.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expiring<'a> {
    /// The question.
    pub id: &'a QuestionId,
    /// The last day on which its failure is accepted.
    pub until: Date,
    /// Days left: 0 on the last day, never negative.
    pub left: i64,
}

/// The accepted failures that stand today and whose last day comes within so many days, the nearest first. What has expired
/// is not among them (it is a change of its own), nor is a flaky question, whose failures no day ends.
pub fn expiring<'a>(
    entries: impl IntoIterator<Item = (&'a QuestionId, &'a Entry)>,
    today: Date,
    within: i64,
) -> Vec<Expiring<'a>> {
    let near = |(id, e): (&'a QuestionId, &'a Entry)| {
        let until = e.until.filter(|_| (e.fails() && !e.flaky) || e.quarantined)?;
        let left = days_until(today, until);
        (0..=within).contains(&left).then_some(Expiring { id, until, left })
    };
    let mut found: Vec<Expiring<'a>> = entries.into_iter().filter_map(near).collect();
    found.sort_by(|a, b| (a.left, a.id).cmp(&(b.left, b.id)));
    found
}

/// The notices of a run: a line for each suite with failures that are still there and are soon accepted no more.
pub fn notices(suites: &[SuitePlan], reports: &[QuestionReport], today: Date) -> Vec<String> {
    let of_suite = |plan: &SuitePlan| {
        let BaselinePlan::Present { baseline, .. } = &plan.baseline else { return None };
        let failing = reports
            .iter()
            .filter(|r| r.suite == plan.suite.name && (r.change == Change::StillFailing || r.quarantined.is_some()));
        let entries = failing.filter_map(|r| baseline.entries.get_key_value(&r.id));
        said(&plan.suite.name, &expiring(entries, today, WARNED))
    };
    suites.iter().filter_map(of_suite).collect()
}

/// `shop-vi: 2 accepted failures end soon: q7 after 2027-01-31 (today), q9 after 2027-02-03 (3 days left)`
fn said(suite: &str, near: &[Expiring<'_>]) -> Option<String> {
    let first = near.first()?;
    let named: Vec<String> =
        near.iter().take(NAMED).map(|e| format!("{} after {} ({})", e.id, e.until, left(e.left))).collect();
    let more = near.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (what, then) = if near.len() == 1 {
        (
            "1 accepted failure ends".to_owned(),
            format!("from {} on it blocks", first.until.tomorrow().unwrap_or(first.until)),
        )
    } else {
        (format!("{} accepted failures end", near.len()), "from the day after they block".to_owned())
    };
    Some(format!("{suite}: {what} soon: {}{more}; {then}, see `ragline known --expiring {WARNED}d`", named.join(", ")))
}

/// `3 days left`, `1 day ago`.
pub fn left(days: i64) -> String {
    match days {
        0 => "last day today".to_owned(),
        1 => "1 day left".to_owned(),
        -1 => "1 day ago".to_owned(),
        n if n < 0 => format!("{} days ago", n.unsigned_abs()),
        n => format!("{n} days left"),
    }
}

/// How a question is tolerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Its failure was accepted up to a day that has passed: it blocks.
    Expired,
    /// Its failure is accepted.
    Fails,
    /// It is known to pass at some times and fail at others.
    Flaky,
    /// Whatever becomes of it blocks nothing until its last day.
    Quarantined,
}

impl State {
    /// The name, as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            State::Expired => "expired",
            State::Fails => "fails",
            State::Flaky => "flaky",
            State::Quarantined => "quarantined",
        }
    }
}

/// One question that a baseline tolerates.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its suite.
    pub suite: String,
    /// The target whose baseline it is, where the suite has several.
    pub target: Option<String>,
    /// Its id.
    pub id: QuestionId,
    /// Its block.
    pub place: Place,
    /// What is asked.
    pub question: String,
    /// The layers that are accepted as failing; none of a flaky question that was accepted when it passed.
    pub layers: Vec<LayerId>,
    /// How it is tolerated.
    pub state: State,
    /// Below this a flaky question has regressed.
    pub floor: Option<Floor>,
    /// Why.
    pub reason: Option<String>,
    /// Who looks after it: the baseline says, else the suite.
    pub owner: Option<String>,
    /// Where it is tracked.
    pub issue: Option<String>,
    /// The last day on which it is accepted.
    pub until: Option<Date>,
    /// Days left; negative when it has passed.
    pub left: Option<i64>,
}

/// What a baseline tolerates on a day.
pub fn known(suite: &Suite, target: Option<&str>, baseline: &Baseline, today: Date) -> Vec<Known> {
    let tolerated = baseline.entries.iter().filter(|(_, e)| e.fails() || e.flaky || e.quarantined);
    let row = |(id, e): (&QuestionId, &Entry)| {
        let left = e.until.map(|d| days_until(today, d));
        let of_suite = suite.questions.iter().find(|q| q.id == *id);
        Known {
            suite: suite.name.to_string(),
            target: target.map(str::to_owned),
            id: id.clone(),
            place: e.place.clone(),
            question: of_suite.map_or_else(|| e.question.clone(), |q| q.text.clone()),
            layers: e.layers.iter().filter(|(_, b)| **b == Some(LayerBase::Fail)).map(|(l, _)| l).collect(),
            state: match (e.flaky, left) {
                (true, _) => State::Flaky,
                (false, Some(days)) if days < 0 => State::Expired,
                (false, _) if e.quarantined => State::Quarantined,
                (false, _) => State::Fails,
            },
            floor: e.floor,
            reason: e.reason.clone(),
            owner: e.owner.clone().or_else(|| of_suite.and_then(|q| q.owner.clone())),
            issue: e.issue.clone(),
            until: e.until,
            left,
        }
    };
    tolerated.map(row).collect()
}

/// Lets the questions of a baseline that a suite no longer holds, or holds as drafts, be selected like any other: as if they
/// stood at its end.
pub fn stand_in<'e>(suite: &mut Suite, entries: impl IntoIterator<Item = (&'e QuestionId, &'e Entry)>) {
    suite.questions.retain(|q| !q.draft);
    let here: BTreeSet<QuestionId> = suite.questions.iter().map(|q| q.id.clone()).collect();
    let Some(form) = suite.questions.first().cloned() else { return };
    let gone = entries.into_iter().filter(|(id, _)| !here.contains(*id)).map(|(id, e)| Question {
        id: id.clone(),
        text: e.question.clone(),
        owner: e.owner.clone(),
        tags: Vec::new(),
        evidence: Vec::new(),
        severity: Severity::Normal,
        ..form.clone()
    });
    suite.questions.extend(gone);
}

/// Puts what ends first in front; what has no last day comes last, by suite and id.
pub fn sort(rows: &mut [Known]) {
    let key = |k: &Known| (k.left.is_none(), k.left, k.suite.clone(), k.target.clone(), k.id.clone());
    rows.sort_by_cached_key(key);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Source;
    use std::sync::Arc;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    /// Fails until a day; flaky where it says so.
    fn baseline(blocks: &[(&str, &str, bool)]) -> Baseline {
        let mut text = "[baseline]\nversion = 1\n".to_owned();
        for (id, until, flaky) in blocks {
            text += &format!("[question.\"{id}\"]\nexpects = \"a\"\nfacts = \"fail\"\nreason = \"why\"\n");
            if !until.is_empty() {
                text += &format!("until = \"{until}\"\n");
            }
            if *flaky {
                text += "stability = \"flaky\"\n";
            }
        }
        Baseline::parse(&Arc::new(Source { path: "b".into(), text })).unwrap()
    }

    #[test]
    fn the_warning_begins_fourteen_days_before_and_ends_with_the_last_day() {
        let b = baseline(&[("q1", "2027-01-31", false)]);
        let left = |today| expiring(&b.entries, day(today), WARNED).first().map(|e| e.left);
        assert_eq!(left("2027-01-16"), None);
        assert_eq!(left("2027-01-17"), Some(14));
        assert_eq!(left("2027-01-31"), Some(0));
        assert_eq!(left("2027-02-01"), None, "expired is a change of its own");
        // Across the end of winter time and of a year.
        assert_eq!(days_until(day("2026-12-31"), day("2027-01-01")), 1);
        assert_eq!(days_until(day("2026-03-28"), day("2026-03-30")), 2);
    }

    #[test]
    fn the_nearest_comes_first_and_no_day_ends_a_flaky_question() {
        let b = baseline(&[
            ("a", "2027-01-09", false),
            ("b", "2027-01-05", false),
            ("c", "", false),
            ("d", "2027-01-05", true),
            ("e", "2027-01-05", false),
        ]);
        let near = expiring(&b.entries, day("2027-01-04"), WARNED);
        assert_eq!(near.iter().map(|e| e.id.as_str()).collect::<Vec<_>>(), ["b", "e", "a"]);
        let said = said("shop", &near).unwrap();
        assert!(
            said.starts_with("shop: 3 accepted failures end soon: b after 2027-01-05 (1 day left), e after"),
            "{said}"
        );
        let one = expiring(b.entries.iter().filter(|(id, _)| id.as_str() == "b"), day("2027-01-05"), WARNED);
        let said = super::said("shop", &one).unwrap();
        assert!(said.contains("(last day today); from 2027-01-06 on it blocks"), "{said}");
    }
}

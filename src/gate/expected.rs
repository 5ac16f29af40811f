//! Fixes that a change was made for: named before, looked at by name after.
//!
//! A change that is meant to mend a question is not done while the question fails, however many others got better by it; and
//! what got better unplanned is no credit to it, since by chance something always does.

use super::rules::{named, rule};
use super::{Exit, RuleOutcome};
use crate::core::plan::Plan;
use crate::core::{Change, QuestionReport};
use crate::layer::Outcome;
use crate::problem::Place;
use crate::suite::QuestionId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of the rule.
pub const RULE: &str = "expected";

/// The fixes that are expected of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The questions, each with its suite.
    pub fixed: BTreeSet<(Arc<str>, QuestionId)>,
    /// What the change is to.
    pub by: Option<By>,
    /// Where they are named.
    pub place: Option<Place>,
}

/// What is changed, so that a fix can be put down to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// What is found and sent (chunks, embeddings, ranking): a fix has its evidence whole in the prompt.
    Retrieval,
    /// What is made of it (prompt, model): a fix has the same passages as before.
    Generation,
}

impl By {
    /// The name, as files and the command write it.
    pub fn name(self) -> &'static str {
        match self {
            By::Retrieval => "retrieval",
            By::Generation => "generation",
        }
    }

    /// What has that name.
    pub fn parse(name: &str) -> Option<By> {
        [By::Retrieval, By::Generation].into_iter().find(|b| b.name() == name)
    }

    /// Why a question that passes is no fix of this change.
    fn not_attributable(self, r: &QuestionReport) -> Option<&'static str> {
        match self {
            By::Retrieval if r.evidence.complete == Some(true) => None,
            By::Retrieval => Some("its evidence is not whole in the prompt"),
            By::Generation => match r.same_contexts {
                Some(true) => None,
                Some(false) => Some("its passages changed too"),
                // Only what changed is compared with its accepted answer.
                None if r.change != Change::Fixed => None,
                None => Some("no accepted answer tells whether its passages changed"),
            },
        }
    }
}

/// The rule; none where nothing is expected.
pub(super) fn outcome(plan: &Plan, reports: &[QuestionReport]) -> Option<RuleOutcome> {
    let expected = plan.expected.as_ref()?;
    let mine = |r: &&QuestionReport| expected.fixed.contains(&(r.suite.clone(), r.id.clone()));
    let asked: Vec<&QuestionReport> = reports.iter().filter(mine).collect();
    let missing = |r: &&QuestionReport| -> Option<String> {
        let name = named(plan, r);
        if r.outcome != Outcome::Pass {
            return Some(format!("{name} ({})", r.change.words()));
        }
        let why = expected.by?.not_attributable(r)?;
        Some(format!("{name} (not attributable: {why})"))
    };
    let mut lacking: Vec<String> = asked.iter().filter_map(missing).collect();
    let unasked = expected.fixed.len() - asked.len();
    if unasked > 0 {
        lacking.push(format!("{unasked} not in this run"));
    }
    let there = expected.fixed.len().saturating_sub(lacking.len() + unasked.saturating_sub(1));
    let message = if lacking.is_empty() {
        format!("all {} named fixes are there", expected.fixed.len())
    } else {
        let more = lacking.len().saturating_sub(5);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown = lacking.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        format!("{there} of {} named fixes are there; not: {shown}{more}", expected.fixed.len())
    };
    Some(rule(RULE, expected.place.clone(), (!lacking.is_empty()).then_some(Exit::Closed), message))
}

/// What got better without having been named; none where nothing was.
pub(super) fn unplanned(plan: &Plan, reports: &[QuestionReport]) -> Option<String> {
    let expected = plan.expected.as_ref()?;
    let other =
        |r: &&QuestionReport| r.change == Change::Fixed && !expected.fixed.contains(&(r.suite.clone(), r.id.clone()));
    let fixed: Vec<String> = reports.iter().filter(other).map(|r| named(plan, r)).collect();
    let shown = fixed.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    let more = fixed.len().saturating_sub(5);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!fixed.is_empty()).then(|| format!("Unplanned: fixed without having been named: {shown}{more}."))
}

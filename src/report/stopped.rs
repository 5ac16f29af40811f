//! The decision on a run that did not take place: what is wrong with its files, so that the reports that were asked for say so,
//! and no report of an earlier run is taken for this one's.

use crate::core::RunHeader;
use crate::core::event::{Event, Reporter};
use crate::gate::{Decision, Exit, RuleOutcome, RuleVerdict};
use crate::problem::{Gravity, Problems};
use std::io;

/// So many problems are told one by one.
const TOLD: usize = 20;

/// Sends what a reporter hears of a run that ended with these problems before a question was asked.
///
/// # Errors
/// The reporter's.
pub fn emit(problems: &Problems, exit: Exit, reporter: &mut dyn Reporter) -> io::Result<()> {
    reporter.event(Event::Started(&RunHeader::default()))?;
    reporter.event(Event::Decided(&decision(problems, exit)))
}

fn decision(problems: &Problems, exit: Exit) -> Decision {
    let errors: Vec<_> = problems.0.iter().filter(|p| p.gravity == Gravity::Error).collect();
    let mut rules: Vec<RuleOutcome> = errors
        .iter()
        .take(TOLD)
        .map(|p| RuleOutcome {
            name: p.code.to_owned(),
            place: Some(p.place.clone()).filter(|place| !place.file.is_empty()),
            verdict: RuleVerdict::Broken(exit),
            message: match &p.help {
                Some(help) => format!("{}; {help}", p.title),
                None => p.title.clone(),
            },
        })
        .collect();
    if rules.is_empty() || errors.len() > TOLD {
        let more = errors.len().saturating_sub(rules.len());
        let message = if more > 0 { format!("and {more} more errors") } else { "the run did not begin".to_owned() };
        rules.push(RuleOutcome { name: "run".to_owned(), place: None, verdict: RuleVerdict::Broken(exit), message });
    }
    let first = errors.first().map(|p| format!("ragline explain {}", p.code));
    Decision {
        exit,
        exit_if_blocking: exit,
        advisory: false,
        rules,
        tally: Vec::new(),
        suites: Vec::new(),
        next: first.into_iter().collect(),
        notices: Vec::new(),
        by_chance: None,
    }
}

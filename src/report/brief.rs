//! One page on a run for whoever decides and does not read answers: the decision, what changed, how sure that is, what to do next.
//!
//! It says what the run's record says, and decides nothing anew.

use super::{clean, cut};
use crate::drive::record::Run;
use crate::drive::told::Told;
use crate::gate::ADVISED;
use crate::harness::shown::{Shown, ShownAs};
use crate::report::figures::short;
use crate::stats::{Level, Rate};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How the page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For a terminal or a mail.
    Text,
    /// For a wiki or a comment.
    Markdown,
}

/// A heading with its sentences.
struct Section {
    head: &'static str,
    lines: Vec<String>,
}

/// So many questions are named of each kind, and so many causes.
const NAMED: usize = 5;

/// The page.
pub fn brief(run: &Run, questions: &[Told], form: Form) -> String {
    let sections = [
        Section { head: "Decision", lines: decision(run) },
        Section { head: "What changed", lines: changes(questions) },
        Section { head: "How sure", lines: sure(run, questions) },
        Section { head: "What to do next", lines: next(questions) },
    ];
    let of = |text: &str| match form {
        Form::Text => clean::terminal(text).into_owned(),
        Form::Markdown => clean::markdown(text).into_owned(),
    };
    let title = format!("Run {}", run.record.id);
    let mut out = match form {
        Form::Text => format!("{}\n", of(&title)),
        Form::Markdown => format!("# {}\n", of(&title)),
    };
    for section in sections.iter().filter(|s| !s.lines.is_empty()) {
        let _ = match form {
            Form::Text => writeln!(out, "\n{}", section.head),
            Form::Markdown => writeln!(out, "\n## {}\n", section.head),
        };
        for line in &section.lines {
            let _ = match form {
                Form::Text => writeln!(out, "  {}", of(line)),
                Form::Markdown => writeln!(out, "- {}", of(line)),
            };
        }
    }
    out
}

fn decision(run: &Run) -> Vec<String> {
    let rules: Vec<&Shown> = run.record.tests.iter().filter(|t| t.name.starts_with("gate::")).collect();
    let of = |wanted: &dyn Fn(&Shown) -> bool| -> Vec<String> {
        rules.iter().filter(|t| wanted(t)).map(|t| t.text.clone()).collect()
    };
    let broken = of(&|t| t.as_ == ShownAs::Failed);
    let advised = of(&|t| t.as_ == ShownAs::Ignored && t.text.starts_with(ADVISED));
    let no_baseline = of(&|t| t.as_ == ShownAs::Failed && t.name == "gate::baseline");
    let (said, why) = if run.record.interrupted {
        ("The run was interrupted: it decides nothing.", Vec::new())
    } else if !no_baseline.is_empty() {
        ("Nothing is decided: there is nothing to compare with yet.", no_baseline)
    } else if !broken.is_empty() {
        ("The gate is closed: this change must not be merged as it is.", broken)
    } else if !advised.is_empty() {
        ("The gate only advises: it would have been closed.", advised)
    } else {
        ("The gate is open: nothing speaks against this change.", Vec::new())
    };
    std::iter::once(said.to_owned()).chain(why).collect()
}

/// What a change means, in words for somebody who has not read the manual; how many of how many, one or several.
fn in_words(change: &str) -> (&'static str, &'static str) {
    match change {
        "regressed" => ("question was right and is wrong now", "questions were right and are wrong now"),
        "new_fail" => ("new question is wrong", "new questions are wrong"),
        "expired" => ("known failure was to be mended by now", "known failures were to be mended by now"),
        "unmeasured" => ("question could not be measured", "questions could not be measured"),
        "undecided" => {
            ("question came out otherwise, too seldom to tell", "questions came out otherwise, too seldom to tell")
        }
        "drifted" => (
            "question is wrong here and on the main branch: not this change's doing",
            "questions are wrong here and on the main branch: not this change's doing",
        ),
        "fixed" => ("question was wrong and is right now", "questions were wrong and are right now"),
        "flaky" => ("question varies, as is known", "questions vary, as is known"),
        "still_failing" => ("known failure is as it was", "known failures are as they were"),
        "edited" => ("question was edited", "questions were edited"),
        "removed" => ("question was removed", "questions were removed"),
        "new_pass" => ("new question is right", "new questions are right"),
        "unchanged" => ("question is as it was", "questions are as they were"),
        _ => ("question is told apart from these", "questions are told apart from these"),
    }
}

fn changes(questions: &[Told]) -> Vec<String> {
    let mut by: BTreeMap<usize, (&str, Vec<String>)> = BTreeMap::new();
    for q in questions {
        let rank = crate::core::Change::ALL.iter().position(|c| c.name() == q.change).unwrap_or(usize::MAX);
        by.entry(rank).or_insert((&q.change, Vec::new())).1.push(format!("{}::{}", q.suite, q.id));
    }
    let line = |(change, ids): (&str, Vec<String>)| {
        let (one, several) = in_words(change);
        let n = ids.len();
        let words = format!("{} {}", cut::count(n), if n == 1 { one } else { several });
        let quiet = matches!(change, "unchanged" | "new_pass" | "still_failing" | "flaky");
        if quiet { words } else { format!("{words}: {}", super::figures::listed(&ids, NAMED)) }
    };
    by.into_values().map(line).collect()
}

fn sure(run: &Run, questions: &[Told]) -> Vec<String> {
    let mut shares: BTreeMap<(&str, usize), (&str, Rate)> = BTreeMap::new();
    for (q, (at, layer)) in questions.iter().flat_map(|q| q.layers.iter().enumerate().map(move |l| (q, l))) {
        let pass = match layer.outcome.as_str() {
            "pass" => 1,
            "fail" => 0,
            _ => continue,
        };
        let (_, rate) = shares.entry((&q.suite, at)).or_insert((&layer.layer, Rate::default()));
        *rate = Rate::new(rate.hits + pass, rate.n + 1);
    }
    let share = |((suite, _), (layer, rate)): ((&str, usize), (&str, Rate))| {
        let range = rate.wilson(Level::P95);
        let range = range
            .map(|i| format!("; were there many more such questions, between {} and {}", short(i.low), short(i.high)));
        format!("{suite}, {layer}: {} of {} right{}", rate.hits, rate.n, range.unwrap_or_default())
    };
    let mut lines: Vec<String> = shares.into_iter().map(share).collect();
    let anew: Vec<Rate> = run.results.iter().filter_map(|l| l.fresh).collect();
    if !anew.is_empty() {
        let runs: u64 = anew.iter().map(|r| r.n).sum();
        lines.push(format!(
            "{} questions that came out otherwise were asked anew, {runs} times in all, so that a single bad run decides nothing",
            anew.len()
        ));
    }
    lines
}

fn next(questions: &[Told]) -> Vec<String> {
    let mut causes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let wrong = |q: &&Told| matches!(q.change.as_str(), "regressed" | "new_fail" | "expired" | "unmeasured" | "edited");
    for q in questions.iter().filter(wrong).filter(|q| q.outcome != "pass") {
        if let Some((_, next)) = &q.diagnosis {
            causes.entry(next).or_default().push(format!("{}::{}", q.suite, q.id));
        }
    }
    let mut causes: Vec<(&str, Vec<String>)> = causes.into_iter().collect();
    causes.sort_by_key(|(next, ids)| (std::cmp::Reverse(ids.len()), *next));
    let mut lines: Vec<String> = causes
        .iter()
        .take(NAMED)
        .map(|(next, ids)| format!("{}: {next}", super::figures::listed(ids, NAMED)))
        .collect();
    if let Some(first) = causes.first().and_then(|(_, ids)| ids.first()) {
        lines.push(format!("look at one: ragline show {first}"));
    }
    if questions.iter().any(|q| q.change == "fixed") {
        lines.push("keep what was mended: ragline accept --only fixed".to_owned());
    }
    lines
}

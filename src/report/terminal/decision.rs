//! The decision, the rules that made it, and what to type next.

use super::block::name;
use super::paint::{Ink, Line, Paper};
use crate::core::event::{BaselineState, RunHeader, SuiteHeader};
use crate::core::{Change, QuestionReport, Verdict};
use crate::gate::{Decision, Exit, RuleOutcome, RuleVerdict};
use crate::loosened::Kind;
use crate::report::gather::Gathered;
use crate::report::{clean, cut, measure, story};

/// So many questions are named in a command.
const NAMED: usize = 20;

/// So many questions of a suite are named by themselves even when they are all of it.
const FEW: usize = 5;

/// The word of a decision.
pub(in crate::report) fn word(exit: Exit, no_baseline: bool) -> &'static str {
    match exit {
        Exit::Open => "GATE OPEN",
        Exit::Closed => "GATE CLOSED",
        Exit::Usage if no_baseline => "NO BASELINE YET",
        Exit::Usage => "NOT DECIDED",
        Exit::Incomplete => "INCOMPLETE",
        Exit::NothingSelected => "NOTHING SELECTED",
        Exit::ReportNotWritten => "REPORT NOT WRITTEN",
    }
}

/// True when a baseline is missing.
pub(in crate::report) fn no_baseline(run: &Gathered) -> bool {
    run.header.suites.iter().any(|s| matches!(s.baseline, BaselineState::Missing(_)))
}

pub(super) fn tell(p: &mut Paper, run: &Gathered, d: &Decision) {
    p.blank();
    let ink = match d.exit {
        Exit::Open if d.exit_if_blocking == Exit::Open => Ink::Good,
        Exit::Open | Exit::Incomplete => Ink::Warn,
        Exit::Closed | Exit::Usage | Exit::NothingSelected | Exit::ReportNotWritten => Ink::Bad,
    };
    let mut line = Line::new().ink(word(d.exit, no_baseline(run)), ink).plain(&format!("   exit {}", d.exit.code()));
    if d.exit != d.exit_if_blocking {
        line = line.ink(&format!("   advisory: would have blocked (exit {})", d.exit_if_blocking.code()), Ink::Warn);
    }
    p.line(line);
    let broken = d.rules.iter().filter(|r| matches!(r.verdict, RuleVerdict::Broken(_)));
    broken.for_each(|r| rule(p, r));
    let advised: Vec<&RuleOutcome> = d.rules.iter().filter(|r| matches!(r.verdict, RuleVerdict::Advised(_))).collect();
    if !advised.is_empty() {
        if !d.advisory {
            p.line(Line::new().ink("  would have blocked, and only advises:", Ink::Dim));
        }
        advised.into_iter().for_each(|r| rule(p, r));
    }
    let open: Vec<&str> =
        d.rules.iter().filter(|r| r.verdict == RuleVerdict::NotEvaluated).map(|r| r.name.as_str()).collect();
    if !open.is_empty() {
        p.hanging("  not evaluated: ", Ink::Dim, &clean::terminal(&open.join(", ")), Ink::Dim, 2);
    }
    changes(p, run);
    if let Some(sentence) = &d.by_chance {
        p.hanging("  ", Ink::Dim, &clean::terminal(sentence), Ink::Dim, 6);
    }
    for notice in &d.notices {
        p.hanging("! ", Ink::Warn, &clean::terminal(notice), Ink::Plain, 4);
    }
    next(p, run, d);
}

/// So many changes of what decides are shown.
const CHANGES: usize = 8;

/// What the branch changes of what decides; what it loosens comes first.
fn changes(p: &mut Paper, run: &Gathered) {
    let h = &run.header;
    if let Some(from) = &h.policy_from {
        p.hanging("  ", Ink::Plain, &clean::terminal(&measure::decided_by(from)), Ink::Dim, 2);
    }
    if h.measure_changes.is_empty() {
        return;
    }
    p.blank();
    let loosened = h.measure_changes.iter().any(|c| c.kind == Kind::Loosened);
    let ink = if loosened { Ink::Warn } else { Ink::Dim };
    p.line(Line::new().ink(&measure::headline(&h.measure_changes), ink));
    for change in h.measure_changes.iter().take(CHANGES) {
        let place = change.place.as_ref().map(|at| clean::terminal(&at.to_string()).into_owned()).unwrap_or_default();
        let head = format!("  {:<10} ", change.kind.name());
        p.hanging_ends(&head, Ink::Dim, &clean::terminal(&change.what), Ink::Plain, 3, &place);
    }
    if let Some(more) = h.measure_changes.len().checked_sub(CHANGES).filter(|n| *n > 0) {
        p.line(Line::new().ink(&format!("  and {} more; --markdown FILE has them all", cut::count(more)), Ink::Dim));
    }
}

fn rule(p: &mut Paper, r: &RuleOutcome) {
    let place = r.place.as_ref().map(|at| clean::terminal(&at.to_string()).into_owned()).unwrap_or_default();
    p.hanging_ends("  ", Ink::Plain, &clean::terminal(&r.message), Ink::Plain, 3, &place);
}

/// What to type next; nothing that the decision itself already says.
fn next(p: &mut Paper, run: &Gathered, d: &Decision) {
    let lines = steps(run, d);
    if !lines.is_empty() {
        p.blank();
    }
    for (label, line) in lines {
        // Commands are never cut or wrapped: they are there to be copied.
        p.line(Line::new().ink(&cut::pad(label, 9), Ink::Dim).plain(&line));
    }
}

/// What to type next, each line with its label; an empty label goes on with the one above. Cleaned for one line.
pub(in crate::report) fn steps(run: &Gathered, d: &Decision) -> Vec<(&'static str, String)> {
    let blocking: Vec<&QuestionReport> = run
        .questions
        .iter()
        .filter(|q| q.change != Change::Removed && matches!(q.verdict, Verdict::Failed | Verdict::Incomplete))
        .collect();
    let first = no_baseline(run);
    let mut lines: Vec<(&str, String)> = Vec::new();
    if let Some(q) = story::first_red(&run.questions) {
        lines.push(("show", format!("ragline show {}", name(q))));
    }
    if !blocking.is_empty() && !first {
        let (command, named) = repeat(&run.header, &blocking);
        lines.push(("repeat", command));
        if named > NAMED {
            lines.push(("", format!("(the first {NAMED} of {})", cut::count(named))));
        }
    }
    let explained = blocking.iter().find_map(|q| story::reasons(q).first().map(|r| r.code));
    if let Some(code) = explained {
        lines.push(("explain", format!("ragline explain {code}")));
    }
    if let Some(command) = story::mend(&blocking) {
        lines.push(("mend", clean::terminal(&command).into_owned()));
    }
    if let Some(command) = story::accept(&blocking).filter(|_| !first) {
        lines.push(("meant?", clean::terminal(&command).into_owned()));
    }
    let said: Vec<String> = lines.iter().map(|(_, l)| l.clone()).collect();
    for line in d.next.iter().filter(|l| !said.contains(l)) {
        let label = if lines.iter().any(|(l, _)| *l == "next") { "" } else { "next" };
        lines.push((label, clean::terminal(line).into_owned()));
    }
    lines
}

/// The command that asks some questions again as this run did, the first [`NAMED`] of them, and how many names there would be.
pub(in crate::report) fn repeat(header: &RunHeader, questions: &[&QuestionReport]) -> (String, usize) {
    let mut command: Vec<String> = vec!["ragline run".into()];
    // A suite that is to be repeated as a whole is named, not listed.
    let all =
        |s: &&SuiteHeader| s.questions > FEW && s.questions == questions.iter().filter(|q| q.suite == s.name).count();
    let whole: Vec<&str> = header.suites.iter().filter(all).map(|s| &*s.name).collect();
    let mut named: Vec<String> = Vec::new();
    for q in questions {
        let what = if whole.contains(&&*q.suite) { clean::terminal(&q.suite).into_owned() } else { name(q) };
        if named.last() != Some(&what) {
            named.push(what);
        }
    }
    command.extend(named.iter().take(NAMED).cloned());
    let mut how = clean::terminal(&header.repeat_args).into_owned();
    if questions.iter().any(|q| story::wants_recording(q)) {
        // The same replay would find the same gaps.
        how = how.replace("--answers replay", "--answers fill");
    }
    if !how.is_empty() {
        command.push(how);
    }
    (command.join(" "), named.len())
}

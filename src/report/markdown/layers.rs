//! The layers of each suite, and what the run cannot see.

use crate::core::{Change, RunHeader};
use crate::gate::refusals::Refusals;
use crate::gate::{Decision, LayerSummary, RuleVerdict, SuiteSummary};
use crate::report::terminal::{aside, decimal};
use crate::report::{clean, cut};

/// So many suites have a table; the results have the others.
const SUITES: usize = 20;

/// The tables.
pub(super) fn tables(d: &Decision) -> String {
    let told: Vec<&SuiteSummary> = d.suites.iter().filter(|s| s.layers.iter().any(counted)).collect();
    let mut out = String::new();
    for s in told.iter().take(SUITES) {
        if d.suites.len() > 1 {
            out.push_str(&format!("**{}**\n\n", clean::markdown(&cut::chars(&s.suite, 200))));
        }
        out.push_str(&table(s));
        out.push('\n');
        out.extend(s.refusals.as_ref().map(refusals));
    }
    if told.len() > SUITES {
        out.push_str(&format!("… and {} more suites: the results file has them all.\n\n", told.len() - SUITES));
    }
    out
}

/// The head of each column, and how it is set.
pub(in crate::report) const COLUMNS: [(&str, &str); 6] = [
    ("Layer", "---"),
    ("Right, was → now", "---:"),
    ("Share", "---:"),
    ("95 % interval", "---"),
    ("At random", "---:"),
    ("Not checked", "---"),
];

/// The layers of a suite; a column without anything in it is left out.
fn table(s: &SuiteSummary) -> String {
    let rows: Vec<[String; COLUMNS.len()]> = s.layers.iter().filter(|l| counted(l)).map(row).collect();
    let shown: Vec<usize> =
        (0..COLUMNS.len()).filter(|c| rows.iter().any(|r| r.get(*c).is_some_and(|t| !t.is_empty()))).collect();
    let line = |cells: &[&str]| {
        let cells: Vec<&str> = shown.iter().filter_map(|c| cells.get(*c).copied()).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut out = line(&COLUMNS.map(|(head, _)| head)) + &line(&COLUMNS.map(|(_, set)| set));
    rows.iter().for_each(|r| out.push_str(&line(&r.each_ref().map(String::as_str))));
    out
}

pub(in crate::report) fn counted(l: &LayerSummary) -> bool {
    l.pass + l.fail + l.unmeasured > 0
}

pub(in crate::report) fn row(l: &LayerSummary) -> [String; COLUMNS.len()] {
    let n = l.pass + l.fail;
    let was = l.was_pass.map(|w| format!("{w} → ")).unwrap_or_default();
    let right = if n == 0 { "–".to_owned() } else { format!("{was}{} of {n}", l.pass) };
    let share = if n == 0 { String::new() } else { decimal(l.pass as f64 / n as f64) };
    let interval = l.interval.map(|(lo, hi)| format!("{} to {}", decimal(lo), decimal(hi))).unwrap_or_default();
    let random = l.random.map(decimal).unwrap_or_default();
    [l.layer.to_string(), right, share, interval, random, aside(l).unwrap_or_default()]
}

/// Refusals in both directions, in one line.
fn refusals(r: &Refusals) -> String {
    let told = r.told().map(|(what, share)| match (share.value(), share.interval) {
        (Some(value), Some((low, high))) => {
            format!("{what} {}/{}: {value:.2} ({low:.2} to {high:.2})", share.hits, share.of)
        }
        (None, _) | (_, None) => format!("{what}: no such question was measured"),
    });
    format!("Refusals: {}\n\n", told.join(" · "))
}

/// What neither a green nor a red run says anything about, a sentence each.
pub(in crate::report) fn unseen_by(header: &RunHeader, d: &Decision) -> Vec<String> {
    let mut lines = Vec::new();
    for s in d.suites.iter().take(SUITES) {
        let of = if d.suites.len() > 1 { format!("{}: ", cut::chars(&s.suite, 200)) } else { String::new() };
        lines.extend(s.blind.iter().chain(&s.unchecked).map(|b| format!("{of}{b}")));
        for l in s.layers.iter().filter(|l| l.pass + l.fail == 0) {
            let why = aside(l).or_else(|| (l.not_applicable > 0).then(|| "no question gives it anything".to_owned()));
            lines.extend(why.map(|why| format!("{of}{} was not checked at all: {why}", l.layer)));
        }
    }
    if let Some((selected, all)) = header.partial {
        lines.push(format!(
            "Partial: {} of {} questions were selected; the others may have changed",
            cut::count(selected),
            cut::count(all)
        ));
    }
    let count = |c: Change| d.tally.iter().find(|(x, _)| *x == c).map_or(0, |(_, n)| *n);
    for (change, why) in [
        (Change::NotAsked, "not asked for want of a key"),
        (Change::Observed, "assert nothing and are only shown"),
        (Change::Draft, "are drafts"),
    ] {
        let n = count(change);
        if n > 0 {
            lines.push(format!("{} questions {why}", cut::count(n)));
        }
    }
    let open: Vec<&str> =
        d.rules.iter().filter(|r| r.verdict == RuleVerdict::NotEvaluated).map(|r| r.name.as_str()).collect();
    lines.extend(d.by_chance.clone());
    if !open.is_empty() {
        lines.push(format!("Rules that were not evaluated: {}", cut::chars(&open.join(", "), 600)));
    }
    lines
}

/// The same as a list.
pub(super) fn unseen(header: &RunHeader, d: &Decision) -> String {
    let lines = unseen_by(header, d);
    if lines.is_empty() {
        return String::new();
    }
    let lines: String = lines.iter().map(|l| format!("- {}\n", clean::markdown(&cut::chars(l, 800)))).collect();
    format!("**What this run cannot see**\n\n{lines}\n")
}

//! The terminal report: what changed first, then the layers, then the decision and what to type next.
//!
//! Everything is printed once the run is decided, because the first line already says how many layers were checked.

mod block;
mod decision;
mod paint;
pub mod show;
mod table;

use super::gather::Gathered;
use crate::core::event::{BaselineState, Reporter};
use crate::core::{Change, Event, QuestionReport, SuiteHeader, Verdict};
use crate::gate::Decision;
use crate::report::{clean, cut};
pub(super) use block::{mark, name, state};
pub(super) use decision::{no_baseline, repeat, steps, word};
use paint::{Ink, Line, Paper};
use std::io::{self, Write};
pub(super) use table::{aside, decimal, mean, same_n, share_of, telling};

/// So many changed questions are shown with their story; the rest has a line each.
const BLOCKS: usize = 20;

/// So many questions of a kind have a line each; the rest is counted.
const LINES: usize = 100;

/// So many short lines (fixed, new, known) are shown before they become a count.
const SHORT: usize = 10;

/// How the report is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns; less than 20 counts as 20. A terminal of unknown width has 80.
    pub width: usize,
    /// Colours and weights, as terminal escapes.
    pub colour: bool,
}

impl Default for Look {
    fn default() -> Self {
        Look { width: 100, colour: false }
    }
}

/// Writes the report of a run to a terminal, a pipe or a string.
#[derive(Debug)]
pub struct Terminal<W> {
    out: W,
    look: Look,
    run: Gathered,
}

impl<W: Write> Terminal<W> {
    /// A report that is written to `out`.
    pub fn new(out: W, look: Look) -> Self {
        Terminal { out, look: Look { width: look.width.max(20), ..look }, run: Gathered::default() }
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> Reporter for Terminal<W> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.run.take(event);
        let Event::Decided(decision) = event else { return Ok(()) };
        let mut paper = Paper::new(self.look);
        tell(&mut paper, &self.run, decision);
        self.out.write_all(paper.text().as_bytes())?;
        self.out.flush()
    }
}

/// The whole report.
fn tell(p: &mut Paper, run: &Gathered, d: &Decision) {
    head(p, run, d);
    counts(p, d);
    if first_run(run) {
        first(p, run);
    } else {
        changed(p, run);
    }
    for s in &d.suites {
        table::suite(p, s, d.suites.len() > 1);
    }
    decision::tell(p, run, d);
}

/// True when there is nothing to compare with yet: each question is new, and blocks would say so once per question.
fn first_run(run: &Gathered) -> bool {
    run.header.suites.iter().any(|s| matches!(s.baseline, BaselineState::Missing(_)))
        && run.questions.iter().all(|q| match q.change {
            Change::NewFail
            | Change::NewPass
            | Change::Unmeasured
            | Change::Undecided
            | Change::Observed
            | Change::Draft
            | Change::NotAsked
            | Change::EvidenceStale => true,
            Change::NotSelected
            | Change::Removed
            | Change::Edited
            | Change::RuleChanged
            | Change::Incomparable
            | Change::Regressed
            | Change::Expired
            | Change::Drifted
            | Change::Flaky
            | Change::StillFailing
            | Change::Fixed
            | Change::Unchanged => false,
        })
}

fn head(p: &mut Paper, run: &Gathered, d: &Decision) {
    let h = &run.header;
    if let Some(said) = &h.not_in_full {
        p.line(Line::new().ink(&clean::terminal(said), Ink::Warn));
    }
    let profile = h.profile.as_ref().map(|n| format!("profile {}", clean::terminal(n)));
    let title = format!("ragline {}   ", crate::VERSION);
    match h.suites.as_slice() {
        [s] => {
            let mut parts = vec![clean::terminal(&s.name).into_owned()];
            parts.extend(about(s, d));
            if let Some(profile) = profile {
                parts.insert(parts.len() - 1, profile);
            }
            p.parts(&title, &parts);
            p.line(Line::new().ink(&baseline(&s.baseline), Ink::Dim));
        }
        suites => {
            let asked: usize = suites.iter().map(|s| s.selected).sum();
            let mut parts = vec![plural(suites.len(), "suite"), plural(asked, "question")];
            parts.extend(profile);
            p.parts(&title, &parts);
            let width = suites.iter().map(|s| cut::columns(&s.name)).max().unwrap_or(0).min(30);
            for s in suites {
                let name = format!("  {}   ", cut::pad(&clean::terminal(&s.name), width));
                p.parts(&name, &about(s, d));
                p.line(Line::new().plain(&" ".repeat(width + 5)).ink(&baseline(&s.baseline), Ink::Dim));
            }
        }
    }
    if let Some((selected, of)) = h.partial {
        let said = format!("partial: {} of {} questions", cut::count(selected), cut::count(of));
        p.line(Line::new().ink(&said, Ink::Dim));
    }
}

/// What is said of a suite beside its name: how many questions, of what, how many layers; cleaned for one line.
pub(super) fn about(s: &SuiteHeader, d: &Decision) -> Vec<String> {
    let asked = if s.selected == s.questions {
        plural(s.questions, "question")
    } else {
        format!("{} of {}", cut::count(s.selected), plural(s.questions, "question"))
    };
    let mut parts = vec![asked, format!("target {}", clean::terminal(&cut::chars(&s.target, 200)))];
    if let Some(layers) = d.suites.iter().find(|x| x.suite == s.name) {
        parts.push(format!("checked {} of {} layers", layers.checked_layers, layers.layers.len()));
    }
    parts
}

/// With what a suite is compared; cleaned for one line.
pub(super) fn baseline(state: &BaselineState) -> String {
    match state {
        BaselineState::Present(path) => format!("baseline {}", clean::terminal(path)),
        BaselineState::Missing(path) => format!("no baseline yet: {}", clean::terminal(path)),
        BaselineState::NotUsed => "no baseline: each question stands for itself".into(),
    }
}

/// `1 question`, `1,200 questions`.
pub(super) fn plural(n: usize, what: &str) -> String {
    format!("{} {what}{}", cut::count(n), if n == 1 { "" } else { "s" })
}

/// The changes in the order in which they concern a reader, with the words for one and for several, and their ink.
const COUNTED: [(Change, &str, &str, Ink); 20] = [
    (Change::Regressed, "regressed", "regressed", Ink::Bad),
    (Change::Expired, "expired", "expired", Ink::Bad),
    (Change::NewFail, "new failure", "new failures", Ink::Bad),
    (Change::Edited, "edited", "edited", Ink::Warn),
    (Change::Removed, "removed", "removed", Ink::Bad),
    (Change::Unmeasured, "unmeasured", "unmeasured", Ink::Warn),
    (Change::EvidenceStale, "evidence stale", "evidence stale", Ink::Warn),
    (Change::Undecided, "undecided", "undecided", Ink::Warn),
    (Change::Drifted, "drifted", "drifted", Ink::Warn),
    (Change::Fixed, "fixed", "fixed", Ink::Good),
    (Change::NewPass, "new pass", "new passes", Ink::Good),
    (Change::Flaky, "flaky", "flaky", Ink::Plain),
    (Change::StillFailing, "known failure", "known failures", Ink::Plain),
    (Change::RuleChanged, "rule changed", "rule changed", Ink::Warn),
    (Change::Incomparable, "incomparable", "incomparable", Ink::Warn),
    (Change::Unchanged, "unchanged", "unchanged", Ink::Plain),
    (Change::Observed, "observed only", "observed only", Ink::Plain),
    (Change::NotAsked, "not asked", "not asked", Ink::Warn),
    (Change::Draft, "draft", "drafts", Ink::Dim),
    (Change::NotSelected, "not selected", "not selected", Ink::Dim),
];

/// `2 known failures`.
pub fn counted(change: Change, n: usize) -> String {
    let words = COUNTED.iter().find(|c| c.0 == change).map_or(change.words(), |c| if n == 1 { c.1 } else { c.2 });
    format!("{} {words}", cut::count(n))
}

/// The tally in the order of concern, without what there is none of.
pub(super) fn tallied(d: &Decision) -> Vec<(Change, usize)> {
    tally(d).into_iter().map(|(change, n, _)| (change, n)).collect()
}

/// The tally in the order of concern.
fn tally(d: &Decision) -> Vec<(Change, usize, Ink)> {
    let of = |change| d.tally.iter().find(|(c, _)| *c == change).map_or(0, |(_, n)| *n);
    COUNTED.iter().map(|(c, _, _, ink)| (*c, of(*c), *ink)).filter(|(_, n, _)| *n > 0).collect()
}

fn counts(p: &mut Paper, d: &Decision) {
    let parts: Vec<_> = tally(d).into_iter().map(|(c, n, ink)| (counted(c, n), ink)).collect();
    if parts.is_empty() {
        return;
    }
    p.blank();
    p.row("  ", &parts);
}

/// A first run: the failing questions, a line each.
fn first(p: &mut Paper, run: &Gathered) {
    let failing: Vec<_> = run.questions.iter().filter(|q| q.change != Change::NewPass).collect();
    if failing.is_empty() {
        return;
    }
    // What could not be measured says nothing yet of any one question.
    let (unmeasured, mut told): (Vec<_>, Vec<_>) =
        failing.into_iter().partition(|q| matches!(rank(q), Rank::Unmeasured | Rank::EvidenceStale));
    // Where nothing was measured the reason is the whole story, told once and in full: a line each would cut it.
    let least = if unmeasured.len() == run.questions.len() { 2 } else { block::GROUP };
    let (groups, single) = block::group(unmeasured, least);
    told.extend(single);
    if !told.is_empty() {
        p.blank();
        block::brief(p, told.get(..BLOCKS).unwrap_or(&told));
        more(p, told.len().saturating_sub(BLOCKS), "questions fail");
    }
    for g in &groups {
        p.blank();
        block::grouped(p, g);
    }
}

/// `and 1,180 more questions fail`.
fn more(p: &mut Paper, n: usize, what: &str) {
    if n > 0 {
        p.line(Line::new().ink(&format!("  … and {} more {what}", cut::count(n)), Ink::Dim));
    }
}

/// Where a question stands in the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Regressed,
    Expired,
    NewFail,
    Edited,
    Removed,
    Tolerated,
    Unmeasured,
    EvidenceStale,
    Undecided,
    Drifted,
    Flaky,
    Known,
    EditedPasses,
    Fixed,
    NewPass,
    Notice,
}

fn rank(q: &QuestionReport) -> Rank {
    let tolerated = matches!(q.verdict, Verdict::Skipped(_));
    match q.change {
        Change::Regressed | Change::Expired | Change::NewFail if tolerated => Rank::Tolerated,
        Change::Regressed => Rank::Regressed,
        Change::Expired => Rank::Expired,
        Change::NewFail => Rank::NewFail,
        Change::Edited if q.verdict == Verdict::Passed => Rank::EditedPasses,
        Change::Edited if tolerated => Rank::Tolerated,
        Change::Edited => Rank::Edited,
        Change::Removed => Rank::Removed,
        Change::Unmeasured => Rank::Unmeasured,
        Change::EvidenceStale => Rank::EvidenceStale,
        Change::Undecided => Rank::Undecided,
        Change::Drifted => Rank::Drifted,
        Change::Flaky => Rank::Flaky,
        Change::StillFailing => Rank::Known,
        Change::Fixed => Rank::Fixed,
        Change::NewPass => Rank::NewPass,
        Change::RuleChanged
        | Change::Incomparable
        | Change::NotSelected
        | Change::NotAsked
        | Change::Draft
        | Change::Unchanged
        | Change::Observed => Rank::Notice,
    }
}

/// What changed: blocks first, then short lines, then the notices of the run.
fn changed(p: &mut Paper, run: &Gathered) {
    let mut questions: Vec<(Rank, &QuestionReport)> = run.questions.iter().map(|q| (rank(q), q)).collect();
    questions.sort_by_key(|(r, _)| *r);
    let of = |wanted: &[Rank]| -> Vec<&QuestionReport> {
        questions.iter().filter(|(r, _)| wanted.contains(r)).map(|(_, q)| *q).collect()
    };
    use Rank::*;

    let (groups, single) = block::group(of(&[Unmeasured, EvidenceStale]), block::GROUP);
    let mut told = of(&[Regressed, Expired, NewFail, Edited, Removed, Tolerated]);
    told.extend(single);
    for q in told.iter().take(BLOCKS) {
        p.blank();
        block::full(p, q);
    }
    for g in &groups {
        p.blank();
        block::grouped(p, g);
    }
    if told.len() > BLOCKS {
        p.blank();
        let lines: Vec<_> = told.iter().copied().skip(BLOCKS).take(LINES - BLOCKS).collect();
        block::brief(p, &lines);
        more(p, told.len().saturating_sub(LINES), "questions: the results file has them all");
    }

    let mut gap = true;
    for kind in [Undecided, Drifted, Flaky, Fixed, EditedPasses, NewPass, Known] {
        let all = of(&[kind]);
        let limit = if kind == Known { 5 } else { SHORT };
        // Known failures are news to nobody: a line each only while they are few.
        if all.is_empty() || (kind == Known && all.len() > limit) {
            continue;
        }
        if std::mem::take(&mut gap) {
            p.blank();
        }
        if kind == NewPass {
            block::listed(p, &all, limit);
            continue;
        }
        block::short(p, all.get(..limit).unwrap_or(&all));
        if let Some(q) = all.first() {
            more(p, all.len().saturating_sub(limit), q.change.words());
        }
    }

    let notices = [
        (
            Change::RuleChanged,
            "this version's rules score the accepted answer differently; not counted against this change",
        ),
        (
            Change::Incomparable,
            "the rules are not those of the baseline, and there is no accepted answer to score again",
        ),
    ];
    for (change, why) in notices {
        let n = run.questions.iter().filter(|q| q.change == change).count();
        if n > 0 {
            p.blank();
            p.hanging(&format!("! {}   ", counted(change, n)), Ink::Warn, why, Ink::Plain, 3);
        }
    }
}

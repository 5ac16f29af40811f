//! What became of what would have blocked while the gate only advised: the figure by which a team decides whether it may
//! block.
//!
//! A question that would have blocked in several runs, one after the other, would have blocked once: until somebody did
//! something about it. What people then accepted as it was, called a wrong check, or edited, the gate would have blocked for
//! nothing, or for a change that was wanted; what went right again without that was a fault, or chance.

use crate::baseline::Baseline;
use crate::baseline::file::LayerBase;
use crate::core::Change;
use crate::drive::record::Run;
use crate::gate::ADVISED;
use crate::labels::Label;
use crate::layer::LayerId;
use crate::stats::{Level, Rate};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// So many runs, and it is time to look.
pub const ENOUGH: usize = 20;

/// What people say and accept now, of one suite.
#[derive(Debug)]
pub struct Now {
    /// What is accepted; none where there is no baseline.
    pub baseline: Option<Baseline>,
    /// What people say of answers.
    pub labels: Vec<Label>,
    /// What each question expects: the digest.
    pub expects: BTreeMap<String, String>,
}

/// How a would-be block ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// The baseline accepts what it would have blocked for.
    Accepted,
    /// A person says that the check is wrong.
    Labelled,
    /// The question expects something else now, or is gone.
    Edited,
    /// It is right in the newest run, and nothing of the above was done.
    RightAgain,
    /// It is as it was.
    Open,
}

impl Ended {
    const ALL: [Ended; 5] = [Ended::Accepted, Ended::Labelled, Ended::Edited, Ended::RightAgain, Ended::Open];

    /// The name, as JSON writes it.
    pub fn name(self) -> &'static str {
        match self {
            Ended::Accepted => "accepted",
            Ended::Labelled => "labelled",
            Ended::Edited => "edited",
            Ended::RightAgain => "right_again",
            Ended::Open => "open",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Ended::Accepted => "accepted as they were",
            Ended::Labelled => "checks that a label calls wrong",
            Ended::Edited => "questions that were edited or taken out",
            Ended::RightAgain => "right again without any of that",
            Ended::Open => "still open",
        }
    }

    /// True for what the gate would have blocked although people let it pass.
    pub fn let_pass(self) -> bool {
        matches!(self, Ended::Accepted | Ended::Labelled | Ended::Edited)
    }
}

/// One question that would have blocked, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// `suite::id`.
    pub question: String,
    /// In how many runs.
    pub runs: usize,
    /// How it ended.
    pub ended: Ended,
}

/// What became of the would-be blocks of some runs, the oldest run first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Looked {
    /// How many runs advised.
    pub runs: usize,
    /// How many of them would have blocked.
    pub blocking: usize,
    /// What would have blocked.
    pub blocks: Vec<Block>,
}

/// Looks at runs, the oldest first; those that blocked and did not advise are left out.
pub fn look(runs: &[Run], now: &BTreeMap<String, Now>) -> Looked {
    let mut looked = Looked::default();
    // The block of each question that the run before had, as its place in the list.
    let mut open: BTreeMap<String, usize> = BTreeMap::new();
    for run in runs.iter().filter(|r| r.record.advisory) {
        looked.runs += 1;
        let blocking: BTreeSet<&str> =
            run.record.tests.iter().filter(|t| t.text.starts_with(ADVISED)).map(|t| t.name.as_str()).collect();
        looked.blocking += usize::from(!blocking.is_empty());
        for line in &run.results {
            let question = format!("{}::{}", line.suite, line.id);
            if !blocking.contains(question.as_str()) {
                // It was asked and is right: the next one is another block.
                open.remove(&question);
                continue;
            }
            let ended = ended(run, &line.suite, &line.id, &line.changed_layers, line.change, runs, now);
            match open.get(&question).and_then(|at| looked.blocks.get_mut(*at)) {
                Some(block) => {
                    block.runs += 1;
                    block.ended = ended;
                }
                None => {
                    open.insert(question.clone(), looked.blocks.len());
                    looked.blocks.push(Block { question, runs: 1, ended });
                }
            }
        }
    }
    looked
}

fn ended(
    run: &Run,
    suite: &str,
    id: &str,
    layers: &[LayerId],
    change: Change,
    runs: &[Run],
    now: &BTreeMap<String, Now>,
) -> Ended {
    let Some(of_suite) = now.get(suite) else { return Ended::Edited };
    let asked = run.of(suite).and_then(|s| s.expects.get(id));
    let entry = of_suite.baseline.as_ref().and_then(|b| b.entries.get(id));
    let gone = change == Change::Removed;
    if gone != of_suite.expects.contains_key(id) && (gone || asked == of_suite.expects.get(id)) {
        // As it was asked, or still gone: is it accepted?
        let accepted = match entry {
            Some(e) => e.flaky || layers.iter().any(|l| e.layers[*l] == Some(LayerBase::Fail)),
            None => gone,
        };
        if accepted {
            return Ended::Accepted;
        }
    } else {
        return Ended::Edited;
    }
    if of_suite.labels.iter().any(|l| l.id == id && l.pass && layers.contains(&l.layer)) {
        return Ended::Labelled;
    }
    let newest = runs.iter().rev().flat_map(|r| &r.results).find(|l| l.suite == suite && l.id == id);
    if newest.is_some_and(|l| !l.change.is_open(l.outcome == "fail")) { Ended::RightAgain } else { Ended::Open }
}

impl Looked {
    /// The table, for a terminal.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.runs == 0 {
            return "no run advised: `mode = \"advisory\"` in thresholds.toml, or of a part of it\n".to_owned();
        }
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let _ = writeln!(
            out,
            "{} advisory run{}: {} would have blocked, over {} question{} in all",
            self.runs,
            plural(self.runs),
            self.blocking,
            self.blocks.len(),
            plural(self.blocks.len())
        );
        for ended in Ended::ALL {
            let these: Vec<&Block> = self.blocks.iter().filter(|b| b.ended == ended).collect();
            if these.is_empty() {
                continue;
            }
            let named: Vec<&str> = these.iter().take(5).map(|b| b.question.as_str()).collect();
            let more = if these.len() > 5 { format!(" and {} more", these.len() - 5) } else { String::new() };
            let _ = writeln!(out, "  {:>3} {:<40} {}{more}", these.len(), ended.words(), named.join(", "));
        }
        let closed: Vec<&Block> = self.blocks.iter().filter(|b| b.ended != Ended::Open).collect();
        let passed = closed.iter().filter(|b| b.ended.let_pass()).count();
        let rate = Rate::new(passed as u64, closed.len() as u64);
        if let (Some(share), Some(interval)) = (rate.value(), rate.wilson(Level::P95)) {
            let _ = writeln!(
                out,
                "people let {passed} of {} pass ({share:.2}, 95 % from {:.2} to {:.2}): so often the gate would have blocked \
                 what was right or wanted",
                closed.len(),
                interval.low,
                interval.high,
            );
        }
        if self.runs < ENOUGH {
            let _ = writeln!(out, "that is little to go by: look again after {ENOUGH} runs");
        }
        out
    }
}

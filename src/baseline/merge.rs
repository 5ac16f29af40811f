//! Two baselines that come from one, merged question by question. What both sides changed is taken from the stricter of them,
//! layer by layer: a merge never accepts what one of its sides would have blocked.

mod strict;

use super::file::{Baseline, Entry};
use crate::problem::{Place, Problem, Problems};
use crate::suite::QuestionId;
use std::collections::{BTreeMap, BTreeSet};

/// What two sides come from.
#[derive(Debug, Clone, Copy)]
pub enum Base<'a> {
    /// It is known; empty where both sides wrote their first baseline. Of the questions that are named here it is not known
    /// all the same.
    Known(&'a Baseline, &'a BTreeSet<QuestionId>),
    /// Only the two sides are known.
    Unknown,
}

/// What the suite of the working tree says of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fits {
    /// It expects this.
    Expects(String),
    /// The suite does not hold it, or holds it as a draft.
    Gone,
    /// The suite cannot be read; why.
    Unknown(String),
}

/// Whose block a question has after the merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// Both sides say the same.
    Both,
    /// Ours.
    Ours,
    /// Theirs.
    Theirs,
    /// Some layers of the one and some of the other: no answer of either earned all of it.
    Mixed,
}

impl From {
    /// The name, as messages write it.
    pub fn name(self) -> &'static str {
        match self {
            From::Both => "both",
            From::Ours => "ours",
            From::Theirs => "theirs",
            From::Mixed => "both in part",
        }
    }

    /// The other of two sides.
    fn other(self) -> From {
        match self {
            From::Ours => From::Theirs,
            From::Theirs => From::Ours,
            From::Both | From::Mixed => self,
        }
    }
}

/// What came of a merge.
#[derive(Debug)]
pub struct Merged {
    /// The baseline.
    pub baseline: Baseline,
    /// Whose block each of its questions has.
    pub from: BTreeMap<QuestionId, From>,
    /// What was done about each question that both sides changed, a line each.
    pub told: Vec<(QuestionId, String)>,
}

/// The block of a question after the merge, and what was done about it. No block: the question is left out, or was removed.
struct Settled {
    entry: Option<Entry>,
    from: From,
    told: Option<String>,
}

/// Merges two baselines. `shown` is the file as messages name it, `fits` what the suite of the working tree says.
///
/// # Errors
/// When the sides were accepted under different rules, when it cannot be told whether a block was added or removed, or when
/// the suite is needed and cannot be read. Nothing is merged then.
pub fn merge(
    base: Base<'_>,
    ours: &Baseline,
    theirs: &Baseline,
    shown: &str,
    fits: &dyn Fn(&QuestionId) -> Fits,
) -> Result<Merged, Problems> {
    let measure = measure(base, ours, theirs, shown)?;
    let ids: BTreeSet<&QuestionId> = match base {
        Base::Known(b, _) => b.entries.keys().chain(ours.entries.keys()).chain(theirs.entries.keys()).collect(),
        Base::Unknown => ours.entries.keys().chain(theirs.entries.keys()).collect(),
    };
    let mut merged =
        Merged { baseline: Baseline { measure, entries: BTreeMap::new() }, from: BTreeMap::new(), told: Vec::new() };
    let mut problems = Problems::default();
    for id in ids {
        match question(base, id, ours.entries.get(id), theirs.entries.get(id), shown, fits) {
            Ok(Settled { entry, from, told }) => {
                if let Some(entry) = entry {
                    merged.baseline.entries.insert(id.clone(), Entry { place: Place::default(), ..entry });
                    merged.from.insert(id.clone(), from);
                }
                merged.told.extend(told.map(|t| (id.clone(), t)));
            }
            Err(p) => problems.0.push(p),
        }
    }
    if problems.0.is_empty() { Ok(merged) } else { Err(problems) }
}

/// The rules under which both sides were accepted.
fn measure(base: Base<'_>, ours: &Baseline, theirs: &Baseline, shown: &str) -> Result<Option<String>, Problem> {
    if ours.measure == theirs.measure {
        return Ok(ours.measure.clone());
    }
    if let Base::Known(base, unsure) = base
        && unsure.is_empty()
    {
        // A side that changed nothing has nothing that was accepted under its rules alone.
        if is_same(base, theirs) {
            return Ok(ours.measure.clone());
        }
        if is_same(base, ours) {
            return Ok(theirs.measure.clone());
        }
    }
    let of = |m: &Option<String>| m.clone().unwrap_or_else(|| "none".to_owned());
    let what = format!(
        "the sides were accepted under different rules: measure {} and {}",
        of(&ours.measure),
        of(&theirs.measure)
    );
    Err(Problem::error("resolve-measure", Place::file(shown), what)
        .help("take the side of the newer rules (`git checkout --ours FILE` or `--theirs`), run the whole suite, and accept what the other side had accepted"))
}

fn is_same(a: &Baseline, b: &Baseline) -> bool {
    a.measure == b.measure
        && a.entries.len() == b.entries.len()
        && a.entries.iter().zip(&b.entries).all(|((i, a), (j, b))| i == j && a.says_what(b))
}

fn same(a: Option<&Entry>, b: Option<&Entry>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.says_what(b),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn question(
    base: Base<'_>,
    id: &QuestionId,
    ours: Option<&Entry>,
    theirs: Option<&Entry>,
    shown: &str,
    fits: &dyn Fn(&QuestionId) -> Fits,
) -> Result<Settled, Problem> {
    let quiet = |entry: Option<&Entry>, from| Ok(Settled { entry: entry.cloned(), from, told: None });
    if same(ours, theirs) {
        return quiet(ours, From::Both);
    }
    let known = match base {
        Base::Known(b, unsure) if !unsure.contains(id) => Some(b.entries.get(id)),
        Base::Known(..) | Base::Unknown => None,
    };
    match (known, ours, theirs) {
        (Some(was), _, _) if same(was, ours) => quiet(theirs, From::Theirs),
        (Some(was), _, _) if same(was, theirs) => quiet(ours, From::Ours),
        (_, Some(o), Some(t)) if o.expects != t.expects => other_expectation(id, o, t, shown, fits),
        (_, Some(o), Some(t)) => stricter(id, o, t, shown, fits),
        (Some(_), Some(kept), None) => Ok(against_removed(kept, From::Ours)),
        (Some(_), None, Some(kept)) => Ok(against_removed(kept, From::Theirs)),
        (None, Some(kept), None) => one_sided(id, kept, From::Ours, shown),
        (None, None, Some(kept)) => one_sided(id, kept, From::Theirs, shown),
        (_, None, None) => quiet(None, From::Both),
    }
}

/// One side took the block out, the other changed it. It stays, so that it must be removed by somebody who knows; and since
/// the question would be a new one without it, what it accepts as failing is accepted no more.
fn against_removed(kept: &Entry, from: From) -> Settled {
    let (entry, dropped) = strict::without_failures(kept);
    let failures = if dropped { "; the failures that it accepted are not, accept them again" } else { "" };
    let told = format!("{} changed it, {} removed it: it stays{failures}", from.name(), from.other().name());
    Settled { entry: Some(entry), from, told: Some(told) }
}

/// A block on one side, and no knowing whether the one added it or the other removed it.
fn one_sided(id: &QuestionId, kept: &Entry, from: From, shown: &str) -> Result<Settled, Problem> {
    if kept.fails() || kept.flaky || kept.quarantined {
        let what = format!(
            "only one side ({}) accepts a failure of `{id}`, and whether it was added there or removed on the other cannot be told",
            from.name()
        );
        return Err(Problem::error("resolve-base", Place::file(shown), what)
            .help("`git checkout --conflict=diff3 FILE` writes down what both come from; then resolve again"));
    }
    let told = format!("only {} has it, and it accepts no failure: it stays", from.name());
    Ok(Settled { entry: Some(kept.clone()), from, told: Some(told) })
}

/// The sides expect different things of a question: the one that fits the suite speaks of the question as it stands.
fn other_expectation(
    id: &QuestionId,
    ours: &Entry,
    theirs: &Entry,
    shown: &str,
    fits: &dyn Fn(&QuestionId) -> Fits,
) -> Result<Settled, Problem> {
    match known_fit(id, shown, fits)? {
        Fits::Expects(now) if now == ours.expects => Ok(taken(ours, From::Ours)),
        Fits::Expects(now) if now == theirs.expects => Ok(taken(theirs, From::Theirs)),
        Fits::Expects(_) | Fits::Unknown(_) => Ok(Settled {
            entry: None,
            from: From::Both,
            told: Some(
                "the sides expect different things of it, and the suite a third: left out, accept it as new".into(),
            ),
        }),
        Fits::Gone => Ok(gone(ours)),
    }
}

fn taken(entry: &Entry, from: From) -> Settled {
    let told = format!("the sides expect different things of it, and {} fits the suite: taken whole", from.name());
    Settled { entry: Some(entry.clone()), from, told: Some(told) }
}

/// The suite does not hold it any more: a block that is there says so, and `accept --removed` takes it out.
fn gone(ours: &Entry) -> Settled {
    let (entry, _) = strict::without_failures(ours);
    let told = "both sides changed it, and the suite does not hold it: `ragline accept --removed` takes it out".into();
    Settled { entry: Some(entry), from: From::Ours, told: Some(told) }
}

/// What the suite says, where it is needed.
fn known_fit(id: &QuestionId, shown: &str, fits: &dyn Fn(&QuestionId) -> Fits) -> Result<Fits, Problem> {
    match fits(id) {
        Fits::Unknown(why) => {
            let what = format!("which side of `{id}` fits the suite cannot be told: {why}");
            Err(Problem::error("resolve-suite", Place::file(shown), what)
                .help("resolve the suite first, then this file: `ragline baseline resolve`"))
        }
        known @ (Fits::Expects(_) | Fits::Gone) => Ok(known),
    }
}

/// Both sides changed it and expect the same of it.
fn stricter(
    id: &QuestionId,
    ours: &Entry,
    theirs: &Entry,
    shown: &str,
    fits: &dyn Fn(&QuestionId) -> Fits,
) -> Result<Settled, Problem> {
    match strict::stricter(ours, theirs) {
        Ok((entry, from, what)) => Ok(Settled { entry: Some(entry), from, told: Some(what) }),
        Err(why) => match known_fit(id, shown, fits)? {
            Fits::Gone => Ok(gone(ours)),
            Fits::Expects(_) | Fits::Unknown(_) => {
                Ok(Settled { entry: None, from: From::Both, told: Some(format!("{why}: left out, accept it as new")) })
            }
        },
    }
}

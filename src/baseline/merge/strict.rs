//! The stricter of two blocks of one question, layer by layer.
//!
//! What a layer blocks grows along this line, so that the stricter of two blocks all that either does:
//!
//! | accepted | blocks |
//! | --- | --- |
//! | fail | nothing; a fail, from the day after `until` on |
//! | flaky | nothing; once runs are repeated, a share of passes below its floor |
//! | nothing, skipped | a fail |
//! | pass | a fail, and for three layers an answer that gives nothing to check |
//!
//! Where a flaky block does not say in which layers it varies, it does in all of them. So a block that would need a layer that
//! passes and one that is flaky by such a word alone cannot be written; and since flaky has no last day, of a flaky one and a
//! failing one with a last day neither is stricter on every day: such a question is left to people.

use super::From;
use crate::baseline::file::{Entry, Floor, LayerBase};
use crate::layer::{LayerId, LayerMap};
use std::cmp::Ordering;

/// How strict a layer of a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Fail,
    Flaky,
    Absent,
    Skipped,
    Pass,
}

impl Level {
    fn of(entry: &Entry, layer: LayerId) -> Level {
        match entry.layers[layer] {
            None => Level::Absent,
            Some(LayerBase::Skipped) => Level::Skipped,
            Some(LayerBase::Mixed(_)) => Level::Flaky,
            Some(LayerBase::Pass | LayerBase::Fail) if entry.varies(layer) => Level::Flaky,
            Some(LayerBase::Pass) => Level::Pass,
            Some(LayerBase::Fail) => Level::Fail,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Level::Fail => "fail",
            Level::Flaky => "flaky",
            Level::Absent => "not accepted",
            Level::Skipped => "skipped",
            Level::Pass => "pass",
        }
    }
}

/// The block as if the question had none, kept for what it does not tolerate: layers that fail or are flaky are accepted no
/// more. With whether there were any.
pub(super) fn without_failures(entry: &Entry) -> (Entry, bool) {
    let tolerated = |l| entry.quarantined || Level::of(entry, l) < Level::Absent;
    if !LayerId::ALL.into_iter().any(tolerated) {
        return (entry.clone(), false);
    }
    let layers = LayerMap::from_fn(|l| entry.layers[l].filter(|_| !tolerated(l)));
    let plain = Entry {
        layers,
        reason: None,
        owner: None,
        issue: None,
        until: None,
        flaky: false,
        quarantined: false,
        floor: None,
        runs: None,
        ..entry.clone()
    };
    (plain, true)
}

/// The stricter of two blocks with the same expectations, whose it is, and what was taken over what.
///
/// # Errors
/// Why no block is as strict as both.
pub(super) fn stricter(ours: &Entry, theirs: &Entry) -> Result<(Entry, From, String), String> {
    match (ours.quarantined, theirs.quarantined) {
        (true, false) => return released(theirs, From::Theirs),
        (false, true) => return released(ours, From::Ours),
        (true, true) | (false, false) => {}
    }
    let level = |l| Level::of(ours, l).max(Level::of(theirs, l));
    let any = |wanted: Level| LayerId::ALL.into_iter().any(|l| level(l) == wanted);
    let flaky = any(Level::Flaky);
    let mixed = |l| [ours, theirs].into_iter().filter_map(|e| share(e, l)).max_by(height);
    let unnamed = |l| level(l) == Level::Flaky && mixed(l).is_none();
    if any(Level::Pass) && LayerId::ALL.into_iter().any(unnamed) {
        return Err(
            "one side says that it is flaky, and the other accepts that a layer passes and another fails".into()
        );
    }
    let failing = if ours.flaky { theirs } else { ours };
    if flaky && !(ours.flaky && theirs.flaky) && failing.until.is_some() {
        return Err("one side says that it is flaky, and the other that it fails up to a day".into());
    }
    let layers = LayerMap::from_fn(|l| match level(l) {
        Level::Absent => None,
        Level::Skipped => Some(LayerBase::Skipped),
        Level::Fail => Some(LayerBase::Fail),
        Level::Pass => Some(LayerBase::Pass),
        Level::Flaky if mixed(l).is_some() => mixed(l).map(LayerBase::Mixed),
        // The word beside `flaky` decides nothing; pass is what both would have to agree on to be there.
        Level::Flaky => {
            let of = |e: &Entry| e.layers[l].filter(|_| Level::of(e, l) == Level::Flaky);
            let passes = [of(ours), of(theirs)].contains(&Some(LayerBase::Pass));
            Some(if passes { LayerBase::Pass } else { LayerBase::Fail })
        }
    });
    let from = whose(ours, theirs, &layers, flaky);
    let side = if from == From::Theirs { theirs } else { ours };
    // More runs behind a block show a change with fewer runs anew.
    let runs = [ours, theirs].into_iter().filter(|e| !flaky && e.layers == layers).filter_map(|e| e.runs).max();
    let mut entry = Entry { layers, flaky, floor: None, runs, until: None, ..side.clone() };
    if entry.fails() || flaky || entry.quarantined {
        entry.until = earlier(ours, theirs, flaky);
        entry.floor = [ours, theirs].into_iter().filter(|e| flaky && e.flaky).filter_map(|e| e.floor).max_by(height);
    } else if from == From::Mixed {
        (entry.reason, entry.owner, entry.issue) = (None, None, None);
    }
    let told = said(ours, theirs, &entry, from);
    Ok((entry, from, told))
}

/// A quarantine against a block without one, which is the stricter where it tolerates nothing; else it is so until the last
/// day only.
fn released(plain: &Entry, from: From) -> Result<(Entry, From, String), String> {
    if plain.fails() || plain.flaky {
        return Err("one side quarantines it up to a day, and the other accepts that it fails".into());
    }
    Ok((plain.clone(), from, format!("{} does not quarantine it", from.name())))
}

/// The share of runs in which a layer passed, where it is known to vary.
fn share(entry: &Entry, layer: LayerId) -> Option<Floor> {
    match entry.layers[layer] {
        Some(LayerBase::Mixed(share)) => Some(share),
        Some(LayerBase::Pass | LayerBase::Fail | LayerBase::Skipped) | None => None,
    }
}

/// The side whose layers these are; where both have them, that of the earlier last day, then of the higher floor, then ours.
fn whose(ours: &Entry, theirs: &Entry, layers: &LayerMap<Option<LayerBase>>, flaky: bool) -> From {
    let has = |e: &Entry| e.layers == *layers && e.flaky == flaky;
    match (has(ours), has(theirs)) {
        (true, false) => From::Ours,
        (false, true) => From::Theirs,
        (false, false) => From::Mixed,
        (true, true) => {
            let last = |e: &Entry| (e.until.is_none(), e.until);
            let floor = |a: &Entry, b: &Entry| match (a.floor, b.floor) {
                (Some(a), Some(b)) => height(&a, &b),
                (a, b) => a.is_some().cmp(&b.is_some()),
            };
            match last(theirs).cmp(&last(ours)).then_with(|| floor(ours, theirs)) {
                Ordering::Less => From::Theirs,
                Ordering::Equal | Ordering::Greater => From::Ours,
            }
        }
    }
}

/// The earlier last day of the sides whose failures are among those of the block.
fn earlier(ours: &Entry, theirs: &Entry, flaky: bool) -> Option<jiff::civil::Date> {
    [ours, theirs].into_iter().filter(|e| e.flaky == flaky).filter_map(|e| e.until).min()
}

/// Which share of passes is higher.
fn height(a: &Floor, b: &Floor) -> Ordering {
    (u64::from(a.passes) * u64::from(b.runs)).cmp(&(u64::from(b.passes) * u64::from(a.runs)))
}

/// `facts: pass (theirs) over fail; until 2026-12-01 (ours) over 2027-01-31; the rest is theirs`
fn said(ours: &Entry, theirs: &Entry, entry: &Entry, from: From) -> String {
    let mut parts = Vec::new();
    for l in LayerId::ALL {
        let (o, t) = (Level::of(ours, l), Level::of(theirs, l));
        match o.cmp(&t) {
            Ordering::Greater => parts.push(format!("{l}: {} (ours) over {} (theirs)", o.name(), t.name())),
            Ordering::Less => parts.push(format!("{l}: {} (theirs) over {} (ours)", t.name(), o.name())),
            Ordering::Equal => {}
        }
    }
    if ours.until != theirs.until && (entry.fails() || entry.flaky || entry.quarantined) {
        parts.push(entry.until.map_or_else(|| "no last day".to_owned(), |d| format!("until {d}, the earlier day")));
    }
    if ours.floor != theirs.floor
        && let Some(f) = entry.floor
    {
        parts.push(format!("floor {}/{}, the higher one", f.passes, f.runs));
    }
    let words = |e: &Entry| (e.reason.clone(), e.owner.clone(), e.issue.clone());
    if words(ours) != words(theirs) && entry.reason.is_some() {
        parts.push(format!("reason, owner and issue of {}", if from == From::Theirs { "theirs" } else { "ours" }));
    }
    if parts.is_empty() {
        parts.push(format!(
            "the same outcome in other words: {} kept",
            if from == From::Theirs { "theirs" } else { "ours" }
        ));
    }
    parts.join("; ")
}

//! Two versions of the baselines: what is accepted now that was not.

use super::{Changes, Kind};
use crate::baseline::Baseline;
use crate::baseline::file::{Entry, Floor, LayerBase};
use crate::layer::LayerId;
use std::collections::BTreeMap;

pub(super) fn compare(was: &BTreeMap<String, Baseline>, now: &BTreeMap<String, Baseline>, changes: &mut Changes) {
    for (file, before) in was {
        let Some(after) = now.get(file) else {
            let place = crate::problem::Place::file(file);
            changes.push(Kind::Loosened, format!("baseline {file} is gone"), Some(&place));
            continue;
        };
        if before.measure != after.measure {
            changes.push(Kind::Changed, format!("baseline {file}: accepted under other rules"), None);
        }
        for (id, entry) in &before.entries {
            match after.entries.get(id) {
                // What the suite no longer asks is told of the suite.
                None => changes.push(Kind::Changed, format!("{id} is no longer in {file}"), Some(&entry.place)),
                Some(next) => question(&format!("{id} in {file}"), entry, next, changes),
            }
        }
        for (id, entry) in after.entries.iter().filter(|(id, _)| !before.entries.contains_key(*id)) {
            if entry.fails() || entry.flaky || entry.quarantined {
                let what = format!("{id} in {file}: {} is accepted of a new question", what_of(entry));
                changes.push(Kind::Loosened, what, Some(&entry.place));
            }
        }
    }
}

/// A failure, that it varies, or whatever becomes of it.
fn what_of(entry: &Entry) -> &'static str {
    if entry.quarantined {
        "a quarantine"
    } else if entry.fails() {
        "a failure"
    } else {
        "that it is flaky"
    }
}

fn question(name: &str, was: &Entry, now: &Entry, changes: &mut Changes) {
    let at = Some(&now.place);
    let mut layers: BTreeMap<Kind, Vec<String>> = BTreeMap::new();
    let reason = now.reason.as_ref().map_or_else(String::new, |r| format!(" ({r})"));
    for layer in LayerId::ALL {
        let word = |base: Option<LayerBase>| base.map_or("nothing", LayerBase::name);
        // What is accepted as passing or skipped must not fail; what is not there is judged alone.
        let weight = |base: Option<LayerBase>| match base {
            Some(LayerBase::Pass | LayerBase::Skipped) | None => 0,
            Some(LayerBase::Fail | LayerBase::Mixed(_)) => 1,
        };
        let (before, after) = (was.layers[layer], now.layers[layer]);
        let kind = match (weight(before), weight(after)) {
            (0, 1) => Kind::Loosened,
            (1, 0) => Kind::Tightened,
            _ if before == after => continue,
            _ => Kind::Changed,
        };
        layers.entry(kind).or_default().push(format!("{layer} {} -> {}", word(before), word(after)));
    }
    // A line for each way, not for each layer: an answer that refuses changes five of them.
    for (kind, layers) in layers {
        let why = if kind == Kind::Loosened { reason.as_str() } else { "" };
        changes.push(kind, format!("{name}: {}{why}", layers.join(", ")), at);
    }
    let flaky = |e: &Entry| match (e.quarantined, e.flaky) {
        (true, _) => (2, "quarantined"),
        (false, true) => (1, "flaky"),
        (false, false) => (0, "stable"),
    };
    changes.steps(name, flaky(was), flaky(now), at);
    if was.flaky && now.flaky {
        let floor = |f: Option<Floor>| f.map_or(0.0, |f| f64::from(f.passes) / f64::from(f.runs));
        let word = |f: Option<Floor>| f.map_or_else(|| "none".to_owned(), |f| format!("{}/{}", f.passes, f.runs));
        let (before, after) = (floor(was.floor), floor(now.floor));
        if (before - after).abs() > f64::EPSILON {
            let kind = if after < before { Kind::Loosened } else { Kind::Tightened };
            changes.push(kind, format!("{name}: floor {} -> {}", word(was.floor), word(now.floor)), at);
        }
    }
    let ends = |e: &Entry| e.fails() || e.flaky || e.quarantined;
    if was.until != now.until && ends(was) && ends(now) {
        let day = |e: &Entry| e.until.map_or_else(|| "no end".to_owned(), |d| d.to_string());
        // Without a last day it is accepted for ever.
        let later = match (was.until, now.until) {
            (Some(a), Some(b)) => b > a,
            (_, None) => true,
            (None, Some(_)) => false,
        };
        let kind = if later { Kind::Loosened } else { Kind::Tightened };
        changes.push(kind, format!("{name}: until {} -> {}", day(was), day(now)), at);
    }
}

//! What a branch changes of what decides: thresholds, baselines, suites, what targets are said to return, and recordings.
//! A pull request that lets more through than before says so itself, whatever its own run comes to.
//!
//! Each change is one line with its place, and whether it lets more through, asks for more, or cannot be told to do either.

mod baseline;
mod policy;
mod profile;
mod suite;

use crate::baseline::Baseline;
use crate::gate::thresholds::Thresholds;
use crate::problem::Place;
use crate::suite::Suite;
use crate::suite::config::Project;
use std::collections::BTreeMap;

/// Which way a change goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// More passes than before.
    Loosened,
    /// Other things pass than before.
    Changed,
    /// Less passes than before.
    Tightened,
}

impl Kind {
    /// The word, as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Loosened => "loosened",
            Kind::Changed => "changed",
            Kind::Tightened => "tightened",
        }
    }
}

/// One change of what decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasureChange {
    /// Which way it goes.
    pub kind: Kind,
    /// What changed, one line: `max_regressed: 0 -> 2`.
    pub what: String,
    /// Where it stands now, or stood.
    pub place: Option<Place>,
}

/// What decides, as one commit has it.
#[derive(Debug)]
pub struct Deciding<'a> {
    /// The policy.
    pub thresholds: &'a Thresholds,
    /// The settings.
    pub project: &'a Project,
    /// The suites, by name.
    pub suites: &'a [Suite],
    /// The baselines, by the file as messages show it.
    pub baselines: &'a BTreeMap<String, Baseline>,
    /// The recordings that stand for targets, by the file as messages show it: a digest of each line, by its key.
    pub recordings: &'a BTreeMap<String, BTreeMap<String, String>>,
}

/// What became of what decides, what was loosened first.
pub fn compare(was: &Deciding<'_>, now: &Deciding<'_>) -> Vec<MeasureChange> {
    let mut changes = Changes::default();
    policy::compare(was.thresholds, now.thresholds, &mut changes);
    suite::compare(was.suites, now.suites, &mut changes);
    baseline::compare(was.baselines, now.baselines, &mut changes);
    targets(was.project, now.project, &mut changes);
    profile::compare(was.project, now.project, &mut changes);
    recordings(was.recordings, now.recordings, &mut changes);
    changes.0.sort_by_key(|c| c.kind);
    changes.0
}

#[derive(Default)]
struct Changes(Vec<MeasureChange>);

impl Changes {
    fn push(&mut self, kind: Kind, what: String, place: Option<&Place>) {
        self.0.push(MeasureChange { kind, what, place: place.cloned() });
    }

    /// A setting that grows looser with its value; nothing when it is as it was.
    fn grows<T: PartialOrd + std::fmt::Display>(&mut self, name: &str, was: T, now: T, place: Option<&Place>) {
        let kind = match was.partial_cmp(&now) {
            Some(std::cmp::Ordering::Equal) | None => return,
            Some(std::cmp::Ordering::Less) => Kind::Loosened,
            Some(std::cmp::Ordering::Greater) => Kind::Tightened,
        };
        self.push(kind, format!("{name}: {was} -> {now}"), place);
    }

    /// A setting with a word for each step, from the strictest on.
    fn steps(&mut self, name: &str, was: (u8, &str), now: (u8, &str), place: Option<&Place>) {
        let kind = match was.0.cmp(&now.0) {
            std::cmp::Ordering::Equal => return,
            std::cmp::Ordering::Less => Kind::Loosened,
            std::cmp::Ordering::Greater => Kind::Tightened,
        };
        self.push(kind, format!("{name}: {} -> {}", was.1, now.1), place);
    }
}

/// A target that is said to return less has fewer layers checked; its own wordings decide what counts as a refusal.
fn targets(was: &Project, now: &Project, changes: &mut Changes) {
    for (name, target) in &was.targets {
        let Some(next) = now.targets.get(name) else { continue };
        if let (Some(before), Some(after)) = (target.provides, next.provides) {
            for (what, before, after) in [
                ("answer", before.answer, after.answer),
                ("contexts", before.contexts, after.contexts),
                ("citations", before.citations, after.citations),
            ] {
                let kind = match (before, after) {
                    (true, false) => Kind::Loosened,
                    (false, true) => Kind::Tightened,
                    (true, true) | (false, false) => continue,
                };
                let verb = if after { "is" } else { "is no longer" };
                changes.push(kind, format!("target {name} {verb} said to return {what}"), Some(&next.place));
            }
        }
    }
    if was.refusal != now.refusal {
        let what = "the project's own wordings of refusals and failures ([refusal] of ragline.toml)".to_owned();
        changes.push(Kind::Changed, what, None);
    }
}

/// Answers of a recording are what is judged in a replay.
fn recordings(
    was: &BTreeMap<String, BTreeMap<String, String>>,
    now: &BTreeMap<String, BTreeMap<String, String>>,
    changes: &mut Changes,
) {
    let none = BTreeMap::new();
    let mut files: Vec<&String> = was.keys().chain(now.keys()).collect();
    files.sort_unstable();
    files.dedup();
    for file in files {
        let (before, after) = (was.get(file).unwrap_or(&none), now.get(file).unwrap_or(&none));
        let other = after.iter().filter(|(key, digest)| before.get(*key).is_some_and(|b| b != *digest)).count();
        let new = after.keys().filter(|key| !before.contains_key(*key)).count();
        let gone = before.keys().filter(|key| !after.contains_key(*key)).count();
        let parts: Vec<String> = [(other, "changed"), (new, "new"), (gone, "gone")]
            .into_iter()
            .filter(|(n, _)| *n > 0)
            .map(|(n, what)| format!("{n} {what}"))
            .collect();
        if !parts.is_empty() {
            let what = format!("recorded answers of {file}: {}", parts.join(", "));
            changes.push(Kind::Changed, what, Some(&Place::file(file)));
        }
    }
}

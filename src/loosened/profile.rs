//! What a branch changes of the profiles of `ragline.toml`: whose policy decides, and what is asked.
//!
//! A profile stands in the branch's own files, so a branch can take away what was to bind it. It is told.

use super::{Changes, Kind};
use crate::problem::Place;
use crate::suite::config::{FILE, Profile, Project};
use std::collections::BTreeSet;

/// Each profile with what it inherits, as it was and as it is.
pub(super) fn compare(was: &Project, now: &Project, changes: &mut Changes) {
    let names: BTreeSet<&String> = was.profiles.keys().chain(now.profiles.keys()).collect();
    let place = Place::file(FILE);
    for name in names {
        // One that is new or gone is one that nobody names, or an error.
        let (Some(before), Some(after)) = (was.profile(name), now.profile(name)) else { continue };
        policy_from(name, &before, &after, changes, &place);
        for (key, same) in [
            ("select", before.select == after.select),
            ("target", before.target == after.target),
            ("answers", before.answers == after.answers),
            ("without_keys", before.without_keys.unwrap_or_default() == after.without_keys.unwrap_or_default()),
        ] {
            if !same {
                changes.push(Kind::Changed, format!("{key} of profile {name}"), Some(&place));
            }
        }
    }
}

/// Without it the branch's own policy and baselines decide.
fn policy_from(name: &str, before: &Profile, after: &Profile, changes: &mut Changes, place: &Place) {
    let kind = match (&before.policy_from, &after.policy_from) {
        (was, now) if was == now => return,
        (Some(_), None) => Kind::Loosened,
        (None, Some(_)) => Kind::Tightened,
        _ => Kind::Changed,
    };
    let said = |p: &Profile| p.policy_from.clone().unwrap_or_else(|| "none".to_owned());
    changes.push(kind, format!("policy_from of profile {name}: {} -> {}", said(before), said(after)), Some(place));
}

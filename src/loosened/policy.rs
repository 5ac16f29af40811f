//! Two versions of `thresholds.toml`.

use super::{Changes, Kind};
use crate::gate::modes::{Scope, Stated};
use crate::gate::rules::rule_name;
use crate::gate::thresholds::{BaselineUse, Bound, Expired, Incomparable, Limit, Mode, Rule, Stale, Thresholds};
use crate::problem::Place;

pub(super) fn compare(was: &Thresholds, now: &Thresholds, changes: &mut Changes) {
    changes.steps("mode", mode(was.modes.all.value), mode(now.modes.all.value), place(&now.modes.all, &was.modes.all));
    modes(was, now, changes);
    let (a, b) = (&was.max_regressed, &now.max_regressed);
    changes.grows("max_regressed", a.value, b.value, place(b, a));
    let (a, b) = (&was.max_unmeasured, &now.max_unmeasured);
    changes.grows("max_unmeasured", a.value, b.value, place(b, a));
    changes.steps("stale", stale(was.stale.value), stale(now.stale.value), place(&now.stale, &was.stale));
    changes.steps("expired", expired(was.expired.value), expired(now.expired.value), place(&now.expired, &was.expired));
    if was.main.value != now.main.value {
        let what = format!("main: {} -> {}", was.main.value.join(", "), now.main.value.join(", "));
        changes.push(Kind::Changed, what, place(&now.main, &was.main));
    }
    let of = |b: BaselineUse| match b {
        BaselineUse::Required => (0, "required"),
        BaselineUse::None => (1, "none"),
    };
    let at = place(&now.baseline, &was.baseline);
    changes.steps("baseline", of(was.baseline.value), of(now.baseline.value), at);
    let of = |i: Incomparable| match i {
        Incomparable::Block => (0, "block"),
        Incomparable::Allow => (1, "allow"),
    };
    let at = place(&now.incomparable, &was.incomparable);
    changes.steps("incomparable", of(was.incomparable.value), of(now.incomparable.value), at);
    profiles(was, now, changes);
    rules(&was.rules, &now.rules, changes);
}

/// Where a setting stands; where it stood, once it is gone.
fn place<'a, T>(now: &'a Limit<T>, was: &'a Limit<T>) -> Option<&'a Place> {
    now.place.as_ref().or(was.place.as_ref())
}

fn mode(mode: Mode) -> (u8, &'static str) {
    match mode {
        Mode::Block => (0, "block"),
        Mode::Advisory => (1, "advisory"),
    }
}

fn stale(stale: Stale) -> (u8, &'static str) {
    match stale {
        Stale::Block => (0, "block"),
        Stale::Warn => (1, "warn"),
    }
}

fn expired(expired: Expired) -> (u8, &'static str) {
    match expired {
        Expired::Block => (0, "block"),
        Expired::Main => (1, "main"),
        Expired::Warn => (2, "warn"),
    }
}

fn scope(scope: &Scope) -> String {
    match scope {
        Scope::Layer(layer) => format!("layer {layer}"),
        Scope::Tag(tag) => format!("tag {tag}"),
        Scope::Suite(suite) => format!("suite {suite}"),
        Scope::TagOf(suite, tag) => format!("suite {suite}, tag {tag}"),
    }
}

/// A part without a mode of its own has that of the whole.
fn modes(was: &Thresholds, now: &Thresholds, changes: &mut Changes) {
    let of = |t: &Thresholds, s: &Scope| {
        t.modes.stated.iter().find(|x| x.scope == *s).map_or(t.modes.all.value, |x: &Stated| x.mode)
    };
    let mut seen: Vec<&Scope> = Vec::new();
    for stated in now.modes.stated.iter().chain(&was.modes.stated) {
        if seen.contains(&&stated.scope) {
            continue;
        }
        seen.push(&stated.scope);
        let name = format!("mode of {}", scope(&stated.scope));
        let (before, after) = (of(was, &stated.scope), of(now, &stated.scope));
        changes.steps(&name, mode(before), mode(after), Some(&stated.place));
    }
}

/// A profile without a policy of its own has that of the whole.
fn profiles(was: &Thresholds, now: &Thresholds, changes: &mut Changes) {
    let mut seen: Vec<&str> = Vec::new();
    for given in now.profiles.iter().chain(&was.profiles) {
        if seen.contains(&given.name.as_str()) {
            continue;
        }
        seen.push(&given.name);
        let line = [given.name.as_str()];
        let (a, b) = (was.clone().for_profile(&line), now.clone().for_profile(&line));
        let at = Some(&given.place);
        let name = |what: &str| format!("{what} of profile {}", given.name);
        changes.steps(&name("mode"), mode(a.modes.all.value), mode(b.modes.all.value), at);
        changes.grows(&name("max_regressed"), a.max_regressed.value, b.max_regressed.value, at);
        changes.grows(&name("max_unmeasured"), a.max_unmeasured.value, b.max_unmeasured.value, at);
        changes.steps(&name("stale"), stale(a.stale.value), stale(b.stale.value), at);
        changes.steps(&name("expired"), expired(a.expired.value), expired(b.expired.value), at);
    }
}

fn limits(rule: &Rule) -> String {
    let min = rule.min.map(|m| format!("at least {m}"));
    let max = rule.max.map(|m| format!("at most {m}"));
    let mut text: String = min.into_iter().chain(max).collect::<Vec<_>>().join(", ");
    if rule.bound == Bound::Lower {
        text.push_str(" by the worse bound");
    }
    text
}

fn rules(was: &[Rule], now: &[Rule], changes: &mut Changes) {
    for before in was {
        let name = rule_name(before);
        let Some(after) = now.iter().find(|r| rule_name(r) == name) else {
            changes.push(Kind::Loosened, format!("threshold {name} ({}) is gone", limits(before)), Some(&before.place));
            continue;
        };
        // A limit that is not there holds for every value.
        let steps = [
            before.min.unwrap_or(f64::NEG_INFINITY).partial_cmp(&after.min.unwrap_or(f64::NEG_INFINITY)),
            after.max.unwrap_or(f64::INFINITY).partial_cmp(&before.max.unwrap_or(f64::INFINITY)),
            (before.bound == Bound::Lower).partial_cmp(&(after.bound == Bound::Lower)),
        ];
        let looser = steps.contains(&Some(std::cmp::Ordering::Greater));
        let stricter = steps.contains(&Some(std::cmp::Ordering::Less));
        let kind = match (looser, stricter) {
            (false, false) => continue,
            (true, false) => Kind::Loosened,
            (false, true) => Kind::Tightened,
            (true, true) => Kind::Changed,
        };
        let what = format!("threshold {name}: {} -> {}", limits(before), limits(after));
        changes.push(kind, what, Some(&after.place));
    }
    for after in now.iter().filter(|r| !was.iter().any(|w| rule_name(w) == rule_name(r))) {
        let what = format!("threshold {} ({}) is new", rule_name(after), limits(after));
        changes.push(Kind::Tightened, what, Some(&after.place));
    }
}

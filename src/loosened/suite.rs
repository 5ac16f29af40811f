//! Two versions of the suites.

use super::{Changes, Kind};
use crate::layer::LayerId;
use crate::problem::Place;
use crate::suite::digest::{expects, of_evidence, of_fact};
use crate::suite::{Expect, LayerSetting, Need, Question, QuestionId, Severity, Suite};
use std::collections::BTreeMap;

pub(super) fn compare(was: &[Suite], now: &[Suite], changes: &mut Changes) {
    for before in was {
        let Some(after) = now.iter().find(|s| s.name == before.name) else {
            let n = before.questions.len();
            let what = format!("suite {} is gone, with {n} question{}", before.name, if n == 1 { "" } else { "s" });
            changes.push(Kind::Loosened, what, Some(&Place::file(&before.shown)));
            continue;
        };
        questions(before, after, changes);
    }
}

fn questions(was: &Suite, now: &Suite, changes: &mut Changes) {
    let at = Place::file(&now.shown);
    top_k(&format!("suite {}", was.name), was.top_k, now.top_k, &at, changes);
    let here: BTreeMap<&QuestionId, &Question> = now.questions.iter().map(|q| (&q.id, q)).collect();
    let digests: Vec<String> = now.questions.iter().map(|q| expects(q, now.top_k)).collect();
    for before in &was.questions {
        let name = format!("{}::{}", was.name, before.id);
        match here.get(&before.id) {
            None => {
                // The same expectations under another id are asked all the same.
                let kind = if digests.contains(&expects(before, was.top_k)) { Kind::Changed } else { Kind::Loosened };
                changes.push(kind, format!("{name} is gone"), Some(&before.place));
            }
            Some(after) => question(&name, (before, was.top_k), (after, now.top_k), changes),
        }
    }
}

fn question(name: &str, was: (&Question, Option<usize>), now: (&Question, Option<usize>), changes: &mut Changes) {
    let (a, b) = (was.0, now.0);
    let at = Some(&b.place);
    let known = changes.0.len();
    changes.steps(&format!("{name} draft"), draft(a), draft(b), at);
    changes.steps(&format!("{name} severity"), severity(a.severity), severity(b.severity), at);
    for layer in LayerId::ALL {
        changes.steps(&format!("{name} {layer}"), setting(a.layers[layer]), setting(b.layers[layer]), at);
    }
    if a.expect != b.expect {
        // Either answer suffices where it was one of them.
        let kind = match (a.expect, b.expect) {
            (_, Expect::Either) => Kind::Loosened,
            (Expect::Either, _) => Kind::Tightened,
            (Expect::Answer | Expect::Refuse | Expect::Clarify, Expect::Answer | Expect::Refuse | Expect::Clarify) => {
                Kind::Changed
            }
        };
        changes.push(kind, format!("{name} expect: {} -> {}", expect(a.expect), expect(b.expect)), at);
    }
    let facts = |q: &Question| q.facts.iter().map(of_fact).collect::<Vec<_>>();
    list(name, "facts", &facts(a), &facts(b), b, changes);
    let forbidden = |q: &Question| q.must_not.iter().map(of_fact).collect::<Vec<_>>();
    list(name, "must_not", &forbidden(a), &forbidden(b), b, changes);
    let evidence = |q: &Question| q.evidence.iter().map(of_evidence).collect::<Vec<_>>();
    evidence_list(name, a, b, &evidence(a), &evidence(b), changes);
    if a.top_k != b.top_k {
        top_k(name, a.top_k.or(was.1), b.top_k.or(now.1), &b.place, changes);
    }
    let granted = b.numbers.allow.iter().filter(|n| !a.numbers.allow.contains(n)).count();
    if granted > 0 || (b.numbers.allow_sum && !a.numbers.allow_sum) {
        changes.push(Kind::Loosened, format!("{name} numbers: more is granted without a passage"), at);
    }
    // What the suite says for all of them is told of the suite.
    if known == changes.0.len() && expects(a, None) != expects(b, None) {
        changes.push(Kind::Changed, format!("{name} asks or expects something else"), at);
    }
}

/// The more passages count, the more passes; without a limit all of them do.
fn top_k(name: &str, was: Option<usize>, now: Option<usize>, at: &Place, changes: &mut Changes) {
    let (before, after) = (was.unwrap_or(usize::MAX), now.unwrap_or(usize::MAX));
    if before != after {
        let kind = if before < after { Kind::Loosened } else { Kind::Tightened };
        let word = |k: Option<usize>| k.map_or_else(|| "all".to_owned(), |k| k.to_string());
        changes.push(kind, format!("{name} top_k: {} -> {}", word(was), word(now)), Some(at));
    }
}

/// Each of the list is asked for: fewer is looser, more is stricter.
fn list(name: &str, what: &str, was: &[String], now: &[String], at: &Question, changes: &mut Changes) {
    let gone = was.iter().filter(|d| !now.contains(d)).count();
    let new = now.iter().filter(|d| !was.contains(d)).count();
    let (kind, text) = match (gone, new) {
        (0, 0) => return,
        (_, 0) => (Kind::Loosened, format!("{gone} gone")),
        (0, _) => (Kind::Tightened, format!("{new} new")),
        (_, _) => (Kind::Changed, format!("{gone} gone, {new} new")),
    };
    changes.push(kind, format!("{name} {what}: {text}"), Some(&at.place));
}

/// Of evidence one item suffices, or each is needed.
fn evidence_list(name: &str, a: &Question, b: &Question, was: &[String], now: &[String], changes: &mut Changes) {
    let any = |q: &Question| q.evidence_match == Need::Any && q.evidence.len() > 1;
    if any(a) != any(b) && was.len() > 1 && now.len() > 1 {
        let kind = if any(b) { Kind::Loosened } else { Kind::Tightened };
        let word = |q: &Question| if any(q) { "any" } else { "all" };
        changes.push(kind, format!("{name} evidence_match: {} -> {}", word(a), word(b)), Some(&b.place));
    }
    let gone = was.iter().filter(|d| !now.contains(d)).count();
    let new = now.iter().filter(|d| !was.contains(d)).count();
    if (gone, new) == (0, 0) {
        return;
    }
    let kind = match (was.is_empty(), now.is_empty()) {
        (true, _) => Kind::Tightened,
        (_, true) => Kind::Loosened,
        // One more of which one suffices is another way to pass.
        (false, false) if gone == 0 && any(b) => Kind::Loosened,
        (false, false) if new == 0 && any(a) => Kind::Tightened,
        (false, false) if gone == 0 => Kind::Tightened,
        (false, false) if new == 0 => Kind::Loosened,
        (false, false) => Kind::Changed,
    };
    changes.push(kind, format!("{name} evidence: {gone} gone, {new} new"), Some(&b.place));
}

fn draft(q: &Question) -> (u8, &'static str) {
    if q.draft { (1, "yes") } else { (0, "no") }
}

fn severity(severity: Severity) -> (u8, &'static str) {
    match severity {
        Severity::Critical => (0, "critical"),
        Severity::Normal => (1, "normal"),
        Severity::Minor => (2, "minor"),
    }
}

fn setting(setting: LayerSetting) -> (u8, &'static str) {
    match setting {
        LayerSetting::On => (0, "on"),
        LayerSetting::Warn => (1, "warn"),
        LayerSetting::Off => (2, "off"),
    }
}

fn expect(expect: Expect) -> &'static str {
    match expect {
        Expect::Answer => "answer",
        Expect::Refuse => "refuse",
        Expect::Either => "either",
        Expect::Clarify => "clarify",
    }
}

//! What was measured of a judge, for people and for programs.

use super::items::Calibration;
use crate::stats::{Agreement, Interval, Level, Rate};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// For people.
pub fn text(found: &Calibration, seed: u64) -> String {
    let (table, graded) = (&found.all.table, found.all.graded(seed));
    let mut out = format!("{}: {}\n", found.judge, graded.grade.name());
    for why in graded.reasons() {
        let _ = writeln!(out, "  {why}");
    }
    let people = [("wrong", table.both, table.second), ("right", table.first, table.neither)];
    let _ = writeln!(out, "\n{:<16}{:>12}{:>12}", "people say", "judge fails", "lets pass");
    for (word, fails, passes) in people {
        let _ = writeln!(out, "{word:<16}{fails:>12}{passes:>12}");
    }
    if found.all.unmeasured > 0 {
        let _ = writeln!(out, "no verdict on {} more, which are in no figure", found.all.unmeasured);
    }
    let _ = writeln!(out);
    let kappa = table.kappa_interval(Level::P95);
    let none = if table.n() == 0 { "nothing was measured" } else { "none: one verdict alone" };
    let rows = [
        ("agreed", rate(table.agreed())),
        ("wrong found", rate(found.all.wrong_found())),
        ("right found", rate(found.all.right_found())),
        ("kappa", table.kappa().map_or_else(|| none.to_owned(), |k| with(k, kappa))),
        ("PABAK", table.pabak().map_or_else(|| none.to_owned(), |v| with(v, None))),
        ("AC1", table.ac1().map_or_else(|| none.to_owned(), |v| with(v, table.ac1_interval(Level::P95, seed)))),
        ("prevalence", table.prevalence().map_or_else(|| none.to_owned(), |v| with(v, None))),
    ];
    for (name, value) in rows {
        let _ = writeln!(out, "{name:<16}{value}");
    }
    if found.people.n() > 0 {
        let k =
            found.people.kappa().map_or_else(|| none.to_owned(), |k| with(k, found.people.kappa_interval(Level::P95)));
        let _ = writeln!(out, "{:<16}{k} between two people, over {} answers", "ceiling kappa", found.people.n());
    }
    if !found.kinds.is_empty() {
        let _ = writeln!(out, "\n{:<20}{:>6}  right verdicts", "planted", "n");
    }
    for (kind, m) in &found.kinds {
        let _ = writeln!(out, "{kind:<20}{:>6}  {}", m.table.n(), rate(m.table.agreed()));
    }
    out
}

/// For programs.
pub fn json(found: &Calibration, seed: u64) -> Value {
    let graded = found.all.graded(seed);
    let kinds: serde_json::Map<String, Value> =
        found.kinds.iter().map(|(kind, m)| (kind.clone(), of_rate(m.table.agreed()))).collect();
    json!({
        "judge": found.judge,
        "grade": graded.grade.name(),
        "reasons": graded.reasons(),
        "table": counts(&found.all.table),
        "unmeasured": found.all.unmeasured,
        "agreed": of_rate(found.all.table.agreed()),
        "wrong_found": of_rate(found.all.wrong_found()),
        "right_found": of_rate(found.all.right_found()),
        "kappa": figure(found.all.table.kappa(), found.all.table.kappa_interval(Level::P95)),
        "pabak": found.all.table.pabak(),
        "ac1": figure(found.all.table.ac1(), found.all.table.ac1_interval(Level::P95, seed)),
        "prevalence": found.all.table.prevalence(),
        "seed": seed,
        "people": (found.people.n() > 0).then(|| json!({
            "table": counts(&found.people),
            "kappa": figure(found.people.kappa(), found.people.kappa_interval(Level::P95)),
        })),
        "kinds": kinds,
    })
}

fn counts(t: &Agreement) -> Value {
    json!({ "both": t.both, "judge": t.first, "people": t.second, "neither": t.neither })
}

fn figure(value: Option<f64>, interval: Option<Interval>) -> Value {
    json!({ "value": value, "low": interval.map(|i| i.low), "high": interval.map(|i| i.high) })
}

fn of_rate(r: Rate) -> Value {
    let i = r.wilson(Level::P95);
    json!({ "hits": r.hits, "n": r.n, "value": r.value(), "low": i.map(|i| i.low), "high": i.map(|i| i.high) })
}

fn with(value: f64, interval: Option<Interval>) -> String {
    match interval {
        Some(i) => format!("{value:.3} [{:.3}, {:.3}]", i.low, i.high),
        None => format!("{value:.3}"),
    }
}

fn rate(r: Rate) -> String {
    match r.value() {
        Some(v) => format!("{}/{} {}", r.hits, r.n, with(v, r.wilson(Level::P95))),
        None => "0/0".to_owned(),
    }
}

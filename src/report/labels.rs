//! How often the layers err by people's labels: a table, and each disagreement.

use super::clean;
use super::cut::pad;
use crate::labels::Label;
use crate::labels::measure::{Measured, Report};
use crate::layer::LayerId;
use crate::stats::{Level, Rate};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The report as text for a terminal.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    let labelled: Vec<(LayerId, &Measured)> = report.layers.iter().filter(|(_, m)| m.table.n() > 0).collect();
    if labelled.is_empty() {
        out.push_str("no label is about an answer of this run\n");
    } else {
        out.push_str("layer        n  right  false alarms  missed   precision           recall              kappa\n");
    }
    for (layer, m) in &labelled {
        let t = &m.table;
        let told = |r: Rate| if t.n() < ENOUGH { "none".to_owned() } else { rate(r) };
        let line = format!(
            "{}{:>4}  {:>5}  {:>12}  {:>6}   {}{}{}",
            pad(layer.name(), 10),
            t.n(),
            t.both + t.neither,
            t.first,
            t.second,
            pad(&told(t.precision()), 20),
            pad(&told(t.recall()), 20),
            kappa(m)
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if !labelled.is_empty() {
        out.push_str("a fault is the positive; intervals are at 95 % (Wilson; Fleiss, Cohen and Everitt for kappa)\n");
    }
    for (layer, m) in &labelled {
        for d in &m.disagreements {
            let _ = write!(out, "\n{}  {layer}: the rule says {}, {}\n", d.name, d.rule, said(&d.label));
            let _ = writeln!(out, "  question  {}", clean::terminal(&d.question));
            if let Some(finding) = &d.finding {
                let _ = writeln!(out, "  rule      {}", clean::terminal(finding));
            }
            let _ = writeln!(out, "  because   {}", clean::terminal(&d.label.because));
        }
    }
    out.push_str(&apart(report));
    out
}

/// The labels that count nowhere, and why.
fn apart(report: &Report) -> String {
    let mut out = String::new();
    let names = |labels: &[(String, Label)]| {
        let names: Vec<String> =
            labels.iter().map(|(suite, l)| format!("{suite}::{} {}", clean::terminal(&l.id), l.layer)).collect();
        names.join(", ")
    };
    let not_judged: usize = report.layers.iter().map(|(_, m)| m.not_judged).sum();
    if !report.stale.is_empty() {
        let _ = write!(out, "\nstale, the answer is another one now: {}\n", names(&report.stale));
    }
    if !report.absent.is_empty() {
        let _ = write!(out, "\nnot in this run: {}\n", names(&report.absent));
    }
    if not_judged > 0 {
        let _ = write!(out, "\non layers that were not measured: {not_judged}\n");
    }
    if report.replaced > 0 {
        let _ = write!(out, "\nreplaced by a later label: {}\n", report.replaced);
    }
    out
}

/// `Lan says pass (2026-11-30)`.
pub fn said(label: &Label) -> String {
    let by = label.by.as_deref().map_or_else(|| "a person".into(), clean::terminal);
    let at = label.at.as_deref().map(|at| format!(" ({})", clean::terminal(at))).unwrap_or_default();
    format!("{by} says {}{at}", label.verdict())
}

fn rate(rate: Rate) -> String {
    match (rate.value(), rate.wilson(Level::P95)) {
        (Some(value), Some(i)) => format!("{} [{}, {}]", two(value), two(i.low), two(i.high)),
        (Some(_) | None, _) => "none".to_owned(),
    }
}

/// From so many labels on a figure is stated: of fewer, any interval spans nearly everything.
const ENOUGH: u64 = 5;

fn kappa(m: &Measured) -> String {
    if m.table.n() < ENOUGH {
        return format!("none: fewer than {ENOUGH} labels");
    }
    match (m.table.kappa(), m.table.kappa_interval(Level::P95)) {
        (Some(kappa), Some(i)) => format!("{} [{}, {}]", two(kappa), two(i.low), two(i.high)),
        (Some(_) | None, _) => "none: one verdict alone".to_owned(),
    }
}

fn two(value: f64) -> String {
    // No `-0.00`.
    format!("{:.2}", if value.abs() < 0.005 { 0.0 } else { value })
}

/// The report as one JSON object.
pub fn json(report: &Report) -> Value {
    let rate_of = |rate: Rate| {
        let interval = rate.wilson(Level::P95);
        json!({ "hits": rate.hits, "n": rate.n, "value": rate.value().map(six),
                "low": interval.map(|i| six(i.low)), "high": interval.map(|i| six(i.high)) })
    };
    let layers: serde_json::Map<String, Value> = report
        .layers
        .iter()
        .filter(|(_, m)| m.table.n() > 0 || m.not_judged > 0)
        .map(|(layer, m)| {
            let t = &m.table;
            let interval = t.kappa_interval(Level::P95);
            let differ: Vec<Value> = m
                .disagreements
                .iter()
                .map(|d| {
                    json!({ "name": d.name, "question": d.question, "rule": d.rule, "finding": d.finding,
                            "label": label(&d.label) })
                })
                .collect();
            let value = json!({
                "n": t.n(),
                "table": { "both_fail": t.both, "rule_alone": t.first, "label_alone": t.second, "both_pass": t.neither },
                "agreed": rate_of(t.agreed()),
                "precision": rate_of(t.precision()),
                "recall": rate_of(t.recall()),
                "kappa": { "value": t.kappa().map(six), "low": interval.map(|i| six(i.low)), "high": interval.map(|i| six(i.high)) },
                "not_judged": m.not_judged,
                "disagreements": differ,
            });
            (layer.name().to_owned(), value)
        })
        .collect();
    let apart = |labels: &[(String, Label)]| -> Vec<Value> {
        labels.iter().map(|(suite, l)| json!({ "suite": suite, "label": label(l) })).collect()
    };
    json!({ "layers": layers, "stale": apart(&report.stale), "absent": apart(&report.absent), "replaced": report.replaced })
}

/// A label as JSON, without its answer.
pub fn label(label: &Label) -> Value {
    json!({ "id": label.id, "layer": label.layer.name(), "verdict": label.verdict(), "because": label.because,
            "by": label.by, "at": label.at })
}

fn six(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

//! Several configurations side by side, for people and for programs.

use super::clean;
use crate::compare::{Cell, Comparison, Measure, Pair};
use crate::stats::{Interval, Level};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A difference within noise is not named a difference.
pub fn text(c: &Comparison) -> String {
    let mut out = format!("{} questions, asked by all {} configurations", c.questions, c.names.len());
    if !c.lacking.is_empty() {
        let named: Vec<_> = c.lacking.iter().take(SHOWN).map(|id| clean::terminal(id).into_owned()).collect();
        let dots = if c.lacking.len() > SHOWN { ", …" } else { "" };
        let _ = write!(out, "; {} left out that some of them lack ({}{dots})", c.lacking.len(), named.join(", "));
    }
    if c.changed > 0 {
        let _ = write!(out, "; {} left out whose expectations differ", c.changed);
    }
    out.push_str("\n\n");
    // Without retrieval there is no ranking to compare with.
    let ranked = c.rows.iter().any(|r| r.random.iter().any(Option::is_some));
    let mut table: Vec<Vec<String>> = vec![head(c)];
    for row in &c.rows {
        let mut cells = vec![row.measure.name()];
        cells.extend(row.cells.iter().map(|cell| cell.map_or_else(|| "–".to_owned(), shown)));
        let line = |r: Option<f64>| r.map_or_else(|| "–".to_owned(), short);
        let known: Vec<f64> = row.random.iter().flatten().copied().collect();
        let alike =
            known.len() == row.random.len() && known.windows(2).all(|w| matches!(w, [a, b] if short(*a) == short(*b)));
        cells.push(if alike { line(known.first().copied()) } else { "–".to_owned() });
        table.push(cells);
        // Each cut has a pool of its own, and a figure is read against its own line.
        if !alike && !known.is_empty() {
            let mut cells = vec![format!("  {} at random", row.measure.name())];
            cells.extend(row.random.iter().map(|r| line(*r)));
            cells.push("–".to_owned());
            table.push(cells);
        }
    }
    if c.cut.iter().any(|r| r.n > 0) {
        let mut cells = vec!["span cut".to_owned()];
        cells.extend(c.cut.iter().map(|r| match (r.value(), r.wilson(Level::P95)) {
            (Some(value), interval) => shown(Cell { value, n: usize::try_from(r.n).unwrap_or(usize::MAX), interval }),
            (None, _) => "–".to_owned(),
        }));
        cells.push("–".to_owned());
        table.push(cells);
    }
    if !ranked {
        for row in &mut table {
            row.pop();
        }
    }
    lay_out(&mut out, &table);
    out.push_str("\nThe intervals are those of 95 %: Wilson's of shares, the bootstrap's (BCa) of other means.");
    if c.cut.iter().any(|r| r.n > 0) {
        out.push_str(" span cut: the evidence was not whole, of the questions whose document was sent.");
    }
    if ranked {
        out.push_str(" random: a random ranking of the same passages.");
    }
    out.push('\n');
    if c.coarse > 0 {
        let _ = writeln!(
            out,
            "{} of the questions name a document or section and no words of it (`span`): any passage of it counts, so how \
             documents are cut cannot be judged by them.",
            c.coarse
        );
    }
    if !c.diagnosis.is_empty() {
        out.push_str("\nwhere the questions went wrong\n\n");
        let mut table = vec![head(c)];
        for row in &mut table {
            row.pop();
        }
        for (words, counts) in &c.diagnosis {
            let mut cells = vec![words.clone()];
            cells.extend(counts.iter().map(usize::to_string));
            table.push(cells);
        }
        lay_out(&mut out, &table);
    }
    out.push('\n');
    differences(&mut out, c);
    out
}

fn head(c: &Comparison) -> Vec<String> {
    let mut head = vec![String::new()];
    head.extend(c.names.iter().map(|n| clean::terminal(n).into_owned()));
    head.push("random".to_owned());
    head
}

/// So many questions of a pair are named.
const SHOWN: usize = 8;

/// What can be told apart, and what cannot.
fn differences(out: &mut String, c: &Comparison) {
    let name = |i: usize| c.names.get(i).map(String::as_str).unwrap_or_default();
    let real: Vec<&Pair> = c.pairs.iter().filter(|p| p.differs()).collect();
    for pair in &real {
        let (better, worse) = if pair.difference > 0.0 { (pair.of.1, pair.of.0) } else { (pair.of.0, pair.of.1) };
        let by = pair.interval.map_or_else(String::new, |i| {
            let (low, high) = (i.low.abs().min(i.high.abs()), i.low.abs().max(i.high.abs()));
            format!(" [{}, {}]", short(low), short(high))
        });
        let changed = pair.changed.map_or_else(String::new, |(lost, won)| {
            let (only_better, only_worse) = if pair.difference > 0.0 { (won, lost) } else { (lost, won) };
            format!(", {only_better} questions against {only_worse}")
        });
        let _ = writeln!(
            out,
            "{}: {} is better than {} by {}{by}{changed}, p {} after Holm",
            pair.measure.name(),
            clean::terminal(name(better)),
            clean::terminal(name(worse)),
            short(pair.difference.abs()),
            p_value(pair.adjusted)
        );
    }
    // Whether or not it is noise: these are the ones to look at.
    for pair in c.pairs.iter().filter(|p| p.measure == Measure::Passed && !p.ids.is_empty()) {
        let shown: Vec<&str> = pair.ids.iter().take(SHOWN).map(String::as_str).collect();
        let more = pair.ids.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(
            out,
            "{} and {} come out differently on {}{more}",
            clean::terminal(name(pair.of.0)),
            clean::terminal(name(pair.of.1)),
            clean::terminal(&shown.join(" "))
        );
    }
    let noise = c.pairs.len() - real.len();
    if noise > 0 {
        let of = if real.is_empty() { "all" } else { "the other" };
        let _ = writeln!(out, "{of} {noise} differences between pairs are within noise: there is no winner among them");
    }
}

/// `.719 [.546, .844] n 32`.
fn shown(cell: Cell) -> String {
    let interval = match cell.interval {
        Some(Interval { low, high }) => format!(" [{}, {}]", short(low), short(high)),
        None => " (no interval)".to_owned(),
    };
    format!("{}{interval} n {}", short(cell.value), cell.n)
}

/// Three digits behind the point, without the zero in front.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix("0.").map(|digits| format!(".{digits}")).unwrap_or(text)
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "below .001".to_owned() } else { short(p) }
}

/// Columns that are as wide as their widest cell, in letters.
fn lay_out(out: &mut String, table: &[Vec<String>]) {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |c: usize| table.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(wide).collect();
    for row in table {
        let mut line = String::from("  ");
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width.saturating_sub(cell.chars().count()) + 2));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// The same as one JSON object.
pub fn json(c: &Comparison) -> Value {
    let interval = |i: Option<Interval>| i.map(|i| json!([i.low, i.high]));
    let cell =
        |cell: &Option<Cell>| cell.map(|x| json!({ "value": x.value, "n": x.n, "interval": interval(x.interval) }));
    let rows: Vec<Value> = c
        .rows
        .iter()
        .map(|r| json!({ "measure": r.measure.name(), "cells": r.cells.iter().map(cell).collect::<Vec<_>>(), "random": r.random.iter().flatten().next(), "randoms": r.random }))
        .collect();
    let pairs: Vec<Value> = c
        .pairs
        .iter()
        .map(|p| {
            json!({
                "of": [c.names.get(p.of.0), c.names.get(p.of.1)], "measure": p.measure.name(), "n": p.n,
                "difference": p.difference, "interval": interval(p.interval), "p": p.p, "adjusted": p.adjusted,
                "changed": p.changed.map(|(lost, won)| [lost, won]), "differs": p.differs(), "questions": p.ids,
            })
        })
        .collect();
    let diagnosis: Vec<Value> =
        c.diagnosis.iter().map(|(words, counts)| json!({ "row": words, "counts": counts })).collect();
    let cut: Vec<Value> = c.cut.iter().map(|r| json!({ "cut": r.hits, "of": r.n })).collect();
    json!({
        "configurations": c.names, "questions": c.questions, "lacking": c.lacking.len(), "lacking_ids": c.lacking, "coarse": c.coarse, "changed": c.changed,
        "measures": rows, "span_cut": cut, "diagnosis": diagnosis, "pairs": pairs,
    })
}

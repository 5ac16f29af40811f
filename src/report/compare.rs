//! Several configurations side by side, for people and for programs.

use super::clean;
use super::figures::{lay_out, listed, p_value, paragraph, points, short};
use crate::compare::{Cell, Comparison, Measure, Pair};
use crate::stats::{FEWEST, Interval, Level};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A difference within noise is not named a difference. `width` is that of the terminal, in columns.
pub fn text(c: &Comparison, width: usize) -> String {
    let width = width.max(20);
    let mut about = format!("{} questions, asked by all {} configurations", c.questions, c.names.len());
    if !c.lacking.is_empty() {
        let named = listed(&c.lacking, SHOWN);
        let _ = write!(about, "; {} left out that some of them lack ({named})", c.lacking.len());
    }
    if c.changed > 0 {
        let _ = write!(about, "; {} left out whose expectations differ", c.changed);
    }
    let mut out = paragraph(&about, width);
    out.push('\n');
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
            (Some(value), interval) => {
                shown(Cell { value, n: usize::try_from(r.n).unwrap_or(usize::MAX), interval, range: (0.0, 1.0) })
            }
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
    out.push_str(&lay_out(&table, width));
    out.push('\n');
    let mut legend =
        "The intervals are those of 95 %: Wilson's of shares, the bootstrap's (BCa) of other means.".to_owned();
    if c.cut.iter().any(|r| r.n > 0) {
        legend.push_str(" span cut: the evidence was not whole, of the questions whose document was sent.");
    }
    if ranked {
        legend.push_str(" random: a random ranking of the same passages.");
    }
    out.push_str(&paragraph(&legend, width));
    if c.coarse > 0 {
        let coarse = format!(
            "{} of the questions name a document or section and no words of it (`span`): any passage of it counts, so how \
             documents are cut cannot be judged by them.",
            c.coarse
        );
        out.push_str(&paragraph(&coarse, width));
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
        out.push_str(&lay_out(&table, width));
    }
    out.push('\n');
    for said in differences(c) {
        out.push_str(&paragraph(&said, width));
    }
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
fn differences(c: &Comparison) -> Vec<String> {
    let name = |i: usize| clean::terminal(c.names.get(i).map(String::as_str).unwrap_or_default());
    let mut out = Vec::new();
    let real: Vec<&Pair> = c.pairs.iter().filter(|p| p.differs()).collect();
    for pair in &real {
        let of = &pair.contrast;
        let up = of.difference > 0.0;
        let (better, worse) = if up { (pair.of.1, pair.of.0) } else { (pair.of.0, pair.of.1) };
        let by = of.interval.map_or_else(String::new, |i| {
            let (low, high) = if up { (i.low, i.high) } else { (-i.high, -i.low) };
            format!(" [{}, {}]", short(low), short(high))
        });
        let changed = of.changed.map_or_else(String::new, |m| {
            let (only_better, only_worse) = if up { (m.fixed, m.broken) } else { (m.broken, m.fixed) };
            format!(", {only_better} questions against {only_worse}")
        });
        out.push(format!(
            "{}: {} is better than {} by {}{by}{changed}, p {} after Holm",
            pair.measure.name(),
            name(better),
            name(worse),
            short(of.difference.abs()),
            p_value(pair.adjusted)
        ));
    }
    // Whether or not it is noise: these are the ones to look at.
    for pair in c.pairs.iter().filter(|p| p.measure == Measure::Passed && !p.ids.is_empty()) {
        let on = listed(&pair.ids, SHOWN);
        out.push(format!("{} and {} come out differently on {on}", name(pair.of.0), name(pair.of.1)));
    }
    let noise = c.pairs.len() - real.len();
    if noise > 0 {
        let of = if real.is_empty() { "all" } else { "the other" };
        out.push(format!("{of} {noise} differences between pairs are within noise: there is no winner among them"));
        out.extend(unseen(c));
    }
    out
}

/// How far a share may have fallen between two of them without being seen.
fn unseen(c: &Comparison) -> Option<String> {
    let of_passed = c.pairs.iter().filter(|p| p.measure == Measure::Passed && !p.differs());
    // Nothing is larger than anything: a pair of which no difference would have been seen.
    let largest = of_passed.map(|p| p.unseen.unwrap_or(f64::INFINITY)).max_by(f64::total_cmp)?;
    Some(if largest.is_finite() {
        format!("passed: a difference below {} would not have been seen among these pairs", points(largest))
    } else {
        "passed: with so few questions no difference would have been seen".to_owned()
    })
}

/// `.719 [.546, .844] n 32`; without an interval, why not, and between what the values lie.
fn shown(cell: Cell) -> String {
    let interval = match cell.interval {
        Some(Interval { low, high }) => format!(" [{}, {}]", short(low), short(high)),
        None if cell.n < FEWEST => format!(" (too few: {} to {})", short(cell.range.0), short(cell.range.1)),
        None if cell.range.0 == cell.range.1 => " (all equal)".to_owned(),
        None => " (too few groups)".to_owned(),
    };
    format!("{}{interval} n {}", short(cell.value), cell.n)
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
            let of = &p.contrast;
            json!({
                "of": [c.names.get(p.of.0), c.names.get(p.of.1)], "measure": p.measure.name(), "n": of.n, "groups": of.groups,
                "difference": of.difference, "interval": interval(of.interval), "p": of.p, "test": of.test.name(),
                "adjusted": p.adjusted, "changed": of.changed.map(|m| [m.broken, m.fixed]), "differs": p.differs(),
                "unseen_below": p.unseen, "questions": p.ids,
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

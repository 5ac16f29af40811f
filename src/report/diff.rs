//! Two runs, question by question, for people and for programs.

use super::figures::{lay_out, listed, p_value, paragraph, points, short, signed};
use super::terminal::Look;
use super::{clean, cut};
use crate::compare::ALPHA;
use crate::diff::{Change, Diff, Family, Kind, State, Tested};
use crate::stats::{Contrast, Interval, Paired, Test};
use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

/// So many ids are named in a line.
const NAMED: usize = 8;

/// So many questions of a layer are shown; the rest is counted.
const SHOWN: usize = 30;

/// Names of runs are cut to so many columns.
const NAME: usize = 24;

/// A difference within noise is not named a difference.
pub fn text(d: &Diff, look: Look) -> String {
    let width = look.width.max(20);
    let names = names(d);
    let mut out = paragraph(&head(d, &names), width);
    for note in apart(d, &names) {
        out.push_str(&paragraph(&note, width));
    }
    out.push('\n');
    out.push_str(&lay_out(&states(d, &names), width));
    for family in &d.families {
        out.push('\n');
        out.push_str(&lay_out(&tests(family, d.questions, &names), width));
    }
    out.push('\n');
    for said in verdicts(d, &names) {
        out.push_str(&paragraph(&said, width));
    }
    out.push_str(&paragraph(&legend(d), width));
    changes(&mut out, d, Look { width, ..look });
    out
}

/// The names of the two runs, cleaned and no longer than a column may be.
fn names(d: &Diff) -> [String; 2] {
    [0, 1].map(|i| cut::width(&clean::terminal(d.names.get(i).map(String::as_str).unwrap_or_default()), NAME))
}

fn head(d: &Diff, [first, second]: &[String; 2]) -> String {
    let groups = if d.groups < d.questions { format!(", in {} groups", d.groups) } else { String::new() };
    format!("{first} → {second}: {} questions asked by both with the same expectations{groups}", d.questions)
}

/// What is not compared, and what makes a comparison doubtful.
fn apart(d: &Diff, [first, second]: &[String; 2]) -> Vec<String> {
    let mut out = Vec::new();
    for (name, ids) in [(first, &d.only[0]), (second, &d.only[1])] {
        if !ids.is_empty() {
            out.push(format!("left out, only in {name}: {} ({})", ids.len(), listed(ids, NAMED)));
        }
    }
    if !d.edited.is_empty() {
        let turned: Vec<String> = d
            .edited
            .iter()
            .map(|e| format!("{} {} → {}", clean::terminal(&e.id), e.first.name(), e.second.name()))
            .collect();
        let more = turned.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = turned.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        out.push(format!("left out, other expectations: {} ({named}{more})", turned.len()));
    }
    if !d.rules.is_empty() {
        let suites = listed(&d.rules, NAMED);
        out.push(format!(
            "judged by other rules in the two runs: {suites}. What differs there may be the rules' doing."
        ));
    }
    out
}

/// The paired tables, a layer a line: what stands in each state on both sides.
fn states(d: &Diff, [first, second]: &[String; 2]) -> Vec<Vec<String>> {
    use State::{Fail, Pass};
    let head = ["", "pass in both", "pass → fail", "fail → pass", "fail in both", "not in both"];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    for t in &d.tables {
        let cells = [(Pass, Pass), (Pass, Fail), (Fail, Pass), (Fail, Fail)].map(|(a, b)| t.count(a, b).to_string());
        let mut row = vec![t.name().to_owned()];
        row.extend(cells);
        let aside = if t.apart() == 0 { String::new() } else { not_measured(t, first, second) };
        row.push(aside);
        table.push(row);
    }
    table
}

/// `4 skipped in both, 1 unmeasured in e5`.
fn not_measured(t: &crate::diff::Table, first: &str, second: &str) -> String {
    let measured = |s: State| matches!(s, State::Pass | State::Fail);
    let mut said = Vec::new();
    for state in [State::Unmeasured, State::Skipped] {
        let both = t.count(state, state);
        if both > 0 {
            said.push(format!("{both} {} in both", state.name()));
        }
    }
    for a in State::ALL {
        for b in State::ALL {
            let n = t.count(a, b);
            if n == 0 || a == b || (measured(a) && measured(b)) {
                continue;
            }
            said.push(match (measured(a), measured(b)) {
                (true, _) => format!("{n} {} → {} in {second}", a.name(), b.name()),
                (_, true) => format!("{n} {} in {first} → {}", a.name(), b.name()),
                _ => format!("{n} {} → {}", a.name(), b.name()),
            });
        }
    }
    said.join(", ")
}

fn tests(family: &Family, questions: usize, [first, second]: &[String; 2]) -> Vec<Vec<String>> {
    // All three p-values of the layers; of the rest that of the test that applies.
    let whole = family.kind == Kind::Layers;
    let title = match family.kind {
        Kind::Layers => "",
        Kind::Metrics => "retrieval",
        Kind::Parts => "by part",
    };
    let mut head = vec![title, first, second, "difference [95 %]", "n"];
    head.extend(if whole { &["exact", "mid-p", "flips"][..] } else { &["p"] });
    head.extend(["Holm", "", "unseen below"]);
    let mut table = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    // Said where it is not that of all.
    let partial = family.tests.iter().any(|t| t.contrast.n < questions);
    for t in &family.tests {
        let c = &t.contrast;
        let mut row = vec![
            clean::terminal(&t.name).into_owned(),
            short(c.first),
            short(c.second),
            difference(c),
            if partial { c.n.to_string() } else { String::new() },
        ];
        if whole {
            let of_shares = |p: fn(&Paired) -> f64| c.changed.as_ref().map(p).map(p_value).unwrap_or_default();
            row.extend([of_shares(|m| m.exact), of_shares(|m| m.mid)]);
            row.push(if c.test == Test::MidP { String::new() } else { p_value(c.p) });
        } else {
            row.push(p_value(c.p));
        }
        row.extend([t.adjusted.map(p_value).unwrap_or_default(), verdict(t).to_owned(), unseen(t)]);
        table.push(row);
    }
    table
}

fn verdict(t: &Tested) -> &'static str {
    match (t.adjusted, t.differs()) {
        (None, _) => "not tested",
        (Some(_), true) => "differs",
        (Some(_), false) => "noise",
    }
}

/// `+.017 [-.002, +.038]`.
fn difference(c: &Contrast) -> String {
    let interval = c.interval.map_or_else(String::new, |i| format!(" [{}, {}]", signed(i.low), signed(i.high)));
    format!("{}{interval}", signed(c.difference))
}

/// How small a difference would have gone unseen; of what differs nothing is to be said.
fn unseen(t: &Tested) -> String {
    match (t.differs(), t.unseen) {
        (true, _) => String::new(),
        (false, Some(share)) if t.contrast.changed.is_some() => points(share),
        (false, Some(mean)) => short(mean),
        (false, None) if t.contrast.changed.is_some() => "any".to_owned(),
        (false, None) => String::new(),
    }
}

/// What may be said of the two.
fn verdicts(d: &Diff, [first, second]: &[String; 2]) -> Vec<String> {
    let tests = || d.families.iter().flat_map(|f| &f.tests);
    let mut out: Vec<String> = tests()
        .filter(|t| t.differs())
        .map(|t| {
            let c = &t.contrast;
            let (better, worse) = if c.difference > 0.0 { (second, first) } else { (first, second) };
            let adjusted = t.adjusted.map(p_value).unwrap_or_default();
            let changed = c.changed.as_ref().map(|m| {
                let (gained, lost) = if c.difference > 0.0 { (m.fixed, m.broken) } else { (m.broken, m.fixed) };
                format!(", {gained} questions against {lost}")
            });
            format!(
                "{}: {better} is better than {worse} by {}{}, p {adjusted} after Holm.",
                clean::terminal(&t.name),
                short(c.difference.abs()),
                changed.unwrap_or_default()
            )
        })
        .collect();
    let tested = tests().filter(|t| t.adjusted.is_some()).count();
    match (out.len(), tested) {
        (_, 0) => out.push("Nothing was measured on both sides.".to_owned()),
        (0, 1) => out.push(format!("No difference between {first} and {second} is shown: it is within noise.")),
        (0, n) => out.push(format!("No difference between {first} and {second} is shown: all {n} are within noise.")),
        (named, n) if named < n => out.push(format!("The other {} of {n} differences are within noise.", n - named)),
        _ => {}
    }
    out
}

/// How to read the tables.
fn legend(d: &Diff) -> String {
    let mut said = "exact, mid-p: McNemar's test of the questions that changed.".to_owned();
    let flips = d.families.iter().flat_map(|f| &f.tests).any(|t| t.contrast.test != Test::MidP);
    if flips {
        let groups = if d.groups < d.questions { ", those of a group together" } else { "" };
        said.push_str(&format!(" flips: permutation of the signs of the differences{groups}."));
    }
    if d.families.iter().any(|f| f.kind != Kind::Layers) {
        said.push_str(if d.groups < d.questions {
            " p: flips."
        } else if flips {
            " p: mid-p of shares, flips of other means."
        } else {
            " p: mid-p."
        });
    }
    said.push_str(
        " Holm: corrected within its table, so that a difference that is none is named there less often than once in twenty. \
         unseen below: a smaller difference is missed more often than once in five.",
    );
    said
}

/// The questions that changed, layer by layer.
fn changes(out: &mut String, d: &Diff, look: Look) {
    let paint = |text: &str, style: Style| {
        if look.colour { format!("{style}{text}{style:#}") } else { text.to_owned() }
    };
    for layer in &d.changes {
        let worse = layer.questions.iter().filter(|c| c.worse()).count();
        let better = layer.questions.iter().filter(|c| c.better()).count();
        let other = layer.questions.len() - worse - better;
        let mut counts = vec![format!("{worse} no longer pass"), format!("{better} pass now")];
        if other > 0 {
            counts.push(format!("{other} changed otherwise"));
        }
        out.push_str(&format!("\n{}  {}\n", paint(layer.layer.name(), Style::new().bold()), counts.join(", ")));
        let shown = || layer.questions.iter().take(SHOWN);
        let wide = shown().map(|c| cut::columns(&clean::terminal(&c.id))).max().unwrap_or(0);
        for c in shown() {
            let (mark, style) = match (c.worse(), c.better()) {
                (true, _) => ("✗", AnsiColor::Red.on_default()),
                (_, true) => ("✓", AnsiColor::Green.on_default()),
                _ => ("?", AnsiColor::Yellow.on_default()),
            };
            let id = clean::terminal(&c.id).into_owned();
            let turned = format!("{} → {}", c.was.name(), c.now.name());
            out.push_str(&format!("  {} ", paint(mark, style)));
            let why = why(c);
            let used = 4 + wide + 2 + cut::columns(&turned) + 2;
            // Where little room is left beside the names, what is to be said goes below them.
            if used + 24 <= look.width {
                let line = format!("{}  {turned}  {}", cut::pad(&id, wide), cut::width(&why, look.width - used));
                out.push_str(&format!("{}\n", line.trim_end()));
            } else {
                out.push_str(&format!("{id}\n"));
                for line in cut::wrap(&format!("{turned}  {why}"), look.width.saturating_sub(4), 3) {
                    out.push_str(&format!("    {}\n", line.trim()));
                }
            }
        }
        let more = layer.questions.len().saturating_sub(SHOWN);
        if more > 0 {
            out.push_str(&format!("  and {more} more\n"));
        }
    }
}

/// `generation (row 12): number-ungrounded "17 ngày" …`; of what passes now, what it was.
fn why(c: &Change) -> String {
    let finding = c.finding.as_ref().map(|f| format!("{} {}", f.code, clean::terminal(&f.message)));
    let said: Vec<String> = c.diagnosis.iter().map(|d| clean::terminal(d).into_owned()).chain(finding).collect();
    let said = said.join(": ").replace('\n', " ");
    if c.better() && !said.is_empty() { format!("was {said}") } else { said }
}

/// The same as one JSON object.
pub fn json(d: &Diff) -> Value {
    let interval = |i: Option<Interval>| i.map(|i| json!([i.low, i.high]));
    let tables: Vec<Value> = d
        .tables
        .iter()
        .map(|t| {
            let row = |a: State| {
                let cell = |b: State| (b.name().to_owned(), json!(t.count(a, b)));
                (a.name().to_owned(), Value::Object(State::ALL.map(cell).into_iter().collect()))
            };
            json!({ "of": t.name(), "counts": Value::Object(State::ALL.map(row).into_iter().collect()) })
        })
        .collect();
    let test = |t: &Tested| {
        let c = &t.contrast;
        let changed = c.changed.as_ref();
        json!({
            "of": t.name, "n": c.n, "groups": c.groups, "first": c.first, "second": c.second, "difference": c.difference,
            "interval": interval(c.interval), "changed": changed.map(|m| [m.broken, m.fixed]),
            "exact": changed.map(|m| m.exact), "mid": changed.map(|m| m.mid), "p": c.p, "test": c.test.name(),
            "adjusted": t.adjusted, "differs": t.differs(), "unseen_below": t.unseen,
        })
    };
    let families: Vec<Value> = d
        .families
        .iter()
        .map(|f| json!({ "family": f.kind.name(), "tests": f.tests.iter().map(test).collect::<Vec<_>>() }))
        .collect();
    let change = |c: &Change| {
        json!({
            "id": c.id, "was": c.was.name(), "now": c.now.name(), "diagnosis": c.diagnosis, "next": c.next,
            "code": c.finding.as_ref().map(|f| &f.code), "message": c.finding.as_ref().map(|f| &f.message),
        })
    };
    let changes: Vec<Value> = d
        .changes
        .iter()
        .map(|l| json!({ "layer": l.layer.name(), "questions": l.questions.iter().map(change).collect::<Vec<_>>() }))
        .collect();
    let edited: Vec<Value> =
        d.edited.iter().map(|e| json!({ "id": e.id, "first": e.first.name(), "second": e.second.name() })).collect();
    json!({
        "runs": d.names, "questions": d.questions, "groups": d.groups, "only_first": d.only[0], "only_second": d.only[1],
        "edited": edited, "other_rules": d.rules, "alpha": ALPHA, "tables": tables, "families": families,
        "changes": changes,
    })
}

//! The layers of a suite: how many are right, how sure that is, and what chance alone would give.

use super::paint::{Ink, Line, Paper};
use crate::gate::refusals::{Refusals, Share};
use crate::gate::{LayerSummary, Mean, SuiteSummary};
use crate::layer::LayerId;
use crate::report::{clean, cut};

/// The table of one suite, its means, and what it cannot see.
pub(super) fn suite(p: &mut Paper, s: &SuiteSummary, named: bool) {
    let layers: Vec<&LayerSummary> = s.layers.iter().filter(|l| checked(l) || aside(l).is_some()).collect();
    if layers.is_empty() {
        return;
    }
    p.blank();
    if named {
        p.line(Line::new().ink(&clean::terminal(&s.suite), Ink::Strong));
    }
    let random = layers.iter().any(|l| l.random.is_some());
    let was = layers.iter().any(|l| l.was_pass.is_some());
    if p.width() >= 60 {
        let mut head = format!("{:<11}{:>9}", "layer", "right");
        if was {
            head.push_str(&format!("{:>6}", "was"));
        }
        head.push_str("   share [95 %]     ");
        if random {
            head.push_str("at random");
        }
        p.line(Line::new().ink(&head, Ink::Dim));
    }
    layers.iter().for_each(|l| row(p, l, was, random));
    if let Some(l) = s.layers.iter().find(|l| l.layer == LayerId::Retrieval) {
        means(p, &l.means);
    }
    if let Some(r) = &s.refusals {
        refusals(p, r);
    }
    nothing_to_check(p, &s.layers);
    for note in &s.unchecked {
        p.hanging("", Ink::Plain, &clean::terminal(note), Ink::Plain, 3);
    }
    if let Some(blind) = &s.blind {
        p.hanging("", Ink::Plain, &clean::terminal(blind), Ink::Plain, 3);
    }
}

fn checked(l: &LayerSummary) -> bool {
    l.pass + l.fail > 0
}

/// The metrics of retrieval that a reader looks for first; the others are in the results.
pub(super) const HEADLINES: [&str; 5] = ["hit@1", "hit@3", "hit@10", "rr", "ndcg@10"];

fn row(p: &mut Paper, l: &LayerSummary, was: bool, random: bool) {
    let n = l.pass + l.fail;
    let right = if n == 0 { "–".into() } else { format!("{}/{n}", l.pass) };
    let share = match (n, l.interval) {
        (0, _) => String::new(),
        (_, Some((lo, hi))) => format!("{} [{}, {}]", ratio(l.pass, n), decimal(lo), decimal(hi)),
        (_, None) => String::new(),
    };
    let was_text = l.was_pass.map(|w| w.to_string()).unwrap_or_default();
    let by_chance = l.random.map(decimal).unwrap_or_default();
    let aside = aside(l);
    let ink = if l.unmeasured > 0 { Ink::Warn } else { Ink::Dim };
    if p.width() < 60 {
        let mut pieces = vec![(format!("{} {right}", l.layer), Ink::Plain), (share, Ink::Plain)];
        if !was_text.is_empty() {
            pieces.push((format!("was {was_text}"), Ink::Dim));
        }
        if !by_chance.is_empty() {
            pieces.push((format!("at random {by_chance}"), Ink::Dim));
        }
        pieces.extend(aside.map(|a| (a, ink)));
        pieces.retain(|(t, _)| !t.is_empty());
        return p.row("", &pieces);
    }
    let fewer = l.was_pass.is_some_and(|w| l.pass < w);
    let mut line = Line::new().plain(&format!("{:<11}", l.layer));
    line = line.ink(&format!("{right:>9}"), if fewer { Ink::Bad } else { Ink::Plain });
    if was {
        line = line.plain(&format!("{was_text:>6}"));
    }
    line = line.plain(&format!("   {share:<17}"));
    if random {
        line = line.plain(&format!("{by_chance:<9}"));
    }
    match aside {
        Some(aside) => p.line(line.plain("   ").ink(&aside, ink)),
        None => p.line(line.plain("")),
    }
}

/// What was not checked although there was something to check.
pub(in crate::report) fn aside(l: &LayerSummary) -> Option<String> {
    let counts =
        [(l.unmeasured, "not measured"), (l.not_observed, "not returned by the target"), (l.off, "switched off")];
    let said: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", cut::count(*n))).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

/// The means of retrieval that are told. One that has neither an interval nor a line of reference beside it is not: alone it says
/// nothing.
pub(in crate::report) fn telling(means: &[Mean]) -> Vec<&Mean> {
    let told = |m: &&Mean| m.n > 0 && (m.interval.is_some() || m.random.is_some());
    means.iter().filter(|m| HEADLINES.contains(&m.name.as_str())).filter(told).collect()
}

/// The number of questions of means that have the same one; it is then said once.
pub(in crate::report) fn same_n(means: &[&Mean]) -> Option<usize> {
    let first = means.first()?;
    means.iter().all(|m| m.n == first.n).then_some(first.n)
}

/// `hit@3 .85 [.68, .94] (random .06)`; with its own `n` where the means differ in it.
pub(in crate::report) fn mean(m: &Mean, same_n: bool) -> String {
    let mut out = format!("{} {}", clean::terminal(&m.name), decimal(m.value));
    if let Some((lo, hi)) = m.interval {
        out.push_str(&format!(" [{}, {}]", decimal(lo), decimal(hi)));
    }
    let mut beside = Vec::new();
    if !same_n {
        beside.push(format!("n {}", m.n));
    }
    if let Some(r) = m.random {
        beside.push(format!("random {}", decimal(r)));
    }
    if !beside.is_empty() {
        out.push_str(&format!(" ({})", beside.join(", ")));
    }
    out
}

fn means(p: &mut Paper, means: &[Mean]) {
    let shown = telling(means);
    if shown.is_empty() {
        return;
    }
    let n = same_n(&shown);
    let mut pieces: Vec<_> = shown.iter().map(|m| (mean(m, n.is_some()), Ink::Plain)).collect();
    pieces.extend(n.map(|n| (format!("n {n}"), Ink::Dim)));
    p.row("means      ", &pieces);
}

/// Refusals in both directions, each with its count, its share and its interval.
fn refusals(p: &mut Paper, r: &Refusals) {
    let pieces: Vec<_> = r.told().iter().map(|(what, share)| (share_of(what, share), Ink::Plain)).collect();
    p.row("refusals   ", &pieces);
}

/// `refused wrongly 1/40 .03 [.00, .13]`.
pub(in crate::report) fn share_of(what: &str, share: &Share) -> String {
    match (share.value(), share.interval) {
        (Some(value), Some((low, high))) => {
            format!("{what} {}/{} {} [{}, {}]", share.hits, share.of, decimal(value), decimal(low), decimal(high))
        }
        (None, _) | (_, None) => format!("{what} –"),
    }
}

/// The questions that gave a layer nothing to check, said once.
fn nothing_to_check(p: &mut Paper, layers: &[LayerSummary]) {
    let said: Vec<String> = layers
        .iter()
        .filter(|l| l.not_applicable > 0)
        .map(|l| format!("{} {}", l.layer, cut::count(l.not_applicable)))
        .collect();
    if !said.is_empty() {
        p.hanging("nothing to check: ", Ink::Dim, &said.join(", "), Ink::Dim, 2);
    }
}

/// `.94`, `1.0`, `0.0`: two decimals, three below a hundredth. What is not whole is never rounded to a whole, which would
/// look perfect.
pub(in crate::report) fn decimal(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    if value <= 0.0 {
        return "0.0".into();
    }
    if value < 0.0095 {
        // `.00` would read as never: a random ranking of a large index has three places.
        return format!(".{:03}", ((value * 1000.0).round() as u32).max(u32::from(value >= 0.0005)));
    }
    if value < 1.0 {
        return format!(".{:02}", ((value * 100.0).round() as u32).min(99));
    }
    if value < 1.0 + f64::EPSILON { "1.0".into() } else { format!("{value:.2}") }
}

fn ratio(pass: usize, n: usize) -> String {
    decimal(pass as f64 / n as f64)
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn what_is_not_whole_never_looks_whole() {
        let shown = [0.0, 0.001, 0.06, 0.5, 0.944, 0.9999, 1.0, f64::NAN].map(decimal);
        assert_eq!(shown, ["0.0", ".001", ".06", ".50", ".94", ".99", "1.0", "–"]);
    }
}

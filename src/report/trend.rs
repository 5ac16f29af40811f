//! The trend of suites, for people, for spreadsheets, for programs, and as a page with charts.

use super::clean;
use super::cut;
use super::figures::{lay_out, p_value, short};
use crate::history::trend::{Series, Step, Verdict};
use crate::history::{Line, Share};
use crate::stats::{Interval, Level, Rate};
use serde_json::{Value, json};
use std::fmt::Write as _;

fn interval(share: Share) -> Option<Interval> {
    Rate::from(share).wilson(Level::P95)
}

/// `45/51 .882 [.766, .945]`
fn shown(share: Share) -> String {
    let Share { pass, n } = share;
    let value = Rate::from(share).value().map(short).unwrap_or_default();
    let range = interval(share).map(|i| format!(" [{}, {}]", short(i.low), short(i.high))).unwrap_or_default();
    format!("{pass}/{n} {value}{range}")
}

/// What a step is, in words. What is within noise is never called a fall or a rise.
fn said(step: &Step<'_>) -> String {
    let Step { layer, since, from, to, verdict, p } = step;
    let counts = format!("{}/{} -> {}/{} since {since}", from.pass, from.n, to.pass, to.n);
    match verdict {
        Verdict::Fell => format!("{layer} fell: {counts} (p {})", p_value(*p)),
        Verdict::Rose => format!("{layer} rose: {counts} (p {})", p_value(*p)),
        Verdict::Noise => format!("{layer}: {counts}, no change shown (p {})", p_value(*p)),
    }
}

/// Why nothing is said of the newest run, or what was left out; a sentence each.
fn notes(series: &Series<'_>, steps: &[Step<'_>]) -> Vec<String> {
    let mut notes = Vec::new();
    if steps.is_empty() && series.points.len() > 1 {
        notes.push(
            "the newest run is compared with none: no earlier one asked the same questions under the same rules"
                .to_owned(),
        );
    }
    if series.partial > 0 {
        notes.push(format!("{} left out that asked a part of the suite", series.partial));
    }
    notes
}

fn about(line: &Line) -> String {
    let why = line.why.as_deref().map(|w| format!(": {w}")).unwrap_or_default();
    format!("{}{why}", line.kind.name())
}

/// A table for each series, `width` columns wide at most, and what became of the newest run.
pub fn text(all: &[Series<'_>], width: usize) -> String {
    let mut out = String::new();
    for series in all {
        let _ =
            writeln!(out, "{} · {} · {} runs", terminal(series.suite), terminal(series.target), series.points.len());
        let layers = series.layers();
        let mut table =
            vec![std::iter::once("run").chain(layers.iter().copied()).map(str::to_owned).collect::<Vec<_>>()];
        let means = means(series);
        for row in &mut table {
            row.extend(means.iter().map(|m| (*m).to_owned()));
            row.push(String::new());
        }
        for line in &series.points {
            let mut row = vec![terminal(&line.run)];
            row.extend(layers.iter().map(|l| line.layers.get(*l).map_or_else(|| "–".to_owned(), |s| shown(*s))));
            row.extend(means.iter().map(|m| {
                line.metrics.get(*m).map_or_else(|| "–".to_owned(), |m| format!("{} (n {})", short(m.mean), m.n))
            }));
            row.push(cut::width(&terminal(&about(line)), 40));
            table.push(row);
        }
        out.push_str(&lay_out(&table, width.max(20)));
        let steps = series.steps();
        for line in steps.iter().map(said).chain(notes(series, &steps)) {
            for line in cut::wrap(&terminal(&line), width.max(20), usize::MAX) {
                let _ = writeln!(out, "{line}");
            }
        }
        out.push('\n');
    }
    out
}

fn terminal(text: &str) -> String {
    clean::terminal(text).into_owned()
}

fn means<'l>(series: &Series<'l>) -> Vec<&'l str> {
    let mut names: Vec<&str> = series.points.iter().flat_map(|l| l.metrics.keys()).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A row for each layer and mean of each run. A cell that a spreadsheet would take for a formula begins with a quote.
///
/// # Errors
/// When it cannot be written.
pub fn csv(all: &[Series<'_>]) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(["suite", "target", "run", "kind", "subject", "measured", "pass", "n", "value", "low", "high"])?;
    let plain = |text: &str| {
        if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
    };
    for (series, line) in all.iter().flat_map(|s| s.points.iter().map(move |l| (s, l))) {
        let subject = line.subject.clone().unwrap_or_default();
        let head = [series.suite, series.target, &line.run, line.kind.name(), &subject].map(plain);
        for layer in series.layers() {
            let Some(share) = line.layers.get(layer) else { continue };
            let value = Rate::from(*share).value().map(exact).unwrap_or_default();
            let (low, high) = interval(*share).map(|i| (exact(i.low), exact(i.high))).unwrap_or_default();
            let tail = [layer.to_owned(), share.pass.to_string(), share.n.to_string(), value, low, high];
            out.write_record(head.iter().chain(&tail))?;
        }
        for (name, mean) in &line.metrics {
            let tail = [plain(name), String::new(), mean.n.to_string(), exact(mean.mean), String::new(), String::new()];
            out.write_record(head.iter().chain(&tail))?;
        }
    }
    out.into_inner().map_err(|e| e.into_error().into())
}

fn exact(value: f64) -> String {
    format!("{value:.6}")
}

/// The same for programs.
pub fn json(all: &[Series<'_>]) -> Value {
    let share = |s: Share| {
        let range = interval(s).map(|i| [i.low, i.high]);
        json!({ "pass": s.pass, "n": s.n, "share": Rate::from(s).value(), "interval": range })
    };
    let point = |line: &&Line| {
        let layers: serde_json::Map<String, Value> =
            line.layers.iter().map(|(name, s)| (name.clone(), share(*s))).collect();
        json!({
            "run": line.run, "kind": line.kind, "subject": line.subject, "who": line.who, "why": line.why,
            "layers": layers, "metrics": line.metrics, "changes": line.changes,
        })
    };
    let step = |s: &Step<'_>| json!({ "layer": s.layer, "since": s.since, "from": s.from, "to": s.to, "verdict": s.verdict.name(), "p": s.p });
    let of = |s: &Series<'_>| {
        let steps = s.steps();
        json!({
            "suite": s.suite, "target": s.target, "partial": s.partial,
            "points": s.points.iter().map(point).collect::<Vec<_>>(),
            "steps": steps.iter().map(step).collect::<Vec<_>>(),
        })
    };
    json!({ "version": 1, "kind": "trend", "series": all.iter().map(of).collect::<Vec<_>>() })
}

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fff;--line:#0b57a4;--soft:#6b6b6b}
@media(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#161616;--line:#8ab8f0;--soft:#a8a8a8}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:0 auto;padding:1rem}
svg{width:100%;height:auto;display:block}
.axis{stroke:var(--soft);stroke-width:1}.share{stroke:var(--line);stroke-width:2;fill:none}.range{stroke:var(--line);stroke-width:1.5}
.dot{fill:var(--line)}text{fill:var(--ink);font-size:12px}
.scroll{overflow-x:auto}table{border-collapse:collapse}th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid var(--soft);white-space:nowrap}
";

/// A page of its own: a chart and a table for each series, without scripts, fonts or anything else from elsewhere.
pub fn html(all: &[Series<'_>]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Trend</title>\n\
         <style>\n{STYLE}</style>\n<main>\n<h1>Trend</h1>\n\
         <p>Shares of questions that pass a layer, with 95 % intervals (Wilson). A difference within noise is not called one.</p>\n"
    );
    for series in all {
        let _ = writeln!(out, "<h2>{} · {}</h2>", escaped(series.suite), escaped(series.target));
        let steps = series.steps();
        let sentences: Vec<String> = steps.iter().map(said).chain(notes(series, &steps)).collect();
        if !sentences.is_empty() {
            let items: String = sentences.iter().map(|s| format!("<li>{}</li>\n", escaped(s))).collect();
            let _ = writeln!(out, "<ul>\n{items}</ul>");
        }
        let layers = series.layers();
        for layer in &layers {
            out.push_str(&chart(series, layer));
        }
        out.push_str(&as_table(series, &layers));
    }
    out.push_str("</main>\n</html>\n");
    out
}

fn as_table(series: &Series<'_>, layers: &[&str]) -> String {
    let means = means(series);
    let heads: String = layers.iter().chain(&means).map(|h| format!("<th scope=\"col\">{}</th>", escaped(h))).collect();
    let mut rows = String::new();
    for line in &series.points {
        let shares = layers.iter().map(|l| line.layers.get(*l).map_or_else(|| "–".to_owned(), |s| shown(*s)));
        let values = means
            .iter()
            .map(|m| line.metrics.get(*m).map_or_else(|| "–".to_owned(), |m| format!("{} (n {})", short(m.mean), m.n)));
        let cells: String = shares.chain(values).map(|c| format!("<td>{c}</td>")).collect();
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th>{cells}<td>{}</td></tr>",
            escaped(&line.run),
            escaped(&about(line))
        );
    }
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figures of {}\">\n<table>\n<tr><th scope=\"col\">run</th>{heads}<th scope=\"col\">why</th></tr>\n{rows}</table>\n</div>\n",
        escaped(series.suite)
    )
}

/// The plane of a chart, in its own units: left, right, top, bottom.
const PLANE: (f64, f64, f64, f64) = (40.0, 630.0, 12.0, 140.0);

fn chart(series: &Series<'_>, layer: &str) -> String {
    let (left, right, top, bottom) = PLANE;
    let last = series.points.len().saturating_sub(1).max(1) as f64;
    let x = |i: usize| left + 12.0 + (right - left - 24.0) * i as f64 / last;
    let y = |share: f64| bottom - (bottom - top) * share.clamp(0.0, 1.0);
    let mut marks = String::new();
    let mut path: Vec<String> = Vec::new();
    for (i, line) in series.points.iter().enumerate() {
        let Some(share) = line.layers.get(layer) else { continue };
        let (Some(value), Some(range)) = (Rate::from(*share).value(), interval(*share)) else { continue };
        let (x, low, high) = (x(i), y(range.low), y(range.high));
        let _ = writeln!(marks, "<line class=\"range\" x1=\"{x:.1}\" y1=\"{low:.1}\" x2=\"{x:.1}\" y2=\"{high:.1}\"/>");
        let _ = writeln!(
            marks,
            "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3.5\"><title>{}: {}</title></circle>",
            y(value),
            escaped(&line.run),
            shown(*share)
        );
        path.push(format!("{x:.1},{:.1}", y(value)));
    }
    let mut axes = String::new();
    for (share, label) in [(0.0, "0"), (0.5, ".5"), (1.0, "1")] {
        let at = y(share);
        let _ = writeln!(axes, "<line class=\"axis\" x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\"/>");
        let _ =
            writeln!(axes, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 6.0, at + 4.0);
    }
    format!(
        "<h3>{0}</h3>\n<svg viewBox=\"0 0 640 152\" role=\"img\" aria-label=\"Share of questions that pass {0}, {1} runs; the table below has the figures\">\n\
         {axes}<polyline class=\"share\" points=\"{2}\"/>\n{marks}</svg>\n",
        escaped(layer),
        series.points.len(),
        path.join(" ")
    )
}

/// Text that stays text in HTML, in attributes too.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in clean::terminal(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

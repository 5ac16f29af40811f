//! What the baselines tolerate: a list for people, JSON lines and a table for programs.

use super::causes::inert;
use super::clean;
use crate::baseline::known::{Known, State, left};
use serde_json::json;
use std::fmt::Write as _;

/// The list as text: a count, then each question with what stands in its block.
pub fn text(rows: &[Known], narrowed: bool) -> String {
    if rows.is_empty() {
        let which = if narrowed { " by these words" } else { "" };
        return format!(
            "nothing is known to fail{which}: no baseline accepts a failure or calls a question flaky there\n"
        );
    }
    let count = |s: State| rows.iter().filter(|k| k.state == s).count();
    let parts: Vec<String> = [
        (count(State::Expired), "expired"),
        (count(State::Fails), "accepted as failing"),
        (count(State::Flaky), "flaky"),
        (count(State::Quarantined), "quarantined"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, what)| format!("{n} {what}"))
    .collect();
    let mut out = format!("{} known: {}\n", rows.len(), parts.join(", "));
    for k in rows {
        let _ = writeln!(out, "\n{}", heading(k));
        let question = clean::terminal(&k.question);
        let lines = [
            ("question", Some(question.into_owned())),
            ("reason", k.reason.as_deref().map(|r| clean::terminal(r).into_owned())),
            ("owner", k.owner.as_deref().map(|o| clean::terminal(o).into_owned())),
            ("issue", k.issue.as_deref().map(|i| clean::terminal(i).into_owned())),
            ("stands", Some(clean::terminal(&k.place.to_string()).into_owned())),
        ];
        for (name, value) in lines {
            if let Some(value) = value.filter(|v| !v.is_empty()) {
                let _ = writeln!(out, "  {name:<9} {value}");
            }
        }
    }
    out
}

/// `EXPIRED  shop-vi::q7  facts  until 2026-11-01, 29 days ago`
fn heading(k: &Known) -> String {
    let mut parts = vec![format!("{}::{}", k.suite, k.id)];
    parts.extend(k.target.as_ref().map(|t| format!("target {}", clean::terminal(t))));
    let layers: Vec<&str> = k.layers.iter().map(|l| l.name()).collect();
    if !layers.is_empty() {
        parts.push(format!("fails {}", layers.join(", ")));
    }
    if k.state == State::Flaky {
        parts.push(k.floor.map_or_else(|| "flaky".to_owned(), |f| format!("flaky, at least {}/{}", f.passes, f.runs)));
    }
    if k.state == State::Quarantined {
        parts.push("quarantined".to_owned());
    }
    match (k.until, k.left, k.state) {
        // No day ends a flaky question.
        (Some(until), _, State::Flaky) => parts.push(format!("until {until} has no effect on it")),
        (Some(until), Some(days), State::Expired | State::Fails | State::Quarantined) => {
            parts.push(format!("until {until}, {}", left(days)));
        }
        (Some(_), None, _) | (None, ..) => parts.push("no last day".to_owned()),
    }
    let mark = if k.state == State::Expired { "EXPIRED  " } else { "" };
    format!("{mark}{}", parts.join("  "))
}

/// A JSON object a line.
pub fn json(rows: &[Known]) -> String {
    let mut out = String::new();
    for k in rows {
        let layers: Vec<&str> = k.layers.iter().map(|l| l.name()).collect();
        let line = json!({
            "suite": k.suite,
            "target": k.target,
            "id": k.id.as_str(),
            "state": k.state.name(),
            "layers": layers,
            "floor": k.floor.map(|f| format!("{}/{}", f.passes, f.runs)),
            "question": k.question,
            "reason": k.reason,
            "owner": k.owner,
            "issue": k.issue,
            "until": k.until.map(|d| d.to_string()),
            "days_left": k.left,
            "file": &*k.place.file,
            "line": k.place.line,
        });
        let _ = writeln!(out, "{line}");
    }
    out
}

/// The columns of the table.
const COLUMNS: [&str; 14] = [
    "suite",
    "target",
    "id",
    "state",
    "layers",
    "floor",
    "question",
    "reason",
    "owner",
    "issue",
    "until",
    "days_left",
    "file",
    "line",
];

/// A table as CSV for a spreadsheet, with a byte-order mark; a text that a spreadsheet would work out (`=…`) gets an
/// apostrophe in front.
///
/// # Errors
/// What the writer reports; writing into memory does not fail.
pub fn csv(rows: &[Known]) -> csv::Result<Vec<u8>> {
    let mut writer = ::csv::WriterBuilder::new().from_writer(vec![0xEF, 0xBB, 0xBF]);
    writer.write_record(COLUMNS)?;
    for k in rows {
        let layers: Vec<&str> = k.layers.iter().map(|l| l.name()).collect();
        let text = |t: &Option<String>| inert(t.as_deref().unwrap_or_default());
        writer.write_record([
            k.suite.clone(),
            text(&k.target),
            k.id.to_string(),
            k.state.name().to_owned(),
            layers.join(" "),
            k.floor.map(|f| format!("{}/{}", f.passes, f.runs)).unwrap_or_default(),
            inert(&k.question),
            text(&k.reason),
            text(&k.owner),
            text(&k.issue),
            k.until.map(|d| d.to_string()).unwrap_or_default(),
            k.left.map(|d| d.to_string()).unwrap_or_default(),
            k.place.file.to_string(),
            k.place.line.to_string(),
        ])?;
    }
    writer.into_inner().map_err(|e| e.into_error().into())
}

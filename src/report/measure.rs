//! What reports say of the policy that decided, and of what a branch changes of what decides.

use super::{clean, cut};
use crate::core::RunHeader;
use crate::loosened::{Kind, MeasureChange};

/// `this branch changes the measure: 2 loosened, 1 tightened`.
pub fn headline(changes: &[MeasureChange]) -> String {
    let count = |kind: Kind| changes.iter().filter(|c| c.kind == kind).count();
    let parts = [Kind::Loosened, Kind::Changed, Kind::Tightened].map(|kind| (count(kind), kind.name()));
    let said: Vec<String> =
        parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", cut::count(n))).collect();
    format!("this branch changes the measure: {}", said.join(", "))
}

/// Whose policy and baselines decided, where they are not the branch's own.
pub fn decided_by(from: &str) -> String {
    format!("decided by the policy and the baselines of {from}")
}

/// So many changes are listed in Markdown, so many letters of each.
const LISTED: (usize, usize) = (50, 300);

/// The same in Markdown: whose policy decided, and the changes as a list; empty where there is nothing to tell.
pub fn markdown(header: &RunHeader) -> String {
    let mut out = String::new();
    if let Some(from) = &header.policy_from {
        out.push_str(&format!("{}\n\n", clean::markdown(&decided_by(from))));
    }
    let changes = &header.measure_changes;
    if changes.is_empty() {
        return out;
    }
    out.push_str(&format!("**{}**\n\n", clean::markdown(&headline(changes).replacen("this", "This", 1))));
    for change in changes.iter().take(LISTED.0) {
        let what = cut::chars(&change.what, LISTED.1);
        // A change of a baseline names its file.
        let place = change.place.as_ref().map(|p| match p.line {
            line if line > 0 && change.what.contains(&*p.file) => format!(" (line {line})"),
            _ => format!(" ({})", clean::markdown(&p.to_string())),
        });
        let place = place.unwrap_or_default();
        out.push_str(&format!("- {}: {}{place}\n", change.kind.name(), clean::markdown(&what)));
    }
    if let Some(more) = changes.len().checked_sub(LISTED.0).filter(|n| *n > 0) {
        out.push_str(&format!("- and {} more\n", cut::count(more)));
    }
    out.push('\n');
    out
}

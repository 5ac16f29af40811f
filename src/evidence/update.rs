//! Writes the nearest words into a suite in YAML; everything else in the file stays as it is, comments and all.

use super::{Checked, OfSuite, State};
use crate::problem::{Place, Problem, Problems, shown_path};
use crate::suite::Evidence;
use crate::suite::edit::{self, Edits};
use crate::suite::node::{Node, Value};
use std::path::Path;

/// A suite with its stale evidence brought up to date.
#[derive(Debug)]
pub struct Updated {
    /// The file as it was read.
    pub was: String,
    /// The file as it would be.
    pub now: String,
    /// The ids of the questions whose evidence changes, in file order, each once.
    pub ids: Vec<String>,
    /// What must be changed by hand: a section that is written as a list over several lines.
    pub by_hand: Vec<String>,
}

/// Makes the text of a suite with the nearest words in the place of those that are gone, and with the document where they
/// stand if that is another one; writes nothing. A section that is named and gone is replaced too.
///
/// # Errors
/// A suite that is not in YAML, or that cannot be read again.
pub fn update(checked: &OfSuite<'_>, root: &Path) -> Result<Updated, Problems> {
    let path = &checked.suite.path;
    let shown = shown_path(path, root);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jsonl")) {
        let title = "evidence is brought up to date in suites in YAML alone";
        let help = "take the nearest words from `ragline evidence check --json` for a suite in JSON lines";
        return Err(Problem::error("evidence-unwritable", Place::file(&shown), title).help(help).into());
    }
    let file = edit::read(path, &shown)?;
    let layout = edit::layout(&file.source)?;
    let mut edits = Edits::default();
    let mut ids: Vec<String> = Vec::new();
    let mut by_hand: Vec<String> = Vec::new();
    for place in &checked.places {
        let State::Stale(_, Some(nearest)) = &place.state else { continue };
        let question = layout.questions.iter().find(|w| w.id == place.question.id.as_str());
        let Some(node) = question.and_then(|q| node_of(&q.node, place)) else { continue };
        let text = &file.source.text;
        edits.set(text, &node, "span", &nearest.text);
        let Evidence { doc, section, .. } = place.evidence;
        let moved = doc.as_deref().is_some_and(|d| d != nearest.spot.doc);
        if moved {
            edits.set(text, &node, "doc", &nearest.spot.doc);
        }
        let stays = section.is_empty() || nearest.spot.section.ends_with(section);
        if !stays && !edits.set_list(text, &node, "section", &nearest.spot.section) {
            by_hand.push(format!("{}: section {}", place.question.id, nearest.spot.section.join(" › ")));
        }
        let id = place.question.id.to_string();
        if ids.last() != Some(&id) {
            ids.push(id);
        }
    }
    let now = edits.apply(&file.raw, &file.source.text);
    Ok(Updated { was: file.raw, now, ids, by_hand })
}

/// Writes an updated suite, if it reads back.
///
/// # Errors
/// What keeps it from being read or written.
pub fn write(updated: &Updated, path: &Path, root: &Path) -> Result<(), Problems> {
    crate::import::read_back(path, &updated.now)?;
    crate::report::file::write(path, updated.now.as_bytes()).map_err(|e| {
        let place = Place::file(&shown_path(path, root));
        Problem::error("evidence-unwritable", place, format!("cannot write this file: {e}")).into()
    })
}

/// The map of a place in the YAML of its question.
fn node_of<'a>(question: &Node<'a>, place: &Checked<'_>) -> Option<Node<'a>> {
    let mut open: Vec<&Node<'a>> = question.get("evidence").into_iter().collect();
    let mut at = 0;
    while let Some(node) = open.pop() {
        match &node.value {
            Value::List(items) => open.extend(items.iter().rev()),
            Value::Map(_) => match node.get("any_of").or_else(|| node.get("all_of")) {
                Some(inner) => open.push(inner),
                None if at == place.index => return Some(node.clone()),
                None => at += 1,
            },
            Value::Scalar(..) => {}
        }
    }
    None
}

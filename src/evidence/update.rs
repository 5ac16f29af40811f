//! Writes the nearest words into a suite in YAML, and the values that the documents state now into its facts and model answers;
//! everything else in the file stays as it is, comments and all.
//!
//! A fact that is changed gets the mark of proposed ones, since what an answer must say is decided by a person.

use super::wanted::Missing;
use super::{Checked, OfSuite, State};
use crate::layer::facts::source::Instead;
use crate::problem::{Place, Problem, Problems, shown_path};
use crate::suggest::suite::MARK;
use crate::suite::edit::{self, Edits, Written};
use crate::suite::node::{Node, Value};
use crate::suite::write::inline;
use crate::suite::{Evidence, FactForm, NumberOp};
use crate::text::number::{self, same_value};
use crate::text::pack::Lang;
use std::collections::BTreeMap;
use std::path::Path;

/// A suite with its stale evidence brought up to date.
#[derive(Debug)]
pub struct Updated {
    /// The file as it was read.
    pub was: String,
    /// The file as it would be.
    pub now: String,
    /// The ids of the questions that change: those whose evidence does in file order, then the others; each once.
    pub ids: Vec<String>,
    /// How many facts change.
    pub facts: usize,
    /// What must be changed by hand: a section that is written as a list over several lines, a fact of which no value is
    /// known for sure that took its place.
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
    let mut facts = 0;
    let mut references: BTreeMap<usize, String> = BTreeMap::new();
    for missing in &checked.unsaid {
        let id = missing.question.id.as_str();
        let found = layout.questions.iter().enumerate().find(|(_, w)| w.id == id);
        let Some((at, written)) = found else { continue };
        let text = &file.source.text;
        let Some(instead) = missing.unsaid.instead.as_ref().filter(|i| i.sure) else {
            by_hand.push(format!("{id}: {}", missing.unsaid.told()));
            continue;
        };
        if !fact(&mut edits, text, written, missing, (instead, &checked.suite.language)) {
            by_hand.push(format!("{id}: {}", missing.unsaid.told()));
            continue;
        }
        facts += 1;
        let reference = references.get(&at).or(written.reference.as_ref());
        if let Some(new) = reference.and_then(|r| renewed(r, missing, instead, &checked.suite.language)) {
            references.insert(at, new);
        }
        if !ids.iter().any(|i| i == id) {
            ids.push(id.to_owned());
        }
    }
    for (at, reference) in &references {
        if let Some(written) = layout.questions.get(*at) {
            edits.set(&file.source.text, &written.node, "reference", reference);
        }
    }
    let now = edits.apply(&file.raw, &file.source.text);
    Ok(Updated { was: file.raw, now, ids, facts, by_hand })
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

/// Puts the value that the document states into a fact, with the mark of proposed facts; says whether it could.
fn fact(
    edits: &mut Edits,
    text: &str,
    question: &Written<'_>,
    missing: &Missing<'_>,
    (instead, lang): (&Instead, &Lang),
) -> bool {
    let Some(node) = node_at(question.node.get("facts"), &missing.unsaid.path) else { return false };
    let was = missing.fact.form.to_string();
    let done = match (&node.value, &missing.fact.form) {
        (Value::Scalar(..), FactForm::Text(_)) => edits.put(text, node, inline(&instead.written)),
        (Value::Map(_), FactForm::Text(_)) if node.get("text").is_some() => {
            edits.set(text, node, "text", &instead.written);
            true
        }
        (Value::Map(_), FactForm::Number { unit, op: NumberOp::Stated, .. }) => {
            let known = unit.as_deref().and_then(|u| number::unit(u, lang));
            let value = instead.value.value().filter(|_| known == instead.value.unit);
            let inner = node.get("number").filter(|n| matches!(n.value, Value::Map(_)));
            match (value, inner) {
                (Some(value), Some(inner)) => inner.get("value").is_some_and(|v| edits.put(text, v, value.to_string())),
                (Some(_), None) | (None, _) => false,
            }
        }
        (Value::Map(_), FactForm::Date(_)) => match (instead.value.dates.first(), node.get("date")) {
            (Some(date), Some(old)) => edits.put(text, old, inline(&date.to_string())),
            (_, None) | (None, _) => false,
        },
        _ => false,
    };
    if done {
        edits.remark(text, node, MARK, &format!("was {was}"));
    }
    done
}

/// A model answer with the new value in the place of the old one; nothing where it does not state the old one.
fn renewed(reference: &str, missing: &Missing<'_>, instead: &Instead, lang: &Lang) -> Option<String> {
    let old = missing.unsaid.values.iter();
    let mentions = number::mentions(reference, lang);
    let places: Vec<_> = old.flat_map(|v| mentions.iter().filter(move |m| same_value(v, m))).collect();
    let mut out = reference.to_owned();
    for m in places.iter().rev() {
        let before = out.get(..m.start)?.to_owned();
        let lead = reference.get(m.start..m.end)?;
        let blank = lead.len() - lead.trim_end().len();
        out = format!("{before}{}{}", instead.written, out.get(m.end - blank..)?);
    }
    (!places.is_empty()).then_some(out)
}

/// The item at a path of a list of facts.
fn node_at<'n, 'a>(list: Option<&'n Node<'a>>, path: &[usize]) -> Option<&'n Node<'a>> {
    let (first, rest) = path.split_first()?;
    let Value::List(items) = &list?.value else { return None };
    let node = items.get(*first)?;
    if rest.is_empty() {
        return Some(node);
    }
    let members = ["all_of", "any_of", "order"].into_iter().find_map(|key| node.get(key));
    node_at(members, rest)
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

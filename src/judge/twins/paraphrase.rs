//! The same in other words: what a judge must still let pass.

use super::edit::Borders;
use super::words::Table;
use super::{Edit, Planted, Source};

/// A frame in front, and words for words of the same meaning.
pub fn paraphrased(source: &Source, table: &Table, rng: &mut fastrand::Rng) -> Option<Planted> {
    let text = source.answer.as_str();
    let borders = Borders::of(text);
    // Of two that overlap the one that begins first, and of these the longer.
    let mut changes: Vec<(std::ops::Range<usize>, &str)> = Vec::new();
    for (from, to) in &table.paraphrase.same {
        changes.extend(borders.places(from).into_iter().take(1).map(|at| (at, to.as_str())));
    }
    changes.sort_by_key(|(r, _)| (r.start, std::cmp::Reverse(r.end)));
    let mut said = String::new();
    let mut end = 0;
    for (at, to) in changes {
        if at.start >= end {
            said += text.get(end..at.start)?;
            said += to;
            end = at.end;
        }
    }
    said += text.get(end..)?;
    let frame = table.paraphrase.frames.get(rng.usize(..table.paraphrase.frames.len().max(1)))?;
    let first = said.split([' ', ',']).next().unwrap_or_default();
    if table.paraphrase.small.iter().any(|w| w == first) {
        let small = first.to_lowercase();
        said = format!("{small}{}", said.get(first.len()..)?);
    }
    Some(Planted::of(source, Edit { at: 0..text.len(), with: frame.replace("{}", &said) }))
}

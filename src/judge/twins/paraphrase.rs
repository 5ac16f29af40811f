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
    let first = said.split([' ', ',']).next().unwrap_or_default();
    let small = table.paraphrase.small.iter().any(|w| w == first);
    // A large letter stays where a name may begin: behind a colon it is right.
    let keeps = !small && first.chars().next().is_some_and(char::is_uppercase);
    let frames: Vec<&String> = table.paraphrase.frames.iter().filter(|f| !keeps || f.contains(": {}")).collect();
    let frame = frames.get(rng.usize(..frames.len().max(1)))?;
    if small {
        let lower = first.to_lowercase();
        said = format!("{lower}{}", said.get(first.len()..)?);
    }
    Some(Planted::of(source, Edit { at: 0..text.len(), with: frame.replace("{}", &said) }))
}

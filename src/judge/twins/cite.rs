//! A citation that leads to another passage.

use super::{Edit, Passage, Planted, Pool, Source};
use crate::text::norm;
use crate::text::segment::words_of;
use std::collections::BTreeSet;

/// Of the words of the answer, another passage may hold at most this share: else it may bear the answer out too.
const SHARED: f64 = 0.5;

/// The first marker leads to the passage of the prompt that shares the fewest words with the answer. An answer without a
/// marker is given one for its first passage, and where it has one passage alone, one of another place is set beside it.
pub fn swapped(source: &Source, pool: &Pool, rng: &mut fastrand::Rng) -> Option<Planted> {
    let mut contexts = source.contexts.clone();
    let marked = marker(&source.answer);
    let (was, at, cited) = match marked {
        Some((at, cited)) => (source.answer.clone(), at, cited),
        None => {
            let was = format!("{} [1]", source.answer);
            let end = was.len() - 1;
            (was, end - 1..end, 1)
        }
    };
    if contexts.len() < 2 {
        contexts.push(elsewhere(&contexts, pool, rng)?);
    }
    let words = |text: &str| -> BTreeSet<String> {
        words_of(text).into_iter().filter_map(|r| text.get(r)).map(norm::matching).collect()
    };
    let answer = words(was.get(..at.start)?);
    let share = |p: &Passage| {
        let held = words(&p.text);
        answer.iter().filter(|w| held.contains(*w)).count() as f64 / answer.len().max(1) as f64
    };
    let others = contexts.iter().zip(1_usize..).filter(|(_, n)| *n != cited).map(|(p, n)| (share(p), n));
    let (least, n) = others.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (least <= SHARED).then(|| Planted { was: was.clone(), contexts, edit: Edit { at, with: n.to_string() } })
}

/// The digits of the first `[n]` with its number; nothing where the answer cites more than one passage.
fn marker(answer: &str) -> Option<(std::ops::Range<usize>, usize)> {
    let mut found: Option<(std::ops::Range<usize>, usize)> = None;
    for (open, _) in answer.match_indices('[') {
        let inner = answer.get(open + 1..)?;
        let Some(close) = inner.find(']') else { continue };
        let Some(n) = inner.get(..close).and_then(|d| d.parse().ok()) else { continue };
        found.get_or_insert((open + 1..open + 1 + close, n));
    }
    found
}

/// A passage of another document than those that are there.
fn elsewhere(contexts: &[Passage], pool: &Pool, rng: &mut fastrand::Rng) -> Option<Passage> {
    let there = |p: &&Passage| contexts.iter().any(|c| c.doc == p.doc);
    let others: Vec<&Passage> = pool.passages.iter().filter(|p| !there(p)).collect();
    others.get(rng.usize(..others.len().max(1))).map(|p| (*p).clone())
}

//! A clause left out, and a sentence added.

use super::edit::Borders;
use super::words::Table;
use super::{Edit, Planted, Pool, Source};
use crate::text::norm::chars::{is_blank, is_mark, is_word};
use crate::text::segment::sentences;

/// What is left of a sentence has at least so many characters.
const LEFT: usize = 8;

/// A sentence of one clause or two.
const SHORT: usize = 200;

/// A sentence that is added has at most so many characters.
const ADDED: usize = 400;

/// Leaves out the clause of an exception: from its first word to the end of the sentence, or behind it to the clause before.
pub fn without_exception(source: &Source, table: &Table) -> Option<Planted> {
    let text = source.answer.as_str();
    let borders = Borders::of(text);
    for sentence in sentences(text, &source.lang) {
        let body = text.get(sentence.clone())?;
        // Where no mark ends a clause, only a short sentence ends with it.
        if !table.marked && body.chars().count() > SHORT {
            continue;
        }
        // The marker of a citation stays.
        let body = match body.trim_end().rfind(" [") {
            Some(at) if body.trim_end().ends_with(']') => body.get(..at).unwrap_or(body),
            _ => body,
        };
        let marks =
            body.len() - body.trim_end_matches(|c: char| !is_word(c) && !is_mark(c) && c != ')' && c != '%').len();
        let end = sentence.start + body.len() - marks;
        for words in &table.exception.front {
            let Some(at) = borders.places(words).into_iter().find(|r| r.start > sentence.start && r.end < end) else {
                continue;
            };
            let behind = text.get(at.end..).unwrap_or_default().trim_start();
            if table.exception.not.iter().any(|n| behind.starts_with(n.as_str())) {
                continue;
            }
            let front = text.get(sentence.start..at.start)?;
            if table.exception.not_behind.iter().any(|n| front.trim_end().ends_with(n.as_str())) {
                continue;
            }
            // In brackets the clause ends with them, and what stands in front of it must say something.
            let inner = front.rfind(['(', '（']).filter(|i| !front.get(*i..).is_some_and(|t| t.contains([')', '）'])));
            let alone = inner
                .is_some_and(|i| front.get(i..).is_some_and(|t| (2..LEFT + 2).contains(&t.trim().chars().count())));
            if alone {
                continue;
            }
            let kept = front
                .trim_end_matches(|c: char| is_blank(c) || matches!(c, ',' | '，' | ';' | '；' | '(' | '（' | '、'));
            if kept.chars().count() >= LEFT {
                let start = sentence.start + kept.len();
                let opened = front.trim_end().ends_with(['(', '（']);
                let end = clause_end(text, at.end, end, opened, kept.len() < front.trim_end().len());
                return Some(Planted::of(source, Edit { at: start..end, with: String::new() }));
            }
        }
        for words in &table.exception.behind {
            let Some(at) = borders.text_places(words).into_iter().find(|r| r.end == end) else { continue };
            let front = text.get(sentence.start..at.start)?;
            let Some(cut) = front.rfind(['，', ',']) else { continue };
            let kept = front.get(..cut)?;
            if kept.chars().count() >= LEFT {
                return Some(Planted::of(source, Edit { at: sentence.start + cut..end, with: String::new() }));
            }
        }
    }
    None
}

/// Where the clause of an exception ends: at the bracket that closes it, else at the next comma, which goes with it where a
/// comma stood in front too; else at the end of the sentence.
fn clause_end(text: &str, from: usize, end: usize, opened: bool, apart: bool) -> usize {
    let rest = text.get(from..end).unwrap_or_default();
    if opened {
        let closed = rest.find([')', '）']).and_then(|i| Some(from + i + rest.get(i..)?.chars().next()?.len_utf8()));
        return closed.unwrap_or(end);
    }
    let comma = rest.char_indices().find(|(i, c)| {
        matches!(c, '，' | ';' | '；') || (*c == ',' && rest.get(i + 1..).is_some_and(|r| r.starts_with(' ')))
    });
    match comma {
        Some((i, c)) if apart && c != ';' => from + i + c.len_utf8(),
        Some((i, _)) => from + i,
        None => end,
    }
}

/// Whether a text is a whole sentence, as far as its marks tell.
pub fn is_whole(text: &str, table: &Table) -> bool {
    let first = text.chars().next();
    let cased =
        first.is_some_and(|c| c.is_lowercase() || matches!(c, '[' | ':' | '：' | '(' | ')' | '）' | '，' | ','));
    !table.marked
        || (!cased && text.trim_end_matches(['"', '”', ')', ']', '）', '」']).ends_with(['.', '!', '。', '！']))
}

/// Adds a sentence of the corpus that no passage of the answer holds, from the same document where it has one.
pub fn added(source: &Source, pool: &Pool, table: &Table, rng: &mut fastrand::Rng) -> Option<Planted> {
    let documents: Vec<&str> = source.contexts.iter().filter_map(|c| c.doc.as_deref()).collect();
    let stands =
        |sentence: &str| source.contexts.iter().any(|c| c.text.contains(sentence)) || source.answer.contains(sentence);
    let points = |sentence: &str| {
        let lower = sentence.to_lowercase();
        let borders = Borders::of(&lower);
        table.pointing.iter().any(|w| borders.loose_places(w).first().is_some_and(|r| r.start == 0))
            || table.pointing_within.iter().any(|w| borders.has(w))
    };
    let fits = |s: &&super::source::Sentence| {
        is_whole(&s.text, table) && s.text.chars().count() <= ADDED && !points(&s.text) && !stands(&s.text)
    };
    let near: Vec<_> = pool.sentences.iter().filter(|s| documents.contains(&s.doc.as_str())).filter(fits).collect();
    let far: Vec<_> = if near.is_empty() { pool.sentences.iter().filter(fits).collect() } else { near };
    let chosen = far.get(rng.usize(..far.len().max(1)))?;
    let end = source.answer.len();
    let gap = if source.answer.ends_with(['。', '！', '？']) { "" } else { " " };
    Some(Planted::of(source, Edit { at: end..end, with: format!("{gap}{}", chosen.text) }))
}

//! A name in the place of another of its class.

use super::edit::Borders;
use super::words::{Class, Table};
use super::{Edit, Planted, Pool, Source};
use crate::text::norm;
use crate::text::norm::chars::is_mark;

/// The answer of the question, where it is a name, becomes the answer of another question that asks for the like; else a word
/// of a closed class (a country, a weekday) becomes another of it. What stands in the question or in a passage is not taken.
pub fn swapped(source: &Source, pool: &Pool, table: &Table, rng: &mut fastrand::Rng) -> Option<Planted> {
    by_question(source, pool, table, rng).or_else(|| by_class(source, table, rng))
}

/// In front means: behind a preposition at most.
const FRONT: usize = 6;

/// What a question asks for: a class of the table.
pub fn asked_for<'t>(question: &str, table: &'t Table) -> Option<&'t str> {
    let lower = question.to_lowercase();
    let borders = Borders::of(&lower);
    // A language that asks in front names other things with the same words further on (`Doctor Who`).
    let asks = |w: &String| borders.loose_places(w).iter().any(|r| !table.asks_in_front || r.start <= FRONT);
    table.asking.iter().find(|a| a.words.iter().any(asks)).map(|a| a.name.as_str())
}

fn by_question(source: &Source, pool: &Pool, table: &Table, rng: &mut fastrand::Rng) -> Option<Planted> {
    let term = source.term.as_deref()?;
    let asked = asked_for(&source.question, table)?;
    let borders = Borders::of(&source.answer);
    let [at] = borders.places(term).try_into().ok()?;
    if !is_name(term, table) {
        return None;
    }
    let fits = |other: &&String| is_name(other, table) && shape(other) == shape(term) && is_new(source, other);
    let others: Vec<&String> = pool.terms(asked).iter().filter(fits).collect();
    let with = others.get(rng.usize(..others.len().max(1)))?;
    Some(Planted::of(source, Edit { at, with: (*with).clone() }))
}

fn by_class(source: &Source, table: &Table, rng: &mut fastrand::Rng) -> Option<Planted> {
    let borders = Borders::of(&source.answer);
    let lower = source.question.to_lowercase();
    let mut found: Vec<(std::ops::Range<usize>, &Class)> = Vec::new();
    for class in &table.classes {
        for word in class.words.iter().filter(|w| !lower.contains(&w.to_lowercase())) {
            let [at]: [std::ops::Range<usize>; 1] = match borders.places(word).try_into() {
                Ok(one) => one,
                Err(_) => continue,
            };
            found.push((at, class));
        }
    }
    // A class of which the answer names two says how they stand to each other: no word of it is free.
    let several = |class: &Class| found.iter().filter(|(_, c)| c.name == class.name).count() > 1;
    let (at, class) = found.iter().filter(|(_, c)| !several(c)).min_by_key(|(r, _)| r.start)?.clone();
    let others: Vec<&String> = class.words.iter().filter(|w| is_new(source, w)).collect();
    let with = others.get(rng.usize(..others.len().max(1)))?;
    Some(Planted::of(source, Edit { at, with: (*with).clone() }))
}

/// Whether neither question, answer nor passages hold a name.
fn is_new(source: &Source, name: &str) -> bool {
    let name = norm::matching(name);
    let holds = |text: &str| norm::matching(text).contains(&name);
    !holds(&source.answer) && !holds(&source.question) && !source.contexts.iter().any(|c| holds(&c.text))
}

/// What must be alike of two names so that one can stand for the other: whether it has large letters, its script, and whether
/// it is one word.
fn shape(name: &str) -> (bool, bool, bool) {
    let cased = name.chars().any(|c| c.is_lowercase() || c.is_uppercase());
    (cased, name.is_ascii(), name.split_whitespace().count() > 1)
}

/// Small words within names.
const PARTICLES: [&str; 14] = ["of", "de", "la", "le", "du", "van", "von", "der", "ibn", "bin", "al", "el", "di", "da"];

/// Whether some words are a name: of several words, each with a large letter but particles; in scripts without large letters
/// of several parts with a dot or a blank between them.
fn is_name(words: &str, table: &Table) -> bool {
    if table.joining.iter().any(|w| !Borders::of(words).loose_places(w).is_empty()) {
        return false;
    }
    let parts = words.split([' ', '·', '•', '‧']).filter(|w| !w.is_empty()).count();
    if !words.chars().any(|c| c.is_lowercase() || c.is_uppercase()) {
        return (2..=4).contains(&parts)
            && words.chars().all(|c| c.is_alphabetic() || is_mark(c) || matches!(c, ' ' | '·' | '•' | '‧'));
    }
    let all: Vec<&str> = words.split_whitespace().collect();
    let large = |w: &&str| w.chars().next().is_some_and(char::is_uppercase);
    let article = all.first().is_some_and(|w| matches!(*w, "The" | "A" | "An"));
    let fits = all.iter().all(|w| large(w) || PARTICLES.contains(w))
        && all.first().is_some_and(large)
        && all.last().is_some_and(large);
    (2..=4).contains(&all.len()) && fits && !article
}

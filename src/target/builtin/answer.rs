//! The extractive answer: the sentences of the best passages that share most with the question.

use super::chunk::by_length;
use super::index::{Index, Query};
use super::language::Language;
use crate::text::pack::Lang;
use crate::text::segment;

/// One sentence, list item or table row of a passage.
#[derive(Debug)]
pub(super) struct Unit {
    /// The text as an answer shows it.
    pub(super) text: String,
    /// Its known terms, sorted.
    terms: Vec<usize>,
    /// How many terms it has.
    length: usize,
    has_digit: bool,
}

impl Unit {
    fn holds(&self, term: usize) -> bool {
        self.terms.binary_search(&term).is_ok()
    }
}

/// A passage as answers are drawn from it.
#[derive(Debug)]
pub(super) struct Material {
    /// Its sentences.
    pub(super) units: Vec<Unit>,
    /// The known terms of its heading path, sorted.
    headings: Vec<usize>,
}

impl Material {
    /// Cuts a passage into sentences.
    pub(super) fn new(text: &str, section: &[String], index: &Index, language: &Language, lang: &Lang) -> Material {
        let known = |text: &str| {
            let terms = language.terms(text, lang);
            let mut ids: Vec<usize> = terms.iter().filter_map(|t| index.term(t)).collect();
            ids.sort_unstable();
            ids.dedup();
            (ids, terms.len())
        };
        let units = sentences(text, language.clause, lang).into_iter().map(|text| {
            let (terms, length) = known(&text);
            let has_digit = text.chars().any(char::is_numeric);
            Unit { text, terms, length, has_digit }
        });
        Material { units: units.collect(), headings: known(&section.join("\n")).0 }
    }
}

/// What a question's term counts when it stands only in the headings above a sentence.
const IN_HEADINGS: f64 = 0.5;
/// What it counts when it stands only in the sentence before.
const IN_SENTENCE_BEFORE: f64 = 0.3;
/// A sentence's score is divided by its length to this power.
const LENGTH_POWER: f64 = 0.1;
/// What a sentence without a digit counts when an amount is asked for.
const WITHOUT_DIGIT: f64 = 0.5;
/// A second sentence holds at least this share of the question's idf that the first one does not …
const SECOND_ADDS: f64 = 0.1;
/// … and has at least this share of its score.
const SECOND_SCORES: f64 = 0.4;

/// The sentences of an answer: passage (as numbered in `passages`) and text, in the order of passages and of text.
///
/// A sentence scores the idf of the question's terms that it holds; terms that stand only in the headings above it or in
/// the sentence before it count in part; a long sentence counts a little less, and when an amount is asked for a sentence
/// without a digit counts half. Sentences of a worse passage count less, by the passages' scores. A second sentence is
/// added when it holds some of the question that the first one does not.
///
/// The constants were varied one at a time on XQuAD (en, vi): around these values the share of answers that hold the gold
/// text moves by less than four points.
pub(super) fn draw<'m>(passages: &[(&'m Material, f64)], query: &Query, amount: bool) -> Vec<(usize, &'m str)> {
    let top = passages.first().map_or(1.0, |(_, score)| *score).max(f64::MIN_POSITIVE);
    let mut scored = Vec::new();
    for (passage, (material, score)) in passages.iter().enumerate() {
        for (at, unit) in material.units.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|i| material.units.get(i));
            let weight = |id: usize| match () {
                () if unit.holds(id) => 1.0,
                () if material.headings.binary_search(&id).is_ok() => IN_HEADINGS,
                () if before.is_some_and(|u| u.holds(id)) => IN_SENTENCE_BEFORE,
                () => 0.0,
            };
            let overlap: f64 = query.known().map(|(id, idf)| idf * weight(id)).sum();
            let fit = if amount && !unit.has_digit { WITHOUT_DIGIT } else { 1.0 };
            let length = (unit.length.max(1) as f64).powf(LENGTH_POWER);
            if material.units.len() == 1 || query.known().any(|(id, _)| unit.holds(id)) {
                scored.push(Scored { place: (passage, at), unit, score: fit * overlap / length * score / top });
            }
        }
    }
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
    let Some(first) = scored.first() else { return Vec::new() };
    let all: f64 = query.known().map(|(_, idf)| idf).sum();
    let adds = |unit: &Unit| {
        let new = query.known().filter(|(id, _)| unit.holds(*id) && !first.unit.holds(*id));
        new.map(|(_, idf)| idf).sum::<f64>()
    };
    let second = scored.iter().skip(1).take_while(|s| s.score >= SECOND_SCORES * first.score);
    let second = second.into_iter().find(|s| adds(s.unit) >= SECOND_ADDS * all);
    let mut chosen: Vec<&Scored<'_>> = [first].into_iter().chain(second).collect();
    chosen.sort_by_key(|s| s.place);
    chosen.into_iter().map(|s| (s.place.0, s.unit.text.as_str())).collect()
}

/// A sentence with its passage and number there.
struct Scored<'m> {
    place: (usize, usize),
    unit: &'m Unit,
    score: f64,
}

/// The sentences of Markdown text: paragraphs cut at sentence ends, list items and table rows each for itself.
/// A sentence of more than `clause` characters is cut at blanks, where `clause` is not 0.
fn sentences(text: &str, clause: usize, lang: &Lang) -> Vec<String> {
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut header: Vec<&str> = Vec::new();
    let mut lines = text.lines().peekable();
    let flush = |paragraph: &mut String, found: &mut Vec<String>| {
        for sentence in segment::sentences(paragraph, lang).into_iter().filter_map(|r| paragraph.get(r)) {
            let most = if clause == 0 { sentence.len() } else { clause };
            let parts = by_length(sentence, most).into_iter().filter_map(|r| sentence.get(r));
            found.extend(parts.map(|s| s.trim().to_owned()));
        }
        paragraph.clear();
    };
    while let Some(line) = lines.next() {
        let line = line.trim();
        let item = list_item(line);
        if line.is_empty() || item.is_some() || line.starts_with(['|', '#']) {
            flush(&mut paragraph, &mut found);
        }
        if let Some(cells) = table_row(line) {
            if is_rule(&cells) {
                continue;
            }
            if lines.peek().and_then(|l| table_row(l.trim())).is_some_and(|c| is_rule(&c)) {
                header = cells;
                continue;
            }
            found.push(row(&header, &cells));
            continue;
        }
        header.clear();
        if !line.starts_with('#') {
            let blank = if paragraph.is_empty() || line.is_empty() { "" } else { " " };
            paragraph.push_str(blank);
            paragraph.push_str(item.unwrap_or(line));
        }
    }
    flush(&mut paragraph, &mut found);
    found.retain(|s| s.chars().any(char::is_alphanumeric));
    found
}

/// The text of a list item.
fn list_item(line: &str) -> Option<&str> {
    let rest = match line.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => {
            let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let number = line.len() - digits.len();
            digits.strip_prefix(['.', ')']).filter(|_| (1..=9).contains(&number))?
        }
    };
    rest.strip_prefix([' ', '\t']).map(str::trim)
}

/// The cells of a table row.
fn table_row(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix('|')?;
    Some(inner.strip_suffix('|').unwrap_or(inner).split('|').map(str::trim).collect())
}

fn is_rule(cells: &[&str]) -> bool {
    cells.iter().all(|c| !c.is_empty() && c.chars().all(|c| matches!(c, '-' | ':')))
}

/// A table row as a sentence: the first cell, then each other cell with the head of its column.
fn row(header: &[&str], cells: &[&str]) -> String {
    let mut text = String::new();
    for (column, cell) in cells.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
        if !text.is_empty() {
            text.push_str("; ");
        }
        if let Some(head) = header.get(column).filter(|h| column > 0 && !h.is_empty()) {
            text.push_str(head);
            text.push_str(": ");
        }
        text.push_str(cell);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_cut_at_blanks() {
        let lang = Lang::new("th").unwrap();
        assert_eq!(sentences("ก้าว ไกล ไป", 8, &lang), ["ก้าว", "ไกล ไป"]);
        assert_eq!(sentences("ก้าวไกล", 3, &lang), ["ก้า", "วไก", "ล"]);
    }

    #[test]
    fn markdown_is_cut_into_sentences() {
        let text = "One is\nlong. Two!\n\n- item a\n- item b\n  goes on. Ends.\n\n| Area | Stock |\n|---|:-:|\n| City | 1 day |\n| | 2 |\n\n---\n3. third";
        assert_eq!(
            sentences(text, 0, &Lang::new("en").unwrap()),
            ["One is long.", "Two!", "item a", "item b goes on.", "Ends.", "City; Stock: 1 day", "Stock: 2", "third"]
        );
    }
}

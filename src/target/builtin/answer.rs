//! The extractive answer: the sentences of the best passages that share most with the question.

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
        let units = sentences(text, lang).into_iter().map(|text| {
            let (terms, length) = known(&text);
            let has_digit = text.chars().any(|c| c.is_numeric());
            Unit { text, terms, length, has_digit }
        });
        Material { units: units.collect(), headings: known(&section.join("\n")).0 }
    }
}

fn knob(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The sentences of an answer: passage (as numbered in `passages`) and text, in the order of passages and of text.
///
/// A sentence scores the idf of the question's terms that it holds; terms that stand only in the headings above it or in
/// the sentence before it count in part; a long sentence counts a little less, and when an amount is asked for a sentence
/// without a digit counts half. The best passage counts most. A second sentence is added when it holds much of the
/// question that the first one does not.
pub(super) fn draw<'m>(passages: &[(&'m Material, f64)], query: &Query, amount: bool) -> Vec<(usize, &'m str)> {
    let h = knob("K_HEAD", 0.5);
    let nb = knob("K_PREV", 0.3);
    let len_pow = knob("K_LEN", 0.25);
    let dig = knob("K_DIGIT", 0.5);
    let gamma = knob("K_GAMMA", 1.0);
    let second = knob("K_SECOND", 0.35);
    let top = passages.first().map_or(1.0, |(_, score)| *score).max(f64::MIN_POSITIVE);
    let holds = |terms: &[usize], id: usize| terms.binary_search(&id).is_ok();
    let mut scored = Vec::new();
    for (number, (material, score)) in passages.iter().enumerate() {
        for (at, unit) in material.units.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|i| material.units.get(i));
            let mut sum = 0.0;
            let mut own = 0.0;
            for (id, idf) in query.known() {
                if holds(&unit.terms, id) {
                    sum += idf;
                    own += idf;
                } else if holds(&material.headings, id) {
                    sum += h * idf;
                } else if before.is_some_and(|u| holds(&u.terms, id)) {
                    sum += nb * idf;
                }
            }
            let length = (unit.length.max(1) as f64).powf(len_pow);
            let fit = if amount && !unit.has_digit { dig } else { 1.0 };
            if own > 0.0 || material.units.len() == 1 {
                scored.push((number, at, unit, fit * sum / length * (score / top).powf(gamma)));
            }
        }
    }
    scored.sort_by(|a, b| b.3.total_cmp(&a.3).then((a.0, a.1).cmp(&(b.0, b.1))));
    let Some(&(n1, a1, u1, s1)) = scored.first() else { return Vec::new() };
    let mut chosen = vec![(n1, a1, u1.text.as_str())];
    let all: f64 = query.known().map(|(_, idf)| idf).sum();
    let new = |unit: &Unit| {
        query
            .known()
            .filter(|(id, _)| holds(&unit.terms, *id) && !holds(&u1.terms, *id))
            .map(|(_, idf)| idf)
            .sum::<f64>()
    };
    let next = scored.iter().skip(1).find(|(_, _, u, s)| new(u) >= second * all && *s >= knob("K_NEAR", 0.5) * s1);
    chosen.extend(next.map(|(n, a, u, _)| (*n, *a, u.text.as_str())));
    chosen.sort_unstable();
    chosen.into_iter().map(|(n, _, text)| (n, text)).collect()
}

/// The sentences of Markdown text: paragraphs cut at sentence ends, list items and table rows each for itself.
fn sentences(text: &str, lang: &Lang) -> Vec<String> {
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut header: Vec<&str> = Vec::new();
    let mut lines = text.lines().peekable();
    let flush = |paragraph: &mut String, found: &mut Vec<String>| {
        let ranges = segment::sentences(paragraph, lang);
        found.extend(ranges.into_iter().filter_map(|r| paragraph.get(r)).map(|s| s.trim().to_owned()));
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
    fn markdown_is_cut_into_sentences() {
        let text = "One is\nlong. Two!\n\n- item a\n- item b\n  goes on. Ends.\n\n| Area | Stock |\n|---|:-:|\n| City | 1 day |\n| | 2 |\n\n---\n3. third";
        assert_eq!(
            sentences(text, &Lang::new("en").unwrap()),
            ["One is long.", "Two!", "item a", "item b goes on.", "Ends.", "City; Stock: 1 day", "Stock: 2", "third"]
        );
    }
}

//! How much of a span some texts hold: the pieces of it that stand in them.
//!
//! A chunk border cuts a span in two, and what is left of it stands at the end of one text and at the begin of the next; or a
//! text was reworded in the middle. A character of the span is covered when it lies in a block of some length that a text
//! holds, or in a piece of any length at the border of a text. Blanks are left out, since chunks are cut at them.

use crate::text::norm::chars::{digit, is_blank, script};
use crate::text::pack::Script;
use std::collections::HashMap;

/// The share from which on a span counts as whole.
pub(super) const WHOLE: f64 = 0.999;

/// A span, and which of its characters were found by now.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    span: Vec<char>,
    found: Vec<bool>,
    /// The fewest characters of a block.
    least: usize,
}

impl Pieces {
    /// A span in matching form. A block has at least 20 characters, 12 in Thai, 8 in Chinese and Japanese, or is the whole
    /// span.
    pub(super) fn new(span: &str) -> Self {
        let span: Vec<char> = span.chars().filter(|c| !is_blank(*c)).collect();
        let is = |s: Script| span.iter().filter(|c| script(**c) == Some(s)).count() * 2 > span.len();
        let least = if is(Script::Thai) {
            12
        } else if is(Script::Han) || is(Script::Kana) {
            8
        } else {
            20
        };
        Pieces { least: least.min(span.len()), found: vec![false; span.len()], span }
    }

    /// The share of the span that was found, 0 to 1.
    pub(super) fn share(&self) -> f64 {
        if self.span.is_empty() {
            0.0
        } else {
            self.found.iter().filter(|f| **f).count() as f64 / self.span.len() as f64
        }
    }

    /// Looks for pieces in a text in matching form. Takes time in proportion to the text and the span.
    pub(super) fn add(&mut self, text: &str) {
        let text: Vec<char> = text.chars().filter(|c| !is_blank(*c)).collect();
        self.borders(&text);
        self.blocks(&text);
    }

    fn mark(&mut self, from: usize, to: usize) {
        self.found.iter_mut().take(to).skip(from).for_each(|f| *f = true);
    }

    /// The longest begin of the span with which the text ends, and the longest end of it with which the text begins. Neither
    /// cuts a number: `17 days` holds no `7 days`.
    fn borders(&mut self, text: &[char]) {
        let backwards = |t: &[char]| t.iter().rev().copied().collect::<Vec<char>>();
        let head = overlap(&self.span, text);
        let tail = overlap(&backwards(&self.span), &backwards(text));
        self.mark(0, head);
        self.mark(self.span.len() - tail, self.span.len());
    }

    /// The blocks that the text and the span share: all runs of the least length, found by their hashes.
    fn blocks(&mut self, text: &[char]) {
        let n = self.least;
        if n == 0 {
            return;
        }
        let mut runs: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, hash) in hashes(&self.span, n) {
            let same = runs.entry(hash).or_default();
            // A run that the span repeats is kept once more for each place, and looked at once.
            same.push(at);
        }
        let last = self.span.len() - n;
        let mut done = std::collections::HashSet::new();
        let mut found = Vec::new();
        for (at, hash) in hashes(text, n) {
            let Some(places) = runs.get(&hash) else { continue };
            let Some(first) = places.first() else { continue };
            if text.get(at..at + n) != self.span.get(*first..first + n) {
                continue;
            }
            let figure = |i: Option<usize>| i.and_then(|i| text.get(i)).is_some_and(|c| digit(*c).is_some());
            let cut_in_front = figure(at.checked_sub(1)) && figure(Some(at));
            let cut_behind = figure(Some(at + n)) && figure(Some(at + n - 1));
            if !done.insert((hash, cut_in_front, cut_behind)) {
                continue;
            }
            for place in places {
                // Inside the span it goes on; at its border the number must be whole.
                if !(*place == 0 && cut_in_front || *place == last && cut_behind) {
                    found.push(*place);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let mut from = 0;
        for place in found {
            self.mark(place.max(from), place + n);
            from = place + n;
        }
    }
}

/// The length of the longest begin of `span` with which `text` ends (Knuth, Morris & Pratt), where no number is cut in front.
fn overlap(span: &[char], text: &[char]) -> usize {
    let mut fallback = vec![0usize; span.len()];
    let mut length = 0;
    for (i, c) in span.iter().enumerate().skip(1) {
        while length > 0 && span.get(length) != Some(c) {
            length = fallback.get(length - 1).copied().unwrap_or(0);
        }
        length += usize::from(span.get(length) == Some(c));
        if let Some(f) = fallback.get_mut(i) {
            *f = length;
        }
    }
    let mut matched = 0;
    for c in text.iter().skip(text.len().saturating_sub(span.len())) {
        while matched > 0 && span.get(matched) != Some(c) {
            matched = fallback.get(matched - 1).copied().unwrap_or(0);
        }
        matched += usize::from(span.get(matched) == Some(c));
    }
    let figure = |c: Option<&char>| c.is_some_and(|c| digit(*c).is_some());
    let cut = |n: usize| figure(span.first()) && figure(text.len().checked_sub(n + 1).and_then(|i| text.get(i)));
    while matched > 0 && cut(matched) {
        matched = fallback.get(matched - 1).copied().unwrap_or(0);
    }
    matched
}

/// The hash of each run of n characters, with its place.
fn hashes(text: &[char], n: usize) -> impl Iterator<Item = (usize, u64)> {
    const BASE: u64 = 0x0100_0000_01b3;
    let top = (1..n).fold(1u64, |p, _| p.wrapping_mul(BASE));
    let mut hash = 0u64;
    text.iter().enumerate().filter_map(move |(i, c)| {
        if let Some(out) = i.checked_sub(n).and_then(|i| text.get(i)) {
            hash = hash.wrapping_sub(u64::from(u32::from(*out)).wrapping_mul(top));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(u64::from(u32::from(*c)));
        (i + 1 >= n).then(|| (i + 1 - n, hash))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(span: &str, texts: &[&str]) -> f64 {
        let mut pieces = Pieces::new(span);
        texts.iter().for_each(|t| pieces.add(t));
        pieces.share()
    }

    /// The first 85 of 100 characters: in part.
    #[test]
    fn a_cut_span_is_covered_in_part() {
        let span: String =
            ('a'..='z').cycle().enumerate().map(|(i, c)| if i % 7 == 0 { 'X' } else { c }).take(100).collect();
        let (head, tail) = span.split_at(85);
        let inside = format!("before {head} after");
        assert!((share(&span, &[&inside]) - 0.85).abs() < 1e-9);
        assert!((share(&span, &[&format!("before {head}")]) - 0.85).abs() < 1e-9);
        assert!((share(&span, &[&inside, &format!("{tail} and more")]) - 1.0).abs() < 1e-9);
        // 15 characters in the midst of a text are no block.
        assert!((share(&span, &[&inside, &format!("then {tail} and more")]) - 0.85).abs() < 1e-9);
        assert!((share(&span, &[&span]) - 1.0).abs() < 1e-9);
        assert!(share(&span, &["nothing"]) < 1e-9 && share("", &["a"]) < 1e-9);
    }

    #[test]
    fn borders_of_chunks() {
        for (span, texts, whole) in [
            ("within 7 days of delivery", ["you may return it within 7", "days of delivery, unused"], true),
            ("within 7 days of delivery", ["days of delivery, unused", "you may return it within 7"], true),
            ("within 7 days of delivery", ["you may return it within", "days of delivery, unused"], false),
            ("7 days of delivery", ["it takes 17 days", "of delivery"], false),
            ("7 days of delivery", ["it takes 7 days", "of delivery"], true),
            ("fee 15", ["the fee", "150 euro"], false),
            ("自收到商品之日起7天内", ["请自收到商品之日", "起7天内退货"], true),
            ("คืนสินค้าได้ภายใน 7 วัน", ["ท่านคืนสินค้าได้", "ภายใน 7 วันนับจาก"], true),
        ] {
            assert_eq!(share(span, &texts) >= WHOLE, whole, "{span}: {texts:?}");
        }
    }

    /// One character again and again, in the span and in the text.
    #[test]
    fn repeats_cost_no_more() {
        let span = "a".repeat(20_000);
        let began = std::time::Instant::now();
        assert!((share(&span, &[&"a".repeat(19_999), &format!("b{}", "a".repeat(300_000))]) - 1.0).abs() < 1e-9);
        assert!(began.elapsed().as_secs() < 5);
    }
}

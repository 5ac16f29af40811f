//! The sentence of an answer that comes nearest to a fact, for the message.

use super::sheet::Sheet;
use crate::layer::refusal::is_courtesy;
use crate::text::common::is_common;
use crate::text::norm::{matching, visible};
use crate::text::number::{self, Mention, Relation};
use crate::text::pack::Lang;
use crate::text::segment::{sentences, words};
use std::collections::BTreeSet;
use std::ops::Range;

/// The sentence that holds another value than the wanted one (`at`, in code points), else the one that shares the rarest
/// words with what is wanted, or a number of its unit. Nothing where none shares any, and never a greeting; nothing either
/// for an answer of one sentence: every report shows the answer.
pub(super) fn sentence<'t>(sheet: &Sheet<'t>, wanted: &str, at: Option<&Range<usize>>) -> Option<&'t str> {
    let text = sheet.text;
    let all: Vec<(Range<usize>, &str)> =
        sentences(text, sheet.lang).into_iter().filter_map(|r| Some((r.clone(), text.get(r)?))).collect();
    if all.len() < 2 {
        // What cannot be seen is shown in words here alone.
        return all.first().filter(|_| visible(text) != text).map(|(_, sentence)| *sentence);
    }
    if let Some(at) = at {
        let holds = |r: &Range<usize>| sheet.points(r.clone()).contains(&at.start);
        return all.iter().find(|(r, _)| holds(r)).map(|(_, sentence)| *sentence);
    }
    let asked = tokens(wanted, sheet.lang);
    let units: Vec<Mention> = number::mentions(wanted, sheet.lang).into_iter().filter(|m| m.unit.is_some()).collect();
    let held: Vec<BTreeSet<String>> = all.iter().map(|(_, s)| tokens(s, sheet.lang)).collect();
    let rarity = |word: &String| 1.0 / held.iter().filter(|h| h.contains(word)).count().max(1) as f64;
    let mut best: Option<(f64, &str)> = None;
    for ((range, sentence), words) in all.iter().zip(&held) {
        let numbers: Vec<&Mention> =
            sheet.mentions().iter().filter(|m| range.start <= m.start && m.end <= range.end).collect();
        if numbers.is_empty() && is_courtesy(sentence, sheet.pack) {
            continue;
        }
        let of_unit = numbers.iter().any(|m| units.iter().any(|u| same_unit(m, u)));
        let score = words.intersection(&asked).map(rarity).sum::<f64>() + if of_unit { 1.0 } else { 0.0 };
        if score > best.map_or(0.0, |(most, _)| most) {
            best = Some((score, sentence));
        }
    }
    best.map(|(_, sentence)| sentence)
}

/// The words of a text that say something, in matching form.
fn tokens(text: &str, lang: &Lang) -> BTreeSet<String> {
    let form = matching(text);
    let all = words(&form, lang).into_iter().filter_map(|r| form.get(r));
    all.filter(|w| !is_common(w, lang.as_str())).map(str::to_owned).collect()
}

fn same_unit(a: &Mention, b: &Mention) -> bool {
    a.unit.zip(b.unit).is_some_and(|(a, b)| a.relation(b) != Relation::Conflict)
}

/// A text of at most `most` code points; the end of a longer one is `…`.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text).trim_end()),
    }
}

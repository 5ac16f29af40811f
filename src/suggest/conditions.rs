//! Numbers of a model answer that say for what the rest of it holds.
//!
//! `25.000 đồng for parcels below 15 kg` answers what the fee is, and an answer that leaves out the 15 kg is right. A number is
//! such a bound where a word of bounds stands at it, and a word that says *for what* or *if* in front of both.

use crate::text::norm::{find_phrase, matching};
use crate::text::number::{Mention, Relation};
use crate::text::pack::{Lang, Pack};

/// The words that say for what something holds, by language, in matching form.
const FOR: [(&str, &[&str]); 4] = [
    ("vi", &["cho", "với", "đối với", "nếu", "khi"]),
    ("en", &["for", "if", "when", "on", "with"]),
    ("th", &["สำหรับ", "หาก", "ถ้า", "เมื่อ", "กรณี"]),
    ("zh", &["对", "對", "对于", "對於", "如", "如果", "若"]),
];

/// The values of a model answer without those that only say for what the others hold; all of them where nothing else is left.
pub(super) fn without<'m>(reference: &str, mentions: &'m [Mention], lang: &Lang) -> Vec<&'m Mention> {
    let bounds = |at: usize| mentions.get(at).is_some_and(|m| is_bound(reference, mentions, (at, m), lang));
    let kept: Vec<&Mention> = mentions.iter().enumerate().filter(|(at, _)| !bounds(*at)).map(|(_, m)| m).collect();
    if kept.is_empty() { mentions.iter().collect() } else { kept }
}

fn is_bound(reference: &str, all: &[Mention], (at, m): (usize, &Mention), lang: &Lang) -> bool {
    // What counts the same as the first value is a part of the answer: `7 days, at most 10 days`.
    let other = |o: &Mention| match (o.unit, m.unit) {
        (Some(a), Some(b)) => a.relation(b) == Relation::Conflict,
        (None, Some(_)) => true,
        (_, None) => false,
    };
    if !all.iter().any(other) {
        return false;
    }
    let Some(pack) = Pack::of(lang) else { return false };
    let from = at.checked_sub(1).and_then(|i| all.get(i)).map_or(0, |b| b.end);
    let front = matching(reference.get(from..m.start).unwrap_or_default());
    let tail = matching(reference.get(m.end..).unwrap_or_default());
    let claims = &pack.claims;
    let before = |word: &str| front.trim_end().ends_with(word) && find_phrase(&front, word).is_some();
    let behind = |word: &str| tail.trim_start().starts_with(word);
    let bounded = claims.upper.iter().chain(claims.lower.iter()).any(before)
        || claims.upper_behind.iter().chain(claims.lower_behind.iter()).any(&behind);
    // `15公斤以下的包裹`: what a bound is said of.
    let of = ["以下的", "以上的", "以内的", "以內的"].iter().any(|w| behind(w));
    let words = FOR.iter().find(|(code, _)| *code == lang.as_str()).map_or(&[][..], |(_, words)| words);
    of || (bounded && words.iter().any(|w| find_phrase(&front, w).is_some()))
}

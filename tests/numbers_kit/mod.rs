//! What must hold for every text and every answer, whatever stands in them. Shared by the property tests and by the
//! fuzz target: each function panics with the text at fault.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    reason = "each user takes a part, and fails by a panic"
)]

pub mod pieces;

use ragline::inspect::numbers::{Judged, judge};
use ragline::text::number::{self, Mention};
use ragline::text::pack::Lang;
use ragline::text::segment;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// The languages whose packs are complete.
pub const LANGS: [&str; 4] = ["vi", "th", "zh", "en"];

/// An answer with what it was asked and what it was given.
#[derive(Debug, Clone)]
pub struct Asked {
    pub lang: &'static str,
    pub question: String,
    pub answer: String,
    pub passages: Vec<String>,
}

impl Asked {
    fn map(&self, f: impl Fn(&str) -> String) -> Asked {
        Asked {
            lang: self.lang,
            question: f(&self.question),
            answer: f(&self.answer),
            passages: self.passages.iter().map(|p| f(p)).collect(),
        }
    }

    /// What `ragline inspect numbers` says of it.
    pub fn judged(&self) -> Value {
        let asked = Judged { question: &self.question, answer: &self.answer, contexts: &self.passages };
        judge(&asked, &lang(self.lang))
    }
}

pub fn lang(tag: &str) -> Lang {
    Lang::new(tag).unwrap()
}

pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

pub fn decomposed(text: &str) -> String {
    text.nfd().collect()
}

/// A text with its ASCII digits as those of another script.
pub fn with_digits(text: &str, zero: char) -> String {
    text.chars().map(|c| c.to_digit(10).and_then(|d| char::from_u32(zero as u32 + d)).unwrap_or(c)).collect()
}

/// A text with the digits that [`with_digits`] writes as ASCII.
fn ascii_digits(text: &str, zero: char) -> String {
    let digit = |c: char| (c as u32).checked_sub(zero as u32).filter(|d| *d < 10).and_then(|d| char::from_digit(d, 10));
    text.chars().map(|c| digit(c).unwrap_or(c)).collect()
}

/// What a number states, without its place.
fn stated(m: &Mention) -> (Vec<String>, &'static str, Option<&'static str>, bool) {
    (m.shown_readings(), m.shown_kind(), m.shown_unit(), m.claim)
}

/// What is said of the numbers of an answer.
fn verdict(judged: &Value, with_value: bool) -> (Value, Vec<String>) {
    let one = |n: &Value| match with_value {
        true => format!("{} {} {} {}", n["status"], n["value"], n["unit"], n["kind"]),
        false => n["status"].to_string(),
    };
    (judged["outcome"].clone(), judged["numbers"].as_array().unwrap().iter().map(one).collect())
}

/// Mentions come in order, do not overlap, lie on borders of characters and hold something.
pub fn places_are_sound(tag: &str, text: &str) {
    let mut last = 0;
    for m in number::mentions(text, &lang(tag)) {
        let whole = text.is_char_boundary(m.start) && text.is_char_boundary(m.end);
        assert!(last <= m.start && m.start < m.end && m.end <= text.len() && whole, "{tag} {text:?}: {m:?}");
        assert!(!m.kind.has_value() || !m.readings.is_empty(), "{tag} {text:?}: {m:?}");
        assert!(!m.shown_value().is_empty(), "{tag} {text:?}: {m:?}");
        last = m.end;
    }
}

/// The text of a verdict stands where its offsets say; markers that were folded out may stand within.
pub fn verdicts_hold_their_text(asked: &Asked) {
    let judged = asked.judged();
    let answer: Vec<char> = asked.answer.chars().collect();
    let marked = !ragline::layer::citation::read(&asked.answer, asked.passages.len()).markers.is_empty();
    let mut last = 0;
    for n in judged["numbers"].as_array().unwrap() {
        let place = |name: &str| usize::try_from(n[name].as_u64().unwrap()).unwrap();
        let (start, end) = (place("start"), place("end"));
        assert!(last <= start && start < end && end <= answer.len(), "{asked:?}: {n}");
        let held: String = answer[start..end].iter().collect();
        assert!(marked || held == n["text"].as_str().unwrap(), "{asked:?}: {n} holds {held:?}");
        last = end;
    }
}

/// Whether the marks of a text stand where those of its languages do: a Thai vowel on a Latin letter parts the letter from
/// its own marks in one of the forms only.
pub fn is_written(text: &str) -> bool {
    let mut before = ' ';
    text.chars().all(|c| {
        let thai = |c: char| matches!(c, '\u{e00}'..='\u{e7f}');
        let plain = canonical_combining_class(c) == 0 && !is_combining_mark(c) && std::iter::once(c).nfd().eq([c]);
        let latin = matches!(c, '\u{a0}'..='\u{24f}' | '\u{1ea0}'..='\u{1eff}' | '\u{300}'..='\u{36f}');
        let right = if thai(c) { plain || thai(before) } else { plain || latin };
        before = c;
        right
    })
}

/// Letters composed or decomposed say the same.
pub fn normal_forms_agree(asked: &Asked) {
    if ![&asked.question, &asked.answer].into_iter().chain(&asked.passages).all(|t| is_written(t)) {
        return;
    }
    let (one, other) = (asked.map(composed), asked.map(decomposed));
    let composed_values = |j: &Value| {
        let (outcome, numbers) = verdict(j, true);
        (outcome, numbers.iter().map(|n| composed(n)).collect::<Vec<_>>())
    };
    let (a, b) = (composed_values(&one.judged()), composed_values(&other.judged()));
    assert_eq!(a, b, "{asked:?}");
}

/// Passages have a rank, and the verdict does not depend on it.
pub fn order_does_not_matter(asked: &Asked) {
    let right = verdict(&asked.judged(), false);
    let mut other = asked.clone();
    for _ in 0..asked.passages.len().min(4) {
        other.passages.rotate_left(1);
        assert_eq!(verdict(&other.judged(), false), right, "{other:?}");
    }
    other.passages.reverse();
    assert_eq!(verdict(&other.judged(), false), right, "{other:?}");
}

/// What is copied from a passage, whole or a sentence of it, stands there.
pub fn a_copy_is_grounded(tag: &str, passage: &str) {
    let sentences = segment::sentences(passage, &lang(tag)).into_iter().map(|s| &passage[s]);
    for answer in sentences.chain([passage]) {
        // `1.` alone says one; in front of a sentence it counts. With its markers folded out it is no copy any more.
        if !answer.contains(char::is_alphabetic) || !ragline::layer::citation::read(answer, 1).markers.is_empty() {
            continue;
        }
        let asked = Asked {
            lang: LANGS.into_iter().find(|l| *l == tag).unwrap(),
            question: String::new(),
            answer: answer.to_owned(),
            passages: vec![passage.to_owned()],
        };
        let judged = asked.judged();
        assert_ne!(judged["outcome"], "fail", "{tag} {answer:?} of {passage:?}: {judged}");
    }
}

/// Digits of another script say what ASCII digits say.
pub fn digits_of_a_script_agree(tag: &str, text: &str, zero: char) {
    // Marks of full width join digits of full width alone: `2，4` is a list.
    if zero == '０' && text.contains(['．', '，', '：', '／', '－']) {
        return;
    }
    // Units such as `m2` are written with ASCII digits.
    let unit = text.as_bytes().windows(2).any(|w| w[0].is_ascii_alphabetic() && matches!(w[1], b'2' | b'3'));
    if unit {
        return;
    }
    let other = with_digits(text, zero);
    let plain = |m: &Mention| {
        let (readings, kind, unit, claim) = stated(m);
        (readings.iter().map(|r| ascii_digits(r, zero)).collect::<Vec<_>>(), kind, unit, claim)
    };
    let read = |t: &str| number::mentions(t, &lang(tag)).iter().map(plain).collect::<Vec<_>>();
    assert_eq!(read(text), read(&other), "{tag} {text:?}");
}

/// All that holds for whatever is fed in.
pub fn everything_holds(asked: &Asked) {
    for text in [&asked.question, &asked.answer].into_iter().chain(&asked.passages) {
        places_are_sound(asked.lang, text);
    }
    verdicts_hold_their_text(asked);
    normal_forms_agree(asked);
    order_does_not_matter(asked);
    for passage in &asked.passages {
        a_copy_is_grounded(asked.lang, passage);
    }
    for zero in ['０', '๐'] {
        digits_of_a_script_agree(asked.lang, &asked.answer, zero);
    }
}

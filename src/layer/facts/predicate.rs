//! Yes or no, from what an answer says of the thing that is asked for (rule F6, 2 and 3).
//!
//! `Is water damage covered?` is answered by `Water damage is not covered.` as by a no. What is asked for is read from the
//! question by the language's pack; a sentence of the answer that holds it says no where a word denies it there, or where a
//! word such as `refused` stands in it, and yes where nothing does.

use super::negation::denies;
use super::sheet::{Sentence, Sheet, Word, word_form};
use crate::text::common::is_common;
use crate::text::norm::chars::is_unspaced;
use crate::text::norm::{find_phrase, matching};
use crate::text::pack::{Count, Pack};
use crate::text::segment::words_of;
use std::ops::Range;

/// So many sentences are read: the answer to a yes-or-no question stands at its beginning.
const SENTENCES: usize = 4;

/// The yes or no, where the question asks for one and a sentence tells.
pub(super) fn read(sheet: &Sheet<'_>) -> Option<bool> {
    let pack = sheet.pack?;
    let head = head(sheet, sheet.asked()?, pack.refusal.count, pack.tone.is_some());
    if head.is_empty() {
        return None;
    }
    let about: Vec<String> = content(sheet, sheet.question);
    let first = || sheet.sentences().iter().take(SENTENCES);
    if let Some(said) = first().find_map(|s| opposite(sheet, s)) {
        return Some(said);
    }
    let (sentence, said) = first().find_map(|s| of_sentence(sheet, s, &head, &about).map(|said| (s, said)))?;
    // `The plan adds 18 months. It is not sold for clearance goods.` says no yes to a question for clearance goods.
    let narrowed = |other: &Sentence| {
        let form = matching(sheet.text.get(other.range.clone()).unwrap_or_default());
        let only_there =
            about.iter().filter(|w| place(sheet, other, w).is_some() && place(sheet, sentence, w).is_none()).count();
        only_there >= 2 && pack.claims.negators.stand_in(&form)
    };
    (!said || !sheet.may_deny() || !first().any(narrowed)).then_some(said)
}

/// The yes or no of a sentence with the opposite of what is asked for: to a question for a fee `free` is a no.
fn opposite(sheet: &Sheet<'_>, sentence: &Sentence) -> Option<bool> {
    let asked = matching(sheet.asked()?);
    sheet.pack?.claims.opposites.iter().find_map(|(word, says_no)| {
        let asks = find_phrase(&asked, word).is_some() && find_phrase(&asked, says_no).is_none();
        let at = asks.then(|| phrase(sheet, sentence, says_no)).flatten()?;
        Some(sheet.may_deny() && denies(sheet, &at))
    })
}

/// The words that say something, in matching form.
fn content(sheet: &Sheet<'_>, text: &str) -> Vec<String> {
    let form = matching(text);
    let words = words_of(&form).into_iter().filter_map(|r| form.get(r));
    let says = |w: &&str| {
        let function = |p: &Pack| p.claims.function_words.iter().any(|f| f == w);
        !is_common(w, sheet.lang.as_str()) && !sheet.pack.is_some_and(function)
    };
    words.filter(says).map(|w| word_form(w, sheet.pack)).collect()
}

/// What is asked for: the words that must stand in a sentence that answers. A language of syllables and one without blanks
/// name it in their first or last two; elsewhere all of the words may.
fn head(sheet: &Sheet<'_>, asked: &str, count: Count, syllables: bool) -> Vec<String> {
    const HEAD: usize = 2;
    let words = content(sheet, asked);
    match count {
        Count::Words if syllables => words.into_iter().take(HEAD).collect(),
        Count::Words => words,
        // The verb stands last in front of `ได้ไหม`, and first behind `可以`.
        Count::Characters if asked.contains(|c| matches!(c, '\u{e00}'..='\u{e7f}')) => {
            let from = words.len().saturating_sub(HEAD);
            words.into_iter().skip(from).collect()
        }
        Count::Characters => {
            let form = matching(asked);
            let first: String = form.chars().filter(|c| is_unspaced(*c)).take(HEAD).collect();
            if first.chars().count() == HEAD { vec![first] } else { Vec::new() }
        }
    }
}

fn of_sentence(sheet: &Sheet<'_>, sentence: &Sentence, head: &[String], about: &[String]) -> Option<bool> {
    let places: Vec<Range<usize>> = head.iter().filter_map(|word| place(sheet, sentence, word)).collect();
    let claims = &sheet.pack?.claims;
    let shares = || about.iter().filter(|word| place(sheet, sentence, word).is_some()).count() >= 2;
    for denial in claims.denials.iter() {
        if let Some(at) = phrase(sheet, sentence, denial)
            && (!places.is_empty() || shares())
        {
            return Some(sheet.may_deny() && denies(sheet, &at));
        }
    }
    if sheet.may_deny() && places.iter().any(|p| denies(sheet, p)) {
        return Some(false);
    }
    // A yes has the whole of what is asked for, and nothing in its clause that takes a part of it back.
    let clause = clause(sheet.text, &sentence.range, places.last()?);
    let form = matching(sheet.text.get(clause).unwrap_or_default());
    let doubtful = claims.negators.stand_in(&form) || claims.narrowing.stand_in(&form);
    (places.len() == head.len() && !doubtful).then_some(true)
}

/// The clause around a place, as far as a comma or its like shows it.
fn clause(text: &str, sentence: &Range<usize>, place: &Range<usize>) -> Range<usize> {
    const MARKS: [char; 7] = [',', ';', '，', '；', '、', '(', '（'];
    let head = text.get(sentence.start..place.start).unwrap_or_default();
    let tail = text.get(place.end..sentence.end).unwrap_or_default();
    let start = head.rfind(MARKS).map_or(sentence.start, |i| sentence.start + i);
    let end = tail.find(MARKS).map_or(sentence.end, |i| place.end + i);
    start..end
}

/// Where a word stands in a sentence, in one of its inflected forms; a piece of a script without blanks anywhere.
fn place(sheet: &Sheet<'_>, sentence: &Sentence, word: &str) -> Option<Range<usize>> {
    const STEM: usize = 4;
    if word.chars().any(is_unspaced) {
        return phrase(sheet, sentence, word);
    }
    let same = |w: &&Word| {
        let longer = |a: &str, b: &str| a.len() >= STEM && b.starts_with(a);
        w.form == word || longer(&w.form, word) || longer(word, &w.form)
    };
    let exact = sheet.pack.is_some_and(|p| p.tone.is_some());
    let found = if exact { sentence.words.iter().find(|w| w.form == word) } else { sentence.words.iter().find(same) };
    found.map(|w| w.place.clone())
}

/// Where a phrase stands in a sentence, in bytes.
fn phrase(sheet: &Sheet<'_>, sentence: &Sentence, phrase: &str) -> Option<Range<usize>> {
    let places = super::words::places(sheet, phrase, super::words::Form::Matching);
    places.into_iter().find(|p| sentence.range.start <= p.start && p.end <= sentence.range.end)
}

//! Words: whole, in any writing that means the same, and at last most of them near each other.

use super::look::{Found, Match, Miss, found};
use super::nearby;
use super::negation::{Guard, denies, guard};
use super::sheet::Sheet;
use super::value::{only_number, value_of_text};
use crate::suite::Looking;
use crate::text::norm::chars::is_unspaced;
use crate::text::norm::{find_phrase, find_phrases, matching, matching_in, unmarked, visible};
use crate::text::number::{self, Mention};
use crate::text::pack::Pack;
use std::ops::Range;

/// A form of the answer in which a phrase is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The matching form.
    Matching,
    /// The same with tone marks in one place.
    Toned,
    /// The same without marks.
    Unmarked,
}

/// What a rung of the ladder sees.
enum Seen {
    /// The words stand nowhere.
    Nowhere,
    /// They stand somewhere and nothing denies them there.
    Stated,
    /// They are denied wherever they stand; the first place.
    Denied(Range<usize>),
}

/// Words: as a phrase, then with tone marks in one place, then without marks where the fact allows it; a number or a date
/// by value; at last by their words near each other.
pub(super) fn text_fact(sheet: &Sheet<'_>, text: &str, looking: &Looking) -> Match {
    let needle = matching(text);
    let guard = guard(sheet, looking.negation, text);
    // A number is looked for by value, lest `5` be found in `5 triệu`.
    if let Some(fact) = only_number(text, sheet.lang) {
        return value_of_text(sheet, &needle, &fact, guard);
    }
    let mut denied = None;
    // The form of a language that writes no tone marks differs by short forms only.
    let toned = if sheet.pack.is_some_and(|p| p.tone.is_some()) { "tone" } else { "text" };
    for (form, how) in [(Form::Matching, "text"), (Form::Toned, toned), (Form::Unmarked, "fold")] {
        let seen = match form {
            Form::Matching => seen(sheet, &needle, form, guard),
            Form::Toned if sheet.toned().is_some() => seen(sheet, &matching_in(text, sheet.pack), form, guard),
            Form::Unmarked if looking.fold => seen(sheet, &unmarked(&needle), form, guard),
            Form::Toned | Form::Unmarked => Seen::Nowhere,
        };
        match seen {
            Seen::Stated => return found(how),
            Seen::Denied(place) => denied = denied.or(Some((how, place))),
            Seen::Nowhere => {}
        }
    }
    if denied.is_none()
        && !sheet.forbidden
        && let Some(name) = without_title(text, sheet.pack)
        && let Ok(found) = text_fact(sheet, &name, looking)
    {
        return Ok(Found { how: "recall", ..found });
    }
    if denied.is_none() {
        match nearby::find(sheet, text, looking, guard) {
            nearby::Near::Stated => return found("recall"),
            nearby::Near::Denied(place) => denied = Some(("recall", place)),
            nearby::Near::Nowhere => return Err(Miss::Missing),
        }
    }
    let Some((how, place)) = denied else { return Err(Miss::Missing) };
    if guard != Guard::Strict {
        return Ok(Found { how, note: Some(sheet.points(place)) });
    }
    let said = visible(sheet.text.get(place.clone()).unwrap_or_default());
    Err(Miss::Negated { found: said, place: Some(sheet.points(place)) })
}

/// A name without its title, as long as a whole name is left: `Sir Ambrose Fleming` is `Ambrose Fleming`, and `Mr Bean` stays.
fn without_title(text: &str, pack: Option<&Pack>) -> Option<String> {
    let claims = &pack?.claims;
    let text = text.trim();
    let (first, rest) = text.split_once(|c: char| c.is_whitespace()).unwrap_or((text, ""));
    let unspaced = |c: Option<char>| c.is_some_and(is_unspaced);
    let is_title = |w: &str| claims.titles.iter().any(|t| matching(w).trim() == t);
    let several = |rest: &str| rest.split_whitespace().count() > 1;
    if is_title(first) && several(rest) && rest.starts_with(|c: char| c.is_uppercase() || is_unspaced(c)) {
        return Some(rest.trim_start().to_owned());
    }
    let glued = claims.titles.iter().filter_map(|t| text.strip_prefix(t.as_str()));
    if let Some(name) = glued.filter(|n| unspaced(n.chars().next())).find(|n| several(n)) {
        return Some(name.to_owned());
    }
    let behind = claims.titles_behind.iter().filter_map(|t| text.strip_suffix(t.as_str())).map(str::trim_end);
    behind.filter(|n| unspaced(n.chars().next()) && n.chars().nth(1).is_some()).map(str::to_owned).next()
}

/// Whether a phrase stands in a form of the answer, at a place where it cuts no number short and nothing denies it.
fn seen(sheet: &Sheet<'_>, needle: &str, form: Form, guard: Guard) -> Seen {
    let haystack = match form {
        Form::Matching => sheet.matching(),
        Form::Toned => sheet.toned().unwrap_or_default(),
        Form::Unmarked => &sheet.mapped(form).text,
    };
    if find_phrase(haystack, needle).is_none() {
        return Seen::Nowhere;
    }
    let scaled = scaled(sheet, needle);
    if scaled.is_empty() && guard == Guard::Off {
        return Seen::Stated;
    }
    let mut denied = None;
    for place in places(sheet, needle, form).into_iter().filter(|p| leaves_numbers_whole(sheet, &scaled, p)) {
        if guard == Guard::Off || !denies(sheet, &place) {
            return Seen::Stated;
        }
        denied = denied.or(Some(place));
    }
    denied.map_or(Seen::Nowhere, Seen::Denied)
}

/// The numbers of the answer that a phrase could cut short: those with a magnitude, for a phrase with a digit at an end.
fn scaled<'s>(sheet: &'s Sheet<'_>, needle: &str) -> Vec<&'s Mention> {
    if !needle.starts_with(|c: char| c.is_ascii_digit()) && !needle.ends_with(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    sheet.mentions().iter().filter(|m| m.magnitude != 0).collect()
}

/// Whether the phrase stands at a place where it cuts no number of the answer short: `fee of 5` does not stand in `fee of
/// 5 million`.
fn leaves_numbers_whole(sheet: &Sheet<'_>, scaled: &[&Mention], place: &Range<usize>) -> bool {
    let whole = |m: &Mention| {
        let common = place.start.max(m.start)..place.end.min(m.end);
        let written = sheet.text.get(common.clone()).unwrap_or_default();
        common == (m.start..m.end) || number::mentions(written, sheet.lang).iter().any(|part| part.value() == m.value())
    };
    touching(scaled, place).iter().all(|m| whole(m))
}

/// Where a phrase stands in the answer, in bytes.
pub(super) fn places(sheet: &Sheet<'_>, needle: &str, form: Form) -> Vec<Range<usize>> {
    let mapped = sheet.mapped(form);
    find_phrases(&mapped.text, needle).map(|r| sheet.bytes(mapped.original(r))).collect()
}

/// Those of some mentions, in order, that share bytes with a place.
pub(super) fn touching<'m>(mentions: &'m [&'m Mention], place: &Range<usize>) -> &'m [&'m Mention] {
    let first = mentions.partition_point(|m| m.end <= place.start);
    let behind = mentions.partition_point(|m| m.start < place.end);
    mentions.get(first..behind).unwrap_or_default()
}

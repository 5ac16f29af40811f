//! The guard against negations: whether the words of a fact are denied where they stand.
//!
//! A word that denies governs what follows in its clause, as far as the language pack says, and in some languages what
//! stands directly in front of it. Two of them cancel. `không chỉ`, `no more than` and their like deny nothing, and what
//! stands in quotation marks denies nothing outside them.

use super::sheet::Sheet;
use crate::suite::Negation;
use crate::text::norm::chars::{is_blank, is_unspaced};
use crate::text::norm::matching;
use crate::text::pack::{Claims, Count};
use std::ops::Range;

/// What the guard does with one fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// A negated mention does not count.
    Strict,
    /// It counts, with a note.
    Warn,
    /// Nobody looks.
    Off,
}

/// What the guard does with a fact of these words.
pub(super) fn guard(sheet: &Sheet<'_>, negation: Negation, words: &str) -> Guard {
    match negation {
        Negation::Off => Guard::Off,
        _ if !sheet.may_deny() => Guard::Off,
        // What is denied is not claimed.
        _ if sheet.forbidden => Guard::Strict,
        Negation::Strict => Guard::Strict,
        Negation::Warn => Guard::Warn,
        Negation::Auto if sheet.is_value || sheet.asked().is_some() => Guard::Strict,
        Negation::Auto => {
            let decides = sheet.pack.is_some_and(|p| p.claims.predicates.stand_in(&matching(words)));
            if decides { Guard::Strict } else { Guard::Warn }
        }
    }
}

/// Whether a question denies something itself: then its answers do so without meaning the contrary.
pub(super) fn question_denies(question: &str, claims: &Claims) -> bool {
    let mut form = matching(question);
    if let Some(asking) = &claims.asking {
        let pieces: Vec<Range<usize>> = asking.find_iter(&form).collect();
        for piece in pieces.into_iter().rev() {
            form.replace_range(piece, " ");
        }
    }
    deniers(&form, &form, claims).next().is_some()
}

/// The words of a text in matching form that deny; `whole` is the text with what follows it, since a phrase that denies
/// nothing may end there.
pub(super) fn deniers(form: &str, whole: &str, claims: &Claims) -> impl Iterator<Item = Range<usize>> {
    let idle: Vec<Range<usize>> = claims.not_negators.places(whole).collect();
    let free = move |word: &Range<usize>| !idle.iter().any(|i| i.start <= word.start && word.end <= i.end);
    claims.negators.places(form).filter(free)
}

/// Whether the piece of a sheet's text at these bytes is denied.
pub(super) fn denies(sheet: &Sheet<'_>, place: &Range<usize>) -> bool {
    governing(sheet, place, None)
}

/// Whether a word that denies stands directly at the piece, with no more than one word between (`not 7 days`, `không phải
/// là 7 ngày`).
pub(super) fn denies_directly(sheet: &Sheet<'_>, place: &Range<usize>) -> bool {
    let reach = match sheet.pack.map(|p| p.refusal.count) {
        Some(Count::Words) => 2,
        Some(Count::Characters) | None => 6,
    };
    governing(sheet, place, Some(reach))
}

/// Whether an odd number of words that deny govern a piece; with a `reach` only those that stand so near.
fn governing(sheet: &Sheet<'_>, place: &Range<usize>, reach: Option<usize>) -> bool {
    let Some(pack) = sheet.pack else { return false };
    let claims = &pack.claims;
    let piece = sheet.text.get(place.clone()).unwrap_or_default();
    let before = matching(&clause_before(sheet.text, place.start, piece, claims));
    let whole = format!("{before} {}", matching(&short(piece)));
    let cut = claims.clause_words.places(&before).last().map_or(0, |r| r.end);
    let reach = reach.unwrap_or(claims.reach);
    let all: Vec<Range<usize>> = deniers(&before, &whole, claims).filter(|w| w.start >= cut).collect();
    // How far a word stands from the piece, its own last word or its characters with it; others that deny are passed over.
    let length = |r: &Range<usize>| count(before.get(r.clone()).unwrap_or_default(), pack.refusal.count);
    let distance = |word: &Range<usize>| {
        let others: usize = all.iter().filter(|o| o.start >= word.end).map(length).sum();
        let own = match pack.refusal.count {
            Count::Words => 1,
            Count::Characters => length(word),
        };
        (own + length(&(word.end..before.len()))).saturating_sub(others)
    };
    let near: Vec<&Range<usize>> = all.iter().filter(|word| distance(word) <= reach).collect();
    // Side by side they deny once: `không nên và không được`, `neither … nor`.
    let side_by_side = |pair: &[&Range<usize>]| match pair {
        [a, b] => before.get(a.end..b.start).is_some_and(|between| claims.joints.stand_in(between)),
        _ => false,
    };
    let in_front = near.len() - near.windows(2).filter(|pair| side_by_side(pair)).count();
    let behind = usize::from(denied_behind(sheet.text, place.end, claims));
    !(in_front + behind).is_multiple_of(2)
}

/// How long a text is, as the language counts it.
fn count(text: &str, by: Count) -> usize {
    match by {
        Count::Words => text.split_whitespace().count(),
        Count::Characters => text.chars().filter(|c| !is_blank(*c)).count(),
    }
}

/// The beginning of a long piece.
fn short(piece: &str) -> String {
    const MOST: usize = 40;
    piece.chars().take(MOST).collect()
}

/// What stands in front of a place within its clause, without what stands in quotation marks there.
pub(super) fn clause_before(text: &str, at: usize, piece: &str, claims: &Claims) -> String {
    const MOST: usize = 120;
    let head = text.get(..at).unwrap_or_default();
    let first = piece.chars().next();
    let mut out: Vec<char> = Vec::new();
    let mut back = head.chars().rev().peekable();
    let mut behind = first;
    while let Some(c) = back.next() {
        if out.len() >= MOST || ends_clause(c, behind) {
            break;
        }
        // A blank parts clauses where words are not parted, unless what follows it is of another script.
        let parts = is_blank(c) && behind.is_some_and(is_unspaced) && back.peek().copied().is_some_and(is_unspaced);
        if parts && !claims.clause_words.iter().all(str::is_ascii) {
            break;
        }
        match opening(c) {
            // A quotation that ends here is passed over, where it begins within reach.
            Some(open) if !out.is_empty() || c != '"' => {
                let rest: Vec<char> = back.clone().take(MOST).take_while(|c| *c != open).collect();
                if back.clone().nth(rest.len()) == Some(open) {
                    back.by_ref().take(rest.len() + 1).for_each(drop);
                    out.push(' ');
                    behind = Some(' ');
                    continue;
                }
            }
            Some(_) | None => {}
        }
        out.push(c);
        behind = Some(c);
    }
    out.into_iter().rev().collect()
}

/// The mark that opens a quotation which this one closes.
fn opening(c: char) -> Option<char> {
    Some(match c {
        '”' | '“' => '“',
        '’' => '‘',
        '»' => '«',
        '」' => '「',
        '』' => '『',
        '》' => '《',
        '"' => '"',
        _ => return None,
    })
}

/// Whether a clause ends at a mark in front of a character.
fn ends_clause(c: char, behind: Option<char>) -> bool {
    match c {
        '.' | ',' | ':' => behind.is_none_or(|b| is_blank(b) || matches!(b, '"' | '“' | '”')),
        ';' | '!' | '?' | '\n' | '(' | ')' | '–' | '—' | '。' | '，' | '；' | '：' | '！' | '？' | '（' | '）'
        | '|' | '…' => true,
        _ => false,
    }
}

/// Whether what stands directly behind a place denies it.
fn denied_behind(text: &str, at: usize, claims: &Claims) -> bool {
    const MOST: usize = 24;
    // What a language sets between a thing and what is said of it.
    const JOINTS: [char; 8] = ['は', 'が', 'を', 'も', 'に', 'で', '은', '는'];
    if claims.negators_behind.iter().next().is_none() {
        return false;
    }
    let tail: String = text.get(at..).unwrap_or_default().chars().take(MOST).collect();
    let clause = tail.split(['.', ',', '。', '、', '，', '\n', '!', '?']).next().unwrap_or_default();
    let form = matching(clause);
    let from = form.len() - form.trim_start_matches(' ').trim_start_matches(JOINTS).trim_start_matches(' ').len();
    claims.negators_behind.places(&form).next().is_some_and(|r| r.start <= from)
}

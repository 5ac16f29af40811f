//! Whether a word of the answer is a word of the fact: as it is, but for an ending, a slip of the pen, or the number of a note.

use crate::text::decimal::Decimal;
use crate::text::norm::unmarked;
use crate::text::number::{self, Mention};
use crate::text::pack::Claims;

/// A word without the number of a note that is written behind it when raised figures are lost: `Trovatore1`.
pub(super) fn without_note(word: &str) -> &str {
    const SHORTEST: usize = 4;
    let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_note =
        word.len() - bare.len() <= 2 && bare.chars().count() >= SHORTEST && bare.chars().all(char::is_alphabetic);
    if is_note { bare } else { word }
}

/// Whether a word is a Roman numeral of a number, as names of rulers and chapters bear it: `Mary II`, `Mary 2`.
pub(super) fn is_roman(word: &str, number: &Mention) -> bool {
    let of = |word: &str| number::roman(&word.to_uppercase()).filter(|_| word.len() > 1);
    number.unit.is_none() && number.value().is_some_and(|v| of(word).is_some_and(|r| Decimal::from(r) == v))
}

/// Whether two words are one: equal; equal but for an ending; without their marks where that is allowed; or one a slip of the pen away in a long
/// word. A mark is no slip.
pub(super) fn is_same(found: &str, wanted: &str, fold: bool, slips: bool, claims: Option<&Claims>) -> bool {
    const STEM: usize = 4;
    if found == wanted {
        return true;
    }
    let (long, short) = if found.len() > wanted.len() { (found, wanted) } else { (wanted, found) };
    if short.chars().count() >= STEM
        && long.strip_prefix(short).is_some_and(|ending| claims.is_some_and(|c| c.endings.iter().any(|e| e == ending)))
    {
        return true;
    }
    let stem = |word: &str, ending: &str| {
        word.strip_suffix(ending).is_some_and(|s| s.chars().count() + 1 >= STEM).then(|| word.len() - ending.len())
    };
    let exchanges = |(a, b): &(String, String)| {
        let cut = |x: &str, y: &str| {
            stem(found, x).and_then(|n| found.get(..n)).zip(stem(wanted, y).and_then(|n| wanted.get(..n)))
        };
        cut(a, b).or_else(|| cut(b, a)).is_some_and(|(f, w)| f == w)
    };
    if claims.is_some_and(|c| c.exchanged.iter().any(exchanges)) {
        return true;
    }
    if fold && unmarked(found) == unmarked(wanted) {
        return true;
    }
    let letters = wanted.chars().count();
    let most = match letters {
        0..5 => return false,
        5..9 => 1,
        _ => 2,
    };
    let plain = |w: &str| w.chars().all(char::is_alphabetic);
    let near = found.chars().count().abs_diff(letters) <= most;
    slips
        && near
        && found.chars().next() == wanted.chars().next()
        && plain(found)
        && plain(wanted)
        && (fold || unmarked(found) != unmarked(wanted))
        && strsim::osa_distance(found, wanted) <= most
}

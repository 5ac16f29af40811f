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

/// Whether two words are one but for letters that some write as one.
fn is_spelled_alike(found: &str, wanted: &str, spellings: &[(String, String)]) -> bool {
    let holds = |(long, _): &&(String, String)| found.contains(long.as_str()) || wanted.contains(long.as_str());
    let short = |word: &str| spellings.iter().fold(word.to_owned(), |w, (long, short)| w.replace(long, short));
    spellings.iter().any(|pair| holds(&pair)) && short(found) == short(wanted)
}

/// Whether two words are forms of one given name.
fn is_one_name(found: &str, wanted: &str, claims: &Claims) -> bool {
    let holds = |forms: &[String], word: &str| forms.iter().any(|f| f == word);
    claims.given_names.iter().any(|forms| holds(forms, found) && holds(forms, wanted))
}

/// What besides its own letters makes a word of the answer a word of the fact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Latitude<'c> {
    /// Letters without their marks.
    pub(super) fold: bool,
    /// A slip of the pen in a long word.
    pub(super) slips: bool,
    /// A word that is made from it, or another form of the same given name: `dentistry` for `dentist`, `Jimmy` for `Jim`.
    pub(super) derived: bool,
    /// The endings and spellings of the language.
    pub(super) claims: Option<&'c Claims>,
}

/// Whether two words are one: equal; equal but for an ending or a spelling; made from one another or without their marks
/// where that is allowed; or one a slip of the pen away in a long word. A mark is no slip.
pub(super) fn is_same(found: &str, wanted: &str, latitude: &Latitude<'_>) -> bool {
    const STEM: usize = 4;
    let Latitude { fold, slips, derived, claims } = *latitude;
    if found == wanted {
        return true;
    }
    let (long, short) = if found.len() > wanted.len() { (found, wanted) } else { (wanted, found) };
    if short.chars().count() >= STEM
        && long.strip_prefix(short).is_some_and(|ending| claims.is_some_and(|c| c.endings.iter().any(|e| e == ending)))
    {
        return true;
    }
    // What is left of both without one ending of a pair each, if it is the same and long enough.
    let exchanges = |(a, b): &(String, String), least: usize| {
        let cut = |x: &str, y: &str| {
            let (f, w) = (found.strip_suffix(x)?, wanted.strip_suffix(y)?);
            (f == w && f.chars().count() >= least).then_some(())
        };
        cut(a, b).or_else(|| cut(b, a)).is_some()
    };
    if let Some(c) = claims
        && (c.exchanged.iter().any(|pair| exchanges(pair, STEM - 1))
            || derived && (c.derived.iter().any(|pair| exchanges(pair, STEM)) || is_one_name(found, wanted, c))
            || short.chars().count() > STEM && is_spelled_alike(found, wanted, &c.spellings))
    {
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

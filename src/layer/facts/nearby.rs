//! The last rung: the words of a fact near each other, in any order.
//!
//! Written languages vary what stands between: `refund within 14 days` is stated by `You get your refund within 14 days`
//! and by `The refund is paid; it takes at most 14 days`. So a share of the words must stand in one sentence or in two
//! neighbouring ones (rule F1 d). Numbers are looked for by value and must all be there, words that deny too. A long word
//! may be mistyped. In Vietnamese, where a written word is a syllable that many words share, they must stand close
//! together in one sentence; scripts without blanks are compared by their pairs of characters, and only on request.

use super::negation::{Guard, denies};
use super::sheet::{Sheet, Word, word_form};
use super::value::states;
use crate::suite::Looking;
use crate::text::common::is_common;
use crate::text::norm::chars::is_unspaced;
use crate::text::norm::{matching, unmarked};
use crate::text::number::{self, Mention};
use crate::text::segment::words_of;
use std::collections::BTreeSet;
use std::ops::Range;

/// What stands near each other.
pub(super) enum Near {
    /// Not enough of the words.
    Nowhere,
    /// Enough of them, and nothing denies them.
    Stated,
    /// Enough of them, and denied; where.
    Denied(Range<usize>),
}

/// How much of the pairs of characters must stand there.
const PAIRS: f64 = 0.8;

/// A text of so many words is a name or a clause; a longer one is no fact, and looking for it would take long.
const MOST_WORDS: usize = 60;

/// Looks for the words of a text.
pub(super) fn find(sheet: &Sheet<'_>, text: &str, looking: &Looking, guard: Guard) -> Near {
    let unspaced = text.chars().any(is_unspaced);
    if unspaced && !looking.fuzzy {
        return Near::Nowhere;
    }
    let fact = Fact::read(sheet, text);
    if (fact.words.is_empty() && fact.pairs.is_empty()) || fact.words.len() > MOST_WORDS {
        return Near::Nowhere;
    }
    let all = sheet.sentences();
    let close = sheet.pack.is_some_and(|p| p.tone.is_some());
    let mut denied = None;
    for (i, sentence) in all.iter().enumerate() {
        let next = all.get(i + 1).filter(|_| !close && !sheet.forbidden);
        for window in [Some(sentence.range.clone()), next.map(|n| sentence.range.start..n.range.end)].into_iter().flatten()
        {
            let words = sentence.words.iter().chain(next.into_iter().flat_map(|n| &n.words));
            let words: Vec<&Word> = words.filter(|w| w.place.end <= window.end).collect();
            let Some(places) = fact.stand_in(sheet, &words, &window, looking) else { continue };
            let (start, end) = (places.iter().map(|p| p.start).min(), places.iter().map(|p| p.end).max());
            let whole = start.unwrap_or(window.start)..end.unwrap_or(window.end);
            if close && sheet.words_between(&words, &whole) > 2 * fact.len() + 3 {
                continue;
            }
            if guard == Guard::Off || !places.iter().any(|p| denies(sheet, p)) {
                return Near::Stated;
            }
            denied = denied.or(Some(whole));
        }
    }
    denied.map_or(Near::Nowhere, Near::Denied)
}

/// The pieces of a text that are looked for.
struct Fact {
    /// The words that say something, in matching form.
    words: Vec<String>,
    /// The numbers and dates.
    numbers: Vec<Mention>,
    /// Pairs of neighbouring characters of a script without blanks.
    pairs: BTreeSet<(char, char)>,
    /// Which of the words deny.
    negators: Vec<bool>,
}

impl Fact {
    fn read(sheet: &Sheet<'_>, text: &str) -> Fact {
        let numbers: Vec<Mention> = number::mentions(text, sheet.lang).into_iter().filter(|m| m.claim).collect();
        let mut rest = String::with_capacity(text.len());
        let mut from = 0;
        for m in &numbers {
            rest.push_str(text.get(from..m.start).unwrap_or_default());
            rest.push(' ');
            from = m.end;
        }
        rest.push_str(text.get(from..).unwrap_or_default());
        let form = matching(&rest);
        let mut words = Vec::new();
        let mut negators = Vec::new();
        let mut pairs = BTreeSet::new();
        for range in words_of(&form) {
            let Some(word) = form.get(range) else { continue };
            if word.chars().any(is_unspaced) {
                pairs.extend(word.chars().zip(word.chars().skip(1)));
                continue;
            }
            let denies = sheet.pack.is_some_and(|p| p.claims.negators.iter().any(|n| n == word));
            if denies || !is_common(word, sheet.lang.as_str()) {
                words.push(word_form(word, sheet.pack));
                negators.push(denies);
            }
        }
        // Pairs that go across the borders of words.
        let chars: Vec<char> = form.chars().filter(|c| is_unspaced(*c)).collect();
        pairs.extend(chars.iter().copied().zip(chars.iter().copied().skip(1)));
        Fact { words, numbers, pairs, negators }
    }

    /// How many pieces it has.
    fn len(&self) -> usize {
        self.words.len() + self.numbers.len()
    }

    /// The places of its pieces in some neighbouring words, if enough of them stand there.
    fn stand_in(
        &self,
        sheet: &Sheet<'_>,
        words: &[&Word],
        window: &Range<usize>,
        looking: &Looking,
    ) -> Option<Vec<Range<usize>>> {
        let mut places = Vec::with_capacity(self.words.len());
        for number in &self.numbers {
            let held = |m: &&Mention| window.start <= m.start && m.end <= window.end && equals(m, number);
            let found = sheet.mentions().iter().find(held)?;
            places.push(found.start..found.end);
        }
        let slips = sheet.pack.is_none_or(|p| p.tone.is_none());
        for (word, denies) in self.words.iter().zip(&self.negators) {
            let same = |w: &&&Word| is_same(&w.form, word, looking.fold, slips && !denies);
            match words.iter().find(same) {
                Some(found) => places.push(found.place.clone()),
                None if *denies => return None,
                None => {}
            }
        }
        if !self.pairs.is_empty() {
            let text = sheet.text.get(window.clone()).unwrap_or_default();
            let form = matching(text);
            let chars: Vec<char> = form.chars().filter(|c| is_unspaced(*c)).collect();
            let there: BTreeSet<(char, char)> = chars.iter().copied().zip(chars.iter().copied().skip(1)).collect();
            let held = self.pairs.intersection(&there).count();
            let share = held as f64 / self.pairs.len() as f64;
            if share < looking.min_recall.unwrap_or(PAIRS) {
                return None;
            }
            places.push(window.clone());
        }
        let pieces = self.len() + usize::from(!self.pairs.is_empty());
        let share = places.len() as f64 / pieces.max(1) as f64;
        (share >= looking.min_recall.filter(|_| self.pairs.is_empty()).unwrap_or(1.0)).then_some(places)
    }
}

/// Whether a number or date of the answer states one of the fact.
fn equals(found: &Mention, wanted: &Mention) -> bool {
    if wanted.kind.has_value() {
        return states(found, wanted);
    }
    number::agree(found, wanted) == Some(number::Agreement::Exact)
}

/// Whether two words are one: equal; without their marks where that is allowed; or one a slip of the pen away in a long
/// word. A mark is no slip.
fn is_same(found: &str, wanted: &str, fold: bool, slips: bool) -> bool {
    if found == wanted {
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

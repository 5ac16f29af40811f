//! The last rung: the words of a fact near each other, in any order.
//!
//! Written languages vary what stands between: `refund within 14 days` is stated by `You get your refund within 14 days`
//! and by `The refund is paid; it takes at most 14 days`. So a share of the words must stand in one sentence or in two
//! neighbouring ones (rule F1 d). Numbers are looked for by value and must all be there, words that deny too. A long word
//! may be mistyped. In Vietnamese, where a written word is a syllable that many words share, they must stand close
//! together in one sentence; scripts without blanks are compared by their pairs of characters, and only on request.

use super::negation::{Guard, denies};
use super::sheet::{Sentence, Sheet, Word, word_form};
use super::value::states;
use crate::suite::Looking;
use crate::text::common::is_common;
use crate::text::decimal::Decimal;
use crate::text::norm::chars::is_unspaced;
use crate::text::norm::{matching, unmarked};
use crate::text::number::{self, Mention};
use crate::text::pack::Pack;
use crate::text::segment::words_of;
use std::borrow::Cow;
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
    // Who is content with most of the words is content without a remark in parentheses.
    let fact = match looking.min_recall {
        Some(share) if share < 1.0 => Fact::read(sheet, &without_remarks(text)),
        Some(_) | None => Fact::read(sheet, text),
    };
    // One number alone was looked for by its value already.
    let nothing = fact.words.is_empty() && fact.pairs.is_empty() && fact.numbers.len() < 2;
    if nothing || fact.words.len() > MOST_WORDS {
        return Near::Nowhere;
    }
    let all = sheet.sentences();
    let close = sheet.pack.is_some_and(|p| p.tone.is_some());
    let mut denied = None;
    for (i, sentence) in all.iter().enumerate() {
        let reach = if close || sheet.forbidden { 1 } else { neighbours(sheet, all.get(i..).unwrap_or_default()) };
        for n in [1, reach].into_iter().take(reach.min(2)) {
            let window = all.get(i..i + n).unwrap_or_default();
            let range = sentence.range.start..window.last().map_or(sentence.range.end, |s| s.range.end);
            let words: Vec<&Word> = window.iter().flat_map(|s| &s.words).collect();
            let Some(places) = fact.stand_in(sheet, &words, &range, looking) else { continue };
            let (start, end) = (places.iter().map(|p| p.start).min(), places.iter().map(|p| p.end).max());
            let whole = start.unwrap_or(range.start)..end.unwrap_or(range.end);
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

/// How many of some sentences are looked at together: two neighbours; the items of a list all at once, since what one
/// sentence names is often set one below the other.
fn neighbours(sheet: &Sheet<'_>, sentences: &[Sentence]) -> usize {
    const LONGEST_LIST: usize = 12;
    let is_item = |s: &&Sentence| {
        let text = sheet.text.get(s.range.clone()).unwrap_or_default();
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let rest = text.get(digits..).unwrap_or_default();
        match digits {
            0 => text.starts_with(['-', '*', '•', '–', '·']),
            1 | 2 => rest.starts_with(['.', ')', '、', '．']),
            _ => false,
        }
    };
    let items = sentences.iter().take(LONGEST_LIST).take_while(is_item).count();
    items.max(2).min(sentences.len())
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
        let initials = initials(&rest);
        for range in words_of(&form) {
            let Some(word) = form.get(range) else { continue };
            if word.chars().any(is_unspaced) {
                pairs.extend(word.chars().zip(word.chars().skip(1)));
                continue;
            }
            let denies = sheet.pack.is_some_and(|p| p.claims.negators.iter().any(|n| n == word));
            if denies || !(says_nothing(sheet, word) || initials.contains(word)) {
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
        let slips = sheet.pack.is_none_or(|p| p.tone.is_none());
        for number in &self.numbers {
            let mention = sheet.mentions_in(window).iter().find(|m| equals(m, number)).map(|m| m.start..m.end);
            let roman = || words.iter().find(|w| slips && is_roman(&w.form, number)).map(|w| w.place.clone());
            places.push(mention.or_else(roman)?);
        }
        let endings: &[String] = sheet.pack.map_or(&[], |p| &p.claims.endings);
        let mut with_next = false;
        for (i, (word, denies)) in self.words.iter().zip(&self.negators).enumerate() {
            let same = |w: &&&Word| is_same(&w.form, word, looking.fold, slips && !denies, endings);
            match words.iter().find(same) {
                Some(found) => places.push(found.place.clone()),
                None if *denies => return None,
                None if slips && let Some(m) = sheet.mentions_in(window).iter().find(|m| is_roman(word, m)) => {
                    places.push(m.start..m.end);
                }
                None if with_next => {
                    with_next = false;
                    places.extend(places.last().cloned());
                }
                None if slips => {
                    let found = joined(words, word, self.words.get(i + 1));
                    with_next = found.as_ref().is_some_and(|f| f.len() > word.len() && !has_blank(sheet, f));
                    places.extend(found);
                }
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

/// A text without what stands in parentheses, as long as anything is left.
fn without_remarks(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    if out.chars().any(char::is_alphanumeric) { Cow::Owned(out) } else { Cow::Borrowed(text) }
}

/// Whether a word is a Roman numeral of a number, as names of rulers and chapters bear it: `Mary II`, `Mary 2`.
fn is_roman(word: &str, number: &Mention) -> bool {
    let of = |word: &str| number::roman(&word.to_uppercase()).filter(|_| word.len() > 1);
    number.unit.is_none() && number.value().is_some_and(|v| of(word).is_some_and(|r| Decimal::from(r) == v))
}

/// Whether a word says nothing by itself.
fn says_nothing(sheet: &Sheet<'_>, word: &str) -> bool {
    let function = |p: &Pack| p.claims.function_words.iter().any(|f| f == word);
    is_common(word, sheet.lang.as_str()) || sheet.pack.is_some_and(function)
}

/// The letters that stand for a name (`H.` in `James H. Webb`), in matching form: names are written with and without them.
fn initials(text: &str) -> BTreeSet<String> {
    let is_one = |token: &&str| {
        let mut chars = token.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.as_str() == "."
    };
    text.split_whitespace().filter(is_one).map(|t| matching(t).trim().to_owned()).collect()
}

/// Where two neighbouring words of the answer are one word of the fact, or the other way round: `sea shells`, `seashells`.
fn joined(words: &[&Word], wanted: &str, next: Option<&String>) -> Option<Range<usize>> {
    const SHORTEST: usize = 5;
    if wanted.chars().count() >= SHORTEST {
        let mut pairs = words.iter().zip(words.iter().skip(1));
        let is_pair = |a: &Word, b: &Word| wanted.strip_prefix(a.form.as_str()).is_some_and(|rest| rest == b.form);
        if let Some((a, b)) = pairs.find(|(a, b)| is_pair(a, b)) {
            return Some(a.place.start..b.place.end);
        }
    }
    let is_both = |w: &&&Word| {
        next.is_some_and(|next| w.form.strip_prefix(wanted).is_some_and(|rest| rest == next))
            && w.form.chars().count() >= SHORTEST
    };
    words.iter().find(is_both).map(|w| w.place.clone())
}

/// Whether a number or date of the answer states one of the fact.
fn equals(found: &Mention, wanted: &Mention) -> bool {
    if wanted.kind.has_value() {
        return states(found, wanted);
    }
    number::agree(found, wanted) == Some(number::Agreement::Exact)
}

fn has_blank(sheet: &Sheet<'_>, place: &Range<usize>) -> bool {
    sheet.text.get(place.clone()).unwrap_or_default().contains(char::is_whitespace)
}

/// Whether two words are one: equal; equal but for an ending; without their marks where that is allowed; or one a slip of the pen away in a long
/// word. A mark is no slip.
fn is_same(found: &str, wanted: &str, fold: bool, slips: bool, endings: &[String]) -> bool {
    const STEM: usize = 4;
    if found == wanted {
        return true;
    }
    let (long, short) = if found.len() > wanted.len() { (found, wanted) } else { (wanted, found) };
    if short.chars().count() >= STEM
        && long.strip_prefix(short).is_some_and(|ending| endings.iter().any(|e| e == ending))
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

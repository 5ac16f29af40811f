//! The last rung: the words of a fact near each other, in any order.
//!
//! Written languages vary what stands between: `refund within 14 days` is stated by `You get your refund within 14 days`
//! and by `The refund is paid; it takes at most 14 days`. So a share of the words must stand in one sentence or in two
//! neighbouring ones (rule F1 d). Numbers are looked for by value and must all be there, words that deny too. A long word
//! may be mistyped. In Vietnamese, where a written word is a syllable that many words share, they must stand close
//! together in one sentence; scripts without blanks are compared by their pairs of characters, and only on request.

use super::negation::{Guard, deniers, denies};
use super::same::{Latitude, is_roman, is_same, without_note};
use super::sheet::{Sentence, Sheet, Word, word_form};
use super::value::states;
use super::words::{Form, places};
use crate::suite::Looking;
use crate::text::norm::chars::is_unspaced;
use crate::text::norm::{matching, matching_in, parenthesised, without};
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

/// A longer text, in bytes, is looked for as it stands only.
const LONGEST: usize = 2_000;

/// A text of so many words is a name or a clause; a longer one is no fact, and looking for it would take long.
const MOST_WORDS: usize = 60;

/// Looks for the words of a text.
pub(super) fn find(sheet: &Sheet<'_>, text: &str, looking: &Looking, guard: Guard) -> Near {
    let unspaced = text.len() <= LONGEST && text.chars().any(is_unspaced);
    if text.len() > LONGEST || (unspaced && !looking.fuzzy) {
        return Near::Nowhere;
    }
    // Who is content with most of the words is content without a remark in parentheses.
    let fact = if looking.is_content_with_most() {
        let bare = without_remarks(text);
        let partial = bare.len() < text.len();
        Fact { partial, ..Fact::read(sheet, &bare) }
    } else {
        Fact::read(sheet, text)
    };
    if (fact.pieces.is_empty() && fact.pairs.is_empty()) || fact.pieces.len() > MOST_WORDS {
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
            let window = Window { sheet, words: &words, range: range.clone(), looking };
            let Some(places) = fact.stand_in(&window, close) else { continue };
            let (start, end) = (places.iter().map(|p| p.start).min(), places.iter().map(|p| p.end).max());
            let whole = start.unwrap_or(range.start)..end.unwrap_or(range.end);
            if close && sheet.words_between(&words, &whole) > 2 * fact.pieces.len() + 3 {
                continue;
            }
            // What the fact denies itself was found with its own words.
            let guarded = guard != Guard::Off && !fact.denies();
            if !guarded || !(places.iter().any(|p| denies(sheet, p)) || fact.is_denied_inside(sheet, &whole)) {
                return Near::Stated;
            }
            denied = denied.or(Some(whole));
        }
    }
    denied.map_or(Near::Nowhere, Near::Denied)
}

/// Whether words stand only where another number than the wanted one is stated: in `24 months for the body, 12 months for the
/// engine` the engine has no 24 months.
pub(super) fn stands_with_another(sheet: &Sheet<'_>, wanted: &Mention, words: &str) -> bool {
    let looking = Looking::default();
    let window = Window { sheet, words: &[], range: 0..sheet.text.len(), looking: &looking };
    let rivals = window.rivals(wanted);
    let places = if rivals.is_empty() { Vec::new() } else { places(sheet, &matching(words), Form::Matching) };
    let elsewhere = |place: &Range<usize>| {
        let clause = window.clause(place);
        let own = sheet.mentions_in(&clause).iter().any(|m| equals(m, wanted));
        !own && rivals.iter().any(|r| clause.start <= r.start && r.end <= clause.end)
    };
    !places.is_empty() && places.iter().all(elsewhere)
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
    /// The words and numbers, in order.
    pieces: Vec<Piece>,
    /// Pairs of neighbouring characters of a script without blanks.
    pairs: BTreeSet<(char, char)>,
    /// A word of a script without blanks denies.
    denies: bool,
    /// A remark was left out.
    partial: bool,
}

/// A piece of a fact.
enum Piece {
    /// A word that says something, in matching form, and whether it denies.
    Word(String, bool),
    /// A number or a date.
    Number(Mention),
}

/// Where a fact is looked for.
struct Window<'w, 'e> {
    sheet: &'w Sheet<'e>,
    words: &'w [&'w Word],
    range: Range<usize>,
    looking: &'w Looking,
}

/// A place of a piece: its bytes, and the words that it takes, by their position in the window.
#[derive(Debug, Clone)]
struct Stand {
    place: Range<usize>,
    words: Range<usize>,
}

impl Window<'_, '_> {
    /// A place in bytes with its words.
    fn stand(&self, place: Range<usize>) -> Stand {
        let first = self.words.partition_point(|w| w.place.end <= place.start);
        let behind = self.words.partition_point(|w| w.place.start < place.end);
        Stand { place, words: first..behind.max(first) }
    }

    /// The numbers of the window that state another value where the wanted one might stand.
    fn rivals(&self, wanted: &Mention) -> Vec<&Mention> {
        let comparable = |m: &&Mention| {
            !equals(m, wanted)
                && m.claim
                && match (m.unit, wanted.unit) {
                    (Some(a), Some(b)) => a.relation(b) != number::Relation::Conflict,
                    (None, None) => m.kind == wanted.kind && m.kind.has_value(),
                    (Some(_), None) | (None, Some(_)) => false,
                }
        };
        self.sheet.mentions_in(&self.range).iter().filter(comparable).collect()
    }

    /// The clause around a place, as far as a mark shows it; where words are not parted, a blank behind a number too.
    fn clause(&self, place: &Range<usize>) -> Range<usize> {
        let text = self.sheet.text;
        let ends = |(at, c): (usize, char)| match c {
            ',' | '.' | ':' => text.get(at + 1..).and_then(|t| t.chars().next()).is_none_or(char::is_whitespace),
            ';' | '，' | '。' | '；' | '、' | '\n' | '!' | '?' | '！' | '？' => true,
            ' ' => {
                let before = text.get(..at).unwrap_or_default();
                before.chars().next_back().is_some_and(is_unspaced)
                    && self.sheet.mentions_in(&self.range).iter().any(|m| m.end == at)
            }
            _ => false,
        };
        let head = text.get(self.range.start..place.start).unwrap_or_default();
        let tail = text.get(place.end..self.range.end).unwrap_or_default();
        let start = head.char_indices().rev().map(|(i, c)| (self.range.start + i, c)).find(|x| ends(*x));
        let end = tail.char_indices().map(|(i, c)| (place.end + i, c)).find(|x| ends(*x));
        start.map_or(self.range.start, |(i, c)| i + c.len_utf8())..end.map_or(self.range.end, |(i, _)| i)
    }
}

impl Fact {
    fn read(sheet: &Sheet<'_>, text: &str) -> Fact {
        let numbers: Vec<Mention> = number::mentions(text, sheet.lang).into_iter().filter(|m| m.claim).collect();
        let mut fact = Fact { pieces: Vec::new(), pairs: BTreeSet::new(), denies: false, partial: false };
        let initials = initials(text);
        let mut from = 0;
        for m in numbers {
            fact.add(sheet, text.get(from..m.start).unwrap_or_default(), &initials);
            from = m.end;
            fact.pieces.push(Piece::Number(m));
        }
        fact.add(sheet, text.get(from..).unwrap_or_default(), &initials);
        fact
    }

    /// Adds the words of a part of the text.
    fn add(&mut self, sheet: &Sheet<'_>, text: &str, initials: &BTreeSet<String>) {
        let toned = sheet.pack.is_some_and(|p| p.tone.is_some());
        let form = if toned { matching(text) } else { matching_in(text, sheet.pack) };
        for range in words_of(&form) {
            let Some(word) = form.get(range) else { continue };
            if word.chars().any(is_unspaced) {
                continue;
            }
            let denies = sheet.pack.is_some_and(|p| p.claims.negators.iter().any(|n| n == word));
            if denies || !(says_nothing(sheet, word) || initials.contains(word)) {
                self.pieces.push(Piece::Word(word_form(word, sheet.pack), denies));
            }
        }
        self.pairs.extend(pairs(&form));
        let negators = |p: &Pack| p.claims.negators.stand_in(&form) || p.claims.negators_behind.stand_in(&form);
        self.denies |= form.contains(is_unspaced) && sheet.pack.is_some_and(negators);
    }

    fn numbers(&self) -> impl Iterator<Item = &Mention> {
        self.pieces.iter().filter_map(|p| match p {
            Piece::Number(m) => Some(m),
            Piece::Word(..) => None,
        })
    }

    /// Whether the fact denies something itself.
    fn denies(&self) -> bool {
        self.denies || self.pieces.iter().any(|p| matches!(p, Piece::Word(_, true)))
    }

    /// Whether a word that denies stands among the pairs of characters that were found.
    fn is_denied_inside(&self, sheet: &Sheet<'_>, whole: &Range<usize>) -> bool {
        let Some(claims) = sheet.pack.map(|p| &p.claims).filter(|_| !self.pairs.is_empty()) else { return false };
        let form = matching(sheet.text.get(whole.clone()).unwrap_or_default());
        deniers(&form, &form, claims).next().is_some()
    }

    /// The places of its pieces in a window, if enough of them stand there.
    fn stand_in(&self, window: &Window<'_, '_>, close: bool) -> Option<Vec<Range<usize>>> {
        let mut stands: Vec<Vec<Stand>> = Vec::with_capacity(self.pieces.len());
        for (i, piece) in self.pieces.iter().enumerate() {
            let next = match self.pieces.get(i + 1) {
                Some(Piece::Word(word, _)) => Some(word),
                Some(Piece::Number(_)) | None => None,
            };
            let found = match piece {
                Piece::Number(number) => number_stands(window, number, !close),
                Piece::Word(word, denies) => word_stands(window, word, *denies, next, close),
            };
            let joined_before = || {
                let Some(Piece::Word(before, _)) = i.checked_sub(1).and_then(|b| self.pieces.get(b)) else {
                    return None;
                };
                let Piece::Word(word, _) = piece else { return None };
                let both = format!("{before}{word}");
                stands.last()?.iter().find(|s| window.words.get(s.words.start).is_some_and(|w| w.form == both)).cloned()
            };
            match (piece, found) {
                (_, found) if !found.is_empty() => stands.push(found),
                (Piece::Number(_) | Piece::Word(_, true), _) => return None,
                (Piece::Word(..), _) => stands.push(joined_before().into_iter().collect()),
            }
        }
        self.with_their_numbers(window, &mut stands);
        if close {
            self.side_by_side(window, &mut stands);
        }
        if !self.negators_govern(&stands) {
            return None;
        }
        let mut places: Vec<Range<usize>> = stands.iter().filter_map(|s| s.first()).map(|s| s.place.clone()).collect();
        if (self.partial || places.len() < self.pieces.len()) && !self.says_more_than_the_question(window, &stands) {
            return None;
        }
        if self.pairs.is_empty() {
            let share = places.len() as f64 / self.pieces.len().max(1) as f64;
            let share = if close { share } else { share.max(self.share_of_its_own(window, &stands)) };
            return (share >= window.looking.min_recall.unwrap_or(1.0)).then_some(places);
        }
        if places.len() < self.pieces.len() {
            return None;
        }
        // Only in the clauses that state no other number in the place of the wanted one.
        let range = match self.numbers().next().zip(places.first()) {
            Some((wanted, place)) if !window.rivals(wanted).is_empty() => window.clause(place),
            Some(_) | None => window.range.clone(),
        };
        let form = matching(window.sheet.text.get(range.clone()).unwrap_or_default());
        let there: BTreeSet<(char, char)> = pairs(&form).collect();
        let share = self.pairs.intersection(&there).count() as f64 / self.pairs.len() as f64;
        places.push(range);
        (share >= window.looking.min_recall.unwrap_or(PAIRS)).then_some(places)
    }

    /// Whether a piece that was found is none that the question holds: an answer that repeats the half of a fact which
    /// stands in the question has said none of it.
    fn says_more_than_the_question(&self, window: &Window<'_, '_>, stands: &[Vec<Stand>]) -> bool {
        self.pieces.iter().zip(stands).any(|(piece, stands)| {
            !stands.is_empty()
                && match piece {
                    Piece::Number(_) => true,
                    Piece::Word(word, _) => !window.sheet.is_asked(word),
                }
        })
    }

    /// Where most of the words are enough: the share of those that the question does not hold. What was asked need not be
    /// repeated: `Shells` answers what she sells by the sea shore, where `sea shells` are wanted.
    fn share_of_its_own(&self, window: &Window<'_, '_>, stands: &[Vec<Stand>]) -> f64 {
        if !window.looking.is_content_with_most() || window.sheet.forbidden {
            return 0.0;
        }
        let asked = |piece: &Piece| matches!(piece, Piece::Word(word, false) if window.sheet.is_asked(word));
        let own = self.pieces.iter().zip(stands).filter(|(piece, _)| !asked(piece));
        let (found, all) = own.fold((0u32, 0u32), |(found, all), (_, s)| (found + u32::from(!s.is_empty()), all + 1));
        if all == 0 { 0.0 } else { f64::from(found) / f64::from(all) }
    }

    /// Leaves out the places of words in a clause that states another number: `children` does not pay what adults pay.
    fn with_their_numbers(&self, window: &Window<'_, '_>, stands: &mut [Vec<Stand>]) {
        for (i, piece) in self.pieces.iter().enumerate() {
            let Piece::Number(wanted) = piece else { continue };
            let rivals = window.rivals(wanted);
            let Some(own) = stands.get(i).and_then(|s| s.first()).map(|s| s.place.clone()) else { continue };
            if rivals.is_empty() {
                continue;
            }
            let clause = window.clause(&own);
            for (stands, piece) in stands.iter_mut().zip(&self.pieces) {
                if matches!(piece, Piece::Word(_, false)) {
                    stands.retain(|s| {
                        let other = window.clause(&s.place);
                        other == clause || !rivals.iter().any(|r| other.start <= r.start && r.end <= other.end)
                    });
                }
            }
        }
    }

    /// In a language of syllables that many words share, a word counts only beside one of its neighbours in the fact, and so
    /// does a bare number: `dương tính` does not stand in `âm tính, ngày dương lịch`, nor `Quận 1` in `Quận 10, tầng 1`.
    fn side_by_side(&self, window: &Window<'_, '_>, stands: &mut [Vec<Stand>]) {
        // `tuyến số 42` is `tuyến 42`: one word may stand between, and no mark.
        let beside = |a: &Stand, b: &Stand| {
            let gap = window.sheet.text.get(a.place.end..b.place.start).unwrap_or_default();
            a.words.end <= b.words.start
                && b.words.start - a.words.end <= 1
                && !gap.contains([',', ';', '.', '|', '\n', '(', ')', '!', '?'])
        };
        let alone = |piece: &Piece| matches!(piece, Piece::Number(m) if m.unit.is_some() || !m.kind.has_value());
        let keeps: Vec<Vec<bool>> = (0..stands.len())
            .map(|i| {
                let of = |i: Option<usize>| i.and_then(|i| stands.get(i)).map(Vec::as_slice).unwrap_or_default();
                let (before, behind) = (of(i.checked_sub(1)), of(Some(i + 1)));
                let kept = |s: &Stand| {
                    self.pieces.get(i).is_some_and(alone)
                        || before.iter().any(|b| beside(b, s))
                        || behind.iter().any(|b| beside(s, b))
                };
                of(Some(i)).iter().map(kept).collect()
            })
            .collect();
        for (stands, keeps) in stands.iter_mut().zip(keeps) {
            let mut keeps = keeps.into_iter();
            stands.retain(|_| keeps.next().unwrap_or(false));
        }
    }

    /// Whether each word that denies stands in front of the words that it denies in the fact.
    fn negators_govern(&self, stands: &[Vec<Stand>]) -> bool {
        const REACH: usize = 3;
        self.pieces.iter().enumerate().all(|(i, piece)| {
            let (Piece::Word(_, true), Some(next)) = (piece, stands.get(i + 1)) else { return true };
            let own = stands.get(i).map(Vec::as_slice).unwrap_or_default();
            let governs = |a: &Stand, b: &Stand| a.words.end <= b.words.start && b.words.start - a.words.end < REACH;
            next.is_empty() || own.iter().any(|a| next.iter().any(|b| governs(a, b)))
        })
    }
}

/// The pairs of neighbouring characters of scripts without blanks.
fn pairs(form: &str) -> impl Iterator<Item = (char, char)> {
    let unspaced = || form.chars().filter(|c| is_unspaced(*c));
    unspaced().zip(unspaced().skip(1))
}

/// Where a number stands, or its Roman numeral.
fn number_stands(window: &Window<'_, '_>, number: &Mention, roman: bool) -> Vec<Stand> {
    let all = window.sheet.mentions_in(&window.range).iter().filter(|m| equals(m, number)).map(|m| m.start..m.end);
    let mut stands: Vec<Stand> = all.map(|place| window.stand(place)).collect();
    if stands.is_empty() && roman {
        let numerals = window.words.iter().filter(|w| is_roman(&w.form, number));
        stands.extend(numerals.map(|w| window.stand(w.place.clone())));
    }
    stands
}

/// Where a word stands: as it is or with a slip, as a number, or joined with the next word.
fn word_stands(window: &Window<'_, '_>, word: &str, denies: bool, next: Option<&String>, close: bool) -> Vec<Stand> {
    let claims = window.sheet.pack.map(|p| &p.claims);
    // A word of the question is no slip of another one: who is like Monet is not Monet.
    let slips = |w: &Word| !close && !denies && !window.sheet.is_asked(&w.form);
    let derived = !close && !denies && window.looking.is_content_with_most();
    let latitude = Latitude { fold: window.looking.fold, slips: false, derived, claims };
    let same = |w: &&&Word| {
        let bare = without_note(&w.form);
        is_same(bare, word, &Latitude { slips: slips(w), ..latitude })
            || (bare.len() < w.form.len() && is_same(&w.form, word, &latitude))
    };
    let stands: Vec<Stand> = window.words.iter().filter(same).map(|w| window.stand(w.place.clone())).collect();
    if !stands.is_empty() || close || denies {
        return stands;
    }
    let numbers = window.sheet.mentions_in(&window.range).iter().filter(|m| is_roman(word, m));
    let mut stands: Vec<Stand> = numbers.map(|m| window.stand(m.start..m.end)).collect();
    if stands.is_empty() {
        stands.extend(joined(window.words, word, next).map(|place| window.stand(place)));
    }
    if stands.is_empty()
        && let Some(next) = next
    {
        stands.extend(initial(window, word, next).map(|place| window.stand(place)));
    }
    stands
}

/// Where the initial of a name stands in front of the next name, maybe with other initials between: `J. M. W. Turner` is a
/// `Joseph Turner`.
fn initial(window: &Window<'_, '_>, word: &str, next: &str) -> Option<Range<usize>> {
    const MOST: usize = 4;
    let text = window.sheet.text;
    let is_initial = |w: &Word| {
        let letter = text.get(w.place.clone()).unwrap_or_default();
        let mut chars = letter.chars();
        chars.next().is_some_and(char::is_uppercase)
            && chars.next().is_none()
            && text.get(w.place.end..).is_some_and(|t| t.starts_with('.'))
    };
    let first = |w: &Word| w.form.chars().next() == word.chars().next();
    let names = (0..window.words.len()).filter(|i| window.words.get(*i).is_some_and(|w| without_note(&w.form) == next));
    let front = |i: usize| {
        let before = window.words.get(i.saturating_sub(MOST)..i).unwrap_or_default();
        before.iter().rev().take_while(|w| is_initial(w)).find(|w| first(w)).map(|w| w.place.clone())
    };
    names.into_iter().find_map(front)
}

/// A text without what stands in parentheses, as long as anything is left.
fn without_remarks(text: &str) -> Cow<'_, str> {
    let out = without(text, parenthesised(text));
    if out.chars().any(char::is_alphanumeric) { Cow::Owned(out) } else { Cow::Borrowed(text) }
}

/// Whether a word says nothing by itself.
fn says_nothing(sheet: &Sheet<'_>, word: &str) -> bool {
    sheet.pack.is_some_and(|p| p.claims.function_words.iter().any(|f| f == word))
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

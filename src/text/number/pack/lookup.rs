//! Words looked up at a place of a text: in any case, composed or decomposed, and only whole.

use super::super::digits::digit;
use std::collections::HashMap;
use unicode_normalization::char::decompose_canonical;

/// Words with what they stand for, looked up at a place of a text: longest first, any case, composed or decomposed.
#[derive(Debug)]
pub(crate) struct Words<T> {
    /// Words by their first character, where that is ASCII: looked up once or more for every number of a text.
    ascii: Vec<Letter<T>>,
    /// The others.
    other: HashMap<char, Entries<T>>,
}

/// Words as decomposed lower-case characters, longest first.
type Entries<T> = Vec<(Vec<char>, T)>;

/// The words of one first letter.
#[derive(Debug)]
struct Letter<T> {
    all: Entries<T>,
    /// Those with a second letter from `a` to `z`, by that letter and the third, see [`third`]; of one such pair longest first.
    pairs: Vec<Pair>,
    /// Which third characters there are behind each second letter, as bits: most texts are told to hold no word by it.
    thirds: [u32; 26],
    /// The same of the fourth characters, behind any third.
    fourths: [u32; 26],
    /// The word of this letter alone.
    alone: Option<T>,
}

/// A word by its second and third letter.
#[derive(Debug, Clone, Copy)]
struct Pair {
    letters: (u8, u8),
    /// Its place among all.
    at: u16,
    tail: Tail,
}

/// What stands behind the third letter of a word, as far as it is ASCII: tells most words from a text without a look at them.
#[derive(Debug, Clone, Copy, Default)]
struct Tail([u8; 4]);

impl Tail {
    /// Anything may stand from here on.
    const OPEN: u8 = 0;
    /// No letter may stand here: the word ends in one.
    const END: u8 = 1;

    fn of(word: &[char]) -> Self {
        let mut tail = Tail::default();
        for (mark, i) in tail.0.iter_mut().zip(3..) {
            *mark = match word.get(i) {
                Some(c) if c.is_ascii() => u8::try_from(c.to_ascii_lowercase()).unwrap_or(Tail::OPEN),
                None if i == word.len() && word.last().is_some_and(char::is_ascii_alphabetic) => Tail::END,
                Some(_) | None => Tail::OPEN,
            };
            if matches!(*mark, Tail::OPEN | Tail::END) {
                break;
            }
        }
        tail
    }

    /// The bits of what may stand in the fourth place.
    fn fourths(self) -> u32 {
        let [fourth, ..] = self.0;
        match fourth {
            Tail::OPEN => u32::MAX,
            Tail::END => bit(NO_LETTER),
            byte => bit(third(Some(byte))),
        }
    }

    /// Whether a word with this tail may stand at the beginning of a text, of which the first three bytes are ASCII.
    fn may(self, text: &[u8]) -> bool {
        for (mark, i) in self.0.into_iter().zip(3..) {
            let byte = text.get(i).copied().unwrap_or(b' ');
            if mark == Tail::OPEN || !byte.is_ascii() {
                return true;
            }
            if mark == Tail::END {
                return !byte.is_ascii_alphabetic();
            }
            if mark != byte.to_ascii_lowercase() {
                return false;
            }
        }
        true
    }
}

/// What stands for all third characters that are no ASCII letter, and for none.
const NO_LETTER: u8 = 0;

/// A third character: an ASCII letter in lower case, or [`NO_LETTER`].
fn third(byte: Option<u8>) -> u8 {
    byte.map(|b| b.to_ascii_lowercase()).filter(u8::is_ascii_lowercase).unwrap_or(NO_LETTER)
}

/// The bit of a third character.
fn bit(third: u8) -> u32 {
    1 << (third & 31)
}

impl<T> Default for Letter<T> {
    fn default() -> Self {
        Letter { all: Vec::new(), pairs: Vec::new(), thirds: [0; 26], fourths: [0; 26], alone: None }
    }
}

impl<T: Copy> Letter<T> {
    fn insert(&mut self, word: Vec<char>, value: T) {
        let letter = |i: usize| third(word.get(i).and_then(|c| u8::try_from(*c).ok()));
        let pair = (letter(1), letter(2));
        if word.len() == 1 {
            self.alone = Some(value);
        }
        let tail = Tail::of(&word);
        let Some(at) = insert(&mut self.all, word, value).and_then(|at| u16::try_from(at).ok()) else { return };
        self.pairs.iter_mut().filter(|p| p.at >= at).for_each(|p| p.at += 1);
        if pair.0 != NO_LETTER {
            let place = self.pairs.partition_point(|p| (p.letters, p.at) < (pair, at));
            self.pairs.insert(place, Pair { letters: pair, at, tail });
            if let Some(thirds) = self.thirds.get_mut(usize::from(pair.0 - b'a')) {
                *thirds |= bit(pair.1);
            }
            if let Some(fourths) = self.fourths.get_mut(usize::from(pair.0 - b'a')) {
                *fourths |= tail.fourths();
            }
        }
    }

    /// The longest word that a text begins with whose second character is a given ASCII letter.
    fn at(&self, rest: &str, second: u8) -> Option<(T, usize)> {
        let next = rest.as_bytes().get(2).copied();
        let thirds = self.thirds.get(usize::from(second.checked_sub(b'a')?)).copied()?;
        if thirds == 0 || next.is_none_or(|b| b.is_ascii()) && thirds & bit(third(next)) == 0 {
            return None;
        }
        // A letter that is not of ASCII may be an ASCII letter with its marks.
        let certain = next.is_none_or(|b| b.is_ascii());
        let behind = rest.as_bytes().get(3).copied();
        let fourths = self.fourths.get(usize::from(second.checked_sub(b'a')?)).copied()?;
        if certain && behind.is_none_or(|b| b.is_ascii()) && fourths & bit(third(behind)) == 0 {
            return None;
        }
        // Behind a word of two letters no other letter stands.
        let (first, last) = if certain { (third(next), third(next)) } else { (NO_LETTER, u8::MAX) };
        let from = self.pairs.partition_point(|p| p.letters < (second, first));
        let same = self.pairs.get(from..)?.iter().take_while(|p| p.letters <= (second, last));
        let same = same.filter(|p| !certain || p.tail.may(rest.as_bytes()));
        let fits = |i: u16| {
            let (word, value) = self.all.get(usize::from(i))?;
            // As far as both are ASCII, letters tell at once.
            let differ = |(c, b): (&char, &u8)| c.is_ascii() && b.is_ascii() && !same_letter(*c, char::from(*b));
            let apart = word.iter().zip(rest.as_bytes()).take_while(|(c, b)| c.is_ascii() && b.is_ascii()).any(differ);
            if apart { None } else { Some((i, *value, matches_at(rest, word)?)) }
        };
        let mut found = same.filter_map(|p| fits(p.at));
        let longest = if certain { found.next() } else { found.min_by_key(|(i, ..)| *i) };
        longest.map(|(_, value, len)| (value, len))
    }
}

impl<T> Default for Words<T> {
    fn default() -> Self {
        Words { ascii: Vec::new(), other: HashMap::new() }
    }
}

/// A letter of a script that is written with blanks between words: Latin, Greek, Cyrillic.
pub(crate) fn is_spaced_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || (matches!(c, '\u{aa}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}') && c.is_alphabetic())
}

/// A combining mark of those scripts.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}

/// Whether what ends in front of a text goes on in it: a letter or a digit follows, or a mark, which makes another letter
/// of the last one.
pub(crate) fn goes_on(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_alphanumeric() || is_mark(c))
}

impl<T: Copy> Words<T> {
    pub(super) fn add(&mut self, word: &str, value: T) {
        let mut chars = Vec::new();
        for c in word.chars().flat_map(char::to_lowercase) {
            decompose_canonical(c, |d| chars.push(d));
        }
        self.insert(chars, value);
    }

    /// Adds a word that is met in capitals only.
    pub(super) fn add_capitals(&mut self, word: &str, value: T) {
        self.insert(word.chars().collect(), value);
    }

    fn insert(&mut self, chars: Vec<char>, value: T) {
        let Some(first) = chars.first().map(char::to_ascii_lowercase) else { return };
        if first.is_ascii() && self.ascii.is_empty() {
            self.ascii.resize_with(128, Letter::default);
        }
        match self.ascii.get_mut(first as usize) {
            Some(letter) => letter.insert(chars, value),
            None => {
                insert(self.other.entry(first).or_default(), chars, value);
            }
        }
    }

    /// Whether there is no word.
    pub(crate) fn is_empty(&self) -> bool {
        self.ascii.is_empty() && self.other.is_empty()
    }

    /// The longest word that stands at byte `at`, with what it stands for and its end. A word that ends in a letter of
    /// a spaced script must not be followed by another one.
    pub(crate) fn at(&self, text: &str, at: usize) -> Option<(T, usize)> {
        let rest = text.get(at..)?;
        let first = rest.chars().next()?;
        let list = if first.is_ascii() {
            let letter = self.ascii.get(first.to_ascii_lowercase() as usize).filter(|l| !l.all.is_empty())?;
            let second = rest.as_bytes().get(1).map(u8::to_ascii_lowercase);
            match second {
                Some(s) if s.is_ascii_lowercase() => {
                    let found = letter.at(rest, s);
                    // A letter alone is a word only where no other letter follows.
                    let alone = letter.alone.filter(|_| !first.is_ascii_alphabetic()).map(|v| (v, 1));
                    return found.or(alone).map(|(value, len)| (value, at + len));
                }
                Some(_) | None => &letter.all,
            }
        } else {
            let mut key = None;
            let low = first.to_lowercase().next()?;
            decompose_canonical(low, |d| key = key.or(Some(d)));
            let key = key?;
            match self.ascii.get(key as usize) {
                Some(letter) => &letter.all,
                None => self.other.get(&key)?,
            }
        };
        list.iter().find_map(|(word, value)| Some((*value, at + matches_at(rest, word)?)))
    }
}

/// Puts a word behind all that are as long or longer: its place, or nothing where it only changed its value.
fn insert<T>(list: &mut Entries<T>, word: Vec<char>, value: T) -> Option<usize> {
    let from = list.partition_point(|(w, _)| w.len() > word.len());
    let to = list.partition_point(|(w, _)| w.len() >= word.len());
    if let Some(old) = list.get_mut(from..to).and_then(|same| same.iter_mut().find(|(w, _)| *w == word)) {
        old.1 = value;
        return None;
    }
    list.insert(to, (word, value));
    Some(to)
}

/// Whether an ASCII letter of a text is that of a word: in either case, but a capital of the word in capitals only.
fn same_letter(word: char, text: char) -> bool {
    word == text || word == text.to_ascii_lowercase()
}

/// The length in bytes of the text that equals a word, if it does and ends at a border.
fn matches_at(rest: &str, word: &[char]) -> Option<usize> {
    let mut left = word.iter().copied().peekable();
    let mut chars = rest.char_indices();
    while left.peek().is_some() {
        let (_, c) = chars.next()?;
        if c.is_ascii() {
            // A blank of the word may be any one blank of the text.
            if !same_letter(left.next()?, c) {
                return None;
            }
            continue;
        }
        if c == '\u{a0}' {
            if left.next()? != ' ' {
                return None;
            }
            continue;
        }
        let mut same = true;
        for low in c.to_lowercase() {
            decompose_canonical(low, |d| same &= left.next() == Some(d));
        }
        if !same {
            return None;
        }
    }
    let end = chars.offset();
    let last = word.last().copied()?;
    let next = chars.next().map(|(_, c)| c);
    let border = !(is_spaced_letter(last) || is_mark(last)) || !next.is_some_and(|c| is_spaced_letter(c) || is_mark(c));
    // `1m25` is a metre and 25 centimetres, and no square metre.
    let cut = last.is_ascii_digit() && next.is_some_and(|c| digit(c).is_some() || is_spaced_letter(c) || is_mark(c));
    (border && !cut).then_some(end)
}

/// Words that stand in front of a number, by their last character.
#[derive(Debug)]
pub(crate) struct Before<T> {
    words: HashMap<char, Vec<(Vec<char>, T)>>,
    /// The ASCII characters with which a word ends: asked before the map, for nearly every number.
    ascii: u128,
}

impl<T> Default for Before<T> {
    fn default() -> Self {
        Before { words: HashMap::new(), ascii: 0 }
    }
}

impl<T: Copy> Before<T> {
    pub(super) fn add(&mut self, word: &str, value: T) {
        let mut chars = Vec::new();
        for c in word.chars().flat_map(char::to_lowercase) {
            decompose_canonical(c, |d| chars.push(d));
        }
        let Some(last) = chars.last().copied() else { return };
        if last.is_ascii() {
            self.ascii |= 1 << u32::from(last);
        }
        let list = self.words.entry(last).or_default();
        list.retain(|(w, _)| *w != chars);
        list.push((chars, value));
        list.sort_by_key(|(w, _)| std::cmp::Reverse(w.len()));
    }

    /// The longest word that ends at byte `end`, with what it stands for and its start. Nothing before `floor` counts.
    pub(crate) fn at(&self, text: &str, floor: usize, end: usize) -> Option<(T, usize)> {
        let head = text.get(floor..end)?;
        let last = head.chars().next_back()?;
        if last.is_ascii() && self.ascii >> u32::from(last.to_ascii_lowercase()) & 1 == 0 {
            return None;
        }
        let mut key = last.to_lowercase().next()?;
        decompose_canonical(key, |d| key = d);
        let list = self.words.get(&key)?;
        list.iter().find_map(|(word, value)| {
            let mut left = word.len();
            let mut start = end;
            for c in head.chars().rev() {
                if c.is_ascii() {
                    if left.checked_sub(1).and_then(|i| word.get(i)) != Some(&c.to_ascii_lowercase()) {
                        return None;
                    }
                    left -= 1;
                } else {
                    // A composed letter stands for its parts, the last of which stands last.
                    let mut parts = ['\0'; 4];
                    let mut len = 0;
                    for low in c.to_lowercase() {
                        decompose_canonical(low, |d| {
                            if let Some(part) = parts.get_mut(len) {
                                *part = d;
                            }
                            len += 1;
                        });
                    }
                    let from = left.checked_sub(len)?;
                    if word.get(from..left) != parts.get(..len) {
                        return None;
                    }
                    left = from;
                }
                start -= c.len_utf8();
                if left == 0 {
                    break;
                }
            }
            let first = word.first().copied()?;
            let before = text.get(..start)?.chars().next_back();
            let free = !is_spaced_letter(first) || !before.is_some_and(|c| is_spaced_letter(c) || is_mark(c));
            (left == 0 && free).then_some((*value, start))
        })
    }
}

/// Words with which a text may end.
#[derive(Debug, Default)]
pub(crate) struct Endings(pub(super) Vec<String>);

impl Endings {
    /// Where the word begins with which a text ends.
    pub(crate) fn ends(&self, text: &str) -> Option<usize> {
        self.0.iter().find_map(|w| text.strip_suffix(w.as_str())).map(str::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WORDS: [&str; 22] = [
        "a",
        "m",
        "am",
        "kg",
        "day",
        "days",
        "dozen",
        "do",
        "don",
        "per cent",
        "percent",
        "per",
        "pe",
        "phút",
        "phần",
        "đồng",
        "ngày",
        "m²",
        "sq. m",
        "3rd",
        "percentages",
        "nghìn",
    ];

    /// By all words of a letter, one by one: what the short ways must not change.
    fn one_by_one(words: &Words<usize>, text: &str) -> Option<(usize, usize)> {
        let first = text.chars().next()?.to_ascii_lowercase();
        let all = &words.ascii.get(first as usize)?.all;
        all.iter().find_map(|(word, value)| Some((*value, matches_at(text, word)?)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn the_short_way_finds_the_same_word(
            a in 0..WORDS.len(), cut in 0..12usize, b in "[a-zA-Z .,²ú\u{301}\u{a0}0-9]{0,3}", c in 0..WORDS.len(),
            decomposed: bool, upper: bool,
        ) {
            use unicode_normalization::UnicodeNormalization;
            let mut words = Words::default();
            WORDS.iter().enumerate().for_each(|(i, w)| words.add(w, i));
            words.add_capitals("PE", 99);
            let head: String = WORDS[a].chars().take(cut).collect();
            let mut text = format!("{head}{b}{}", WORDS[c]);
            if decomposed {
                text = text.nfd().collect();
            }
            if upper {
                text = text.to_uppercase();
            }
            // Letters that are not of ASCII are looked up in another way.
            prop_assume!(text.starts_with(|c: char| c.is_ascii()));
            prop_assert_eq!(words.at(&text, 0), one_by_one(&words, &text), "{}", text);
        }
    }
}

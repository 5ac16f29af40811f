//! Words looked up at a place of a text: in any case, composed or decomposed, and only whole.

use std::collections::HashMap;
use unicode_normalization::char::decompose_canonical;

/// Words with what they stand for, looked up at a place of a text: longest first, any case, composed or decomposed.
#[derive(Debug)]
pub(crate) struct Words<T> {
    /// Words by their first character, where that is ASCII: looked up once or more for every number of a text.
    ascii: Vec<Entries<T>>,
    /// The others.
    other: HashMap<char, Entries<T>>,
}

/// Words as decomposed lower-case characters, longest first.
type Entries<T> = Vec<(Vec<char>, T)>;

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
    matches!(c, '\u{300}'..='\u{36f}')
}

impl<T: Copy> Words<T> {
    pub(super) fn add(&mut self, word: &str, value: T) {
        let mut chars = Vec::new();
        for c in word.chars().flat_map(char::to_lowercase) {
            decompose_canonical(c, |d| chars.push(d));
        }
        let Some(first) = chars.first().copied() else { return };
        if first.is_ascii() && self.ascii.is_empty() {
            self.ascii.resize_with(128, Vec::new);
        }
        let list = match self.ascii.get_mut(first as usize) {
            Some(list) => list,
            None => self.other.entry(first).or_default(),
        };
        if let Some(old) = list.iter_mut().find(|(w, _)| *w == chars) {
            old.1 = value;
            return;
        }
        list.push((chars, value));
        list.sort_by_key(|(w, _)| std::cmp::Reverse(w.len()));
    }

    /// The longest word that stands at byte `at`, with what it stands for and its end. A word that ends in a letter of
    /// a spaced script must not be followed by another one.
    pub(crate) fn at(&self, text: &str, at: usize) -> Option<(T, usize)> {
        let rest = text.get(at..)?;
        let first = rest.chars().next()?;
        let list = if first.is_ascii() {
            self.ascii.get(first.to_ascii_lowercase() as usize)?
        } else {
            let mut key = None;
            let low = first.to_lowercase().next()?;
            decompose_canonical(low, |d| key = key.or(Some(d)));
            let key = key?;
            self.ascii.get(key as usize).or_else(|| self.other.get(&key))?
        };
        list.iter().find_map(|(word, value)| Some((*value, at + matches_at(rest, word)?)))
    }
}

/// The length in bytes of the text that equals a word, if it does and ends at a border.
fn matches_at(rest: &str, word: &[char]) -> Option<usize> {
    let mut left = word.iter().copied().peekable();
    let mut chars = rest.char_indices();
    while left.peek().is_some() {
        let (_, c) = chars.next()?;
        if c.is_ascii() {
            // A blank of the word may be any one blank of the text.
            if left.next()? != c.to_ascii_lowercase() {
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
    border.then_some(end)
}

/// Words that stand in front of a number, by their last character.
#[derive(Debug)]
pub(crate) struct Before<T>(HashMap<char, Vec<(Vec<char>, T)>>);

impl<T> Default for Before<T> {
    fn default() -> Self {
        Before(HashMap::new())
    }
}

impl<T: Copy> Before<T> {
    pub(super) fn add(&mut self, word: &str, value: T) {
        let mut chars = Vec::new();
        for c in word.chars().flat_map(char::to_lowercase) {
            decompose_canonical(c, |d| chars.push(d));
        }
        let Some(last) = chars.last().copied() else { return };
        let list = self.0.entry(last).or_default();
        list.retain(|(w, _)| *w != chars);
        list.push((chars, value));
        list.sort_by_key(|(w, _)| std::cmp::Reverse(w.len()));
    }

    /// The longest word that ends at byte `end`, with what it stands for and its start. Nothing before `floor` counts.
    pub(crate) fn at(&self, text: &str, floor: usize, end: usize) -> Option<(T, usize)> {
        let head = text.get(floor..end)?;
        let last = head.chars().next_back()?;
        let mut key = last.to_lowercase().next()?;
        decompose_canonical(key, |d| key = d);
        let list = self.0.get(&key)?;
        list.iter().find_map(|(word, value)| {
            let mut left = word.len();
            let mut start = end;
            let mut parts = Vec::with_capacity(3);
            for c in head.chars().rev() {
                parts.clear();
                c.to_lowercase().for_each(|low| decompose_canonical(low, |d| parts.push(d)));
                if parts.len() > left || word.get(left - parts.len()..left) != Some(parts.as_slice()) {
                    return None;
                }
                left -= parts.len();
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

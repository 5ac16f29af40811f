//! Runs of digits: the text as its digits and separators, whatever script they are written in.

use crate::privacy::Kind;

/// The text, one byte a character: digits, separators, brackets and letters as ASCII, everything else as 0. Thai and
/// full-width digits are digits, every kind of dash is `-`, every kind of blank is a blank.
pub(super) struct Shadow {
    chars: Vec<u8>,
    /// The byte of the text at which each character begins, and the end.
    bytes: Vec<usize>,
}

/// Some digits without anything between them.
#[derive(Debug, Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
    /// In brackets of its own.
    bracketed: bool,
    /// Behind a plus sign.
    plus: bool,
}

/// Groups with single separators between them.
pub(super) struct Chain<'s> {
    shadow: &'s Shadow,
    groups: Vec<Group>,
    /// What stands between two groups: a blank, `-`, `.`, or 0 where a closing bracket alone does.
    separators: Vec<u8>,
}

/// Neighbouring groups of a chain, read as one number.
pub(super) struct Run {
    /// The values of its digits.
    pub(super) digits: Vec<u8>,
    /// How many digits each group has.
    pub(super) lengths: Vec<usize>,
    pub(super) separators: Vec<u8>,
    /// Which group is in brackets.
    pub(super) bracketed: Option<usize>,
    /// A plus sign stands before it.
    pub(super) plus: bool,
    start: usize,
    end: usize,
}

/// No number that is looked for has fewer digits, or more.
const FEWEST_DIGITS: usize = 8;
const MOST_DIGITS: usize = 19;

/// No number that is looked for is written in more groups.
const MOST_GROUPS: usize = 8;

impl Shadow {
    pub(super) fn new(text: &str) -> Shadow {
        let mut chars = Vec::with_capacity(text.len());
        let mut bytes = Vec::with_capacity(text.len() + 1);
        for (at, c) in text.char_indices() {
            bytes.push(at);
            chars.push(plain(c));
        }
        bytes.push(text.len());
        Shadow { chars, bytes }
    }

    /// The byte of the text at which a character begins.
    pub(super) fn byte(&self, at: usize) -> usize {
        self.bytes.get(at).or(self.bytes.last()).copied().unwrap_or(0)
    }

    pub(super) fn at(&self, at: usize) -> Option<u8> {
        self.chars.get(at).copied()
    }

    fn before(&self, at: usize) -> Option<u8> {
        self.at(at.checked_sub(1)?)
    }

    fn is_digit(&self, at: Option<usize>) -> bool {
        at.and_then(|at| self.at(at)).is_some_and(|c| c.is_ascii_digit())
    }

    /// Whether a number is not a piece of something longer: of a word, a decimal, a date, a time, a code with dashes.
    pub(super) fn stands_alone(&self, start: usize, end: usize) -> bool {
        let word = |c: Option<u8>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_');
        let before = self.before(start);
        let glued = match before {
            Some(b'.' | b',' | b'/' | b':') => self.is_digit(start.checked_sub(2)),
            Some(b'-') => word(start.checked_sub(2).and_then(|at| self.at(at))),
            Some(b'#') => true,
            other => word(other),
        };
        let behind = self.at(end);
        let goes_on = match behind {
            Some(b'.' | b',' | b'/' | b':' | b'-') => self.is_digit(Some(end + 1)),
            Some(b'%') => true,
            other => word(other),
        };
        !glued && !goes_on
    }

    /// Every chain of groups of digits.
    pub(super) fn chains(&self) -> Vec<Chain<'_>> {
        let mut chains = Vec::new();
        let mut at = 0;
        while let Some(c) = self.at(at) {
            if !c.is_ascii_digit() {
                at += 1;
                continue;
            }
            let chain = self.chain(at);
            at = chain.groups.last().map_or(at + 1, |g| g.end);
            chains.push(chain);
        }
        chains
    }

    fn group(&self, start: usize) -> Group {
        let mut end = start;
        while self.is_digit(Some(end)) {
            end += 1;
        }
        let plus = self.before(start) == Some(b'+');
        let outside = start.checked_sub(1 + usize::from(plus));
        let bracketed = outside.and_then(|at| self.at(at)) == Some(b'(') && self.at(end) == Some(b')');
        Group { start, end, bracketed, plus }
    }

    fn chain(&self, start: usize) -> Chain<'_> {
        let mut groups = vec![self.group(start)];
        let mut separators = Vec::new();
        while let Some(last) = groups.last().copied() {
            let mut next = last.end + usize::from(last.bracketed);
            let mut separator = 0;
            if let Some(c @ (b' ' | b'-' | b'.')) = self.at(next) {
                separator = c;
                next += 1;
            } else if !last.bracketed && self.at(next) != Some(b'(') {
                break;
            }
            if self.at(next) == Some(b'(') {
                next += 1;
            }
            if !self.is_digit(Some(next)) {
                break;
            }
            let group = self.group(next);
            // A bracket that opens and does not close behind the digits begins something else.
            if self.before(next) == Some(b'(') && !group.bracketed {
                break;
            }
            groups.push(group);
            separators.push(separator);
        }
        Chain { shadow: self, groups, separators }
    }
}

/// A character as the detectors see it.
fn plain(c: char) -> u8 {
    let offset = |first: char, base: u8| u8::try_from(u32::from(c) - u32::from(first)).map_or(0, |n| base + n);
    match c {
        '๐'..='๙' => offset('๐', b'0'),
        '０'..='９' => offset('０', b'0'),
        'Ａ'..='Ｚ' => offset('Ａ', b'A'),
        'ａ'..='ｚ' => offset('ａ', b'a'),
        '\u{00a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => b' ',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '－' => b'-',
        '．' => b'.',
        '，' => b',',
        '：' => b':',
        '／' => b'/',
        '（' => b'(',
        '）' => b')',
        '＋' => b'+',
        '＃' => b'#',
        '％' => b'%',
        c => u8::try_from(u32::from(c)).ok().filter(u8::is_ascii).unwrap_or(0),
    }
}

impl Chain<'_> {
    /// Every run of neighbouring groups that a detector may look at.
    pub(super) fn runs(&self) -> impl Iterator<Item = Run> + '_ {
        let digits = |first: usize, last: usize| {
            self.groups.get(first..=last).unwrap_or_default().iter().map(|g| g.end - g.start).sum::<usize>()
        };
        (0..self.groups.len()).flat_map(move |first| {
            (first..self.groups.len().min(first + MOST_GROUPS))
                .map(move |last| (last, digits(first, last)))
                .take_while(|(_, n)| *n <= MOST_DIGITS)
                .filter(|(_, n)| *n >= FEWEST_DIGITS)
                .filter_map(move |(last, _)| self.run(first, last))
        })
    }

    fn run(&self, first: usize, last: usize) -> Option<Run> {
        let groups = self.groups.get(first..=last)?;
        let lengths: Vec<usize> = groups.iter().map(|g| g.end - g.start).collect();
        let (head, tail) = (groups.first()?, groups.last()?);
        let digits = groups.iter().flat_map(|g| self.shadow.chars.get(g.start..g.end).unwrap_or_default());
        Some(Run {
            digits: digits.map(|d| d - b'0').collect(),
            lengths,
            separators: self.separators.get(first..last).unwrap_or_default().to_vec(),
            bracketed: groups.iter().position(|g| g.bracketed),
            plus: head.plus,
            start: head.start - usize::from(head.plus) - usize::from(head.bracketed),
            end: tail.end + usize::from(tail.bracketed),
        })
    }
}

impl Run {
    /// All separators are this one.
    pub(super) fn all(&self, separator: u8) -> bool {
        self.separators.iter().all(|s| *s == separator)
    }

    /// One group, or groups with one kind of separator, a blank or a dash, and nothing else around.
    pub(super) fn is_simple(&self) -> bool {
        !self.plus && self.bracketed.is_none() && (self.all(b' ') || self.all(b'-'))
    }

    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The digit at a place, 0 behind the end.
    pub(super) fn digit(&self, at: usize) -> u8 {
        self.digits.get(at).copied().unwrap_or(0)
    }

    /// The number that some of the digits write.
    pub(super) fn number(&self, from: usize, to: usize) -> u32 {
        self.digits.get(from..to).unwrap_or_default().iter().fold(0, |n, d| n * 10 + u32::from(*d))
    }

    /// The characters that it takes up as that kind: the check character of a Chinese number may be a letter.
    pub(super) fn bounds(&self, kind: Kind, shadow: &Shadow) -> (usize, usize) {
        let letter = kind == Kind::ZhId && self.digits.len() == 17;
        let gap = usize::from(letter && shadow.at(self.end) == Some(b'-'));
        (self.start, self.end + usize::from(letter) + gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shadow_has_a_byte_for_each_character() {
        let text = "Máy ๐๘๑‑２３４ số（０２）x";
        let shadow = Shadow::new(text);
        assert_eq!(shadow.chars.len(), text.chars().count());
        assert_eq!(shadow.byte(shadow.chars.len()), text.len());
        assert_eq!(shadow.chars.get(4..11), Some(b"081-234".as_slice()));
    }

    #[test]
    fn chains_keep_brackets_and_separators() {
        let shadow = Shadow::new("gọi (+84) 912 345.678, rồi (024)3825 12");
        let runs: Vec<Vec<usize>> =
            shadow.chains().iter().map(|c| c.groups.iter().map(|g| g.end - g.start).collect()).collect();
        assert_eq!(runs, [vec![2, 3, 3, 3], vec![3, 4, 2]]);
        let chain = &shadow.chains()[0];
        assert_eq!(chain.separators, b"  .");
        let run = chain.run(0, 3).unwrap();
        assert!(run.plus && run.bracketed == Some(0));
        assert_eq!((run.start, run.end), (4, 21));
    }
}

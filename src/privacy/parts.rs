//! What was taken out of a reply, known again where it comes in another form.
//!
//! A layer reads a number apart (`0255, 018, 440`), normalises it (`0255018440`, `255018440`), quotes it with other
//! separators or cuts it off. The pattern that found it in the answer does not match any of these, and each would stand in
//! a finding on the disk.

use std::ops::Range;

/// So many digits in a row of what was taken out are a part of it rather than chance.
const PART: usize = 5;

/// So many that both share, where the other number has more than they: it was written with a country's code.
const SHARED: usize = 7;

/// A whole group of so many digits is a part by itself, and one of fewer beside another part.
const GROUP: usize = 3;
const BESIDE: usize = 2;

/// So many letters and digits tell a piece with other separators from chance.
const SAME: usize = 4;

/// So many characters before a `…` are a part.
const CUT: usize = 3;

/// So many characters that are neither letter nor digit may stand between two parts.
const GAP: usize = 4;

/// No layer quotes a piece of more letters and digits whole, and only the first digits of a longer one are known again.
const LONGEST: usize = 256;

/// Groups that are read as one number.
const MOST_GROUPS: usize = 8;

/// One piece that was taken out.
#[derive(Debug)]
pub(super) struct Part {
    piece: Vec<char>,
    placeholder: &'static str,
    /// Its letters and digits, small.
    plain: Vec<char>,
    /// All its digits, and each group of them.
    digits: String,
    groups: Vec<String>,
}

/// A letter or digit of a text in its plain form, with its bytes.
struct Plain {
    c: char,
    at: Range<usize>,
}

/// Digits of a text with nothing between them.
struct Group {
    digits: String,
    at: Range<usize>,
}

impl Part {
    pub(super) fn new(piece: &str, placeholder: &'static str) -> Part {
        let groups: Vec<String> = groups(piece).into_iter().map(|g| g.digits).collect();
        Part {
            piece: piece.chars().collect(),
            placeholder,
            plain: plain(piece).into_iter().map(|p| p.c).collect(),
            digits: groups.concat().chars().take(LONGEST).collect(),
            groups,
        }
    }

    /// The text without the piece and its parts, or nothing when it holds none.
    pub(super) fn without(&self, text: &str) -> Option<String> {
        let mut found = self.same(text);
        found.extend(self.numbers(text));
        found.extend(self.beginnings(text));
        if found.is_empty() {
            return None;
        }
        found.sort_by_key(|r| (r.start, std::cmp::Reverse(r.end)));
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for range in found {
            if range.start >= from {
                out.push_str(text.get(from..range.start).unwrap_or_default());
                out.push_str(self.placeholder);
            }
            from = from.max(range.end);
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Some(out)
    }

    /// Where the whole piece stands, whatever its letter case and its separators.
    fn same(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if !(SAME..=LONGEST).contains(&self.plain.len()) {
            return found;
        }
        let text_plain = plain(text);
        let mut at = 0;
        while let Some(window) = text_plain.get(at..at + self.plain.len()) {
            let equal = window.iter().zip(&self.plain).all(|(a, b)| a.c == *b);
            let close = || window.windows(2).all(|w| matches!(w, [a, b] if is_near(text, a.at.end..b.at.start)));
            let (Some(first), Some(last)) = (window.first(), window.last()) else { break };
            if equal && close() && is_border(text, first.at.start, first.c, last.at.end, last.c) {
                found.push(first.at.start..last.at.end);
                at += self.plain.len();
            } else {
                at += 1;
            }
        }
        found
    }

    /// Where its digits stand: several groups in a row, a whole group, a number that holds most of them.
    fn numbers(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if self.digits.len() < GROUP {
            return found;
        }
        let all = groups(text);
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let links = rest.windows(2).take_while(|w| matches!(w, [a, b] if is_near(text, a.at.end..b.at.start)));
            let (chain, more) = rest.split_at(links.count() + 1);
            rest = more;
            let hidden = self.hidden(chain);
            // Neighbours that go are one place.
            for run in chain.iter().zip(&hidden).collect::<Vec<_>>().chunk_by(|a, b| a.1 == b.1) {
                if let (Some((first, true)), Some((last, _))) = (run.first(), run.last()) {
                    found.push(first.at.start..last.at.end);
                }
            }
        }
        found
    }

    /// Which groups of a chain are parts.
    fn hidden(&self, chain: &[Group]) -> Vec<bool> {
        let mut hidden = vec![false; chain.len()];
        let mut at = 0;
        while let Some(group) = chain.get(at) {
            let joined = |n: &usize| -> String {
                chain.get(at..at + n).unwrap_or_default().iter().map(|g| g.digits.as_str()).collect()
            };
            let most = MOST_GROUPS.min(chain.len() - at);
            let is_part = |n: &usize| {
                let digits = joined(n);
                digits.len() >= PART && self.digits.contains(&digits)
            };
            let whole = group.digits.len() >= GROUP && self.groups.contains(&group.digits);
            let n = (1..=most).rev().find(is_part).or((whole || self.shares(&group.digits)).then_some(1));
            hidden.iter_mut().skip(at).take(n.unwrap_or(0)).for_each(|h| *h = true);
            at += n.unwrap_or(1);
        }
        if hidden.contains(&true) {
            for (group, h) in chain.iter().zip(&mut hidden) {
                *h |= group.digits.len() >= BESIDE && self.groups.contains(&group.digits);
            }
        }
        hidden
    }

    /// Whether another number holds so many of the digits in a row that it is the same one.
    fn shares(&self, digits: &str) -> bool {
        (0..self.digits.len()).any(|i| self.digits.get(i..i + SHARED).is_some_and(|part| digits.contains(part)))
    }

    /// Where a quote was cut off in the middle of the piece.
    fn beginnings(&self, text: &str) -> Vec<Range<usize>> {
        let cuts = text.match_indices('…').map(|(at, _)| at);
        let before = |at: usize| {
            let head = text.get(..at)?;
            let longest = self.piece.len().min(head.chars().rev().take(LONGEST).count());
            let n = (CUT..=longest).rev().find(|n| {
                let tail = head.chars().rev().take(*n);
                tail.eq(self.piece.iter().take(*n).rev().copied())
            })?;
            let start = head.char_indices().rev().nth(n - 1).map(|(i, _)| i)?;
            Some(start..at)
        };
        cuts.filter_map(before).collect()
    }
}

/// The letters and digits of a text.
fn plain(text: &str) -> Vec<Plain> {
    let small = |c: char| match value(c) {
        Some(d) => char::from_digit(d, 10).unwrap_or(c),
        None => c.to_lowercase().next().unwrap_or(c),
    };
    let all = text.char_indices().filter(|(_, c)| c.is_alphanumeric());
    all.map(|(i, c)| Plain { c: small(c), at: i..i + c.len_utf8() }).collect()
}

/// The groups of digits of a text.
fn groups(text: &str) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    for (i, c) in text.char_indices() {
        let Some(digit) = value(c).and_then(|d| char::from_digit(d, 10)) else { continue };
        match found.last_mut().filter(|g| g.at.end == i) {
            Some(group) => {
                group.digits.push(digit);
                group.at.end = i + c.len_utf8();
            }
            None => found.push(Group { digits: digit.to_string(), at: i..i + c.len_utf8() }),
        }
    }
    found
}

/// Whether no more than separators stand there.
fn is_near(text: &str, between: Range<usize>) -> bool {
    let between = text.get(between).unwrap_or_default();
    between.chars().count() <= GAP && !between.contains(char::is_alphanumeric)
}

/// Whether words of Latin letters and digits do not go on at either side.
fn is_border(text: &str, start: usize, first: char, end: usize, last: char) -> bool {
    let glued = |c: Option<char>, own: char| own.is_ascii() && c.is_some_and(|c| c.is_ascii_alphanumeric());
    let before = text.get(..start).and_then(|t| t.chars().next_back());
    let behind = text.get(end..).and_then(|t| t.chars().next());
    !glued(before, first) && !glued(behind, last)
}

/// The value of a digit of any script that the detectors know.
fn value(c: char) -> Option<u32> {
    crate::text::number::digit(c).map(u32::from)
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn parts_of_a_number_are_known_in_any_form() {
        let part = Part::new("0255 018 440", "‹m›");
        for (text, right) in [
            ("It claims 0255, 018, 440.", "It claims ‹m›."),
            ("It claims “7”, “018”, “440” and 12.", "It claims “7”, “‹m›” and 12."),
            ("“0255018440” is stated", "“‹m›” is stated"),
            ("wrong_value(255018440)", "wrong_value(‹m›)"),
            ("0255.018.440 or 0255-018-440", "‹m› or ‹m›"),
            ("call +84255018440 now", "call +‹m› now"),
            ("๐๒๕๕ ๐๑๘ ๔๔๐", "‹m›"),
            ("Nearest: “Call 0255 0…”", "Nearest: “Call ‹m›…”"),
            ("0255 is not grounded", "‹m› is not grounded"),
        ] {
            assert_eq!(part.without(text).as_deref(), Some(right), "{text}");
        }
        for other in ["It claims 18, 44, 255.", "within 7 days, 150 000 đồng", "02 of 55", "in 2018", "0256 019 441"]
        {
            assert_eq!(part.without(other), None, "{other}");
        }
    }

    #[test]
    fn a_code_is_known_with_other_separators_and_a_longer_one_is_another() {
        let part = Part::new("KH-2077", "‹m›");
        assert_eq!(part.without("codes kh 2077, KH2077").as_deref(), Some("codes ‹m›, ‹m›"));
        assert_eq!(part.without("KH-20771 is XKH-20779"), None);
        assert_eq!(Part::new("Lan", "‹m›").without("a plan for Lan"), None, "too short to be more than chance");
    }

    #[test]
    fn a_short_group_goes_with_its_neighbours_only() {
        let part = Part::new("+84 91 234 56 78", "‹m›");
        assert_eq!(part.without("It claims 84, 91, 234.").as_deref(), Some("It claims ‹m›."));
        assert_eq!(part.without("It claims 84, 234.").as_deref(), Some("It claims ‹m›."));
        assert_eq!(part.without("within 84 days, for 91 years"), None);
    }
}

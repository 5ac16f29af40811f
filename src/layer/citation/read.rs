//! Finding the markers of an answer.
//!
//! One pass over the bytes: at each character that can begin a marker, the reader of that form is asked. Code in
//! backticks holds no markers. A form that is opened and not closed is looked for once in a line, not once for each
//! opening, so that the time stays linear.

use super::list::{self, bracketed, document, looks_like_document, sources};
use super::{Cited, Marker, MarkerTarget};
use crate::text::norm::chars::{digit, is_raised_digit};
use crate::text::norm::composed;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// The longest marker, in bytes of its composed form.
const LONGEST: usize = 400;

/// Letters apart from their marks take at most so many times the bytes of composed ones.
const SPREAD: usize = 3;

/// Finds the markers of an answer and folds them out; `contexts` is the number of passages (it tells `[2026]`, a year, from
/// a marker). Of a link the text stays and the address goes; a bare address stays where it is.
///
/// ```
/// use ragline::layer::citation::read;
/// let cited = read("Returns: 7 days [1][2-3].", 3);
/// assert_eq!(cited.plain, "Returns: 7 days.");
/// assert_eq!(cited.markers.len(), 3);
/// ```
pub fn read(answer: &str, contexts: usize) -> Cited<'_> {
    let mut scan =
        Scan { text: answer, contexts, found: Vec::new(), notes: HashMap::new(), cuts: Vec::new(), no_fence: false };
    scan.run();
    scan.finish()
}

/// The bytes that can begin a marker; `h` of an address among them.
const OPENS: [bool; 256] = {
    let mut opens = [false; 256];
    let bytes = b"`[(hH\xE3\xEF\xC2\xE2";
    let mut i = 0;
    while i < bytes.len() {
        opens[bytes[i] as usize] = true;
        i += 1;
    }
    opens
};

struct Scan<'a> {
    text: &'a str,
    contexts: usize,
    /// Markers with their places in bytes, and whether they stand in a list of sources.
    found: Vec<(MarkerTarget, Range<usize>, bool)>,
    /// Footnotes: number and what it stands for.
    notes: HashMap<usize, MarkerTarget>,
    /// What is folded out, in bytes, in order.
    cuts: Vec<Range<usize>>,
    /// A fence of several backticks was not closed; none behind it is looked for.
    no_fence: bool,
}

impl<'a> Scan<'a> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&b) = bytes.get(at) {
            let line_start = at == 0 || bytes.get(at - 1) == Some(&b'\n');
            if !line_start && !OPENS.get(b as usize).copied().unwrap_or_default() {
                // On to the next byte that can begin a marker, or the line after the next line end.
                let tail = bytes.get(at..).unwrap_or_default();
                let opens = |b: &u8| *b == b'\n' || OPENS.get(*b as usize).copied().unwrap_or_default();
                let skip = tail.iter().position(opens).unwrap_or(tail.len());
                at += if tail.get(skip) == Some(&b'\n') { skip + 1 } else { skip };
                continue;
            }
            let end = match b {
                b'`' => self.code(at),
                b'[' => self.bracket(at, line_start),
                b'(' => self.parenthesis(at, at + 1, ")"),
                b'h' | b'H' => self.address(at),
                0xE3 => self.wide_bracket(at),
                0xEF => self.wide_parenthesis(at),
                0xC2 | 0xE2 => self.raised(at),
                _ => None,
            };
            let end = end.or_else(|| if line_start { self.source_line(at) } else { None });
            at = end.unwrap_or(at + 1).max(at + 1);
        }
    }

    /// The end of a piece of code in backticks: one is closed in its line, several anywhere.
    fn code(&mut self, at: usize) -> Option<usize> {
        let tail = self.text.get(at..)?;
        let ticks = tail.bytes().take_while(|b| *b == b'`').count();
        let (fence, inside) = tail.split_at_checked(ticks)?;
        if ticks == 1 {
            let close = memchr::memchr2(b'`', b'\n', inside.as_bytes())?;
            return (inside.as_bytes().get(close) == Some(&b'`')).then_some(at + 1 + close + 1);
        }
        if self.no_fence {
            return Some(at + ticks);
        }
        match memchr::memmem::find(inside.as_bytes(), fence.as_bytes()) {
            Some(close) => Some(at + ticks + close + ticks),
            None => {
                self.no_fence = true;
                Some(at + ticks)
            }
        }
    }

    /// The text between an opening that ends at `from` and the next `close`, on one line and not too long.
    fn until(&self, from: usize, close: &str) -> Option<(&'a str, usize)> {
        let mut limit = self.text.len().min(from + SPREAD * LONGEST);
        while !self.text.is_char_boundary(limit) {
            limit -= 1;
        }
        let window = self.text.get(from..limit)?;
        let end = window.find(close)?;
        let inside = window.get(..end)?;
        let fits = end + close.len() <= LONGEST || composed(inside).len() + close.len() <= LONGEST;
        (fits && !inside.contains('\n')).then_some((inside, from + end + close.len()))
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    /// `[1]`, `[1,2]`, `[^1]`, a footnote line `[^1]: …`, a link `[text](address)`.
    fn bracket(&mut self, at: usize, line_start: bool) -> Option<usize> {
        let (inside, end) = self.until(at + 1, "]")?;
        let before = self.before(at);
        let tail = self.text.get(end..).unwrap_or_default();
        let touches = before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        // A footnote is written so (`word[^1]`), an index of a list is not.
        let note = inside.strip_prefix('^').is_some_and(|n| !n.is_empty() && n.chars().all(|c| digit(c).is_some()));
        if touches && !note && !self.closes_a_sentence(at, inside, tail) {
            return None;
        }
        if inside.contains('[') {
            return None;
        }
        if line_start
            && inside.starts_with('^')
            && let Some(note) = tail.strip_prefix(':')
        {
            return self.footnote(at, inside, note, end + 1);
        }
        let targets = bracketed(inside, self.contexts);
        if tail.starts_with('(')
            && let Some((address, close)) = self.until(end + 1, ")")
        {
            return self.link(at, inside, targets, address.trim(), end, close, before);
        }
        // `[[1]]`
        let doubled = before == Some('[') && tail.starts_with(']');
        self.add(targets?, if doubled { at - 1..end + 1 } else { at..end })
    }

    /// Whether a bracket that touches the word before it is a citation all the same: it names an existing passage at the end
    /// of a sentence, and the word is none that programs index (`list[0]`, `arr[1]`, `x.y[2]`).
    fn closes_a_sentence(&self, at: usize, inside: &str, tail: &str) -> bool {
        const INDEXED: [&str; 16] = [
            "list", "array", "arr", "args", "argv", "data", "item", "items", "values", "index", "matrix", "rows",
            "vec", "row", "col", "nums",
        ];
        let exists = inside.parse::<usize>().is_ok_and(|n| (1..=self.contexts).contains(&n));
        // What stands near decides, however long the text is.
        let near = tail.char_indices().nth(LONGEST).and_then(|(i, _)| tail.get(..i)).unwrap_or(tail);
        let after = near.trim_start_matches(['[', ']', ',', ' ', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        let ends = after.starts_with(['.', ';', '!', '?', '\n', '。']) && !after.starts_with("..");
        /// The longest word, in bytes of its composed form.
        const WORD: usize = 40;
        let from = (at.saturating_sub(SPREAD * WORD)..=at).find(|i| self.text.is_char_boundary(*i)).unwrap_or(at);
        let before = self.text.get(from..at).unwrap_or_default();
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let whole = word.len() < before.len();
        let word = composed(word);
        let mut letters = word.chars().filter(|c| !is_mark(*c));
        let plain = letters.clone().all(char::is_alphabetic) && letters.nth(2).is_some();
        exists && ends && whole && word.len() < WORD && plain && !INDEXED.iter().any(|i| word.eq_ignore_ascii_case(i))
    }

    /// A footnote line: what its number stands for.
    fn footnote(&mut self, at: usize, inside: &str, note: &str, from: usize) -> Option<usize> {
        let line = note.split('\n').next().unwrap_or_default();
        let number = inside.trim_start_matches('^').parse::<usize>().ok()?;
        let text = line.trim().trim_matches(['`', '<', '>', '*']);
        if looks_like_document(text) {
            self.notes.entry(number).or_insert_with(|| document(text));
        }
        let end = from + line.len();
        self.cut(at..end);
        Some(end)
    }

    /// A link. Its text is part of the answer, its address a citation.
    #[expect(clippy::too_many_arguments, reason = "the pieces of one form")]
    fn link(
        &mut self,
        at: usize,
        inside: &str,
        targets: Option<Vec<MarkerTarget>>,
        address: &str,
        text_end: usize,
        end: usize,
        before: Option<char>,
    ) -> Option<usize> {
        if before == Some('!') {
            return Some(end);
        }
        if let Some(targets) = targets {
            return self.add(targets, at..end);
        }
        if !looks_like_document(address) || inside.trim().is_empty() {
            return None;
        }
        self.found.push((document(address), at..end, false));
        self.cut(at..at + 1);
        self.cut(text_end - 1..end);
        Some(end)
    }

    /// `【1】`, `【4:0†source】`.
    fn wide_bracket(&mut self, at: usize) -> Option<usize> {
        let open = self.text.get(at..)?.starts_with('【').then_some(at + '【'.len_utf8())?;
        let (inside, end) = self.until(open, "】")?;
        self.add(bracketed(inside, self.contexts)?, at..end)
    }

    /// `（出典：…）`.
    fn wide_parenthesis(&mut self, at: usize) -> Option<usize> {
        let open = self.text.get(at..)?.starts_with('（').then_some(at + '（'.len_utf8())?;
        self.parenthesis(at, open, "）")
    }

    /// `(Source: …)`.
    fn parenthesis(&mut self, at: usize, open: usize, close: &str) -> Option<usize> {
        let (inside, end) = self.until(open, close)?;
        self.add(sources(inside, self.contexts, false)?, at..end)
    }

    /// A line of sources, `Sources: a.md, b.md`; or a heading of sources with the lines below it, one source in each.
    fn source_line(&mut self, at: usize) -> Option<usize> {
        let line = self.text.get(at..)?.split('\n').next()?;
        if line.len() > SPREAD * LONGEST {
            return None;
        }
        let form = composed(line);
        if form.len() > LONGEST {
            return None;
        }
        let bare = form.trim_start_matches(['*', '_', '#', '>', '-', ' ']).replace("**", "");
        if list::heads_sources(&bare) {
            return self.source_lines(at, at + line.len());
        }
        let targets = sources(&bare, self.contexts, true)?;
        let (end, known) = (at + line.len(), self.found.len());
        self.add(targets, at..end);
        self.found.iter_mut().skip(known).for_each(|(_, _, listed)| *listed = true);
        Some(end)
    }

    /// The lines below a heading of sources: each names one source, with or without its number. Nothing where the first
    /// does not.
    fn source_lines(&mut self, at: usize, heading_end: usize) -> Option<usize> {
        let mut end = None;
        let mut from = heading_end;
        while let Some(tail) = self.text.get(from..).and_then(|t| t.strip_prefix('\n')) {
            let start = from + 1;
            let line = tail.split('\n').next().unwrap_or_default();
            from = start + line.len();
            if line.trim().is_empty() {
                continue;
            }
            let form = composed(line.get(..SPREAD * LONGEST).unwrap_or(line));
            let Some((number, target)) = list::entry(form.get(..LONGEST).unwrap_or(&form), self.contexts) else {
                break;
            };
            if let (Some(n), MarkerTarget::Doc { .. } | MarkerTarget::Url(_)) = (number, &target) {
                self.notes.entry(n).or_insert_with(|| target.clone());
            }
            self.found.push((target, start..from, true));
            end = Some(from);
        }
        self.cut(at..end?);
        end
    }

    /// A bare address. It is a citation and stays in the text.
    fn address(&mut self, at: usize) -> Option<usize> {
        let tail = self.text.get(at..)?;
        let letter = self.text.get(..at)?.chars().rev().take(8).find(|c| !is_mark(*c));
        if !list::is_url(tail) || letter.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let stop = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '`' | '，' | '。' | '）' | '】' | '、');
        let url = tail.get(..tail.find(stop).unwrap_or(tail.len()))?;
        let mut url = url.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', ']']);
        // `(see https://…)`
        while url.ends_with(')') && url.matches('(').count() < url.matches(')').count() && url.len() < LONGEST {
            url = url.get(..url.len() - 1)?;
        }
        let end = at + url.len();
        self.found.push((MarkerTarget::Url(url.to_owned()), at..end, false));
        Some(end)
    }

    /// `¹`, `²` directly behind a word or a stop. Behind a short unit it is a power (`m²`), behind a digit too.
    fn raised(&mut self, at: usize) -> Option<usize> {
        /// Letters looked at in front of it, with marks that stand apart.
        const NEAR: usize = 16;
        let tail = self.text.get(at..)?;
        let run: usize = tail.chars().take_while(|c| is_raised_digit(*c)).map(char::len_utf8).sum();
        let digits: String = tail.get(..run)?.chars().filter_map(raised_value).collect();
        if run == 0 || digits.is_empty() {
            return None;
        }
        if digits.len() > 3 {
            // The whole run is none, so none of its digits is looked at again.
            return Some(at + run);
        }
        let before = self.text.get(..at)?;
        let near = before.char_indices().rev().nth(NEAR).and_then(|(i, _)| before.get(i..)).unwrap_or(before);
        let letters =
            composed(near).chars().rev().filter(|c| !is_mark(*c)).take(4).take_while(|c| c.is_alphabetic()).count();
        let stop = before.ends_with(['.', ',', ';', ':', '!', '?', '"', ')', '”', '»', '。', '，', '」', '%']);
        let wide = before.chars().next_back().is_some_and(crate::text::norm::chars::is_unspaced);
        if letters < 3 && !stop && !wide {
            return None;
        }
        self.add(vec![MarkerTarget::Number(digits.parse().ok()?)], at..at + run)
    }

    fn add(&mut self, targets: Vec<MarkerTarget>, place: Range<usize>) -> Option<usize> {
        let end = place.end;
        self.found.extend(targets.into_iter().map(|t| (t, place.clone(), false)));
        self.cut(place);
        Some(end)
    }

    /// Folds a piece out, with the blanks in front of it when nothing but a stop, a blank or the end follows.
    fn cut(&mut self, mut place: Range<usize>) {
        let tail = self.text.get(place.end..).unwrap_or_default();
        let closes = tail.chars().next().is_none_or(|c| {
            c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | '。' | '，' | '[' | '【')
        });
        if closes {
            let before = self.text.get(..place.start).unwrap_or_default();
            let kept = before.trim_end_matches([' ', '\u{a0}', '\u{202f}']);
            let floor = self.cuts.last().map_or(0, |c| c.end);
            place.start = kept.len().max(floor).min(place.start);
        }
        match self.cuts.last_mut() {
            Some(last) if last.end >= place.start => last.end = last.end.max(place.end),
            _ => self.cuts.push(place),
        }
    }

    fn finish(self) -> Cited<'a> {
        let mut counter = Counter { text: self.text, byte: 0, points: 0 };
        let mut markers = Vec::with_capacity(self.found.len());
        for (to, place, listed) in self.found {
            let start = counter.at(place.start);
            let mut end = Counter { ..counter };
            let to = match to {
                MarkerTarget::Number(n) => self.notes.get(&n).cloned().unwrap_or(MarkerTarget::Number(n)),
                MarkerTarget::Index(_) | MarkerTarget::Doc { .. } | MarkerTarget::Url(_) => to,
            };
            markers.push(Marker { to, start, end: end.at(place.end), listed });
        }
        if self.cuts.is_empty() {
            return Cited { plain: Cow::Borrowed(self.text), markers, offsets: Vec::new() };
        }
        let mut plain = String::with_capacity(self.text.len());
        let mut offsets = Vec::with_capacity(self.cuts.len() + 1);
        let mut counter = Counter { text: self.text, byte: 0, points: 0 };
        let mut in_plain = 0;
        let mut from = 0;
        let end = self.text.len();
        let ends = self.cuts.iter().cloned().chain(std::iter::once(end..end));
        for cut in ends {
            let piece = self.text.get(from..cut.start).unwrap_or_default();
            if !piece.is_empty() {
                offsets.push((in_plain, counter.at(from)));
                in_plain += piece.chars().count();
                plain.push_str(piece);
            }
            from = cut.end;
        }
        Cited { plain: Cow::Owned(plain), markers, offsets }
    }
}

/// Counts code points up to places that only grow.
#[derive(Clone, Copy)]
struct Counter<'a> {
    text: &'a str,
    byte: usize,
    points: usize,
}

impl Counter<'_> {
    fn at(&mut self, byte: usize) -> usize {
        if let Some(piece) = self.text.get(self.byte..byte) {
            self.points += piece.chars().count();
            self.byte = byte;
        }
        self.points
    }
}

/// A mark of a letter that stands apart: with the letter it is one, composed or not.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// The digit that a raised digit is; subscripts are none.
fn raised_value(c: char) -> Option<char> {
    match c {
        '¹' => Some('1'),
        '²' => Some('2'),
        '³' => Some('3'),
        '\u{2070}' | '\u{2074}'..='\u{2079}' => char::from_digit(c as u32 - 0x2070, 10),
        _ => None,
    }
}

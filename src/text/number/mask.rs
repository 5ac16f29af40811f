//! What holds digits and is no number: addresses, citation markers, list markers; and identifiers such as `MX-204`,
//! which are compared as strings.

use super::digits::digit;
use super::pack::{NumberPack, is_mark, is_spaced_letter};

/// How far a mask looks, in bytes. A longer address is cut; its digits are then numbers.
const REACH: usize = 400;

const FILE_ENDINGS: &[&str] = &[
    "md", "markdown", "txt", "pdf", "html", "htm", "doc", "docx", "xls", "xlsx", "csv", "json", "jsonl", "yaml", "yml",
    "toml", "png", "jpg", "jpeg", "ppt", "pptx",
];

pub(crate) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

pub(crate) fn char_before(text: &str, floor: usize, at: usize) -> Option<char> {
    if at <= floor { None } else { text.get(floor..at)?.chars().next_back() }
}

/// The largest char border that is not above `at`.
fn border(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

/// A URL, e-mail address or file name around a digit: where it ends.
pub(crate) fn address(text: &str, floor: usize, at: usize) -> Option<usize> {
    let low = border(text, at.saturating_sub(REACH)).max(floor);
    let left = text.get(low..at)?;
    let open = |c: char| c.is_whitespace() || matches!(c, '<' | '"' | '(' | '[' | '\u{3000}'..='\u{303f}' | '（');
    let start = left.char_indices().rev().find(|(_, c)| open(*c)).map_or(low, |(i, c)| low + i + c.len_utf8());
    let right = text.get(at..border(text, at.saturating_add(REACH)))?;
    let stop = |c: char| {
        c.is_whitespace()
            || matches!(c, '<' | '>' | '"' | ')' | ']' | '\u{3000}'..='\u{303f}' | '）' | '，' | '；' | '！' | '？')
    };
    let end = right.find(stop).map_or(at + right.len(), |i| at + i);
    let token = text.get(start..end)?;
    // Most digits stand in a short word of their own; a digit of another script is one letter too.
    let short = token.len() < 5 || token.len() < 20 && token.chars().count() < 5;
    if short || !token.bytes().any(|b| matches!(b, b'/' | b'@' | b'.' | b'\\')) {
        return None;
    }
    let token = token.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '`', '\'']);
    // In a script without blanks what stands in front of an address is no part of it: `价格5元见https://a.cn`.
    let figure = at - start;
    let www = || {
        let place = token.char_indices().map(|(i, _)| i).find(|i| {
            token.get(*i..i + 4).is_some_and(|t| t.eq_ignore_ascii_case("www."))
                && !token.get(..*i).is_some_and(|t| t.ends_with(is_spaced_letter))
        });
        place.is_some_and(|place| place <= figure)
    };
    let mail = || {
        token.split_once('@').is_some_and(|(name, host)| {
            let named = |c: char| c.is_ascii_graphic() || digit(c).is_some();
            let own = name.len() - name.rsplit(|c| !named(c)).next().unwrap_or_default().len();
            own < name.len() && own <= figure && host.contains('.')
        })
    };
    let file = || {
        let name = token.split(['#', '?']).next().unwrap_or_default();
        name.rsplit_once('.').is_some_and(|(stem, ending)| {
            FILE_ENDINGS.iter().any(|e| ending.eq_ignore_ascii_case(e)) && stem.contains(is_spaced_letter)
        })
    };
    // `5://` names no scheme (RFC 3986, 3.1).
    let scheme = || {
        let named = |c: char| c.is_ascii_alphanumeric() || digit(c).is_some() || matches!(c, '+' | '-' | '.');
        token.split_once("://").is_some_and(|(head, _)| {
            let name = head.rsplit(|c| !named(c)).next().unwrap_or_default();
            // A scheme begins with a letter: in `5s://` that is the `s`.
            let letter = name.find(|c: char| c.is_ascii_alphabetic());
            letter.is_some_and(|letter| head.len() - name.len() + letter <= figure)
        })
    };
    let found = scheme() || www() || token.contains(":\\") || mail() || file();
    found.then_some(start + token.len()).filter(|end| *end > at)
}

/// A citation marker around a digit (`[1]`, `[1, 2]`, `[^3]`, `【4:0†source】`): where it ends.
pub(crate) fn citation(text: &str, floor: usize, at: usize) -> Option<usize> {
    let before = char_before(text, floor, at)?;
    let rest = text.get(at..border(text, at.saturating_add(60)))?;
    if before == '【' {
        // Chinese also sets words in these brackets: 【30天】 is 30 days.
        let close = rest.find('】')?;
        let inside = rest.get(..close)?.split('†').next()?;
        let only = |c: char| digit(c).is_some() || matches!(c, ' ' | ',' | '、' | '，' | ':' | '-' | '–');
        return inside.chars().all(only).then_some(at + close + '】'.len_utf8());
    }
    let mut open = at - before.len_utf8();
    if before == '^' {
        open = open.checked_sub(1)?;
    }
    if char_at(text, open)? != '[' || open < floor {
        return None;
    }
    // `a[1]` is an index.
    let named = |c: char| c.is_ascii_alphanumeric() || c == '_' || digit(c).is_some();
    if char_before(text, 0, open).is_some_and(named) {
        let word = text.get(border(text, open.saturating_sub(90))..open)?;
        let tail = word.rsplit(|c: char| !named(c)).next().unwrap_or_default();
        if tail.chars().count() < 3 || tail.contains('_') {
            return None;
        }
    }
    let close = rest.find(']')?;
    let inside = rest.get(..close)?;
    let groups_ok = inside
        .split([',', ';', '-', '–', ' ', '、', '，'])
        .all(|g| g.chars().count() <= 3 && g.chars().all(|c| digit(c).is_some()));
    groups_ok.then_some(at + close + 1)
}

/// A list marker at the start of a line (`1.`, `2)`, `(3)`, `Bước 4:`): where it ends.
pub(crate) fn list_marker(text: &str, at: usize, pack: &NumberPack) -> Option<usize> {
    let mut end = at;
    let mut len = 0;
    for c in text.get(at..)?.chars().take_while(|c| digit(*c).is_some()).take(4) {
        end += c.len_utf8();
        len += 1;
    }
    if len > 3 {
        return None;
    }
    let mark = char_at(text, end)?;
    if !matches!(mark, '.' | ')' | '、' | '．' | '）' | ':' | '：') {
        return None;
    }
    let after = end + mark.len_utf8();
    let next = char_at(text, after);
    if next.is_some_and(|c| digit(c).is_some()) {
        return None;
    }
    // `30. November`
    if pack.day_dot && mark == '.' && next == Some(' ') && pack.calendar.months.at(text, after + 1).is_some() {
        return None;
    }
    let lead = text.get(border(text, at.saturating_sub(80))..at)?;
    let line = lead.rsplit('\n').next().unwrap_or_default();
    let line = line.trim_start_matches([' ', '\t', '#', '*', '>', '-', '_', '+', '•', '(', '（', '\u{feff}']);
    let word = line.trim_end();
    let named = !word.is_empty() && pack.step.iter().any(|s| word.to_lowercase() == s.to_lowercase());
    if !word.is_empty() && !named {
        return None;
    }
    if !named && matches!(mark, ':' | '：') {
        return None;
    }
    // A marker has something to mark: "30." alone is an answer.
    let rest = text.get(after..).unwrap_or_default().split('\n').next().unwrap_or_default();
    let wide = next.is_some_and(|c| c > '\u{e00}' && !is_spaced_letter(c)) || matches!(mark, '、' | '．' | '）' | '：');
    // `1.Open it`
    let opens = next.is_some_and(char::is_uppercase);
    let spaced = next.is_none_or(|c| c.is_whitespace() || matches!(c, '*' | '_')) || wide || opens;
    (spaced && (named || !rest.trim().is_empty())).then_some(after)
}

/// `(2)` or `2)` within a line, before a word and not before a unit, is an enumerator: where it ends.
pub(crate) fn enumerator(text: &str, floor: usize, at: usize, pack: &NumberPack) -> Option<usize> {
    let before = char_before(text, 0, at).unwrap_or(' ');
    let opened = matches!(before, '(' | '（') && at > floor;
    if !opened && !before.is_whitespace() {
        return None;
    }
    let mut end = at;
    let mut len = 0;
    for c in text.get(at..)?.chars().take_while(|c| digit(*c).is_some()).take(3) {
        end += c.len_utf8();
        len += 1;
    }
    let close = char_at(text, end).filter(|c| matches!(c, ')' | '）'))?;
    let after = end + close.len_utf8();
    let word = text.get(after..)?.trim_start_matches(' ');
    let place = text.len() - word.len();
    let starts_word = word.chars().next().is_some_and(char::is_alphabetic);
    // `(at most 2)` closes a parenthesis.
    let marks = len <= 2 && starts_word && (opened || !in_parenthesis(text, at));
    (marks && pack.units.at(text, place).is_none()).then_some(after)
}

/// Whether a parenthesis is open at a place of its line.
fn in_parenthesis(text: &str, at: usize) -> bool {
    let lead = text.get(border(text, at.saturating_sub(REACH))..at).unwrap_or_default();
    let line = lead.rsplit('\n').next().unwrap_or_default();
    let last = line.rfind(['(', '（', ')', '）']).and_then(|i| line.get(i..)?.chars().next());
    // `1)` of a list before it closes nothing, so only what opened last counts.
    matches!(last, Some('(' | '（'))
}

/// What goes on a word or number of a script with blanks between words.
pub(super) fn glued(c: char) -> bool {
    digit(c).is_some() || is_spaced_letter(c) || is_mark(c)
}

/// The identifier that a digit belongs to by what stands before it (`v3.4`, `MX-204`, `a_1`), as its start.
pub(crate) fn identifier_start(text: &str, floor: usize, at: usize, pack: &NumberPack) -> Option<usize> {
    let before = char_before(text, floor, at)?;
    let glue = match before {
        '_' => true,
        '-' => {
            let place = at - 1;
            let mut run = 0;
            let mut upper = false;
            let letters = text.get(floor..place)?.chars().rev().take_while(|c| glued(*c)).filter(|c| !is_mark(*c));
            for c in letters.take(24) {
                run += 1;
                upper |= c.is_uppercase() || digit(c).is_some();
            }
            // `pre-2020`, `top-10`: a word and a number. `MX-204`, `v-2`: an identifier.
            run > 0 && (upper || run <= 2)
        }
        // A letter with its mark apart is what the composed one is.
        c if is_mark(c) => {
            let base = text.get(floor..at)?.chars().rev().find(|c| !is_mark(*c));
            base.is_some_and(|c| is_spaced_letter(c) && c.is_uppercase())
        }
        c => c.is_ascii_alphabetic() || (is_spaced_letter(c) && c.is_uppercase()),
    };
    if !glue {
        return None;
    }
    if prefix(text, floor, at, pack).is_some() {
        return None;
    }
    let mut start = at;
    let mut chars = text.get(floor..at)?.char_indices().rev().peekable();
    while let Some((i, c)) = chars.next() {
        let joins = matches!(c, '-' | '_' | '.' | '/') && chars.peek().is_some_and(|(_, c)| glued(*c));
        if !(glued(c) || joins || c == '_') {
            break;
        }
        // Only `-` and `_` join further words; a stop or slash ends the identifier.
        if matches!(c, '.' | '/') {
            break;
        }
        start = floor + i;
    }
    Some(start)
}

/// Where an identifier ends that holds the byte before `at`.
pub(crate) fn identifier_end(text: &str, at: usize) -> usize {
    let mut end = at;
    let mut chars = text.get(at..).unwrap_or_default().chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let joins = match c {
            '-' | '_' => next.is_some_and(glued),
            '.' => next.is_some_and(|n| digit(n).is_some()),
            _ => false,
        };
        if !(glued(c) || joins) {
            break;
        }
        end += c.len_utf8();
    }
    end
}

/// A currency or percent word that stands before a number: the unit and the word's start.
pub(crate) fn prefix(text: &str, floor: usize, at: usize, pack: &NumberPack) -> Option<(super::Unit, usize)> {
    let mut end = at;
    if let Some(c) = char_before(text, floor, end).filter(|c| matches!(c, ' ' | '\u{a0}')) {
        end -= c.len_utf8();
    }
    let last = char_before(text, floor, end)?;
    if last.is_ascii() && pack.before_ascii >> u32::from(last.to_ascii_lowercase()) & 1 == 0 {
        return None;
    }
    let entries = pack.before.get(&last.to_lowercase().next()?)?;
    // Of dozens of words with one last letter most differ in the letter before it.
    let bytes = text.as_bytes();
    let near = end.checked_sub(2).filter(|at| *at >= floor && last.is_ascii()).and_then(|at| bytes.get(at));
    let differs = |word: &str| {
        let letter = word.len().checked_sub(2).and_then(|at| word.as_bytes().get(at));
        let ascii = letter.zip(near).filter(|(w, t)| w.is_ascii() && t.is_ascii());
        ascii.is_some_and(|(w, t)| !w.eq_ignore_ascii_case(t))
    };
    entries.iter().filter(|(word, _)| !differs(word)).find_map(|(word, unit)| {
        let mut start = end;
        for w in word.chars().rev() {
            let c = char_before(text, floor, start)?;
            if c != w && c.to_lowercase().next() != Some(w) {
                return None;
            }
            start -= c.len_utf8();
        }
        let head = word.chars().next()?;
        let bordered = !is_spaced_letter(head) || !char_before(text, floor, start).is_some_and(glued);
        bordered.then_some((*unit, start))
    })
}

/// An identifier without what writers leave out: `-`, `_`, blanks, case, a leading `v` of a version.
pub fn identity(text: &str) -> String {
    let mut key: String = text
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | '–' | '\u{2011}') && !c.is_whitespace())
        .map(|c| digit(c).map_or(c, |d| char::from(b'0' + d)))
        .flat_map(char::to_lowercase)
        .collect();
    if key.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        key.remove(0);
    }
    key
}

/// The place in a text where an identifier stands, whatever `-`, `_` and blanks are written inside it (`IP 67`).
pub fn stands(text: &str, key: &str) -> Option<(usize, usize)> {
    let key = identity(key);
    let first = key.bytes().next().filter(u8::is_ascii)?;
    let mut from = 0;
    while let Some(i) = memchr::memchr2(first, first.to_ascii_uppercase(), text.as_bytes().get(from..)?) {
        let at = from + i;
        from = at + 1;
        let before = char_before(text, 0, at);
        // A version may lose or gain its `v`.
        let version = matches!(before, Some('v' | 'V')) && first.is_ascii_digit();
        let outer = if version { char_before(text, 0, at - 1) } else { before };
        let dash = matches!(outer, Some('-' | '_' | '.' | ','));
        let behind_dash = || {
            let place = if version { at - 1 } else { at };
            char_before(text, 0, place.saturating_sub(1)).is_some_and(char::is_alphanumeric)
        };
        if outer.is_some_and(glued) || (dash && behind_dash()) {
            continue;
        }
        if let Some(end) = same_identity(text, at, &key) {
            return Some((at, end));
        }
    }
    None
}

/// The end of an identifier that begins at a place and equals a key, with nothing glued behind it.
fn same_identity(text: &str, at: usize, key: &str) -> Option<usize> {
    let mut key = key.chars();
    let mut want = key.next()?;
    let mut end = at;
    let mut chars = text.get(at..)?.chars().peekable();
    loop {
        let c = chars.next()?;
        end += c.len_utf8();
        if matches!(c, '-' | '_' | ' ' | '\u{a0}' | '–' | '\u{2011}') {
            continue;
        }
        let plain = digit(c).map_or(c, |d| char::from(b'0' + d));
        for low in plain.to_lowercase() {
            if low != want {
                return None;
            }
        }
        match key.next() {
            Some(next) => want = next,
            None => break,
        }
    }
    let next = chars.next();
    let further = matches!(next, Some('.' | '-' | '_' | ',')) && chars.next().is_some_and(|c| digit(c).is_some());
    (!next.is_some_and(glued) && !further).then_some(end)
}

//! Digits of all scripts, digit runs with their separators, and how a run is read.

use super::pack::NumberPack;
use crate::text::decimal::Decimal;
use crate::text::norm::chars::is_invisible;

/// The code points of every digit zero outside ASCII (general category Nd, Unicode 16); nine more digits follow each.
const ZEROS: [u32; 75] = [
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20,
    0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0,
    0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x10D40, 0x11066, 0x110F0, 0x11136, 0x111D0,
    0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x116D0, 0x116DA, 0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50,
    0x11D50, 0x11DA0, 0x11F50, 0x16130, 0x16A60, 0x16AC0, 0x16B50, 0x16D70, 0x1CCF0, 0x1D7CE, 0x1D7D8, 0x1D7E2,
    0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1, 0x1E950, 0x1FBF0,
];

/// The value of a decimal digit of any script.
pub(crate) fn digit(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.is_ascii_digit().then(|| c as u8 - b'0');
    }
    let code = c as u32;
    let zero = ZEROS.get(ZEROS.partition_point(|z| *z <= code).checked_sub(1)?)?;
    u8::try_from(code - zero).ok().filter(|d| *d < 10)
}

/// A fraction of one character, as what stands above and below its bar.
pub(crate) fn vulgar(c: char) -> Option<(u8, u8)> {
    Some(match c {
        '½' => (1, 2),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅐' => (1, 7),
        '⅑' => (1, 9),
        '⅒' => (1, 10),
        _ => return None,
    })
}

/// A quotient as a decimal: exact where it ends within three places, else cut behind the twelfth.
pub(crate) fn quotient(over: u8, under: u8) -> Option<(Decimal, i32)> {
    let exact = (1..=3).find(|places| 10i128.pow(*places) * i128::from(over) % i128::from(under.max(1)) == 0);
    let places = exact.unwrap_or(12);
    let scaled = (10i128.pow(places) * i128::from(over)).checked_div(i128::from(under))?;
    let places = i32::try_from(places).ok()?;
    Some((Decimal::new(scaled, -places), places))
}

/// One group of digits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How many digits.
    pub(crate) len: usize,
}

/// Digits with single separators between them.
#[derive(Debug)]
pub(crate) struct Run {
    /// All digits as ASCII.
    pub(crate) digits: String,
    pub(crate) groups: Vec<Group>,
    /// What stands between the groups: `.` `,` `'`, a blank for all blanks, `٬` and `٫`.
    pub(crate) seps: Vec<char>,
    pub(crate) end: usize,
}

/// One group of digits at a place: pushes them as ASCII.
fn group(text: &str, start: usize, digits: &mut String) -> Group {
    let mut end = start;
    let mut len = 0;
    let mut at = start;
    for c in text.get(start..).unwrap_or_default().chars() {
        at += c.len_utf8();
        match digit(c) {
            Some(d) => {
                digits.push(char::from(b'0' + d));
                len += 1;
                end = at;
            }
            // What is not seen parts no number: a reader sees 17 in `1\u{200b}7`.
            None if is_unseen(c) => {}
            None => break,
        }
    }
    Group { start, end, len }
}

/// How many digits stand at a place, counted up to four.
fn upcoming(text: &str, at: usize) -> usize {
    // Most marks end a clause.
    if text.as_bytes().get(at).is_some_and(|b| b.is_ascii() && !b.is_ascii_digit()) {
        return 0;
    }
    let seen = text.get(at..).unwrap_or_default().chars().filter(|c| !is_unseen(*c));
    seen.take(4).take_while(|c| digit(*c).is_some()).count()
}

/// The end of the digits of any script that stand at a place.
pub(crate) fn past(text: &str, at: usize) -> usize {
    let digits = text.get(at..).unwrap_or_default().chars().take_while(|c| digit(*c).is_some());
    at + digits.map(char::len_utf8).sum::<usize>()
}

/// The mark that joins two parts of a date, a time or a ratio at a place, and its end: between full-width digits it may be
/// of full width too.
pub(crate) fn joint(text: &str, at: usize) -> Option<(char, usize)> {
    let c = text.get(at..)?.chars().next()?;
    let plain = match c {
        '／' => '/',
        '：' => ':',
        '－' => '-',
        _ => return Some((c, at + c.len_utf8())),
    };
    let wide = |c: Option<char>| c.is_some_and(|c| matches!(c, '０'..='９'));
    let end = at + c.len_utf8();
    let both = wide(text.get(..at)?.chars().next_back()) && wide(text.get(end..)?.chars().next());
    Some((if both { plain } else { c }, end))
}

/// What is not seen; between digits the joiners and the variation selectors mean nothing either.
fn is_unseen(c: char) -> bool {
    is_invisible(c) || matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}')
}

/// The next place that is seen.
pub(crate) fn seen(text: &str, at: usize) -> usize {
    // Nearly always a blank or a letter stands there.
    if text.as_bytes().get(at).is_none_or(u8::is_ascii) {
        return at;
    }
    let unseen = text.get(at..).unwrap_or_default().chars().take_while(|c| is_unseen(*c));
    at + unseen.map(char::len_utf8).sum::<usize>()
}

/// The digit run at a place where a digit stands.
pub(crate) fn run(text: &str, start: usize, pack: &NumberPack) -> Run {
    let mut run =
        Run { digits: String::with_capacity(16), groups: Vec::with_capacity(2), seps: Vec::new(), end: start };
    let mut at = start;
    loop {
        let g = group(text, at, &mut run.digits);
        run.end = g.end;
        run.groups.push(g);
        let place = seen(text, g.end);
        let Some(sep) = text.get(place..).and_then(|t| t.chars().next()) else { return run };
        let next = seen(text, place + sep.len_utf8());
        let three = |joins: bool| {
            let head = run.groups.first().is_some_and(|f| f.len <= 3);
            joins && head && (g.len == 3 || run.groups.len() == 1) && upcoming(text, next) == 3
        };
        let kind = match sep {
            '.' | ',' | '٬' | '٫' => (upcoming(text, next) > 0).then_some(sep),
            '．' | '，' => {
                let wide = |c: Option<char>| c.is_some_and(|c| matches!(c, '０'..='９'));
                let both = wide(text.get(..g.end).and_then(|t| t.chars().next_back()))
                    && wide(text.get(next..).and_then(|t| t.chars().next()));
                both.then_some(if sep == '．' { '.' } else { ',' })
            }
            '\'' | '’' => three(true).then_some('\''),
            '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' => three(true).then_some(' '),
            ' ' => three(pack.blank_groups || run.seps.first() == Some(&' ') || grouped(text, start, &run, pack))
                .then_some(' '),
            _ => None,
        };
        let Some(kind) = kind else { return run };
        run.seps.push(kind);
        at = next;
    }
}

/// Whether the first group of a run and those behind plain blanks are one number in any language: at least two groups of
/// three, with no other digits beside them. Three digits in front (`100 200 300`) may be a row of numbers, so there a
/// decimal mark or a unit must follow.
fn grouped(text: &str, start: usize, run: &Run, pack: &NumberPack) -> bool {
    let [first] = run.groups.as_slice() else { return false };
    let figure = |at: usize| text.get(at..).and_then(|t| t.chars().next()).and_then(digit);
    let is_figure = |at: usize| figure(at).is_some();
    let mut end = first.end;
    let (mut groups, mut zero) = (0, false);
    while text.as_bytes().get(end) == Some(&b' ') && upcoming(text, end + 1) == 3 {
        let next = past(text, end + 1);
        // What is not seen between digits makes it no plain group.
        if text.get(end + 1..next).is_none_or(|t| t.chars().count() != 3) {
            break;
        }
        zero |= figure(end + 1) == Some(0);
        (groups, end) = (groups + 1, next);
    }
    if groups == 0 {
        return false;
    }
    let blank = text.as_bytes().get(end) == Some(&b' ');
    let alone = !(is_figure(end) || blank && is_figure(end + 1));
    let head = text.get(..start).unwrap_or_default();
    let led = head.strip_suffix(' ').unwrap_or(head).ends_with(|c: char| digit(c).is_some() || c == '+');
    let proved = || {
        let mark = text.as_bytes().get(end).is_some_and(|b| matches!(b, b'.' | b','));
        (mark && is_figure(end + 1)) || pack.units.at(text, if blank { end + 1 } else { end }).is_some()
    };
    // `10 000`, `1 050`: no number of its own begins with a zero.
    alone && !led && (zero || (groups >= 2 && (first.len < 3 || proved())))
}

/// What a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// A number: its readings, the usual one first, and the power of ten of the last digit written.
    Number { readings: Vec<Decimal>, step: i32, convention: Option<char>, ambiguous: bool },
    /// Several whole numbers with commas between them.
    List,
    /// A version, an address of a machine, or more digits than a number has.
    Identifier,
}

fn integer(digits: &str, convention: Option<char>) -> Form {
    match Decimal::parse(digits) {
        Some(d) => Form::Number { readings: vec![d], step: 0, convention, ambiguous: false },
        None => Form::Identifier,
    }
}

fn fraction(digits: &str, places: usize, convention: Option<char>) -> Form {
    match (Decimal::parse(digits), i32::try_from(places)) {
        (Some(d), Ok(p)) => Form::Number { readings: vec![d.shifted(-p)], step: -p, convention, ambiguous: false },
        _ => Form::Identifier,
    }
}

/// Reads a run.
pub(crate) fn read(run: &Run, pack: &NumberPack) -> Form {
    let Some(last_sep) = run.seps.last().copied() else { return integer(&run.digits, None) };
    let lens: Vec<usize> = run.groups.iter().map(|g| g.len).collect();
    let [first, rest @ ..] = lens.as_slice() else { return Form::Identifier };
    let last_len = rest.last().copied().unwrap_or_default();
    let other = |mark: char| {
        if mark == '.' {
            Some(',')
        } else if mark == ',' {
            Some('.')
        } else {
            None
        }
    };
    let marked = |mark: char| matches!(mark, '.' | ',').then_some(mark);
    let threes = |rest: &[usize]| *first <= 3 && rest.iter().all(|l| *l == 3);
    let lakh = |rest: &[usize]| match rest.split_last() {
        Some((last, middle)) => *first <= 2 && *last == 3 && !middle.is_empty() && middle.iter().all(|l| *l == 2),
        None => false,
    };
    if run.seps.iter().all(|s| *s == last_sep) {
        if last_sep == '٫' {
            return if rest.len() == 1 { fraction(&run.digits, last_len, None) } else { Form::Identifier };
        }
        if rest.len() >= 2 {
            return if threes(rest) || (last_sep == ',' && lakh(rest)) {
                integer(&run.digits, other(last_sep))
            } else if last_sep == ',' {
                Form::List
            } else {
                Form::Identifier
            };
        }
        if matches!(last_sep, ' ' | '\'' | '٬') {
            return if last_len == 3 { integer(&run.digits, None) } else { Form::Identifier };
        }
        // `1665,1691`: two years.
        if last_sep == ',' && !pack.decimal_comma && *first == 4 && last_len == 4 {
            return Form::List;
        }
        let zero = run.digits.starts_with('0');
        if last_len != 3 || *first > 3 || zero {
            return fraction(&run.digits, last_len, marked(last_sep));
        }
        let (Form::Number { readings: whole, .. }, Form::Number { readings: part, .. }) =
            (integer(&run.digits, None), fraction(&run.digits, 3, None))
        else {
            return Form::Identifier;
        };
        let decimal_first = (last_sep == ',') == pack.decimal_comma;
        let (readings, step) = if decimal_first { ([part, whole].concat(), -3) } else { ([whole, part].concat(), 0) };
        return Form::Number { readings, step, convention: None, ambiguous: true };
    }
    // Two kinds of separators: the last is the decimal mark when it stands once and the grouping before it is right.
    let (head_seps, head) = (run.seps.split_last().map(|(_, h)| h), rest.split_last().map(|(_, h)| h));
    let (Some(seps), Some(head)) = (head_seps, head) else { return Form::Identifier };
    let group_sep = seps.first().copied().unwrap_or(last_sep);
    let right = seps.iter().all(|s| *s == group_sep && *s != last_sep)
        && !matches!(last_sep, ' ' | '\'' | '٬')
        && (threes(head) || (group_sep == ',' && lakh(head)));
    if right {
        return fraction(&run.digits, last_len, marked(last_sep));
    }
    Form::Identifier
}

//! Digits that are no quantity: dates, ratios, form numbers.

use super::digits::{self, Run, digit, joint, past};
use super::mask::{self, char_at};
use super::pack::{NumberPack, is_mark, is_spaced_letter};
use super::{Kind, Mention, calendar};
use crate::text::decimal::Decimal;

/// Letters glued behind a number make it an identifier (`4G`, `7B`, `3D`), but for ordinals, decades and clock halves:
/// where it ends.
pub(super) fn identifier_tail(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    if let Some(dashed) = rest.strip_prefix('-') {
        // `7-Eleven`, `12-A`; `30-day` is a number.
        return dashed
            .starts_with(|c: char| is_spaced_letter(c) && c.is_uppercase())
            .then(|| mask::identifier_end(text, at));
    }
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).take(8).collect();
    let plain = matches!(
        word.to_ascii_lowercase().as_str(),
        "st" | "nd" | "rd" | "th" | "s" | "er" | "e" | "eme" | "x" | "am" | "pm" | "o" | "a"
    );
    let end = mask::identifier_end(text, at);
    let letters = rest.get(..end - at).unwrap_or_default();
    let numeral = |c: char| digit(c).is_some();
    let latin = letters.chars().all(|c| c.is_ascii() || numeral(c)) && !letters.is_empty();
    let coded = letters.chars().any(|c| c.is_uppercase() || numeral(c)) || letters.len() <= 3;
    (latin && !word.is_empty() && coded && !(plain && letters.len() == word.len())).then_some(end)
}

/// Digit groups joined by `/`, `:`, `-` or `.` into a date, time, ratio or code; nothing when the run is a plain number
/// or the left end of a range.
pub(super) fn joined(text: &str, start: usize, run: &Run, pack: &NumberPack) -> Option<Mention> {
    let dotted = run.seps.len() == 2 && run.seps.iter().all(|s| *s == '.');
    let digits_at = |at: usize| char_at(text, at).is_some_and(|c| digit(c).is_some());
    let mark = if dotted { '.' } else { joint(text, run.end).map_or(' ', |(mark, _)| mark) };
    let part = |s: usize, e: usize| {
        text.get(s..e).unwrap_or_default().chars().filter_map(digit).map(|d| char::from(b'0' + d)).collect::<String>()
    };
    let mut parts: Vec<String> = Vec::new();
    let mut end = run.end;
    if dotted {
        parts.extend(run.groups.iter().map(|g| part(g.start, g.end)));
    } else {
        if !run.seps.is_empty() {
            return None;
        }
        if !matches!(mark, '/' | ':' | '-') {
            return spaced_fraction(text, start, run);
        }
        parts.push(run.digits.clone());
        while let Some((_, next)) = joint(text, end).filter(|(m, next)| *m == mark && digits_at(*next)) {
            // `1/1,000`
            if let Some(far) = thousands(text, next, pack).filter(|_| mark == '/' && parts.len() == 1) {
                parts.push(part(next, far));
                return Some(of_parts(Kind::Ratio, &parts, mark, start, far));
            }
            end = past(text, next);
            parts.push(part(next, end));
        }
    }
    // Legal references: 15/2018/NĐ-CP.
    if mark == '/'
        && parts.len() >= 2
        && char_at(text, end) == Some('/')
        && char_at(text, end + 1).is_some_and(|c| is_spaced_letter(c) && c.is_uppercase())
    {
        return Some(Mention::keyed(Kind::Code, text, start, mask::identifier_end(text, end + 1)));
    }
    let lens: Vec<usize> = parts.iter().map(String::len).collect();
    let number = |i: usize| parts.get(i).and_then(|p| p.parse::<u64>().ok()).unwrap_or(u64::MAX);
    match (mark, lens.as_slice()) {
        ('/' | '-' | '.', [1 | 2, 1 | 2, 4]) | ('/', [1 | 2, 1 | 2, 2]) if number(0) <= 31 && number(1) <= 31 => {
            dated(text, &parts, pack, start, end)
        }
        ('/' | '-' | '.', [4, 1 | 2, 1 | 2]) if number(1) <= 12 && number(2) <= 31 => {
            dated(text, &parts, pack, start, end)
        }
        ('/', [1 | 2, 4]) if number(0) <= 12 && (1200..2800).contains(&number(1)) => {
            dated(text, &parts, pack, start, end)
        }
        (':', [1 | 2, 2, 2]) if number(0) <= 24 && number(1) < 60 && number(2) < 60 => {
            let seconds = Decimal::from(i64::try_from(number(0) * 3600 + number(1) * 60 + number(2)).unwrap_or(0));
            let minutes = Decimal::ratio(seconds, Decimal::from(60))?;
            let time = of_parts(Kind::Time, &parts, ':', start, end);
            Some(Mention { readings: vec![minutes], ..time })
        }
        ('/', [_, _]) => {
            let ratio = of_parts(Kind::Ratio, &parts, mark, start, end);
            Some(Mention { dates: calendar::of_parts(&parts, pack), ..ratio })
        }
        (':', [_, _]) => Some(of_parts(Kind::Ratio, &parts, mark, start, end)),
        ('.', _) => None,
        (_, [_]) => None,
        ('-', [a, b]) => {
            let zero = |i: usize| parts.get(i).is_some_and(|p| p.len() > 1 && p.starts_with('0'));
            let rising = number(0) < number(1);
            let decimals = matches!(char_at(text, end), Some('.' | ',')) && digits_at(end + 1);
            let years = *a == 4 && *b == 2 && (1000..2100).contains(&number(0)) && number(1) > number(0) % 100;
            let plain = rising && (!(zero(0) || zero(1)) || (*a == 2 && *b == 2));
            // `8-9:30`, `7-10.5`: the right end is read on its own.
            let open = decimals || matches!(char_at(text, end), Some('/' | ':'));
            // A score such as `23-16` is two numbers; leading zeros or long parts make a form number.
            let score = *a <= 3 && *b <= 3 && !zero(0) && !zero(1);
            if plain || years || open || score {
                return None;
            }
            Some(Mention::keyed(Kind::Code, text, start, mask::identifier_end(text, end)))
        }
        _ => Some(Mention::keyed(Kind::Code, text, start, mask::identifier_end(text, end))),
    }
}

/// `1 / 3`: a fraction below one with blanks around its slash. One of several (`5 / 8 / 2026`, `1 / 3 / 5`) is none.
fn spaced_fraction(text: &str, start: usize, run: &Run) -> Option<Mention> {
    let next = run.end + text.get(run.end..)?.strip_prefix(" / ").map(|_| 3)?;
    let end = past(text, next);
    let in_a_row = text.get(..start)?.trim_end_matches(' ').ends_with('/')
        || text.get(end..)?.trim_start_matches(' ').starts_with('/');
    let under: String = text.get(next..end)?.chars().filter_map(digit).map(|d| char::from(b'0' + d)).collect();
    let goes_on = char_at(text, end).is_some_and(|c| is_spaced_letter(c) || is_mark(c))
        || (matches!(char_at(text, end), Some('.' | ',' | ':' | '-'))
            && char_at(text, end + 1).is_some_and(|c| digit(c).is_some()));
    let parts = [run.digits.clone(), under];
    let [over, under] = parts.each_ref().map(|p| Some(p).filter(|p| p.len() <= 2).and_then(|p| p.parse::<u8>().ok()));
    let below_one = over.zip(under).is_some_and(|(over, under)| 0 < over && over < under);
    (below_one && !in_a_row && !goes_on).then(|| of_parts(Kind::Ratio, &parts, '/', start, end))
}

/// Where digits in groups of three end that begin at a place: what the language writes between thousands parts them.
fn thousands(text: &str, at: usize, pack: &NumberPack) -> Option<usize> {
    let mark = if pack.decimal_comma { '.' } else { ',' };
    let group = past(text, at);
    char_at(text, group).filter(|c| *c == mark)?;
    let run = digits::run(text, at, pack);
    let threes = run.groups.iter().skip(1).all(|g| g.len == 3) && run.groups.first()?.len <= 3;
    (threes && run.seps.iter().all(|s| *s == mark)).then_some(run.end)
}

/// A date of digits; a code where no calendar has such a day.
fn dated(text: &str, parts: &[String], pack: &NumberPack, start: usize, end: usize) -> Option<Mention> {
    let dates = calendar::of_parts(parts, pack);
    if dates.is_empty() {
        return Some(Mention::keyed(Kind::Code, text, start, mask::identifier_end(text, end)));
    }
    Some(Mention { dates, kind: Kind::Date, ..Mention::bare(Vec::new(), start, end) })
}

/// Whether the letters of an English ordinal stand at a place: `7th`.
pub(super) fn ordinal_suffix(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let goes_on = |t: &str| t.starts_with(|c| is_spaced_letter(c) || is_mark(c));
    let is_suffix = |t: &str| ["st", "nd", "rd", "th"].iter().any(|suffix| t.eq_ignore_ascii_case(suffix));
    rest.get(..2).is_some_and(is_suffix) && !rest.get(2..).is_some_and(goes_on)
}

fn of_parts(kind: Kind, parts: &[String], mark: char, start: usize, end: usize) -> Mention {
    let readings: Vec<Decimal> = parts.iter().filter_map(|p| Decimal::parse(p)).collect();
    let key = parts.iter().map(|p| p.trim_start_matches('0')).collect::<Vec<_>>().join(&mark.to_string());
    Mention { kind, key, ..Mention::bare(readings, start, end) }
}

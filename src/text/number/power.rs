//! Powers: of ten behind a number (`1.3e6`), and of the number itself (`2^3`).

use super::Mention;
use super::digits::digit;
use super::pack::goes_on;
use super::scan::Mentions;
use crate::text::decimal::Decimal;

impl Mentions<'_> {
    /// `1.3e6`, `1.3x10^6`, `6 × 10⁻⁴`: a power of ten that multiplies. `2^3`, `10⁶`: a power of the number itself.
    pub(super) fn exponent(&self, m: &mut Mention) {
        let rest = self.text.get(m.end..).unwrap_or_default();
        let behind = |tail: &str| m.end + rest.len() - tail.len();
        let times = || {
            let tail = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix(['x', '×', '*', '·'])?;
            let tail = ten(tail.strip_prefix(' ').unwrap_or(tail))?;
            tail.strip_prefix('^').map_or_else(|| raised(tail), whole).map(|(p, t)| (p, behind(t)))
        };
        let letter = || whole(rest.strip_prefix(['e', 'E'])?).map(|(p, t)| (p, behind(t)));
        if let Some((power, end)) = times().or_else(letter) {
            if power.abs() <= 30 {
                m.readings = m.readings.iter().map(|r| r.shifted(power)).collect();
                (m.step, m.end) = (m.step + power, end);
                m.key.clear();
            }
            return;
        }
        // `10⁶`; as a footnote behind ten it is ten, as `10²` is to most.
        if m.key == "10"
            && let Some((power, tail)) = raised(rest).filter(|(p, _)| *p < 0 || *p > 2)
        {
            let end = behind(tail);
            m.readings.insert(0, Decimal::from(1).shifted(power));
            (m.step, m.end) = (power, end);
            m.key.clear();
            return;
        }
        // `2 ^ - 3`: where blanks part the mark from its numbers, one may part a sign from its own.
        let spaced = rest.strip_prefix(" ^ ");
        let power = spaced.or_else(|| rest.strip_prefix('^')).and_then(|t| signed(t, spaced.is_some()));
        let Some((power, tail)) = power else { return };
        // -2^2 is -4.
        let zero = Decimal::from(0);
        let raise = |r: &Decimal| if *r < zero { r.negated()?.power(power)?.negated() } else { r.power(power) };
        if let Some(readings) = m.readings.iter().map(raise).collect() {
            (m.readings, m.end) = (readings, behind(tail));
            m.step = m.value().map_or(0, Decimal::step);
            m.key.clear();
        }
    }
}

/// A whole number of up to three digits with its sign, and what follows it; nothing where letters are glued to it.
fn whole(text: &str) -> Option<(i32, &str)> {
    signed(text, false)
}

/// The same, with a blank between sign and digits where `spaced` says so.
fn signed(text: &str, spaced: bool) -> Option<(i32, &str)> {
    let figures = text.trim_start_matches(['+', '-']);
    // A sign of a sign: `1.1^--2`.
    let signs = text.get(..text.len() - figures.len()).filter(|s| s.len() <= 2)?;
    let minus = signs.bytes().filter(|b| *b == b'-').count() % 2 == 1;
    let figures = figures.strip_prefix(' ').filter(|_| spaced && !signs.is_empty()).unwrap_or(figures);
    let found = figures.chars().take(4).map_while(|c| Some((digit(c)?, c.len_utf8())));
    let (value, count, len) = found.fold((0, 0, 0), |(v, n, l), (d, len)| (v * 10 + i32::from(d), n + 1, l + len));
    let rest = figures.get(len..).filter(|_| (1..=3).contains(&count))?;
    let decimals = rest.strip_prefix(['.', ',']).is_some_and(|t| t.starts_with(|c: char| digit(c).is_some()));
    let glued = goes_on(rest);
    (!glued && !decimals).then_some((if minus { -value } else { value }, rest))
}

/// What follows a ten in digits.
fn ten(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let is = |c: Option<char>, value: u8| c.and_then(digit) == Some(value);
    (is(chars.next(), 1) && is(chars.next(), 0)).then_some(chars.as_str())
}

/// A whole number in raised digits, and what follows it.
fn raised(text: &str) -> Option<(i32, &str)> {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let (sign, mut rest) = match text.strip_prefix('⁻') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let mut value = None;
    for _ in 0..2 {
        let digit = RAISED.iter().zip(0..).find_map(|(c, v)| Some((v, rest.strip_prefix(*c)?)));
        let Some((v, tail)) = digit else { break };
        (value, rest) = (Some(value.unwrap_or(0) * 10 + v), tail);
    }
    value.map(|v: i32| (sign * v, rest))
}

//! Computed numbers: an operation that the answer shows, or one operand from the question and one from a passage.
//!
//! Sums and differences of any two numbers of a passage are not tried: among seventeen numbers nearly every small one is
//! some difference, and a slip would be waved through.

use super::evidence::{Claim, Source};
use crate::text::decimal::Decimal;
use crate::text::number::{Kind, Mention, Mentions, NumberPack, Unit};
use crate::text::pack::Lang;

/// An operation between two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

impl Operator {
    fn read(gap: &str) -> Option<Self> {
        match gap.trim() {
            "+" | "＋" => Some(Operator::Plus),
            "-" | "–" | "−" | "—" => Some(Operator::Minus),
            "×" | "x" | "X" | "*" | "·" | "＊" => Some(Operator::Times),
            "÷" | "/" | ":" => Some(Operator::Over),
            _ => None,
        }
    }

    fn of(self, a: Decimal, b: Decimal) -> Option<Decimal> {
        match self {
            Operator::Plus => a.checked_add(b),
            Operator::Minus => a.checked_add(b.negated()?),
            Operator::Times => a.checked_mul(b),
            Operator::Over => Decimal::ratio(a, b),
        }
    }
}

fn operand(m: &Mention) -> Option<Decimal> {
    let share = m.kind == Kind::Percent;
    m.value().map(|v| if share { v.shifted(-2) } else { v })
}

/// `a op b op c` over neighbouring mentions, products first.
fn evaluate(text: &str, parts: &[&Mention]) -> Option<Decimal> {
    let mut terms: Vec<(bool, Decimal)> = Vec::new();
    let (first, rest) = parts.split_first()?;
    let mut current = (false, operand(first)?);
    let mut before = first;
    for m in rest {
        let value = operand(m)?;
        match Operator::read(text.get(before.end..m.start)?)? {
            Operator::Plus => {
                terms.push(current);
                current = (false, value);
            }
            Operator::Minus => {
                terms.push(current);
                current = (true, value);
            }
            op @ (Operator::Times | Operator::Over) => current.1 = op.of(current.1, value)?,
        }
        before = m;
    }
    terms.push(current);
    terms.iter().try_fold(Decimal::from(0), |sum, (negative, v)| {
        let op = if *negative { Operator::Minus } else { Operator::Plus };
        op.of(sum, *v)
    })
}

/// Numbers behind or in front of an equals sign whose other side is an operation over numbers that stand somewhere.
pub(super) fn shown(text: &str, mentions: &[Mention], which: &[usize], claims: &mut [Claim<'_>]) {
    if !text.contains(['=', '＝']) {
        return;
    }
    let gap = |a: &Mention, b: &Mention| text.get(a.end..b.start).unwrap_or_default();
    let operates = |i: usize| {
        let pair = mentions.get(i).zip(mentions.get(i + 1));
        pair.is_some_and(|(a, b)| Operator::read(gap(a, b)).is_some())
    };
    let equals = |i: usize| {
        let pair = mentions.get(i).zip(mentions.get(i + 1));
        pair.is_some_and(|(a, b)| matches!(gap(a, b).trim(), "=" | "＝"))
    };
    for eq in (0..mentions.len()).filter(|i| equals(*i)) {
        let from = (0..eq).rev().take_while(|i| operates(*i)).last().unwrap_or(eq);
        let to = (eq + 1..mentions.len()).take_while(|i| operates(*i)).last().map_or(eq + 1, |i| i + 1);
        let (result, parts) = if from < eq { (eq + 1, from..=eq) } else { (eq, eq + 1..=to) };
        let Some(operands) = mentions.get(parts.clone()).filter(|p| p.len() > 1) else { continue };
        let known = parts.clone().all(|i| {
            which.get(i).and_then(|c| claims.get(*c)).is_some_and(|c| !c.status().is_fault() || c.derived.is_some())
        });
        let Some(stated) = mentions.get(result) else { continue };
        let value = evaluate(text, &operands.iter().collect::<Vec<_>>());
        let unit = stated.unit.is_none() || operands.iter().any(|o| o.unit == stated.unit) || no_unit(operands);
        if known && unit && value.is_some_and(|v| stated.readings.contains(&v)) {
            let written = |m: &Mention| text.get(m.start..m.end).unwrap_or_default();
            let how = operands.first().zip(operands.last()).and_then(|(a, b)| text.get(a.start..b.end));
            let how = format!("{} = {}", how.unwrap_or_default(), written(stated));
            if let Some(claim) = which.get(result).and_then(|c| claims.get_mut(*c)) {
                claim.derived = Some(how);
            }
        }
    }
}

fn no_unit(operands: &[Mention]) -> bool {
    operands.iter().all(|o| o.unit.is_none())
}

/// A number of a passage, with a number or a percentage of the question: `a·n`, `a·p/100`, `a·(1 − p/100)`.
pub(super) fn from_question(claims: &mut [Claim<'_>], question: &str, sources: &[Source<'_>], lang: &Lang) {
    if !claims.iter().any(|c| c.status().is_fault() && c.mention.unit.is_some()) {
        return;
    }
    let asked: Vec<Mention> =
        Mentions::with_words(question, NumberPack::of(lang)).filter(|m| m.kind.has_value()).collect();
    if asked.is_empty() {
        return;
    }
    for source in sources {
        for a in source.numbers(lang).iter().filter(|m| m.kind.has_value() && m.unit.is_some()) {
            for claim in claims.iter_mut().filter(|c| c.status().is_fault() && c.mention.unit == a.unit) {
                if let Some((n, sign)) = asked.iter().find_map(|n| Some((n, product(claim.mention, a, n)?))) {
                    let written = |text: &str, m: &Mention| text.get(m.start..m.end).unwrap_or_default().to_owned();
                    claim.derived = Some(format!("{} {sign} {}", written(source.text, a), written(question, n)));
                }
            }
        }
    }
}

/// The sum or difference of two numbers of one unit that stand in the passages or the question: only where a suite grants it.
pub(super) fn sums(claims: &mut [Claim<'_>], asked: &[Source<'_>], sources: &[Source<'_>], lang: &Lang) {
    let all: Vec<(&str, &Mention, Decimal)> = asked
        .iter()
        .chain(sources)
        .flat_map(|s| s.numbers(lang).iter().map(move |m| (s.text, m)))
        .filter(|(_, m)| m.kind.has_value())
        .filter_map(|(text, m)| Some((text, m, m.value()?)))
        .collect();
    for claim in claims.iter_mut().filter(|c| c.status().is_fault()) {
        let Some(wanted) = claim.mention.value() else { continue };
        let same: Vec<_> = all.iter().filter(|(_, m, _)| m.unit == claim.mention.unit).take(SUMMANDS).collect();
        let pairs = same.iter().enumerate().flat_map(|(i, a)| same.iter().skip(i + 1).map(move |b| (a, b)));
        let written = |text: &str, m: &Mention| text.get(m.start..m.end).unwrap_or_default().to_owned();
        for (a, b) in pairs {
            let (more, less) = if a.2 < b.2 { (b, a) } else { (a, b) };
            let sign = if Operator::Plus.of(more.2, less.2) == Some(wanted) {
                "+"
            } else if Operator::Minus.of(more.2, less.2) == Some(wanted) {
                "−"
            } else {
                continue;
            };
            claim.derived = Some(format!("{} {sign} {}", written(more.0, more.1), written(less.0, less.1)));
            break;
        }
    }
}

/// So many numbers of one unit are tried in pairs.
const SUMMANDS: usize = 256;

fn product(claim: &Mention, a: &Mention, n: &Mention) -> Option<&'static str> {
    // A place in an order multiplies nothing.
    if n.unit == Some(Unit::ORDINAL) || a.unit == Some(Unit::ORDINAL) {
        return None;
    }
    let (wanted, value, by) = (claim.value()?, a.value()?, n.value()?);
    if n.kind == Kind::Percent {
        let part = value.checked_mul(by.shifted(-2))?;
        return if part == wanted {
            Some("×")
        } else if value.checked_add(part.negated()?)? == wanted {
            Some("less")
        } else {
            None
        };
    }
    let counts = by > Decimal::from(1) && n.unit.is_none_or(|u| Some(u) != a.unit);
    (counts && value.checked_mul(by)? == wanted).then_some("×")
}

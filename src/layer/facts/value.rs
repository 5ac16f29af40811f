//! Numbers and dates: stated by value, in any writing, and as the bound that is wanted.

use super::look::{Found, Match, Miss, found};
use super::negation::{Guard, clause_before, denies, denies_directly};
use super::sheet::Sheet;
use super::words::{Form, places, touching};
use crate::suite::NumberOp;
use crate::text::decimal::Decimal;
use crate::text::norm::chars::{self, is_blank, is_unspaced};
use crate::text::norm::{find_phrase, matching, visible};
use crate::text::number::{self, Agreement, Civil, Kind, Mention, Relation, agree};
use crate::text::pack::{Lang, Words};
use std::ops::Range;

/// A value that is looked for.
pub(super) struct Wanted<'f> {
    /// As if it had been read.
    pub(super) fact: &'f Mention,
    /// What may be said of it.
    pub(super) op: NumberOp,
    /// What a negation does.
    pub(super) guard: Guard,
    /// How it counts as found.
    pub(super) how: &'static str,
}

/// The number or date that a text is, if it is nothing else.
pub(super) fn only_number(text: &str, lang: &Lang) -> Option<Mention> {
    const LONGEST: usize = 80;
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let mut mentions = number::mentions(text, lang).into_iter();
    let first = mentions.next()?;
    let is_whole = mentions.next().is_none() && first.start == 0 && first.end == text.len();
    let is_value = match first.kind {
        Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money | Kind::Date | Kind::Time => true,
        Kind::Ratio | Kind::Phone | Kind::Code => false,
    };
    (is_whole && is_value).then_some(first)
}

/// A text that is a number: by value; as a phrase only where the answer has no value there (a code, a date).
pub(super) fn value_of_text(sheet: &Sheet<'_>, needle: &str, fact: &Mention, guard: Guard) -> Match {
    let wanted = Wanted { fact, op: NumberOp::Stated, guard, how: "value" };
    let result = match fact.kind {
        Kind::Date => dates(sheet, &wanted, &fact.dates),
        Kind::Time => with_value(sheet, &wanted, times(sheet, fact)),
        Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money | Kind::Ratio | Kind::Phone | Kind::Code => {
            with_value(sheet, &wanted, stating(sheet, fact))
        }
    };
    match result {
        Ok(stated) if find_phrase(sheet.matching(), needle).is_some() => Ok(Found { how: "text", ..stated }),
        // A number word that counts something unknown (`four chambers`) is no claim of a value, and the very word all the same.
        Err(Miss::Missing | Miss::Wrong { .. })
            if fact.unit.is_none()
                && (phrase_without_value(sheet, needle) || (fact.spelled && is_word(sheet, needle, fact))) =>
        {
            found("text")
        }
        Ok(_) | Err(_) => result,
    }
}

/// Whether the phrase stands at a place of the answer that a mention without a value covers, or is all of the answer.
/// Anywhere else its digits count the items of a list.
fn phrase_without_value(sheet: &Sheet<'_>, needle: &str) -> bool {
    if sheet.matching().trim() == needle.trim() {
        return true;
    }
    if find_phrase(sheet.matching(), needle).is_none() {
        return false;
    }
    let keyed: Vec<&Mention> = sheet.mentions().iter().filter(|m| !m.kind.has_value()).collect();
    places(sheet, needle, Form::Matching).iter().any(|place| !touching(&keyed, place).is_empty())
}

/// Whether the very word of a number stands in the answer, and not as a part of a larger number.
fn is_word(sheet: &Sheet<'_>, needle: &str, fact: &Mention) -> bool {
    let all: Vec<&Mention> = sheet.mentions().iter().collect();
    let alone = |place: &Range<usize>| touching(&all, place).iter().all(|m| m.value() == fact.value());
    find_phrase(sheet.matching(), needle).is_some() && places(sheet, needle, Form::Matching).iter().any(alone)
}

/// A number by value and unit.
pub(super) fn number_fact(sheet: &Sheet<'_>, value: Decimal, unit: Option<&str>, op: NumberOp, guard: Guard) -> Match {
    let known = unit.and_then(|u| number::unit(u, sheet.lang));
    let fact = wanted(value, known);
    // A unit that the packs do not know must follow as it is written.
    let follows = |m: &Mention| match unit {
        Some(written) if known.is_none() => {
            let tail = sheet.text.get(m.start..).unwrap_or_default();
            let reach = sheet.written(m).chars().count() + written.chars().count() + 2;
            let near = tail.char_indices().nth(reach).and_then(|(i, _)| tail.get(..i)).unwrap_or(tail);
            find_phrase(&matching(near), &matching(written)).is_some()
        }
        Some(_) | None => true,
    };
    let stating: Vec<&Mention> = match known {
        Some(_) => stating(sheet, &fact),
        None => sheet.mentions().iter().filter(|m| states(m, &fact) && follows(m)).collect(),
    };
    // Without knowing the unit there is no telling which number should have been the right one.
    if stating.is_empty() && unit.is_some() && known.is_none() {
        return Err(Miss::Missing);
    }
    with_value(sheet, &Wanted { fact: &fact, op, guard, how: "number" }, stating)
}

/// A date; a year that the answer leaves out is that of the question.
pub(super) fn date_fact(sheet: &Sheet<'_>, date: Civil, guard: Guard) -> Match {
    let fact = Mention { dates: vec![date], kind: Kind::Date, ..Mention::bare(Vec::new(), 0, 0) };
    dates(sheet, &Wanted { fact: &fact, op: NumberOp::Stated, guard, how: "date" }, &fact.dates)
}

/// Whether one of some readings of a date is stated.
fn dates(sheet: &Sheet<'_>, wanted: &Wanted<'_>, readings: &[Civil]) -> Match {
    let year_asked = |year: i32| {
        number::mentions(sheet.question, sheet.lang)
            .iter()
            .any(|m| m.dates.iter().any(|d| d.year == Some(year)) || m.value() == Some(Decimal::from(i64::from(year))))
    };
    let holds = |d: &Civil| {
        readings.iter().any(|r| {
            r.stated_by(*d) || (d.year.is_none() && r.year.is_some_and(year_asked) && r.without_year().stated_by(*d))
        })
    };
    let all = || sheet.mentions().iter().filter(|m| m.kind == Kind::Date);
    // `30/11` may be a share as well as a day.
    let may_be = sheet.mentions().iter().filter(|m| !m.dates.is_empty());
    // A year alone may be read as a number.
    let year = |m: &&Mention| match readings {
        [Civil { year: Some(y), month: None, day: None }] => {
            m.unit.is_none() && m.value() == Some(Decimal::from(i64::from(*y)))
        }
        _ => false,
    };
    let stating: Vec<&Mention> = may_be.filter(|m| m.dates.iter().any(holds)).collect();
    let stating = if stating.is_empty() { sheet.mentions().iter().filter(year).collect() } else { stating };
    if !stating.is_empty() {
        return with_value(sheet, wanted, stating);
    }
    Err(told(sheet, all()))
}

fn times<'s>(sheet: &'s Sheet<'_>, fact: &Mention) -> Vec<&'s Mention> {
    sheet.mentions().iter().filter(|m| agree(m, fact) == Some(Agreement::Exact)).collect()
}

/// What the mentions that state a value come to: with the bound that is wanted, and not denied.
fn with_value(sheet: &Sheet<'_>, wanted: &Wanted<'_>, stating: Vec<&Mention>) -> Match {
    let Some(first) = stating.first().copied() else {
        return Err(if wanted.fact.kind == Kind::Time {
            told(sheet, sheet.mentions().iter().filter(|m| m.kind == Kind::Time))
        } else {
            wrong_value(sheet, wanted.fact)
        });
    };
    let fits = |m: &&Mention| match (wanted.op, bound(sheet, m)) {
        (NumberOp::Stated, _) | (_, None) => true,
        (NumberOp::Le, Some(bound)) => bound == Bound::Upper,
        (NumberOp::Ge, Some(bound)) => bound == Bound::Lower,
        (NumberOp::Eq, Some(_)) => false,
    };
    let any_bound = wanted.op == NumberOp::Stated;
    let fitting: Vec<&Mention> = if any_bound { stating } else { stating.into_iter().filter(fits).collect() };
    let place = |m: &Mention| Some(sheet.points(m.start..m.end));
    let written = |m: &Mention| visible(sheet.written(m).trim());
    let Some(one) = fitting.first().copied() else {
        return Err(Miss::Bound { found: written(first), place: place(first) });
    };
    if wanted.guard == Guard::Off {
        return found(wanted.how);
    }
    // `not 7 days` denies the value itself, whatever the words around it are.
    let denied = |m: &&Mention| denies_directly(sheet, &(m.start..m.end));
    let left: Vec<&Mention> = fitting.into_iter().filter(|m| !denied(m)).collect();
    if left.iter().any(|m| !denies(sheet, &(m.start..m.end))) {
        return found(wanted.how);
    }
    if left.is_empty() || wanted.guard == Guard::Strict {
        return Err(Miss::Negated { found: written(one), place: place(one) });
    }
    Ok(Found { how: wanted.how, note: place(one) })
}

/// What a number is said to be the limit of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Upper,
    Lower,
}

/// Whether a number of the answer is said to be the most or the least that may be.
fn bound(sheet: &Sheet<'_>, m: &Mention) -> Option<Bound> {
    const BEHIND: usize = 30;
    let claims = &sheet.pack?.claims;
    let written = sheet.written(m);
    let before = matching(&clause_before(sheet.text, m.start, written, claims));
    let near = |r: &Range<usize>| {
        let between = before.get(r.end..).unwrap_or_default().trim();
        match between.chars().any(is_unspaced) {
            true => between.chars().filter(|c| !is_blank(*c)).count() <= 4,
            false => between.split(' ').filter(|w| !w.is_empty()).count() <= 2,
        }
    };
    let upper = claims.upper.places(&before).filter(near).last().map(|r| (r.end, r.len(), Bound::Upper));
    let lower = claims.lower.places(&before).filter(near).last().map(|r| (r.end, r.len(), Bound::Lower));
    // The number's own text may begin with the word.
    let own = matching(written);
    let starts = |words: &Words| words.places(&own).next().is_some_and(|r| r.start == 0);
    let behind: String = sheet.text.get(m.end..).unwrap_or_default().chars().take(BEHIND).collect();
    let behind = matching(&behind);
    let follows = |words: &Words| words.places(&behind).next().is_some_and(|r| r.start == 0);
    if follows(&claims.upper_behind) || starts(&claims.upper) {
        return Some(Bound::Upper);
    }
    if follows(&claims.lower_behind) || starts(&claims.lower) {
        return Some(Bound::Lower);
    }
    // `เกิน` (over) stands inside `ไม่เกิน` (not over): the nearest decides, and of two at one place the longer.
    [upper, lower].into_iter().flatten().max_by_key(|(end, length, _)| (*end, *length)).map(|(.., bound)| bound)
}

/// Whether a number is more than a word such as `two` or `một`, which states one only where it counts something or is all
/// that the answer says.
fn is_said(sheet: &Sheet<'_>, m: &Mention) -> bool {
    m.claim || !m.spelled || m.unit.is_some() || is_all(sheet, m)
}

/// Whether a number is all that the answer says.
fn is_all(sheet: &Sheet<'_>, m: &Mention) -> bool {
    let outside = |part: Option<&str>| part.is_none_or(|p| !p.chars().any(chars::is_word));
    outside(sheet.text.get(..m.start)) && outside(sheet.text.get(m.end..))
}

/// Whether a number of the answer states a fact. `Nine.` answers the question for days in full; within a sentence a single
/// number word without a unit counts other things too often.
fn answers(sheet: &Sheet<'_>, m: &Mention, fact: &Mention) -> bool {
    let digits = || Mention { spelled: false, ..m.clone() };
    states(m, fact) || (m.spelled && m.unit.is_none() && is_all(sheet, m) && states(&digits(), fact))
}

/// The numbers of the answer that state a fact which has a value.
fn stating<'s>(sheet: &'s Sheet<'_>, fact: &Mention) -> Vec<&'s Mention> {
    let mentions = sheet.mentions();
    let unit_stands = || {
        mentions.iter().any(|m| {
            m.kind.has_value()
                && m.unit.zip(fact.unit).is_some_and(|(found, wanted)| found.relation(wanted) != Relation::Conflict)
        })
    };
    let all: Vec<(usize, &Mention)> =
        mentions.iter().enumerate().filter(|(_, m)| is_said(sheet, m) && answers(sheet, m, fact)).collect();
    if all.is_empty() {
        return sheet.composed_amounts().iter().filter(|m| states(m, fact)).collect();
    }
    let unit_stands = fact.unit.is_some() && !all.is_empty() && unit_stands();
    let counts = |i: usize, m: &Mention| match fact.unit {
        Some(unit) if m.unit.is_none() => {
            !number::is_ordinal(sheet.text, m, sheet.lang) && (!unit_stands || lists_unit(sheet, i, unit))
        }
        Some(_) | None => true,
    };
    all.into_iter().filter(|(i, m)| counts(*i, m)).map(|(_, m)| m).collect()
}

/// Whether a number without a unit may stand for a fact that has one where another number bears such a unit: only if the
/// two are of one list (`7, 14 or 30 days`, but not `section 7: within 30 days`).
fn lists_unit(sheet: &Sheet<'_>, index: usize, unit: number::Unit) -> bool {
    const LONGEST_LIST: usize = 20;
    let mentions = sheet.mentions();
    let behind = mentions.iter().skip(index + 1).take(LONGEST_LIST);
    for (before, next) in mentions.iter().skip(index).zip(behind) {
        let gap = sheet.text.get(before.end..next.start);
        if !next.kind.has_value() || !gap.is_some_and(listed) {
            return false;
        }
        if let Some(found) = next.unit {
            return found.relation(unit) != Relation::Conflict;
        }
    }
    false
}

/// Whether no more than a comma and a short word (`or`, `hoặc`, `หรือ`, `或`) stands between two numbers.
fn listed(gap: &str) -> bool {
    const LONGEST_WORD: usize = 4;
    gap.chars().all(|c| c == ' ' || c == ',' || c == '/' || c == '、' || c == '，' || chars::is_word(c))
        && gap.chars().filter(|c| chars::is_word(*c)).count() <= LONGEST_WORD
}

/// Whether a number of the answer states a fact: the usual reading, after exact conversion of units.
pub(super) fn states(mention: &Mention, fact: &Mention) -> bool {
    // `5` is not `5 %`.
    let percent = |m: &Mention| m.kind == Kind::Percent;
    percent(mention) == percent(fact) && agree(mention, fact) == Some(Agreement::Exact)
}

/// A number that is wanted, as if it had been read.
pub(super) fn wanted(value: Decimal, unit: Option<number::Unit>) -> Mention {
    let kind = match unit {
        Some(u) if u == number::Unit::PERCENT => Kind::Percent,
        Some(_) => Kind::Quantity,
        None => Kind::Number,
    };
    Mention { unit, kind, ..Mention::bare(vec![value], 0, 0) }
}

/// The numbers that stand where the right one should: the same unit, or one that can be converted. One that another fact of
/// the question asks for stands where it should, and each is told once.
fn wrong_value(sheet: &Sheet<'_>, fact: &Mention) -> Miss {
    let comparable = |m: &Mention| {
        m.kind.has_value()
            && is_said(sheet, m)
            && match (m.unit, fact.unit) {
                (Some(a), Some(b)) => a.relation(b) != Relation::Conflict,
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            }
    };
    told(sheet, sheet.mentions().iter().filter(|m| comparable(m) && !sheet.required().iter().any(|r| states(m, r))))
}

/// The mentions that stand where the right one should, each told once.
fn told<'s>(sheet: &Sheet<'_>, all: impl Iterator<Item = &'s Mention>) -> Miss {
    const MOST: usize = 3;
    let mut first = None;
    let mut told: Vec<String> = Vec::new();
    for m in all {
        let written = visible(sheet.written(m).trim());
        if told.len() < MOST && !told.contains(&written) {
            first.get_or_insert(m);
            told.push(written);
        }
    }
    match first {
        None => Miss::Missing,
        Some(m) => Miss::Wrong { found: told.join(", "), place: Some(sheet.points(m.start..m.end)) },
    }
}

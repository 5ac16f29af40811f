//! The verdict on each fact.

use super::sheet::Sheet;
use super::{FactVerdict, nearest};
use crate::layer::refusal::{Label, effective};
use crate::layer::{Code, Detail, Exam, Finding, LayerResult, Outcome, Reading, Skip};
use crate::suite::{Expect, Fact, FactForm};
use crate::text::decimal::Decimal;
use crate::text::norm::chars::is_word;
use crate::text::norm::{find_phrase, find_phrases, matching, matching_in, matching_mapped_in, tone, visible};
use crate::text::number::{self, Agreement, Kind, Mention, Relation, agree};
use crate::text::pack::Pack;
use std::fmt::Write as _;
use std::ops::Range;

/// Checks the facts.
pub fn check(exam: &Exam<'_>, reading: &Reading<'_>) -> LayerResult {
    let question = exam.question;
    if question.facts.is_empty() && question.must_not.is_empty() {
        return LayerResult::skipped(Skip::NotApplicable);
    }
    if let Some(result) = reading.without_answer(exam) {
        return result;
    }
    let refuses = effective(exam, reading) == Label::Refusal;
    // Where a refusal is right, it has nothing to state.
    let asked = !(refuses && question.expect != Expect::Answer);
    if !asked && question.must_not.is_empty() {
        return LayerResult::skipped(Skip::NotApplicable);
    }
    let sheet = Sheet::new(exam, reading, refuses);
    // The end goes with the last code point: a marker may stand right behind it.
    let original = |r: Range<usize>| {
        let start = reading.cited.original(r.start);
        (start, r.end.checked_sub(1).map_or(start, |last| reading.cited.original(last) + 1).max(start))
    };
    let mut verdicts = Vec::new();
    let mut findings = Vec::new();
    let required = question.facts.iter().filter(|_| asked);
    for fact in required {
        // A refusal may name the very words that it does not answer with.
        let result = if refuses { Match::Missing } else { look(&sheet, &fact.form) };
        if let Some(finding) = missing(&sheet, &fact.form, &result) {
            findings.push(match &result {
                Match::Wrong { place: Some(place), .. } => {
                    let (start, end) = original(place.clone());
                    finding.span(start, end)
                }
                Match::Wrong { place: None, .. } | Match::Missing | Match::Unknown | Match::Found { .. } => finding,
            });
        }
        verdicts.push(verdict(fact, false, &result));
    }
    let whole = reading.answer.filter(|answer| *answer != sheet.text).map(|answer| sheet.of(answer));
    for fact in &question.must_not {
        let mut result = look(&sheet, &fact.form);
        let mut there = place(&sheet, &fact.form).map(original);
        // A marker or a footnote may hide what must not be said.
        if let (Some(whole), false) = (&whole, matches!(result, Match::Found { .. })) {
            result = look(whole, &fact.form);
            there = place(whole, &fact.form).map(|r| (r.start, r.end));
        }
        if let Match::Found { how } = &result {
            // How it was found is worth a word only where the very words do not stand there.
            let by_value = if matches!(*how, "value" | "number") { " (by value)" } else { "" };
            let message = format!("It says “{}”, which it must not{by_value}.", visible(&fact.to_string()));
            let finding = Finding::fault(Code::ForbiddenClaim, message);
            findings.push(match there {
                Some((start, end)) => finding.span(start, end),
                None => finding,
            });
        }
        verdicts.push(verdict(fact, true, &result));
    }
    let outcome = if verdicts.iter().all(|v| v.ok) { Outcome::Pass } else { Outcome::Fail };
    LayerResult { outcome, findings, detail: Detail::Facts(verdicts) }
}

/// Whether a text states every required fact; no message is written. Nothing when the question requires none.
pub fn states_all(exam: &Exam<'_>, reading: &Reading<'_>) -> Option<bool> {
    let facts = &exam.question.facts;
    let sheet = Sheet::new(exam, reading, false);
    let holds = |f: &Fact| matches!(look(&sheet, &f.form), Match::Found { .. });
    (!facts.is_empty()).then(|| facts.iter().all(holds))
}

/// What became of one fact.
enum Match {
    /// It is stated; how it was found.
    Found { how: &'static str },
    /// It is not stated.
    Missing,
    /// Another value is stated: as written, and where (code points of the answer without markers).
    Wrong { found: String, place: Option<Range<usize>> },
    /// Neither a yes nor a no can be told.
    Unknown,
}

impl Match {
    fn reason(&self) -> String {
        match self {
            Match::Found { how } => format!("matched({how})"),
            Match::Missing => "missing".to_owned(),
            Match::Wrong { found, .. } => format!("wrong_value({found})"),
            Match::Unknown => "polarity_unknown".to_owned(),
        }
    }

    /// How much a failed alternative says: the most telling one is reported.
    fn telling(&self) -> u8 {
        match self {
            Match::Found { .. } => 3,
            Match::Wrong { .. } => 2,
            Match::Unknown => 1,
            Match::Missing => 0,
        }
    }
}

fn verdict(fact: &Fact, forbidden: bool, result: &Match) -> FactVerdict {
    let found = matches!(result, Match::Found { .. });
    FactVerdict { fact: fact.to_string(), forbidden, ok: found != forbidden, reason: result.reason() }
}

fn look(sheet: &Sheet<'_>, form: &FactForm) -> Match {
    match form {
        FactForm::Text(text) => text_fact(sheet, text),
        FactForm::AnyOf(facts) => {
            let mut best = Match::Missing;
            for fact in facts {
                let result = look(sheet, &fact.form);
                if matches!(result, Match::Found { .. }) {
                    return result;
                }
                if result.telling() > best.telling() {
                    best = result;
                }
            }
            best
        }
        FactForm::AllOf(facts) => {
            let mut how = "all";
            for fact in facts {
                match look(sheet, &fact.form) {
                    Match::Found { how: h } if facts.len() == 1 => how = h,
                    Match::Found { .. } => {}
                    other @ (Match::Missing | Match::Wrong { .. } | Match::Unknown) => return other,
                }
            }
            Match::Found { how }
        }
        FactForm::Regex(regex) => {
            if regex.is_match(sheet.composed()) {
                Match::Found { how: "regex" }
            } else {
                Match::Missing
            }
        }
        FactForm::Number { value, unit } => number_fact(sheet, *value, unit.as_deref()),
        FactForm::YesNo(wanted) => match sheet.said() {
            // A refusal may begin with a no and says nothing of the matter.
            _ if sheet.refuses => Match::Unknown,
            Some(said) if said == *wanted => Match::Found { how: if said { "yes" } else { "no" } },
            Some(said) => Match::Wrong { found: if said { "yes" } else { "no" }.to_owned(), place: None },
            None => Match::Unknown,
        },
    }
}

/// Words: as a phrase, then with tone marks in one place; a number with its unit by value.
fn text_fact(sheet: &Sheet<'_>, text: &str) -> Match {
    let needle = matching(text);
    // A number is looked for by value, lest `5` be found in `5 triệu`.
    if let Some(fact) = only_number(text, sheet) {
        return value_of_text(sheet, &needle, &fact);
    }
    if find_phrase(sheet.matching(), &needle).is_some() && leaves_numbers_whole(sheet, &needle, None) {
        return Match::Found { how: "text" };
    }
    if let Some(answer) = sheet.toned() {
        let needle = matching_in(text, sheet.pack);
        if find_phrase(answer, &needle).is_some() && leaves_numbers_whole(sheet, &needle, sheet.pack) {
            return Match::Found { how: "tone" };
        }
    }
    Match::Missing
}

/// Whether the phrase stands at a place where it cuts no number of the answer short: `fee of 5` does not stand in `fee of
/// 5 million`. The pack is that of the phrase's form.
fn leaves_numbers_whole(sheet: &Sheet<'_>, needle: &str, pack: Option<&Pack>) -> bool {
    if !needle.starts_with(|c: char| c.is_ascii_digit()) && !needle.ends_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let scaled: Vec<&Mention> = sheet.mentions().iter().filter(|m| m.magnitude != 0).collect();
    let whole = |m: &Mention, place: &Range<usize>| {
        let common = place.start.max(m.start)..place.end.min(m.end);
        let written = sheet.text.get(common.clone()).unwrap_or_default();
        common == (m.start..m.end) || number::mentions(written, sheet.lang).iter().any(|part| part.value() == m.value())
    };
    scaled.is_empty()
        || places(sheet, needle, pack).any(|place| touching(&scaled, &place).iter().all(|m| whole(m, &place)))
}

/// Where a phrase in matching form stands in the answer, in bytes.
fn places(sheet: &Sheet<'_>, needle: &str, pack: Option<&Pack>) -> impl Iterator<Item = Range<usize>> + use<> {
    let mapped = matching_mapped_in(sheet.text, pack);
    let end = sheet.text.len();
    let bytes: Vec<usize> = sheet.text.char_indices().map(|(i, _)| i).chain([end]).collect();
    let byte = move |point: usize| bytes.get(point).copied().unwrap_or(end);
    let found: Vec<_> = find_phrases(&mapped.text, needle).map(|r| mapped.original(r)).collect();
    found.into_iter().map(move |r| byte(r.start)..byte(r.end))
}

/// Those of some mentions, in order, that share bytes with a place.
fn touching<'m>(mentions: &'m [&'m Mention], place: &Range<usize>) -> &'m [&'m Mention] {
    let first = mentions.partition_point(|m| m.end <= place.start);
    let behind = mentions.partition_point(|m| m.start < place.end);
    mentions.get(first..behind).unwrap_or_default()
}

/// The one number that a text is, if it is nothing else.
fn only_number(text: &str, sheet: &Sheet<'_>) -> Option<Mention> {
    const LONGEST: usize = 80;
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let mut mentions = number::mentions(text, sheet.lang).into_iter();
    let first = mentions.next()?;
    (mentions.next().is_none() && first.kind.has_value() && first.start == 0 && first.end == text.len())
        .then_some(first)
}

/// A text that is a number: by value; as a phrase only where the answer has no value there (a code, a date).
fn value_of_text(sheet: &Sheet<'_>, needle: &str, fact: &Mention) -> Match {
    if stated(sheet, fact) {
        let phrase = find_phrase(sheet.matching(), needle).is_some();
        return Match::Found { how: if phrase { "text" } else { "value" } };
    }
    if fact.unit.is_none() && phrase_without_value(sheet, needle) {
        return Match::Found { how: "text" };
    }
    wrong_value(sheet, fact)
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
    places(sheet, needle, None).any(|place| !touching(&keyed, &place).is_empty())
}

/// Whether a number is more than a word such as `two` or `một`, which states one only where it counts something or is all
/// that the answer says.
fn is_said(sheet: &Sheet<'_>, m: &Mention) -> bool {
    m.claim || !m.spelled || m.unit.is_some() || sheet.written(m).len() == sheet.text.trim().len()
}

/// Whether some number of the answer states a fact that has a value.
fn stated(sheet: &Sheet<'_>, fact: &Mention) -> bool {
    let mentions = sheet.mentions();
    let unit_stands = || {
        mentions.iter().any(|m| {
            m.kind.has_value()
                && m.unit.zip(fact.unit).is_some_and(|(found, wanted)| found.relation(wanted) != Relation::Conflict)
        })
    };
    let mut bare = mentions.iter().enumerate().filter(|(_, m)| is_said(sheet, m) && states(m, fact)).peekable();
    let unit_stands = fact.unit.is_some() && bare.peek().is_some() && unit_stands();
    bare.any(|(i, m)| match fact.unit {
        Some(unit) if m.unit.is_none() => {
            !number::is_ordinal(sheet.text, m, sheet.lang) && (!unit_stands || lists_unit(sheet, i, unit))
        }
        Some(_) | None => true,
    })
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
    gap.chars().all(|c| c == ' ' || c == ',' || c == '/' || c == '、' || c == '，' || is_word(c))
        && gap.chars().filter(|c| is_word(*c)).count() <= LONGEST_WORD
}

/// Whether a number of the answer states a fact: the usual reading, after exact conversion of units.
fn states(mention: &Mention, fact: &Mention) -> bool {
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

/// A number by value and unit.
fn number_fact(sheet: &Sheet<'_>, value: Decimal, unit: Option<&str>) -> Match {
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
    let found = match known {
        Some(_) => stated(sheet, &fact),
        None => sheet.mentions().iter().any(|m| states(m, &fact) && follows(m)),
    };
    if found {
        return Match::Found { how: "number" };
    }
    // Without knowing the unit there is no telling which number should have been the right one.
    if unit.is_some() && known.is_none() {
        return Match::Missing;
    }
    wrong_value(sheet, &fact)
}

/// The numbers that stand where the right one should: the same unit, or one that can be converted. One that another fact of
/// the question asks for stands where it should, and each is told once.
fn wrong_value(sheet: &Sheet<'_>, fact: &Mention) -> Match {
    const MOST: usize = 3;
    let comparable = |m: &Mention| {
        m.kind.has_value()
            && is_said(sheet, m)
            && match (m.unit, fact.unit) {
                (Some(a), Some(b)) => a.relation(b) != Relation::Conflict,
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            }
    };
    let mut first = None;
    let mut told: Vec<String> = Vec::new();
    for m in sheet.mentions().iter().filter(|m| comparable(m) && !sheet.required().iter().any(|r| states(m, r))) {
        let written = visible(sheet.written(m).trim());
        if told.len() < MOST && !told.contains(&written) {
            first.get_or_insert(m);
            told.push(written);
        }
    }
    match first {
        None => Match::Missing,
        Some(m) => Match::Wrong { found: told.join(", "), place: Some(sheet.points(m.start..m.end)) },
    }
}

/// The place of a forbidden claim, for the finding.
fn place(sheet: &Sheet<'_>, form: &FactForm) -> Option<Range<usize>> {
    match form {
        FactForm::Text(text) => sheet.place(text),
        FactForm::AnyOf(facts) | FactForm::AllOf(facts) => facts.iter().find_map(|f| place(sheet, &f.form)),
        FactForm::Regex(regex) => regex.find(sheet.text).map(|m| sheet.points(m.range())),
        FactForm::Number { .. } | FactForm::YesNo(_) => None,
    }
}

/// The finding for a required fact that is not stated.
fn missing(sheet: &Sheet<'_>, form: &FactForm, result: &Match) -> Option<Finding> {
    let fact = visible(&form.to_string());
    let (code, mut message) = match result {
        Match::Found { .. } => return None,
        Match::Missing if sheet.refuses => {
            return Some(Finding::fault(
                Code::FactMissing,
                format!("“{fact}” is not stated: the answer is a refusal."),
            ));
        }
        Match::Missing => (Code::FactMissing, format!("“{fact}” is not stated.")),
        Match::Wrong { found, .. } => (Code::FactWrongValue, format!("“{fact}” is wanted, “{found}” is stated.")),
        Match::Unknown if sheet.refuses => {
            return Some(Finding::fault(
                Code::FactMissing,
                format!("“{fact}” cannot be told: the answer is a refusal."),
            ));
        }
        Match::Unknown => (
            Code::FactMissing,
            format!(
                "“{fact}” cannot be told from the first words of the answer; state what it must say as a `text` fact beside it."
            ),
        ),
    };
    let at = match result {
        Match::Wrong { place, .. } => place.as_ref(),
        Match::Found { .. } | Match::Missing | Match::Unknown => None,
    };
    if let Some(sentence) = nearest::sentence(sheet, &form.to_string(), at) {
        let _ = write!(message, " Nearest: “{}”", visible(&nearest::shortened(sentence, 160)));
    }
    if let Some(hint) = tone_hint(sheet, form) {
        message.push_str(hint);
    }
    Some(Finding::fault(code, message))
}

/// Whether only the place of a tone mark keeps the words apart, in a suite whose language does not fold it.
fn tone_hint(sheet: &Sheet<'_>, form: &FactForm) -> Option<&'static str> {
    let FactForm::Text(text) = form else { return None };
    if sheet.pack.is_some_and(|p| p.tone.is_some()) || text.is_ascii() {
        return None;
    }
    let found = find_phrase(&tone::fold(sheet.matching()), &tone::fold(&matching(text))).is_some();
    found.then_some(
        " The words differ in the place of a tone mark alone: set `language: vi`, or list both spellings in `any_of`.",
    )
}

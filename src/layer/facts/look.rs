//! What becomes of a fact of each form.

use super::negation::guard;
use super::path;
use super::sheet::Sheet;
use super::value::{date_fact, number_fact};
use super::words::text_fact;
use crate::suite::{Fact, FactForm};
use crate::text::decimal::Decimal;
use std::ops::Range;

/// What became of one fact. Places are code points of the answer without markers.
#[derive(Debug)]
pub(super) enum Match {
    /// It is stated.
    Found {
        /// How it was found.
        how: &'static str,
        /// Where a word denies it, if one does and that does not count.
        note: Option<Range<usize>>,
    },
    /// It is not stated.
    Missing,
    /// Another value is stated: as written, and where.
    Wrong { found: String, place: Option<Range<usize>> },
    /// The value is stated as another bound than the one that is wanted.
    Bound { found: String, place: Range<usize> },
    /// It stands there, and is denied.
    Negated { found: String, place: Range<usize> },
    /// It is stated without its condition.
    Unconditional { condition: String },
    /// This is stated in front of what should stand in front of it.
    Disordered { first: String },
    /// The part of the answer that is looked at is not there; why.
    NoPart { why: String },
    /// Neither a yes nor a no can be told.
    Unknown,
}

impl Match {
    pub(super) fn found(how: &'static str) -> Match {
        Match::Found { how, note: None }
    }

    pub(super) fn is_found(&self) -> bool {
        matches!(self, Match::Found { .. })
    }

    pub(super) fn reason(&self) -> String {
        match self {
            Match::Found { how, .. } => format!("matched({how})"),
            Match::Missing => "missing".to_owned(),
            Match::Wrong { found, .. } => format!("wrong_value({found})"),
            Match::Bound { found, .. } => format!("wrong_bound({found})"),
            Match::Negated { .. } => "negated".to_owned(),
            Match::Unconditional { .. } => "condition_missing".to_owned(),
            Match::Disordered { .. } => "wrong_order".to_owned(),
            Match::NoPart { .. } => "path_missing".to_owned(),
            Match::Unknown => "polarity_unknown".to_owned(),
        }
    }

    /// How much a failed alternative says: the most telling one is reported.
    fn telling(&self) -> u8 {
        match self {
            Match::Found { .. } => 8,
            Match::Negated { .. } => 7,
            Match::Unconditional { .. } => 6,
            Match::Bound { .. } => 5,
            Match::Wrong { .. } => 4,
            Match::Disordered { .. } => 3,
            Match::NoPart { .. } => 2,
            Match::Unknown => 1,
            Match::Missing => 0,
        }
    }
}

/// Looks for a fact: in the part of the answer that it names, and with its condition.
pub(super) fn look(sheet: &Sheet<'_>, fact: &Fact) -> Match {
    let result = match &fact.looking.path {
        None => form(sheet, fact),
        Some(path) => match path::part(sheet.text, path) {
            Ok(part) => in_part(sheet, fact, &part),
            Err(why) => Match::NoPart { why },
        },
    };
    match &fact.looking.condition {
        Some(condition) if result.is_found() && !look(sheet, condition).is_found() => {
            Match::Unconditional { condition: condition.to_string() }
        }
        Some(_) | None => result,
    }
}

/// Looks for a fact in a part of an answer in JSON. A number there is in the writing of JSON, whatever the language.
fn in_part(sheet: &Sheet<'_>, fact: &Fact, part: &str) -> Match {
    if let FactForm::Number { value, .. } = &fact.form
        && let Some(found) = Decimal::parse(part)
    {
        return if found == *value {
            Match::found("number")
        } else {
            Match::Wrong { found: part.to_owned(), place: None }
        };
    }
    without_places(form(&sheet.of(part), fact))
}

/// A place in a part of the answer is none of the answer.
fn without_places(result: Match) -> Match {
    match result {
        Match::Found { how, .. } => Match::found(how),
        Match::Wrong { found, .. } => Match::Wrong { found, place: None },
        Match::Bound { found, .. } => Match::Bound { found, place: 0..0 },
        Match::Negated { found, .. } => Match::Negated { found, place: 0..0 },
        Match::Missing
        | Match::Unconditional { .. }
        | Match::Disordered { .. }
        | Match::NoPart { .. }
        | Match::Unknown => result,
    }
}

fn form(sheet: &Sheet<'_>, fact: &Fact) -> Match {
    let looking = &fact.looking;
    let guarded = || guard(sheet, looking.negation, &fact.form.to_string());
    match &fact.form {
        FactForm::Text(text) => text_fact(sheet, text, looking),
        FactForm::AnyOf(facts) => any_of(sheet, facts),
        FactForm::AllOf(facts) => all_of(sheet, facts),
        FactForm::Order(facts) => match all_of(sheet, facts) {
            Match::Found { note, .. } => in_order(sheet, facts, note),
            other => other,
        },
        FactForm::Regex(regex) => match regex.is_match(sheet.composed()) {
            true => Match::found("regex"),
            false => Match::Missing,
        },
        FactForm::Number { value, unit, op } => number_fact(sheet, *value, unit.as_deref(), *op, guarded()),
        FactForm::Date(date) => date_fact(sheet, *date, guarded()),
        FactForm::YesNo(wanted) => match sheet.said() {
            // A refusal may begin with a no and says nothing of the matter.
            _ if sheet.refuses => Match::Unknown,
            Some(said) if said == *wanted => Match::found("polarity"),
            Some(said) => Match::Wrong { found: if said { "yes" } else { "no" }.to_owned(), place: None },
            None => Match::Unknown,
        },
    }
}

fn any_of(sheet: &Sheet<'_>, facts: &[Fact]) -> Match {
    let mut best = Match::Missing;
    for fact in facts {
        let result = look(sheet, fact);
        // One that is found without a doubt is better than one that a word may deny.
        let doubtless = matches!(result, Match::Found { note: None, .. });
        if result.telling() > best.telling() || (doubtless && best.is_found()) {
            best = result;
        }
        if doubtless {
            break;
        }
    }
    best
}

fn all_of(sheet: &Sheet<'_>, facts: &[Fact]) -> Match {
    let mut how = "all";
    let mut noted = None;
    for fact in facts {
        match look(sheet, fact) {
            Match::Found { how: h, note } => {
                noted = noted.or(note);
                if facts.len() == 1 {
                    how = h;
                }
            }
            other => return other,
        }
    }
    Match::Found { how, note: noted }
}

/// Whether the first places of facts that are all stated rise.
fn in_order(sheet: &Sheet<'_>, facts: &[Fact], note: Option<Range<usize>>) -> Match {
    let mut last: Option<(usize, &Fact)> = None;
    for fact in facts {
        let Some(place) = first_place(sheet, fact) else { continue };
        if let Some((before, _)) = last
            && place < before
        {
            return Match::Disordered { first: fact.to_string() };
        }
        last = Some((place, fact));
    }
    Match::Found { how: "order", note }
}

/// Where a fact is first stated: the shortest beginning of the answer that states it ends there. Found by halving, since
/// what a beginning states a longer one states too, but for what is denied or bounded behind it.
fn first_place(sheet: &Sheet<'_>, fact: &Fact) -> Option<usize> {
    let ends: Vec<usize> = sheet.sentences().iter().flat_map(|s| s.words.iter().map(|w| w.place.end)).collect();
    let states = |end: usize| {
        let head = sheet.text.get(..end).unwrap_or_default();
        look(&sheet.of(head), fact).is_found()
    };
    let at = ends.partition_point(|end| !states(*end));
    ends.get(at).copied().or(Some(sheet.text.len()))
}

//! What becomes of a fact of each form.

use super::negation::guard;
use super::sheet::Sheet;
use super::value::{date_fact, number_fact, only_number, wanted};
use super::words::text_fact;
use super::{nearby, path};
use crate::suite::{Fact, FactForm};
use crate::text::decimal::Decimal;
use crate::text::number;
use std::ops::Range;

/// What became of one fact.
pub(super) type Match = Result<Found, Miss>;

/// It is stated.
#[derive(Debug)]
pub(super) struct Found {
    /// How it was found.
    pub(super) how: &'static str,
    /// Where a word denies it, if one does and that does not count; code points of the answer without markers.
    pub(super) note: Option<Range<usize>>,
}

/// It is not. Places are code points of the answer without markers.
#[derive(Debug)]
pub(super) enum Miss {
    /// It stands nowhere.
    Missing,
    /// Another value is stated: as written, and where.
    Wrong { found: String, place: Option<Range<usize>> },
    /// The value is stated as another bound than the one that is wanted.
    Bound { found: String, place: Option<Range<usize>> },
    /// It stands there, and is denied.
    Negated { found: String, place: Option<Range<usize>> },
    /// It is stated without its condition.
    Unconditional { condition: String },
    /// This is stated in front of what should stand in front of it.
    Disordered { first: String },
    /// The part of the answer that is looked at is not there; why.
    NoPart { why: String },
    /// Neither a yes nor a no can be told.
    Unknown,
}

/// Found, and nothing denies it.
pub(super) fn found(how: &'static str) -> Match {
    Ok(Found { how, note: None })
}

/// A result in a word, as results write it.
pub(super) fn reason(result: &Match) -> String {
    match result {
        Ok(found) => format!("matched({})", found.how),
        Err(Miss::Missing) => "missing".to_owned(),
        Err(Miss::Wrong { found, .. }) => format!("wrong_value({found})"),
        Err(Miss::Bound { found, .. }) => format!("wrong_bound({found})"),
        Err(Miss::Negated { .. }) => "negated".to_owned(),
        Err(Miss::Unconditional { .. }) => "condition_missing".to_owned(),
        Err(Miss::Disordered { .. }) => "wrong_order".to_owned(),
        Err(Miss::NoPart { .. }) => "path_missing".to_owned(),
        Err(Miss::Unknown) => "polarity_unknown".to_owned(),
    }
}

impl Miss {
    /// How much a failed alternative says: the most telling one is reported.
    fn telling(&self) -> u8 {
        match self {
            Miss::Negated { .. } => 7,
            Miss::Unconditional { .. } => 6,
            Miss::Bound { .. } => 5,
            Miss::Wrong { .. } => 4,
            Miss::Disordered { .. } => 3,
            Miss::NoPart { .. } => 2,
            Miss::Unknown => 1,
            Miss::Missing => 0,
        }
    }

    /// The same without its place: one in a part of the answer is none of the answer.
    fn without_place(self) -> Miss {
        match self {
            Miss::Wrong { found, .. } => Miss::Wrong { found, place: None },
            Miss::Bound { found, .. } => Miss::Bound { found, place: None },
            Miss::Negated { found, .. } => Miss::Negated { found, place: None },
            Miss::Missing
            | Miss::Unconditional { .. }
            | Miss::Disordered { .. }
            | Miss::NoPart { .. }
            | Miss::Unknown => self,
        }
    }
}

/// Looks for a fact: in the part of the answer that it names, and with its condition.
pub(super) fn look(sheet: &Sheet<'_>, fact: &Fact) -> Match {
    let found = match &fact.looking.path {
        None => form(sheet, fact)?,
        Some(path) => {
            let part = path::part(sheet.text, path).map_err(|why| Miss::NoPart { why })?;
            in_part(sheet, fact, &part)?
        }
    };
    match &fact.looking.condition {
        Some(condition) if look(sheet, condition).is_err() || is_of_another(sheet, fact, condition) => {
            Err(Miss::Unconditional { condition: condition.to_string() })
        }
        Some(_) | None => Ok(found),
    }
}

/// Whether the condition of a number stands with another number alone.
fn is_of_another(sheet: &Sheet<'_>, fact: &Fact, condition: &Fact) -> bool {
    let FactForm::Text(words) = &condition.form else { return false };
    let wanted = match &fact.form {
        FactForm::Number { value, unit, .. } => {
            Some(wanted(*value, unit.as_deref().and_then(|u| number::unit(u, sheet.lang))))
        }
        FactForm::Text(text) => only_number(text, sheet.lang),
        FactForm::AnyOf(_)
        | FactForm::AllOf(_)
        | FactForm::Order(_)
        | FactForm::Regex(_)
        | FactForm::Date(_)
        | FactForm::YesNo(_) => None,
    };
    wanted.is_some_and(|wanted| nearby::stands_with_another(sheet, &wanted, words))
}

/// Looks for a fact in a part of an answer in JSON. A number there is in the writing of JSON, whatever the language.
fn in_part(sheet: &Sheet<'_>, fact: &Fact, part: &str) -> Match {
    if let FactForm::Number { value, .. } = &fact.form
        && let Some(stated) = Decimal::parse(part)
    {
        let wrong = || Miss::Wrong { found: part.to_owned(), place: None };
        return if stated == *value { found("number") } else { Err(wrong()) };
    }
    if let (FactForm::YesNo(wanted), "true" | "false") = (&fact.form, part) {
        let wrong = || Miss::Wrong { found: part.to_owned(), place: None };
        return if (part == "true") == *wanted { found("polarity") } else { Err(wrong()) };
    }
    form(&sheet.of_value(part), fact).map(|f| Found { note: None, ..f }).map_err(Miss::without_place)
}

fn form(sheet: &Sheet<'_>, fact: &Fact) -> Match {
    let looking = &fact.looking;
    let guarded = || guard(sheet, looking.negation, &fact.form.to_string());
    match &fact.form {
        FactForm::Text(text) => text_fact(sheet, text, looking),
        FactForm::AnyOf(facts) => any_of(sheet, facts),
        FactForm::AllOf(facts) => all_of(sheet, facts),
        FactForm::Order(facts) => all_of(sheet, facts).and_then(|all| in_order(sheet, facts, all)),
        FactForm::Regex(regex) if regex.is_match(sheet.composed()) => found("regex"),
        FactForm::Regex(_) => Err(Miss::Missing),
        FactForm::Number { value, unit, op } => number_fact(sheet, *value, unit.as_deref(), *op, guarded()),
        FactForm::Date(date) => date_fact(sheet, *date, guarded()),
        FactForm::YesNo(wanted) => match sheet.said() {
            // A refusal may begin with a no and says nothing of the matter.
            _ if sheet.refuses => Err(Miss::Unknown),
            Some(said) if said == *wanted => found("polarity"),
            Some(said) => Err(Miss::Wrong { found: if said { "yes" } else { "no" }.to_owned(), place: None }),
            None => Err(Miss::Unknown),
        },
    }
}

fn any_of(sheet: &Sheet<'_>, facts: &[Fact]) -> Match {
    let mut best = Err(Miss::Missing);
    for fact in facts {
        let result = look(sheet, fact);
        // One that is found without a doubt is better than one that a word may deny.
        if matches!(result, Ok(Found { note: None, .. })) {
            return result;
        }
        let better = match (&best, &result) {
            (Err(_), Ok(_)) => true,
            (Err(best), Err(miss)) => miss.telling() > best.telling(),
            (Ok(_), _) => false,
        };
        if better {
            best = result;
        }
    }
    best
}

fn all_of(sheet: &Sheet<'_>, facts: &[Fact]) -> Match {
    let mut how = "all";
    let mut noted = None;
    for fact in facts {
        let Found { how: h, note } = look(sheet, fact)?;
        noted = noted.or(note);
        if facts.len() == 1 {
            how = h;
        }
    }
    Ok(Found { how, note: noted })
}

/// Whether the first places of facts that are all stated rise.
fn in_order(sheet: &Sheet<'_>, facts: &[Fact], all: Found) -> Match {
    let mut last = 0;
    for fact in facts {
        let Some(place) = first_place(sheet, fact) else { continue };
        if place < last {
            return Err(Miss::Disordered { first: fact.to_string() });
        }
        last = place;
    }
    Ok(Found { how: "order", ..all })
}

/// Where a fact is first stated: the shortest beginning of the answer that states it ends there. Found by halving, since
/// what a beginning states a longer one states too, but for what is denied or bounded behind it.
fn first_place(sheet: &Sheet<'_>, fact: &Fact) -> Option<usize> {
    let ends: Vec<usize> = sheet.sentences().iter().flat_map(|s| s.words.iter().map(|w| w.place.end)).collect();
    let states = |end: usize| {
        let head = sheet.text.get(..end).unwrap_or_default();
        look(&sheet.of(head), fact).is_ok()
    };
    let at = ends.partition_point(|end| !states(*end));
    ends.get(at).copied().or(Some(sheet.text.len()))
}

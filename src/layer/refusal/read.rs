//! The label of an answer.

use super::asked::numbers;
use super::language;
use super::own::Own;
use super::part::{Part, Parts, Role};
use super::units::{clauses, lowered, parts};
use super::{Label, RefusalDetail};
use crate::layer::says_nothing;
use crate::suite::Question;
use crate::text::norm::{composed, unmarked};
use crate::text::pack::{Pack, Script};
use std::sync::LazyLock;

/// The wordings of a project that adds none.
static NONE: LazyLock<Own> = LazyLock::new(Own::default);

/// Reads an answer (without citation markers) as a possible refusal by the packs alone; [`read_with`] says how.
pub fn read(answer: Option<&str>, question: &Question, pack: Option<&Pack>) -> RefusalDetail {
    read_with(answer, question, pack, &NONE)
}

/// Reads an answer (without citation markers) as a possible refusal. `None` stands for a missing or blank answer.
///
/// The answer is cut into sentences and these at words of contrast. A part refuses if a pattern hits that is not part of
/// a condition ("if there is no information …"), a quotation, a title or one of its vetoes. Parts that are polite, ask,
/// offer help or send the reader elsewhere are ignored. Any other part is a claim if it has a number that the question does
/// not have, or enough new words. Parts that refuse make a refusal; with a claim beside them, a partial one. A part that
/// says that the system failed makes an error, unless another claims. English is tried for every language, and the language
/// whose script or frequent words the answer shows.
pub fn read_with(answer: Option<&str>, question: &Question, pack: Option<&Pack>, own: &Own) -> RefusalDetail {
    let Some(answer) = answer.filter(|a| !says_nothing(a)) else {
        return RefusalDetail::of(Label::Empty);
    };
    // Words and letters are counted below.
    let answer = composed(answer);
    let answer = answer.as_ref();
    let shown = Shown::new(answer, pack);
    let packs = shown.packs(pack);
    if let Some(found) = label_by(answer, question, &packs, own) {
        return found;
    }
    // Nothing refuses. Is that an answer, or a language that these packs cannot read?
    let latin = shown.script == Some(Script::Latin);
    let other = if latin { language::other_latin(answer, pack) } else { None };
    if let Some(other) = other
        && let Some(found) = label_by(answer, question, &[other], &NONE)
    {
        return found;
    }
    if latin && other.is_none() && language::is_short(answer) {
        // Too short for frequent words to show its language; a pattern that hits shows it.
        let found = language::latin(pack).find_map(|p| label_by(answer, question, &[p], &NONE));
        if let Some(found) = found {
            return found;
        }
    }
    let readable = match (pack, other) {
        (_, Some(other)) => other.tested,
        (Some(_), None) if shown.covered => true,
        // A known script, or Latin letters in a suite of another script: English was tried.
        (Some(_), None) => latin || shown.by_script.is_some(),
        (None, None) => false,
    };
    RefusalDetail::of(if readable { Label::None } else { Label::Unknown })
}

/// What the letters of an answer show of its language.
struct Shown {
    script: Option<Script>,
    covered: bool,
    by_script: Option<&'static Pack>,
    /// The pack for a text that was typed without marks, where this one was.
    bare: Option<&'static Pack>,
}

impl Shown {
    fn new(answer: &str, pack: Option<&Pack>) -> Self {
        let script = language::main_script(answer);
        let covered = pack.is_some_and(|p| script.is_none_or(|s| p.scripts.contains(&s)));
        let by_script = if covered { None } else { script.and_then(language::of_script) };
        let bare = pack.and_then(Pack::unmarked).filter(|_| answer.is_ascii() || unmarked(answer) == answer);
        Shown { script, covered, by_script, bare }
    }

    /// The packs to try, that of the suite first.
    fn packs<'p>(&self, pack: Option<&'p Pack>) -> Vec<&'p Pack> {
        let mut packs: Vec<&Pack> = Vec::with_capacity(3);
        for p in [pack, self.by_script, Pack::by_code("en")].into_iter().flatten() {
            if !packs.iter().any(|q| q.language() == p.language()) {
                packs.push(p);
            }
        }
        packs.extend(self.bare);
        packs
    }
}

/// The label when some part refuses or failed by one of these packs.
fn label_by(answer: &str, question: &Question, packs: &[&Pack], own: &Own) -> Option<RefusalDetail> {
    let may = |text: &str| packs.iter().any(|p| p.refusal.may_refuse(text) || p.refusal.may_fail(text));
    // Most answers hold no trigger at all and are done here.
    if answer.is_ascii() && !own.adds() && !may(answer) {
        return None;
    }
    let text = lowered(answer);
    // What was found in ASCII stands in its lower case too; what is not there is missed by each part.
    if !answer.is_ascii() && !own.adds() && !may(&text) {
        return None;
    }
    let text = same_letters(text, packs);
    // A trigger is not yet a hit: what the parts are otherwise matters only beside one.
    let found = all(&text, answer, question, packs, own, true);
    let of = |role: Role| found.iter().filter(move |p| p.role == role);
    let claims = of(Role::Claims).next().is_some() || of(Role::Refuses).any(|p| p.claims_too);
    let failed = of(Role::Failed).find_map(|p| p.pattern.clone());
    let refused = of(Role::Refuses).find_map(|p| p.pattern.clone());
    let (label, pattern) = match (&failed, &refused, claims) {
        (Some(_), _, false) => (Label::Error, failed.clone()),
        (_, Some(_), true) => (Label::Partial, refused),
        (None, Some(_), false) => (Label::Refusal, refused),
        (Some(_), None, true) => (Label::None, None),
        (None, None, _) => return None,
    };
    Some(RefusalDetail { label, pattern, failed })
}

/// Every part of a lowered answer and what it is; with `hits_alone` none where no part refuses or failed.
fn all<'t>(
    text: &'t str,
    answer: &str,
    question: &Question,
    packs: &[&Pack],
    own: &Own,
    hits_alone: bool,
) -> Vec<Part<'t>> {
    let bare = packs.iter().any(|p| packs.iter().filter(|q| q.language() == p.language()).count() > 1);
    let mut of = Parts::new((packs, own), question, Some(answer), text);
    of.bare = bare;
    let mut found: Vec<Part<'t>> = parts(text, packs).into_iter().map(|part| of.part(part)).collect();
    if hits_alone && found.iter().all(|p| p.pattern.is_none()) {
        return Vec::new();
    }
    found.iter_mut().for_each(|p| of.settle(p));
    // Beside a failure, when to try again is no claim of the matter.
    if found.iter().any(|p| p.role == Role::Failed) {
        found
            .iter_mut()
            .filter(|p| p.role == Role::Claims && of.says_retry(p.text))
            .for_each(|p| p.role = Role::Redirects);
    }
    found
}

/// The text as the patterns write it: one form of letters (traditional characters as simplified ones), and words that are
/// typed otherwise in the language of the first pack written out.
fn same_letters(text: String, packs: &[&Pack]) -> String {
    let text = if text.is_ascii() { text } else { packs.iter().fold(text, |text, p| p.refusal.one_form(text)) };
    match packs.first() {
        Some(own) => own.refusal.written_out(text),
        None => text,
    }
}

/// Each part of an answer (without citation markers), what it is and by which pattern, for whoever wants to see how a label
/// came about. `with` is given each part in order; a blank answer has none.
pub fn parts_of(answer: &str, question: &Question, pack: Option<&Pack>, own: &Own, with: &mut dyn FnMut(&Part<'_>)) {
    if says_nothing(answer) {
        return;
    }
    let answer = composed(answer);
    let answer = answer.as_ref();
    let shown = Shown::new(answer, pack);
    let mut packs = shown.packs(pack);
    if shown.script == Some(Script::Latin) {
        packs.extend(language::other_latin(answer, pack));
    }
    let text = same_letters(lowered(answer), &packs);
    all(&text, answer, question, &packs, own, false).iter().for_each(with);
}

/// Whether an answer asks the reader to say more, and claims nothing. An offer of more help is no such question.
pub fn asks_back(answer: &str, question: &Question, pack: Option<&Pack>, own: &Own) -> bool {
    let answer = composed(answer);
    let answer = answer.as_ref();
    let shown = Shown::new(answer, pack);
    let packs = shown.packs(pack);
    let text = same_letters(lowered(answer), &packs);
    // Most answers ask nothing, and are done here.
    let may_ask = |p: &&Pack| p.refusal.asks_back.as_ref().is_some_and(|e| e.is_match(&text));
    if !text.contains(['?', '？', '؟']) && !packs.iter().any(may_ask) {
        return false;
    }
    let closing = |part: &str| packs.iter().any(|p| p.refusal.closing.as_ref().is_some_and(|c| c.is_match(part)));
    let found = all(&text, answer, question, &packs, own, false);
    let asks = found.iter().any(|p| p.role == Role::Asks && !closing(p.text));
    let wrong = found.iter().any(|p| matches!(p.role, Role::Claims | Role::Failed) || p.claims_too);
    // `The fee is 30 euro, is that what you mean?` asks, and has answered.
    let mut of = Parts::new((&packs, own), question, None, &text);
    let answered = found.iter().filter(|p| p.role == Role::Asks).any(|p| {
        let mut front = clauses(p.text);
        front.pop();
        front.into_iter().filter_map(|c| p.text.get(c)).any(|c| of.states_quantity(c.trim()))
    });
    asks && !wrong && !answered
}

/// Whether a sentence greets, thanks or is sorry. English is tried for every language.
pub fn is_courtesy(sentence: &str, pack: Option<&Pack>) -> bool {
    let text = lowered(sentence.trim());
    let of = |p: &Pack| p.refusal.courtesy_start.as_ref().is_some_and(|c| c.is_match(&text));
    pack.into_iter().chain(Pack::by_code("en")).any(of)
}

/// The numbers that an answer claims beside its refusal and that the question does not have.
pub fn claimed_numbers(answer: &str, question: &Question, pack: Option<&Pack>, own: &Own) -> Vec<String> {
    let packs: Vec<&Pack> = pack.into_iter().chain(Pack::by_code("en")).collect();
    let text = same_letters(lowered(answer), &packs);
    let mut of = Parts::new((&packs, own), question, None, &text);
    let mut out = Vec::new();
    for part in parts(&text, &packs) {
        if of.is_hit(part) || of.aside(part).is_some() {
            continue;
        }
        let contact = of.contacts(part);
        let said = contact.as_deref().unwrap_or(part);
        out.extend(numbers(said).into_iter().filter(|n| !of.asked.has_number(n)));
    }
    out
}

//! The label of an answer.

use super::language;
use super::units::{lowered, parts, quoted};
use super::{Label, RefusalDetail};
use crate::layer::says_nothing;
use crate::suite::Question;
use crate::text::norm::{chars, matching};
use crate::text::number::{self, Mention};
use crate::text::pack::{Count, Lang, Pack, Pattern, Script};
use crate::text::segment::words_of;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

/// Reads an answer (without citation markers) as a possible refusal. `None` stands for a missing or blank answer.
///
/// The answer is cut into sentences and these at words of contrast. A part refuses if a pattern hits that is not part of
/// a condition ("if there is no information …"), a quotation or one of its vetoes. Parts that are polite, ask, offer
/// help or send the reader elsewhere are ignored. Any other part is a claim if it has a number that the question does not have, or enough
/// new words. Parts that refuse make a refusal; with a claim beside them, a partial one. English is tried for every
/// language, and the language whose script or frequent words the answer shows.
pub fn read(answer: Option<&str>, question: &Question, pack: Option<&Pack>) -> RefusalDetail {
    let Some(answer) = answer.filter(|a| !says_nothing(a)) else {
        return RefusalDetail { label: Label::Empty, pattern: None };
    };
    let english = Pack::by_code("en");
    let script = language::main_script(answer);
    let covered = pack.is_some_and(|p| script.is_none_or(|s| p.scripts.contains(&s)));
    let by_script = if covered { None } else { script.and_then(language::of_script) };
    let mut packs: Vec<&Pack> = Vec::with_capacity(3);
    for p in [pack, by_script, english].into_iter().flatten() {
        if !packs.iter().any(|q| q.language() == p.language()) {
            packs.push(p);
        }
    }
    if let Some(found) = refusal_of(answer, question, &packs) {
        return found;
    }
    // Nothing refuses. Is that an answer, or a language that these packs cannot read?
    let latin = script == Some(Script::Latin);
    let other = if latin { language::other_latin(answer, pack) } else { None };
    if let Some(other) = other
        && let Some(found) = refusal_of(answer, question, &[other])
    {
        return found;
    }
    let readable = match (pack, other) {
        (_, Some(other)) => other.tested,
        (Some(_), None) if covered => true,
        // A known script, or Latin letters in a suite of another script: English was tried.
        (Some(_), None) => latin || by_script.is_some(),
        (None, None) => false,
    };
    RefusalDetail { label: if readable { Label::None } else { Label::Unknown }, pattern: None }
}

/// The label when some part refuses by one of these packs.
fn refusal_of(answer: &str, question: &Question, packs: &[&Pack]) -> Option<RefusalDetail> {
    // Most answers hold no trigger at all and are done here.
    let text = if answer.is_ascii() {
        if !packs.iter().any(|p| p.refusal.may_refuse(answer)) {
            return None;
        }
        lowered(answer)
    } else {
        lowered(answer)
    };
    if !packs.iter().any(|p| p.refusal.may_refuse(&text)) {
        return None;
    }
    let parts = parts(&text, packs);
    let mut asked = Asked { question, quotes: None, numbers: None, words: None, contact: None };
    let mut first = None;
    let mut rest = Vec::new();
    let mut claims = false;
    for part in parts {
        match packs.iter().find_map(|p| hit(part, p, &mut asked).map(|found| (*p, found))) {
            Some((pack, (pattern, at))) => {
                first.get_or_insert((pack, pattern));
                claims |= claims_beside(part, &at, packs, &mut asked);
            }
            None => rest.push(part),
        }
    }
    let (pack, pattern) = first?;
    let claims = claims || rest.iter().any(|part| is_claim(part, packs, &mut asked));
    Some(RefusalDetail {
        label: if claims { Label::Partial } else { Label::Refusal },
        pattern: Some(format!("{}.{}", pack.language(), pattern.name)),
    })
}

/// What is needed of the question, made when it is needed.
struct Asked<'q> {
    question: &'q Question,
    quotes: Option<Vec<String>>,
    numbers: Option<BTreeSet<String>>,
    words: Option<BTreeSet<String>>,
    contact: Option<bool>,
}

impl Asked<'_> {
    fn quotes(&mut self) -> &[String] {
        self.quotes.get_or_insert_with(|| {
            let text = lowered(&self.question.text);
            quoted(&text).into_iter().filter_map(|r| text.get(r).map(str::to_owned)).collect()
        })
    }

    fn numbers(&mut self) -> &BTreeSet<String> {
        self.numbers.get_or_insert_with(|| numbers(&self.question.text).into_iter().collect())
    }

    /// Whether the question asks how somebody can be reached.
    fn wants_contact(&mut self, packs: &[&Pack]) -> bool {
        *self.contact.get_or_insert_with(|| {
            let text = lowered(&self.question.text);
            packs.iter().any(|p| p.refusal.asks_contact.as_ref().is_some_and(|e| e.is_match(&text)))
        })
    }

    fn words(&mut self) -> &BTreeSet<String> {
        self.words.get_or_insert_with(|| {
            let text = lowered(&self.question.text);
            words_of(&text).into_iter().filter_map(|r| text.get(r).map(str::to_owned)).collect()
        })
    }
}

/// The pattern of a pack by which a part refuses, and where it hits.
fn hit<'p>(part: &str, pack: &'p Pack, asked: &mut Asked<'_>) -> Option<(&'p Pattern, Range<usize>)> {
    let data = &pack.refusal;
    if !data.may_refuse(part) {
        return None;
    }
    data.pattern.iter().find_map(|pattern| {
        let found = pattern.re.find_iter(part).find(|m| {
            let (Some(before), Some(inside), Some(after)) =
                (part.get(..m.start), part.get(m.clone()), part.get(m.end..))
            else {
                return false;
            };
            let conditional = data.conditional.as_ref().is_some_and(|c| c.is_match(before))
                && !data.conditional_not.as_ref().is_some_and(|c| c.is_match(before));
            let vetoed = pattern.veto_in.as_ref().is_some_and(|v| v.is_match(inside))
                || pattern.veto_post.as_ref().is_some_and(|v| v.is_match(after));
            !conditional && !vetoed && !is_quoted(part, m, inside, asked)
        })?;
        Some((pattern, found))
    })
}

/// Whether another clause of a refusing part states a quantity: `40.000 đồng mỗi ký, em chưa có thông tin về chăn lông vũ`
/// answers one thing and refuses another, though no word of contrast parts them. A number alone is not enough there (a
/// refusal names sections and dates), nor is what a clause takes from its source or sends the reader to.
fn claims_beside(part: &str, at: &Range<usize>, packs: &[&Pack], asked: &mut Asked<'_>) -> bool {
    let Some(lang) = packs.first().and_then(|p| Lang::new(p.language())) else { return false };
    clauses(part).into_iter().any(|clause| {
        if clause.start < at.end && at.start < clause.end {
            return false;
        }
        let Some(text) = part.get(clause).map(str::trim) else { return false };
        let from_source = packs.iter().any(|p| p.refusal.source.as_ref().is_some_and(|s| s.is_match(text)));
        if from_source || is_ignored(text, packs) {
            return false;
        }
        let states = |m: &Mention| m.claim && m.unit.is_some_and(|u| u != number::Unit::ORDINAL) && m.kind.has_value();
        number::mentions(text, &lang).iter().any(states) && numbers(text).iter().any(|n| !asked.numbers().contains(n))
    })
}

/// The clauses of a part, cut at commas that are not inside a number.
fn clauses(part: &str) -> Vec<Range<usize>> {
    let bytes = part.as_bytes();
    let digit = |i: Option<usize>| i.and_then(|i| bytes.get(i)).is_some_and(u8::is_ascii_digit);
    let mut out = Vec::new();
    let mut start = 0;
    for (i, c) in part.char_indices().filter(|(_, c)| matches!(c, ',' | '，' | '、')) {
        if c == ',' && digit(i.checked_sub(1)) && digit(Some(i + 1)) {
            continue;
        }
        out.push(start..i);
        start = i + c.len_utf8();
    }
    out.push(start..part.len());
    out
}

/// Whether a match stands in quotation marks: a title, or words that are spoken of. Quotation marks around the whole part
/// do not count.
fn is_quoted(part: &str, m: &std::ops::Range<usize>, inside: &str, asked: &mut Asked<'_>) -> bool {
    let here = quoted(part).iter().any(|q| q.start <= m.start && m.end <= q.end && q.len() + 8 < part.len());
    here || asked.quotes().iter().any(|q| q.contains(inside))
}

/// Whether a part that does not refuse claims something.
fn is_claim(part: &str, packs: &[&Pack], asked: &mut Asked<'_>) -> bool {
    if is_ignored(part, packs) {
        return false;
    }
    let contact = contacts(part, packs, asked);
    let said = contact.as_deref().unwrap_or(part);
    if numbers(said).iter().any(|n| !asked.numbers().contains(n)) {
        return true;
    }
    let offers = packs.iter().any(|p| p.refusal.offer.as_ref().is_some_and(|o| o.is_match(part)));
    if contact.is_some() || offers {
        return false;
    }
    let Some(data) = packs.first().map(|p| &p.refusal) else { return false };
    let known = asked.words();
    let new: BTreeSet<&str> =
        words_of(part).into_iter().filter_map(|r| part.get(r)).filter(|w| !known.contains(*w)).collect();
    let count = match data.count {
        Count::Words => new.len(),
        Count::Characters => new.iter().flat_map(|w| w.chars()).filter(|c| !chars::is_mark(*c)).count(),
    };
    count >= data.min_new_tokens_for_claim
}

/// A part that says how somebody can be reached, without its phone numbers, addresses and the hours of a call: it sends the
/// reader elsewhere. Nothing where it names none, and where the question asks for just that.
fn contacts(part: &str, packs: &[&Pack], asked: &mut Asked<'_>) -> Option<String> {
    let address = |word: &str| {
        let mail = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        mail || ["http://", "https://", "www."].iter().any(|begin| word.contains(begin))
    };
    let addressed = part.split_whitespace().any(address);
    let lang = packs.first().and_then(|p| Lang::new(p.language()))?;
    let mentions =
        if part.contains(|c| chars::digit(c).is_some()) { number::mentions(part, &lang) } else { Vec::new() };
    let reached = |m: &Mention| m.kind == number::Kind::Phone;
    if !(addressed || mentions.iter().any(reached)) || asked.wants_contact(packs) {
        return None;
    }
    let mut rest = String::with_capacity(part.len());
    let mut from = 0;
    for m in mentions.iter().filter(|m| reached(m) || matches!(m.kind, number::Kind::Time | number::Kind::Ratio)) {
        rest.push_str(part.get(from..m.start).unwrap_or_default());
        rest.push(' ');
        from = m.end;
    }
    rest.push_str(part.get(from..).unwrap_or_default());
    Some(rest.split_whitespace().filter(|word| !address(word)).collect::<Vec<_>>().join(" "))
}

/// Whether a part is polite, asks, or sends the reader elsewhere.
fn is_ignored(part: &str, packs: &[&Pack]) -> bool {
    let asks = part.trim_end_matches(['"', '\'', ')', '”', '」', '*']).ends_with(['?', '？', '؟']);
    asks || packs.iter().map(|p| &p.refusal).any(|data| {
        data.redirect.as_ref().is_some_and(|r| r.is_match(part))
            || data.courtesy_start.as_ref().is_some_and(|r| r.is_match(part))
    })
}

/// Whether a sentence greets, thanks or is sorry. English is tried for every language.
pub fn is_courtesy(sentence: &str, pack: Option<&Pack>) -> bool {
    let text = lowered(sentence.trim());
    let of = |p: &Pack| p.refusal.courtesy_start.as_ref().is_some_and(|c| c.is_match(&text));
    pack.into_iter().chain(Pack::by_code("en")).any(of)
}

/// The numbers of a text as written in matching form.
fn numbers(text: &str) -> Vec<String> {
    if !text.chars().any(|c| chars::digit(c).is_some()) {
        return Vec::new();
    }
    let text: Cow<'_, str> = matching(text).into();
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '/' | '-' | '%')))
        .filter(|t| t.contains(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// The numbers that an answer claims beside its refusal and that the question does not have.
pub fn claimed_numbers(answer: &str, question: &Question, pack: Option<&Pack>) -> Vec<String> {
    let packs: Vec<&Pack> = pack.into_iter().chain(Pack::by_code("en")).collect();
    let text = lowered(answer);
    let mut asked = Asked { question, quotes: None, numbers: None, words: None, contact: None };
    let mut out = Vec::new();
    for part in parts(&text, &packs) {
        if packs.iter().any(|p| hit(part, p, &mut asked).is_some()) || is_ignored(part, &packs) {
            continue;
        }
        let contact = contacts(part, &packs, &mut asked);
        let said = contact.as_deref().unwrap_or(part);
        out.extend(numbers(said).into_iter().filter(|n| !asked.numbers().contains(n)));
    }
    out
}

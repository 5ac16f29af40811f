//! What one part of an answer is.

use super::asked::{Asked, numbers};
use super::own::Own;
use super::units::{clauses, is_title, quoted, typed};
use crate::suite::Question;
use crate::text::norm::chars;
use crate::text::number::{self, Mention};
use crate::text::pack::{Count, Lang, Pack, Pattern};
use crate::text::segment::words_of;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a part of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It says that something is not known, or will not be said.
    Refuses,
    /// It says that the system failed.
    Failed,
    /// It claims something of the matter.
    Claims,
    /// It asks the reader to say more.
    Asks,
    /// It is only polite.
    Polite,
    /// It sends the reader elsewhere.
    Redirects,
    /// It offers help.
    Offers,
    /// It says what a text of the sources is about.
    AboutSource,
    /// It has too little that the question does not hold to be a claim.
    Little,
}

impl Role {
    /// The name, as people read it.
    pub fn name(self) -> &'static str {
        match self {
            Role::Refuses => "refuses",
            Role::Failed => "failed",
            Role::Claims => "claims",
            Role::Asks => "asks",
            Role::Polite => "polite",
            Role::Redirects => "sends elsewhere",
            Role::Offers => "offers help",
            Role::AboutSource => "speaks of the source",
            Role::Little => "says little",
        }
    }
}

/// A part of an answer and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part<'t> {
    /// Its text in the form in which patterns are tried: reading form, lower case, without marks of Markdown.
    pub text: &'t str,
    /// What it is.
    pub role: Role,
    /// The name of the pattern by which it refuses or failed.
    pub pattern: Option<String>,
    /// What took a hit away: the pattern and why.
    pub veto: Option<String>,
    /// It refuses, and another clause of it claims something.
    pub claims_too: bool,
}

/// A hit of a pattern: its name and place.
struct Hit {
    name: String,
    at: Range<usize>,
}

/// Tells what parts are, of one answer to one question.
pub(super) struct Parts<'a> {
    pub(super) packs: &'a [&'a Pack],
    pub(super) own: &'a Own,
    pub(super) asked: Asked<'a>,
    /// The answer as it was given, where that is asked for.
    answer: Option<&'a str>,
    /// The answer as it was typed, where its bytes lie as those of the lowered text do, once that was asked: a hit alone
    /// asks for it.
    typed: OnceCell<Option<Cow<'a, str>>>,
    /// The lowered answer.
    pub(super) whole: &'a str,
    /// It was typed without any mark of its language's letters.
    pub(super) bare: bool,
    /// By pack: whether the whole answer may say that the system failed.
    may_fail: Vec<bool>,
    /// By pack: whether the whole answer says that one may try again later, once that was asked.
    retries: Vec<OnceCell<bool>>,
}

impl<'a> Parts<'a> {
    /// For one answer to one question; `whole` is the lowered answer, `answer` the answer itself where what is a title matters.
    pub(super) fn new(
        (packs, own): (&'a [&'a Pack], &'a Own),
        question: &'a Question,
        answer: Option<&'a str>,
        whole: &'a str,
    ) -> Self {
        let may_fail = packs.iter().map(|p| p.refusal.may_fail(whole)).collect();
        let retries = vec![OnceCell::new(); packs.len()];
        let (asked, typed) = (Asked::new(question), OnceCell::new());
        Parts { packs, own, asked, answer, typed, whole, bare: false, may_fail, retries }
    }
}

impl Parts<'_> {
    /// A part with the pattern by which it refuses or failed. Without one it is left to [`Parts::settle`].
    pub(super) fn part<'t>(&mut self, text: &'t str) -> Part<'t> {
        let mut veto = None;
        let mut part = Part { text, role: Role::Little, pattern: None, veto: None, claims_too: false };
        if let Some(hit) = self.failure(text, &mut veto) {
            part.role = Role::Failed;
            part.pattern = Some(hit.name);
        } else if let Some(hit) = self.refusal(text, &mut veto) {
            part.role = Role::Refuses;
            part.claims_too = self.claims_beside(text, &hit.at);
            part.pattern = Some(hit.name);
        }
        part.veto = veto;
        part
    }

    /// What a part is that neither refuses nor failed.
    pub(super) fn settle(&mut self, part: &mut Part<'_>) {
        if part.pattern.is_none() {
            part.role = self.role(part.text);
        }
    }

    /// Whether a part refuses or failed.
    pub(super) fn is_hit(&mut self, text: &str) -> bool {
        let mut veto = None;
        self.failure(text, &mut veto).is_some() || self.refusal(text, &mut veto).is_some()
    }

    /// The pattern by which a part says that the system failed. A question about such words makes them part of an answer.
    fn failure(&mut self, part: &str, veto: &mut Option<String>) -> Option<Hit> {
        for (i, pack) in self.packs.iter().enumerate() {
            // That one may try again can stand in another part than what cannot be done.
            if self.may_fail.get(i) != Some(&true) {
                continue;
            }
            let here = pack.refusal.may_fail(part);
            for pattern in pack.refusal.failure.iter().filter(|p| here || p.retry) {
                if pattern.retry && !self.retries(i, pack) {
                    continue;
                }
                if let Some(hit) = self.hit(part, pack, pattern, veto) {
                    if pattern.re.is_match(self.asked.text()) {
                        veto.get_or_insert(format!("{}: the question asks about it", hit.name));
                        continue;
                    }
                    return Some(hit);
                }
            }
        }
        self.own.failures(part).into_iter().map(|(name, at)| Hit { name, at }).next()
    }

    /// Whether the whole answer says, in the words of a pack, that one may try again later.
    fn retries(&self, at: usize, pack: &Pack) -> bool {
        let says = || pack.refusal.retry.as_ref().is_some_and(|r| r.is_match(self.whole));
        self.retries.get(at).is_some_and(|known| *known.get_or_init(says))
    }

    /// The pattern by which a part refuses.
    fn refusal(&mut self, part: &str, veto: &mut Option<String>) -> Option<Hit> {
        let mut found = None;
        for pack in self.packs {
            if pack.refusal.may_refuse(part) {
                found = pack.refusal.pattern.iter().find_map(|p| self.hit(part, pack, p, veto));
            }
            if found.is_some() {
                break;
            }
        }
        if found.is_none() && self.own.adds() {
            found = self.own.refusals(part).into_iter().find_map(|(name, at)| {
                let why = self.packs.iter().find_map(|p| self.taken_away(part, &at, p))?;
                match why {
                    "" => Some(Hit { name, at }),
                    why => {
                        veto.get_or_insert(format!("{name}: {why}"));
                        None
                    }
                }
            });
        }
        let hit = found?;
        match self.own.veto(part) {
            Some(by) => {
                veto.get_or_insert(format!("{}: {by}", hit.name));
                None
            }
            None => Some(hit),
        }
    }

    /// The first match of a pattern that nothing takes away.
    fn hit(&mut self, part: &str, pack: &Pack, pattern: &Pattern, veto: &mut Option<String>) -> Option<Hit> {
        for at in pattern.re.find_iter(part) {
            let name = || format!("{}.{}", pack.language(), pattern.name);
            let (Some(before), Some(inside), Some(after)) =
                (part.get(..at.start), part.get(at.clone()), part.get(at.end..))
            else {
                continue;
            };
            let vetoes = [(&pattern.veto_pre, before), (&pattern.veto_in, inside), (&pattern.veto_post, after)];
            let vetoed = vetoes.into_iter().any(|(v, text)| v.as_ref().is_some_and(|v| v.is_match(text)));
            let why = if vetoed { "the words around it" } else { self.taken_away(part, &at, pack).unwrap_or_default() };
            if why.is_empty() {
                return Some(Hit { name: name(), at });
            }
            veto.get_or_insert_with(|| format!("{}: {why}", name()));
        }
        None
    }

    /// Why a match does not count, whatever the pattern: an empty text when nothing is against it.
    fn taken_away(&mut self, part: &str, at: &Range<usize>, pack: &Pack) -> Option<&'static str> {
        let (before, inside) = (part.get(..at.start)?, part.get(at.clone())?);
        let data = &pack.refusal;
        let conditional = data.conditional.as_ref().is_some_and(|c| c.is_match(before))
            && !data.conditional_not.as_ref().is_some_and(|c| c.is_match(before));
        let behind =
            || part.get(at.end..).is_some_and(|t| data.conditional_behind.as_ref().is_some_and(|c| c.is_match(t)));
        if conditional || behind() {
            return Some("a condition");
        }
        if data.reported.as_ref().is_some_and(|r| r.is_match(before)) {
            return Some("said of others");
        }
        if quoted(part).iter().any(|q| q.start < at.end && at.end <= q.end && q.len() + 8 < part.len()) {
            return Some("quoted");
        }
        if self.asked.quotes().iter().any(|q| q.contains(inside)) || self.is_title_of(part, at) {
            return Some("a title");
        }
        // A question refuses only by a clause in front of it: `I do not know, which model is it?`
        if asks(part) && !part.get(at.end..)?.contains([',', ';', ':', '，', '；', '：', '-']) {
            return Some("a question");
        }
        Some("")
    }

    /// Whether a match is written as a title, with a text around it.
    fn is_title_of(&self, part: &str, at: &Range<usize>) -> bool {
        let typed = self.typed.get_or_init(|| self.answer.and_then(|answer| typed(answer, self.whole)));
        let Some(typed) = typed.as_deref() else { return false };
        // The part is a piece of the lowered answer, so it lies where its bytes lie.
        let from = (part.as_ptr() as usize).checked_sub(self.whole.as_ptr() as usize);
        let place = from.and_then(|f| Some(f.checked_add(at.start)?..f.checked_add(at.end)?));
        place.and_then(|p| typed.get(p)).is_some_and(|words| is_title(words, typed))
    }

    /// Whether another clause of a refusing part states a quantity: `40.000 đồng mỗi ký, em chưa có thông tin về chăn lông
    /// vũ` answers one thing and refuses another, though no word of contrast parts them. A number alone is not enough there
    /// (a refusal names sections and dates), nor is what a clause takes from its source or sends the reader to.
    fn claims_beside(&mut self, part: &str, at: &Range<usize>) -> bool {
        clauses(part).into_iter().any(|clause| {
            if clause.start < at.end && at.start < clause.end {
                return false;
            }
            part.get(clause).map(str::trim).is_some_and(|text| self.states_quantity(text))
        })
    }

    /// Whether a clause states a quantity that the question does not have.
    pub(super) fn states_quantity(&mut self, clause: &str) -> bool {
        let Some(lang) = self.packs.first().and_then(|p| Lang::new(p.language())) else { return false };
        let from_source = self.packs.iter().any(|p| p.refusal.source.as_ref().is_some_and(|s| s.is_match(clause)));
        if from_source || self.aside(clause).is_some() {
            return false;
        }
        let states = |m: &Mention| m.claim && m.unit.is_some_and(|u| u != number::Unit::ORDINAL) && m.kind.has_value();
        number::mentions(clause, &lang).iter().any(states) && numbers(clause).iter().any(|n| !self.asked.has_number(n))
    }

    /// Whether a part says that one may try again later.
    pub(super) fn says_retry(&self, part: &str) -> bool {
        self.packs.iter().any(|p| p.refusal.retry.as_ref().is_some_and(|r| r.is_match(part)))
    }

    /// What a part is that neither refuses nor failed.
    fn role(&mut self, part: &str) -> Role {
        if let Some(role) = self.aside(part) {
            return role;
        }
        let contact = self.contacts(part);
        let said = contact.as_deref().unwrap_or(part);
        // Round the clock is when somebody can be reached.
        if numbers(said).iter().any(|n| n != "24/7" && !self.asked.has_number(n)) {
            return Role::Claims;
        }
        if contact.is_some() {
            return Role::Redirects;
        }
        let matches = |of: fn(&Pack) -> &Option<crate::text::pack::Expression>| {
            self.packs.iter().any(|p| of(p).as_ref().is_some_and(|e| e.is_match(part)))
        };
        if matches(|p| &p.refusal.offer) {
            return Role::Offers;
        }
        if matches(|p| &p.refusal.about_source) {
            return Role::AboutSource;
        }
        let Some(data) = self.packs.first().map(|p| &p.refusal) else { return Role::Little };
        let new: BTreeSet<&str> = words_of(part)
            .into_iter()
            .filter_map(|r| part.get(r))
            .filter(|w| !self.asked.has_word(w, self.bare))
            .collect();
        let count = match data.count {
            Count::Words => new.len(),
            Count::Characters => new.iter().flat_map(|w| w.chars()).filter(|c| !chars::is_mark(*c)).count(),
        };
        if count >= data.min_new_tokens_for_claim { Role::Claims } else { Role::Little }
    }

    /// Whether a part asks, sends the reader elsewhere or is polite, whatever else it holds.
    pub(super) fn aside(&self, part: &str) -> Option<Role> {
        if asks(part) {
            return Some(Role::Asks);
        }
        let matches = |of: fn(&Pack) -> &Option<crate::text::pack::Expression>| {
            self.packs.iter().any(|p| of(p).as_ref().is_some_and(|e| e.is_match(part)))
        };
        if matches(|p| &p.refusal.asks_back) {
            return Some(Role::Asks);
        }
        if matches(|p| &p.refusal.redirect) {
            return Some(Role::Redirects);
        }
        matches(|p| &p.refusal.courtesy_start).then_some(Role::Polite)
    }

    /// A part that says how somebody can be reached, without its phone numbers, addresses and the hours of a call: it sends
    /// the reader elsewhere. Nothing where it names none, and where the question asks for just that.
    pub(super) fn contacts(&mut self, part: &str) -> Option<String> {
        let address = |word: &str| {
            let mail = word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
            mail || ["http://", "https://", "www."].iter().any(|begin| word.contains(begin))
        };
        let addressed = part.split_whitespace().any(address);
        let lang = self.packs.first().and_then(|p| Lang::new(p.language()))?;
        let mentions =
            if part.contains(|c| chars::digit(c).is_some()) { number::mentions(part, &lang) } else { Vec::new() };
        let reached = |m: &Mention| m.kind == number::Kind::Phone;
        if !(addressed || mentions.iter().any(reached)) || self.asked.wants_contact(self.packs) {
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
}

/// Whether a part ends in a question mark.
fn asks(part: &str) -> bool {
    part.trim_end_matches(|c: char| {
        matches!(c, '"' | '\'' | ')' | '”' | '」' | '*' | ']')
            || c.is_whitespace()
            || !(c.is_alphanumeric() || chars::is_punctuation(c) || chars::is_mark(c))
    })
    .ends_with(['?', '？', '؟'])
}

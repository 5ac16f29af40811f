//! Proposes facts from a model answer, by rule, for a person to accept.
//!
//! Most suites begin as questions with model answers, and a whole answer is never compared with a whole reference: that marks
//! right answers wrong. What an answer must say stands in the reference, though: a yes or no, numbers and dates, names that
//! the evidence has, or the few words that the reference is. Numbers and names that stand in the question already are not
//! proposed, since every answer could repeat them. Whatever is proposed holds for the reference itself, by the check that
//! will judge answers.
//!
//! * [`propose`] reads one question;
//! * [`mod@line`] answers a line of JSON;
//! * [`suite`] reads a whole suite and writes into its text;
//! * `conditions` finds numbers that only say for what the others hold;
//! * `names` finds names and quoted terms;
//! * `readings` finds the ways in which a short answer may be said;
//! * `refusal` finds model answers that want a refusal.

mod conditions;
pub mod line;
mod names;
mod readings;
mod refusal;
pub mod suite;

use crate::inspect;
use crate::suite::load::facts_of_json;
use crate::suite::write::inline;
use crate::suite::{Expect, Fact, Question};
use crate::text::common::is_common;
use crate::text::decimal::Decimal;
use crate::text::norm::{find_phrase, matching, plain};
use crate::text::number::{self, Civil, Kind, Mention, same_value};
use crate::text::pack::{Lang, Pack};
use crate::text::segment::{sentences, words};
use serde_json::{Value, json};

/// At most so many numbers and dates are proposed of one reference.
const NUMBERS: usize = 4;

/// At most so many names and terms.
const NAMES: usize = 3;

/// A reference of at most so many content words is a fact as it is.
const SHORT: usize = 5;

/// What facts are proposed from.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The language of all of it.
    pub lang: &'a Lang,
    /// The question.
    pub question: &'a str,
    /// The model answer.
    pub reference: &'a str,
    /// The passages with the answer; empty when they are not known.
    pub evidence: &'a [&'a str],
}

/// A fact that is proposed.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposed {
    /// Its form.
    pub form: Form,
    /// The words of the reference that it comes from.
    pub from: String,
}

/// The form of a proposed fact.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Words.
    Text(String),
    /// Words of which any one is enough.
    AnyOf(Vec<String>),
    /// A number by value, with its unit where it has one.
    Number(Decimal, Option<&'static str>),
    /// A date.
    Date(Civil),
    /// A yes or no.
    YesNo(bool),
}

impl Proposed {
    /// The fact as suites in JSON write it.
    pub fn json(&self) -> Value {
        match &self.form {
            Form::Text(text) => json!(text),
            Form::AnyOf(texts) => json!({ "any_of": texts }),
            Form::Number(value, unit) => {
                let text = value.to_string();
                // A value with more digits than JSON numbers keep stays text.
                let number = serde_json::from_str::<serde_json::Number>(&text).ok().filter(|n| n.to_string() == text);
                let value = number.map_or_else(|| json!(text), Value::Number);
                match unit {
                    Some(unit) => json!({ "number": { "value": value, "unit": unit } }),
                    None => json!({ "number": { "value": value } }),
                }
            }
            Form::Date(date) => json!({ "date": date.to_string() }),
            Form::YesNo(yes) => json!({ "yes_no": if *yes { "yes" } else { "no" } }),
        }
    }

    /// The fact as suites in YAML write it, on one line, also inside brackets.
    pub fn yaml(&self) -> String {
        match &self.form {
            Form::Text(text) => inline(text),
            Form::AnyOf(texts) => {
                let texts: Vec<String> = texts.iter().map(|t| inline(t)).collect();
                format!("{{ any_of: [{}] }}", texts.join(", "))
            }
            Form::Number(value, Some(unit)) => format!("{{ number: {{ value: {value}, unit: {} }} }}", inline(unit)),
            Form::Number(value, None) => format!("{{ number: {{ value: {value} }} }}"),
            Form::Date(date) => format!("{{ date: {} }}", inline(&date.to_string())),
            Form::YesNo(yes) => format!("{{ yes_no: \"{}\" }}", if *yes { "yes" } else { "no" }),
        }
    }
}

/// Whether the reference wants a refusal, so that `expect: refuse` says what is meant and facts would not.
pub fn wants_refusal(asked: &Asked<'_>) -> bool {
    refusal::wanted(asked)
}

/// The facts that a reference gives, in the order of the rules: yes or no, numbers and dates, names. Empty where no rule
/// finds one, and where the reference [wants a refusal](wants_refusal).
pub fn propose(asked: &Asked<'_>) -> Vec<Proposed> {
    if wants_refusal(asked) {
        return Vec::new();
    }
    let mut all: Vec<Proposed> = yes_no(asked).into_iter().collect();
    let whole = whole(asked);
    let mut numbers = numbers(asked);
    // `US 60` is a name with a number in it.
    let in_name =
        |text: &Proposed| numbers.iter().all(|n| matches!(n.form, Form::Number(_, None)) && n.from != text.from);
    if whole.as_ref().is_some_and(in_name) {
        numbers.clear();
    }
    all.append(&mut numbers);
    match whole {
        // A short answer says it better than its parts.
        Some(text) if all.is_empty() => all.push(text),
        Some(_) | None => {
            let names = of_evidence(asked, &all);
            all.extend(names);
        }
    }
    // What the reference itself does not say by the rules of the check, no answer would have to say.
    all.retain(|p| holds(asked, p, asked.reference));
    all
}

/// The yes or no with which the reference answers a question of yes or no.
fn yes_no(asked: &Asked<'_>) -> Option<Proposed> {
    // A sheet that says `True` or `Có` and nothing else asks for a yes or a no, however the question is put.
    if !is_yes_or_no(asked.reference, asked.lang) {
        Pack::of(asked.lang)?.claims.asked(asked.question)?;
    }
    let first = sentences(asked.reference, asked.lang).into_iter().next()?;
    let first = asked.reference.get(first)?;
    if !begins_with_yes_or_no(first, asked.lang) {
        return None;
    }
    let said = [true, false].map(|yes| Proposed { form: Form::YesNo(yes), from: first.to_owned() });
    let [yes, no] = said.map(|p| Some(p).filter(|p| holds(asked, p, first)));
    // Both would be a riddle.
    match (yes, no) {
        (Some(said), None) | (None, Some(said)) => Some(said),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// Whether a text is a word of yes or no.
fn is_yes_or_no(text: &str, lang: &Lang) -> bool {
    let text = plain(text).to_lowercase();
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let packs = Pack::of(lang).into_iter().chain(Pack::by_code("en"));
    packs.flat_map(|p| p.yes_no.yes.iter().chain(&p.yes_no.no)).any(|w| w == text)
}

/// Whether a text begins with a word of yes or no, maybe behind words of courtesy. `几天内可以退货？` is answered by a sentence
/// that allows something, and by no yes.
fn begins_with_yes_or_no(text: &str, lang: &Lang) -> bool {
    let text = plain(text).to_lowercase();
    let mut rest = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let packs = || Pack::of(lang).into_iter().chain(Pack::by_code("en"));
    // `Dạ thưa quý khách, không.`
    for _ in 0..3 {
        if packs().flat_map(|p| p.yes_no.yes.iter().chain(&p.yes_no.no)).any(|w| rest.starts_with(w.as_str())) {
            return true;
        }
        let courtesy = packs().flat_map(|p| &p.yes_no.courtesy).filter_map(|w| rest.strip_prefix(w.as_str()));
        match courtesy.min_by_key(|after| after.len()) {
            Some(after) => rest = after.trim_start_matches(|c: char| !c.is_alphanumeric()),
            None => return false,
        }
    }
    false
}

/// Numbers, amounts and dates that the reference claims and the question does not name.
fn numbers(asked: &Asked<'_>) -> Vec<Proposed> {
    let asked_for = number::mentions(asked.question, asked.lang);
    let claims: Vec<Mention> =
        number::mentions(asked.reference, asked.lang).into_iter().filter(|m| m.claim && says_something(m)).collect();
    let claims = conditions::without(asked.reference, &claims, asked.lang);
    let mut kept: Vec<&Mention> = Vec::new();
    for mention in claims {
        let known = asked_for.iter().chain(kept.iter().copied()).any(|other| same_value(mention, other));
        if !known && kept.len() < NUMBERS {
            kept.push(mention);
        }
    }
    kept.into_iter().filter_map(|m| of_mention(asked, m)).collect()
}

/// A single digit or word without a unit is too often an item of a list, or no number at all.
fn says_something(mention: &Mention) -> bool {
    match mention.kind {
        Kind::Number => mention.unit.is_some() || (!mention.spelled && mention.key.chars().count() != 1),
        Kind::Percent
        | Kind::Quantity
        | Kind::Money
        | Kind::Date
        | Kind::Time
        | Kind::Ratio
        | Kind::Phone
        | Kind::Code => true,
    }
}

fn of_mention(asked: &Asked<'_>, mention: &Mention) -> Option<Proposed> {
    let from = asked.reference.get(mention.start..mention.end)?.trim().to_owned();
    let text = || Form::Text(from.clone());
    let form = match mention.kind {
        // Working days, and numbers of two readings, say more as they are written.
        Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money if mention.working => text(),
        // `16 giờ` may be a time of day as well as a duration, and its words are both.
        Kind::Quantity if mention.shown_unit() == Some("hour") && !mention.spelled => text(),
        Kind::Number if mention.unit.is_none() => Form::Number(mention.value()?, currency(asked, mention)),
        Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money => {
            Form::Number(mention.value()?, mention.shown_unit())
        }
        Kind::Date => mention.dates.first().map_or_else(text, |d| Form::Date(*d)),
        Kind::Time | Kind::Ratio | Kind::Phone | Kind::Code => text(),
    };
    let proposed = Proposed { form, from: from.clone() };
    if holds(asked, &proposed, asked.reference) {
        return Some(proposed);
    }
    // The same in its own words, where its value alone is not read back.
    Some(Proposed { form: Form::Text(from.clone()), from })
}

/// The currency of a bare number, as sheets hold amounts (`500000`, `25tr`): that of the same value in the evidence, or, with a
/// magnitude (`25tr`), the only one of the evidence.
fn currency(asked: &Asked<'_>, mention: &Mention) -> Option<&'static str> {
    let read = |text: &&str| number::mentions(text, asked.lang);
    let money: Vec<Mention> = asked.evidence.iter().flat_map(read).filter(|m| m.kind == Kind::Money).collect();
    let same = money.iter().find(|m| same_value(m, mention)).and_then(Mention::shown_unit);
    let only = || {
        let first = money.first()?.shown_unit();
        first.filter(|_| mention.magnitude != 0 && money.iter().all(|m| m.shown_unit() == first))
    };
    same.or_else(only)
}

/// The reference itself, where it is only a few words, as it may be said; also where the question holds them, which asks to
/// choose then.
fn whole(asked: &Asked<'_>) -> Option<Proposed> {
    let closing = |c: char| c.is_whitespace() || matches!(c, '.' | '。' | '!' | '！' | ';' | ',');
    let text = asked.reference.trim().trim_end_matches(closing);
    if text.contains('\n') || sentences(text, asked.lang).len() > 2 {
        return None;
    }
    let mut said = readings::of(text, asked.question, asked.lang);
    if !said.iter().all(|reading| is_short(asked, reading)) {
        return None;
    }
    let form = if said.len() == 1 { Form::Text(said.pop()?) } else { Form::AnyOf(said) };
    Some(Proposed { form, from: text.to_owned() })
}

/// Whether a text is a few words that say something.
fn is_short(asked: &Asked<'_>, text: &str) -> bool {
    let content = words(text, asked.lang).into_iter().filter_map(|r| text.get(r)).filter(|w| {
        let w = matching(w);
        !is_common(w.trim(), asked.lang.as_str())
    });
    (1..=SHORT).contains(&content.count())
}

/// Names and terms of the reference that the evidence has and the question has not.
///
/// A month of a date that is proposed already is no name.
fn of_evidence(asked: &Asked<'_>, already: &[Proposed]) -> Vec<Proposed> {
    let question = matching(asked.question);
    let evidence: Vec<String> = asked.evidence.iter().map(|e| matching(e)).collect();
    let stands = |name: &str| evidence.iter().any(|e| find_phrase(e, name).is_some());
    let mut kept: Vec<(String, String)> = Vec::new();
    for name in names::of(asked.reference, asked.lang) {
        let form = matching(&name).trim().to_owned();
        if already.iter().any(|p| !matches!(p.form, Form::YesNo(_)) && p.from.contains(&name)) {
            continue;
        }
        let part = kept.iter().any(|(_, k)| find_phrase(k, &form).is_some() || find_phrase(&form, k).is_some());
        if !part && !form.is_empty() && find_phrase(&question, &form).is_none() && stands(&form) {
            kept.push((name, form));
        }
    }
    let text = |(name, _): (String, String)| Proposed { form: Form::Text(name.clone()), from: name };
    kept.into_iter().take(NAMES).map(text).collect()
}

/// Whether a text states the fact, by the check that judges answers.
fn holds(asked: &Asked<'_>, proposed: &Proposed, text: &str) -> bool {
    let Ok(facts) = facts_of_json(&json!([proposed.json()]).to_string()) else { return false };
    inspect::states(asked.question, facts, asked.lang, text)
}

/// The facts of a question that its own model answer does not state, by the check that judges answers: one of the two is wrong.
/// Empty without a model answer, and where no answer is wanted. A fact about a part of an answer in JSON is not looked at: a model
/// answer is mostly written as prose.
pub fn unstated<'q>(question: &'q Question, lang: &Lang) -> Vec<&'q Fact> {
    let Some(reference) = question.reference.as_deref() else { return Vec::new() };
    if !matches!(question.expect, Expect::Answer | Expect::Either) {
        return Vec::new();
    }
    let prose = question.facts.iter().filter(|f| f.looking.path.is_none());
    prose.filter(|f| !inspect::states(&question.text, vec![(*f).clone()], lang, reference)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(lang: &str, question: &str, reference: &str, evidence: &[&str]) -> String {
        let lang = Lang::new(lang).unwrap();
        let all = propose(&Asked { lang: &lang, question, reference, evidence });
        all.iter().map(|p| p.json().to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_with_their_units() {
        for (lang, question, reference, want) in [
            ("vi", "Đổi trả trong bao lâu?", "Trong 7 ngày kể từ ngày nhận.", r#"{"number":{"unit":"day","value":7}}"#),
            (
                "vi",
                "Phí nội thành?",
                "25.000đ cho đơn dưới 15 kg",
                // For what parcels it holds is no part of what is asked.
                r#"{"number":{"unit":"VND","value":25000}}"#,
            ),
            ("vi", "Hoàn tiền mất mấy ngày?", "7 ngày làm việc", r#""7 ngày làm việc""#),
            ("vi", "Mất hộp bị trừ bao nhiêu?", "Tối đa 15% giá mua", r#"{"number":{"unit":"percent","value":15}}"#),
            ("th", "คืนสินค้าได้ภายในกี่วัน", "ภายใน ๗ วัน", r#"{"number":{"unit":"day","value":7}}"#),
            ("zh", "运费多少？", "二十五元", r#"{"number":{"unit":"CNY","value":25}}"#),
            ("en", "When was it opened?", "It was opened on 30 November 2026.", r#"{"date":"2026-11-30"}"#),
            (
                "en",
                "What may I return within 7 days?",
                "Within 7 days, goods of 1.5 kg.",
                r#"{"number":{"unit":"kg","value":1.5}}"#,
            ),
        ] {
            assert_eq!(facts(lang, question, reference, &[]), want, "{question} {reference}");
        }
    }

    #[test]
    fn yes_and_no() {
        for (lang, question, reference, want) in [
            (
                "vi",
                "Hàng thanh lý có được đổi trả không?",
                "Không. Hàng thanh lý không được đổi trả.",
                r#"{"yes_no":"no"}"#,
            ),
            ("vi", "Máy giặt có được lắp miễn phí không?", "Có, máy giặt được lắp miễn phí.", r#"{"yes_no":"yes"}"#),
            ("th", "คืนสินค้าได้ไหม", "ได้ค่ะ", r#"{"yes_no":"yes"}"#),
            ("zh", "可以退货吗？", "不可以。", r#"{"yes_no":"no"}"#),
            ("en", "Water damage is covered.", "False", r#"{"yes_no":"no"}"#),
            ("vi", "Hàng khuyến mãi được đổi.", "Đúng", r#"{"yes_no":"yes"}"#),
            ("th", "คืนได้ใน 7 วัน", "ผิด", r#"{"yes_no":"no"}"#),
            ("zh", "七天内可以退货。", "错", r#"{"yes_no":"no"}"#),
            ("en", "Is water damage covered?", "No, water damage is not covered.", r#"{"yes_no":"no"}"#),
        ] {
            assert_eq!(facts(lang, question, reference, &[]), want, "{question} {reference}");
        }
        assert_eq!(facts("zh", "几天内可以退货？", "七天内可以退货。", &[]), r#"{"number":{"unit":"day","value":7}}"#);
        assert!(!facts("vi", "Cửa hàng ở đâu?", "Có hai chi nhánh ở Huế.", &[]).contains("yes_no"));
    }

    #[test]
    fn names_stand_in_the_evidence_and_not_in_the_question() {
        let evidence = ["The Sea Organ was built by Nikola Bašić for the city of Zadar after the war."];
        assert_eq!(
            facts(
                "en",
                "Who built the Sea Organ?",
                "Nobody but the architect Nikola Bašić built it, not Ivan Mestrovic as people say.",
                &evidence
            ),
            r#""Nikola Bašić""#
        );
        let term = ["Gói “Bảo hành Vàng” bán tại quầy."];
        assert_eq!(
            facts(
                "vi",
                "Gói nào bán tại quầy?",
                "Quý khách hãy hỏi nhân viên tại quầy về gói “Bảo hành Vàng” nhé ạ.",
                &term
            ),
            r#""Bảo hành Vàng""#
        );
        assert_eq!(
            facts("en", "Who is it?", "That is somebody of whom nothing else is known here at all.", &evidence),
            ""
        );
    }

    #[test]
    fn a_short_reference_is_the_fact() {
        assert_eq!(facts("en", "Which magazine came first?", "Arthur's Magazine", &[]), r#""Arthur's Magazine""#);
        assert_eq!(facts("vi", "Ai lập hồ sơ?", "Cha mẹ.", &[]), r#""Cha mẹ""#);
        assert_eq!(facts("zh", "在哪里领取？", "门店前台。", &[]), r#""门店前台""#);
        assert_eq!(facts("en", "Which is larger, Paris or Rome?", "Paris", &[]), r#""Paris""#);
        assert_eq!(facts("en", "Who funds the team?", "Mr. Burns", &[]), r#""Mr. Burns""#);
        let passage = ["He was born on 25 June 1961."];
        assert_eq!(facts("en", "When was he born?", "25 June 1961", &passage), r#"{"date":"1961-06-25"}"#);
        assert_eq!(facts("en", "Which road is it?", "US 60", &[]), r#""US 60""#);
        assert_eq!(facts("en", "In which year?", "1928", &[]), r#"{"number":{"value":1928}}"#);
    }

    #[test]
    fn odd_input_gives_nothing() {
        for (question, reference) in [("", ""), ("?", "…"), ("\u{0}", "."), ("a", "\n\n")] {
            assert_eq!(facts("vi", question, reference, &[]), "");
        }
    }
}

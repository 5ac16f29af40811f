//! What the documents that evidence names say of the values that a question wants.
//!
//! A document changes, and the fact stays behind: then every right answer is red, and the model is blamed for what the suite
//! holds. So each number and date that a question wants is looked for in what its evidence names. One that follows from the document and
//! the question (`3 × 150.000`), by the rules with which numbers of answers are grounded, stands there too. Words are not
//! looked for: a document says in many ways what an answer says in one.

use super::look::look;
use super::sheet::Sheet;
use super::value::{only_number, wanted};
use crate::layer::{Detail, Exam, LayerResult, Outcome, Provides, Reading, numbers};
use crate::suite::corpus::{Named, Standing};
use crate::suite::{Evidence, Fact, FactForm, Looking, Negation, Question};
use crate::target::response::{Answer, Context, Response};
use crate::text::norm::{find_phrase, matching, visible};
use crate::text::number::{self, Kind, Mention, Relation, same_value};
use crate::text::pack::Lang;
use crate::text::segment::{sentences, words};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// A value that a question wants and that what its evidence names does not state.
#[derive(Debug, Clone)]
pub struct Unsaid<'q> {
    /// Where it stands among the question's facts: the position, from 0, and those within facts combined.
    pub path: Vec<usize>,
    /// That fact, or the part of it.
    pub fact: &'q Fact,
    /// The values, as they were read; of alternatives all.
    pub values: Vec<Mention>,
    /// The documents that were read, each once.
    pub docs: Vec<String>,
    /// The value stands in the document, and the very words that the evidence names state another one in its place.
    pub only_elsewhere: bool,
    /// What stands in its place, where something of its kind does.
    pub instead: Option<Instead>,
}

/// A value of the same kind, in the sentence that is nearest to the question.
#[derive(Debug, Clone, PartialEq)]
pub struct Instead {
    /// The document.
    pub doc: String,
    /// The line, from 1.
    pub line: u32,
    /// The sentence, on one line.
    pub sentence: String,
    /// The value as it is written there, with its unit.
    pub written: String,
    /// The same, as it was read.
    pub value: Mention,
    /// It can be proposed: the sentence holds no other value of that kind, and no other sentence is nearly as near.
    pub sure: bool,
}

impl Unsaid<'_> {
    /// One sentence on what is wanted, and what stands in its place.
    pub fn told(&self) -> String {
        let wanted = visible(&self.fact.form.to_string());
        let docs = visible(&self.docs.join(", "));
        let gone = if self.only_elsewhere {
            format!("“{wanted}” is wanted, and the words that the evidence names do not say it")
        } else {
            format!("“{wanted}” is wanted, and stands nowhere in {docs}")
        };
        match &self.instead {
            Some(Instead { doc, line, written, .. }) => {
                format!("{gone}; {} says “{written}” in line {line}.", visible(doc))
            }
            None => format!("{gone}."),
        }
    }
}

/// The numbers of the documents, read once each.
#[derive(Debug, Default)]
pub struct Read<'c>(RefCell<HashMap<Place<'c>, Rc<Vec<Mention>>>>);

/// A document, a line of it and the length of what is read there.
type Place<'c> = (&'c str, u32, usize);

impl<'c> Read<'c> {
    fn mentions(&self, named: &Named<'c>, lang: &Lang) -> Rc<Vec<Mention>> {
        let key = (named.doc, named.line, named.text.len());
        if let Some(known) = self.0.borrow().get(&key) {
            return Rc::clone(known);
        }
        let read = Rc::new(number::mentions(named.text, lang));
        self.0.borrow_mut().insert(key, Rc::clone(&read));
        read
    }
}

/// A value that is wanted: one of some readings or alternatives.
struct Value<'q> {
    path: Vec<usize>,
    fact: &'q Fact,
    any: Vec<Mention>,
}

/// The values among the facts of a question that nothing which its evidence names states. Empty where there is no corpus, or
/// the evidence names neither a document nor a section of it.
pub fn unsaid<'q, 'c>(exam: &Exam<'c>, question: &'q Question, read: &Read<'c>) -> Vec<Unsaid<'q>> {
    let Some(corpus) = exam.corpus else { return Vec::new() };
    let mut texts: Vec<Named<'c>> = Vec::new();
    for named in question.places().flat_map(|e| corpus.named_texts(e)) {
        if !texts.contains(&named) {
            texts.push(named);
        }
    }
    if texts.is_empty() {
        return Vec::new();
    }
    // Words that are gone themselves prove nothing.
    let stands = |e: &&Evidence| corpus.standing(e) == Standing::Found;
    let spans: Vec<&str> = question.places().filter(stands).filter_map(|e| e.span.as_deref()).collect();
    let of_spans: Vec<Mention> = spans.iter().flat_map(|s| number::mentions(s, exam.lang)).collect();
    let mut values = Vec::new();
    question.facts.iter().enumerate().for_each(|(i, f)| collect(&[i], f, exam.lang, &mut values));
    let mut out = Vec::new();
    for value in &values {
        let accounted = |m: &Mention| values.iter().any(|v| v.any.iter().any(|w| same_value(w, m)));
        let stated = |all: &[Mention]| all.iter().any(|m| value.any.iter().any(|w| same_value(w, m)));
        let rival = |m: &Mention| m.claim && value.any.iter().any(|w| of_a_kind(w, m)) && !accounted(m);
        let in_words = stated(&of_spans);
        let contradicted = !in_words && of_spans.iter().any(rival);
        let somewhere =
            in_words || texts.iter().any(|t| stated(&read.mentions(t, exam.lang))) || follows(exam, value, &texts);
        if somewhere && !contradicted {
            continue;
        }
        let mut docs: Vec<String> = Vec::new();
        for text in &texts {
            if docs.last().is_none_or(|d| d != text.doc) {
                docs.push(text.doc.to_owned());
            }
        }
        let instead = instead(exam, question, &texts, read, &spans, &rival);
        out.push(Unsaid {
            path: value.path.clone(),
            fact: value.fact,
            values: value.any.clone(),
            docs,
            only_elsewhere: somewhere,
            instead,
        });
    }
    out
}

/// Whether some texts say a fact, each by itself: its words as an answer would be found to say them, its values also where they follow
/// from the texts and the question.
pub fn stands_in(exam: &Exam<'_>, fact: &Fact, texts: &[&str]) -> bool {
    let mut values = Vec::new();
    collect(&[], fact, exam.lang, &mut values);
    if values.is_empty() {
        values.push(Value { path: Vec::new(), fact, any: Vec::new() });
    }
    let texts: Vec<Named<'_>> = texts.iter().map(|text| Named { doc: "", line: 1, text }).collect();
    values.iter().all(|v| follows(exam, v, &texts))
}

/// The numbers and dates of a fact. Alternatives are one value, where all are values.
fn collect<'q>(path: &[usize], fact: &'q Fact, lang: &Lang, out: &mut Vec<Value<'q>>) {
    let each = |members: &'q [Fact], out: &mut Vec<Value<'q>>| {
        members.iter().enumerate().for_each(|(i, m)| collect(&[path, &[i]].concat(), m, lang, out));
    };
    match &fact.form {
        FactForm::AllOf(members) | FactForm::Order(members) => each(members, out),
        FactForm::AnyOf(members) => {
            let mut inner = Vec::new();
            each(members, &mut inner);
            if inner.len() == members.len() && !inner.is_empty() {
                out.push(Value { path: path.to_vec(), fact, any: inner.into_iter().flat_map(|v| v.any).collect() });
            }
        }
        // A part of an answer in JSON is in the writing of JSON, and often no value of the document.
        _ if fact.looking.path.is_some() => {}
        FactForm::Text(text) => {
            out.extend(only_number(text, lang).map(|m| Value { path: path.to_vec(), fact, any: vec![m] }));
        }
        FactForm::Number { value, unit, .. } => {
            let known = unit.as_deref().map(|u| number::unit(u, lang));
            // A unit that no pack knows cannot be told from another.
            if known != Some(None) {
                out.push(Value { path: path.to_vec(), fact, any: vec![wanted(*value, known.flatten())] });
            }
        }
        FactForm::Date(date) => {
            let mention = Mention { dates: vec![*date], kind: Kind::Date, ..Mention::bare(Vec::new(), 0, 0) };
            out.push(Value { path: path.to_vec(), fact, any: vec![mention] });
        }
        FactForm::Regex(_) | FactForm::YesNo(_) => {}
    }
}

/// Whether two mentions could stand in each other's place.
fn of_a_kind(a: &Mention, b: &Mention) -> bool {
    let counted = |m: &Mention| matches!(m.kind, Kind::Number | Kind::Percent | Kind::Quantity | Kind::Money);
    match (a.unit, b.unit) {
        _ if !(counted(a) && counted(b)) => a.kind == b.kind,
        (Some(a), Some(b)) => a.relation(b) != Relation::Conflict,
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether a value stands in the texts as facts find it, or follows from them and the question as numbers of answers may.
fn follows(exam: &Exam<'_>, value: &Value<'_>, texts: &[Named<'_>]) -> bool {
    let looking = Looking { negation: Negation::Off, condition: None, ..value.fact.looking.clone() };
    let bare = Fact { looking, ..value.fact.clone() };
    let states = |text: &str| {
        let reading = Reading::of_text(text);
        look(&Sheet::new(exam, &reading, false), &bare).is_ok()
    };
    if texts.iter().any(|t| states(t.text)) {
        return true;
    }
    let written = value.fact.form.to_string();
    let reference = exam.question.reference.as_deref().unwrap_or_default();
    [written.as_str(), reference].into_iter().any(|answer| grounded(exam, answer, value, texts))
}

/// Whether the value is grounded in the texts where an answer states it.
fn grounded(exam: &Exam<'_>, answer: &str, value: &Value<'_>, texts: &[Named<'_>]) -> bool {
    let stated = number::mentions(answer, exam.lang).iter().any(|m| value.any.iter().any(|w| same_value(w, m)));
    if !stated {
        return false;
    }
    let contexts = texts.iter().map(|t| Context { text: Some(t.text.into()), ..Context::default() });
    let response =
        Response { answer: Answer::Text(answer.into()), contexts: Some(contexts.collect()), ..Response::default() };
    let exam = Exam { response: &response, provides: Provides::ALL, ..*exam };
    let LayerResult { outcome, detail: Detail::Numbers(verdicts), .. } =
        numbers::check(&exam, &Reading::of_text(answer))
    else {
        return false;
    };
    let of =
        |shown: &str| number::mentions(shown, exam.lang).iter().any(|m| value.any.iter().any(|w| same_value(w, m)));
    outcome == Outcome::Pass || verdicts.iter().any(|v| !v.status.is_fault() && of(&v.text))
}

/// The value of the same kind in the sentence that has most words in common with the question, its model answer and the words that
/// the evidence names; of equal ones the first.
fn instead<'c>(
    exam: &Exam<'c>,
    question: &Question,
    texts: &[Named<'c>],
    read: &Read<'c>,
    spans: &[&str],
    rival: &dyn Fn(&Mention) -> bool,
) -> Option<Instead> {
    let mut about: BTreeSet<String> = BTreeSet::new();
    let reference = question.reference.as_deref().unwrap_or_default();
    for text in spans.iter().copied().chain([question.text.as_str(), reference]) {
        about.extend(words_in(text, exam.lang));
    }
    let mut found: Vec<(f64, Instead)> = Vec::new();
    for text in texts {
        let mentions = read.mentions(text, exam.lang);
        let mut rivals = mentions.iter().filter(|m| rival(m)).peekable();
        for range in sentences(text.text, exam.lang) {
            let mut inside: Vec<&Mention> = Vec::new();
            while let Some(m) = rivals.next_if(|m| m.start < range.end) {
                inside.extend((m.start >= range.start).then_some(m));
            }
            let Some(first) = inside.first() else { continue };
            let sentence = text.text.get(range.clone()).unwrap_or_default();
            let own = words_in(sentence, exam.lang);
            let shorter = own.len().min(about.len()).max(1);
            let common = own.intersection(&about).count() as f64 / shorter as f64;
            // The words of a span itself are the place, whatever else the document holds.
            let named = spans.iter().any(|s| find_phrase(&matching(sentence), matching(s).trim()).is_some());
            let before = text.text.get(..range.start).unwrap_or_default().matches('\n').count();
            let instead = Instead {
                doc: text.doc.to_owned(),
                line: text.line.saturating_add(u32::try_from(before).unwrap_or(u32::MAX)),
                sentence: visible(&sentence.split_whitespace().collect::<Vec<_>>().join(" ")),
                written: visible(text.text.get(first.start..first.end).unwrap_or_default().trim()),
                value: (*first).clone(),
                sure: inside.iter().all(|m| same_value(m, first)),
            };
            found.push((if named { 1.0 + common } else { common }, instead));
        }
    }
    let (share, best) = found.iter().filter(|(s, _)| *s > 0.0).rev().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let others = found.iter().filter(|(_, i)| !same_value(&i.value, &best.value));
    let next = others.map(|(s, _)| *s).reduce(f64::max);
    let sure = match next {
        None => *share >= ALONE,
        Some(next) => *share >= SURE && share - next >= AHEAD,
    };
    Some(Instead { sure: sure && best.sure, ..best.clone() })
}

/// From this share of the words in common (of the shorter side) on, a sentence is taken to be the one that the fact came from,
/// where it is so far ahead of each that states another value. Where none does, less is enough.
const SURE: f64 = 0.5;
const AHEAD: f64 = 0.1;
const ALONE: f64 = 0.2;

/// The words of a text in matching form, without numbers: those are what may have changed.
fn words_in(text: &str, lang: &Lang) -> BTreeSet<String> {
    let word = |r: std::ops::Range<usize>| {
        let form = matching(text.get(r)?).trim().to_owned();
        (form.chars().any(char::is_alphabetic) && !form.chars().any(char::is_numeric)).then_some(form)
    };
    words(text, lang).into_iter().filter_map(word).collect()
}

//! The right answers of a suite, with the passages that bear them out.

use super::clause::is_whole;
use super::name::asked_for;
use super::words::Table;
use crate::baseline::answers::Answers;
use crate::layer::{Exam, Outcome, Provides, check_all};
use crate::suite::corpus::Corpus;
use crate::suite::{Evidence, Expect, Fact, FactForm, NumbersGrant, Question, Suite};
use crate::target::response::{self, Answer};
use crate::text::norm;
use crate::text::pack::{Lang, Pack};
use crate::text::segment::sentences;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Passage {
    /// The document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// The text.
    pub text: String,
}

/// One right answer.
#[derive(Debug, Clone)]
pub struct Source {
    /// The suite.
    pub suite: String,
    /// The question's id.
    pub id: String,
    /// The language.
    pub lang: Lang,
    /// What is asked.
    pub question: String,
    /// What is right.
    pub answer: String,
    /// What bears it out.
    pub contexts: Vec<Passage>,
    /// The words of the answer that are the name or thing that was asked for, where the suite says.
    pub term: Option<String>,
    /// The numbers that the suite allows.
    pub numbers: NumbersGrant,
}

/// A sentence of the corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The document.
    pub doc: String,
    /// The text.
    pub text: String,
}

/// What edits take from other places than the answer's own.
#[derive(Debug, Default)]
pub struct Pool {
    /// Sentences of the corpus that stand for themselves.
    pub sentences: Vec<Sentence>,
    /// Its sections.
    pub passages: Vec<Passage>,
    /// What other questions ask for, by class.
    terms: BTreeMap<String, Vec<String>>,
}

impl Pool {
    /// Names of a class, each once, in order.
    pub fn terms(&self, class: &str) -> &[String] {
        self.terms.get(class).map(Vec::as_slice).unwrap_or_default()
    }
}

/// A sentence that claims something has at least so many characters.
const LEAST: usize = 12;

/// A longer one is no sentence to a reader.
const MOST: usize = 400;

/// The right answers of a suite, and what edits take from elsewhere.
///
/// Of each question that is to be answered: the accepted answer where every layer passes it; else the sentence of the
/// evidence that states every fact and holds the span. Questions without either have none.
///
/// With `every`, each sentence of the corpus stands as a right answer to no question too: some kinds find a place in few
/// answers.
pub fn read(suite: &Suite, corpus: Option<&Corpus>, accepted: Option<&Answers>, every: bool) -> (Vec<Source>, Pool) {
    let mut sources = Vec::new();
    for question in suite.questions.iter().filter(|q| q.expect == Expect::Answer && !q.draft) {
        let own = accepted.and_then(|a| of_accepted(suite, question, corpus, a));
        sources.extend(own.or_else(|| of_evidence(suite, question, corpus?)));
    }
    let asked = sources.clone();
    if let (true, Some(corpus)) = (every, corpus) {
        sources.extend(of_corpus(suite, corpus));
    }
    // Of several questions on one sentence the first speaks for all.
    let mut seen = BTreeSet::new();
    sources.retain(|s| seen.insert(norm::matching(&s.answer)));
    let pool = pool(suite, corpus, &asked);
    (sources, pool)
}

fn of_accepted(suite: &Suite, question: &Question, corpus: Option<&Corpus>, accepted: &Answers) -> Option<Source> {
    let line = accepted.lines.get(question.id.as_str())?;
    let response = response::parse(line.text.as_bytes()).ok()?;
    let exam = Exam {
        question,
        response: &response,
        provides: Provides::ALL,
        lang: &suite.language,
        pack: Pack::of(&suite.language),
        corpus,
        top_k: suite.top_k,
        pool: None,
        holdings: None,
        own: None,
    };
    let passes = check_all(&exam).iter().all(|(_, r)| matches!(r.outcome, Outcome::Pass | Outcome::Skipped(_)));
    let Answer::Text(answer) = &response.answer else { return None };
    let contexts: Vec<Passage> = response
        .contexts
        .iter()
        .flatten()
        .filter(|c| c.in_prompt())
        .filter_map(|c| Some(Passage { doc: c.doc.as_deref().map(str::to_owned), text: c.text.as_deref()?.to_owned() }))
        .collect();
    (passes && !contexts.is_empty()).then(|| source(suite, question, answer.clone().into_owned(), contexts))
}

/// The sentence of the evidence that states the facts, with the sections that the evidence names.
fn of_evidence(suite: &Suite, question: &Question, corpus: &Corpus) -> Option<Source> {
    let evidence: &Evidence = question.places().find(|e| e.span.is_some())?;
    let span = evidence.span.as_deref()?;
    let named = corpus.named_texts(evidence).into_iter().find(|n| n.text.contains(span))?;
    let body = plain(named.text);
    let at = body.find(span)?;
    let all = claims(&body, &suite.language);
    let sentence = all.into_iter().find(|r| r.start <= at && at + span.len() <= r.end)?;
    let text = body.get(sentence)?;
    let passage = Passage { doc: Some(named.doc.to_owned()), text: body.trim().to_owned() };
    Some(source(suite, question, text.to_owned(), vec![passage]))
}

/// A section without headings, tables and lists. A line that ends within a sentence goes on in the next.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(['#', '|', '-', '*']) {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            continue;
        }
        if !out.is_empty() && !out.ends_with('\n') {
            out.push(' ');
        }
        out += line;
    }
    out
}

/// The sentences of a text that claim something. A language that ends sentences with blanks alone gives longer ones.
fn claims(text: &str, lang: &Lang) -> Vec<Range<usize>> {
    let Some(table) = Table::of(lang) else { return Vec::new() };
    let most = if table.marked { MOST } else { 4 * MOST };
    let says = |r: &Range<usize>| {
        let text = text.get(r.clone()).unwrap_or_default();
        is_whole(text, table)
            && !text.ends_with(['?', '？', ':', '：'])
            && (LEAST..=most).contains(&text.chars().count())
    };
    sentences(text, lang).into_iter().filter(says).collect()
}

/// Every sentence of the corpus that claims something and points at no other.
fn of_corpus(suite: &Suite, corpus: &Corpus) -> Vec<Source> {
    let mut out = Vec::new();
    for (doc, document) in &corpus.documents {
        let mut n = 0;
        for section in &document.sections {
            let body = plain(document.body(section));
            for r in claims(&body, &suite.language) {
                n += 1;
                let Some(answer) = body.get(r) else { continue };
                out.push(Source {
                    suite: suite.name.to_string(),
                    id: format!("{doc}-{n}"),
                    lang: suite.language.clone(),
                    question: String::new(),
                    answer: answer.to_owned(),
                    contexts: vec![Passage { doc: Some(doc.clone()), text: body.trim().to_owned() }],
                    term: None,
                    numbers: NumbersGrant::default(),
                });
            }
        }
    }
    out
}

fn source(suite: &Suite, question: &Question, answer: String, contexts: Vec<Passage>) -> Source {
    Source {
        suite: suite.name.to_string(),
        id: question.id.as_str().to_owned(),
        lang: suite.language.clone(),
        question: question.text.clone(),
        term: term(&question.facts, &answer),
        answer,
        contexts,
        numbers: question.numbers.clone(),
    }
}

/// The one text that the answer must state, as it stands there, where it is a name: no number in it.
fn term(facts: &[Fact], answer: &str) -> Option<String> {
    let [fact] = facts else { return None };
    let texts: Vec<&str> = match &fact.form {
        FactForm::Text(t) => vec![t.as_str()],
        FactForm::AnyOf(list) => {
            list.iter().filter_map(|f| if let FactForm::Text(t) = &f.form { Some(t.as_str()) } else { None }).collect()
        }
        FactForm::AllOf(_)
        | FactForm::Order(_)
        | FactForm::Regex(_)
        | FactForm::Number { .. }
        | FactForm::Date(_)
        | FactForm::YesNo(_) => return None,
    };
    let name = |t: &&str| answer.contains(*t) && t.chars().count() <= 40 && !t.chars().any(char::is_numeric);
    let trimmed = texts.into_iter().map(|t| t.trim_matches(|c: char| !c.is_alphanumeric() && c != ')'));
    trimmed.into_iter().find(name).map(str::to_owned)
}

fn pool(suite: &Suite, corpus: Option<&Corpus>, sources: &[Source]) -> Pool {
    let mut pool = Pool::default();
    for (doc, document) in corpus.iter().flat_map(|c| &c.documents) {
        for section in &document.sections {
            let body = document.body(section);
            let plain = plain(body);
            if plain.trim().is_empty() {
                continue;
            }
            pool.passages.push(Passage { doc: Some(doc.clone()), text: plain.trim().to_owned() });
            let claims = claims(&plain, &suite.language);
            let text = claims.into_iter().filter_map(|r| plain.get(r));
            pool.sentences.extend(text.map(|t| Sentence { doc: doc.clone(), text: t.to_owned() }));
        }
    }
    if let Some(table) = Table::of(&suite.language) {
        for source in sources {
            if let (Some(term), Some(class)) = (&source.term, asked_for(&source.question, table)) {
                pool.terms.entry(class.to_owned()).or_default().push(term.clone());
            }
        }
    }
    for list in pool.terms.values_mut() {
        list.sort();
        list.dedup();
    }
    pool
}

//! The right answers of a suite, with the passages that bear them out.

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

/// Sentences shorter or longer than this are no claims to a reader.
const SENTENCE: std::ops::RangeInclusive<usize> = 12..=320;

/// The right answers of a suite, and what edits take from elsewhere.
///
/// Of each question that is to be answered: the accepted answer where every layer passes it; else the sentence of the
/// evidence that states every fact and holds the span. Questions without either have none.
pub fn read(suite: &Suite, corpus: Option<&Corpus>, accepted: Option<&Answers>) -> (Vec<Source>, Pool) {
    let mut sources = Vec::new();
    for question in suite.questions.iter().filter(|q| q.expect == Expect::Answer && !q.draft) {
        let own = accepted.and_then(|a| of_accepted(suite, question, corpus, a));
        sources.extend(own.or_else(|| of_evidence(suite, question, corpus?)));
    }
    // Of several questions on one sentence the first speaks for all.
    let mut seen = BTreeSet::new();
    sources.retain(|s| seen.insert(norm::matching(&s.answer)));
    let pool = pool(suite, corpus, &sources);
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
    let body: String = named.text.lines().filter(|l| !l.trim_start().starts_with(['#', '|'])).collect::<Vec<_>>().join("\n");
    let at = body.find(span)?;
    let all = sentences(&body, &suite.language);
    let sentence = all.into_iter().find(|r| r.start <= at && at + span.len() <= r.end)?;
    let text = body.get(sentence)?.trim();
    let claims = !text.ends_with(['?', '？', ':', '：']) && SENTENCE.contains(&text.chars().count());
    let passage = Passage { doc: Some(named.doc.to_owned()), text: body.trim().to_owned() };
    claims.then(|| source(suite, question, text.to_owned(), vec![passage]))
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
    texts.into_iter().find(name).map(str::to_owned)
}

fn pool(suite: &Suite, corpus: Option<&Corpus>, sources: &[Source]) -> Pool {
    let mut pool = Pool::default();
    for (doc, document) in corpus.iter().flat_map(|c| &c.documents) {
        for section in &document.sections {
            let body = document.body(section);
            let plain: String = body.lines().filter(|l| !l.trim_start().starts_with(['#', '|', '-', '*'])).collect::<Vec<_>>().join("\n");
            if plain.trim().is_empty() {
                continue;
            }
            pool.passages.push(Passage { doc: Some(doc.clone()), text: plain.trim().to_owned() });
            for r in sentences(&plain, &suite.language) {
                let text = plain.get(r).unwrap_or_default().trim();
                let whole = SENTENCE.contains(&text.chars().count()) && !text.ends_with(['?', '？', ':', '：']);
                if whole {
                    pool.sentences.push(Sentence { doc: doc.clone(), text: text.to_owned() });
                }
            }
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

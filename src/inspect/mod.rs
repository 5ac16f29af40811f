//! What the checks make of a text, without a suite: `ragline inspect`. JSON in and out for programs, a table for people.
//!
//! * [`numbers`]: the numbers of a text, and which of an answer's stand in its passages;
//! * [`facts`]: which facts an answer states;
//! * [`citation`]: what the sentences of an answer cite, and whether it bears them out;
//! * [`retrieval`]: the figures of a ranked list;
//! * [`refusal`]: whether an answer refuses, and what each part of it is;
//! * [`stats`]: one statistic of given numbers.

pub mod citation;
pub mod facts;
pub mod numbers;
pub mod refusal;
pub mod retrieval;
pub mod stats;
mod table;

use crate::layer::facts::states_all;
use crate::layer::refusal::Own;
use crate::layer::{Exam, LayerMap, LayerResult, Provides, Reading};
use crate::problem::{Place, Problem, Problems};
use crate::suite::{Expect, Fact, Need, Question, QuestionId, Severity};
use crate::target::response::Response;
use crate::text::pack::{Lang, Pack};
use serde_json::Value;

/// What is inspected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Numbers.
    Numbers,
    /// Facts.
    Facts,
    /// Citations.
    Citation,
    /// The figures of a ranked list.
    Retrieval,
    /// Refusals.
    Refusal,
    /// Statistics.
    Stats,
}

/// One object of the input.
#[derive(Debug)]
pub struct Input<'a>(&'a Value);

impl<'a> Input<'a> {
    /// The object of one line.
    pub fn new(object: &'a Value) -> Self {
        Input(object)
    }

    /// What stands there; nothing where the key is missing or null.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|v| !v.is_null())
    }

    /// A text, or nothing where the key is missing or null.
    ///
    /// # Errors
    /// It is something else than a text.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(s)) => Ok(Some(s.as_str())),
            Some(_) => Err(format!("`{name}` is no text")),
        }
    }

    /// A list of texts; an empty one where the key is missing or null.
    ///
    /// # Errors
    /// It is something else.
    pub fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        let text = |v: &Value| v.as_str().map(str::to_owned);
        self.list(name)?
            .iter()
            .map(text)
            .collect::<Option<_>>()
            .ok_or_else(|| format!("`{name}` holds something that is no text"))
    }

    /// A list; an empty one where the key is missing or null.
    ///
    /// # Errors
    /// It is something else than a list.
    pub fn list(&self, name: &str) -> Result<&'a [Value], String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => Err(format!("`{name}` is no list")),
        }
    }
}

/// One line of input answered with one line of output; `lang` is the language of a line that names none, `own` are the
/// wordings of refusals that a project adds, and `id` is repeated.
///
/// # Errors
///
/// A sentence on what is wrong with the line.
pub fn line(what: What, text: &str, lang: &Lang, own: &Own) -> Result<Value, String> {
    let object: Value = serde_json::from_str(text).map_err(|e| format!("no JSON object: {e}"))?;
    let input = Input(&object);
    let named = input.text("lang")?.map(|tag| Lang::new(tag).ok_or_else(|| format!("`{tag}` is no language tag")));
    let named = named.transpose()?;
    let lang = named.as_ref().unwrap_or(lang);
    let mut out = match what {
        What::Numbers => numbers::line(&input, lang)?,
        What::Facts => facts::line(&input, lang)?,
        What::Citation => citation::line(&input, lang)?,
        What::Retrieval => retrieval::line(&input)?,
        What::Refusal => refusal::line(&input, lang, own)?,
        What::Stats => stats::line(&input)?,
    };
    if let (Some(id), Some(map)) = (object.get("id"), out.as_object_mut()) {
        map.insert("id".to_owned(), id.clone());
    }
    Ok(out)
}

/// What is wrong first with a list in the writing of a suite.
fn first_problem(problems: &Problems) -> String {
    let told = |p: &Problem| match &p.help {
        Some(help) => format!("{}; {help}", p.title),
        None => p.title.clone(),
    };
    problems.0.first().map_or_else(|| "it cannot be read".to_owned(), told)
}

/// An exam of a response by itself: no corpus, and everything that it holds counts.
pub(crate) fn exam<'a>(question: &'a Question, response: &'a Response<'a>, lang: &'a Lang) -> Exam<'a> {
    let pack = Pack::of(lang);
    Exam {
        question,
        response,
        provides: Provides::ALL,
        lang,
        pack,
        corpus: None,
        top_k: None,
        pool: None,
        holdings: None,
        own: None,
    }
}

/// What a check says of a response to a question.
fn examine(
    question: &Question,
    response: &Response<'_>,
    lang: &Lang,
    check: fn(&Exam<'_>, &Reading<'_>) -> LayerResult,
) -> LayerResult {
    let exam = exam(question, response, lang);
    check(&exam, &Reading::new(&exam))
}

/// Whether a text states all of some facts, as an answer to the question would, by the check that judges answers.
pub(crate) fn states(asked: &str, facts: Vec<Fact>, lang: &Lang, text: &str) -> bool {
    let Some(blank) = question(asked) else { return false };
    let question = Question { facts, ..blank };
    let response = Response::default();
    states_all(&exam(&question, &response, lang), &Reading::of_text(text)) == Some(true)
}

/// A question with nothing but its text.
pub(crate) fn question(text: &str) -> Option<Question> {
    Some(Question {
        id: QuestionId::new("inspected")?,
        text: text.to_owned(),
        expect: Expect::Answer,
        evidence: Vec::new(),
        evidence_match: Need::Any,
        facts: Vec::new(),
        must_not: Vec::new(),
        reference: None,
        rubric: None,
        tags: Vec::new(),
        severity: Severity::Normal,
        owner: None,
        group: None,
        layers: LayerMap::default(),
        top_k: None,
        numbers: Default::default(),
        citation: Default::default(),
        draft: false,
        place: Place::default(),
    })
}

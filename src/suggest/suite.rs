//! Facts proposed for a suite, and written into its text.

use super::{Asked, Form, Proposed, propose, unstated, wants_refusal};
use crate::problem::{Problem, Problems, shown_path};
use crate::suite::corpus::Corpus;
use crate::suite::edit::{self, Content, Edits};
use crate::suite::{Evidence, Expect, Question, Suite, load};
use std::collections::HashSet;
use std::path::Path;

/// What marks a proposed fact in a suite until somebody has looked at it.
pub const MARK: &str = "suggested";

/// The facts that are proposed for one question.
#[derive(Debug)]
pub struct ForQuestion {
    /// Its id.
    pub id: String,
    /// Its text.
    pub question: String,
    /// Its model answer.
    pub reference: String,
    /// The facts; empty where no rule finds one.
    pub facts: Vec<Proposed>,
    /// The model answer wants a refusal.
    pub refuse: bool,
    /// It has facts, all marked as proposed, that its model answer does not state any more: these take their place.
    pub anew: bool,
}

/// What is proposed for a suite.
#[derive(Debug)]
pub struct ForSuite {
    /// The suite.
    pub suite: Suite,
    /// The questions with a model answer and without facts, and those whose facts are proposed anew.
    pub questions: Vec<ForQuestion>,
    /// The warnings of the suite.
    pub warnings: Problems,
}

/// Reads a suite and proposes facts for each question that has a model answer and no facts, or none but proposed ones that the
/// model answer does not state any more.
///
/// # Errors
/// What is wrong with the suite or its corpus.
pub fn suggest(path: &Path, root: &Path) -> Result<ForSuite, Problems> {
    let (suite, warnings) = load::load(path, &shown_path(path, root))?;
    let corpus = match &suite.corpus {
        Some(folder) => Some(Corpus::load(folder, &shown_path(folder, root))?),
        None => None,
    };
    let proposed = with_marks_alone(&suite);
    let stale = |q: &Question| proposed.contains(q.id.as_str()) && !unstated(q, &suite.language).is_empty();
    let questions = suite.questions.iter().filter(|q| q.expect != Expect::Refuse && (q.facts.is_empty() || stale(q)));
    let questions = questions.filter_map(|q| {
        let reference = q.reference.as_deref()?;
        let evidence = evidence_of(q, corpus.as_ref());
        let asked = Asked { lang: &suite.language, question: &q.text, reference, evidence: &evidence };
        Some(ForQuestion {
            id: q.id.to_string(),
            question: q.text.clone(),
            reference: reference.to_owned(),
            facts: propose(&asked),
            refuse: wants_refusal(&asked),
            anew: !q.facts.is_empty(),
        })
    });
    let questions = questions.collect();
    Ok(ForSuite { suite, questions, warnings })
}

/// The questions with facts that nobody has looked at: each bears its mark. A suite in JSON lines has no marks.
fn with_marks_alone(suite: &Suite) -> HashSet<String> {
    let Ok(layout) = edit::layout(&suite.source) else { return HashSet::new() };
    let marked = layout.questions.iter().filter(|q| edit::marked(&suite.source.text, &q.node, "facts", MARK).is_some());
    marked.map(|q| q.id.clone()).collect()
}

/// The texts in which the answer stands: the words and documents that the evidence names, else the whole corpus.
fn evidence_of<'a>(question: &'a Question, corpus: Option<&'a Corpus>) -> Vec<&'a str> {
    let document = |e: &Evidence| corpus.zip(e.doc.as_ref()).and_then(|(c, doc)| c.documents.get(doc));
    let mut texts: Vec<&str> = question.places().filter_map(|e| e.span.as_deref()).collect();
    texts.extend(question.places().filter_map(document).map(|d| d.text.as_str()));
    if texts.is_empty() {
        texts.extend(corpus.iter().flat_map(|c| c.documents.values()).map(|d| d.text.as_str()));
    }
    texts
}

/// Writes the proposed facts under their questions, each marked with a comment. Everything else in the file stays as it is.
/// Says how many questions got facts.
///
/// # Errors
/// A suite that is not in YAML, or that cannot be read or written.
pub fn write(path: &Path, root: &Path, proposed: &ForSuite) -> Result<usize, Problems> {
    let shown = shown_path(path, root);
    let place = || crate::problem::Place::file(&shown);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jsonl")) {
        let title = "facts are written into suites in YAML alone: a comment marks them until somebody has looked";
        let help = "take them from `ragline facts suggest --jsonl` for a suite in JSON lines";
        return Err(Problem::error("facts-unwritable", place(), title).help(help).into());
    }
    let file = edit::read(path, &shown)?;
    let layout = edit::layout(&file.source)?;
    let mut edits = Edits::default();
    let mut written = 0;
    for question in proposed.questions.iter().filter(|q| !q.facts.is_empty()) {
        let node = layout.questions.iter().find(|w| w.id == question.id).map(|w| &w.node);
        let Some(node) = node else { continue };
        let lines: Vec<(String, String)> = question.facts.iter().map(|f| (f.yaml(), comment(f))).collect();
        let lines: Vec<(String, &str)> = lines.iter().map(|(fact, comment)| (fact.clone(), comment.as_str())).collect();
        let text = &file.source.text;
        // An empty list says that a person wants none.
        if node.get("facts").is_none() {
            edits.add(text, node, "facts", Content::Lines(&lines));
            written += 1;
        } else if question.anew && edits.renew(text, node, "facts", MARK, &lines) {
            written += 1;
        }
    }
    if edits.is_empty() {
        return Ok(0);
    }
    let text = edits.apply(&file.raw, &file.source.text);
    crate::import::read_back(path, &text)?;
    crate::report::file::write(path, text.as_bytes()).map_err(|e| {
        Problems::from(Problem::error("facts-unwritable", place(), format!("cannot write this file: {e}")))
    })?;
    Ok(written)
}

/// The problem of a suite that is not there, with the names of those that are.
pub fn unknown(named: &str, names: &[&str]) -> Problems {
    let near = crate::problem::near::or_near(named, names.iter().copied());
    let title = format!("no suite and no file is named `{named}`{near}");
    let help = if names.is_empty() {
        "name the file of the suite".to_owned()
    } else {
        format!("name the file, or one of {}", names.join(", "))
    };
    Problem::error("unknown-suite", crate::problem::Place::default(), title).help(help).into()
}

/// `suggested`, with the words that a value comes from.
fn comment(fact: &Proposed) -> String {
    let words = fact.from.split_whitespace().collect::<Vec<_>>().join(" ");
    match &fact.form {
        Form::Text(text) if *text == fact.from => MARK.to_owned(),
        Form::AnyOf(_) => format!("{MARK}: is any one of them enough?"),
        Form::Text(_) | Form::Number(..) | Form::Date(_) | Form::YesNo(_) => {
            format!("{MARK}: {}", crate::report::cut::chars(&words, 60))
        }
    }
}

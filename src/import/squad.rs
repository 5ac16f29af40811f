//! Imports questions with their paragraphs: SQuAD 1.1 and 2.0, and the many sets in that form (XQuAD, MLQA, CMRC, …).
//!
//! An article becomes a Markdown document, a paragraph a section of it, a question a golden question whose evidence is the
//! paragraph and whose facts are the gold answers. `is_impossible` (SQuAD 2.0) becomes `expect: refuse`.
//!
//! The words that decide are the first gold answer. Where it stands several times in its paragraph (`7` in a paragraph
//! with `17`), words around it are added until it stands once, so that a passage that holds the span holds the evidence.

mod documents;
mod span;

use super::output::Output;
use super::{Summary, count, ids, json, repeats, suite_name, thresholds};
use crate::problem::{Place, Problem, Problems, read_source};
use crate::suite;
use crate::suite::corpus::{Corpus, Standing};
use crate::text::norm;
use crate::text::pack::Lang;
use documents::Article;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::Path;

/// What to import, and where to.
#[derive(Debug, Clone)]
pub struct Squad<'a> {
    /// The file.
    pub file: &'a Path,
    /// The folder of the project.
    pub out: &'a Path,
    /// The suite's name.
    pub suite: &'a str,
    /// The language of questions and paragraphs.
    pub language: &'a Lang,
    /// How many contexts count; none: all that are retrieved, which are 10.
    pub top_k: Option<usize>,
    /// Replace files of an earlier import.
    pub force: bool,
}

#[derive(Deserialize)]
struct File {
    data: Vec<RawArticle>,
}

#[derive(Deserialize)]
struct RawArticle {
    title: Option<String>,
    paragraphs: Vec<RawParagraph>,
}

#[derive(Deserialize)]
struct RawParagraph {
    context: String,
    qas: Vec<RawQuestion>,
}

#[derive(Deserialize)]
struct RawQuestion {
    #[serde(default, deserialize_with = "text_or_number")]
    id: String,
    question: String,
    #[serde(default)]
    answers: Option<Vec<RawAnswer>>,
    #[serde(default)]
    is_impossible: Option<bool>,
}

#[derive(Deserialize)]
struct RawAnswer {
    text: String,
    /// In code points of the context. Some sets have -1 or nothing.
    #[serde(default)]
    answer_start: Option<i64>,
}

/// An id, which some sets write as a number.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => Ok(text),
        serde_json::Value::Number(number) => Ok(number.to_string()),
        serde_json::Value::Null => Ok(String::new()),
        other @ (serde_json::Value::Bool(_) | serde_json::Value::Array(_) | serde_json::Value::Object(_)) => {
            Err(serde::de::Error::custom(format!("the id is {other}, expected a string")))
        }
    }
}

#[derive(Serialize)]
struct Header<'a> {
    version: u32,
    suite: &'a str,
    language: &'a str,
    corpus: String,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_k: Option<usize>,
}

#[derive(Serialize)]
struct Question<'a> {
    id: &'a str,
    question: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expect: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<Evidence<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    facts: Vec<Fact<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group: Option<String>,
}

#[derive(Serialize)]
struct Evidence<'a> {
    doc: &'a str,
    section: [&'a str; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Fact<'a> {
    Text(&'a str),
    AnyOf { any_of: Vec<&'a str> },
}

/// What is counted on the way.
#[derive(Default)]
struct Counts {
    refuse: usize,
    no_answer: usize,
    widened: usize,
    misplaced: usize,
    no_span: usize,
}

/// Turns a file into a suite and a corpus.
///
/// # Errors
/// Everything that is wrong with the file (with line and column), and files of an earlier import without `force`.
pub fn import(what: &Squad<'_>) -> Result<Summary, Problems> {
    let suite = suite_name(what.suite)?;
    let file = read(what.file)?;
    let paragraphs = |a: &RawArticle| a.paragraphs.iter().map(|p| p.context.clone()).collect::<Vec<_>>();
    let raw: Vec<(Option<&str>, Vec<String>)> = file.data.iter().map(|a| (a.title.as_deref(), paragraphs(a))).collect();
    let (articles, untitled) = documents::articles(&raw);
    let files: Vec<(String, String)> = articles.iter().map(|a| (a.doc.clone(), a.markdown.clone())).collect();
    let corpus = Corpus::from_texts(files.iter().cloned());

    let all = || file.data.iter().flat_map(|a| &a.paragraphs).flat_map(|p| &p.qas);
    let came: Vec<&str> = all().map(|q| q.id.as_str()).collect();
    let (question_ids, changed) = ids(&came);
    let mut id = question_ids.iter();
    let mut counts = Counts::default();
    let mut lines = json(&Header {
        version: 1,
        suite,
        language: what.language.as_str(),
        corpus: format!("../corpus/{suite}"),
        target: "builtin-top10",
        top_k: what.top_k,
    })?;
    for (raw, article) in file.data.iter().zip(&articles) {
        for (paragraph, heading) in raw.paragraphs.iter().zip(&article.headings) {
            let group = format!("{}#{heading}", article.doc);
            for (question, id) in paragraph.qas.iter().zip(&mut id) {
                let place = (article, heading.as_str(), paragraph.context.as_str());
                let mut golden = golden(question, place, &corpus, what.language, &mut counts);
                golden.id = id;
                golden.group = (!golden.evidence.is_empty()).then(|| group.clone());
                lines += &json(&golden)?;
            }
        }
    }

    let output = Output {
        own: vec![(format!("suites/{suite}.jsonl"), lines)],
        folder: Some((format!("corpus/{suite}"), files)),
        project: vec![
            ("ragline.toml".into(), PROJECT.into()),
            ("thresholds.toml".into(), thresholds(&["retrieval", "facts", "refusal"])),
        ],
    };
    let written = output.write(what.out, what.force)?;

    let sections = articles.iter().map(|a| a.headings.len()).sum::<usize>();
    let mut notes = vec![format!(
        "{} over {} of {}",
        count(came.len(), "question"),
        count(sections, "paragraph"),
        count(articles.len(), "article")
    )];
    let mut note = |n: usize, text: String| notes.extend((n > 0).then_some(text));
    note(counts.refuse, format!("{} must be refused (is_impossible)", count(counts.refuse, "question")));
    note(
        counts.widened,
        format!("{} with words around the answer, which stands more than once", count(counts.widened, "span")),
    );
    note(
        counts.misplaced,
        format!("{} not at its offset, taken from where it stands", count(counts.misplaced, "answer")),
    );
    note(counts.no_span, format!("{} not in its paragraph: evidence without a span", count(counts.no_span, "answer")));
    note(
        counts.no_answer,
        format!("{} without an answer: retrieval is checked, facts are not", count(counts.no_answer, "question")),
    );
    note(changed, format!("{} missing, not valid or not unique: changed", count(changed, "id")));
    let doubles = repeats(all().map(|q| q.question.as_str()));
    note(
        doubles,
        format!("{} with a text that comes more than once: kept, the ids differ", count(doubles, "question")),
    );
    note(untitled, format!("{} without a title, named by number", count(untitled, "article")));
    Ok(written.summary(notes, suite, "builtin-top10", what.out))
}

const PROJECT: &str = "\
# Plumbing: what is asked, and how.
version = 1

# BM25 with an extractive answer over the suite's corpus. Point `target` of the suite at your own system instead.
[targets.builtin-top10]
kind = \"builtin\"
top_k = 10
refuse_below = 0.2
";

/// Reads and checks the file.
fn read(path: &Path) -> Result<File, Problems> {
    let source = read_source(path, &path.to_string_lossy())?;
    let file: File = serde_json::from_str(&source.text).map_err(|e| {
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let place = Place { file: source.path.as_str().into(), line: number(e.line()), column: number(e.column()) };
        let text = e.to_string();
        let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        let title = format!("not in the form of SQuAD: {what} (column {})", e.column());
        Problem::error("import-malformed", place, title)
            .help("expected {\"data\": [{\"title\", \"paragraphs\": [{\"context\", \"qas\": [{\"id\", \"question\", \"answers\": [{\"text\", \"answer_start\"}]}]}]}]}")
    })?;
    if file.data.iter().flat_map(|a| &a.paragraphs).all(|p| p.qas.is_empty()) {
        let title = "this file holds no question";
        return Err(Problem::error("import-empty", Place::file(&source.path), title).into());
    }
    Ok(file)
}

/// One golden question, still without id and group.
fn golden<'a>(
    raw: &'a RawQuestion,
    (article, heading, context): (&'a Article, &'a str, &str),
    corpus: &Corpus,
    lang: &Lang,
    counts: &mut Counts,
) -> Question<'a> {
    let mut golden = Question {
        id: "",
        question: &raw.question,
        expect: None,
        evidence: Vec::new(),
        facts: Vec::new(),
        group: None,
    };
    if raw.is_impossible == Some(true) {
        counts.refuse += 1;
        golden.expect = Some("refuse");
        return golden;
    }
    let mut answers: Vec<&RawAnswer> = Vec::new();
    for answer in raw.answers.iter().flatten().filter(|a| !a.text.trim().is_empty()) {
        let same = |a: &&RawAnswer| norm::matching(&a.text) == norm::matching(&answer.text);
        if !answers.iter().any(same) {
            answers.push(answer);
        }
    }
    golden.facts = match answers.as_slice() {
        [] => Vec::new(),
        [one] => vec![Fact::Text(&one.text)],
        several => vec![Fact::AnyOf { any_of: several.iter().map(|a| a.text.as_str()).collect() }],
    };
    let section = [article.title.as_str(), heading];
    let span = answers.first().map(|a| {
        span::deciding(context, &a.text, a.answer_start, lang, |span| {
            let evidence = suite::Evidence {
                doc: Some(article.doc.clone()),
                section: section.map(str::to_owned).to_vec(),
                span: Some(span.to_owned()),
                chunk: None,
                url: None,
                grade: 1,
                at: None,
                union: false,
                place: Place::default(),
            };
            corpus.standing(&evidence) == Standing::Found
        })
    });
    match &span {
        None => counts.no_answer += 1,
        Some(span) => {
            counts.no_span += usize::from(span.text.is_none());
            counts.misplaced += usize::from(span.misplaced);
            counts.widened += usize::from(span.widened);
        }
    }
    golden.evidence = vec![Evidence { doc: &article.doc, section, span: span.and_then(|s| s.text) }];
    golden
}

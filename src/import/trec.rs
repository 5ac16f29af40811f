//! Imports a bare retriever's ranking: TREC relevance judgements (qrels) and a run.
//!
//! The ranking becomes recorded responses without an answer, with the documents' ids as contexts; the judgements become a
//! suite whose evidence is those ids with their grades. The order is trec_eval's: by falling score, equal scores by falling
//! document id; the rank column is ignored. So figures agree with trec_eval's, and ties are told, since with many of them
//! the order says more about names than about the retriever.

use super::output::Output;
use super::{Summary, count, ids, json, some_of, suite_name, thresholds};
use crate::problem::{Place, Problem, Problems};
use crate::text::pack::Lang;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What to import, and where to.
#[derive(Debug, Clone)]
pub struct Trec<'a> {
    /// The judgements: `topic iteration document grade` a line.
    pub qrels: &'a Path,
    /// The ranking: `topic Q0 document rank score tag` a line.
    pub run: &'a Path,
    /// The folder of the project.
    pub out: &'a Path,
    /// The suite's name.
    pub suite: &'a str,
    /// The suite's language. The files do not tell; nothing is read in that language unless texts are added.
    pub language: &'a Lang,
    /// How many contexts count; none: all that were retrieved.
    pub top_k: Option<usize>,
    /// Replace files of an earlier import.
    pub force: bool,
}

#[derive(Serialize)]
struct Header<'a> {
    version: u32,
    suite: &'a str,
    language: &'a str,
    target: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_k: Option<usize>,
}

#[derive(Serialize)]
struct Question<'a> {
    id: &'a str,
    question: &'a str,
    evidence: Vec<Evidence<'a>>,
}

#[derive(Serialize)]
struct Evidence<'a> {
    doc: &'a str,
    #[serde(skip_serializing_if = "is_one")]
    grade: u32,
}

#[derive(Serialize)]
struct Responses<'a> {
    version: u32,
    kind: &'static str,
    suite: &'a str,
}

#[derive(Serialize)]
struct Response<'a> {
    id: &'a str,
    contexts: Vec<Context<'a>>,
}

#[derive(Serialize)]
struct Context<'a> {
    doc: &'a str,
    score: f64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(grade: &u32) -> bool {
    *grade == 1
}

/// The judgements of one topic, in file order.
#[derive(Debug, Default)]
struct Topic {
    name: String,
    /// Document and grade; only relevant ones.
    relevant: Vec<(String, u32)>,
}

/// Turns judgements and a ranking into a suite and its recorded responses.
///
/// # Errors
/// Everything that is wrong with the files (with the line), and files of an earlier import without `force`.
pub fn import(what: &Trec<'_>) -> Result<Summary, Problems> {
    let suite = suite_name(what.suite)?;
    let (topics, left_out) = read_qrels(what.qrels)?;
    let mut ranking = read_run(what.run)?;
    let judged: HashSet<&str> = topics.iter().chain(&left_out).map(|t| t.name.as_str()).collect();
    let mut unknown: Vec<String> = ranking.keys().filter(|t| !judged.contains(t.as_str())).cloned().collect();
    unknown.sort_unstable();

    let names: Vec<&str> = topics.iter().map(|t| t.name.as_str()).collect();
    let (question_ids, changed) = ids(&names);
    let mut questions =
        json(&Header { version: 1, suite, language: what.language.as_str(), target: "recorded", top_k: what.top_k })?;
    let mut responses = json(&Responses { version: 1, kind: "responses", suite })?;
    let (mut absent, mut contexts, mut ties, mut doubles) = (Vec::new(), 0, 0, 0);
    for (topic, id) in topics.iter().zip(&question_ids) {
        let evidence = topic.relevant.iter().map(|(doc, grade)| Evidence { doc, grade: *grade }).collect();
        questions += &json(&Question { id, question: &topic.name, evidence })?;
        let Some(ranked) = ranking.get_mut(&topic.name) else {
            absent.push(topic.name.as_str());
            continue;
        };
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| b.0.as_bytes().cmp(a.0.as_bytes())));
        contexts += ranked.len();
        ties += ranked.windows(2).filter(|w| matches!(w, [a, b] if a.1 == b.1)).count();
        let mut seen = HashSet::new();
        doubles += ranked.iter().filter(|(doc, _)| !seen.insert(doc.as_str())).count();
        let contexts = ranked.iter().map(|(doc, score)| Context { doc, score: *score }).collect();
        responses += &json(&Response { id, contexts })?;
    }

    let output = Output {
        own: vec![("responses.jsonl".into(), responses), (format!("suites/{suite}.jsonl"), questions)],
        folder: None,
        project: vec![("ragline.toml".into(), PROJECT.into()), ("thresholds.toml".into(), thresholds(&["retrieval"]))],
    };
    let written = output.write(what.out, what.force)?;

    let relevant = topics.iter().map(|t| t.relevant.len()).sum::<usize>();
    let mut notes = vec![
        format!("{} with {}", count(topics.len(), "question"), count(relevant, "relevant document")),
        format!("{} with {}", count(topics.len() - absent.len(), "response"), count(contexts, "context")),
        "order: falling score, equal scores by falling document id, as trec_eval; the rank column is ignored".into(),
    ];
    let mut note = |n: usize, text: String| notes.extend((n > 0).then_some(text));
    note(ties, format!("{} of neighbours with equal scores: their order is by name only", count(ties, "pair")));
    note(doubles, format!("{} of a document that was ranked before", count(doubles, "repeat")));
    note(absent.len(), format!("not in the run, so unmeasured: {}", some_of(&absent)));
    let names: Vec<&str> = left_out.iter().map(|t| t.name.as_str()).collect();
    note(names.len(), format!("left out, no relevant document: {}", some_of(&names)));
    note(
        unknown.len(),
        format!(
            "left out, in the run but not judged: {}",
            some_of(&unknown.iter().map(String::as_str).collect::<Vec<_>>())
        ),
    );
    note(changed, format!("{} that cannot be an id: changed", count(changed, "topic name")));
    note(1, "the files hold no texts: each question is its topic's name".into());
    Ok(written.summary(notes, suite, "recorded", what.out))
}

const PROJECT: &str = "\
# Plumbing: what is asked, and how.
version = 1

[targets.recorded]
kind = \"recorded\"
file = \"responses.jsonl\"
provides = [\"contexts\"]           # a bare retriever: the other layers are not observed
";

/// Topics with relevant documents, and those without, in file order.
fn read_qrels(path: &Path) -> Result<(Vec<Topic>, Vec<Topic>), Problems> {
    let mut topics: Vec<Topic> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut judged: HashMap<(usize, String), i64> = HashMap::new();
    lines(path, |line, fault| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [topic, _, doc, grade] = fields.as_slice() else {
            return Err(fault(format!("{} fields, expected 4: topic, iteration, document, grade", fields.len())));
        };
        let grade: i64 =
            grade.parse().map_err(|_| fault(format!("the grade is `{grade}`, expected a whole number")))?;
        let number = *numbers.entry((*topic).to_owned()).or_insert_with(|| {
            topics.push(Topic { name: (*topic).to_owned(), relevant: Vec::new() });
            topics.len() - 1
        });
        match judged.insert((number, (*doc).to_owned()), grade) {
            Some(before) if before == grade => return Ok(()),
            Some(before) => {
                return Err(fault(format!(
                    "document `{doc}` of topic `{topic}` was judged {before} before, now {grade}"
                )));
            }
            None => {}
        }
        if grade > 0 {
            let grade = u32::try_from(grade).map_err(|_| fault(format!("the grade {grade} is too large")))?;
            if let Some(topic) = topics.get_mut(number) {
                topic.relevant.push(((*doc).to_owned(), grade));
            }
        }
        Ok(())
    })?;
    let (with, without): (Vec<Topic>, Vec<Topic>) = topics.into_iter().partition(|t| !t.relevant.is_empty());
    if with.is_empty() {
        let title = "no relevant document in this file, expected lines such as `301 0 DOC-1 1`";
        return Err(Problem::error("import-empty", Place::file(&path.to_string_lossy()), title).into());
    }
    Ok((with, without))
}

/// By topic: documents with their scores, in file order.
fn read_run(path: &Path) -> Result<HashMap<String, Vec<(String, f64)>>, Problems> {
    let mut ranking: HashMap<String, Vec<(String, f64)>> = HashMap::new();
    lines(path, |line, fault| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [topic, _, doc, _, score, _, ..] = fields.as_slice() else {
            return Err(fault(format!("{} fields, expected 6: topic, Q0, document, rank, score, tag", fields.len())));
        };
        let score: Option<f64> = score.parse().ok().filter(|s: &f64| s.is_finite());
        let score = score
            .ok_or_else(|| fault(format!("the score is `{}`, expected a number", fields.get(4).unwrap_or(&""))))?;
        // -0 and 0 are one score.
        let entry = ((*doc).to_owned(), score + 0.0);
        match ranking.get_mut(*topic) {
            Some(list) => list.push(entry),
            None => drop(ranking.insert((*topic).to_owned(), vec![entry])),
        }
        Ok(())
    })?;
    if ranking.is_empty() {
        let title = "no ranked document in this file, expected lines such as `301 Q0 DOC-1 1 7.5 tag`";
        return Err(Problem::error("import-empty", Place::file(&path.to_string_lossy()), title).into());
    }
    Ok(ranking)
}

/// Makes a fault of the line that is being read.
type Fault<'f> = &'f dyn Fn(String) -> Problems;

/// Reads a file line by line; blank lines and lines that begin with `#` are skipped, as trec_eval does.
fn lines(path: &Path, mut each: impl FnMut(&str, Fault<'_>) -> Result<(), Problems>) -> Result<(), Problems> {
    let shown = path.to_string_lossy();
    let unreadable = |e: std::io::Error| -> Problems {
        Problem::error("file-unreadable", Place::file(&shown), format!("cannot read this file: {e}")).into()
    };
    let mut reader = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut bytes = Vec::new();
    for line in 1_u32.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(unreadable)? == 0 {
            break;
        }
        let place = || Place { file: shown.as_ref().into(), line, column: 0 };
        let fault = |title: String| -> Problems { Problem::error("import-malformed", place(), title).into() };
        let Ok(text) = std::str::from_utf8(&bytes) else { return Err(fault("this line is not UTF-8".into())) };
        let text = if line == 1 { text.trim_start_matches('\u{feff}') } else { text }.trim();
        if !(text.is_empty() || text.starts_with('#')) {
            each(text, &fault)?;
        }
    }
    Ok(())
}

//! Reads suites: YAML and JSON lines, one model.
//!
//! A file is read to its end and everything that is wrong with it is reported at once. What is written must count: an
//! unknown key, a key given twice, or a question that asserts nothing is an error, never a check that silently holds.

mod evidence;
mod fact;
mod files;
mod language;
mod looking;
mod question;

pub use files::{discover, load_all};
pub use language::detect;

use super::model::{EvidenceItem, Fact, QuestionId, Suite};
use super::node::{Node, Reader, Shape, Value, json};
use super::yaml;
use crate::problem::{Place, Problem, Problems, Source, read_source};
use crate::text::pack::Lang;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

#[cfg(test)]
pub(crate) use evidence::EVIDENCE;
#[cfg(test)]
pub(crate) use fact::{FACT, NUMBER};
#[cfg(test)]
pub(crate) use question::QUESTION;

/// The keys of a suite. In JSON lines they stand in the header line, and the questions follow it.
pub(crate) const SUITE: Shape = Shape {
    what: "a suite",
    keys: &["version", "suite", "edition", "language", "corpus", "target", "top_k", "numbers", "citation", "questions"],
    reserved: &["turns", "variants", "vars", "as_of", "answer_language"],
};

/// Reads one suite file; `shown` is the path that messages use. The problems beside a suite are warnings.
///
/// # Errors
/// Everything that is wrong with the file, each with its place.
pub fn load(path: &Path, shown: &str) -> Result<(Suite, Problems), Problems> {
    let source = read_source(path, shown)?;
    load_source(path, &source)
}

/// Reads a suite from a text that was read already.
///
/// # Errors
/// Everything that is wrong with the text, each with its place.
pub fn load_source(path: &Path, source: &Arc<Source>) -> Result<(Suite, Problems), Problems> {
    if source.text.len() >= u32::MAX as usize {
        return Err(Problem::error("file-too-large", Place::file(&source.path), "this file has 4 GiB or more").into());
    }
    let reader = Reader::new(source);
    let suite = read(&reader, path);
    let problems = reader.finish();
    match suite {
        Some(suite) if !problems.any_error() => Ok((suite, problems)),
        Some(_) | None => Err(problems),
    }
}

/// The facts of a list in the writing of a suite (YAML, and so JSON), for texts that stand in no suite.
///
/// # Errors
/// Everything that is wrong with the text, each with its place.
pub fn facts(text: &str) -> Result<Vec<Fact>, Problems> {
    facts_by(text, yaml::parse)
}

/// The same from one line of JSON.
///
/// # Errors
/// As for [`facts`].
pub fn facts_of_json(line: &str) -> Result<Vec<Fact>, Problems> {
    facts_by(line, |reader| json::lines(reader).into_iter().next())
}

fn facts_by(text: &str, parse: impl for<'r> Fn(&Reader<'r>) -> Option<Node<'r>>) -> Result<Vec<Fact>, Problems> {
    list_by(text, "facts", parse, |reader, root| fact::list(reader, root, "`facts`"))
}

/// Items of evidence in the writing of a suite (YAML, and so JSON), for texts that stand in no suite.
///
/// # Errors
/// Everything that is wrong with the text, each with its place.
pub fn evidence(text: &str) -> Result<Vec<EvidenceItem>, Problems> {
    list_by(text, "evidence", yaml::parse, |reader, root| evidence::list(reader, root, "`evidence`"))
}

/// The same from one line of JSON.
///
/// # Errors
/// As for [`evidence`].
pub fn evidence_of_json(line: &str) -> Result<Vec<EvidenceItem>, Problems> {
    list_by(
        line,
        "evidence",
        |reader| json::lines(reader).into_iter().next(),
        |reader, root| evidence::list(reader, root, "`evidence`"),
    )
}

fn list_by<T>(
    text: &str,
    what: &str,
    parse: impl for<'r> Fn(&Reader<'r>) -> Option<Node<'r>>,
    read: impl for<'r> Fn(&Reader<'r>, &Node<'r>) -> Vec<T>,
) -> Result<Vec<T>, Problems> {
    let source = Arc::new(Source { path: what.to_owned(), text: text.to_owned() });
    let reader = Reader::new(&source);
    let list = parse(&reader).map(|root| {
        reader.refuse_duplicates(&root);
        read(&reader, &root)
    });
    let problems = reader.finish();
    match list {
        Some(list) if !problems.any_error() => Ok(list),
        Some(_) | None => Err(problems),
    }
}

fn read(reader: &Reader<'_>, path: &Path) -> Option<Suite> {
    let is_lines = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jsonl"));
    if is_lines {
        let nodes = json::lines(reader);
        nodes.iter().for_each(|n| reader.refuse_duplicates(n));
        let Some((header, questions)) = nodes.split_first() else {
            if !reader.failed() {
                let start = super::node::Span::new(1, 0, 0);
                let title = "this file is empty, expected a header line such as {\"version\":1,\"suite\":\"name\"}";
                reader.push(reader.error("file-empty", start, title));
            }
            return None;
        };
        if let Some(entry) = entry_of(header, "questions") {
            reader.push(
                reader
                    .error("unknown-key", entry, "unknown key `questions` in a header line")
                    .help("in JSON lines the questions follow the header, one a line"),
            );
        }
        if header.get("id").is_some() && header.get("version").is_none() {
            let title = "the first line is a question, expected a header line";
            let help = "begin the file with a line such as {\"version\":1,\"suite\":\"name\"}";
            reader.push(reader.error("header-missing", header.span, title).help(help));
            return None;
        }
        build(reader, path, header, questions)
    } else {
        let root = yaml::parse(reader)?;
        reader.refuse_duplicates(&root);
        let given = root.get("questions").map(|n| reader.list(n, "`questions`").unwrap_or_default());
        build(reader, path, &root, given.unwrap_or_default())
    }
}

fn entry_of(node: &Node<'_>, key: &str) -> Option<super::node::Span> {
    match &node.value {
        Value::Map(entries) => entries.iter().find(|e| e.key == key).map(|e| e.key_span),
        Value::Scalar(..) | Value::List(_) => None,
    }
}

fn build(reader: &Reader<'_>, path: &Path, header: &Node<'_>, nodes: &[Node<'_>]) -> Option<Suite> {
    let fields = reader.fields(header, &SUITE)?;
    version(reader, header);
    let name = name(reader, path, fields.get("suite"), header);
    let text = |key, what| fields.get(key).and_then(|n| reader.string(n, what));
    let edition = text("edition", "`edition`");
    let corpus = text("corpus", "`corpus`");
    let target = text("target", "`target`");
    let language = fields.get("language").and_then(|n| {
        let tag = reader.string(n, "`language`")?;
        let lang = Lang::new(&tag);
        if lang.is_none() {
            let title = format!("`{}` is not a language tag", super::node::reader::shown(&tag));
            reader.push(reader.error("language-tag", n.span, title).help("write a tag such as vi, th, zh, en, ja"));
        }
        lang
    });
    let top_k = fields.get("top_k").and_then(|n| question::top_k(reader, n));
    // Questions that are no list have been reported already.
    let is_list = header.get("questions").is_none_or(|n| matches!(n.value, Value::List(_)));
    if nodes.is_empty() && is_list {
        let title = "a suite needs at least one question";
        reader.push(reader.error("no-questions", header.span, title).help("list them under `questions:`"));
    }
    let numbers =
        fields.get("numbers").map(|n| question::numbers(reader, n, &question::SUITE_NUMBERS)).unwrap_or_default();
    let mut questions: Vec<_> = nodes.iter().filter_map(|n| question::read(reader, n)).collect();
    for allowed in &numbers.allow {
        questions.iter_mut().for_each(|q| q.numbers.allow.push(allowed.clone()));
    }
    let citation = fields.get("citation").map(|n| question::citation(reader, n)).unwrap_or_default();
    questions.iter_mut().for_each(|q| q.citation = q.citation.or(citation));
    unique_ids(reader, nodes);
    let given = language.is_some();
    let language = language.unwrap_or_else(|| detect(questions.iter().map(|q| q.text.as_str())));
    language::warn_of_others(reader, nodes, &language, given);
    Some(Suite {
        name: name?.as_str().into(),
        path: path.to_owned(),
        shown: reader.source().path.as_str().into(),
        source: Arc::clone(reader.source()),
        edition,
        language,
        corpus: corpus.map(|c| path.parent().unwrap_or(Path::new("")).join(c)),
        target,
        top_k,
        numbers,
        questions,
    })
}

/// Every file states its version.
pub(crate) fn version(reader: &Reader<'_>, root: &Node<'_>) {
    match root.get("version") {
        None => reader.push(
            reader
                .error("version-missing", root.span, "`version` is missing")
                .help("begin the file with its version, 1"),
        ),
        Some(n) => {
            if let Some(v) = reader.integer(n, "`version`", 0, u64::MAX)
                && v != 1
            {
                reader.push(
                    reader
                        .error("version-unknown", n.span, format!("version {v} is not known, expected 1"))
                        .help("a newer ragline may read it"),
                );
            }
        }
    }
}

/// The suite's name: given, or the file's name without its ending.
fn name(reader: &Reader<'_>, path: &Path, given: Option<&Node<'_>>, header: &Node<'_>) -> Option<QuestionId> {
    match given {
        Some(node) => question::id(reader, node, "`suite`"),
        None => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let name = QuestionId::new(&stem);
            if name.is_none() {
                let stem = super::node::reader::shown(&stem);
                reader.push(
                    reader
                        .error("suite-name", header.span, format!("the file's name `{stem}` cannot name the suite"))
                        .help("add `suite:` with a name of letters, digits and . _ -"),
                );
            }
            name
        }
    }
}

/// Records ids that are given twice, and warns of ids that differ by case alone: some file systems and test reports
/// cannot tell them apart.
fn unique_ids(reader: &Reader<'_>, nodes: &[Node<'_>]) {
    let mut seen: HashMap<String, (&str, &Node<'_>)> = HashMap::with_capacity(nodes.len());
    for node in nodes.iter().filter_map(|n| n.get("id")) {
        let Value::Scalar(text, _) = &node.value else { continue };
        match seen.get(&text.to_ascii_lowercase()) {
            None => {
                seen.insert(text.to_ascii_lowercase(), (text, node));
            }
            Some((first, at)) if *first == text.as_ref() => reader.push(
                reader
                    .error(
                        "duplicate-id",
                        node.span,
                        format!("id `{text}` given at lines {} and {}", at.span.line, node.span.line),
                    )
                    .label("given again here", reader.width(node.span))
                    .related(reader.place(at.span), "first given here")
                    .help("every question of a suite needs an id of its own"),
            ),
            Some((first, at)) => reader.push(
                reader
                    .warning(
                        "id-differs-by-case",
                        node.span,
                        format!("ids `{first}` (line {}) and `{text}` differ only by case", at.span.line),
                    )
                    .related(reader.place(at.span), "the other one"),
            ),
        }
    }
}

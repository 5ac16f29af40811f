//! What is missing or does not fit in what came: parts, names of documents, and what to write for them.

use crate::suite::config::live::Field;
use crate::target::meet::Meeting;
use crate::target::response::{Answer, OwnedResponse};

/// The names of passages: the document, else the passage's id, else its address.
pub(super) fn returned(response: &OwnedResponse) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for c in response.contexts.iter().flatten() {
        if let Some(name) = [&c.doc, &c.chunk, &c.url].into_iter().flatten().next()
            && !names.iter().any(|n| n == name)
        {
            names.push(name.to_string());
        }
    }
    names
}

pub(super) fn missing(r: &OwnedResponse, meeting: Option<&Meeting>, name_of: Option<(&str, &Field)>) -> Vec<String> {
    let mut all = Vec::new();
    if matches!(r.answer, Answer::Absent) {
        all.push("no answer is mapped: only retrieval will be checked".to_owned());
    }
    match &r.contexts {
        None => all.push(
            "no passages came, or none are mapped: retrieval and citations are not checked, and numbers have no evidence"
                .to_owned(),
        ),
        Some(list) if list.is_empty() => all.push("the list of passages is empty for this question".to_owned()),
        Some(list) => {
            if list.iter().all(|c| c.text.is_none()) {
                all.push(
                    "passages come without their text: map `text`, or take it from the corpus with text_from = \"corpus\""
                        .to_owned(),
                );
            }
            if list.iter().all(|c| c.doc.is_none() && c.chunk.is_none() && c.url.is_none()) {
                all.push("passages come without a name: evidence with `doc` cannot be met; map `doc`".to_owned());
            }
        }
    }
    let write = |more: &More<'_>| match name_of {
        Some((key, field)) => format!("{key} = {}", written(field, more)),
        None => "the mapping of `doc`".to_owned(),
    };
    let none = More::default();
    match meeting {
        None | Some(Meeting::Same) => {}
        Some(Meeting::Basename) => {
            all.push(format!("names differ by their folders: write {}", write(&More { basename: true, ..none })));
        }
        Some(Meeting::Prefix(front)) => {
            all.push(format!("names differ by “{front}” at the front: write {}", write(&More { prefix: Some(front), ..none })));
        }
        Some(Meeting::Regex(regex)) => {
            let what = "names carry more behind the document's, such as a passage's number or a revision";
            all.push(format!("{what}: write {}", write(&More { regex: Some(regex), ..none })));
        }
        Some(Meeting::Alike(found)) => {
            let (theirs, ours) = &found.pair;
            all.push(format!(
                "theirs “{theirs}”, ours “{ours}”: the same but for {}: write {}",
                listed(&found.differs),
                write(&More {
                    basename: found.basename,
                    replace: &found.replace,
                    lowercase: found.lowercase,
                    ..none
                })
            ));
        }
        Some(Meeting::Never) => all.push(
            "not one name of a passage is known to the suites: evidence names documents in another way, or this question found others"
                .to_owned(),
        ),
    }
    all
}

/// What a part of the mapping lacks for names to meet.
#[derive(Clone, Copy, Default)]
struct More<'a> {
    basename: bool,
    prefix: Option<&'a str>,
    regex: Option<&'a str>,
    replace: &'a [(String, String)],
    lowercase: bool,
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// A part of the mapping as it would be written: what it has already, and one thing more.
fn written(field: &Field, more: &More<'_>) -> String {
    let More { basename, prefix, regex, replace, lowercase } = *more;
    let path = field.paths.first().map_or_else(|| "$.…".to_owned(), ToString::to_string);
    let mut parts = vec![format!("path = {}", toml::Value::from(path))];
    if let Some(prefix) = prefix.or(field.strip_prefix.as_deref()) {
        parts.push(format!("strip_prefix = {}", toml::Value::from(prefix)));
    }
    if basename || field.basename {
        parts.push("basename = true".to_owned());
    }
    if let Some(regex) = regex.or(field.regex.as_ref().map(regex::Regex::as_str)) {
        parts.push(format!("regex = {}", toml::Value::from(regex)));
    }
    let old = field.replace.iter().map(|(from, to)| (from.as_str(), to.as_str()));
    let pairs = old.chain(replace.iter().map(|(from, to)| (from.as_str(), to.as_str())));
    let pairs: Vec<String> =
        pairs.map(|(from, to)| format!("[{}, {}]", toml::Value::from(from), toml::Value::from(to))).collect();
    if !pairs.is_empty() {
        parts.push(format!("replace = [{}]", pairs.join(", ")));
    }
    if lowercase || field.lowercase {
        parts.push("lowercase = true".to_owned());
    }
    format!("{{ {} }}", parts.join(", "))
}

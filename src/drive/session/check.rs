//! A first look at a target: one question is asked, and what came is held against what the settings look for and what the
//! suites name.

use super::{Opened, Stop, usage};
use crate::drive::subject::subject;
use crate::privacy::Masker;
use crate::problem::near::or_near;
use crate::problem::shown_path;
use crate::suite::config::live::Field;
use crate::suite::config::{TargetConfig, TargetKind};
use crate::suite::corpus::Corpus;
use crate::suite::{EvidenceItem, Suite};
use crate::target::guess::{self, Guess};
use crate::target::meet::{Meeting, meet};
use crate::target::response::{Answer, OwnedResponse};
use crate::target::{Again, Corpora, Environment, Failure, Reply, Request, Surroundings, command};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What was learnt of a target.
#[derive(Debug)]
pub struct Check {
    /// Its name.
    pub target: String,
    /// What was asked.
    pub question: String,
    /// How long it took.
    pub took: Duration,
    /// What came before the mapping: one JSON value, or the events of a stream; nothing for a program.
    pub values: Vec<Value>,
    /// The names of the events of a stream, one for each value; empty where an event has none, or where nothing has one.
    pub names: Vec<String>,
    /// How many events the passages come from; none where there is no stream.
    pub events: Option<usize>,
    /// What the settings make of it.
    pub mapped: Result<OwnedResponse, Failure>,
    /// A mapping that fits what came, where the settings have none.
    pub guess: Option<Guess>,
    /// The names of the passages that came, in order, each once.
    pub returned: Vec<String>,
    /// The names that the evidence and the corpora of the suites bear.
    pub known: BTreeSet<String>,
    /// How the two meet; nothing where one side has no names.
    pub meeting: Option<Meeting>,
    /// What is missing or does not fit, a sentence each.
    pub missing: Vec<String>,
}

/// A question that asks for nothing in particular.
const ANY: &str = "What can you help me with?";

/// Asks a target once.
///
/// # Errors
/// What is wrong with its settings; a target that is not asked over a wire.
pub fn check(opened: &Opened, name: &str, question: Option<&str>) -> Result<Check, Stop> {
    let project = &opened.project;
    let target = project.targets.get(name).ok_or_else(|| {
        let near = or_near(name, project.targets.keys().map(String::as_str));
        usage("unknown-target", format!("ragline.toml has no target `{name}`{near}"))
    })?;
    // The suites that ask it, else all: their names are what must be met.
    let mut suites: Vec<&Suite> = opened.suites.iter().filter(|s| s.target.as_deref() == Some(name)).collect();
    if suites.is_empty() {
        suites = opened.suites.iter().collect();
    }
    let corpora = suites
        .iter()
        .filter_map(|s| s.corpus.as_ref())
        .map(|path| Corpus::load(path, &shown_path(path, &project.root)).map(Arc::new));
    let corpora: Vec<Arc<Corpus>> = corpora.collect::<Result<_, _>>()?;
    let first = suites.iter().flat_map(|s| &s.questions).map(|q| q.text.as_str()).next();
    let question = question.or(first).unwrap_or(ANY).to_owned();
    let environment = Environment::of_process();
    let around = Surroundings {
        name,
        provides: target.provides,
        concurrency: 1,
        subject: Some(subject(target, &project.root, &environment)?.0),
        environment: &environment,
        corpora: corpora.first().cloned().map_or_else(Corpora::default, Corpora::for_every_suite),
    };
    let suite = suites.first().map_or(super::ASK_ID, |s| &s.name);
    let request = Request::new(suite, super::ASK_ID, &question);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| usage("driver", format!("cannot start: {e}")))?;
    let began = std::time::Instant::now();
    let first = runtime.block_on(first_answer(target, &around, request))?;
    let took = began.elapsed();
    let First { values, names, gathered, mapped } = masked(&super::prepare::masker(project)?, first);
    let mut known = BTreeSet::new();
    suites.iter().flat_map(|s| &s.questions).for_each(|q| known_names(&q.evidence, &mut known));
    known.extend(corpora.iter().flat_map(|c| c.documents.keys().cloned()));
    let documents: BTreeSet<&str> = known.iter().map(String::as_str).collect();
    let mapping = match &target.kind {
        TargetKind::Http(c) => Some(&c.mapping),
        TargetKind::Command(c) => Some(&c.mapping),
        TargetKind::Builtin(_) | TargetKind::Recorded { .. } => None,
    };
    let is_mapped = mapping.is_some_and(|m| m.answer.is_mapped() || m.delta.is_mapped() || m.contexts.is_mapped());
    let guess = match values.last() {
        Some(value) if !is_mapped => Some(guess::guess(value, &question, &documents)),
        Some(_) | None => None,
    };
    let returned = mapped.as_ref().map(returned).unwrap_or_default();
    let meeting = (!returned.is_empty() && !known.is_empty()).then(|| meet(&returned, &known));
    let name_of = mapping.map(|m| {
        let c = &m.context;
        if c.doc.is_mapped() || !c.chunk.is_mapped() { ("doc", &c.doc) } else { ("chunk", &c.chunk) }
    });
    let mut missing = mapped.as_ref().map(|r| missing(r, meeting.as_ref(), name_of)).unwrap_or_default();
    let events = gathered.filter(|_| values.len() > 1).map(|(events, _)| events);
    if let Some((_, lost)) = gathered.filter(|(_, lost)| *lost > 0) {
        missing.push(format!(
            "several events hold a list of passages, and a list takes the place of the one before: {lost} of the earlier \
             passages are not in the last list; name the event that is meant: contexts = {{ path = \"…\", event = \"…\" }}"
        ));
    }
    Ok(Check {
        target: name.to_owned(),
        question,
        took,
        values,
        names,
        events,
        mapped,
        guess,
        returned,
        known,
        meeting,
        missing,
    })
}

/// What came of asking once.
struct First {
    values: Vec<Value>,
    names: Vec<String>,
    /// How many events the passages come from, and how many passages of earlier lists the last one lacks.
    gathered: Option<(usize, usize)>,
    mapped: Result<OwnedResponse, Failure>,
}

impl First {
    /// Nothing but what came of the mapping.
    fn only(mapped: Result<OwnedResponse, Failure>) -> First {
        First { values: Vec::new(), names: Vec::new(), gathered: None, mapped }
    }
}

/// Starts what must run, asks once, and ends what was started.
async fn first_answer(target: &TargetConfig, around: &Surroundings<'_>, request: Request<'_>) -> Result<First, Stop> {
    match &target.kind {
        TargetKind::Http(config) => over_http(config, around, request).await,
        TargetKind::Command(config) => {
            let target = command::open(config, around)?;
            let reply = match target.open().await {
                Ok(()) => match target.ask(request).await {
                    Reply::Failed(f) if f.again == Again::AtOnce => {
                        target.ask(Request { fresh: true, ..request }).await
                    }
                    reply @ (Reply::Line { .. } | Reply::Response(_) | Reply::Missing(_) | Reply::Failed(_)) => reply,
                },
                Err(failure) => Reply::Failed(failure),
            };
            target.close().await;
            Ok(First::only(read(reply)))
        }
        TargetKind::Builtin(_) | TargetKind::Recorded { .. } => {
            let what = format!("target `{}` is asked without a wire: there is nothing to map", around.name);
            Err(usage("target-kind", what).help("`ragline ask` shows what it answers").into())
        }
    }
}

/// What is shown is masked like all that a run writes.
fn masked(masker: &Masker, first: First) -> First {
    fn walk(masker: &Masker, value: &mut Value) {
        match value {
            Value::String(text) => *text = masker.text(text).into_owned(),
            Value::Array(items) => items.iter_mut().for_each(|v| walk(masker, v)),
            Value::Object(map) => map.values_mut().for_each(|v| walk(masker, v)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let First { mut values, names, gathered, mapped } = first;
    values.iter_mut().for_each(|v| walk(masker, v));
    let names = names.iter().map(|name| masker.text(name).into_owned()).collect();
    let mapped = mapped
        .map(|mut r| {
            masker.response(&mut r);
            r
        })
        .map_err(|f| Failure { why: masker.text(&f.why).into_owned(), ..f });
    First { values, names, gathered, mapped }
}

fn read(reply: Reply) -> Result<OwnedResponse, Failure> {
    use crate::target::FailureKind;
    match reply {
        Reply::Response(r) => Ok(r),
        Reply::Line { bytes, .. } => crate::target::response::parse(&bytes)
            .map(crate::target::response::Response::into_owned)
            .map_err(|(_, why)| Failure::new(FailureKind::NotJson, why)),
        Reply::Missing(why) => Err(Failure::new(FailureKind::Other, why)),
        Reply::Failed(failure) => Err(failure),
    }
}

#[cfg(feature = "http")]
async fn over_http(
    config: &crate::suite::config::live::HttpConfig,
    around: &Surroundings<'_>,
    request: Request<'_>,
) -> Result<First, Stop> {
    use crate::target::Target as _;
    use crate::target::http::Http;
    let target = Http::new(config, around)?;
    let raw = match target.open().await {
        Ok(()) => match target.raw(request).await {
            Err(f) if f.again == Again::AtOnce => target.raw(Request { fresh: true, ..request }).await,
            asked => asked,
        },
        Err(failure) => Err(failure),
    };
    target.close().await;
    Ok(match raw {
        Ok(raw) => {
            let mapped = target.mapped(&raw, request.suite);
            let gathered = crate::target::mapping::passages(&config.mapping, &raw.events()).map(|g| (g.events, g.lost));
            First { values: raw.values, names: raw.names, gathered, mapped }
        }
        Err(failure) => First::only(Err(failure)),
    })
}

#[cfg(not(feature = "http"))]
async fn over_http(
    _config: &crate::suite::config::live::HttpConfig,
    around: &Surroundings<'_>,
    _request: Request<'_>,
) -> Result<First, Stop> {
    let what = format!("target `{}` is asked over HTTP, and this build has no `http`", around.name);
    Err(usage("no-http", what).help("build with the feature `http`").into())
}

fn known_names(items: &[EvidenceItem], known: &mut BTreeSet<String>) {
    for item in items {
        match item {
            EvidenceItem::One(e) => known.extend([&e.doc, &e.chunk, &e.url].into_iter().flatten().cloned()),
            EvidenceItem::AnyOf(list) | EvidenceItem::AllOf(list) => known_names(list, known),
        }
    }
}

/// The names of passages: the document, else the passage's id, else its address.
fn returned(response: &OwnedResponse) -> Vec<String> {
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

fn missing(r: &OwnedResponse, meeting: Option<&Meeting>, name_of: Option<(&str, &Field)>) -> Vec<String> {
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

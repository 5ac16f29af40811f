//! A first look at a target: one question is asked, and what came is held against what the settings look for and what the
//! suites name.

mod lacks;

use super::{Opened, Stop, target_of, usage};
use crate::drive::subject::subject;
use crate::privacy::Masker;
use crate::problem::{Source, shown_path};
use crate::secret::Secrets;
use crate::suite::config::live::{Live, Mapping};
use crate::suite::config::{TargetConfig, TargetKind, read_text};
use crate::suite::corpus::Corpus;
use crate::suite::{Evidence, Question, Suite};
use crate::target::guess::{Guess, guess_events};
use crate::target::mapping::{self, events_of};
use crate::target::meet::{Meeting, meet};
use crate::target::response::OwnedResponse;
use crate::target::{Again, Corpora, Environment, Failure, FailureKind, Reply, Request, Surroundings, clean, command};
use lacks::{missing, returned};
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
    /// Why earlier attempts failed, where there were any: what passes is asked again, as a run does.
    pub failed: Vec<String>,
    /// Whether the settings say where the parts of a response stand.
    pub is_mapped: bool,
    /// What stands where the refusal flag is looked for, and how it is read.
    pub refused_from: Option<String>,
    /// What the settings make of it, or, where they have no mapping, the one that is proposed.
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
    let target = target_of(project, name)?;
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
    let environment = super::live::with_port(target, &Environment::of_process());
    let around = Surroundings {
        name,
        provides: target.provides,
        concurrency: 1,
        subject: Some(subject(target, &project.root, &environment)?.0),
        environment: &environment,
        corpora: corpora.first().cloned().map_or_else(Corpora::default, Corpora::for_every_suite),
    };
    let suite = suites.first().map_or(super::ASK_ID, |s| &s.name);
    let language = suites.first().map_or("en", |s| s.language.as_str());
    let request = Request::new(suite, super::ASK_ID, &question).in_language(language);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| usage("driver", format!("cannot start: {e}")))?;
    let began = std::time::Instant::now();
    let first = runtime.block_on(first_answer(target, &around, request))?;
    let took = began.elapsed();
    let masker = super::prepare::masker(project)?;
    let First { values, names, failed, secrets, mapped: asked } = masked(&masker, first);
    let events = events_of(&values, &names);
    let mut known = BTreeSet::new();
    let questions = suites.iter().flat_map(|s| &s.questions);
    known.extend(questions.flat_map(Question::places).flat_map(Evidence::names).cloned());
    known.extend(corpora.iter().flat_map(|c| c.documents.keys().cloned()));
    let documents: BTreeSet<&str> = known.iter().map(String::as_str).collect();
    let mapping = match &target.kind {
        TargetKind::Http(c) => Some(&c.mapping),
        TargetKind::Command(c) => Some(&c.mapping),
        TargetKind::Builtin(_) | TargetKind::Recorded { .. } => None,
    };
    let is_mapped = mapping.is_some_and(|m| m.answer.is_mapped() || m.delta.is_mapped() || m.contexts.is_mapped());
    let guess = (!is_mapped && !values.is_empty()).then(|| guess_events(&events, &question, &documents));
    // A proposal is looked at like a mapping that is there.
    let proposed = guess.as_ref().filter(|g| !g.is_empty()).and_then(mapping_of);
    let (mapping, mapped) = match &proposed {
        Some(proposed) => {
            let shown = |mut r: OwnedResponse| {
                if let Some(secrets) = &secrets {
                    clean::response(&mut r, secrets);
                }
                masker.response(&mut r);
                r
            };
            (Some(proposed), mapping::streamed(proposed, &events, None).map(shown))
        }
        None => (mapping, asked),
    };
    let gathered = mapping.and_then(|m| mapping::passages(m, &events));
    let refused_from = mapping.and_then(|m| mapping::refused_from(m, &events));
    let returned = mapped.as_ref().map(returned).unwrap_or_default();
    let meeting = (!returned.is_empty() && !known.is_empty()).then(|| meet(&returned, &known));
    let name_of = mapping.map(|m| {
        let c = &m.context;
        if c.doc.is_mapped() || !c.chunk.is_mapped() { ("doc", &c.doc) } else { ("chunk", &c.chunk) }
    });
    let mut missing = mapped.as_ref().map(|r| missing(r, meeting.as_ref(), name_of)).unwrap_or_default();
    let lost = gathered.as_ref().map_or(0, |g| g.lost);
    if lost > 0 {
        missing.push(format!(
            "several events hold a list of passages, and a list takes the place of the one before: {lost} of the earlier \
             passages are not in the last list; name the event that is meant: contexts = {{ path = \"…\", event = \"…\" }}"
        ));
    }
    let from = gathered.filter(|_| values.len() > 1).map(|g| g.events);
    Ok(Check {
        target: name.to_owned(),
        question,
        took,
        events: from,
        values,
        names,
        failed,
        is_mapped,
        refused_from,
        mapped,
        guess,
        returned,
        known,
        meeting,
        missing,
    })
}

/// A proposal as the settings would read it.
fn mapping_of(guess: &Guess) -> Option<Mapping> {
    let text = format!(
        "version = 1\n[targets.x]\nkind = \"http\"\nurl = \"http://127.0.0.1/\"\nbody = '{{{{ question }}}}'\nstream = \"sse\"\n{}",
        guess.to_toml("x")
    );
    let source = Arc::new(Source { path: "the proposal".to_owned(), text });
    let (project, _) = read_text(&source, std::path::PathBuf::new()).ok()?;
    match project.targets.get("x").map(|t| &t.kind) {
        Some(TargetKind::Http(config)) => Some(config.mapping.clone()),
        Some(TargetKind::Command(_) | TargetKind::Builtin(_) | TargetKind::Recorded { .. }) | None => None,
    }
}

/// What came of asking once.
struct First {
    values: Vec<Value>,
    names: Vec<String>,
    /// Why earlier attempts failed.
    failed: Vec<String>,
    /// What must not be shown: the pieces of a stream may give it together.
    secrets: Option<Arc<Secrets>>,
    mapped: Result<OwnedResponse, Failure>,
}

impl First {
    /// Nothing but what came of the mapping.
    fn only(mapped: Result<OwnedResponse, Failure>, failed: Vec<String>) -> First {
        First { values: Vec::new(), names: Vec::new(), failed, secrets: None, mapped }
    }
}

/// What is asked, and how often it is asked again: as often as the settings say, where the reason passes by itself.
struct Patience<'a> {
    request: Request<'a>,
    left: u32,
    wait: Duration,
    until: Duration,
    failed: Vec<String>,
}

impl<'a> Patience<'a> {
    fn new(live: &Live, request: Request<'a>) -> Self {
        let until = live.timeouts.question;
        Patience { request, left: live.retries, wait: Duration::from_millis(250), until, failed: Vec::new() }
    }

    /// Waits before another attempt; false where none is made.
    async fn waits(&mut self, failure: &Failure) -> bool {
        let wait = match failure.again {
            Again::Never => return false,
            Again::AtOnce if self.request.fresh => return false,
            // None of those that the settings count.
            Again::AtOnce => {
                self.request.fresh = true;
                return true;
            }
            Again::Soon => self.wait,
            Again::After(asked) => asked,
        };
        // A server that is not there at all is told at once: somebody waits.
        let is_there = failure.kind != FailureKind::Connect;
        if self.left == 0 || wait > self.until || !is_there {
            return false;
        }
        self.left -= 1;
        self.wait *= 2;
        self.failed.push(failure.why.clone());
        tokio::time::sleep(wait).await;
        true
    }
}

/// Starts what must run, asks once, and ends what was started.
async fn first_answer(target: &TargetConfig, around: &Surroundings<'_>, request: Request<'_>) -> Result<First, Stop> {
    match &target.kind {
        TargetKind::Http(config) => over_http(config, around, request).await,
        TargetKind::Command(config) => {
            let target = command::open(config, around)?;
            let mut patience = Patience::new(&config.live, request);
            let mapped = match target.open().await {
                Ok(()) => loop {
                    match read(target.ask(patience.request).await) {
                        Err(f) if patience.waits(&f).await => {}
                        mapped => break mapped,
                    }
                },
                Err(failure) => Err(failure),
            };
            target.close().await;
            Ok(First::only(mapped, patience.failed))
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
    let First { mut values, names, failed, secrets, mapped } = first;
    let failed = failed.iter().map(|why| masker.text(why).into_owned()).collect();
    values.iter_mut().for_each(|v| walk(masker, v));
    let names = names.iter().map(|name| masker.text(name).into_owned()).collect();
    let mapped = mapped
        .map(|mut r| {
            masker.response(&mut r);
            r
        })
        .map_err(|f| Failure { why: masker.text(&f.why).into_owned(), ..f });
    First { values, names, failed, secrets, mapped }
}

fn read(reply: Reply) -> Result<OwnedResponse, Failure> {
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
    let mut patience = Patience::new(&config.live, request);
    let raw = match target.open().await {
        Ok(()) => loop {
            match target.raw(patience.request).await {
                Err(f) if patience.waits(&f).await => {}
                asked => break asked,
            }
        },
        Err(failure) => Err(failure),
    };
    target.close().await;
    Ok(match raw {
        Ok(raw) => {
            let mapped = target.mapped(&raw, request.suite);
            First { values: raw.values, names: raw.names, failed: patience.failed, secrets: target.secrets(), mapped }
        }
        Err(failure) => First::only(Err(failure), patience.failed),
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

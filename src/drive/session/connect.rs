//! Finds out how an unknown API is asked and what it returns, and writes it down as the settings of a target.
//!
//! At most `MOST` requests, each of them said: first for the API's own description, then for the question in the ways
//! that [`probe`](crate::target::probe) knows, those first that the API's own refusals point at.

use super::{Stop, usage};
use crate::problem::Source;
use crate::suite::config::{TargetKind, read_text};
use crate::target::guess::{Guess, guess};
use crate::target::http::{Http, Raw};
use crate::target::mapping::quote;
use crate::target::probe::{self, Candidate};
use crate::target::{Again, Corpora, Environment, Failure, Request, Surroundings};
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

/// How often an unknown API is asked.
const MOST: usize = 14;

/// How long one of these requests may take.
const WITHIN: &str = "60s";

/// An API that is known now.
#[derive(Debug)]
pub struct Connected {
    /// The section of the target.
    pub toml: String,
    /// The answer to the question, where one was recognised.
    pub answer: Option<String>,
    /// How many passages came.
    pub passages: usize,
    /// How many requests were made.
    pub requests: usize,
}

/// Why there is no connection.
#[derive(Debug)]
pub enum Unconnected {
    /// Something is wrong that no other way of asking mends: the words of the command, no server, no key.
    Stop(Stop),
    /// The API answers and wants something else; the section says what is known of it.
    Skeleton {
        /// What it said that tells most.
        said: String,
        /// The section of the target as far as it is known.
        toml: String,
    },
}

impl From<Stop> for Unconnected {
    fn from(stop: Stop) -> Self {
        Unconnected::Stop(stop)
    }
}

/// Asks an API in every way that is known until it answers.
///
/// # Errors
/// What it said last, with what can be done.
pub fn connect(
    name: &str,
    url: &str,
    headers: &[String],
    question: &str,
    names: &BTreeSet<&str>,
) -> Result<Connected, Unconnected> {
    let head = settings(name, url, headers)?;
    let environment = Environment::of_process();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Stop::from(usage("driver", format!("cannot start: {e}"))))?;
    let open = |toml: &str| -> Result<Http, Stop> {
        let source =
            Arc::new(Source { path: "the settings of the target".into(), text: format!("version = 1\n{toml}") });
        let (project, _) = read_text(&source, PathBuf::new())?;
        let config = project.targets.get(name).map(|t| &t.kind);
        let Some(TargetKind::Http(config)) = config else { return Err(usage("target-kind", "no http target").into()) };
        let around = Surroundings {
            name,
            provides: None,
            concurrency: 1,
            subject: None,
            environment: &environment,
            corpora: Corpora::default(),
        };
        Ok(Http::new(config, &around)?)
    };
    let asked = |toml: &str, of_any_status: bool| -> Result<Result<Raw, Failure>, Stop> {
        let target = &open(toml)?;
        let request = Request::new(name, super::ASK_ID, question);
        let once = |request| async move {
            if of_any_status { target.raw_of_any_status(request).await } else { target.raw(request).await }
        };
        Ok(runtime.block_on(async {
            match once(request).await {
                Err(f) if f.again == Again::AtOnce => once(Request { fresh: true, ..request }).await,
                asked => asked,
            }
        }))
    };
    let mut queue: VecDeque<Candidate> = described(url, headers, name, &asked)?.into();
    let mut requests = 1;
    queue.extend(probe::common());
    let mut tried: Vec<Candidate> = Vec::new();
    // What the API said last, and how telling that is: a refusal of what was sent says more than one of the way it came.
    let mut said: (u8, String) = (0, String::new());
    let mut hear = |telling: u8, what: String| {
        if telling >= said.0 {
            said = (telling, what);
        }
    };
    while let Some(candidate) = queue.pop_front() {
        if tried.contains(&candidate) {
            continue;
        }
        if requests >= MOST {
            break;
        }
        requests += 1;
        let toml = format!("{head}{}", way(&candidate));
        tried.push(candidate);
        let raw = match asked(&toml, true)? {
            Ok(raw) => raw,
            Err(failure) => {
                use crate::target::FailureKind as K;
                hear(0, failure.why.clone());
                if matches!(failure.kind, K::Connect | K::FirstByte | K::Redirected) {
                    break;
                }
                continue;
            }
        };
        let Some(value) = raw.values.last() else { continue };
        if (200..300).contains(&raw.status) {
            let found = guess(value, question, names);
            if found.answer.is_some() || found.contexts.is_some() {
                return Ok(connected(name, &toml, &found, value, requests));
            }
            hear(2, format!("{}: nothing in it looks like an answer: {}", raw.status, quote(&value.to_string())));
            continue;
        }
        let body = value.to_string();
        let what = format!("{}: {}", raw.status, quote(&body));
        if matches!(raw.status, 401 | 403) {
            let header = probe::key_header(&body).unwrap_or_else(|| "Authorization: Bearer ".to_owned());
            return Err(Stop::from(usage("no-access", format!("{url} answers {what}"))
                .help(format!("give the key that it wants: --header '{header}${{APP_KEY}}' (the variable's name is written, not its value)")))
            .into());
        }
        hear(if matches!(raw.status, 400 | 422) { 3 } else { 1 }, what);
        for hint in probe::from_refusal(raw.status, value).into_iter().rev() {
            queue.push_front(hint);
        }
    }
    if said.0 == 0 {
        return Err(Stop::from(usage("not-connected", format!("{url} did not answer: {}", said.1))).into());
    }
    let head = head.replace(&format!("timeout = {{ attempt = \"{WITHIN}\" }}\n"), "");
    let toml = format!(
        "{head}# As the API wants it; `{{{{ question }}}}` is the question with its quotes.\nbody = '{{\"question\": {{{{ question }}}}}}'\n"
    );
    Err(Unconnected::Skeleton { said: said.1, toml })
}

/// The API's own description, where it has one.
fn described(
    url: &str,
    headers: &[String],
    name: &str,
    asked: &impl Fn(&str, bool) -> Result<Result<Raw, Failure>, Stop>,
) -> Result<Vec<Candidate>, Stop> {
    let Some((origin, path)) = split(url) else { return Ok(Vec::new()) };
    // The question must stand somewhere in a request; a parameter that nobody reads is no harm.
    let toml = format!(
        "{}query = {{ q = \"{{{{ id }}}}{{{{ question }}}}\" }}\n",
        settings(name, &format!("{origin}/openapi.json"), headers)?
    );
    Ok(match asked(&toml, false)? {
        Ok(raw) => raw.values.first().map(|doc| probe::from_openapi(doc, path)).unwrap_or_default(),
        Err(_) => Vec::new(),
    })
}

/// `http://host:port` and `/path`.
fn split(url: &str) -> Option<(&str, &str)> {
    let at = url.find("://")? + 3;
    let slash = url.get(at..)?.find('/').map(|i| at + i);
    let (origin, path) = url.split_at_checked(slash.unwrap_or(url.len()))?;
    Some((origin, path.split(['?', '#']).next().unwrap_or_default()))
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// The section of a target up to how the question is put.
fn settings(name: &str, url: &str, headers: &[String]) -> Result<String, Stop> {
    let mut out = format!("[targets.{name}]\nkind = \"http\"\nurl = {}\n", quoted(url));
    if !headers.is_empty() {
        let mut pairs = Vec::new();
        for header in headers {
            let Some((key, value)) = header.split_once(':') else {
                let what = format!("`{header}` is no header, expected NAME: VALUE");
                return Err(usage("header-form", what).into());
            };
            pairs.push(format!("{} = {}", quoted(key.trim()), quoted(value.trim())));
        }
        out.push_str(&format!("headers = {{ {} }}\n", pairs.join(", ")));
    }
    out.push_str(&format!("timeout = {{ attempt = \"{WITHIN}\" }}\n"));
    Ok(out)
}

/// How the question is put.
fn way(candidate: &Candidate) -> String {
    let mut out = String::new();
    if let Some(body) = &candidate.body {
        out.push_str(&format!("body = {}\n", quoted(body)));
    }
    if let Some(query) = &candidate.query {
        out.push_str(&format!("query = {{ {} = \"{{{{ question }}}}\" }}\n", quoted(query)));
    }
    out
}

fn connected(name: &str, toml: &str, found: &Guess, value: &Value, requests: usize) -> Connected {
    let at = |path: &str| serde_json_path::JsonPath::parse(path).ok();
    let answer = found.answer.as_deref().and_then(at).and_then(|p| p.query(value).first()?.as_str().map(str::to_owned));
    let passages = found.contexts.as_ref().and_then(|c| at(&c.path)).map_or(0, |p| p.query(value).all().len());
    // A first answer may come late; later ones have the usual time.
    let toml = toml.replace(&format!("timeout = {{ attempt = \"{WITHIN}\" }}\n"), "");
    Connected { toml: format!("{toml}\n{}", found.to_toml(name)), answer, passages, requests }
}

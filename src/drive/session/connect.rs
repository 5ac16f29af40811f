//! Finds out how an unknown API is asked and what it returns, and writes it down as the settings of a target.
//!
//! At most `MOST` requests, each of them said: first for the API's own description, then for the question in the ways
//! that [`probe`](crate::target::probe) knows, those first that the API's own refusals point at.

use super::{Stop, usage};
use crate::privacy::settings::keys_in_settings;
use crate::problem::{Problem, Problems, Source};
use crate::suite::config::{Project, TargetKind, read_text};
use crate::target::guess::{Guess, guess_events};
use crate::target::http::{Http, Raw};
use crate::target::mapping::quote;
use crate::target::probe::{self, Candidate};
use crate::target::response::Answer;
use crate::target::{Again, Corpora, Environment, Failure, Request, Surroundings};
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How often the same is asked once more where the API is busy, in all.
const PATIENCE: u32 = 3;

/// The wait before that.
const A_MOMENT: Duration = Duration::from_millis(500);

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
    /// Something is wrong that no other way of asking mends: the words of the command, no server, no key, another path.
    Stop(Stop),
    /// The API answers and wants something else; the section says what is known of it.
    Skeleton {
        /// What it said that tells most.
        said: String,
        /// It took the question, and nothing in what it returned looks like an answer.
        answered: bool,
        /// The section of the target as far as it is known.
        toml: String,
    },
}

impl From<Stop> for Unconnected {
    fn from(stop: Stop) -> Self {
        Unconnected::Stop(stop)
    }
}

/// What is known of an API before it is asked.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The name that the target is given.
    pub name: &'a str,
    /// Its address.
    pub url: &'a str,
    /// Headers of every request: `NAME: VALUE`.
    pub headers: &'a [String],
    /// The body, a template of JSON; none: it is found out.
    pub body: Option<&'a str>,
    /// The language of the question: a code such as `vi`.
    pub language: &'a str,
}

/// Asks an API in every way that is known until it answers, or in the one way that the body says.
///
/// # Errors
/// What it said last, with what can be done.
pub fn connect(known: Known<'_>, question: &str, names: &BTreeSet<&str>) -> Result<Connected, Unconnected> {
    let Known { name, url, headers, body, language } = known;
    let head = settings(name, url, headers)?;
    let own = body.map(|body| Candidate { body: Some(body.to_owned()), query: None });
    no_keys(&format!("{head}{}", own.as_ref().map(way).unwrap_or_default()))?;
    let asking = Asking::new(name, question, language)?;
    let (mut queue, mut requests) = match &own {
        Some(own) => (VecDeque::from([own.clone()]), 0),
        None => {
            let mut queue: VecDeque<Candidate> = described(url, headers, name, &asking)?.into();
            queue.extend(probe::common());
            (queue, 1)
        }
    };
    let mut tried: Vec<Candidate> = Vec::new();
    let mut heard = Heard::default();
    let mut patience = PATIENCE;
    while let Some(candidate) = queue.pop_front() {
        if tried.contains(&candidate) {
            continue;
        }
        if requests >= MOST {
            break;
        }
        requests += 1;
        let mut toml = format!("{head}{}", way(&candidate));
        let mut asked = asking.once(&toml, true)?;
        if matches!(&asked, Err(f) if f.is_stream()) {
            requests += 1;
            toml.push_str("stream = \"sse\"\n");
            asked = asking.once(&toml, true)?;
        }
        let raw = match asked {
            Ok(raw) => raw,
            Err(failure) => {
                use crate::target::FailureKind as K;
                heard.hear(Telling::Failed, failure.why.clone());
                tried.push(candidate);
                if matches!(failure.kind, K::Connect | K::FirstByte | K::Redirected) {
                    break;
                }
                continue;
            }
        };
        let Some(value) = raw.values.last() else { continue };
        let said = value.to_string();
        let what = format!("{}: {}", raw.status, quote(&said));
        match raw.status {
            200..300 => {
                let found = guess_events(&raw.events(), question, names);
                if !found.is_empty() {
                    return Ok(connected(&asking, &toml, &found, &raw, requests)?);
                }
                heard.took.get_or_insert(toml);
                heard.hear(Telling::Took, format!("{what} (nothing in it looks like an answer)"));
            }
            401 | 403 => return Err(no_access(url, headers, &said, &what).into()),
            // It passes by itself: the same once more.
            429 | 502..=504 if patience > 0 => {
                patience -= 1;
                heard.hear(Telling::Busy, what);
                std::thread::sleep(A_MOMENT);
                queue.push_front(candidate);
                continue;
            }
            429 | 502..=504 => {
                let stop = usage("not-connected", format!("{url} answers {what}"))
                    .help("it is busy or away: give the same command again in a while");
                return Err(Stop::from(stop).into());
            }
            404 | 405 | 410 => heard.hear(Telling::Elsewhere, what),
            status => {
                if let Some(header) = probe::wanted_header(&said, &names_of(headers)) {
                    let stop = usage("header-missing", format!("{url} answers {what}"))
                        .help(format!("give the header that it names: --header '{header}: …'"));
                    return Err(Stop::from(stop).into());
                }
                heard.hear(if matches!(status, 400 | 415 | 422) { Telling::Refused } else { Telling::Broke }, what);
                if own.is_none() {
                    for hint in probe::from_refusal(status, value).into_iter().rev() {
                        queue.push_front(hint);
                    }
                }
            }
        }
        tried.push(candidate);
    }
    Err(unconnected(known, &head, heard))
}

/// The end of a search that found no way.
fn unconnected(known: Known<'_>, head: &str, heard: Heard) -> Unconnected {
    let Known { url, body, .. } = known;
    let Heard { telling, said, took } = heard;
    let stop = |code, title: String, help: &str| Unconnected::Stop(usage(code, title).help(help).into());
    let head = head.replace(&first_time_out(), "");
    match telling {
        Telling::Nothing | Telling::Failed | Telling::Busy => {
            Unconnected::Stop(usage("not-connected", format!("{url} did not answer: {said}")).into())
        }
        Telling::Elsewhere => stop(
            "wrong-path",
            format!("{url} answers {said}"),
            "no question is taken at this path: look the path up in the API's description, and give it with --target",
        ),
        Telling::Took => {
            Unconnected::Skeleton { said, answered: true, toml: took.unwrap_or(head).replace(&first_time_out(), "") }
        }
        Telling::Refused | Telling::Broke if body.is_some() => stop(
            "body-refused",
            format!("{url} refuses this body: {said}"),
            "mend --body as it says, and give the command again",
        ),
        Telling::Refused | Telling::Broke => {
            let toml = format!(
                "{head}# No body that was tried was taken. Write what the API wants here; `{{{{ question }}}}` is the question with \
                 its quotes:\n# body = '{{\"question\": {{{{ question }}}}}}'\n"
            );
            Unconnected::Skeleton { said, answered: false, toml }
        }
    }
}

/// How telling it is what an API said: a refusal of what was sent says more than one of the way it came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Telling {
    #[default]
    Nothing,
    Failed,
    Busy,
    Elsewhere,
    Broke,
    Refused,
    Took,
}

/// What an API said last of what tells most.
#[derive(Debug, Default)]
struct Heard {
    telling: Telling,
    said: String,
    /// The settings with which it took the question.
    took: Option<String>,
}

impl Heard {
    fn hear(&mut self, telling: Telling, said: String) {
        if telling >= self.telling {
            (self.telling, self.said) = (telling, said);
        }
    }
}

/// Who asks.
struct Asking<'a> {
    name: &'a str,
    question: &'a str,
    language: &'a str,
    environment: Environment,
    runtime: tokio::runtime::Runtime,
}

impl<'a> Asking<'a> {
    fn new(name: &'a str, question: &'a str, language: &'a str) -> Result<Self, Stop> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| Stop::from(usage("driver", format!("cannot start: {e}"))))?;
        Ok(Asking { name, question, language, environment: Environment::of_process(), runtime })
    }

    fn open(&self, toml: &str) -> Result<Http, Stop> {
        let project = read(toml)?;
        let config = project.targets.get(self.name).map(|t| &t.kind);
        let Some(TargetKind::Http(config)) = config else { return Err(usage("target-kind", "no http target").into()) };
        let around = Surroundings {
            name: self.name,
            provides: None,
            concurrency: 1,
            subject: None,
            environment: &self.environment,
            corpora: Corpora::default(),
        };
        Http::new(config, &around).map_err(|problems| of_the_command(problems).into())
    }

    fn once(&self, toml: &str, of_any_status: bool) -> Result<Result<Raw, Failure>, Stop> {
        let target = &self.open(toml)?;
        let request = Request::new(self.name, super::ASK_ID, self.question).in_language(self.language);
        let once = |request| async move {
            if of_any_status { target.raw_of_any_status(request).await } else { target.raw(request).await }
        };
        Ok(self.runtime.block_on(async {
            match once(request).await {
                Err(f) if f.again == Again::AtOnce => once(Request { fresh: true, ..request }).await,
                asked => asked,
            }
        }))
    }
}

/// Settings that are not in a file yet.
fn read(toml: &str) -> Result<Project, Stop> {
    let source = Arc::new(Source { path: "the words of the command".into(), text: format!("version = 1\n{toml}") });
    read_text(&source, PathBuf::new()).map(|(project, _)| project).map_err(|problems| of_the_command(problems).into())
}

/// Problems of settings that nobody wrote into a file: their places lead nowhere.
fn of_the_command(problems: Problems) -> Problems {
    let plain = |p: Problem| {
        let code = p.code;
        let help = match code {
            "env-missing" => Some("set it (export NAME=…), and give the command again".to_owned()),
            "question-missing" => {
                Some("write {{ question }} where the question goes: --body '{\"query\": {{ question }}}'".to_owned())
            }
            _ => p.help,
        };
        Problem { help, ..usage(code, p.title) }
    };
    Problems(problems.0.into_iter().map(plain).collect())
}

/// No key stands in the words of the command as it is: it would be written into a file that is committed.
fn no_keys(toml: &str) -> Result<(), Stop> {
    let Some(found) = keys_in_settings(&read(toml)?).into_iter().next() else { return Ok(()) };
    let what = found.title.rsplit_once(" in ").map_or("the settings", |(_, place)| place);
    let help = "write '${NAME}' in its place, in single quotes, and export NAME: --header 'Authorization: Bearer ${APP_TOKEN}'";
    let title =
        format!("a key stands as it is in {what}, expected the name of a variable; nothing was asked or written");
    Err(usage("key-in-settings", title).help(help).into())
}

/// The names of headers.
fn names_of(headers: &[String]) -> Vec<String> {
    headers.iter().filter_map(|h| h.split_once(':')).map(|(name, _)| name.trim().to_owned()).collect()
}

/// It does not let us in: without a key, or with one that it does not take.
fn no_access(url: &str, headers: &[String], said: &str, what: &str) -> Stop {
    let stop = usage("no-access", format!("{url} answers {what}"));
    let variables: Vec<&str> = headers
        .iter()
        .flat_map(|h| h.split("${").skip(1))
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
        .collect();
    let key = |header: String| {
        format!(
            "give the key that it wants: --header '{header}${{APP_KEY}}' (the variable's name is written, not its value)"
        )
    };
    let help = match (probe::wanted_header(said, &names_of(headers)), probe::key_header(said), variables.as_slice()) {
        (Some(header), None, _) => format!("give the header that it names: --header '{header}: …'"),
        (Some(_), Some(header), _) | (None, Some(header), []) => key(header),
        (None, None, []) => key("Authorization: Bearer ".to_owned()),
        (None, _, names) => format!(
            "a key was sent and not taken: see that {} holds the right one, and that the headers are those that it wants",
            names.join(", ")
        ),
    };
    stop.help(help).into()
}

/// The API's own description, where it has one.
fn described(url: &str, headers: &[String], name: &str, asking: &Asking<'_>) -> Result<Vec<Candidate>, Stop> {
    let Some((origin, path)) = split(url) else { return Ok(Vec::new()) };
    // The question must stand somewhere in a request; a parameter that nobody reads is no harm.
    let toml = format!(
        "{}query = {{ q = \"{{{{ id }}}}{{{{ question }}}}\" }}\n",
        settings(name, &format!("{origin}/openapi.json"), headers)?
    );
    Ok(match asking.once(&toml, false)? {
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
                // What was written may be a key, and is not shown.
                let what = "a --header has no `:`, expected NAME: VALUE";
                return Err(usage("header-form", what).into());
            };
            pairs.push(format!("{} = {}", quoted(key.trim()), quoted(value.trim())));
        }
        out.push_str(&format!("headers = {{ {} }}\n", pairs.join(", ")));
    }
    out.push_str(&first_time_out());
    Ok(out)
}

/// The time that a first answer may take; later ones have the usual time, and no settings say this.
fn first_time_out() -> String {
    format!("timeout = {{ attempt = \"{WITHIN}\" }}\n")
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

fn connected(asking: &Asking<'_>, toml: &str, found: &Guess, raw: &Raw, requests: usize) -> Result<Connected, Stop> {
    let toml = format!("{}\n{}", toml.replace(&first_time_out(), ""), found.to_toml(asking.name));
    // What is shown is what the mapping that is written reads, without secrets that pieces give together.
    let (answer, passages) = match asking.open(&toml)?.mapped(raw, asking.name) {
        Ok(r) => (
            match r.answer {
                Answer::Text(text) => Some(text.into_owned()),
                Answer::Null | Answer::Absent => None,
            },
            r.contexts.map_or(0, |c| c.len()),
        ),
        Err(_) => (None, 0),
    };
    Ok(Connected { toml, answer, passages, requests })
}

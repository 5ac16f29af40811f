//! A target that is asked over HTTP.
//!
//! Nothing is believed that was not said: a response is an answer when its status is a success, its body is JSON (by its
//! declared type too), no error stands in it, and the mapping finds the answer. Everything else is a failure of the call
//! that says what came instead. No cookies are kept, no redirect changes a request, and no secret leaves in a message.

mod body;
mod client;
mod events;
mod exchange;
mod hidden;
mod request;
mod retry_after;
mod status;

pub use events::{Events, Whole, is_whole};
pub use retry_after::retry_after;

use super::mapping::{Event, events_of};
use super::response::OwnedResponse;
use super::server::Server;
use super::template::{Values, fresh};
use super::{
    Closing, Corpora, Failure, FailureKind, Manners, Opening, Pending, Reply, Request, Surroundings, Target, clean,
    fill, mapping,
};
use crate::layer::Provides;
use crate::problem::{Problem, Problems};
use crate::secret::{Secret, Secrets};
use crate::suite::config::live::{HttpConfig, Mapping, Stream};
use crate::suite::corpus::Corpus;
use body::Said;
use client::Clients;
use exchange::{Clock, Connections};
use request::Templates;
use reqwest::Client;
use serde_json::Value;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A target that is asked over HTTP.
#[derive(Debug)]
pub struct Http {
    name: String,
    provides: Provides,
    concurrency: usize,
    subject: Option<String>,
    corpora: Corpora,
    config: HttpConfig,
    templates: Templates,
    clients: Clients,
    server: Server,
    client: OnceLock<Result<Client, String>>,
    /// A client that keeps no connection, made when it is first needed.
    unkept: OnceLock<Result<Client, String>>,
    /// A response has come, so a connection may have been kept.
    answered: AtomicBool,
    secrets: Arc<Secrets>,
    manners: Manners,
}

/// Why there is no success, and what the server said instead.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// Why.
    pub failure: Failure,
    /// The status and the body, where the server answered and its body is JSON.
    pub said: Option<(u16, Value)>,
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        Refused { failure, said: None }
    }
}

/// What a server returned for one request, before the mapping. No secret stands in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Raw {
    /// The status: a success.
    pub status: u16,
    /// The headers in order, names in lower case; the values of those that may hold a secret are `***`.
    pub headers: Vec<(String, String)>,
    /// The body: one JSON value, or the events of a stream in order of arrival.
    pub values: Vec<Value>,
    /// The names of the events, as their `event:` lines say: one for each value of a stream of server-sent events, empty
    /// where an event has none. No names where the body is no such stream.
    pub names: Vec<String>,
    /// How long it took, from the start of the request to the last byte.
    pub took: Duration,
}

impl Raw {
    /// The values with the names of their events.
    pub fn events(&self) -> Vec<Event<'_>> {
        events_of(&self.values, &self.names)
    }
}

/// Opens a target. Nothing is asked yet.
///
/// # Errors
/// A variable of the environment that is not there, a template that is none, a target whose settings do not say where the
/// answer or the passages stand (`mapping-missing`).
pub fn open(config: &HttpConfig, around: &Surroundings<'_>) -> Result<Arc<dyn Target>, Problems> {
    let target = Http::new(config, around)?;
    let m = &config.mapping;
    if !(m.answer.is_mapped() || m.delta.is_mapped() || m.contexts.is_mapped()) {
        let what = format!("target `{}` does not say where the answer or the passages stand", around.name);
        return Err(Problem::error("mapping-missing", config.url.place.clone(), what)
            .help(format!("ragline target check {} shows what it returns and proposes a mapping", around.name))
            .into());
    }
    Ok(Arc::new(target))
}

impl Http {
    /// A target that may be asked for what it returns, whether or not its settings say where the parts stand.
    ///
    /// # Errors
    /// As for [`open`], but for the mapping.
    pub fn new(config: &HttpConfig, around: &Surroundings<'_>) -> Result<Http, Problems> {
        let templates = Templates::compile(config, around.environment)?;
        let failed = |f: Failure| Problems::from(Problem::error("request", config.url.place.clone(), f.why));
        let url = templates.address(&Values::example()).map_err(failed)?;
        let clients = Clients::new(config, &url, around.environment)?;
        let mut secrets = templates.secrets();
        secrets.extend(clients.secrets.iter().cloned());
        let live = &config.live;
        let started = live.start.iter().flat_map(|s| &s.command).chain(&live.ready);
        secrets.extend(fill::secrets(started, around.environment));
        let server = Server::new(live.start.as_ref(), live.ready.as_ref(), live.ready_within, around.environment)?;
        let m = &config.mapping;
        let mapped = Provides {
            answer: m.answer.is_mapped() || m.delta.is_mapped(),
            contexts: m.contexts.is_mapped(),
            citations: m.citations.is_mapped(),
        };
        Ok(Http {
            name: around.name.to_owned(),
            provides: around.provides.unwrap_or(mapped),
            concurrency: around.concurrency,
            subject: around.subject.clone(),
            corpora: around.corpora.clone(),
            manners: Manners {
                timeouts: live.timeouts,
                retries: live.retries,
                rate: live.rate,
                host: exchange::server(&url),
                warm_up: live.warm_up,
            },
            config: config.clone(),
            templates,
            clients,
            server,
            client: OnceLock::new(),
            unkept: OnceLock::new(),
            answered: AtomicBool::new(false),
            secrets: Arc::new(Secrets::new(secrets)),
        })
    }

    /// Asks one question and returns what came, before the mapping.
    ///
    /// # Errors
    /// Why there is no success with JSON in it.
    pub async fn raw(&self, request: Request<'_>) -> Result<Raw, Failure> {
        let hide = |f: Failure| Failure { why: self.secrets.hide(&f.why).into_owned(), ..f };
        self.exchange(request, false, None).await.map_err(|r| hide(r.failure))
    }

    /// The same, whatever its status: what a server says when it is asked wrongly tells how it wants to be asked.
    ///
    /// # Errors
    /// Why there is no JSON.
    pub async fn raw_of_any_status(&self, request: Request<'_>) -> Result<Raw, Failure> {
        let hide = |f: Failure| Failure { why: self.secrets.hide(&f.why).into_owned(), ..f };
        self.exchange(request, true, None).await.map_err(|r| hide(r.failure))
    }

    /// Sends this body in place of the one that the settings describe, with their address and headers.
    ///
    /// # Errors
    /// Why there is no success with JSON in it; with what the server said, which may tell how it wants to be asked.
    pub async fn post(&self, request: Request<'_>, body: &Value) -> Result<Raw, Refused> {
        let body = Some(Secret::new(body.to_string()));
        self.exchange(request, false, body).await.map_err(|Refused { failure, said }| {
            let failure = Failure { why: self.secrets.hide(&failure.why).into_owned(), ..failure };
            Refused { failure, said }
        })
    }

    async fn exchange(&self, request: Request<'_>, any_status: bool, body: Option<Secret>) -> Result<Raw, Refused> {
        let session = fresh();
        let values = values(&request, &session);
        let times = &self.config.live.timeouts;
        let within = request.within.map_or(times.attempt, |w| w.min(times.attempt));
        let clock = Clock::start(within, times.idle, times.connect);
        let mut outgoing = self.templates.request(&values)?;
        outgoing.body = body.or(outgoing.body);
        let (client, connections) = if request.fresh {
            (self.unkept.get_or_init(|| self.clients.fresh()), Connections::New)
        } else {
            let answered = self.answered.load(Ordering::Relaxed);
            let connections = if answered { Connections::Kept } else { Connections::NoneYet };
            (self.client.get_or_init(|| self.clients.keeping()), connections)
        };
        let client = client.as_ref().map_err(|e| exchange::no_client(e.clone()))?;
        let way = self.clients.way();
        let mut response = match exchange::send(client, connections, outgoing, clock, &self.secrets, way).await {
            Ok(response) => response,
            // Nobody waits for a server of ours that is gone.
            Err(f) => return Err(self.server.ended().await.unwrap_or(f).into()),
        };
        self.answered.store(true, Ordering::Relaxed);
        let status = response.status();
        if !status.is_success() && !any_status {
            let start = exchange::start_of(&mut response, clock).await;
            let asked = || format!("{} {}", self.config.method, self.shown(&values, response.url()));
            let failure = status::failure(status, response.headers(), &start, &self.secrets, asked);
            let said = mapping::read(&start).ok().map(|mut body| {
                self.secrets.hide_value(&mut body);
                (status.as_u16(), body)
            });
            return Err(Refused { failure, said });
        }
        let said = Said::of(response.headers());
        let most = self.config.max_body;
        let as_stream = match self.config.stream {
            Stream::Json => false,
            // A server that does not stream after all says so.
            Stream::Sse => !said.is_json(),
            Stream::Ndjson => true,
        };
        said.unpacked()?;
        let whole = if said.is_page() {
            let start = exchange::start_of(&mut response, clock).await;
            return Err(body::page(&start, &self.secrets, &self.shown(&values, response.url())).into());
        } else if as_stream {
            let mut events = Events::new(self.config.stream, &self.secrets);
            exchange::read(&mut response, most, clock, |piece| {
                events.push(piece)?;
                Ok(if events.is_done() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })
            .await?;
            let whole = events.finish()?;
            if whole.values.is_empty() {
                return Err(Failure::new(FailureKind::NotJson, "the stream ended without an event").into());
            }
            // An error is why a stream ends early; it says more than that it did.
            let fits =
                || mapping::streamed(&self.config.mapping, &events_of(&whole.values, &whole.names), None).is_ok();
            if !is_whole(&whole.values, whole.done) && fits() {
                let why = format!("the stream ended without its end mark, after {} events", whole.values.len());
                return Err(Failure::new(FailureKind::Cut, why).into());
            }
            whole
        } else {
            let mut bytes = Vec::new();
            exchange::read(&mut response, most, clock, |piece| {
                bytes.extend_from_slice(piece);
                Ok(ControlFlow::Continue(()))
            })
            .await?;
            let value = body::json(&said, &bytes, &self.secrets, || self.shown(&values, response.url()))?;
            Whole { values: vec![value], ..Whole::default() }
        };
        let headers = response.headers().iter().map(|(name, value)| {
            let sensitive = hidden::is_sensitive(name.as_str());
            let value = String::from_utf8_lossy(value.as_bytes());
            let shown = if sensitive { crate::secret::HIDDEN.into() } else { self.secrets.hide(&value) };
            (name.as_str().to_owned(), shown.into_owned())
        });
        let (headers, took) = (headers.collect(), clock.elapsed());
        let Whole { values, names, done: _ } = whole;
        Ok(Raw { status: status.as_u16(), headers, values, names, took })
    }

    /// The address of a response as it may be shown: that of the settings, or where a redirect led.
    fn shown(&self, values: &Values<'_>, last: &reqwest::Url) -> String {
        match self.templates.address(values) {
            Ok(first) if first.path() == last.path() => self.templates.shown(values, &self.secrets),
            Ok(_) | Err(_) => {
                let mut last = last.clone();
                let _ = last.set_username("");
                let _ = last.set_password(None);
                self.secrets.hide(last.as_str()).into_owned()
            }
        }
    }

    /// The response in what it returned, without the question's id and without secrets.
    ///
    /// # Errors
    /// As for [`mapping::response`].
    pub fn mapped(&self, raw: &Raw, suite: &str) -> Result<OwnedResponse, Failure> {
        let mut response = mapped(&self.config.mapping, raw, self.corpora.of(suite).as_deref())?;
        clean::response(&mut response, &self.secrets);
        Ok(response)
    }

    async fn response(&self, request: Request<'_>) -> Result<OwnedResponse, Failure> {
        let raw = self.raw(request).await?;
        let mut response = self.mapped(&raw, request.suite)?;
        response.id = request.id.to_owned().into();
        response.repeat = request.repeat;
        Ok(response)
    }
}

/// The response in what a server returned, without the question's id. What the parts of a text give together may hold a
/// secret: [`Http::mapped`] takes it out.
///
/// # Errors
/// As for [`mapping::response`].
pub fn mapped(mapping: &Mapping, raw: &Raw, corpus: Option<&Corpus>) -> Result<OwnedResponse, Failure> {
    let mut response = mapping::streamed(mapping, &raw.events(), corpus)?;
    response.latency_ms = u64::try_from(raw.took.as_millis()).ok();
    Ok(response)
}

fn values<'v>(request: &Request<'v>, session: &'v str) -> Values<'v> {
    let Request { suite, id, question, language, repeat, within: _, fresh: _ } = *request;
    Values { question, id, suite, language, repeat, session }
}

impl Target for Http {
    fn name(&self) -> &str {
        &self.name
    }

    fn provides(&self) -> Provides {
        self.provides
    }

    fn subject(&self) -> Option<String> {
        self.subject.clone()
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn manners(&self) -> Option<Manners> {
        Some(self.manners.clone())
    }

    fn key(&self, request: Request<'_>) -> Option<String> {
        self.templates.key(&values(&request, ""), &self.secrets)
    }

    fn secrets(&self) -> Option<Arc<Secrets>> {
        Some(Arc::clone(&self.secrets))
    }

    fn open(&self) -> Opening<'_> {
        Box::pin(self.server.open())
    }

    fn close(&self) -> Closing<'_> {
        Box::pin(self.server.close())
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        Box::pin(async move {
            match self.response(request).await {
                Ok(response) => Reply::Response(response),
                Err(failure) => Reply::Failed(failure),
            }
        })
    }
}

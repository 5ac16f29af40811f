//! From a question to a request: the templates of a target, compiled once.

use super::hidden;
use crate::digest::Hasher;
use crate::problem::{Place, Problem, Problems};
use crate::secret::{Secret, Secrets};
use crate::suite::config::live::{EnvText, HttpConfig, Stream};
use crate::target::template::{Escape, Rendered, Template, Values, percent_encoded};
use crate::target::{Environment, Failure, FailureKind};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};

/// The templates of a target.
#[derive(Debug)]
pub(super) struct Templates {
    pub(super) method: Method,
    url: Template,
    query: Vec<(String, Template)>,
    headers: Vec<(HeaderName, Template)>,
    body: Option<Template>,
    accept: &'static str,
}

/// A request that can be sent.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Secret>,
}

/// Names of headers that the client alone may set: another value would break the framing of the request.
const RESERVED: [&str; 5] = ["content-length", "transfer-encoding", "connection", "upgrade", "te"];

impl Templates {
    /// Compiles the templates of the settings.
    ///
    /// # Errors
    /// Everything that is wrong with them, each with its place.
    pub(super) fn compile(config: &HttpConfig, environment: &Environment) -> Result<Templates, Problems> {
        let mut problems = Problems::default();
        let mut compile = |text: &EnvText, escape| match Template::compile(text, escape, &config.vars, environment) {
            Ok(t) => Some(t),
            Err(p) => {
                problems.0.push(p);
                None
            }
        };
        let url = compile(&config.url, Escape::Url);
        // Parameters are encoded as a whole, what is written in the settings included.
        let query: Vec<_> =
            config.query.iter().filter_map(|(n, t)| Some((n.clone(), compile(t, Escape::None)?))).collect();
        let headers: Vec<_> =
            config.headers.iter().filter_map(|(n, t)| Some((n, &t.place, compile(t, Escape::None)?))).collect();
        let body = config.body.as_ref().map(|t| compile(t, Escape::Json));
        let mut named = Vec::new();
        for (name, place, template) in headers {
            match HeaderName::from_bytes(name.as_bytes()) {
                Ok(n) if !RESERVED.contains(&n.as_str()) => named.push((n, template)),
                Ok(_) => problems.0.push(header(name, place, "is set by the client alone")),
                Err(_) => problems.0.push(header(name, place, "is no name of a header")),
            }
        }
        let Ok(method) = Method::from_bytes(config.method.as_bytes()) else {
            let what = format!("`{}` is no method", config.method);
            return Err(Problem::error("method", config.url.place.clone(), what).into());
        };
        let (Some(url), false, body) = (url, matches!(body, Some(None)), body.flatten()) else {
            return Err(problems);
        };
        if !problems.0.is_empty() {
            return Err(problems);
        }
        let asks = |t: &Template| t.names().contains("question");
        if !asks(&url) && !body.as_ref().is_some_and(asks) && !query.iter().any(|(_, t)| asks(t)) {
            let place = config.body.as_ref().unwrap_or(&config.url).place.clone();
            return Err(Problem::error("question-missing", place, "the question is nowhere in the request")
                .help("put {{ question }} into `body`, `url` or `query`: body = '{\"question\": {{ question }}}'")
                .into());
        }
        let accept = match config.stream {
            Stream::Json => "application/json",
            Stream::Sse => "text/event-stream, application/json;q=0.9",
            Stream::Ndjson => "application/x-ndjson, application/json;q=0.9",
        };
        let templates = Templates { method, url, query, headers: named, body, accept };
        match templates.request(&Values::example()) {
            Ok(_) => Ok(templates),
            Err(f) => Err(Problem::error("request", config.url.place.clone(), f.why)
                .help("an address is written http://HOST:PORT/PATH or https://…")
                .into()),
        }
    }

    /// All templates, with the name under which each stands where it has one.
    fn all(&self) -> impl Iterator<Item = (&str, &Template)> {
        let query = self.query.iter().map(|(n, t)| (n.as_str(), t));
        let headers = self.headers.iter().map(|(n, t)| (n.as_str(), t));
        std::iter::once(("", &self.url)).chain(query).chain(headers).chain(self.body.iter().map(|t| ("", t)))
    }

    /// The secrets that stand in the settings and in the variables that they name.
    pub(super) fn secrets(&self) -> Vec<Secret> {
        let values = Values::example();
        let mut found = Vec::new();
        for (name, template) in self.all() {
            found.extend(hidden::of_variables(template.variables()));
            if let Ok(r) = template.render(&values) {
                found.extend(hidden::of_named(name, template, r.sent.expose()));
            }
        }
        if let Ok(url) = self.address(&values) {
            found.extend(hidden::user_info(&url));
            if self.url.is_fixed() {
                found.extend(hidden::of_query(&url));
            }
        }
        found
    }

    /// The address for these values.
    pub(super) fn address(&self, values: &Values<'_>) -> Result<Url, Failure> {
        let mut text = self.url.render(values)?.sent.expose().to_owned();
        let fragment = text.find('#').unwrap_or(text.len());
        text.truncate(fragment);
        for (name, template) in &self.query {
            text.push(if text.contains('?') { '&' } else { '?' });
            text.push_str(&percent_encoded(name));
            text.push('=');
            text.push_str(&percent_encoded(template.render(values)?.sent.expose()));
        }
        // The text itself may hold a password.
        let no = |why: &str| Failure::new(FailureKind::Template, format!("`url` gives no address of a server: {why}"));
        let url = Url::parse(text.trim()).map_err(|e| no(&e.to_string()))?;
        match url.scheme() {
            "http" | "https" if url.has_host() => Ok(url),
            "http" | "https" => Err(no("it names no host")),
            other => Err(no(&format!("`{other}` is neither http nor https"))),
        }
    }

    /// The request for these values.
    ///
    /// # Errors
    /// [`FailureKind::Template`]: no address, a header that cannot hold what it is given.
    pub(super) fn request(&self, values: &Values<'_>) -> Result<Outgoing, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(self.accept));
        // What comes is taken as it is: nothing is unpacked, so nothing can grow in our hands.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        if self.body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        for (name, template) in &self.headers {
            let text = template.render(values)?.sent;
            let Ok(mut value) = HeaderValue::from_bytes(text.expose().trim().as_bytes()) else {
                let why = format!("the header `{name}` cannot hold a line end or another control character");
                return Err(Failure::new(FailureKind::Template, why));
            };
            value.set_sensitive(hidden::is_sensitive(name.as_str()) || !template.variables().is_empty());
            headers.insert(name, value);
        }
        let body = match &self.body {
            Some(template) => Some(template.render(values)?.sent),
            None => None,
        };
        Ok(Outgoing { method: self.method.clone(), url: self.address(values)?, headers, body })
    }

    /// The address as it may be shown.
    pub(super) fn shown(&self, values: &Values<'_>, secrets: &Secrets) -> String {
        let Ok(url) = self.url.render(values) else { return String::new() };
        let mut shown = secrets.hide(&url.shown).into_owned();
        for (name, template) in &self.query {
            shown.push(if shown.contains('?') { '&' } else { '?' });
            shown.push_str(name);
            shown.push('=');
            if let Ok(r) = template.render(values) {
                shown.push_str(&secrets.hide(&r.shown));
            }
        }
        shown
    }

    /// The identity of the request: everything that is sent, with names in place of secrets and of the session.
    pub(super) fn key(&self, values: &Values<'_>, secrets: &Secrets) -> Option<String> {
        let mut hasher = Hasher::default();
        hasher.field(self.method.as_str());
        let mut field = |name: &str, r: &Rendered| {
            hasher.field(name);
            hasher.field(&secrets.hide(&r.shown));
        };
        field("url", &self.url.render(values).ok()?);
        for (name, template) in &self.query {
            field(&format!("?{name}"), &template.render(values).ok()?);
        }
        for (name, template) in &self.headers {
            field(&format!("{name}:"), &template.render(values).ok()?);
        }
        if let Some(template) = &self.body {
            field("body", &template.render(values).ok()?);
        }
        Some(hasher.digits(32))
    }
}

fn header(name: &str, place: &Place, what: &str) -> Problem {
    Problem::error("header", place.clone(), format!("`{name}` {what}"))
}

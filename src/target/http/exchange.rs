//! One request and its response, within the time that it has: connecting, the first byte, each piece, the whole.

use super::body;
use super::request::Outgoing;
use crate::secret::Secrets;
use crate::target::words::{size, time};
use crate::target::{Again, Failure, FailureKind};
use reqwest::header::LOCATION;
use reqwest::{Client, Response, StatusCode, Url};
use std::error::Error;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The most redirects that are followed.
const MOST_REDIRECTS: u32 = 3;

/// The most bytes that are read of a response which is no answer.
pub(super) const START: usize = 64 << 10;

/// The time of one attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    began: Instant,
    deadline: Instant,
    within: Duration,
    idle: Duration,
    connect: Duration,
}

impl Clock {
    pub(super) fn start(within: Duration, idle: Duration, connect: Duration) -> Clock {
        let began = Instant::now();
        // An attempt that may take for ever takes a day.
        let within = within.min(Duration::from_secs(86_400));
        Clock { began, deadline: began + within, within, idle, connect }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// What connections a request may be sent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connections {
    /// Only new ones.
    New,
    /// One may have been kept, but none has yet.
    NoneYet,
    /// One that was kept from an earlier request, or a new one.
    Kept,
}

/// Sends a request and waits for the head of its response. Follows redirects that keep method and body, to the same
/// scheme, host and port. Nothing is sent twice: what may have died while nobody looked is for the next attempt, so that
/// every request is one that the journal knows of.
pub(super) async fn send(
    client: &Client,
    connections: Connections,
    outgoing: Outgoing,
    clock: Clock,
    secrets: &Secrets,
    way: Option<&str>,
) -> Result<Response, Failure> {
    let Outgoing { method, mut url, headers, body } = outgoing;
    let mut followed = 0;
    loop {
        let builder = client.request(method.clone(), url.clone()).headers(headers.clone());
        let request = match &body {
            Some(body) => builder.body(body.expose().to_owned()),
            None => builder,
        };
        let may_be_kept = match connections {
            Connections::New => false,
            Connections::NoneYet => followed > 0,
            Connections::Kept => true,
        };
        let mut response = match head(request, clock, &url, way).await {
            Ok(response) => response,
            Err((failure, true)) if may_be_kept => return Err(failure.again(Again::AtOnce)),
            Err((failure, _)) => return Err(failure),
        };
        if !response.status().is_redirection() || response.status() == StatusCode::NOT_MODIFIED {
            return Ok(response);
        }
        let next = response.headers().get(LOCATION).map(|l| String::from_utf8_lossy(l.as_bytes()).into_owned());
        let target = next.as_deref().and_then(|l| url.join(l).ok());
        let keeps = matches!(response.status().as_u16(), 307 | 308);
        match target {
            Some(mut to) if keeps && same_server(&url, &to) && followed < MOST_REDIRECTS => {
                let _ = to.set_username(url.username());
                let _ = to.set_password(url.password());
                url = to;
                followed += 1;
            }
            target => {
                let to = target.map(|mut t| {
                    let _ = t.set_username("");
                    let _ = t.set_password(None);
                    t.to_string()
                });
                return Err(redirected(&mut response, to.or(next), followed, clock, secrets).await);
            }
        }
    }
}

pub(super) fn no_client(why: String) -> Failure {
    Failure::new(FailureKind::Connect, format!("no client can be made: {why}")).again(Again::Never)
}

fn same_server(a: &Url, b: &Url) -> bool {
    a.scheme() == b.scheme() && a.host() == b.host() && a.port_or_known_default() == b.port_or_known_default()
}

async fn redirected(
    response: &mut Response,
    to: Option<String>,
    followed: u32,
    clock: Clock,
    secrets: &Secrets,
) -> Failure {
    let status = response.status().as_u16();
    let page = start_of(response, clock).await;
    let title = body::title(&page, secrets).map_or_else(String::new, |t| format!(", a page \"{t}\""));
    let to = match to {
        Some(to) => crate::target::mapping::quote(&secrets.hide(&to)),
        None => "nowhere: it names no address".to_owned(),
    };
    let times = if followed > 0 { format!(" after {followed} redirects") } else { String::new() };
    Failure::new(FailureKind::Redirected, format!("redirected to {to} (HTTP {status}{title}){times}"))
}

/// The head of a response; a failure, and whether a connection died without having given a byte.
async fn head(
    request: reqwest::RequestBuilder,
    clock: Clock,
    url: &Url,
    way: Option<&str>,
) -> Result<Response, (Failure, bool)> {
    match timeout_at(clock.deadline, request.send()).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(e)) => Err((failed(&e, clock, url, way), died(&e))),
        Err(_) => {
            let why = format!("no first byte within {}", time(clock.within));
            Err((Failure::new(FailureKind::FirstByte, why), false))
        }
    }
}

/// Whether a connection that stood ended before anything came.
fn died(e: &reqwest::Error) -> bool {
    let gone = |e: &(dyn Error + 'static)| {
        let io = e.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        matches!(
            io,
            Some(
                ErrorKind::ConnectionReset
                    | ErrorKind::ConnectionAborted
                    | ErrorKind::BrokenPipe
                    | ErrorKind::UnexpectedEof
            )
        ) || e.to_string().contains("connection closed before message completed")
    };
    !e.is_connect() && !e.is_timeout() && chain(e).any(gone)
}

fn failed(e: &reqwest::Error, clock: Clock, url: &Url, way: Option<&str>) -> Failure {
    let server = way.map_or_else(|| server(url), |way| format!("{} through {way}", server(url)));
    if e.is_connect() {
        let io = chain(e).filter_map(|s| s.downcast_ref::<std::io::Error>()).map(std::io::Error::kind).last();
        if let Some(why) = distrusted(e) {
            let why =
                format!("no connection to {server}: its certificate is not trusted: {why}; `ca` names a file of more");
            return Failure::new(FailureKind::Connect, why).again(Again::Never);
        }
        let why = if e.is_timeout() {
            format!("no connection to {server} within {}", time(clock.connect.min(clock.within)))
        } else if io == Some(ErrorKind::ConnectionRefused) {
            let hint = if way.is_some() { "proxy = \"none\" goes without" } else { "does the server run?" };
            format!("no connection to {server}: refused; {hint}")
        } else {
            format!("no connection to {server}: {}", innermost(e))
        };
        return Failure::new(FailureKind::Connect, why);
    }
    if e.is_builder() {
        return Failure::new(FailureKind::Template, format!("the request cannot be made: {}", innermost(e)));
    }
    if died(e) {
        return Failure::new(FailureKind::Cut, "the connection ended before the first byte of a response");
    }
    Failure::new(FailureKind::Cut, format!("no response could be read: {}", innermost(e)))
}

/// Why the server's certificate is refused, where it is: no wait changes that.
fn distrusted(e: &reqwest::Error) -> Option<String> {
    let why = chain(e).find_map(|layer| {
        // What an input error wraps is not among its sources.
        let mut inner = layer;
        while let Some(wrapped) = inner.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
            inner = wrapped;
        }
        match inner.downcast_ref::<rustls::Error>() {
            Some(rustls::Error::InvalidCertificate(why)) => Some(why.to_string()),
            Some(_) | None => None,
        }
    });
    why.map(|w| crate::target::mapping::quote(&w))
}

/// `HOST:PORT`, as messages write it.
pub(super) fn server(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

fn chain<'e>(e: &'e reqwest::Error) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(e.source(), |e: &&'e (dyn Error + 'static)| (*e).source())
}

/// What lies at the bottom of an error. The layers above name the address, which may hold a secret.
pub(super) fn innermost(e: &reqwest::Error) -> String {
    chain(e).last().map_or_else(|| "unknown reason".to_owned(), |e| crate::target::mapping::quote(&e.to_string()))
}

/// Reads a body piece by piece, until it ends or enough is there.
///
/// # Errors
/// Nothing came for the idle time, the time of the attempt ended, the connection ended too early, or there is more than
/// `most`.
pub(super) async fn read(
    response: &mut Response,
    most: usize,
    clock: Clock,
    mut take: impl FnMut(&[u8]) -> Result<ControlFlow<()>, Failure>,
) -> Result<(), Failure> {
    let too_large = || Failure::new(FailureKind::TooLarge, format!("the body is over {}", size(most)));
    let mut count = 0_usize;
    if response.content_length().is_some_and(|n| n > most as u64) {
        return Err(too_large());
    }
    loop {
        let idle = Instant::now() + clock.idle;
        let piece = match timeout_at(idle.min(clock.deadline), response.chunk()).await {
            Ok(Ok(Some(piece))) => piece,
            Ok(Ok(None)) => return Ok(()),
            Ok(Err(e)) => {
                let why = format!("the connection ended in the middle of the body, after {count} bytes");
                let died = chain(&e).last().map_or_else(String::new, |e| format!(" ({e})"));
                return Err(Failure::new(FailureKind::Cut, why + &died));
            }
            Err(_) if idle < clock.deadline => {
                let why = format!(
                    "idle: nothing came for {} in the middle of the body, after {count} bytes",
                    time(clock.idle)
                );
                return Err(Failure::new(FailureKind::Idle, why));
            }
            Err(_) => {
                let why =
                    format!("the response was not whole within {} in total, {count} bytes came", time(clock.within));
                return Err(Failure::new(FailureKind::Total, why));
            }
        };
        count += piece.len();
        if count > most {
            return Err(too_large());
        }
        if take(&piece)?.is_break() {
            return Ok(());
        }
    }
}

/// The start of a body that is no answer: what came of it, whatever went wrong then.
pub(super) async fn start_of(response: &mut Response, clock: Clock) -> Vec<u8> {
    let mut start = Vec::new();
    // A page without end is no reason to wait.
    let _ = read(response, usize::MAX, clock, |piece| {
        start.extend(piece.iter().take(START - start.len()));
        Ok(if start.len() < START { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })
    .await;
    start
}

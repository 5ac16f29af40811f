//! Why an attempt gave no response, and whether another may.

use std::fmt;
use std::time::Duration;

/// Why an attempt gave no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure.
    pub kind: FailureKind,
    /// The reason in one line, without secrets.
    pub why: String,
    /// Whether another attempt may do better.
    pub again: Again,
}

/// Whether another attempt may do better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// No: the same request gives the same.
    Never,
    /// After a growing wait.
    Soon,
    /// Not before this time has passed: the server said so.
    After(Duration),
    /// At once, with [`Request::fresh`](super::Request::fresh): a connection that was kept from an earlier request turned
    /// out to be dead, which says nothing of the server. A question gets one such attempt beside its others.
    AtOnce,
}

/// The kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// No connection: refused, no such host, TLS, or within the time for connecting.
    Connect,
    /// The time ended before the first byte of a response.
    FirstByte,
    /// Nothing came for the idle time in the middle of a response.
    Idle,
    /// The time of the attempt ended in the middle of a response.
    Total,
    /// The connection or the stream ended before the response was whole.
    Cut,
    /// A status that is no success.
    Status,
    /// The server, or its quota, says that it is asked too much.
    RateLimited,
    /// It sent us elsewhere.
    Redirected,
    /// The response is not what its mapping reads: HTML, no JSON, another encoding.
    NotJson,
    /// A success that holds an error.
    ErrorBody,
    /// Nothing stands where the mapping looks for the answer.
    Unmapped,
    /// More bytes than are taken.
    TooLarge,
    /// The program could not be run, or ended without an answer.
    Process,
    /// The request could not be made from its template.
    Template,
    /// The target did not become ready.
    NotReady,
    /// The time for the question or for the run ended.
    Budget,
    /// The run was ended from outside.
    Interrupted,
    /// A recorded answer stood for the target, and it was another subject that gave it.
    Stale,
    /// What the target says of itself, without a kind.
    Other,
}

impl FailureKind {
    /// Every kind.
    pub const ALL: [FailureKind; 19] = [
        FailureKind::Connect,
        FailureKind::FirstByte,
        FailureKind::Idle,
        FailureKind::Total,
        FailureKind::Cut,
        FailureKind::Status,
        FailureKind::RateLimited,
        FailureKind::Redirected,
        FailureKind::NotJson,
        FailureKind::ErrorBody,
        FailureKind::Unmapped,
        FailureKind::TooLarge,
        FailureKind::Process,
        FailureKind::Template,
        FailureKind::NotReady,
        FailureKind::Budget,
        FailureKind::Interrupted,
        FailureKind::Stale,
        FailureKind::Other,
    ];

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<FailureKind> {
        FailureKind::ALL.into_iter().find(|k| k.name() == name)
    }

    /// The kind in kebab case, as the journal writes it.
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Connect => "connect",
            FailureKind::FirstByte => "first-byte",
            FailureKind::Idle => "idle",
            FailureKind::Total => "total",
            FailureKind::Cut => "cut",
            FailureKind::Status => "status",
            FailureKind::RateLimited => "rate-limited",
            FailureKind::Redirected => "redirected",
            FailureKind::NotJson => "not-json",
            FailureKind::ErrorBody => "error-body",
            FailureKind::Unmapped => "unmapped",
            FailureKind::TooLarge => "too-large",
            FailureKind::Process => "process",
            FailureKind::Template => "template",
            FailureKind::NotReady => "not-ready",
            FailureKind::Budget => "budget",
            FailureKind::Interrupted => "interrupted",
            FailureKind::Stale => "stale",
            FailureKind::Other => "other",
        }
    }

    /// Whether a failure of this kind passes by itself more often than not.
    fn passes(self) -> bool {
        match self {
            FailureKind::Connect
            | FailureKind::FirstByte
            | FailureKind::Idle
            | FailureKind::Total
            | FailureKind::Cut
            | FailureKind::RateLimited => true,
            FailureKind::Status
            | FailureKind::Redirected
            | FailureKind::NotJson
            | FailureKind::ErrorBody
            | FailureKind::Unmapped
            | FailureKind::TooLarge
            | FailureKind::Process
            | FailureKind::Template
            | FailureKind::NotReady
            | FailureKind::Budget
            | FailureKind::Interrupted
            | FailureKind::Stale
            | FailureKind::Other => false,
        }
    }
}

/// How the failure begins of a response that is a stream where one JSON value was asked for.
pub(super) const STREAM: &str = "the response is a stream of events";

impl Failure {
    /// Whether the response was a stream of events, and the settings do not say that one comes.
    pub fn is_stream(&self) -> bool {
        self.kind == FailureKind::NotJson && self.why.starts_with(STREAM)
    }

    /// A failure; whether it is tried again follows from its kind.
    pub fn new(kind: FailureKind, why: impl Into<String>) -> Failure {
        let again = if kind.passes() { Again::Soon } else { Again::Never };
        Failure { kind, why: why.into(), again }
    }

    /// The same, with what the server said of another attempt.
    #[must_use]
    pub fn again(mut self, again: Again) -> Failure {
        self.again = again;
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

//! Ways to ask a RAG system, and the one shape of its answers.

pub mod builtin;
pub(crate) mod clean;
pub mod command;
mod corpora;
mod environment;
mod failure;
mod fill;
pub mod guess;
#[cfg(feature = "http")]
pub mod http;
pub mod local;
pub mod mapping;
pub mod meet;
pub mod probe;
mod process;
pub mod recorded;
pub mod replay;
pub mod response;
pub mod server;
pub mod tap;
pub mod template;
mod words;

pub use corpora::Corpora;
pub use environment::{Environment, PORT};
pub use failure::{Again, Failure, FailureKind};
pub(crate) use process::kill_all;

use crate::layer::Provides;
use crate::layer::retrieval::random::Holdings;
use crate::secret::Secrets;
use crate::suite::config::live::{Rate, Timeouts};
use response::OwnedResponse;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// One question to a target.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The suite.
    pub suite: &'a str,
    /// The question's id.
    pub id: &'a str,
    /// What is asked.
    pub question: &'a str,
    /// The language of the suite: a code such as `vi`; empty where nobody said.
    pub language: &'a str,
    /// Which of several runs of the same question, from 0.
    pub repeat: u32,
    /// How long this attempt may take; none: as long as it takes. The driver ends an attempt that takes much longer; a
    /// target that ends its own can say what it was waiting for.
    pub within: Option<Duration>,
    /// Nothing that was kept from earlier requests is used: an earlier attempt at this question failed with
    /// [`Again::AtOnce`], and this one must not fail for the same reason.
    pub fresh: bool,
}

impl<'a> Request<'a> {
    /// A question's first run, without a limit.
    pub fn new(suite: &'a str, id: &'a str, question: &'a str) -> Self {
        Request { suite, id, question, language: "", repeat: 0, within: None, fresh: false }
    }

    /// The same in a language.
    #[must_use]
    pub fn in_language(self, language: &'a str) -> Self {
        Request { language, ..self }
    }
}

/// What came of asking.
#[derive(Debug)]
pub enum Reply {
    /// A response as a line of JSON, not yet read, and where it stands (`responses.jsonl:12`).
    Line {
        /// The line, without its end.
        bytes: Vec<u8>,
        /// The file's line, from 1.
        line: u32,
    },
    /// A response.
    Response(OwnedResponse),
    /// There is none, with what is near it.
    Missing(String),
    /// The attempt failed.
    Failed(Failure),
}

/// A pending reply.
pub type Pending<'a> = Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;

/// A pending start.
pub type Opening<'a> = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send + 'a>>;

/// A pending end.
pub type Closing<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// What a target that is asked anew is opened with, beside the settings of its kind.
#[derive(Debug, Clone)]
pub struct Surroundings<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is said to return; none: what its mapping reads.
    pub provides: Option<Provides>,
    /// How many questions it is asked at once.
    pub concurrency: usize,
    /// The identity of what is tested.
    pub subject: Option<String>,
    /// The variables that `${NAME}` stands for.
    pub environment: &'a Environment,
    /// The suites' corpora, for passages that come without text.
    pub corpora: Corpora,
}

/// How a target wants to be asked: within which times, how often again, how fast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manners {
    /// The nested time-outs.
    pub timeouts: Timeouts,
    /// How often an attempt that failed for a passing reason is made again.
    pub retries: u32,
    /// At most so many attempts in a time.
    pub rate: Option<Rate>,
    /// What is slowed down together when it says that it is asked too fast: a host with its port, or a program.
    pub host: String,
    /// The first question is asked alone, and again until it is answered, within this time (counted from the start of
    /// [`Target::open`]); no other is asked before. None: there is nothing to wait for.
    pub warm_up: Option<Duration>,
}

/// A way to ask a RAG system. Implement it to test a system in the same process.
pub trait Target: Send + Sync {
    /// The name, as reports print it.
    fn name(&self) -> &str;

    /// What it is said to return.
    fn provides(&self) -> Provides;

    /// The identity of what is tested: equal when nothing that matters has changed. None when it is not known.
    fn subject(&self) -> Option<String>;

    /// The answer to a request that nobody need be called for: it takes no turn, and no time-out or rate applies to it. Never
    /// the inner target's: what is asked through this one must come by it.
    fn at_hand(&self, _request: Request<'_>) -> Option<Reply> {
        None
    }

    /// The target that this one stands in front of: it answers every method below that this one does not answer itself.
    fn inner(&self) -> Option<&dyn Target> {
        None
    }

    /// How many passages its index holds, for the random line; none when that is not known.
    fn passages(&self) -> Option<usize> {
        self.inner()?.passages()
    }

    /// Which passages its index holds, for the same; none when that is not known.
    fn holdings(&self) -> Option<Arc<Holdings>> {
        self.inner()?.holdings()
    }

    /// How many questions it is asked at once.
    fn concurrency(&self) -> usize {
        self.inner().map_or(8, Target::concurrency)
    }

    /// Whether the answers stand in a file: then nothing is lost with this process, and its journal need not be on disk
    /// before the next question.
    fn is_replay(&self) -> bool {
        self.inner().is_some_and(Target::is_replay)
    }

    /// The file in which its lines stand, as messages name it.
    fn file(&self) -> &str {
        self.inner().map_or_else(|| self.name(), Target::file)
    }

    /// How it wants to be asked; none: each question once, without limits, as befits what runs in this process.
    fn manners(&self) -> Option<Manners> {
        self.inner()?.manners()
    }

    /// The identity of one whole request, without secrets and without what is fresh in each (a session's id): answers are
    /// recorded under it. None where the question's id is all that counts.
    fn key(&self, request: Request<'_>) -> Option<String> {
        self.inner()?.key(request)
    }

    /// What must be taken out of everything that comes back.
    fn secrets(&self) -> Option<Arc<Secrets>> {
        self.inner()?.secrets()
    }

    /// Starts what must run and waits until it can be asked. Called once before the first question.
    ///
    /// # Errors
    /// Why it cannot be asked: then no question is.
    fn open(&self) -> Opening<'_> {
        self.inner().map_or_else(|| Box::pin(std::future::ready(Ok(()))) as Opening<'_>, Target::open)
    }

    /// Ends what was started. Called once after the last question, whatever came of it.
    fn close(&self) -> Closing<'_> {
        self.inner().map_or_else(|| Box::pin(std::future::ready(())) as Closing<'_>, Target::close)
    }

    /// Asks one question, once. A dropped reply is an attempt that nobody waits for: its connection is closed, its process
    /// ended.
    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a>;
}

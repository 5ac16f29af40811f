//! Ways to ask a RAG system, and the one shape of its answers.

pub mod builtin;
pub mod local;
pub mod recorded;
pub mod response;

use crate::layer::Provides;
use response::OwnedResponse;
use std::future::Future;
use std::pin::Pin;

/// One question to a target.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The suite.
    pub suite: &'a str,
    /// The question's id.
    pub id: &'a str,
    /// What is asked.
    pub question: &'a str,
    /// Which of several runs of the same question, from 0.
    pub repeat: u32,
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
    /// The target failed: the reason in one line.
    Failed(String),
}

/// A pending reply.
pub type Pending<'a> = Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;

/// A way to ask a RAG system. Implement it to test a system in the same process.
pub trait Target: Send + Sync {
    /// The name, as reports print it.
    fn name(&self) -> &str;

    /// What it is said to return.
    fn provides(&self) -> Provides;

    /// The identity of what is tested: equal when nothing that matters has changed. None when it is not known.
    fn subject(&self) -> Option<String>;

    /// How many passages its index holds, for the random line; none when that is not known.
    fn passages(&self) -> Option<usize> {
        None
    }

    /// How many questions it is asked at once.
    fn concurrency(&self) -> usize {
        8
    }

    /// Whether the answers stand in a file: then nothing is lost with this process, and its journal need not be on disk
    /// before the next question.
    fn is_replay(&self) -> bool {
        false
    }

    /// Asks one question.
    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a>;
}

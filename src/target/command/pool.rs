//! Processes that answer question after question: a line of JSON in, a line out.
//!
//! The danger is an answer that is taken for that of another question. So a process that let a question wait too long, or
//! said anything but one line per question, is never asked again.

use super::endings::Endings;
use super::launch::{Launch, Limits};
use crate::target::process::{GRACE, LINGER, Running, reached};
use crate::target::response::OwnedResponse;
use crate::target::{Failure, FailureKind, words};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// What stands at the end of a message about a line that is no answer.
const HINT: &str = "print one line of JSON per question, and logs to standard error";

/// The processes of a target; started when they are needed.
#[derive(Debug)]
pub(super) struct Pool {
    idle: Mutex<Vec<Worker>>,
    permits: Semaphore,
}

/// A process that waits for a question.
#[derive(Debug)]
struct Worker {
    running: Running,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// What came behind the last line.
    unread: Vec<u8>,
    /// The question that it answered last; none when it has just been started.
    answered: Option<String>,
}

/// What came of giving a line to a process.
enum Exchange {
    Line(Vec<u8>),
    /// It said more than one line: the first, and the others.
    More(Vec<u8>, Vec<u8>),
    /// It printed too much.
    Over,
    /// Its output has ended.
    Ended,
}

impl Pool {
    /// A pool of at most so many processes.
    pub(super) fn new(most: usize) -> Pool {
        Pool { idle: Mutex::default(), permits: Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)) }
    }

    /// Asks a process that is free, or a new one. `read` makes a response of the line.
    ///
    /// # Errors
    /// It cannot be run, ends, takes too long, prints too much, more than a line, or what `read` does not read. The process
    /// is ended then; the next question gets a new one.
    pub(super) async fn ask(
        &self,
        launch: &Launch<'_>,
        line: &str,
        id: &str,
        limits: Limits,
        read: &(dyn Fn(&[u8]) -> Result<OwnedResponse, Failure> + Sync),
        endings: &Endings,
    ) -> Result<OwnedResponse, Failure> {
        // A closed semaphore would only mean that nobody limits any more.
        let _permit = self.permits.acquire().await.ok();
        let mut worker = match self.free(launch, endings).await? {
            Some(worker) => worker,
            None => start(launch)?,
        };
        let until = Instant::now() + limits.within;
        let mut exchange = timeout_at(until, worker.exchange(line, limits.bytes)).await;
        if matches!(exchange, Ok(Exchange::Ended)) && worker.answered.is_some() && worker.has_left().await {
            // It had enough after its last answer, and our question crossed its end.
            endings.end(std::mem::replace(&mut worker, start(launch)?).running);
            exchange = timeout_at(until, worker.exchange(line, limits.bytes)).await;
        }
        let answer = match exchange {
            Err(_) => Err(launch.late(&worker.running, limits)),
            Ok(Exchange::Over) => Err(launch.too_large(limits)),
            // Where the first line is no answer already, that is what there is to say.
            Ok(Exchange::More(bytes, more)) => read(&bytes).map_err(hinted).and(Err(further(launch, id, &more))),
            Ok(Exchange::Line(bytes)) => read(&bytes).map_err(hinted),
            Ok(Exchange::Ended) => {
                let left = timeout(LINGER, worker.running.exited()).await.is_ok();
                let status = worker.running.kill().await;
                return Err(if left {
                    launch.ended(&mut worker.running, status, " before it answered").await
                } else {
                    let what = format!("`{}` closed its standard output before it answered", launch.shown);
                    Failure::new(FailureKind::Process, what)
                });
            }
        };
        match answer {
            Ok(response) => {
                worker.answered = Some(id.to_owned());
                self.lock().push(worker);
                Ok(response)
            }
            // What the system says of itself is an answer like any other.
            Err(f) if f.kind == FailureKind::ErrorBody => {
                worker.answered = Some(id.to_owned());
                self.lock().push(worker);
                Err(f)
            }
            Err(f) => {
                endings.end(worker.running);
                Err(f)
            }
        }
    }

    /// A process that is free and has neither ended nor said anything since its last answer.
    ///
    /// # Errors
    /// One has said something: whatever it is, the answers of this program cannot be told apart.
    async fn free(&self, launch: &Launch<'_>, endings: &Endings) -> Result<Option<Worker>, Failure> {
        loop {
            let Some(mut worker) = self.lock().pop() else { return Ok(None) };
            worker.look().await;
            if !worker.unread.trim_ascii().is_empty() {
                let failure = further(launch, worker.answered.as_deref().unwrap_or_default(), &worker.unread);
                endings.end(worker.running);
                return Err(failure);
            }
            if !worker.running.has_exited() {
                return Ok(Some(worker));
            }
            endings.end(worker.running);
        }
    }

    /// Closes the input of every process that waits, and ends those that stay.
    pub(super) fn close(&self, endings: &Endings) {
        for worker in std::mem::take(&mut *self.lock()) {
            let Worker { mut running, stdin, stdout, .. } = worker;
            endings.add(async move {
                drop(stdin);
                let _ = timeout(GRACE, running.exited()).await;
                drop(stdout);
                running.end(GRACE).await;
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn start(launch: &Launch<'_>) -> Result<Worker, Failure> {
    let mut running = launch.start()?;
    match (running.stdin.take(), running.stdout.take()) {
        (Some(stdin), Some(stdout)) => Ok(Worker { running, stdin, stdout, unread: Vec::new(), answered: None }),
        _ => Err(Failure::new(FailureKind::Process, format!("`{}` has no pipes", launch.shown))),
    }
}

fn hinted(f: Failure) -> Failure {
    if f.kind == FailureKind::NotJson { Failure { why: format!("{}; {HINT}", f.why), ..f } } else { f }
}

fn further(launch: &Launch<'_>, id: &str, more: &[u8]) -> Failure {
    let quoted = words::quote(more, launch.secrets);
    let what = format!("`{}` printed a further line after its answer to `{id}`: `{quoted}`; {HINT}", launch.shown);
    Failure::new(FailureKind::NotJson, what)
}

impl Worker {
    /// Gives it a line and waits for one that is not blank.
    async fn exchange(&mut self, line: &str, most: usize) -> Exchange {
        let mut rest = line.as_bytes();
        let mut bytes = vec![0; 64 << 10];
        let mut searched = 0;
        let mut over = None;
        let exited = self.running.exited();
        tokio::pin!(exited);
        loop {
            while let Some(at) = memchr::memchr(b'\n', self.unread.get(searched..).unwrap_or_default()) {
                let more = self.unread.split_off(searched + at + 1);
                let line = std::mem::replace(&mut self.unread, more);
                searched = 0;
                if line.len() > most {
                    return Exchange::Over;
                }
                if line.trim_ascii().is_empty() {
                    continue;
                }
                let more = std::mem::take(&mut self.unread);
                return if more.trim_ascii().is_empty() { Exchange::Line(line) } else { Exchange::More(line, more) };
            }
            searched = self.unread.len();
            if searched > most {
                return Exchange::Over;
            }
            tokio::select! {
                n = self.stdout.read(&mut bytes) => match n {
                    Ok(n @ 1..) => self.unread.extend_from_slice(bytes.get(..n).unwrap_or_default()),
                    Ok(0) | Err(_) => return Exchange::Ended,
                },
                n = self.stdin.write(rest), if !rest.is_empty() => match n {
                    Ok(n @ 1..) => rest = rest.get(n..).unwrap_or_default(),
                    // It reads no more; what it has to say may still come.
                    Ok(0) | Err(_) => rest = &[],
                },
                () = &mut exited, if over.is_none() => over = Some(Instant::now() + LINGER),
                // A grandchild may hold its output for ever.
                () = reached(over) => return Exchange::Ended,
            }
        }
    }

    /// Takes what it has said without being asked.
    async fn look(&mut self) {
        let mut bytes = [0; 4096];
        // The runtime learns of what came when it looks.
        tokio::task::yield_now().await;
        while let Ok(Ok(n @ 1..)) = timeout(Duration::ZERO, self.stdout.read(&mut bytes)).await {
            self.unread.extend_from_slice(bytes.get(..n).unwrap_or_default());
            if self.unread.len() >= bytes.len() {
                return;
            }
        }
    }

    /// Whether it has ended by itself without a word.
    async fn has_left(&mut self) -> bool {
        for _ in 0..10 {
            if self.running.has_exited() {
                return self.unread.trim_ascii().is_empty() && self.running.kill().await.is_some_and(|s| s.success());
            }
            sleep(LINGER / 10).await;
        }
        false
    }
}

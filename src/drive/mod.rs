//! The driver: it answers what the core asks, within each target's concurrency, keeps the journal, and hands what came of
//! it back. All that a run needs from outside, and leaves in its folder, goes through here.

pub mod accepted;
pub mod env;
pub mod journal;
pub mod record;
pub mod session;

use crate::core::examine::{self, Examined};
use crate::core::machine::{Ask, Finished, Machine};
use crate::core::plan::{Plan, Slot};
use crate::layer::Code;
use crate::problem::{Place, Problem, Problems};
use crate::target::recorded::Recorded;
use crate::target::response::{self, Response};
use crate::target::{Reply, Request, Target};
use journal::Journal;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Semaphore;

/// The code of a recorded line that is no response.
pub const BROKEN_LINE: &str = "response-line";

/// What a run is driven with. One target and one place for accepted answers per suite of the plan.
pub struct Driver {
    /// The plan.
    pub plan: Arc<Plan>,
    /// The target of each suite.
    pub targets: Vec<Arc<dyn Target>>,
    /// The accepted answers of each suite, where there are any.
    pub accepted: Vec<Option<Arc<Recorded>>>,
    /// The journal, where one is kept.
    pub journal: Option<Journal>,
    /// How many threads examine answers; at least 1.
    pub threads: usize,
}

/// What the workers share.
struct Shared {
    plan: Arc<Plan>,
    targets: Vec<(Arc<dyn Target>, Semaphore)>,
    accepted: Vec<Option<Arc<Recorded>>>,
    machine: Mutex<Machine>,
    journal: Option<Mutex<Journal>>,
    faults: Mutex<Problems>,
}

impl Driver {
    /// Asks everything that the core wants to know and lets it decide. The result does not depend on threads, on the
    /// order of arrival or on delays.
    ///
    /// # Errors
    /// Problems in a recording (with their lines), or a journal that cannot be written.
    pub fn run(self) -> Result<Finished, Problems> {
        let workers = self.targets.iter().map(|t| t.concurrency().max(1)).max().unwrap_or(1);
        let shared = Arc::new(Shared {
            machine: Mutex::new(Machine::new(Arc::clone(&self.plan))),
            plan: self.plan,
            targets: self
                .targets
                .into_iter()
                .map(|t| {
                    let permits = t.concurrency().clamp(1, Semaphore::MAX_PERMITS);
                    (t, Semaphore::new(permits))
                })
                .collect(),
            accepted: self.accepted,
            journal: self.journal.map(Mutex::new),
            faults: Mutex::default(),
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(self.threads.max(1))
            .enable_all()
            .build()
            .map_err(|e| Problem::error("driver", Place::default(), format!("cannot start threads: {e}")))?;
        let panicked = runtime.block_on(async {
            let tasks: Vec<_> = (0..workers).map(|_| tokio::spawn(work(Arc::clone(&shared)))).collect();
            let mut panicked = None;
            for task in tasks {
                if let Err(e) = task.await {
                    panicked = Some(e.to_string());
                }
            }
            panicked
        });
        drop(runtime);
        let Some(shared) = Arc::into_inner(shared) else {
            return Err(Problem::error("driver", Place::default(), "a worker did not end").into());
        };
        if let Some(journal) = shared.journal {
            journal.into_inner().unwrap_or_else(PoisonError::into_inner).flush().map_err(|e| unwritten(&e))?;
        }
        let faults = shared.faults.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(what) = panicked {
            return Err(Problem::error("driver", Place::default(), format!("a check broke: {what}"))
                .help("this is a defect of ragline; please report it with the answer that caused it")
                .into());
        }
        if !faults.0.is_empty() {
            return Err(faults);
        }
        let machine = shared.machine.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(machine.finish())
    }
}

fn unwritten(e: &std::io::Error) -> Problem {
    Problem::error("journal", Place::default(), format!("cannot write the journal of the run: {e}"))
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One worker: takes an ask, gets its reply, gives back what was made of it, and follows up until the question is done.
async fn work(shared: Arc<Shared>) {
    loop {
        if !lock(&shared.faults).0.is_empty() {
            return;
        }
        let ask = lock(&shared.machine).next_ask();
        let Some(Ask::Target(slot) | Ask::Accepted(slot)) = ask else { return };
        if let Err(p) = shared.question(slot).await {
            lock(&shared.faults).0.push(p);
            return;
        }
    }
}

impl Shared {
    fn request(&self, slot: Slot) -> Request<'_> {
        let question = self.plan.question(slot);
        Request::new(&self.plan.suite(slot).suite.name, question.id.as_str(), &question.text)
    }

    async fn question(&self, slot: Slot) -> Result<(), Problem> {
        let (target, permits) = &self.targets[slot.suite];
        let began = Instant::now();
        let reply = {
            // A closed semaphore would only mean that nobody limits any more.
            let _permit = permits.acquire().await.ok();
            target.ask(self.request(slot)).await
        };
        let shown = |line| Place { file: target.name().into(), line, column: 0 };
        let took = began.elapsed();
        let now = parse(&reply, &shown)?;
        if let Some(journal) = &self.journal {
            let request = self.request(slot);
            lock(journal).record(request, &reply, took, target.is_replay()).map_err(|e| unwritten(&e))?;
        }
        let examined = self.examine(slot, &now);
        let follow = lock(&self.machine).give(slot, examined);
        if !matches!(follow, Some(Ask::Accepted(_))) {
            return Ok(());
        }
        let Some(accepted) = &self.accepted[slot.suite] else {
            lock(&self.machine).give_accepted(slot, None, None);
            return Ok(());
        };
        let reply = accepted.ask(self.request(slot)).await;
        if matches!(reply, Reply::Missing(_)) {
            lock(&self.machine).give_accepted(slot, None, None);
            return Ok(());
        }
        let shown = |line| Place { file: Arc::clone(accepted.shown()), line, column: 0 };
        let was = parse(&reply, &shown)?;
        let same = was.contexts().zip(now.contexts()).map(|(was, now)| was == now);
        let examined = self.examine(slot, &was);
        lock(&self.machine).give_accepted(slot, Some(examined), same);
        Ok(())
    }

    fn examine(&self, slot: Slot, parsed: &Parsed<'_>) -> Examined {
        match parsed {
            Parsed::Response(r) => examine::examine(&self.plan, slot, r),
            Parsed::Broken(code, why) => examine::broken(&self.plan, slot, *code, (*why).to_owned()),
        }
    }
}

/// A reply that has been read.
enum Parsed<'a> {
    Response(Cow<'a, Response<'a>>),
    Broken(Code, &'a str),
}

impl Parsed<'_> {
    /// A hash of the passages, where there are any to compare.
    fn contexts(&self) -> Option<u64> {
        match self {
            Parsed::Response(r) => examine::contexts_hash(r),
            Parsed::Broken(..) => None,
        }
    }
}

fn parse<'a>(reply: &'a Reply, shown: &dyn Fn(u32) -> Place) -> Result<Parsed<'a>, Problem> {
    Ok(match reply {
        Reply::Line { bytes, line } => {
            let response = response::parse(bytes)
                .map_err(|(column, what)| Problem::error(BROKEN_LINE, shown(*line), what).in_line(bytes, column))?;
            Parsed::Response(Cow::Owned(response))
        }
        Reply::Response(response) => Parsed::Response(Cow::Borrowed(response)),
        Reply::Missing(why) => Parsed::Broken(Code::ResponseMissing, why),
        Reply::Failed(f) => Parsed::Broken(Code::ResponseError, &f.why),
    })
}

//! The driver: it answers what the core asks, within each target's concurrency, keeps the journal, and hands what came of
//! it back. All that a run needs from outside, and leaves in its folder, goes through here.

pub mod accepted;
pub mod artefact;
pub mod base;
pub mod baselines;
pub mod checkout;
pub mod env;
pub mod estimate;
pub mod fingerprint;
pub mod journal;
pub mod judged;
pub mod known;
mod live;
pub mod merge;
pub mod progress;
pub mod record;
pub mod resolve;
pub mod save;
pub mod session;
pub mod shard;
pub mod span;
pub mod stop;
pub mod subject;
pub mod told;
pub mod versions;
pub mod worktree;

pub use live::Attempt;

use crate::core::again::{Arm, Turn};
use crate::core::examine::{self, Examined};
use crate::core::machine::{Ask, Finished, Machine};
use crate::core::plan::{Plan, Slot};
use crate::layer::Code;
use crate::problem::{Place, Problem, Problems};
use crate::target::recorded::Recorded;
use crate::target::response::{self, Response};
use crate::target::{Failure, FailureKind, Reply, Request, Target, clean};
use journal::Journal;
use known::{Known, Told};
use live::lane::{is_same, lanes};
use progress::{Masking, Progress, Step};
use shard::wire::Wire;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use stop::Stop;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// The code of a recorded line that is no response.
pub const BROKEN_LINE: &str = "response-line";

/// Threads that hang in something that cannot be dropped, such as the look-up of a host's name, are left behind after so
/// long.
const LEFT_BEHIND: Duration = Duration::from_millis(500);

/// What a run is driven with. One target and one place for accepted answers per suite of the plan; suites may share a
/// target.
pub struct Driver {
    /// The plan.
    pub plan: Arc<Plan>,
    /// The target of each suite.
    pub targets: Vec<Arc<dyn Target>>,
    /// What each suite's target is compared with in the same run, where there is something: the control arm.
    pub beside: Vec<Option<Arc<dyn Target>>>,
    /// The accepted answers of each suite, where there are any.
    pub accepted: Vec<Option<Arc<Recorded>>>,
    /// The journal, where one is kept.
    pub journal: Option<Journal>,
    /// How many threads examine answers; at least 1.
    pub threads: usize,
    /// Replies that need not be asked for again, where a run is resumed.
    pub known: Option<Arc<Known>>,
    /// What ends the run before its time.
    pub stop: Stop,
    /// Who watches.
    pub progress: Option<Arc<dyn Progress>>,
    /// Questions of targets that are asked anew are asked in an order drawn with this seed, not in that of the suites.
    pub shuffle: Option<u64>,
}

/// What the workers share.
struct Shared {
    plan: Arc<Plan>,
    targets: Vec<(Arc<dyn Target>, Semaphore)>,
    beside: Vec<Option<Arc<dyn Target>>>,
    /// Why a target without manners could not be opened, by suite.
    unopened: Vec<Option<Failure>>,
    accepted: Vec<Option<Arc<Recorded>>>,
    machine: Mutex<Machine>,
    journal: Option<Mutex<Journal>>,
    faults: Mutex<Problems>,
    known: Option<Arc<Known>>,
    stop: Stop,
    progress: Option<Arc<dyn Progress>>,
    began: Instant,
}

/// What the journal keeps of a reply.
#[derive(Debug, Clone, Copy)]
enum Kept<'a> {
    /// Nothing: nobody was asked, or it stands there already.
    Nothing,
    /// A question that was not asked, for a reason that is no answer: only a shard keeps it.
    PassedOver,
    /// A reply that was asked for once.
    Once(Duration),
    /// Every attempt, and the time of all with the waits between them.
    Attempts(&'a [Attempt], Duration),
}

impl Driver {
    /// A driver without a journal, on one thread.
    pub fn new(plan: Arc<Plan>, targets: Vec<Arc<dyn Target>>, accepted: Vec<Option<Arc<Recorded>>>) -> Driver {
        Driver {
            plan,
            targets,
            beside: Vec::new(),
            accepted,
            journal: None,
            threads: 1,
            known: None,
            stop: Stop::new(),
            progress: None,
            shuffle: None,
        }
    }

    /// Asks everything that the core wants to know and lets it decide. The result does not depend on threads, on the
    /// order of arrival or on delays.
    ///
    /// # Errors
    /// Problems in a recording (with their lines), or a journal that cannot be read or written.
    pub fn run(self) -> Result<Finished, Problems> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(self.threads.max(1))
            .enable_all()
            .build()
            .map_err(|e| Problem::error("driver", Place::default(), format!("cannot start threads: {e}")))?;
        let (shared, panicked) = self.drive(&runtime);
        runtime.shutdown_timeout(LEFT_BEHIND);
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

    /// Asks everything. With what a check broke with, where one did.
    fn drive(self, runtime: &Runtime) -> (Arc<Shared>, Option<String>) {
        let lanes = lanes(&self.targets, &self.beside);
        let plain: Vec<usize> =
            (0..self.targets.len()).filter(|s| !lanes.iter().any(|l| l.suites().contains(s))).collect();
        let workers = plain.iter().map(|s| self.targets[*s].concurrency().max(1)).max().unwrap_or(0);
        let base = self.beside.iter().flatten().filter(|t| t.manners().is_none());
        let opened = distinct(plain.iter().map(|s| &self.targets[*s]).chain(base));
        let failed: Vec<Option<Failure>> = runtime.block_on(async {
            let mut failed = Vec::new();
            for target in &opened {
                failed.push(target.open().await.err());
            }
            failed
        });
        let unopened = self.targets.iter().map(|t| {
            let at = opened.iter().position(|o| is_same(o, t))?;
            let Failure { why, .. } = failed.get(at)?.clone()?;
            Some(Failure::new(FailureKind::NotReady, why))
        });
        let shared = Arc::new(Shared {
            unopened: unopened.collect(),
            machine: Mutex::new(Machine::new(Arc::clone(&self.plan))),
            progress: self.progress.map(|inner| Arc::new(Masking { inner, mask: self.plan.mask.clone() }) as _),
            plan: self.plan,
            targets: self
                .targets
                .into_iter()
                .map(|t| {
                    let permits = t.concurrency().clamp(1, Semaphore::MAX_PERMITS);
                    (t, Semaphore::new(permits))
                })
                .collect(),
            beside: self.beside,
            accepted: self.accepted,
            journal: self.journal.map(Mutex::new),
            faults: Mutex::default(),
            known: self.known,
            stop: self.stop,
            began: Instant::now(),
        });
        shared.tell(Step::Begun { questions: lock(&shared.machine).asks() });
        let panicked = runtime.block_on(async {
            // Before anybody takes a question of any suite, so that each has one that asks it.
            let mut turns: Vec<Turn> = Vec::new();
            for lane in &lanes {
                let mut of_lane: Vec<Turn> =
                    lane.suites().iter().flat_map(|s| lock(&shared.machine).take(*s)).collect();
                if let Some(seed) = self.shuffle {
                    fastrand::Rng::with_seed(seed).shuffle(&mut of_lane);
                }
                turns.extend(of_lane);
            }
            let watch = shared.progress.clone().map(|progress| {
                let stop = shared.stop.clone();
                tokio::spawn(async move {
                    stop.stopped().await;
                    progress.step(Step::Stopping);
                })
            });
            let mut panicked = None;
            let mut workers = workers;
            loop {
                let mut tasks = Vec::new();
                for lane in &lanes {
                    let of_lane: Vec<Turn> = turns.iter().copied().filter(|t| lane.answers(*t)).collect();
                    if !of_lane.is_empty() {
                        tasks.push(tokio::spawn(Arc::clone(lane).ask(Arc::clone(&shared), of_lane)));
                    }
                }
                let plain: Vec<Turn> =
                    turns.into_iter().filter(|t| !lanes.iter().any(|lane| lane.answers(*t))).collect();
                if !plain.is_empty() {
                    tasks.push(tokio::spawn(anew(Arc::clone(&shared), plain)));
                }
                for _ in 0..std::mem::take(&mut workers) {
                    let worker = work(Arc::clone(&shared));
                    tasks.push(tokio::spawn(async move {
                        worker.await;
                        Ok(())
                    }));
                }
                for task in tasks {
                    match task.await {
                        Ok(Ok(())) => {}
                        Ok(Err(what)) => panicked = Some(what),
                        Err(e) => panicked = Some(e.to_string()),
                    }
                }
                if panicked.is_some() || shared.has_faults() {
                    break;
                }
                turns = lock(&shared.machine).again();
                if turns.is_empty() {
                    break;
                }
                shared.tell(Step::Anew { questions: turns.len() });
            }
            for lane in &lanes {
                lane.close().await;
            }
            for target in &opened {
                target.close().await;
            }
            if let Some(watch) = watch {
                if !shared.stop.is_stopped() {
                    watch.abort();
                }
                let _ = watch.await;
            }
            panicked
        });
        (shared, panicked)
    }
}

/// Each target once.
fn distinct<'a>(targets: impl Iterator<Item = &'a Arc<dyn Target>>) -> Vec<Arc<dyn Target>> {
    let mut once: Vec<Arc<dyn Target>> = Vec::new();
    for target in targets {
        if !once.iter().any(|t| is_same(t, target)) {
            once.push(Arc::clone(target));
        }
    }
    once
}

fn unwritten(e: &std::io::Error) -> Problem {
    Problem::error("journal", Place::default(), format!("cannot write the journal of the run: {e}"))
}

fn interrupted() -> Failure {
    Failure::new(FailureKind::Interrupted, "the run was ended from outside before this question was answered")
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One worker for targets without manners: takes an ask, gets its reply, gives back what was made of it, and follows up
/// until the question is done.
async fn work(shared: Arc<Shared>) {
    while !shared.has_faults() {
        let ask = lock(&shared.machine).next_ask();
        let Some(Ask::Target(turn) | Ask::Accepted(turn)) = ask else { return };
        if let Err(p) = shared.question(turn).await {
            shared.fault(p);
            return;
        }
    }
}

/// Asks a target without manners these turns, one after the other.
async fn anew(shared: Arc<Shared>, turns: Vec<Turn>) -> Result<(), String> {
    for turn in turns {
        if let Err(p) = shared.question(turn).await {
            shared.fault(p);
            break;
        }
    }
    Ok(())
}

impl Shared {
    fn request(&self, turn: Turn) -> Request<'_> {
        let question = self.plan.question(turn.slot);
        let suite = &self.plan.suite(turn.slot).suite;
        let first = Request::new(&suite.name, question.id.as_str(), &question.text);
        Request { repeat: turn.repeat, ..first.in_language(suite.language.as_str()) }
    }

    /// Who is asked: the control arm where there is one, and it is its turn.
    fn target(&self, turn: Turn) -> &Arc<dyn Target> {
        let tested = &self.targets[turn.slot.suite].0;
        let base = self.beside.get(turn.slot.suite).and_then(Option::as_ref);
        base.filter(|_| turn.arm == Arm::Base).unwrap_or(tested)
    }

    fn tell(&self, step: Step<'_>) {
        if let Some(progress) = &self.progress {
            progress.step(step);
        }
    }

    fn has_faults(&self) -> bool {
        !lock(&self.faults).0.is_empty()
    }

    fn fault(&self, p: Problem) {
        lock(&self.faults).0.push(p);
    }

    /// A question of a target without manners: asked once.
    async fn question(&self, turn: Turn) -> Result<(), Problem> {
        if self.settle_known(turn).await? {
            return Ok(());
        }
        if let Some(why) = self.unopened[turn.slot.suite].as_ref().filter(|_| turn.arm == Arm::Tested) {
            return self.settle(turn, &Reply::Failed(why.clone()), Kept::PassedOver).await;
        }
        if self.stop.is_stopped() {
            return self.settle(turn, &Reply::Failed(interrupted()), Kept::Nothing).await;
        }
        let (target, permits) = (self.target(turn), &self.targets[turn.slot.suite].1);
        let began = Instant::now();
        let reply = {
            // A closed semaphore would only mean that nobody limits any more.
            let _permit = permits.acquire().await.ok();
            if target.is_replay() {
                target.ask(self.request(turn)).await
            } else {
                tokio::select! {
                    biased;
                    () = self.stop.stopped() => return self.settle(turn, &Reply::Failed(interrupted()), Kept::Nothing).await,
                    reply = target.ask(self.request(turn)) => reply,
                }
            }
        };
        let reply = match target.secrets() {
            Some(secrets) => clean::reply(reply, &secrets),
            None => reply,
        };
        self.settle(turn, &reply, Kept::Once(began.elapsed())).await
    }

    /// Settles a question whose reply stands in the journal of the run that is resumed, or in the recording of a target
    /// that is asked for the rest: that takes no turn of it. False when it does not.
    async fn settle_known(&self, turn: Turn) -> Result<bool, Problem> {
        let known = match &self.known {
            Some(known) => known.reply(self.request(turn), turn.arm == Arm::Base)?,
            None => None,
        };
        if let Some(Told { reply, examined }) = known {
            let examined = match examined {
                Some(wire) => Some(self.as_it_was(turn, *wire)?),
                None => None,
            };
            self.settle_as(turn, &reply, Kept::Nothing, examined).await?;
            return Ok(true);
        }
        let Some(reply) = self.target(turn).at_hand(self.request(turn)) else { return Ok(false) };
        self.settle(turn, &reply, Kept::Once(Duration::ZERO)).await?;
        Ok(true)
    }

    /// What another run made of a reply.
    fn as_it_was(&self, turn: Turn, wire: Wire) -> Result<Examined, Problem> {
        wire.examined(self.plan.question(turn.slot).expect).ok_or_else(|| {
            let request = self.request(turn);
            let what = format!("what was made of the answer to {}::{} cannot be read", request.suite, request.id);
            Problem::error("journal", Place::default(), what).help("run that shard again with this version of ragline")
        })
    }

    async fn settle(&self, turn: Turn, reply: &Reply, kept: Kept<'_>) -> Result<(), Problem> {
        self.settle_as(turn, reply, kept, None).await
    }

    /// Examines a reply, unless it is known what comes of it, takes it down in the journal and gives what came of it to the core, which may want to know the
    /// accepted answer too.
    async fn settle_as(
        &self,
        turn: Turn,
        reply: &Reply,
        kept: Kept<'_>,
        examined: Option<Examined>,
    ) -> Result<(), Problem> {
        let (slot, target) = (turn.slot, self.target(turn));
        let beside = turn.arm == Arm::Base;
        let here = |line| Place { file: target.file().into(), line, column: 0 };
        let now = parse(reply, &here)?;
        let answered = matches!(now, Parsed::Response(_));
        let mut examined = examined.unwrap_or_else(|| self.examine(slot, &now));
        // Checked as it came, written and reported as it may be read.
        let masked = self.plan.mask.reply(reply, &mut examined);
        let reply = masked.as_ref().unwrap_or(reply);
        if let Some(journal) = &self.journal {
            let attempts = match kept {
                Kept::Attempts(attempts, _) => Some(live::masked(attempts, &self.plan.mask)),
                Kept::Nothing | Kept::PassedOver | Kept::Once(_) => None,
            };
            let is_shard = self.plan.shard.is_some();
            let wire = (is_shard && masked.is_some()).then(|| Wire::of(&examined));
            let written = |took, replay, passed_over| {
                let (attempts, examined) = (attempts.as_deref(), wire.as_ref());
                Some(journal::Line { reply, beside, took, attempts, replay, passed_over, examined })
            };
            let line = match kept {
                Kept::Nothing => None,
                Kept::PassedOver if is_shard => written(Duration::ZERO, false, true),
                Kept::PassedOver => None,
                Kept::Once(took) => written(took, target.is_replay(), false),
                Kept::Attempts(_, took) => written(took, false, false),
            };
            if let Some(line) = line {
                lock(journal).record(self.request(turn), &line).map_err(|e| unwritten(&e))?;
            }
        }
        self.tell(Step::Settled { answered });
        let follow = {
            let mut machine = lock(&self.machine);
            if matches!(reply, Reply::Failed(f) if f.kind == FailureKind::Interrupted) {
                machine.interrupt();
            }
            machine.give(turn, examined)
        };
        if !matches!(follow, Some(Ask::Accepted(_))) {
            return Ok(());
        }
        let Some(accepted) = &self.accepted[slot.suite] else {
            lock(&self.machine).give_accepted(turn, None, None);
            return Ok(());
        };
        let reply = accepted.ask(self.request(Turn::first(slot))).await;
        if matches!(reply, Reply::Missing(_)) {
            lock(&self.machine).give_accepted(turn, None, None);
            return Ok(());
        }
        let shown = |line| Place { file: Arc::clone(accepted.shown()), line, column: 0 };
        let was = parse(&reply, &shown)?;
        let mut examined = self.examine(slot, &was);
        let is_masked = matches!(&was, Parsed::Response(r) if r.masked);
        // Both as they may be written, so that what was masked then and is masked now is the same.
        let masked_was = self.plan.mask.reply(&reply, &mut examined);
        let was = masked_was.as_ref().map_or(Ok(was), |r| parse(r, &shown))?;
        let now = masked.as_ref().map_or(Ok(now), |r| parse(r, &here))?;
        let same = was.contexts().zip(now.contexts()).map(|(was, now)| was == now);
        if is_masked {
            lock(&self.machine).give_masked(turn, examined.answer, same);
        } else {
            lock(&self.machine).give_accepted(turn, Some(examined), same);
        }
        Ok(())
    }

    fn examine(&self, slot: Slot, parsed: &Parsed<'_>) -> Examined {
        match parsed {
            Parsed::Response(r) => examine::examine(&self.plan, slot, r),
            Parsed::Broken(code, why) => examine::broken(&self.plan, slot, *code, (*why).to_owned()),
        }
    }
}

/// The finding that a failure becomes.
fn code_of(kind: FailureKind) -> Code {
    match kind {
        FailureKind::FirstByte | FailureKind::Idle | FailureKind::Total | FailureKind::Budget => Code::ResponseTimeout,
        FailureKind::NotJson | FailureKind::Unmapped | FailureKind::Cut | FailureKind::TooLarge => {
            Code::ResponseUnreadable
        }
        FailureKind::Connect | FailureKind::NotReady => Code::TargetUnreachable,
        FailureKind::Stale => Code::ResponseStale,
        FailureKind::Interrupted => Code::Interrupted,
        FailureKind::Status
        | FailureKind::RateLimited
        | FailureKind::Redirected
        | FailureKind::ErrorBody
        | FailureKind::Process
        | FailureKind::Template
        | FailureKind::Other => Code::ResponseError,
    }
}

/// A reply that has been read.
#[allow(clippy::large_enum_variant, reason = "one at a time lives on the stack of the function that read it")]
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
        Reply::Failed(f) => Parsed::Broken(code_of(f.kind), &f.why),
    })
}

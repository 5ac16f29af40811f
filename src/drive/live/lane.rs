//! A lane: one target that is asked anew, with all its questions. It is opened before the first, asked by as many workers
//! as it takes questions at once, and closed at the end whatever came of it.

use super::attempt::{Asked, Asking, run_ended};
use super::host::Host;
use super::later;
use crate::core::again::{Arm, Turn};
use crate::drive::progress::Step;
use crate::drive::span::said;
use crate::drive::{Kept, Shared, interrupted};
use crate::problem::Problem;
use crate::target::{Failure, FailureKind, Manners, Reply, Target};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

/// A target that does not come to its end is left behind after this time: a run must not hang on it.
const CLOSING: Duration = Duration::from_secs(30);

/// One target with its questions.
pub(in crate::drive) struct Lane {
    target: Arc<dyn Target>,
    manners: Manners,
    host: Arc<Host>,
    /// What is asked of it.
    arm: Arm,
    /// Its suites, by position in the plan.
    suites: Vec<usize>,
    /// Whether it was begun to be opened.
    begun: AtomicBool,
    /// Why it could not be.
    not_ready: OnceLock<Failure>,
}

/// The lanes of a run: a lane for each target with manners, however many suites it serves; targets at one host share its
/// pauses, rate and room.
pub(in crate::drive) fn lanes(targets: &[Arc<dyn Target>], beside: &[Option<Arc<dyn Target>>]) -> Vec<Arc<Lane>> {
    let mut hosts: HashMap<String, Arc<Host>> = HashMap::new();
    let mut lanes: Vec<Lane> = Vec::new();
    let tested = targets.iter().enumerate().map(|(suite, target)| (Arm::Tested, suite, target));
    let base = beside.iter().enumerate().filter_map(|(suite, target)| Some((Arm::Base, suite, target.as_ref()?)));
    for (arm, suite, target) in tested.chain(base) {
        if let Some(lane) = lanes.iter_mut().find(|l| l.arm == arm && is_same(&l.target, target)) {
            lane.suites.push(suite);
            continue;
        }
        let Some(manners) = target.manners() else { continue };
        let host = hosts.entry(manners.host.clone()).or_insert_with(|| Arc::new(Host::new(&manners.host)));
        host.take_up(target.concurrency().max(1), manners.rate);
        lanes.push(Lane {
            target: Arc::clone(target),
            host: Arc::clone(host),
            manners,
            arm,
            suites: vec![suite],
            begun: AtomicBool::new(false),
            not_ready: OnceLock::new(),
        });
    }
    lanes.into_iter().map(Arc::new).collect()
}

/// Whether two are one object; their tables of methods may differ all the same.
pub(in crate::drive) fn is_same(a: &Arc<dyn Target>, b: &Arc<dyn Target>) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(a), Arc::as_ptr(b))
}

/// What workers of a lane share.
struct Queue {
    turns: Vec<Turn>,
    next: AtomicUsize,
    run_ends: Instant,
}

impl Queue {
    fn next(&self) -> Option<Turn> {
        self.turns.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }
}

impl Lane {
    /// Whether it is the one that answers a turn.
    pub(in crate::drive) fn answers(&self, turn: Turn) -> bool {
        self.arm == turn.arm && self.suites.contains(&turn.slot.suite)
    }

    /// The suites whose questions it is asked first of all.
    pub(in crate::drive) fn suites(&self) -> &[usize] {
        if self.arm == Arm::Tested { &self.suites } else { &[] }
    }

    /// Asks these turns. The target stays open.
    ///
    /// # Errors
    /// What a check broke with: a defect of ours.
    pub(in crate::drive) async fn ask(self: Arc<Self>, shared: Arc<Shared>, turns: Vec<Turn>) -> Result<(), String> {
        // A task of its own, so that a panic inside it does not keep the target from being closed.
        tokio::spawn(self.ask_all(shared, turns)).await.map_err(|e| e.to_string())?
    }

    /// Closes the target, where it was opened.
    pub(in crate::drive) async fn close(&self) {
        if self.begun.load(Ordering::Relaxed) {
            // Nothing is left to be said when it is late.
            let _ = timeout(CLOSING, self.target.close()).await;
        }
    }

    async fn ask_all(self: Arc<Self>, shared: Arc<Shared>, all: Vec<Turn>) -> Result<(), String> {
        let run_ends = later(shared.began, self.manners.timeouts.run);
        let mut turns = Vec::new();
        for turn in all {
            match shared.settle_known(turn).await {
                Ok(true) => {}
                Ok(false) => turns.push(turn),
                Err(p) => {
                    shared.fault(p);
                    return Ok(());
                }
            }
        }
        let Some(first) = turns.first().copied() else { return Ok(()) };
        let queue = Arc::new(Queue { turns, next: AtomicUsize::new(0), run_ends });
        if !self.begun.load(Ordering::Relaxed) {
            match self.start(&shared, &queue, first).await {
                Ok(None) => {}
                Ok(Some(why)) => {
                    let _ = self.not_ready.set(why);
                }
                Err(p) => {
                    shared.fault(p);
                    return Ok(());
                }
            }
        }
        if let Some(why) = self.not_ready.get() {
            while let Some(turn) = queue.next() {
                if !self.passed_over(&shared, turn, why.clone()).await {
                    break;
                }
            }
            return Ok(());
        }
        let mut workers = JoinSet::new();
        let left = queue.turns.len().saturating_sub(queue.next.load(Ordering::Relaxed));
        for _ in 0..self.target.concurrency().max(1).min(left) {
            workers.spawn(Arc::clone(&self).work(Arc::clone(&shared), Arc::clone(&queue)));
        }
        let mut broke = Ok(());
        while let Some(ended) = workers.join_next().await {
            if let Err(e) = ended {
                broke = Err(e.to_string());
            }
        }
        broke
    }

    /// Opens the target and, where it warms up, asks its first question. Returns why it cannot be asked, if it cannot.
    async fn start(&self, shared: &Shared, queue: &Queue, first: Turn) -> Result<Option<Failure>, Problem> {
        let began = Instant::now();
        self.begun.store(true, Ordering::Relaxed);
        let opening = timeout_at(queue.run_ends, self.target.open());
        let opened = tokio::select! {
            biased;
            () = shared.stop.stopped() => return Ok(Some(interrupted())),
            opened = opening => opened,
        };
        match opened {
            Ok(Ok(())) => {}
            Ok(Err(f)) if f.kind == FailureKind::NotReady => return Ok(Some(f)),
            Ok(Err(f)) => {
                let why = format!("not ready after {}: {}", said(began.elapsed()), f.why);
                return Ok(Some(Failure::new(FailureKind::NotReady, why)));
            }
            Err(_) => return Ok(Some(Failure::new(FailureKind::NotReady, format!("not ready: {}", self.run_ended())))),
        }
        let Some(warm_up) = self.manners.warm_up else { return Ok(None) };
        queue.next.store(1, Ordering::Relaxed);
        shared.tell(Step::Asking);
        let asking = self.asking(shared, queue);
        let warmed = tokio::select! {
            biased;
            () = shared.stop.stopped() => Err((interrupted(), Vec::new())),
            warmed = asking.warm_up(shared.request(first), later(began, warm_up), warm_up) => warmed,
        };
        let (asked, not_ready) = match warmed {
            Ok(asked) => (asked, None),
            Err((failure, attempts)) => (Asked { reply: Reply::Failed(failure.clone()), attempts }, Some(failure)),
        };
        self.settle(shared, first, asked, began.elapsed()).await?;
        Ok(not_ready)
    }

    fn run_ended(&self) -> String {
        run_ended(&self.manners)
    }

    fn asking<'a>(&'a self, shared: &'a Shared, queue: &Queue) -> Asking<'a> {
        Asking {
            target: &*self.target,
            manners: &self.manners,
            host: &self.host,
            run_ends: queue.run_ends,
            progress: shared.progress.as_deref(),
        }
    }

    async fn work(self: Arc<Self>, shared: Arc<Shared>, queue: Arc<Queue>) {
        let asking = self.asking(&shared, &queue);
        while !shared.has_faults() {
            let Some(turn) = queue.next() else { return };
            // The pass comes before the question begins, whose time would run while it waits for its turn.
            let pass = tokio::select! {
                biased;
                () = shared.stop.stopped() => Err(interrupted()),
                entered = timeout_at(queue.run_ends, self.host.enter(false)) => match entered {
                    Ok(entered) => entered,
                    Err(_) => Err(Failure::new(FailureKind::Budget, self.run_ended())),
                },
            };
            let pass = match pass {
                Ok(pass) => pass,
                Err(why) => {
                    if !self.passed_over(&shared, turn, why).await {
                        return;
                    }
                    continue;
                }
            };
            let began = Instant::now();
            shared.tell(Step::Asking);
            let asked = tokio::select! {
                biased;
                () = shared.stop.stopped() => Asked { reply: Reply::Failed(interrupted()), attempts: Vec::new() },
                asked = asking.question(shared.request(turn), pass) => asked,
            };
            if let Err(p) = self.settle(&shared, turn, asked, began.elapsed()).await {
                shared.fault(p);
                return;
            }
        }
    }

    async fn settle(&self, shared: &Shared, turn: Turn, asked: Asked, took: Duration) -> Result<(), Problem> {
        let Asked { reply, attempts } = asked;
        let dropped = matches!(&reply, Reply::Failed(f) if f.kind == FailureKind::Interrupted);
        shared.tell(Step::Back);
        // What was dropped has no line in the journal: it will be asked again when the run is resumed.
        let kept = if dropped { Kept::Nothing } else { Kept::Attempts(&attempts, took) };
        shared.settle(turn, &reply, kept).await
    }

    /// Settles a question that is not asked. False when that is a fault.
    async fn passed_over(&self, shared: &Shared, turn: Turn, why: Failure) -> bool {
        // What was dropped is asked again when the run is resumed; any other reason is what a shard has to tell of it.
        let kept = if why.kind == FailureKind::Interrupted { Kept::Nothing } else { Kept::PassedOver };
        let settled = shared.settle(turn, &Reply::Failed(why), kept).await;
        settled.map_err(|p| shared.fault(p)).is_ok()
    }
}

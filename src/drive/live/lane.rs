//! A lane: one target that is asked anew, with all its questions. It is opened before the first, asked by as many workers
//! as it takes questions at once, and closed at the end whatever came of it.

use super::attempt::{Asked, Asking, run_ended};
use super::host::Host;
use super::later;
use crate::core::plan::Slot;
use crate::drive::progress::Step;
use crate::drive::span::said;
use crate::drive::{Kept, Shared, interrupted};
use crate::problem::Problem;
use crate::target::{Failure, FailureKind, Manners, Reply, Target};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
    /// Its suites, by position in the plan.
    suites: Vec<usize>,
    /// Whether it was begun to be opened.
    begun: AtomicBool,
}

/// The lanes of a run: a lane for each target with manners, however many suites it serves; targets at one host share its
/// pauses, rate and room.
pub(in crate::drive) fn lanes(targets: &[Arc<dyn Target>]) -> Vec<Arc<Lane>> {
    let mut hosts: HashMap<String, Arc<Host>> = HashMap::new();
    let mut lanes: Vec<Lane> = Vec::new();
    for (suite, target) in targets.iter().enumerate() {
        if let Some(lane) = lanes.iter_mut().find(|l| is_same(&l.target, target)) {
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
            suites: vec![suite],
            begun: AtomicBool::new(false),
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
    slots: Vec<Slot>,
    next: AtomicUsize,
    run_ends: Instant,
}

impl Queue {
    fn next(&self) -> Option<Slot> {
        self.slots.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }
}

impl Lane {
    pub(in crate::drive) fn suites(&self) -> &[usize] {
        &self.suites
    }

    /// Asks these questions, and closes the target.
    ///
    /// # Errors
    /// What a check broke with: a defect of ours.
    pub(in crate::drive) async fn run(self: Arc<Self>, shared: Arc<Shared>, slots: Vec<Slot>) -> Result<(), String> {
        // A task of its own, so that a panic inside it does not keep the target from being closed.
        let asked = tokio::spawn(Arc::clone(&self).ask_all(shared, slots)).await;
        if self.begun.load(Ordering::Relaxed) {
            // Nothing is left to be said when it is late.
            let _ = timeout(CLOSING, self.target.close()).await;
        }
        asked.map_err(|e| e.to_string())?
    }

    async fn ask_all(self: Arc<Self>, shared: Arc<Shared>, all: Vec<Slot>) -> Result<(), String> {
        let run_ends = later(shared.began, self.manners.timeouts.run);
        let mut slots = Vec::new();
        for slot in all {
            match shared.settle_known(slot).await {
                Ok(true) => {}
                Ok(false) => slots.push(slot),
                Err(p) => {
                    shared.fault(p);
                    return Ok(());
                }
            }
        }
        let Some(first) = slots.first().copied() else { return Ok(()) };
        let queue = Arc::new(Queue { slots, next: AtomicUsize::new(0), run_ends });
        match self.start(&shared, &queue, first).await {
            Ok(None) => {}
            Ok(Some(not_ready)) => {
                while let Some(slot) = queue.next() {
                    if !self.passed_over(&shared, slot, not_ready.clone()).await {
                        break;
                    }
                }
            }
            Err(p) => {
                shared.fault(p);
                return Ok(());
            }
        }
        let mut workers = JoinSet::new();
        let left = queue.slots.len().saturating_sub(queue.next.load(Ordering::Relaxed));
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
    async fn start(&self, shared: &Shared, queue: &Queue, first: Slot) -> Result<Option<Failure>, Problem> {
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
            let Some(slot) = queue.next() else { return };
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
                    if !self.passed_over(&shared, slot, why).await {
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
                asked = asking.question(shared.request(slot), pass) => asked,
            };
            if let Err(p) = self.settle(&shared, slot, asked, began.elapsed()).await {
                shared.fault(p);
                return;
            }
        }
    }

    async fn settle(&self, shared: &Shared, slot: Slot, asked: Asked, took: Duration) -> Result<(), Problem> {
        let Asked { reply, attempts } = asked;
        let dropped = matches!(&reply, Reply::Failed(f) if f.kind == FailureKind::Interrupted);
        shared.tell(Step::Back);
        // What was dropped has no line in the journal: it will be asked again when the run is resumed.
        let kept = if dropped { Kept::Nothing } else { Kept::Attempts(&attempts, took) };
        shared.settle(slot, &reply, kept).await
    }

    /// Settles a question that is not asked. False when that is a fault.
    async fn passed_over(&self, shared: &Shared, slot: Slot, why: Failure) -> bool {
        // What was dropped is asked again when the run is resumed; any other reason is what a shard has to tell of it.
        let kept = if why.kind == FailureKind::Interrupted { Kept::Nothing } else { Kept::PassedOver };
        let settled = shared.settle(slot, &Reply::Failed(why), kept).await;
        settled.map_err(|p| shared.fault(p)).is_ok()
    }
}

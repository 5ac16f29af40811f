//! The manners towards one host, shared by everybody who asks it: pauses that it asked for, a rate, as many attempts at
//! once as it bears, and when to give it up.

use crate::suite::config::live::Rate;
use crate::target::{Again, Failure, FailureKind};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// After so many questions in a row that ended for the same hopeless reason the rest is not asked.
const IN_A_ROW: u32 = 5;

/// A host and how it is doing.
#[derive(Debug)]
pub(super) struct Host {
    name: String,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    /// The most attempts at once that the settings allow.
    ceiling: f64,
    /// How many it bears at present: halved when it complains, one more for each round of answers; at least 1.
    bears: f64,
    /// When `bears` was last halved: complaints about attempts that were sent before say nothing new.
    halved: Option<Instant>,
    in_flight: usize,
    /// Questions that wait for another attempt. Their time is running, so they go before questions that have not begun.
    again: usize,
    paused_until: Option<Instant>,
    rates: Vec<(Rate, VecDeque<Instant>)>,
    /// Whether any attempt ever came further than connecting.
    reached: bool,
    in_a_row: (Option<FailureKind>, u32),
    given_up: Option<Failure>,
}

/// Leave to make one attempt; given back when dropped.
#[derive(Debug)]
pub(super) struct Pass {
    host: Arc<Host>,
    sent: Instant,
}

/// How the end of a question bears on the ones that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Nobody could be reached.
    Unreached,
    /// It was told to wait longer than the run lasts.
    ToldToWait,
    /// Anything else.
    Other,
}

enum Turn {
    Go,
    GivenUp(Failure),
    At(Instant),
    Later,
}

/// One more that waits for another attempt, for as long as this lives.
struct Waiting<'a>(&'a Host);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.state().again -= 1;
        self.0.changed.notify_waiters();
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.host.state().in_flight -= 1;
        self.host.changed.notify_waiters();
    }
}

impl Host {
    pub(super) fn new(name: &str) -> Host {
        Host {
            name: name.to_owned(),
            state: Mutex::new(State {
                ceiling: 1.0,
                bears: 1.0,
                halved: None,
                in_flight: 0,
                again: 0,
                paused_until: None,
                rates: Vec::new(),
                reached: false,
                in_a_row: (None, 0),
                given_up: None,
            }),
            changed: Notify::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up the settings of one more target that stands there. The widest ceiling counts, and every rate.
    pub(super) fn take_up(&self, concurrency: usize, rate: Option<Rate>) {
        let mut state = self.state();
        state.ceiling = state.ceiling.max(concurrency as f64);
        state.bears = state.ceiling;
        if let Some(rate) = rate
            && !state.rates.iter().any(|(r, _)| *r == rate)
        {
            state.rates.push((rate, VecDeque::new()));
        }
    }

    /// Waits until an attempt may be made. `again`: a question that has begun wants another attempt.
    ///
    /// # Errors
    /// When the host was given up.
    pub(super) async fn enter(self: &Arc<Self>, again: bool) -> Result<Pass, Failure> {
        let _waiting = again.then(|| {
            self.state().again += 1;
            Waiting(self)
        });
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on no change is missed.
            changed.as_mut().enable();
            let now = Instant::now();
            match self.turn(again, now) {
                Turn::Go => return Ok(Pass { host: Arc::clone(self), sent: now }),
                Turn::GivenUp(why) => return Err(why),
                Turn::At(then) => tokio::select! {
                    () = sleep_until(then) => {}
                    () = changed => {}
                },
                Turn::Later => changed.await,
            }
        }
    }

    fn turn(&self, again: bool, now: Instant) -> Turn {
        let mut state = self.state();
        if let Some(why) = &state.given_up {
            return Turn::GivenUp(why.clone());
        }
        if let Some(until) = state.paused_until.filter(|t| *t > now) {
            return Turn::At(until);
        }
        let in_turn = again || state.again == 0;
        if !in_turn || state.in_flight as f64 + 1.0 > state.bears.floor() {
            return Turn::Later;
        }
        // Any window of the given length holds at most so many: the next may go when the oldest of the last so many is
        // that long ago.
        let mut soonest: Option<Instant> = None;
        for (rate, sent) in &mut state.rates {
            while sent.len() >= rate.count.max(1) as usize {
                let Some(free) = sent.front().map(|t| super::later(*t, rate.per)) else { break };
                if free > now {
                    soonest = soonest.max(Some(free));
                    break;
                }
                sent.pop_front();
            }
        }
        if let Some(then) = soonest {
            return Turn::At(then);
        }
        state.rates.iter_mut().for_each(|(_, sent)| sent.push_back(now));
        state.in_flight += 1;
        Turn::Go
    }

    /// Lets nobody ask before this moment.
    pub(super) fn pause(&self, until: Instant) {
        let mut state = self.state();
        state.paused_until = state.paused_until.max(Some(until));
    }

    /// Takes note of how a question ended, all its attempts included. Gives the host up after several in a row that
    /// ended for a reason that will not pass within the run.
    pub(super) fn question_ended(&self, end: End) {
        let mut state = self.state();
        let kind = match end {
            End::Unreached if !state.reached => FailureKind::Connect,
            End::ToldToWait => FailureKind::RateLimited,
            End::Unreached | End::Other => {
                state.in_a_row = (None, 0);
                return;
            }
        };
        state.in_a_row = match state.in_a_row {
            (Some(k), n) if k == kind => (Some(k), n + 1),
            _ => (Some(kind), 1),
        };
        if state.in_a_row.1 < IN_A_ROW || state.given_up.is_some() {
            return;
        }
        let what =
            if kind == FailureKind::Connect { "not reachable" } else { "asks to wait longer than the run lasts" };
        let why = format!("{} {what}: {IN_A_ROW} questions in a row; not asked", self.name);
        state.given_up = Some(Failure::new(kind, why).again(Again::Never));
        drop(state);
        self.changed.notify_waiters();
    }
}

impl Pass {
    /// When the attempt was let go.
    pub(super) fn sent(&self) -> Instant {
        self.sent
    }

    /// Takes note of what came of the attempt.
    pub(super) fn felt(&self, failed: Option<&Failure>) {
        let mut state = self.host.state();
        let Some(failure) = failed else {
            state.reached = true;
            state.bears = (state.bears + 1.0 / state.bears).min(state.ceiling);
            return;
        };
        state.reached |= failure.kind != FailureKind::Connect;
        let sent_before = state.halved.is_some_and(|at| self.sent <= at);
        if complains(failure) && !sent_before {
            state.bears = (state.bears / 2.0).max(1.0);
            state.halved = Some(Instant::now());
        }
    }
}

/// Whether a failure may come of being asked too much: it says so, it is late, or its status is one that passes.
fn complains(failure: &Failure) -> bool {
    match failure.kind {
        FailureKind::RateLimited | FailureKind::FirstByte | FailureKind::Idle | FailureKind::Total => true,
        FailureKind::Status => failure.again != Again::Never,
        FailureKind::Connect
        | FailureKind::Cut
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
        | FailureKind::Other => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn host(concurrency: usize) -> Arc<Host> {
        let host = Host::new("h");
        host.take_up(concurrency, None);
        Arc::new(host)
    }

    fn block<T>(what: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(what)
    }

    /// How many passes are given at once.
    async fn room(host: &Arc<Host>) -> usize {
        let mut passes = Vec::new();
        while let Ok(pass) = tokio::time::timeout(Duration::from_millis(5), host.enter(false)).await {
            passes.push(pass.unwrap());
        }
        passes.len()
    }

    fn limited() -> Failure {
        Failure::new(FailureKind::RateLimited, "429")
    }

    #[test]
    fn complaints_halve_it_once_a_round_and_answers_bring_it_back_no_further_than_the_ceiling() {
        block(async {
            let host = host(8);
            assert_eq!(room(&host).await, 8);
            let mut round = Vec::new();
            for _ in 0..8 {
                round.push(host.enter(false).await.unwrap());
            }
            // Eight complaints about one round are one complaint.
            round.iter().for_each(|p| p.felt(Some(&limited())));
            drop(round);
            assert_eq!(room(&host).await, 4);
            for _ in 0..5 {
                tokio::time::sleep(Duration::from_millis(2)).await;
                host.enter(false).await.unwrap().felt(Some(&limited()));
            }
            assert_eq!(room(&host).await, 1, "never below one");
            for _ in 0..100 {
                host.enter(false).await.unwrap().felt(None);
            }
            assert_eq!(room(&host).await, 8);
        });
    }

    #[test]
    fn a_question_that_has_begun_goes_before_one_that_has_not() {
        block(async {
            let host = host(1);
            let held = host.enter(false).await.unwrap();
            let (first, second) = (Arc::clone(&host), Arc::clone(&host));
            let order = Arc::new(Mutex::new(Vec::new()));
            let (a, b) = (Arc::clone(&order), Arc::clone(&order));
            let new = tokio::spawn(async move {
                let _pass = first.enter(false).await.unwrap();
                a.lock().unwrap().push("new");
            });
            tokio::task::yield_now().await;
            let again = tokio::spawn(async move {
                let _pass = second.enter(true).await.unwrap();
                b.lock().unwrap().push("again");
            });
            tokio::task::yield_now().await;
            drop(held);
            again.await.unwrap();
            new.await.unwrap();
            assert_eq!(*order.lock().unwrap(), ["again", "new"]);
        });
    }

    #[test]
    fn any_window_of_a_rate_holds_at_most_its_count() {
        block(async {
            let host = Host::new("h");
            let per = Duration::from_millis(100);
            host.take_up(8, Some(Rate { count: 3, per }));
            let host = Arc::new(host);
            let mut sent = Vec::new();
            for _ in 0..10 {
                sent.push(host.enter(false).await.unwrap().sent());
            }
            for w in sent.windows(4) {
                assert!(w[3] - w[0] >= per, "{:?}", w[3] - w[0]);
            }
            assert!(sent[2] - sent[0] < per, "the first three need not wait");
        });
    }

    #[test]
    fn it_is_given_up_after_five_in_a_row_that_reached_nobody_and_never_once_it_was_reached() {
        block(async {
            let host = host(1);
            (0..4).for_each(|_| host.question_ended(End::Unreached));
            host.question_ended(End::Other);
            (0..4).for_each(|_| host.question_ended(End::Unreached));
            assert!(host.enter(false).await.is_ok(), "they were not in a row");
            host.question_ended(End::Unreached);
            let why = host.enter(false).await.unwrap_err();
            assert_eq!(why.kind, FailureKind::Connect);
            assert_eq!(why.why, "h not reachable: 5 questions in a row; not asked");

            let reached = super::tests::host(1);
            reached.enter(false).await.unwrap().felt(Some(&Failure::new(FailureKind::Status, "500")));
            (0..20).for_each(|_| reached.question_ended(End::Unreached));
            assert!(reached.enter(false).await.is_ok());
        });
    }
}

//! One question: attempts within nested budgets. An attempt ends within a question, a question within the run, and every
//! wait between attempts counts: back-off, what a server asked for, a slot of a rate, the pause of a host.

use super::host::{End, Host, Pass};
use super::later;
use crate::drive::progress::{Progress, Step};
use crate::drive::span::{left, said};
use crate::privacy::Masker;
use crate::target::{Again, Failure, FailureKind, Manners, Reply, Request, Target, clean};
use backon::{BackoffBuilder, ExponentialBuilder};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// An attempt that outlives its time by so much is dropped: its target should have ended it and said why.
const NET: Duration = Duration::from_secs(1);

/// Less time than this is none: no attempt is begun with it.
const NOTHING: Duration = Duration::from_millis(10);

/// The first wait between attempts, and the longest.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// The waits while a target warms up, where the wait only delays the start and nobody else asks.
const FIRST_LOOK: Duration = Duration::from_millis(100);
const LONGEST_LOOK: Duration = Duration::from_millis(500);

/// The longest pause of a host that says that it is asked too fast, and not for how long.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// One attempt that was sent, as the journal tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// How long it took.
    pub took: Duration,
    /// Why it gave no response; none for the one that did.
    pub failed: Option<(FailureKind, String)>,
}

/// The attempts with reasons that may be written.
pub(in crate::drive) fn masked(attempts: &[Attempt], mask: &Masker) -> Vec<Attempt> {
    let may_be_written = |(kind, why): &(FailureKind, String)| (*kind, mask.text(why).into_owned());
    attempts.iter().map(|a| Attempt { took: a.took, failed: a.failed.as_ref().map(may_be_written) }).collect()
}

/// What came of a question.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) reply: Reply,
    /// Every attempt that was sent.
    pub(super) attempts: Vec<Attempt>,
}

/// Whom is asked, how, and until when at the latest.
pub(super) struct Asking<'a> {
    pub(super) target: &'a dyn Target,
    pub(super) manners: &'a Manners,
    pub(super) host: &'a Arc<Host>,
    pub(super) run_ends: Instant,
    pub(super) progress: Option<&'a dyn Progress>,
}

/// What follows a failed attempt.
enum Next {
    End(Failure, End),
    After(Duration),
}

/// The time of one question.
struct Budget {
    /// When it ends: with the question's time or with the run's.
    ends: Instant,
    /// How it is said that it ended.
    ended: String,
}

pub(super) fn run_ended(manners: &Manners) -> String {
    format!("the run's {} ended", said(manners.timeouts.run))
}

impl Asking<'_> {
    /// Asks one question until it is answered, its failure is final, or its time ends. The first attempt has its pass
    /// already: a question that waits for its turn has not begun.
    pub(super) async fn question(&self, mut request: Request<'_>, first: Pass) -> Asked {
        let began = Instant::now();
        let question_ends = later(began, self.manners.timeouts.question);
        let budget = if question_ends <= self.run_ends {
            Budget { ends: question_ends, ended: format!("no answer within {}", said(self.manners.timeouts.question)) }
        } else {
            Budget { ends: self.run_ends, ended: run_ended(self.manners) }
        };
        let mut waits = ExponentialBuilder::new()
            .with_min_delay(FIRST_WAIT)
            .with_max_delay(LONGEST_WAIT)
            .without_max_times()
            .with_jitter()
            .build();
        let mut attempts = Vec::new();
        let mut pass = Some(first);
        let mut last: Option<Failure> = None;
        loop {
            let held = match pass.take() {
                Some(pass) => pass,
                None => match timeout_at(budget.ends, self.host.enter(true)).await {
                    Ok(Ok(pass)) => pass,
                    Ok(Err(given_up)) => {
                        let why = last.map_or(given_up, |last| told(last, &attempts));
                        return self.end(why, End::Other, attempts);
                    }
                    Err(_) => return self.end(out_of_time(&budget, &attempts, last), End::Other, attempts),
                },
            };
            let time = budget.ends.saturating_duration_since(Instant::now());
            if time < NOTHING {
                return self.end(out_of_time(&budget, &attempts, last), End::Other, attempts);
            }
            let within = time.min(self.manners.timeouts.attempt);
            let failure = match self.once(request, within, &held, &mut attempts).await {
                Ok(reply) => {
                    self.host.question_ended(End::Other);
                    return Asked { reply, attempts };
                }
                Err(failure) => failure,
            };
            drop(held);
            let at_once = failure.again == Again::AtOnce && !request.fresh;
            let next = if at_once {
                // For the rest of the question, so that it cannot meet another dead connection, and another.
                request.fresh = true;
                self.at_once(&failure, &budget, &attempts)
            } else {
                // The one that was made at once is none of those that the settings allow.
                let counted = attempts.len().saturating_sub(usize::from(request.fresh));
                let wait = waits.next().unwrap_or(LONGEST_WAIT);
                self.next(failure.clone(), &budget, &attempts, counted, wait)
            };
            match next {
                Next::End(failure, end) => return self.end(failure, end, attempts),
                Next::After(wait) => {
                    self.tell(Step::Again { why: &failure.why });
                    if !wait.is_zero() {
                        sleep(wait).await;
                    }
                }
            }
            last = Some(failure);
        }
    }

    /// What follows a failure that only the connection is to blame for: the next attempt, as long as there is time.
    fn at_once(&self, failure: &Failure, budget: &Budget, attempts: &[Attempt]) -> Next {
        if budget.ends.saturating_duration_since(Instant::now()) < NOTHING {
            return Next::End(out_of_time(budget, attempts, Some(failure.clone())), End::Other);
        }
        Next::After(Duration::ZERO)
    }

    /// What follows a failure, while `wait` is what we would wait by ourselves and `counted` attempts are of those that the
    /// settings limit.
    fn next(&self, failure: Failure, budget: &Budget, attempts: &[Attempt], counted: usize, wait: Duration) -> Next {
        let now = Instant::now();
        let time = budget.ends.saturating_duration_since(now);
        let wait = match failure.again {
            Again::After(asked) if !asked.is_zero() => {
                let until = later(now, asked);
                if until < self.run_ends {
                    self.pause(until, asked, &failure);
                } else {
                    // Nobody could be asked after that; others may not be meant, so only as if it had said nothing.
                    let pause = wait.min(LONGEST_PAUSE);
                    self.pause(later(now, pause), pause, &failure);
                }
                if asked > time {
                    let end = if until < self.run_ends { End::Other } else { End::TurnedAway };
                    let why = format!("{}: asked to wait {}, {} are left", failure.why, said(asked), left(time));
                    return Next::End(told(Failure { why, ..failure }, attempts), end);
                }
                asked
            }
            Again::After(_) | Again::Soon | Again::AtOnce | Again::Never => {
                if failure.kind == FailureKind::RateLimited && failure.again != Again::Never {
                    // It does not say how long. Everybody waits a moment; this question as long as its waits have grown.
                    let pause = wait.min(LONGEST_PAUSE);
                    self.pause(later(now, pause), pause, &failure);
                }
                wait
            }
        };
        let end = match (failure.kind, failure.again) {
            (FailureKind::Connect, _) => End::Unreached,
            (FailureKind::RateLimited, Again::Never) => End::TurnedAway,
            (_, Again::Never | Again::Soon | Again::AtOnce | Again::After(_)) => End::Other,
        };
        if failure.again == Again::Never {
            return Next::End(told(failure, attempts), end);
        }
        if time < NOTHING {
            return Next::End(out_of_time(budget, attempts, Some(failure)), end);
        }
        if counted as u64 > u64::from(self.manners.retries) {
            return Next::End(told(failure, attempts), end);
        }
        // A wait that ends after the budget is not begun: nothing can come of it.
        if wait + NOTHING > time {
            return Next::End(out_of_time(budget, attempts, Some(failure)), end);
        }
        Next::After(wait)
    }

    /// Asks the first question of a target alone, until it is answered or its failure is final for another reason than
    /// that the target is not up yet.
    ///
    /// # Errors
    /// When it does not come up within the time; with the attempts.
    pub(super) async fn warm_up(
        &self,
        mut request: Request<'_>,
        ends: Instant,
        warm_up: Duration,
    ) -> Result<Asked, (Failure, Vec<Attempt>)> {
        let ends = ends.min(self.run_ends);
        let mut waits = ExponentialBuilder::new()
            .with_min_delay(FIRST_LOOK)
            .with_max_delay(LONGEST_LOOK)
            .without_max_times()
            .build();
        let mut attempts = Vec::new();
        let mut last: Option<Failure> = None;
        let not_ready = |last: Option<Failure>| {
            let what = last.map_or_else(|| "it was not asked".to_owned(), |f| f.why);
            Failure::new(FailureKind::NotReady, format!("not ready after {}: {what}", said(warm_up)))
        };
        loop {
            // Not counted as another attempt of a question that has begun: nobody else waits.
            let pass = match timeout_at(ends, self.host.enter(false)).await {
                Ok(Ok(pass)) => pass,
                Ok(Err(_)) | Err(_) => return Err((not_ready(last), attempts)),
            };
            let time = ends.saturating_duration_since(Instant::now());
            if time < NOTHING {
                return Err((not_ready(last), attempts));
            }
            let within = time.min(self.manners.timeouts.attempt);
            let failure = match self.once(request, within, &pass, &mut attempts).await {
                Ok(reply) => return Ok(Asked { reply, attempts }),
                Err(failure) => failure,
            };
            drop(pass);
            request.fresh |= failure.again == Again::AtOnce;
            let coming =
                failure.again != Again::Never || matches!(failure.kind, FailureKind::Connect | FailureKind::NotReady);
            if !coming {
                // It is up, and says no to this question.
                let reply = Reply::Failed(told(failure, &attempts));
                return Ok(Asked { reply, attempts });
            }
            let wait = match failure.again {
                Again::After(asked) if !asked.is_zero() => asked,
                Again::After(_) | Again::Soon | Again::AtOnce | Again::Never => waits.next().unwrap_or(LONGEST_LOOK),
            };
            let time = ends.saturating_duration_since(Instant::now());
            self.tell(Step::Waiting { whom: self.target.name(), why: &failure.why, how_long: None });
            last = Some(failure);
            // To the end of the time all the same: "not ready after 4 s" is said after four seconds.
            sleep(wait.min(time)).await;
        }
    }

    /// One attempt. What came of it is noted with the host and among the attempts.
    async fn once(
        &self,
        request: Request<'_>,
        within: Duration,
        pass: &Pass,
        attempts: &mut Vec<Attempt>,
    ) -> Result<Reply, Failure> {
        let request = Request { within: Some(within), ..request };
        let reply = timeout(within.saturating_add(NET), self.target.ask(request)).await;
        let took = pass.sent().elapsed();
        let reply = reply.unwrap_or_else(|_| {
            Reply::Failed(Failure::new(FailureKind::Total, format!("the attempt did not end within {}", said(within))))
        });
        // Targets take their secrets out themselves; one that forgets a place gives none away.
        let reply = match self.target.secrets() {
            Some(secrets) => clean::reply(reply, &secrets),
            None => reply,
        };
        match reply {
            Reply::Failed(failure) => {
                pass.felt(Some(&failure));
                attempts.push(Attempt { took, failed: Some((failure.kind, failure.why.clone())) });
                Err(failure)
            }
            reply @ (Reply::Line { .. } | Reply::Response(_) | Reply::Missing(_)) => {
                pass.felt(None);
                attempts.push(Attempt { took, failed: None });
                Ok(reply)
            }
        }
    }

    fn end(&self, failure: Failure, end: End, attempts: Vec<Attempt>) -> Asked {
        self.host.question_ended(end);
        Asked { reply: Reply::Failed(failure), attempts }
    }

    fn pause(&self, until: Instant, how_long: Duration, failure: &Failure) {
        self.host.pause(until);
        self.tell(Step::Waiting { whom: self.host.name(), why: &failure.why, how_long: Some(how_long) });
    }

    fn tell(&self, step: Step<'_>) {
        if let Some(progress) = self.progress {
            progress.step(step);
        }
    }
}

/// A final failure with the number of attempts, where there were several.
fn told(failure: Failure, attempts: &[Attempt]) -> Failure {
    match attempts.len() {
        0 | 1 => failure,
        n => Failure { why: format!("{n} attempts, the last: {}", failure.why), ..failure },
    }
}

fn out_of_time(budget: &Budget, attempts: &[Attempt], last: Option<Failure>) -> Failure {
    let why = match (attempts.len(), last) {
        (_, None) => budget.ended.clone(),
        (0 | 1, Some(last)) => format!("{}: {}", budget.ended, last.why),
        (n, Some(last)) => format!("{}: {n} attempts, the last: {}", budget.ended, last.why),
    };
    Failure::new(FailureKind::Budget, why)
}

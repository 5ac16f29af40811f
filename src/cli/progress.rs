//! What a run shows while it goes on: a bar where somebody watches a terminal, else a line now and then, so that a CI
//! system sees that the job lives. A run that is over in a moment shows nothing.

use super::say_error;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ragline::drive::progress::{Progress, Step};
use ragline::drive::span::said;
use ragline::report::clean;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Between two lines, and before the first.
const BETWEEN: Duration = Duration::from_secs(10);

/// A bar is drawn so often even when nothing happens, so that its times go on.
const TICK: Duration = Duration::from_millis(500);

/// What is known of the run.
#[derive(Debug, Default)]
struct Counts {
    questions: usize,
    done: usize,
    unanswered: usize,
    in_flight: usize,
    /// Why questions were asked again, and how often.
    again: BTreeMap<String, usize>,
    /// Why nothing is asked, and until when.
    waiting: Option<(String, Option<Instant>)>,
    ended: bool,
}

/// The progress of one run, shown.
pub(super) struct Shown {
    me: Weak<Shown>,
    counts: Mutex<Counts>,
    ended: Condvar,
    bar: Option<ProgressBar>,
    lines: Mutex<Option<JoinHandle<()>>>,
}

impl Shown {
    pub(super) fn new() -> Arc<Shown> {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = "{bar:24} {pos}/{len}  {per_sec}  eta {eta}  {msg}";
            ProgressStyle::with_template(style).map(|s| bar.set_style(s)).ok();
            bar
        });
        Arc::new_cyclic(|me| Shown {
            me: Weak::clone(me),
            counts: Mutex::default(),
            ended: Condvar::new(),
            bar,
            lines: Mutex::new(None),
        })
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the bar away; no line follows.
    pub(super) fn end(&self) {
        self.counts().ended = true;
        self.ended.notify_all();
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(lines) = lines {
            let _ = lines.join();
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if let Some(line) = self.counts().asked_again() {
            say_error(&line);
        }
    }

    /// Prints a line every so often until the end.
    fn tell(&self, began: Instant) {
        let mut counts = self.counts();
        let mut next = began + BETWEEN;
        while !counts.ended {
            let now = Instant::now();
            if now >= next {
                let line = counts.line(now.duration_since(began), now);
                next = now + BETWEEN;
                drop(counts);
                say_error(&line);
                counts = self.counts();
                continue;
            }
            let wait = next.duration_since(now);
            counts = self.ended.wait_timeout(counts, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Counts {
    fn take(&mut self, step: Step<'_>) {
        match step {
            Step::Begun { questions } => self.questions = questions,
            Step::Anew { questions } => self.questions += questions,
            Step::Asking => {
                self.in_flight += 1;
                self.forget_waits();
            }
            Step::Back => self.in_flight = self.in_flight.saturating_sub(1),
            Step::Again { why } => *self.again.entry(reason(why)).or_default() += 1,
            Step::Settled { answered } => {
                self.done += 1;
                self.unanswered += usize::from(!answered);
                self.forget_waits();
            }
            Step::Waiting { whom, why, how_long } => {
                let what = format!("{}: {}", clean::terminal(whom), clean::terminal(why));
                self.waiting = Some((what, how_long.map(|d| Instant::now() + d.min(BETWEEN * 60))));
            }
            Step::Stopping => self.waiting = None,
        }
    }

    /// A wait that has an end is over with it, one that has none with the next question.
    fn forget_waits(&mut self) {
        let now = Instant::now();
        if self.waiting.as_ref().is_some_and(|(_, until)| until.is_none_or(|t| t <= now)) {
            self.waiting = None;
        }
    }

    /// `3 unanswered, 2 asked again, 8 in flight; waiting 4 s: 127.0.0.1:8000: 429`.
    fn beside(&self, now: Instant) -> String {
        let mut parts = Vec::new();
        let again = self.again.values().sum();
        for (n, what) in [(self.unanswered, "unanswered"), (again, "asked again"), (self.in_flight, "in flight")] {
            if n > 0 {
                parts.push(format!("{n} {what}"));
            }
        }
        let mut line = parts.join(", ");
        if let Some((why, until)) = &self.waiting {
            let left = until.map(|t| t.saturating_duration_since(now)).filter(|d| !d.is_zero());
            let how_long =
                left.map_or_else(String::new, |d| format!(" {}", said(Duration::from_secs(d.as_secs() + 1))));
            line.push_str(&format!("{}waiting{how_long}: {why}", if line.is_empty() { "" } else { "; " }));
        }
        line
    }

    /// `asked again 12 times: HTTP 429 (9), HTTP 503 (3)`; nothing where every question was asked once. A run that came to
    /// its end that way took longer than it need, and the next one may not.
    fn asked_again(&self) -> Option<String> {
        const MOST: usize = 3;
        let all: usize = self.again.values().sum();
        let mut reasons: Vec<(&String, &usize)> = self.again.iter().collect();
        reasons.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        let told: Vec<String> = reasons.iter().take(MOST).map(|(why, n)| format!("{why} ({n})")).collect();
        let more = if reasons.len() > MOST { ", …" } else { "" };
        let times = if all == 1 { "once".to_owned() } else { format!("{all} times") };
        (all > 0).then(|| format!("asked again {times}: {}{more}", told.join(", ")))
    }

    fn line(&self, took: Duration, now: Instant) -> String {
        let took = said(Duration::from_secs(took.as_secs()));
        let beside = self.beside(now);
        let comma = if beside.is_empty() { "" } else { ", " };
        format!("{took}: {} of {} questions{comma}{beside}", self.done, self.questions)
    }
}

/// The beginning of a reason, up to what differs from question to question.
fn reason(why: &str) -> String {
    const MOST: usize = 60;
    let line = clean::terminal(why).replace('\n', " ");
    let short = line.split(": ").next().unwrap_or_default();
    short.chars().take(MOST).collect()
}

impl Progress for Shown {
    fn step(&self, step: Step<'_>) {
        let beside = {
            let mut counts = self.counts();
            counts.take(step);
            counts.beside(Instant::now())
        };
        if step == Step::Stopping {
            let line = "ending: what is in flight is dropped; once more ends at once";
            match &self.bar {
                Some(bar) => bar.println(line),
                None => say_error(line),
            }
        }
        let Some(bar) = &self.bar else {
            if matches!(step, Step::Begun { .. }) {
                self.watch();
            }
            return;
        };
        if let Step::Begun { questions } = step {
            bar.set_length(questions as u64);
            bar.enable_steady_tick(TICK);
        }
        if let Step::Anew { questions } = step {
            bar.inc_length(questions as u64);
        }
        if let Step::Settled { .. } = step {
            bar.inc(1);
        }
        bar.set_message(beside);
    }
}

impl Shown {
    /// Lets a thread print lines, where there is no bar.
    fn watch(&self) {
        let Some(shown) = self.me.upgrade() else { return };
        let began = Instant::now();
        let lines = std::thread::Builder::new().name("progress".into()).spawn(move || shown.tell(began));
        *self.lines.lock().unwrap_or_else(PoisonError::into_inner) = lines.ok();
    }
}

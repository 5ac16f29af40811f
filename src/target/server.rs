//! A server that is started for a run: its process group, its readiness, its end.

mod probe;

use super::process::{self, Drain, GRACE, LINGER, Running};
use super::{Environment, Failure, FailureKind, PORT, fill, words};
use crate::problem::Problem;
use crate::secret::{Secret, Secrets};
use crate::suite::config::live::{EnvText, Start};
use probe::Address;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout};

/// How long one look at the ready address may take.
const LOOK: Duration = Duration::from_secs(5);

/// How long the look before the start may take: what runs already answers in a moment.
const FIRST_LOOK: Duration = Duration::from_secs(1);

/// The waits between two looks begin with the first and end with the second.
const WAITS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));

/// A server that is started for a run, or only waited for. Dropped, it takes its processes with it.
#[derive(Debug)]
pub struct Server {
    start: Option<Launch>,
    ready: Option<Ready>,
    within: Duration,
    secrets: Secrets,
    running: Mutex<Option<Up>>,
}

/// What is started.
struct Launch {
    words: Vec<String>,
    shown: String,
    folder: PathBuf,
    /// The port that it is to listen on, where the settings leave that to us.
    port: Option<String>,
}

/// A name and a password in an address: they have no place in this one, and are not repeated.
fn user_info(address: &str) -> Vec<Secret> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((info, _)) = authority.rsplit_once('@') else { return Vec::new() };
    let (user, password) = info.split_once(':').unwrap_or((info, ""));
    Secret::basic(user, password).into()
}

impl std::fmt::Debug for Launch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Its words may hold secrets.
        f.debug_struct("Launch").field("shown", &self.shown).finish_non_exhaustive()
    }
}

/// What is looked at.
#[derive(Debug)]
struct Ready {
    address: Address,
    shown: String,
}

/// What was started.
#[derive(Debug)]
struct Up {
    running: Running,
    prints: Drain,
}

impl Server {
    /// A server with its start and the address that answers 2xx when it is ready; either may be missing. `within` is the
    /// time for both together. Nothing is started yet.
    ///
    /// # Errors
    /// A variable of the environment that is not there (`env-missing`), an address that cannot be asked (`ready-address`);
    /// where variables make it one that cannot be asked, [`Server::open`] says so.
    pub fn new(
        start: Option<&Start>,
        ready: Option<&EnvText>,
        within: Duration,
        environment: &Environment,
    ) -> Result<Server, Problem> {
        let mut secrets = fill::secrets(start.iter().flat_map(|s| &s.command).chain(ready), environment);
        secrets.extend(ready.map(|r| user_info(&r.raw)).unwrap_or_default());
        let launch = |s: &Start| {
            let words = s.command.iter().map(|w| fill::fill(w, environment)).collect::<Result<_, _>>()?;
            let port = environment.get(PORT).map(str::to_owned);
            Ok(Launch { words, shown: shown_program(&s.command), folder: s.folder.clone(), port })
        };
        let look = |r: &EnvText| match Address::read(&fill::fill(r, environment)?) {
            Ok(address) => Ok(Ready { address, shown: r.raw.clone() }),
            // What a variable holds may be a stand-in, as long as nothing is asked.
            Err(why) if r.raw.contains("${") => Ok(Ready { address: Address::None(why), shown: r.raw.clone() }),
            Err(why) => {
                Err(Problem::error("ready-address", r.place.clone(), format!("`ready` is no address to ask: {why}"))
                    .help("write ready = \"http://127.0.0.1:8000/health\""))
            }
        };
        Ok(Server {
            start: start.map(launch).transpose()?,
            ready: ready.map(look).transpose()?,
            within,
            secrets: Secrets::new(secrets),
            running: Mutex::new(None),
        })
    }

    /// Starts the server and waits until it is ready.
    ///
    /// # Errors
    /// [`FailureKind::NotReady`]: another program answers already, ours does not start or has ended, or the time is over.
    /// What was started has been ended then.
    pub async fn open(&self) -> Result<(), Failure> {
        let mut running = self.running.lock().await;
        let done = self.start_and_wait(&mut running).await;
        if done.is_err()
            && let Some(up) = running.take()
        {
            up.running.end(GRACE).await;
        }
        done.map_err(|why| not_ready(self.secrets.hide(&why).into_owned()))
    }

    /// Why there is nothing to ask any more: what was started has ended by itself. None as long as it runs, and where
    /// nothing was started. To be called when a connection fails, so that nobody waits for a server that is gone.
    pub async fn ended(&self) -> Option<Failure> {
        let mut running = self.running.lock().await;
        if !running.as_mut()?.running.has_exited() {
            return None;
        }
        let why = self.obituary(running.as_mut()?).await;
        Some(not_ready(self.secrets.hide(&why).into_owned()))
    }

    /// Ends what was started, with all processes of its group, and waits until they are gone; about two seconds at most.
    pub async fn close(&self) {
        let up = self.running.lock().await.take();
        if let Some(up) = up {
            up.running.end(GRACE).await;
        }
    }

    async fn start_and_wait(&self, up: &mut Option<Up>) -> Result<(), String> {
        let until = Instant::now() + self.within;
        if let Some(Ready { address: Address::None(why), shown }) = &self.ready {
            return Err(format!("{shown} is no address to ask: {why}"));
        }
        if let Some(launch) = &self.start {
            // An old build that still runs would be tested in place of this one.
            if let Some(ready) = &self.ready
                && timeout(FIRST_LOOK, ready.address.look()).await.is_ok_and(|l| l.is_ok())
            {
                return Err(format!("another program already answers at {}; stop it, or remove `start`", ready.shown));
            }
            let arguments: Vec<&str> = launch.words.iter().skip(1).map(String::as_str).collect();
            let program = launch.words.first().map_or("", String::as_str);
            let port = launch.port.as_deref().map(|port| (PORT, port));
            let mut running = process::spawn(program, &arguments, &launch.folder, false, port.as_slice())
                .map_err(|why| format!("`{}` {why}", launch.shown))?;
            let prints = Drain::new(running.stdout.take());
            *up = Some(Up { running, prints });
        }
        let Some(ready) = &self.ready else { return Ok(()) };
        let mut last = "no answer".to_owned();
        let mut wait = WAITS.0;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(words::because(&format!("not ready after {}", words::time(self.within)), &last));
            }
            let look = timeout(left.min(LOOK), ready.address.look());
            let looked = tokio::select! {
                looked = look => looked,
                () = ended(up) => return Err(self.last_words(up).await),
            };
            match looked {
                // It may be another program that took the address, while ours failed for that very reason.
                Ok(Ok(())) => {
                    let gone = up.as_mut().is_some_and(|u| u.running.has_exited());
                    return if gone { Err(self.last_words(up).await) } else { Ok(()) };
                }
                Ok(Err(why)) => last = words::quote(why.as_bytes(), &self.secrets),
                Err(_) if left < LOOK => {}
                Err(_) => last = format!("no answer within {}", words::time(LOOK)),
            }
            let left = until.saturating_duration_since(Instant::now());
            tokio::select! {
                () = sleep(wait.min(left)) => {}
                () = ended(up) => return Err(self.last_words(up).await),
            }
            wait = (wait * 3 / 2).min(WAITS.1);
        }
    }

    async fn last_words(&self, up: &mut Option<Up>) -> String {
        match up {
            Some(up) => self.obituary(up).await,
            None => String::new(),
        }
    }

    /// How it ended, with the last line of what it said.
    async fn obituary(&self, up: &mut Up) -> String {
        let status = up.running.kill().await;
        up.running.errors.settle(LINGER).await;
        up.prints.settle(LINGER).await;
        let said = [&up.running.errors, &up.prints].map(|d| words::last_line(&d.tail(), &self.secrets));
        let said = said.iter().find(|s| !s.is_empty()).map_or("", String::as_str);
        let shown = self.start.as_ref().map_or("", |l| &l.shown);
        let mut what = format!("`{shown}` {}", process::ended(status));
        if status.is_some_and(|s| s.success()) {
            what.push_str(" (a server that is started must stay in the foreground)");
        }
        words::because(&what, said)
    }
}

/// Ends when what was started has; never where nothing was.
async fn ended(up: &mut Option<Up>) {
    match up {
        Some(up) => up.running.exited().await,
        None => std::future::pending().await,
    }
}

fn not_ready(why: String) -> Failure {
    Failure::new(FailureKind::NotReady, why)
}

/// A program as messages name it: without its arguments.
pub(super) fn shown_program(words: &[EnvText]) -> String {
    let program = words.first().map_or("", |w| w.raw.as_str());
    if words.len() > 1 { format!("{program} …") } else { program.to_owned() }
}

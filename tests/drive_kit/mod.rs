//! A system on a port of 127.0.0.1 that misbehaves as it is told, a target that asks it over real connections, and runs of
//! throw-away projects against it. The protocol is three lines: the question's id goes out; `STATUS RETRY-AFTER` and a
//! body up to the end of the connection come back.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

use ragline::core::{Change, QuestionReport};
use ragline::drive::session::{self, Conduct, Done, Options, Ready};
use ragline::layer::Provides;
use ragline::suite::config::live::Timeouts;
use ragline::target::response::parse;
use ragline::target::{Again, Failure, FailureKind, Manners, Opening, Pending, Reply, Request, Target};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

pub(crate) const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// What the system does with one request.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Act {
    /// Answers rightly after a while.
    Answer(Duration),
    /// Says nothing until the other side goes away.
    Hang,
    /// A head, then a byte every so often until the other side goes away.
    Drip(Duration),
    /// A status, with the seconds of `Retry-After`.
    Status(u16, Option<u64>),
    /// Ends the connection in the middle of the body.
    Cut,
}

/// One request that came in.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) id: String,
    pub(crate) at: Instant,
}

struct State {
    log: Mutex<Vec<Seen>>,
    open: AtomicUsize,
    /// Connections that have no whole response yet: who has one may begin the next before the thread here goes on.
    busy: AtomicUsize,
    most: AtomicUsize,
    over: AtomicBool,
}

/// The system; it ends with its connections when it is dropped.
pub(crate) struct System {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

impl System {
    /// Starts one. `act` gets the id and how often it was asked before.
    pub(crate) fn start(act: impl Fn(&str, usize) -> Act + Send + Sync + 'static) -> System {
        System::on(TcpListener::bind("127.0.0.1:0").unwrap(), act)
    }

    pub(crate) fn on(listener: TcpListener, act: impl Fn(&str, usize) -> Act + Send + Sync + 'static) -> System {
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            log: Mutex::default(),
            open: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        });
        let (shared, act) = (Arc::clone(&state), Arc::new(act));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.over.load(Ordering::SeqCst) {
                    return;
                }
                let (shared, act) = (Arc::clone(&shared), Arc::clone(&act));
                std::thread::spawn(move || {
                    shared.open.fetch_add(1, Ordering::SeqCst);
                    if let Ok(stream) = stream {
                        serve(stream, &shared, &*act);
                    }
                    shared.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        System { address, state }
    }

    pub(crate) fn log(&self) -> Vec<Seen> {
        self.state.log.lock().unwrap().clone()
    }

    /// How often each id was asked.
    pub(crate) fn asked(&self) -> BTreeMap<String, usize> {
        let mut times = BTreeMap::new();
        self.log().into_iter().for_each(|s| *times.entry(s.id).or_default() += 1);
        times
    }

    /// The most connections that waited for an answer at once.
    pub(crate) fn most(&self) -> usize {
        self.state.most.load(Ordering::SeqCst)
    }

    /// Waits until no connection is open; fails when one still is after two seconds.
    #[track_caller]
    pub(crate) fn is_quiet(&self) {
        let until = Instant::now() + ms(2000);
        while self.state.open.load(Ordering::SeqCst) > 0 {
            assert!(Instant::now() < until, "{} calls are still open", self.state.open.load(Ordering::SeqCst));
            std::thread::sleep(ms(5));
        }
    }
}

impl Drop for System {
    fn drop(&mut self) {
        self.state.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(mut stream: TcpStream, state: &State, act: &(dyn Fn(&str, usize) -> Act + Send + Sync)) {
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut id = String::new();
    if BufReader::new(stream.try_clone().unwrap()).read_line(&mut id).is_err() || id.is_empty() {
        return;
    }
    let id = id.trim().to_owned();
    let before = {
        let mut log = state.log.lock().unwrap();
        let before = log.iter().filter(|s| s.id == id).count();
        log.push(Seen { id: id.clone(), at: Instant::now() });
        before
    };
    let gone = |stream: &mut TcpStream| matches!(stream.read(&mut [0]), Ok(0) | Err(_));
    match act(&id, before) {
        Act::Answer(after) => {
            let busy = state.busy.fetch_add(1, Ordering::SeqCst) + 1;
            state.most.fetch_max(busy, Ordering::SeqCst);
            std::thread::sleep(after);
            state.busy.fetch_sub(1, Ordering::SeqCst);
            let _ = write!(stream, "200 -\n{{\"id\":\"{id}\",\"answer\":\"Thirty days.\"}}");
        }
        Act::Hang => {
            gone(&mut stream);
        }
        Act::Drip(every) => {
            let mut more = stream.write_all(b"200 -\n{").is_ok();
            stream.set_read_timeout(Some(every)).unwrap();
            while more {
                let ended = matches!(stream.read(&mut [0]), Ok(0));
                more = !ended && stream.write_all(b" ").is_ok();
            }
        }
        Act::Status(status, after) => {
            let after = after.map_or("-".to_owned(), |s| s.to_string());
            let _ = write!(stream, "{status} {after}\nno");
        }
        Act::Cut => {
            let _ = stream.write_all(b"200 -\n{\"id\":");
        }
    }
}

/// A target that asks a [`System`].
pub(crate) struct Tcp {
    pub(crate) address: SocketAddr,
    pub(crate) concurrency: usize,
    pub(crate) manners: Manners,
    /// Takes no notice of the time it is given.
    pub(crate) deaf: bool,
    pub(crate) opened: Arc<AtomicUsize>,
    pub(crate) closed: Arc<AtomicUsize>,
    pub(crate) opens: Result<(), Failure>,
}

impl Tcp {
    pub(crate) fn new(address: SocketAddr) -> Tcp {
        Tcp {
            address,
            concurrency: 8,
            manners: Manners {
                timeouts: Timeouts::default(),
                retries: 2,
                rate: None,
                host: address.to_string(),
                warm_up: None,
            },
            deaf: false,
            opened: Arc::default(),
            closed: Arc::default(),
            opens: Ok(()),
        }
    }

    /// The times of an attempt, a question and the run, in milliseconds.
    pub(crate) fn times(mut self, attempt: u64, question: u64, run: u64) -> Tcp {
        let t = &mut self.manners.timeouts;
        (t.attempt, t.question, t.run) = (ms(attempt), ms(question), ms(run));
        self
    }

    async fn talk(&self, id: &str, begun: &AtomicBool) -> Result<(u16, Option<u64>, String), Failure> {
        let mut stream = tokio::net::TcpStream::connect(self.address)
            .await
            .map_err(|_| Failure::new(FailureKind::Connect, "connection refused"))?;
        let cut = |_| Failure::new(FailureKind::Cut, "the connection ended");
        stream.write_all(format!("{id}\n").as_bytes()).await.map_err(cut)?;
        let mut text = Vec::new();
        while stream.read_buf(&mut text).await.map_err(cut)? > 0 {
            begun.store(true, Ordering::SeqCst);
        }
        let text = String::from_utf8(text).unwrap();
        let (head, body) = text.split_once('\n').ok_or_else(|| cut(std::io::ErrorKind::Other.into()))?;
        let (status, after) = head.split_once(' ').unwrap();
        Ok((status.parse().unwrap(), after.parse().ok(), body.to_owned()))
    }

    async fn ask_once(&self, request: Request<'_>) -> Reply {
        let within = request.within.filter(|_| !self.deaf).unwrap_or(Duration::from_secs(60));
        let begun = AtomicBool::new(false);
        let Ok(read) = tokio::time::timeout(within, self.talk(request.id, &begun)).await else {
            return Reply::Failed(if begun.load(Ordering::SeqCst) {
                Failure::new(FailureKind::Total, "the response did not end")
            } else {
                Failure::new(FailureKind::FirstByte, "no first byte")
            });
        };
        match read {
            Ok((200, _, body)) => match parse(body.as_bytes()) {
                Ok(response) => Reply::Response(response.into_owned()),
                Err(_) => Reply::Failed(Failure::new(FailureKind::Cut, "the response is not whole")),
            },
            Ok((status, after, _)) => {
                let kind = if status == 429 { FailureKind::RateLimited } else { FailureKind::Status };
                let again = match after {
                    Some(s) => Again::After(Duration::from_secs(s)),
                    None if matches!(status, 429 | 500..) => Again::Soon,
                    None => Again::Never,
                };
                let words = if status == 503 { " loading" } else { "" };
                Reply::Failed(Failure::new(kind, format!("{status}{words}")).again(again))
            }
            Err(failure) => Reply::Failed(failure),
        }
    }
}

impl Target for Tcp {
    fn name(&self) -> &str {
        "shop"
    }

    fn provides(&self) -> Provides {
        Provides { answer: true, contexts: false, citations: false }
    }

    fn subject(&self) -> Option<String> {
        Some("one".to_owned())
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn manners(&self) -> Option<Manners> {
        Some(self.manners.clone())
    }

    fn open(&self) -> Opening<'_> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(self.opens.clone()))
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.closed.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(()))
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        Box::pin(self.ask_once(request))
    }
}

/// A project with suites of so many questions each: `a001`, `a002`, … in suite `a`, and so on. All answers are right that
/// say thirty days.
pub(crate) fn project(suites: &[(&str, usize)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("ragline.toml", "version = 1\n");
    write("thresholds.toml", "version = 1\nbaseline = \"none\"\n");
    std::fs::create_dir(dir.path().join("suites")).unwrap();
    for (suite, n) in suites {
        let mut text = format!("version: 1\nsuite: {suite}\nlanguage: en\nquestions:\n");
        for i in 1..=*n {
            text.push_str(&format!(
                "  - id: {suite}{i:03}\n    question: How long is warranty {i}?\n    facts: [thirty days]\n    layers: {{ numbers: off, refusal: off }}\n"
            ));
        }
        write(&format!("suites/{suite}.yaml"), &text);
    }
    dir
}

/// A run of a project against a target, prepared.
pub(crate) fn prepare(folder: &Path, target: Arc<dyn Target>) -> Ready {
    let options = Options::new(folder, "2026-11-30".parse().unwrap());
    session::prepare(&options, Some(target), None).unwrap_or_else(|e| panic!("{:?}", e.problems))
}

pub(crate) fn run(folder: &Path, target: Arc<dyn Target>) -> Done {
    conduct(folder, target, Conduct::default())
}

pub(crate) fn conduct(folder: &Path, target: Arc<dyn Target>, conduct: Conduct) -> Done {
    prepare(folder, target).conduct(conduct).unwrap_or_else(|e| panic!("{:?}", e.problems))
}

/// The report of a question.
pub(crate) fn report<'a>(done: &'a Done, id: &str) -> &'a QuestionReport {
    done.finished.reports.iter().find(|r| r.id.as_str() == id).unwrap()
}

/// The code and the message of the one reason why a question is unmeasured.
#[track_caller]
pub(crate) fn why(done: &Done, id: &str) -> (String, String) {
    let r = report(done, id);
    assert_eq!(r.change, Change::Unmeasured, "{id}");
    let f = r.layers.0.iter().flat_map(|l| &l.result.findings).next().unwrap();
    (f.code.to_string(), f.message.clone())
}

/// How many questions passed.
pub(crate) fn passed(done: &Done) -> usize {
    done.finished.reports.iter().filter(|r| r.change == Change::NewPass).count()
}

/// The lines of a run's journal after the first.
pub(crate) fn journal(done: &Done) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(done.folder.as_ref().unwrap().join("journal.jsonl")).unwrap();
    text.lines().skip(1).map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// How many attempts the journal tells of each question.
pub(crate) fn attempts(done: &Done) -> BTreeMap<String, usize> {
    let of = |l: &serde_json::Value| (l["id"].as_str().unwrap().to_owned(), l["attempts"].as_array().unwrap().len());
    journal(done).iter().map(of).collect()
}

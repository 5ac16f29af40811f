//! A small HTTP/1.1 server for tests, on a port of 127.0.0.1, that misbehaves as it is told.
//!
//! Every request is read whole, kept in a log, and handed to a function that returns a [`Script`]: the very bytes to send,
//! with waits, endless repeats, a close or a reset at any place. Nothing of HTTP is done behind the script's back, so a test can send what no server
//! library would.
//!
//! ```ignore
//! let server = Server::start(|seen| Script::json(200, r#"{"answer":"yes"}"#));
//! ask(&server.url("/ask"));
//! assert_eq!(server.log()[0].header("authorization"), None);
//! ```
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

#[cfg(feature = "http")]
pub(crate) mod asking;
mod script;

pub(crate) use script::{Script, Step};

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The most bytes of a request's head and of its body: a test that sends more is wrong.
const MOST: usize = 4 << 20;

/// No connection of a test lives longer, whatever happens.
const LONGEST: Duration = Duration::from_secs(60);

/// One request that came in.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// `GET`, `POST`, …
    pub(crate) method: String,
    /// The target as sent: path and query, still percent-encoded; an absolute address when a proxy is asked.
    pub(crate) target: String,
    /// Names in lower case, in order.
    pub(crate) headers: Vec<(String, String)>,
    /// The body, without its chunks.
    pub(crate) body: Vec<u8>,
    /// Which request of this server, from 0.
    pub(crate) number: usize,
    /// Which connection, from 0.
    pub(crate) connection: usize,
    /// Which request of its connection, from 0.
    pub(crate) on_connection: usize,
    /// When it was there.
    pub(crate) at: Instant,
}

impl Seen {
    /// The first header of a name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == &name.to_ascii_lowercase()).map(|(_, v)| v.as_str())
    }

    /// The path without the query.
    pub(crate) fn path(&self) -> &str {
        self.target.split_once('?').map_or(self.target.as_str(), |(path, _)| path)
    }

    /// The query without `?`; empty when there is none.
    pub(crate) fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }

    /// The body as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("the body is no JSON ({e}): {}", String::from_utf8_lossy(&self.body)))
    }
}

/// A running server; it ends, with its connections, when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    reply: Box<dyn Fn(&Seen) -> Script + Send + Sync>,
    log: Mutex<Vec<Seen>>,
    stop: AtomicBool,
    connections: AtomicUsize,
    at_once: AtomicUsize,
    most_at_once: AtomicUsize,
    sent: AtomicUsize,
    /// A second handle of each open connection, to end it from outside.
    open: Mutex<HashMap<usize, TcpStream>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    idle: Option<Duration>,
}

impl Server {
    /// A server that answers each request with what the function returns. The function may be called from several threads
    /// at once.
    pub(crate) fn start(reply: impl Fn(&Seen) -> Script + Send + Sync + 'static) -> Server {
        Server::begin(None, Box::new(reply))
    }

    /// The same, and a connection on which nothing comes for this time is closed without a word.
    pub(crate) fn impatient(idle: Duration, reply: impl Fn(&Seen) -> Script + Send + Sync + 'static) -> Server {
        Server::begin(Some(idle), Box::new(reply))
    }

    /// One script for each request, in order of arrival; the last for all that come after.
    pub(crate) fn scripted(scripts: Vec<Script>) -> Server {
        Server::start(move |seen| scripts.get(seen.number).or(scripts.last()).cloned().unwrap_or_default())
    }

    fn begin(idle: Option<Duration>, reply: Box<dyn Fn(&Seen) -> Script + Send + Sync>) -> Server {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            reply,
            log: Mutex::default(),
            stop: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
            at_once: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
            sent: AtomicUsize::new(0),
            open: Mutex::default(),
            threads: Mutex::default(),
            idle,
        });
        let own = Arc::clone(&shared);
        let accepting = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if own.stop.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let Ok(twin) = stream.try_clone() else { continue };
                let number = own.connections.fetch_add(1, Ordering::SeqCst);
                lock(&own.open).insert(number, twin);
                let inner = Arc::clone(&own);
                let thread = std::thread::spawn(move || inner.connection(stream, number));
                lock(&own.threads).push(thread);
            }
        });
        Server { address, shared, accepting: Some(accepting) }
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    /// Its port.
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// All requests so far.
    pub(crate) fn log(&self) -> Vec<Seen> {
        lock(&self.shared.log).clone()
    }

    /// How many requests came so far.
    pub(crate) fn count(&self) -> usize {
        lock(&self.shared.log).len()
    }

    /// How many connections were opened so far.
    pub(crate) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// The most requests that were being answered at the same time.
    pub(crate) fn most_at_once(&self) -> usize {
        self.shared.most_at_once.load(Ordering::SeqCst)
    }

    /// How many bytes the system took from this server so far.
    pub(crate) fn sent(&self) -> usize {
        self.shared.sent.load(Ordering::SeqCst)
    }
}

/// A port of 127.0.0.1 on which nobody listens. Another process may take it; the system hands out others first.
pub(crate) fn dead_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.accepting.take() {
            let _ = thread.join();
        }
        for stream in lock(&self.shared.open).values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        for thread in std::mem::take(&mut *lock(&self.shared.threads)) {
            let _ = thread.join();
        }
    }
}

/// What comes after a script.
enum After {
    /// The next request of the connection.
    Next,
    /// Nothing more on this connection.
    End,
}

impl Shared {
    fn connection(&self, stream: TcpStream, number: usize) {
        self.requests(stream, number);
        // The socket closes with its last handle.
        lock(&self.open).remove(&number);
    }

    fn requests(&self, mut stream: TcpStream, number: usize) {
        let began = Instant::now();
        let _ = stream.set_nodelay(true);
        let mut buffer = Vec::new();
        for on_connection in 0.. {
            if began.elapsed() > LONGEST {
                return;
            }
            let _ = stream.set_read_timeout(Some(self.idle.unwrap_or(LONGEST)));
            let Some(mut seen) = read_request(&mut stream, &mut buffer) else {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            };
            seen.connection = number;
            seen.on_connection = on_connection;
            {
                let mut log = lock(&self.log);
                seen.number = log.len();
                log.push(seen.clone());
            }
            let now = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
            self.most_at_once.fetch_max(now, Ordering::SeqCst);
            let script = (self.reply)(&seen);
            // Whoever has the last byte may ask again before this thread goes on.
            let (last, first) =
                script.steps.split_last().map_or((&[][..], &[][..]), |(l, f)| (std::slice::from_ref(l), f));
            let after = self.play(&mut stream, first);
            self.at_once.fetch_sub(1, Ordering::SeqCst);
            let after = match after {
                After::Next => self.play(&mut stream, last),
                After::End => After::End,
            };
            match after {
                After::Next => {}
                After::End => return,
            }
        }
    }

    fn play(&self, stream: &mut TcpStream, steps: &[Step]) -> After {
        let began = Instant::now();
        for step in steps {
            match step {
                Step::Send(bytes) => {
                    if !self.send(stream, bytes) {
                        return After::End;
                    }
                }
                Step::Wait(time) => {
                    let until = Instant::now() + *time;
                    while Instant::now() < until {
                        if self.stop.load(Ordering::SeqCst) || began.elapsed() > LONGEST {
                            return After::End;
                        }
                        std::thread::sleep(
                            until.saturating_duration_since(Instant::now()).min(Duration::from_millis(20)),
                        );
                    }
                }
                Step::Endless(bytes) => {
                    while !self.stop.load(Ordering::SeqCst) && began.elapsed() < LONGEST {
                        if !self.send(stream, bytes) {
                            return After::End;
                        }
                    }
                    return After::End;
                }
                Step::Close => {
                    let _ = stream.shutdown(Shutdown::Both);
                    return After::End;
                }
                Step::Reset => {
                    reset(stream);
                    return After::End;
                }
            }
        }
        After::Next
    }

    fn send(&self, stream: &mut TcpStream, bytes: &[u8]) -> bool {
        let sent = stream.write_all(bytes).and_then(|()| stream.flush()).is_ok();
        if sent {
            self.sent.fetch_add(bytes.len(), Ordering::SeqCst);
        }
        sent
    }
}

/// Lets the socket end with RST when its last handle is dropped. The standard library cannot say so yet; tokio can.
fn reset(stream: &TcpStream) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
    let _inside = runtime.enter();
    let Ok(twin) = stream.try_clone() else { return };
    let _ = twin.set_nonblocking(true);
    if let Ok(twin) = tokio::net::TcpStream::from_std(twin) {
        let _ = twin.set_zero_linger();
    }
}

/// Reads one request; none when the connection ends, stays silent too long, or sends what is no request.
fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Seen> {
    let head_end = loop {
        if let Some(at) = find(buffer, b"\r\n\r\n") {
            break at;
        }
        fill(stream, buffer)?;
    };
    let head = String::from_utf8_lossy(buffer.get(..head_end)?).into_owned();
    buffer.drain(..head_end + 4);
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|l| l.split_once(':'))
        .map(|(n, v)| (n.trim().to_ascii_lowercase(), v.trim().to_owned()))
        .collect();
    let get = |name: &str| headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
    let body = if get("transfer-encoding").is_some_and(|v| v.eq_ignore_ascii_case("chunked")) {
        read_chunks(stream, buffer)?
    } else {
        let length = get("content-length").and_then(|v| v.parse().ok()).unwrap_or(0);
        take(stream, buffer, length)?
    };
    Some(Seen { method, target, headers, body, number: 0, connection: 0, on_connection: 0, at: Instant::now() })
}

fn read_chunks(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = loop {
            if let Some(at) = find(buffer, b"\r\n") {
                break at;
            }
            fill(stream, buffer)?;
        };
        let line = String::from_utf8_lossy(buffer.get(..end)?).into_owned();
        buffer.drain(..end + 2);
        let size = usize::from_str_radix(line.split(';').next()?.trim(), 16).ok()?;
        body.extend(take(stream, buffer, size)?);
        take(stream, buffer, 2)?;
        if size == 0 {
            return Some(body);
        }
    }
}

fn take(stream: &mut TcpStream, buffer: &mut Vec<u8>, length: usize) -> Option<Vec<u8>> {
    while buffer.len() < length {
        fill(stream, buffer)?;
    }
    Some(buffer.drain(..length).collect())
}

fn fill(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<()> {
    let mut piece = [0; 8192];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return None,
            Ok(n) => {
                buffer.extend(piece.get(..n)?);
                return (buffer.len() <= MOST).then_some(());
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|w| w == what)
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Servers that are started for a run, with real processes and a real listener: when they are ready, what is said when they
//! are not, and that nothing of them is left.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod process_kit;

use process_kit::{alive, assert_alive, assert_gone, environment, marker, run, text, texts, within, zombies};
use ragline::suite::config::live::Start;
use ragline::target::server::Server;
use ragline::target::{Again, Failure, FailureKind};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A listener that refuses connections for a time, is loading for a time, and is ready then.
struct Slow {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

const LOADING: &str = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 20\r\n\r\n{\"status\":\"loading\"}";
const LOADING_CHUNKED: &str =
    "HTTP/1.1 503 Service Unavailable\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n{\"status\":\"loading\"}\r\n0\r\n\r\n";
const READY: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

impl Slow {
    fn new(refuses: Duration, loads: Duration, loading: &'static str) -> Slow {
        // The port is ours from here on in so far as nobody else asks the system for this one.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            std::thread::sleep(refuses);
            let listener = TcpListener::bind(address).unwrap();
            let began = Instant::now();
            while let Ok((stream, _)) = listener.accept() {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                answer(stream, if began.elapsed() < loads { loading } else { READY });
            }
        });
        Slow { address, stop, thread: Some(thread) }
    }

    /// One that is ready at once.
    fn ready() -> Slow {
        let slow = Slow::new(Duration::ZERO, Duration::ZERO, LOADING);
        assert!(within(2000, || TcpStream::connect(slow.address).is_ok()));
        slow
    }

    fn url(&self) -> String {
        format!("http://{}/health", self.address)
    }
}

/// Answers one request and keeps the connection open for a moment, as servers do.
fn answer(mut stream: TcpStream, response: &str) {
    stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let mut request = Vec::new();
    let mut bytes = [0; 1024];
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read(&mut bytes) {
            Ok(n @ 1..) => request.extend(&bytes[..n]),
            Ok(0) | Err(_) => return,
        }
    }
    let request = String::from_utf8(request).unwrap();
    let good = request.starts_with("GET /health HTTP/1.1\r\n") && request.contains("\r\nHost: 127.0.0.1:");
    let _ = stream.write_all(if good { response } else { "HTTP/1.1 400 Bad\r\n\r\n" }.as_bytes());
}

impl Drop for Slow {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // It waits for a connection, or has not begun to.
        let thread = self.thread.take().unwrap();
        while !thread.is_finished() {
            let _ = TcpStream::connect(self.address);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn server(start: Option<&[&str]>, ready: Option<&str>, within: Duration) -> Server {
    let start = start.map(|words| Start { command: texts(words), folder: std::env::temp_dir() });
    let env = environment(&[("KEY", "sk-very-secret"), ("PORT", "8000")]);
    Server::new(start.as_ref(), ready.map(text).as_ref(), within, &env).unwrap()
}

fn opened(server: &Server) -> (Result<(), Failure>, Duration) {
    let began = Instant::now();
    let done = run(async {
        let done = server.open().await;
        server.close().await;
        done
    });
    (done, began.elapsed())
}

#[track_caller]
fn not_ready(done: Result<(), Failure>) -> String {
    let f = done.unwrap_err();
    assert_eq!((f.kind, f.again), (FailureKind::NotReady, Again::Never), "{f}");
    f.why
}

const S: fn(u64) -> Duration = Duration::from_secs;
const MS: fn(u64) -> Duration = Duration::from_millis;

#[test]
fn refused_then_loading_then_ready() {
    let slow = Slow::new(MS(700), MS(800), LOADING);
    let m = marker();
    let server = server(Some(&["sleep", &m]), Some(&slow.url()), S(10));
    let (done, took) = opened(&server);
    assert_eq!(done, Ok(()));
    assert!(took >= MS(1500) && took < S(6), "{took:?}");
    assert_gone(&m);
}

#[test]
fn not_ready_in_time_says_what_was_answered_last() {
    for loading in [LOADING, LOADING_CHUNKED] {
        let slow = Slow::new(MS(300), S(60), loading);
        let m = marker();
        let server = server(Some(&["sleep", &m]), Some(&slow.url()), MS(1500));
        let (done, took) = opened(&server);
        assert_eq!(not_ready(done), r#"not ready after 1.5 s: 503 {"status":"loading"}"#);
        assert!(took >= MS(1500) && took < S(3), "{took:?}");
        assert_gone(&m);
    }
}

#[test]
fn nobody_there_is_said_too() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let server = server(None, Some(&format!("http://{nobody}/health")), S(1));
    assert_eq!(not_ready(opened(&server).0), "not ready after 1 s: connection refused");
}

#[test]
fn a_server_that_takes_connections_and_says_nothing_is_not_ready() {
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = server(None, Some(&format!("http://{}/health", mute.local_addr().unwrap())), S(1));
    let (done, took) = opened(&server);
    assert_eq!(not_ready(done), "not ready after 1 s: no answer");
    assert!(took < S(2), "{took:?}");
}

#[test]
fn a_server_that_dies_ends_the_wait_at_once_with_its_last_words() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let ready = format!("http://{nobody}/health");
    let m = marker();
    let script =
        format!("sleep {m} & sleep 0.3; echo 'Traceback' >&2; echo 'no module named bot: sk-very-secret' >&2; exit 3");
    let server = server(Some(&["sh", "-c", &format!("{script} # ${{KEY}}")]), Some(&ready), S(30));
    let (done, took) = opened(&server);
    assert_eq!(not_ready(done), "`sh …` ended with exit status 3: no module named bot: ***");
    assert!(took < S(2), "{took:?}");
    assert_gone(&m);
}

#[test]
fn a_server_that_goes_into_the_background_is_told_not_to() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let m = marker();
    let words = ["sh", "-c", &format!("echo started; sleep {m} & exit 0")];
    let server = server(Some(&words), Some(&format!("http://{nobody}/")), S(30));
    let why = not_ready(opened(&server).0);
    assert_eq!(why, "`sh …` ended with exit status 0 (a server that is started must stay in the foreground): started");
    assert_gone(&m);
}

#[test]
fn another_program_that_answers_already_is_not_taken_for_ours() {
    let old = Slow::ready();
    let m = marker();
    let server = server(Some(&["sleep", &m]), Some(&old.url()), S(10));
    let (done, took) = opened(&server);
    let expected = format!("another program already answers at {}; stop it, or remove `start`", old.url());
    assert_eq!(not_ready(done), expected);
    assert!(took < S(1), "{took:?}");
    assert_gone(&m);
    // The same address, of which we start nothing, is what was wanted.
    let server = self::server(None, Some(&old.url()), S(10));
    assert_eq!(opened(&server).0, Ok(()));
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let server = server(Some(&["no-such-program-xyz", "--port", "1"]), None, S(5));
    assert_eq!(not_ready(opened(&server).0), "`no-such-program-xyz …` cannot be run: it is in no folder of PATH");
}

#[test]
fn without_an_address_it_is_ready_when_it_runs_and_its_end_is_noticed() {
    let m = marker();
    let server = server(Some(&["sh", "-c", "sleep 0.4; echo out of memory >&2; exit 7"]), None, S(30));
    run(async {
        let began = Instant::now();
        server.open().await.unwrap();
        assert!(began.elapsed() < MS(300));
        assert_eq!(server.ended().await, None);
        tokio::time::sleep(MS(800)).await;
        let f = server.ended().await.unwrap();
        assert_eq!(f.why, "`sh …` ended with exit status 7: out of memory");
        // It stays so.
        assert_eq!(server.ended().await.unwrap().why, f.why);
        server.close().await;
    });
    assert_gone(&m);
}

#[test]
fn close_ends_the_whole_group_gently() {
    let m = marker();
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("ended");
    let script = format!("trap 'echo bye > {}; exit 0' TERM; sleep {m} & while :; do sleep 0.05; done", note.display());
    let server = server(Some(&["sh", "-c", &script]), None, S(5));
    let took = run(async {
        server.open().await.unwrap();
        assert_alive(&m);
        // A shell between fork and exec takes a signal for itself.
        tokio::time::sleep(MS(200)).await;
        let began = Instant::now();
        server.close().await;
        // It has been waited for.
        assert_eq!(alive(&m), [] as [u32; 0]);
        began.elapsed()
    });
    assert_eq!(std::fs::read_to_string(note).unwrap(), "bye\n");
    assert!(took < S(1), "{took:?}");
}

#[test]
fn close_kills_what_does_not_listen() {
    let m = marker();
    let script = format!("trap '' TERM; sleep {m} & while :; do sleep 1; done");
    let server = server(Some(&["sh", "-c", &script]), None, S(5));
    let took = run(async {
        server.open().await.unwrap();
        assert_alive(&m);
        tokio::time::sleep(MS(200)).await;
        let began = Instant::now();
        server.close().await;
        began.elapsed()
    });
    assert_gone(&m);
    assert!(took >= MS(1900) && took < S(4), "{took:?}");
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn a_start_that_is_given_up_or_forgotten_leaves_nothing() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let m = marker();
    let script = format!("trap '' TERM; sleep {m} & wait");
    let server = server(Some(&["sh", "-c", &script]), Some(&format!("http://{nobody}/")), S(30));
    run(async {
        assert!(tokio::time::timeout(MS(600), server.open()).await.is_err());
        assert_alive(&m);
        drop(server);
    });
    assert_gone(&m);
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn a_server_that_prints_without_end_does_not_block() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("printed");
    // 8 MB to each of its outputs: a pipe that nobody reads takes 64 KiB.
    let print = "head -c 8000000 /dev/zero; head -c 8000000 /dev/zero >&2";
    let script = format!("{print}; touch {}; sleep 60", note.display());
    let server = server(Some(&["sh", "-c", &script]), None, S(5));
    run(async {
        server.open().await.unwrap();
        let until = Instant::now() + S(10);
        while !note.exists() && Instant::now() < until {
            tokio::time::sleep(MS(20)).await;
        }
        assert!(note.exists());
        server.close().await;
    });
}

#[test]
fn a_real_server_is_started_asked_and_stopped() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        println!("SKIPPED: there is no python3");
        return;
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let start = ["python3", "-m", "http.server", "--bind", "127.0.0.1", &port];
    let server = server(Some(&start), Some(&format!("http://127.0.0.1:{port}/")), S(20));
    run(async {
        server.open().await.unwrap();
        assert_eq!(server.ended().await, None);
        server.close().await;
        assert_eq!(server.ended().await, None);
    });
    assert!(TcpStream::connect(format!("127.0.0.1:{port}")).is_err());
}

#[test]
fn settings_that_cannot_be_used_are_problems_and_show_no_secrets() {
    let env = environment(&[("KEY", "sk-very-secret")]);
    let new = |ready: &str| Server::new(None, Some(&text(ready)), S(1), &env);
    assert_eq!(new("http://h/${NONE}").unwrap_err().code, "env-missing");
    let p = new("localhost/${KEY}").unwrap_err();
    assert_eq!((p.code, &*p.place.file), ("ready-address", "ragline.toml"));
    let shown = format!("{p:?} {:?}", new("http://h/${KEY}").unwrap());
    assert!(!shown.contains("sk-very-secret"), "{shown}");
}

//! The server of the tests does what its scripts say, byte by byte.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod server_kit;

use server_kit::{Script, Server};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Sends bytes and reads until the server ends the connection.
fn exchange(server: &Server, request: &[u8]) -> (Vec<u8>, std::io::Result<usize>) {
    let mut stream = TcpStream::connect(server.host()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(request).unwrap();
    let mut got = Vec::new();
    let end = stream.read_to_end(&mut got);
    (got, end)
}

#[test]
fn requests_are_logged_and_scripts_are_played() {
    let server = Server::start(|seen| match seen.path() {
        "/close" => Script::json(200, "{}").close(),
        "/cut" => Script::promise(200, &["x: y"], 10).then("abc").close(),
        "/reset" => Script::promise(200, &[], 10).then("abc").wait(Duration::from_millis(100)).reset(),
        "/late" => Script::json(200, "{}").after(Duration::from_millis(200)).close(),
        _ => Script::chunked(200, &[], &[b"a", b"bc"]),
    });
    let two = b"POST /x?a=b HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n\xe0\xb8\x81\
                PUT /close HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{\"\r\n3\r\na\":\r\n2\r\n1}\r\n0\r\n\r\n";
    let (got, end) = exchange(&server, two);
    end.unwrap();
    assert_eq!(
        String::from_utf8(got).unwrap(),
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n\
         HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
    );
    let log = server.log();
    assert_eq!((log[0].method.as_str(), log[0].path(), log[0].query()), ("POST", "/x", "a=b"));
    assert_eq!((log[0].header("HOST"), log[0].body.as_slice()), (Some("h"), "ก".as_bytes()));
    assert_eq!((log[1].json()["a"].as_i64(), log[1].connection, log[1].on_connection), (Some(1), 0, 1));

    let (got, end) = exchange(&server, b"GET /cut HTTP/1.1\r\n\r\n");
    assert!(end.is_ok() && got.ends_with(b"x: y\r\ncontent-length: 10\r\n\r\nabc"));
    let (_, end) = exchange(&server, b"GET /reset HTTP/1.1\r\n\r\n");
    assert_eq!(end.unwrap_err().kind(), ErrorKind::ConnectionReset);
    let began = Instant::now();
    exchange(&server, b"GET /late HTTP/1.1\r\n\r\n").1.unwrap();
    assert!(began.elapsed() >= Duration::from_millis(200));
    assert_eq!(server.connections(), 4);
}

#[test]
fn an_endless_reply_and_silence_end_with_the_server() {
    let began = Instant::now();
    let server = Server::start(|seen| match seen.path() {
        "/endless" => Script::open_chunks(200, &[]).endless(*b"1\r\na\r\n"),
        _ => Script::silence(),
    });
    let mut silent = TcpStream::connect(server.host()).unwrap();
    silent.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut endless = TcpStream::connect(server.host()).unwrap();
    endless.write_all(b"GET /endless HTTP/1.1\r\n\r\n").unwrap();
    let mut some = vec![0; 100_000];
    endless.read_exact(&mut some).unwrap();
    drop(server);
    assert!(began.elapsed() < Duration::from_secs(10));
}

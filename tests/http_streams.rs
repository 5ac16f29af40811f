//! Streams are read as bytes: where a piece is cut does not matter, and how a stream ends does.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod server_kit;

use ragline::secret::{Secret, Secrets};
use ragline::suite::config::live::Stream;
use ragline::target::http::{Events, is_whole};
use ragline::target::{Again, FailureKind};
use serde_json::{Value, json};
use server_kit::asking::{answer, failure, open, response};
use server_kit::{Script, Server};
use std::time::Duration;

fn settings(server: &Server, stream: &str) -> String {
    format!(
        "url = \"{}\"\nbody = '{{\"q\": {{{{ question }}}}}}'\nstream = \"{stream}\"\n\
         [targets.shop.response]\nanswer = \"$.answer\"\ndelta = \"$.choices[0].delta.content\"\n\
         contexts = \"$.contexts\"\n",
        server.url("/ask")
    )
}

/// All that a stream of these bytes holds, read in these pieces.
fn events(stream: Stream, pieces: &[&[u8]]) -> (Vec<Value>, bool) {
    let secrets = Secrets::default();
    let mut events = Events::new(stream, &secrets);
    for piece in pieces {
        events.push(piece).unwrap();
    }
    let whole = events.finish().unwrap();
    assert_eq!(whole.values.len(), whole.names.len());
    (whole.values, whole.done)
}

const SSE: &str = "\u{feff}: a comment\r\nevent: delta\r\ndata: {\"t\": \"Bảo\",\r\ndata: \"u\": 1e3}\r\n\r\n\
    data:{\"t\": \"ประกัน\"}\n\nid: 7\nretry: 10\ndata\n\nevent: ping\ndata: now\n\n\
    data: {\"t\":\rdata: \"保修𠮷\"}\r\rdata: [DONE]\n\ndata: not read any more\n\n";

#[test]
fn events_may_be_cut_anywhere() {
    let right = (vec![json!({"t": "Bảo", "u": "1e3"}), json!({"t": "ประกัน"}), json!({"t": "保修𠮷"})], true);
    let bytes = SSE.as_bytes();
    assert_eq!(events(Stream::Sse, &[bytes]), right);
    for at in 0..=bytes.len() {
        assert_eq!(events(Stream::Sse, &[&bytes[..at], &bytes[at..]]), right, "cut at {at}");
    }
    for size in 1..8 {
        assert_eq!(events(Stream::Sse, &bytes.chunks(size).collect::<Vec<_>>()), right, "pieces of {size}");
    }
}

#[test]
fn lines_may_be_cut_anywhere() {
    let text = "\u{feff}{\"a\": \"ế\"}\r\n\n  \n{\"a\": \"ก\\r\"}\n{\"a\": 2}";
    let right = (vec![json!({"a": "ế"}), json!({"a": "ก\r"}), json!({"a": 2})], false);
    for at in 0..=text.len() {
        let (a, b) = text.as_bytes().split_at(at);
        assert_eq!(events(Stream::Ndjson, &[a, b]), right, "cut at {at}");
    }
}

#[test]
fn a_secret_in_an_event_is_hidden() {
    let secrets = Secrets::new([Secret::new("tok_9f3c77aa12")]);
    let mut events = Events::new(Stream::Sse, &secrets);
    events.push(b"data: {\"t\": \"tok_9f3c77aa12\"}\n\n").unwrap();
    let f = events.push(b"data: tok_9f3c77aa12 is wrong\n\n").unwrap_err();
    assert_eq!((f.kind, f.why.contains("*** is wrong")), (FailureKind::NotJson, true), "{f}");
    assert_eq!(events.finish().unwrap().values, [json!({"t": "***"})]);
}

#[test]
fn streams_that_were_cut_are_known() {
    let delta = |text: &str| json!({"choices": [{"delta": {"content": text}, "finish_reason": null}]});
    let last = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {}});
    assert!(!is_whole(&[delta("a"), delta("b")], false));
    assert!(is_whole(&[delta("a")], true) && is_whole(&[delta("a"), last, usage], false));
    assert!(!is_whole(&[json!({"done": false})], false) && is_whole(&[json!({"done": true})], false));
    assert!(is_whole(&[json!({"answer": "a"})], false), "a protocol without an end mark");
}

const SSE_TYPE: &[&str] = &["content-type: text/event-stream"];

#[test]
fn streams_of_a_server() {
    let ask = |stream: &str, script: Script| {
        let server = Server::scripted(vec![script]);
        response(&open(&settings(&server, stream)), "?")
    };
    let chat = "data: {\"choices\":[{\"delta\":{\"content\":\"Bảo \"}}]}\n\n\
                data: {\"choices\":[{\"delta\":{\"content\":\"hành\"}}]}\n\n\
                data: {\"contexts\":[{\"doc\":\"a.md\"}]}\n\ndata: [DONE]\n\n";
    let pieces: Vec<&[u8]> = chat.as_bytes().chunks(7).collect();
    let r = ask("sse", Script::chunked(200, SSE_TYPE, &pieces));
    assert_eq!((answer(&r), r.contexts.as_ref().unwrap().len()), ("Bảo hành", 1));
    // The connection stays open after the end mark: nobody waits for it.
    let began = std::time::Instant::now();
    let open_end = Script::open_chunks(200, SSE_TYPE).chunk(chat).wait(Duration::from_secs(60));
    assert_eq!(answer(&ask("sse", open_end)), "Bảo hành");
    assert!(began.elapsed() < Duration::from_secs(10));
    // An end by the connection alone.
    let r = ask("sse", Script::raw("HTTP/1.1 200 OK\r\n\r\ndata: {\"answer\": \"yes\", \"contexts\": []}").close());
    assert_eq!((answer(&r), r.contexts.as_ref().map(Vec::len)), ("yes", Some(0)));
    // A server that does not stream after all.
    assert_eq!(answer(&ask("sse", Script::json(200, "{\n \"answer\": \"yes\"\n}"))), "yes");
    let lines: &[&[u8]] = &[b"{\"answer\"", b": \"a\xe1\xba", b"\xbf\"}\n{\"con", b"texts\": [\"c\"]}\n"];
    let r = ask("ndjson", Script::chunked(200, &["content-type: application/x-ndjson"], lines));
    assert_eq!((answer(&r), r.contexts.as_ref().unwrap()[0].text.as_deref()), ("aế", Some("c")));
}

#[test]
fn streams_that_fail() {
    let fails = |stream: &str, script: Script| {
        let server = Server::scripted(vec![script]);
        failure(&open(&settings(&server, stream)), "?")
    };
    let delta = "data: {\"choices\":[{\"delta\":{\"content\":\"Bảo \"}}]}\n\n";
    let with = |rest: &str| Script::chunked(200, SSE_TYPE, &[delta.as_bytes(), rest.as_bytes()]);
    let cut = fails("sse", with(""));
    assert_eq!((cut.kind, cut.again), (FailureKind::Cut, Again::Soon), "{cut}");
    assert!(cut.why.contains("without its end mark"), "{cut}");
    let f = fails("sse", with("data: {\"choices\":[{\"del"));
    assert_eq!(f.kind, FailureKind::Cut, "{f}");
    let f = fails("sse", Script::open_chunks(200, SSE_TYPE).chunk(delta).close());
    assert_eq!(f.kind, FailureKind::Cut, "{f}");
    for error in [
        "data: {\"error\": {\"message\": \"out of memory\"}}\n\n",
        "event: error\ndata: out of memory\n\n",
        "event: error\ndata: {\"message\": \"out of memory\"}\n\ndata: [DONE]\n\n",
    ] {
        let f = fails("sse", with(error));
        assert_eq!(f.kind, FailureKind::ErrorBody, "{f}");
        assert!(f.why.contains("out of memory"), "{f}");
    }
    let f = fails("sse", with("event: error\ndata: {\"error\": {\"code\": 429, \"message\": \"slow\"}}\n\n"));
    assert_eq!((f.kind, f.again), (FailureKind::RateLimited, Again::Soon), "{f}");
    let f = fails("sse", with("data: hello\n\n"));
    assert_eq!((f.kind, f.why.contains("hello")), (FailureKind::NotJson, true), "{f}");
    let f = fails("sse", Script::html(200, "<title>Sign in</title>"));
    assert_eq!((f.kind, f.why.contains("Sign in")), (FailureKind::NotJson, true), "{f}");
    let f = fails("ndjson", Script::reply(200, &[], ""));
    assert_eq!((f.kind, f.why.contains("without an event")), (FailureKind::NotJson, true), "{f}");
    let f = fails("ndjson", Script::reply(200, &[], "{\"answer\": \"a\", \"done\": false}\n"));
    assert_eq!(f.kind, FailureKind::Cut, "{f}");
    let endless = Script::open_chunks(200, SSE_TYPE).endless(*b"8\r\n: stay\n\n\r\n");
    let server = Server::scripted(vec![endless]);
    let f = failure(&open(&settings(&server, "sse").replace("stream", "max_body = \"64KiB\"\nstream")), "?");
    assert_eq!((f.kind, f.why.contains("64 KiB")), (FailureKind::TooLarge, true), "{f}");
}

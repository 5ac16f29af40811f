//! What is no answer is a failure of the call that says what came instead.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod server_kit;

use ragline::target::{Again, Failure, FailureKind};
use server_kit::asking::{answer, failure, open, response};
use server_kit::{Script, Server, dead_port};
use std::time::{Duration, Instant};

/// The settings of a target at this server.
fn settings(server: &Server, more: &str) -> String {
    settings_at(&server.url("/ask"), more)
}

fn settings_at(url: &str, more: &str) -> String {
    format!(
        "url = \"{url}\"\nbody = '{{\"question\": {{{{ question }}}}}}'\n{more}\n[targets.shop.response]\nanswer = \"$.answer\"\n"
    )
}

/// The failure where this is what the server sends.
#[track_caller]
fn fails(script: Script, more: &str) -> Failure {
    let server = Server::scripted(vec![script]);
    failure(&open(&settings(&server, more)), "Is it open?")
}

#[track_caller]
fn is(f: &Failure, kind: FailureKind, again: Again, words: &[&str]) {
    assert_eq!((f.kind, f.again), (kind, again), "{f}");
    for w in words {
        assert!(f.why.contains(w), "{w:?} is not in: {f}");
    }
    assert!(!f.why.contains('\n'), "{f}");
}

#[test]
fn errors_within_a_success_are_no_answers() {
    use FailureKind::{ErrorBody, NotJson, RateLimited, Unmapped};
    let ok = |body: &str| fails(Script::json(200, body), "");
    is(
        &ok(r#"{"error": {"code": 429, "message": "slow down"}}"#),
        RateLimited,
        Again::Soon,
        &["rate limited", "slow down"],
    );
    is(&ok(r#"{"choices": null, "error": "x"}"#), ErrorBody, Again::Never, &["is an error: x"]);
    is(&ok(r#"{"choices": []}"#), Unmapped, Again::Never, &["$.answer", "`choices`", r#"{"choices":[]}"#]);
    is(&ok(r#"{"detail": "index not loaded"}"#), ErrorBody, Again::Never, &["index not loaded"]);
    is(&ok(""), NotJson, Again::Never, &["the body is empty"]);
    is(&ok("null"), Unmapped, Again::Never, &["null"]);
    is(&ok("[]"), Unmapped, Again::Never, &["an empty list", "[]"]);
    is(&ok(r#"{"answer": null, "id": 7}"#), Unmapped, Again::Never, &["the answer is null", "`id`"]);
    is(&ok(r#"{"answer": {"a": 1}}"#), Unmapped, Again::Never, &["an object", "expected a text"]);
    is(&ok(r#"{"error": {"status": "503", "message": "loading"}}"#), ErrorBody, Again::Soon, &["503", "loading"]);
    is(
        &ok(r#"{"error": {"code": "insufficient_quota", "message": "pay"}}"#),
        RateLimited,
        Again::Never,
        &["quota", "pay"],
    );
    is(&ok(r#"{"error": {"type": "rate_limit_error"}}"#), RateLimited, Again::Soon, &["rate_limit_error"]);
    is(&ok(r#"{"errors": [{"message": "no field"}]}"#), ErrorBody, Again::Never, &["no field"]);
    is(&ok(r#"{"error": true, "message": "broken"}"#), ErrorBody, Again::Never, &["broken"]);
    is(&ok("{\"answer\": \"cut in the mid"), NotJson, Again::Never, &["in the middle", "cut in the mid"]);
    is(&ok("plain words"), NotJson, Again::Never, &["no JSON", "plain words"]);
}

#[test]
fn an_answer_beside_an_empty_error_is_an_answer() {
    for body in [
        r#"{"answer": "yes", "error": null}"#,
        r#"{"answer": "yes", "error": ""}"#,
        r#"{"answer": "yes", "error": false, "errors": []}"#,
        r#"{"answer": "yes", "error": {}, "detail": "from the index"}"#,
        r#"{"answer": "yes", "errors": 3}"#,
    ] {
        let server = Server::scripted(vec![Script::json(200, body)]);
        let r = response(&open(&settings(&server, "")), "?");
        assert_eq!((answer(&r), r.id.as_ref()), ("yes", "q1"), "{body}");
    }
    let server = Server::scripted(vec![Script::json(200, r#"{"answer": ""}"#)]);
    assert_eq!(answer(&response(&open(&settings(&server, "")), "?")), "", "blank, and judged as such");
}

#[test]
fn the_error_that_the_settings_map_is_looked_at_first() {
    let body = r#"{"answer": "half", "meta": {"failure": {"message": "timed out"}}}"#;
    let server = Server::scripted(vec![Script::json(200, body)]);
    let f = failure(&open(&(settings(&server, "") + "error = \"$.meta.failure\"\n")), "?");
    is(&f, FailureKind::ErrorBody, Again::Never, &["timed out"]);
    let server = Server::scripted(vec![Script::json(200, r#"{"answer": "yes", "error": "unmapped"}"#)]);
    let r = response(&open(&(settings(&server, "") + "error = \"$.meta.failure\"\n")), "?");
    assert_eq!(answer(&r), "yes");
}

#[test]
fn statuses_say_whether_another_attempt_helps() {
    use FailureKind::{RateLimited, Status};
    let reply = |status: u16, headers: &[&str], body: &str| fails(Script::reply(status, headers, body), "");
    let after = |s| Again::After(Duration::from_secs(s));
    is(&reply(429, &["retry-after: 2"], "{}"), RateLimited, after(2), &["HTTP 429 Too Many Requests"]);
    is(&reply(429, &["retry-after: soon"], ""), RateLimited, Again::Soon, &["HTTP 429"]);
    is(&reply(429, &["retry-after: 0"], ""), RateLimited, Again::Soon, &[]);
    let hour_off = ["date: Mon, 30 Nov 2020 09:00:00 GMT", "retry-after: Mon, 30 Nov 2020 09:00:02 GMT"];
    is(&reply(429, &hour_off, ""), RateLimited, after(2), &[]);
    is(&reply(503, &["retry-after: 1.5"], r#"{"status": "loading"}"#), Status, after(2), &["HTTP 503", "loading"]);
    for status in [408, 425, 500, 502, 503, 504, 529] {
        is(&reply(status, &[], "x"), Status, Again::Soon, &[&format!("HTTP {status}"), ": x"]);
    }
    for status in [400, 401, 403, 404, 405, 413, 422, 501] {
        is(&reply(status, &["retry-after: 2"], "x"), Status, Again::Never, &[&format!("HTTP {status}")]);
    }
    let quota = r#"{"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}"#;
    is(&reply(429, &[], quota), RateLimited, Again::Never, &["quota is used up", "You exceeded"]);
    is(&reply(422, &[], r#"{"detail": [{"msg": "field required"}]}"#), Status, Again::Never, &[": field required"]);
    let page = "<html><head><title>\n Gateway\n down</title></head>";
    is(&reply(502, &["content-type: text/html"], page), Status, Again::Soon, &["a web page \"Gateway down\""]);
    let long = "é".repeat(10_000);
    let f = reply(400, &[], &long);
    assert!(f.why.chars().count() < 350 && f.why.ends_with('…'), "{}", f.why.len());
}

#[test]
fn pages_and_redirects_are_no_answers() {
    let page = "<!doctype html><title>Sign in</title> opening hours 09:00 {\"answer\": \"09:00\"}";
    let server = Server::start(move |seen| match seen.path() {
        "/sso" => Script::redirect(302, "/login"),
        "/slash" => Script::redirect(301, "/slash/"),
        "/moved" => Script::redirect(308, "/good"),
        "/round" => Script::redirect(307, "/round"),
        "/nowhere" => Script::reply(302, &[], ""),
        "/relative" => Script::redirect(307, "good?a=b"),
        "/good" => Script::json(200, r#"{"answer": "good"}"#),
        "/json-as-html" => Script::html(200, r#"{"answer": "yes"}"#),
        "/untyped-page" => Script::reply(200, &[], "  <HTML><TITLE>Welcome</TITLE>"),
        "/hop-to-page" => Script::redirect(307, "/login"),
        _ => Script::html(200, page),
    });
    let at = |path: &str| open(&settings_at(&server.url(path), ""));
    let f = |path: &str| failure(&at(path), "hours?");
    use FailureKind::{NotJson, Redirected};
    is(&f("/sso"), Redirected, Again::Never, &["redirected to", "/login", "302"]);
    is(&f("/slash"), Redirected, Again::Never, &["/slash/", "301"]);
    is(&f("/round"), Redirected, Again::Never, &["after 3 redirects"]);
    is(&f("/nowhere"), Redirected, Again::Never, &["names no address"]);
    is(&f("/login"), NotJson, Again::Never, &["\"Sign in\"", &server.url("/login")]);
    is(&f("/json-as-html"), NotJson, Again::Never, &["web page"]);
    is(&f("/untyped-page"), NotJson, Again::Never, &["\"Welcome\""]);
    is(&f("/hop-to-page"), NotJson, Again::Never, &["\"Sign in\"", &server.url("/login")]);
    let before = server.count();
    assert_eq!(answer(&response(&at("/moved"), "hours?")), "good");
    assert_eq!(answer(&response(&at("/relative"), "hours?")), "good");
    let log = server.log();
    let kept = [&log[before + 1], &log[before + 3]];
    for seen in kept {
        assert_eq!((seen.method.as_str(), seen.path()), ("POST", "/good"));
        assert_eq!(seen.json(), serde_json::json!({"question": "hours?"}));
    }
    assert!(log.iter().all(|s| s.path() != "/slash/"), "never followed");
}

#[test]
fn another_host_sees_nothing() {
    let other = Server::scripted(vec![Script::json(200, r#"{"answer": "stolen"}"#)]);
    let to = other.url("/ask");
    let server = Server::start(move |_| Script::redirect(307, &to));
    let target = open(&settings(&server, "headers = { Authorization = \"Bearer abcdefgh\" }"));
    is(&failure(&target, "?"), FailureKind::Redirected, Again::Never, &[&other.url("/ask"), "307"]);
    assert_eq!(other.connections(), 0);
    assert_eq!(server.log()[0].header("authorization"), Some("Bearer abcdefgh"));
}

#[test]
fn every_wait_has_an_end_that_is_named() {
    let short = "timeout = { attempt = \"600ms\", idle = \"300ms\" }";
    let timed = |script: Script| {
        let began = Instant::now();
        let f = fails(script, short);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        f
    };
    use FailureKind::{FirstByte, Idle, Total};
    is(&timed(Script::silence()), FirstByte, Again::Soon, &["no first byte within 600 ms"]);
    let silent = Script::promise(200, &["content-type: application/json"], 50).wait(Duration::from_secs(60));
    is(&timed(silent), Idle, Again::Soon, &["idle", "300 ms", "0 bytes"]);
    let drip = Script::promise(200, &[], 50).drip([b' '; 50], Duration::from_millis(100));
    is(&timed(drip), Total, Again::Soon, &["600 ms in total"]);
    let silent_error = Script::promise(500, &[], 50).then("oh").wait(Duration::from_secs(60));
    is(&timed(silent_error), FailureKind::Status, Again::Soon, &["HTTP 500", "oh"]);
    // The driver may give less.
    let server = Server::scripted(vec![Script::silence()]);
    let target = open(&settings(&server, ""));
    let within = Some(Duration::from_millis(200));
    let request = ragline::target::Request { within, ..ragline::target::Request::new("s", "q", "?") };
    let began = Instant::now();
    let reply = server_kit::asking::runtime().block_on(target.ask(request));
    assert!(began.elapsed() < Duration::from_secs(5));
    let ragline::target::Reply::Failed(f) = reply else { panic!("{reply:?}") };
    is(&f, FirstByte, Again::Soon, &["200 ms"]);
}

#[test]
fn connections_that_fail() {
    use FailureKind::{Connect, Cut};
    let port = dead_port();
    let f = failure(&open(&settings_at(&format!("http://127.0.0.1:{port}/"), "")), "?");
    is(&f, Connect, Again::Soon, &[&format!("127.0.0.1:{port}"), "refused"]);
    let f = failure(&open(&settings_at("http://no-such-host.invalid/", "timeout = { attempt = \"5s\" }")), "?");
    is(&f, Connect, Again::Soon, &["no-such-host.invalid:80"]);
    is(&fails(Script::close_at_once(), ""), Cut, Again::Soon, &["before the first byte"]);
    is(&fails(Script::default().reset(), ""), Cut, Again::Soon, &["before the first byte"]);
    // A redirect leaves a connection behind, which may be dead when its address is asked.
    let server = Server::start(|seen| match seen.on_connection {
        0 => Script::redirect(307, "/there"),
        _ => Script::close_at_once(),
    });
    let target = open(&settings(&server, ""));
    is(&failure(&target, "?"), Cut, Again::AtOnce, &["before the first byte"]);
    let cut = Script::promise(200, &[], 100).then("{\"answer\"").close();
    is(&fails(cut, ""), Cut, Again::Soon, &["middle of the body", "9 bytes"]);
    let reset = Script::promise(200, &[], 100).then("{\"answer\"").wait(Duration::from_millis(100)).reset();
    is(&fails(reset, ""), Cut, Again::Soon, &["middle of the body"]);
    let chunks = Script::open_chunks(200, &[]).chunk("{\"answer\": \"yes\"}").close();
    is(&fails(chunks, ""), Cut, Again::Soon, &["middle of the body"]);
    is(&fails(Script::raw("SSH-2.0-OpenSSH_9.9\r\n").close(), ""), Cut, Again::Soon, &[]);
    // No TLS is spoken there.
    let server = Server::scripted(vec![Script::close_at_once()]);
    let f = failure(&open(&settings_at(&server.url("/").replace("http:", "https:"), "")), "?");
    is(&f, Connect, Again::Soon, &["no connection to 127.0.0.1"]);
}

#[test]
fn a_kept_connection_that_died_is_one_attempt_and_the_next_is_on_a_new_one() {
    // The server ends idle connections at once, but the client may not have noticed.
    let server = Server::start(|seen| match seen.on_connection {
        0 => Script::json(200, r#"{"answer": "yes"}"#),
        1 => Script::close_at_once(),
        _ => Script::default().reset(),
    });
    let target = open(&settings(&server, ""));
    let runtime = server_kit::asking::runtime();
    let request = ragline::target::Request::new("s", "q", "?");
    let ask = |request| runtime.block_on(target.ask(request));
    let reply = ask(request);
    assert!(matches!(reply, ragline::target::Reply::Response(_)), "{reply:?}");
    let ragline::target::Reply::Failed(f) = ask(request) else { panic!("nothing is sent twice") };
    is(&f, FailureKind::Cut, Again::AtOnce, &["before the first byte"]);
    assert_eq!(server.count(), 2, "an attempt is a request");
    for _ in 0..2 {
        let reply = ask(ragline::target::Request { fresh: true, ..request });
        assert!(matches!(reply, ragline::target::Reply::Response(_)), "{reply:?}");
    }
    let server = Server::impatient(Duration::from_millis(100), |_| Script::json(200, r#"{"answer": "yes"}"#));
    let target = open(&settings(&server, ""));
    for _ in 0..3 {
        let reply = runtime.block_on(target.ask(ragline::target::Request::new("s", "q", "?")));
        assert!(matches!(reply, ragline::target::Reply::Response(_)), "{reply:?}");
        std::thread::sleep(Duration::from_millis(250));
    }
    assert_eq!(server.count(), 3, "asked once each");
}

#[test]
fn bodies_have_a_limit_and_nothing_is_unpacked() {
    let endless = Script::open_chunks(200, &["content-type: application/json"]).endless(chunk(16 << 10));
    let server = Server::scripted(vec![endless]);
    let f = failure(&open(&settings(&server, "max_body = \"1MiB\"")), "?");
    is(&f, FailureKind::TooLarge, Again::Never, &["over 1 MiB"]);
    // What the client did not read waits in the buffers of the system: a few MiB.
    assert!(server.sent() < 32 << 20, "{} bytes were taken", server.sent());
    let f = fails(Script::promise(200, &[], 5 << 30).wait(Duration::from_secs(60)), "");
    is(&f, FailureKind::TooLarge, Again::Never, &["over 8 MiB"]);
    let f = fails(Script::open_chunks(500, &[]).endless(chunk(16 << 10)), "");
    is(&f, FailureKind::Status, Again::Soon, &["HTTP 500"]);
    let f = fails(Script::reply(200, &["content-encoding: gzip"], b"\x1f\x8b\x08"), "");
    is(&f, FailureKind::NotJson, Again::Never, &["compressed", "gzip"]);
    let server = Server::scripted(vec![Script::reply(200, &["content-encoding: identity"], r#"{"answer": "yes"}"#)]);
    assert_eq!(answer(&response(&open(&settings(&server, "")), "?")), "yes");
    assert_eq!(server.log()[0].header("accept-encoding"), Some("identity"));
}

fn chunk(length: usize) -> Vec<u8> {
    let mut piece = format!("{length:x}\r\n").into_bytes();
    piece.resize(piece.len() + length, b' ');
    piece.extend(b"\r\n");
    piece
}

#[test]
fn types_and_encodings() {
    let with = |kind: &str, body: &[u8]| {
        let server = Server::scripted(vec![Script::reply(200, &[kind], body)]);
        answer(&response(&open(&settings(&server, "")), "?")).to_owned()
    };
    let yes = r#"{"answer": "giá"}"#;
    for kind in ["application/json", "application/problem+json", "text/plain", "application/json; charset=\"UTF-8\""] {
        assert_eq!(with(&format!("content-type: {kind}"), yes.as_bytes()), "giá");
    }
    assert_eq!(with("x: y", yes.as_bytes()), "giá");
    assert_eq!(with("x: y", [b"\xef\xbb\xbf", yes.as_bytes()].concat().as_slice()), "giá");
    assert_eq!(with("content-type: application/json; charset=iso-8859-1", b"{\"answer\": \"gi\xe1\"}"), "giá");
    let wide: Vec<u8> = yes.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(with("content-type: application/json; charset=utf-16le", &wide), "giá");
    let f =
        fails(Script::reply(200, &["content-type: application/json; charset=gbk"], b"{\"answer\":\"\xb1\xa3\"}"), "");
    is(&f, FailureKind::NotJson, Again::Never, &["gbk", "UTF-8"]);
    let f = fails(Script::reply(200, &[], b"{\"answer\":\"\xff\"}"), "");
    is(&f, FailureKind::NotJson, Again::Never, &["not UTF-8"]);
    let f = fails(Script::reply(200, &["content-type: text/event-stream"], "data: {}\n\n"), "");
    is(&f, FailureKind::NotJson, Again::Never, &["stream = \"sse\""]);
}

//! Servers that fail in the ways that real ones do, through the binary: what each question is told to have met.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod binary_kit;
mod case_kit;
mod server_kit;

use case_kit::{Told, http, project, run_with, suite_of, told};
use server_kit::{Script, Seen, Server, dead_port};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is sent for a question, and what must come of it: the kind of the failure (none: it passes), the attempts of two
/// that are made, and words of the message.
type Row = (&'static str, Script, Option<&'static str>, usize, &'static [&'static str]);

fn id(seen: &Seen) -> String {
    seen.json()["id"].as_str().unwrap().to_owned()
}

/// Asks a question for each row and holds every row to what it says.
fn table(rows: Vec<Row>, more: &str) -> BTreeMap<String, Told> {
    table_of(rows, more, "facts: [\"09:00\"]")
}

/// The same for questions that expect something else.
fn table_of(rows: Vec<Row>, more: &str, expects: &str) -> BTreeMap<String, Told> {
    let scripts: BTreeMap<&str, Script> = rows.iter().map(|r| (r.0, r.1.clone())).collect();
    let server = Server::start(move |seen| scripts[id(seen).as_str()].clone());
    let ids: Vec<&str> = rows.iter().map(|r| r.0).collect();
    let folder = project(&http(&server.url("/ask"), more), &ids);
    folder.write("suites/s.yaml", suite_of(&ids, expects).as_bytes());
    let (ran, _) = run_with(&folder, &[], &["run"]);
    let passes = rows.iter().all(|r| r.2.is_none());
    ran.exits(if passes { 0 } else { 3 });
    let told = told(&folder);
    let mut wrong = String::new();
    for (id, _, kind, attempts, words) in &rows {
        let t = &told[*id];
        let outcome = if kind.is_some() { "unmeasured" } else { "pass" };
        let right = t.facts == outcome && t.kind == kind.unwrap_or_default();
        let seen = server.log().iter().filter(|s| s.json()["id"] == *id).count();
        if !right || !words.iter().all(|w| t.message.contains(w)) || [t.attempts, seen] != [*attempts; 2] {
            wrong += &format!("{id}: {outcome} {kind:?} {words:?} after {attempts}, not {seen}: {t:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    told
}

fn ok(body: &str) -> Script {
    Script::json(200, body)
}

const OPEN: &str = r#"{"answer": "It opens at 09:00."}"#;

/// G01 and its kind.
#[test]
fn errors_in_a_success_are_no_answers() {
    let rows: Vec<Row> = vec![
        (
            "code-429",
            ok(r#"{"error": {"code": 429, "message": "slow down"}}"#),
            Some("rate-limited"),
            2,
            &["rate limited", "slow down"],
        ),
        ("error-text", ok(r#"{"choices": null, "error": "x"}"#), Some("error-body"), 1, &["x"]),
        ("no-choice", ok(r#"{"choices": []}"#), Some("unmapped"), 1, &["choices"]),
        ("detail", ok(r#"{"detail": "index not loaded"}"#), Some("error-body"), 1, &["index not loaded"]),
        ("empty", ok(""), Some("not-json"), 1, &["the body is empty"]),
        ("nothing", ok("null"), Some("unmapped"), 1, &["null"]),
        ("list", ok("[]"), Some("unmapped"), 1, &["[]"]),
        // More of the kind.
        (
            "code-text",
            ok(r#"{"error": {"code": "429", "message": "slow 09:00"}}"#),
            Some("rate-limited"),
            2,
            &["slow 09:00"],
        ),
        (
            "rate-word",
            ok(r#"{"error": {"code": "rate_limit_exceeded", "message": "m"}}"#),
            Some("rate-limited"),
            2,
            &[],
        ),
        ("rate-title", ok(r#"{"error": {"type": "Too Many Requests", "message": "m"}}"#), Some("rate-limited"), 2, &[]),
        (
            "rate-camel",
            ok(r#"{"error": {"code": "TooManyRequestsException", "message": "m"}}"#),
            Some("rate-limited"),
            2,
            &[],
        ),
        ("rate-text", ok(r#"{"error": "Rate limit exceeded, 09:00"}"#), Some("rate-limited"), 2, &[]),
        (
            "exhausted",
            ok(r#"{"error": {"status": "RESOURCE_EXHAUSTED", "message": "m"}}"#),
            Some("rate-limited"),
            2,
            &[],
        ),
        (
            "overloaded",
            ok(r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#),
            Some("error-body"),
            2,
            &["Overloaded"],
        ),
        ("unavailable", ok(r#"{"error": {"status": "UNAVAILABLE", "message": "m"}}"#), Some("error-body"), 2, &[]),
        ("code-503", ok(r#"{"error": {"code": 503, "message": "away"}}"#), Some("error-body"), 2, &["503", "away"]),
        ("code-401", ok(r#"{"error": {"code": 401, "message": "who?"}}"#), Some("error-body"), 1, &["401", "who?"]),
        (
            "quota",
            ok(r#"{"error": {"code": "insufficient_quota", "message": "pay"}}"#),
            Some("rate-limited"),
            1,
            &["quota", "pay"],
        ),
        ("with-answer", ok(r#"{"error": "half done", "answer": "09:00"}"#), Some("error-body"), 1, &["half done"]),
        ("graphql", ok(r#"{"data": null, "errors": [{"message": "no field"}]}"#), Some("error-body"), 1, &["no field"]),
        ("flag", ok(r#"{"success": false, "message": "index at 09:00"}"#), Some("unmapped"), 1, &["index at 09:00"]),
        ("list-null", ok("[null]"), Some("unmapped"), 1, &["null"]),
        ("text", ok("\"It opens at 09:00.\""), Some("unmapped"), 1, &["09:00"]),
        ("two-values", ok(r#"{"answer": "09:00"}{"answer": "no"}"#), Some("not-json"), 1, &[]),
        ("nan", ok(r#"{"answer": "09:00", "score": NaN}"#), Some("not-json"), 1, &[]),
        ("cut", ok(r#"{"answer": "It opens at 09:00."#), Some("not-json"), 1, &[]),
        ("object", ok(r#"{"answer": {"text": "09:00"}}"#), Some("unmapped"), 1, &["09:00"]),
        ("empty-list", ok(r#"{"answer": []}"#), Some("unmapped"), 1, &[]),
        ("no-content", Script::raw(*b"HTTP/1.1 204 No Content\r\n\r\n"), Some("not-json"), 1, &["the body is empty"]),
        ("fine", ok(r#"{"error": null, "errors": [], "answer": "09:00", "detail": "d"}"#), None, 1, &[]),
        ("bom", ok("\u{feff}{\"answer\": \"09:00\"}"), None, 1, &[]),
    ];
    table(rows, "retries = 1\nconcurrency = 8");
}

/// B05 and its kind: nothing is said, so nothing was not said.
#[test]
fn what_must_not_be_said_is_not_unsaid_by_silence() {
    let blank = |text: &str| ok(&format!(r#"{{"answer": "{text}"}}"#));
    let rows: Vec<Row> = vec![
        ("broken", Script::reply(500, &[], "password"), Some("status"), 1, &["HTTP 500"]),
        ("empty", blank(""), Some(""), 1, &["blank"]),
        ("blanks", blank("   "), Some(""), 1, &["blank"]),
        ("no-text", ok(r#"{"answer": null}"#), Some("unmapped"), 1, &[]),
        ("breaks", blank("\\n\\t\\r\\n"), Some(""), 1, &["blank"]),
        ("invisible", blank("\\u200b\\ufeff\\u00a0\\u2060"), Some(""), 1, &["blank"]),
        ("status-only", Script::reply(418, &[], ""), Some("status"), 1, &["418"]),
        ("absent", ok("{}"), Some("unmapped"), 1, &[]),
        ("a-no", ok(r#"{"answer": false}"#), Some("unmapped"), 1, &[]),
    ];
    for (id, t) in table_of(rows, "retries = 0", "must_not: [password]") {
        assert!(t.code.starts_with("answer-") || t.code.starts_with("response-"), "{id}: {t:?}");
    }
}

/// Every status that is no success, and whether it is asked again.
#[test]
fn statuses() {
    let rows: Vec<Row> = vec![
        (
            "s400",
            Script::json(400, r#"{"error": {"message": "model not found", "code": "model_not_found"}}"#),
            Some("status"),
            1,
            &["HTTP 400", "model not found"],
        ),
        (
            "s400p",
            Script::json(400, r#"{"error": {"message": "max_tokens not supported, use max_completion_tokens"}}"#),
            Some("status"),
            1,
            &["use max_completion_tokens"],
        ),
        (
            "s401",
            Script::json(401, r#"{"detail": "Invalid API key"}"#),
            Some("status"),
            1,
            &["HTTP 401", "Invalid API key"],
        ),
        ("s403", Script::html(403, "<title>Blocked</title>09:00"), Some("status"), 1, &["HTTP 403", "Blocked"]),
        ("s404", Script::json(404, r#"{"detail": "Not Found"}"#), Some("status"), 1, &["HTTP 404", "/ask"]),
        (
            "s405",
            Script::json(405, r#"{"detail": "Method Not Allowed"}"#),
            Some("status"),
            1,
            &["HTTP 405", "POST", "/ask"],
        ),
        ("s408", Script::reply(408, &[], "late"), Some("status"), 2, &["HTTP 408"]),
        ("s409", Script::reply(409, &[], "busy"), Some("status"), 1, &["HTTP 409"]),
        (
            "s422",
            Script::json(
                422,
                r#"{"detail": [{"loc": ["body", "message"], "msg": "Field required", "type": "missing"}]}"#,
            ),
            Some("status"),
            1,
            &["HTTP 422", "body.message", "Field required"],
        ),
        ("s425", Script::reply(425, &[], "early"), Some("status"), 2, &["HTTP 425"]),
        ("s429", Script::reply(429, &[], "slow"), Some("rate-limited"), 2, &["rate limited", "HTTP 429", "slow"]),
        ("s451", Script::reply(451, &[], OPEN), Some("status"), 1, &["HTTP 451"]),
        ("s500", Script::json(500, OPEN), Some("status"), 2, &["HTTP 500"]),
        ("s501", Script::json(501, OPEN), Some("status"), 1, &["HTTP 501"]),
        ("s502", Script::html(502, "<h1>Bad Gateway</h1>"), Some("status"), 2, &["HTTP 502"]),
        ("s504", Script::html(504, "<title>504 Gateway Time-out</title>"), Some("status"), 2, &["HTTP 504"]),
        ("s520", Script::reply(520, &[], ""), Some("status"), 2, &["HTTP 520"]),
        (
            "s529",
            Script::json(529, r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#),
            Some("status"),
            2,
            &["HTTP 529", "Overloaded"],
        ),
        ("s201", Script::json(201, OPEN), None, 1, &[]),
        ("s304", Script::reply(304, &[], ""), Some("status"), 1, &["HTTP 304"]),
    ];
    table(rows, "retries = 1");
}

/// G10 and its kind.
#[test]
fn pages_and_redirects_are_no_answers() {
    let other = Server::start(|_| ok(OPEN));
    let page = "<!doctype html><html><head><title>Sign in</title></head>opening hours 09:00</html>";
    let elsewhere = other.url("/ask");
    let server = Server::start(move |seen| match seen.path() {
        "/login" => Script::html(200, page),
        "/ask/" | "/moved" => ok(OPEN),
        "/loop" => Script::redirect(308, "/loop"),
        _ => match id(seen).as_str() {
            "login" => Script::redirect(302, "/login"),
            "slash" => Script::redirect(301, "/ask/"),
            "see-other" => Script::redirect(303, "/moved"),
            "same-host" => Script::redirect(308, "/moved"),
            "same-host-7" => Script::redirect(307, "/moved"),
            "other-host" => Script::redirect(307, &elsewhere),
            "other-host-8" => Script::redirect(308, &elsewhere),
            "other-scheme" => Script::redirect(308, "https://127.0.0.1:1/ask"),
            "loop" => Script::redirect(308, "/loop"),
            "nowhere" => Script::reply(307, &[], ""),
            "html-json" => Script::html(200, OPEN),
            "xhtml" => Script::reply(200, &["content-type: application/xhtml+xml"], page),
            "said-json" => ok(page),
            "no-type" => Script::reply(200, &[], page),
            "plain-json" => Script::reply(200, &["content-type: text/plain"], OPEN),
            "xml" => Script::reply(200, &["content-type: application/xml"], "<answer>09:00</answer>"),
            _ => Script::html(200, page),
        },
    });
    let rows: [(&str, &str, &[&str]); 16] = [
        ("login", "redirected", &["redirected to", "/login", "302"]),
        ("slash", "redirected", &["redirected to", "/ask/", "301"]),
        ("see-other", "redirected", &["/moved", "303"]),
        ("same-host", "", &[]),
        ("same-host-7", "", &[]),
        ("other-host", "redirected", &["redirected to", "307"]),
        ("other-host-8", "redirected", &["308"]),
        ("other-scheme", "redirected", &["https://127.0.0.1:1/ask"]),
        ("loop", "redirected", &["/loop"]),
        ("nowhere", "redirected", &["no address"]),
        ("html-json", "not-json", &["web page"]),
        ("xhtml", "not-json", &["web page", "Sign in"]),
        ("said-json", "not-json", &["web page", "Sign in", "/ask"]),
        ("no-type", "not-json", &["web page", "Sign in"]),
        ("plain-json", "", &[]),
        ("xml", "not-json", &[]),
    ];
    let ids: Vec<&str> = rows.iter().map(|r| r.0).collect();
    let folder =
        project(&http(&server.url("/ask"), "retries = 1\nheaders = { Authorization = \"Bearer ${KEY}\" }"), &ids);
    let (ran, _) = run_with(&folder, &[("KEY", "key-for-this-host")], &["run"]);
    ran.exits(3);
    for (id, t) in told(&folder) {
        let (_, kind, words) = rows.iter().find(|r| r.0 == id).unwrap();
        if kind.is_empty() {
            assert_eq!(t.facts, "pass", "{id}: {t:?}");
        } else {
            t.is_unmeasured(&id, kind, words);
        }
        assert_eq!(t.attempts, 1, "{id}: {t:?}");
    }
    assert_eq!(other.count(), 0, "another host was asked");
    for seen in server.log() {
        assert_eq!((seen.method.as_str(), seen.header("authorization")), ("POST", Some("Bearer key-for-this-host")));
        assert!(!seen.json()["q"].as_str().unwrap().is_empty(), "the body came along");
        assert_ne!(seen.path(), "/login");
    }
}

/// G06: each wait has an end, and its name.
#[test]
fn stalled_bodies_end_in_their_time_with_the_phase_named() {
    let json = ["content-type: application/json"];
    let slow = Duration::from_millis(300);
    let big = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let rows: Vec<Row> = vec![
        ("silent", Script::silence(), Some("first-byte"), 1, &["no first byte within 2 s"]),
        (
            "head-only",
            Script::promise(200, &json, 100).wait(Duration::from_secs(30)),
            Some("idle"),
            1,
            &["idle", "1 s"],
        ),
        ("drips", Script::promise(200, &json, 100).drip([b' '; 90], slow), Some("total"), 1, &["in total", "2 s"]),
        (
            "half-head",
            Script::raw(*b"HTTP/1.1 200 OK\r\ncontent-ty").wait(Duration::from_secs(30)),
            Some("first-byte"),
            1,
            &["within 2 s"],
        ),
        (
            "head-drips",
            Script::default().drip(b"HTTP/1.1 200 OK\r\nx-y: aaaaaaaaaaaaaaaaaaaa", slow),
            Some("first-byte"),
            1,
            &["within 2 s"],
        ),
        (
            "chunk-stops",
            Script::open_chunks(200, &json).chunk("{\"answer\":").wait(Duration::from_secs(30)),
            Some("idle"),
            1,
            &["idle", "10 bytes"],
        ),
        (
            "error-stops",
            Script::promise(500, &json, 100).then(*b"{\"error\"").wait(Duration::from_secs(30)),
            Some("status"),
            1,
            &["HTTP 500"],
        ),
        ("cut", Script::promise(200, &json, 100).then(OPEN).close(), Some("cut"), 1, &["in the middle of the body"]),
        ("closed", Script::close_at_once(), Some("cut"), 1, &["before the first byte"]),
        ("garbage", Script::raw(*b"SSH-2.0-OpenSSH_9.6\r\n").close(), Some("cut"), 1, &[]),
        ("endless", Script::open_chunks(200, &json).endless(big), Some("too-large"), 1, &["over 8 MiB"]),
        (
            "promises",
            Script::promise(200, &json, 9 << 20).wait(Duration::from_secs(30)),
            Some("too-large"),
            1,
            &["over 8 MiB"],
        ),
        ("fine", ok(OPEN), None, 1, &[]),
    ];
    let began = std::time::Instant::now();
    table(rows, "retries = 0\nconcurrency = 16\ntimeout = { attempt = \"2s\", idle = \"1s\" }");
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

/// A packed body may become any length: none is unpacked, and no more of it is read than of any other.
#[test]
fn a_small_body_that_unpacks_to_a_large_one_is_not_unpacked() {
    let packed = |encoding: &str| {
        let encoding = format!("content-encoding: {encoding}");
        let head = ["content-type: application/json", encoding.as_str()];
        Script::open_chunks(200, &head).endless(*b"a\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03\r\n")
    };
    let rows: Vec<Row> = vec![
        ("gzip", packed("gzip"), Some("not-json"), 1, &["compressed (gzip)"]),
        ("capital", packed("GZIP"), Some("not-json"), 1, &["compressed (gzip)"]),
        ("twice", packed("gzip, br"), Some("not-json"), 1, &["compressed (gzip, br)"]),
        ("zstd", packed("zstd"), Some("not-json"), 1, &["compressed (zstd)"]),
        (
            "identity",
            Script::reply(200, &["content-type: application/json", "content-encoding: identity"], OPEN),
            None,
            1,
            &[],
        ),
    ];
    table(rows, "retries = 0");
}

/// G06: connections that were kept, a dead proxy.
#[test]
fn kept_connections_and_proxies_cost_no_question() {
    let server = Server::impatient(Duration::from_millis(200), |_| ok(OPEN));
    let more = "retries = 0\nconcurrency = 1\nrate = \"2/s\"";
    let folder = project(&http(&server.url("/ask"), more), &["a", "b", "c", "d", "e"]);
    run_with(&folder, &[], &["run"]).0.exits(0);
    assert_eq!(server.count(), 5);

    let server = Server::start(|_| ok(OPEN));
    let proxy = format!("http://127.0.0.1:{}", dead_port());
    let variables: Vec<(&str, &str)> =
        ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"].map(|n| (n, proxy.as_str())).into();
    for host in ["localhost", "127.0.0.1", "LOCALHOST", "127.0.0.2", "[::ffff:127.0.0.1]"] {
        let url = server.url("/ask").replace("127.0.0.1", host);
        if std::net::TcpStream::connect(format!("{host}:{}", server.port())).is_err() {
            continue;
        }
        let folder = project(&http(&url, "retries = 0"), &["a"]);
        run_with(&folder, &variables, &["run"]).0.exits(0);
    }
    assert!(server.count() >= 3, "{}", server.count());
}

/// What a server says of waiting, and how long nobody comes back: at least, and less than.
type Wait = (&'static str, fn() -> Vec<String>, f64, f64);

/// The head of a 429 with a `Retry-After`, told by a clock that is an hour ahead.
fn limited(after: &str, ahead: i64) -> Vec<String> {
    let clock = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    let then = clock + jiff::SignedDuration::from_secs(ahead);
    let date = clock.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let value = if after.contains('%') { then.strftime(after).to_string() } else { after.to_owned() };
    vec![format!("retry-after: {value}"), format!("date: {date}")]
}

/// G14: each form of `Retry-After`, at a server of its own, since its pause holds for everybody who asks there.
#[test]
fn a_server_that_asks_to_be_left_alone_is() {
    const IMF: &str = "%a, %d %b %Y %H:%M:%S GMT";
    // The first wait of our own is at most half a second.
    let own = (0.0, 1.2);
    let rows: Vec<(u16, Wait)> = vec![
        (429, ("two", || limited("2", 0), 2.0, 3.2)),
        (429, ("zero", || limited("0", 0), own.0, own.1)),
        (429, ("fraction", || limited("1.5", 0), 2.0, 3.2)),
        (429, ("negative", || limited("-1", 0), own.0, own.1)),
        (429, ("blank", || limited("", 0), own.0, own.1)),
        (429, ("word", || limited("soon", 0), own.0, own.1)),
        (429, ("imf", || limited(IMF, 2), 1.9, 3.2)),
        (429, ("rfc-850", || limited("%A, %d-%b-%y %H:%M:%S GMT", 2), 1.9, 3.2)),
        (429, ("asctime", || limited("%a %b %e %H:%M:%S %Y", 2), 1.9, 3.2)),
        (429, ("past", || limited(IMF, -100), own.0, own.1)),
        (429, ("year", || limited("2026", 0), -1.0, -1.0)),
        (429, ("day", || limited("86400", 0), -1.0, -1.0)),
        (429, ("endless", || limited("99999999999999999999", 0), -1.0, -1.0)),
        // Not only with 429 and 503.
        (503, ("away", || limited("2", 0), 2.0, 3.2)),
        (502, ("gateway", || limited("2", 0), 2.0, 3.2)),
        (529, ("overloaded", || limited("2", 0), 2.0, 3.2)),
        (500, ("broken", || limited("2", 0), 2.0, 3.2)),
    ];
    std::thread::scope(|scope| {
        for (status, (name, head, least, most)) in rows {
            scope.spawn(move || {
                let server = Server::start(move |seen| match seen.number {
                    0 => Script::reply(status, &head().iter().map(String::as_str).collect::<Vec<_>>(), "slow down"),
                    _ => ok(OPEN),
                });
                let more = "retries = 2\ntimeout = { question = \"30s\" }";
                let folder = project(&http(&server.url("/ask"), more), &["a"]);
                let (ran, took) = run_with(&folder, &[], &["run"]);
                let told = told(&folder);
                if least < 0.0 {
                    ran.exits(3);
                    told["a"].is_unmeasured("a", "rate-limited", &["asked to wait", "30 s are left"]);
                    assert!(took < Duration::from_secs(5) && server.count() == 1, "{name}: {took:?}");
                    return;
                }
                ran.exits(0);
                let log = server.log();
                let waited = (log[1].at - log[0].at).as_secs_f64();
                assert!((least..most).contains(&waited), "{name} waited {waited}");
                assert_eq!(log.len(), 2, "{name}");
            });
        }
    });
}

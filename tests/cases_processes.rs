//! Programs that fail in the ways that real ones do, and servers that take their time to start, through the binary: what
//! each question is told, how long it takes, what is left behind.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod binary_kit;
mod case_kit;
mod process_kit;
mod server_kit;

use binary_kit::Folder;
use case_kit::{project, run_with, suite_of, told};
use process_kit::{assert_gone, marker};
use server_kit::{Script, Server, dead_port};
use std::time::Duration;

/// What a shell does for a question, and what must come of it: the kind of the failure (none: it passes) and words of the
/// message.
type Row<'a> = (&'a str, String, Option<&'a str>, &'a [&'a str]);

/// A shell that does something else for each question; `good` answers.
fn script(rows: &[Row<'_>]) -> String {
    let mut text = "good() { printf '{\"answer\":\"It opens at 09:00.\"}\\n'; }\nread -r line\n\
                    id=${line#*'\"id\":\"'}; id=${id%%'\"'*}\ncase \"$id\" in\n"
        .to_owned();
    for (id, does, _, _) in rows {
        text += &format!("{id})\n{does}\n;;\n");
    }
    text + "esac\n"
}

fn table(rows: &[Row<'_>], settings: &str, expects: &str) {
    let ids: Vec<&str> = rows.iter().map(|r| r.0).collect();
    let bot = format!("kind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\nprovides = [\"answer\"]\n{settings}");
    let folder = project(&bot, &ids);
    folder.write("suites/s.yaml", suite_of(&ids, expects).as_bytes());
    folder.write("bot.sh", script(rows).as_bytes());
    let (ran, took) = run_with(&folder, &[], &["run"]);
    ran.exits(3);
    assert!(took < Duration::from_secs(9), "{took:?}");
    let told = told(&folder);
    let mut wrong = String::new();
    for (id, _, kind, words) in rows {
        let t = &told[*id];
        let outcome = if kind.is_some() { "unmeasured" } else { "pass" };
        let right = t.facts == outcome && t.kind == kind.unwrap_or_default();
        if !right || !words.iter().all(|w| t.message.contains(w)) {
            wrong += &format!("{id}: {outcome} {kind:?} {words:?}: {t:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// F08 beyond the five of its row (`command_run.rs`): other leftovers, other deafness, other output.
#[test]
fn programs_that_end_stop_or_print_otherwise() {
    let m = marker();
    let rows: Vec<Row<'_>> = vec![
        ("two-deep", format!("( sleep {m} & sleep {m} ) & good"), None, &[]),
        ("nohup", format!("nohup sleep {m} > /dev/null 2>&1 & good"), None, &[]),
        ("deaf-child", format!("( trap '' TERM; sleep {m} ) & good"), None, &[]),
        ("tty", "read -r x < /dev/tty; good".to_owned(), None, &[]),
        ("stdin-again", "read -r x; cat; good".to_owned(), None, &[]),
        ("closed", format!("exec 1>&-; sleep {m}"), Some("total"), &["no answer within 1 s"]),
        ("stopped", format!("kill -STOP $$ # {m}"), Some("total"), &["no answer within 1 s"]),
        ("answers-and-stays", format!("good; sleep {m}"), Some("total"), &["within 1 s"]),
        ("killed", "kill -KILL $$".to_owned(), Some("process"), &["signal"]),
        ("segv", "kill -SEGV $$".to_owned(), Some("process"), &["signal"]),
        (
            "late-error",
            "good; echo 'no index at 09:00' >&2; exit 1".to_owned(),
            Some("process"),
            &["exit status 1", "no index"],
        ),
        ("absent", "no-such-program-here".to_owned(), Some("process"), &["exit status 127", "no-such-program-here"]),
        ("nothing", ":".to_owned(), Some("process"), &["ended without an answer"]),
        ("nothing-1", "exit 1".to_owned(), Some("process"), &["exit status 1"]),
        ("chatter", "echo 'loading 09:00'; good".to_owned(), Some("not-json"), &["loading 09:00"]),
        ("two", "good; good".to_owned(), Some("not-json"), &[]),
        ("latin", "printf '{\"answer\":\"ge\\366ffnet 09:00\"}'".to_owned(), Some("not-json"), &["UTF-8"]),
        ("cut", "printf '{\"answer\":\"It opens at 09:00'".to_owned(), Some("not-json"), &[]),
        ("other", "printf '{\"id\":\"two\",\"answer\":\"09:00\"}'".to_owned(), Some("process"), &["`two`", "`other`"]),
        ("unknown-key", "printf '{\"reply\":\"09:00\"}'".to_owned(), Some("unmapped"), &["reply"]),
        ("bom", "printf '\\357\\273\\277'; good".to_owned(), None, &[]),
        ("crlf", "printf '\\r\\n\\r\\n{\"answer\":\"09:00\"}\\r\\n'".to_owned(), None, &[]),
        ("no-end", "printf '{\"answer\":\"09:00\"}'".to_owned(), None, &[]),
        ("both-full", "head -c 3000000 /dev/zero >&2 & good; wait".to_owned(), None, &[]),
        ("endless-err", format!("while :; do echo {m} {m} {m}; done >&2"), Some("total"), &["within 1 s"]),
    ];
    table(&rows, "retries = 0\nconcurrency = 8\ntimeout = { attempt = \"1s\" }", "facts: [\"09:00\"]");
    assert_gone(&m);
}

/// B05 where a program is asked: nothing is said, so nothing was not said.
#[test]
fn what_must_not_be_said_is_not_unsaid_by_silence() {
    let rows: Vec<Row<'_>> = vec![
        ("broken", "exit 1".to_owned(), Some("process"), &["exit status 1"]),
        ("empty", "printf '{\"answer\":\"\"}'".to_owned(), Some(""), &["blank"]),
        ("blanks", "printf '{\"answer\":\"   \"}'".to_owned(), Some(""), &["blank"]),
        ("no-text", "printf '{\"answer\":null}'".to_owned(), Some(""), &["null"]),
        ("silent", ":".to_owned(), Some("process"), &["ended without an answer"]),
        ("error", "printf '{\"error\":\"no index\"}'".to_owned(), Some(""), &["no index"]),
        ("a-no", "printf '{\"answer\":false}'".to_owned(), Some("unmapped"), &[]),
    ];
    table(&rows, "retries = 0", "must_not: [password]");
    let rows: Vec<Row<'_>> = vec![
        ("silent", ":".to_owned(), Some(""), &["blank"]),
        ("blanks", "echo '   '".to_owned(), Some(""), &["blank"]),
    ];
    table(&rows, "retries = 0\noutput = \"text\"", "must_not: [password]");
}

/// F03: what hangs, drips or asks to wait ends within its question's time, and the rest goes on.
#[cfg(feature = "http")]
#[test]
fn nested_times_hold_over_http() {
    let server = Server::start(|seen| match seen.json()["id"].as_str().unwrap() {
        "q1" => Script::silence(),
        "q2" => Script::promise(200, &["content-type: application/json"], 1000)
            .drip([b' '; 100], Duration::from_millis(500)),
        "q3" => Script::reply(503, &["retry-after: 60"], "busy"),
        _ => Script::json(200, r#"{"answer": "09:00"}"#).after(Duration::from_millis(50)),
    });
    let more = "retries = 5\ntimeout = { attempt = \"1s\", question = \"3s\", run = \"10s\" }";
    let ids = ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"];
    let folder = project(&case_kit::http(&server.url("/ask"), more), &ids);
    let (ran, took) = run_with(&folder, &[], &["run"]);
    ran.exits(3);
    assert!(took < Duration::from_secs(10), "{took:?}");
    let told = told(&folder);
    told["q1"].is_unmeasured("q1", "budget", &["no answer within 3 s", "no first byte within"]);
    told["q2"].is_unmeasured("q2", "budget", &["no answer within 3 s", "in total"]);
    told["q3"].is_unmeasured("q3", "status", &["asked to wait", "HTTP 503"]);
    for id in &ids[3..] {
        assert_eq!(told[*id].facts, "pass", "{id}: {:?}", told[*id]);
    }
}

/// A server that is not there for a time, then answers 503 for a time, then well; `/health` is well at once. It listens only
/// once it is there.
const SLOW: &str = r#"
import http.server, json, sys, time
port, refuses, loads = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
time.sleep(refuses)
began = time.monotonic()
class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        ready = time.monotonic() - began > loads or self.path == "/health"
        body = json.dumps({"answer": "09:00"} if ready else {"status": "loading"}).encode()
        self.send_response(200 if ready else 503)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    do_GET = do_POST = answer
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
"#;

#[cfg(feature = "http")]
fn slow(ready: &str, within: &str, refuses: &str, loads: &str) -> (Folder, binary_kit::Ran, Duration) {
    let port = dead_port();
    let url = format!("http://127.0.0.1:{port}/ask");
    let more = format!(
        "start = [\"python3\", \"slow.py\", \"{port}\", \"{refuses}\", \"{loads}\"]\nready_within = \"{within}\"\n{}",
        if ready.is_empty() { String::new() } else { format!("ready = \"http://127.0.0.1:{port}{ready}\"") }
    );
    let folder = project(&case_kit::http(&url, &more), &["a", "b", "c", "d"]);
    folder.write("slow.py", SLOW.as_bytes());
    let (ran, took) = run_with(&folder, &[], &["run", "--junit", "out.xml"]);
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err(), "the server still runs");
    (folder, ran, took)
}

/// F10.
#[cfg(feature = "http")]
#[test]
fn a_cold_start_costs_no_question_or_judges_none() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    std::thread::scope(|scope| {
        for ready in ["/ask", ""] {
            scope.spawn(move || {
                let (folder, ran, took) = slow(ready, "20s", "2", "3");
                ran.exits(0);
                assert!(took > Duration::from_secs(5), "{took:?}");
                assert!(told(&folder).values().all(|t| t.facts == "pass"));
            });
            scope.spawn(move || {
                let (folder, ran, took) = slow(ready, "8s", "0.5", "60");
                let ran = ran.exits(3);
                assert!(took < Duration::from_secs(14), "{took:?}");
                assert_eq!(ran.out.matches("not ready after 8 s").count(), 1, "told once: {}", ran.out);
                assert!(ran.out.contains("503") && ran.out.contains("loading"), "{}", ran.out);
                assert!(told(&folder).values().all(|t| t.facts == "unmeasured" && t.code == "target-unreachable"));
                assert!(!folder.read("out.xml").contains("<failure"), "{}", folder.read("out.xml"));
            });
        }
        // Somebody else starts it.
        scope.spawn(|| {
            let port = dead_port();
            let url = format!("http://127.0.0.1:{port}/ask");
            let folder = project(&case_kit::http(&url, "ready_within = \"20s\""), &["a", "b", "c", "d"]);
            folder.write("slow.py", SLOW.as_bytes());
            let mut python = std::process::Command::new("python3");
            let port = port.to_string();
            let mut server = python.current_dir(folder.path()).args(["slow.py", &port, "1", "2"]).spawn().unwrap();
            let (ran, _) = run_with(&folder, &[], &["run"]);
            server.kill().unwrap();
            server.wait().unwrap();
            ran.exits(0);
            assert!(told(&folder).values().all(|t| t.facts == "pass"));
        });
        // Its health is no answer.
        scope.spawn(|| {
            let (folder, ran, _) = slow("/health", "20s", "0", "4");
            ran.exits(0);
            assert!(told(&folder).values().all(|t| t.facts == "pass"));
        });
        scope.spawn(|| {
            let (folder, ran, _) = slow("/health", "8s", "0", "60");
            ran.exits(3).shows(&["not ready after 8 s", "503"]);
            assert!(told(&folder).values().all(|t| t.facts == "unmeasured"));
        });
    });
}

/// F09: a number of failures is no exit code.
#[test]
fn the_exit_code_is_the_same_for_any_number_of_failures() {
    for count in [1, 255, 256, 257, 512] {
        let ids: Vec<String> = (0..count).map(|n| format!("q{n}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let bot = "kind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\npersistent = true\nprovides = [\"answer\"]";
        let folder = project(bot, &ids);
        folder.write("bot.sh", b"while read -r line; do echo '{\"answer\":\"It opens at noon.\"}'; done");
        let (ran, _) = run_with(&folder, &[], &["run"]);
        ran.exits(1).shows(&["exit 1"]);
    }
}

/// F09: a report that was asked for and is not there is no success.
#[test]
fn a_report_that_cannot_be_written_is_no_success() {
    let bot = "kind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\nprovides = [\"answer\"]";
    let folder = project(bot, &["a"]);
    folder.write("bot.sh", b"echo '{\"answer\":\"09:00\"}'");
    folder.write("a-file", b"");
    let full = std::path::Path::new("/dev/full").exists();
    for option in ["--junit", "--markdown", "--results"] {
        for path in ["a-file/out", "/proc/no-such/out", "/dev/full"] {
            if path == "/dev/full" && !full {
                continue;
            }
            let (ran, _) = run_with(&folder, &[], &["run", option, path]);
            let ran = ran.exits(5);
            assert!(format!("{}{}", ran.out, ran.err).contains(path), "{option} {path}: {}{}", ran.out, ran.err);
        }
    }
}

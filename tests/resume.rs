//! The real command, ended at any moment: by a signal that it hears, or by one that it cannot.
#![cfg(all(unix, feature = "http"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod server_kit;

use binary_kit::{Folder, lines};
use rustix::process::{Pid, Signal, kill_process};
use server_kit::{Script, Server};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const CONCURRENCY: usize = 2;

/// A project of so many questions against a server.
fn project(server: &Server, questions: usize) -> Folder {
    let folder = Folder::new();
    let settings = format!(
        r#"version = 1
[targets.shop]
kind = "http"
url = "{}"
body = '{{"id": {{{{ id }}}}, "question": {{{{ question }}}}}}'
concurrency = {CONCURRENCY}
[targets.shop.response]
answer = "$.answer"
contexts = "$.contexts[*]"
context = {{ text = "$.text", doc = "$.doc" }}
"#,
        server.url("/ask")
    );
    folder.write("ragline.toml", settings.as_bytes());
    folder.write("thresholds.toml", b"version = 1\nbaseline = \"none\"\n");
    let mut suite = "version: 1\nsuite: shop\nlanguage: en\ntarget: shop\nquestions:\n".to_owned();
    for i in 1..=questions {
        suite.push_str(&format!(
            "  - id: q{i:02}\n    question: How long is warranty {i}?\n    facts: [thirty days]\n    layers: {{ numbers: off, refusal: off }}\n"
        ));
    }
    folder.write("suites/shop.yaml", suite.as_bytes());
    folder
}

/// Answers each question after a while; some with an error. A passage of so many bytes comes with each answer.
fn server(after: Duration, bytes: usize) -> Server {
    let filler = "A passage. ".repeat(bytes / 11);
    Server::start(move |seen| {
        let id = seen.json()["id"].as_str().unwrap().to_owned();
        if id == "q04" {
            return Script::json(400, r#"{"error":"no"}"#).after(after);
        }
        let body = format!(r#"{{"answer":"Thirty days.","contexts":[{{"doc":"w.md","text":"{filler}{id}"}}]}}"#);
        Script::json(200, &body).after(after)
    })
}

fn ids(server: &Server) -> Vec<String> {
    server.log().iter().map(|s| s.json()["id"].as_str().unwrap().to_owned()).collect()
}

/// Results without the identity of the target, which holds the port of its server.
fn without_subject(results: &str) -> String {
    let (head, lines) = results.split_once('\n').unwrap();
    let mut head: serde_json::Value = serde_json::from_str(head).unwrap();
    let subject = head["suites"][0].as_object_mut().unwrap().remove("subject");
    assert!(subject.is_some_and(|s| s.is_string()), "{results}");
    format!("{head}\n{lines}")
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("RAGLINE_") || text.starts_with("GITHUB_") || text == "CI" || text == "COLUMNS" {
            command.env_remove(&name);
        }
    }
    command.current_dir(folder.path()).arg("run").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// The folder of the one run of a project, once there is one.
fn run_folder(folder: &Folder) -> PathBuf {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(run) = folder.runs().into_iter().find(|r| r.join("journal.jsonl").is_file()) {
            return run;
        }
        assert!(Instant::now() < until, "no run has begun");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[track_caller]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < until, "{what} never came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[track_caller]
fn ended(child: Child) -> (Option<i32>, String, String) {
    let out = child.wait_with_output().unwrap();
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

#[test]
fn a_signal_ends_the_run_with_its_reports_and_it_is_resumed() {
    for which in [Signal::INT, Signal::TERM] {
        let server = server(Duration::from_millis(60), 10);
        let folder = project(&server, 24);
        let child = start(&folder, &["--junit", "j.xml", "--results", "r.jsonl", "--markdown", "m.md"]);
        until("the eighth question", || server.count() >= 8);
        let began = Instant::now();
        signal(&child, which);
        let (code, out, err) = ended(child);
        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
        assert_eq!(code, Some(3), "{out}\n{err}");
        assert!(err.contains("ending: what is in flight is dropped"), "{err}");
        assert!(err.contains("ragline run --resume"), "{err}");
        let asked = server.count();
        assert!(asked < 16, "{asked}");
        let junit = folder.read("j.xml");
        assert!(junit.contains("interrupted") && junit.contains("q24"), "{junit}");
        assert_eq!(folder.read("r.jsonl").lines().count(), 25);
        assert!(folder.read("m.md").contains("the run was ended from outside"), "{}", folder.read("m.md"));
        let run = run_folder(&folder);
        assert!(std::fs::read_to_string(run.join("run.json")).unwrap().contains("\"interrupted\":true"));

        folder.run(&["accept", "--first", "--reason", "x"]).exits(2).says(&["was ended before", "--resume"]);

        let again = folder.run(&["run", "--resume", "--results", "r.jsonl"]);
        assert!(!again.err.contains("ending"), "{}", again.err);
        assert_eq!(folder.runs(), [run], "in the same folder");
        let mut asked = ids(&server);
        let before = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(asked.len(), 24);
        assert!(before - 24 <= CONCURRENCY, "{before} requests");
        // One answers with an error: incomplete all the same.
        again.exits(3);
        let results = folder.results();
        assert_eq!(results.values().filter(|v| v["outcome"] == "pass").count(), 23);
        folder.run(&["run", "--resume"]).exits(2).says(&["came to its end"]);
    }
}

#[test]
fn a_second_signal_ends_the_process_at_once() {
    // The server that it starts takes a while to be stopped, so that there is a time between the signals.
    let server = server(Duration::from_secs(30), 10);
    let folder = project(&server, 4);
    let settings = folder.read("ragline.toml").replace(
        "concurrency = 2\n",
        "concurrency = 2\nstart = \"sh -c 'trap \\\"\\\" TERM INT; touch deaf; while true; do sleep 0.2; done'\"\n",
    );
    folder.write("ragline.toml", settings.as_bytes());
    let child = start(&folder, &[]);
    until("a question", || server.count() >= 1);
    until("a server that ignores signals", || folder.path().join("deaf").is_file());
    signal(&child, Signal::INT);
    std::thread::sleep(Duration::from_millis(150));
    signal(&child, Signal::INT);
    let began = Instant::now();
    let (code, _, err) = ended(child);
    assert_eq!(code, Some(130), "{err}");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn another_day_or_other_words_are_told() {
    let server = server(Duration::from_millis(30), 10);
    let folder = project(&server, 12);
    let mut child = start(&folder, &["--today", "2026-11-29"]);
    until("the fifth question", || server.count() >= 5);
    child.kill().unwrap();
    child.wait().unwrap();
    folder
        .run(&["run", "--resume", "--today", "2026-11-30"])
        .exits(2)
        .says(&["its day is 2026-11-29, this one's 2026-11-30 (--today 2026-11-29)"]);
    folder
        .run(&["run", "--resume", "--today", "2026-11-29", "shop::q01"])
        .exits(2)
        .says(&["the number of selected questions of `shop` was 12, is 1"]);
    let id = run_folder(&folder).file_name().unwrap().to_str().unwrap().to_owned();
    folder.run(&["run", &format!("--resume={id}"), "--today", "2026-11-29"]).exits(3);
    folder.run(&["run", "--resume=20200101-000000-00000"]).exits(2).says(&["there is no run"]);
}

/// A server with its project, and what a run of it comes to that nobody ends.
struct Scene {
    questions: usize,
    bytes: usize,
    results: String,
    journal: u64,
    took: Duration,
}

const AFTER: Duration = Duration::from_millis(4);

impl Scene {
    fn new(questions: usize, bytes: usize) -> Scene {
        let server = server(AFTER, bytes);
        let folder = project(&server, questions);
        let began = Instant::now();
        folder.run(&["run", "--results", "r.jsonl"]).exits(3);
        let took = began.elapsed();
        let journal = folder.last_run().join("journal.jsonl").metadata().unwrap().len();
        Scene { questions, bytes, results: folder.read("r.jsonl"), journal, took }
    }

    /// Kills a run at a moment, resumes it, and looks at what came of it. Whether it was killed in the middle of a write;
    /// nothing when it had not begun or was over.
    fn kill(&self, moment: impl FnOnce(&Folder)) -> Option<bool> {
        let server = server(AFTER, self.bytes);
        let folder = project(&server, self.questions);
        let mut child = start(&folder, &[]);
        moment(&folder);
        child.kill().unwrap();
        let over = child.wait().unwrap().code().is_some();
        let run = folder.runs().pop()?;
        let journal = std::fs::read(run.join("journal.jsonl")).ok()?;
        let end = journal.iter().rposition(|b| *b == b'\n')? + 1;
        if over || run.join("run.json").is_file() {
            return None;
        }
        let answered: BTreeSet<String> = lines(std::str::from_utf8(&journal[..end]).unwrap())
            .skip(1)
            .map(|l| l["id"].as_str().unwrap().to_owned())
            .collect();
        folder.run(&["run", "--resume", "--results", "r.jsonl"]).exits(3);
        assert_eq!(without_subject(&folder.read("r.jsonl")), without_subject(&self.results));
        assert_eq!(folder.runs(), std::slice::from_ref(&run), "in the same folder");
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        ids(&server).into_iter().for_each(|id| *times.entry(id).or_default() += 1);
        assert_eq!(times.len(), self.questions, "each is asked");
        let twice: Vec<&String> = times.iter().filter(|(_, n)| **n > 1).map(|(id, _)| id).collect();
        let whole = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
        // Each answer came by one attempt, so what was asked twice was asked once by the process that was killed. What that
        // one sent may reach the server's log after its end.
        let once = |l: &serde_json::Value| l["attempts"].as_array().unwrap().len() == 1;
        assert!(lines(&whole).skip(1).all(|l| once(&l)), "{whole}");
        let was_in_flight = |id: &&&String| times[**id] == 2 && !answered.contains(**id);
        assert_eq!(twice.iter().filter(was_in_flight).count(), twice.len(), "{twice:?} of {times:?}, had {answered:?}");
        assert!(twice.len() <= CONCURRENCY, "{twice:?}");
        let named: Vec<String> = lines(&whole).skip(1).map(|l| l["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!((named.len(), named.iter().collect::<BTreeSet<_>>().len()), (self.questions, self.questions));
        Some(end < journal.len())
    }
}

/// Killed at fifty moments that are drawn over the whole run, at least ten of them in the middle of a write: the results
/// are those of a run that was never killed, and nothing is asked twice that had been answered.
#[test]
fn killed_at_fifty_moments_it_comes_to_the_same() {
    let mut random = fastrand::Rng::with_seed(20_261_130);
    let (mut killed, mut torn, mut tried) = (0, 0, 0);
    let mut count = |ended: Option<bool>| {
        killed += usize::from(ended.is_some());
        torn += usize::from(ended == Some(true));
        tried += 1;
        assert!(tried < 200, "{killed} of {tried} were killed while they ran, {torn} in the middle of a write");
        (killed, torn)
    };
    // Moments by the clock.
    let quick = Scene::new(12, 100);
    while count(quick.kill(|_| std::thread::sleep(quick.took.mul_f64(random.f64())))).0 < 20 {}
    // By the bytes of the journal: large lines take a while to write, so that most of these lie in the middle of one.
    let large = Scene::new(4, 6_000_000);
    loop {
        let bytes = random.u64(500..large.journal);
        let ended = large.kill(|folder| {
            let path = run_folder(folder).join("journal.jsonl");
            let until = Instant::now() + Duration::from_secs(20);
            while path.metadata().unwrap().len() < bytes && Instant::now() < until {
                std::hint::spin_loop();
            }
        });
        let (killed, torn) = count(ended);
        if killed >= 50 && torn >= 10 {
            break;
        }
    }
}

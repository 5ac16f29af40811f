//! Whole runs of the real binary against programs that misbehave: what the user sees, how long it takes, what is left.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "tests")]

mod binary_kit;
mod process_kit;

use binary_kit::{Folder, Ran};
use process_kit::{assert_alive, assert_gone, marker, within};
use serde_json::Value;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A project whose target runs `sh bot.sh`, with a suite of a question for each of these names.
fn project(settings: &str, script: &str, questions: &[&str]) -> Folder {
    let toml = format!(
        "version = 1\n[targets.bot]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\nprovides = [\"answer\"]\n{settings}\n"
    );
    let folder = Folder::with(&[
        ("ragline.toml", &toml),
        ("thresholds.toml", "version = 1\nbaseline = \"none\"\n"),
        ("bot.sh", script),
    ]);
    suite(&folder, "shop", questions);
    folder
}

fn suite(folder: &Folder, name: &str, questions: &[&str]) {
    let mut text = format!("version: 1\nsuite: {name}\nlanguage: en\ntarget: bot\nquestions:\n");
    for q in questions {
        text.push_str(&format!(
            "  - id: {q}\n    question: {q}?\n    facts: [thirty days]\n    layers: {{ numbers: off, refusal: off }}\n"
        ));
    }
    folder.write(&format!("suites/{name}.yaml"), text.as_bytes());
}

/// A shell that does one thing per question; `good` answers.
fn cases(cases: &str) -> String {
    format!(
        r#"
good() {{ echo '{{"answer":"You have thirty days."}}'; }}
read -r line
id=${{line#*'"id":"'}}; id=${{id%%'"'*}}
case "$id" in
  {cases}
  *) good;;
esac
"#
    )
}

/// The message of a question that was not measured.
#[track_caller]
fn why(folder: &Folder, id: &str) -> String {
    let line = folder.results().remove(id).unwrap();
    assert_eq!(line["outcome"].as_str(), Some("unmeasured"), "{line}");
    texts(&line).into_iter().find(|t| t.contains(' ')).unwrap_or_else(|| panic!("{line}"))
}

/// The messages of a line of results.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Object(m) => {
            let own = m.get("message").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(m.values().flat_map(texts)).collect()
        }
        Value::Array(a) => a.iter().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

fn timed(folder: &Folder) -> (Ran, Duration) {
    let began = Instant::now();
    (folder.run(&["run"]), began.elapsed())
}

#[test]
fn a_grandchild_a_reader_a_full_pipe_a_deaf_one_and_an_endless_one() {
    let m = marker();
    let script = cases(&format!(
        r"grandchild) sleep {m} & good;;
  reader) cat > /dev/null; good;;
  noisy) head -c 5000000 /dev/zero >&2; good;;
  deaf) trap '' TERM; while :; do sleep 0.2; done # {m}
  ;;
  endless) exec head -c 1000000000 /dev/zero;;"
    ));
    let names = ["grandchild", "reader", "noisy", "deaf", "endless"];
    let folder = project("timeout = { attempt = \"1s\" }\nretries = 0", &script, &names);
    let (ran, took) = timed(&folder);
    ran.exits(3);
    assert!(took < Duration::from_secs(8), "{took:?}");
    let results = folder.results();
    for id in ["grandchild", "reader", "noisy"] {
        assert_eq!(results[id]["layers"]["facts"]["outcome"], "pass", "{}", results[id]);
    }
    assert!(why(&folder, "deaf").contains("no answer within 1 s"), "{}", why(&folder, "deaf"));
    assert!(why(&folder, "endless").contains("printed more than 8 MiB"), "{}", why(&folder, "endless"));
    assert_gone(&m);
}

#[test]
fn attempts_questions_and_the_run_have_their_times() {
    let m = marker();
    // One hangs, one trickles, one is busy for ever; the others answer.
    let script =
        cases(&format!("q1) sleep {m};; q2) while :; do printf x; sleep 0.1; done;; q3) echo busy >&2; exit 75;;"));
    let settings = "timeout = { attempt = \"1s\", question = \"3s\", run = \"10s\" }\nretries = 5";
    let folder = project(settings, &script, &["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"]);
    let (ran, took) = timed(&folder);
    ran.exits(3);
    assert!(took < Duration::from_secs(8), "{took:?}");
    let results = folder.results();
    for id in ["q4", "q5", "q6", "q7", "q8", "q9"] {
        assert_eq!(results[id]["layers"]["facts"]["outcome"], "pass", "{}", results[id]);
    }
    for id in ["q1", "q2"] {
        let why = why(&folder, id);
        assert!(why.contains("no answer within 3 s") && why.contains("attempts, the last: no answer within"), "{why}");
    }
    assert!(why(&folder, "q3").contains("exit status 75: busy"), "{}", why(&folder, "q3"));
    assert_gone(&m);
    // The run's own time ends all that is left.
    let settings = "concurrency = 1\ntimeout = { attempt = \"1s\", question = \"1s\", run = \"2s\" }\nretries = 0";
    let folder = project(settings, &format!("sleep {m}"), &["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"]);
    let (ran, took) = timed(&folder);
    ran.exits(3);
    assert!(took < Duration::from_secs(6), "{took:?}");
    assert_gone(&m);
}

#[test]
fn one_process_answers_the_whole_suite() {
    let script = "echo $$ >> started\nwhile read -r line; do echo '{\"answer\":\"You have thirty days.\"}'; done";
    let folder =
        project("persistent = true\nconcurrency = 2", script, &["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"]);
    folder.run(&["run"]).exits(0);
    assert!(folder.read("started").lines().count() <= 2);
}

/// A project with a real server that takes a moment to start, and its port.
fn served() -> Option<(Folder, u16)> {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("SKIPPED: there is no python3");
        return None;
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let start = format!("sh -c 'echo up >> started; sleep 0.5; exec python3 -m http.server --bind 127.0.0.1 {port}'");
    let settings = format!("start = \"{start}\"\nready = \"http://127.0.0.1:{port}/\"\nready_within = \"20s\"");
    Some((project(&settings, &cases(""), &["q1", "q2", "q3"]), port))
}

#[test]
fn a_server_is_started_waited_for_and_stopped() {
    let Some((folder, port)) = served() else { return };
    folder.run(&["run"]).exits(0);
    assert_eq!(folder.read("started"), "up\n");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_server_is_started_once_for_all_suites() {
    let Some((folder, port)) = served() else { return };
    suite(&folder, "more", &["m1", "m2"]);
    folder.run(&["run"]).exits(0);
    assert_eq!(folder.read("started"), "up\n");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_server_is_started_once_for_suites_whose_passages_take_their_text_from_different_corpora() {
    let Some((folder, port)) = served() else { return };
    let settings = folder.read("ragline.toml").replace("provides = [\"answer\"]\n", "");
    let mapping = "[targets.bot.response]\nanswer = \"$.answer\"\ntext_from = \"corpus\"\n\
                   contexts = \"$.from[*]\"\n";
    folder.write("ragline.toml", format!("{settings}{mapping}").as_bytes());
    // One suite is over long before the other: nobody may stop the server then, which each answer needs.
    let script = format!(
        r#"read -r line
case "$line" in *'"id":"m2"'*) sleep 1.5;; esac
python3 -c 'import socket; socket.create_connection(("127.0.0.1", {port}))' || exit 1
echo '{{"answer":"You have thirty days.","from":[{{"doc":"rules.md"}}]}}'
"#
    );
    folder.write("bot.sh", script.as_bytes());
    for (name, text) in [("shop", "Thirty days of the shop."), ("more", "Thirty days and more.")] {
        folder.write(&format!("{name}/rules.md"), text.as_bytes());
    }
    suite(&folder, "more", &["m1", "m2"]);
    for name in ["shop", "more"] {
        let path = format!("suites/{name}.yaml");
        let text = folder.read(&path).replace("target: bot\n", &format!("target: bot\ncorpus: ../{name}\n"));
        folder.write(&path, text.as_bytes());
    }
    folder.run(&["run"]).exits(0);
    assert_eq!(folder.read("started"), "up\n");
    assert!(std::net::TcpStream::connect(("127.0.0.1", port)).is_err());
    let journal = std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap();
    let told: std::collections::BTreeSet<(String, String)> = binary_kit::lines(&journal)
        .skip(1)
        .map(|l| {
            (l["suite"].as_str().unwrap().to_owned(), l["response"]["contexts"][0]["text"].as_str().unwrap().to_owned())
        })
        .collect();
    let own = [("more", "Thirty days and more."), ("shop", "Thirty days of the shop.")];
    assert_eq!(told, own.map(|(s, t)| (s.to_owned(), t.to_owned())).into(), "{journal}");
}

#[test]
fn a_server_that_does_not_get_ready_fails_the_run_and_no_question() {
    let (m, port) = (marker(), TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
    let settings = format!("start = \"sleep {m}\"\nready = \"http://127.0.0.1:{port}/\"\nready_within = \"1s\"");
    let folder = project(&settings, "echo asked > asked", &["q1", "q2", "q3"]);
    let (ran, took) = timed(&folder);
    let ran = ran.exits(3);
    assert!(took < Duration::from_secs(5), "{took:?}");
    let shown = format!("{}{}", ran.out, ran.err);
    assert!(shown.contains("not ready after 1 s: connection refused"), "{shown}");
    assert!(!folder.path().join("asked").exists());
    for (id, line) in folder.results() {
        assert_eq!(line["outcome"].as_str(), Some("unmeasured"), "{id}: {line}");
    }
    assert_gone(&m);
}

fn started(folder: &Folder) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    command.arg("run").current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

fn interrupt(child: &Child) {
    let done = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

#[track_caller]
fn ends(child: &mut Child, ms: u64) {
    let ended = within(ms, || child.try_wait().unwrap().is_some());
    if !ended {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(ended, "it did not end within {ms} ms");
}

#[test]
fn a_run_that_is_interrupted_leaves_nothing() {
    for persistent in [false, true] {
        let m = marker();
        let settings = format!("persistent = {persistent}\nstart = \"sh -c 'sleep {m}'\"");
        let folder =
            project(&settings, &format!("trap '' TERM; sleep {m} & read -r line; sleep {m}"), &["q1", "q2", "q3"]);
        let mut child = started(&folder);
        assert_alive(&m);
        std::thread::sleep(Duration::from_millis(300));
        interrupt(&child);
        ends(&mut child, 8000);
        assert_gone(&m);
    }
}

#[test]
fn a_second_signal_ends_everything_at_once() {
    let m = marker();
    // What was started does not listen, so that its end takes the grace of two seconds.
    let settings = format!("start = \"sh -c 'trap \\\"\\\" TERM; sleep {m} & while :; do sleep 0.1; done'\"");
    let folder = project(&settings, &format!("trap '' TERM; sleep {m} & sleep {m}"), &["q1", "q2", "q3"]);
    let mut child = started(&folder);
    assert_alive(&m);
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "the grace is over too soon for this test");
    interrupt(&child);
    ends(&mut child, 1000);
    assert_gone(&m);
}

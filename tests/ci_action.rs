//! The scripts of the GitHub action, on events as GitHub hands them over, against a server that stands for its API.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod server_kit;
mod shard_kit;

use binary_kit::Folder;
use serde_json::{Value, json};
use server_kit::{Script, Server};
use shard_kit::project::{Project, small};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

const SHA: &str = "0123456789abcdef0123456789abcdef01234567";
const LATER: &str = "89abcdef0123456789abcdef0123456789abcdef";
const TOKEN: &str = "ghs_c4n4rySt4ndsF0rAt0ken";
const BOT: &str = "github-actions[bot]";

/// A comment of the pull request.
#[derive(Debug, Clone)]
struct Comment {
    author: String,
    body: String,
}

/// What the server knows, and what it was asked.
#[derive(Default)]
struct State {
    comments: Vec<Comment>,
    /// The commit at the head of pull request 7.
    head: String,
    writes: Vec<(String, String, Value)>,
    proposed: Vec<Value>,
}

/// GitHub's API, as far as the scripts use it.
struct Api {
    server: Server,
    state: Arc<Mutex<State>>,
}

impl Api {
    fn new() -> Api {
        let state = Arc::new(Mutex::new(State { head: SHA.into(), ..State::default() }));
        let own = Arc::clone(&state);
        let server = Server::start(move |seen| {
            if seen.header("authorization") != Some(&format!("Bearer {TOKEN}")) {
                return Script::json(401, "{}");
            }
            let mut state = own.lock().unwrap();
            let (method, path) = (seen.method.as_str(), seen.path().to_owned());
            if method != "GET" {
                let body = seen.json();
                state.writes.push((method.to_owned(), path.clone(), body.clone()));
            }
            let body = || seen.json()["body"].as_str().unwrap().to_owned();
            let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
            match (method, parts.as_slice()) {
                ("GET", ["repos", "shop", "bot", "pulls", "7"]) => {
                    Script::json(200, &json!({"number": 7, "head": {"sha": state.head}}).to_string())
                }
                ("GET", ["repos", "shop", "bot", "pulls"]) => {
                    let open = if seen.query().contains("head=shop%3Aragline%2Faccept") {
                        json!(state.proposed)
                    } else {
                        json!([{"number": 6, "head": {"sha": LATER}}, {"number": 7, "head": {"sha": state.head}}])
                    };
                    Script::json(200, &open.to_string())
                }
                ("POST", ["repos", "shop", "bot", "pulls"]) => {
                    state.proposed.push(json!({"number": 12}));
                    Script::json(201, r#"{"number":12}"#)
                }
                ("PATCH", ["repos", "shop", "bot", "pulls", "12"]) => Script::json(200, "{}"),
                ("GET", ["repos", "shop", "bot", "issues", "7", "comments"]) => {
                    let page: usize = seen.query().split("page=").last().and_then(|p| p.parse().ok()).unwrap_or(1);
                    let comments: Vec<Value> = state
                        .comments
                        .iter()
                        .enumerate()
                        .skip((page - 1) * 100)
                        .take(100)
                        .map(|(i, c)| json!({"id": i + 1, "user": {"login": c.author}, "body": c.body}))
                        .collect();
                    Script::json(200, &json!(comments).to_string())
                }
                ("POST", ["repos", "shop", "bot", "issues", "7", "comments"]) => {
                    state.comments.push(Comment { author: BOT.into(), body: body() });
                    Script::json(201, "{}")
                }
                ("PATCH", ["repos", "shop", "bot", "issues", "comments", id]) => {
                    let at: usize = id.parse().unwrap();
                    state.comments[at - 1].body = body();
                    Script::json(200, "{}")
                }
                _ => Script::json(404, "{}"),
            }
        });
        Api { server, state }
    }

    fn comments(&self) -> Vec<Comment> {
        self.state.lock().unwrap().comments.clone()
    }

    fn writes(&self) -> usize {
        self.state.lock().unwrap().writes.len()
    }
}

/// A runner: its folders, the event, and the variables that it sets.
struct Runner {
    folder: Folder,
    api: Api,
    event: &'static str,
    variables: Vec<(String, String)>,
}

/// How a script ended.
#[derive(Debug)]
struct Ended {
    exit: i32,
    out: String,
    err: String,
}

impl Runner {
    fn new(event: &'static str, payload: &Value) -> Runner {
        let folder = Folder::new();
        folder.write("event.json", payload.to_string().as_bytes());
        std::fs::create_dir_all(folder.path().join("temp")).unwrap();
        Runner { folder, api: Api::new(), event, variables: Vec::new() }
    }

    /// A pull request of a branch of the repository itself, or of a fork.
    fn pull_request(from: &str) -> Runner {
        Runner::new(
            "pull_request",
            &json!({
                "repository": {"full_name": "shop/bot"},
                "pull_request": {
                    "number": 7,
                    "title": "$(touch pwned) `touch pwned` ${{ secrets.SHOP_TOKEN }}",
                    "head": {"sha": SHA, "ref": "x\";touch pwned;\"", "repo": {"full_name": from}},
                },
            }),
        )
    }

    /// The run of a fork came to its end.
    fn workflow_run() -> Runner {
        Runner::new(
            "workflow_run",
            &json!({
                "repository": {"full_name": "shop/bot"},
                "workflow_run": {
                    "event": "pull_request", "head_sha": SHA, "head_branch": "x\";touch pwned;\"&head=shop:main#",
                    "head_repository": {"full_name": "mallory/bot", "owner": {"login": "mallory"}}, "pull_requests": [],
                },
            }),
        )
    }

    fn with(mut self, name: &str, value: impl Into<String>) -> Runner {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn script(&self, name: &str, variables: &[(&str, &str)]) -> Ended {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/actions/ragline").join(name);
        let mut command = Command::new("bash");
        command.arg(&script).current_dir(self.folder.path()).env_clear();
        for name in ["PATH", "HOME", "LANG"] {
            command.envs(std::env::var_os(name).map(|v| (name, v)));
        }
        let text = |p: &Path| p.to_str().unwrap().to_owned();
        command
            .env("GITHUB_ACTIONS", "true")
            .env("CI", "true")
            .env("GITHUB_REPOSITORY", "shop/bot")
            .env("GITHUB_EVENT_NAME", self.event)
            .env("GITHUB_EVENT_PATH", text(&self.path("event.json")))
            .env("GITHUB_API_URL", self.api.server.url("").trim_end_matches('/'))
            .env("GITHUB_OUTPUT", text(&self.path("output")))
            .env("GITHUB_STEP_SUMMARY", text(&self.path("summary.md")))
            .env("GITHUB_ACTION_PATH", text(script.parent().unwrap()))
            .env("RUNNER_TEMP", text(&self.path("temp")))
            .env("RAGLINE", env!("CARGO_BIN_EXE_ragline"))
            .env("GH_TOKEN", TOKEN)
            .envs(self.variables.iter().map(|(n, v)| (n, v)))
            .envs(variables.iter().copied());
        let done = command.output().unwrap();
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        let ended = Ended { exit: done.status.code().unwrap_or(-1), out: text(&done.stdout), err: text(&done.stderr) };
        // Whatever the event says, nothing of it is run; and no log shows the token.
        assert!(!self.path("pwned").exists(), "{ended:?}");
        assert!(!ended.out.contains(TOKEN) && !ended.err.contains(TOKEN), "{ended:?}");
        ended
    }

    fn output(&self, name: &str) -> String {
        let text = self.folder.read("output");
        let found = text.lines().filter_map(|l| l.strip_prefix(&format!("{name}="))).next_back();
        found.unwrap_or_else(|| panic!("no {name} in {text}")).to_owned()
    }

    /// The steps of the action: run, comment, and how the job ends.
    fn job(&self, project: &Project, words: &str) -> i32 {
        let checkout = self.path("project");
        let _ = std::fs::remove_dir_all(&checkout);
        shard_kit::copy_into(project.folder.path(), &checkout);
        let ran = self.script("run.sh", &[("INPUT_DIRECTORY", "project"), ("INPUT_ARGUMENTS", words)]);
        assert_eq!(ran.exit, 0, "{}\n{}", ran.out, ran.err);
        let report = self.output("report");
        let said = self.script("comment.sh", &[("RAGLINE_REPORT", &report)]);
        assert_eq!(said.exit, 0, "{}\n{}", said.out, said.err);
        self.output("exit").parse().unwrap()
    }

    /// A report as a fork's run could have written it.
    fn foreign(&self, report: &[u8]) -> Ended {
        self.folder.write("artefact/report.md", report);
        self.script("comment.sh", &[("RAGLINE_REPORT", "artefact"), ("RAGLINE_FOREIGN", "true")])
    }
}

#[test]
fn a_pull_request_has_one_comment_however_often_it_runs() {
    let runner = Runner::pull_request("shop/bot");
    let broken = small().broken();
    assert_eq!(runner.job(&broken, ""), 1);
    let comments = runner.api.comments();
    assert_eq!(comments.len(), 1);
    assert!(comments[0].body.starts_with("<!-- ragline"), "{}", comments[0].body);
    assert!(comments[0].body.contains("GATE CLOSED"), "{}", comments[0].body);
    assert!(runner.folder.read("summary.md").contains("GATE CLOSED"));
    // A re-run, and a run of what was mended.
    assert_eq!(runner.job(&broken, ""), 1);
    assert_eq!(runner.job(&small(), ""), 0);
    let comments = runner.api.comments();
    assert_eq!(comments.len(), 1);
    assert!(comments[0].body.contains("GATE OPEN"), "{}", comments[0].body);
    assert_eq!(runner.api.writes(), 3);
    // What is uploaded is the run, for `accept --run`.
    let report = PathBuf::from(runner.output("report"));
    for name in ["report.md", "junit.xml", "results.jsonl", "exit", "run/run.json", "run/journal.jsonl"] {
        assert!(report.join(name).is_file(), "{name}");
    }
    assert_eq!(std::fs::read_to_string(report.join("exit")).unwrap(), "0\n");
}

#[test]
fn a_comment_of_somebody_else_is_left_alone() {
    let runner = Runner::pull_request("shop/bot");
    {
        let mut state = runner.api.state.lock().unwrap();
        // More than a page of them, one that begins like ours, and ours on the second page.
        for i in 0..120 {
            state.comments.push(Comment { author: "ann".into(), body: format!("comment {i}") });
        }
        state.comments[3].body = "<!-- ragline -->\nmine".into();
        state.comments[4] = Comment { author: BOT.into(), body: "another tool\n<!-- ragline -->".into() };
        state.comments[110] = Comment { author: BOT.into(), body: "<!-- ragline -->\r\nold".into() };
    }
    runner.folder.write("r/report.md", b"### new\n");
    let ended = runner.script("comment.sh", &[("RAGLINE_REPORT", "r")]);
    assert_eq!(ended.exit, 0, "{ended:?}");
    let comments = runner.api.comments();
    assert_eq!(comments.len(), 120);
    assert_eq!(comments[3].body, "<!-- ragline -->\nmine");
    assert_eq!(comments[4].body, "another tool\n<!-- ragline -->");
    assert_eq!(comments[110].body, "<!-- ragline -->\n### new\n");
    // The report names its comment: another suite has another one.
    runner.folder.write("r/report.md", b"<!-- ragline desk -->\n### desk\n");
    runner.script("comment.sh", &[("RAGLINE_REPORT", "r")]);
    assert_eq!(runner.api.comments()[120].body, "<!-- ragline desk -->\n### desk\n");
    assert!(!runner.api.server.log().iter().any(|s| s.target.contains(TOKEN)));
}

#[test]
fn an_older_run_does_not_write_over_a_newer_one() {
    let runner = Runner::pull_request("shop/bot");
    runner.api.state.lock().unwrap().head = LATER.into();
    assert_eq!(runner.job(&small().broken(), ""), 1);
    assert_eq!((runner.api.comments().len(), runner.api.writes()), (0, 0));
}

#[test]
fn events_without_a_pull_request_are_judged_and_not_commented_on() {
    for (event, payload) in [
        (
            "merge_group",
            json!({"merge_group": {"head_sha": SHA, "head_ref": "refs/heads/gh-readonly-queue/main/pr-7-x"}}),
        ),
        ("schedule", json!({"schedule": "17 3 * * *"})),
        ("workflow_dispatch", json!({"inputs": {"x": "$(touch pwned)"}})),
        ("push", json!({"ref": "refs/heads/main", "head_commit": {"message": "`touch pwned`"}})),
    ] {
        let runner = Runner::new(event, &payload);
        assert_eq!(runner.job(&small().broken(), ""), 1, "{event}");
        assert_eq!(runner.api.server.count(), 0, "{event}");
    }
}

#[test]
fn the_run_of_a_fork_may_not_comment_and_does_not_try() {
    let runner = Runner::pull_request("mallory/bot");
    assert_eq!(runner.job(&small(), ""), 0);
    assert_eq!(runner.api.server.count(), 0);
}

#[test]
fn every_exit_code_comes_through_with_something_to_read() {
    let missing = small();
    let answers = missing.folder.read("answers.jsonl");
    missing.folder.write("answers.jsonl", answers.split_once('\n').unwrap().1.as_bytes());
    let fault = small();
    fault.folder.write("thresholds.toml", b"version = 1\nmax_regresed = 1\n");
    for (project, words, exit) in [
        (small(), "", 0),
        (small().broken(), "", 1),
        (Project::new(8), "", 2),
        (fault, "", 2),
        (missing, "", 3),
        (small(), "nowhere*", 4),
        (small(), "--shard 1/2", 0),
    ] {
        let runner = Runner::pull_request("shop/bot");
        assert_eq!(runner.job(&project, words), exit, "{words}");
        let report = PathBuf::from(runner.output("report"));
        assert!(!std::fs::read(report.join("report.md")).unwrap().is_empty());
        assert_eq!(runner.api.comments().len(), 1);
    }
}

/// Four jobs that ask a share each, and the one that puts them together: sharded.yml.
#[test]
fn shards_are_put_together_by_the_action() {
    let (broken, mut kept) = (small().broken(), Vec::new());
    for n in 1..=4 {
        let shard = Runner::pull_request("shop/bot").with("RAGLINE_SHARD", format!("{n}/4"));
        shard_kit::copy_into(broken.folder.path(), &shard.path("project"));
        let ran = shard.script("run.sh", &[("INPUT_DIRECTORY", "project")]);
        assert_eq!((ran.exit, shard.output("exit").as_str()), (0, "0"), "{ran:?}");
        assert!(shard.folder.read("summary.md").starts_with(&format!("### ragline shard {n} of 4: ")));
        kept.push(shard);
    }
    let runner = Runner::pull_request("shop/bot");
    for (n, shard) in kept.iter().enumerate() {
        let artefact = PathBuf::from(shard.output("report"));
        shard_kit::copy_into(&artefact, &runner.path(&format!("shards/rag-shard-{}", n + 1)));
    }
    shard_kit::copy_into(broken.folder.path(), &runner.path("project"));
    let words = [("INPUT_DIRECTORY", "project"), ("INPUT_COMMAND", "merge"), ("INPUT_ARGUMENTS", "shards")];
    let ran = runner.script("run.sh", &words);
    assert_eq!((ran.exit, runner.output("exit").as_str()), (0, "1"), "{ran:?}");
    assert!(runner.folder.read("summary.md").contains("GATE CLOSED"));
    assert!(PathBuf::from(runner.output("report")).join("run/run.json").is_file());
}

/// Words are divided at blanks and are nothing else: no glob, no variable, no second command.
#[test]
fn the_words_of_the_command_are_not_evaluated() {
    let runner = Runner::pull_request("shop/bot");
    for words in ["$(touch pwned)", "; touch pwned", "`touch pwned`", "--target=$HOME", "\"a b\"", "*\n--target\nx"] {
        assert_ne!(runner.job(&small(), words), 0, "{words}");
    }
    assert_eq!(runner.job(&small(), " shop::q0001\n  shop::q0002 "), 0);
    let ended = runner.script("run.sh", &[("INPUT_COMMAND", "accept")]);
    assert_eq!(ended.exit, 2, "{ended:?}");
}

/// What GitHub's runner takes for commands in what a step prints: lines that begin with `::name`, and `##[name` anywhere, but for
/// what stands behind `::stop-commands::WORD` up to `::WORD::`.
fn commands(printed: &str) -> Vec<String> {
    let (mut found, mut stopped) = (Vec::new(), None::<String>);
    for line in printed.lines() {
        let line = line.trim_start();
        if let Some(word) = &stopped {
            if line == format!("::{word}::") {
                stopped = None;
            }
        } else if let Some(word) = line.strip_prefix("::stop-commands::") {
            stopped = Some(word.to_owned());
        } else if line.starts_with("::") || line.contains("##[") {
            found.push(line.to_owned());
        }
    }
    assert_eq!(stopped, None, "the runner is deaf from here on");
    found
}

/// An answer in the log cannot speak to the runner, and what ragline says to it is heard.
#[test]
fn an_answer_gives_no_commands_to_the_runner_and_annotations_do() {
    let runner = Runner::pull_request("shop/bot");
    let project = small().broken();
    let answers = project
        .folder
        .read("answers.jsonl")
        .replace("It lasts ", "\\n::error::owned\\n::add-mask::a\\n##[error]owned ");
    project.folder.write("answers.jsonl", answers.as_bytes());
    assert_eq!(runner.job(&project, ""), 1);
    let ran = runner.script("run.sh", &[("INPUT_DIRECTORY", "project")]);
    let found = commands(&(ran.err + &ran.out));
    assert!((2..=10).contains(&found.len()), "{found:?}");
    let ours = |l: &String| l.starts_with("::error file=suites/") || l.starts_with("::error title=ragline::and ");
    assert!(found.iter().all(ours), "{found:?}");
}

/// Neither can a file that is wrong: its lines are quoted where it is said what is wrong with it.
#[test]
fn a_file_gives_no_commands_to_the_runner() {
    let runner = Runner::pull_request("shop/bot");
    for (file, text) in [
        ("suites/shop.yaml", "version: 1\nquestions:\n  - id: a\n::error::owned\n##[error]owned: [\n::add-mask::a\n"),
        ("thresholds.toml", "version = 1\n\"::error::owned\" = 1\n\"##[error]x\" = 1\n"),
        ("answers.jsonl", "::error::owned\n##[error]owned\n{\"id\":\"::error::owned\",\"answer\":\"x\"}\n"),
    ] {
        let project = small();
        project.folder.write(file, text.as_bytes());
        let exit = runner.job(&project, "");
        assert!(exit == 2 || exit == 3, "{file}: {exit}");
        let ran = runner.script("run.sh", &[("INPUT_DIRECTORY", "project")]);
        for line in commands(&(ran.err + &ran.out)) {
            // What stands in a message of ours is data, whatever it looks like.
            assert!(line.starts_with("::error "), "{file}: {line}");
        }
    }
}

/// The summary of the step holds the report once, though ragline would write one by itself.
#[test]
fn the_summary_holds_the_report_once() {
    let runner = Runner::pull_request("shop/bot");
    assert_eq!(runner.job(&small().broken(), ""), 1);
    let summary = runner.folder.read("summary.md");
    assert_eq!(summary.matches("### ❌ GATE CLOSED").count(), 1, "{summary}");
    // And the outputs that ragline writes stand beside the action's.
    assert_eq!((runner.output("decision").as_str(), runner.output("exit").as_str()), ("closed", "1"));
}

#[test]
fn what_a_fork_wrote_is_data() {
    let runner = Runner::workflow_run();
    let report = "### ✅ GATE OPEN\n@everyone ping @shop/admins, see #1 and GH-2, [click](http://evil.example) ![x](https://evil.example/p.png)\n\
                  <img src=x onerror=alert(1)><script>alert(1)</script> <!-- ragline -->\n[a]: http://evil.example\nwww.evil.example\n\
                  <details><summary>more</summary>\n\n$(touch pwned) `touch pwned` ::error::x ${{ secrets.X }}\n\n</details>\n";
    let ended = runner.foreign(report.as_bytes());
    assert_eq!(ended.exit, 0, "{ended:?}");
    let comments = runner.api.comments();
    let body = &comments[0].body;
    assert!(body.starts_with("<!-- ragline fork -->\nWritten by the run of a fork at 0123456789"), "{body}");
    for hostile in ["@everyone", "@shop", "](http", "![x](", "<img", "<script", "://", "]: ", "www.evil", "#1 ", "GH-2"]
    {
        assert!(!body.contains(hostile) || hostile == "]: " && !body.contains("[a]: "), "{hostile} in {body}");
    }
    assert_eq!(body.matches("<!--").count(), 1, "{body}");
    assert!(body.contains("<details><summary>more</summary>") && body.contains("$(touch pwned)"), "{body}");
    // It is found by GitHub's word for whose commit this is.
    let asked: Vec<String> = runner.api.server.log().iter().map(|s| s.target.clone()).collect();
    assert!(asked[0].contains("head=mallory%3Ax%22%3Btouch%20pwned%3B%22%26head%3Dshop%3Amain%23"), "{asked:?}");
    assert!(asked.iter().any(|t| t.starts_with("/repos/shop/bot/issues/7/")), "{asked:?}");
    runner.foreign(b"### again\n");
    assert_eq!(runner.api.comments().len(), 1);
}

/// Entities are read before mentions are looked for; diagrams are more than text; only bare elements stay.
#[test]
fn a_fork_does_not_call_anybody_by_a_detour() {
    let runner = Runner::workflow_run();
    runner.foreign(
        "<!-- ragline report 0123456789abcdef -->\n&#64;team &#x40;team &commat;team &#0064;team &num;12 &#35;12 GH&#45;2 gh&#x2d;2 www&#46;evil.example \
         http&colon;//evil.example http&#58;&#47;&#47;evil.example <b onclick=x> <p style=x> <a href=x> </details >\n```mermaid\n~~~ GeoJSON\n"
            .as_bytes(),
    );
    let body = runner.api.comments()[0].body.clone();
    for hostile in [
        "ragline report",
        "&#64;t",
        "&#x40;",
        "&commat;",
        "&#0064;",
        "&num;",
        "&#35;1",
        "GH&#45;2",
        "&#x2d;",
        "www&#46;",
        "&colon;",
        "&#58;",
        "&#47;",
        "<b onclick",
        "<p style",
        "<a",
        "</details >",
        "```mermaid",
        "~~~ Geo",
    ] {
        assert!(!body.replace("&amp;", "(and)").contains(hostile), "{hostile} in {body}");
    }
}

/// What ragline itself wrote in the run of a fork looks as it does elsewhere.
#[test]
fn a_forks_own_report_keeps_its_form() {
    let inside = Runner::pull_request("shop/bot");
    assert_eq!(inside.job(&small().broken(), ""), 1);
    let own = inside.api.comments()[0].body.clone();
    let runner = Runner::workflow_run();
    runner.foreign(own.as_bytes());
    let body = runner.api.comments()[0].body.clone();
    let rest = |text: &str, from: &str| text.split_once(from).map(|(_, rest)| rest.to_owned()).unwrap();
    assert_eq!(rest(&body, "wrote it.\n\n").trim_end(), rest(&own, " -->\n").trim_end());
}

#[test]
fn a_report_that_cannot_be_one_is_not_shown() {
    for (report, why) in [
        (vec![b'x'; 300_000], "too large"),
        (b"\xff\xfe broken".to_vec(), "not UTF-8"),
        (b"a\0b".to_vec(), "control characters"),
        (b"a\x1b[31mred".to_vec(), "control characters"),
    ] {
        let runner = Runner::workflow_run();
        let ended = runner.foreign(&report);
        assert_eq!(ended.exit, 0, "{ended:?}");
        let body = runner.api.comments()[0].body.clone();
        assert!(body.contains("cannot be shown") && body.contains(why) && body.len() < 200, "{why}: {body}");
    }
    // A link to a file of the runner is no report.
    let runner = Runner::workflow_run();
    std::fs::create_dir_all(runner.path("artefact")).unwrap();
    std::os::unix::fs::symlink(runner.path("event.json"), runner.path("artefact/report.md")).unwrap();
    runner.script("comment.sh", &[("RAGLINE_REPORT", "artefact"), ("RAGLINE_FOREIGN", "true")]);
    let body = runner.api.comments()[0].body.clone();
    assert!(body.contains("there is no report") && !body.contains("mallory"), "{body}");
    // As many characters as GitHub takes.
    let runner = Runner::workflow_run();
    runner.foreign("ß".repeat(100_000).as_bytes());
    let body = runner.api.comments()[0].body.clone();
    assert!(body.chars().count() <= 65_536 && body.contains("cut off"), "{}", body.chars().count());
}

#[test]
fn only_the_commit_that_was_approved_is_run() {
    let runner = Runner::workflow_run();
    let ended = runner.script("check-head.sh", &[]);
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert!(ended.out.contains("pull request 7 is at 0123456789"), "{ended:?}");
    // Somebody pushed between the approval and now: no pull request has the approved commit at its head.
    runner.api.state.lock().unwrap().head = LATER.into();
    let ended = runner.script("check-head.sh", &[]);
    assert_eq!(ended.exit, 1, "{ended:?}");
    assert!(ended.err.contains("nothing is run"), "{ended:?}");
    // GitHub does not answer: that is no approval.
    let broken = Runner::workflow_run().with("GH_TOKEN", "wrong");
    assert_ne!(broken.script("check-head.sh", &[]).exit, 0);
    // A push is no pull request.
    let push = Runner::new("workflow_run", &json!({"workflow_run": {"event": "push", "head_sha": SHA}}));
    assert_eq!(push.script("check-head.sh", &[]).exit, 1);
    assert_eq!(push.api.server.count(), 0);
}

#[test]
fn an_api_that_fails_makes_the_step_red() {
    let runner = Runner::pull_request("shop/bot").with("GH_TOKEN", "wrong");
    runner.folder.write("r/report.md", b"### new\n");
    let ended = runner.script("comment.sh", &[("RAGLINE_REPORT", "r")]);
    assert_ne!(ended.exit, 0, "{ended:?}");
    let hostile = Runner::pull_request("shop/bot").with("GITHUB_REPOSITORY", "shop/bot/../../x?");
    hostile.folder.write("r/report.md", b"### new\n");
    assert_ne!(hostile.script("comment.sh", &[("RAGLINE_REPORT", "r")]).exit, 0);
    assert_eq!(hostile.api.server.count(), 0);
}

fn git(folder: &Path, words: &[&str]) -> String {
    let done = Command::new("git").arg("-C").arg(folder).args(words).output().unwrap();
    assert!(done.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// On the main branch a known failure was fixed: the scheduled run proposes to accept it, once.
#[test]
fn what_got_better_is_proposed_and_nothing_else() {
    let runner = Runner::new("schedule", &json!({"schedule": "17 3 * * *"}));
    let project = Project::new(24);
    let answers = project.folder.read("answers.jsonl").replace("It lasts 3 days", "It lasts 9999 days");
    project.folder.write("answers.jsonl", answers.as_bytes());
    let project = project.accepted();
    let main = runner.path("main");
    shard_kit::copy_into(project.folder.path(), &main);
    let remote = runner.path("remote.git");
    git(runner.folder.path(), &["init", "--quiet", "--bare", "remote.git"]);
    git(&main, &["init", "--quiet", "--initial-branch", "main"]);
    git(&main, &["add", "-A"]);
    git(&main, &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "start"]);
    git(&main, &["remote", "add", "origin", remote.to_str().unwrap()]);
    let propose = || {
        let report = runner.output("report");
        let ran = Command::new("bash")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/actions/ragline/propose.sh"))
            .current_dir(&main)
            .env_remove("GITHUB_SERVER_URL")
            .env("GITHUB_REPOSITORY", "shop/bot")
            .env("GITHUB_API_URL", runner.api.server.url("").trim_end_matches('/'))
            .env("GH_TOKEN", TOKEN)
            .env("CI", "true")
            .env("RAGLINE", env!("CARGO_BIN_EXE_ragline"))
            .env("RAGLINE_REPORT", &report)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}");
        said
    };
    let ask = || assert_eq!(runner.script("run.sh", &[("INPUT_DIRECTORY", "main")]).exit, 0);
    ask();
    assert!(propose().contains("nothing got better"));
    assert_eq!(runner.api.writes(), 0);
    // The bot was mended.
    let before = git(&main, &["show", "HEAD:suites/shop.baseline.toml"]);
    let answers = main.join("answers.jsonl");
    let text = std::fs::read_to_string(&answers).unwrap();
    std::fs::write(&answers, text.replace("9999 days", "3 days")).unwrap();
    ask();
    let said = propose();
    assert!(said.contains("pull request 12 proposed"), "{said}");
    let after = git(&remote, &["show", "ragline/accept:suites/shop.baseline.toml"]);
    assert_ne!(before, after);
    assert!(before.matches("= \"fail\"").count() > after.matches("= \"fail\"").count());
    // Nothing but what was accepted is in the commit, not even the answers that lie there.
    let changed = git(&main, &["diff", "--name-only", "main", "ragline/accept"]);
    assert!(changed.lines().all(|l| l.ends_with(".baseline.toml") || l.ends_with(".accepted.jsonl")), "{changed}");
    let (_, _, body) = runner.api.state.lock().unwrap().writes[0].clone();
    assert_eq!((&body["head"], &body["base"]), (&json!("ragline/accept"), &json!("main")));
    // The next night: the same proposal, not a second one.
    git(&main, &["switch", "--quiet", "main"]);
    ask();
    assert!(propose().contains("pull request 12 is up to date"));
    assert_eq!(runner.api.state.lock().unwrap().proposed.len(), 1);
}

/// `binary` names a program; without one, sources are needed.
#[test]
fn the_program_is_named_or_built() {
    let runner = Runner::pull_request("shop/bot");
    let ended = runner.script("build.sh", &[("INPUT_BINARY", env!("CARGO_BIN_EXE_ragline"))]);
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert!(runner.output("binary").ends_with("/ragline"));
    for (name, value) in [("INPUT_BINARY", "nothing/here"), ("INPUT_SOURCE", "nowhere")] {
        assert_eq!(runner.script("build.sh", &[(name, value)]).exit, 2);
    }
}

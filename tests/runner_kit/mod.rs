//! A runner of GitHub's: its folders, the event, the variables that it sets, and a server that stands for its API.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    reason = "each test file uses a part, and fails by a panic"
)]

use crate::binary_kit::Folder;
use crate::server_kit::{Script, Server};
use crate::shard_kit;
use crate::shard_kit::project::Project;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

pub(crate) const SHA: &str = "0123456789abcdef0123456789abcdef01234567";
pub(crate) const LATER: &str = "89abcdef0123456789abcdef0123456789abcdef";
pub(crate) const TOKEN: &str = "ghs_c4n4rySt4ndsF0rAt0ken";
pub(crate) const BOT: &str = "github-actions[bot]";

/// A comment of the pull request.
#[derive(Debug, Clone)]
pub(crate) struct Comment {
    pub(crate) author: String,
    pub(crate) body: String,
}

/// What the server knows, and what it was asked.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) comments: Vec<Comment>,
    /// The commit at the head of pull request 7.
    pub(crate) head: String,
    pub(crate) writes: Vec<(String, String, Value)>,
    pub(crate) proposed: Vec<Value>,
}

/// GitHub's API, as far as the scripts use it.
pub(crate) struct Api {
    pub(crate) server: Server,
    pub(crate) state: Arc<Mutex<State>>,
}

impl Api {
    pub(crate) fn new() -> Api {
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

    pub(crate) fn comments(&self) -> Vec<Comment> {
        self.state.lock().unwrap().comments.clone()
    }

    pub(crate) fn writes(&self) -> usize {
        self.state.lock().unwrap().writes.len()
    }
}

/// A runner: its folders, the event, and the variables that it sets.
pub(crate) struct Runner {
    pub(crate) folder: Folder,
    pub(crate) api: Api,
    pub(crate) event: &'static str,
    pub(crate) variables: Vec<(String, String)>,
}

/// How a script ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Runner {
    pub(crate) fn new(event: &'static str, payload: &Value) -> Runner {
        let folder = Folder::new();
        folder.write("event.json", payload.to_string().as_bytes());
        std::fs::create_dir_all(folder.path().join("temp")).unwrap();
        Runner { folder, api: Api::new(), event, variables: Vec::new() }
    }

    /// A pull request of a branch of the repository itself, or of a fork.
    pub(crate) fn pull_request(from: &str) -> Runner {
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
    pub(crate) fn workflow_run() -> Runner {
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

    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Runner {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn script(&self, name: &str, variables: &[(&str, &str)]) -> Ended {
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

    pub(crate) fn output(&self, name: &str) -> String {
        let text = self.folder.read("output");
        let found = text.lines().filter_map(|l| l.strip_prefix(&format!("{name}="))).next_back();
        found.unwrap_or_else(|| panic!("no {name} in {text}")).to_owned()
    }

    /// The steps of the action: run, comment, and how the job ends.
    pub(crate) fn job(&self, project: &Project, words: &str) -> i32 {
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
    pub(crate) fn foreign(&self, report: &[u8]) -> Ended {
        self.folder.write("artefact/report.md", report);
        self.script("comment.sh", &[("RAGLINE_REPORT", "artefact"), ("RAGLINE_FOREIGN", "true")])
    }
}

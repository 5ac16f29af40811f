//! The scripts of the GitHub action, on events as GitHub hands them over, against a server that stands for its API.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod runner_kit;
mod server_kit;
mod shard_kit;

use runner_kit::{BOT, Comment, LATER, Runner, SHA, TOKEN};
use serde_json::json;
use shard_kit::project::{Project, small};
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// `binary` names a program; else sources are built; else the one in the path is taken.
#[test]
fn the_program_is_named_or_built_or_in_the_path() {
    let program = env!("CARGO_BIN_EXE_ragline");
    let runner = Runner::pull_request("shop/bot");
    let ended = runner.script("build.sh", &[("INPUT_BINARY", program)]);
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert!(runner.output("binary").ends_with("/ragline"));
    let path = std::env::var("PATH").unwrap();
    let with = format!("{}:{path}", Path::new(program).parent().unwrap().display());
    for (name, value) in [("INPUT_BINARY", "nothing/here"), ("INPUT_SOURCE", "nowhere")] {
        assert_eq!(runner.script("build.sh", &[(name, value), ("PATH", &with)]).exit, 2);
    }
    // The action was copied into a project of another name, in Rust at that.
    let copied = runner.path("bot/.github/actions/ragline");
    std::fs::create_dir_all(&copied).unwrap();
    runner.folder.write("bot/Cargo.toml", b"[package]\nname = \"bot\"\n");
    let place = copied.to_str().unwrap();
    let ended = runner.script("build.sh", &[("GITHUB_ACTION_PATH", place), ("PATH", &with)]);
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert_eq!(runner.output("binary"), program);
    let bare = std::env::join_paths(std::env::split_paths(&path).filter(|p| !p.join("ragline").exists())).unwrap();
    let ended = runner.script("build.sh", &[("GITHUB_ACTION_PATH", place), ("PATH", bare.to_str().unwrap())]);
    assert_eq!(ended.exit, 2, "{ended:?}");
    assert!(ended.err.contains("no sources of ragline"), "{ended:?}");
}

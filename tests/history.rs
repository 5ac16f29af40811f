//! The history of a suite through the real binary: what `accept` writes, what the gate makes of it, and that two clones agree.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod binary_kit;

use binary_kit::{Folder, lines, ragline};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const HISTORY: &str = "suites/shop.history.jsonl";

/// Answers every question as `now.txt` says.
const SETTINGS: &str = "version = 1\nhistory = \"suites\"\n[targets.bot]\nkind = \"command\"\ncommand = [\"cat\", \"now.txt\"]\n\
                        output = \"text\"\nretries = 0\n";

const SUITE: &str = "version: 1\nsuite: shop\nlanguage: en\ntarget: bot\nquestions:\n\
    \u{20} - { id: a, question: May I return it?, facts: [thirty days], layers: { numbers: off, refusal: off } }\n\
    \u{20} - { id: b, question: For how long?, facts: [thirty days], layers: { numbers: off, refusal: off } }\n";

const GOOD: &[u8] = b"You have thirty days.";
const BAD: &[u8] = b"You have no such right.";

fn project() -> Folder {
    let folder = Folder::with(&[("ragline.toml", SETTINGS), ("suites/shop.yaml", SUITE)]);
    folder.write("now.txt", GOOD);
    git(folder.path(), &["init", "-q", "-b", "main"]);
    git(folder.path(), &["config", "user.name", "An"]);
    folder
}

fn git(folder: &Path, args: &[&str]) {
    let settings = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let done = Command::new("git").current_dir(folder).args(settings).args(args).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "accept"]);
}

/// Accepted after five runs a question, so many times.
fn accepted(times: usize) -> Folder {
    let folder = project();
    folder.run(&["run", "--repeat", "5"]).exits(2);
    folder.run(&["accept", "--first", "--reason", "where we start"]).exits(0);
    for _ in 1..times {
        folder.run(&["run", "--repeat", "5"]).exits(0);
        folder.run(&["accept", "all"]).exits(0).shows(&["suites/shop.history.jsonl: one more run noted"]);
    }
    folder
}

fn told(folder: &Folder) -> Vec<Value> {
    lines(&folder.read(HISTORY)).collect()
}

/// How many times `b` was asked anew in the last run.
fn fresh(folder: &Path) -> usize {
    let runs = folder.join(".ragline/runs");
    let latest = std::fs::read_to_string(runs.join("latest")).unwrap();
    let journal = std::fs::read_to_string(runs.join(latest.trim()).join("journal.jsonl")).unwrap();
    lines(&journal).skip(1).filter(|l| l["id"] == "b").count() - 1
}

#[test]
fn a_line_for_each_accept_and_no_other_file_changes() {
    let folder = accepted(1);
    let [line] = &told(&folder)[..] else { panic!("{}", folder.read(HISTORY)) };
    assert_eq!(line["layers"]["facts"], serde_json::json!({ "pass": 2, "n": 2 }));
    assert_eq!(line["questions"]["a"]["k"], 5);
    assert_eq!((&line["who"], &line["why"]), (&"An".into(), &"where we start".into()));
    let before = folder.files();
    folder.run(&["run", "--repeat", "5"]).exits(0);
    assert_eq!(folder.files(), before, "a run writes no history");
    folder.run(&["accept", "all"]).exits(0);
    let mut after = folder.files();
    let told_now = folder.read(HISTORY);
    assert!(told_now.starts_with(std::str::from_utf8(&before[&folder.path().join(HISTORY)]).unwrap()), "appended");
    assert_eq!(told_now.lines().count(), 2);
    // The same once more is told already.
    folder.run(&["accept", "all"]).exits(0).shows(&["nothing to accept"]);
    assert_eq!(folder.read(HISTORY), told_now);
    after.remove(&folder.path().join(HISTORY));
    assert!(after.iter().all(|(path, bytes)| before.get(path) == Some(bytes)), "and nothing else");
}

#[test]
fn no_history_is_kept_where_the_settings_name_none() {
    let folder = project();
    folder.write("ragline.toml", SETTINGS.replace("history = \"suites\"\n", "").as_bytes());
    folder.run(&["run"]).exits(2);
    folder.run(&["accept", "--first"]).exits(0);
    assert!(!folder.path().join(HISTORY).exists());
    for wrong in ["/var/tmp", "../x"] {
        folder.write("ragline.toml", SETTINGS.replace("\"suites\"", &format!("\"{wrong}\"")).as_bytes());
        folder.run(&["run"]).exits(2).says(&["history-folder"]);
    }
}

#[test]
fn what_a_failing_question_did_in_a_run_that_was_accepted_for_another_is_not_told() {
    let folder = accepted(1);
    folder.write("now.txt", BAD);
    folder.run(&["run"]).exits(1);
    folder.run(&["accept", "a", "--reason", "policy"]).exits(0);
    let last = told(&folder).pop().unwrap();
    let ids: Vec<&String> = last["questions"].as_object().unwrap().keys().collect();
    assert_eq!(ids, ["a"]);
    assert_eq!(last["questions"]["a"]["f"], serde_json::json!(["facts"]));
    assert_eq!(last["questions"]["a"]["k"], 0);
}

#[test]
fn two_clones_decide_alike_by_what_the_history_knows() {
    let folder = accepted(4);
    commit(folder.path());
    let clones = Folder::new();
    for name in ["one", "two"] {
        let from = folder.path().to_str().unwrap();
        git(clones.path(), &["clone", "-q", from, name]);
    }
    let decided = ["one", "two"].map(|name| {
        let clone = clones.path().join(name);
        std::fs::write(clone.join("now.txt"), BAD).unwrap();
        let ran = ragline(&clone, &["run", "--results", "r.jsonl", "--today", "2027-01-01"]).exits(1);
        let results = std::fs::read_to_string(clone.join("r.jsonl")).unwrap();
        let shown = ran.out.lines().skip(1).collect::<Vec<_>>().join("\n");
        // Twenty known runs in four lines: two fresh fails show it, at .01 over two tests and four looks: (20/22)^20 (2/22)^2
        // is .00123 at the greatest.
        assert_eq!(fresh(&clone), 2);
        (results.lines().skip(1).map(str::to_owned).collect::<Vec<_>>(), shown.replace(name, ""))
    });
    assert_eq!(decided[0], decided[1]);
    // Without it the baseline alone knows five: (5/9)^5 (4/9)^4 is .0021 after four, and .5^10, .00098, after five.
    let clone = clones.path().join("one");
    std::fs::remove_file(clone.join(HISTORY)).unwrap();
    ragline(&clone, &["run"]).exits(1);
    assert_eq!(fresh(&clone), 5);
}

#[test]
fn a_damaged_line_is_named_and_nothing_runs() {
    let folder = accepted(2);
    let mut text = folder.read(HISTORY);
    text.insert_str(0, "<<<<<<< HEAD\n");
    folder.write(HISTORY, text.as_bytes());
    for words in [&["run"][..], &["accept", "all"]] {
        folder.run(words).exits(2).says(&["history-line", "suites/shop.history.jsonl:1"]);
    }
}

#[test]
fn branches_that_both_accepted_are_merged_by_git_and_both_count() {
    let folder = accepted(1);
    folder.write(".gitattributes", b"suites/*.history.jsonl merge=union\n");
    commit(folder.path());
    let note = |folder: &Folder| {
        folder.run(&["run", "--repeat", "5"]).exits(0);
        folder.run(&["accept", "all"]).exits(0);
        commit(folder.path());
    };
    git(folder.path(), &["checkout", "-q", "-b", "theirs"]);
    note(&folder);
    note(&folder);
    git(folder.path(), &["checkout", "-q", "main"]);
    note(&folder);
    git(folder.path(), &["merge", "-q", "theirs", "-m", "merge"]);
    assert_eq!(told(&folder).len(), 4);
    folder.write("now.txt", BAD);
    folder.run(&["run"]).exits(1);
    assert_eq!(fresh(folder.path()), 2, "twenty runs are known");
}

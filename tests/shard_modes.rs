//! Advice, profiles and the policy of the base, in shards: the merged run decides as one process would, and is accepted from the
//! archive that CI keeps.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;

use binary_kit::{Folder, Ran};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const DAY: &str = "2026-03-02";
const SHARDS: usize = 3;
const SETTINGS: &str = r#"version = 1
[targets.bot]
kind = "recorded"
file = "answers.jsonl"
provides = ["answer"]
[profile.pr]
policy_from = "main"
[profile.soft]
inherits = "pr"
"#;

fn git(folder: &Folder, words: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder.path()).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(words);
    command.output().unwrap().status.success()
}

fn commit(folder: &Folder) {
    assert!(git(folder, &["add", "-A"]) && git(folder, &["commit", "--quiet", "-m", "more"]));
}

/// Answers to eight questions, these of them wrong.
fn answers(folder: &Folder, wrong: &[usize]) {
    let mut text = String::new();
    for i in 1..=8 {
        let days = if wrong.contains(&i) { 99 } else { i };
        let _ = writeln!(text, "{{\"id\":\"q{i}\",\"answer\":\"It lasts {days} days.\"}}");
    }
    folder.write("answers.jsonl", text.as_bytes());
}

/// Eight questions, all right and accepted, on `main` of a repository.
fn project() -> Folder {
    let mut suite = "version: 1\nsuite: s\nlanguage: en\ntarget: bot\nquestions:\n".to_owned();
    for i in 1..=8 {
        let _ = writeln!(suite, "  - {{ id: q{i}, question: How long does {i} last?, facts: [\"{i} days\"] }}");
    }
    let folder =
        Folder::with(&[("ragline.toml", SETTINGS), ("suites/s.yaml", &suite), (".gitignore", ".ragline/\nshards/\n")]);
    answers(&folder, &[]);
    folder.run(&["run"]).exits(2);
    folder.run(&["accept", "--first"]).exits(0);
    assert!(git(&folder, &["init", "--quiet", "-b", "main"]));
    commit(&folder);
    folder
}

/// Asks in shards, and puts them together.
fn sharded(folder: &Folder, words: &[&str]) -> Ran {
    let _ = std::fs::remove_dir_all(folder.path().join("shards"));
    for n in 1..=SHARDS {
        let share = format!("{n}/{SHARDS}");
        folder.run(&[&["run", "--today", DAY, "--shard", &share], words].concat()).exits(0);
        let (from, to) = (folder.last_run(), folder.path().join(format!("shards/{n}")));
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::rename(from, to).unwrap();
    }
    folder.run(&["merge", "shards", "--junit", "rag.xml"])
}

/// The run, as CI keeps it.
fn archive(folder: &Folder, run: &Path) {
    let mut zip = ZipWriter::new(File::create(folder.path().join("rag.zip")).unwrap());
    for name in ["run.json", "results.jsonl", "journal.jsonl"] {
        let id = run.file_name().unwrap().to_str().unwrap();
        zip.start_file(format!(".ragline/runs/{id}/{name}"), SimpleFileOptions::default()).unwrap();
        zip.write_all(&std::fs::read(run.join(name)).unwrap()).unwrap();
    }
    zip.finish().unwrap();
}

#[test]
fn a_suite_that_advises_is_merged_and_accepted_from_the_archive() {
    let folder = project();
    folder.write("thresholds.toml", b"version = 1\n[suite.s]\nmode = \"advisory\"\n");
    answers(&folder, &[2, 5]);
    sharded(&folder, &[]).exits(0).shows(&["advisory: would have blocked (exit 1)", "2 regressed, at most 0: q2, q5"]);
    let junit = folder.read("rag.xml");
    assert!(!junit.contains("<failure") && junit.contains("advisory: would have blocked (regressed)"), "{junit}");
    archive(&folder, &folder.last_run());
    std::fs::remove_dir_all(folder.path().join(".ragline")).unwrap();
    folder
        .run(&["accept", "s::q2", "--run", "rag.zip", "--reason", "meant"])
        .exits(0)
        .shows(&["q2  pass -> fail facts"]);
    // A shard is no run that anything could be accepted from, in whatever form.
    folder.run(&["accept", "s::q5", "--run", "shards/1", "--reason", "x"]).exits(2).says(&["error[run-shard]"]);
    archive(&folder, &folder.path().join("shards/1"));
    folder.run(&["accept", "s::q5", "--run", "rag.zip", "--reason", "x"]).exits(2).says(&["error[run-shard]"]);
}

#[test]
fn a_branch_that_loosens_the_policy_is_merged_by_that_of_the_base() {
    let folder = project();
    assert!(git(&folder, &["switch", "--quiet", "--create", "work"]));
    folder.write(
        "thresholds.toml",
        b"version = 1\nmode = \"advisory\"\nmax_regressed = 5\n[profile.soft]\nmode = \"advisory\"\n",
    );
    answers(&folder, &[5]);
    commit(&folder);
    let told = [
        "1 regressed, at most 0: q5",
        "decided by the policy and the baselines of main",
        "loosened   mode: block -> advisory",
        "loosened   max_regressed: 0 -> 5",
    ];
    sharded(&folder, &["--policy-from", "main"]).exits(1).shows(&told);
    // By a profile, and by one that inherits it and advises on the branch alone.
    for profile in ["pr", "soft"] {
        sharded(&folder, &["--profile", profile]).exits(1).shows(&told[..2]);
    }
    sharded(&folder, &[]).exits(0);
    // What the branch accepts is not accepted by the base.
    folder.run(&["accept", "q5", "--reason", "meant"]).exits(0);
    commit(&folder);
    sharded(&folder, &["--policy-from", "main"])
        .exits(1)
        .shows(&["loosened   q5 in suites/s.baseline.toml: facts pass -> fail (meant)"]);
}

/// Each machine has a last run of its own, or none: shards that took from it what to ask are no shards of one run.
#[test]
fn what_failed_last_is_no_share() {
    let folder = project();
    answers(&folder, &[2, 5]);
    folder.run(&["run"]).exits(1);
    folder.run(&["run", "--shard", "1/2", "--last-failed"]).exits(0);
    folder.run(&["run", "--shard", "2/2", "--last-failed"]).exits(2).says(&["error[run-shard]"]);
}

/// Both sides gave a failure another day, and both have passed by now: the earlier one, and it stays expired.
#[test]
fn days_that_have_passed_on_both_sides_stay_passed() {
    let folder = project();
    answers(&folder, &[3]);
    folder.run(&["run"]).exits(1);
    folder.run(&["accept", "q3", "--reason", "paint", "--until", "2026-02-10", "--today", "2026-01-01"]).exits(0);
    commit(&folder);
    for (branch, until) in [("ours", "2026-02-20"), ("theirs", "2026-02-15")] {
        assert!(git(&folder, &["switch", "--quiet", "--create", branch, "main"]));
        folder.run(&["accept", "q3", "--reason", branch, "--until", until, "--today", "2026-01-01"]).exits(0);
        commit(&folder);
    }
    assert!(git(&folder, &["switch", "--quiet", "ours"]));
    assert!(!git(&folder, &["merge", "theirs"]), "git merges lines");
    folder.run(&["baseline", "resolve"]).exits(0).shows(&["until 2026-02-15, the earlier day"]);
    commit(&folder);
    sharded(&folder, &[]).exits(1).shows(&["1 expired, at most 0: q3", "--until YYYY-MM-DD"]);
}

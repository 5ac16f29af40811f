//! What the harness does around the verdicts: filters, missing recordings, the processes of nextest and what they share.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used, clippy::print_stdout)]

mod project_kit;

use project_kit::{Ended, Project, command, end, lines_of_cargo_test, listed_names, rag_suite};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SUITE: &str = "version: 1
language: en
target: answers
questions:
  - id: known
    question: How long is the warranty?
    facts: [two years]
  - id: broken
    question: Who repairs the pump?
    facts: [the workshop]
  - id: fine
    question: Where do I return it?
    facts: [the desk]
";

const ANSWERS: &str = r#"{"id":"known","answer":"The booklet explains it.","contexts":[]}
{"id":"broken","answer":"Somebody repairs it.","contexts":[]}
{"id":"fine","answer":"Return it at the desk.","contexts":[]}
"#;

const BASELINE: &str = r#"[baseline]
version = 1
measure = "{measure}"
[question.known]
expects = "{expects:known}"
facts = "fail"
refusal = "pass"
reason = "booklet is out of date"
[question.broken]
expects = "{expects:broken}"
facts = "pass"
refusal = "pass"
[question.fine]
expects = "{expects:fine}"
facts = "pass"
refusal = "pass"
"#;

fn shop() -> Project {
    let project = Project::new();
    project.write("suites/shop.yaml", SUITE);
    project.write("answers.jsonl", ANSWERS);
    project.write("suites/shop.baseline.toml", &project.fill(BASELINE));
    project
}

fn harness(project: &Project, args: &[&str]) -> Command {
    let mut c = command(rag_suite());
    c.env("RAGLINE_DIRECTORY", project.path()).args(args);
    c
}

fn nextest(project: &Project, run: &str, name: &str) -> Command {
    let mut c = harness(project, &[name, "--exact", "--nocapture"]);
    c.env("NEXTEST", "1").env("NEXTEST_RUN_ID", run);
    c
}

fn shown(ended: &Ended, name: &str) -> String {
    lines_of_cargo_test(&ended.out).remove(name).unwrap_or_default()
}

/// Rust's own harness is content with a filter that matches nothing; a typing error in CI would be green.
#[test]
fn a_filter_that_matches_nothing_exits_4() {
    let project = shop();
    for args in [&["shop::knwon"][..], &["shop", "--exact"], &["--skip", "s", "--skip", "gate"]] {
        let ended = end(&mut harness(&project, args));
        assert_eq!(ended.code, 4, "{args:?}: {}", ended.both());
        assert!(ended.err.contains("nothing-selected"), "{}", ended.both());
    }
    // The command that selects nothing ends in the same way.
    for selector in ["shop::knwon", "tag:fast", "knwon"] {
        let ended = project.run(&["run", selector]);
        assert_eq!(ended.code, 4, "{selector}: {}", ended.both());
    }
    // A selector that is wrong in itself is another fault, and so is one of two: that run would be smaller than meant.
    for selectors in [&["change:fixed"][..], &["colour:red"], &["["], &["fine", "knwon"]] {
        let ended = project.run(&[&["run"], selectors].concat());
        assert_eq!(ended.code, 2, "{selectors:?}: {}", ended.both());
    }
}

/// libtest-mimic would wait for ever.
#[test]
fn no_threads_at_all_is_a_usage_error() {
    let ended = end(&mut harness(&shop(), &["--test-threads", "0"]));
    assert_eq!(ended.code, 2, "{}", ended.both());
}

#[test]
fn a_filter_asks_only_what_it_leaves() {
    let project = shop();
    for (filter, code, want) in [("fine", 0, "ok"), ("known", 0, "ignored"), ("broken", 101, "FAILED")] {
        let ended = end(&mut harness(&project, &[filter]));
        assert_eq!(ended.code, code, "{}", ended.both());
        let lines = lines_of_cargo_test(&ended.out);
        assert_eq!(lines.len(), 1, "{}", ended.both());
        assert_eq!(lines[&format!("shop::{filter}")], want);
    }
    // A rule of the gate speaks for all questions, whether or not they are shown.
    let ended = end(&mut harness(&project, &["gate::max_regressed"]));
    assert_eq!((ended.code, shown(&ended, "gate::max_regressed")), (101, "FAILED".into()), "{}", ended.both());
}

/// `cargo test -- --ignored` runs what is ignored, as with any other test: the known failures, which fail.
#[test]
fn the_ignored_ones_can_be_run() {
    let ended = end(&mut harness(&shop(), &["--ignored"]));
    assert_eq!(ended.code, 101, "{}", ended.both());
    let lines = lines_of_cargo_test(&ended.out);
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), [("shop::known".to_owned(), "FAILED".to_owned())]);
}

/// A removed question is listed, so that nextest starts a process for it; that one must look at the whole run.
#[test]
fn a_removed_question_has_a_process_of_its_own() {
    let project = shop();
    project.write("suites/shop.yaml", &SUITE.replace("id: fine", "id: other"));
    project.write("answers.jsonl", &ANSWERS.replace("\"fine\"", "\"other\""));
    let listed = listed_names(&end(&mut harness(&project, &["--list", "--format", "terse"])).out);
    assert!(listed.contains("shop::fine"), "{listed:?}");
    for mut c in [nextest(&project, "removed", "shop::fine"), harness(&project, &["shop::fine"])] {
        let ended = end(&mut c);
        assert_eq!((ended.code, shown(&ended, "shop::fine")), (101, "FAILED".into()), "{}", ended.both());
        assert!(ended.out.contains("removed"), "{}", ended.both());
    }
}

/// Without the recording nothing can be asked: a fork without it can still build, and CI must not be green.
#[test]
fn a_missing_recording_is_ignored_loudly_here_and_fails_in_ci() {
    let project = shop();
    fs::remove_file(project.path().join("answers.jsonl")).unwrap();
    for off in [None, Some(("CI", "")), Some(("CI", "false")), Some(("RAGLINE_REQUIRE", "0"))] {
        let mut c = harness(&project, &[]);
        let ended = end(c.envs(off));
        assert_eq!(ended.code, 0, "{off:?}: {}", ended.both());
        assert!(lines_of_cargo_test(&ended.out).values().all(|l| l == "ignored"), "{}", ended.both());
        let loud: Vec<&str> = ended.err.lines().filter(|l| l.contains("NOTHING IS CHECKED")).collect();
        assert_eq!(loud.len(), 1, "{}", ended.both());
        assert!(loud[0].contains("answers.jsonl"), "{}", loud[0]);
    }
    for on in [("CI", "true"), ("CI", "1"), ("RAGLINE_REQUIRE", "1"), ("RAGLINE_REQUIRE", "yes")] {
        let ended = end(harness(&project, &[]).env(on.0, on.1));
        assert_eq!(ended.code, 2, "{on:?}: {}", ended.both());
        assert!(ended.err.contains("recording-missing"), "{}", ended.both());
        // Each process of nextest fails as well.
        let ended = end(nextest(&project, "ci", "shop::fine").env(on.0, on.1));
        assert_eq!(ended.code, 2, "{on:?}: {}", ended.both());
    }
    let ended = end(harness(&project, &[]).env("RAGLINE_REQUIRE", "banana"));
    assert_eq!(ended.code, 2, "{}", ended.both());
    assert!(ended.err.contains("RAGLINE_REQUIRE is `banana`"), "{}", ended.both());
    // The command never ignores it.
    assert_eq!(project.run(&["run"]).code, 2);
}

/// `-C` and its variable name the folder of the project, and the flag is stronger.
#[test]
fn the_folder_is_named_by_a_flag_or_a_variable() {
    let (project, empty) = (shop(), tempfile::tempdir().unwrap());
    let run = |dir: Option<&Path>, flag: Option<&Path>| {
        let mut c = command(env!("CARGO_BIN_EXE_ragline"));
        c.current_dir(empty.path()).args(["run", "fine"]);
        c.envs(dir.map(|d| ("RAGLINE_DIRECTORY", d)));
        if let Some(flag) = flag {
            c.arg("-C").arg(flag);
        }
        end(&mut c).code
    };
    assert_eq!(run(None, None), 2);
    assert_eq!(run(Some(project.path()), None), 0);
    assert_eq!(run(None, Some(project.path())), 0);
    assert_eq!(run(Some(empty.path()), Some(project.path())), 0);
    assert_eq!(run(Some(Path::new("")), Some(project.path())), 0);
}

/// What is tolerated depends on the other questions, and each process of nextest sees only its own at first.
#[test]
fn the_processes_of_nextest_agree_on_what_is_tolerated() {
    let project = shop();
    for (max, code, want) in [(1, 0, "ignored"), (0, 101, "FAILED")] {
        project.write("thresholds.toml", &format!("version = 1\nmax_regressed = {max}\n"));
        let ended = end(&mut nextest(&project, "tolerated", "shop::broken"));
        assert_eq!((ended.code, shown(&ended, "shop::broken").as_str()), (code, want), "{}", ended.both());
    }
    // Two break, one is tolerated: alone each would be within the limit, together they are not.
    project.write("answers.jsonl", &ANSWERS.replace("at the desk", "somewhere"));
    project.write("thresholds.toml", "version = 1\nmax_regressed = 1\n");
    for name in ["shop::broken", "shop::fine"] {
        let ended = end(&mut nextest(&project, "two-broken", name));
        assert_eq!((ended.code, shown(&ended, name).as_str()), (101, "FAILED"), "{}", ended.both());
    }
}

/// Reports tell the whole run, so under nextest the processes that saw only one question write none.
#[test]
fn reports_are_written_whole() {
    let project = shop();
    let junit = project.path().join("junit.xml");
    let cases = || {
        let text = fs::read_to_string(&junit).unwrap_or_default();
        (text.matches("classname=\"rag.shop\"").count(), text.matches("classname=\"rag.gate\"").count())
    };
    end(harness(&project, &[]).env("RAGLINE_JUNIT", &junit));
    assert_eq!(cases(), (3, ragline::gate::rules::COUNT_RULES.len()));
    fs::remove_file(&junit).unwrap();
    end(nextest(&project, "reports", "shop::fine").env("RAGLINE_JUNIT", &junit));
    assert!(!junit.exists());
    end(nextest(&project, "reports", "gate::stale").env("RAGLINE_JUNIT", &junit));
    assert_eq!(cases(), (3, ragline::gate::rules::COUNT_RULES.len()));
    end(nextest(&project, "reports", "shop::broken").env("RAGLINE_JUNIT", &junit));
    assert_eq!(cases().0, 3, "a single question wrote over the whole run");
    // A run that stops leaves no report of an earlier one.
    project.write("suites/shop.baseline.toml", "");
    assert_eq!(end(harness(&project, &[]).env("RAGLINE_JUNIT", &junit)).code, 2);
    assert!(!junit.exists());
}

/// Ten processes see the whole run; its folder, with all its answers, is kept once.
#[test]
fn a_nextest_run_is_kept_once() {
    let project = shop();
    for rule in ragline::gate::rules::COUNT_RULES {
        end(&mut nextest(&project, "kept", &format!("gate::{rule}")));
    }
    let runs = fs::read_dir(project.path().join(".ragline/runs")).unwrap();
    assert_eq!(runs.filter(|e| e.as_ref().unwrap().path().is_dir()).count(), 1);
    assert_eq!(project.run(&["accept", "broken", "--reason", "known"]).code, 0);
}

/// The answers of one nextest run are asked once; another run asks anew.
#[test]
fn each_nextest_run_asks_each_question_once() {
    let project = shop();
    assert_eq!(end(&mut nextest(&project, "first", "shop::fine")).code, 0);
    // Whoever comes second takes the answer that is there.
    project.write("answers.jsonl", &ANSWERS.replace("at the desk", "somewhere"));
    assert_eq!(end(&mut nextest(&project, "first", "shop::fine")).code, 0);
    assert_eq!(end(&mut nextest(&project, "second", "shop::fine")).code, 101);
    assert!(project.read(".ragline/.gitignore").contains('*'));
}

/// Started by the test below as a process of its own: takes a lock and holds it until it is killed.
#[test]
fn holder_of_a_lock() {
    let Some(path) = std::env::var_os("CELLS_HOLD_LOCK") else { return };
    let file = File::options().create(true).truncate(false).write(true).open(path).unwrap();
    file.lock().unwrap();
    println!("\nlocked");
    std::io::stdout().flush().unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

fn hold(lock: &Path) -> Child {
    let mut c = command(std::env::current_exe().unwrap());
    c.args(["--exact", "holder_of_a_lock", "--nocapture"]).env("CELLS_HOLD_LOCK", lock);
    let mut child = c.stdout(Stdio::piped()).spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    assert!(out.lines().map_while(Result::ok).any(|l| l == "locked"), "the lock was not taken");
    child
}

fn only_file(folder: &Path, ending: &str) -> PathBuf {
    let mut found =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == ending));
    found.next().unwrap()
}

/// `kill -9` of a process that is asking: its lock is given back, what it left half written is not read, and the next
/// process asks again.
#[test]
fn a_killed_holder_of_a_lock_holds_nobody_up() {
    let project = shop();
    let folder = |run: &str| project.path().join(".ragline/nextest").join(run);
    end(&mut nextest(&project, "learn", "shop::fine"));
    let name = only_file(&folder("learn"), "lock").file_name().unwrap().to_owned();
    fs::create_dir_all(folder("killed")).unwrap();
    let lock = folder("killed").join(name);
    let mut holder = hold(&lock);
    fs::write(lock.with_extension("partial"), "{\"response\":\"{\\\"id\\\":").unwrap();
    let mut waiting: Vec<Child> = (0..2)
        .map(|_| {
            nextest(&project, "killed", "shop::fine").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    assert!(waiting.iter_mut().all(|w| w.try_wait().unwrap().is_none()), "it did not wait for the lock");
    // SIGKILL.
    holder.kill().unwrap();
    holder.wait().unwrap();
    let killed = Instant::now();
    for w in waiting {
        let ended = Ended::from(w.wait_with_output().unwrap());
        assert_eq!((ended.code, shown(&ended, "shop::fine").as_str()), (0, "ok"), "{}", ended.both());
    }
    assert!(killed.elapsed() < Duration::from_secs(10));
    assert!(lock.with_extension("json").exists());
}

/// A project whose target starts a server of its own, with two suites.
fn started() -> Project {
    let project = Project::new();
    project.write(
        "ragline.toml",
        "version = 1\n[targets.bot]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\nprovides = [\"answer\"]\n\
         start = \"sh -c 'echo up >> started; exec sleep 60'\"\n",
    );
    project.write("thresholds.toml", "version = 1\nbaseline = \"none\"\n");
    project.write("bot.sh", "echo '{\"answer\":\"Two years.\"}'\n");
    for suite in ["shop", "more"] {
        let text = "version: 1\nlanguage: en\ntarget: bot\nquestions:\n  - id: known\n    \
                    question: How long is the warranty?\n    facts: [two years]\n    layers: { numbers: off }\n";
        project.write(&format!("suites/{suite}.yaml"), text);
    }
    project
}

/// One process starts the server once for all suites; of many none could stop it for the others.
#[test]
fn a_server_is_not_started_by_each_process_of_nextest() {
    let project = started();
    let ended = end(&mut harness(&project, &[]));
    assert_eq!((ended.code, project.read("started").as_str()), (0, "up\n"), "{}", ended.both());
    for name in ["shop::known", "gate::stale"] {
        let ended = end(&mut nextest(&project, "start", name));
        assert_eq!(ended.code, 2, "{}", ended.both());
        let told = ["start-under-nextest", "target `bot` has `start`", "RAGLINE_STARTED=1", "ragline.toml:2"];
        assert!(told.iter().all(|t| ended.err.contains(t)), "{}", ended.both());
        let ended = end(nextest(&project, "runs", name).env("RAGLINE_STARTED", "1"));
        assert_eq!((ended.code, shown(&ended, name).as_str()), (0, "ok"), "{}", ended.both());
    }
    // A run that is over needs nobody.
    let runs = project.path().join(".ragline/runs");
    let run = runs.join(fs::read_to_string(runs.join("latest")).unwrap().trim());
    let ended = end(nextest(&project, "over", "shop::known").env("RAGLINE_RUN", run));
    assert_eq!(ended.code, 0, "{}", ended.both());
    assert_eq!(project.read("started"), "up\n", "nobody else started it");
}

//! `--against COMMIT`: the base is another commit of a real repository, in a working tree of its own, asked by real processes.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod binary_kit;

use binary_kit::{Folder, Ran, ragline};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const GOOD: &str = "You have thirty days.";
const BAD: &str = "You have no such right.";

/// Answers with what stands in its folder, and writes down where that is.
const BOT: &str = "pwd >> \"$1\"\nif [ -f outside.txt ]; then cat \"$(cat outside.txt)\"; else cat answer.txt; fi\n";

const SUITE: &str = "version: 1\nsuite: shop\nlanguage: en\ntarget: bot\nquestions:\n  - id: a\n    question: May I return it?\n    \
                     facts: [thirty days]\n    layers: { numbers: off, refusal: off }\n";

/// A repository whose main branch holds a shop that was accepted while it answered well.
struct Repository {
    folder: Folder,
    outside: Folder,
}

impl Repository {
    fn new(settings: &str) -> Repository {
        let outside = Folder::new();
        let folder = Folder::with(&[("bot.sh", BOT), ("answer.txt", GOOD), ("suites/shop.yaml", SUITE)]);
        let repository = Repository { folder, outside };
        repository.folder.write("ragline.toml", repository.filled(settings).as_bytes());
        repository.git(&["init", "-q", "-b", "main"]);
        repository.folder.run(&["run"]).exits(2);
        repository.folder.run(&["accept", "--first"]).exits(0);
        repository.commit("first");
        std::fs::remove_file(repository.seen()).unwrap();
        repository
    }

    /// With a program as its target.
    fn of_program() -> Repository {
        Repository::new(PROGRAM)
    }

    fn filled(&self, settings: &str) -> String {
        let exe = std::env::current_exe().unwrap();
        settings.replace("SEEN", self.seen().to_str().unwrap()).replace("EXE", exe.to_str().unwrap())
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where the programs write down in which folders they ran.
    fn seen(&self) -> PathBuf {
        self.outside.path().join("seen.txt")
    }

    fn git(&self, args: &[&str]) -> String {
        git(self.path(), args)
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", subject]);
    }

    /// A branch on which the answer is another one.
    fn branch(&self, answer: &str) {
        self.git(&["checkout", "-q", "-b", "feature"]);
        self.folder.write("answer.txt", answer.as_bytes());
        self.commit("change");
    }

    fn against(&self, word: &str) -> Ran {
        self.folder.run(&["run", "--against", word])
    }

    /// The folders in which the programs ran, other than the checkout; none of them is there any more.
    #[track_caller]
    fn trees_are_gone(&self) -> Vec<String> {
        let here = self.path().canonicalize().unwrap();
        let seen = std::fs::read_to_string(self.seen()).unwrap_or_default();
        let mut trees: Vec<String> = seen.lines().filter(|l| Path::new(l) != here).map(str::to_owned).collect();
        trees.sort();
        trees.dedup();
        for tree in &trees {
            assert!(!Path::new(tree).exists(), "{tree} is left behind");
        }
        let listed = self.git(&["worktree", "list"]);
        assert_eq!(listed.lines().count(), 1, "{listed}");
        trees
    }

    #[track_caller]
    fn comes_to(&self, change: &str) {
        let results = self.folder.results();
        assert_eq!(results["a"]["change"], change, "{}", results["a"]);
    }
}

const PROGRAM: &str = "version = 1\n[targets.bot]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\", \"SEEN\"]\noutput = \"text\"\n\
                       retries = 0\n[targets.later]\nkind = \"command\"\ncommand = [\"false\"]\n";

fn git(folder: &Path, args: &[&str]) -> String {
    let settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"];
    let done = Command::new("git").current_dir(folder).args(settings).args(args).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn bad_here_and_good_where_the_branch_left_is_its_own_doing() {
    let repository = Repository::of_program();
    repository.branch(BAD);
    let ran = repository.against("main").exits(1);
    let ran = ran.shows(&["regressed", "this pull request did it: asked anew, 0 of ", " on the base"]);
    assert!(!ran.err.contains("warning"), "{}", ran.err);
    repository.comes_to("regressed");
    assert_eq!(repository.trees_are_gone().len(), 1, "it ran in a tree of its own");
    // The checkout is as it was.
    assert_eq!(repository.git(&["status", "--porcelain", "--untracked-files=no"]), "");
}

#[test]
fn bad_on_both_is_not_its_doing() {
    let repository = Repository::of_program();
    let provider = repository.outside.path().join("provider.txt");
    std::fs::write(&provider, GOOD).unwrap();
    repository.folder.write("outside.txt", provider.to_str().unwrap().as_bytes());
    repository.commit("ask a provider");
    repository.branch("nobody reads this");
    std::fs::write(&provider, BAD).unwrap();
    repository.against("main").exits(0).shows(&["drifted", "not this branch"]);
    repository.comes_to("drifted");
    assert_eq!(repository.trees_are_gone().len(), 1);
}

#[test]
fn nothing_is_checked_out_where_nothing_is_asked_anew() {
    let repository = Repository::of_program();
    repository.branch("We say: you have thirty days.");
    repository.against("main").exits(0);
    assert!(repository.trees_are_gone().is_empty());
    repository.folder.run(&["run", "--against", "main", "--plan"]).exits(0);
    assert!(repository.trees_are_gone().is_empty());
}

#[test]
fn what_is_not_committed_is_held_against_the_commit() {
    let repository = Repository::of_program();
    repository.folder.write("answer.txt", BAD.as_bytes());
    repository.against("HEAD").exits(1).shows(&["this pull request did it"]);
    assert_eq!(repository.trees_are_gone().len(), 1);
    // Committed, it is held against itself, which is no control: what is known decides.
    repository.commit("break it");
    repository.against("HEAD").exits(1).says(&["against-same", "there is no control arm"]);
    repository.comes_to("regressed");
}

#[test]
fn a_merge_on_the_main_branch_is_not_put_down_to_the_branch() {
    let repository = Repository::of_program();
    repository.folder.write("answer.txt", BAD.as_bytes());
    repository.commit("broken on main");
    repository.git(&["checkout", "-q", "-b", "feature"]);
    repository.folder.write("other.txt", b"x");
    repository.commit("something else");
    repository.git(&["checkout", "-q", "main"]);
    repository.folder.write("answer.txt", GOOD.as_bytes());
    repository.commit("mended on main");
    repository.git(&["checkout", "-q", "feature"]);
    repository.against("main").exits(0).shows(&["drifted"]);
}

#[test]
fn a_word_that_names_nothing_or_two_things_is_asked_about() {
    let repository = Repository::of_program();
    repository.branch(BAD);
    repository.against("mian").exits(2).says(&["against-unknown", "`mian`", "git fetch"]);
    repository.against("commit:bot").exits(2).says(&["against-unknown"]);
    repository.against("--upload-pack=x").exits(2);
    repository.git(&["branch", "later"]);
    repository.against("later").exits(2).says(&["against-both", "target:later", "commit:later"]);
    // The target answers nothing: there is no control, and that is told.
    let ran = repository.against("target:later").exits(1);
    ran.shows(&["answers of the control arm later could not be had"]);
    // The branch has no target of another name.
    let settings = repository.filled(PROGRAM).replace("targets.bot", "targets.robot");
    repository.folder.write("ragline.toml", settings.as_bytes());
    repository.folder.write("suites/shop.yaml", SUITE.replace("target: bot", "target: robot").as_bytes());
    repository.against("main").exits(2).says(&["against-no-target", "has no target `robot`"]);
    repository.git(&["rm", "-q", "--cached", "ragline.toml"]);
    repository.git(&["commit", "-q", "-m", "no settings"]);
    repository.against("HEAD").exits(2).says(&["against-no-target", "has no ragline.toml"]);
}

#[test]
fn a_shallow_clone_says_what_it_does_not_know() {
    let repository = Repository::of_program();
    repository.branch(BAD);
    let shallow = Folder::new();
    let from = format!("file://{}", repository.path().display());
    git(shallow.path(), &["clone", "-q", "--depth", "1", "--no-single-branch", "-b", "feature", &from, "c"]);
    let clone = shallow.path().join("c");
    ragline(&clone, &["run", "--against", "origin/main"]).exits(1).says(&["against-shallow", "depth"]);
    git(&clone, &["remote", "prune", "origin"]);
    git(&clone, &["branch", "-r", "-d", "origin/main"]);
    ragline(&clone, &["run", "--against", "origin/main"]).exits(2).says(&["against-unknown", "git fetch"]);
}

/// The shop as a server of its own that says what stands in its folder.
const SERVER: &str = "version = 1\n[targets.bot]\nkind = \"http\"\nurl = \"http://127.0.0.1:${RAGLINE_PORT}/ask\"\n\
    body = '{\"q\": {{ question }}}'\nretries = 0\n\
    start = [\"env\", \"WRITE_TO=SEEN\", \"EXE\", \"serves_what_stands_in_its_folder\", \"--exact\", \"--ignored\", \"--nocapture\"]\n\
    ready = \"http://127.0.0.1:${RAGLINE_PORT}/ready\"\nready_within = \"30s\"\nprovides = [\"answer\"]\n\
    [targets.bot.response]\nanswer = \"$.answer\"\n";

/// No test: the server that the tests below start.
#[test]
#[ignore = "started by other tests"]
fn serves_what_stands_in_its_folder() {
    let Ok(port) = std::env::var("RAGLINE_PORT") else { return };
    let seen = std::env::var("WRITE_TO").unwrap();
    let here = std::env::current_dir().unwrap();
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(seen).unwrap();
    writeln!(file, "{}", here.display()).unwrap();
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).unwrap();
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else { continue };
        let mut bytes = [0; 4096];
        let n = stream.read(&mut bytes).unwrap_or(0);
        let body = if bytes[..n].starts_with(b"GET /ready") {
            "{}".to_owned()
        } else {
            serde_json::json!({ "answer": std::fs::read_to_string("answer.txt").unwrap() }).to_string()
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all((head + &body).as_bytes());
    }
}

#[test]
fn servers_of_both_run_beside_each_other() {
    let repository = Repository::new(SERVER);
    repository.branch(BAD);
    repository.against("main").exits(1).shows(&["this pull request did it"]);
    repository.comes_to("regressed");
    assert_eq!(repository.trees_are_gone().len(), 1);
}

#[test]
fn a_server_that_cannot_run_beside_is_named() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let fixed =
        SERVER.replace("${RAGLINE_PORT}", &port).replace("WRITE_TO", &format!("RAGLINE_PORT={port}\", \"WRITE_TO"));
    let repository = Repository::new(&fixed);
    repository.branch(BAD);
    repository.against("main").exits(2).says(&["against-address", "${RAGLINE_PORT}"]);
    // The branch that leaves the port to ragline can be held against one that does not.
    repository.folder.write("ragline.toml", repository.filled(SERVER).as_bytes());
    repository.against("main").exits(1).shows(&["this pull request did it"]);
    // Nothing starts what others deploy.
    let deployed = SERVER
        .lines()
        .filter(|l| !l.starts_with("start"))
        .collect::<Vec<_>>()
        .join("\n")
        .replace("${RAGLINE_PORT}", "9");
    repository.git(&["checkout", "-q", "-b", "deployed"]);
    repository.folder.write("ragline.toml", repository.filled(&deployed).as_bytes());
    repository.commit("deployed");
    repository.folder.write("ragline.toml", repository.filled(SERVER).as_bytes());
    repository.against("HEAD").exits(2).says(&["against-no-start"]);
}

#[test]
fn a_base_that_does_not_start_is_no_control_and_is_told() {
    let repository = Repository::new(SERVER);
    let broken = repository.filled(SERVER).replace("--ignored", "--no-such-word");
    repository.folder.write("ragline.toml", broken.as_bytes());
    repository.commit("does not start");
    repository.folder.write("ragline.toml", repository.filled(SERVER).as_bytes());
    repository.branch(BAD);
    repository.git(&["checkout", "-q", "-b", "topic"]);
    let ran = repository.against("main").exits(1);
    ran.shows(&["answers of the control arm bot on main (", "could not be had", "ended with exit status"]);
    repository.trees_are_gone();
}

/// A run whose base hangs, with the tree in which it does.
fn hanging(repository: &Repository) -> (Child, PathBuf) {
    let mut run = Command::new(env!("CARGO_BIN_EXE_ragline"));
    let run = run
        .current_dir(repository.path())
        .args(["run", "--against", "main"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    (run.spawn().unwrap(), hanging_in(repository))
}

/// Waits until a program runs elsewhere than in the checkout.
fn hanging_in(repository: &Repository) -> PathBuf {
    let here = repository.path().canonicalize().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let seen = std::fs::read_to_string(repository.seen()).unwrap_or_default();
        if let Some(tree) = seen.lines().map(Path::new).find(|l| *l != here) {
            assert!(tree.is_dir());
            return tree.to_owned();
        }
        assert!(Instant::now() < until, "the base is not asked");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The base never answers, so that the run can be ended in the middle of it.
fn with_a_base_that_hangs() -> Repository {
    let repository = Repository::of_program();
    repository.folder.write("bot.sh", b"pwd >> \"$1\"\nsleep 20\n");
    repository.commit("hang");
    repository.folder.write("bot.sh", BOT.as_bytes());
    repository.branch(BAD);
    repository
}

fn signal(child: &Child, name: &str) {
    let done = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(done.success());
}

#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    let repository = with_a_base_that_hangs();
    let (mut child, _) = hanging(&repository);
    signal(&child, "-INT");
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(3), "incomplete");
    assert_eq!(repository.trees_are_gone().len(), 1);
}

#[test]
fn what_a_killed_run_left_behind_is_removed_by_the_next() {
    let repository = with_a_base_that_hangs();
    let (mut child, tree) = hanging(&repository);
    signal(&child, "-KILL");
    child.wait().unwrap();
    assert!(tree.is_dir());
    repository.git(&["checkout", "-q", "main"]);
    repository.folder.write("bot.sh", BOT.as_bytes());
    repository.commit("no longer hangs");
    repository.git(&["checkout", "-q", "-b", "next"]);
    repository.folder.write("answer.txt", BAD.as_bytes());
    repository.against("main").exits(1);
    // The shell of the killed run is no child of anybody, and ends by itself; its folder is gone.
    repository.trees_are_gone();
}

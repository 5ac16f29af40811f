//! The same answers give the same bytes: results, JUnit, the proposed and the accepted baseline, whatever the number of
//! threads, the order of the lines in the recording and the order of arrival.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may")]

mod shop_kit;

use fastrand::Rng;
use ragline::drive::record;
use ragline::drive::session::{self, Options};
use ragline::layer::Provides;
use ragline::report::junit::Junit;
use ragline::target::response::OwnedResponse;
use ragline::target::{Pending, Request, Target};
use shop_kit::{Table, recording, root, there_is_a_shop, today};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A project with one suite of the shop, with or without its baseline.
fn project(baseline: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let to = |path: &str| folder.path().join(path);
    fs::create_dir_all(to("suites")).unwrap();
    fs::create_dir_all(to("fixtures/shop/vi")).unwrap();
    let mut files = vec!["ragline.toml".to_owned(), "suites/shop-vi.yaml".to_owned()];
    if baseline {
        files.extend(["baseline.toml", "accepted.jsonl"].map(|end| format!("suites/shop-vi.{end}")));
    }
    for entry in fs::read_dir(root().join("fixtures/shop/vi")).unwrap() {
        files.push(format!("fixtures/shop/vi/{}", entry.unwrap().file_name().to_str().unwrap()));
    }
    for file in files {
        fs::copy(root().join(&file), to(&file)).unwrap();
    }
    folder
}

/// Writes the recording with its lines in another order; the header stays first.
fn shuffled(to: &Path, seed: Option<u64>) {
    let text = fs::read_to_string(root().join("fixtures/shop/regressed.vi.jsonl")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(seed) = seed {
        let before = lines.clone();
        Rng::with_seed(seed).shuffle(&mut lines[1..]);
        assert_ne!(lines, before);
    }
    fs::write(to, lines.join("\n") + "\n").unwrap();
}

fn ragline(folder: &Path, args: &[&str]) -> i32 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    command.args(args).current_dir(folder).env_remove("CI");
    for (name, _) in std::env::vars().filter(|(n, _)| n.starts_with("RAGLINE_")) {
        command.env_remove(name);
    }
    command.output().unwrap().status.code().unwrap()
}

/// Each file of a project that a reader would keep, by what it is.
type Files = BTreeMap<String, Vec<u8>>;

fn keep(files: &mut Files, folder: &Path, paths: &[&str]) {
    for path in paths {
        files.insert((*path).to_owned(), fs::read(folder.join(path)).unwrap());
    }
}

fn assert_same(first: &Files, other: &Files, how: &str) {
    assert_eq!(first.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, bytes) in first {
        let (a, b) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&other[path]));
        assert!(!bytes.is_empty());
        for (n, (a, b)) in a.lines().zip(b.lines()).enumerate() {
            assert_eq!(a, b, "{how}: {path}, line {}", n + 1);
        }
        assert!(*bytes == other[path], "{how}: {path}");
    }
}

/// The whole way of a first baseline and of a later run, by the command.
fn commands(threads: &str, order: Option<u64>) -> Files {
    let mut files = Files::new();
    let first = project(false);
    shuffled(&first.path().join("answers.jsonl"), order);
    let run = |folder: &Path| {
        let reports = ["--results", "results.jsonl", "--junit", "junit.xml", "--markdown", "summary.md"];
        let mut args = vec!["run", "--answers", "answers.jsonl", "--threads", threads, "--today", "2026-11-30"];
        args.extend(reports);
        ragline(folder, &args)
    };
    assert_eq!(run(first.path()), 2, "there is no baseline yet");
    assert_eq!(ragline(first.path(), &["accept", "--first", "--reason", "as it is"]), 0);
    keep(&mut files, first.path(), &["results.jsonl", "suites/shop-vi.baseline.toml", "suites/shop-vi.accepted.jsonl"]);
    // Against the baseline that was just accepted.
    assert_eq!(run(first.path()), 0);
    keep(&mut files, first.path(), &["junit.xml", "summary.md"]);
    let later = project(true);
    shuffled(&later.path().join("answers.jsonl"), order);
    assert_eq!(run(later.path()), 1, "faults are planted in these answers");
    for path in ["results.jsonl", "junit.xml", "summary.md"] {
        files.insert(format!("later {path}"), fs::read(later.path().join(path)).unwrap());
    }
    files
}

#[test]
fn neither_threads_nor_the_order_of_lines_change_a_byte() {
    if !there_is_a_shop() {
        return;
    }
    let first = commands("1", None);
    for (threads, order) in [("2", None), ("1", Some(1)), ("2", Some(2)), ("7", Some(3))] {
        assert_same(&first, &commands(threads, order), &format!("{threads} threads, order {order:?}"));
    }
}

/// Answers from a table after a while.
#[derive(Debug)]
struct Late {
    table: Table,
    seed: u64,
    asked: AtomicU64,
    concurrency: usize,
}

impl Target for Late {
    fn name(&self) -> &str {
        self.table.name()
    }

    fn provides(&self) -> Provides {
        self.table.provides()
    }

    fn subject(&self) -> Option<String> {
        Some("one".into())
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        let n = self.asked.fetch_add(1, Ordering::Relaxed);
        let wait = Rng::with_seed(self.seed.wrapping_mul(1000) + n).u64(0..30);
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            self.table.ask(request).await
        })
    }
}

fn late(
    answers: &BTreeMap<String, OwnedResponse>,
    baseline: bool,
    threads: usize,
    concurrency: usize,
    seed: u64,
) -> Files {
    let folder = project(baseline);
    let mut options = Options::new(folder.path(), today());
    options.threads = Some(threads);
    let target = Late { table: Table(answers.clone()), seed, asked: AtomicU64::new(0), concurrency };
    let done = session::prepare(&options, Some(Arc::new(target)), None).unwrap().run().unwrap();
    let run = done.folder.unwrap();
    let mut files = Files::new();
    keep(&mut files, &run, &["results.jsonl"]);
    if !baseline {
        keep(&mut files, &run, &["proposed/shop-vi.baseline.toml"]);
    }
    let mut junit = Junit::new();
    record::emit(&done.finished, &mut junit).unwrap();
    files.insert("junit.xml".into(), junit.text().unwrap().into_bytes());
    files
}

#[test]
fn delays_do_not_change_a_byte() {
    if !there_is_a_shop() {
        return;
    }
    let answers = recording(&root().join("fixtures/shop/regressed.vi.jsonl"));
    for baseline in [true, false] {
        let first = late(&answers, baseline, 1, 1, 0);
        for (threads, concurrency, seed) in [(1, 8, 1), (2, 8, 2), (2, 32, 3), (4, 3, 4)] {
            let other = late(&answers, baseline, threads, concurrency, seed);
            assert_same(&first, &other, &format!("{threads} threads, {concurrency} at once, seed {seed}"));
        }
    }
}

/// However late an answer comes, it is taken for that of its own question.
#[test]
fn every_answer_meets_its_question() {
    if !there_is_a_shop() {
        return;
    }
    let mut answers = recording(&root().join("fixtures/shop/regressed.vi.jsonl"));
    answers.remove("return-window").unwrap();
    let files = late(&answers, true, 2, 32, 5);
    let results = String::from_utf8_lossy(&files["results.jsonl"]);
    let unmeasured: Vec<&str> = results.lines().filter(|l| l.contains("\"change\":\"unmeasured\"")).collect();
    assert_eq!(unmeasured.len(), 1);
    assert!(unmeasured[0].contains("\"return-window\""));
}

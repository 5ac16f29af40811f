//! A run that was ended goes on where it was, and comes to what it would have come to.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod drive_kit;

use drive_kit::{Act, System, Tcp, attempts, conduct, journal, ms, passed, prepare, project, run, why};
use ragline::core::Change;
use ragline::drive::progress::{Progress, Step};
use ragline::drive::session::{Conduct, Done, Resume};
use ragline::drive::stop::Stop;
use ragline::gate::Exit;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Throws a switch once so many questions are settled.
struct After {
    stop: Stop,
    left: AtomicUsize,
}

impl Progress for After {
    fn step(&self, step: Step<'_>) {
        if matches!(step, Step::Settled { .. }) && self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.stop.stop();
        }
    }
}

fn stopping_after(questions: usize) -> Conduct {
    let stop = Stop::new();
    let progress = Arc::new(After { stop: stop.clone(), left: AtomicUsize::new(questions) });
    Conduct { stop, progress: Some(progress), ..Conduct::default() }
}

fn resume() -> Conduct {
    Conduct { resume: Some(Resume::Newest), ..Conduct::default() }
}

fn results(done: &Done) -> String {
    std::fs::read_to_string(done.folder.as_ref().unwrap().join("results.jsonl")).unwrap()
}

/// Some pass, some answer with an error, one is told to go away.
fn mixed(id: &str, _: usize) -> Act {
    match id {
        "q003" | "q017" => Act::Status(400, None),
        "q005" => Act::Cut,
        _ => Act::Answer(ms(20)),
    }
}

#[test]
fn an_interrupted_run_is_incomplete_keeps_what_it_has_and_is_resumed_to_the_same_results() {
    let whole = {
        let (system, dir) = (System::start(mixed), project(&[("q", 30)]));
        results(&run(dir.path(), Arc::new(Tcp::new(system.address))))
    };
    let system = System::start(mixed);
    let dir = project(&[("q", 30)]);
    let mut target = Tcp::new(system.address);
    target.concurrency = 3;
    let closed = Arc::clone(&target.closed);
    let done = conduct(dir.path(), Arc::new(target), stopping_after(10));
    assert!(done.finished.interrupted);
    assert_eq!(done.finished.decision.exit, Exit::Incomplete);
    assert_eq!(closed.load(Ordering::SeqCst), 1);
    system.is_quiet();
    let kept = journal(&done).len();
    assert!((10..15).contains(&kept), "{kept}");
    assert_eq!(done.finished.reports.iter().filter(|r| r.change == Change::Unmeasured).count(), 30 - passed(&done));
    assert_eq!(why(&done, "q030").0, "interrupted");
    let folder = done.folder.clone().unwrap();
    assert!(std::fs::read_to_string(folder.join("run.json")).unwrap().contains("\"interrupted\":true"));
    let before = system.asked();

    let again = conduct(dir.path(), Arc::new(Tcp::new(system.address)), resume());
    assert_eq!(again.folder, Some(folder.clone()));
    assert!(!again.finished.interrupted);
    assert_eq!(results(&again), whole);
    assert!(!std::fs::read_to_string(folder.join("run.json")).unwrap().contains("interrupted"));
    assert_eq!(journal(&again).len(), 30);
    let twice: Vec<_> = system.asked().into_iter().filter(|(id, n)| before.get(id).is_some_and(|b| n > b)).collect();
    assert!(twice.len() <= 3, "only what was in flight is asked again: {twice:?}");
    let id = folder.file_name().unwrap().to_str().unwrap();
    assert_eq!(again.finished.header.id, id);
}

#[test]
fn an_interrupted_run_is_incomplete_whatever_is_tolerated() {
    let system = System::start(|_, _| Act::Answer(ms(10)));
    for policy in ["max_unmeasured = 1000\n", "mode = \"advisory\"\n"] {
        let dir = project(&[("q", 30)]);
        std::fs::write(dir.path().join("thresholds.toml"), format!("version = 1\nbaseline = \"none\"\n{policy}"))
            .unwrap();
        let done = conduct(dir.path(), Arc::new(Tcp::new(system.address)), stopping_after(5));
        assert_eq!(done.finished.decision.exit, Exit::Incomplete, "{policy}");
    }
}

#[test]
fn what_hangs_is_dropped_at_once_when_the_run_is_ended() {
    let system = System::start(|_, _| Act::Hang);
    let dir = project(&[("q", 30)]);
    let stop = Stop::new();
    let thrown = stop.clone();
    let ender = std::thread::spawn(move || {
        std::thread::sleep(ms(300));
        thrown.stop();
    });
    let began = Instant::now();
    let done = conduct(dir.path(), Arc::new(Tcp::new(system.address)), Conduct { stop, ..Conduct::default() });
    ender.join().unwrap();
    assert!(began.elapsed() < ms(1300), "{:?}", began.elapsed());
    assert_eq!(journal(&done).len(), 0);
    assert_eq!(done.finished.reports.len(), 30);
    system.is_quiet();
}

/// The folder of a run that was killed: its journal so long, no record.
fn killed(done: &Done, bytes: usize) -> PathBuf {
    let folder = done.folder.clone().unwrap();
    std::fs::remove_file(folder.join("run.json")).unwrap();
    std::fs::remove_file(folder.join("results.jsonl")).unwrap();
    let path = folder.join("journal.jsonl");
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(path, &whole[..bytes.min(whole.len())]).unwrap();
    folder
}

#[test]
fn a_journal_may_end_at_any_byte() {
    let system = System::start(mixed);
    let dir = project(&[("q", 8)]);
    let once = || {
        let mut target = Tcp::new(system.address);
        target.manners.retries = 0;
        Arc::new(target)
    };
    let first = run(dir.path(), once());
    let (whole, all) = (results(&first), std::fs::read(first.folder.as_ref().unwrap().join("journal.jsonl")).unwrap());
    let header = all.iter().position(|b| *b == b'\n').unwrap() + 1;
    let mut last = first;
    for cut in (header..all.len()).step_by(29).chain([all.len() - 1, all.len()]) {
        std::fs::write(last.folder.as_ref().unwrap().join("journal.jsonl"), &all).unwrap();
        let folder = killed(&last, cut);
        let lines = all[..cut].iter().filter(|b| **b == b'\n').count() - 1;
        let before = system.log().len();
        last = conduct(dir.path(), once(), resume());
        assert_eq!(results(&last), whole, "cut at {cut}");
        assert_eq!(last.folder.as_ref(), Some(&folder));
        assert_eq!(journal(&last).len(), 8, "cut at {cut}");
        assert_eq!(attempts(&last).len(), 8, "each once");
        let asked: std::collections::BTreeSet<String> = system.log()[before..].iter().map(|s| s.id.clone()).collect();
        assert_eq!(asked.len(), 8 - lines, "cut at {cut}: only what has no whole line");
    }
}

#[test]
fn a_run_in_which_all_is_known_opens_nobody() {
    let system = System::start(mixed);
    let dir = project(&[("q", 8)]);
    let first = run(dir.path(), Arc::new(Tcp::new(system.address)));
    let whole = results(&first);
    killed(&first, usize::MAX);
    let target = Tcp::new(system.address);
    let (opened, closed) = (Arc::clone(&target.opened), Arc::clone(&target.closed));
    assert_eq!(results(&conduct(dir.path(), Arc::new(target), resume())), whole);
    assert_eq!((opened.load(Ordering::SeqCst), closed.load(Ordering::SeqCst)), (0, 0));
}

/// What is said when a run is not resumed.
fn refused(dir: &tempfile::TempDir, target: Tcp, which: Resume) -> String {
    let conduct = Conduct { resume: Some(which), ..Conduct::default() };
    let stop = prepare(dir.path(), Arc::new(target)).conduct(conduct).unwrap_err();
    assert_eq!(stop.exit, Exit::Usage);
    stop.problems.0.iter().map(|p| p.title.clone()).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_is_not_resumed_by_one_that_asks_something_else() {
    let system = System::start(mixed);
    let dir = project(&[("q", 8)]);
    let said = refused(&dir, Tcp::new(system.address), Resume::Newest);
    assert_eq!(said, "every run that is kept came to its end");
    let first = run(dir.path(), Arc::new(Tcp::new(system.address)));
    let id = PathBuf::from(first.folder.as_ref().unwrap().file_name().unwrap());
    let said = refused(&dir, Tcp::new(system.address), Resume::Run(id));
    assert!(said.ends_with("came to its end"), "{said}");
    killed(&first, usize::MAX);
    let suite = dir.path().join("suites/q.yaml");
    let text = std::fs::read_to_string(&suite).unwrap();
    std::fs::write(&suite, text.replace("warranty 4?", "warranty 44?")).unwrap();
    let said = refused(&dir, Tcp::new(system.address), Resume::Newest);
    assert!(said.contains("other questions of `q` are selected, or what they expect was edited"), "{said}");
    std::fs::write(&suite, format!("{text}  - id: q009\n    question: New?\n    facts: [yes]\n")).unwrap();
    let said = refused(&dir, Tcp::new(system.address), Resume::Newest);
    assert!(said.contains("the number of selected questions of `q` was 8, is 9"), "{said}");
    std::fs::write(&suite, text).unwrap();
    assert_eq!(passed(&conduct(dir.path(), Arc::new(Tcp::new(system.address)), resume())), 6);
}

#[test]
fn a_journal_that_is_damaged_before_its_end_or_still_written_is_left_alone() {
    let system = System::start(mixed);
    let dir = project(&[("q", 8)]);
    let first = run(dir.path(), Arc::new(Tcp::new(system.address)));
    killed(&first, usize::MAX);
    let path = first.folder.as_ref().unwrap().join("journal.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = whole.lines().collect();
    lines[3] = lines[3].get(..20).unwrap();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let said = refused(&dir, Tcp::new(system.address), Resume::Newest);
    assert!(said.starts_with("this line of the journal is damaged"), "{said}");

    std::fs::write(&path, "{\"version\":1,").unwrap();
    let said = refused(&dir, Tcp::new(system.address), Resume::Newest);
    assert!(said.starts_with("the journal ends before its first line does"), "{said}");

    #[cfg(unix)]
    {
        std::fs::write(&path, &whole).unwrap();
        let mut held = std::fs::File::options().append(true).open(&path).unwrap();
        held.lock().unwrap();
        held.flush().unwrap();
        let said = refused(&dir, Tcp::new(system.address), Resume::Newest);
        assert_eq!(said, "this run is still going on in another process");
    }
}

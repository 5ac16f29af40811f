//! The start of a target: it is opened, warmed up by its first question, and closed.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod drive_kit;

use drive_kit::{Act, System, Tcp, attempts, ms, passed, project, run, why};
use ragline::core::Change;
use ragline::gate::Exit;
use ragline::target::{Failure, FailureKind};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Nobody listens for a while, then `503 loading` for a while, then it is there.
fn cold(refused: Duration, loading: Duration) -> (std::net::SocketAddr, std::thread::JoinHandle<System>) {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let begin = Instant::now();
    let later = std::thread::spawn(move || {
        std::thread::sleep(refused);
        System::on(TcpListener::bind(address).unwrap(), move |_, _| {
            if begin.elapsed() < refused + loading { Act::Status(503, None) } else { Act::Answer(ms(5)) }
        })
    });
    (address, later)
}

#[test]
fn a_cold_start_within_its_time_costs_no_question() {
    let (address, system) = cold(ms(800), ms(1200));
    let dir = project(&[("q", 20)]);
    let mut target = Tcp::new(address);
    target.manners.warm_up = Some(Duration::from_secs(10));
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(target));
    let system = system.join().unwrap();
    assert_eq!(passed(&done), 20);
    let took = began.elapsed();
    assert!((ms(2000)..ms(3500)).contains(&took), "{took:?}");
    let asked = system.asked();
    let others: usize = asked.iter().filter(|(id, _)| *id != "q001").map(|(_, n)| *n).sum();
    assert_eq!(others, 19, "the others are asked once it is there: {asked:?}");
    // Those that were refused reached no log.
    assert!(attempts(&done)["q001"] > asked["q001"], "{:?}", attempts(&done));
}

#[test]
fn a_cold_start_beyond_its_time_judges_nobody() {
    let (address, system) = cold(ms(500), ms(3000));
    let dir = project(&[("q", 20)]);
    let mut target = Tcp::new(address);
    target.manners.warm_up = Some(Duration::from_secs(2));
    let closed = Arc::clone(&target.closed);
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(target));
    let took = began.elapsed();
    let system = system.join().unwrap();
    assert!((ms(2000)..ms(2800)).contains(&took), "{took:?}");
    for id in ["q001", "q020"] {
        assert_eq!(why(&done, id), ("target-unreachable".into(), "not ready after 2 s: 503 loading".into()));
    }
    assert!(done.finished.reports.iter().all(|r| r.change == Change::Unmeasured));
    assert_eq!(done.finished.decision.exit, Exit::Incomplete);
    assert_eq!(system.asked().keys().collect::<Vec<_>>(), ["q001"], "nobody else was asked");
    assert_eq!(closed.load(Ordering::SeqCst), 1);
}

#[test]
fn the_answer_that_ends_the_warm_up_is_the_first_questions() {
    let system = System::start(|_, _| Act::Answer(ms(1)));
    let dir = project(&[("q", 3)]);
    let mut target = Tcp::new(system.address);
    target.manners.warm_up = Some(Duration::from_secs(5));
    let done = run(dir.path(), Arc::new(target));
    assert_eq!(passed(&done), 3);
    assert_eq!(system.log().len(), 3);
}

#[test]
fn a_final_failure_of_the_first_question_says_that_the_target_is_up() {
    let system = System::start(|id, _| if id == "q001" { Act::Status(400, None) } else { Act::Answer(ms(1)) });
    let dir = project(&[("q", 3)]);
    let mut target = Tcp::new(system.address);
    target.manners.warm_up = Some(Duration::from_secs(5));
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(target));
    assert!(began.elapsed() < ms(2000));
    assert_eq!(why(&done, "q001").0, "response-error");
    assert_eq!(passed(&done), 2);
}

#[test]
fn a_target_that_cannot_be_opened_is_not_asked_and_is_closed() {
    let system = System::start(|_, _| Act::Answer(ms(1)));
    let dir = project(&[("q", 3)]);
    let mut target = Tcp::new(system.address);
    target.opens = Err(Failure::new(FailureKind::Process, "the server ended with exit 1"));
    let closed = Arc::clone(&target.closed);
    let done = run(dir.path(), Arc::new(target));
    for id in ["q001", "q003"] {
        let (code, message) = why(&done, id);
        assert_eq!(code, "target-unreachable");
        assert!(message.ends_with(": the server ended with exit 1"), "{message}");
    }
    assert_eq!(system.log().len(), 0);
    assert_eq!(closed.load(Ordering::SeqCst), 1);
}

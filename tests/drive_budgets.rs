//! Attempts within a question, a question within the run: every wait counts, and nothing hangs.
#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]

mod drive_kit;

use drive_kit::{Act, System, Tcp, attempts, journal, ms, passed, project, report, run, why};
use ragline::core::Change;
use ragline::gate::Exit;
use ragline::suite::config::live::Rate;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Retries must not outlive the time-out, and one hung call must not hold the job.
#[test]
fn hung_dripping_and_told_to_wait_end_in_their_time_and_the_rest_goes_on() {
    let system = System::start(|id, _| match id {
        "q001" => Act::Hang,
        "q002" => Act::Drip(ms(500)),
        "q003" => Act::Status(429, Some(60)),
        _ => Act::Answer(ms(50)),
    });
    let dir = project(&[("q", 9)]);
    let mut target = Tcp::new(system.address).times(1000, 3000, 10_000);
    target.manners.retries = 5;
    let closed = Arc::clone(&target.closed);
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(target));
    let took = began.elapsed();
    assert!(took < ms(4500), "the three go on beside each other, about 3 s each: {took:?}");
    assert_eq!(passed(&done), 6);
    for id in ["q001", "q002"] {
        let (code, message) = why(&done, id);
        assert_eq!(code, "response-timeout");
        assert!(message.starts_with("no answer within 3 s: "), "{message}");
        assert!(message.contains(" attempts, the last: "), "{message}");
    }
    let (code, message) = why(&done, "q003");
    assert_eq!((code.as_str(), message.as_str()), ("response-error", "429: asked to wait 60 s, 3 s are left"));
    assert_eq!(done.finished.decision.exit, Exit::Incomplete);
    assert_eq!(closed.load(std::sync::atomic::Ordering::SeqCst), 1);
    system.is_quiet();
    let line = journal(&done).into_iter().find(|l| l["id"] == "q001").unwrap();
    assert!(line["ms"].as_u64().unwrap() < 3500, "{line}");
    assert_eq!(line["kind"], "budget");
    assert!(line["attempts"].as_array().unwrap().iter().all(|a| a["kind"] == "first-byte"), "{line}");
    assert_eq!(attempts(&done), system.asked(), "the journal tells every attempt");
}

#[test]
fn an_attempt_that_its_target_does_not_end_is_dropped() {
    let system = System::start(|_, _| Act::Hang);
    let dir = project(&[("q", 1)]);
    let mut target = Tcp::new(system.address).times(300, 1500, 60_000);
    target.deaf = true;
    target.manners.retries = 0;
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(target));
    assert!(began.elapsed() < ms(2500), "{:?}", began.elapsed());
    assert_eq!(why(&done, "q001"), ("response-timeout".into(), "the attempt did not end within 300 ms".into()));
    system.is_quiet();
}

#[test]
fn a_wait_that_was_asked_for_is_kept_and_shared_by_everybody_at_that_host() {
    // Two suites, two targets, one host: the first request is told to wait two seconds.
    let system = System::start(|id, before| match (id, before) {
        ("a001", 0) => Act::Status(429, Some(2)),
        _ => Act::Answer(ms(100)),
    });
    let dir = project(&[("a", 6), ("b", 6)]);
    let mut target = Tcp::new(system.address);
    target.concurrency = 2;
    let done = run(dir.path(), Arc::new(target));
    assert_eq!(passed(&done), 12);
    let log = system.log();
    let told = log.iter().find(|s| s.id == "a001").unwrap().at;
    // One request may have been on its way.
    let early = log.iter().skip(2).filter(|s| s.at < told + ms(1990)).count();
    assert_eq!(early, 0, "asked again before two seconds: {:?}", log.iter().map(|s| s.at - told).collect::<Vec<_>>());
    let again = log.iter().filter(|s| s.id == "a001").nth(1).unwrap().at;
    assert!(again - told < ms(3000), "nor much later: {:?}", again - told);
    assert_eq!(attempts(&done)["a001"], 2);
}

#[test]
fn a_wait_longer_than_what_is_left_ends_the_question_at_once() {
    let system = System::start(|id, _| if id == "q001" { Act::Status(429, Some(86_400)) } else { Act::Answer(ms(1)) });
    let dir = project(&[("q", 3)]);
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(Tcp::new(system.address).times(1000, 30_000, 1_800_000)));
    assert!(began.elapsed() < ms(2000), "{:?}", began.elapsed());
    assert_eq!(why(&done, "q001").1, "429: asked to wait 86400 s, 30 s are left");
    assert_eq!(passed(&done), 2, "others are asked all the same");
}

#[test]
fn a_quota_that_is_used_up_is_not_asked_a_thousand_times() {
    let system = System::start(|_, _| Act::Status(429, Some(86_400)));
    let dir = project(&[("q", 200)]);
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(Tcp::new(system.address)));
    assert!(began.elapsed() < ms(8000), "{:?}", began.elapsed());
    assert!(system.log().len() <= 20, "{}", system.log().len());
    let (code, message) = why(&done, "q200");
    assert_eq!(code, "response-error");
    assert!(message.ends_with(" asks to wait longer than the run lasts: 5 questions in a row; not asked"), "{message}");
}

#[test]
fn an_attempt_is_made_again_as_often_as_is_said_and_only_where_that_may_help() {
    let system = System::start(|id, before| match (id, before) {
        ("q001", 0 | 1) => Act::Status(500, None),
        ("q002", _) => Act::Status(500, None),
        ("q003", _) => Act::Status(400, None),
        ("q004", 0) => Act::Cut,
        _ => Act::Answer(ms(1)),
    });
    let dir = project(&[("q", 5)]);
    let done = run(dir.path(), Arc::new(Tcp::new(system.address)));
    assert_eq!(why(&done, "q002"), ("response-error".into(), "3 attempts, the last: 500".into()));
    assert_eq!(why(&done, "q003"), ("response-error".into(), "400".into()));
    assert_eq!(passed(&done), 3);
    let asked = system.asked();
    assert_eq!(asked.values().copied().collect::<Vec<_>>(), [3, 3, 1, 2, 1]);
    assert_eq!(attempts(&done), asked);
    let line = journal(&done).into_iter().find(|l| l["id"] == "q001").unwrap();
    let sent = line["attempts"].as_array().unwrap();
    assert_eq!((sent[0]["failed"].as_str(), sent[0]["kind"].as_str()), (Some("500"), Some("status")));
    assert!(sent[2].get("failed").is_none() && line.get("response").is_some(), "{line}");
    // The waits between them: at least 250 ms, then 500 ms.
    let at: Vec<Instant> = system.log().iter().filter(|s| s.id == "q001").map(|s| s.at).collect();
    assert!(at[1] - at[0] >= ms(250) && at[2] - at[1] >= ms(500), "{:?}", (at[1] - at[0], at[2] - at[1]));
}

#[test]
fn the_run_ends_in_its_time_and_says_so_of_what_is_left() {
    let system = System::start(|_, _| Act::Answer(ms(300)));
    let dir = project(&[("q", 40)]);
    let mut target = Tcp::new(system.address).times(1000, 3000, 1000);
    target.concurrency = 4;
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(target));
    assert!(began.elapsed() < ms(2000), "{:?}", began.elapsed());
    let n = passed(&done);
    assert!((8..=12).contains(&n), "three rounds of four: {n}");
    let (code, message) = why(&done, "q040");
    assert_eq!((code.as_str(), message.as_str()), ("response-timeout", "the run's 1 s ended"));
    assert_eq!(done.finished.decision.exit, Exit::Incomplete);
    system.is_quiet();
    assert_eq!(attempts(&done), system.asked());
}

#[test]
fn never_more_at_once_than_is_allowed_whatever_the_number_of_suites() {
    let system = System::start(|_, _| Act::Answer(ms(20)));
    let dir = project(&[("a", 30), ("b", 30), ("c", 30)]);
    let mut target = Tcp::new(system.address);
    target.concurrency = 5;
    let (opened, closed) = (Arc::clone(&target.opened), Arc::clone(&target.closed));
    let done = run(dir.path(), Arc::new(target));
    assert_eq!(passed(&done), 90);
    assert!((4..=5).contains(&system.most()), "{}", system.most());
    let count = |c: &std::sync::atomic::AtomicUsize| c.load(std::sync::atomic::Ordering::SeqCst);
    assert_eq!((count(&opened), count(&closed)), (1, 1), "three suites share one target");
}

#[test]
fn a_host_that_complains_is_asked_by_fewer_at_once_and_all_are_answered() {
    // It bears two at once, and says so to every other.
    let busy = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let system = {
        let busy = Arc::clone(&busy);
        System::start(move |_, _| {
            use std::sync::atomic::Ordering::SeqCst;
            if busy.fetch_add(1, SeqCst) >= 2 {
                busy.fetch_sub(1, SeqCst);
                return Act::Status(429, None);
            }
            std::thread::sleep(ms(30));
            busy.fetch_sub(1, SeqCst);
            Act::Answer(ms(0))
        })
    };
    let dir = project(&[("q", 40)]);
    let mut target = Tcp::new(system.address);
    target.concurrency = 16;
    target.manners.retries = 8;
    let done = run(dir.path(), Arc::new(target));
    assert_eq!(passed(&done), 40);
    // Asked by sixteen at once all the time, it would have had to refuse several times as many as it answered.
    let refused = system.log().len() - 40;
    assert!(refused < 40, "{refused} of {} were refused", system.log().len());
}

#[test]
fn a_rate_is_kept_also_by_repeated_attempts() {
    let system = System::start(|_, before| if before == 0 { Act::Status(500, None) } else { Act::Answer(ms(1)) });
    let dir = project(&[("q", 6)]);
    let mut target = Tcp::new(system.address);
    let per = ms(500);
    target.manners.rate = Some(Rate { count: 4, per });
    let done = run(dir.path(), Arc::new(target));
    assert_eq!(passed(&done), 6);
    let at: Vec<Instant> = system.log().iter().map(|s| s.at).collect();
    assert_eq!(at.len(), 12);
    for w in at.windows(5) {
        // What is let go together may arrive a little apart.
        assert!(w[4] - w[0] >= per - ms(100), "five within {:?}", w[4] - w[0]);
    }
}

#[test]
fn a_dead_host_is_given_up_after_five_questions() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let dir = project(&[("q", 500)]);
    let began = Instant::now();
    let done = run(dir.path(), Arc::new(Tcp::new(address)));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!(done.finished.reports.iter().all(|r| r.change == Change::Unmeasured));
    let why_last = why(&done, "q500");
    assert_eq!(why_last.0, "target-unreachable");
    assert_eq!(why_last.1, format!("{address} not reachable: 5 questions in a row; not asked"));
    let (code, message) = why(&done, "q001");
    assert_eq!(code, "target-unreachable");
    assert!(message.ends_with("connection refused"), "{message}");
    assert!(journal(&done).len() <= 16, "what was not asked has no line");
    assert_eq!(report(&done, "q500").answer, None);
}

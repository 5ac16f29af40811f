//! No bytes make the reader of recordings panic, and what it refuses it refuses with a line of the file.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

use proptest::prelude::*;
use ragline::problem::{Problem, render};
use ragline::target::recorded::Recorded;
use ragline::target::response;
use ragline::target::{Reply, Request, Target};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

const RECORDING: &str = "{\"version\":1,\"kind\":\"responses\",\"suite\":\"s\",\"subject\":\"v1\"}
{\"id\":\"q1\",\"answer\":\"mười bốn ngày\",\"contexts\":[{\"doc\":\"a.md\",\"section\":[\"A\",\"B\"],\"chunk\":7,\"text\":\"น้ำ\",\"score\":7.1,\"start\":3,\"end\":9,\"in_prompt\":true}],\"citations\":[{\"context\":1},{\"url\":\"http://x/\",\"quote\":\"…\"}],\"refused\":null,\"latency_ms\":812,\"usage\":{\"input_tokens\":9,\"output_tokens\":2},\"error\":null}
{\"id\":9007199254740993,\"repeat\":0,\"suite\":\"t\",\"answer\":null}
{\"id\":\"q\\u00e9\",\"repeat\":1,\"contexts\":[]}
{\"id\":\"q4\",\"error\":\"HTTP 500\"}
";

/// What a target says at once.
fn ask(target: &dyn Target, suite: &str, id: &str, repeat: u32) -> Reply {
    let request = Request { repeat, ..Request::new(suite, id, "?") };
    let mut reply = pin!(target.ask(request));
    match reply.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(reply) => reply,
        Poll::Pending => panic!("a recording does not wait"),
    }
}

fn shown(problem: &Problem, lines: usize) {
    assert!(usize::try_from(problem.place.line).unwrap() <= lines.max(1), "{problem:?}");
    assert!(!problem.title.contains('\n') && problem.title.len() < 400, "{problem:?}");
    let text = render(problem, false);
    assert!(text.len() < 2000, "{text}");
}

/// Opens some bytes as a recording, and reads every response that it may hold.
fn try_all(bytes: &[u8]) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.jsonl");
    std::fs::write(&path, bytes).unwrap();
    let lines = bytes.split(|b| *b == b'\n').count();
    let recorded = match Recorded::open("r", &path, "r.jsonl", None) {
        Ok(recorded) => recorded,
        Err(problems) => {
            assert!(problems.any_error() && problems.0.len() <= 40);
            problems.0.iter().for_each(|p| shown(p, lines));
            return;
        }
    };
    let mut suites: Vec<String> = recorded.suites().iter().map(ToString::to_string).collect();
    suites.push("other".into());
    for suite in &suites {
        for known in [true, false] {
            match recorded.expect(suite, &|_| known) {
                Ok(ids) => assert!(!known || ids.is_empty()),
                Err(problems) => problems.0.iter().for_each(|p| shown(p, lines)),
            }
        }
        for id in ["q1", "9007199254740993", "qé", "q4", "7", ""] {
            for repeat in 0..2 {
                match ask(&recorded, suite, id, repeat) {
                    Reply::Line { bytes, .. } => match response::parse(&bytes) {
                        Ok(r) => {
                            assert_eq!(r.id, id);
                            let _ = r.into_owned();
                        }
                        Err((column, what)) => {
                            let place = ragline::problem::Place { file: "r.jsonl".into(), line: 1, column: 0 };
                            shown(&Problem::error("response-line", place, what).in_line(&bytes, column), lines);
                        }
                    },
                    Reply::Missing(why) => assert!(!why.is_empty()),
                    Reply::Failed(f) => panic!("{f}"),
                    Reply::Response(_) => panic!("a recording gives lines"),
                }
            }
        }
    }
}

/// The recording with some of its pieces replaced, dropped or doubled.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(Vec::new()),
        prop::sample::select(vec![
            "\n",
            "\r\n",
            "\r",
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            ",",
            ":",
            "null",
            "1e999",
            "-0",
            "\\ud800",
            "\u{feff}",
            "\u{0}",
            "\u{2028}",
            "\"id\":\"q1\",",
            "\"suite\":\"t\",",
            "\"repeat\":4294967296,",
            "{\"version\":1}\n",
            "{\"id\":\"q1\",\"answer\":\"\"}\n",
            "    ",
        ])
        .prop_map(|s| s.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec((0..RECORDING.len(), 0_usize..12, piece), 1..6).prop_map(|edits| {
        let mut bytes = RECORDING.as_bytes().to_vec();
        for (at, drop, piece) in edits {
            let at = at.min(bytes.len());
            let end = (at + drop).min(bytes.len());
            bytes.splice(at..end, piece);
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_recordings_never_panic(bytes in mutated()) {
        try_all(&bytes);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        try_all(&bytes);
    }

    #[test]
    fn lines_of_random_json_never_panic(lines in prop::collection::vec("[\\[\\]{}\":,a-c0-9 \\\\]{0,40}", 0..6)) {
        try_all(lines.join("\n").as_bytes());
    }
}

#[test]
fn the_recording_that_is_mutated_is_right_to_begin_with() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.jsonl");
    std::fs::write(&path, RECORDING).unwrap();
    let recorded = Recorded::open("r", &path, "r.jsonl", None).unwrap();
    assert_eq!(recorded.suites().iter().map(AsRef::as_ref).collect::<Vec<&str>>(), ["s", "t"]);
    for (suite, id, repeat) in [("s", "q1", 0), ("t", "9007199254740993", 0), ("s", "qé", 1), ("s", "q4", 0)] {
        let Reply::Line { bytes, .. } = ask(&recorded, suite, id, repeat) else { panic!("{id}") };
        assert_eq!(response::parse(&bytes).unwrap().id, id);
    }
    try_all(RECORDING.as_bytes());
}

//! Real processes for tests: each carries a marker that no other process has, so that it can be looked for afterwards.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

use ragline::problem::Place;
use ragline::suite::config::live::EnvText;
use ragline::target::Environment;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A number of seconds, of minutes' length, that no other process sleeps: `sleep {marker}` can be found.
pub(crate) fn marker() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("300.{:07}{:03}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The ids of the processes whose command lines hold the marker. A process that is over has no command line.
pub(crate) fn alive(marker: &str) -> Vec<u32> {
    let of = |e: std::io::Result<std::fs::DirEntry>| {
        let pid: u32 = e.ok()?.file_name().to_str()?.parse().ok()?;
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        String::from_utf8_lossy(&line).contains(marker).then_some(pid)
    };
    std::fs::read_dir("/proc").unwrap().filter_map(of).collect()
}

/// Fails unless a process with the marker runs, or begins to within two seconds.
#[track_caller]
pub(crate) fn assert_alive(marker: &str) {
    assert!(within(2000, || !alive(marker).is_empty()), "no process {marker} runs");
}

/// Fails unless no process with the marker is left. A signal needs a moment to do its work.
#[track_caller]
pub(crate) fn assert_gone(marker: &str) {
    assert!(within(500, || alive(marker).is_empty()), "left behind: {:?}", alive(marker));
}

/// Children of this process that are over and that nobody took note of.
pub(crate) fn zombies() -> Vec<String> {
    let me = std::process::id();
    let of = |e: std::io::Result<std::fs::DirEntry>| {
        let stat = std::fs::read_to_string(e.ok()?.path().join("stat")).ok()?;
        // `pid (name) state parent …`; the name may hold blanks and brackets.
        let mut rest = stat.get(stat.rfind(')')? + 2..)?.split(' ');
        (rest.next()? == "Z" && rest.next()?.parse() == Ok(me)).then_some(stat)
    };
    std::fs::read_dir("/proc").unwrap().filter_map(of).collect()
}

/// Whether something comes true within so many milliseconds.
pub(crate) fn within(ms: u64, mut holds: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + Duration::from_millis(ms);
    loop {
        if holds() {
            return true;
        }
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A text of the settings.
pub(crate) fn text(raw: impl Into<String>) -> EnvText {
    EnvText { raw: raw.into(), place: Place::file("ragline.toml") }
}

/// Texts of the settings.
pub(crate) fn texts(words: &[&str]) -> Vec<EnvText> {
    words.iter().map(|w| text(*w)).collect()
}

/// Variables of the environment.
pub(crate) fn environment(pairs: &[(&str, &str)]) -> Environment {
    pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
}

/// Runs something as the driver does: on a runtime with two threads.
pub(crate) fn run<T>(what: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(what)
}

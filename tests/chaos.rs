//! A thousand questions to a server that does everything wrong that a server can: each ends measured, or unmeasured for
//! the right reason, in time; and the journal knows of every request that the server saw.
#![cfg(all(target_os = "linux", feature = "http"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod server_kit;

use binary_kit::{Folder, lines};
use server_kit::{Script, Server};
use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const QUESTIONS: usize = 1000;
const CONCURRENCY: usize = 16;
const ATTEMPTS: usize = 2;

/// What a server does to one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Good,
    /// One bad reply, then a good one.
    Once(Bad),
    /// Bad replies only.
    Always(Bad),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bad {
    Silent,
    Drips,
    /// Before any byte of a response: on a new connection or on a kept one, as it happens.
    Vanishes,
    Dies,
    Reset,
    Cut,
    Busy,
    Limited,
    /// These are not asked again.
    Garbled,
    Page,
    ErrorInside,
    Refused,
    Endless,
    Elsewhere,
}

impl Bad {
    const PASSING: [Bad; 8] =
        [Bad::Silent, Bad::Drips, Bad::Vanishes, Bad::Dies, Bad::Reset, Bad::Cut, Bad::Busy, Bad::Limited];
    const FINAL: [Bad; 6] = [Bad::Garbled, Bad::Page, Bad::ErrorInside, Bad::Refused, Bad::Endless, Bad::Elsewhere];

    fn script(self) -> Script {
        let json = ["content-type: application/json"];
        match self {
            Bad::Silent => Script::silence(),
            Bad::Drips => Script::promise(200, &json, 1000).drip([b' '; 300], Duration::from_millis(40)),
            Bad::Vanishes => Script::close_at_once(),
            Bad::Dies => Script::default().reset(),
            Bad::Reset => {
                Script::promise(200, &json, 1000).then(*b"{\"answer\":").wait(Duration::from_millis(5)).reset()
            }
            Bad::Cut => Script::promise(200, &json, 1000).then(*b"{\"answer\":\"Thirty").close(),
            Bad::Busy => Script::json(500, r#"{"error":"worker died"}"#),
            Bad::Limited => Script::json(429, r#"{"error":"too fast"}"#),
            Bad::Garbled => Script::json(200, "{\"answer\": \"Thirty days"),
            Bad::Page => Script::html(200, "<title>Sign in</title>Thirty days"),
            Bad::ErrorInside => Script::json(200, r#"{"error":{"message":"no index"}}"#),
            Bad::Refused => Script::json(400, r#"{"error":"bad request"}"#),
            // In pieces that are large enough to reach the limit long before the time, however busy the machine is.
            Bad::Endless => Script::open_chunks(200, &json).endless(format!("1000\r\n{}\r\n", " ".repeat(0x1000))),
            Bad::Elsewhere => Script::redirect(302, "/login"),
        }
    }

    /// Whether nothing at all comes back.
    fn is_early(self) -> bool {
        matches!(self, Bad::Vanishes | Bad::Dies)
    }

    /// The kind in the journal and the code of the finding.
    fn told(self) -> (&'static str, &'static str) {
        match self {
            Bad::Silent => ("first-byte", "response-timeout"),
            Bad::Drips => ("total", "response-timeout"),
            Bad::Vanishes | Bad::Dies | Bad::Reset | Bad::Cut => ("cut", "response-unreadable"),
            Bad::Busy => ("status", "response-error"),
            Bad::Limited => ("rate-limited", "response-error"),
            Bad::Garbled | Bad::Page => ("not-json", "response-unreadable"),
            Bad::ErrorInside => ("error-body", "response-error"),
            Bad::Refused => ("status", "response-error"),
            Bad::Endless => ("too-large", "response-unreadable"),
            Bad::Elsewhere => ("redirected", "response-error"),
        }
    }
}

fn fates(seed: u64) -> Vec<Fate> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut fates: Vec<Fate> = Vec::new();
    for bad in Bad::PASSING {
        // What makes everybody wait is rare, or the test would take minutes.
        let n = if bad == Bad::Limited {
            4
        } else if bad.is_early() {
            24
        } else {
            12
        };
        fates.extend([Fate::Once(bad), Fate::Always(bad)].into_iter().flat_map(|f| std::iter::repeat_n(f, n)));
    }
    fates.extend(Bad::FINAL.into_iter().flat_map(|b| std::iter::repeat_n(Fate::Always(b), 20)));
    fates.resize(QUESTIONS, Fate::Good);
    random.shuffle(&mut fates);
    fates
}

fn number(id: &str) -> usize {
    id.trim_start_matches('q').parse().unwrap()
}

/// What the process holds while it runs, sampled: its memory in KiB and its open files.
fn watch(child: &mut Child) -> Vec<(u64, usize)> {
    let mut seen = Vec::new();
    let until = Instant::now() + Duration::from_secs(240);
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "it does not end");
        let proc = format!("/proc/{}", child.id());
        let status = std::fs::read_to_string(format!("{proc}/status")).unwrap_or_default();
        let rss = status.lines().find_map(|l| l.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
        let files = std::fs::read_dir(format!("{proc}/fd")).map_or(0, Iterator::count);
        seen.extend(rss.map(|rss| (rss, files)));
        std::thread::sleep(Duration::from_millis(50));
    }
    seen
}

#[test]
fn a_thousand_questions_to_a_server_that_does_everything_wrong() {
    let fates = fates(7);
    let times: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let server = {
        let fates = fates.clone();
        Server::start(move |seen| {
            let id = seen.json()["id"].as_str().unwrap().to_owned();
            let nth = {
                let mut times = times.lock().unwrap();
                let n = times.entry(id.clone()).or_default();
                *n += 1;
                *n
            };
            match fates[number(&id)] {
                Fate::Once(bad) if nth == 1 => bad.script(),
                Fate::Always(bad) => bad.script(),
                Fate::Good | Fate::Once(_) => Script::json(200, r#"{"answer":"Thirty days."}"#),
            }
        })
    };
    let folder = Folder::new();
    let settings = format!(
        r#"version = 1
[targets.shop]
kind = "http"
url = "{}"
body = '{{"id": {{{{ id }}}}, "question": {{{{ question }}}}}}'
concurrency = {CONCURRENCY}
retries = {}
timeout = {{ attempt = "1s", question = "30s", run = "3m" }}
max_body = "64KiB"
[targets.shop.response]
answer = "$.answer"
"#,
        server.url("/ask"),
        ATTEMPTS - 1
    );
    folder.write("ragline.toml", settings.as_bytes());
    folder.write("thresholds.toml", b"version = 1\nbaseline = \"none\"\n");
    let mut suite = "version: 1\nsuite: shop\nlanguage: en\ntarget: shop\nquestions:\n".to_owned();
    for i in 0..QUESTIONS {
        suite.push_str(&format!(
            "  - id: q{i:04}\n    question: How long is warranty {i}?\n    facts: [thirty days]\n    layers: {{ numbers: off, refusal: off }}\n"
        ));
    }
    folder.write("suites/shop.yaml", suite.as_bytes());

    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("RAGLINE_") || text.starts_with("GITHUB_") || text == "CI" {
            command.env_remove(&name);
        }
    }
    let began = Instant::now();
    let to = std::fs::File::create(folder.path().join("err.txt")).unwrap();
    let mut child = command.current_dir(folder.path()).arg("run").stdout(Stdio::null()).stderr(to).spawn().unwrap();
    let held = watch(&mut child);
    let err = folder.read("err.txt");
    assert_eq!(child.wait().unwrap().code(), Some(3), "{err}");
    assert!(began.elapsed() < Duration::from_secs(185), "{:?}", began.elapsed());
    assert!(!err.contains("panicked"), "{err}");
    // Nobody watches a terminal: a line every ten seconds says that the run lives.
    let lived = usize::try_from(began.elapsed().as_secs() / 10).unwrap();
    let told = err.lines().filter(|l| l.contains(" of 1000 questions")).count();
    assert!((lived.saturating_sub(1)..=lived).contains(&told), "{told} lines in {:?}:\n{err}", began.elapsed());

    // The connections of each question's requests: whether they had been used before.
    let mut requests: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for seen in server.log() {
        requests.entry(seen.json()["id"].as_str().unwrap().to_owned()).or_default().push(seen.on_connection > 0);
    }

    // Each for the right reason.
    let mut early = [0, 0];
    let results = folder.results();
    let journal: BTreeMap<String, serde_json::Value> =
        lines(&std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap())
            .skip(1)
            .map(|l| (l["id"].as_str().unwrap().to_owned(), l))
            .collect();
    assert_eq!((results.len(), journal.len()), (QUESTIONS, QUESTIONS));
    for (id, result) in &results {
        let fate = fates[number(id)];
        let line = &journal[id];
        match fate {
            Fate::Good | Fate::Once(_) => {
                assert_eq!(result["outcome"], "pass", "{id} {fate:?}: {line}");
            }
            Fate::Always(bad) => {
                let (kind, code) = bad.told();
                assert_eq!(result["outcome"], "unmeasured", "{id} {fate:?}: {line}");
                assert_eq!(line["kind"], kind, "{id} {fate:?}: {line}");
                assert_eq!(result["layers"]["facts"]["findings"][0]["code"], code, "{id} {fate:?}");
                let n = line["attempts"].as_array().unwrap().len();
                let once = if Bad::FINAL.contains(&bad) { 1 } else { ATTEMPTS };
                // Where a connection that was kept may be to blame, one more is made at once. The first questions leave
                // before any response has come, so that none can be known to be kept.
                let known = number(id) >= CONCURRENCY;
                let at_once = usize::from(bad.is_early() && ((known && requests[id][0]) || n > once));
                // On a machine that is busy the time of an attempt may end before its response has gone wrong.
                let late =
                    line["attempts"].as_array().unwrap().iter().take(n - 1).filter(|a| a["kind"] == "total").count();
                let late = if once == 1 { late } else { 0 };
                assert_eq!(n, once + at_once + late, "{id} {fate:?}: {line}");
            }
        }
        if let Fate::Once(bad) = fate {
            let kinds: Vec<&str> =
                line["attempts"].as_array().unwrap().iter().filter_map(|a| a["kind"].as_str()).collect();
            assert!(kinds.contains(&bad.told().0) || kinds.contains(&"total"), "{id}: {line}");
        }
        if let Fate::Once(bad) | Fate::Always(bad) = fate
            && bad.is_early()
        {
            early[usize::from(requests[id][0])] += 1;
            // An attempt whose time ended, on a machine that is busy, says nothing about its connection.
            let on = line["attempts"].as_array().unwrap().iter().zip(&requests[id]);
            let after = on.skip_while(|(attempt, kept)| !**kept || attempt["kind"] != "cut").skip(1);
            let again = after.into_iter().any(|(_, kept)| *kept);
            assert!(number(id) < CONCURRENCY || !again, "{id} on a kept connection again: {line}");
        }
    }

    assert!(early.iter().all(|n| *n > 0), "on new connections and on kept ones: {early:?}");

    // The journal tells every request.
    let requests: BTreeMap<String, usize> = requests.into_iter().map(|(id, r)| (id, r.len())).collect();
    let told: BTreeMap<String, usize> =
        journal.iter().map(|(id, l)| (id.clone(), l["attempts"].as_array().unwrap().len())).collect();
    assert_eq!(told, requests);

    // Nothing piles up: the second half holds no more than the first, but for what is known of each question.
    let (first, second) = held.split_at(held.len() / 2);
    let most = |of: &[(u64, usize)]| (of.iter().map(|h| h.0).max().unwrap(), of.iter().map(|h| h.1).max().unwrap());
    let ((rss, files), (rss_then, files_then)) = (most(first), most(second));
    assert!(rss_then < rss + 16 * 1024, "{rss} KiB, then {rss_then} KiB");
    assert!(rss_then < 200 * 1024, "{rss_then} KiB");
    assert!(files_then <= files + 8 && files_then < 40 + 2 * CONCURRENCY, "{files}, then {files_then} files");
}

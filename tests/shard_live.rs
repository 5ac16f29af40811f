//! Shards that ask a server: killed in the middle and gone on with, and where nothing could be asked.
#![cfg(all(unix, feature = "http"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod server_kit;
mod shard_kit;

use binary_kit::{Folder, lines};
use server_kit::{Script, Server};
use shard_kit::project::same;
use shard_kit::{Shards, checkout, command, run, said};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const QUESTIONS: usize = 60;

/// A project that asks a server; what else stands in the section of its target is given.
fn project(url: &str, more: &str) -> Folder {
    let settings = format!(
        r#"version = 1
[targets.shop]
kind = "http"
url = "{url}"
body = '{{"id": {{{{ id }}}}, "question": {{{{ question }}}}}}'
concurrency = 2
{more}
[targets.shop.response]
answer = "$.answer"
contexts = "$.contexts[*]"
context = {{ text = "$.text", doc = "$.doc" }}
[privacy]
mask = ["phone"]
"#
    );
    let mut suite = "version: 1\nsuite: shop\nlanguage: en\ntarget: shop\nquestions:\n".to_owned();
    for i in 1..=QUESTIONS {
        suite.push_str(&format!(
            "  - id: q{i:02}\n    question: How long is warranty {i}?\n    facts: [thirty days]\n    evidence: [{{ doc: w.md }}]\n"
        ));
    }
    Folder::with(&[
        ("ragline.toml", &settings),
        ("suites/shop.yaml", &suite),
        ("thresholds.toml", "version = 1\nbaseline = \"none\"\n"),
    ])
}

/// Answers each question after a while: most rightly, one not at all, some with a number that is masked.
fn server(after: Duration) -> Server {
    Server::start(move |seen| {
        let id = seen.json()["id"].as_str().unwrap().to_owned();
        let n: usize = id.trim_start_matches('q').parse().unwrap();
        if n == 4 {
            return Script::json(400, r#"{"error":"no"}"#).after(after);
        }
        let answer = match n % 5 {
            0 => "Forty days.".to_owned(),
            1 => format!("Thirty days; call 0912 345 6{n:02}."),
            _ => "Thirty days.".to_owned(),
        };
        let doc = if n.is_multiple_of(7) { "x.md" } else { "w.md" };
        Script::json(
            200,
            &format!(r#"{{"answer":"{answer}","contexts":[{{"doc":"{doc}","text":"Thirty days, {id}."}}]}}"#),
        )
        .after(after)
    })
}

fn asked(server: &Server) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for seen in server.log() {
        *times.entry(seen.json()["id"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    times
}

#[test]
fn a_shard_that_was_killed_goes_on_where_it_was() {
    let server = server(Duration::from_millis(15));
    let project = project(&server.url("/ask"), "");
    let single = said(&checkout(&project), &["run", "--today", "2026-12-01"]);
    assert_eq!(single.exit, 1, "{}", single.terminal);
    let before = asked(&server);
    let checkouts: Vec<Folder> = (0..3).map(|_| checkout(&project)).collect();
    for (i, folder) in checkouts.iter().enumerate() {
        let shard = format!("{}/3", i + 1);
        let words = ["run", "--shard", &shard, "--today", "2026-12-01"];
        if i != 1 {
            run(folder, &words, &[]).exits(0);
            continue;
        }
        let mut child = command(folder.path(), &words, &[]).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        let answered = |folder: &Folder| {
            let journal =
                folder.runs().pop().map(|r| std::fs::read_to_string(r.join("journal.jsonl")).unwrap_or_default());
            journal.map_or(0, |j| j.lines().count())
        };
        while answered(folder) < 6 {
            assert!(Instant::now() < until, "nothing was answered");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let killed = folder.runs().pop().unwrap();
        assert!(!killed.join("run.json").exists(), "it was killed in the middle");
        assert!(killed.to_str().unwrap().ends_with("-2of3"));
        // Half a shard is merged by nobody, and gone on with by no other shard.
        let merging = checkout(&project);
        shard_kit::copy_into(&killed, &merging.path().join("artefacts/2"));
        run(&merging, &["merge", "artefacts"], &[]).exits(2).says(&[
            "error[shard-unfinished]",
            "shard 2/3 did not come to its end",
            "--shard 2/3",
        ]);
        run(folder, &["run", "--resume", "--shard", "1/3", "--today", "2026-12-01"], &[])
            .exits(2)
            .says(&["it is shard 2/3, this one is shard 1/3"]);
        run(folder, &["run", "--resume", "--today", "2026-12-01"], &[]).exits(2).says(&["this one is no shard"]);
        run(folder, &["run", "--resume", "--shard", "2/3", "--today", "2026-12-01"], &[])
            .exits(0)
            .shows(&["shard 2 of 3"]);
        assert_eq!(folder.runs(), [killed], "in the same folder");
    }
    let shards = Shards::collect(&project, &checkouts);
    same(&single, &said(&shards.merging, &["merge", "artefacts"]));
    let now = asked(&server);
    let again: usize = now.iter().map(|(id, n)| n - before[id]).sum();
    assert!((QUESTIONS..=QUESTIONS + 2).contains(&again), "{again} calls: only what was in flight is asked twice");
}

/// Personal data is taken out of what a shard writes; a journal that is gone on with tells what was found in it all the same.
#[test]
fn no_shard_writes_what_is_masked() {
    let server = server(Duration::ZERO);
    let project = project(&server.url("/ask"), "");
    let shards = Shards::plain(&project, 2);
    let mut masked = 0;
    for n in [1, 2] {
        let journal = std::fs::read_to_string(shards.path(n, "journal.jsonl")).unwrap();
        assert!(!journal.contains("345 6"), "{journal}");
        masked += lines(&journal).skip(1).filter(|l| l["examined"].is_object()).count();
    }
    assert_eq!(masked, QUESTIONS / 5);
    let merged = said(&shards.merging, &["merge", "artefacts"]);
    let journal = std::fs::read_to_string(shards.merging.last_run().join("journal.jsonl")).unwrap();
    assert!(!journal.contains("345 6") && !merged.results.contains("345 6"));
}

/// Nothing answers: each shard tells why, and the merged run is as incomplete as the single one, for the same reasons.
#[test]
fn shards_that_could_ask_nobody_are_merged_all_the_same() {
    // A port on which nobody listens any more.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let more = format!(
        "ready = \"http://{gone}/\"\nready_within = \"200ms\"\ntimeout = {{ attempt = \"1s\", question = \"1s\" }}"
    );
    let more = more.replace("ready_within = \"200ms\"\n", "");
    let project = project(&format!("http://{gone}/ask"), &format!("{more}\nretries = 0\nstart = \"false\""));
    let words = ["run", "--today", "2026-12-01"];
    let single = said(&checkout(&project), &words);
    assert_eq!(single.exit, 3, "{}", single.terminal);
    let shards = Shards::plain(&project, 3);
    let merged = said(&shards.merging, &["merge", "artefacts"]);
    assert_eq!(merged.exit, 3);
    assert_eq!(
        merged.results.matches("target-unreachable").count(),
        single.results.matches("target-unreachable").count()
    );
    same(&single, &merged);
    // Nobody was asked, so nobody's answer is in the journal.
    let journal = std::fs::read_to_string(shards.merging.last_run().join("journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 1);
}

/// Keys are needed where something is asked, and nowhere else.
#[test]
fn a_merge_needs_no_key() {
    let server = server(Duration::ZERO);
    let project = project(&server.url("/ask"), "headers = { Authorization = \"Bearer ${SHOP_TOKEN}\" }");
    let key = [("SHOP_TOKEN", "tok_4f9a77c1")];
    let alone = checkout(&project);
    let words = ["run", "--today", "2026-12-01", "--results", "r.jsonl"];
    run(&alone, &words, &key).exits(1);
    let checkouts: Vec<Folder> = (0..2).map(|_| checkout(&project)).collect();
    for (i, folder) in checkouts.iter().enumerate() {
        let shard = format!("{}/2", i + 1);
        run(folder, &["run", "--today", "2026-12-01", "--shard", &shard], &key).exits(0);
        run(&checkout(&project), &["run", "--shard", &shard], &[]).exits(2).says(&["SHOP_TOKEN"]);
    }
    let shards = Shards::collect(&project, &checkouts);
    let merged = said(&shards.merging, &["merge", "artefacts"]);
    assert_eq!(alone.read("r.jsonl"), merged.results);
    // Without the key, and told to go without: what is not asked is told of the whole.
    let single = said(&checkout(&project), &["run", "--today", "2026-12-01", "--without-keys", "--answers", "fill"]);
    let shards = Shards::run(&project, 4, &|_| {
        ["--today", "2026-12-01", "--without-keys", "--answers", "fill"].map(str::to_owned).to_vec()
    });
    same(&single, &said(&shards.merging, &["merge", "artefacts"]));
    assert!(single.terminal.contains("60 questions not asked for want of SHOP_TOKEN"), "{}", single.terminal);
}

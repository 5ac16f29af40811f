//! Answers on file that do not fit, ids and lists that must keep their digits and their places, through the binary.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod binary_kit;
mod case_kit;
mod server_kit;

use binary_kit::{Folder, outcome};
use case_kit::{http, project, run_with, suite, told};
use server_kit::{Script, Server};

const FILE: &str = "recordings/bot.jsonl";

/// A project whose four answers are on file, and its server.
fn filled() -> (Server, Folder) {
    let server = Server::start(|_| Script::json(200, r#"{"answer": "09:00"}"#));
    let folder = project(&http(&server.url("/ask"), "retries = 0"), &["q1", "q2", "q3", "q4"]);
    run_with(&folder, &[], &["run", "--answers", "fill"]).0.exits(0);
    assert_eq!(server.count(), 4);
    (server, folder)
}

/// H01 where the system is a server: a miss is no pass, and nobody is connected to.
#[test]
fn a_replay_connects_to_nobody_and_a_miss_is_no_pass() {
    let (server, folder) = filled();
    let text = folder.read(FILE).replace("\"id\":\"q3\"", "\"id\":\"q03\"");
    let q4 = text.lines().find(|l| l.contains("\"id\":\"q4\"")).unwrap().to_owned();
    let text = text.replace(&q4, &q4.replace("\"answer\":\"09:00\"", "\"answer\":null"));
    folder.write(FILE, text.as_bytes());
    let before = server.connections();
    let (ran, _) = run_with(&folder, &[], &["run", "--answers", "replay"]);
    ran.exits(3).says(&["q03"]);
    let of = told(&folder);
    assert_eq!((of["q1"].facts.as_str(), of["q2"].facts.as_str()), ("pass", "pass"));
    assert!(of["q3"].facts == "unmeasured" && of["q3"].message.contains("nearest: q03"), "{:?}", of["q3"]);
    assert!(of["q4"].facts == "unmeasured" && of["q4"].message.contains("null"), "{:?}", of["q4"]);
    assert_eq!(server.connections(), before, "somebody was connected to");
}

/// More that does not fit: each is a miss or an error with its line, never an answer and never a call.
#[test]
fn an_entry_that_does_not_fit_is_no_answer() {
    let (server, folder) = filled();
    let good = folder.read(FILE);
    let line = |id: &str| good.lines().find(|l| l.contains(&format!("\"id\":\"{id}\""))).unwrap().to_owned();
    let replace = |from: &str, to: &str| good.replace(from, to);
    let (q1, q2) = (line("q1"), line("q2"));
    let rows: Vec<(&str, String, i32, &[&str])> = vec![
        ("twice", format!("{good}{}\n", q1.replace("09:00", "never")), 2, &["q1", "line 2", "bot.jsonl:6"]),
        ("same-twice", format!("{good}{q1}\n"), 2, &["q1", "6"]),
        ("blank-answer", replace(&q1, &q1.replace("\"09:00\"", "\"  \"")), 3, &["blank"]),
        ("an-error", replace(&q1, &q1.replace("\"answer\":\"09:00\"", "\"error\":\"504\"")), 3, &["504"]),
        ("cut", good.trim_end().trim_end_matches('}').to_owned(), 2, &["bot.jsonl:5"]),
        ("gone", replace(&format!("{q2}\n"), ""), 3, &["no recording"]),
        ("other-suite", replace(&q1, &q1.replace("\"suite\":\"s\"", "\"suite\":\"t\"")), 3, &["no recording"]),
        ("other-case", replace(&q1, &q1.replace("\"q1\"", "\"Q1\"")), 3, &["nearest: Q1"]),
        (
            "key-twice",
            replace(&q1, &q1.replace("\"answer\":", "\"answer\":\"x\",\"answer\":")),
            2,
            &["bot.jsonl:2", "answer"],
        ),
        ("unknown", replace(&q1, &q1.replace("\"answer\":", "\"anwser\":")), 2, &["anwser", "answer"]),
        ("empty", String::new(), 3, &["no recording"]),
        ("header-alone", good.lines().next().unwrap().to_owned() + "\n", 3, &["no recording"]),
    ];
    let before = server.connections();
    let mut wrong = String::new();
    for (name, text, exit, words) in rows {
        folder.write(FILE, text.as_bytes());
        let (ran, _) = run_with(&folder, &[], &["run", "--answers", "replay"]);
        let all = format!("{}{}", ran.out, ran.err);
        if ran.exit != exit || !words.iter().all(|w| all.contains(w)) {
            wrong += &format!("--- {name}: exit {}, expected {exit} {words:?}\n{all}\n", ran.exit);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(server.connections(), before);
    // Windows writes it otherwise, and it is the same.
    folder.write(FILE, format!("\u{feff}{}", good.replace('\n', "\r\n")).as_bytes());
    run_with(&folder, &[], &["run", "--answers", "replay"]).0.exits(0);
}

/// H03: one entry for one request, whoever asks first.
#[test]
fn the_same_entry_answers_whatever_the_number_of_workers() {
    let (server, folder) = filled();
    let settings = folder.read("ragline.toml");
    let before = server.connections();
    let mut all = Vec::new();
    for round in 0..10 {
        let workers = if round % 2 == 0 { 1 } else { 8 };
        let text = settings.replace("retries = 0", &format!("retries = 0\nconcurrency = {workers}"));
        folder.write("ragline.toml", text.as_bytes());
        run_with(&folder, &[], &["run", "--answers", "replay", "--results", "o.jsonl"]).0.exits(0);
        all.push(folder.read("o.jsonl"));
    }
    assert!(all.windows(2).all(|w| w[0] == w[1]));
    assert_eq!(server.connections(), before);
}

/// A resumed replay says the same of what was stale.
#[test]
fn what_is_stale_is_stale_also_when_the_run_is_resumed() {
    let (_server, folder) = filled();
    let text = folder.read(FILE);
    let header = text.lines().next().unwrap().to_owned();
    let subject = serde_json::from_str::<serde_json::Value>(&header).unwrap()["subject"].as_str().unwrap().to_owned();
    folder.write(FILE, text.replace(&subject, "0123456789abcdef").as_bytes());
    run_with(&folder, &[], &["run", "--answers", "replay"]).0.exits(3);
    let first = told(&folder);
    assert!(first.values().all(|t| t.code == "response-stale" && t.kind == "stale"), "{first:?}");
    let path = folder.last_run();
    // As if it had been killed before its end.
    for name in ["results.jsonl", "run.json"] {
        let _ = std::fs::remove_file(path.join(name));
    }
    run_with(&folder, &[], &["run", "--answers", "replay", "--resume"]).0.exits(3);
    assert!(told(&folder).values().all(|t| t.code == "response-stale"), "{:?}", told(&folder));
}

/// I02 where a program is asked, in its own form and in a mapped one.
#[test]
fn ids_keep_their_digits() {
    let ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let returned = [
        "9007199254740992",
        "9007199254740993",
        "\"9007199254740993\"",
        "7",
        "\"007\"",
        "0",
        "\"0\"",
        "18446744073709551616",
        "1e3",
        "-0",
    ];
    let gold = [
        ("9007199254740993", false),
        ("9007199254740993", true),
        ("9007199254740993", true),
        ("\"007\"", false),
        ("\"007\"", true),
        ("0", true),
        ("0", true),
        ("18446744073709551616", true),
        ("1000", false),
        ("0", false),
    ];
    let mut script = "read -r line\nid=${line#*'\"id\":\"'}; id=${id%%'\"'*}\ncase \"$id\" in\n".to_owned();
    for (id, doc) in ids.iter().zip(returned) {
        script += &format!("{id}) echo '{{\"contexts\":[{{\"doc\":{doc},\"text\":\"t\"}}]}}';;\n");
    }
    script += "esac\n";
    let mut text = "version: 1\nsuite: s\nlanguage: en\ntarget: bot\nquestions:\n".to_owned();
    for (id, (doc, _)) in ids.iter().zip(gold) {
        text += &format!("  - {{ id: {id}, question: Which?, evidence: [{{ doc: {doc} }}] }}\n");
    }
    let mapped = "response = { contexts = \"$.contexts[*]\", context = { doc = \"$.doc\", text = \"$.text\" } }";
    for more in ["provides = [\"contexts\"]", mapped] {
        let folder = project(&format!("kind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\n{more}"), &ids);
        folder.write("suites/s.yaml", text.as_bytes());
        folder.write("bot.sh", script.as_bytes());
        run_with(&folder, &[], &["run"]).0.exits(1);
        let results = folder.results();
        for (id, (doc, hit)) in ids.iter().zip(gold) {
            let right = if hit { "pass" } else { "fail" };
            assert_eq!(outcome(&results[*id], "retrieval"), right, "{more}, {id} for {doc}: {}", results[*id]);
        }
    }
}

/// Lists side by side belong together by their places, or not at all.
#[test]
fn names_do_not_go_to_the_passages_of_others() {
    let server = Server::start(|seen| {
        let docs = match seen.json()["id"].as_str().unwrap() {
            "whole" => r#"["a.md", "b.md", "c.md"]"#,
            "fewer" => r#"["b.md", "c.md"]"#,
            "more" => r#"["b.md", "c.md", "a.md", "d.md"]"#,
            "none" => "[]",
            _ => r#"["a.md", null, "c.md"]"#,
        };
        let body = format!(r#"{{"answer": "09:00", "texts": ["shut", "opens at 09:00", "never"], "docs": {docs}}}"#);
        Script::json(200, &body)
    });
    let ids = ["whole", "fewer", "more", "none", "gap"];
    let mapping = "contexts = \"$\"\ncontext = { text = \"$.texts[*]\", doc = \"$.docs[*]\" }";
    let folder = project(&format!("{}\n{mapping}", http(&server.url("/"), "")), &ids);
    let text = suite(&ids).replace("    facts:", "    evidence: [{ doc: b.md }]\n    facts:");
    folder.write("suites/s.yaml", text.as_bytes());
    let (ran, _) = run_with(&folder, &[], &["run"]);
    assert_ne!(ran.exit, 0, "{}", ran.out);
    let results = folder.results();
    assert_eq!(outcome(&results["whole"], "retrieval"), "pass", "{}", results["whole"]);
    let journal = std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap();
    for line in binary_kit::lines(&journal).skip(1) {
        let passages = line["response"]["contexts"].as_array().unwrap();
        for p in passages {
            let right = match p["text"].as_str().unwrap() {
                "shut" => "a.md",
                "opens at 09:00" => "b.md",
                _ => "c.md",
            };
            assert!(p["doc"].is_null() || p["doc"] == right, "{line}");
        }
        assert_eq!(passages.len(), 3, "{line}");
    }
}

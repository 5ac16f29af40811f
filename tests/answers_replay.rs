//! Recordings that stand for a target: what is answered from them, what is not, and what is written.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, clippy::wildcard_enum_match_arm)]

mod answers_kit;
mod binary_kit;

use answers_kit::{FOUR, SHOP, calls, recorded, shop, suite};
use binary_kit::{Folder, lines, outcome};
use ragline::target::recorded::Recorded;
use ragline::target::{FailureKind, Reply, Request};
use serde_json::Value;
use std::collections::BTreeMap;

const FILE: &str = "recordings/shop.jsonl";

/// A project whose recording holds all four answers.
fn filled() -> Folder {
    let folder = shop(SHOP, &FOUR);
    folder.run(&["run", "--answers", "fill"]).exits(0);
    assert_eq!(calls(&folder), 4);
    folder
}

/// The sentence that says why a question is not measured, with its code.
fn why(results: &BTreeMap<String, Value>, id: &str) -> (String, String) {
    let finding = &results[id]["layers"]["facts"]["findings"][0];
    (finding["code"].as_str().unwrap().to_owned(), finding["message"].as_str().unwrap().to_owned())
}

#[test]
fn fill_asks_once_and_replay_never() {
    let folder = filled();
    let header = lines(&folder.read(FILE)).next().unwrap();
    assert_eq!(header["target"], "shop");
    assert_eq!(header["kind"], "responses");
    assert_eq!(header["subject"].as_str().unwrap().len(), 16);
    let ids: Vec<String> = recorded(&folder, FILE).iter().map(|r| r["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, ["q1", "q2", "q3", "q4"]);
    assert!(recorded(&folder, FILE).iter().all(|r| r["key"].is_string() && r["suite"] == "shop"));

    let before = folder.files();
    folder.run(&["run", "--answers", "replay"]).exits(0);
    folder.run(&["run", "--answers", "fill"]).exits(0);
    assert_eq!(calls(&folder), 0);
    assert_eq!(folder.files(), before, "nothing new, nothing written");
}

/// A miss is never a pass, names what is near, and nobody is called for it.
#[test]
fn a_question_without_a_recording_is_incomplete() {
    let folder = filled();
    let text = folder.read(FILE).replace("\"id\":\"q3\"", "\"id\":\"q03\"");
    let mut text: Vec<String> = text.lines().map(str::to_owned).collect();
    let q4 = text.iter_mut().find(|l| l.contains("\"id\":\"q4\"")).unwrap();
    *q4 = q4.replace("\"answer\":\"It takes seven days.\"", "\"answer\":null");
    folder.write(FILE, (text.join("\n") + "\n").as_bytes());

    let ran = folder.run(&["run", "--answers", "replay"]).exits(3);
    assert!(ran.err.contains("recording-unused") && ran.err.contains("q03"), "{}", ran.err);
    assert_eq!(calls(&folder), 0);
    let results = folder.results();
    assert_eq!(outcome(&results["q1"], "facts"), "pass");
    assert_eq!(outcome(&results["q2"], "facts"), "pass");
    assert_eq!(outcome(&results["q3"], "facts"), "unmeasured");
    let (code, said) = why(&results, "q3");
    assert_eq!(code, "response-missing");
    assert!(said.contains("no recording in recordings/shop.jsonl; nearest: q03"), "{said}");
    assert_eq!(outcome(&results["q4"], "facts"), "unmeasured");
    assert!(why(&results, "q4").1.contains("null"), "{:?}", why(&results, "q4"));
}

#[test]
fn an_edited_question_is_another_request() {
    let folder = filled();
    let edited = suite(&FOUR).replace("How long is two?", "How long is it, twice?");
    folder.write("suites/shop.yaml", edited.as_bytes());
    folder.run(&["run", "--answers", "replay"]).exits(3);
    let (code, said) = why(&folder.results(), "q2");
    assert_eq!(code, "response-missing");
    assert!(said.contains("recorded for another request"), "{said}");
    assert_eq!(calls(&folder), 0);
    // Only what changed is asked again, and its old answer is gone.
    folder.run(&["run", "--answers", "fill"]).exits(0);
    assert_eq!(calls(&folder), 1);
    assert_eq!(recorded(&folder, FILE).len(), 4);
}

#[test]
fn answers_of_another_subject_are_stale() {
    let settings = format!("{SHOP}watch = [\"prompts/**\"]\n");
    let folder = shop(&settings, &FOUR);
    folder.write("prompts/system.md", b"Be brief.");
    folder.run(&["run", "--answers", "fill"]).exits(0);
    let before = lines(&folder.read(FILE)).next().unwrap()["subject"].as_str().unwrap().to_owned();
    calls(&folder);

    folder.write("prompts/system.md", b"Be long.");
    folder.run(&["run", "--answers", "replay"]).exits(3);
    assert_eq!(calls(&folder), 0);
    let (code, said) = why(&folder.results(), "q1");
    assert_eq!(code, "response-stale");
    assert!(said.contains(&format!("recorded from subject {}…, the target is now", &before[..7])), "{said}");

    // Of a part that is asked again the rest keeps what gave it.
    folder.run(&["run", "--answers", "fill", "q1"]).exits(0);
    assert_eq!(calls(&folder), 1);
    let header = lines(&folder.read(FILE)).next().unwrap();
    assert_ne!(header["subject"], before.as_str());
    let subjects: Vec<Value> = recorded(&folder, FILE).iter().map(|r| r["subject"].clone()).collect();
    assert_eq!(subjects, [Value::Null, before.as_str().into(), before.as_str().into(), before.as_str().into()]);
    folder.run(&["run", "--answers", "replay", "q1"]).exits(0);
    folder.run(&["run", "--answers", "replay", "q2"]).exits(3);
}

/// A file that does not say what gave its answers proves nothing of the system of today.
#[test]
fn answers_of_a_subject_that_nobody_noted_are_stale() {
    let folder = filled();
    let rest = folder.read(FILE).lines().skip(1).map(|l| format!("{l}\n")).collect::<String>();
    folder.write(FILE, format!("{{\"version\":1,\"kind\":\"responses\"}}\n{rest}").as_bytes());
    folder.run(&["run", "--answers", "replay"]).exits(3);
    let (code, said) = why(&folder.results(), "q1");
    assert_eq!(code, "response-stale");
    assert!(said.contains("nobody noted"), "{said}");
    // And completing the file for one question does not make the others fresh.
    calls(&folder);
    folder.run(&["run", "--answers", "fill", "q1"]).exits(0);
    folder.run(&["run", "--answers", "replay", "q1"]).exits(0);
    folder.run(&["run", "--answers", "replay", "q2"]).exits(3);
    assert_eq!(calls(&folder), 1);
}

#[test]
fn failures_are_never_recorded() {
    let folder = shop(SHOP, &[("q1", "How long is one?"), ("q2", "Which one fails?")]);
    folder.run(&["run", "--answers", "fill"]).exits(3);
    let ids: Vec<Value> = recorded(&folder, FILE).iter().map(|r| r["id"].clone()).collect();
    assert_eq!(ids, ["q1"]);
    calls(&folder);
    folder.run(&["run", "--answers", "fill"]).exits(3);
    assert!(calls(&folder) >= 1, "the failure is asked again");
}

#[test]
fn what_others_recorded_stays() {
    let folder = filled();
    let mut text = folder.read(FILE);
    text += "{\"id\":\"x\",\"suite\":\"other\",\"answer\":\"kept\"}\n";
    folder.write(FILE, text.as_bytes());
    folder.write("suites/shop.yaml", suite(&[FOUR[0], ("q9", "How long is nine?")]).as_bytes());
    folder.run(&["run", "--answers", "fill"]).exits(0);
    assert_eq!(calls(&folder), 1);
    let ids: Vec<Value> = recorded(&folder, FILE).iter().map(|r| r["id"].clone()).collect();
    assert_eq!(ids, ["x", "q1", "q2", "q3", "q4", "q9"], "by suite, then id");
}

#[test]
fn a_missing_recording_names_the_way_to_one() {
    let folder = shop(SHOP, &FOUR);
    folder.run(&["run", "--answers", "replay"]).exits(2).says(&["recording-missing", FILE, "--answers fill"]);
    assert_eq!(calls(&folder), 0);
}

#[test]
fn any_run_can_be_saved_and_judged_again() {
    let folder = shop(SHOP, &FOUR);
    folder.run(&["run", "--save-answers", "saved/a.jsonl"]).exits(0);
    assert_eq!(calls(&folder), 4);
    let live = folder.read(".ragline/runs/latest");
    folder.run(&["run", "--answers", "saved/a.jsonl"]).exits(0);
    assert_eq!(calls(&folder), 0);
    assert_ne!(folder.read(".ragline/runs/latest"), live);
    // As the recording of the target it answers every question.
    let saved = folder.read("saved/a.jsonl");
    folder.write(FILE, saved.as_bytes());
    folder.run(&["run", "--answers", "replay", "--save-answers", "saved/b.jsonl"]).exits(0);
    assert_eq!(calls(&folder), 0);
    assert_eq!(folder.read("saved/b.jsonl"), saved);
}

#[test]
fn an_unwritable_recording_is_said_and_the_verdict_stands() {
    let folder = shop(SHOP, &FOUR);
    folder.write("blocked", b"a file where a folder should be");
    folder.run(&["run", "--save-answers", "blocked/a.jsonl"]).exits(5).says(&["cannot save the answers"]);
}

#[test]
fn the_same_outcomes_with_one_worker_and_with_eight() {
    let many: Vec<(String, String)> = (0..40).map(|i| (format!("q{i}"), format!("How long is {i}?"))).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let mut seen: Option<String> = None;
    for at_once in ["1", "8"] {
        let folder = shop(&format!("{SHOP}concurrency = {at_once}\n"), &many);
        folder.run(&["run", "--answers", "fill"]).exits(0);
        // When a call came back and how long it took is no part of what it said.
        let mut recording = String::new();
        for mut line in lines(&folder.read(FILE)) {
            line.as_object_mut().unwrap().remove("latency_ms");
            recording += &format!("{line}\n");
        }
        for threads in ["1", "8"] {
            folder.run(&["run", "--answers", "replay", "--threads", threads, "--results", "r.jsonl"]).exits(0);
            let both = format!("{recording}{}", folder.read("r.jsonl"));
            assert_eq!(seen.get_or_insert_with(|| both.clone()), &both);
        }
    }
}

fn recording(text: &str) -> Result<Recorded, String> {
    let folder = Folder::with(&[("r.jsonl", text)]);
    Recorded::open_by_request("shop", &folder.path().join("r.jsonl"), "r.jsonl", None).map_err(|p| p.to_string())
}

fn answer(r: &Recorded, repeat: u32, key: &str) -> Result<String, String> {
    let request = Request { repeat, ..Request::new("shop", "q1", "?") };
    match r.answer(request, Some(key), Some("s")) {
        Reply::Line { bytes, .. } => {
            Ok(serde_json::from_slice::<Value>(&bytes).unwrap()["answer"].as_str().unwrap().to_owned())
        }
        Reply::Missing(why) => Err(why),
        Reply::Failed(f) => Err(f.why),
        Reply::Response(_) => panic!("a recording gives lines"),
    }
}

/// Repeat i gets entry i, whoever asks first; what goes beyond is missing.
#[test]
fn repeats_of_one_request_are_a_list() {
    let text = "{\"version\":1,\"kind\":\"responses\",\"subject\":\"s\"}\n\
                {\"id\":\"q1\",\"repeat\":1,\"key\":\"K\",\"answer\":\"b\"}\n\
                {\"id\":\"q1\",\"key\":\"K\",\"answer\":\"a\"}\n\
                {\"id\":\"q1\",\"key\":\"L\",\"answer\":\"c\"}\n";
    let r = recording(text).unwrap();
    for workers in [1, 8] {
        std::thread::scope(|s| {
            for _ in 0..workers {
                s.spawn(|| {
                    for _ in 0..50 {
                        assert_eq!(answer(&r, 1, "K").as_deref(), Ok("b"));
                        assert_eq!(answer(&r, 0, "K").as_deref(), Ok("a"));
                        assert_eq!(answer(&r, 0, "L").as_deref(), Ok("c"));
                        let third = answer(&r, 2, "K").unwrap_err();
                        assert!(third.contains("only 2 recordings"), "{third}");
                    }
                });
            }
        });
    }
    assert!(answer(&r, 0, "M").unwrap_err().contains("another request"));
}

#[test]
fn two_answers_to_one_request_are_an_error_with_both_lines() {
    let line = |key: &str, answer: &str| format!("{{\"id\":\"q1\"{key},\"answer\":\"{answer}\"}}\n");
    let with_key = recording(&(line(",\"key\":\"K\"", "x") + &line(",\"key\":\"K\"", "y"))).unwrap_err();
    assert!(with_key.contains("r.jsonl:2") && with_key.contains("line 1"), "{with_key}");
    let without = recording(&(line("", "x") + &line("", "y"))).unwrap_err();
    assert!(without.contains("r.jsonl:2") && without.contains("line 1"), "{without}");
    assert!(recording(&(line(",\"key\":\"K\"", "x") + &line(",\"key\":\"L\"", "y"))).is_ok());
}

#[test]
fn the_reason_of_a_stale_answer_has_a_kind() {
    let r = recording(
        "{\"version\":1,\"kind\":\"responses\",\"subject\":\"prompt 14\"}\n{\"id\":\"q1\",\"answer\":\"a\"}\n",
    );
    match r.unwrap().answer(Request::new("shop", "q1", "?"), None, Some("93fe00112233aabb")) {
        Reply::Failed(f) => {
            assert_eq!(f.kind, FailureKind::Stale);
            assert!(f.why.starts_with("recorded from subject prompt 14, the target is now 93fe001…"), "{}", f.why);
        }
        other => panic!("{other:?}"),
    }
}

/// What was answered before a run was broken off was paid for.
#[cfg(unix)]
#[test]
fn a_run_that_is_broken_off_keeps_what_it_has() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let settings = format!("{SHOP}concurrency = 1\n").replace("\"10s\"", "\"60s\"");
    let folder = shop(&settings, &[FOUR[0], ("q2", "Which one is slow?")]);
    let bot = answers_kit::BOT.replace("  *fails*)", "  *slow*) touch waiting; exec sleep 30 ;;\n  *fails*)");
    folder.write("bot.sh", bot.as_bytes());
    let mut child = Command::new(env!("CARGO_BIN_EXE_ragline"))
        .current_dir(folder.path())
        .args(["run", "--answers", "fill", "--save-answers", "saved.jsonl"])
        .env_remove("CI")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !folder.path().join("waiting").exists() && began.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended = child.wait().unwrap();
    assert_ne!(ended.code(), Some(0));
    assert!(began.elapsed() < Duration::from_secs(25), "it ends when it is told to");
    for file in [FILE, "saved.jsonl"] {
        let ids: Vec<Value> = recorded(&folder, file).iter().map(|r| r["id"].clone()).collect();
        assert_eq!(ids, ["q1"], "{file}");
    }
}

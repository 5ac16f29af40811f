//! 1,190 questions of XQuAD through the real binary: nothing leaves a denominator in silence.
//!
//! The data is not part of this project: RAGLINE_DATA names the folder that holds `a_xquad/xquad.LANG.json`
//! (google-deepmind/xquad). Two languages by default, all four with RAGLINE_ALL=1 or a release build.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;
mod data_kit;

use binary_kit::{Folder, lines, outcome, ragline};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The questions of the set, in each language.
const QUESTIONS: usize = 1190;

/// One language from the import to a recording with holes.
fn language(data: &Path, lang: &str) {
    let folder = Folder::new();
    let file = data.join(format!("xquad.{lang}.json"));
    let import = ["import", "squad", file.to_str().unwrap(), "--out", ".", "--suite", "set", "--language", lang];
    folder.run(&[&import[..], &["--top-k", "3"]].concat()).exits(0);

    folder.run(&["run"]).exits(2).shows(&["no baseline yet", "ragline accept --first"]);
    let first = folder.results();
    let measured = first.values().filter(|r| matches!(outcome(r, "retrieval"), "pass" | "fail")).count();
    assert_eq!((first.len(), measured), (QUESTIONS, QUESTIONS), "{lang}");
    // BM25 that sees the words of a language ranks the right one of 240 paragraphs among the first three; with broken
    // words it would be near a random ranking's 1 %.
    let found = first.values().filter(|r| outcome(r, "retrieval") == "pass").count();
    assert!(found * 100 >= QUESTIONS * 90, "{lang}: {found} of {QUESTIONS} within the first 3");

    folder.run(&["accept", "--first", "--reason", "BM25 as it is"]).exits(0);
    let again = folder.run(&["run"]).exits(0);
    assert!(again.out.contains(&format!("/{QUESTIONS}")), "{}", again.out);
    let changes: BTreeSet<_> = folder.results().values().map(|r| r["change"].as_str().unwrap().to_owned()).collect();
    assert!(changes.iter().all(|c| matches!(c.as_str(), "unchanged" | "still_failing")), "{lang}: {changes:?}");

    // A recording in which every twentieth response is missing.
    let whole = folder.read("suites/set.accepted.jsonl");
    let (mut kept, mut gone) = (String::new(), BTreeSet::new());
    for (n, line) in whole.lines().enumerate() {
        if n % 20 == 7 {
            gone.insert(lines(line).next().unwrap()["id"].as_str().unwrap().to_owned());
        } else {
            kept += line;
            kept.push('\n');
        }
    }
    assert_eq!(gone.len(), QUESTIONS.div_ceil(20), "5 %");
    folder.write("holes.jsonl", kept.as_bytes());
    let holes = folder.run(&["run", "--answers", "holes.jsonl"]).exits(3);
    let results = folder.results();
    assert_eq!(results.len(), QUESTIONS, "{lang}");
    let unmeasured: BTreeSet<String> =
        results.iter().filter(|(_, r)| r["outcome"] == "unmeasured").map(|(id, _)| id.clone()).collect();
    assert_eq!(unmeasured, gone, "{lang}");
    for (id, r) in &results {
        let was = if gone.contains(id) { "unmeasured" } else { outcome(&first[id], "retrieval") };
        assert_eq!(outcome(r, "retrieval"), was, "{lang}: {id}");
    }
    // The mean says over how many it is taken, and how many are not in it.
    let retrieval = holes.out.lines().find(|l| l.starts_with("retrieval ")).unwrap();
    assert!(retrieval.contains(&format!("/{}", QUESTIONS - gone.len())), "{retrieval}");
    assert!(holes.out.contains(&format!("{} unmeasured", gone.len())), "{}", holes.out);
}

#[test]
fn every_question_is_measured_and_holes_in_a_recording_are_told() {
    let Some(data) = data_kit::folder("a_xquad") else { return };
    let all = std::env::var_os("RAGLINE_ALL").is_some_and(|v| v == "1") || !cfg!(debug_assertions);
    let languages: &[&str] = if all { &["vi", "th", "zh", "en"] } else { &["th", "en"] };
    for lang in languages {
        language(&data, lang);
    }
}

/// The same outcomes whatever the number of threads.
#[test]
fn threads_change_nothing() {
    let Some(data) = data_kit::folder("a_xquad") else { return };
    let folder = Folder::new();
    let file = data.join("xquad.vi.json");
    folder
        .run(&["import", "squad", file.to_str().unwrap(), "--out", ".", "--suite", "set", "--language", "vi"])
        .exits(0);
    let runs: BTreeMap<&str, String> = ["1", "2", "8"]
        .into_iter()
        .map(|n| {
            ragline(folder.path(), &["run", "--threads", n, "--results", "out.jsonl"]).exits(2);
            (n, folder.read("out.jsonl"))
        })
        .collect();
    assert!(runs["1"] == runs["2"] && runs["1"] == runs["8"]);
}

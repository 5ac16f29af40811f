//! Shards that are merged are the run that one process would have made, byte for byte.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod shard_kit;

use binary_kit::{Folder, lines};
use serde_json::json;
use shard_kit::project::{Project, RAGLINE, same, small};
use shard_kit::{Shards, checkout, run, said};

#[test]
fn a_thousand_questions_in_seven_processes_are_one_run() {
    let project = Project::new(1000).accepted().broken().policy(
        "max_regressed = 3\n[suite.shop]\n\"facts.rate\" = { min = 0.9 }\n\"retrieval.hit@3\" = { min = 0.99, bound = \"lower\" }\n",
    );
    let single = project.single(&[]);
    assert_eq!(single.exit, 1, "{}", single.terminal);
    for word in ["unchanged", "regressed", "unmeasured", "removed", "edited", "draft"] {
        assert!(single.results.contains(&format!("\"change\":\"{word}\"")), "no {word}");
    }
    let shards = Shards::plain(&project.folder, 7);
    let merged = said(&shards.merging, &["merge", "artefacts"]);
    same(&single, &merged);
    // What the folder of the run holds is the same as well, but for its id, and for answers in another order.
    let of = |folder: &Folder, name: &str| std::fs::read_to_string(folder.last_run().join(name)).unwrap();
    let alone = checkout(&project.folder);
    run(&alone, &["run", "--today", "2026-12-01"], &[]).exits(1);
    let id = |folder: &Folder| folder.last_run().file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(
        of(&alone, "run.json"),
        of(&shards.merging, "run.json").replace(&id(&shards.merging), &id(&alone)),
        "the records"
    );
    let answers = |folder: &Folder| {
        let text = of(folder, "journal.jsonl");
        lines(&text)
            .skip(1)
            .map(|l| (l["suite"].to_string() + &l["id"].to_string(), l["response"].clone()))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    assert_eq!(answers(&alone), answers(&shards.merging));
}

/// Each exit code that a run can have, from shards that all end with 0.
#[test]
fn the_merge_ends_as_the_single_run_does() {
    for (project, exit) in [
        (Project::new(40).accepted(), 0),
        (Project::new(40).accepted().broken(), 1),
        (Project::new(40).accepted().broken().policy("max_regressed = 99\nmax_unmeasured = 0\nstale = \"warn\"\n"), 1),
        (Project::new(40), 2),
        (Project::new(40).broken().policy("baseline = \"none\"\nmax_regressed = 99\n"), 3),
        (Project::new(40).accepted().broken().policy("mode = \"advisory\"\n"), 0),
    ] {
        let single = project.single(&[]);
        assert_eq!(single.exit, exit, "{}", single.terminal);
        let shards = Shards::plain(&project.folder, 3);
        same(&single, &said(&shards.merging, &["merge", "artefacts"]));
    }
    // Nothing is wrong but that not all was measured.
    let project = Project::new(40).accepted();
    let answers = project.folder.read("answers.jsonl");
    project.folder.write("answers.jsonl", answers.split_once('\n').unwrap().1.as_bytes());
    let single = project.single(&[]);
    assert_eq!(single.exit, 3, "{}", single.terminal);
    same(&single, &said(&Shards::plain(&project.folder, 3).merging, &["merge", "artefacts"]));
}

/// The words of a run are those of its shards; they are repeated in what the reports tell the reader to type.
#[test]
fn words_of_the_command_come_through() {
    let project = Project::new(40).accepted().broken();
    for words in [
        &["shop"][..],
        &["--target", "other"],
        &["--answers", "other.jsonl"],
        &["--profile", "some"],
        &["tag:t1", "shop::q0003"],
    ] {
        let single = project.single(words);
        let shards = Shards::run(&project.folder, 3, &|_| {
            ["--today", "2026-12-01"].iter().chain(words).map(|w| (*w).to_owned()).collect()
        });
        // The file of answers need not be where the shards are merged.
        let _ = std::fs::remove_file(shards.merging.path().join("other.jsonl"));
        same(&single, &said(&shards.merging, &["merge", "artefacts"]));
    }
}

/// A fact that stands in what is masked is found by the shard alone: what it found is merged, and no file holds the number.
#[test]
fn what_is_masked_is_not_judged_again() {
    let folder = Folder::with(&[
        ("ragline.toml", RAGLINE),
        ("thresholds.toml", "version = 1\nbaseline = \"none\"\n"),
        (
            "suites/help.yaml",
            "version: 1\nlanguage: en\ntarget: answers\nquestions:\n  \
             - id: courier\n    question: Whom do I call?\n    facts: [\"0912 345 678\"]\n    evidence: [{ doc: people.md }]\n  \
             - id: night\n    question: Whom do I call at night?\n    facts: [\"0912 345 678\"]\n",
        ),
    ]);
    let passage = json!({"doc": "people.md", "text": "Lan answers at 0912 345 678 for 7 days."});
    let answers = [
        json!({"id": "courier", "answer": "Call 0912 345 678 within 7 days, not 12345.", "contexts": [passage]}),
        json!({"id": "night", "answer": "Call 0987 654 321.", "contexts": [passage]}),
    ];
    folder.write("answers.jsonl", answers.map(|a| a.to_string()).join("\n").as_bytes());
    let project = Project { folder };
    let single = project.single(&[]);
    let courier = lines(&single.results).find(|l| l["id"] == "courier").unwrap();
    assert_eq!(courier["layers"]["facts"]["outcome"], "pass", "the check saw the number");
    let shards = Shards::plain(&project.folder, 2);
    for n in [1, 2] {
        let journal = std::fs::read_to_string(shards.path(n, "journal.jsonl")).unwrap();
        assert!(!journal.contains("345 678") && !journal.contains("0987"), "{journal}");
    }
    same(&single, &said(&shards.merging, &["merge", "artefacts"]));
}

#[test]
fn a_shard_decides_nothing_and_says_so() {
    let project = Project::new(1000).accepted().broken();
    let folder = checkout(&project.folder);
    let one = said(&folder, &["run", "--shard", "2/7", "--today", "2026-12-01"]);
    assert_eq!(one.exit, 0);
    let asked = one.results.lines().count() - 1;
    let line = format!("shard 2 of 7: {asked} of 999 questions; merge decides");
    assert!(one.terminal.starts_with(&line), "{}", one.terminal);
    assert_eq!(one.markdown, format!("### ragline {line}\n"));
    assert!((100..190).contains(&asked), "{asked}");
    let head = lines(&one.results).next().unwrap();
    assert_eq!((&head["shard"], &head["partial"]["selected"]), (&json!("2/7"), &json!(asked)));
    for line in lines(&one.results).skip(1) {
        let verdict = line["verdict"].as_str().unwrap();
        assert!(matches!(verdict, "passed" | "skipped"), "{line}");
        if line["change"] == "regressed" {
            assert_eq!(line["why"], "shard 2 of 7: regressed; the merge decides");
        }
    }
    assert!(one.results.contains("\"change\":\"regressed\""));
    assert!(!one.junit.contains("<failure") && !one.junit.contains("<error"), "{}", one.junit);
    assert!(one.junit.contains("the merge decides"), "{}", one.junit);
    // Neither this run nor its tests can be taken for the whole.
    run(&folder, &["accept", "all", "--reason", "x"], &[]).exits(2).says(&["error[run-shard]", "ragline merge"]);
    run(&folder, &["durations"], &[]).exits(2).says(&["error[run-shard]"]);
    assert_eq!(folder.files(), checkout_with(&project.folder, &folder), "nothing of it was accepted");
    assert!(!folder.last_run().join("proposed").exists());
}

/// The files of a project, as they would lie in another folder, with the reports that lie there.
fn checkout_with(project: &Folder, there: &Folder) -> std::collections::BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut files: std::collections::BTreeMap<_, _> = project
        .files()
        .into_iter()
        .map(|(path, bytes)| (there.path().join(path.strip_prefix(project.path()).unwrap()), bytes))
        .collect();
    for report in ["r.jsonl", "j.xml", "m.md"] {
        files.insert(there.path().join(report), std::fs::read(there.path().join(report)).unwrap());
    }
    files
}

#[test]
fn a_merged_run_is_accepted_like_any_other() {
    let project = Project::new(40);
    let alone = checkout(&project.folder);
    run(&alone, &["run"], &[]).exits(2);
    run(&alone, &["accept", "--first", "--reason", "as it is"], &[]).exits(0);
    let shards = Shards::plain(&project.folder, 5);
    shards.merge().exits(2);
    assert!(shards.merging.last_run().join("proposed/shop.baseline.toml").is_file());
    run(&shards.merging, &["accept", "--first", "--reason", "as it is"], &[]).exits(0);
    for name in ["shop.baseline.toml", "desk.baseline.toml", "shop.accepted.jsonl", "desk.accepted.jsonl"] {
        let of = |folder: &Folder| folder.read(&format!("suites/{name}"));
        assert_eq!(of(&alone), of(&shards.merging), "{name}");
    }
}

#[test]
fn more_shards_than_questions_leave_some_empty() {
    let project = Project::new(4).accepted();
    let single = project.single(&[]);
    let shards = Shards::plain(&project.folder, 9);
    let empty =
        (1..=9).filter(|n| std::fs::read_to_string(shards.path(*n, "results.jsonl")).unwrap().lines().count() == 1);
    assert!(empty.count() >= 5);
    same(&single, &said(&shards.merging, &["merge", "artefacts"]));
    let folder = checkout(&project.folder);
    let nothing =
        (1..=9).map(|n| run(&folder, &["run", "--shard", &format!("{n}/9")], &[])).find(|r| r.out.contains(": 0 of"));
    nothing.unwrap().exits(0).shows(&["0 of 4 questions; merge decides", "nothing falls into this share"]);
    // Where nothing at all is selected there is nothing to share.
    run(&folder, &["run", "--shard", "1/9", "nowhere*"], &[]).exits(4);
}

#[test]
fn numbers_that_are_no_shard_are_refused_before_anything_is_asked() {
    let project = small();
    for (word, said) in
        [("0/7", "count from 1"), ("8/7", "no shard 8 of 7"), ("1/0", "there are no shards"), ("two", "such as 2/7")]
    {
        run(&project.folder, &["run", "--shard", word], &[]).exits(2).says(&["error[shard]", said]);
    }
    run(&project.folder, &["run", "--shard", "auto"], &[]).exits(2).says(&["nothing says which job this is"]);
    run(&project.folder, &["run", "--durations", "x"], &[]).exits(2);
    assert_eq!(project.folder.runs().len(), 0);
    // An engine says it, or the variable that stands for the flag.
    let gitlab = [("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "3")];
    run(&project.folder, &["run", "--shard", "auto"], &gitlab).exits(0).shows(&["shard 2 of 3"]);
    let circle = [("CIRCLE_NODE_INDEX", "2"), ("CIRCLE_NODE_TOTAL", "3"), ("RAGLINE_SHARD", "auto")];
    run(&project.folder, &["run"], &circle).exits(0).shows(&["shard 3 of 3"]);
}

#[test]
fn a_question_keeps_its_shard_when_others_come_and_go() {
    let project = Project::new(200);
    let shares = |project: &Folder| {
        let shards = Shards::plain(project, 4);
        let mut at = std::collections::BTreeMap::new();
        for n in 1..=4 {
            let text = std::fs::read_to_string(shards.path(n, "results.jsonl")).unwrap();
            for l in lines(&text).skip(1) {
                at.insert((l["suite"].to_string(), l["id"].to_string()), n);
            }
        }
        at
    };
    let before = shares(&project.folder);
    let suite = project.folder.read("suites/shop.yaml");
    let at = suite.find("  - id: q0100\n").unwrap();
    let suite = format!(
        "{}  - id: new\n    question: Is it new?\n    facts: [new]\n{}",
        suite.split_at(at).0,
        suite.split_at(at).1
    );
    project.folder.write("suites/shop.yaml", suite.replace("  - id: q0007\n", "  - id: q-7\n").as_bytes());
    let after = shares(&project.folder);
    assert_eq!(after.len(), before.len() + 1);
    let moved = before.iter().filter(|(q, n)| after.get(*q).is_some_and(|now| now != *n)).count();
    assert_eq!(moved, 0);
}

#[test]
fn durations_balance_the_shards() {
    let project = small();
    let folder = checkout(&project.folder);
    run(&folder, &["run"], &[]).exits(0);
    run(&folder, &["durations", "--out", "d.toml"], &[]).exits(0).says(&["wrote d.toml: 24 questions"]);
    // One question takes as long as all others together.
    let mut text = "version = 1\n[suite.shop]\nq0000 = 2300\n".to_owned();
    (1..18).for_each(|i| text += &format!("q{i:04} = 100\n"));
    // Those of the other suite are not known, and count as the median: 100.
    project.folder.write("durations.toml", text.as_bytes());
    let words = |_| ["--today", "2026-12-01", "--durations", "durations.toml"].map(str::to_owned).to_vec();
    let shards = Shards::run(&project.folder, 2, &words);
    let count = |n| std::fs::read_to_string(shards.path(n, "results.jsonl")).unwrap().lines().count() - 1;
    assert_eq!((count(1), count(2)), (1, 23));
    same(&project.single(&[]), &said(&shards.merging, &["merge", "artefacts"]));
    // A shard with another file, or without one, is of another division.
    for (other, why) in [(Some("other.toml"), "balanced by file"), (None, "balanced by no file")] {
        project.folder.write("other.toml", text.replace("2300", "2400").as_bytes());
        let words = |n: usize| {
            let mut words = vec!["--today".to_owned(), "2026-12-01".into()];
            let file = if n == 3 { other } else { Some("durations.toml") };
            words.extend(file.into_iter().flat_map(|f| ["--durations".to_owned(), f.to_owned()]));
            words
        };
        Shards::run(&project.folder, 3, &words).refused("shard-durations", &["shard 3 of 3", why, "--durations FILE"]);
    }
    run(&project.folder, &["run", "--shard", "1/2", "--durations", "suites/shop.yaml"], &[])
        .exits(2)
        .says(&["error[durations]", "suites/shop.yaml"]);
}

#[test]
fn the_merged_run_goes_where_it_is_told() {
    let project = small();
    let shards = Shards::plain(&project.folder, 2);
    run(&shards.merging, &["merge", "artefacts", "--out", "whole", "--save-answers", "all.jsonl"], &[]).exits(0);
    assert!(shards.merging.path().join("whole/results.jsonl").is_file());
    assert!(!shards.merging.path().join(".ragline/runs/latest").exists());
    assert_eq!(shards.merging.read("all.jsonl").lines().count(), 25);
    run(&shards.merging, &["merge", "artefacts", "--out", "whole"], &[]).exits(2).says(&["error[merge-out]"]);
    run(&shards.merging, &["merge", "artefacts", "--junit", "docs"], &[]).exits(5);
}

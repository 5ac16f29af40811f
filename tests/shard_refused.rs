//! Each way to lose, double or mix up a shard is refused, with its own message.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod shard_kit;

use binary_kit::Folder;
use shard_kit::project::{same, small};
use shard_kit::{Shards, checkout, run, said};

#[test]
fn a_shard_that_is_missing_or_there_twice_is_refused() {
    let project = small();
    let shards = Shards::plain(&project.folder, 5);
    let away = shards.merging.path().join("away");
    std::fs::rename(shards.path(3, ""), &away).unwrap();
    shards.refused("shard-missing", &["shard 3 of 5 is missing", "run it"]);
    std::fs::remove_dir_all(shards.path(5, "")).unwrap();
    shards.refused("shard-missing", &["shards 3, 5 of 5 are missing"]);
    let shards = Shards::plain(&project.folder, 5);
    shard_kit::copy_into(&shards.path(2, ""), &shards.merging.path().join("artefacts/again"));
    shards.refused("shard-doubled", &["shard 2 of 5 is there twice", "artefacts/2", "artefacts/again"]);
    // A copy in place of another shard: one is there twice, and one is missing.
    std::fs::remove_dir_all(shards.path(4, "")).unwrap();
    shards.refused("shard-doubled", &["shard 2 of 5 is there twice", "shard 4 of 5 is missing"]);
    // The same folder by two words is one folder.
    let shards = Shards::plain(&project.folder, 2);
    run(&shards.merging, &["merge", "artefacts", "artefacts/1", "./artefacts/2"], &[]).exits(0);
    // Nothing to merge.
    run(&shards.merging, &["merge", "docs"], &[]).exits(2).says(&["error[no-shards]"]);
    run(&shards.merging, &["merge", "gone"], &[]).exits(2).says(&["error[no-run]"]);
    run(&shards.merging, &["merge", ".ragline/runs"], &[]).exits(2).says(&["error[no-shards]"]);
    let whole = shards.merging.last_run();
    run(&shards.merging, &["merge", whole.to_str().unwrap()], &[]).exits(2).says(&["error[not-a-shard]"]);
    run(&shards.merging, &["merge"], &[]).exits(2);
}

#[test]
fn a_question_in_two_shards_or_in_none_is_refused() {
    let project = small();
    let first = |shards: &Shards, n| {
        let record: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(shards.path(n, "run.json")).unwrap()).unwrap();
        record["shard"]["questions"]["shop"][0].as_str().unwrap().to_owned()
    };
    let shards = Shards::plain(&project.folder, 3);
    let id = first(&shards, 1);
    shards.edit(2, "run.json", |t| t.replacen("\"questions\":{\"desk\":[", "\"questions\":{\"desk\":[\"x\",", 1));
    shards.refused("shard-damaged", &["the shards together hold 7 of the 6 questions of `desk`"]);
    let shards = Shards::plain(&project.folder, 3);
    let other = first(&shards, 2);
    shards.edit(2, "run.json", |t| t.replace(&format!("\"{other}\",\"q"), &format!("\"{id}\",\"{other}\",\"q")));
    shards.refused("shard-doubled", &[&format!("shop::{id} is a question of both shard 1 of 3")]);
    let shards = Shards::plain(&project.folder, 3);
    shards.edit(2, "run.json", |t| t.replace(&format!("\"shop\":[\"{other}\","), "\"shop\":["));
    shards.refused("shard-damaged", &["the shards together hold 17 of the 18 questions of `shop`"]);
}

/// A shard that did not come to its end, and one whose files are not all there.
#[test]
fn half_a_shard_is_refused() {
    let project = small();
    let run_again = || Shards::plain(&project.folder, 3);
    let shards = run_again();
    std::fs::remove_file(shards.path(2, "run.json")).unwrap();
    shards.refused("shard-unfinished", &["shard 2/3 did not come to its end", "--resume=artefacts/2 --shard 2/3"]);
    let shards = run_again();
    shards.edit(2, "run.json", |t| t.replacen("\"shard\":", "\"interrupted\":true,\"shard\":", 1));
    shards.refused("shard-unfinished", &["shard 2/3 did not come to its end"]);
    let shards = run_again();
    shards.edit(2, "journal.jsonl", |t| t.split_at(t.len() - 20).0.to_owned());
    shards.refused("shard-damaged", &["shard 2 of 3", "cut off"]);
    let shards = run_again();
    shards.edit(2, "journal.jsonl", |t| {
        let mut lines: Vec<&str> = t.lines().collect();
        lines.remove(2);
        lines.join("\n") + "\n"
    });
    shards.refused("shard-damaged", &["shard 2 of 3", "lacks the answers to 1 of its", "questions: "]);
    let shards = run_again();
    shards.edit(2, "journal.jsonl", |t| t.replacen("{\"suite\"", "{suite", 1));
    shards.refused("shard-damaged", &["shard 2 of 3", "damaged"]);
    let shards = run_again();
    std::fs::copy(shards.path(1, "journal.jsonl"), shards.path(2, "journal.jsonl")).unwrap();
    shards.refused("shard-damaged", &["shard 2 of 3", "which it did not ask"]);
    let shards = run_again();
    std::fs::remove_file(shards.path(2, "journal.jsonl")).unwrap();
    shards.refused("shard-damaged", &["cannot read the journal of shard 2 of 3"]);
    let shards = run_again();
    shards.edit(2, "run.json", |t| t.split_at(t.len() / 2).0.to_owned());
    shards.refused("run-unreadable", &["artefacts/2/run.json"]);
    let shards = run_again();
    std::fs::remove_file(shards.path(2, "results.jsonl")).unwrap();
    let refused = shards.merge();
    assert_eq!(refused.exit, 2, "{}", refused.err);
}

type Edit = Box<dyn Fn(&Folder)>;

/// One of the checkouts differs in one thing: its shard is of another run.
#[test]
fn a_shard_of_another_run_is_refused() {
    let project = small();
    let replaced = |file: &'static str, from: &'static str, to: &'static str| {
        move |folder: &Folder| {
            let text = folder.read(file);
            let edited = text.replacen(from, to, 1);
            assert_ne!(text, edited, "{file}");
            folder.write(file, edited.as_bytes());
        }
    };
    let label = "{\"id\":\"q0001\",\"layer\":\"facts\",\"verdict\":\"fail\",\"because\":\"x\",\"answer\":\"y\"}\n";
    let edits: Vec<(Edit, &str)> = vec![
        (
            Box::new(replaced("suites/shop.yaml", "facts: [\"3 days\"]", "facts: [\"4 days\"]")),
            "what they expect was edited",
        ),
        (Box::new(replaced("suites/shop.yaml", "severity: critical", "severity: normal")), "suites/shop.yaml"),
        (
            Box::new(replaced(
                "suites/shop.baseline.toml",
                "numbers = \"pass\"",
                "numbers = \"fail\"\nreason = \"known\"",
            )),
            "suites/shop.baseline.toml",
        ),
        (Box::new(replaced("suites/shop.accepted.jsonl", "It lasts", "It lasted")), "suites/shop.accepted.jsonl"),
        (Box::new(move |f: &Folder| f.write("suites/shop.labels.jsonl", label.as_bytes())), "suites/shop.labels.jsonl"),
        (Box::new(replaced("docs/terms.md", "# Terms", "# Conditions")), "docs"),
        (Box::new(|f: &Folder| f.write("thresholds.toml", b"version = 1\nmax_regressed = 1\n")), "thresholds.toml"),
        (Box::new(replaced("ragline.toml", "mask = [\"phone\"]", "mask = [\"email\"]")), "[privacy] of ragline.toml"),
        (Box::new(replaced("answers.jsonl", "It lasts", "It will last")), "the tested system (subject)"),
        (Box::new(replaced("ragline.toml", "\"contexts\"]", "\"contexts\", \"citations\"]")), "asked another system"),
        (
            Box::new(|f: &Folder| {
                f.write(
                    "ragline.toml",
                    (f.read("ragline.toml") + "[refusal]\nphrases = [\"no way, sir\"]\n").as_bytes(),
                );
            }),
            "the measure",
        ),
    ];
    for (edit, said) in edits {
        let checkouts: Vec<Folder> = (0..4).map(|_| checkout(&project.folder)).collect();
        edit(&checkouts[2]);
        let words = |_| vec!["--today".to_owned(), "2026-12-01".into()];
        let shards = Shards::in_checkouts(&project.folder, &checkouts, &words);
        shards.refused("shard-foreign", &["shard 3 of 4", said]);
    }
    // The same by words.
    for (words, code, said) in [
        (&["--today", "2026-12-02"][..], "shard-foreign", "its day is 2026-12-01, this one's 2026-12-02"),
        (&["--today", "2026-12-01", "shop"], "shard-foreign", "this one does not"),
        (&["--today", "2026-12-01", "tag:t1"], "shard-foreign", "the number of selected questions"),
        (&["--today", "2026-12-01", "--profile", "some"], "shard-foreign", "other words"),
        (&["--today", "2026-12-01", "--target", "other"], "shard-foreign", "the target"),
        (&["--today", "2026-12-01", "--answers", "other.jsonl"], "shard-foreign", "the target"),
    ] {
        let words = |n: usize| {
            let words = if n == 3 { words } else { &["--today", "2026-12-01"] };
            words.iter().map(|w| (*w).to_owned()).collect()
        };
        Shards::run(&project.folder, 4, &words).refused(code, &["shard 3 of 4", said]);
    }
    // Of another number of shards, and by another version.
    let (four, five) = (Shards::plain(&project.folder, 4), Shards::plain(&project.folder, 5));
    std::fs::remove_dir_all(four.path(3, "")).unwrap();
    shard_kit::copy_into(&five.path(3, ""), &four.path(3, ""));
    four.refused("shard-count", &["shard 3 of 5", "divided otherwise"]);
    let shards = Shards::plain(&project.folder, 4);
    shards.edit(3, "run.json", |t| {
        t.replacen(&format!("\"ragline\":\"{}\"", ragline::VERSION), "\"ragline\":\"0.0.1\"", 1)
    });
    shards.refused("shard-foreign", &["shard 3 of 4", "ragline 0.0.1"]);
}

/// The shards agree, and the checkout in which they are merged is another commit.
#[test]
fn another_commit_cannot_merge_them() {
    let project = small();
    for (file, from, to) in [
        ("suites/shop.yaml", "facts: [\"3 days\"]", "facts: [\"4 days\"]"),
        ("suites/shop.baseline.toml", "numbers = \"pass\"", "numbers = \"fail\"\nreason = \"known\""),
        ("suites/shop.accepted.jsonl", "It lasts", "It lasted"),
        ("docs/terms.md", "# Terms", "# Conditions"),
    ] {
        let shards = Shards::plain(&project.folder, 2);
        let text = shards.merging.read(file);
        assert!(text.contains(from), "{file}");
        shards.merging.write(file, text.replacen(from, to, 1).as_bytes());
        let name = if file.starts_with("docs") { "docs" } else { file };
        shards.refused("merge-differs", &[name, "on the commit that the shards ran on"]);
    }
    let shards = Shards::plain(&project.folder, 2);
    shards.merging.write("thresholds.toml", b"version = 1\nmax_regressed = 1\n");
    shards.refused("merge-differs", &["thresholds.toml"]);
    let shards = Shards::plain(&project.folder, 2);
    std::fs::remove_file(shards.merging.path().join("suites/desk.yaml")).unwrap();
    shards.refused("merge-differs", &["suites/desk.yaml"]);
    // Another recording lies there, or none: the answers are those of the shards.
    let shards = Shards::plain(&project.folder, 2);
    std::fs::remove_file(shards.merging.path().join("answers.jsonl")).unwrap();
    same(&project.single(&[]), &said(&shards.merging, &["merge", "artefacts"]));
}

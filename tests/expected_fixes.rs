//! Fixes that a change was made for, by the real binary: the gate closes while one of them fails, and what got better
//! unplanned is no credit.
#![allow(clippy::unwrap_used, reason = "tests")]

mod binary_kit;

use binary_kit::Folder;
use serde_json::json;

const SUITE: &str = "version: 1
suite: shop
language: en
questions:
  - { id: a, question: How long may I return it?, facts: [7 days], evidence: [{ doc: r.md, span: within 7 days of delivery }], layers: { numbers: off, citation: off } }
  - { id: b, question: How long does a refund take?, facts: [30 days], evidence: [{ doc: r.md, span: paid back in 30 days }], layers: { numbers: off, citation: off } }
  - { id: c, question: Who pays the return?, facts: [the shop], evidence: [{ doc: r.md, span: the shop pays }], layers: { numbers: off, citation: off } }
";

const IDS: [&str; 3] = ["a", "b", "c"];

const WHOLE: [&str; 3] =
    ["Return it within 7 days of delivery.", "It is paid back in 30 days.", "For returns the shop pays."];

/// The answers of a run: what is said of each question, with the whole passage or with half of it.
fn answers(said: [(&str, bool); 3]) -> String {
    let line = |i: usize| {
        let (answer, whole) = said[i];
        let passage = if whole { WHOLE[i] } else { "Something else about returns." };
        json!({ "id": IDS[i], "answer": answer, "contexts": [{ "doc": "r.md", "text": passage }] })
    };
    (0..3).map(|i| format!("{}\n", line(i))).collect()
}

const RIGHT: [&str; 3] = ["Within 7 days.", "In 30 days.", "That is paid by the shop."];
const WRONG: &str = "That depends.";

/// A project in which a and b fail: a for a passage that is not whole, b with the right one.
fn project() -> Folder {
    let before = answers([(WRONG, false), (WRONG, true), (RIGHT[2], true)]);
    let folder =
        Folder::with(&[("suites/shop.yaml", SUITE), ("ragline.toml", "version = 1\n"), ("before.jsonl", &before)]);
    folder.run(&["run", "--answers", "before.jsonl"]).exits(2);
    folder.run(&["accept", "--first", "--reason", "known"]).exits(0);
    folder
}

fn run(folder: &Folder, said: [(&str, bool); 3], args: &[&str]) -> binary_kit::Ran {
    folder.write("now.jsonl", answers(said).as_bytes());
    folder.run(&[&["run", "--answers", "now.jsonl"], args].concat())
}

#[test]
fn a_named_fix_that_is_not_there_closes_the_gate() {
    let folder = project();
    folder.write("thresholds.toml", b"version = 1\nstale = \"warn\"\n");
    let mended = [(RIGHT[0], true), (WRONG, true), (RIGHT[2], true)];
    run(&folder, mended, &["--expect-fixed", "a"]).exits(0);
    run(&folder, mended, &["--expect-fixed", "a", "--expect-fixed", "b"])
        .exits(1)
        .shows(&["1 of 2 named fixes are there; not: b (known failure)"]);
    run(&folder, mended, &["--expect-fixed", "b"]).exits(1).shows(&["Unplanned: fixed without having been named: a."]);
    run(&folder, mended, &["--expect-fixed", "nobody"]).exits(2);
    run(&folder, mended, &[]).exits(0);
}

#[test]
fn a_fix_is_put_down_to_what_was_changed() {
    let folder = project();
    folder.write("thresholds.toml", b"version = 1\nstale = \"warn\"\n");
    // a got its passage; b is answered from the one that it had.
    let mended = [(RIGHT[0], true), (RIGHT[1], true), (RIGHT[2], true)];
    run(&folder, mended, &["--expect-fixed", "a", "--expect-by", "retrieval"]).exits(0);
    run(&folder, mended, &["--expect-fixed", "b", "--expect-by", "generation"]).exits(0);
    run(&folder, mended, &["--expect-fixed", "a", "--expect-by", "generation"])
        .exits(1)
        .shows(&["a (not attributable: its passages changed too)"]);
    let guessed = [(RIGHT[0], false), (WRONG, true), (RIGHT[2], true)];
    run(&folder, guessed, &["--expect-fixed", "a", "--expect-by", "retrieval"]).exits(1);
}

#[test]
fn a_file_names_them_for_everybody() {
    let folder = project();
    folder.write("expected.toml", b"version = 1\nfixed = [\"a\", \"b\"]\n");
    let mended = [(RIGHT[0], true), (WRONG, true), (RIGHT[2], true)];
    run(&folder, mended, &[]).exits(1).shows(&["1 of 2 named fixes are there", "expected.toml:1"]);
    folder.run(&["accept", "--only", "fixed"]).exits(0);
    // Once it is accepted it is there all the same.
    run(&folder, mended, &["--expect-fixed", "a"]).exits(0);
    for (wrong, line) in [
        ("fixed = [\"a\"]\n", 1),
        ("version = 1\nfixed = [\"a\"]\nby = \"luck\"\n", 1),
        ("version = 1\nfixd = []\n", 2),
    ] {
        folder.write("expected.toml", wrong.as_bytes());
        run(&folder, mended, &[]).exits(2).says(&["error[expected-file]", &format!("expected.toml:{line}")]);
    }
    folder.run(&["explain", "expected-file"]).exits(0);
}

#[test]
fn shards_carry_what_is_expected_to_their_merge() {
    let folder = project();
    folder.write("thresholds.toml", b"version = 1\nstale = \"warn\"\n");
    folder.write("now.jsonl", answers([(RIGHT[0], true), (WRONG, true), (RIGHT[2], true)]).as_bytes());
    let shards = |named: [&str; 2]| {
        [1, 2].map(|n| {
            let shard = format!("{n}/2");
            let words = ["run", "--answers", "now.jsonl", "--shard", &shard, "--today", "2026-12-01", "--expect-fixed"];
            folder.run(&[&words[..], &[named[n - 1]]].concat()).exits(0);
            folder.last_run().to_str().unwrap().to_owned()
        })
    };
    let [one, two] = shards(["b", "b"]);
    folder.run(&["merge", &one, &two]).exits(1).shows(&["0 of 1 named fixes are there; not: b (known failure)"]);
    let [one, two] = shards(["a", "a"]);
    folder.run(&["merge", &one, &two]).exits(0);
    // Shards that were given other words are of other runs.
    let [one, two] = shards(["a", "b"]);
    folder.run(&["merge", &one, &two]).exits(2).says(&["with other words"]);
}

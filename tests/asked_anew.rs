//! Questions that come out otherwise than accepted are asked anew, by the real binary, against programs whose every run is
//! written down: what is asked, what it is taken for, and what is accepted of it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod binary_kit;

use binary_kit::{Folder, Ran, lines};
use serde_json::Value;
use std::collections::BTreeMap;

/// Answers by a table: a line `ID RUNS`, where the n-th letter says how run n comes out, and the last one all that follow:
/// `1` as wanted, `0` wrong, `x` not at all.
const BOT: &str = r#"
read -r line
id=${line#*'"id":"'}; id=${id%%'"'*}
case "$line" in *'"repeat":'*) n=${line#*'"repeat":'}; n=${n%%[!0-9]*};; *) n=0;; esac
while read -r name runs; do
  if [ "$name" = "$id" ]; then
    while [ "$n" -gt 0 ] && [ ${#runs} -gt 1 ]; do runs=${runs#?}; n=$((n - 1)); done
    case "$runs" in
      1*) echo '{"answer":"You have thirty days."}';;
      0*) echo '{"answer":"You have no such right."}';;
      *) exit 3;;
    esac
    exit 0
  fi
done < "$1"
exit 4
"#;

fn target(name: &str, table: &str) -> String {
    format!(
        "[targets.{name}]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\", \"{table}\"]\nprovides = [\"answer\"]\nretries = 0\n"
    )
}

/// A project in which each of these questions was accepted as passing, after so many runs.
fn accepted(ids: &[&str], repeat: u32) -> Folder {
    let settings = format!("version = 1\n{}{}", target("bot", "now.txt"), target("old", "base.txt"));
    let folder = Folder::with(&[("ragline.toml", &settings), ("bot.sh", BOT)]);
    let mut suite = String::from("version: 1\nsuite: shop\nlanguage: en\ntarget: bot\nquestions:\n");
    for id in ids {
        suite += &format!(
            "  - id: {id}\n    question: {id}?\n    facts: [thirty days]\n    layers: {{ numbers: off, refusal: off }}\n"
        );
    }
    folder.write("suites/shop.yaml", suite.as_bytes());
    table(&folder, "now.txt", &ids.iter().map(|id| (*id, "1")).collect::<Vec<_>>());
    table(&folder, "base.txt", &ids.iter().map(|id| (*id, "1")).collect::<Vec<_>>());
    folder.run(&["run", "--repeat", &repeat.to_string()]).exits(2);
    folder.run(&["accept", "--first"]).exits(0);
    folder
}

fn table(folder: &Folder, name: &str, runs: &[(&str, &str)]) {
    let text: String = runs.iter().map(|(id, runs)| format!("{id} {runs}\n")).collect();
    folder.write(name, text.as_bytes());
}

/// How many times each question was asked in the last run, of what is tested and of the control arm.
fn asked(folder: &Folder) -> BTreeMap<String, (usize, usize)> {
    let journal = std::fs::read_to_string(folder.last_run().join("journal.jsonl")).unwrap();
    let mut asked: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for line in lines(&journal).skip(1) {
        let (tested, base) = asked.entry(line["id"].as_str().unwrap().to_owned()).or_default();
        *if line["beside"] == true { base } else { tested } += 1;
    }
    asked
}

fn run(folder: &Folder, now: &[(&str, &str)], args: &[&str]) -> (Ran, BTreeMap<String, Value>) {
    table(folder, "now.txt", now);
    let ran = folder.run(&[&["run"], args].concat());
    (ran, folder.results())
}

#[track_caller]
fn comes_to(results: &BTreeMap<String, Value>, id: &str, outcome: &str, change: &str) {
    let line = &results[id];
    assert_eq!((line["outcome"].as_str(), line["change"].as_str()), (Some(outcome), Some(change)), "{line}");
}

#[test]
fn what_comes_out_otherwise_by_chance_is_unchanged() {
    let folder = accepted(&["a", "b", "c"], 1);
    let (ran, results) = run(&folder, &[("a", "1"), ("b", "01"), ("c", "001111")], &[]);
    ran.exits(0);
    comes_to(&results, "a", "pass", "unchanged");
    comes_to(&results, "b", "pass", "unchanged");
    comes_to(&results, "c", "pass", "unchanged");
    // Four fresh passes are enough; a fresh fail takes more.
    let asked = asked(&folder);
    assert_eq!(asked["a"], (1, 0));
    assert_eq!(asked["b"], (1 + 4, 0));
    assert!(asked["c"].0 > asked["b"].0, "{asked:?}");
    assert_eq!(results["b"]["repeats"], serde_json::json!({ "first": "0/1", "fresh": "4/4", "shown": 1 }));
    assert!(results["b"]["note"].as_str().unwrap().contains("by chance"), "{}", results["b"]);
}

#[test]
fn what_fails_in_every_run_is_a_regression() {
    // Of twenty known runs two fresh fails are enough in a suite of two: (20/22)^20 (2/22)^2 = .00123, at .01 / 2 / 4 = .00125.
    // Of one it takes ten.
    for (known, fresh) in [(20, 2), (1, 10)] {
        let folder = accepted(&["a", "b"], known);
        let (ran, results) = run(&folder, &[("a", "1"), ("b", "0")], &[]);
        ran.exits(1).shows(&["regressed", &format!("asked anew, 0 of {fresh} runs passed")]);
        comes_to(&results, "b", "fail", "regressed");
        assert_eq!(asked(&folder)["b"], (1 + fresh, 0), "{known} runs known");
    }
}

#[test]
fn the_single_run_decides_where_nothing_is_asked_anew() {
    let folder = accepted(&["a"], 1);
    let (ran, results) = run(&folder, &[("a", "01")], &["--no-confirm"]);
    ran.exits(1);
    comes_to(&results, "a", "fail", "regressed");
    assert_eq!(asked(&folder)["a"], (1, 0));
}

#[test]
fn half_and_half_is_undecided_and_blocks_nothing() {
    let folder = accepted(&["a"], 1);
    let (ran, results) = run(&folder, &[("a", "001001010100101001010101010101010100")], &[]);
    ran.exits(0).shows(&["undecided"]);
    comes_to(&results, "a", "fail", "undecided");
}

#[test]
fn what_cannot_be_asked_anew_is_undecided() {
    let folder = accepted(&["a"], 1);
    let (_, results) = run(&folder, &[("a", "0x")], &[]);
    comes_to(&results, "a", "fail", "undecided");
    assert_eq!(asked(&folder)["a"], (31, 0));
}

#[test]
fn the_control_arm_tells_whose_fault_it_is() {
    let folder = accepted(&["a", "b"], 1);
    table(&folder, "base.txt", &[("a", "0"), ("b", "1")]);
    let (ran, results) = run(&folder, &[("a", "0"), ("b", "0")], &["--against", "old"]);
    ran.exits(1).shows(&["drifted", "not this branch"]);
    comes_to(&results, "a", "fail", "drifted");
    comes_to(&results, "b", "fail", "regressed");
    let asked = asked(&folder);
    for (id, (tested, base)) in &asked {
        assert_eq!(*tested, base + 1, "{id}: as many of each");
    }
    let repeats = &results["a"]["repeats"];
    assert!(repeats["base"].as_str().unwrap().starts_with("0/"), "{repeats}");
    // What the control arm said is nobody's answer.
    let shown = folder.run(&["show", "a"]).exits(0);
    assert!(shown.out.contains("no such right"), "{}", shown.out);
}

#[test]
fn a_fix_is_confirmed_before_it_must_be_accepted() {
    let folder = accepted(&["a", "b"], 1);
    run(&folder, &[("a", "0"), ("b", "0")], &[]);
    folder.run(&["accept", "all", "--reason", "index rebuild"]).exits(0);
    let (ran, results) = run(&folder, &[("a", "10"), ("b", "1")], &[]);
    ran.exits(1);
    comes_to(&results, "a", "fail", "still_failing");
    comes_to(&results, "b", "pass", "fixed");
}

#[test]
fn mixed_questions_of_a_first_run_are_flaky_at_once() {
    let ids = ["a", "b", "c"];
    let folder = accepted(&ids, 1);
    std::fs::remove_file(folder.path().join("suites/shop.baseline.toml")).unwrap();
    let (ran, _) = run(&folder, &[("a", "1"), ("b", "10110"), ("c", "0")], &["--repeat", "5"]);
    ran.exits(2);
    folder.run(&["accept", "--first", "--reason", "known"]).exits(0).shows(&["flaky, passes 3 of 5"]);
    let baseline = folder.read("suites/shop.baseline.toml");
    let block =
        |id: &str| baseline.split(&format!("[question.\"{id}\"]")).nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(block("a").contains("runs = 5") && !block("a").contains("flaky"), "{baseline}");
    assert!(block("b").contains("facts = \"3/5\"\n"), "{baseline}");
    assert!(block("b").contains("stability = \"flaky\"\nfloor = \"3/5\""), "{baseline}");
    // It fails in the same layer each time, so all five runs came out alike.
    assert!(block("c").contains("facts = \"fail\"") && block("c").contains("runs = 5"), "{baseline}");
    // Known to pass at times: nothing that happens by chance is held against it, and nothing is asked for it.
    let (ran, results) = run(&folder, &[("a", "1"), ("b", "0"), ("c", "0")], &[]);
    ran.exits(0);
    comes_to(&results, "b", "fail", "flaky");
    comes_to(&results, "c", "fail", "still_failing");
    assert!(asked(&folder).values().all(|n| *n == (1, 0)), "{:?}", asked(&folder));
}

#[test]
fn a_flaky_question_surely_below_its_floor_is_a_regression() {
    let folder = accepted(&["a", "b"], 1);
    let (floor, never) = ("18/20", "0");
    folder.run(&["accept", "a", "--flaky", "--floor", floor, "--reason", "the model"]).exits(0);
    let (ran, results) = run(&folder, &[("a", never), ("b", "1")], &[]);
    ran.exits(1);
    comes_to(&results, "a", "fail", "regressed");
    assert!(results["a"]["note"].as_str().unwrap().contains("accepted: 18 of 20"), "{}", results["a"]);
}

#[test]
fn a_run_that_is_resumed_asks_the_rest_and_decides_the_same() {
    let folder = accepted(&["a", "b"], 1);
    let (_, whole) = run(&folder, &[("a", "1"), ("b", "0")], &[]);
    let last = folder.last_run();
    let journal = std::fs::read_to_string(last.join("journal.jsonl")).unwrap();
    // The run ends in the middle of what is asked anew.
    let cut: String = journal.split_inclusive('\n').take(6).collect();
    std::fs::write(last.join("journal.jsonl"), cut).unwrap();
    std::fs::remove_file(last.join("run.json")).unwrap();
    folder.run(&["run", "--resume"]).exits(1);
    assert_eq!(folder.results(), whole);
    assert_eq!(std::fs::read_to_string(last.join("journal.jsonl")).unwrap().lines().count(), journal.lines().count());
}

#[test]
fn a_known_failure_is_mended_once_it_is_right_five_times_running() {
    let folder = accepted(&["a"], 1);
    std::fs::remove_file(folder.path().join("suites/shop.baseline.toml")).unwrap();
    run(&folder, &[("a", "0")], &["--repeat", "20"]).0.exits(2);
    folder.run(&["accept", "--first", "--reason", "known"]).exits(0);
    // Of twenty wrong runs three right ones would be enough for the test, and four of five are.
    for (fresh, asked_anew) in [("11111", 5), ("1110111111", 10)] {
        let (ran, results) = run(&folder, &[("a", &format!("1{fresh}0"))], &[]);
        ran.exits(1).shows(&["ragline accept a"]);
        comes_to(&results, "a", "pass", "fixed");
        assert_eq!(asked(&folder)["a"], (1 + asked_anew, 0));
    }
}

#[test]
fn a_known_failure_that_is_right_five_times_running_is_proposed_for_removal() {
    let folder = accepted(&["a", "b"], 1);
    // Accepted after a single run, so that no test can say much.
    run(&folder, &[("a", "0"), ("b", "1")], &["--no-confirm"]).0.exits(1);
    folder.run(&["accept", "a", "--reason", "index rebuild"]).exits(0);
    std::fs::write(folder.path().join("thresholds.toml"), "version = 1\n").unwrap();
    let (ran, results) = run(&folder, &[("a", "11101011111"), ("b", "1")], &[]);
    comes_to(&results, "a", "pass", "still_failing");
    ran.exits(0).shows(&["right 5 times running (8/10 in all)", "if it varies"]);
    // Right four times running: nothing is said.
    let (ran, _) = run(&folder, &[("a", "11101101111"), ("b", "1")], &[]);
    assert!(!ran.exits(0).out.contains("times running"));
}

#[test]
fn a_quarantined_question_blocks_nothing_until_its_last_day() {
    let folder = accepted(&["a", "b"], 1);
    folder.run(&["accept", "a", "--quarantine", "--reason", "rebuild"]).exits(2);
    let until = ["--quarantine", "--until", "2027-01-31", "--today", "2027-01-01"];
    folder.run(&[&["accept", "a"], &until[..]].concat()).exits(2).says(&["reason-missing"]);
    folder
        .run(&[&["accept", "a", "--reason", "rebuild"], &until[..]].concat())
        .exits(0)
        .shows(&["quarantined until 2027-01-31"]);
    let baseline = folder.read("suites/shop.baseline.toml");
    assert!(
        baseline.contains("reason = \"rebuild\"\nuntil = \"2027-01-31\"\nstability = \"quarantined\"\n"),
        "{baseline}"
    );
    folder.run(&["known"]).exits(0).shows(&["1 quarantined", "until 2027-01-31"]);
    // Asked once, shown, and not even missed: it failed, it passed, it gave no answer.
    for (runs, outcome, change) in [("0", "fail", "flaky"), ("1", "pass", "flaky"), ("x", "unmeasured", "unmeasured")] {
        let (ran, results) = run(&folder, &[("a", runs), ("b", "1")], &["--today", "2027-01-31"]);
        ran.exits(0);
        comes_to(&results, "a", outcome, change);
        assert_eq!((&results["a"]["verdict"], asked(&folder)["a"]), (&"skipped".into(), (1, 0)));
        assert!(results["a"]["why"].as_str().unwrap().contains("quarantined"), "{}", results["a"]);
    }
    for (runs, exit, outcome, change) in [("0", 1, "fail", "expired"), ("1", 0, "pass", "unchanged")] {
        let (ran, results) = run(&folder, &[("a", runs), ("b", "1")], &["--today", "2027-02-01"]);
        ran.exits(exit);
        comes_to(&results, "a", outcome, change);
    }
    // Accepted without the word it is let out.
    folder.run(&["accept", "a"]).exits(0);
    assert!(!folder.read("suites/shop.baseline.toml").contains("quarantined"));
}

/// Takes the block of a question out of the baseline: nothing is accepted of it.
fn forget(folder: &Folder, id: &str) {
    let baseline = folder.read("suites/shop.baseline.toml");
    let kept: Vec<&str> = baseline.split("\n\n").filter(|b| !b.contains(&format!("[question.\"{id}\"]"))).collect();
    folder.write("suites/shop.baseline.toml", format!("{}\n", kept.join("\n\n").trim_end()).as_bytes());
}

#[test]
fn a_new_question_that_varies_is_undecided_and_one_that_fails_is_new_and_fails() {
    let folder = accepted(&["a", "b"], 1);
    forget(&folder, "b");
    let (ran, results) = run(&folder, &[("a", "1"), ("b", "00101010101")], &[]);
    ran.exits(0).shows(&["new, and it varies: 5 of 10 runs passed"]);
    comes_to(&results, "b", "fail", "undecided");
    let (ran, results) = run(&folder, &[("a", "1"), ("b", "0")], &[]);
    ran.exits(1);
    comes_to(&results, "b", "fail", "new_fail");
    assert_eq!(asked(&folder)["b"], (1 + 3, 0));
    let (ran, results) = run(&folder, &[("a", "1"), ("b", "1")], &[]);
    ran.exits(0);
    comes_to(&results, "b", "pass", "new_pass");
}

#[test]
fn a_budget_ends_the_asking_and_what_it_leaves_open_is_no_pass() {
    let folder = accepted(&["a", "b", "c"], 1);
    let settings = folder.read("ragline.toml");
    folder.write("ragline.toml", format!("{settings}[profile.pr]\nconfirm = {{ most = 5, budget = 9 }}\n").as_bytes());
    // Five fresh runs at most: of one known run all five must come out otherwise.
    let (ran, results) = run(&folder, &[("a", "1"), ("b", "0"), ("c", "1")], &["--profile", "pr"]);
    ran.exits(1);
    comes_to(&results, "b", "fail", "regressed");
    assert_eq!(asked(&folder)["b"], (1 + 5, 0));
    // Four and four of the first two; then one more of the first, and none of the second.
    let (ran, results) = run(&folder, &[("a", "0"), ("b", "0"), ("c", "1")], &["--profile", "pr"]);
    ran.exits(1).shows(&["the budget of 9 runs asked anew was spent"]);
    comes_to(&results, "a", "fail", "regressed");
    comes_to(&results, "b", "fail", "undecided");
    // Where nothing else closes the gate it is not open either.
    let (ran, _) = run(&folder, &[("a", "0100"), ("b", "0100"), ("c", "0100")], &["--profile", "pr"]);
    ran.exits(3).shows(&["budget"]);
    for (wrong, code) in
        [("most = 2", "number-range"), ("most = 9, budget = 8", "number-range"), ("runs = 3", "unknown-key")]
    {
        folder.write("ragline.toml", format!("{settings}[profile.pr]\nconfirm = {{ {wrong} }}\n").as_bytes());
        let ran = folder.run(&["run", "--profile", "pr"]).exits(2);
        assert!(ran.err.contains("error["), "{code}: {}", ran.err);
    }
}

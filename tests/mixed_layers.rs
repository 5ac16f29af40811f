//! Questions that fail in other layers from run to run, by the real binary: what is accepted of them, that nothing of it is
//! called a regression, and that what came out alike in every run still can be.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod binary_kit;

use binary_kit::Folder;
use serde_json::Value;
use std::collections::BTreeMap;

/// Answers by a table: a line `ID RUNS`, where the n-th letter says how run n comes out, and the letters begin anew behind the
/// last one: `1` as wanted, `f` with a wrong fact, `r` without the passage, `0` with neither.
const BOT: &str = r#"
read -r line
id=${line#*'"id":"'}; id=${id%%'"'*}
case "$line" in *'"repeat":'*) n=${line#*'"repeat":'}; n=${n%%[!0-9]*};; *) n=0;; esac
while read -r name runs; do
  if [ "$name" = "$id" ]; then
    n=$((n % ${#runs}))
    while [ "$n" -gt 0 ]; do runs=${runs#?}; n=$((n - 1)); done
    case "$runs" in 1*|r*) said="You have thirty days.";; *) said="You have no such right.";; esac
    case "$runs" in 1*|f*) found="You may return it within thirty days.";; *) found="We are open at noon.";; esac
    printf '{"answer":"%s","contexts":[{"doc":"r.md","text":"%s"}]}\n' "$said" "$found"
    exit 0
  fi
done < now.txt
exit 4
"#;

const SETTINGS: &str = "version = 1\n[targets.bot]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\nprovides = [\"answer\", \"contexts\"]\nretries = 0\n";

/// A project whose first baseline was accepted after so many runs of this table.
fn accepted(now: &[(&str, &str)], repeat: u32) -> Folder {
    let folder = Folder::with(&[("ragline.toml", SETTINGS), ("bot.sh", BOT)]);
    let mut suite = String::from("version: 1\nsuite: shop\nlanguage: en\ntarget: bot\nquestions:\n");
    for (id, _) in now {
        suite += &format!(
            "  - id: {id}\n    question: {id}?\n    facts: [thirty days]\n    evidence: [{{ doc: r.md, span: within thirty days }}]\n    layers: {{ numbers: off, refusal: off }}\n"
        );
    }
    folder.write("suites/shop.yaml", suite.as_bytes());
    table(&folder, now);
    folder.run(&["run", "--repeat", &repeat.to_string()]).exits(2);
    folder.run(&["accept", "--first", "--reason", "known"]).exits(0);
    folder
}

fn table(folder: &Folder, runs: &[(&str, &str)]) {
    let text: String = runs.iter().map(|(id, runs)| format!("{id} {runs}\n")).collect();
    folder.write("now.txt", text.as_bytes());
}

fn block(folder: &Folder, id: &str) -> String {
    let baseline = folder.read("suites/shop.baseline.toml");
    let begin = format!("[question.\"{id}\"]");
    baseline.split(&begin).nth(1).unwrap().split("\n\n").next().unwrap().to_owned()
}

fn run(folder: &Folder, now: &[(&str, &str)], args: &[&str], exit: i32) -> BTreeMap<String, Value> {
    table(folder, now);
    folder.run(&[&["run"], args].concat()).exits(exit);
    folder.results()
}

#[test]
fn a_question_that_fails_in_another_layer_each_time_is_a_failure_in_each() {
    // Wrong in every run: in facts in some, for want of the passage in others.
    let folder = accepted(&[("a", "1"), ("b", "frfr0"), ("c", "f")], 5);
    let b = block(&folder, "b");
    assert!(b.contains("retrieval = \"fail\"") && b.contains("facts = \"fail\"") && !b.contains("runs"), "{b}");
    let c = block(&folder, "c");
    assert!(c.contains("retrieval = \"pass\"") && c.contains("facts = \"fail\"") && c.contains("runs = 5"), "{c}");
    // Builds in which nothing changed, each of which sees another run of it.
    for turn in ["frfr0", "rfrf0", "0frfr", "rrfff", "fr0rf"] {
        let results = run(&folder, &[("a", "1"), ("b", turn), ("c", "f")], &[], 0);
        assert_eq!(
            (&results["b"]["change"], &results["b"]["outcome"]),
            (&"still_failing".into(), &"fail".into()),
            "{turn}"
        );
        // Asked anew it says nothing, so it is not.
        assert_eq!(results["b"].get("repeats"), None, "{turn}");
    }
    // The one that failed in one layer only does regress by the other.
    let results = run(&folder, &[("a", "1"), ("b", "f"), ("c", "0")], &[], 1);
    assert_eq!(results["c"]["layers"]["retrieval"]["change"], "regressed");
}

#[test]
fn results_say_how_often_each_layer_passed() {
    let folder = accepted(&[("a", "1"), ("b", "frfr0")], 5);
    let results = folder.results();
    let of = |id: &str, layer: &str| results[id]["layers"][layer]["first"].clone();
    assert_eq!((of("a", "retrieval"), of("a", "facts")), ("5/5".into(), "5/5".into()));
    assert_eq!((of("b", "retrieval"), of("b", "facts")), ("2/5".into(), "2/5".into()));
    assert_eq!(results["b"]["repeats"]["first"], "0/5");
    // Fresh runs are counted apart.
    let results = run(&folder, &[("a", "fffffffffffffffff"), ("b", "f")], &[], 1);
    let a = &results["a"]["layers"];
    // Behind five known runs six that all fail show it, at .01 over three tests and four looks: (5/11)^5 (6/11)^6 is .00051.
    assert_eq!((&a["retrieval"]["fresh"], &a["facts"]["first"]), (&"6/6".into(), &"0/1".into()));
    assert_eq!(a["facts"]["fresh"], "0/6");
}

#[test]
fn a_flaky_question_still_regresses_by_the_layer_that_never_varied() {
    let folder = accepted(&[("a", "1"), ("b", "1f1f11f1f111f1f11111")], 20);
    let b = block(&folder, "b");
    assert!(b.contains("retrieval = \"pass\"\nfacts = \"14/20\""), "{b}");
    assert!(b.contains("stability = \"flaky\"\nfloor = \"14/20\""), "{b}");
    folder.run(&["baseline", "check"]).exits(0);
    // Facts wrong once more: as known.
    let results = run(&folder, &[("a", "1"), ("b", "f1")], &[], 0);
    assert_eq!(results["b"]["change"], "flaky");
    // The passage is gone, in every run: twenty runs had it.
    let results = run(&folder, &[("a", "1"), ("b", "r")], &[], 1);
    let layers = &results["b"]["layers"];
    assert_eq!(results["b"]["change"], "regressed");
    assert_eq!((&layers["retrieval"]["change"], &layers["facts"]["change"]), (&"regressed".into(), &"flaky".into()));
    // Gone by chance.
    let results = run(&folder, &[("a", "1"), ("b", "r1111111")], &[], 0);
    assert_eq!(results["b"]["layers"]["retrieval"]["change"], "unchanged");
    // Accepted once more after a single run it is as flaky as before.
    run(&folder, &[("a", "1"), ("b", "f")], &["--no-confirm"], 0);
    folder.run(&["accept", "b", "--reason", "the model"]).exits(0);
    assert!(block(&folder, "b").contains("facts = \"14/20\""), "{}", block(&folder, "b"));
}

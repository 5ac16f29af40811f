//! `ragline run --plan`: what a run would take, told before anything is asked.
#![allow(clippy::unwrap_used, clippy::panic)]

mod answers_kit;
mod binary_kit;

use answers_kit::{FOUR, SHOP, calls, run_with, shop, suite};

/// The cells of a target's row.
fn row(out: &str, target: &str) -> Vec<String> {
    let line = out
        .lines()
        .find(|l| l.starts_with(target) && !l.starts_with(&format!("{target}:")))
        .unwrap_or_else(|| panic!("{out}"));
    line.split("   ").map(str::trim).filter(|c| !c.is_empty()).map(str::to_owned).collect()
}

#[test]
fn a_plan_asks_nothing_and_writes_nothing() {
    let folder = shop(SHOP, &FOUR);
    folder.write("j.xml", b"an earlier report");
    let before = folder.files();
    let ran = folder.run(&["run", "--plan", "--junit", "j.xml", "--save-answers", "s.jsonl"]).exits(0);
    assert_eq!(row(&ran.out, "shop"), ["shop", "4", "-", "4", "12", "unknown", "-"]);
    assert!(ran.out.contains("time unknown: no earlier answer tells"), "{}", ran.out);
    assert_eq!(calls(&folder), 0);
    assert_eq!(folder.files(), before);
    assert!(folder.runs().is_empty());
}

#[test]
fn what_is_on_file_is_not_called_for() {
    let folder = shop(SHOP, &FOUR[..3]);
    folder.run(&["run", "--answers", "fill"]).exits(0);
    folder.write("suites/shop.yaml", suite(&FOUR).as_bytes());
    calls(&folder);
    let ran = folder.run(&["run", "--plan", "--answers", "fill"]).exits(0);
    assert_eq!(row(&ran.out, "shop")[..5], ["shop", "4", "3", "1", "3"]);
    let ran = folder.run(&["run", "--plan", "--answers", "replay"]).exits(0);
    assert_eq!(row(&ran.out, "shop"), ["shop", "4", "3", "0", "0", "0.0 s", "-"]);
    assert_eq!(calls(&folder), 0);
}

#[test]
fn time_and_money_come_from_earlier_answers() {
    let settings =
        format!("{SHOP}concurrency = 2\nrate = \"1/min\"\nprice = {{ input = 10.0, output = 100.0, call = 0.5 }}\n");
    let folder = shop(&settings, &FOUR);
    // Answers of 2 s (the median of 1, 2, 9) that used 100 + 10 tokens.
    let mut text = "{\"version\":1,\"kind\":\"responses\"}\n".to_owned();
    for (id, ms) in [("a", 1000), ("b", 9000), ("c", 2000)] {
        text += &format!(
            "{{\"id\":\"{id}\",\"answer\":\"x\",\"latency_ms\":{ms},\"usage\":{{\"input_tokens\":100,\"output_tokens\":10}}}}\n"
        );
    }
    folder.write("recordings/shop.jsonl", text.as_bytes());
    let ran = folder.run(&["run", "--plan"]).exits(0);
    // Four calls at one a minute: the last goes out after 3 min. Each costs 0.5 + 100 × 10/10⁶ + 10 × 100/10⁶ = 0.502.
    assert_eq!(row(&ran.out, "shop"), ["shop", "4", "-", "4", "12", "3 min", "$2.01"]);
    for word in ["2.0 s", "median of 3 answers of its recording", "2 at once", "at most 1 in 60 s", "100 + 10 tokens"] {
        assert!(ran.out.contains(word), "{word} is not in:\n{}", ran.out);
    }
    // Without the rate: two waves of 2 s.
    folder.write("ragline.toml", settings.replace("rate = \"1/min\"\n", "").as_bytes());
    let ran = folder.run(&["run", "--plan"]).exits(0);
    assert_eq!(row(&ran.out, "shop")[5], "4.0 s");
    // The last run knows better than the recording.
    folder.run(&["run"]).exits(0);
    let ran = folder.run(&["run", "--plan"]).exits(0);
    assert!(ran.out.contains("median of 4 answers of the last run"), "{}", ran.out);
}

#[test]
fn several_targets_are_summed_and_a_builtin_costs_no_call() {
    let folder = shop(SHOP, &FOUR);
    folder.write("docs/a.md", b"# A\n\nIt takes seven days.\n");
    let other = suite(&FOUR[..2]).replace("suite: shop", "suite: own\ncorpus: ../docs").replace("target: shop\n", "");
    folder.write("suites/own.yaml", other.as_bytes());
    let ran = folder.run(&["run", "--plan"]).exits(0);
    assert_eq!(row(&ran.out, "builtin"), ["builtin", "2", "-", "-", "-", "-", "-"]);
    assert_eq!(row(&ran.out, "total")[..5], ["total", "6", "0", "4", "12"]);
}

#[test]
fn a_plan_needs_no_key() {
    let settings = SHOP.replace("\"bot.sh\"]", "\"bot.sh\", \"${KEY_OF_PLAN_TEST}\"]");
    let folder = shop(&settings, &FOUR);
    let ran = run_with(&folder, &[], &["run", "--plan"]).exits(0);
    assert_eq!(row(&ran.out, "shop")[..5], ["shop", "4", "-", "4", "12"]);
    assert!(ran.err.contains("KEY_OF_PLAN_TEST"), "what a run would stop at is said:\n{}", ran.err);
}

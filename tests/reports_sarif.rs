//! SARIF as its readers see it. scripts/sarif-readers.sh has the official schema and Microsoft's validator say the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod report_kit;

use ragline::core::state::{Change, Verdict};
use ragline::gate::Exit;
use ragline::layer::{Code, LayerId};
use ragline::report::sarif::{RESULTS, Sarif};
use report_kit::*;
use serde_json::Value;

fn sarif(run: &Run) -> Value {
    let mut s = Sarif::new("rag/", None);
    run.play(&mut s);
    serde_json::from_str(&s.text().unwrap()).unwrap()
}

fn result<'a>(log: &'a Value, name: &str) -> &'a Value {
    let results = log["runs"][0]["results"].as_array().unwrap();
    results
        .iter()
        .find(|r| r["message"]["text"].as_str().unwrap().starts_with(name))
        .unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn results_state_what_changed_at_the_line_of_the_suite() {
    let mut run = red();
    let broken = |id: &str| question("shop-vi", id, "?").broken(LayerId::Facts, Code::FactMissing, "no", None);
    run.questions.push(broken("n1").state(Change::NewFail, Verdict::Failed));
    run.questions.push(broken("e1").state(Change::Edited, Verdict::Failed));
    let mut edited = question("shop-vi", "e2", "?");
    edited.change = Change::Edited;
    run.questions.push(edited);
    let log = sarif(&run);
    assert_eq!((log["version"].as_str(), log["runs"].as_array().map(Vec::len)), (Some("2.1.0"), Some(1)));
    let r = result(&log, "shop-vi::q14 regressed");
    assert_eq!((r["level"].as_str(), r["baselineState"].as_str()), (Some("error"), Some("new")));
    let place = &r["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "rag/suites/shop-vi.yaml");
    assert_eq!(place["region"]["startLine"], 118);
    for (name, level, state) in [
        ("shop-vi::n1", "error", "new"),
        ("shop-vi::e1", "error", "updated"),
        ("shop-vi::q09", "error", "new"),
        ("shop-vi::q05", "note", "unchanged"),
        ("shop-vi::q15", "note", "absent"),
    ] {
        let r = result(&log, name);
        assert_eq!((r["level"].as_str(), r["baselineState"].as_str()), (Some(level), Some(state)), "{name}");
    }
    assert_eq!(result(&log, "shop-vi::q05")["suppressions"][0]["justification"], "index rebuild, #412");
    let text = log.to_string();
    assert!(!text.contains("shop-vi::q30") && !text.contains("shop-vi::e2"), "what is well has no result");
    // Each rule is there once, with its page, and each result points at its own.
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for r in log["runs"][0]["results"].as_array().unwrap() {
        let at = usize::try_from(r["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[at]["id"], r["ruleId"]);
    }
    let number = rules.iter().find(|r| r["id"] == "number-ungrounded").unwrap();
    assert!(number["help"]["markdown"].as_str().unwrap().starts_with("# number-ungrounded\n"));
    // The rules of the gate, and how the run ended.
    let ended = &log["runs"][0]["invocations"][0];
    assert_eq!((ended["exitCode"].as_u64(), ended["executionSuccessful"].as_bool()), (Some(1), Some(true)));
    assert_eq!(ended["toolExecutionNotifications"].as_array().unwrap().len(), 3);
}

/// The same question and reason have the same fingerprint wherever the line stands; other ones another.
#[test]
fn fingerprints_do_not_move_with_the_lines() {
    let prints = |run: &Run| -> Vec<String> {
        let log = sarif(run);
        let all = log["runs"][0]["results"].as_array().unwrap().clone();
        all.iter().map(|r| r["partialFingerprints"]["raglineQuestion/v1"].as_str().unwrap().to_owned()).collect()
    };
    let mut moved = red();
    moved.questions.iter_mut().for_each(|q| q.place.line += 40);
    assert_eq!(prints(&red()), prints(&moved));
    let all = prints(&red());
    let mut distinct = all.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), all.len());
}

#[test]
fn a_file_holds_no_more_than_is_read_and_says_so() {
    let broken = |i: usize| question("a", &format!("q{i}"), "?").broken(LayerId::Facts, Code::FactMissing, "no", None);
    let mut many = run("a", (0..RESULTS + 7).map(broken).collect());
    many.decision.exit = Exit::Closed;
    let log = sarif(&many);
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), RESULTS);
    assert!(log["runs"][0]["invocations"][0].to_string().contains("7 results were left out"));
    assert_eq!(sarif(&many).to_string(), log.to_string(), "the same bytes");
}

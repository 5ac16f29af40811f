//! `ragline accept`: what it writes, what it refuses, and that nobody else writes a baseline.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod project_kit;

use project_kit::{Ended, Project, end};
use std::fs;

/// A question with one fact.
fn question(id: &str, fact: &str) -> String {
    format!("  - id: {id}\n    question: What does {id} say?\n    facts: [{fact}]\n")
}

fn suite(project: &Project, questions: &[(&str, &str)]) {
    let questions: String = questions.iter().map(|(id, fact)| question(id, fact)).collect();
    project.write("suites/shop.yaml", &format!("version: 1\nlanguage: en\ntarget: answers\nquestions:\n{questions}"));
}

/// Recorded answers; a time is part of each and must not be accepted.
fn answers(project: &Project, answers: &[(&str, &str)]) {
    let lines: String = answers
        .iter()
        .map(|(id, text)| {
            format!(
                "{{\"id\":\"{id}\",\"answer\":\"{text}\",\"contexts\":[],\"latency_ms\":812,\"usage\":{{\"input_tokens\":9,\"output_tokens\":3}}}}\n"
            )
        })
        .collect();
    project.write("answers.jsonl", &lines);
}

const RED: &str = "It is red.";
const BLUE: &str = "It is blue.";
const BASELINE: &str = "suites/shop.baseline.toml";
const ACCEPTED: &str = "suites/shop.accepted.jsonl";

/// Three questions that want `red`: q1 fails, the others pass; accepted as such.
fn accepted() -> Project {
    let project = fresh();
    assert_eq!(project.run(&["run"]).code, 2);
    ok(&project, &["accept", "--first", "--reason", "blue paint, #3"]);
    project
}

fn fresh() -> Project {
    let project = Project::new();
    suite(&project, &[("q1", "red"), ("q2", "red"), ("q3", "red")]);
    answers(&project, &[("q1", BLUE), ("q2", RED), ("q3", RED)]);
    project
}

#[track_caller]
fn ok(project: &Project, args: &[&str]) -> Ended {
    let ended = project.run(args);
    assert_eq!(ended.code, 0, "{args:?}: {}", ended.both());
    ended
}

/// A refusal: exit 2, the words say why, and not a byte changes.
#[track_caller]
fn refused(project: &Project, args: &[&str], words: &str) {
    let before = (project.read(BASELINE), project.read(ACCEPTED));
    let ended = project.run(args);
    assert_eq!(ended.code, 2, "{args:?}: {}", ended.both());
    assert!(ended.err.contains(words), "{args:?} does not say `{words}`: {}", ended.both());
    assert_eq!((project.read(BASELINE), project.read(ACCEPTED)), before, "{args:?}");
}

fn change(project: &Project, id: &str) -> String {
    project.run(&["run", "--results", "results.jsonl"]);
    let results = project.results("results.jsonl");
    results.get(id).and_then(|l| l["change"].as_str()).unwrap_or("absent").to_owned()
}

/// A first run against a system that is away tells the whole reason, once, and that there is nothing to accept yet.
#[test]
fn a_first_run_that_measured_nothing_says_why() {
    let project = fresh();
    let away = "no connection to 127.0.0.1:9: refused; does the server run, and is the address that of its chat route?";
    let lines: String = ["q1", "q2", "q3"].map(|id| format!("{{\"id\":\"{id}\",\"error\":\"{away}\"}}\n")).concat();
    project.write("answers.jsonl", &lines);
    let ended = project.run(&["run"]);
    assert_eq!(ended.code, 2, "{}", ended.both());
    let said = ended.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["3 questions unmeasured", away, "; nothing was measured, so there is nothing to accept"] {
        assert!(said.contains(words), "{words}: {}", ended.both());
    }
    assert_eq!(said.matches(away).count(), 1, "{}", ended.both());
}

/// D01: the gate never writes the baseline, and accept does not run in CI unless told.
#[test]
fn d01_a_ci_job_does_not_rewrite_its_own_baseline() {
    let project = accepted();
    let before = project.read(BASELINE);
    answers(&project, &[("q1", BLUE), ("q2", BLUE), ("q3", RED)]);
    let run = |ci: Option<&str>, args: &[&str]| {
        let mut c = project.ragline(args);
        end(c.envs(ci.map(|v| ("CI", v))))
    };
    let ended = run(Some("true"), &["run"]);
    assert_eq!(ended.code, 1, "{}", ended.both());
    assert_eq!(project.read(BASELINE), before);
    for ci in ["true", "1", "yes", "on", "TRUE"] {
        let ended = run(Some(ci), &["accept", "q2", "--reason", "paint"]);
        assert_eq!(ended.code, 2, "CI={ci}: {}", ended.both());
        assert!(ended.err.contains("CI is set"), "{}", ended.both());
    }
    let ended = run(Some("banana"), &["accept", "q2", "--reason", "paint"]);
    assert_eq!(ended.code, 2, "{}", ended.both());
    assert!(ended.err.contains("CI is `banana`"), "{}", ended.both());
    assert_eq!(project.read(BASELINE), before);
    // Told so, it does; and a value that says no is no.
    for ci in [None, Some("0"), Some("false"), Some("no"), Some(""), Some("off")] {
        project.write(BASELINE, &before);
        let ended = run(ci, &["accept", "q2", "--reason", "paint"]);
        assert_eq!(ended.code, 0, "CI={ci:?}: {}", ended.both());
        assert_ne!(project.read(BASELINE), before);
    }
    project.write(BASELINE, &before);
    let ended = run(Some("true"), &["accept", "q2", "--reason", "paint", "--in-ci"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    assert_ne!(project.read(BASELINE), before);
}

/// D03: an edited question is judged anew, a removed one is told and stays in the file until somebody says so.
#[test]
fn d03_edited_and_removed_questions() {
    let project = accepted();
    suite(&project, &[("q2", "red, crimson"), ("q3", "green"), ("q9", "red")]);
    answers(&project, &[("q1", BLUE), ("q2", "It is red, crimson."), ("q3", RED), ("q9", BLUE)]);
    let text = project
        .read("suites/shop.yaml")
        .replace("facts: [red, crimson]", "facts: [red]")
        .replace("does q2 say", "does q2 really say");
    project.write("suites/shop.yaml", &text);
    fs::remove_file(project.path().join(ACCEPTED)).unwrap();
    let ended = project.run(&["run", "--results", "results.jsonl"]);
    assert_eq!(ended.code, 1, "{}", ended.both());
    let results = project.results("results.jsonl");
    let of = |id: &str| (results[id]["change"].as_str().unwrap(), results[id]["verdict"].as_str().unwrap());
    assert_eq!(of("q1"), ("removed", "failed"));
    assert_eq!(of("q2"), ("edited", "passed"));
    assert_eq!(of("q3"), ("edited", "failed"));
    assert_eq!(of("q9"), ("new_fail", "failed"));
    // A filtered run does not know what is removed, and accepting from it keeps the others.
    let before = project.read(BASELINE);
    assert_eq!(project.run(&["run", "q2", "--results", "results.jsonl"]).code, 0);
    assert_eq!(project.results("results.jsonl").keys().collect::<Vec<_>>(), ["q2"]);
    ok(&project, &["accept", "all"]);
    let after = project.read(BASELINE);
    for id in ["q1", "q3"] {
        let block = |text: &str| {
            text.split("\n\n").find(|b| b.contains(&format!("[question.\"{id}\"]"))).map(|b| b.trim().to_owned())
        };
        assert!(block(&before).is_some());
        assert_eq!(block(&after), block(&before), "{id}");
    }
    assert!(!after.contains("q9"));
    assert_ne!(after, before);
}

/// D05: not wanted, missing, empty, and present without one question are different things.
#[test]
fn d05_no_baseline_is_not_an_empty_one() {
    let project = fresh();
    // (a) none is wanted: assertions alone.
    project.write("thresholds.toml", "version = 1\nbaseline = \"none\"\n");
    assert_eq!(project.run(&["run"]).code, 1);
    answers(&project, &[("q1", RED), ("q2", RED), ("q3", RED)]);
    assert_eq!(project.run(&["run"]).code, 0);
    // (b) wanted and missing: exit 2, and it says how to make one.
    fs::remove_file(project.path().join("thresholds.toml")).unwrap();
    let ended = project.run(&["run"]);
    assert_eq!(ended.code, 2, "{}", ended.both());
    assert!(ended.out.contains("ragline accept --first"), "{}", ended.both());
    assert!(!project.path().join(BASELINE).exists(), "run wrote a baseline");
    // The proposal is the file that accepting all of it would give.
    let runs = project.path().join(".ragline/runs");
    let latest = runs.join(project.read(".ragline/runs/latest").trim());
    let proposed = fs::read_to_string(latest.join("proposed/shop.baseline.toml")).unwrap();
    ok(&project, &["accept", "--first"]);
    assert_eq!(project.read(BASELINE), proposed);
    // (c) empty: not a baseline.
    let whole = project.read(BASELINE);
    project.write(BASELINE, "");
    let ended = project.run(&["run"]);
    assert_eq!(ended.code, 2, "{}", ended.both());
    assert!(ended.err.contains("not a baseline"), "{}", ended.both());
    refused(&project, &["accept", "q1"], "not a baseline");
    // (d) it lacks q3, which passes: new, and open. (e) which fails: new, and closed.
    let without = whole.split("\n\n").filter(|b| !b.contains("q3")).collect::<Vec<_>>().join("\n\n");
    project.write(BASELINE, &without);
    assert_eq!(project.run(&["run"]).code, 0);
    assert_eq!(change(&project, "q3"), "new_pass");
    answers(&project, &[("q1", RED), ("q2", RED), ("q3", BLUE)]);
    assert_eq!(project.run(&["run"]).code, 1);
    assert_eq!(change(&project, "q3"), "new_fail");
    // (f) a place that git ignores never reaches CI.
    let git = std::process::Command::new("git").arg("-C").arg(project.path()).args(["init", "-q"]).status();
    if git.is_ok_and(|s| s.success()) {
        let ended = ok(&project, &["accept", "q1", "q2", "q3", "--reason", "paint"]);
        assert!(!ended.out.contains("git ignores"), "{}", ended.both());
        project.write(".gitignore", "*.baseline.toml\n");
        let ended = ok(&project, &["accept", "q3", "--reason", "other paint"]);
        assert!(ended.out.contains("git ignores"), "{}", ended.both());
    }
}

/// D09: known, fixed, accepted, and then a break is a regression again.
#[test]
fn d09_a_known_failure_is_retired_when_it_is_fixed() {
    let project = accepted();
    let ended = project.run(&["run"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    assert_eq!(change(&project, "q1"), "still_failing");
    answers(&project, &[("q1", RED), ("q2", RED), ("q3", RED)]);
    let ended = project.run(&["run"]);
    assert_eq!(ended.code, 1, "a fix that nobody accepted must not stay: {}", ended.both());
    assert!(ended.out.contains("ragline accept q1"), "{}", ended.both());
    ok(&project, &["accept", "--only", "fixed"]);
    assert!(!project.read(BASELINE).contains("blue paint"), "the reason of a failure that is no more");
    assert_eq!(project.run(&["run"]).code, 0);
    answers(&project, &[("q1", BLUE), ("q2", RED), ("q3", RED)]);
    assert_eq!(project.run(&["run"]).code, 1);
    assert_eq!(change(&project, "q1"), "regressed");
}

/// Bytes that do not depend on who accepts, when, or how often.
#[test]
fn accepting_twice_gives_the_same_bytes() {
    let project = accepted();
    let files = || (project.read(BASELINE), project.read(ACCEPTED));
    let first = files();
    project.run(&["run"]);
    let ended = ok(&project, &["accept", "all"]);
    assert!(ended.out.contains("nothing to accept"), "{}", ended.both());
    assert_eq!(files(), first);
    // In another project, with the questions and the answers in another order.
    let other = Project::new();
    suite(&other, &[("q3", "red"), ("q1", "red"), ("q2", "red")]);
    answers(&other, &[("q2", RED), ("q3", RED), ("q1", BLUE)]);
    other.run(&["run"]);
    ok(&other, &["accept", "--first", "--reason", "blue paint, #3"]);
    assert_eq!(other.read(BASELINE), first.0);
    // The subject of a recording is its digest, and the file is in another order; the lines are the same.
    let lines = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&other.read(ACCEPTED)), lines(&first.1));
    assert!(
        first.0.starts_with("# Written by `ragline accept`. Review it like code.\n[baseline]\nversion = 1\nmeasure = ")
    );
    assert!(!first.0.contains('\r') && first.0.ends_with('\n'));
}

/// The answers behind the baseline: sorted, without times, those of others kept, those of nobody gone.
#[test]
fn accepted_answers_are_merged_sorted_and_without_times() {
    let project = accepted();
    let ids = |text: &str| -> Vec<String> {
        text.lines()
            .skip(1)
            .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = project.read(ACCEPTED);
    assert_eq!(ids(&first), ["q1", "q2", "q3"]);
    assert!(first.lines().next().unwrap().contains("\"kind\":\"responses\""));
    assert!(!first.contains("latency_ms") && !first.contains("usage"), "{first}");
    // One of them anew: the others as they were, to the byte.
    answers(&project, &[("q1", BLUE), ("q2", "Crimson red it is."), ("q3", BLUE)]);
    project.run(&["run"]);
    ok(&project, &["accept", "q3", "--reason", "paint"]);
    let second = project.read(ACCEPTED);
    let line = |text: &str, n: usize| text.lines().nth(n).unwrap().to_owned();
    assert_eq!((line(&second, 1), line(&second, 2)), (line(&first, 1), line(&first, 2)));
    assert!(line(&second, 3).contains(BLUE));
    // A removed question takes its answer along.
    suite(&project, &[("q1", "red"), ("q2", "red")]);
    project.run(&["run"]);
    ok(&project, &["accept", "--removed"]);
    assert_eq!(ids(&project.read(ACCEPTED)), ["q1", "q2"]);
    assert!(!project.read(BASELINE).contains("q3"));
}

/// An answer that is worded anew and comes out the same can be taken up: the baseline is the same, the answer is not.
#[test]
fn a_new_answer_with_the_same_outcome_can_be_accepted() {
    let project = accepted();
    let before = project.read(BASELINE);
    answers(&project, &[("q1", BLUE), ("q2", "Crimson red it is."), ("q3", RED)]);
    assert_eq!(project.run(&["run"]).code, 0);
    ok(&project, &["accept", "q2"]);
    assert_eq!(project.read(BASELINE), before);
    assert!(project.read(ACCEPTED).contains("Crimson red it is."), "{}", project.read(ACCEPTED));
}

#[test]
fn the_first_baseline_is_not_written_over_another_nor_from_a_part() {
    let project = accepted();
    project.run(&["run"]);
    refused(&project, &["accept", "--first", "--reason", "x"], "baseline-exists");
    let project = fresh();
    refused(&project, &["accept", "--first", "--reason", "x"], "no-run");
    project.run(&["run", "q2"]);
    refused(&project, &["accept", "--first", "--reason", "x"], "run-partial");
    project.run(&["run"]);
    refused(&project, &["accept", "q2"], "no-baseline");
    // q1 fails, and that is accepted for a reason.
    refused(&project, &["accept", "--first"], "reason-missing");
}

#[test]
fn what_cannot_be_accepted_is_refused_whole() {
    let project = accepted();
    answers(&project, &[("q1", RED), ("q2", BLUE), ("q3", RED)]);
    project.run(&["run"]);
    // One of two has no reason: neither is written.
    refused(&project, &["accept", "q1", "q2"], "reason-missing");
    refused(&project, &["accept", "q2", "--reason", "paint", "--until", "2020-01-31"], "until-passed");
    let eve = ["accept", "q2", "--reason", "paint", "--until", "2999-01-31", "--today", "2999-02-01"];
    refused(&project, &eve, "until-passed");
    refused(&project, &["accept", "q2", "--reason", "paint", "--until", "soon"], "--until");
    refused(&project, &["accept", "q2", "--reason", " "], "reason");
    refused(&project, &["accept"], "name what to accept");
    refused(&project, &["accept", "q7", "--reason", "paint"], "matches nothing");
    refused(&project, &["accept", "q2", "--floor", "7/10", "--reason", "paint"], "--flaky");
    refused(&project, &["accept", "q2", "--flaky", "--floor", "11/10", "--reason", "paint"], "7/10");
    refused(&project, &["accept", "--only", "fxied"], "expected one of");
    refused(&project, &["accept", "q2", "--run", "nowhere", "--reason", "paint"], "run.json");
    // What was not measured says nothing.
    project.write(
        "answers.jsonl",
        "{\"id\":\"q2\",\"answer\":\"It is red.\",\"contexts\":[]}\n{\"id\":\"q3\",\"error\":\"503\"}\n",
    );
    project.run(&["run"]);
    refused(&project, &["accept", "q3", "--reason", "down"], "not-measured");
    refused(&project, &["accept", "all", "--reason", "down"], "not-measured");
    // Edited since the run: the outcome is not that of the question as it stands.
    answers(&project, &[("q1", RED), ("q2", BLUE), ("q3", RED)]);
    project.run(&["run"]);
    suite(&project, &[("q1", "red"), ("q2", "green"), ("q3", "red")]);
    refused(&project, &["accept", "q2", "--reason", "paint"], "run-outdated");
}

#[test]
fn who_why_where_and_until_when_stand_in_the_file() {
    let project = accepted();
    answers(&project, &[("q1", BLUE), ("q2", BLUE), ("q3", RED)]);
    project.run(&["run"]);
    let until = ["--until", "2999-12-31", "--owner", "paint-shop", "--issue", "#9"];
    ok(&project, &[&["accept", "q2", "--reason", "the \"blue\" week"], &until[..]].concat());
    let text = project.read(BASELINE);
    for line in
        ["reason = \"the \\\"blue\\\" week\"", "owner = \"paint-shop\"", "issue = \"#9\"", "until = \"2999-12-31\""]
    {
        assert!(text.contains(line), "{text}");
    }
    // All of it speaks of the failure, and is gone with it.
    answers(&project, &[("q1", BLUE), ("q2", RED), ("q3", RED)]);
    project.run(&["run"]);
    ok(&project, &["accept", "q2"]);
    let text = project.read(BASELINE);
    assert!(!text.contains("paint-shop") && !text.contains("until") && !text.contains("#9"), "{text}");
    // A flaky question keeps its floor.
    ok(&project, &["accept", "q3", "--flaky", "--floor", "7/10", "--reason", "two models"]);
    let text = project.read(BASELINE);
    assert!(text.contains("stability = \"flaky\"\nfloor = \"7/10\""), "{text}");
    assert_eq!(change(&project, "q3"), "flaky");
}

#[test]
fn removed_questions_are_taken_out_by_name_or_all() {
    let project = accepted();
    suite(&project, &[("q2", "red")]);
    assert_eq!(project.run(&["run"]).code, 1);
    let has = |id: &str| project.read(BASELINE).contains(&format!("[question.\"{id}\"]"));
    refused(&project, &["accept", "--removed", "q9"], "matches nothing");
    ok(&project, &["accept", "--removed", "shop::q1"]);
    assert_eq!((has("q1"), has("q2"), has("q3")), (false, true, true));
    ok(&project, &["accept", "--removed"]);
    assert_eq!((has("q1"), has("q2"), has("q3")), (false, true, false));
    assert_eq!(project.run(&["run"]).code, 0);
    // A draft is gone from the gate, and is taken out like a question that is gone from the suite.
    let project = accepted();
    let text = project.read("suites/shop.yaml").replacen("  - id: q1\n", "  - id: q1\n    draft: true\n", 1);
    project.write("suites/shop.yaml", &text);
    assert_eq!(project.run(&["run"]).code, 1);
    ok(&project, &["accept", "--removed", "q1"]);
    assert!(!project.read(BASELINE).contains("[question.\"q1\"]"));
    assert_eq!(project.run(&["run"]).code, 0);
    // Accepting an outcome never takes anything out.
    let project = accepted();
    suite(&project, &[("q2", "red")]);
    project.run(&["run"]);
    ok(&project, &["accept", "all"]);
    assert!(project.read(BASELINE).contains("[question.\"q1\"]"));
}

/// The changes of the last run choose what is accepted.
#[test]
fn selectors_by_change_and_layer() {
    let project = accepted();
    suite(&project, &[("q1", "red"), ("q2", "red"), ("q3", "red"), ("q4", "red")]);
    answers(&project, &[("q1", RED), ("q2", BLUE), ("q3", RED), ("q4", RED)]);
    let run = || project.run(&["run"]);
    let has = |id: &str, line: &str| {
        let text = project.read(BASELINE);
        text.split("\n\n").any(|b| b.contains(&format!("[question.\"{id}\"]")) && b.contains(line))
    };
    run();
    ok(&project, &["accept", "change:fixed"]);
    assert!(has("q1", "facts = \"pass\"") && has("q2", "facts = \"pass\"") && !has("q4", ""));
    run();
    ok(&project, &["accept", "all", "--only", "new_pass"]);
    assert!(has("q4", "facts = \"pass\"") && has("q2", "facts = \"pass\""));
    run();
    refused(&project, &["accept", "layer:retrieval", "--reason", "paint"], "matches nothing");
    ok(&project, &["accept", "layer:facts", "--reason", "paint"]);
    assert!(has("q2", "facts = \"fail\""));
    assert_eq!(run().code, 0);
}

/// When the rules change, the file's measure speaks for all of it or is not written.
#[test]
fn a_change_of_the_rules_is_taken_up_whole_or_not_at_all() {
    let project = accepted();
    let right = project.read(BASELINE);
    let other = right.replace(&project.fill("{measure}"), "0000000000000000");
    project.write(BASELINE, &other);
    fs::remove_file(project.path().join(ACCEPTED)).unwrap();
    assert_eq!(project.run(&["run"]).code, 3);
    assert_eq!(change(&project, "q2"), "incomparable");
    refused(&project, &["accept", "q2"], "measure-changed");
    ok(&project, &["accept", "all"]);
    assert_eq!(project.read(BASELINE), right);
    assert_eq!(project.run(&["run"]).code, 0);
    // Where each accepted answer comes out as before, one question may be accepted, and the file is of these rules.
    project.write(BASELINE, &other);
    assert_eq!(project.run(&["run"]).code, 0);
    answers(&project, &[("q1", BLUE), ("q2", BLUE), ("q3", RED)]);
    assert_eq!(project.run(&["run"]).code, 1);
    ok(&project, &["accept", "q2", "--reason", "paint"]);
    assert!(project.read(BASELINE).contains(&project.fill("measure = \"{measure}\"")));
    // A run of a part cannot speak for the rest.
    project.write(BASELINE, &other);
    project.run(&["run", "q2"]);
    refused(&project, &["accept", "all", "--reason", "paint"], "measure-changed");
}

/// Another machine's record is accepted from its folder.
#[test]
fn a_run_of_another_machine_can_be_accepted() {
    let project = accepted();
    answers(&project, &[("q1", RED), ("q2", RED), ("q3", RED)]);
    project.run(&["run"]);
    let run = project.path().join(".ragline/runs").join(project.read(".ragline/runs/latest").trim());
    let here = project.path().join("downloaded");
    fs::rename(&run, &here).unwrap();
    refused(&project, &["accept", "q1"], "run.json");
    ok(&project, &["accept", "q1", "--run", "downloaded"]);
    assert!(!project.read(BASELINE).contains("fail"));
}

/// An observed question asserts nothing, so there is nothing to accept; a draft is not asked.
#[test]
fn what_asserts_nothing_is_not_accepted() {
    let project = fresh();
    let text = project.read("suites/shop.yaml")
        + "  - id: seen\n    question: What does it say?\n    reference: It is red.\n  - id: later\n    question: And then?\n    draft: true\n";
    project.write("suites/shop.yaml", &text);
    answers(&project, &[("q1", RED), ("q2", RED), ("q3", RED), ("seen", BLUE)]);
    project.run(&["run"]);
    ok(&project, &["accept", "--first"]);
    let text = project.read(BASELINE);
    assert!(!text.contains("seen") && !text.contains("later"), "{text}");
    assert_eq!(project.run(&["run"]).code, 0);
}

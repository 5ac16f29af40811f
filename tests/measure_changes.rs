//! What a branch changes of what decides, told with real git; and a gate that decides by the policy of the base.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod project_kit;

use project_kit::{Ended, Project, end};
use std::process::Command;

const SUITE: &str = r#"version: 1
language: en
target: answers
top_k: 3
questions:
  - id: price
    question: What does it cost?
    facts: [15 dollars, per week]
    must_not: [free]
    evidence: [{ doc: a.md, span: 15 dollars }]
    severity: critical
  - { id: colour, question: Which colour is it?, facts: [red] }
  - { id: size, question: How large is it?, facts: [large] }
"#;

const POLICY: &str = "version = 1\nmax_regressed = 0\n[suite.shop]\n\"facts.rate\" = { min = 0.6 }\n";

fn answers(project: &Project, price: &str, colour: &str) {
    let line = |id: &str, answer: &str| {
        let contexts = "[{\"doc\":\"a.md\",\"text\":\"It is large and red and costs 15 dollars per week.\"}]";
        format!("{{\"id\":\"{id}\",\"answer\":\"{answer}\",\"contexts\":{contexts}}}\n")
    };
    let text = [line("price", price), line("colour", colour), line("size", "It is large.")].concat();
    project.write("answers.jsonl", &text);
}

const PRICE: &str = "It costs 15 dollars per week.";

#[track_caller]
fn git(project: &Project, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(project.path()).args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(args);
    let ended = end(&mut command);
    assert_eq!(ended.code, 0, "git {args:?}: {}", ended.both());
}

fn commit(project: &Project) {
    git(project, &["add", "-A"]);
    git(project, &["commit", "-q", "-m", "more"]);
}

/// A project with an accepted baseline on `main`, and a branch checked out.
fn branch() -> Project {
    let project = Project::new();
    project.write("suites/shop.yaml", SUITE);
    project.write("thresholds.toml", POLICY);
    answers(&project, PRICE, "It is red.");
    assert_eq!(project.run(&["run"]).code, 2);
    let first = project.run(&["accept", "--first"]);
    assert_eq!(first.code, 0, "{}", first.both());
    git(&project, &["init", "-q", "-b", "main"]);
    commit(&project);
    git(&project, &["checkout", "-q", "-b", "work"]);
    project
}

#[track_caller]
fn tells(ended: &Ended, lines: &[&str]) {
    for line in lines {
        assert!(ended.out.contains(line), "`{line}`: {}", ended.both());
    }
}

#[test]
fn a_branch_that_changes_nothing_says_nothing() {
    let project = branch();
    let ended = project.run(&["run", "--base", "main"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    assert!(!ended.out.contains("measure"), "{}", ended.both());
    // Comments and layout are no change, nor is what main did meanwhile.
    project.write("suites/shop.yaml", &format!("# The shop.\n{SUITE}"));
    commit(&project);
    git(&project, &["checkout", "-q", "main"]);
    project.write("thresholds.toml", "version = 1\nmax_regressed = 5\n");
    commit(&project);
    git(&project, &["checkout", "-q", "work"]);
    let ended = project.run(&["run", "--base", "main"]);
    assert!(!ended.out.contains("measure"), "{}", ended.both());
}

/// A profile is the branch's own, and so is what it says of whose policy decides and of what is asked.
#[test]
fn a_branch_that_unbinds_itself_by_a_profile_says_so() {
    let project = branch();
    let settings = project.read("ragline.toml");
    let pr = "\n[profile.pr]\npolicy_from = \"main\"\n[profile.fork]\ninherits = \"pr\"\n";
    project.write("ragline.toml", &format!("{settings}{pr}"));
    commit(&project);
    git(&project, &["checkout", "-q", "-B", "main"]);
    git(&project, &["checkout", "-q", "-B", "work"]);
    project.write(
        "ragline.toml",
        &format!("{settings}{}", pr.replace("policy_from = \"main\"", "select = [\"shop::size\"]")),
    );
    let ended = project.run(&["run", "--base", "main"]);
    tells(
        &ended,
        &[
            "loosened   policy_from of profile pr: main -> none",
            "loosened   policy_from of profile fork: main -> none",
            "changed    select of profile pr",
            "ragline.toml",
        ],
    );
}

#[test]
fn what_it_loosens_is_told_first_with_its_place() {
    let project = branch();
    project.write("thresholds.toml", "version = 1\nmax_regressed = 2\n[suite.shop]\n\"facts.rate\" = { min = 0.5 }\n");
    let suite = SUITE
        .replace("top_k: 3", "top_k: 5")
        .replace("facts: [15 dollars, per week]", "facts: [15 dollars]")
        .replace("must_not: [free]", "must_not: [free, gratis]")
        .replace("severity: critical", "severity: minor")
        .replace("    question: What does it cost?", "    question: What does it cost?\n    layers: { numbers: off }")
        .replace("  - { id: size, question: How large is it?, facts: [large] }\n", "");
    project.write("suites/shop.yaml", &suite);
    let ended = project.run(&["run", "--base", "main", "--markdown", "m.md"]);
    tells(
        &ended,
        &[
            "this branch changes the measure: ",
            "loosened   max_regressed: 0 -> 2",
            "thresholds.toml:2",
            "loosened   threshold shop.facts.rate: at least 0.6 -> at least 0.5",
            "loosened   shop::price severity: critical -> minor",
            "loosened   shop::price numbers: on -> off",
            "loosened   shop::price facts: 1 gone",
            "suites/shop.yaml:6",
        ],
    );
    let markdown = project.read("m.md").replace("&#95;", "_").replace("&#62;", ">");
    for line in [
        "loosened: suite shop top_k: 3 -> 5 (suites/shop.yaml)",
        "loosened: shop::size is gone",
        "tightened: shop::price must_not: 1 new",
    ] {
        assert!(markdown.contains(line), "`{line}`: {markdown}");
    }
    assert_eq!(markdown.matches("top_k").count(), 1, "{markdown}");
}

#[test]
fn what_it_accepts_is_told() {
    let project = branch();
    answers(&project, PRICE, "It is blue.");
    assert_eq!(project.run(&["run"]).code, 1);
    let accept = ["accept", "colour", "--reason", "the new paint, #9", "--until", "2099-01-31"];
    assert_eq!(project.run(&accept).code, 0);
    let ended = project.run(&["run", "--base", "main", "--markdown", "m.md"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    // A place says no more than is new.
    let markdown = project.read("m.md");
    let line = "facts pass -&#62; fail (the new paint, &#35;&#8203;9) (line ";
    assert!(markdown.contains("**This branch changes the measure: ") && markdown.contains(line), "{markdown}");
    tells(
        &ended,
        &[
            "1 loosened",
            "colour in suites/shop.baseline.toml: facts pass -> fail (the new paint, #9)",
            "recorded answers of answers.jsonl: 1 changed",
        ],
    );
    // The base's baseline does not know of it: by its policy the question has regressed.
    let ended = project.run(&["run", "--policy-from", "main"]);
    assert_eq!(ended.code, 1, "{}", ended.both());
    tells(&ended, &["decided by the policy and the baselines of main (", "1 regressed", "facts pass -> fail"]);
}

#[test]
fn the_policy_of_the_base_decides_whatever_the_branch_makes_of_it() {
    let project = branch();
    answers(&project, PRICE, "It is blue.");
    project.write("thresholds.toml", "version = 1\nmode = \"advisory\"\nmax_regressed = 9\n");
    commit(&project);
    assert_eq!(project.run(&["run"]).code, 0);
    let ended = project.run(&["run", "--policy-from", "main"]);
    assert_eq!(ended.code, 1, "{}", ended.both());
    tells(&ended, &["GATE CLOSED", "mode: block -> advisory", "threshold shop.facts.rate (at least 0.6) is gone"]);
    // A profile may name it, and the environment.
    let profile = "[profile.pr]\npolicy_from = \"main\"\n";
    project.write("ragline.toml", &format!("{}{profile}", project_kit::RAGLINE));
    assert_eq!(project.run(&["run", "--profile", "pr"]).code, 1);
    assert_eq!(end(project.ragline(&["run"]).env("RAGLINE_POLICY_FROM", "main")).code, 1);
}

#[test]
fn a_suite_that_the_base_does_not_have_brings_its_own_baseline() {
    let project = branch();
    project.write(
        "suites/more.yaml",
        "version: 1\nlanguage: en\ntarget: answers\nquestions:\n  - { id: size, question: Large?, facts: [large] }\n",
    );
    assert_eq!(project.run(&["run", "--policy-from", "main"]).code, 2);
    assert_eq!(project.run(&["run"]).code, 2);
    let first = project.run(&["accept", "more", "--first"]);
    assert_eq!(first.code, 0, "{}", first.both());
    let ended = project.run(&["run", "--policy-from", "main"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    // Gone with its questions and its threshold, another suite is told of, and stops nothing by being gone.
    std::fs::remove_file(project.path().join("suites/shop.yaml")).unwrap();
    project.write("thresholds.toml", "version = 1\n");
    let ended = project.run(&["run", "--policy-from", "main"]);
    tells(&ended, &["suite shop is gone, with 3 questions"]);
}

#[test]
fn a_commit_that_is_not_there_is_an_error_when_it_was_named_and_a_note_when_ci_named_it() {
    let project = branch();
    for option in ["--policy-from", "--base"] {
        for name in ["origin/main", "--all", "no such"] {
            let ended = project.run(&["run", &format!("{option}={name}")]);
            assert_eq!(ended.code, 2, "{}", ended.both());
            assert!(ended.err.contains("base-unknown") && ended.err.contains("git fetch"), "{}", ended.both());
        }
    }
    let pull = [("GITHUB_ACTIONS", "true"), ("GITHUB_BASE_REF", "main")];
    let ended = end(project.ragline(&["run"]).envs(pull));
    assert_eq!(ended.code, 0, "{}", ended.both());
    assert!(ended.err.contains("what this branch changes of the measure is not shown"), "{}", ended.both());
    // With the remote's branch at hand it is compared.
    git(&project, &["update-ref", "refs/remotes/origin/main", "main"]);
    project.write("thresholds.toml", &POLICY.replace("max_regressed = 0", "max_regressed = 3"));
    let ended = end(project.ragline(&["run"]).envs(pull));
    tells(&ended, &["this branch changes the measure: 1 loosened", "max_regressed: 0 -> 3"]);
}

#[test]
fn a_project_in_a_folder_of_a_larger_repository_is_compared_with_itself() {
    let whole = Project::new();
    whole.write("bot/ragline.toml", project_kit::RAGLINE);
    whole.write("bot/suites/shop.yaml", SUITE);
    whole.write("bot/thresholds.toml", POLICY);
    whole.write("suites/other.yaml", "this is not a suite: [\n");
    git(&whole, &["init", "-q", "-b", "main"]);
    commit(&whole);
    answers(&whole, PRICE, "It is red.");
    std::fs::rename(whole.path().join("answers.jsonl"), whole.path().join("bot/answers.jsonl")).unwrap();
    whole.write("bot/thresholds.toml", &POLICY.replace("min = 0.6", "min = 0.95"));
    let ended = whole.run(&["-C", "bot", "run", "--base", "main"]);
    tells(
        &ended,
        &["this branch changes the measure: ", "tightened  threshold shop.facts.rate: at least 0.6 -> at least 0.95"],
    );
}

#[test]
fn a_quarantine_loosens_and_an_earlier_day_tightens_it() {
    let project = branch();
    assert_eq!(project.run(&["run"]).code, 0);
    let accept = |until: &str| {
        let args = ["accept", "size", "--quarantine", "--until", until, "--today", "2027-01-01", "--reason", "moved"];
        let ended = project.run(&args);
        assert_eq!(ended.code, 0, "{}", ended.both());
        commit(&project);
    };
    accept("2027-01-31");
    let line = "size in suites/shop.baseline.toml: ";
    tells(&project.run(&["run", "--base", "main"]), &["loosened", &format!("{line}stable -> quarantined")]);
    git(&project, &["branch", "quarantined"]);
    accept("2027-01-15");
    tells(
        &project.run(&["run", "--base", "quarantined"]),
        &[&format!("tightened  {line}until 2027-01-31 -> 2027-01-15")],
    );
}

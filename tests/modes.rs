//! Where a closed gate stops the build and where it only says so: by suite, tag, layer and profile; and what an accepted
//! failure does when its last day has passed.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod project_kit;

use project_kit::{Ended, Project, end};

const SHOP: &str = r#"version: 1
language: en
target: answers
questions:
  - { id: price, question: What does it cost?, facts: [15 dollars], tags: [money] }
  - { id: colour, question: Which colour is it?, facts: [red], tags: [look, trial] }
  - { id: size, question: How large is it?, facts: [large] }
"#;

const RIGHT: [(&str, &str); 3] =
    [("price", "It costs 15 dollars."), ("colour", "It is red."), ("size", "It is large.")];

fn answers(project: &Project, answers: &[(&str, &str)]) {
    let lines = answers.iter().map(|(id, text)| {
        let contexts = "[{\"doc\":\"a.md\",\"text\":\"It is red and large and costs 15 dollars.\"}]";
        format!("{{\"id\":\"{id}\",\"answer\":\"{text}\",\"contexts\":{contexts}}}\n")
    });
    project.write("answers.jsonl", &lines.collect::<String>());
}

/// Three questions that were accepted as right, and a policy.
fn shop(policy: &str) -> Project {
    let project = Project::new();
    project.write("suites/shop.yaml", SHOP);
    answers(&project, &RIGHT);
    assert_eq!(project.run(&["run"]).code, 2);
    assert_eq!(project.run(&["accept", "--first"]).code, 0);
    project.write("thresholds.toml", &format!("version = 1\n{policy}"));
    project
}

/// The same with some answers that are wrong now.
fn broken(policy: &str, wrong: &[(&str, &str)]) -> Project {
    let project = shop(policy);
    let now = RIGHT.map(|(id, right)| (id, wrong.iter().find(|(w, _)| *w == id).map_or(right, |(_, text)| *text)));
    answers(&project, &now);
    project
}

#[track_caller]
fn exits(ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, code, "{}", ended.both());
    for word in words {
        assert!(ended.out.contains(word), "`{word}`: {}", ended.both());
    }
}

const BLUE: (&str, &str) = ("colour", "It is blue.");
/// Wrong in facts and in numbers.
const DEAR: (&str, &str) = ("price", "It costs 90 dollars.");

#[test]
fn a_part_that_advises_is_told_and_lets_the_build_through() {
    for (policy, wrong, code) in [
        ("", BLUE, 1),
        ("[suite.shop]\nmode = \"advisory\"\n", BLUE, 0),
        ("[tag.trial]\nmode = \"advisory\"\n", BLUE, 0),
        ("[tag.money]\nmode = \"advisory\"\n", BLUE, 1),
        ("[suite.shop.tag.look]\nmode = \"advisory\"\n", BLUE, 0),
        ("[layer.facts]\nmode = \"advisory\"\n", BLUE, 0),
        // The other layer at fault still blocks.
        ("[layer.facts]\nmode = \"advisory\"\n", DEAR, 1),
        ("[layer.facts]\nmode = \"advisory\"\n[layer.numbers]\nmode = \"advisory\"\n", DEAR, 0),
        // Out of a policy that advises, one part after the other is made to block.
        ("mode = \"advisory\"\n", BLUE, 0),
        ("mode = \"advisory\"\n[suite.shop]\nmode = \"block\"\n", BLUE, 1),
        ("mode = \"advisory\"\n[layer.numbers]\nmode = \"block\"\n", BLUE, 0),
        ("mode = \"advisory\"\n[layer.numbers]\nmode = \"block\"\n", DEAR, 1),
        ("mode = \"advisory\"\n[tag.trial]\nmode = \"block\"\n", BLUE, 1),
    ] {
        let project = broken(policy, &[wrong]);
        let ended = project.run(&["run", "--junit", "j.xml", "--markdown", "m.md", "--results", "r.jsonl"]);
        assert_eq!(ended.code, code, "{policy}{}", ended.both());
        // What advises is told all the same, in every report.
        let (xml, markdown) = (project.read("j.xml"), project.read("m.md"));
        if code == 0 {
            exits(&ended, 0, &["GATE OPEN", "advisory: would have blocked (exit 1)", "1 regressed, at most 0"]);
            assert!(!xml.contains("<failure") && !xml.contains("<error"), "{policy}{xml}");
            assert!(xml.contains("would have blocked"), "{policy}{xml}");
            assert!(markdown.contains("1 regressed, at most 0"), "{policy}{markdown}");
        } else {
            assert!(xml.contains("<failure"), "{policy}{xml}");
        }
        assert_eq!(project.results("r.jsonl")[wrong.0]["change"], "regressed", "{policy}");
    }
}

#[test]
fn what_blocks_is_counted_apart_from_what_advises() {
    let policy = "max_regressed = 1\n[tag.trial]\nmode = \"advisory\"\n";
    // One that blocks, within what is tolerated; one that advises.
    let ended = broken(policy, &[BLUE, DEAR]).run(&["run"]);
    exits(&ended, 0, &["advisory: would have blocked (exit 1)", "2 regressed, at most 1"]);
    let ended = broken(policy, &[BLUE, DEAR, ("size", "It is small.")]).run(&["run"]);
    exits(&ended, 1, &["GATE CLOSED", "2 regressed, at most 1: price, size"]);
}

#[test]
fn unmeasured_stale_and_removed_questions_and_means_advise_with_their_part() {
    let project = shop("[suite.shop]\nmode = \"advisory\"\n\"facts.rate\" = 1.0\n");
    project.write(
        "answers.jsonl",
        "{\"id\":\"price\",\"error\":\"HTTP 500\"}\n{\"id\":\"colour\",\"answer\":\"Blue.\",\"contexts\":[]}\n",
    );
    project
        .write("suites/shop.yaml", &SHOP.replace("  - { id: size, question: How large is it?, facts: [large] }\n", ""));
    let words =
        ["1 unmeasured, at most 0: price", "1 in the baseline and not in the suite: size", "facts.rate value 0.000"];
    exits(&project.run(&["run"]), 0, &words);
    project.write("thresholds.toml", "version = 1\n[suite.shop]\n\"facts.rate\" = 1.0\n");
    exits(&project.run(&["run"]), 1, &words);
}

#[test]
fn a_policy_that_cannot_bind_is_an_error() {
    for (policy, code) in [
        ("[suite.shp]\nmode = \"advisory\"\n", "did you mean `shop`?"),
        ("[tag.trail]\nmode = \"advisory\"\n", "did you mean `trial`?"),
        ("[suite.shop.tag.lok]\nmode = \"advisory\"\n", "did you mean `look`?"),
        ("[layer.fact]\nmode = \"advisory\"\n", "did you mean `facts`?"),
        ("[layer.facts]\n", "states no `mode`"),
        ("[layer.facts]\nmode = \"advise\"\n", "expected one of `block`, `advisory`"),
        ("[profile.pr]\nmode = \"advisory\"\n", "no profile `pr`"),
        ("expired = \"never\"\n", "expected"),
    ] {
        let project = shop(policy);
        let ended = project.run(&["run"]);
        assert_eq!(ended.code, 2, "{policy}{}", ended.both());
        assert!(ended.err.contains(code), "`{code}`: {}", ended.both());
    }
}

#[test]
fn a_profile_takes_over_what_it_inherits_and_has_a_policy_of_its_own() {
    let project = broken("[profile.base]\nmode = \"advisory\"\n[profile.night]\nmode = \"block\"\n", &[BLUE]);
    let profiles = "[profile.base]\nselect = \"shop\"\nanswers = \"answers.jsonl\"\n\
                    [profile.pr]\ninherits = \"base\"\nselect = \"tag:look\"\n[profile.night]\ninherits = \"pr\"\n";
    project.write("ragline.toml", &format!("{}{profiles}", project_kit::RAGLINE));
    exits(&project.run(&["run"]), 1, &["1 regressed"]);
    exits(&project.run(&["run", "--profile", "base"]), 0, &["profile base", "advisory: would have blocked (exit 1)"]);
    // The nearest statement decides, and the words of the command come before all.
    exits(&project.run(&["run", "--profile", "pr"]), 0, &["advisory: would have blocked (exit 1)", "1 of 3"]);
    exits(&project.run(&["run", "--profile", "night"]), 1, &["GATE CLOSED", "1 of 3", "--profile night"]);
    exits(&project.run(&["run", "--profile", "night", "price"]), 0, &["GATE OPEN"]);
}

#[test]
fn profiles_that_lead_nowhere_or_in_a_circle_are_errors() {
    for (profiles, word) in [
        ("[profile.a]\ninherits = \"b\"\n[profile.b]\ninherits = \"a\"\n", "inherits from itself: a -> b"),
        ("[profile.a]\ninherits = \"a\"\n", "inherits from itself"),
        ("[profile.pr]\ninherits = \"nigth\"\n[profile.night]\n", "did you mean `night`?"),
    ] {
        let project = shop("");
        project.write("ragline.toml", &format!("{}{profiles}", project_kit::RAGLINE));
        let ended = project.run(&["run"]);
        assert_eq!(ended.code, 2, "{profiles}{}", ended.both());
        assert!(ended.err.contains(word), "`{word}`: {}", ended.both());
    }
}

/// An accepted failure that was to be mended by the first of March.
fn overdue(policy: &str) -> Project {
    let project = broken("", &[BLUE]);
    assert_eq!(project.run(&["run"]).code, 1);
    let words = ["accept", "colour", "--reason", "the painter is ill, #7", "--until", "2027-03-01"];
    assert_eq!(project.run(&words).code, 0);
    project.write("thresholds.toml", &format!("version = 1\n{policy}"));
    project
}

#[test]
fn an_accepted_failure_that_is_overdue_blocks_on_the_main_branch_only() {
    const PULL: &[(&str, &str)] = &[("GITHUB_ACTIONS", "true"), ("GITHUB_BASE_REF", "main")];
    const MAIN: &[(&str, &str)] = &[("GITHUB_ACTIONS", "true"), ("GITHUB_REF", "refs/heads/main")];
    const OTHER: &[(&str, &str)] = &[("GITLAB_CI", "true"), ("CI_COMMIT_BRANCH", "feature")];
    for (policy, variables, code) in [
        ("", PULL, 0),
        ("", OTHER, 0),
        ("", MAIN, 1),
        // Where nothing is known it blocks.
        ("", &[][..], 1),
        ("main = [\"trunk\", \"feature\"]\n", OTHER, 1),
        ("main = [\"trunk\"]\n", MAIN, 0),
        ("expired = \"block\"\n", PULL, 1),
        ("expired = \"warn\"\n", MAIN, 0),
    ] {
        let project = overdue(policy);
        let run = |day: &str| end(project.ragline(&["run", "--today", day]).envs(variables.iter().copied()));
        assert_eq!(run("2027-03-01").code, 0, "the last day itself");
        let ended = run("2027-03-02");
        assert_eq!(ended.code, code, "{policy}{variables:?}{}", ended.both());
        assert!(ended.out.contains("1 expired"), "{}", ended.both());
    }
}

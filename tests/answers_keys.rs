//! Runs where a key is missing: what stops, what goes on, and what nobody may take for a whole run.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice)]

mod answers_kit;
mod binary_kit;
mod project_kit;

use answers_kit::{BOT, FOUR, SHOP, calls, run_with, shop, suite};
use binary_kit::{Folder, outcome};
use project_kit::end;

const TOKEN: &str = "SHOP_TOKEN_OF_TEST";
const SET: [(&str, &str); 1] = [(TOKEN, "sesame-4711")];

/// The settings of a target that needs a key.
fn keyed() -> String {
    SHOP.replace("\"bot.sh\"]", &format!("\"bot.sh\", \"${{{TOKEN}}}\"]"))
}

/// A project with q1 and q2 on file and q3, q4 new; each judged by itself.
fn half() -> Folder {
    let folder = shop(&keyed(), &FOUR[..2]);
    run_with(&folder, &SET, &["run", "--answers", "fill"]).exits(0);
    assert_eq!(calls(&folder), 2);
    folder.write("suites/shop.yaml", suite(&FOUR).as_bytes());
    folder
}

#[test]
fn a_missing_key_stops_the_run_before_the_first_call() {
    let folder = shop(&keyed(), &FOUR);
    folder.write("suites/more.yaml", suite(&FOUR).replace("suite: shop", "suite: more").as_bytes());
    folder.write(
        "suites/other.yaml",
        suite(&FOUR).replace("suite: shop", "suite: other").replace("target: shop", "target: two").as_bytes(),
    );
    let two = SHOP.replace("version = 1\n", "").replace("targets.shop", "targets.two");
    let two = two.replace("\"bot.sh\"]", "\"bot.sh\", \"${SECOND_KEY_OF_TEST}\"]");
    folder.write("ragline.toml", format!("{}{two}", keyed()).as_bytes());
    // Empty is absent.
    for variables in [&[][..], &[(TOKEN, "")][..]] {
        let ran = run_with(&folder, variables, &["run"]).exits(2);
        assert_eq!(ran.err.matches("error[env-missing]").count(), 1, "one message:\n{}", ran.err);
        for word in [TOKEN, "SECOND_KEY_OF_TEST", "target `shop`, suites more, shop", "target `two`, suite other"] {
            assert!(ran.err.contains(word), "{word} is not in:\n{}", ran.err);
        }
        assert_eq!(calls(&folder), 0);
        assert!(folder.runs().is_empty());
    }
    // Only what the run asks.
    let ran = run_with(&folder, &SET, &["run", "shop"]).exits(0);
    assert!(!ran.err.contains("SECOND_KEY"), "{}", ran.err);
}

#[test]
fn a_replay_needs_no_key() {
    let folder = half();
    folder.write("suites/shop.yaml", suite(&FOUR[..2]).as_bytes());
    run_with(&folder, &[], &["run", "--answers", "replay"]).exits(0);
    // All that is asked for is on file.
    run_with(&folder, &[], &["run", "--answers", "fill"]).exits(0);
    assert_eq!(calls(&folder), 0);
    folder.write("suites/shop.yaml", suite(&FOUR).as_bytes());
    run_with(&folder, &[], &["run", "--answers", "fill"]).exits(2).says(&[TOKEN]);
    assert_eq!(calls(&folder), 0);
}

#[test]
fn without_keys_what_is_on_file_is_judged_and_the_rest_is_left_out() {
    let folder = half();
    let ran = run_with(&folder, &[], &["run", "--without-keys", "--junit", "j.xml", "--markdown", "m.md"]).exits(0);
    assert_eq!(calls(&folder), 0, "nothing is sent, with or without a key");
    let said = format!("gate not evaluated in full: 2 questions not asked for want of {TOKEN}");
    assert_eq!(ran.out.lines().next(), Some(said.as_str()));
    assert!(folder.read("m.md").contains("gate not evaluated in full"));
    let results = folder.results();
    assert_eq!(outcome(&results["q1"], "facts"), "pass");
    assert_eq!(results["q3"]["change"], "not_asked");
    let xml = folder.read("j.xml");
    let xml = roxmltree::Document::parse(&xml).unwrap();
    let case = xml.descendants().find(|n| n.attribute("name") == Some("q3")).unwrap();
    let skipped = case.children().find(|n| n.has_tag_name("skipped")).unwrap();
    assert_eq!(skipped.attribute("message"), Some(format!("not asked: {TOKEN} is not set").as_str()));
    // The variable is the twin of the flag; with the key at hand neither changes anything.
    run_with(&folder, &[("RAGLINE_WITHOUT_KEYS", "1")], &["run"]).exits(0);
    run_with(&folder, &[("RAGLINE_WITHOUT_KEYS", "perhaps")], &["run"]).exits(2);
    assert_eq!(calls(&folder), 0);
    let ran = run_with(&folder, &SET, &["run", "--without-keys"]).exits(0);
    assert!(!ran.out.contains("gate not evaluated"), "{}", ran.out);
    assert_eq!(calls(&folder), 4);
}

#[test]
fn without_keys_what_regressed_still_closes() {
    let folder = half();
    let broken = folder.read("recordings/shop.jsonl").replacen("seven days", "nine weeks", 1);
    folder.write("recordings/shop.jsonl", broken.as_bytes());
    run_with(&folder, &[], &["run", "--without-keys"]).exits(1);
}

#[test]
fn without_keys_and_without_answers_nothing_is_measured() {
    let folder = shop(&keyed(), &FOUR);
    let ran = run_with(&folder, &[], &["run", "--without-keys"]).exits(3);
    assert!(ran.out.starts_with("gate not evaluated in full: 4 questions not asked"), "{}", ran.out);
    assert!(ran.out.contains("nothing at all was measured"), "{}", ran.out);
    assert_eq!(calls(&folder), 0);
}

#[test]
fn rules_of_the_whole_suite_wait_for_the_whole_suite() {
    let folder = half();
    folder.write(
        "thresholds.toml",
        b"version = 1\nbaseline = \"none\"\n[suite.shop]\n\"facts.rate\" = { min = 1.0, bound = \"lower\" }\n",
    );
    // Of two passes the lower bound is far below 1, so the rule would close the gate if it were evaluated.
    run_with(&folder, &[], &["run", "--without-keys"]).exits(0);
    run_with(&folder, &SET, &["run"]).exits(1);
}

#[test]
fn a_run_without_keys_cannot_be_accepted() {
    let folder = half();
    std::fs::remove_file(folder.path().join("thresholds.toml")).unwrap();
    run_with(&folder, &[], &["run", "--without-keys"]).exits(2);
    for args in [&["accept", "--first"][..], &["accept", "q1"], &["accept", "all"]] {
        let ran = folder.run(args).exits(2);
        assert!(ran.err.contains("run-without-keys") && ran.err.contains(TOKEN), "{}", ran.err);
    }
    assert!(!folder.path().join("suites/shop.baseline.toml").exists());
    // A whole run is accepted as ever.
    run_with(&folder, &SET, &["run"]).exits(2);
    folder.run(&["accept", "--first"]).exits(0);
}

#[test]
fn a_subject_that_was_accepted_leaves_nothing_to_measure() {
    let folder = shop(SHOP, &FOUR);
    std::fs::remove_file(folder.path().join("thresholds.toml")).unwrap();
    folder.run(&["run", "--answers", "fill"]).exits(2);
    folder.run(&["accept", "--first"]).exits(0);
    calls(&folder);
    let header = binary_kit::lines(&folder.read("suites/shop.accepted.jsonl")).next().unwrap();
    let subject = header["subject"].as_str().unwrap().to_owned();
    let note = format!("nothing to measure: this is the subject that was accepted ({})", &subject[..7]);
    for answers in ["replay", "fill"] {
        folder.run(&["run", "--answers", answers]).exits(0).says(&[&note]);
    }
    assert_eq!(calls(&folder), 0);
    assert!(!folder.run(&["run"]).exits(0).err.contains("nothing to measure"), "a live run measures");
    // The rules of today still judge: the expectation changed, so the note is no verdict.
    let other = suite(&FOUR).replacen("seven days", "nine weeks", 1);
    folder.write("suites/shop.yaml", other.as_bytes());
    folder.run(&["run", "--answers", "replay"]).exits(1).says(&[&note]);
    // Another subject is something to measure.
    folder.write("suites/shop.yaml", suite(&FOUR).as_bytes());
    folder.write("bot2.sh", BOT.as_bytes());
    folder.write("ragline.toml", SHOP.replace("bot.sh", "bot2.sh").as_bytes());
    let ran = folder.run(&["run", "--answers", "fill"]).exits(0);
    assert!(!ran.err.contains("nothing to measure"), "{}", ran.err);
    assert_eq!(calls(&folder), 8);
}

/// What was accepted in part from a new subject is not taken for accepted whole.
#[test]
fn a_part_that_was_accepted_keeps_its_own_subject() {
    let folder = shop(SHOP, &FOUR);
    std::fs::remove_file(folder.path().join("thresholds.toml")).unwrap();
    folder.run(&["run", "--answers", "fill"]).exits(2);
    folder.run(&["accept", "--first"]).exits(0);
    let before = folder.read("suites/shop.accepted.jsonl");
    folder.write("bot2.sh", BOT.replace("It takes seven days.", "It takes seven days, mostly.").as_bytes());
    folder.write("ragline.toml", SHOP.replace("bot.sh", "bot2.sh").as_bytes());
    folder.run(&["run", "--answers", "fill"]).exits(0);
    folder.run(&["accept", "q2"]).exits(0);
    let after = folder.read("suites/shop.accepted.jsonl");
    let changed: Vec<&str> = after.lines().zip(before.lines()).filter(|(a, b)| a != b).map(|(a, _)| a).collect();
    assert_eq!(changed.len(), 1, "one line changes:\n{after}");
    assert!(changed[0].contains("\"id\":\"q2\"") && changed[0].contains("\"subject\":"), "{}", changed[0]);
    assert!(!folder.run(&["run", "--answers", "fill"]).exits(0).err.contains("nothing to measure"));
    folder.run(&["accept", "all"]).exits(0);
    let whole = folder.read("suites/shop.accepted.jsonl");
    assert_eq!(whole.matches("\"subject\":").count(), 1, "one subject for all stands in the first line:\n{whole}");
    folder.run(&["run", "--answers", "fill"]).exits(0).says(&["nothing to measure"]);
}

/// The harness of this repository on a project: its exit and all that it said.
fn harness(folder: &Folder, variables: &[(&str, &str)]) -> (i32, String) {
    let mut harness = project_kit::command(project_kit::rag_suite());
    let ended = end(harness.env("RAGLINE_DIRECTORY", folder.path()).envs(variables.iter().copied()));
    (ended.code, ended.both())
}

#[test]
fn in_the_harness_a_missing_key_is_loud_here_and_fails_in_ci() {
    let folder = shop(&keyed(), &FOUR);
    let (code, said) = harness(&folder, &[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("NOTHING IS CHECKED") && said.contains(TOKEN), "{said}");
    assert!(said.contains("0 passed; 0 failed"), "{said}");
    for ci in ["CI", "RAGLINE_REQUIRE"] {
        let (code, said) = harness(&folder, &[(ci, "1")]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(TOKEN), "{said}");
    }
    let (code, said) = harness(&folder, &SET);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("test shop::q1"), "{said}");
    assert_eq!(calls(&folder), 4);
}

/// Whatever part of an address a variable stands for, a run that calls nobody needs no value for it.
#[cfg(feature = "http")]
#[test]
fn a_target_over_http_opens_without_its_variables() {
    for (url, more) in [
        ("${BASE_OF_TEST}/chat", ""),
        ("http://${HOST_OF_TEST}:${PORT_OF_TEST}/chat/${PATH_OF_TEST}", ""),
        ("http://127.0.0.1:9/chat", "proxy = \"${PROXY_OF_TEST}\"\n"),
        ("http://127.0.0.1:9/chat", "start = \"sh ${START_OF_TEST}\"\nready = \"${READY_OF_TEST}/health\"\n"),
    ] {
        let settings = format!(
            "version = 1\n[targets.shop]\nkind = \"http\"\nurl = \"{url}\"\n\
             headers = {{ Authorization = \"Bearer ${{{TOKEN}}}\" }}\n\
             body = '{{\"message\": {{{{ question | tojson }}}}}}'\nresponse = {{ answer = \"$.answer\" }}\n{more}"
        );
        let folder = shop(&settings, &FOUR);
        let ran = run_with(&folder, &[], &["run"]).exits(2).says(&["env-missing", TOKEN]);
        assert_eq!(ran.err.matches("error[env-missing]").count(), 1, "{url} {more}\n{}", ran.err);
        let ran = run_with(&folder, &[], &["run", "--without-keys"]).exits(3);
        assert!(ran.out.starts_with("gate not evaluated in full: 4 questions not asked"), "{url}: {}", ran.out);
        // With an answer of an earlier day on file, whose request nobody knows, it is stale or another request: not green.
        folder.write("recordings/shop.jsonl", b"{\"id\":\"q1\",\"answer\":\"It takes seven days.\"}\n");
        run_with(&folder, &[], &["run", "--answers", "replay"]).exits(3);
    }
}

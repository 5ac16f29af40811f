//! Exits, reports that cannot be written, and baselines.

use crate::{GOOD, HEADER, ONE, RUN, project, questions, refused};

/// F09: a code, never a count; and a report that was asked for and is missing is not success.
#[test]
fn the_exit_is_a_code() {
    for n in [1, 255, 256, 257, 512] {
        let ids: Vec<String> = (0..n).map(|i| format!("q{i}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let answers: String = ids.iter().map(|id| format!("{{\"id\":\"{id}\",\"answer\":\"never\"}}\n")).collect();
        project(&questions(&ids), format!("{HEADER}{answers}")).run(&RUN).exits(1);
    }
    let folder = project(ONE, format!("{HEADER}{GOOD}"));
    folder.write("file", b"x");
    for (option, path) in [("--junit", "file/j.xml"), ("--results", "file/r.jsonl"), ("--markdown", "suites")] {
        folder.run(&[&RUN[..], &[option, path]].concat()).exits(5).says(&[path, "exit 5"]);
    }
    assert_eq!(folder.read("file"), "x");
}

/// A device is written to, never replaced by a file.
#[cfg(target_os = "linux")]
#[test]
fn a_device_stays_a_device() {
    let folder = project(ONE, format!("{HEADER}{GOOD}"));
    folder.run(&[&RUN[..], &["--junit", "/dev/null"]].concat()).exits(0);
    folder.run(&[&RUN[..], &["--results", "/dev/full"]].concat()).exits(5).says(&["/dev/full", "No space left"]);
    folder.run(&[&RUN[..], &["--results", "/dev/stdout"]].concat()).exits(0).shows(&["\"kind\":\"results\""]);
    for device in ["/dev/null", "/dev/full"] {
        assert!(!std::fs::metadata(device).unwrap().is_file(), "{device} was replaced by a file");
    }
}

/// D05.
#[test]
fn a_baseline_is_there_or_not_or_broken() {
    let with = |baseline: Option<&str>| {
        let folder = project(ONE, format!("{HEADER}{GOOD}"));
        folder.write("thresholds.toml", b"version = 1\n");
        if let Some(text) = baseline {
            folder.write("suites/s.baseline.toml", text.as_bytes());
        }
        folder
    };
    // Not there: exit 2, says how to make one, and makes none.
    let folder = with(None);
    let before = folder.files();
    folder.run(&RUN).exits(2).shows(&["no baseline yet: suites/s.baseline.toml", "ragline accept --first"]);
    assert!(before == folder.files());
    for (text, words) in [
        ("", "this is not a baseline"),
        ("[baseline]\nversion = 2\n", "this version of the format is not known here"),
        ("[baseline]\nversion = 1\nextra = 1\n", "extra"),
        ("[baseline]\nversion = 1\n[question.\"q1\"]\nfacts = \"maybe\"\n", "suites/s.baseline.toml:4:"),
        ("<<<<<<< ours\n[baseline]\nversion = 1\n", "suites/s.baseline.toml:1:"),
        ("{\"version\":1}", "suites/s.baseline.toml:1:"),
    ] {
        refused(&with(Some(text)), &RUN).says(&[words, "suites/s.baseline.toml"]);
    }
    // There, without a question that passes: new. Without one that fails: closed.
    let none = "[baseline]\nversion = 1\nmeasure = \"0\"\n";
    with(Some(none)).run(&RUN).exits(0).shows(&["1 new pass"]);
    let folder = with(Some(none));
    folder.write("r.jsonl", format!("{HEADER}{}", GOOD.replace("14 days", "never")).as_bytes());
    folder.run(&RUN).exits(1).shows(&["new, fails"]);
}

/// D07: outcomes under other rules are not compared, and not taken for equal.
#[test]
fn a_baseline_of_other_rules_is_scored_again_or_not_compared() {
    let folder = project(ONE, format!("{HEADER}{GOOD}"));
    folder.write("thresholds.toml", b"version = 1\n");
    folder.run(&RUN).exits(2);
    folder.run(&["accept", "--first", "--reason", "as it is"]).exits(0);
    let baseline = folder.read("suites/s.baseline.toml");
    let measure = baseline.lines().find(|l| l.starts_with("measure")).unwrap();
    for other in ["measure = \"0000000000000000\"", ""] {
        folder.write("suites/s.baseline.toml", baseline.replace(measure, other).as_bytes());
        // The accepted answer says the same under the rules of today.
        folder.run(&RUN).exits(0).shows(&["1 unchanged"]);
        let answers = folder.read("suites/s.accepted.jsonl");
        std::fs::remove_file(folder.path().join("suites/s.accepted.jsonl")).unwrap();
        let before = folder.files();
        folder.run(&RUN).exits(3).shows(&["1 incomparable", "no accepted answer"]);
        assert!(before == folder.files(), "a run wrote to the project");
        folder.write("suites/s.accepted.jsonl", answers.as_bytes());
    }
}

/// Files of the last run that are broken are not accepted, and the baseline stays as it is.
#[test]
fn accept_refuses_a_run_that_is_not_whole() {
    for (file, content) in [
        ("run.json", "{"),
        ("run.json", "{\"version\":9}"),
        ("results.jsonl", "{\"suite\":\"s\""),
        ("results.jsonl", ""),
        ("journal.jsonl", "{\"suite\":\"s\",\"id\":\"q1\",\"response\":{\"nothing\":1}}\n"),
    ] {
        let folder = project(ONE, format!("{HEADER}{GOOD}"));
        folder.write("thresholds.toml", b"version = 1\n");
        folder.run(&RUN).exits(2);
        let before = folder.files();
        std::fs::write(folder.last_run().join(file), content).unwrap();
        let ran = folder.run(&["accept", "--first", "--reason", "x"]).exits(2);
        assert!(ran.err.contains("error"), "{file} {content}: {}", ran.err);
        assert!(before == folder.files(), "{file} {content}: the project changed");
    }
    // No run at all.
    let folder = project(ONE, GOOD);
    folder.run(&["accept", "--first", "--reason", "x"]).exits(2).says(&["there is no run yet"]);
}

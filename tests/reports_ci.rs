//! The reports of a CI job through the binary: GitHub's files and commands, runs that never began, forms of JUnit.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;
mod case_kit;

use binary_kit::{Folder, Ran};
use case_kit::run_with;

const SUITE: &str = "version: 1\nsuite: s\nlanguage: en\nquestions:\n  - { id: q1, question: When?, facts: [\"09:00\"] }\n  - { id: q2, question: Where?, facts: [Main Street] }\n";
const FIRST: &str =
    "{\"id\":\"q1\",\"answer\":\"It opens at 09:00.\"}\n{\"id\":\"q2\",\"answer\":\"On Main Street.\"}\n";
const WORSE: &str = "{\"id\":\"q1\",\"answer\":\"At 10:00.\\n::error::forged\\n##[error]forged\",\"contexts\":[{\"doc\":\"hours.md\",\"section\":[\"Hours\"],\"text\":\"It opens at 09:00 on <b>workdays</b>.\"}]}\n{\"id\":\"q2\",\"answer\":\"On Main Street.\"}\n";

/// A project in the folder `rag` of a repository, accepted, whose first question is answered worse by now.
fn project() -> Folder {
    let folder = Folder::with(&[
        ("rag/ragline.toml", "version = 1\n"),
        ("rag/suites/s.yaml", SUITE),
        ("rag/answers.jsonl", FIRST),
        ("rag/thresholds.toml", "version = 1\n"),
    ]);
    folder.run(&RUN).exits(2);
    folder.run(&["-C", "rag", "accept", "--first", "--reason", "first"]).exits(0);
    folder.write("rag/answers.jsonl", WORSE.as_bytes());
    folder
}

const RUN: [&str; 5] = ["-C", "rag", "run", "--answers", "rag/answers.jsonl"];

/// Runs as GitHub's runner does, with these words more.
fn on_github(folder: &Folder, more: &[&str]) -> Ran {
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (summary, output, workspace) = (path("summary.md"), path("output.txt"), path(""));
    let variables = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_STEP_SUMMARY", summary.as_str()),
        ("GITHUB_OUTPUT", output.as_str()),
        ("GITHUB_WORKSPACE", workspace.as_str()),
    ];
    run_with(folder, &variables, &[&RUN[..], more].concat()).0
}

/// The workflow commands that the runner would carry out, by its own rules: those between `stop-commands` and its token not.
fn commands(out: &str) -> Vec<String> {
    let mut stopped: Option<String> = None;
    let mut found = Vec::new();
    for line in out.lines() {
        let line = line.trim_start();
        let name = line.strip_prefix("::").and_then(|l| l.split_once("::")).map(|(info, _)| info);
        match (&stopped, name) {
            (Some(token), Some(name)) if name == token => stopped = None,
            (Some(_), _) => {}
            (None, Some("stop-commands")) => stopped = line.rsplit_once("::").map(|(_, token)| token.to_owned()),
            (None, Some(_)) => found.push(line.to_owned()),
            (None, None) => assert!(!line.contains("##["), "{line}"),
        }
    }
    assert_eq!(stopped, None, "commands were not taken up again:\n{out}");
    found
}

#[test]
fn github_is_told_at_the_line_of_the_suite() {
    let folder = project();
    folder.write("summary.md", b"from before\n");
    let ran = on_github(&folder, &[]).exits(1);
    let found = commands(&ran.out);
    assert_eq!(found.len(), 1, "{}", ran.out);
    assert!(
        found[0].starts_with("::error file=rag/suites/s.yaml,line=5,title=regressed%3A s%3A%3Aq1::question  When?%0A"),
        "{}",
        found[0]
    );
    // No line of the report is a command either, should nobody stop them.
    assert!(!ran.out.lines().any(|l| l.trim_start().starts_with("::error::forged")), "{}", ran.out);
    let summary = folder.read("summary.md");
    assert!(summary.starts_with("from before\n<!-- ragline report "), "{summary}");
    assert!(
        summary.contains("### ❌ GATE CLOSED · s\n")
            && summary.contains("<b>passage 1</b> hours.md › Hours: It opens at 09:00 on &#60;b&#62;workdays"),
        "{summary}"
    );
    let output = folder.read("output.txt");
    for line in [
        "decision=closed",
        "exit=1",
        "exit_if_blocking=1",
        "advisory=false",
        "regressed=1",
        "unchanged=1",
        "unmeasured=0",
    ] {
        assert!(output.lines().any(|l| l == line), "{line} is not in {output}");
    }
    // A second command of the step is put behind the first.
    on_github(&folder, &[]).exits(1);
    assert_eq!(folder.read("summary.md").matches("GATE CLOSED").count(), 2);
}

#[test]
fn github_is_told_nothing_where_it_is_switched_off_or_away() {
    let folder = project();
    let ran = on_github(&folder, &["--github=off"]).exits(1);
    assert!(!ran.out.contains("::error file") && !ran.out.contains("stop-commands"), "{}", ran.out);
    assert!(!folder.path().join("summary.md").exists() && !folder.path().join("output.txt").exists());
    let (ran, _) = run_with(&folder, &[("GITHUB_ACTIONS", "false")], &RUN);
    assert!(!ran.out.contains("::error file"), "{}", ran.out);
    // Asked for elsewhere: the lines, and no file that nobody named.
    let (ran, _) = run_with(&folder, &[], &[&RUN[..], &["--github"]].concat());
    assert_eq!(commands(&ran.exits(1).out).len(), 1);
}

/// What GitHub refuses for its size is kept below it, together with what the step wrote before.
#[test]
fn the_summary_of_a_step_stays_below_a_mebibyte() {
    let folder = project();
    for used in [(1 << 20) - 2_000, (1 << 20) + 5_000] {
        folder.write("summary.md", &vec![b'x'; used]);
        on_github(&folder, &[]).exits(1);
        let now = folder.read("summary.md").len();
        assert!(now <= (1 << 20).max(used), "{now}");
    }
}

#[test]
fn a_summary_that_cannot_be_written_is_exit_5_and_the_verdict_wins() {
    let folder = project();
    let nowhere = folder.path().join("rag").to_str().unwrap().to_owned();
    let variables = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", nowhere.as_str())];
    run_with(&folder, &variables, &RUN).0.exits(1).says(&["cannot write the report"]);
    folder.write("rag/answers.jsonl", FIRST.as_bytes());
    run_with(&folder, &variables, &RUN).0.exits(5).says(&["cannot write the report"]);
}

/// Nobody is left with the comment, the file or the green of the run before.
#[test]
fn a_run_that_never_began_stands_in_every_report() {
    let folder = project();
    let files =
        ["--junit", "j.xml", "--markdown", "m.md", "--sarif", "s.json", "--results", "r.jsonl", "--title", "PR"];
    on_github(&folder, &files).exits(1);
    let mark = |text: &str| text.lines().next().unwrap().to_owned();
    let before = mark(&folder.read("m.md"));
    folder.write("rag/suites/s.yaml", SUITE.replace("facts", "factz").as_bytes());
    let ran = on_github(&folder, &files).exits(2);
    let found = commands(&ran.out);
    assert_eq!(found.len(), 4, "{}", ran.out);
    let unknown = "::error file=rag/suites/s.yaml,line=5,title=gate%3A unknown-key::unknown key `factz`";
    assert!(found.iter().any(|f| f.starts_with(unknown)), "{found:?}");
    let xml = folder.read("j.xml");
    let doc = roxmltree::Document::parse(&xml).unwrap();
    let errors: Vec<_> = doc.descendants().filter(|n| n.has_tag_name("error")).collect();
    assert_eq!(errors.len(), 4, "{xml}");
    assert_eq!(errors[0].parent().unwrap().attribute("classname"), Some("rag.gate"));
    let markdown = folder.read("m.md");
    assert_eq!(mark(&markdown), before, "the comment of the run before is replaced");
    assert!(markdown.contains("### ❌ NOT DECIDED · PR\n") && markdown.contains("factz"), "{markdown}");
    let log: serde_json::Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false);
    assert!(!folder.path().join("r.jsonl").exists(), "there are no results");
    assert!(folder.read("output.txt").ends_with("unchanged=0\nobserved=0\n"));
    assert!(folder.read("output.txt").contains("decision=usage\nexit=2\n"));
    // Nothing selected is no success either.
    folder.write("rag/suites/s.yaml", SUITE.as_bytes());
    folder.run(&[&RUN[..], &["s::nothing", "--junit", "j.xml"]].concat()).exits(4);
    assert!(folder.read("j.xml").contains("<error"), "{}", folder.read("j.xml"));
}

#[test]
fn junit_is_written_as_asked() {
    let folder = project();
    folder.run(&RUN).exits(1);
    folder.run(&["-C", "rag", "accept", "s::q1", "--reason", "known", "--until", "2099-01-01"]).exits(0);
    let xml = |more: &[&str]| {
        folder.run(&[&RUN[..], &["--junit", "j.xml"], more].concat()).exits(0);
        folder.read("j.xml")
    };
    let usual = xml(&[]);
    assert!(
        usual.contains("<skipped message=\"known failure: known (until 2099-01-01)\"") && !usual.contains(" time="),
        "{usual}"
    );
    assert_eq!(xml(&[]), usual, "the same bytes");
    assert!(!xml(&["--junit-known", "pass"]).contains("<skipped message=\"known"));
    assert!(xml(&["--junit-known", "failure"]).contains("<failure message=\"FAIL -&gt; FAIL facts"));
    assert!(!xml(&["--junit-dialect", "strict"]).contains(" line="));
    let timed = xml(&["--junit-times"]);
    let times = regex::Regex::new(r#" time="([^"]*)""#).unwrap();
    let all: Vec<_> = times.captures_iter(&timed).map(|c| c[1].to_owned()).collect();
    let plain = regex::Regex::new(r"^\d+\.\d{3}$").unwrap();
    assert!(all.len() > 4 && all.iter().all(|t| plain.is_match(t)), "{timed}");
    folder.run(&[&RUN[..], &["--junit-known", "green"]].concat()).exits(2).says(&["pass, skipped, failure"]);
}

/// Hostile names of files: they stand in every report.
#[cfg(unix)]
#[test]
fn a_hostile_file_name_stays_text() {
    let name = "suites/a|b `<b>` ::x %0A 七 ]]>.yaml";
    let folder = Folder::with(&[
        ("ragline.toml", "version = 1\n"),
        (name, SUITE),
        ("answers.jsonl", WORSE),
        ("thresholds.toml", "version = 1\nbaseline = \"none\"\n"),
    ]);
    let args = ["run", "--answers", "answers.jsonl", "--junit", "j.xml", "--markdown", "m.md", "--sarif", "s.json"];
    let (ran, _) = run_with(&folder, &[("GITHUB_ACTIONS", "true")], &args);
    assert_eq!(commands(&ran.exits(1).out).len(), 1);
    let xml = folder.read("j.xml");
    let doc = roxmltree::Document::parse(&xml).unwrap();
    let case = doc.descendants().find(|n| n.attribute("name") == Some("q1")).unwrap();
    assert_eq!(case.attribute("file"), Some(name));
    assert!(
        folder.read("s.json").contains("suites/a%7Cb%20%60%3Cb%3E%60%20%3A%3Ax%20%250A%20%E4%B8%83%20%5D%5D%3E.yaml")
    );
    assert!(folder.read("m.md").contains("suites/a&#124;b &#96;&#60;b&#62;&#96;"));
}

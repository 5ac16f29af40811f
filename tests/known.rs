//! `ragline known`, and the warning before the last day of an accepted failure.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod project_kit;

use project_kit::{Ended, Project};
use serde_json::Value;

/// Two suites; one of them has a baseline for another target too. Failures with and without a last day, a flaky question, one
/// that the suite no longer holds.
fn project() -> Project {
    let project = Project::new();
    project.write(
        "ragline.toml",
        &format!("{}[targets.other]\nkind = \"recorded\"\nfile = \"other.jsonl\"\n", project_kit::RAGLINE),
    );
    let questions = |ids: &[&str]| -> String {
        ids.iter()
            .map(|id| {
                format!("  - id: {id}\n    question: What does {id} say?\n    facts: [red]\n    tags: [t-{id}]\n")
            })
            .collect()
    };
    let suite = |ids: &[&str]| format!("version: 1\nlanguage: en\ntarget: answers\nquestions:\n{}", questions(ids));
    let ids = ["q1", "q2", "q3", "q4", "q5"];
    project.write("suites/shop.yaml", &suite(&ids).replace("id: q1\n", "id: q1\n    owner: paint-shop\n"));
    project.write("suites/club.yaml", &suite(&["c1"]));
    let block = |id: &str, more: &str| {
        format!("\n# What does {id} say?\n[question.\"{id}\"]\nexpects = \"{{expects:{id}}}\"\n{more}")
    };
    let fails = |reason: &str, more: &str| format!("facts = \"fail\"\nreason = \"{reason}\"\n{more}");
    let head =
        "# Written by `ragline accept`. Review it like code.\n[baseline]\nversion = 1\nmeasure = \"{measure}\"\n";
    let shop = [
        block("gone", &fails("old", "until = \"2027-03-01\"\n")).replace("{expects:gone}", "00000000"),
        block("q1", &fails("=cmd|'/C calc'!A0", "")),
        block("q2", &fails("blue \\u001b[31mpaint", "owner = \"cskh\"\nissue = \"#412\"\nuntil = \"2027-01-31\"\n")),
        block("q3", &fails("two models", "until = \"2026-12-01\"\nstability = \"flaky\"\nfloor = \"7/10\"\n")),
        block("q4", &fails("was to be mended", "owner = \"cskh\"\nuntil = \"2026-11-01\"\n")),
        block("q5", "facts = \"pass\"\n"),
    ];
    project.write("suites/shop.baseline.toml", &project.fill(&format!("{head}{}", shop.concat())));
    let club = block("c1", &fails("late", "until = \"2027-02-01\"\n")).replace("{expects:c1}", "11111111");
    project.write("suites/club.other.baseline.toml", &project.fill(&format!("{head}{club}")));
    project
}

const TODAY: [&str; 2] = ["--today", "2027-01-30"];

#[track_caller]
fn known(project: &Project, args: &[&str]) -> Ended {
    let ended = project.run(&[&["known"], args, &TODAY[..]].concat());
    assert_eq!(ended.code, 0, "{args:?}: {}", ended.both());
    ended
}

/// The ids of the JSON lines, in their order.
fn ids(project: &Project, args: &[&str]) -> Vec<String> {
    lines(project, args).iter().map(|v| v["id"].as_str().unwrap().to_owned()).collect()
}

fn lines(project: &Project, args: &[&str]) -> Vec<Value> {
    let ended = known(project, &[args, &["--json"]].concat());
    ended.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn what_ends_first_comes_first() {
    let project = project();
    let all = lines(&project, &[]);
    let got: Vec<(&str, &str, Option<i64>)> = all
        .iter()
        .map(|v| (v["id"].as_str().unwrap(), v["state"].as_str().unwrap(), v["days_left"].as_i64()))
        .collect();
    // 2026-11-01 to 2027-01-30 are 90 days, 2026-12-01 60, 2027-03-01 30.
    let wanted = [
        ("q4", "expired", Some(-90)),
        ("q3", "flaky", Some(-60)),
        ("q2", "fails", Some(1)),
        ("c1", "fails", Some(2)),
        ("gone", "fails", Some(30)),
        ("q1", "fails", None),
    ];
    assert_eq!(got, wanted);
    let of = |id: &str| all.iter().find(|v| v["id"] == id).unwrap();
    assert_eq!(of("q2")["layers"], serde_json::json!(["facts"]));
    assert_eq!(
        (&of("q2")["owner"], &of("q2")["issue"], &of("q2")["until"]),
        (&"cskh".into(), &"#412".into(), &"2027-01-31".into())
    );
    assert_eq!((&of("q2")["file"], &of("q2")["line"]), (&"suites/shop.baseline.toml".into(), &20.into()));
    // The suite says who looks after it where the baseline does not; the baseline of another target says whose it is.
    assert_eq!(of("q1")["owner"], "paint-shop");
    assert_eq!(of("c1")["target"], "other");
    assert_eq!(of("q3")["floor"], "7/10");
}

#[test]
fn it_is_narrowed_by_owner_time_and_selector() {
    let project = project();
    assert_eq!(ids(&project, &["--owner", "cskh"]), ["q4", "q2"]);
    assert_eq!(ids(&project, &["--owner", "paint-shop"]), ["q1"]);
    assert_eq!(ids(&project, &["--expiring", "1d"]), ["q4", "q3", "q2"]);
    assert_eq!(ids(&project, &["--expiring", "2w"]), ["q4", "q3", "q2", "c1"]);
    assert_eq!(ids(&project, &["--expiring", "30d"]), ["q4", "q3", "q2", "c1", "gone"]);
    assert_eq!(ids(&project, &["shop"]), ["q4", "q3", "q2", "gone", "q1"]);
    assert_eq!(ids(&project, &["club"]), ["c1"]);
    assert_eq!(ids(&project, &["shop::q2", "tag:t-q3"]), ["q3", "q2"]);
    // What the suite no longer holds is still accepted, and found by its id.
    assert_eq!(ids(&project, &["gone"]), ["gone"]);
    for (args, words) in [
        (&["--expiring", "soon"][..], "30d"),
        (&["--expiring", "99999d"][..], "30d"),
        (&["layer:facts"][..], "about a run"),
        (&["nowhere"][..], "matches nothing"),
        (&["--json", "--csv"][..], "cannot be used"),
    ] {
        let ended = project.run(&[&["known"], args].concat());
        assert_eq!(ended.code, 2, "{}", ended.both());
        assert!(ended.err.contains(words), "{}", ended.both());
    }
}

#[test]
fn people_read_a_list_and_spreadsheets_a_table() {
    let project = project();
    let out = known(&project, &[]).out;
    assert!(out.starts_with("6 known: 1 expired, 4 accepted as failing, 1 flaky\n"), "{out}");
    for line in [
        "EXPIRED  shop::q4  fails facts  until 2026-11-01, 90 days ago\n",
        "shop::q3  fails facts  flaky, at least 7/10  until 2026-12-01 has no effect on it\n",
        "shop::q2  fails facts  until 2027-01-31, 1 day left\n",
        "club::c1  target other  fails facts  until 2027-02-01, 2 days left\n",
        "shop::q1  fails facts  no last day\n",
        "  issue     #412\n",
        "  stands    suites/shop.baseline.toml:20\n",
    ] {
        assert!(out.contains(line), "{line}{out}");
    }
    assert!(!out.contains('\u{1b}'), "{out}");
    let out = known(&project, &["--csv"]).out;
    assert!(out.starts_with("\u{feff}suite,target,id,state,"), "{out}");
    let mut reader = csv::Reader::from_reader(out.trim_start_matches('\u{feff}').as_bytes());
    let reason = reader.headers().unwrap().iter().position(|h| h == "reason").unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 6);
    // A text that a spreadsheet would work out stays text.
    assert!(rows.iter().any(|r| r[reason].starts_with("'=cmd")), "{out}");
    // Nothing to tell is told, and is no fault.
    assert!(known(&project, &["--owner", "nobody"]).out.contains("nothing is known to fail by these words"));
    assert_eq!(known(&project, &["--owner", "nobody", "--json"]).out, "");
    let fresh = Project::new();
    fresh.write(
        "suites/shop.yaml",
        "version: 1\nlanguage: en\nquestions:\n  - id: a\n    question: A?\n    facts: [b]\n",
    );
    assert!(known(&fresh, &[]).out.contains("nothing is known to fail"));
}

/// From 14 days before the last day each run says so, in the terminal's report and in the summary; it blocks nothing. From the
/// day after, the failure blocks, and the notice is gone.
#[test]
fn a_run_announces_failures_that_are_soon_accepted_no_more() {
    let project = Project::new();
    let suite = "version: 1\nlanguage: en\ntarget: answers\nquestions:\n  - id: q1\n    question: What?\n    facts: [red]\n  - id: q2\n    question: And?\n    facts: [red]\n";
    project.write("suites/shop.yaml", suite);
    let answers = |q1: &str| {
        let line = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"answer\":\"It is {text}.\",\"contexts\":[]}}\n");
        project.write("answers.jsonl", &(line("q1", q1) + &line("q2", "red")));
    };
    answers("blue");
    project.run(&["run"]);
    let ended = project.run(&["accept", "--first", "--reason", "paint", "--until", "2999-01-31"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    let run = |today: &str| project.run(&["run", "--today", today, "--markdown", "rag.md"]);
    let notice = "shop: 1 accepted failure ends soon: q1 after 2999-01-31";
    for (today, code, left) in [
        ("2999-01-16", 0, None),
        ("2999-01-17", 0, Some("14 days left")),
        ("2999-01-31", 0, Some("last day today")),
        ("2999-02-01", 1, None),
    ] {
        let ended = run(today);
        assert_eq!(ended.code, code, "{today}: {}", ended.both());
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (terminal, markdown) = (flat(&ended.out), flat(&project.read("rag.md").replace('\\', "")));
        assert_eq!(terminal.contains(notice), left.is_some(), "{today}: {terminal}");
        assert_eq!(markdown.contains(notice), left.is_some(), "{today}: {markdown}");
        assert!(left.is_none_or(|l| terminal.contains(l)), "{today}: {terminal}");
    }
    // What was fixed need not be announced.
    answers("red");
    let ended = run("2999-01-20");
    assert!(!ended.out.contains("ends soon"), "{}", ended.both());
}

//! `ragline run --last-failed`: what blocked in the last run, and everything once nothing does.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod project_kit;

use project_kit::Project;
use std::collections::BTreeSet;

fn answers(project: &Project, answers: &[(&str, &str)]) {
    let lines = answers.iter().map(|(id, text)| format!("{{\"id\":\"{id}\",{text}}}\n"));
    project.write("answers.jsonl", &lines.collect::<String>());
}

#[track_caller]
fn asked(project: &Project, args: &[&str]) -> BTreeSet<String> {
    let ended = project.run(&[&["run", "--results", "r.jsonl"], args].concat());
    assert!([0, 1, 3].contains(&ended.code), "{}", ended.both());
    project.results("r.jsonl").into_keys().collect()
}

#[test]
fn it_asks_what_blocked_and_all_when_nothing_does() {
    let project = Project::new();
    let ids = ["a", "b", "c", "d"];
    let questions: String =
        ids.map(|id| format!("  - {{ id: {id}, question: Colour of {id}?, facts: [red] }}\n")).concat();
    project.write("suites/shop.yaml", &format!("version: 1\nlanguage: en\ntarget: answers\nquestions:\n{questions}"));
    let none = project.run(&["run", "--last-failed"]);
    assert_eq!(none.code, 2, "{}", none.both());
    assert!(none.err.contains("there is no run yet"), "{}", none.both());

    let (red, blue, gone) = ("\"answer\":\"Red.\"", "\"answer\":\"Blue.\"", "\"error\":\"HTTP 500\"");
    let all = |b, c, d| answers(&project, &[("a", red), ("b", b), ("c", c), ("d", d)]);
    project.write("ragline.toml", &project_kit::RAGLINE.replace("[\"answer\", \"contexts\"]", "[\"answer\"]"));
    // `d` is a known failure: it blocks nothing and is not asked again.
    all(red, red, blue);
    assert_eq!(project.run(&["run"]).code, 2);
    assert_eq!(project.run(&["accept", "--first", "--reason", "blue paint"]).code, 0);

    all(blue, gone, blue);
    assert_eq!(asked(&project, &[]), ids.map(str::to_owned).into());
    let both = ["b", "c"].map(str::to_owned).into();
    assert_eq!(asked(&project, &["--last-failed"]), both);
    all(blue, red, blue);
    assert_eq!(asked(&project, &["--last-failed"]), both);
    assert_eq!(asked(&project, &["--last-failed"]), ["b".to_owned()].into());
    all(red, red, blue);
    assert_eq!(asked(&project, &["--last-failed"]), ["b".to_owned()].into());
    // Of those that selectors name, too.
    assert_eq!(asked(&project, &["--last-failed"]), ids.map(str::to_owned).into());
    all(blue, blue, blue);
    assert_eq!(asked(&project, &[]), ids.map(str::to_owned).into());
    assert_eq!(asked(&project, &["--last-failed", "a", "c"]), ["c".to_owned()].into());
    // A shard says nothing of the questions that it did not ask.
    assert_eq!(project.run(&["run", "--shard", "1/2"]).code, 0);
    let shard = project.run(&["run", "--last-failed"]);
    assert_eq!(shard.code, 2, "{}", shard.both());
    assert!(shard.err.contains("is shard 1 of 2, and decides nothing"), "{}", shard.both());
}

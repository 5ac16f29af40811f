//! `ragline baseline check`: what it finds, with its line, and that `--write` brings order without changing what is said.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod project_kit;

use project_kit::{Ended, Project};

const BASELINE: &str = "suites/shop.baseline.toml";
const ANSWERS: &str = "suites/shop.accepted.jsonl";

/// Three questions, accepted by `accept` itself.
fn accepted() -> Project {
    let project = Project::new();
    let question = |id: &str| format!("  - id: {id}\n    question: What does {id} say?\n    facts: [red]\n");
    let questions: String = ["q1", "q2", "q3"].into_iter().map(question).collect();
    project.write("suites/shop.yaml", &format!("version: 1\nlanguage: en\ntarget: answers\nquestions:\n{questions}"));
    let line = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"answer\":\"It is {text}.\",\"contexts\":[]}}\n");
    project.write("answers.jsonl", &(line("q1", "blue") + &line("q2", "red") + &line("q3", "red")));
    project.run(&["run"]);
    let ended = project.run(&["accept", "--first", "--reason", "paint"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    project
}

/// The line of the file, from 1, that holds a text.
fn line_of(project: &Project, file: &str, text: &str) -> usize {
    project.read(file).lines().position(|l| l.contains(text)).unwrap() + 1
}

#[track_caller]
fn finds(project: &Project, code: &str, place: &str, words: &[&str]) {
    let ended = project.run(&["baseline", "check"]);
    assert_eq!(ended.code, 2, "{}", ended.both());
    assert!(ended.err.contains(&format!("error[{code}]")), "not {code}: {}", ended.both());
    assert!(ended.err.contains(place), "not {place}: {}", ended.both());
    for word in words {
        assert!(ended.err.contains(word), "not `{word}`: {}", ended.both());
    }
}

fn check(project: &Project, args: &[&str]) -> Ended {
    project.run(&[&["baseline", "check"], args].concat())
}

#[test]
fn what_accept_writes_is_in_order() {
    let project = accepted();
    let ended = check(&project, &[]);
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (0, "1 baseline is in order\n", ""));
    assert_eq!(check(&project, &[BASELINE]).code, 0);
    assert_eq!(check(&project, &[ANSWERS]).code, 0);
    let ended = check(&project, &["suites/shop.yaml"]);
    assert!(ended.code == 2 && ended.err.contains("expected NAME.baseline.toml"), "{}", ended.both());
    // As another system writes line ends.
    project.write(BASELINE, &project.read(BASELINE).replace('\n', "\r\n"));
    assert_eq!(check(&project, &[]).code, 0);
}

/// The same blocks whatever their order: `--write` gives the bytes of `accept`.
#[test]
fn order_and_form_are_found_and_mended() {
    let project = accepted();
    let right = (project.read(BASELINE), project.read(ANSWERS));
    let (head, rest) = right.0.split_once("\n\n").unwrap();
    let mut blocks: Vec<&str> = rest.trim_end().split("\n\n").collect();
    blocks.swap(1, 2);
    let unsorted = format!("{head}\n\n{}\n", blocks.join("\n\n"));
    let spaced = right.0.replacen("facts = \"fail\"", "facts   =   'fail'", 1);
    let doubled = right.0.replacen("\n\n", "\n\n\n", 1);
    let cut = right.0.trim_end().to_owned();
    for (text, mark, words) in [
        (&unsorted, "[question.\"q2\"]", "`q2` stands behind `q3`"),
        (&spaced, "facts   =", "expected `facts = \"fail\"`"),
        (&doubled, "# What does q1", "expected `# What does q1 say?`"),
        (&cut, "", ""),
    ] {
        project.write(BASELINE, text);
        let at =
            if mark.is_empty() { String::new() } else { format!("{BASELINE}:{}", line_of(&project, BASELINE, mark)) };
        if mark == "# What does q1" {
            finds(
                &project,
                "baseline-form",
                &format!("{BASELINE}:6"),
                &["expected `# What does q1 say?`", "check --write"],
            );
        } else {
            finds(&project, "baseline-form", &at, &[words, "check --write"]);
        }
        let ended = check(&project, &["--write"]);
        assert_eq!(ended.code, 0, "{}", ended.both());
        assert!(ended.out.contains("wrote suites/shop.baseline.toml"), "{}", ended.both());
        assert_eq!((project.read(BASELINE), project.read(ANSWERS)), right);
    }
    // A comment of a person is named before it goes.
    project.write(BASELINE, &right.0.replace("# What does q2", "# ask the paint shop first\n# What does q2"));
    finds(
        &project,
        "baseline-form",
        &format!("{BASELINE}:{}", line_of(&project, BASELINE, "ask the")),
        &["write it as `reason`"],
    );
    let ended = check(&project, &["--write"]);
    assert!(ended.out.contains("taken out: # ask the paint shop first"), "{}", ended.both());
    assert_eq!(project.read(BASELINE), right.0);
    // The answers.
    let mut lines: Vec<&str> = right.1.lines().collect();
    lines.swap(1, 3);
    project.write(ANSWERS, &(lines.join("\n") + "\n"));
    finds(&project, "accepted-order", &format!("{ANSWERS}:3"), &["check --write"]);
    assert_eq!(check(&project, &["--write"]).code, 0);
    assert_eq!(project.read(ANSWERS), right.1);
    let orphan = "{\"id\":\"q9\",\"answer\":\"x\",\"contexts\":[]}\n";
    project.write(ANSWERS, &(right.1.clone() + orphan));
    finds(&project, "accepted-orphan", &format!("{ANSWERS}:5"), &["`q9`"]);
    assert_eq!(check(&project, &["--write"]).code, 0);
    assert_eq!(project.read(ANSWERS), right.1);
}

#[test]
fn what_needs_a_person_is_found_and_not_written() {
    let project = accepted();
    let right = (project.read(BASELINE), project.read(ANSWERS));
    let unwritten = |what: &str| {
        let before = (project.read(BASELINE), project.read(ANSWERS));
        let ended = check(&project, &["--write"]);
        assert_eq!(ended.code, 2, "{what}: {}", ended.both());
        assert_eq!((project.read(BASELINE), project.read(ANSWERS)), before, "{what}");
        project.write(BASELINE, &right.0);
        project.write(ANSWERS, &right.1);
    };
    let block = right.0.split("\n\n").nth(1).unwrap();
    project.write(BASELINE, &format!("{}\n{block}\n", right.0));
    let place = format!("{BASELINE}:{}", project.read(BASELINE).lines().count() - block.lines().count() + 2);
    finds(&project, "baseline-duplicate", &place, &["`q1` has a second block", "stricter"]);
    unwritten("duplicate");
    project.write(
        BASELINE,
        &right.0.replacen(
            "facts = \"fail\"",
            "<<<<<<< HEAD\nfacts = \"fail\"\n=======\nfacts = \"pass\"\n>>>>>>> topic",
            1,
        ),
    );
    let place = format!("{BASELINE}:{}", line_of(&project, BASELINE, "<<<<<<<"));
    finds(&project, "baseline-conflict", &place, &["ragline baseline resolve"]);
    unwritten("conflict");
    project.write(BASELINE, &right.0.replace("\"q2\"", "\"q22\""));
    let place = format!("{BASELINE}:{}", line_of(&project, BASELINE, "q22"));
    finds(&project, "baseline-gone", &place, &["holds no question `q22`", "accept --removed shop::q22"]);
    project.write(BASELINE, &right.0);
    project.write(ANSWERS, &right.1.replace("\"id\":\"q3\"", "\"id\":\"q2\""));
    finds(&project, "accepted-duplicate", &format!("{ANSWERS}:4"), &["`q2`"]);
    unwritten("duplicate answer");
    project.write(ANSWERS, &format!("{}not json\n", right.1));
    finds(&project, "response-line", &format!("{ANSWERS}:5"), &[]);
    unwritten("no json");
    project.write(ANSWERS, &format!("{}<<<<<<< HEAD\n=======\n>>>>>>> t\n", right.1));
    finds(&project, "accepted-conflict", &format!("{ANSWERS}:5"), &["baseline resolve"]);
    unwritten("conflict of answers");
    project.write("suites/shoop.baseline.toml", &right.0);
    finds(&project, "baseline-stray", "suites/shoop.baseline.toml", &["no suite"]);
    std::fs::remove_file(project.path().join("suites/shoop.baseline.toml")).unwrap();
    // Without answers a question that changes is judged alone: a warning.
    project.write(ANSWERS, &right.1.lines().take(3).map(|l| format!("{l}\n")).collect::<String>());
    let ended = check(&project, &[]);
    assert!(
        ended.code == 0 && ended.err.contains("warning[accepted-missing]") && ended.err.contains("q3"),
        "{}",
        ended.both()
    );
    std::fs::remove_file(project.path().join(ANSWERS)).unwrap();
    let ended = check(&project, &[]);
    assert!(ended.code == 0 && ended.err.contains("warning[accepted-missing]"), "{}", ended.both());
}

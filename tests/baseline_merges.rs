//! Two branches, a real `git merge`, and what `ragline baseline resolve` makes of it: what git says of each, and the blocks
//! and answers that are left. The table in docs/baseline.md is this one.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod merge_kit;
mod project_kit;

use merge_kit::{
    ANSWERS, BASELINE, Block, FAIL, FAIL_OTHER, PASS, PASS_ANEW, ROWS, Repository, Row, State, edited, every_pass,
};
use std::collections::BTreeMap;
use std::fs;

/// The branches of a row, merged.
fn merged(row: &Row) -> (Repository, (bool, bool), State) {
    let repository = Repository::new();
    let base = edited(&every_pass(), row.base);
    repository.write(&base, "m1");
    repository.commit("base");
    repository.git(&["checkout", "-q", "-b", "theirs"]);
    repository.write(&edited(&base, row.theirs), "m1");
    repository.commit("theirs");
    repository.git(&["checkout", "-q", "main"]);
    repository.write(&edited(&base, row.ours), "m1");
    repository.commit("ours");
    let conflict = repository.merge();
    (repository, conflict, base)
}

/// What is there after a row. Where git had the baseline merged by the driver, `resolve` sees only the result: the answer of a
/// block that neither side had as it is now may be left out.
#[track_caller]
fn expect(row: &Row, repository: &Repository, base: &State, by_driver: bool) {
    let mut wanted: BTreeMap<String, (String, Option<String>)> =
        base.iter().map(|(id, (b, a))| ((*id).to_owned(), ((*b).to_owned(), Some((*a).to_owned())))).collect();
    for (id, after) in row.after {
        match after {
            Some((block, answer)) => {
                drop(wanted.insert((*id).to_owned(), ((*block).to_owned(), answer.map(str::to_owned))));
            }
            None => drop(wanted.remove(*id)),
        }
    }
    let state = repository.state();
    let other_block = |id: &String, block: &String| {
        let has = |side: &[(&str, Option<Block>)]| side.iter().any(|(i, b)| i == id && b.is_some_and(|b| b.0 == block));
        !has(row.ours) && !has(row.theirs) && !has(row.base) && block != PASS.0
    };
    for (id, (block, answer)) in &mut wanted {
        if by_driver && other_block(id, block) && state.get(id).is_some_and(|(_, a)| a.is_none()) {
            *answer = None;
        }
    }
    assert_eq!(state, wanted, "{}", row.name);
    repository.is_sound(row.name, wanted.contains_key("q7"));
}

#[test]
fn every_row_of_the_table() {
    for row in &ROWS {
        let (repository, conflict, base) = merged(row);
        assert_eq!(conflict, row.conflict, "{}", row.name);
        let before = (repository.project.read(BASELINE), repository.project.read(ANSWERS));
        let dry = repository.project.run(&["baseline", "resolve", "--dry-run"]);
        assert_eq!(dry.code, 0, "{}: {}", row.name, dry.both());
        assert_eq!((repository.project.read(BASELINE), repository.project.read(ANSWERS)), before, "{}", row.name);
        let ended = repository.project.run(&["baseline", "resolve"]);
        assert_eq!(ended.code, 0, "{}: {}", row.name, ended.both());
        for words in row.says {
            assert!(ended.out.contains(words), "{}: not `{words}`: {}", row.name, ended.both());
        }
        if conflict == (false, false) {
            assert!(ended.out.contains("no file of a baseline is in conflict"), "{}", ended.both());
        } else {
            // It adds nothing itself, and says the line that does.
            let add = ended
                .out
                .lines()
                .find_map(|l| l.trim().strip_prefix("git add "))
                .unwrap_or_else(|| panic!("{}", ended.both()));
            assert!(repository.git(&["ls-files", "-u"]).out.contains("shop"), "{}", row.name);
            let again = repository.project.run(&["baseline", "resolve"]);
            assert_eq!((again.code, &again.out), (0, &ended.out), "twice is once: {}", row.name);
            repository.git(&[&["add"], &add.split(' ').collect::<Vec<_>>()[..]].concat());
            assert_eq!(repository.git(&["ls-files", "-u"]).out, "", "{}", row.name);
        }
        expect(row, &repository, &base, false);
    }
}

/// The same rows where git asks `ragline baseline merge`: fewer conflicts, and the same result after `resolve`.
#[test]
fn the_merge_driver_leaves_only_what_needs_a_person_or_both_files() {
    let mut left = Vec::new();
    for row in &ROWS {
        let repository = Repository::new();
        let driver = format!("{} baseline merge %O %A %B %P", env!("CARGO_BIN_EXE_ragline"));
        repository.git(&["config", "merge.ragline.driver", &driver]);
        repository
            .project
            .write(".gitattributes", "suites/*.baseline.toml merge=ragline\nsuites/*.accepted.jsonl merge=ragline\n");
        let base = edited(&every_pass(), row.base);
        repository.write(&base, "m1");
        repository.commit("base");
        repository.git(&["checkout", "-q", "-b", "theirs"]);
        repository.write(&edited(&base, row.theirs), "m1");
        repository.commit("theirs");
        repository.git(&["checkout", "-q", "main"]);
        repository.write(&edited(&base, row.ours), "m1");
        repository.commit("ours");
        let conflict = repository.merge();
        if conflict != (false, false) {
            left.push((row.name, conflict));
            let ended = repository.project.run(&["baseline", "resolve"]);
            assert_eq!(ended.code, 0, "{}: {}", row.name, ended.both());
        }
        expect(row, &repository, &base, true);
    }
    let names: Vec<&str> = left.iter().map(|(name, _)| *name).collect();
    for merged in [
        "accept neighbours",
        "add neighbours",
        "`until` moved on both sides",
        "one removes it, one leaves it and edits its neighbour",
    ] {
        assert!(!names.contains(&merged), "{left:?}");
    }
    for (name, (baseline, _)) in &left {
        assert!(!baseline || *name == "flaky against fail with a last day", "{name}");
    }
}

/// First baselines on both sides: git knows no base, and neither added block is taken for a removed one.
#[test]
fn first_baselines_on_both_sides() {
    let repository = Repository::new();
    repository.commit("base");
    repository.git(&["checkout", "-q", "-b", "theirs"]);
    repository.write(&edited(&every_pass(), &[("q2", Some(FAIL)), ("q5", None)]), "m1");
    repository.commit("theirs");
    repository.git(&["checkout", "-q", "main"]);
    repository.write(&edited(&every_pass(), &[("q2", Some(PASS_ANEW)), ("q6", Some(FAIL))]), "m1");
    repository.commit("ours");
    assert_eq!(repository.merge(), (true, true));
    let ended = repository.project.run(&["baseline", "resolve"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    let state = repository.state();
    assert_eq!(state["q2"], (PASS_ANEW.0.to_owned(), Some(PASS_ANEW.1.to_owned())));
    // Theirs passes q6, ours accepts its failure: the pass. Only ours has q5: added there.
    assert_eq!(state["q6"].0, PASS.0);
    assert_eq!(state["q5"].0, PASS.0);
    repository.is_sound("first baselines", false);
}

/// A side that writes its file in another order or with other line ends: git has conflicts all over, and no question changed
/// on both sides.
#[test]
fn sorted_anew_and_other_line_ends() {
    for crlf in [true, false] {
        let repository = Repository::new();
        repository.write(&every_pass(), "m1");
        repository.commit("base");
        repository.git(&["checkout", "-q", "-b", "theirs"]);
        repository.write(&edited(&every_pass(), &[("q2", Some(FAIL))]), "m1");
        let text = repository.project.read(BASELINE);
        let text = if crlf {
            text.replace('\n', "\r\n")
        } else {
            let (head, rest) = text.split_once("\n\n").unwrap();
            let mut blocks: Vec<&str> = rest.trim_end().split("\n\n").collect();
            blocks.reverse();
            format!("{head}\n\n{}\n", blocks.join("\n\n"))
        };
        repository.project.write(BASELINE, &text);
        repository.commit("theirs");
        repository.git(&["checkout", "-q", "main"]);
        repository.write(&edited(&every_pass(), &[("q3", Some(FAIL_OTHER))]), "m1");
        repository.commit("ours");
        assert_eq!(repository.merge(), (true, true), "crlf {crlf}");
        let ended = repository.project.run(&["baseline", "resolve"]);
        assert!(ended.code == 0 && ended.out.contains("0 changed on both sides"), "{}", ended.both());
        let state = repository.state();
        assert_eq!((state["q2"].0.as_str(), state["q3"].0.as_str()), (FAIL.0, FAIL_OTHER.0));
        repository.is_sound("sorted anew", false);
    }
}

/// Outcomes of different rules do not stand in one file: refused, and nothing is written. Without the driver git itself puts
/// them there where they stand far apart.
#[test]
fn sides_of_different_rules() {
    for (theirs, clean) in [("q1", false), ("q6", true)] {
        for driver in [false, true] {
            let repository = Repository::new();
            if driver {
                let line = format!("{} baseline merge %O %A %B %P", env!("CARGO_BIN_EXE_ragline"));
                repository.git(&["config", "merge.ragline.driver", &line]);
                repository.project.write(".gitattributes", "suites/*.baseline.toml merge=ragline\n");
            }
            repository.write(&every_pass(), "m1");
            repository.commit("base");
            repository.git(&["checkout", "-q", "-b", "theirs"]);
            repository.write(&edited(&every_pass(), &[(theirs, Some(FAIL))]), "m1");
            repository.commit("theirs");
            repository.git(&["checkout", "-q", "main"]);
            repository.write(&edited(&every_pass(), &[("q1", Some(FAIL_OTHER))]), "m2");
            repository.commit("ours");
            let (in_conflict, _) = repository.merge();
            assert_eq!(in_conflict, driver || !clean, "{theirs} {driver}");
            if !in_conflict {
                continue;
            }
            let before = repository.project.read(BASELINE);
            assert!(before.contains("<<<<<<<") || driver, "{before}");
            let ended = repository.project.run(&["baseline", "resolve"]);
            assert_eq!(ended.code, 2, "{}", ended.both());
            assert!(
                ended.err.contains("resolve-measure") && ended.err.contains("git checkout --ours"),
                "{}",
                ended.both()
            );
            assert_eq!(repository.project.read(BASELINE), before);
        }
    }
}

/// The question was edited on both sides: the side that fits the suite as it was merged, else neither.
#[test]
fn different_expectations_follow_the_suite() {
    let repository = Repository::new();
    let suite = repository.project.read("suites/shop.yaml");
    let with = |fact: &str| suite.replacen("[red]", &format!("[{fact}]"), 1);
    repository.write(&every_pass(), "m1");
    repository.commit("base");
    repository.git(&["checkout", "-q", "-b", "theirs"]);
    repository.project.write("suites/shop.yaml", &with("green"));
    repository.write(&edited(&every_pass(), &[("q1", Some(FAIL))]), "m1");
    repository.commit("theirs");
    repository.git(&["checkout", "-q", "main"]);
    repository.project.write("suites/shop.yaml", &with("blue"));
    repository.write(&edited(&every_pass(), &[("q1", Some(PASS_ANEW))]), "m1");
    repository.commit("ours");
    assert_eq!(repository.merge(), (true, true));
    // The suite is in conflict itself: which side fits cannot be told.
    let before = repository.project.read(BASELINE);
    let ended = repository.project.run(&["baseline", "resolve"]);
    assert_eq!(ended.code, 2, "{}", ended.both());
    assert!(ended.err.contains("resolve-suite") && ended.err.contains("resolve the suite first"), "{}", ended.both());
    assert_eq!(repository.project.read(BASELINE), before);
    for (fact, wanted) in [("green", Some(FAIL)), ("blue", Some(PASS_ANEW)), ("white", None)] {
        repository.git(&["checkout", "-m", "--", BASELINE, ANSWERS]);
        repository.project.write("suites/shop.yaml", &with(fact));
        let ended = repository.project.run(&["baseline", "resolve"]);
        assert_eq!(ended.code, 0, "{}", ended.both());
        let got = repository.state().get("q1").cloned();
        assert_eq!(got, wanted.map(|(b, a)| (b.to_owned(), Some(a.to_owned()))), "{fact}: {}", ended.both());
    }
}

/// What somebody has merged by hand is not overwritten; a file that one side deleted is for people; marks that git knows
/// nothing of are read with and without what both sides come from.
#[test]
fn what_is_left_to_people_and_marks_without_git() {
    let row = &ROWS[3];
    let (repository, ..) = merged(row);
    let text = repository.project.read(BASELINE);
    let by_hand = text
        .lines()
        .filter(|l| {
            !l.starts_with(['<', '=', '>']) && !l.contains("lamp") && !l.contains("cskh") && !l.contains("\"fail\"")
        })
        .collect::<Vec<_>>()
        .join("\n")
        + "\n";
    repository.project.write(BASELINE, &by_hand.replace("pass", "skipped"));
    let ended = repository.project.run(&["baseline", "resolve"]);
    assert!(ended.code == 2 && ended.err.contains("resolve-edited"), "{}", ended.both());
    // Deleted on one side.
    let (repository, ..) = merged(&ROWS[0]);
    repository.git(&["checkout", "-q", "-b", "gone"]);
    repository.git(&["rm", "-q", BASELINE]);
    repository.commit("gone");
    repository.git(&["checkout", "-q", "main"]);
    let state = edited(&every_pass(), &[("q2", Some(FAIL))]);
    repository.write(&state, "m1");
    repository.commit("edited");
    repository.try_git(&["merge", "-q", "--no-edit", "gone"]);
    let ended = repository.project.run(&["baseline", "resolve"]);
    assert!(ended.code == 2 && ended.err.contains("resolve-deleted"), "{}", ended.both());
    // Marks alone: one side accepts a failure, and nobody knows whether the other removed it.
    for (style, code) in [("merge", 2), ("diff3", 0), ("zdiff3", 0)] {
        let (repository, ..) = merged(&ROWS[2]);
        repository.git(&["checkout", &format!("--conflict={style}"), "--", BASELINE, ANSWERS]);
        let texts = (repository.project.read(BASELINE), repository.project.read(ANSWERS));
        assert!(texts.0.contains("<<<<<<<"), "{}", texts.0);
        fs::remove_dir_all(repository.project.path().join(".git")).unwrap();
        repository.project.write("answers.jsonl", "{\"id\":\"q1\",\"answer\":\"It is red.\"}\n");
        let run = repository.project.run(&["run", "--plan"]);
        assert!(run.code == 2 && run.err.contains("error[baseline-conflict]"), "{}", run.both());
        let ended = repository.project.run(&["baseline", "resolve"]);
        assert_eq!(ended.code, code, "{style}: {}", ended.both());
        if code == 2 {
            assert!(ended.err.contains("resolve-base") && ended.err.contains("--conflict=diff3"), "{}", ended.both());
            assert_eq!((repository.project.read(BASELINE), repository.project.read(ANSWERS)), texts);
        } else {
            let state = repository.state();
            assert_eq!((state["q3"].0.as_str(), state["q4"].0.as_str()), (PASS_ANEW.0, FAIL.0), "{style}");
        }
        // Both changed it: the stricter side, in every style.
        let (repository, ..) = merged(row);
        repository.git(&["checkout", &format!("--conflict={style}"), "--", BASELINE, ANSWERS]);
        fs::remove_dir_all(repository.project.path().join(".git")).unwrap();
        let ended = repository.project.run(&["baseline", "resolve"]);
        assert_eq!(ended.code, 0, "{style}: {}", ended.both());
        assert_eq!(repository.state()["q3"].0, PASS_ANEW.0, "{style}");
    }
}
